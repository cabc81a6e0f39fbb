"""Calls between tags or after a single tag; their content is in any other notation.

    <tool_call>{"name": "get_weather", "arguments": {"location": "Oslo"}}</tool_call>
    <|tool_call_start|>[get_weather(location="Oslo")]<|tool_call_end|>
    [TOOL_CALLS] [{"name": "get_weather", "arguments": {"location": "Oslo"}}]
    \\boxed{get_weather("Oslo")}

| tags | models | source |
| --- | --- | --- |
| `<tool_call>` | Hermes 2 Pro, Qwen 2.5 and 3, Granite 4, Ernie 4.5, GLM-4.5, MiniMax-M3 | their chat templates |
| `<tool_calls>` | Jamba, Hunyuan-A13B, MiniMax-M1 | their chat templates; MiniMax-M1's function call guide |
| `<tool_calls:opensource>` | Hy3 | tencent/Hy3-preview's chat template |
| `<function_call>` | Granite 20B | ibm-granite/granite-20b-functioncalling's card |
| `<function_calls>` | OLMo 3 | allenai/Olmo-3's chat templates |
| `<\\|tool_call\\|>` | Granite 3, Phi-4-mini | ibm-granite's and microsoft's chat templates |
| `<TOOLCALL>` | Nemotron Nano | nvidia/NVIDIA-Nemotron-Nano-9B-v2's chat template |
| `<longcat_tool_call>` | LongCat-Flash-Chat | its chat template |
| `<seed:tool_call>`, `<minimax:tool_call>` | Seed-OSS, MiniMax-M2 | their chat templates |
| `<｜DSML｜function_calls>` | DeepSeek V3.2 | its encoding_dsv32.py |
| `<\\|tool_call_start\\|>` | LFM2 | LiquidAI/LFM2's chat template |
| `<\\|tools_prefix\\|>` | Apertus | swiss-ai/Apertus's chat template |
| `<\\|START_ACTION\\|>` | Command R7B and A | CohereForAI's chat templates |
| `<\\|action_start\\|><\\|plugin\\|>` | InternLM 2 | InternLM's chat format |
| `<｜tool_calls_begin｜>`, `<｜tool▁calls▁begin｜>` | Step3, DeepSeek V3 | their chat templates |
| `<\\|tool_calls_section_begin\\|>` | Kimi K2 | docs/tool_call_guidance.md |
| `<\\|python_tag\\|>`, `functools`, `[TOOL_CALLS]` | Llama 3.1, Phi-4-mini, Mistral | their templates and tokenizers |
| `\\boxed{}` | DeepSeek-R1 and Qwen3, which are tuned to end with a box | usage recommendations of their cards |
"""

import re

from pfe.scorers.calls.notation import BEFORE, Names, Notation, Reading, all_notations
from pfe.scorers.calls.source import closing
from pfe.scorers.calls.written import BrokenError, RawCall, UnreadableError

_WORD = r"(?:(?:seed|minimax):|｜DSML｜|longcat_)?(?:tool_calls?(?::opensource)?|function_calls?|TOOLCALL)"
_OPEN = (
    rf"<{_WORD}>|<\|tool_call_start\|>|<\|tools_prefix\|>|<\|START_ACTION\|>|<\|action_start\|>|"
    r"<｜tool[▁_]calls?[▁_]begin｜>(?:function<｜tool_sep｜>)?|<\|tool_calls_section_begin\|>"
)
_ALONE = r"<\|python_tag\|>|<\|tool_calls?\|>|\[TOOL_CALLS\]|(?<!\w)functools(?=\s*\[)"
_CLOSE = re.compile(
    rf"</{_WORD}>|<\|/tool_call\|>|<\|tool_call_end\|>|<\|tools_suffix\|>|<\|END_ACTION\|>|<\|action_end\|>|"
    r"<｜tool[▁_]calls?[▁_]end｜>|<\|tool_calls_section_end\|>"
)
_GAP = re.compile(r"(?:\s|,|;|<\|plugin\|>|```(?:json|python)?)*")
_END = re.compile(r"\Z|</s>|<[|｜][^<>\n]{1,40}[|｜]>|<end_of_turn>|<eos>")
_NAME_ALONE = re.compile(r"(?P<name>[\w.-]{1,200})\s*(?=</)")
_TAG = re.compile(rf"{_OPEN}|{_ALONE}")
_BOXED = re.compile(rf"{BEFORE}\$?\\boxed(?=\{{)")
_CONTENT = re.compile(r"\{\s*(?:\\text(?:tt)?\{(?P<text>.*)\}|(?P<plain>.*))\s*\}", re.DOTALL)


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


def _boxed(text: str, opening: re.Match[str], names: Names) -> Reading:
    """Read the calls in a box, which may also hold prose.

    Raises:
        UnreadableError: the box holds anything but calls.
    """
    end = closing(text, opening.end())
    content = _CONTENT.fullmatch(text, opening.end(), end)
    inner = (content["text"] or content["plain"] or "") if content else ""
    calls, length = _inside(inner, 0, names)
    if not calls or length < len(inner):
        raise UnreadableError("not calls alone")
    return Reading(tuple(calls), end + (text[end : end + 1] == "$"))


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
    """Return the reading of the first notation that fits at this position, or of a function name alone; else None."""
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


NOTATIONS = (
    Notation(re.compile(_ALONE), _behind),
    Notation(re.compile(_OPEN), _between),
    Notation(_BOXED, _boxed, bare=True),
)
