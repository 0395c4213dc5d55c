"""Pair forces, thermostats and chains against values of LAMMPS (interactions_lammps.json).

Forces on shared places to 1e-10; temperature, pressure and energy of a Lennard-Jones liquid with the DPD thermostat;
pressure and bond length of Kremer and Grest's melt, with a Langevin thermostat, from a random start. Values agree
within SIGMAS joint standard errors from block averages.
"""
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent / "shared")]
from interaction_cases import BOX, LIQUID, LJ, MELT, SOFT, TABLE, places, recorded, write_table  # noqa: E402
from observables import block_estimate, mean_bond_length, read_table  # noqa: E402
from observed import read_frames  # noqa: E402
from program import ProgramTest  # noqa: E402
from programs import write_data  # noqa: E402

SIGMAS = 4.0
# Of the mean radius of gyration over 50 units of time, from a run of 400: chains forget theirs slowly, so that blocks
# of a short run would not know its error. It is compared over 80, LAMMPS's over 200.
SCATTER = 0.024
PAIRS = {
    "lj": f'style = "lj"\nepsilon = {LJ["epsilon"]}\nsigma = {LJ["sigma"]}\ncutoff = {LJ["cutoff"]}\n',
    "soft": f'style = "soft"\namplitude = {SOFT["amplitude"]}\ncutoff = {SOFT["cutoff"]}\n',
    "table": f'style = "table"\nfile = "pair.table"\nsection = "MORSE"\ninterpolation = "linear"\n'
             f'points = {TABLE["points"]}\n',
}


def interactions(*styles):
    return "".join(f'[[interaction]]\nbetween = "*"\n{PAIRS[style]}' for style in styles)


def run_block(steps, timestep, temperature=1.0, more=""):
    return f"[run]\nsteps = {steps}\ntimestep = {timestep}\ntemperature = {temperature}\nseed = 3\n{more}"


def box(edge):
    return f"[box]\nsize = [{edge!r}, {edge!r}, {edge!r}]\n"


def table_output(every, *columns):
    names = ", ".join(f'"{name}"' for name in columns)
    return f'[[output]]\nformat = "table"\nevery = {every}\ncolumns = [{names}]\n'


def trajectory(every):
    return (f'[[output]]\nformat = "trajectory"\nevery = {every}\nprecision = "double"\n'
            'fields = ["position", "image", "velocity", "force"]\n')


def gyration(frames, edge):
    """Mean over the chains of each frame of their radius of gyration."""
    beads = frames.reshape(len(frames), MELT["chains"], MELT["beads"], 3)
    steps = np.diff(beads, axis=2)
    steps -= edge * np.rint(steps / edge)
    at = np.concatenate([np.zeros_like(beads[:, :, :1]), np.cumsum(steps, axis=2)], axis=2)
    at -= at.mean(axis=2, keepdims=True)
    return np.sqrt((at**2).sum(axis=3).mean(axis=2)).mean(axis=1)


class Interactions(ProgramTest):
    @classmethod
    def setUpClass(cls):
        cls.reference = recorded()

    def forces(self, precision, *styles):
        name = f"{precision}_{'_'.join(styles)}"
        write_data(self.home / "start.data", (BOX, ) * 3, places(), [1] * len(places()))
        write_table(self.home / "pair.table")
        text = (run_block(0, 0.001, more=f'precision = "{precision}"\n') + box(BOX) +
                '[[population]]\nname = "a"\nspecies = "A"\ninitial = "file"\nfile = "start.data"\n' +
                interactions(*styles) + trajectory(1))
        return read_frames(self.go(name, text))["force"][0]

    def go(self, name, text):
        self.run_well(self.deck(text, f"{name}.toml"), "--output", self.home / name, "--quiet")
        return self.home / name

    def test_forces_on_the_same_places(self):
        for styles in (("lj", ), ("soft", ), ("table", ), ("lj", "soft")):
            expected = np.array(self.reference["forces"]["+".join(styles)])
            scale = np.abs(expected).max()
            for precision, tolerance in (("double", 1e-10), ("mixed", 2e-5), ("single", 2e-5)):
                with self.subTest(styles=styles, precision=precision):
                    off = np.abs(self.forces(precision, *styles) - expected).max() / scale
                    self.assertLess(off, tolerance)

    def test_forces_of_several_blocks_are_their_sum(self):
        both = self.forces("double", "soft", "table", "lj")
        alone = sum(np.array(self.reference["forces"][name]) for name in ("soft", "table", "lj"))
        self.assertLess(np.abs(both - alone).max() / np.abs(alone).max(), 1e-10)

    def compare(self, name, quantity, series):
        mine = block_estimate(series)
        mean, error = self.reference[name][quantity]
        joint = float(np.hypot(mine.error, error))
        line = f"{name} {quantity}: {mine.mean:.5f} ± {mine.error:.5f}, LAMMPS {mean:.5f} ± {error:.5f}"
        print(line, flush=True)
        self.assertLess(abs(mine.mean - mean), SIGMAS * joint, line)
        return joint

    def test_liquid_with_the_dpd_thermostat(self):
        edge = (LIQUID["count"] / LIQUID["density"])**(1 / 3)
        output = self.go("liquid", run_block(12000, LIQUID["timestep"], LIQUID["temperature"]) + box(edge) +
                         f'[relaxation]\n[[population]]\nname = "a"\nspecies = "A"\ncount = {LIQUID["count"]}\n'
                         '[[interaction]]\nbetween = "*"\nstyle = "lj"\n[[interaction]]\nbetween = "*"\n'
                         f'style = "dpd-thermostat"\ngamma = {LIQUID["gamma"]}\ncutoff = {LIQUID["reach"]}\n' +
                         table_output(10, "temperature", "pressure", "potential_energy"))
        table = read_table(output / "thermo.csv", after=2000)
        self.assertLess(self.compare("liquid", "temperature", table["temperature"]), 0.012)
        self.assertLess(self.compare("liquid", "pressure", table["pressure"]), 0.06)
        self.assertLess(self.compare("liquid", "potential", table["potential_energy"] / LIQUID["count"]), 0.02)

    def test_melt_of_kremer_and_grest(self):
        count = MELT["chains"] * MELT["beads"]
        edge = (count / MELT["density"])**(1 / 3)
        output = self.go("melt", run_block(13000, MELT["timestep"]) + box(edge) +
                         f'[relaxation]\nsteps = 800\n[[population]]\nname = "chains"\nkind = "polymer"\n'
                         f'blocks = "{"A" * MELT["beads"]}"\ncount = {MELT["chains"]}\nbond_length = 0.97\n'
                         '[[interaction]]\nbetween = "*"\nstyle = "wca"\n[[bond]]\npopulation = "chains"\n'
                         f'style = "fene"\nk = {MELT["k"]}\nr_max = {MELT["r_max"]}\n'
                         f'[[thermostat]]\nspecies = ["A"]\nfriction = {MELT["friction"]}\n' +
                         table_output(20, "temperature", "pressure") +
                         trajectory(100))
        table = read_table(output / "thermo.csv", after=5000)
        self.assertLess(self.compare("melt", "pressure", table["pressure"]), 0.06)
        self.assertLess(self.compare("melt", "temperature", table["temperature"]), 0.01)
        frames = read_frames(output)["position"][50:]
        bonds = np.array([(c * MELT["beads"] + b, c * MELT["beads"] + b + 1) for c in range(MELT["chains"])
                          for b in range(MELT["beads"] - 1)])
        self.assertLess(self.compare("melt", "bond_length", mean_bond_length(frames, bonds, (edge, ) * 3)), 0.002)
        radius, expected = gyration(frames, edge).mean(), self.reference["melt"]["gyration"][0]
        error = SCATTER * (50.0 / 80.0 + 50.0 / 200.0)**0.5
        line = f"melt radius of gyration: {radius:.4f}, LAMMPS {expected:.4f}, joint standard error {error:.4f}"
        print(line, flush=True)
        self.assertLess(abs(radius - expected), SIGMAS * error, line)


if __name__ == "__main__":
    unittest.main()
