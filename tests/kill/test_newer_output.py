"""Files that came later than trajectories and tables (fields, shells, walls, cells, surfaces, groups, measures): what
becomes of a run whose disk is full at one of them, whose directory is moved or made read-only, or in whose directory
something else has such a name. The deck below writes all kinds; one that is added to it is tried in every way."""
import os
import shutil
import sys
import unittest
from pathlib import Path

import h5py

sys.path.insert(0, str(Path(__file__).parent))
if "MESOWARP_SHIM" not in os.environ:
    sys.exit(77)  # built on Linux alone
from harness import Harm, all_differences, calls_of, run  # noqa: E402
from loses_output import LosesOutput  # noqa: E402

DECK = """
[run]
steps = 24
timestep = 0.01
seed = 5
reproducibility = "bitwise"
[box]
size = [8.0, 7.0, 9.0]
[neighbor]
skin = 0.4
[transport]
solutes = ["atp"]
[[source]]
solute = "atp"
rate = 1.0
species = "M"
[[shape]]
name = "gap"
style = "slab"
axis = "z"
from = 1.0
to = 8.0
[[wall]]
name = "plates"
solid = "not gap"
friction = 1.0
[[population]]
name = "cells"
kind = "membrane"
species = "M"
mesh = "red-cell"
vertices = 162
diameter = 5.0
centers = [4.0, 3.5, 4.5]
[[population]]
name = "plasma"
species = "W"
density = 1.5
[[membrane]]
population = "cells"
shear_modulus = 100.0
bending_modulus = 4.0
friction = 5.0
table_every = 3
[[interaction]]
between = "*"
style = "tdpd"
a = 18.75
gamma = 4.5
kappa = 5.0
[[group]]
name = "some"
species = ["M"]
[[measure]]
style = "field"
name = "flow"
cells = [4, 1, 9]
quantities = ["density", "velocity", "concentration"]
every = 2
window = 4
[[measure]]
style = "cylinder"
name = "radius"
axis = "x"
center = [0.0, 3.5, 4.5]
radius = 3.0
bins = 200
every = 2
window = 6
[[measure]]
style = "rdf"
name = "pairs"
between = ["W", "W"]
r_max = 1.0
every = 1
window = 8
[[measure]]
style = "msd"
name = "moved"
species = ["W"]
every = 2
[[measure]]
style = "columns"
name = "means"
columns = ["temperature", "pressure"]
every = 2
[[output]]
format = "table"
every = 3
columns = ["time", "temperature", "solutes", "wall_strays"]
[[output]]
format = "trajectory"
every = 4
[[output]]
format = "trajectory"
name = "some"
every = 4
groups = ["some"]
[[output]]
format = "checkpoint"
every = 8
"""
# All that the deck's run leaves, beside checkpoints, deck, log and summary.
FILES = {
    "cells.csv", "cells.h5", "flow.h5", "flow.xmf", "means_means.csv", "means_means.h5", "moved.csv", "moved.h5",
    "moved_means.csv", "moved_means.h5", "pairs.csv", "pairs.h5", "radius.csv", "radius.h5", "some.h5", "some.xmf",
    "surface-cells-0000000012.vtp", "surfaces.h5", "surfaces.xmf", "thermo.csv", "trajectory.h5", "trajectory.xmf",
    "walls.h5", "walls.xmf"
}
FEW = ("cells.h5", "flow.xmf", "moved.csv", "surface-cells-", "walls.h5")  # two ranks take longer


class NewerOutput(LosesOutput):
    def setUp(self):
        super().setUp()
        self.path = self.deck(DECK)

    def whole(self, ranks):
        """Calls of the root in a run that nobody stops, and where its results are."""
        output, log = self.home / f"whole{ranks}", self.home / f"whole{ranks}.log"
        shim = {**Harm().environment(output, self.home), "MESOWARP_SHIM_LOG": str(log)}
        done = run(ranks, "run", self.path, "--output", output, "--quiet", shim=shim)
        self.assertEqual(done.code, 0, done.text)
        return output, calls_of(log)[0]

    def goes_on(self, ranks, output, whole):
        resume = ["--resume"] if list(output.glob("checkpoint-*.h5")) else []
        done = run(ranks, "run", self.path, "--output", output, "--quiet", *resume)
        self.assertEqual(done.code, 0, done.text)
        self.assertEqual(all_differences(output, whole), [])

    def test_filled(self):
        for ranks in (1, 2):
            whole, calls = self.whole(ranks)
            left = {path.name for path in whole.iterdir()}
            self.assertEqual(FILES - left, set())
            for number, name in enumerate(sorted(FILES) if ranks == 1 else FEW):
                with self.subTest(ranks=ranks, name=name):
                    output = self.home / f"out{ranks}-{number}"  # not the name: calls are chosen by it
                    count = sum(name in file for _, file in calls)
                    shim = Harm("ENOSPC", at=count // 2 + 1, lasting=True, only=name).environment(output, self.home)
                    done = run(ranks, "run", self.path, "--output", output, "--quiet", shim=shim, timeout=60)
                    self.ends_well(done, "No space left")
                    if list(output.glob("checkpoint-*.h5")):
                        self.assertIn("stands", done.text)
                    self.goes_on(ranks, output, whole)
                    shutil.rmtree(output)

    def test_killed_while_a_surface_is_written(self):
        """Nothing of the half file is left behind, and no file of a frame that the resumed run has not got."""
        whole, calls = self.whole(1)
        name = "surface-cells-0000000012.vtp"
        for at in range(1, 1 + sum(name in file for _, file in calls)):
            with self.subTest(at=at):
                output = self.home / f"out{at}"
                shim = Harm("kill", at=at, only=name).environment(output, self.home)
                self.assertTrue(run(1, "run", self.path, "--output", output, "--quiet", shim=shim).crashed)
                self.goes_on(1, output, whole)
        output = self.home / "other-frames"
        shim = Harm("kill", at=1, only="surface-cells-0000000016.vtp").environment(output, self.home)
        self.assertTrue(run(1, "run", self.path, "--output", output, "--quiet", shim=shim).crashed)
        done = run(1, "run", self.path, "--output", output, "--quiet", "--resume", "--set", "output.1.every=7")
        self.assertEqual(done.code, 0, done.text)
        with h5py.File(output / "surfaces.h5") as file:
            steps = list(file["cells/step"][()])
        self.assertEqual(steps, [0, 4, 8, 14, 21, 24])
        self.assertEqual(sorted(int(path.stem.split("-")[-1]) for path in output.glob("surface-*")), steps)

    def test_made_read_only(self):
        for ranks in (1, 2):
            whole, calls = self.whole(ranks)
            first = [file for _, file in calls].index("checkpoint-8.h5")
            for part in (0.1, 0.4, 0.8):
                with self.subTest(ranks=ranks, part=part):
                    output = self.home / f"out{ranks}{part}"
                    at = first + 10 + int(part * (len(calls) - first - 10))
                    shim = Harm("EROFS", at=at, lasting=True).environment(output, self.home)
                    done = run(ranks, "run", self.path, "--output", output, "--quiet", shim=shim, timeout=60)
                    self.ends_well(done, "Read-only file system", "stands")
                    self.goes_on(ranks, output, whole)

    def test_moved(self):
        whole, _ = self.whole(1)
        for at, name in ((5, "cells.csv"), (1, "surface-cells-0000000012.vtp"), (6, "flow.xmf")):
            with self.subTest(name=name):
                output, moved = self.home / f"out{at}", self.home / f"moved{at}"
                done = self.meanwhile(1, output, Harm("raise:19", at=at, only=name),
                                      lambda a=output, b=moved: a.rename(b))
                self.ends_well(done, f"was moved to {moved.resolve()}")
                self.assertFalse(output.exists())
                self.goes_on(1, moved, whole)

    def test_a_second_run_is_refused_while_one_writes_its_cells(self):
        whole, _ = self.whole(1)
        output, codes = self.home / "out", []

        def begin_too():
            for more in ([], ["--resume"], ["--force"]):
                codes.append(run(1, "run", self.path, "--output", output, "--quiet", *more).code)

        done = self.meanwhile(1, output, Harm("raise:19", at=5, only="cells.csv"), begin_too)
        self.assertEqual((done.code, codes), (0, [2, 2, 2]), done.text)
        self.assertEqual(all_differences(output, whole), [])

    def test_what_has_the_name_of_a_result_is_not_written_to(self):
        precious = self.home / "precious"
        precious.write_text("mine", encoding="utf-8")
        for name in sorted(FILES | {"surface-cells-0000000016.vtp"}):
            for what, make in (("file", lambda path: path.write_text("mine", encoding="utf-8")),
                               ("link", lambda path: path.symlink_to(precious)), ("FIFO", os.mkfifo),
                               ("folder", Path.mkdir)):
                with self.subTest(name=name, what=what):
                    output = self.home / f"{name}-{what}"
                    output.mkdir()
                    make(output / name)
                    done = run(1, "run", self.path, "--output", output, "--quiet", timeout=30, patience=0.1)
                    self.assertEqual(done.code, 2, done.text + done.stacks)
                    self.assertIn(name, done.text)
                    self.assertEqual([path.name for path in output.iterdir()], [name])
        self.assertEqual(precious.read_text(encoding="utf-8"), "mine")

    def test_a_resume_among_links_and_fifos(self):
        """What took a result's place since the checkpoint is refused, replaced or begun anew, but never written to."""
        whole, _ = self.whole(1)
        begun, precious = self.home / "begun", self.home / "precious"
        done = run(1, "run", self.path, "--output", begun, "--quiet", "--steps", 16)
        self.assertEqual(done.code, 0, done.text)
        for name in sorted(FILES):
            for what, make in (("link", lambda path: path.symlink_to(precious)), ("FIFO", os.mkfifo),
                               ("folder", Path.mkdir)):
                with self.subTest(name=name, what=what):
                    output = self.home / f"{name}-{what}"
                    shutil.copytree(begun, output)
                    (output / name).unlink()
                    precious.write_text("mine", encoding="utf-8")
                    make(output / name)
                    done = run(1, "run", self.path, "--output", output, "--quiet", "--resume", timeout=30, patience=0.1)
                    self.assertIn(done.code, (0, 1, 2), done.text + done.stacks)
                    if done.code != 0:
                        self.assertIn(name, done.text)
                    self.assertEqual(precious.read_bytes(), b"mine")
                    shutil.rmtree(output)


if __name__ == "__main__":
    unittest.main(verbosity=2)
