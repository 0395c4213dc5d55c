"""g(r) and the diffusion coefficient of Groot and Warren's fluid, measured while it runs, against LAMMPS's of
tests/compare/lammps_reference.json (made by lammps_reference.py there from frames)."""
import json
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent / "shared")]
from measures import read_table  # noqa: E402
from program import SOURCE, ProgramTest, fluid  # noqa: E402

MEASURES = """
[[measure]]
style = "rdf"
r_max = 2.0
bins = 50
start = 1000
every = 50
[[measure]]
style = "msd"
start = 1000
every = 25
levels = 1
from = 1.0
to = 2.0
"""


class LammpsValues(ProgramTest):
    def test_the_standard_fluid(self):
        reference = json.loads((SOURCE / "tests/compare/lammps_reference.json").read_text(encoding="utf-8"))
        case = reference["cases"]["standard"]
        self.assertEqual(case["settings"]["timestep"], 0.01)
        lammps = {name: (np.array(value["mean"]), np.array(value["error"])) for name, value in case["values"].items()}
        out = self.home / "out"
        self.run_well(self.deck(fluid(steps=3500, timestep=0.01, size=[10.0, 10.0, 10.0], interaction=MEASURES,
                                      run='reproducibility = "bitwise"')), "--output", out)
        rdf, means = read_table(out / "rdf.csv"), read_table(out / "msd_means.csv")
        value, error = lammps["g"]
        counted = value > 0.1
        joint = np.hypot(rdf["g_error"], error)
        self.assertLess((joint[value > 0.5] / value[value > 0.5]).max(), 0.02)
        away = (rdf["g"] - value)[counted] / joint[counted]
        self.assertLess(np.abs(away).max(), 5.0, away)
        value, error = lammps["diffusion"]
        joint = np.hypot(means["diffusion_error"][0], error)
        self.assertLess(joint / value, 0.04)
        self.assertLess(abs(means["diffusion"][0] - value) / joint, 4.0, (means["diffusion"][0], value, joint))


if __name__ == "__main__":
    unittest.main()
