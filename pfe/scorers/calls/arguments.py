"""What many notations share: the name of a function, and behind it its arguments as an object.

Example: `named_object(r"\\[TOOL_CALLS\\](?P<name>[\\w.-]+)\\[ARGS\\]")` reads
`[TOOL_CALLS]get_time[ARGS]{"zone": "CET"}`.
"""

import re

from pfe.scorers.calls.notation import Names, Notation, Reading, plain_name
from pfe.scorers.calls.notations.objects import build_call, object_at
from pfe.scorers.calls.written import BrokenError, UnreadableError


def named_object(opening: str, closing: str = "", bare: bool = False) -> Notation:
    """A notation whose opening ends where the arguments begin, and holds the function as `name`.

    Args:
        closing: what may stand behind the arguments.
        bare: only functions on offer are meant, as the opening may be prose.
    """
    behind = re.compile(rf"\s*(?:{closing})" if closing else "")

    def read(text: str, opened: re.Match[str], names: Names) -> Reading:
        name = plain_name(opened["name"], names)
        if bare and name not in names:
            raise UnreadableError("no function on offer")
        try:
            value, end = object_at(text, opened.end())
        except UnreadableError as error:
            raise BrokenError(str(error)) from None
        closed = behind.match(text, end)
        return Reading((build_call(name, value, names),), closed.end() if closed else end)

    return Notation(re.compile(rf"{opening}\s*(?=\{{)"), read, bare)
