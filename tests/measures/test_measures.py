"""Measures as a user meets them: every number is what numpy has from the particles of a trajectory; the same bytes on
four ranks and through a checkpoint; and what `check` says."""
import re
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent / "shared")]
from measures import (  # noqa: E402
    cluster_sizes, head, jackknife, lag_numbers, multiple_tau, multiple_tau_terms, nearest, open_part, outputs,
    over_origins, pair_distances, read_frames, read_table, structure_factor, sub_blocks, wave_numbers)
from program import CHECKPOINTS, ProgramTest, mesowarp, summary  # noqa: E402

STEPS = 72
DECK = head(STEPS, 7, [7.0, 5.0, 6.0]) + """periodic = [true, true, {z}]
{wall}
[[population]]
name = "water"
species = "W"
count = 200
mass = 1.5
[[population]]
name = "posts"
species = "F"
count = 25
frozen = true
[[population]]
name = "chains"
kind = "polymer"
blocks = "AAABB"
count = 30
bond_length = 0.47
[[interaction]]
between = "*"
style = "dpd"
a = 15.0
gamma = 4.5
[[bond]]
population = "chains"
style = "harmonic"
k = 50.0
r0 = 0.4
""" + outputs(24, columns=["temperature", "pressure", "pressure_xy"])
PAIRS = """
[[measure]]
style = "rdf"
name = "near"
between = ["A", "W"]
r_max = 0.9
bins = 18
every = 6
[[measure]]
style = "rdf"
name = "far"
between = "*"
r_max = 2.5
bins = 25
every = 6
[[measure]]
style = "clusters"
species = ["A", "B"]
cutoff = 0.45
every = 6
"""
MOTION = """
[[measure]]
style = "msd"
name = "water"
species = ["W"]
levels = 2
every = 1
[[measure]]
style = "msd"
name = "all"
levels = 1
every = 1
keep_drift = true
from = 0.1
to = 0.3
[[measure]]
style = "msd"
name = "centres"
molecules = true
levels = 2
every = 1
[[measure]]
style = "vacf"
levels = 2
every = 1
[[measure]]
style = "chains"
r_max = 4.0
bins = 20
every = 6
[[measure]]
style = "columns"
columns = ["temperature", "pressure_xy"]
from = 0.0
to = 2.0
bins = 8
every = 1
[[measure]]
style = "correlation"
columns = ["pressure_xy", "pressure"]
levels = 3
every = 1
"""
WAVES = """
[[measure]]
style = "structure-factor"
between = ["W", "A"]
n_max = 3
every = 6
"""
# Few samples in many steps: between two of them particles are sorted many times and go to other ranks and back.
FAR_APART = head(2400, 11, [5.6, 5.6, 5.6], "mixed") + """[[population]]
name = "water"
species = "W"
density = 2.0
[[population]]
name = "oil"
species = "O"
density = 1.0
mass = 2.0
[[interaction]]
between = "*"
style = "dpd"
a = 15.0
gamma = 4.5
[[measure]]
style = "msd"
species = ["O"]
levels = 2
every = 50
[[measure]]
style = "vacf"
levels = 1
every = 75
""" + outputs(800, every=25)
# Beads and molecules of different masses: what is weighed by them can be told from what is not.
WEIGHTS = head(48, 5, [6.0, 5.0, 5.5]) + """[[species]]
name = "B"
mass = 3.5
[[population]]
name = "water"
species = "W"
count = 60
mass = 0.5
[[population]]
name = "long"
kind = "polymer"
blocks = "AABBB"
count = 16
bond_length = 0.5
[[population]]
name = "short"
kind = "polymer"
blocks = "ABA"
count = 12
bond_length = 0.5
[[interaction]]
between = "*"
style = "dpd"
a = 15.0
gamma = 4.5
[[bond]]
population = "long"
style = "harmonic"
k = 50.0
r0 = 0.4
[[bond]]
population = "short"
style = "harmonic"
k = 50.0
r0 = 0.4
[[measure]]
style = "msd"
name = "centres"
molecules = true
levels = 1
every = 1
[[measure]]
style = "msd"
name = "beads"
levels = 1
every = 1
[[measure]]
style = "chains"
r_max = 4.0
bins = 10
every = 6
""" + outputs(48)
# Blocks whose columns a table and measures have by one word.
NAMED = head(63, 3, [8.0, 5.0, 5.0]) + """
[transport]
solutes = ["salt"]
[[population]]
name = "water"
species = "W"
density = 3.0
[[concentration]]
solute = "salt"
value = 1.0
wave_amplitude = 0.5
wave_axis = "x"
[[source]]
solute = "salt"
rate = 1.0
region = "sphere"
center = [3.0, 2.0, 4.0]
radius = 1.0
[[interaction]]
between = "*"
style = "tdpd"
a = 18.75
gamma = 4.5
cutoff = 1.0
kappa = 1.0
[[inflow]]
along = "x"
from = 0.0
to = 3.0
velocity = 0.5
rate = 5.0
every = 3
[[group]]
name = "some"
particles = "0:99"
[[pull]]
group = "some"
style = "each"
force = [0.0, 0.5, 0.0]
[[schedule]]
key = "pull.0.force.y"
steps = [0, 60]
values = [0.5, 2.0]
""" + "".join(block.format(columns=(
    'columns = ["surface_tension", "scheduled", "inflows", "solutes", "groups", "pulls"]')) for block in (
        '[[output]]\nformat = "table"\nevery = 1\n{columns}\n',
        '[[measure]]\nstyle = "columns"\nevery = 1\n{columns}\n',
        '[[measure]]\nstyle = "correlation"\nevery = 1\nlevels = 2\n{columns}\n'))
WALL = '[[boundary]]\nface = "z"\nstyle = "bounce-back"\n'
WALLED, OPEN = DECK.format(z="false", wall=WALL) + PAIRS + MOTION, DECK.format(z="true", wall="") + WAVES
EVERY = 6
W, F, A, B = range(4)


def close(found, expected, tolerance=2e-9, name=""):
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance, err_msg=name)


class Recomputed(ProgramTest):
    def setUp(self):
        super().setUp()
        self.out = self.home / "out"

    def frames(self, deck):
        self.run_well(self.deck(deck), "--output", self.out)
        frames = read_frames(self.out)
        self.assertEqual(list(frames["steps"]), list(range(STEPS + 1)))
        return frames

    def table(self, name):
        return read_table(self.out / f"{name}.csv")

    def check_errors(self, table, column, samples):
        """Up to 16 samples are blocks of their own: the error of a mean over them is known."""
        expected = np.std(samples, axis=0, ddof=1) / np.sqrt(len(samples))
        close(table[column + "_error"], expected, 1e-7, column)

    def test_between_walls(self):
        f = self.frames(WALLED)
        self.pairs(f)
        self.clusters(f)
        self.displacements(f)
        self.velocities(f)
        self.chains(f)
        self.columns()

    def pairs(self, f):
        box, periodic = f["box"], (True, True, False)
        sampled = f["wrapped"][::EVERY]
        everyone = np.ones(len(f["species"]), dtype=bool)
        for name, first, second, r_max, bins in [
                ("near", f["species"] == A, f["species"] == W, 0.9, 18), ("far", everyone, everyone, 2.5, 25)]:
            same = np.equal.outer(np.flatnonzero(first), np.flatnonzero(second))
            edges = np.linspace(0.0, r_max, bins + 1)
            counts = np.array([np.histogram(pair_distances(p[first], p[second], same, box, periodic), edges)[0]
                               for p in sampled])
            fine = np.linspace(0.0, r_max, 1000 * bins + 1)
            shell = 4 * np.pi * fine**2 * open_part(fine, box, periodic)
            volumes = (0.5 * (shell[1:] + shell[:-1]) * np.diff(fine)).reshape(bins, -1).sum(axis=1)
            g = counts * np.prod(box) / (volumes * (first.sum() * second.sum() - same.sum()))
            table = self.table(name)
            close(table["distance"], 0.5 * (edges[1:] + edges[:-1]))
            close(table["count"], counts.mean(axis=0), name=name)
            close(table["g"], g.mean(axis=0), 1e-5, name)
            self.assertTrue((table["samples"] == len(sampled)).all())
            np.testing.assert_allclose(table["g_error"], g.std(axis=0, ddof=1) / np.sqrt(len(g)), rtol=1e-5, atol=1e-7)
            close(table["coordination"], np.cumsum(counts.mean(axis=0)) / first.sum(), name=name)

    def clusters(self, f):
        chosen = f["species"] >= A
        all_sizes = [cluster_sizes(p[chosen], f["box"], (True, True, False), 0.45) for p in f["wrapped"][::EVERY]]
        ends = 2.0 ** np.arange(33)
        counts = [np.histogram(np.ceil(np.log2(s)), np.arange(34) - 0.5)[0] for s in all_sizes]
        table, means = self.table("clusters"), self.table("clusters_means")
        close(table["largest_size"], ends)
        close(table["clusters"], np.mean(counts, axis=0))
        self.assertTrue(max(s.max() for s in all_sizes) >= 5)
        weights = [np.histogram(np.ceil(np.log2(s)), np.arange(34) - 0.5, weights=s)[0] for s in all_sizes]
        close(table["share_of_particles"], np.mean(weights, axis=0) / chosen.sum())
        number = np.mean([len(s) for s in all_sizes])
        close(means["clusters"][0], number)
        self.check_errors(means, "clusters", [len(s) for s in all_sizes])
        close(means["mean_size"][0], chosen.sum() / number)
        close(means["mean_size_of_a_particle"][0], np.mean([(s**2).sum() for s in all_sizes]) / chosen.sum())
        close(means["largest"][0], np.mean([s.max() for s in all_sizes]))

    def displacements(self, f):
        mass, species, x = f["mass"], f["species"], f["unwrapped"]

        def squared(weights):
            def of(then, now):
                d = now - then
                if weights is not None:
                    d = d - np.average(d, axis=0, weights=weights)
                return (d**2).mean(axis=0)
            return of
        chain = x[:, species >= A].reshape(len(x), 30, 5, 3)
        bonds = nearest(np.diff(chain, axis=2), f["box"], (True, True, False))
        whole = np.concatenate([chain[:, :, :1], chain[:, :, :1] + np.cumsum(bonds, axis=2)], axis=2)
        close(whole, chain, 1e-6)  # the program's images make molecules whole
        moving = species != F
        for name, values, levels, function in [
                ("water", x[:, species == W], 2, squared(np.ones(200))), ("all", x[:, moving], 1, squared(None)),
                ("centres", whole.mean(axis=2), 2, squared(np.ones(30)))]:
            expected = over_origins(values, levels, function)
            table, means = self.table(name), self.table(name + "_means")
            close(table["time"], 0.02 * np.array([0] + [lag for lag, _ in lag_numbers(levels)]))
            for axis in range(3):
                close(table["msd_" + "xyz"[axis]][1:], expected[:, axis], 1e-7, name)
            total = np.append(0.0, expected.sum(axis=1))
            close(table["msd"], total, 1e-7, name)
            if name == "all":
                t = table["time"]
                used = (t > 0.099) & (t < 0.301)
                close(means["diffusion"][0], np.polyfit(t[used], total[used], 1)[0] / 6, 1e-6)
                self.assertTrue(means["diffusion_error"][0] > 0)
                self.assertTrue((table["msd_error"][1:4] > 0).all())

    def velocities(self, f):
        v = f["velocity"][:, f["species"] != F]
        expected = over_origins(v, 2, lambda then, now: np.full(3, (then * now).sum(axis=1).mean() / 3))[:, 0]
        start = np.mean([(v[n]**2).sum(axis=1).mean() / 3 for n in range(0, STEPS + 1, 16)])
        table = self.table("vacf")
        expected = np.append(start, expected)
        close(table["vacf"], expected, 1e-7)
        steps = 0.5 * (expected[1:] + expected[:-1]) * np.diff(table["time"])
        close(table["diffusion"], np.append(0.0, np.cumsum(steps)), 1e-7)

    def chains(self, f):
        x = f["unwrapped"][::EVERY][:, f["species"] >= A].reshape(-1, 30, 5, 3)
        re = np.linalg.norm(x[:, :, -1] - x[:, :, 0], axis=2)
        away = x - x.mean(axis=2, keepdims=True)
        tensors = np.einsum("tcia,tcib->tcab", away, away) / 5
        values = np.linalg.eigvalsh(tensors)
        rg2 = values.sum(axis=2)
        products = values[..., 0] * values[..., 1] + values[..., 1] * values[..., 2] + values[..., 2] * values[..., 0]
        means, table = self.table("chains_means"), self.table("chains")
        for column, samples in [("re2", re**2), ("rg2", rg2), ("re", re), ("rg", np.sqrt(rg2)),
                                ("shape_anisotropy", 1 - 3 * products / rg2**2)]:
            close(means[column][0], samples.mean(), 1e-7, column)
            self.check_errors(means, column, samples.mean(axis=1))
        for column, samples in [("re", re), ("rg", np.sqrt(rg2))]:
            counts = np.histogram(samples, np.linspace(0.0, 4.0, 21))[0]
            close(table["probability_" + column], counts / samples.size / 0.2, 1e-9, column)

    def columns(self):
        rows = read_table(self.out / "thermo.csv")
        table = self.table("columns")
        for column in ("temperature", "pressure_xy"):
            self.check_column(self.table("columns_means"), column, rows[column])
            bins = np.floor(rows[column] / 0.25)[:, None] == np.arange(8)
            close(table["probability_" + column], bins.mean(axis=0) / 0.25, 1e-9)
            errors = jackknife(sub_blocks(len(bins)), np.column_stack([bins, np.ones(len(bins))]),
                               lambda sums: sums[:-1] / sums[-1] / 0.25)
            close(table[f"probability_{column}_error"], errors, 1e-9, column)
        lags, _ = multiple_tau(rows["pressure"], 3)
        close(self.table("correlation")["time"], 0.02 * lags)
        for column in ("pressure_xy", "pressure"):
            self.check_correlation(self.table("correlation"), column, rows[column], 3)

    def check_column(self, means, column, samples):
        """Mean, deviation and the errors of both, from sub-blocks."""
        block = sub_blocks(len(samples))
        size = np.abs(samples).max()

        def numbers(sums):
            mean = sums[1] / sums[0]
            return np.array([mean, np.sqrt(max(sums[2] / sums[0] - mean**2, 0.0))])
        terms = np.column_stack([np.ones(len(samples)), samples, samples**2])
        errors = jackknife(block, terms, numbers)
        for k, what in enumerate(("_mean", "_deviation")):
            tolerance = 1e-6 * size + 1e-12
            self.assertAlmostEqual(means[column + what][0], numbers(terms.sum(axis=0))[k], delta=tolerance, msg=column)
            self.assertAlmostEqual(means[f"{column}{what}_error"][0], errors[k], delta=tolerance, msg=column)

    def check_correlation(self, table, column, samples, levels):
        _, products = multiple_tau(samples[:, None], levels)
        tolerance = 1e-6 * products[0, 0]
        terms = multiple_tau_terms(samples, levels)
        own = np.column_stack([np.ones(len(samples)), samples])
        weights = np.column_stack([terms.reshape(len(samples), -1), own])

        def numbers(sums):
            of = sums[:-2].reshape(-1, 2)
            return of[:, 1] / of[:, 0] - (sums[-1] / sums[-2])**2
        np.testing.assert_allclose(numbers(weights.sum(axis=0)), products[:, 0] - samples.mean()**2, rtol=0,
                                   atol=tolerance)
        np.testing.assert_allclose(table["correlation_" + column], numbers(weights.sum(axis=0)), rtol=1e-6,
                                   atol=tolerance, err_msg=column)
        errors = jackknife(sub_blocks(len(samples)), weights, numbers)
        np.testing.assert_allclose(table[f"correlation_{column}_error"], errors, rtol=1e-6, atol=tolerance,
                                   err_msg=column)

    def test_columns_that_blocks_name(self):
        """Words that stand for columns of each block, and the surface tension: of all the samples are the table's
        rows."""
        self.run_well(self.deck(NAMED), "--output", self.out)
        rows = read_table(self.out / "thermo.csv")
        columns = [column for column in rows if column not in ("step", "time")]
        for word in ("surface_tension", "scheduled.", "inflow1_", "total_salt", "group_some_", "pull_some_"):
            self.assertTrue(any(column.startswith(word) for column in columns), word)
        means, table = self.table("columns_means"), self.table("correlation")
        for column in columns:
            if column != "wall_time":
                self.check_column(means, column, rows[column])
                self.check_correlation(table, column, rows[column], 2)
        self.assertGreater(rows["inflow1_force"].std(), 1.0)
        # A sample's means go on where the run went on from a checkpoint, between two looks at the inflow.
        seldom = NAMED.replace("every = 1\n", "every = 7\n") + CHECKPOINTS.replace("20", "40")
        found = []
        for arguments in ((), ("--resume", self.home / "seldom" / "checkpoint-40.h5")):
            self.run_well(self.deck(seldom), "--output", self.home / "seldom", *arguments)
            found.append([(self.home / "seldom" / f"{name}.csv").read_bytes()
                          for name in ("columns_means", "correlation")])
        self.assertEqual(found[0], found[1])

    def test_of_different_masses(self):
        self.run_well(self.deck(WEIGHTS), "--output", self.out)
        f = read_frames(self.out)
        x, mass = f["unwrapped"], f["mass"]
        self.assertEqual(sorted(set(np.round(mass, 9))), [0.5, 1.0, 3.5])
        first = 60  # behind the water
        ends = [first + 5 * k for k in range(17)] + [first + 80 + 3 * (k + 1) for k in range(12)]
        molecules = [slice(a, b) for a, b in zip(ends, ends[1:])]
        centres = np.stack([np.average(x[:, m], axis=1, weights=mass[m]) for m in molecules], axis=1)

        def squared(weights):
            def of(then, now):
                d = now - then
                return ((d - np.average(d, axis=0, weights=weights))**2).mean(axis=0)
            return of
        for name, values, weights in [("centres", centres, [mass[m].sum() for m in molecules]), ("beads", x, mass)]:
            expected = over_origins(values, 1, squared(weights))
            other = over_origins(values, 1, squared(np.ones(len(weights))))
            self.assertGreater(np.nanmax(np.abs(other / expected - 1)), 1e-3)
            for axis in range(3):
                close(self.table(name)["msd_" + "xyz"[axis]][1:], expected[:, axis], 1e-7, name)
        sampled = x[::EVERY]
        rg2 = np.mean([np.average(((sampled[:, m] - c[:, None])**2).sum(axis=2), axis=1, weights=mass[m])
                       for m, c in zip(molecules, np.moveaxis(centres[::EVERY], 1, 0))])
        close(self.table("chains_means")["rg2"][0], rg2, 1e-7)

    def test_waves(self):
        f = self.frames(OPEN)
        s = np.array([structure_factor(p[f["species"] == W], p[f["species"] == A], f["box"], 3)
                      for p in f["wrapped"][::EVERY]])
        table = self.table("structure-factor")
        lengths, number = wave_numbers(f["box"], 3)
        close(table["wave_number"], lengths)
        close(table["count"], number)
        for k, column in enumerate(["s", "s_x", "s_y", "s_z"]):
            close(table[column], s[:, :, k].mean(axis=0), 1e-7, column)
            self.check_errors(table, column, s[:, :, k])


class SameBytes(ProgramTest):
    DECK = DECK.format(z="false", wall=WALL).replace("double", "mixed").replace('precision = "mixed"\nfields',
                                                                               'precision = "double"\nfields')

    def results(self, directory):
        names = [path for path in directory.iterdir() if path.suffix == ".csv" and path.name != "thermo.csv"]
        self.assertGreater(len(names), 10)
        return {path.name: path.read_bytes() for path in names}

    def test_on_four_ranks_and_through_checkpoints(self):
        """A checkpoint at a step in which origins are stored (48), and one at which a window is under way."""
        windows = "\n[[measure]]\nstyle = \"rdf\"\nname = \"windows\"\nr_max = 1.5\nbins = 5\nevery = 5\nwindow = 25\n"
        deck = self.deck(self.DECK + PAIRS + MOTION + windows)
        self.run_well(deck, "--output", self.home / "one")
        expected = self.results(self.home / "one")
        self.run_well(deck, "--output", self.home / "four", ranks=4)
        self.assertEqual(self.results(self.home / "four"), expected)
        self.assertEqual(summary(self.home / "four")["state_hash"], summary(self.home / "one")["state_hash"])
        for directory, ranks in [("one", 1), ("four", 4), ("one", 4)]:
            out = self.home / directory
            self.run_well(deck, "--output", out, "--resume", out / "checkpoint-48.h5", ranks=ranks)
            self.assertEqual(self.results(out), expected, f"{directory}, resumed on {ranks}")

    def test_a_new_measure_begins_where_the_run_goes_on(self):
        before = self.deck(self.DECK)
        out = self.home / "out"
        self.run_well(before, "--output", out)
        after = self.deck(self.DECK + MOTION, "after.toml")
        done = self.run_well(after, "--output", out, "--resume", out / "checkpoint-48.h5")
        self.assertIn("no sums of [[measure]] 'water': it begins behind step 48", done.stdout + done.stderr)
        table = read_table(out / "water.csv")
        self.assertEqual(table["first_step"][0], 49)
        self.assertEqual(table["count"][1], 1)  # of origins at sample 64 alone
        other = self.deck(self.DECK + MOTION.replace('levels = 2', 'levels = 3'), "other.toml")
        refused = mesowarp("run", other, "--output", out, "--resume", out / "checkpoint-72.h5")
        self.assertEqual(refused.returncode, 2, refused.stdout + refused.stderr)


class FarApart(ProgramTest):
    """Origins stay where they are while particles are sorted, and go with them to other ranks."""

    def tables(self, out):
        return {name: (out / f"{name}.csv").read_bytes() for name in ("msd", "msd_means", "vacf", "vacf_means")}

    def test_against_the_trajectory_and_on_ranks(self):
        deck = self.deck(FAR_APART)
        one = self.home / "1"
        self.run_well(deck, "--output", one)
        f = read_frames(one)
        x, v = f["unwrapped"][::2][:, f["species"] == 1], f["velocity"][::3]

        def squared(then, now):
            d = now - then
            return ((d - d.mean(axis=0))**2).mean(axis=0)
        table = read_table(one / "msd.csv")
        expected = over_origins(x, 2, squared)
        self.assertTrue(np.isfinite(expected).any(axis=1).sum() >= 24)  # 16 lags of level 0, 8 of level 1
        for axis in range(3):
            close(table["msd_" + "xyz"[axis]][1:], expected[:, axis], 1e-6)
        self.assertGreater(expected[15].sum(), 3.0)  # further than a rank's part is from the next
        products = over_origins(v, 1, lambda then, now: np.full(3, (then * now).sum(axis=1).mean() / 3))[:, 0]
        np.testing.assert_allclose(read_table(one / "vacf.csv")["vacf"][1:], products, rtol=1e-5, atol=1e-7)
        self.same_on_ranks(deck, self.tables(one))

    def same_on_ranks(self, deck, expected):
        for ranks in (2, 4):
            out = self.home / str(ranks)
            self.run_well(deck, "--output", out, ranks=ranks)
            self.assertGreater(summary(out)["migrated"], 1000)
            self.assertEqual(self.tables(out), expected, f"{ranks} ranks")
        for directory, ranks in [("4", 4), ("2", 1), ("1", 2)]:  # the same ranks go on as they are; others share out
            out = self.home / directory
            self.run_well(deck, "--output", out, "--resume", out / "checkpoint-1600.h5", ranks=ranks)
            self.assertEqual(self.tables(out), expected, f"{directory}, resumed on {ranks}")


class Check(ProgramTest):
    def bytes_of(self, measure):
        done = mesowarp("check", self.deck(OPEN.replace(WAVES, "") + measure))
        return int(re.search(r"([0-9]+) bytes per particle", done.stdout).group(1))

    def test_memory(self):
        """Of a particle: what is seen of it, and three words of each level, twice, and where they are."""
        without = self.bytes_of("")
        seen = 24 + 4 + 12
        for measure, more in [
                ('style = "msd"\nlevels = 3', seen + 2 * 3 * 24 + 8),
                ('style = "vacf"\nlevels = 2', 2 * 2 * 24 + 8 + 24),
                ('style = "structure-factor"', seen),
                ('style = "rdf"\nr_max = 1.0', 24 + 4),
                ('style = "rdf"\nr_max = 2.0', 24 + 4 + 64)]:
            self.assertAlmostEqual(self.bytes_of("[[measure]]\n" + measure) - without, more, delta=1, msg=measure)

    def errors(self, measure, deck=OPEN):
        done = mesowarp("check", self.deck(deck + "[[measure]]\n" + measure))
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_few_samples(self):
        """Steps 20, 40, 60, 80 are four."""
        deck = self.deck(OPEN + '[[measure]]\nstyle = "rdf"\nr_max = 1.0\nevery = 20\nstart = 20\n')
        for steps, words in ((79, "the run has 3 samples of this"), (80, "")):
            done = mesowarp("check", deck, "--set", f"run.steps={steps}")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(words, done.stderr)
            self.assertEqual(not words, "samples of this" not in done.stderr, done.stderr)

    def test_what_is_wrong(self):
        for measure, words in [
            ('style = "rdf"\nr_max = 2.6', "r_max = 2.6 is more than half the box along y: take up to 2.5"),
            ('style = "rdf"', "needs r_max"),
            ('style = "rdf"\nr_max = 1.0\nbetween = ["W", "Q"]', 'no population has the species "Q"'),
            ('style = "rdf"\nr_max = 1.0\nevery = 10\nwindow = 20',
             "holds 2 samples, every 10 steps, and errors need 4"),
            ('style = "rdf"\nr_max = 1.0\nlevels = 2', "levels"),
            ('style = "msd"\nspecies = ["w"]', 'no population has the species "w"; did you mean "W"?'),
            ('style = "msd"\nmolecules = true\npopulation = "water"', "molecules are what bonds join"),
            ('style = "msd"\npopulation = "chains"', "population is for molecules = true"),
            ('style = "msd"\nfrom = 2.0\nto = 1.0', "from = 2 is not below to = 1"),
            ('style = "clusters"\ncutoff = 9.0', "more than half the box along x: take up to 3.5"),
            ('style = "viscosity"\nevery = 5', "the stress of random forces is new in each step"),
            ('style = "viscosity"', "frozen particles"),
            ('style = "columns"\ncolumns = ["shear_stress"]', "needs a [shear] block"),
            ('style = "columns"\ncolumns = ["wall_time"]', "wall_time"),
            ('style = "columns"\ncolumns = ["pressure"]\nfrom = 2.0\nto = 1.0', "to = 1 is below from = 2"),
            ('style = "chains"\nr_max = 3.0\nname = "a_means"', "files that end so"),
            ('style = "structure-factor"\nn_max = 40', "n_max"),
            ('style = "vacf"\n' + "".join(f'[[measure]]\nstyle = "msd"\nname = "m{k}"\n' for k in range(4)),
             "up to 4 measures of msd and vacf"),
        ]:
            with self.subTest(measure=measure):
                message = self.errors(measure)
                self.assertIn(words, message)
                self.assertTrue(re.search(r"deck\.toml:\d+:\d+: ", message), message)

    def test_walls_and_shear(self):
        self.assertIn("without walls", self.errors('style = "viscosity"', WALLED))
        shear = OPEN.replace("[[population]]", "[shear]\nrate = 0.1\n[[population]]", 1).replace(WAVES, "")
        for measure, words in [('style = "msd"', "images move with the flow"),
                               ('style = "rdf"\nr_max = 1.2', "up to the largest cutoff, 1")]:
            self.assertIn(words, self.errors(measure, shear))


if __name__ == "__main__":
    unittest.main()
