"""Flows between walls, of frozen particles and without: no slip, the fluid's own density up to the surface, stresses
that balance, concentrations that end at the surface.
Tolerances as in test_fluids.py."""
import csv
import math
import re
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from physics import PhysicsTest, block_average  # noqa: E402

FLUID = """
[[population]]
name = "water"
species = "W"
density = 3.0
[[interaction]]
between = ["W", "W"]
a = 25.0
gamma = 4.5
[run]
timestep = 0.01
seed = 4
"""


def blocks(path):
    """Of each block of a profile the columns of the bins that hold fluid."""
    with open(path, encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if float(row["density"]) > 0.0]
    numbers = sorted({int(row["block"]) for row in rows})
    return [{key: np.array([float(row[key]) for row in rows if int(row["block"]) == n]) for key in rows[0]}
            for n in numbers]


class Couette(PhysicsTest):
    """Two plates 6 apart that slide at +-2."""

    DECK = FLUID + """
precision = "single"
steps = 24000
[box]
size = [10.0, 10.0, 10.0]
[[shape]]
name = "below"
style = "plane"
axis = "z"
at = 2.0
[[shape]]
name = "above"
style = "plane"
axis = "z"
at = 8.0
side = "above"
[[wall]]
name = "lower"
solid = "below"
velocity = [-2.0, 0.0, 0.0]
[[wall]]
name = "upper"
solid = "above"
velocity = [2.0, 0.0, 0.0]
[[measure]]
name = "flow"
axis = "z"
bins = 40
start = 6000
every = 5
window = 2000
[[output]]
format = "table"
every = 500
columns = ["wall1_stress_x", "wall2_stress_x", "wall1_stress_z", "wall2_stress_z", "wall_strays"]
"""

    def test_the_fluid_sticks_to_the_plates(self):
        self.check_plates("couette", self.DECK, 23.8)

    def test_so_it_does_without_particles(self):
        # The mean force that replaces them carries what they would, up to the steps of its table.
        text = self.DECK.replace('solid = "below"', 'solid = "below"\nmethod = "effective"').replace(
            'solid = "above"', 'solid = "above"\nmethod = "effective"')
        self.assertEqual(text.count("effective"), 2)
        self.check_plates("effective", text, 23.8)

    # Forces beside DPD's friction that the flow between plates may have, by themselves.
    BATH = """
[[interaction]]
between = "*"
style = "dpd-thermostat"
gamma = 4.5
cutoff = 1.0
"""

    def with_forces(self, forces):
        dpd = FLUID[FLUID.index("[[interaction]]"):FLUID.index("[run]")]
        self.assertIn(dpd, self.DECK)
        return self.DECK.replace(dpd, forces + self.BATH)

    def test_so_does_a_soft_fluid(self):
        """A cos(pi r) with as much energy between all pairs, int U d^3r, as the standard fluid: A = 3.2."""
        forces = '[[interaction]]\nbetween = "*"\nstyle = "soft"\namplitude = 3.2\ncutoff = 1.0\n'
        self.check_plates("soft", self.with_forces(forces), None, None)

    def test_a_table_of_the_standard_fluid_needs_what_that_does(self):
        r = 0.002 + 0.998 * np.arange(501) / 500
        rows = (f"{k + 1} {x:.12g} {12.5 * (1 - x)**2:.12g} {25 * (1 - x):.12g}\n" for k, x in enumerate(r))
        (self.home / "dpd.table").write_text("A\nN 501\n\n" + "".join(rows), encoding="utf-8")
        text = self.with_forces('[[interaction]]\nbetween = "*"\nstyle = "table"\nfile = "dpd.table"\nsection = "A"\n')
        self.thermo("table", text[:text.index("[[measure]]")].replace("steps = 24000", "steps = 0"), 0)
        log = (self.home / "table" / "run.log").read_text(encoding="utf-8")
        told = re.search(r'wall "upper": friction (\S+) was found between plates, with a standard error of (\S+);', log)
        found, error = map(float, told.groups())
        # Three flows: what each finds scatters by 0.05, by its noise and by its frozen layers
        # (docs/theory/walls.md), so that the mean is known to 0.029, two of which these are.
        self.assertLess(abs(found - 0.2), 0.06)
        # From three flows, so itself known to a half.
        self.assertLess(abs(error - 0.025), 3 * 0.23 * 0.025)

    def test_a_viscous_fluid_sticks_too(self):
        """Friction carries 97% of its stress. Particles at rest alone let it slip by 3% of the plates' speed."""
        text = self.DECK.replace("gamma = 4.5", "gamma = 20.0\nexponent = 0.5").replace(
            "timestep = 0.01", "timestep = 0.005").replace("velocity = [", "friction = 0.0\nvelocity = [")
        for method in ("frozen", "effective"):
            with self.subTest(method):
                name = f"viscous_{method}"
                self.thermo(name, text.replace("friction = 0.0", f'friction = 0.0\nmethod = "{method}"'), 6000)
                flow = [block for block in blocks(self.home / name / "flow.csv") if len(block["coordinate"]) == 24][:9]
                z = flow[0]["coordinate"] - 5.0
                each = np.array([block["velocity_x"] for block in flow])
                each = 0.5 * (each - each[:, ::-1])  # both halves
                off = each.mean(axis=0) - 2.0 * z / 3.0
                error = each.std(axis=0, ddof=1) / 3.0
                self.assertLess(error.max(), 0.01, "the run is too short to mean anything")
                np.testing.assert_array_less(np.abs(off), 0.02 + 2.5 * error)

    def check_plates(self, name, text, pressure, eta=0.85):
        """A fluid whose pressure and viscosity are known, or are None."""
        # A flow is forgotten after 36 / (pi^2 0.28) = 13 units of time; the blocks are 20 long.
        table = self.thermo(name, text, 6000)
        self.assertEqual(table["wall_strays"].max(), 0)
        log = (self.home / name / "run.log").read_text(encoding="utf-8")
        self.assertRegex(log, r'wall "upper": friction 0\.\d+ was found')
        self.assertNotIn("density is off", log)
        flow = [block for block in blocks(self.home / name / "flow.csv") if len(block["coordinate"]) == 24][:9]
        self.assertEqual(len(flow), 9)
        z = flow[0]["coordinate"] - 5.0
        bulk = slice(4, 20)
        mean = {key: np.mean([block[key] for block in flow], axis=0) for key in flow[0]}
        error = np.std([block["velocity_x"] for block in flow], axis=0, ddof=1) / 3.0
        # No slip: everywhere between the plates the straight line, within 1% of their speed.
        off = np.abs(mean["velocity_x"] - 2.0 * z / 3.0)
        self.assertLess(error.max(), 0.02, "the run is too short to mean anything")
        self.assertLess((off - 2.5 * error).max(), 0.01 * 2.0, off)
        slopes = np.array([np.polyfit(z[bulk], block["velocity_x"][bulk], 1)[0] for block in flow])
        slope, noise = slopes.mean(), slopes.std(ddof=1) / 3.0
        slip, slip_noise = 2.0 / slope - 3.0, 2.0 * noise / slope**2
        self.assertLess(slip_noise, 0.05, "the run is too short to mean anything")
        self.assertLess(abs(slip), 0.03 + 2.5 * slip_noise)
        # The density, in bins of a quarter of the cutoff up to the plates, within 2% of the bulk's.
        density = mean["density"] / mean["density"][bulk].mean()
        self.assertLess(np.abs(density - 1.0).max(), 0.02, density)
        # The flow heats it a little (the time step alone by 1%), and the plates do not heat it more.
        self.assertLess(np.ptp(mean["temperature"]), 0.06)
        self.assertLess(np.abs(mean["temperature"] - 1.0).max(), 0.08)
        # The same stress on both plates; it gives the viscosity of the standard fluid, 0.85 within 5%.
        below, above = (block_average(table[f"wall{k}_stress_x"]) for k in (1, 2))
        self.assert_within(below[0], below[1], -above[0], 4, above[1])
        if eta is None:
            return
        viscosity = 0.5 * (below[0] - above[0]) / slope
        self.assertLess(abs(viscosity - eta), 0.045 + 3 * math.hypot(below[1], above[1]) / 2 / slope, viscosity)
        # They carry the fluid's pressure.
        for k, sign in ((1, -1.0), (2, 1.0)):
            stress, noise = block_average(table[f"wall{k}_stress_z"])
            self.assertLess(abs(sign * stress - pressure), 0.4 + 3 * noise)


class Tube(PhysicsTest):
    DECK = FLUID + """
precision = "single"
steps = 16000
[box]
size = [9.0, 9.0, 8.0]
[[shape]]
name = "bore"
style = "cylinder"
axis = "z"
center = [4.5, 4.5, 0.0]
radius = 3.4
[[wall]]
name = "tube"
solid = "not bore"
[[drive]]
style = "constant"
acceleration = [0.0, 0.0, 0.1]
[[output]]
format = "table"
every = 100
columns = ["mass_flow_z", "wall_force_z", "wall_strays", "momentum_z"]
[[output]]
format = "trajectory"
every = 40
fields = ["position", "velocity"]
"""

    def test_poiseuille(self):
        table = self.thermo("tube", self.DECK, 4000)
        self.assertEqual(table["wall_strays"].max(), 0)
        with h5py.File(self.home / "tube" / "trajectory.h5") as file:
            species = file["particles/all/species"]
            species = (species if isinstance(species, h5py.Dataset) else species["value"])[()].reshape(-1)
            position = file["particles/all/position/value"][100:].astype(float)
            velocity = file["particles/all/velocity/value"][100:].astype(float)
        fluid = species[:position.shape[1]] == 0
        mass = fluid.sum()
        # What the drive gives, the wall takes.
        force, error = block_average(table["wall_force_z"])
        gained = (table["momentum_z"][-1] - table["momentum_z"][0]) / (0.01 * 100 * (len(table["momentum_z"]) - 1))
        self.assert_within(force, error, 0.1 * mass - gained, 4)
        self.assertLess(error, 0.03 * 0.1 * mass)
        # v = a - b r^2 that ends at the wall: sqrt(a / b) = R, and b = g / (4 nu).
        r2 = ((position[:, fluid, :2] - 4.5)**2).sum(-1)
        along = velocity[:, fluid, 2]
        fits = []
        for part in np.array_split(np.arange(len(r2)), 10):
            inner = r2[part] < (3.4 - 0.3)**2
            fits.append(np.polyfit(r2[part][inner], along[part][inner], 1))
        (b, a), noise = np.mean(fits, axis=0), np.std(fits, axis=0) / math.sqrt(9)
        radius = [math.sqrt(fit[1] / -fit[0]) for fit in fits]
        self.assertLess(abs(np.mean(radius) - 3.4), 0.01 * 3.4 + 3 * np.std(radius) / math.sqrt(9))
        viscosity = 3.0 * 0.1 / 4.0 / -b
        self.assertLess(abs(viscosity - 0.85), 0.05 + 3 * viscosity * noise[0] / -b, viscosity)
        # The density, in shells of half the cutoff, up to the wall.
        for low, high in ((2.9, 3.4), (2.4, 2.9), (1.9, 2.4)):
            shell = ((r2 >= low**2) & (r2 < high**2)).sum(1) / (math.pi * (high**2 - low**2) * 8.0)
            density, noise = block_average(shell)
            self.assertLess(abs(density / 3.01 - 1.0), 0.02 + 3 * noise / 3.01, (low, high))


class Concentrations(PhysicsTest):
    DECK = """
[run]
timestep = 0.01
seed = 3
precision = "single"
steps = 9000
[box]
size = [8.0, 8.0, 8.0]
[transport]
solutes = ["A", "B"]
[[population]]
name = "water"
species = "W"
density = 4.0
concentration = [0.5, 0.5]
[[concentration]]
solute = "B"
species = "W"
value = 0.5
gradient = [0.0, 0.0, 0.1]
[[interaction]]
between = ["W", "W"]
style = "tdpd"
a = 18.75
gamma = 4.5
exponent = 0.41
kappa = [5.0, 5.0]
[[shape]]
name = "below"
style = "plane"
axis = "z"
at = 1.5
[[shape]]
name = "above"
style = "plane"
axis = "z"
at = 6.5
side = "above"
[[measure]]
name = "solutes"
axis = "z"
bins = 32
quantities = ["density", "concentration"]
start = 3000
every = 5
window = 1000
[[output]]
format = "table"
every = 500
columns = ["solutes", "wall_strays"]
"""
    WALL = """
[[wall]]
name = "{name}"
solid = "{solid}"
method = "{method}"
species = "{name}"
friction = 0.1
[[wall_concentration]]
wall = "{name}"
solute = "A"
value = {value}
[[wall_concentration]]
wall = "{name}"
solute = "B"
style = "no-flux"
"""

    def test_they_end_at_the_surface(self):
        for method in ("frozen", "effective"):
            with self.subTest(method=method):
                walls = [
                    self.WALL.format(name=name, solid=solid, method=method, value=value)
                    for name, solid, value in (("lower", "below", 0.0), ("upper", "above", 1.0))
                ]
                table = self.thermo(method, self.DECK + "".join(walls), 0)
                self.assertEqual(table["wall_strays"].max(), 0)
                # Nothing of B passes; of A, C goes in a straight line from one plate's to the other's, within 2%. (Next
                # to the plates bins of 0.25 hold a little more of what is nearer to them.)
                self.assertLess(np.ptp(table["total_B"]) / table["total_B"][0], 1e-6)
                rows = blocks(self.home / method / "solutes.csv")
                z = rows[0]["coordinate"]
                part = (z - 1.5) / 5.0
                fluid = (part > 0) & (part < 1)
                a = np.array([block["concentration_A"] for block in rows])[:, fluid]
                error = a.std(0, ddof=1) / math.sqrt(len(a))
                self.assertLess(error.max(), 0.005, "the run is too short to mean anything")
                self.assertLess((np.abs(a.mean(0) - part[fluid]) - 2.5 * error).max(), 0.02)


class Penetration(PhysicsTest):
    def test_nothing_gets_into_the_solid(self):
        """10^5 steps of a drum that turns, with a stone and a fluid in it that is driven against the stone."""
        text = FLUID + """
precision = "single"
steps = 100000
[box]
size = [5.4, 5.4, 5.0]
[[shape]]
name = "bore"
style = "cylinder"
axis = "z"
center = [2.7, 2.7, 0.0]
radius = 2.0
[[shape]]
name = "stone"
style = "sphere"
center = [2.7, 2.7, 2.5]
radius = 0.8
[[wall]]
name = "drum"
solid = "not bore or stone"
friction = 0.2
spin = [0.0, 0.0, 0.4]
about = [2.7, 2.7, 0.0]
[[drive]]
style = "constant"
acceleration = [0.0, 0.0, 0.3]
[[output]]
format = "table"
every = 1000
columns = ["wall_strays", "temperature"]
[[output]]
format = "trajectory"
every = 20000
"""
        table = self.thermo("drum", text, 0)
        self.assertEqual(table["wall_strays"].max(), 0)
        with h5py.File(self.home / "drum" / "trajectory.h5") as file:
            species = file["particles/all/species"]
            species = (species if isinstance(species, h5py.Dataset) else species["value"])[()].reshape(-1)
            position = file["particles/all/position/value"][()].astype(float)
        position = position[:, species[:position.shape[1]] == 0] - np.array([2.7, 2.7, 2.5])
        self.assertGreater(position.shape[1], 100)
        outside = np.hypot(position[..., 0], position[..., 1]).max()
        inside = np.sqrt((position**2).sum(-1)).min()
        self.assertLess(outside, 2.0 + 1e-6)
        self.assertGreater(inside, 0.8 - 1e-6)


if __name__ == "__main__":
    unittest.main()
