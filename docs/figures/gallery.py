#!/usr/bin/env python3
"""Draws docs/figures/gallery.png: two fluids that part, a polymer melt, a droplet of ions, a star cluster.

    docs/figures/gallery.py [--program build/release/mesowarp] [--work build/gallery] [--output docs/figures/gallery.png]

Runs the decks of examples/ (about three minutes on two cores; what has run already is not repeated) and draws frames of their
trajectories. Needs numpy, h5py and matplotlib.
"""
import argparse
import subprocess
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
import mesowarp  # noqa: E402
from mesowarp.rendering import PALETTE, Canvas, rgb, turned  # noqa: E402

RUNS = {
    "phase_separation": ["--set", "box.size=[20.0,20.0,20.0]", "--set", "output.1.every=250"],
    "polymer_melt": [],
    "ions": [],
    "plummer": [],
}
BLUE, ORANGE, GREEN, VERMILION, SKY, PURPLE, YELLOW = PALETTE[:7]


def run_decks(program, work):
    for deck, options in RUNS.items():
        output = work / deck
        if (output / "deck.toml").exists() and mesowarp.open(output).finished:
            continue
        command = [str(program), "run", str(ROOT / "examples" / f"{deck}.toml"), "--output", str(output), "--quiet", *options]
        print(" ".join(command))
        subprocess.run(command, check=True)


def frame(directory, number):
    """Positions, species, edges of the box and bonds of one frame."""
    trajectory = mesowarp.open(directory).trajectory
    return trajectory.position(number), trajectory.species, trajectory.box(number), trajectory.bonds


def mixture(directory, number, pixels):
    """The box as a cube seen from a corner."""
    x, species, edges, _ = frame(directory, number)
    canvas = Canvas(pixels, 0.86 * edges[0])
    places = turned(x - edges / 2, 38.0, 27.0)
    near = (x > edges - 1.6) | (x < 1.6)  # what is deep inside is hidden by what is near the faces
    shown = near.any(axis=1)
    colours = np.array([rgb(ORANGE), rgb(BLUE)])[species[shown]]
    canvas.spheres(places[shown], 0.52, colours)
    return canvas.image()


def melt(directory, pixels):
    """Whole chains, a colour each, where their centres are; bonds as rods."""
    x, _, edges, bonds = frame(directory, -1)
    beads = 10
    chains = x.reshape(-1, beads, 3)  # ids are in the order of chains
    if not np.array_equal(bonds[:, 0] // beads, bonds[:, 1] // beads):
        sys.exit("the melt's chains are not of ten beads in the order of their ids")
    step = np.diff(chains, axis=1)
    step -= edges * np.rint(step / edges)
    chains = np.concatenate([chains[:, :1], chains[:, :1] + np.cumsum(step, axis=1)], axis=1)
    middle = chains.mean(axis=1, keepdims=True)
    chains -= edges * np.floor(middle / edges)
    palette = np.array([rgb(c) for c in (ORANGE, SKY, GREEN, YELLOW, BLUE, VERMILION, PURPLE)])
    number = np.arange(len(chains))
    colours = np.clip(palette[number % 7] * (0.8 + 0.35 * ((number * 0.618) % 1.0))[:, None], 0.0, 1.0)
    canvas = Canvas(pixels, 0.88 * edges[0])
    places = turned(chains.reshape(-1, 3) - edges / 2, 38.0, 27.0).reshape(chains.shape)
    canvas.rods(places[:, :-1].reshape(-1, 3), places[:, 1:].reshape(-1, 3), 0.2, np.repeat(colours, beads - 1, axis=0), fog=0.75)
    canvas.spheres(places.reshape(-1, 3), 0.3, np.repeat(colours, beads, axis=0), fog=0.75)
    return canvas.image()


def ions(directory, pixels):
    x, species, _, _ = frame(directory, -1)
    x = x - np.median(x, axis=0)
    canvas = Canvas(pixels, 9.4)
    canvas.spheres(turned(x, 30.0, 20.0), 0.52, np.array([rgb(VERMILION), rgb(SKY)])[species], fog=0.45)
    return canvas.image()


def stars(directory, pixels):
    x, _, _, _ = frame(directory, -1)
    canvas = Canvas(pixels, 2.0, background=np.array([0.02, 0.02, 0.06]))
    places = turned(x - np.median(x, axis=0), 20.0, 10.0)
    sizes = 3.4 + 2.6 * ((np.arange(len(x)) * 0.618) % 1.0) ** 3
    canvas.glow(places, np.array([1.0, 0.93, 0.78]) * 0.42, sizes)
    return canvas.image()


def draw(work, output):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    pixels = 760
    pictures = [
        (mixture(work / "phase_separation", 1, pixels), "phase_separation.toml\ntwo fluids, time 2.5 …"),
        (mixture(work / "phase_separation", -1, pixels), "phase_separation.toml\n… and time 50: they part"),
        (melt(work / "polymer_melt", pixels), "polymer_melt.toml\n300 chains of ten beads"),
        (ions(work / "ions", pixels), "ions.toml\na salt lattice turns into a droplet"),
        (stars(work / "plummer", pixels), "plummer.toml\n1,024 stars"),
    ]
    figure, axes = plt.subplots(1, len(pictures), figsize=(13.0, 3.05))
    for ax, (picture, title) in zip(axes, pictures):
        ax.imshow(picture, interpolation="lanczos")
        ax.set_title(title, fontsize=9)
        ax.axis("off")
    figure.subplots_adjust(left=0.002, right=0.998, top=0.87, bottom=0.005, wspace=0.02)
    figure.savefig(output, dpi=140)
    from PIL import Image  # matplotlib needs it, too

    Image.open(output).convert("RGB").quantize(256, method=Image.Quantize.MAXCOVERAGE, kmeans=1).save(output, optimize=True)
    print(f"drawn: {output}, {output.stat().st_size // 1000} kB")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, default=ROOT / "build/release/mesowarp")
    parser.add_argument("--work", type=Path, default=ROOT / "build/gallery", help="folder for the runs")
    parser.add_argument("--output", type=Path, default=ROOT / "docs/figures/gallery.png")
    options = parser.parse_args()
    run_decks(options.program, options.work)
    draw(options.work, options.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
