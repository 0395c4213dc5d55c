#!/usr/bin/env python3
"""Draws the pictures of docs/gallery.md: runs each deck, and takes one of the pictures that `mesowarp plot` draws of it.

    docs/gallery/draw.py [--program build/release/mesowarp] [--work build/gallery-decks] [--output docs/gallery] [--steps N]

About two minutes on two cores; what has run already is not repeated. --steps shortens every run to N steps, and its
intervals by the same factor. Needs numpy, h5py and matplotlib.
"""
import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))
import mesowarp  # noqa: E402
from mesowarp import pictures  # noqa: E402

# Picture: deck, what of it is drawn, values over the deck's.
PICTURES = {
    "melt": ("new/melt.toml", "frame", {"run.steps": 12000, "interaction.1.a": 50.0}),
    "separation": ("phase_separation.toml", "frame", {}),
    "drop": ("new/drop.toml", "frame", {}),
    "stars": ("new/nbody.toml", "frame", {}),
    "polymer": ("new/mpcd-polymer.toml", "frame", {}),
    "channel": ("new/channel.toml", "channel", {}),
    "shear": ("new/shear.toml", "shear", {}),
    "solute": ("new/tdpd.toml", "concentration_z", {}),
    "collisions": ("new/mpcd.toml", "flow", {}),
    "ball": ("flow_past_ball.toml", "flow", {}),
    "inflow": ("walls/inflow.toml", "flow", {}),
    "chains": ("chains/between_walls.toml", "frame", {}),
    "table": ("new/dpd.toml", "table", {}),
}


def shortened(deck, values, steps):
    """Values over the deck's that make it so long, and every interval as much shorter."""
    if steps is None:
        return values
    factor = steps / values.get("run.steps", deck["run"]["steps"])
    values = {**values, "run.steps": steps}
    for block in ("output", "measure"):
        for number, table in enumerate(deck.get(block, [])):
            for key in ("every", "start", "window"):
                if table.get(key):
                    least = max(1, round(table.get("every", 10) * factor)) if key == "window" else 1
                    values[f"{block}.{number}.{key}"] = max(least, round(table[key] * factor))
    return values


def draw(run, wanted, path):
    """One of a run's pictures, with few colours, so that the file is small."""
    from PIL import Image  # matplotlib needs it, too
    kinds = (wanted,) if wanted in pictures.KINDS else ("profiles", "fields")
    for name, figure in pictures.pictures_of(mesowarp.Sweep([run]), kinds):
        if name == wanted:
            figure.savefig(path, dpi=75, bbox_inches="tight")
            Image.open(path).convert("RGB").quantize(128, kmeans=1).save(path, optimize=True)
        pictures.pyplot().close(figure)
    if not path.exists():
        raise mesowarp.MesowarpError(f"{run.directory} has no picture {wanted}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=str(ROOT / "build/release/mesowarp"))
    parser.add_argument("--work", type=Path, default=ROOT / "build/gallery-decks")
    parser.add_argument("--output", type=Path, default=Path(__file__).parent)
    parser.add_argument("--steps", type=int)
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    for name, (deck, wanted, values) in PICTURES.items():
        path, directory = ROOT / "examples" / deck, options.work / name
        if not ((directory / "deck.toml").exists() and mesowarp.open(directory).finished):
            mesowarp.run(path, shortened(mesowarp.read_deck(path), values, options.steps), directory,
                         program=options.program)
        target = options.output / f"{name}.png"
        target.unlink(missing_ok=True)
        draw(mesowarp.open(directory), wanted, target)
        print(f"{target}: {target.stat().st_size // 1000} kB", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
