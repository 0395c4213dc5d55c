#!/usr/bin/env python3
"""What measures cost at their defaults, and what plates cost: the standard DPD fluid without any, then with one each,
in turns. chains are measured in a melt of chains of ten beads, beside the melt without.

    perf/measure_cost.py [--program build/cuda/mesowarp] [--particles 2000000] [--steps 25000] [--rounds 2] [--work DIR]
                         [--precision single] [--timestep 0.01] [--every N]
                         [--measures msd,vacf,rdf,viscosity,structure-factor,clusters,profile,field,cylinder,sphere,
                          correlation,columns,chains,plates,channel]

Prints G particle-steps a second of each run, of moving particles, as summary.json has it, and that by the speed
without: goal 0.95. channel: between two slabs of frozen particles, 1 thick each, with a drive; plates: 2 thick each,
which slide; goal 0.85. --every: of the list, in steps; else by displacement. A viscosity takes its share of the steps
in bursts: --steps should be whole periods of burst / share (25,000 at 2 million particles). Needs Python's own library
alone.
"""
import argparse
import json
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DECK = """
[run]
steps = {steps}
timestep = {timestep}
precision = "{precision}"
[box]
size = [{edge}, {edge}, {height}]
{population}
[[interaction]]
between = "*"
a = 25.0
gamma = 4.5
[[output]]
format = "table"
every = {steps}
[[output]]
format = "checkpoint"
every = 0
at_end = false
{measure}
"""
WATER = """[[population]]
name = "water"
species = "W"
density = 3.0
initial = "lattice"
"""
MELT = """[[population]]
name = "chains"
kind = "polymer"
blocks = "AAAAAAAAAA"
density = 3.0
bond_length = 0.5
[[bond]]
population = "chains"
style = "harmonic"
k = 50.0
r0 = 0.5
"""
WALLS = """
[[shape]]
name = "below"
style = "plane"
axis = "z"
at = {thick}
side = "below"
[[shape]]
name = "above"
style = "plane"
axis = "z"
at = {above}
side = "above"
[[wall]]
name = "lower"
solid = "below"
friction = 0.2
{lower}
[[wall]]
name = "upper"
solid = "above"
friction = 0.2
{upper}
"""
MORE = {"rdf": "r_max = 1.0", "clusters": "cutoff = 0.5", "profile": 'name = "across"\naxis = "z"\nbins = 100',
        "field": 'name = "grid"\ncells = [32, 32, 32]', "correlation": 'columns = ["pressure_xy"]',
        "chains": "r_max = 5.0", "columns": 'columns = ["temperature", "pressure"]',
        "cylinder": 'name = "shells"\naxis = "z"\ncenter = [{middle}, {middle}, 0.0]\nradius = {middle}\nbins = 24',
        "sphere": 'name = "shells"\naxis = "z"\ncenter = [{middle}, {middle}, {middle}]\nradius = {middle}\nbins = 24'}


def speed(options, measure, number, melt=False):
    edge = round((options.particles / 3.0)**(1 / 3), 1)
    thick = {"plates": 2.0, "channel": 1.0}.get(measure, 0.0)
    if thick:
        lower, upper = (f"velocity = [{v}, 0.0, 0.0]" if measure == "plates" else "" for v in (-1.0, 1.0))
        more = WALLS.format(thick=thick, above=edge + thick, lower=lower, upper=upper)
        if measure == "channel":
            more += '[[drive]]\nstyle = "constant"\nacceleration = [0.01, 0.0, 0.0]\n'
    else:
        settings = MORE.get(measure, "").replace("{middle}", f"{edge / 2.0:.2f}")
        more = f'[[measure]]\nstyle = "{measure}"\n{settings}\n' if measure else ""
    if options.every:
        more += f'[neighbor]\nrebuild = "every"\nevery = {options.every}\n'
    text = DECK.format(steps=options.steps, edge=edge, height=edge + 2.0 * thick, measure=more,
                       population=MELT if melt else WATER, precision=options.precision, timestep=options.timestep)
    (options.work / "deck.toml").write_text(text, encoding="utf-8")
    output = options.work / f"{measure or 'none'}{number}"
    subprocess.run([options.program, "run", options.work / "deck.toml", "--output", output, "--quiet", "--force"],
                   check=True)
    summary = json.loads((output / "summary.json").read_text(encoding="utf-8"))
    return summary["particle_steps_per_second"] * 3.0 * edge**3 / summary["particles"]  # of those that move


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, default=ROOT / "build/cuda/mesowarp")
    parser.add_argument("--particles", type=float, default=2e6)
    parser.add_argument("--steps", type=int, default=25000)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--precision", default="single")
    parser.add_argument("--timestep", type=float, default=0.01)
    parser.add_argument("--every", type=int, default=0)
    parser.add_argument("--measures", default="msd,vacf,rdf,viscosity")
    parser.add_argument("--work", type=Path, default=Path("/tmp/mesowarp_measure_cost"))
    options = parser.parse_args()
    options.program = options.program.resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    for number in range(options.rounds):
        plain = {}
        for measure in options.measures.split(","):
            melt = measure == "chains"
            if melt not in plain:
                plain[melt] = speed(options, "", number, melt)
                print(f"none{' of a melt' if melt else ''} {plain[melt] / 1e9:.3f} G", flush=True)
            found = speed(options, measure, number, melt)
            print(f"{measure} {found / 1e9:.3f} G, {found / plain[melt]:.3f}", flush=True)


if __name__ == "__main__":
    main()
