"""Decks as dictionaries: blocks that stand once are dictionaries, [[blocks]] lists of them."""
import json
from pathlib import Path

from .errors import MesowarpError


def read_toml(text):
    """A deck's text."""
    for module in ("tomllib", "tomli"):
        try:
            return __import__(module).loads(text)
        except ImportError:
            pass
        except ValueError as error:
            raise MesowarpError(f"no TOML: {error}") from None
    return _plain_toml(text)


def _plain_toml(text):
    """TOML of the kind a resolved deck is written in, for a Python before 3.11: tables, and one value a line."""
    root, table = {}, None
    for line in text.splitlines():
        line = line.strip()
        if line.startswith("[["):
            table = {}
            root.setdefault(line[2 : line.index("]]")].strip(), []).append(table)
        elif line.startswith("["):
            table = root.setdefault(line[1 : line.index("]")].strip(), {})
        elif "=" in line and not line.startswith("#"):
            key, value = (part.strip() for part in line.split("=", 1))
            value = value.replace("'", '"') if value.startswith("'") else value
            try:
                parsed, _ = json.JSONDecoder().raw_decode(value.lstrip("+"))
            except ValueError:
                continue  # inline tables and the like
            (root if table is None else table)[key] = parsed
    return root


def read_deck(path):
    return read_toml(Path(path).read_text(encoding="utf-8"))


def _value(value):
    if hasattr(value, "tolist"):  # numpy
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        if value != value or value in (float("inf"), -float("inf")):
            raise MesowarpError(f"{value} is no value for a deck")
        return repr(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {_value(item)}" for key, item in value.items()) + " }"
    if isinstance(value, Path):
        return _value(str(value))
    raise MesowarpError(f"{value!r} ({type(value).__name__}) is no value for a deck")


def _key(key):
    plain = key and all(c.isascii() and (c.isalnum() or c in "_-") for c in key)
    return key if plain else json.dumps(key)


def write_toml(deck):
    """A deck's text."""
    lines = []
    for name, block in deck.items():
        for table in block if isinstance(block, (list, tuple)) else [block]:
            if not isinstance(table, dict):
                raise MesowarpError(f"{name} should be a dictionary, or a list of them, not {table!r}")
            lines.append(f"[[{_key(name)}]]" if isinstance(block, (list, tuple)) else f"[{_key(name)}]")
            lines += [f"{_key(key)} = {_value(value)}" for key, value in table.items() if value is not None]
            lines.append("")
    return "\n".join(lines)


def write_deck(deck, path):
    """Writes a deck to a file that does not exist yet."""
    with open(path, "x", encoding="utf-8") as file:
        file.write(write_toml(deck))
    return Path(path)
