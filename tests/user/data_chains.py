"""A small melt in LAMMPS data for the tests of conversion: chains A-A-B-B across the faces of a box, two types of
bonds; its deck; what a data file holds."""
import numpy as np

CHAINS, BEADS, EDGE = 12, 4, (5.0, 6.0, 7.0)
IDS = 7 + 2 * np.arange(CHAINS)[::-1].repeat(BEADS)  # of molecules, as another program may have numbered them
MASSES = np.array([1.0, 2.5])
DECK = """
[run]
steps = {steps}
timestep = 0.01
precision = "double"
[box]
size = [5.0, 6.0, 7.0]
[[population]]
name = "chains"
kind = "fluid"
initial = "file"
file = "{file}"
types = ["A", "B"]
[[interaction]]
between = "*"
a = 25.0
gamma = 4.5
[[bond]]
population = "chains"
type = 1
k = 80.0
r0 = 0.4
[[bond]]
population = "chains"
type = 2
k = 40.0
r0 = 0.6
[[output]]
format = "table"
every = 10
[[output]]
format = "trajectory"
every = 10
precision = "double"
fields = ["position", "image", "velocity"]
[[output]]
format = "checkpoint"
every = 20
"""
HEAVY = DECK + f"""
[[species]]
name = "B"
mass = {MASSES[1]}
"""


def start(path, ids=None, masses=None):
    """Chains A-A-B-B whose middle bond is of type 2, across the faces of the box; molecules from 1, or with ids; for
    DECK, or with MASSES for HEAVY."""
    ids = np.arange(CHAINS * BEADS) // BEADS + 1 if ids is None else ids
    rng = np.random.default_rng(5)
    first = rng.uniform(0, EDGE, (CHAINS, 1, 3))
    step = rng.normal(size=(CHAINS, BEADS - 1, 3))
    step *= 0.5 / np.linalg.norm(step, axis=2, keepdims=True)
    x = np.concatenate([first, first + np.cumsum(step, axis=1)], axis=1).reshape(-1, 3)
    image = np.floor(x / EDGE).astype(int)
    x -= image * EDGE
    v = rng.normal(size=x.shape)
    v -= v.mean(axis=0)
    lines = ["start", "", f"{len(x)} atoms", "2 atom types", f"{CHAINS * (BEADS - 1)} bonds", "2 bond types", ""]
    lines += [f"0 {edge} {axis}lo {axis}hi" for axis, edge in zip("xyz", EDGE)]
    if masses is not None:
        lines += ["", "Masses", ""] + [f"{kind} {mass}" for kind, mass in enumerate(masses, 1)]
    lines += ["", "Atoms # molecular", ""]
    for i in range(len(x)):
        lines.append(f"{i + 1} {ids[i]} {1 + (i % BEADS) // 2} " + " ".join(map(repr, x[i].tolist())) + " " +
                     " ".join(map(str, image[i])))
    lines += ["", "Velocities", ""] + [f"{i + 1} " + " ".join(map(repr, v[i].tolist())) for i in range(len(x))]
    lines += ["", "Bonds", ""]
    for number, bond in enumerate((c, b) for c in range(CHAINS) for b in range(BEADS - 1)):
        one = bond[0] * BEADS + bond[1] + 1
        lines.append(f"{number + 1} {2 if bond[1] == 1 else 1} {one} {one + 1}")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def sections(path):
    """Of a data file: numbers by section, rows by id; the header's counts."""
    found, name, counts = {}, "", {}
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        words = line.split("#")[0].split()
        if not words:
            continue
        if words[0] in ("Masses", "Atoms", "Velocities", "Bonds", "Angles", "Dihedrals"):
            name = words[0]
        elif name:
            found.setdefault(name, []).append([float(word) for word in words])
        else:
            counts[" ".join(words[1:])] = float(words[0])
    return {key: np.array(sorted(rows)) for key, rows in found.items()}, counts
