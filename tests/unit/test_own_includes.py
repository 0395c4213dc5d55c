"""No source needs another of its batch (cmake/MesowarpBatches.cmake): what it names with a namespace, such as
input::speciesOf, some header must declare that it includes, directly or through others. Batches hide where it is not
so, and a GPU's build, which has none, would fail. First it makes a small tree of its own, in which it must find what is
wrong.
"""
import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import test_include_rule as rule  # noqa: E402

FOLDERS = ("src", "comm", "io", "input", "physics", "perf/bench", "tests/unit", "tests/fuzz")
NAMESPACE = re.compile(r"^(?:inline )?namespace (?:mesowarp::)?([\w:]+) \{|^\}  // namespace")
USED = re.compile(r"(?<![\w:])\w+(?:::\w+)+\b")
DECLARED = re.compile(r"\b(?:struct|class|enum class|enum|using|concept)\s+(\w+)|\b(\w+)\s*[({=;\[]|\b(\w+),")


def code_of(path):
    text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.S)
    text = re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', text)
    return [line.split("//")[0] if "namespace" not in line else line for line in text.splitlines()]


def declared_in(path):
    """(namespace within mesowarp, name) of what a file may declare: rather too much than too little."""
    inside = ""
    for line in code_of(path):
        if match := NAMESPACE.match(line):
            inside = match[1] or ""
        elif inside:
            for match in DECLARED.finditer(line):
                yield inside, next(filter(None, match.groups()))


def reached(path, known):
    if path not in known:
        known[path] = {path}  # ends circles
        for _, _, target in rule.includes(path):
            if target and target.is_relative_to(rule.ROOT):
                known[path] |= {target} | reached(target, known)
    return known[path]


def missing_in(root):
    rule.ROOT = root
    files = [path for folder in FOLDERS for path in sorted((root / folder).rglob("*"))
             if path.suffix in rule.SOURCES]
    homes, known = {}, {}
    for path in files:
        if path.suffix == ".hpp":
            for name in declared_in(path):
                homes.setdefault(name, set()).add(path)
    spaces = {space for space, _ in homes}
    for path in files:
        own = set(declared_in(path))
        for number, line in enumerate(code_of(path), 1):
            for used in USED.findall(line):
                parts = used.removeprefix("mesowarp::").split("::")
                for k in range(1, len(parts)):
                    name = ("::".join(parts[:k]), parts[k])
                    if "::".join(name) in spaces or name in own or name not in homes:
                        continue
                    if not homes[name] & reached(path, known):
                        some = min(homes[name]).relative_to(root)
                        yield f"{path.relative_to(root)}:{number}: {used}: include what declares it ({some})"


def finds_what_is_wrong():
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        texts = {
            "input/a.hpp": "namespace mesowarp::input {\ndouble largest(int of);\n}  // namespace mesowarp::input\n",
            "input/b.hpp": '#include "input/a.hpp"\n',
            "physics/right.cpp": '#include "input/b.hpp"\ndouble x = input::largest(1);\n',
            "physics/wrong.cpp": "double x = input::largest(1);  // input::largest\n",
        }
        for name, text in texts.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        return [line.split(": ")[0] for line in missing_in(root)] == ["physics/wrong.cpp:1"]


def main():
    root = rule.ROOT
    if not finds_what_is_wrong():
        sys.exit("this test does not find a source that includes too little")
    if missing := list(missing_in(root)):
        sys.exit("\n".join(missing))
    print("each source includes what it names")


if __name__ == "__main__":
    main()
