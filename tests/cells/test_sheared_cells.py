"""Membranes in a sheared box without walls: a cell that lies across the faces whose images slide is the same cell as in
the middle, to rounding; one hash on any number of ranks and after a resume, in each way of knowing area and volume;
nobody passes a membrane; who is on the wrong side is found across the faces, too."""
import csv
import re
import shutil
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "shared"))
from observables import read_table  # noqa: E402
from program import CHECKPOINTS, ProgramTest, mesowarp, summary  # noqa: E402

SIZE = np.array([9.0, 10.0, 8.0])
RATE, TIMESTEP, VERTICES = 0.5, 0.002, 162
ALONE = f"""
[run]
steps = {{steps}}
timestep = {TIMESTEP}
seed = 3
temperature = {{temperature}}
precision = "double"
[box]
size = {SIZE.tolist()}
[shear]
rate = {{rate}}
flow = "{{flow}}"
gradient = "{{gradient}}"
[neighbor]
skin = 0.4
[[population]]
name = "cell"
kind = "membrane"
species = "M"
vertices = {VERTICES}
diameter = 5.0
centers = {{center}}
normals = [0.3, 0.4, 1.0]
[[membrane]]
population = "cell"
shear_modulus = 50.0
bending_modulus = 4.0
friction = {{friction}}
area_volume = "{{way}}"
table_every = 50
[[interaction]]
between = ["M", "M"]
a = 0.0
gamma = 0.0
cutoff = 1.0
[[output]]
format = "table"
every = 50
columns = ["potential_energy", "shear_stress", "pressure"]
"""
FILLED = f"""
[run]
steps = {{steps}}
timestep = 0.004
seed = 4
{{run}}
[box]
size = [9.0, 8.0, 8.0]
[shear]
rate = {{rate}}
[neighbor]
skin = 0.4
{{parallel}}
[[population]]
name = "cell"
kind = "membrane"
species = "M"
mesh = "sphere"
vertices = {VERTICES}
diameter = 4.0
centers = [4.0, {{y}}, 7.6]
[[population]]
name = "plasma"
species = "W"
density = 3.0
initial = "lattice"
[[membrane]]
population = "cell"
shear_modulus = 50.0
bending_modulus = 4.0
friction = 3.0
inside = "C"
check_every = {{check}}
table_every = 50
{{membrane}}
[[interaction]]
between = "*"
a = 15.0
gamma = 4.5
[[interaction]]
between = ["C", "C"]
a = 15.0
gamma = 9.0
[[output]]
format = "table"
every = 10
columns = ["temperature", "momentum_x", "momentum_y", "momentum_z", "wrong_side"]
[[output]]
format = "trajectory"
every = {{frames}}
fields = ["position", "image", "velocity"]
"""


def alone(**changes):
    values = {"steps": 400, "temperature": 1.0, "rate": RATE, "flow": "x", "gradient": "y", "center": [4.5, 5.0, 4.0],
              "friction": 3.0, "way": "current"}
    return ALONE.format(**{**values, **changes})


def filled(**changes):
    values = {"steps": 60, "run": "", "rate": 0.4, "parallel": "", "y": 7.9, "check": 20, "membrane": "", "frames": 20}
    return FILLED.format(**{**values, **changes})


def cells_of(out):
    with open(out / "cells.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {key: np.array([float(row[key]) for row in rows]) for key in rows[0] if key != "population"}


class ShearedCells(ProgramTest):
    def run_deck(self, text, name, *arguments, ranks=1):
        out = self.home / name
        self.run_well(self.deck(text, name + ".toml"), "--output", out, "--quiet", *arguments, ranks=ranks)
        return out

    def test_check_says_when_images_reach_too_far(self):
        """42 vertices on 5.0 are farther apart than cutoff + skin; the run on one rank would say so at its start."""
        coarse = ALONE.replace(f"vertices = {VERTICES}", "vertices = 42").format(
            steps=1, temperature=0.0, rate=RATE, flow="x", gradient="y", center=[4.5, 5.0, 4.0], friction=0.0,
            way="current")
        done = mesowarp("check", self.deck(coarse))
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("in a sheared box images are known up to 1.4", done.stderr)

    def test_across_the_faces_as_in_the_middle(self):
        """Springs, areas, volume, bending, friction and its noise: what a cell does depends on its shape and on the
        motion within it, which are the same wherever it is, whatever images its parts are in."""
        for flow, gradient, third, heights in ((0, 1, 2, (0.5, 0.0, 0.97)), (2, 0, 1, (0.5, 0.0))):
            tables = []
            for height in heights:
                center = 0.5 * SIZE
                center[gradient], center[third] = height * SIZE[gradient], 0.1
                out = self.run_deck(alone(flow="xyz"[flow], gradient="xyz"[gradient], center=center.tolist()),
                                    f"at-{gradient}-{height}")
                tables.append((cells_of(out), read_table(out / "thermo.csv")))
            middle, sums = tables[0]
            self.assertGreater(middle["spring_energy"][-1], 1.0)
            self.assertGreater(np.ptp(middle["extent_" + "xyz"[flow]]), 0.1)  # it is drawn out
            for cells, others in tables[1:]:
                for key in middle:
                    if key not in ("x", "y", "z"):
                        np.testing.assert_allclose(cells[key], middle[key], rtol=1e-6, atol=1e-6, err_msg=key)
                for key in ("potential_energy", "pressure", "shear_stress"):
                    np.testing.assert_allclose(others[key], sums[key], rtol=1e-6, atol=1e-7, err_msg=key)

    def test_bits_on_ranks_and_after_a_resume(self):
        """With a fluid on either side, the cell across the faces: stopped and gone on, on as many ranks or others."""
        for precision, way in (("mixed", "current"), ("single", "lagged"), ("double", "extrapolated")):
            run = f'precision = "{precision}"\nreproducibility = "bitwise"'
            deck = filled(run=run, membrane=f'area_volume = "{way}"\nvolume_modulus = 200') + CHECKPOINTS
            outcomes = {}
            for ranks in ((1, 2, 4) if precision == "mixed" else (1, 3)):
                out = self.run_deck(deck, f"{precision}-{ranks}", ranks=ranks)
                outcomes[ranks] = summary(out)["state_hash"], (out / "cells.csv").read_text(encoding="utf-8")
            self.assertEqual(len(set(outcomes.values())), 1, (precision, outcomes))
            part = self.run_deck(deck.replace("steps = 60", "steps = 50"), precision + "-part", ranks=2)
            for after in (1, 2):
                out = self.home / f"{precision}-on-{after}"
                shutil.copytree(part, out)
                self.run_well(self.deck(deck), "--output", out, "--quiet", "--resume", out / "checkpoint-40.h5",
                              ranks=after)
                self.assertEqual((summary(out)["state_hash"], (out / "cells.csv").read_text(encoding="utf-8")),
                                 outcomes[1], (precision, after))

    def test_nobody_passes(self):
        """In a fast flow, over many boxes: at the end inside is inside, by winding numbers in the sheared lattice."""
        out = self.run_deck(filled(steps=1500, rate=0.8, frames=500, check=50), "passes")
        self.assertEqual(read_table(out / "thermo.csv")["wrong_side"].max(), 0.0)
        cells = cells_of(out)
        self.assertLess(np.abs(cells["volume"] / cells["volume"][0] - 1).max(), 0.03)
        for frame in range(4):
            inside, species = self.who_is_inside(out, frame)
            self.assertGreater(np.sum(inside), 70)
            np.testing.assert_array_equal(inside, species == "C")

    def test_strays_are_found(self):
        """What belongs outside and starts inside is counted wherever the cell lies, and is so by winding numbers."""
        third = '[[population]]\nname = "salt"\nspecies = "S"\ncount = 300\n'
        deck = filled(steps=20, frames=20, check=20, rate=2.0) + third
        out = self.run_deck(deck, "strays")
        inside, species = self.who_is_inside(out, 1)
        self.assertGreater(np.sum(inside & (species == "S")), 3)
        self.assertEqual(read_table(out / "thermo.csv")["wrong_side"][-1], np.sum(inside & (species == "S")))
        np.testing.assert_array_equal(inside[species != "S"], (species == "C")[species != "S"])

    @staticmethod
    def who_is_inside(out, frame):
        """Of all particles behind the vertices: whether they are in the cell, and of which species."""
        with h5py.File(out / "trajectory.h5") as file:
            group = file["particles/all"]
            place, image = group["position/value"][frame], group["image/value"][frame]
            slide, size = group["box/slide/value"][frame], np.array([9.0, 8.0, 8.0])
            names = [name.decode() for name in file["parameters/species_names"][()]]
            stored = group["species/value"][frame] if isinstance(group["species"], h5py.Group) else group["species"][()]
            species = np.array(names)[stored][VERTICES:]
        vertices = (place + image * size + image[:, 1:2] * slide)[:VERTICES]
        text = min(out.glob("surface-*.vtp")).read_bytes()
        offset = int(re.search(rb'Name="connectivity"[^>]*offset="(\d+)"', text).group(1))
        data = text[text.index(b"_", text.index(b"<AppendedData")) + 1 + offset:]
        triangles = np.frombuffer(data[8:8 + int.from_bytes(data[:8], "little")], dtype=np.int64).reshape(-1, 3)
        near = place[VERTICES:] - vertices.mean(axis=0)
        layer = -np.rint(near[:, 1] / size[1])
        near += layer[:, None] * (slide + [0.0, size[1], 0.0])
        near[:, ::2] -= size[::2] * np.rint(near[:, ::2] / size[::2])
        around, vertices = np.zeros(len(near)), vertices - vertices.mean(axis=0)
        for corners in vertices[triangles]:
            a, b, c = np.moveaxis(corners[None] - near[:, None], 1, 0)
            la, lb, lc = (np.linalg.norm(x, axis=1) for x in (a, b, c))
            volume = np.einsum("ij,ij->i", a, np.cross(b, c))
            around += 2.0 * np.arctan2(volume, la * lb * lc + (a * b).sum(1) * lc + (b * c).sum(1) * la
                                       + (c * a).sum(1) * lb)
        return around > 2.0 * np.pi, species


if __name__ == "__main__":
    unittest.main()
