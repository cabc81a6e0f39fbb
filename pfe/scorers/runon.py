"""Where an answer ends and a model goes on to the next question by itself.

Example: "#### 18\\n\\nQuestion: Tom has ..." is cut to "#### 18".
"""

import re

_NEXT = re.compile(r"\n[ \t]*(?:Question|Problem|Q) ?[0-9]{0,4} ?:")


def before_next_question(output: str) -> str:
    """The output up to where a next question starts, stripped."""
    return _NEXT.split(output.strip(), maxsplit=1)[0].strip()
