#!/usr/bin/env python3
"""Compares runs of one fluid in several precisions: drift of total momentum, temperature and pressure.

    for p in single mixed double; do
      mesowarp run examples/equilibrium.toml --set run.precision=$p --steps 100000 --output $p
    done
    perf/plots/plot_drift.py single mixed double -o drift.png --expect temperature=1.002 --expect pressure=23.674

Reads thermo.csv and summary.json of each output directory. Prints, for each: mean temperature and pressure of the later
half with errors from 16 blocks, the slope of a straight line through each half's block means times the run's length
("drift", with its error), and the largest momentum per particle, |sum m v| / N, in the first and the last tenth. With
-o, draws the three against time. Exit code 2: a directory that holds no such run.
"""

import argparse
import csv
import json
import sys
from pathlib import Path

import numpy as np

from figure_style import EXPECTED, style

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


def drawn_blocks(time, values, count=20, parts=10):
    """Middle, mean and standard error of each of count stretches; the error from the means of its parts, since rows
    that follow each other are no independent measurements."""
    if len(values) < count * parts:
        fail(f"{len(values)} rows in a table: at least {count * parts} are needed for a figure")
    means = np.array([piece.mean() for piece in np.array_split(values, count * parts)]).reshape(count, parts)
    middles = np.array([piece.mean() for piece in np.array_split(time, count)])
    return middles, means.mean(axis=1), means.std(axis=1, ddof=1) / np.sqrt(parts)


def draw(runs, path, expected):
    """Temperature and pressure as means of 20 stretches, momentum as it is, against time, with what is expected."""
    import matplotlib  # noqa: PLC0415  only here is it needed

    matplotlib.use("Agg")
    from matplotlib import pyplot  # noqa: PLC0415

    figure, axes = pyplot.subplots(3, 1, figsize=(7.5, 8), sharex=True, layout="constrained")
    length = runs[0][2]["time"][-1]
    for number, (precision, _, columns) in enumerate(runs):
        look = style(number)
        for axis, name in zip(axes, ("temperature", "pressure")):
            start = len(columns["time"]) // 100  # the first hundredth is still warming up
            time, mean, error = drawn_blocks(columns["time"][start:], columns[name][start:])
            beside = 0.006 * length * (number - (len(runs) - 1) / 2)
            axis.errorbar(time + beside, mean, error, elinewidth=0.9, capsize=2, label=precision,
                          **{**look, "linestyle": "none"})
        every = max(1, len(columns["time"]) // 12)
        axes[2].plot(columns["time"][1:], columns["momentum"][1:], label=precision, markevery=every,
                     **{**look, "linewidth": 0.9})
    for axis, name in zip(axes, ("temperature", "pressure")):
        if name in expected:
            axis.axhline(expected[name], label=f"expected: {expected[name]:g}", **EXPECTED)
        axis.set_ylabel(name)
        axis.legend(fontsize=8, ncols=4, loc="upper center")
        low, high = axis.get_ylim()
        axis.set_ylim(low, high + 0.18 * (high - low))
    for bits, name in ((24, "single"), (53, "double")):
        axes[2].axhline(2.0**-bits, **EXPECTED)
        axes[2].text(length, 2.0**-bits / 1.5,
                     f"rounding of a number of size 1 in {name} ({2.0**-bits:.0e}); expected: 0", ha="right", va="top",
                     fontsize=8, color=EXPECTED["color"])
    axes[2].set_ylabel("|total momentum| / particle")
    axes[2].set_yscale("log")
    axes[2].set_ylim(1e-18, 1e-5)
    axes[2].set_xlabel("time")
    figure.savefig(path, dpi=100)


def expectation(text):
    """name=value of the command line."""
    name, value = text.split("=")
    return name, float(value)


def main():
    """Reads, prints, draws."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", type=Path, help="output directories")
    parser.add_argument("-o", "--output", type=Path, help="figure (PNG)")
    parser.add_argument("--expect", action="append", default=[], type=expectation, metavar="NAME=VALUE",
                        help="draw this value, of temperature or pressure; may be repeated")
    arguments = parser.parse_args()
    runs = [load(run) for run in arguments.runs]
    for precision, particles, columns in runs:
        print(f"{precision}: {particles} particles, {int(columns['step'][-1])} steps")
        for name in ("temperature", "pressure"):
            mean, error, drift, drift_error = mean_and_drift(columns[name])
            print(f"  {name:12s} {mean:.5f} +- {error:.5f}   drift {drift:+.5f} +- {drift_error:.5f}")
        tenth = max(1, len(columns["momentum"]) // 10)
        first, last = columns["momentum"][:tenth].max(), columns["momentum"][-tenth:].max()
        print(f"  momentum     {first:.2e} per particle at first, {last:.2e} in the end")
    if arguments.output:
        draw(runs, arguments.output, dict(arguments.expect))


if __name__ == "__main__":
    main()
