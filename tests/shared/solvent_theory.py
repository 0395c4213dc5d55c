"""Kinematic viscosities of a collision solvent in theory (docs/theory), kinetic and collisional part together, with
k_BT = m = a = 1; number: particles a cell, time: between collisions."""
import math


def meeting(number):
    return (number - 1 + math.exp(-number)) / number


def cosines(degrees):
    """Of the angle and of twice the angle."""
    return math.cos(math.radians(degrees)), math.cos(math.radians(2 * degrees))


def rotation_viscosity(number, degrees, time):
    (c, c2), q = cosines(degrees), meeting(number)
    return time / 2 * (5 / (q * (2 - c - c2)) - 1) + q * (1 - c) / (18 * time)


def andersen_viscosity(number, time):
    return time * (1 / meeting(number) - 0.5) + meeting(number) / (12 * time)


def angular_viscosity(number, time, degrees=None):
    """With angular momentum kept, of rotation; without an angle of Andersen's rule."""
    keep, stress = 0.0, 0.0
    if degrees is not None:
        c, c2 = cosines(degrees)
        keep, stress = (1 + 2 * c) / 3, 1 - 0.4 * (2 - c - c2)
    rigid = 1.25 / number
    kept = rigid + 2 * keep * (2 / number - rigid) + stress * (1 - 4 / number + rigid)
    return time * (1 / (1 - kept) - 0.5) + (1 - keep) * (number - 1.9) / (24 * number * time)
