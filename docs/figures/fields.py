#!/usr/bin/env python3
"""Draws fields.png: a field on a grid, means in shells, and diffusion in a tube, from finished runs of two examples.

    mesowarp run examples/flow_past_ball.toml --output build/ball
    mesowarp run examples/tdpd_tube.toml --output build/tube
    docs/figures/fields.py build/ball build/tube
"""
import argparse
import csv
import sys
import tomllib
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import SimpleNamespace

import h5py
import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "perf/plots"))
from figure_style import EXPECTED, style  # noqa: E402


def solutions():
    """scripts/flow-solutions as a module."""
    loader = SourceFileLoader("flow_solutions", str(ROOT / "scripts/flow-solutions"))
    module = module_from_spec(spec_from_loader("flow_solutions", loader))
    loader.exec_module(module)
    return module


def draw_field(figure, axes, run):
    """The solute in the plane through the ball's middle, with streamlines, and the wall where its distance is 0."""
    with h5py.File(run / "flow.h5") as file:
        h = file["spacing"][:]
        middle = file["density"].shape[2] // 2  # of y, between two planes of cells
        planes = [file[name][-1][:, middle - 1 : middle + 1] for name in ("concentration_dye", "velocity", "count")]
    dye, velocity, count = [np.nan_to_num(plane) for plane in planes]
    weight = count.sum(axis=1)
    dye = np.divide((dye * count).sum(axis=1), weight, out=np.full(weight.shape, np.nan), where=weight > 0)
    u = [np.divide((velocity[..., a] * count).sum(axis=1), weight, out=np.full(weight.shape, np.nan), where=weight > 0)
         for a in (0, 2)]
    x, z = [(np.arange(n) + 0.5) * step for n, step in zip(dye.shape[::-1], (h[0], h[2]))]
    image = axes.pcolormesh(x, z, dye, cmap="viridis", vmin=0)
    axes.streamplot(x, z, *u, color="white", linewidth=0.6, arrowsize=0.6, density=1.1)
    with h5py.File(run / "walls.h5") as file:
        distance, spacing = file["distance"][:], file["spacing"][:]
    section = distance[:, distance.shape[1] // 2]
    axes.contour(np.arange(section.shape[1]) * spacing[0], np.arange(section.shape[0]) * spacing[2], section, [0.0],
                 colors="black")
    figure.colorbar(image, ax=axes, label="solute", shrink=0.8)
    axes.set(xlabel="x", ylabel="z", aspect="equal", title="A field, and the wall")


def draw_shells(axes, run):
    """Density and solute by the distance from the ball's middle."""
    with open(run / "around.csv", encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table))
    for k, (name, label) in enumerate((("density", "density / 3"), ("concentration_dye", "solute"))):
        scale = 3.0 if name == "density" else 1.0
        r, value, error = [np.array([float(row[key]) for row in rows]) for key in ("coordinate", name, name + "_error")]
        axes.errorbar(r, value / scale, yerr=error / scale, label=label, **{**style(k), "linestyle": "none"})
    axes.axvline(2.0, color="black", linewidth=1)
    axes.set(xlabel="distance from the middle of the ball", title="Shells round it", ylim=(0, 1.3))
    axes.legend()


def draw_tube(axes, run):
    """Four times, and the Bessel series."""
    found = solutions()
    deck = tomllib.loads((run / "deck.toml").read_text(encoding="utf-8"))
    times = {"at": (0.5, 1.0, 2.0, 5.0), "diffusion": None}
    curves, _, edges, _, _ = found.tube(deck, run, SimpleNamespace(fit=False, **times))
    fitted = found.tube(deck, run, SimpleNamespace(fit=True, **times))[0]
    middle = 0.5 * (edges[1:] + edges[:-1])
    for k, (time, measured, solution) in enumerate(curves):
        axes.plot(middle, solution, **{**EXPECTED, "label": "Bessel series" if k == 0 else None})
        axes.plot(middle, fitted[k][2], "--", **{**EXPECTED, "label": "the same, fitted" if k == 0 else None})
        axes.plot(middle, measured, label=f"t = {time:.1f}", **{**style(k), "linestyle": "none"})
    axes.set(xlabel="distance from the axis", ylabel="concentration", title="Diffusion into a tube")
    axes.legend()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ball", type=Path)
    parser.add_argument("tube", type=Path)
    parser.add_argument("-o", type=Path, default=Path(__file__).parent / "fields.png")
    options = parser.parse_args()
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(14, 3.8), layout="constrained")
    draw_field(figure, left, options.ball)
    draw_shells(middle, options.ball)
    draw_tube(right, options.tube)
    figure.savefig(options.o, dpi=110)


if __name__ == "__main__":
    main()
