"""[[inflow]]: velocities that particles get in the region, exactly where nothing else acts; a channel's flow; the same
bits on any number of ranks and threads and behind a stop; and what `check` says."""
import math
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from observables import block_estimate, read_table  # noqa: E402
from program import ProgramTest, mesowarp, summary  # noqa: E402

BOX = (10.0, 8.0, 6.0)
GAS = """
[run]
steps = 80
timestep = 0.01
seed = 3
temperature = 0.0
precision = "double"
[box]
size = [10.0, 8.0, 6.0]
[[population]]
name = "dust"
species = "D"
count = 2000
[[interaction]]
between = "*"
a = 0.0
gamma = 0.0
[[inflow]]
along = "x"
from = 2.0
to = 7.0
velocity = 0.4
rate = 1.5
every = 2
integral = 0.0
{profile}
[[output]]
format = "trajectory"
every = 80
precision = "double"
fields = ["position", "image", "velocity"]
"""
SLIT = 'profile = "slit"\nacross = "z"\nlower = 1.0\nupper = 5.0'
TUBE = 'profile = "tube"\ncenter = [0.0, 4.0, 3.0]\nradius = 2.5'
CHANNEL = """
[run]
steps = 12000
timestep = 0.01
seed = 5
[box]
size = [16.0, 4.0, 5.0]
periodic = [true, true, false]
[[boundary]]
face = "z"
[[population]]
name = "water"
species = "W"
density = 3.0
[[interaction]]
between = "*"
a = 25.0
gamma = 4.5
[[inflow]]
along = "x"
from = 0.0
to = 6.0
velocity = 0.6
rate = 10.0
profile = "slit"
across = "z"
lower = 0.0
upper = 5.0
[[measure]]
axis = "x"
bins = 8
start = 2000
every = 5
window = 1000
[[output]]
format = "table"
every = 500
columns = ["temperature", "inflows"]
[[output]]
format = "checkpoint"
every = 40
"""


FLOW = CHANNEL.replace("5.0]\nperiodic = [true, true, false]\n[[boundary]]\nface = \"z\"", "4.0]").replace(
    'profile = "slit"\nacross = "z"\nlower = 0.0\nupper = 5.0', "[[drive]]\nacceleration = [-0.05, 0.0, 0.0]").replace(
    "rate = 10.0", "rate = 2.0")


class Inflow(ProgramTest):
    def run_deck(self, text, name, *arguments, ranks=1):
        out = self.home / name
        self.run_well(self.deck(text, name + ".toml"), "--output", out, "--quiet", *arguments, ranks=ranks)
        return out

    def test_its_velocity_on_a_schedule(self):
        """A schedule that says 0.7 is a deck that says 0.7, to the bit and through a stop; 0.6 is another run."""
        text = CHANNEL.replace("start = 2000", "start = 0")
        schedule = '[[schedule]]\nkey = "inflow.0.velocity"\nsteps = [0, 9]\nvalues = [0.7, 0.7]\n'
        steps = ("--set", "run.steps=60")
        decks = {"given": text.replace("velocity = 0.6", "velocity = 0.7"), "scheduled": text + schedule, "other": text}
        told = [summary(self.run_deck(deck, name, *steps))["state_hash"] for name, deck in decks.items()]
        self.assertEqual(told[0], told[1])
        self.assertNotEqual(told[0], told[2])
        self.run_deck(text + schedule, "stopped", *steps, "--steps", 30)
        self.assertEqual(summary(self.run_deck(text + schedule, "stopped", *steps, "--resume"))["state_hash"], told[0])

    def test_velocities_where_nothing_else_acts(self):
        """Without noise u (1 - exp(-rate t)), for what has been in the region all the time; 0 for what never was."""
        for profile, flow in (
                ("", lambda y, z: np.full_like(y, 0.4)),
                (SLIT, lambda y, z: np.where((z > 1) & (z < 5), 0.4 * 6 * (z - 1) / 4 * (1 - (z - 1) / 4), 0.0)),
                (TUBE, lambda y, z: 0.8 * np.maximum(0.0, 1 - ((y - 4)**2 + (z - 3)**2) / 2.5**2))):
            with h5py.File(self.run_deck(GAS.format(profile=profile), "gas") / "trajectory.h5") as file:
                group = file["particles/all"]
                x, v = np.asarray(group["position/value"]), np.asarray(group["velocity/value"])
            self.assertTrue((v[0] == 0).all())
            start, end = x[0, :, 0], x[1, :, 0]
            u = flow(x[0, :, 1], x[0, :, 2])
            always = (start > 2.0) & (end < 7.0) & (end >= start)
            never = (end < 2.0) | (start > 7.0) | (u == 0.0)
            self.assertGreater(always.sum(), 700 if profile == "" else 200)
            expected = u * (1 - math.exp(-1.5 * 0.8))  # 40 kicks of 0.02
            np.testing.assert_allclose(v[1, always, 0], expected[always], rtol=0, atol=2e-12)
            self.assertTrue((v[1, never & ~always] == 0).all())
            self.assertTrue((v[1, :, 1:] == 0).all())

    def test_what_flows_in_flows_everywhere(self):
        """Against a body force -g on all particles the region, l of the box' L, pumps with rate (U - u) on each: so the
        same u = U - g L / (rate l) goes through each section, and heat stays at the deck's temperature. The controller
        makes that the velocity asked for, and tells the force, which is g on all particles."""
        mean, error, _ = self.flux(FLOW.replace("rate = 2.0", "rate = 2.0\nintegral = 0.0"), "given")
        self.expect(mean, error, 3.0 * (0.6 - 0.05 * 16.0 / (2.0 * 6.0)))
        mean, error, out = self.flux(FLOW, "kept")
        self.expect(mean, error, 3.0 * 0.6)
        table = read_table(out / "thermo.csv", after=2000)
        speed, force = block_estimate(table["inflow1_velocity"]), block_estimate(table["inflow1_force"])
        self.assertLess(abs(speed.mean - 0.6), 0.002 + 3 * speed.error)
        expected = 0.05 * 3.0 * 16.0 * 4.0 * 4.0
        self.assertLess(force.error, 0.1 * expected)
        self.assertLess(abs(force.mean - expected), 4 * force.error, f"{force}, {expected}")

    def expect(self, mean, error, expected):
        for found, off in zip(mean, error):
            self.assertLess(abs(found - expected), 4 * off, f"{mean} +- {error}, {expected}")

    def flux(self, text, name):
        out = self.run_deck(text, name, "--threads", 2)
        with h5py.File(out / "profile_x.h5") as file:
            flux = np.asarray(file["density"]) * np.asarray(file["velocity"])[..., 0]
            temperature = np.asarray(file["temperature"])
        flux, temperature = flux.reshape(-1, 8), temperature.reshape(-1, 8)
        self.assertEqual(len(flux), 10)
        mean, error = flux.mean(axis=0), flux.std(axis=0, ddof=1) / math.sqrt(len(flux))
        self.assertLess(error.max(), 0.02)
        self.assertLess(abs(temperature.mean() - 1.0), 0.02)
        return mean, error, out

    def test_ranks_threads_and_a_stop(self):
        text = CHANNEL.replace("seed = 5", 'seed = 5\nreproducibility = "bitwise"')
        text = text.replace("steps = 12000", "steps = 80")
        text = text[:text.index("[[measure]]")] + text[text.index("[[output]]"):]
        one = summary(self.run_deck(text, "one", "--threads", 1))["state_hash"]
        self.assertEqual(summary(self.run_deck(text, "two", "--threads", 2))["state_hash"], one)
        self.assertEqual(summary(self.run_deck(text, "ranks", ranks=4))["state_hash"], one)
        self.run_deck(text, "stopped", "--steps", 40)
        self.assertEqual(summary(self.run_deck(text, "stopped", "--resume", "--steps", 80))["state_hash"], one)
        plain = (text[:text.index("[[inflow]]")] + text[text.index("[[output]]"):]).replace(', "inflows"', "")
        self.assertNotEqual(summary(self.run_deck(plain, "plain"))["state_hash"], one)

    def test_rows_between_two_looks_behind_a_stop(self):
        """A row without a look since the row before has the look's before that, also where a run went on in between."""
        text = CHANNEL[:CHANNEL.index("[[measure]]")] + CHANNEL[CHANNEL.index("[[output]]"):]
        text = text.replace("steps = 12000", "steps = 80").replace("every = 500", "every = 5")
        whole = read_table(self.run_deck(text, "whole") / "thermo.csv")
        self.assertEqual(len(set(whole["inflow1_force"])), 5)  # 0, then looks at 20, 40, 60 and 80
        for stop in (20, 33, 40, 59):
            self.run_deck(text, f"stopped{stop}", "--steps", stop)
            parts = read_table(self.run_deck(text, f"stopped{stop}", "--resume", "--steps", 80) / "thermo.csv")
            kept = np.isin(parts["step"], whole["step"])
            for column in ("step", "temperature", "inflow1_velocity", "inflow1_force"):
                np.testing.assert_array_equal(parts[column][kept], whole[column], err_msg=f"{column}, {stop}")

    def test_what_is_wrong(self):
        for old, new, message in (
                ("to = 6.0", "to = 17.0", "the box goes from 0 to 16"),
                ("to = 6.0", "to = 0.0", "must be above"),
                ("to = 6.0", "to = 16.0", "fills the whole box"),
                ('across = "z"', 'across = "x"', "another axis"),
                ('along = "x"', 'along = "z"', "periodic along z"),
                ("upper = 5.0", "upper = 5.5", "the box goes from 0 to 5"),
                ('profile = "slit"\nacross = "z"\nlower = 0.0\nupper = 5.0',
                 'profile = "tube"\ncenter = [0.0, 2.0, 2.5]\nradius = 3.0', "wider than the box along y"),
                ("rate = 10.0", "rate = 0.0", "rate"),
                ("rate = 10.0", "", "rate"),
                ("rate = 10.0", "rate = 10.0\nintegral = -1.0", "integral"),
                (CHANNEL[CHANNEL.index("[[inflow]]"):CHANNEL.index("[[measure]]")], "", "no [[inflow]]"),
                ("[[measure]]", "[[inflow]]\nfrom = 5.0\nto = 8.0\nvelocity = 1.0\nrate = 1.0\n[[measure]]",
                 "overlaps"),
        ):
            self.assertIn(old, CHANNEL)
            done = mesowarp("check", self.deck(CHANNEL.replace(old, new)))
            self.assertEqual(done.returncode, 2, new)
            self.assertIn(message, done.stderr, new)
        for old, new, message in (("rate = 10.0", "rate = 30.0", "above 0.2"),
                                  ("rate = 10.0", "rate = 0.1", "longer region")):
            done = mesowarp("check", self.deck(CHANNEL.replace(old, new)))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(message, done.stderr)


if __name__ == "__main__":
    unittest.main()
