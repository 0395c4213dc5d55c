"""Tracers as a user meets them: alone and beside a fluid, which has the same bits with them as without; the same bits
on any number of ranks and threads; files of their own, which a resumed run continues; and what `check` says."""
import shutil
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from observables import read_table  # noqa: E402
from program import CHECKPOINTS, ProgramTest, fluid, mesowarp, summary  # noqa: E402

WALL_COLUMNS = {"wall_time", "particle_steps_per_second"}
DYE = """
[[population]]
name = "dye"
kind = "tracers"
count = 648
diffusion = 0.3
velocity = [0.5, 0.0, -1.0]
"""
FRAMES = """
[[output]]
format = "trajectory"
every = 20
"""
BITWISE = fluid(run='reproducibility = "bitwise"', size=[6.0, 6.0, 6.0]) + CHECKPOINTS + FRAMES
COLUMNS = 'columns = ["temperature", "pressure", "total_energy", "tracer_msd"]'
BOTH = BITWISE.replace("every = 10", "every = 10\n" + COLUMNS) + DYE
ALONE = """
[run]
steps = 60
timestep = 0.005
seed = 5
[box]
size = [6.0, 6.0, 6.0]
[[output]]
format = "table"
every = 10
""" + CHECKPOINTS + FRAMES + DYE


def datasets_of(path):
    values = {}
    with h5py.File(path) as file:
        file.visititems(lambda name, item: values.update({name: item[()]}) if isinstance(item, h5py.Dataset) else None)
    values.pop("parameters/deck", None)
    return values


SOLVENT = """
[run]
steps = 60
timestep = 0.1
seed = 5
[box]
size = [6.0, 6.0, 6.0]
[[population]]
name = "solvent"
kind = "mpcd"
density = 10.0
[collision]
style = "srd"
angle = 130.0
[[measure]]
style = "profile"
name = "across"
axis = "z"
bins = 6
every = 10
[[output]]
format = "table"
every = 10
"""


class Tracers(ProgramTest):
    def run_deck(self, text, name, *arguments, ranks=1):
        out = self.home / name
        self.run_well(self.deck(text, name + ".toml"), "--output", out, "--quiet", *arguments, ranks=ranks)
        return out

    def test_a_solvent_beside_them_is_measured_as_alone(self):
        alone = self.run_deck(SOLVENT, "solvent")
        first = SOLVENT.replace("[[population]]", DYE + "[[population]]")
        for name, text in (("behind", SOLVENT + DYE), ("before", first)):
            both = self.run_deck(text, name)
            self.assertEqual((both / "across.csv").read_text(), (alone / "across.csv").read_text())
            one, other = read_table(alone / "thermo.csv"), read_table(both / "thermo.csv")
            self.assertEqual(one.keys(), other.keys())
            self.assertIn("temperature", one)
            for column in one.keys() - WALL_COLUMNS:
                np.testing.assert_array_equal(one[column], other[column], err_msg=column)

    def assert_same_file(self, one, other):
        one, other = datasets_of(one), datasets_of(other)
        self.assertEqual(one.keys(), other.keys())
        for path, values in one.items():
            np.testing.assert_array_equal(values, other[path], err_msg=path)

    def assert_same_columns(self, one, other, columns=None):
        one, other = read_table(one / "thermo.csv"), read_table(other / "thermo.csv")
        for column in columns or one.keys() - WALL_COLUMNS:
            np.testing.assert_array_equal(one[column], other[column], err_msg=column)

    def assert_same(self, one, other):
        self.assertEqual(summary(one)["state_hash"], summary(other)["state_hash"])
        self.assert_same_columns(one, other)
        for path in one.glob("trajectory*.h5"):
            self.assert_same_file(path, other / path.name)

    def test_neither_notices_the_other(self):
        both, water, dye = (self.run_deck(t, n) for t, n in ((BOTH, "both"), (BITWISE, "water"), (ALONE, "dye")))
        self.assert_same_file(both / "trajectory.h5", water / "trajectory.h5")
        self.assert_same_file(both / "trajectory-tracers.h5", dye / "trajectory.h5")
        self.assert_same_columns(both, water, ("temperature", "pressure"))
        self.assert_same_columns(both, dye, ("tracer_msd",))
        self.assertTrue((both / "trajectory-tracers.xmf").exists())
        self.assertEqual(summary(both)["particles"], 1296)
        with h5py.File(both / "trajectory-tracers.h5") as file:
            group = file["particles/all"]
            self.assertEqual(group["position/value"].shape, (4, 648, 3))
            self.assertEqual(sorted(name for name in group if name != "box"), ["id", "image", "position", "species"])
            self.assertEqual([name.decode() for name in file["parameters/species_names"][()]], ["dye"])
            moved = (group["position/value"][()] + group["image/value"][()] * 6.0).astype(float)
        msd = ((moved[-1] - moved[0])**2).sum(axis=1).mean()
        self.assertAlmostEqual(msd / read_table(both / "thermo.csv")["tracer_msd"][-1], 1.0, places=4)

    def test_ranks_and_threads(self):
        one = self.run_deck(BOTH, "one", "--threads", 1)
        self.assert_same(self.run_deck(BOTH, "threads", "--threads", 2), one)
        for ranks in (2, 4):
            self.assert_same(self.run_deck(BOTH, f"ranks{ranks}", ranks=ranks), one)

    def test_resumed_and_extended(self):
        for text, name in ((BOTH, "both"), (ALONE, "alone")):
            whole = self.run_deck(text, name + "-whole", "--steps", 80)
            parts = self.run_deck(text, name + "-parts")
            parts = self.run_deck(text, name + "-parts", "--resume", parts / "checkpoint-40.h5")
            parts = self.run_deck(text, name + "-parts", "--resume", "--steps", 80)
            self.assert_same(parts, whole)
            elsewhere = self.home / f"{name}-elsewhere"
            shutil.copytree(self.run_deck(text, name + "-again"), elsewhere)
            self.assert_same(self.run_deck(text, elsewhere.name, "--resume", "--steps", 80, ranks=2), whole)

    def test_files_can_be_converted(self):
        out = self.run_deck(BOTH, "both")
        done = mesowarp("convert", out / "trajectory-tracers.h5", out / "dye.xyz", "--unwrap")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((out / "dye.xyz").read_text(encoding="utf-8").splitlines()[2].startswith("dye "))


class Check(ProgramTest):
    def errors(self, text):
        done = mesowarp("check", self.deck(text))
        return done.stderr if done.returncode else self.fail("no error")

    def test_what_is_right(self):
        for text in (BOTH, ALONE, ALONE.replace("[box]", "[box]\nperiodic = [true, false, true]")):
            done = mesowarp("check", self.deck(text))
            self.assertEqual(done.returncode, 0, done.stderr)
            resolved = self.deck(done.stdout, "resolved.toml")
            again = mesowarp("check", resolved)
            self.assertEqual(again.returncode, 0, again.stderr)

    def test_walls_are_not_there_for_them(self):
        wall = '[[shape]]\nname = "ball"\nstyle = "sphere"\ncenter = [3.0, 3.0, 3.0]\nradius = 1.0\n[[wall]]\n' \
            'name = "stone"\nsolid = "ball"\nfriction = 0.2\n'
        for text, warned in ((BOTH + wall, True), (BOTH, False)):
            done = mesowarp("check", self.deck(text))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual("tracers know no [[wall]]" in done.stderr, warned, done.stderr)

    def test_what_is_wrong(self):
        for old, new, message in (
            ("diffusion = 0.3", "", "needs diffusion"),
            ("diffusion = 0.3", "diffusion = -1.0", "diffusion"),
            ("diffusion = 0.3", "diffusion = 1e4", "lower run.timestep, or widen the box"),
            ("diffusion = 0.3", "diffusion = 0.3\nmass = 2.0", "mass is only for kind"),
            ("diffusion = 0.3", 'diffusion = 0.3\nspecies = "D"', "species is only for kind"),
            ("diffusion = 0.3", 'diffusion = 0.3\ninitial = "lattice"', "tracers start at random places"),
            ("count = 648", "", "no tracers"),
            ("count = 648", "density = 0.001", "no tracers"),
            ("count = 648", "count = 648\ndensity = 3.0", "give one"),
            ("count = 648", "count = 2000000000", "too many"),
            (DYE, DYE + DYE.replace('"dye"', '"ink"'), "one population of tracers"),
            (DYE, DYE + '[[bond]]\npopulation = "dye"\nk = 1.0\n', "no bonds"),
            (DYE, DYE + '[[measure]]\nname = "trajectory-tracers"\naxis = "x"\n', "mesowarp itself writes"),
        ):
            self.assertIn(old, BOTH)
            self.assertIn(message, self.errors(BOTH.replace(old, new)), new)
        self.assertIn("tracer_msd", self.errors(BOTH.replace(DYE, "")))
        for block in ("[neighbor]\nskin = 0.4", '[[measure]]\naxis = "x"', "[integrator]", "[sums]"):
            self.assertIn("leave it out", self.errors(ALONE + block + "\n"))
        self.assertIn("temperature", self.errors(ALONE.replace("every = 10", 'every = 10\ncolumns = ["temperature"]')))


if __name__ == "__main__":
    unittest.main()
