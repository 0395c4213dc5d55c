"""A collision solvent between walls as a user meets it: ranks and threads, resumed runs, nothing in the solid, momentum
that goes from the drive to the walls, and what `check` says."""
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from observables import read_table  # noqa: E402
from program import CHECKPOINTS, ProgramTest, mesowarp, summary  # noqa: E402

COLUMNS = ["step", "momentum_x", "momentum_y", "momentum_z", "wall_force_x", "wall_force_y", "wall_force_z",
           "wall1_force_x", "wall2_force_x", "wall_strays"]
# A turning cylinder around the solvent, and in it a sphere that slips.
TUBE = """
[run]
steps = 60
timestep = 0.1
seed = 5
[box]
size = [30.0, 18.0, 18.0]
[[shape]]
name = "tube"
style = "cylinder"
axis = "x"
center = [0.0, 9.0, 9.0]
radius = 7.3
[[shape]]
name = "ball"
style = "sphere"
center = [14.0, 10.0, 8.0]
radius = 2.6
[[wall]]
name = "outer"
solid = "not tube"
spin = [0.05, 0.0, 0.0]
about = [0.0, 9.0, 9.0]
[[wall]]
name = "inner"
solid = "ball"
style = "bounce-forward"
[[population]]
name = "solvent"
kind = "mpcd"
density = 4.0
[collision]
thermostat = "maxwell-boltzmann"
[[drive]]
acceleration = [0.02, 0.0, 0.0]
[[output]]
format = "table"
every = 10
columns = ["momentum_x", "momentum_y", "momentum_z", "wall_force_x", "wall_force_y", "wall_force_z",
           "wall1_force_x", "wall2_force_x", "wall_strays", "temperature"]
[[output]]
format = "trajectory"
every = 20
""" + CHECKPOINTS
PLATES = """
[run]
steps = 10000
timestep = 0.1
seed = 2
[box]
size = [4.0, 4.0, 8.0]
[[shape]]
name = "solid"
style = "slab"
axis = "z"
from = 6.3
to = 8.0
[[wall]]
name = "plates"
solid = "solid"
[[population]]
name = "solvent"
kind = "mpcd"
density = 5.0
[collision]
thermostat = "maxwell-boltzmann"
[[output]]
format = "trajectory"
every = 5000
"""


# Plates that touch at the box's end, where a coordinate of 24 bits is exact: with this seed a particle was put between
# them, and was in the solid from its first step on.
TOUCHING = """
[run]
steps = 3
timestep = 0.1
seed = 30
precision = "single"
[box]
size = [20.0, 20.0, 20.0]
[[shape]]
name = "below"
style = "plane"
axis = "z"
at = 1.0
side = "below"
[[shape]]
name = "above"
style = "plane"
axis = "z"
at = 19.0
side = "above"
[[wall]]
name = "lower"
solid = "below"
[[wall]]
name = "upper"
solid = "above"
[[population]]
name = "solvent"
kind = "mpcd"
density = 10.0
[collision]
angle = 130.0
thermostat = "maxwell-boltzmann"
[[output]]
format = "trajectory"
every = 3
"""


class Walls(ProgramTest):
    def run_deck(self, text, name, *arguments, ranks=1):
        out = self.home / name
        self.run_well(self.deck(text, name + ".toml"), "--output", out, "--quiet", *arguments, ranks=ranks)
        return out

    def positions(self, out):
        with h5py.File(out / "trajectory.h5") as file:
            return file["particles/all/position/value"][()]

    def assert_same(self, one, other):
        self.assertEqual(summary(one)["state_hash"], summary(other)["state_hash"])
        ones, others = read_table(one / "thermo.csv"), read_table(other / "thermo.csv")
        for column in COLUMNS:
            np.testing.assert_array_equal(ones[column], others[column], err_msg=column)

    def test_ranks_and_threads(self):
        for style, precision in (("", "mixed"), ('style = "andersen"', "double")):
            text = TUBE.replace("seed = 5", f'seed = 5\nprecision = "{precision}"')
            if style:
                text = text.replace('thermostat = "maxwell-boltzmann"', style)
            one = self.run_deck(text, "one" + precision, "--threads", 1)
            self.assert_same(self.run_deck(text, "threads" + precision, "--threads", 2), one)
            for ranks in (2, 4):
                self.assert_same(self.run_deck(text, f"ranks{ranks}{precision}", ranks=ranks), one)

    def test_resumed_and_extended(self):
        whole = self.run_deck(TUBE, "whole", "--steps", 80)
        self.run_deck(TUBE, "parts")
        parts = self.home / "parts"
        self.run_deck(TUBE, "parts", "--resume", parts / "checkpoint-40.h5")
        self.assert_same(self.run_deck(TUBE, "parts", "--resume", "--steps", 80, ranks=2), whole)

    def test_momentum_goes_to_the_walls(self):
        """In double precision to what impulses are counted in, 2^-26 each, of some 10^5 in a row of the table."""
        for rule in ('thermostat = "maxwell-boltzmann"', 'style = "andersen"'):
            text = TUBE.replace('thermostat = "maxwell-boltzmann"', rule).replace(
                "seed = 5", 'seed = 5\nprecision = "double"')
            out = self.run_deck(text, "balance" + rule[:5])
            table = read_table(out / "thermo.csv")
            particles = summary(out)["particles"]
            self.assertEqual(table["wall_strays"][-1], 0)
            self.assertGreater(np.abs(table["wall1_force_x"][1:]).min(), 0.0)
            for axis, drive in (("x", 0.02 * particles), ("y", 0.0), ("z", 0.0)):
                change = np.diff(table[f"momentum_{axis}"])
                balance = (drive - table[f"wall_force_{axis}"][1:]) * np.diff(table["step"]) * 0.1
                np.testing.assert_allclose(change, balance, atol=2e-5)

    def test_starts_and_stays_in_the_fluid(self):
        out = self.run_deck(PLATES, "plates")
        z = self.positions(out)[..., 2]
        self.assertEqual(len(z), 3)
        self.assertLess(z.max(), 6.3 + 1e-6)
        self.assertEqual(z.shape[1], round(5.0 * 4 * 4 * 6.3))
        self.assertGreater(z.max(), 6.2)
        self.assertLess(z.min(), 0.1)
        out = self.run_deck(TUBE, "tube")
        x = self.positions(out)
        across = np.hypot(x[..., 1] - 9.0, x[..., 2] - 9.0)
        self.assertLess(across.max(), 7.3 + 1e-6)
        self.assertGreater(np.linalg.norm(x - [14.0, 10.0, 8.0], axis=-1).min(), 2.6 - 1e-6)
        volume = np.pi * 7.3**2 * 30.0 - 4.0 / 3.0 * np.pi * 2.6**3
        self.assertAlmostEqual(x.shape[1] / (4.0 * volume), 1.0, delta=3e-4)

    def test_nobody_starts_between_solids_that_touch(self):
        z = self.positions(self.run_deck(TOUCHING, "touching"))[..., 2]
        self.assertEqual(z.shape, (2, 10 * 20 * 20 * 18))
        self.assertGreater(z.min(), 1.0 - 1e-5)
        self.assertLess(z.max(), 19.0 + 1e-5)

    def test_check(self):
        def said(old, new):
            self.assertIn(old, PLATES)
            return mesowarp("check", self.deck(PLATES.replace(old, new)))

        done = mesowarp("check", self.deck(PLATES))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        again = mesowarp("check", self.deck(done.stdout, "resolved.toml"))
        self.assertEqual(again.returncode, 0, again.stderr)
        for old, new, message in (
            ("[box]", "[box]\nperiodic = [true, true, false]", "put a [[wall]] there"),
            ("from = 6.3", "from = 0.0", "fill the whole box"),
            ("size = [4.0", "size = [70000.0", "at most 65535"),
            ("to = 8.0", "to = 9.0", "is not in the box"),
            ('solid = "solid"', 'solid = "slid"', "there is no [[shape]]"),
            ('solid = "solid"', 'solid = "solid"\nvelocity = [0.0, 0.0, 1.0]', "would move into the fluid"),
            ('solid = "solid"', 'solid = "solid"\nspecies = "W"', "leave species out"),
        ):
            done = said(old, new)
            self.assertNotEqual(done.returncode, 0, new)
            self.assertIn(message, done.stderr, new)
        for old, new, message in (("from = 6.3", "from = 7.5", "thinner than a collision cell"),
                                  ("from = 6.3", "from = 2.0", "at least three collision cells")):
            done = said(old, new)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(message, done.stderr)


if __name__ == "__main__":
    unittest.main()
