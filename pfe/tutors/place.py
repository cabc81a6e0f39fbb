"""Where something stands in a file of content, for whoever is told of a mistake there.

Example: `str(Place(path) / "openings" / 0 / "draws")` is `toll_roads.yaml, line 12: openings.1.draws`. The line is
looked up when the place is told, for nobody asks for it of a file that is right.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from pfe.errors import UserError, nearest

Key = str | int
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_SHOWN = 80  # characters of a quotation
_SOUGHT = 40


@dataclass(frozen=True)
class Place:
    """A file, or a name for what is no file, with the keys that lead to a value, and perhaps some of its text."""

    root: Path | str
    keys: tuple[Key, ...] = ()
    text: str = ""

    def __truediv__(self, key: Key) -> "Place":
        return Place(self.root, (*self.keys, key))

    def quoting(self, text: str) -> "Place":
        """The same place, where it says `text`."""
        return Place(self.root, self.keys, text.strip())

    def __str__(self) -> str:
        line = self.line
        keys = ".".join(str(key + 1) if isinstance(key, int) else key for key in self.keys)
        quoted = repr(self.text if len(self.text) <= _SHOWN else f"{self.text[:_SHOWN]}…") if self.text else ""
        return ": ".join(filter(None, (f"{self.root}{f', line {line}' if line else ''}", keys, quoted)))

    @property
    def line(self) -> int | None:
        """The line, from 1, on which it stands; of a key that is missing, that of what should have it."""
        if not isinstance(self.root, Path):
            return None
        try:
            source = self.root.read_text(encoding="utf-8")
            node = yaml.compose(source, _LOADER)
        except (OSError, UnicodeDecodeError, yaml.YAMLError):
            return None
        if node is None or not (self.keys or self.text):
            return None
        return 1 + _line(node, self.keys, self.text, source.splitlines())


def placed(where: Place | str) -> Place:
    """A place as it is; a name as one that is no file."""
    return where if isinstance(where, Place) else Place(where)


def refuse_unknown(names: Collection[str], known: Collection[str], where: Place) -> None:
    """Refuse names that nothing gives a value to.

    Raises:
        UserError: there is one; says what it is near to.
    """
    for name in sorted({*names} - {*known}):
        raise UserError(f"{where}: nothing in the family is called '{name}'; {nearest(name, known)}")


def _line(node: yaml.Node, keys: Sequence[Key], text: str, source: Sequence[str]) -> int:
    first = node.start_mark.line
    for key in keys:
        if isinstance(node, yaml.MappingNode):
            pair = next(((name, value) for name, value in node.value if name.value == str(key)), None)
            if pair:
                first, node = pair[0].start_mark.line, pair[1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(key, int) and key < len(node.value):
            node = node.value[key]
            first = node.start_mark.line
    sought = text.split("\n")[0][:_SOUGHT]
    lines = range(first, min(node.end_mark.line + 1, len(source)))
    return next((line for line in lines if sought and sought in source[line]), first)
