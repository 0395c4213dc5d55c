"""A trajectory of some groups: the same numbers as in that of all particles, on any number of ranks, gone on with, and
read by the program's own tools."""
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from program import CHECKPOINTS, SOURCE, ProgramTest, chains_in_water, mesowarp, summary  # noqa: E402

OUTPUTS = """
[[group]]
name = "odd"
molecules = "1:20:2"
[[group]]
name = "few"
particles = "150:158:2"
[[output]]
format = "trajectory"
every = 10
fields = ["position", "image", "velocity", "force"]
"""

SEVERAL = """
[[output]]
format = "trajectory"
name = "odd-ones"
every = 20
fields = ["position", "velocity"]
groups = ["odd"]
[[output]]
format = "trajectory"
name = "few"
every = 5
at_end = false
precision = "double"
groups = ["few"]
"""


def fluid_with(groups, steps=40):
    """groups: further keys of the trajectory, and what follows it."""
    return chains_in_water("AABBA", 20, steps) + OUTPUTS + groups + "\n"


def read(path):
    """Arrays of a trajectory by their names."""
    found = {}
    with h5py.File(path) as file:
        group = file["particles/all"]
        for name in ("position", "image", "velocity", "force"):
            if name in group:
                found[name] = group[f"{name}/value"][()]
        for name in ("species", "mass", "id", "molecule", "tag"):
            if name in group:
                found[name] = group[name][()]
        found["bonds"] = file["connectivity/bonds"][()] if "connectivity/bonds" in file else []
    return found


class GroupTrajectory(ProgramTest):
    def run_deck(self, name, groups="", ranks=1, steps=40, arguments=()):
        text = fluid_with(groups, steps) + CHECKPOINTS
        self.run_well(self.deck(text, f"{name}.toml"), "--output", self.home / name, "--quiet", *arguments, ranks=ranks)
        return read(self.home / name / "trajectory.h5")

    def test_it_has_the_numbers_of_the_whole(self):
        whole = self.run_deck("whole")
        part = self.run_deck("part", 'groups = ["odd", "few"]')
        self.assertEqual(summary(self.home / "part")["state_hash"], summary(self.home / "whole")["state_hash"])
        tags = np.array([5 * chain + bead for chain in range(0, 20, 2) for bead in range(5)] + list(range(150, 159, 2)))
        np.testing.assert_array_equal(part["tag"], tags)
        np.testing.assert_array_equal(part["id"], np.arange(55))
        self.assertEqual(part["position"].shape, (5, 55, 3))
        for name in ("position", "image", "velocity", "force"):
            np.testing.assert_array_equal(part[name], whole[name][:, tags], err_msg=name)
        for name in ("species", "mass", "molecule"):
            np.testing.assert_array_equal(part[name], whole[name][tags], err_msg=name)
        inside = whole["bonds"][np.isin(whole["bonds"], tags).all(axis=1)]
        np.testing.assert_array_equal(tags[part["bonds"]], inside)
        self.assertEqual(len(inside), 40)
        # several ranks; stopped and gone on with on others
        for name, ranks in (("ranks", 3), ("parts", 1)):
            first = 'groups = ["odd", "few"]'
            if name == "parts":
                self.run_deck(name, first, ranks=2, steps=20)
                other = self.deck(fluid_with('groups = ["few"]') + CHECKPOINTS, "other.toml")
                done = mesowarp("run", other, "--output", self.home / name, "--resume", "--quiet")
                self.assertIn("a trajectory of other particles", done.stderr)
            again = self.run_deck(name, first, ranks=ranks, arguments=("--resume",) if name == "parts" else ())
            self.assertEqual(again.keys(), part.keys())
            for key, values in part.items():
                np.testing.assert_array_equal(again[key], values, err_msg=f"{name}: {key}")
        # The program's own tools: bonds for ParaView, LAMMPS data.
        self.assertIn('NumberOfElements="40"', (self.home / "part" / "trajectory-bonds.xmf").read_text())
        done = mesowarp("convert", self.home / "part" / "trajectory.h5", self.home / "t.data")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("55 atoms", (self.home / "t.data").read_text())
        self.assertIn("40 bonds", (self.home / "t.data").read_text())

    def test_several(self):
        """Each with particles, fields and an interval of its own; whole, on ranks, and gone on with."""
        whole = self.run_deck("whole")
        self.run_deck("several", SEVERAL)
        self.assertEqual(summary(self.home / "several")["state_hash"], summary(self.home / "whole")["state_hash"])
        for name, frames, tags in (("odd-ones", [0, 2, 4], [5 * c + b for c in range(0, 20, 2) for b in range(5)]),
                                   ("few", [0, 2, 4, 6, 8], list(range(150, 159, 2)))):
            part = read(self.home / "several" / f"{name}.h5")
            np.testing.assert_array_equal(part["tag"], tags)
            if name == "odd-ones":
                np.testing.assert_array_equal(part["position"], whole["position"][frames][:, tags])
                np.testing.assert_array_equal(part["velocity"], whole["velocity"][frames][:, tags])
                self.assertEqual(len(part["bonds"]), 40)
            else:
                self.assertEqual((len(part["position"]), part["position"].dtype), (9, np.float64))
                np.testing.assert_allclose(part["position"][::2], whole["position"][:, tags], atol=1e-6)
            self.assertNotIn("force", part)
            self.assertTrue((self.home / "several" / f"{name}.xmf").is_file())
        for ranks, steps in ((3, 40), (2, 20)):
            name = f"ranks{ranks}"
            self.run_deck(name, SEVERAL, ranks=ranks, steps=steps)
            if steps < 40:
                self.run_deck(name, SEVERAL, arguments=("--resume",))
            for file in ("trajectory", "odd-ones", "few"):
                again, part = read(self.home / name / f"{file}.h5"), read(self.home / "several" / f"{file}.h5")
                for key, values in part.items():
                    np.testing.assert_array_equal(again[key], values, err_msg=f"{name} {file} {key}")
        sys.path.insert(0, str(SOURCE / "python"))
        import mesowarp as package  # pylint: disable=import-outside-toplevel
        run = package.open(self.home / "several")
        self.assertEqual(sorted(run.trajectories), ["few", "odd-ones", "trajectory"])
        # A second run in the same place, and a new one over it, leave nothing of the old ones behind.
        self.run_deck("several", "", arguments=("--force",))
        self.assertFalse((self.home / "several" / "few.h5").exists())

    def test_what_is_refused(self):
        for more, message in ((SEVERAL.replace('"few"', '"odd-ones"', 1), "there is a trajectory"),
                              (SEVERAL.replace('name = "few"', ""), "there is a trajectory"),
                              (SEVERAL.replace('name = "few"', 'name = "thermo"'), "mesowarp itself writes"),
                              (SEVERAL + '[[measure]]\nstyle = "profile"\nname = "few"\n', "mesowarp itself writes")):
            done = mesowarp("check", self.deck(fluid_with(more), "bad.toml"))
            self.assertNotEqual(done.returncode, 0, more)
            self.assertIn(message, done.stderr)
        done = mesowarp("check", self.deck(fluid_with('groups = ["od"]'), "bad.toml"))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn('there is no group "od"; did you mean "odd"', done.stderr)


if __name__ == "__main__":
    unittest.main()
