"""Where an answer begins behind its chat header, and ends as a model goes on to a next question or past its turn.

Example: "#### 18\\n\\nQuestion: Tom has ..." is cut to "#### 18", as "<|im_start|>assistant\\n#### 18<|im_end|>" is.
"""

import re

# How the line begins that a next question or section begins with.
NEXT = (
    r"[ \t]*(?:(?:Question|Problem|Exercise|Request|Passage|Article|Human|User|Q) ?[0-9]{0,4} ?:"
    r"|\[(?!ANSWER\])[A-Z][A-Z ]{2,40}\])"
)
# The documentation of a function, which the next problem may begin with.
SIGNATURE = r"[\w.]{1,80}\(\w+: [^\n]*\)(?: -> [^\n]*)?(?=\n|\Z)"
HEAD, TAIL = 4_000, 16_000  # characters that are read of a longer output
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
    """Return the output up to where a next question or section starts, without a chat header, stripped."""
    text = _NEXT.split(without_header(output).strip(), maxsplit=1)[0]
    return _END.split(text, maxsplit=1)[0].strip()


def ends_of(text: str) -> str:
    """Return the text's first and last characters, where answers stand; all of one that is not very long."""
    return text if len(text) <= HEAD + TAIL else f"{text[:HEAD]}\n{text[-TAIL:]}"


def without_header(output: str) -> str:
    """Return the output without the tokens and the name that its turn of a chat begins with."""
    return output[header.end() :] if (header := _HEADER.match(output)) and header[0].strip() else output


def without_end_tokens(output: str) -> str:
    """Return the output without the end-of-turn tokens that it ends in."""
    end = len(output)
    while match := _TRAILING.search(output, max(0, end - 200), end):
        end = match.start()
    return output[:end]
