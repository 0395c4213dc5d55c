"""Particles as lit spheres, in parallel projection, with numpy alone."""
import numpy as np

# Okabe and Ito's colours, which the colour-blind can tell apart.
PALETTE = ["#0072b2", "#e69f00", "#009e73", "#d55e00", "#56b4e9", "#cc79a7", "#f0e442", "#000000"]


def rgb(colour):
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255.0


def turned(x, angle, tilt):
    """Right, up, towards the eye: turned about z by the angle, then tilted forward, degrees."""
    a, t = np.radians(angle), np.radians(tilt)
    right = x[:, 0] * np.cos(a) + x[:, 1] * np.sin(a)
    deep = -x[:, 0] * np.sin(a) + x[:, 1] * np.cos(a)
    return np.stack([right, x[:, 2] * np.cos(t) + deep * np.sin(t), x[:, 2] * np.sin(t) - deep * np.cos(t)], axis=1)


class Canvas:
    """A picture with a depth for each pixel."""

    LIGHT = np.array([-0.45, 0.65, 0.62]) / np.linalg.norm([-0.45, 0.65, 0.62])

    def __init__(self, pixels, half_width, background=(1.0, 1.0, 1.0)):
        self.n, self.scale = pixels, pixels / (2 * half_width)
        self.colour = np.ones((pixels, pixels, 3)) * background
        self.depth = np.full((pixels, pixels), -np.inf)

    def sphere(self, centre, radius, colour, fade=0.0):
        """fade: share of the background's white, for what is far."""
        x, y = self.n / 2 + centre[0] * self.scale, self.n / 2 - centre[1] * self.scale
        r = radius * self.scale
        rows = np.arange(max(0, int(y - r)), min(self.n, int(y + r) + 2))
        columns = np.arange(max(0, int(x - r)), min(self.n, int(x + r) + 2))
        if len(rows) == 0 or len(columns) == 0:
            return
        u, v = np.meshgrid((columns + 0.5 - x) / r, (y - rows - 0.5) / r)
        inside = u * u + v * v < 1.0
        w = np.sqrt(np.where(inside, 1.0 - u * u - v * v, 0.0))
        here = np.ix_(rows, columns)
        deep = centre[2] + radius * w
        seen = inside & (deep > self.depth[here])
        light = np.clip(u * self.LIGHT[0] + v * self.LIGHT[1] + w * self.LIGHT[2], 0.0, 1.0)
        edge = np.clip(w / 0.35, 0.0, 1.0)  # a dark rim parts neighbours of one colour
        shade = (0.42 + 0.62 * light) * (0.62 + 0.38 * edge)
        glint = 0.35 * light**24
        drawn = np.clip(shade[..., None] * colour + glint[..., None], 0.0, 1.0)
        self.colour[here] = np.where(seen[..., None], drawn * (1 - fade) + fade, self.colour[here])
        self.depth[here] = np.where(seen, deep, self.depth[here])

    def spheres(self, places, radius, colours, fog=0.0):
        if len(places) == 0:
            return
        nearest, farthest = places[:, 2].max(), places[:, 2].min()
        for place, colour in zip(places, colours):
            self.sphere(place, radius, colour, fog * (nearest - place[2]) / max(nearest - farthest, 1e-9))

    def rods(self, starts, ends, radius, colours, fog=0.0):
        """Rows of small spheres: smooth enough at this size."""
        t = np.linspace(0.0, 1.0, 9)[:, None, None]
        places = (starts * (1 - t) + ends * t).reshape(-1, 3)
        self.spheres(places, radius, np.tile(colours, (len(t), 1)), fog)

    def glow(self, places, colour, sizes):
        """Points of light that add up, on a dark ground."""
        for place, size in zip(places, sizes):
            x, y = self.n / 2 + place[0] * self.scale, self.n / 2 - place[1] * self.scale
            reach = int(6 * size)
            rows = np.arange(max(0, int(y) - reach), min(self.n, int(y) + reach))
            columns = np.arange(max(0, int(x) - reach), min(self.n, int(x) + reach))
            if len(rows) and len(columns):
                r2 = (columns[None, :] + 0.5 - x) ** 2 + (rows[:, None] + 0.5 - y) ** 2
                light = np.exp(-r2 / (0.5 * size**2)) + 0.16 * np.exp(-r2 / (4 * size**2))
                self.colour[np.ix_(rows, columns)] += light[..., None] * colour

    def image(self):
        """Halved in both directions, which smooths edges."""
        c = np.clip(self.colour, 0.0, 1.0)
        return c[: self.n // 2 * 2, : self.n // 2 * 2].reshape(self.n // 2, 2, self.n // 2, 2, 3).mean(axis=(1, 3))


ANGLE, TILT = 38.0, 27.0
MOST = 60000  # spheres that are drawn one by one in some seconds


def whole_in_box(trajectory, number, box):
    """Positions; of chains in one piece, each with its middle in the box (None: there is none)."""
    if len(trajectory.bonds) == 0:
        return trajectory.position(number)
    x = trajectory.whole(number)
    if box is None or np.any(trajectory.slide(number)):  # where images slide, another image is another place
        return x
    molecule = trajectory.bonded
    count = np.maximum(np.bincount(molecule), 1)
    middle = np.stack([np.bincount(molecule, x[:, axis]) / count for axis in range(3)], axis=1)
    return x - np.where(molecule[:, None] > 0, np.floor(middle / box)[molecule] * box, 0.0)


def filled_part(x, box):
    """Of a box: the part of cells with eight particles in the mean that hold any; 1: all but what chance leaves."""
    cells = max(1, int((len(x) / 8) ** (1 / 3)))
    at = np.clip((x / box * cells).astype(int), 0, cells - 1)
    part = len(np.unique(at @ [1, cells, cells * cells])) / cells**3
    return part if part < 0.9 else 1.0


def deep_inside(x, box, spacing):
    """Which particles have filled cells, three spacings wide, all around theirs. Beyond the box there is nothing."""
    cells = np.maximum((box / (3.0 * spacing)).astype(int), 1)
    at = tuple(np.clip((x / box * cells).astype(int), 0, cells - 1).T)
    filled = np.zeros(cells + 2, dtype=int)
    np.add.at(filled, tuple(a + 1 for a in at), 1)
    filled = filled > 9  # of 27
    deep = np.ones(cells, dtype=bool)
    for shift in np.ndindex(3, 3, 3):
        deep &= filled[tuple(slice(s, s + n) for s, n in zip(shift, cells))]
    return deep[at]


def frame_picture(trajectory, number=-1, pixels=900):
    """A frame from a corner above: species by colour; chains whole, with their bonds; of bodies the middle 95%."""
    box = trajectory.box(number)
    has_box = bool((box > 0).all())
    x = whole_in_box(trajectory, number, box if has_box else None)
    middle = box / 2 if has_box else np.median(x, axis=0)
    away = np.linalg.norm(x - middle, axis=1)
    reach = 0.5 * np.linalg.norm(box) if has_box else 1.15 * np.quantile(away, 0.95)
    colours = np.array([rgb(PALETTE[kind % len(PALETTE)]) for kind in range(int(trajectory.species.max()) + 1)])
    filled = filled_part(x, box) if has_box and len(trajectory.bonds) == 0 else 1.0
    volume = filled * float(np.prod(box)) if has_box else (2 * reach) ** 3
    radius = 0.42 * (volume / max(len(x), 1)) ** (1 / 3)
    if len(trajectory.bonds):  # a chain alone in a large box stays a chain
        lengths = np.linalg.norm(x[trajectory.bonds[:, 0]] - x[trajectory.bonds[:, 1]], axis=1)
        radius = min(radius, 0.5 * np.median(lengths))
        middle = x.mean(axis=0)
        away = np.linalg.norm(x - middle, axis=1)
        reach = min(1.05 * away.max() + radius, 1.5 * reach)
    shown = np.ones(len(x), dtype=bool)
    if has_box and len(trajectory.bonds) == 0 and len(x) > 4000:  # what lies deep inside is hidden
        shell = 3.2 * radius
        shown = (((x < shell) | (x > box - shell)).any(axis=1) if filled == 1.0 else
                 ~deep_inside(x, box, (volume / len(x)) ** (1 / 3)))
    shown &= away <= 1.02 * reach
    if shown.sum() > MOST:
        shown &= np.arange(len(x)) % int(np.ceil(shown.sum() / MOST)) == 0
    canvas = Canvas(pixels, (0.95 if has_box else 1.05) * reach)
    places = turned(x - middle, ANGLE, TILT)
    bonds = trajectory.bonds
    if len(bonds):
        bonds = bonds[shown[bonds].all(axis=1)]
        near = np.linalg.norm(x[bonds[:, 0]] - x[bonds[:, 1]], axis=1) < (0.5 * box.min() if has_box else np.inf)
        bonds = bonds[near][: MOST // 4]
        canvas.rods(places[bonds[:, 0]], places[bonds[:, 1]], 0.45 * radius,
                    colours[trajectory.species[bonds[:, 0]]], fog=0.5)
    canvas.spheres(places[shown], radius, colours[trajectory.species[shown]], fog=0.35 if len(bonds) else 0.0)
    return canvas.image()
