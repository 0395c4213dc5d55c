"""A chain measured in each way gives one radius of gyration: by the trajectory's images, by what `convert` writes, and
by following the bonds; from every kind of start, between walls, on several ranks. Lone particles start with image 0."""
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from chains import end_to_end, follow_bonds, gyration, read_dump, read_h5md, read_xyz  # noqa: E402
from program import ProgramTest, mesowarp, summary  # noqa: E402

BEADS, CHAINS = 10, 150
MELT = """
[run]
steps = {steps}
timestep = 0.01
seed = 1
{run}
[box]
size = [9.0, 7.0, 8.0]
periodic = [true, true, {z}]
{first}
[[population]]
name = "chains"
kind = "polymer"
{chains}
[[interaction]]
between = "*"
style = "dpd"
a = 25.0
gamma = 4.5
[[bond]]
population = "chains"
style = "harmonic"
k = 80.0
r0 = 0.38
[[output]]
format = "trajectory"
every = {every}
fields = [{fields}]
precision = "{double}"
[[output]]
format = "checkpoint"
every = 20
"""
WALL = """
[[boundary]]
face = "z"
style = "bounce-back"
"""
SOLVENT = """
[[population]]
name = "solvent"
species = "W"
count = 60
"""
MADE = f'blocks = "{"A" * BEADS}"\ncount = {CHAINS}\nbond_length = 0.5'
ROUND_OFF = 1e-11


def melt(**changes):
    values = {"steps": 40, "run": "", "every": 20, "z": "true", "first": "", "chains": MADE, "double": "double",
              "fields": '"position", "image", "velocity"'}
    return MELT.format(**{**values, **changes})


def chains_from(first=0, count=CHAINS):
    return first + np.arange(count * BEADS).reshape(count, BEADS)


def lammps_data(frame, image=None, bonds=(), box=(9.0, 7.0, 8.0)):
    """Positions as a data file of LAMMPS, with image flags or without."""
    lines = ["melt", "", f"{len(frame)} atoms", f"{len(bonds)} bonds", "1 atom types", "1 bond types", ""]
    lines += [f"0 {edge} {axis}lo {axis}hi" for edge, axis in zip(box, "xyz")] + ["", "Atoms # molecular", ""]
    for k, at in enumerate(frame):
        flags = [] if image is None else image[k]
        lines.append(" ".join(map(str, [k + 1, 1, 1, *map(repr, map(float, at)), *flags])))
    lines += ["", "Bonds", ""] + [f"{k + 1} 1 {a + 1} {b + 1}" for k, (a, b) in enumerate(bonds)]
    return "\n".join(lines) + "\n"


class Molecules(ProgramTest):
    def run_melt(self, name, ranks=1, arguments=(), **changes):
        self.run_well(self.deck(melt(**changes), f"{name}.toml"), "--output", self.home / name, "--quiet", *arguments,
                      ranks=ranks)
        return self.home / name

    def convert(self, output, target, *arguments):
        done = mesowarp("convert", output / "trajectory.h5", self.home / target, "--force", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.home / target

    def assert_one_size(self, output, chains=chains_from(), close=ROUND_OFF):
        """Each chain, in every frame, by all ways."""
        h5md = read_h5md(output / "trajectory.h5")
        xyz = read_xyz(self.convert(output, "u.xyz", "--unwrap"))
        unwrapped = read_dump(self.convert(output, "u.dump", "--unwrap"))
        wrapped = read_dump(self.convert(output, "w.dump"))
        self.assertEqual(len(xyz), len(h5md["step"]))
        for k, position in enumerate(h5md["position"]):
            truth = follow_bonds(position, h5md["box"], h5md["periodic"], chains)
            self.assertLess(np.abs(np.diff(truth[chains], axis=1)).max(), 3.0, "no bond is that long")
            names, rows = wrapped[k]
            at, whole = names.index("x"), unwrapped[k][0].index("xu")
            self.assertEqual(names[at:at + 6], ["x", "y", "z", "ix", "iy", "iz"])
            self.assertEqual(unwrapped[k][0][whole:whole + 3], ["xu", "yu", "zu"])
            ways = {
                "images": position + h5md["image"][k] * h5md["box"], "xyz": xyz[k],
                "xu yu zu": unwrapped[k][1][:, whole:whole + 3],
                "ix iy iz": rows[:, at:at + 3] + rows[:, at + 3:at + 6] * h5md["box"]
            }
            for way, found in ways.items():
                where = f"{way}, step {h5md['step'][k]}"
                np.testing.assert_allclose(gyration(found, chains), gyration(truth, chains), rtol=close, atol=close,
                                           err_msg=where)
                np.testing.assert_allclose(end_to_end(found, chains), end_to_end(truth, chains), rtol=0,
                                           atol=10 * close, err_msg=where)
        return h5md

    def test_a_melt_on_ranks(self):
        crossed = []
        for ranks in (1, 2, 4):
            output = self.run_melt(f"melt{ranks}", ranks, first=SOLVENT)
            h5md = self.assert_one_size(output, chains_from(60))
            self.assertEqual(list(h5md["step"]), [0, 20, 40])
            self.assertFalse(h5md["image"][0, :60].any(), "lone particles start with image 0")
            crossed.append(h5md["image"])
        self.assertGreater(np.abs(crossed[0][0, 60:]).any(axis=1).sum(), 100, "many beads start across the box")
        np.testing.assert_array_equal(crossed[0][0], crossed[1][0])
        np.testing.assert_array_equal(crossed[0][0], crossed[2][0])

    def test_many_fields_travel(self):
        """Of exclusions, angles, dihedrals, solutes, and what several measures remember of each particle."""
        kept = "".join(f'[[measure]]\nstyle = "{style}"\nname = "{style}{k}"\nevery = {k + 1}\n'
                       for style in ("msd", "vacf") for k in range(2))
        stiff = "".join(f'[[{block}]]\npopulation = "chains"\n{keys}\n'
                        for block, keys in (("angle", 'style = "cosine"\nk = 2.0'), ("dihedral", "k = 0.2")))
        others = ('[integrator]\nstyle = "groot-warren"\n[transport]\nsolutes = ["S"]\n'
                  '[[group]]\nname = "one"\nparticles = "0:60:3"\n')
        text = melt(run='reproducibility = "bitwise"', steps=120, first=others + stiff + kept)
        text = text.replace('style = "dpd"', 'style = "tdpd"\nkappa = 1.0')
        text, hashes = text.replace("r0 = 0.38", "r0 = 0.38\nexclude = true"), set()
        for ranks in (1, 3):
            out = self.home / f"fields{ranks}"
            self.run_well(self.deck(text, f"fields{ranks}.toml"), "--output", out, "--quiet", ranks=ranks)
            hashes.add(summary(out)["state_hash"])
        self.assertEqual(len(hashes), 1)

    def test_fene_bonds_longer_than_the_skin_reaches(self):
        """Up to r_max = 2 where forces and skin reach 1.3: ranks know partners that far."""
        text = melt(run='reproducibility = "bitwise"', chains='blocks = "AA"\ncount = 200\nbond_length = 1.7')
        deck = self.deck(text.replace("k = 80.0\nr0 = 0.38", "k = 5.0\nr_max = 2.0").replace("harmonic", "fene"))
        hashes = []
        for ranks in (1, 3):
            self.run_well(deck, "--output", self.home / f"fene{ranks}", "--quiet", ranks=ranks)
            hashes.append(summary(self.home / f"fene{ranks}")["state_hash"])
        self.assertEqual(*hashes)

    def test_the_guides_melt(self):
        output = self.run_melt("single", double="single", steps=4, every=2)
        self.assert_one_size(output, close=2e-5)  # single precision stores coordinates to 1e-6

    def test_between_walls(self):
        h5md = self.assert_one_size(self.run_melt("walls", z="false", first=WALL + SOLVENT), chains_from(60))
        self.assertTrue(h5md["image"][0, :, :2].any())
        self.assertFalse(h5md["image"][:, :, 2].any(), "no images along an axis with walls")

    def test_a_checkpoint_and_a_trajectory_as_a_start(self):
        first = self.run_melt("first")
        last = read_h5md(first / "trajectory.h5")["image"][-1]
        for name, file in (("again", "checkpoint-40.h5"), ("frame", "trajectory.h5")):
            for ranks in (1, 2):
                start = f'initial = "file"\ntypes = ["A"]\nfile = "{first / file}"'
                h5md = self.assert_one_size(self.run_melt(f"{name}{ranks}", ranks, chains=start))
                np.testing.assert_array_equal(h5md["image"][0], last, "the start's images")

    def test_a_trajectory_without_images_as_a_start(self):
        first = self.run_melt("first", fields='"position"')
        start = f'initial = "file"\ntypes = ["A"]\nfile = "{first / "trajectory.h5"}"'
        self.assert_one_size(self.run_melt("again", chains=start))

    def from_lammps(self, name, text, **changes):
        (self.home / f"{name}.data").write_text(text, encoding="utf-8")
        start = f'initial = "file"\ntypes = ["A"]\nfile = "{self.home / f"{name}.data"}"'
        return self.run_melt(name, chains=start, steps=4, every=2, **changes)

    def test_data_files_of_lammps(self):
        first = read_h5md(self.run_melt("first") / "trajectory.h5")
        frame, image, bonds = first["position"][-1], first["image"][-1], first["bonds"]
        self.assertEqual(len(bonds), CHAINS * (BEADS - 1))
        given = self.assert_one_size(self.from_lammps("given", lammps_data(frame, image, bonds)))
        np.testing.assert_array_equal(given["image"][0], image)
        self.assert_one_size(self.from_lammps("absent", lammps_data(frame, None, bonds)))
        outside = self.assert_one_size(
            self.from_lammps("outside", lammps_data(frame + image * first["box"], None, bonds)))
        np.testing.assert_array_equal(outside["image"][0], image, "of positions outside the box")
        log = (self.home / "given" / "run.log").read_text(encoding="utf-8")
        self.assertNotIn("images", log)

    def test_torn_flags_are_mended_with_a_warning(self):
        first = read_h5md(self.run_melt("first") / "trajectory.h5")
        frame, bonds = first["position"][-1], first["bonds"]
        torn = np.zeros_like(first["image"][-1])
        torn[:BEADS] = first["image"][-1][:BEADS] + 3  # this one is whole, and stays where it is
        output = self.from_lammps("torn", lammps_data(frame, torn, bonds))
        h5md = self.assert_one_size(output)
        np.testing.assert_array_equal(h5md["image"][0][:BEADS], torn[:BEADS])
        log = (output / "run.log").read_text(encoding="utf-8")
        self.assertRegex(log, r"torn.data: the images of \d+ molecules tear bonds")

    def test_a_molecule_without_end_keeps_its_flags(self):
        """A ring that closes through the box along x; lone particles beyond what is counted start anew."""
        ring = np.array([[x + 0.25, 3.0, 3.0] for x in np.arange(0.0, 9.0, 0.5)] + [[1.0, 1.0, 1.0]])
        bonds = [(k, (k + 1) % 18) for k in range(18)]
        image = np.zeros((19, 3), int)
        image[5, 1], image[17, 2], image[18] = 2, -700, [1048576, 0, 0]
        output = self.from_lammps("ring", lammps_data(ring, image, bonds))
        h5md = read_h5md(output / "trajectory.h5")
        image[18] = 0
        np.testing.assert_array_equal(h5md["image"][0], image)
        log = (output / "run.log").read_text(encoding="utf-8")
        self.assertIn("1 molecule is bonded to periodic images of itself", log)
        self.assertIn("beyond -1048576 to 1048575", log)

    def test_atoms_behind_a_wall_are_refused(self):
        text = lammps_data(np.array([[1.0, 1.0, 8.5], [1.0, 1.0, 8.0]]), None, [(0, 1)])
        (self.home / "out.data").write_text(text, encoding="utf-8")
        deck = melt(z="false", first=WALL, chains=f'initial = "file"\ntypes = ["A"]\nfile = "{self.home / "out.data"}"')
        done = mesowarp("run", self.deck(deck), "--output", self.home / "out")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("atom 1 (line 14) lies outside the box along z, where box.periodic is false",
                      done.stderr + done.stdout)

    def test_the_state_hash_is_the_one_of_before(self):
        """Of the code in which all images began as 0: they are not in it."""
        output = self.run_melt("hash", first=SOLVENT, run='reproducibility = "bitwise"')
        self.assertEqual(summary(output)["state_hash"], "dd494e6f18f465fa5a186e1d3bd7c091")


if __name__ == "__main__":
    unittest.main()
