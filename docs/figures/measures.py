#!/usr/bin/env python3
"""Draws measures.png from a finished run of the example.

    mesowarp run examples/measures.toml --output build/measures
    docs/figures/measures.py build/measures
"""
import argparse
import csv
import sys
from pathlib import Path

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "perf/plots"))
from figure_style import style  # noqa: E402


def read(run, name):
    with open(run / f"{name}.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {key: np.array([float(row[key]) if row[key] else np.nan for row in rows]) for key in rows[0]}


def curve(axes, table, along, column, number, label):
    """Points with two standard errors."""
    look = {**style(number), "markersize": 3.5, "linewidth": 0.8}
    axes.errorbar(table[along], table[column], 2 * table[column + "_error"], capsize=2, label=label, **look)


def draw(run, path):
    figure, ((pairs, waves, motion), (stress, sizes, text)) = plt.subplots(2, 3, figsize=(11, 6.4), constrained_layout=True)
    curve(pairs, read(run, "rdf_solvent"), "distance", "g", 0, "solvent with solvent")
    curve(pairs, read(run, "rdf_mixed"), "distance", "g", 1, "beads with solvent")
    pairs.set(xlabel="r", ylabel="g(r)")
    curve(waves, read(run, "structure-factor"), "wave_number", "s", 0, "all particles")
    waves.set(xlabel="k", ylabel="S(k)")
    for name, number, label in (("msd_solvent", 0, "solvent"), ("msd_chains", 1, "chains' centres of mass")):
        table = read(run, name)
        known = {key: values[1:][table["count"][1:] > 3] for key, values in table.items()}
        curve(motion, known, "time", "msd", number, label)
    motion.set(xscale="log", yscale="log", xlabel="t", ylabel="mean squared displacement")
    table = read(run, "viscosity")
    shown = {key: values[(table["time"] > 0) & (table["time"] < 6)] for key, values in table.items()}
    curve(stress, shown, "time", "viscosity", 0, r"$\int_0^t G$")
    stress.set(xlabel="t", ylabel="viscosity")
    table = read(run, "chains")
    curve(sizes, table, "distance", "probability_re", 0, "end to end")
    curve(sizes, table, "distance", "probability_rg", 1, "radius of gyration")
    sizes.set(xlabel="distance", ylabel="probability density")
    for axes in (pairs, waves, motion, stress, sizes):
        axes.legend(frameon=False)
    text.axis("off")
    lines = []
    for name in ("msd_solvent", "msd_chains", "viscosity", "chains", "columns"):
        means = read(run, f"{name}_means")
        lines += [f"{name}: {column} = {means[column][0]:.4g} ± {means[column + '_error'][0]:.1g}"
                  for column in list(means)[4:] if column + "_error" in means and not column.endswith(("_x", "_y", "_z"))]
    text.text(0.0, 1.0, "\n".join(lines), va="top", fontsize=8, transform=text.transAxes)
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path)
    parser.add_argument("-o", "--output", type=Path, default=Path(__file__).with_name("measures.png"))
    options = parser.parse_args()
    draw(options.run, options.output)
