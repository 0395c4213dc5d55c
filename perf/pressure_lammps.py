#!/usr/bin/env python3
"""The mean volume that LAMMPS finds at a pressure with `fix press/berendsen`, against which
tests/physics/test_barostat.py holds mesowarp's: makes tests/compare/lammps_pressure.json.

    perf/peers_setup.sh
    perf/pressure_lammps.py [--peers DIR] [--cores 2] [--steps 40000] [--work DIR]

The fluid is DPD's standard one, a = 25, gamma = 4.5, k_BT = 1, dt = 0.01. Per seed, the volume of every step is
averaged over 20 blocks behind a start of a fifth; the file has the mean of the seeds and its error. (Berendsen's
barostat has the right mean, and no right fluctuation.)
"""
import json
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from lammps_blocks import estimate, read_options, version

DATA = Path(__file__).resolve().parent.parent / "tests/compare/lammps_pressure.json"
COUNT, PRESSURES, TIMESTEP, SEEDS = 648, (16.0, 32.0), 0.01, (1, 2, 3)
INPUT = """units lj
boundary p p p
atom_style atomic
comm_modify vel yes
newton on
region box block 0 6 0 6 0 6
create_box 1 box
create_atoms 1 random {count} {seed} box
mass 1 1.0
pair_style dpd 1.0 1.0 {seed}7
pair_coeff 1 1 25.0 4.5 1.0
neighbor 0.3 bin
neigh_modify every 1 delay 0 check yes
velocity all create 1.0 {seed}3 mom yes rot no dist gaussian
timestep {timestep}
fix move all nve
fix press all press/berendsen iso {pressure} {pressure} 2.0 modulus 48.0
thermo 1000
run {start}
variable volume equal vol
fix sums all ave/time 1 {block} {block} v_volume c_thermo_press file {file}
run {steps}
"""


def run(options, pressure, seed):
    """Volumes and pressures of the blocks of one run."""
    file = options.work / f"volume{pressure}-{seed}.txt"
    script = options.work / f"in.pressure{pressure}-{seed}"
    script.write_text(
        INPUT.format(count=COUNT, seed=seed, timestep=TIMESTEP, pressure=pressure, start=options.steps // 5,
                     steps=options.steps, block=options.steps // 20, file=file), encoding="utf-8")
    subprocess.run([options.peers / "bin/lmp", "-in", script, "-log", options.work / f"log{pressure}-{seed}"],
                   check=True, stdout=subprocess.DEVNULL)
    return np.loadtxt(file).T[1:]


def main():
    options = read_options(__doc__, "/tmp/mesowarp_pressure_lammps", 40000)
    cases = [(pressure, seed) for pressure in PRESSURES for seed in SEEDS]
    with ThreadPoolExecutor(options.cores) as pool:
        blocks = list(pool.map(lambda case: run(options, *case), cases))
    record = {
        "by": "perf/pressure_lammps.py", "lammps": version(options.peers),
        "count": COUNT, "timestep": TIMESTEP, "steps": options.steps, "seeds": SEEDS, "at": []
    }
    for pressure in PRESSURES:
        volume, found = np.concatenate([b for case, b in zip(cases, blocks) if case[0] == pressure], axis=1)
        record["at"].append({"pressure": pressure, "volume": estimate(volume), "found": estimate(found)})
    DATA.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(record, indent=1))


if __name__ == "__main__":
    main()
