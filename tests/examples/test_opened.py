"""What every example writes, stopped and resumed on the way, opened by MDAnalysis, OVITO, VTK and, where its pvpython
is installed, ParaView: every number of every frame is the one in trajectory.h5, and every number of a surface, a field
or of the distance to walls that of its file. Skipped where scripts/viewers could not install them.
"""
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

import h5py
import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from examples import DECKS, shortened, with_outputs  # noqa: E402
from program import mesowarp  # noqa: E402
from viewers import viewers_python  # noqa: E402

STEPS, EVERY = 40, 10


def well(*arguments):
    """Runs the program, which must end well."""
    done = mesowarp(*arguments)
    if done.returncode != 0:
        sys.exit(f"FAILED: mesowarp {' '.join(map(str, arguments))}: {done.stderr}")


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


def run_example(name, home):
    """Half of the steps, then all of them; returns the output's folder, with the frames' numbers in expected.npz."""
    text, blocks = with_outputs(name, EVERY)
    deck, output = home / f"{name}.toml", home / name
    deck.write_text(text, encoding="utf-8")
    options = shortened(name, STEPS) + [word for block in ("checkpoint", "trajectory")
                                        for word in ("--set", f"output.{blocks[block]}.every={EVERY}")]
    well("run", deck, *options, "--steps", STEPS // 2, "--output", output, "--quiet")
    well("run", deck, *options, "--output", output, "--quiet", "--resume")
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
    for option in ([], ["--unwrap"]) if "image" in expected else ([],):
        for target in ("t.dump", "t.xyz"):
            well("convert", output / "trajectory.h5", output / ("-".join(option) + target), *option)
    return output


def main():
    python = viewers_python()
    # One process alone starts five times faster without Open MPI's daemon and network.
    os.environ.update(OMPI_MCA_ess_singleton_isolated="1", OMPI_MCA_pml="ob1", OMPI_MCA_btl="self",
                      OMPI_MCA_orte_create_session_dirs="0")
    with tempfile.TemporaryDirectory() as home:
        outputs = [run_example(name, Path(home)) for name in DECKS]
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
    return 0 if all(code == 0 for code in codes) else 1


if __name__ == "__main__":
    sys.exit(main())
