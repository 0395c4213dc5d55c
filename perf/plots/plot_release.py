#!/usr/bin/env python3
"""Pictures of cells that release a chemical, from a run of examples/cells_release.toml or one like it: a slice of the
plasma, each particle coloured by its concentration, with the cells' surfaces coloured by that of their vertices.

    perf/plots/plot_release.py RUN [RUN ...] -o release.png [--solute atp] [--frames 3]
"""
import argparse
from pathlib import Path

import h5py
import matplotlib
import numpy as np

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402
from matplotlib.collections import PolyCollection  # noqa: E402

TYPES = {"Float64": "<f8", "Int32": "<i4", "Int64": "<i8"}


def surface(path):
    """Arrays of a surface-*.vtp, by name."""
    head, data = path.read_bytes().split(b'encoding="raw">\n_')
    values = {}
    for line in head.decode().split("\n"):
        if "offset=" in line:
            word = {key: line.split(f'{key}="')[1].split('"')[0] for key in ("type", "Name", "offset")}
            at = int(word["offset"])
            size = int.from_bytes(data[at:at + 8], "little")
            values[word["Name"]] = np.frombuffer(data[at + 8:at + 8 + size], TYPES[word["type"]])
    return values


def column_of(run, solute):
    """Of the trajectory's concentrations, which are in the order of transport.solutes, as those of surfaces are."""
    names = [name for name in surface(sorted(run.glob("surface-*.vtp"))[0])
             if name not in ("position", "cell", "connectivity", "offsets")]
    return names.index(solute)


def draw(axes, run, step, solute, most):
    with h5py.File(run / "trajectory.h5") as file:
        group = file["particles/all"]
        frame = list(group["position/step"][()]).index(step)
        place, carried = group["position/value"][frame], group["concentration/value"][frame][:, column_of(run, solute)]
        edges = group["box/edges"]
        size = edges[()] if isinstance(edges, h5py.Dataset) else edges["value"][frame]
        time = group["position/time"][frame]
    slab = np.abs(place[:, 2] - 0.5 * size[2]) < 0.06 * size[2]
    shades = {"cmap": "Reds", "norm": plt.Normalize(0.0, most)}
    drawn = axes.scatter(place[slab, 0], place[slab, 1], c=carried[slab], s=6, linewidths=0, **shades)
    for path in run.glob(f"surface-*-{step:010d}.vtp"):
        cells = surface(path)
        vertex, corner = cells["position"].reshape(-1, 3), cells["connectivity"].reshape(-1, 3)
        centre = np.array([vertex[cells["cell"] == c].mean(axis=0) for c in range(cells["cell"].max() + 1)])
        vertex = vertex - (np.floor(centre / size) * size)[cells["cell"]]  # each cell whole, its centre in the box
        order = np.argsort(vertex[corner, 2].mean(axis=1))
        faces = PolyCollection(vertex[corner[order]][:, :, :2], array=cells[solute][corner[order]].mean(axis=1),
                               edgecolors="black", linewidths=0.1, **shades)
        axes.add_collection(faces)
    axes.set(xlim=(0, size[0]), ylim=(0, size[1]), aspect="equal", title=f"t = {time:.3g}", xlabel="x", ylabel="y")
    return drawn


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("run", type=Path, nargs="+")
    parser.add_argument("-o", "--output", default="release.png")
    parser.add_argument("--solute", default="atp")
    parser.add_argument("--frames", type=int, default=3, help="of each run, the last one among them")
    options = parser.parse_args()
    figure, all_axes = plt.subplots(options.frames, len(options.run), squeeze=False,
                                    figsize=(7 * len(options.run), 3.6 * options.frames), layout="constrained")
    for column, run in enumerate(options.run):
        with h5py.File(run / "trajectory.h5") as file:
            group = file["particles/all"]
            steps = group["position/step"][()]
            most = group["concentration/value"][-1][:, column_of(run, options.solute)].max()
        chosen = steps[np.linspace(0, len(steps) - 1, options.frames).round().astype(int)]
        for axes, step in zip(all_axes[:, column], chosen):
            drawn = draw(axes, run, step, options.solute, most)
        figure.colorbar(drawn, ax=all_axes[:, column], label=options.solute)
    figure.savefig(options.output, dpi=150)


if __name__ == "__main__":
    main()
