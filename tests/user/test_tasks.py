"""docs/tasks.md, followed to the letter: the commands of each task, as a shell runs them, and its lines of Python.
Runs are shortened by a program in their place that adds --set options; what comes out is held against what is
known, as loosely as short runs ask for."""
import os
import re
import stat
import subprocess
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from program import PROGRAM, SOURCE, ProgramTest  # noqa: E402

SHORT = {  # by the deck of `mesowarp run`
    "melt.toml": "--steps 60 --set output.1.every=30",
    "channel.toml": "--steps 2000 --set measure.channel.start=1000 --set measure.channel.window=100 "
                    "--set output.1.every=1000 --set drive.0.acceleration=[0.2,0.0,0.0]",
    "sheared.toml": "--steps 2500 --set measure.0.start=500 --set box.size=[7.0,7.0,7.0]",
    "sweep.toml": "--steps 300 --set box.size=[6.0,6.0,6.0]",
    "dpd.toml": "--steps 1500 --set box.size=[6.0,6.0,6.0] --set measure.0.start=500 --set measure.1.start=500",
}


def parts(text):
    """Commands (indented) and Python of a task, in their order."""
    pattern = re.compile(r"^```python\n(.*?)^```|((?:^    [^\n]*\n(?:\n(?=    ))?)+)", re.M | re.S)
    for found in pattern.finditer(text):
        yield ("python", found[1]) if found[1] else ("shell", re.sub(r"^    ", "", found[2], flags=re.M))


class Tasks(ProgramTest):
    def setUp(self):
        super().setUp()
        self.environment = {**os.environ, "PATH": f"{self.home}/bin:{os.environ['PATH']}", "OMP_NUM_THREADS": "1",
                            "MESOWARP_PYTHON": sys.executable, "PYTHONPATH": str(SOURCE / "python")}
        (self.home / "bin").mkdir()
        wrapper = self.home / "bin/mesowarp"
        cases = "\n".join(f'  "run {deck}") exec "{PROGRAM}" "$@" --quiet {options} ;;'
                          for deck, options in SHORT.items())
        wrapper.write_text(f'#!/bin/sh\nfor word; do shift; [ "$word" = --quiet ] || set -- "$@" "$word"; done\n'
                           f'case "$1 $2" in\n{cases}\n'
                           f'  *) exec "{PROGRAM}" "$@" ;;\nesac\n')
        wrapper.chmod(wrapper.stat().st_mode | stat.S_IXUSR)

    def follow(self, title):
        """What the Python of the task prints."""
        page = (SOURCE / "docs/tasks.md").read_text(encoding="utf-8")
        text = page.split(f"## {title}\n")[1].split("\n## ")[0]
        printed = ""
        for language, code in parts(text):
            command = [sys.executable, "-c", code] if language == "python" else ["bash", "-e", "-c", code]
            done = subprocess.run(command, cwd=self.home, env=self.environment, capture_output=True, text=True,
                                  check=False)
            self.assertEqual(done.returncode, 0, f"{code}\n{done.stdout}{done.stderr}")
            printed += done.stdout if language == "python" else ""
        return printed

    def test_every_task_of_the_page_is_followed(self):
        titles = re.findall(r"^## (.*)$", (SOURCE / "docs/tasks.md").read_text(encoding="utf-8"), re.M)
        source = Path(__file__).read_text(encoding="utf-8")
        self.assertEqual(len(titles), 5)
        for title in titles:
            self.assertIn(f'self.follow("{title}")', source)

    def test_melt(self):
        self.follow("A picture of a diblock melt")
        self.assertTrue((self.home / "melt-output/plots/frame.png").is_file())

    def test_channel(self):
        rows = np.array([line.split() for line in self.follow("A channel with its velocity profile").splitlines()],
                        dtype=float)
        self.assertTrue((self.home / "channel-output/plots/channel.png").is_file())
        z, v, error = rows.T
        self.assertEqual(len(z), 24)
        self.assertTrue(np.isfinite(error).all() and (error > 0).all())
        middle = v[np.abs(z - 3.0) < 1.0].mean()
        self.assertTrue(0.8 < middle < 4.0, v)  # 0.2 / 0.05 of the deck's 0.86, not steady yet
        self.assertLess(np.abs(v[[0, -1]]).max(), 0.35 * middle)

    def test_shear(self):
        first, second = self.follow("The viscosity of a sheared melt").splitlines()
        viscosity, error = (float(word) for word in first.removeprefix("viscosity ").split(" ± "))
        self.assertLess(error, 0.3)
        # The page's run, in a box of 10, has 3.82 +- 0.07; four short ones in a box of 7, by their seeds, 3.80 +- 0.16
        # each. The fluid without bonds: 0.85.
        self.assertTrue(3.1 < viscosity < 4.5, first)
        size, error = (float(word) for word in second.removeprefix("Rg^2 ").split(" ± "))
        self.assertTrue(0.8 < size < 3.0 and 0.0 < error < 0.3, second)

    def test_diffusion(self):
        first, *rows = self.follow("The diffusion coefficient and g(r) of a fluid").splitlines()
        value, error = (float(word) for word in first.removeprefix("D = ").split(" ± "))
        self.assertLess(error, 0.03)
        self.assertTrue(abs(value - 0.3) < 0.05 + 3 * error, value)  # Groot & Warren (1997): about 0.3
        r, g, error = np.array([line.split() for line in rows], dtype=float).T
        self.assertTrue((np.isfinite(error) & (error >= 0.0)).all())
        self.assertTrue(0.75 < r[g.argmax()] < 1.0 and 1.1 < g.max() < 1.4, g)
        self.assertLess(np.abs(g[r > 1.8] - 1.0).max(), 0.03)
        for name in ("msd", "rdf"):
            self.assertTrue((self.home / f"dpd-output/plots/{name}.png").is_file())

    def test_sweep(self):
        lines = self.follow("A sweep of five with a plot").splitlines()
        found = [re.match(r"a = (\d+): pressure ([\d.]+) ± ([\d.]+)$", line) for line in lines]
        a, pressure, error = np.array([match.groups() for match in found], dtype=float).T
        np.testing.assert_array_equal(a, [15, 20, 25, 30, 35])
        expected = 3.0 + 0.101 * a * 9.0  # Groot & Warren's equation of state, p = rho k_BT + 0.101 a rho^2
        self.assertTrue((np.abs(pressure - expected) < 0.08 * expected + 3 * error).all(), lines)
        for name in ("table", "sweep"):
            self.assertTrue((self.home / f"plots/{name}.png").is_file())


if __name__ == "__main__":
    unittest.main()
