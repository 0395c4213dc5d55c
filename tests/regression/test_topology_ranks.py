"""Branched molecules with several types of bonds, angles and dihedrals: the same bits on 1, 2, 4 ranks and any number
of threads, stopped and resumed; started from a trajectory and a checkpoint; ghosts that must reach further; what
`check` refuses."""
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from program import ProgramTest, mesowarp, mesowarp_on, summary  # noqa: E402

DECK = """
[run]
steps = {steps}
timestep = 0.01
seed = 3
precision = "{precision}"
reproducibility = "{reproducibility}"
[box]
size = [14.0, 7.0, 8.0]
{more}
[[population]]
name = "brushes"
kind = "polymer"
{start}
[[population]]
name = "water"
species = "W"
count = 1000
[[interaction]]
between = "*"
style = "dpd"
a = 25.0
gamma = 4.5
[[bond]]
population = "brushes"
k = 90.0
r0 = 0.5
[[bond]]
population = "brushes"
between = ["A", "B"]
k = 60.0
r0 = 0.6
exclude = true
[[angle]]
population = "brushes"
style = "cosine"
k = 4.0
[[angle]]
population = "brushes"
of = ["*", "A", "B"]
style = "cosine-squared"
k = 8.0
theta0 = 100.0
[[dihedral]]
population = "brushes"
style = "cosine"
k = 1.0
n = 3
[[dihedral]]
population = "brushes"
of = ["A", "A", "A", "A"]
style = "harmonic"
k = 2.0
phi0 = 60.0
[[output]]
format = "trajectory"
every = 30
fields = ["position", "image", "velocity"]
precision = "double"
[[output]]
format = "checkpoint"
every = 30
[[output]]
format = "table"
every = 30
"""
MADE = 'molecule = "A3(B2)A3(BC)A"\ncount = 60\nbond_length = 0.5\n'
BEADS = 11


def deck(**changes):
    values = {"steps": 60, "precision": "mixed", "reproducibility": "bitwise", "start": MADE, "more": ""}
    return DECK.format(**{**values, **changes})


class Topology(ProgramTest):
    def run_deck(self, name, text, ranks=1, arguments=()):
        self.run_well(self.deck(text, f"{name}.toml"), "--output", self.home / name, "--quiet", *arguments, ranks=ranks)
        return summary(self.home / name)

    def test_the_same_bits(self):
        """On ranks and threads, in pieces, in all precisions; and what files hold."""
        for precision in ("mixed", "single"):
            one = self.run_deck(f"{precision}1", deck(precision=precision), arguments=("--threads", "1"))
            two = self.run_deck(f"{precision}2", deck(precision=precision), ranks=2)
            self.assertEqual(one["state_hash"], two["state_hash"])
        one, first = self.home / "mixed1", summary(self.home / "mixed1")
        four = self.run_deck("mixed4", deck(), ranks=4)
        threads = self.run_deck("threads", deck(), arguments=("--threads", "2"))
        self.assertEqual({first["state_hash"], four["state_hash"], threads["state_hash"]}, {first["state_hash"]})
        self.assertEqual((one / "thermo.csv").read_text().splitlines()[-1].split(",")[:8],
                         (self.home / "mixed4/thermo.csv").read_text().splitlines()[-1].split(",")[:8])
        # stopped on four ranks, resumed on one
        self.run_deck("part", deck(steps=30), ranks=4)
        resumed = mesowarp("run", self.deck(deck(), "part.toml"), "--output", self.home / "part", "--resume", "--quiet")
        self.assertEqual(resumed.returncode, 0, resumed.stdout + resumed.stderr)
        self.assertEqual(summary(self.home / "part")["state_hash"], first["state_hash"])
        self.files_agree(one, self.home / "mixed4")

    def files_agree(self, one, four):
        names = ["connectivity/bonds", "connectivity/angles", "connectivity/dihedrals", "particles/all/molecule"]
        with h5py.File(one / "trajectory.h5") as a, h5py.File(four / "trajectory.h5") as b:
            for name in names:
                np.testing.assert_array_equal(a[name][()], b[name][()], name)
            molecule = a[names[3]][()]
            # of a molecule: 3 A with a branch of two, 3 A with a branch of two, one more
            self.assertEqual([len(a[name]) for name in names[:3]], [60 * 10, 60 * 11, 60 * 11])
        np.testing.assert_array_equal(molecule[:60 * BEADS], 1 + np.arange(60 * BEADS) // BEADS)
        self.assertEqual(set(molecule[60 * BEADS:]), {0})

    def test_starts_from_files(self):
        """The same terms, whichever file they come from."""
        made = self.run_deck("made", deck(steps=0))
        del made
        for name, file in (("frame", "trajectory.h5"), ("saved", self.newest("made"))):
            # all particles are of one population, and species come from the file
            text = deck(steps=0, start=f'initial = "file"\nfile = "made/{file}"\ntypes = ["A", "B", "C", "W"]\n')
            if name == "frame":  # which does not know which bonds, angles, dihedrals are of which block
                text = text.replace('between = ["A", "B"]', 'type = 1\nbetween = ["A", "B"]')
            text = text.replace('[[population]]\nname = "water"\nspecies = "W"\ncount = 1000\n', "")
            self.run_deck(name, text)
            with h5py.File(self.home / "made/trajectory.h5") as a, h5py.File(self.home / name / "trajectory.h5") as b:
                for part in ("connectivity/bonds", "connectivity/angles", "connectivity/dihedrals",
                             "particles/all/molecule"):
                    np.testing.assert_array_equal(a[part][()], b[part][()], f"{name}: {part}")
            energies = [self.energy("made"), self.energy(name)]
            self.assertAlmostEqual(energies[0] / energies[1], 1.0, delta=1e-5)

    def newest(self, name):
        return sorted(path.name for path in (self.home / name).glob("checkpoint*"))[-1]

    def energy(self, name):
        lines = (self.home / name / "thermo.csv").read_text().splitlines()
        return float(dict(zip(lines[0].split(","), lines[-1].split(",")))["potential_energy"])

    def test_partners_beyond_the_ghosts(self):
        """Ghosts come to reach further, and a resumed run has them so; without room for that the run stops."""
        long = {"start": MADE.replace("0.5", "0.9"), "more": "[parallel]\nreach = 1.3\n"}
        one = self.run_deck("far1", deck(**long))
        for ranks in (2, 4):
            self.assertEqual(self.run_deck(f"far{ranks}", deck(**long), ranks=ranks)["state_hash"], one["state_hash"])
        # where the bits go by the order of cells
        long["reproducibility"] = "deterministic"
        whole = self.run_deck("far-whole", deck(**long), ranks=2)
        self.run_deck("far-part", deck(steps=30, **long), ranks=2)
        part = self.run_deck("far-part", deck(**long), ranks=2, arguments=["--resume"])
        self.assertEqual(part["state_hash"], whole["state_hash"])
        longer = deck(start=MADE.replace("0.5", "1.9"), steps=2)
        longer = longer.replace("[[population]]", "[parallel]\nreach = 1.3\n[[population]]", 1)
        done = mesowarp_on(4, "run", self.deck(longer), "--output", self.home / "short", "--quiet")
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stdout + done.stderr, r"step 0: (an angle|a dihedral) of particle \d+ at .* parts have "
                                                    r"no room for more. Use fewer ranks, or shorten")

    def refuse(self, change, *words):
        text = deck()
        for old, new in change:
            self.assertEqual(text.count(old), 1, old)
            text = text.replace(old, new)
        done = mesowarp("check", self.deck(text, "bad.toml"))
        self.assertNotEqual(done.returncode, 0, text)
        for word in words:
            self.assertIn(word, done.stdout + done.stderr)

    def test_bad_decks(self):
        self.refuse([("A3(B2)", "A3(B2")], "bad.toml:", "molecule", "at character 3: the bracket is not closed")
        self.refuse([('n = 3', 'n = 13')], "bad.toml:", "n: expected an integer from 1 to 12, found 13")
        self.refuse([('of = ["*", "A", "B"]', 'of = ["A", "B"]')], "expected 3 species, one a bead, found 2")
        self.refuse([('of = ["*", "A", "B"]', 'of = ["*", "A", "X"]')], "no population has the species \"X\"")
        self.refuse([('of = ["*", "A", "B"]', 'of = ["C", "A", "C"]')], "no 3 beads in a row", "brushes")
        self.refuse([('of = ["A", "A", "A", "A"]\n', '')], "has no effect: a later one, in line")
        self.refuse([('between = ["A", "B"]', 'between = ["A", "W"]')], "no 2 beads in a row")
        self.refuse([('k = 90.0\nr0 = 0.5\n', 'between = ["A", "A"]\nk = 90.0\n')], "no [[bond]] of population",
                    'between = ["B", "B"]')
        self.refuse([('style = "cosine"\nk = 4.0', 'style = "cosine"\nk = 4.0\ntheta0 = 90.0')], "theta0")
        self.refuse([('style = "cosine"\nk = 4.0', 'style = "cosine"\nk = 4000000.0')], "is unstable with timestep")
        self.refuse([('style = "cosine"\nk = 4.0', 'type = 2\nstyle = "cosine"\nk = 4.0')], "type is for the angles")
        self.refuse([('[[angle]]\npopulation = "brushes"\nstyle', '[[angle]]\npopulation = "brush"\nstyle')],
                    "there is no population \"brush\"", "brushes")
        self.refuse([('[[angle]]\npopulation = "brushes"\nstyle', '[[angle]]\npopulation = "water"\nstyle')],
                    "population \"water\" is a fluid")

    def test_check_tells_the_phases(self):
        done = mesowarp("check", self.deck(deck()))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"bonds\W+angles\W+dihedrals\W+pair dpd")


if __name__ == "__main__":
    unittest.main()
