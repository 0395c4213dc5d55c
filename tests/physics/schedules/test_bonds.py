"""[[schedule]] of bonds and of a barostat: what follows, and the same bits behind a stop."""
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2] / "shared"))
from observables import read_table  # noqa: E402
from program import CHECKPOINTS, ProgramTest, mesowarp, summary  # noqa: E402

# Dimers without repulsion, whose friction takes all motion: they have the length at rest of the moment.
DIMERS = """
[run]
steps = 1200
timestep = 0.02
seed = 2
temperature = 0.0
precision = "double"
[box]
size = [9.0, 9.0, 9.0]
[[population]]
name = "pairs"
kind = "polymer"
blocks = "AA"
count = 12
[[interaction]]
between = "*"
a = 0.0
gamma = 4.5
cutoff = 2.0
[[bond]]
population = "pairs"
k = 20.0
r0 = 0.5
[[schedule]]
key = "bond.0.r0"
style = "jumps"
steps = [0, 600]
values = [0.6, 0.8]
[[schedule]]
key = "bond.0.k"
steps = [0, 1200]
values = [20.0, 40.0]
[[output]]
format = "table"
every = 100
columns = ["potential_energy", "scheduled"]
[[output]]
format = "trajectory"
every = 200
[[output]]
format = "checkpoint"
every = 500
"""
SQUEEZED = """
[run]
steps = 160
timestep = 0.01
seed = 3
reproducibility = "bitwise"
[box]
size = [6.0, 6.0, 6.0]
[barostat]
pressure = 18.0
compressibility = 0.02
period = 0.2
every = 5
[[population]]
name = "water"
species = "W"
density = 3.0
[[interaction]]
between = "*"
a = 25.0
gamma = 4.5
[[schedule]]
key = "barostat.pressure"
style = "jumps"
steps = [0, 40]
values = [18.0, 50.0]
[[output]]
format = "table"
every = 10
columns = ["volume", "pressure", "scheduled"]
""" + CHECKPOINTS


class Schedules(ProgramTest):
    def run_deck(self, name, text, *arguments):
        self.run_well(self.deck(text, name + ".toml"), "--output", self.home / name, "--quiet", *arguments)
        return self.home / name

    def test_bonds(self):
        whole = self.run_deck("whole", DIMERS)
        with h5py.File(whole / "trajectory.h5") as file:
            place = file["particles/all/position/value"][()] + 9.0 * file["particles/all/image/value"][()]
            bonds = file["connectivity/bonds"][()]
        length = np.linalg.norm(place[:, bonds[:, 0]] - place[:, bonds[:, 1]], axis=2)
        np.testing.assert_allclose(length[3], 0.6, atol=1e-4)  # at step 600
        np.testing.assert_allclose(length[6], 0.8, atol=1e-4)
        table = read_table(whole / "thermo.csv")
        # 12 bonds that are 0.2 too short, and as strong as they are by then.
        self.assertAlmostEqual(table["potential_energy"][6], 12 * 0.5 * 30.0 * 0.04, delta=1e-2)
        self.run_deck("parts", DIMERS, "--steps", 700)
        parts = self.run_deck("parts", DIMERS, "--resume", self.home / "parts" / "checkpoint-500.h5")
        self.assertEqual(summary(parts)["state_hash"], summary(whole)["state_hash"])

    def test_barostat(self):
        whole = self.run_deck("squeezed", SQUEEZED)
        table = read_table(whole / "thermo.csv")
        self.assertLess(table["volume"][-1], 0.9 * table["volume"][4])
        parts = self.run_deck("pieces", SQUEEZED, "--steps", 100)
        self.run_deck("pieces", SQUEEZED, "--resume", parts / "checkpoint-80.h5")
        self.assertEqual(summary(parts)["state_hash"], summary(whole)["state_hash"])

    def test_what_is_refused(self):
        for key in ("bond.1.k", "bond.0.r_max", "barostat.pressure"):
            done = mesowarp("check", self.deck(DIMERS.replace("bond.0.k", key), "bad.toml"))
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("is no number of this deck that may change", done.stderr)


if __name__ == "__main__":
    unittest.main()
