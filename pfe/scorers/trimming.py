"""Trimming of outputs: a chat header is removed, and a model that runs on past its turn or to a next question is cut.

Example: "#### 18\\n\\nQuestion: Tom has ..." is cut to "#### 18", as is "<|im_start|>assistant\\n#### 18<|im_end|>".
"""

import re

# The beginning of a line that opens a next question or section.
NEXT = (
    r"[ \t]*(?:(?:Question|Problem|Exercise|Request|Passage|Article|Human|User|Q) ?[0-9]{0,4} ?:"
    r"|\[(?!ANSWER\])[A-Z][A-Z ]{2,40}\])"
)
# The signature of a documented function, which may open the next problem.
SIGNATURE = r"[\w.]{1,80}\(\w+: [^\n]*\)(?: -> [^\n]*)?(?=\n|\Z)"
HEAD, TAIL = 4_000, 16_000  # characters that are read from a longer output
_NEXT = re.compile(rf"\n{NEXT}")
_TOKEN = r"</?s>|<\|[A-Za-z_]{2,24}\|>|<｜[^｜\n]{2,24}｜>|<(?:end_of_turn|eos|turn\|)>|\[/?INST\]"
_END = re.compile(rf"(?<=.)(?:{_TOKEN})", re.DOTALL)
_TRAILING = re.compile(rf"(?:\s{{0,99}}(?:{_TOKEN}))+\s*\Z")
_HEADER = re.compile(
    r"\A\s*(?:(?:<s>|<bos>|<\|begin_of_text\|>|<\|startoftext\|>|\[/INST\])\s*)*"
    r"(?:(?:<\|im_start\|>|<\|start_header_id\|>|<start_of_turn>|<\|start_of_role\|>|<\|turn>)?"
    r"(?:assistant|model)(?:<\|end_header_id\|>|<\|end_of_role\|>|:|\n)|<\|assistant\|>|<｜Assistant｜>)?\s*",
    re.IGNORECASE,
)


def before_next_question(output: str) -> str:
    """Return the stripped output without a chat header, up to a next question or section or an end-of-turn token."""
    text = _NEXT.split(without_header(output).strip(), maxsplit=1)[0]
    return _END.split(text, maxsplit=1)[0].strip()


def ends_of(text: str) -> str:
    """Return the first `HEAD` and last `TAIL` characters of a text, where answers stand; a short text unchanged."""
    return text if len(text) <= HEAD + TAIL else f"{text[:HEAD]}\n{text[-TAIL:]}"


def without_header(output: str) -> str:
    """Return the output without the special tokens and the role name at the start of its chat turn."""
    return output[header.end() :] if (header := _HEADER.match(output)) and header[0].strip() else output


def without_end_tokens(output: str) -> str:
    """Return the output without the end-of-turn tokens at its end."""
    end = len(output)
    while match := _TRAILING.search(output, max(0, end - 200), end):
        end = match.start()
    return output[:end]
