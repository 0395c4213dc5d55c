"""Molecules in a sheared box: bonds, angles and dihedrals through faces whose images slide, against brute force; chains
that stay whole over many crossings; one hash on any number of ranks; exact resume; measured shapes."""
import csv
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "shared"))
from program import ProgramTest, mesowarp, summary  # noqa: E402

BOX = np.array([8.0, 12.0, 8.0])
RATE, TIMESTEP, BEADS, CHAINS = 0.8, 0.005, 6, 80
K, R0, K_ANGLE, THETA0, K_DIHEDRAL, PHI0 = 120.0, 0.6, 40.0, 110.0, 1.5, 60.0
DECK = f"""
[run]
steps = {{steps}}
timestep = {TIMESTEP}
seed = 5
precision = "{{precision}}"
reproducibility = "{{reproducibility}}"
[box]
size = {BOX.tolist()}
[shear]
flow = "{{flow}}"
gradient = "{{gradient}}"
rate = {RATE}
[neighbor]
skin = 0.4
[parallel]
reach = 2.0
[[population]]
name = "chains"
kind = "polymer"
molecule = "A{BEADS}"
count = {CHAINS}
bond_length = {R0}
{{water}}
[[interaction]]
between = "*"
a = {{a}}
gamma = {{gamma}}
[[bond]]
population = "chains"
k = {K}
r0 = {R0}
[[angle]]
population = "chains"
k = {K_ANGLE}
theta0 = {THETA0}
[[dihedral]]
population = "chains"
k = {K_DIHEDRAL}
phi0 = {PHI0}
n = 2
[[output]]
format = "table"
every = {{every}}
columns = ["time", "temperature", "potential_energy", "momentum_x", "momentum_y", "momentum_z", "shear_stress"]
[[output]]
format = "trajectory"
every = {{every}}
fields = ["position", "image", "velocity", "force"]
precision = "double"
[[output]]
format = "checkpoint"
every = 500
[[measure]]
style = "chains"
r_max = 4.0
every = {{every}}
"""
WATER = """
[[population]]
name = "water"
species = "W"
count = 1400
"""


def deck(**changes):
    words = {"steps": 1200, "precision": "double", "reproducibility": "bitwise", "flow": "x", "gradient": "y",
             "water": WATER, "a": 15.0, "gamma": 4.5, "every": 100}
    return DECK.format(**(words | changes))


def frames_of(path, flow, gradient):
    """Each frame: position, image, force, and how far the images above have slid, which only step and rate tell."""
    with h5py.File(path) as file:
        group = file["particles/all"]
        bonds = file["connectivity/bonds"][()].astype(int)
        for frame, step in enumerate(group["position/step"][()]):
            slide = np.zeros(3)
            slide[flow] = RATE * BOX[gradient] * TIMESTEP * step
            np.testing.assert_allclose(group["box/slide/value"][frame], slide, atol=1e-5)
            yield bonds, *(group[f"{name}/value"][frame] for name in ("position", "image", "force")), slide


def nearest(difference, slide, gradient):
    """Among all images of a sheared box: those of the next layers, too."""
    best = None
    for layer in (-1, 0, 1):
        moved = difference + layer * slide
        moved[:, gradient] += layer * BOX[gradient]
        for axis in range(3):
            if axis != gradient:
                moved[:, axis] -= BOX[axis] * np.rint(moved[:, axis] / BOX[axis])
        best = moved if best is None else np.where(((moved**2).sum(1) < (best**2).sum(1))[:, None], moved, best)
    return best


def whole_chains(position, slide, gradient):
    """[chain][bead][axis]: each bead at the image that is nearest to the bead before."""
    beads = position[:CHAINS * BEADS].reshape(CHAINS, BEADS, 3)
    whole = beads.copy()
    for bead in range(1, BEADS):
        whole[:, bead] = whole[:, bead - 1] + nearest(beads[:, bead] - beads[:, bead - 1], slide, gradient)
    return whole


def energy(chains):
    """Of each chain."""
    bonds = chains[:, 1:] - chains[:, :-1]
    length = np.linalg.norm(bonds, axis=2)
    total = (0.5 * K * (length - R0)**2).sum(1)
    cosine = -(bonds[:, 1:] * bonds[:, :-1]).sum(2) / (length[:, 1:] * length[:, :-1])
    total += (0.5 * K_ANGLE * (np.arccos(np.clip(cosine, -1, 1)) - np.radians(THETA0))**2).sum(1)
    first, second = np.cross(bonds[:, :-2], bonds[:, 1:-1]), np.cross(bonds[:, 1:-1], bonds[:, 2:])
    sine = (np.cross(first, second) * bonds[:, 1:-1]).sum(2) / length[:, 1:-1]
    phi = np.arctan2(sine, (first * second).sum(2))
    return total + (K_DIHEDRAL * (1 + np.cos(2 * phi - np.radians(PHI0)))).sum(1)


def forces(chains, h=1e-5):
    found = np.zeros_like(chains)
    for bead in range(BEADS):
        for axis in range(3):
            low, high = chains.copy(), chains.copy()
            low[:, bead, axis] -= h
            high[:, bead, axis] += h
            found[:, bead, axis] = -(energy(high) - energy(low)) / (2 * h)
    return found


class ShearedChains(ProgramTest):
    def run_deck(self, name, *options, ranks=1, **changes):
        output = self.home / name
        self.run_well(self.deck(deck(**changes), name + ".toml"), "--output", output, "--quiet", *options, ranks=ranks)
        return output

    def table(self, output):
        with open(output / "thermo.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        return {key: np.array([float(row[key]) for row in rows]) for key in rows[0]}

    def test_check_says_that_molecules_need_more_room_than_the_box_has(self):
        """Three bonds of 0.6 and k = 120 span 2.75, and 3.9 is less than twice that, as the run would find."""
        narrow = deck(steps=1).replace("[parallel]\nreach = 2.0\n", "").replace("[8.0, 12.0, 8.0]", "[8.0, 12.0, 3.9]")
        done = mesowarp("check", self.deck(narrow))
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("angles and dihedrals may span", done.stderr)

    def test_forces_are_those_of_nearest_images(self):
        """Of bonds, angles and dihedrals alone, all beads, many of them on either side of a face."""
        for ranks, flow, gradient in ((1, 0, 1), (2, 0, 1), (1, 2, 0), (3, 1, 2)):
            output = self.run_deck(f"bare{ranks}{flow}{gradient}", ranks=ranks, flow="xyz"[flow],
                                   gradient="xyz"[gradient], water="", a=0.0, gamma=0.0, steps=1500, every=150)
            table = self.table(output)
            with h5py.File(output / "trajectory.h5") as file:
                velocity = file["particles/all/velocity/value"][()]
            across = 0
            for frame, (_, position, _, force, slide) in enumerate(
                    frames_of(output / "trajectory.h5", flow, gradient)):
                chains = whole_chains(position, slide, gradient)
                across += (np.abs(chains[..., gradient] - 0.5 * BOX[gradient]) > 0.5 * BOX[gradient]).any(1).sum()
                np.testing.assert_allclose(force.reshape(chains.shape), forces(chains), rtol=1e-6, atol=2e-5)
                self.assertAlmostEqual(table["potential_energy"][frame] / energy(chains).sum(), 1.0, delta=1e-6)
                # the motion without the flow, and what the terms carry
                own = velocity[frame, :, flow] - RATE * (position[:, gradient] - 0.5 * BOX[gradient])
                stress = (own * velocity[frame, :, gradient]).sum()
                stress += (chains[..., flow] * forces(chains)[..., gradient]).sum()
                self.assertAlmostEqual(table["shear_stress"][frame], -stress / BOX.prod(), delta=1e-5)
            self.assertGreater(across, 50)

    def test_chains_stay_whole(self):
        """A wrong image would tear a bond at once. The images slide by 14 boxes; chains go through faces many times."""
        for precision in ("single", "mixed", "double"):
            output = self.run_deck(f"whole_{precision}", precision=precision, steps=2400, every=100,
                                   reproducibility="deterministic")
            crossings, before = 0, None
            for bonds, position, image, _, slide in frames_of(output / "trajectory.h5", 0, 1):
                chains = whole_chains(position, slide, 1)
                length = np.linalg.norm(chains[:, 1:] - chains[:, :-1], axis=2)
                self.assertGreater(length.min(), 0.15)
                self.assertLess(length.max(), 1.35)
                # unwrapped by its images a molecule is whole
                whole = position + image * BOX + image[:, 1:2] * slide
                apart = np.linalg.norm(whole[bonds[:, 1]] - whole[bonds[:, 0]], axis=1)
                self.assertLess(apart.max(), 1.35)
                crossings += 0 if before is None else (image[:, 1] != before).sum()
                before = image[:, 1]
            self.assertGreater(crossings, 300)
            table = self.table(output)
            self.assertLess(abs(table["temperature"][5:].mean() - 1.1), 0.1)  # friction heats
            self.assertGreater(table["shear_stress"][5:].mean(), 0.0)
            for axis in "xyz":
                drift = np.abs(table["momentum_" + axis] - table["momentum_" + axis][0]).max()
                self.assertLess(drift, 1e-6 if precision == "double" else 0.05)

    def test_measured_shapes_are_those_of_whole_chains(self):
        output = self.run_deck("shapes", steps=800, every=200)
        radius = []
        for _, position, _, _, slide in frames_of(output / "trajectory.h5", 0, 1):
            chains = whole_chains(position, slide, 1)
            centred = chains - chains.mean(1, keepdims=True)
            radius.append(((centred**2).sum(2).mean(1).mean(), ((chains[:, -1] - chains[:, 0])**2).sum(1).mean()))
        with open(output / "chains_means.csv", encoding="utf-8", newline="") as file:
            means, = csv.DictReader(file)
        for name, value in zip(("rg2", "re2"), np.mean(radius, axis=0)):
            self.assertAlmostEqual(float(means[name]) / value, 1.0, delta=1e-9)

    def test_one_hash_on_any_number_of_ranks_and_exact_resume(self):
        found = {ranks: summary(self.run_deck(f"ranks{ranks}", ranks=ranks))["state_hash"] for ranks in (1, 2, 3)}
        self.assertEqual(len(set(found.values())), 1, found)
        for first, then in ((1, 1), (3, 1), (1, 2)):
            name = f"resumed{first}{then}"
            self.run_deck(name, "--steps", 700, ranks=first)
            output = self.run_deck(name, "--resume", ranks=then)
            self.assertEqual(summary(output)["state_hash"], found[1], (first, then))

    def test_starts_from_a_file_with_chains_across_the_face(self):
        """A frame of a box at rest, whose chains go through faces that are to slide; of a sheared one, whose images
        have gone somewhere. Each run begins with images that have not."""
        def without_velocities(text):
            return text.replace('fields = ["position", "image", "velocity", "force"]', 'fields = ["position", "image"]')

        sheared = without_velocities(deck(steps=601, every=601))
        rest = sheared.replace(f'[shear]\nflow = "x"\ngradient = "y"\nrate = {RATE}\n', "")
        rest = rest.replace(', "shear_stress"', "")
        self.assertNotIn("shear", rest)
        begin = deck(steps=200, every=100, water="").replace(
            f'molecule = "A{BEADS}"\ncount = {CHAINS}\nbond_length = {R0}\n',
            'initial = "file"\nfile = "FROM/trajectory.h5"\ntypes = ["A", "W"]\n')
        for name, text in (("rest", rest), ("sheared", sheared)):
            self.run_well(self.deck(text, f"{name}.toml"), "--output", self.home / name, "--quiet")
            output = self.home / f"from_{name}"
            self.run_well(self.deck(begin.replace("FROM", name), f"from_{name}.toml"), "--output", output, "--quiet")
            for bonds, position, image, _, slide in frames_of(output / "trajectory.h5", 0, 1):
                whole = position + image * BOX + image[:, 1:2] * slide
                self.assertLess(np.linalg.norm(whole[bonds[:, 1]] - whole[bonds[:, 0]], axis=1).max(), 1.35)

    def test_relaxation_parts_what_overlaps(self):
        """In the box that is sheared, before it is."""
        text = deck(steps=1, every=1, water=WATER).replace("[shear]", "[relaxation]\nsteps = 300\n[shear]")
        self.run_well(self.deck(text, "relaxed.toml"), "--output", self.home / "relaxed", "--quiet")
        _, position, *_, slide = next(frames_of(self.home / "relaxed/trajectory.h5", 0, 1))
        apart = np.array([np.linalg.norm(np.delete(nearest(position - p, slide, 1), k, axis=0), axis=1).min()
                          for k, p in enumerate(position[::40] * 1.0) for k in (40 * k,)])
        self.assertGreater(apart.min(), 0.4)


if __name__ == "__main__":
    unittest.main(verbosity=2)
