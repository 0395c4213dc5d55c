"""Measures of systems whose values are known: an ideal gas, a lattice, free particles with friction, ideal chains, and
the viscosity of a DPD fluid by Green and Kubo. Fixed seeds; within four to five of the measures' own errors."""
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent / "shared")]
from measures import read_table  # noqa: E402
from program import ProgramTest, fluid  # noqa: E402

GAS = """
[run]
steps = {steps}
timestep = {timestep}
seed = 11
precision = "{precision}"
[box]
size = {size}
{box}
[[population]]
name = "gas"
species = "G"
{population}
[[interaction]]
between = "*"
style = "dpd"
a = 0.0
gamma = 0.0
{more}
"""


def gas(**changes):
    return GAS.format(**{"steps": 400, "timestep": 0.05, "precision": "double", "size": [8.0, 7.0, 6.0], "box": "",
                         "population": "count = 1000", "more": "", **changes})


class Known(ProgramTest):
    def setUp(self):
        super().setUp()
        self.out = self.home / "out"

    def run_deck(self, deck):
        self.run_well(self.deck(deck), "--output", self.out)

    def table(self, name):
        return read_table(self.out / f"{name}.csv")

    def within(self, table, column, expected, rows=slice(None), most=4.5):
        """Deviations in standard errors: as large as those of as many normal numbers."""
        away = (table[column][rows] - expected) / table[column + "_error"][rows]
        self.assertTrue(np.isfinite(away).all(), f"{column}: {away}")
        self.assertLess(np.abs(away).max(), most, f"{column}: {table[column][rows]}, {away}")
        if away.size >= 8:
            self.assertGreater(np.sqrt((away**2).mean()), 0.4, f"{column}: errors too large")
            self.assertLess(np.sqrt((away**2).mean()), 1.8, f"{column}: errors too small")


class IdealGas(Known):
    MEASURES = """
[[measure]]
style = "rdf"
r_max = 3.0
bins = 12
every = 20
"""

    def test_has_no_structure_and_flies_straight(self):
        """Of a ballistic gas msd = 3 T t^2 and the velocities' correlation 3 T, T what it is."""
        more = self.MEASURES + """
[[measure]]
style = "structure-factor"
n_max = 4
every = 20
[[measure]]
style = "msd"
keep_drift = true
every = 5
levels = 2
[[measure]]
style = "vacf"
every = 5
levels = 2
[[output]]
format = "table"
every = 400
columns = ["kinetic_energy"]
"""
        self.run_deck(gas(more=more))
        rdf = self.table("rdf")
        self.within(rdf, "g", 1.0, slice(1, None))
        self.within(self.table("structure-factor"), "s", 1.0, most=5.0)
        squared = 2 * self.table("thermo")["kinetic_energy"][0] / 1000
        msd, vacf = self.table("msd"), self.table("vacf")
        np.testing.assert_allclose(msd["msd"][1:], squared * msd["time"][1:]**2, rtol=1e-9)
        np.testing.assert_allclose(vacf["vacf"], squared / 3, rtol=1e-12)
        np.testing.assert_allclose(vacf["diffusion"][1:], squared / 3 * vacf["time"][1:], rtol=1e-12)

    def test_between_six_walls(self):
        """Shells that leave the box are counted for what is in it."""
        walls = "".join(f'[[boundary]]\nface = "{axis}"\nstyle = "bounce-forward"\n' for axis in "xyz")
        box = "periodic = [false, false, false]\n" + walls
        self.run_deck(gas(size=[4.0, 5.0, 3.0], box=box, population="count = 400", steps=800,
                          more=self.MEASURES.replace("20", "40")))
        self.within(self.table("rdf"), "g", 1.0, slice(1, None))


class Lattice(Known):
    def test_shells_are_where_they_are(self):
        """Simple cubic, spacing 1: 6, 12, 8, 6, 24 neighbours at 1, sqrt 2, sqrt 3, 2, sqrt 5; S at a reciprocal vector
        is N."""
        more = """
[[measure]]
style = "rdf"
r_max = 2.4
bins = 24
every = 1
[[measure]]
style = "structure-factor"
n_max = 6
every = 1
[[measure]]
style = "clusters"
cutoff = 1.05
every = 1
"""
        self.run_deck(gas(size=[6.0, 6.0, 6.0], steps=4, timestep=1e-6, more=more,
                          population='count = 216\ninitial = "lattice"\ntemperature = 0.0'))
        rdf = self.table("rdf")
        neighbours = np.diff(np.append(0.0, rdf["coordination"]))
        # a distance on an edge may be in either bin: 1, 2
        found = {1.0: neighbours[9:11].sum(), 2.0**0.5: neighbours[14], 3.0**0.5: neighbours[17],
                 2.0: neighbours[19:21].sum(), 5.0**0.5: neighbours[22]}
        np.testing.assert_allclose(list(found.values()), [6, 12, 8, 6, 24], rtol=1e-12)
        self.assertAlmostEqual(neighbours.sum(), 56, places=9)
        waves = self.table("structure-factor")
        for axis in "xyz":
            np.testing.assert_allclose(waves["s_" + axis], [0, 0, 0, 0, 0, 216], atol=1e-6)
        clusters = self.table("clusters_means")
        self.assertEqual((clusters["clusters"][0], clusters["largest"][0]), (1, 216))


class Friction(Known):
    def test_free_particles(self):
        """v decays as exp(-gamma t): vacf = T exp(-gamma t), msd = 6 T / gamma (t - (1 - exp(-gamma t)) / gamma)."""
        more = """
[[thermostat]]
population = "gas"
friction = 2.0
[[measure]]
style = "vacf"
every = 5
levels = 2
[[measure]]
style = "msd"
keep_drift = true
every = 5
levels = 3
from = 3.0
to = 10.0
"""
        self.run_deck(gas(steps=8000, timestep=0.02, population="count = 300", precision="mixed", more=more))
        vacf, msd = self.table("vacf"), self.table("msd")
        t = vacf["time"]
        self.within(vacf, "vacf", np.exp(-2.0 * t), most=5.0)
        self.within(msd, "msd", 3.0 * (msd["time"] - 0.5 * (1 - np.exp(-2.0 * msd["time"])))[1:29], slice(1, 29), 5.0)
        self.within(self.table("msd_means"), "diffusion", 0.5)
        self.within(self.table("vacf_means"), "diffusion", 0.5)
        self.assertLess(self.table("msd_means")["diffusion_error"][0], 0.02)


class IdealChains(Known):
    def test_sizes(self):
        """Springs without rest length, k = 6: each bond is a Gaussian vector of mean square 3 T / k, so of N beads
        Re^2 = (N - 1) 3 T / k, Rg^2 = (N^2 - 1) / (6 N) 3 T / k, and |Re| is that of a Gaussian vector."""
        deck = """
[run]
steps = 30000
timestep = 0.05
seed = 4
[box]
size = [12.0, 12.0, 12.0]
[[population]]
name = "chains"
kind = "polymer"
blocks = "AAAAAA"
count = 50
bond_length = 0.7
[[interaction]]
between = "*"
style = "dpd"
a = 0.0
gamma = 0.0
[[bond]]
population = "chains"
style = "harmonic"
k = 6.0
r0 = 0.0
[[thermostat]]
population = "chains"
friction = 1.0
[[measure]]
style = "chains"
r_max = 5.0
bins = 20
start = 2000
every = 50
[[measure]]
style = "msd"
molecules = true
keep_drift = true
every = 100
levels = 3
from = 10.0
to = 40.0
"""
        self.run_deck(deck)
        means, table = self.table("chains_means"), self.table("chains")
        # a step of 0.05 with k = 6 widens springs by k dt^2 / 4 m of BAOAB's half kicks, times at most 4: 1.5%
        np.testing.assert_allclose(means["re2"][0], 2.5, atol=4 * means["re2_error"][0] + 0.02)
        np.testing.assert_allclose(means["rg2"][0], 35 / 36 * 0.5, atol=4 * means["rg2_error"][0] + 0.008)
        variance = means["re2"][0] / 3
        r = np.linspace(0.0, 5.0, 20 * 100 + 1)
        density = np.sqrt(2 / np.pi) * r**2 / variance**1.5 * np.exp(-r**2 / (2 * variance))
        expected = (0.5 * (density[1:] + density[:-1])).reshape(20, 100).mean(axis=1)
        rows = expected > 0.01
        away = (table["probability_re"] - expected)[rows] / table["probability_re_error"][rows]
        self.assertLess(np.abs(away).max(), 5.0, away)
        self.within(self.table("msd_means"), "diffusion", 1.0 / 6.0)  # T / (N gamma)


class GreenKubo(Known):
    def test_viscosity_of_the_dpd_fluid(self):
        """0.849 +- 0.006 by Lees-Edwards shear (docs/validation.md, with LAMMPS's)."""
        measure = '[[measure]]\nstyle = "viscosity"\nstart = 500\nlevels = 6\nto = 3.0\n'
        self.run_deck(fluid(steps=20000, timestep=0.01, size=[4.0, 4.0, 4.0], interaction=measure))
        means = self.table("viscosity_means")
        self.within(means, "viscosity", 0.849, most=4.0)
        self.assertLess(means["viscosity_error"][0], 0.12)


if __name__ == "__main__":
    unittest.main()
