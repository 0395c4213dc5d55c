"""Random decks that begin from files: a checkpoint, a trajectory or a LAMMPS data file, of a run of its own.

Deck `x.toml` has beside it `x.start`, the deck of the run that makes its file, and the file is in the folder `x.files`
once prepare() has run that. Some have `x.again` as well: a run that begins from the first's, and makes the deck's file.
"""
import subprocess

FILES = ["checkpoint-20.h5", "trajectory.h5", "last.data"]


def first_populations(lines, rng, block):
    """Adds them; (names and blocks of chains, whether there is a fluid)."""
    chains = []
    for name in ("one", "two")[: rng.choice([1, 1, 2])]:
        blocks = rng.choice(["AB", "AABB", "ABAB", "AAAAAAB", "BABBB"])
        chains.append((name, blocks))
        lines += block("[[population]]", name=name, kind="polymer", blocks=blocks, count=rng.choice([20, 40]),
                       bond_length=0.5, velocity=rng.choice([None, [0.1, 0.0, -0.1]]))
    fluid = rng.random() < 0.5
    if fluid:
        lines += block("[[population]]", name="drops", species="W", count=rng.choice([100, 233]))
    return chains, fluid


def forces(rng, block):
    """Between all of them, and between some."""
    lines = block("[[interaction]]", between="*", a=25.0, gamma=4.5)
    if rng.random() < 0.5:
        lines += block("[[interaction]]", between=["A", "B"], a=35.0, gamma=2.0)
    return lines


def choose_file(rng, bonds):
    """A trajectory does not tell the types of its bonds."""
    return rng.choice([file for file in FILES if file != "trajectory.h5" or len(bonds) == 1])


def bond_lines(population, file, bonds, block):
    """Of a population from a file."""
    return sum((block("[[bond]]", population=population, type=None if file == "trajectory.h5" else number, **bond)
                for number, bond in enumerate(bonds, 1)), [])


def file_lines(rng, steps, reproducibility, block):
    """Lines of a deck, of the first run's and, or none, of another between them; {folder} is where their file is."""
    size = [rng.choice([9.0, 10.5]), rng.choice([5.0, 5.5]), 5.0]
    periodic = [True, True, rng.random() < 0.75]
    rng.shuffle(size)
    first = block("[run]", steps=20, timestep=0.01, seed=rng.randrange(1_000_000), reproducibility=reproducibility,
                  precision=rng.choice(["single", "mixed", "double"])) + block("[box]", size=size, periodic=periodic)
    walls = [] if all(periodic) else block("[[boundary]]", face="z", style=rng.choice(["bounce-back",
                                                                                      "bounce-forward"]))
    chains, fluid = first_populations(first, rng, block)
    first += walls + forces(rng, block)
    bonds = [{"k": rng.choice([40.0, 80.0]), "r0": rng.choice([0.4, 0.5])} for _ in chains]
    for (name, _), bond in zip(chains, bonds):
        first += block("[[bond]]", population=name, **bond)
    stiff = rng.random() < 0.4 and all(len(blocks) > 2 for _, blocks in chains)
    if stiff:
        for name, _ in chains:
            first += block("[[angle]]", population=name, style="cosine", k=2.0)
    first += block("[[output]]", format="trajectory", every=10,
                   fields=rng.choice([None, ["position", "image", "velocity", "species"]]),
                   precision=rng.choice([None, "double"])) + block("[[output]]", format="checkpoint", every=20)
    file = choose_file(rng, bonds)
    species = []  # in the order of the first deck
    for letter in "".join(blocks for _, blocks in chains) + ("W" if fluid else ""):
        if letter not in species:
            species.append(letter)

    lines = block("[run]", steps=rng.randint(*steps), timestep=0.01, seed=rng.randrange(1_000_000),
                  reproducibility=reproducibility, precision=rng.choice(["single", "mixed", "double"]))
    lines += block("[box]", size=size, periodic=periodic)
    begun = block("[[population]]", name="begun", kind="polymer", initial="file", file=f"{{folder}}/{file}",
                  types=species)
    again = []
    if rng.random() < 0.4:
        again = block("[run]", steps=20, timestep=0.01, seed=rng.randrange(1_000_000), reproducibility=reproducibility,
                      precision=rng.choice(["single", "mixed", "double"]))
        again += block("[box]", size=size, periodic=periodic) + walls
        old = choose_file(rng, bonds)
        again += block("[[population]]", name="old", kind="polymer", initial="file", file=f"{{folder}}/{old}",
                       types=species) + forces(rng, block) + bond_lines("old", old, bonds, block)
        if stiff:
            again += block("[[angle]]", population="old", style="cosine", k=2.0)
        if rng.random() < 0.5:
            again += block("[[group]]", name="all", populations=["old"])
            again += block("[[pull]]", group="all", style="acceleration", acceleration=[0.1, 0.0, 0.0])
        again += block("[[output]]", format="trajectory", every=10) + block("[[output]]", format="checkpoint", every=20)
    others = []
    if rng.random() < 0.6:
        others.append(block("[[population]]", name="water", species="V", density=rng.choice([0.5, 1.5])))
    if rng.random() < 0.4:
        others.append(block("[[population]]", name="more", kind="polymer", blocks="AAB", count=30, bond_length=0.5))
    blocks = [begun, *others]
    rng.shuffle(blocks)
    lines += walls + sum(blocks, []) + forces(rng, block)
    lines += bond_lines("begun", file, bonds, block)
    if any('name = "more"' in other for other in others):
        lines += block("[[bond]]", population="more", k=50.0, r0=0.5)
    if stiff:
        lines += block("[[angle]]", population="begun", style="cosine", k=2.0)
    columns = ["temperature", "pressure", "potential_energy"]
    if rng.random() < 0.6:
        whose = rng.choice([{"populations": ["begun"]}, {"species": [species[0]]}, {"particles": "0:60:3"},
                            {"molecules": "1:5"}])
        lines += block("[[group]]", name="some", **whose)
        if rng.random() < 0.5:
            lines += block("[[pull]]", group="some", style="force", force=[1.0, 0.0, 0.5])
        columns.append("groups")
    if rng.random() < 0.3 and periodic[2]:
        lines += block("[[thermostat]]", style="langevin", friction=1.0, species=[species[0]])
    for style in rng.sample(["msd", "chains", "rdf", "clusters"], rng.choice([0, 1, 2])):
        lines += block("[[measure]]", style=style, name="m_" + style, every=4,
                       **{"msd": {"molecules": rng.choice([None, True])}, "chains": {"r_max": 6.0},
                          "rdf": {"r_max": 1.0}, "clusters": {"cutoff": 0.5}}[style])
    lines += block("[[output]]", format="table", every=rng.choice([1, 5]), columns=columns)
    if rng.random() < 0.5:
        lines += block("[[output]]", format="trajectory", every=rng.choice([5, 20]))
    return lines + block("[[output]]", format="checkpoint", every=rng.choice([0, 7, 20])), first, again


def prepare(deck, words, timeout=600.0):
    """Makes the file of a deck that has such a one; words: what stands before `run`."""
    again, folder = deck.with_suffix(".again"), deck.with_suffix(".files")
    if not deck.with_suffix(".start").exists() or folder.exists():
        return
    runs = [(deck.with_suffix(".start"), folder)]
    if again.exists():
        runs = [(runs[0][0], deck.with_suffix(".first")), (again, folder)]
    for begun, output in runs:
        for command in (["run", begun, "--output", output, "--quiet"],
                        ["convert", output / "trajectory.h5", output / "last.data"]):
            done = subprocess.run([*words, *map(str, command)], capture_output=True, text=True, check=False,
                                  timeout=timeout)
            if done.returncode:
                raise RuntimeError(f"{begun}: {done.stdout}{done.stderr}")
