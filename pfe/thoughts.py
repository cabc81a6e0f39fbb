"""Removal of reasoning ("thoughts") that a model writes before its answer and that no scorer reads.

Example: the answer in "<think>\\nPerhaps 12? No.\\n</think>\\n\\n18 loaves." is "18 loaves."; an output that ends in
a thought, "<think>\\nPerhaps 12", has none.

Sources: the chat templates of DeepSeek-R1, Qwen3 and most others (`<think>`), Magistral (`[THINK]`), gpt-oss
(`<|channel|>analysis`), Gemma 4 (`<|channel>thought`), Command A Reasoning (`<|START_THINKING|>`), OpenThinker
(`<|begin_of_thought|>`), Seed-OSS (`<seed:think>`) and Kimi-VL (`◁think▷`).
"""

import re

_NAME = (
    r"(?:[a-z]{1,8}:)?(?:[a-z]{1,8}_)?"
    r"(?:think|thinking|thought|thoughts|reason|reasoning|reflection|scratchpad|analysis)(?::[a-z]+)?"
)
_OPENING = (
    rf"<{_NAME}>|\[THINK\]|<\|START_THINKING\|>|<\|begin_of_thought\|>|◁think▷|<\|channel>thought|"
    r"(?:<\|start\|>assistant)?<\|channel\|>analysis<\|message\|>"
)
_CLOSING = (
    rf"</{_NAME}>|\[/THINK\]|<\|END_THINKING\|>|<\|end_of_thought\|>|◁/think▷|<channel\|>|"
    r"<\|end\|>(?=<\|start\|>)|<\|end\|>(?=<\|channel\|>)"
)
# A mark inside quotation marks or a code span is mentioned, or part of an argument, and does not count. The first
# quotation mark of an answer, after a thought with an unclosed one, does not close it: text follows it directly.
_BEFORE, _BEHIND = r"(?<![^\s(\[{,:=])", r"(?=[\s.,;:!?)\]}]|\Z)"
_QUOTED = (
    rf"{_BEFORE}(?:\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'){_BEHIND}|"
    rf"{_BEFORE}(?:\"[^\"\n<\[◁]*\"|'[^'\n<\[◁]*')|(?<!`)`(?![`\s])[^`\n]*`|"
    rf"{_BEFORE}[\"'`](?:{_OPENING}|{_CLOSING})\Z"
)
_MARK = re.compile(rf"{_QUOTED}|(?P<opening>{_OPENING})|(?P<closing>{_CLOSING})", re.IGNORECASE)
_OPENED = re.compile(rf"(?:{_OPENING})\s*\Z", re.IGNORECASE)
# gpt-oss after its special tokens were stripped: "analysisWe add.assistantfinal18".
_BARE = re.compile(r"\Aanalysis(?=[A-Z])(?:.*?assistant(?:final|commentary))?", re.DOTALL)
# The header between a thought and the answer.
_HEADER = re.compile(
    r"\A\s*(?:(?:<\|start\|>assistant)?<\|channel\|>\w*<\|message\|>|<\|(?:begin_of_solution|START_RESPONSE)\|>)"
)


def after_thoughts(output: str) -> str | None:
    """Return the output without its thoughts; None if it ends within one, and so has no answer.

    The answer follows the last thought, or precedes it if nothing follows. Everything before an unmatched closing mark
    is a thought too: some templates open it in the prompt.
    """
    if bare := _BARE.match(output):
        return None if bare[0] == "analysis" else output[bare.end() :]
    answer, place, opened = "", 0, None
    for mark in _MARK.finditer(output):
        if mark["closing"]:
            answer = "" if opened is None else output[place:opened].strip() or answer
            place, opened = mark.end(), None
        elif mark["opening"] and opened is None:
            opened = mark.start()
    if opened is not None:
        return None
    rest = _HEADER.sub("", output[place:], count=1)
    return rest if rest.strip() else _HEADER.sub("", answer, count=1)


def opened_thought(prompt: str) -> str:
    """Return the mark at the end of a prompt that opens a thought; "" if there is none."""
    opened = _OPENED.search(prompt)
    return opened[0] if opened else ""


def closes_thought(text: str) -> bool:
    """Return whether the text contains a closing mark."""
    return any(mark["closing"] for mark in _MARK.finditer(text))
