"""Where cells start: from a file of poses; at random up to a hematocrit of 0.45, grown from small ones that push each
other off; what cannot be packed, overlaps or stands in a wall is told with the cell's number."""
import csv
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "shared"))
from program import ProgramTest, mesowarp, summary  # noqa: E402

DECK = """
[run]
steps = 0
timestep = 0.002
seed = {seed}
[box]
size = [{size}]
{box}
[neighbor]
skin = 0.4
[[population]]
name = "cells"
kind = "membrane"
species = "M"
vertices = 162
diameter = 5.0
{cells}
{more}
[[membrane]]
population = "cells"
shear_modulus = 50.0
bending_modulus = 4.0
table_every = 10
[[interaction]]
between = "*"
a = 4.0
gamma = 4.5
[[output]]
format = "trajectory"
every = 10
fields = ["position", "image"]
"""


def deck_of(cells, **changes):
    return DECK.format(cells=cells, **{"seed": 5, "size": "14, 14, 14", "box": "", "more": "", **changes})


def depth(vertices, triangles, places):
    """Winding number about places, by solid angles."""
    around = np.zeros(len(places))
    for corners in vertices[triangles]:
        a, b, c = np.moveaxis(corners[None] - places[:, None], 1, 0)
        la, lb, lc = (np.linalg.norm(x, axis=1) for x in (a, b, c))
        volume = np.einsum("ij,ij->i", a, np.cross(b, c))
        around += 2.0 * np.arctan2(volume, la * lb * lc + (a * b).sum(1) * lc + (b * c).sum(1) * la
                                   + (c * a).sum(1) * lb)
    return around / (4.0 * np.pi)


class Placement(ProgramTest):
    def run_deck(self, text, name, *arguments, ranks=1):
        out = self.home / name
        self.run_well(self.deck(text, name + ".toml"), "--output", out, "--quiet", *arguments, ranks=ranks)
        return out

    def table(self, out):
        with open(out / "cells.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def refused(self, text, *words, command="check"):
        done = mesowarp(command, self.deck(text), *(() if command == "check" else ("--output", self.home / "refused")))
        self.assertNotEqual(done.returncode, 0, done.stdout + done.stderr)
        for word in words:
            self.assertIn(word, done.stdout + done.stderr)

    def nobody_in_another(self, out, size):
        """Nor in an image of another, of which one may be met on both sides."""
        with h5py.File(out / "surfaces.h5") as file:
            places, triangles = file["cells/position"][0].reshape(-1, 162, 3), file["cells/triangles"][:320]
        centres = places.mean(axis=1)
        nearest = np.inf
        for k, cell in enumerate(places):
            for other in np.delete(np.arange(len(places)), k):
                d = centres[other] - centres[k]
                for image in np.ndindex(3, 3, 3):
                    shift = size * (np.array(image) - 1 - np.rint(d / size))
                    if np.linalg.norm(d + shift) > 5.5:
                        continue
                    seen = places[other] + shift
                    self.assertLess(depth(cell, triangles, seen).max(), 0.5, (k, other))
                    nearest = min(nearest, np.linalg.norm(cell[:, None] - seen[None], axis=2).min())
        return nearest

    def test_random_at_a_hematocrit_of_45(self):
        size = np.array([14.0, 14.0, 14.0])
        hashes = set()
        for ranks in (1, 2):
            out = self.run_deck(deck_of("hematocrit = 0.45"), f"dense-{ranks}", ranks=ranks)
            hashes.add(summary(out)["state_hash"])
        self.assertEqual(len(hashes), 1)
        rows = self.table(out)
        filled = sum(float(row["volume"]) for row in rows) / size.prod()
        self.assertAlmostEqual(filled, 0.45, delta=0.01)
        self.assertGreater(self.nobody_in_another(out, size), 0.05)
        normals = np.array([[float(row["normal_" + axis]) for axis in "xyz"] for row in rows])
        order = np.linalg.eigvalsh(1.5 * np.mean(normals[:, :, None] * normals[:, None, :], axis=0) - 0.5 * np.eye(3))
        self.assertLess(order.max(), 0.45, "cells are turned alike")
        # and it holds: a membrane that started in another would burst
        out = self.run_deck(deck_of("hematocrit = 0.45").replace("steps = 0", "steps = 100"), "holds")
        for row in self.table(out):
            self.assertLess(abs(float(row["volume"]) / float(rows[0]["volume"]) - 1.0), 0.02)

    def test_in_a_box_of_less_than_two_cells(self):
        """One cell meets another on both sides; and none stands so near that a force without a bound bursts it."""
        contact = """[[interaction]]
between = ["M", "M"]
style = "wca"
sigma = 0.5
epsilon = 0.5
different_molecules = true
[[output]]"""
        size = np.array([7.5, 7.5, 7.5])
        for seed in (1, 2, 3):
            text = deck_of("count = 4", size="7.5, 7.5, 7.5", seed=seed).replace("[[output]]", contact)
            out = self.run_deck(text.replace("steps = 0", "steps = 40"), f"small-{seed}")
            self.assertGreater(self.nobody_in_another(out, size), 0.4)
        centers = "centers = [4, 4, 4, 7.9, 4, 2.5]\nnormals = [0, 0, 1, -1, 0, 1]"
        self.refused(deck_of(centers, size="8, 8, 8"), "cells 0 and 1 overlap")

    def test_grown_between_walls(self):
        box = 'periodic = [true, true, false]\n[[boundary]]\nface = "z"\nstyle = "bounce-back"'
        out = self.run_deck(deck_of("hematocrit = 0.3", size="12, 12, 10", box=box), "walls")
        with h5py.File(out / "surfaces.h5") as file:
            z = file["cells/position"][0][:, 2]
        self.assertGreater(z.min(), 0.0)
        self.assertLess(z.max(), 10.0)

    def test_poses_from_a_file(self):
        """With normals, and turned by a quaternion; cells.csv of another run gives the places where its cells ended."""
        (self.home / "poses.csv").write_text("# two\nx, y, z, normal_x, normal_y, normal_z\n3, 4, 5, 1, 0, 0\n"
                                             "9.0 9.5 10  0 1 1\n", encoding="utf-8")
        (self.home / "turned.csv").write_text("x,y,z,q_w,q_x,q_y,q_z\n3,4,5,1,0,1,0\n9,9.5,10,0.92388,-0.382683,0,0\n",
                                              encoding="utf-8")
        for name in ("poses", "turned"):
            rows = self.table(self.run_deck(deck_of(f'poses = "{name}.csv"'), name))
            for row, place, normal in zip(rows, ((3, 4, 5), (9, 9.5, 10)), ((1, 0, 0), (0, 0.7071, 0.7071))):
                np.testing.assert_allclose([float(row[k]) for k in "xyz"], place, atol=0.01)
                found = np.array([float(row["normal_" + k]) for k in "xyz"])
                self.assertGreater(abs(found @ normal), 0.999)
        first = self.run_deck(deck_of("count = 6").replace("steps = 0", "steps = 20"), "first")
        last = self.table(first)[-6:]
        again = self.table(self.run_deck(deck_of(f'poses = "{first}/cells.csv"'), "again"))
        self.assertEqual(len(again), 6)
        for before, row in zip(last, again):
            np.testing.assert_allclose([float(row[k]) for k in "xyz"], [float(before[k]) for k in "xyz"], atol=0.01)
        whole = self.run_deck(deck_of('poses = "poses.csv"').replace("steps = 0", "steps = 20"), "whole")
        for arguments in (("--steps", 10), ("--steps", 20, "--resume")):
            self.run_well(self.deck(deck_of('poses = "poses.csv"')), *arguments, "--output", self.home / "part",
                          "--quiet")
        self.assertEqual(summary(whole)["state_hash"], summary(self.home / "part")["state_hash"])

    def test_bad_files_of_poses(self):
        def told(text, *words):
            (self.home / "bad.csv").write_text(text, encoding="utf-8")
            self.refused(deck_of('poses = "bad.csv"'), *words)

        self.refused(deck_of('poses = "none.csv"'), "none.csv cannot be read")
        told("x,y\n1,2\n", 'bad.csv:1: there is no column "z"')
        told("x,y,z\n1,2\n", "bad.csv:2: 2 words, and there are 3 names")
        told("x,y,z\n1,2,3x\n", 'bad.csv:2: z = "3x" is no number')
        told("x,y,z,normal_x\n1,2,3,1\n", 'no column "normal_y"')
        told("x,y,z,normal_x,normal_y,normal_z\n1,2,3,0,0,0\n", "the normal of cell 0 is zero")
        told("x,y,z\n", "has no cells")
        told("x,y,z\n3,3,3\n10,10,10\n3,4,3.5\n", "cells 0 and 2 overlap")
        self.refused(deck_of('poses = "bad.csv"\ncount = 2'), "needs one of count, hematocrit, centers and poses")
        (self.home / "bad.csv").write_text("x,y,z\n3,3,3\n10,10,10\n10,3,0.5\n", encoding="utf-8")
        box = 'periodic = [true, true, false]\n[[boundary]]\nface = "z"\nstyle = "bounce-back"'
        self.refused(deck_of('poses = "bad.csv"', box=box), "cell 2 stands in the wall at z = 0")

    def test_what_cannot_be_packed(self):
        self.refused(deck_of("hematocrit = 0.58"), "no room for so many cells", "cell ", "lower their number",
                     command="run")
        other = deck_of("centers = [3, 3, 3]").replace("[[membrane]]", """[[population]]
name = "others"
kind = "membrane"
species = "N"
vertices = 162
diameter = 5.0
centers = [10, 10, 10,  4, 3, 3.3]
[[membrane]]
population = "others"
shear_modulus = 50.0
bending_modulus = 4.0
[[membrane]]""", 1)
        self.refused(other, 'cell 0 of population "cells" and cell 1 of population "others" overlap', command="run")


if __name__ == "__main__":
    unittest.main()
