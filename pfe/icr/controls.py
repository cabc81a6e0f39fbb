"""The control arms: changed libraries that leave only a part of a library's effect.

Example: one method of a library, its `form`, and the method `shuffled`:
    METHOD 2: FINDING WHAT'S LEFT          METHOD 2: …          METHOD 2: FINDING WHAT'S LEFT
    When: Part of an amount is used        When: …              When: Part of an amount is used
    Example: 32 m are cut from 50 m …      Example: …           Example: A choir has 14 sopranos …
    → What's left: 50 - 32 = 18 m.         → …                  → Combining: 14 + 9 + 11 = 34 singers.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from hashlib import sha256
from math import factorial
from random import Random
from typing import NamedTuple

from pfe.errors import UserError
from pfe.icr.contexts import blocks, is_heading, sections
from pfe.icr.prefix import Prefix
from pfe.problem import Domain, Problem

BLANK = "…"
# The libraries that placebos are built from, with the domain that each serves. New libraries are not added, so that the
# placebos of the other benchmarks do not change.
DONORS: Mapping[str, Domain] = {
    "arc.txt": "science",
    "boolq.txt": "boolean",
    "gsm1k.txt": "math",
    "hellaswag.txt": "commonsense",
    "mbpp.txt": "code",
    "race.txt": "reading",
    "trivia_qa.txt": "factual",
    "winogrande.txt": "coreference",
}
PLACEBOS = 3  # placebos per benchmark; each problem is asked with one of them
_WORD = re.compile(r"\S+")
_LABEL = re.compile(r" *(?:[-→•*] |[A-Z][A-Za-z]*(?: \d+)?:(?: |$))?")
_EXAMPLES = {
    "example": re.compile(r"^ *(?:Example|Template|Solution|A):", re.MULTILINE),
    "bullets": re.compile(r"^- ", re.MULTILINE),
}


def donors(name: str, domain: Domain, text: int, seed: str) -> tuple[str, ...]:
    """Return the libraries that one placebo of the library `name` is built from, in order.

    They serve other domains, and do not depend on which other benchmarks and libraries exist. They are shuffled by
    `seed` and dealt to the `PLACEBOS` placebos. Each placebo then has the remaining ones after its own, in case the
    library is longer.

    Args:
        name: a file of `pfe/icr/libraries/`.
        domain: the domain of its benchmark.
        text: the index of the placebo, below `PLACEBOS`.
        seed: shuffles the libraries.
    """
    libraries = [library for library, served in DONORS.items() if library != name and served != domain]
    drawn = sorted(libraries, key=lambda library: sha256(f"{seed}:{library}".encode()).digest())
    dealt = drawn[text::PLACEBOS]
    return (*dealt, *(library for library in drawn if library not in dealt))


def text_of(problem: Problem, seed: int) -> int:
    """Return the index of the placebo that a problem is asked with, sampled with a fixed seed; a group shares one."""
    drawn = sha256(f"{seed}:placebo:{problem.group or problem.id}".encode()).digest()
    return int.from_bytes(drawn) % PLACEBOS


def placebo(prefix: Prefix, others: Sequence[Prefix], words: int) -> Prefix:
    """Return the first `words` words of other libraries (all, if they have fewer) between this one's head and tail.

    The others are used in order, as far as they are needed, without their notes and closing sections, because those say
    how to answer another benchmark.
    """
    text = "".join(method for other in others for method in sections(other).methods)
    ends = [0, *(word.end() for word in _WORD.finditer(text))]
    return replace(prefix, methods=blocks(text[: ends[: words + 1][-1]]))


def methods_words(prefix: Prefix) -> int:
    """Return the number of words in the methods of a prefix."""
    return len(_WORD.findall("".join(prefix.methods)))


def placebo_words(prefix: Prefix, others: Sequence[Prefix], count: Callable[[str], int]) -> int:
    """Return how many words of the others bring the placebo closest to this library's token count.

    `count` is the tokenizer of the evaluated model; it is called about log2(words) times.

    Raises:
        UserError: the others together are shorter than this library.
    """

    @cache
    def tokens(words: int) -> int:
        return count(placebo(prefix, others, words).text)

    sought, most = count(prefix.text), sum(methods_words(Prefix(methods=sections(other).methods)) for other in others)
    enough = min(len(prefix.text.split()), most)
    while tokens(enough) < sought:
        if enough == most:
            raise UserError(
                f"arm placebo: all other libraries together have {tokens(most):,} tokens, {prefix.head.strip()} has "
                f"{sought:,}; shorten it, or leave placebo out of evaluate.arms"
            )
        enough = min(2 * enough, most)
    reached = bisect_left(range(enough), sought, key=tokens)
    return min(max(reached - 1, 0), reached, key=lambda words: abs(tokens(words) - sought))


def form(prefix: Prefix) -> Prefix:
    """Return the library's headings, labels, numbering, bullets and lines, with "…" in place of their content.

    A label is one capitalised word, optionally with a number, and a colon, at the start of a line (`METHOD 1:`,
    `When:`). A heading is the title, or the heading of a closing section.
    """
    return replace(prefix, methods=tuple(_blank_method(method) for method in prefix.methods))


def shuffled(prefix: Prefix) -> Prefix:
    """Return the library with the example of each method replaced by that of the method before it.

    The first method gets the example of the last. An example runs from the first line that begins with `Example:`,
    `Template:`, `Solution:` or `A:` to the end of the method; if there is none, the bullets are the example. Examples
    are exchanged with examples, and bullets with bullets; a method that is the only one of its kind is unchanged.
    """
    parts = [_parts(method) for method in prefix.methods]
    before = {part.kind: part.example for part in parts}
    methods = []
    for part in parts:
        methods.append(part.lead + before[part.kind])
        before[part.kind] = part.example
    return replace(prefix, methods=tuple(methods))


def reordered(prefix: Prefix, seed: int, order: int) -> Prefix:
    """Return the library with its methods in another order; order 0 is as written.

    Notes remain in front and closing sections at the end. Numbers remain with their methods ("METHOD 3:" may come
    first), so that only the order differs.
    """
    notes, methods, closing = sections(prefix)
    places = permutation(len(methods), seed, order)
    return replace(prefix, methods=(*notes, *(methods[i] for i in places), *closing))


def permutation(size: int, seed: int, order: int) -> tuple[int, ...]:
    """Return a permutation of 0, 1, …: order 0 is the identity, the others are sampled with a fixed seed.

    None is repeated until all size! have been used.
    """
    random = Random(f"{seed}:order")
    orders = [tuple(range(size))]
    index = order % factorial(size)
    while len(orders) <= index:
        another = tuple(random.sample(range(size), size))
        if another not in orders:
            orders.append(another)
    return orders[index]


def _blank_method(method: str) -> str:
    first, newline, rest = method.partition("\n")
    return (first if is_heading(first) else _blank_text(first)) + newline + _blank_text(rest)


def _blank_text(text: str) -> str:
    return "\n".join(map(_blank_line, text.split("\n")))


def _blank_line(line: str) -> str:
    label = _LABEL.match(line)
    assert label is not None
    return label[0] + BLANK if label.end() < len(line) else line


class _Parts(NamedTuple):
    """A method, split where its example begins."""

    kind: str
    lead: str
    example: str


def _parts(method: str) -> _Parts:
    for kind, pattern in _EXAMPLES.items():
        if match := pattern.search(method):
            return _Parts(kind, method[: match.start()], method[match.start() :])
    return _Parts("none", method, "")
