"""A data file that mesowarp convert wrote, as LAMMPS read it: numbers of everything, energies of pairs and bonds (so
every bond's ends and type), kinetic energy, mean unwrapped position (so every image flag). LAMMPS is not needed:
what it said is in lammps/reference.json, made by lammps/reference.py; the energies are held against those that
mesowarp has of the same state."""
import json
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
sys.path.insert(0, str(Path(__file__).parent / "lammps"))
from program import ProgramTest  # noqa: E402
from reference import converted  # noqa: E402


class LammpsReads(ProgramTest):
    def test_it_reads_the_state_that_there_is(self):
        said = json.loads((Path(__file__).parent / "lammps/reference.json").read_text(encoding="utf-8"))
        data = converted(self.home).read_text(encoding="utf-8")
        self.assertEqual((said["atoms"], said["bonds"], said["types"], said["bond_types"], said["molecules"]),
                         (48, 36, 2, 2, 12))
        self.assertEqual(said["mass"], 1.0)
        for line in ("48 atoms", "2 atom types", "36 bonds", "2 bond types"):
            self.assertIn(f"\n{line}\n", data)
        with h5py.File(self.home / "out/trajectory.h5") as file:
            group = file["particles/all"]
            x = group["position/value"][-1] + group["image/value"][-1] * group["box/edges/value"][-1]
        np.testing.assert_allclose(said["mean"], x.mean(axis=0), rtol=1e-8)
        table = np.genfromtxt(self.home / "out/thermo.csv", delimiter=",", names=True)
        # The run is stochastic, its numbers are not: the same on every processor to rounding, which 20 steps multiply.
        np.testing.assert_allclose(said["pairs"] + said["bond_energy"], table["potential_energy"][-1], rtol=1e-7)
        np.testing.assert_allclose(said["kinetic"], table["kinetic_energy"][-1], rtol=1e-7)


if __name__ == "__main__":
    unittest.main()
