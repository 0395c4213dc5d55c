"""Transport DPD through the program: what it writes, on one rank and several, resumed and not."""
import csv
import json
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "shared"))
from program import SOURCE, mesowarp, mesowarp_on  # noqa: E402

SHORT = [
    "--set", "run.steps=60", "--set", "run.timestep=0.01",
    "--set", "output.0.every=10", "--set", "output.1.every=30", "--set", "measure.0.window=30",
    "--set", "measure.0.every=5", "--set", 'run.reproducibility="bitwise"', "--set", "box.size=[8.0,6.0,10.0]"
]

PLAIN = """
[run]
steps = 40
timestep = 0.01
precision = "double"
[box]
size = [6.0, 6.0, 6.0]
[transport]
solutes = ["salt"]
[[population]]
name = "water"
species = "W"
density = 3.0
concentration = [1.0]
{more}
[[concentration]]
solute = "salt"
species = "W"
value = 1.0
gradient = [0.0, 0.2, 0.0]
[[interaction]]
between = ["*", "*"]
style = "tdpd"
a = 18.75
gamma = 4.5
kappa = 1.0
[[measure]]
axis = "y"
bins = 8
quantities = ["concentration"]
every = 40
window = 40
[[output]]
format = "trajectory"
every = 40
fields = ["position", "concentration"]
precision = "double"
"""


def rows_of(path):
    """A CSV file's rows, as numbers."""
    with open(path, encoding="utf-8") as file:
        return [{key: float(value or "nan") for key, value in row.items()} for row in csv.DictReader(file)]


class TransportFiles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.home = Path(cls.folder.name)
        cls.deck = SOURCE / "examples/tdpd_diffusion.toml"
        cls.whole = cls.run_deck("whole")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def run_deck(cls, name, *more, ranks=1):
        arguments = ["run", cls.deck, *SHORT, *more, "--output", cls.home / name, "--quiet"]
        done = mesowarp(*arguments) if ranks == 1 else mesowarp_on(ranks, *arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        return cls.home / name

    def summary(self, folder):
        return json.loads((folder / "summary.json").read_text(encoding="utf-8"))

    def test_what_is_expected_does_not_count_tracers(self):
        text = self.deck.read_text(encoding="utf-8")
        dots = '[[population]]\nname = "dots"\nkind = "tracers"\ndensity = 5.0\ndiffusion = 0.1\n'
        both = self.home / "both.toml"
        both.write_text(text.replace("[[population]]", dots + "[[population]]", 1), encoding="utf-8")
        told = [[line for line in mesowarp("check", path).stdout.splitlines() if line.startswith("# D of ")]
                for path in (self.deck, both)]
        self.assertEqual(len(told[0]), 2)
        self.assertEqual(told[1], told[0])

    def test_the_table_has_totals(self):
        rows = rows_of(self.whole / "thermo.csv")
        total = [row["total_oxygen"] + row["total_waste"] for row in rows]
        self.assertEqual(rows[0]["total_waste"], 0.0)
        self.assertGreater(rows[-1]["total_waste"], 0.01 * total[0])
        self.assertLess(max(abs(t / total[0] - 1) for t in total), 1e-14)

    def test_profiles_are_those_of_the_trajectory(self):
        once = self.run_deck("once", "--set", "measure.0.every=30")  # one sample a block
        rows = rows_of(once / "concentration_z.csv")
        self.assertEqual(len(rows), 3 * 20)
        with h5py.File(once / "trajectory.h5") as file:
            z, c = (file[f"particles/all/{name}/value"][1] for name in ("position", "concentration"))
        bins = np.minimum((z[:, 2] / 10.0 * 20).astype(int), 19)
        for b, row in enumerate(rows[20:40]):
            for k, name in enumerate(("oxygen", "waste")):
                self.assertAlmostEqual(row[f"concentration_{name}"], c[bins == b][:, k].mean(), 5)
        with h5py.File(self.whole / "concentration_z.h5") as file:
            self.assertEqual(file["concentration_oxygen"].shape, (2, 20))
            self.assertTrue((file["concentration_oxygen_error"][:] > 0.0).all())

    def bins_are_those_of_the_trajectory(self, name, deck):
        """One sample a block; of particles that move, along y; the concentration is 1 or, of frozen ones, 5."""
        path = self.home / f"{name}.toml"
        path.write_text(deck, encoding="utf-8")
        output = self.home / name
        self.assertEqual(mesowarp("run", path, "--output", output, "--quiet").returncode, 0)
        rows = rows_of(output / "profile_y.csv")[-8:]
        with h5py.File(output / "trajectory.h5") as file:
            group = file["particles/all"]
            y, c = group["position/value"][-1][:, 1], group["concentration/value"][-1][:, 0]
            species = group["species"]
            species = (species if isinstance(species, h5py.Dataset) else species["value"])[()].reshape(-1)
        bins = np.minimum((y / 6.0 * 8).astype(int), 7)
        for b, row in enumerate(rows):
            here = (bins == b) & (species == 0)
            self.assertEqual(row["count"], here.sum())
            self.assertAlmostEqual(row["concentration_salt"], c[here].mean(), 5)

    def test_profiles_leave_frozen_particles_out(self):
        rock = '[[population]]\nname = "rock"\nspecies = "R"\ndensity = 1.0\nfrozen = true\nconcentration = [5.0]\n'
        self.bins_are_those_of_the_trajectory("rock", PLAIN.format(more=rock))

    def test_profiles_of_a_sheared_box_have_its_particles_in_their_bins(self):
        self.bins_are_those_of_the_trajectory("sheared", PLAIN.format(more="[shear]\nrate = 0.5\n"))

    def test_a_viewer_sees_each_solute(self):
        grids = xml.parse(self.whole / "trajectory.xmf").findall(".//Grid[@GridType='Uniform']")
        self.assertEqual(len(grids), 3)
        for grid in grids:
            self.assertEqual([a.get("Name") for a in grid.findall("Attribute")][-2:], ["oxygen", "waste"])

    def test_ranks_leave_no_trace(self):
        for ranks in (2, 3):
            other = self.run_deck(f"ranks{ranks}", ranks=ranks)
            self.assertEqual(self.summary(other)["state_hash"], self.summary(self.whole)["state_hash"])
            for name in ("thermo.csv", "concentration_z.csv"):
                mine, theirs = (rows_of(folder / name) for folder in (self.whole, other))
                for row in mine + theirs:
                    row.pop("wall_time", None)
                self.assertEqual(repr(mine), repr(theirs), f"{name} on {ranks} ranks")

    def test_a_resumed_run_ends_the_same(self):
        half = self.run_deck("half", "--steps", "37")
        again = self.run_deck("half", "--resume")
        self.assertEqual(half, again)
        self.assertEqual(self.summary(again)["state_hash"], self.summary(self.whole)["state_hash"])
        with h5py.File(again / "trajectory.h5") as a, h5py.File(self.whole / "trajectory.h5") as b:
            c, d = (file["particles/all/concentration"] for file in (a, b))
            self.assertTrue(np.isin(d["step"][:], c["step"][:]).all())
            self.assertTrue((c["value"][-1] == d["value"][-1]).all())

    def test_a_checkpoint_of_other_solutes_is_refused(self):
        self.run_deck("other", "--steps", "20")
        more = ["--set", 'transport.solutes=["oxygen","waste","more"]', "--set", "interaction.0.kappa=1.0"]
        done = mesowarp("run", self.deck, *SHORT, *more, "--output", self.home / "other", "--resume")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("other solutes", done.stderr)


if __name__ == "__main__":
    unittest.main()
