"""Calls of FunctionGemma and Gemma 4: keys without quotes, strings between special marks.

FunctionGemma, ai.google.dev/gemma/docs/functiongemma/formatting-and-best-practices:
    <start_function_call>call:get_weather{location:<escape>Oslo<escape>,days:3}<end_function_call>
Gemma 4, chat template:
    <|tool_call>call:get_weather{location:<|"|>Oslo<|"|>,days:3}<tool_call|>
"""

import re

from pfe.scorers.calls.notation import Names, Notation, Reading, plain_name
from pfe.scorers.calls.written import BrokenError, Raw, RawCall, Value

_OPEN = re.compile(r"(?:<start_function_call>|<\|tool_call>)\s*call:(?P<name>[\w.-]{1,200})\s*\{")
_CLOSE = re.compile(r"\s*(?:<end_function_call>|<tool_call\|>|\Z)")
_MARKS = ("<escape>", '<|"|>')
_BARE = re.compile(r"[^,\[\]{}<]*")
_KEY = re.compile(r'\s*(?:<escape>|<\|"\|>)?(?P<key>[^:,{}\[\]<]{1,200}?)(?:<escape>|<\|"\|>)?\s*:\s*')
_DEEPEST = 40


def _read(text: str, opening: re.Match[str], names: Names) -> Reading:
    arguments, place = _object(text, opening.end(), 0)
    closed = _CLOSE.match(text, place)
    if not closed:
        raise BrokenError("a call without end")
    return Reading((RawCall(plain_name(opening["name"], names), (), tuple(arguments)),), closed.end())


def _object(text: str, place: int, depth: int) -> tuple[list[tuple[str, Value]], int]:
    pairs: list[tuple[str, Value]] = []
    while text[place : place + 1] != "}":
        key = _KEY.match(text, place)
        if not key:
            raise BrokenError("a key is missing")
        value, place = _value(text, key.end(), depth + 1)
        pairs.append((key["key"].strip(), value))
        place = _next(text, place, "}")
    return pairs, place + 1


def _list(text: str, place: int, depth: int) -> tuple[list[Value], int]:
    items: list[Value] = []
    while text[place : place + 1] != "]":
        value, place = _value(text, place, depth + 1)
        items.append(value)
        place = _next(text, place, "]")
    return items, place + 1


def _next(text: str, place: int, end: str) -> int:
    while text[place : place + 1].isspace():
        place += 1
    if text[place : place + 1] == ",":
        return place + 1
    if text[place : place + 1] != end:
        raise BrokenError("a comma is missing")
    return place


def _value(text: str, place: int, depth: int) -> tuple[Value, int]:
    if depth > _DEEPEST:
        raise BrokenError("too deep")
    for mark in _MARKS:
        if text.startswith(mark, place):
            end = text.find(mark, place + len(mark))
            if end < 0:
                raise BrokenError("a text without end")
            return text[place + len(mark) : end], end + len(mark)
    match text[place : place + 1]:
        case "{":
            pairs, end = _object(text, place + 1, depth)
            if len(merged := dict(pairs)) < len(pairs):
                raise BrokenError("a key twice")
            return merged, end
        case "[":
            return _list(text, place + 1, depth)
    unquoted = _BARE.match(text, place)
    if not unquoted or not unquoted[0].strip():
        raise BrokenError("a value is missing")
    return Raw(unquoted[0]), unquoted.end()


NOTATIONS = (Notation(_OPEN, _read),)
