"""Flows of a collision solvent between plates: viscosity against theory, no slip, slip. Errors from windows of the
profile, each longer than a flow is remembered. And its viscosity where angular momentum is conserved."""
import math
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from observables import read_table  # noqa: E402
from physics import PhysicsTest, block_average  # noqa: E402
from solvent_theory import angular_viscosity  # noqa: E402

# Plates 12 apart, which lie in a cell's middle where the grid has no shift.
CHANNEL = """
[run]
steps = {steps}
timestep = 0.1
seed = 3
[box]
size = [8.0, 8.0, 16.0]
[[shape]]
name = "below"
style = "plane"
axis = "z"
at = 1.5
[[shape]]
name = "above"
style = "plane"
axis = "z"
at = 13.5
side = "above"
[[wall]]
name = "lower"
solid = "below"
{lower}
[[wall]]
name = "upper"
solid = "above"
{upper}
[[population]]
name = "solvent"
kind = "mpcd"
density = 10.0
{start}
[collision]
{collision}
{more}
[[measure]]
name = "flow"
axis = "z"
bins = 32
start = 2000
every = 5
window = 1000
[[output]]
format = "table"
every = 1000
columns = ["temperature", "wall1_stress_x", "wall2_stress_x", "wall1_stress_z", "wall2_stress_z"]
"""
ROTATION = 'thermostat = "maxwell-boltzmann"'
ANDERSEN = 'style = "andersen"'
DRIVE = "[[drive]]\nacceleration = [{}, 0.0, 0.0]\n"
NU = {ROTATION: 0.870, ANDERSEN: 0.811}  # kinematic, docs/theory; test_mpcd.py has them from flows without walls


class Channel(PhysicsTest):
    def flow(self, name, collision, lower="", upper="", more="", start="", steps=30000):
        """Heights above the middle, and of each window u_x and the density in bins that hold fluid alone."""
        table = self.thermo(name, CHANNEL.format(steps=steps, collision=collision, lower=lower, upper=upper, more=more,
                                               start=start),
                            2000)
        with h5py.File(self.home / name / "flow.h5") as file:
            velocity, density = np.asarray(file["velocity"])[..., 0], np.asarray(file["density"])
        velocity, density = velocity.reshape(-1, 32)[:, 3:27], density.reshape(-1, 32)[:, 3:27]
        self.assertGreaterEqual(len(velocity), 20)
        return (np.arange(24) + 0.5) / 2.0 - 6.0, velocity, density, table

    def test_poiseuille(self):
        g = 0.01
        for collision, nu in NU.items():
            z, velocity, density, table = self.flow("poiseuille" + collision[:5], collision, more=DRIVE.format(g))
            # u = g / (2 nu) ((L/2)^2 - z^2) + slip: both from each window.
            fits = np.array([np.polyfit(36.0 - z**2, u, 1) for u in velocity])
            mean, error = fits.mean(0), fits.std(0, ddof=1) / math.sqrt(len(fits))
            found, noise = g / (2 * mean[0]), g / (2 * mean[0]) * error[0] / mean[0]
            self.assertLess(noise, 0.015 * nu, "the run is too short to mean anything")
            self.assertLess(abs(found - nu), 3 * noise + 0.02 * nu, f"{collision}: {found} +- {noise}")
            highest = g * 36 / (2 * nu)
            self.assertLess(abs(mean[1]), 3 * error[1] + 0.02 * highest, f"{collision}: slip {mean[1]} +- {error[1]}")
            # The fluid's own density up to the plates, its temperature, and its weight on both.
            self.assertLess(np.abs(density.mean(0) / 10.0 - 1.0).max(), 0.01)
            self.assert_within(*block_average(table["temperature"]), 1.0 + 2 * highest**2 / 15 / 3 * 4, 4, 0.01)
            for k in (1, 2):
                mean, error = block_average(table[f"wall{k}_stress_x"])
                self.assert_within(mean, error, 0.5 * 10 * 12 * g, 4)
                mean, error = block_average(table[f"wall{k}_stress_z"])
                self.assert_within(mean, error, 10.0 if k == 2 else -10.0, 4, 0.03)

    def test_couette(self):
        u = 0.6
        for collision, nu in NU.items():
            z, velocity, _, table = self.flow("couette" + collision[:5], collision,
                                              lower=f"velocity = [{-u}, 0.0, 0.0]", upper=f"velocity = [{u}, 0.0, 0.0]",
                                              steps=24000)
            fits = np.array([np.polyfit(z, each, 1) for each in velocity])
            slope, error = fits[:, 0].mean(), fits[:, 0].std(ddof=1) / math.sqrt(len(fits))
            self.assertLess(error, 0.01 * u / 6)
            # No slip: the line meets the plates' speed at the plates, to 1% of it.
            self.assertLess(abs(slope * 6 - u), 3 * error * 6 + 0.01 * u, f"{collision}: {slope} +- {error}")
            line = velocity.mean(0) - np.polyval(fits.mean(0), z)
            self.assertLess(np.abs(line).max(), 0.02 * u)
            below, above = (block_average(table[f"wall{k}_stress_x"]) for k in (1, 2))
            found, noise = (below[0] - above[0]) / 2 / slope / 10, math.hypot(below[1], above[1]) / 2 / slope / 10
            # Impulses of single collisions make it noisy; tests/regression/test_mpcd_walls.py balances them exactly.
            self.assertLess(noise, 0.2 * nu)
            self.assertLess(abs(found - nu), 4 * noise + 0.02 * nu, f"{collision}: {found} +- {noise}")

    def test_slip(self):
        """It started with 0.3, and keeps its flat profile: the plates take nothing."""
        slips = 'style = "bounce-forward"'
        z, velocity, density, table = self.flow("slip", ROTATION, lower=slips, upper=slips, steps=22000,
                                                start="velocity = [0.3, 0.0, 0.0]")
        self.assertLess(np.abs(table["wall1_stress_x"]).max(), 1e-9)
        self.assertLess(np.abs(density.mean(0) / 10.0 - 1.0).max(), 0.01)
        fits = np.array([np.polyfit(z, each, 2) for each in velocity])
        mean, error = fits.mean(0), fits.std(0, ddof=1) / math.sqrt(len(fits))
        for k in (0, 1):
            self.assertLess(abs(mean[k]), 4 * error[k])
        self.assertAlmostEqual(velocity.mean(), 0.3, delta=1e-3)


class AngularMomentum(PhysicsTest):
    """A sine flow without walls, as in tests/regression/test_mpcd.py."""

    DECK = """
[run]
steps = 24000
timestep = 0.1
seed = 3
[box]
size = [24.0, 6.0, 6.0]
[[population]]
name = "solvent"
kind = "mpcd"
density = 10.0
[collision]
conserve_angular_momentum = true
{collision}
[[drive]]
style = "sine"
acceleration = [0.0, 0.0125, 0.0]
across = "x"
[[measure]]
name = "flow"
axis = "x"
bins = 24
start = 2000
every = 10
window = 1000
"""

    def test_viscosity(self):
        for collision, degrees in ((ROTATION, 130.0), (ANDERSEN, None)):
            theory = angular_viscosity(10.0, 0.1, degrees)
            name = "angular" + collision[:5]
            table = self.thermo(name, self.DECK.format(collision=collision), 2000)
            with h5py.File(self.home / name / "flow.h5") as file:
                velocity = np.asarray(file["velocity"])[..., 1].reshape(-1, 24)
            shape = np.sin(2 * np.pi * (np.arange(24) + 0.5) / 24)
            each = velocity @ shape / (shape @ shape)
            self.assertGreaterEqual(len(each), 20)
            mean, error = each.mean(), each.std(ddof=1) / math.sqrt(len(each))
            nu = 0.0125 / ((2 * np.pi / 24)**2 * mean)
            self.assertLess(error, 0.015 * mean)
            self.assertLess(abs(nu - theory), (3 * error / mean + 0.02) * theory, f"{collision}: {nu}, {theory}")
            self.assertAlmostEqual(table["temperature"].mean(), 1.0 + mean**2 / 6, delta=0.005)


if __name__ == "__main__":
    unittest.main()
