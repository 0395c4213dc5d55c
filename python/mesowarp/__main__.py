"""python3 -m mesowarp plot | convert: what the program hands over to Python."""
import argparse
import sys

from .errors import MesowarpError


def plot(options):
    from .pictures import plot as draw
    from .runs import open_sweep
    for path in draw(open_sweep(*options.runs), options.output, options.only, options.force):
        print(path)


def convert(options):
    from .gsd_files import convert_file
    frames = convert_file(options)
    print(f"{frames} frame{'' if frames == 1 else 's'} written to {options.output}")


def parser():
    main = argparse.ArgumentParser(prog="mesowarp")
    verbs = main.add_subparsers(dest="verb", required=True)
    verb = verbs.add_parser("plot")
    verb.add_argument("runs", nargs="+")
    verb.add_argument("--output")
    verb.add_argument("--only", action="append", default=[])
    verb.add_argument("--force", action="store_true")
    verb.set_defaults(task=plot)
    verb = verbs.add_parser("convert")
    verb.add_argument("input")
    verb.add_argument("output")
    verb.add_argument("--format", default="")
    verb.add_argument("--first", type=int, default=0)
    verb.add_argument("--last", type=int, default=-1)
    verb.add_argument("--stride", type=int, default=1)
    verb.add_argument("--unwrap", action="store_true")
    verb.add_argument("--force", action="store_true")
    verb.set_defaults(task=convert)
    return main


def main():
    options = parser().parse_args()
    try:
        options.task(options)
    except (MesowarpError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
