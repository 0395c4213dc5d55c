#!/usr/bin/env python3
"""Writes random decks: species, forces, bonds, walls, drives, integrators, lists, precisions, noises, outputs; with
what deck_features.py adds (flows, pressure, solutes, thermostats, groups, schedules, solids, cells, tracers, measures)
and, one in seven, a collision solvent (solvent_decks.py); one in ten begins from a file (file_decks.py).

    tests/random/make_decks.py DIR --count 20 --sizes 500:3000 --seed 7

Deck k of a seed is the same wherever it is made. Every deck passes `mesowarp check`, can be cut into 2, 3 or 4 parts,
and is mild enough to run to its end: time steps follow from the forces, hard spheres start from a lattice, a list that
is built every few steps outlasts the fastest particles. Needs Python's standard library only.
"""
import argparse
import math
import random
from pathlib import Path

from deck_features import Features, choose_features
from file_decks import file_lines
from solvent_decks import solvent_lines

LETTERS = "ABCD"
PARTS = 4.05  # the longest edge is that many cutoffs and skins long, so that 2, 3 and 4 ranks fit
# Of a Gaussian velocity's component, with what a random start gives off as heat: none of 500,000 particles is faster.
FASTEST = 8.0
COLUMNS = [
    "time", "temperature", "pressure", "pressure_xx", "pressure_yy", "pressure_zz", "pressure_xy", "pressure_xz",
    "pressure_yz", "potential_energy", "kinetic_energy", "total_energy", "momentum_x", "momentum_y", "momentum_z",
    "net_force_x", "net_force_y", "net_force_z"
]


def text(value):
    """A value as TOML."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(text(item) for item in value) + "]"
    return repr(value)


def block(title, **values):
    """Lines of a block, without what is None."""
    return [title, *(f"{key} = {text(value)}" for key, value in values.items() if value is not None)]


class Deck:
    """One deck; its parts are chosen one after the other, each from what stands before."""

    def __init__(self, rng, sizes, steps, reproducibility):
        self.rng = rng
        self.reproducibility = reproducibility
        self.features = choose_features(rng)
        self.steps = rng.randint(*steps)
        self.wanted = math.exp(rng.uniform(*(math.log(size) for size in sizes)))
        self.temperature = rng.choice([0.3, 0.5, 1.0, 1.0, 1.3])
        self.species = LETTERS[: 1 if self.features & {"walls", "cells"} else rng.choice([1, 1, 2, 2, 3, 4])]
        self.solutes = ["S0", "S1"][: rng.choice([1, 2])]
        masses = rng.choice([[1.0], [1.0, 2.0], [0.5, 1.0, 3.7]])
        self.mass = {letter: rng.choice(masses) for letter in self.species}
        self.skin = rng.choice([0.1, 0.2, 0.3, 0.45, 0.6]) if "cells" not in self.features else 0.7
        self.choose_populations()
        self.choose_interactions()
        self.bonds = [self.bond(chain) for chain in self.chains]
        self.choose_box()
        self.choose_drives()
        self.choose_timestep()

    def choose_populations(self):
        """Single particles of each species, and up to three kinds of chains; densities; who is hard (Lennard-Jones)."""
        rng = self.rng
        self.fluids = {letter: rng.choice([0.5, 1.0, 1.5, 2.0]) for letter in self.species}
        self.start = {letter: rng.choice(["random", "lattice"]) for letter in self.species}
        self.hard = ""
        # Hard spheres have a lattice of their own each; to others they are soft, so that lattices may overlap.
        if rng.random() < 0.25 and not self.features & {"walls", "cells", "transport", "barostat", "frozen"}:
            self.hard = "".join(rng.sample(self.species, rng.randint(1, len(self.species))))
            self.start.update({letter: "lattice" for letter in self.hard})
        self.chains = []
        for k in range(rng.choice([0, 0, 1, 1, 2, 3]) if "cells" not in self.features and (
                "walls" not in self.features or rng.random() < 0.3) else 0):
            first = rng.choice(self.species)
            alike = [
                letter for letter in self.species if self.mass[letter] == self.mass[first] and letter not in self.hard
            ]
            if alike:
                blocks = "".join(rng.choice(alike) for _ in range(rng.choice([2, 3, 4, 7, 12, 25])))
                self.chains.append({"name": f"chain{k}", "blocks": blocks, "density": rng.choice([0.1, 0.3, 1.0]),
                                    "bond_length": rng.choice([0.3, 0.5, 0.7]), "mass": self.mass[blocks[0]]})
        self.still = "".join(letter for letter in self.species[1:] if "frozen" in self.features
                             and letter not in self.chained())
        bead = rng.choice([0.0, 1.0])  # the concentrations of all that chains are made of
        self.dissolved = {letter: bead if letter in self.chained() else 0.5 for letter in self.species}
        self.density = sum(self.fluids.values()) + sum(chain["density"] for chain in self.chains)

    def chained(self):
        """Species that chains have."""
        return {letter for chain in self.chains for letter in chain["blocks"]}

    def choose_interactions(self):
        """A force between all, others for some pairs, Lennard-Jones among the hard."""
        rng = self.rng
        self.pairs = {"**": self.soft()}
        if "cells" in self.features and self.pairs["**"]["reach"] < 1.0:  # ranks see what edges of cells span
            self.pairs["**"].update(reach=1.0, cutoff=None)
        for i, one in enumerate(self.species):
            for other in self.species[i:]:
                if one == other and one in self.hard:
                    self.pairs[one + other] = self.stiff(one)
                elif rng.random() < 0.4:
                    self.pairs[one + other] = self.soft()
        replaced = all(one + other in self.pairs and not (one == other and one in self.hard)
                       for i, one in enumerate(self.species) for other in self.species[i:])
        self.many_body = None
        if "many-body" in self.features:  # mild: densities are up to some ten
            self.many_body = {"b": rng.choice([0.5, 1.5, 3.0]), "cutoff": rng.choice([None, 0.6, 0.8]),
                              "density_weight": rng.choice([None, "lucy"])}
        self.cutoff = max(pair["reach"] for which, pair in self.pairs.items() if which != "**" or not replaced)

    def soft(self):
        """A DPD force, by its friction or its noise."""
        rng = self.rng
        cutoff = rng.choice([1.0, 1.0, 0.8, 1.3, 1.5])
        values = {"a": rng.choice([0.0, 10.0, 25.0, 40.0]), "gamma": rng.choice([0.0, 1.0, 4.5, 10.0]), "reach": cutoff}
        values["exponent"] = rng.choice([None, None, 0.5, 0.25, 2.0, 1.3])
        if "walls" in self.features:  # are cut from a fluid that runs for 26 units of time before: in few steps
            cutoff = 1.0
            values = {"a": rng.choice([0.0, 10.0]), "gamma": rng.choice([0.0, 1.0]), "reach": 1.0, "exponent": None}
        if "cells" in self.features:  # in which particles start anywhere
            values["a"] = rng.choice([0.0, 6.0])
        if rng.random() < 0.3 and "walls" not in self.features:
            values["sigma"] = rng.choice([1.0, 3.0])
            values["gamma"] = values["sigma"] ** 2 / (2.0 * self.temperature)
        values["cutoff"] = None if cutoff == 1.0 else cutoff
        if "transport" in self.features:
            values.update(style="tdpd", kappa=rng.choice([0.5, 2.0]), flux_cutoff=rng.choice([None, 0.9 * cutoff]))
        return values

    def stiff(self, letter):
        """Lennard-Jones or its repulsive part, narrow enough for the lattice of the species."""
        rng = self.rng
        style, sigma = rng.choice(["lj", "wca"]), round(0.75 * self.fluids[letter] ** (-1.0 / 3.0), 3)
        cutoff = round(rng.choice([1.5, 2.0]) * sigma, 3) if style == "lj" else None
        return {"style": style, "sigma": sigma, "epsilon": rng.choice([0.5, 1.0]), "cutoff": cutoff,
                "reach": cutoff or 2.0 ** (1.0 / 6.0) * sigma}

    def choose_box(self):
        """Edges, the longest of them long enough for four ranks; walls."""
        rng = self.rng
        room = 1.1 if self.features & {"barostat", "deformation"} else 1.0  # for edges that become shorter
        least = 2.02 * (self.cutoff + self.skin) * room
        if self.features & {"cells", "walls"}:
            least = max(least, 6.0)
        if "stiff" in self.features:
            spans = [self.span(chain, bond) for chain, bond in zip(self.chains, self.bonds)]
            least = max([least, *(2.04 * room * span for span in spans)])
        least_volume = least * least * PARTS / 2.02 * least
        volume = max(self.wanted / self.density, least_volume * 1.02)
        spare = math.log(volume / least_volume)
        cuts = sorted(rng.uniform(0.0, spare) for _ in range(2))
        edges = [least * math.exp(part) for part in (cuts[0], cuts[1] - cuts[0])]
        edges.append(volume / edges[0] / edges[1])
        rng.shuffle(edges)
        self.size = [math.ceil(100.0 * edge) / 100.0 for edge in edges]
        walled = self.features & {"shear", "barostat", "deformation", "walls", "inflow", "cells"}
        self.periodic = [bool(walled) or rng.random() > 0.25 for _ in range(3)]
        if "flow_rate" in self.features and not any(self.periodic):
            self.periodic[rng.randrange(3)] = True
        self.volume = math.prod(self.size)

    def choose_drives(self):
        """Up to two, along any axis; the speed they may give until the end."""
        rng = self.rng
        self.drives, self.pushed = [], 0.0
        undriven = self.features & {"shear", "flow_rate", "barostat", "deformation"}
        for _ in range(0 if undriven else rng.choice([0, 0, 1, 1, 2])):
            along = rng.randrange(3)
            acceleration = [rng.choice([0.02, 0.1, 0.3]) if axis == along else 0.0 for axis in range(3)]
            across = rng.choice([None, *(letter for letter in "xyz" if letter != "xyz"[along])])
            self.drives.append({"style": "double-poiseuille" if across else "constant", "acceleration": acceleration,
                                "across": across})
            self.pushed += max(acceleration)

    def choose_timestep(self):
        """From the stiffest repulsion, friction, spring and Lennard-Jones well, as `check` estimates them; bonds."""
        rng = self.rng
        lightest = min(self.mass.values())
        soft = [pair for pair in self.pairs.values() if "a" in pair]
        stiffness = max(4.0 * math.pi / 9.0 * self.density * pair["a"] * pair["reach"] ** 2 for pair in soft)
        if self.many_body:
            stiffness += 4.0 * math.pi / 9.0 * self.density * 2.0 * self.density * self.many_body["b"] * 0.64
        friction = 0.0
        for pair in soft:
            s = 2.0 * (pair["exponent"] or 1.0)
            friction = max(friction, 8.0 * math.pi / 3.0 * self.density * pair["gamma"] * pair["reach"] ** 3 /
                           ((s + 1.0) * (s + 2.0) * (s + 3.0)) / lightest)
        springs = [2.0 * bond["k"] * bond.pop("stretched") for bond in self.bonds]
        if "stiff" in self.features:
            springs += [8.0 / chain["bond_length"]**2 for chain in self.chains]
        springs = max([*springs, 2500.0 if "cells" in self.features else 0.0])
        limits = [0.04, 0.4 / math.sqrt(stiffness / lightest + 1e-9), 0.12 / (friction + 1e-9),
                  0.2 / math.sqrt(springs / lightest + 1e-9)]
        limits += [0.003 * pair["sigma"] * math.sqrt(lightest) for pair in self.pairs.values() if "epsilon" in pair]
        self.timestep = float(f"{min(limits) * rng.uniform(0.5, 1.0):.2g}")
        speed = FASTEST * math.sqrt(self.temperature / lightest) + self.pushed * self.timestep * self.steps
        lasts = int(0.5 * self.skin / (speed * self.timestep))
        uneven = self.features & {"shear", "barostat", "deformation", "cells", "stiff", "groups", "inflow", "schedule",
                                  "thermostat"}
        self.every = rng.randint(1, lasts) if lasts > 0 and not uneven and rng.random() < 0.4 else None

    def span(self, chain, bond):
        """What three bonds in a row may span, as the program has it."""
        return max(3.0 * chain["bond_length"], 3.0 * (bond["r0"] or 0.0) + 6.0 * math.sqrt(3.0 * self.temperature /
                                                                                           bond["k"]))

    def bond(self, chain):
        """The springs of a chain."""
        rng = self.rng
        exclude = rng.choice([None, True, False])
        if rng.random() < 0.5 or "stiff" in self.features:
            shortest = 0.5 if "stiff" in self.features else None
            # A hot start draws springs of 40 beyond what four parts have room for, where a run on ranks rightly ends.
            springs = [80.0, 160.0] if "stiff" in self.features else [40.0, 80.0]
            return {"population": chain["name"], "k": rng.choice(springs), "r0": rng.choice([shortest, 0.38, 0.5]),
                    "exclude": exclude, "stretched": 1.0}
        r_max = rng.choice([1.5, 2.0, 2.5])
        return {"population": chain["name"], "style": "fene", "k": rng.choice([20.0, 30.0]), "r_max": r_max,
                "exclude": exclude, "stretched": 1.0 / (1.0 - min(0.9, 1.0 / r_max) ** 2)}

    def populations(self):
        """Their blocks, in random order."""
        rng, blocks, self.drifts = self.rng, [], False
        solid = "walls" in self.features
        hollow = not solid and rng.random() < 0.2
        if hollow:
            blocks.append(block("[[shape]]", name="hole", style="sphere", radius=0.25 * min(self.size),
                                center=[0.5 * edge for edge in self.size]))
        for letter, density in self.fluids.items():
            counted = rng.random() < 0.3 and not solid
            drift = [rng.choice([0.0, 0.1, -0.2]) for _ in range(3)] if rng.random() < 0.15 and not self.every else None
            self.drifts = self.drifts or bool(drift)
            blocks.append(
                block("[[population]]", name=f"fluid{letter}", species=letter, mass=self.mass[letter],
                      density=None if counted else density, count=round(density * self.volume) if counted else None,
                      initial=self.start[letter], velocity=drift,
                      region="not hole" if hollow and self.start[letter] == "random" else None,
                      frozen=letter in self.still or None,
                      concentration=self.dissolved[letter] if "transport" in self.features else None))
        for chain in self.chains:
            beads = len(chain["blocks"])
            molecules = max(1, round(chain["density"] * self.volume / beads))
            values = {**chain, "density": None, "count": molecules}
            if "transport" in self.features:
                values["concentration"] = self.dissolved[chain["blocks"][0]]
            blocks.insert(0, block("[[population]]", kind="polymer", **values))
        if not solid:
            rng.shuffle(blocks)
        return sum(blocks, [])

    def walls(self):
        """The faces of the axes that are not periodic."""
        rng, lines = self.rng, []
        for axis, periodic in zip("xyz", self.periodic):
            if not periodic:
                for face in rng.choice([[axis], [axis + "-", axis + "+"]]):
                    lines += block("[[boundary]]", face=face, style=rng.choice(["bounce-back", "bounce-forward"]))
        return lines

    def outputs(self):
        """A table, checkpoints, perhaps a trajectory and profiles."""
        rng, lines = self.rng, []
        quantities = ["density", "velocity", "temperature"]
        for k in range(rng.choice([0, 1, 2])):
            every = rng.randint(1, 10)
            lines += block("[[measure]]", name=f"profile{k}", axis=rng.choice("xyz"), bins=rng.choice([1, 7, 50, 300]),
                           every=every, start=rng.choice([None,
                                                          self.steps // 3]), window=rng.choice([None, every,
                                                                                                4 * every]),
                           quantities=rng.choice([None, rng.sample(quantities, rng.randint(1, 3))]))
        columns = rng.choice([None, COLUMNS, rng.sample(COLUMNS, 6)])
        if more := self.parts.columns():
            columns = [*(columns or COLUMNS[:6]), *more]
        lines += block("[[output]]", format="table", every=rng.choice([1, 5, 20]), columns=columns)
        if rng.random() < 0.5:
            lines += block("[[output]]", format="trajectory", every=rng.choice([5, 20, 0]),
                           fields=rng.choice([None, ["position", "image", "velocity", "force", "species"]]),
                           precision=rng.choice([None, "double"]))
            if self.parts.named and rng.random() < 0.5:
                lines += block("[[output]]", format="trajectory", name="some", every=rng.choice([4, 10]),
                               groups=[self.parts.named[0]])
        return lines + block("[[output]]", format="checkpoint", every=rng.choice([0, 7, 20]))

    def lines(self):
        """All of it."""
        rng = self.rng
        integrator = rng.choice([{"style": "velocity-verlet"},
                                 {"style": "groot-warren", "lambda": rng.choice([0.65, 0.5, 0.8])}])
        lines = block("[run]", steps=self.steps, timestep=self.timestep, temperature=self.temperature,
                      seed=rng.randrange(1_000_000), reproducibility=self.reproducibility,
                      precision=rng.choice(["single", "mixed", "double"]),
                      pair_noise=rng.choice(["tea", "tea" if "transport" in self.features else "multiply"]))
        lines += block("[box]", size=self.size, periodic=self.periodic)
        self.parts = parts = Features(self, block)
        lines += parts.flow() + parts.transport() + parts.groups() + parts.schedule()
        lines += block("[relaxation]", steps=20) if "relaxation" in self.features else []
        lines += block("[integrator]", **integrator) if rng.random() < 0.6 else []
        lines += block("[neighbor]", skin=self.skin, rebuild="every" if self.every else "displacement",
                       every=self.every)
        cells, mechanics = parts.cells()
        fluids, dye = self.populations(), parts.tracers()
        first = bool(dye) and not cells and not ("walls" in self.features and self.chains) and rng.random() < 0.5
        lines += cells + (dye + fluids if first else fluids + dye) + mechanics + parts.thermostat()
        for species, pair in self.pairs.items():
            known = {key: value for key, value in pair.items() if key != "reach"}
            known["gamma"] = None if "sigma" in pair else pair.get("gamma")
            lines += block("[[interaction]]", between=list(species), **known)
        if self.many_body:
            lines += block("[[interaction]]", between="*", style="many-body", **self.many_body)
        for bond in self.bonds:
            lines += block("[[bond]]", **bond)
        lines += parts.stiff() + self.walls() + parts.walls()
        for drive in self.drives:
            lines += block("[[drive]]", **drive)
        return lines + parts.measures() + self.outputs()


def make_deck(seed, number, sizes, steps=(60, 200), reproducibility="bitwise"):
    """The text of deck `number` of a seed: about `sizes` (least, most) particles, and `steps` (least, most) steps."""
    rng = random.Random(f"{seed} {number} {sizes[0]}:{sizes[1]}")
    if rng.random() < 0.14:
        lines = solvent_lines(rng, sizes, steps, reproducibility, block)
    else:
        lines = Deck(rng, sizes, steps, reproducibility).lines()
    return f"# tests/random/make_decks.py: seed {seed}, deck {number}, sizes {sizes[0]}:{sizes[1]}\n" + "\n".join(
        lines) + "\n"


def write_file_deck(path, rng, steps, reproducibility):
    """A deck that begins from a file, and those of the runs which make the file."""
    lines, first, again = file_lines(rng, steps, reproducibility, block)
    for ending, part, folder in ((".toml", lines, ".files"), (".again", again, ".first"), (".start", first, "")):
        words = "\n".join(["# tests/random/file_decks.py", *part, ""])
        if part:
            path.with_suffix(ending).write_text(words.replace("{folder}", path.with_suffix(folder).name),
                                                encoding="utf-8")


def write_decks(directory, count, seed, sizes, steps=(60, 200), reproducibility="bitwise", from_files=0.1):
    """Writes decks 0 .. count - 1 of a seed and returns their paths; from_files: the share that begins from files, with
    up to 1,200 particles each."""
    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    paths = []
    for number in range(count):
        paths.append(directory / f"deck-{seed}-{number:03d}.toml")
        rng = random.Random(f"{seed} {number} from a file")
        if rng.random() < from_files:
            write_file_deck(paths[-1], rng, steps, reproducibility)
        else:
            paths[-1].write_text(make_deck(seed, number, sizes, steps, reproducibility), encoding="utf-8")
    return paths


def span(word):
    """LEAST:MOST as two whole numbers."""
    least, most = (int(part) for part in word.split(":"))
    if not 0 < least <= most:
        raise argparse.ArgumentTypeError(f"{word}: expected LEAST:MOST")
    return least, most


def add_options(parser):
    """What decks to make."""
    parser.add_argument("--count", type=int, default=20, help="number of decks (default: %(default)s)")
    parser.add_argument("--seed", default="1", help="any word; other seeds give other decks (default: %(default)s)")
    parser.add_argument("--sizes", type=span, default=(500, 3000), metavar="LEAST:MOST",
                        help="numbers of particles, evenly in their logarithm (default: 500:3000)")
    parser.add_argument("--steps", type=span, default=(60, 200), metavar="LEAST:MOST", help="default: 60:200")
    parser.add_argument("--from-files", type=float, default=0.1, metavar="SHARE",
                        help="of the decks that begin from files (default: %(default)s)")
    parser.add_argument("--reproducibility", choices=["bitwise", "deterministic"], default="bitwise")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=Path, metavar="DIR")
    add_options(parser)
    options = parser.parse_args()
    for path in write_decks(options.directory, options.count, options.seed, options.sizes, options.steps,
                            options.reproducibility, options.from_files):
        print(path)


if __name__ == "__main__":
    main()
