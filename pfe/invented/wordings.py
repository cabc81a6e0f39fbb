"""Sentence templates with slots, filled by the generator and parsed by the rule-based reader.

Example: `Wordings(["The {a} eats {b}."], {"b": ("moss", "figs")})` writes "The gorm eats moss." and reads it back as
`{"a": "gorm", "b": "moss"}`.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from random import Random

from pfe.errors import UserError

_SLOT = re.compile(r"\{(\w+)\}")
_WORD = r"[\w-]+"


class Wordings:
    """Templates with the same meaning.

    A slot holds one word, or one of its `values`. A sentence that begins with a slot begins with a capital letter.
    """

    def __init__(self, templates: Sequence[str], values: Mapping[str, Iterable[str]] | None = None) -> None:
        self.templates, self._values = tuple(templates), values or {}

    @cached_property
    def _patterns(self) -> Sequence[re.Pattern[str]]:
        return [self._pattern(template, self._values) for template in self.templates]

    @staticmethod
    def _pattern(template: str, values: Mapping[str, Iterable[str]]) -> re.Pattern[str]:
        pattern, end, seen = "", 0, set[str]()
        for slot in _SLOT.finditer(template):
            name = slot[1]
            pattern += re.escape(template[end : slot.start()])
            options = sorted(values.get(name, ()), key=len, reverse=True)
            inside = "|".join(map(re.escape, options)) or _WORD
            if not slot.start():
                inside = f"(?i:{inside})"
            pattern += f"(?P={name})" if name in seen else f"(?P<{name}>{inside})"
            seen.add(name)
            end = slot.end()
        return re.compile(pattern + re.escape(template[end:]))

    def write(self, slots: Mapping[str, object], rng: Random) -> str:
        """Fill the slots of one of the templates, sampled uniformly."""
        return self.write_as(rng.randrange(len(self.templates)), slots)

    def write_as(self, number: int, slots: Mapping[str, object]) -> str:
        """Fill the slots of the template with this number."""
        text = self.templates[number].format_map(slots)
        return text[:1].upper() + text[1:]

    def read(self, text: str, known: Collection[str] = ()) -> dict[str, str] | None:
        """Return the slots of a sentence; None if it matches no template.

        Args:
            known: texts that a sentence may begin with, but that are lower-case elsewhere.
        """
        for template, pattern in zip(self.templates, self._patterns, strict=True):
            if match := pattern.fullmatch(text):
                slots = match.groupdict()
                if template.startswith("{") and (name := _SLOT.match(template)):
                    first = slots[name[1]]
                    slots[name[1]] = next((one for one in known if one.lower() == first.lower()), first)
                return slots
        return None


def needs_slots(templates: Iterable[str], names: Collection[str], where: str) -> None:
    """Check that every template has exactly the slots of these names, each once.

    Raises:
        UserError: one has others; names it.
    """
    for template in templates:
        found = _SLOT.findall(template)
        if sorted(found) != sorted(names):
            slots = ", ".join(f"{{{name}}}" for name in sorted(names))
            raise UserError(f"{where}: {template!r} must have each of these slots once: {slots}")
