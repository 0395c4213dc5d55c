"""Who is joined to what ghosts do not bring has all ranks bring more, whatever else goes by cells: walls, the faces of
a sheared box, membranes that let nothing through. The same bits as on one rank, in pieces, too. Molecules alone are in
tests/regression/test_topology_ranks.py."""
import sys
import unittest
from pathlib import Path

import h5py

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "shared"))
from program import CHECKPOINTS, ProgramTest, summary  # noqa: E402

# Chains that start drawn out; walls and faces go by cells of the reach given, which is too little.
CHAINS = """
[run]
steps = 60
timestep = 0.004
seed = 5
reproducibility = "bitwise"
[box]
size = [12.0, 8.0, 9.0]
[parallel]
reach = 1.3
[neighbor]
skin = 0.3
[[population]]
name = "chains"
kind = "polymer"
blocks = "AAAAAA"
bond_length = 1.2
count = 80
[[population]]
name = "water"
species = "W"
density = 1.0
[[interaction]]
between = "*"
a = 15.0
gamma = 4.5
[[bond]]
population = "chains"
k = 60.0
r0 = 0.6
[[angle]]
population = "chains"
style = "cosine"
k = 8.0
[[output]]
format = "table"
every = 20
""" + CHECKPOINTS
WALL = """
[[shape]]
name = "gap"
style = "slab"
axis = "z"
from = 1.2
to = 7.8
[[wall]]
name = "plates"
solid = "not gap"
friction = 0.5
"""
SHEAR = """
[shear]
rate = 0.2
"""
# A cell with an inside, drawn out along the axis that is cut.
CELL = """
[run]
steps = 400
timestep = 0.004
seed = 4
reproducibility = "bitwise"
[box]
size = [14.0, 5.0, 5.0]
[neighbor]
skin = 0.6
[[population]]
name = "cell"
kind = "membrane"
species = "M"
mesh = "sphere"
vertices = 162
diameter = 4.0
centers = [3.5, 2.5, 2.5,  10.5, 2.5, 2.5]
[[population]]
name = "plasma"
species = "W"
density = 3.0
[[membrane]]
population = "cell"
shear_modulus = 5.0
bending_modulus = 4.0
friction = 3.0
inside = "C"
outside = "W"
check_every = 100
[[stretch]]
population = "cell"
force = 400.0
fraction = 0.05
axis = "x"
[[interaction]]
between = "*"
a = 25.0
gamma = 4.5
[[output]]
format = "table"
every = 100
columns = ["temperature", "pressure", "momentum_x", "wrong_side"]
""" + CHECKPOINTS

# A melt that begins out of balance: at first bonds are long.
MELT = """
[run]
steps = 1200
timestep = 0.01
seed = 3
[box]
size = [16.0, 7.0, 7.0]
[neighbor]
skin = 0.3
rebuild = "every"
every = 3
[[population]]
name = "chains"
kind = "polymer"
blocks = "AAAAAAAAAA"
density = 3.0
bond_length = 0.5
[[interaction]]
between = "*"
a = 25.0
gamma = 4.5
[[bond]]
population = "chains"
k = 40.0
r0 = 0.38
[[output]]
format = "table"
every = 400
""" + CHECKPOINTS


class GhostReach(ProgramTest):
    def run_deck(self, name, text, ranks=1, arguments=()):
        self.run_well(self.deck(text, f"{name}.toml"), "--output", self.home / name, "--quiet", *arguments, ranks=ranks)
        return summary(self.home / name)["state_hash"]

    def same_bits(self, name, text, steps):
        """On 1, 2, 3 ranks, and stopped in between on two."""
        whole = self.run_deck(f"{name}-1", text)
        for ranks in (2, 3):
            self.assertEqual(self.run_deck(f"{name}-{ranks}", text, ranks=ranks), whole, (name, ranks))
        self.run_deck(f"{name}-part", text.replace(f"steps = {steps}", f"steps = {steps // 2}"), ranks=2)
        self.assertEqual(self.run_deck(f"{name}-part", text, ranks=2, arguments=["--resume"]), whole, name)

    def test_walls(self):
        self.same_bits("walls", CHAINS + WALL, 60)

    def test_a_sheared_box(self):
        self.same_bits("shear", CHAINS + SHEAR, 60)

    def test_a_cell_that_is_drawn_out(self):
        self.same_bits("cell", CELL, 400)

    def test_they_reach_less_when_they_can(self):
        """In pieces, too: before they reach further, while they do, and behind that."""
        def wide(run):
            checkpoint = max((self.home / run).glob("checkpoint-*.h5"), key=lambda file: int(file.stem.split("-")[1]))
            with h5py.File(checkpoint) as file:
                return "widened_ghosts" in file["arrays"]

        whole = self.run_deck("melt", MELT, ranks=2)
        self.assertFalse(wide("melt"))
        seen = set()
        for steps in (20, 90, 300, 600, 900):
            self.run_deck("pieces", MELT.replace("steps = 1200", f"steps = {steps}"), ranks=2,
                          arguments=["--resume"] if seen else [])
            seen.add(wide("pieces"))
        self.assertEqual(seen, {True, False})
        self.assertEqual(self.run_deck("pieces", MELT, ranks=2, arguments=["--resume"]), whole)


if __name__ == "__main__":
    unittest.main()
