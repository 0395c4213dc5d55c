"""Chains in a collision solvent as a user meets them: ranks and threads, resumed runs, temperature, the Langevin
baseline, and what `check` says."""
import shutil
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from observables import read_table  # noqa: E402
from program import CHECKPOINTS, ProgramTest, mesowarp, summary  # noqa: E402

CHAINS = """
[run]
steps = 60
timestep = 0.01
seed = 5
reproducibility = "bitwise"
[box]
size = [30.0, 30.0, 8.0]
[[population]]
name = "chains"
kind = "polymer"
blocks = "AAAAAAAAAA"
count = 30
mass = 3.0
bond_length = 0.97
apart = 0.95
[[interaction]]
between = ["A", "A"]
style = "wca"
[[bond]]
population = "chains"
style = "fene"
k = 30.0
r_max = 1.5
"""
SOLVENT = """
[[population]]
name = "solvent"
kind = "mpcd"
density = 3.0
[collision]
thermostat = "maxwell-boltzmann"
every = 7
embedded = ["chains"]
"""
OUTPUTS = """
[[output]]
format = "table"
every = 10
[[output]]
format = "trajectory"
every = 20
""" + CHECKPOINTS
SOLUTION = CHAINS + SOLVENT + OUTPUTS
LANGEVIN = CHAINS + """
[[thermostat]]
population = "chains"
friction = 1.0
every = 5
""" + OUTPUTS
WALL_COLUMNS = {"wall_time", "particle_steps_per_second", "rebuilds"}


class Solution(ProgramTest):
    def run_deck(self, text, name, *arguments, ranks=1):
        out = self.home / name
        self.run_well(self.deck(text, name + ".toml"), "--output", out, "--quiet", *arguments, ranks=ranks)
        return out

    def assert_same(self, one, other):
        self.assertEqual(summary(one)["state_hash"], summary(other)["state_hash"])
        ones, others = read_table(one / "thermo.csv"), read_table(other / "thermo.csv")
        for column in ones.keys() - WALL_COLUMNS:
            np.testing.assert_array_equal(ones[column], others[column], err_msg=column)
        for name in (path.name for path in one.glob("trajectory*.h5")):
            with h5py.File(one / name) as a, h5py.File(other / name) as b:
                for field in ("position/value", "velocity/value"):
                    np.testing.assert_array_equal(a["particles/all"][field][()], b["particles/all"][field][()])

    def test_ranks_and_threads(self):
        for text in (SOLUTION, SOLUTION.replace('thermostat = "maxwell-boltzmann"', 'style = "andersen"'), LANGEVIN):
            one = self.run_deck(text, "one", "--threads", 1)
            self.assert_same(self.run_deck(text, "threads", "--threads", 2), one)
            for ranks in (2, 4):
                self.assert_same(self.run_deck(text, f"ranks{ranks}", ranks=ranks), one)

    def test_resumed_and_extended(self):
        for text, name in ((SOLUTION, "solution"), (LANGEVIN, "langevin"),
                           (SOLUTION.replace('"bitwise"', '"deterministic"'), "plain")):
            whole = self.run_deck(text, name + "-whole", "--steps", 80)
            self.run_deck(text, name + "-parts")
            parts = self.home / (name + "-parts")
            self.run_deck(text, name + "-parts", "--resume", parts / "checkpoint-40.h5")
            self.assert_same(self.run_deck(text, name + "-parts", "--resume", "--steps", 80), whole)
            if name == "plain":
                continue
            elsewhere = self.home / f"{name}-elsewhere"
            shutil.copytree(self.run_deck(text, name + "-again"), elsewhere)
            self.assert_same(self.run_deck(text, elsewhere.name, "--resume", "--steps", 80, ranks=2), whole)

    def temperature(self, out, name, mass, first):
        """Of a trajectory: mean over frames, and its error from ten blocks."""
        with h5py.File(out / name) as file:
            v = np.asarray(file["particles/all/velocity/value"], dtype=float)[first:]
        each = mass * (v**2).mean(axis=(1, 2))
        blocks = np.array([block.mean() for block in np.array_split(each, 10)])
        return blocks.mean(), blocks.std(ddof=1) / np.sqrt(10)

    def expect_one(self, mean, error, slack):
        self.assertLess(error, 0.02)
        self.assertLess(abs(mean - 1.0), 4 * error + slack, f"{mean} +- {error}")

    def test_masses_by_species(self):
        """As those of the population: sums have room for them."""
        heavy = self.run_deck(SOLUTION.replace("mass = 3.0", "mass = 400.0"), "population")
        species = SOLUTION.replace("mass = 3.0\n", "") + '[[species]]\nname = "A"\nmass = 400.0\n'
        self.assert_same(heavy, self.run_deck(species, "species"))

    def test_both_have_the_temperature(self):
        """Heated by nothing but collisions from half of it; slack: the error of velocity Verlet."""
        cold = SOLUTION.replace("mass = 3.0", "mass = 3.0\ntemperature = 0.5").replace("steps = 60", "steps = 12000")
        cold = cold.replace("timestep = 0.01", "timestep = 0.005").replace("every = 20", "every = 40")
        out = self.run_deck(cold.split("[[output]]\nformat = \"checkpoint\"")[0], "cold")
        self.expect_one(*self.temperature(out, "trajectory.h5", 3.0, 100), 0.004)
        self.expect_one(*self.temperature(out, "trajectory-solvent.h5", 1.0, 100), 0.004)


class Check(ProgramTest):
    def errors(self, text):
        done = mesowarp("check", self.deck(text))
        return done.stderr if done.returncode else self.fail("no error")

    def test_the_phases_are_named(self):
        done = mesowarp("check", self.deck(SOLUTION))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("streaming and collisions", done.stdout)
        done = mesowarp("check", self.deck(LANGEVIN))
        self.assertIn("langevin thermostat of chains", done.stdout)

    def test_what_is_wrong(self):
        other = '[[population]]\nname = "b"\nspecies = "A"\ncount = 5\nmass = 3.0\n[[interaction]]\nbetween = "*"\n' \
                'style = "wca"\n[collision]'
        for text, old, new, message in (
            (SOLUTION, '["chains"]', '["chain"]', 'there is no population "chain"; did you mean "chains"?'),
            (SOLUTION, '["chains"]', '["solvent"]', "cannot be embedded in a solvent"),
            (SOLUTION, '["chains"]', '["chains", "chains"]', "stands there twice"),
            (SOLUTION, "mass = 3.0", "mass = 1e12", "cannot hold it"),
            (SOLUTION.replace("AAAAAAAAAA", "BAAAAAAAAA").replace('["A", "A"]', '"*"'), "[collision]",
             '[[species]]\nname = "B"\nfrozen = true\n[collision]', 'species "B" of population "chains" is frozen'),
            (SOLUTION, "[collision]", other, "embed both"),
            (SOLUTION, "[collision]", "[shear]\nrate = 0.1\n[collision]", "sheared box"),
            (SOLUTION, "apart = 0.95", "apart = 1.2", "make it at most that"),
            (SOLUTION, "count = 30", "count = 900", "would fill"),
            (LANGEVIN, "friction = 1.0", "friction = 0.0", "friction"),
            (LANGEVIN, 'population = "chains"\nfriction', 'population = "chain"\nfriction', 'did you mean "chains"?'),
            (LANGEVIN, "[[thermostat]]", '[[thermostat]]\npopulation = "chains"\nfriction = 2.0\n[[thermostat]]',
             "another thermostat already"),
        ):
            self.assertIn(old, text)
            self.assertIn(message, self.errors(text.replace(old, new)), new)

    def test_what_is_unwise(self):
        for text, old, new, message in (
            (SOLUTION, "mass = 3.0", "mass = 40.0", "hardly feels the solvent"),
            (SOLUTION, "steps = 60", "steps = 5", "no collision takes place"),
            (SOLUTION, "apart = 0.95", "apart = 0.0", "keep beads `apart`"),
            (LANGEVIN, "friction = 1.0", "friction = 9.0", "above 0.2"),
            (SOLUTION, "[collision]", '[[measure]]\nstyle = "profile"\nevery = 10\n[collision]', "no part in it"),
        ):
            self.assertIn(old, text)
            done = mesowarp("check", self.deck(text.replace(old, new)))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(message, done.stderr, new)


if __name__ == "__main__":
    unittest.main()
