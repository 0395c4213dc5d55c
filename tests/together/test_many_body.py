"""Many-body DPD as a user meets it: a drop of two species above a floor of frozen particles, with chains in it.

The same bits on threads and ranks, sheared or not, and after a resume, with densities that ghosts are sent in the
middle of a step; what `check` says of decks that make no sense.
"""
import math
import re
import sys
import unittest
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent.parent / "shared")]
from observed import read_frames  # noqa: E402
from program import ProgramTest, mesowarp, summary  # noqa: E402

DROP = """
[run]
steps = {steps}
timestep = 0.005
seed = 3
precision = "{precision}"
reproducibility = "bitwise"
[box]
size = [9.0, 6.0, 7.0]
{more}
[[shape]]
name = "floor"
style = "slab"
axis = "z"
from = 0.0
to = 1.2
[[shape]]
name = "ball"
style = "sphere"
radius = 2.2
center = [4.5, 3.0, 3.4]
[[population]]
name = "floor"
species = "F"
region = "floor"
density = 4.0
frozen = {frozen}
[[population]]
name = "drop"
species = "L"
region = "ball and not floor"
density = 5.0
[[population]]
name = "chains"
kind = "polymer"
blocks = "LPPL"
count = 40
[[interaction]]
between = "*"
a = -30.0
gamma = 4.5
exponent = {exponent}
[[interaction]]
between = ["L", "F"]
a = -20.0
gamma = 2.0
exponent = {exponent}
[[interaction]]
between = "*"
style = "many-body"
b = 20.0
[[bond]]
population = "chains"
k = 40.0
r0 = 0.5
[[output]]
format = "trajectory"
every = 20
precision = "double"
fields = ["position", "image", "velocity", "force"]
[[output]]
format = "checkpoint"
every = 20
"""
SIMPLE = """
[run]
steps = 10
timestep = 0.01
[box]
size = [6.0, 6.0, 6.0]
[[shape]]
name = "ball"
style = "sphere"
radius = 2.0
center = [3.0, 3.0, 3.0]
[[population]]
name = "drop"
species = "L"
density = 6.0
region = "ball"
[[interaction]]
between = "*"
a = -40.0
gamma = 4.5
[[interaction]]
between = "*"
style = "many-body"
b = 25.0
"""


class ManyBody(ProgramTest):
    def drop(self, steps=60, precision="single", exponent=1.0, more="", frozen="true"):
        text = DROP.format(steps=steps, precision=precision, exponent=exponent, more=more, frozen=frozen)
        return self.deck(text, f"{precision}-{exponent}.toml")

    def hash_of(self, deck, name, *arguments, ranks=1):
        self.run_well(deck, "--output", self.home / name, "--force", "--quiet", *arguments, ranks=ranks)
        return summary(self.home / name)["state_hash"]

    def test_bits_on_threads_and_ranks(self):
        for precision, exponent in (("single", 1.0), ("mixed", 0.5), ("double", 1.0)):
            with self.subTest(precision=precision):
                deck = self.drop(precision=precision, exponent=exponent)
                one = self.hash_of(deck, "one", "--threads", 1)
                self.assertEqual(self.hash_of(deck, "two", "--threads", 2), one)
                for ranks in (2, 4):
                    self.assertEqual(self.hash_of(deck, f"ranks{ranks}", ranks=ranks), one, ranks)

    def test_bits_of_a_sheared_drop(self):
        more = '[shear]\nrate = 0.4\ngradient = "y"\n'
        deck = self.drop(more=more, frozen="false")
        one = self.hash_of(deck, "one")
        for ranks in (2, 4):
            self.assertEqual(self.hash_of(deck, f"ranks{ranks}", ranks=ranks), one, ranks)
        still = self.hash_of(self.drop(frozen="false"), "still")
        self.assertNotEqual(still, one)

    def test_goes_on(self):
        """From a checkpoint in the middle, on other ranks."""
        deck = self.drop()
        whole = self.hash_of(deck, "whole")
        for ranks in (1, 2):
            part = self.home / f"part{ranks}"
            self.hash_of(deck, part, "--set", "run.steps=40")
            self.run_well(deck, "--resume", part / "checkpoint-40.h5", "--output", part, "--quiet", ranks=ranks)
            self.assertEqual(summary(part)["state_hash"], whole, ranks)

    def test_starts_in_its_region(self):
        deck = self.drop()
        self.hash_of(deck, "drop", "--set", "run.steps=20")
        frames = read_frames(self.home / "drop")
        x, species = frames["position"][0], frames["species"]
        floor, drop = x[species == 0], x[(species == 1)][:frames["position"].shape[1]]
        self.assertEqual(len(floor), round(4.0 * 9.0 * 6.0 * 1.2))
        self.assertTrue((floor[:, 2] <= 1.2 + 1e-9).all())
        self.assertTrue((frames["position"][-1][species == 0] == floor).all(), "frozen particles have moved")
        ball = drop[:len(drop) - 80]  # behind these there are the ends of 40 chains
        self.assertTrue((((ball - [4.5, 3.0, 3.4])**2).sum(1) <= 2.2**2 + 1e-9).all())
        volume = 4.0 / 3.0 * 3.14159265 * 2.2**3  # it does not reach the floor
        self.assertAlmostEqual(len(ball) / (5.0 * volume), 1.0, delta=2e-3)

    def test_volume_of_a_region(self):
        """Small, thin, and off centre, in boxes that are long or large: the number of particles is density times
        volume, to the accuracy that is promised."""
        ball, block = 'style = "sphere"\nradius = {}\ncenter = {}', 'style = "box"\ncenter = {}\nsize = {}'
        slab = 'style = "slab"\naxis = "z"\nfrom = {}\nto = {}'
        tube = 'style = "cylinder"\naxis = "x"\nradius = {}\ncenter = {}'
        for box, shape, volume, density in (
                ([20.0, 20.0, 400.0], ball.format(3.0, [10.0, 10.0, 201.0]), 36.0 * math.pi, 100.0),
                ([10.0, 10.0, 400.0], ball.format(2.0, [5.0, 5.0, 399.0]), 32.0 / 3.0 * math.pi, 1000.0),
                ([10.0, 10.0, 400.0], block.format([5.1, 5.2, 77.7], [4.0, 4.0, 4.0]), 64.0, 1000.0),
                ([40.0, 40.0, 40.0], block.format([13.0, 20.0, 7.7], [0.5, 0.5, 0.5]), 0.125, 1e4),
                ([40.0, 40.0, 40.0], tube.format(0.2, [20.0, 20.0, 20.0]), 1.6 * math.pi, 1000.0),
                ([20.0, 20.0, 200.0], slab.format(0.0, 1.5), 600.0, 8.0),
                ([40.0, 40.0, 40.0], slab.format(20.0, 20.3), 480.0, 10.0),
                ([26.0, 26.0, 100.0], slab.format(61.3, 61.35), 33.8, 1000.0)):
            text = SIMPLE.replace("size = [6.0, 6.0, 6.0]", f"size = {box}").replace(
                'style = "sphere"\nradius = 2.0\ncenter = [3.0, 3.0, 3.0]', shape)
            text = text.replace("density = 6.0", f"density = {density}")
            rc, words = self.told(text)
            self.assertEqual(rc, 0, words)
            found = int(re.search(r"# particles +(\d+)", words).group(1))
            self.assertLess(abs(found / (density * volume) - 1.0), 3e-3, f"{shape} in {box}: {found}")

    def test_starts_in_a_small_region(self):
        """A millionth of the box: places are drawn in the block around it."""
        text = SIMPLE.replace("size = [6.0, 6.0, 6.0]", "size = [100.0, 100.0, 100.0]").replace(
            "radius = 2.0\ncenter = [3.0, 3.0, 3.0]", "radius = 0.6\ncenter = [99.8, 3.0, 3.0]")
        text += '[[output]]\nformat = "trajectory"\nevery = 1\nprecision = "double"\n' \
            'fields = ["position", "velocity", "force"]\n'
        text = text.replace("density = 6.0", "count = 1000").replace("steps = 10", "steps = 0").replace(
            "a = -40.0", "a = 0.1").replace("b = 25.0", "b = 0.0")
        self.run_well(self.deck(text), "--output", self.home / "small", "--quiet")
        x = read_frames(self.home / "small")["position"][0]
        away = (x - [99.8, 3.0, 3.0] + 50.0) % 100.0 - 50.0
        self.assertTrue(((away**2).sum(1) <= 0.36 + 1e-9).all())
        self.assertLess(abs(away.mean(0)).max(), 4 * 0.6 / math.sqrt(5.0 * len(x)))  # four standard errors

    def test_a_region_up_to_a_boundary(self):
        """What walls' shapes must not do, regions may."""
        size, slab = "size = [6.0, 6.0, 6.0]", 'style = "slab"\naxis = "z"\nfrom = 0.0\nto = 2.0'
        text = SIMPLE.replace(size, size + '\nperiodic = [true, true, false]\n[[boundary]]\nface = "z"')
        text = text.replace('style = "sphere"\nradius = 2.0\ncenter = [3.0, 3.0, 3.0]', slab)
        rc, words = self.told(text)
        self.assertEqual(rc, 0, words)
        wall = '[[wall]]\nname = "w"\nsolid = "ball"\n[[population]]'
        rc, words = self.told(text.replace("[[population]]", wall, 1))
        self.assertNotEqual(rc, 0)
        self.assertIn("ends at the faces across z", words)

    def test_an_emptier_box_is_the_same_liquid(self):
        """What `check` says of the time step is the liquid's, and so is the memory of a particle."""
        said = []
        for edge in (6.0, 24.0):
            text = SIMPLE.replace("size = [6.0, 6.0, 6.0]", f"size = [6.0, 6.0, {edge}]")
            text = text.replace("gamma = 4.5", "gamma = 60.0")
            rc, words = self.told(text)
            self.assertEqual(rc, 0, words)
            said.append(re.search(r"velocities decay by [^;]*", words).group(0))
        self.assertEqual(said[0], said[1])
        each = int(re.search(r"\((\d+) bytes per particle\)", words).group(1))
        sparse = self.home / "sparse"
        self.run_well(self.deck(text.replace("gamma = 60.0", "gamma = 4.5")), "--output", sparse, "--quiet")
        taken = summary(sparse)["memory_bytes_per_particle"]
        self.assertTrue(0.5 * each < taken < 1.5 * each, f"{taken} of {each}")

    def told(self, text):
        done = mesowarp("check", self.deck(text))
        return done.returncode, done.stdout + done.stderr

    def test_what_check_says(self):
        rc, words = self.told(SIMPLE)
        self.assertEqual(rc, 0, words)
        self.assertIn("of L without pressure: density 6.10", words)
        self.assertIn("density | pair many-body | pair dpd, kick, drift", words)
        for change, expected in (
                (("[[interaction]]\nbetween = \"*\"\nstyle = \"many-body\"\nb = 25.0\n", ""),
                 "attracts, and nothing keeps \"L\" and \"L\" apart"),
                (("b = 25.0\n", 'b = 25.0\n[[interaction]]\nbetween = ["L", "L"]\nstyle = "many-body"\nb = 20.0\n'),
                 "b = 20 here and 25 in another many-body interaction"),
                (("timestep = 0.01", "timestep = 0.04"), "is long for the repulsion"),
                (("b = 25.0", "b = 0.0"), "attracts, and nothing keeps \"L\" and \"L\" apart"),
                (("b = 25.0", "b = 0.2"), "has no density below 40"),
                (("b = 25.0", 'b = 25.0\ndensity_weight = "lucy"'), "have no energy")):
            rc, words = self.told(SIMPLE.replace(*change))
            self.assertEqual(rc, 0, words)
            self.assertIn(expected, words)
        for change, expected in (
                (('region = "ball"', 'region = "bowl"'), "region: "),
                (("radius = 2.0\ncenter = [3.0, 3.0, 3.0]", "radius = 2.0\ncenter = [3.0, 3.0, 3.0]\n[[wall]]\n"
                  'name = "wall"\nsolid = "not ball"\n'), "beside [[wall]] blocks"),
                (('region = "ball"', 'region = "ball and not ball"'), "nothing of the box"),
                (('region = "ball"', 'region = "ball"\ninitial = "lattice"'), "region is only for initial"),
                (('density = 6.0\nregion = "ball"', 'density = 2.5\n[[wall]]\nname = "wall"\nsolid = "not ball"'),
                 "they would have holes"),
                (("timestep = 0.01", 'timestep = 0.01\nprecision = "single"\n[sums]\n'
                  'accumulator = "double-sum"'), "usual accumulators")):
            rc, words = self.told(SIMPLE.replace(*change))
            self.assertNotEqual(rc, 0, expected)
            self.assertIn(expected, words)


if __name__ == "__main__":
    unittest.main()
