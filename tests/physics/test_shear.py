"""Sheared boxes and channels at a flow rate, against LAMMPS, published values and each other."""
import csv
import json
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from observables import read_table  # noqa: E402
from physics import PhysicsTest, block_average  # noqa: E402
from program import SOURCE, mesowarp, summary  # noqa: E402

REFERENCE = json.loads((SOURCE / "tests/compare/lammps_shear.json").read_text(encoding="utf-8"))
EXAMPLES = SOURCE / "examples"


def profile(path):
    """Columns of a profile, all blocks one after the other."""
    with open(path, encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table))
    return {key: np.array([float(row[key]) for row in rows]) for key in rows[0]}


class Shear(PhysicsTest):
    def test_viscosity_is_that_of_lammps(self):
        """The same fluid in the same box at the same rate and time step; `fix deform … remap v` there."""
        output = self.home / "shear"
        self.run_well(EXAMPLES / "shear.toml", "--output", output, "--quiet", "--steps", 24000, "--set",
                      f"shear.rate={REFERENCE['rate']}", "--set", "output.0.every=2", "--set",
                      f"box.size={list(REFERENCE['box'])}")
        rows = read_table(output / "thermo.csv", 1999)
        viscosity, error = block_average(rows["viscosity"])
        self.assertLess(error, 0.04 * viscosity, "the run is too short to mean anything")
        self.assert_within(viscosity, error, REFERENCE["viscosity"]["mean"], 3.5, REFERENCE["viscosity"]["error"])
        temperature, error = block_average(rows["temperature"])
        self.assertLess(error, 0.002)
        self.assert_within(temperature, error, REFERENCE["temperature"]["mean"], 3.5, REFERENCE["temperature"]["error"])
        self.assertLess(np.abs(rows["momentum_x"]).max(), 1e-2)
        self.check_profile(profile(output / "shear.csv"), REFERENCE["rate"], 10.0)

    def check_profile(self, columns, rate, edge):
        """A line, of the rate, without kinks at the faces; one temperature."""
        height = columns["coordinate"] - 0.5 * edge
        slope = (columns["velocity_x"] * height).sum() / (height**2).sum()
        self.assertLess(abs(slope / rate - 1.0), 0.01)
        error = columns["velocity_x_error"]
        self.assertLess(error.max(), 0.03)
        self.assertLess(np.abs((columns["velocity_x"] - rate * height) / error).max(), 4.5)
        self.assertLess(columns["temperature"].max() - columns["temperature"].min(), 0.02)

    def test_viscosity_is_that_of_double_poiseuille_flow(self):
        """Backer's fluid: 2.09 +- 0.02 published, and measured here by other means (test_fluids.py)."""
        self.check_viscosity_in_shear()

    def test_resumed_runs_have_the_same_bits(self):
        """Killed by --steps, so to say: 120 steps and then 120 more, and all at once."""
        small = ["--quiet", "--set", "box.size=[5, 6, 5]", "--set", "shear.rate=0.9", "--set", "measure.0.start=0"]
        self.run_well(EXAMPLES / "shear.toml", "--output", self.home / "whole", "--steps", 240, *small)
        self.run_well(EXAMPLES / "shear.toml", "--output", self.home / "parts", "--steps", 120, *small)
        self.run_well(EXAMPLES / "shear.toml", "--output", self.home / "parts", "--steps", 240, "--resume", *small)
        self.assertEqual(summary(self.home / "whole")["state_hash"], summary(self.home / "parts")["state_hash"])
        for name in ("thermo.csv", "shear.csv"):
            self.assertEqual((self.home / "whole" / name).read_text(), (self.home / "parts" / name).read_text(), name)


class FlowRate(PhysicsTest):
    def test_a_channel_reaches_its_flow_rate(self):
        """The force that a flow rate takes, and the flow rate that this force gives without a controller."""
        output, short = self.home / "held", ["--quiet", "--set", "box.size=[6, 6, 6]", "--set", "run.precision=single"]
        self.run_well(EXAMPLES / "channel_flow_rate.toml", "--output", output, "--steps", 40000, "--set",
                      "measure.0.start=10000", *short)
        rows = read_table(output / "thermo.csv", 9999)
        velocity, error = block_average(rows["flow_velocity"])
        self.assertLess(error, 0.005)
        self.assert_within(velocity, error, 0.5, 4)
        force, force_error = block_average(rows["drive_acceleration"])
        self.assertLess(force_error, 0.02 * force)
        columns = profile(output / "channel.csv")
        mean = (columns["velocity_x"] * columns["count"]).sum() / columns["count"].sum()
        self.assertLess(abs(mean - 0.5), 0.01)
        # The deck without the controller, driven by that force.
        text = (EXAMPLES / "channel_flow_rate.toml").read_text(encoding="utf-8")
        text = text.replace('[flow_rate]\nvelocity = 0.5\nalong = "x"', f"[[drive]]\nacceleration = [{force}, 0, 0]")
        text = text.replace('"flow_velocity", "drive_acceleration"', '"momentum_x"')
        free = self.home / "free"
        self.run_well(self.deck(text), "--output", free, "--steps", 40000, "--set", "measure.0.start=10000", *short)
        momentum, momentum_error = block_average(read_table(free / "thermo.csv", 9999)["momentum_x"])
        particles = summary(free)["particles"]
        self.assert_within(momentum / particles, momentum_error / particles, 0.5, 4, 0.5 * force_error / force)

    def test_resumed_runs_have_the_same_bits(self):
        small = ["--quiet", "--set", "box.size=[5, 5, 5]", "--set", "measure.0.start=0"]
        deck = EXAMPLES / "channel_flow_rate.toml"
        self.run_well(deck, "--output", self.home / "whole", "--steps", 240, *small)
        self.run_well(deck, "--output", self.home / "parts", "--steps", 120, *small)
        self.run_well(deck, "--output", self.home / "parts", "--steps", 240, "--resume", *small)
        self.assertEqual(summary(self.home / "whole")["state_hash"], summary(self.home / "parts")["state_hash"])
        self.assertEqual((self.home / "whole" / "thermo.csv").read_text(),
                         (self.home / "parts" / "thermo.csv").read_text())


class Checks(PhysicsTest):
    def test_decks_that_cannot_be_sheared_are_refused(self):
        cases = {
            "shear.gradient=x": "flow and gradient are both x",
            "shear.rate=60": "the skin is",
            "parallel.ranks=[2, 1, 1]": "parallel.ranks cuts the box along x, the flow",
            "box.periodic=[false, true, true]": "the box is not periodic along x: shear without walls",
            "population.0.frozen=true": "frozen particles do not move with a sheared box",
            "parallel.transport=peer": "not stored as they come",
            "shear.rate=0": "needs a shear.rate other than 0",
        }
        for change, message in cases.items():
            done = mesowarp("check", EXAMPLES / "shear.toml", "--set", change)
            self.assertEqual(done.returncode, 2, change)
            self.assertIn(message, done.stdout + done.stderr)

    def test_decks_without_a_flow_that_is_controlled_are_refused(self):
        cases = {
            "flow_rate.along=z": "the box is not periodic along z",
            "flow_rate.every=2000": "too seldom for these gains",
            "output.0.columns=[\"viscosity\"]": "needs a [shear] block",
        }
        for change, message in cases.items():
            done = mesowarp("check", EXAMPLES / "channel_flow_rate.toml", "--set", change)
            self.assertEqual(done.returncode, 2, change)
            self.assertIn(message, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
