"""What the scripts share that run LAMMPS for a mean over blocks and seeds: options, errors, its version."""
import argparse
from pathlib import Path


def read_options(description, work, steps, choices=()):
    """choices: options that name one of several words, the first by default."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--peers", type=Path, default=Path.home() / ".cache/mesowarp/peers")
    parser.add_argument("--work", type=Path, default=Path(work))
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--steps", type=int, default=steps)
    for name, words in dict(choices).items():
        parser.add_argument(name, choices=words, default=words[0])
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    return options


def estimate(blocks):
    """Mean over runs and blocks, and its error from the blocks."""
    return {"mean": round(float(blocks.mean()), 5),
            "error": round(float(blocks.std(ddof=1) / len(blocks)**0.5), 5)}


def version(peers):
    package = next((peers / "lib").glob("python*/site-packages/lammps-*.dist-info")).name
    return package.removeprefix("lammps-").removesuffix(".dist-info")
