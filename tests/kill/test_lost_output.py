"""The output directory is filled, moved, deleted, replaced or made read-only while a run writes to it: it ends with a
message that says so and what stands; no crash, nothing hangs, and nothing goes to another run's directory."""
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
if "MESOWARP_SHIM" not in os.environ:
    sys.exit(77)  # built on Linux alone
from harness import DECK, Harm, command, differences, run  # noqa: E402
from program import ProgramTest  # noqa: E402
from test_lock import children_of, program_of, state_of  # noqa: E402

FILES = ("thermo.csv", "run.log", "trajectory.h5", "trajectory.xmf", "wide.csv", "wide.h5", "/.checkpoint-16",
         "summary.json")
FILES_ON_RANKS = ("thermo.csv", "trajectory.h5", "trajectory.xmf", "/.checkpoint-16")


class LostOutput(ProgramTest):
    def setUp(self):
        super().setUp()
        self.path = self.deck(DECK)
        self.output = self.home / "out"

    def ends_well(self, done, *words):
        self.assertEqual(done.code, 1, done.text)
        for word in ("error", *words):
            self.assertIn(word, done.text)
        for word in ("LOG ERROR", "terminate called", "HDF5-DIAG", "Segmentation"):
            self.assertNotIn(word, done.text)

    def harmed(self, ranks, what, output, **where):
        shim = Harm(what, lasting=True, **where).environment(output, self.home)
        return run(ranks, "run", self.path, "--output", output, "--quiet", shim=shim, timeout=60)

    def test_filled(self):
        for ranks in (1, 2):
            for number, file in enumerate(FILES if ranks == 1 else FILES_ON_RANKS):
                with self.subTest(ranks=ranks, file=file):
                    output = self.home / f"out{ranks}-{number}"
                    done = self.harmed(ranks, "ENOSPC", output, at=1 if "json" in file else 4, only=file)
                    self.ends_well(done, "No space left")
                    if list(output.glob("checkpoint-*.h5")):
                        self.assertIn("stands", done.text)

    def test_made_read_only(self):
        for ranks in (1, 2):
            for what, text in (("EROFS", "Read-only file system"), ("EACCES", "Permission denied")):
                with self.subTest(ranks=ranks, what=what):
                    output = self.home / f"{what}{ranks}"
                    done = self.harmed(ranks, what, output, at=220)  # after the first checkpoint
                    self.ends_well(done, text, "checkpoint of step 8 stands")

    def test_moved(self):
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                whole, output, moved = (self.home / f"{name}{ranks}" for name in ("whole", "out", "moved"))
                self.assertEqual(run(ranks, "run", self.path, "--output", whole, "--quiet").code, 0)
                done = self.meanwhile(ranks, output, lambda a=output, b=moved: a.rename(b))
                self.ends_well(done, f"was moved to {moved.resolve()}", "checkpoint of step 8 stands",
                               f"--output {moved.resolve()}")
                self.assertFalse(output.exists())
                done = run(ranks, "run", self.path, "--output", moved, "--quiet", "--resume")
                self.assertEqual((done.code, differences(moved, whole)), (0, []), done.text)

    def test_deleted(self):
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                output = self.home / f"out{ranks}"
                done = self.meanwhile(ranks, output, lambda path=output: shutil.rmtree(path))
                self.ends_well(done, "was deleted")
                self.assertNotIn("stands", done.text)
                self.assertFalse(output.exists())

    def test_replaced_by_another_runs(self):
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                output = self.home / f"out{ranks}"
                files = {}

                def replace(path=output, seen=files):
                    path.rename(str(path) + "-moved")
                    self.assertEqual(run(1, "run", self.path, "--output", path, "--quiet", "--steps", 8).code, 0)
                    seen.update({p.name: p.read_bytes() for p in path.iterdir()})

                self.ends_well(self.meanwhile(ranks, output, replace), "was moved to")
                self.assertEqual({p.name: p.read_bytes() for p in output.iterdir()}, files)

    def meanwhile(self, ranks, output, task):
        """A run that stands still after its first checkpoint, in the frame of step 12, while the task is done."""
        words, environment = command(ranks, ["run", self.path, "--output", output, "--quiet"],
                                     Harm("raise:19", at=7, only="trajectory.xmf").environment(output, self.home))
        with subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True) as process:
            number, end = 0, time.monotonic() + 60
            while not number and process.poll() is None and time.monotonic() < end:
                number = next(
                    (n for n in [process.pid, *children_of(process.pid)] if program_of(n) and state_of(n) == "T"), 0)
                time.sleep(0.02)
            task()
            os.kill(number, signal.SIGCONT)
            try:
                text, _ = process.communicate(timeout=60)
            except subprocess.TimeoutExpired:
                process.kill()
                self.fail("it hangs")
        return type("Ended", (), {"code": process.returncode, "text": text})


if __name__ == "__main__":
    unittest.main(verbosity=2)
