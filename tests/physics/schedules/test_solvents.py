"""[[schedule]] of a collision solvent: its drives, its temperature, its walls. What follows is known; a jump is another
deck from there on, to the bit; and the bits are the same on any number of ranks and behind a stop."""
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2] / "shared"))
from physics import PhysicsTest, block_average  # noqa: E402
from program import mesowarp, summary  # noqa: E402
from schedules import schedule  # noqa: E402

SOLVENT = """
[run]
steps = {steps}
timestep = {timestep}
temperature = {temperature}
seed = 3
precision = "{precision}"
reproducibility = "bitwise"
[box]
size = [6.0, 6.0, 24.0]
[collision]
{collision}
{more}
[[population]]
name = "solvent"
kind = "mpcd"
density = 6.0
[[drive]]
acceleration = [{drive}, 0.0, 0.0]
[[output]]
format = "table"
every = {every}
columns = ["temperature", "momentum_x"]
[[output]]
format = "checkpoint"
every = 20
"""
HEAVY = '[[population]]\nname = "heavy"\nkind = "mpcd"\ndensity = 1.0\nmass = 3.0\n'
WALLS = """
[[shape]]
name = "slab"
style = "slab"
axis = "z"
from = 0.0
to = 2.5
[[wall]]
name = "plate"
solid = "slab"
velocity = [{wall}, 0.0, 0.0]
"""
CHAIN = """
[neighbor]
skin = 0.4
[[population]]
name = "chain"
kind = "polymer"
blocks = "AAAAAAAA"
count = 3
mass = 6.0
bond_length = 0.97
apart = 0.95
[[interaction]]
between = "*"
style = "wca"
[[bond]]
population = "chain"
style = "fene"
k = 30.0
r_max = 1.5
"""
SRD, ANDERSEN = 'thermostat = "maxwell-boltzmann"\n', 'style = "andersen"\n'
ANGULAR = "conserve_angular_momentum = true\n"
KINDS = {
    "srd": (SRD, ""),
    "andersen": (ANDERSEN, ""),
    "angular-srd": (SRD + ANGULAR, ""),
    "angular-andersen": (ANDERSEN + ANGULAR, ""),
    "mixture": (ANDERSEN, HEAVY),
    "walls": (ANDERSEN, WALLS),
    "walls-srd": (SRD, WALLS),
    "chain": (ANDERSEN + 'every = 4\nembedded = ["chain"]\n', CHAIN),
}


def solvent(kind, precision="mixed", **changes):
    """Of one of KINDS; wall: the velocity of its wall, if it has one."""
    collision, more = KINDS[kind]
    values = {"steps": 60, "temperature": 1.1, "drive": 0.02, "wall": 0.1, "every": 5,
              "timestep": 0.01 if kind == "chain" else 0.04, **changes}
    return SOLVENT.format(collision=collision, more=more.format(**values), precision=precision, **values)


def schedules(kind, drive, temperature, wall, style="linear"):
    """Each of steps and values."""
    text = schedule("drive.0.acceleration.x", *drive, style) + schedule("run.temperature", *temperature, style)
    return text + (schedule("wall.0.velocity.x", *wall, style) if kind.startswith("walls") else "")


class SolventSchedules(PhysicsTest):
    def run_deck(self, name, text, *arguments, ranks=1):
        output = self.home / name
        self.run_well(self.deck(text, name + ".toml"), "--output", output, "--quiet", *arguments, ranks=ranks)
        return summary(output)["state_hash"], (output / "thermo.csv").read_text(encoding="utf-8")

    def test_numbers_that_stay(self):
        """A schedule that keeps what another deck has says the same as that deck."""
        for kind in KINDS:
            given = self.run_deck("given", solvent(kind, drive=0.05, wall=0.2))
            kept = schedules(kind, ([0], [0.05]), ([0, 9], [1.1, 1.1]), ([0], [0.2]))
            self.assertEqual(self.run_deck("kept", solvent(kind, drive=0.0, wall=0.0) + kept), given, kind)
            self.assertNotEqual(self.run_deck("other", solvent(kind, drive=0.0, wall=0.0)), given, kind)

    def test_a_jump_is_another_deck(self):
        """That goes on from a checkpoint."""
        for kind in KINDS:
            for precision in ("single", "mixed", "double") if kind in ("srd", "andersen", "walls") else ("mixed",):
                self.run_deck("first", solvent(kind, precision), "--steps", 20)
                then = solvent(kind, precision, temperature=1.5, drive=-0.1, wall=-0.3)
                expected = self.run_deck("first", then, "--resume", self.home / "first" / "checkpoint-20.h5")
                jumps = schedules(kind, ([0, 20], [0.02, -0.1]), ([0, 20], [1.1, 1.5]), ([0, 20], [0.1, -0.3]), "jumps")
                found = self.run_deck("jumps", solvent(kind, precision) + jumps)
                self.assertEqual(found[0], expected[0], (kind, precision))

    def test_the_same_bits(self):
        """On ranks and behind a stop."""
        for kind in KINDS:
            for precision in ("single", "double") if kind in ("srd", "walls") else ("mixed",):
                ramps = schedules(kind, ([5, 45], [0.02, -0.1]), ([0, 50], [1.1, 2.5]), ([10, 40], [0.1, -0.3]))
                text = solvent(kind, precision) + ramps
                found = {self.run_deck("whole", text)}
                found.add(self.run_deck("ranks", text, ranks=3))
                found.add(self.run_deck("ranks", text, "--resume", self.home / "ranks" / "checkpoint-40.h5", ranks=3))
                found.add(self.run_deck("whole", text, "--resume", self.home / "whole" / "checkpoint-40.h5"))
                self.assertEqual(len(found), 1, (kind, precision))

    def test_momentum(self):
        """Is what drives have given: those of a step on the way to it."""
        text = solvent("srd", "double", every=1).replace('"momentum_x"', '"momentum_x", "scheduled"')
        text += schedule("drive.0.acceleration.x", (10, 30, 40), (0.0, 0.5, -0.2))
        rows = self.thermo("momentum", text, 0)
        drive = np.interp(rows["step"], (10, 30, 40), (0.0, 0.5, -0.2))
        np.testing.assert_allclose(rows["scheduled.drive-0-acceleration-x"], drive, atol=1e-14)
        given = np.concatenate([[0.0], np.cumsum(drive[1:])]) * 0.04 * 6 * 6 * 6 * 24
        np.testing.assert_allclose(rows["momentum_x"], given, atol=1e-6)

    def test_temperature(self):
        """Follows at once, for every collision draws it anew."""
        for kind in ("srd", "andersen", "angular-andersen", "mixture"):
            text = solvent(kind, drive=0.0, steps=400, every=1)
            text += schedule("run.temperature", (0, 200), (1.1, 2.2), "jumps")
            rows = self.thermo("temperature", text, 0)
            for begin, temperature in ((20, 1.1), (220, 2.2)):
                inside = (rows["step"] >= begin) & (rows["step"] < begin + 180)
                mean, error = block_average(rows["temperature"][inside])
                self.assertLess(error, 0.01 * temperature, "the run is too short to mean anything")
                self.assert_within(mean, error, temperature, 4)

    def test_what_is_refused(self):
        for kind, more, message in (
            ("srd", schedule("run.temperature", (0, 9), (1.0, 0.0)), "0 is no temperature of a collision solvent"),
            ("srd", schedule("box.size.x", (0, 9), (8.0, 9.0)), "fill a box that stays"),
            ("srd", schedule("drive.1.acceleration.x", (0,), (1.0,)), "no number of this deck that may change"),
            ("srd", schedule("run.temperature", (0, 9), (1.0, 90000.0)), "between two collisions a fast particle"),
            ("walls", schedule("wall.0.velocity.z", (0, 9), (0.0, 0.3)), "velocity and spin must be along its surface"),
        ):
            done = mesowarp("check", self.deck(solvent(kind) + more, "bad.toml"))
            self.assertNotEqual(done.returncode, 0, message)
            self.assertIn(message, done.stderr)
        text = solvent("srd").replace(SRD, "") + schedule("run.temperature", (0, 9), (1.0, 2.0))
        done = mesowarp("check", self.deck(text, "warned.toml"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("do not follow run.temperature", done.stderr)
        for hottest in (1.0, 900.0):  # a gas only when it is hot
            text = solvent("srd") + schedule("run.temperature", (0, 9), (1.0, hottest))
            text = text.replace("[6.0, 6.0, 24.0]", "[60.0, 60.0, 60.0]")
            done = mesowarp("check", self.deck(text, "hot.toml"))
            self.assertEqual("the mean free path is" in done.stderr, hottest > 1.0, done.stderr)


if __name__ == "__main__":
    unittest.main()
