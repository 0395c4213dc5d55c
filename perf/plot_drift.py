#!/usr/bin/env python3
"""Compares runs of one fluid in several precisions: drift of total momentum, temperature and pressure.

    for p in single mixed double; do mesowarp run examples/equilibrium.toml --set run.precision='"'$p'"' --output $p;
    done perf/plot_drift.py single mixed double -o drift.png

Reads thermo.csv and summary.json of each output directory. Prints, for each: mean temperature and pressure of the later
half with errors from 16 blocks, the slope of a straight line through each half's block means times the run's length
("drift", with its error), and the largest momentum a particle, |sum m v| / N, in the first and the last tenth. With -o,
draws the three against time. Exit code 2: a directory that holds no such run.
"""

import argparse
import csv
import json
import sys
from pathlib import Path

import numpy as np

BLOCKS = 16


def fail(message):
    """Ends the program as one with bad input."""
    print(f"plot_drift.py: {message}", file=sys.stderr)
    sys.exit(2)


def load(directory):
    """(precision, particles, columns by name) of a run."""
    try:
        summary = json.loads((directory / "summary.json").read_text(encoding="utf-8"))
        with (directory / "thermo.csv").open(encoding="utf-8") as file:
            rows = list(csv.reader(file))
        names = [name.lstrip("# ").strip() for name in rows[0]]
        values = np.array([[float(x) for x in row] for row in rows[1:] if row])
        columns = dict(zip(names, values.T))
        momentum = np.sqrt(sum(columns[f"momentum_{axis}"] ** 2 for axis in "xyz")) / summary["particles"]
        return summary["precision"], summary["particles"], {**columns, "momentum": momentum}
    except (OSError, ValueError, KeyError, IndexError) as error:
        fail(f"{directory}: not the output of a run with a table ({error!r})")


def blocks(values):
    """Means of BLOCKS stretches of equal length."""
    usable = len(values) // BLOCKS * BLOCKS
    if usable == 0:
        fail(f"{len(values)} rows in a table: at least {2 * BLOCKS} are needed")
    return values[:usable].reshape(BLOCKS, -1).mean(axis=1)


def mean_and_drift(values):
    """Mean of the later half, its error; change over that half by a straight line through block means, its error."""
    means = blocks(values[len(values) // 2 :])
    place = (np.arange(BLOCKS) + 0.5) / BLOCKS - 0.5
    slope = (place * means).sum() / (place**2).sum()
    rest = means - means.mean() - slope * place
    slope_error = np.sqrt((rest**2).sum() / (BLOCKS - 2) / (place**2).sum())
    return means.mean(), means.std(ddof=1) / np.sqrt(BLOCKS), slope, slope_error


def draw(runs, path):
    """The three quantities against time."""
    import matplotlib  # noqa: PLC0415  only here is it needed

    matplotlib.use("Agg")
    from matplotlib import pyplot  # noqa: PLC0415

    figure, axes = pyplot.subplots(3, 1, figsize=(7, 8), sharex=True, layout="constrained")
    for precision, _, columns in runs:
        for axis, name in zip(axes, ("temperature", "pressure", "momentum")):
            y = columns[name][1:]
            usable = len(y) // 50 * 50
            group = max(1, usable // 200) if name != "momentum" else 1
            length = len(y) // group * group
            axis.plot(columns["time"][1:length + 1].reshape(-1, group).mean(axis=1),
                      y[:length].reshape(-1, group).mean(axis=1), label=precision, linewidth=0.8)
    axes[0].set_ylabel("temperature")
    axes[1].set_ylabel("pressure")
    axes[2].set_ylabel("|total momentum| / particle")
    axes[2].set_yscale("log")
    axes[2].set_xlabel("time")
    axes[0].legend()
    figure.savefig(path, dpi=120)


def main():
    """Reads, prints, draws."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", type=Path, help="output directories")
    parser.add_argument("-o", "--output", type=Path, help="figure (PNG)")
    arguments = parser.parse_args()
    runs = [load(run) for run in arguments.runs]
    for precision, particles, columns in runs:
        print(f"{precision}: {particles} particles, {int(columns['step'][-1])} steps")
        for name in ("temperature", "pressure"):
            mean, error, drift, drift_error = mean_and_drift(columns[name])
            print(f"  {name:12s} {mean:.5f} +- {error:.5f}   drift {drift:+.5f} +- {drift_error:.5f}")
        tenth = max(1, len(columns["momentum"]) // 10)
        first, last = columns["momentum"][:tenth].max(), columns["momentum"][-tenth:].max()
        print(f"  momentum     {first:.2e} a particle at first, {last:.2e} in the end")
    if arguments.output:
        draw(runs, arguments.output)


if __name__ == "__main__":
    main()
