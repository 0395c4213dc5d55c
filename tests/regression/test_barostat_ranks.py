"""A box that changes: the same bits on 1, 2, 4 ranks, on threads, and behind a stop; edges in trajectories; what
`check` refuses."""
import re
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from observables import read_table  # noqa: E402
from program import ProgramTest, mesowarp, summary  # noqa: E402

DECK = """
[run]
steps = {steps}
timestep = 0.01
seed = 3
precision = "{precision}"
reproducibility = "{reproducibility}"
[box]
size = [9.0, 5.0, 6.0]
{more}
[[population]]
name = "chains"
kind = "polymer"
blocks = "AAAA"
count = 60
[[population]]
name = "water"
species = "W"
count = 420
[[interaction]]
between = "*"
a = 25.0
gamma = 4.5
[[bond]]
population = "chains"
k = 50.0
r0 = 0.7
[[output]]
format = "trajectory"
every = 20
fields = ["position", "image", "velocity"]
precision = "double"
[[output]]
format = "checkpoint"
every = 35
[[output]]
format = "table"
every = 5
columns = ["volume", "box_x", "box_y", "box_z", "pressure", "surface_tension", "pressure_xx", "pressure_yy",
           "pressure_zz"]
[[measure]]
style = "rdf"
name = "g"
r_max = 1.0
every = 7
[[measure]]
style = "profile"
name = "along"
axis = "x"
bins = 4
every = 5
"""
BAROSTAT = '[barostat]\npressure = 18.0\ncompressibility = 0.02\nperiod = 0.5\nevery = 5\ncoupling = "{}"\n'
DEFORMATION = "[deformation]\nsize = [12.4, 0.0, 4.4]\nto = 55\nevery = 5\n"


def deck(**changes):
    values = {"steps": 70, "precision": "mixed", "reproducibility": "bitwise", "more": BAROSTAT.format("anisotropic")}
    return DECK.format(**{**values, **changes})


class BoxThatChanges(ProgramTest):
    def run_deck(self, name, text, ranks=1, arguments=()):
        self.run_well(self.deck(text, f"{name}.toml"), "--output", self.home / name, "--quiet", *arguments, ranks=ranks)
        return summary(self.home / name)

    def test_the_same_bits(self):
        """On ranks and threads, and in pieces: the state, the table, g(r)."""
        for kind, more in (("barostat", BAROSTAT.format("anisotropic")), ("deformation", DEFORMATION)):
            one = self.run_deck(f"{kind}1", deck(more=more), arguments=("--threads", "1"))
            for ranks in (2, 4):
                many = self.run_deck(f"{kind}{ranks}", deck(more=more), ranks=ranks)
                self.assertEqual(one["state_hash"], many["state_hash"], f"{kind} on {ranks} ranks")
                self.assertEqual(one["box"], many["box"])
            for file in ("thermo.csv", "g.csv", "along.csv"):
                self.assertEqual(*((self.home / name / file).read_text() for name in (f"{kind}1", f"{kind}4")), kind)
            # stopped at step 42, between two changes, on two ranks; resumed on one
            self.run_deck(f"{kind}part", deck(more=more, steps=42), ranks=2)
            done = mesowarp("run", self.deck(deck(more=more), f"{kind}part.toml"), "--output",
                            self.home / f"{kind}part", "--resume", "--quiet")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            resumed = summary(self.home / f"{kind}part")
            self.assertEqual((resumed["state_hash"], resumed["box"]), (one["state_hash"], one["box"]))
            self.assertEqual(*((self.home / f"{kind}{which}/along.csv").read_text() for which in ("1", "part")), kind)
            self.look(self.home / f"{kind}1")
        self.assertEqual(read_table(self.home / "deformation1/thermo.csv")["box_x"][-1], 12.4)
        self.assertEqual(read_table(self.home / "deformation1/thermo.csv")["box_y"][-1], 5.0)

    def look(self, run):
        """Edges of each frame are the table's of that step, and particles lie within; densities of a profile are by
        mean volumes, bins parts of the box, by its edge at the start."""
        table = read_table(run / "thermo.csv")
        edges = np.array([table[f"box_{axis}"] for axis in "xyz"]).T
        np.testing.assert_allclose(table["volume"], edges.prod(axis=1), rtol=1e-9)
        tension = table["box_z"] * (table["pressure_zz"] - 0.5 * (table["pressure_xx"] + table["pressure_yy"]))
        np.testing.assert_allclose(table["surface_tension"], tension, rtol=1e-6, atol=1e-6)
        profile = np.genfromtxt(run / "along.csv", delimiter=",", names=True)
        np.testing.assert_allclose(profile["density"], profile["count"] / (table["volume"].mean() / 4.0), rtol=1e-9)
        self.assertAlmostEqual(profile["count"].sum(), 660.0, places=9)
        np.testing.assert_allclose(profile["coordinate"], (np.arange(4) + 0.5) * 9.0 / 4.0, rtol=1e-9)
        with h5py.File(run / "trajectory.h5") as file:
            group = file["particles/all"]
            frames, places = group["box/edges/value"][()], group["position/value"][()]
            steps = group["position/step"][()]
        np.testing.assert_allclose(frames, edges[np.searchsorted(table["step"], steps)], rtol=1e-9)
        self.assertGreater(np.ptp(frames[:, 0]), 0.01, "the box has not changed")
        for box, place in zip(frames, places):
            self.assertTrue((place >= 0).all() and (place <= box).all())
            self.assertGreater((place.max(axis=0) / box).min(), 0.97)

    def test_precisions_and_restart_as_it_is(self):
        """Single and double precision, and without `bitwise`: a run in pieces is a run."""
        for precision, reproducibility in (("single", "bitwise"), ("double", "deterministic"),
                                           ("mixed", "deterministic")):
            name = f"{precision}-{reproducibility}"
            changes = {"precision": precision, "reproducibility": reproducibility,
                       "more": BAROSTAT.format("semi-isotropic")}
            whole = self.run_deck(name, deck(**changes))
            part = self.run_deck(f"{name}-part", deck(steps=40, **changes))
            self.assertNotEqual(whole["state_hash"], part["state_hash"])
            done = mesowarp("run", self.deck(deck(**changes), f"{name}-part.toml"), "--output",
                            self.home / f"{name}-part", "--resume", "--quiet")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertEqual(summary(self.home / f"{name}-part")["state_hash"], whole["state_hash"], name)
            table = read_table(self.home / name / "thermo.csv")
            np.testing.assert_allclose(table["box_x"] / table["box_y"], 9.0 / 5.0, rtol=1e-9)

    def test_long_bonds_take_what_room_there_is(self):
        """Ghosts as far as a FENE bond may be long are welcome, not needed: a box that shrinks may leave them out."""
        text = deck(steps=60, more="[deformation]\nrate = [0.0, -0.1, 0.0]\nto = 60\n")
        text = text.replace("k = 50.0\nr0 = 0.7", 'style = "fene"\nk = 30.0\nr_max = 3.0')
        text = text[:text.index("[[measure]]")]
        one = self.run_deck("fene1", text)["state_hash"]
        for ranks in (2, 3):
            self.assertEqual(self.run_deck(f"fene{ranks}", text, ranks=ranks)["state_hash"], one)
        self.run_well(self.deck(text), "--output", self.home / "parts", "--quiet", "--steps", 35, ranks=2)
        self.run_well(self.deck(text), "--output", self.home / "parts", "--quiet", "--resume", ranks=3)
        self.assertEqual(summary(self.home / "parts")["state_hash"], one)

    def test_too_small(self):
        """A box that has become too small for its cells says so."""
        crushed = deck(more=BAROSTAT.format("isotropic").replace("18.0", "400.0"), steps=2000)
        done = mesowarp("run", self.deck(crushed), "--output", self.home / "crushed", "--quiet")
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stdout + done.stderr, "the box' edge along y has become .*, under twice cutoff|would "
                                                    "change the box by")

    def test_resumed_otherwise(self):
        """The block must stay, and a deformation as it is."""
        self.run_deck("part", deck(steps=35, more=DEFORMATION))
        for more, words in (("", "the checkpoint's box has changed under"),
                            (DEFORMATION.replace("4.4", "4.5"), "another deformation")):
            done = mesowarp("run", self.deck(deck(more=more), "other.toml"), "--output", self.home / "part", "--resume",
                            "--quiet")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(words, done.stdout + done.stderr)

    def refuse(self, change, *words):
        text = deck()
        for old, new in change:
            self.assertEqual(text.count(old), 1, old)
            text = text.replace(old, new)
        done = mesowarp("check", self.deck(text, "bad.toml"))
        self.assertNotEqual(done.returncode, 0, text)
        for word in words:
            self.assertIn(word, done.stdout + done.stderr)
        self.assertRegex(done.stdout + done.stderr, r"bad.toml:\d+")

    def test_bad_decks(self):
        box = "size = [9.0, 5.0, 6.0]\n"
        self.refuse([(box, box + "periodic = [true, true, false]\n"),
                     ("[[bond]]", '[[boundary]]\nface = "z"\n[[bond]]')],
                    "the box is not periodic along z, and walls do not move with a box that changes")
        self.refuse([("[[bond]]", '[shear]\nrate = 0.1\n[[bond]]')], "a sheared box keeps its lengths")
        self.refuse([("[[bond]]", '[[drive]]\nacceleration = [0.1, 0.0, 0.0]\n[[bond]]')], "without a flow")
        self.refuse([('species = "W"\n', 'species = "W"\nfrozen = true\n')], "frozen particles do not move")
        self.refuse([("[[bond]]", '[[group]]\nname = "some"\nspecies = ["W"]\n[[hold]]\ngroup = "some"\n[[bond]]')],
                    "[[pull]] and [[hold]] have places in a box that stays")
        self.refuse([("[[bond]]", DEFORMATION + "[[bond]]")], "both change the box")
        self.refuse([("compressibility = 0.02\n", "")], "compressibility")
        self.refuse([("period = 0.5", "period = 0.05")], "changes are 0.05 of time apart", "raise it, or lower every")
        self.refuse([('coupling = "anisotropic"', 'coupling = "isotropic"\nsurface_tension = 1.0')], "surface_tension")
        self.refuse([('style = "rdf"\nname = "g"\nr_max = 1.0\nevery = 7', 'style = "viscosity"\nname = "g"')],
                    "Green-Kubo is of a fluid whose volume stays", "without [barostat]")
        self.refuse([("r_max = 1.0", "r_max = 2.4")], "r_max = 2.4 is above 0.4 of an edge")
        barostat = BAROSTAT.format("anisotropic")
        for more, words in (("[deformation]\nevery = 5\n", "give rate or size"),
                            ("[deformation]\nsize = [9.0, 9.0, 9.0]\n", "give to"),
                            ("[deformation]\nrate = [-2.0, 0.0, 0.0]\n", "the edge along x would become"),
                            ("[deformation]\nrate = [0.1, 0.0, 0.0]\nfrom = 9\nto = 8\n", "must be above from = 9")):
            self.refuse([(barostat, more)], words)

    def test_check_tells_the_phases(self):
        done = mesowarp("check", self.deck(deck()))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertTrue(re.search(r"kick, drift\W+barostat", done.stdout), done.stdout)


if __name__ == "__main__":
    unittest.main()
