"""scripts/quickstart without its installation and build: a shortened run, the viscosity it prints, the picture it
draws."""
import json
import re
import subprocess
import sys
import types
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from program import PROGRAM, SOURCE, ProgramTest, script  # noqa: E402

STEPS = 4000
LINE = re.compile(r"^viscosity (\d\.\d{3}) ± (\d\.\d{3})   published 2\.09 ± 0\.02   "
                  r"difference [+-]\d+\.\d standard errors   \(error from thermal motion\)$", re.M)


class Quickstart(ProgramTest):
    def quickstart(self, *arguments):
        command = [
            str(SOURCE / "scripts" / "quickstart"), "--program", PROGRAM, "--output",
            str(self.home / "out"), *arguments
        ]
        return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)

    def test_the_number_and_the_picture(self):
        run = ("--", "--steps", str(STEPS), "--set", "run.precision=single", "--set", "measure.flow.window=500",
               "--quiet")
        done = self.quickstart(*run)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        found = LINE.search(done.stdout)
        self.assertTrue(found, done.stdout)
        viscosity, error = float(found[1]), float(found[2])
        # So short a run is 16% off at one standard error: this holds the fit's sanity, tests/physics the viscosity.
        self.assertLess(abs(viscosity - 2.09), 4 * error)
        self.assertLess(error, 0.7)
        self.check_picture(self.home / "out" / "viscosity.png")
        self.check_that_the_data_reach_the_fit(viscosity)
        again = self.quickstart(*run)
        self.assertIn("has run already", again.stderr)
        self.assertIn(found[0], again.stdout)

    def check_picture(self, path):
        """A PNG that is not blank: points and lines of the three times are in their colours, so they lie within the
        axes."""
        import matplotlib.image
        pixels = np.round(matplotlib.image.imread(path)[:, :, :3] * 255).astype(int)
        self.assertGreater(pixels.shape[0] * pixels.shape[1], 300000)
        for colour in ((0x99, 0x99, 0x99), (0x56, 0xb4, 0xe9), (0, 0x72, 0xb2), (0xd5, 0x5e, 0)):
            self.assertGreater((np.abs(pixels - colour).max(axis=2) < 8).sum(), 300, f"nothing is drawn in {colour}")

    def test_the_curve_of_the_mean_velocity_is_that_of_the_profiles(self):
        """The right half of the picture: at rest first, at the end the parabola's mean, between them the profile's
        mean."""
        fit = script("poiseuille-viscosity")
        setup = types.SimpleNamespace(length=12.0, acceleration=-0.055, timestep=0.001)
        block = {"first_step": 8999, "last_step": 9001}
        model = fit.Model(setup, 6.0, [block], 48)
        start, now, end = model.mean_at(2.09, np.array([0.0, 9.0, np.inf]))
        self.assertEqual(start, 0.0)
        self.assertAlmostEqual(end, 6.0 * 0.055 * 6.0**2 / (12 * 2.09), places=4)
        profile = fit.folded(model.velocity(2.09)[0], -1.0)
        self.assertAlmostEqual(now, profile.mean(), places=4)
        self.assertTrue(0.5 * end < now < 0.7 * end)

    def check_that_the_data_reach_the_fit(self, viscosity):
        """The points lie on the developing flow that is drawn through them, which the title says is short of the steady
        one."""
        result = self.home / "result.json"
        subprocess.run([
            sys.executable,
            str(SOURCE / "scripts" / "poiseuille-viscosity"),
            str(self.home / "out"), "--out",
            str(result)
        ], capture_output=True, check=True)
        run = json.loads(result.read_text())["runs"][0]
        self.assertAlmostEqual(run["viscosity"], viscosity, places=3)
        self.assertAlmostEqual(run["end_time"], STEPS * 0.001, delta=0.02)
        rows = np.genfromtxt(self.home / "out" / "flow.csv", delimiter=",", names=True)
        last = rows[rows["block"] == rows["block"].max()]
        half = len(last) // 2
        folded = (last["velocity_z"][:half] - last["velocity_z"][half:]) / 2
        steady = 6.0 * 0.055 / (8 * viscosity) * 6.0**2
        middle = folded[half // 2 - 6 : half // 2 + 6].mean()  # of 12 bins: thermal motion moves it by 0.02 or so
        self.assertAlmostEqual(middle, run["share_of_steady_velocity"] * steady, delta=0.08)
        self.assertTrue(0.1 < run["share_of_steady_velocity"] < 0.6, run)


if __name__ == "__main__":
    unittest.main()
