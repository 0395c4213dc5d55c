"""Cells that release a chemical: what is released is rate x vertices x time, and with a decay what the scheme gives, to
round-off; a membrane's permeability for each solute; means of each cell and colours of its surface; bits on ranks and
after a resume."""
import csv
import shutil
import sys
import unittest
from pathlib import Path
from xml.etree import ElementTree

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "shared"))
from observables import read_table  # noqa: E402
from program import CHECKPOINTS, ProgramTest, mesowarp, summary  # noqa: E402

VERTICES = 324
DECK = """
[run]
steps = {steps}
timestep = 0.004
seed = 7
{run}
[box]
size = [13.0, 6.5, 6.5]
[neighbor]
skin = 0.4
[transport]
solutes = ["atp", "kept"]
{transport}
[[source]]
solute = "atp"
rate = 2.5
species = "M"
[[source]]
solute = "kept"
rate = 1.5
species = "M"
{sources}
[[population]]
name = "plasma"
species = "W"
density = 1.5
[[population]]
name = "cells"
kind = "membrane"
species = "M"
vertices = 162
diameter = 5.0
centers = [3.2, 3.2, 3.0,  9.5, 3.1, 3.3]
normals = [0, 0, 1,  0.3, 0.5, 1]
[[membrane]]
population = "cells"
shear_modulus = 100.0
bending_modulus = 4.0
friction = 5.0
table_every = 20
[[interaction]]
between = "*"
style = "tdpd"
a = 10.0
gamma = 4.5
kappa = 5.0
[[interaction]]
between = ["M", "W"]
style = "tdpd"
a = 10.0
gamma = 4.5
kappa = [8.0, 0.0]
[[output]]
format = "table"
every = 20
columns = ["time", "solutes"]
"""
TRAJECTORY = '[[output]]\nformat = "trajectory"\nevery = 20\nprecision = "double"\n' \
             'fields = ["position", "image", "concentration"]\n'


def deck_of(more="", run="", transport="", sources="", steps=60):
    return DECK.format(run=run, transport=transport, sources=sources, steps=steps) + more


def cells_of(out):
    with open(out / "cells.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def surface(path):
    """The point data of a VTP file, by name."""
    head, data = path.read_bytes().split(b'encoding="raw">\n_')
    values = {}
    for line in head.decode().split("\n"):
        if "offset=" not in line:
            continue
        word = {k: line.split(f'{k}="')[1].split('"')[0] for k in ("type", "Name", "offset", "NumberOfComponents")}
        at = int(word["offset"])
        length = int.from_bytes(data[at:at + 8], "little")
        kind = {"Float64": "<f8", "Int32": "<i4", "Int64": "<i8"}[word["type"]]
        values[word["Name"]] = np.frombuffer(data[at + 8:at + 8 + length], kind)
    return values


def drawn_by(out):
    """What surfaces.xmf draws: of each frame its time, triangles, places of vertices, and attributes by name."""
    def numbers(item):
        count = [int(n) for n in item.get("Dimensions").split()]
        if item.get("Type") == "HyperSlab":
            choice, whole = item.findall("DataItem")
            start, stride, size = (np.array(line) for line in
                                   np.array(choice.text.split(), int).reshape(choice_shape(choice)))
            values = numbers(whole)[tuple(slice(a, a + s * n, s) for a, s, n in zip(start, stride, size))]
            return values.reshape(count)
        name, dataset = item.text.strip().split(":")
        with h5py.File(out / name) as file:
            stored = file[dataset]
            kind = {"Int": "i", "Float": "f"}[item.get("NumberType")] + item.get("Precision")
            assert stored.dtype == np.dtype("<" + kind), (dataset, stored.dtype)
            values = stored[:count[0]]  # a file may have grown since
        assert list(values.shape) == count, (dataset, values.shape, count)
        return values

    def choice_shape(choice):
        return [int(n) for n in choice.get("Dimensions").split()]

    series = ElementTree.parse(out / "surfaces.xmf").getroot().find("Domain/Grid")
    assert series.get("CollectionType") == "Temporal"
    frames = []
    for grid in series.findall("Grid"):
        topology = grid.find("Topology")
        assert topology.get("TopologyType") == "Triangle"
        triangles = numbers(topology.find("DataItem"))
        assert len(triangles) == int(topology.get("NumberOfElements"))
        values = {a.get("Name"): numbers(a.find("DataItem")) for a in grid.findall("Attribute")}
        frames.append((float(grid.find("Time").get("Value")), triangles, numbers(grid.find("Geometry/DataItem")),
                       values))
    return frames


def stored_in(out, name):
    """All datasets of an HDF5 file."""
    values = {}
    with h5py.File(out / name) as file:
        file.visititems(lambda key, item: values.update({key: item[()]}) if isinstance(item, h5py.Dataset) else None)
    return values


class Release(ProgramTest):
    def run_deck(self, text, name, *arguments, ranks=1):
        out = self.home / name
        self.run_well(self.deck(text, name + ".toml"), "--output", out, "--quiet", *arguments, ranks=ranks)
        return out

    def test_released(self):
        """Nothing is lost on the way; what may not pass the membrane stays on it; the same in every output."""
        out = self.run_deck(deck_of(TRAJECTORY), "plain")
        table = read_table(out / "thermo.csv")
        for solute, rate in (("atp", 2.5), ("kept", 1.5)):
            np.testing.assert_allclose(table["total_" + solute], rate * VERTICES * np.array(table["time"]), rtol=1e-12)
        rows = cells_of(out)
        self.assertEqual(len(rows), 8)
        for row in rows:
            time = float(row["time"])
            self.assertAlmostEqual(float(row["mean_kept"]), 1.5 * time, delta=1e-12)
            if time > 0.0:
                self.assertTrue(0.2 < float(row["mean_atp"]) / (2.5 * time) < 0.95, row)
        with h5py.File(out / "trajectory.h5") as file:
            group = file["particles/all"]
            name = next(k for k in group if "concentration" in k)
            last = group[name + "/value"][-1].reshape(group["position/value"].shape[1], -1)[:, :2]
        self.assertEqual(np.abs(last[:-VERTICES, 1]).max(), 0.0)
        self.assertGreater(last[:-VERTICES, 0].sum(), 20.0)
        drawn = surface(out / "surface-cells-0000000060.vtp")
        np.testing.assert_array_equal(np.stack([drawn["atp"], drawn["kept"]], axis=1), last[-VERTICES:])
        for cell, row in enumerate(rows[-2:]):
            self.assertAlmostEqual(last[-VERTICES:][162 * cell:162 * (cell + 1), 0].mean(), float(row["mean_atp"]),
                                   delta=1e-12)

    def test_decay(self):
        """With a decay in all particles the total is the scheme's own recursion; of one in plasma alone, less is lost
        by what the vertices hold."""
        out = self.run_deck(deck_of(transport='reactions = ["atp -> : 0.5"]'), "decay")
        table = read_table(out / "thermo.csv")
        total, k, dt, seen = 0.0, 0.5, 0.004, []
        for step in range(61):
            closing = 0.0 if step == 0 else 0.5 * dt
            q = lambda c: 2.5 * VERTICES - k * c
            change = q(total + 0.5 * (closing + 0.5 * dt) * q(total))
            seen.append(total + closing * change)
            total += (closing + 0.5 * dt) * change
        np.testing.assert_allclose(table["total_atp"], seen[::20], rtol=1e-12)
        plasma = '[[source]]\nsolute = "atp"\nlinear = -0.5\nspecies = "W"\n'
        other = read_table(self.run_deck(deck_of(sources=plasma), "plasma") / "thermo.csv")
        self.assertGreater(other["total_atp"][-1], seen[60])
        self.assertLess(other["total_atp"][-1], 2.5 * VERTICES * 0.24)

    def same_frames(self, whole, out, first=0):
        """The same frames in both, in the second from this one on."""
        for name in ("surfaces.h5", "cells.h5"):
            one, other = stored_in(whole, name), stored_in(out, name)
            self.assertEqual(one.keys(), other.keys())
            for key, values in one.items():
                begin = 0 if key.endswith(("/triangles", "/cell")) else first
                np.testing.assert_array_equal(values[begin:], other[key], key)
        drawn, again = drawn_by(whole)[first:], drawn_by(out)
        self.assertEqual([frame[0] for frame in drawn], [frame[0] for frame in again])
        for frame, other in zip(drawn, again):
            np.testing.assert_array_equal(frame[2], other[2])

    def test_frames(self):
        """surfaces.xmf draws what the VTP files do, in all frames; cells.h5 has the numbers of cells.csv."""
        out = self.run_deck(deck_of(TRAJECTORY), "frames")
        frames = drawn_by(out)
        self.assertEqual(len(frames), 4)
        for step, (time, triangles, places, values) in zip((0, 20, 40, 60), frames):
            drawn = surface(out / f"surface-cells-{step:010d}.vtp")
            self.assertAlmostEqual(time, step * frames[1][0] / 20, delta=1e-12)
            np.testing.assert_array_equal(triangles.ravel(), drawn["connectivity"])
            np.testing.assert_array_equal(places.ravel(), drawn["position"])
            self.assertEqual(set(values), {"cell", "atp", "kept"})
            for name, of_vertices in values.items():
                np.testing.assert_array_equal(of_vertices, drawn[name])
        self.assertGreater(frames[3][3]["atp"].min(), 0.0)
        rows, stored = cells_of(out), stored_in(out, "cells.h5")
        np.testing.assert_array_equal(stored["cells/step"], [0, 20, 40, 60])
        for column in rows[0]:
            if column in ("step", "time", "population", "cell"):
                continue
            table = np.array([float(row[column]) for row in rows]).reshape(4, 2)
            np.testing.assert_array_equal(stored["cells/" + column], table, column)
        corners = frames[0][2][frames[0][1]]
        volume = np.einsum("ti,ti->t", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).reshape(2, -1).sum(1) / 6
        np.testing.assert_allclose(stored["cells/volume"][0], volume, rtol=1e-6)

    def test_bits(self):
        text = deck_of(CHECKPOINTS + TRAJECTORY, run='reproducibility = "bitwise"',
                       transport='flux_range = 256.0\nreactions = ["atp -> : 0.5"]')
        whole = self.run_deck(text, "whole")
        cells, picture = (whole / "cells.csv").read_text(), (whole / "surface-cells-0000000060.vtp").read_bytes()
        for ranks in (2, 4):
            out = self.run_deck(text, f"ranks-{ranks}", ranks=ranks)
            self.assertEqual(summary(whole)["state_hash"], summary(out)["state_hash"])
            self.assertEqual(cells, (out / "cells.csv").read_text())
            self.assertEqual(picture, (out / "surface-cells-0000000060.vtp").read_bytes())
            self.same_frames(whole, out)
        part = self.home / "part"
        shutil.copytree(self.home / "ranks-2", part)
        self.run_well(self.deck(text), "--output", part, "--quiet", "--resume", part / "checkpoint-40.h5", ranks=3)
        self.assertEqual(summary(whole)["state_hash"], summary(part)["state_hash"])
        self.assertEqual(cells, (part / "cells.csv").read_text())
        self.same_frames(whole, part)
        # Frames of later steps are dropped without a journal too, and a lost file is begun again.
        for names, first in (((".surfaces.h5.undo-40", ".cells.h5.undo-40"), 0), (("surfaces.h5", "cells.h5"), 3)):
            out = self.home / f"lost-{first}"
            shutil.copytree(self.home / "ranks-2", out)
            for name in names:
                (out / name).unlink()
            self.run_well(self.deck(text), "--output", out, "--quiet", "--resume", out / "checkpoint-40.h5")
            self.same_frames(whole, out, first)

    def test_single_precision(self):
        """Single precision keeps the total too: what rounding takes is added in the next step."""
        table = read_table(self.run_deck(deck_of(run='precision = "single"', steps=200), "single") / "thermo.csv")
        np.testing.assert_allclose(table["total_atp"], 2.5 * VERTICES * np.array(table["time"]), rtol=2e-6)

    def test_check(self):
        done = mesowarp("check", self.deck(deck_of().replace('species = "M"\n[[source]]', 'species = "N"\n[[source]]')))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("N", done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
