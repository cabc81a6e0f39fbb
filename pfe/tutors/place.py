"""The place of a value in a content file, for error messages.

Example: `str(Place(path) / "openings" / 0 / "draws")` is `toll_roads.yaml, line 12: openings.1.draws`. The line is
searched only when the place is printed, because no message about a correct file needs it.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from pfe.errors import UserError, nearest

Key = str | int
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_SHOWN = 80  # maximum number of characters in a quotation
_SOUGHT = 40


@dataclass(frozen=True)
class Place:
    """A file, with the keys that lead to a value in it and optionally some of its text.

    `root` may also be a name for a source that is not a file.
    """

    root: Path | str
    keys: tuple[Key, ...] = ()
    text: str = ""

    def __truediv__(self, key: Key) -> "Place":
        return Place(self.root, (*self.keys, key))

    def quoting(self, text: str) -> "Place":
        """Return the same place with the quotation `text`."""
        return Place(self.root, self.keys, text.strip())

    def __str__(self) -> str:
        line = self.line
        keys = ".".join(str(key + 1) if isinstance(key, int) else key for key in self.keys)
        quoted = repr(self.text if len(self.text) <= _SHOWN else f"{self.text[:_SHOWN]}…") if self.text else ""
        return ": ".join(filter(None, (f"{self.root}{f', line {line}' if line else ''}", keys, quoted)))

    @property
    def line(self) -> int | None:
        """Return the line of the value, from 1; for a missing key, the line of the mapping that should have it.

        It is None if the root is not a readable YAML file, or if the place has neither keys nor text.
        """
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
    """Return a place as it is, and a name as a place without a file."""
    return where if isinstance(where, Place) else Place(where)


def refuse_unknown(names: Collection[str], known: Collection[str], where: Place) -> None:
    """Reject names that nothing gives a value to.

    Raises:
        UserError: there is one; suggests the nearest known name.
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
