#!/usr/bin/env python3
"""How the temperature of a DPD fluid depends on the time step, for both integrators.

    tests/compare/temperature_bias.py [--time 400] [--mesowarp build/release/mesowarp]

Equilibrium at rho = 3, a = 25, gamma = 4.5, k_BT = 1 (Groot and Warren's fluid): velocity Verlet and Groot and Warren's
scheme with lambda = 0.65, each at dt = 0.01 to 0.06, every run over the same time. Errors are standard errors from 16
blocks. Two fits for each integrator, weighted with these errors:

    <T> - 1 = c dt^p          p is the order; left out where the bias has both signs or no order below 4 fits
    <T> - 1 = c1 dt + c2 dt^2 which part dominates

The exit code is 0 when every error is small enough to mean something (--precision-wanted) and the temperature falls
towards 1 with dt.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "shared"))
from observables import block_estimate, read_table  # noqa: E402

INTEGRATORS = {
    "velocity Verlet": 'style = "velocity-verlet"',
    "Groot-Warren, lambda = 0.65": 'style = "groot-warren"\nlambda = 0.65',
}
DECK = """\
[run]
steps = {steps}
timestep = {timestep}
seed = {seed}
precision = "{precision}"
[box]
size = [12.0, 12.0, 12.0]
[integrator]
{integrator}
[[population]]
name = "water"
species = "W"
density = 3.0
[[interaction]]
between = ["W", "W"]
a = 25.0
gamma = 4.5
[[output]]
format = "table"
every = {every}
columns = ["temperature", "pressure"]
"""
EQUILIBRATION = 20.0
SAMPLE_INTERVAL = 0.1


def measure(options, integrator, timestep):
    """Estimates of temperature and pressure of one run."""
    folder = options.work / f"{integrator.split()[0]}_{timestep:g}".replace(",", "")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    steps = round((EQUILIBRATION + options.time) / timestep)
    deck = DECK.format(
        steps=steps,
        timestep=timestep,
        seed=options.seed,
        precision=options.precision,
        integrator=INTEGRATORS[integrator],
        every=max(1, round(SAMPLE_INTERVAL / timestep)),
    )
    (folder / "deck.toml").write_text(deck, encoding="utf-8")
    command = [options.mesowarp, "run", folder / "deck.toml", "--output", folder / "output", "--quiet"]
    command += ["--threads", options.cores]
    subprocess.run([str(word) for word in command], check=True, stderr=subprocess.DEVNULL)
    table = read_table(folder / "output" / "thermo.csv", EQUILIBRATION / timestep)
    return block_estimate(table["temperature"]), block_estimate(table["pressure"])


def power_fit(timesteps, bias, errors):
    """(p, its standard error, chi^2) of bias = c dt^p, c eliminated; None where no order between 0 and 4 fits."""
    if not (np.all(bias > 0.0) or np.all(bias < 0.0)):
        return None
    orders = np.linspace(0.0, 4.0, 4001)
    misfit = np.empty_like(orders)
    for k, order in enumerate(orders):
        shape = timesteps**order / errors
        amplitude = (shape @ (bias / errors)) / (shape @ shape)
        misfit[k] = np.sum((bias / errors - amplitude * shape) ** 2)
    inside = orders[misfit <= misfit.min() + 1.0]
    if inside[0] == orders[0] or inside[-1] == orders[-1]:
        return None
    return orders[misfit.argmin()], 0.5 * (inside[-1] - inside[0]), misfit.min()


def polynomial_fit(timesteps, bias, errors):
    """Coefficients of dt and dt^2, their standard errors, and chi^2."""
    design = np.stack([timesteps, timesteps**2], axis=1) / errors[:, None]
    covariance = np.linalg.inv(design.T @ design)
    coefficients = covariance @ design.T @ (bias / errors)
    return coefficients, np.sqrt(np.diag(covariance)), np.sum((bias / errors - design @ coefficients) ** 2)


def parse_options():
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0], formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    parser.add_argument("--mesowarp", type=Path, default=Path("build/release/mesowarp"))
    parser.add_argument("--timesteps", default="0.01,0.02,0.03,0.04,0.06")
    parser.add_argument("--time", type=float, default=400.0, help="length of each run after equilibration")
    parser.add_argument("--precision", default="mixed")
    parser.add_argument("--precision-wanted", type=float, default=1e-3, help="largest standard error of a temperature")
    parser.add_argument("--cores", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", type=Path, default=Path("/tmp/mesowarp_temperature_bias"))
    return parser.parse_args()


def main():
    """Runs all, prints table and fits; 1 when the numbers mean too little or the bias does not fall."""
    options = parse_options()
    timesteps = np.array([float(word) for word in options.timesteps.split(",")])
    good = True
    print(f"{'integrator':28} {'dt':>6}  {'temperature':>19}  {'pressure':>19}", flush=True)
    for name in INTEGRATORS:
        bias, errors = [], []
        for timestep in timesteps:
            temperature, pressure = measure(options, name, float(timestep))
            bias.append(temperature.mean - 1.0)
            errors.append(temperature.error)
            print(
                f"{name:28} {timestep:6.3f}  {temperature.mean:9.5f} ± {temperature.error:.5f}"
                f"  {pressure.mean:9.4f} ± {pressure.error:.4f}",
                flush=True,
            )
        bias, errors = np.array(bias), np.array(errors)
        power = power_fit(timesteps, bias, errors)
        if power:
            print(f"{name}: <T> - 1 = c dt^p, p = {power[0]:.2f} ± {power[1]:.2f} (chi^2 {power[2]:.1f})")
        (c1, c2), (e1, e2), misfit = polynomial_fit(timesteps, bias, errors)
        print(f"{name}: <T> - 1 = ({c1:.3f} ± {e1:.3f}) dt + ({c2:.2f} ± {e2:.2f}) dt^2 (chi^2 {misfit:.1f})")
        good = good and errors.max() <= options.precision_wanted and abs(bias[0]) < abs(bias[-1])
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
