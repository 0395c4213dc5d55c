"""A start from a file of the program's own with other masses than the deck's: refused, as one from LAMMPS data is. The
file's velocities belong to its masses."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from observables import read_table  # noqa: E402
from program import CHECKPOINTS, TRAJECTORY, ProgramTest, fluid, mesowarp  # noqa: E402

HEAVY = '[[population]]\nname = "oil"\nspecies = "O"\ndensity = 0.5\nmass = 3.7\n'
FROM_FILE = '[[population]]\nname = "all"\ninitial = "file"\nfile = "FILE"\n'
SPECIES = '[[species]]\nname = "O"\nmass = 3.7\n'


class Masses(ProgramTest):
    def setUp(self):
        super().setUp()
        text = fluid(steps=20).replace('["W", "W"]', '"*"') + CHECKPOINTS + TRAJECTORY
        self.text = text.replace("every = 10", 'every = 10\ncolumns = ["kinetic_energy"]', 1)
        population = text.index("[[population]]")
        interaction = text.index("[[interaction]]")
        self.text = self.text[:interaction] + HEAVY + self.text[interaction:]
        self.begin = lambda more: self.text[:population] + FROM_FILE + more + self.text[self.text.index("[[inter"):]

    def test_are_those_of_the_deck(self):
        for precision in ("single", "mixed"):
            out = self.home / precision
            self.run_well(self.deck(self.text), "--output", out, "--quiet", "--set", f"run.precision={precision}")
            first_types = 'types = ["W", "O"]\n'
            energy = read_table(out / "thermo.csv")["kinetic_energy"][-1]
            dump = out / "last.dump"
            self.assertEqual(mesowarp("convert", out / "trajectory.h5", dump).returncode, 0)
            for file in (out / "checkpoint-20.h5", out / "trajectory.h5", dump):
                with self.subTest(file=file):
                    other = self.begin(first_types).replace("FILE", str(file))
                    done = mesowarp("run", self.deck(other, "other.toml"), "--output", self.home / "no", "--quiet")
                    self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                    self.assertRegex(done.stderr, r"other\.toml:\d+:\d+: .*its particles have mass 3\.7")
                    well = self.begin(first_types + SPECIES).replace("FILE", str(file))
                    again = self.home / f"{precision}-{file.stem}"
                    self.run_well(self.deck(well, "well.toml"), "--output", again, "--quiet", "--steps", 0)
                    first = read_table(again / "thermo.csv")["kinetic_energy"][0]
                    self.assertAlmostEqual(first / energy, 1, delta=1e-5)

    def test_species_by_the_files_names(self):
        out = self.home / "out"
        self.run_well(self.deck(self.text), "--output", out, "--quiet")
        well = self.begin('species = "W"\n' + HEAVY.replace("0.5", "0.1")).replace("FILE", str(out / "trajectory.h5"))
        self.run_well(self.deck(well, "well.toml"), "--output", self.home / "well", "--quiet")
        done = mesowarp("run", self.deck(well.replace("3.7", "3.8"), "other.toml"), "--output", self.home / "no")
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("have mass 3.7", done.stderr)


if __name__ == "__main__":
    unittest.main()
