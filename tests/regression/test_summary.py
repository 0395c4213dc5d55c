"""summary.json of runs that were extended, stopped or killed, and the profiles of such runs."""
import csv
import re
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from observables import read_table  # noqa: E402
from pair_model import block_average  # noqa: E402
from program import PROGRAM, ProgramTest, fluid, summary  # noqa: E402

# The shortest deck: no [[output]], so the table's interval follows from the number of steps.
SHORT = """
[run]
steps = 100
timestep = 0.005
[box]
size = [5.0, 5.0, 5.0]
[[population]]
name = "water"
species = "W"
density = 3.0
[[interaction]]
between = ["W", "W"]
a = 25.0
gamma = 4.5
"""
MEASURE = """
[[measure]]
style = "profile"
name = "up"
axis = "z"
bins = 4
every = 2
window = {window}
"""
CHECKPOINT = """
[[output]]
format = "checkpoint"
every = 10
"""


class Extended(ProgramTest):
    def extend(self, text, *stops, final):
        """Runs to each of the steps, then to the final one, beside a run in one go."""
        deck, whole, parts = self.deck(text), self.home / "whole", self.home / "parts"
        self.run_well(deck, "--output", whole, "--quiet", "--steps", final)
        for k, stop in enumerate([*stops, final]):
            self.run_well(deck, "--output", parts, "--quiet", "--steps", stop, *(["--resume"] if k else []))
        return whole, parts

    def test_the_summary_is_that_of_the_whole_run(self):
        whole, parts = self.extend(fluid() + CHECKPOINT, 20, 40, final=60)
        one, three = summary(whole), summary(parts)
        for key in ("averages", "first_step", "last_step", "steps", "rebuilds", "state_hash", "status"):
            self.assertEqual(three[key], one[key], key)
        self.assertEqual([(run["first_step"], run["last_step"], run["steps"]) for run in three["runs"]],
                         [(0, 20, 20), (20, 40, 20), (40, 60, 20)])
        self.assertEqual([(run["first_step"], run["last_step"]) for run in one["runs"]], [(0, 60)])
        self.assertAlmostEqual(three["wall_s"], sum(run["wall_s"] for run in three["runs"]))
        self.assertTrue(all(run["wall_s"] > 0 and run["ranks"] == 1 and run["threads"] > 0 for run in three["runs"]))
        self.assertAlmostEqual(three["particle_steps_per_second"] * three["wall_s"], 60 * 375, delta=1e-3)
        clock = read_table(parts / "thermo.csv")["wall_time"]
        self.assertTrue((np.diff(clock) > 0).all(), "the table's clock goes on")
        self.assertEqual(three["averages"]["rows"], 4)
        for column in ("temperature", "pressure", "potential_energy"):
            self.assertAlmostEqual(three["averages"][column],
                                   block_average(read_table(parts / "thermo.csv")[column])[0])

    def test_one_table_has_one_interval(self):
        whole, parts = self.extend(SHORT, 100, final=400)
        self.assertEqual(list(read_table(whole / "thermo.csv")["step"]), list(range(0, 401, 20)))
        self.assertEqual(list(read_table(parts / "thermo.csv")["step"]), list(range(0, 401, 5)))
        self.assertIn('format = "table"\nevery = 5\n', (parts / "deck.toml").read_text(encoding="utf-8"))
        self.assertEqual(summary(parts)["averages"]["rows"], 41)
        self.assertEqual(summary(parts)["state_hash"], summary(whole)["state_hash"])

    def test_another_interval_is_the_users_choice_and_said(self):
        deck, output = self.deck(fluid() + CHECKPOINT), self.home / "out"
        self.run_well(deck, "--output", output, "--quiet")
        self.run_well(deck, "--output", output, "--quiet", "--steps", 100, "--resume", "--set", "output.0.every=20")
        self.assertEqual(list(read_table(output / "thermo.csv")["step"]), [0, 10, 20, 30, 40, 50, 60, 80, 100])
        self.assertIn("the table has a row every 10 steps up to step 60 and every 20 from there on",
                      (output / "run.log").read_text(encoding="utf-8"))

    def test_other_ranks_go_on_with_the_summary(self):
        deck, output = self.deck(fluid(size=[6.0, 5.0, 5.0]) + CHECKPOINT), self.home / "out"
        self.run_well(deck, "--output", output, "--quiet", "--steps", 30, ranks=2)
        self.run_well(deck, "--output", output, "--quiet", "--resume")
        result = summary(output)
        self.assertEqual([run["ranks"] for run in result["runs"]], [2, 1])
        self.assertEqual((result["steps"], result["averages"]["rows"]), (60, 4))

    def test_no_column_no_average(self):
        text = fluid() + 'columns = ["time", "kinetic_energy", "wall_time"]\n'
        self.run_well(self.deck(text), "--output", self.home / "out", "--quiet")
        self.assertEqual(set(summary(self.home / "out")["averages"]),
                         {"rows", "kinetic_energy", "kinetic_energy_error"})

    def test_one_row_has_no_error(self):
        self.run_well(self.deck(fluid()), "--output", self.home / "out", "--quiet", "--steps", 0)
        averages = summary(self.home / "out")["averages"]
        self.assertAlmostEqual(averages["temperature"], 1.0)
        self.assertIsNone(averages["temperature_error"])


class Running(ProgramTest):
    def start(self, deck, output, *arguments):
        return subprocess.Popen([PROGRAM, "run", str(deck), "--output", str(output), "--quiet", *map(str, arguments)],
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def wait_for_row(self, process, output, step):
        """Until the table has a row of a later step."""
        end = time.monotonic() + 60
        while time.monotonic() < end and process.poll() is None:
            table = output / "thermo.csv"
            rows = table.read_text(encoding="utf-8").splitlines()[1:] if table.exists() else []
            if rows and rows[-1].split(",")[0].isdigit() and int(rows[-1].split(",")[0]) > step:
                return
            time.sleep(0.02)
        self.fail("the run has ended or has not begun")

    def test_a_run_that_goes_on_or_was_killed_is_not_finished(self):
        deck, output = self.deck(fluid() + CHECKPOINT), self.home / "out"
        process = self.start(deck, output, "--steps", 1000000)
        try:
            self.wait_for_row(process, output, 10)
            self.assertEqual(summary(output)["status"], "running")
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()
        self.assertEqual(summary(output)["status"], "running")
        again = self.home / "again"
        self.run_well(deck, "--output", again, "--quiet")
        self.assertEqual(summary(again)["status"], "finished")
        process = self.start(deck, again, "--steps", 1000000, "--resume")
        try:
            self.wait_for_row(process, again, 70)
            result = summary(again)
            self.assertEqual((result["status"], result["first_step"], result["last_step"]), ("running", 0, 60))
            self.assertEqual(len(result["runs"]), 2)
            self.assertNotIn("state_hash", result)
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()
        self.assertEqual(summary(again)["status"], "running")


GRAVITY = """
[run]
steps = 400
timestep = 0.015625
[integrator]
style = "{style}"
[[population]]
name = "stars"
kind = "bodies"
species = "star"
initial = "plummer"
count = 100
total_mass = 1.0
radius = 0.589
[[interaction]]
between = "*"
style = "gravity"
softening = 0.05
"""


class Gravity(ProgramTest):
    def test_averages_are_energies_and_their_error(self):
        output = self.home / "out"
        done = self.run_well(self.deck(GRAVITY.format(style="hermite")), "--output", output)
        averages, energy = summary(output)["averages"], read_table(output / "thermo.csv")["total_energy"]
        self.assertNotIn("temperature", averages)
        self.assertAlmostEqual(averages["relative_energy_error"] / np.abs(energy / energy[0] - 1).max(), 1.0, places=9)
        self.assertLess(averages["relative_energy_error"], 1e-3)
        for column in ("total_energy", "kinetic_energy", "potential_energy", "virial_ratio"):
            self.assertGreater(averages[f"{column}_error"], 0.0)
        said = re.search(
            r"energy (-0\.\d+) ± (0\.0*)(\d\d), virial ratio (0\.\d+) ± 0\.0*\d\d, largest relative energy error (\S+)",
            done.stdout)
        self.assertIsNotNone(said, done.stdout)
        self.assertAlmostEqual(float(said[1]), averages["total_energy"], delta=averages["total_energy_error"])
        self.assertEqual(len(said[1].split(".")[1]), len((said[2] + said[3]).split(".")[1]),
                         "as many places as the error")


class ProfileErrors(ProgramTest):
    def rows(self, output, name="up"):
        with open(output / f"{name}.csv", encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def test_blocks_of_resumed_runs_are_the_same_to_the_bit(self):
        """Checkpoints fall on every place of sub-blocks: before and after they are joined, and where a window ends."""
        for window in (0, 14, 80):
            text = fluid(steps=110) + MEASURE.format(window=window) + CHECKPOINT
            deck, whole, parts = self.deck(text), self.home / f"whole{window}", self.home / f"parts{window}"
            self.run_well(deck, "--output", whole, "--quiet")
            for k, stop in enumerate((13, 28, 34, 64, 70, 84, 99, 110)):
                self.run_well(deck, "--output", parts, "--quiet", "--steps", stop, *(["--resume"] if k else []))
            self.assertEqual((parts / "up.csv").read_text(), (whole / "up.csv").read_text(), window)
            with h5py.File(parts / "up.h5") as a, h5py.File(whole / "up.h5") as b:
                for key in b:
                    np.testing.assert_array_equal(a[key][()], b[key][()], err_msg=key)

    def test_the_last_step_alone_is_no_block(self):
        self.run_well(self.deck(fluid(steps=40) + MEASURE.format(window=10)), "--output", self.home / "out", "--quiet")
        rows = self.rows(self.home / "out")
        self.assertEqual([(row["first_step"], row["last_step"], row["samples"]) for row in rows[::4]],
                         [("0", "8", "5"), ("10", "18", "5"), ("20", "28", "5"), ("30", "38", "5")])
        self.run_well(self.deck(fluid(steps=44) + MEASURE.format(window=10), "more.toml"), "--output",
                      self.home / "more", "--quiet")
        last = self.rows(self.home / "more")[-1]
        self.assertEqual((last["first_step"], last["last_step"], last["samples"], last["density_error"]),
                         ("40", "44", "3", ""))


if __name__ == "__main__":
    unittest.main(verbosity=2)
