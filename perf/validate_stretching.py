#!/usr/bin/env python3
"""A red blood cell between optical tweezers at the forces of Suresh et al., Acta Biomater. 1 (2005) 15, and their axial
and transverse diameters with error bars: examples/red_cell_stretching.toml at each force, with area and volume of this
step and of the step before. Prints a table; --plot FILE draws it. About ten minutes of processor time.

    perf/validate_stretching.py build/release/mesowarp [--plot stretching.png] [--steps 6000] [--set KEY=VALUE ...]
"""
import argparse
import csv
import subprocess
import sys
import tempfile
from pathlib import Path

DECK = Path(__file__).resolve().parent.parent / "examples/red_cell_stretching.toml"
# Force in pN; axial diameter and the ends of its error bar, um; the same of the transverse one. Read off the figure.
MEASURED = [
    (16.0, 9.26, 8.35, 10.10, 6.20, 5.58, 6.81), (19.5, 9.58, 8.70, 10.45, 6.28, 5.64, 6.92),
    (30.5, 10.53, 9.62, 11.39, 5.72, 5.13, 6.32), (38.0, 11.14, 10.08, 12.29, 5.44, 4.82, 5.99),
    (46.5, 11.86, 10.82, 12.97, 5.07, 4.29, 5.83), (67.5, 12.87, 11.88, 13.87, 4.64, 3.94, 5.36),
    (87.6, 13.77, 12.58, 14.98, 4.64, 4.00, 5.27), (108.6, 14.35, 12.87, 15.82, 4.60, 3.98, 5.23),
    (130.0, 15.19, 13.89, 16.62, 4.53, 3.88, 5.19), (151.0, 15.60, 14.43, 16.87, 4.35, 3.78, 4.99),
    (173.0, 16.07, 14.26, 17.88, 4.60, 4.08, 5.05), (193.0, 16.30, 14.49, 18.02, 4.39, 3.75, 4.94)
]
LAGGED = ["membrane.0.area_volume=lagged", "membrane.0.volume_modulus=40", "run.timestep=0.002"]
EXTRAPOLATED = ["membrane.0.area_volume=extrapolated"]  # at the default moduli and time step


def diameters(program, force, steps, settings):
    """Means over the second half of a run."""
    with tempfile.TemporaryDirectory() as out:
        changes = [f"stretch.0.force={force * 1e-12}", "membrane.0.table_every=100", f"run.steps={steps}", *settings]
        command = [program, "run", DECK, "--output", out + "/run", "--quiet"]
        subprocess.run(command + [word for change in changes for word in ("--set", change)], check=True)
        with open(out + "/run/cells.csv", newline="", encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if 2 * int(row["step"]) > steps]
    return [sum(float(row[key]) for row in rows) / len(rows) for key in ("extent_x", "extent_y")]


def plot(path, results):
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    force = [row[0] for row in MEASURED]
    for at, name in ((1, "axial"), (4, "transverse")):
        values = [row[at] for row in MEASURED]
        bars = [[row[at] - row[at + 1] for row in MEASURED], [row[at + 2] - row[at] for row in MEASURED]]
        plt.errorbar(force, values, bars, fmt="s", capsize=3, label=f"{name}, measured")
        plt.plot(force, [row[1 if at == 1 else 2] for row in results], "-", label=f"{name}, mesowarp")
    plt.xlabel("force / pN"), plt.ylabel("diameter / um"), plt.legend()
    plt.savefig(path, dpi=150)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--plot")
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--set", action="append", default=[], dest="settings", metavar="KEY=VALUE")
    options = parser.parse_args()
    print("force/pN  axial (measured)           transverse (measured)      axial: lagged and extrapolated/current - 1")
    results, outside = [], 0
    for force, axial, low, high, transverse, low_t, high_t in MEASURED:
        mine = diameters(options.program, force, options.steps, options.settings)
        others = [diameters(options.program, force, options.steps * 5 // 2, options.settings + settings)[0]
                  for settings in (LAGGED, ["membrane.0.area_volume=current"] + LAGGED[1:])]
        extrapolated = diameters(options.program, force, options.steps, options.settings + EXTRAPOLATED)[0]
        results.append((force, *mine))
        outside += not low < mine[0] < high
        print(f"{force:8.1f}  {mine[0]:6.2f} ({axial:5.2f}, {low:5.2f}-{high:5.2f})  {mine[1]:6.2f} "
              f"({transverse:5.2f}, {low_t:5.2f}-{high_t:5.2f})  {others[0] / others[1] - 1:+.1e} "
              f"{extrapolated / mine[0] - 1:+.1e}", flush=True)
    if options.plot:
        plot(options.plot, results)
    print(f"axial diameter outside of the error bars: {outside} of {len(results)}")
    return 1 if outside else 0


if __name__ == "__main__":
    sys.exit(main())
