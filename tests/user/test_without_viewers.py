"""Where MDAnalysis, OVITO and VTK are not, as without a network, the tests that need them are skipped, and say so: they
neither fail nor pass."""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
SCRIPTS = sorted(path for path in TESTS.glob("*/test_*.py")
                 if "viewers_python()" in path.read_text(encoding="utf-8") and path != Path(__file__).resolve())
ASK = "import sys; sys.path.insert(0, sys.argv[1]); from viewers import viewers_python; print(viewers_python())"


class WithoutViewers(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.home = Path(temporary.name)
        self.environment = {key: value for key, value in os.environ.items() if key != "MESOWARP_VIEWERS"}
        self.environment |= {"MESOWARP_CACHE": str(self.home), "MESOWARP_SAMPLE_WRITER": sys.executable}

    def run_python(self, *arguments, **environment):
        return subprocess.run([sys.executable, *arguments], env={**self.environment, **environment}, cwd=self.home,
                              capture_output=True, text=True, check=False, timeout=60)

    def assert_skipped(self, done):
        self.assertEqual(done.returncode, 77, done.stdout + done.stderr)
        self.assertIn("SKIPPED", done.stdout)
        self.assertIn("scripts/viewers", done.stdout)
        self.assertNotIn("Traceback", done.stderr)

    def test_each_script_is_skipped(self):
        self.assertGreaterEqual(len(SCRIPTS), 4)
        for script in SCRIPTS:
            with self.subTest(script=script.name):
                self.assert_skipped(self.run_python(script))

    def test_what_was_not_installed_to_the_end(self):
        python = self.home / "viewers/bin/python"
        python.parent.mkdir(parents=True)
        python.symlink_to(sys.executable)
        ask = ("-c", ASK, TESTS / "shared")
        self.assert_skipped(self.run_python(*ask))
        self.assert_skipped(self.run_python(*ask, MESOWARP_VIEWERS=str(self.home / "nowhere")))
        (self.home / "viewers/requirements.complete").touch()
        done = self.run_python(*ask)
        self.assertEqual((done.returncode, done.stdout.strip()), (0, str(python)), done.stderr)

    def test_without_a_network(self):
        """scripts/viewers fails, and leaves nothing that looks whole."""
        offline = {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull}  # pip asks nobody
        done = subprocess.run([TESTS.parent / "scripts/viewers"], env={**self.environment, **offline}, check=False,
                              capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertFalse((self.home / "viewers/requirements.complete").exists())
        self.assert_skipped(self.run_python("-c", ASK, TESTS / "shared"))

    def test_ctest_takes_that_for_a_skip(self):
        """All Python tests, as CMake registers them."""
        text = (TESTS / "CMakeLists.txt").read_text(encoding="utf-8")
        added = text.index("add_test(NAME ${name} COMMAND ${MESOWARP_PYTHON}")
        properties = re.search(r"set_tests_properties\(\$\{name\} PROPERTIES [^)]*\)", text[added:])[0]
        self.assertIn("SKIP_RETURN_CODE 77", properties)


if __name__ == "__main__":
    unittest.main()
