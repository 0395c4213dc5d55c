#!/usr/bin/env python3
"""Draws the figures of docs/benchmarks.md from that page's own tables: what was measured on GPUs and recorded there.

    docs/figures/recorded.py

Writes speedup_gpu_cpu.png, reordering_gpu.png and scaling_gpus.png beside itself. Needs matplotlib.
"""
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "perf/plots"))
import plot_scaling  # noqa: E402
import plot_speedup  # noqa: E402
from figure_style import EXPECTED, particles_axis, style  # noqa: E402


def table(heading):
    """Rows of the first table below a heading, as lists of cells; the first is the head."""
    text = (HERE.parent / "benchmarks.md").read_text(encoding="utf-8")
    part = text.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    lines = [line for line in part.splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [rows[0], *rows[2:]]


def numbers(cell):
    return [float(number) for number in re.findall(r"\d+\.?\d*", cell)]


def particle_numbers(head):
    return [int(cell.replace(",", "")) for cell in head[1:]]


def speedup():
    head, *rows = table("GPU against CPU")
    lines = {}
    for fluid, *cells in rows:
        density, cutoff = numbers(fluid)
        lines[density, cutoff] = [(n, float(c.split("=")[1])) for n, c in zip(particle_numbers(head), cells) if "=" in c]
    plot_speedup.draw(lines, lambda key: f"$\\rho$ = {key[0]:g}, $r_c$ = {key[1]:g}",
                      "NVIDIA H200 over the 16 cores of its host (Xeon, AVX-512), mixed precision", "speedup",
                      HERE / "speedup_gpu_cpu.png", plot_speedup.PAPER)


def reordering():
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    head, *rows = table("What reordering gains")
    figure, axes = pyplot.subplots(figsize=(7.5, 4.4))
    for number, (machine, *cells) in enumerate(rows):
        look = style(number)
        low, high = zip(*[numbers(cell) for cell in cells])
        axes.fill_between(particle_numbers(head), low, high, color=look["color"], alpha=0.18)
        axes.plot(particle_numbers(head), high, label=f"{machine}: the most of six fluids", **look)
        axes.plot(particle_numbers(head), low, label=f"{machine}: the least", **{**look, "markerfacecolor": "white"})
    particles_axis(axes, particle_numbers(head))
    axes.axhline(1.0, label="no gain", **EXPECTED)
    axes.set_ylim(0.0, None)
    axes.set_ylabel("time of a steady step, random order / sorted")
    axes.set_title("What reordering gains: ρ = 3, 6, 50, r_c = 1.0, 1.5, mixed precision", fontsize=9)
    axes.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(HERE / "reordering_gpu.png", dpi=110)
    print(f"written: {HERE / 'reordering_gpu.png'}")


def scaling():
    head, *rows = table("Several GPUs")
    ranks = [int(cell) for cell in head[1:-1]]
    lines, goals = {}, []
    for number, (case, *cells, goal) in enumerate(rows):
        lines[case] = [(1, 1.0)] + [(rank, value) for rank, cell in zip(ranks, cells) for value in numbers(cell)]
        goals += [(int(rank), float(least), number) for least, rank in re.findall(r"([\d.]+) on (\d)", goal)]
    plot_scaling.draw(lines, HERE / "scaling_gpus.png", goals)


if __name__ == "__main__":
    speedup()
    reordering()
    scaling()
