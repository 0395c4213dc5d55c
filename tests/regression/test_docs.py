"""Holds what the pages show against the program: options, decks, blocks. Paths, links and code:
tests/unit/test_docs.py."""
import re
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from program import SOURCE, ProgramTest, mesowarp  # noqa: E402

PAGES = [SOURCE / "README.md", *sorted((SOURCE / "docs").rglob("*.md")), *sorted((SOURCE / "perf").rglob("*.md"))]
USERS_PAGES = [
    page for page in PAGES
    if page.parent.name == "guide" or page.name in ("README.md", "install.md", "user-guide.md", "benchmarks.md",
                                                    "clusters.md", "measures.md", "reference.md")
]
VERBS = "run", "check", "info", "convert", "plot", "new", "completion", "reference", "bench"


def text(page):
    return page.read_text(encoding="utf-8")


class Docs(ProgramTest):
    def test_commands_have_the_options_they_are_shown_with(self):
        known = {verb: set(re.findall(r"--[a-z-]+", mesowarp(verb, "--help").stdout)) for verb in VERBS}
        for page in PAGES:
            for verb, words in re.findall(rf"mesowarp ({'|'.join(VERBS)})\b([^`\n|]*)", text(page)):
                for option in re.findall(r"(?<=\s)--[a-z-]+", words.split(" #")[0]):
                    self.assertIn(option, known[verb], f"{page.name}: mesowarp {verb} {words}")

    def test_decks_pass_the_check_without_a_warning(self):
        count = 0
        for page in USERS_PAGES:
            for deck in re.findall(r"^```toml\n(.*?)^```", text(page), re.M | re.S):
                done = mesowarp("check", self.deck(deck))
                self.assertEqual((done.returncode, done.stderr), (0, ""), f"{page.name}\n{deck}")
                count += 1
        self.assertGreaterEqual(count, 4)

    def test_the_guide_names_every_block(self):
        blocks = re.findall(r"^## (\[+\w+\]+)$", text(SOURCE / "docs/reference.md"), re.M)
        self.assertGreater(len(blocks), 10)
        table = text(SOURCE / "docs/user-guide.md").split("| block | says |")[1].split("\n\n")[0]
        for block in blocks:
            self.assertIn(f"`{block}`", table)

    def test_options_of_cmake_are_documented(self):
        options = re.findall(r"^option\((MESOWARP_\w+)", text(SOURCE / "CMakeLists.txt"), re.M)
        self.assertIn("MESOWARP_NCCL", options)
        for option in options:
            self.assertIn(f"`{option}`", text(SOURCE / "docs/install.md").replace("=OFF", ""), option)

    def test_papers_have_names_where_users_read(self):
        """'The DPD paper' says nothing to those who have not read docs/theory.md."""
        decks = sorted((SOURCE / "examples").rglob("*.toml"))
        validation = [SOURCE / "docs/validation.md", *sorted((SOURCE / "docs/validation").glob("*.md"))]
        said = {page.name: text(page) for page in USERS_PAGES + decks + validation}
        said.update({verb: mesowarp(verb, "--help").stdout for verb in VERBS})
        for name, words in said.items():
            self.assertNotRegex(words, r"(?i)(DPD|N-body|quasi-double|MPCD)\s+paper", name)
        self.assertIn("Comput. Phys. Commun. 185, 2809 (2014)",
                      text(SOURCE / "docs/theory.md").split("## References")[1])


if __name__ == "__main__":
    unittest.main()
