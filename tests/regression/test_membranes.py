"""Membranes as a user meets them: the same bits on any number of ranks and threads, with area and volume of this step
and of the step before; resumed runs; the table of cells; meshes from files; what `check` says; a cell that bursts."""
import csv
import os
import re
import shutil
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from program import CHECKPOINTS, ProgramTest, mesowarp, mesowarp_on, summary  # noqa: E402

MECHANICS = """
[[membrane]]
population = "cells"
shear_modulus = 100.0
bending_modulus = 4.0
friction = 5.0
table_every = 20
"""
DECK = """
[run]
steps = 60
timestep = 0.004
seed = 7
{run}
[box]
size = [13.0, 6.5, 6.5]
[neighbor]
skin = 0.4
[[population]]
name = "plasma"
species = "W"
density = 1.5
[[population]]
name = "cells"
kind = "membrane"
species = "M"
mesh = "{mesh}"
{cells}
[[interaction]]
between = "*"
style = "dpd"
a = 10.0
gamma = 4.5
[[output]]
format = "table"
every = 20
"""
TWO = "vertices = 162\ndiameter = 5.0\ncenters = [6.4, 3.2, 3.0,  12.8, 3.1, 3.3]\nnormals = [0, 0, 1,  0.3, 0.5, 1]"
TETRAHEDRON = "OFF\n4 4 6\n1 1 1\n1 -1 -1\n-1 1 -1\n-1 -1 1\n3 0 1 2\n3 0 2 3\n3 0 3 1\n3 1 3 2\n"


def deck_of(run="", cells=TWO, mesh="red-cell", more=MECHANICS):
    return DECK.format(run=run, cells=cells, mesh=mesh) + more


BITWISE = deck_of('reproducibility = "bitwise"')
LAGGED = BITWISE.replace("friction = 5.0", 'friction = 5.0\narea_volume = "lagged"')
EXTRAPOLATED = LAGGED.replace('"lagged"', '"extrapolated"')


def table_of(out):
    with open(out / "cells.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


class Membranes(ProgramTest):
    def run_deck(self, text, name, *arguments, ranks=1):
        out = self.home / name
        self.run_well(self.deck(text, name + ".toml"), "--output", out, "--quiet", *arguments, ranks=ranks)
        return out

    def outcome(self, out):
        return summary(out)["state_hash"], (out / "cells.csv").read_text(encoding="utf-8")

    def test_bits_on_ranks_and_threads(self):
        for kind, deck in (("extrapolated", EXTRAPOLATED), ("current", BITWISE), ("lagged", LAGGED)):
            one = self.outcome(self.run_deck(deck, f"{kind}-1"))
            for ranks in (2, 4):
                self.assertEqual(one, self.outcome(self.run_deck(deck, f"{kind}-{ranks}", ranks=ranks)), (kind, ranks))
        os.environ["OMP_NUM_THREADS"], before = "1", os.environ["OMP_NUM_THREADS"]
        try:
            self.assertEqual(one, self.outcome(self.run_deck(LAGGED, "one-thread")))
        finally:
            os.environ["OMP_NUM_THREADS"] = before

    def test_vertices_that_know_others_beyond_the_forces(self):
        """Of a coarse mesh: ghosts reach as far as its vertices know others, on any number of ranks."""
        coarse = BITWISE.replace("skin = 0.4", "skin = 0.1").replace("vertices = 162", "vertices = 100")
        told = re.search(r"ghosts on several ranks +(\S+) around", mesowarp("check", self.deck(coarse)).stdout)
        self.assertGreater(float(told[1]), 1.1)  # cutoff + skin
        one = self.outcome(self.run_deck(coarse, "coarse-1"))
        for ranks in (2, 3):
            self.assertEqual(one, self.outcome(self.run_deck(coarse, f"coarse-{ranks}", ranks=ranks)), ranks)
        less = coarse.replace("[neighbor]", "[parallel]\nreach = 1.05\n[neighbor]")
        self.assertEqual(one, self.outcome(self.run_deck(less, "less", ranks=2)))

    def test_resume(self):
        """What was stopped and went on, on as many ranks or others, ends with the same bits and the same table."""
        for kind, deck, ranks in (("current", BITWISE, 1), ("lagged", LAGGED, 2), ("extrapolated", EXTRAPOLATED, 1)):
            deck += CHECKPOINTS
            whole = self.outcome(self.run_deck(deck, kind + "-whole", ranks=ranks))
            part = self.run_deck(deck.replace("steps = 60", "steps = 40"), kind + "-part", ranks=ranks)
            for after in (ranks, 3 - ranks):
                out = self.home / f"{kind}-on-{after}"
                shutil.copytree(part, out)
                self.run_well(self.deck(deck), "--output", out, "--quiet", "--resume", out / "checkpoint-20.h5",
                              ranks=after)
                self.assertEqual(whole, self.outcome(out), (kind, after))

    def test_table(self):
        """At the start each cell has the mesh's area and volume, its place and its normal."""
        rows = table_of(self.run_deck(deck_of(), "table"))
        self.assertEqual([(row["step"], row["cell"]) for row in rows],
                         [(str(step), str(cell)) for step in (0, 20, 40, 60) for cell in (0, 1)])
        numbers = [{key: float(value) for key, value in row.items() if key != "population"} for row in rows]
        for row, place, normal in zip(numbers, ((6.4, 3.2, 3.0), (12.8, 3.1, 3.3)), ((0, 0, 1), (0.3, 0.5, 1))):
            normal = np.array(normal) / np.linalg.norm(normal)
            np.testing.assert_allclose([row[k] for k in "xyz"], place, atol=0.02)
            np.testing.assert_allclose([row["normal_" + k] for k in "xyz"], normal, atol=0.02)
            self.assertLess(row["spring_energy"] + row["area_energy"] + row["volume_energy"], 1e-6)
            self.assertGreater(row["bending_energy"], 1.0)
            self.assertLess(row["axis_3"], 0.5 * row["axis_1"])
        for first, last in zip(numbers[:2], numbers[-2:]):
            self.assertLess(abs(last["area"] / first["area"] - 1.0), 0.02)
            self.assertLess(abs(last["volume"] / first["volume"] - 1.0), 0.02)
            self.assertGreater(last["spring_energy"], 1.0)

    def test_places_in_a_dense_suspension(self):
        """On a lattice, and at random: no vertex of a cell is near one of another."""
        for start, number in (("lattice", "hematocrit = 0.3"), ("random", "count = 4")):
            cells = f'initial = "{start}"\nvertices = 162\ndiameter = 3.1\n{number}'
            rows = table_of(self.run_deck(deck_of(cells=cells).replace("steps = 60", "steps = 0"), start))
            places = np.array([[float(row[k]) for k in "xyz"] for row in rows])
            filled = len(rows) * float(rows[0]["volume"]) / (13.0 * 6.5 * 6.5)
            self.assertAlmostEqual(filled, 0.3 if start == "lattice" else 0.042, delta=0.006)
            apart = places[:, None] - places[None]
            apart -= np.round(apart / [13.0, 6.5, 6.5]) * [13.0, 6.5, 6.5]
            nearest = (np.linalg.norm(apart, axis=2) + 100.0 * np.eye(len(rows))).min()
            self.assertGreater(nearest, 1.0)  # a cell is 1.02 thick

    def test_mesh_files(self):
        """OFF, PLY and STL of one surface give one membrane; inside out is turned round."""
        (self.home / "cell.off").write_text(TETRAHEDRON, encoding="utf-8")
        (self.home / "inside.off").write_text(TETRAHEDRON.replace("3 0 1 2", "3 0 2 1").replace("3 0 2 3", "3 0 3 2")
                                              .replace("3 0 3 1", "3 0 1 3").replace("3 1 3 2", "3 1 2 3"),
                                              encoding="utf-8")
        words = TETRAHEDRON.split("\n")
        (self.home / "cell.ply").write_text(
            "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
            "element face 4\nproperty list uchar int vertex_indices\nend_header\n" + "\n".join(words[2:]),
            encoding="utf-8")
        points = [line.split() for line in words[2:6]]
        facets = "".join("facet normal 0 0 0\nouter loop\n" + "".join("vertex " + " ".join(points[int(v)]) + "\n"
                                                                      for v in line.split()[1:]) + "endloop\nendfacet\n"
                         for line in words[6:10])
        (self.home / "cell.stl").write_text(f"solid cell\n{facets}endsolid cell\n", encoding="utf-8")
        tables = []
        for name in ("cell.off", "cell.ply", "cell.stl", "inside.off"):
            out = self.run_deck(deck_of(mesh=name, cells="centers = [3, 3, 3]").replace("steps = 60", "steps = 0")
                                .replace("timestep = 0.004", "timestep = 0.0005"), "out-" + name)
            tables.append([float(table_of(out)[0][key]) for key in ("area", "volume", "x", "y", "z")])
        for other in tables[1:]:
            np.testing.assert_allclose(other, tables[0], rtol=1e-6)
        np.testing.assert_allclose(tables[0][:2], [4 * np.sqrt(3) / 4 * 8, 8 / 3], rtol=1e-6)

    def test_surfaces(self):
        """A file for each frame: the triangles of whole cells, vertices where the trajectory has them in the box."""
        deck = BITWISE.replace("steps = 60", "steps = 20") + '[[output]]\nformat = "trajectory"\nevery = 10\n'
        files = []
        for ranks in (1, 2):
            out = self.run_deck(deck, f"surfaces-{ranks}", ranks=ranks)
            names = [f"surface-cells-{step:010d}.vtp" for step in (0, 10, 20)]
            self.assertEqual(sorted(path.name for path in out.glob("surface-*")), names)
            files.append([(out / name).read_bytes() for name in names])
        self.assertEqual(files[0], files[1])
        head, data = files[0][2].split(b'encoding="raw">\n_')
        self.assertIn(b'NumberOfPoints="324" NumberOfPolys="640"', head)
        offsets = [int(word.split(b'"')[1]) for word in head.split(b"offset=")[1:]]
        places, cells, corners, ends = (data[at + 8:at + 8 + int.from_bytes(data[at:at + 8], "little")]
                                        for at in offsets)
        places = np.frombuffer(places, "<f8").reshape(324, 3)
        corners = np.frombuffer(corners, "<i8").reshape(640, 3)
        np.testing.assert_array_equal(np.frombuffer(cells, "<i4"), np.repeat([0, 1], 162))
        np.testing.assert_array_equal(np.frombuffer(ends, "<i8"), 3 * np.arange(1, 641))
        self.assertLess(max(np.linalg.norm(places[corners[:, k]] - places[corners[:, k - 1]], axis=1).max()
                            for k in range(3)), 2.0)
        with h5py.File(self.home / "surfaces-1/trajectory.h5") as file:
            stored = file["particles/all/position/value"][-1][-324:]
        size = np.array([13.0, 6.5, 6.5])
        apart = places - stored
        np.testing.assert_allclose(apart - size * np.round(apart / size), 0.0, atol=1e-5)

    def test_a_lag_that_drives(self):
        deck = deck_of().replace("friction = 5.0", 'area_volume = "lagged"\nvolume_modulus = 20000')
        done = mesowarp("check", self.deck(deck))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("swing more and more", done.stdout + done.stderr)

    def refused(self, text, *words):
        done = mesowarp("check", self.deck(text))
        self.assertNotEqual(done.returncode, 0, done.stdout + done.stderr)
        for word in words:
            self.assertIn(word, done.stdout + done.stderr)

    def test_bad_decks(self):
        (self.home / "open.off").write_text(TETRAHEDRON.replace("4 4 6", "4 4 6").replace("3 1 3 2", "3 0 1 2"),
                                            encoding="utf-8")
        (self.home / "flat.off").write_text(TETRAHEDRON.replace("-1 -1 1\n", "1 0 0\n", 1), encoding="utf-8")
        line = "deck.toml:19"
        self.refused(deck_of(mesh="open.off", cells="count = 1"), line, "in the same direction", "mesh editor")
        self.refused(deck_of(mesh="flat.off", cells="count = 1"), line, "degenerate", "mesh editor")
        self.refused(deck_of(mesh="none.off", cells="count = 1"), line, "cannot be read")
        self.refused(deck_of(mesh="cell.obj", cells="count = 1"), line, ".off")
        self.refused(deck_of(cells=TWO.replace("12.8,", "9.0,")), "cells 0 and 1 overlap")
        self.refused(deck_of(cells=TWO.replace("5.0", "6.4")), "meet its own image")
        self.refused(deck_of(cells="hematocrit = 0.6\ninitial = \"lattice\""), "own image")
        self.refused(deck_of(cells="hematocrit = 0.6\ninitial = \"lattice\"\ndiameter = 3.0"), "do not fit the box")
        self.refused(deck_of(more=""), "add a [[membrane]]")
        self.refused(deck_of().replace('population = "cells"', 'population = "cell"'), 'did you mean "cells"')
        self.refused(deck_of().replace("timestep = 0.004", "timestep = 0.05"), "unstable for timestep = 0.05",
                     "advised")
        self.refused(deck_of(more=MECHANICS + '[[stretch]]\npopulation = "cells"\nforce = 1.0\n'), "no normals")
        self.refused(deck_of() + '[[boundary]]\nface = "x"\n', "periodic")

    def test_linear_analysis(self):
        """K = 2 mu + k_g + k_l, Y = 4 K mu / (K + mu), from SI units."""
        deck = deck_of("temperature = 0.0655").replace("shear_modulus = 100.0", "length_unit = 1e-6\nkelvin = 296.0\n"
                                                     "shear_modulus = 6.3e-6").replace("= 4.0", "= 2.4e-19")
        done = mesowarp("check", self.deck(deck))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        unit = 0.0655 / (1.380649e-23 * 296.0) * 1e-12
        shear = 6.3e-6 * unit
        compression = 52.0 * shear
        young = 4 * compression * shear / (compression + shear)
        for number in (shear, compression, young):
            self.assertIn(f"{number:.5g}", done.stdout)

    def test_viscosity(self):
        """gamma^T resists turns, too: simple shear, which turns, and plane extension, which does not, differ by it."""
        root = 3.0 ** 0.5
        for keys, said in (("friction_along = 10.0", f"viscosity {2.5 * root:.5g};"),
                           ("friction = 3.0", f"viscosity {3.25 * root:.5g} in simple shear, {1.75 * root:.5g} drawn")):
            done = mesowarp("check", self.deck(deck_of().replace("friction = 5.0", keys)))
            self.assertIn(said, done.stdout)

    def test_burst(self):
        """It ends with the cell, the triangle, the step and the usual cause; the last checkpoint stands, and a run goes
        on from it with a gentler force."""
        deck = deck_of(more=MECHANICS + CHECKPOINTS.replace("20", "5") + '[[stretch]]\npopulation = "cells"\n'
                       "force = 6000.0\n", cells="vertices = 162\ndiameter = 5.0\ncenters = [6.4, 3.2, 3.0]")
        for ranks in (1, 2):
            out = self.home / f"burst-{ranks}"
            arguments = ("run", self.deck(deck), "--output", out, "--quiet")
            done = mesowarp(*arguments) if ranks == 1 else mesowarp_on(ranks, *arguments)
            self.assertNotEqual(done.returncode, 0)
            told = re.search(r"step (\d+): cell 0 of population cells, vertex (\d+), triangle (\d+) \(vertices "
                             r"(\d+), (\d+), (\d+); its edge (\d+) to (\d+) is ([\d.]+) long, ([\d.]+) at rest\), "
                             "bursts",
                             done.stdout + done.stderr)
            self.assertIsNotNone(told, done.stdout + done.stderr)
            self.assertIn("Usual cause", done.stdout + done.stderr)
            self.assertTrue({told[2], told[7], told[8]} <= {told[4], told[5], told[6]} and told[2] == told[7], told[0])
            self.assertGreater(float(told[9]), 2.0 * float(told[10]))
            stored = sorted(int(path.stem.split("-")[1]) for path in out.glob("checkpoint-*.h5"))
            self.assertTrue(stored and int(told[1]) - 6 < stored[-1] <= int(told[1]), (stored, told[0]))
            self.run_well(self.deck(deck), "--output", out, "--quiet", "--resume", "--set", "stretch.0.force=10",
                          ranks=ranks)
            self.assertEqual(summary(out)["steps"], 60)

    def test_a_mesh_from_lammps(self):
        """Atoms are vertices, wherever they are in the box, and Angles triangles."""
        points = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]) + 0.5
        lines = ["cell", "4 atoms", "1 atom types", "4 angles", "1 angle types", *(f"0 9 {a}lo {a}hi" for a in "xyz"),
                 "", "Atoms # molecular", ""]
        lines += [f"{k + 1} 1 1 " + " ".join(f"{x % 9.0} " for x in p) + " ".join(f"{int(x // 9)}" for x in p)
                  for k, p in enumerate(points)]
        lines += ["", "Angles", ""] + [f"{k + 1} 1 {a} {b} {c}" for k, (a, b, c) in
                                       enumerate(((1, 2, 3), (1, 3, 4), (1, 4, 2), (2, 4, 3)))]
        (self.home / "cell.data").write_text("\n".join(lines) + "\n", encoding="utf-8")
        out = self.run_deck(deck_of(mesh="cell.data", cells="centers = [3, 3, 3]").replace("steps = 60", "steps = 0")
                            .replace("timestep = 0.004", "timestep = 0.0005"), "data")
        row, = table_of(out)
        np.testing.assert_allclose([float(row["area"]), float(row["volume"])], [8 * np.sqrt(3), 8 / 3], rtol=1e-6)

    def test_a_lag_that_does_not_drive(self):
        """Area and volume as they go on from the last three steps: stiff ones that a plain lag tears are held."""
        stiff = deck_of(cells="vertices = 162\ndiameter = 5.0\ncenters = [6.4, 3.2, 3.0]").replace(
            "friction = 5.0", 'friction = 0.0\nvolume_modulus = 10000\narea_volume = "{}"').replace(
            "steps = 60", "steps = 400").replace("density = 1.5", "count = 1")
        plain = mesowarp("run", self.deck(stiff.format("lagged")), "--output", self.home / "plain", "--quiet")
        self.assertIn("bursts", plain.stdout + plain.stderr)
        volumes = {}
        for way in ("current", "extrapolated"):
            rows = table_of(self.run_deck(stiff.format(way), way))
            volumes[way] = np.array([float(row["volume"]) for row in rows])
            self.assertLess(np.abs(volumes[way] / volumes[way][0] - 1).max(), 0.05)


if __name__ == "__main__":
    unittest.main()
