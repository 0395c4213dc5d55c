"""Opens the files of example runs with one of MDAnalysis, OVITO, VTK: open_files.py VIEWER DIRECTORY...

Run by test_opened.py in the environment of scripts/viewers. Each directory has expected.npz beside the files: steps,
times, positions, unwrapped positions, images and velocities, as far as the trajectory has them, and the box. Prints
what was opened.
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


def vtk_bonds(folder, expected):
    """Bonds as lines, whole across the faces of the box."""
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXdmf2 import vtkXdmfReader
    reader = vtkXdmfReader()
    reader.SetFileName(str(folder / "trajectory-bonds.xmf"))
    reader.UpdateInformation()
    for k, moment in enumerate(expected["time"]):
        reader.UpdateTimeStep(moment)
        grid = reader.GetOutputDataObject(0)
        compare(f"unwrapped places of frame {k}", vtk_to_numpy(grid.GetPoints().GetData()), expected["unwrapped"][k])
        compare("number of bonds", grid.GetNumberOfCells(), len(expected["bonds"]))
        lines = vtk_to_numpy(grid.GetCells().GetConnectivityArray()).reshape(-1, 2)
        compare("bonds", lines, expected["bonds"])


def vtk(folder, expected):
    """XDMF, by ParaView's reader."""
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXdmf2 import vtkXdmfReader
    reader = vtkXdmfReader()
    reader.SetFileName(str(folder / "trajectory.xmf"))
    reader.UpdateInformation()
    times = reader.GetOutputInformation(0).Get(reader.GetExecutive().TIME_STEPS())
    compare("times", times, expected["time"])
    for k, moment in enumerate(times):
        reader.UpdateTimeStep(moment)
        grid = reader.GetOutputDataObject(0)
        compare(f"positions of frame {k}", vtk_to_numpy(grid.GetPoints().GetData()), expected["position"][k])
        for field in ("velocity", "image"):
            if field in expected:
                compare(f"{field} of frame {k}", vtk_to_numpy(grid.GetPointData().GetArray(field)), expected[field][k])


    if "bonds" in expected:
        vtk_bonds(folder, expected)
    for key in expected:
        if key.endswith("/spacing"):
            vtk_grid(folder, key.removesuffix("/spacing"), expected)


def vtk_grid(folder, name, expected):
    """A field on a grid, or the distance to walls."""
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXdmf2 import vtkXdmfReader
    reader = vtkXdmfReader()
    reader.SetFileName(str(folder / f"{name}.xmf"))
    reader.UpdateInformation()
    times = reader.GetOutputInformation(0).Get(reader.GetExecutive().TIME_STEPS()) or (0.0,)
    if f"{name}/time" in expected:
        compare(f"{name}: times", times, expected[f"{name}/time"])
    for k, moment in enumerate(times):
        reader.UpdateTimeStep(moment)
        grid = reader.GetOutputDataObject(0)
        compare(f"{name}: spacing", grid.GetSpacing(), expected[f"{name}/spacing"])
        if f"{name}/distance" in expected:
            compare(f"{name}: distance", vtk_to_numpy(grid.GetPointData().GetArray("distance")),
                    expected[f"{name}/distance"].ravel())
            continue
        shape = expected[f"{name}/count"].shape[1:]
        compare(f"{name}: cells", grid.GetDimensions(), np.array(shape[::-1]) + 1)
        for key, values in expected.items():
            quantity = key.removeprefix(f"{name}/")
            if quantity != key and values.ndim >= 4:
                found = vtk_to_numpy(grid.GetCellData().GetArray(quantity))
                block = values[k].reshape(np.prod(shape), -1)
                if block.shape[1] == 6:  # VTK makes nine of a symmetric tensor
                    block = block[:, [0, 1, 2, 1, 3, 4, 2, 4, 5]]
                compare(f"{name}: {quantity} of block {k}", found.reshape(block.shape), block)


def main():
    viewer = {"mdanalysis": mdanalysis, "ovito": ovito, "vtk": vtk}[sys.argv[1]]
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
