#!/usr/bin/env python3
"""Stops every example, shortened, at calls that change files, goes on, and compares all files with those of a run that
nobody stopped: kills and torn writes of runs and of the runs that resume what these left, on one rank and two; and
errors of the file system.

  sweep_examples.py --each 8             calls of each sort and example
  sweep_examples.py --only walls --each 40 --keep /tmp/here

Needs the environment of sweep.py.
"""
import argparse
import os
import random
import shutil
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from harness import Harm, all_differences, calls_of, run

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from examples import DECKS, quick, with_outputs  # noqa: E402

STEPS, CHECKPOINTS, FRAMES = 24, 8, 6
FEW = {"plummer": 8}  # of so few steps each is long
# What is done to a run; then, whether to one that resumes what such a kill has left.
SORTS = (("kill", 1, False), ("torn", 1, False), ("kill", 1, True), ("kill", 2, False), ("kill", 2, True),
         ("ENOSPC", 1, False), ("EIO", 1, False))


@dataclass(frozen=True)
class Trial:
    name: str    # of the example
    what: str
    ranks: int
    resumed: bool
    share: float  # of all calls: where

    @property
    def text(self):
        return f"{self.name} {self.what}/{self.ranks}{'/resume' if self.resumed else ''} at {self.share:.4f}"


class Example:
    """One deck, and what it leaves when nobody stops it, on each number of ranks."""

    def __init__(self, name, home):
        self.home = Path(home) / name
        self.home.mkdir(parents=True)
        steps = FEW.get(name, STEPS)
        text, blocks = with_outputs(name, CHECKPOINTS)
        (self.home / "deck.toml").write_text(text, encoding="utf-8")
        self.options = quick(name, steps)
        for block, every in (("checkpoint", CHECKPOINTS), ("trajectory", FRAMES)):
            self.options += ["--set", f"output.{blocks[block]}.every={max(1, every * steps // STEPS)}"]
        self.calls = {}

    def run(self, ranks, output, *more, shim=None):
        return run(ranks, "run", self.home / "deck.toml", *self.options, "--output", output, "--quiet", *more,
                   shim=shim, timeout=600)

    def whole(self, ranks):
        """The directory; made once. None: this example does not run on so many ranks."""
        output, log = self.home / f"whole{ranks}", self.home / f"whole{ranks}.log"
        if ranks not in self.calls:
            shim = {**Harm().environment(output, self.home), "MESOWARP_SHIM_LOG": str(log)}
            done = self.run(ranks, output, shim=shim)
            if done.code == 2 and ranks > 1:
                self.calls[ranks] = None
            elif done.code != 0:
                raise SystemExit(f"{self.home.name} on {ranks} ranks: a run that nobody stops fails: {done.text}")
            else:
                self.calls[ranks] = calls_of(log)
        return output if self.calls[ranks] else None

    def recover(self, ranks, output):
        """As a user would: from the newest checkpoint, else from the start."""
        resume = ["--resume"] if list(output.glob("checkpoint-*.h5")) else []
        done = self.run(ranks, output, *resume)
        if done.code == 0 or "nothing left to do" in done.text:
            return ""
        return f"cannot go on ({done.code}): {done.text.strip()[-400:]}{done.stacks}"

    def one(self, trial, keep):
        """What is wrong, or ''."""
        whole = self.whole(trial.ranks)
        if whole is None:
            return None
        home = self.home / f"{trial.what}{trial.ranks}{trial.resumed}{trial.share:.6f}"
        output = home / "out"
        home.mkdir()
        most = len(self.calls[trial.ranks][0])
        arguments = []
        if trial.resumed:  # a kill behind the first checkpoint, then one in the resume, which makes fewer calls
            self.run(trial.ranks, output, shim=self.harm("kill", round((0.5 + 0.45 * trial.share) * most), output, home,
                                                         trial.ranks))
            if list(output.glob("checkpoint-*.h5")):
                arguments = ["--resume"]
        at = 1 + int((0.4 if trial.resumed else 1.0) * trial.share * most)
        done = self.run(trial.ranks, output, *arguments, shim=self.harm(trial.what, at, output, home, trial.ranks))
        wrong = ""
        if done.hung:
            wrong = f"it hung: {done.stacks}"
        elif trial.what not in ("kill", "torn") and done.crashed:
            wrong = f"it crashed ({done.code}): {done.text[-300:]}"
        elif trial.what not in ("kill", "torn") and done.code != 0 and "error" not in done.text:
            wrong = f"it failed ({done.code}) without a message: {done.text[-300:]}"
        wrong = wrong or ("" if done.code == 0 else self.recover(trial.ranks, output))
        if not wrong:
            different = all_differences(output, whole)
            wrong = "other results: " + ", ".join(different) if different else ""
        if not keep:
            shutil.rmtree(home, ignore_errors=True)
        return wrong

    @staticmethod
    def harm(what, at, output, home, ranks):
        home = home / f"processes{at}{what}"
        home.mkdir(exist_ok=True)
        return Harm(what, at, together=ranks > 1).environment(output, home)


def sweep(home, names, each, seed, jobs, say=print, keep=False):
    """All trials; returns their number and the failures."""
    choose, failures, tried, lost = random.Random(seed), [], 0, 0
    for name in names:
        example = Example(name, home)
        trials = [Trial(name, *sort, (k + choose.random()) / each) for sort in SORTS for k in range(each)]
        for ranks in (1, 2):
            example.whole(ranks)
        with ThreadPoolExecutor(jobs) as pool:
            for trial, wrong in zip(trials, pool.map(lambda t, e=example: e.one(t, keep), trials)):
                if wrong is None:
                    continue
                tried += 1
                if wrong:
                    lost += 1
                    failures.append(f"{trial.text}: {wrong}")
                    say(failures[-1], flush=True)
        say(f"{name}: {tried} tried so far, {lost} lost", flush=True)
        if not keep:
            shutil.rmtree(example.home, ignore_errors=True)
    return tried, failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--each", type=int, default=3, help="calls of each sort and example")
    parser.add_argument("--only", nargs="*", default=[], help="these examples alone")
    parser.add_argument("--seed", default=os.environ.get("MESOWARP_RANDOM_SEED") or str(time.time_ns()))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", help="a directory to work in that is left")
    options = parser.parse_args()
    print(f"--seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory() as own:
        _, failures = sweep(options.keep or own, options.only or list(DECKS), options.each, options.seed, options.jobs,
                            keep=bool(options.keep))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
