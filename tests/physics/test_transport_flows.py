"""Small versions of Figures 5 and 6 of Blumers et al. (2017), whose decks of full size are in examples/large: how a
double Poiseuille flow develops, and how a solute fills a tube from its wall. scripts/flow-solutions has the
solutions."""
import math
import sys
import tomllib
import unittest
from pathlib import Path
from types import SimpleNamespace

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "shared"))
from program import SOURCE, ProgramTest, script  # noqa: E402

FLOW = """[run]
steps = 900
timestep = 0.005
precision = "single"
seed = {seed}
[box]
size = [6.0, 6.0, 16.0]
[transport]
solutes = ["dye"]
[[population]]
name = "water"
species = "W"
density = 4.0
concentration = 1.0
[[interaction]]
between = "*"
style = "tdpd"
a = 18.75
gamma = 4.5
cutoff = 1.58
exponent = 0.41
kappa = 5.0
[[drive]]
style = "double-poiseuille"
acceleration = [0.4, 0.0, 0.0]
across = "z"
[[measure]]
name = "flow"
axis = "z"
bins = 16
quantities = ["velocity"]
start = 50
every = 5
window = 100
"""


def folded(velocity):
    """The upper half is the lower one's mirror, and each is symmetric: [blocks][bins / 4] of both, in one mean."""
    half = velocity.shape[1] // 2
    lower, upper = velocity[:, :half], -velocity[:, half:]
    mean = 0.5 * (lower + upper)
    return 0.5 * (mean + mean[:, ::-1])[:, : half // 2]


class TransportFlows(ProgramTest):
    SEEDS = range(1, 6)

    def test_poiseuille(self):
        """One viscosity for all times and places; errors from the scatter of the seeds."""
        found, runs = script("flow-solutions"), []
        for seed in self.SEEDS:
            out = self.home / str(seed)
            self.run_well(self.deck(FLOW.format(seed=seed)), "--output", out, "--quiet")
            blocks = found.Blocks(out / "flow.h5", 5, 0.005)
            runs.append(folded(blocks.data["velocity"][:, :, 0]))
        count = len(runs[0])
        mean, scatter = np.mean(runs, axis=0), np.std(runs, axis=0, ddof=1)
        error = math.sqrt((scatter**2).mean() / len(runs))  # the same everywhere: thermal
        points = found.bin_points(np.linspace(0, 16.0, 17))

        def solution(viscosity):
            return folded(np.array([found.development(points, blocks.times(b), 8.0, 0.4, viscosity).mean(axis=1)
                                    for b in range(count)]))

        viscosity = found.best(lambda nu: ((solution(nu) - mean)**2).sum(), 0.1, 50)
        away = np.abs(mean - solution(viscosity)) / error
        print(f"nu = {viscosity:.3f}, s.e. of a bin {error:.4f}, largest value {mean.max():.4f}, deviation rms "
              f"{math.sqrt((away**2).mean()):.2f} s.e., largest {away.max():.2f} s.e. of {away.size}", flush=True)
        self.assertLess(error, 0.025 * mean.max(), "too noisy to mean anything")
        self.assertLess(mean[0].max(), 0.75 * mean[-1].max())  # it does develop
        self.assertLess(math.sqrt((away**2).mean()), 1.5)
        self.assertLess(away.max(), 4.5)

    def test_tube(self):
        """Concentrations that frozen particles keep lie a little behind the surface; then D is that of a wave, and the
        solution holds at all places and times. What is left is no noise but that fluxes reach 1.58, over which the
        profile at early times is not straight: percent, not standard errors."""
        found, out = script("flow-solutions"), self.home / "tube"
        self.run_well(SOURCE / "examples/tdpd_tube.toml", "--output", out, "--quiet", "--set", "run.precision=single",
                      "--set", "box.size=[5.0, 15.4, 15.4]")
        deck = tomllib.loads((out / "deck.toml").read_text(encoding="utf-8"))
        options = SimpleNamespace(at=(1.0, 2.0, 3.0, 4.0, 5.0), diffusion=None, fit=True)
        curves, _, _, _, numbers = found.tube(deck, out, options)
        for time, measured, solution in curves:
            away = np.abs(measured - solution)
            print(f"t = {time:.2f}: largest deviation {100 * away.max():.2f}%", flush=True)
            self.assertLess(away.max(), 0.02)
        self.assertLess(curves[0][1][0], 0.25)  # it does fill
        self.assertGreater(curves[-1][1][0], 0.8)
        self.assertLess(abs(numbers["diffusion"] / numbers["expected"] - 1), 0.04)
        self.assertLess(abs(numbers["offset"]), 0.25 * 1.58)


if __name__ == "__main__":
    unittest.main()
