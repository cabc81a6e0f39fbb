"""Calls as YAML: a name and its arguments, or the arguments under the name.

    name: get_weather                 get_weather:
    arguments:                          location: Oslo
      location: Oslo                    units: celsius
      units: celsius

Only within the function on offer, and without anchors. Source: YAML 1.2, chapter 2; how models answer where
a prompt shows functions in YAML.
"""

import re
from typing import Any

import yaml

from pfe.scorers.calls.notation import Names, Notation, Reading
from pfe.scorers.calls.written import BrokenError, Raw, RawCall, UnreadableError, Value

_LINES = re.compile(r"(?:[ \t]+[^\n]*(?:\n|\Z)|[ \t]*\n(?=[ \t]+\S))+")
_NAME_FIRST = re.compile(
    r"(?:function|name|tool):[ \t]*[\"']?(?P<name>[\w.-]{1,200})[\"']?[ \t]*\n"
    r"(?:arguments|parameters|args|input):[ \t]*\n(?=[ \t]+\S)"
)
_UNDER = re.compile(r"(?P<name>[\w.-]{1,200}):[ \t]*\n(?=[ \t]+[\w\"'.-]+:)")
_ANCHOR = re.compile(r"(?:^|[\s\[{,:])[&*][\w]", re.MULTILINE)
_DEEPEST = 20


def _read(text: str, opening: re.Match[str], names: Names) -> Reading:
    lines = _LINES.match(text, opening.end())
    if opening["name"] not in names or not lines:
        raise UnreadableError("no function on offer")
    if _ANCHOR.search(lines[0]):
        raise BrokenError("an anchor")
    try:
        node = yaml.compose(lines[0], Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise BrokenError(f"not YAML: {error}") from None
    if not isinstance(node, yaml.MappingNode):
        raise BrokenError("no arguments")
    return Reading((RawCall(opening["name"], (), tuple(_pairs(node, 0))),), lines.end())


def _pairs(node: yaml.MappingNode, depth: int) -> list[tuple[str, Value]]:
    if depth > _DEEPEST or not all(isinstance(key, yaml.ScalarNode) for key, _ in node.value):
        raise BrokenError("no arguments")
    return [(str(key.value), _value(value, depth)) for key, value in node.value]


def _value(node: Any, depth: int) -> Value:
    match node:
        case yaml.MappingNode():
            pairs = _pairs(node, depth + 1)
            if len(merged := dict(pairs)) < len(pairs):
                raise BrokenError("a key twice")
            return merged
        case yaml.SequenceNode() if depth < _DEEPEST:
            return [_value(item, depth + 1) for item in node.value]
        case yaml.ScalarNode(style=None):
            return Raw(node.value)
        case yaml.ScalarNode():
            return node.value
    raise BrokenError("no argument")


NOTATIONS = (Notation(_NAME_FIRST, _read, bare=True), Notation(_UNDER, _read, bare=True))
