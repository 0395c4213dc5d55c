"""The decks of examples/, shortened for tests: fewer steps, and every interval shorter by the same factor; some in a
smaller box or with longer steps, too."""
import os
import re
import tomllib
from pathlib import Path

from program import SOURCE

# Beside them: those of `mesowarp new`.
FOLDERS = tuple(SOURCE / folder for folder in ("examples", "examples/mpcd", "examples/chains", "examples/walls",
                                               "examples/cells", "examples/drops"))
DECKS = {path.stem: path for folder in FOLDERS for path in sorted(folder.glob("*.toml"))}
LARGE = {path.stem: path for path in sorted((SOURCE / "examples/large").glob("*.toml"))}
# What makes one small, or the fluid that its walls are cut from, which is equilibrated for 26 units of time first.
TUBE = ["box.size=[6.0,9.4,9.4]", "shape.0.center=[0.0,4.7,4.7]", "shape.0.radius=3.0",
        "measure.0.center=[0.0,4.7,4.7]", "measure.0.radius=3.0"]
SMALL = {
    "blood_tube": ["run.timestep=0.0075"],
    "tdpd_tube": TUBE,
    "large-blood": ["box.size=[16.0,8.6,10.48]"],
    "large-tdpd_poiseuille": ["box.size=[8.0,8.0,8.0]"],
    "large-tdpd_tube": TUBE
}
# What makes that fluid quicker to equilibrate, in the shape and with the steps of no run on record (same-bits).
QUICK = {
    "between_walls": ["run.timestep=0.02"],
    "blood_tube": ["box.size=[12.4,12.4,8.6]", "population.0.count=1", "population.1.density=3.0"],
    "tdpd_tube": ["run.timestep=0.012"],
    "large-tdpd_tube": ["run.timestep=0.012"]
} | {name: ["run.timestep=0.025"] for name in ("couette_walls", "flow_past_ball", "inflow", "narrowing", "tube")}
DECKS |= {f"large-{name}": path for name, path in LARGE.items()}
KEPT = Path(os.environ["MESOWARP_KEPT_EXAMPLES"]) if "MESOWARP_KEPT_EXAMPLES" in os.environ else None
TABLES = {"wall_time", "particle_steps_per_second", "rebuilds"}  # columns that may differ


def shortened(name, steps):
    """--set options that make an example `steps` steps long."""
    deck = tomllib.loads(DECKS[name].read_text(encoding="utf-8"))
    factor = steps / deck["run"]["steps"]
    options = ["--set", f"run.steps={steps}"]
    for word in SMALL.get(name, []):
        options += ["--set", word]
    for block, keys in (("output", ("every",)), ("measure", ("every", "start", "window"))):
        for number, values in enumerate(deck.get(block, [])):
            for key in keys:
                if values.get(key):
                    options += ["--set", f"{block}.{number}.{key}={max(1, round(values[key] * factor))}"]
            if block == "measure":  # a window holds at least one sample
                every, window = values.get("every", 10), values.get("window", 0)
                if window and round(window * factor) < max(1, round(every * factor)):
                    options += ["--set", f"{block}.{number}.window={max(1, round(every * factor))}"]
    return options


def quick(name, steps):
    """The same for tests that hold runs against each other, not against those on record."""
    return shortened(name, steps) + [word for value in QUICK.get(name, []) for word in ("--set", value)]


def with_outputs(name, every):
    """Text of an example with checkpoints and frames at an interval, beside what it has, and the numbers of the
    blocks."""
    text = DECKS[name].read_text(encoding="utf-8")
    text = re.sub(r'^file = "', f'file = "{DECKS[name].parent}/', text, flags=re.M)
    deck = tomllib.loads(text)
    formats = [output["format"] for output in deck.get("output", [])]
    for wanted in ("checkpoint", "trajectory"):
        if wanted not in formats:
            text += f'\n[[output]]\nformat = "{wanted}"\nevery = {every}\n'
            formats.append(wanted)
    return text, {wanted: formats.index(wanted) for wanted in formats}
