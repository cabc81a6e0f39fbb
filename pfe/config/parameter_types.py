"""Parameter types: numbers bounded on both sides, and texts that match a pattern.

Example: `Share` is a number from 0 to 1; `Name` is up to 64 letters, digits, _ and -.
"""

from collections.abc import Sequence
from typing import Annotated, TypeVar

from annotated_types import Ge, Gt, Le, MaxLen, MinLen
from pydantic import AfterValidator, StringConstraints
from pydantic_core import PydanticCustomError

T = TypeVar("T")
Share = Annotated[float, Ge(0), Le(1)]
# The bounds come from the limits of machines, models and the integer types of libraries.
Count = Annotated[int, Gt(0), Le(2**31 - 1)]  # fits the integers of all libraries
CountOrNone = Annotated[int, Ge(0), Le(2**31 - 1)]
Several = Annotated[int, Gt(0), Le(100_000)]  # repetitions
AtOnce = Annotated[int, Gt(0), Le(10_000)]  # jobs of a cluster, or open connections
Cores = Annotated[int, Gt(0), Le(1024)]  # processes and threads: twice what the largest machines run at once
Steps = Annotated[int, Ge(0), Le(10**7)]  # a year at three seconds each
Rate = Annotated[float, Ge(1e-9), Le(1)]  # with a smaller rate no float32 weight changes
Tokens = Annotated[int, Gt(0), Le(2**20)]  # the longest context windows of models
Layers = Annotated[int, Gt(0), Le(1024)]  # heads too; ten times those of the largest models
Width = Annotated[int, Gt(0), Le(2**16)]  # four times that of the largest models
Memory = Annotated[int, Ge(16), Le(2**24)]  # MiB, up to 16 TiB
Gigabytes = Annotated[int, Gt(0), Le(2**14)]  # up to 16 TB
Seconds = Annotated[float, Ge(0.01), Le(1e8)]  # three years
Seed = Annotated[int, Ge(0), Le(2**32 - 1)]
Prices = Annotated[  # dollars per million tokens in and out
    tuple[Annotated[float, Ge(0), Le(1e6)], ...], MinLen(2), MaxLen(2)
]
# Names become folders, files and words in shell commands.
NAME = r"^[A-Za-z0-9_][A-Za-z0-9_-]{0,63}$"
Name = Annotated[str, StringConstraints(pattern=NAME)]
# Labels appear in tables, in Markdown and on the terminal, one per row.
LABEL = r"^[^|`\x00-\x1f\x7f]*[^|`\s\x00-\x1f\x7f][^|`\x00-\x1f\x7f]*$"
Label = Annotated[str, StringConstraints(pattern=LABEL, max_length=60)]
FILE_NAME = r"^[A-Za-z0-9_-]+\.(txt|yaml)$"
FileName = Annotated[str, StringConstraints(pattern=FILE_NAME, max_length=64)]
# Paths, names on the hub, addresses, and other texts of one line.
LINE = r"^[^\x00-\x1f\x7f]*[^\s\x00-\x1f\x7f][^\x00-\x1f\x7f]*$"
Line = Annotated[str, StringConstraints(pattern=LINE, max_length=4096)]
# The formats of sbatch's --time: minutes, with seconds, hours or days, or no limit.
DURATION = r"^([0-9]{1,6}(:[0-9]{1,2}){0,2}|[0-9]{1,4}-[0-9]{1,2}(:[0-9]{1,2}){0,2}|(?i:UNLIMITED|INFINITE))$"
Duration = Annotated[str, StringConstraints(pattern=DURATION)]
SHA256 = r"^[0-9a-f]{64}$"
Sha256 = Annotated[str, StringConstraints(pattern=SHA256)]
PROSE = r"\S"
Prose = Annotated[str, StringConstraints(pattern=PROSE)]
LOWEST_TEMPERATURE = 0.01
BYTES_AND_MARKS = 258  # the smallest vocabulary of a student: 256 bytes, end and padding


def check_distinct(values: Sequence[T]) -> Sequence[T]:
    """Return the values if none occurs twice.

    Raises:
        PydanticCustomError: one does.
    """
    for place, value in enumerate(values):
        if value in values[:place]:
            raise PydanticCustomError("twice", "{value} stands there twice; leave one out", {"value": repr(value)})
    return values


def check_temperature(value: float) -> float:
    """Return the temperature if logits can be divided by it, or if it is 0 (greedy decoding).

    Raises:
        PydanticCustomError: it is neither.
    """
    if 0 < value < LOWEST_TEMPERATURE:
        raise PydanticCustomError(
            "temperature",
            "{value} divides logits to numbers that are none; set it to 0, which is greedy, or from {lowest}",
            {"value": repr(value), "lowest": LOWEST_TEMPERATURE},
        )
    return value


Distinct = AfterValidator(check_distinct)
