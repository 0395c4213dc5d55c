"""What the plots of perf/ and docs/figures share: series that can be told apart without colours, too."""

# Okabe and Ito's colours, which the colour-blind can tell apart; each with a marker and a line of its own.
SERIES = [
    {"color": "#0072b2", "marker": "o", "linestyle": "-"},
    {"color": "#d55e00", "marker": "s", "linestyle": "--"},
    {"color": "#009e73", "marker": "^", "linestyle": "-."},
    {"color": "#cc79a7", "marker": "D", "linestyle": ":"},
    {"color": "#56b4e9", "marker": "v", "linestyle": (0, (5, 1, 1, 1, 1, 1))},
    {"color": "#e69f00", "marker": "P", "linestyle": (0, (7, 2))},
    {"color": "#000000", "marker": "X", "linestyle": (0, (1, 1))},
]
EXPECTED = {"color": "#555555", "linewidth": 1.0}


def style(number):
    """The look of the series of that number, from 0; from the eighth on with hollow markers."""
    hollow = {"markerfacecolor": "white"} if number // len(SERIES) % 2 else {}
    return {**SERIES[number % len(SERIES)], "linewidth": 1.5, "markersize": 5.5, **hollow}


def particles_axis(axes, numbers):
    """A logarithmic axis of particle numbers that says 65,536 instead of 2^16."""
    axes.set_xscale("log", base=2)
    axes.set_xticks(numbers, [f"{number:,}" for number in numbers], minor=False)
    axes.set_xlabel("particles")
