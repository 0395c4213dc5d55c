"""Other programs' files of what is not a whole box at rest: of a group alone, of a sheared box."""
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from program import SOURCE, ProgramTest, mesowarp  # noqa: E402

sys.path.insert(0, str(SOURCE / "python"))

TWO_KINDS = """
[run]
steps = 4
timestep = 0.005
[box]
size = [6.0, 5.0, 5.0]
[[population]]
name = "plain"
kind = "polymer"
blocks = "AAA"
count = 50
[[population]]
name = "mixed"
kind = "polymer"
blocks = "AABBB"
count = 30
[[interaction]]
between = "*"
a = 25.0
gamma = 4.5
[[bond]]
population = "plain"
k = 50.0
r0 = 0.5
[[bond]]
population = "mixed"
k = 60.0
r0 = 0.5
[[bond]]
population = "mixed"
between = ["B", "B"]
k = 70.0
r0 = 0.5
[[angle]]
population = "plain"
style = "cosine"
k = 2.0
[[angle]]
population = "mixed"
style = "cosine"
k = 3.0
[[group]]
name = "few"
molecules = "52:54"
[[group]]
name = "B"
species = ["B"]
[[output]]
format = "trajectory"
every = 4
groups = ["few"]
[[output]]
format = "trajectory"
name = "tails"
every = 4
groups = ["B"]
"""


def sections(path):
    """Rows of numbers of a LAMMPS data file, by the section's title."""
    found, title = {}, ""
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        words = line.split("#")[0].split()
        if words and words[0].isalpha():
            title = words[0]
        elif words and title:
            found.setdefault(title, []).append([float(word) for word in words])
    return {title: np.array(rows) for title, rows in found.items()}


class OfAGroup(ProgramTest):
    """Particles are numbered from 0 in the file; which block a bond is of, the checkpoint knows by their numbers in
    the run."""

    def setUp(self):
        super().setUp()
        self.out = self.home / "out"
        self.run_well(self.deck(TWO_KINDS), "--output", self.out, "--quiet")

    def test_lammps_data(self):
        for name, bonds, angles in [("trajectory", [2, 2, 3, 3], [2, 2, 2]), ("tails", [3, 3], [2])]:
            data = self.home / f"{name}.data"
            done = mesowarp("convert", self.out / f"{name}.h5", data)
            self.assertEqual(done.returncode, 0, done.stderr)
            found = sections(data)
            self.assertEqual(list(found["Bonds"][:, 1]), bonds * (len(found["Bonds"]) // len(bonds)))
            self.assertEqual(list(found["Angles"][:, 1]), angles * (len(found["Angles"]) // len(angles)))

    def test_gsd(self):
        try:
            import gsd.hoomd
        except ImportError:
            self.skipTest("no gsd")
        from mesowarp.gsd_files import write_gsd
        from mesowarp.trajectories import Trajectory
        with Trajectory(self.out / "trajectory.h5") as trajectory:
            write_gsd(trajectory, self.home / "few.gsd", [0])
        with gsd.hoomd.open(name=str(self.home / "few.gsd"), mode="r") as file:
            self.assertEqual([file[0].bonds.types[kind] for kind in file[0].bonds.typeid],
                             ["bond2", "bond2", "bond3", "bond3"] * 3)


if __name__ == "__main__":
    unittest.main()
