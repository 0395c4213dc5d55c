#!/usr/bin/env python3
"""Kinematic viscosity of Howard et al.'s solvent (2018: 10 particles a cell, 130 degrees, h = 0.1) from a flow, against
theory: rotation and Andersen, each without and with angular momentum kept.

    perf/solvent_viscosity.py [--program build/release/mesowarp] [--steps 40000] [--seed 1] [--work DIR]

A body force g sin(2 pi x / L) along y drives u = g / (nu k^2) sin(k x), k = 2 pi / L. Errors are those of the mean of
windows of 1,000 collisions behind the first 6,000 (six decay times or more), joined two by two until they no longer
grow. Theory: docs/theory.md; it takes cells for points in the flow, which L = 40 cells does to about 0.3%. Needs numpy
and h5py.
"""
import argparse
import math
import subprocess
import sys
import tempfile
from pathlib import Path

import h5py
import numpy as np

ROOT = Path(__file__).resolve().parent.parent
LENGTH, NUMBER, TIME, ANGLE, FORCE, START, WINDOW = 40, 10.0, 0.1, 130.0, 0.0064, 6000, 200
DECK = """
[run]
steps = {steps}
timestep = {time}
seed = {seed}
[box]
size = [{length}.0, 16.0, 16.0]
[[population]]
name = "solvent"
kind = "mpcd"
density = {number}
[collision]
{rule}
[[drive]]
style = "sine"
acceleration = [0.0, {force}, 0.0]
across = "x"
[[measure]]
name = "flow"
axis = "x"
bins = {length}
start = {start}
every = 5
window = {window}
[[output]]
format = "table"
every = 1000
"""


def theory(rotation, angular):
    """Kinetic and collisional part together; k_BT = m = a = 1."""
    m, c, c2 = NUMBER, math.cos(math.radians(ANGLE)), math.cos(math.radians(2 * ANGLE))
    if angular:
        keep, stress = ((1 + 2 * c) / 3, 1 - 0.4 * (2 - c - c2)) if rotation else (0.0, 0.0)
        rigid = 1.25 / m
        kept = rigid + 2 * keep * (2 / m - rigid) + stress * (1 - 4 / m + rigid)
        return TIME * (1 / (1 - kept) - 0.5) + (1 - keep) * (m - 1.9) / (24 * m * TIME)
    q = (m - 1 + math.exp(-m)) / m
    if rotation:
        return TIME / 2 * (5 / (q * (2 - c - c2)) - 1) + q * (1 - c) / (18 * TIME)
    return TIME * (1 / q - 0.5) + q / (12 * TIME)


def error_of(values):
    """Of the mean: the largest of blocks of 1, 2, 4, ... windows, at least eight of them."""
    errors = []
    while len(values) >= 8:
        errors.append(values.std(ddof=1) / math.sqrt(len(values)))
        values = values[: len(values) // 2 * 2].reshape(-1, 2).mean(axis=1)
    return max(errors)


def measured(options, work, rule):
    """(nu, error) of a run."""
    deck, out = work / "deck.toml", work / "out"
    deck.write_text(DECK.format(steps=options.steps, seed=options.seed, length=LENGTH, number=NUMBER, time=TIME,
                                force=FORCE, rule=rule, start=START, window=WINDOW), encoding="utf-8")
    subprocess.run([str(options.program), "run", str(deck), "--output", str(out), "--quiet"], check=True)
    with h5py.File(out / "flow.h5") as file:
        velocity = np.asarray(file["velocity"])[..., 1].reshape(-1, LENGTH)
    shape = np.sin(2 * np.pi * (np.arange(LENGTH) + 0.5) / LENGTH)
    amplitude = velocity @ shape / (shape @ shape)
    nu = FORCE / ((2 * np.pi / LENGTH)**2 * amplitude.mean())
    return nu, nu * error_of(amplitude) / amplitude.mean()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, default=ROOT / "build/release/mesowarp")
    parser.add_argument("--steps", type=int, default=40000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", type=Path, help="folder for the runs (default: a temporary one)")
    options = parser.parse_args()
    worst = 0.0
    for rotation in (True, False):
        for angular in (False, True):
            rule = f'style = "srd"\nangle = {ANGLE}\nthermostat = "maxwell-boltzmann"' if rotation else \
                'style = "andersen"'
            rule += "\nconserve_angular_momentum = true" if angular else ""
            with tempfile.TemporaryDirectory(dir=options.work) as work:
                nu, error = measured(options, Path(work), rule)
            expected = theory(rotation, angular)
            worst = max(worst, abs(nu / expected - 1))
            print(f"{'srd' if rotation else 'andersen':9s}{'+a' if angular else '  '} nu {nu:.4f} +- {error:.4f}, "
                  f"theory {expected:.4f}, ratio {nu / expected:.4f}; eta {NUMBER * nu:.3f}", flush=True)
    return 0 if worst < 0.02 else 1


if __name__ == "__main__":
    sys.exit(main())
