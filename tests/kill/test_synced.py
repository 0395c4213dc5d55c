"""What a checkpoint counts on has reached the disk before it has its name: each output file is synced after its last
change, by each rank that has changed it, and so is the directory after the last new name."""
import os
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
if "MESOWARP_SHIM" not in os.environ:
    sys.exit(77)  # built on Linux alone
from harness import DECK, Harm, calls_in_turn, run  # noqa: E402
from program import ProgramTest  # noqa: E402

MEASURES = """
[[measure]]
style = "field"
name = "map"
cells = [4, 4, 4]
every = 2
window = 6
[[measure]]
style = "rdf"
name = "around"
r_max = 1.2
every = 1
window = 5
[[measure]]
style = "msd"
name = "spread"
every = 1
window = 5
"""
MEASURED = ("wide", "around", "spread", "spread_means")
FILES = {"thermo.csv", "trajectory.h5", "map.h5"} | {f"{name}.{kind}" for name in MEASURED for kind in ("csv", "h5")}
CHANGES = {"write", "pwrite", "writev", "pwritev", "fwrite", "fallocate", "posix_fallocate", "ftruncate", "truncate"}
SYNCS = {"fsync", "fdatasync"}
STEPS = (8, 16, 24)  # of the checkpoints


class Synced(ProgramTest):
    def calls(self, ranks, *more):
        """Of a run, in the order of all ranks: (rank, call, name of the file)."""
        output, log = self.home / f"out{ranks}", self.home / f"log{ranks}"
        shim = {**Harm().environment(output, self.home), "MESOWARP_SHIM_LOG": str(log)}
        log.unlink(missing_ok=True)
        done = run(ranks, "run", self.deck(DECK.replace("bins = 3000", "bins = 30") + MEASURES), "--output", output,
                   "--quiet", *more, shim=shim)
        self.assertEqual(done.code, 0, done.text)
        return calls_in_turn(log), output

    def unsynced(self, calls, output):
        """What has changed since it was synced last: files by rank, and the directory if a name is new in it."""
        pending = set()
        for rank, call, name in calls:
            if call in SYNCS:
                pending.discard((rank, name))
            elif call in CHANGES and (name in FILES or name.startswith((".checkpoint-", "deck.toml")) or
                                      ".undo-" in name):
                pending.add((rank, name))
            elif call.startswith("rename") or (call == "open" and name in FILES):
                pending.add((rank, output.name))
        return pending

    def holds(self, calls, output, steps):
        for step in steps:
            with self.subTest(step=step):
                named = [k for k, (_, call, name) in enumerate(calls)
                         if call.startswith("rename") and name == f"checkpoint-{step}.h5"]
                self.assertEqual(len(named), 1)
                self.assertEqual(self.unsynced(calls[:named[0]], output), set())
                self.assertEqual(calls[named[0] + 1], (0, "fsync", output.name))

    def test_before_a_checkpoint_has_its_name(self):
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                calls, output = self.calls(ranks)
                written = {(rank, name) for rank, call, name in calls if call in CHANGES}
                self.assertEqual({name for rank, name in written if rank == 0} & FILES, FILES)
                if ranks == 2:
                    self.assertIn((1, "trajectory.h5"), written)
                self.holds(calls, output, STEPS)
                (output / "checkpoint-24.h5").unlink()  # the same of a run that goes on
                self.holds(*self.calls(ranks, "--resume"), STEPS[2:])


if __name__ == "__main__":
    unittest.main(verbosity=2)
