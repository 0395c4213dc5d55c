"""What tests of runs that lose their output directory share."""
import os
import signal
import subprocess
import time

from harness import command
from program import ProgramTest
from test_lock import children_of, program_of, state_of


class LosesOutput(ProgramTest):
    def ends_well(self, done, *words):
        self.assertEqual(done.code, 1, done.text)
        for word in ("error", *words):
            self.assertIn(word, done.text)
        for word in ("LOG ERROR", "terminate called", "HDF5-DIAG", "Segmentation"):
            self.assertNotIn(word, done.text)

    def meanwhile(self, ranks, output, where, task):
        """A run that stands still at a call (`where`: a Harm that raises SIGSTOP) while the task is done."""
        words, environment = command(ranks, ["run", self.path, "--output", output, "--quiet"],
                                     where.environment(output, self.home))
        with subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True) as process:
            try:
                number, end = 0, time.monotonic() + 60
                while not number and process.poll() is None and time.monotonic() < end:
                    number = next((n for n in [process.pid, *children_of(process.pid)]
                                   if program_of(n) and state_of(n) == "T"), 0)
                    time.sleep(0.02)
                self.assertTrue(number, "it did not stand still")
                task()
                os.kill(number, signal.SIGCONT)
                text, _ = process.communicate(timeout=60)
            except BaseException:
                for number in [process.pid, *children_of(process.pid)]:
                    os.kill(number, signal.SIGKILL)
                raise
        return type("Ended", (), {"code": process.returncode, "text": text})
