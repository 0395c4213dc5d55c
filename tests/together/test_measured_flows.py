"""Measures of a fluid at rest in one that flows, and of what is held: `check` says what would be in them."""
import sys
import unittest
from pathlib import Path

import h5py

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from observables import read_table  # noqa: E402
from program import FLUID, ProgramTest, fluid, mesowarp  # noqa: E402
from schedules import schedule  # noqa: E402

SHEAR = "[shear]\nrate = 0.8\n"
HELD = ('[[group]]\nname = "post"\nlower = [1.0, 1.0, 0.0]\nupper = [2.0, 2.0, 5.0]\n[[hold]]\ngroup = "post"\n'
        '[[group]]\nname = "free"\nspecies = ["W"]\nnone_of = ["post"]\n')


def mean_temperature(path):
    with h5py.File(path) as file:
        return file["temperature"][:].mean()


class Checks(ProgramTest):
    def check(self, text, code=0):
        done = mesowarp("check", self.deck(text))
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stderr

    def measure(self, lines):
        return f"[[measure]]\n{lines}\n"

    def test_viscosity_of_what_flows_is_refused(self):
        moving = fluid(population="velocity = [0.2, 0.0, 0.0]")
        for text, words in [(FLUID + "[flow_rate]\nvelocity = 0.2\n", "and [flow_rate] makes it flow"),
                            (moving, 'the velocity of population "water" makes it flow')]:
            message = self.check(text + self.measure('style = "viscosity"'), 2)
            self.assertRegex(message, r"deck\.toml:\d+:\d+: .*Green-Kubo is of a fluid at rest")
            self.assertIn(words, message)
        self.check(FLUID + self.measure('style = "viscosity"'))

    def test_viscosity_of_what_changes_is_refused(self):
        """Unless it has come to its end before."""
        ramp = schedule("run.temperature", [0, 10], [1.0, 1.2])
        for lines, wrong in (('style = "viscosity"', True), ('style = "viscosity"\nstart = 10', False)):
            message = self.check(FLUID + self.measure(lines) + ramp, 2 if wrong else 0)
            self.assertEqual("and run.temperature changes from step 0 on" in message, wrong, message)

    def test_correlation_of_velocities_that_flow(self):
        inflow = "[[inflow]]\nfrom = 1.0\nto = 3.0\nvelocity = 0.3\nrate = 5.0\n"
        for text, words in [(fluid(population="velocity = [0.2, 0.0, 0.0]"), 'population "water" makes a flow'),
                            (FLUID + "[[drive]]\nacceleration = [0.1, 0.0, 0.0]\n", "[[drive]] makes a flow"),
                            (FLUID + "[flow_rate]\nvelocity = 0.2\n", "[flow_rate] makes a flow"),
                            (FLUID + inflow, "[[inflow]] makes a flow")]:
            self.assertIn(words, self.check(text + self.measure('style = "vacf"\nevery = 1')))
            self.assertNotIn("makes a flow", self.check(text + self.measure('style = "msd"\nevery = 1')))
        self.assertNotIn("makes a flow", self.check(FLUID + self.measure('style = "vacf"\nevery = 1')))

    def test_bins_that_hold_a_part_of_a_sheared_flow(self):
        for lines, warned in [('style = "profile"\naxis = "x"', True),
                              ('style = "profile"\naxis = "y"\nbins = 10', False),
                              ('style = "profile"\naxis = "y"\nbins = 2', True),
                              ('style = "profile"\naxis = "x"\nquantities = ["density", "velocity"]', False),
                              ('style = "field"\ncells = [1, 10, 1]\nquantities = ["stress"]', False),
                              ('style = "field"\ncells = [5, 2, 5]\nquantities = ["stress"]', True),
                              ('style = "cylinder"\naxis = "y"\ncenter = [2.5, 2.5, 2.5]\nradius = 1.0', True)]:
            with self.subTest(lines):
                check = self.assertIn if warned else self.assertNotIn
                check("take thinner bins across y", self.check(FLUID + SHEAR + self.measure(lines)))

    def test_by_as_much_as_it_says(self):
        text = fluid(steps=1500, timestep=0.01) + SHEAR
        for bins, name, axis in ((10, "fine", "y"), (5, "coarse", "x")):
            text += self.measure(f'style = "profile"\nname = "{name}"\naxis = "{axis}"\nbins = {bins}\nstart = 400')
        self.assertIn("is 4 faster on one side than on the other, which adds 0.44 to their temperature",
                      self.check(text))
        out = self.home / "out"
        self.run_well(self.deck(text), "--output", out, "--quiet")
        fine, coarse = (mean_temperature(out / f"{name}.h5") for name in ("fine", "coarse"))
        self.assertAlmostEqual(coarse - fine, 0.44, delta=0.06)

    def test_what_is_held_is_measured_unless_the_deck_says_no(self):
        for lines in ('style = "profile"', 'style = "msd"\nevery = 1', 'style = "vacf"\nevery = 1',
                      'style = "cylinder"\naxis = "z"\ncenter = [2.5, 2.5, 0.0]\nradius = 2.0'):
            self.assertIn("what [[hold]] keeps is part of", self.check(FLUID + HELD + self.measure(lines)))
            named = self.measure(lines + '\nspecies = ["free"]')
            self.assertNotIn("what [[hold]] keeps is part of", self.check(FLUID + HELD + named))


class FlowRate(ProgramTest):
    def flow(self, columns, block):
        """The table of a fluid of which a third is held, made to flow by a block, behind step 300."""
        held = HELD.replace("upper = [2.0, 2.0, 5.0]", "upper = [2.7, 5.0, 5.0]").replace("lower = [1.0, 1.0, 0.0]",
                                                                                         "lower = [1.0, 0.0, 0.0]")
        text = fluid(steps=600, timestep=0.01, population="velocity = [0.4, 0.0, 0.0]").replace(
            "every = 10", f"every = 10\ncolumns = {columns}")
        out = self.home / "out"
        self.run_well(self.deck(text + held + block), "--output", out, "--quiet")
        return read_table(out / "thermo.csv", 300)

    def test_is_of_what_is_free(self):
        """A third of the particles is held: without them the others have the mean velocity that the deck asks for."""
        table = self.flow('["flow_velocity", "momentum_x", "groups"]',
                          "[flow_rate]\nvelocity = 0.4\nproportional = 4.0\nintegral = 8.0\nevery = 1\n")
        self.assertAlmostEqual(table["flow_velocity"].mean(), 0.4, delta=0.02)
        self.assertAlmostEqual(table["group_free_velocity_x"].mean(), 0.4, delta=0.02)
        self.assertAlmostEqual(table["group_post_velocity_x"].mean(), 0.0, delta=1e-12)

    def test_an_inflow_is_of_what_is_free(self):
        """The same of the mean velocity of a region: nothing keeps the fluid from it, so it is what is asked for. With
        what is held the mean was two thirds, and the controller's velocity grew."""
        table = self.flow('["inflows", "groups"]',
                          "[[inflow]]\nfrom = 0.0\nto = 4.9\nvelocity = 0.4\nrate = 20.0\nintegral = 2.0\n")
        self.assertAlmostEqual(table["inflow1_velocity"].mean(), 0.4, delta=0.03)
        self.assertAlmostEqual(table["group_free_velocity_x"].mean(), 0.4, delta=0.05)


if __name__ == "__main__":
    unittest.main()
