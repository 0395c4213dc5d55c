"""Surface tension of two immiscible DPD fluids: the table's column, at constant volume and under a barostat, against
Groot and Warren's law and LAMMPS (perf/tension_lammps.py)."""
import json
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).parent.parent / "shared"), str(Path(__file__).parent.parent / "compare")]
from physics import PhysicsTest, block_average  # noqa: E402
from program import SOURCE  # noqa: E402
from programs import write_data  # noqa: E402

LAMMPS = json.loads((SOURCE / "tests/compare/lammps_tension.json").read_text(encoding="utf-8"))
EDGE, HEIGHT, REPULSION = LAMMPS["edge"], LAMMPS["height"], LAMMPS["repulsion"]
DECK = """
[run]
steps = {steps}
timestep = 0.02
precision = "single"
[box]
size = [{edge}, {edge}, {height}]
{more}
[[population]]
name = "layers"
initial = "file"
file = "layers.data"
types = ["A", "B"]
[[interaction]]
between = "*"
a = 25.0
gamma = 4.5
[[interaction]]
between = ["A", "B"]
a = {a}
gamma = 4.5
[[output]]
format = "table"
every = 4
columns = ["pressure_xx", "pressure_yy", "pressure_zz", "surface_tension", "box_x", "box_z", "volume"]
"""


class SurfaceTension(PhysicsTest):
    def setUp(self):
        super().setUp()
        random, count = np.random.default_rng(2), round(3.0 * EDGE * EDGE * HEIGHT)
        at = random.uniform(0.0, 1.0, (count, 3)) * (EDGE, EDGE, HEIGHT)
        types = np.where(at[:, 2] < 0.5 * HEIGHT, 1, 2)
        write_data(self.home / "layers.data", (EDGE, EDGE, HEIGHT), at, types.tolist())

    def layers(self, name, steps, more=""):
        text = DECK.format(steps=steps, edge=EDGE, height=HEIGHT, a=REPULSION, more=more)
        return self.thermo(name, text, 1500)

    def check_against_lammps(self, tension, error, more):
        theirs = LAMMPS["tension"]
        self.assert_within(tension, np.hypot(error, theirs["error"]), theirs["mean"], 3, more * tension)

    def test_two_interfaces(self):
        """Half of the column is one interface's. Groot & Warren (1997), density 3: 0.75 rho chi^0.26 (1 - 2.36 /
        chi)^1.5 with chi = 0.286 (a_AB - a_AA); their points scatter about it by some 5%."""
        rows = self.layers("volume", 9000)
        across = 0.5 * (rows["pressure_xx"] + rows["pressure_yy"])
        np.testing.assert_allclose(rows["surface_tension"], rows["box_z"] * (rows["pressure_zz"] - across), rtol=1e-5,
                                   atol=1e-4)
        tension, error = block_average(rows["surface_tension"])
        self.assertLess(error, 0.04 * tension, "the run is too short to mean anything")
        self.check_against_lammps(tension, error, 0.01)
        chi = 0.286 * (REPULSION - 25.0)
        law = 0.75 * 3.0 * chi**0.26 * (1.0 - 2.36 / chi)**1.5
        self.assertLess(abs(tension / 2.0 - law), 0.1 * law + 1.5 * error)

    def test_at_constant_pressure(self):
        """The edge across the interfaces follows the pressure, and the tension stays what it was."""
        more = '[barostat]\npressure = 23.5\ncompressibility = 0.02\nperiod = 4.0\ncoupling = "z"\n'
        rows = self.layers("pressure", 9000, more)
        pressure, error = block_average(rows["pressure_zz"])
        self.assertLess(error, 0.007 * pressure, "the run is too short to mean anything")
        self.assert_within(pressure, error, 23.5, 3, 0.001 * pressure)
        self.assertEqual(np.ptp(rows["box_x"]), 0.0)
        tension, error = block_average(rows["surface_tension"])
        self.check_against_lammps(tension, error, 0.02)


if __name__ == "__main__":
    unittest.main()
