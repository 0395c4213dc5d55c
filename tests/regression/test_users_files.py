"""The program does not overwrite what it did not make, unless it is told to, and then it says where that went."""
import os
import stat
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from program import CHECKPOINTS, FLUID, TRAJECTORY, ProgramTest, mesowarp, summary  # noqa: E402


def contents(directory):
    return {str(p.relative_to(directory)): p.read_bytes() if p.is_file() else None for p in directory.rglob("*")}


class Runs(ProgramTest):
    def refused(self, *arguments, **options):
        before = contents(self.home)
        done = mesowarp("run", *arguments, **options)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertEqual(contents(self.home), before)
        return done.stderr

    def test_the_users_own_deck_survives(self):
        deck = self.deck(FLUID)
        message = self.refused("deck.toml", "--output", ".", cwd=self.home)
        for word in ("deck.toml", "--output", "--force"):
            self.assertIn(word, message)
        done = mesowarp("run", "deck.toml", "--output", ".", "--force", "--quiet", cwd=self.home)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.home / "earlier-1/deck.toml").read_text(), FLUID)
        self.assertIn("[run]", deck.read_text())
        self.assertEqual(summary(self.home)["status"], "finished")

    def test_an_identical_or_edited_deck_of_results_survives(self):
        deck, output = self.deck(FLUID + CHECKPOINTS), self.home / "out"
        self.run_well(deck, "--output", output, "--quiet", "--steps", 20)
        mine = (output / "deck.toml").read_text() + "# a remark\n"
        (output / "deck.toml").write_text(mine)
        self.run_well(output / "deck.toml", "--output", output, "--quiet", "--resume", "--steps", 40)
        self.assertEqual((output / "deck.1.toml").read_text(), mine)
        # The deck is the program's now: no copy of it is kept.
        self.run_well(output / "deck.toml", "--output", output, "--quiet", "--resume", "--steps", 60)
        self.assertFalse((output / "deck.2.toml").exists())
        self.run_well(output / "deck.toml", "--output", output, "--quiet")  # begins anew with a deck that it sets aside
        self.assertEqual((self.home / "out.1/deck.1.toml").read_text(), mine)
        self.assertEqual(summary(output)["last_step"], 60)

    def test_every_name_that_a_run_writes(self):
        deck = self.deck(FLUID + CHECKPOINTS + TRAJECTORY)
        output = self.home / "out"
        output.mkdir()
        (output / "notes.txt").write_text("mine")
        for name in ("deck.toml", "run.log", "summary.json", "thermo.csv", "trajectory.h5", "trajectory.xmf",
                     "across.csv", "across.h5", "checkpoint-7.h5"):
            (output / name).write_text("mine")
            self.assertIn(name, self.refused(deck, "--output", output))
            (output / name).unlink()
        self.run_well(deck, "--output", output, "--quiet")
        self.assertEqual((output / "notes.txt").read_text(), "mine")
        # Beside files that were there before it, a run's results are not set aside as a whole.
        self.assertIn("were there before", self.refused(deck, "--output", output))
        self.run_well(deck, "--output", output, "--quiet", "--force")
        self.assertEqual(summary(output / "earlier-1")["status"], "finished")
        self.assertEqual((output / "notes.txt").read_text(), "mine")

    def test_links_are_not_followed(self):
        deck, output = self.deck(FLUID), self.home / "out"
        output.mkdir()
        target = self.home / "precious"
        target.write_text("mine")
        for name in ("thermo.csv", "summary.json", "run.log", "deck.toml"):
            (output / name).symlink_to(target)
            self.refused(deck, "--output", output)
            self.run_well(deck, "--output", output, "--quiet", "--force")
            self.assertEqual(target.read_text(), "mine")
            self.assertFalse((output / name).is_symlink())
            for path in list(output.iterdir()):
                if path.is_dir():
                    continue
                path.unlink()

    def test_a_link_to_a_directory_stays_one(self):
        deck, output, real = self.deck(FLUID), self.home / "link", self.home / "real"
        real.mkdir()
        output.symlink_to(real)
        for _ in range(2):
            self.run_well(deck, "--output", output, "--quiet")
        self.assertTrue(output.is_symlink())
        self.assertEqual(summary(real)["status"], summary(self.home / "real.1")["status"])

    def test_no_directory(self):
        deck = self.deck(FLUID)
        (self.home / "file").write_text("mine")
        os.mkfifo(self.home / "fifo")
        for path in (self.home / "file", self.home / "fifo", "/dev/null"):
            done = mesowarp("run", deck, "--output", path, "--force")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("not a directory", done.stderr)

    def test_a_resume_in_a_directory_without_results(self):
        deck, output, other = self.deck(FLUID + CHECKPOINTS), self.home / "out", self.home / "other"
        self.run_well(deck, "--output", output, "--quiet", "--steps", 20)
        other.mkdir()
        (other / "deck.toml").write_text("mine")
        self.refused(deck, "--output", other, "--resume", output / "checkpoint-20.h5")


class Converted(ProgramTest):
    def setUp(self):
        super().setUp()
        self.run_well(self.deck(FLUID + TRAJECTORY), "--output", self.home / "out", "--quiet")
        self.trajectory = self.home / "out/trajectory.h5"
        self.bytes = self.trajectory.read_bytes()

    def convert(self, output, *arguments):
        done = mesowarp("convert", self.trajectory, output, *arguments)
        self.assertEqual(self.trajectory.read_bytes(), self.bytes)
        return done

    def test_what_exists_stays_unless_forced(self):
        other = self.home / "b.dump"
        other.write_text("mine")
        done = self.convert(other)
        self.assertEqual((done.returncode, other.read_text()), (2, "mine"), done.stderr)
        self.assertIn("--force", done.stderr)
        self.assertEqual(self.convert(other, "--force").returncode, 0)
        self.assertTrue(other.read_text().startswith("ITEM"))
        self.assertEqual([p.name for p in self.home.iterdir() if p.name.endswith("tmp")], [])

    def test_the_input_is_never_the_output(self):
        link, hard = self.home / "link.h5", self.home / "hard.h5"
        link.symlink_to(self.trajectory)
        os.link(self.trajectory, hard)
        for path in (self.trajectory, self.home / "out/../out/trajectory.h5", link, hard):
            for arguments in ([], ["--force"]):
                done = self.convert(path, "--format", "lammps-dump", *arguments)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn("the file that is read", done.stderr)

    def test_an_ending_that_tells_no_format(self):
        """It was a LAMMPS dump, whatever it was called."""
        for name in ("x.pdb", "x.h5", "x", "dump", ".xyz"):
            done = self.convert(self.home / name)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(f"{name}: the ending tells no format that convert writes: .dump or .lammpstrj", done.stderr)
            self.assertFalse((self.home / name).exists())
        for name in ("x.dump", "x.lammpstrj", "dump.x"):
            self.assertEqual(self.convert(self.home / name).returncode, 0)
            self.assertTrue((self.home / name).read_text().startswith("ITEM"))
        self.assertEqual(self.convert(self.home / "y", "--format", "xyz").returncode, 0)

    def test_links_devices_and_directories(self):
        target, link = self.home / "precious", self.home / "link.xyz"
        target.write_text("mine")
        link.symlink_to(target)
        self.assertEqual(self.convert(link).returncode, 2)
        self.assertEqual(self.convert(link, "--force").returncode, 0)
        self.assertEqual(target.read_text(), "mine")
        dangling = self.home / "dangling.xyz"
        dangling.symlink_to(self.home / "nowhere")
        self.assertEqual(self.convert(dangling).returncode, 2)
        self.assertFalse((self.home / "nowhere").exists())
        fifo = self.home / "fifo"
        os.mkfifo(fifo)
        (self.home / "folder").mkdir()
        for path in (fifo, self.home / "folder"):
            for arguments in ([], ["--force"]):
                self.assertEqual(self.convert(path, "--format", "xyz", *arguments).returncode, 2, path)
        self.assertTrue(fifo.is_fifo())

    def test_a_device_stays_one(self):
        """As /dev/null, for root, whom no permission keeps from replacing it."""
        device, link = self.home / "null.xyz", self.home / "link.xyz"
        try:
            os.mknod(device, stat.S_IFCHR | 0o666, os.makedev(1, 3))
        except PermissionError:
            self.skipTest("only root makes devices")
        link.symlink_to(device)
        for arguments in ([], ["--force"]):
            done = self.convert(device, *arguments)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("is a device, not a file", done.stderr)
            self.assertEqual(mesowarp("bench", "sums", "--quick", "--json", device, *arguments).returncode, 2)
        self.assertEqual(self.convert(link).returncode, 2)
        self.assertEqual(self.convert(link, "--force").returncode, 0)  # the link is replaced
        self.assertTrue(device.is_char_device())

    def test_what_looks_like_a_temporary_file_of_ours(self):
        (self.home / "x.xyz.tmp").write_text("mine")
        self.assertEqual(self.convert(self.home / "x.xyz").returncode, 0)
        self.assertEqual((self.home / "x.xyz.tmp").read_text(), "mine")


class Bench(ProgramTest):
    def test_json(self):
        path = self.home / "numbers.json"
        path.write_text("mine")
        arguments = ["bench", "sums", "--quick", "--json", path]
        done = mesowarp(*arguments)
        self.assertEqual((done.returncode, path.read_text()), (2, "mine"), done.stderr)
        self.assertEqual(mesowarp(*arguments, "--force").returncode, 0)
        self.assertTrue(path.read_text().startswith("{"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
