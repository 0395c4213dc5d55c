"""thermo.csv, and other tables of numbers with a line of names."""
import csv
from collections.abc import Mapping

import numpy as np

from .errors import MesowarpError
from .estimates import Estimate, block_estimate


class Table(Mapping):
    """Columns as arrays by name: table["temperature"]."""

    def __init__(self, columns):
        self._columns = dict(columns)

    @classmethod
    def read(cls, path):
        """Of a file. A last line that is being written is left out; an empty place is NaN."""
        with open(path, encoding="utf-8", newline="") as file:
            lines = list(csv.reader(file))
        if not lines:
            raise MesowarpError(f"{path} is empty")
        names, rows = lines[0], [line for line in lines[1:] if len(line) == len(lines[0])]
        try:
            values = np.array([[float(word) if word else np.nan for word in row] for row in rows])
        except ValueError as error:
            raise MesowarpError(f"{path}: {error}") from None
        values = values.reshape(len(rows), len(names))
        return cls({name: values[:, k] for k, name in enumerate(names)})

    def __getitem__(self, name):
        if name not in self._columns:
            raise MesowarpError(f"there is no column {name}; there are {', '.join(self._columns)}")
        return self._columns[name]

    def __contains__(self, name):
        return name in self._columns

    def __iter__(self):
        return iter(self._columns)

    def __len__(self):
        return len(self._columns)

    def rows(self):
        """How many."""
        return len(next(iter(self._columns.values()), ()))

    def after(self, step):
        """The rows behind a step."""
        keep = self["step"] > step
        return Table({name: values[keep] for name, values in self._columns.items()})

    def mean(self, name, after=None, blocks=10):
        """Mean of a column, with its error from blocks of rows: of the later half, as in summary.json, or of the rows
        behind a step."""
        values = self[name][self.rows() // 2 :] if after is None else self.after(after)[name]
        if len(values) == 0:
            raise MesowarpError(f"there is no row of {name} behind step {after}")
        return block_estimate(values, blocks) if len(values) > 1 else Estimate(values[0], np.nan)
