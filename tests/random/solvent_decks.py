"""Random decks of a multiparticle collision solvent: rules, species, walls, chains in it, drives, measures."""


def solvent_lines(rng, sizes, steps, reproducibility, block):
    """The lines of one deck; block() writes one block."""
    steps, count = rng.randint(*steps), rng.randint(*sizes)
    density = rng.choice([3.0, 5.0, 10.0] if count > 5000 else [2.0, 3.0])
    edge = max(5, round((count / density) ** (1.0 / 3.0)))
    size = [float(max(5, edge + rng.choice([-1, 0, 0, 2]))) for _ in range(3)]
    walls, embedded = rng.random() < 0.3, rng.random() < 0.4
    longest = rng.randrange(3)  # four ranks fit: what neighbours share is up to 7 long
    size[longest] = max(size[longest], 29.0)
    style = rng.choice(["srd", "andersen"])
    thermostat = rng.choice([None, "maxwell-boltzmann"]) if style == "srd" else None
    turns = (thermostat or style == "andersen") and rng.random() < 0.4
    timestep = 0.005 if embedded else rng.choice([0.02, 0.05])
    lines = block("[run]", steps=steps, timestep=timestep, seed=rng.randrange(1_000_000),
                  reproducibility=reproducibility, precision=rng.choice(["single", "mixed", "double"]))
    lines += block("[box]", size=size)
    axis = rng.choice("xyz")
    if walls:
        high = size["xyz".index(axis)] - rng.choice([1.0, 1.3])
        middle = [0.5 * length for length in size]
        shape, solid = rng.choice([({"style": "slab", "axis": axis, "from": rng.choice([1.0, 1.4]), "to": high},
                                    "not s"), ({"style": "sphere", "center": middle, "radius": 1.6}, "s")])
        lines += block("[[shape]]", name="s", **shape)
        lines += block("[[wall]]", name="solid", solid=solid, style=rng.choice([None, "bounce-forward"]))
    if embedded:
        lines += block("[[population]]", name="chains", kind="polymer", blocks=rng.choice(["AAAAA", "ABABAB"]),
                       count=rng.choice([2, 6]), mass=rng.choice([1.0, 5.0]), bond_length=0.9)
        lines += block("[[interaction]]", between="*", a=rng.choice([0.0, 10.0]), gamma=0.0)
        lines += block("[[bond]]", population="chains", k=50.0, r0=0.9)
    lines += block("[[population]]", name="solvent", kind="mpcd", density=density, mass=rng.choice([None, 0.5]))
    for k in range(rng.choice([0, 0, 0, 1, 1, 2])):
        lines += block("[[population]]", name=f"other{k}", kind="mpcd", density=rng.choice([0.3, 1.0, 2.0]),
                       mass=rng.choice([None, 0.7, 2.0, 5.0]))
    lines += block("[collision]", style=style, angle=rng.choice([90.0, 130.0]) if style == "srd" else None,
                   every=rng.choice([5, 12]) if embedded else rng.choice([None, 2 if timestep < 0.05 else None]),
                   thermostat=thermostat,
                   conserve_angular_momentum=True if turns else None, sort=rng.choice([None, 1, 7]),
                   embedded=["chains"] if embedded else None)
    if rng.random() < 0.4:
        style, across = rng.choice([(None, None), (None if embedded else "sine", None if embedded else axis)])
        lines += block("[[drive]]", style=style, acceleration=[0.02, 0.0, 0.01], across=across)
    if rng.random() < 0.6:
        lines += block("[[measure]]", name="profile", axis=axis, bins=rng.choice([4, 13]), every=rng.choice([1, 6]),
                       start=rng.choice([None, steps // 3]))
    lines += block("[[output]]", format="table", every=rng.choice([1, 5, 20]))
    if rng.random() < 0.5:
        lines += block("[[output]]", format="trajectory", every=rng.choice([5, 20, 0]))
    return lines + block("[[output]]", format="checkpoint", every=rng.choice([0, 7, 20]))
