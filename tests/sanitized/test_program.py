"""Decks of several methods, with their outputs, under address and undefined-behaviour sanitizers: run on one rank and
on two, resumed, and killed by nothing. In double precision, whose kernels alone are compiled so in CI; all examples in
their own precision, with a program built by the preset asan:

  MESOWARP_SANITIZED=build/asan/mesowarp MESOWARP_SANITIZED_DECKS=all ctest --preset omp -R sanitized.test_program
"""
import os
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
if "MESOWARP_SANITIZED" not in os.environ:
    sys.exit(77)  # of a GPU's build there is none
from examples import DECKS, quick, with_outputs  # noqa: E402
from program import ProgramTest, summary  # noqa: E402

PROGRAM = os.environ["MESOWARP_SANITIZED"]
ALL = os.environ.get("MESOWARP_SANITIZED_DECKS") == "all"
# Bonds, a frozen wall, a sheared box, a membrane that parts two fluids, chemistry, chains in a collision solvent, all
# measures, a box that changes, angles.
CHOSEN = sorted(DECKS) if ALL else ("constant_pressure", "flow_past_ball", "measures", "mpcd_polymer", "sheared_melt",
                                    "tdpd_diffusion", "two_fluids_cell", "worm_like_chain")
STEPS = 20
SANITIZERS = {"ASAN_OPTIONS": "detect_leaks=0:protect_shadow_gap=0", "UBSAN_OPTIONS": "print_stacktrace=1"}


class Sanitized(ProgramTest):
    def run_clean(self, ranks, *arguments):
        words = [PROGRAM, "run", *map(str, arguments)]
        if ranks > 1:
            words = [os.environ["MESOWARP_MPIEXEC"], "-n", str(ranks), *words]
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=1000, errors="replace",
                              env={**os.environ, **SANITIZERS, "OMP_NUM_THREADS": "2" if ranks == 1 else "1"})
        for sign in ("Sanitizer", "runtime error"):
            self.assertNotIn(sign, done.stderr, done.stderr[-4000:])
        return done

    def go(self, name):
        text, blocks = with_outputs(name, STEPS // 2)
        deck = self.deck(text)
        options = quick(name, STEPS) + [word for block in blocks for word in
                                        ("--set", f"output.{blocks[block]}.every={STEPS // 4}")]
        if not ALL:
            options += ["--set", "run.precision=double"]
        hashes = set()
        for ranks in (1, 2):
            output = self.home / f"on{ranks}"
            done = self.run_clean(ranks, deck, *options, "--output", output, "--quiet")
            if done.returncode == 2 and ranks == 2:
                continue  # too small a box, or a method of one rank: it says so
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            done = self.run_clean(ranks, deck, *options, "--steps", STEPS + 5, "--output", output, "--quiet",
                                  "--resume")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            hashes.add(summary(output)["state_hash"])
        self.assertTrue(hashes)


for example in CHOSEN:
    setattr(Sanitized, f"test_{example}", lambda self, name=example: self.go(name))


if __name__ == "__main__":
    unittest.main(verbosity=2)
