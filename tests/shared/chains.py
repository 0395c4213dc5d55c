"""Chains as they are measured: radius of gyration and end-to-end vector, from unwrapped positions of any origin."""
import h5py
import numpy as np


def follow_bonds(wrapped, box, periodic, chains):
    """Unwrapped positions of chains[c] = beads in order, each at its nearest image to the bead before."""
    unwrapped = wrapped.copy()
    for before, bead in zip(chains.T[:-1], chains.T[1:]):
        step = wrapped[bead] - wrapped[before]
        step -= np.where(periodic, box * np.rint(step / box), 0.0)
        unwrapped[bead] = unwrapped[before] + step
    return unwrapped


def gyration(unwrapped, chains):
    """Squared radius of gyration of each chain."""
    beads = unwrapped[chains]
    return ((beads - beads.mean(axis=1, keepdims=True)) ** 2).sum(axis=2).mean(axis=1)


def end_to_end(unwrapped, chains):
    return unwrapped[chains[:, -1]] - unwrapped[chains[:, 0]]


def read_h5md(path):
    """Steps, box, periodicity, wrapped positions and images [frame][tag][axis], bonds [b][2]."""
    with h5py.File(path) as file:
        group = file["particles/all"]
        boundary = [
            value.decode() if isinstance(value, bytes) else str(value) for value in group["box"].attrs["boundary"]
        ]
        return {"step": group["position/step"][()], "box": group["box/edges/value"][()][0],
                "periodic": np.array([name == "periodic" for name in boundary]),
                "position": group["position/value"][()].astype(float), "image": group["image/value"][()],
                "bonds": file["connectivity/bonds"][()] if "connectivity/bonds" in file else np.empty((0, 2), int)}


def read_dump(path):
    """Frames of a LAMMPS dump, in the order of ids: (columns' names, numbers [atom][column])."""
    lines = path.read_text(encoding="utf-8").splitlines()
    frames, at = [], 0
    while at < len(lines):
        count = int(lines[at + 3])
        names = lines[at + 8].split()[2:]
        rows = np.array([line.split() for line in lines[at + 9:at + 9 + count]], float)
        frames.append((names, rows[np.argsort(rows[:, 0])]))
        at += 9 + count
    return frames


def read_xyz(path):
    """Positions of each frame, in the file's order."""
    lines = path.read_text(encoding="utf-8").splitlines()
    frames, at = [], 0
    while at < len(lines):
        count = int(lines[at])
        frames.append(np.array([line.split()[1:4] for line in lines[at + 2:at + 2 + count]], float))
        at += 2 + count
    return frames
