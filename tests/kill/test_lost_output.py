"""The output directory is filled, moved, deleted, replaced or made read-only while a run writes to it: it ends with a
message that says so and what stands; no crash, nothing hangs, and nothing goes to another run's directory."""
import os
import shutil
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
if "MESOWARP_SHIM" not in os.environ:
    sys.exit(77)  # built on Linux alone
from harness import DECK, Harm, calls_of, differences, run  # noqa: E402
from loses_output import LosesOutput  # noqa: E402

FILES = ("thermo.csv", "run.log", "trajectory.h5", "trajectory.xmf", "wide.csv", "wide.h5", "/.checkpoint-16",
         "summary.json")
FRAME = Harm("raise:19", at=7, only="trajectory.xmf")  # after the first checkpoint, in the frame of step 12
FILES_ON_RANKS = ("thermo.csv", "trajectory.h5", "trajectory.xmf", "/.checkpoint-16")


class LostOutput(LosesOutput):
    def setUp(self):
        super().setUp()
        self.path = self.deck(DECK)
        self.output = self.home / "out"

    def harmed(self, ranks, what, output, **where):
        shim = Harm(what, lasting=True, **where).environment(output, self.home)
        return run(ranks, "run", self.path, "--output", output, "--quiet", shim=shim, timeout=60, patience=0.2)

    def test_filled(self):
        for ranks in (1, 2):
            for number, file in enumerate(FILES if ranks == 1 else FILES_ON_RANKS):
                with self.subTest(ranks=ranks, file=file):
                    output = self.home / f"out{ranks}-{number}"
                    done = self.harmed(ranks, "ENOSPC", output, at=1 if "json" in file else 4, only=file)
                    self.ends_well(done, "No space left")
                    if list(output.glob("checkpoint-*.h5")):
                        self.assertIn("stands", done.text)

    def test_the_deck_cannot_be_written(self):
        """The resolved deck, on a disk that is full or broken: before the first step of a fresh run, and of one that
        goes on with another deck. The next run of the same directory has it."""
        whole, longer = self.home / "whole", ("--steps", 32)
        self.assertEqual(run(1, "run", self.path, "--output", whole, "--quiet", "--steps", 16).code, 0)
        expected = (whole / "deck.toml").read_bytes()
        calls = (("ENOSPC", 1), ("ENOSPC", 2), ("EIO", 3), ("EIO", 4))  # opened, written, synced, renamed
        for what, at in calls:
            with self.subTest(what=what, at=at):
                output, words = self.home / f"{what}{at}", "No space left" if what == "ENOSPC" else "Input/output error"
                done = self.harmed(1, what, output, at=at, only="deck.toml")
                self.ends_well(done, "deck.toml", words)
                self.assertFalse((output / "deck.toml").exists())
                self.assertEqual(list(output.glob("checkpoint-*")), [])
                shutil.rmtree(output)
                shutil.copytree(whole, output)
                arguments = (1, "run", self.path, "--output", output, "--quiet", "--resume", *longer)
                shim = Harm(what, lasting=True, at=at, only="deck.toml").environment(output, self.home)
                self.ends_well(run(*arguments, shim=shim), "deck.toml", words)
                self.assertEqual((output / "deck.toml").read_bytes(), expected)
                done = run(*arguments)
                self.assertEqual(done.code, 0, done.text)
                self.assertIn("steps = 32", (output / "deck.toml").read_text(encoding="utf-8"))

    def test_ranks_that_write_a_checkpoint_together_end_together(self):
        """Room is reserved before they begin, so it is an I/O error, or a file system that promised too much."""
        log, whole = self.home / "calls", self.home / "whole"
        shim = {**Harm().environment(whole, self.home), "MESOWARP_SHIM_LOG": str(log)}
        done = run(2, "run", self.path, "--output", whole, "--quiet", shim=shim)
        self.assertEqual(done.code, 0, done.text)
        calls = [call for call, file in calls_of(log)[0] if file.startswith(".checkpoint-16")]
        reserved = calls.index("fallocate") + 1
        for at in range(reserved + 1, len(calls) + 1, 6):
            with self.subTest(call=calls[at - 1], at=at):
                output = self.home / f"out{at}"
                done = self.harmed(2, "EIO", output, at=at, only="/.checkpoint-16")
                self.ends_well(done, "Input/output error" if "write" in calls[at - 1] else "error",
                               "checkpoint of step 8 stands")
                done = run(2, "run", self.path, "--output", output, "--quiet", "--resume")
                self.assertEqual((done.code, differences(output, whole)), (0, []), done.text)

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
                done = self.meanwhile(ranks, output, FRAME, lambda a=output, b=moved: a.rename(b))
                self.ends_well(done, f"was moved to {moved.resolve()}", "checkpoint of step 8 stands",
                               f"--output {moved.resolve()}")
                self.assertFalse(output.exists())
                done = run(ranks, "run", self.path, "--output", moved, "--quiet", "--resume")
                self.assertEqual((done.code, differences(moved, whole)), (0, []), done.text)

    def test_deleted(self):
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                output = self.home / f"out{ranks}"
                done = self.meanwhile(ranks, output, FRAME, lambda path=output: shutil.rmtree(path))
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

                self.ends_well(self.meanwhile(ranks, output, FRAME, replace), "was moved to")
                self.assertEqual({p.name: p.read_bytes() for p in output.iterdir()}, files)


if __name__ == "__main__":
    unittest.main(verbosity=2)
