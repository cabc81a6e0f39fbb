"""Worlds made anew: the sentences of a library-bound problem with other names and other values.

Example: "Settlers tell of the floshi, which splits in two over hills." and "What is the floshi like?" → " It splits in
two over hills." become, with a name coined again and the values of two entries exchanged,
    Settlers tell of the trogroo, which moves only along rivers.      What is the trogroo like?  →  " It moves only …"

The firewall makes worlds dear, and a student learns few of them by heart. Renewed they are as many as it can read, and
say nothing that was not accepted: every word is from the same world or coined, or drawn from the corpus as a value. A
value is what an answer quotes from one entry; who computes an answer, or says yes, quotes nothing and stays as it is.

Questions are short at first, the name alone, and grow to either side until they are whole; values are a word or two
of no meaning at first, then another entry's: what reads them cannot guess.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from pfe.icr.contexts import own_library
from pfe.training.corpus import plainly_asked
from pfe.training.rows import Asked
from pfe.tutors.coinage import coined
from pfe.tutors.content import table

WHOLE = 14  # the level whose questions are not cut
_WORDED, _EXCHANGED, _SAID, _ANY = 2, 4, 6, 8  # levels from which questions have words beside the name, values are
# another entry's, answers have their own words around the value, and questions that name no single entry come too
_FORMS = ("{}", "What about the {}", "What is true of {}", "What is said of the {}")
_QUOTED = 0.5  # of a word that no other entry has: the least that an answer quotes
_OF_ANSWER = 1 / 3  # of its words, at least; a word or two that both have by chance are no quotation
_FEW, _OF_ROWS = (
    3,
    500,
)  # in so many rows, or one in so many, a name may come again; a word that could be one is oftener
_ONCE = ("canonical", "icr")  # arms whose rows say what no other row of these says
_MARKS = ".,;:!?\"'()"


@dataclass(frozen=True)
class Quoting:
    """A question whose answer quotes an entry.

    Attributes:
        prompt: as a benchmark asks it.
        answer: its words, the completion at single spaces.
        entry: which entry is quoted.
        said: the first quoted word of the entry and the one behind the last; `told` those of the answer.
        key: the coined name in the question that this entry alone has; "" where there is none.
    """

    prompt: str
    answer: tuple[str, ...]
    entry: int
    said: tuple[int, int]
    told: tuple[int, int]
    key: str


@dataclass(frozen=True)
class World:
    """Entries in words, the questions that quote them, each another, and the names that are coined."""

    entries: tuple[tuple[str, ...], ...]
    questions: tuple[Quoting, ...]
    names: tuple[str, ...]

    def renewed(self, rng: Random, level: int, words: Sequence[str]) -> Asked:
        """The world with other names and values, asked as is fit for a level; nothing where no question is.

        Args:
            level: 0 to `WHOLE`; two in five times a lower one is taken.
            words: of which values of no meaning are drawn.
        """
        level = level if rng.random() < 0.6 else rng.randint(0, level)
        asked = [one for one in self.questions if level >= _ANY or one.key]
        values = self._values(asked, rng, level, words)
        fresh = dict(zip(self.names, coined(rng, len(self.names), self.names), strict=True))
        entries = [list(entry) for entry in self.entries]
        for one in asked:
            start, end = one.said
            behind = _marks(entries[one.entry][end - 1])
            entries[one.entry][start:end] = f"{' '.join(values[one.entry])}{behind}".split(" ")
        texts = [_named(" ".join(entry), fresh) for entry in entries]
        in_words = level >= _SAID and rng.random() < 0.5
        prompts = [self._prompt(one, fresh, texts, rng, level) for one in asked]
        answers = [_named(_answer(one, values[one.entry], in_words), fresh) for one in asked]
        return Asked(own_library(rng.sample(texts, len(texts))).text, tuple(prompts), tuple(answers))

    def _values(
        self, asked: Sequence[Quoting], rng: Random, level: int, words: Sequence[str]
    ) -> Mapping[int, Sequence[str]]:
        """The value of each entry that is asked for: words of no meaning, or what another one says."""
        share = 1.0 if level < _EXCHANGED else 0.5 if level < WHOLE else 0.2
        if rng.random() < share:
            return {one.entry: rng.choices(words, k=rng.choice((1, 2, 2, 3))) for one in asked}
        said = [[word.strip(_MARKS) for word in self.entries[one.entry][slice(*one.said)]] for one in asked]
        return {one.entry: value for one, value in zip(asked, rng.sample(said, len(said)), strict=True)}

    def _prompt(self, one: Quoting, fresh: Mapping[str, str], texts: Sequence[str], rng: Random, level: int) -> str:
        if level < _WORDED:
            form = rng.choice(_FORMS) if level else _FORMS[0]
            return f"Question: {form.format(fresh[one.key])}?\nAnswer:"
        prompt = _named(one.prompt, fresh)
        return prompt if level >= WHOLE else shortened(prompt, texts, rng, 2 * (level - _WORDED))


def worlds(rows: Iterable[Mapping[str, Any]]) -> list[World]:
    """The worlds of a corpus, by its rows: those with a question whose answer quotes an entry and that names it."""
    read = [row for row in rows if row["arm"] in _ONCE]
    seen = Counter(word for row in read for word in _words(" ".join((row["library"], *row["prompts"]))))
    few = max(_FEW, len(read) // _OF_ROWS)
    names = {word for word, count in seen.items() if count <= few and is_coined(word)}
    found = [_world(row["entries"], plainly_asked(row), names) for row in read if row["entries"]]
    return [world for world in found if any(one.key for one in world.questions)]


def speech(rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """What a corpus says, each world once: libraries that were written for problems, and prompts."""
    for row in rows:
        if row["arm"] in _ONCE:
            yield "\n".join((*row["entries"], *row["prompts"]))


def shortened(prompt: str, entries: Sequence[str], rng: Random, most: int) -> str:
    """A question from the first to the last word that few entries have, and at most so many words to either side.

    One that is not "Question: …" up to a last line "Answer:" stays whole.
    """
    found = re.fullmatch(r"(Question: )([^\n]*)(\nAnswer:)", prompt)
    if found is None:
        return prompt
    words = found[2].split(" ")
    said = [_words(entry) for entry in entries]
    few = max(2, len(entries) // 4)
    named = [
        place for place, word in enumerate(map(_bare, words))
        if len(word) > 3 and 0 < sum(word in entry for entry in said) <= few
    ]  # fmt: skip
    if not named:
        return prompt
    start = max(0, named[0] - rng.randint(0, most))
    end = named[-1] + 1 + rng.randint(0, most)
    return f"{found[1]}{' '.join(words[start:end]).rstrip('?.,')}?{found[3]}"


def is_coined(word: str) -> bool:
    """Whether a word could be one that `pfe.tutors.coinage` coins: some real words could."""
    return len(word) > 3 and _coined().fullmatch(word.lower()) is not None


def _world(entries: Sequence[str], asked: Iterable[tuple[str, str]], names: Collection[str]) -> World:
    said = [_words(entry) for entry in entries]
    spoken = set().union(*said)
    questions: dict[int, Quoting] = {}
    for prompt, completion in asked:
        spoken |= _words(prompt)
        found = _quoted(prompt, completion.strip().split(" "), entries, said, names)
        if found is not None:
            questions.setdefault(found.entry, found)
    in_entries = tuple(tuple(entry.split(" ")) for entry in entries)
    return World(in_entries, tuple(questions.values()), tuple(sorted(spoken.intersection(names))))


def _quoted(
    prompt: str, answer: Sequence[str], entries: Sequence[str], said: Sequence[set[str]], names: Collection[str]
) -> Quoting | None:
    """The longest run of words that an entry and the answer have in common, words that other entries have for less.

    It is a third of the answer and two words at least, or a name.
    """
    question = _words(prompt)
    best: Quoting | None = None
    most = 0.0
    for number, entry in enumerate(entries):
        words = [_bare(word) for word in entry.split(" ")]
        weights = {word: 1 / sum(word in other for other in said) for word in said[number]}
        asked = sum(weight for word, weight in weights.items() if word in question and weight > _QUOTED)
        for start, begin, length in _runs(words, [_bare(word) for word in answer]):
            run = words[start : start + length]
            worth = sum(weights.get(word, 0.0) for word in run)
            quotes = length >= max(2, _OF_ANSWER * len(answer)) or (length == 1 and run[0] in names)
            if quotes and worth >= _QUOTED and worth + asked > most:
                most = worth + asked
                key = next((word for word in sorted(question) if word in names and weights.get(word) == 1), "")
                best = Quoting(prompt, tuple(answer), number, (start, start + length), (begin, begin + length), key)
    return best


def _runs(one: Sequence[str], other: Sequence[str]) -> Iterable[tuple[int, int, int]]:
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


def _answer(one: Quoting, value: Sequence[str], in_words: bool) -> str:
    start, end = one.told
    before, behind = (one.answer[:start], one.answer[end:]) if in_words else ((), ())
    return " " + " ".join([*before, *value, *behind])


def _named(text: str, fresh: Mapping[str, str]) -> str:
    """A text with other names, capitals where there were."""

    def other(found: re.Match[str]) -> str:
        name = fresh.get(found[0].lower(), found[0])
        return name.capitalize() if found[0][0].isupper() else name

    return re.sub(r"\w+", other, text)


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def _bare(word: str) -> str:
    return re.sub(r"\W", "", word.lower())


def _marks(word: str) -> str:
    return word[len(word.rstrip(_MARKS)) :]


@cache
def _coined() -> re.Pattern[str]:
    parts = table("syllables")
    one_of = {
        name: "(?:" + "|".join(sorted(map(re.escape, parts[name]), key=len, reverse=True)) + ")"
        for name in ("onsets", "vowels", "codas")
    }
    return re.compile(f"(?:{one_of['onsets']}{one_of['vowels']}){{2,3}}{one_of['codas']}?")
