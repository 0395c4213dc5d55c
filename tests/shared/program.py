"""Runs the program for the Python tests."""
import json
import os
import subprocess
import tempfile
import unittest
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

PROGRAM = os.environ["MESOWARP_EXECUTABLE"]
SOURCE = Path(os.environ["MESOWARP_SOURCE_DIR"])

# One process alone needs neither Open MPI's daemon nor its network, which it waits for a third of a second at each
# start; nor its session directory, which two runs that start and end together make and remove under each other.
ALONE = {"OMPI_MCA_ess_singleton_isolated": "1", "OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "self",
         "OMPI_MCA_orte_create_session_dirs": "0"}

FLUID_DECK = """
[run]
steps = {steps}
timestep = {timestep}
seed = {seed}
{run}
[box]
size = {size}
[[population]]
name = "water"
species = "W"
density = {density}
{population}
[[interaction]]
between = ["W", "W"]
style = "dpd"
a = 25.0
gamma = 4.5
{interaction}
[[output]]
format = "table"
every = 10
"""


def fluid(**changes):
    """Groot and Warren's fluid as a deck; run, population, interaction: further lines of these blocks."""
    values = {"steps": 60, "timestep": 0.005, "seed": 5, "size": [5.0, 5.0, 5.0], "density": 3.0}
    return FLUID_DECK.format(**{**values, "run": "", "population": "", "interaction": "", **changes})


FLUID = fluid()

CHAINS_IN_WATER = """
[run]
steps = {steps}
timestep = 0.01
seed = 4
reproducibility = "bitwise"
[box]
size = [6.0, 5.0, 5.0]
[[population]]
name = "chains"
kind = "polymer"
blocks = "{blocks}"
count = {count}
[[population]]
name = "water"
species = "W"
count = 300
[[interaction]]
between = "*"
a = 25.0
gamma = 4.5
[[bond]]
population = "chains"
k = 50.0
r0 = 0.7
"""


def chains_in_water(blocks, count, steps):
    """So many chains of these beads and 300 of W, in [6, 5, 5], as a deck."""
    return CHAINS_IN_WATER.format(blocks=blocks, count=count, steps=steps)


CHECKPOINTS = """
[[output]]
format = "checkpoint"
every = 20
"""

TRAJECTORY = """
[[output]]
format = "trajectory"
every = 20
fields = ["position", "image", "velocity"]
[[measure]]
style = "profile"
name = "across"
axis = "x"
bins = 5
every = 5
window = 25
"""


def mesowarp(*arguments, env=None, **options):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False, timeout=300,
                          env={**(os.environ if env is None else env), **ALONE}, **options)


def rank_command(ranks, *arguments):
    return [os.environ["MESOWARP_MPIEXEC"], "-n", str(ranks), PROGRAM, *map(str, arguments)]


def of_ranks(environment):
    """What ranks of one thread each are started in: those that wait sleep (sleeping_yields.c)."""
    preload = {"LD_PRELOAD": environment["MESOWARP_YIELDS"]} if "MESOWARP_YIELDS" in environment else {}
    return {**environment, "OMP_NUM_THREADS": "1", **preload}


def mesowarp_on(ranks, *arguments):
    return subprocess.run(rank_command(ranks, *arguments), capture_output=True, text=True, check=False, timeout=550,
                          env=of_ranks(os.environ))


def script(name):
    """A program of scripts/ as a module."""
    loader = SourceFileLoader(name.replace("-", "_"), str(SOURCE / "scripts" / name))
    module = module_from_spec(spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def summary(directory):
    return json.loads((Path(directory) / "summary.json").read_text(encoding="utf-8"))


class ProgramTest(unittest.TestCase):
    """A test with a directory of its own."""

    def setUp(self):
        self._directory = tempfile.TemporaryDirectory()
        self.home = Path(self._directory.name)

    def tearDown(self):
        self._directory.cleanup()

    def deck(self, text, name="deck.toml"):
        path = self.home / name
        path.write_text(text, encoding="utf-8")
        return path

    def run_well(self, *arguments, ranks=1):
        """One rank: without a launcher."""
        done = mesowarp("run", *arguments) if ranks == 1 else mesowarp_on(ranks, "run", *arguments)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done
