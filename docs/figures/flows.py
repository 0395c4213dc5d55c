#!/usr/bin/env python3
"""Draws flows.png: a sheared box and a channel that keeps its flow rate, from finished runs of the two examples.

    mesowarp run examples/shear.toml --output build/shear
    mesowarp run examples/channel_flow_rate.toml --output build/channel
    docs/figures/flows.py build/shear build/channel
"""
import argparse
import csv
import json
import sys
from pathlib import Path

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "perf/plots"))
from figure_style import EXPECTED, style  # noqa: E402

LAMMPS = json.loads((ROOT / "tests/compare/lammps_shear.json").read_text(encoding="utf-8"))


def columns(path):
    """Columns of a CSV file with a line of names."""
    with open(path, encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table))
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


def draw_profile(axes, run):
    """Velocity across the gradient, with the line that is asked for."""
    profile = columns(run / "shear.csv")
    height = np.array([0.0, LAMMPS["box"][1]])
    axes.plot(LAMMPS["rate"] * (height - height.mean()), height, label="rate (y − L/2)", **EXPECTED)
    look = {**style(0), "linestyle": "none"}
    axes.errorbar(profile["velocity_x"], profile["coordinate"], xerr=profile["velocity_x_error"], label="[shear]", **look)
    axes.set(xlabel="velocity along x", ylabel="y", title="Shear without walls")
    axes.legend()


def draw_viscosity(axes, run):
    """The mean of −P_xy / rate so far, and LAMMPS's."""
    table = columns(run / "thermo.csv")
    seen = table["time"] > 20.0
    time, value = table["time"][seen], table["viscosity"][seen]
    mean, error = LAMMPS["viscosity"]["mean"], LAMMPS["viscosity"]["error"]
    axes.axhspan(mean - error, mean + error, color="#bbbbbb", label="LAMMPS, ± s.e.")
    axes.plot(time, np.cumsum(value) / np.arange(1, len(value) + 1), label="mean up to here", color=style(0)["color"])
    axes.set(xlabel="time", ylabel="−P_xy / rate", title="Its viscosity", ylim=(0.6, 1.1))
    axes.legend()


def draw_channel(axes, run):
    """Mean velocity, and the force that the controller takes."""
    table = columns(run / "thermo.csv")
    axes.axhline(0.5, label="asked for", **EXPECTED)
    axes.plot(table["time"], table["flow_velocity"], label="mean velocity", color=style(0)["color"])
    axes.plot(table["time"], 5.0 * table["drive_acceleration"], "--", label="5 × acceleration", color=style(1)["color"])
    axes.set(xlabel="time", title="A channel's flow rate")
    axes.legend()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("shear", type=Path)
    parser.add_argument("channel", type=Path)
    parser.add_argument("-o", type=Path, default=Path(__file__).parent / "flows.png")
    options = parser.parse_args()
    figure, (left, middle, right) = plt.subplots(1, 3, figsize=(12, 3.6), layout="constrained")
    draw_profile(left, options.shear)
    draw_viscosity(middle, options.shear)
    draw_channel(right, options.channel)
    figure.savefig(options.o, dpi=110)


if __name__ == "__main__":
    main()
