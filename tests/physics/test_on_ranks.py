"""The physics of test_fluids.py on ranks, and what must not be lost when particles go from rank to rank."""
import math
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from physics import PhysicsTest, fluid  # noqa: E402
from program import summary  # noqa: E402


class OnFourRanks(PhysicsTest):
    ranks = 4

    def test_temperature_and_pressure_at_density_3(self):
        self.check_standard_fluid()
        self.assertEqual(summary(self.home / "rho3")["ranks"], 4)


class OnTwoRanks(PhysicsTest):
    """A box too small for four to be quick in."""
    ranks = 2

    def test_viscosity_in_shear(self):
        """Two seeds of the driven flow of test_fluids.py, at the same cost, would give 6%."""
        self.check_viscosity_in_shear()
        self.assertEqual(summary(self.home / "backer")["ranks"], 2)


class Migration(PhysicsTest):
    """A fluid that flies through domains 7 lengths wide at 90 lengths per unit of time, askew, so that particles leave
    through faces and edges; lists are built anew each step, so how far a particle flies in one does not matter to
    them."""

    ranks = 4
    SPEED = np.array([72.0, 54.0, 0.0])
    MIGRATIONS = 1_000_000

    def fly(self, steps):
        """Runs the deck; returns its directory and the velocities at its first and last step, in the order of tags."""
        text = fluid(precision="double", steps=steps, size=[14.0, 14.0, 10.0],
                     population=f'initial = "lattice"\nvelocity = {self.SPEED.tolist()}')
        text = text.replace("every = 10", "every = 1000") + f"""
[neighbor]
rebuild = "every"
every = 1
[parallel]
ranks = [2, 2, 1]
[[output]]
format = "trajectory"
every = {steps}
fields = ["velocity"]
precision = "double"
[[output]]
format = "checkpoint"
at_end = true
"""
        output = self.home / "flight"
        self.run_well(self.deck(text), "--output", output, "--quiet", ranks=self.ranks)
        with h5py.File(output / "trajectory.h5") as file:
            velocity = file["particles/all/velocity/value"][()]
        return output, velocity[0], velocity[-1]

    def test_a_million_migrations_keep_particles_and_momentum(self):
        steps = 2050
        output, first, last = self.fly(steps)
        result = summary(output)
        self.assertGreater(result["migrated"], self.MIGRATIONS)
        count = result["particles"]
        with h5py.File(output / f"checkpoint-{steps}.h5") as file:
            tags = np.sort(file["arrays/tag"][()].reshape(-1, 4).view("<u4").reshape(-1))
        np.testing.assert_array_equal(tags, np.arange(count))
        # Two roundings per step of each velocity, whose last place is worth 2^-46 at speeds from 64 to 128:
        # independent, uniform within half of that. Forces of a pair are opposite to the last bit; their sums round
        # far below.
        rounding = 2.0**-46 / math.sqrt(12.0) * math.sqrt(2.0 * steps * count)
        for axis in range(3):
            drift = math.fsum(np.concatenate([last[:, axis], -first[:, axis]]))  # rounded once
            self.assertLess(abs(drift), 5.0 * rounding, f"momentum along {'xyz'[axis]}")
        self.assertAlmostEqual(math.fsum(first[:, 0]), count * self.SPEED[0], delta=1e-9 * count)


if __name__ == "__main__":
    unittest.main(verbosity=2)
