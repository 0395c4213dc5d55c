"""Every deck of examples/, shortened: continued as it is; killed once, resumed, extended, and equal to a run never
stopped; converted to LAMMPS dumps and XYZ, whose numbers are the trajectory's. What that leaves is kept for
test_opened.py.
"""
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from examples import DECKS, KEPT, TABLES, quick, with_outputs  # noqa: E402
from observables import read_table  # noqa: E402
from program import ALONE, PROGRAM, ProgramTest, mesowarp, summary  # noqa: E402

os.environ.update(ALONE)
EVERY = 40  # checkpoints and frames of a killed run
STEPS = {"plummer": (16, 20), "suspension": (60, 80)}  # of so few steps each is long; first part and all
USUAL = (240, 280)


def read_frames(path):
    """Steps, unwrapped positions [frames][N][3], wrapped ones, and whether it has images, of a trajectory in H5MD."""
    with h5py.File(path) as file:
        group = file["particles/all"]
        position, step = group["position/value"][()].astype(float), group["position/step"]
        steps = step[()] if step.shape else step.attrs.get("offset", 0) + step[()] * np.arange(len(position))
        edges = group["box/edges"]
        box = edges[()] if isinstance(edges, h5py.Dataset) else edges["value"][()][:, None]  # of each frame
        image = group["image/value"][()] if "image" in group else None
        unwrapped = position if image is None else position + image * box
        if image is not None and "slide" in group["box"]:  # of a sheared box
            slide, gradient = group["box/slide/value"][()], b"xyz".index(group["box/slide"].attrs["gradient"])
            unwrapped = unwrapped + image[..., gradient, None] * slide[:, None]
        return np.array(steps), unwrapped, position, image is not None


def read_dump(path):
    """Steps and positions [frames][N][3] of a LAMMPS dump, by id."""
    steps, frames = [], []
    for part in path.read_text(encoding="utf-8").split("ITEM: TIMESTEP\n")[1:]:
        lines = part.splitlines()
        columns = next(k for k, line in enumerate(lines) if line.startswith("ITEM: ATOMS"))
        rows = np.array([line.split() for line in lines[columns + 1 :]], dtype=float)
        names = lines[columns].split()[2:]
        x = names.index("xu" if "xu" in names else "x")
        steps.append(int(lines[0]))
        frames.append(rows[np.argsort(rows[:, 0]), x : x + 3])
    return np.array(steps), np.array(frames)


def read_xyz(path):
    """Positions [frames][N][3] of an extended XYZ."""
    lines, frames = path.read_text(encoding="utf-8").splitlines(), []
    while lines:
        count = int(lines[0])
        frames.append([[float(word) for word in line.split()[1:4]] for line in lines[2 : count + 2]])
        lines = lines[count + 2 :]
    return np.array(frames)


class Examples(ProgramTest):
    def setUp(self):
        super().setUp()
        seed = os.environ.get("MESOWARP_RANDOM_SEED") or str(time.time_ns())
        print(f"{self.id()}: MESOWARP_RANDOM_SEED={seed} kills at the same time again", flush=True)
        self.random = random.Random(seed)

    def continue_it(self, name):
        """As a user would: the example, and then more steps of it."""
        first, _ = STEPS.get(name, USUAL)
        output, short = self.home / name, quick(name, first // 4)
        self.run_well(DECKS[name], *short, "--output", output, "--quiet")
        longer = quick(name, first // 4) + ["--set", f"run.steps={first // 2}"]
        self.run_well(DECKS[name], *longer, "--output", output, "--quiet", "--resume")
        self.assertEqual(summary(output)["status"], "finished")
        self.assertEqual(read_table(output / "thermo.csv")["step"][-1], first // 2)

    def kill_and_go_on(self, name):
        """Returns the directory of a run that was killed, resumed and extended, held against one that was not."""
        first, last = STEPS.get(name, USUAL)
        every = EVERY if first > EVERY else 4
        text, blocks = with_outputs(name, every)
        deck = self.deck(text, name + "-with.toml")
        short = quick(name, first) + [word for block in ("checkpoint", "trajectory")
                                      for word in ("--set", f"output.{blocks[block]}.every={every}")]
        whole, parts = self.home / f"{name}-whole", self.home / f"{name}-parts"
        self.run_well(deck, *short, "--steps", last, "--output", whole, "--quiet")
        self.kill(["run", deck, *short, "--output", parts, "--quiet"], parts)
        self.run_well(deck, *short, "--output", parts, "--quiet", "--resume")
        self.assertEqual(summary(parts)["status"], "finished")
        self.run_well(deck, *short, "--steps", last, "--output", parts, "--quiet", "--resume")
        self.assert_same(parts, whole, first)
        return parts

    def kill(self, arguments, output):
        """SIGKILL at a random moment behind the first checkpoint."""
        for longest in (0.3, 0.05, 0.0, 0.0):
            subprocess.run(["rm", "-rf", str(output)], check=True)
            process = subprocess.Popen([PROGRAM, *map(str, arguments)], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.PIPE)
            while process.poll() is None and not list(output.glob("checkpoint-*.h5")):
                time.sleep(0.001)
            time.sleep(self.random.uniform(0.0, longest))
            process.send_signal(signal.SIGKILL)
            _, message = process.communicate(timeout=60)
            if process.returncode == -signal.SIGKILL:
                return
            self.assertEqual(process.returncode, 0, message)
        self.fail("the run ended before it could be killed, four times")

    def assert_same(self, parts, whole, stop):
        """Hash, table, profiles and frames; the table may keep the row, and the trajectory the frame, that `stop` ended
        with."""
        self.assertEqual(summary(parts)["state_hash"], summary(whole)["state_hash"])
        for path in whole.glob("*.csv"):
            mine, other = (np.atleast_1d(np.genfromtxt(d / path.name, delimiter=",", names=True, dtype=float,
                                                       encoding="utf-8")) for d in (parts, whole))
            if path.name == "thermo.csv":
                mine = mine[np.isin(mine["step"], other["step"]) | (mine["step"] != stop)]
            self.assertEqual(len(mine), len(other), path.name)
            for column in set(other.dtype.names) - TABLES:
                np.testing.assert_array_equal(mine[column], other[column], err_msg=f"{path.name} {column}")
        for path in whole.glob("trajectory*.h5"):
            steps, frames, *_ = read_frames(parts / path.name)
            expected, others, *_ = read_frames(path)
            kept = np.isin(steps, expected) | (steps != stop)
            np.testing.assert_array_equal(steps[kept], expected)
            np.testing.assert_array_equal(frames[kept], others)

    def convert(self, output):
        """Dump and XYZ, wrapped and not; single precision has nine digits, and sums of image and position are
        rounded."""
        trajectory = output / "trajectory.h5"
        steps, unwrapped, wrapped, has_images = read_frames(trajectory)
        for positions, option in ((wrapped, []), (unwrapped, ["--unwrap"])):
            for name in ("t.dump", "t.xyz"):
                done = mesowarp("convert", trajectory, output / ("-".join(option) + name), *option)
                if option and not has_images:
                    self.assertEqual(done.returncode, 2, "images that are not there were used")
                    self.assertIn("image", done.stderr)
                    continue
                self.assertEqual(done.returncode, 0, done.stderr)
                path = output / ("-".join(option) + name)
                if name == "t.dump":
                    found, frames = read_dump(path)
                    np.testing.assert_array_equal(found, steps)
                else:
                    frames = read_xyz(path)
                if not option and "[shear]" in (output / "deck.toml").read_text(encoding="utf-8"):
                    with h5py.File(trajectory) as file:  # the places are in a tilted box, along the flow an edge apart
                        edges = file["particles/all/box/edges/value"][0]
                    frames = frames - edges * np.rint((frames - positions) / edges)
                np.testing.assert_allclose(frames, positions, rtol=2e-7, atol=2e-6)

    def one_size_of_a_chain(self, output, beads=10):
        """Squared radius of gyration by images, and by walking along the bonds to the nearest image: the same."""
        _, unwrapped, wrapped, _ = read_frames(output / "trajectory.h5")
        box = np.array([10.0, 10.0, 10.0])
        steps = np.diff(wrapped.reshape(len(wrapped), -1, beads, 3), axis=2)
        steps -= box * np.rint(steps / box)
        walked = np.concatenate([np.zeros_like(steps[:, :, :1]), np.cumsum(steps, axis=2)], axis=2)
        sizes = [
            chains.var(axis=2).sum(axis=-1).mean()
            for chains in (unwrapped.reshape(len(unwrapped), -1, beads, 3), walked)
        ]
        self.assertAlmostEqual(sizes[0], sizes[1], places=4)


def tests_of(name):
    """The tests of an example."""
    def test_continued(self):
        self.continue_it(name)

    def test_killed_resumed_extended_converted(self):
        output = self.kill_and_go_on(name)
        self.convert(output)
        if name == "polymer_melt":
            self.one_size_of_a_chain(output)
        if KEPT is not None:
            shutil.rmtree(KEPT / name, ignore_errors=True)
            shutil.move(output, KEPT / name)
    return test_continued, test_killed_resumed_extended_converted


for example in DECKS:
    for test in tests_of(example):
        setattr(Examples, f"{test.__name__}_{example}", test)


if __name__ == "__main__":
    unittest.main()
