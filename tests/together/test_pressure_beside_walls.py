"""The table's pressure beside [[wall]] blocks is that of the fluid, in the volume that walls leave: however thick they
are, and on any number of ranks."""
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from observables import block_estimate, read_table  # noqa: E402
from program import ProgramTest  # noqa: E402

DECK = """
[run]
steps = {steps}
timestep = 0.01
precision = "double"
reproducibility = "bitwise"
[box]
size = [6.0, 5.0, {height}]
[[population]]
name = "water"
species = "W"
density = 3.0
[[interaction]]
between = "*"
a = 25.0
gamma = {gamma}
[[shape]]
name = "plates"
style = "slab"
axis = "z"
from = 0.0
to = {thickness}
[[wall]]
name = "plates"
solid = "plates"
friction = 0.2
[[output]]
format = "table"
every = 10
columns = ["temperature", "volume", "pressure", "pressure_xx", "pressure_zz", "pressure_xy"]
"""
TRAJECTORY = '[[output]]\nformat = "trajectory"\nevery = 10\nprecision = "double"\n'
BULK = 23.7  # of density 3, a = 25, k_BT = 1


class BesideWalls(ProgramTest):
    def run_deck(self, name, *arguments, ranks=1, height=9.0, thickness=2.0, steps=20, gamma=4.5, more=""):
        text = DECK.format(height=height, thickness=thickness, steps=steps, gamma=gamma) + more
        out = self.home / name
        self.run_well(self.deck(text, name + ".toml"), "--output", out, "--quiet", *arguments, ranks=ranks)
        return out

    def test_is_that_of_the_fluids_pairs(self):
        """Without friction of pairs their forces are known from where they are."""
        out = self.run_deck("pairs", gamma=0.0, more=TRAJECTORY)
        table, box = read_table(out / "thermo.csv"), np.array([6.0, 5.0, 9.0])
        np.testing.assert_allclose(table["volume"], 6.0 * 5.0 * 7.0, rtol=1e-12)
        with h5py.File(out / "trajectory.h5") as file:
            group = file["particles/all"]
            moves = group["species"][:] == 0
            self.assertFalse(moves.all())
            for frame in range(3):
                place, velocity = (group[f"{name}/value"][frame] for name in ("position", "velocity"))
                apart = place[moves, None] - place[None]
                apart -= box * np.round(apart / box)
                distance = np.sqrt((apart**2).sum(axis=2))
                near = (distance > 0.0) & (distance < 1.0)
                force = 25.0 * (1.0 - distance[near]) / distance[near]
                virial = 0.5 * np.einsum("p,pa,pb->ab", force, apart[near], apart[near])
                pressure = (velocity[moves].T @ velocity[moves] + virial) / table["volume"][frame]
                self.assertAlmostEqual(table["pressure_zz"][frame], pressure[2, 2], places=5)
                self.assertAlmostEqual(table["pressure_xy"][frame], pressure[0, 1], places=5)
                self.assertAlmostEqual(table["pressure"][frame], np.trace(pressure) / 3, places=5)

    def test_is_that_of_the_bulk(self):
        for thickness in (1.5, 3.5):
            table = read_table(self.run_deck(f"thick{thickness}", height=6.0 + thickness, thickness=thickness,
                                             steps=1500) / "thermo.csv")
            for column in ("pressure_xx", "pressure_zz"):
                found = block_estimate(table[column][50:])
                self.assertLess(abs(found.mean - BULK), 0.3 + 3 * found.error, column)

    def test_same_bits(self):
        one = read_table(self.run_deck("one") / "thermo.csv")
        for name, arguments, ranks in (("ranks", (), 3), ("threads", ("--threads", 2), 1)):
            other = read_table(self.run_deck(name, *arguments, ranks=ranks) / "thermo.csv")
            for column, values in one.items():
                np.testing.assert_array_equal(values, other[column], err_msg=column)


if __name__ == "__main__":
    unittest.main()
