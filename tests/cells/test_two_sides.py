"""Membranes with an inside and an outside: who is where at the start and at the end, by winding numbers of its own;
momentum; temperature and pressure that bounces leave alone; a cell in a flow that takes its inside along; species that
belong outside and start inside; bits on ranks and after a resume; what `check` says."""
import re
import shutil
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "shared"))
from observables import block_estimate, difference_in_errors, read_table  # noqa: E402
from program import CHECKPOINTS, ProgramTest, mesowarp, summary  # noqa: E402

SIZE = np.array([10.0, 7.0, 7.0])
VERTICES = 162
DECK = """
[run]
steps = {steps}
timestep = {timestep}
seed = 4
{run}
[box]
size = [10.0, 7.0, 7.0]
[neighbor]
skin = 0.4
[[population]]
name = "cell"
kind = "membrane"
species = "M"
mesh = "sphere"
vertices = 162
diameter = 4.0
centers = [{x}, 3.5, 3.4]
{cell}
[[population]]
name = "plasma"
species = "W"
density = 3.0
{plasma}
[[membrane]]
population = "cell"
shear_modulus = 50.0
bending_modulus = 4.0
friction = 3.0
{membrane}
[[interaction]]
between = "*"
a = 25.0
gamma = 4.5
{more}
[[output]]
format = "table"
every = {every}
columns = ["temperature", "pressure", "momentum_x", "momentum_y", "momentum_z"{columns}]
[[output]]
format = "trajectory"
every = {frames}
fields = ["position", "image", "velocity"]
"""
SIDES = 'inside = "C"\ncheck_every = 25'
# Membranes that rub and do not push: what bounces do shows alone.
RUBS = "".join(f'[[interaction]]\nbetween = ["M", "{s}"]\na = 0.0\ngamma = {g}\n'
               for s, g in (("M", 0.0), ("W", 4.5), ("C", 4.5)))
THICK = '[[interaction]]\nbetween = ["C", "C"]\na = 25.0\ngamma = 20.0\n'


def deck_of(**changes):
    values = {"steps": 100, "timestep": 0.005, "run": "", "x": 9.3, "cell": "", "plasma": "", "membrane": SIDES,
              "more": "", "every": 20, "frames": 100, "columns": ', "wrong_side"'}
    return DECK.format(**{**values, **changes})


def cells_hold(vertices, triangles, places):
    """Winding numbers about places, by solid angles: 0 or 1."""
    around = np.zeros(len(places))
    for corners in vertices[triangles]:
        d = corners[None] - places[:, None]
        a, b, c = d[:, 0], d[:, 1], d[:, 2]
        la, lb, lc = (np.linalg.norm(x, axis=1) for x in (a, b, c))
        volume = np.einsum("ij,ij->i", a, np.cross(b, c))
        angles = (la * lb * lc + np.einsum("ij,ij->i", a, b) * lc + np.einsum("ij,ij->i", b, c) * la
                  + np.einsum("ij,ij->i", c, a) * lb)
        around += 2.0 * np.arctan2(volume, angles)
    return around / (4.0 * np.pi)


def triangles_of(out):
    """Of the first surface file."""
    text = min(out.glob("surface-*.vtp")).read_bytes()
    offset = int(re.search(rb'Name="connectivity"[^>]*offset="(\d+)"', text).group(1))
    data = text[text.index(b"_", text.index(b"<AppendedData")) + 1 + offset:]
    length = int.from_bytes(data[:8], "little")
    return np.frombuffer(data[8:8 + length], dtype=np.int64).reshape(-1, 3)


class Frame:
    """One of a trajectory; particles behind the vertices, which come first."""

    def __init__(self, out, number):
        with h5py.File(out / "trajectory.h5") as file:
            group = file["particles/all"]
            place, image, velocity = (group[f"{name}/value"][number] for name in ("position", "image", "velocity"))
            names = [name.decode() for name in file["parameters/species_names"][()]]
            species = np.array(names)[group["species"][()]]
        self.vertices = (place + image * SIZE)[:VERTICES]
        self.centre = self.vertices.mean(axis=0)
        self.place, self.velocity, self.species = (x[VERTICES:] for x in (place, velocity, species))

    def inside(self, triangles):
        near = self.place - self.centre
        near -= SIZE * np.rint(near / SIZE)
        winding = cells_hold(self.vertices - self.centre, triangles, near)
        assert np.abs(winding - np.rint(winding)).max() < 1e-5
        return winding > 0.5


class TwoSides(ProgramTest):
    def run_deck(self, text, name, *arguments, ranks=1):
        out = self.home / name
        self.run_well(self.deck(text, name + ".toml"), "--output", out, "--quiet", *arguments, ranks=ranks)
        return out

    def test_everybody_stays(self):
        """Through faces of the box, in a flow: the cell takes what is inside along, nobody passes it, momentum stays.
        The inside is four times as rough. At the start as many are inside as the density says."""
        flow = "velocity = [2.0, 0.5, 0.0]"
        out = self.run_deck(deck_of(steps=1000, frames=500, run='precision = "double"', cell=flow,
                                    plasma=flow + '\ninitial = "lattice"', more=THICK), "flow")
        triangles, frames = triangles_of(out), [Frame(out, n) for n in range(3)]
        for frame in frames:
            np.testing.assert_array_equal(frame.inside(triangles), frame.species == "C")
        held = np.sum(frames[0].species == "C")
        self.assertLess(abs(held - 3.0 * 31.5), 12.0)  # a polyhedron in a sphere of 33.5
        self.assertEqual(set(frames[0].species), {"C", "W"})
        self.assertGreater(frames[-1].centre[0] - frames[0].centre[0], 6.0)
        table = read_table(out / "thermo.csv")
        self.assertEqual(table["wrong_side"].max(), 0.0)
        for axis, speed in zip("xyz", (2.0, 0.5, 0.0)):
            momentum = table["momentum_" + axis]
            np.testing.assert_allclose(momentum, momentum[0], atol=1e-9)
            self.assertAlmostEqual(momentum[0], speed * (len(frames[0].species) + VERTICES), delta=1e-6)

    def test_equilibrium_stays(self):
        """A membrane that pushes nobody leaves a fluid's pressure and temperature as they are, on both sides and
        whoever it turns back; inside it is as warm as outside."""
        lattice = 'initial = "lattice"'
        means = []
        for name, sides, more in (("sides", SIDES, RUBS), ("none", "", RUBS[:RUBS.rindex("[[")])):
            columns = ', "wrong_side"' if sides else ""
            out = self.run_deck(deck_of(steps=2500, timestep=0.01, every=5, frames=25, plasma=lattice, membrane=sides,
                                        more=more, columns=columns), name)
            table = read_table(out / "thermo.csv")
            means.append({key: block_estimate(table[key][100:]) for key in ("temperature", "pressure")})
            if sides:
                self.assertEqual(table["wrong_side"].max(), 0.0)
                self.check_temperatures(out)
        for key in ("temperature", "pressure"):
            self.assertLess(difference_in_errors(means[0][key], means[1][key]), 4.0, key)
            self.assertLess(means[0][key].error / means[0][key].mean, 0.006, key)

    def check_temperatures(self, out):
        with h5py.File(out / "trajectory.h5") as file:
            velocity = file["particles/all/velocity/value"][20:]
            species = file["particles/all/species"][()]
        for kind in np.unique(species):
            some = velocity[:, species == kind]
            each = block_estimate((some**2).sum(axis=(1, 2)) / (3.0 * some.shape[1]))
            self.assertLess(abs(each.mean - 1.0), 4.0 * each.error + 0.01, kind)

    def test_who_belongs_outside_goes_home(self):
        """A third species starts on either side: it goes out, and comes in no more. Searches count those inside."""
        third = '[[population]]\nname = "salt"\nspecies = "S"\ncount = 150\n'
        out = self.run_deck(deck_of(steps=1500, timestep=0.01, every=25, frames=1500, plasma=third), "third")
        triangles, first, last = triangles_of(out), Frame(out, 0), Frame(out, 1)
        start = np.sum(first.inside(triangles) & (first.species == "S"))
        end = np.sum(last.inside(triangles) & (last.species == "S"))
        self.assertGreater(start, 3)
        self.assertLess(end, start)
        found = np.diff(read_table(out / "thermo.csv")["wrong_side"])
        self.assertTrue(np.all(np.diff(found) <= 0.0), found)
        self.assertLessEqual(found[0], start)
        self.assertEqual(found[-1], end)
        for frame in (first, last):
            others = frame.species != "S"
            np.testing.assert_array_equal(frame.inside(triangles)[others], (frame.species == "C")[others])

    def test_strays_are_turned_once(self):
        """Of steps longer than the skin, in which particles jump over a membrane: who has done so is found and becomes
        what belongs where it is, so that the next search does not find it again, however often one searches."""
        found = {}
        for every in (1, 10):
            deck = deck_of(steps=100, timestep=0.16, every=100, frames=100, membrane=SIDES.replace("25", str(every)),
                           plasma='initial = "lattice"', more=RUBS.replace("4.5", "0.5"))
            deck = deck.replace("a = 25.0\ngamma = 4.5", "a = 0.5\ngamma = 0.5").replace(
                "diameter = 4.0", "diameter = 4.0\nmass = 2000.0").replace("skin = 0.4", "skin = 0.1")
            found[every] = read_table(self.run_deck(deck, f"long-{every}") / "thermo.csv")["wrong_side"][-1]
        self.assertGreater(found[10], 40.0)
        self.assertLess(found[1], 3.0 * found[10])

    def test_bits_on_ranks_and_after_a_resume(self):
        """In each precision, on any number of ranks; stopped and gone on, on as many or others."""
        for precision in ("mixed", "single", "double"):
            run = f'precision = "{precision}"\nreproducibility = "bitwise"'
            deck = deck_of(run=run, steps=60, frames=60, plasma='initial = "lattice"', more=RUBS + THICK) + CHECKPOINTS
            whole = {summary(self.run_deck(deck, f"{precision}-{ranks}", ranks=ranks))["state_hash"]
                     for ranks in ((1, 2, 4) if precision == "mixed" else (1, 2))}
            self.assertEqual(len(whole), 1, precision)
            part = self.run_deck(deck.replace("steps = 60", "steps = 40"), precision + "-part", ranks=2)
            for after in ((1, 2) if precision == "mixed" else (1,)):
                out = self.home / f"{precision}-on-{after}"
                shutil.copytree(part, out)
                self.run_well(self.deck(deck), "--output", out, "--quiet", "--resume", out / "checkpoint-20.h5",
                              ranks=after)
                self.assertEqual(whole, {summary(out)["state_hash"]}, (precision, after))

    def test_what_cannot_be(self):
        def told(deck, *words):
            done = mesowarp("check", self.deck(deck))
            self.assertEqual(done.returncode, 2, done.stdout)
            for word in words:
                self.assertIn(word, done.stdout + done.stderr)

        told(deck_of(membrane='inside = "W"'), "deck.toml:", '"W" is outside as well')
        told(deck_of(membrane='inside = "M"'), 'population "cell" has the species "M"')
        told(deck_of(membrane='inside = "C"\noutside = "V"'), 'no fluid that moves has the species "V"')
        told(deck_of(membrane='outside = "W"', columns=""), "outside is for membranes that have an inside")
        told(deck_of(membrane="", columns=', "wrong_side"'), "wrong_side")
        told(deck_of(plasma="frozen = true"), "there is no fluid that cells could be filled with")
        told(deck_of(plasma='[[population]]\nname = "x"\nspecies = "X"\ninitial = "cells"', membrane="", columns=""),
             'no [[membrane]] has "X" inside')
        told(deck_of().replace("vertices = 162", "vertices = 42").replace("VERTICES", "42"), "take a finer mesh")
        told(deck_of().replace('between = "*"', 'between = ["W", "W"]'), 'no [[interaction]] between "M" and "C"')


if __name__ == "__main__":
    unittest.main()
