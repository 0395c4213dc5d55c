"""The harness itself: a run that hangs is told from one that is slow, and says where its processes stood."""
import os
import shutil
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
if "MESOWARP_SHIM" not in os.environ:
    sys.exit(77)  # built on Linux alone
from harness import DECK, Harm, alive, run  # noqa: E402
from program import PROGRAM, ProgramTest  # noqa: E402

STOPPED = Harm("raise:19", at=30)


class Harness(ProgramTest):
    def setUp(self):
        super().setUp()
        self.output = self.home / "out"
        self.arguments = ("run", self.deck(DECK), "--output", self.output, "--quiet")

    def test_a_run_that_hangs_says_where_and_leaves_no_process(self):
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                done = run(ranks, *self.arguments, shim=STOPPED.environment(self.output, self.home), timeout=8,
                           patience=0.3)
                self.assertTrue(done.hung)
                self.assertEqual(done.stacks.count("no end after"), 2, done.stacks)
                self.assertIn("state T", done.stacks)  # who stands
                self.assertEqual(done.stacks.count(f"{PROGRAM} run"), 2 * (1 if ranks == 1 else 3), done.stacks)
                if shutil.which("gdb"):
                    self.assertIn("countPath", done.stacks)  # where: in shim.c
                    if ranks == 2:  # and who waits for it
                        self.assertIn("MPI_", done.stacks)
                for word in done.stacks.split("--- process ")[1:]:
                    self.assertFalse(alive(int(word.split(",")[0])), word)
                shutil.rmtree(self.output)

    def test_a_slow_run_is_waited_for(self):
        slow = Harm(slow=30).environment(self.output, self.home)
        done = run(1, *self.arguments, shim=slow, timeout=2, patience=100)
        self.assertEqual((done.code, done.hung), (0, False), done.text)
        self.assertIn("no end after 2 s", done.stacks)


if __name__ == "__main__":
    unittest.main(verbosity=2)
