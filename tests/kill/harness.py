"""Runs the program under shim.c, and says whether what it left is what a run that nobody stopped leaves."""
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as xml
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from program import ALONE, PROGRAM  # noqa: E402

SHIM = os.environ["MESOWARP_SHIM"]
HUNG = 999  # code of a run that was ended because it hung
WALL_COLUMNS = ("wall_time", "particle_steps_per_second")  # of the table: no two runs agree in them

DECK = """
[run]
steps = 24
timestep = 0.005
seed = 5
[box]
size = [5.5, 3.0, 3.0]
[[population]]
name = "water"
species = "W"
density = 3.0
[[interaction]]
between = ["W", "W"]
style = "dpd"
a = 25.0
gamma = 4.5
[[measure]]
style = "profile"
name = "wide"
axis = "x"
bins = 3000
every = 2
window = 6
[[output]]
format = "table"
every = 3
[[output]]
format = "trajectory"
every = 4
fields = ["position", "image", "velocity"]
[[output]]
format = "checkpoint"
every = 8
"""


@dataclass(frozen=True)
class Harm:
    """What shim.c does, at which call of which rank."""
    what: str = "kill"    # kill, torn, ENOSPC, EIO, EACCES, EROFS, EDQUOT, raise:N
    at: int = 0
    rank: str = "0"       # or "all"
    together: bool = False  # the end of one rank is the end of all, at once
    lasting: bool = False
    only: str = ""        # in paths with this text alone
    reads: bool = False   # also where files are opened to be read
    slow: int = 0         # ms per call

    def environment(self, directory, home):
        values = {"MESOWARP_SHIM_DIR": os.path.realpath(directory), "MESOWARP_SHIM_DO": self.what,
                  "MESOWARP_SHIM_AT": str(self.at), "MESOWARP_SHIM_RANK": self.rank}
        if self.lasting:
            values["MESOWARP_SHIM_LAST"] = "1"
        if self.only:
            values["MESOWARP_SHIM_ONLY"] = self.only
        if self.reads:
            values["MESOWARP_SHIM_READS"] = "1"
        if self.slow:
            values["MESOWARP_SHIM_SLOW"] = str(self.slow)
        if self.together:
            numbers = Path(home) / "processes"
            numbers.mkdir(exist_ok=True)
            values["MESOWARP_SHIM_ALL"] = str(numbers)
        return values


@dataclass(frozen=True)
class Done:
    code: int
    text: str
    stacks: str = ""  # where its processes stood when it took too long; it may have ended later

    @property
    def hung(self):
        return self.code == HUNG

    @property
    def crashed(self):
        """Ended by a signal, by itself or under mpirun."""
        return self.code < 0 or self.code > 2


def command(ranks, arguments, shim):
    """The command line, and the environment for it; shim: variables of shim.c, or nothing."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    words = [PROGRAM, *map(str, arguments)]
    preload = {**shim, "LD_PRELOAD": SHIM} if shim or ranks > 1 else {}
    if ranks == 1:
        return words, {**environment, **ALONE, **preload}
    return [os.environ["MESOWARP_MPIEXEC"], "-n",
            str(ranks), "env", *(f"{k}={v}" for k, v in preload.items()), *words], environment


def run(ranks, *arguments, shim=None, timeout=120, patience=3):
    """To its end. One that takes longer than `timeout` seconds says where each of its processes stands; then it has
    `patience` times as long again, for on a machine with much else to do two ranks that wait for each other compute a
    tenth of a second in half a minute. What has still not ended hangs, says so again, and is killed."""
    words, environment = command(ranks, arguments, shim or {})
    stacks = []
    with subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", start_new_session=True) as process:
        for seconds in (timeout, patience * timeout):
            try:
                text, _ = process.communicate(timeout=seconds)
                return Done(process.returncode, text, "\n".join(stacks))
            except subprocess.TimeoutExpired:
                found = processes_of(process.pid)
                stacks += [f"no end after {seconds} s, load {os.getloadavg()[0]:.1f}", *map(stack_of, found)]
        for number in found:  # those that mpirun started have groups of their own
            with contextlib.suppress(OSError):
                os.kill(number, signal.SIGKILL)
        text, _ = process.communicate()
    until = time.monotonic() + 30  # a process is killed some time after its signal
    while any(map(alive, found)) and time.monotonic() < until:
        time.sleep(0.1)
    return Done(HUNG, text + "\n(hung)", "\n".join(stacks))


def alive(number):
    try:
        state = Path(f"/proc/{number}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


def processes_of(first):
    """All of a session, and what they started, by number."""
    parents, found = {}, set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, IndexError):
            words = path.read_text(encoding="utf-8", errors="replace").rsplit(")", 1)[1].split()
            parents[int(path.parent.name)] = int(words[1])
            if int(words[3]) == first:
                found.add(int(path.parent.name))
    size = -1
    while size != len(found):
        size = len(found)
        found |= {number for number, parent in parents.items() if parent in found}
    return sorted(found)


def stack_of(number):
    """What a process is, what it waits for in the kernel, the time it has computed, and its threads' calls (gdb)."""
    try:
        home = Path(f"/proc/{number}")
        words = (home / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        state = (home / "stat").read_text(encoding="utf-8", errors="replace").rsplit(")", 1)[1].split()
        kernel = (home / "wchan").read_text(encoding="utf-8")
        files = [f"{path.name} {os.readlink(path)}" for path in (home / "fd").iterdir()]
    except OSError as error:
        return f"--- process {number}: {error}"
    seconds = (int(state[11]) + int(state[12])) / os.sysconf("SC_CLK_TCK")
    lines = [f"--- process {number}, of {state[1]}: state {state[0]}, {seconds:.2f} s computed, in {kernel}: {words}",
             "files: " + ", ".join(files)]
    try:
        done = subprocess.run(["gdb", "-p", str(number), "-batch", "-nx", "-ex", "set pagination off", "-ex",
                               "thread apply all backtrace 40"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace", timeout=120, check=False)
        lines += [line for line in done.stdout.splitlines() if line.startswith(("#", "Thread ", "ptrace"))]
    except (OSError, subprocess.TimeoutExpired) as error:
        lines.append(f"no stacks: {error}")
    return "\n".join(lines)


def calls_in_turn(log):
    """What the shim has written, of all ranks: (rank, call, name of the file)."""
    lines = [line.split(" ", 3) for line in Path(log).read_text(encoding="utf-8").splitlines()]
    return [(int(rank), call, Path(path).name) for rank, _, call, path in lines]


def calls_of(log):
    """The same by rank: the calls in their order as (call, name of the file)."""
    calls = {}
    for rank, call, name in calls_in_turn(log):
        calls.setdefault(rank, []).append((call, name))
    return calls


def datasets_of(path):
    values = {}
    with h5py.File(path, "r") as file:
        file.visititems(lambda name, item: values.update({name: item[()]}) if isinstance(item, h5py.Dataset) else None)
    return values


def same(one, other):
    one, other = np.asarray(one), np.asarray(other)
    return one.shape == other.shape and one.dtype == other.dtype and one.tobytes() == other.tobytes()


def differences(found, expected):
    """What of the results in a directory is not as in another; empty if all is."""
    found, expected, wrong = Path(found), Path(expected), []

    def check(name, compare):
        try:
            if not compare(found / name, expected / name):
                wrong.append(name)
        except (OSError, KeyError, ValueError, IndexError, xml.ParseError) as error:
            wrong.append(f"{name} ({error})")

    def datasets(a, b):
        a, b = datasets_of(a), datasets_of(b)
        return a.keys() == b.keys() and all(n in ("parameters/deck",) or same(a[n], b[n]) for n in a)

    def ends(path):
        values = json.loads(path.read_text(encoding="utf-8"))
        return values["status"], values["last_step"], values["state_hash"]

    check("summary.json", lambda a, b: ends(a) == ends(b))
    check("deck.toml", lambda a, b: a.read_bytes() == b.read_bytes())
    check("thermo.csv", lambda a, b: tables_of(a) == tables_of(b))
    check("wide.csv", lambda a, b: a.read_bytes() == b.read_bytes())
    check("wide.h5", datasets)
    check("trajectory.h5", datasets)
    check("trajectory.xmf", lambda a, b: len(list(xml.parse(a).iter("Grid"))) == len(list(xml.parse(b).iter("Grid"))))
    return wrong


def tables_of(path):
    """A text file's rows without what no two runs agree in."""
    rows = [line.split(",") for line in path.read_text(encoding="utf-8").splitlines()]
    kept = [k for k, name in enumerate(rows[0]) if name not in WALL_COLUMNS]
    return [[row[k] for k in kept] if len(row) == len(rows[0]) else row for row in rows]


def all_differences(found, expected):
    """The same of every file that a run has left, whatever its deck: names of those that are not alike."""
    found, expected = Path(found), Path(expected)
    names = {path.name for path in (*found.iterdir(), *expected.iterdir()) if not path.name.startswith(".")}
    wrong = []
    for name in sorted(names - {"run.log"}):
        if not (found / name).exists() or not (expected / name).exists():
            wrong.append(f"{name} ({'missing' if (expected / name).exists() else 'too much'})")
            continue
        try:
            if not alike(found / name, expected / name):
                wrong.append(name)
        except (OSError, KeyError, ValueError, IndexError, xml.ParseError) as error:
            wrong.append(f"{name} ({error})")
    return wrong


def by_tag(values):
    """A checkpoint with the rows of collision solvents in the order of their tags: how they are stored decides over
    speed alone (`sort` of [collision]), and a run that went on sorts at other steps."""
    for name in [name for name in values if name.endswith("tag") and name[:-3] + "vx" in values]:
        rows = values[name]
        order = np.argsort(rows.view("<u4").ravel(), kind="stable")
        for other in [other for other in values if other.startswith(name[:-3])]:
            if len(np.atleast_1d(values[other])) == len(rows):
                values[other] = values[other][order]
    return values


def alike(one, other):
    if one.name == "summary.json":
        keys = ("status", "last_step", "first_step", "state_hash", "averages", "steps", "rebuilds")
        mine, theirs = (json.loads(path.read_text(encoding="utf-8")) for path in (one, other))
        return all(mine.get(key) == theirs.get(key) for key in keys)
    if one.name.startswith("checkpoint-"):
        mine, theirs = by_tag(datasets_of(one)), by_tag(datasets_of(other))
        return mine.keys() == theirs.keys() and all(same(mine[n], theirs[n]) for n in mine if n.startswith("arrays/"))
    if one.suffix == ".h5":
        mine, theirs = datasets_of(one), datasets_of(other)
        return mine.keys() == theirs.keys() and all(n == "parameters/deck" or same(mine[n], theirs[n]) for n in mine)
    if one.suffix == ".csv":
        return tables_of(one) == tables_of(other)
    return one.read_bytes() == other.read_bytes()
