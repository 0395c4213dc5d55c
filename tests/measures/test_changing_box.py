"""Measures in a box that changes, by [barostat] and by [deformation]: every number is what numpy has from the particles
and edges of a trajectory; the same bytes on ranks, threads and through a checkpoint; and what is known of displacements
in such a box: none of particles that only go with it, the diffusion of free particles, that of a fluid at its mean
volume."""
import re
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent / "shared")]
from measures import head, over_origins, outputs, read_frames, read_table, wave_numbers, waves_of  # noqa: E402
from program import ProgramTest, mesowarp, summary  # noqa: E402

STEPS = 72
SIZE = np.array([7.0, 5.0, 6.0])
BAROSTAT = '[barostat]\npressure = 30.0\ncompressibility = 0.02\nperiod = 0.4\nevery = 3\ncoupling = "anisotropic"\n'
DEFORMATION = "[deformation]\nsize = [10.0, 4.0, 0.0]\nto = 60\nevery = 4\n"
SCHEDULE = '[[schedule]]\nkey = "box.size.x"\nsteps = [0, 60]\nvalues = [7.0, 10.0]\n' \
           '[[schedule]]\nkey = "box.size.y"\nsteps = [10, 50]\nvalues = [5.0, 4.0]\n'
DECK = head(STEPS, 7, list(SIZE)) + """{change}
[[population]]
name = "water"
species = "W"
count = 250
mass = 1.5
[[population]]
name = "chains"
kind = "polymer"
blocks = "AAABB"
count = 40
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
[[measure]]
style = "msd"
name = "all"
levels = 2
every = 1
[[measure]]
style = "msd"
name = "water"
species = ["W"]
levels = 1
every = 2
keep_drift = true
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
style = "structure-factor"
name = "waves"
between = ["W", "A"]
n_max = 3
every = 6
[[measure]]
style = "field"
name = "cells"
cells = [3, 2, 1]
every = 2
window = 24
[[measure]]
style = "field"
name = "whole"
cells = [1, 1, 1]
quantities = ["density", "stress"]
every = 1
[[measure]]
style = "cylinder"
name = "rings"
axis = "z"
center = [6.5, 2.0, 3.0]
inner_radius = 0.3
radius = 1.5
bins = 3
every = 6
[[measure]]
style = "sphere"
name = "shells"
center = [6.5, 2.0, 0.5]
radius = 1.6
bins = 2
every = 6
""" + outputs(24, columns=["volume", "box_x", "box_y", "box_z", "pressure_xx", "pressure_yz"])
W, A = 0, 1
FILES = ("all", "all_means", "water", "centres", "centres_means", "vacf", "waves", "rings", "shells", "thermo")


def close(found, expected, tolerance=2e-9, name=""):
    np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance, err_msg=name)


def datasets(path):
    with h5py.File(path) as file:
        return {name: file[name][()] for name in file}


class Recomputed(ProgramTest):
    """By a barostat, a deformation, edges by tables."""

    def frames(self, change):
        self.out = self.home / "out"
        self.run_well(self.deck(DECK.format(change=change)), "--output", self.out)
        self.f = read_frames(self.out)
        self.assertEqual(list(self.f["steps"]), list(range(STEPS + 1)))
        self.boxes = self.f["boxes"]
        self.assertGreater(np.ptp(self.boxes[:, 0]) / self.boxes[0, 0], 0.02, "the box has hardly changed")
        np.testing.assert_array_equal(self.boxes[0], SIZE)
        self.fractions = self.f["unwrapped"] / self.boxes[:, None, :]

    def table(self, name):
        return read_table(self.out / f"{name}.csv")

    def test_barostat(self):
        self.frames(BAROSTAT)
        self.everything(0.003)

    def test_deformation(self):
        self.frames(DEFORMATION)
        self.everything(0.03)

    def test_edges_by_tables(self):
        self.frames(SCHEDULE)
        self.everything(0.03)

    def everything(self, least):
        self.displacements(least)
        self.velocities()
        self.waves()
        self.cells()
        self.shells()

    def displacements(self, least):
        """least: by how much displacements in units of the present edges are others, and those of places more so."""
        species, mass = self.f["species"], self.f["mass"]
        chain = self.fractions[:, species >= A].reshape(STEPS + 1, 40, 5, 3)
        every = {"all": (self.fractions, 2, mass, 1), "water": (self.fractions[:, species == W], 1, None, 2),
                 "centres": (chain.mean(axis=2), 2, np.ones(40), 1)}
        for name, (fractions, levels, weights, step) in every.items():
            samples = list(zip(self.boxes[::step], fractions[::step]))

            def squared(then, now, edges=lambda a, b: np.sqrt(a * b), weights=weights):
                d = (now[1] - then[1]) * edges(then[0], now[0])
                return ((d - (np.average(d, axis=0, weights=weights) if weights is not None else 0.0))**2).mean(axis=0)
            expected = over_origins(samples, levels, squared)
            present = over_origins(samples, levels, lambda a, b: squared(a, b, lambda _, now: now))
            self.assertGreater(np.nanmax(np.abs(present / expected - 1.0)), least)
            table = self.table(name)
            for axis in range(3):
                close(table["msd_" + "xyz"[axis]][1:], expected[:, axis], 1e-7, name)
            close(table["msd"], np.append(0.0, expected.sum(axis=1)), 1e-7, name)

    def velocities(self):
        expected = over_origins(self.f["velocity"], 2,
                                lambda then, now: np.full(3, (then * now).sum(axis=1).mean() / 3))[:, 0]
        close(self.table("vacf")["vacf"][1:], expected, 1e-7)

    def waves(self):
        """Numbers of waves and their shells are those of the box at the start; wave numbers are means."""
        species, sampled = self.f["species"], self.fractions[::6]
        waves, shell = waves_of(SIZE, 3)
        phases = np.exp(2j * np.pi * np.einsum("wa,tna->twn", waves, sampled))
        first, second = (phases[:, :, species == kind].sum(axis=2) for kind in (W, A))
        s = (first * second.conj()).real / np.sqrt((species == W).sum() * (species == A).sum())
        k = np.linalg.norm(2 * np.pi * waves / self.boxes[::6, None, :], axis=2)
        table = self.table("waves")
        lengths, number = wave_numbers(SIZE, 3)
        close(table["wave_number"], lengths)
        close(table["count"], number)
        for column, values in (("s", s), ("k", k)):
            close(table[column], [values[:, shell == n].mean() for n in range(3)], 1e-7, column)
            errors = [values[:, shell == n].mean(axis=1).std(ddof=1) / np.sqrt(len(values)) for n in range(3)]
            close(table[column + "_error"], errors, 1e-7, column)
            for axis in range(3):
                rows = [np.flatnonzero((waves == np.eye(3)[axis] * (n + 1)).all(axis=1))[0] for n in range(3)]
                close(table[f"{column}_{'xyz'[axis]}"], values[:, rows].mean(axis=0), 1e-7, column)
        self.assertGreater(np.abs(table["k_x"] / (2 * np.pi * np.arange(1, 4) / SIZE[0]) - 1.0).min(), 0.01)

    def cells(self):
        cells, counts = datasets(self.out / "cells.h5"), np.array([3, 2, 1])
        np.testing.assert_array_equal(cells["spacing"], SIZE / counts)
        text = (self.out / "cells.xmf").read_text(encoding="utf-8")
        spacings = re.findall(r'XML">([^<]*)</DataItem>\s*</Geometry>', text)
        self.assertEqual(len(spacings), 3)  # the last step alone is no block
        for block in range(3):
            rows = slice(24 * block, 24 * block + 24, 2)
            self.assertEqual(cells["samples"][block], len(self.boxes[rows]))
            edges = self.boxes[rows].mean(axis=0)
            close(cells["edges"][block], edges)
            close([float(word) for word in spacings[block].split()], (edges / counts)[::-1])
            place = np.floor((self.fractions[rows] % 1.0) * counts).astype(int)
            index = (place[..., 1] * 3 + place[..., 0]).ravel()
            seen = np.bincount(index, minlength=6)
            close(cells["count"][block].ravel(), seen / len(self.boxes[rows]))
            close(cells["density"][block].ravel(), seen / (self.boxes[rows].prod(axis=1).sum() / 6))
            mass = np.tile(self.f["mass"], len(self.boxes[rows]))
            v = self.f["velocity"][rows].reshape(-1, 3)
            for axis in range(3):
                flow = np.bincount(index, mass * v[:, axis], 6) / np.bincount(index, mass, 6)
                close(cells["velocity"][block][..., axis].ravel(), flow, 1e-7)
        rows, whole = read_table(self.out / "thermo.csv"), datasets(self.out / "whole.h5")
        for component, column in ((0, "pressure_xx"), (4, "pressure_yz")):  # xx, xy, xz, yy, yz, zz
            expected = -(rows[column] * rows["volume"]).mean() / rows["volume"].mean()
            close(whole["stress"][0].ravel()[component], expected, 1e-5, column)
        close(whole["edges"][0], self.boxes.mean(axis=0))
        close(whole["density"].ravel(), 450 / rows["volume"].mean())

    def shells(self):
        """Their middles are fractions of the box, their radii lengths."""
        boxes = self.boxes[::6]
        for name, center, axes, edges in (("rings", [6.5, 2.0, 3.0], [0, 1], np.linspace(0.3, 1.5, 4)),
                                          ("shells", [6.5, 2.0, 0.5], [0, 1, 2], np.linspace(0.0, 1.6, 3))):
            d = self.fractions[::6] - np.array(center) / SIZE
            d = (d - np.rint(d)) * boxes[:, None, :]
            counts = np.array([np.histogram(r, edges)[0] for r in np.linalg.norm(d[..., axes], axis=2)])
            count = counts.mean(axis=0)
            area = np.pi * edges**2 * boxes[:, 2].mean() if name == "rings" else 4 / 3 * np.pi * edges**3
            table = self.table(name)
            close(table["count"], count, name=name)
            close(table["density"], count / np.diff(area), 1e-9, name)
            # Samples weigh as the volumes that they are of.
            weight = boxes[:, 2] / boxes[:, 2].mean() if name == "rings" else np.ones(len(boxes))
            away = counts - np.outer(weight, count)
            squared = (away**2).sum(axis=0) / (1.0 - ((weight / len(boxes))**2).sum()) / len(boxes)**2
            close(table["density_error"], np.sqrt(squared) / np.diff(area), 1e-7, name)


class SameBytes(ProgramTest):
    def results(self, directory):
        return ({name: (directory / f"{name}.csv").read_bytes() for name in FILES},
                {name: {key: values.tobytes() for key, values in datasets(directory / f"{name}.h5").items()}
                 for name in ("cells", "whole")}, (directory / "cells.xmf").read_bytes(),
                summary(directory)["state_hash"])

    def test_on_ranks_and_threads_and_through_checkpoints(self):
        """Checkpoints at a step in which origins are stored (48), and at one between (24): of level 0, not of 1."""
        for kind, change in (("barostat", BAROSTAT), ("deformation", DEFORMATION)):
            deck = self.deck(DECK.format(change=change).replace('precision = "double"\nrepro',
                                                                'precision = "mixed"\nrepro'), kind + ".toml")
            one = self.home / kind
            self.run_well(deck, "--output", one, "--threads", "1")
            expected = self.results(one)
            for ranks in (2, 4):
                out = self.home / f"{kind}{ranks}"
                self.run_well(deck, "--output", out, ranks=ranks)
                self.assertEqual(self.results(out), expected, f"{kind} on {ranks} ranks")
            self.run_well(deck, "--output", self.home / f"{kind}-threads", "--threads", "2")
            self.assertEqual(self.results(self.home / f"{kind}-threads"), expected, f"{kind} on threads")
            for step, before, behind in ((24, 1, 1), (48, 1, 2), (31, 4, 1)):
                out = self.home / f"{kind}-{step}"
                self.run_well(deck, "--output", out, "--steps", step, ranks=before)
                self.run_well(deck, "--output", out, "--resume", ranks=behind)
                self.assertEqual(self.results(out), expected, f"{kind}, resumed from {step} on {behind}")

    def test_a_barostat_that_comes_later(self):
        """The checkpoint of a run whose box stayed has no edges at origins: they were the deck's."""
        measures = """[[measure]]
style = "msd"
levels = 2
every = 1
[[measure]]
style = "msd"
name = "centres"
molecules = true
levels = 1
every = 1
"""
        head_, rest = DECK[:DECK.index("[[measure]]")], outputs(24)
        out = self.home / "out"
        self.run_well(self.deck((head_ + measures).format(change="") + rest), "--output", out, "--steps", 24)
        self.run_well(self.deck((head_ + measures).format(change=BAROSTAT) + rest), "--output", out, "--resume")
        f = read_frames(out)
        samples = [(box, x / box) for box, x in zip(f["boxes"], f["unwrapped"])]
        self.assertGreater(np.ptp(f["boxes"][:, 0]), 0.1)

        def squared(then, now):
            d = (now[1] - then[1]) * np.sqrt(then[0] * now[0])
            return ((d - np.average(d, axis=0, weights=f["mass"]))**2).mean(axis=0)
        expected = over_origins(samples, 2, squared)
        for axis in range(3):
            close(read_table(out / "msd.csv")["msd_" + "xyz"[axis]][1:], expected[:, axis], 1e-7)


FREE = """
[run]
steps = {steps}
timestep = 0.01
seed = 5
[box]
size = [8.0, 8.0, 8.0]
{change}
[[population]]
name = "free"
species = "F"
count = 3000
[[interaction]]
between = "*"
style = "dpd"
a = 0.0
gamma = 0.0
[[thermostat]]
population = "free"
friction = 10.0
[[measure]]
style = "msd"
every = 25
levels = 3
"""


class Known(ProgramTest):
    def msd(self, name, text):
        self.run_well(self.deck(text, name + ".toml"), "--output", self.home / name, "--quiet")
        return read_table(self.home / name / "msd.csv"), read_table(self.home / name / "msd_means.csv")

    def test_particles_that_only_go_with_the_box(self):
        """Without forces, heat and noise nothing moves but the box."""
        text = FREE.format(steps=300, change="[deformation]\nrate = [0.1, -0.05, 0.0]\n").replace(
            "seed = 5", "seed = 5\ntemperature = 0.0")
        table, _ = self.msd("cold", text)
        self.assertGreater(len(table["msd"]), 10)
        self.assertLess(np.nanmax(table["msd"]), 1e-12)

    def test_free_diffusion(self):
        """D of particles with friction and noise knows no box: k_BT / friction, in a box whose edge doubles along x,
        halves along y, stays along z. In units of the present edge msd_x would be twice as large at the longest lag,
        in units of the edge at the origin half as large."""
        steps = 5000
        table, _ = self.msd("free", FREE.format(
            steps=steps, change="[deformation]\nsize = [16.0, 4.0, 8.0]\nto = 5000\n"))
        t = table["time"]
        rows = np.flatnonzero((t >= 2.0) & np.isfinite(table["msd"]))
        self.assertGreater(t[rows].max(), 30.0)
        for axis in "xyz":
            found = table[f"msd_{axis}"][rows] / (2.0 * (t[rows] - 0.1 * (1.0 - np.exp(-10.0 * t[rows]))))
            # Of a lag the mean of n squares of normal numbers, of as many origins as there are.
            error = 0.1 * np.sqrt(2.0 / (3000 * table["count"][rows]))
            self.assertLess(np.abs((found - 0.1) / error).max(), 4.5, f"{axis}: {found}")
            self.assertLess(error.max(), 0.1 * 0.03)

    def test_fluid_at_its_mean_volume(self):
        """Diffusion and structure of the DPD fluid at constant pressure are those in a box of the mean volume."""
        text = """
[run]
steps = 12000
timestep = 0.02
seed = {seed}
[box]
size = [6.0, 6.0, 6.0]
{change}
[[population]]
name = "water"
species = "W"
count = 648
initial = "lattice"
[[interaction]]
between = "*"
a = 25.0
gamma = 4.5
[[measure]]
style = "msd"
every = 10
levels = 3
start = 1000
from = 2.0
to = 10.0
[[measure]]
style = "structure-factor"
n_max = 7
every = 100
start = 1000
"""
        pressure = "[barostat]\npressure = 23.739\ncompressibility = 0.021\nperiod = 1.0\nevery = 5\n"
        _, still = self.msd("still", text.format(seed=1, change=""))
        _, moving = self.msd("moving", text.format(seed=2, change=pressure))
        errors = [m["diffusion_error"][0] for m in (still, moving)]
        self.assertLess(max(errors), 0.04 * still["diffusion"][0], "the run is too short to mean anything")
        self.assertLess(abs(still["diffusion"][0] - moving["diffusion"][0]), 3.5 * np.hypot(*errors))
        still, moving = (read_table(self.home / name / "structure-factor.csv") for name in ("still", "moving"))
        # The box has hardly another size, its waves are those of the other.
        close(moving["k"], still["wave_number"], 0.01)
        away = (moving["s"] - still["s"]) / np.hypot(moving["s_error"], still["s_error"])
        self.assertLess(np.abs(away).max(), 4.0, f"{still['s']}, {moving['s']}")


class Check(ProgramTest):
    def refused(self, text):
        done = mesowarp("check", self.deck(text))
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_what_does_not_follow_a_box(self):
        """Of edges by tables it is told twice, as of any schedule."""
        for change, word in ((BAROSTAT, "[barostat]"), (DEFORMATION, "[deformation]"), (SCHEDULE, "[[schedule]]")):
            said = self.refused(DECK.format(change=change) + '[[measure]]\nstyle = "viscosity"\n')
            self.assertRegex(said, r"deck.toml:\d+.*Green-Kubo is of a fluid whose volume stays")
            self.assertIn(word, said)
            errors = [line for line in said.splitlines() if "deck.toml:" in line and "warning" not in line]
            self.assertTrue(all("Green-Kubo" in line for line in errors), said)

    def test_shells_that_would_not_fit(self):
        text = DECK.format(change=BAROSTAT)
        self.assertRegex(self.refused(text.replace("radius = 1.6", "radius = 2.3")), "radius = 2.3 is above 0.4 of an "
                                                                                      "edge, 5")
        self.assertRegex(self.refused(text.replace("radius = 1.5", "radius = 2.3")), "lower radius")

    def test_a_box_that_has_become_too_small(self):
        text = DECK.format(change="[deformation]\nsize = [7.0, 3.0, 6.0]\nto = 60\n").replace("[run]", "[neighbor]\n"
                           "skin = 0.1\n[run]")
        done = mesowarp("run", self.deck(text), "--output", self.home / "out")
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stdout + done.stderr, r"the box' edge along y has become 3, and the shells of "
                                                    r"\[\[measure\]\] 'shells' reach 1.6 from their middle")


if __name__ == "__main__":
    unittest.main()
