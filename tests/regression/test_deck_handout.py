"""Ranks that were started with different decks or command lines: all run what the root read."""
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from program import CHECKPOINTS, PROGRAM, ProgramTest, fluid, mesowarp, summary  # noqa: E402



def each(*arguments, folder=None):
    """One rank for each list of arguments."""
    command = [os.environ["MESOWARP_MPIEXEC"]]
    for k, words in enumerate(arguments):
        command += ([":"] if k else []) + ["-n", "1", PROGRAM, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60, cwd=folder,
                          env={**os.environ, "OMP_NUM_THREADS": "1"})


class DeckHandout(ProgramTest):
    text = fluid(size=[8.0, 4.0, 4.0], steps=20, run="temperature = 1.0", population="mass = 1.0") + \
        '[[drive]]\nacceleration = [0.5, 0.0, 0.0]\n'
    others = {
        "timestep = 0.005": "timestep = 0.01", "temperature = 1.0": "temperature = 0.5", "mass = 1.0": "mass = 2.0",
        "acceleration = [0.5,": "acceleration = [-0.5,"
    }

    def expected(self):
        deck = self.deck(self.text)
        self.run_well(deck, "--output", self.home / "expected", "--quiet", ranks=2)
        return deck, summary(self.home / "expected")["state_hash"]

    def run_each(self, *arguments):
        done = each(*[["run", *words, "--quiet"] for words in arguments])
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done

    def test_the_roots_deck_is_run(self):
        deck, expected = self.expected()
        for k, (mine, other) in enumerate(self.others.items()):
            self.assertIn(mine, self.text)
            second = self.deck(self.text.replace(mine, other), "other.toml")
            output = self.home / str(k)
            done = self.run_each([deck, "--output", output], [second, "--output", output])
            self.assertEqual(summary(output)["state_hash"], expected, other)
            self.assertIn("rank 1 of 2 was started with another command line", done.stderr)

    def test_a_deck_that_is_missing_on_another_rank(self):
        deck, expected = self.expected()
        for second in (self.home / "missing.toml", self.home):
            output = self.home / "out"
            self.run_each([deck, "--output", output], [second, "--output", output])
            self.assertEqual(summary(output)["state_hash"], expected)

    def test_a_deck_that_is_missing_on_the_root_ends_all(self):
        deck = self.deck(self.text)
        done = each(["run", self.home / "missing.toml", "--output", self.home / "out"],
                    ["run", deck, "--output", self.home / "out"])
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertEqual(done.stderr.count("the deck cannot be read"), 1, done.stderr)
        self.assertFalse((self.home / "out").exists())

    def test_a_deck_with_errors_on_the_root_ends_all(self):
        bad = self.deck(self.text.replace("gamma", "gama"), "bad.toml")
        done = each(["run", bad, "--output", self.home / "out"],
                    ["run", self.deck(self.text), "--output", self.home / "out"])
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertEqual(len(re.findall(r"bad.toml:\d+:\d+: unknown key \"gama\"", done.stderr)), 1, done.stderr)
        self.assertFalse((self.home / "out").exists())

    def test_overrides_and_outputs_are_the_roots(self):
        deck, expected = self.expected()
        done = self.run_each([deck, "--output", self.home / "a"],
                             [deck, "--output", self.home / "b", "--seed", 8, "--set", "run.steps=30"])
        self.assertEqual(summary(self.home / "a")["state_hash"], expected)
        self.assertFalse((self.home / "b").exists())
        self.assertRegex(done.stderr, r"rank 1: .*/b --set run.steps=30 --set run.seed=8")
        self.assertEqual(done.stderr.count("another command line"), 1, done.stderr)

    def test_what_to_resume_is_the_roots(self):
        deck = self.deck(self.text.replace("steps = 20", "steps = 40") + CHECKPOINTS)
        output = self.home / "out"
        self.run_well(deck, "--output", output, "--quiet", "--steps", 20, ranks=2)
        self.run_each([deck, "--output", output, "--resume", output / "checkpoint-20.h5"], [deck, "--output", output])
        self.assertEqual(summary(output)["last_step"], 40)

    def test_threads_are_each_ranks_own(self):
        deck, expected = self.expected()
        output = self.home / "out"
        done = self.run_each([deck, "--output", output, "--threads", 1], [deck, "--output", output, "--threads", 2])
        self.assertEqual(summary(output)["state_hash"], expected)
        self.assertEqual(done.stderr, "")


def table_of(force):
    return "".join(f"{r / 10} {force * (1 - r / 10)} {force}\n" for r in range(1, 11))


TABLE_BLOCK = '[[interaction]]\nbetween = ["W", "W"]\nstyle = "table"\nfile = "pair.table"\n'
DATA = ("LAMMPS\n\n2 atoms\n1 atom types\n0 8 xlo xhi\n0 4 ylo yhi\n0 4 zlo zhi\n\n"
        "Atoms # atomic\n\n1 1 1 1 1\n2 1 3 3 3\n")
TETRAHEDRON = "OFF\n4 4 6\n1 1 1\n1 -1 -1\n-1 1 -1\n-1 -1 1\n3 0 1 2\n3 0 2 3\n3 0 3 1\n3 1 3 2\n"
STL = """solid
facet normal 0 0 0 outer loop vertex 1 1 1 vertex 1 -1 -1 vertex -1 1 -1 endloop endfacet
facet normal 0 0 0 outer loop vertex 1 1 1 vertex -1 1 -1 vertex -1 -1 1 endloop endfacet
facet normal 0 0 0 outer loop vertex 1 1 1 vertex -1 -1 1 vertex 1 -1 -1 endloop endfacet
facet normal 0 0 0 outer loop vertex 1 -1 -1 vertex -1 -1 1 vertex -1 1 -1 endloop endfacet
endsolid
"""
STARS = """
[run]
steps = 2
timestep = 0.01
[[population]]
name = "stars"
kind = "bodies"
species = "S"
initial = "file"
file = "bodies.txt"
exclusions = "pairs.txt"
[[interaction]]
between = "*"
style = "lj-coulomb"
epsilon = 1.0
sigma = 0.1
"""
CELL = """
[[population]]
name = "cell"
kind = "membrane"
species = "M"
mesh = "cell.off"
poses = "poses.csv"
[[interaction]]
between = "*"
style = "dpd"
a = 25.0
gamma = 4.5
[[membrane]]
population = "cell"
shear_modulus = 1.0
bending_modulus = 0.1
"""


class NamedFiles(ProgramTest):
    """Every rank reads the files that the deck names: one that lacks one, or has another, ends all before anything is
    made."""
    fluid = fluid(size=[8.0, 4.0, 4.0], steps=4)
    start = fluid.replace("density = 3.0", 'initial = "file"\nfile = "start"')

    def setUp(self):
        super().setUp()
        self.folders = self.home / "one", self.home / "two"
        self.out = self.home / "out"
        for folder in self.folders:
            folder.mkdir()

    def run_apart(self, text, files, other, *arguments):
        """Rank 0 in one folder with these files, rank 1 in another with others in their place (None: no such file)."""
        for folder, own in zip(self.folders, (files, {**files, **other})):
            for name, content in own.items():
                (folder / name).unlink(missing_ok=True)
                if content is not None:
                    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        (self.folders[0] / "deck.toml").write_text(text, encoding="utf-8")
        command = [os.environ["MESOWARP_MPIEXEC"]]
        for k, folder in enumerate(self.folders):
            command += ([":"] if k else []) + [
                "-n", "1", "-wdir", folder, PROGRAM, "run", "deck.toml", "--output", self.out, "--quiet", *arguments
            ]
        return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, timeout=60,
                              env={**os.environ, "OMP_NUM_THREADS": "1"})

    def refused(self, done, words):
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertEqual(len(re.findall(words, done.stderr)), 1, done.stderr)
        self.assertFalse(self.out.exists())

    def test_one_that_is_missing_on_another_rank(self):
        self.refused(self.run_apart(self.start, {"start": DATA}, {"start": None}),
                     r"rank 1: deck.toml:\d+:\d+: there is no file")

    def test_one_with_other_contents(self):
        self.run_well(self.deck(fluid(size=[8.0, 4.0, 4.0], steps=1) + '[[output]]\nformat = "trajectory"\n'),
                      "--output", self.home / "made", "--quiet")
        frames, state = ((self.home / "made" / name).read_bytes() for name in ("trajectory.h5", "checkpoint-1.h5"))
        shape = '[[shape]]\nname = "ball"\nstyle = "stl"\nfile = "ball.stl"\ncenter = [4.0, 2.0, 2.0]\n'
        wall = '[[wall]]\nname = "w"\nsolid = "ball"\n'
        sky = {"bodies.txt": "0 0 0 0 0 0 1\n1 0 0 0 0 0 1\n0 2 0 0 0 0 1\n", "pairs.txt": "0 1\n"}
        cell = {"cell.off": TETRAHEDRON, "poses.csv": "x,y,z\n4,2,2\n"}
        for text, files, name, other in (
            (self.start, {"start": DATA}, "start", DATA.replace("3 3 3", "3 3 2")),
            (self.start, {"start": frames}, "start", frames[:-9] + b"123456789"),
            (self.start, {"start": state}, "start", frames),
            (self.fluid + TABLE_BLOCK, {"pair.table": table_of(1.0)}, "pair.table", table_of(1.5)),
            (self.fluid + shape + wall, {"ball.stl": STL}, "ball.stl", STL.replace("vertex 1 1 1", "vertex 1 1 1.1")),
            (STARS, sky, "bodies.txt", sky["bodies.txt"].replace("0 2 0", "0 3 0")),
            (STARS, sky, "pairs.txt", "0 2\n"),
            (self.fluid.split("[[population]]")[0] + CELL, cell, "cell.off", TETRAHEDRON.replace("1 1 1", "1 1 1.1")),
            (self.fluid.split("[[population]]")[0] + CELL, cell, "poses.csv", "x,y,z\n4,2,1\n"),
        ):
            with self.subTest(file=name):
                self.refused(self.run_apart(text, files, {name: other}),
                             rf"deck.toml:\d+:\d+: rank 1 has another file /.*/two/{name} than rank 0")

    def test_the_same_contents_do_and_a_start_is_not_looked_at_again(self):
        text = self.start + TABLE_BLOCK
        files = {"start": DATA, "pair.table": table_of(1.0)}
        done = self.run_apart(text, files, {})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        done = self.run_apart(text, files, {"start": None}, "--resume", "--steps", "6")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(summary(self.out)["last_step"], 6)


class Launcher(ProgramTest):
    def test_variables_of_a_launcher_that_is_not_there_silence_nothing(self):
        """A shell within a job, say: SLURM_PROCID is set, and the program is started without srun or mpirun."""
        bad = self.deck(fluid().replace("gamma", "gama"), "bad.toml")
        for variable in ("SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "PMI_RANK"):
            environment = {**os.environ, variable: "3"}
            done = mesowarp("run", self.home / "missing.toml", env=environment)
            self.assertEqual(done.returncode, 2, variable)
            self.assertIn("the deck cannot be read", done.stderr, variable)
            for verb in ("check", "run"):
                done = mesowarp(verb, bad, env=environment)
                self.assertEqual((done.returncode, done.stderr.count("gama")), (2, 1),
                                 f"{verb} {variable} {done.stderr}")
            done = mesowarp("convert", self.home / "missing.h5", self.home / "x.xyz", env=environment)
            self.assertIn("missing.h5", done.stderr)
            done = mesowarp("run", self.deck(fluid(steps=2)), "--output", self.home / "out", env=environment)
            self.assertIn("state hash", done.stdout, variable)


if __name__ == "__main__":
    unittest.main()
