"""Chains of ten beads in a collision solvent diffuse as Kirkwood's formula says, faster than without hydrodynamics; by
Langevin dynamics they diffuse as Rouse's model says; and they are as large in both.

    D = D_0 / N + k_BT / (6 pi eta) [ <sum 1 / r_ij> / N^2 - 2.837 / L ],   r_ij between different beads

D_0 = (k_BT h / 2M) (1 + f) / (1 - f) is that of a lone bead from molecular chaos, f what a collision leaves of its
velocity; the last term is what periodic images do (Duenweg & Kremer, J. Chem. Phys. 99 (1993) 6983).
"""
import math
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from program import ProgramTest  # noqa: E402

BEADS, MASS, VISCOSITY = 10, 10.0, 8.70
CHAINS = """
[run]
steps = {steps}
timestep = 0.005
seed = 5
[box]
size = [{edge}, {edge}, {edge}]
[neighbor]
skin = 0.4
[[population]]
name = "chains"
kind = "polymer"
blocks = "AAAAAAAAAA"
count = {count}
mass = 10.0
bond_length = 0.97
apart = 0.95
[[interaction]]
between = ["A", "A"]
style = "wca"
[[bond]]
population = "chains"
style = "fene"
k = 30.0
r_max = 1.5
[[output]]
format = "trajectory"
every = 4000
fields = ["position", "image"]
[[output]]
format = "checkpoint"
at_end = false
"""
FRAME = 20.0  # time between frames
SOLVENT = """
[[population]]
name = "solvent"
kind = "mpcd"
density = 10.0
[collision]
every = 20
thermostat = "maxwell-boltzmann"
embedded = ["chains"]
"""
THERMOSTAT = """
[[thermostat]]
population = "chains"
friction = 0.5
every = 5
"""


def of_a_bead():
    """D_0: 10 solvent particles a cell, 130 degrees, 0.1 between collisions."""
    weight = sum(math.exp(-10.0) * 10.0**n / math.factorial(n) * MASS / (MASS + n) for n in range(80))
    f = 1 - 2 / 3 * (1 - math.cos(math.radians(130))) * (1 - weight)
    return 0.1 / (2 * MASS) * (1 + f) / (1 - f)


class Chains(ProgramTest):
    def chains(self, text, name, edge):
        """[frames][chains][beads][3], unwrapped, from the sixth frame on."""
        out = self.home / name
        self.run_well(self.deck(text, name + ".toml"), "--output", out, "--quiet")
        with h5py.File(out / "trajectory.h5") as file:
            group = file["particles/all"]
            x = group["position/value"][()].astype(float) + group["image/value"][()] * edge
        return x.reshape(len(x), -1, BEADS, 3)[5:]

    @staticmethod
    def diffusion(x):
        """From displacements between frames: mean and error."""
        moved = np.diff(x.mean(axis=2), axis=0)
        each = (moved**2).sum(axis=-1) / (6 * FRAME)
        return each.mean(), each.std(ddof=1) / math.sqrt(each.size)

    @staticmethod
    def size(x):
        """Mean squared radius of gyration, and its error: chains are independent, frames of one are not."""
        each = ((x - x.mean(axis=2, keepdims=True))**2).sum(axis=-1).mean(axis=(0, 2))
        return each.mean(), each.std(ddof=1) / math.sqrt(each.size)

    def test_diffusion_and_size(self):
        solution = self.chains(CHAINS.format(steps=160000, edge=12.0, count=8) + SOLVENT, "solution", 12.0)
        langevin = self.chains(CHAINS.format(steps=160000, edge=40.0, count=30) + THERMOSTAT, "langevin", 40.0)
        r = np.linalg.norm(solution[:, :, :, None] - solution[:, :, None], axis=-1)
        inverse = (1 / r[:, :, ~np.eye(BEADS, dtype=bool)]).sum(axis=-1).mean() / BEADS**2
        kirkwood = of_a_bead() / BEADS + (inverse - 2.837 / 12.0) / (6 * math.pi * VISCOSITY)
        found, error = self.diffusion(solution)
        self.assertLess(error, 0.08 * kirkwood)
        # Slack: vortices that molecular chaos leaves out, beads that are no points in the flow.
        self.assertLess(abs(found - kirkwood), 4 * error + 0.1 * kirkwood, f"{found} +- {error}, {kirkwood}")
        self.assertGreater(found - 4 * error, 1.3 * of_a_bead() / BEADS)  # without hydrodynamics
        # <x^2> = 2 D [t - (1 - exp(-gamma t)) / gamma] of the centre of mass.
        rouse = 1 / (BEADS * MASS * 0.5) * (1 - (1 - math.exp(-0.5 * FRAME)) / (0.5 * FRAME))
        found, error = self.diffusion(langevin)
        self.assertLess(error, 0.05 * rouse)
        self.assertLess(abs(found - rouse), 4 * error, f"{found} +- {error}, {rouse}")
        (one, one_error), (other, other_error) = self.size(solution), self.size(langevin)
        # Slack: eight chains in the small box meet each other.
        self.assertLess(abs(one - other), 4 * math.hypot(one_error, other_error) + 0.03 * other,
                        f"{one} +- {one_error}, {other} +- {other_error}")


if __name__ == "__main__":
    unittest.main()
