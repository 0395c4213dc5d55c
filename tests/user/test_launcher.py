"""The launcher of a package for many processors: the best program that this processor has instructions for, or the one
that is asked for; clear words where there is none."""
import os
import platform
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from program import PROGRAM, ProgramTest  # noqa: E402

V3 = {"avx2", "fma", "bmi1", "bmi2", "popcnt"}
LEVELS = {"x86-64-v4": V3 | {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}, "x86-64-v3": V3,
          "x86-64": set()}


def here():
    """Levels that this processor has, the best first."""
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("flags"):
            flags = set(line.split(":", 1)[1].split())
            return [level for level, needed in LEVELS.items() if needed <= flags]
    return []


@unittest.skipUnless(platform.machine() == "x86_64", "levels are those of x86-64")
class Launcher(ProgramTest):
    def setUp(self):
        super().setUp()
        self.prefix = self.home / "prefix"
        (self.prefix / "bin").mkdir(parents=True)
        shutil.copy2(Path(PROGRAM).parent / "mesowarp_launcher", self.prefix / "bin/mesowarp")

    def install(self, *levels):
        for level in levels:
            program = self.prefix / "libexec/mesowarp" / level / "mesowarp"
            program.parent.mkdir(parents=True)
            program.write_text(f'#!/bin/sh\necho {level} "$@"\nexit 7\n')
            program.chmod(0o755)

    def start(self, *words, level=None):
        environment = {k: v for k, v in os.environ.items() if k != "MESOWARP_LEVEL"}
        if level is not None:
            environment["MESOWARP_LEVEL"] = level
        return subprocess.run([self.prefix / "bin/mesowarp", *words], capture_output=True, text=True, check=False,
                              env=environment)

    def test_the_best_that_is_there(self):
        installed = []
        for level in reversed(here()):  # one more each time
            self.install(level)
            installed.append(level)
            done = self.start("run", "a deck.toml")
            self.assertEqual((done.returncode, done.stdout), (7, f"{level} run a deck.toml\n"), done.stderr)
        for level in installed:
            self.assertEqual(self.start("info", level=level).stdout, f"{level} info\n")
        self.assertEqual(self.start("info", level="").stdout, f"{installed[-1]} info\n")

    def test_words_where_there_is_none(self):
        done = self.start("info")
        self.assertEqual(done.returncode, 1)
        self.assertIn("libexec/mesowarp/x86-64/mesowarp is there; install the package again", done.stderr)
        done = self.start("info", level="x86-64-v9")
        self.assertEqual(done.returncode, 1)
        self.assertIn("MESOWARP_LEVEL = x86-64-v9; known are x86-64, x86-64-v3, x86-64-v4", done.stderr)
        done = self.start("info", level="x86-64")
        self.assertIn("cannot start", done.stderr)
        for level in set(LEVELS) - set(here()):
            self.install(level)
            self.assertIn("which this processor lacks", self.start("info", level=level).stderr)

    def test_one_that_cannot_be_started(self):
        self.install(*here())
        (self.prefix / "libexec/mesowarp" / here()[0] / "mesowarp").write_text("no program\n")
        (self.prefix / "libexec/mesowarp" / here()[0] / "mesowarp").chmod(0o644)
        done = self.start("info")
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot start", done.stderr)


if __name__ == "__main__":
    unittest.main()
