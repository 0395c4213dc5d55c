"""Holds what the pages name and show against the tree: paths, source files, links and their anchors, options, excerpts
of code.

A page is README.md or any *.md of docs/ and perf/. On it

- a path that begins with a folder of the tree (FOLDERS), or with one of src/ and ends as a file does, must exist; `*`
stands
  for anything. So must a source file that backticks name alone, such as `timestep.cpp`, somewhere;
- a link must lead to a file, and its anchor to a heading there;
- a name MESOWARP_… must be one of CMake's files, presets or scripts; one of OpenMP's (OMP_…) has capitals alone;
- a fenced block of code (```cpp, ```python, ```cmake, ```toml, ```bash) is an excerpt if the paragraph above it, or
else the heading,
  names a file of the tree and of that language in backticks. Its lines must occur in that file, in any order,
  whitespace aside; `…` stands for what was left out. Where several files are named, one of them must have all lines.
"""
import os
import re
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("MESOWARP_SOURCE_DIR", Path(__file__).resolve().parents[2]))
FOLDERS = ("src", "physics", "io", "input", "comm", "tests", "perf", "examples", "docs", "scripts", "cmake", "python")
BUILT_BY = ("CMakeLists.txt", "CMakePresets.json", "cmake", "scripts")  # what says which options there are
NAME = r"[\w.*-]"
FILE_END = r"\.(?:device\.)?(?:hpp|cpp|py|c|cmake|toml|md|json|png|sh)\b"
PATH = re.compile(rf"(?<![\w/.…*-])((?:{'|'.join(FOLDERS)})/(?:{NAME}+/)*(?:{NAME}*[\w*])?)")
INCLUDED = re.compile(rf"(?<![\w/.…*-])((?:[a-z_]+/)+{NAME}+{FILE_END})")  # as #include writes it: core/math.hpp
ALONE = re.compile(rf"`({NAME}+\.(?:hpp|cpp))`")
IN_COMMENT = re.compile(rf"(?<![\w/.…*-])((?:[a-z_]+/)*{NAME}+\.(?:hpp|cpp|py))\b(?!\.in)")
CODE = ("src", "physics", "io", "input", "comm", "perf")
GENERATED = {"core/version.hpp"}
FENCE = re.compile(r"^```(cpp|python|cmake|toml|bash)\n(.*?)^```", re.M | re.S)
ENDS = {"cpp": {".hpp", ".cpp", ".c"}, "python": {".py"}, "cmake": {".cmake"}, "toml": {".toml"}, "bash": {".sh", ""}}
OPTION = re.compile(r"(?:\b|(?<=-D))MESOWARP_[A-Z_]*[A-Z]\b")
OF_THREADS = re.compile(r"\bG?OMP_\w*[a-z0-9]\w*")  # what a careless replacement made of OMP_PLACES
LINK = re.compile(r"\]\(([^)\s#:]*)(?:#([^)\s]*))?\)")


class Tree:
    """The files of a source tree."""

    def __init__(self, root):
        self.root = root
        self.files = [path for folder in FOLDERS for path in (root / folder).rglob("*") if path.is_file()]
        self.files += [path for path in root.iterdir() if path.is_file()]

        self.options = set()
        for home in (root / name for name in BUILT_BY):
            for path in [home] if home.is_file() else home.rglob("*"):
                if path.is_file():
                    self.options.update(OPTION.findall(path.read_text(encoding="utf-8")))

    def pages(self):
        return [
            path for path in self.files
            if path.suffix == ".md" and path.relative_to(self.root).parts[0] in ("README.md", "docs", "perf")
        ]

    def found(self, name):
        """Files and folders of that path, from the root or from src; those of that name, if it is one alone."""
        if "/" not in name:
            return [path for path in self.files if path.match("*" + name if name.startswith("_") else name)]
        homes = [self.root, self.root / "src"]
        return [path for home in homes for path in home.glob(name.rstrip("/"))]


def without_spaces(text):
    return re.sub(r"\s+", "", text)


def wrong_paths(text, tree):
    """Paths and source files that a page names and the tree has not."""
    named = set(PATH.findall(text)) | set(ALONE.findall(text))
    known = {folder.name for folder in (tree.root / "src").glob("*") if folder.is_dir()} | {"backend"}
    named |= {name for name in INCLUDED.findall(text) if name.split("/")[0] in known}
    return sorted(name for name in named if not tree.found(name))


def anchors(text):
    """Of the headings, as the usual viewers of Markdown make them."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def wrong_names(file, tree):
    """Source files that a file's comments name and the tree has not: from the root, src, beside it, or by name."""
    comments = "\n".join(re.findall(r"//(.*)", file.read_text(encoding="utf-8")))
    for name in sorted(set(IN_COMMENT.findall(comments)) - GENERATED):
        if not (tree.found(name) or "/" in name and list(file.parent.glob(name))):
            yield name


def wrong_links(text, page):
    for target, anchor in LINK.findall(text):
        other = page.parent / target if target else page
        if not other.exists():
            yield f"links to {target}"
        elif anchor and anchor not in anchors(other.read_text(encoding="utf-8")):
            yield f"links to {target}#{anchor}"


def named_files(words, language, tree):
    """Files of the tree, in the language of a block, that words name in backticks."""
    files = [path for name in re.findall(r"`([\w./*-]*\w)`", words) for path in tree.found(name) if path.is_file()]
    return [
        path for path in files if path.suffix in ENDS[language] or path.name == "CMakeLists.txt" and language == "cmake"
    ]


def excerpts(text, tree):
    """(files, code) of every excerpt of a page."""
    for block in FENCE.finditer(text):
        above = re.sub(r"^```.*?^```", "", text[: block.start()], flags=re.M | re.S)
        paragraph = above.rstrip("\n").rsplit("\n\n", 1)[-1]
        headings = re.findall(r"^#+ .*$", above, re.M)
        language = block[1]
        files = named_files(paragraph, language,
                            tree) or (named_files(headings[-1], language, tree) if headings else [])
        if files:
            yield files, block[2]


def missing_lines(code, file):
    """Lines of an excerpt that a file has not."""
    have = without_spaces(file.read_text(encoding="utf-8"))
    pieces = {line: [without_spaces(piece) for piece in line.split("…")] for line in code.splitlines()}
    return [line for line, parts in pieces.items() if any(part not in have for part in parts)]


def wrong_excerpts(text, tree):
    for files, code in excerpts(text, tree):
        fewest = min((missing_lines(code, file) for file in files), key=len)
        if fewest:
            names = sorted({str(file.relative_to(tree.root)) for file in files})
            yield f"shows, as of {' or '.join(names)}: {fewest[0].strip()}"


def errors_of(page, tree):
    text = page.read_text(encoding="utf-8")
    yield from (f"names {name}" for name in wrong_paths(text, tree))
    yield from (f"names {option}" for option in sorted(set(OPTION.findall(text)) - tree.options))
    yield from (f"names {name}" for name in OF_THREADS.findall(text))
    yield from wrong_links(text, page)
    yield from wrong_excerpts(text, tree)


class Pages(unittest.TestCase):
    def test_what_they_name_and_show_is_there(self):
        tree = Tree(ROOT)
        pages = tree.pages()
        self.assertGreater(len(pages), 8)
        errors = [f"{page.relative_to(ROOT)} {error}" for page in pages for error in errors_of(page, tree)]
        self.assertFalse(errors, "\n" + "\n".join(errors))

    def test_each_is_read_in_ten_minutes(self):
        """Blocks of code and tables counted. What one looks things up in may be longer: the reference, the rows of what
        was measured."""
        looked_up = re.compile(r"docs/(reference|validation|validation/\w+)\.md")
        pages = [page.relative_to(ROOT).as_posix() for page in Tree(ROOT).pages()]
        pages = [page for page in pages if not page.startswith("perf/") and not looked_up.fullmatch(page)]
        self.assertGreater(len(pages), 35)
        words = {page: len((ROOT / page).read_text(encoding="utf-8").split()) for page in pages}
        self.assertEqual({page: count for page, count in words.items() if count > 2500}, {})

    def test_there_is_something_to_hold(self):
        tree = Tree(ROOT)
        texts = [page.read_text(encoding="utf-8") for page in tree.pages()]
        self.assertGreater(sum(len(set(PATH.findall(text))) for text in texts), 100)
        self.assertGreater(sum(len(list(excerpts(text, tree))) for text in texts), 2)


class Licence(unittest.TestCase):
    """BSD-3-Clause, wherever it is told."""

    WORDS = (
        "Redistribution and use in source and binary forms, with or without modification, are permitted provided that "
        "the following conditions are met:",
        "1. Redistributions of source code must retain the above copyright notice, this list of conditions and the "
        "following disclaimer.",
        "2. Redistributions in binary form must reproduce the above copyright notice, this list of conditions and the "
        "following disclaimer in the documentation and/or other materials provided with the distribution.",
        "3. Neither the name of the copyright holder nor the names of its contributors may be used to endorse or "
        "promote products derived from this software without specific prior written permission.",
        'THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS"',
    )

    def test_its_text(self):
        text = " ".join((ROOT / "LICENSE").read_text(encoding="utf-8").split())
        self.assertRegex(text, r"^BSD 3-Clause License Copyright \(c\) \d{4}, the mesowarp developers Redistribution ")
        at = [text.find(words) for words in self.WORDS]
        self.assertTrue(all(place > 0 for place in at) and at == sorted(at), at)
        self.assertTrue(text.endswith("EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE."))

    def test_others_name_it(self):
        project = (ROOT / "python/pyproject.toml").read_text(encoding="utf-8")
        self.assertIn('license = { text = "BSD-3-Clause" }', project)
        self.assertIn('authors = [{ name = "the mesowarp developers" }]', project)
        citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
        self.assertRegex(citation, r"(?m)^license: BSD-3-Clause$")
        self.assertIn("the mesowarp developers", citation)


class Comments(unittest.TestCase):
    """What concerns one file stands at its top; what it names there must exist, too."""

    def test_files_that_they_name_are_there(self):
        tree = Tree(ROOT)
        code = [path for path in tree.files if path.relative_to(ROOT).parts[0] in CODE]
        sources = [path for path in code if path.suffix in (".hpp", ".cpp")]
        self.assertGreater(len(sources), 300)
        errors = [f"{path.relative_to(ROOT)} names {name}" for path in sources for name in wrong_names(path, tree)]
        self.assertFalse(errors, "\n" + "\n".join(errors))


class Figures(unittest.TestCase):
    def test_each_is_small_shown_and_says_how_it_is_made(self):
        shown = "\n".join(page.read_text(encoding="utf-8") for page in Tree(ROOT).pages())
        made = (ROOT / "docs/figures/README.md").read_text(encoding="utf-8")
        figures = sorted(path for path in (ROOT / "docs/figures").iterdir() if path.suffix in (".png", ".svg"))
        self.assertGreater(len(figures), 4)
        for figure in figures:
            self.assertLess(figure.stat().st_size, 300_000, figure.name)
            self.assertRegex(shown, rf"!\[[^\]]+\]\([^)]*figures/{figure.name}\)")
            self.assertIn(f"`{figure.name}`", made)


class TheTestItself(unittest.TestCase):
    """A small tree with a page that is right, then wrong in one place after the other."""

    RIGHT = """# Page
The force is in `physics/pair/force.hpp`, its driver in `src/run/driver.cpp`; see [the other](other.md#what-it-is) and
core/math.hpp.
`-DMESOWARP_FAST=ON`, `OMP_PLACES=cores`.

```toml
[run]
```

In `driver.cpp`, or in `physics/pair/*.hpp`:

```cpp
double force(double r)  {  return 1.0 - r; }
void drive(…);
```
"""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = Path(folder.name)
        for name, text in {
                "physics/pair/force.hpp": "double force(double r) {\n  return 1.0 - r;\n}\nvoid drive(int steps);\n",
                "src/run/driver.cpp": "int main() {}\n",
                "src/core/math.hpp": "",
                "docs/other.md": "# What it is\n",
                "README.md": "",
                "cmake/Options.cmake": "option(MESOWARP_FAST)\n",
        }.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        self.tree, self.page = Tree(root), root / "docs/page.md"

    def errors(self, text):
        self.page.write_text(text, encoding="utf-8")
        return list(errors_of(self.page, self.tree))

    def test_a_right_page_passes(self):
        self.assertEqual(self.errors(self.RIGHT), [])

    def test_comments(self):
        file = self.page.parent.parent / "src/run/driver.cpp"
        for comment, wrong in (
            ("see core/math.hpp, force.hpp, driver.cpp, physics/pair/*.hpp", []),
            ("core/sums.hpp", ["core/sums.hpp"]),
            ("pair/force.hpp, drivers.cpp", ["drivers.cpp", "pair/force.hpp"]),
            ("made of force.cpp.in", []),
        ):
            file.write_text(f"int main() {{}}  // {comment}\n", encoding="utf-8")
            self.assertEqual(list(wrong_names(file, self.tree)), wrong)

    def test_wrong_ones_do_not(self):
        for old, new, error in (
            ("physics/pair/force.hpp", "physics/forces/force.hpp", "names physics/forces/force.hpp"),
            ("physics/pair/*.hpp", "physics/triple/*.hpp", "names physics/triple/*.hpp"),
            ("core/math.hpp", "core/maths.hpp", "names core/maths.hpp"),
            ("core/math.hpp", "backend/math.hpp", "names backend/math.hpp"),
            ("`driver.cpp`", "`drivers.cpp`", "names drivers.cpp"),
            ("MESOWARP_FAST", "MESOWARP_FASTER", "names MESOWARP_FASTER"),
            ("OMP_PLACES", "OMP_1234abcS", "names OMP_1234abcS"),
            ("other.md#", "others.md#", "links to others.md"),
            ("#what-it-is", "#what-it-was", "links to other.md#what-it-was"),
            ("1.0 - r", "2.0 - r",
             "shows, as of physics/pair/force.hpp or src/run/driver.cpp: double force(double r)  {  return 2.0 - r; }"),
            ("drive(…)", "push(…)", "shows, as of physics/pair/force.hpp or src/run/driver.cpp: void push(…);"),
        ):
            self.assertIn(old, self.RIGHT)
            self.assertIn(error, self.errors(self.RIGHT.replace(old, new, 1)))


if __name__ == "__main__":
    unittest.main()
