"""What went wrong, in words for the user."""


class MesowarpError(Exception):
    """A file, a deck or a run is not as it should be."""
