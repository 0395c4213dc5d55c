#!/usr/bin/env python3
"""Times mesowarp's transport DPD against LAMMPS's `pair_style tdpd`, on the cores of this machine.

    perf/peers_setup.sh
    perf/compare_tdpd.py [--mesowarp build/release/mesowarp] [--particles 8000] [--steps 200] [--rounds 2]

The fluid of the blood-cell paper: rho = 4, a = 18.75, gamma = 4.5, s = 0.41, kappa = 5, s_c = 2, dt = 0.005, skin 0.3,
list rebuilt every 5 steps; cutoffs 1 and 1.58, one and ten solutes. LAMMPS runs on MPI ranks, one a core (its tdpd has
no threads), in double precision; mesowarp in each precision. Both start at random places, and the second half of a run
is timed. They take turns; the best turn counts. tests/compare/test_tdpd_reference.py holds the numbers of both against
each other.
"""
import json
import sys

from compare_lammps import execute, fresh_folder
from comparison import comparison_parser, lmp_command, loop_seconds, resolve_programs

DENSITY = 4.0
LAMMPS = """\
units lj
atom_style tdpd {solutes}
newton on
boundary p p p
comm_modify vel yes
region box block 0 {side} 0 {side} 0 {side}
create_box 1 box
create_atoms 1 random {particles} 4711 NULL
mass 1 1.0
velocity all create 1.0 4711 loop geom
pair_style tdpd 1.0 {cutoff} 4711
pair_coeff 1 1 18.75 4.5 0.82 {cutoff} {cutoff} {fluxes}
neighbor 0.3 bin
neigh_modify every 5 delay 0 check no
fix move all mvv/tdpd 0.5
timestep 0.005
thermo {steps}
run {steps}
run {steps}
"""
DECK = """\
[run]
steps = {total}
timestep = 0.005
precision = "{precision}"
[box]
size = [{side}, {side}, {side}]
[neighbor]
skin = 0.3
rebuild = "every"
every = 5
[transport]
solutes = [{names}]
[[population]]
name = "water"
species = "W"
count = {particles}
concentration = 1.0
[[interaction]]
between = "*"
style = "tdpd"
a = 18.75
gamma = 4.5
cutoff = {cutoff}
exponent = 0.41
kappa = 5.0
[[output]]
format = "table"
every = {steps}
columns = ["temperature", "particle_steps_per_second", "wall_time"]
"""


def side_of(options):
    """Edge of the cubic box."""
    return round((options.particles / DENSITY)**(1 / 3), 6)


def lammps_rate(options, cutoff, solutes):
    """Particle-steps a second of the second run."""
    folder = fresh_folder(options, "lammps_tdpd")
    fluxes = " ".join(["5.0 0.0 2.0"] * solutes)
    text = LAMMPS.format(solutes=solutes, side=side_of(options), particles=options.particles, cutoff=cutoff,
                         fluxes=fluxes, steps=options.steps)
    (folder / "in.lammps").write_text(text, encoding="utf-8")
    done = execute(lmp_command(options, options.cores), folder, 1)
    return options.particles * options.steps / loop_seconds(done.output)


def mesowarp_rate(options, cutoff, solutes, precision):
    """The same of the second half of one run."""
    folder = fresh_folder(options, "mesowarp_tdpd")
    names = ", ".join(f'"S{k}"' for k in range(solutes))
    (folder / "deck.toml").write_text(
        DECK.format(total=2 * options.steps, steps=options.steps, precision=precision, side=side_of(options),
                    names=names, particles=options.particles, cutoff=cutoff), encoding="utf-8")
    execute([options.mesowarp, "run", "deck.toml", "--output", "out", "--quiet", "--force"], folder, options.cores)
    rows = (folder / "out/thermo.csv").read_text(encoding="utf-8").splitlines()
    wall = rows[0].split(",").index("wall_time")
    times = [float(row.split(",")[wall]) for row in rows[1:]]
    return options.particles * options.steps / (times[-1] - times[-2])


def main():
    """Prints a table, and with --json writes it."""
    parser = comparison_parser(__doc__.splitlines()[0], "/tmp/mesowarp_compare_tdpd", "cores for each program")
    parser.add_argument("--particles", type=int, default=8000)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    resolve_programs(parser, options, needs_mesowarp=True)
    records = []
    heads = " ".join(f"{p:>10} {'ratio':>6}" for p in ("single", "mixed", "double"))
    print(f"{'r_c':>5} {'solutes':>8} {'LAMMPS':>10} {heads}   M particle-steps/s")
    for cutoff in (1.0, 1.58):
        for solutes in (1, 10):
            best = {}
            for _ in range(options.rounds):
                best["lammps"] = max(best.get("lammps", 0), lammps_rate(options, cutoff, solutes))
                for precision in ("single", "mixed", "double"):
                    best[precision] = max(best.get(precision, 0), mesowarp_rate(options, cutoff, solutes, precision))
            print(f"{cutoff:>5} {solutes:>8} {1e-6 * best['lammps']:>10.3f} " + " ".join(
                f"{1e-6 * best[p]:>10.3f} {best[p] / best['lammps']:>6.2f}" for p in ("single", "mixed", "double")),
                  flush=True)
            records.append({"cutoff": cutoff, "solutes": solutes, **best})
    json.dump(records, sys.stderr)
    print(file=sys.stderr)


if __name__ == "__main__":
    main()
