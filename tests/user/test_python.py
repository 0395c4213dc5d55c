"""The Python package against the files of small runs: what it reads, starts, sweeps and draws."""
import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import unittest
import unittest.mock
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from program import PROGRAM, SOURCE, ProgramTest, mesowarp, summary  # noqa: E402

sys.path.insert(0, str(SOURCE / "python"))
import mesowarp as package  # noqa: E402

DECK = {
    "run": {"title": "a deck with \"quotes\" and µ", "steps": 60, "timestep": 0.01},
    "box": {"size": [5.0, 4.0, 4.0]},
    "population": [{"name": "chains", "kind": "polymer", "blocks": "AAB", "density": 3.0, "bond_length": 0.5}],
    "interaction": [{"between": "*", "a": 25.0, "gamma": 4.5}],
    "bond": [{"population": "chains", "k": 80.0, "r0": 0.38}],
    "measure": [{"name": "across", "axis": "x", "bins": 4, "every": 2, "window": 10},
                {"name": "grid", "style": "field", "cells": [4, 2, 1], "every": 5, "window": 30,
                 "quantities": ["density", "velocity"]}],
    "output": [{"format": "table", "every": 2}, {"format": "trajectory", "every": 30},
               {"format": "checkpoint", "every": 30}],
}


def with_program(**options):
    return {"program": PROGRAM, "threads": 1, **options}


class ChainAcrossAFace:
    """Ten beads along x, from 11.5 in a box of 12, as a trajectory."""
    species = np.zeros(10, dtype=int)
    bonded = np.ones(10, dtype=int)
    bonds = np.stack([np.arange(9), np.arange(1, 10)], axis=1)

    def box(self, number):
        return np.full(3, 12.0)

    def slide(self, number):
        return np.zeros(3)

    def whole(self, number):
        return np.stack([11.5 + np.arange(10), np.full(10, 0.5), np.full(10, 11.5)], axis=1)


class BallOnAFloor:
    """Particles of a floor in a box of 12, and others in a ball in its middle, as a trajectory."""
    bonds = np.zeros((0, 2), dtype=int)

    def __init__(self):
        random = np.random.default_rng(1)
        floor, ball = random.uniform(0.0, 12.0, (4000, 3)), random.normal(0.0, 1.0, (1500, 3))
        floor[:, 2] /= 12.0
        ball *= (2.5 * random.uniform(0.0, 1.0, 1500)**(1 / 3) / np.linalg.norm(ball, axis=1))[:, None]
        self.x = np.concatenate([floor, ball + 6.0])
        self.species = np.repeat([0, 1], [4000, 1500])

    def box(self, number):
        return np.full(3, 12.0)

    def position(self, number):
        return self.x


class Package(ProgramTest):
    def test_decks_are_written_as_they_are_read(self):
        for path in sorted((SOURCE / "examples").rglob("*.toml")):
            deck = package.read_deck(path)
            self.assertEqual(package.read_toml(package.write_toml(deck)), deck, path.name)
        odd = {"run": {"title": "tab\t, \"quote\", \\ and µ\x7f", "none": None, "on": True, "n": np.float64(0.1),
                       "list": [1, 2.5, "a b"], "inline": {"A b": "x"}}}
        back = package.read_toml(package.write_toml(odd))["run"]
        del odd["run"]["none"]
        self.assertEqual(back, odd["run"])
        for wrong in ({"run": {"a": float("nan")}}, {"run": {"a": object()}}, {"run": 3}):
            with self.assertRaises(package.MesowarpError):
                package.write_toml(wrong)

    def test_one_run(self):
        run = package.start(DECK, {"run.seed": 3}, self.home / "out", **with_program()).wait()
        self.assertTrue(run.finished)
        self.assertEqual(sorted(path.name for path in self.home.iterdir()), ["out"])  # the deck it wrote is gone
        self.assertEqual((run.deck["run"]["seed"], run.value("population.chains.density"), run.value("bond.0.r0")),
                         (3, 3.0, 0.38))
        self.check_table(run)
        self.check_blocks(run)
        self.check_trajectory(run)
        self.assertEqual([entry["step"] for entry in run.checkpoints], [30, 60])
        self.assertIn("chains", run.checkpoints[0]["deck"])
        self.check_pictures(run)

    def check_table(self, run):
        table = run.table
        np.testing.assert_array_equal(table["step"], np.arange(0, 61, 2))
        self.assertEqual(table.after(20).rows(), 20)
        for name in ("temperature", "pressure"):
            estimate = table.mean(name)
            averages = summary(run.directory)["averages"]
            self.assertAlmostEqual(estimate.mean, averages[name], places=9)
            self.assertAlmostEqual(estimate.error / averages[f"{name}_error"], 1.0, delta=0.3)
        with self.assertRaisesRegex(package.MesowarpError, "no column heat; there are step"):
            table["heat"]

    def check_blocks(self, run):
        rows = np.genfromtxt(run.directory / "across.csv", delimiter=",", names=True)
        profile = run.profiles["across"]
        self.assertEqual((len(profile), profile.axis, list(profile.last_step[:2])), (6, "x", [8, 18]))
        np.testing.assert_allclose(profile.edges(), np.arange(5) * 1.25)
        for name in ("density", "velocity_y", "temperature"):
            np.testing.assert_allclose(profile[name].ravel(), rows[name])
            np.testing.assert_allclose(profile.errors[name].ravel(), rows[f"{name}_error"])
        late = profile.mean("density", 20)
        weight = profile.samples[profile.first_step > 20]
        np.testing.assert_allclose(late.mean, np.average(profile["density"][profile.first_step > 20], axis=0,
                                                         weights=weight))
        self.assertTrue((late.error > 0).all())
        field = run.fields["grid"]
        self.assertEqual((field["velocity"].shape, field["velocity_z"].shape), ((2, 1, 2, 4, 3), (2, 1, 2, 4)))
        self.assertAlmostEqual(field["density"].mean(), 3.0, delta=0.02)

    def check_trajectory(self, run):
        t = run.trajectory
        with h5py.File(run.directory / "trajectory.h5") as file:
            x, image = file["particles/all/position/value"][-1], file["particles/all/image/value"][-1]
        self.assertEqual((list(t.steps), t.species_names, t.periodic), ([0, 30, 60], ["A", "B"], [True] * 3))
        np.testing.assert_array_equal(t.position(-1), x)
        np.testing.assert_allclose(t.position(2, unwrap=True), x + image * np.array([5.0, 4.0, 4.0]))
        np.testing.assert_array_equal(t.molecule, np.arange(t.particles) // 3 + 1)
        whole = t.whole(-1)
        length = np.linalg.norm(whole[t.bonds[:, 0]] - whole[t.bonds[:, 1]], axis=1)
        self.assertLess(length.max(), 2.0)
        self.assertGreater(np.linalg.norm(x[t.bonds[:, 0]] - x[t.bonds[:, 1]], axis=1).max(), 2.0)
        with self.assertRaisesRegex(package.MesowarpError, "no force: add it to the output's fields"):
            t.field("force", 0)

    def check_pictures(self, run):
        done = mesowarp("plot", run.directory)
        self.assertEqual(done.returncode, 0, done.stderr)
        names = {"table", "across", "grid", "frame"}
        self.assertEqual({Path(line).stem for line in done.stdout.split()}, names)
        from matplotlib.image import imread
        for name in names:
            pixels = imread(run.directory / "plots" / f"{name}.png")[:, :, :3]
            self.assertGreater(min(pixels.shape[:2]), 250, name)
            self.assertGreater(pixels.std(), 0.04, f"{name} is blank")
        frame = np.round(imread(run.directory / "plots/frame.png")[:, :, :3] * 255).astype(int)
        blue = (frame[..., 2] > frame[..., 0] + 60).sum()
        orange = (frame[..., 0] > frame[..., 2] + 60).sum()
        self.assertTrue(1.0 < blue / orange < 4.0, f"two A for each B: {blue}, {orange}")
        again = mesowarp("plot", run.directory)
        self.assertEqual(again.returncode, 2)
        self.assertIn("is there already", again.stderr)
        self.assertEqual(mesowarp("plot", run.directory, "--only", "table", "--force").returncode, 0)

    def test_measures_of_every_kind(self):
        """Each that a deck may have: read as its CSV has it, beside profiles, and drawn."""
        styles = {"rdf": {"r_max": 1.5}, "structure-factor": {}, "msd": {"every": 1}, "vacf": {"every": 1},
                  "viscosity": {}, "correlation": {"columns": ["pressure"], "every": 1}, "chains": {"r_max": 3.0},
                  "clusters": {"cutoff": 0.5}, "columns": {"columns": ["temperature"], "every": 1}}
        measures = [{"style": style, "every": 10, **keys} for style, keys in styles.items()]
        measures[4]["every"] = 1
        measures.append({"style": "columns", "name": "histogram", "columns": ["pressure"], "from": 0.0, "to": 60.0,
                         "bins": 6, "every": 1})
        run = package.run({**DECK, "measure": DECK["measure"] + measures}, output=self.home / "out", **with_program())
        self.assertEqual(sorted(run.profiles), ["across"])
        self.assertEqual(sorted(run.measures), sorted([*styles, "histogram"]))
        for name, of in run.measures.items():
            suffix = "_means" if name == "columns" else ""
            rows = package.Table.read(self.home / "out" / f"{name}{suffix}.csv")
            self.assertEqual(len(of.coordinate), len(rows["block"]))
            for quantity, values in of.data.items():
                np.testing.assert_allclose(values[-1], rows[quantity], rtol=1e-6, err_msg=f"{name} {quantity}")
        for name, quantity in (("msd", "diffusion"), ("vacf", "diffusion"), ("viscosity", "viscosity"),
                               ("chains", "rg2"), ("columns", "temperature_mean")):
            rows = package.Table.read(self.home / "out" / f"{name}_means.csv")
            found = run.measures[name].means[quantity]
            np.testing.assert_allclose([found.mean, found.error], [rows[quantity][0], rows[f"{quantity}_error"][0]],
                                       rtol=1e-6)
        done = mesowarp("plot", self.home / "out")
        self.assertEqual(done.returncode, 0, done.stderr)
        drawn = {path.stem for path in (self.home / "out/plots").glob("*.png")}
        self.assertEqual(drawn, {"table", "across", "grid", "frame", *styles, "histogram"} - {"columns"})

    def test_in_a_box_that_changes(self):
        """A field's picture is as wide as the box was in its block, S is drawn against the mean wave numbers."""
        from mesowarp.pictures import field_picture, pictures_of
        measures = [{"style": "field", "name": "grid", "cells": [2, 3, 1], "every": 2, "window": 20},
                    {"style": "structure-factor", "name": "waves", "every": 4, "n_max": 3}]
        run = package.run({**DECK, "deformation": {"size": [7.0, 0.0, 0.0], "to": 60}, "measure": measures},
                          output=self.home / "stretched", **with_program())
        field, waves = run.fields["grid"], run.measures["waves"]
        self.assertEqual((field.box.shape, sorted(field.data)), ((3, 3), ["count", "density", "temperature", "velocity",
                                                                          "velocity_x", "velocity_y", "velocity_z"]))
        np.testing.assert_allclose(field.spacing, [2.5, 4 / 3, 4.0])
        self.assertTrue(5.0 < field.box[0, 0] < field.box[1, 0] < field.box[2, 0] < 7.0)
        np.testing.assert_allclose(field.box[:, 1:], 4.0)
        self.assertEqual(run.profiles, {})
        left, right, bottom, top = field_picture(run, "grid", ["density"]).axes[0].images[0].get_extent()
        np.testing.assert_allclose([left, right, bottom, top], [0.0, field.box[2, 0], 0.0, 4.0])
        panels = {ax.get_ylabel(): ax.lines[0].get_xdata() for ax in dict(pictures_of([run]))["waves"].axes}
        self.assertEqual(set(panels), {"s", "s x", "s y", "s z"})
        np.testing.assert_array_equal(panels["s x"], waves["k_x"][-1])
        self.assertLess(panels["s x"][0], 2 * np.pi / 5.2)

    def test_more_panels_than_a_picture_holds(self):
        """Each quantity is drawn once, on as many pictures as it takes; a page gives way to a measure of its name."""
        from mesowarp.pictures import PANELS, named, pictures_of
        columns = ["temperature", "pressure", "pressure_xx", "pressure_yy", "pressure_zz", "pressure_xy", "pressure_xz",
                   "pressure_yz", "potential_energy", "kinetic_energy", "total_energy", "surface_tension"]
        measures = [{"style": "correlation", "name": "table-2", "columns": columns[:8], "every": 1},
                    {"style": "columns", "columns": columns[:7], "from": 0.0, "to": 60.0, "bins": 5, "every": 1}]
        table = {"format": "table", "every": 2, "columns": columns}
        run = package.run({**DECK, "measure": measures, "output": [table]}, output=self.home / "many",
                          **with_program())
        panels = {name: [ax.get_ylabel() for ax in figure.axes if ax.lines] for name, figure in pictures_of([run])}
        self.assertEqual({name: len(drawn) for name, drawn in panels.items()},
                         {"table": PANELS, "table-page-2": PANELS, "table-2": PANELS, "table-2-2": 2,
                          "columns": PANELS, "columns-2": 1})
        for pages, quantities in ((("table", "table-page-2"), columns),
                                  (("table-2", "table-2-2"), [f"correlation_{column}" for column in columns[:8]]),
                                  (("columns", "columns-2"), [f"probability_{column}" for column in columns[:7]])):
            self.assertEqual(sorted(label for page in pages for label in panels[page]), sorted(map(named, quantities)))
        done = mesowarp("plot", run.directory)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([Path(line).stem for line in done.stdout.split()], list(panels))
        self.assertEqual({path.stem for path in (run.directory / "plots").iterdir()}, set(panels))

    def test_a_sweep(self):
        rdf = {"style": "rdf", "every": 10, "r_max": 1.5}
        text = self.deck(package.write_toml({**DECK, "measure": [DECK["measure"][0], rdf]}))
        over = {"interaction.0.a": [15.0, 35.0], "run.seed": [1, 2]}
        runs = package.sweep(text, over, self.home / "sweep", set={"run.steps": 40}, **with_program())
        self.assertEqual([run.name for run in runs][:2],
                         ["interaction.0.a=15.0,run.seed=1", "interaction.0.a=15.0,run.seed=2"])
        np.testing.assert_array_equal(runs.values("interaction.0.a"), [15, 15, 35, 35])
        self.assertEqual(set(runs.differing()), {"interaction.0.a", "run.seed"})
        pressure = runs.means("pressure")
        self.assertTrue((pressure.mean[:2] + 5 < pressure.mean[2:]).all(), str(pressure))
        of_seeds = package.Sweep(runs[:2]).mean("pressure")
        self.assertAlmostEqual(of_seeds.mean, pressure.mean[:2].mean())
        with self.assertRaisesRegex(package.MesowarpError, "runs differ by interaction.0.a, not by their seeds alone"):
            runs.mean("pressure")
        times = [(run.directory / "thermo.csv").stat().st_mtime_ns for run in runs]
        again = package.sweep(text, over, self.home / "sweep", set={"run.steps": 40}, **with_program())
        self.assertEqual([(run.directory / "thermo.csv").stat().st_mtime_ns for run in again], times)
        done = mesowarp("plot", *(run.directory for run in runs), "--output", self.home / "all")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual({path.stem for path in (self.home / "all").iterdir()}, {"table", "sweep", "across", "rdf"})
        for name in ("table", "across", "rdf"):
            self.check_that_each_run_is_drawn(self.home / f"all/{name}.png", len(runs))
        self.check_the_curve_of_a_sweep(runs)
        # A deck that has changed since is run anew; what was there is kept, as by any run.
        changed = package.sweep(text, {"interaction.0.a": [15.0], "run.seed": [1]}, self.home / "sweep",
                                set={"run.steps": 50}, **with_program())
        self.assertEqual(changed[0].summary["last_step"], 50)
        self.assertEqual(len(package.open_sweep(self.home / "sweep/*")), 5)

    def check_the_curve_of_a_sweep(self, runs):
        """Means against the one number that differs, but for seeds; nothing where two do."""
        from mesowarp.pictures import pictures_of, swept
        figure = dict(pictures_of(runs, ["table"]))["sweep"]
        pressure = runs.means("pressure")
        panel, = [ax for ax in figure.axes if ax.get_ylabel().startswith("pressure ")]
        self.assertEqual(panel.get_xlabel(), "interaction.0.a")
        points, _, (bars,) = panel.containers[0]
        np.testing.assert_array_equal(points.get_xdata(), [15, 15, 35, 35])
        np.testing.assert_array_equal(points.get_ydata(), pressure.mean)
        np.testing.assert_allclose([np.ptp(ends[:, 1]) / 2 for ends in bars.get_segments()], pressure.error)
        self.assertIsNone(swept(runs[:2]))
        for run in runs[:2]:
            run.deck["run"]["timestep"] *= 2.0
        self.assertIsNone(swept(runs))

    def test_measures_without_an_axis(self):
        """Of chains: their lengths' distribution is drawn, one number a block is not; shells have their own words."""
        measures = [{"name": "lengths", "style": "chains", "r_max": 3.0, "bins": 8, "every": 10},
                    {"name": "shells", "style": "cylinder", "axis": "z", "center": [2.5, 2.0, 0.0], "radius": 2.0,
                     "bins": 4, "every": 5}]
        run = package.run({**DECK, "measure": measures}, output=self.home / "chains", **with_program())
        self.assertEqual((run.measures["lengths"].along, run.profiles["shells"].axis), ("distance", "z"))
        done = mesowarp("plot", run.directory, "--only", "profiles", "--only", "correlations")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual({Path(line).stem for line in done.stdout.split()}, {"lengths", "shells"})

    def check_that_each_run_is_drawn(self, path, runs):
        from matplotlib.image import imread
        from mesowarp.rendering import PALETTE, rgb
        pixels = imread(path)[:, :, :3]
        for colour in PALETTE[:runs]:
            self.assertGreater((np.abs(pixels - rgb(colour)).max(axis=2) < 0.02).sum(), 100, f"{path.name}, {colour}")

    def test_a_chain_across_a_face_is_drawn_whole(self):
        from mesowarp.rendering import frame_picture
        image = frame_picture(ChainAcrossAFace(), pixels=200)
        drawn = np.argwhere((image < 0.9).any(axis=2))
        self.assertTrue((drawn.min(axis=0) > 0).all() and (drawn.max(axis=0) < 99).all(), "it is cut off")
        self.assertGreater(np.ptp(drawn, axis=0).max(), 50, "it is small")
        self.assertLess(len(drawn), 2500, "its beads are as large as the box")

    def test_what_is_inside_a_box_that_is_not_full_is_drawn(self):
        from mesowarp.rendering import PALETTE, frame_picture, rgb
        trajectory = BallOnAFloor()
        share = self.of_colour(frame_picture(trajectory, pixels=200), rgb(PALETTE[1]))
        self.assertGreater(share, 0.03)
        trajectory.x[:4000, 2] *= 12.0  # full: the ball is hidden
        self.assertEqual(self.of_colour(frame_picture(trajectory, pixels=200), rgb(PALETTE[1])), 0.0)

    def test_what_is_deep_inside_a_film_is_not_drawn(self):
        """So that all of its surface is, however many particles there are."""
        from mesowarp.rendering import deep_inside
        x = np.random.default_rng(3).uniform(0.0, 20.0, (30000, 3)) * [1.0, 1.0, 0.5] + [0.0, 0.0, 5.0]
        spacing = (20.0 * 20.0 * 10.0 / len(x)) ** (1 / 3)
        hidden = deep_inside(x, np.full(3, 20.0), spacing)
        near = np.minimum(x - [0.0, 0.0, 5.0], [20.0, 20.0, 15.0] - x).min(axis=1)  # to its surface
        self.assertFalse(hidden[near < spacing].any())
        self.assertGreater(hidden[near > 7.0 * spacing].mean(), 0.95)

    @staticmethod
    def of_colour(image, colour):
        """Part of the pixels of that colour, in light or shade."""
        hue = image / np.maximum(image.max(axis=2, keepdims=True), 1e-9)
        return (np.abs(hue - colour / max(colour)).max(axis=2) < 0.06).mean()

    def test_what_fails_says_why(self):
        wrong = {**DECK, "interaction": [{"between": "*", "a": -25.0, "gama": 4.5}]}
        with self.assertRaisesRegex(package.MesowarpError, "(?s)exit code 2.*gama.*gamma"):
            package.run(wrong, output=self.home / "wrong", **with_program())
        self.assertFalse(list(self.home.iterdir()))
        with self.assertRaisesRegex(package.MesowarpError, "is not the output directory of a run"):
            package.open(self.home)
        with self.assertRaisesRegex(package.MesowarpError, "there is no run in"):
            package.open_sweep(self.home / "*")

    def test_a_run_is_stopped_and_goes_on(self):
        deck = {**DECK, "run": {**DECK["run"], "steps": 10**9}, "measure": []}
        process = package.start(deck, output=self.home / "long", **with_program())
        while not (process.table() or {}).get("step", np.zeros(0)).size:
            self.assertFalse(process.done())
        stopped = process.stop()
        step = stopped.summary["last_step"]
        wrong = package.start({**deck, "interaction": []}, output=self.home / "long", **with_program())
        while not wrong.done():
            pass
        with self.assertRaisesRegex(package.MesowarpError, "exit code 2"):
            wrong.stop()
        self.assertEqual(stopped.checkpoints[-1]["step"], step)
        deck["run"]["steps"] = step + 5
        seen = []  # the table is there before the program has begun, so it is looked at in any case
        process = package.start(deck, output=self.home / "long", resume=True, **with_program())
        run = process.wait(watch=lambda table: seen.append(table.rows()), every=0.002)
        self.assertEqual((run.finished, run.summary["last_step"]), (True, step + 5))
        self.assertTrue(seen and 0 < min(seen) <= max(seen) <= run.table.rows(), seen)

    def test_several_ranks(self):
        """The same start, in two parts."""
        options = {"mpiexec": os.environ.get("MESOWARP_MPIEXEC", "mpiexec")}
        set = {"run.steps": 4, "box.size": [6.0, 4.0, 4.0]}
        parts, whole = (package.run(DECK, set, self.home / f"on{ranks}", ranks=ranks, **options, **with_program())
                        for ranks in (2, 1))
        self.assertEqual((parts.summary["ranks"], whole.summary["ranks"]), (2, 1))
        np.testing.assert_array_equal(parts.trajectory.position(0), whole.trajectory.position(0))
        np.testing.assert_allclose(parts.table["pressure"], whole.table["pressure"], rtol=1e-3)

    def test_what_the_page_says(self):
        """Each block of docs/python.md, one after the other, in short runs; what its table names is there."""
        page = (SOURCE / "docs/python.md").read_text(encoding="utf-8")
        measures = [{"name": "flow", "axis": "x", "bins": 4, "every": 2, "window": 10},
                    {**DECK["measure"][1], "quantities": ["velocity"]},
                    {"style": "rdf", "every": 10, "r_max": 1.5}, {"style": "msd", "every": 1}]
        named = {"format": "trajectory", "name": "trajectory-ends", "every": 30, "groups": ["ends"]}
        package.run({**DECK, "measure": measures, "group": [{"name": "ends", "species": ["B"]}],
                     "output": [*DECK["output"], named]}, output=self.home / "melt-output", **with_program())
        short = self.home / "short"
        short.write_text(f'#!/bin/sh\nexec "{PROGRAM}" "$@" --set run.steps=60\n')
        short.chmod(0o755)
        before, here = dict(os.environ), Path.cwd()
        os.chdir(self.home)
        os.environ["MESOWARP_PROGRAM"] = str(short)
        try:
            names, printed = {}, io.StringIO()
            with unittest.mock.patch.object(package.programs.time, "sleep", lambda _: None), \
                    contextlib.redirect_stdout(printed):
                for code in re.findall(r"^```python\n(.*?)^```", page, re.M | re.S):
                    exec(code, names)
            run = package.open("melt-output")
            for cell in re.findall(r"^\| (`.*?) \|", page, re.M):
                base, *others = re.findall(r"`([^`]+)`", cell)
                for code in (base, *(base.rsplit(".", 1)[0] + other for other in others)):
                    self.assertIsNotNone(eval(code.replace("2000", "20"), {"run": run}), code)
        finally:
            os.chdir(here)
            os.environ.clear()
            os.environ.update(before)
        found = re.findall(r"^a = (\d+): pressure [\d.]+ ± [\d.]+$", printed.getvalue(), re.M)
        self.assertEqual([float(a) for a in found], [15, 25, 35])
        self.assertTrue(names["process"].done())

    def test_it_needs_three_packages(self):
        text = (SOURCE / "python/pyproject.toml").read_text(encoding="utf-8")
        self.assertEqual(re.findall(r"^dependencies = (.*)$", text, re.M), ['["numpy", "h5py", "matplotlib"]'])

    def test_pip_installs_it(self):
        """Without a network: setuptools has to be there. From a copy, since it builds where the sources are."""
        shutil.copytree(SOURCE / "python", self.home / "source/python")
        shutil.copy(SOURCE / "CMakeLists.txt", self.home / "source")
        done = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index",
                               "--no-build-isolation", "--target", self.home / "site", self.home / "source/python"],
                              capture_output=True, text=True, check=False)
        if "No module named" in done.stderr and done.returncode != 0 and "setuptools" in done.stderr + done.stdout:
            self.skipTest("no pip with setuptools: apt-get install python3-pip")
        self.assertEqual(done.returncode, 0, done.stderr)
        code = "import mesowarp, sys; print(mesowarp.__file__, mesowarp.__version__)"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                              env={"PYTHONPATH": str(self.home / "site")})
        path, version = done.stdout.split()
        self.assertTrue(path.startswith(str(self.home)))
        self.assertEqual(version, mesowarp("--version").stdout.split()[1])


if __name__ == "__main__":
    unittest.main()
