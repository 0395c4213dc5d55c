#!/usr/bin/env python3
"""The tension of two immiscible DPD fluids that LAMMPS finds, against which tests/physics/test_surface_tension.py holds
mesowarp's: makes tests/compare/lammps_tension.json.

    perf/peers_setup.sh
    perf/tension_lammps.py [--peers DIR] [--cores 2] [--steps 30000] [--work DIR]

Two layers in a periodic box, a = 25 in each and 60 between them, gamma = 4.5, k_BT = 1, dt = 0.02; L_z (P_zz - (P_xx +
P_yy) / 2), of both interfaces together. Per seed, means over 20 blocks behind a start of a fifth.
"""
import json
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from lammps_blocks import estimate, read_options, version

DATA = Path(__file__).resolve().parent.parent / "tests/compare/lammps_tension.json"
EDGE, HEIGHT, REPULSION, TIMESTEP, SEEDS = 5.0, 12.0, 60.0, 0.02, (1, 2)
INPUT = """units lj
boundary p p p
atom_style atomic
comm_modify vel yes
newton on
region box block 0 {edge} 0 {edge} 0 {height}
create_box 2 box
region below block INF INF INF INF 0 {half}
region above block INF INF INF INF {half} {height}
create_atoms 1 random {count} {seed}1 below
create_atoms 2 random {count} {seed}2 above
mass * 1
pair_style dpd 1.0 1.0 {seed}7
pair_coeff * * 25.0 4.5 1.0
pair_coeff 1 2 {repulsion} 4.5 1.0
neighbor 0.3 bin
neigh_modify every 1 delay 0 check yes
velocity all create 1.0 {seed}3 mom yes rot no dist gaussian
timestep {timestep}
fix move all nve
thermo 1000
run {start}
variable tension equal lz*(pzz-0.5*(pxx+pyy))
fix sums all ave/time 1 {block} {block} v_tension file {file}
run {steps}
"""


def run(options, seed):
    """Tensions of the blocks of one run."""
    file = options.work / f"tension{seed}.txt"
    script = options.work / f"in.tension{seed}"
    count = round(1.5 * EDGE * EDGE * HEIGHT)
    script.write_text(
        INPUT.format(edge=EDGE, height=HEIGHT, half=HEIGHT / 2, count=count, seed=seed, repulsion=REPULSION,
                     timestep=TIMESTEP, start=options.steps // 5, steps=options.steps, block=options.steps // 20,
                     file=file), encoding="utf-8")
    subprocess.run([options.peers / "bin/lmp", "-in", script, "-log", options.work / f"log{seed}"], check=True,
                   stdout=subprocess.DEVNULL)
    return np.loadtxt(file).T[1]


def main():
    options = read_options(__doc__, "/tmp/mesowarp_tension_lammps", 30000)
    with ThreadPoolExecutor(options.cores) as pool:
        blocks = np.concatenate(list(pool.map(lambda seed: run(options, seed), SEEDS)))
    found = {"by": "perf/tension_lammps.py", "lammps": version(options.peers), "edge": EDGE, "height": HEIGHT,
             "repulsion": REPULSION, "timestep": TIMESTEP, "tension": estimate(blocks)}
    DATA.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(found)


if __name__ == "__main__":
    main()
