"""Means with standard errors from block averages."""
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Estimate:
    """A mean and its standard error; arrays for a curve. Prints as 2.022 ± 0.069."""

    mean: object
    error: object

    def __str__(self):
        if np.ndim(self.mean) > 0:
            return f"{self.mean} ± {self.error}"
        if not np.isfinite(self.error) or self.error <= 0:
            return f"{self.mean:.6g}"
        digits = max(0, 1 - int(np.floor(np.log10(self.error))))
        return f"{self.mean:.{digits}f} ± {self.error:.{digits}f}"


def estimate_of(values):
    """Mean and standard error of values that are taken as independent, along the first axis."""
    values = np.asarray(values, dtype=float)
    if len(values) < 2:
        return Estimate(values.mean(axis=0), np.full(values.shape[1:], np.nan)[()])
    return Estimate(values.mean(axis=0), values.std(axis=0, ddof=1) / np.sqrt(len(values)))


def block_estimate(series, blocks=16):
    """Mean of a series in time and its standard error from consecutive blocks. Right if a block is longer than the
    system remembers."""
    series = np.asarray(series, dtype=float)
    blocks = min(blocks, len(series))
    bounds = [number * len(series) // blocks for number in range(blocks + 1)]
    return estimate_of([series[begin:end].mean(axis=0) for begin, end in zip(bounds, bounds[1:])])
