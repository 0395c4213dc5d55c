"""Holds the tree against its own .clang-format, as Debian's clang-format of version 14 reads it, and against lines of
code longer than LONGEST characters. Without that program the test is skipped, but not in CI. First it must find what is
wrong in a few lines of its own.

To put right what is not formatted: clang-format-14 -i FILE.
"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from shutil import which

ROOT = Path(os.environ.get("MESOWARP_SOURCE_DIR", Path(__file__).resolve().parents[2]))
LONGEST = 120
FORMATTER = "clang-format-14"
FORMATTED = (".cpp", ".hpp", ".c")
CODE = FORMATTED + (".py", ".cmake", ".toml", ".sh")
FOLDERS = ["python", "src", "comm", "io", "input", "physics", "perf", "tests", "examples", "scripts", "cmake", ".ci"]
NOT_OURS = {"__pycache__", "build"}
SKIPPED = 77  # tests/CMakeLists.txt: SKIP_RETURN_CODE
FILES_A_CALL = 40


def is_code(path):
    return path.suffix in CODE or path.name == "CMakeLists.txt" or (
        not path.suffix and path.parent.name in ("scripts", ".ci"))


def code_files():
    found = [path for path in ROOT.iterdir() if path.is_file() and is_code(path)]
    for top in FOLDERS:
        for folder, below, names in os.walk(ROOT / top):
            below[:] = [name for name in below if name not in NOT_OURS and not name.startswith(".")]
            found += [Path(folder) / name for name in names if is_code(Path(folder) / name)]
    return sorted(found)


def long_lines(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if len(line) > LONGEST:
            yield f"{path.relative_to(ROOT)}:{number}: {len(line)} characters in a line, at most {LONGEST}"


def unformatted(paths, style):
    """The first place of each file that clang-format would change."""
    errors = {}
    for first in range(0, len(paths), FILES_A_CALL):
        result = subprocess.run([FORMATTER, "--dry-run", f"--style=file:{style}", *paths[first:first + FILES_A_CALL]],
                                capture_output=True, text=True)
        if result.returncode != 0:
            sys.exit(f"{FORMATTER} failed: {result.stderr}")
        for line in result.stderr.splitlines():
            if "[-Wclang-format-violations]" in line:
                name, number = line.split(":")[:2]
                errors.setdefault(name, f"{Path(name).relative_to(ROOT)}:{number}: not formatted by .clang-format")
    return list(errors.values())


def own_errors(style):
    """What this test does not find in files that it makes, or finds where nothing is wrong."""
    global ROOT
    real = ROOT
    with tempfile.TemporaryDirectory() as folder:
        ROOT = Path(folder).resolve()
        texts = {"good.cpp": "int f(int a) { return a; }\n", "bad.cpp": "int  f( int a ){return a;}\n",
                 "order.hpp": '#include "b.hpp"\n#include "a.hpp"\n', "fits.py": "µ" * LONGEST + "\n",
                 "long.py": "x" * (LONGEST + 1) + "\n"}
        for name, text in texts.items():
            (ROOT / name).write_text(text, encoding="utf-8")
        long = {path.name for path in code_files() if list(long_lines(path))}
        if long != {"long.py"}:
            yield f"this test takes {sorted(long)} for too long, not long.py alone"
        if style:
            bad = {error.split(":")[0] for error in unformatted(
                [ROOT / name for name in texts if "py" not in name], style)}
            if bad != {"bad.cpp", "order.hpp"}:
                yield f"this test takes {sorted(bad)} for unformatted, not bad.cpp and order.hpp"
    ROOT = real


def main():
    there = which(FORMATTER) is not None
    style = ROOT / ".clang-format" if there else None
    errors = list(own_errors(style))
    files = code_files()
    errors += [error for path in files for error in long_lines(path)]
    if there:
        errors += unformatted([path for path in files if path.suffix in FORMATTED], style)
    elif os.environ.get("CI") == "true":
        errors.append(f"{FORMATTER} is missing: scripts/install-dependencies installs it")
    print(*errors, sep="\n")
    print(f"{len(files)} files of code, {len(errors)} not as they should be")
    if errors:
        return 1
    if not there:
        print(f"not looked at: the format, since {FORMATTER} is missing")
    return 0 if there else SKIPPED


if __name__ == "__main__":
    sys.exit(main())
