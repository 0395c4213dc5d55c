"""Fields on a grid and profiles in shells as a user meets them: every number is what numpy has from the particles of a
frame; the same bits on any number of ranks and through a checkpoint; walls; and what `check` says."""
import re
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from observables import read_table  # noqa: E402
from program import CHECKPOINTS, ProgramTest, mesowarp, summary  # noqa: E402

BOX = np.array([6.0, 8.0, 5.0])
CENTER = np.array([2.5, 3.5, 2.0])
CELLS = (3, 4, 2)
# One sample a block, at the steps of the frames.
MEASURES = """
[[measure]]
style = "field"
name = "cells"
cells = [3, 4, 2]
quantities = ["density", "velocity", "temperature", "stress", "concentration"]
every = {every}
window = {every}
[[measure]]
style = "cylinder"
name = "rings"
axis = "y"
center = [2.5, 0.0, 2.0]
radius = {radius}
inner_radius = 0.5
bins = 4
quantities = ["density", "velocity", "temperature", "concentration"]
every = {every}
window = {every}
[[measure]]
style = "sphere"
name = "shells"
axis = "x"
center = [2.5, 3.5, 2.0]
radius = {radius}
bins = 3
every = {every}
window = {every}
"""
DECK = """
[run]
steps = {steps}
timestep = 0.01
seed = 3
precision = "{precision}"
reproducibility = "bitwise"
[box]
size = [6.0, 8.0, 5.0]
{box}
[transport]
solutes = ["dye", "salt"]
[[population]]
name = "water"
species = "W"
density = 3.0
concentration = [1.0, 0.5]
[[population]]
name = "beads"
species = "H"
density = 0.5
mass = 2.5
[[concentration]]
solute = "dye"
value = 2.0
gradient = [0.3, 0.0, 0.1]
[[interaction]]
between = "*"
style = "tdpd"
a = 25.0
gamma = 4.5
kappa = [3.0, 1.0]
[[drive]]
style = "double-poiseuille"
acceleration = [0.0, 0.5, 0.0]
across = "x"
[[output]]
format = "table"
every = 5
columns = ["pressure_xx", "pressure_yy", "pressure_zz", "pressure_xy", "pressure_xz", "pressure_yz"]
"""
TRAJECTORY = """
[[output]]
format = "trajectory"
every = {every}
precision = "double"
fields = ["position", "velocity", "concentration"]
"""


def deck(precision="mixed", steps=40, every=10, box="", radius=2.4):
    return (DECK.format(precision=precision, steps=steps, box=box) + MEASURES.format(every=every, radius=radius)
            + TRAJECTORY.format(every=every) + CHECKPOINTS)


def datasets(path):
    with h5py.File(path) as file:
        return {name: file[name][()] for name in file}


def binned(index, count, weights):
    """Sums over particles with an index of 0 or more."""
    inside = index >= 0
    return np.bincount(index[inside], weights[inside], count)


class Frame:
    """Particles of one frame: places in the box, and means over bins of them."""

    def __init__(self, path, number):
        with h5py.File(path) as file:
            group = file["particles/all"]
            self.x = group["position/value"][number]
            self.v = group["velocity/value"][number]
            self.c = group["concentration/value"][number] if "concentration" in group else None
            self.mass = group["mass"][()]

    def means(self, index, count, velocity):
        """Number, mean velocity, temperature, concentrations of each bin."""
        n, m = binned(index, count, np.ones(len(index))), binned(index, count, self.mass)
        u = np.stack([binned(index, count, self.mass * velocity[:, a]) / m for a in range(3)], axis=1)
        kinetic = binned(index, count, self.mass * (velocity**2).sum(axis=1))
        c = [binned(index, count, self.c[:, s]) / n for s in range(self.c.shape[1])] if self.c is not None else []
        return n, u, (kinetic - m * (u**2).sum(axis=1)) / (3 * n), c


class Fields(ProgramTest):
    def run_deck(self, text, name, *arguments, ranks=1):
        out = self.home / name
        self.run_well(self.deck(text, name + ".toml"), "--output", out, "--quiet", *arguments, ranks=ranks)
        return out

    def check_means(self, stored, block, frame, index, velocity, volume, tolerance):
        n, u, t, c = frame.means(index, stored["count"][block].size, velocity)
        np.testing.assert_array_equal(stored["count"][block].ravel(), n)
        np.testing.assert_allclose(stored["density"][block].ravel(), n / volume, rtol=1e-12)
        np.testing.assert_allclose(stored["velocity"][block].reshape(-1, 3), u, atol=tolerance)
        np.testing.assert_allclose(stored["temperature"][block].ravel(), t, atol=tolerance)
        for name, values in zip(("dye", "salt"), c):
            if "concentration_" + name in stored:
                np.testing.assert_allclose(stored["concentration_" + name][block].ravel(), values, atol=tolerance)

    def check_against_particles(self, precision, tolerance, text=None, inside=lambda frame: slice(None)):
        out = self.run_deck(text or deck(precision), "means-" + precision)
        cells, rings, shells = (datasets(out / f"{name}.h5") for name in ("cells", "rings", "shells"))
        np.testing.assert_array_equal(cells["first_step"], [0, 10, 20, 30, 40])
        np.testing.assert_array_equal(cells["spacing"], BOX / CELLS)
        self.assertEqual(cells["velocity"].shape, (5, 2, 4, 3, 3))
        for block in range(5):
            frame = Frame(out / "trajectory.h5", block)
            place = np.minimum((frame.x / BOX * CELLS).astype(int), np.array(CELLS) - 1)
            index = (place[:, 2] * CELLS[1] + place[:, 1]) * CELLS[0] + place[:, 0]
            self.check_means(cells, block, frame, index, frame.v, (BOX / CELLS).prod(), tolerance)
            d = frame.x - CENTER
            d -= BOX * np.round(d / BOX)
            self.check_rings(rings, block, frame, d, tolerance)
            self.check_shells(shells, block, frame, d, tolerance)
        return out

    def check_rings(self, rings, block, frame, d, tolerance):
        """Axis y: x' = z, y' = x of a right-handed frame."""
        r = np.hypot(d[:, 2], d[:, 0])
        edges = np.linspace(0.5, 2.4, 5)
        index = np.digitize(r, edges) - 1
        index[(r < 0.5) | (r >= 2.4)] = -1
        cosine, sine = d[:, 2] / r, d[:, 0] / r
        velocity = np.stack([cosine * frame.v[:, 2] + sine * frame.v[:, 0],
                             cosine * frame.v[:, 0] - sine * frame.v[:, 2], frame.v[:, 1]], axis=1)
        self.check_means(rings, block, frame, index, velocity, np.pi * np.diff(edges**2) * BOX[1], tolerance)
        np.testing.assert_allclose(rings["coordinate"], 0.5 * (edges[1:] + edges[:-1]))

    def check_shells(self, shells, block, frame, d, tolerance):
        """The polar axis is x."""
        r, rho = np.linalg.norm(d, axis=1), np.hypot(d[:, 1], d[:, 2])
        edges = np.linspace(0, 2.4, 4)
        index = np.digitize(r, edges) - 1
        index[r >= 2.4] = -1
        e_r = d / r[:, None]
        e_phi = np.stack([np.zeros(len(r)), -d[:, 2] / rho, d[:, 1] / rho], axis=1)
        e_theta = np.cross(e_phi, e_r)
        velocity = np.stack([(e * frame.v).sum(axis=1) for e in (e_r, e_phi, e_theta)], axis=1)
        self.check_means(shells, block, frame, index, velocity, 4 / 3 * np.pi * np.diff(edges**3), tolerance)

    def test_means_are_those_of_the_particles(self):
        for precision, tolerance in (("single", 3e-6), ("mixed", 3e-6), ("double", 1e-7)):
            with self.subTest(precision):
                self.check_against_particles(precision, tolerance)

    def test_stress_is_minus_the_pressure(self):
        """Of the whole box: the momentum of all is zero at the start, and the drive gives none."""
        one = deck().replace("cells = [3, 4, 2]", "cells = [1, 1, 1]").replace("every = 10", "every = 5").replace(
            "window = 10", "window = 5")
        out = self.run_deck(one, "whole")
        stress = datasets(out / "cells.h5")["stress"][:, 0, 0, 0]
        table = read_table(out / "thermo.csv")
        for k, pair in enumerate(("xx", "xy", "xz", "yy", "yz", "zz")):
            pressure = np.array(table["pressure_" + pair])[:len(stress)]
            np.testing.assert_allclose(-stress[:len(pressure), k], pressure, atol=2e-3, err_msg=pair)
        # What cells have of it adds up: the virial is a sum over particles, the motion is counted without the flow.
        parts = datasets(self.run_deck(deck(), "parts") / "cells.h5")
        self.assertTrue(np.isfinite(parts["stress"]).all())
        rows = [list(table["step"]).index(step) for step in parts["first_step"]]
        flow = parts["density"][..., None] * parts["velocity"]**2  # of mass 1 at least
        mean = parts["stress"].mean(axis=(1, 2, 3))
        for k, pair in ((0, "xx"), (3, "yy"), (5, "zz")):
            pressure = np.array(table["pressure_" + pair])[rows]
            most = 2.5 * flow.mean(axis=(1, 2, 3))[:, "xyz".index(pair[0])]
            self.assertTrue((-mean[:, k] <= pressure + 2e-3).all())
            self.assertTrue((-mean[:, k] >= pressure - most - 2e-3).all())

    def assert_same_files(self, one, other):
        self.assertEqual(summary(one)["state_hash"], summary(other)["state_hash"])
        for name in ("cells.h5", "rings.h5", "shells.h5"):
            mine, others = datasets(one / name), datasets(other / name)
            self.assertEqual(mine.keys(), others.keys())
            for key in mine:
                np.testing.assert_array_equal(mine[key], others[key], err_msg=f"{name}: {key}")
        for name in ("cells.xmf", "rings.csv", "shells.csv"):
            self.assertEqual((one / name).read_text(), (other / name).read_text(), name)

    def test_ranks_and_threads(self):
        text = deck(every=5).replace("window = 5", "window = 20")
        one = self.run_deck(text, "one", "--threads", 1)
        self.assert_same_files(self.run_deck(text, "threads", "--threads", 2), one)
        for ranks in (2, 3):
            self.assert_same_files(self.run_deck(text, f"ranks{ranks}", ranks=ranks), one)

    def test_resumed(self):
        """Within a block, and behind one."""
        for window in (15, 20):
            text = deck(every=5, steps=60).replace("window = 5", f"window = {window}")
            whole = self.run_deck(text, f"whole{window}")
            parts = self.run_deck(text, f"parts{window}", "--steps", 50)
            parts = self.run_deck(text, f"parts{window}", "--resume", parts / "checkpoint-40.h5", "--steps", 60,
                                  ranks=2)
            self.assert_same_files(parts, whole)
        other = self.deck(text.replace("cells = [3, 4, 2]", "cells = [3, 4, 1]"), "other.toml")
        done = mesowarp("run", other, "--output", parts, "--resume", "--steps", 70)
        self.assertEqual(done.returncode, 2)
        self.assertIn("other bins than the deck's 3 x 4 x 1", done.stderr)

    def test_many_samples_of_many_cells(self):
        """Sums that stay on the device from sample to sample, of more cells than a team of threads has room for: those
        of a coarser grid, sample by sample; the same on ranks, and where a checkpoint comes between."""
        text = deck(steps=150, every=150).replace('name = "cells"', 'name = "coarse"').replace('"stress", ', "")
        text = text.replace("every = 150\nwindow = 150", "every = 1\nwindow = 75\nspecies = [\"W\"]", 1)
        field = text[text.index("[[measure]]"):text.index("[[measure]]\nstyle = \"cylinder\"")]
        text += field.replace("coarse", "cells").replace("[3, 4, 2]", "[12, 12, 8]")
        whole = self.run_deck(text, "whole")
        fine, coarse = datasets(whole / "cells.h5"), datasets(whole / "coarse.h5")
        self.assertEqual(list(fine["samples"]), [75, 75])
        for block in range(2):
            def joined(of):
                n = fine["count"][block]
                number = n if of == "count" else n * np.nan_to_num(fine[of[0]][block][..., of[1]])
                return number.reshape(2, 4, 4, 3, 3, 4).sum(axis=(1, 3, 5))
            np.testing.assert_allclose(joined("count"), coarse["count"][block], rtol=1e-13)
            for a in range(3):
                np.testing.assert_allclose(joined(("velocity", a)) / joined("count"), coarse["velocity"][block][..., a],
                                           atol=1e-12)
        self.assert_same_files(self.run_deck(text, "ranks", ranks=3), whole)
        parts = self.run_deck(text, "parts", "--steps", 50)
        parts = self.run_deck(text, "parts", "--resume", parts / "checkpoint-40.h5", "--steps", 150)
        self.assert_same_files(parts, whole)

    def test_sheared_particles_are_in_their_own_bins(self):
        """A frame of a sheared box has them in the box, too."""
        text = deck(box='periodic = [true, true, true]\n[shear]\nrate = 0.4').replace(
            '[[drive]]\nstyle = "double-poiseuille"\nacceleration = [0.0, 0.5, 0.0]\nacross = "x"\n', "")
        self.check_against_particles("mixed", 3e-6, text)

    def test_walls(self):
        """Frozen particles are left out, and the distance to the wall lies beside."""
        text = deck(radius=2.0, box="""
[[shape]]
name = "bore"
style = "cylinder"
axis = "y"
center = [2.5, 0.0, 2.0]
radius = 1.9
[[wall]]
name = "tube"
solid = "not bore"
""").replace('acceleration = [0.0, 0.5, 0.0]\nacross = "x"', 'acceleration = [0.0, 0.1, 0.0]\nacross = "x"')
        out = self.run_deck(text.replace('between = "*"', 'between = "*"\ncutoff = 0.7'), "walled")
        cells, rings = datasets(out / "cells.h5"), datasets(out / "rings.h5")
        fluid = summary(out)["particles"]
        with h5py.File(out / "trajectory.h5") as file:
            names = [name.decode() for name in file["parameters/species_names"][()]]
            species = file["particles/all/species"][()]
        moving = int((species != names.index("wall")).sum())
        self.assertLess(moving, fluid)
        np.testing.assert_array_equal(cells["count"].sum(axis=(1, 2, 3)), moving)
        self.assertTrue((rings["count"][:, -1] > 0).all())
        walls = datasets(out / "walls.h5")
        nodes = [np.arange(n) * h for n, h in zip(walls["distance"].shape[::-1], walls["spacing"])]
        z, _, x = np.meshgrid(*nodes[::-1], indexing="ij")
        apart = [np.abs(a - c) for a, c in ((x, 2.5), (z, 2.0))]
        apart = [np.minimum(a, size - a) for a, size in zip(apart, (6.0, 5.0))]
        np.testing.assert_allclose(walls["distance"], 1.9 - np.hypot(*apart), atol=1e-5)
        self.assertIn("walls.h5:/distance", (out / "walls.xmf").read_text())
        self.assertRegex((out / "cells.xmf").read_text(), r'Name="stress" AttributeType="Tensor6" Center="Cell"')

    def test_solvent(self):
        """A collision solvent has them, too, but no stress; one of two masses, which velocities and temperatures are
        weighed by."""
        text = """
[run]
steps = 20
timestep = 0.1
[box]
size = [6.0, 8.0, 5.0]
[[population]]
name = "solvent"
kind = "mpcd"
density = 7.0
[[population]]
name = "heavy"
kind = "mpcd"
density = 3.0
mass = 2.5
[[output]]
format = "trajectory"
every = 10
precision = "double"
fields = ["position", "velocity"]
""" + re.sub(r', "concentration"|, "stress"', "", MEASURES.format(every=10, radius=2.4))
        out = self.run_deck(text, "solvent")
        cells = datasets(out / "cells.h5")
        for block in range(3):
            frame = Frame(out / "trajectory.h5", block)
            self.assertEqual(set(frame.mass), {1.0, 2.5})
            place = np.minimum((frame.x / BOX * CELLS).astype(int), np.array(CELLS) - 1)
            index = (place[:, 2] * CELLS[1] + place[:, 1]) * CELLS[0] + place[:, 0]
            self.check_means(cells, block, frame, index, frame.v, (BOX / CELLS).prod(), 3e-6)
        stress = text.replace('"temperature"]', '"temperature", "stress"]', 1)
        done = mesowarp("check", self.deck(stress, "stress.toml"))
        self.assertIn('"stress" is a sum over forces between pairs', done.stderr)

    def test_what_check_says(self):
        for old, new, message in (
            ("cells = [3, 4, 2]", "cells = [3000, 400, 20]", "24000000 cells, and a field can have"),
            ("cells = [3, 4, 2]", "cells = [3, 0, 2]", "cells"),
            ("radius = 2.4\ninner", "radius = 2.6\ninner",
             "reaches beyond half the box along z: radius may be up to 2.5"),
            ("inner_radius = 0.5", "inner_radius = 2.4", "inner_radius = 2.4 is not below radius = 2.4"),
            ("center = [2.5, 0.0, 2.0]\n", "", "center"),
            ('bins = 4\nquantities = ["density", "velocity", "temperature", "concentration"]',
             'bins = 4\nquantities = ["stress"]', '"stress" is for style = "field"'),
            ('name = "cells"', 'name = "trajectory"', "trajectory.xmf or trajectory.h5"),
        ):
            text = deck()
            self.assertIn(old, text)
            done = mesowarp("check", self.deck(text.replace(old, new, 1)))
            self.assertEqual(done.returncode, 2, message)
            self.assertIn(message, done.stderr)
            self.assertRegex(done.stderr, r"deck\.toml:\d+")
        walled = deck(box='periodic = [true, true, false]\n[[boundary]]\nface = "z"')
        self.assertIn("reaches beyond the box along z: radius may be up to 2 ",
                      mesowarp("check", self.deck(walled)).stderr)


if __name__ == "__main__":
    unittest.main()
