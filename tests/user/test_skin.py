"""The skin of the neighbour list, tuned in the first steps (neighbor.tune): where it pays, alike each time, through
stops, and not where the deck gives one."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from program import ProgramTest, fluid, mesowarp, summary  # noqa: E402

# A time step at which lists of the usual skin last one step.
HOT = fluid(steps=300, timestep=0.04, size=[9.0, 6.0, 6.0])
TUNED = "neighbor.tune"


class Skin(ProgramTest):
    def ends(self, name, text, *arguments, ranks=1):
        """Summary and log of a run."""
        self.run_well(self.deck(text), "--output", self.home / name, *arguments, ranks=ranks)
        return summary(self.home / name), (self.home / name / "run.log").read_text(encoding="utf-8")

    def test_a_list_that_lasts_one_step_gets_a_wider_skin(self):
        result, log = self.ends("hot", HOT)
        self.assertGreater(result["skin"], 0.45)
        self.assertRegex(log, r"neighbor.skin is 0\.\d+ from step \d+ on, 0\.3 before \(neighbor.tune\)")
        kept, log = self.ends("kept", HOT + "[neighbor]\nskin = 0.3\n")
        self.assertEqual(kept["skin"], 0.3)
        self.assertNotIn(TUNED, log)
        self.assertLess(result["rebuilds"], 0.75 * kept["rebuilds"])

    def test_the_usual_deck_keeps_its_skin_and_its_bits(self):
        text = fluid(steps=200)
        hashes = set()
        for name, more in (("usual", ""), ("given", "[neighbor]\nskin = 0.3\n")):
            result, log = self.ends(name, text + more)
            self.assertEqual(result["skin"], 0.3)
            self.assertNotIn(TUNED, log)
            hashes.add(result["state_hash"])
        self.assertEqual(len(hashes), 1)

    def test_the_same_each_time_and_through_stops(self):
        """Stopped while steps are let pass, counted, and behind the decision; on ranks, too."""
        for ranks in (1, 2):
            whole, _ = self.ends(f"whole{ranks}", HOT, ranks=ranks)
            again, _ = self.ends(f"again{ranks}", HOT, ranks=ranks)
            self.assertGreater(whole["skin"], 0.45)
            self.assertEqual((whole["state_hash"], whole["skin"]), (again["state_hash"], again["skin"]))
            for stop in (30, 80, 130, 170, 250):
                name = f"stopped{ranks}at{stop}"
                self.ends(name, HOT, "--steps", stop, ranks=ranks)
                result, _ = self.ends(name, HOT, "--resume", ranks=ranks)
                self.assertEqual((result["state_hash"], result["skin"]), (whole["state_hash"], whole["skin"]), name)

    def test_bits_of_bitwise_do_not_know_of_it(self):
        text = HOT.replace("[run]", '[run]\nreproducibility = "bitwise"')
        tuned, _ = self.ends("tuned", text)
        three, _ = self.ends("three", text, ranks=3)
        kept, _ = self.ends("kept", text + "[neighbor]\nskin = 0.3\n")
        self.assertNotEqual(tuned["skin"], kept["skin"])
        self.assertEqual(three["skin"], tuned["skin"])
        self.assertEqual({r["state_hash"] for r in (tuned, three)}, {kept["state_hash"]})
        # Another skin in the deck behind a stop: the list of the tuned one is not taken for good.
        self.ends("changed", text, "--steps", 250)
        changed, _ = self.ends("changed", text + "[neighbor]\nskin = 0.3\n", "--resume")
        self.assertEqual((changed["state_hash"], changed["skin"]), (kept["state_hash"], 0.3))

    def test_parts_of_ranks_too_narrow_for_a_wider_one(self):
        """Of two ranks the neighbours on both sides are one, and ghosts of both must differ: 2.8 < 2 (1 + 0.5)."""
        text = HOT.replace("[run]", '[run]\nreproducibility = "bitwise"').replace("[9.0, 6.0, 6.0]", "[5.6, 5.6, 5.6]")
        wide, _ = self.ends("wide", text)
        self.assertGreater(wide["skin"], 0.45)
        narrow, _ = self.ends("narrow", text, ranks=2)
        self.assertEqual((narrow["state_hash"], narrow["skin"]), (wide["state_hash"], 0.3))
        self.ends("shared", text, "--steps", 250)
        shared, _ = self.ends("shared", text, "--resume", ranks=2)  # begun with a skin that has no room there
        self.assertEqual((shared["state_hash"], shared["skin"]), (wide["state_hash"], 0.3))

    def test_the_resolved_deck_runs_alike(self):
        first, _ = self.ends("first", HOT)
        second, _ = self.ends("second", (self.home / "first" / "deck.toml").read_text(encoding="utf-8"))
        self.assertEqual((first["state_hash"], first["skin"]), (second["state_hash"], second["skin"]))

    def test_where_the_skin_is_built_in(self):
        wall = """
[[shape]]
name = "below"
style = "plane"
axis = "z"
at = 2.0
side = "below"
[[wall]]
name = "floor"
solid = "below"
friction = 0.2
"""
        done = mesowarp("check", self.deck(HOT + wall + "[neighbor]\ntune = true\n"))
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"deck.toml:\d+:8: .*cannot be tuned beside \[\[wall\]\]: leave tune out")
        self.assertIn("tune = false", mesowarp("check", self.deck(HOT + wall)).stdout)
        every = mesowarp("check", self.deck(HOT + '[neighbor]\nrebuild = "every"\nevery = 1\n'))
        self.assertNotIn("tune", every.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
