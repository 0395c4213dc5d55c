"""Other programs' files of what is not a whole box at rest: of a group alone, of a sheared box. GSD files are in
test_converted_to_gsd.py."""
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from program import ProgramTest, mesowarp  # noqa: E402

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

    def test_lammps_data(self):
        out = self.home / "out"
        self.run_well(self.deck(TWO_KINDS), "--output", out, "--quiet")
        for name, bonds, angles in [("trajectory", [2, 2, 3, 3], [2, 2, 2]), ("tails", [3, 3], [2])]:
            data = self.home / f"{name}.data"
            done = mesowarp("convert", out / f"{name}.h5", data)
            self.assertEqual(done.returncode, 0, done.stderr)
            found = sections(data)
            self.assertEqual(list(found["Bonds"][:, 1]), bonds * (len(found["Bonds"]) // len(bonds)))
            self.assertEqual(list(found["Angles"][:, 1]), angles * (len(found["Angles"]) // len(angles)))


SHEARED = """
[run]
steps = {steps}
timestep = 0.01
precision = "double"
[box]
size = [6.0, 5.0, 4.0]
[shear]
rate = 1.3
flow = "{flow}"
gradient = "{gradient}"
[[population]]
name = "chains"
kind = "polymer"
blocks = "AAAAA"
count = 72
[[interaction]]
between = "*"
a = 25.0
gamma = 4.5
[[bond]]
population = "chains"
k = 80.0
r0 = 0.4
[[output]]
format = "trajectory"
every = {steps}
precision = "double"
"""
BOX = np.array([6.0, 5.0, 4.0])


class ShearedRun(ProgramTest):
    def frame(self, flow, gradient, steps=390):
        """Unwrapped positions of the last one, as the run had them, and the box' edges as rows."""
        out = self.home / (flow + gradient)
        self.run_well(self.deck(SHEARED.format(steps=steps, flow=flow, gradient=gradient)), "--output", out, "--quiet")
        with h5py.File(out / "trajectory.h5") as file:
            group = file["particles/all"]
            slide, image = group["box/slide/value"][-1], group["image/value"][-1]
            axis = "xyz".index(gradient)
            self.assertGreater(abs(slide).max() / BOX.max(), 2.5)  # images have gone far
            self.assertTrue(image[:, axis].any())
            whole = group["position/value"][-1] + image * BOX + image[:, axis:axis + 1] * slide
        edges = np.diag(BOX)
        edges[axis] += slide
        return out / "trajectory.h5", whole, edges


class Sheared(ShearedRun):
    """A program that reads the file finds each pair as far apart as it is, by nearest images of the box in the file;
    and whole chains, by the images of the particles."""

    def convert(self, trajectory, name, *more):
        path = self.home / name
        done = mesowarp("convert", trajectory, path, "--force", *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return path.read_text(encoding="utf-8").splitlines()

    def assert_same(self, position, image, edges, whole, cell):
        """position, image, edges: of the file; cell: of the run. Both span the same lattice, unwrapped places are the
        same, and those with images are in the file's box."""
        steps = edges @ np.linalg.inv(cell)
        np.testing.assert_allclose(steps, np.round(steps), atol=1e-9)
        self.assertAlmostEqual(abs(np.linalg.det(steps)), 1.0, places=9)
        self.assertLessEqual(abs(edges - np.diag(np.diag(edges))).max(), 0.5 * BOX.max() + 1e-9)
        fraction = position @ np.linalg.inv(edges)
        if image is None:
            return np.testing.assert_allclose(position, whole, atol=1e-6)
        self.assertTrue((fraction > -1e-9).all() and (fraction < 1 + 1e-9).all())
        return np.testing.assert_allclose(position + image @ edges, whole, atol=1e-6)

    def test_extended_xyz(self):
        for flow, gradient in ("xy", "xz", "yz", "yx", "zx"):
            trajectory, whole, cell = self.frame(flow, gradient)
            for more in ((), ("--unwrap",)):
                lines = self.convert(trajectory, "last.xyz", "--first", 1, *more)
                edges = np.array(lines[1].split('"')[1].split(), dtype=float).reshape(3, 3)
                rows = np.array([line.split()[1:] for line in lines[2:]], dtype=float)
                self.assert_same(rows[:, :3], None if more else rows[:, -3:], edges, whole, cell)

    def test_lammps(self):
        for flow, gradient in ("xy", "xz", "yz"):
            trajectory, whole, cell = self.frame(flow, gradient)
            lines = self.convert(trajectory, "last.data")
            xy, xz, yz = next(np.array(line.split()[:3], dtype=float) for line in lines if line.endswith("xy xz yz"))
            edges = np.array([[6.0, 0.0, 0.0], [xy, 5.0, 0.0], [xz, yz, 4.0]])
            atoms = sections(self.home / "last.data")["Atoms"]
            self.assert_same(atoms[:, 3:6], atoms[:, 6:9], edges, whole, cell)
            lines = self.convert(trajectory, "last.dump", "--first", 1)
            at = lines.index("ITEM: BOX BOUNDS xy xz yz pp pp pp")
            bounds = np.array([line.split() for line in lines[at + 1:at + 4]], dtype=float)
            np.testing.assert_array_equal(bounds[:, 2], [xy, xz, yz])
            corners = np.array([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)]) @ edges
            np.testing.assert_allclose(bounds[:, :2].T, [corners.min(axis=0), corners.max(axis=0)], atol=1e-12)
            columns = lines[at + 4].split()[2:]
            rows = np.array([line.split() for line in lines[at + 5:]], dtype=float)
            place, image = rows[:, [columns.index(name) for name in "xyz"]], [columns.index("i" + a) for a in "xyz"]
            self.assert_same(place, rows[:, image], edges, whole, cell)

    def test_what_lammps_boxes_cannot_be(self):
        trajectory, *_ = self.frame("y", "x")
        for name in ("last.data", "last.dump"):
            done = mesowarp("convert", trajectory, self.home / name)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("sheared along y across x", done.stderr)
            self.assertIn("extended XYZ", done.stderr)


if __name__ == "__main__":
    unittest.main()
