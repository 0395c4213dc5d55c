"""docs/gallery.md: its script draws every picture of the page, here of short runs, and each is of the deck and the kind
that the page says."""
import re
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from program import PROGRAM, SOURCE, ProgramTest  # noqa: E402

PAGE = SOURCE / "docs/gallery.md"


class Gallery(ProgramTest):
    def test_the_script_draws_what_the_page_shows(self):
        done = subprocess.run([sys.executable, SOURCE / "docs/gallery/draw.py", "--program", PROGRAM, "--steps", "20",
                               "--work", self.home / "work", "--output", self.home / "pictures"], capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        rows = re.findall(r"^\| !\[[^\]]+\]\(gallery/(\w+)\.png\) \| (.*) \|$", PAGE.read_text(encoding="utf-8"), re.M)
        self.assertGreater(len(rows), 7)
        drawn = {path.stem for path in (self.home / "pictures").glob("*.png")}
        self.assertEqual(drawn, {name for name, _ in rows})
        self.assertEqual(drawn, {path.stem for path in (SOURCE / "docs/gallery").glob("*.png")})
        sys.path.insert(0, str(SOURCE / "docs/gallery"))
        from draw import PICTURES
        from matplotlib.image import imread
        for name, words in rows:
            deck, wanted, values = PICTURES[name]
            said = f"mesowarp new {Path(deck).stem}" if deck.startswith("new/") else f"examples/{deck}"
            self.assertIn(f"`{said}`", words)
            self.assertIn(f"`{wanted}.png`", words)
            for key, value in values.items():
                self.assertIn(str(value).removesuffix(".0"), words, key)
            self.assertGreater(imread(self.home / f"pictures/{name}.png")[:, :, :3].std(), 0.03, f"{name} is blank")
            self.assertLess((SOURCE / f"docs/gallery/{name}.png").stat().st_size, 150_000)


if __name__ == "__main__":
    unittest.main()
