"""cmake --install into a folder of its own: the program runs from there, its completion and its manual page know every
option that --help shows, mesowarp plot finds the package beside it; and there is one version, wherever it is told."""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from shutil import which

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from program import PROGRAM, SOURCE, ProgramTest, mesowarp  # noqa: E402

OPTION = re.compile(r"^  (?:-\w,)?(--[a-z-]+)", re.M)


def verbs():
    return re.findall(r"^  ([a-z]+) +\S", mesowarp("--help").stdout.split("Subcommands:")[1].split("\n\n")[0], re.M)


class Installed(ProgramTest):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.prefix = Path(folder.name)
        done = subprocess.run(["cmake", "--install", Path(PROGRAM).parent, "--prefix", folder.name],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise AssertionError(done.stdout + done.stderr)
        cls.program = cls.prefix / "bin/mesowarp"

    def test_the_program_runs_from_there(self):
        done = subprocess.run([self.program, "check", self.prefix / "share/doc/mesowarp/examples/equilibrium.toml"],
                              capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_docs_and_licence_are_there(self):
        home = self.prefix / "share/doc/mesowarp"
        self.assertEqual((home / "copyright").read_text(), (SOURCE / "LICENSE").read_text())
        for name in ("README.md", "CHANGELOG.md", "docs/user-guide.md", "docs/figures/quickstart.png",
                     "examples/new/dpd.toml"):
            self.assertTrue((home / name).is_file(), name)

    def completions(self, *words):
        """What bash offers behind these words."""
        script = ('source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _mesowarp; '
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "-c", script, "bash",
                               self.prefix / "share/bash-completion/completions/mesowarp", "mesowarp", *words],
                              capture_output=True, text=True, check=False, cwd=self.home)
        self.assertEqual(done.stderr, "")
        return set(done.stdout.split())

    def test_completion_offers_what_help_shows(self):
        self.assertGreater(len(verbs()), 7)
        self.assertEqual(self.completions(""), set(verbs()) | {"--help", "-h", "--version"})
        self.assertEqual(self.completions("re"), {"reference"})
        for verb in verbs():
            options = set(OPTION.findall(mesowarp(verb, "--help").stdout))
            self.assertEqual(self.completions(verb, "--") - {"--help"}, options - {"--help"}, verb)
            self.assertIn("--help", self.completions(verb, "--he"))

    def test_completion_offers_choices_and_files(self):
        (self.home / "fluid.toml").touch()
        self.assertEqual(self.completions("run", "fl"), {"fluid.toml"})
        self.assertEqual(self.completions("convert", "x", "--format", "lammps-"), {"lammps-dump", "lammps-data"})
        self.assertEqual(self.completions("new", "mp"), {"mpcd", "mpcd-polymer", "mpcd-walls"})
        self.assertEqual(self.completions("bench", "nb"), {"nbody"})

    def test_the_manual_page_has_every_verb_and_option(self):
        page = (self.prefix / "share/man/man1/mesowarp.1").read_text().replace("\\-", "-")
        for verb in verbs():
            part = page.split(f'.SH "MESOWARP {verb}"\n')[1].split("\n.SH ")[0]
            for option in OPTION.findall(mesowarp(verb, "--help").stdout):
                self.assertRegex(part, rf"\\fB[^\n]*{option}\b", verb)
        if which("man"):
            done = subprocess.run(["man", "--warnings", "-l", self.prefix / "share/man/man1/mesowarp.1"],
                                  capture_output=True, text=True, check=False, env={**os.environ, "MANWIDTH": "80"})
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_plot_finds_its_package_beside_the_program(self):
        done = subprocess.run([self.program, "plot", self.home], capture_output=True, text=True, check=False,
                              env={**os.environ, "MESOWARP_PYTHON": sys.executable, "PYTHONPATH": ""})
        self.assertEqual(done.returncode, 2)
        self.assertIn("is not the output directory of a run", done.stderr)

    def test_without_python_it_says_what_is_missing(self):
        done = mesowarp("plot", self.home, env={**os.environ, "MESOWARP_PYTHON": "/nowhere/python3"})
        self.assertEqual(done.returncode, 2)
        self.assertIn("needs Python 3 with mesowarp, numpy, h5py, matplotlib: /nowhere/python3 does not run",
                      done.stderr)
        bare = self.home / "python3"  # as a Python would answer that lacks one
        bare.write_text("#!/bin/sh\necho matplotlib\n")
        bare.chmod(0o755)
        done = mesowarp("plot", self.home, env={**os.environ, "MESOWARP_PYTHON": str(bare)})
        self.assertEqual(done.returncode, 2)
        self.assertIn("has no matplotlib", done.stderr)

    def test_there_is_one_version(self):
        version = mesowarp("--version").stdout.split()[1]
        self.assertIn(f"VERSION {version} ", (SOURCE / "CMakeLists.txt").read_text())
        self.assertIn(f"\nversion: {version}\n", (SOURCE / "CITATION.cff").read_text())
        self.assertEqual(re.findall(r"^## (\S+)", (SOURCE / "CHANGELOG.md").read_text(), re.M)[0], version)
        done = subprocess.run([sys.executable, "setup.py", "--version"], cwd=SOURCE / "python", capture_output=True,
                              text=True, check=False)
        if "No module named 'setuptools'" not in done.stderr:
            self.assertEqual(done.stdout.split()[-1], version, done.stderr)


if __name__ == "__main__":
    unittest.main()
