"""The forces, energies and virials of docs/theory in numpy, written anew from its pages: nothing here is read off
the program's source. Small systems; all pairs are looked at."""
from dataclasses import dataclass, field

import numpy as np

COMPONENTS = {"xx": (0, 0), "yy": (1, 1), "zz": (2, 2), "xy": (0, 1), "xz": (0, 2), "yz": (1, 2)}
PAIR_NOISE_STREAM = 1
MASK = 0xFFFFFFFF


def tea(v0, v1, rounds):
    """Wheeler and Needham's Tiny Encryption Algorithm of 32-bit words (arrays of uint64)."""
    total = 0
    for _ in range(rounds):
        total = (total + 0x9E3779B9) & MASK
        v0 = (v0 + ((((v1 << 4) & MASK) + 0xA341316C & MASK) ^ (v1 + total & MASK) ^
                    ((v1 >> 5) + 0xC8013EA4 & MASK))) & MASK
        v1 = (v1 + ((((v0 << 4) & MASK) + 0xAD90777D & MASK) ^ (v0 + total & MASK) ^
                    ((v0 >> 5) + 0x7E95761E & MASK))) & MASK
    return v0, v1


def reverse_bits(words):
    result = np.zeros_like(words)
    for bit in range(32):
        result |= ((words >> bit) & 1) << (31 - bit)
    return result


def signatures(count, seed, step):
    """Of particles 0 to count - 1 in a step."""
    v0, v1 = tea(seed & MASK, (seed >> 32) ^ (PAIR_NOISE_STREAM << 24), 16)
    v0, v1 = tea(v0 ^ (step & MASK), v1 ^ (step >> 32), 16)
    first, second = tea(reverse_bits(np.arange(count, dtype=np.int64)) ^ v0, np.full(count, v1, dtype=np.int64), 16)
    return first ^ second


def pair_noise(signature, i, j):
    """xi of pairs (i, j): sqrt(-2 ln u) sin(pi t)."""
    a, b = signature[i], signature[j]
    first, second = tea(np.minimum(a, b), np.maximum(a, b), 4)
    u = ((first >> 1) | 1) / 2.0**31
    t = np.where(second >= 2**31, second - 2**32, second) / 2.0**32
    return np.sqrt(-2.0 * np.log(u)) * np.sin(np.pi * t)


@dataclass
class Dpd:
    a: float
    gamma: float
    cutoff: float = 1.0
    exponent: float = 1.0


@dataclass
class LennardJones:
    epsilon: float
    sigma: float
    cutoff: float


@dataclass
class Model:
    """What a deck says: interactions by pair of species numbers, bonds as (kind, k, r0 or r_max)."""

    size: np.ndarray
    periodic: tuple
    timestep: float
    seed: int
    species: np.ndarray
    mass: np.ndarray
    interactions: dict
    temperature: float = 1.0
    bonds: np.ndarray = field(default_factory=lambda: np.zeros((0, 2), dtype=int))
    bond: tuple = ()
    acceleration: tuple = (0.0, 0.0, 0.0)
    halves: tuple = ()  # (axis, acceleration): opposite in the two halves

    def nearest(self, difference):
        for axis in range(3):
            if self.periodic[axis]:
                difference[:, axis] -= self.size[axis] * np.rint(difference[:, axis] / self.size[axis])
        return difference

    def drive(self, position):
        """Force of the drives on each particle."""
        g = np.tile(np.array(self.acceleration), (len(position), 1))
        if self.halves:
            axis, acceleration = self.halves
            g += np.where(position[:, axis] < self.size[axis] / 2, 1.0, -1.0)[:, None] * np.array(acceleration)
        return self.mass[:, None] * g

    def pairs(self, position, velocity, step):
        """Of each pair within reach: (i, j, r_ij, force over r, energy). velocity: what the friction reads."""
        n = len(position)
        i, j = np.triu_indices(n, 1)
        r = self.nearest(position[i] - position[j])
        reach = max(force.cutoff for force in self.interactions.values())
        near = (r * r).sum(axis=1) < reach**2
        i, j, r = i[near], j[near], r[near]
        distance = np.sqrt((r * r).sum(axis=1))
        over, energy = np.zeros(len(i)), np.zeros(len(i))
        signature = signatures(n, self.seed, step)
        for (one, other), force in self.interactions.items():
            of = ((self.species[i] == one) & (self.species[j] == other)) | ((self.species[i] == other) &
                                                                            (self.species[j] == one))
            of &= distance < force.cutoff
            d = distance[of]
            if isinstance(force, LennardJones):
                s6, c6 = (force.sigma / d) ** 6, (force.sigma / force.cutoff) ** 6
                over[of] = 24 * force.epsilon * (2 * s6**2 - s6) / d**2
                energy[of] = 4 * force.epsilon * (s6**2 - s6 - c6**2 + c6)
                continue
            conservative = 1 - d / force.cutoff
            random = conservative**force.exponent
            approach = ((velocity[i[of]] - velocity[j[of]]) * r[of]).sum(axis=1) / d
            sigma = np.sqrt(2 * force.gamma * self.temperature)
            noise = pair_noise(signature, i[of], j[of]) / np.sqrt(self.timestep)
            over[of] = (force.a * conservative - force.gamma * random**2 * approach + sigma * random * noise) / d
            energy[of] = force.a * force.cutoff / 2 * conservative**2
        return i, j, r, over, energy

    def bonded(self, position):
        i, j = self.bonds[:, 0], self.bonds[:, 1]
        r = self.nearest(position[i] - position[j])
        d = np.sqrt((r * r).sum(axis=1))
        kind, k, length = self.bond
        if kind == "harmonic":
            return i, j, r, -k * (d - length) / d, k / 2 * (d - length) ** 2
        return i, j, r, -k / (1 - (d / length) ** 2), -k / 2 * length**2 * np.log(1 - (d / length) ** 2)

    def evaluate(self, position, velocity, step):
        """Forces of particles on each other, potential energy, virial by component (each pair once)."""
        force, potential, virial = np.zeros_like(position), 0.0, dict.fromkeys(COMPONENTS, 0.0)
        parts = [self.pairs(position, velocity, step)] + ([self.bonded(position)] if self.bond else [])
        for i, j, r, over, energy in parts:
            f = over[:, None] * r
            np.add.at(force, i, f)
            np.add.at(force, j, -f)
            potential += energy.sum()
            for name, (a, b) in COMPONENTS.items():
                virial[name] += (r[:, a] * f[:, b]).sum()
        return force, potential, virial

    def friction_velocity(self, step, velocity, force):
        """What the forces of a step read: v_k-1/2 = v_k - dt/2 f_k/m; the initial velocity in step 0."""
        return velocity if step == 0 else velocity - self.timestep / 2 * force / self.mass[:, None]


def block_average(values):
    """Mean and standard error of the later half of a series, from ten blocks, as docs/theory has them."""
    later = np.asarray(values)[len(values) // 2:]
    blocks = min(10, len(later))
    means = np.array([later[b * len(later) // blocks:(b + 1) * len(later) // blocks].mean() for b in range(blocks)])
    return means.mean(), means.std(ddof=1) / np.sqrt(blocks)


def profile_blocks(frames, mass, size, axis, bins, start, every, window, last):
    """Blocks of a profile from {step: (position, velocity)}: a list of dictionaries with a column each, by bin."""
    steps = [step for step in frames if step >= start and (step - start) % every == 0]
    groups = {}
    for step in steps:
        groups.setdefault((step - start) // window if window else 0, []).append(step)
    if window > every and len(groups) > 1 and groups[max(groups)] == [last]:
        del groups[max(groups)]  # a run of whole windows has as many blocks
    return [
        profile_block([frames[step]
                       for step in group], mass, size, axis, bins) | {"first_step": group[0], "last_step": group[-1]}
        for group in groups.values()
    ]


def profile_block(samples, mass, size, axis, bins):
    n, m, p, k = (np.zeros((len(samples), bins) + shape) for shape in ((), (), (3,), ()))
    for s, (position, velocity) in enumerate(samples):
        bin_of = np.minimum((position[:, axis] / size[axis] * bins).astype(int), bins - 1)
        np.add.at(n[s], bin_of, 1.0)
        np.add.at(m[s], bin_of, mass)
        np.add.at(p[s], bin_of, mass[:, None] * velocity)
        np.add.at(k[s], bin_of, mass * (velocity**2).sum(axis=1))
    length = 1
    while -(-len(samples) // length) > 16:
        length *= 2
    groups = [slice(b, b + length) for b in range(0, len(samples), length)]
    volume = size.prod() / bins

    def error(deviation, weight):
        parts = np.array([deviation[g].sum(axis=0) for g in groups])
        shares = np.array([weight[g].sum(axis=0) for g in groups]) / weight.sum(axis=0)
        return np.sqrt((parts**2).sum(axis=0) / (1 - (shares**2).sum(axis=0))) / weight.sum(axis=0)

    with np.errstate(invalid="ignore", divide="ignore"):
        u = p.sum(axis=0) / m.sum(axis=0)[:, None]
        temperature = (k.sum(axis=0) - (p.sum(axis=0) ** 2).sum(axis=1) / m.sum(axis=0)) / (3 * n.sum(axis=0))
        block = {
            "samples": len(samples), "count": n.mean(axis=0), "density": n.mean(axis=0) / volume,
            "temperature": temperature, "coordinate": (np.arange(bins) + 0.5) * size[axis] / bins
        }
        # m |v - u|^2 summed over a sample's particles, less what as many have on average
        thermal = k - 2 * (p * u).sum(axis=2) + m * (u**2).sum(axis=1) - 3 * temperature * n
        errors = {"density_error": error(n - n.mean(axis=0), np.ones((len(samples), bins))) / volume,
                  "temperature_error": error(thermal / 3, n)}
        for c, name in enumerate("xyz"):
            block[f"velocity_{name}"] = u[:, c]
            errors[f"velocity_{name}_error"] = error(p[:, :, c] - u[:, c] * m, m)
    none = np.full(bins, np.nan)
    return block | {name: values if len(samples) >= 4 else none for name, values in errors.items()}
