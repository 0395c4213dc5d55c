# Shared by the scripts of this folder; source it, do not run it.
# shellcheck shell=bash

mesowarp_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
mesowarp_cache=${MESOWARP_CACHE:-${HOME:-/root}/.cache/mesowarp}

say() {
  if [ -t 2 ]; then printf "\033[1m==>\033[0m %s\n" "$*" >&2; else printf "==> %s\n" "$*" >&2; fi
}
die() { printf 'error: %s\n' "$*" >&2; exit 1; }

# Runs a command as root: directly when we are root, else through sudo.
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif command -v sudo >/dev/null; then sudo "$@"
  else die "this needs root, and sudo is not installed; run as root: $*"
  fi
}

jobs_default() { nproc 2>/dev/null || echo 2; }

# Prints a python3 that has numpy and h5py; the system's comes first, since a pyenv or conda python ahead of it in
# PATH seldom has them.
find_python() {
  local candidate
  for candidate in "${MESOWARP_PYTHON:-}" /usr/bin/python3 "$(command -v python3 || true)"; do
    if [ -n "$candidate" ] && "$candidate" -c 'import numpy, h5py' 2>/dev/null; then
      printf '%s\n' "$candidate"
      return 0
    fi
  done
  return 1
}

# Open MPI: may run as root and with more ranks than cores; quiet in containers, which often forbid the single-copy
# mechanism (process_vm_readv) and have no network device.
mpi_environment() {
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none
  export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_btl_base_warn_component_unused=0
  export OMPI_MCA_mpi_yield_when_idle=1
  # Open MPI 5 reads these instead.
  export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_hwloc_default_binding_policy=none
}

# build_mesowarp PRESET TARGET [cmake arguments]: packages, Kokkos and mesowarp, each only as far as it is missing.
build_mesowarp() {
  local preset=$1 target=$2
  shift 2
  "$mesowarp_root/scripts/install-dependencies"
  if [ -z "${Kokkos_ROOT:-}" ]; then
    "$mesowarp_root/scripts/build-kokkos" >/dev/null
  fi
  (
    cd "$mesowarp_root"
    say "configuring (preset $preset)"
    cmake --preset "$preset" "$@" >&2
    say "building"
    cmake --build --preset "$preset" --target "$target" -j "${MESOWARP_JOBS:-$(jobs_default)}" >&2
  )
}
