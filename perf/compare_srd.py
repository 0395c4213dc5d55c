#!/usr/bin/env python3
"""Times mesowarp's collision solvent against LAMMPS's `fix srd`, on the cores of this machine.

    perf/peers_setup.sh
    perf/compare_srd.py [--mesowarp build/release/mesowarp] [--precision single,mixed,double] [--rounds 3]

The fluid: 10 particles a cell, time 0.1 between collisions, k_BT = 1, grid shifted at random, no thermostat, rotations
by 90 degrees, the only angle that `fix srd` has. LAMMPS (double precision) runs on MPI ranks, one a core, its best
setting since `fix srd` has no threads; mesowarp on as many threads. Programs take turns; the median of each counts.
Only time inside the step loop counts.

Needs only Python's standard library; LAMMPS comes from the environment that peers_setup.sh makes (--peers).
"""

import json
import os
import re
import statistics
import subprocess

from comparison import comparison_parser, resolve_programs

LAMMPS = """\
units lj
atom_style atomic
newton on
boundary p p p
region box block 0 {side} 0 {side} 0 {side}
create_box 1 box
create_atoms 1 random {particles} {seed} NULL
mass 1 1.0
velocity all create 1.0 {seed} loop geom
comm_modify vel yes cutoff 1.5
neighbor 0.3 bin
timestep 0.1
fix 1 all srd 1 NULL 1.0 1.0 {seed} shift yes 54979
thermo {steps}
run {steps}
"""
MESOWARP = """\
[run]
steps = {steps}
timestep = 0.1
seed = {seed}
precision = "{precision}"
[box]
size = [{side}.0, {side}.0, {side}.0]
[[population]]
name = "solvent"
kind = "mpcd"
count = {particles}
[collision]
style = "srd"
angle = 90.0
[[output]]
format = "table"
every = {steps}
[[output]]
format = "checkpoint"
at_end = false
"""


def lammps_rate(options, values):
    script = options.work / "in.srd"
    script.write_text(LAMMPS.format(**values), encoding="utf-8")
    mpiexec = options.peers / "bin/mpiexec"
    command = [str(mpiexec if mpiexec.exists() else "mpiexec"), "-n", str(options.cores),
               str(options.peers / "bin/lmp"), "-in", str(script), "-log", "none"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=options.work,
                          env={**os.environ, "OMP_NUM_THREADS": "1"})
    seconds = float(re.search(r"Loop time of (\S+) on", done.stdout).group(1))
    return values["steps"] * values["particles"] / seconds


def mesowarp_rate(options, values, precision):
    deck, out = options.work / f"{precision}.toml", options.work / f"out-{precision}"
    deck.write_text(MESOWARP.format(precision=precision, **values), encoding="utf-8")
    subprocess.run([str(options.mesowarp), "run", str(deck), "--output", str(out), "--quiet", "--threads",
                    str(options.cores)], check=True, cwd=options.work, capture_output=True)
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    return summary["particle_steps_per_second"]


def main():
    parser = comparison_parser(__doc__.split("\n")[0], "/tmp/compare_srd", "ranks of LAMMPS, threads of mesowarp")
    parser.add_argument("--side", type=int, default=40, help="of the box, in cells")
    parser.add_argument("--steps", type=int, default=200, help="steps of each run")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each program")
    parser.add_argument("--precision", default="single,mixed,double", help="of mesowarp")
    options = parser.parse_args()
    resolve_programs(parser, options, True)
    options.work.mkdir(parents=True, exist_ok=True)
    values = {"side": options.side, "particles": 10 * options.side**3, "steps": options.steps, "seed": options.seed}
    rates = {}
    for _ in range(options.rounds):
        rates.setdefault("LAMMPS fix srd", []).append(lammps_rate(options, values))
        for precision in options.precision.split(","):
            rates.setdefault(f"mesowarp {precision}", []).append(mesowarp_rate(options, values, precision))
    lammps = statistics.median(rates["LAMMPS fix srd"])
    print(f"{values['particles']} particles, {options.cores} cores, million particle-steps/s (all rounds), ratio")
    for name, all_rates in rates.items():
        middle = statistics.median(all_rates)
        listed = ", ".join(f"{rate / 1e6:.1f}" for rate in all_rates)
        print(f"{name:16} {middle / 1e6:8.2f}  ({listed})  {middle / lammps:.2f}")


if __name__ == "__main__":
    main()
