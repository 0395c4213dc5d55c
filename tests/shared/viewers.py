"""The Python of the environment that scripts/viewers makes, with MDAnalysis, OVITO and VTK; and what to do without
it."""
import os
import sys
from pathlib import Path

SKIPPED = 77  # CMake's SKIP_RETURN_CODE: ctest's summary lists the test among those that did not run


def viewers_home():
    """Where the environment is, or would be."""
    cache = Path(os.environ.get("MESOWARP_CACHE") or Path.home() / ".cache" / "mesowarp")
    return Path(os.environ.get("MESOWARP_VIEWERS") or cache / "viewers")


def viewers_python():
    """The interpreter; ends the test as skipped where there is none."""
    home = viewers_home()
    python = home / "bin" / "python"
    if python.exists() and (os.environ.get("MESOWARP_VIEWERS") or (home / "requirements.complete").exists()):
        return python
    print(
        f"SKIPPED: no MDAnalysis, OVITO and VTK in {home}: scripts/viewers installs them from PyPI; without a network, "
        "name an environment that has them with MESOWARP_VIEWERS", flush=True)
    sys.exit(SKIPPED)
