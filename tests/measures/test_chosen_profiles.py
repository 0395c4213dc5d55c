"""Profiles, shells and fields of some species and groups: against numpy on the frames; on any number of ranks, and
behind a stop."""
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from observables import Table  # noqa: E402
from program import CHECKPOINTS, ProgramTest, chains_in_water, mesowarp, summary  # noqa: E402

OUTPUTS = """
[[group]]
name = "odd"
particles = "1:400:2"
[[output]]
format = "trajectory"
every = 10
precision = "double"
fields = ["position", "velocity"]
"""
SLABS = '[[measure]]\nstyle = "profile"\nname = "{0}"\naxis = "x"\nbins = 6\nevery = 10\n{1}\n'
BALL = ('[[measure]]\nstyle = "sphere"\nname = "ball"\ncenter = [3.0, 2.5, 2.5]\nradius = 2.4\nbins = 3\n'
        'every = 10\n{0}\n')
GRID = '[[measure]]\nstyle = "field"\nname = "grid"\ncells = [3, 2, 1]\nevery = 10\nquantities = [{0}]\n{1}\n'
MEASURES = (SLABS.format("all", "") + SLABS.format("water", 'species = ["W"]') +
            SLABS.format("chains", 'species = ["A", "B"]') + SLABS.format("both", 'species = ["B", "odd"]') +
            BALL.format('species = ["odd"]') +
            GRID.format('"density", "velocity", "stress"', 'species = ["odd", "A"]') + CHECKPOINTS)


def fluid_with(more, steps=60):
    return chains_in_water("AAB", 40, steps) + OUTPUTS + more


class ChosenProfiles(ProgramTest):
    def run_deck(self, name, ranks=1, steps=60, arguments=()):
        self.run_well(self.deck(fluid_with(MEASURES, steps), f"{name}.toml"), "--output", self.home / name,
                      "--quiet", *arguments, ranks=ranks)
        return self.home / name

    def test_against_frames(self):
        home = self.run_deck("one")
        with h5py.File(home / "trajectory.h5") as file:
            all_ = file["particles/all"]
            x, v = all_["position/value"][()], all_["velocity/value"][()]
            species = all_["species"][()]
        tags = np.arange(len(species))
        odd = (tags % 2 == 1) & (tags <= 400)
        which = {"all": tags >= 0, "water": species == 2, "chains": species < 2, "both": (species == 1) | odd}
        frames = len(x)
        for name, chosen in which.items():
            table = Table.read(home / f"{name}.csv")
            places = np.floor(x[:, chosen, 0]).astype(int)
            for b in range(6):
                inside = places == b
                self.assertAlmostEqual(table["density"][b], inside.sum() / frames / 25.0, delta=1e-9, msg=name)
                mean = v[:, chosen][inside].mean(axis=0)
                for a, axis in enumerate("xyz"):
                    self.assertAlmostEqual(table[f"velocity_{axis}"][b], mean[a], delta=1e-6, msg=name)
                warmth = ((v[:, chosen][inside] - mean) ** 2).sum() / 3 / inside.sum()
                self.assertAlmostEqual(table["temperature"][b], warmth, delta=1e-6, msg=name)
        ball = Table.read(home / "ball.csv")
        r = np.linalg.norm(x[:, odd] - (3.0, 2.5, 2.5), axis=2)
        for b in range(3):
            volume = 4 / 3 * np.pi * 0.8**3 * ((b + 1) ** 3 - b**3)
            self.assertAlmostEqual(ball["density"][b], ((r // 0.8) == b).sum() / frames / volume, delta=1e-9)
        chosen = odd | (species == 0)
        with h5py.File(home / "grid.h5") as file:
            density = np.squeeze(file["density"][()])
            stress = np.squeeze(file["stress"][()])
        cells = np.floor(x[:, chosen, :2] / (2.0, 2.5)).astype(int)
        counted = np.zeros((2, 3))
        np.add.at(counted, (cells[..., 1].ravel(), cells[..., 0].ravel()), 1.0)
        np.testing.assert_allclose(density, counted / frames / (2.0 * 2.5 * 5.0), rtol=1e-6)
        self.assertLess(stress[..., 0].max(), -0.1)  # a part of the pressure

    def test_ranks_and_resume(self):
        one = self.run_deck("one")
        three = self.run_deck("three", ranks=3)
        self.run_deck("parts", ranks=2, steps=30)
        parts = self.run_deck("parts", arguments=("--resume",))
        for other in (three, parts):
            self.assertEqual(summary(one)["state_hash"], summary(other)["state_hash"])
            for name in ("all", "water", "chains", "both", "ball"):
                self.assertEqual((one / f"{name}.csv").read_bytes(), (other / f"{name}.csv").read_bytes(), name)

    def test_what_is_refused(self):
        for more, message in ((SLABS.format("p", 'species = ["V"]'), 'no population has the species "V"'),
                              (SLABS.format("p", 'species = ["od"]'), 'did you mean "odd"')):
            done = mesowarp("check", self.deck(fluid_with(more), "bad.toml"))
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(message, done.stderr)
        solvent = ('[run]\nsteps = 20\ntimestep = 0.1\n[box]\nsize = [6.0, 6.0, 6.0]\n[[population]]\nkind = "mpcd"\n'
                   'name = "S"\ndensity = 5.0\n[collision]\nangle = 130.0\n')
        done = mesowarp("check", self.deck(solvent + SLABS.format("p", 'species = ["S"]'), "bad.toml"))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("particles with pair forces", done.stderr)


if __name__ == "__main__":
    unittest.main()
