"""Pairs in a box that is stretched, where velocities are those relative to the flow of the box: what they drag against
that flow, of DPD's friction in numpy to the last digits, of the thermostat of pairs by the viscosity; and the stress of
the standard fluid in a box that LAMMPS stretches in the same way."""
import json
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from observables import read_table  # noqa: E402
from physics import PhysicsTest  # noqa: E402
from program import PROGRAM, SOURCE, fluid, mesowarp, script  # noqa: E402

EDGES, TIMESTEP = np.array([5.0, 4.0, 6.0]), 0.01
# Each pair of species has its own friction, cutoff and exponent; A and B have it from a thermostat without repulsion.
FRICTIONS = {"AA": (4.5, 1.0, 1.0), "BB": (20.0, 1.2, 0.5), "AB": (9.0, 1.1, 2.0)}
DECK = """
[run]
steps = 1
timestep = 0.01
seed = 5
precision = "double"
[box]
size = [5.0, 4.0, 6.0]
{change}
[[population]]
name = "a"
species = "A"
count = 200
[[population]]
name = "b"
species = "B"
count = 160
[[interaction]]
between = ["A", "A"]
a = 25.0
gamma = 4.5
[[interaction]]
between = ["B", "B"]
a = 15.0
gamma = 20.0
cutoff = 1.2
exponent = 0.5
[[interaction]]
between = ["A", "B"]
style = "dpd-thermostat"
gamma = 9.0
cutoff = 1.1
exponent = 2.0
[[output]]
format = "table"
every = 1
columns = ["pressure_xx", "pressure_yy", "pressure_zz", "pressure_xy", "pressure_xz", "pressure_yz"]
[[output]]
format = "trajectory"
every = 1
fields = ["position", "force", "species"]
precision = "double"
"""
LAMMPS = json.loads((SOURCE / "tests/compare/lammps_stretch.json").read_text(encoding="utf-8"))
RATE = "[deformation]\nrate = [0.3, -0.2, 0.1]\nevery = 5\n"
TABLE = '[[schedule]]\nkey = "box.size.y"\nsteps = [0, 40]\nvalues = [4.0, 4.8]\n'


class FrictionOfDpd(PhysicsTest):
    def step_zero(self, name, change):
        """Positions, species, forces, pressure."""
        output = self.home / name
        self.run_well(self.deck(DECK.format(change=change), name + ".toml"), "--output", output, "--quiet")
        rows = read_table(output / "thermo.csv", -1)
        with h5py.File(output / "trajectory.h5") as file:
            group = file["particles/all"]
            species = group["species/value"][0] if "value" in group["species"] else group["species"][()]
            found = [group["position/value"][0], species, group["force/value"][0]]
        return *found, np.array([rows[f"pressure_{ab}"][0] for ab in ("xx", "yy", "zz", "xy", "xz", "yz")])

    def drags(self, place, species, rate):
        """Forces and pressure of F = -gamma w^2 (e . Gamma r) e, over all pairs."""
        r = place[:, None] - place[None]
        r -= EDGES * np.rint(r / EDGES)
        distance = np.sqrt((r**2).sum(axis=-1))
        np.fill_diagonal(distance, 1e9)
        kinds = np.unique(species)
        letter = np.where(species == kinds[0], "A", "B")
        force = np.zeros_like(r)
        for pair, (gamma, cutoff, exponent) in FRICTIONS.items():
            of = (letter[:, None] == pair[0]) & (letter[None] == pair[1])
            of |= (letter[:, None] == pair[1]) & (letter[None] == pair[0])
            w = np.maximum(1.0 - distance / cutoff, 0.0) ** (2.0 * exponent)
            along = (r * np.asarray(rate) * r).sum(axis=-1) / distance**2
            force += np.where(of, -gamma * w * along, 0.0)[..., None] * r
        virial = 0.5 * np.einsum("ija,ijb->ab", r, force) / EDGES.prod()
        return force.sum(axis=1), virial[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]

    def check(self, change, rate):
        place, species, force, pressure = self.step_zero("stretched", change)
        still = self.step_zero("still", "")
        np.testing.assert_array_equal(place, still[0])
        drag, share = self.drags(place, species, rate)
        self.assertGreater(np.abs(drag).max(), 0.3)
        np.testing.assert_allclose(force - still[2], drag, rtol=0, atol=1e-11)
        np.testing.assert_allclose(pressure - still[3], share, rtol=0, atol=1e-11)

    def test_forces_at_a_rate(self):
        """The rate is that of the next change, spread over the steps up to it."""
        self.check(RATE, np.log(1.0 + 5.0 * TIMESTEP * np.array([0.3, -0.2, 0.1])) / (5.0 * TIMESTEP))

    def test_forces_where_a_table_says_the_edges(self):
        """Changes are ten steps apart unless the deck says otherwise."""
        self.check(TABLE, [0.0, np.log(4.2 / 4.0) / (10.0 * TIMESTEP), 0.0])

    def test_wide_sums_are_refused(self):
        """They have no such force."""
        deck = DECK.format(change=RATE).replace('"double"', '"single"', 1) + '[sums]\naccumulator = "nitadori"\n'
        done = mesowarp("check", self.deck(deck))
        self.assertEqual(done.returncode, 2)
        self.assertIn("under [deformation] DPD's friction is for the usual accumulators", done.stdout + done.stderr)


class Viscosities(PhysicsTest):
    """One fluid stretched there and back and driven, by the functions of scripts/viscosities."""

    def setUp(self):
        super().setUp()
        self.script = script("viscosities")

    def test_thermostat_of_pairs(self):
        """A good part of this fluid's viscosity is what pairs exchange in collisions against the flow, pi rho^2 Gamma
        r_T^5 m / 75 = 0.38 (Lowe 1999). Poiseuille flow in halves as wide as these has 4% less than wide ones."""
        thermostat = {"style": "lowe-andersen", "population": "water", "rate": 1.0}

        def run(name, deck):
            of = {"between": "*", "a": 25.0, "gamma": 0.0}
            return self.script.mesowarp.run({**deck, "interaction": [of], "thermostat": [thermostat]}, {"run.seed": 3},
                                            self.home / name, program=PROGRAM, threads=1)
        stretched, warm = self.script.stretched(run, 16000)
        driven, _ = self.script.halves(run, 16000, 5.0, 0.05)
        error = np.hypot(stretched.error, driven.error)
        self.assertLess(error, 0.08 * driven.mean, "the runs are too short to mean anything")
        self.assert_within(stretched.mean, error, 1.04 * driven.mean, 3.5, 0.01)
        self.assert_within(warm.mean, warm.error, 1.0, 4, 0.01)

    def test_the_standard_fluid_in_lammps(self):
        """P_xx - P_yy, pressure and temperature from the first step on of a box whose edges change linearly in time, in
        windows; of fix deform … remap v there."""
        start, block, windows = 500, LAMMPS["block"], LAMMPS["steps"] // LAMMPS["block"]
        more = f"[deformation]\nrate = {LAMMPS['rates'] + [0.0]}\nevery = 1\nfrom = {start}\n" \
               f"to = {start + LAMMPS['steps']}\n"
        columns = ["temperature", "pressure_xx", "pressure_yy"]
        away = []
        for seed in range(1, 6):
            text = fluid(steps=start + LAMMPS["steps"], timestep=LAMMPS["timestep"], size=LAMMPS["box"], seed=seed,
                         population='initial = "lattice"')
            rows = self.thermo("lammps", text.replace("[[population]]", more + "[[population]]", 1).replace(
                "every = 10", f"every = 1\ncolumns = {json.dumps(columns)}"), start + 1)
            x, y = rows["pressure_xx"], rows["pressure_yy"]
            of = {"difference": x - y, "pressure": 0.5 * (x + y), "temperature": rows["temperature"]}
            away.append([of[name].reshape(windows, block).mean(axis=1) - LAMMPS[name]["mean"] for name in of])
        for name, found, wide in zip(of, np.moveaxis(away, 1, 0), (0.025, 0.025, 0.003)):
            mean, error = found.mean(), found.std(ddof=1) / np.sqrt(found.size)
            its_error = np.linalg.norm(LAMMPS[name]["error"]) / windows
            self.assertLess(np.hypot(error, its_error), wide, name)
            self.assert_within(mean, error, 0.0, 3.5, its_error)


if __name__ == "__main__":
    unittest.main()
