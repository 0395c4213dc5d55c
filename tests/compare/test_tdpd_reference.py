"""mesowarp's transport DPD against LAMMPS's `pair_style tdpd` without noise (tdpd_reference.json, made by
tdpd_reference.py beside this file): forces of step 0, and after 20 steps of both places, velocities, forces and
concentrations of each particle. What concentrations are then is the sum of 20 steps' fluxes."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent / "shared")]
import tdpd_reference as reference  # noqa: E402
from program import ALONE, PROGRAM  # noqa: E402

DECK = """[run]
steps = {steps}
timestep = {timestep}
temperature = 0.0
precision = "{precision}"
reproducibility = "{reproducibility}"
[box]
size = [{edge}, {edge}, {edge}]
[neighbor]
skin = 0.3
[transport]
solutes = ["one", "two", "three"]
[[population]]
name = "fluid"
initial = "file"
file = "start.data"
types = ["A", "B"]
"""
PAIR = """[[interaction]]
between = ["{a}", "{b}"]
style = "tdpd"
a = {repulsion}
gamma = {gamma}
cutoff = {cutoff}
exponent = {exponent}
flux_cutoff = {flux_cutoff}
flux_exponent = {flux_exponent}
kappa = {kappa}
"""
INITIAL = """[[concentration]]
solute = "{name}"
value = {value}
gradient = {gradient}
wave_amplitude = {amplitude}
wave_axis = "{axis}"
wave_periods = {periods}
"""
OUTPUT = """[[output]]
format = "trajectory"
every = {steps}
precision = "double"
fields = ["position", "image", "velocity", "force", "concentration"]
"""


def deck(precision, reproducibility):
    """The reference's fluid."""
    text = DECK.format(steps=reference.STEPS, timestep=reference.TIMESTEP, edge=reference.EDGE, precision=precision,
                       reproducibility=reproducibility)
    for a, b, repulsion, gamma, cutoff, flux_cutoff, kappa in reference.PAIRS:
        text += PAIR.format(a=" AB"[a], b=" AB"[b], repulsion=repulsion, gamma=gamma, cutoff=cutoff,
                            exponent=reference.EXPONENT, flux_cutoff=flux_cutoff,
                            flux_exponent=reference.FLUX_EXPONENT, kappa=list(kappa))
    for name, (value, slope, along, amplitude, axis, periods) in zip(("one", "two", "three"), reference.INITIAL):
        gradient = [slope if k == along else 0.0 for k in range(3)]
        text += INITIAL.format(name=name, value=value, gradient=gradient, amplitude=amplitude, axis="xyz"[axis],
                               periods=periods)
    return text + OUTPUT.format(steps=reference.STEPS)


class TdpdReference(unittest.TestCase):
    """One run for each way of computing."""

    @classmethod
    def setUpClass(cls):
        cls.data = json.loads(reference.DATA.read_text(encoding="utf-8"))

    def test_the_data_are_of_this_fluid(self):
        x, v, species = reference.start()
        self.assertEqual(self.data["start"], {"x": x.tolist(), "v": v.tolist(), "species": species.tolist()})

    def run_deck(self, precision, reproducibility):
        start = self.data["start"]
        x, v = np.array(start["x"]), np.array(start["v"])
        with tempfile.TemporaryDirectory() as folder:
            work = Path(folder)
            (work / "start.data").write_text(reference.data_file(x, v, start["species"]), encoding="utf-8")
            (work / "deck.toml").write_text(deck(precision, reproducibility), encoding="utf-8")
            subprocess.run([PROGRAM, "run", "deck.toml", "--output", "out", "--quiet"], cwd=work, check=True,
                           env={**os.environ, **ALONE})
            with h5py.File(work / "out/trajectory.h5") as file:
                group = file["particles/all"]
                self.assertEqual([name.decode() for name in file["parameters/solutes"]], ["one", "two", "three"])
                return {name: group[name]["value"][:]
                        for name in ("position", "image", "velocity", "force", "concentration")}

    def compare(self, precision, reproducibility, tolerance):
        """Largest differences, of forces relative to their root mean square."""
        mine, last = self.run_deck(precision, reproducibility), np.array(self.data["last"])
        force = np.array(self.data["force_0"])
        scale = np.sqrt((force**2).mean())
        moved = mine["position"][1] - last[:, :3]
        moved -= reference.EDGE * np.round(moved / reference.EDGE)
        start = reference.initial(np.array(self.data["start"]["x"]))
        worst = {
            "force of step 0": np.abs(mine["force"][0] - force).max() / scale,
            "force": np.abs(mine["force"][1] - last[:, 6:9]).max() / scale,
            "place": np.abs(moved).max(),
            "velocity": np.abs(mine["velocity"][1] - last[:, 3:6]).max(),
            "start": np.abs(mine["concentration"][0] - start).max(),
            # Fluxes, averaged over the run.
            "flux": np.abs(mine["concentration"][1] - last[:, 9:]).max() / (reference.STEPS * reference.TIMESTEP),
        }
        print(precision, reproducibility, {name: f"{value:.1e}" for name, value in worst.items()}, flush=True)
        self.assertGreater(np.abs(last[:, 9:] - start).max(), 0.03)
        for name, value in worst.items():
            with self.subTest(name):
                self.assertLess(value, tolerance)

    def test_double(self):
        self.compare("double", "deterministic", 1e-10)

    def test_double_bitwise(self):
        self.compare("double", "bitwise", 2e-9)  # terms are rounded to multiples of sums.range 2^-51

    def test_mixed(self):
        self.compare("mixed", "deterministic", 2e-5)

    def test_single(self):
        self.compare("single", "deterministic", 2e-4)


if __name__ == "__main__":
    unittest.main()
