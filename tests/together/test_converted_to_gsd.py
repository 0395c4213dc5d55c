"""GSD files of what test_converted.py converts: of a group alone, of a sheared box. Written and read by gsd's own
library, with the Python of scripts/viewers; skipped without it."""
import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
sys.path.insert(0, str(Path(__file__).parent))
import test_converted as converted  # noqa: E402
from program import PROGRAM, mesowarp  # noqa: E402
from viewers import viewers_python  # noqa: E402

PYTHON = viewers_python()
READ = """
import json
import sys
import gsd.hoomd
with gsd.hoomd.open(name=sys.argv[1], mode="r") as file:
    frame = file[-1]
    kinds = {name: [of.types[kind] for kind in of.typeid]
             for name, of in (("bonds", frame.bonds), ("angles", frame.angles))}
    print(json.dumps({"frames": len(file), "box": [float(x) for x in frame.configuration.box],
                      "place": frame.particles.position.tolist(), "image": frame.particles.image.tolist(), **kinds}))
"""


class Gsd(converted.ShearedRun):
    def convert(self, trajectory, *more):
        return mesowarp("convert", trajectory, self.home / "seen.gsd", "--force", *more,
                        env={**os.environ, "MESOWARP_PYTHON": str(PYTHON)})

    def seen(self, trajectory, *more):
        """The last frame."""
        done = self.convert(trajectory, *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        read = subprocess.run([PYTHON, "-c", READ, self.home / "seen.gsd"], capture_output=True, text=True, check=False)
        self.assertEqual(read.returncode, 0, read.stderr)
        return json.loads(read.stdout)

    def test_of_a_group(self):
        self.run_well(self.deck(converted.TWO_KINDS), "--output", self.home / "out", "--quiet")
        frame = self.seen(self.home / "out/trajectory.h5")
        self.assertEqual(frame["bonds"], ["bond2", "bond2", "bond3", "bond3"] * 3)
        self.assertEqual(frame["angles"], ["angle2"] * 9)

    def test_of_a_sheared_box(self):
        for flow, gradient in ("xy", "xz", "yz"):
            path, whole, cell = self.frame(flow, gradient)
            frame = self.seen(path, "--first", 1)
            self.assertEqual(frame["frames"], 1)
            x, y, z, xy, xz, yz = frame["box"]
            edges = np.array([[x, 0.0, 0.0], [xy * y, y, 0.0], [xz * z, yz * z, z]])
            steps = edges @ np.linalg.inv(cell)
            np.testing.assert_allclose(steps, np.round(steps), atol=1e-6)
            place = np.array(frame["place"]) + edges.sum(axis=0) / 2
            fraction = place @ np.linalg.inv(edges)
            self.assertTrue((fraction > -1e-5).all() and (fraction < 1 + 1e-5).all())
            np.testing.assert_allclose(place + np.array(frame["image"]) @ edges, whole, atol=2e-5)

    def test_a_box_that_gsd_cannot_have(self):
        path, *_ = self.frame("z", "x")
        done = self.convert(path)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("extended XYZ", done.stderr)


if __name__ == "__main__":
    print(f"with {PYTHON}, {PROGRAM}")
    unittest.main()
