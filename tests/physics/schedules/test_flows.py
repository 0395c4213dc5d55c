"""[[schedule]] of flows, walls and edges: what follows is known, and the bits are the same on any number of ranks and
behind a stop."""
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[2] / "shared"))
from observables import read_table  # noqa: E402
from physics import PhysicsTest, block_average  # noqa: E402
from program import SOURCE, mesowarp, summary  # noqa: E402

SHEARED = """
[run]
steps = {steps}
timestep = 0.01
seed = 5
temperature = {temperature}
precision = "{precision}"
reproducibility = "bitwise"
[box]
size = [7.0, 6.0, 5.0]
[shear]
rate = {rate}
flow = "x"
gradient = "y"
[[population]]
name = "water"
species = "W"
density = 3.0
{population}
[[interaction]]
between = "*"
a = {a}
gamma = {gamma}
{more}
[[output]]
format = "table"
every = {every}
columns = [{columns}]
"""
RATES = '[[schedule]]\nkey = "shear.rate"\n{style}steps = [{steps}]\nvalues = [{values}]\n'


def sheared(more, **changes):
    values = {"steps": 400, "temperature": 1.0, "precision": "mixed", "rate": 0.0, "population": "", "a": 25.0,
              "gamma": 4.5, "every": 5, "columns": '"temperature", "shear_stress", "momentum_x", "scheduled"'}
    return SHEARED.format(more=more, **{**values, **changes})


def rates(steps, values, style=""):
    return RATES.format(steps=", ".join(map(str, steps)), values=", ".join(map(str, values)),
                        style=f'style = "{style}"\n' if style else "")


class ShearRate(PhysicsTest):
    STEPS, VALUES = (0, 100, 250, 300), (0.3, 0.9, -0.6, 0.0)

    def strain(self, steps, timestep=0.01):
        """Of the images at a step: each step's rate holds until the next."""
        rate = np.interp(np.arange(steps), self.STEPS, self.VALUES)
        return np.concatenate([[0.0], np.cumsum(rate)]) * timestep, rate

    def test_free_particles(self):
        """A cold gas goes with the flow, whatever that does; one that rises as a whole lags behind by its way times
        the strain, through faces and images: dw = -rate v_y dt, w = v - rate (y - L / 2)."""
        for precision in ("single", "mixed", "double"):
            for rises in (0.0, 1.3):
                text = sheared(rates(self.STEPS, self.VALUES), temperature=0.0, a=0.0, gamma=0.0, precision=precision,
                               population=f"velocity = [0.0, {rises}, 0.0]\n",
                               columns='"temperature", "momentum_x", "momentum_y", "scheduled"')
                rows = self.thermo(f"free{precision}{rises}", text, 0)
                particles, small = 630, 2e-5 if precision == "single" else 1e-9
                strain, rate = self.strain(401)
                step = rows["step"].astype(int)
                np.testing.assert_allclose(rows["scheduled.shear-rate"], rate[step], atol=1e-12)
                np.testing.assert_allclose(rows["momentum_x"] / particles, -rises * strain[step], atol=small)
                np.testing.assert_allclose(rows["momentum_y"] / particles, rises, atol=small)

    def test_places(self):
        """Cold particles are where the strain has brought them."""
        more = '[[output]]\nformat = "trajectory"\nevery = 50\nprecision = "double"\n'
        text = sheared(rates(self.STEPS, self.VALUES) + more, temperature=0.0, a=0.0, gamma=0.0, precision="double")
        self.thermo("places", text, 0)
        strain, rate = self.strain(401)
        with h5py.File(self.home / "places" / "trajectory.h5") as file:
            all_ = file["particles/all"]
            x, v = all_["position/value"][()], all_["velocity/value"][()]
            step = all_["position/step"][()]
        height = x[0][:, 1] - 3.0
        for k, s in enumerate(step):
            moved = x[k][:, 0] - x[0][:, 0] - strain[s] * height
            self.assertLess(np.abs(moved - 7.0 * np.round(moved / 7.0)).max(), 1e-9, s)
            self.assertLess(np.abs(v[k][:, 0] - rate[s] * height).max(), 1e-9, s)

    def test_stress_follows(self):
        """In a box whose flow would need a time of 80 to come from the faces, stress is rate times viscosity a moment
        behind a jump."""
        plateau, values = 2500, (0.5, -0.5, 0.25)
        steps = [k * plateau for k in range(3)]
        text = sheared(rates(steps, values, "jumps"), steps=3 * plateau, precision="single", every=5).replace(
            "[7.0, 6.0, 5.0]", "[5.0, 15.0, 5.0]")
        rows = self.thermo("jumps", text, 0)
        for begin, value in zip(steps, values):
            inside = (rows["step"] >= begin + 200) & (rows["step"] < begin + plateau)
            stress, error = block_average(rows["shear_stress"][inside])
            self.assertLess(error, 0.04, "the run is too short to mean anything")
            self.assert_within(stress, error, 0.845 * value, 3, 0.02)  # docs/validation.md: 0.844(7), 0.853(11)

    def test_the_same_bits(self):
        more = rates(self.STEPS, self.VALUES) + '[[output]]\nformat = "checkpoint"\nevery = 250\n'
        for precision in ("mixed", "single"):
            deck = self.deck(sheared(more, precision=precision), precision + ".toml")
            found = set()
            for ranks in (1, 2, 4):
                output = self.home / f"{precision}{ranks}"
                self.run_well(deck, "--output", output, "--quiet", ranks=ranks)
                found.add((summary(output)["state_hash"], (output / "thermo.csv").read_text(encoding="utf-8")))
            self.assertEqual(len(found), 1, precision)
            output = self.home / f"{precision}2"
            self.run_well(deck, "--output", output, "--quiet", "--resume", output / "checkpoint-250.h5")
            found.add((summary(output)["state_hash"], (output / "thermo.csv").read_text(encoding="utf-8")))
            self.assertEqual(len(found), 1, precision)

    def test_what_is_refused(self):
        for more, changes, message in ((rates((0, 10), (0.1, 400.0)), {}, "a rate of 400 moves neighbours"),
                                       (rates((0, 10), (-0.1, 0.1)), {"columns": '"viscosity"'}, "never 0")):
            done = mesowarp("check", self.deck(sheared(more, **changes), "bad.toml"))
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(message, done.stderr)


class Others(PhysicsTest):
    def changed(self, example, more, name="changed.toml"):
        return self.deck((SOURCE / "examples" / example).read_text(encoding="utf-8") + more, name)

    def test_walls_and_drives(self):
        """A number that a schedule keeps where the deck has it changes nothing, whatever the deck has: of walls that
        move, with their frozen particles, and of a drive, which is not a force on walls."""
        options = ["--quiet", "--steps", 60, "--set", "measure.0.start=0", "--set", "output.0.every=5", "--set",
                   "run.reproducibility=bitwise"]
        drive = '[[drive]]\nstyle = "constant"\nacceleration = [{}, 0.0, 0.0]\n'
        fixed = '[[schedule]]\nkey = "{}"\nsteps = [0]\nvalues = [{}]\n'
        self.run_well(self.changed("couette_walls.toml", drive.format(0.3)), "--output", self.home / "a", *options)
        more = drive.format(0.0) + fixed.format("drive.0.acceleration.x", 0.3)
        more += fixed.format("wall.0.velocity.x", -1.0) + fixed.format("wall.1.velocity.x", 1.0)
        self.run_well(self.changed("couette_walls.toml", more), "--output", self.home / "b", *options, "--set",
                      "wall.0.velocity=[0.0, 0.0, 0.0]", "--set", "wall.1.velocity=[0.0, 0.0, 0.0]")
        a, b = (read_table(self.home / name / "thermo.csv") for name in "ab")
        self.assertEqual(summary(self.home / "a")["state_hash"], summary(self.home / "b")["state_hash"])
        for column in ("wall1_stress_x", "wall2_stress_x", "wall1_stress_z"):
            np.testing.assert_array_equal(a[column], b[column], column)
            self.assertGreater(np.abs(a[column][1:]).max(), 0.1)

    def test_a_wall_that_stops(self):
        """Frozen particles go as far as the velocity says, and no further."""
        more = '[[schedule]]\nkey = "wall.1.velocity.x"\nstyle = "jumps"\nsteps = [0, 40]\nvalues = [2.0, 0.0]\n'
        more += '[[output]]\nformat = "trajectory"\nevery = 20\n'
        self.run_well(self.changed("couette_walls.toml", more), "--output", self.home / "stops", "--quiet", "--steps",
                      80, "--set", "measure.0.start=0")
        with h5py.File(self.home / "stops/trajectory.h5") as file:
            all_ = file["particles/all"]
            x, v = all_["position/value"][()], all_["velocity/value"][()]
        upper = (x[0][:, 2] > 14.0) & (np.abs(v[0] - (2.0, 0.0, 0.0)).max(axis=1) < 1e-12)
        self.assertGreater(upper.sum(), 100)
        way = x[:, upper, 0] - x[0][upper, 0]
        way -= 8.0 * np.floor(way / 8.0 + 1e-4)
        for frame, expected in enumerate((0.0, 0.4, 0.8, 0.8, 0.8)):
            np.testing.assert_allclose(way[frame], expected, atol=1e-4)
        np.testing.assert_allclose(v[-1][upper], 0.0, atol=1e-12)

    def test_flow_rate(self):
        """The controller follows."""
        more = '[[schedule]]\nkey = "flow_rate.velocity"\nstyle = "jumps"\nsteps = [0, 1500]\nvalues = [0.2, 0.6]\n'
        self.run_well(self.changed("channel_flow_rate.toml", more), "--output", self.home / "rate", "--quiet",
                      "--steps", 4000, "--set", "measure.0.start=0", "--set", "output.0.every=20",
                      "--set", "flow_rate.proportional=1.0", "--set", "flow_rate.integral=0.2")
        rows = read_table(self.home / "rate" / "thermo.csv")
        late = rows["flow_velocity"][rows["step"] > 3000].mean()
        self.assertLess(abs(late - 0.6), 0.06)
        early = rows["flow_velocity"][(rows["step"] > 1000) & (rows["step"] < 1500)].mean()
        self.assertLess(abs(early - 0.2), 0.06)

    def test_what_flows_in(self):
        """Goes with the run's temperature if it has that, and a [[schedule]] of it keeps it apart; the resolved deck is
        the same run."""
        inflow = '[[inflow]]\nalong = "x"\nfrom = 0.0\nto = 3.0\nvelocity = 0.5\nrate = 5.0\n{}'
        text = sheared("", steps=60, temperature="{}", population="temperature = 1.0", a=0.0, gamma=0.0,
                       columns='"temperature"').replace('[shear]\nrate = 0.0\nflow = "x"\ngradient = "y"\n', "")
        warmer = '[[schedule]]\nkey = "{}.temperature"\nsteps = [0]\nvalues = [{}]\n'
        decks = {"warm": (3.0, inflow.format("")), "stays": (1.0, inflow.format("")),
                 "other": (1.0, inflow.format("temperature = 2.0\n")),
                 "follows": (1.0, inflow.format("") + warmer.format("run", 3.0)),
                 "same": (1.0, inflow.format("temperature = 1.0\n") + warmer.format("run", 3.0)),
                 "apart": (1.0, inflow.format("") + warmer.format("run", 3.0) + warmer.format("inflow.0", 1.0)),
                 "given": (1.0, inflow.format("temperature = 2.0\n") + warmer.format("run", 3.0))}
        hashes = {}
        for name, (temperature, more) in decks.items():
            self.thermo(name, text.format(temperature) + more, 0)
            self.run_well(self.home / name / "deck.toml", "--output", self.home / (name + "-again"), "--quiet")
            hashes[name] = summary(self.home / name)["state_hash"]
            self.assertEqual(summary(self.home / (name + "-again"))["state_hash"], hashes[name], name)
        for one, same in (("warm", "follows"), ("warm", "same"), ("stays", "apart"), ("other", "given")):
            self.assertEqual(hashes[one], hashes[same], same)
        self.assertEqual(len(set(hashes.values())), 3)

    def test_thermostats_follow_the_run(self):
        """If they have its temperature: to the bit those of a deck that is as warm; one that has another stays. And a
        gas without forces is as warm as a ramp ends."""
        text = sheared("", steps="{}", temperature="{}", population="temperature = 1.0", a=0.0, gamma=0.0, every=1,
                       columns='"temperature"').replace('[shear]\nrate = 0.0\nflow = "x"\ngradient = "y"\n', "")
        warmer = '[[schedule]]\nkey = "run.temperature"\nsteps = {}\nvalues = {}\n'
        for name, keys in (("langevin", "friction = 4.0"), ("lowe-andersen", "rate = 4.0")):
            block = f'[[thermostat]]\npopulation = "water"\nstyle = "{name}"\n{keys}\n'
            hashes = []
            for temperature, more in ((3.0, ""), (1.0, warmer.format([0], [3.0])), (1.0, "temperature = 1.5\n"),
                                      (1.0, "temperature = 1.5\n" + warmer.format([0], [3.0]))):
                self.thermo(name, text.format(40, temperature) + block + more, 0)
                hashes.append(summary(self.home / name)["state_hash"])
            self.assertEqual(hashes[0], hashes[1], name)
            self.assertEqual(hashes[2], hashes[3], name)
            self.assertNotEqual(hashes[0], hashes[2], name)
            rows = self.thermo(name, text.format(900, 1.0) + block + warmer.format([0, 100, 200], [1.0, 1.0, 2.5]), 400)
            mean, error = block_average(rows["temperature"])
            self.assertLess(error, 0.1, "the run is too short to mean anything")
            self.assert_within(mean, error, 2.5, 3.5)

    def test_methods_without(self):
        """Bodies have none, and say so."""
        deck = self.changed("ions.toml", '[[schedule]]\nkey = "run.temperature"\nsteps = [0]\nvalues = [2.0]\n')
        done = mesowarp("check", deck)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("[[schedule]] is not for bodies", done.stderr)

    def test_what_check_expects(self):
        """Of what changes, at both ends."""
        more = '[[schedule]]\nkey = "interaction.0.kappa"\nsteps = [0, 3000000]\nvalues = [{}, {}]\n'
        found = []
        for values, at in (((3.0, 12.0), "0.kappa=1.0"), ((3.0, 3.0), "0.kappa=3.0"), ((12.0, 12.0), "0.kappa=12.0")):
            done = mesowarp("check", self.changed("tdpd_diffusion.toml", more.format(*values)), "--set",
                            f"interaction.{at}", "--set", "run.steps=3000000")
            found.append([line.split(None, 4)[4] for line in done.stdout.splitlines() if line.startswith("# D of ")])
        self.assertGreater(len(found[0]), 0, done.stderr)
        for both, first, last in zip(*found):
            self.assertEqual(both, f"{first} in the first step, {last} in the last")
            self.assertNotEqual(first, last)

    def test_thermostats_that_become_too_fast(self):
        more = '[[thermostat]]\npopulation = "water"\n{}\n[[schedule]]\nkey = "thermostat.0.{}"\nsteps = [0, 30]\n' \
               'values = [1.0, {}]\n'
        text = sheared("", columns='"temperature"').replace('[shear]\nrate = 0.0\nflow = "x"\ngradient = "y"\n', "")
        for keys, key, value, message in (
                ("friction = 1.0", "friction", 50.0, "friction times the time between two kicks is 0.5"),
                ('style = "lowe-andersen"\nrate = 1.0', "rate", 5e4, "each particle would have")):
            done = mesowarp("check", self.deck(text + more.format(keys, key, value), "fast.toml"))
            self.assertIn("in step 30, by its [[schedule]]: " + message, done.stderr)
            self.assertEqual(done.returncode != 0, key == "rate")

    def test_edges(self):
        """Free particles: v_a L_a stays, so P_aa V L_a^2 does."""
        text = """
[run]
steps = 200
timestep = 0.02
precision = "double"
[box]
size = [6.0, 6.0, 6.0]
[[population]]
name = "water"
species = "W"
count = 648
[[interaction]]
between = "*"
a = 0.0
gamma = 0.0
[[schedule]]
key = "box.size.x"
steps = [0, 55, 130]
values = [6.0, 7.5, 5.0]
[[schedule]]
key = "box.size.y"
style = "jumps"
steps = [0, 100]
values = [6.0, 6.3]
[[output]]
format = "table"
every = 5
columns = ["pressure_xx", "pressure_yy", "volume", "box_x", "box_y", "box_z"]
"""
        rows = self.thermo("edges", text, 0)
        step = rows["step"].astype(int)
        self.assertEqual(rows["box_x"][step == 200], 5.0)
        for s, edge in ((50, 6.0 + 1.5 * 50 / 55), (90, 7.5 - 2.5 * 35 / 75), (130, 5.0)):
            self.assertAlmostEqual(rows["box_x"][step == s][0], edge, delta=1e-9)
        self.assertEqual((rows["box_y"][step == 95][0], rows["box_y"][step == 100][0]), (6.0, 6.3))
        for axis in "xy":
            kept = rows[f"pressure_{axis}{axis}"] * rows["volume"] * rows[f"box_{axis}"]**2
            np.testing.assert_allclose(kept, kept[0], rtol=1e-6)
        for change, message in ((("values = [6.0, 7.5, 5.0]", "values = [6.5, 7.5, 5.0]"), "begin with that"),
                                (("values = [6.0, 7.5, 5.0]", "values = [6.0, 7.5, 2.0]"), "is the least")):
            done = mesowarp("check", self.deck(text.replace(*change), "bad.toml"))
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(message, done.stderr)

    def test_tables_of_many_points(self):
        """A run with one can go on, and its resolved deck can be read."""
        steps = list(range(0, 400, 4))
        text = f"""
[run]
steps = 40
timestep = 0.01
[box]
size = [4.0, 4.0, 4.0]
[[population]]
name = "water"
species = "W"
count = 100
[[interaction]]
between = "*"
a = 25.0
gamma = 4.5
[[schedule]]
key = "run.temperature"
steps = {steps}
values = {[1.0 + 0.1 * step for step in steps]}
"""
        whole, part = self.home / "whole", self.home / "part"
        self.run_well(self.deck(text), "--output", whole, "--quiet")
        self.run_well(self.deck(text), "--output", part, "--quiet", "--steps", 20)
        self.run_well(self.deck(text), "--output", part, "--quiet", "--resume")
        self.assertEqual(summary(part)["state_hash"], summary(whole)["state_hash"])
        self.run_well(whole / "deck.toml", "--output", self.home / "again", "--quiet")
        self.assertEqual(summary(self.home / "again")["state_hash"], summary(whole)["state_hash"])

    def test_edges_of_a_box_that_cannot(self):
        """What changes the box is named, and where: there is no [deformation] in such a deck."""
        for more in (rates((0, 10), (0.1, 0.2)), ""):
            text = sheared(more + '[[schedule]]\nkey = "box.size.z"\nsteps = [0, 9]\nvalues = [5.0, 6.0]\n')
            line = 1 + text.splitlines().index('key = "box.size.z"')
            done = mesowarp("check", self.deck(text, "bad.toml"))
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("a sheared box keeps its lengths: leave it out, or leave the [[schedule]] of box.size.z in "
                          f"line {line - 1} out", done.stderr)
            self.assertNotIn("deformation", done.stderr)

    def test_angles(self):
        """The energy of a start is that of the first step's stiffness."""
        found = []
        for stiffness, more in ((3.0, ""), (6.0, ""), (3.0, "[[schedule]]\nkey = \"angle.0.k\"\nsteps = [0, 50]\n"
                                                            "values = [6.0, 3.0]\n")):
            text = (SOURCE / "examples/worm_like_chain.toml").read_text(encoding="utf-8") + more
            deck = self.deck(text, f"angles{len(found)}.toml")
            self.run_well(deck, "--output", self.home / f"angles{len(found)}", "--quiet", "--steps", 100, "--set",
                          f"angle.0.k={stiffness}", "--set", "output.0.every=50")
            found.append(read_table(self.home / f"angles{len(found)}" / "thermo.csv")["potential_energy"])
        self.assertEqual(found[2][0], found[1][0])
        self.assertNotEqual(found[0][0], found[1][0])
        self.assertNotEqual(found[2][1], found[1][1])


if __name__ == "__main__":
    unittest.main()
