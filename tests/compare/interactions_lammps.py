#!/usr/bin/env python3
"""LAMMPS's values that test_interactions.py is held against: makes interactions_lammps.json.

    perf/peers_setup.sh
    ~/.cache/mesowarp/peers/bin/python tests/compare/interactions_lammps.py [PEERS [WORK]]

What the file has already is kept. Forces on 80 particles; temperature, pressure and energy of a Lennard-Jones liquid
with pair_style dpd/tstat; pressure, bond length and radius of gyration of Kremer and Grest's melt. Standard errors are
from 16 blocks; that of the radius of gyration is too small, since chains forget it slowly.
"""
import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent / "shared")]
from interaction_cases import BOX, DATA, LIQUID, LJ, MELT, SOFT, TABLE, places, write_table  # noqa: E402
from observables import block_estimate  # noqa: E402
from programs import read_dump, write_data  # noqa: E402

LJ_PAIR = f"lj/cut {LJ['cutoff']}"
FORCES = {
    "lj": (f"pair_style {LJ_PAIR}", f"pair_coeff * * {LJ['epsilon']} {LJ['sigma']}"),
    "soft": (f"pair_style soft {SOFT['cutoff']}", f"pair_coeff * * {SOFT['amplitude']}"),
    "table": (f"pair_style table linear {TABLE['points']}", "pair_coeff * * pair.table MORSE"),
    "lj+soft": (f"pair_style hybrid/overlay {LJ_PAIR} soft {SOFT['cutoff']}",
                f"pair_coeff * * lj/cut {LJ['epsilon']} {LJ['sigma']}", f"pair_coeff * * soft {SOFT['amplitude']}"),
}


class Runner:
    def __init__(self, peers, work):
        self.peers, self.work = Path(peers), Path(work)
        self.work.mkdir(parents=True, exist_ok=True)

    def __call__(self, lines):
        (self.work / "in.lammps").write_text("\n".join(lines) + "\n", encoding="utf-8")
        done = subprocess.run([str(self.peers / "bin/lmp"), "-in", "in.lammps", "-log", "none"], cwd=self.work,
                              capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(done.stdout[-2000:])
        return done.stdout


def forces_of(run, name):
    run(["units lj", "atom_style atomic", "read_data start.data", *FORCES[name], "neighbor 0.3 bin",
         "dump out all custom 1 forces.dump id fx fy fz",
         'dump_modify out sort id format line "%d %.17g %.17g %.17g"', "run 0"])
    return read_dump(run.work / "forces.dump", len(places()))[0].tolist()


def series_of(screen):
    """Rows of the last run's table."""
    body = screen.split("Loop time")[-2]
    rows = [line.split() for line in body.splitlines() if re.match(r"^\s*\d+ ", line)]
    return np.array([[float(word) for word in row] for row in rows])[1:]


def estimates(names, rows):
    found = {name: block_estimate(rows[:, k + 1]) for k, name in enumerate(names)}
    return {name: [float(one.mean), float(one.error)] for name, one in found.items()}


def liquid(run):
    edge = (LIQUID["count"] / LIQUID["density"])**(1 / 3)
    return estimates(("temperature", "pressure", "potential"), series_of(run([
        "units lj", "atom_style atomic", f"lattice fcc {LIQUID['density']}", "region all block 0 5 0 5 0 5",
        "create_box 1 all", "create_atoms 1 box", "mass 1 1.0", f"# edge {edge}",
        f"velocity all create {LIQUID['temperature']} 87287",
        f"pair_style hybrid/overlay lj/cut 2.5 dpd/tstat {LIQUID['temperature']} {LIQUID['temperature']} "
        f"{LIQUID['reach']} 34387", "pair_coeff * * lj/cut 1.0 1.0", f"pair_coeff * * dpd/tstat {LIQUID['gamma']}",
        "pair_modify pair lj/cut shift yes", "comm_modify vel yes", "fix 1 all nve",
        f"timestep {LIQUID['timestep']}", "run 3000", "reset_timestep 0", "thermo 10",
        "thermo_style custom step temp press pe", "run 25000"])))


def melt(run, chains=MELT["chains"], beads=MELT["beads"]):
    count = chains * beads
    edge = (count / MELT["density"])**(1 / 3)
    random = np.random.default_rng(3)
    steps = random.normal(size=(chains, beads, 3))
    steps *= 0.97 / np.linalg.norm(steps, axis=2, keepdims=True)
    steps[:, 0] = random.uniform(0, edge, (chains, 3))
    at = np.cumsum(steps, axis=1).reshape(-1, 3)  # LAMMPS finds the images
    bonds = [(c * beads + b, c * beads + b + 1) for c in range(chains) for b in range(beads - 1)]
    write_data(run.work / "melt.data", (edge, ) * 3, at, [1] * count, bonds)
    return estimates(("pressure", "bond_length", "temperature", "gyration"), series_of(run([
        "units lj", "atom_style bond", "special_bonds lj 1 1 1", "read_data melt.data",
        "bond_style harmonic", "bond_coeff 1 200 0.97", "pair_style soft 1.122462048309373", "pair_coeff * * 1.0",
        "variable A equal ramp(1,60)", "fix push all adapt 1 pair soft a * * v_A", "velocity all create 1.0 4711",
        "fix 1 all nve/limit 0.05", f"fix 2 all langevin 1.0 1.0 {1 / MELT['friction']} 9127", "timestep 0.005",
        "run 3000", "unfix push", "unfix 1", "pair_style lj/cut 1.122462048309373", "pair_modify shift yes",
        "pair_coeff * * 1.0 1.0", "bond_style fene", f"bond_coeff 1 {MELT['k']} {MELT['r_max']} 0.0 1.0",
        "fix 1 all nve/limit 0.05", "run 1000", "unfix 1", "fix 1 all nve", f"timestep {MELT['timestep']}", "run 5000",
        "compute bonds all bond/local dist", "compute mean all reduce ave c_bonds inputs local",
        f"variable chain atom ceil(id/{beads})", "compute chain all chunk/atom v_chain",
        "compute gyration all gyration/chunk chain", "variable radius equal ave(c_gyration)",
        "reset_timestep 0", "thermo 20", "thermo_style custom step press c_mean temp v_radius",
        f"run {20000 if beads < 50 else 12000}"])))


def main():
    peers = sys.argv[1] if len(sys.argv) > 1 else Path.home() / ".cache/mesowarp/peers"
    run = Runner(peers, sys.argv[2] if len(sys.argv) > 2 else "/tmp/mesowarp_interactions")
    write_data(run.work / "start.data", (BOX, ) * 3, places(), [1] * len(places()))
    write_table(run.work / "pair.table")
    record = json.loads(DATA.read_text(encoding="utf-8")) if DATA.exists() else {}
    record.setdefault("by", "tests/compare/interactions_lammps.py")
    tasks = {"forces": lambda: {name: forces_of(run, name) for name in FORCES}, "liquid": lambda: liquid(run),
             "melt": lambda: melt(run), "melt of 20 chains of 100": lambda: melt(run, 20, 100)}
    for name, task in tasks.items():
        if name not in record:
            record[name] = task()
            print(name, "is done", file=sys.stderr, flush=True)
    text = re.sub(r"\[[^\[\]{}]*\]", lambda numbers: " ".join(numbers[0].split()), json.dumps(record, indent=1))
    DATA.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
