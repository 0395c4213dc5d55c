"""The program on several ranks as a user meets it: results, files, resume on other numbers of ranks, errors,
signals."""
import os
import shutil
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
from program import (CHECKPOINTS, SOURCE, TRAJECTORY, ProgramTest, fluid, mesowarp, mesowarp_on,  # noqa: E402
                     rank_command, summary)

# Round-off after 60 steps: forces of up to a few hundred, and some growth.
CLOSE = 1e-9


def box_deck(**changes):
    return fluid(**{"size": [8.0, 7.0, 6.0], "run": 'precision = "double"', **changes})


class Ranks(ProgramTest):
    def run_on(self, ranks, *arguments):
        done = mesowarp_on(ranks, "run", *arguments, "--quiet")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done

    def test_results_do_not_depend_on_the_ranks(self):
        deck = self.deck(box_deck() + TRAJECTORY)
        tables, frames, profiles = {}, {}, {}
        for ranks in (1, 2, 3, 4):
            output = self.home / str(ranks)
            self.run_on(ranks, deck, "--output", output)
            self.assertEqual(summary(output)["ranks"], ranks)
            tables[ranks] = read_table(output / "thermo.csv")
            with h5py.File(output / "trajectory.h5") as file:
                group = file["particles/all"]
                frames[ranks] = {name: group[f"{name}/value"][()] for name in ("position", "image", "velocity")}
                frames[ranks]["step"] = group["position/step"][()]
            with h5py.File(output / "across.h5") as file:
                profiles[ranks] = {name: file[name][()] for name in file}
        for ranks in (2, 3, 4):
            for column in ("temperature", "pressure", "potential_energy", "kinetic_energy", "time", "step"):
                np.testing.assert_allclose(tables[ranks][column], tables[1][column], rtol=CLOSE, atol=CLOSE)
            np.testing.assert_array_equal(frames[ranks]["step"], frames[1]["step"])
            edges = np.array([8.0, 7.0, 6.0])
            unwrapped = {n: frames[n]["position"].astype(float) + frames[n]["image"] * edges for n in (1, ranks)}
            np.testing.assert_allclose(unwrapped[ranks], unwrapped[1], atol=2e-6)  # stored in single precision
            np.testing.assert_allclose(frames[ranks]["velocity"], frames[1]["velocity"], atol=2e-6)
            self.assertEqual(set(profiles[ranks]), set(profiles[1]))
            for name, values in profiles[1].items():  # a sum is rounded to 2^-28 for each particle
                np.testing.assert_allclose(profiles[ranks][name], values, rtol=1e-6, atol=1e-7, err_msg=name)
            self.assertEqual(list(profiles[1]["samples"]), [5, 5, 3])

    def test_decks_that_two_gpus_once_did_not_run(self):
        """A table of neighbours that grows beside walls on one rank alone, which then repeated steps alone; a span of a
        solvent's cells that bricks make wider than their records. On a CPU neither was wrong, and the walls of the
        first take it half a minute to make."""
        for name, steps in (("walls_list_grows", 12), ("solvent_wide_bricks", 40)):
            if name == "walls_list_grows" and "MESOWARP_GPU" not in os.environ:
                continue
            hashes = []
            for ranks in (1, 2):
                output = self.home / f"{name}-{ranks}"
                self.run_on(ranks, SOURCE / f"tests/cases/{name}.toml", "--output", output, "--steps", steps)
                hashes.append(summary(output)["state_hash"])
            self.assertEqual(hashes[0], hashes[1], name)

    def test_bitwise_gives_the_same_bits_on_any_ranks_also_when_resumed(self):
        text = box_deck(run='precision = "single"\nreproducibility = "bitwise"') + CHECKPOINTS
        deck = self.deck(text + TRAJECTORY)
        files = {}
        for ranks in (1, 2, 3, 4):
            output = self.home / str(ranks)
            self.run_on(ranks, deck, "--output", output)
            table = read_table(output / "thermo.csv")
            columns = tuple(tuple(table[c]) for c in ("temperature", "pressure", "potential_energy", "momentum_x"))
            with h5py.File(output / "trajectory.h5") as file:
                positions = file["particles/all/position/value"][()].tobytes()
            files[ranks] = (summary(output)["state_hash"], columns, positions, (output / "across.csv").read_bytes())
        for ranks in (2, 3, 4):
            self.assertEqual(files[ranks], files[1])
        deck = self.deck(text)
        for first, second in ((3, 1), (1, 2), (4, 3)):
            output = self.home / f"{first}then{second}"
            self.run_on(first, deck, "--output", output, "--steps", 40)
            self.run_on(second, deck, "--output", output, "--resume", output / "checkpoint-40.h5")
            self.assertEqual(summary(output)["state_hash"], files[1][0])

    def test_a_checkpoint_resumes_on_any_number_of_ranks(self):
        deck = self.deck(box_deck() + CHECKPOINTS)
        whole, parts = self.home / "whole", self.home / "parts"
        self.run_on(4, deck, "--output", whole)
        self.run_on(4, deck, "--output", parts, "--steps", 40)
        checkpoint = parts / "checkpoint-40.h5"
        last = read_table(whole / "thermo.csv")
        for ranks in (4, 1, 2, 3):
            output = self.home / f"on{ranks}"
            shutil.copytree(parts, output)
            self.run_on(ranks, deck, "--output", output, "--resume", checkpoint)
            if ranks == 4:
                self.assertEqual(summary(output)["state_hash"], summary(whole)["state_hash"])
            rows = read_table(output / "thermo.csv")
            for column in ("temperature", "pressure"):
                np.testing.assert_allclose(rows[column][-1], last[column][-1], rtol=CLOSE)
        alone, together = self.home / "alone", self.home / "together"
        self.run_on(1, deck, "--output", alone, "--steps", 40)
        shutil.copytree(alone, together)
        self.run_on(3, deck, "--output", together, "--resume", alone / "checkpoint-40.h5")
        np.testing.assert_allclose(
            read_table(together / "thermo.csv")["pressure"][-1], last["pressure"][-1], rtol=CLOSE)

    def test_trajectories_pass_from_ranks_to_ranks(self):
        """Begun by one process, continued by four, then by one, then by two: every frame is that of a run that did not
        stop."""
        deck = self.deck(box_deck(steps=120) + TRAJECTORY + CHECKPOINTS)
        whole, output = self.home / "whole", self.home / "out"
        self.run_well(deck, "--output", whole, "--quiet")
        self.run_well(deck, "--output", output, "--quiet", "--steps", 40)
        for ranks, steps in ((4, 60), (1, 80), (2, 120)):
            self.run_well(deck, "--output", output, "--quiet", "--steps", steps, "--resume", ranks=ranks)
        with h5py.File(whole / "trajectory.h5") as one, h5py.File(output / "trajectory.h5") as turns:
            names = ("position/step", "position/value", "image/value", "velocity/value", "species", "id")
            expected, found = ({name: file["particles/all"][name][()] for name in names} for file in (one, turns))
        np.testing.assert_array_equal(found["position/step"], [0, 20, 40, 60, 80, 100, 120])
        edges = np.array([8.0, 7.0, 6.0])
        for frames in (expected, found):
            frames["position/value"] = frames["position/value"].astype(float) + frames.pop("image/value") * edges
        for name in names[:2] + names[3:]:
            np.testing.assert_allclose(found[name], expected[name], atol=2e-6, err_msg=name)

    def test_a_trajectory_of_an_earlier_version_is_left_alone(self):
        """Whose chunks one process places only as it writes them: several could not go on with that."""
        deck = self.deck(box_deck() + TRAJECTORY + CHECKPOINTS)
        output = self.home / "out"
        self.run_well(deck, "--output", output, "--quiet", "--steps", 40)
        with h5py.File(output / "trajectory.h5", "r+") as file:
            group = file["particles/all/velocity"]
            values = group["value"][()]
            del group["value"]
            group.create_dataset("value", data=values, maxshape=(None, *values.shape[1:]),
                                 chunks=(1, *values.shape[1:]))
        before = (output / "trajectory.h5").read_bytes()
        done = mesowarp_on(2, "run", deck, "--output", output, "--resume")
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertEqual(done.stderr.count("one process of an earlier version began this trajectory"), 1, done.stderr)
        self.assertEqual((output / "trajectory.h5").read_bytes(), before)
        self.run_well(deck, "--output", output, "--quiet", "--resume")

    def test_too_many_ranks(self):
        deck = self.deck(fluid(size=[3.0, 3.0, 3.0]))
        done = mesowarp_on(4, "run", deck, "--output", self.home / "out")
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertEqual(done.stderr.count("the largest possible number of ranks is 1"), 1, done.stderr)
        self.assertFalse((self.home / "out").exists())

    def test_parts_that_are_not_the_ranks(self):
        deck = self.deck(box_deck() + "\n[parallel]\nranks = [2, 2, 1]\n")
        done = mesowarp_on(3, "run", deck, "--output", self.home / "out")
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("parallel.ranks", done.stderr)
        self.run_on(4, deck, "--output", self.home / "four")
        self.assertEqual(summary(self.home / "four")["parts"], [2, 2, 1])

    def test_what_goes_to_a_file_is_plain_text(self):
        """Open MPI's mpirun gives ranks a terminal of their own, also where its output goes to a file."""
        import pty
        deck = self.deck(box_deck(steps=200))
        for terminal in (False, True):
            with (self.home / "said").open("w+b") as said:
                reads, writes = pty.openpty() if terminal else (None, said.fileno())
                command = rank_command(2, "run", deck, "--output", self.home / str(terminal))
                done = subprocess.run(command, stdout=writes, stderr=subprocess.DEVNULL, check=False, timeout=300)
                text = os.read(reads, 1 << 16) if terminal else (said.seek(0), said.read())[1]
                for end in (reads, writes) if terminal else ():
                    os.close(end)
            self.assertEqual(done.returncode, 0)
            self.assertEqual(b"\x1b" in text, terminal, text)

    def test_a_bad_deck_is_told_once(self):
        deck = self.deck(box_deck().replace("gamma", "gama"))
        done = mesowarp_on(3, "run", deck, "--output", self.home / "out")
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.count("gama"), 1, done.stderr)

    def test_one_ranks_failure_ends_all_with_one_message(self):
        text = box_deck().replace('style = "dpd"\na = 25.0\ngamma = 4.5',
                                  'style = "lj"\nepsilon = 1.0\nsigma = 1.0\ncutoff = 1.2')
        deck = self.deck(text)
        start = time.monotonic()
        done = mesowarp_on(3, "run", deck, "--output", self.home / "out")
        self.assertLess(time.monotonic() - start, 60.0)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertEqual(done.stderr.count("Usual cause"), 1, done.stderr)
        for word in ("rank ", "step ", "particle "):
            self.assertIn(word, done.stderr)
        self.assertEqual(summary(self.home / "out")["status"], "failed")

    def test_a_signal_to_one_rank_stops_all_with_a_checkpoint(self):
        deck = self.deck(box_deck(steps=200000) + CHECKPOINTS.replace("every = 20", "every = 100000"))
        output = self.home / "out"
        process = subprocess.Popen(rank_command(2, "run", deck, "--output", output, "--quiet"), stderr=subprocess.PIPE,
                                   text=True, env={**os.environ, "OMP_NUM_THREADS": "1"})
        while not (output / "thermo.csv").exists() and process.poll() is None:
            time.sleep(0.1)
        time.sleep(1.0)
        children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True,
                                  check=True)
        os.kill(int(children.stdout.split()[-1]), signal.SIGTERM)
        _, message = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 1, message)
        self.assertIn("--resume", message)
        self.assertEqual(len(list(output.glob("checkpoint-*.h5"))), 1)


BODIES = """
[run]
steps = 24
timestep = {timestep}
temperature = {temperature}
seed = 7
precision = "{precision}"
reproducibility = "{reproducibility}"
[integrator]
style = "{style}"
{friction}
[[population]]
name = "all"
kind = "bodies"
species = "A"
{state}
[[interaction]]
between = "*"
{law}
[[output]]
format = "table"
every = 4
[[output]]
format = "checkpoint"
every = 8
"""
BODY_FRAMES = """
[[output]]
format = "trajectory"
every = 8
fields = ["position", "velocity", "force"]
"""


def bodies(style, reproducibility="bitwise", precision="single", count=110):
    """Stars for gravity's integrators, ions for the others."""
    values = {
        "style": style, "reproducibility": reproducibility, "precision": precision, "friction": "", "temperature": 0.5
    }
    if style in ("langevin", "velocity-verlet"):
        values |= {"timestep": 0.002, "state": f'initial = "lattice"\ncount = {count}\nspacing = 1.2\ncharge = 0.3',
                   "law": 'style = "lj-coulomb"\nepsilon = 1.0\nsigma = 1.0\n[electrostatics]\ndielectric = "constant"',
                   "friction": "friction = 1.0" if style == "langevin" else ""}
    else:
        values |= {
            "timestep": 0.03125, "state": f'initial = "plummer"\ncount = {count}\ntotal_mass = 1.0\nradius = 0.589',
            "law": 'style = "gravity"\nsoftening = 0.05'
        }
    return BODIES.format(**values)


class BodiesOnRanks(ProgramTest):
    STYLES = ("leapfrog", "velocity-verlet", "langevin", "hermite", "hermite-block")

    def run_on(self, ranks, deck, name, *arguments):
        output = self.home / name
        done = mesowarp_on(ranks, "run", deck, "--output", output, "--quiet", *arguments)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return output

    @staticmethod
    def table(output):
        return {name: column for name, column in read_table(output / "thermo.csv").items() if name != "wall_time"}

    @staticmethod
    def frames(output):
        with h5py.File(output / "trajectory.h5") as file:
            return {name: file[f"particles/all/{name}/value"][()] for name in ("position", "velocity", "force")}

    def assert_same(self, output, other):
        self.assertEqual(summary(output)["state_hash"], summary(other)["state_hash"])
        for name, column in self.table(output).items():
            np.testing.assert_array_equal(column, self.table(other)[name], err_msg=name)
        for name, values in self.frames(output).items():
            np.testing.assert_array_equal(values, self.frames(other)[name], err_msg=name)

    def test_bitwise_knows_neither_ranks_nor_threads(self):
        for style in self.STYLES:
            for precision in ("single", "mixed", "double") if style == "leapfrog" else ("single",):
                deck = self.deck(bodies(style, precision=precision) + BODY_FRAMES)
                alone = self.run_on(1, deck, f"{style}-{precision}-1")
                for ranks in (2, 3, 4):
                    output = self.run_on(ranks, deck, f"{style}-{precision}-{ranks}")
                    self.assertEqual(summary(output)["ranks"], ranks)
                    self.assert_same(output, alone)
                for threads in (2, 7, 16):
                    output = self.home / f"{style}-{precision}-{threads}-threads"
                    done = mesowarp("run", deck, "--output", output, "--quiet", "--threads", threads)
                    self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                    self.assertEqual(summary(output)["threads"], threads)
                    self.assert_same(output, alone)

    def test_a_checkpoint_resumes_on_any_number_of_ranks(self):
        for style in ("langevin", "hermite-block"):
            deck = self.deck(bodies(style))
            whole = self.run_on(1, deck, f"{style}-whole")
            for written, read in ((1, 3), (4, 1), (3, 4), (2, 2)):
                begun = self.run_on(written, deck, f"{style}-{written}-{read}", "--steps", 16)
                output = self.run_on(read, deck, begun.name, "--resume", begun / "checkpoint-16.h5")
                self.assertEqual(
                    summary(output)["state_hash"],
                    summary(whole)["state_hash"], f"{style} {written} {read}")
                for name, column in self.table(whole).items():
                    np.testing.assert_array_equal(self.table(output)[name], column, err_msg=name)

    def test_the_same_ranks_give_the_same_bits_and_others_nearly_the_same(self):
        deck = self.deck(bodies("leapfrog", "deterministic", "double") + BODY_FRAMES)
        alone = self.run_on(1, deck, "alone")
        one, two = self.run_on(3, deck, "one"), self.run_on(3, deck, "two")
        self.assert_same(one, two)
        for name, column in self.table(alone).items():
            np.testing.assert_allclose(self.table(one)[name], column, rtol=1e-8, atol=1e-10, err_msg=name)
        for name, values in self.frames(alone).items():
            np.testing.assert_allclose(self.frames(one)[name], values, atol=2e-6,
                                       err_msg=name)  # stored in single precision

    def test_fewer_bodies_than_ranks(self):
        deck = self.deck(bodies("leapfrog", count=3))
        done = mesowarp_on(4, "run", deck, "--output", self.home / "out")
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertEqual(done.stderr.count("start at most 3"), 1, done.stderr)
        self.assertFalse((self.home / "out").exists())
        self.run_on(3, deck, "three")

    def test_a_failure_names_the_rank(self):
        text = bodies("velocity-verlet").replace("[integrator]", "[nbody]\nrange = 1e-3\n[integrator]")
        done = mesowarp_on(2, "run", self.deck(text), "--output", self.home / "out")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertEqual(done.stderr.count("nbody.range"), 1, done.stderr)
        self.assertIn("rank 0", done.stderr)

    def test_another_sum_is_refused_with_its_line(self):
        text = bodies("leapfrog") + '\n[nbody]\naccumulator = "double-sum"\n'
        deck = self.deck(text)
        done = mesowarp("check", deck)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        line = text.splitlines().index('accumulator = "double-sum"') + 1
        self.assertIn(f":{line}:", done.stderr)
        self.assertIn('accumulator = "narumi"', done.stderr)


if __name__ == "__main__":
    unittest.main()
