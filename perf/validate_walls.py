#!/usr/bin/env python3
"""Flows round walls against theory, with error bars from block averages:

    perf/validate_walls.py couette|taylor-couette|sphere|stl [--program build/release/mesowarp] [--work DIR]
                           [--steps N] [--seeds N] [--method frozen|effective] [--friction G]

couette         two plates: wall stress, virial stress, slope and depth of slip; viscosity 0.844 +- 0.007 (Lees-Edwards)
taylor-couette  a cylinder that turns in another: v = A r + B / r
sphere          a periodic array of spheres: drag against Hasimoto, J. Fluid Mech. 5, 317 (1959), Sangani & Acrivos' K
stl             a round channel from triangles and from primitives: the same flow rate

The fluid is DPD's standard one: density 3, a = 25, gamma = 4.5, k_BT = 1, dt = 0.01.
"""
import argparse
import csv
import math
import struct
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests" / "shared"))
from observables import block_estimate  # noqa: E402

VISCOSITY, VISCOSITY_ERROR, DENSITY = 0.844, 0.007, 3.0
FLUID = """
[[population]]
name = "water"
species = "W"
density = 3.0
[[interaction]]
between = ["W", "W"]
a = 25.0
gamma = 4.5
[run]
timestep = 0.01
precision = "single"
seed = {seed}
steps = {steps}
"""


def table(path):
    with open(path / "thermo.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {key: np.array([float(row[key]) for row in rows]) for key in rows[0]}


class Runs:
    def __init__(self, options):
        self.options = options

    def wall(self, **keys):
        """A [[wall]] block."""
        lines = [f'method = "{self.options.method}"']
        if self.options.friction is not None and keys.get("style") != "bounce-forward":
            lines.append(f"friction = {self.options.friction}")
        for key, value in keys.items():
            lines.append(f'{key} = "{value}"' if isinstance(value, str) else f"{key} = {value}")
        return "[[wall]]\n" + "\n".join(lines) + "\n"

    def run(self, name, text, seed, **values):
        home = self.options.work / f"{name}_{self.options.method}_{seed}"
        deck = home.with_suffix(".toml")
        deck.write_text((FLUID + text).format(seed=seed, steps=self.options.steps, **values), encoding="utf-8")
        if not (home / "summary.json").exists():
            subprocess.run([self.options.program, "run", deck, "--output", home, "--quiet", "--threads",
                            str(self.options.threads)], check=True)
        return home

    def seeds(self):
        return range(1, self.options.seeds + 1)


def report(what, value, error, expected, known=0.0):
    off = (value - expected) / math.hypot(error, known)
    print(f"{what}: {value:.5g} +- {error:.2g}, expected {expected:.5g}"
          f" ({100 * (value / expected - 1):+.2f}%, {off:+.1f} s.e.)", flush=True)


def couette(runs):
    text = """
[box]
size = [10.0, 10.0, 10.0]
[[shape]]
name = "below"
style = "plane"
axis = "z"
at = 2.0
[[shape]]
name = "above"
style = "plane"
axis = "z"
at = 8.0
side = "above"
""" + runs.wall(name="lower", solid="below", velocity=[-2.0, 0.0, 0.0]) + runs.wall(
        name="upper", solid="above", velocity=[2.0, 0.0, 0.0]) + """
[[measure]]
name = "flow"
axis = "z"
bins = 80
start = 4000
every = 5
window = 2000
[[output]]
format = "table"
every = 100
columns = ["wall1_stress_x", "wall2_stress_x", "pressure_xz", "temperature", "wall_strays"]
"""
    slopes, density, speed, stress, strays = [], [], [], [], 0
    for seed in runs.seeds():
        home = runs.run("couette", text, seed)
        with open(home / "flow.csv", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        for block in sorted({int(row["block"]) for row in rows}):
            here = [row for row in rows if int(row["block"]) == block and 2.0 < float(row["coordinate"]) < 8.0]
            z = np.array([float(row["coordinate"]) for row in here]) - 5.0
            v = np.array([float(row["velocity_x"]) for row in here])
            if len(z) != 48:
                continue
            bulk = np.abs(z) < 1.75
            slopes.append(np.polyfit(z[bulk], v[bulk], 1)[0])
            n = np.array([float(row["density"]) for row in here])
            density.append(n.reshape(-1, 2).mean(1) / n[bulk].mean()), speed.append(v)
        rows = table(home)
        late = rows["step"] > 4000
        stress += list(0.5 * (rows["wall1_stress_x"] - rows["wall2_stress_x"])[late])
        strays += rows["wall_strays"].max()
    slope, slope_error = np.mean(slopes), np.std(slopes, ddof=1) / math.sqrt(len(slopes))
    tau = block_estimate(stress)
    print("slip, depth:", 2.0 / slope - 3.0, "+-", 2.0 * slope_error / slope**2, "strays", strays)
    report("viscosity from the wall stress", tau.mean / slope, tau.error / slope, VISCOSITY, VISCOSITY_ERROR)
    v, error = np.mean(speed, axis=0), np.std(speed, axis=0, ddof=1) / math.sqrt(len(speed))
    off = np.abs(v - 2.0 * z / 3.0) / 2.0
    print("velocity off the straight line, part of the wall's:", off.round(4)[:24].tolist(), "+-", error.max() / 2.0)
    n = np.mean(density, axis=0)
    print("density by the bulk's, bins of a quarter:", n.round(4).tolist(), "+-",
          (np.std(density, axis=0, ddof=1) / math.sqrt(len(density))).max())


def taylor_couette(runs):
    inner, outer, spin = 3.0, 8.0, 0.4
    text = """
[box]
size = [18.4, 18.4, 6.0]
[[shape]]
name = "bore"
style = "cylinder"
axis = "z"
center = [9.2, 9.2, 0.0]
radius = 8.0
[[shape]]
name = "core"
style = "cylinder"
axis = "z"
center = [9.2, 9.2, 0.0]
radius = 3.0
""" + runs.wall(name="outer", solid="not bore") + runs.wall(name="inner", solid="core", spin=[0.0, 0.0, spin],
                                                           about=[9.2, 9.2, 0.0]) + """
[[output]]
format = "trajectory"
every = 50
fields = ["position", "velocity"]
[[output]]
format = "table"
every = 500
columns = ["wall_strays", "temperature"]
"""
    fits, profiles = [], []
    edges = np.linspace(inner, outer, 21)
    for seed in runs.seeds():
        home = runs.run("taylor_couette", text, seed)
        with h5py.File(home / "trajectory.h5") as file:
            species = file["particles/all/species"]
            species = (species if isinstance(species, h5py.Dataset) else species["value"])[()].reshape(-1)
            position = file["particles/all/position/value"]
            frames = range(len(position) // 4, len(position))
            fluid = species[:position.shape[1]] == 0
            for part in np.array_split(np.array(frames), 8):
                count, sums = np.zeros(20), np.zeros(20)
                for k in part:
                    x = position[k][fluid].astype(float)[:, :2] - 9.2
                    v = file["particles/all/velocity/value"][k][fluid].astype(float)
                    r = np.hypot(x[:, 0], x[:, 1])
                    around = (x[:, 0] * v[:, 1] - x[:, 1] * v[:, 0]) / r
                    bins = np.clip(np.digitize(r, edges) - 1, 0, 19)
                    count += np.bincount(bins, minlength=20)
                    sums += np.bincount(bins, weights=around, minlength=20)
                profiles.append(sums / count)
                middle = 0.5 * (edges[1:] + edges[:-1])
                inside = (middle > inner + 1.0) & (middle < outer - 1.0)
                basis = np.stack([middle[inside], 1.0 / middle[inside]], axis=1)
                fits.append(np.linalg.lstsq(basis, profiles[-1][inside], rcond=None)[0])
    b = spin * inner**2 * outer**2 / (outer**2 - inner**2)
    a = -b / outer**2
    mean, error = np.mean(profiles, axis=0), np.std(profiles, axis=0, ddof=1) / math.sqrt(len(profiles))
    expected = a * middle + b / middle
    off = (mean - expected) / (spin * inner)
    print("v(r) off theory, part of the cylinder's speed:", off.round(4).tolist(), "+-", error.max() / (spin * inner))
    fit, noise = np.mean(fits, axis=0), np.std(fits, axis=0, ddof=1) / math.sqrt(len(fits))
    for name, k, wanted in (("A", 0, a), ("B", 1, b)):
        report(name, fit[k], noise[k], wanted)


def sphere(runs):
    edge, radius, push = 10.0, 2.5, 0.008
    text = """
[box]
size = [10.0, 10.0, 10.0]
[[shape]]
name = "ball"
style = "sphere"
center = [5.0, 5.0, 5.0]
radius = 2.5
""" + runs.wall(name="ball", solid="ball") + """
[[drive]]
style = "constant"
acceleration = [0.0, 0.0, 0.008]
[[output]]
format = "table"
every = 20
columns = ["mass_flow_z", "wall_force_z", "momentum_z", "wall_strays"]
"""
    speeds, forces = [], []
    for seed in runs.seeds():
        home = runs.run("sphere", text, seed)
        rows = table(home)
        late = rows["step"] > 12000
        speeds.append(block_estimate(rows["momentum_z"][late] / (DENSITY * edge**3)))
        forces.append(block_estimate(rows["wall_force_z"][late]))
    fluid = DENSITY * (edge**3 - 4.0 / 3.0 * math.pi * radius**3)
    speed = np.mean([s.mean for s in speeds])
    error = math.sqrt(np.sum([s.error**2 for s in speeds])) / len(speeds)
    report("force on the sphere", np.mean([f.mean for f in forces]),
           math.sqrt(np.sum([f.error**2 for f in forces])) / len(forces), fluid * push)
    c = 4.0 / 3.0 * math.pi * radius**3 / edge**3
    drag = 1.0 / (1.0 - 1.7601 * c**(1 / 3) + c - 1.5593 * c**2 + 3.9799 * c**(8 / 3) - 3.0734 * c**(10 / 3))
    # The uniform push on the fluid is a pressure gradient of -push rho, which in the whole cell is balanced by the
    # sphere: the drag that Hasimoto's K is of, with the gradient's own force on the sphere, is push rho L^3.
    expected = push * DENSITY * edge**3 / (6.0 * math.pi * VISCOSITY * radius * drag)
    print("Reynolds number", DENSITY * speed * radius / VISCOSITY)
    report("mean velocity of the cell", speed, error, expected, expected * VISCOSITY_ERROR / VISCOSITY)


def write_tube(path, radius, length, sides=96):
    """A closed round tube along z from -1 to length + 1."""
    angle = 2 * math.pi / sides
    ring = [(radius * math.cos(angle * k), radius * math.sin(angle * k)) for k in range(sides)]
    low, high, triangles = -1.0, length + 1.0, []
    for k in range(sides):
        (x0, y0), (x1, y1) = ring[k], ring[(k + 1) % sides]
        triangles += [((x0, y0, low), (x1, y1, low), (x1, y1, high)), ((x0, y0, low), (x1, y1, high), (x0, y0, high))]
        triangles += [((0, 0, low), (x1, y1, low), (x0, y0, low)), ((0, 0, high), (x0, y0, high), (x1, y1, high))]
    with open(path, "wb") as file:
        file.write(b"a tube".ljust(80) + struct.pack("<I", len(triangles)))
        for triangle in triangles:
            file.write(struct.pack("<12fH", 0, 0, 0, *[x for corner in triangle for x in corner], 0))


def stl(runs):
    radius = 3.4
    # A polygon of 96 sides of the circle's area.
    scale = math.sqrt(math.pi / (48 * math.sin(2 * math.pi / 96)))
    write_tube(runs.options.work / "tube.stl", radius * scale, 8.0)
    flows = {}
    for kind, shape in (("primitive", 'style = "cylinder"\naxis = "z"\nradius = 3.4'),
                        ("stl", f'style = "stl"\nfile = "{runs.options.work}/tube.stl"')):
        text = """
[box]
size = [9.0, 9.0, 8.0]
[[shape]]
name = "bore"
center = [4.5, 4.5, 0.0]
""" + shape + "\n" + runs.wall(name="tube", solid="not bore") + """
[[drive]]
style = "constant"
acceleration = [0.0, 0.0, 0.1]
[[output]]
format = "table"
every = 20
columns = ["momentum_z", "wall_force_z", "wall_strays"]
"""
        speeds, masses = [], []
        for seed in runs.seeds():
            rows = table(runs.run("tube_" + kind, text, seed))
            late = rows["step"] > 4000
            masses.append(np.mean(rows["wall_force_z"][late]) / 0.1)
            speeds += list(rows["momentum_z"][late])
        flows[kind] = block_estimate(speeds)
        print(kind, "momentum", flows[kind].mean, "+-", flows[kind].error, "fluid", np.mean(masses))
    theory = DENSITY**2 * 0.1 * math.pi * radius**4 * 8.0 / (8.0 * VISCOSITY)
    report("momentum in the tube of primitives", flows["primitive"].mean, flows["primitive"].error, theory,
           theory * VISCOSITY_ERROR / VISCOSITY)
    report("the same from triangles", flows["stl"].mean, flows["stl"].error, flows["primitive"].mean,
           flows["primitive"].error)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    tasks = {"couette": couette, "taylor-couette": taylor_couette, "sphere": sphere, "stl": stl}
    parser.add_argument("what", choices=tasks)
    parser.add_argument("--program", default=ROOT / "build/release/mesowarp")
    parser.add_argument("--work", type=Path, default=ROOT / "build/validate_walls")
    parser.add_argument("--steps", type=int, default=24000)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--method", choices=("frozen", "effective"), default="frozen")
    parser.add_argument("--friction", type=float)
    options = parser.parse_args()
    options.work = options.work.resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    tasks[options.what](Runs(options))


if __name__ == "__main__":
    main()
