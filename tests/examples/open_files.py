"""Opens the files of example runs with one of MDAnalysis, OVITO, VTK, ParaView: open_files.py VIEWER DIRECTORY...

Run by test_opened.py in the environment of scripts/viewers, or by ParaView's own pvpython. Each directory has
expected.npz beside the files: steps, times, positions, unwrapped positions, images and velocities, as far as the
trajectory has them, the box, surfaces and fields. Prints what was opened.
"""
import sys
from pathlib import Path

import numpy as np


def compare(where, found, expected, tolerance=2e-6):
    """Ends the program where they differ."""
    np.testing.assert_allclose(np.asarray(found, dtype=float), expected, rtol=2e-7, atol=tolerance, err_msg=where)


def mdanalysis(folder, expected):
    """H5MD."""
    import MDAnalysis
    frames, particles, _ = expected["position"].shape
    universe = MDAnalysis.Universe.empty(particles, trajectory=True, velocities="velocity" in expected)
    universe.load_new(str(folder / "trajectory.h5"), format="H5MD", convert_units=False)
    compare("frames", len(universe.trajectory), frames)
    for k, moment in enumerate(universe.trajectory):
        compare(f"time of frame {k}", moment.time, expected["time"][k])
        compare(f"positions of frame {k}", moment.positions, expected["position"][k])
        if "velocity" in expected:
            compare(f"velocities of frame {k}", moment.velocities, expected["velocity"][k])
        if expected["box"][k][0] > 0:
            compare(f"box of frame {k}", moment.dimensions[:3], expected["box"][k])


def ovito(folder, expected):
    """LAMMPS dumps and XYZ, wrapped and, where there are images, not."""
    from ovito.io import import_file
    for name in ("t.dump", "t.xyz", "--unwrapt.dump", "--unwrapt.xyz"):
        path = folder / name
        if not path.exists():
            continue
        pipeline = import_file(str(path), sort_particles=True) if path.suffix == ".dump" else import_file(str(path))
        positions = expected["unwrapped" if "unwrap" in name else "position"]
        compare(f"{name}: frames", pipeline.source.num_frames, len(positions))
        for k, frame in enumerate(positions):
            data = pipeline.compute(k)
            particles, boxless = data.particles, data.cell is None  # bodies, whose XYZ has no lattice
            assert not (boxless and expected["box"][k][0] > 0), f"{name}: no box in frame {k}"
            cell = np.eye(3, 4) if boxless else np.array(data.cell[...])
            tilted = np.abs(cell[:, :3] - np.diag(np.diag(cell))).max() > 0.0
            positions_there = np.asarray(particles.positions[...], dtype=float)
            if tilted and "unwrap" not in name:  # of a sheared box: within the tilted one, not within the straight one
                places = np.linalg.solve(cell[:, :3], (positions_there - cell[:, 3]).T)
                assert places.min() > -1e-5 and places.max() < 1.0 + 1e-5, f"{name}: outside of the box in frame {k}"
                images = np.rint(np.linalg.solve(cell[:, :3], (positions_there - frame).T))
                positions_there = positions_there - (cell[:, :3] @ images).T
            compare(f"{name}: positions of frame {k}", positions_there, frame)
            if "velocity" in expected:
                compare(f"{name}: velocities of frame {k}", particles["Velocity"][...], expected["velocity"][k])
            if name == "t.dump" and "image" in expected and not tilted:
                compare(f"{name}: images of frame {k}", particles["Periodic Image"][...], expected["image"][k])


def numbers(array):
    """Those of an array of VTK."""
    try:
        from vtkmodules.util.numpy_support import vtk_to_numpy
    except ImportError:  # ParaView's Python
        from paraview.vtk.util.numpy_support import vtk_to_numpy
    return vtk_to_numpy(array)


def with_vtk(path):
    """Opens XDMF; returns its times and what gives the grid of one."""
    from vtkmodules.vtkIOXdmf2 import vtkXdmfReader
    reader = vtkXdmfReader()
    reader.SetFileName(str(path))
    reader.UpdateInformation()

    def grid_at(moment):
        reader.UpdateTimeStep(moment)
        return reader.GetOutputDataObject(0)

    return reader.GetOutputInformation(0).Get(reader.GetExecutive().TIME_STEPS()) or (0.0,), grid_at


def with_paraview(kind):
    """The same, by one of ParaView's own readers."""
    def opened(path):
        from paraview import servermanager, simple
        reader = simple.XDMFReader(FileNames=[str(path)]) if kind == 2 else simple.Xdmf3ReaderS(FileName=[str(path)])
        reader.UpdatePipelineInformation()

        def grid_at(moment):
            reader.UpdatePipeline(moment)
            return servermanager.Fetch(reader)

        times = reader.TimestepValues
        return (tuple(times) if hasattr(times, "__iter__") else (times,)) or (0.0,), grid_at

    return opened


def bonds(folder, expected, opened, places):
    """Bonds as lines, whole across the faces of the box where the reader knows functions."""
    times, grid_at = opened(folder / "trajectory-bonds.xmf")
    compare("times of bonds", times, expected["time"])
    for k, moment in enumerate(times):
        grid = grid_at(moment)
        compare(f"{places} places of frame {k}", numbers(grid.GetPoints().GetData()), expected[places][k])
        compare("number of bonds", grid.GetNumberOfCells(), len(expected["bonds"]))
        compare("bonds", numbers(grid.GetCells().GetConnectivityArray()).reshape(-1, 2), expected["bonds"])


def xdmf(folder, expected, opened, places="unwrapped"):
    """All that a run's XDMF files show, of every frame."""
    times, grid_at = opened(folder / "trajectory.xmf")
    compare("times", times, expected["time"])
    for k, moment in enumerate(times):
        grid = grid_at(moment)
        compare(f"positions of frame {k}", numbers(grid.GetPoints().GetData()), expected["position"][k])
        compare("vertices", grid.GetNumberOfCells(), grid.GetNumberOfPoints())
        for field in ("velocity", "image"):
            if field in expected:
                compare(f"{field} of frame {k}", numbers(grid.GetPointData().GetArray(field)), expected[field][k])
    if "bonds" in expected:
        bonds(folder, expected, opened, places)
    if "surfaces/position" in expected:
        surfaces(folder, expected, opened)
    for key in expected:
        if key.endswith("/spacing"):
            fields(folder, key.removesuffix("/spacing"), expected, opened)


def surfaces(folder, expected, opened):
    """Membranes' triangles."""
    times, grid_at = opened(folder / "surfaces.xmf")
    compare("times of surfaces", times, expected["surfaces/time"])
    for k, moment in enumerate(times):
        grid = grid_at(moment)
        compare(f"vertices of frame {k}", numbers(grid.GetPoints().GetData()), expected["surfaces/position"][k])
        triangles = numbers(grid.GetCells().GetConnectivityArray()).reshape(-1, 3)
        compare("triangles", triangles, expected["surfaces/triangles"])


def fields(folder, name, expected, opened):
    """A field on a grid, or the distance to walls."""
    times, grid_at = opened(folder / f"{name}.xmf")
    if f"{name}/time" in expected:
        compare(f"{name}: times", times, expected[f"{name}/time"])
    for k, moment in enumerate(times):
        grid = grid_at(moment)
        compare(f"{name}: spacing", grid.GetSpacing(), expected[f"{name}/spacing"])
        if f"{name}/distance" in expected:
            compare(f"{name}: distance", numbers(grid.GetPointData().GetArray("distance")),
                    expected[f"{name}/distance"].ravel())
            continue
        shape = expected[f"{name}/count"].shape[1:]
        compare(f"{name}: cells", grid.GetDimensions(), np.array(shape[::-1]) + 1)
        for key, values in expected.items():
            quantity = key.removeprefix(f"{name}/")
            if quantity != key and values.ndim >= 4:
                found = numbers(grid.GetCellData().GetArray(quantity)).reshape(np.prod(shape), -1)
                block = values[k].reshape(np.prod(shape), -1)
                if block.shape[1] == 6 and found.shape[1] == 9:  # VTK makes nine of a symmetric tensor
                    block = block[:, [0, 1, 2, 1, 3, 4, 2, 4, 5]]
                compare(f"{name}: {quantity} of block {k}", found, block)


def vtk(folder, expected):
    """XDMF, by the reader of PyPI's VTK."""
    xdmf(folder, expected, with_vtk)


def paraview(folder, expected):
    """XDMF, by both readers that ParaView offers for such a file."""
    xdmf(folder, expected, with_paraview(2))
    xdmf(folder, expected, with_paraview(3), "position")


def main():
    viewer = {"mdanalysis": mdanalysis, "ovito": ovito, "vtk": vtk, "paraview": paraview}[sys.argv[1]]
    for word in sys.argv[2:]:
        folder = Path(word)
        with np.load(folder / "expected.npz") as stored:
            expected = {key: stored[key] for key in stored.files}
        try:
            viewer(folder, expected)
        except Exception as error:
            print(f"FAILED: {sys.argv[1]}, {folder.name}: {type(error).__name__}: {error}", flush=True)
            sys.exit(1)
        frames, particles = expected["position"].shape[:2]
        print(f"{sys.argv[1]}: {folder.name}, {frames} frames of {particles} particles", flush=True)


if __name__ == "__main__":
    main()
