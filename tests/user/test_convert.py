"""LAMMPS data in, a run, and LAMMPS data, dumps, extended XYZ, VTK and GSD out: bonds with their types, masses,
molecules, images and every number are kept, and a run that begins from what was written begins in the same state."""
import re
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
sys.path.insert(0, str(Path(__file__).parent))
from data_chains import CHAINS, EDGE, HEAVY, IDS, MASSES, sections, start  # noqa: E402
from program import ProgramTest, mesowarp  # noqa: E402


def without_bonds(deck):
    return deck[: deck.index("[[bond]]")] + deck[deck.index("[[output]]") :]


class Convert(ProgramTest):
    def setUp(self):
        super().setUp()
        start(self.home / "start.data", IDS, MASSES)
        self.out = self.run_from("start.data", "out", 20)
        self.trajectory = self.out / "trajectory.h5"
        with h5py.File(self.trajectory) as file:
            group = file["particles/all"]
            self.x, self.image, self.v = (group[f"{name}/value"][-1] for name in ("position", "image", "velocity"))
            self.bonds = file["connectivity/bonds"][()]

    def run_from(self, file, name, steps):
        output = self.home / name
        self.run_well(self.deck(HEAVY.format(file=file, steps=steps), f"{name}.toml"), "--output", output, "--quiet")
        return output

    def convert(self, name, *options):
        done = mesowarp("convert", self.trajectory, self.home / name, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.home / name

    def test_data_keeps_everything(self):
        found, counts = sections(self.convert("end.data"))
        begun, _ = sections(self.home / "start.data")
        self.assertEqual((counts["atoms"], counts["atom types"], counts["bond types"]), (48, 2, 2))
        atoms = found["Atoms"]
        np.testing.assert_array_equal(atoms[:, :3], begun["Atoms"][:, :3])  # id, molecule, type
        np.testing.assert_array_equal(atoms[:, 1], IDS)
        np.testing.assert_array_equal(atoms[:, 3:6], self.x)
        np.testing.assert_array_equal(atoms[:, 6:], self.image)
        np.testing.assert_array_equal(found["Velocities"][:, 1:], self.v)
        np.testing.assert_array_equal(found["Masses"], [[1, MASSES[0]], [2, MASSES[1]]])
        self.assertEqual({tuple(row[1:]) for row in found["Bonds"]}, {tuple(row[1:]) for row in begun["Bonds"]})
        self.assertGreater(np.abs(self.image).max(), 0)
        self.check_that_runs_from_it_are_the_same("end.data")

    def check_that_runs_from_it_are_the_same(self, file):
        """Its state is that of the trajectory's last frame, and so are the energies of the next steps."""
        again = self.run_from(file, "from-" + file, 0)
        with h5py.File(again / "trajectory.h5") as there:
            group = there["particles/all"]
            np.testing.assert_allclose(group["position/value"][0], self.x, rtol=0, atol=1e-14)
            np.testing.assert_allclose(group["velocity/value"][0], self.v, rtol=0, atol=1e-14)
            np.testing.assert_array_equal(group["image/value"][0], self.image)
            np.testing.assert_array_equal(there["connectivity/bonds"][()], self.bonds)
            np.testing.assert_array_equal(group["molecule"][()], IDS)
            np.testing.assert_array_equal(group["mass"][()], np.tile(MASSES.repeat(2), CHAINS))
        rows = [np.genfromtxt(path / "thermo.csv", delimiter=",", names=True) for path in (self.out, again)]
        for name in ("potential_energy", "kinetic_energy"):
            self.assertAlmostEqual(rows[0][name][-1], float(np.atleast_1d(rows[1][name])[0]), places=9)

    def test_dump_and_back(self):
        text = self.convert("end.dump", "--first", "2").read_text()
        self.assertIn("ITEM: ATOMS id mol type mass x y z ix iy iz vx vy vz\n", text)
        frame = np.array([line.split() for line in text.splitlines()[9:]], dtype=float)
        np.testing.assert_array_equal(frame[:, 1], IDS)
        np.testing.assert_array_equal(frame[:, 3], np.tile(MASSES.repeat(2), CHAINS))
        deck = HEAVY.format(file="end.dump", steps=0)
        done = mesowarp("run", self.deck(deck, "bonds.toml"), "--output", self.home / "bonds", "--quiet")
        self.assertEqual(done.returncode, 2)
        self.assertIn("it has no bonds, and a [[bond]] block is for those", done.stderr)
        self.assertFalse((self.home / "bonds").exists())
        deck = without_bonds(deck)  # a dump has none
        path = self.deck(deck, "dump.toml")
        self.run_well(path, "--output", self.home / "dump", "--quiet")
        with h5py.File(self.home / "dump/trajectory.h5") as there:
            np.testing.assert_array_equal(there["particles/all/position/value"][0], self.x)
            np.testing.assert_array_equal(there["particles/all/velocity/value"][0], self.v)
            np.testing.assert_array_equal(there["particles/all/image/value"][0], self.image)
            np.testing.assert_array_equal(there["particles/all/species"][()], np.arange(48) % 4 // 2)
            np.testing.assert_array_equal(there["particles/all/molecule"][()], IDS)
        # As dump_modify units yes time yes writes two frames; the last one counts.
        first = text.replace("ITEM: TIMESTEP\n20", "ITEM: TIMESTEP\n10").replace("0 5\n", "0 9\n")
        (self.home / "end.dump").write_text(f"ITEM: UNITS\nlj\nITEM: TIME\n0.1\n{first}ITEM: TIME\n0.2\n{text}")
        self.run_well(path, "--output", self.home / "timed", "--quiet")
        with h5py.File(self.home / "timed/trajectory.h5") as there:
            np.testing.assert_array_equal(there["particles/all/position/value"][0], self.x)
        for right, wrong, words in (("mol type mass", "mol kind mass", "needs the columns id and type"),
                                    ("x y z", "a b c", "needs the columns x y z"),
                                    ("0 5\n", "5 5\n", "upper box bound")):
            (self.home / "end.dump").write_text(text.replace(right, wrong, 1))
            done = mesowarp("check", path)
            if done.returncode == 0:  # the check counts the atoms; the rest is read when the run begins
                done = mesowarp("run", path, "--output", self.home / "bad", "--quiet")
            self.assertEqual(done.returncode, 2, wrong)
            self.assertIn(words, done.stderr)

    def test_extended_xyz(self):
        lines = self.convert("end.xyz", "--first", "2").read_text().splitlines()
        self.assertIn("Properties=species:S:1:pos:R:3:velo:R:3:masses:R:1:molecule:I:1:image:I:3 ", lines[1])
        rows = [line.split() for line in lines[2:]]
        self.assertEqual([row[0] for row in rows], list("AABB" * CHAINS))
        numbers = np.array([row[1:] for row in rows], dtype=float)
        np.testing.assert_array_equal(numbers[:, :6], np.hstack([self.x, self.v]))
        np.testing.assert_array_equal(numbers[:, 6], np.tile(MASSES.repeat(2), CHAINS))
        np.testing.assert_array_equal(numbers[:, 7], IDS)
        np.testing.assert_array_equal(numbers[:, 8:], self.image)

    def test_vtk_has_whole_chains(self):
        text = self.convert("end.vtk").read_text()
        words = text.split("POINTS 48 double\n")[1].split("VERTICES")[0].split()
        x = np.array(words, dtype=float).reshape(-1, 3)
        lines = np.array(text.split("LINES 36 108\n")[1].split("POINT_DATA")[0].split(), dtype=int).reshape(-1, 3)
        np.testing.assert_array_equal(lines[:, 1:], self.bonds)
        self.assertLess(np.linalg.norm(x[lines[:, 1]] - x[lines[:, 2]], axis=1).max(), 2.0)
        np.testing.assert_allclose((x - self.x) / EDGE, np.rint((x - self.x) / EDGE), atol=1e-12)
        for name, kind, numbers in (("molecule", "int", IDS), ("mass", "double", np.tile(MASSES.repeat(2), CHAINS))):
            words = text.split(f"SCALARS {name} {kind} 1\nLOOKUP_TABLE default\n")[1].split()[:48]
            np.testing.assert_array_equal(np.array(words, dtype=float), numbers)

    def test_molecules_of_groups_and_without_bonds(self):
        """What a file says of them, where bonds say nothing; a second population's are behind the first one's."""
        data = (self.home / "start.data").read_text(encoding="utf-8")
        head, atoms = data[: data.index("\nBonds")].split("\nMasses", 1)
        head = "\n".join(line for line in head.splitlines() if "bond" not in line)
        (self.home / "loose.data").write_text(head + "\n\nMasses" + atoms, encoding="utf-8")
        deck = without_bonds(HEAVY.format(file="loose.data", steps=0))
        second = deck[deck.index("[[population]]") : deck.index("[[interaction]]")].replace('"chains"', '"others"')
        deck = deck.replace("[[interaction]]", second + "[[interaction]]")
        deck = deck.replace('format = "trajectory"', 'format = "trajectory"\ngroups = ["some"]')
        deck += '[[group]]\nname = "some"\nmolecules = "7:11:2, 42"\n'
        self.run_well(self.deck(deck, "loose.toml"), "--output", self.home / "loose", "--quiet")
        behind = IDS + IDS.max()
        expected = [*IDS[np.isin(IDS, [7, 9, 11])], *behind[behind == 42]]
        self.assertEqual(len(expected), 16)
        for name, column in (("some.data", 1), ("some.dump", 1)):
            done = mesowarp("convert", self.home / "loose/trajectory.h5", self.home / name)
            self.assertEqual(done.returncode, 0, done.stderr)
            if name == "some.data":
                rows = sections(self.home / name)[0]["Atoms"]
            else:
                text = (self.home / name).read_text(encoding="utf-8")
                rows = np.array([line.split() for line in text.splitlines()[9:]], dtype=float)
            np.testing.assert_array_equal(rows[:, column], expected, err_msg=name)
        self.run_well(self.home / "loose.toml", "--output", self.home / "ranks", "--quiet", ranks=2)
        with h5py.File(self.home / "ranks/trajectory.h5") as there:
            np.testing.assert_array_equal(there["particles/all/molecule"][()], expected)
        (self.home / "loose.data").write_text((head + "\n\nMasses" + atoms).replace(" 29 1", f" {2**32 - 29} 1"),
                                              encoding="utf-8")
        done = mesowarp("run", self.deck(deck, "loose.toml"), "--output", self.home / "high", "--quiet")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"toml:\d+:\d+: .*loose\.data: molecule ids reach to 4294967267, and can to 27: ")

    def test_bond_types_need_the_checkpoint(self):
        for path in self.out.glob("checkpoint-*.h5"):
            path.unlink()
        done = mesowarp("convert", self.trajectory, self.home / "none.data")
        self.assertEqual(done.returncode, 2)
        self.assertIn('add [[output]] format = "checkpoint"', done.stderr)
        self.assertFalse((self.home / "none.data").exists())

    def test_gsd_is_named(self):
        (self.home / "start.gsd").write_bytes(b"\xDF\x65" * 4 + bytes(300))
        done = mesowarp("check", self.deck(HEAVY.format(file="start.gsd", steps=0)))
        self.assertEqual(done.returncode, 2)
        self.assertIn("mesowarp convert", done.stderr)


COMBS = """
[run]
steps = {steps}
timestep = 0.005
seed = 3
precision = "double"
[box]
size = [8.0, 8.0, 8.0]
[[population]]
name = "combs"
kind = "polymer"
{start}
[[interaction]]
between = "*"
a = 15.0
gamma = 4.5
[[bond]]
population = "combs"
{type1}between = ["A", "A"]
k = 80.0
r0 = 0.6
[[bond]]
population = "combs"
{type2}between = ["*", "B"]
k = 60.0
r0 = 0.5
[[angle]]
population = "combs"
{type1}of = ["*", "*", "*"]
k = 3.0
[[angle]]
population = "combs"
{type2}of = ["A", "A", "A"]
style = "cosine"
k = 4.0
[[dihedral]]
population = "combs"
of = ["A", "A", "A", "A"]
style = "cosine"
n = 3
k = 1.0
[[output]]
format = "table"
every = 10
[[output]]
format = "trajectory"
every = 10
fields = ["position", "image", "velocity"]
precision = "double"
[[output]]
format = "checkpoint"
every = 10
"""


class Molecules(ProgramTest):
    def test_angles_and_dihedrals_are_kept(self):
        """Two kinds of bonds and of angles: a run from the file has the energy of the state that was written, which it
        would not if one was lost or of the other kind."""
        energies = []
        made = 'molecule = "[A2(B2)]3"\ncount = 20\nbond_length = 0.6'
        read = 'initial = "file"\nfile = "end.data"\ntypes = ["A", "B"]'
        for name, start, steps in (("made", made, 30), ("read", read, 0)):
            kinds = {f"type{k}": f"type = {k}\n" if name == "read" else "" for k in (1, 2)}
            out = self.home / name
            deck = self.deck(COMBS.format(start=start, steps=steps, **kinds), name + ".toml")
            self.run_well(deck, "--output", out, "--quiet")
            table = np.genfromtxt(out / "thermo.csv", delimiter=",", names=True)
            energies.append(np.atleast_1d(table["potential_energy"])[-1])
            if name == "made":
                done = mesowarp("convert", out / "trajectory.h5", self.home / "end.data")
                self.assertEqual(done.returncode, 0, done.stderr)
        _, counts = sections(self.home / "end.data")
        self.assertEqual((counts["bond types"], counts["angle types"], counts["dihedrals"]), (2, 2, 60))
        self.assertAlmostEqual(energies[1], energies[0], delta=1e-9 * abs(energies[0]))


BODIES = """
[run]
steps = 2
timestep = 0.01
[[population]]
name = "stars"
kind = "bodies"
species = "star"
initial = "sphere"
count = 30
radius = 2.0
center = [10.0, 0.0, -5.0]
[[interaction]]
between = "*"
style = "gravity"
softening = 0.1
[[output]]
format = "trajectory"
every = 2
"""


class Bodies(ProgramTest):
    def test_have_a_box_around_them_or_none(self):
        """They have none: readers of dumps and data get one that holds them, those of extended XYZ no lattice."""
        self.run_well(self.deck(BODIES), "--output", self.home / "out", "--quiet")
        with h5py.File(self.home / "out/trajectory.h5") as file:
            frames = file["particles/all/position/value"][()]
        text = {}
        for name in ("all.dump", "last.data", "all.xyz"):
            done = mesowarp("convert", self.home / "out/trajectory.h5", self.home / name)
            self.assertEqual(done.returncode, 0, done.stderr)
            text[name] = (self.home / name).read_text(encoding="utf-8")
        bounds = re.findall(r"ITEM: BOX BOUNDS ff ff ff\n((?:\S+ \S+\n){3})", text["all.dump"])
        bounds += re.findall(r"((?:\S+ \S+ [xyz]lo [xyz]hi\n){3})", text["last.data"])
        self.assertEqual(len(bounds), 3)
        for lines, x in zip(bounds, [*frames, frames[-1]]):
            low, high = np.array([line.split()[:2] for line in lines.splitlines()], dtype=float).T
            self.assertTrue((low < x).all() and (x < high).all(), lines)
        self.assertNotIn("Lattice", text["all.xyz"])
        self.assertRegex(text["all.xyz"], r'\A30\nProperties=species:S:1:pos:R:3.* pbc="F F F"\n')


if __name__ == "__main__":
    unittest.main()
