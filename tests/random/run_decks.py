#!/usr/bin/env python3
"""Runs decks in several ways and compares state hashes, tables and profiles, bit by bit.

    tests/random/run_decks.py --way mesowarp --way "mpirun -n 3 mesowarp" --resume mesowarp decks/*.toml
    tests/random/run_decks.py --count 200 --sizes 500:500000 --seed 7 --way mesowarp --way "mpirun -n 2 mesowarp" \\
        --resume mesowarp --terminate mesowarp

A way is what stands before `run DECK`; what follows ` -- ` in it is put behind: "mesowarp -- --threads 2". --resume
stops a run of its own at half of its steps and resumes it, --terminate stops it by SIGTERM at a random row of its
table; "mpirun -n 3 mesowarp => mesowarp" is resumed in another way than it was begun. The first way is what all others
are held against, so the decks should be `bitwise`, or all ways of the same ranks and build. Without decks, random ones
are made (make_decks.py). Decks that differ are kept with both outputs in --keep.

Exit code: 0 all agree, 1 something differs, 2 the decks could not be run. Needs Python's standard library only; with
h5py trajectories, fields, surfaces and cells are compared, too.
"""
import argparse
import csv
import hashlib
import json
import random
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

try:
    import h5py
except ImportError:
    h5py = None

from file_decks import prepare
from make_decks import add_options, write_decks

NOT_PHYSICS = {"wall_time", "particle_steps_per_second", "rebuilds"}


@dataclass(frozen=True)
class Way:
    """How a deck is run: begun with one command and, if it is stopped, gone on with another."""

    label: str
    stopped: str  # "", "half" or "signal"
    commands: tuple

    @staticmethod
    def parse(words, stopped=""):
        """From the command line's word."""
        label = {"": "", "half": "resumed: ", "signal": "terminated: "}[stopped] + words
        return Way(label, stopped, tuple(part.strip() for part in words.split("=>")))

    def before(self):
        """What the first part's command begins with."""
        return shlex.split(self.commands[0].partition(" -- ")[0])

    def command(self, part, deck, output, *more):
        """Part 0 begins, part 1 goes on."""
        before, _, behind = self.commands[min(part, len(self.commands) - 1)].partition(" -- ")
        return [*shlex.split(before), "run", str(deck), "--output", str(output), "--quiet", *more, *shlex.split(behind)]


@dataclass
class Outcome:
    """What a way left behind."""

    code: int
    message: str = ""
    seconds: float = 0.0
    particles: int = 0
    rows: int = 0
    stop: int = -1  # the step that a first part was told to end with, whose row stays in the table
    values: dict = field(default_factory=dict)  # of the state, tables and profiles by place


class Runner:
    """Runs one deck after the other."""

    def __init__(self, timeout, rng):
        self.timeout, self.rng = timeout, rng

    def run(self, way, deck, output, rows):
        """rows: of the first way's table, for when to stop."""
        begun = time.monotonic()
        half = steps_of(deck) // 2
        if way.stopped == "half":
            outcome = self.finish(way.command(0, deck, output, "--steps", str(half)))
        elif way.stopped == "signal":
            outcome = self.terminate(way.command(0, deck, output), output, self.rng.randint(1, max(1, rows // 2)))
        else:
            outcome = self.finish(way.command(0, deck, output))
        if outcome.code == 0 and (way.stopped == "half" or way.stopped and status_of(output) != "finished"):
            outcome = self.finish(way.command(1, deck, output, "--resume"))
            outcome.stop = half if way.stopped == "half" else -1
        outcome.seconds = time.monotonic() - begun
        if outcome.code == 0:
            read_results(output, outcome)
        return outcome

    def finish(self, command):
        """Waits for a command."""
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=self.timeout)
        except subprocess.TimeoutExpired:
            return Outcome(-1, f"still running after {self.timeout} s")
        except OSError as error:
            sys.exit(f"error: {error}")
        return Outcome(done.returncode, done.stdout + done.stderr)

    def terminate(self, command, output, rows):
        """Stops a command once its table has so many rows; a run that has ended before is fine as well."""
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        table, until = Path(output) / "thermo.csv", time.monotonic() + self.timeout
        while process.poll() is None and time.monotonic() < until:
            if table.exists() and table.read_bytes().count(b"\n") > rows:
                break
            time.sleep(0.002)
        process.terminate()
        try:
            message, _ = process.communicate(timeout=self.timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            return Outcome(-1, f"still running {self.timeout} s after SIGTERM")
        well = status_of(output) in ("finished", "interrupted")
        return Outcome(0 if well else process.returncode or -1, message)


def steps_of(deck):
    """The deck's run.steps."""
    words = next(line for line in Path(deck).read_text(encoding="utf-8").splitlines()
                 if line.split("=")[0].strip() == "steps")
    return int(words.split("=")[1].split("#")[0])


def status_of(output):
    """How summary.json says that the run ended."""
    try:
        return json.loads((Path(output) / "summary.json").read_text(encoding="utf-8"))["status"]
    except (OSError, ValueError, KeyError):
        return "unknown"


def read_results(output, outcome):
    """Hash, table and profiles of a run that has ended well."""
    summary = json.loads((Path(output) / "summary.json").read_text(encoding="utf-8"))
    outcome.particles = summary["particles"]
    outcome.values["state_hash"] = summary["state_hash"]
    for path in sorted(Path(output).glob("*.csv")):
        with open(path, encoding="utf-8", newline="") as table:
            rows = list(csv.DictReader(table))
        if path.name == "thermo.csv":
            outcome.rows = len(rows)
        for number, row in enumerate(rows):
            place = f"step {row['step']}" if "step" in row else f"row {number}"
            for column in row.keys() - NOT_PHYSICS:
                key = f"{path.name} {column} {place}"
                while key in outcome.values:
                    key += " again"
                outcome.values[key] = row[column]
    for path in sorted(Path(output).glob("*.h5")) if h5py else []:
        if not path.name.startswith("checkpoint-"):
            read_arrays(path, outcome)


def steps_beside(item):
    """The steps of an array's frames: those of the nearest group around it that has some, or None."""
    group = item.parent
    while "step" not in group and group.name != "/":
        group = group.parent
    return group["step"][()] if "step" in group else None


def read_arrays(path, outcome):
    """What a file holds, array by array; those that have steps beside them, or around, frame by frame."""

    def read(name, item):
        if not isinstance(item, h5py.Dataset) or name == "parameters/deck":
            return
        values, steps = item[()], steps_beside(item)
        if getattr(steps, "shape", ()) and getattr(values, "shape", ()) and len(values) == len(steps):
            for step, row in zip(steps, values):
                outcome.values[f"{path.name} {name} step {step}"] = hashlib.sha256(row.tobytes()).hexdigest()[:16]
        else:
            words = repr(values.tolist() if hasattr(values, "tolist") else values).encode()
            outcome.values[f"{path.name} {name}"] = hashlib.sha256(words).hexdigest()[:16]

    with h5py.File(path) as file:
        file.visititems(read)


def why_failed(message):
    """Its errors, without what mpirun adds; the end of it if it names none."""
    lines = [line for line in message.splitlines() if "error" in line]
    return "\n".join(lines) or message.strip()[-600:]


def differences(first, other):
    """Lines that say what differs."""
    if first.code != other.code:
        codes = f"exit code {first.code} and {other.code}"
        return [codes, *(why_failed(outcome.message) for outcome in (first, other) if outcome.code != 0)]
    more = [key for key in other.values if key not in first.values]
    keys = list(first.values) + [key for key in more if not key.endswith(f" step {other.stop}")]
    found = [f"{key}: {first.values.get(key, 'none')} and {other.values.get(key, 'none')}" for key in keys
             if first.values.get(key) != other.values.get(key)]
    return found[:8] + ([f"and {len(found) - 8} more"] if len(found) > 8 else [])


def compare_deck(deck, ways, runner, work):
    """(line for the screen, what differs by way) of one deck; outputs are below `work`."""
    outcomes, found = [], {}
    for number, way in enumerate(ways):
        outcomes.append(runner.run(way, deck, work / f"{number}", outcomes[0].rows if outcomes else 0))
        if different := differences(outcomes[0], outcomes[-1]):
            found[way.label] = different
    first = outcomes[0]
    times = " ".join(f"{outcome.seconds:.1f}" for outcome in outcomes)
    verdict = "DIFFERS" if found else "agree" if first.code == 0 else f"failed alike ({first.code})"
    return f"{Path(deck).name}: {first.particles} particles, seconds {times}: {verdict}", found, first


def keep(deck, found, work, folder):
    """Deck, outputs and what differs, in a folder of the deck's name."""
    target = folder / Path(deck).stem
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(work, target)
    shutil.copy(deck, target / "deck.toml")
    lines = [f"{way}\n" + "\n".join(f"    {line}" for line in different) for way, different in found.items()]
    (target / "differences.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return target


def run_all(decks, ways, options):
    """Numbers of decks that (agree, differ, failed alike)."""
    runner = Runner(options.timeout, random.Random(str(options.seed)))
    agree = differ = failed = 0
    begun = time.monotonic()
    for number, deck in enumerate(decks):
        if options.budget and agree >= options.least and time.monotonic() - begun > options.budget:
            print(f"{len(decks) - number} decks left out: {options.budget} s are over")
            break
        with tempfile.TemporaryDirectory(prefix="mesowarp-decks-") as work:
            prepare(Path(deck), ways[0].before(), options.timeout)
            line, found, first = compare_deck(deck, ways, runner, Path(work))
            print(line, flush=True)
            if found:
                print(f"    kept in {keep(deck, found, work, options.keep)}")
        for way, different in found.items():
            print(f"  {ways[0].label} | {way}")
            print("\n".join(f"    {text}" for text in different), flush=True)
        if not found and first.code != 0:
            print("    " + first.message.strip()[-400:].replace("\n", "\n    "))
        differ, failed, agree = differ + bool(found), failed + (not found and first.code
                                                                != 0), agree + (not found and first.code == 0)
    return agree, differ, failed


class AppendWay(argparse.Action):
    """Keeps --way, --resume and --terminate in the order they are given in."""

    def __call__(self, parser, options, words, option=None):
        stopped = {"--way": "", "--resume": "half", "--terminate": "signal"}[option]
        options.ways = [*(options.ways or []), Way.parse(words, stopped)]


def parse_options(arguments=None):
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("decks", nargs="*", type=Path, metavar="DECK", help="decks; without any, random ones are made")
    for name in ("--way", "--resume", "--terminate"):
        parser.add_argument(name, action=AppendWay, dest="ways", metavar="COMMAND")
    parser.add_argument("--keep", type=Path, default=Path("random-decks"),
                        help="folder for decks (default: %(default)s)")
    parser.add_argument("--timeout", type=float, default=600.0, help="seconds for one run (default: %(default)s)")
    parser.add_argument("--budget", type=float, default=0.0,
                        help="seconds after which no deck is begun (default: no end)")
    parser.add_argument("--least", type=int, default=0,
                        help="decks that must agree before seconds count (default: %(default)s)")
    add_options(parser)
    options = parser.parse_args(arguments)
    if len(options.ways or []) < 2 or options.ways[0].stopped:
        parser.error("at least two ways are needed, the first of them a --way")
    return options


def main(arguments=None):
    options = parse_options(arguments)
    decks = options.decks or write_decks(options.keep / "made", options.count, options.seed, options.sizes,
                                         options.steps, options.reproducibility, options.from_files)
    agree, differ, failed = run_all(decks, options.ways, options)
    print(f"{agree} decks agree, {differ} differ, {failed} failed alike in all ways")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
