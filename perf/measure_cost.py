#!/usr/bin/env python3
"""What measures cost at their defaults: the standard DPD fluid without any, then with one each, in turns.

    perf/measure_cost.py [--program build/cuda/mesowarp] [--particles 2000000] [--steps 25000] [--rounds 2] [--work DIR]
                         [--precision single] [--measures msd,vacf,rdf,viscosity]

Prints G particle-steps a second of each run, as summary.json has it, and that by the speed without a measure: goal
0.95. A viscosity takes its share of the steps in bursts: --steps should be whole periods of burst / share (25,000 at 2
million particles). Needs Python's own library alone.
"""
import argparse
import json
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DECK = """
[run]
steps = {steps}
timestep = 0.01
precision = "{precision}"
[box]
size = [{edge}, {edge}, {edge}]
[[population]]
name = "water"
species = "W"
density = 3.0
initial = "lattice"
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
MORE = {"rdf": "r_max = 1.0", "clusters": "cutoff = 0.5", "profile": 'name = "across"\naxis = "z"\nbins = 100'}


def speed(options, measure, number):
    edge = round((options.particles / 3.0)**(1 / 3), 1)
    text = DECK.format(steps=options.steps, edge=edge, precision=options.precision,
                       measure=f'[[measure]]\nstyle = "{measure}"\n{MORE.get(measure, "")}\n' if measure else "")
    (options.work / "deck.toml").write_text(text, encoding="utf-8")
    output = options.work / f"{measure or 'none'}{number}"
    subprocess.run([options.program, "run", options.work / "deck.toml", "--output", output, "--quiet", "--force"],
                   check=True)
    return json.loads((output / "summary.json").read_text(encoding="utf-8"))["particle_steps_per_second"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, default=ROOT / "build/cuda/mesowarp")
    parser.add_argument("--particles", type=float, default=2e6)
    parser.add_argument("--steps", type=int, default=25000)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--precision", default="single")
    parser.add_argument("--measures", default="msd,vacf,rdf,viscosity")
    parser.add_argument("--work", type=Path, default=Path("/tmp/mesowarp_measure_cost"))
    options = parser.parse_args()
    options.program = options.program.resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    for number in range(options.rounds):
        plain = speed(options, "", number)
        print(f"none {plain / 1e9:.3f} G", flush=True)
        for measure in options.measures.split(","):
            found = speed(options, measure, number)
            print(f"{measure} {found / 1e9:.3f} G, {found / plain:.3f}", flush=True)


if __name__ == "__main__":
    main()
