"""What a [[measure]] wrote: profiles and shells (blocks of time × bins), fields (blocks × z × y × x), and functions of
a distance, a time or a wave number with single numbers beside them (blocks × rows)."""
import h5py
import numpy as np

from .errors import MesowarpError
from .estimates import Estimate, estimate_of

COMPONENTS = {3: ("x", "y", "z"), 6: ("xx", "xy", "xz", "yy", "yz", "zz")}


def words(attribute):
    return [word.decode() if isinstance(word, bytes) else str(word) for word in np.atleast_1d(attribute)]


class Blocks:
    """Means over blocks of time.

    first_step, last_step, samples: of each block. quantity names: list(blocks.data); a vector is there as a whole
    ("velocity", last axis its components) and by component ("velocity_x"). coordinate: of profiles and shells the bins'
    centres, of functions what they are of, which `along` says: "distance", "time", ...; spacing: of fields, the cells'
    edges along x, y, z; box: of a box that changes, its mean edges [blocks][3], else None. means: of functions, the
    single numbers of the last block.
    """

    def __init__(self, path):
        self.path, self.name = path, path.stem
        with h5py.File(path, "r") as file:
            if "first_step" not in file:
                raise MesowarpError(f"{path} holds no profile or field")
            self.first_step, self.last_step = file["first_step"][:], file["last_step"][:]
            self.samples = file["samples"][:]
            self.coordinate = file["coordinate"][:] if "coordinate" in file else None
            self.spacing = file["spacing"][:] if "spacing" in file else None
            self.box = file["edges"][:] if "edges" in file else None
            said = file["coordinate"].attrs if self.coordinate is not None else {}
            self.axis, self.shells, self.along = (words(said[name])[0] if name in said else None
                                                  for name in ("axis", "shells", "along"))
            space = 3 if self.is_field else 1
            named = ("first_step", "last_step", "samples", "coordinate", "spacing", "edges", "time")
            everything = {name: file[name][()] for name in file if name not in named}
            parts = {name: words(file[name].attrs["components"]) for name in everything
                     if "components" in file[name].attrs}
        self.data, self.errors, self.means = {}, {}, {}
        for name, values in everything.items():
            kind, quantity = (self.errors, name[:-6]) if name.endswith("_error") else (self.data, name)
            kind[quantity] = values
            if values.ndim > 1 + space:
                for k, part in enumerate(parts.get(quantity, COMPONENTS.get(values.shape[-1], ()))):
                    kind[f"{quantity}_{part}"] = values[..., k]

    @property
    def is_field(self):
        return self.spacing is not None

    @property
    def is_function(self):
        """Of a distance, a time, ...; not of places."""
        return self.along is not None

    def rows(self):
        """Bins, or rows of a function."""
        return len(self.coordinate)

    def last(self):
        """Of a file of single numbers: those of the last block, with their errors."""
        return {name: Estimate(float(values[-1, 0]), float(self.errors[name][-1, 0]))
                for name, values in self.data.items() if name in self.errors and len(values)}

    def __len__(self):
        return len(self.first_step)

    def __getitem__(self, name):
        """[blocks][bins], or [blocks][z][y][x]; more axes are components."""
        if name not in self.data:
            raise MesowarpError(f"{self.path} has no {name}; it has {', '.join(self.data)}")
        return self.data[name]

    def middle(self, timestep):
        """Times of the blocks' middles."""
        return 0.5 * timestep * (self.first_step + self.last_step)

    def edges(self):
        """Of the bins, which are equally wide."""
        if len(self.coordinate) < 2:
            raise MesowarpError(f"{self.path} has a single bin")
        half = 0.5 * (self.coordinate[1] - self.coordinate[0])
        return np.concatenate([self.coordinate - half, [self.coordinate[-1] + half]])

    def mean(self, name, after=-1):
        """Mean over the blocks that begin behind a step, by samples. Its error: from the scatter of four or more
        blocks, else from the errors in the file (NaN where there are none)."""
        chosen = self.first_step > after
        if not chosen.any():
            raise MesowarpError(f"{self.path} has no block that begins behind step {after}")
        values, weight = self[name][chosen], self.samples[chosen].astype(float)
        weight = (weight / weight.sum()).reshape((-1,) + (1,) * (values.ndim - 1))
        mean = (weight * values).sum(axis=0)
        if chosen.sum() >= 4:
            return Estimate(mean, estimate_of(values).error)
        if name in self.errors:
            return Estimate(mean, np.sqrt(((weight * self.errors[name][chosen]) ** 2).sum(axis=0)))
        return Estimate(mean, np.full_like(mean, np.nan))
