"""What the program's measures are, in numpy, from frames of a trajectory: positions unwrapped (frames, N, 3)."""
import csv
from pathlib import Path

import h5py
import numpy as np


def head(steps, seed, size, precision="double"):
    """The first blocks of a deck."""
    return f"""
[run]
steps = {steps}
timestep = 0.02
seed = {seed}
precision = "{precision}"
reproducibility = "bitwise"
[box]
size = {size}
"""


def outputs(checkpoints, every=1, columns=()):
    """Blocks that write all particles, these columns of the table in the same steps, and checkpoints."""
    table = f"""[[output]]
format = "table"
every = {every}
columns = {list(columns)}
""".replace("'", '"')
    return f"""[[output]]
format = "trajectory"
every = {every}
precision = "double"
fields = ["position", "image", "velocity"]
{table if columns else ""}[[output]]
format = "checkpoint"
every = {checkpoints}
"""


def read_table(path):
    """Columns of a measure's CSV file, by name."""
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return {key: np.array([float(row[key]) if row[key] else np.nan for row in rows]) for key in rows[0]}


def read_frames(directory):
    """Box, species, masses, steps, and of each frame its box, wrapped and unwrapped positions and velocities. box: that
    of the first frame."""
    with h5py.File(Path(directory) / "trajectory.h5") as file:
        group = file["particles"][next(iter(file["particles"]))]
        edges = group["box/edges"]
        wrapped, steps = group["position/value"][:], group["position/step"][:]
        boxes = np.tile(edges[:], (len(steps), 1)) if isinstance(edges, h5py.Dataset) else edges["value"][:]
        return {
            "box": boxes[0], "boxes": boxes, "steps": steps, "wrapped": wrapped,
            "unwrapped": wrapped + group["image/value"][:] * boxes[:, None, :],
            "velocity": group["velocity/value"][:],
            "species": group["species"][:] if isinstance(group["species"], h5py.Dataset)
            else group["species/value"][0],
            "mass": group["mass"][:] if isinstance(group["mass"], h5py.Dataset) else group["mass/value"][0],
        }


def nearest(delta, box, periodic=(True, True, True)):
    return delta - np.where(periodic, box * np.rint(delta / box), 0.0)


def pair_distances(first, second, same, box, periodic):
    """Of all ordered pairs (i, j), i != j: same[i, j] says that they are one particle."""
    delta = nearest(first[:, None, :] - second[None, :, :], box, periodic)
    return np.sqrt((delta**2).sum(axis=2))[~same]


def open_part(r, box, periodic):
    """Mean part of a shell that is in the box, by the formula of docs/theory; its integral is taken by numpy."""
    walls = [1.0 / edge for edge, repeats in zip(box, periodic) if not repeats]
    pairs = sum(a * b for k, a in enumerate(walls) for b in walls[:k])
    triple = np.prod(walls) if len(walls) == 3 else 0.0
    return 1 - r / 2 * sum(walls) + 2 * r**2 / (3 * np.pi) * pairs - r**3 / (4 * np.pi) * triple


def lag_numbers(levels):
    """(lag, samples between origins) of each row of msd and vacf behind lag 0."""
    rows = []
    for level in range(levels):
        rows += [(j * 4**level, 16 * 4**level) for j in range(5 if level else 1, 17)]
    return rows


def over_origins(values, levels, function):
    """Mean of function(then, now) over all origins, for each lag; nan where the run is too short."""
    means = []
    for lag, apart in lag_numbers(levels):
        pairs = [function(values[n], values[n + lag]) for n in range(0, len(values) - lag, apart)]
        means.append(np.mean(pairs, axis=0) if pairs else np.full(3, np.nan))
    return np.array(means)


def multiple_tau(samples, levels):
    """Autocorrelation of columns by averages over blocks of 2^level samples: (lags, products)."""
    lags, products = [], []
    values = np.asarray(samples, dtype=float)
    for level in range(levels):
        for j in range(8 if level else 0, 16):
            lags.append(j * 2**level)
            products.append((values[j:] * values[:len(values) - j]).mean(axis=0) if len(values) > j
                            else np.full(values.shape[1], np.nan))
        half = len(values) // 2
        values = 0.5 * (values[0:2 * half:2] + values[1:2 * half:2])
    return np.array(lags), np.array(products)


def sub_blocks(count):
    """Which sub-block each of so many samples is in: at most 16 of a power of two of samples each, the last may have
    fewer."""
    length = 1
    while count > 16 * length:
        length *= 2
    return np.arange(count) // length


def jackknife(block, weights, numbers):
    """Standard errors of numbers(sums) by leaving out one sub-block after the other (Busing, Meijer & van der Leeden
    1999). block: of each sample; weights: what a sample adds to the sums (samples, sums)."""
    weights = np.asarray(weights, dtype=float)
    total, whole = weights.sum(axis=0), np.asarray(numbers(weights.sum(axis=0)))
    g = block[-1] + 1
    h = np.array([len(block) / np.sum(block == j) for j in range(g)])
    without = np.array([numbers(total - weights[block == j].sum(axis=0)) for j in range(g)])
    centre = g * whole - np.tensordot(1 - 1 / h, without, 1)
    away = np.multiply.outer(h, whole) - np.stack([(h[j] - 1) * without[j] for j in range(g)]) - centre
    return np.sqrt(sum(away[j]**2 / (h[j] - 1) for j in range(g)) / g)


def multiple_tau_terms(samples, levels):
    """Of one column: what each sample adds to the number of products and to their sum at each lag, (samples, lags, 2).
    A mean over samples comes with the last of them."""
    samples = np.asarray(samples, dtype=float)
    terms, values = [], samples
    for level in range(levels):
        comes = (np.arange(len(values)) + 1) * 2**level - 1
        for j in range(8 if level else 0, 16):
            of = np.zeros((len(samples), 2))
            if len(values) > j:
                of[comes[j:], 0] = 1.0
                of[comes[j:], 1] = values[j:] * values[:len(values) - j]
            terms.append(of)
        half = len(values) // 2
        values = 0.5 * (values[0:2 * half:2] + values[1:2 * half:2])
    return np.stack(terms, axis=1)


def waves_of(box, n_max):
    """All wave vectors up to n_max (waves, 3), in waves along the edges, and the shell of each, from 0."""
    waves = np.array([(x, y, z) for x in range(-n_max, n_max + 1) for y in range(-n_max, n_max + 1)
                      for z in range(-n_max, n_max + 1) if (x, y, z) != (0, 0, 0)])
    return waves, np.floor(np.linalg.norm(waves / box, axis=1) * box.max() + 0.5).astype(int) - 1


def wave_numbers(box, n_max):
    """Mean |k| and number of waves of each shell; k and -k are one."""
    waves, shell = waves_of(box, n_max)
    length = np.linalg.norm(2 * np.pi * waves / box, axis=1)
    return (np.array([length[shell == n].mean() for n in range(n_max)]),
            np.array([(shell == n).sum() / 2 for n in range(n_max)]))


def structure_factor(first, second, box, n_max):
    """S(k) in shells and along the axes (n_max, 4), of one frame."""
    shells, counts, along = np.zeros(n_max), np.zeros(n_max), np.zeros((n_max, 3))
    waves, shell = waves_of(box, n_max)
    k = 2 * np.pi * waves / box
    rho = [np.exp(1j * k @ positions.T).sum(axis=1) for positions in (first, second)]
    s = (rho[0] * rho[1].conj()).real / np.sqrt(len(first) * len(second))
    for n in range(n_max):
        shells[n], counts[n] = s[shell == n].sum(), (shell == n).sum()
    for wave, value in zip(waves, s):
        axes = np.flatnonzero(wave)
        if len(axes) == 1:
            along[abs(wave[axes[0]]) - 1, axes[0]] = value
    return np.column_stack([shells / counts, along])


def cluster_sizes(positions, box, periodic, cutoff):
    """Sizes of clusters, by walking from neighbour to neighbour."""
    delta = nearest(positions[:, None, :] - positions[None, :, :], box, periodic)
    near = (delta**2).sum(axis=2) < cutoff**2
    left, sizes = set(range(len(positions))), []
    while left:
        todo, size = [left.pop()], 0
        while todo:
            here = todo.pop()
            size += 1
            found = [j for j in np.flatnonzero(near[here]) if j in left]
            left.difference_update(found)
            todo += found
        sizes.append(size)
    return np.array(sizes)
