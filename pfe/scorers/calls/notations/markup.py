"""Calls as markup with values between tags, where text and numbers look the same.

Qwen3-Coder and Seed-OSS, their chat templates:
    <function=get_weather><parameter=location>Oslo</parameter></function>
MiniMax-M2, chat template; Step3, the same with `steptml:` before each tag name:
    <invoke name="get_weather"><parameter name="location">Oslo</parameter></invoke>
DeepSeek V3.2, encoding_dsv32.py of deepseek-ai/DeepSeek-V3.2; `string` says whether a value is text:
    <｜DSML｜invoke name="get_weather"><｜DSML｜parameter name="location" string="true">Oslo</｜DSML｜parameter>…
MiniMax-M3, chat template; `]<]minimax[>[` stands before each tag, and is removed in `reading.py`:
    <invoke name="get_weather"><location>Oslo</location></invoke>
GLM-4.5, chat template; tencent/Hy3-preview, the same with `:opensource` after each tag name:
    get_weather<arg_key>location</arg_key><arg_value>Oslo</arg_value>
    get_weather<tool_sep:opensource><arg_key:opensource>location</arg_key:opensource>…
Kimi K3, chat template:
    <|open|>call tool="get_weather" index="1"<|sep|><|open|>argument key="location" type="string"<|sep|>Oslo
        <|close|>argument<|sep|><|close|>call<|sep|>
"""

import re

from pfe.scorers.calls.notation import Names, Notation, Reading, plain_name
from pfe.scorers.calls.written import BrokenError, Raw, RawCall, Value


def _listed(opening: str, parameter: str, end: str) -> Notation:
    """Build a notation that consists of a name, its parameters, and an end.

    Args:
        opening: a pattern with the group `name`.
        parameter: a pattern with the groups `key` and `value`, and optionally `text`, which matches if the value is
            text.
        end: a pattern of the end of the call.
    """
    one, ending = re.compile(rf"\s*(?:{parameter})", re.DOTALL), re.compile(rf"\s*(?:{end})")

    def read(text: str, opened: re.Match[str], names: Names) -> Reading:
        arguments: list[tuple[str, Value]] = []
        place = opened.end()
        while match := one.match(text, place):
            value = match["value"] if match.groupdict().get("text") else Raw(match["value"])
            arguments.append((match["key"].strip(), value))
            place = match.end()
        closed = ending.match(text, place)
        if not closed:
            raise BrokenError("a tag stays open")
        return Reading((RawCall(plain_name(opened["name"], names), (), tuple(arguments)),), closed.end())

    return Notation(re.compile(opening), read)


_SPACE = r"(?:steptml:|｜DSML｜)?"
_SUFFIX = r"(?::opensource)?"
_NAMED = r'name="(?P<name>[^"<>]{1,200})"'
NOTATIONS = (
    _listed(
        r"<function=(?P<name>[^<>\s]{1,200})>(?!\s*\{)",
        r"<parameter=(?P<key>[^<>\s]+)>(?P<value>.*?)</parameter>",
        r"</function>|\Z|(?=</)",
    ),
    _listed(
        rf"<{_SPACE}invoke {_NAMED}>(?!\s*<[\w.-]+>)",
        rf'<{_SPACE}parameter name="(?P<key>[^"<>]+)"(?: string="(?:(?P<text>true)|false)")?>'
        rf"(?P<value>.*?)</{_SPACE}parameter>",
        rf"</{_SPACE}invoke>",
    ),
    _listed(rf"<invoke {_NAMED}>(?=\s*<[\w.-]+>)", r"<(?P<key>[\w.-]+)>(?P<value>.*?)</(?P=key)>", "</invoke>"),
    _listed(
        rf"(?<![\w.-])(?P<name>[\w.-]{{1,200}})\s*(?:<tool_sep{_SUFFIX}>\s*)?(?=<arg_key{_SUFFIX}>)",
        rf"<arg_key{_SUFFIX}>(?P<key>[^<>]{{1,200}})</arg_key{_SUFFIX}>\s*"
        rf"<arg_value{_SUFFIX}>(?P<value>.*?)</arg_value{_SUFFIX}>",
        rf"(?!\s*<arg_key{_SUFFIX}>)",
    ),
    _listed(
        r'<\|open\|>call tool="(?P<name>[^"]+)"[^<>]{0,40}<\|sep\|>',
        r'<\|open\|>argument key="(?P<key>[^"]+)"(?: type="(?:(?P<text>string)|\w+)")?<\|sep\|>'
        r"(?P<value>.*?)<\|close\|>argument<\|sep\|>",
        r"<\|close\|>call<\|sep\|>",
    ),
)
