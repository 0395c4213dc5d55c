"""What every example writes, killed and resumed on the way (test_examples.py), opened by MDAnalysis, OVITO, VTK and,
where its pvpython is installed, ParaView: every number of every frame is the one in trajectory.h5, and every number of
a surface, a field or of the distance to walls that of its file. Skipped where scripts/viewers could not install them.
"""
import os
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from examples import DECKS, KEPT  # noqa: E402
from viewers import viewers_python  # noqa: E402


def both_ways(path):
    """Of each part of a dataset in an XDMF file XDMF 2 is told by the items within, and XDMF 3 by the text before."""
    for item in ElementTree.parse(path).iter("DataItem"):
        within = item.findall("DataItem")
        outer = "HyperSlab" in (item.get("Type"), item.get("ItemType"))
        if item.get("ItemType") or not item.get("Format") or outer != (len(within) == 2 and not item.get("Function")):
            sys.exit(f"FAILED: {path}: XDMF 3 cannot open {item.attrib}")
        if outer:
            choice, whole = within
            dataset, part = item.text.strip().split("|")
            *chosen, shape = (words.split() for words in part.split(":"))
            if (dataset, sum(chosen, []), shape) != (whole.text, choice.text.split(), whole.get("Dimensions").split()):
                sys.exit(f"FAILED: {path}: {item.text} for XDMF 3, {choice.text} of {whole.text} for XDMF 2")


def note_expected(output):
    """Writes the frames' numbers into expected.npz, for open_files.py."""
    with h5py.File(output / "trajectory.h5") as file:
        group = file["particles/all"]
        expected = {
            field: group[f"{field}/value"][()].astype(float)
            for field in ("position", "velocity", "image") if field in group
        }
        time, edges = group["position/time"], group["box/edges"]
        frames = len(expected["position"])
        expected["time"] = time[()] if time.shape else time.attrs.get("offset", 0.0) + time[()] * np.arange(frames)
        fixed = isinstance(edges, h5py.Dataset)
        expected["box"] = np.array(np.tile(edges[()], (frames, 1)) if fixed else edges["value"][()], dtype=float)
        expected["unwrapped"] = expected["position"] + expected.get("image", 0) * expected["box"][:, None]
        if "image" in expected and "slide" in group["box"]:  # a sheared box: each image across it lies displaced
            crossed = expected["image"][..., b"xyz".index(group["box/slide"].attrs["gradient"])]
            expected["unwrapped"] += crossed[..., None] * group["box/slide/value"][()][:, None]
    for xdmf in output.glob("*.xmf"):  # fields on grids, and walls
        both_ways(xdmf)
        if xdmf.stem == "trajectory-bonds":
            with h5py.File(output / "trajectory.h5") as file:
                expected["bonds"] = file["connectivity/bonds"][()]
            continue
        with h5py.File(xdmf.with_suffix(".h5")) as file:
            groups = [part for part in file.values() if isinstance(part, h5py.Group) and "triangles" in part]
            if len(groups) == 1:
                expected |= {f"surfaces/{name}": groups[0][name][()] for name in ("time", "position", "triangles")}
            if "spacing" in file:
                expected |= {f"{xdmf.stem}/{name}": file[name][()] for name in file}
    np.savez(output / "expected.npz", **expected)


def main():
    python = viewers_python()
    if KEPT is None:
        sys.exit("MESOWARP_KEPT_EXAMPLES: the folder in which test_examples.py has left what it made")
    outputs = [KEPT / name for name in DECKS]
    for output in outputs:
        note_expected(output)
    # One process each: VTK, OVITO and h5py bring libraries of their own that need not agree in one.
    codes = [
        subprocess.run([python, Path(__file__).with_name("open_files.py"), viewer, *outputs], check=False,
                       env={**os.environ, "QT_QPA_PLATFORM": "offscreen"}).returncode
        for viewer in ("mdanalysis", "ovito", "vtk")
    ]
    if pvpython := shutil.which("pvpython"):
        codes.append(subprocess.run([pvpython, Path(__file__).with_name("open_files.py"), "paraview", *outputs],
                                    check=False).returncode)
    else:
        print("paraview: there is no pvpython here (Debian's package python3-paraview)", flush=True)
    if any(codes):
        return 1
    shutil.rmtree(KEPT)  # half a GB
    return 0


if __name__ == "__main__":
    sys.exit(main())
