"""Reads the #include lines and holds them against the order of folders, in which each may include those before it
that ALLOWED names, and against circles. Methods under physics/ never include each other, and nothing outside a method's
folder names it, but the tables; input and io reach no Kokkos, not even through another header; memory is copied and
filled as bytes, in one source; no folder has more than MOST_FILES files. First it makes a small tree of its own, in
which it must find what is wrong.
"""
import os
import re
import sys
import tempfile
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
FOLDERS = {
    f"src/{layer}": layer
    for layer in ("core", "device", "grid", "kernels", "state", "step", "start", "run", "app")
}
FOLDERS |= {"input": "input", "comm": "comm", "io": "io", "physics": "physics", "perf/bench": "bench"}
# Folders under physics that are no methods: forces and walls, which methods put together.
SHARED_PHYSICS = {"pair", "bonded", "boundary", "integrate", "observables", "topology", "transport", "membrane",
                  "group"}
WITHOUT_KOKKOS = {"input", "io"}
# The files that name all methods, and what in code (comments aside) names one. A folder under physics that is not in
# SHARED_PHYSICS must be here.
TABLES = {"physics/methods.cpp", "physics/method_blocks.cpp"}
NAMES = {
    "fluid": r'"(fluid|polymer)"|\bfluid::|\bFluid[A-Z]\w*|\baddFluid\b',
    "nbody": r'"(bodies|gravity|lj-coulomb|plummer|leapfrog|hermite|hermite-block)"|\bnbody::|\bHostBodies\b'
             r'|\bBody(Blocks|Method|Population|Phase|Force|Integrator|State|Keys)\b|\baddBodies\b',
    "mpcd": r'"(srd|andersen)"|\bmpcd::|\b(Mpcd|Solvent|Collision)[A-Z]\w*|\baddSolvent\b',
    "tracers": r'"tracers?\b|\btracers::|\bTracer[A-Z]\w*|\baddTracers\b',
}
ANY_METHOD = r"\bmethodOf\b|\bMethod::|\bPopulationKind\b"  # questions which method a deck is
# Where files are counted, besides FOLDERS; what builds and interpreters leave behind does not count.
COUNTED = ["src", "comm", "io", "input", "physics", "perf", "tests", "docs", "examples", "scripts", "cmake"]
NOT_COUNTED = {"__pycache__", "build"}
SOURCES = (".hpp", ".cpp")


def layer_of(path):
    relative = path.relative_to(ROOT).as_posix()
    return next((layer for folder, layer in FOLDERS.items() if relative.startswith(folder + "/")), None)


def method_of(path):
    parts = path.relative_to(ROOT).parts
    return parts[1] if parts[0] == "physics" and len(parts) > 2 and parts[1] not in SHARED_PHYSICS else None


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
    shared = layer == "physics" and not method and path.relative_to(ROOT).as_posix() not in TABLES
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
        elif shared and method_of(target):
            yield where + "what methods share may not include a method"
    if layer in WITHOUT_KOKKOS:
        if way := way_to_kokkos(path, set()):
            yield f"{path.relative_to(ROOT)}: {layer} may not include Kokkos, but does: " + " -> ".join(way)


def circles(files):
    """Groups of files each of which includes every other of its group, be it through others: Tarjan's algorithm."""
    arrows = {path: [target for _, _, target in includes(path) if target in files] for path in files}
    number, lowest, stack, found = {}, {}, [], []
    for start in files:
        todo = [(start, iter(arrows[start]))] if start not in number else []
        while todo:
            path, rest = todo[-1]
            if path not in number:
                number[path] = lowest[path] = len(number)
                stack.append(path)
            for target in rest:
                if target not in number:
                    todo.append((target, iter(arrows[target])))
                    break
                if target in stack:
                    lowest[path] = min(lowest[path], number[target])
            else:
                todo.pop()
                if todo:
                    lowest[todo[-1][0]] = min(lowest[todo[-1][0]], lowest[path])
                if lowest[path] == number[path]:
                    group = stack[stack.index(path):]
                    del stack[-len(group):]
                    if len(group) > 1 or path in arrows[path]:
                        found.append(sorted(file.relative_to(ROOT).as_posix() for file in group))
    return found


def full_folders():
    for top in COUNTED:
        for folder, below, names in os.walk(ROOT / top):
            below[:] = [name for name in below if name not in NOT_COUNTED and not name.startswith(".")]
            count = sum(not name.startswith(".") for name in names)
            if count > MOST_FILES:
                yield f"{Path(folder).relative_to(ROOT)}: {count} files in one folder, at most {MOST_FILES}"


# What Kokkos compiles anew for each type, in each source or kernel, stands in one place each: loops of its copies (926
# kernels), reductions of many numbers (100 KB of a GPU's machine code a kernel; perf/log/builds.md).
IN_ONE_PLACE = [("Kokkos::deep_copy", ["src/device/memory", "perf"], "src/device/memory/bytes.hpp"),
                ("SumReducer", ["src/device"], "src/device/launch/sum_over.hpp")]


def out_of_place(path):
    for what, homes, instead in IN_ONE_PLACE:
        if not any(path.is_relative_to(ROOT / home) for home in homes):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if what in line:
                    yield f"{path.relative_to(ROOT)}:{number}: {what}; see {instead}"


def errors_of_tree():
    files = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in SOURCES)
    tests = sorted(path for path in (ROOT / "tests").rglob("*") if path.suffix in SOURCES)
    errors = [error for path in files for error in errors_of(path)]
    errors += [error for path in files for error in named_methods(path)]
    errors += [error for path in files for error in out_of_place(path)]
    errors += ["a circle: " + ", ".join(group) for group in circles(files + tests)]
    return len(files + tests), errors + list(full_folders())


# A tree of files with what they include (behind "= ": a line of code), and what must be found in it: parts of the
# messages.
MADE_UP = [
    ({"src/core/a.hpp": [], "src/device/b.hpp": ["core/a.hpp"], "src/device/c.cpp": ["device/b.hpp"]}, []),
    ({"src/core/a.hpp": ["device/b.hpp"], "src/device/b.hpp": []}, ["core may not include device"]),
    ({"physics/nbody/a.hpp": ["physics/other/b.hpp"], "physics/other/b.hpp": []}, ["methods never include each other"]),
    ({"physics/nbody/a.hpp": ["physics/pair/b.hpp"], "physics/pair/b.hpp": []}, []),
    ({"physics/pair/a.hpp": ["physics/other/b.hpp"], "physics/other/b.hpp": []}, ["may not include a method"]),
    ({"src/run/a.hpp": ["app/b.hpp"], "src/app/b.hpp": []}, ["nothing includes src/app"]),
    ({"io/a.cpp": ["core/b.hpp"], "src/core/b.hpp": ["Kokkos_Core.hpp"]}, ["io may not include Kokkos"]),
    ({"src/core/a.hpp": ["core/b.hpp"], "src/core/b.hpp": ["core/c.hpp"], "src/core/c.hpp": ["core/a.hpp"],
      "src/core/d.hpp": ["core/a.hpp"]}, ["a circle: src/core/a.hpp, src/core/b.hpp, src/core/c.hpp"]),
    ({"src/core/a.hpp": ["a.hpp"]}, ["a circle: src/core/a.hpp"]),
    ({"comm/a.hpp": ["comm/b.hpp"], "comm/b.hpp": ["comm/c.hpp"], "comm/c.hpp": ["comm/b.hpp"],
      "tests/x/d.hpp": ["e.hpp"], "tests/x/e.hpp": ["d.hpp"]},
     ["a circle: comm/b.hpp, comm/c.hpp", "a circle: tests/x/d.hpp, tests/x/e.hpp"]),
    ({"physics/methods.cpp": ["physics/nbody/a.hpp"], "physics/nbody/a.hpp": ["= nbody::start();"]}, []),
    ({"src/run/a.cpp": ["physics/nbody/a.hpp"], "physics/nbody/a.hpp": []}, ["names the method nbody"]),
    ({"input/a.cpp": ['= if (kind == "polymer") return;', "= // of the kind \"bodies\""],
      "physics/fluid/b.cpp": ["= HostBodies all;"]},
     ["names the method fluid", "names the method nbody"]),
    ({"src/state/a.hpp": ["= Kokkos::deep_copy(to, from);"], "src/device/memory/b.cpp": ["= Kokkos::deep_copy(a, b);"]},
     ["src/state/a.hpp:1: Kokkos::deep_copy"]),
    ({"physics/pair/a.hpp": ["= SumReducer<Sums>(sums);"], "src/device/b.hpp": ["= class SumReducer {"]},
     ["physics/pair/a.hpp:1: SumReducer"]),
    ({"io/a.cpp": ["= if (methodOf(deck) == Method::bodies) return;"]}, ["asks which method"]),
    ({f"tests/x/{number}.py": [] for number in range(MOST_FILES + 1)}, [f"tests/x: {MOST_FILES + 1} files"]),
    ({f"tests/x/{number}.py": [] for number in range(MOST_FILES)}, []),
    ({f"tests/x/__pycache__/{number}.pyc": [] for number in range(MOST_FILES + 1)}, []),
]


def own_errors():
    """What this test does not find in the made-up trees, or finds where nothing is wrong."""
    global ROOT
    real = ROOT
    for files, expected in MADE_UP:
        with tempfile.TemporaryDirectory() as folder:
            ROOT = Path(folder).resolve()
            for name, lines in files.items():
                path = ROOT / name
                path.parent.mkdir(parents=True, exist_ok=True)
                text = [line[2:] if line.startswith("= ") else f'#include "{line}"' for line in lines]
                path.write_text("".join(line + "\n" for line in text), encoding="utf-8")
            _, errors = errors_of_tree()
        if len(errors) != len(expected) or any(part not in error for part, error in zip(expected, errors)):
            yield f"this test, in a tree of {sorted(files)[:3]}: found {errors}, should have found {expected}"
    ROOT = real


def main():
    own = list(own_errors())
    count, errors = errors_of_tree()
    for folder in sorted(path for path in (ROOT / "physics").iterdir() if path.is_dir()):
        if folder.name not in SHARED_PHYSICS | set(NAMES):
            errors.append(f"physics/{folder.name}: neither in SHARED_PHYSICS nor in NAMES of this test")
    print(*own, *errors, sep="\n")
    print(f"{count} files, {len(errors)} breaches of the include rule")
    return 1 if own or errors else 0


if __name__ == "__main__":
    sys.exit(main())
