"""Starts the program, waits for it, and runs sweeps."""
import itertools
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from .decks import write_toml
from .errors import MesowarpError
from .runs import Run, Sweep


def find_program(program=None):
    """The program's path: the one given, $MESOWARP_PROGRAM, that of PATH, or the build of the source tree that this
    package lies in."""
    beside = Path(__file__).resolve().parents[2] / "build" / "release" / "mesowarp"
    for candidate in (program, os.environ.get("MESOWARP_PROGRAM"), shutil.which("mesowarp"), beside):
        if candidate and Path(candidate).is_file():
            return str(candidate)
    raise MesowarpError("the program mesowarp was not found: put it into PATH, or name it: MESOWARP_PROGRAM, program=")


def _text(value):
    """As --set takes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(_text(item) if not isinstance(item, str) else f'"{item}"' for item in value) + "]"
    return str(value)


def start(deck, set=None, output=None, *, ranks=1, threads=None, resume=False, program=None, mpiexec="mpirun"):
    """Starts a run and returns at once: a Process. deck: a path, or a dictionary, which is written into the folder of
    the output as NAME.toml. set: values over the deck's. output: the results' directory (default as the program's)."""
    deck_path = deck
    if isinstance(deck, dict):
        if output is None:
            raise MesowarpError("a deck that is a dictionary needs output=, the directory of its results")
        output = Path(output)
        output.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", suffix=".toml", prefix=f".{output.name}-", dir=output.parent,
                                         delete=False, encoding="utf-8") as file:
            file.write(write_toml(deck))
        deck_path = file.name
    command = [find_program(program), "run", str(deck_path), "--quiet"]
    for key, value in (set or {}).items():
        command += ["--set", f"{key}={_text(value)}"]
    output = Path(output) if output is not None else Path(Path(deck_path).stem + "-output")
    command += ["--output", str(output)]
    if threads:
        command += ["--threads", str(threads)]
    if resume:
        command += ["--resume"]
    if ranks > 1:
        command = [mpiexec, "-n", str(ranks), *command]
    return Process(command, output, Path(deck_path) if isinstance(deck, dict) else None)


def run(deck, set=None, output=None, **options):
    """Runs a deck to its end and opens the results. Options: as of start()."""
    return start(deck, set, output, **options).wait()


class Process:
    """A run that was started: done(), rows() of its table so far, stop() (with a checkpoint), wait()."""

    def __init__(self, command, output, own_deck):
        self.command, self.output, self._own_deck = command, output, own_deck
        self._words = tempfile.TemporaryFile("w+", encoding="utf-8")
        self._process = subprocess.Popen(command, stdout=self._words, stderr=subprocess.STDOUT,
                                         stdin=subprocess.DEVNULL)

    def done(self):
        return self._process.poll() is not None

    def table(self):
        """So far; None before there is one."""
        try:
            return Run(self.output).table
        except (MesowarpError, OSError):
            return None

    def stop(self):
        """Ends the run at its next step, with a checkpoint; mesowarp.run(…, resume=True) goes on."""
        if not self.done():
            self._process.terminate()
        self._process.wait()
        self._clean()
        return Run(self.output)

    def wait(self, watch=None, every=1.0):
        """Until the run ends; its results. watch: called with the table every so many seconds meanwhile. A run that
        fails is a MesowarpError with the program's words."""
        while watch and not self.done():
            time.sleep(every)
            table = self.table()
            if table is not None and table.rows():
                watch(table)
        code = self._process.wait()
        self._words.seek(0)
        words = self._words.read()
        self._clean()
        if code != 0:
            raise MesowarpError(f"{' '.join(self.command)}: exit code {code}\n{words.strip()}")
        return Run(self.output)

    def _clean(self):
        self._words.close()
        if self._own_deck:
            self._own_deck.unlink(missing_ok=True)


def sweep(deck, over, output, *, set=None, **options):
    """Runs a deck once for each combination of values, one after the other, into output/KEY=VALUE,…: those that
    have finished are not repeated. over: {"interaction.0.a": [15, 25, 35], "run.seed": range(1, 4)}. Returns the Sweep.
    """
    runs = Sweep()
    for values in itertools.product(*over.values()):
        chosen = dict(zip(over, values))
        name = ",".join(f"{key}={_text(value).replace('/', '_')}" for key, value in chosen.items())
        directory = Path(output) / name
        if (directory / "deck.toml").exists() and Run(directory).finished:
            runs.append(Run(directory))
        else:
            runs.append(run(deck, {**(set or {}), **chosen}, directory, **options))
    return runs
