"""Tables, averages with block errors, pair correlation function and diffusion coefficient, for any program's
results."""

import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))
from mesowarp import Estimate, Table, block_estimate, estimate_of  # noqa: E402, F401

BLOCKS = 16  # as block_estimate's
RDF_RANGE = 2.0
RDF_BINS = 50
RDF_REFERENCES = 400
MINIMUM_COUNT = 20.0


def difference_in_errors(one, other):
    """|difference| in units of the combined standard error (0 for equal values, even without error)."""
    difference = np.abs(np.asarray(one.mean) - np.asarray(other.mean))
    error = np.hypot(one.error, other.error)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(difference == 0.0, 0.0, difference / error)


def pair_counts(first, second, box):
    """Histogram of the distances below RDF_RANGE from every position of `first` to every one of `second`."""
    delta = first[:, None, :] - second[None, :, :]
    delta -= box * np.rint(delta / box)
    squared = np.einsum("ijk,ijk->ij", delta, delta)
    near = np.sqrt(squared[(squared < RDF_RANGE**2) & (squared > 1e-10)])
    return np.histogram(near, bins=RDF_BINS, range=(0.0, RDF_RANGE))[0]


def reference_particles(frame, index):
    """A few particles of a frame, others in each frame."""
    count = min(RDF_REFERENCES, len(frame))
    chosen = (np.arange(count) + index * count) % len(frame)
    return frame[chosen]


def pair_correlation(frames, box, first, second):
    """g(r) between two groups of particles (slices), one estimate per bin, and the mean counts of a block.

    frames: [frames][N][3], box: [3]; returns (r of the bins, Estimate, counts).
    """
    box = np.asarray(box, dtype=np.float32)
    histograms, normals = [], []
    edges = np.linspace(0.0, RDF_RANGE, RDF_BINS + 1)
    shells = 4.0 / 3.0 * np.pi * np.diff(edges**3) / float(np.prod(box))
    for index, frame in enumerate(frames):
        wrapped = np.mod(frame, box).astype(np.float32)
        references = reference_particles(wrapped[first], index)
        others = wrapped[second]
        histograms.append(pair_counts(references, others, box))
        normals.append(len(references) * (len(others) - (first == second)) * shells)
    blocks = [chunk.sum(axis=0) for chunk in np.array_split(np.array(histograms), BLOCKS)]
    expected = [chunk.sum(axis=0) for chunk in np.array_split(np.array(normals), BLOCKS)]
    curve = estimate_of(np.array(blocks) / np.array(expected))
    return 0.5 * (edges[1:] + edges[:-1]), curve, np.mean(blocks, axis=0)


def mean_square_displacements(frames, lags):
    """Mean over particles and time origins for each lag (in frames)."""
    return np.array([np.mean(np.sum((frames[lag:] - frames[:-lag]) ** 2, axis=2)) for lag in lags])


def diffusion(frames, interval, shortest=1.0, longest=2.0):
    """Diffusion coefficient: a sixth of the slope of the mean square displacement between two lags (in time).

    frames: unwrapped positions [frames][N][3], the drift of the centre of mass is taken out; interval: time between
    frames. Each block of the trajectory gives one slope.
    """
    centred = frames - frames.mean(axis=1, keepdims=True)
    lags = np.arange(round(shortest / interval), round(longest / interval) + 1)
    slopes = []
    for block in np.array_split(centred, BLOCKS):
        if len(block) <= lags[-1]:
            raise ValueError(f"a block of {len(block)} frames is too short for a lag of {lags[-1]} frames")
        slopes.append(np.polyfit(lags * interval, mean_square_displacements(block, lags), 1)[0] / 6.0)
    return estimate_of(slopes)


def mean_bond_length(frames, bonds, box):
    """Mean over the bonds [B][2] of each frame [frames][N][3]; bonds are shorter than half the box [3]."""
    between = frames[:, bonds[:, 0]] - frames[:, bonds[:, 1]]
    between -= np.asarray(box) * np.rint(between / np.asarray(box))
    return np.linalg.norm(between, axis=2).mean(axis=1)


def read_table(path, after=-1):
    """Columns of a thermo.csv as arrays, from the first row behind step `after` on."""
    return dict(Table.read(path).after(after))
