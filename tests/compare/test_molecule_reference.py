"""Bonds, angles and dihedrals against LAMMPS: energy, virial and every particle's force in one configuration that both
read from the same data file (molecule_reference.json, made by molecule_reference.py beside this file), in double
precision on one rank, and in bitwise on one and on two."""
import json
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent / "shared")]
from molecule_reference import ANGLES, BONDS, BOX, DATA, DIHEDRALS, configuration, data_file  # noqa: E402
from observables import read_table  # noqa: E402
from program import ProgramTest  # noqa: E402

CLOSE = 3e-9  # of the typical force: where three atoms of a dihedral are nearly straight, round-off is magnified
DECK = f"""
[run]
steps = 0
timestep = 0.001
precision = "double"
reproducibility = "{{reproducibility}}"
[box]
size = {list(BOX)}
[sums]
range = 4096.0
[[population]]
name = "molecules"
kind = "polymer"
initial = "file"
file = "molecules.data"
types = ["A"]
temperature = 0.0
[[interaction]]
between = "*"
style = "dpd"
cutoff = 1.2
a = 0.0
gamma = 0.0
[[output]]
format = "trajectory"
every = 0
fields = ["position", "force"]
precision = "double"
[[output]]
format = "table"
every = 1
columns = ["potential_energy", "pressure_xx", "pressure_yy", "pressure_zz", "pressure_xy", "pressure_xz", "pressure_yz"]
"""


def blocks():
    for k, (stiffness, rest) in enumerate(BONDS, 1):
        yield f'[[bond]]\npopulation = "molecules"\ntype = {k}\nk = {stiffness}\nr0 = {rest}\n'
    for k, (style, stiffness, rest) in enumerate(ANGLES, 1):
        yield f'[[angle]]\npopulation = "molecules"\ntype = {k}\nstyle = "{style}"\nk = {stiffness}\n'
        yield "" if style == "cosine" else f"theta0 = {rest}\n"
    for k, (style, stiffness, rest, n) in enumerate(DIHEDRALS, 1):
        yield f'[[dihedral]]\npopulation = "molecules"\ntype = {k}\nstyle = "{style}"\nk = {stiffness}\nphi0 = {rest}\n'
        yield f"n = {n}\n" if style == "cosine" else ""


class Molecules(ProgramTest):
    def compare(self, name, ranks, reproducibility, close):
        (self.home / "molecules.data").write_text(data_file(*configuration()), encoding="utf-8")
        deck = self.deck(DECK.format(reproducibility=reproducibility) + "\n".join(blocks()), f"{name}.toml")
        self.run_well(deck, "--output", self.home / name, "--quiet", ranks=ranks)
        with h5py.File(self.home / name / "trajectory.h5") as file:
            force = file["particles/all/force/value"][-1]
        table = read_table(self.home / name / "thermo.csv")
        reference = json.loads(DATA.read_text(encoding="utf-8"))
        expected = np.array(reference["force"])
        scale = np.sqrt((expected**2).mean())
        self.assertGreater(scale, 10.0)
        np.testing.assert_allclose(force, expected, rtol=0, atol=close * scale)
        np.testing.assert_allclose(force.sum(axis=0), 0.0, atol=1e-9 * scale)
        self.assertAlmostEqual(table["potential_energy"][-1] / reference["energy"], 1.0, delta=close)
        virial = np.array(reference["virial"])
        pressure = np.array([table[f"pressure_{c}"][-1] for c in ("xx", "yy", "zz", "xy", "xz", "yz")])
        np.testing.assert_allclose(pressure * np.prod(BOX), virial, rtol=0, atol=close * np.abs(virial).max())
        return force

    def test_forces_energy_and_virial(self):
        self.compare("double", 1, "deterministic", CLOSE)
        one = self.compare("bitwise", 1, "bitwise", CLOSE)
        two = self.compare("two", 2, "bitwise", CLOSE)
        np.testing.assert_array_equal(one, two)


if __name__ == "__main__":
    unittest.main()
