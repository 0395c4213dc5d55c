"""Membranes between walls: cells that sink to a wall do not come into it, are placed off walls, have the same bits on
ranks and after a resume; what stands in a wall is refused."""
import re
import shutil
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "shared"))
from program import CHECKPOINTS, ProgramTest, mesowarp, summary  # noqa: E402

LOW, HIGH, VERTICES = 1.0, 7.0, 162
CELLS = """
[[population]]
name = "cells"
kind = "membrane"
species = "M"
mesh = "sphere"
mass = 4.0
vertices = 162
diameter = 4.0
{cells}
"""
PLASMA = """
[[population]]
name = "plasma"
species = "W"
density = 1.5
"""
DECK = """
[run]
steps = 160
timestep = 0.004
seed = 7
{run}
[box]
size = [10.0, 8.0, 6.0]
[neighbor]
skin = 0.4
[[shape]]
name = "gap"
style = "slab"
axis = "y"
from = 1.0
to = 7.0
[[wall]]
name = "plates"
solid = "not gap"
friction = 0.0
{populations}
[[membrane]]
population = "cells"
shear_modulus = 100.0
bending_modulus = 4.0
friction = 5.0
table_every = 40
[[interaction]]
between = "*"
style = "dpd"
a = 10.0
gamma = 4.5
[[interaction]]
between = ["M", "M"]
style = "wca"
sigma = 0.6
different_molecules = true
[[drive]]
style = "constant"
acceleration = [0.5, -5.0, 0.0]
[[output]]
format = "table"
every = 40
columns = ["time", "temperature", "wall_strays"]
[[output]]
format = "trajectory"
every = 20
precision = "double"
"""
LISTED = "centers = [2.5, 3.2, 3.0,  7.5, 3.3, 3.1]"


def deck_of(cells=LISTED, run="", populations=CELLS + PLASMA):
    return DECK.format(run=run, populations=populations.format(cells=cells)) + CHECKPOINTS.replace("20", "80")


class CellsInWalls(ProgramTest):
    def run_deck(self, text, name, *arguments, ranks=1):
        out = self.home / name
        self.run_well(self.deck(text, name + ".toml"), "--output", out, "--quiet", *arguments, ranks=ranks)
        return out

    def vertices(self, out):
        with h5py.File(out / "trajectory.h5") as file:
            return file["particles/all/position/value"][()][:, :2 * VERTICES, 1]

    def test_cells_sink_to_a_wall(self):
        text = deck_of(run='reproducibility = "bitwise"')
        whole = self.run_deck(text, "whole")
        y = self.vertices(whole)
        self.assertGreaterEqual(y.min(), LOW)
        self.assertLess(y.min(), LOW + 0.05)
        self.assertLess(y.max(), HIGH)
        self.assertLess(y[-1].mean(), y[0].mean() - 0.1)
        two = self.run_deck(text, "two", ranks=2)
        self.assertEqual(summary(whole)["state_hash"], summary(two)["state_hash"])
        part = self.home / "part"
        shutil.copytree(two, part)
        self.run_well(self.deck(text), "--output", part, "--quiet", "--resume", part / "checkpoint-80.h5")
        self.assertEqual(summary(whole)["state_hash"], summary(part)["state_hash"])
        self.assertEqual((whole / "cells.csv").read_text(), (part / "cells.csv").read_text())

    def test_random_places(self):
        out = self.run_deck(deck_of(cells="count = 2").replace("steps = 160", "steps = 0"), "random")
        y = self.vertices(out)
        self.assertGreater(y.min(), LOW)
        self.assertLess(y.max(), HIGH)

    def test_the_plasma_does_not_slip(self):
        """What cells do to each other does not keep the program from finding the walls' friction: it is the plasma's,
        as if no cells were there."""
        text = deck_of().replace("friction = 0.0\n", "").replace("steps = 160", "steps = 0").replace("0.004", "0.02")
        plasma = text.replace(CELLS.format(cells=LISTED), "").replace("[0.5, -5.0, 0.0]", "[0.5, 0.0, 0.0]")
        plasma = plasma[:plasma.index("[[membrane]]")] + plasma[plasma.index("[[interaction]]"):]
        plasma = plasma[:plasma.index('[[interaction]]\nbetween = ["M", "M"]')] + plasma[plasma.index("[[drive]]"):]
        found = []
        for name, each in (("with", text), ("without", plasma)):
            log = (self.run_deck(each, name) / "run.log").read_text(encoding="utf-8")
            self.assertNotIn("not looked for", log)
            found.append(float(re.search(r'wall "plates": friction (\d+\.?\d*) was found', log).group(1)))
        self.assertEqual(*found)
        self.assertGreater(found[0], 0.1)

    def test_a_friction_that_is_not_looked_for(self):
        """The log says so, and `check` where; with a friction, whatever it is, neither does."""
        hard = deck_of(populations=CELLS + PLASMA + 'initial = "lattice"\n').replace("steps = 160", "steps = 0")
        hard = hard.replace('between = ["M", "M"]', 'between = ["W", "W"]').replace("different_molecules = true\n", "")
        for text, told in ((hard.replace("friction = 0.0\n", ""), True), (hard, False)):
            done = mesowarp("check", self.deck(text))
            self.assertEqual(done.returncode, 0, done.stderr)
            log = (self.run_deck(text, f"told{told}") / "run.log").read_text(encoding="utf-8")
            for words in (done.stderr, log):
                (self.assertIn if told else self.assertNotIn)('the friction of wall "plates" is not looked for', words)
            if told:
                line = 1 + text[:text.index("[[wall]]")].count("\n")
                self.assertRegex(done.stderr, rf"\.toml:{line}:1: warning: the friction of wall")

    def test_check(self):
        def refused(text, *words):
            done = mesowarp("check", self.deck(text))
            self.assertNotEqual(done.returncode, 0, done.stdout + done.stderr)
            for word in words:
                self.assertIn(word, done.stdout + done.stderr)

        refused(deck_of(cells="centers = [2.5, 2.9, 3.0]"), "cell 0 stands in a wall", "move its centre")
        refused(deck_of(populations=PLASMA + CELLS), "membranes come first", '"plasma"')

    def test_hematocrit(self):
        """Of what walls leave: six of eight lengths here."""
        done = mesowarp("check", self.deck(deck_of(cells="hematocrit = 0.3")))
        self.assertEqual(done.returncode, 0, done.stderr)
        volume = float(re.search(r"volume (\S+) \(reduced", done.stdout)[1])
        self.assertIn(f"cells of cells {round(0.3 * 10.0 * 6.0 * 6.0 / volume)}, each", " ".join(done.stdout.split()))
        out = self.run_deck(deck_of(cells="hematocrit = 0.3").replace("steps = 160", "steps = 0"), "hematocrit")
        with open(out / "cells.csv", encoding="utf-8") as file:
            self.assertEqual(len(file.readlines()) - 1, round(0.3 * 360.0 / volume))

    def test_a_fluid_that_gives_way(self):
        """Cells stay near a wall where a flow compresses the fluid instead of deforming them."""
        text = deck_of()
        stiff = text.replace("density = 1.5", "density = 4.0").replace("shear_modulus = 100.0", "shear_modulus = 5.0")
        still = text[:text.index("[[drive]]")] + text[text.index("[[output]]"):]
        for deck, told in ((text, True), (stiff, False), (still, False)):
            done = mesowarp("check", self.deck(deck))
            self.assertEqual(done.returncode, 0, done.stderr)
            words = " ".join(done.stderr.split())
            (self.assertIn if told else self.assertNotIn)("the fluid W gives way before the cells of", words)
        # K = rho k_BT + 2 * 0.101 a rho^2, with rho of the deck's numbers
        self.assertRegex(mesowarp("check", self.deck(stiff)).stdout,
                         r"W, bulk modulus about 36\.32.* a cell is \d\.\d cutoffs thick")
        line = 1 + text[:text.index("shear_modulus")].count("\n")
        self.assertRegex(mesowarp("check", self.deck(text)).stderr, rf"\.toml:{line}:\d+: warning: the fluid W gives")


if __name__ == "__main__":
    unittest.main()
