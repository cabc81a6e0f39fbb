"""Inflected forms of verbs: "take a nap" in the past is "took a nap".

Example: `inflected("ing", "swim across the lake")` is "swimming across the lake"; `ed` gives "swam across the lake",
`en` "swum across the lake" and `es` "swims across the lake".
"""

import re
from collections.abc import Callable, Mapping
from functools import cache

from pfe.tutors.content import table


def inflected(form: str, phrase: str) -> str:
    """Return a phrase that begins with a verb, with this verb in the form `ed`, `en`, `ing` or `es`."""
    verb, space, rest = phrase.partition(" ")
    return _FORMS[form](verb) + space + rest


@cache
def _irregular() -> Mapping[str, tuple[str, str]]:
    rows = (row.split() for row in table("irregular_verbs")["verbs"])
    return {base: (past, participle) for base, past, participle in rows}


@cache
def _doubling() -> frozenset[str]:
    return frozenset(table("irregular_verbs")["doubling"])


def _past(verb: str) -> str:
    return _irregular()[verb][0] if verb in _irregular() else _regular(verb)


def _participle(verb: str) -> str:
    return _irregular()[verb][1] if verb in _irregular() else _regular(verb)


def _regular(verb: str) -> str:
    if verb.endswith("e"):
        return f"{verb}d"
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ied"
    return f"{_stem(verb)}ed"


def _progressive(verb: str) -> str:
    if verb.endswith("ie"):
        return f"{verb[:-2]}ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")) and verb != "be":
        return f"{verb[:-1]}ing"
    return f"{_stem(verb)}ing"


def _third(verb: str) -> str:
    if verb == "have":
        return "has"
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(("s", "sh", "ch", "x", "z", "o")) else f"{verb}s"


def _stem(verb: str) -> str:
    """Return the verb as it is spelled before a suffix that begins with a vowel: "stop" as "stopp"."""
    return f"{verb}{verb[-1]}" if verb in _doubling() else verb


_FORMS: Mapping[str, Callable[[str], str]] = {"ed": _past, "en": _participle, "ing": _progressive, "es": _third}
