"""Runs that begin from files go on like others: how many particles a file holds is known on every rank, and by the
checkpoints, which the deck's text does not tell."""
import shutil
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from observables import read_table  # noqa: E402
from program import ProgramTest, mesowarp, summary  # noqa: E402

HEAD = """
[run]
steps = {steps}
timestep = 0.01
seed = 6
reproducibility = "bitwise"
[box]
size = [9.0, 5.0, 5.0]
"""
REST = """
[[interaction]]
between = "*"
a = 25.0
gamma = 4.5
[[bond]]
population = "chains"
k = 60.0
r0 = 0.4
[[output]]
format = "trajectory"
every = 20
[[output]]
format = "checkpoint"
every = 20
"""
MADE = HEAD.format(steps=20) + """
[[population]]
name = "chains"
kind = "polymer"
blocks = "AABB"
count = {chains}
bond_length = 0.5
""" + REST
BEGUN = HEAD.format(steps=40) + """
[[population]]
name = "chains"
kind = "polymer"
initial = "file"
file = "{file}"
types = ["A", "B"]
[[population]]
name = "water"
species = "W"
density = 1.5
[[group]]
name = "wet"
populations = ["water"]
[[group]]
name = "long"
populations = ["chains"]
""" + REST + """
[[output]]
format = "table"
every = 5
columns = ["groups", "temperature"]
"""

BODIES = """
[run]
steps = 40
timestep = 0.001
[[population]]
name = "bodies"
kind = "bodies"
species = "B"
initial = "file"
file = "bodies.txt"
exclusions = "pairs.txt"
[[interaction]]
between = "*"
style = "lj-coulomb"
[[output]]
format = "table"
every = 5
columns = ["total_energy"]
[[output]]
format = "checkpoint"
every = 20
"""


class FromFiles(ProgramTest):
    def begin(self, chains=60):
        made = self.home / f"made{chains}"
        self.run_well(self.deck(MADE.format(chains=chains), "made.toml"), "--output", made, "--quiet")
        return made

    def run_deck(self, name, *more, ranks=1):
        out = self.home / name
        self.run_well(self.home / "deck.toml", "--output", out, "--quiet", *more, ranks=ranks)
        return out

    def assert_same(self, found, expected):
        self.assertEqual(summary(found)["state_hash"], summary(expected)["state_hash"])
        mine, other = read_table(found / "thermo.csv"), read_table(expected / "thermo.csv")
        for column in other:
            np.testing.assert_array_equal(mine[column], other[column], err_msg=column)

    def test_groups_of_populations_are_the_same_on_all_ranks(self):
        self.deck(BEGUN.format(file=self.begin() / "checkpoint-20.h5"))
        one = self.run_deck("one")
        for ranks in (2, 3):
            self.assert_same(self.run_deck(f"on{ranks}", ranks=ranks), one)

    def test_they_are_stopped_and_go_on(self):
        made = self.begin()
        self.assertEqual(mesowarp("convert", made / "trajectory.h5", made / "last.data").returncode, 0)
        for file in ("checkpoint-20.h5", "trajectory.h5", "last.data"):
            with self.subTest(file=file):
                self.deck(BEGUN.format(file=made / file))
                whole = self.run_deck(f"whole-{file}")
                for first, then in ((1, 1), (2, 1), (1, 2)):
                    out = self.run_deck(f"parts{first}{then}-{file}", "--steps", 20, ranks=first)
                    self.assert_same(self.run_deck(out.name, "--resume", ranks=then), whole)
                self.run_well(whole / "deck.toml", "--output", whole, "--quiet", "--resume", "--steps", 50)

    def test_they_go_on_without_their_files(self):
        made, file = self.begin(), self.home / "start.h5"
        shutil.copy(made / "checkpoint-20.h5", file)
        self.deck(BEGUN.format(file=file))
        whole = self.run_deck("whole", "--steps", 50)
        out, twice = self.run_deck("out"), self.run_deck("twice", "--steps", 20)
        file.unlink()
        for name, path in (("out", "--resume"), ("twice", f"--resume={twice / 'checkpoint-20.h5'}")):
            self.run_well(self.home / name / "deck.toml", "--output", self.home / name, "--quiet", path, "--steps", 50,
                          ranks=2 if name == "twice" else 1)
            self.assert_same(self.home / name, whole)
        for arguments in (["--output", self.home / "new"], ["--output", self.home / "new", "--resume"]):
            done = mesowarp("run", out / "deck.toml", *arguments)  # there is no checkpoint to know it from
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertRegex(done.stderr, r"deck\.toml:\d+:\d+: there is no file .*start\.h5")
        # The count of a file that is there is compared, also beside one that is gone.
        shutil.copy(self.begin(50) / "checkpoint-20.h5", file)
        done = mesowarp("run", out / "deck.toml", "--output", out, "--resume", "--steps", 60)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("another number of particles", done.stderr)

    def test_bodies_go_on_without_their_files(self):
        places, pairs = self.home / "bodies.txt", self.home / "pairs.txt"
        places.write_text("1 0 0 0 0 0 1\n3 0 0 0 0 0 1\n5 1 0 0 0 0 1\n", encoding="utf-8")
        pairs.write_text("0 1\n", encoding="utf-8")
        self.deck(BODIES)
        whole = self.run_deck("whole")
        out = self.run_deck("out", "--steps", 20)
        places.unlink(), pairs.unlink()
        self.assert_same(self.run_deck(out.name, "--resume"), whole)

    def test_another_file_in_its_place_is_noticed(self):
        made, other = self.begin(), self.begin(50)
        file = self.home / "start.h5"
        shutil.copy(made / "checkpoint-20.h5", file)
        self.deck(BEGUN.format(file=file))
        out = self.run_deck("out")
        shutil.copy(other / "checkpoint-20.h5", file)
        done = mesowarp("run", self.home / "deck.toml", "--output", out, "--resume", "--steps", 50)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertRegex(done.stderr, r"deck\.toml:\d+:\d+: another number of particles: 240 in the checkpoint, 200 in")


if __name__ == "__main__":
    unittest.main()
