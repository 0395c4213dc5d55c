"""What a review found mixed up, or silently wrong, where features meet: images of a sheared box that slide, chains of
two populations of one species, terms on the same particles, files of one name, pressure between exchanges."""
import csv
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from program import ProgramTest, mesowarp  # noqa: E402

MELT = """
[run]
steps = 20
timestep = 0.01
seed = 4
[box]
size = [6.0, 6.0, 6.0]
[[population]]
name = "short"
kind = "polymer"
blocks = "AAAA"
count = 20
bond_length = 0.5
[[population]]
name = "long"
kind = "polymer"
blocks = "AAAAAAAAAAAA"
count = 10
bond_length = 0.5
[[interaction]]
between = "*"
a = 25.0
gamma = 4.5
[[bond]]
population = "short"
k = 90.0
r0 = 0.5
[[bond]]
population = "long"
k = 90.0
r0 = 0.5
"""
SHEAR = '[shear]\nrate = 0.3\nflow = "y"\ngradient = "x"\n'
SPHERE = """[[measure]]
style = "sphere"
center = [{}, 3.0, 3.0]
radius = 2.0
bins = 4
"""
SOLUTES = """
[run]
steps = 10
timestep = 0.01
[box]
size = [6.0, 6.0, 6.0]
[transport]
solutes = ["u"]
[[population]]
name = "water"
species = "W"
density = 3.0
[[interaction]]
between = "*"
style = "tdpd"
a = 25.0
gamma = 4.5
kappa = 1.0
[[source]]
solute = "u"
region = "sphere"
center = [{}, 3.0, 3.0]
radius = 1.5
rate = 1.0
"""
DATA = """two bonds on one pair

4 atoms
3 bonds
1 atom types
2 bond types

0 6 xlo xhi
0 6 ylo yhi
0 6 zlo zhi

Masses

1 1.0

Atoms # molecular

1 1 1 1.0 1.0 1.0
2 1 1 1.5 1.0 1.0
3 2 1 1.0 3.0 1.0
4 2 1 1.6 3.0 1.0

Bonds

1 1 1 2
2 2 1 2
3 2 3 4
"""
TWICE = """
[run]
steps = 0
timestep = 0.001
[box]
size = [6.0, 6.0, 6.0]
[[population]]
name = "c"
initial = "file"
file = "s.data"
types = ["A"]
[[interaction]]
between = "*"
a = 25.0
gamma = 0.0
[[bond]]
population = "c"
type = 1
k = 80.0
r0 = 0.4
[[bond]]
population = "c"
type = 2
k = 20.0
r0 = 0.1
[[output]]
format = "trajectory"
every = 0
"""


class ToldApart(ProgramTest):
    def checked(self, text):
        done = mesowarp("check", self.deck(text))
        return done.returncode, done.stdout + done.stderr

    def refused(self, text, words):
        code, said = self.checked(text)
        self.assertEqual(code, 2, said)
        self.assertIn(words, said)

    def accepted(self, text):
        code, said = self.checked(text)
        self.assertEqual(code, 0, said)
        return said

    def test_pairs_of_a_sheared_box_that_bonds_exclude(self):
        rdf = '[[measure]]\nstyle = "rdf"\nr_max = 1.0\n'
        excluding = MELT.replace("r0 = 0.5", "r0 = 0.5\nexclude = true", 1)
        self.refused(excluding + SHEAR + rdf, "exclude = false")
        self.accepted(excluding + rdf)
        self.accepted(MELT + SHEAR + rdf)

    def test_shells_beyond_a_face_whose_images_slide(self):
        self.refused(MELT + SHEAR + SPHERE.format(0.5), "whose images slide along x: radius may be up to 0.5")
        self.accepted(MELT + SPHERE.format(0.5))
        self.accepted(MELT + SHEAR + SPHERE.format(3.0))

    def test_regions_beyond_a_face_whose_images_slide(self):
        self.refused(SOLUTES.format(0.5) + SHEAR, "beyond a face along x, whose images slide")
        self.accepted(SOLUTES.format(0.5))
        self.accepted(SOLUTES.format(3.0) + SHEAR)

    def test_a_state_whose_images_have_slid(self):
        out = self.home / "out"
        self.run_well(self.deck(MELT + SHEAR), "--output", out, "--quiet")
        fluid = MELT.replace('kind = "polymer"\nblocks = "AAAA"\ncount = 20\nbond_length = 0.5',
                             f'initial = "file"\nfile = "{out}/checkpoint-20.h5"\ntypes = ["A"]', 1)
        fluid = fluid[:fluid.index('[[population]]\nname = "long"')] + fluid[fluid.index("[[interaction]]"):]
        fluid = fluid[:fluid.index('[[bond]]\npopulation = "long"')].replace('r0 = 0.5', "r0 = 0.5\ntype = 1")
        fluid += '[[bond]]\npopulation = "short"\nk = 90.0\nr0 = 0.5\ntype = 2\n' + SHEAR
        done = mesowarp("run", self.deck(fluid, "again.toml"), "--output", self.home / "again", "--quiet")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("its box is sheared, and a new run begins with images straight beside it",
                      done.stdout + done.stderr)

    def test_chains_of_two_populations_of_one_species(self):
        measures = "".join(f'[[measure]]\nstyle = "chains"\nname = "{name}"\npopulation = "{name}"\nr_max = 8.0\n'
                           'every = 10\n' for name in ("short", "long"))
        out = self.home / "out"
        self.run_well(self.deck(MELT + measures), "--output", out, "--quiet")
        for name, chains in (("short", 20), ("long", 10)):
            with open(out / f"{name}.csv", encoding="utf-8") as table:
                self.assertEqual({int(row["count"]) for row in csv.DictReader(table)}, {chains}, name)

    def test_several_terms_of_the_same_particles(self):
        (self.home / "s.data").write_text(DATA, encoding="utf-8")
        out = self.home / "out"
        self.run_well(self.deck(TWICE), "--output", out, "--quiet")
        done = mesowarp("convert", out / "trajectory.h5", self.home / "o.data")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        lines = (self.home / "o.data").read_text(encoding="utf-8").splitlines()
        bonds = [line.split()[1:] for line in lines[lines.index("Bonds") + 2:] if len(line.split()) == 4]
        self.assertEqual(sorted(bonds), [["1", "1", "2"], ["2", "1", "2"], ["2", "3", "4"]])

    def test_single_numbers_of_a_measure_and_a_trajectory(self):
        trajectory = '[[output]]\nformat = "trajectory"\nname = "foo_means"\nevery = 10\n'
        self.refused(MELT + '[[measure]]\nstyle = "msd"\nname = "foo"\n' + trajectory, "foo_means.h5")
        self.accepted(MELT + '[[measure]]\nstyle = "msd"\nname = "bar"\n' + trajectory)

    def test_pressure_between_exchanges(self):
        fluid = SOLUTES[:SOLUTES.index("[[source]]")].replace('[transport]\nsolutes = ["u"]\n', "")
        deck = fluid.replace('style = "tdpd"\n', "").replace("kappa = 1.0\n", "").replace("gamma = 4.5", "gamma = 0.0")
        deck += ('[[thermostat]]\npopulation = "water"\nstyle = "lowe-andersen"\nrate = 1.0\nevery = {}\n[[output]]\n'
                 'format = "table"\nevery = {}\ncolumns = ["temperature", "pressure"]\n')
        self.assertIn("exchange momentum every 4 steps, and pressure", self.accepted(deck.format(4, 6)))
        for every, rows in ((4, 8), (1, 1)):
            self.assertNotIn("exchange momentum", self.accepted(deck.format(every, rows)))


if __name__ == "__main__":
    unittest.main()
