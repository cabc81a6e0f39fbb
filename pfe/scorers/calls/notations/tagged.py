"""Calls between tags, or behind one; what stands inside is of any other notation.

    <tool_call>{"name": "get_weather", "arguments": {"location": "Oslo"}}</tool_call>
    <|tool_call_start|>[get_weather(location="Oslo")]<|tool_call_end|>
    [TOOL_CALLS] [{"name": "get_weather", "arguments": {"location": "Oslo"}}]
    \\boxed{get_weather("Oslo")}

| tags | of | source |
| --- | --- | --- |
| `<tool_call>` | Hermes 2 Pro, Qwen 2.5 and 3, Granite 4, Ernie 4.5, GLM | the models' chat templates |
| `<tool_calls>` | Jamba, Hunyuan, MiniMax-M1 | vLLM's jamba and hunyuan_a13b parsers, MiniMax's guide |
| `<function_call>`, `<function_calls>` | Granite 20B, GigaChat, OLMo 3, Anthropic | vLLM's parsers |
| `<\\|tool_call\\|>` | Granite 3, Phi-4-mini | ibm-granite's and microsoft's chat templates |
| `<TOOLCALL>`, `<functioncall>`, `<tools>` | Nemotron Nano, Glaive, Qwen 2.5 Coder | the models' cards |
| `<longcat_tool_call>`, `<seed:tool_call>`, `<minimax:tool_call>` | LongCat, Seed-OSS, MiniMax-M2 | their cards |
| `<\\|tool_call_start\\|>` | LFM2 | LiquidAI/LFM2's card |
| `<\\|tools_prefix\\|>` | Apertus | vLLM's apertus parser |
| `<\\|START_ACTION\\|>` | Command R7B and A | CohereForAI's chat templates |
| `<\\|action_start\\|><\\|plugin\\|>` | InternLM 2 | InternLM's chat format |
| `<｜tool_calls_begin｜>` | Step3 | stepfun-ai/step3, vLLM's step3 parser |
| `<｜DSML｜function_calls>` | DeepSeek V3.2 | vLLM's deepseekv32 parser |
| `<call>`, `\\boxed{}` | models that are asked for a call, or tuned for mathematics | Hendrycks et al. 2021, MATH |
| `<\\|python_tag\\|>`, `functools`, `[TOOL_CALLS]` | Llama 3.1, Phi-4-mini, Mistral | their templates |
"""

import re

from pfe.scorers.calls.notation import BEFORE, Names, Notation, Reading, all_notations
from pfe.scorers.calls.source import closing
from pfe.scorers.calls.written import BrokenError, RawCall, UnreadableError

_SPACE = r"(?:[a-z]{1,12}:|[｜|]DSML[｜|])?"
_WORD = r"(?:longcat_)?(?:tool_calls?|function_calls?|functioncalls?|TOOLCALL|tools|tool_code|tool_use)(?::opensource)?"
_OPEN = (
    rf"<\|?{_SPACE}{_WORD}\|?>|<\|tool_call_start\|>|<\|tools_prefix\|>|<\|START_ACTION\|>|<\|action_start\|>|"
    r"<[｜|]tool[▁_]calls?[▁_]begin[｜|]>(?:function<[｜|]tool[▁_]sep[｜|]>)?|<\|tool_calls_section_begin\|>"
)
_ALONE = r"<\|python_tag\|>|<\|plugin\|>|<\|tool_calls?\|>|\[TOOL_CALLS\]|(?<!\w)functools(?=\s*\[)"
_CLOSE = re.compile(
    rf"<\|?/{_SPACE}{_WORD}\|?>|<\|tool_call_end\|>|<\|tools_suffix\|>|<\|END_ACTION\|>|<\|action_end\|>|"
    r"<[｜|]tool[▁_]calls?[▁_]end[｜|]>|<\|tool_calls_section_end\|>|\[/TOOL_CALLS\]"
)
_GAP = re.compile(r"(?:\s|,|;|<\|plugin\|>|```(?:json|python)?)*")
_END = re.compile(r"\Z|</s>|<[|｜][^<>\n]{1,40}[|｜]>|<end_of_turn>|<eos>")
_NAME_ALONE = re.compile(r"(?P<name>[\w.-]{1,200})\s*(?=</)")


def _between(text: str, opening: re.Match[str], names: Names) -> Reading:
    calls, end = _inside(text, opening.end(), names)
    if close := _CLOSE.match(text, end):
        end = close.end()
    elif not _END.match(text, end) and not _TAG.match(text, end):
        raise BrokenError("a tag stays open")
    return _reading(calls, end)


def _behind(text: str, opening: re.Match[str], names: Names) -> Reading:
    calls, end = _inside(text, opening.end(), names)
    close = _CLOSE.match(text, end)
    return _reading(calls, close.end() if close else end)


def _reading(calls: list[RawCall], end: int) -> Reading:
    if not calls:
        raise BrokenError("nothing in a tag")
    return Reading(tuple(calls), end)


def _inside(text: str, place: int, names: Names) -> tuple[list[RawCall], int]:
    calls: list[RawCall] = []
    while True:
        place = end = _skip(text, place)
        reading = _first(text, place, names)
        if reading is None:
            return calls, end
        calls += reading.calls
        place = reading.end


def _skip(text: str, place: int) -> int:
    gap = _GAP.match(text, place)
    return gap.end() if gap else place


def _first(text: str, place: int, names: Names) -> Reading | None:
    """What the first notation that fits makes of the text at this place."""
    for notation in all_notations():
        opened = notation.opening.match(text, place)
        if opened:
            try:
                return notation.read(text, opened, names)
            except BrokenError:
                raise
            except UnreadableError:
                continue
    alone = _NAME_ALONE.match(text, place)
    if alone and alone["name"] in names:
        return Reading((RawCall(alone["name"]),), alone.end())
    return None


_TAG = re.compile(rf"{_OPEN}|{_ALONE}")
_FRAME = re.compile(rf"{BEFORE}\$?(?P<frame><call>|\\boxed(?=\{{))")
_FRAMED = re.compile(r"\{\s*(?:\\text(?:tt)?\{(?P<text>.*)\}|(?P<plain>.*))\s*\}", re.DOTALL)


def _framed(text: str, opening: re.Match[str], names: Names) -> Reading:
    """What words may stand in as well."""
    if opening["frame"] == "<call>":
        end = text.find("</call>", opening.end())
        inner, end = text[opening.end() : max(end, 0)], end + len("</call>")
    else:
        end = closing(text, opening.end())
        framed = _FRAMED.fullmatch(text, opening.end(), end)
        inner = (framed["text"] or framed["plain"] or "") if framed else ""
        end += text[end : end + 1] == "$"
    calls, length = _inside(inner, 0, names)
    if not calls or length < len(inner):
        raise UnreadableError("not calls alone")
    return Reading(tuple(calls), end)


NOTATIONS = (
    Notation(re.compile(_ALONE), _behind),
    Notation(re.compile(_OPEN), _between),
    Notation(_FRAME, _framed, bare=True),
)
