"""The version is the program's: that of project() in ../CMakeLists.txt."""
import re
from pathlib import Path

from setuptools import setup

here = Path(__file__).resolve().parent
if (here.parent / "CMakeLists.txt").exists():
    version = re.search(r"VERSION (\d+\.\d+\.\d+)", (here.parent / "CMakeLists.txt").read_text(encoding="utf-8"))[1]
else:  # a source distribution
    version = re.search(r"^Version: (.*)$", (here / "PKG-INFO").read_text(encoding="utf-8"), re.M)[1]
setup(version=version)
