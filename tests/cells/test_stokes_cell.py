"""perf/stokes_cell.py, what cells are compared with: its membrane, written on its own, has the program's forces; a
sphere of it in shear turns with half the rate; a vesicle of the program fluctuates as its modes do."""
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "shared"))
from program import SOURCE, ProgramTest  # noqa: E402

sys.path.insert(0, str(SOURCE / "perf"))
import stokes_cell  # noqa: E402
import validate_cells  # noqa: E402

DECK = """
[run]
steps = 60
timestep = 0.002
seed = 3
temperature = 0.5
precision = "double"
[box]
size = [12.0, 12.0, 12.0]
[neighbor]
skin = 0.4
[[population]]
name = "cell"
kind = "membrane"
species = "M"
mesh = "red-cell"
vertices = 162
diameter = 6.0
centers = [6.0, 6.0, 6.0]
normals = [0.3, 0.4, 1.0]
[[membrane]]
population = "cell"
shear_modulus = 50.0
bending_modulus = 4.0
area_modulus = 300.0
local_area_modulus = 70.0
volume_modulus = 200.0
[[interaction]]
between = ["M", "M"]
a = 0.0
gamma = 0.0
cutoff = 1.0
[[output]]
format = "trajectory"
every = 30
fields = ["position", "image", "force"]
precision = "double"
"""


class StokesCell(ProgramTest):
    def of_the_mesh(self, deck, name):
        """Results, and the membrane of stokes_cell."""
        out = self.home / name
        self.run_well(self.deck(deck, name + ".toml"), "--output", out, "--quiet")
        with h5py.File(out / "surfaces.h5") as file:
            rest, triangles = file["cell/position"][0], file["cell/triangles"][()]
        return out, stokes_cell.Membrane(rest, triangles, 50.0, 4.0, 300.0, 70.0, 200.0)

    def test_forces_are_the_programs(self):
        out, membrane = self.of_the_mesh(DECK, "alone")
        with h5py.File(out / "trajectory.h5") as file:
            group = file["particles/all"]
            place, force = group["position/value"][()], group["force/value"][()]
            order = np.argsort(group["id"][()])
        for frame in range(1, len(place)):
            expected = membrane.forces(place[frame][order])
            np.testing.assert_allclose(force[frame][order], expected, atol=1e-5 * np.abs(expected).max())
            self.assertGreater(np.abs(expected).max(), 1.0)

    def test_a_sphere_turns_with_the_flow(self):
        deck = DECK.replace('"red-cell"', '"sphere"').replace("steps = 60", "steps = 1")
        _, membrane = self.of_the_mesh(deck, "sphere")
        rate, radius = 0.04, 3.0
        places, times = stokes_cell.in_shear(membrane, 2.5, rate, 1.0, step=0.0005, every=0.02)
        # Nearly rigid: eta rate R / mu is 0.006. Angles about the vorticity's axis, of vertices well off it.
        first = np.hypot(places[0, :, 0], places[0, :, 1]) > 0.5 * radius
        angle = np.unwrap(np.arctan2(places[:, first, 1], places[:, first, 0]), axis=0)
        self.assertAlmostEqual(-((angle[-1] - angle[0]) / times[-1]).mean() / (0.5 * rate), 1.0, delta=0.02)

    def test_modes(self):
        """Forces along each are what its energy asks for, and none is of the whole."""
        deck = DECK.replace('"red-cell"', '"sphere"').replace("steps = 60", "steps = 1")
        _, membrane = self.of_the_mesh(deck, "round")
        place = membrane.relaxed(membrane.place + 0.01 * np.sin(7.0 * membrane.place[:, ::-1]))
        self.assertLess(np.abs(membrane.forces(place)).max(), 1e-9)
        modes = membrane.modes(place)
        self.assertEqual(modes.shape, (3 * 162, 3 * 162 - 6))
        for k in (0, 17, 200, 479):
            by = 1e-4 * modes[:, k].reshape(-1, 3)
            pull = membrane.forces(place + by) - membrane.forces(place - by)
            np.testing.assert_allclose(-0.5e8 * (pull * by).sum(), 1.0, rtol=1e-3)
            self.assertLess(np.abs(by.sum(axis=0)).max(), 1e-6 * np.abs(by).sum())

    def test_a_vesicle_fluctuates_as_its_modes_do(self):
        """Waves of degree 2 to 8 of a coarse mesh, about its mean shape. They are not quite harmonic: 3%, and 4 s.e. A
        temperature, or a bending modulus, that is 6% off is seen."""
        out = self.home / "vesicle"
        self.run_well(SOURCE / "examples/cells/vesicle.toml", "--output", out, "--quiet", "--steps", 60000, "--set",
                      "output.1.every=100", "--set", "population.0.vertices=162")
        degrees = range(2, 9)
        rest, triangles, _, mean, error = validate_cells.waves(out, degrees)
        known = validate_cells.waves_of_the_mesh(rest, triangles, degrees, 0.025, 100.0, 7.5)
        ratio, error = validate_cells.over_those_of_the_mesh(mean, error, known)
        self.assertLess(error, 0.01, "the run is too short to mean anything")
        self.assertLess(abs(ratio - 1.0), 0.03 + 4.0 * error)
        self.assertLess(np.abs(mean / known - 1.0).max(), 0.5)


if __name__ == "__main__":
    unittest.main()
