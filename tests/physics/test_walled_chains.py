"""Chains between walls: where they start, that they stay whole and out of the walls, the same bits on any number of
ranks and behind a stop; melts without a solvent; walls without particles; and what `check` says."""
import sys
import unittest
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from program import CHECKPOINTS, ProgramTest, mesowarp, summary  # noqa: E402

BEADS, CHAINS, STEP = 8, 30, 0.6
HEAD = """
[run]
steps = {steps}
timestep = 0.01
seed = 11
precision = "{precision}"
reproducibility = "bitwise"
[box]
size = [8.0, 10.0, 6.0]
[[shape]]
name = "gap"
style = "slab"
axis = "y"
from = 1.5
to = 8.5
[[shape]]
name = "post"
style = "cylinder"
axis = "z"
center = [4.0, 5.0, 0.0]
radius = 1.0
"""
# Two walls, and between them a post.
WALLS = """
[[wall]]
name = "plates"
solid = "not gap"
friction = 0.2
method = "{method}"
[[wall]]
name = "post"
solid = "post"
friction = 0.2
method = "{method}"
"""
# A wall thinner than a bond in the middle of the box.
SHEET = """
[[shape]]
name = "sheet"
style = "slab"
axis = "y"
from = 4.9
to = 5.1
[[wall]]
name = "plates"
solid = "not gap or sheet"
friction = 0.0
"""
CHAIN = f"""
[[population]]
name = "chains"
kind = "polymer"
molecule = "A{BEADS}"
count = {CHAINS}
bond_length = {STEP}
[[bond]]
population = "chains"
k = 100.0
r0 = {STEP}
[[angle]]
population = "chains"
k = 2.0
theta0 = 180.0
"""
WATER = """
[[population]]
name = "water"
species = "W"
density = {density}
[[interaction]]
between = "*"
a = 25.0
gamma = 4.5
[[drive]]
acceleration = [0.2, 0.0, 0.0]
"""
FRAMES = """
[[output]]
format = "trajectory"
every = {every}
precision = "double"
fields = ["position", "image"]
"""
MELT = """
[[population]]
name = "chains"
kind = "polymer"
molecule = "A10"
count = {count}
bond_length = 0.97
apart = 0.85
[[interaction]]
between = "*"
style = "wca"
[[interaction]]
between = "*"
style = "dpd-thermostat"
gamma = 3.0
cutoff = 1.2
[[bond]]
population = "chains"
style = "fene"
k = 30.0
r_max = 1.5
[relaxation]
steps = 400
"""


def deck(walls=WALLS, method="frozen", steps=400, precision="double", density=2.3, every=50):
    return (HEAD.format(steps=steps, precision=precision) + walls.format(method=method) + CHAIN +
            WATER.format(density=density) + FRAMES.format(every=every))


class WalledChains(ProgramTest):
    def run_deck(self, text, name, *arguments, ranks=1):
        out = self.home / name
        self.run_well(self.deck(text, name + ".toml"), "--output", out, "--quiet", *arguments, ranks=ranks)
        return out

    def frames(self, out, beads=BEADS, chains=CHAINS, size=(8.0, 10.0, 6.0)):
        """Places in the box and unwrapped ones [frame][chain][bead][axis]."""
        with h5py.File(out / "trajectory.h5") as file:
            group = file["particles/all"]
            x, image = group["position/value"][()], group["image/value"][()]
        self.assertGreater(x.shape[1], beads * chains)
        x, image = (a[:, :beads * chains].reshape(len(a), chains, beads, 3) for a in (x, image))
        return x, x + image * np.array(size)

    def test_they_start_and_stay_between_the_walls(self):
        for method in ("frozen", "effective"):
            x, whole = self.frames(self.run_deck(deck(method=method), method))
            bonds = np.linalg.norm(np.diff(whole, axis=2), axis=-1)
            np.testing.assert_allclose(bonds[0], STEP, rtol=0, atol=1e-6)
            self.assertLess(bonds.max(), 1.6)
            self.assertGreater(bonds[-1].std(), 0.02)  # they have moved
            self.assertGreaterEqual(x[..., 1].min(), 1.5)
            self.assertLessEqual(x[..., 1].max(), 8.5)
            self.assertGreaterEqual(np.hypot(x[..., 0] - 4.0, x[..., 1] - 5.0).min(), 1.0 - 1e-9)
            # They reach all of the room, and flow along it.
            self.assertLess(x[0, ..., 1].min(), 2.2)
            self.assertGreater(x[0, ..., 1].max(), 7.8)
            self.assertGreater((whole[-1] - whole[0])[..., 0].mean(), 0.1)

    def test_no_bond_goes_through_a_wall(self):
        x, whole = self.frames(self.run_deck(deck(SHEET), "sheet"))
        above = x[..., 1] > 5.0
        self.assertTrue((above == above[0, :, :1]).all())
        self.assertTrue(0 < above[0, :, 0].sum() < CHAINS)

    def test_ranks_and_a_stop(self):
        text = deck(precision="mixed", steps=60, every=60) + CHECKPOINTS
        one = summary(self.run_deck(text, "one", "--threads", 1))["state_hash"]
        for ranks in (2, 4):
            self.assertEqual(summary(self.run_deck(text, f"ranks{ranks}", ranks=ranks))["state_hash"], one)
        self.run_deck(text, "stopped", "--steps", 40)
        self.assertEqual(summary(self.run_deck(text, "stopped", "--resume", "--steps", 60, ranks=3))["state_hash"], one)

    def test_the_density_is_that_of_the_walls(self):
        """Beads and water together, which are alike: as much next to the walls as in the middle."""
        text = deck(steps=2500, precision="single", every=2500).replace("A8", "A4").replace(
            f"count = {CHAINS}", "count = 60") + """
[[measure]]
name = "across"
axis = "y"
bins = 20
start = 300
every = 10
"""
        with h5py.File(self.run_deck(text, "across") / "across.h5") as file:
            density = file["density"][()].reshape(-1)
        next_to, middle = np.r_[density[3:5], density[15:17]].mean(), np.r_[density[5:7], density[13:15]].mean()
        self.assertLess(abs(next_to / middle - 1.0), 0.05, density)

    def test_a_melt(self):
        walls = WALLS.format(method="frozen").replace("friction = 0.2", "friction = 0.0")
        text = HEAD.format(steps=400, precision="double").replace("0.01", "0.004") + walls
        text += MELT.format(count=12) + FRAMES.format(every=50)
        x, whole = self.frames(self.run_deck(text, "melt"), 10, 12)
        bonds = np.linalg.norm(np.diff(whole, axis=2), axis=-1)
        self.assertLess(bonds.max(), 1.4)
        self.assertGreaterEqual(x[..., 1].min(), 1.5)
        self.assertLessEqual(x[..., 1].max(), 8.5)

    def test_what_is_wrong(self):
        water = WATER.format(density=2.3)
        first = HEAD.format(steps=10, precision="single") + WALLS.format(method="frozen")
        for text, message in (
                (deck().replace(f"count = {CHAINS}", "density = 0.5"), "give count, the number of the chains"),
                (first + water + CHAIN, "chains come first"),
                (deck().replace('molecule = "A8"', 'initial = "file"\nfile = "a.data"\ntypes = ["A"]').replace(
                    f"count = {CHAINS}\n", "").replace(f"bond_length = {STEP}\n", ""), "cannot be beside walls")):
            done = mesowarp("check", self.deck(text))
            self.assertEqual(done.returncode, 2, text)
            self.assertIn(message, done.stderr)
        done = mesowarp("run", self.deck(first + MELT.format(count=26)), "--output", self.home / "tight")
        self.assertEqual(done.returncode, 2)
        self.assertIn("has found no way between the others and the walls", done.stderr)


if __name__ == "__main__":
    unittest.main()
