"""What is given as a file and is none is refused at once; names of measures that would be the program's files, by
`check`."""
import os
import socket
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from program import CHECKPOINTS, FLUID, PROGRAM, TRAJECTORY, ProgramTest, mesowarp  # noqa: E402

SECONDS = 20  # far more than a refusal takes; what hangs, hangs for good


class NoFiles(ProgramTest):
    def setUp(self):
        super().setUp()
        self.directory = self.home / "directory"
        self.directory.mkdir()
        os.mkfifo(self.home / "fifo")
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(self.home / "socket"))
        self.given = {
            "FIFO": self.home / "fifo", "directory": self.directory, "socket": self.home / "socket",
            "device": Path("/dev/zero")
        }

    def refused(self, what, *arguments):
        try:
            done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False,
                                  timeout=SECONDS)
        except subprocess.TimeoutExpired:
            self.fail(f"{what}: {arguments} hangs")
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn(what, done.stderr)
        return done.stderr

    def test_decks(self):
        for what, path in self.given.items():
            for verb in ("check", "run"):
                self.refused(what, verb, path)

    def test_checkpoints(self):
        deck = self.deck(FLUID + CHECKPOINTS)
        output = self.home / "out"
        self.run_well(deck, "--output", output, "--quiet", "--steps", 20)
        for what, path in self.given.items():
            self.refused(what, "run", deck, "--output", output, "--resume", path)
        os.mkfifo(output / "checkpoint-900.h5")  # is none, whatever its name
        self.run_well(deck, "--output", output, "--quiet", "--resume")
        # What is offered instead is found without a look into the FIFO.
        (output / "checkpoint-60.h5").write_bytes(b"damaged")
        self.assertIn(
            "checkpoint-40.h5",
            self.refused("not a mesowarp checkpoint", "run", deck, "--output", output, "--steps", 80, "--resume",
                         output / "checkpoint-60.h5"))

    def test_initial_states(self):
        for what, path in self.given.items():
            text = FLUID.replace("density = 3.0", f'initial = "file"\nfile = "{path}"')
            line = text.splitlines().index(f'file = "{path}"') + 1
            for verb in ("check", "run"):
                self.assertIn(f"deck.toml:{line}:", self.refused(what, verb, self.deck(text)))

    def test_trajectories(self):
        for what, path in self.given.items():
            self.refused(what, "convert", path, self.home / "x.xyz")


class MeasureNames(ProgramTest):
    def names(self, *names):
        text = FLUID
        for name in names:
            text += TRAJECTORY[TRAJECTORY.index("[[measure]]"):].replace('"across"', name)
        return text

    def errors(self, *names):
        text = self.names(*names)
        done = mesowarp("check", self.deck(text))
        self.assertEqual(done.returncode, 2, f"{names}: {done.stdout}")
        line = len(text[: text.rindex("name = ")].splitlines()) + 1
        self.assertIn(f"deck.toml:{line}:", done.stderr)
        return done.stderr

    def test_of_the_programs_own_files(self):
        for name in ("thermo", "trajectory", "run", "summary", "deck", "checkpoint-200", "stale-checkpoint-3",
                     "earlier-1", "Thermo", "RUN", "Checkpoint-1", "mesowarp"):
            self.assertIn("another name", self.errors(f'"{name}"'))

    def test_of_other_places_and_letters(self):
        for name in ("../x", "/tmp/x", "a/b", ".hidden", "..", "", "a b", "tab\\there", "bell\\u0007", "new\\nline",
                     "null\\u0000", "naïve"):
            self.errors(f'"{name}"')
        self.errors('"' + 300 * "x" + '"')

    def test_of_each_other(self):
        for pair in (("across", "across"), ("across", "Across"), ("a-b", "A-B")):
            self.assertIn("already, in line", self.errors(*(f'"{name}"' for name in pair)))

    def test_good_ones(self):
        for name in ("thermo_x", "checkpoint", "my-run", "profile_x", "x"):
            self.assertEqual(mesowarp("check", self.deck(self.names(f'"{name}"'))).returncode, 0, name)


if __name__ == "__main__":
    unittest.main(verbosity=2)
