"""scripts/same-bits: this build has the bits on record, on one rank and on two; what differs, or is not there, is
told."""
import csv
import os
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from program import ALONE, PROGRAM, SOURCE, ProgramTest, of_ranks, script  # noqa: E402

# One or more of each method, each in a precision of its own choice, short ones.
SOME = ("^(equilibrium-single|phase_separation-mixed|polymer_melt-double|shear-single|tube-mixed|ions-double"
        "|plummer-mixed|tracers-single|tdpd_diffusion-mixed|constant_pressure-double|measures-single|kremer_grest-mixed"
        "|mpcd_sphere-single|cells_release-single|two_fluids_cell-mixed)$")


def same_bits(*arguments, environment=None):
    return subprocess.run([sys.executable, SOURCE / "scripts/same-bits", "--program", PROGRAM, *arguments],
                          capture_output=True, text=True, check=False, env=environment or {**os.environ, **ALONE})


class Bits(ProgramTest):
    def test_those_on_record(self):
        done = same_bits("--only", SOME)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("15 the same, 0 differ", done.stdout)

    def test_two_ranks(self):
        done = same_bits("--only", "^(shear-single|mpcd_viscosity-mixed)$", "--launcher",
                         f"{os.environ['MESOWARP_MPIEXEC']} -n 2", environment=of_ranks(os.environ))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_what_differs_is_told(self):
        path, made = self.home / "other.csv", self.home / "made.csv"
        with open(SOURCE / "tests/cases/bits.csv", encoding="utf-8", newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["example"] != "ions"]
        for row in rows:
            if row["example"] == "shear":
                row["state_hash"] = row["state_hash"][::-1]
            if row["example"] == "tube":
                row["files"] = "0" * 16
        with open(path, "w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)
        done = same_bits("--only", "^(shear|tube|ions|equilibrium)-single$", "--against", path, "--write", made)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("differs: shear, single", done.stdout)
        self.assertIn("differs: tube, single", done.stdout)
        self.assertIn("4 runs: 1 the same, 2 differ, 1 not on record, 0 did not run", done.stdout)
        self.assertEqual(same_bits("--only", "^(shear|ions)-single$", "--against", made).returncode, 0)

    def test_every_example_is_on_record(self):
        from examples import DECKS  # pylint: disable=import-outside-toplevel

        found = script("same-bits").recorded(SOURCE / "tests/cases/bits.csv")
        self.assertEqual({name for name, _, _ in found}, set(DECKS))


if __name__ == "__main__":
    unittest.main()
