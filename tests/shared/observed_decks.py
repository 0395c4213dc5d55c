"""Decks of the tests that recompute what a user reads, and what each says, as a Model."""
import numpy as np
from pair_model import Dpd, LennardJones, Model

HEAD = """
[run]
steps = {steps}
timestep = {timestep}
seed = 20260101234
precision = "{precision}"
temperature = 1.2
[neighbor]
rebuild = "every"
every = 2
skin = 0.4
"""

# Two fluids of masses 1 and 2.5 and chains, driven along x and y, opposite ways in the halves across z.
DRIVEN = HEAD + """
[box]
size = [7.0, 6.0, 5.6]
[[population]]
name = "light"
species = "A"
count = 180
[[population]]
name = "heavy"
species = "B"
count = 120
mass = 2.5
velocity = [0.3, -0.2, 0.1]
[[population]]
name = "chain"
kind = "polymer"
blocks = "CCC"
count = 30
mass = 1.5
bond_length = 0.5
[[interaction]]
between = "*"
a = 25.0
gamma = 4.5
[[interaction]]
between = ["A", "B"]
a = 40.0
gamma = 9.0
cutoff = 0.9
[[bond]]
population = "chain"
k = 30.0
r0 = 0.4
[[drive]]
style = "constant"
acceleration = [0.9, 0.4, 0.0]
[[drive]]
style = "double-poiseuille"
acceleration = [0.0, 1.5, 0.0]
across = "z"
"""

# Lennard-Jones particles of two kinds between walls that reflect.
REFLECTED = HEAD + """
[box]
size = [9.7, 6.4, 6.0]
periodic = [true, true, false]
[[boundary]]
face = "z"
style = "bounce-forward"
[[population]]
name = "light"
species = "A"
initial = "file"
file = "light.data"
[[population]]
name = "heavy"
species = "B"
initial = "file"
file = "heavy.data"
mass = 3.0
[[interaction]]
between = "*"
style = "lj"
epsilon = 0.8
sigma = 1.0
cutoff = 1.9
[[interaction]]
between = ["A", "B"]
style = "lj"
epsilon = 1.1
sigma = 0.9
cutoff = 2.0
"""

# A fluid of masses 1 and 2 with FENE chains between walls without slip along x and mirrors along y, falling along z.
CHANNEL = HEAD + """
[box]
size = [6.0, 7.0, 5.6]
periodic = [false, false, true]
[[boundary]]
face = "x"
style = "bounce-back"
[[boundary]]
face = "y"
style = "bounce-forward"
[[population]]
name = "light"
species = "A"
count = 200
[[population]]
name = "heavy"
species = "B"
count = 100
mass = 2.0
[[population]]
name = "chain"
kind = "polymer"
blocks = "BAB"
count = 25
bond_length = 0.5
mass = 1.0
letters = {{ B = "C", A = "D" }}
[[interaction]]
between = "*"
a = 18.0
gamma = 6.0
exponent = 0.5
[[interaction]]
between = ["A", "B"]
a = 30.0
gamma = 3.0
exponent = 2.0
[[bond]]
population = "chain"
style = "fene"
k = 12.0
r_max = 2.5
[[drive]]
style = "constant"
acceleration = [0.0, 0.0, 2.0]
"""


def model_of(frames, size, periodic, interactions, **more):
    return Model(np.array(size), periodic, 0.005, 20260101234, frames["species"], frames["mass"], interactions,
                 temperature=1.2, bonds=frames["bonds"], **more)


def driven(frames):
    usual = {(i, j): Dpd(25.0, 4.5) for i in range(3) for j in range(i, 3)}
    return model_of(frames, [7.0, 6.0, 5.6], (True, True, True), usual | {(0, 1): Dpd(40.0, 9.0, 0.9)},
                    bond=("harmonic", 30.0, 0.4), acceleration=(0.9, 0.4, 0.0), halves=(2, (0.0, 1.5, 0.0)))


def reflected(frames):
    return model_of(frames, [9.7, 6.4, 6.0],
                    (True, True, False), {(0, 0): LennardJones(0.8, 1.0, 1.9), (1, 1): LennardJones(0.8, 1.0, 1.9),
                                          (0, 1): LennardJones(1.1, 0.9, 2.0)})


def channel(frames):
    usual = {(i, j): Dpd(18.0, 6.0, 1.0, 0.5) for i in range(4) for j in range(i, 4)}
    return model_of(frames, [6.0, 7.0, 5.6], (False, False, True), usual | {(0, 1): Dpd(30.0, 3.0, 1.0, 2.0)},
                    bond=("fene", 12.0, 2.5), acceleration=(0.0, 0.0, 2.0))
