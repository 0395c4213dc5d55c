"""Runs a deck and reads its frames; checks of what particles and bodies have in common."""
import re

import h5py
import numpy as np
from observables import read_table
from pair_model import block_average
from program import ProgramTest, mesowarp, summary

RECORD = """
[[output]]
format = "table"
every = {every}
columns = {columns}
[[output]]
format = "trajectory"
every = {every}
precision = "double"
fields = ["position", "image", "velocity", "force"]
"""


def columns_of(method):
    """All that the grammar knows, for particles or bodies."""
    of_outputs = mesowarp("reference").stdout.split("## [[output]]")[1]
    row = next(line for line in of_outputs.splitlines() if line.startswith("| `columns`"))
    names = re.findall(r'`"(\w+)"`', row.split("|")[5])
    of_bodies = {name for name in names if name.startswith("angular") or name == "virial_ratio"}
    of_boxes = {name for name in names if name.startswith(("pressure", "net_force", "mass_flow", "box_")) or
                name in ("rebuilds", "volume", "surface_tension")}
    # Of populations and blocks that are not there.
    elsewhere = {"tracer_msd", "solutes", "shear_stress", "viscosity", "flow_velocity", "drive_acceleration"}
    elsewhere |= {"scheduled", "groups", "pulls", "wrong_side", "inflows"}
    elsewhere |= {name for name in names if name.startswith("wall") and name != "wall_time"}
    others = (of_boxes if method == "bodies" else of_bodies) | elsewhere
    return [name for name in names if name not in others]


def read_frames(output):
    """Steps, times and per-particle values of each frame, in the order of tags."""
    with h5py.File(output / "trajectory.h5") as file:
        group = file["particles/all"]
        frames = {name: group[f"{name}/value"][()] for name in ("position", "velocity", "force")}
        steps = group["position/step"][()]
        for name in frames:
            np.testing.assert_array_equal(group[f"{name}/step"][()], steps)
            np.testing.assert_array_equal(group[f"{name}/time"][()], group["position/time"][()])
        bonds = file["connectivity/bonds"][()] if "connectivity" in file else np.zeros((0, 2), dtype=int)
        return {
            "steps": steps, "time": group["position/time"][()], "species": group["species"][()],
            "mass": group["mass"][()], "bonds": np.asarray(bonds).astype(int) if len(bonds) else np.zeros(
                (0, 2), dtype=int), **frames
        }


class ObservablesTest(ProgramTest):
    def run_deck(self, text, ranks, name):
        output = self.home / f"{name}-{ranks}"
        self.run_well(self.deck(text, f"{name}.toml"), "--output", output, "--quiet", ranks=ranks)
        return output

    def check_bookkeeping(self, output, frames, timestep, particles):
        """Times, steps, speeds and the summary's words for them."""
        table, result = read_table(output / "thermo.csv"), summary(output)
        np.testing.assert_array_equal(table["step"], frames["steps"])
        for time in (table["time"], frames["time"]):
            np.testing.assert_allclose(time, frames["steps"] * timestep, rtol=1e-14)
        # At the row of step k the clock has seen k - 1 steps.
        np.testing.assert_allclose(table["particle_steps_per_second"][1:] * table["wall_time"][1:],
                                   (frames["steps"][1:] - 1) * particles, rtol=1e-9)
        self.assertTrue((np.diff(table["wall_time"]) > 0).all())
        last = int(frames["steps"][-1])
        self.assertEqual(
            (result["first_step"], result["last_step"], result["steps"], result["particles"], result["status"]),
            (0, last, last, particles, "finished"))
        self.assertGreaterEqual(result["wall_s"], table["wall_time"][-1])
        self.assertAlmostEqual(result["particle_steps_per_second"] * result["wall_s"] / (last * particles), 1.0,
                               places=9)

    def check_averages(self, output):
        """The summary's averages of every column that is physics."""
        table, averages = read_table(output / "thermo.csv"), summary(output)["averages"]
        none = {"step", "time", "wall_time", "particle_steps_per_second", "rebuilds"}
        names = [name for name in table if name not in none]
        rows = len(table["step"])
        self.assertEqual(averages.pop("rows"), rows - rows // 2)
        averages.pop("relative_energy_error", None)
        self.assertEqual(set(averages), set(names) | {f"{name}_error" for name in names})
        for name in names:
            mean, error = block_average(table[name])
            np.testing.assert_allclose([averages[name], averages[f"{name}_error"]], [mean, error], rtol=1e-9,
                                       atol=1e-13 * np.abs(table[name]).max(), err_msg=name)

    def check_columns(self, table, expected, scale, tolerance):
        """expected: name -> values; scale: name -> what a rounding is measured by. Returns the names."""
        for name, values in expected.items():
            worst = np.abs(np.asarray(values) - table[name]).max()
            self.assertLess(worst, tolerance * scale.get(name, np.abs(values).max()), name)
        return set(expected)
