"""One membrane by itself: its energy in double precision; the temperature that its friction and noise keep; how fast it
comes back when it has been drawn out; how far it gives way between optical tweezers, against what was measured, with
area and volume of this step and of the last."""
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
        """Friction that reads half-step velocities heats by 0.2 times the velocities' decay in a step
        (check_steps.cpp), which is 0.02 here."""
        table = self.table("temperature", steps=12000, timestep=0.001, friction=3.0, every=20)
        half = block_estimate(table["temperature"][len(table["temperature"]) // 2:])
        self.assertLess(half.error, 0.01)
        self.assertLess(difference_in_errors(half, type(half)(1.0, 0.0)), 4.0 + 0.005 / half.error)

    def test_coming_back(self):
        """Friction along edges is a surface viscosity of sqrt(3)/4 of it, and nothing else: what is left of a cell's
        length over its width decays in the time eta / mu (Hochmuth, Worthy, Evans 1979)."""
        example = (SOURCE / "examples/cells/relaxation.toml").read_text(encoding="utf-8")
        deck, out = self.deck(example), self.home / "back"
        drawn, dt, mu, friction = 1500, 0.0005, 100.96, 700.0
        eta = np.sqrt(3.0) / 4.0 * friction

        def run(steps, along, timestep, damping, *settings):
            words = [f"run.steps={steps}", "population.0.vertices=162", f"membrane.0.friction_along={along}",
                     f"run.timestep={timestep}", f"thermostat.0.friction={damping}", "membrane.0.table_every=100"]
            self.run_well(deck, "--output", out, "--quiet", *settings,
                          *(w for word in words for w in ("--set", word)))

        run(drawn, 70.0, 0.004, 1.0)
        run(drawn + 8000, friction, dt, 0.1, "--resume", "--set", "stretch.0.force=0")
        with open(out / "cells.csv", newline="", encoding="utf-8") as file:
            rows = [[float(row[key]) for key in ("step", "extent_x", "extent_y")] for row in csv.DictReader(file)]
        step, length, width = np.array([row for row in rows if row[0] >= drawn]).T
        time, ratio = dt * (step - drawn), length / width
        self.assertGreater(ratio[0], 1.3)
        left = np.log((ratio - 1.0) / (ratio + 1.0) * (ratio[0] + 1.0) / (ratio[0] - 1.0))
        chosen = slice(0, np.argmax(left < np.log(0.3)))
        self.assertGreater(chosen.stop, 10)
        slope = np.polyfit(time[chosen], left[chosen], 1)[0]
        self.assertLess(abs(-mu / eta / slope - 1.0), 0.25)

    def axial(self, force, steps, *settings):
        """Mean over the second half of a run; area and volume stay what they are."""
        example = (SOURCE / "examples/red_cell_stretching.toml").read_text(encoding="utf-8")
        out = self.home / "-".join([str(force), *settings]).replace("/", "")
        words = [f"run.steps={steps}", f"stretch.0.force={force * 1e-12}", "membrane.0.table_every=100", *settings]
        self.run_well(self.deck(example), "--output", out, "--quiet", *(w for word in words for w in ("--set", word)))
        with open(out / "cells.csv", newline="", encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if 2 * int(row["step"]) > steps]
        self.assertLess(max(abs(float(row["area"]) / 132.8 - 1.0) for row in rows), 0.02)
        self.assertLess(max(abs(float(row["volume"]) / 92.61 - 1.0) for row in rows), 0.02)
        return np.mean([float(row["extent_x"]) for row in rows])

    def test_stretching(self):
        for force, (low, high) in MEASURED.items():
            axial = self.axial(force, 3000)
            self.assertGreater(axial, low)
            self.assertLess(axial, high)

    def test_area_and_volume_of_the_step_before(self):
        """The volume's modulus and the time step are such that the lag makes no cell swing (docs/theory)."""
        settled = "membrane.0.volume_modulus=40", "run.timestep=0.002"
        now, before = (self.axial(151.0, 5000, *settled, f"membrane.0.area_volume={way}")
                       for way in ("current", "lagged"))
        self.assertLess(abs(before / now - 1.0), 0.005)

    def test_extrapolated_area_and_volume(self):
        """At the default moduli and the example's time step."""
        now, extrapolated = (self.axial(151.0, 3000, f"membrane.0.area_volume={way}")
                             for way in ("current", "extrapolated"))
        self.assertLess(abs(extrapolated / now - 1.0), 0.005)


if __name__ == "__main__":
    unittest.main()
