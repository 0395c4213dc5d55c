"""Species with properties of their own, forces that add up, schedules and relaxations, as a user meets them.

Masses and degrees of freedom, momentum, what is frozen; the same bits on ranks and threads, and after a resume; what
`check` says of forces that add up, and of decks that make no sense.
"""
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path[:0] = [str(Path(__file__).resolve().parent.parent / "shared")]
from observables import block_estimate, read_table  # noqa: E402
from observed import read_frames  # noqa: E402
from program import ProgramTest, mesowarp, summary  # noqa: E402

HEAD = """
[run]
steps = {steps}
timestep = 0.005
temperature = 1.3
seed = 11
{run}
[box]
size = [9.0, 6.5, 6.0]
"""
# Chains of beads of two masses in a solvent; Lennard-Jones with the DPD thermostat, a table and a soft force.
MIXTURE = HEAD + """
[relaxation]
steps = 500
[[species]]
name = "H"
mass = 4.0
[[species]]
name = "S"
mass = 0.5
[[population]]
name = "chains"
kind = "polymer"
blocks = "HTTH"
count = 26
bond_length = 0.9
[[population]]
name = "solvent"
species = "S"
count = 90
[[interaction]]
between = "*"
style = "wca"
[[interaction]]
between = "*"
style = "dpd-thermostat"
gamma = 2.0
cutoff = 1.5
exponent = 0.5
[[interaction]]
between = ["H", "H"]
style = "soft"
amplitude = 1.0
cutoff = 1.4
[[interaction]]
between = ["S", "T"]
style = "table"
file = "pair.table"
[[bond]]
population = "chains"
style = "fene"
k = 30.0
r_max = 1.5
[[schedule]]
key = "interaction.2.amplitude"
name = "push"
steps = [10, 60]
values = [0.0, 20.0]
[[schedule]]
key = "run.temperature"
style = "jumps"
steps = [0, 30]
values = [1.3, 1.1]
[[output]]
format = "table"
every = 10
columns = ["temperature", "pressure", "momentum_x", "momentum_y", "momentum_z", "scheduled"]
{more}
"""
GAS = HEAD + """
[[population]]
name = "a"
species = "A"
count = 30
[[interaction]]
between = "*"
style = "dpd"
a = 5.0
gamma = 4.0
"""
BITWISE = 'reproducibility = "bitwise"'
EXACT = '[[output]]\nformat = "trajectory"\nevery = {}\nprecision = "double"\n' \
        'fields = ["position", "image", "velocity", "force"]\n'


def table_text(count=300, sign=1.0):
    """Repulsion with a shallow well, r, energy, force."""
    rows = []
    for r in np.linspace(0.2, 1.8, count):
        u, ends = 1.8 - r, 3.0 * (1.8 - r)**3
        rows.append(f"{r:.12g} {ends * (u - 0.3):.17g} {sign * (4.0 * 3.0 * u**3 - 0.9 * 3.0 * u**2):.17g}")
    return "# r energy force\n" + "\n".join(rows) + "\n"


class Interactions(ProgramTest):
    def setUp(self):
        super().setUp()
        (self.home / "pair.table").write_text(table_text(), encoding="utf-8")

    def mixture(self, steps=100, run="", more=""):
        return self.deck(MIXTURE.format(steps=steps, run=run, more=more))

    def go(self, deck, name, *arguments, ranks=1):
        self.run_well(deck, "--output", self.home / name, "--quiet", *arguments, ranks=ranks)
        return self.home / name

    def errors(self, text):
        done = mesowarp("check", self.deck(text))
        return done.stdout + done.stderr

    def refused(self, text, *words):
        said = self.errors(text)
        for word in words:
            self.assertIn(word, said)
        self.assertIn("error", said)

    def test_masses_momentum_and_schedule(self):
        output = self.go(self.mixture(more=EXACT.format(50)), "a")
        frames = read_frames(output)
        with h5py.File(output / "trajectory.h5") as file:
            mass = file["particles/all/mass/value"][()] if "value" in file["particles/all/mass"] else frames["mass"]
        species = frames["species"]
        self.assertEqual({(int(s), float(m)) for s, m in zip(species, mass)}, {(0, 4.0), (1, 1.0), (2, 0.5)})
        velocity = frames["velocity"][0]
        kinetic = (mass[:, None] * velocity**2).sum()
        self.assertAlmostEqual(kinetic / (3 * len(mass) - 3), 1.3, places=9)
        table = read_table(output / "thermo.csv")
        self.assertAlmostEqual(table["temperature"][0], 1.3, places=9)
        for axis in "xyz":
            self.assertLess(np.abs(table[f"momentum_{axis}"]).max(), 1e-9)
        np.testing.assert_allclose(table["scheduled.push"], np.clip((table["step"] - 10) * 0.4, 0.0, 20.0), atol=1e-12)
        np.testing.assert_array_equal(table["scheduled.run-temperature"], np.where(table["step"] < 30, 1.3, 1.1))

    def test_bits_on_ranks_and_threads_and_after_a_resume(self):
        deck = self.mixture(run=BITWISE)
        first = self.go(deck, "one")
        expected = summary(first)["state_hash"]
        for ranks in (2, 4):
            self.assertEqual(summary(self.go(deck, f"ranks{ranks}", ranks=ranks))["state_hash"], expected)
        part = self.go(deck, "part", "--steps", 37)
        self.go(deck, "part", "--resume", part / "checkpoint-37.h5")
        self.assertEqual(summary(part)["state_hash"], expected)
        whole, resumed = (read_table(where / "thermo.csv") for where in (first, part))
        for name in ("step", "temperature", "pressure", "scheduled.push"):
            self.assertEqual(whole[name][-1], resumed[name][-1])
        # A schedule means something: without it the run ends elsewhere.
        other = self.go(self.deck(deck.read_text(encoding="utf-8").replace("20.0]", "19.0]")), "other")
        self.assertNotEqual(summary(other)["state_hash"], expected)

    def test_equipartition_and_what_is_frozen(self):
        """Species of several masses at one temperature, some held by a Langevin thermostat; a frozen one stays."""
        frozen = '[[species]]\nname = "T"\nfrozen = true\n'
        bath = '[[thermostat]]\nspecies = ["H", "S"]\nfriction = 2.0\n'
        text = MIXTURE.format(steps=4000, run="", more=frozen + bath + EXACT.format(20))
        text = text.replace("[1.3, 1.1]", "[1.3, 1.3]").replace("20.0]", "0.0]")
        frames = read_frames(self.go(self.deck(text), "held"))
        species, velocity, mass = frames["species"], frames["velocity"], frames["mass"]
        self.assertEqual(np.abs(velocity[:, species == 1]).max(), 0.0)
        np.testing.assert_array_equal(frames["position"][0][species == 1], frames["position"][-1][species == 1])
        for kind in (0, 2):
            mine = species == kind
            kinetic = (mass[mine, None] * velocity[20:, mine]**2).sum(axis=(1, 2)) / (3 * mine.sum())
            found = block_estimate(kinetic)
            self.assertLess(found.error, 0.03)
            self.assertLess(abs(found.mean - 1.3), 4 * found.error + 0.01, f"species {kind}: {found}")

    def test_check_says_what_adds_up(self):
        said = self.errors(MIXTURE.format(steps=10, run="", more=""))
        self.assertIn("forces that add up H-H: wca (line", said)
        for sum_ in ("+ dpd-thermostat (line", "+ soft (line", "+ table (line"):
            self.assertIn(sum_, said)
        self.assertIn("schedule | bonds | pair soft | pair table | pair lennard-jones | pair dpd (any exponent)", said)

    def test_one_style_twice(self):
        gas = GAS.format(steps=10, run="")
        again = '[[interaction]]\nbetween = "*"\nstyle = "dpd-thermostat"\ngamma = 1\n'
        self.refused(gas + again, "already, to which style \"dpd-thermostat\" in line", "in line 15")
        self.refused(gas.replace("dpd", "lj").replace("a = 5.0\ngamma = 4.0\n", "") +
                     '[[interaction]]\nbetween = "*"\nstyle = "wca"\n', "put both into one block, or leave one out")
        # A later block for one pair still replaces the one for all, of its own style alone.
        said = self.errors(gas + '[[interaction]]\nbetween = ["A", "A"]\na = 1\ngamma = 1\n')
        self.assertIn("has no effect", said)

    def test_species_that_make_no_sense(self):
        gas = GAS.format(steps=10, run="")
        self.refused(gas + '[[species]]\nname = "B"\n', 'no population has the species "B"', '"A"')
        self.refused(gas + '[[species]]\nname = "A"\n' * 2, "block already, in line")
        self.refused(gas + '[[species]]\nname = "A"\nfrozen = true\n', "nothing would move")
        self.refused(gas + '[[species]]\nname = "A"\nmass = -1\n', "mass")
        self.refused(gas.replace("count = 30", "count = 30\nmass = 2.0") + '[[species]]\nname = "A"\nmass = 3.0\n',
                     "is not that of species", "leave one of them out")
        self.refused(gas + '[[thermostat]]\nfriction = 1.0\n', "give one of these")
        self.refused(gas + '[[thermostat]]\nspecies = ["Q"]\nfriction = 1.0\n', 'has the species "Q"')
        self.refused(gas + '[[thermostat]]\nspecies = ["A"]\nfriction = 1.0\n' * 2, "another thermostat already")

    def test_stiffness_is_held_against_the_mass_of_the_species(self):
        """That of the population, which none of its beads had, counted."""
        chains = GAS.format(steps=10, run="").replace('species = "A"', 'kind = "polymer"\nblocks = "ABA"') + (
            '[[bond]]\npopulation = "{0}"\nbetween = {1}\nk = {2}\nr0 = 0.5\n'
            '[[angle]]\npopulation = "{0}"\nstyle = "cosine"\nk = {3}\n'
            '[[species]]\nname = "A"\nmass = {4}\n[[species]]\nname = "B"\nmass = {4}\n')
        name = GAS.split('name = "')[1].split('"')[0]
        for k, bending, mass, words in ((10.0, 1.0, 1e-4, "k = 10 is unstable with timestep"),
                                        (0.1, 10.0, 1e-3, "k = 10 is unstable with timestep"),
                                        (1e6, 1e4, 1e6, "")):
            text = chains.format(name, '["*", "*"]', k, bending, mass)
            if words:
                self.refused(text, words)
            else:
                done = mesowarp("check", self.deck(text))
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_schedules_and_relaxations_that_make_no_sense(self):
        gas = GAS.format(steps=10, run="")
        block = '[[schedule]]\nkey = "{}"\nsteps = {}\nvalues = {}\n'
        for key in ("interaction.7.a", "interaction.0.exponent"):
            self.refused(gas + block.format(key, [0], [1.0]), "is no number of this deck that may change")
        self.refused(gas + block.format("interaction.0.a", [0, 5], [1.0]), "give one value for each step")
        self.refused(gas + block.format("interaction.0.a", [5, 5], [1.0, 2.0]), "is not above 5")
        self.refused(gas + block.format("interaction.0.a", [0.5], [1.0]), "is not a whole number")
        self.refused(gas + block.format("interaction.0.gamma", [0], [-1.0]), "is not possible")
        self.refused(gas + block.format("run.temperature", [0], [1.0]) * 2, "has a [[schedule]] already, in line")
        self.refused(gas + "[relaxation]\ndisplacement = 0.5\n", "above a quarter of the shortest cutoff")

    def test_steps_of_a_relaxation_are_limited(self):
        """Of particles that overlap, none goes farther in a step than the deck says; velocities stay those of the
        population. Places behind n steps are told by runs whose relaxation has so many."""
        length = 0.015
        text = GAS.format(steps=1, run='precision = "double"').replace("count = 30", "count = 250").replace(
            "a = 5.0", "a = 5000.0")
        box, frames = np.array([9.0, 6.5, 6.0]), []
        for steps in range(5):
            more = f"[relaxation]\nsteps = {steps}\ndisplacement = {length}\n" if steps else ""
            out = self.home / f"relaxed{steps}"
            self.run_well(self.deck(text + more + EXACT.format(1)), "--output", out, "--quiet")
            frames.append(read_frames(out))
        moved = []
        for one, other in zip(frames, frames[1:]):
            np.testing.assert_array_equal(other["velocity"][0], frames[0]["velocity"][0])
            way = other["position"][0] - one["position"][0]
            moved.append(np.linalg.norm(way - box * np.rint(way / box), axis=1))
            self.assertLess(moved[-1].max(), length * (1.0 + 1e-6))
        self.assertGreater(np.ptp(frames[0]["velocity"][0]), 3.0)
        # Who overlaps goes as far as it may, in each step; who touches nobody stays.
        for way in moved:
            self.assertGreater((way > length * (1.0 - 1e-6)).sum(), 100)
            self.assertGreater((way == 0.0).sum(), 5)

    def test_tables_that_make_no_sense(self):
        gas = GAS.format(steps=10, run="").replace("a = 5.0\ngamma = 4.0\n", 'file = "pair.table"\n').replace(
            '"dpd"', '"table"')
        self.assertIn("no errors", self.errors(gas))
        self.refused(gas + "cutoff = 2.0\n", "beyond the last row", "line 301")
        self.refused(gas.replace("pair.table", "none.table"), "none.table does not exist")
        self.refused(gas + 'section = "LJ"\n', "has plain columns")
        (self.home / "pair.table").write_text(table_text(sign=-1.0), encoding="utf-8")
        self.refused(gas, "force is not -dU/dr", "from line")
        (self.home / "pair.table").write_text("1.0 2.0 3.0\n1.1 oh 2.0\n", encoding="utf-8")
        self.refused(gas, "pair.table:2: expected a number, the energy, found \"oh\"")


if __name__ == "__main__":
    unittest.main()
