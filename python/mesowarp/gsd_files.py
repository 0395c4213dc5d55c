"""GSD, the format of HOOMD-blue: trajectories into it, and states of it as LAMMPS data, which decks begin from. Needs
the package gsd."""
import os
from pathlib import Path

import h5py
import numpy as np

from .errors import MesowarpError
from .trajectories import Trajectory


def gsd_hoomd():
    try:
        import gsd.hoomd
    except ImportError:
        raise MesowarpError("GSD files need the Python package gsd: pip install gsd") from None
    return gsd.hoomd


def chosen_frames(count, first, last, stride):
    end = last + count if last < 0 else last
    if not 0 <= first <= end < count:
        raise MesowarpError(f"frames {first} to {last} asked for; there are frames 0 to {count - 1}")
    return range(first, end + 1, stride)


TERMS = {"bond": 2, "angle": 3, "dihedral": 4}  # particles of each


def in_one_order(term):
    return min(term, term[::-1])


def kinds_in_checkpoint(path, name):
    """By a term's particles, as they are numbered in the run."""
    width = TERMS[name]
    places = 1 if width == 2 else width  # an angle's or dihedral's type also tells the place that a particle has in it
    with h5py.File(path, "r") as file:
        tags, partners, types = (np.frombuffer(file[f"arrays/{array}"][()].tobytes(), kind) for array, kind in
                                 (("tag", "<u4"), (f"{name}_partner", "<u4"), (f"{name}_type", "<i4")))
    slots = len(types) // len(tags)
    return {in_one_order((int(tags[slot // slots]), *map(int, others))): kind // places
            for slot, (kind, others) in enumerate(zip(types, partners.reshape(-1, width - 1)))
            if kind % places == 0 and others[0] != 0xFFFFFFFF}


def kinds_of(trajectory, name):
    """Names of the kinds of bonds, angles or dihedrals, and the kind of each: of a deck with several blocks of them
    from the newest checkpoint beside the trajectory, which knows."""
    terms = trajectory.terms(name)
    with h5py.File(trajectory.path, "r") as file:
        deck = file["parameters/deck"][()]
        # Of some groups alone: their numbers in the run.
        tags = file["particles/all/tag"][:] if "particles/all/tag" in file else np.arange(trajectory.particles)
    lines = (deck.decode() if isinstance(deck, bytes) else str(deck)).splitlines()
    blocks = sum(line.startswith(f"[[{name}]]") for line in lines)
    if blocks < 2:
        return [f"{name}1"], np.zeros(len(terms), dtype=int)
    checkpoints = sorted(Path(trajectory.path).parent.glob("checkpoint-*.h5"), key=lambda p: int(p.stem.split("-")[1]))
    if not checkpoints:
        raise MesowarpError(f"the deck has several [[{name}]] blocks, and only a checkpoint beside the trajectory "
                            f"tells which {name} is of which: there is none")
    kinds = kinds_in_checkpoint(checkpoints[-1], name)
    try:
        own = [kinds[in_one_order(tuple(map(int, tags[term])))] for term in terms]
    except KeyError:
        raise MesowarpError(f"{checkpoints[-1]} has other {name}s, so it is of another run") from None
    return [f"{name}{number + 1}" for number in range(blocks)], np.array(own, dtype=int)


def tilted(trajectory, number, unwrap):
    """Positions and images (None: there are none, or they are in the positions) of a frame in a box that leans as far
    as a sheared one has slid, but for whole edges, and xy, xz, yz of it, lengths."""
    box, slide, gradient = trajectory.box(number), trajectory.slide(number), trajectory.gradient
    image = trajectory.field("image", number) if trajectory.has("image") else None
    if gradient is None or unwrap and image is None:
        return trajectory.position(number, unwrap), None if unwrap else image, np.zeros(3)
    position, edges = trajectory.position(number), np.round(slide / box)
    lean = slide - edges * box
    if (slide != 0)[gradient:].any():
        raise MesowarpError(f"{trajectory.path}: its box is sheared across {'xyz'[gradient]}, and GSD boxes can lean "
                            "along x, or along y across z alone: convert to extended XYZ")
    beyond = np.where(lean != 0, np.floor((position - np.outer(position[:, gradient] / box[gradient], lean)) / box), 0)
    position -= beyond * box
    if image is not None:
        image = image + (np.outer(image[:, gradient], edges) + beyond).astype(image.dtype)
    if unwrap:
        position, image = position + image * box + np.outer(image[:, gradient], lean), None
    return position, image, np.array([lean[0], 0, 0] if gradient == 1 else [0, lean[0], lean[1]])


def write_gsd(trajectory, path, frames, unwrap=False):
    """Frames of a trajectory: species, masses, bonds, angles, dihedrals, images, velocities; molecules as the log
    particles/molecule."""
    hoomd = gsd_hoomd()
    found = {name: (terms, *kinds_of(trajectory, name)) for name in TERMS if len(terms := trajectory.terms(name))}
    with hoomd.open(name=str(path), mode="w") as out:
        for number in frames:
            box = trajectory.box(number)
            if not (box > 0).all():
                raise MesowarpError("bodies have no box, which GSD needs")
            frame = hoomd.Frame()
            frame.configuration.step = int(trajectory.steps[number])
            position, image, (xy, xz, yz) = tilted(trajectory, number, unwrap)
            frame.configuration.box = [*box, xy / box[1], xz / box[2], yz / box[2]]
            particles = frame.particles
            particles.N = trajectory.particles
            particles.position = (position - (box + [xy + xz, yz, 0]) / 2).astype(np.float32)
            particles.types, particles.typeid = trajectory.species_names, trajectory.species
            particles.mass = trajectory.mass
            if image is not None:
                particles.image = image
            if trajectory.has("velocity"):
                particles.velocity = trajectory.velocity(number)
            for name, (terms, types, kinds) in found.items():
                listed = getattr(frame, name + "s")
                listed.N, listed.group, listed.types, listed.typeid = len(terms), terms, types, kinds
            if trajectory.molecule.any():
                frame.log["particles/molecule"] = trajectory.molecule.astype(np.int64)
            out.append(frame)
    return len(frames)


def data_lines(frame):
    """A GSD frame as a LAMMPS data file."""
    box, particles = frame.configuration.box, frame.particles
    listed = {name: terms for name in TERMS if (terms := getattr(frame, name + "s")) is not None and terms.N > 0}
    if any(box[3:6]):
        raise MesowarpError("tilted (triclinic) boxes are not supported")
    types = particles.types or ["A"]
    count = particles.N
    mass = np.ones(len(types))
    typeid = particles.typeid if particles.typeid is not None else np.zeros(count, dtype=int)
    for kind, name in enumerate(types):
        each = np.unique(particles.mass[typeid == kind]) if particles.mass is not None else np.ones(1)
        if len(each) > 1:
            raise MesowarpError(f"particles of type {name} differ in mass ({each[0]:g} to {each[-1]:g}): a LAMMPS data "
                                "file has one mass a type")
        if len(each):
            mass[kind] = each[0]
    yield f"from GSD, step {frame.configuration.step}\n"
    yield f"{count} atoms\n{len(types)} atom types"
    for name, terms in listed.items():
        yield f"{terms.N} {name}s\n{len(terms.types)} {name} types"
    yield "\n" + "\n".join(f"{-edge / 2:.9g} {edge / 2:.9g} {axis}lo {axis}hi" for axis, edge in zip("xyz", box))
    yield "\nMasses\n"
    yield from (f"{kind + 1} {value:.9g} # {name}" for kind, (value, name) in enumerate(zip(mass, types)))
    from .trajectories import molecules_of
    molecule = frame.log.get("particles/molecule") if frame.log else None
    if molecule is None and "bond" in listed:
        molecule = molecules_of(np.asarray(listed["bond"].group, dtype=int), count)
    yield f"\nAtoms # {'atomic' if molecule is None else 'molecular'}\n"
    image = particles.image if particles.image is not None else np.zeros((count, 3), dtype=int)
    for i, (kind, x, n) in enumerate(zip(typeid, particles.position, image)):
        own = "" if molecule is None else f"{int(molecule[i])} "
        yield f"{i + 1} {own}{kind + 1} {x[0]:.9g} {x[1]:.9g} {x[2]:.9g} {n[0]} {n[1]} {n[2]}"
    if particles.velocity is not None:
        yield "\nVelocities\n"
        yield from (f"{i + 1} {v[0]:.9g} {v[1]:.9g} {v[2]:.9g}" for i, v in enumerate(particles.velocity))
    for name, terms in listed.items():
        yield f"\n{name.capitalize()}s\n"
        yield from (f"{number + 1} {kind + 1} " + " ".join(str(i + 1) for i in members)
                    for number, (kind, members) in enumerate(zip(terms.typeid, terms.group)))


def write_data(source, path, frame):
    with gsd_hoomd().open(name=str(source), mode="r") as file:
        number = frame + len(file) if frame < 0 else frame
        if not 0 <= number < len(file):
            raise MesowarpError(f"frame {frame} asked for; there are frames 0 to {len(file) - 1}")
        lines = list(data_lines(file[number]))
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return 1


def convert_file(options):
    """As `mesowarp convert` asks for; the file appears as a whole. Returns the number of frames."""
    source, target = Path(options.input), Path(options.output)
    if not source.is_file():
        raise MesowarpError(f"{source} is no file")
    if target.exists() and (not options.force or not target.is_file() or target.samefile(source)):
        raise MesowarpError(f"{target} is there already" + ("" if options.force else "; --force replaces it"))
    part = target.with_name(f".{target.name}.part{os.getpid()}")
    try:
        if options.format == "gsd":
            with Trajectory(source) as trajectory:
                frames = chosen_frames(len(trajectory), options.first, options.last, options.stride)
                written = write_gsd(trajectory, part, frames, options.unwrap)
        elif options.format == "lammps-data":
            written = write_data(source, part, options.last)
        else:
            raise MesowarpError("GSD is made LAMMPS data and nothing else: name the output .data")
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)
    return written
