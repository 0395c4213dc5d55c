"""Forces between different molecules alone: against sums over pairs in Python, with cells of a membrane, chains and
single particles; energy of cells that stick; bits on ranks, after a resume; what `check` says."""
import shutil
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "shared"))
from observables import read_table  # noqa: E402
from observed import read_frames  # noqa: E402
from program import CHECKPOINTS, ProgramTest, mesowarp, summary  # noqa: E402

SIZE = np.array([13.0, 6.5, 6.5])
VERTICES, CHAINS, BEADS, WATER = 162, 20, 4, 60
DECK = """
[run]
steps = {steps}
timestep = 0.002
seed = 7
{run}
[box]
size = [13.0, 6.5, 6.5]
[neighbor]
skin = 0.4
{populations}
[[population]]
name = "cells"
kind = "membrane"
species = "M"
mesh = "sphere"
vertices = 162
diameter = 5.0
centers = [3.3, 3.2, 3.0,  8.75, 3.1, 3.3]
[[membrane]]
population = "cells"
shear_modulus = 100.0
bending_modulus = 4.0
{membrane}
{more}
"""
OTHERS = """
[[population]]
name = "water"
species = "W"
count = 60
[[population]]
name = "chains"
kind = "polymer"
blocks = "AAAA"
count = 20
bond_length = 0.5
[[bond]]
population = "chains"
style = "harmonic"
k = 10.0
r0 = 0.5
"""
PLAIN = '[[interaction]]\nbetween = "*"\nstyle = "dpd"\na = 10.0\ngamma = 4.5\n'
FORCES = '[[output]]\nformat = "trajectory"\nevery = 1\nprecision = "double"\n' \
         'fields = ["position", "velocity", "force"]\n'
WCA = '[[interaction]]\nbetween = ["M", "M"]\nstyle = "wca"\nsigma = 0.9\ndifferent_molecules = true\n'
LJ = WCA.replace("wca", "lj") + "cutoff = 1.6\nepsilon = 2.5\n"
SOFT = '[[interaction]]\nbetween = "*"\nstyle = "soft"\namplitude = 7.0\ncutoff = 1.2\ndifferent_molecules = true\n'
MORSE = '[[interaction]]\nbetween = "*"\nstyle = "morse"\nepsilon = 1.7\nbeta = 2.5\nr0 = 0.7\ncutoff = 1.5\n'
FRICTION = "friction = 5.0\ntable_every = 20\n"


def deck_of(more, steps=0, run="", populations="", membrane=""):
    return DECK.format(more=more, steps=steps, run=run, populations=populations, membrane=membrane)


def wca(r):
    s6 = (0.9 / r)**6
    return np.where(r < 2**(1 / 6) * 0.9, 24.0 / r * s6 * (2.0 * s6 - 1.0), 0.0)


def lj(r):
    s6 = (0.9 / r)**6
    return np.where(r < 1.6, 2.5 * 24.0 / r * s6 * (2.0 * s6 - 1.0), 0.0)


def soft(r):
    return np.where(r < 1.2, 7.0 * np.pi / 1.2 * np.sin(np.pi * r / 1.2), 0.0)


def morse(r):
    e = np.exp(-2.5 * (r - 0.7))
    return np.where(r < 1.5, 2.0 * 1.7 * 2.5 * e * (e - 1.0), 0.0)


def molecules_of(count):
    """A number for each particle, in the order of the deck; singles have one of their own."""
    cells = np.repeat([1000, 1001], VERTICES)
    if count == len(cells):
        return cells
    return np.concatenate([np.arange(WATER), 2000 + np.repeat(np.arange(CHAINS), BEADS), cells])


def sums(x, force, acts):
    away = x[:, None] - x[None]
    away -= SIZE * np.round(away / SIZE)
    r = np.linalg.norm(away, axis=2) + np.eye(len(x))
    number = np.where(acts & ~np.eye(len(x), dtype=bool), force(r) / r, 0.0)
    return np.einsum("ij,ijk->ik", number, away)


class Contacts(ProgramTest):
    def run_deck(self, text, name, *arguments, ranks=1):
        out = self.home / name
        self.run_well(self.deck(text, name + ".toml"), "--output", out, "--quiet", *arguments, ranks=ranks)
        return out

    def forces(self, text, name):
        frames = read_frames(self.run_deck(text + FORCES, name))
        return frames["position"][0], frames["force"][0]

    def test_forces(self):
        """What the force adds is its sum over pairs of different molecules; with different_molecules = false, all."""
        for name, force, block, populations in (("wca", wca, WCA, ""), ("lj", lj, LJ, ""), ("soft", soft, SOFT, OTHERS),
                                                ("morse", morse, MORSE + "different_molecules = true\n", OTHERS),
                                                ("all", morse, MORSE, OTHERS)):
            run = 'precision = "double"'
            x, without = self.forces(deck_of(PLAIN, run=run, populations=populations), name + "-without")
            again, has = self.forces(deck_of(PLAIN + block, run=run, populations=populations), name)
            np.testing.assert_array_equal(x, again)
            molecule = molecules_of(len(x))
            acts = molecule[:, None] != molecule[None] if name != "all" else np.ones((len(x), len(x)), bool)
            expected = sums(x, force, acts)
            self.assertGreater(np.abs(expected[-2 * VERTICES:]).max(), 0.1, name)
            np.testing.assert_allclose(has - without, expected, atol=2e-9 * np.abs(expected).max() + 1e-9, err_msg=name)

    def test_cells_that_stick(self):
        """Cells without friction pull each other into contact: energy is kept, and no vertex comes near another's."""
        pull = MORSE.replace("1.7", "6.0") + "different_molecules = true\n"
        columns = '[[output]]\nformat = "table"\nevery = 10\ncolumns = ["kinetic_energy", "potential_energy"]\n'
        text = deck_of(pull + columns + FORCES.replace("every = 1", "every = 100"), steps=700,
                       run="temperature = 0.0\n" + 'precision = "double"', membrane="table_every = 0")
        out = self.run_deck(text, "stick")
        table = read_table(out / "thermo.csv")  # its potential energy has the membranes' own
        kinetic = np.array(table["kinetic_energy"])
        total = kinetic + np.array(table["potential_energy"])
        self.assertGreater(kinetic.max(), 500.0)
        self.assertLess(np.abs(total - total[0]).max(), 1e-3 * kinetic.max())
        nearest = []
        for x in read_frames(out)["position"]:
            away = x[:VERTICES, None] - x[None, VERTICES:]
            nearest.append(np.linalg.norm(away - SIZE * np.round(away / SIZE), axis=2).min())
        self.assertGreater(min(nearest), 0.2)  # there the energy of a pair is 31
        self.assertLess(min(nearest), 0.75)

    def test_bits(self):
        """On ranks, and after a resume on others, in a fluid with chains."""
        text = deck_of(PLAIN + WCA + MORSE + "different_molecules = true\n" + CHECKPOINTS, steps=40,
                       run='reproducibility = "bitwise"', populations=OTHERS.replace("count = 60", "density = 1.5"),
                       membrane=FRICTION)
        whole = self.run_deck(text, "whole")
        for ranks in (2, 4):
            out = self.run_deck(text, f"ranks-{ranks}", ranks=ranks)
            self.assertEqual(summary(whole)["state_hash"], summary(out)["state_hash"])
            self.assertEqual((whole / "cells.csv").read_text(), (out / "cells.csv").read_text())
        part = self.home / "part"
        shutil.copytree(self.home / "ranks-2", part)
        self.run_well(self.deck(text), "--output", part, "--quiet", "--resume", part / "checkpoint-20.h5", ranks=3)
        self.assertEqual(summary(whole)["state_hash"], summary(part)["state_hash"])

    def test_check(self):
        def refused(text, *words):
            done = mesowarp("check", self.deck(text))
            self.assertNotEqual(done.returncode, 0, done.stdout + done.stderr)
            for word in words:
                self.assertIn(word, done.stdout + done.stderr)

        done = mesowarp("check", self.deck(deck_of(PLAIN + WCA)))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("pair lennard-jones between molecules", done.stdout)
        self.assertIn("M-M: dpd (line", done.stdout)
        self.assertIn("+ wca between molecules (line", done.stdout)
        water = OTHERS.split("[[population]]\nname = \"chains\"")[0]
        refused(deck_of(PLAIN + WCA.replace('"M", "M"', '"W", "W"'), populations=water), "no molecules to tell",
                "leave different_molecules out")
        refused(deck_of(PLAIN + "different_molecules = true\n"), "different_molecules")
        refused(deck_of(PLAIN + MORSE.replace("2.5", "60.0")), "beta r0")
        refused(deck_of(PLAIN + WCA + '[sums]\naccumulator = "double"\n', run='precision = "single"'),
                "between different molecules is for the usual accumulators")


if __name__ == "__main__":
    unittest.main()
