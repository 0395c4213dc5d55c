"""Starts the program, waits for it, and runs sweeps."""
import itertools
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from .decks import read_toml, write_toml
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


def _deck_file(deck, output):
    """Its path: a dictionary is written beside the output."""
    if not isinstance(deck, dict):
        return Path(deck)
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", suffix=".toml", prefix=f".{output.name}-", dir=output.parent, delete=False,
                                     encoding="utf-8") as file:
        file.write(write_toml(deck))
    return Path(file.name)


def _settings(set):
    return [word for key, value in (set or {}).items() for word in ("--set", f"{key}={_text(value)}")]


def resolved(deck, set=None, output="deck", program=None):
    """The deck with every default filled in, as a dictionary. output: beside which a dictionary's files lie."""
    path = _deck_file(deck, Path(output))
    try:
        done = subprocess.run([find_program(program), "check", str(path), *_settings(set)], capture_output=True,
                              text=True, check=False)
    finally:
        if isinstance(deck, dict):
            path.unlink()
    if done.returncode != 0:
        raise MesowarpError(f"{path}: exit code {done.returncode}\n{done.stderr.strip()}")
    return read_toml(done.stdout)


def start(deck, set=None, output=None, *, ranks=1, threads=None, resume=False, program=None, mpiexec="mpirun"):
    """Starts a run and returns at once: a Process. deck: a path, or a dictionary, which is written into the folder of
    the output as NAME.toml. set: values over the deck's. output: the results' directory (default as the program's)."""
    if isinstance(deck, dict) and output is None:
        raise MesowarpError("a deck that is a dictionary needs output=, the directory of its results")
    output = Path(output) if output is not None else Path(Path(deck).stem + "-output")
    path = _deck_file(deck, output)
    command = [find_program(program), "run", str(path), "--quiet", *_settings(set), "--output", str(output)]
    if threads:
        command += ["--threads", str(threads)]
    if resume:
        command += ["--resume"]
    if ranks > 1:
        command = [mpiexec, "-n", str(ranks), *command]
    return Process(command, output, path if isinstance(deck, dict) else None)


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
        """Ends the run at its next step, with a checkpoint; mesowarp.run(…, resume=True) goes on. A run that had not
        begun, because of its deck or of what is in the directory, is a MesowarpError."""
        if not self.done():
            self._process.terminate()
        return self._ended(lambda code: code == 2)

    def wait(self, watch=None, every=1.0):
        """Until the run ends; its results. watch: called with the table every so many seconds meanwhile. A run that
        fails is a MesowarpError with the program's words."""
        while watch and not self.done():
            time.sleep(every)
            table = self.table()
            if table is not None and table.rows():
                watch(table)
        return self._ended(lambda code: code != 0)

    def _ended(self, failed):
        """Its results, unless the exit code tells that it has failed."""
        code = self._process.wait()
        self._words.seek(0)
        words = self._words.read()
        self._clean()
        if failed(code):
            raise MesowarpError(f"{' '.join(self.command)}: exit code {code}\n{words.strip()}")
        return Run(self.output)

    def _clean(self):
        self._words.close()
        if self._own_deck:
            self._own_deck.unlink(missing_ok=True)


def sweep(deck, over, output, *, set=None, **options):
    """Runs a deck once for each combination of values, one after the other, into output/KEY=VALUE,…: those that
    have finished, of this deck, are not repeated. over: {"interaction.0.a": [15, 25, 35], "run.seed": range(1, 4)}.
    Returns the Sweep.
    """
    runs = Sweep()
    for values in itertools.product(*over.values()):
        chosen = dict(zip(over, values))
        name = ",".join(f"{key}={_text(value).replace('/', '_')}" for key, value in chosen.items())
        directory = Path(output) / name
        every = {**(set or {}), **chosen}
        if (directory / "deck.toml").exists() and Run(directory).finished and \
                Run(directory).deck == resolved(deck, every, directory, options.get("program")):
            runs.append(Run(directory))
        else:
            runs.append(run(deck, every, directory, **options))
    return runs
