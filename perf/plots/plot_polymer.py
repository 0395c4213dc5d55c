#!/usr/bin/env python3
"""Draws Figure 10 of the MPCD paper from the JSON of `mesowarp bench mpcd`: the time that 2,000 units take of chains in
a collision solvent, and of their Langevin dynamics, against the number of beads.

    mesowarp bench mpcd --json mpcd.json
    perf/plots/plot_polymer.py mpcd.json -o figure10.png

Exit code 2: a file that cannot be read, or nothing to draw.
"""

import argparse
import json
import sys
from pathlib import Path

from figure_style import EXPECTED, style

STEPS = 2000.0 / 0.002
MOST = 1.4  # the paper's solutions take at most so many times its Langevin runs


def fail(message):
    """Ends the program as one with bad input."""
    print(f"plot_polymer.py: {message}", file=sys.stderr)
    sys.exit(2)


def load(path):
    """precision -> records in order of beads."""
    try:
        records = [record for record in json.loads(path.read_text(encoding="utf-8"))["polymer"]
                   if record["status"] == "done"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        fail(f"{path}: not a file of mesowarp bench mpcd ({error})")
    precisions = {record["precision"] for record in records}
    return {name: sorted((r for r in records if r["precision"] == name), key=lambda r: r["beads"])
            for name in sorted(precisions)}


def draw(lines, path):
    """Two lines a precision, and below them their ratio."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (above, below) = pyplot.subplots(2, 1, sharex=True, figsize=(6.0, 6.0), height_ratios=(2, 1))
    for number, (precision, records) in enumerate(lines.items()):
        beads = [record["beads"] for record in records]
        above.plot(beads, [STEPS / 3600 / r["steps_per_second"] for r in records], **style(2 * number),
                   label=f"collision solvent, {precision}")
        above.plot(beads, [STEPS / 3600 / r["langevin_steps_per_second"] for r in records], **style(2 * number + 1),
                   label=f"Langevin, {precision}")
        below.plot(beads, [r["time_to_langevin"] for r in records], **style(2 * number))
    below.axhline(MOST, **EXPECTED)
    above.set_ylabel("hours for 2,000 units of time")
    below.set_ylabel("ratio")
    below.set_xlabel("beads")
    above.set_xscale("log")
    above.set_yscale("log")
    above.legend()
    figure.tight_layout()
    figure.savefig(path, dpi=150)


def main():
    """Reads the options, draws."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("-o", "--output", type=Path, default=Path("polymer.png"))
    options = parser.parse_args()
    lines = load(options.file)
    if not lines:
        fail(f"{options.file}: no cases of chains")
    draw(lines, options.output)


if __name__ == "__main__":
    main()
