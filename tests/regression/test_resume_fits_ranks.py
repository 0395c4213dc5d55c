"""A checkpoint goes on with a deck that fits, and no other: what a resumed run may change and what it may not, before
any file is touched; on one rank and on two."""
import math
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from forged import XXHASH, forge, set_text, set_word, words_of  # noqa: E402
from program import ProgramTest, mesowarp, mesowarp_on, summary  # noqa: E402

DECK = """
[run]
steps = 40
timestep = 0.01
seed = 3
[box]
size = [6.0, 5.0, 4.0]
[[population]]
name = "water"
species = "W"
count = 150
[[population]]
name = "chains"
kind = "polymer"
blocks = "AABB"
count = 20
[[population]]
name = "rods"
kind = "polymer"
blocks = "AAA"
count = 15
[[interaction]]
between = "*"
style = "dpd"
a = 25.0
gamma = 4.5
[[bond]]
population = "chains"
style = "harmonic"
k = 60.0
r0 = 0.4
[[bond]]
population = "rods"
style = "harmonic"
k = 90.0
r0 = 0.5
[[output]]
format = "table"
every = 10
[[output]]
format = "checkpoint"
every = 20
"""
CHAIN_BOND = '[[bond]]\npopulation = "chains"\nstyle = "harmonic"\nk = 60.0\nr0 = 0.4\n'
ROD_BOND = '[[bond]]\npopulation = "rods"\nstyle = "harmonic"\nk = 90.0\nr0 = 0.5\n'
CLUSTER = """
[run]
steps = 8
timestep = 0.0625
seed = 5
[integrator]
style = "hermite-block"
[[population]]
name = "stars"
kind = "bodies"
species = "S"
count = 60
initial = "plummer"
total_mass = 1.0
[[interaction]]
between = ["S", "S"]
style = "gravity"
softening = 0.05
[[output]]
format = "checkpoint"
every = 4
"""


def contents(directory):
    """Every file with its bytes and time of change."""
    return {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in Path(directory).iterdir()}


class ResumeFits(ProgramTest):
    def start(self, deck, name="start"):
        self.run_well(self.deck(deck), "--output", self.home / name, "--quiet")
        return self.home / name

    def resume(self, deck, output, checkpoint, ranks=1, steps=60):
        path = self.deck(deck, "changed.toml")
        arguments = ("run", path, "--output", output, "--resume", output / checkpoint, "--steps", steps)
        return mesowarp(*arguments) if ranks == 1 else mesowarp_on(ranks, *arguments)

    def assert_refused(self, output, checkpoint, changed, words, ranks=(1,), steps=60):
        before = contents(output)
        for number in ranks:
            done = self.resume(changed, output, checkpoint, number, steps)
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertRegex(done.stderr, words)
            self.assertEqual(contents(output), before, "nothing is touched")

    def test_another_system_is_refused(self):
        output = self.start(DECK)
        self.assertEqual(DECK.count(CHAIN_BOND), 1)
        for changed, words, ranks in (
            (DECK.replace(ROD_BOND, ""), r"another number of \[\[bond\]\] blocks: 2 in the checkpoint, 1 in the deck",
             (1, 2)), (DECK.replace(ROD_BOND, "").replace(CHAIN_BOND, ""),
                       r"another number of \[\[bond\]\] blocks: 2 .*, 0 in the deck", (1, 2)),
            (DECK.replace(CHAIN_BOND + ROD_BOND, ROD_BOND + CHAIN_BOND),
             r"changed.toml:28.*\[\[bond\]\] 1 is of another population: chains in the checkpoint, rods in the deck",
             (1, 2)), (DECK.replace('species = "W"', 'species = "V"'), r"other species", (1, )),
            (DECK.replace("AABB", "ABAB"), r"changed.toml:\d+:\d+: other molecules: AABB in the checkpoint, ABAB",
             (1, )), (DECK.replace("count = 150",
                                   "count = 149"), r"changed.toml:\d+.*another number of particles: 150 .*, 149",
                      (1, )), (DECK.replace('species = "W"', 'species = "W"\nmass = 2.0'),
                               r"changed.toml:\d+:\d+: another mass: 1 .*, 2", (1, )),
            (DECK.replace('"rods"', '"sticks"'), r"another population: rods",
             (1, )), (DECK.replace("4.0]", "4.5]"), r"another box",
                      (1, )), (DECK.replace("seed = 3", 'seed = 3\nprecision = "double"'), r"another precision",
                               (1, )), (DECK.replace("[box]", '[integrator]\nstyle = "groot-warren"\n[box]'),
                                        r"another integrator", (1, )), (CLUSTER, r"other kinds of populations", (1, ))):
            self.assertNotEqual(changed, DECK)
            self.assert_refused(output, "checkpoint-20.h5", changed, words, ranks)

    @unittest.skipUnless(XXHASH, "no shared library of xxHash")
    def test_forged_contents_are_refused(self):
        output = self.start(DECK)
        checkpoint, rows = output / "checkpoint-20.h5", 275
        intact = checkpoint.read_bytes()
        forge(checkpoint, lambda file: None)  # a right hash, as the program makes it
        self.assertEqual(checkpoint.read_bytes()[:200], intact[:200])

        def first_bond(file):
            return int(np.flatnonzero(words_of(file, "bond_partner") != 0xFFFFFFFF)[0])

        text = {"far": '{"thermo.csv": {"bytes": 1e300}}', "list": "[1, 2]", "none": "nonsense", "raw": b"\xff\x00{"}
        for change, words, ranks in (
            (lambda f: set_word(f, "tag", 3, words_of(f, "tag")[4]), r"tags .*are not 0, 1, 2", (1, 2)),
            (lambda f: set_word(f, "tag", 3, rows), "tags are not 0, 1, 2", (1, )),
            (lambda f: set_word(f, "bond_partner", first_bond(f), rows), "has a bond of particle", (1, 2)),
            (lambda f: set_word(f, "bond_type", first_bond(f), 2), r"of type 3; there are 275 particles and 2", (1, )),
            (lambda f: set_word(f, "velocity", 4 * 7 + 3, 3), "is of none of the 3 species", (1, )),
            (lambda f: set_word(f, "velocity", 8, math.nan, "<f4"), "has a velocity that is no number", (1, )),
            (lambda f: f["numbers/step"].write_direct(np.array(-1)), "is at step -1", (1, )),
            (lambda f: f.__delitem__("arrays/velocity_low"), "has no array 'velocity_low'", (1, )),
            (lambda f: set_text(f, "deck", CLUSTER), "other kinds of populations", (1, )),
            (lambda f: set_text(f, "deck", text["none"]), "the deck inside cannot be read", (1, )),
            *((lambda f, t=t: set_text(f, "outputs", t), "checkpoint-20.h5", (1, )) for t in text.values()),
        ):
            with self.subTest(words=words):
                checkpoint.write_bytes(intact)
                forge(checkpoint, change)
                self.assert_refused(output, checkpoint.name, DECK, words, ranks)

    def test_altered_bytes_are_refused(self):
        """Wherever they are: in the header, the first rows, the last byte; or missing."""
        output = self.start(DECK)
        checkpoint = output / "checkpoint-20.h5"
        intact = checkpoint.read_bytes()
        for at, words, ranks in ((60, "its header is damaged", (1, )), (300, "its header is damaged", (1, )),
                                 (600, "does not match its hash", (1, )), (len(intact) // 2, "does not match its hash",
                                                                           (1, 2)),
                                 (len(intact) - 1, "does not match its hash", (1, )), (None, "is truncated", (1, 2))):
            with self.subTest(at=at):
                altered = bytearray(intact)
                if at is None:
                    del altered[-1000:]
                else:
                    altered[at] ^= 1
                checkpoint.write_bytes(altered)
                self.assert_refused(output, checkpoint.name, DECK, words, ranks)

    def test_what_may_change_does_with_a_warning(self):
        output = self.start(DECK)
        for old, new in (("k = 60.0", "k = 55.0"), ("a = 25.0", "a = 20.0"),
                         ("seed = 3", "seed = 4\ntemperature = 1.1"), ("timestep = 0.01", "timestep = 0.008"),
                         ('harmonic"\nk = 90.0\nr0 = 0.5', 'fene"\nk = 30.0\nr_max = 3.0'),
                         ("[[output]]", '[[drive]]\nacceleration = [0.1, 0.0, 0.0]\n[[output]]'),
                         ("gamma = 4.5", "gamma = 4.5\ncutoff = 0.9"), ("[box]", "[neighbor]\nskin = 0.2\n[box]")):
            changed = DECK.replace(old, new, 1)
            self.assertNotEqual(changed, DECK)
            done = self.resume(changed, output, "checkpoint-20.h5", steps=30)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("the deck differs from the checkpoint's: [", done.stdout + done.stderr)
            self.assertEqual(summary(output)["last_step"], 30)
        self.assertIn("the deck differs from the checkpoint's: [neighbor] skin: 0.3 -> 0.2", done.stdout + done.stderr)

    def test_another_list_misses_no_pair(self):
        """A skin shorter than that which the checkpoint's list was made for, with the same cells: the list is built
        anew. In bitwise mode no bit depends on the list, as long as it has all pairs."""
        deck = DECK.replace("[6.0, 5.0, 4.0]",
                            "[4.0, 4.0, 4.0]").replace("timestep = 0.01",
                                                       'timestep = 0.02\nreproducibility = "bitwise"')
        output = self.start(deck.replace("[box]", "[neighbor]\nskin = 0.95\n[box]").replace("every = 20", "every = 26"))
        hashes = []
        for skin in (0.95, 0.34):
            done = self.resume(deck.replace("[box]", f"[neighbor]\nskin = {skin}\n[box]"), output, "checkpoint-26.h5",
                               steps=27)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            hashes.append(summary(output)["state_hash"])
        self.assertEqual(*hashes)

    def test_bodies(self):
        output = self.start(CLUSTER)
        for changed, words in ((CLUSTER.replace("total_mass = 1.0",
                                                "total_mass = 2.0"), r"another mass: 1 in the checkpoint, 2"),
                               (CLUSTER.replace("count = 60", "count = 61"), r"another number of particles: 60 .*, 61"),
                               (CLUSTER.replace('"hermite-block"', '"hermite-block"\nlevels = 10'),
                                r"integrator.levels"), (CLUSTER.replace("hermite-block", "hermite"),
                                                        r"another integrator"), (DECK, r"other kinds of populations")):
            self.assertNotEqual(changed, CLUSTER)
            self.assert_refused(output, "checkpoint-4.h5", changed, words, ranks=(1, 2), steps=12)
        changed = CLUSTER.replace("softening = 0.05", "softening = 0.06")
        self.assertEqual(self.resume(changed, output, "checkpoint-4.h5", steps=6).returncode, 0)


if __name__ == "__main__":
    unittest.main()
