"""Measures that take a share of their samples: which ones, against numpy; the same bytes on ranks and behind a stop in
the middle of a burst; what large systems get by default."""
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent / "shared")]
from measures import head, outputs, read_frames, read_table  # noqa: E402
from program import ProgramTest, mesowarp  # noqa: E402

SMALL = [6.0, 5.0, 5.0]
COMPONENTS = ("xx", "yy", "zz", "xy", "xz", "yz")
FLUID = """[[population]]
name = "water"
species = "W"
density = 3.0
[[interaction]]
between = "*"
a = 25.0
gamma = 4.5
"""
BOTH = """
[[measure]]
style = "viscosity"
share = 0.25
burst = 20
levels = 2
start = 10
[[measure]]
style = "vacf"
share = 0.5
levels = 2
every = 1
""" + outputs(100, columns=["temperature", *(f"pressure_{c}" for c in COMPONENTS)])


def deck_of(measures, size=SMALL):
    return head(200, 3, size) + FLUID + measures


class Shares(ProgramTest):
    def run_deck(self, name, ranks=1, arguments=()):
        deck = self.deck(deck_of(BOTH))
        self.run_well(deck, "--output", self.home / name, "--quiet", *arguments, ranks=ranks)
        return self.home / name

    def test_against_numpy(self):
        home = self.run_deck("one")
        rows = read_table(home / "thermo.csv")
        p = {c: rows[f"pressure_{c}"] for c in COMPONENTS}
        shears = [p["xy"], p["xz"], p["yz"], p["xx"] - p["yy"], p["yy"] - p["zz"], p["zz"] - p["xx"]]
        bursts = [range(first, min(first + 20, 201)) for first in range(10, 201, 80)]
        taken = np.concatenate([list(burst) for burst in bursts])
        found = read_table(home / "viscosity.csv")
        self.assertEqual(found["samples"][0], len(taken))
        warmth = rows["temperature"][taken].mean()
        for lag in range(16):
            pairs = [(s, s + lag) for burst in bursts for s in burst if s + lag in burst]
            self.assertEqual(found["count"][lag], len(pairs))
            modulus = sum(
                np.mean([s[a] * s[b] for a, b in pairs]) / (5.0 if k < 3 else 30.0) for k, s in enumerate(shears))
            self.assertAlmostEqual(found["modulus"][lag], modulus * 150.0 / warmth,
                                   delta=1e-9 * abs(found["modulus"][0]))
        self.assertEqual(found["count"][16], 2 * len(bursts))  # of means of two: numbers 0 to 9 of each burst

        v = read_frames(home)["velocity"]
        found = read_table(home / "vacf.csv")
        samples = [n for n in range(201) if n // 16 % 2 == 0 or n % 4 == 0]
        self.assertEqual(found["samples"][0], len(samples))
        for lag in range(1, 17):
            pairs = [(o, o + lag) for o in range(0, 201, 16) if o + lag in samples]
            self.assertEqual(found["count"][lag], len(pairs), lag)
            mean = np.mean([(v[o] * v[n]).sum(axis=1).mean() / 3.0 for o, n in pairs])
            self.assertAlmostEqual(found["vacf"][lag], mean, delta=1e-9)

    def test_ranks_and_a_stop_in_a_burst(self):
        one, three = self.run_deck("one"), self.run_deck("three", ranks=3)
        parts = self.run_deck("parts", ranks=2)
        self.run_deck("parts", arguments=("--resume", parts / "checkpoint-100.h5"))
        for name in ("viscosity.csv", "viscosity_means.csv", "vacf.csv"):
            for other in (three, parts):
                self.assertEqual((one / name).read_bytes(), (other / name).read_bytes(), name)

    def test_defaults(self):
        """Those of a large system keep the cost of a run below 5%: observed steps take about twice the time."""
        bare = '[[measure]]\nstyle = "viscosity"\n[[measure]]\nstyle = "vacf"\n'
        for size, share, burst, rows in ((SMALL, "1.0", "0", "1.0"),
                                         ([88.0, 87.0, 87.0], "0.04", "1000", "0.5")):
            done = mesowarp("check", self.deck(deck_of(bare, size)))
            self.assertEqual(done.returncode, 0, done.stderr)
            viscosity, vacf = done.stdout.split('style = "viscosity"')[1].split('style = "vacf"')
            self.assertIn(f"share = {share}\n", viscosity)
            self.assertIn(f"burst = {burst}\n", viscosity)
            self.assertIn(f"share = {rows}\n", vacf)


if __name__ == "__main__":
    unittest.main()
