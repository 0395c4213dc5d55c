"""What the program says where it cannot do what is asked, or should not: threads, memory, numbers, bodies, long and
hostile texts."""
import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from forged import XXHASH, forge, set_text  # noqa: E402
from program import PROGRAM, ProgramTest, fluid, mesowarp, mesowarp_on, summary  # noqa: E402

BODIES = """
[run]
steps = 2
timestep = 0.01
{run}
[integrator]
style = "leapfrog"
[[population]]
name = "stars"
kind = "bodies"
species = "S"
initial = "file"
file = "{file}"
{population}
{more}
[[interaction]]
between = "*"
style = "{style}"
{law}
"""
PLACES = "0 0 0 0 0 0 1\n# a comment\n1 0 0 0 0 0 1\n\n0 0 0 1 0 0 1\n"


def bodies(file="bodies.txt", style="gravity", **parts):
    return BODIES.format(**{"file": file, "style": style, "run": "", "population": "", "more": "", "law": "", **parts})


HOSTILE = "\x1b]0;title\x07\x1b[31m\x9b31m"
CONTROLS = r"[\x00-\x08\x0b-\x1f\x7f-\x9f]"


class Words(ProgramTest):
    def refused(self, *arguments, **options):
        """The errors of what ends with exit code 2 and leaves no directory."""
        done = mesowarp(*arguments, **options)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertFalse((self.home / "out").exists())
        return done.stderr

    def run_out(self, deck, *arguments, **options):
        done = mesowarp("run", deck, "--output", self.home / "out", *arguments, **options)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done


class Threads(Words):
    def test_more_than_kokkos_takes_are_refused(self):
        deck = self.deck(fluid(steps=1))
        errors = self.refused("run", deck, "--threads", 700, "--output", self.home / "out")
        self.assertIn("--threads 700: from 1 to 512 are possible", errors)
        self.assertIn("from 1 to 512", self.refused("bench", "suite", "--quick", "--threads", 700))
        done = mesowarp_on(2, "run", self.deck(fluid(steps=1, size=[8.0, 5.0, 5.0])), "--threads", 700, "--output",
                           self.home / "out")
        self.assertEqual((done.returncode, done.stderr.count("--threads 700")), (2, 1), done.stderr)

    def test_the_environments_are_clamped(self):
        deck = self.deck(fluid(steps=1))
        for threads in ("600", "100000"):
            done = self.run_out(deck, "--quiet", env={**os.environ, "OMP_NUM_THREADS": threads})
            self.assertIn(f"asks for {threads} threads: 512 are used", done.stderr)
            self.assertEqual(summary(self.home / "out")["threads"], 512)
        self.run_out(deck, "--threads", 2, "--quiet", env={**os.environ, "OMP_NUM_THREADS": "100000"})
        self.assertEqual(summary(self.home / "out")["threads"], 2)


class Memory(Words):
    def limited(self, verb, *arguments, mebibytes=700):
        """With an address space that is too small for millions of particles."""
        command = f"ulimit -v {1024 * mebibytes}; exec \"$@\""
        return subprocess.run(["bash", "-c", command, "-", PROGRAM, verb, *map(str, arguments)], capture_output=True,
                              text=True, check=False, timeout=120)

    def test_what_does_not_fit_is_refused_before_it_begins(self):
        deck = self.deck(fluid(size=[90.0, 90.0, 90.0], steps=1))
        for verb, more in (("check", []), ("run", ["--output", self.home / "out"])):
            done = self.limited(verb, deck, *more)
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertRegex(
                done.stderr,
                r"deck.toml:\d+:\d+: not enough memory: 2.187e\+06 particles need at least \d+\.\d MiB here, "
                r"and there are \d+\.\d MiB \(the limit of address space")
            self.assertFalse((self.home / "out").exists())
        self.assertEqual(self.limited("run", self.deck(fluid(steps=1)), "--output", self.home / "out").returncode, 0)

    def test_nobody_has_petabytes(self):
        deck = self.deck(fluid(size=[100.0, 100.0, 100.0], density=2000))
        self.assertIn("not enough memory: 2e+09 particles", self.refused("check", deck))

    def test_too_many_particles_have_a_line(self):
        deck = self.deck(fluid(density=1e9))
        self.assertRegex(self.refused("check", deck),
                         r"deck.toml:12:11: too many particles: 125000000000 of population \"water\"")
        stars = self.deck(bodies().replace('initial = "file"\nfile = "bodies.txt"',
                                           'initial = "plummer"\ncount = 4000000000'))
        self.assertRegex(self.refused("check", stars), r"deck.toml:13:9: too many particles")


class Numbers(Words):
    def test_fractions_and_negatives_are_not_whole_numbers(self):
        deck = self.deck(fluid(steps=1) + "[parallel]\nranks = [1.5, 1, 1]\n")
        self.assertIn("ranks: expected three whole numbers from 1 to 1000000, found 1.5", self.refused("check", deck))
        deck = self.deck(fluid(steps=4) + '[[output]]\nformat = "trajectory"\nevery = 2\n')
        for option in ("--steps", "--seed", "--threads"):
            for value in ("-1", "1.5", "x"):
                self.assertRegex(self.refused("run", deck, option, value, "--output", self.home / "out"),
                                 rf"{option}: expected a whole number >= [01], found {value}\n")
        self.run_out(deck)
        for option in ("--first", "--stride"):
            for value in ("-1", "1.5"):
                done = mesowarp("convert", self.home / "out/trajectory.h5", self.home / "x.xyz", option, value)
                self.assertEqual(done.returncode, 2)
                self.assertIn(f"{option}: expected a whole number", done.stderr)
        self.assertFalse((self.home / "x.xyz").exists())
        done = mesowarp("convert", self.home / "out/trajectory.h5", self.home / "x.xyz", "--first", 1, "--last", -1)
        self.assertEqual((done.returncode, done.stdout.split()[0]), (0, "2"), done.stderr)

    def test_parts_that_do_not_fit_have_a_line(self):
        deck = self.deck(fluid(steps=1, size=[8.0, 5.0, 5.0]) + "[parallel]\nranks = [2, 2, 1]\n")
        done = mesowarp_on(2, "run", deck, "--output", self.home / "out")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"deck.toml:\d+:9: parallel.ranks cuts the box into")
        done = mesowarp_on(2, "run", self.deck(fluid(steps=1)), "--output", self.home / "out")
        self.assertRegex(done.stderr, r"deck.toml:8:8: the box cannot be cut into 2 parts")


class Bodies(Words):
    def test_two_in_one_place_are_named_with_their_lines(self):
        (self.home / "bodies.txt").write_text(PLACES, encoding="utf-8")
        deck = self.deck(bodies())
        errors = self.refused("run", deck, "--output", self.home / "out")
        self.assertRegex(
            errors, r'deck.toml:8:1: two bodies are in one place, \(0, 0, 0\), .*number 0 of population "stars" '
            r'\(.*bodies.txt:1\) and number 2 of population "stars" \(.*bodies.txt:5\)')
        self.run_out(self.deck(bodies(law="softening = 0.1")))

    def test_excluded_pairs_may_lie_in_one_place(self):
        (self.home / "bodies.txt").write_text(PLACES, encoding="utf-8")
        (self.home / "pairs.txt").write_text("2 0\n", encoding="utf-8")
        law = {"style": "lj-coulomb", "law": "epsilon = 1.0\nsigma = 0.1"}
        self.assertIn("or exclude the pair", self.refused("run", self.deck(bodies(**law)), "--output",
                                                          self.home / "out"))
        self.run_out(self.deck(bodies(population='exclusions = "pairs.txt"', **law)))

    def test_places_that_only_single_precision_cannot_tell_apart(self):
        (self.home / "bodies.txt").write_text("1 0 0 0 0 0 1\n1.00000001 0 0 0 0 0 1\n5 0 0 0 0 0 1\n",
                                              encoding="utf-8")
        errors = self.refused("run", self.deck(bodies(run='precision = "single"')), "--output", self.home / "out")
        self.assertIn("in single precision", errors)

    def test_check_counts_what_a_file_holds(self):
        (self.home / "bodies.txt").write_text(PLACES, encoding="utf-8")
        done = mesowarp("check", self.deck(bodies(law="softening = 0.1")))
        self.assertRegex(done.stdout, r"# particles +3\n")
        self.run_out(
            self.deck(
                fluid(steps=2) + '[[output]]\nformat = "trajectory"\nevery = 2\n[[output]]\nformat = "checkpoint"\n'))
        data = ("LAMMPS\n\n2 atoms\n1 atom types\n0 5 xlo xhi\n0 5 ylo yhi\n0 5 zlo zhi\n\n"
                "Atoms # atomic\n\n1 1 1 1 1\n2 1 3 3 3\n")
        (self.home / "two.data").write_text(data, encoding="utf-8")
        for file, count in (("out/trajectory.h5", 375), ("out/checkpoint-2.h5", 375), ("two.data", 2)):
            deck = self.deck(fluid().replace("density = 3.0", f'initial = "file"\nfile = "{file}"'))
            done = mesowarp("check", deck)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertRegex(done.stdout, rf"# particles +{count}\n")
        (self.home / "two.data").write_text("LAMMPS\n\nno atoms at all\n", encoding="utf-8")
        self.assertRegex(self.refused_check(deck), r"deck.toml:13:8: .*two.data:3: header line")

    def refused_check(self, deck):
        done = mesowarp("check", deck)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        return done.stderr


class Texts(Words):
    def test_twenty_of_many_errors_are_told(self):
        deck = self.deck("".join(f"key{k} = 1\n" for k in range(20000)))
        errors = self.refused("check", deck)
        self.assertLess(len(errors), 10000)
        self.assertEqual(errors.count("\n"), 22)
        self.assertRegex(errors, r"\.\.\. and 199\d\d more errors\n200\d\d errors in")
        self.assertLess(len(self.refused("check", self.deck(fluid() + '"' + "k" * 900000 + '" = 1\n'))), 3000)

    def test_no_escape_sequence_of_a_file_reaches_the_terminal(self):
        hostile = "\x1b]0;title\x07\x1b[31m"
        (self.home / "evil.data").write_text(f"title {hostile}\n{hostile} atoms\n", encoding="utf-8")
        start = fluid().replace("density = 3.0", 'initial = "file"\nfile = "evil.data"')
        (self.home / "bodies.txt").write_text(f"{hostile}\n", encoding="utf-8")
        decks = [start, bodies(), fluid(steps=1) + f"[{'x' + chr(0x9b)}31m]\n",
                 fluid(steps=1, run='title = "\\u001b[31m\\u009b31m"')]
        for text in decks:
            for verb, more in (("check", []), ("run", ["--output", self.home / "out"])):
                done = mesowarp(verb, self.deck(text), *more)
                for said in (done.stdout, done.stderr):
                    self.assertNotRegex(said, r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", text)

    def says_nothing_hostile(self, *arguments):
        done = mesowarp(*arguments)
        self.assertIn(done.returncode, (0, 1, 2), done.stderr)
        for said in (done.stdout, done.stderr):
            self.assertNotRegex(said, CONTROLS, arguments)
        return done

    def test_no_escape_sequence_of_a_trajectory_reaches_it(self):
        self.run_out(self.deck(fluid(steps=2) + '[[output]]\nformat = "trajectory"\n'))
        intact, evil = self.home / "out/trajectory.h5", self.home / "evil.h5"
        start = self.deck(fluid(steps=2).replace("density = 3.0", 'initial = "file"\nfile = "evil.h5"'), "start.toml")
        texts = {
            "species_names": np.array([HOSTILE.encode()]), "trajectory_fields": np.array([HOSTILE.encode()]),
            "trajectory_precision": HOSTILE.encode(), "units": HOSTILE.encode(),
            "deck": f"[{HOSTILE}]\n".encode() + fluid().replace("water", HOSTILE).encode()
        }
        codes = {}
        for name, value in texts.items():
            shutil.copy(intact, evil)
            with h5py.File(evil, "r+") as file:
                del file[f"parameters/{name}"]
                file[f"parameters/{name}"] = value
                file["particles/all/box"].attrs["boundary"] = np.array([HOSTILE.encode()] * 3 if name == "units" else
                                                                       [b"periodic"] * 3)
            for ending in ("xyz", "data", "vtk", "dump"):
                copy = self.home / f"copy.{ending}"
                done = self.says_nothing_hostile("convert", evil, copy, "--force", "--unwrap")
                codes.setdefault(name, set()).add(done.returncode)
            for verb, more in (("check", []), ("run", ["--output", self.home / "begun", "--quiet"])):
                self.says_nothing_hostile(verb, start, *more)
        self.assertEqual(codes["deck"], {0})  # of which nothing is needed

    @unittest.skipUnless(XXHASH, "no shared library of xxHash")
    def test_no_escape_sequence_of_a_checkpoint_reaches_it(self):
        output = self.home / "out"
        deck = self.deck(fluid(steps=10))
        self.run_out(deck)
        checkpoint = output / "checkpoint-10.h5"
        intact = checkpoint.read_bytes()
        resolved = (output / "deck.toml").read_text(encoding="utf-8")
        start = self.deck(
            fluid(steps=2).replace("density = 3.0", 'initial = "file"\nfile = "out/checkpoint-10.h5"'), "start.toml")
        escaped = "".join(f"\\u{ord(c):04x}" for c in HOSTILE)
        for name, text in (("deck", f"[{HOSTILE}]\n{resolved}"), ("deck", resolved.replace('"W"', f'"{escaped}"')),
                           ("deck", resolved.replace('title = ""', f'title = "{escaped}"')),
                           ("deck", resolved.replace('"water"', f'"{escaped}"')), ("outputs", f'{{"{HOSTILE}": 1}}'),
                           ("runs", HOSTILE), ("version", HOSTILE)):
            with self.subTest(text=name):
                checkpoint.write_bytes(intact)
                forge(checkpoint, lambda file, n=name, t=text: set_text(file, n, t))
                said = ""
                for words in (("run", deck, "--output", output, "--resume", checkpoint, "--steps", 12),
                              ("check", start), ("run", start, "--output", self.home / "begun")):
                    done = self.says_nothing_hostile(*words)
                    said += done.stdout + done.stderr
                if name in ("deck", "outputs"):  # quoted, not left out
                    self.assertRegex(said, r"(?i)u\+?001B|x1B", text)
                for path in (output / "run.log", output / "summary.json"):
                    self.assertNotRegex(path.read_text(encoding="utf-8"), CONTROLS)

    def test_no_escape_sequence_of_a_name_reaches_it(self):
        out, copy = self.home / "out", self.home / "\x1b[31mcopy.xyz"
        self.run_out(self.deck(fluid(steps=1) + '[[output]]\nformat = "trajectory"\n'))
        done = mesowarp("convert", out / "trajectory.h5", copy)
        self.assertTrue(copy.exists(), done.stderr)
        self.assertNotIn("\x1b", done.stdout)

    def test_no_escape_sequence_of_the_command_line_reaches_it(self):
        hostile = "\x1b]0;title\x07\x1b[31m"
        for arguments in (["info", f"--{hostile}"], ["info", hostile], ["run", "deck.toml", "--steps", hostile],
                          ["new", hostile], ["check", self.home / hostile]):
            done = mesowarp(*arguments)
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertNotRegex(done.stdout + done.stderr, r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", arguments)
            self.assertIn(r"\x1B", done.stderr)

    def test_a_solvent_cannot_be_unwrapped(self):
        solvent = ('[run]\nsteps = 1\ntimestep = 0.1\n[box]\nsize = [5.0, 5.0, 5.0]\n[[population]]\n'
                   'name = "s"\nkind = "mpcd"\ndensity = 5.0\n[[output]]\nformat = "trajectory"\n')
        for text, said in ((solvent, "of a collision solvent do not count"),
                           (fluid(steps=1) + '[[output]]\nformat = "trajectory"\nfields = ["position"]\n',
                            'add "image" to the output\'s fields')):
            self.run_out(self.deck(text))
            done = mesowarp("convert", self.home / "out" / "trajectory.h5", self.home / "a.xyz", "--unwrap")
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertIn(said, done.stderr)
            self.assertFalse((self.home / "a.xyz").exists())

    def test_an_interaction_that_another_replaces(self):
        """A default that no pair is left for is a warning; the same pair twice cannot be meant."""
        again = '[[interaction]]\nbetween = ["W", "W"]\na = 30.0\ngamma = 4.5\n'
        for default, code in (('between = "*"', 0), ('between = ["W", "W"]', 2)):
            deck = self.deck(fluid().replace('between = ["W", "W"]', default) + again)
            done = mesowarp("check", deck)
            self.assertEqual(done.returncode, code, done.stderr)
            lines = deck.read_text(encoding="utf-8").splitlines()
            first, second = (k for k, line in enumerate(lines, 1) if line == "[[interaction]]")
            self.assertRegex(
                done.stderr,
                rf"deck.toml:{first}:1: warning: this interaction, in line {first}, has no effect: .* replaces it, "
                rf"in line {second}\n")
            if code:
                self.assertRegex(done.stderr,
                                 rf"deck.toml:{second}:1: .* in line {first} already, .* in line {second} ")

    def test_the_table_on_the_screen_fits(self):
        done = self.run_out(self.deck(fluid(steps=20)))
        table = [line for line in done.stdout.splitlines() if re.match(r" +(step|\d+) ", line)]
        self.assertTrue(table)
        self.assertLessEqual(max(map(len, table)), 100)
        self.assertIn("pressure", table[0])
        self.assertNotIn("momentum", table[0])
        self.assertIn("in thermo.csv also: momentum_x, momentum_y, momentum_z", done.stdout)
        header = (self.home / "out/thermo.csv").read_text(encoding="utf-8").splitlines()[0]
        self.assertIn("momentum_z", header)
        chosen = fluid(steps=20).replace("every = 10", 'every = 10\ncolumns = ["momentum_x", "momentum_y"]')
        self.assertRegex(self.run_out(self.deck(chosen)).stdout, r"step +momentum_x +momentum_y\n")

    def test_a_deck_that_cannot_be_written_is_told(self):
        deck = self.deck(fluid(steps=20) + '[[output]]\nformat = "checkpoint"\n')
        self.run_out(deck)
        (self.home / "out/deck.toml").unlink()
        (self.home / "out/deck.toml/folder").mkdir(parents=True)
        done = mesowarp("run", deck, "--output", self.home / "out", "--steps", 30, "--resume")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("deck.toml", done.stderr)
        shutil.rmtree(self.home / "out/deck.toml")


if __name__ == "__main__":
    unittest.main()
