"""The table, averages and times of bodies recomputed in numpy from a trajectory in double precision, on one rank and on
four; the places and speeds of Plummer's sphere."""
import math
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from observables import read_table  # noqa: E402
from observed import RECORD, ObservablesTest, columns_of, read_frames  # noqa: E402
from program import summary  # noqa: E402

STARS = """
[run]
steps = {steps}
timestep = 0.015625
seed = 4
precision = "double"
[integrator]
style = "{style}"
[[population]]
name = "stars"
kind = "bodies"
species = "star"
initial = "plummer"
count = {count}
total_mass = 1.0
radius = 0.6
velocity = [0.2, -0.1, 0.05]
center = [1.0, 2.0, -0.5]
"""
SECOND_CLUSTER = """
[[population]]
name = "giants"
kind = "bodies"
species = "giant"
initial = "plummer"
count = 17
total_mass = 0.5
radius = 0.4
center = [-1.0, 0.5, 0.5]
"""
GRAVITY = """
[[interaction]]
between = "*"
style = "gravity"
constant = 1.3
softening = 0.05
"""


class Bodies(ObservablesTest):
    def test_stars(self):
        for style, ranks in (("hermite", 1), ("hermite", 4), ("leapfrog", 1), ("hermite-block", 4)):
            text = STARS.format(steps=44, style=style, count=90) + SECOND_CLUSTER + GRAVITY
            text += RECORD.format(every=2, columns=str(columns_of("bodies")).replace("'", '"'))
            output = self.run_deck(text, ranks, style)
            frames, table = read_frames(output), read_table(output / "thermo.csv")
            expected = self.body_table(frames, 3 * 107 - 3, exact=style == "leapfrog")
            energies = {name: np.abs(expected["kinetic_energy"]).max() for name in expected}
            checked = self.check_columns(table, expected, energies, 1e-12)
            self.assertEqual(set(table), checked | {"step", "time", "wall_time", "particle_steps_per_second"})
            self.check_bookkeeping(output, frames, 0.015625, 107)
            self.check_averages(output)
            energy = table["total_energy"]
            np.testing.assert_allclose(
                summary(output)["averages"]["relative_energy_error"],
                np.abs(energy / energy[0] - 1).max(), rtol=1e-8)
            log = (output / "run.log").read_text(encoding="utf-8")
            self.assertRegex(
                log, r"energy -0\.\d+ ± 0\.0+\d\d, virial ratio 0\.\d+ ± 0\.0+\d\d, largest relative energy error \d")

    @staticmethod
    def body_table(frames, freedom, exact):
        m, rows = frames["mass"], []
        for x, v, f in zip(frames["position"], frames["velocity"], frames["force"]):
            r = x[:, None, :] - x[None, :, :]
            square = (r * r).sum(axis=2) + 0.05**2
            pull = -1.3 * (m[:, None] * m[None, :] / square**1.5)[:, :, None] * r
            # Hermite's acceleration is that of the predicted places, which the corrected ones are near to.
            np.testing.assert_allclose(f, pull.sum(axis=1), rtol=0, atol=(1e-12 if exact else 3e-3) * np.abs(f).max())
            potential = -1.3 * (np.triu(m[:, None] * m[None, :] / np.sqrt(square), 1)).sum()
            kinetic = (m * (v * v).sum(axis=1)).sum() / 2
            centre = (m[:, None] * x).sum(axis=0) / m.sum()
            row = {"kinetic_energy": kinetic, "potential_energy": potential, "total_energy": kinetic + potential,
                   "temperature": 2 * kinetic / freedom, "virial_ratio": -kinetic / ((x - centre) * f).sum()}
            for axis, name in enumerate("xyz"):
                row[f"momentum_{name}"] = (m * v[:, axis]).sum()
                row[f"angular_momentum_{name}"] = (m * np.cross(x, v)[:, axis]).sum()
            rows.append(row)
        return {name: np.array([row[name] for row in rows]) for name in rows[0]}

    def test_the_virial_is_taken_about_the_centre_of_mass(self):
        """Far from the origin, with forces of single precision, whose sum is not zero."""
        text = STARS.format(steps=4, style="leapfrog", count=90).replace('"double"', '"single"') + GRAVITY
        text = text.replace("center = [1.0, 2.0, -0.5]", "center = [2e4, -3e4, 1e4]")
        output = self.run_deck(text + RECORD.format(every=1, columns='["virial_ratio", "kinetic_energy"]'), 1, "far")
        frames, table = read_frames(output), read_table(output / "thermo.csv")
        x, f = frames["position"], frames["force"]
        about_origin = -table["kinetic_energy"] / (x * f).sum(axis=(1, 2))
        self.assertGreater(np.abs(about_origin / table["virial_ratio"] - 1).max(), 1e-4)
        virial = ((x - x.mean(axis=1, keepdims=True)) * f).sum(axis=(1, 2))
        np.testing.assert_allclose(table["virial_ratio"], -table["kinetic_energy"] / virial, rtol=1e-8)

    def test_ions_in_a_thermostat_have_all_degrees_of_freedom(self):
        text = """
[run]
steps = 20
timestep = 0.002
precision = "double"
temperature = 0.7
[integrator]
style = "langevin"
friction = 2.0
[electrostatics]
dielectric = "constant"
[[population]]
name = "ions"
kind = "bodies"
species = "A"
initial = "lattice"
count = 20
spacing = 1.2
charge = 0.3
[[interaction]]
between = "*"
style = "lj-coulomb"
""" + RECORD.format(every=4, columns='["temperature", "kinetic_energy", "potential_energy"]')
        output = self.run_deck(text, 1, "ions")
        frames, table = read_frames(output), read_table(output / "thermo.csv")
        twice = (frames["velocity"] ** 2).sum(axis=(1, 2))
        np.testing.assert_allclose(table["temperature"], twice / 60, rtol=1e-12)
        np.testing.assert_allclose(table["kinetic_energy"], twice / 2, rtol=1e-12)
        for x, potential in zip(frames["position"], table["potential_energy"]):
            i, j = np.triu_indices(len(x), 1)
            r = np.linalg.norm(x[i] - x[j], axis=1)
            np.testing.assert_allclose(potential, (4 * (r**-12 - r**-6) + 0.09 / r).sum(), rtol=1e-10)
        self.assertNotIn("relative_energy_error", summary(output)["averages"])

    def test_plummers_sphere(self):
        """Places and speeds of 30,000 stars: q = v / v_escape has the density q^2 (1 - q^2)^(7/2), the mass within r is
        r^3 / (1 + r^2)^(3/2) up to 0.999; 1% less speed is five standard errors."""
        count, gravity = 30000, 1.3
        text = STARS.format(steps=0, style="leapfrog", count=count).replace('"double"', '"single"')
        # A cluster that drifts has more of it in its virial ratio.
        text = text.replace("velocity = [0.2, -0.1, 0.05]\n", "")
        output = self.run_deck(
            text + GRAVITY.replace("0.05", "0.0") + RECORD.format(every=1, columns='["virial_ratio"]'), 1, "plummer")
        frames = read_frames(output)
        x = (frames["position"][0] - np.array([1.0, 2.0, -0.5])) / 0.6
        v = frames["velocity"][0] / math.sqrt(gravity / 0.6)
        r = np.linalg.norm(x, axis=1)
        q = np.linalg.norm(v, axis=1) / (math.sqrt(2.0) * (1 + r * r) ** -0.25)
        within = np.sort(r**3 / (1 + r * r) ** 1.5 / 0.999)
        grid = np.linspace(0.0, 1.0, 20001)
        density = grid**2 * (1 - grid**2) ** 3.5
        cumulative = np.concatenate([[0.0], np.cumsum((density[1:] + density[:-1]) / 2)])
        share = np.sort(np.interp(q, grid, cumulative / cumulative[-1]))
        for name, values in (("radii", within), ("speeds", share)):  # uniform: Kolmogorov and Smirnov, 1.63 is 1 in 100
            distance = np.abs(values - (np.arange(count) + 0.5) / count).max() * math.sqrt(count)
            self.assertLess(distance, 1.63, name)
        # <q^2> = 1/4, <q^4> = 5/56
        error = math.sqrt((5 / 56 - 1 / 16) / count)
        self.assertLess(abs((q * q).mean() - 0.25), 3 * error)
        for vectors, size in ((x, r), (v, np.linalg.norm(v, axis=1))):  # no direction is preferred
            unit = vectors / size[:, None]
            self.assertLess(np.abs(unit.mean(axis=0)).max(), 4 * math.sqrt(1 / 3 / count))
            self.assertLess(np.abs((unit**2).mean(axis=0) - 1 / 3).max(), 4 * math.sqrt(4 / 45 / count))
        # In equilibrium: 1/2; twelve seeds of this size scatter by 0.0021 about 0.4993.
        self.assertAlmostEqual(read_table(output / "thermo.csv")["virial_ratio"][0], 0.5, delta=0.006)


if __name__ == "__main__":
    unittest.main(verbosity=2)
