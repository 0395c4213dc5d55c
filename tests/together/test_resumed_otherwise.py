"""A run that goes on with another deck: sums of a measure are not mixed with those of another one; time, and what moves
with it, goes on."""
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from observables import read_table  # noqa: E402
from program import CHECKPOINTS, FLUID, TRAJECTORY, ProgramTest, mesowarp  # noqa: E402

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
            (PROFILE, "every = 5", "every = 5\nstart = 45", "start is 45, and was 0"),  # there are samples before it
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
                                 (PROFILE.replace("every = 5", "every = 5\nstart = 40"), "start = 40", "start = 50"),
                                 (MSD, "every = 2", "every = 2\nto = 0.1"), (RDF, "every", 'name = "g"\nevery')]:
            with self.subTest(now):
                done = self.resumed(before, before.replace(was, now))
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class OtherFields(ProgramTest):
    def test_are_refused(self):
        text, out = FLUID + CHECKPOINTS + TRAJECTORY, self.home / "out"
        self.run_well(self.deck(text), "--output", out, "--quiet", "--steps", 40)
        for was, now, words in [('"velocity"]', '"velocity", "force"]', "it has position, image, velocity"),
                                ('"position", "image", "velocity"', '"position"', "it has position, image, velocity"),
                                ("every = 20\nfields", 'every = 20\nprecision = "double"\nfields', "it has single")]:
            other = self.deck(text.replace(was, now), "other.toml")
            done = mesowarp("run", other, "--output", out, "--quiet", "--resume")
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertRegex(done.stderr, r"other\.toml:\d+:\d+: " + words)
        for was, now in (("every = 20\nfields", 'every = 20\nname = "b"\nprecision = "double"\nfields'),
                         ('"position", "image", "velocity"', '"velocity", "image", "position"')):
            self.run_well(self.deck(text.replace(was, now), "other.toml"), "--output", out, "--quiet", "--resume")


class AnotherSpecies(ProgramTest):
    def test_is_refused(self):
        """Velocities are of the mass that they were drawn for; what is frozen has none of its own."""
        two = ('[[population]]\nname = "more"\nspecies = "X"\ncount = 20\n'
               '[[interaction]]\nbetween = ["X", "*"]\na = 5.0\ngamma = 1.0\n')
        kept = '[[species]]\nname = "X"\nmass = 2.0\n'
        out = self.home / "out"
        for number, (was, now, words) in enumerate([
                ("", kept, 'another mass of species "X": 1 in the checkpoint, 2 in the deck'),
                (kept, "", 'another mass of species "X": 2 in the checkpoint, 1 in the deck'),
                (kept, kept + "frozen = true\n", 'whether species "X" is frozen: false in the checkpoint'),
                (kept + "frozen = true\n", kept, 'whether species "X" is frozen: true in the checkpoint')]):
            with self.subTest(words):
                self.run_well(self.deck(FLUID + CHECKPOINTS + two + was), "--output", out, "--quiet", "--steps", 20)
                other = self.deck(FLUID + CHECKPOINTS + two + now, "other.toml")
                done = mesowarp("run", other, "--output", out, "--quiet", "--resume")
                self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                self.assertRegex(done.stderr, r"other\.toml:\d+:\d+: " + words)
                self.run_well(self.deck(FLUID + CHECKPOINTS + two + was + "\n"), "--output", out, "--quiet", "--resume")
                out.rename(self.home / f"done{number}")


class AnotherTimeStep(ProgramTest):
    """0.005 up to step 40, then 0.0025: 0.2 in step 40, 0.25 in step 60."""

    SLOWER = ("--set", "run.timestep=0.0025")

    def go_on(self, text, *more, later=""):
        """later: further blocks of the second deck."""
        out = self.home / "out"
        self.run_well(self.deck(text), "--output", out, "--quiet", "--steps", 40)
        return out, mesowarp("run", self.deck(text + later), "--output", out, "--quiet", "--resume", *more)

    def goes_on(self, text, *more, later=""):
        out, done = self.go_on(text, *more, later=later)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return out

    def test_time_goes_on(self):
        field = '[[measure]]\nstyle = "field"\ncells = [1, 1, 1]\nstart = 45\nevery = 5\n'
        out = self.goes_on(FLUID + CHECKPOINTS + TRAJECTORY, *self.SLOWER, later=field)
        times = [0.0, 0.05, 0.1, 0.15, 0.2, 0.225, 0.25]
        np.testing.assert_allclose(read_table(out / "thermo.csv")["time"], times, rtol=1e-12)
        with h5py.File(out / "trajectory.h5") as file:
            np.testing.assert_allclose(file["particles/all/position/time"][:], [0.0, 0.1, 0.2, 0.25], rtol=1e-12)
        with h5py.File(out / "field.h5") as file:
            np.testing.assert_allclose(file["time"][:], [0.5 * (0.2125 + 0.25)], rtol=1e-12)
        # And once more: from the checkpoint that the slower run has left.
        deck = self.deck(FLUID + CHECKPOINTS + TRAJECTORY)
        self.run_well(deck, "--output", out, "--quiet", "--resume", "--steps", 80, *self.SLOWER)
        np.testing.assert_allclose(read_table(out / "thermo.csv")["time"], [*times, 0.275, 0.3], rtol=1e-12)

    def test_edges_that_are_functions_of_the_time_step_do_not_jump(self):
        for deformation, words in [("rate = [0.2, 0.0, 0.0]", "the edges would jump"),
                                   ("size = [6.0, 0.0, 0.0]\nto = 60", "")]:
            with self.subTest(deformation):
                (self.home / "out").mkdir(exist_ok=True)
                text = FLUID + CHECKPOINTS + "[deformation]\n" + deformation + "\n"
                out, done = self.go_on(text, *self.SLOWER)
                self.assertEqual(done.returncode, 2 if words else 0, done.stdout + done.stderr)
                self.assertIn(words, done.stderr)
                out.rename(self.home / f"done{len(words)}")

    def test_a_point_that_tows_goes_on(self):
        """From where it is, with another time step and with another velocity: its place is that of the group less the
        spring's length."""
        text = FLUID.replace("every = 10", 'every = 10\ncolumns = ["time", "pulls"]') + CHECKPOINTS + (
            '[[group]]\nname = "g"\nlower = [0.0, 0.0, 0.0]\nupper = [2.0, 2.0, 2.0]\n[[pull]]\ngroup = "g"\n'
            'style = "tow"\nk = 20.0\nalong = [true, false, false]\nvelocity = [1.0, 0.0, 0.0]\n')
        slowly, fast = (("--set", f"pull.0.velocity=[{speed}, 0.0, 0.0]") for speed in (0.5, 3.0))
        for number, (changes, later) in enumerate([(self.SLOWER, 0.05), (slowly, 0.05), (self.SLOWER + fast, 0.15)]):
            with self.subTest(changes):
                table = read_table(self.goes_on(text, *changes) / "thermo.csv")
                point = table["pull_g_x"] + table["pull_g_force_x"] / 20.0
                np.testing.assert_allclose(point - point[0], [0.0, 0.05, 0.1, 0.15, 0.2, 0.2 + later / 2, 0.2 + later],
                                           atol=1e-6)
                (self.home / "out").rename(self.home / f"done{number}")

    def test_a_springs_point_goes_on(self):
        """The same of the point of a spring, which jumped: by as far as it would have gone at the new velocity from the
        start. One that the deck says to be elsewhere is there."""
        text = FLUID.replace("every = 10", 'every = 10\ncolumns = ["time", "pulls"]') + CHECKPOINTS + (
            '[[group]]\nname = "g"\nlower = [0.0, 0.0, 0.0]\nupper = [2.0, 2.0, 2.0]\n[[pull]]\ngroup = "g"\n'
            'style = "spring"\nat = [1.0, 1.0, 1.0]\nk = 20.0\nalong = [true, false, false]\n'
            'velocity = [1.0, 0.0, 0.0]\n')
        fast, elsewhere = ("--set", "pull.0.velocity=[3.0, 0.0, 0.0]"), ("--set", "pull.0.at=[1.5, 1.0, 1.0]")
        for number, (changes, later) in enumerate([(fast, [0.35, 0.5]), (elsewhere, [0.75, 0.8])]):
            with self.subTest(changes):
                table = read_table(self.goes_on(text, *changes) / "thermo.csv")
                point = table["pull_g_x"] + table["pull_g_force_x"] / 20.0
                np.testing.assert_allclose(point - 1.0, [0.0, 0.05, 0.1, 0.15, 0.2, *later], atol=1e-6)
                (self.home / "out").rename(self.home / f"done{number}")


if __name__ == "__main__":
    unittest.main()
