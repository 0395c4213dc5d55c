"""trajectory.h5: frames of particles, read one at a time."""
import h5py
import numpy as np

from .errors import MesowarpError


def texts(values):
    return [value.decode() if isinstance(value, bytes) else str(value) for value in values]


def molecules_of(bonds, count):
    """By particle, from 1, in the order of the molecules' first particles; 0 without bonds."""
    label = np.arange(count)
    while len(bonds):  # the lowest label spreads along the bonds
        lowest = np.minimum(label[bonds[:, 0]], label[bonds[:, 1]])
        before = label.copy()
        np.minimum.at(label, bonds[:, 0], lowest)
        np.minimum.at(label, bonds[:, 1], lowest)
        label = label[label]
        if np.array_equal(before, label):
            break
    bonded = np.zeros(count, dtype=bool)
    bonded[np.asarray(bonds, dtype=int).ravel()] = True
    molecule = np.zeros(count, dtype=int)
    if bonded.any():
        molecule[bonded] = np.unique(label[bonded], return_inverse=True)[1].ravel() + 1
    return molecule


class Trajectory:
    """Frames by number, also from the end: position(-1). Particles are in the order of their ids in every frame.

    steps, times: of the frames; species: numbers, with names in species_names; mass; bonds [B][2]; molecule: the file's
    numbers, 0 for single particles; bonded: of what bonds hold together, from 1; periodic: along x, y, z.
    """

    def __init__(self, path):
        self.path = path
        self._file = h5py.File(path, "r")
        if "particles/all/position/value" not in self._file:
            raise MesowarpError(f"{path} holds no frame")
        group = self._group = self._file["particles/all"]
        count = group["position/value"].shape[1]
        self.steps, self.times = group["position/step"][:], group["position/time"][:]
        self.species = group["species"][:].astype(int) if "species" in group else np.zeros(count, dtype=int)
        self.species_names = texts(self._file["parameters/species_names"][:])
        self.solutes = texts(self._file["parameters/solutes"][:]) if "parameters/solutes" in self._file else []
        self.mass = group["mass"][:] if "mass" in group else np.ones(count)
        self.bonds = self.terms("bond")
        self.bonded = molecules_of(self.bonds, count)
        self.molecule = group["molecule"][:].astype(int) if "molecule" in group else self.bonded
        self.periodic = [word == "periodic" for word in texts(group["box"].attrs["boundary"])]

    def __len__(self):
        return len(self.steps)

    @property
    def particles(self):
        return len(self.species)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._file.close()

    def terms(self, name):
        """Particles of each bond, angle or dihedral: a row for each."""
        at = f"connectivity/{name}s"
        width = {"bond": 2, "angle": 3, "dihedral": 4}[name]
        return np.asarray(self._file[at][:] if at in self._file else [], dtype=int).reshape(-1, width)

    def has(self, field):
        """position, velocity, image, force, concentration."""
        return f"{field}/value" in self._group

    def field(self, name, frame):
        """Of a frame, a row for each particle."""
        if not self.has(name):
            none = ", unless they are of a collision solvent, whose particles have none" if name == "image" else ""
            raise MesowarpError(f"{self.path} has no {name}: add it to the output's fields{none}")
        return self._group[f"{name}/value"][range(len(self))[frame]]

    def box(self, frame=-1):
        """Edges; 0 of bodies, which have no box."""
        return self._group["box/edges/value"][range(len(self))[frame]]

    def position(self, frame=-1, unwrap=False):
        """[N][3] in the box, or through its faces as the images count."""
        position = self.field("position", frame).astype(float)
        return position + self._shift(self.field("image", frame), frame) if unwrap else position

    def slide(self, frame=-1):
        """Of a sheared box: how far its images above have gone beside the edge along the gradient; else 0."""
        group = self._group["box"]
        return group["slide/value"][range(len(self))[frame]] if "slide" in group else np.zeros(3)

    @property
    def gradient(self):
        """The axis of a sheared box along which its flow grows; None: it is not sheared."""
        group = self._group["box"]
        return "xyz".index(texts([group["slide"].attrs["gradient"]])[0]) if "slide" in group else None

    def _shift(self, image, frame):
        """What so many images are."""
        shift = image * self.box(frame)
        if (gradient := self.gradient) is not None:
            shift = shift + image[:, gradient:gradient + 1] * self.slide(frame)
        return shift

    def velocity(self, frame=-1):
        return self.field("velocity", frame).astype(float)

    def whole(self, frame=-1):
        """Positions with what bonds hold together in one piece, its first particle in the box."""
        position = self.position(frame)
        if len(self.bonds) == 0 or not self.has("image"):
            return position
        image = self.field("image", frame)
        first = np.full(self.bonded.max() + 1, -1)
        order = np.arange(self.particles)[::-1]
        first[self.bonded[order]] = order
        shift = np.where(self.bonded[:, None] > 0, image - image[first[self.bonded]], 0)
        return position + self._shift(shift, frame)
