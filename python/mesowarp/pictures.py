"""The standard pictures: of one run, or of several in one, told apart by what differs in their decks."""
from pathlib import Path

import numpy as np

from .errors import MesowarpError
from .rendering import PALETTE, frame_picture

# Series that can be told apart without colours, too.
MARKERS = "os^DvPX"
LINES = ["-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (7, 2)), (0, (1, 1))]
# What of a table is drawn first, and with which words; "solutes" and others follow as they are.
SHOWN = ["temperature", "pressure", "potential_energy", "total_energy", "virial_ratio", "shear_stress", "viscosity",
         "flow_velocity"]
UNITS = {"temperature": "k_BT", "pressure": "k_BT / r_c³", "velocity": "r_c / time", "density": "1 / r_c³"}
HIDDEN = {"step", "time", "wall_time", "particle_steps_per_second", "rebuilds"}
PANELS = 6  # of a picture; more go on in another
WAVE_NUMBERS = ("k", "k_x", "k_y", "k_z")  # what S(k) is drawn against, where a file has them


def pyplot():
    try:
        import matplotlib
    except ImportError:
        raise MesowarpError("pictures need matplotlib (Debian: python3-matplotlib; pip install matplotlib)") from None
    matplotlib.use("Agg")
    import matplotlib.pyplot
    return matplotlib.pyplot


def look(number):
    return {"color": PALETTE[number % len(PALETTE)], "linestyle": LINES[number % len(LINES)]}


def labels(runs):
    """Of each run: what differs in its deck, or the name of its folder."""
    differing = {key: values for key, values in runs.differing().items() if key != "run.title"}
    if len(runs) > 1 and 0 < len(differing) <= 3:
        found = [", ".join(f"{key} = {values[k]}" for key, values in differing.items()) for k in range(len(runs))]
        if len(set(found)) == len(found):
            return found
    return [run.name for run in runs]


def short(label, longest=48):
    return label if len(label) <= longest else label[: longest - 1] + "…"


def grid_of(panels, width=4.2, height=2.7):
    columns = 1 if panels == 1 else 2 if panels <= 4 else 3
    rows = -(-panels // columns)
    figure, axes = pyplot().subplots(rows, columns, figsize=(width * columns, height * rows), squeeze=False,
                                     layout="constrained")
    for ax in axes.ravel()[panels:]:
        ax.axis("off")
    return figure, axes.ravel()[:panels]


def legend(figure, axes, names):
    if len(names) > 1:
        figure.legend(*axes[0].get_legend_handles_labels(), loc="upper center", bbox_to_anchor=(0.5, 0.0),
                      ncol=min(3, len(names)), frameon=False, fontsize="small")


def named(name):
    """A quantity with its unit."""
    unit = next((unit for start, unit in UNITS.items() if name.startswith(start)), "")
    return name.replace("_", " ") + (f"  ({unit})" if unit else "")


def columns_of(runs):
    """Those that vary, in the order of SHOWN, then of the tables."""
    found = []
    for run in runs:
        for name, values in run.table.items():
            if name not in found and name not in HIDDEN and len(values) > 1 and np.nanmax(values) > np.nanmin(values):
                found.append(name)
    first = [name for name in SHOWN if name in found]
    others = [name for name in found if name not in first and not name.startswith(("momentum", "net_force", "angular"))]
    return first + others


def smooth(values, points=400):
    """Means of rows that follow each other, so that no picture holds more than some hundred points."""
    width = max(1, len(values) // points)
    return values[: len(values) // width * width].reshape(-1, width).mean(axis=1)


def runs_with_rows(runs):
    return [run for run in runs if (run.directory / "thermo.csv").exists() and run.table.rows() > 1]


def table_picture(runs, columns):
    from .runs import Sweep
    names = labels(Sweep(runs))
    figure, axes = grid_of(len(columns))
    for ax, column in zip(axes, columns):
        for k, (run, name) in enumerate(zip(runs, names)):
            if column not in run.table:
                continue
            x = run.table["time"] if "time" in run.table else run.table["step"] * run.timestep
            ax.plot(smooth(x), smooth(run.table[column]), linewidth=1.0, label=short(name), **look(k))
            if run.table.rows() >= 20:
                estimate = run.table.mean(column)
                ax.hlines(estimate.mean, x[run.table.rows() // 2], x[-1], color=look(k)["color"], linewidth=2.0,
                          alpha=0.6)
                if len(runs) == 1:
                    ax.set_title(f"later half: {estimate}", fontsize="small")
        ax.set(xlabel="time", ylabel=named(column))
    legend(figure, axes, names)
    return figure


def swept(runs):
    """The one number of the decks that differs, beside seeds, and each run's value; None: nothing, or several."""
    from .runs import Sweep
    apart = {key: values for key, values in Sweep(runs).differing().items()
             if key not in ("run.title", "run.seed") and not key.endswith(".file")}
    if len(apart) != 1:
        return None
    (key, values), = apart.items()
    numbers = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values)
    return (key, np.array(values)) if numbers else None


def sweep_picture(runs, key, values, columns):
    """Means of the later half of the tables, with errors, against what was swept."""
    figure, axes = grid_of(len(columns))
    for ax, column in zip(axes, columns):
        x, means = zip(*((value, run.table.mean(column)) for value, run in zip(values, runs) if column in run.table))
        ax.errorbar(x, [mean.mean for mean in means], yerr=[mean.error for mean in means], fmt="o", markersize=4,
                    capsize=3, color=PALETTE[0])
        ax.set(xlabel=key, ylabel=named(column))
    return figure


def quantities_of(blocks):
    """Of a profile, or of a function: what has a picture of its own."""
    return [name for name, values in blocks.data.items()
            if values.ndim == 2 and name != "count" and not (blocks.is_function and name in WAVE_NUMBERS)]


def profile_picture(runs, measure, quantities):
    """Of a profile; of one run the first, a middle and the last block, of several their means over the later half of
    the blocks."""
    from .runs import Sweep
    names = labels(Sweep(runs))
    first = runs[0].profiles[measure]
    figure, axes = grid_of(len(quantities))
    for ax, quantity in zip(axes, quantities):
        for k, (run, name) in enumerate(zip(runs, names)):
            blocks = run.profiles[measure]
            if quantity not in blocks.data:
                continue
            if len(runs) == 1:
                for number, block in enumerate(sorted({0, len(blocks) // 2, len(blocks) - 1})):
                    draw_profile(ax, blocks.coordinate, blocks[quantity][block],
                                 blocks.errors[quantity][block] if quantity in blocks.errors else None, number,
                                 f"time {blocks.middle(run.timestep)[block]:.4g}")
            else:
                estimate = blocks.mean(quantity, blocks.first_step[len(blocks) // 2] - 1)
                draw_profile(ax, blocks.coordinate, estimate.mean, estimate.error, k, short(name))
        middle = "axis" if first.shells == "cylinder" else "centre"
        where = f"distance from the {middle}" if first.shells else first.axis
        ax.set(xlabel=where, ylabel=named(quantity))
    handles = axes[0].get_legend_handles_labels()[1]
    legend(figure, axes, handles)
    return figure


def function_picture(runs, measure, quantities):
    """Of a measure that is no profile: its last block, with errors, of all runs; times from one spacing to hundreds by
    their logarithm."""
    from .runs import Sweep
    names = labels(Sweep(runs))
    first = runs[0].measures[measure]
    figure, axes = grid_of(len(quantities))
    for ax, quantity in zip(axes, quantities):
        for k, (run, name) in enumerate(zip(runs, names)):
            blocks = run.measures[measure]
            if quantity in blocks.data:
                draw_profile(ax, abscissa(blocks, quantity), blocks[quantity][-1],
                             blocks.errors[quantity][-1] if quantity in blocks.errors else None, k, short(name))
        if first.along == "time":
            ax.set_xscale("log")
        ax.set(xlabel=first.along, ylabel=named(quantity))
        if len(runs) == 1 and quantity in first.means:
            ax.set_title(f"{named(quantity)}: {first.means[quantity]}", fontsize="small")
    legend(figure, axes, axes[0].get_legend_handles_labels()[1])
    return figure


def abscissa(blocks, quantity):
    """Of waves in a box that changes their mean wave numbers, those along an axis of s_x, s_y, s_z."""
    mean = "k" + quantity[1:]
    return blocks[mean][-1] if mean in WAVE_NUMBERS and mean in blocks.data else blocks.coordinate


def draw_profile(ax, x, y, error, number, label):
    style = look(number)
    ax.plot(x, y, marker=MARKERS[number % len(MARKERS)], markersize=3, linewidth=1.0, label=label, **style)
    if error is not None and np.isfinite(error).any():
        ax.fill_between(x, y - error, y + error, color=style["color"], alpha=0.2, linewidth=0)


def field_quantities(blocks):
    return [name for name in blocks.data if name not in ("count", "stress") and
            not name.startswith(("velocity_", "stress_"))]


def field_picture(run, measure, quantities):
    """The last block: the middle slice across the axis with the fewest cells; of a vector its length."""
    blocks = run.fields[measure]
    shape = np.array(blocks["count"].shape[1:])  # z, y, x
    across = int(np.argmin(shape))
    kept = [axis for axis in range(3) if axis != across]
    box = shape[::-1] * blocks.spacing if blocks.box is None else blocks.box[-1]
    edges = [box[2 - axis] for axis in kept]
    figure, axes = grid_of(len(quantities))
    for ax, quantity in zip(axes, quantities):
        values = blocks[quantity][-1]
        if values.ndim == 4:
            values = np.sqrt((values**2).sum(axis=-1))
        shown = ax.imshow(np.take(values, shape[across] // 2, axis=across), origin="lower", cmap="viridis",
                          extent=(0, edges[1], 0, edges[0]), aspect="equal", interpolation="nearest")
        figure.colorbar(shown, ax=ax, label=named(quantity if blocks[quantity].ndim == 4 else f"|{quantity}|"))
        ax.set(xlabel="zyx"[kept[1]], ylabel="zyx"[kept[0]])
    figure.suptitle(f"{measure}: mean of steps {blocks.first_step[-1]} to {blocks.last_step[-1]}, slice in the middle "
                    f"of {'zyx'[across]}", fontsize="medium")
    return figure


def frame_figure(run, name):
    trajectory = run.trajectories[name]
    figure, ax = pyplot().subplots(figsize=(6.0, 6.3), layout="constrained")
    ax.imshow(frame_picture(trajectory), interpolation="lanczos")
    ax.axis("off")
    ax.set_title(f"{run.deck['run'].get('title') or run.name}, time {trajectory.times[-1]:.6g}", fontsize="medium")
    kinds = [kind for kind in range(len(trajectory.species_names)) if (trajectory.species == kind).any()]
    if len(kinds) > 1:
        for kind in kinds:
            ax.plot([], [], "o", color=PALETTE[kind % len(PALETTE)], label=trajectory.species_names[kind])
        ax.legend(loc="lower right", frameon=False)
    return figure


KINDS = ("table", "profiles", "fields", "correlations", "frame")


def pages(name, panels, taken, draw):
    """(file name, figure) of as many pictures as panels need: NAME, NAME-2, NAME-3, …, or NAME-page-2 where a measure
    has such a name."""
    for page, begin in enumerate(range(0, len(panels), PANELS)):
        further = f"{name}-{page + 1}"
        own = name if page == 0 else f"{name}-page-{page + 1}" if further in taken else further
        yield own, draw(panels[begin : begin + PANELS])


def pictures_of(runs, only=()):
    """(file name without ending, figure) of each standard picture that the runs have files for."""
    wanted, taken = set(only or KINDS), {name for run in runs for of in (run.profiles, run.measures, run.fields)
                                         for name in of}
    if "table" in wanted:
        of = runs_with_rows(runs)
        yield from pages("table", columns_of(of), taken, lambda columns: table_picture(of, columns))
        if len(of) > 1 and (over := swept(of)):
            yield from pages("table-sweep" if "sweep" in taken else "sweep", columns_of(of), taken,
                             lambda columns: sweep_picture(of, *over, columns))
    if "profiles" in wanted:
        for measure in dict.fromkeys(name for run in runs for name in run.profiles):
            of = [run for run in runs if measure in run.profiles]
            yield from pages(measure, quantities_of(of[0].profiles[measure]), taken,
                             lambda panels, of=of, measure=measure: profile_picture(of, measure, panels))
    if "correlations" in wanted:
        for measure in dict.fromkeys(name for run in runs for name, of in run.measures.items() if of.rows() > 1):
            of = [run for run in runs if measure in run.measures]
            yield from pages(measure, quantities_of(of[0].measures[measure]), taken,
                             lambda panels, of=of, measure=measure: function_picture(of, measure, panels))
    if len(runs) > 1:
        return
    if "fields" in wanted:
        for measure, blocks in runs[0].fields.items():
            yield from pages(measure, field_quantities(blocks), taken,
                             lambda panels, measure=measure: field_picture(runs[0], measure, panels))
    if "frame" in wanted:
        for name in runs[0].trajectories:
            own = name.replace("trajectory", "frame") if name.startswith("trajectory") else f"frame-{name}"
            yield own, frame_figure(runs[0], name)


def plot(runs, output=None, only=(), force=False):
    """Draws them as PNG; the files' paths. Pictures that are there are replaced only with force."""
    output = Path(output) if output else runs[0].directory / "plots" if len(runs) == 1 else Path("plots")
    drawn, plt = [], pyplot()
    for name, figure in pictures_of(runs, only):
        path = output / f"{name}.png"
        if path.exists() and not force:
            raise MesowarpError(f"{path} is there already: --force replaces it, --output names another folder")
        output.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, dpi=120, bbox_inches="tight")
        plt.close(figure)
        drawn.append(path)
    if not drawn:
        raise MesowarpError("these runs have no file to draw" + (f" of {', '.join(only)}" if only else "") +
                            ": no row of a table yet, no [[measure]], no trajectory")
    return drawn
