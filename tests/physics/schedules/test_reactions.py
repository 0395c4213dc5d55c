"""[[schedule]] of sources, reactions and fluxes: where a solute is the same everywhere its amount is known to the last
digit, a jump is another deck from there on, ramps are the same on any number of ranks and behind a stop, and `check`
holds all of a schedule against the time step."""
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2] / "shared"))
from observables import read_table  # noqa: E402
from program import ProgramTest, mesowarp, summary  # noqa: E402
from schedules import schedule  # noqa: E402

DECK = """
[run]
steps = 60
timestep = 0.01
seed = 7
precision = "{precision}"
reproducibility = "bitwise"
[box]
size = [8.0, 5.0, 5.0]
[transport]
solutes = ["acid", "base", "salt"]
{reactions}
{transport}
[[population]]
name = "water"
species = "W"
count = 600
concentration = {start}
initial = "lattice"
[[interaction]]
between = "*"
style = "tdpd"
a = 18.75
gamma = 4.5
kappa = {kappa}
{sources}
{more}
[[output]]
format = "table"
every = 5
columns = ["temperature", "solutes"]
[[output]]
format = "checkpoint"
every = 20
"""
SOURCE = '[[source]]\nsolute = "{}"\nrate = {}\nlinear = {}\n{}'
REGION = 'region = "sphere"\ncenter = [2.0, 2.0, 2.0]\nradius = 1.5\n'
# Of each number: its key, what the deck says, and what it becomes.
NUMBERS = {"k0": ("transport.reactions.0", 0.5, 3.0), "k1": ("transport.reactions.1", 0.2, 0.0),
           "rate": ("source.0.rate", 0.0, 2.0), "linear": ("source.1.linear", -0.5, -3.0),
           "kappa": ("interaction.0.kappa", 2.0, 4.0)}


def deck(which, more="", precision="mixed", transport=""):
    """Two reactions and two sources in a fluid whose solutes are not the same everywhere. which: 0: as the deck says at
    first; 1: as it becomes."""
    value = {name: number[1 + which] for name, number in NUMBERS.items()}
    return DECK.format(
        precision=precision, start=[1.0, 0.5, 0.0], kappa=value["kappa"], transport=transport,
        reactions=f'reactions = ["acid + base -> salt : {value["k0"]}", "2 salt -> acid + base : {value["k1"]}"]',
        sources=SOURCE.format("acid", value["rate"], 0.1, REGION) + SOURCE.format("salt", 0.3, value["linear"], REGION),
        more=more)


def schedules(steps, style, both=True):
    """Of all numbers: from what they are to what they become, or that alone."""
    return "".join(schedule(key, steps, [first, then] if both else [then] * len(steps), style)
                   for key, first, then in NUMBERS.values())


class Reactions(ProgramTest):
    def run_deck(self, name, text, *arguments, ranks=1):
        output = self.home / name
        self.run_well(self.deck(text, name + ".toml"), "--output", output, "--quiet", *arguments, ranks=ranks)
        return summary(output)["state_hash"], (output / "thermo.csv").read_text(encoding="utf-8")

    def test_amounts(self):
        """A decay, a source and a sink, and two that react, the same everywhere: the scheme's own numbers, dC/dt taken
        in the middle of each step with the step's rates, and the exact exponential within that scheme's error."""
        steps, ramp = [5, 25, 50], [1.0, 9.0, 2.0]
        made, lost = [0.5, 4.0, -1.0], [0.0, -6.0, 1.0]
        text = DECK.format(precision="double", start=[1.0, 0.8, 0.6], kappa=1.0, transport="",
                           reactions='reactions = ["acid -> : 1.0", "2 salt -> : 1.0"]',
                           sources=SOURCE.format("base", 0.5, 0.0, ""),
                           more=schedule("transport.reactions.0", steps, ramp) +
                           schedule("transport.reactions.1", steps, ramp, "jumps") +
                           schedule("source.0.rate", steps, made) + schedule("source.0.linear", steps, lost))
        self.run_deck("amounts", text)
        table = read_table(self.home / "amounts" / "thermo.csv")
        held = np.clip(np.searchsorted(steps, np.arange(61), side="right") - 1, 0, None)
        k, made, lost = (np.interp(np.arange(61), steps, values) for values in (ramp, made, lost))
        rates = {"acid": lambda n, c: -k[n] * c, "base": lambda n, c: made[n] + lost[n] * c,
                 "salt": lambda n, c: -2.0 * ramp[held[n]] * c * c}
        for solute, start in (("acid", 1.0), ("base", 0.8), ("salt", 0.6)):
            rate, c, shown = rates[solute], start, []
            for n in range(61):
                over = 0.005 if n == 0 else 0.01  # to the next half step
                middle = rate(n, c + 0.5 * over * rate(n, c))
                shown.append(c + (0.0 if n == 0 else 0.005) * middle)
                c += over * middle
            np.testing.assert_allclose(table["total_" + solute] / 600, np.array(shown)[::5], rtol=1e-12)
            self.assertGreater(abs(shown[-1] - start), 0.1)
        decayed = np.exp(-0.01 * np.concatenate([[0.0], np.cumsum(0.5 * (k[1:] + k[:-1]))]))
        np.testing.assert_allclose(table["total_acid"] / 600, decayed[::5], rtol=0.25 * 0.09**2)  # (k dt / 2)^2

    def test_numbers_that_stay(self):
        expected = self.run_deck("given", deck(1))
        self.assertEqual(self.run_deck("kept", deck(0, schedules([0, 50], "linear", False))), expected)
        self.assertNotEqual(self.run_deck("other", deck(0)), expected)

    def test_a_jump_is_another_deck(self):
        """Random fluxes among them, whose strength follows kappa."""
        random = 'random_flux = true\nsolute_mass = 0.01'
        for precision, transport in (("single", ""), ("double", random)):
            self.run_deck("first", deck(0, "", precision, transport), "--steps", 20)
            again = ("--resume", self.home / "first" / "checkpoint-20.h5")
            expected = self.run_deck("first", deck(1, "", precision, transport), *again)
            found = self.run_deck("jumps", deck(0, schedules([0, 20], "jumps"), precision, transport))
            self.assertEqual(found[0], expected[0], precision)

    def test_each_number_counts(self):
        stays = self.run_deck("stays", deck(0))[0]
        for key, first, then in NUMBERS.values():
            changes = deck(0, schedule(key, [20, 40], [first, then]))
            self.assertNotEqual(self.run_deck("changes", changes)[0], stays, key)

    def test_the_same_bits(self):
        text = deck(0, schedules([5, 45], "linear"))
        found = {self.run_deck("whole", text), self.run_deck("ranks", text, ranks=3)}
        for name in ("whole", "ranks"):
            again = ("--resume", self.home / name / "checkpoint-40.h5")
            found.add(self.run_deck(name, text, *again, ranks=3 if name == "ranks" else 1))
        self.assertEqual(len(found), 1)

    def test_what_check_says(self):
        """Of the fastest that there ever is, in the step in which it is."""
        for key, values, message, error in (
            ("transport.reactions.0", [0.5, 30.0, 1.0], "in step 10, by its [[schedule]]: the reaction \"acid + base "
             "-> salt : 0.5\", whose rate is 30, may use up 30% of a reactant in a step", False),
            ("source.1.linear", [-0.5, 0.0, -40.0], "in step 20, by its [[schedule]]: linear = -40 changes a "
             "concentration by 40% in a step", False),
            ("interaction.0.kappa", [2.0, 300.0, 1.0], "in step 10, by its [[schedule]]: kappa = 300 moves", True),
            ("transport.reactions.2", [1.0, 1.0, 1.0], "is no number of this deck that may change", True),
            ("transport.reactions.0", [1.0, -1.0, 1.0], "expected numbers >= 0", True),
            ("source.2.rate", [1.0, 1.0, 1.0], "is no number of this deck that may change", True),
        ):
            done = mesowarp("check", self.deck(deck(0, schedule(key, [0, 10, 20], values)), "checked.toml"))
            self.assertIn(message, done.stderr)
            self.assertEqual(done.returncode != 0, error, key)
            self.assertEqual(done.stderr.count("may use up"), message.count("may use up"), "told once")
        self.assertNotIn("warning", mesowarp("check", self.deck(deck(0), "checked.toml")).stderr)


if __name__ == "__main__":
    unittest.main()
