"""[[schedule]] of forces and of temperature beside [[wall]] blocks: what walls are made of, and the tables of what they
do, are those of the moment. A number that stays is that of another deck, and what is yet to come changes nothing: all
to the bit."""
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2] / "shared"))
from program import ProgramTest, mesowarp, summary  # noqa: E402
from schedules import schedule  # noqa: E402

DECK = """
[run]
steps = 40
timestep = 0.05
seed = 7
temperature = {temperature}
reproducibility = "bitwise"
[box]
size = [6.0, 4.0, 6.0]
[[population]]
name = "water"
species = "W"
density = 2.0
[[interaction]]
between = {between}
a = {a}
gamma = {gamma}
[[shape]]
name = "slab"
style = "slab"
axis = "z"
from = 0.0
to = 2.0
[[wall]]
name = "plate"
solid = "slab"
method = "{method}"
friction = {friction}
{more}
[[output]]
format = "table"
every = 10
columns = ["temperature", "potential_energy", "pressure"]
[[output]]
format = "checkpoint"
every = 20
"""


def deck(method, more="", **changes):
    values = {"a": 10.0, "gamma": 2.0, "temperature": 1.0, "friction": 4.0, "between": '["W", "W"]', **changes}
    return DECK.format(method=method, more=more, **values)


# A wall whose concentration of one solute is fixed, and that lets nothing of the other through.
SOLUTES = """
[transport]
solutes = ["acid", "salt"]
[[wall_concentration]]
wall = "plate"
solute = "salt"
value = {value}
[[wall_concentration]]
wall = "plate"
solute = "acid"
style = "no-flux"
[[source]]
solute = "acid"
rate = 1.0
region = "sphere"
center = [3.0, 2.0, 4.0]
radius = 1.0
"""


def solutes(method, kappa, value=1.0, more=""):
    return deck(method, SOLUTES.format(value=value) + more).replace(
        "gamma = 2.0", f'gamma = 2.0\nstyle = "tdpd"\nkappa = {kappa}').replace(
            '"temperature", "potential', '"solutes", "temperature", "potential')


class Walls(ProgramTest):
    def run_deck(self, name, text, *arguments, ranks=1):
        output = self.home / name
        self.run_well(self.deck(text, name + ".toml"), "--output", output, "--quiet", *arguments, ranks=ranks)
        return summary(output)["state_hash"], (output / "thermo.csv").read_text(encoding="utf-8")

    def test_numbers_that_stay(self):
        """Frozen particles that the program puts into walls have the forces of the fluid's block at all times, and so
        does what stands for them; walls are made for the numbers of the first step."""
        for method in ("frozen", "effective"):
            expected = self.run_deck("given", deck(method, a=20.0, gamma=4.0))
            stay = schedule("interaction.0.a", [0], [20.0]) + schedule("interaction.0.gamma", [0], [4.0])
            self.assertEqual(self.run_deck("kept", deck(method, stay)), expected, method)
            self.assertNotEqual(self.run_deck("other", deck(method)), expected, method)

    def test_a_jump_is_another_deck(self):
        """What is looked for before a run goes on with a checkpoint; of walls without particles a part of that grows
        with the repulsion, which another deck does not know."""
        for method, numbers in (("frozen", {"a": 20.0, "gamma": 4.0}), ("effective", {"gamma": 4.0, "friction": 6.0})):
            self.run_deck("first", deck(method), "--steps", 20)
            checkpoint = self.home / "first" / "checkpoint-20.h5"
            expected = self.run_deck("first", deck(method, **numbers), "--resume", checkpoint)
            jumps = "".join(schedule(f"interaction.0.{key}" if key != "friction" else "wall.0.friction", [0, 20],
                                     [{"a": 10.0, "gamma": 2.0, "friction": 4.0}[key], value], "jumps")
                            for key, value in numbers.items())
            self.assertEqual(self.run_deck("jumps", deck(method, jumps))[0], expected[0], method)

    def test_spin(self):
        """Of a cylinder that turns: as another deck, from the first step or from a jump on, and a ramp on ranks and
        behind a stop."""
        def turning(spin, more=""):
            text = deck("frozen", more).replace(
                'style = "slab"\naxis = "z"\nfrom = 0.0\nto = 2.0',
                'style = "cylinder"\naxis = "y"\ncenter = [3.0, 0.0, 3.0]\nradius = 1.2')
            return text.replace("friction = 4.0\n", "friction = 4.0\nabout = [3.0, 0.0, 3.0]\n"
                                f"spin = [0.0, {spin}, 0.0]\n")
        expected = self.run_deck("given", turning(0.8))
        self.assertEqual(self.run_deck("kept", turning(0.2, schedule("wall.0.spin.y", [0], [0.8]))), expected)
        self.run_deck("first", turning(0.2), "--steps", 20)
        checkpoint = self.home / "first" / "checkpoint-20.h5"
        later = self.run_deck("first", turning(0.8), "--resume", checkpoint)
        self.assertNotEqual(later[0], expected[0])
        jumps = schedule("wall.0.spin.y", [0, 20], [0.2, 0.8], "jumps")
        self.assertEqual(self.run_deck("jumps", turning(0.2, jumps))[0], later[0])
        ramp = turning(0.2, schedule("wall.0.spin.y", [5, 35], [0.2, -0.7]))
        found = {self.run_deck("whole", ramp), self.run_deck("ranks", ramp, ranks=3)}
        found.add(self.run_deck("ranks", ramp, "--resume", self.home / "ranks" / "checkpoint-20.h5", ranks=3))
        self.assertEqual(len(found), 1)

    def test_what_is_yet_to_come(self):
        """Fluids that walls are cut from do not know the run's steps."""
        come = schedule("interaction.0.a", [50, 60], [10.0, 30.0]) + schedule("run.temperature", [50, 60], [1.0, 3.0])
        for method in ("frozen", "effective"):
            self.assertEqual(self.run_deck("yet", deck(method, come)), self.run_deck("never", deck(method)), method)

    def test_beside_what_the_fluid_before_has_not_got(self):
        """Walls that move, and drives, of a deck whose forces change."""
        drive = '[[drive]]\nstyle = "constant"\nacceleration = [0.1, 0.0, 0.0]\n'
        more = drive + schedule("wall.0.velocity.x", [0, 30], [0.0, 1.0])
        more += schedule("drive.0.acceleration.x", [0, 30], [0.1, 0.3])
        found = {self.run_deck(f"a{a}", deck("frozen", more + schedule("interaction.0.a", [0, 20], [10.0, a])))
                 for a in (10.0, 20.0)}
        self.assertEqual(len(found), 2)

    def test_solutes(self):
        """The walls that are made like the fluid have its kappa, but where nothing passes."""
        kappa = schedule("interaction.0.kappa", [0], [4.0])
        expected = self.run_deck("given", solutes("frozen", 4.0))
        self.assertEqual(self.run_deck("kept", solutes("frozen", 2.0, 1.0, kappa)), expected)
        self.assertNotEqual(self.run_deck("other", solutes("frozen", 2.0)), expected)
        value = schedule("wall_concentration.0.value", [0], [3.0])
        expected = self.run_deck("given", solutes("effective", 4.0, 3.0))
        self.assertEqual(self.run_deck("kept", solutes("effective", 2.0, 1.0, kappa + value)), expected)

    def test_what_check_says(self):
        def said(text, *message, wrong=False):
            done = mesowarp("check", self.deck(text, "checked.toml"))
            self.assertEqual(done.returncode != 0, wrong, done.stderr)
            for words in message:
                self.assertIn(words, done.stderr)
            return done.stderr

        ramp = schedule("interaction.0.a", [0, 30], [10.0, 20.0])
        warned = said(deck("frozen", ramp, friction=0.5).replace("friction = 0.5\n", ""),
                      'the friction of wall "plate" is looked for before the run, at interaction.0.a = 10, and stays',
                      "give wall.N.friction, and a [[schedule]] of it")
        line = deck("frozen", ramp).replace("friction = 4.0\n", "").splitlines().index('key = "interaction.0.a"') + 1
        self.assertIn(f":{line}:", warned)
        self.assertNotIn("friction", said(deck("frozen", ramp)))
        said(deck("frozen", schedule("wall.0.friction", [0, 9], [0.0, 4.0])))
        said(deck("frozen", schedule("wall.0.friction", [0, 9], [0.0, 4.0])).replace("friction = 4.0\n", ""),
             '"wall.0.friction" is no number of this deck that may change', wrong=True)
        said(deck("frozen", schedule("interaction.1.a", [0], [20.0])),  # of the block that the program adds
             '"interaction.1.a" is no number of this deck that may change', wrong=True)
        said(deck("effective", schedule("interaction.0.a", [0, 30], [0.0, 20.0])), "begin above 0")
        self.assertNotIn("begin above", said(deck("effective", ramp)))
        said(deck("frozen", schedule("interaction.0.cutoff", [0, 30], [1.0, 1.2])),
             "cannot change in a deck with [[wall]] blocks", "give each length a run of its own", "[[boundary]]",
             wrong=True)
        said(solutes("frozen", 2.0, 1.0, schedule("wall_concentration.0.value", [0], [3.0])),
             "is no number of this deck that may change", wrong=True)

    def test_density(self):
        """A fluid that comes to repel more is as dense at a wall without particles as elsewhere: 3, in the bulk and in
        the mean over the last cutoff before the surface. With tables of the start the bulk had 2.86."""
        profile = '[[measure]]\nstyle = "profile"\nname = "z"\naxis = "z"\nbins = 64\nevery = 5\nstart = 1000\n' \
                  'window = 250\nquantities = ["density"]\n'
        text = deck("effective", profile + schedule("interaction.0.a", [0, 500], [25.0, 50.0], "jumps"), a=25.0,
                    gamma=4.5, friction=0.2)
        for old, new in (("[6.0, 4.0, 6.0]", "[8.0, 8.0, 8.0]"), ("density = 2.0", "density = 3.0"),
                         ("steps = 40", "steps = 5000"), ("timestep = 0.05", "timestep = 0.01"),
                         ("every = 20", "every = 0")):
            self.assertIn(old, text)
            text = text.replace(old, new)
        self.run_deck("density", text)
        rows = np.genfromtxt(self.home / "density" / "z.csv", delimiter=",", names=True)
        blocks = rows["density"].reshape(-1, 64)
        for name, found in (("bulk", blocks[:, 32:48].mean(axis=1)),
                            ("surface", blocks[:, np.r_[16:24, 56:64]].mean(axis=1))):
            mean, error = found.mean(), found.std(ddof=1) / np.sqrt(len(found))
            self.assertLess(error, 0.01, name)
            self.assertLess(abs(mean - 3.0), 3 * error + 0.03, name)

    def test_the_same_bits(self):
        """Of ramps, on three ranks, and behind a stop."""
        more = schedule("interaction.0.a", [5, 35], [10.0, 25.0]) + schedule("run.temperature", [5, 35], [1.0, 1.5])
        more += schedule("interaction.0.gamma", [15, 25], [2.0, 6.0])
        for method in ("frozen", "effective"):
            found = {self.run_deck("whole", deck(method, more)), self.run_deck("ranks", deck(method, more), ranks=3)}
            for name in ("whole", "ranks"):
                again = ("--resume", self.home / name / "checkpoint-20.h5")
                found.add(self.run_deck(name, deck(method, more), *again, ranks=3 if name == "ranks" else 1))
            self.assertEqual(len(found), 1, method)


if __name__ == "__main__":
    unittest.main()
