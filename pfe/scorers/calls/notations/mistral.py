"""Mistral's calls by name.

    [TOOL_CALLS]get_weather[ARGS]{"location": "Oslo"}
    [TOOL_CALLS]get_weather[CALL_ID]a1b2c3d4e[ARGS]{"location": "Oslo"}
    get_weather{"location": "Oslo"}                 (where the tokenizer drops its special tokens)

The list of objects behind [TOOL_CALLS] (tokenizers up to v7) is read in `tagged.py`.
Source: mistral-common, tokenizers v11 and v13; vLLM's mistral_tool_parser.
"""

from pfe.scorers.calls.arguments import named_object

_NAME = r"(?P<name>[\w.-]{1,200})[ \t]*"
NOTATIONS = (
    named_object(rf"\[TOOL_CALLS\]\s*{_NAME}(?:\[CALL_ID\]\w{{1,40}})?(?:\[ARGS\])?"),
    named_object(rf"(?<![\w.-]){_NAME}(?:\[CALL_ID\]\w{{1,40}})?\[ARGS\]"),
    named_object(rf"[ \t]*{_NAME}\n?", bare=True),
)
