"""docs/coming-from.md and -flows.md: each block they show, put into the deck that its first line names in place of what
is called the same there, passes mesowarp check. And what they say is not here yet is not."""
import re
import shutil
import sys
import tomllib
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
sys.path.insert(0, str(Path(__file__).parent))
import data_chains  # noqa: E402
from program import SOURCE, ProgramTest, mesowarp  # noqa: E402

sys.path.insert(0, str(SOURCE / "python"))
from mesowarp import write_toml  # noqa: E402

PAGES = [(SOURCE / f"docs/{name}.md").read_text(encoding="utf-8") for name in ("coming-from", "coming-from-flows")]


class ComingFrom(ProgramTest):
    def setUp(self):
        """The files that blocks name."""
        super().setUp()
        data_chains.start(self.home / "start.data")
        shutil.copy(SOURCE / "examples/narrowing.stl", self.home)
        rows = (f"{r} {25 * (1 - r) ** 2 / 2} {25 * (1 - r)}\n" for r in (k / 50 for k in range(1, 51)))
        (self.home / "pair.table").write_text("".join(rows), encoding="utf-8")

    def test_every_block_passes_the_check(self):
        blocks = [block for page in PAGES for block in re.findall(r"^```(\w*)\n(.*?)^```", page, re.M | re.S)]
        self.assertGreater(len(blocks), 35)
        for language, text in blocks:
            self.assertEqual(language, "toml")
            named = re.match(r"# in ([a-z-]+\.toml)\n", text)
            self.assertTrue(named, text)
            with self.subTest(text):
                base = tomllib.loads((SOURCE / "examples/new" / named[1]).read_text(encoding="utf-8"))
                shown = tomllib.loads(text)
                deck = {**base, **shown}
                if "flow_rate" in shown:  # "in place of a [[drive]]"
                    deck.pop("drive")
                done = mesowarp("check", self.deck(write_toml(deck)))
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_what_is_not_here_yet_is_not(self):
        """The page's last list goes when the features come."""
        schema = mesowarp("reference").stdout
        words = PAGES[0].split("## Not here yet")[1]
        for feature, block in (("constant pressure", "[barostat]"), ("rigid", "[[rigid]]")):
            self.assertEqual(feature in words, f"## {block}" not in schema, feature)
        self.assertIn("groups in a sheared box", words)
        base = tomllib.loads((SOURCE / "examples/new/shear.toml").read_text(encoding="utf-8"))
        done = mesowarp("check", self.deck(write_toml({**base, "group": [{"name": "g", "species": ["W"]}]})))
        self.assertIn("groups do not go with [shear] yet", done.stderr)

    def test_it_names_every_block(self):
        """But those that no other program has."""
        own = {"concentration", "wall_concentration", "electrostatics", "nbody", "sums", "neighbor"}
        blocks = set(re.findall(r"^## \[+(\w+)\]+", mesowarp("reference").stdout, re.M))
        self.assertIn("barostat", blocks)
        shown = set(re.findall(r"^\[+(\w+)\]+", "\n".join(PAGES), re.M))
        self.assertEqual(blocks - shown - own, set())


if __name__ == "__main__":
    unittest.main()
