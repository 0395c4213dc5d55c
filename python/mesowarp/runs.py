"""Output directories of runs: one, or those of a sweep."""
import glob
import json
from functools import cached_property
from pathlib import Path

import h5py
import numpy as np

from .decks import read_toml
from .errors import MesowarpError
from .estimates import Estimate, estimate_of
from .profiles import Blocks
from .tables import Table
from .trajectories import Trajectory


def open_run(directory):
    """The run whose output directory this is."""
    return Run(directory)


def open_sweep(*directories):
    """Runs by their directories, or patterns of them: open_sweep("flow/*")."""
    found = []
    for word in directories:
        names = sorted(glob.glob(str(word))) if any(c in str(word) for c in "*?[") else [word]
        found += [Run(name) for name in names]
    if not found:
        raise MesowarpError(f"there is no run in {', '.join(map(str, directories))}")
    return Sweep(found)


class Run:
    """What a run left, read when it is asked for.

    deck: as dictionaries; summary; table: thermo.csv; profiles, fields: by name of their [[measure]]; trajectory, and
    trajectories by file name without ending; checkpoints: their attributes, oldest first. refresh() forgets what was
    read, while the run goes on.
    """

    def __init__(self, directory):
        self.directory = Path(directory)
        if not (self.directory / "deck.toml").exists():
            raise MesowarpError(f"{self.directory} is not the output directory of a run: it has no deck.toml")

    def __repr__(self):
        return f"Run({str(self.directory)!r})"

    @property
    def name(self):
        return self.directory.name or str(self.directory)

    def refresh(self):
        for name in ("deck", "summary", "table", "_measured", "trajectories", "checkpoints"):
            self.__dict__.pop(name, None)
        return self

    @cached_property
    def deck(self):
        return read_toml((self.directory / "deck.toml").read_text(encoding="utf-8"))

    @cached_property
    def summary(self):
        path = self.directory / "summary.json"
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}

    @property
    def finished(self):
        return self.summary.get("status") == "finished"

    @cached_property
    def table(self):
        path = self.directory / "thermo.csv"
        if not path.exists():
            raise MesowarpError(f"{self.directory} has no thermo.csv: add [[output]] format = \"table\" to its deck")
        return Table.read(path)

    @cached_property
    def _measured(self):
        found = {}
        for path in sorted(self.directory.glob("*.h5")):
            if path.stem.startswith(("checkpoint-", "stale-checkpoint-")):
                continue
            with h5py.File(path, "r") as file:
                holds_blocks = "first_step" in file and len(file["first_step"]) > 0
            if holds_blocks:
                found[path.stem] = Blocks(path)
        return found

    @property
    def profiles(self):
        """Profiles and shells."""
        return {name: blocks for name, blocks in self._measured.items() if blocks.axis is not None}

    @property
    def measures(self):
        """Functions of a distance, a time, a wave number or a value; single numbers beside them are their `means`. Of a
        measure that has nothing else, a file of no rows but these."""
        own = {name: blocks for name, blocks in self._measured.items() if blocks.is_function}
        found = {name: blocks for name, blocks in own.items() if not name.endswith("_means")}
        for name, blocks in own.items():
            if name.endswith("_means"):
                found.setdefault(name[:-6], blocks).means = blocks.last()
        return found

    @property
    def fields(self):
        return {name: blocks for name, blocks in self._measured.items() if blocks.is_field}

    @cached_property
    def trajectories(self):
        found = {}
        for path in sorted(self.directory.glob("*.h5")):
            if path.stem.startswith(("checkpoint-", "stale-checkpoint-", "earlier-")):
                continue
            with h5py.File(path, "r") as file:
                has_frames = "particles/all/position/value" in file
            if has_frames:
                found[path.stem] = Trajectory(path)
        return found

    @property
    def trajectory(self):
        if "trajectory" not in self.trajectories:
            raise MesowarpError(f"{self.directory} has no trajectory: add [[output]] format = \"trajectory\"")
        return self.trajectories["trajectory"]

    @cached_property
    def checkpoints(self):
        """Of each: path, step, and the numbers and texts that it keeps beside the arrays."""
        found = []
        for path in self.directory.glob("checkpoint-*.h5"):
            with h5py.File(path, "r") as file:
                entry = {"path": path}
                for group in ("numbers", "texts"):
                    if group in file:
                        for name, data in file[group].items():
                            entry[name] = data[()].tobytes().decode() if group == "texts" else int(data[()])
            entry.setdefault("step", int(path.stem.split("-")[1]))
            found.append(entry)
        return sorted(found, key=lambda entry: entry["step"])

    @property
    def timestep(self):
        return float(self.deck["run"]["timestep"])

    def value(self, key):
        """A value of the deck, as --set names it: "run.temperature", "interaction.0.a", "population.water.density"."""
        here = self.deck
        for word in key.split("."):
            try:
                if isinstance(here, list):
                    named = [item for item in here if item.get("name") == word]
                    here = named[0] if named else here[int(word)]
                else:
                    here = here[word]
            except (KeyError, IndexError, ValueError):
                raise MesowarpError(f"the deck of {self.directory} has no {key}") from None
        return here


class Sweep(list):
    """Runs that belong together: a list."""

    def values(self, key):
        """Of the decks, as an array where they are numbers."""
        values = [run.value(key) for run in self]
        return np.array(values) if all(isinstance(value, (int, float)) for value in values) else values

    def means(self, column, after=None):
        """Mean of a table's column in each run, with errors, as arrays."""
        each = [run.table.mean(column, after) for run in self]
        return Estimate(np.array([e.mean for e in each]), np.array([e.error for e in each]))

    def mean(self, column, after=None):
        """Mean over runs that differ by their seeds alone (and the files they begin from), with the error from their
        scatter."""
        others = [key for key in self.differing() if key not in ("run.seed", "run.title") and not key.endswith(".file")]
        if others:
            raise MesowarpError(f"runs differ by {', '.join(others)}, not by their seeds alone: take means, or some "
                                "of the runs")
        return estimate_of(self.means(column, after).mean)

    def differing(self):
        """The keys of the decks that are not the same in all, with each run's value."""
        flat = [dict(_flat(run.deck)) for run in self]
        keys = sorted(set().union(*flat))
        found = {key: [deck.get(key) for deck in flat] for key in keys}
        return {key: values for key, values in found.items() if any(value != values[0] for value in values)}


def _flat(block, path=""):
    if isinstance(block, dict):
        for key, value in block.items():
            yield from _flat(value, f"{path}{key}.")
    elif isinstance(block, list) and block and isinstance(block[0], dict):
        for number, value in enumerate(block):
            yield from _flat(value, f"{path}{value.get('name', number)}.")
    else:
        yield path[:-1], block
