"""Transport DPD against solutions of the diffusion equation: a sine wave in a fluid at rest, and concentration that
frozen particles keep at the two ends of a channel. D is that of the transport paper's Eqs. 11 and 12."""
import json
import math
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "shared"))
from program import ALONE, PROGRAM  # noqa: E402

KAPPA, GAMMA, DENSITY, CUTOFF, S = 5.0, 4.5, 4.0, 1.58, 0.41
LENGTH, WIDTH, TIMESTEP = 20.0, 5.0, 0.005
WAVE = """[run]
steps = {steps}
timestep = {timestep}
seed = {seed}
precision = "{precision}"
reproducibility = "bitwise"
[box]
size = [{width}, {width}, {length}]
[transport]
solutes = {solutes}
{transport}
[[population]]
name = "water"
species = "W"
density = {density}
initial = "lattice"
[[interaction]]
between = "*"
style = "tdpd"
a = 18.75
gamma = {gamma}
cutoff = {cutoff}
exponent = {s}
kappa = {kappa}
[[concentration]]
solute = "slow"
value = 1.0
wave_amplitude = 0.8
wave_axis = "z"
[[concentration]]
solute = "fast"
value = 1.0
wave_amplitude = 0.8
wave_axis = "z"
wave_periods = 2
[[output]]
format = "trajectory"
every = {every}
precision = "double"
fields = ["position", "concentration"]
[[output]]
format = "table"
every = {every}
columns = ["time", "temperature", "solutes"]
"""


def integral(n, p, cutoff):
    """Of r^n (1 - r/r_c)^p."""
    return cutoff**(n + 1) * math.factorial(n) / math.prod(p + k for k in range(1, n + 2))


def expected(kappa, periods, cutoff=CUTOFF):
    """D of Eqs. 11 and 12. A flux that reaches as far as r_cc acts on a wave of number k as D^F (1 - k^2 <r^6> / (20
    <r^4>)), from the second term of 1 - cos(k r)."""
    own = 3.0 / (4 * math.pi * GAMMA * DENSITY * integral(2, 2 * S, cutoff))
    fickian = 2 * math.pi / 3 * kappa * DENSITY * integral(4, 2.0, cutoff)
    k = 2 * math.pi * periods / LENGTH
    return own + fickian * (1 - k**2 / 20 * integral(6, 2.0, cutoff) / integral(4, 2.0, cutoff))


def run(text):
    """Frames of z and concentrations, with their times."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        (work / "deck.toml").write_text(text, encoding="utf-8")
        subprocess.run([PROGRAM, "run", "deck.toml", "--output", "out", "--quiet"], cwd=work, check=True,
                       env={**os.environ, **ALONE})
        summary = json.loads((work / "out/summary.json").read_text(encoding="utf-8"))
        with h5py.File(work / "out/trajectory.h5") as file:
            group = file["particles/all"]
            return (group["position/time"][:], group["position/value"][:, :, 2], group["concentration/value"][:],
                    summary)


def diffusion(time, z, c, periods):
    """From the wave's amplitude, which decays as exp(-D k^2 t): its logarithm's slope, frame by frame."""
    k = 2 * math.pi * periods / LENGTH
    sine = np.sin(k * z)
    sine -= sine.mean(axis=1, keepdims=True)
    amplitude = ((c - c.mean(axis=1, keepdims=True)) * sine).sum(axis=1) / (sine**2).sum(axis=1)
    slope = -np.diff(np.log(amplitude)) / np.diff(time) / k**2
    return slope.mean(), slope.std(ddof=1) / math.sqrt(len(slope))


class Transport(unittest.TestCase):
    def waves(self, precision, transport="", kappas=(KAPPA, 2 * KAPPA), seed=1):
        return run(WAVE.format(steps=400, timestep=TIMESTEP, seed=seed, precision=precision, width=WIDTH,
                               length=LENGTH, solutes='["slow", "fast"]', transport=transport, density=DENSITY,
                               gamma=GAMMA, cutoff=CUTOFF, s=S, kappa=list(kappas), every=25))

    def check_waves(self, precision, transport="", tolerance=0.03):
        time, z, c, summary = self.waves(precision, transport)
        for number, (name, kappa) in enumerate((("slow", KAPPA), ("fast", 2 * KAPPA))):
            found, error = diffusion(time[2:], z[2:], c[2:, :, number], number + 1)
            theory = expected(kappa, number + 1)
            print(f"{precision} {transport!r} {name}: D = {found:.4f} ± {error:.4f}, expected {theory:.4f}", flush=True)
            self.assertLess(error / found, 0.01)
            self.assertLess(abs(found / theory - 1), tolerance)
        total = c.sum(axis=1)
        self.assertLess(np.abs(total / total[0] - 1).max(), 2e-9 if precision == "single" else 1e-13)
        self.assertTrue(summary["state_hash"])

    def test_waves_decay_as_they_should(self):
        for precision in ("single", "mixed", "double"):
            with self.subTest(precision):
                self.check_waves(precision)

    def test_random_fluxes_leave_the_coefficient_alone(self):
        self.check_waves("mixed", "random_flux = true\nsolute_mass = 0.001")


if __name__ == "__main__":
    unittest.main()
