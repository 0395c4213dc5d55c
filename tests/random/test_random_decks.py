"""Random decks, new ones each day and commit, in five ways: one thread, two, three ranks, stopped and resumed.

A failure prints the seed; `MESOWARP_RANDOM_SEED=SEED tests/random/test_random_decks.py` makes the same decks again, and
the decks that differ are kept below build/random-decks. run_decks.py runs more and larger ones.
"""
import datetime
import os
import subprocess
import sys
import unittest
from pathlib import Path

import h5py

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent / "shared")]
import program  # noqa: E402
import run_decks  # noqa: E402
from file_decks import prepare  # noqa: E402
from make_decks import write_decks  # noqa: E402
from program import PROGRAM, SOURCE, ProgramTest, mesowarp  # noqa: E402

DECKS, SECONDS, LEAST = 12, 36.0, 3
SIZES = (500, 3000)
ALONE = f"env {' '.join(f'{name}={value}' for name, value in program.ALONE.items())} OMP_NUM_THREADS=1 {PROGRAM}"
# Ranks that wait sleep: three of them are ten times faster so on a machine with other work to do.
SLEEPS = f"LD_PRELOAD={os.environ['MESOWARP_YIELDS']} " if "MESOWARP_YIELDS" in os.environ else ""
TOGETHER = f"env {SLEEPS}OMP_NUM_THREADS=1 {os.environ['MESOWARP_MPIEXEC']} -n 3 {PROGRAM}"


def new_seed():
    """Another one for each day and commit, unless the environment names one."""
    if seed := os.environ.get("MESOWARP_RANDOM_SEED"):
        return seed
    commit = subprocess.run(["git", "-C", str(SOURCE), "rev-parse", "--short", "HEAD"], capture_output=True, text=True,
                            check=False)
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%d") + (commit.stdout.strip() or "-no-commit")


class RandomDecks(ProgramTest):
    def setUp(self):
        super().setUp()
        self.seed = new_seed()
        print(f"seed {self.seed}: repeat with MESOWARP_RANDOM_SEED={self.seed} {' '.join(sys.argv)}", flush=True)

    def test_check_accepts_the_decks(self):
        for path in write_decks(self.home / "small", 6, self.seed, SIZES) + write_decks(
                self.home / "large", 6, self.seed, (10000, 500000)):
            prepare(path, [PROGRAM])
            done = mesowarp("check", path)
            self.assertEqual(done.returncode, 0, f"{path.read_text(encoding='utf-8')}\n{done.stderr}")

    def test_all_ways_give_the_same_bits(self):
        ways = [
            "--way", ALONE, "--way", f"{ALONE} -- --threads 2", "--way", TOGETHER, "--resume", f"{ALONE} => {TOGETHER}",
            "--terminate", ALONE
        ]
        options = run_decks.parse_options([
            *ways, "--keep",
            str(Path(PROGRAM).parent / "random-decks"), "--seed", self.seed, "--timeout", "200", "--budget",
            str(SECONDS), "--least", str(LEAST)
        ])
        agree, differ, failed = run_decks.run_all(write_decks(self.home, DECKS, self.seed, SIZES), options.ways,
                                                  options)
        self.assertEqual(differ, 0, f"seed {self.seed}")
        self.assertGreaterEqual(agree, max(LEAST, 3 * failed), "too few decks run to their end to mean anything")


class Comparison(ProgramTest):
    """A run that was stopped has a frame of that step more, and nothing else."""

    def read(self, name, steps, numbers):
        path = self.home / name / "surfaces.h5"
        path.parent.mkdir()
        with h5py.File(path, "w") as file:
            file["cells/step"], file["cells/position"] = steps, [[10.0 * number] for number in numbers]
            file["cells/concentration/S0"] = [[number] for number in numbers]
        outcome = run_decks.Outcome(0)
        run_decks.read_arrays(path, outcome)
        return outcome

    def test_of_frames(self):
        whole = self.read("whole", [0, 20, 40], [0.5, 0.4, 0.3])
        stopped = self.read("stopped", [0, 20, 24, 40], [0.5, 0.4, 0.35, 0.3])
        stopped.stop = 24
        self.assertEqual(run_decks.differences(whole, stopped), [])
        other = self.read("other", [0, 20, 24, 40], [0.5, 0.4, 0.35, 0.31])
        other.stop = 24
        found = run_decks.differences(whole, other)
        self.assertEqual([line.split(":")[0] for line in found],
                         ["surfaces.h5 cells/concentration/S0 step 40", "surfaces.h5 cells/position step 40"])


if __name__ == "__main__":
    unittest.main()
