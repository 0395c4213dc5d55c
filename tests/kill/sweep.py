#!/usr/bin/env python3
"""Stops the program at its calls that change files, goes on, and compares with a run that nobody stopped.

kill: SIGKILL before a call; torn: after half of a write's bytes; ENOSPC, EIO: the call fails, once or from then on. The
same for the calls of runs that resume what an earlier kill left. On one rank and on two (either of them, or both at
once; of errors, the disk of either).

  sweep.py --full              every call: more than 1,000 kills
  sweep.py --sample 40         as many of each sort, spread over all files and calls
  sweep.py --only kill/1/fresh --at 17 --keep /tmp/here    one of them, its files left

Needs MESOWARP_EXECUTABLE, MESOWARP_SOURCE_DIR, MESOWARP_MPIEXEC and MESOWARP_SHIM in the environment, as ctest sets
them.
"""
import argparse
import shutil
import sys
import tempfile
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from harness import DECK, Harm, calls_of, differences, run


@dataclass(frozen=True)
class Sort:
    """One row of the table."""
    what: str        # kill, torn, ENOSPC, EIO
    ranks: int
    whose: str = "0"   # the rank that is harmed
    together: bool = False
    lasting: bool = False
    base: int = 0    # 0: a fresh run; k: a resume of what the k-th of the BASES left

    @property
    def name(self):
        who = "" if self.ranks == 1 else "/all" if self.together else f"/rank{self.whose}"
        how = self.what + ("-lasting" if self.lasting else "")
        return f"{how}/{self.ranks}{who}/{f'resume{self.base}' if self.base else 'fresh'}"

    def harm(self, at):
        return Harm(self.what, at, self.whose, self.together, self.lasting)


# Where the runs were killed that are then resumed: shares of a fresh run's calls.
BASES = (0.45, 0.70, 0.97)


def sorts():
    for what in ("kill", "torn"):
        yield Sort(what, 1)
        for base in (1, 2, 3):
            yield Sort(what, 1, base=base)
    yield Sort("kill", 2)
    yield Sort("kill", 2, "1")
    yield Sort("torn", 2, together=True)
    yield Sort("kill", 2, together=True, base=2)
    for error in ("ENOSPC", "EIO"):
        yield Sort(error, 1)
        yield Sort(error, 1, lasting=True)
        yield Sort(error, 1, base=2)
        for rank in ("0", "1"):
            yield Sort(error, 2, rank)
            yield Sort(error, 2, rank, lasting=True)
            yield Sort(error, 2, rank, base=2)


def spread_sample(calls, most):
    """Numbers of calls, from 1: of each kind (call, file) some, evenly; all if most is None."""
    if most is None or most >= len(calls):
        return list(range(1, len(calls) + 1))
    groups = defaultdict(list)
    for number, kind in enumerate(calls, 1):
        groups[kind].append(number)
    chosen, depth = [], 1
    while True:
        chosen = sorted({group[(2 * k + 1) * len(group) // (2 * min(depth, len(group)))] for group in groups.values()
                         for k in range(min(depth, len(group)))})
        if len(chosen) >= most:
            break
        depth += 1
    return [chosen[k * len(chosen) // most] for k in range(most)]


class Sweep:
    def __init__(self, home):
        self.home = Path(home)
        self.deck = self.home / "deck.toml"
        self.deck.write_text(DECK, encoding="utf-8")
        self.calls, self.left, self.slow = {}, {}, []
        for ranks in (1, 2):
            self.logged(ranks, f"whole{ranks}", 0)
            for number, share in enumerate(BASES, 1):
                self.leave(ranks, number, round(share * len(self.calls[ranks, 0][0])))

    def logged(self, ranks, name, base, *arguments):
        log = self.home / f"{name}.log"
        shim = Harm(at=0).environment(self.home / name, self.home)
        done = run(ranks, "run", self.deck, "--output", self.home / name, "--quiet", *arguments,
                   shim={**shim, "MESOWARP_SHIM_LOG": str(log)})
        if done.code != 0 and not base:
            raise SystemExit(f"a run that nobody stops fails: {done.text}")
        self.calls[ranks, base] = calls_of(log) if log.exists() else {}

    def leave(self, ranks, number, at):
        """A run killed at a call, to be resumed many times."""
        left, trial = self.home / f"left{ranks}-{number}", f"trial{ranks}-{number}"
        run(ranks, "run", self.deck, "--output", left, "--quiet",
            shim=Harm(at=at, together=ranks > 1).environment(left, self.at(f"processes{ranks}{number}")))
        shutil.copytree(left, self.home / trial)
        self.logged(ranks, trial, number, "--resume")
        self.left[ranks, number] = left

    def at(self, name):
        path = self.home / name
        path.mkdir(parents=True, exist_ok=True)
        return path

    def numbers(self, sort, most):
        return spread_sample(self.calls[sort.ranks, sort.base].get(int(sort.whose), []), most)

    def one(self, sort, at, keep=False):
        """The trial itself; what is wrong, or ''."""
        home = self.at(f"{sort.name}/{at}")
        out = home / "out"
        arguments = ["run", self.deck, "--output", out, "--quiet"]
        if sort.base:
            shutil.copytree(self.left[sort.ranks, sort.base], out)
            arguments.append("--resume")
        done = run(sort.ranks, *arguments, shim=sort.harm(at).environment(out, home))
        if done.stacks and not done.hung:
            self.slow.append(f"{sort.name} at call {at} was slow: {done.stacks}")
        wrong = self.verdict(sort, done) or self.recover(sort.ranks, out, done.code == 0)
        if not wrong:
            different = differences(out, self.home / f"whole{sort.ranks}")
            wrong = "other results: " + ", ".join(different) if different else ""
        if not keep:
            shutil.rmtree(home, ignore_errors=True)
        return wrong

    def verdict(self, sort, done):
        if done.hung:
            return f"it hung: {done.stacks}"
        if sort.what in ("kill", "torn"):
            return ""
        if done.crashed:
            return f"it crashed ({done.code}): {done.text[-300:]}"
        if done.code != 0 and "error" not in done.text:
            return f"it failed ({done.code}) without a message: {done.text[-300:]}"
        return ""

    def recover(self, ranks, out, finished):
        """As a user would: from the newest checkpoint, else from the start."""
        if finished:
            return ""
        checkpoints = list(out.glob("checkpoint-*.h5"))
        done = run(ranks, "run", self.deck, "--output", out, "--quiet", *(["--resume"] if checkpoints else []))
        if done.code == 0 or "nothing left to do" in done.text:  # the results say whether that is so
            return ""
        return f"cannot go on ({done.code}): {done.text.strip()[-300:]}{done.stacks}"


def say_now(line):
    print(line, flush=True)


def sweep(home, chosen, most, jobs, say=say_now, only_at=None, keep=False):
    """All trials; returns (counts, failures)."""
    work = Sweep(home)
    tried, lost, failures = Counter(), Counter(), []
    trials = [(sort, at) for sort in chosen for at in (only_at or work.numbers(sort, most(sort)))]
    planned = Counter(sort.name for sort, _ in trials)
    say(f"{len(trials)} trials")
    say(f"{'what/ranks/run':28} {'tried':>6} {'lost':>6}")
    with ThreadPoolExecutor(jobs) as pool:
        for (sort, at), wrong in zip(trials, pool.map(lambda trial: work.one(*trial, keep=keep), trials)):
            tried[sort.name] += 1
            if wrong:
                lost[sort.name] += 1
                kind = work.calls[sort.ranks, sort.base].get(int(sort.whose), [])
                failures.append(
                    f"{sort.name} at call {at} ({' '.join(kind[at - 1]) if at <= len(kind) else '?'}): {wrong}")
                say(failures[-1])
            while work.slow:  # not lost, but somebody should see why
                say(work.slow.pop())
            if tried[sort.name] == planned[sort.name]:
                say(f"{sort.name:28} {tried[sort.name]:6} {lost[sort.name]:6}")
    say(f"{'all':28} {sum(tried.values()):6} {sum(lost.values()):6}")
    return tried, failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--full", action="store_true", help="every call")
    parser.add_argument("--sample", type=int, default=12, help="calls of each sort, without --full")
    parser.add_argument("--only", default="", help="sorts whose name begins so")
    parser.add_argument("--at", type=int, nargs="*", help="at these calls alone")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", help="a directory to work in that is left")
    options = parser.parse_args()
    chosen = [sort for sort in sorts() if sort.name.startswith(options.only)]
    with tempfile.TemporaryDirectory() as own:
        home = Path(options.keep or own)
        home.mkdir(parents=True, exist_ok=True)
        _, failures = sweep(home, chosen, lambda _: None if options.full else options.sample, options.jobs,
                            only_at=options.at, keep=bool(options.keep))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
