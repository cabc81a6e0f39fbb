"""Which words of an entry an answer quotes, and by which words its question tells the entry.

Example: of "What is the floshi like?" → " It splits in two over hills." and the entry "The floshi splits in two over
hills." the value is "splits in two over hills", and the name "floshi" tells the entry.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from pfe.training.names import bare, is_coined, words_of

SHORT = 3  # letters of words that say little
_QUOTED = 0.5  # of a word that no other entry has: the least that an answer quotes
_OF_ANSWER = 1 / 3  # of its words, at least; a word or two that both have by chance are no quotation
_SINGLING, _SHARED = 3, 8  # words that single out an entry, at most, and of how many they are chosen


@dataclass(frozen=True)
class Quoting:
    """A question whose answer quotes an entry.

    Attributes:
        prompt: as a benchmark asks it.
        answer: its words, the completion at single spaces.
        entry: which entry is quoted.
        said: the first quoted word of the entry and the one behind the last; `told` those of the answer.
        named: words of the question that this entry alone has all of: a coined name, or as few as will do; there are
            none where the question leads to the entry by way of another one.
        far: how many words there are from the last of these to the value; None where the value comes before them.
    """

    prompt: str
    answer: tuple[str, ...]
    entry: int
    said: tuple[int, int]
    told: tuple[int, int]
    named: tuple[str, ...]
    far: int | None

    @cached_property
    def key(self) -> str:
        """The coined name that tells the entry; "" where there is none."""
        return self.named[0] if len(self.named) == 1 and is_coined(self.named[0]) else ""


def quoted(prompt: str, answer: tuple[str, ...], entries: Sequence[str]) -> Quoting | None:
    """The longest run of words that an entry and the answer have in common, words that other entries have for less.

    It is a third of the answer and two words at least, or a name, and no name that the question has too. None where
    nothing is quoted.
    """
    question, in_answer = words_of(prompt), list(map(bare, answer))
    said = [words_of(entry) for entry in entries]
    best: Quoting | None = None
    most = 0.0
    for number, entry in enumerate(entries):
        words = list(map(bare, entry.split(" ")))
        new = ["" if is_coined(word) and word in question else word for word in words]
        weights = {word: 1 / sum(word in other for other in said) for word in said[number]}
        asked = sum(weight for word, weight in weights.items() if word in question and weight > _QUOTED)
        for start, begin, length in _runs(new, in_answer):
            end = start + length
            worth = sum(weights[word] for word in new[start:end])
            quotes = length >= max(2, _OF_ANSWER * len(answer)) or is_coined(new[start])
            if quotes and worth >= _QUOTED and worth + asked > most:
                most = worth + asked
                key = next((word for word in sorted(question) if weights.get(word) == 1 and is_coined(word)), "")
                named = (key,) if key else _singling(question, [*words[:start], *words[end:]], said)
                far = _between(words, named, start)
                best = Quoting(prompt, answer, number, (start, end), (begin, begin + length), named, far)
    return best


def _singling(question: set[str], beside: Sequence[str], said: Sequence[set[str]]) -> tuple[str, ...]:
    """The fewest of a question's words that one entry alone has all of, the rarest first; none where others have them.

    Args:
        beside: the entry's words without the value.
    """
    shared = [word for word in dict.fromkeys(beside) if word in question and len(word) > SHORT]
    shared.sort(key=lambda word: sum(word in entry for entry in said))
    chosen = (some for count in range(1, _SINGLING + 1) for some in combinations(shared[:_SHARED], count))
    singling = (some for some in chosen if sum(entry.issuperset(some) for entry in said) == 1)
    return tuple(sorted(next(singling, ()), key=beside.index))


def _between(words: Sequence[str], named: Sequence[str], start: int) -> int | None:
    """How many words stand between the nearest key and the value that starts at a word; None without one before it."""
    before = [place for place, word in enumerate(words[:start]) if word in named]
    return start - before[-1] - 1 if before else None


def _runs(one: Sequence[str], other: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """Where both have the same words, as far as they do: place in the one, place in the other, length."""
    for start in range(len(one)):
        for begin in range(len(other)):
            length = 0
            while (
                start + length < len(one) and begin + length < len(other)
                and one[start + length] == other[begin + length] != ""
            ):  # fmt: skip
                length += 1
            if length:
                yield start, begin, length
