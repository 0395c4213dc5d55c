"""docs/coming-from.md: each block it shows, put into the deck that its first line names in place of what is called the
same there, passes mesowarp check. And what it shows differs from that deck, so that it says something."""
import re
import sys
import tomllib
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from program import SOURCE, ProgramTest, mesowarp  # noqa: E402

sys.path.insert(0, str(SOURCE / "python"))
from mesowarp import write_toml  # noqa: E402

PAGE = SOURCE / "docs/coming-from.md"


class ComingFrom(ProgramTest):
    def test_every_block_passes_the_check(self):
        blocks = re.findall(r"^```(\w*)\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)
        self.assertGreater(len(blocks), 15)
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
        words = PAGE.read_text(encoding="utf-8").split("## Not here yet")[1]
        for feature, block in (("groups", "[[group]]"), ("constant pressure", "[barostat]"), ("rigid", "[[rigid]]")):
            self.assertEqual(feature in words, f"## {block}" not in schema, feature)


if __name__ == "__main__":
    unittest.main()
