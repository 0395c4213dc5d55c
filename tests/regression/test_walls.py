"""Walls of any shape as a user meets them: the same bits on any number of ranks and threads, through a checkpoint too;
frozen particles that the program makes; and what `check` says."""
import re
import struct
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from observables import Table, read_table  # noqa: E402
from program import CHECKPOINTS, ProgramTest, fluid, mesowarp, summary  # noqa: E402

NOT_THE_SAME = {"wall_time", "particle_steps_per_second"}
# A tube that turns, with a ball in it that does not.
DECK = """
[run]
steps = 60
timestep = 0.01
seed = 5
precision = "{precision}"
reproducibility = "bitwise"
[box]
size = [8.0, 8.0, 6.0]
[[shape]]
name = "tube"
style = "cylinder"
axis = "z"
center = [4.0, 4.0, 0.0]
radius = 2.9
[[shape]]
name = "ball"
style = "sphere"
center = [4.0, 4.0, 3.0]
radius = 1.2
[[wall]]
name = "drum"
solid = "not tube"
friction = 0.2
spin = [0.0, 0.0, 0.5]
about = [4.0, 4.0, 0.0]
[[wall]]
name = "stone"
solid = "ball"
friction = 0.1
species = "rock"
[[population]]
name = "water"
species = "W"
density = 3.0
[[interaction]]
between = ["W", "W"]
a = 25.0
gamma = 4.5
[[drive]]
style = "constant"
acceleration = [0.0, 0.0, 0.1]
[[measure]]
style = "profile"
name = "along"
axis = "x"
bins = 8
[[output]]
format = "trajectory"
every = 20
fields = ["position", "velocity"]
[[output]]
format = "table"
every = 7
columns = ["temperature", "wall_force_z", "wall1_force_y", "wall1_stress_x", "wall2_force_z", "wall_strays",
  "mass_flow_z"]
"""


# Of steps 1 to 60: means of 5; the last 10, two means of 5; and a correlation of sorts.
MEASURES = """
[[measure]]
name = "often"
style = "columns"
start = 5
every = 5
columns = ["wall1_stress_x", "wall2_force_z"]
[[measure]]
name = "late"
style = "columns"
start = 50
every = 10
columns = ["wall2_force_z"]
[[measure]]
name = "memory"
style = "correlation"
every = 2
levels = 2
columns = ["wall_forces"]
"""


def deck(precision="mixed"):
    return DECK.format(precision=precision) + CHECKPOINTS


def brick(low, high):
    """12 triangles, counter-clockwise seen from outside."""
    triangles = []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        for up in (False, True):
            corners = []
            for k in range(4):
                c = [0.0] * 3
                c[axis] = (high if up else low)[axis]
                c[u] = (high if k in (1, 2) else low)[u]
                c[v] = (high if k >= 2 else low)[v]
                corners.append(c)
            if not up:
                corners[1], corners[3] = corners[3], corners[1]
            triangles += [[corners[0], corners[1], corners[2]], [corners[0], corners[2], corners[3]]]
    return triangles


def write_stl(path, triangles):
    with open(path, "wb") as file:
        file.write(b" " * 80 + struct.pack("<I", len(triangles)))
        for corners in triangles:
            file.write(struct.pack("<12fH", 0, 0, 0, *sum(corners, []), 0))


class Walls(ProgramTest):
    def run_deck(self, text, name, *arguments, ranks=1):
        out = self.home / name
        self.run_well(self.deck(text, name + ".toml"), "--output", out, "--quiet", *arguments, ranks=ranks)
        return out

    def assert_same(self, one, other):
        self.assertEqual(summary(one)["state_hash"], summary(other)["state_hash"])
        one, other = read_table(one / "thermo.csv"), read_table(other / "thermo.csv")
        self.assertEqual(one.keys(), other.keys())
        for column in one.keys() - NOT_THE_SAME:
            np.testing.assert_array_equal(one[column], other[column], err_msg=column)

    def test_ranks_and_threads(self):
        one = self.run_deck(deck(), "one", "--threads", 1)
        table = read_table(one / "thermo.csv")
        self.assertTrue(np.all(np.asarray(table["wall_strays"]) == 0))
        self.assertTrue(np.any(np.asarray(table["wall2_force_z"]) != 0))
        self.assert_same(self.run_deck(deck(), "threads", "--threads", 2), one)
        for ranks in (2, 3, 4):
            self.assert_same(self.run_deck(deck(), f"ranks{ranks}", ranks=ranks), one)

    def test_resumed(self):
        for precision in ("single", "mixed", "double"):
            whole = self.run_deck(deck(precision), precision)
            parts = self.run_deck(deck(precision), precision + "-parts", "--steps", 50)
            parts = self.run_deck(deck(precision), precision + "-parts", "--resume", parts / "checkpoint-40.h5",
                                  "--steps", 60)
            self.assert_same(parts, whole)

    def test_every_asker_has_means_of_its_own(self):
        """A measure that looks more often shortens no mean of the table; its own go on through a checkpoint."""
        text = deck().replace("every = 7", "every = 20")
        alone = self.run_deck(text, "alone")
        text += MEASURES
        both = self.run_deck(text, "both")
        self.assert_same(both, alone)
        rows = read_table(both / "thermo.csv")
        means = Table.read(both / "often_means.csv")
        self.assertEqual(means["samples"], [12])
        for column in ("wall1_stress_x", "wall2_force_z"):
            # Steps 1 to 60, by twelve means and by three.
            np.testing.assert_allclose(means[column + "_mean"][-1], np.mean(rows[column][1:]), rtol=1e-9)
        # The first sample is of the steps since the one before, which is none.
        np.testing.assert_allclose(
            Table.read(both / "late_means.csv")["wall2_force_z_mean"][-1], rows["wall2_force_z"][-1], rtol=1e-9)
        self.run_deck(text, "parts", "--steps", 50)
        parts = self.run_deck(text, "parts", "--resume", self.home / "parts" / "checkpoint-40.h5", "--steps", 60)
        self.assert_same(parts, both)
        for name in ("often_means.csv", "late_means.csv", "memory.csv"):
            self.assertEqual((parts / name).read_text(), (both / name).read_text())

    def test_columns_of_no_walls_are_refused(self):
        text = deck()[:deck().index("[[shape]]")] + deck()[deck().index("[[population]]"):]
        for column in ("wall1_force_x", "wall_strays"):
            other = re.sub(r"columns = \[[^]]*\]", f'columns = ["{column}"]', text)
            done = mesowarp("check", self.deck(other, "none.toml"))
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("columns of walls need a [[wall]] block", done.stderr)

    def test_a_resumed_run_has_the_same_walls(self):
        out = self.run_deck(deck(), "resumed")
        for old, new, message in (("radius = 1.2", "radius = 1.3", 'shape "ball" is another'),
                                  ('solid = "ball"', 'solid = "ball and tube"', "another solid")):
            done = mesowarp("run", self.deck(deck().replace(old, new), "other.toml"), "--output", out, "--resume",
                            "--steps", 80)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(message, done.stderr)

    def test_what_starts_where(self):
        out = self.run_deck(deck(), "start")
        with h5py.File(out / "trajectory.h5") as file:
            names = [name.decode() for name in file["parameters/species_names"][()]]
            position = file["particles/all/position/value"][()].astype(float)
            velocity = file["particles/all/velocity/value"][()].astype(float)
            species = file["particles/all/species/value"][()] if "value" in file["particles/all/species"] else \
                file["particles/all/species"][()]
        self.assertEqual(names, ["W", "wall", "rock"])
        species = species.reshape(-1)[:position.shape[1]]
        x, y, z = np.moveaxis(position - np.array([4.0, 4.0, 3.0]), -1, 0)
        f = np.minimum(2.9 - np.hypot(x, y), np.sqrt(x**2 + y**2 + z**2) - 1.2)
        self.assertGreater(f[:, species == 0].min(), -1e-6)
        self.assertLess(f[:, species != 0].max(), 1e-6)
        self.assertGreater(f[:, species == 1].min(), -1.0001)  # as deep as forces reach
        np.testing.assert_array_equal(position[0][species == 2], position[-1][species == 2])
        drum = species == 1
        angle = 0.5 * 0.01 * 60  # that the drum has turned by
        c, s = np.cos(angle), np.sin(angle)
        turned = np.stack([c * x[0] - s * y[0], s * x[0] + c * y[0]], -1)
        gone = turned[drum] - np.stack([x[-1], y[-1]], -1)[drum]
        self.assertLess(np.abs(gone - 8.0 * np.round(gone / 8.0)).max(), 1e-5)
        np.testing.assert_allclose(velocity[-1, drum, 0], -0.5 * y[-1, drum], atol=1e-5)
        np.testing.assert_allclose(velocity[-1, drum, 1], 0.5 * x[-1, drum], atol=1e-5)
        self.assertTrue(np.all(velocity[:, species == 2] == 0))
        for kind, volume in ((0, np.pi * 2.9**2 * 6 - 4 / 3 * np.pi * 1.2**3), (1, np.pi * (3.9**2 - 2.9**2) * 6)):
            number = 3.0 * volume
            self.assertLess(abs((species == kind).sum() - number), 4 * np.sqrt(0.2 * number) + 0.01 * number)

    def test_what_else_is_in_the_box_changes_neither_walls_nor_the_fluid(self):
        """Tracers and a solvent, which no wall is cut from, listed before or behind the fluid."""
        dots = '[[population]]\nname = "dots"\nkind = "tracers"\ndensity = 5.0\ndiffusion = 0.1\n'
        solvent = '[[population]]\nname = "solvent"\nkind = "mpcd"\ndensity = 7.0\n'
        walled = deck("single").replace("spin = [0.0, 0.0, 0.5]\nabout = [4.0, 4.0, 0.0]\n", "")
        walled = walled[:walled.index("[[measure]]")] + walled[walled.index("[[output]]"):walled.rindex("[[output]]")]

        def places(name, before, behind, rest=""):
            text = walled.replace("[[population]]", before + "[[population]]").replace("[[interaction]]",
                                                                                       behind + "[[interaction]]")
            text = text.replace("steps = 60", "steps = 20") + rest
            with h5py.File(self.run_deck(text, name) / "trajectory.h5") as file:
                return file["particles/all/position/value"][()]

        alone = places("alone", "", "")
        np.testing.assert_array_equal(places("before", dots, ""), alone)
        np.testing.assert_array_equal(places("behind", "", dots), alone)
        collision = '[collision]\nstyle = "srd"\nangle = 130.0\nevery = 10\n'
        np.testing.assert_array_equal(places("solvent", solvent, "", collision), alone)

    def test_a_surface_of_triangles_is_like_the_box(self):
        """Between the nodes of its grid edges are a little round: particles there may be on the other side."""
        text = deck().replace('style = "sphere"', 'style = "box"').replace("radius = 1.2", "size = [2.0, 2.0, 2.0]")
        box = self.run_deck(text, "box", "--steps", 20)
        write_stl(self.home / "brick.stl", brick([-1.0] * 3, [1.0] * 3))
        text = text.replace('style = "box"', 'style = "stl"').replace("size = [2.0, 2.0, 2.0]", 'file = "brick.stl"')
        surface = self.run_deck(text, "surface", "--steps", 20)
        self.assertLess(abs(summary(box)["particles"] - summary(surface)["particles"]), 15)
        self.assertEqual(np.asarray(read_table(surface / "thermo.csv")["wall_strays"]).max(), 0)
        self.assert_same(self.run_deck(text, "surface2", "--steps", 20, ranks=2), surface)


class WithoutParticles(Walls):
    """Walls with the mean force of the fluid, found before the run, and solutes that they hold fixed."""
    DECK = (DECK.replace("timestep = 0.01", "timestep = 0.04")
            .replace('solid = "not tube"', 'solid = "not tube"\nmethod = "effective"')
            .replace('columns = ["temperature", "wall_force_z", "wall1_force_y", "wall1_stress_x", "wall2_force_z",',
                     'columns = ["temperature", "wall_forces", "wall_stresses", "solutes",')
            .replace('between = ["W", "W"]', 'between = ["W", "W"]\nstyle = "tdpd"\nkappa = [2.0, 1.0]') + """
[transport]
solutes = ["A", "B"]
[[wall_concentration]]
wall = "drum"
solute = "A"
value = 1.0
[[wall_concentration]]
wall = "stone"
solute = "A"
style = "no-flux"
[[wall_concentration]]
wall = "stone"
solute = "B"
value = 2.0
""")

    def text(self):
        return self.DECK.format(precision="mixed") + CHECKPOINTS

    def test_ranks_and_threads(self):
        one = self.run_deck(self.text(), "one", "--threads", 1)
        table = read_table(one / "thermo.csv")
        self.assertEqual(np.asarray(table["wall_strays"]).max(), 0)
        for column in ("wall1_force_x", "wall2_stress_z", "total_A", "total_B"):
            self.assertTrue(np.any(np.asarray(table[column]) != 0), column)
        for total in ("total_A", "total_B"):
            self.assertTrue(np.all(np.diff(table[total]) > 0), total)
        self.assert_same(self.run_deck(self.text(), "ranks3", ranks=3), one)
        parts = self.run_deck(self.text(), "parts", "--steps", 50, "--threads", 2)
        self.assert_same(
            self.run_deck(self.text(), "parts", "--resume", parts / "checkpoint-40.h5", "--steps", 60, ranks=2), one)

    def test_what_starts_where(self):
        out = self.run_deck(self.text(), "start", "--steps", 20)
        with h5py.File(out / "trajectory.h5") as file:
            names = [name.decode() for name in file["parameters/species_names"][()]]
            position = file["particles/all/position/value"][()].astype(float)
        self.assertEqual(names, ["W", "rock"])
        x, y, _ = np.moveaxis(position - np.array([4.0, 4.0, 3.0]), -1, 0)
        self.assertLess(np.hypot(x, y).max(), 2.9 + 1e-6)

    test_resumed = test_a_resumed_run_has_the_same_walls = test_a_surface_of_triangles_is_like_the_box = None
    test_every_asker_has_means_of_its_own = test_columns_of_no_walls_are_refused = None


class Density(ProgramTest):
    def test_one_that_is_off_is_told(self):
        """Such steps heat the fluid, and it comes twice as close as the push of a wall without particles can say."""
        stiff = fluid(steps=0, timestep=0.04, size=[10.0, 10.0, 10.0], interaction="exponent = 0.41").replace(
            "a = 25.0", "a = 40.0").replace("gamma = 4.5", "gamma = 20.0")
        text = stiff + """
[[shape]]
name = "below"
style = "plane"
axis = "z"
at = 2.0
[[wall]]
name = "bottom"
solid = "below"
method = "effective"
friction = 0.0
"""
        done = self.run_well(self.deck(text), "--output", self.home / "off")
        self.assertRegex(done.stderr + done.stdout, r"density is off by up to \d+%: a run\.timestep that is too long")
        self.assertRegex((self.home / "off/run.log").read_text(encoding="utf-8"), r"density is off by up to \d+%")


class NearWalls(ProgramTest):
    """What walls do begins some way off from them: also for a particle that comes there in the step in
    which the list of particles near walls grows too old. (It was missed, in one of some hundred builds.)"""
    DECK = fluid(steps=200, timestep=0.02, seed=1, size=[8.0, 6.0, 6.0],
                 run='temperature = 3.0\nreproducibility = "bitwise"') + """
[[shape]]
name = "slab"
style = "slab"
axis = "z"
from = 0.0
to = 2.0
[[wall]]
name = "plate"
solid = "slab"
friction = 4.0
"""

    def test_how_long_lists_last(self):
        found = set()
        for ranks, each_step in ((1, ["neighbor.rebuild=every", "neighbor.every=1"]), (1, []), (2, [])):
            out = self.home / f"{ranks}-{len(each_step)}"
            settings = [word for setting in each_step for word in ("--set", setting)]
            self.run_well(self.deck(self.DECK), "--output", out, "--quiet", *settings, ranks=ranks)
            found.add(summary(out)["state_hash"])
        self.assertEqual(len(found), 1)


class Check(ProgramTest):
    def test_how_many_particles(self):
        """Those of the fluid around the walls and in their layers, not those of a box full of it."""
        done = mesowarp("check", self.deck(deck()))
        counted = int(re.search(r"# particles +(\d+)", done.stdout).group(1))
        made = summary(self.run_short())["particles"]
        self.assertLess(abs(counted / made - 1.0), 0.06, (counted, made))

    def run_short(self):
        self.run_well(self.deck(deck()), "--output", self.home / "short", "--quiet", "--steps", 1)
        return self.home / "short"

    def test_what_walls_cannot_be(self):
        text = WithoutParticles.DECK.format(precision="mixed")
        for old, new, message in (
            ('wall = "drum"', 'wall = "dru"', 'there is no [[wall]] "dru"; did you mean "drum"?'),
            ('solute = "B"\nvalue = 2.0', 'solute = "C"\nvalue = 2.0', "is none of transport.solutes"),
            ('solute = "B"\nvalue = 2.0', 'solute = "A"\nvalue = 2.0', "has a [[wall_concentration]]"),
            ('style = "tdpd"\nkappa = [2.0, 1.0]\na = 25.0\ngamma = 4.5', 'style = "wca"',
             "mean force of a soft fluid"),
        ):
            self.assertIn(old, text)
            done = mesowarp("check", self.deck(text.replace(old, new)))
            self.assertNotEqual(done.returncode, 0, message)
            self.assertIn(message, done.stderr)
            self.assertRegex(done.stderr, r"\.toml:\d+")

    def test_what_is_right(self):
        done = mesowarp("check", self.deck(deck()))
        self.assertEqual(done.returncode, 0, done.stderr)
        again = mesowarp("check", self.deck(done.stdout, "resolved.toml"))
        self.assertEqual(again.returncode, 0, again.stderr)
        lines = [[line for line in text.splitlines() if ".toml:" not in line] for text in (done.stdout, again.stdout)]
        self.assertEqual(*lines)

    def test_what_is_wrong(self):
        triangles = brick([-1.0] * 3, [1.0] * 3)
        write_stl(self.home / "open.stl", triangles[:-1])
        write_stl(self.home / "inside_out.stl", [[a, c, b] for a, b, c in triangles])
        write_stl(self.home / "brick.stl", triangles)
        sphere = 'style = "sphere"\ncenter = [4.0, 4.0, 3.0]\nradius = 1.2'
        for old, new, message in (
            ('solid = "ball"', 'solid = "bal"', 'there is no [[shape]] "bal"; did you mean "ball"?'),
            ('solid = "ball"', 'solid = "ball and"', "a shape is missing at the end"),
            ('solid = "not tube"', 'solid = "tube or not tube"', "the walls fill the whole box"),
            ('solid = "ball"', 'solid = "ball and not ball and not tube and tube"', "has no surface in the box"),
            ("radius = 2.9", "radius = 4.9", "meets its own image"),
            ("radius = 2.9", "radius = -1.0", "radius"),
            ("center = [4.0, 4.0, 3.0]", "center = [4.0, 40.0, 3.0]", "is outside of the box"),
            ("spin = [0.0, 0.0, 0.5]", "spin = [0.5, 0.0, 0.0]", "would move into the fluid"),
            ("density = 3.0", "count = 600", "give its density"),
            (sphere, 'style = "slab"\naxis = "z"\nfrom = 2.0\nto = 9.0', "is not in the box"),
            (sphere, 'style = "plane"\naxis = "z"\nat = 7.0', "is outside of the box"),
            (sphere, 'style = "stl"\nfile = "none.stl"', "cannot be read"),
            (sphere, 'style = "stl"\nfile = "open.stl"', "the surface is open: 3 edges"),
            (sphere, 'style = "stl"\nfile = "inside_out.stl"', "inside out"),
            (sphere, 'style = "stl"\nfile = "brick.stl"\ncenter = [4.0, 4.0, 3.0]\nspacing = 0.4',
             "a quarter of the cutoff"),
        ):
            text = deck()
            self.assertIn(old, text)
            done = mesowarp("check", self.deck(text.replace(old, new)))
            self.assertNotEqual(done.returncode, 0, message)
            self.assertIn(message, done.stderr)
            self.assertRegex(done.stderr, r"\.toml:\d+")

    def test_walls_that_close_a_channel(self):
        """What must flow is refused there, what is pushed is told; a way round, or through the box' faces, is one."""
        plug = deck().replace('solid = "ball"', 'solid = "plug"') + """
[[shape]]
name = "plug"
style = "slab"
axis = "z"
from = 2.0
to = 3.5
"""
        flow = '[flow_rate]\nalong = "z"\nvelocity = 0.2\n'
        inflow = '[[inflow]]\nalong = "z"\nfrom = 0.0\nto = 1.5\nvelocity = 0.2\nrate = 5.0\n'
        for more, code, message in (("", 0, "is pressed against them"), (flow, 2, "the walls close the box along z"),
                                    (inflow, 2, "what flows in cannot flow out")):
            done = mesowarp("check", self.deck(plug + more))
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn(message, done.stderr)
            self.assertRegex(done.stderr, r"\.toml:\d+")
        for open_one in (deck() + flow, deck() + inflow,
                         plug.replace('solid = "plug"', 'solid = "plug and not ball"') + flow):
            done = mesowarp("check", self.deck(open_one))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn("close the box", done.stderr)

    def test_a_wall_where_there_is_one(self):
        text = deck().replace("size = [8.0, 8.0, 6.0]", "size = [8.0, 8.0, 6.0]\nperiodic = [true, true, false]")
        text = text.replace('style = "sphere"\ncenter = [4.0, 4.0, 3.0]\nradius = 1.2',
                            'style = "plane"\naxis = "z"\nat = 1.0')
        done = mesowarp("check", self.deck(text + '[[boundary]]\nface = "z"\n'))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("which are walls already", done.stderr)


if __name__ == "__main__":
    unittest.main()
