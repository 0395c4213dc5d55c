#!/usr/bin/env python3
"""Draws Figure 6 of the MPCD paper from the JSON of `mesowarp bench mpcd`: collision steps per second of each rule in
each precision, a panel for each number of particles.

    mesowarp bench mpcd --precision single,mixed,double --json mpcd.json
    perf/plots/plot_collisions.py mpcd.json -o figure6.png

Exit code 2: a file that cannot be read, or nothing to draw.
"""

import argparse
import json
import sys
from pathlib import Path

from figure_style import SERIES


def fail(message):
    """Ends the program as one with bad input."""
    print(f"plot_collisions.py: {message}", file=sys.stderr)
    sys.exit(2)


def in_order(values):
    """Each once, as they came."""
    return list(dict.fromkeys(values))


def load(path):
    """Records of cases that were timed."""
    try:
        return [record for record in json.loads(path.read_text(encoding="utf-8"))["mpcd"] if record["status"] == "done"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        fail(f"{path}: not a file of mesowarp bench mpcd ({error})")


def draw(records, path):
    """Bars, in groups of a rule each."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    sizes, precisions = sorted({r["particles"] for r in records}), in_order(r["precision"] for r in records)
    rules = in_order(r["rule"] for r in records)
    figure, panels = pyplot.subplots(1, len(sizes), figsize=(4.5 * len(sizes), 3.5), squeeze=False)
    width = 0.8 / len(precisions)
    for axes, size in zip(panels[0], sizes):
        for number, precision in enumerate(precisions):
            found = {r["rule"]: r["steps_per_second"] for r in records
                     if (r["particles"], r["precision"]) == (size, precision)}
            places = [k + (number - (len(precisions) - 1) / 2) * width for k in range(len(rules))]
            axes.bar(places, [found.get(rule, 0.0) for rule in rules], width, label=precision,
                     color=SERIES[number]["color"], hatch=("", "//", "xx")[number % 3], edgecolor="white")
        axes.set_xticks(range(len(rules)), rules)
        axes.set_title(f"{size:,} particles")
        axes.set_ylabel("collision steps per second")
        axes.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=150)


def main():
    """Reads the options, draws."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("-o", "--output", type=Path, default=Path("collisions.png"))
    options = parser.parse_args()
    records = load(options.file)
    if not records:
        fail(f"{options.file}: no collisions were timed")
    draw(records, options.output)


if __name__ == "__main__":
    main()
