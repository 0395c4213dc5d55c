#!/usr/bin/env python3
"""The shear viscosity that LAMMPS finds with `fix deform … remap v`, against which tests/physics/test_shear.py holds
mesowarp's: makes tests/compare/lammps_shear.json.

    perf/peers_setup.sh
    perf/shear_lammps.py [--peers DIR] [--cores 2] [--steps 20000] [--work DIR]

The fluid is DPD's standard one: density 3, a = 25, gamma = 4.5, k_BT = 1, dt = 0.01. Per seed, P_xy of every step is
averaged over 20 blocks behind a start of a tenth; the file has the mean of the seeds and its error. LAMMPS takes the
flow off that is at rest where the box begins.
"""
import json
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from lammps_blocks import estimate, read_options, version

DATA = Path(__file__).resolve().parent.parent / "tests/compare/lammps_shear.json"
BOX, DENSITY, RATE, TIMESTEP, SEEDS = (8.0, 10.0, 8.0), 3, 0.2, 0.01, (1, 2, 3)
INPUT = """units lj
dimension 3
boundary p p p
atom_style atomic
comm_modify vel yes
newton on
region box prism 0 {x} 0 {y} 0 {z} 0 0 0
create_box 1 box
create_atoms 1 random {count} {seed} box
mass 1 1.0
pair_style dpd 1.0 1.0 {seed}7
pair_coeff 1 1 25.0 4.5 1.0
neighbor 0.3 bin
neigh_modify every 1 delay 0 check yes
velocity all create 1.0 {seed}3 mom yes rot no dist gaussian
velocity all ramp vx {low} {high} y 0 {y} sum yes
timestep {timestep}
fix move all nve
fix shear all deform 1 xy erate {rate} remap v
compute flowing all temp/deform
compute stress all pressure flowing
thermo_modify temp flowing press stress
thermo 1000
run {start}
fix sums all ave/time 1 {block} {block} c_flowing c_stress[4] file {file}
run {steps}
"""


def run(options, seed):
    """Temperatures and viscosities of the blocks of one run."""
    count = round(DENSITY * np.prod(BOX))
    file = options.work / f"stress{seed}.txt"
    script = options.work / f"in.shear{seed}"
    script.write_text(
        INPUT.format(x=BOX[0], y=BOX[1], z=BOX[2], count=count, seed=seed, low=0.0, high=RATE * BOX[1],
                     timestep=TIMESTEP, rate=RATE, start=options.steps // 10, steps=options.steps,
                     block=options.steps // 20, file=file),
        encoding="utf-8")
    subprocess.run([options.peers / "bin/lmp", "-in", script, "-log", options.work / f"log{seed}"], check=True,
                   stdout=subprocess.DEVNULL)
    _, temperature, pressure = np.loadtxt(file).T
    return temperature, -pressure / RATE


def main():
    options = read_options(__doc__, "/tmp/mesowarp_shear_lammps", 20000)
    with ThreadPoolExecutor(options.cores) as pool:
        runs = list(pool.map(lambda seed: run(options, seed), SEEDS))
    temperature, viscosity = np.concatenate(runs, axis=1)
    record = {
        "by": "perf/shear_lammps.py", "lammps": version(options.peers),
        "box": BOX, "density": DENSITY, "rate": RATE, "timestep": TIMESTEP, "steps": options.steps, "seeds": SEEDS,
        "temperature": estimate(temperature), "viscosity": estimate(viscosity)
    }
    DATA.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(record, indent=1))


if __name__ == "__main__":
    main()
