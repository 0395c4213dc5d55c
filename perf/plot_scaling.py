#!/usr/bin/env python3
"""Draws speed and efficiency against the number of ranks, as the DPD paper's Figures 12 (weak) and 13 (strong) do.

    mpirun -n 4 mesowarp bench suite --scaling weak --particles 2097152 --json weak.json
    perf/plot_scaling.py weak.json strong.json --output scaling.png
"""
import argparse
import json

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt


def curves(path):
    """{(scaling, label): [(ranks, speed, efficiency), ...]} of one file."""
    found = {}
    for r in json.load(open(path))["scaling"]:
        per = r["particles"] // r["ranks"] if r["scaling"] == "weak" else r["particles"]
        share = "per rank" if r["scaling"] == "weak" else "in all"
        label = (f"{r['scaling']}, {per:,} {share}, ρ = {r['density']:g}, r_c = {r['cutoff']:g}, "
                 f"{r['precision']}")
        found.setdefault((r["scaling"], label), []).append(
            (r["ranks"], r["particle_steps_per_second"], r["efficiency"]))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", help="JSON of mesowarp bench --scaling")
    parser.add_argument("--output", default="scaling.png")
    options = parser.parse_args()
    figure, (speed, efficiency) = plt.subplots(1, 2, figsize=(11, 4.5))
    for path in options.files:
        for (scaling, label), points in curves(path).items():
            ranks, rates, fractions = zip(*sorted(points))
            style = "o-" if scaling == "weak" else "s--"
            speed.loglog(ranks, [1e-9 * rate for rate in rates], style, base=2, label=label)
            efficiency.semilogx(ranks, fractions, style, base=2, label=label)
    speed.set_xlabel("ranks"), speed.set_ylabel("10⁹ particle-steps/s"), speed.legend(fontsize=7)
    efficiency.set_xlabel("ranks"), efficiency.set_ylabel("efficiency"), efficiency.set_ylim(0, 1.1)
    efficiency.axhline(1.0, color="grey", linewidth=0.8)
    figure.tight_layout()
    figure.savefig(options.output, dpi=150)
    print(options.output)


if __name__ == "__main__":
    main()
