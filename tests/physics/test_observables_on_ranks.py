"""Every column of the table, average of the summary, profile and time, recomputed in numpy (tests/shared/pair_model.py) from a
trajectory in double precision: boxes with three different edges, masses that differ, periodic and walled axes, drives, bonds,
profiles along each axis from a later step on; on one rank and on four. Bodies likewise."""
import csv
import math
import re
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from observables import read_table  # noqa: E402
from pair_model import COMPONENTS, Dpd, LennardJones, Model, block_average, profile_blocks  # noqa: E402
from program import ProgramTest, mesowarp, summary  # noqa: E402

RECORD = """
[[output]]
format = "table"
every = {every}
columns = {columns}
[[output]]
format = "trajectory"
every = {every}
precision = "double"
fields = ["position", "image", "velocity", "force"]
"""

HEAD = """
[run]
steps = {steps}
timestep = {timestep}
seed = 20260101234
precision = "{precision}"
temperature = 1.2
[neighbor]
rebuild = "every"
every = 2
skin = 0.4
"""

# Two fluids of masses 1 and 2.5 and chains, driven along x and y, opposite ways in the halves across z.
DRIVEN = HEAD + """
[box]
size = [7.0, 6.0, 5.6]
[[population]]
name = "light"
species = "A"
count = 180
[[population]]
name = "heavy"
species = "B"
count = 120
mass = 2.5
velocity = [0.3, -0.2, 0.1]
[[population]]
name = "chain"
kind = "polymer"
blocks = "CCC"
count = 30
mass = 1.5
bond_length = 0.5
[[interaction]]
between = "*"
a = 25.0
gamma = 4.5
[[interaction]]
between = ["A", "B"]
a = 40.0
gamma = 9.0
cutoff = 0.9
[[bond]]
population = "chain"
k = 30.0
r0 = 0.4
[[drive]]
style = "constant"
acceleration = [0.9, 0.4, 0.0]
[[drive]]
style = "double-poiseuille"
acceleration = [0.0, 1.5, 0.0]
across = "z"
"""

# Lennard-Jones particles of two kinds between walls that reflect.
REFLECTED = HEAD + """
[box]
size = [9.7, 6.4, 6.0]
periodic = [true, true, false]
[[boundary]]
face = "z"
style = "bounce-forward"
[[population]]
name = "light"
species = "A"
initial = "file"
file = "light.data"
[[population]]
name = "heavy"
species = "B"
initial = "file"
file = "heavy.data"
mass = 3.0
[[interaction]]
between = "*"
style = "lj"
epsilon = 0.8
sigma = 1.0
cutoff = 1.9
[[interaction]]
between = ["A", "B"]
style = "lj"
epsilon = 1.1
sigma = 0.9
cutoff = 2.0
"""

# A fluid of masses 1 and 2 with FENE chains between walls without slip along x and mirrors along y, falling along z.
CHANNEL = HEAD + """
[box]
size = [6.0, 7.0, 5.6]
periodic = [false, false, true]
[[boundary]]
face = "x"
style = "bounce-back"
[[boundary]]
face = "y"
style = "bounce-forward"
[[population]]
name = "light"
species = "A"
count = 200
[[population]]
name = "heavy"
species = "B"
count = 100
mass = 2.0
[[population]]
name = "chain"
kind = "polymer"
blocks = "BAB"
count = 25
bond_length = 0.5
mass = 1.0
letters = {{ B = "C", A = "D" }}
[[interaction]]
between = "*"
a = 18.0
gamma = 6.0
exponent = 0.5
[[interaction]]
between = ["A", "B"]
a = 30.0
gamma = 3.0
exponent = 2.0
[[bond]]
population = "chain"
style = "fene"
k = 12.0
r_max = 2.5
[[drive]]
style = "constant"
acceleration = [0.0, 0.0, 2.0]
"""

PROFILE = """
[[measure]]
style = "profile"
name = "{name}"
axis = "{axis}"
bins = {bins}
start = {start}
every = {every}
window = {window}
"""
# start is no multiple of a window; windows of one sample, of fewer than errors need, of more than sub-blocks.
PROFILES = [("across", "z", 7, 9, 3, 15), ("upwards", "y", 5, 6, 3, 72), ("along", "x", 4, 12, 6, 0), ("single", "y", 3, 21, 3, 3),
            ("whole", "z", 6, 0, 3, 30)]


def columns_of(method):
    """All that the grammar knows, for particles or bodies."""
    row = next(line for line in mesowarp("reference").stdout.splitlines() if line.startswith("| `columns`"))
    names = re.findall(r'`"(\w+)"`', row.split("|")[5])
    of_bodies = {name for name in names if name.startswith("angular") or name == "virial_ratio"}
    of_boxes = {name for name in names if name.startswith(("pressure", "net_force")) or name == "rebuilds"}
    return [name for name in names if name not in (of_boxes if method == "bodies" else of_bodies)]


def read_frames(output):
    """Steps, times and per-particle values of each frame, in the order of tags."""
    with h5py.File(output / "trajectory.h5") as file:
        group = file["particles/all"]
        frames = {name: group[f"{name}/value"][()] for name in ("position", "velocity", "force")}
        steps = group["position/step"][()]
        for name in frames:
            np.testing.assert_array_equal(group[f"{name}/step"][()], steps)
            np.testing.assert_array_equal(group[f"{name}/time"][()], group["position/time"][()])
        bonds = file["connectivity/bonds"][()] if "connectivity" in file else np.zeros((0, 2), dtype=int)
        return {"steps": steps, "time": group["position/time"][()], "species": group["species"][()], "mass": group["mass"][()],
                "bonds": np.asarray(bonds).astype(int) if len(bonds) else np.zeros((0, 2), dtype=int), **frames}


class ObservablesTest(ProgramTest):
    def run_deck(self, text, ranks, name):
        output = self.home / f"{name}-{ranks}"
        self.run_well(self.deck(text, f"{name}.toml"), "--output", output, "--quiet", ranks=ranks)
        return output

    def check_bookkeeping(self, output, frames, timestep, particles):
        """Times, steps, speeds and the summary's words for them."""
        table, result = read_table(output / "thermo.csv"), summary(output)
        np.testing.assert_array_equal(table["step"], frames["steps"])
        for time in (table["time"], frames["time"]):
            np.testing.assert_allclose(time, frames["steps"] * timestep, rtol=1e-14)
        # At the row of step k the clock has seen k - 1 steps.
        np.testing.assert_allclose(table["particle_steps_per_second"][1:] * table["wall_time"][1:],
                                   (frames["steps"][1:] - 1) * particles, rtol=1e-9)
        self.assertTrue((np.diff(table["wall_time"]) > 0).all())
        last = int(frames["steps"][-1])
        self.assertEqual((result["first_step"], result["last_step"], result["steps"], result["particles"], result["status"]),
                         (0, last, last, particles, "finished"))
        self.assertGreaterEqual(result["wall_s"], table["wall_time"][-1])
        self.assertAlmostEqual(result["particle_steps_per_second"] * result["wall_s"] / (last * particles), 1.0, places=9)

    def check_averages(self, output):
        """The summary's averages of every column that is physics."""
        table, averages = read_table(output / "thermo.csv"), summary(output)["averages"]
        none = {"step", "time", "wall_time", "particle_steps_per_second", "rebuilds"}
        names = [name for name in table if name not in none]
        rows = len(table["step"])
        self.assertEqual(averages.pop("rows"), rows - rows // 2)
        averages.pop("relative_energy_error", None)
        self.assertEqual(set(averages), set(names) | {f"{name}_error" for name in names})
        for name in names:
            mean, error = block_average(table[name])
            np.testing.assert_allclose([averages[name], averages[f"{name}_error"]], [mean, error], rtol=1e-9,
                                       atol=1e-13 * np.abs(table[name]).max(), err_msg=name)

    def check_columns(self, table, expected, scale, tolerance):
        """expected: name -> values; scale: name -> what a rounding is measured by. Returns the names."""
        for name, values in expected.items():
            worst = np.abs(np.asarray(values) - table[name]).max()
            self.assertLess(worst, tolerance * scale.get(name, np.abs(values).max()), name)
        return set(expected)


class ParticlesTest(ObservablesTest):
    """What is the same for each deck; run by the classes below."""

    BOOKKEEPING = {"step", "time", "wall_time", "particle_steps_per_second", "rebuilds"}

    def particle_table(self, model, frames, freedom):
        """Each row's quantities from the frame of its step."""
        rows = []
        volume = model.size.prod()
        for step, x, v, f in zip(frames["steps"], frames["position"], frames["velocity"], frames["force"]):
            pair, potential, virial = model.evaluate(x, model.friction_velocity(step, v, f), int(step))
            np.testing.assert_allclose(pair + model.drive(x), f, rtol=0, atol=1e-7 * np.abs(f).max(), err_msg=f"forces, step {step}")
            m = model.mass[:, None]
            kinetic = {name: (model.mass * v[:, a] * v[:, b]).sum() for name, (a, b) in COMPONENTS.items()}
            row = {f"pressure_{name}": (kinetic[name] + virial[name]) / volume for name in COMPONENTS}
            row["pressure"] = (row["pressure_xx"] + row["pressure_yy"] + row["pressure_zz"]) / 3
            row["temperature"] = (m * v * v).sum() / freedom
            row["kinetic_energy"], row["potential_energy"] = (m * v * v).sum() / 2, potential
            row["total_energy"] = row["kinetic_energy"] + potential
            for axis, name in enumerate("xyz"):
                row[f"momentum_{name}"] = (m[:, 0] * v[:, axis]).sum()
                row[f"net_force_{name}"] = 0.0  # of particles on each other; to the last bit in test_net_force
            rows.append(row)
        return {name: np.array([row[name] for row in rows]) for name in rows[0]}

    def check(self, text, ranks, name, make_model, conserved, timestep=0.005, steps=90):
        every = 3
        text = text.format(steps=steps, timestep=timestep, precision="double")
        text += RECORD.format(every=every, columns=str(columns_of("particles")).replace("'", '"'))
        text += "".join(PROFILE.format(name=n, axis=a, bins=b, start=s, every=e, window=w) for n, a, b, s, e, w in PROFILES)
        output = self.run_deck(text, ranks, name)
        self.assertEqual(summary(output)["ranks"], ranks)
        frames = read_frames(output)
        count = len(frames["species"])
        model = make_model(frames)
        table = read_table(output / "thermo.csv")
        expected = self.particle_table(model, frames, 3 * count - conserved)
        pressure = max(np.abs(expected[f"pressure_{c}"]).max() for c in COMPONENTS)
        scale = {name: pressure for name in expected if name.startswith("pressure")}
        scale |= {f"net_force_{c}": np.abs(frames["force"]).max() for c in "xyz"} | {f"momentum_{c}": np.sqrt(count) for c in "xyz"}
        checked = self.check_columns(table, expected, scale, 3e-9)
        self.assertEqual(set(table), checked | self.BOOKKEEPING)
        # Each component says something of its own, and so does each sign.
        off = [np.abs(expected[f"pressure_{c}"]).max() / pressure for c in ("xy", "xz", "yz")]
        self.assertGreater(min(off), 0.01)
        np.testing.assert_array_equal(table["rebuilds"], 1 + table["step"] // 2)
        self.check_bookkeeping(output, frames, timestep, count)
        self.check_averages(output)
        for profile in PROFILES:
            self.check_profile(output, frames, model, profile, steps)
        return output, frames, model

    def check_profile(self, output, frames, model, profile, last):
        name, axis, bins, start, every, window = profile
        samples = {int(step): (x, v) for step, x, v in zip(frames["steps"], frames["position"], frames["velocity"])}
        blocks = profile_blocks(samples, model.mass, model.size, "xyz".index(axis), bins, start, every, window, last)
        with open(output / f"{name}.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), bins * len(blocks), name)
        columns = set(rows[0]) - {"block"}
        self.assertEqual(columns, set(blocks[0]))
        with h5py.File(output / f"{name}.h5") as file:
            stored = file["coordinate"].attrs["axis"]
            self.assertEqual(stored.decode() if isinstance(stored, bytes) else stored, axis)
            series = {key: file[key][()] for key in file}
        for b, block in enumerate(blocks):
            here = rows[bins * b:bins * (b + 1)]
            self.assertEqual({row["block"] for row in here}, {str(b)})
            for column in columns:
                found = np.array([float(row[column] or "nan") for row in here])
                if column.endswith("_error") and block["samples"] < 4:
                    self.assertEqual({row[column] for row in here}, {""}, "errors of a few samples")
                expected = np.broadcast_to(np.asarray(block[column], dtype=float), bins)
                np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7, err_msg=f"{name} {column} block {b}")
                parts = re.fullmatch(r"velocity_([xyz])(_error)?", column)
                stored = series[f"velocity{parts[2] or ''}"][b][:, "xyz".index(parts[1])] if parts else \
                    series[column] if column == "coordinate" else series[column][b]
                np.testing.assert_array_equal(np.broadcast_to(stored, bins), found, err_msg=f"{name}.h5 {column}")


def model_of(frames, size, periodic, interactions, **more):
    return Model(np.array(size), periodic, 0.005, 20260101234, frames["species"], frames["mass"], interactions, temperature=1.2,
                 bonds=frames["bonds"], **more)


def driven(frames):
    usual = {(i, j): Dpd(25.0, 4.5) for i in range(3) for j in range(i, 3)}
    return model_of(frames, [7.0, 6.0, 5.6], (True, True, True), usual | {(0, 1): Dpd(40.0, 9.0, 0.9)}, bond=("harmonic", 30.0, 0.4),
                    acceleration=(0.9, 0.4, 0.0), halves=(2, (0.0, 1.5, 0.0)))


def reflected(frames):
    return model_of(frames, [9.7, 6.4, 6.0], (True, True, False),
                    {(0, 0): LennardJones(0.8, 1.0, 1.9), (1, 1): LennardJones(0.8, 1.0, 1.9), (0, 1): LennardJones(1.1, 0.9, 2.0)})


def channel(frames):
    usual = {(i, j): Dpd(18.0, 6.0, 1.0, 0.5) for i in range(4) for j in range(i, 4)}
    return model_of(frames, [6.0, 7.0, 5.6], (False, False, True), usual | {(0, 1): Dpd(30.0, 3.0, 1.0, 2.0)},
                    bond=("fene", 12.0, 2.5), acceleration=(0.0, 0.0, 2.0))


class Particles(ParticlesTest):
    def test_driven_fluid_of_two_masses_with_chains(self):
        for ranks in (1, 4):
            _, frames, _ = self.check(DRIVEN, ranks, "driven", driven, conserved=3)
            self.assertEqual(sorted(set(frames["mass"])), [1.0, 1.5, 2.5])
            self.assertEqual(len(frames["bonds"]), 60)

    def write_lattice(self):
        """Particles of both kinds on one lattice, as LAMMPS data."""
        random = np.random.default_rng(8)
        sites = (np.indices((8, 5, 5)).reshape(3, -1).T + 0.5) * np.array([9.7 / 8, 6.4 / 5, 6.0 / 5])
        sites = sites[random.permutation(len(sites))]
        for name, mass, rows in (("light", 1.0, sites[:110]), ("heavy", 3.0, sites[110:])):
            speeds = random.normal(size=rows.shape) * math.sqrt(1.2 / mass)
            edges = "".join(f"0 {edge} {axis}lo {axis}hi\n" for edge, axis in zip((9.7, 6.4, 6.0), "xyz"))
            lines = [f"{name}\n\n{len(rows)} atoms\n1 atom types\n{edges}\nMasses\n\n1 {mass}\n\nAtoms # atomic\n"]
            lines += [f"{k + 1} 1 {x} {y} {z}" for k, (x, y, z) in enumerate(rows)] + ["\nVelocities\n"]
            lines += [f"{k + 1} {x} {y} {z}" for k, (x, y, z) in enumerate(speeds)]
            self.deck("\n".join(lines) + "\n", f"{name}.data")

    def test_between_mirrors(self):
        self.write_lattice()
        for ranks in (1, 4):
            output, _, _ = self.check(REFLECTED, ranks, "reflected", reflected, conserved=2)
            energy = read_table(output / "thermo.csv")["total_energy"]
            self.assertAlmostEqual(summary(output)["averages"]["relative_energy_error"],
                                   np.abs(energy / energy[0] - 1).max(), places=12)

    def test_channel_without_slip(self):
        for ranks in (1, 4):
            self.check(CHANNEL, ranks, "channel", channel, conserved=0)

    def test_net_force(self):
        """Zero but for rounding, which in single precision is large enough to be recomputed: the sum of the forces, sign and all."""
        text = DRIVEN.split("[[drive]]")[0].format(steps=20, timestep=0.005, precision="single")
        text += RECORD.format(every=1, columns='["net_force_x", "net_force_y", "net_force_z"]')
        for ranks in (1, 4):
            output = self.run_deck(text, ranks, "net")
            table, force = read_table(output / "thermo.csv"), read_frames(output)["force"]
            for axis, name in enumerate("xyz"):
                expected = np.array([math.fsum(f[:, axis]) for f in force])
                self.assertGreater(np.abs(expected).max(), 1e-5)
                np.testing.assert_allclose(table[f"net_force_{name}"], expected, rtol=0, atol=1e-9)


STARS = """
[run]
steps = {steps}
timestep = 0.015625
seed = 4
precision = "double"
[integrator]
style = "{style}"
[[population]]
name = "stars"
kind = "bodies"
species = "star"
initial = "plummer"
count = {count}
total_mass = 1.0
radius = 0.6
velocity = [0.2, -0.1, 0.05]
center = [1.0, 2.0, -0.5]
"""
SECOND_CLUSTER = """
[[population]]
name = "giants"
kind = "bodies"
species = "giant"
initial = "plummer"
count = 17
total_mass = 0.5
radius = 0.4
center = [-1.0, 0.5, 0.5]
"""
GRAVITY = """
[[interaction]]
between = "*"
style = "gravity"
constant = 1.3
softening = 0.05
"""


class Bodies(ObservablesTest):
    def test_stars(self):
        for style, ranks in (("hermite", 1), ("hermite", 4), ("leapfrog", 1), ("hermite-block", 4)):
            text = STARS.format(steps=44, style=style, count=90) + SECOND_CLUSTER + GRAVITY
            text += RECORD.format(every=2, columns=str(columns_of("bodies")).replace("'", '"'))
            output = self.run_deck(text, ranks, style)
            frames, table = read_frames(output), read_table(output / "thermo.csv")
            expected = self.body_table(frames, 3 * 107 - 3, exact=style == "leapfrog")
            energies = {name: np.abs(expected["kinetic_energy"]).max() for name in expected}
            checked = self.check_columns(table, expected, energies, 1e-12)
            self.assertEqual(set(table), checked | {"step", "time", "wall_time", "particle_steps_per_second"})
            self.check_bookkeeping(output, frames, 0.015625, 107)
            self.check_averages(output)
            energy = table["total_energy"]
            np.testing.assert_allclose(summary(output)["averages"]["relative_energy_error"], np.abs(energy / energy[0] - 1).max(),
                                       rtol=1e-8)
            log = (output / "run.log").read_text(encoding="utf-8")
            self.assertRegex(log, r"energy -0\.\d+ ± 0\.0+\d\d, virial ratio 0\.\d+ ± 0\.0+\d\d, largest relative energy error \d")

    @staticmethod
    def body_table(frames, freedom, exact):
        m, rows = frames["mass"], []
        for x, v, f in zip(frames["position"], frames["velocity"], frames["force"]):
            r = x[:, None, :] - x[None, :, :]
            square = (r * r).sum(axis=2) + 0.05**2
            pull = -1.3 * (m[:, None] * m[None, :] / square**1.5)[:, :, None] * r
            # Hermite's acceleration is that of the predicted places, which the corrected ones are near to.
            np.testing.assert_allclose(f, pull.sum(axis=1), rtol=0, atol=(1e-12 if exact else 3e-3) * np.abs(f).max())
            potential = -1.3 * (np.triu(m[:, None] * m[None, :] / np.sqrt(square), 1)).sum()
            kinetic = (m * (v * v).sum(axis=1)).sum() / 2
            centre = (m[:, None] * x).sum(axis=0) / m.sum()
            row = {"kinetic_energy": kinetic, "potential_energy": potential, "total_energy": kinetic + potential,
                   "temperature": 2 * kinetic / freedom, "virial_ratio": -kinetic / ((x - centre) * f).sum()}
            for axis, name in enumerate("xyz"):
                row[f"momentum_{name}"] = (m * v[:, axis]).sum()
                row[f"angular_momentum_{name}"] = (m * np.cross(x, v)[:, axis]).sum()
            rows.append(row)
        return {name: np.array([row[name] for row in rows]) for name in rows[0]}

    def test_the_virial_is_taken_about_the_centre_of_mass(self):
        """Far from the origin, with forces of single precision, whose sum is not zero."""
        text = STARS.format(steps=4, style="leapfrog", count=90).replace('"double"', '"single"') + GRAVITY
        text = text.replace("center = [1.0, 2.0, -0.5]", "center = [2e4, -3e4, 1e4]")
        output = self.run_deck(text + RECORD.format(every=1, columns='["virial_ratio", "kinetic_energy"]'), 1, "far")
        frames, table = read_frames(output), read_table(output / "thermo.csv")
        x, f = frames["position"], frames["force"]
        about_origin = -table["kinetic_energy"] / (x * f).sum(axis=(1, 2))
        self.assertGreater(np.abs(about_origin / table["virial_ratio"] - 1).max(), 1e-4)
        virial = ((x - x.mean(axis=1, keepdims=True)) * f).sum(axis=(1, 2))
        np.testing.assert_allclose(table["virial_ratio"], -table["kinetic_energy"] / virial, rtol=1e-8)

    def test_ions_in_a_thermostat_have_all_degrees_of_freedom(self):
        text = """
[run]
steps = 20
timestep = 0.002
precision = "double"
temperature = 0.7
[integrator]
style = "langevin"
friction = 2.0
[electrostatics]
dielectric = "constant"
[[population]]
name = "ions"
kind = "bodies"
species = "A"
initial = "lattice"
count = 20
spacing = 1.2
charge = 0.3
[[interaction]]
between = "*"
style = "lj-coulomb"
""" + RECORD.format(every=4, columns='["temperature", "kinetic_energy", "potential_energy"]')
        output = self.run_deck(text, 1, "ions")
        frames, table = read_frames(output), read_table(output / "thermo.csv")
        twice = (frames["velocity"] ** 2).sum(axis=(1, 2))
        np.testing.assert_allclose(table["temperature"], twice / 60, rtol=1e-12)
        np.testing.assert_allclose(table["kinetic_energy"], twice / 2, rtol=1e-12)
        for x, potential in zip(frames["position"], table["potential_energy"]):
            i, j = np.triu_indices(len(x), 1)
            r = np.linalg.norm(x[i] - x[j], axis=1)
            np.testing.assert_allclose(potential, (4 * (r**-12 - r**-6) + 0.09 / r).sum(), rtol=1e-10)
        self.assertNotIn("relative_energy_error", summary(output)["averages"])

    def test_plummers_sphere(self):
        """Places and speeds of 30,000 stars: q = v / v_escape has the density q^2 (1 - q^2)^(7/2), the mass within r is
        r^3 / (1 + r^2)^(3/2) up to 0.999; 1% less speed is five standard errors."""
        count, gravity = 30000, 1.3
        text = STARS.format(steps=0, style="leapfrog", count=count).replace('"double"', '"single"')
        text = text.replace("velocity = [0.2, -0.1, 0.05]\n", "")  # a cluster that drifts has more of it in its virial ratio
        output = self.run_deck(text + GRAVITY.replace("0.05", "0.0") + RECORD.format(every=1, columns='["virial_ratio"]'), 1, "plummer")
        frames = read_frames(output)
        x = (frames["position"][0] - np.array([1.0, 2.0, -0.5])) / 0.6
        v = frames["velocity"][0] / math.sqrt(gravity / 0.6)
        r = np.linalg.norm(x, axis=1)
        q = np.linalg.norm(v, axis=1) / (math.sqrt(2.0) * (1 + r * r) ** -0.25)
        within = np.sort(r**3 / (1 + r * r) ** 1.5 / 0.999)
        grid = np.linspace(0.0, 1.0, 20001)
        density = grid**2 * (1 - grid**2) ** 3.5
        cumulative = np.concatenate([[0.0], np.cumsum((density[1:] + density[:-1]) / 2)])
        share = np.sort(np.interp(q, grid, cumulative / cumulative[-1]))
        for name, values in (("radii", within), ("speeds", share)):  # uniform: Kolmogorov and Smirnov, 1.63 is 1 in 100
            distance = np.abs(values - (np.arange(count) + 0.5) / count).max() * math.sqrt(count)
            self.assertLess(distance, 1.63, name)
        # <q^2> = 1/4, <q^4> = 5/56
        error = math.sqrt((5 / 56 - 1 / 16) / count)
        self.assertLess(abs((q * q).mean() - 0.25), 3 * error)
        for vectors, size in ((x, r), (v, np.linalg.norm(v, axis=1))):  # no direction is preferred
            unit = vectors / size[:, None]
            self.assertLess(np.abs(unit.mean(axis=0)).max(), 4 * math.sqrt(1 / 3 / count))
            self.assertLess(np.abs((unit**2).mean(axis=0) - 1 / 3).max(), 4 * math.sqrt(4 / 45 / count))
        # In equilibrium: 1/2; the spread over seeds of this size is 0.0016.
        self.assertAlmostEqual(read_table(output / "thermo.csv")["virial_ratio"][0], 0.5, delta=0.006)


if __name__ == "__main__":
    unittest.main(verbosity=2)
