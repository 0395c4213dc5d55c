"""Reads the #include lines and holds them against the order of folders, in which each may include those before it
that ALLOWED names, and against circles. Methods under physics/ never include each other, and nothing outside a method's
folder names it, but the tables; input and io reach no Kokkos, not even through another header; no folder has more than
MOST_FILES files.
"""
import os
import re
import sys
from pathlib import Path

ROOT = Path(os.environ.get("MESOWARP_SOURCE_DIR", Path(__file__).resolve().parents[2]))
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')
MOST_FILES = 25

# layer: the layers it may include besides itself; none names one below it, so there is one order
ALLOWED = {
    "core": set(),
    "device": {"core"},
    "grid": {"core", "device"},
    "kernels": {"core", "device", "grid"},
    "comm": {"core", "device", "grid"},
    "input": {"core"},
    "io": {"core", "input", "comm"},
    "state": {"core", "device", "grid", "kernels", "comm", "io"},
    "step": {"core", "device", "grid", "kernels", "comm", "io", "state"},
    "start": {"core", "device", "comm", "input", "io", "state"},
    "physics": {"core", "device", "grid", "kernels", "comm", "input", "io", "state", "step", "start"},
    "run": {"core", "device", "comm", "input", "io", "state", "step", "start", "physics"},
    "bench": {"core", "device", "grid", "kernels", "comm", "input", "io", "state", "step", "start", "physics", "run"},
    "app": {"core", "device", "comm", "input", "io", "state", "step", "start", "physics", "run", "bench"},
}
FOLDERS = {f"src/{layer}": layer for layer in ("core", "device", "grid", "kernels", "state", "step", "start", "run", "app")}
FOLDERS |= {"input": "input", "comm": "comm", "io": "io", "physics": "physics", "perf/bench": "bench"}
# Folders under physics that are no methods: forces and walls, which methods put together.
SHARED_PHYSICS = {"pair", "bonded", "boundary", "integrate", "observables"}
WITHOUT_KOKKOS = {"input", "io"}
# The files that name all methods, and what in code (comments aside) names one. A folder under physics that is not in
# SHARED_PHYSICS must be here.
TABLES = {"physics/methods.cpp", "physics/method_blocks.cpp"}
NAMES = {
    "fluid": r'"(fluid|polymer)"|\bfluid::|\bFluid[A-Z]\w*|\baddFluid\b',
    "nbody": r'"(bodies|gravity|lj-coulomb|plummer|leapfrog|langevin|hermite|hermite-block)"|\bnbody::|\bHostBodies\b'
             r'|\bBody(Blocks|Method|Population|Phase|Force|Integrator|State|Keys)\b|\baddBodies\b',
    "tracers": r'"tracers?\b|\btracers::|\bTracer[A-Z]\w*|\baddTracers\b',
}
ANY_METHOD = r"\bmethodOf\b|\bMethod::|\bPopulationKind\b"  # questions which method a deck is


def layer_of(path):
    relative = path.relative_to(ROOT).as_posix()
    return next((layer for folder, layer in FOLDERS.items() if relative.startswith(folder + "/")), None)


def method_of(path):
    parts = path.relative_to(ROOT).parts
    method = parts[1] if parts[0] == "physics" and len(parts) > 2 else None
    return None if method in SHARED_PHYSICS else method


def includes(path):
    """(line number, text, file of this tree or None) of every #include of a file."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if match := INCLUDE.match(line):
            text = match[1] or match[2]
            homes = [ROOT, ROOT / "src"] + ([path.parent] if match[1] else [])
            target = next(((home / text).resolve() for home in homes if (home / text).is_file()), None)
            yield number, text, target


def way_to_kokkos(path, seen):
    """The chain of files by which path includes Kokkos, or None."""
    seen.add(path)
    for _, text, target in includes(path):
        if text.startswith("Kokkos"):
            return [text]
        if target and target.is_relative_to(ROOT) and target not in seen:
            if rest := way_to_kokkos(target, seen):
                return [target.relative_to(ROOT).as_posix()] + rest
    return None


def named_methods(path):
    """Lines that name a method, outside its folder and the tables. Benchmarks are of methods, and may."""
    relative = path.relative_to(ROOT).as_posix()
    if relative in TABLES or layer_of(path) == "bench":
        return
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        code = line.split("//")[0]
        for method, names in NAMES.items():
            if method != method_of(path) and re.search(rf'{names}|include "physics/{method}/', code):
                yield f"{relative}:{number}: names the method {method}: {line.strip()}"
        if re.search(ANY_METHOD, code) and relative != "physics/methods.cpp":
            yield f"{relative}:{number}: asks which method: {line.strip()}"


def errors_of(path):
    layer, method = layer_of(path), method_of(path)
    for number, text, target in includes(path):
        if target is None or not target.is_relative_to(ROOT):
            continue
        where = f'{path.relative_to(ROOT)}:{number}: #include "{text}": '
        other = layer_of(target)
        if other is None:
            yield where + "src, physics, comm, io and input may not include other folders of the tree"
        elif other == "app" and layer != "app":
            yield where + "nothing includes src/app"
        elif other != layer and other not in ALLOWED[layer]:
            yield where + f"{layer} may not include {other}"
        elif method and method_of(target) not in (None, method):
            yield where + f"methods never include each other; move what {method} shares to src/core"
    if layer in WITHOUT_KOKKOS:
        if way := way_to_kokkos(path, set()):
            yield f"{path.relative_to(ROOT)}: {layer} may not include Kokkos, but does: " + " -> ".join(way)


def main():
    files = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in (".hpp", ".cpp"))
    errors = [error for path in files for error in errors_of(path)]
    errors += [error for path in files for error in named_methods(path)]
    for folder in sorted((ROOT / "physics").iterdir()):
        if folder.is_dir() and folder.name not in SHARED_PHYSICS | set(NAMES):
            errors.append(f"physics/{folder.name}: neither in SHARED_PHYSICS nor in NAMES of this test")
    print(*errors, sep="\n")
    print(f"{len(files)} files, {len(errors)} breaches of the include rule")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
