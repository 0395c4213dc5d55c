"""Impropers of a LAMMPS data file, which count on behind its dihedral types: energy and forces of centres with three
arms, by a formula of the test's own."""
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "shared"))
from program import ProgramTest  # noqa: E402

STARS, EDGE, K = 200, 20.0, 40.0
DECK = """
[run]
steps = {steps}
timestep = 0.004
seed = 3
precision = "double"
[box]
size = [20.0, 20.0, 20.0]
[[population]]
name = "stars"
kind = "polymer"
initial = "file"
file = "stars.data"
types = ["A"]
[[bond]]
population = "stars"
k = 300.0
r0 = 0.8
[[angle]]
population = "stars"
k = 60.0
theta0 = 120.0
[[dihedral]]  # the file has a dihedral type that nobody is of, so its only improper type is the second
population = "stars"
type = 2
style = "harmonic"
k = {k}
phi0 = 0.0
[[thermostat]]
population = "stars"
friction = 2.0
[[interaction]]
between = "*"
a = 0.0
gamma = 0.0
[[output]]
format = "table"
every = 20
columns = ["potential_energy"]
[[output]]
format = "trajectory"
every = 20
fields = ["position", "image", "force"]
precision = "double"
"""


def data():
    """A centre and three arms at 120 degrees; the improper is centre, arm, arm, arm."""
    generator, lines = np.random.default_rng(1), []
    arms = np.array([[0, 0, 0], [0.8, 0, 0], [-0.4, 0.69282, 0], [-0.4, -0.69282, 0]])
    atoms, bonds, angles, impropers = [], [], [], []
    for star in range(STARS):
        place, first = generator.uniform(1, EDGE - 1, 3), 4 * star + 1
        atoms += [f"{first + k} {star + 1} 1 " + " ".join(f"{x:.6f}" for x in place + arms[k]) for k in range(4)]
        bonds += [f"1 {first} {first + k}" for k in (1, 2, 3)]
        angles += [f"1 {first + a} {first} {first + b}" for a, b in ((1, 2), (2, 3), (1, 3))]
        impropers.append(f"1 {first} {first + 1} {first + 2} {first + 3}")
    lines += ["stars", "", f"{len(atoms)} atoms", "1 atom types", f"{len(bonds)} bonds", "1 bond types",
              f"{len(angles)} angles", "1 angle types", "1 dihedral types", f"{len(impropers)} impropers",
              "1 improper types", ""]
    lines += [f"0 {EDGE} {axis}lo {axis}hi" for axis in "xyz"] + ["", "Atoms # molecular", "", *atoms]
    for title, terms in (("Bonds", bonds), ("Angles", angles), ("Impropers", impropers)):
        lines += ["", title, ""] + [f"{k + 1} {term}" for k, term in enumerate(terms)]
    return "\n".join(lines) + "\n"


def angle_of(stars):
    """Between the planes of the first three and the last three."""
    f, g, h = stars[:, 0] - stars[:, 1], stars[:, 1] - stars[:, 2], stars[:, 3] - stars[:, 2]
    a, b = np.cross(f, g), np.cross(h, g)
    sine = np.linalg.norm(g, axis=1) * (a * h).sum(1)
    return np.arctan2(sine, (a * b).sum(1))


def energy(stars):
    total = 0.5 * K * angle_of(stars)**2
    arms = stars[:, 1:] - stars[:, :1]
    length = np.linalg.norm(arms, axis=2)
    total += (150.0 * (length - 0.8)**2).sum(1)
    for a, b in ((0, 1), (1, 2), (0, 2)):
        cosine = (arms[:, a] * arms[:, b]).sum(1) / (length[:, a] * length[:, b])
        total += 30.0 * (np.arccos(cosine) - np.radians(120.0))**2
    return total


class Impropers(ProgramTest):
    def test_energy_forces_and_equilibrium(self):
        (self.home / "stars.data").write_text(data(), encoding="utf-8")
        out = self.home / "out"
        self.run_well(self.deck(DECK.format(steps=2000, k=K)), "--output", out, "--quiet")
        with h5py.File(out / "trajectory.h5") as file:
            group = file["particles/all"]
            place = group["position/value"][()] + EDGE * group["image/value"][()]
            force = group["force/value"][()]
        stars = place.reshape(len(place), STARS, 4, 3)
        potential = np.genfromtxt(out / "thermo.csv", delimiter=",", names=True)["potential_energy"]
        for frame in (0, 50, 100):
            self.assertAlmostEqual(potential[frame] / energy(stars[frame]).sum(), 1.0, delta=1e-6)
        found, h = np.zeros((STARS, 4, 3)), 1e-5
        for bead in range(4):
            for axis in range(3):
                low, high = stars[100].copy(), stars[100].copy()
                low[:, bead, axis] -= h
                high[:, bead, axis] += h
                found[:, bead, axis] = -(energy(high) - energy(low)) / (2 * h)
        np.testing.assert_allclose(force[100].reshape(found.shape), found, rtol=1e-5, atol=1e-3)
        angles = np.array([angle_of(frame) for frame in stars[50:]])
        self.assertGreater(angles.std(), 0.02)
        self.assertLess(np.abs(angles).max(), 1.2)


if __name__ == "__main__":
    unittest.main()
