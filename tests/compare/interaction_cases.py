"""Systems that test_interactions.py and interactions_lammps.py have in common: places, a tabulated force, settings."""
import json
from pathlib import Path

import numpy as np

DATA = Path(__file__).resolve().parent / "interactions_lammps.json"
BOX, PARTICLES = 6.0, 80
LJ = {"epsilon": 1.3, "sigma": 0.9, "cutoff": 2.5}
SOFT = {"amplitude": 10.0, "cutoff": 1.5}
TABLE = {"points": 1000, "low": 0.5, "high": 2.5}
# A Lennard-Jones liquid, cut and shifted, held by the friction and noise of DPD alone.
LIQUID = {"count": 500, "density": 0.7, "temperature": 1.2, "timestep": 0.004, "gamma": 3.0, "reach": 1.6}
# Kremer and Grest's melt (J. Chem. Phys. 92, 5057 (1990)); chains that are short enough to come to equilibrium here.
MELT = {"chains": 80, "beads": 10, "density": 0.85, "timestep": 0.01, "friction": 0.5, "k": 30.0, "r_max": 1.5}


def places():
    """Particles that are 0.85 apart or more."""
    random, found = np.random.default_rng(7), []
    while len(found) < PARTICLES:
        at = random.uniform(0.0, BOX, 3)
        away = np.array(found).reshape(-1, 3) - at
        if np.all(np.sum((away - BOX * np.round(away / BOX))**2, axis=1) > 0.85**2):
            found.append(at)
    return np.array(found)


def morse(r):
    """Energy and force of a Morse potential."""
    x = np.exp(-2.5 * (r - 1.1))
    return 1.7 * (x * x - 2.0 * x), 1.7 * 2.5 * 2.0 * (x * x - x)


def write_table(path):
    """In LAMMPS's format, at equal steps of r^2, which both programs take as they are."""
    low, high, points = TABLE["low"], TABLE["high"], TABLE["points"]
    lines = ["# made by interaction_cases.py", "", "MORSE", f"N {points} RSQ {low} {high}", ""]
    for k, r in enumerate(np.sqrt(np.linspace(low**2, high**2, points))):
        lines.append("{} {:.17g} {:.17g} {:.17g}".format(k + 1, r, *morse(r)))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def recorded():
    return json.loads(DATA.read_text(encoding="utf-8"))
