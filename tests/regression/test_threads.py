"""How many threads a run takes where the user has not said, what threads do that wait, and that log and summary say so.
No timings."""
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from program import PROGRAM, ProgramTest, fluid, rank_command, summary  # noqa: E402

CORES = len(os.sched_getaffinity(0))
SMALL = fluid(steps=20, size=[3.0, 3.0, 3.0])  # 81 particles
LARGE = fluid(steps=2, size=[20.0, 20.0, 20.0])
CHOICES = ("OMP_NUM_THREADS", "OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME")


class Threads(ProgramTest):
    def run_deck(self, text, *arguments, ranks=1, **variables):
        """Without what ctest sets of these; returns the process and its summary."""
        environment = {name: value for name, value in os.environ.items() if name not in CHOICES}
        tail = ["run", str(self.deck(text)), "--output", str(self.home / "out"), *arguments]
        command = [PROGRAM, *tail] if ranks == 1 else rank_command(ranks, *tail)
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300,
                              env={**environment, **variables})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done, summary(self.home / "out")

    def test_a_small_system_takes_one_thread_and_says_why(self):
        _, told = self.run_deck(SMALL)
        self.assertEqual(told["threads"], 1)
        if CORES > 1:
            self.assertRegex(told["threads_because"], rf"1 thread, of {CORES} cores, since a step is .* ms of work")
        log = "".join(path.read_text(encoding="utf-8") for path in (self.home / "out").glob("*.log"))
        self.assertIn(told["threads_because"], log)

    def test_a_large_system_takes_the_cores(self):
        self.assertEqual(self.run_deck(LARGE)[1]["threads"], CORES)

    def test_the_users_number_is_obeyed(self):
        self.assertEqual(self.run_deck(SMALL, "--threads", "2")[1]["threads"], 2)
        _, told = self.run_deck(SMALL, OMP_NUM_THREADS="2")
        self.assertEqual(told["threads"], 2)
        self.assertIn("OMP_NUM_THREADS", told["threads_because"])

    def test_ranks_share_the_cores(self):
        self.assertEqual(self.run_deck(LARGE, ranks=2)[1]["threads"], max(1, CORES // 2))

    def test_waiting_threads_soon_sleep(self):
        """As GCC's library itself says after it was loaded."""
        done, told = self.run_deck(SMALL, OMP_DISPLAY_ENV="verbose")
        self.assertEqual(told["thread_waiting"], "GOMP_SPINCOUNT=1000")
        if "GOMP_SPINCOUNT" in done.stderr:
            counts = re.findall(r"GOMP_SPINCOUNT = '(\d+)'", done.stderr)
            self.assertEqual(counts[-1], "1000", done.stderr)

    def test_how_the_user_wants_them_to_wait_is_obeyed(self):
        for name, value in (("OMP_WAIT_POLICY", "active"), ("GOMP_SPINCOUNT", "77"), ("KMP_BLOCKTIME", "5")):
            done, told = self.run_deck(SMALL, OMP_DISPLAY_ENV="verbose", **{name: value})
            self.assertEqual(told["thread_waiting"], f"{name}={value}")
            self.assertLessEqual(done.stderr.count("OPENMP DISPLAY ENVIRONMENT BEGIN"), 1, "started a second time")


if __name__ == "__main__":
    unittest.main()
