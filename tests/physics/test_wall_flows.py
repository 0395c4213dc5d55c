"""Flows between walls of frozen particles: no slip, the fluid's own density up to the surface, stresses that balance.
Tolerances as in test_fluids.py."""
import csv
import math
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "shared"))
from physics import PhysicsTest, block_average  # noqa: E402
from program import SOURCE, mesowarp  # noqa: E402
