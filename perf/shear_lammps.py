#!/usr/bin/env python3
"""Stresses of LAMMPS's `pair_style dpd` against which tests hold mesowarp's:

    shear    the viscosity with `fix deform … xy erate … remap v`: tests/compare/lammps_shear.json,
             tests/physics/test_shear.py
    modulus  the stress autocorrelation with `fix ave/correlate`: tests/compare/lammps_modulus.json,
             tests/measures/test_viscosities.py
    stretch  P_xx - P_yy with `fix deform … x erate … y erate … remap v`: tests/compare/lammps_stretch.json,
             tests/physics/test_stretched_boxes.py

    perf/peers_setup.sh
    perf/shear_lammps.py [--of shear] [--peers DIR] [--cores 2] [--steps 20000] [--work DIR]

The fluid is DPD's standard one: density 3, a = 25, gamma = 4.5, k_BT = 1, dt = 0.01.

shear: per seed, P_xy of every step is averaged over 20 blocks behind a start of a tenth; the file has the mean of the
seeds and its error. LAMMPS takes the flow off that is at rest where the box begins.

modulus: of every step, V / k_BT times the mean over the five independent shears (docs/measures.md), at the lags of
mesowarp's correlator, with means over as many steps as that has. --steps are those of a seed, in 20 blocks.

stretch: a box is started at rest, and at step 0 its edges begin to change, linearly in time, so that Newton's equations
need no force that keeps the flow up. P_xx - P_yy is averaged over windows of time; --steps has no meaning. Errors are
from the seeds.
"""
import json
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from lammps_blocks import estimate, read_options, version

DATA = Path(__file__).resolve().parent.parent / "tests/compare"
DENSITY, TIMESTEP = 3, 0.01
FLUID = """units lj
dimension 3
boundary p p p
atom_style atomic
comm_modify vel yes
newton on
region box prism 0 {x} 0 {y} 0 {z} 0 0 0
create_box 1 box
create_atoms 1 random {count} {seed} box
mass 1 1.0
pair_style dpd 1.0 1.0 {seed}7
pair_coeff 1 1 25.0 4.5 1.0
neighbor 0.3 bin
neigh_modify every 1 delay 0 check yes
velocity all create 1.0 {seed}3 mom yes rot no dist gaussian
timestep {timestep}
fix move all nve
thermo 1000
"""
FLOWING = """compute flowing all temp/deform
compute stress all pressure flowing
thermo_modify temp flowing press stress
"""
SHEAR = FLUID + """velocity all ramp vx {low} {high} y 0 {y} sum yes
fix shear all deform 1 xy erate {rate} remap v
""" + FLOWING + """run {start}
fix sums all ave/time 1 {block} {block} c_flowing c_stress[4] file {file}
run {steps}
"""
CORRELATED = FLUID + """run {start}
compute stress all pressure thermo_temp
variable a equal c_stress[1]-c_stress[2]
variable b equal c_stress[2]-c_stress[3]
variable c equal c_stress[3]-c_stress[1]
fix products all ave/correlate 1 {lags} {block} c_stress[4] c_stress[5] c_stress[6] v_a v_b v_c file {file}
fix warmth all ave/time 1 {block} {block} c_thermo_temp file {file}.temperature
run {steps}
"""
STRETCHED = FLUID + """run {start}
reset_timestep 0
variable u atom {rate_x}*(x-0.5*{x})
variable v atom {rate_y}*(y-0.5*{y})
velocity all set v_u v_v NULL sum yes
fix stretch all deform 1 x erate {rate_x} y erate {rate_y} remap v
""" + FLOWING + """fix sums all ave/time 1 {block} {block} c_flowing c_stress[1] c_stress[2] file {file}
run {steps}
"""


def lammps(options, name, text, size, seed, **values):
    """Runs it; the file that it wrote."""
    file, script = options.work / f"{name}{seed}.txt", options.work / f"in.{name}{seed}"
    script.write_text(
        text.format(x=size[0], y=size[1], z=size[2], count=round(DENSITY * np.prod(size)), seed=seed,
                    timestep=TIMESTEP, file=file, **values), encoding="utf-8")
    subprocess.run([options.peers / "bin/lmp", "-in", script, "-log", options.work / f"log.{name}{seed}"], check=True,
                   stdout=subprocess.DEVNULL)
    return file


def of_seeds(options, seeds, run):
    with ThreadPoolExecutor(options.cores) as pool:
        return list(pool.map(run, seeds))


def shear(options):
    box, rate, seeds = (8.0, 10.0, 8.0), 0.2, (1, 2, 3)

    def run(seed):
        """Temperatures and viscosities of the blocks of one run."""
        file = lammps(options, "shear", SHEAR, box, seed, low=0.0, high=rate * box[1], rate=rate,
                      start=options.steps // 10, steps=options.steps, block=options.steps // 20)
        _, temperature, pressure = np.loadtxt(file).T
        return temperature, -pressure / rate
    temperature, viscosity = np.concatenate(of_seeds(options, seeds, run), axis=1)
    return {"box": box, "rate": rate, "steps": options.steps, "seeds": seeds, "temperature": estimate(temperature),
            "viscosity": estimate(viscosity)}


def averaged(values, levels):
    """Correlations of single steps as mesowarp's correlator has them: level l of means over 2^l steps, so of a product
    of two means the triangle of lags. (lags, values along the last axis)"""
    lags, found = [], []
    for level in range(levels):
        wide = 2**level
        weights = np.array([wide - abs(k) for k in range(1 - wide, wide)]) / wide**2
        for j in range(8 if level else 0, 16):
            lags.append(j * wide)
            found.append(values[..., j * wide - wide + 1:j * wide + wide] @ weights if wide > 1 else values[..., j])
    return lags, np.moveaxis(np.array(found), 0, -1)


def modulus(options):
    box, seeds, levels, blocks = (4.0, 4.0, 4.0), (1, 2, 3, 4), 4, 20
    needed = 16 * 2**(levels - 1)

    def run(seed):
        """G(t) and temperature of the blocks of one run."""
        file = lammps(options, "modulus", CORRELATED, box, seed, start=options.steps // 10, lags=needed,
                      block=options.steps // blocks, steps=options.steps)
        rows = [line.split() for line in file.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
        products = np.array([[float(word) for word in row[3:]] for row in rows if len(row) > 2])
        products = products.reshape(-1, needed, 6)[-blocks:]  # not the first, of one step alone
        temperature = np.loadtxt(f"{file}.temperature").T[1][-blocks:]
        shears = products[..., :3].sum(axis=2) / 5.0 + products[..., 3:].sum(axis=2) / 30.0
        return np.prod(box) / temperature[:, None] * shears, temperature
    runs = of_seeds(options, seeds, run)
    lags, found = averaged(np.concatenate([g for g, _ in runs]), levels)
    found = [estimate(found[:, k]) for k in range(len(lags))]
    return {"box": box, "steps": options.steps, "seeds": seeds,
            "temperature": estimate(np.concatenate([warm for _, warm in runs])), "lags": lags,
            "modulus": {name: [one[name] for one in found] for name in ("mean", "error")}}


def stretch(options):
    box, rates, seeds, steps, block = (8.0, 14.0, 6.0), (0.25, -1.0 / 7.0), tuple(range(1, 25)), 300, 20

    def run(seed):
        file = lammps(options, "stretch", STRETCHED, box, seed, start=1000, rate_x=rates[0], rate_y=rates[1],
                      block=block, steps=steps)
        _, temperature, x, y = np.loadtxt(file).T
        return x - y, temperature, 0.5 * (x + y)
    names = ("difference", "temperature", "pressure")
    runs = dict(zip(names, np.moveaxis(np.array(of_seeds(options, seeds, run)), 1, 0)))
    record = {"box": box, "rates": rates, "steps": steps, "block": block, "seeds": seeds}
    for name in names:
        found = [estimate(of) for of in runs[name].T]
        record[name] = {key: [one[key] for one in found] for key in ("mean", "error")}
    return record


def main():
    options = read_options(__doc__, "/tmp/mesowarp_shear_lammps", 20000, {"--of": ("shear", "modulus", "stretch")})
    record = {"by": "perf/shear_lammps.py", "lammps": version(options.peers), "density": DENSITY, "timestep": TIMESTEP,
              **{"shear": shear, "modulus": modulus, "stretch": stretch}[options.of](options)}
    (DATA / f"lammps_{options.of}.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(record, indent=1))


if __name__ == "__main__":
    main()
