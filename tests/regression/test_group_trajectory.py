"""A trajectory of some groups: the same numbers as in that of all particles, on any number of ranks, gone on with, and
read by the program's own tools."""
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from program import CHECKPOINTS, ProgramTest, mesowarp, summary  # noqa: E402

DECK = """
[run]
steps = {steps}
timestep = 0.01
seed = 4
reproducibility = "bitwise"
[box]
size = [6.0, 5.0, 5.0]
[[population]]
name = "chains"
kind = "polymer"
blocks = "AABBA"
count = 20
[[population]]
name = "water"
species = "W"
count = 300
[[interaction]]
between = "*"
a = 25.0
gamma = 4.5
[[bond]]
population = "chains"
k = 50.0
r0 = 0.7
[[group]]
name = "odd"
molecules = "1:20:2"
[[group]]
name = "few"
particles = "150:158:2"
[[output]]
format = "trajectory"
every = 10
fields = ["position", "image", "velocity", "force"]
{groups}
"""


def read(path):
    """Arrays of a trajectory by their names."""
    found = {}
    with h5py.File(path) as file:
        group = file["particles/all"]
        for name in ("position", "image", "velocity", "force"):
            found[name] = group[f"{name}/value"][()]
        for name in ("species", "mass", "id", "molecule", "tag"):
            if name in group:
                found[name] = group[name][()]
        found["bonds"] = file["connectivity/bonds"][()]
    return found


class GroupTrajectory(ProgramTest):
    def run_deck(self, name, groups="", ranks=1, steps=40, arguments=()):
        text = DECK.format(steps=steps, groups=groups) + CHECKPOINTS
        self.run_well(self.deck(text, f"{name}.toml"), "--output", self.home / name, "--quiet", *arguments, ranks=ranks)
        return read(self.home / name / "trajectory.h5")

    def test_it_has_the_numbers_of_the_whole(self):
        whole = self.run_deck("whole")
        part = self.run_deck("part", 'groups = ["odd", "few"]')
        self.assertEqual(summary(self.home / "part")["state_hash"], summary(self.home / "whole")["state_hash"])
        tags = np.array([5 * chain + bead for chain in range(0, 20, 2) for bead in range(5)] + list(range(150, 159, 2)))
        np.testing.assert_array_equal(part["tag"], tags)
        np.testing.assert_array_equal(part["id"], np.arange(55))
        self.assertEqual(part["position"].shape, (5, 55, 3))
        for name in ("position", "image", "velocity", "force"):
            np.testing.assert_array_equal(part[name], whole[name][:, tags], err_msg=name)
        for name in ("species", "mass", "molecule"):
            np.testing.assert_array_equal(part[name], whole[name][tags], err_msg=name)
        inside = whole["bonds"][np.isin(whole["bonds"], tags).all(axis=1)]
        np.testing.assert_array_equal(tags[part["bonds"]], inside)
        self.assertEqual(len(inside), 40)
        # several ranks; stopped and gone on with on others
        for name, ranks in (("ranks", 3), ("parts", 1)):
            first = 'groups = ["odd", "few"]'
            if name == "parts":
                self.run_deck(name, first, ranks=2, steps=20)
                other = self.deck(DECK.format(steps=40, groups='groups = ["few"]') + CHECKPOINTS, "other.toml")
                done = mesowarp("run", other, "--output", self.home / name, "--resume", "--quiet")
                self.assertIn("a trajectory of other particles", done.stderr)
            again = self.run_deck(name, first, ranks=ranks, arguments=("--resume",) if name == "parts" else ())
            self.assertEqual(again.keys(), part.keys())
            for key, values in part.items():
                np.testing.assert_array_equal(again[key], values, err_msg=f"{name}: {key}")
        # The program's own tools: bonds for ParaView, LAMMPS data.
        self.assertIn('NumberOfElements="40"', (self.home / "part" / "trajectory-bonds.xmf").read_text())
        done = mesowarp("convert", self.home / "part" / "trajectory.h5", self.home / "t.data")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("55 atoms", (self.home / "t.data").read_text())
        self.assertIn("40 bonds", (self.home / "t.data").read_text())

    def test_what_is_refused(self):
        done = mesowarp("check", self.deck(DECK.format(steps=40, groups='groups = ["od"]'), "bad.toml"))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn('there is no group "od"; did you mean "odd"', done.stderr)


if __name__ == "__main__":
    unittest.main()
