"""[[group]], [[pull]] and [[hold]]: motions that are known exactly where nothing else acts, thermal ones, the same
bits on any number of ranks and threads and behind a stop, and what `check` says."""
import math
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from observables import block_estimate, read_table  # noqa: E402
from program import ProgramTest, mesowarp, summary  # noqa: E402

DT = 0.01
# Two kinds of particles that feel nothing but what acts on groups.
GAS = """
[run]
steps = 200
timestep = 0.01
seed = 3
temperature = 0.0
precision = "double"
[box]
size = [8.0, 9.0, 10.0]
[[population]]
name = "light"
species = "L"
count = 150
[[population]]
name = "heavy"
species = "H"
mass = 2.5
count = 100
[[interaction]]
between = "*"
a = 0.0
gamma = 0.0
[[output]]
format = "table"
every = 1
columns = ["time", "temperature", "kinetic_energy", "momentum_x", "groups"]
[[output]]
format = "trajectory"
every = 100
precision = "double"
fields = ["position", "image", "velocity"]
"""
MIXED = '[[group]]\nname = "some"\nparticles = "10:19, 160:190:3"\n'  # 10 light and 11 heavy ones
MASS = 10 + 11 * 2.5
PULLS = GAS.replace('"groups"', '"groups", "pulls"')
FLUID = """
[run]
steps = 60
timestep = 0.01
seed = 5
reproducibility = "bitwise"
[box]
size = [9.0, 7.0, 8.0]
[[population]]
name = "water"
species = "W"
density = 3.0
[[population]]
name = "chains"
kind = "polymer"
blocks = "AAABBB"
count = 20
[[bond]]
population = "chains"
k = 50.0
r0 = 0.5
[[interaction]]
between = "*"
a = 25.0
gamma = 4.5
[[shape]]
name = "ball"
style = "sphere"
center = [4.5, 3.5, 4.0]
radius = 1.5
[[shape]]
name = "core"
style = "sphere"
center = [4.5, 3.5, 4.0]
radius = 0.7
[[group]]
name = "heads"
species = ["A"]
populations = ["chains"]
molecules = "1:9:2"
[[group]]
name = "tails"
species = ["B"]
molecules = "1:9:2"
[[group]]
name = "shell"
region = "ball and not core"
species = ["W"]
[[group]]
name = "slab"
lower = [0.0, 0.0, 0.0]
upper = [9.0, 7.0, 0.5]
[[group]]
name = "outside"
species = ["W"]
none_of = ["shell", "slab"]
[[group]]
name = "inside"
species = ["W"]
any_of = ["shell", "slab"]
[[pull]]
group = "outside"
style = "each"
force = [0.0, 0.0, 0.125]
[[pull]]
group = "inside"
style = "each"
force = [0.0, 0.0, 0.125]
[[pull]]
group = "heads"
style = "tow"
k = 20.0
velocity = [0.5, 0.0, 0.25]
[[pull]]
group = "tails"
style = "couple"
other = "shell"
k = 3.0
r0 = 1.0
[[pull]]
name = "up"
group = "shell"
style = "each"
force = [0.0, 0.2, 0.0]
[[schedule]]
key = "pull.4.force.y"
steps = [0, 60]
values = [0.0, 0.4]
[[hold]]
group = "slab"
velocity = [0.3, 0.0, 0.0]
[[output]]
format = "table"
every = 10
columns = ["temperature", "momentum_x", "groups", "pulls"]
[[output]]
format = "checkpoint"
every = 20
"""


class Groups(ProgramTest):
    def run_deck(self, text, name, *arguments, ranks=1):
        out = self.home / name
        self.run_well(self.deck(text, name + ".toml"), "--output", out, "--quiet", *arguments, ranks=ranks)
        return out

    def end_of(self, text, name):
        """Unwrapped positions and velocities of the first and the last frame, and the table."""
        out = self.run_deck(text, name)
        with h5py.File(out / "trajectory.h5") as file:
            group = file["particles/all"]
            x = group["position/value"][()] + group["image/value"][()] * np.array([8.0, 9.0, 10.0])
            v = np.asarray(group["velocity/value"])
        return x[[0, -1]], v[[0, -1]], read_table(out / "thermo.csv")

    def test_constant_forces(self):
        """Each style gives its members alone their velocity, and mean places go on as they must."""
        members = np.r_[10:20, 160:191:3]
        mass = np.where(members < 150, 1.0, 2.5)[:, None]
        force = np.array([0.3, -0.2, 0.1])
        for style, key, per in (("each", "force", force / mass), ("acceleration", "acceleration", force + 0 * mass),
                                ("force", "force", force / MASS + 0 * mass)):
            pull = f'[[pull]]\ngroup = "some"\nstyle = "{style}"\n{key} = {force.tolist()}\n'
            x, v, table = self.end_of(PULLS + MIXED + pull, style)
            np.testing.assert_allclose(v[1, members], per * 2.0, rtol=0, atol=1e-12)
            np.testing.assert_allclose((x[1] - x[0])[members], per * 2.0, rtol=0, atol=1e-8)
            others = np.setdiff1d(np.arange(250), members)
            self.assertTrue((v[1, others] == 0).all())
            self.assertTrue((x[1] == x[0])[others].all())
            total = (mass * per).sum(axis=0)
            for axis, number in enumerate(total):
                for column in (f"pull_some_force_{'xyz'[axis]}", f"group_some_force_{'xyz'[axis]}"):
                    np.testing.assert_allclose(table[column], number, rtol=1e-12)
                centre = (mass * x[0, members]).sum(axis=0)[axis] / MASS
                time = np.asarray(table["time"])
                np.testing.assert_allclose(table[f"pull_some_{'xyz'[axis]}"], centre + number / MASS * time**2 / 2,
                                           rtol=0, atol=1e-8)
                np.testing.assert_allclose(table[f"group_some_velocity_{'xyz'[axis]}"], number / MASS * time, rtol=0,
                                           atol=1e-12)

    def test_ramp(self):
        """v = sum of F dt with Verlet's half steps at both ends."""
        text = PULLS + MIXED + ('[[pull]]\ngroup = "some"\nforce = [0.0, 0.0, 0.0]\n[[schedule]]\n'
                                'key = "pull.0.force.z"\nsteps = [50, 150]\nvalues = [0.0, -3.0]\n')
        _, _, table = self.end_of(text, "ramp")
        force = np.interp(np.arange(201), [50, 150], [0.0, -3.0])
        np.testing.assert_allclose(table["pull_some_force_z"], force, rtol=1e-14, atol=0)
        kicks = np.concatenate([[0], np.cumsum(0.5 * (force[1:] + force[:-1]))]) * DT / MASS
        np.testing.assert_allclose(table["group_some_velocity_z"], kicks, rtol=0, atol=1e-12)

    def test_springs(self):
        """Without r0 a spring's centre of mass is an oscillator under Verlet's scheme, whose motion is known."""
        k, n = 30.0, np.arange(201)
        turn = math.acos(1 - k / MASS * DT**2 / 2)  # of a step
        group, at = "[[pull]]\ngroup = \"some\"\nk = 30.0\n", [4.0, 5.0, 3.0]
        x, _, table = self.end_of(PULLS + MIXED + group + f'style = "spring"\nat = {at}\nalong = [true, false, true]\n',
                                  "spring")
        for axis, letter in enumerate("xyz"):
            place = np.asarray(table[f"pull_some_{letter}"])
            start = place[0] - at[axis]
            expected = at[axis] + start * (np.cos(turn * n) if letter != "y" else 1.0)
            np.testing.assert_allclose(place, expected, rtol=0, atol=1e-9)
            force = -k * (place - at[axis]) if letter != "y" else 0 * place
            np.testing.assert_allclose(table[f"pull_some_force_{letter}"], force, rtol=0, atol=1e-10)
        apart = x - x[:, 10:11]  # members keep their places to each other
        np.testing.assert_allclose(apart[0, 11:20], apart[1, 11:20], rtol=0, atol=1e-9)
        # Towed from where it is: the point runs ahead at v.
        _, _, table = self.end_of(PULLS + MIXED + group + 'style = "tow"\nvelocity = [0.0, 0.7, 0.0]\n', "tow")
        place = np.asarray(table["pull_some_y"])
        lag = 0.7 * DT * np.sin(turn * n) / math.sin(turn)
        np.testing.assert_allclose(place - place[0], 0.7 * DT * n - lag, rtol=0, atol=1e-9)
        np.testing.assert_allclose(table["pull_some_length"], np.abs(lag), rtol=0, atol=1e-9)
        work = np.concatenate([[0], np.cumsum(0.5 * k * (lag[1:] + lag[:-1]))]) * 0.7 * DT
        np.testing.assert_allclose(table["pull_some_work"], work, rtol=0, atol=1e-8)
        energy = np.asarray(table["pull_some_energy"]) + np.asarray(table["kinetic_energy"])
        np.testing.assert_allclose(energy, work, rtol=0, atol=2e-3)  # Verlet's is within a second order of dt

    def test_couple(self):
        """Two groups about each other: at r0 nothing, else an oscillator of the reduced mass; momentum stays."""
        rest = '[[group]]\nname = "rest"\nspecies = ["H"]\nparticles = "200:249"\n'
        _, _, table = self.end_of(PULLS + MIXED + rest + '[[pull]]\ngroup = "some"\nstyle = "couple"\nother = "rest"\n'
                                  "k = 12.0\nr0 = 0.5\n", "couple")
        reduced = 1 / (1 / MASS + 1 / 125.0)
        turn = math.acos(1 - 12.0 / reduced * DT**2 / 2)
        length = np.asarray(table["pull_some_length"])
        expected = 0.5 + (length[0] - 0.5) * np.cos(turn * np.arange(201))
        self.assertGreater(length[0], 0.6)
        until = int(np.argmax(expected < 0.05)) or 201  # the formula is of one direction
        self.assertGreater(until, 60)
        np.testing.assert_allclose(length[:until], expected[:until], rtol=0, atol=1e-9)
        np.testing.assert_allclose(table["momentum_x"], 0.0, atol=1e-12)

    def test_hold(self):
        """What is held keeps its velocity against a force, which the table shows, and has no temperature."""
        text = PULLS.replace("temperature = 0.0", "temperature = 1.0") + MIXED + (
            '[[group]]\nname = "all"\nspecies = ["L", "H"]\n[[pull]]\ngroup = "all"\nstyle = "each"\n'
            'force = [0.0, 0.5, 0.0]\n[[hold]]\ngroup = "some"\nvelocity = [0.4, 0.0, -0.2]\n')
        x, v, table = self.end_of(text, "hold")
        members = np.r_[10:20, 160:191:3]
        np.testing.assert_array_equal(v[:, members], np.broadcast_to([0.4, 0.0, -0.2], (2, 21, 3)))
        np.testing.assert_allclose((x[1] - x[0])[members], np.broadcast_to([0.8, 0.0, -0.4], (21, 3)), rtol=0,
                                   atol=1e-8)
        np.testing.assert_allclose(table["hold_some_force_y"], -0.5 * 21, rtol=1e-12)
        np.testing.assert_allclose(table["group_some_temperature"], 0.0, atol=1e-12)
        # And as a [[schedule]] says: from each step to the next that of the step.
        ramp = '[[schedule]]\nkey = "hold.0.velocity.x"\nsteps = [20, 100, 180]\nvalues = [0.4, -1.0, 3.0]\n'
        y, w, changed = self.end_of(text + ramp, "ramp")
        u = np.interp(np.arange(201), [20, 100, 180], [0.4, -1.0, 3.0])
        np.testing.assert_allclose(w[:, members], [[[s, 0.0, -0.2]] * 21 for s in u[[0, -1]]], rtol=0, atol=1e-15)
        np.testing.assert_allclose((y[1] - y[0])[members], [[DT * u[:-1].sum(), 0.0, -0.4]] * 21, rtol=0, atol=1e-8)
        np.testing.assert_allclose(changed["group_some_temperature"], 0.0, atol=1e-12)
        np.testing.assert_allclose(changed["temperature"], table["temperature"], rtol=0, atol=1e-9)
        free = np.setdiff1d(np.arange(250), members)
        mass = np.where(free < 150, 1.0, 2.5)[:, None]
        for frame, row in ((0, 0), (1, 200)):
            square = (mass * v[frame, free]**2).sum()
            self.assertAlmostEqual(table["temperature"][row], square / (3 * len(free)), delta=1e-9)
            self.assertAlmostEqual(table["momentum_x"][row], (mass * v[frame, free])[:, 0].sum(), delta=1e-9)

    def test_a_group_that_is_held_in_part(self):
        """Its temperature is that of the rest: held ones have no part in it."""
        text = PULLS.replace("temperature = 0.0", "temperature = 1.0") + MIXED + (
            '[[group]]\nname = "more"\nparticles = "0:14, 150:170"\n'
            '[[hold]]\ngroup = "some"\nvelocity = [0.9, 0.0, 0.0]\n')
        x, v, table = self.end_of(text, "part")
        more = np.r_[0:15, 150:171]
        free = np.setdiff1d(more, np.r_[10:20, 160:191:3])
        mass = np.where(np.arange(250) < 150, 1.0, 2.5)[:, None]
        for frame, row in ((0, 0), (1, 200)):
            w = v[frame, free] - np.average(v[frame, free], axis=0, weights=mass[free, 0])
            self.assertAlmostEqual(table["group_more_temperature"][row],
                                   (mass[free] * w**2).sum() / (3 * len(free) - 3), delta=1e-9)
            for quantity, all_of_it in (("velocity_x", v[frame]), ("x", x[frame])):
                self.assertAlmostEqual(table[f"group_more_{quantity}"][row],
                                       np.average(all_of_it[more, 0], weights=mass[more, 0]), delta=1e-8)

    def test_where_all_are_held_there_is_no_temperature(self):
        """Not even an infinite one, whose sums no run could go on with."""
        text = GAS.replace('precision = "double"\n[box]', 'precision = "single"\n[box]') + """
[[group]]
name = "all"
species = ["L", "H"]
[[hold]]
group = "all"
velocity = [0.1, 0.0, 0.0]
[[measure]]
style = "columns"
columns = ["temperature", "kinetic_energy"]
every = 1
"""
        table = read_table(self.run_deck(text, "held", "--steps", 50) / "thermo.csv")
        np.testing.assert_array_equal(table["temperature"], 0.0)
        self.run_deck(text, "held", "--resume")
        means = np.genfromtxt(self.home / "held/columns_means.csv", delimiter=",", names=True)
        np.testing.assert_array_equal(means["temperature_mean"], 0.0)

    def test_thermal(self):
        """In a fluid of temperature 1: a centre of mass on a spring has the variance 1 / k along each axis, whatever
        its mass; a group's own temperature is the thermostat's; one that Langevin friction holds back is towed by the
        force M gamma v."""
        text = """
[run]
steps = 30000
timestep = 0.02
seed = 8
[box]
size = [5.0, 5.0, 5.0]
[[population]]
name = "cold"
species = "C"
count = 100
[[population]]
name = "warm"
species = "W"
count = 100
[[interaction]]
between = "*"
a = 0.0
gamma = 0.0
[[thermostat]]
population = "cold"
friction = 1.0
temperature = 0.5
[[thermostat]]
population = "warm"
friction = 2.0
[[group]]
name = "cold"
species = ["C"]
[[group]]
name = "towed"
particles = "100:109"
[[group]]
name = "tied"
particles = "150:153"
[[pull]]
group = "towed"
style = "tow"
k = 40.0
velocity = [0.6, 0.0, 0.0]
[[pull]]
group = "tied"
style = "spring"
k = 8.0
at = [2.5, 2.5, 2.5]
[[output]]
format = "table"
every = 20
columns = ["groups", "pulls"]
"""
        table = read_table(self.run_deck(text, "thermal") / "thermo.csv")
        late = {name: np.asarray(values)[200:] for name, values in table.items()}
        square = sum((late[f"pull_tied_{axis}"] - 2.5)**2 for axis in "xyz") / 3
        for values, expected, wide in ((square, 1 / 8.0, 0.01), (late["group_cold_temperature"], 0.5, 0.005),
                                       (late["group_tied_temperature"], 1.0, 0.05),
                                       (late["pull_towed_force_x"], 10 * 2.0 * 0.6, 0.5)):
            estimate = block_estimate(values)
            self.assertLess(estimate.error, wide)
            self.assertLess(abs(estimate.mean - expected), 4 * estimate.error)

    def test_measures(self):
        """Of a group as of a species that is the same particles; of all others together with it as of all."""
        text = FLUID[:FLUID.index("[[pull]]")].replace('blocks = "AAABBB"', 'blocks = "AAABBB"\nmass = 2.0') + (
            '[[group]]\nname = "as-a"\nmolecules = "1:20"\nspecies = ["A"]\n'
            '[[group]]\nname = "half"\npopulations = ["chains"]\nmolecules = "1:10"\n'
            '[[group]]\nname = "rest"\nspecies = ["A", "B", "W"]\nnone_of = ["half"]\n')
        sets = {"species": '"A"', "group": '"as-a"', "every": '"A", "B", "W"', "parts": '"half", "rest"',
                "half": '"half"'}
        pairs = {"every": '"*", "A"', "parts": '"*", "as-a"'}

        def measure(style, name):
            words = f"levels = 2\nspecies = [{sets[name]}]"
            if style == "rdf":
                words = f"r_max = 3.0\nbetween = [{pairs.get(name, sets[name] + ', ' + chr(34) + 'W' + chr(34))}]"
            return f'[[measure]]\nstyle = "{style}"\nname = "{style}-{name}"\nevery = 5\n{words}\n'

        same = ("species", "group", "every", "parts")  # four may carry origins
        runs = ([("msd", name) for name in same], [("vacf", name) for name in same],
                [("msd", "half"), ("vacf", "half")] + [("rdf", name) for name in sets])
        for ranks in (1, 2):
            files = {}
            for number, measures in enumerate(runs):
                out = self.run_deck(text + "".join(measure(*one) for one in measures), f"measures{number}-{ranks}",
                                    ranks=ranks)
                files.update({one: (out / "{}-{}.csv".format(*one)).read_bytes() for one in measures})
            for style in ("msd", "vacf", "rdf"):
                self.assertEqual(files[style, "species"], files[style, "group"], style)
                self.assertEqual(files[style, "every"], files[style, "parts"], style)
                self.assertNotEqual(files[style, "half"], files[style, "every"], style)
            g = np.genfromtxt(out / "rdf-half.csv", delimiter=",", names=True)["g"]
            self.assertLess(abs(g[-20:].mean() - 1), 0.1)
        text += '[[measure]]\nstyle = "clusters"\nname = "c"\nevery = 5\ncutoff = 1.0\nspecies = ["half"]\n'
        done = mesowarp("check", self.deck(text))
        self.assertIn('"half" is a [[group]], which this style cannot be of', done.stdout + done.stderr)

    def test_same_bits(self):
        """On any number of ranks and threads, and behind a stop; and the groups are those that the deck describes."""
        whole = self.run_deck(FLUID, "whole")
        table = (whole / "thermo.csv").read_bytes()
        numbers = read_table(whole / "thermo.csv")
        np.testing.assert_allclose(numbers["pull_up_force_y"] / numbers["pull_up_force_y"][-1],
                                   np.linspace(0, 1, 7), rtol=0, atol=1e-12)
        members = numbers["pull_up_force_y"][-1] / 0.4  # those in the shell, of density 3
        self.assertAlmostEqual(members, round(members), delta=1e-9)
        expected = 3.0 * 4 / 3 * math.pi * (1.5**3 - 0.7**3)
        self.assertLess(abs(members - expected), 4 * math.sqrt(expected))
        np.testing.assert_allclose(numbers["group_slab_velocity_x"], 0.3, rtol=1e-6)
        both = (numbers["pull_outside_force_z"] + numbers["pull_inside_force_z"]) / 0.125  # all of the water
        np.testing.assert_allclose(both, 3 * 9 * 7 * 8, rtol=1e-12)
        for name, ranks, options in (("threads", 1, ("--threads", "1")), ("two", 2, ()), ("four", 4, ())):
            other = self.run_deck(FLUID, name, *options, ranks=ranks)
            self.assertEqual(summary(other)["state_hash"], summary(whole)["state_hash"], name)
            self.assertEqual((other / "thermo.csv").read_bytes(), table, name)
        for name, ranks in (("stopped", 1), ("on-three", 3)):
            part = self.run_deck(FLUID.replace("steps = 60\n", "steps = 40\n", 1), name)
            self.run_well(self.deck(FLUID), "--output", part, "--quiet", "--resume", ranks=ranks)
            self.assertEqual(summary(part)["state_hash"], summary(whole)["state_hash"], name)
            self.assertEqual((part / "thermo.csv").read_bytes(), table, name)
        other = self.deck(FLUID.replace("1:9:2", "1:9:4"))
        done = mesowarp("run", other, "--output", part, "--steps", "80", "--resume")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("a group of other particles", done.stdout + done.stderr)

    def test_who_is_in_a_region(self):
        """Those whose place at the start is in it, one by one: of spheres, a box, what is not in a slab, a
        cylinder, and a sphere that lies on a corner; on ranks, too."""
        more, names = "", ("heads", "tails", "shell", "slab", "outside", "inside", "rod", "corner", "face")
        for name, keys in (("rod", 'style = "cylinder"\naxis = "y"\ncenter = [2.0, 0.0, 5.5]\nradius = 1.2\n'),
                           ("corner", 'style = "sphere"\ncenter = [0.0, 7.0, 8.0]\nradius = 2.0\n'),
                           ("face", 'style = "slab"\naxis = "x"\nfrom = 0.75\nto = 8.5\n')):
            region = "not face" if name == "face" else name
            more += f'[[shape]]\nname = "{name}"\n{keys}[[group]]\nname = "{name}"\nregion = "{region}"\n'
        for name in ("all",) + names:
            more += f'[[output]]\nformat = "trajectory"\nname = "of-{name}"\nevery = 1\nprecision = "double"\n'
            more += f'groups = ["{name}"]\n' if name != "all" else ""
        of, whole = {}, None
        for ranks in (1, 3):
            out = self.run_deck(FLUID + more, f"regions{ranks}", "--steps", 1, ranks=ranks)
            for name in names:
                with h5py.File(out / f"of-{name}.h5") as file:
                    tags = file["particles/all/tag"][()]
                of.setdefault(name, tags)
                np.testing.assert_array_equal(of[name], tags)
            with h5py.File(out / "of-all.h5") as file:
                group = file["particles/all"]
                whole = {"x": group["position/value"][0], "species": group["species"][()],
                         "molecule": group["molecule"][()]}
        x, box = whole["x"], np.array([9.0, 7.0, 8.0])

        def away(center):
            d = x - center
            return d - box * np.rint(d / box)
        water, a, b = (whole["species"] == kind for kind in range(3))
        odd = np.isin(whole["molecule"], range(1, 10, 2))
        distance = np.linalg.norm(away([4.5, 3.5, 4.0]), axis=1)
        shell, slab = water & (distance < 1.5) & (distance > 0.7), x[:, 2] < 0.5
        expected = {
            "heads": odd & a, "tails": odd & b, "shell": shell, "slab": slab, "inside": water & (shell | slab),
            "outside": water & ~(shell | slab), "rod": np.linalg.norm(away([2.0, 0.0, 5.5])[:, [0, 2]], axis=1) < 1.2,
            "corner": np.linalg.norm(away([0.0, 7.0, 8.0]), axis=1) < 2.0, "face": (x[:, 0] > 8.5) | (x[:, 0] < 0.75)}
        for name, inside in expected.items():
            np.testing.assert_array_equal(of[name], np.flatnonzero(inside), err_msg=name)
            self.assertGreater(inside.sum(), 14, name)

    def test_checks(self):
        """Each error with its line and what to do."""
        hold = '[[hold]]\ngroup = "some"\n'
        for text, said in (
                (GAS.replace('"groups"', '"pulls"'), '"pulls": this deck has no [[pull]]'),
                (GAS + '[[group]]\nname = "none"\n', "names no particles"),
                (GAS + '[[group]]\nname = "g"\nspecies = ["Q"]\n', 'no population has the species "Q"'),
                (GAS + '[[group]]\nname = "g"\npopulations = ["lihgt"]\n', 'did you mean "light"'),
                (GAS + '[[group]]\nname = "g"\nparticles = "5:3"\n', 'such as "1:20, 25", found "5:3"'),
                (GAS + '[[group]]\nname = "g"\nmolecules = "1"\n', "no [[bond]], and no file"),
                (GAS + '[[group]]\nname = "g"\nregion = "ball"\n', "region:"),
                (GAS + '[[group]]\nname = "g"\nupper = [-1.0, 1.0, 1.0]\n', "outside of the box"),
                (GAS + MIXED + MIXED, "there is a [[group]]"),
                (GAS + MIXED + '[[group]]\nname = "g"\nany_of = ["smoe"]\n', 'did you mean "some"'),
                (GAS + MIXED + '[[pull]]\ngroup = "same"\nforce = [1.0, 0.0, 0.0]\n', 'did you mean "some"'),
                (GAS + MIXED + '[[pull]]\ngroup = "some"\nstyle = "spring"\nk = 1.0\n', "at"),
                (GAS + MIXED + '[[pull]]\ngroup = "some"\nstyle = "couple"\nother = "some"\nk = 1.0\n',
                 "between a group and itself"),
                (GAS + MIXED + '[[pull]]\ngroup = "some"\nstyle = "tow"\nk = 1.0\nalong = [false, false, false]\n',
                 "along no axis"),
                (GAS + MIXED + hold + hold, "held already")):
            done = mesowarp("check", self.deck(text))
            self.assertNotEqual(done.returncode, 0, text)
            self.assertIn(said, done.stdout + done.stderr)
            self.assertIn("deck.toml:", done.stdout + done.stderr)
        frozen = GAS + '[[species]]\nname = "H"\nfrozen = true\n[[group]]\nname = "post"\nspecies = ["H"]\n'
        done = mesowarp("check", self.deck(frozen))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("its columns are of those that are not, so 0: with a [[hold]] instead", done.stderr)
        nobody = GAS + '[[group]]\nname = "g"\nparticles = "900"\n'
        done = mesowarp("run", self.deck(nobody), "--output", self.home / "nobody")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn('no particle is in group "g"', done.stdout + done.stderr)
        both = GAS + MIXED + '[[group]]\nname = "ten"\nparticles = "10"\n' + hold + '[[hold]]\ngroup = "ten"\n'
        done = mesowarp("run", self.deck(both), "--output", self.home / "both")
        self.assertIn("cannot be held by both", done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
