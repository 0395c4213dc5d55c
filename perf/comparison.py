"""What the comparisons with LAMMPS share: perf/compare_*.py (speed), tests/compare/compare_physics.py."""

import argparse
import os
import re
import sys
from pathlib import Path


def default_peers():
    """The environment this Python belongs to if LAMMPS is in it, else the one that peers_setup.sh makes."""
    if (Path(sys.prefix) / "bin/lmp").exists():
        return Path(sys.prefix)
    cache = os.environ.get("MESOWARP_CACHE") or Path.home() / ".cache/mesowarp"
    return Path(cache) / "peers"


def comparison_parser(description, work, cores_help):
    """A parser with the options of both programs; work: default folder for runs."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--mesowarp", type=Path, default=Path("build/release/mesowarp"), help="program to compare")
    parser.add_argument("--peers", type=Path, default=default_peers(), help="environment with LAMMPS")
    parser.add_argument("--cores", type=int, default=len(os.sched_getaffinity(0)), help=cores_help)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", type=Path, default=Path(work), help="folder for runs")
    return parser


def resolve_programs(parser, options, needs_mesowarp):
    """Makes paths absolute and ends with a message when a program is not there."""
    options.mesowarp, options.peers = options.mesowarp.resolve(), options.peers.absolute()
    options.work = options.work.resolve()
    if not (options.peers / "bin/lmp").exists():
        parser.error(f"no LAMMPS in {options.peers}: run perf/peers_setup.sh, or name the environment with --peers")
    if needs_mesowarp and not options.mesowarp.exists():
        parser.error(f"no program {options.mesowarp}: build it, or name it with --mesowarp")


def lmp_command(options, ranks, *words):
    """Command line of LAMMPS on so many ranks, input in in.lammps."""
    launcher = [options.peers / "bin/mpiexec", "-n", ranks] if ranks > 1 else []
    return [*launcher, options.peers / "bin/lmp", *words, "-in", "in.lammps", "-log", "none"]


def loop_seconds(output):
    """Of LAMMPS's last run."""
    return float(re.findall(r"Loop time of (\S+)", output)[-1])
