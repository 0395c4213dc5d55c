#!/usr/bin/env python3
"""Draws figures of the DPD paper from the JSON files of `mesowarp bench`.

Figure 11, speedup of one program over another against the number of particles, a line for each density and cutoff:

    mesowarp bench suite --json cpu.json            # on the CPU
    mesowarp bench suite --json gpu.json            # on the GPU
    perf/plots/plot_speedup.py gpu.json cpu.json -o figure11.png

Figure 4, gain by reordering, of the pair force and of the steady step, from one file:

    mesowarp bench parts --reorder on,off --json parts.json
    perf/plots/plot_speedup.py parts.json -o figure4.png

Only cases that are in both files, with the same density, cutoff, particle number, precision and noise, are compared.
Exit code 2: a file that cannot be read, or nothing to draw.
"""

import argparse
import json
import sys
from collections import defaultdict
from pathlib import Path

from figure_style import EXPECTED, particles_axis, style

KEYS = ("density", "cutoff", "particles", "precision", "pair_noise")
PAPER = (10, 30, "Tang & Karniadakis 2014:\nK20x over 16 Opteron cores")  # their abstract; Figure 11


def fail(message):
    """Ends the program as one with bad input."""
    print(f"plot_speedup.py: {message}", file=sys.stderr)
    sys.exit(2)


def load(path):
    """The result of one benchmark."""
    try:
        result = json.loads(path.read_text(encoding="utf-8"))
        return {**result, "suite": result["suite"], "parts": result["parts"]}
    except (OSError, ValueError, KeyError, TypeError) as error:
        fail(f"{path}: not a file of mesowarp bench ({error})")


def case_of(record):
    """What makes two records comparable."""
    return tuple(record[key] for key in KEYS)


def done(records):
    """Records with numbers, of the usual sums: those of bitwise reproducibility are no case of the figure."""
    return [
        record for record in records if record.get("status") == "done" and record.get("reproducibility") != "bitwise"
    ]


def speedups(fast, slow):
    """(density, cutoff, precision, noise) -> [(particles, speedup), ...] in order of particles."""
    rates = {case_of(record): record["particle_steps_per_second"] for record in done(slow["suite"])}
    lines = defaultdict(list)
    for record in done(fast["suite"]):
        density, cutoff, particles, *rest = case = case_of(record)
        if case in rates:
            lines[density, cutoff, *rest].append((particles, record["particle_steps_per_second"] / rates[case]))
    return {key: sorted(points) for key, points in sorted(lines.items())}


def gains(result):
    """(part, density, cutoff, precision, noise) -> [(particles, shuffled time / ordered time), ...]"""
    times = defaultdict(dict)
    for record in done(result["parts"]):
        order = record["variant"].split(":")[0]
        if order in ("reorder on", "reorder off"):
            times[record["part"], *case_of(record)][order] = record["median_s"]
    lines = defaultdict(list)
    for (part, density, cutoff, particles, *rest), both in times.items():
        if len(both) == 2:
            gain = both["reorder off"] / both["reorder on"]
            lines[part, density, cutoff, *rest].append((particles, gain))
    return {key: sorted(points) for key, points in sorted(lines.items())}


def hardware(result):
    """A program's machine in words, for a label."""
    threads = "" if result["hardware"]["gpu"] else f", {result['threads']} threads"
    return result["hardware"]["device"] + threads


def print_table(lines):
    """The numbers of the figure."""
    for key, points in lines.items():
        print(", ".join(map(str, key)) + ": " + "  ".join(f"{n}: {value:.3g}" for n, value in points))


def draw(lines, label_of, title, axis, output, expected=()):
    """One line a key, logarithmic in the number of particles; expected: (low, high, label) of a band."""
    try:
        import matplotlib
    except ImportError:
        fail("matplotlib is missing: apt-get install python3-matplotlib, or pip install matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(9.0, 4.6))
    if expected:
        low, high, label = expected
        axes.axhspan(low, high, color="#dddddd", label=label)
    for number, (key, points) in enumerate(lines.items()):
        axes.plot(*zip(*points), label=label_of(key), **style(number))
    particles_axis(axes, sorted({number for points in lines.values() for number, _ in points}))
    axes.axhline(1.0, label="no gain", **EXPECTED)
    axes.set_ylabel(axis)
    axes.set_ylim(bottom=0.0)
    axes.set_title(title, fontsize=9)
    axes.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1.01, 1.0))
    figure.tight_layout()
    figure.savefig(output, dpi=110)
    print(f"written: {output}")


def parse_options():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    files = "two files: Figure 11, the faster program first; one file: Figure 4"
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help=files)
    parser.add_argument("-o", "--output", type=Path, help="PNG to write (default: speedup.png or reorder.png)")
    options = parser.parse_args()
    if len(options.files) > 2:
        parser.error("one file or two")
    return options


def main():
    """Draws the figure that the number of files asks for."""
    options = parse_options()
    results = [load(path) for path in options.files]
    if len(results) == 2:
        lines = speedups(*results)
        title = f"{hardware(results[0])} over {hardware(results[1])}"
        axis, default, expected = "speedup", "speedup.png", PAPER
        label = lambda key: f"$\\rho$ = {key[0]:g}, $r_c$ = {key[1]:g}, {key[2]}, {key[3]}"
    else:
        lines = gains(results[0])
        title = f"gain by reordering, {hardware(results[0])}"
        axis, default, expected = "time without locality / time with it", "reorder.png", ()
        label = lambda key: f"{key[0]}, $\\rho$ = {key[1]:g}, $r_c$ = {key[2]:g}, {key[3]}, {key[4]}"
    if not lines:
        reason = "no case is in both files" if len(results) == 2 else "no parts with --reorder on,off"
        fail(f"nothing to draw: {reason}")
    print_table(lines)
    draw(lines, label, title, axis, options.output or Path(default), expected)
    return 0


if __name__ == "__main__":
    sys.exit(main())
