"""What stands inside Markdown fences.

Example: "```json\\n{}\\n```" holds "{}".
"""

import re

_BLOCK = re.compile(r"^[ \t]*```[\w+-]*[ \t]*\r?\n(.*?)(?:^[ \t]*```|\Z)", re.DOTALL | re.MULTILINE)


def unfenced(output: str) -> str:
    """The inside of an output that is one fenced block; any other output as it is."""
    text = output.strip()
    opening, _, rest = text.partition("\n")
    if text.count("```") == 2 and opening.startswith("```") and rest.endswith("```"):
        return rest.removesuffix("```")
    return output


def first_block(output: str) -> str | None:
    """The inside of the first fenced block, closed or not; None where there is none."""
    match = _BLOCK.search(output)
    return match[1] if match else None


def blocks(output: str) -> list[str]:
    """The insides of all fenced blocks, in order; the last one may be open."""
    return _BLOCK.findall(output)
