"""One run at a time in an output directory: who comes second is refused, with a message that says who is there."""
import os
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

import h5py

sys.path.insert(0, str(Path(__file__).parent))
if "MESOWARP_SHIM" not in os.environ:
    sys.exit(77)  # built on Linux alone
from harness import DECK, Harm, command, run, tables_of  # noqa: E402
from program import PROGRAM, ProgramTest, summary  # noqa: E402

PAIRS = 12


class Lock(ProgramTest):
    def start(self, *arguments, ranks=1, shim=None):
        words, environment = command(ranks, ["run", *arguments, "--quiet"], shim or {})
        return subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def stopped_run(self, output, at, *arguments, ranks=1):
        """A run that stands still at a call of its root's until it is told to go on."""
        process = self.start(self.deck(DECK), "--output", output, *arguments, ranks=ranks,
                             shim=Harm("raise:19", at=at).environment(output, self.home))
        end = time.monotonic() + 60
        while time.monotonic() < end:
            for number in [process.pid, *children_of(process.pid)]:
                if program_of(number) and state_of(number) == "T":
                    return process, number
            time.sleep(0.02)
        self.fail("the run did not stop: " + process.communicate()[0])

    def finish(self, process, number):
        os.kill(number, signal.SIGCONT)
        text, _ = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, text)

    def refused(self, done):
        self.assertEqual(done.code, 2, done.text)
        for word in ("being written to", "process", "since", "--output"):
            self.assertIn(word, done.text)

    def test_a_directory_is_of_one_run_at_a_time(self):
        deck, output = self.deck(DECK), self.home / "out"
        process, number = self.stopped_run(output, 200)
        before = sorted(p.name for p in self.home.iterdir())
        for arguments in ([], ["--resume"], ["--force"], ["--steps", 30]):
            done = run(1, "run", deck, "--output", output, "--quiet", *arguments)
            self.refused(done)
            self.assertIn(f"process {number}", done.text)
        self.assertEqual(before, sorted(p.name for p in self.home.iterdir()))
        self.finish(process, number)
        self.assertEqual(run(1, "run", deck, "--output", output, "--quiet", "--resume", "--steps", 30).code, 0)

    def test_the_root_of_several_ranks_holds_it(self):
        deck, output = self.deck(DECK), self.home / "out"
        process, number = self.stopped_run(output, 100, ranks=2)
        for ranks in (1, 2):
            self.refused(run(ranks, "run", deck, "--output", output, "--quiet"))
        self.finish(process, number)

    def test_the_lock_dies_with_the_run(self):
        deck, output = self.deck(DECK), self.home / "out"
        process, number = self.stopped_run(output, 200)
        os.kill(number, signal.SIGKILL)
        process.communicate()
        self.assertEqual(run(1, "run", deck, "--output", output, "--quiet", "--resume").code, 0)

    def test_results_that_were_set_aside_are_not_locked(self):
        deck, output = self.deck(DECK), self.home / "out"
        self.assertEqual(run(1, "run", deck, "--output", output, "--quiet").code, 0)
        process, number = self.stopped_run(output, 200)  # has moved the earlier results to out.1
        done = run(1, "run", deck, "--output", str(output) + ".1", "--quiet", "--resume", "--steps", 30)
        self.assertEqual(done.code, 0, done.text)
        self.finish(process, number)

    def test_of_two_resumes_at_once_one_goes_on(self):
        deck, output = self.deck(DECK), self.home / "out"
        self.assertEqual(run(1, "run", deck, "--output", output, "--quiet", "--steps", 8).code, 0)
        for pair in range(PAIRS):
            steps = 16 + 8 * pair
            codes = self.both(deck, output, "--resume", "--steps", steps)
            if codes == [0, 0]:  # one after the other: the second had nothing left to do, or did it again
                codes = [0, 2]
            self.assertEqual(codes, [0, 2])
            rows = [int(row[0]) for row in tables_of(output / "thermo.csv")[1:]]
            self.assertEqual(rows, sorted(set(rows)), f"pair {pair}")
            self.assertEqual(summary(output)["last_step"], steps)
        whole = self.home / "whole"
        self.assertEqual(run(1, "run", deck, "--output", whole, "--quiet", "--steps", steps).code, 0)
        self.assertEqual(summary(whole)["state_hash"], summary(output)["state_hash"])
        with h5py.File(output / "trajectory.h5") as file:
            frames = list(file["particles/all/position/step"][:])
        self.assertEqual(frames, sorted(set(frames)))
        self.assertLessEqual(set(range(0, steps + 1, 4)), set(frames))

    def test_of_two_fresh_runs_at_once_one_wins(self):
        deck = self.deck(DECK)
        for pair in range(PAIRS):
            output = self.home / f"out{pair}"
            if pair % 2:  # results are there that must be set aside
                self.assertEqual(run(1, "run", deck, "--output", output, "--quiet", "--steps", 0).code, 0)
            codes = self.both(deck, output)
            if codes == [0, 0]:  # one after the other: the first one's results were set aside
                self.assertTrue(Path(f"{output}.{1 + pair % 2}").exists())
            else:
                self.assertEqual(codes, [0, 2], f"pair {pair}")
            for path in self.home.glob(f"out{pair}*"):
                if summary(path)["last_step"] > 0:
                    self.assertEqual(sorted(p.name for p in path.glob("checkpoint-*")),
                                     ["checkpoint-16.h5", "checkpoint-24.h5"])
            self.assertEqual(summary(output)["status"], "finished")

    def both(self, *arguments):
        processes = [self.start(arguments[0], "--output", *arguments[1:]) for _ in range(2)]
        for process in processes:
            process.communicate(timeout=120)
        return sorted(process.returncode for process in processes)

    def test_without_locks_of_the_file_system_a_file_stands_for_one(self):
        deck, output = self.deck(DECK), self.home / "out"
        locks = {"MESOWARP_SHIM_NOLOCK": "1"}
        shim = {**Harm("raise:19", at=200).environment(output, self.home), **locks}
        process = self.start(deck, "--output", output, shim=shim)
        end = time.monotonic() + 60
        while state_of(process.pid) != "T" and time.monotonic() < end:
            time.sleep(0.02)
        none = {**Harm(at=0).environment(output, self.home), **locks}
        done = run(1, "run", deck, "--output", output, "--quiet", shim=none)
        self.assertEqual(done.code, 2, done.text)
        self.assertIn("delete", done.text)
        os.kill(process.pid, signal.SIGKILL)
        text, _ = process.communicate()
        self.assertIn("has no locks", text)
        done = run(1, "run", deck, "--output", output, "--quiet", "--resume", shim=none)  # that run is no more
        self.assertEqual(done.code, 0, done.text)
        self.assertFalse((output / ".mesowarp.lock").exists())


def state_of(number):
    try:
        return Path(f"/proc/{number}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0]
    except OSError:
        return ""


def program_of(number):
    try:
        return os.path.samefile(f"/proc/{number}/exe", PROGRAM)
    except OSError:
        return False


def children_of(number):
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(path.read_text(encoding="utf-8").rsplit(")", 1)[1].split()[1]) == number:
                found += [int(path.parent.name), *children_of(int(path.parent.name))]
        except (OSError, IndexError):
            continue
    return found


if __name__ == "__main__":
    unittest.main(verbosity=2)
