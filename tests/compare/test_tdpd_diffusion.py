"""Diffusion in mesowarp's transport DPD against LAMMPS's `pair_style tdpd`, both with noise (tdpd_diffusion.json,
made by tdpd_diffusion.py beside this file): two solutes, whose waves decay, and the particles themselves."""
import json
import math
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent / "shared")]
import tdpd_diffusion as reference  # noqa: E402
from program import ALONE, PROGRAM  # noqa: E402

SEEDS = range(1, 7)
BEFORE, STEPS = 100, 475  # the faster wave has sunk to 6e-4 of itself then, and into noise a little later
DECK = """[run]
steps = {steps}
timestep = {timestep}
precision = "{precision}"
seed = {seed}
[box]
size = [{width}, {width}, {length}]
[transport]
solutes = ["slow", "fast"]
[[population]]
name = "fluid"
species = "W"
count = {particles}
[[interaction]]
between = "*"
style = "tdpd"
a = {a}
gamma = {gamma}
cutoff = {cutoff}
exponent = {exponent}
kappa = {kappa}
{waves}
[[output]]
format = "trajectory"
every = {every}
precision = "double"
fields = ["position", "image", "concentration"]
"""
WAVE = """[[concentration]]
solute = "{name}"
value = {value}
wave_amplitude = {amplitude}
wave_axis = "z"
wave_periods = {periods}
"""


class TdpdDiffusion(unittest.TestCase):
    """Mean coefficients of some seeds, each with its error."""

    @classmethod
    def setUpClass(cls):
        cls.theirs = json.loads(reference.DATA.read_text(encoding="utf-8"))["coefficients"]

    def run_seed(self, precision, seed):
        """The waves begin with the run, and are older when they are looked at: their decay is the same."""
        waves = "".join(WAVE.format(name=name, value=reference.VALUE, amplitude=reference.AMPLITUDE, periods=periods)
                        for name, _, periods in reference.WAVES)
        text = DECK.format(steps=STEPS, timestep=reference.TIMESTEP, precision=precision,
                           seed=seed, width=reference.WIDTH, length=reference.LENGTH, particles=reference.PARTICLES,
                           a=reference.A, gamma=reference.GAMMA, cutoff=reference.CUTOFF, exponent=reference.EXPONENT,
                           kappa=[kappa for _, kappa, _ in reference.WAVES], waves=waves, every=reference.EVERY)
        with tempfile.TemporaryDirectory() as folder:
            work = Path(folder)
            (work / "deck.toml").write_text(text, encoding="utf-8")
            subprocess.run([PROGRAM, "run", "deck.toml", "--output", "out", "--quiet"], cwd=work, check=True,
                           env={**os.environ, **ALONE})
            with h5py.File(work / "out/trajectory.h5") as file:
                group = file["particles/all"]
                first = BEFORE // reference.EVERY
                image = group["image/value"][first:] * [reference.WIDTH, reference.WIDTH, reference.LENGTH]
                return reference.coefficients(group["position/time"][first:], group["position/value"][first:] + image,
                                              group["concentration/value"][first:])

    def test_coefficients(self):
        mine = reference.summary([self.run_seed("mixed", seed) for seed in SEEDS])
        for name in reference.NAMES:
            ours, theirs = mine[name], self.theirs[name]
            error = math.hypot(ours["error"], theirs["error"])
            print(f"{name}: {ours['mean']:.4f} ± {ours['error']:.4f}, LAMMPS {theirs['mean']:.4f} ± "
                  f"{theirs['error']:.4f}", flush=True)
            with self.subTest(name):
                self.assertLess(error, (0.05 if name == "self" else 0.01) * theirs["mean"])
                self.assertLess(abs(ours["mean"] - theirs["mean"]), 4 * error)


if __name__ == "__main__":
    unittest.main()
