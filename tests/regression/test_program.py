"""The command line as a user meets it: exit codes, messages, results, resume, signals."""
import os
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
from program import CHECKPOINTS, FLUID, PROGRAM, SOURCE, TRAJECTORY, ProgramTest, fluid, mesowarp, summary  # noqa: E402


BODIES = """
[run]
steps = 40
timestep = 0.0625
[integrator]
style = "hermite-block"
[[population]]
name = "stars"
kind = "bodies"
species = "star"
initial = "plummer"
count = 60
total_mass = 1.0
[[interaction]]
between = "*"
style = "gravity"
softening = 0.01
[[output]]
format = "table"
every = 10
[[output]]
format = "trajectory"
every = 10
fields = ["position", "velocity", "force"]
precision = "double"
[[output]]
format = "checkpoint"
every = 20
"""


class Bodies(ProgramTest):
    def test_run_writes_what_a_run_writes(self):
        self.run_well(self.deck(BODIES), "--output", self.home / "out")
        table = read_table(self.home / "out/thermo.csv")
        self.assertEqual(list(table["step"]), [0, 10, 20, 30, 40])
        self.assertLess(max(abs(e / table["total_energy"][0] - 1) for e in table["total_energy"]), 1e-4)
        with h5py.File(self.home / "out/trajectory.h5") as file:
            force, mass = file["particles/all/force/value"][:], file["particles/all/mass"][:]
            self.assertEqual(force.shape, (5, 60, 3))
            np.testing.assert_allclose(force[2].sum(axis=0), 0, atol=1e-6 * np.abs(force[2]).sum())
            np.testing.assert_allclose(mass, 1 / 60)
            position, velocity = (file[f"particles/all/{name}/value"][:] for name in ("position", "velocity"))
            virial = ((position - position.mean(axis=1, keepdims=True)) * force).sum(axis=(1, 2))
            np.testing.assert_allclose(table["virial_ratio"], -(velocity**2).sum(axis=(1, 2)) / 120 / virial, rtol=1e-9)
            self.assertEqual(
                [b.decode() if isinstance(b, bytes) else b for b in file["particles/all/box"].attrs["boundary"]],
                ["none"] * 3)
        result = summary(self.home / "out")
        self.assertEqual((result["status"], result["particles"], len(result["state_hash"])), ("finished", 60, 32))
        self.assertNotIn("pressure", result["averages"])

    def test_resumed_run_has_the_same_hash_table_and_trajectory(self):
        deck = self.deck(BODIES)
        self.run_well(deck, "--output", self.home / "whole")
        self.run_well(deck, "--output", self.home / "parts", "--steps", 25)
        self.run_well(deck, "--output", self.home / "parts", "--resume")
        self.assertEqual(summary(self.home / "parts")["state_hash"], summary(self.home / "whole")["state_hash"])
        with h5py.File(self.home / "whole/trajectory.h5") as a, h5py.File(self.home / "parts/trajectory.h5") as b:
            for frame in ("position", "velocity"):
                np.testing.assert_array_equal(a[f"particles/all/{frame}/value"][-1],
                                              b[f"particles/all/{frame}/value"][-1])

    def test_starts_from_its_own_files(self):
        self.run_well(self.deck(BODIES), "--output", self.home / "out")
        last = read_table(self.home / "out/thermo.csv")
        for file, step in (("trajectory.h5", 40), ("checkpoint-40.h5", 40)):
            text = re.sub(r'initial.*?total_mass = 1.0', f'initial = "file"\nfile = "out/{file}"', BODIES, flags=re.S)
            self.run_well(self.deck(text, "next.toml"), "--output", self.home / file, "--steps", 0)
            first = read_table(self.home / file / "thermo.csv")
            self.assertAlmostEqual(first["total_energy"][0], last["total_energy"][list(last["step"]).index(step)],
                                   places=9)

    def test_other_decks_do_not_resume_it(self):
        self.run_well(self.deck(BODIES), "--output", self.home / "out", "--steps", 25)
        done = mesowarp("run", self.deck(FLUID), "--output", self.home / "out", "--resume")
        self.assertEqual(done.returncode, 2)


class CommandLine(ProgramTest):
    def test_help_version_info(self):
        for arguments in (["--help"], ["--version"], ["run", "--help"], ["info"]):
            self.assertEqual(mesowarp(*arguments).returncode, 0, arguments)
        text = mesowarp("info").stdout
        for word in ("mesowarp", "Kokkos", "backend", "device", "MPI", "HDF5", "precision"):
            self.assertIn(word, text)

    def test_wrong_usage_is_bad_input(self):
        for arguments in ([], ["fly"], ["run"], ["run", "deck.toml", "--treads", "2"], ["run", "/nonexistent.toml"]):
            self.assertEqual(mesowarp(*arguments).returncode, 2, arguments)

    def test_check_prints_the_resolved_deck(self):
        done = mesowarp("check", self.deck(FLUID))
        self.assertEqual(done.returncode, 0, done.stderr)
        for word in ("sigma = 3.0", "# particles          375", "# memory", "# expected cost"):
            self.assertIn(word, done.stdout)

    def test_check_reports_all_errors_with_place_and_suggestion(self):
        text = FLUID.replace("timestep = 0.005", "timestep = -1").replace("gamma = 4.5", "gama = 4.5")
        path = self.deck(text)
        done = mesowarp("check", path)
        self.assertEqual(done.returncode, 2)
        lines = text.splitlines()
        for fragment in ("timestep = -1", "gama"):
            number = next(k for k, line in enumerate(lines, 1) if fragment in line)
            self.assertIn(f"deck.toml:{number}:", done.stderr)
        self.assertIn("gamma", done.stderr)

    def test_bitwise_gives_the_same_bits_on_any_number_of_threads(self):
        for precision in ("single", "mixed"):
            path = self.deck(fluid(run=f'precision = "{precision}"\nreproducibility = "bitwise"'))
            hashes, tables = set(), set()
            for threads in (1, 2, 7, 16):
                output = self.home / f"{precision}{threads}"
                done = mesowarp("run", path, "--output", output, "--threads", threads, "--quiet")
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                hashes.add(summary(output)["state_hash"])
                table = read_table(output / "thermo.csv")
                tables.add(tuple(
                    tuple(table[c]) for c in ("temperature", "pressure", "potential_energy", "momentum_x")))
            self.assertEqual(len(hashes), 1)
            self.assertEqual(len(tables), 1)

    def test_every_example_passes_the_check(self):
        for example in [*(SOURCE / "examples").glob("*.toml"), *(SOURCE / "examples").glob("[cm]*/*.toml")]:
            done = mesowarp("check", example)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stderr, "", example)

    def test_a_bad_deck_touches_nothing(self):
        output = self.home / "out"
        self.run_well(self.deck(FLUID), "--output", output, "--quiet")
        before = {path: path.stat().st_mtime_ns for path in output.iterdir()}
        bad = self.deck(FLUID.replace("style = \"dpd\"", "style = \"dpt\""), "bad.toml")
        self.assertEqual(mesowarp("run", bad, "--output", output).returncode, 2)
        self.assertEqual(before, {path: path.stat().st_mtime_ns for path in output.iterdir()})

    def test_earlier_results_are_kept(self):
        deck, output = self.deck(FLUID), self.home / "out"
        self.run_well(deck, "--output", output, "--quiet")
        self.run_well(deck, "--output", output, "--quiet", "--seed", 6)
        self.assertNotEqual(summary(output)["state_hash"], summary(self.home / "out.1")["state_hash"])

    def test_overrides(self):
        output = self.home / "out"
        self.run_well(self.deck(FLUID), "--output", output, "--quiet", "--set", "run.steps=7", "--set",
                      "population.water.density=1.6", "--set", "run.precision=single")
        done = summary(output)
        self.assertEqual((done["steps"], done["particles"], done["precision"]), (7, 200, "single"))


class Results(ProgramTest):
    def test_files_and_summary(self):
        output = self.home / "out"
        done = self.run_well(self.deck(FLUID + CHECKPOINTS + TRAJECTORY), "--output", output)
        for name in ("thermo.csv", "trajectory.h5", "trajectory.xmf", "across.csv", "across.h5", "summary.json",
                     "run.log", "deck.toml", "checkpoint-40.h5", "checkpoint-60.h5"):
            self.assertTrue((output / name).exists(), name)
        self.assertFalse((output / "checkpoint-20.h5").exists(), "the last two are kept")
        self.assertIn("temperature", done.stdout)
        keys = {"version", "backend", "device", "precision", "ranks", "threads", "particles", "steps", "wall_s",
                "particle_steps_per_second", "phase_seconds", "rebuilds", "state_hash", "memory_bytes_per_particle"}
        self.assertEqual(keys - set(summary(output)), set())
        rows = (output / "thermo.csv").read_text().splitlines()
        self.assertEqual(len(rows), 8)

    def test_columns_are_in_the_order_of_the_deck(self):
        """What is in them: tests/physics/test_observables_on_ranks.py."""
        columns = ["rebuilds", "pressure_yz", "time", "net_force_x", "temperature"]
        text = FLUID + "columns = [" + ", ".join(f'"{name}"' for name in columns) + "]\n"
        self.run_well(self.deck(text), "--output", self.home / "out", "--quiet")
        self.assertEqual(list(read_table(self.home / "out" / "thermo.csv")), ["step", *columns])

    def test_a_profile_holds_the_chosen_quantities_only(self):
        text = FLUID + TRAJECTORY.replace("bins = 5", 'bins = 5\nquantities = ["temperature"]')
        self.run_well(self.deck(text), "--output", self.home / "out", "--quiet")
        columns = [
            "block", "first_step", "last_step", "coordinate", "temperature", "samples", "count", "temperature_error"
        ]
        self.assertEqual((self.home / "out" / "across.csv").read_text().splitlines()[0], ",".join(columns))
        with h5py.File(self.home / "out" / "across.h5") as file:
            self.assertEqual(set(file), {"coordinate", "first_step", "last_step", "samples", "count", "temperature",
                                         "temperature_error"})
        done = mesowarp("check", self.deck(text.replace('"temperature"', '"temprature"'), "bad.toml"))
        self.assertEqual(done.returncode, 2)
        self.assertIn('did you mean "temperature"?', done.stderr)

    def test_the_hash_knows_neither_threads_nor_outputs(self):
        deck = self.deck(FLUID)
        full = self.deck(FLUID + CHECKPOINTS + TRAJECTORY, "full.toml")
        hashes = set()
        for name, arguments in (("a", [deck, "--threads", 1]), ("b", [deck, "--threads", 2]), ("c", [full])):
            self.run_well(*arguments, "--output", self.home / name, "--quiet")
            hashes.add(summary(self.home / name)["state_hash"])
        self.assertEqual(len(hashes), 1)

    def test_convert(self):
        output = self.home / "out"
        self.run_well(self.deck(FLUID + TRAJECTORY), "--output", output, "--quiet")
        for name, first in (("t.dump", "ITEM: TIMESTEP"), ("t.xyz", "375")):
            self.assertEqual(mesowarp("convert", output / "trajectory.h5", self.home / name).returncode, 0)
            self.assertEqual((self.home / name).read_text().splitlines()[0], first)
        self.assertEqual(mesowarp("convert", self.home / "none.h5", self.home / "x.xyz").returncode, 2)

    def test_a_trajectory_is_an_initial_state(self):
        output = self.home / "out"
        self.run_well(self.deck(FLUID + TRAJECTORY), "--output", output, "--quiet")
        text = FLUID.replace("density = 3.0", f'initial = "file"\nfile = "{output / "trajectory.h5"}"')
        self.run_well(self.deck(text, "again.toml"), "--output", self.home / "again", "--quiet")
        self.assertEqual(summary(self.home / "again")["particles"], 375)


def last_frame(output, frame=-1):
    """Per-particle values of a frame, ordered by tag, and the bonds."""
    with h5py.File(output / "trajectory.h5") as file:
        group = file["particles/all"]
        values = {name: group[f"{name}/value"][frame] for name in ("position", "velocity")}
        return values | {
            "species": group["species"][:], "mass": group["mass"][:], "bonds": file["connectivity/bonds"][:]
        }


class StartFromCheckpoint(ProgramTest):
    """`initial = "file"` from a checkpoint starts where that run was: the same particles, with new random numbers."""

    POPULATION = """kind = "polymer"
blocks = "AABB"
count = 30
bond_length = 0.6
"""
    REST = """
[[interaction]]
between = "*"
a = 25.0
gamma = 4.5
[[interaction]]
between = ["A", "B"]
a = 40.0
gamma = 4.5
[[bond]]
population = "chain"
k = 20.0
r0 = 0.5
{bond_type}
[[output]]
format = "trajectory"
every = 5
precision = "double"
[[output]]
format = "checkpoint"
"""

    def chains(self, population, precision="mixed", bond_type="", integrator="velocity-verlet"):
        return (f'[run]\nsteps = 15\ntimestep = 0.01\nprecision = "{precision}"\n[box]\nsize = [4.0, 4.0, 5.0]\n'
                f'[integrator]\nstyle = "{integrator}"\n'
                f'[[population]]\nname = "chain"\n{population}' + self.REST.format(bond_type=bond_type))

    def from_file(self, checkpoint):
        return f'kind = "polymer"\ninitial = "file"\nfile = "{checkpoint}"\ntypes = ["A", "B"]\n'

    def test_particles_velocities_species_and_bonds(self):
        for precision, other in (("single", "single"), ("mixed", "double"), ("double", "mixed")):
            for integrator in ("velocity-verlet", "groot-warren"):
                first, second = self.home / f"{precision}-{integrator}", self.home / f"{precision}-{integrator}-again"
                self.run_well(self.deck(self.chains(self.POPULATION, precision, integrator=integrator)), "--output",
                              first, "--quiet")
                deck = self.deck(self.chains(self.from_file(first / "checkpoint-15.h5"), other, "type = 1"),
                                 "again.toml")
                self.run_well(deck, "--output", second, "--quiet", "--seed", 9)
                before, after = last_frame(first), last_frame(second, 0)
                tolerance = 1e-6 if "single" in (precision, other) else 1e-7
                for name in ("position", "velocity"):
                    np.testing.assert_allclose(after[name], before[name], rtol=0, atol=5 * tolerance, err_msg=name)
                for name in ("species", "mass", "bonds"):
                    np.testing.assert_array_equal(after[name], before[name], err_msg=name)
                self.assertEqual(len(before["bonds"]), 90)
                self.assertNotEqual(summary(first)["state_hash"], summary(second)["state_hash"])

    def test_blocks_by_type_are_not_of_a_trajectory(self):
        """It does not tell types: all bonds had the first block's spring."""
        self.run_well(self.deck(self.chains(self.POPULATION)), "--output", self.home / "out", "--quiet")
        start = self.from_file(self.home / "out" / "trajectory.h5")
        again = self.chains(start, bond_type="type = 1\n[[bond]]\npopulation = \"chain\"\ntype = 2\nk = 90.0\n")
        done = mesowarp("run", self.deck(again, "again.toml"), "--output", self.home / "no")
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("a trajectory does not tell the types of its bonds, and a [[bond]] block is of one: begin "
                      "from the checkpoint", done.stderr)
        self.run_well(self.deck(self.chains(start), "again.toml"), "--output", self.home / "again", "--quiet")

    def test_check_knows_how_many_a_file_holds(self):
        self.run_well(self.deck(self.chains(self.POPULATION)), "--output", self.home / "out", "--quiet")
        made = mesowarp("check", self.deck(self.chains(self.POPULATION)))
        done = mesowarp("check",
                        self.deck(self.chains(self.from_file(self.home / "out" / "checkpoint-15.h5")), "again.toml"))
        self.assertEqual(done.returncode, 0, done.stderr)
        for line in ("# particles", "# memory", "# pairs in range"):
            value = re.search(rf"{line} .*\n", made.stdout)[0]
            self.assertIn(value, done.stdout)
        self.assertNotIn("# particles          0", done.stdout)

    def test_what_does_not_fit_is_refused_with_the_decks_line(self):
        self.run_well(self.deck(self.chains(self.POPULATION)), "--output", self.home / "out", "--quiet")
        checkpoint = self.home / "out" / "checkpoint-15.h5"
        deck = self.deck(self.chains(self.from_file(checkpoint)), "again.toml")
        line = deck.read_text(encoding="utf-8").splitlines().index(f'file = "{checkpoint}"') + 1
        for arguments, message in ((["--set", "box.size=[4, 4, 6]"], "its box edge is 5 along z, but box.size is 6"),
                                   (["--set", "bond.0.type=2"], "bond type 1 has no [[bond]] block"),
                                   (["--set", 'population.0.types=["A"]', "--set", 'interaction.1.between=["A", "A"]'],
                                    "it has particles of type 2, but types names 1 species")):
            done = mesowarp("run", deck, "--output", self.home / "no", *arguments)
            self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
            self.assertIn(f"again.toml:{line}:8: ", done.stderr)
            self.assertIn(message, done.stderr)
            self.assertFalse((self.home / "no").exists())
        checkpoint.write_bytes(checkpoint.read_bytes()[:-10])
        done = mesowarp("run", deck, "--output", self.home / "no")
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("truncated", done.stderr)


class Resume(ProgramTest):
    def test_interrupted_runs_end_with_the_same_bits(self):
        deck = self.deck(FLUID + CHECKPOINTS + TRAJECTORY)
        whole, parts = self.home / "whole", self.home / "parts"
        self.run_well(deck, "--output", whole, "--quiet")
        self.run_well(deck, "--output", parts, "--quiet", "--steps", 23)
        self.run_well(deck, "--output", parts, "--quiet", "--steps", 44, "--resume")
        self.run_well(deck, "--output", parts, "--quiet", "--resume", parts / "checkpoint-44.h5")
        self.assertEqual(summary(whole)["state_hash"], summary(parts)["state_hash"])
        self.assertEqual((whole / "across.csv").read_text(), (parts / "across.csv").read_text())

    def test_altered_and_truncated_checkpoints_are_refused_and_the_older_offered(self):
        deck, output = self.deck(FLUID + CHECKPOINTS), self.home / "out"
        self.run_well(deck, "--output", output, "--quiet")
        good = (output / "checkpoint-60.h5").read_bytes()
        altered = bytearray(good)
        altered[len(good) // 2] ^= 1
        for bad in (bytes(altered), good[: len(good) - 100], b"", b"no checkpoint"):
            (output / "checkpoint-60.h5").write_bytes(bad)
            done = mesowarp("run", deck, "--output", output, "--steps", 80, "--resume")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("checkpoint-40.h5", done.stderr)

    def test_nothing_to_resume(self):
        deck, output = self.deck(FLUID + CHECKPOINTS), self.home / "out"
        self.assertEqual(mesowarp("run", deck, "--output", output, "--resume").returncode, 2)
        self.run_well(deck, "--output", output, "--quiet")
        self.assertEqual(mesowarp("run", deck, "--output", output, "--resume", "--steps", 50).returncode, 2)
        other = self.deck(FLUID.replace("5.0, 5.0, 5.0", "6.0, 5.0, 5.0"), "other.toml")
        done = mesowarp("run", other, "--output", output, "--steps", 80, "--resume")
        self.assertEqual(done.returncode, 2)
        self.assertIn("another box", done.stderr)

    def wait_until_caught(self, process, number):
        """Until the program has said that it handles a signal, however busy the machine is."""
        end = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < end:
            status = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
            caught = int(next(line for line in status.splitlines() if line.startswith("SigCgt")).split()[1], 16)
            if caught >> (number - 1) & 1:
                return
            time.sleep(0.05)

    def test_signals_leave_a_checkpoint_and_the_run_goes_on_exactly(self):
        deck = self.deck(FLUID.replace("steps = 60", "steps = 3000"))
        whole, parts = self.home / "whole", self.home / "parts"
        self.run_well(deck, "--output", whole, "--quiet")
        for number in (signal.SIGTERM, signal.SIGINT):
            arguments = [PROGRAM, "run", deck, "--output", parts, "--quiet"]
            if number == signal.SIGINT:
                arguments.append("--resume")
            process = subprocess.Popen(list(map(str, arguments)), stderr=subprocess.PIPE, text=True)
            self.wait_until_caught(process, number)
            time.sleep(0.3)
            process.send_signal(number)
            _, message = process.communicate(timeout=120)
            if process.returncode == 0:
                self.skipTest("the machine was faster than the signal")
            self.assertEqual(process.returncode, 1)
            self.assertIn("--resume", message)
        self.run_well(deck, "--output", parts, "--quiet", "--resume")
        self.assertEqual(summary(whole)["state_hash"], summary(parts)["state_hash"])


class Failures(ProgramTest):
    def test_a_step_too_large_is_reported_and_the_checkpoint_stands(self):
        text = FLUID.replace('style = "dpd"\na = 25.0\ngamma = 4.5',
                             'style = "lj"\nepsilon = 1.0\nsigma = 1.0\ncutoff = 2.0')
        text = text.replace("5.0, 5.0, 5.0", "6.0, 6.0, 6.0").replace("density = 3.0",
                                                                      "density = 0.8\ninitial = \"lattice\"")
        output = self.home / "out"
        deck = self.deck(text + CHECKPOINTS)
        self.run_well(deck, "--output", output, "--quiet", "--steps", 20)
        done = mesowarp("run", deck, "--output", output, "--resume", "--steps", 4000, "--set", "run.timestep=0.3")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        for word in ("step", "particle", "Usual cause"):
            self.assertIn(word, done.stderr)
        self.assertTrue((output / "checkpoint-20.h5").exists())
        self.assertEqual(summary(output)["status"], "failed")


if __name__ == "__main__":
    unittest.main(verbosity=2)
