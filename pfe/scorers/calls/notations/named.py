"""Calls written as the name of a function followed by its arguments as an object; ⏎ is a line break.

DeepSeek V3, chat template of deepseek-ai/DeepSeek-V3-0324:
    <｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather⏎```json⏎{"location": "Oslo"}⏎```<｜tool▁call▁end｜>
DeepSeek V3.1, chat template of deepseek-ai/DeepSeek-V3.1:
    <｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"location": "Oslo"}<｜tool▁call▁end｜>
gpt-oss, cookbook.openai.com/articles/openai-harmony; the recipient may also stand before `<|channel|>`:
    <|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"location": "Oslo"}<|call|>
Kimi K2, docs/tool_call_guidance.md of moonshotai/Kimi-K2-Instruct:
    <|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"location": "Oslo"}<|tool_call_end|>
Solar Open, chat template of upstage/Solar-Open-100B:
    <|tool_call:begin|>0<|tool_call:name|>get_weather<|tool_call:args|>{"location": "Oslo"}<|tool_call:end|>
Mistral, tokenizers v11 (with an id) and v13 of mistral-common:
    [TOOL_CALLS]get_weather[CALL_ID]a1b2c3d4e[ARGS]{"location": "Oslo"}
Functionary, prompt templates v2 and v3.2 of MeetKai/functionary:
    <|recipient|>get_weather⏎<|content|>{"location": "Oslo"}
    >>>get_weather⏎{"location": "Oslo"}
Llama 3.1, llama.com's prompt format, "user-defined custom tool calling":
    <function=get_weather>{"location": "Oslo"}</function>
GLM-4, chat template of THUDM/glm-4-9b-chat; Mistral without the special tokens, and without the line break:
    get_weather⏎{"location": "Oslo"}
"""

import re

from pfe.scorers.calls.notation import Names, Notation, Reading, plain_name
from pfe.scorers.calls.notations.objects import build_call, object_at
from pfe.scorers.calls.written import BrokenError, UnreadableError

_NAME = r"(?P<name>[\w.-]{1,200})"


def _named(opening: str, closing: str = "", bare: bool = False) -> Notation:
    """Build a notation whose opening ends where the arguments begin.

    Args:
        closing: a pattern that may follow the arguments.
        bare: accept only functions on offer, because the opening may be prose.
    """
    ending = re.compile(rf"\s*(?:{closing})" if closing else "")

    def read(text: str, opened: re.Match[str], names: Names) -> Reading:
        name = plain_name(opened["name"], names)
        if bare and name not in names:
            raise UnreadableError("no function on offer")
        try:
            value, end = object_at(text, opened.end())
        except UnreadableError as error:
            raise BrokenError(str(error)) from None
        closed = ending.match(text, end)
        return Reading((build_call(name, value, names),), closed.end() if closed else end)

    return Notation(re.compile(rf"{opening}\s*(?=\{{)"), read, bare)


NOTATIONS = (
    _named(
        rf"<｜tool▁call▁begin｜>\s*function\s*<｜tool▁sep｜>\s*{_NAME}\s*```(?:json)?", r"```\s*<｜tool▁call▁end｜>"
    ),
    _named(rf"<｜tool▁call▁begin｜>\s*{_NAME}\s*<｜tool▁sep｜>", "<｜tool▁call▁end｜>"),
    _named(rf"\bto=(?:functions\.)?{_NAME}(?=[\s<{{])[^{{}}\n]{{0,80}}", r"<\|call\|>|<\|end\|>"),
    _named(rf"<\|tool_call_begin\|>\s*{_NAME}(?::\d+)?\s*<\|tool_call_argument_begin\|>", r"<\|tool_call_end\|>"),
    _named(rf"<\|tool_call:begin\|>\w*<\|tool_call:name\|>{_NAME}<\|tool_call:args\|>", r"<\|tool_call:end\|>"),
    _named(rf"\[TOOL_CALLS\]\s*{_NAME}(?:\[CALL_ID\]\w{{1,40}})?\[ARGS\]"),
    _named(rf"<\|recipient\|>\s*{_NAME}\s*<\|content\|>", r"<\|stop\|>"),
    _named(rf"<function={_NAME}>", "</function>"),
    _named(rf">>>\s*{_NAME}\n"),
    _named(rf"[ \t]*{_NAME}[ \t]*\n?", bare=True),
)
