"""What random decks may have beside fluids, chains and faces: flows, pressure, solutes, thermostats, groups, schedules,
solids, cells, tracers, measures. Each part returns its lines, and is mild enough for a deck to run to its end."""
import math

FLOWS = ["shear", "barostat", "deformation", "inflow", "flow_rate"]
MEASURES = ["rdf", "msd", "vacf", "viscosity", "correlation", "structure-factor", "chains", "clusters", "columns",
            "field", "cylinder", "sphere"]
COLUMNS_OF = {"shear": ["shear_stress"], "barostat": ["volume", "box_x", "box_y", "box_z"],
              "deformation": ["volume", "box_x"], "inflow": ["inflows"],
              "flow_rate": ["flow_velocity", "drive_acceleration"], "transport": ["solutes"], "groups": ["groups"],
              "pulls": ["pulls"], "schedule": ["scheduled"], "tracers": ["tracer_msd"], "walls": ["wall_strays"]}


def choose_features(rng):
    """Names of what a deck has; what goes with what is decided here."""
    chosen = set()
    if rng.random() < 0.5:
        chosen.add(rng.choice(FLOWS))
    for name, share in (("transport", 0.25), ("cells", 0.2), ("groups", 0.35), ("thermostat", 0.25), ("schedule", 0.3),
                        ("walls", 0.12), ("stiff", 0.4), ("tracers", 0.1), ("relaxation", 0.1), ("frozen", 0.1),
                        ("many-body", 0.2)):
        if rng.random() < share:
            chosen.add(name)
    if "walls" in chosen:  # solids need boxes at rest, and are cut from a fluid that runs before, in steps of the deck
        chosen -= {"shear", "barostat", "deformation", "frozen", "cells", "many-body"}
    if chosen & {"barostat", "deformation"}:
        chosen -= {"tracers", "cells", "transport", "groups", "frozen"}
    if "shear" in chosen:
        chosen -= {"groups", "frozen", "thermostat", "tracers"}
    return chosen


class Features:
    """Lines of the features of a deck; block() writes one block."""

    def __init__(self, deck, block):
        self.deck, self.rng, self.block, self.has = deck, deck.rng, block, deck.features

    def axis(self, periodic=True):
        """A letter, of an axis that is periodic if there is one."""
        letters = [letter for letter, is_so in zip("xyz", self.deck.periodic) if is_so or not periodic]
        return self.rng.choice(letters or ["x"])

    def flow_axis(self):
        self.along = self.axis()
        return self.along

    def time(self):
        return self.deck.steps * self.deck.timestep

    def flow(self):
        """What moves the fluid or its box."""
        rng, deck, lines, self.along = self.rng, self.deck, [], ""
        if "shear" in self.has:
            longest = max("xyz", key=lambda letter: deck.size["xyz".index(letter)])  # no cuts along the flow
            flow = rng.choice("xyz".replace(longest, ""))
            gradient = rng.choice("xyz".replace(flow, ""))
            rate = rng.choice([0.05, 0.3, -0.7]) * min(1.0, 12.0 / max(deck.size))
            lines = self.block("[shear]", rate=float(f"{rate:.2g}"), flow=flow, gradient=gradient)
        elif "barostat" in self.has:
            stiffest = max(pair.get("a", 0.0) for pair in deck.pairs.values())
            pressure = deck.density * deck.temperature + 0.1 * stiffest * deck.density**2
            coupling = rng.choice(["isotropic", "semi-isotropic", "anisotropic", "z"])
            lines = self.block("[barostat]", pressure=round(rng.uniform(0.8, 1.1) * pressure, 3), coupling=coupling,
                               compressibility=round(0.5 / pressure, 5), period=rng.choice([2.0, 5.0]),
                               every=rng.choice([None, 1, 7]))
        elif "deformation" in self.has:
            most = 0.04 / self.time()
            rate = [rng.choice([0.0, most, -most]) for _ in range(2)] + [0.5 * most]
            rng.shuffle(rate)
            lines = self.block("[deformation]", rate=[float(f"{value:.3g}") for value in rate],
                               to=rng.choice([deck.steps, 2 * deck.steps // 3]), every=rng.choice([1, 6, 10]),
                               **{"from": rng.choice([0, deck.steps // 4])})
        elif "inflow" in self.has:
            along = self.along = self.axis()
            length = deck.size["xyz".index(along)]
            lines = self.block("[[inflow]]", along=along, velocity=rng.choice([0.2, 0.5]), rate=rng.choice([2.0, 5.0]),
                               to=round(0.4 * length, 2), every=rng.choice([None, 3]), **{"from": 0.0})
        elif "flow_rate" in self.has:
            lines = self.block("[flow_rate]", velocity=rng.choice([0.1, 0.4]), along=self.flow_axis(),
                               every=rng.choice([1, 8]))
        return lines

    def transport(self):
        """Solutes, what they begin with, sources, reactions."""
        rng, deck = self.rng, self.deck
        if "transport" not in self.has:
            return []
        solutes = deck.solutes
        reactions = ["2 S0 -> : 0.3"] if len(solutes) == 1 else ["S0 + S1 -> S1 : 0.5", "S1 -> S0 : 0.2"]
        flux = rng.random() < 0.4
        lines = self.block("[transport]", solutes=solutes, random_flux=flux or None,
                           solute_mass=1e-4 if flux else None,
                           density=deck.density if flux else None, reactions=reactions if rng.random() < 0.4 else None)
        center = [round(rng.uniform(0.0, edge), 2) for edge in deck.size]
        regions = [{}, {"species": rng.choice(deck.species)}, {"region": "sphere", "center": center, "radius": 1.5},
                   {"region": "cylinder", "center": center, "radius": 1.2, "axis": rng.choice("xyz")},
                   {"region": "box", "low": [0.0, 0.0, 0.0], "high": [round(0.4 * edge, 2) for edge in deck.size]}]
        for _ in range(rng.choice([0, 1, 2])):
            lines += self.block("[[source]]", solute=rng.choice(solutes), rate=rng.choice([0.0, 0.5]),
                                linear=rng.choice([-0.4, 0.1]), **rng.choice(regions))
        for _ in range(rng.choice([1, 2])):
            lines += self.block("[[concentration]]", solute=rng.choice(solutes), value=rng.choice([0.5, 1.0, 2.0]),
                                wave_amplitude=rng.choice([None, 0.3]), wave_axis=rng.choice("xyz"),
                                **rng.choice(regions))
        return lines

    def thermostat(self):
        rng, deck = self.rng, self.deck
        if "thermostat" not in self.has:
            return []
        if rng.random() < 0.5:
            often = 0.2 / (deck.density * deck.cutoff**3 * deck.timestep)  # about one collision a step
            style = {"style": "lowe-andersen", "rate": float(f"{min(5.0, rng.uniform(0.1, 1.0) * often):.2g}"),
                     "cutoff": rng.choice([None, round(0.8 * deck.cutoff, 3)])}
        else:
            style = {"style": "langevin", "friction": rng.choice([0.3, 1.0]), "every": rng.choice([None, 4])}
        moving = [letter for letter in deck.species if letter not in deck.still]
        alone = [f"fluid{letter}" for letter in moving if letter not in deck.chained()]
        whose = rng.choice([{"population": name} for name in alone[:1]] + [{"species": [rng.choice(moving)]}])
        return self.block("[[thermostat]]", temperature=rng.choice([None, 0.7]), **style,
                          **whose)

    def groups(self):
        """Groups; one is pulled, another held."""
        rng, deck, lines = self.rng, self.deck, []
        self.named, self.pulled = [], False
        if "groups" not in self.has:
            return []
        upper = [round(0.5 * edge, 2) for edge in deck.size]
        moving = [letter for letter in deck.species if letter not in deck.still]
        sets = [{"species": [rng.choice(moving)]}, {"species": [deck.species[0]], "lower": [0.0, 0.0, 0.0],
                                                          "upper": upper}]
        if "walls" not in self.has:  # there, numbers are known only when the run starts
            sets += [{"particles": "0:60:3"}, {"particles": "5, 17:40"}]
            if deck.chains:
                sets += [{"molecules": "1:2"}, {"populations": [deck.chains[0]["name"]]}]
        for name in ("one", "two")[: rng.choice([1, 2])]:
            self.named.append(name)
            lines += self.block("[[group]]", name=name, **sets.pop(rng.randrange(len(sets))))
        if rng.random() < 0.7:
            style = rng.choice([{"style": "force", "force": [1.0, 0.0, 0.5]}, {"style": "each",
                                                                              "force": [0.0, 0.2, 0.0]},
                                {"style": "acceleration", "acceleration": [0.1, 0.0, 0.0]},
                                {"style": "spring", "k": 5.0, "at": [1.0, 1.0, 1.0], "velocity": [0.2, 0.0, 0.0],
                                 "along": [True, False, True]}, {"style": "tow", "k": 5.0, "velocity": [0.0, 0.3, 0.0]},
                                {"style": "couple", "k": 4.0, "r0": 1.0, "other": self.named[-1]}])
            if style["style"] != "couple" or len(self.named) == 2:
                lines += self.block("[[pull]]", group="one", **style)
                self.pulled = True
        if rng.random() < 0.3 and len(self.named) == 2 and "barostat" not in self.has:
            lines += self.block("[[hold]]", group="two", velocity=rng.choice([None, [0.1, 0.0, 0.0]]))
        return lines

    def schedule(self):
        """Numbers that change."""
        rng, deck, lines = self.rng, self.deck, []
        if "schedule" not in self.has:
            return []
        first = deck.pairs["**"]
        keys = [("run.temperature", deck.temperature)]
        if first["a"] > 0.0:
            keys.append(("interaction.0.a", first["a"]))
        if "sigma" not in first and first["gamma"] > 0.0:
            keys.append(("interaction.0.gamma", first["gamma"]))
        if "shear" in self.has:
            keys.append(("shear.rate", 0.3 * min(1.0, 12.0 / max(deck.size))))
        for key, value in rng.sample(keys, rng.randint(1, len(keys))):
            steps = sorted(rng.sample(range(deck.steps), 3))
            lines += self.block("[[schedule]]", key=key, style=rng.choice([None, "jumps"]), steps=steps,
                                values=[round(value * factor, 4) for factor in rng.sample([1.0, 0.9, 0.7, 0.5], 3)])
        return lines

    def walls(self):
        """A slab's or tube's or ball's solid."""
        rng, deck = self.rng, self.deck
        if "walls" not in self.has:
            return []
        axis = rng.choice("xyz".replace(self.along, "") if self.along else "xyz")  # what flows needs a way through
        edge = deck.size["xyz".index(axis)]
        middle = [0.5 * length for length in deck.size]
        shapes = [({"style": "slab", "axis": axis, "from": 1.1, "to": round(edge - 1.1, 2)}, "not s")]
        shapes.append(({"style": "sphere", "center": middle, "radius": round(0.22 * min(deck.size), 2)}, "s"))
        shapes.append(({"style": "cylinder", "axis": self.along or axis, "center": middle,
                        "radius": round(0.42 * min(deck.size), 2)}, "not s"))
        style, solid = rng.choice(shapes)
        bounces = rng.random() < 0.6
        return self.block("[[shape]]", name="s", **style) + self.block(
            "[[wall]]", name="solid", solid=solid, style=None if bounces else "bounce-forward",
            friction=rng.choice([0.0, 0.5]) if bounces else None,
            surface_friction=rng.choice([None, 0.5, 0.0]) if bounces else None,
            method="effective" if rng.random() < 0.03 else None)

    def cells(self):
        """One or two cells and what they are made of: (population, mechanics)."""
        rng, deck = self.rng, self.deck
        if "cells" not in self.has:
            return [], []
        mesh = rng.choice(["red-cell", "sphere"])
        diameter = rng.choice([4.0, 4.6]) if mesh == "red-cell" else 3.0
        center = [round(rng.uniform(0.0, edge), 2) for edge in deck.size]
        population = self.block("[[population]]", name="cells", kind="membrane", species="M", mesh=mesh,
                                vertices=rng.choice([42, 162]) if mesh == "sphere" else 162, diameter=diameter,
                                centers=center,
                                normals=rng.choice([None, [1, 0, 0], [0.3, 0.5, 1.0]]),
                                concentration=0.5 if "transport" in self.has else None)
        side = rng.choice([None, None, "C"]) if deck.cutoff >= 1.3 else None
        mechanics = self.block("[[membrane]]", population="cells", shear_modulus=rng.choice([10.0, 50.0]),
                               bending_modulus=rng.choice([1.0, 4.0]), friction=rng.choice([None, 2.0]),
                               area_volume=rng.choice([None, "lagged", "extrapolated"]),
                               table_every=rng.choice([0, 5, 12]), inside=side,
                               outside=deck.species[0] if side else None, check_every=20 if side else None)
        return population, mechanics

    def stiff(self):
        """Angles and dihedrals of chains."""
        rng, lines = self.rng, []
        if "stiff" not in self.has:
            return []
        for chain in self.deck.chains:
            if len(chain["blocks"]) >= 3:
                lines += self.block("[[angle]]", population=chain["name"], style=rng.choice(["cosine",
                                                                                            "cosine-squared"]), k=2.0)
            if len(chain["blocks"]) >= 4 and rng.random() < 0.5:
                lines += self.block("[[dihedral]]", population=chain["name"], k=0.2, n=rng.choice([None, 2]))
        return lines

    def tracers(self):
        if "tracers" not in self.has:
            return []
        return self.block("[[population]]", name="dye", kind="tracers", count=self.rng.choice([50, 300]), diffusion=0.3,
                          velocity=self.rng.choice([None, [0.5, 0.0, -1.0]]))

    def measures(self):
        """Up to three, each of a style of its own."""
        rng, deck, lines = self.rng, self.deck, []
        styles = [style for style in MEASURES if style != "chains" or deck.chains]
        moved = {"shear", "walls", "inflow", "flow_rate", "frozen", "thermostat"}
        changing = self.has & {"barostat", "deformation"}
        if self.has & moved or deck.drives or not all(deck.periodic):
            styles = [style for style in styles if style not in ("viscosity", "structure-factor", "correlation")]
        # a fluid in equilibrium that nothing pulls
        if changing or deck.drifts or self.has & {"schedule", "groups"}:
            styles = [style for style in styles if style != "viscosity"]
        if "shear" in self.has:
            styles = [style for style in styles if style not in ("msd", "vacf", "chains", "clusters")]
        most = math.floor((35.0 if changing else 50.0) * min(deck.size)) / 100.0
        middle, quarter = [0.5 * edge for edge in deck.size], max(1, deck.steps // 40)
        quantities = ["density", "velocity", "temperature"] + (["concentration"] if "transport" in self.has else [])
        some = rng.sample(quantities, rng.randint(1, len(quantities)))
        for style in rng.sample(styles, min(len(styles), rng.choice([0, 1, 2, 3]))):
            values = {
                "rdf": {"r_max": min(1.5, deck.cutoff), "every": quarter, "between": ["*", "*"]},
                "msd": {"every": 1, "keep_drift": rng.choice([None, True]),
                        "molecules": True if deck.chains and rng.random() < 0.5 else None},
                "vacf": {"every": 1},
                "viscosity": {"every": 1, "share": 1.0, "to": round(0.2 * self.time(), 6)},
                "correlation": {"columns": ["temperature", "pressure"], "every": 1},
                "structure-factor": {"every": quarter, "n_max": 3},
                "chains": {"r_max": 8.0, "every": quarter},
                "clusters": {"cutoff": 0.4, "every": quarter},
                "columns": {"columns": ["temperature", "pressure", "kinetic_energy"], "every": 1},
                "field": {"cells": [rng.choice([1, 3]), 2, 4], "quantities": rng.choice([some, ["density", "stress"]]),
                          "every": quarter},
                "cylinder": {"axis": rng.choice("xyz"), "center": middle, "radius": min(2.0, most), "bins": 5,
                             "every": quarter,
                             "quantities": some},
                "sphere": {"center": middle, "radius": min(2.0, most), "bins": 5, "every": quarter, "quantities": some}
            }[style]
            lines += self.block("[[measure]]", style=style, name="m_" + style.replace("-", "_"),
                                start=rng.choice([None, deck.steps // 5]), **values)
        return lines

    def columns(self):
        """Columns of the table that the features have."""
        names = sorted(self.has) + (["pulls"] if self.pulled else [])
        return [column for name in names for column in COLUMNS_OF.get(name, [])]
