"""What a review found silently wrong beside walls and cells: a wall that nothing passes where one block names all
species, what a solvent of two masses gives to its walls, concentrations of a wall that a resumed run changes, energies
of cells whose moduli change with the step."""
import csv
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from program import ProgramTest, mesowarp  # noqa: E402

SOLUTE = """
[run]
steps = 40
timestep = 0.01
[box]
size = [4.0, 4.0, 6.0]
[transport]
solutes = ["u"]
[[shape]]
name = "gap"
style = "slab"
from = 1.5
to = 4.5
[[wall]]
name = "w"
solid = "not gap"
friction = 0.0
[[population]]
name = "a"
species = "A"
density = 4.0
concentration = 1.0
[[wall_concentration]]
wall = "w"
solute = "u"
{}
[[interaction]]
between = {}
style = "tdpd"
a = 18.75
gamma = 4.5
kappa = 5.0
[[output]]
format = "table"
every = 20
columns = ["time", "solutes"]
"""
MIXTURE = """
[run]
steps = 20
timestep = 0.1
precision = "double"
[box]
size = [4.0, 4.0, 7.0]
[[shape]]
name = "gap"
style = "slab"
from = 1.5
to = 5.5
[[wall]]
name = "w"
solid = "not gap"
style = "bounce-forward"
[[population]]
name = "light"
kind = "mpcd"
density = 6.0
[[population]]
name = "heavy"
kind = "mpcd"
density = 2.0
mass = 5.0
[collision]
thermostat = "maxwell-boltzmann"
[[output]]
format = "table"
every = 1
columns = ["momentum_z", "wall1_force_z"]
"""
CELL = """
[run]
steps = 20
timestep = 0.001
[box]
size = [12.0, 12.0, 12.0]
[[population]]
name = "cell"
kind = "membrane"
species = "M"
mesh = "sphere"
vertices = 42
diameter = 3.0
centers = [6.0, 6.0, 6.0]
[[membrane]]
population = "cell"
shear_modulus = 10.0
bending_modulus = 1.0
table_every = 10
[[interaction]]
between = "*"
a = 0.0
gamma = 0.0
cutoff = 0.5
"""
DOUBLED = """[[schedule]]
key = "membrane.0.shear_modulus"
style = "jumps"
steps = [0, 20]
values = [10.0, 20.0]
[[schedule]]
key = "membrane.0.bending_modulus"
style = "jumps"
steps = [0, 20]
values = [1.0, 2.0]
"""
ENERGIES = ("spring_energy", "bending_energy", "area_energy", "volume_energy")


def rows(path):
    with open(path, encoding="utf-8") as table:
        return list(csv.DictReader(table))


class WhatWallsGet(ProgramTest):
    def result(self, text, name):
        out = self.home / name
        self.run_well(self.deck(text, f"{name}.toml"), "--output", out, "--quiet")
        return out

    def test_nothing_passes_a_closed_wall_whatever_names_its_species(self):
        for k, between in enumerate(('"*"', '["A", "*"]', '["A", "A"]')):
            table = rows(self.result(SOLUTE.format('style = "no-flux"', between), f"closed{k}") / "thermo.csv")
            first, last = float(table[0]["total_u"]), float(table[-1]["total_u"])
            self.assertGreater(first, 100.0)
            self.assertAlmostEqual(last / first, 1.0, delta=1e-4, msg=between)

    def test_concentrations_of_frozen_particles_are_those_of_the_start(self):
        out = self.home / "out"
        fixed = SOLUTE.format("value = {}", '"*"')
        checkpoints = '[[output]]\nformat = "checkpoint"\nevery = 20\n'
        self.run_well(self.deck(fixed.format(1.0) + checkpoints), "--output", out, "--quiet")
        for value, code in ((5.0, 2), (1.0, 0)):
            other = self.deck(fixed.format(value) + checkpoints, "other.toml")
            done = mesowarp("run", other, "--output", out, "--quiet", "--resume", out / "checkpoint-20.h5")
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
            self.assertEqual("another concentration of a wall's particles" in done.stderr, code == 2)

    def test_momentum_of_a_mixture_goes_to_its_walls(self):
        table = rows(self.result(MIXTURE, "mixture") / "thermo.csv")
        largest = 0.0
        for before, now in zip(table[1:], table[2:]):
            lost = (float(before["momentum_z"]) - float(now["momentum_z"])) / 0.1
            largest = max(largest, abs(lost))
            self.assertAlmostEqual(lost, float(now["wall1_force_z"]), delta=1e-6 * max(1.0, abs(lost)))
        self.assertGreater(largest, 10.0)

    def test_energies_of_cells_follow_their_moduli(self):
        """A modulus that changes at step 20 has moved nothing by then: the same places, twice the energy."""
        of = {}
        for name, text in (("plain", CELL), ("doubled", CELL + DOUBLED)):
            of[name] = [row for row in rows(self.result(text, name) / "cells.csv")]
        self.assertEqual([row["step"] for row in of["plain"]], ["0", "10", "20"])
        for k, factor in ((1, 1.0), (2, 2.0)):
            plain, doubled = ([float(row[e]) for e in ENERGIES[:2]] for row in (of["plain"][k], of["doubled"][k]))
            self.assertGreater(plain[1], 0.1)
            for one, other in zip(plain, doubled):
                self.assertAlmostEqual(other, factor * one, delta=1e-5 * max(1.0, abs(one)))

    def test_walls_that_do_what_they_say_only_with_more(self):
        """Particles of a wall rub, whatever becomes of velocities; rotations need angular momentum."""
        fluid = SOLUTE.format('style = "no-flux"', '"*"')
        slip = fluid.replace("friction = 0.0", 'style = "bounce-forward"')
        turns = MIXTURE.replace('style = "slab"\nfrom = 1.5\nto = 5.5',
                                'style = "cylinder"\naxis = "z"\ncenter = [2.0, 2.0, 0.0]\nradius = 1.8')
        turns = turns.replace('style = "bounce-forward"', "spin = [0.0, 0.0, 0.1]\nabout = [2.0, 2.0, 0.0]")
        kept = turns.replace("[collision]", "[collision]\nconserve_angular_momentum = true")
        for text, words, said in ((slip, "slips little", True), (fluid, "slips little", False),
                                  (turns, "turn otherwise than its wall", True),
                                  (kept, "turn otherwise than its wall", False)):
            done = mesowarp("check", self.deck(text))
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertEqual(words in done.stdout + done.stderr, said, text)


if __name__ == "__main__":
    unittest.main()
