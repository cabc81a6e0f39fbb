"""Calls as markup whose values stand between tags, text and numbers alike.

    <function=get_weather>{"location": "Oslo"}</function>
    <tool_call><function=get_weather><parameter=location>Oslo</parameter></function></tool_call>
    <invoke name="get_weather"><parameter name="location">Oslo</parameter></invoke>
    <｜DSML｜invoke name="get_weather"><｜DSML｜parameter name="location" string="true">Oslo</｜DSML｜parameter>…
    <tool_call>get_weather<arg_key>location</arg_key><arg_value>Oslo</arg_value></tool_call>

Sources: Llama 3.1's and Functionary 3.1's custom functions; Qwen/Qwen3-Coder's qwen3coder_tool_parser; Seed-OSS;
Anthropic's markup before the tool-use API; MiniMax-M2's and M3's tool calling guides; Step3; DeepSeek V3.2's
encoding; zai-org/GLM-4.5's and GLM-4.7's chat templates; Hunyuan's `:opensource`.
"""

import re

from pfe.scorers.calls.notation import Names, Notation, Reading, plain_name
from pfe.scorers.calls.notations.objects import build_call, object_at
from pfe.scorers.calls.written import BrokenError, Raw, RawCall, UnreadableError, Value

_SPACE = r"(?:[a-z]{1,12}:|[｜|]DSML[｜|])?"
_NAME = r"[\"']?(?P<name>[^\"'<>\s]{1,200})[\"']?"
_FUNCTION = re.compile(rf"<{_SPACE}function(?:=|\s+name=){_NAME}\s*>\s*")
_INVOKE = re.compile(rf"<{_SPACE}invoke(?:\s+name={_NAME}\s*>|>\s*<tool_name>(?P<tool>[^<>]*)</tool_name>)\s*")
_KEYED = re.compile(r"(?<![\w.-])(?P<name>[\w.-]{1,200})\s*(?:<tool_sep(?::\w+)?>\s*)?(?=<arg_key(?::\w+)?>)")
_PARAMETER = re.compile(
    rf"\s*<{_SPACE}parameter(?:=|\s+name=)[\"']?(?P<key>[^\"'<>\s]+)[\"']?"
    rf"(?:\s+string=\"(?P<string>true|false)\")?\s*>(?P<value>.*?)</{_SPACE}parameter>",
    re.DOTALL,
)
_CHILD = re.compile(r"\s*(?:</?parameters>\s*)?<(?P<key>[\w.-]+)>(?P<value>.*?)</(?P=key)>", re.DOTALL)
_PAIR = re.compile(
    r"\s*<arg_key(?::\w+)?>(?P<key>[^<>]{1,200})</arg_key(?::\w+)?>\s*<arg_value(?::\w+)?>(?P<value>.*?)</arg_value(?::\w+)?>",
    re.DOTALL,
)
_END_OF_FUNCTION = re.compile(rf"\s*(?:</{_SPACE}function>|\Z|(?=</))")
_END_OF_INVOKE = re.compile(rf"\s*(?:</parameters>\s*)?</{_SPACE}invoke>")
_NOTHING = re.compile("")


def _function(text: str, opening: re.Match[str], names: Names) -> Reading:
    if text[opening.end() : opening.end() + 1] == "{":
        try:
            value, end = object_at(text, opening.end())
        except UnreadableError as error:
            raise BrokenError(str(error)) from None
        return Reading((build_call(_name(opening, names), value, names),), _closed(_END_OF_FUNCTION, text, end))
    return _listed(text, opening, names, (_PARAMETER,), _END_OF_FUNCTION)


def _invoke(text: str, opening: re.Match[str], names: Names) -> Reading:
    return _listed(text, opening, names, (_PARAMETER, _CHILD), _END_OF_INVOKE)


def _keyed(text: str, opening: re.Match[str], names: Names) -> Reading:
    if not _PAIR.match(text, opening.end()):
        raise BrokenError("a key without value")
    return _listed(text, opening, names, (_PAIR,), _NOTHING)


def _listed(
    text: str, opening: re.Match[str], names: Names, parameters: tuple[re.Pattern[str], ...], end: re.Pattern[str]
) -> Reading:
    arguments: list[tuple[str, Value]] = []
    place = opening.end()
    while parameter := next((m for pattern in parameters if (m := pattern.match(text, place))), None):
        text_only = parameter.groupdict().get("string") == "true"
        arguments.append((parameter["key"].strip(), parameter["value"] if text_only else Raw(parameter["value"])))
        place = parameter.end()
    return Reading((RawCall(_name(opening, names), (), tuple(arguments)),), _closed(end, text, place))


def _name(opening: re.Match[str], names: Names) -> str:
    return plain_name(opening["name"] or opening.groupdict().get("tool") or "", names)


def _closed(end: re.Pattern[str], text: str, place: int) -> int:
    match = end.match(text, place)
    if not match:
        raise BrokenError("a tag stays open")
    return match.end()


NOTATIONS = (Notation(_FUNCTION, _function), Notation(_INVOKE, _invoke), Notation(_KEYED, _keyed))
