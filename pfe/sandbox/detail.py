"""The detail of a result: a text of an untrusted program, in a bounded length.

Example: of 450,000 characters the first and the last 480 are kept, with " [… 449,040 characters cut …] " in between.
"""

from pfe.processes.guard import message

LONGEST = 1000  # characters
NOTE = 40  # characters that the note may take


def shortened(text: str, longest: int = LONGEST) -> str:
    """Return a text in at most `longest` characters: its middle is cut, with a note of how much."""
    if len(text) <= longest:
        return text
    half = (longest - NOTE) // 2
    return f"{text[:half]} [… {len(text) - 2 * half:,} characters cut …] {text[-half:]}"


def describe(error: BaseException) -> str:
    """Return the type and the message of an exception; they take at most half of a detail."""
    return shortened(message(error), LONGEST // 2)
