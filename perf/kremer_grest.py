#!/usr/bin/env python3
"""Kremer and Grest's melt, 20 chains of 100 beads, in mesowarp and in LAMMPS from the same start for the same time:
pressure, internal distances and radius of gyration, with errors from blocks.

    perf/peers_setup.sh
    perf/kremer_grest.py [--program build/release/mesowarp] [--peers DIR] [--steps 600000] [--work DIR] [--seed 1]

Chains of 100 beads forget their size in some 15,000 units of time, so random walks would swell for long. The chains
start with the statistics of the melt instead: bonds of 0.965 with a mean cosine of 0.306, <R^2(n)> / n towards 1.75
(Auhl, Everaers, Grest, Kremer & Plimpton, J. Chem. Phys. 119, 12718 (2003)), the set of 20 out of 500 whose internal
distances come nearest to that. The push-off disturbs up to some 30 bonds, which come back in a few thousand units of
time: a sixth of the steps is left out. Published are a pressure of 4.9 (Kremer & Grest, J. Chem. Phys. 92, 5057
(1990)) and <R^2> / (N - 1) of 1.70 to 1.75.
"""
import argparse
import json
import subprocess
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests/shared"), str(ROOT / "tests/compare"), str(ROOT / "python")]
from observables import block_estimate, read_table  # noqa: E402
from programs import read_dump, write_data  # noqa: E402

CHAINS, BEADS, DENSITY, BOND, COSINE, TIMESTEP = 20, 100, 0.85, 0.965, 0.306, 0.01
EDGE = (CHAINS * BEADS / DENSITY)**(1 / 3)
DISTANCES = (1, 2, 5, 10, 20, 30, 50, 99)
DECK = """
[run]
steps = {steps}
timestep = 0.01
seed = {seed}
[box]
size = [{edge}, {edge}, {edge}]
[relaxation]
steps = 3000
[[population]]
name = "chains"
initial = "file"
file = "start.data"
species = "A"
[[interaction]]
between = "*"
style = "wca"
[[bond]]
population = "chains"
style = "fene"
k = 30.0
r_max = 1.5
[[thermostat]]
population = "chains"
friction = 0.5
[[output]]
format = "table"
every = 50
columns = ["temperature", "pressure"]
[[output]]
format = "trajectory"
every = 2000
fields = ["position", "image"]
"""
SCRIPT = """units lj
atom_style bond
special_bonds lj 1 1 1
read_data start.data
bond_style harmonic
bond_coeff 1 200 0.97
pair_style soft 1.122462048309373
pair_coeff * * 1.0
variable A equal ramp(1,60)
fix push all adapt 1 pair soft a * * v_A
velocity all create 1.0 {seed}711
fix 1 all nve/limit 0.05
fix 2 all langevin 1.0 1.0 2.0 {seed}127
timestep 0.005
run 3000
unfix push
unfix 1
pair_style lj/cut 1.122462048309373
pair_modify shift yes
pair_coeff * * 1.0 1.0
bond_style fene
bond_coeff 1 30.0 1.5 0.0 1.0
fix 1 all nve/limit 0.05
run 1000
unfix 1
fix 1 all nve
timestep 0.01
reset_timestep 0
thermo_style custom step temp press
thermo 10000
fix table all print 50 "$(step) $(temp) $(press)" file table.txt screen no
dump frames all custom 2000 frames.dump id xu yu zu
dump_modify frames sort id
run {steps}
"""


def chain(random):
    """Bonds whose angles have the mean cosine: uniform above a least one."""
    least = 2.0 * COSINE - 1.0
    bonds = [random.normal(size=3)]
    bonds[0] /= np.linalg.norm(bonds[0])
    while len(bonds) < BEADS - 1:
        cosine, across = random.uniform(least, 1.0), random.normal(size=3)
        across -= across.dot(bonds[-1]) * bonds[-1]
        bonds.append(cosine * bonds[-1] + np.sqrt(1.0 - cosine**2) * across / np.linalg.norm(across))
    return BOND * np.cumsum(np.array(bonds), axis=0)


def internal_distances(x):
    """<R^2(n)> / n; x: (..., chains, beads, 3)."""
    return np.array([((x[..., n:, :] - x[..., :-n, :])**2).sum(axis=-1).mean(axis=(-2, -1)) / n for n in DISTANCES])


def start(seed):
    random = np.random.default_rng(seed)
    ideal = [BOND**2 * ((1 + COSINE) / (1 - COSINE) - 2 * COSINE * (1 - COSINE**n) / (n * (1 - COSINE)**2))
             for n in DISTANCES]
    best = None
    for _ in range(500):
        x = np.concatenate([np.zeros((CHAINS, 1, 3)), [chain(random) for _ in range(CHAINS)]], axis=1)
        away = np.abs(internal_distances(x) / ideal - 1.0).max()
        if best is None or away < best[0]:
            best = away, x
    return (best[1] + random.uniform(0, EDGE, (CHAINS, 1, 3))).reshape(-1, 3)


def estimates(pressure, temperature, frames):
    x = frames.reshape(len(frames), CHAINS, BEADS, 3)
    gyration = ((x - x.mean(axis=2, keepdims=True))**2).sum(axis=-1).mean(axis=(1, 2))
    found = {"pressure": pressure, "temperature": temperature, "Rg^2": gyration}
    found.update({f"R^2({n})/{n}": values for n, values in zip(DISTANCES, internal_distances(x))})
    result = {}
    for name, values in found.items():
        one = block_estimate(values[len(values) // 6:])
        result[name] = [float(one.mean), float(one.error)]
    return result


def of_mesowarp(options):
    (options.work / "melt.toml").write_text(DECK.format(steps=options.steps, seed=options.seed, edge=EDGE),
                                            encoding="utf-8")
    subprocess.run([options.program, "run", "melt.toml", "--output", "melt", "--quiet", "--force", "--threads", "1"],
                   cwd=options.work, check=True)
    import mesowarp  # pylint: disable=import-outside-toplevel
    rows = read_table(options.work / "melt/thermo.csv")
    trajectory = mesowarp.open(options.work / "melt").trajectory
    frames = np.array([trajectory.position(k, unwrap=True) for k in range(len(trajectory))])
    return estimates(rows["pressure"][1:], rows["temperature"][1:], frames)


def of_lammps(options):
    (options.work / "in.melt").write_text(SCRIPT.format(steps=options.steps, seed=options.seed), encoding="utf-8")
    subprocess.run([options.peers / "bin/lmp", "-in", "in.melt", "-log", "none"], cwd=options.work, check=True,
                   stdout=subprocess.DEVNULL)
    rows = np.loadtxt(options.work / "table.txt")[1:]
    frames = read_dump(options.work / "frames.dump", CHAINS * BEADS)
    return estimates(rows[:, 2], rows[:, 1], frames)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, default=ROOT / "build/release/mesowarp")
    parser.add_argument("--peers", type=Path, default=Path.home() / ".cache/mesowarp/peers")
    parser.add_argument("--steps", type=int, default=600000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", type=Path, default=Path("/tmp/mesowarp_kremer_grest"))
    options = parser.parse_args()
    options.program = options.program.resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    at = start(options.seed)
    bonds = [(c * BEADS + b, c * BEADS + b + 1) for c in range(CHAINS) for b in range(BEADS - 1)]
    write_data(options.work / "start.data", (EDGE, ) * 3, at, [1] * len(at), bonds)
    first = internal_distances(at.reshape(CHAINS, BEADS, 3))
    found = {"start": {f"R^2({n})/{n}": [float(v), 0.0] for n, v in zip(DISTANCES, first)}}
    for name, run in (("mesowarp", of_mesowarp), ("LAMMPS", of_lammps)):
        found[name] = run(options)
        (options.work / "found.json").write_text(json.dumps(found, indent=1), encoding="utf-8")
    for quantity, (mean, error) in found["mesowarp"].items():
        other, its_error = found["LAMMPS"][quantity]
        apart = abs(mean - other) / max(np.hypot(error, its_error), 1e-12)
        print(f"{quantity:12} mesowarp {mean:8.4f} ({error:.4f})  LAMMPS {other:8.4f} ({its_error:.4f})  "
              f"{apart:.1f} s.e.")


if __name__ == "__main__":
    main()
