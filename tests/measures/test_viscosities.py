"""scripts/viscosities: short runs of the four ways, held against what the standard fluid has, and G(t) of one against
LAMMPS's; its parabola; how far it says two values are apart, and when it ends with 1."""
import io
import json
import subprocess
import sys
import unittest
from contextlib import redirect_stdout
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from program import PROGRAM, SOURCE, ProgramTest, script  # noqa: E402

SCRIPT = SOURCE / "scripts/viscosities"
# Lees-Edwards shear of longer runs, and LAMMPS's fix deform: 0.848 +- 0.006, 0.851 +- 0.009 (docs/validation.md).
VISCOSITY = 0.849
LAMMPS = json.loads((SOURCE / "tests/compare/lammps_modulus.json").read_text(encoding="utf-8"))


class FourWays(ProgramTest):
    def test_short_runs(self):
        done = subprocess.run([sys.executable, str(SCRIPT), "--program", PROGRAM, "--scale", "0.04", "--seed", "4",
                               "--json", str(self.home / "found.json"), "--work", str(self.home / "runs")],
                              capture_output=True, text=True, check=False, timeout=300)
        self.assertIn(done.returncode, (0, 1), done.stdout + done.stderr)
        found = json.loads((self.home / "found.json").read_text(encoding="utf-8"))
        self.assertEqual(done.returncode, int(max(map(abs, found["apart"].values())) >= 3.0))
        self.assertEqual(list(found["ways"]), ["Green-Kubo", "Poiseuille", "deformation", "stretched"])
        # Blocks of the wide flow are shorter here than it remembers: 0.1 is four times its error.
        for way, least, most, off in (("Green-Kubo", 0.015, 0.09, 0.02), ("Poiseuille", 0.003, 0.05, 0.1),
                                      ("deformation", 0.01, 0.06, 0.01), ("stretched", 0.015, 0.09, 0.02)):
            value = found["ways"][way]
            self.assertTrue(least < value["error"] < most, f"{way}: {value}")
            self.assertLess(abs(value["viscosity"] - VISCOSITY), 4.0 * value["error"] + off, f"{way}: {value}")
            self.assertLess(abs(value["temperature"] - 1.008), 4.0 * value["temperature_error"] + 0.002)
            self.assertIn(way, done.stdout)
        self.assertEqual(done.stdout.count("standard errors"), 6)
        self.assertEqual(sorted(path.name for path in (self.home / "runs").iterdir()),
                         ["deformation", "green-kubo", "poiseuille-10", "poiseuille-5", "stretched"])
        self.check_modulus(self.home / "runs/green-kubo/stress.h5")

    def check_modulus(self, path):
        """Stress autocorrelation of the same fluid, by fix ave/correlate, at each lag. At lag 0 are the random forces,
        which the time step makes large."""
        with h5py.File(path) as file:
            lags = np.array(LAMMPS["lags"])
            modulus, time = file["modulus"][:, :len(lags)], file["coordinate"][:len(lags)]
        np.testing.assert_allclose(time, lags * LAMMPS["timestep"], rtol=0, atol=1e-9)
        error = np.hypot(modulus.std(axis=0, ddof=1) / np.sqrt(len(modulus)), LAMMPS["modulus"]["error"])
        self.assertLess(error[1:].max(), 0.09, "the run is too short to mean anything")
        away = (modulus.mean(axis=0) - LAMMPS["modulus"]["mean"]) / error
        self.assertLess(np.abs(away).max(), 5.0, away)
        self.assertLess((away**2).mean(), 2.5, away)

    def test_what_cannot_run(self):
        done = subprocess.run([sys.executable, str(SCRIPT), "--program", PROGRAM, "--scale", "-1"], capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("--scale must be above 0", done.stderr)

    def test_parabola(self):
        """Means over bins, where the middle of the box lies within a bin as well."""
        for bins in (40, 7):
            x = (np.arange(1000 * bins) + 0.5) * 10.0 / (1000 * bins)
            flow = np.where(x < 5.0, x * (5.0 - x), -(x - 5.0) * (10.0 - x))
            found = script("viscosities").parabolas(bins, 10.0)
            np.testing.assert_allclose(found, flow.reshape(bins, 1000).mean(axis=1), atol=1e-5)

    def test_limit_of_wide_flows(self):
        """Of eta (1 - c / d^2)."""
        module = script("viscosities")
        of = module.mesowarp.Estimate
        of = module.limit(of(0.8 * (1.0 - 1.0 / 25), 0.03), of(0.8 * (1.0 - 0.01), 0.01))
        np.testing.assert_allclose([of.mean, of.error], [0.8, 0.05 / 3.0])

    def test_how_far_apart(self):
        module = script("viscosities")
        of = module.mesowarp.Estimate
        found = {"a": (of(1.0, 0.03), None), "b": (of(0.9, 0.04), None), "c": (of(0.6, 0.0), None)}
        said = io.StringIO()
        with redirect_stdout(said):
            apart = module.compare(found)
        self.assertEqual(list(apart), ["a - b", "a - c", "b - c"])
        np.testing.assert_allclose(list(apart.values()), [2.0, 0.4 / 0.03, 7.5])
        self.assertIn("a - b: +0.1000, +2.0 standard errors", said.getvalue())
        module.measure = lambda options, work: found
        arguments, sys.argv = sys.argv, ["viscosities"]
        try:
            with redirect_stdout(said):
                self.assertEqual(module.main(), 1)
                del found["c"]
                self.assertEqual(module.main(), 0)
        finally:
            sys.argv = arguments


if __name__ == "__main__":
    unittest.main()
