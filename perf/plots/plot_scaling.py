#!/usr/bin/env python3
"""Draws efficiency and speed against the number of ranks, as the DPD paper's Figures 12 (weak) and 13 (strong) do.

    mpirun -n 4 mesowarp bench suite --scaling weak --particles 2097152 --json weak.json
    perf/plots/plot_scaling.py weak.json strong.json --output scaling.png
"""
import argparse
import json

from figure_style import EXPECTED, style


def curves(path):
    """{label: [(ranks, efficiency), ...]} of one file."""
    found = {}
    with open(path, encoding="utf-8") as file:
        records = json.load(file)["scaling"]
    for r in records:
        share = f"{r['particles'] // r['ranks']:,} per rank" if r["scaling"] == "weak" else f"{r['particles']:,} in all"
        fluid = "collision solvent" if r.get("what") == "mpcd" else f"ρ = {r['density']:g}, r_c = {r['cutoff']:g}"
        label = f"{r['scaling']}, {share}, {fluid}, {r['precision']}"
        found.setdefault(label, []).append((r["ranks"], r["efficiency"]))
    return found


def mean_of(points):
    """Ranks and the means of what was measured with them."""
    ranks = sorted({rank for rank, _ in points})
    return ranks, [sum(y for rank, y in points if rank == r) / sum(1 for rank, _ in points if rank == r) for r in ranks]


def draw(lines, output, goals=()):
    """Efficiency and speed against one rank alone; points are runs, lines go through their means.
    goals: (ranks, efficiency, number of the line they are for)."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, (efficiency, speed) = plt.subplots(1, 2, figsize=(10.0, 4.6))
    most = max(rank for points in lines.values() for rank, _ in points)
    for number, (label, points) in enumerate(lines.items()):
        look = style(number)
        ranks, means = mean_of(points)
        shift = 1 + 0.012 * (number - len(lines) / 2)  # side by side, where they would hide each other
        line = {key: look[key] for key in ("color", "linestyle", "linewidth")}
        efficiency.plot([r * shift for r in ranks], means, **line)
        dots = {key: look[key] for key in look if key not in ("linestyle", "linewidth")}
        efficiency.plot([r * shift for r, _ in points], [y for _, y in points], linestyle="none", **dots)
        speed.plot(ranks, [r * y for r, y in zip(ranks, means)], label=label, **look)
    for rank, least, number in goals:
        look = style(number)
        efficiency.plot([rank / 1.06, rank * 1.06], [least, least], color=look["color"], linewidth=4, alpha=0.55)
    efficiency.axhline(1.0, **EXPECTED)
    efficiency.text(most, 1.004, "ideal", ha="right", va="bottom", color=EXPECTED["color"], fontsize=8)
    speed.plot([1, most], [1, most], label="ideal", **EXPECTED)
    if goals:
        speed.plot([], [], color="#888888", linewidth=4, alpha=0.55, label="goal for the line of its colour (left)")
    ticks = [1 << i for i in range(most.bit_length())]
    for axes in (efficiency, speed):
        axes.set_xscale("log", base=2)
        axes.set_xticks(ticks, [str(rank) for rank in ticks])
        axes.set_xlabel("ranks, a GPU or a share of the cores each")
    speed.set_yscale("log", base=2)
    speed.set_yticks(ticks, [str(rank) for rank in ticks])
    efficiency.set_ylabel("efficiency against one rank alone")
    efficiency.set_ylim(min(0.7, efficiency.get_ylim()[0]), 1.03)
    speed.set_ylabel("speed / speed of one rank alone")
    speed.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(output, dpi=110)
    print(output)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", help="JSON of mesowarp bench --scaling")
    parser.add_argument("--output", default="scaling.png")
    options = parser.parse_args()
    lines = {}
    for path in options.files:
        for label, points in curves(path).items():
            lines.setdefault(label, []).extend(points)
    draw(lines, options.output)


if __name__ == "__main__":
    main()
