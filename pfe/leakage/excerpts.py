"""The parts of a method library that are compared with sealed problems, with their line numbers.

Example, from trivia_qa.txt: the line
    Example: Which Italian city has the leaning Asinelli tower? → Bologna
by itself, in every run of up to three lines that contains it, and in the whole of its method.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from pfe.errors import UserError, nearest
from pfe.icr.contexts import LIBRARIES
from pfe.icr.functions import CATALOGUE, catalogue, documentation
from pfe.icr.retrieval import Entry

ADJACENT = 3  # most lines of a run: a question, its answer, and a heading between or before them


@dataclass(frozen=True)
class Excerpt:
    """Part of a library; `line` is the number of its first line in the file, from 1. `whole` marks a complete method.

    `solved` marks a solved problem of the base. Only the firewall's gates judge it, as they judge candidates: an answer
    that is a number or a program fits many questions by chance.
    """

    library: str
    line: int
    text: str
    whole: bool
    solved: bool = False


def excerpts(library: str) -> tuple[Excerpt, ...]:
    """Return every line, every run of up to three lines without a blank one between, and every method as a whole.

    For a catalogue of functions, return these for the documentation of each function, as a model reads it, with the
    line of the function's name.

    Args:
        library: a file of `pfe/icr/libraries/`.

    Raises:
        UserError: there is no such library.
    """
    return tuple(_of_catalogue(library) if library.endswith(CATALOGUE.suffix) else _of_text(library))


def entry_excerpts(entry: Entry) -> tuple[Excerpt, ...]:
    """Return every line, every run of up to three lines and the whole of an entry; a solved problem only as a whole."""
    if entry.key != entry.text:
        return (Excerpt(entry.source, entry.line, entry.text, True, solved=True),)
    numbered = enumerate(entry.text.splitlines(), entry.line)
    return tuple(_of_block(entry.source, [(number, line) for number, line in numbered if line.strip()]))


def entry_lines(entries: Sequence[Entry]) -> dict[str, int]:
    """Count the lines of the entries that are not blank, by file; facts and solved problems by their set."""
    counts: Counter[str] = Counter()
    for entry in entries:
        source = entry.source if entry.written else entry.source.partition("/")[0]
        counts[source] += sum(bool(line.strip()) for line in entry.text.splitlines())
    return dict(counts)


def lines(library: str) -> int:
    """Count the lines of a library that are not blank."""
    return sum(bool(line.strip()) for line in _read_lines(library))


def _of_text(library: str) -> Iterator[Excerpt]:
    numbered = enumerate(_read_lines(library), 1)
    for filled, group in groupby(numbered, key=lambda pair: bool(pair[1].strip())):
        if filled:
            yield from _of_block(library, list(group))


def _of_catalogue(library: str) -> Iterator[Excerpt]:
    file_lines = _read_lines(library)
    for function in catalogue(LIBRARIES / library).values():
        first = next(number for number, line in enumerate(file_lines, 1) if line.strip() == f"{function.name}:")
        numbered = [(first, line) for line in documentation(function).splitlines()]
        yield from _of_block(library, numbered)


def _of_block(library: str, block: list[tuple[int, str]]) -> Iterator[Excerpt]:
    stripped = [(number, line.strip()) for number, line in block]
    for size in range(1, min(ADJACENT, len(stripped)) + 1):
        for start in range(len(stripped) - size + 1):
            part = stripped[start : start + size]
            yield Excerpt(library, part[0][0], "\n".join(line for _, line in part), size == len(stripped))
    if len(stripped) > ADJACENT:
        yield Excerpt(library, stripped[0][0], "\n".join(line for _, line in stripped), True)


def _read_lines(library: str) -> list[str]:
    try:
        return (LIBRARIES / library).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        names = [path.name for path in LIBRARIES.iterdir()]
        raise UserError(f"unknown ICR library '{library}'; {nearest(library, names)}") from None
