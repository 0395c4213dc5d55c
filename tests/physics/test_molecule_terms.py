"""Angles and dihedrals in equilibrium against Boltzmann: molecules of three and four beads that feel nothing but their
own terms and a Langevin medium. An angle's density is sin(theta) exp(-U / kT), a dihedral's exp(-U / kT), and a chain
with a cosine angle is the discrete worm-like chain: tangents n bonds apart have the mean cosine L^n with
L = coth(k / kT) - kT / k. Molecules are independent, so standard errors are from means of each molecule over time."""
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "shared"))
from program import ProgramTest  # noqa: E402

MOLECULES, SIGMA, BENDING = 250, 4.0, 5.0
EDGE = 24.0
START = f"""
[run]
steps = 4000
timestep = 0.005
seed = 7
[box]
size = [{EDGE}, {EDGE}, {EDGE}]
[[interaction]]
between = "*"
style = "dpd"
a = 0.0
gamma = 0.0
[[output]]
format = "trajectory"
every = 40
fields = ["position"]
precision = "double"
"""
POPULATION = """
[[population]]
name = "{name}"
kind = "polymer"
molecule = "{molecule}"
letters = {{ A = "{name}" }}
count = {count}
bond_length = 0.7
[[bond]]
population = "{name}"
k = 150.0
r0 = 0.7
[[thermostat]]
population = "{name}"
friction = 3.0
"""
# name, style, k, theta0 or phi0, n
ANGLES = [("bent", "harmonic", 6.0, 110.0), ("straight", "harmonic", 4.0, 180.0), ("wide", "cosine", 3.0, 180.0),
          ("squared", "cosine-squared", 9.0, 95.0)]
DIHEDRALS = [("threefold", "cosine", 1.2, 40.0, 3), ("held", "harmonic", 3.0, -120.0, 1)]
CHAIN = 8


def deck():
    text = START
    for name, style, k, rest in ANGLES:
        text += POPULATION.format(name=name, molecule="A3", count=MOLECULES)
        text += f'[[angle]]\npopulation = "{name}"\nstyle = "{style}"\nk = {k}\n'
        text += "" if style == "cosine" else f"theta0 = {rest}\n"
    for name, style, k, rest, n in DIHEDRALS:
        text += POPULATION.format(name=name, molecule="A4", count=MOLECULES)
        text += f'[[angle]]\npopulation = "{name}"\nk = 25.0\ntheta0 = 105.0\n'
        text += f'[[dihedral]]\npopulation = "{name}"\nstyle = "{style}"\nk = {k}\nphi0 = {rest}\n'
        text += f"n = {n}\n" if style == "cosine" else ""
    text += POPULATION.format(name="worms", molecule=f"A{CHAIN}", count=120)
    text += f'[[angle]]\npopulation = "worms"\nstyle = "cosine"\nk = {BENDING}\n'
    return text


def angle_energy(style, k, rest, theta):
    rest = np.radians(rest)
    return {"harmonic": 0.5 * k * (theta - rest)**2, "cosine": k * (1 + np.cos(theta)),
            "cosine-squared": 0.5 * k * (np.cos(theta) - np.cos(rest))**2}[style]


def dihedral_energy(style, k, rest, n, phi):
    rest = np.radians(rest)
    off = np.remainder(phi - rest + np.pi, 2 * np.pi) - np.pi
    return k * (1 + np.cos(n * phi - rest)) if style == "cosine" else 0.5 * k * off**2


def means(density, values, grid):
    weight = density / density.sum()
    return [(weight * value(grid)).sum() for value in values]


class Equilibrium(ProgramTest):
    def expect(self, name, samples, expected):
        """samples [frame][molecule] against a mean, by the errors of molecules."""
        of_molecule = samples.mean(axis=0)
        error = of_molecule.std(ddof=1) / np.sqrt(len(of_molecule))
        away = (of_molecule.mean() - expected) / error
        print(f"{name}: {of_molecule.mean():.4f} ± {error:.4f}, exact {expected:.4f}: {away:+.1f} errors", flush=True)
        with self.subTest(name):
            self.assertLess(abs(away), SIGMA)
            self.assertLess(error, 0.02)

    def test_distributions(self):
        self.run_well(self.deck(deck()), "--output", self.home / "out", "--quiet")
        with h5py.File(self.home / "out/trajectory.h5") as file:
            steps = file["particles/all/position/step"][()]
            position = file["particles/all/position/value"][steps > 1000]
            molecule = file["particles/all/molecule"][()]
            counts = {name: len(file[f"connectivity/{name}"]) for name in ("bonds", "angles", "dihedrals")}
        three, four = len(ANGLES) * MOLECULES, len(DIHEDRALS) * MOLECULES
        self.assertEqual(counts, {"bonds": 2 * three + 3 * four + 120 * (CHAIN - 1),
                                  "angles": three + 2 * four + 120 * (CHAIN - 2), "dihedrals": four})
        np.testing.assert_array_equal(
            molecule, 1 + np.concatenate([np.repeat(np.arange(three), 3), three + np.repeat(np.arange(four), 4),
                                          three + four + np.repeat(np.arange(120), CHAIN)]))
        first = 0

        def bonds(beads, count):
            """[frame][molecule][bond][axis], the molecules' next ones."""
            nonlocal first
            at = position[:, first:first + beads * count].reshape(len(position), count, beads, 3)
            first += beads * count
            step = np.diff(at, axis=2)
            return step - EDGE * np.rint(step / EDGE)

        grid = (np.arange(20000) + 0.5) * np.pi / 20000
        for name, style, k, rest in ANGLES:
            step = bonds(3, MOLECULES)
            unit = step / np.linalg.norm(step, axis=3, keepdims=True)
            cosine = -(unit[:, :, 0] * unit[:, :, 1]).sum(axis=2)
            exact = means(np.sin(grid) * np.exp(-angle_energy(style, k, rest, grid)),
                          (np.cos, lambda t: np.cos(t)**2), grid)
            self.expect(f"{name}: cos theta", cosine, exact[0])
            self.expect(f"{name}: cos^2 theta", cosine**2, exact[1])
        turn = np.concatenate([-grid[::-1], grid])
        for name, style, k, rest, n in DIHEDRALS:
            step = bonds(4, MOLECULES)
            a, b = np.cross(step[:, :, 0], step[:, :, 1]), np.cross(step[:, :, 1], step[:, :, 2])
            phi = np.arctan2((np.linalg.norm(step[:, :, 1], axis=2) * (step[:, :, 0] * b).sum(axis=2)),
                             (a * b).sum(axis=2))
            exact = means(np.exp(-dihedral_energy(style, k, rest, n, turn)),
                          (lambda p: np.cos(n * p), lambda p: np.sin(n * p)), turn)
            self.expect(f"{name}: cos {n} phi", np.cos(n * phi), exact[0])
            self.expect(f"{name}: sin {n} phi", np.sin(n * phi), exact[1])
        step = bonds(CHAIN, 120)
        unit = step / np.linalg.norm(step, axis=3, keepdims=True)
        langevin = 1 / np.tanh(BENDING) - 1 / BENDING
        for apart in (1, 2, 4, 6):
            found = (unit[:, :, :-apart] * unit[:, :, apart:]).sum(axis=3).mean(axis=2)
            self.expect(f"worm-like chain, {apart} bonds apart", found, langevin**apart)


if __name__ == "__main__":
    unittest.main()
