"""Under a limit of memory that the kernel enforces, as a batch system's: a control group of this test's own, below the
one it runs in. What does not fit is refused with the limit's name, what is let through is not killed. Skipped where no
such group can be made (no root, no memory controller) or the kernel does not keep to it."""
import os
import re
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from program import PROGRAM, ProgramTest, fluid, summary  # noqa: E402

MIB = 1 << 20
OUTPUTS = """
[[output]]
format = "trajectory"
every = 2
fields = ["position", "image", "velocity"]
[[output]]
format = "checkpoint"
every = 3
"""


def own_group():
    """The group of this process in which a limit can be set, and the limit's file; else why there is none."""
    for line in Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines():
        _, controllers, path = line.split(":", 2)
        if "memory" in controllers.split(","):
            return Path("/sys/fs/cgroup/memory" + path), "memory.limit_in_bytes"
        group = Path("/sys/fs/cgroup" + path)
        control = group / "cgroup.subtree_control"
        if controllers == "" and control.exists() and "memory" in control.read_text(encoding="utf-8").split():
            return group, "memory.max"
    raise OSError("no control group with a memory controller that could be divided")


class Group:
    """A group with a limit; run() puts a command into it."""

    def __init__(self):
        parent, self.file = own_group()
        self.path = parent / f"mesowarp-test-{os.getpid()}"
        self.path.mkdir()
        try:
            self.limit(1 << 30)
            (self.path / "cgroup.procs").open("a", encoding="utf-8").close()
        except OSError:
            self.path.rmdir()
            raise

    def limit(self, limit):
        (self.path / self.file).write_text(str(int(limit)), encoding="utf-8")

    def run(self, *words):
        enter = f'echo $$ > "{self.path}/cgroup.procs" && exec "$@"'
        return subprocess.run(["bash", "-c", enter, "-", *map(str, words)], capture_output=True, text=True, check=False,
                              timeout=200, env={**os.environ, "OMP_NUM_THREADS": "2"})

    def remove(self):
        for _ in range(100):  # the kernel may still be busy with the last process
            try:
                return self.path.rmdir()
            except OSError:
                time.sleep(0.1)
        return self.path.rmdir()


class MemoryLimit(ProgramTest):
    def setUp(self):
        super().setUp()
        self.group = Group()

    def tearDown(self):
        self.group.remove()
        super().tearDown()

    def test_what_does_not_fit_is_refused_before_it_begins(self):
        self.group.limit(300 * MIB)
        deck = self.deck(fluid(size=[90.0, 90.0, 90.0], steps=1))
        for verb, more in (("check", []), ("run", ["--output", self.home / "out"])):
            done = self.group.run(PROGRAM, verb, deck, *more)
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertRegex(
                done.stderr, r"deck.toml:\d+:\d+: not enough memory: 2.187e\+06 particles need at least \d+\.\d MiB "
                rf"here, and there are \d+\.\d MiB \(the limit of \S+{self.group.file} is 300 MiB\)")
            self.assertFalse((self.home / "out").exists())

    def just_enough(self, deck, out):
        """A run under the smallest limit, to a hundredth, under which the program does not refuse it."""
        self.group.limit(60 * MIB)
        needed = re.search(r"need at least (\d+\.\d) MiB", self.group.run(PROGRAM, "check", deck).stderr)
        self.assertIsNotNone(needed)
        for percent in range(100, 160):
            self.group.limit(float(needed.group(1)) * MIB * percent / 100)
            done = self.group.run(PROGRAM, "run", deck, "--output", out, "--quiet")
            if "not enough memory" not in done.stderr:
                return done
        return self.fail("no limit is large enough")

    def test_what_is_let_through_is_not_killed(self):
        bodies = fluid(size=[50.0, 50.0, 50.0], steps=6) + OUTPUTS
        for precision in ("single", "double"):
            deck = self.deck(bodies.replace("[run]", f'[run]\nprecision = "{precision}"'))
            done = self.just_enough(deck, self.home / precision)
            self.assertEqual(done.returncode, 0, f"{precision}: {done.returncode} {done.stderr[-500:]}")
            self.assertEqual(summary(self.home / precision)["status"], "finished")


def kernel_keeps_limits():
    """Whether a process that takes three times the limit is killed; not where there is swap space, for instance."""
    group = Group()
    try:
        group.limit(100 * MIB)
        done = group.run(sys.executable, "-c", "import sys; sys.stdout.write(str(len(b'x' * (300 << 20))))")
    finally:
        group.remove()
    return (done.returncode, done.stdout) == (-9, "")


if __name__ == "__main__":
    try:
        if not kernel_keeps_limits():
            raise OSError("the kernel lets a process take more than its group's limit")
    except OSError as error:
        print(f"skipped: {error}")
        sys.exit(77)
    unittest.main(verbosity=2)
