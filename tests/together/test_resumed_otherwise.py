"""A run that goes on with another deck: sums of a measure are not mixed with those of another one."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from program import CHECKPOINTS, FLUID, ProgramTest, mesowarp  # noqa: E402

RDF = 'style = "rdf"\nr_max = 1.0\nbins = 8\nevery = 5\nbetween = ["W", "W"]\n'
MSD = 'style = "msd"\nlevels = 1\nevery = 2\n'
PROFILE = 'style = "profile"\nname = "p"\naxis = "x"\nbins = 4\nevery = 5\n'
SHELLS = 'style = "cylinder"\naxis = "x"\ncenter = [0.0, 2.5, 2.5]\nradius = 2.0\nbins = 4\nevery = 5\n'
HISTOGRAM = 'style = "columns"\ncolumns = ["temperature"]\nfrom = 0.0\nto = 4.0\nbins = 4\nevery = 5\n'


class AnotherMeasure(ProgramTest):
    def resumed(self, before, after, *more):
        """Half a run with the one, gone on with the other; lines of the [[measure]] block."""
        text = FLUID + CHECKPOINTS + "[[measure]]\n"
        out = self.home / "out"
        self.run_well(self.deck(text + before), "--output", out, "--quiet", "--steps", 40, "--force")
        return mesowarp("run", self.deck(text + after, "other.toml"), "--output", out, "--quiet", "--resume",
                        out / "checkpoint-40.h5", *more)

    def test_is_refused(self):
        for before, was, now, words in [
            (RDF, "r_max = 1.0", "r_max = 2.0", "r_max is 2.0, and was 1.0"),
            (RDF, '"W", "W"', '"W", "*"', "between is"),
            (MSD, "every = 2", "every = 4", "every is 4, and was 2"),
            (MSD, "levels = 1", "levels = 1\nkeep_drift = true", "keep_drift is true, and was false"),
            (MSD, "levels = 1", "levels = 1\nstart = 1", "start is 1, and was 0"),
            (PROFILE, '"x"', '"y"', 'axis is "y", and was "x"'),
            (SHELLS, "radius = 2.0", "radius = 1.0", "radius is 1.0, and was 2.0"),
            (HISTOGRAM, "to = 4.0", "to = 8.0", "to is 8.0, and was 4.0")]:
            with self.subTest(words):
                done = self.resumed(before, before.replace(was, now))
                self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                self.assertIn("give it another name, and it begins anew", done.stderr)
                self.assertRegex(done.stderr, r"other\.toml:\d+:\d+: ")
                self.assertIn(words, done.stderr)

    def test_lags_are_of_one_time_step(self):
        done = self.resumed(MSD, MSD, "--set", "run.timestep=0.0025")
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("its lags are of run.timestep", done.stderr)
        self.assertEqual(self.resumed(RDF, RDF, "--set", "run.timestep=0.0025").returncode, 0)

    def test_what_does_not_matter_may_change(self):
        for before, was, now in [(RDF, "every = 5", "every = 4\nwindow = 40"), (PROFILE, "every = 5", "every = 10"),
                                 (MSD, "every = 2", "every = 2\nto = 0.1"), (RDF, "every", 'name = "g"\nevery')]:
            with self.subTest(now):
                done = self.resumed(before, before.replace(was, now))
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
