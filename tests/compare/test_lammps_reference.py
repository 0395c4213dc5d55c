"""mesowarp's fluids against values of LAMMPS (lammps_reference.json, made by lammps_reference.py beside this file).

Temperature, pressure, diffusion coefficient and g(r) of Groot and Warren's fluid, with either pair noise; density 8;
weight functions of other exponents; chains and their bond length; two species; the temperature against the time step,
and that of Groot and Warren's integrator. Both sides carry standard errors from 16 blocks. Scalars agree within SCALAR
joint standard errors, every bin of a g(r) within CURVE; NARROW says how large a joint standard error may be at most, so
that agreement means something. The runs are bitwise: what passes here passes on every machine.
"""
import json
import sys
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent / "shared")]
from lammps_reference import CASES, DATA, STANDARD, observables, settings  # noqa: E402
from observables import Estimate, difference_in_errors  # noqa: E402
from program import PROGRAM  # noqa: E402
from programs import Mesowarp  # noqa: E402

SCALAR, CURVE = 4.0, 5.0
# Largest joint standard error, relative to the value; of a g(r), where it is above half its maximum (it is compared
# above 0.1).
NARROW = {
    "temperature": 0.0035, "pressure": 0.0015, "diffusion": 0.02, "bond_length": 0.0005, "g": 0.015, "g_AA": 0.03,
    "g_AB": 0.03
}
WORKERS, SEED = 2, 1


class LammpsReference(unittest.TestCase):
    """All runs first, two at a time, one thread each; then one test for each fluid."""

    @classmethod
    def setUpClass(cls):
        cls.reference = json.loads(DATA.read_text(encoding="utf-8"))["cases"]
        cases = {**CASES, "multiply": replace(STANDARD, pair_noise="multiply")}
        with tempfile.TemporaryDirectory() as work, ThreadPoolExecutor(WORKERS) as pool:
            def run(name):
                return observables(cases[name], Mesowarp(PROGRAM, Path(work) / name, 1, "mixed", SEED).run(cases[name]))
            cls.mine = dict(zip(cases, pool.map(run, cases)))

    def compare(self, name, reference=None):
        """Every quantity of a fluid."""
        entry = self.reference[reference or name]
        self.assertEqual(set(self.mine[name]), set(entry["values"]))
        for quantity, mine in self.mine[name].items():
            other = Estimate(*(np.array(entry["values"][quantity][key]) for key in ("mean", "error")))
            curve = np.ndim(mine.mean) > 0
            joint = np.hypot(mine.error, other.error) / np.maximum(other.mean, 1e-9)
            joint = joint[other.mean > 0.5 * other.mean.max()].max() if curve else float(joint)
            away = np.atleast_1d(np.where(other.mean > 0.1, difference_in_errors(mine, other), 0.0) if curve
                                 else difference_in_errors(mine, other))
            worst = int(np.argmax(away))
            values = [
                f"{np.atleast_1d(e.mean)[worst]:.5f} ± {np.atleast_1d(e.error)[worst]:.5f}" for e in (mine, other)
            ]
            line = (f"{name} {quantity}: {values[0]}, LAMMPS {values[1]}, {away[worst]:.1f} joint standard errors; "
                    f"the largest is {joint:.2%}")
            print(line, flush=True)
            with self.subTest(quantity):
                self.assertLess(away[worst], CURVE if curve else SCALAR, line)
                self.assertLess(joint, NARROW[quantity], line)

    def test_the_data_are_of_these_fluids(self):
        for name, case in CASES.items():
            self.assertEqual(self.reference[name]["settings"], settings(case), f"{name}: run lammps_reference.py again")

    def test_pair_noise_multiply(self):
        self.compare("multiply", "standard")

    def test_temperature_rises_with_the_time_step_as_it_should(self):
        """Verlet's is hot, Groot and Warren's is not: the data alone would not say that the two are told apart."""
        verlet, groot_warren = self.mine["dt_0.04"]["temperature"], self.mine["groot_warren_dt_0.04"]["temperature"]
        self.assertGreater(verlet.mean - groot_warren.mean, 6 * np.hypot(verlet.error, groot_warren.error))


for one in CASES:
    setattr(LammpsReference, "test_" + one.replace(".", "_"), lambda self, name=one: self.compare(name))


if __name__ == "__main__":
    unittest.main()
