"""A sheared box and a channel at a flow rate on several ranks: `bitwise` has one hash and one table on any number."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from physics import PhysicsTest  # noqa: E402
from program import SOURCE, summary  # noqa: E402

RANKS = (1, 2, 3, 4)


class OnRanks(PhysicsTest):
    def check_one_hash(self, example, *options):
        found = set()
        for ranks in RANKS:
            output = self.home / f"{example}{ranks}"
            self.run_well(SOURCE / "examples" / f"{example}.toml", "--output", output, "--quiet", "--steps", 300,
                          "--set", "run.reproducibility=bitwise", "--set", "measure.0.start=0", *options, ranks=ranks)
            found.add((summary(output)["state_hash"], (output / "thermo.csv").read_text(encoding="utf-8")))
        self.assertEqual(len(found), 1, [hash_ for hash_, _ in found])

    def test_shear(self):
        self.check_one_hash("shear", "--set", "shear.rate=0.8")

    def test_shear_goes_on_on_other_ranks(self):
        """With the bits of a run that was not stopped: builds, which put particles back, come when they would have."""
        deck = SOURCE / "examples" / "shear.toml"
        options = ["--quiet", "--set", "run.reproducibility=bitwise", "--set", "measure.0.start=0", "--set",
                   "shear.rate=0.9"]
        self.run_well(deck, "--output", self.home / "whole", "--steps", 200, *options)
        for first, then in ((1, 2), (3, 1), (2, 4)):
            output = self.home / f"{first}{then}"
            self.run_well(deck, "--output", output, "--steps", 104, *options, ranks=first)
            self.run_well(deck, "--output", output, "--steps", 200, "--resume", *options, ranks=then)
            self.assertEqual(summary(self.home / "whole")["state_hash"], summary(output)["state_hash"], (first, then))

    def test_flow_rate(self):
        self.check_one_hash("channel_flow_rate")


if __name__ == "__main__":
    unittest.main(verbosity=2)
