"""A collision solvent as a user meets it: its viscosity from a flow, ranks and threads, resumed runs, and what `check`
says."""
import math
import re
import shutil
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from observables import read_table  # noqa: E402
from program import CHECKPOINTS, ProgramTest, mesowarp, summary  # noqa: E402
from solvent_theory import andersen_viscosity, rotation_viscosity  # noqa: E402

SOLVENT = """
[run]
steps = 60
timestep = 0.1
seed = 5
[box]
size = [30.0, 30.0, 16.0]
[[population]]
name = "solvent"
kind = "mpcd"
density = 3.0
[collision]
thermostat = "maxwell-boltzmann"
[[output]]
format = "table"
every = 10
[[output]]
format = "trajectory"
every = 20
[[measure]]
axis = "y"
bins = 7
every = 5
""" + CHECKPOINTS
WATER = """
[[population]]
name = "water"
species = "W"
density = 1.0
[[interaction]]
between = "*"
style = "dpd"
a = 25.0
gamma = 4.5
"""
FLOW = """
[run]
steps = 40000
timestep = 0.1
seed = 3
[box]
size = [24.0, 6.0, 6.0]
[[population]]
name = "solvent"
kind = "mpcd"
density = 10.0
[collision]
{collision}
[[drive]]
style = "{drive}"
acceleration = [0.0, {g}, 0.0]
across = "x"
[[measure]]
axis = "x"
bins = 24
start = 1000
every = 10
window = 1950
"""
HEAVY = """
[[population]]
name = "heavy"
kind = "mpcd"
density = 2.0
mass = {mass}
"""
MIXTURE = """
[run]
steps = {steps}
timestep = 0.1
seed = 11
precision = "double"
[box]
size = [16.0, 16.0, 16.0]
[[population]]
name = "light"
kind = "mpcd"
density = 6.0
""" + HEAVY.format(mass=5.0) + """
[collision]
{collision}
[[output]]
format = "trajectory"
every = {every}
precision = "double"
"""
KEEPS_TURNING = 'thermostat = "maxwell-boltzmann"\nconserve_angular_momentum = true'
WALL_COLUMNS = {"wall_time", "particle_steps_per_second"}


class Solvent(ProgramTest):
    def run_deck(self, text, name, *arguments, ranks=1):
        out = self.home / name
        self.run_well(self.deck(text, name + ".toml"), "--output", out, "--quiet", *arguments, ranks=ranks)
        return out

    def assert_same(self, one, other):
        self.assertEqual(summary(one)["state_hash"], summary(other)["state_hash"])
        ones, others = read_table(one / "thermo.csv"), read_table(other / "thermo.csv")
        for column in ones.keys() - WALL_COLUMNS:
            np.testing.assert_array_equal(ones[column], others[column], err_msg=column)
        with h5py.File(one / "trajectory.h5") as a, h5py.File(other / "trajectory.h5") as b:
            for field in ("position/value", "velocity/value"):
                np.testing.assert_array_equal(a["particles/all"][field][()], b["particles/all"][field][()])
        with h5py.File(one / "profile_y.h5") as a, h5py.File(other / "profile_y.h5") as b:
            np.testing.assert_array_equal(a["velocity"][()], b["velocity"][()])

    def test_ranks_and_threads(self):
        for style in ("", 'style = "andersen"', "mixture", KEEPS_TURNING):
            text = SOLVENT.replace('thermostat = "maxwell-boltzmann"', style) if style else SOLVENT
            if style == "mixture":
                text = SOLVENT.replace("[collision]", HEAVY.format(mass=3.3) + "[collision]")
            one = self.run_deck(text, "one", "--threads", 1)
            self.assert_same(self.run_deck(text, "threads", "--threads", 2), one)
            for ranks in (2, 3, 4):
                if ranks == 3 and style:
                    continue
                self.assert_same(self.run_deck(text, f"ranks{ranks}", ranks=ranks), one)

    def test_beside_a_fluid(self):
        """Neither notices the other, on one rank and on two."""
        solvent = SOLVENT.replace("timestep = 0.1", 'timestep = 0.01\nreproducibility = "bitwise"').replace(
            "[collision]", "[collision]\nevery = 10").split("[[measure]]")[0]
        alone = self.run_deck(solvent, "alone")
        water = self.run_deck(re.sub(r'\[\[population\]\]\nname = "solvent".*?(?=\[\[output)', "", solvent,
                                     flags=re.S) + WATER, "water")
        both = [self.run_deck(solvent + WATER, f"both{ranks}", ranks=ranks) for ranks in (1, 2)]
        self.assertEqual(summary(both[0])["state_hash"], summary(both[1])["state_hash"])
        for name, of in (("trajectory.h5", water), ("trajectory-solvent.h5", alone)):
            with h5py.File(both[0] / name) as a, h5py.File(of / "trajectory.h5") as b:
                for field in ("position/value", "velocity/value"):
                    np.testing.assert_array_equal(a["particles/all"][field][()], b["particles/all"][field][()])

    def test_reproducibility_is_the_same_word(self):
        plain = self.run_deck(SOLVENT, "plain")
        bitwise = self.run_deck(SOLVENT.replace("seed = 5", 'seed = 5\nreproducibility = "bitwise"'), "bitwise")
        self.assert_same(plain, bitwise)

    def test_resumed_and_extended(self):
        slow = SOLVENT.replace("[collision]", "[collision]\nevery = 3").replace("timestep = 0.1", "timestep = 0.04")
        mixture = SOLVENT.replace("[collision]", HEAVY.format(mass=3.3) + "[collision]")
        for text, name in ((SOLVENT, "thermostat"), (slow, "slow"), (mixture, "mixture")):
            whole = self.run_deck(text, name + "-whole", "--steps", 80)
            self.run_deck(text, name + "-parts")
            parts = self.home / (name + "-parts")
            self.run_deck(text, name + "-parts", "--resume", parts / "checkpoint-40.h5")
            self.assert_same(self.run_deck(text, name + "-parts", "--resume", "--steps", 80), whole)
            elsewhere = self.home / f"{name}-elsewhere"
            shutil.copytree(self.run_deck(text, name + "-again"), elsewhere)
            self.assert_same(self.run_deck(text, elsewhere.name, "--resume", "--steps", 80, ranks=2), whole)

    def amplitude(self, name, collision, drive, g):
        """Of the flow in the shape of a sine, or of the parabolas of the two halves: mean of windows, and its error."""
        out = self.run_deck(FLOW.format(collision=collision, drive=drive, g=g), name)
        with h5py.File(out / "profile_x.h5") as file:
            velocity = np.asarray(file["velocity"])[..., 1].reshape(-1, 24)
        x = (np.arange(24) + 0.5)
        shape = np.sin(2 * np.pi * x / 24) if drive == "sine" else np.where(
            x < 12, x * (12 - x), -(x - 12) * (24 - x)) / 36
        each = velocity @ shape / (shape @ shape)
        self.assertGreaterEqual(len(each), 20)
        return each.mean(), each.std(ddof=1) / math.sqrt(len(each)), read_table(out / "thermo.csv")

    def expect_viscosity(self, found, error, theory, slack):
        """slack: what the theory leaves out, cells that are no points in the flow."""
        self.assertLess(error, 0.02 * theory)
        self.assertLess(abs(found - theory), 4 * error + slack * theory, f"{found} +- {error}, theory {theory}")

    def test_viscosity_of_rotation(self):
        g, k2 = 0.0125, (2 * np.pi / 24)**2
        mean, error, table = self.amplitude("rotation", 'thermostat = "maxwell-boltzmann"', "sine", g)
        nu = g / (k2 * mean)
        self.expect_viscosity(nu, nu * error / mean, rotation_viscosity(10, 130, 0.1), 0.01)
        self.assertAlmostEqual(table["temperature"][1:].mean(), 1.0 + mean**2 / 6, delta=0.004)

    def test_viscosity_of_andersen(self):
        g = 0.0125
        mean, error, _ = self.amplitude("andersen", 'style = "andersen"', "double-poiseuille", g)
        nu = g * 12**2 / (8 * mean)
        self.expect_viscosity(nu, nu * error / mean, andersen_viscosity(10, 0.1), 0.015)


class Mixture(ProgramTest):
    """Two species, one five times as heavy. In equilibrium velocities know nothing of places, so what one collision
    leaves of a particle's velocity is known: f = c + (1 - c) <m / M>, M the mass of its cell, over the Poisson numbers
    of the others in it; c = (1 + 2 cos alpha) / 3, or 0 for Andersen. With a thermostat xi = 1 on the average, nearly.
    """

    def frames(self, collision, name, steps, every, text=MIXTURE):
        out = self.home / name
        text = text.format(collision=collision, steps=steps, every=every)
        self.run_well(self.deck(text, name + ".toml"), "--output", out, "--quiet")
        with h5py.File(out / "trajectory.h5") as file:
            group = file["particles/all"]
            return (np.asarray(group["velocity/value"]), np.asarray(group["mass"]).reshape(-1),
                    np.asarray(group["species"]).reshape(-1))

    @staticmethod
    def kept(mass, left):
        others = [math.exp(-6.0) * 6.0**n / math.factorial(n) for n in range(40)]
        heavy = [math.exp(-2.0) * 2.0**n / math.factorial(n) for n in range(30)]
        share = sum(p * q * mass / (mass + n + 5.0 * k) for n, p in enumerate(others) for k, q in enumerate(heavy))
        return left + (1.0 - left) * share

    def test_one_collision(self):
        rotated = (1.0 + 2.0 * math.cos(math.radians(130.0))) / 3.0
        for collision, left, name in (("", rotated, "rotation"), ('style = "andersen"', 0.0, "andersen")):
            velocity, mass, species = self.frames(collision, name, 1, 1)
            for kind, m in ((0, 1.0), (1, 5.0)):
                ours = species == kind
                np.testing.assert_allclose(mass[ours], m, rtol=1e-11)
                before, after = velocity[0][ours], velocity[1][ours]
                products = (before * after).mean(axis=1) * m
                error = products.std(ddof=1) / math.sqrt(len(products))
                self.assertLess(error, 0.012)
                found, expected = products.mean(), self.kept(m, left)
                self.assertLess(abs(found - expected), 4 * error, f"{name} {m}: {found} +- {error}, {expected}")

    def test_equipartition(self):
        """From a start where the heavy ones alone are hot, energy is shared as the numbers are; with a thermostat, and
        with Andersen's collisions, both have the deck's temperature."""
        hot = MIXTURE.replace("mass = 5.0", "mass = 5.0\ntemperature = 4.0")
        for collision, expected, name in (("", None, "none"),
                                          ('thermostat = "maxwell-boltzmann"', 1.0, "thermostat"),
                                          ('style = "andersen"', 1.0, "andersen")):
            velocity, mass, species = self.frames(collision, name, 60, 10, hot)
            energies = mass[:, None] * velocity**2
            self.assertAlmostEqual(energies[0][species == 1].mean(), 4.0, delta=0.01)
            target = energies[0].mean() if expected is None else expected
            for kind in (0, 1):
                ours = energies[3:, species == kind].reshape(4, -1)
                each = ours.mean(axis=1)
                error = math.sqrt(2.0 / ours[0].size)  # of one frame; frames are hardly correlated
                self.assertLess(abs(each.mean() - target), 4 * error * target, f"{name} {kind}: {each}, {target}")


class Check(ProgramTest):
    def errors(self, text):
        done = mesowarp("check", self.deck(text))
        return done.stderr if done.returncode else self.fail("no error")

    def test_what_follows(self):
        deck = SOLVENT.replace("density = 3.0", "density = 10.0")
        done = mesowarp("check", self.deck(deck))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("# viscosity          8.7 in theory", done.stdout)
        self.assertIn("# Schmidt number     16.9", done.stdout)
        self.assertIn("# mean free path     0.1, 0.1 of a cell", done.stdout)
        again = mesowarp("check", self.deck(done.stdout, "resolved.toml"))
        self.assertEqual(again.returncode, 0, again.stderr)

    def test_memory(self):
        """What a run takes is what `check` says, or less: windows of cells are a GPU's alone."""
        thermostat = 'thermostat = "maxwell-boltzmann"'
        plain = SOLVENT.replace("density = 3.0", "density = 10.0")
        for text in (plain, plain.replace("[collision]", HEAVY.format(mass=3.3) + "[collision]"),
                     plain.replace(thermostat, KEEPS_TURNING)):
            for precision in ("single", "double"):
                deck, out = self.deck(text), self.home / "memory"
                override = ("--set", f"run.precision={precision}")
                said = mesowarp("check", deck, *override).stdout
                mebibytes, each = re.search(r"# memory +([\d.]+) MiB \((\d+) bytes per particle\)", said).groups()
                self.assertGreater(float(mebibytes), 5.0)
                self.run_well(deck, *override, "--set", "run.steps=1", "--output", out, "--force", "--quiet")
                taken = summary(out)["memory_bytes_per_particle"]
                self.assertTrue(0.6 * int(each) < taken < int(each) + 1, f"{taken} of {each}")

    def test_what_is_wrong(self):
        for old, new, message in (
            ("size = [30.0, 30.0, 16.0]", "size = [30.0, 30.5, 16.0]", "make it a multiple of collision.cell"),
            ("size = [30.0, 30.0, 16.0]", "size = [30.0, 30.0, 1.0]", "fewer than 2 collision cells along z"),
            ("[box]", "[box]\nperiodic = [true, true, false]", "z"),
            ("density = 3.0", "density = 3.0\ncount = 5", "give one"),
            ("density = 3.0", "density = 1e-6", "no particles"),
            ("density = 3.0", "density = 2000.0", "more than its sums have room for"),
            ("density = 3.0", 'density = 3.0\ninitial = "lattice"', "starts at random places"),
            ("density = 3.0", 'density = 3.0\nspecies = "S"', "species is only for kind"),
            ("timestep = 0.1", "timestep = 2.0", "lower run.timestep or collision.every"),
            ("timestep = 0.1", "timestep = 0.1\ntemperature = 0.0", "needs a temperature"),
            ('thermostat = "maxwell-boltzmann"', 'thermostat = "langevin"', "thermostat"),
            ('thermostat = "maxwell-boltzmann"', "angle = 200.0", "angle"),
            ('thermostat = "maxwell-boltzmann"', 'style = "andersen"\nangle = 90.0', "angle is only for style"),
            ("[collision]", '[[bond]]\npopulation = "solvent"\nk = 1.0\n[collision]', "[[bond]]"),
            ("[collision]", HEAVY.format(mass=1e6) + "[collision]", "bring them nearer together"),
            ("[collision]", HEAVY.format(mass=1e-5) + "[collision]", "bring them nearer together"),
        ):
            self.assertIn(old, SOLVENT)
            self.assertIn(message, self.errors(SOLVENT.replace(old, new)), new)

    def test_what_is_unwise(self):
        for old, new, message in (
            ("timestep = 0.1", "timestep = 1.2\ntemperature = 1.0", "mean free path"),
            ("density = 3.0", "density = 2.0", "many are alone"),
            ("timestep = 0.1", "timestep = 0.0003", "rounded to multiples of 3.6e-06"),
            ('thermostat = "maxwell-boltzmann"', '[[drive]]\nacceleration = [0.1, 0.0, 0.0]', "heats up"),
        ):
            text = SOLVENT.replace(old, new).replace("30.0", "60.0").replace("16.0", "60.0")
            done = mesowarp("check", self.deck(text))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(message, done.stderr)

    def test_too_many_ranks(self):
        done = self.run_ranks(8, SOLVENT.replace("30.0", "10.0"))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("no thinner than what neighbours share", done.stderr)

    def run_ranks(self, ranks, text):
        from program import mesowarp_on
        return mesowarp_on(ranks, "run", self.deck(text), "--output", self.home / "out", "--quiet")


if __name__ == "__main__":
    unittest.main()
