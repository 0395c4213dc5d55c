"""Constant pressure: density, and the compressibility from the volume's fluctuation, against the equation of state;
edges that are coupled in groups, under a surface tension; a box that is deformed: free particles exactly, work and
energy of a conservative fluid."""
import json
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from observables import read_table  # noqa: E402
from physics import PhysicsTest, block_average  # noqa: E402
from program import SOURCE  # noqa: E402

FLUID = """
[run]
steps = {steps}
timestep = {timestep}
seed = {seed}
precision = "{precision}"
[box]
size = [{size}]
{more}
[[population]]
name = "water"
species = "W"
count = 648
initial = "lattice"
[[interaction]]
between = "*"
a = {a}
gamma = {gamma}
[[output]]
format = "table"
every = {every}
columns = ["time", "pressure", "pressure_xx", "pressure_yy", "pressure_zz", "volume", "box_x", "box_y", "box_z",
           "total_energy", "kinetic_energy"]
"""
BAROSTAT = """[barostat]
pressure = {pressure}
compressibility = 0.021
period = 1.0
every = {every}
coupling = "{coupling}"
"""
COUNT, VOLUME = 648, 216.0
LAMMPS = json.loads((SOURCE / "tests/compare/lammps_pressure.json").read_text(encoding="utf-8"))
PRESSURE = 23.739  # at density 3 and this time step, tests/shared/physics.py


def deck(**changes):
    values = {"steps": 20000, "timestep": 0.02, "seed": 11, "size": "6.0, 6.0, 6.0", "more": "", "a": 25.0,
              "gamma": 4.5, "every": 5, "precision": "mixed"}
    return FLUID.format(**{**values, **changes})


def barostat(coupling="isotropic", pressure=PRESSURE, every=5):
    return BAROSTAT.format(coupling=coupling, pressure=pressure, every=every)


def block_variance(values, blocks=16):
    """Variance about the mean of all, and its standard error from blocks."""
    squares = [((part - values.mean()) ** 2).mean() for part in np.array_split(values, blocks)]
    return np.mean(squares), np.std(squares, ddof=1) / np.sqrt(blocks)


class ConstantPressure(PhysicsTest):
    def compressibility(self):
        """-(dV/dP)/V from two densities beside 3."""
        pressures = []
        for density in (2.85, 3.15):
            edge = (COUNT / density) ** (1 / 3)
            rows = self.thermo(f"rho{density}", deck(size=f"{edge}, {edge}, {edge}", steps=6000), 1000)
            pressures.append(block_average(rows["pressure"]))
        (low, low_error), (high, high_error) = pressures
        return 0.1 / (high - low), 0.1 * np.hypot(low_error, high_error) / (high - low) ** 2

    def test_volume(self):
        """Its mean and, without any fit, its variance V k_BT beta."""
        rows = self.thermo("npt", deck(more=barostat()), 1000)
        volume, error = block_average(rows["volume"])
        self.assertLess(error, 0.0015 * VOLUME, "the run is too short to mean anything")
        self.assert_within(volume, error, VOLUME, 3, 0.0004 * VOLUME)
        pressure, error = block_average(rows["pressure"])
        self.assert_within(pressure, error, PRESSURE, 3, 0.0005 * PRESSURE)
        expected, its_error = self.compressibility()
        variance, error = block_variance(rows["volume"])
        found, error = variance / VOLUME, error / VOLUME
        self.assertLess(error, 0.12 * expected, "the run is too short to mean anything")
        self.assertLess(abs(found - expected), 3.0 * np.hypot(error, its_error) + 0.04 * expected,
                        f"{found} +- {error} against {expected} +- {its_error}")
        for one, other in ("xy", "yz"):
            np.testing.assert_allclose(rows[f"box_{one}"], rows[f"box_{other}"], rtol=1e-9)

    def test_lammps(self):
        """The mean volumes that LAMMPS has at two pressures, the pressures that were asked for."""
        self.assertEqual(LAMMPS["count"], COUNT)
        for at in LAMMPS["at"]:
            pressure, volume, its_error = at["pressure"], at["volume"]["mean"], at["volume"]["error"]
            edge = round(volume**(1 / 3), 1)
            text = deck(more=barostat(pressure=pressure).replace("period = 1.0", "period = 0.5"), steps=9000,
                        size=f"{edge}, {edge}, {edge}", timestep=LAMMPS["timestep"])
            rows = self.thermo(f"lammps{pressure}", text, 1000)
            mean, error = block_average(rows["volume"])
            self.assertLess(error, 0.0015 * volume, "the run is too short to mean anything")
            self.assert_within(mean, np.hypot(error, its_error), volume, 3, 0.0005 * volume)
            mean, error = block_average(rows["pressure"])
            self.assert_within(mean, error, pressure, 3, 0.0005 * pressure)

    def test_coupling(self):
        """z alone; a fluid's volume with edges that wander; from another density to 3."""
        along = self.thermo("z", deck(more=barostat("z"), size="6.0, 5.7, 6.0", steps=6000), 2000)
        np.testing.assert_array_equal(along["box_x"], 6.0)
        np.testing.assert_array_equal(along["box_y"], 5.7)
        edge, error = block_average(along["box_z"])
        self.assert_within(edge, error, VOLUME / (6.0 * 5.7), 3, 0.003)
        semi = self.thermo("semi", deck(more=barostat("semi-isotropic"), size="6.0, 5.7, 6.0", steps=6000), 2000)
        np.testing.assert_allclose(semi["box_x"] / semi["box_y"], 6.0 / 5.7, rtol=1e-9)
        self.assertGreater(np.std(semi["box_z"] / semi["box_x"]), 1e-3)
        volume, error = block_average(semi["volume"])
        self.assert_within(volume, error, VOLUME, 3, 0.0004 * VOLUME)

    def test_each_axis(self):
        """The mean pressure along each edge of a fluid whose edges go by themselves."""
        rows = self.thermo("each", deck(more=barostat("anisotropic"), steps=6000), 1000)
        for one, other in ("xy", "yz"):
            self.assertGreater(np.std(rows[f"box_{one}"] / rows[f"box_{other}"]), 1e-3)
        for axis in "xyz":
            pressure, error = block_average(rows[f"pressure_{axis}{axis}"])
            self.assertLess(error, 0.004 * PRESSURE, "the run is too short to mean anything")
            self.assert_within(pressure, error, PRESSURE, 3)

    def test_surface_tension(self):
        """Of a net of bonds through the whole box, all of them drawn out, which a tension stretches until it answers
        with the same: a fluid would flow. P_xx, P_yy are pressure - tension / L_z, and so the table's surface tension
        is what was asked for."""
        edges, pressure = (7, 7, 5), -8.0
        at = np.stack(np.meshgrid(*map(np.arange, edges), indexing="ij"), axis=-1).reshape(-1, 3)
        number = 1 + np.arange(len(at)).reshape(edges)
        bonds = [pair for axis in range(3) for pair in zip(number.ravel(), np.roll(number, -1, axis).ravel())]
        lines = ["net", "", f"{len(at)} atoms", "1 atom types", f"{len(bonds)} bonds", "1 bond types", ""]
        lines += [f"0 {edge} {axis}lo {axis}hi" for axis, edge in zip("xyz", edges)] + ["", "Atoms # molecular", ""]
        lines += [f"{n + 1} 1 1 {x} {y} {z}" for n, (x, y, z) in enumerate(at + 0.5)] + ["", "Bonds", ""]
        lines += [f"{n + 1} 1 {a} {b}" for n, (a, b) in enumerate(bonds)]
        (self.home / "net.data").write_text("\n".join(lines) + "\n", encoding="utf-8")
        for tension in (6.0, -4.0):
            more = f"[barostat]\npressure = {pressure}\nsurface_tension = {tension}\ncompressibility = 0.03\n" \
                   'period = 0.5\nevery = 2\ncoupling = "semi-isotropic"\n'
            text = deck(more=more, steps=10000, every=2, timestep=0.01, gamma=2.0, size="7.0, 7.0, 5.0")
            text = text.replace('species = "W"\ncount = 648\ninitial = "lattice"', (
                f'kind = "fluid"\ninitial = "file"\nfile = "{self.home}/net.data"\ntypes = ["W"]')).replace(
                    '"time", "pressure",', '"time", "surface_tension", "pressure",')
            text = text.replace("seed = 11\n", "seed = 11\ntemperature = 0.1\n")
            text += '[[bond]]\npopulation = "water"\nk = 100.0\nr0 = 0.9\n'
            rows = self.thermo(f"net{tension}", text, 1000)
            within = pressure - tension * (1.0 / rows["box_z"]).mean()
            for column, expected, wide in (("surface_tension", tension, 0.3), ("pressure_zz", pressure, 0.06),
                                           ("pressure_xx", within, 0.06), ("pressure_yy", within, 0.06)):
                found, error = block_average(rows[column])
                self.assertLess(error, wide, "the run is too short to mean anything")
                self.assert_within(found, error, expected, 3)


class Deformation(PhysicsTest):
    def test_free_particles(self):
        """v_a L_a stays, so P_aa V L_a^2 does, whichever way the edges go."""
        rows = self.thermo("gas", deck(more="[deformation]\nsize = [7.5, 4.5, 0.0]\nfrom = 10\nto = 130\n", a=0.0,
                                       gamma=0.0, steps=200, precision="double"), 0)
        self.assertEqual([rows[f"box_{axis}"][-1] for axis in "xyz"], [7.5, 4.5, 6.0])
        for axis in "xyz":
            kept = rows[f"pressure_{axis}{axis}"] * rows["volume"] * rows[f"box_{axis}"] ** 2
            np.testing.assert_allclose(kept, kept[0], rtol=1e-6)
        middle = int(np.searchsorted(rows["step"], 70))
        self.assertAlmostEqual(rows["box_x"][middle], 6.75, delta=1e-9)

    def test_work(self):
        """dE = - sum of P_aa V d ln L_a of a conservative fluid, and nothing else changes its energy."""
        run = self.home / "work"
        more = "[deformation]\nrate = [-0.02, 0.01, -0.015]\nevery = 1\nfrom = 100\nto = 900\n"
        text = deck(more=more, gamma=0.0, timestep=0.005, steps=1000, every=1, precision="double")
        self.run_well(self.deck(text), "--output", run, "--quiet")
        rows = read_table(run / "thermo.csv")
        work = np.zeros(len(rows["step"]))
        for axis in "xyz":
            pressure = rows[f"pressure_{axis}{axis}"] * rows["volume"]
            work[1:] -= np.cumsum(0.5 * (pressure[1:] + pressure[:-1]) * np.diff(np.log(rows[f"box_{axis}"])))
        gained = rows["total_energy"] - rows["total_energy"][0]
        self.assertGreater(abs(work[-1]), 200.0)
        self.assertLess(np.abs(gained - work).max(), 0.004 * abs(work[-1]))
        self.assertLess(np.abs(np.diff(gained[rows["step"] >= 900])).max(), 1.0)


if __name__ == "__main__":
    unittest.main()
