"""Every column of the table, average of the summary, profile and time, recomputed in numpy (tests/shared/pair_model.py)
from a trajectory in double precision: boxes with three different edges, masses that differ, periodic and walled axes,
drives, bonds, profiles along each axis from a later step on; on one rank and on four."""
import csv
import math
import re
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from observables import read_table  # noqa: E402
from observed import RECORD, ObservablesTest, columns_of, read_frames  # noqa: E402
from observed_decks import CHANNEL, DRIVEN, REFLECTED, channel, driven, reflected  # noqa: E402
from pair_model import COMPONENTS, profile_blocks  # noqa: E402
from program import summary  # noqa: E402

PROFILE = """
[[measure]]
style = "profile"
name = "{name}"
axis = "{axis}"
bins = {bins}
start = {start}
every = {every}
window = {window}
"""
# start is no multiple of a window; windows of one sample, of fewer than errors need, of more than sub-blocks.
PROFILES = [("across", "z", 7, 9, 3, 15), ("upwards", "y", 5, 6, 3, 72), ("along", "x", 4, 12, 6, 0),
            ("single", "y", 3, 21, 3, 3), ("whole", "z", 6, 0, 3, 30)]


class ParticlesTest(ObservablesTest):
    """What is the same for each deck; run by the classes below."""

    BOOKKEEPING = {"step", "time", "wall_time", "particle_steps_per_second", "rebuilds"}

    def particle_table(self, model, frames, freedom):
        """Each row's quantities from the frame of its step."""
        rows = []
        volume = model.size.prod()
        for step, x, v, f in zip(frames["steps"], frames["position"], frames["velocity"], frames["force"]):
            pair, potential, virial = model.evaluate(x, model.friction_velocity(step, v, f), int(step))
            np.testing.assert_allclose(pair + model.drive(x), f, rtol=0, atol=1e-7 * np.abs(f).max(),
                                       err_msg=f"forces, step {step}")
            m = model.mass[:, None]
            kinetic = {name: (model.mass * v[:, a] * v[:, b]).sum() for name, (a, b) in COMPONENTS.items()}
            row = {f"pressure_{name}": (kinetic[name] + virial[name]) / volume for name in COMPONENTS}
            row["pressure"] = (row["pressure_xx"] + row["pressure_yy"] + row["pressure_zz"]) / 3
            row["temperature"] = (m * v * v).sum() / freedom
            row["kinetic_energy"], row["potential_energy"] = (m * v * v).sum() / 2, potential
            row["total_energy"] = row["kinetic_energy"] + potential
            for axis, name in enumerate("xyz"):
                row[f"momentum_{name}"] = (m[:, 0] * v[:, axis]).sum()
                row[f"mass_flow_{name}"] = row[f"momentum_{name}"] / model.size[axis]
                row[f"net_force_{name}"] = 0.0  # of particles on each other; to the last bit in test_net_force
                row[f"box_{name}"] = model.size[axis]
            row["volume"] = volume
            across = 0.5 * (row["pressure_xx"] + row["pressure_yy"])
            row["surface_tension"] = model.size[2] * (row["pressure_zz"] - across)
            rows.append(row)
        return {name: np.array([row[name] for row in rows]) for name in rows[0]}

    def check(self, text, ranks, name, make_model, conserved, timestep=0.005, steps=90):
        every = 3
        text = text.format(steps=steps, timestep=timestep, precision="double")
        text += RECORD.format(every=every, columns=str(columns_of("particles")).replace("'", '"'))
        text += "".join(
            PROFILE.format(name=n, axis=a, bins=b, start=s, every=e, window=w) for n, a, b, s, e, w in PROFILES)
        output = self.run_deck(text, ranks, name)
        self.assertEqual(summary(output)["ranks"], ranks)
        frames = read_frames(output)
        count = len(frames["species"])
        model = make_model(frames)
        table = read_table(output / "thermo.csv")
        expected = self.particle_table(model, frames, 3 * count - conserved)
        pressure = max(np.abs(expected[f"pressure_{c}"]).max() for c in COMPONENTS)
        scale = {name: pressure for name in expected if name.startswith("pressure")}
        scale |= {f"net_force_{c}": np.abs(frames["force"]).max()
                  for c in "xyz"} | {f"momentum_{c}": np.sqrt(count)
                                     for c in "xyz"}
        scale |= {f"mass_flow_{c}": np.sqrt(count) / edge for c, edge in zip("xyz", model.size)}
        scale["surface_tension"] = pressure * model.size[2]
        checked = self.check_columns(table, expected, scale, 3e-9)
        self.assertEqual(set(table), checked | self.BOOKKEEPING)
        # Each component says something of its own, and so does each sign.
        off = [np.abs(expected[f"pressure_{c}"]).max() / pressure for c in ("xy", "xz", "yz")]
        self.assertGreater(min(off), 0.01)
        np.testing.assert_array_equal(table["rebuilds"], 1 + table["step"] // 2)
        self.check_bookkeeping(output, frames, timestep, count)
        self.check_averages(output)
        for profile in PROFILES:
            self.check_profile(output, frames, model, profile, steps)
        return output, frames, model

    def check_profile(self, output, frames, model, profile, last):
        name, axis, bins, start, every, window = profile
        samples = {int(step): (x, v) for step, x, v in zip(frames["steps"], frames["position"], frames["velocity"])}
        blocks = profile_blocks(samples, model.mass, model.size, "xyz".index(axis), bins, start, every, window, last)
        with open(output / f"{name}.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), bins * len(blocks), name)
        columns = set(rows[0]) - {"block"}
        self.assertEqual(columns, set(blocks[0]))
        with h5py.File(output / f"{name}.h5") as file:
            stored = file["coordinate"].attrs["axis"]
            self.assertEqual(stored.decode() if isinstance(stored, bytes) else stored, axis)
            series = {key: file[key][()] for key in file}
        for b, block in enumerate(blocks):
            here = rows[bins * b:bins * (b + 1)]
            self.assertEqual({row["block"] for row in here}, {str(b)})
            for column in columns:
                found = np.array([float(row[column] or "nan") for row in here])
                if column.endswith("_error") and block["samples"] < 4:
                    self.assertEqual({row[column] for row in here}, {""}, "errors of a few samples")
                expected = np.broadcast_to(np.asarray(block[column], dtype=float), bins)
                np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7, err_msg=f"{name} {column} block {b}")
                parts = re.fullmatch(r"velocity_([xyz])(_error)?", column)
                stored = series[f"velocity{parts[2] or ''}"][b][:, "xyz".index(parts[1])] if parts else \
                    series[column] if column == "coordinate" else series[column][b]
                np.testing.assert_array_equal(np.broadcast_to(stored, bins), found, err_msg=f"{name}.h5 {column}")


class Particles(ParticlesTest):
    def test_driven_fluid_of_two_masses_with_chains(self):
        for ranks in (1, 4):
            _, frames, _ = self.check(DRIVEN, ranks, "driven", driven, conserved=3)
            self.assertEqual(sorted(set(frames["mass"])), [1.0, 1.5, 2.5])
            self.assertEqual(len(frames["bonds"]), 60)

    def write_lattice(self):
        """Particles of both kinds on one lattice, as LAMMPS data."""
        random = np.random.default_rng(8)
        sites = (np.indices((8, 5, 5)).reshape(3, -1).T + 0.5) * np.array([9.7 / 8, 6.4 / 5, 6.0 / 5])
        sites = sites[random.permutation(len(sites))]
        for name, mass, rows in (("light", 1.0, sites[:110]), ("heavy", 3.0, sites[110:])):
            speeds = random.normal(size=rows.shape) * math.sqrt(1.2 / mass)
            edges = "".join(f"0 {edge} {axis}lo {axis}hi\n" for edge, axis in zip((9.7, 6.4, 6.0), "xyz"))
            lines = [f"{name}\n\n{len(rows)} atoms\n1 atom types\n{edges}\nMasses\n\n1 {mass}\n\nAtoms # atomic\n"]
            lines += [f"{k + 1} 1 {x} {y} {z}" for k, (x, y, z) in enumerate(rows)] + ["\nVelocities\n"]
            lines += [f"{k + 1} {x} {y} {z}" for k, (x, y, z) in enumerate(speeds)]
            self.deck("\n".join(lines) + "\n", f"{name}.data")

    def test_between_mirrors(self):
        self.write_lattice()
        for ranks in (1, 4):
            output, _, _ = self.check(REFLECTED, ranks, "reflected", reflected, conserved=2)
            energy = read_table(output / "thermo.csv")["total_energy"]
            self.assertAlmostEqual(summary(output)["averages"]["relative_energy_error"],
                                   np.abs(energy / energy[0] - 1).max(), places=12)

    def test_channel_without_slip(self):
        for ranks in (1, 4):
            self.check(CHANNEL, ranks, "channel", channel, conserved=0)

    def test_net_force(self):
        """Zero but for rounding, which in single precision is large enough to be recomputed: the sum of the forces,
        sign and all."""
        text = DRIVEN.split("[[drive]]")[0].format(steps=20, timestep=0.005, precision="single")
        text += RECORD.format(every=1, columns='["net_force_x", "net_force_y", "net_force_z"]')
        for ranks in (1, 4):
            output = self.run_deck(text, ranks, "net")
            table, force = read_table(output / "thermo.csv"), read_frames(output)["force"]
            for axis, name in enumerate("xyz"):
                expected = np.array([math.fsum(f[:, axis]) for f in force])
                self.assertGreater(np.abs(expected).max(), 1e-5)
                np.testing.assert_allclose(table[f"net_force_{name}"], expected, rtol=0, atol=1e-9)


if __name__ == "__main__":
    unittest.main(verbosity=2)
