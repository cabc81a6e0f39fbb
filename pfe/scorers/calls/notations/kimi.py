"""Calls in sections of special tokens: Kimi K2 and K3, Solar.

    <|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"location":
        "Oslo"}<|tool_call_end|><|tool_calls_section_end|>
    <|tool_call:begin|>0<|tool_call:name|>get_weather<|tool_call:args|>{"location": "Oslo"}<|tool_call:end|>
    <|open|>call tool="get_weather" index="1"<|sep|><|open|>argument key="location" type="string"<|sep|>Oslo
        <|close|>argument<|sep|><|close|>call<|sep|>

Source: moonshotai/Kimi-K2-Instruct, docs/tool_call_guidance.md; vLLM's kimi_k2_tool_parser and kimi_k3_tool_parser;
llama.cpp's Solar Open template.
"""

import re

from pfe.scorers.calls.arguments import named_object
from pfe.scorers.calls.notation import Names, Notation, Reading, plain_name
from pfe.scorers.calls.written import BrokenError, Raw, RawCall, Value

_ARGUMENT = re.compile(
    r'\s*<\|open\|>argument key="(?P<key>[^"]+)"(?: type="(?P<type>\w+)")?<\|sep\|>'
    r"(?P<value>.*?)<\|close\|>argument<\|sep\|>",
    re.DOTALL,
)
_CLOSE = re.compile(r"\s*<\|close\|>call<\|sep\|>")


def _read(text: str, opening: re.Match[str], names: Names) -> Reading:
    place, arguments = opening.end(), []
    while argument := _ARGUMENT.match(text, place):
        value: Value = argument["value"] if argument["type"] == "string" else Raw(argument["value"])
        arguments.append((argument["key"], value))
        place = argument.end()
    closed = _CLOSE.match(text, place)
    if not closed:
        raise BrokenError("a call without end")
    return Reading((RawCall(plain_name(opening["name"], names), (), tuple(arguments)),), closed.end())


NOTATIONS = (
    named_object(
        r"<\|tool_call_begin\|>\s*(?P<name>[\w.-]{1,200})(?::\d+)?\s*<\|tool_call_argument_begin\|>",
        r"<\|tool_call_end\|>",
    ),
    named_object(
        r"<\|tool_call:begin\|>\d*\s*<\|tool_call:name\|>(?P<name>[\w.-]{1,200})<\|tool_call:args\|>",
        r"<\|tool_call:end\|>",
    ),
    Notation(re.compile(r'<\|open\|>call tool="(?P<name>[^"]+)"[^<>]{0,40}<\|sep\|>'), _read),
)
