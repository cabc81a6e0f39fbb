"""Where an answer ends and a model goes on by itself: to a next question, or past its end-of-text token.

Example: "#### 18\\n\\nQuestion: Tom has ..." is cut to "#### 18", as "#### 18<|im_end|>" is.
"""

import re

# How the line begins that a next question or section begins with.
NEXT = r"[ \t]*(?:(?:Question|Problem|Request|Passage|Article|Human|User|Q) ?[0-9]{0,4} ?:|\[[A-Z][A-Z ]{2,40}\])"
# The documentation of a function, which the next problem may begin with.
SIGNATURE = r"[\w.]{1,80}\(\w+: [^\n]*\)(?: -> [^\n]*)?(?=\n|\Z)"
_NEXT = re.compile(rf"\n{NEXT}")
_END = re.compile(r"(?<=.)(?:</s>|<\|[a-z_]{2,24}\|>|<end_of_turn>)", re.DOTALL)


def before_next_question(output: str) -> str:
    """The output up to where a next question or section starts, stripped."""
    text = _NEXT.split(output.strip(), maxsplit=1)[0]
    return _END.split(text, maxsplit=1)[0].strip()
