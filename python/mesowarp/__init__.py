"""Reads, draws and starts runs of mesowarp.

    run = mesowarp.open("melt-output")              # one run: its files as arrays
    run.table["temperature"], run.table.mean("pressure")
    run.profiles["flow"].mean("velocity_x")         # with errors
    run.trajectory.position(-1)

    runs = mesowarp.open_sweep("flow/*")            # several; runs.mean("pressure"), with their decks' values

    run = mesowarp.run("deck.toml", set={"run.temperature": 0.8}, output="cooler")
    runs = mesowarp.sweep(deck, {"interaction.0.a": [15, 25, 35]}, output="sweep")

Needs numpy and h5py; matplotlib for pictures (mesowarp.plot), gsd for GSD files (mesowarp.gsd_files).
"""
from .decks import read_deck, read_toml, write_deck, write_toml
from .errors import MesowarpError
from .estimates import Estimate, block_estimate, estimate_of
from .profiles import Blocks
from .programs import find_program, run, start, sweep
from .runs import Run, Sweep, open_run, open_sweep
from .tables import Table
from .trajectories import Trajectory

open = open_run  # mesowarp.open(DIR)

__all__ = [
    "Blocks", "Estimate", "MesowarpError", "Run", "Sweep", "Table", "Trajectory", "block_estimate", "estimate_of",
    "find_program", "open", "open_run", "open_sweep", "read_deck", "read_toml", "run", "start", "sweep", "write_deck",
    "write_toml",
]


def __getattr__(name):
    if name == "__version__":
        from importlib import metadata
        try:
            return metadata.version("mesowarp")
        except metadata.PackageNotFoundError:  # beside the program, not installed by pip
            return find_version()
    raise AttributeError(f"module mesowarp has no attribute {name}")


def find_version():
    """What the program says."""
    import subprocess
    done = subprocess.run([find_program(), "--version"], capture_output=True, text=True, check=True)
    return done.stdout.split()[-1]
