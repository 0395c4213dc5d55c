#!/usr/bin/env python3
"""Compares mesowarp's DPD fluids with LAMMPS's, quantity by quantity, with error bars.

    perf/peers_setup.sh
    ~/.cache/mesowarp/peers/bin/python tests/compare/compare_physics.py [--quick] [--only forces,thermo,...]

It runs with the Python of the environment that peers_setup.sh makes, and takes LAMMPS from there. Groups:

    forces      conservative forces, particle by particle, on one shared configuration, in double precision
    thermo      temperature and pressure for densities 3, 4, 5, 6, 8 and a = 15, 25, 75/rho
    rdf         pair correlation function of the same runs: the bin that differs most
    diffusion   diffusion coefficient of the same runs
    gw          Groot and Warren's p = rho k_BT + alpha a rho^2, alpha near 0.101, rho = 4 to 8, a = 25
    exponents   weight functions w_R = (1 - r)^s, s = 0.25, 0.5, 2: temperature, pressure, diffusion
    melt        ten-bead chains, harmonic bonds (K = 80, r0 = 0.38): temperature, pressure, mean bond length, D
    species     two species side by side, a_AA = a_BB = 25, a_AB = 40: temperature, pressure, g_AA, g_AB

All but the forces are statistics: both programs' values carry standard errors from 16 blocks, and a difference passes
below SCALAR_TOLERANCE combined standard errors, for g(r) below CURVE_TOLERANCE in every bin (one false alarm in some
hundred full runs; the seeds are fixed, so a result stays as it is). Forces agree when no particle's differ by more
than FORCE_TOLERANCE of its own force (of a tenth of the root mean square force, where that is more: the sum of a dozen
pair forces can be near zero). alpha is compared between the programs at every density; 0.101 is its limit for high
density (LAMMPS: 0.096 at rho = 4), so both programs must come within ALPHA_TOLERANCE of it at rho = 8 only.

How sharp it is (--quick): 2% too much repulsion is 25 standard errors in the pressure, but 2 in g(r) and less than 1 in
D; the latter two only catch coarse errors.

LAMMPS's results are kept in --work and used again while its input is the same; `--reference` makes only those. The exit
code is 0 when everything passed.
"""

import sys
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

REPOSITORY = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(REPOSITORY / "tests/shared"), str(REPOSITORY / "perf")]
from comparison import comparison_parser, resolve_programs  # noqa: E402
from observables import (  # noqa: E402
    MINIMUM_COUNT,
    Estimate,
    block_estimate,
    difference_in_errors,
    diffusion,
    mean_bond_length,
    pair_correlation,
)
from programs import Case, Lammps, Mesowarp, ProgramError  # noqa: E402

SCALAR_TOLERANCE = 5.0
CURVE_TOLERANCE = 6.0
FORCE_TOLERANCE = 1e-12
ALPHA = 0.101
ALPHA_TOLERANCE = 0.002
ALPHA_DENSITY = 8
DENSITIES = (3, 4, 5, 6, 8)
EXPONENTS = (0.25, 0.5, 2.0)


@dataclass
class Row:
    """One line of the table."""

    group: str
    case: str
    quantity: str
    mine: str = ""
    other: str = ""
    deviation: float = float("nan")
    tolerance: float = float("nan")
    note: str = ""

    @property
    def passed(self):
        """Whether the deviation stays below the tolerance; not, when it is no number."""
        return bool(self.deviation <= self.tolerance)


def fluid(density, repulsion, particles, exponent=1.0):
    """A cubic box of one species."""
    edge = round((particles / density) ** (1.0 / 3.0), 6)
    suffix = "" if exponent == 1.0 else f"_s{exponent:g}"
    name = f"rho{density}_a{repulsion:.4g}{suffix}"
    return Case(name, (edge, edge, edge), (particles,), (float(repulsion),), exponent=exponent)


def matrix(options):
    """The fluids of thermo, rdf and diffusion."""
    densities = (3, 8) if options.quick else DENSITIES
    cases = {}
    for density in densities:
        for repulsion in (15.0, 25.0, 75.0 / density):
            if not options.quick or repulsion == 25.0 or density == 8:
                case = fluid(density, repulsion, options.particles)
                cases[case.name] = case
    return list(cases.values())


def slabs(name, particles, **changes):
    """Two species side by side along z."""
    half = particles // 2
    edge = round((particles / (3.0 * 2.0)) ** (1.0 / 3.0), 6)
    box = (edge, edge, 2.0 * edge)
    return Case(name, box, (half, half), (25.0, 40.0, 25.0), shared_start=True, **changes)


class Comparison:
    """Runs every case once in each program and hands out results."""

    def __init__(self, options):
        self.options = options
        cores, seed, work = options.cores, options.seed, options.work
        self.lammps = Lammps(options.peers, work, options.lammps_ranks or cores, seed)
        self.mesowarp = Mesowarp(options.mesowarp, work, cores, options.precision, seed)
        self.results = {}

    def sized(self, case):
        """The case with the run's length of this mode."""
        if self.options.quick:
            return case
        return replace(case, equilibration=3000, production=12000)

    def results_of(self, case):
        """(mesowarp's result, LAMMPS's result)."""
        if case.name not in self.results:
            print(f"running {case.name}", file=sys.stderr, flush=True)
            reference = self.lammps.run(case)
            mine = reference if self.options.reference else self.mesowarp.run(case)
            self.results[case.name] = Pair(case, mine, reference)
        return self.results[case.name]


class Pair:
    """Both programs' results of a case and what is derived from them, each computed at most once."""

    def __init__(self, case, mine, other):
        self.case, self.mine, self.other = case, mine, other

    def both(self, function):
        """The function of mesowarp's result and of LAMMPS's."""
        return function(self.mine), function(self.other)

    @cached_property
    def temperature(self):
        """Estimates of the temperature."""
        return self.both(lambda result: block_estimate(result.temperature))

    @cached_property
    def pressure(self):
        """Estimates of the pressure."""
        return self.both(lambda result: block_estimate(result.pressure))

    @cached_property
    def diffusion(self):
        """Estimates of the diffusion coefficient."""
        interval = self.case.timestep * self.case.frame_every
        return self.both(lambda result: diffusion(result.frames, interval))

    def correlation(self, first, second, stride):
        """Estimates of g(r) between two species, from every `stride`-th frame."""
        groups = self.case.members(first), self.case.members(second)
        return self.both(lambda result: pair_correlation(result.frames[::stride], self.case.box, *groups))


def show(estimate):
    """A value and its error."""
    return f"{estimate.mean:.5f} ± {estimate.error:.5f}"


def scalar_row(group, pair, quantity, estimates):
    """Row of a quantity that is one number."""
    mine, other = estimates
    deviation = float(difference_in_errors(mine, other))
    return Row(group, pair.case.name, quantity, show(mine), show(other), deviation, SCALAR_TOLERANCE)


def curve_row(group, pair, quantity, curves):
    """Row of a g(r): its most deviating bin among those with enough counts."""
    (radius, mine, mine_counts), (_, other, other_counts) = curves
    counted = np.minimum(mine_counts, other_counts) >= MINIMUM_COUNT
    deviation = np.where(counted, difference_in_errors(mine, other), 0.0)
    worst = int(np.argmax(deviation))
    values = [show(Estimate(curve.mean[worst], curve.error[worst])) for curve in (mine, other)]
    note = f"at r = {radius[worst]:.2f}, {int(counted.sum())} bins"
    return Row(group, pair.case.name, quantity, *values, float(deviation[worst]), CURVE_TOLERANCE, note)


def temperature_and_pressure(group, pair):
    """The two rows that most groups have."""
    yield scalar_row(group, pair, "temperature", pair.temperature)
    yield scalar_row(group, pair, "pressure", pair.pressure)


def thermo(comparison, case):
    """Rows of one fluid."""
    yield from temperature_and_pressure("thermo", comparison.results_of(case))


def rdf(comparison, case):
    """Rows of one fluid."""
    pair = comparison.results_of(case)
    yield curve_row("rdf", pair, "g(r)", pair.correlation(0, 0, comparison.options.stride))


def diffusing(comparison, case):
    """Rows of one fluid."""
    pair = comparison.results_of(case)
    yield scalar_row("diffusion", pair, "D", pair.diffusion)


def groot_warren(comparison, case):
    """alpha = (p - rho T) / (a rho^2) of one fluid, with the measured temperature."""
    pair = comparison.results_of(case)
    scale = case.repulsion[0] * case.density**2
    excess = pair.both(lambda result: block_estimate((result.pressure - case.density * result.temperature) / scale))
    yield scalar_row("gw", pair, "alpha", excess)
    if round(case.density) != ALPHA_DENSITY:
        return
    for name, estimate in zip(("mesowarp", "LAMMPS"), excess):
        distance = abs(float(estimate.mean) - ALPHA)
        note = "|alpha - 0.101|, absolute"
        yield Row("gw", case.name, f"alpha, {name}", show(estimate), "", distance, ALPHA_TOLERANCE, note)


def exponents(comparison, case):
    """Rows of one fluid with another weight function."""
    pair = comparison.results_of(case)
    yield from temperature_and_pressure("exponents", pair)
    yield scalar_row("exponents", pair, "D", pair.diffusion)


def species(comparison, case):
    """Rows of the two slabs."""
    pair = comparison.results_of(case)
    yield from temperature_and_pressure("species", pair)
    for first, second, label in ((0, 0, "g_AA(r)"), (0, 1, "g_AB(r)")):
        yield curve_row("species", pair, label, pair.correlation(first, second, comparison.options.stride))


def melt(comparison, case):
    """Rows of the melt."""
    pair = comparison.results_of(case)
    yield from temperature_and_pressure("melt", pair)
    lengths = pair.both(lambda result: block_estimate(mean_bond_length(result.frames, case.bonds(), case.box)))
    yield scalar_row("melt", pair, "bond length", lengths)
    yield scalar_row("melt", pair, "D", pair.diffusion)


def forces(comparison, case):
    """Row of the largest deviation of a particle's force."""
    pair = comparison.results_of(case)
    mine, other = pair.mine.forces, pair.other.forces
    size = np.linalg.norm(other, axis=1)
    typical = np.sqrt(np.mean(size**2))
    deviation = np.linalg.norm(mine - other, axis=1) / np.maximum(size, 0.1 * typical)
    worst = int(np.argmax(deviation))
    note = f"relative, id {worst + 1} of {len(size)}"
    values = [f"|F| = {np.linalg.norm(array[worst]):.9f}" for array in (mine, other)]
    yield Row("forces", case.name, "force", *values, float(deviation[worst]), FORCE_TOLERANCE, note)


def force_cases(options):
    """Shared configurations for the forces."""
    cases = []
    for density in (3, 8):
        case = fluid(density, 25.0, options.particles)
        cases.append(replace(case, name=f"forces_rho{density}", shared_start=True, forces_only=True))
    return [*cases, slabs("forces_species", options.particles, forces_only=True)]


def exponent_cases(options):
    """Fluids of the group exponents."""
    chosen = (0.5, 2.0) if options.quick else EXPONENTS
    return [fluid(3, 25.0, options.particles, exponent) for exponent in chosen]


def groot_warren_cases(options):
    """Fluids of the group gw."""
    densities = (4, 8) if options.quick else (4, 5, 6, 8)
    return [fluid(density, 25.0, options.particles) for density in densities]


GROUPS = {
    "forces": (forces, force_cases),
    "thermo": (thermo, matrix),
    "rdf": (rdf, matrix),
    "diffusion": (diffusing, matrix),
    "gw": (groot_warren, groot_warren_cases),
    "exponents": (exponents, exponent_cases),
    "melt": (melt,
             lambda options: [replace(fluid(3, 25.0, options.particles), name="melt", chain=10, shared_start=True)]),
    "species": (species, lambda options: [slabs("species_25_40", options.particles)]),
}


def rows_of(comparison, group):
    """All rows of a group; a program that fails gives a row that failed."""
    function, cases = GROUPS[group]
    for case in cases(comparison.options):
        try:
            yield from function(comparison, comparison.sized(case))
        except ProgramError as error:
            yield Row(group, case.name, "run", note=" ".join(str(error).split()))


def print_row(row):
    """One line of the table."""
    verdict = "pass" if row.passed else "FAIL"
    print(
        f"{row.group:9}  {row.case:16}  {row.quantity:15}  {row.mine:>21}  {row.other:>21}"
        f"  {row.deviation:9.3g}  {row.tolerance:7.3g}  {verdict}  {row.note}",
        flush=True,
    )


def print_head():
    """Titles of the columns."""
    print(
        f"{'group':9}  {'case':16}  {'quantity':15}  {'mesowarp':>21}  {'LAMMPS':>21}"
        f"  {'deviation':>9}  {'allowed':>7}        (deviation in standard errors, unless noted)"
    )


def parse_options():
    """Command line."""
    parser = comparison_parser(__doc__.splitlines()[0], "/tmp/mesowarp_compare_physics", "threads of mesowarp")
    parser.add_argument("--only", default=",".join(GROUPS), help="comma-separated groups")
    parser.add_argument("--quick", action="store_true", help="fewer fluids, fewer particles, shorter runs")
    parser.add_argument("--reference", action="store_true", help="run LAMMPS only, to fill --work")
    parser.add_argument("--precision", default="mixed", help="of mesowarp's runs, but for the forces (always double)")
    parser.add_argument("--lammps-ranks", type=int, default=0, help="0: --cores; 1 where other work holds the cores")
    options = parser.parse_args()
    options.only = options.only.split(",")
    unknown = [group for group in options.only if group not in GROUPS]
    if unknown:
        parser.error(f"no group {', '.join(unknown)}: choose from {', '.join(GROUPS)}")
    resolve_programs(parser, options, needs_mesowarp=not options.reference)
    options.work = options.work / ("quick" if options.quick else "full")
    options.particles = 3000 if options.quick else 4000
    options.stride = 1 if options.quick else 3
    return options


def main():
    """Runs the chosen groups; 1 when a row failed."""
    comparison = Comparison(parse_options())
    print_head()
    failed = total = 0
    for group in comparison.options.only:
        for row in rows_of(comparison, group):
            print_row(row)
            total += 1
            failed += not row.passed
    print(f"{total - failed} of {total} passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
