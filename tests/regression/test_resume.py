"""Resuming as a user meets it: what is checked before anything is touched, outputs that were lost or copied, runs whose
end is missing."""
import json
import shutil
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from observables import read_table  # noqa: E402
from program import CHECKPOINTS, FLUID, TRAJECTORY, ProgramTest, mesowarp, summary  # noqa: E402

WALL_COLUMNS = ("wall_time", "particle_steps_per_second")


def datasets_of(path):
    values = {}
    with h5py.File(path) as file:
        file.visititems(lambda name, item: values.update({name: item[()]}) if isinstance(item, h5py.Dataset) else None)
    values.pop("parameters/deck", None)
    return values


def contents(directory):
    """Every file's bytes, but for the log."""
    return {path.name: path.read_bytes() for path in Path(directory).iterdir() if path.name != "run.log"}


class ResumeTest(ProgramTest):
    DECK = FLUID + CHECKPOINTS + TRAJECTORY

    def setUp(self):
        super().setUp()
        self.out = self.home / "out"

    def resume(self, *arguments, deck=None):
        return mesowarp("run", deck or self.deck(self.DECK), "--output", self.out, "--resume", *arguments)

    def resume_well(self, *arguments, deck=None):
        done = self.resume(*arguments, deck=deck)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done

    def refused(self, *arguments, deck=None):
        """The message; nothing may have changed."""
        before = contents(self.out)
        done = self.resume(*arguments, deck=deck)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertEqual(sorted(contents(self.out)), sorted(before))
        self.assertEqual(contents(self.out), before)
        return done.stderr

    def assert_same_results(self, found, expected):
        self.assertEqual(summary(found)["state_hash"], summary(expected)["state_hash"])
        one, other = read_table(found / "thermo.csv"), read_table(expected / "thermo.csv")
        for column in one.keys() - set(WALL_COLUMNS):
            np.testing.assert_array_equal(one[column], other[column], err_msg=column)
        self.assertEqual((found / "across.csv").read_text(), (expected / "across.csv").read_text())
        for name in ("across.h5", "trajectory.h5"):
            one, other = datasets_of(found / name), datasets_of(expected / name)
            self.assertEqual(one.keys(), other.keys())
            for path, values in one.items():
                np.testing.assert_array_equal(values, other[path], err_msg=f"{name}:{path}")

    def whole(self):
        whole = self.home / "whole"
        self.run_well(self.deck(self.DECK), "--output", whole, "--quiet")
        return whole


class Ends(ResumeTest):
    def test_a_run_that_died_behind_its_last_checkpoint_is_completed(self):
        whole = self.whole()
        shutil.copytree(whole, self.out)
        (self.out / "summary.json").unlink()  # as if it had been killed before it wrote its end
        done = self.resume_well()
        self.assertIn("nothing is left to compute", done.stdout)
        self.assert_same_results(self.out, whole)
        self.assertEqual(summary(self.out)["status"], "finished")

    def test_a_finished_run_can_be_resumed_again_and_again(self):
        whole = self.whole()
        shutil.copytree(whole, self.out)
        for _ in range(2):
            self.resume_well()
            self.assert_same_results(self.out, whole)

    def test_rows_that_are_due_at_the_end_alone_are_added(self):
        text = FLUID.replace("every = 10", "every = 0") + CHECKPOINTS
        self.run_well(self.deck(text), "--output", self.out, "--quiet")
        self.assertEqual(list(read_table(self.out / "thermo.csv")["step"]), [60])
        self.resume_well(self.out / "checkpoint-40.h5", "--steps", 40, deck=self.deck(text))
        self.assertEqual(list(read_table(self.out / "thermo.csv")["step"]), [40])
        self.assertEqual(summary(self.out)["last_step"], 40)

    def test_a_checkpoint_beyond_the_end_is_refused(self):
        self.run_well(self.deck(self.DECK), "--output", self.out, "--quiet")
        self.assertIn("give a larger --steps", self.refused("--steps", 50))


class FinalCheckpoint(ResumeTest):
    def test_another_output_does_not_remove_it(self):
        self.run_well(self.deck(FLUID + TRAJECTORY), "--output", self.out, "--quiet")
        self.assertTrue((self.out / "checkpoint-60.h5").exists())
        self.resume_well("--steps", 70, deck=self.deck(FLUID + TRAJECTORY))

    def test_the_deck_can_say_no(self):
        deck = self.deck(FLUID + '[[output]]\nformat = "checkpoint"\nat_end = false\n')
        self.run_well(deck, "--output", self.out, "--quiet")
        self.assertEqual(list(self.out.glob("checkpoint-*")), [])


class Outputs(ResumeTest):
    def setUp(self):
        super().setUp()
        self.expected = self.whole()
        shutil.copytree(self.expected, self.out)

    def at_40(self, *arguments, deck=None):
        return self.resume_well(self.out / "checkpoint-40.h5", *arguments, deck=deck)

    def test_an_older_checkpoint_brings_everything_back(self):
        done = self.at_40()
        self.assertIn("stale-checkpoint-60.h5", done.stdout)
        self.assert_same_results(self.out, self.expected)

    def test_without_journals_rows_are_dropped_in_a_copy(self):
        for journal in self.out.glob(".*.undo-*"):
            journal.unlink()
        self.at_40()
        self.assert_same_results(self.out, self.expected)
        self.at_40()  # from what it is now, once more
        self.assert_same_results(self.out, self.expected)

    def test_a_table_whose_end_was_lost_is_not_gone_on_with(self):
        for name in ("thermo.csv", "across.csv"):
            path = self.out / name
            whole = path.read_bytes()
            middle = whole.rindex(b"\n", 0, len(whole) // 2) + 1
            for damaged in (whole[:middle], whole[: middle - 20] + b"7" * 10 + whole[middle - 10:]):
                path.write_bytes(damaged)
                message = self.refused()
                self.assertIn(name, message)
                self.assertIn("move the file away", message)
            path.write_bytes(whole)

    def test_a_trajectory_that_was_cut_short_is_not_gone_on_with(self):
        path = self.out / "trajectory.h5"
        path.write_bytes(path.read_bytes()[:-3000])
        self.assertIn("its end is lost", self.refused())
        for journal in self.out.glob(".trajectory.h5.undo-*"):
            journal.unlink()
        self.assertIn("move it away", self.refused())

    def test_what_is_missing_or_empty_is_begun_and_does_not_block(self):
        (self.out / "thermo.csv").write_bytes(b"")
        (self.out / "trajectory.h5").unlink()
        (self.out / "across.h5").write_bytes(b"")
        for _ in range(2):
            done = self.at_40()
            for name in ("thermo.csv", "trajectory.h5", "across.h5"):
                self.assertIn(f"{name} is missing or empty", done.stderr)
            self.assertEqual(list(read_table(self.out / "thermo.csv")["step"]), [50, 60])
            self.assertEqual(list(datasets_of(self.out / "trajectory.h5")["particles/all/box/edges/step"]), [60])
            self.assertEqual((self.out / "across.csv").read_text(), (self.expected / "across.csv").read_text())
        self.assertEqual(summary(self.out)["state_hash"], summary(self.expected)["state_hash"])

    def test_a_new_measure_begins_where_the_run_goes_on(self):
        extra = '[[measure]]\nstyle = "profile"\nname = "along"\naxis = "z"\nbins = 4\nevery = 5\nwindow = 10\n'
        deck = self.deck(self.DECK + extra, "more.toml")
        for _ in range(2):
            done = self.at_40(deck=deck)
            self.assertIn("the checkpoint has no sums of [[measure]] 'along'", done.stderr)
            steps = datasets_of(self.out / "along.h5")
            self.assertEqual((list(steps["first_step"]), list(steps["last_step"])), ([45, 50], [45, 55]))  # 60 waits
        self.assert_same_results(self.out, self.expected)

    def test_nothing_is_touched_by_what_is_refused(self):
        checkpoint = self.out / "checkpoint-40.h5"
        other = self.DECK.replace("bins = 5", "bins = 6")
        self.assertIn("with other bins than the deck's 6", self.refused(checkpoint, deck=self.deck(other, "bins.toml")))
        other = self.DECK.replace('every = 10\n', 'every = 10\ncolumns = ["temperature"]\n', 1)
        self.assertIn("its columns are", self.refused(checkpoint, deck=self.deck(other, "columns.toml")))
        other = self.DECK.replace("5.0, 5.0, 5.0", "6.0, 5.0, 5.0")
        self.assertIn("another box", self.refused(checkpoint, deck=self.deck(other, "box.toml")))

    def test_a_new_run_forgets_journals_of_files_that_were_deleted(self):
        for path in self.out.glob("[!.]*"):
            path.unlink()
        self.run_well(self.deck(self.DECK), "--output", self.out, "--quiet", "--steps", 40)
        self.assertEqual([path.name for path in self.out.glob(".*.undo-60")], [])
        self.resume_well()
        self.assert_same_results(self.out, self.expected)

    def test_the_checkpoint_knows_the_files(self):
        with h5py.File(self.out / "checkpoint-60.h5") as file:
            marks = json.loads(bytes(file["texts/outputs"][()]))
        self.assertEqual(set(marks), {"thermo.csv", "trajectory.h5", "across.csv", "across.h5"})
        self.assertEqual(marks["thermo.csv"]["bytes"], (self.out / "thermo.csv").stat().st_size)
        kept = {path.name.rsplit("-", 1)[1] for path in self.out.glob(".*.undo-*")}
        self.assertEqual(kept, {"40", "60"})


if __name__ == "__main__":
    unittest.main(verbosity=2)
