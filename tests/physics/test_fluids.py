"""Physics against analytic results and published values. Seeds are fixed; tolerances are in standard errors, from block
averages, so a pass means something and a failure is not luck."""
import csv
import json
import math
import subprocess
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
import program  # noqa: E402
from observables import block_estimate, read_table  # noqa: E402
from program import SOURCE, ProgramTest  # noqa: E402


def fluid(precision="mixed", cutoff=1.0, **changes):
    """A fluid that starts from a lattice, 4000 steps unless given."""
    values = {"steps": 4000, "seed": 11, "size": [10.0, 10.0, 10.0], "run": f'precision = "{precision}"',
              "population": 'initial = "lattice"', "interaction": f"cutoff = {cutoff}"}
    return program.fluid(**{**values, **changes})


def block_average(values):
    """Mean and its standard error."""
    estimate = block_estimate(values)
    return estimate.mean, estimate.error


class PhysicsTest(ProgramTest):
    def thermo(self, name, text, skip):
        """Columns of a run's table from a step on."""
        output = self.home / name
        self.run_well(self.deck(text, name + ".toml"), "--output", output, "--quiet")
        return read_table(output / "thermo.csv", skip - 1)

    def assert_within(self, value, error, expected, sigmas, known=0.0):
        """value +- error agrees with expected, which is itself known to `known`."""
        self.assertLess(abs(value - expected), sigmas * math.hypot(error, known),
                        f"{value} +- {error}, expected {expected} +- {known}")


class Equilibrium(PhysicsTest):
    def test_temperature_and_pressure_at_density_3(self):
        rows = self.thermo("rho3", fluid(), 1000)
        temperature, temperature_error = block_average(rows["temperature"])
        pressure, pressure_error = block_average(rows["pressure"])
        self.assertLess(pressure_error, 0.002 * pressure, "the run is too short to mean anything")
        self.assert_within(temperature, temperature_error, 1.005, 4, 0.0005)
        self.assert_within(pressure, pressure_error, 23.70, 4, 0.01)
        self.assertLess(abs(pressure / 23.70 - 1), 0.01)
        momentum = max(np.abs(rows[f"momentum_{axis}"]).max() for axis in "xyz")
        self.assertLess(momentum, 1e-10)

    def test_pressure_at_density_6_and_cutoff_1_5(self):
        rows = self.thermo("rho6", fluid(density=6.0, cutoff=1.5, size=[7.0, 7.0, 7.0], steps=1500), 500)
        pressure, error = block_average(rows["pressure"])
        self.assertLess(error, 0.002 * pressure)
        self.assert_within(pressure, error, 478.3, 4, 0.2)

    def test_single_and_double_agree(self):
        values = {}
        for precision in ("single", "double"):
            rows = self.thermo(precision, fluid(precision=precision, size=[7.0, 7.0, 7.0]), 1000)
            values[precision] = block_average(rows["pressure"]), block_average(rows["temperature"])
        for (single, e1), (double, e2) in zip(values["single"], values["double"]):
            self.assert_within(single, e1, double, 4, e2)

    def test_velocities_are_maxwellian(self):
        text = fluid(steps=2000, size=[9.0, 9.0, 9.0]) + '[[output]]\nformat = "trajectory"\nevery = 200\nfields = ["velocity"]\n'
        self.thermo("maxwell", text, 0)
        with h5py.File(self.home / "maxwell" / "trajectory.h5") as file:
            velocity = file["particles/all/velocity/value"][2:].reshape(-1)
        n = len(velocity)  # frames are a unit of time apart: nearly independent
        scaled = velocity / velocity.std()
        self.assert_within((scaled**3).mean(), math.sqrt(15 / n), 0.0, 5)
        self.assert_within((scaled**4).mean(), math.sqrt(96 / n), 3.0, 5)
        for limit in (0.5, 1.0, 2.0, 3.0):
            inside = math.erf(limit / math.sqrt(2))
            self.assert_within((np.abs(scaled) < limit).mean(), math.sqrt(inside * (1 - inside) / n), inside, 5)


class Conservation(PhysicsTest):
    def test_energy_does_not_drift_without_a_thermostat(self):
        """410 WCA particles at density 0.8 over a time of 20. What is left is the force's kink at its cutoff: the same in
        every precision, and random in sign. Rounding, in single, must not show."""
        for precision in ("single", "mixed", "double"):
            text = fluid(precision=precision, steps=10000, timestep=0.002, size=[8.0, 8.0, 8.0], density=0.8)
            text = text.replace('style = "dpd"\na = 25.0\ngamma = 4.5\ncutoff = 1.0', 'style = "wca"')
            text = text.replace("every = 10", 'every = 20\ncolumns = ["total_energy", "kinetic_energy"]')
            energy = self.thermo(precision, text, 0)["total_energy"] / 410
            self.assertLess(abs(energy[-50:].mean() - energy[:50].mean()), 5e-4, precision)
            self.assertLess(energy.std(), 5e-4, precision)


class Flow(PhysicsTest):
    def test_double_poiseuille_viscosity(self):
        """The paper's first set, one seed, shortened; ten whole seeds are in docs/validation.md."""
        output = self.home / "flow"
        self.run_well(SOURCE / "examples" / "poiseuille.toml", "--output", output, "--quiet", "--steps", 14000, "--set",
                      "run.precision=single", "--seed", 3)
        result = self.home / "viscosity.json"
        done = subprocess.run([sys.executable, str(SOURCE / "scripts" / "poiseuille-viscosity"), str(output), "--out", str(result)],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        measured = json.loads(result.read_text())
        self.assertLess(measured["error"], 0.15)
        self.assert_within(measured["viscosity"], measured["error"], 2.09, 4, 0.02)
        self.assertTrue((output / "viscosity.png").exists())

    def test_channel_walls_do_not_slip(self):
        """The layer next to a bounce-back wall is at rest; the bulk is a symmetric parabola, v'' < 0. (A soft fluid packs
        against a smooth wall, so the bulk's parabola alone would not extrapolate to zero there.)"""
        output = self.home / "walls"
        self.run_well(SOURCE / "examples" / "walls.toml", "--output", output, "--quiet", "--set", "box.size=[6, 6, 6]", "--set",
                      "run.precision=single", "--steps", 14000, "--set", "measure.channel.start=7000")
        with open(output / "channel.csv", encoding="utf-8", newline="") as table:
            rows = list(csv.DictReader(table))
        z = np.array([float(row["coordinate"]) for row in rows])
        v = np.array([float(row["velocity_x"]) for row in rows])
        for wall in (v[0], v[-1]):
            self.assertLess(abs(wall), 0.05 * v.max(), "the fluid slips")
        inner = (z > 1.0) & (z < 5.0)
        curve = np.polyfit(z[inner] - 3.0, v[inner], 2)
        self.assertLess(curve[0], 0.0)
        self.assertLess(abs(curve[1]) * 3.0, 0.12 * curve[2], "the profile leans")
        residual = v[inner] - np.polyval(curve, z[inner] - 3.0)
        self.assertLess(residual.std(), 0.05 * v.max(), "the bulk is no parabola")


if __name__ == "__main__":
    unittest.main(verbosity=2)
