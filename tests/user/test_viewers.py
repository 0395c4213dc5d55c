"""What convert writes, in the programs that it is for: GSD and back by gsd's own library, MDAnalysis by the line that
the guide prints, OVITO and VTK (ParaView) with bonds. Skipped where scripts/viewers could not install them."""
import json
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
sys.path.insert(0, str(Path(__file__).parent))
from data_chains import CHAINS, DECK, EDGE, HEAVY, IDS, MASSES, sections, start  # noqa: E402
from program import PROGRAM, SOURCE, ProgramTest, mesowarp  # noqa: E402
from viewers import viewers_python  # noqa: E402

PYTHON = viewers_python()
MASS = np.tile(MASSES.repeat(2), CHAINS)

MDANALYSIS = """
{lines}
import numpy as np
u.trajectory[-1]
np.savez("seen.npz", x=u.atoms.positions, v=u.atoms.velocities, bonds=u.bonds.indices, mass=u.atoms.masses,
         types=u.atoms.types.astype(int), residue=u.atoms.resids, frames=len(u.trajectory))
"""
OVITO = """
import numpy as np
from ovito.io import import_file
for name in ("melt.gsd", "melt.data"):
    pipeline = import_file(name)
    data = pipeline.compute(pipeline.source.num_frames - 1)
    particles = data.particles
    order = np.argsort(particles.identifiers[...]) if particles.identifiers is not None else np.arange(particles.count)
    place = np.argsort(order)
    np.savez(name + ".npz", x=particles.positions[...][order],
             bonds=np.sort(place[particles.bonds.topology[...]], axis=1),
             kinds=particles.bonds.bond_types[...], mass=particles["Mass"][...][order] if name == "melt.gsd" else 0,
             types=particles.particle_types[...][order],
             image=particles["Periodic Image"][...][order], frames=pipeline.source.num_frames)
"""
VTK = """
import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOLegacy import vtkPolyDataReader
reader = vtkPolyDataReader()
reader.SetFileName("melt.vtk")
reader.ReadAllVectorsOn()
reader.ReadAllScalarsOn()
reader.Update()
grid = reader.GetOutput()
np.savez("seen.npz", x=vtk_to_numpy(grid.GetPoints().GetData()),
         v=vtk_to_numpy(grid.GetPointData().GetArray("velocity")),
         bonds=vtk_to_numpy(grid.GetLines().GetConnectivityArray()).reshape(-1, 2),
         mass=vtk_to_numpy(grid.GetPointData().GetArray("mass")),
         molecule=vtk_to_numpy(grid.GetPointData().GetArray("molecule")), vertices=grid.GetNumberOfVerts())
"""


class Viewers(ProgramTest):
    def setUp(self):
        super().setUp()
        start(self.home / "start.data", IDS, MASSES)
        self.run_well(self.deck(HEAVY.format(file="start.data", steps=20), "melt.toml"), "--output",
                      self.home / "melt-output", "--quiet")
        with h5py.File(self.home / "melt-output/trajectory.h5") as file:
            group = file["particles/all"]
            self.x, self.image, self.v = (group[f"{name}/value"][-1] for name in ("position", "image", "velocity"))
            self.bonds = file["connectivity/bonds"][()]

    def convert(self, source, target):
        done = mesowarp("convert", source, target, cwd=self.home, env={**os.environ, "MESOWARP_PYTHON": str(PYTHON)})
        self.assertEqual(done.returncode, 0, done.stderr)

    def seen(self, code, name="seen.npz"):
        done = subprocess.run([PYTHON, "-c", code], cwd=self.home, capture_output=True, text=True, check=False,
                              env={**os.environ, "QT_QPA_PLATFORM": "offscreen"})
        self.assertEqual(done.returncode, 0, done.stderr)
        with np.load(self.home / name) as stored:
            return {key: stored[key] for key in stored.files}

    def test_mdanalysis_by_the_guides_own_line(self):
        guide = (SOURCE / "docs/guide/formats.md").read_text(encoding="utf-8")
        blocks = [block for block in re.findall(r"^```python\n(.*?)^```", guide, re.M | re.S) if "MDAnalysis" in block]
        self.assertEqual(len(blocks), 1)
        command = re.search(r"^    mesowarp convert (melt-output/trajectory\.h5) (melt\.data)", guide, re.M)
        self.convert(*command.groups())
        found = self.seen(MDANALYSIS.format(lines=blocks[0]))
        np.testing.assert_allclose(found["x"], self.x, atol=1e-6)
        np.testing.assert_allclose(found["v"], self.v, atol=1e-6)
        np.testing.assert_array_equal(found["bonds"], self.bonds)
        np.testing.assert_array_equal(found["types"], np.arange(48) % 4 // 2 + 1)
        np.testing.assert_array_equal(found["residue"], IDS)
        np.testing.assert_array_equal(found["mass"], MASS)
        self.assertEqual(found["frames"], 3)

    def test_gsd_ovito_and_back(self):
        self.convert("melt-output/trajectory.h5", "melt.gsd")
        self.convert("melt-output/trajectory.h5", "melt.data")
        self.seen(OVITO, "melt.gsd.npz")
        for name, shift, kind in (("melt.gsd", np.array(EDGE) / 2, 0), ("melt.data", 0.0, 1)):
            with np.load(self.home / f"{name}.npz") as found:
                np.testing.assert_allclose(found["x"] + shift, self.x, atol=2e-6)
                np.testing.assert_array_equal(found["image"], self.image)
                order = np.lexsort(found["bonds"].T[::-1])
                np.testing.assert_array_equal(found["bonds"][order], self.bonds)
                np.testing.assert_array_equal(found["kinds"][order], [kind, kind + 1, kind] * CHAINS)
                self.assertEqual(found["frames"], 3 if name == "melt.gsd" else 1)
                if name == "melt.gsd":
                    np.testing.assert_array_equal(found["mass"], MASS)
        self.convert("melt.gsd", "back.data")
        there, _ = sections(self.home / "melt.data")
        back, _ = sections(self.home / "back.data")
        back["Atoms"][:, 3:6] += np.array(EDGE) / 2  # GSD's box lies around 0
        for name, rows in there.items():
            np.testing.assert_allclose(back[name], rows, atol=2e-6, err_msg=name)
        np.testing.assert_array_equal(back["Atoms"][:, 1], IDS)
        np.testing.assert_array_equal(back["Masses"], [[1, MASSES[0]], [2, MASSES[1]]])
        deck = HEAVY.format(file="back.data", steps=0)
        self.run_well(self.deck(deck, "again.toml"), "--output", self.home / "again", "--quiet")
        with h5py.File(self.home / "again/trajectory.h5") as file:
            np.testing.assert_allclose(file["particles/all/position/value"][0], self.x, atol=2e-6)
            np.testing.assert_array_equal(file["connectivity/bonds"][()], self.bonds)
            np.testing.assert_array_equal(file["particles/all/molecule"][()], IDS)

    def test_gsd_keeps_angles_and_dihedrals(self):
        """And of which kind each is."""
        text = DECK.format(file="", steps=20).replace('kind = "fluid"\ninitial = "file"\nfile = ""\ntypes = ["A", "B"]',
                                                      'kind = "polymer"\nblocks = "AAABB"\ncount = 9')
        for number, between in enumerate((["A", "*"], ["B", "*"]), 1):
            text = text.replace(f"type = {number}\n", f"between = {json.dumps(between)}\n")
        for block, of in (("angle", ["*"] * 3), ("angle", ["A", "A", "B"]), ("dihedral", ["A", "A", "A", "B"])):
            text += f'[[{block}]]\npopulation = "chains"\nof = {json.dumps(of)}\nstyle = "cosine"\nk = 2.0\n'
        self.run_well(self.deck(text), "--output", self.home / "out", "--quiet")
        for source, target in (("out/trajectory.h5", "a.data"), ("out/trajectory.h5", "a.gsd"), ("a.gsd", "back.data")):
            self.convert(source, target)
        there, counts = sections(self.home / "a.data")
        back, again = sections(self.home / "back.data")
        self.assertEqual((counts["angles"], counts["angle types"], counts["dihedrals"]), (27, 2, 9))
        self.assertEqual({key: again.get(key) for key in counts if "lo" not in key},
                         {key: value for key, value in counts.items() if "lo" not in key})
        for name in ("Bonds", "Angles", "Dihedrals"):
            np.testing.assert_array_equal(back[name], there[name], err_msg=name)

    def test_vtk(self):
        self.convert("melt-output/trajectory.h5", "melt.vtk")
        found = self.seen(VTK)
        np.testing.assert_array_equal(found["bonds"], self.bonds)
        np.testing.assert_allclose(found["v"], self.v)
        self.assertEqual(found["vertices"], 48)
        np.testing.assert_array_equal(found["mass"], MASS)
        np.testing.assert_array_equal(found["molecule"], IDS)
        across = (found["x"] - self.x) / EDGE
        np.testing.assert_allclose(across, np.rint(across), atol=1e-6)
        self.assertLess(np.linalg.norm(found["x"][self.bonds[:, 0]] - found["x"][self.bonds[:, 1]], axis=1).max(), 2.0)


if __name__ == "__main__":
    print(f"with {PYTHON}, {PROGRAM}")
    unittest.main()
