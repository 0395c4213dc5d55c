"""Signals that announce the end: a checkpoint is written, and the run goes on from there to the same bits."""
import os
import resource
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
from program import ProgramTest, summary  # noqa: E402

ASKED = ("SIGINT", "SIGTERM", "SIGHUP", "SIGUSR1", "SIGUSR2", "SIGXCPU")
# Long enough to be sent a signal from outside; its checkpoints are those of signals and of the end.
LONG = DECK.replace("steps = 24", "steps = 1000000").replace("every = 8", "every = 0").replace("bins = 3000",
                                                                                              "bins = 30")


class Signals(ProgramTest):
    def whole(self, ranks):
        output = self.home / f"whole{ranks}"
        self.assertEqual(run(ranks, "run", self.deck(DECK), "--output", output, "--quiet").code, 0)
        return output

    def goes_on(self, ranks, whole, output):
        done = run(ranks, "run", self.deck(DECK), "--output", output, "--quiet", "--resume")
        self.assertEqual(done.code, 0, done.text)
        self.assertEqual(differences(output, whole), [])

    def goes_on_for_a_while(self, ranks, deck, output):
        """Some steps beyond its newest checkpoint, whose step it returns: as a run of as many that nobody stopped."""
        step = max(int(path.stem.split("-")[1]) for path in output.glob("checkpoint-*.h5"))
        whole, end = output.with_name(output.name + "-whole"), ("--quiet", "--steps", step + 7)
        done = run(ranks, "run", deck, "--output", output, "--resume", *end)
        self.assertEqual(done.code, 0, done.text)
        done = run(ranks, "run", deck, "--output", whole, *end)
        self.assertEqual((done.code, differences(output, whole)), (0, []), done.text)
        return step

    def test_each_of_them_leaves_a_checkpoint(self):
        for ranks in (1, 2):
            whole = self.whole(ranks)
            for name in ASKED if ranks == 1 else ("SIGTERM", "SIGUSR1", "SIGXCPU"):
                with self.subTest(signal=name, ranks=ranks):
                    output = self.home / f"{name}{ranks}"
                    # At the table's row of step 3: the checkpoint of step 4 follows.
                    shim = Harm(f"raise:{int(getattr(signal, name))}", at=3,
                                only="thermo.csv").environment(output, self.home)
                    done = run(ranks, "run", self.deck(DECK), "--output", output, "--quiet", shim=shim)
                    self.assertEqual(done.code, 1, done.text)
                    self.assertIn(f"stopped by {name}", done.text)
                    self.assertIn("--resume", done.text)
                    self.assertEqual(summary(output)["status"], "interrupted")
                    self.assertIn(summary(output)["last_step"], (1, 2, 3, 4))
                    self.goes_on(ranks, whole, output)

    def test_while_a_run_is_set_up(self):
        """Heard when the deck is read, and when the checkpoint is; the first step that can be saved is the last."""
        for ranks, name in ((1, "SIGTERM"), (2, "SIGUSR1")):
            whole, output, deck = self.whole(ranks), self.home / name, self.deck(DECK)
            for step, file, more in ((0, "deck.toml", []), (13, "checkpoint-12.h5", ["--resume"])):
                with self.subTest(ranks=ranks, signal=name, step=step):
                    shim = Harm(f"raise:{int(getattr(signal, name))}", at=1, only=file, reads=True)
                    done = run(ranks, "run", deck, "--output", output, "--quiet", *more,
                               shim=shim.environment(self.home, self.home))
                    self.assertEqual(done.code, 1, done.text)
                    self.assertIn(f"stopped by {name} at step {step}", done.text)
                    self.assertEqual(done.text.count("still being set up, and ends at its first step"), 1)
                    self.assertTrue((output / f"checkpoint-{step}.h5").exists())
                    done = run(ranks, "run", deck, "--output", output, "--quiet", "--resume",
                               *(["--steps", 12] if step == 0 else []))
                    self.assertEqual(done.code, 0, done.text)
            self.assertEqual(differences(output, whole), [])

    def test_a_signal_of_another_rank_than_the_root(self):
        whole, output = self.whole(2), self.home / "out"
        shim = Harm("raise:10", at=2, rank="1", only="trajectory.h5").environment(output, self.home)
        done = run(2, "run", self.deck(DECK), "--output", output, "--quiet", shim=shim)
        self.assertEqual(done.code, 1, done.text)
        self.assertIn("stopped by SIGUSR1", done.text)
        self.goes_on(2, whole, output)

    def test_a_second_signal_loses_nothing(self):
        deck = self.deck(LONG)
        for first, second in ((signal.SIGTERM, signal.SIGTERM), (signal.SIGUSR1, signal.SIGTERM), (signal.SIGHUP,
                                                                                                   signal.SIGINT)):
            output = self.home / f"{first}-{second}"
            # The second comes from within the checkpoint that the first one asks for; the first, while that is slow.
            shim = Harm(f"raise:{int(second)}", at=5, only=".checkpoint-", slow=5).environment(output, self.home)
            words, environment = command(1, ["run", deck, "--output", output, "--quiet"], shim)
            with subprocess.Popen(words, env=environment, stderr=subprocess.PIPE, text=True) as process:
                wait_for_rows(process, output)
                process.send_signal(first)
                _, text = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 1, text)
            self.assertIn(f"stopped by {first.name}", text)
            step = summary(output)["last_step"]
            self.assertEqual(self.goes_on_for_a_while(1, deck, output), step)

    def test_handlers_that_a_library_leaves_behind(self):
        """Two signals, as `timeout` sends them; a hangup that is ignored is no signal."""
        deck = self.deck(LONG)
        for first in (signal.SIGTERM, signal.SIGHUP):
            output = self.home / first.name
            words, environment = command(1, ["run", deck, "--output", output, "--quiet"],
                                         {"MESOWARP_SHIM_HANDLERS": "1"})
            with subprocess.Popen(words, env=environment, stderr=subprocess.PIPE, text=True,
                                  preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)) as process:
                wait_for_rows(process, output)
                for number in (first, signal.SIGTERM):
                    process.send_signal(number)
                    time.sleep(0.2)
                process.send_signal(signal.SIGTERM)
                _, text = process.communicate(timeout=120)
            self.assertEqual(process.returncode, 1, text)
            self.assertIn("stopped by SIGTERM", text)
            step = summary(output)["last_step"]
            self.assertEqual(self.goes_on_for_a_while(1, deck, output), step)

    def test_nobody_reads_the_output_any_more(self):
        whole, output = self.whole(1), self.home / "out"
        words, environment = command(1, ["run", self.deck(DECK), "--output", output], {})
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run(words, env=environment, stdout=writer, stderr=subprocess.PIPE, text=True, check=False,
                              timeout=60, restore_signals=True)
        os.close(writer)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("SIGPIPE", done.stderr)
        self.goes_on(1, whole, output)

    def test_a_file_that_may_not_grow_is_an_error_with_a_message(self):
        whole = self.whole(1)
        for limit in (60_000, 200_000, 600_000):
            output = self.home / f"out{limit}"
            words, environment = command(1, ["run", self.deck(DECK), "--output", output, "--quiet"], {})
            done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False, timeout=60,
                                  preexec_fn=lambda most=limit: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)))
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertIn("File too large", done.stderr)
            if list(output.glob("checkpoint-*.h5")):
                self.assertIn("stands", done.stderr)
                self.goes_on(1, whole, output)

    def test_a_hangup_that_is_ignored_stays_so(self):
        output = self.home / "out"
        shim = Harm("raise:1", at=3, only="thermo.csv").environment(output, self.home)
        words, environment = command(1, ["run", self.deck(DECK), "--output", output, "--quiet"], shim)
        done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False, timeout=60,
                              preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_mpirun_forwards_what_it_is_sent(self):
        """mpirun sends SIGUSR1 on, and leaves time; SIGTERM to it leaves a second."""
        deck = self.deck(LONG.replace("every = 4", "every = 400").replace("every = 3\n", "every = 300\n"))
        for number in (signal.SIGUSR1, signal.SIGTERM):
            output = self.home / number.name
            words, environment = command(2, ["run", deck, "--output", output, "--quiet"], {})
            with subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  text=True) as process:
                wait_for_rows(process, output)
                process.send_signal(number)
                text, _ = process.communicate(timeout=120)
            self.assertTrue(list(output.glob("checkpoint-*.h5")), f"{number.name}: {text}")
            self.assertNotEqual(process.returncode, 0)
            self.assertGreaterEqual(self.goes_on_for_a_while(2, deck, output), 300)


def wait_for_rows(process, output, seconds=60):
    """Until its table has some."""
    table, end = output / "thermo.csv", time.monotonic() + seconds
    while process.poll() is None and time.monotonic() < end:
        if table.exists() and table.read_text().count("\n") > 2:
            break
        time.sleep(0.02)


if __name__ == "__main__":
    unittest.main(verbosity=2)
