"""A cell in the shear flow of a fluid without inertia and without an end, as viscous inside as outside: what the
program's cells should do where their fluid's particles are small. Boundary integral: the flow plus that of the
membrane's forces,

    u(x) = rate y + sum_k S(x - x_k) F_k / (8 pi eta),

with regularised Stokeslets S at the vertices (Cortez, Fauci, Medovikov, Phys. Fluids 17 (2005) 031504). The membrane is
that of docs/theory, written once more: springs, areas, volume, bending. Lengths, moduli: the program's. And how it
fluctuates at rest, harmonically.
"""
import numpy as np


class Membrane:
    """At rest in `place` (vertices, 3); triangles counter-clockwise seen from outside."""

    def __init__(self, place, triangles, shear, bending, area, local_area, volume, extension=1 / 2.2, exponent=2.0):
        self.place = np.asarray(place, dtype=float) - np.mean(place, axis=0)
        self.triangles, number = np.asarray(triangles, dtype=int), len(place)
        self.shear, self.area, self.local_area, self.volume = shear, area, local_area, volume
        self.bending = 2.0 * bending / np.sqrt(3.0)
        self.angle = np.arccos((np.sqrt(3) * (number - 2) - 5 * np.pi) / (np.sqrt(3) * (number - 2) - 3 * np.pi))
        seen = {}  # of an edge the corner opposite, in each of its triangles
        for triangle in self.triangles:
            for k in range(3):
                i, j, far = np.roll(triangle, -k)
                seen.setdefault((min(i, j), max(i, j)), []).append((i, j, far))
        self.edges = np.array([(*pair[0], pair[1][2]) for pair in seen.values()]).T  # begin, end, left, right
        self.areas0, self.volume0 = self.areas_and_volume(self.place)
        self.length0 = np.linalg.norm(self.place[self.edges[1]] - self.place[self.edges[0]], axis=1)
        stiff = extension * (0.5 / (1 - extension) ** 3 + 1) + exponent * self.pull(extension)
        self.extension, self.exponent = extension, exponent
        self.chain = 4 / np.sqrt(3) * shear * self.length0 / stiff
        self.push = self.chain * self.pull(extension) * self.length0**exponent

    @staticmethod
    def pull(x):
        return 0.25 / (1 - x) ** 2 - 0.25 + x

    def areas_and_volume(self, place):
        a, b, c = (place[self.triangles[:, k]] for k in range(3))
        return 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1), np.einsum("ij,ij", a, np.cross(b, c)) / 6

    def forces(self, place):
        """On each vertex, (vertices, 3)."""
        force = np.zeros_like(place)

        def add(index, vector):
            for axis in range(3):
                force[:, axis] += np.bincount(index, vector[:, axis], len(place))

        a, b, c = (place[self.triangles[:, k]] for k in range(3))
        areas, volume = self.areas_and_volume(place)
        normal = np.cross(b - a, c - a)
        normal /= np.linalg.norm(normal, axis=1)[:, None]
        tension = self.area * (areas.sum() / self.areas0.sum() - 1) + self.local_area * (areas / self.areas0 - 1)
        pressure = -self.volume * (volume / self.volume0 - 1) / 6
        for k, (before, behind) in enumerate(((b, c), (c, a), (a, b))):
            add(self.triangles[:, k], -0.5 * tension[:, None] * np.cross(normal, behind - before)
                + pressure * np.cross(before, behind))
        begin, end, left, right = self.edges
        edge = place[end] - place[begin]
        length = np.linalg.norm(edge, axis=1)
        tight = self.chain * self.pull(self.extension * length / self.length0) - self.push / length**self.exponent
        add(begin, (tight / length)[:, None] * edge)
        add(end, -(tight / length)[:, None] * edge)
        to_left, to_right = place[left] - place[begin], place[right] - place[begin]
        one, other = np.cross(edge, to_left), np.cross(to_right, edge)  # twice the triangles' areas
        sizes = np.einsum("ij,ij->i", one, one), np.einsum("ij,ij->i", other, other)
        sine = np.einsum("ij,ij->i", np.cross(one, other), edge) / length
        angle = np.arctan2(sine, np.einsum("ij,ij->i", one, other))
        torque = self.bending * np.sin(angle - self.angle)
        far = [-(torque * length / size)[:, None] * n for n, size in zip((one, other), sizes)]  # gradients of energy
        shares = [np.einsum("ij,ij->i", to, edge)[:, None] / length[:, None] ** 2 for to in (to_left, to_right)]
        add(left, -far[0])
        add(right, -far[1])
        add(end, shares[0] * far[0] + shares[1] * far[1])
        add(begin, (1 - shares[0]) * far[0] + (1 - shares[1]) * far[1])
        return force

    def relaxed(self, place, force=1e-9):
        """Where no vertex has more force than that, from `place` on: FIRE (Bitzek et al., Phys. Rev. Lett. 97 (2006)
        170201)."""
        speed, dt, part, downhill = np.zeros_like(place), 0.02, 0.1, 0
        for _ in range(100000):
            pull = self.forces(place)
            if np.abs(pull).max() < force:
                return place
            if (pull * speed).sum() > 0.0:
                downhill += 1
                speed = (1 - part) * speed + part * pull / np.linalg.norm(pull) * np.linalg.norm(speed)
                if downhill > 5:
                    dt, part = min(1.1 * dt, 0.06), 0.99 * part
            else:
                speed, dt, part, downhill = np.zeros_like(place), 0.5 * dt, 0.1, 0
            speed = speed + dt * pull
            place = place + dt * speed
        raise RuntimeError("the membrane does not come to rest")

    def modes(self, place, step=1e-5):
        """Of a membrane at rest there: displacements (3 vertices, modes) of energy 1/2 each, but moves of the whole.
        By differences of forces over `step`."""
        number = place.size
        stiff = np.empty((number, number))
        for i in range(number):
            by = np.zeros(number)
            by[i] = step
            by = by.reshape(place.shape)
            stiff[:, i] = (self.forces(place - by) - self.forces(place + by)).ravel() / (2 * step)
        value, vector = np.linalg.eigh(0.5 * (stiff + stiff.T))
        return vector[:, 6:] / np.sqrt(value[6:])


def in_shear(membrane, eta, rate, strain, inclination=20.0, blob=None, step=0.004, every=0.1):
    """Places of vertices (frames, vertices, 3) and times as a cell goes with u_x = rate y; its axis of symmetry begins
    in the plane of shear, the cell inclined by so many degrees. blob: length of the Stokeslets' regularisation, by
    default half a mean edge; step and every: strains of a step and between frames. Adams & Bashforth's second order."""
    place = membrane.place.copy()
    axis = np.linalg.svd(place)[2][2]
    turn = np.radians(90.0 + inclination) - np.arctan2(axis[1], axis[0])
    place = place @ np.array([[np.cos(turn), np.sin(turn), 0], [-np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    blob = blob or 0.5 * membrane.length0.mean()
    frames, old = [], None
    for number in range(int(round(strain / step))):
        if number % max(1, round(every / step)) == 0:
            frames.append(place.copy())
        force = membrane.forces(place)
        apart = place[:, None] - place[None]
        square = np.einsum("abi,abi->ab", apart, apart)
        weight = (square + blob**2) ** -1.5
        velocity = ((square + 2 * blob**2) * weight) @ force
        velocity += np.einsum("abi,ab->ai", apart, weight * np.einsum("abi,bi->ab", apart, force))
        velocity /= 8 * np.pi * eta
        velocity[:, 0] += rate * place[:, 1]
        place = place + step / rate * (velocity if old is None else 1.5 * velocity - 0.5 * old)
        place -= place.mean(axis=0)
        old = velocity
    return np.array(frames), np.arange(len(frames)) * round(every / step) * step / rate
