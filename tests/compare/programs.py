"""One simulation case, as input for LAMMPS and for mesowarp, and the results of both in one form."""

import hashlib
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np
from observables import read_table

SPECIES = "AB"


@dataclass(frozen=True)
class Case:
    """A DPD fluid: cutoff 1, mass 1, k_BT = 1 unless `forces_only`, periodic box.

    counts: particles per species; repulsion: a for AA, or AA, AB, BB. With `shared_start` mesowarp reads LAMMPS's
    starting configuration, without it makes its own random one. `forces_only`: gamma = 0, T = 0, only the forces of
    the start are wanted. chain: beads of each molecule, held together by F = bond_k (r - bond_length); 1: no bonds.
    integrator: "velocity-verlet", or "groot-warren" with lambda = 0.65. pair_noise, reproducibility: of mesowarp alone.
    """

    name: str
    box: tuple
    counts: tuple
    repulsion: tuple
    exponent: float = 1.0
    chain: int = 1
    bond_k: float = 80.0
    bond_length: float = 0.38
    shared_start: bool = False
    forces_only: bool = False
    timestep: float = 0.01
    equilibration: int = 2000
    production: int = 4000
    table_every: int = 10
    frame_every: int = 25
    integrator: str = "velocity-verlet"
    pair_noise: str = "tea"
    reproducibility: str = "deterministic"

    @property
    def gamma(self):
        """Friction."""
        return 0.0 if self.forces_only else 4.5

    @property
    def temperature(self):
        """k_BT of the thermostat."""
        return 0.0 if self.forces_only else 1.0

    @property
    def steps(self):
        """All steps of the run."""
        return 1 if self.forces_only else self.equilibration + self.production

    @property
    def density(self):
        """Particles per volume."""
        return sum(self.counts) / float(np.prod(self.box))

    def pairs(self):
        """(species i, species j, a), i <= j, numbered from 0."""
        if len(self.counts) == 1:
            return [(0, 0, self.repulsion[0])]
        return list(zip((0, 0, 1), (0, 1, 1), self.repulsion))

    def bonds(self):
        """Pairs of bonded particles, numbered from 0: [B][2]."""
        first = np.arange(sum(self.counts) - 1)
        first = first[(first + 1) % self.chain != 0]
        return np.stack([first, first + 1], axis=1)

    def members(self, species):
        """Where a species' particles are in arrays sorted by id."""
        begin = sum(self.counts[:species])
        return slice(begin, begin + self.counts[species])


@dataclass
class Result:
    """After equilibration: table series, unwrapped positions [frames][N][3]; or the forces [N][3] of the start."""

    temperature: np.ndarray = None
    pressure: np.ndarray = None
    frames: np.ndarray = None
    forces: np.ndarray = None


class ProgramError(RuntimeError):
    """A program ended badly or its output is not what was asked for."""


def start_positions(case):
    """Random positions; two species fill one half each of the box along z; chains are random walks of step 0.5. The
    same for the same case.
    """
    digest = hashlib.sha256(case.name.encode()).digest()
    random = np.random.default_rng(int.from_bytes(digest[:8], "little"))
    height = 1.0 / len(case.counts)
    parts = []
    for species, count in enumerate(case.counts):
        part = random.random((count // case.chain, 3))
        part[:, 2] = (part[:, 2] + species) * height
        parts.append(part * np.asarray(case.box))
    heads = np.concatenate(parts)
    if case.chain == 1:
        return heads
    steps = random.normal(size=(len(heads), case.chain, 3))
    steps *= 0.5 / np.linalg.norm(steps, axis=2, keepdims=True)
    steps[:, 0] = heads
    return np.mod(np.cumsum(steps, axis=1).reshape(-1, 3), case.box)


def write_data(path, box, positions, types, bonds=(), style="atomic"):
    """A LAMMPS data file, atom style atomic or mdpd, with bonds molecular; every bit of the positions in it."""
    lines = ["mesowarp comparison", "", f"{len(positions)} atoms", f"{max(types)} atom types"]
    lines += [f"{len(bonds)} bonds", "1 bond types", ""] if len(bonds) else [""]
    lines += [f"0 {edge!r} {axis}lo {axis}hi" for edge, axis in zip(box, "xyz")]
    lines += ["", "Masses", "", *(f"{kind} 1.0" for kind in range(1, max(types) + 1)), ""]
    lines += ["Atoms # molecular" if len(bonds) else f"Atoms # {style}", ""]
    rows = zip(range(1, len(positions) + 1), types, positions)
    molecule, rho = " 1" if len(bonds) else "", " 0" if style == "mdpd" else ""
    lines += [f"{number}{molecule} {kind}{rho} {row[0]:.17g} {row[1]:.17g} {row[2]:.17g}" for number, kind, row in rows]
    if len(bonds):
        lines += ["", "Bonds", "", *(f"{k + 1} 1 {a + 1} {b + 1}" for k, (a, b) in enumerate(bonds))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def execute(command, folder, threads):
    """Runs a command in a folder; returns what it printed."""
    environment = dict(os.environ, OMP_NUM_THREADS=str(threads))
    done = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        tail = done.stdout.strip()[-500:] or "(no output)"
        raise ProgramError(f"exit code {done.returncode} from {Path(command[0]).name}: {tail}")
    return done.stdout


class Lammps:
    """Runs cases with LAMMPS; a case whose input has not changed is read back, not run again."""

    def __init__(self, peers, work, ranks, seed):
        self.peers, self.work, self.ranks, self.seed = peers, work / "lammps", ranks, seed

    def pair_lines(self, case):
        """pair_style dpd, or dpd/ext where the weight is w_R = (1 - r)^s with s other than 1.

        dpd/ext takes gamma and s for the part along the line of centres and for the part across it: random force
        sigma w^s, friction gamma w^2s (checked with two particles: a = 25, gamma = 3, s = 0.5, w = 0.6, v = 1 give
        15 + 3 x 0.6). gamma across is 0 here.
        """
        style = "dpd" if case.exponent == 1.0 else "dpd/ext"
        lines = [f"pair_style {style} {case.temperature} 1.0 {self.seed}"]
        for one, other, repulsion in case.pairs():
            friction = f"{case.gamma}" if style == "dpd" else f"{case.gamma} 0.0 {case.exponent} {case.exponent}"
            lines.append(f"pair_coeff {one + 1} {other + 1} {repulsion!r} {friction}")
        return lines

    @staticmethod
    def atom_style(case):
        """Groot and Warren's integrator, fix mvv/dpd, wants atoms with room for the predicted velocity."""
        return "mdpd" if case.integrator == "groot-warren" else "atomic" if case.chain == 1 else "molecular"

    def script(self, case):
        """The input script."""
        style = self.atom_style(case)
        lines = ["units lj", f"atom_style {style}", "newton on", "boundary p p p", "comm_modify vel yes"]
        lines += ["read_data start.data", *self.pair_lines(case)]
        if case.chain > 1:  # LAMMPS's energy is K (r - r0)^2; bonded beads feel the pair force as well
            lines += ["bond_style harmonic", f"bond_coeff 1 {0.5 * case.bond_k} {case.bond_length}"]
            lines += ["special_bonds lj/coul 1 1 1"]
        lines += ["neighbor 0.3 bin", "neigh_modify every 1 delay 0 check yes"]
        lines += ["fix motion all mvv/dpd 0.65" if case.integrator == "groot-warren" else "fix motion all nve"]
        lines += [f"timestep {case.timestep}", "thermo_style custom step temp press"]
        lines += ["thermo_modify format float %.12g", f"thermo {case.table_every}"]
        if case.forces_only:
            lines += ["dump out all custom 1 trajectory.dump id fx fy fz"]
            lines += ["dump_modify out sort id format float %.17g", "run 0"]
            return "\n".join(lines) + "\n"
        lines += [f"velocity all create {case.temperature} {self.seed} loop geom", f"run {case.equilibration}"]
        lines += [f"dump out all custom {case.frame_every} trajectory.dump id xu yu zu"]
        lines += ["dump_modify out sort id format float %.10g", f"run {case.production}"]
        return "\n".join(lines) + "\n"

    def run(self, case):
        """The case's result, from an earlier run where that had the same input."""
        folder = self.work / case.name
        script = self.script(case) + f"# counts {case.counts} box {case.box}\n"
        recipe, result = folder / "in.lammps", folder / "result.npz"
        if not (result.exists() and recipe.exists() and recipe.read_text(encoding="utf-8") == script):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            recipe.write_text(script, encoding="utf-8")
            self.simulate(case, folder, result)
        with np.load(result) as stored:
            return Result(**{key: stored[key] for key in stored.files})

    def simulate(self, case, folder, target):
        """Runs LAMMPS and keeps arrays in place of its text files."""
        types = [species + 1 for species, count in enumerate(case.counts) for _ in range(count)]
        write_data(folder / "start.data", case.box, start_positions(case), types, case.bonds(), self.atom_style(case))
        launcher = [self.peers / "bin/mpiexec", "-n", self.ranks]
        program = [self.peers / "bin/lmp", "-sf", "omp", "-pk", "omp", 1, "-in", "in.lammps", "-log", "none"]
        screen = execute([*launcher, *program], folder, 1)
        dump = read_dump(folder / "trajectory.dump", sum(case.counts))
        if case.forces_only:
            stored = {"forces": dump[0]}
        else:
            table = read_screen(screen)
            stored = {"frames": dump[1:], "temperature": table[1:, 1], "pressure": table[1:, 2]}
        np.savez(folder / "partial.npz", **stored)
        (folder / "partial.npz").rename(target)
        (folder / "trajectory.dump").unlink()


def read_screen(screen):
    """Rows step, temperature, pressure of the last run in LAMMPS's screen output."""
    body = screen.split("Loop time")[-2].split("Press")[-1]
    rows = [line.split() for line in body.splitlines()[1:]]
    return np.array([[float(word) for word in row] for row in rows if len(row) == 3])


def read_dump(path, particles):
    """Columns after the id of a LAMMPS text dump sorted by id: [frames][N][3]."""
    frames = []
    with open(path, encoding="utf-8") as dump:
        while dump.readline():
            for _ in range(8):
                dump.readline()
            text = "".join(dump.readline() for _ in range(particles))
            frames.append(np.fromstring(text, sep=" ").reshape(particles, 4)[:, 1:])
    return np.array(frames)


class Mesowarp:
    """Runs cases with mesowarp."""

    def __init__(self, program, work, threads, precision, seed):
        self.program, self.work, self.threads = program, work / f"mesowarp_{precision}", threads
        self.precision, self.seed = precision, seed

    def population_lines(self, case, species, folder):
        """One population per species."""
        letter = SPECIES[species]
        lines = ["[[population]]", f'name = "fluid_{letter}"']
        lines += [f'species = "{letter}"'] if case.chain == 1 else ['kind = "polymer"', f'types = ["{letter}"]']
        if not case.shared_start:
            return [*lines, f"count = {case.counts[species]}", 'initial = "random"']
        path = folder / f"start_{letter}.data"
        positions = start_positions(case)[case.members(species)]
        write_data(path, case.box, positions, [1] * len(positions), case.bonds())
        return [*lines, 'initial = "file"', f'file = "{path}"']

    def interaction_lines(self, case):
        """One interaction per pair of species."""
        lines = []
        for one, other, repulsion in case.pairs():
            lines += ["[[interaction]]", f'between = ["{SPECIES[one]}", "{SPECIES[other]}"]', 'style = "dpd"']
            lines += [f"a = {repulsion!r}", f"gamma = {case.gamma}", "cutoff = 1.0"]
            lines += [f"exponent = {case.exponent}"] if case.exponent != 1.0 else []
        return lines

    def deck(self, case, folder):
        """The deck; starting configurations go into `folder`."""
        precision = "double" if case.forces_only else self.precision
        fields = ["position", "image", "force"] if case.forces_only else ["position", "image"]
        every = 1 if case.forces_only else case.frame_every
        lines = ["[run]", f"steps = {case.steps}", f"timestep = {case.timestep}", f"seed = {self.seed}"]
        lines += [
            f"temperature = {case.temperature}", f'precision = "{precision}"', f'pair_noise = "{case.pair_noise}"'
        ]
        lines += [f'reproducibility = "{case.reproducibility}"', "[integrator]", f'style = "{case.integrator}"']
        lines += ["[box]", "size = [" + ", ".join(repr(float(edge)) for edge in case.box) + "]"]
        for species in range(len(case.counts)):
            lines += self.population_lines(case, species, folder)
        lines += self.interaction_lines(case)
        if case.chain > 1:
            lines += ["[[bond]]", 'population = "fluid_A"', f"k = {case.bond_k}", f"r0 = {case.bond_length}"]
        lines += ["[[output]]", 'format = "table"', f"every = {1 if case.forces_only else case.table_every}"]
        lines += ["[[output]]", 'format = "trajectory"', f"every = {every}"]
        lines += ["fields = [" + ", ".join(f'"{name}"' for name in fields) + "]", 'precision = "double"']
        return "\n".join(lines) + "\n"

    def run(self, case):
        """Runs the case and reads its output; the trajectory file is removed afterwards."""
        folder = self.work / case.name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / "deck.toml").write_text(self.deck(case, folder), encoding="utf-8")
        output = folder / "output"
        command = [self.program, "run", folder / "deck.toml", "--output", output]
        execute([*command, "--threads", self.threads, "--quiet"], folder, self.threads)
        try:
            result = read_forces(case, output) if case.forces_only else read_run(case, output)
        except (OSError, KeyError, ValueError) as error:
            raise ProgramError(f"cannot read {output}: {error}") from error
        (output / "trajectory.h5").unlink()
        return result


def element_steps(element):
    """Steps of an H5MD element's frames, from either form of its time dependence."""
    step = element["step"]
    if step.shape:
        return step[:]
    first = int(step.attrs.get("offset", 0))
    return first + int(step[()]) * np.arange(len(element["value"]))


def read_run(case, output):
    """Table and unwrapped trajectory after equilibration."""
    table = read_table(output / "thermo.csv", case.equilibration)
    with h5py.File(output / "trajectory.h5") as file:
        particles = file["particles/all"]
        late = element_steps(particles["position"]) > case.equilibration
        frames = particles["position/value"][late] + particles["image/value"][late] * np.asarray(case.box)
    expected = (case.production // case.frame_every, sum(case.counts), 3)
    if frames.shape != expected or len(table["step"]) != case.production // case.table_every:
        raise ValueError(f"{len(table['step'])} rows and a trajectory of shape {frames.shape}, not {expected}")
    return Result(
        temperature=table["temperature"],
        pressure=table["pressure"],
        frames=frames,
    )


def read_forces(case, output):
    """Forces of the first frame, which must be the starting configuration."""
    with h5py.File(output / "trajectory.h5") as file:
        particles = file["particles/all"]
        positions = particles["position/value"][0]
        forces = particles["force/value"][0]
    box = np.asarray(case.box)
    shift = positions - start_positions(case)
    shift -= box * np.rint(shift / box)
    largest = np.abs(shift).max()
    if largest > 1e-13:
        raise ValueError(f"the first frame is not the starting configuration: positions differ by {largest:g}")
    return Result(forces=forces)
