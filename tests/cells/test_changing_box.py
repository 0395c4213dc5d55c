"""Cells in a box that changes: the work of a deformation is the energy; a barostat of several factors keeps the mean
pressure along each axis; and under a barostat fluids inside and outside stay apart, with the same bits on any number of
ranks and behind a stop."""
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from observables import read_table  # noqa: E402
from physics import block_average  # noqa: E402
from program import SOURCE, ProgramTest, mesowarp, summary  # noqa: E402

SPHERE = """
[run]
steps = 500
timestep = 0.002
seed = 3
precision = "double"
[box]
size = [9.0, 9.0, 7.0]
[neighbor]
skin = 0.4
[deformation]
rate = [-0.04, 0.03, -0.03]
every = 1
from = 100
to = 500
[[population]]
name = "plasma"
species = "W"
density = 3.0
initial = "lattice"
[[population]]
name = "cell"
kind = "membrane"
species = "V"
mesh = "sphere"
vertices = 162
diameter = 5.0
centers = [4.5, 4.5, 3.5]
[[membrane]]
population = "cell"
shear_modulus = 50.0
bending_modulus = 4.0
friction = 0.0
[[interaction]]
between = "*"
a = 10.0
gamma = 0.0
[[output]]
format = "table"
every = 1
columns = ["pressure_xx", "pressure_yy", "pressure_zz", "volume", "box_x", "box_y", "box_z", "total_energy"]
"""


class ChangingBox(ProgramTest):
    def test_work_is_energy(self):
        self.run_well(self.deck(SPHERE), "--output", self.home / "work", "--quiet")
        rows = read_table(self.home / "work" / "thermo.csv")
        work = np.zeros(len(rows["step"]))
        for axis in "xyz":
            pressure = rows[f"pressure_{axis}{axis}"] * rows["volume"]
            work[1:] -= np.cumsum(0.5 * (pressure[1:] + pressure[:-1]) * np.diff(np.log(rows[f"box_{axis}"])))
        gained = rows["total_energy"] - rows["total_energy"][0]
        self.assertGreater(abs(work[-1]), 100.0)
        self.assertLess(np.abs(gained - work).max(), 0.003 * abs(work[-1]))

    def test_pressure_along_each_axis(self):
        """That of the barostat, of a cell and its fluid, from a box that is too large for it."""
        pressure, skip = 15.0, 400
        for coupling in ("semi-isotropic", "anisotropic"):
            barostat = f'[barostat]\npressure = {pressure}\nperiod = 0.3\ncompressibility = 0.03\nevery = 2\n' \
                f'coupling = "{coupling}"\n'
            text = SPHERE[:SPHERE.index("[deformation]")] + barostat + SPHERE[SPHERE.index("[[population]]"):]
            for old, new in (("timestep = 0.002", "timestep = 0.01"), ("steps = 500", "steps = 2000"),
                             ('"double"', '"single"'), ("gamma = 0.0", "gamma = 4.5"), ("size = [9.0, 9.0, 7.0]",
                             "size = [7.5, 7.0, 6.5]"), ("diameter = 5.0", "diameter = 3.5"),
                             ("[4.5, 4.5, 3.5]", "[3.5, 3.5, 3.5]")):
                self.assertIn(old, text)
                text = text.replace(old, new)
            self.run_well(self.deck(text), "--output", self.home / coupling, "--quiet")
            rows = read_table(self.home / coupling / "thermo.csv", skip)
            self.assertLess(rows["volume"].mean(), 0.96 * 7.5 * 7.0 * 6.5)
            self.assertGreater(np.std(rows["box_z"] / rows["box_x"]), 1e-3)
            ratio = np.std(rows["box_y"] / rows["box_x"])
            self.assertTrue(ratio < 1e-6 if coupling == "semi-isotropic" else ratio > 1e-3, ratio)
            for axis in "xyz":
                found, error = block_average(rows[f"pressure_{axis}{axis}"])
                self.assertLess(error, 0.08, "the run is too short to mean anything")
                self.assertLess(abs(found - pressure), 3 * error, f"{coupling}, {axis}: {found} +- {error}")

    def test_two_fluids_under_a_barostat(self):
        text = (SOURCE / "examples/two_fluids_cell.toml").read_text(encoding="utf-8")
        text = text[: text.index("[[drive]]")] + "[barostat]\npressure = 22.0\ncompressibility = 0.02\n" \
            "period = 0.5\nevery = 1\n\n" + text[text.index("[[output]]"):]
        text = text.replace('columns = ["time",', 'columns = ["volume",')
        deck = self.deck(text + '[[output]]\nformat = "checkpoint"\nevery = 60\n')
        found = set()
        options = ["--quiet", "--steps", 100, "--set", "run.reproducibility=bitwise", "--set", "output.0.every=20",
                   "--set", "membrane.0.check_every=20", "--set", "membrane.0.table_every=20"]
        for ranks in (1, 2):
            self.run_well(deck, "--output", self.home / f"of{ranks}", *options, ranks=ranks)
            found.add(summary(self.home / f"of{ranks}")["state_hash"])
        done = mesowarp("run", deck, "--output", self.home / "of2", *options, "--resume",
                        self.home / "of2" / "checkpoint-60.h5")
        self.assertEqual(done.returncode, 0, done.stderr)
        found.add(summary(self.home / "of2")["state_hash"])
        self.assertEqual(len(found), 1)
        rows = read_table(self.home / "of1" / "thermo.csv")
        self.assertEqual(rows["wrong_side"].max(), 0.0)
        self.assertGreater(np.ptp(rows["volume"]), 1.0)


if __name__ == "__main__":
    unittest.main()
