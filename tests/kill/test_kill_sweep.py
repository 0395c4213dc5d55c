"""A bounded part of sweep.py: kills and errors spread over all calls that change files; none may lose anything."""
import os
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
if "MESOWARP_SHIM" not in os.environ:
    sys.exit(77)  # built on Linux alone
from sweep import sorts, sweep  # noqa: E402


def share(sort):
    if sort.ranks > 1:
        return 4 if sort.what in ("kill", "torn") else 2 if sort.lasting else 1
    return 16 if sort.what == "kill" and not sort.base else 6


class KillSweep(unittest.TestCase):
    def test_nothing_is_lost_wherever_a_run_is_stopped(self):
        with tempfile.TemporaryDirectory() as home:
            tried, failures = sweep(home, list(sorts()), share, 2)
        self.assertGreater(sum(tried.values()), 80)
        self.assertEqual(failures, [])


if __name__ == "__main__":
    unittest.main(verbosity=2)
