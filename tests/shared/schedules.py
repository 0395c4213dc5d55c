"""[[schedule]] blocks of decks."""


def schedule(key, steps, values, style="linear"):
    return f'[[schedule]]\nkey = "{key}"\nstyle = "{style}"\nsteps = {list(steps)}\nvalues = {list(values)}\n'
