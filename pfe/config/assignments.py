"""The overrides as the user wrote them, so that error messages can suggest corrections in the same form.

Example: after `+models.base.revision=1e5`, `instead("models.base.revision", "'1e5'")` is
`-S "+models.base.revision='1e5'"`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Assignment:
    """One override: its sign (`+`, `++`, or nothing), its path, the text after the =, and the parsed value."""

    sign: str
    path: str
    text: str
    value: Any


@dataclass(frozen=True)
class Assignments:
    """All overrides; empty if the parameters come from files alone."""

    assignments: Sequence[Assignment] = ()

    def of(self, path: str) -> Assignment | None:
        """Return the last override that sets a parameter, or a mapping or list that contains it."""
        return next((one for one in reversed(self.assignments) if _gives(one, path)), None)

    def itself(self, path: str) -> Assignment | None:
        """Return the last override that sets a parameter, unless it sets a mapping or list around it."""
        one = self.of(path)
        return one if one and one.path == path else None

    def text(self, path: str, value: Any) -> str:
        """Return a value as it was written; … if that is not known, since 1e5 and 100000.0 parse alike."""
        one = self.of(path)
        if not one or "$" in one.text:
            return "…"
        if one.path == path:
            return one.text
        return str(value) if re.search(rf"(?<![\w.+-]){re.escape(str(value))}(?![\w.+-])", one.text) else "…"

    def instead(self, path: str, value: str) -> str:
        """Return how to give a parameter another value: by an override, or in the file that sets it."""
        if one := self.itself(path):
            quote = '"' if "'" in value else "'"
            return f"-S {quote}{one.sign}{path}={value}{quote}"
        key = path.rpartition(".")[2]
        return value if key.isdecimal() else f"{key}: {value}"

    def beside(self, path: str) -> str:
        """Return how to add a parameter to a record that overrides add; "" if no override does."""
        above, _, key = path.rpartition(".")
        if self.of(above):
            return f"there too, as in {key}: …"
        adds = any(one.sign and one.path.rpartition(".")[0] == above for one in self.assignments)
        return f"too, as in -S +{path}=…" if adds else ""


def _gives(one: Assignment, path: str) -> bool:
    if one.path == path:
        return True
    if not path.startswith(f"{one.path}."):
        return False
    value = one.value
    for part in path.removeprefix(f"{one.path}.").split("."):
        if isinstance(value, list) and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
        elif isinstance(value, dict) and part in map(str, value):
            value = next(inner for key, inner in value.items() if str(key) == part)
        else:
            return False
    return True
