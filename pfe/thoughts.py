"""Thoughts: what a model writes before its answer, and what no scorer reads.

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
# A mark in quotation marks is spoken of, not used.
_OPEN = re.compile(rf"(?<![\"'`])(?:{_OPENING})", re.IGNORECASE)
_CLOSE = re.compile(rf"(?<![\"'`])(?:{_CLOSING})", re.IGNORECASE)
_MARK = re.compile(rf"{_OPEN.pattern}|{_CLOSE.pattern}", re.IGNORECASE)
_OPENED = re.compile(rf"(?:{_OPENING})\s*\Z", re.IGNORECASE)
# gpt-oss once its special tokens are left out: "analysisWe add.assistantfinal18".
_BARE = re.compile(r"\Aanalysis(?=[A-Z])(?:.*?assistant(?:final|commentary))?", re.DOTALL)
# What stands between a thought and the answer.
_HEADER = re.compile(
    r"\A\s*(?:(?:<\|start\|>assistant)?<\|channel\|>\w*<\|message\|>|<\|(?:begin_of_solution|START_RESPONSE)\|>)"
)


def after_thoughts(output: str) -> str | None:
    """Return the output without its thoughts; None if it ends within one, and so has no answer.

    The answer follows the last thought, or stands before it if nothing does. Everything before a closing mark that
    closes nothing is a thought too: some templates open it in the prompt.
    """
    if bare := _BARE.match(output):
        return None if bare[0] == "analysis" else output[bare.end() :]
    answer, place = "", 0
    while mark := _MARK.search(output, place):
        if _CLOSE.match(output, mark.start()):
            answer, place = "", mark.end()
            continue
        closed = _CLOSE.search(output, mark.end())
        if closed is None:
            return None
        answer, place = output[place : mark.start()].strip() or answer, closed.end()
    rest = output[place:]
    return _HEADER.sub("", rest if rest.strip() else answer, count=1)


def opened_thought(prompt: str) -> str:
    """Return the mark at the end of a prompt that opens a thought; "" if it opens none."""
    opened = _OPENED.search(prompt)
    return opened[0] if opened else ""


def closes_thought(text: str) -> bool:
    """Return whether a closing mark stands in the text."""
    return _CLOSE.search(text) is not None
