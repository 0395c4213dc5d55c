#!/usr/bin/env python3
"""Flows round walls against theory, with error bars from blocks in time; each case a deck, its run and what it says:

    perf/validate_walls.py [CASE ...] [--program build/release/mesowarp] [--work build/validate_walls]
                           [--size small|gpu] [--seeds N] [--method frozen|effective] [--friction G] [--no-run]
                           [--fluid density=3,a=25,gamma=4.5,exponent=1,cutoff=1,temperature=1,timestep=0.01,speed=2,
                            surface_friction=1,edge=160,steps=60000]

couette         two plates that slide: slip, density next to them, viscosity from their stress. --fluid: of another
                fluid, all that is not said as in the standard one; lengths and plates' speed are in cutoffs
taylor-couette  a cylinder that turns in another, radii 3 and 8: v = A r + B / r; slow: at half the speed; wide: radii
                6 and 16 (taylor-couette-slow, taylor-couette-wide)
sphere          a periodic array of spheres of radius 2.5 in cells of 10: drag against Hasimoto, J. Fluid Mech. 5, 317
                (1959), K by Sangani & Acrivos; sphere-large: radius 4 in a cell of 16
stl             a round channel from triangles and from primitives: the same flow rate, and Poiseuille's
inflow          a channel with an [[inflow]] whose controller must keep the mean velocity
figure5, figure6  examples/large/tdpd_poiseuille.toml and tdpd_tube.toml, held against theory by scripts/flow-solutions
                where numpy and h5py are

Without a case: all of them. The fluid is DPD's standard one: density 3, a = 25, gamma = 4.5, k_BT = 1, dt = 0.01, its
viscosity 0.844 +- 0.007 (Lees-Edwards). The size "gpu" takes about a minute a case on an H100, "small" minutes to an
hour on two cores, with larger errors. What has run already is not repeated; --no-run only looks at what is there.
Needs nothing beside Python. Results are small: tables and profiles, no trajectories, no checkpoints.
"""
import argparse
import csv
import json
import math
import re
import struct
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VISCOSITY, VISCOSITY_ERROR, DENSITY = 0.844, 0.007, 3.0
STANDARD = {"density": DENSITY, "a": 25.0, "gamma": 4.5, "exponent": 1.0, "cutoff": 1.0, "temperature": 1.0,
            "timestep": 0.01, "speed": 2.0, "surface_friction": 1.0, "edge": None, "steps": None}
FLUID = """
[[population]]
name = "water"
species = "W"
density = {density}
[[interaction]]
between = ["W", "W"]
a = {a}
gamma = {gamma}
exponent = {exponent}
cutoff = {cutoff}
[[output]]
format = "checkpoint"
at_end = false
"""


def number(text):
    value = float(text or "nan")
    return None if math.isnan(value) else value


def read(path):
    """Rows of a CSV file."""
    with open(path, encoding="utf-8") as file:
        return [{key: number(value) for key, value in row.items()} for row in csv.DictReader(file)]


def blocks(path, columns, low=-math.inf, high=math.inf):
    """Of each block of a profile: its bins between two coordinates, rows of [coordinate, columns ...]."""
    rows = [row for row in read(path) if low < row["coordinate"] < high]
    return [[[row["coordinate"]] + [row[c] for c in columns] for row in rows if row["block"] == number]
            for number in sorted({row["block"] for row in rows})]


def mean(values):
    """Of independent values: with the standard error."""
    values = list(values)
    middle = sum(values) / len(values)
    error = math.sqrt(sum((v - middle)**2 for v in values) / max(1, len(values) - 1) / len(values))
    return middle, error if len(values) > 1 else math.nan


def in_parts(values, parts=10):
    """Mean of a series that remembers, from so many parts of it."""
    size = len(values) // parts
    return mean(sum(values[k * size:(k + 1) * size]) / size for k in range(parts))


def bins_mean(all_blocks, column):
    """Of each bin over blocks."""
    return [mean(block[k][column] for block in all_blocks) for k in range(len(all_blocks[0]))]


def fit(xs, ys, basis):
    """Least squares of two functions: their factors."""
    a = [[sum(f(x) * g(x) for x in xs) for g in basis] for f in basis]
    b = [sum(f(x) * y for x, y in zip(xs, ys)) for f in basis]
    det = a[0][0] * a[1][1] - a[0][1] * a[1][0]
    return (b[0] * a[1][1] - b[1] * a[0][1]) / det, (a[0][0] * b[1] - a[1][0] * b[0]) / det


def report(what, value, error, expected, known=0.0):
    off = (value - expected) / math.hypot(error, known)
    print(f"  {what}: {value:.5g} +- {error:.2g}, expected {expected:.5g}"
          f" ({100 * (value / expected - 1):+.2f}%, {off:+.1f} s.e.)", flush=True)


def in_percent(values, errors):
    print("   ", " ".join(f"{100 * v:+.2f}" for v in values), f"+- {100 * max(errors):.2f}", flush=True)


class Runs:
    def __init__(self, options):
        self.options, self.big = options, options.size == "gpu"
        self.fluid = dict(STANDARD)
        for key, value in (pair.split("=") for pair in options.fluid.split(",") if pair):
            if key not in STANDARD:
                sys.exit(f"error: --fluid knows no {key}: take some of {', '.join(STANDARD)}")
            self.fluid[key] = float(value)

    def size(self, small, gpu):
        return gpu if self.big else small

    def wall(self, **keys):
        """A [[wall]] block."""
        lines = [f'method = "{self.options.method}"']
        if self.options.friction is not None:
            lines.append(f"friction = {self.options.friction}")
        if self.fluid["surface_friction"] != 1.0:
            lines.append(f"surface_friction = {self.fluid['surface_friction']}")
        for key, value in keys.items():
            lines.append(f'{key} = "{value}"' if isinstance(value, str) else f"{key} = {value}")
        return "[[wall]]\n" + "\n".join(lines) + "\n"

    def run(self, name, steps, text):
        """Directories of the runs with all seeds."""
        homes = []
        for seed in range(1, self.options.seeds + 1):
            home = self.options.work / f"{name}_{self.options.method}_{seed}"
            head = f'[run]\ntimestep = {self.fluid["timestep"]}\ntemperature = {self.fluid["temperature"]}\n' \
                   f'precision = "single"\nseed = {seed}\nsteps = {steps}\n'
            self.run_deck(home, head + FLUID.format(**self.fluid) + text)
            homes.append(home)
        return homes

    def run_deck(self, home, text, *arguments):
        if (home / "summary.json").exists():
            return
        if self.options.no_run:
            sys.exit(f"error: {home} is not there: leave --no-run out")
        deck = home.parent / (home.name + ".toml")
        deck.write_text(text, encoding="utf-8")
        command = [self.options.program, "run", deck, "--output", home, "--quiet", *arguments]
        if self.options.threads:
            command += ["--threads", str(self.options.threads)]
        subprocess.run(command, check=True)
        for file in ("walls.h5", "walls.xmf"):  # pictures, larger than all else
            (home / file).unlink(missing_ok=True)

    def tell(self, home):
        with open(home / "summary.json", encoding="utf-8") as file:
            summary = json.load(file)
        friction = re.findall(r"friction ([0-9.e-]+) was found", (home / "run.log").read_text(encoding="utf-8"))
        print(f"  {home.name}: {summary['particles']} particles, {summary['steps']} steps, {summary['wall_s']:.0f} s, "
              f"{summary['particle_steps_per_second'] / 1e6:.3g} M particle-steps/s, hash {summary['state_hash']}"
              + (f", friction found {', '.join(friction)}" if friction else ""), flush=True)


def beyond(band, values, errors, times=2.5):
    """How many are further off than a band and so many standard errors."""
    return sum(abs(v) > band + times * e for v, e in zip(values, errors))


def folded(profiles, column, middle):
    """Of blocks with two walls that do the opposite: half the difference of a column at both, from a wall inwards."""
    halves = [[0.5 * (p[-1 - k][column] - p[k][column]) for k in range(len(p) // 2)] for p in profiles]
    line = [abs(profiles[0][k][0] - middle) for k in range(len(profiles[0]) // 2)]
    return line, [mean(h[k] for h in halves) for k in range(len(line))]


def couette(runs):
    # 0.14% of the wall's speed is the error of a bin of 0.125 from 38,416 particles and 60,000 steps, 0.035% of 16
    # times as many: what decides on 1% where the profile is off by 0.9%.
    fluid, standard = runs.fluid, runs.fluid == STANDARD
    edge, steps = fluid["edge"] or runs.size(10.0, 160.0), int(fluid["steps"] or runs.size(24000, 60000))
    unit, speed = fluid["cutoff"], fluid["speed"]
    text = f"""
[box]
size = [{edge * unit}, {edge * unit}, {10.0 * unit}]
[[shape]]
name = "below"
style = "plane"
axis = "z"
at = {2.0 * unit}
[[shape]]
name = "above"
style = "plane"
axis = "z"
at = {8.0 * unit}
side = "above"
""" + runs.wall(name="lower", solid="below", velocity=[-speed, 0.0, 0.0]) + runs.wall(
        name="upper", solid="above", velocity=[speed, 0.0, 0.0]) + f"""
[[measure]]
name = "flow"
axis = "z"
bins = 80
start = 6000
every = 10
window = {(steps - 6000) // 18}
[[output]]
format = "table"
every = 100
columns = ["wall1_stress_x", "wall2_stress_x", "temperature", "wall_strays"]
"""
    profiles, stress, strays = [], [], 0.0
    for home in runs.run("couette" if standard else "couette_" + runs.options.fluid.replace(",", "_"), steps, text):
        runs.tell(home)
        some = blocks(home / "flow.csv", ["velocity_x", "density", "temperature"], 2.0 * unit, 8.0 * unit)
        profiles += [[[row[0] / unit, row[1] / speed, *row[2:]] for row in block] for block in some[:18]]
        late = [row for row in read(home / "thermo.csv") if row["step"] > 6000]
        stress += [0.5 * (row["wall1_stress_x"] - row["wall2_stress_x"]) for row in late]
        strays += max(row["wall_strays"] for row in late)
    middle = [row for row in profiles[0] if abs(row[0] - 5.0) < 1.75]
    first = profiles[0].index(middle[0])
    bulk = range(first, first + len(middle))
    slope, error = mean(fit([p[k][0] - 5.0 for k in bulk], [p[k][1] for k in bulk], (lambda z: z, lambda z: 1.0))[0]
                        for p in profiles)
    tau, tau_error = in_parts(stress)
    print(f"  slip, depth: {1.0 / slope - 3.0:+.4f} +- {error / slope**2:.4f}; strays {strays:.0f}")
    rate, rate_error = slope * speed / unit, error * speed / unit
    viscosity = tau / rate, math.hypot(tau_error / rate, tau * rate_error / rate**2)
    if standard:
        report("viscosity from the wall stress", *viscosity, VISCOSITY, VISCOSITY_ERROR)
    else:
        print(f"  viscosity from the wall stress: {viscosity[0]:.5g} +- {viscosity[1]:.2g}")
    found = bins_mean(profiles, 1)
    off = [v - (row[0] - 5.0) / 3.0 for (v, _), row in zip(found, profiles[0])]
    errors = [e for _, e in found]
    print(f"  velocity off the straight line, in percent of the wall's speed (goal 1): {beyond(0.01, off, errors)} of "
          f"{len(off)} bins beyond 1% and 2.5 s.e.")
    in_percent(off, errors)
    line, both = folded(profiles, 1, 5.0)
    off, errors = [v - z / 3.0 for z, (v, _) in zip(line, both)], [e for _, e in both]
    print(f"  both halves together, from the wall inwards: {beyond(0.01, off, errors)} of {len(off)}")
    in_percent(off, errors)
    n = [[sum(p[k][2] for k in (j, j + 1)) / 2 / (sum(p[k][2] for k in bulk) / len(bulk)) for j in
          range(0, len(p), 2)] for p in profiles]
    n = [mean(p[k] for p in n) for k in range(len(n[0]))]
    print("  density off the bulk's, in percent, quarters of r_c (goal 2):")
    in_percent([v - 1.0 for v, _ in n], [e for _, e in n])


def push_of_plane(z):
    """Integral of the fluid's pair potential over a plane at a distance z, r_c = 1."""
    z = abs(z)
    return math.pi * 25.0 * (1 / 12 - z**2 / 2 + 2 * z**3 / 3 - z**4 / 4) if z < 1.0 else 0.0


def solved(a, b):
    """Of a linear system, by Gauss, without pivots: the diagonal is large."""
    a, b, n = [row[:] for row in a], b[:], len(b)
    for k in range(n):
        for i in range(k + 1, n):
            factor = a[i][k] / a[k][k]
            if factor != 0.0:
                a[i] = [x - factor * y for x, y in zip(a[i], a[k])]
                b[i] -= factor * b[k]
    for k in reversed(range(n)):
        b[k] = (b[k] - sum(a[k][j] * b[j] for j in range(k + 1, n))) / a[k][k]
    return b


def centrifugal(acceleration, bins, width, dense=DENSITY, deep=3.0, per_length=40):
    """Relative density next to a wall that turns, whose solid has the density `dense`: of each of the first bins. Mean
    field: k_BT f(h) + rho int_fluid Phi(h - h') f(h') dh' + rho int_solid Phi (dense / rho - 1) = - U(h), where
    acceleration(h) = - dU/dh = v^2 / r is the fluid's own; far off f = 0."""
    n, dh = round(deep * per_length), 1.0 / per_length
    h = [(k + 0.5) * dh for k in range(n)]
    u, sum_u = [], 0.0
    for x in h:
        sum_u -= acceleration(x) * dh
        u.append(sum_u)
    beyond_end = [(k + 0.5) * dh for k in range(per_length)]
    a = [[DENSITY * dh * push_of_plane(x - y) + (x == y) for y in h] for x in h]
    for row, x in zip(a, h):
        row[-1] += DENSITY * dh * sum(push_of_plane(h[-1] + d + dh / 2 - x) for d in beyond_end)
    solid = [(dense - DENSITY) * dh * sum(push_of_plane(x + d) for d in beyond_end) for x in h]
    f, one = solved(a, [-x - y for x, y in zip(u, solid)]), solved(a, [1.0] * n)
    far = [k for k in range(n) if 1.25 < h[k] < 2.5]
    shift = sum(f[k] for k in far) / sum(one[k] for k in far)
    f = [x - shift * y for x, y in zip(f, one)]
    return [sum(x for x, y in zip(f, h) if k * width < y < (k + 1) * width) / round(width * per_length)
            for k in range(bins)]


def taylor_couette(runs, inner=3.0, outer=8.0, spin=0.4, name="taylor_couette"):
    middle, height = outer + 1.2, runs.size(12.0, 160.0)
    steps = runs.size(44000, 120000)
    first = runs.size(4000, 8000 if outer < 10 else 24000)
    text = f"""
[box]
size = [{2 * middle}, {2 * middle}, {height}]
[[shape]]
name = "bore"
style = "cylinder"
axis = "z"
center = [{middle}, {middle}, 0.0]
radius = {outer}
[[shape]]
name = "core"
style = "cylinder"
axis = "z"
center = [{middle}, {middle}, 0.0]
radius = {inner}
""" + runs.wall(name="outer", solid="not bore") + runs.wall(
        name="inner", solid="core", spin=[0.0, 0.0, spin], about=[middle, middle, 0.0]) + f"""
[[measure]]
style = "cylinder"
name = "shells"
axis = "z"
center = [{middle}, {middle}, 0.0]
inner_radius = {inner}
radius = {outer}
bins = {round(4 * (outer - inner))}
start = {first}
every = 20
window = {(steps - first) // 16}
[[output]]
format = "table"
every = 500
columns = ["wall_strays", "temperature"]
"""
    profiles = []
    for home in runs.run(name, steps, text):
        runs.tell(home)
        profiles += blocks(home / "shells.csv", ["velocity_azimuthal", "density", "temperature"], inner, outer)[:16]
    b = spin * inner**2 * outer**2 / (outer**2 - inner**2)
    a, wall = -b / outer**2, spin * inner
    half = 0.5 * (outer - inner) / len(profiles[0])

    def expected(r):
        """Mean over a shell, by its area."""
        low, high = r - half, r + half
        return (a * (high**3 - low**3) / 3 + b * (high - low)) / (0.5 * (high**2 - low**2))

    found = bins_mean(profiles, 1)
    print("  v(r) off theory, in percent of the cylinder's speed (goal 3), shells of a quarter:")
    in_percent([(v - expected(row[0])) / wall for (v, _), row in zip(found, profiles[0])], [e / wall for _, e in found])
    print("  density off the mean, in percent:")
    n = bins_mean(profiles, 2)
    area = [row[0] for row in profiles[0]]
    whole = sum(v * r for (v, _), r in zip(n, area)) / sum(area)
    in_percent([v / whole - 1.0 for v, _ in n], [e / whole for _, e in n])
    far = [k for k, r in enumerate(area) if inner + 1.25 < r < inner + 2.5]
    rest = sum(n[k][0] * area[k] for k in far) / sum(area[k] for k in far)
    print("  the first six by the density 1.25 to 2.5 off the inner cylinder, and what centrifugal force makes of it:")
    in_percent([v / rest - 1.0 for v, _ in n[:6]], [e / rest for _, e in n[:6]])
    in_percent(centrifugal(lambda h: (a * (inner + h) + b / (inner + h))**2 / (inner + h), 6, 2.0 * half), [0.0])
    inside = [k for k, row in enumerate(profiles[0]) if inner + 1.0 < row[0] < outer - 1.0]
    fits = [fit([p[k][0] for k in inside], [p[k][1] for k in inside], (lambda r: r, lambda r: 1.0 / r))
            for p in profiles]
    for k, (letter, wanted) in enumerate((("A", a), ("B", b))):
        report(letter, *mean(f[k] for f in fits), wanted)
    at_wall = mean(f[0] * inner + f[1] / inner for f in fits)
    shear = 2.0 * b / inner**2
    print(f"  the bulk's profile meets the inner cylinder's speed {(at_wall[0] - wall) / shear:+.4f} +- "
          f"{at_wall[1] / shear:.4f} outside of it")


def sphere(runs, edge=10.0, radius=2.5, push=None, cells=None, name="sphere"):
    cells = cells or 1
    c = 4.0 / 3.0 * math.pi * radius**3 / edge**3
    k = 1.0 - 1.7601 * c**(1 / 3) + c - 1.5593 * c**2 + 3.9799 * c**(8 / 3) - 3.0734 * c**(10 / 3)
    speed = 0.8 * VISCOSITY / (DENSITY * radius)  # a Reynolds number of 0.8
    # The uniform push on the fluid is a pressure gradient of -push rho, which in the whole cell is balanced by the
    # sphere: the drag that Hasimoto's K is of, with the gradient's own force on the sphere, is push rho L^3.
    push = round(6.0 * math.pi * VISCOSITY * radius * speed / (k * DENSITY * edge**3), 5)
    expected = push * DENSITY * edge**3 * k / (6.0 * math.pi * VISCOSITY * radius)
    # The cell's momentum forgets in 2,650 steps (radius 2.5), 6,800 (4): 0.7% and 0.9% of the velocity from so many.
    cells, steps, first = runs.size(cells, 2), runs.size(120000, 600000), runs.size(6000, 12000)
    places = [[edge * (x + 0.5) for x in (i, j, l)] for i in range(cells) for j in range(cells) for l in range(cells)]
    shapes = "".join(f'[[shape]]\nname = "b{n}"\nstyle = "sphere"\ncenter = {place}\nradius = {radius}\n'
                     for n, place in enumerate(places))
    text = f"""
[box]
size = [{cells * edge}, {cells * edge}, {cells * edge}]
""" + shapes + runs.wall(name="balls", solid=" or ".join(f"b{n}" for n in range(len(places)))) + f"""
[[drive]]
style = "constant"
acceleration = [0.0, 0.0, {push}]
[[output]]
format = "table"
every = 50
columns = ["wall_force_z", "momentum_z", "temperature", "wall_strays"]
"""
    speeds, forces = [], []
    fluid = DENSITY * (1.0 - c) * (cells * edge)**3
    for home in runs.run(name, steps, text):
        runs.tell(home)
        late = [row for row in read(home / "thermo.csv") if row["step"] > first]
        speeds += [row["momentum_z"] / (DENSITY * (cells * edge)**3) for row in late]
        forces += [row["wall_force_z"] for row in late]
    report("force on the spheres", *in_parts(forces), fluid * push)
    value, error = in_parts(speeds, 20)
    print(f"  Reynolds number {DENSITY * value * radius / VISCOSITY:.2f}")
    report("mean velocity of the cell (goal 3%)", value, error, expected, expected * VISCOSITY_ERROR / VISCOSITY)


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
    radius, length = 3.4, runs.size(8.0, 64.0)
    # A polygon of 96 sides of the circle's area.
    scale = math.sqrt(math.pi / (48 * math.sin(2 * math.pi / 96)))
    write_tube(runs.options.work / "tube.stl", radius * scale, length)
    steps, flows = runs.size(24000, 60000), {}
    for kind, shape in (("primitive", f'style = "cylinder"\naxis = "z"\nradius = {radius}'),
                        ("stl", f'style = "stl"\nfile = "{runs.options.work}/tube.stl"')):
        text = f"""
[box]
size = [9.0, 9.0, {length}]
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
        momentum = []
        for home in runs.run("tube_" + kind, steps, text):
            runs.tell(home)
            momentum += [row["momentum_z"] for row in read(home / "thermo.csv") if row["step"] > 4000]
        flows[kind] = in_parts(momentum, 20)
    theory = DENSITY**2 * 0.1 * math.pi * radius**4 * length / (8.0 * VISCOSITY)
    report("momentum in the tube of primitives (goal 3%)", *flows["primitive"], theory,
           theory * VISCOSITY_ERROR / VISCOSITY)
    report("the same from triangles (goal 3%)", *flows["stl"], *flows["primitive"])


def inflow(runs):
    wide, steps = runs.size(6.0, 40.0), runs.size(24000, 60000)
    text = f"""
[box]
size = [20.0, {wide}, 7.0]
[[shape]]
name = "gap"
style = "slab"
axis = "z"
from = 1.0
to = 6.0
""" + runs.wall(name="plates", solid="not gap") + f"""
[[inflow]]
along = "x"
from = 0.0
to = 5.0
velocity = 0.6
rate = 10.0
profile = "slit"
across = "z"
lower = 1.0
upper = 6.0
[[measure]]
name = "along"
axis = "x"
bins = 10
start = 8000
every = 10
window = {(steps - 8000) // 16}
[[output]]
format = "table"
every = 200
columns = ["inflows", "wall_force_x", "temperature", "wall_strays"]
"""
    fluxes, speeds, forces, walls = [], [], [], []
    for home in runs.run("inflow", steps, text):
        runs.tell(home)
        fluxes += blocks(home / "along.csv", ["velocity_x"])[:16]
        late = [row for row in read(home / "thermo.csv") if row["step"] > 8000]
        speeds += [row["inflow1_velocity"] for row in late]
        forces += [row["inflow1_force"] for row in late]
        walls += [row["wall_force_x"] for row in late]
    report("mean velocity in the region", *in_parts(speeds), 0.6)
    found = bins_mean(fluxes, 1)
    print("  mean velocity of each tenth of the channel:")
    in_percent([v / 0.6 - 1.0 for v, _ in found], [e / 0.6 for _, e in found])
    report("force of the region by that on the walls", in_parts(forces)[0] / in_parts(walls)[0],
           math.hypot(in_parts(forces)[1], in_parts(walls)[1]) / in_parts(walls)[0], 1.0)


def figure(runs, name, kind):
    home = runs.options.work / name
    deck = ROOT / f"examples/large/{name}.toml"
    runs.run_deck(home, deck.read_text(encoding="utf-8"))
    for file in home.glob("checkpoint-*.h5"):
        file.unlink()
    runs.tell(home)
    done = subprocess.run([sys.executable, ROOT / "scripts/flow-solutions", kind, home], capture_output=True, text=True)
    print("  " + (done.stdout + done.stderr).strip().replace("\n", "\n  "))


CASES = {
    "couette": couette,
    "taylor-couette": taylor_couette,
    "taylor-couette-slow": lambda runs: taylor_couette(runs, spin=0.2, name="taylor_couette_slow"),
    "taylor-couette-wide": lambda runs: taylor_couette(runs, 6.0, 16.0, 0.2, "taylor_couette_wide"),
    "sphere": sphere,
    "sphere-large": lambda runs: sphere(runs, 16.0, 4.0, name="sphere_large"),
    "stl": stl,
    "inflow": inflow,
    "figure5": lambda runs: figure(runs, "tdpd_poiseuille", "poiseuille"),
    "figure6": lambda runs: figure(runs, "tdpd_tube", "tube"),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="CASE")
    parser.add_argument("--program", default=ROOT / "build/release/mesowarp")
    parser.add_argument("--work", type=Path, default=ROOT / "build/validate_walls")
    parser.add_argument("--size", choices=("small", "gpu"), default="small")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--method", choices=("frozen", "effective"), default="frozen")
    parser.add_argument("--friction", type=float)
    parser.add_argument("--fluid", default="")
    parser.add_argument("--no-run", action="store_true")
    options = parser.parse_args()
    unknown = [case for case in options.cases if case not in CASES]
    if unknown:
        sys.exit(f"error: there is no case {unknown[0]}: take some of {', '.join(CASES)}")
    if options.fluid and options.cases != ["couette"]:
        sys.exit("error: --fluid is for the case couette alone")
    options.work = options.work.resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    runs = Runs(options)
    for case in options.cases or CASES:
        print(case, flush=True)
        CASES[case](runs)


if __name__ == "__main__":
    main()
