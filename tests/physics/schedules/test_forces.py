"""[[schedule]] of what forces have beside their strength: lengths, cutoffs, angles, moduli, fluxes. A number that stays
is that of another deck, a jump is another deck from there on, and ramps are the same on any number of ranks and behind
a stop: all to the bit."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "shared"))
from observables import read_table  # noqa: E402
from program import ProgramTest, mesowarp, summary  # noqa: E402

RUN = """
[run]
steps = 60
timestep = 0.005
seed = 7
precision = "{precision}"
reproducibility = "bitwise"
temperature = {temperature}
[box]
size = {size}
"""
OUTPUT = """
[[output]]
format = "table"
every = 10
columns = ["temperature", "potential_energy", "pressure"]
[[output]]
format = "checkpoint"
every = 20
"""
GAS = '[[population]]\nname = "gas"\nspecies = "A"\ndensity = {density}\ninitial = "lattice"\n'
THERMOSTAT = '[[interaction]]\nbetween = "*"\nstyle = "dpd-thermostat"\ngamma = 2.0\ncutoff = {n1cutoff}\n'
CHAINS = """
[[population]]
name = "chains"
kind = "polymer"
blocks = "AAAAAA"
count = 20
bond_length = 0.97
apart = 0.9
[[interaction]]
between = "*"
style = "wca"
sigma = {n0sigma}
""" + THERMOSTAT + """
[[bond]]
population = "chains"
style = "fene"
k = 30.0
r_max = {r_max}
[[angle]]
population = "chains"
k = 5.0
theta0 = {theta0}
[[dihedral]]
population = "chains"
style = "harmonic"
k = {twist}
phi0 = {phi0}
"""
CELL = """
[[population]]
name = "cell"
kind = "membrane"
species = "V"
mesh = "sphere"
vertices = 162
diameter = 4.0
centers = [6.0, 4.0, 4.0]
[[membrane]]
population = "cell"
shear_modulus = {shear}
bending_modulus = {bending}
area_modulus = {area}
local_area_modulus = {local}
volume_modulus = {volume}
friction = {friction}
friction_along = {along}
reduced_volume = {reduced}
[[stretch]]
population = "cell"
force = {force}
axis = "x"
[[interaction]]
between = "*"
a = 2.0
gamma = 4.5
"""
TRANSPORT = """
[transport]
solutes = ["salt", "sugar"]
[[population]]
name = "water"
species = "W"
density = 3.0
initial = "lattice"
[[concentration]]
solute = "salt"
value = 1.0
wave_amplitude = 0.5
wave_axis = "x"
[[concentration]]
solute = "sugar"
value = 0.5
wave_amplitude = 0.3
wave_axis = "y"
[[interaction]]
between = "*"
style = "tdpd"
a = 18.75
gamma = 4.5
cutoff = 1.0
kappa = [{salt}, {sugar}]
"""
WALL = """
[[shape]]
name = "slab"
style = "slab"
axis = "z"
from = 0.0
to = 2.0
[[wall]]
name = "plate"
solid = "slab"
method = "effective"
friction = 8.0
"""
# Thermostats and what pulls at groups, of free particles and of those that repel each other.
MEDIUM = """
[[thermostat]]
population = "gas"
temperature = {warmth}
friction = {medium}
[[group]]
name = "some"
particles = "10:29"
[[group]]
name = "others"
particles = "30:69"
[[pull]]
group = "some"
style = "couple"
other = "others"
k = {k}
r0 = {rest}
[[pull]]
group = "others"
style = "acceleration"
acceleration = [0.0, {y}, 0.0]
"""
COLLISIONS = """
[[thermostat]]
population = "gas"
style = "lowe-andersen"
cutoff = 1.1
temperature = {warmth}
rate = {rate}
[[inflow]]
from = 1.0
to = 5.0
velocity = 0.4
rate = 4.0
temperature = {inflow}
"""
PRESSED = """
[barostat]
pressure = {pressure}
surface_tension = {tension}
coupling = "semi-isotropic"
compressibility = 0.1
period = 0.3
every = 3
"""
# The deck, its box, and of each number: its key, what the deck says, and what it becomes. Ranges of fixed-point sums,
# which follow from the largest cutoff, are powers of two and the same before and behind.
KINDS = {
    "lj": (GAS + '[[interaction]]\nbetween = "*"\nstyle = "lj"\nepsilon = {epsilon}\nsigma = {n0sigma}\n'
           'cutoff = {n0cutoff}\n' + THERMOSTAT + MEDIUM, (18.0, 6.5, 6.5), {"density": 0.5},
           {"n0sigma": ("interaction.0.sigma", 0.95, 1.0), "n0cutoff": ("interaction.0.cutoff", 2.2, 2.5),
            "epsilon": ("interaction.0.epsilon", 1.0, 1.2), "n1cutoff": ("interaction.1.cutoff", 1.2, 1.5),
            "warmth": ("thermostat.0.temperature", 1.1, 1.6), "medium": ("thermostat.0.friction", 1.0, 2.5),
            "k": ("pull.0.k", 5.0, 8.0), "rest": ("pull.0.r0", 0.5, 1.5), "y": ("pull.1.acceleration.y", 0.2, -0.4)}),
    "wca": (GAS + '[[interaction]]\nbetween = "*"\nstyle = "wca"\nsigma = {n0sigma}\n' + THERMOSTAT + COLLISIONS,
            (12.0, 6.0, 6.0), {"density": 0.8, "n1cutoff": 1.5},
            {"n0sigma": ("interaction.0.sigma", 0.9, 1.05), "warmth": ("thermostat.0.temperature", 1.1, 1.6),
             "rate": ("thermostat.0.rate", 1.0, 3.0), "inflow": ("inflow.0.temperature", 0.8, 1.4)}),
    "dpd": (GAS + '[[interaction]]\nbetween = "*"\na = 20.0\ngamma = 4.5\ncutoff = {n0cutoff}\n',
            (12.0, 5.0, 5.0), {"density": 3.0}, {"n0cutoff": ("interaction.0.cutoff", 1.0, 1.3)}),
    "soft": (GAS + '[[interaction]]\nbetween = "*"\nstyle = "soft"\namplitude = 5.0\ncutoff = {n0cutoff}\n'
             '[[interaction]]\nbetween = "*"\nstyle = "morse"\nepsilon = {epsilon}\nbeta = {beta}\nr0 = {r0}\n'
             'cutoff = {n1cutoff}\n' + PRESSED, (15.0, 5.0, 5.0), {"density": 1.5},
             {"n0cutoff": ("interaction.0.cutoff", 1.0, 1.3), "n1cutoff": ("interaction.1.cutoff", 1.8, 2.0),
              "epsilon": ("interaction.1.epsilon", 0.5, 0.6), "beta": ("interaction.1.beta", 2.0, 2.5),
              "r0": ("interaction.1.r0", 1.0, 1.1), "pressure": ("barostat.pressure", 5.0, 7.0),
              "tension": ("barostat.surface_tension", 2.0, -3.0)}),
    "chains": (CHAINS, (15.0, 8.0, 8.0), {"n0sigma": 1.0, "n1cutoff": 1.5},
               {"r_max": ("bond.0.r_max", 1.5, 1.6), "theta0": ("angle.0.theta0", 100.0, 120.0),
                "phi0": ("dihedral.0.phi0", 60.0, -80.0), "twist": ("dihedral.0.k", 2.0, 3.0)}),
    "cell": (CELL, (12.0, 8.0, 8.0), {},
             {"shear": ("membrane.0.shear_modulus", 80.0, 100.0), "bending": ("membrane.0.bending_modulus", 4.0, 6.0),
              "volume": ("membrane.0.volume_modulus", 1000.0, 1500.0),
              "reduced": ("membrane.0.reduced_volume", 0.98, 0.9),
              "area": ("membrane.0.area_modulus", 3000.0, 4000.0),
              "local": ("membrane.0.local_area_modulus", 60.0, 100.0),
              "friction": ("membrane.0.friction", 5.0, 8.0), "along": ("membrane.0.friction_along", 2.0, 3.0),
              "force": ("stretch.0.force", 10.0, 40.0), "temperature": ("run.temperature", 0.9, 1.1)}),
    "transport": (TRANSPORT, (8.0, 5.0, 5.0), {},
                  {"salt": ("interaction.0.kappa.salt", 3.0, 4.0), "sugar": ("interaction.0.kappa.sugar", 1.0, 2.0)}),
}


def deck_of(kind, which, precision="mixed", more=""):
    """which: 0: as the deck says at first; 1: as it becomes."""
    body, size, others, numbers = KINDS[kind]
    values = {"temperature": 1.0, **others, **{name: number[1 + which] for name, number in numbers.items()}}
    return (RUN + body + OUTPUT).format(size=list(size), precision=precision, **values) + more


def schedules(kind, steps, style, both=True):
    """Of all its numbers: from what they are to what they become, or that alone."""
    text = ""
    for key, first, then in KINDS[kind][3].values():
        values = [first, then] if both else [then] * len(steps)
        text += f'[[schedule]]\nkey = "{key}"\nstyle = "{style}"\nsteps = {list(steps)}\nvalues = {values}\n'
    return text


class ForceSchedules(ProgramTest):
    def run_deck(self, name, text, *arguments, ranks=1):
        output = self.home / name
        self.run_well(self.deck(text, name + ".toml"), "--output", output, "--quiet", *arguments, ranks=ranks)
        return summary(output)["state_hash"], (output / "thermo.csv").read_text(encoding="utf-8")

    def without_temperature(self, kind, text):
        """Of a deck whose velocities begin at the temperature that it says: it says the same."""
        return text.replace("temperature = 0.9", "temperature = 1.1") if kind == "cell" else text

    def test_numbers_that_stay(self):
        for kind in KINDS:
            expected = self.run_deck("given", deck_of(kind, 1))
            scheduled = self.without_temperature(kind, deck_of(kind, 0)) + schedules(kind, [0, 50], "linear", False)
            self.assertEqual(self.run_deck("kept", scheduled), expected, kind)
            self.assertNotEqual(self.run_deck("other", deck_of(kind, 0)), expected, kind)

    def test_a_jump_is_another_deck(self):
        for kind in KINDS:
            for precision in ("single", "double") if kind in ("lj", "cell") else ("mixed",):
                self.run_deck("first", deck_of(kind, 0, precision), "--steps", 20)
                checkpoint = self.home / "first" / "checkpoint-20.h5"
                expected = self.run_deck("first", deck_of(kind, 1, precision), "--resume", checkpoint)
                found = self.run_deck("jumps", deck_of(kind, 0, precision) + schedules(kind, [0, 20], "jumps"))
                self.assertEqual(found[0], expected[0], (kind, precision))

    def test_each_number_counts(self):
        """And follows alone."""
        for kind, (_, _, _, numbers) in KINDS.items():
            stays = self.run_deck("stays", deck_of(kind, 0))[0]
            for key, first, then in numbers.values():
                changes = f'[[schedule]]\nkey = "{key}"\nsteps = [20, 40]\nvalues = [{first}, {then}]\n'
                self.assertNotEqual(self.run_deck("changes", deck_of(kind, 0) + changes)[0], stays, key)

    def test_the_same_bits(self):
        for kind in KINDS:
            text = deck_of(kind, 0) + schedules(kind, [5, 45], "linear")
            found = {self.run_deck("whole", text), self.run_deck("ranks", text, ranks=3)}
            for name in ("whole", "ranks"):
                again = ("--resume", self.home / name / "checkpoint-40.h5")
                found.add(self.run_deck(name, text, *again, ranks=3 if name == "ranks" else 1))
            self.assertEqual(len(found), 1, kind)

    def test_walls(self):
        """Their layers are as warm as the run: of a gas without forces nothing else is."""
        text = RUN + GAS + WALL + '[[interaction]]\nbetween = "*"\na = 0.0\ngamma = 0.0\n' + OUTPUT
        text = text.format(size=[6.0, 4.0, 6.0], precision="mixed", density=3.0, temperature=1.0)
        # Long steps, which free particles may take: what walls need is found out over a time of so many units.
        text = text.replace("timestep = 0.005", "timestep = 0.08")
        warmer = '[[schedule]]\nkey = "run.temperature"\nsteps = [0, 30]\nvalues = [1.0, {}]\n'
        stays = self.run_deck("stays", text)
        self.assertEqual(self.run_deck("stays", text + warmer.format(1.0)), stays)
        self.assertNotEqual(self.run_deck("warmer", text + warmer.format(2.0)), stays)

    def test_without_bitwise(self):
        """Where sums have an order, a run that was stopped ends with the same bits, too."""
        for kind in ("lj", "soft", "cell"):
            text = deck_of(kind, 0) + schedules(kind, [5, 45], "linear")
            text = text.replace('reproducibility = "bitwise"\n', "")
            whole = self.run_deck("whole", text)
            again = ("--resume", self.home / "whole" / "checkpoint-40.h5")
            self.assertEqual(self.run_deck("whole", text, *again), whole, kind)

    def test_energy_of_the_start(self):
        """Is that of the first step's numbers."""
        for kind in KINDS:
            tables = []
            for text in (deck_of(kind, 1), deck_of(kind, 0) + schedules(kind, [0], "jumps", False), deck_of(kind, 0)):
                self.run_deck("start", text, "--steps", 10)
                tables.append(read_table(self.home / "start" / "thermo.csv")["potential_energy"][0])
            self.assertEqual(tables[0], tables[1], kind)
            if kind != "transport":
                self.assertNotEqual(tables[0], tables[2], kind)

    def checked(self, text):
        return mesowarp("check", self.deck(text, "checked.toml"))

    def test_what_is_refused(self):
        def schedule(key, *values):
            return f'[[schedule]]\nkey = "{key}"\nsteps = {list(range(len(values)))}\nvalues = {list(values)}\n'

        for kind, more, message in (
            ("dpd", schedule("interaction.0.cutoff", 1.0, 2.4), "but must be at least 2 (cutoff + skin) = 5.4"),
            ("dpd", schedule("interaction.0.cutoff", 1.0, 0.0), "expected numbers > 0"),
            ("dpd", schedule("interaction.0.cutoff", 1.0, 1.2) + WALL, "cannot change in a deck with [[wall]] blocks"),
            ("dpd", schedule("interaction.0.sigma", 1.0, 1.2), "is no number of this deck that may change"),
            ("wca", schedule("interaction.0.cutoff", 1.0, 1.2), "is no number of this deck that may change"),
            ("wca", schedule("interaction.0.sigma", 1.0, 2.6), "but must be at least 2 (cutoff + skin)"),
            ("soft", schedule("interaction.1.beta", 2.0, 40.0), "in step 1, by its [[schedule]]: beta r0 = 40"),
            ("chains", schedule("angle.0.theta0", 100.0, 200.0), "expected 0 to 180 degrees"),
            ("chains", schedule("dihedral.0.phi0", 100.0, -200.0), "expected -180 to 180 degrees"),
            ("chains", schedule("bond.0.r0", 0.9), "is no number of this deck that may change"),
            ("cell", schedule("membrane.0.exponent", 2.0), "is no number of this deck that may change"),
            ("transport", schedule("interaction.0.kappa", 2.0), "is no number of this deck that may change"),
        ):
            done = self.checked(deck_of(kind, 0) + more)
            self.assertNotEqual(done.returncode, 0, message)
            self.assertIn(message, done.stderr)

    def test_check_sees_the_largest(self):
        """Of its cost, and of what a time step is too long for."""
        long = self.checked(deck_of("dpd", 0) + schedules("dpd", [0, 50], "linear"))
        self.assertIn("memory", long.stdout)
        memory = [line for line in long.stdout.splitlines() if line.startswith("# memory")]
        given = [line for line in self.checked(deck_of("dpd", 1)).stdout.splitlines() if line.startswith("# memory")]
        self.assertEqual(memory, given)
        shorter = self.checked(deck_of("dpd", 0)).stdout
        self.assertNotIn(memory[0], shorter)
        stiff = '[[schedule]]\nkey = "membrane.0.shear_modulus"\nsteps = [0, 30]\nvalues = [80.0, 40000.0]\n'
        done = self.checked(deck_of("cell", 0) + stiff)
        self.assertIn("in step 30, by its [[schedule]]: the membrane of \"cell\" is", done.stderr)


if __name__ == "__main__":
    unittest.main()
