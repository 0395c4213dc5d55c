"""One membrane by itself: its energy in double precision; the temperature that its friction and noise keep; how far it
gives way between optical tweezers, against what was measured, with area and volume of this step and of the last."""
import csv
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from observables import block_estimate, difference_in_errors, read_table  # noqa: E402
from program import SOURCE, ProgramTest  # noqa: E402

ALONE = """
[run]
steps = {steps}
timestep = {timestep}
seed = 3
precision = "double"
[box]
size = [9.0, 9.0, 9.0]
[neighbor]
skin = 0.6
[[population]]
name = "cell"
kind = "membrane"
species = "M"
vertices = 162
diameter = 5.0
centers = [4.5, 4.5, 4.5]
[[membrane]]
population = "cell"
shear_modulus = 50.0
bending_modulus = 4.0
friction = {friction}
[[interaction]]
between = ["M", "M"]
a = 0.0
gamma = 0.0
cutoff = 0.4
[[output]]
format = "table"
every = {every}
columns = ["temperature", "total_energy", "momentum_x", "momentum_y", "momentum_z"]
"""
# Suresh et al., Acta Biomater. 1 (2005) 15: force in pN, axial diameter in um, its error bars' ends.
MEASURED = {38.0: (10.08, 12.29), 151.0: (14.43, 16.87)}


class OneMembrane(ProgramTest):
    def table(self, name, **values):
        out = self.home / name
        self.run_well(self.deck(ALONE.format(**values), name + ".toml"), "--output", out, "--quiet")
        return read_table(out / "thermo.csv")

    def test_energy(self):
        """Under 1e-6 in 1e5 steps; here a tenth of them, whose drift must stay below a tenth but for the error of its
        slope. (1e5 steps: 7e-8, with an error of a slope of 4e-8.)"""
        table = self.table("energy", steps=10000, timestep=0.0005, friction=0.0, every=5)
        energy = table["total_energy"] / np.mean(table["total_energy"])
        blocks = np.array([np.mean(block) for block in np.array_split(energy, 20)])
        slope, covariance = np.polyfit(np.linspace(0.0, 1.0, 20), blocks, 1, cov=True)
        self.assertLess(abs(slope[0]), 1e-7 + 3.0 * np.sqrt(covariance[0, 0]))
        self.assertLess(np.sqrt(covariance[0, 0]), 1e-6)
        for axis in "xyz":
            self.assertLess(np.abs(table["momentum_" + axis] - table["momentum_" + axis][0]).max(), 1e-9)

    def test_temperature(self):
        """Friction that reads half-step velocities heats by 0.2 times the velocities' decay in a step (check_steps.cpp),
        which is 0.02 here."""
        table = self.table("temperature", steps=12000, timestep=0.001, friction=3.0, every=20)
        half = block_estimate(table["temperature"][len(table["temperature"]) // 2:])
        self.assertLess(half.error, 0.01)
        self.assertLess(difference_in_errors(half, type(half)(1.0, 0.0)), 4.0 + 0.005 / half.error)

    def test_stretching(self):
        example = (SOURCE / "examples/red_cell_stretching.toml").read_text(encoding="utf-8")
        example = example.replace("table_every = 500", "table_every = 100")
        axial = {}
        for force, way in ((38.0, "current"), (151.0, "current"), (151.0, "lagged")):
            deck = self.deck(example.replace("kelvin", f'area_volume = "{way}"\nkelvin'), f"{force}-{way}.toml")
            out = self.home / f"{force}-{way}"
            self.run_well(deck, "--output", out, "--quiet", "--set", "run.steps=6000", "--set",
                          f"stretch.0.force={force * 1e-12}")
            with open(out / "cells.csv", newline="", encoding="utf-8") as file:
                rows = [row for row in csv.DictReader(file) if int(row["step"]) > 3000]
            axial[force, way] = np.mean([float(row["extent_x"]) for row in rows])
            self.assertLess(max(abs(float(row["area"]) / 132.8 - 1.0) for row in rows), 0.02)
            self.assertLess(max(abs(float(row["volume"]) / 92.61 - 1.0) for row in rows), 0.01)
        for force, (low, high) in MEASURED.items():
            self.assertGreater(axial[force, "current"], low)
            self.assertLess(axial[force, "current"], high)
        self.assertLess(abs(axial[151.0, "lagged"] / axial[151.0, "current"] - 1.0), 0.005)


if __name__ == "__main__":
    unittest.main()
