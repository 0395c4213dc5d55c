"""mesowarp new: every kind passes the check without a warning, runs, does what its comment expects as far as a few
steps can show it, and never replaces a file."""
import os
import re
import sys
import tomllib
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from program import SOURCE, ProgramTest, mesowarp, summary  # noqa: E402

KINDS = {"cells", "channel", "dpd", "drop", "inflow", "ions", "kremer-grest", "lj", "melt", "mpcd",
         "mpcd-polymer", "mpcd-walls", "nbody", "pressure", "pulled", "shear", "tdpd", "tracers", "tube", "two-fluids"}
STEPS = {"nbody": 4, "mpcd-polymer": 200, "melt": 600, "kremer-grest": 1500, "ions": 200, "lj": 1600, "pressure": 600}


def scaled(deck, steps):
    """--set options by which every interval is as much shorter as the run is."""
    factor, options = steps / deck["run"]["steps"], []
    for block in ("output", "measure"):
        for number, values in enumerate(deck.get(block, [])):
            for key in ("every", "start", "window"):
                if values.get(key):
                    least = 10 if key == "window" else 1
                    options += ["--set", f"{block}.{number}.{key}={max(least, round(values[key] * factor))}"]
    return options


class NewDecks(ProgramTest):
    def test_the_kinds_are_listed(self):
        done = mesowarp("new")
        self.assertEqual(done.returncode, 0)
        listed = [line.split()[0] for line in done.stdout.splitlines()]
        self.assertEqual(set(listed), KINDS)
        self.assertEqual(set(listed), {path.stem for path in (SOURCE / "examples/new").glob("*.toml")})
        guide = (SOURCE / "docs/user-guide.md").read_text(encoding="utf-8").split("`mesowarp new` alone lists")[1]
        self.assertEqual(set(re.findall(r"`([a-z-]+)`", guide.split("    mesowarp new melt")[0])), KINDS)
        for line in done.stdout.splitlines():
            self.assertTrue(20 < len(line) < 140, line)

    def test_each_passes_the_check_and_runs(self):
        for kind in sorted(KINDS):
            with self.subTest(kind):
                path = self.home / f"{kind}.toml"
                done = mesowarp("new", kind, path)
                self.assertEqual(done.returncode, 0, done.stderr)
                text = path.read_text(encoding="utf-8")
                self.assertEqual(text, (SOURCE / f"examples/new/{kind}.toml").read_text(encoding="utf-8"))
                done = mesowarp("check", path)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                deck = tomllib.loads(text)
                steps = STEPS.get(kind, 60)
                output = self.home / kind
                self.run_well(path, "--output", output, "--quiet", "--steps", steps, *scaled(deck, steps))
                found = summary(output)
                self.assertEqual((found["status"], found["last_step"]), ("finished", steps))
                if kind == "nbody":
                    self.assertLess(abs(found["averages"]["virial_ratio"] - 0.5), 0.05)
                else:
                    expected = deck["run"].get("temperature", 1.0)
                    self.assertLess(abs(found["averages"]["temperature"] - expected), 0.3)
                self.check_what_it_is_for(kind, found["averages"], output)

    def check_what_it_is_for(self, kind, averages, output):
        """As far as a few steps tell."""
        if kind == "pressure":  # from 614 on
            self.assertTrue(480 < averages["volume"] < 560, averages["volume"])
        elif kind == "lj":
            self.assertLess(abs(averages["pressure"] - 1.7), 0.6)
        elif kind == "inflow":
            self.assertLess(abs(averages["inflow1_velocity"] - 0.5), 0.3)
        elif kind == "two-fluids":
            self.assertEqual(averages["wrong_side"], 0)
        elif kind == "pulled":
            self.assertGreater(averages["pull_head_force_x"], 0.0)
        elif kind == "tracers":
            self.assertTrue((output / "trajectory-tracers.h5").is_file())

    def test_nothing_is_replaced(self):
        for make in (lambda path: path.write_text("mine", encoding="utf-8"), Path.mkdir,
                     lambda path: path.symlink_to("nowhere")):
            path = self.home / f"{make.__name__}-{len(list(self.home.iterdir()))}.toml"
            make(path)
            done = mesowarp("new", "dpd", path)
            self.assertEqual(done.returncode, 2)
            self.assertIn("is there already", done.stderr)
            self.assertTrue(os.path.lexists(path))
            if path.is_file():
                self.assertEqual(path.read_text(encoding="utf-8"), "mine")
        self.assertFalse((self.home / "nowhere").exists())

    def test_the_file_is_named_after_the_kind(self):
        done = mesowarp("new", "shear", cwd=self.home)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue((self.home / "shear.toml").is_file())
        done = mesowarp("new", "soup")
        self.assertEqual(done.returncode, 2)
        self.assertIn("mpcd-polymer", done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
