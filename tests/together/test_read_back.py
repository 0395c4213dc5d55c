"""The Python package finds every measure of a run, whatever it is called."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from program import FLUID, SOURCE, TRAJECTORY, ProgramTest  # noqa: E402

sys.path.insert(0, str(SOURCE / "python"))
import mesowarp  # noqa: E402


class Names(ProgramTest):
    def test_like_those_of_the_programs_files(self):
        text = FLUID + TRAJECTORY + '[[measure]]\nname = "walls_flow"\nevery = 5\n' + (
            '[[measure]]\nstyle = "field"\nname = "trajectory-field"\ncells = [2, 2, 2]\nevery = 5\n'
            '[[measure]]\nstyle = "rdf"\nname = "walls"\nr_max = 1.0\nevery = 5\n')
        out = self.home / "out"
        self.run_well(self.deck(text), "--output", out, "--quiet")
        run = mesowarp.open(out)
        self.assertEqual((set(run.profiles), set(run.fields), set(run.measures)),
                         ({"across", "walls_flow"}, {"trajectory-field"}, {"walls"}))


if __name__ == "__main__":
    unittest.main()
