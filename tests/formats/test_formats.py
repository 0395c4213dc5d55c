"""Opens a small trajectory with the programs people use: H5MD with MDAnalysis, LAMMPS dump and extended XYZ with OVITO,
XDMF with VTK's reader (ParaView's), and compares every number with what write_sample.cpp wrote.

MESOWARP_SAMPLE_WRITER names that program. The viewers are in an environment that scripts/viewers makes; without it the
test is skipped.
"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from viewers import viewers_python  # noqa: E402

PARTICLES, FRAMES, BOX = 20, 4, (8.25, 10.0, 12.5)


def fail(message):
    print("FAILED:", message)
    sys.exit(1)


class Expected:
    """The formulas of write_sample.cpp."""

    def __init__(self, frame):
        import numpy as np
        i, k = np.arange(PARTICLES)[:, None], np.arange(3)[None, :]
        self.position = (7 * i + 3 * k + frame) % 10 / 10.0 * np.array(BOX)
        self.velocity = i - 10.0 * k + frame / 8.0
        self.image = (i + k + frame) % 3 - 1
        self.force = 2.0 * i + k
        self.species = np.arange(PARTICLES) % 2
        self.mass = 1.0 + self.species
        self.step, self.time = 50 * frame, 0.5 * frame
        self.bonds = np.array([(j - 1, j) for j in range(PARTICLES) if j % 5 != 0])


def compare(what, actual, expected, tolerance=1e-6):
    import numpy as np
    actual = np.asarray(actual)
    if actual.shape != np.shape(expected) or not np.allclose(actual, expected, rtol=tolerance, atol=tolerance):
        fail(f"{what}: {actual} instead of {expected}")


def check_mdanalysis(path, _tolerance):
    import MDAnalysis
    universe = MDAnalysis.Universe.empty(PARTICLES, trajectory=True, velocities=True, forces=True)
    universe.load_new(str(path), format="H5MD", convert_units=False)
    compare("MDAnalysis: frames", universe.trajectory.n_frames, FRAMES)
    for frame, ts in enumerate(universe.trajectory):
        expected = Expected(frame)
        where = f"MDAnalysis, {path.name}, frame {frame}: "
        compare(where + "box", ts.dimensions, (*BOX, 90, 90, 90))
        compare(where + "time", ts.time, expected.time)
        compare(where + "step", ts.data["step"], expected.step)
        compare(where + "position", ts.positions, expected.position)  # float32 in MDAnalysis
        compare(where + "velocity", ts.velocities, expected.velocity)
        compare(where + "force", ts.forces, expected.force)


def check_h5md(path, tolerance):
    """What the H5MD 1.1 specification asks for, of which the viewers read only a part."""
    import h5py
    with h5py.File(path) as file:
        compare("H5MD version", file["h5md"].attrs["version"], (1, 1))
        creator = file["h5md/creator"].attrs["name"]
        if (creator.decode() if isinstance(creator, bytes) else creator) != "mesowarp":
            fail(f"H5MD creator is {creator}")
        group = file["particles/all"]
        compare("H5MD dimension", group["box"].attrs["dimension"], 3)
        if [str(b, "utf-8") if isinstance(b, bytes) else b for b in group["box"].attrs["boundary"]] != ["periodic"] * 3:
            fail(f"H5MD boundary is {group['box'].attrs['boundary']}")
        for element in ("box/edges", "image", "velocity", "force"):
            for name in ("step", "time"):
                if group[f"{element}/{name}"] != group[f"position/{name}"]:
                    fail(f"H5MD: {element}/{name} is not the {name} of position")
        expected = Expected(2)
        for name in ("position", "velocity", "image", "force"):
            compare(f"H5MD {name}", group[f"{name}/value"][2], getattr(expected, name), tolerance)
        for name in ("species", "mass"):
            compare(f"H5MD {name}", group[name][:], getattr(expected, name))
        compare("H5MD id", group["id"][:], range(PARTICLES))
        bonds = file["connectivity/bonds"]
        compare("H5MD bonds", bonds[:], expected.bonds)
        if file[bonds.attrs["particles_group"]] != group:
            fail("H5MD: connectivity/bonds does not refer to particles/all")


def check_ovito(path, tolerance):
    from ovito.io import import_file
    pipeline = import_file(str(path), sort_particles=True) if path.suffix == ".dump" else import_file(str(path))
    compare("OVITO: frames", pipeline.source.num_frames, FRAMES)
    for frame in range(FRAMES):
        expected, data = Expected(frame), pipeline.compute(frame)
        where = f"OVITO, {path.name}, frame {frame}: "
        compare(where + "position", data.particles.positions[...], expected.position, tolerance)
        compare(where + "velocity", data.particles["Velocity"][...], expected.velocity, tolerance)
        compare(where + "box", data.cell[:, :3].diagonal(), BOX)
        if tuple(data.cell.pbc) != (True, True, True):
            fail(where + f"periodicity {data.cell.pbc}")
        types = data.particles.particle_types
        if path.suffix == ".dump":
            compare(where + "type", types[...], expected.species + 1)
            compare(where + "id", data.particles.identifiers[...], range(1, PARTICLES + 1))
            compare(where + "image", data.particles["Periodic Image"][...], expected.image)
            compare(where + "step", data.attributes["Timestep"], expected.step)
        else:
            names = [types.type_by_id(t).name for t in types[...]]
            if names != [("water", "oil")[s] for s in expected.species]:
                fail(where + f"species {names}")
            compare(where + "time", data.attributes["Time"], expected.time)


def check_vtk(path, tolerance):
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXdmf2 import vtkXdmfReader
    reader = vtkXdmfReader()
    reader.SetFileName(str(path))
    reader.UpdateInformation()
    information = reader.GetOutputInformation(0)
    times = information.Get(reader.GetExecutive().TIME_STEPS())
    compare("VTK: times", times, [Expected(frame).time for frame in range(FRAMES)])
    for frame in (3, 0, 1, 2):
        reader.UpdateTimeStep(times[frame])
        grid, expected = reader.GetOutputDataObject(0), Expected(frame)
        where = f"VTK, {path.name}, frame {frame}: "
        compare(where + "position", vtk_to_numpy(grid.GetPoints().GetData()), expected.position, tolerance)
        compare(where + "cells", grid.GetNumberOfCells(), PARTICLES)
        arrays = grid.GetPointData()
        for name in ("velocity", "force", "image", "species", "mass"):
            compare(where + name, vtk_to_numpy(arrays.GetArray(name)), getattr(expected, name), tolerance)
        compare(where + "id", vtk_to_numpy(arrays.GetArray("id")), range(PARTICLES))


def check_vtk_bonds(path, tolerance):
    """Lines between places that images make whole; each frame has its own."""
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXdmf2 import vtkXdmfReader
    reader = vtkXdmfReader()
    reader.SetFileName(str(path))
    reader.UpdateInformation()
    for frame in (3, 0, 1, 2):
        reader.UpdateTimeStep(Expected(frame).time)
        grid, expected = reader.GetOutputDataObject(0), Expected(frame)
        where = f"VTK, {path.name}, frame {frame}: "
        compare(where + "position", vtk_to_numpy(grid.GetPoints().GetData()), expected.position + expected.image * BOX,
                max(tolerance, 1e-6))  # of what the reader computes
        compare(where + "bonds", vtk_to_numpy(grid.GetCells().GetConnectivityArray()).reshape(-1, 2), expected.bonds)
        compare(where + "species", vtk_to_numpy(grid.GetPointData().GetArray("species")), expected.species)


CHECKS = {"h5md": (check_h5md, ".h5"), "mdanalysis": (check_mdanalysis, ".h5"), "vtk": (check_vtk, ".xmf"),
          "vtk-bonds": (check_vtk_bonds, "-bonds.xmf"), "ovito": (check_ovito, ".dump"),
          "ovito-xyz": (check_ovito, ".xyz")}


def main():
    writer = os.environ.get("MESOWARP_SAMPLE_WRITER")
    if not writer:
        fail("MESOWARP_SAMPLE_WRITER does not name the program built from tests/formats/write_sample.cpp")
    python = viewers_python()
    with tempfile.TemporaryDirectory() as directory:
        if subprocess.run([writer, directory], check=False).returncode != 0:
            fail(f"{writer} failed")
        # One process each: VTK, OVITO and h5py bring libraries of their own that need not agree in one.
        results = [subprocess.run([python, __file__, check, directory], check=False,
                                  env={**os.environ, "QT_QPA_PLATFORM": "offscreen"}).returncode for check in CHECKS]
    return 0 if all(code == 0 for code in results) else 1


def run_check(name, directory):
    check, suffix = CHECKS[name]
    for base, tolerance in (("trajectory", 1e-6), ("double", 1e-14)):
        check(Path(directory) / (base + suffix), tolerance)
    print(f"{name}: {FRAMES} frames in single and double precision agree", flush=True)


if __name__ == "__main__":
    if len(sys.argv) == 3:
        run_check(*sys.argv[1:])
    else:
        sys.exit(main())
