"""Worlds made anew: the sentences of a library-bound problem with other names and other values.

Example: "Settlers tell of the floshi, which splits in two over hills." and "What is the floshi like?" → " It splits in
two over hills." become, with a name coined again and the values of two entries exchanged,
    Settlers tell of the trogroo, which moves only along rivers.      What is the trogroo like?  →  " It moves only …"

The firewall makes worlds dear, and a student learns few of them by heart. Renewed they are as many as it can read, and
say nothing that was not accepted: every word is from the same world or coined, or drawn from the corpus as a value. A
value is what an answer quotes from one entry; who computes an answer, or says yes, quotes nothing and stays as it is.
And what is asked of one name is asked of another one that it can be asked of, so no wording tells the entry. Where no
coined name tells it, some words do together: of a village and an occasion one custom alone says both.

Libraries are short at first, and questions are the name, or those words, and what the entry says before the value; both
grow until they are whole, questions by having less of it and then their own words. Values are one to three words of no
meaning at first, then another entry's: what reads them cannot guess.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from pfe.icr.contexts import own_library
from pfe.training.corpus import plainly_asked
from pfe.training.exercises import CUES
from pfe.training.names import bare, is_coined, renamed, spoken, words_of
from pfe.training.quoting import SHORT, Quoting, quoted
from pfe.training.rows import Asked
from pfe.tutors.coinage import coined

WHOLE = 14  # the level at which nothing is cut
# Levels from which
_WORDED = 6  # questions are in their own words,
_EXCHANGED = 6  # values are another entry's,
_NAMED = 9  # questions have other names,
_ANY = 10  # those come that name no single entry,
_BEHIND = 12  # and those whose value stands before the name (who reads it does not know yet whose it is),
_SAID = 12  # and answers have their own words around the value.
_QUOTING = 2 / 3  # of a world's answers quote an entry, at least
_ONCE = ("canonical", "icr")  # arms whose rows say little that another of them says
_QUESTION = re.compile(r"(Question: )([^\n]*)(\nAnswer:)")
_MARKS = ".,;:!?\"'()"


@dataclass(frozen=True)
class World:
    """Entries in words, the questions that quote them, each another, and the names that are coined.

    `family` is the one that made it, as set/family.
    """

    family: str
    entries: tuple[tuple[str, ...], ...]
    questions: tuple[Quoting, ...]
    names: tuple[str, ...]

    def renewed(self, rng: Random, level: int, words: Sequence[str]) -> Asked:
        """The world with other names and values, asked as is fit for a level; nothing where no question is.

        Args:
            level: 0 to `WHOLE`.
            words: of which values of no meaning are drawn.
        """
        asked = self.asked(level)
        values = self._values(asked, rng, level, words)
        fresh = dict(zip(self.names, coined(rng, len(self.names), {*self.names, *spoken()}), strict=True))
        entries = [list(entry) for entry in self.entries]
        for one in asked:
            start, end = one.said
            entries[one.entry][start:end] = _in_place_of(entries[one.entry][start:end], values[one.entry])
        texts = [renamed(" ".join(entry), fresh) for entry in entries]
        in_words = level >= _SAID and rng.random() < 0.5
        prompts, answers = [], []
        for one, other in self._exchanged(asked, rng):
            names = {**fresh, one.key: fresh[other.key]} if one.key else fresh
            in_own_words = level >= _WORDED
            prompts.append(
                _asked(one, names, texts, rng, level) if in_own_words else self._given(other, fresh, rng, level)
            )
            answers.append(renamed(_answer(one, values[other.entry], in_words), names))
        shown = self._shown(asked, rng, level)
        return Asked(own_library([texts[place] for place in shown]).text, tuple(prompts), tuple(answers))

    def asked(self, level: int) -> list[Quoting]:
        """The questions that are fit for a level."""
        return [
            one for one in self.questions
            if level >= (_ANY if not one.named else _BEHIND if one.far is None else 0)
        ]  # fmt: skip

    def _shown(self, asked: Sequence[Quoting], rng: Random, level: int) -> list[int]:
        """Entries in random order: those that are asked for, or that many questions are about, and some beside."""
        needed = {one.entry for one in asked} if all(one.named for one in asked) else set(range(len(self.entries)))
        others = [place for place in range(len(self.entries)) if place not in needed]
        some = others if level >= WHOLE else rng.sample(others, min(level, len(others)))
        return rng.sample([*needed, *some], len(needed) + len(some))

    def _exchanged(self, asked: Sequence[Quoting], rng: Random) -> Iterator[tuple[Quoting, Quoting]]:
        """Each question with one that its words are asked instead of; as far as may be, each of these once."""
        free = list(asked)
        for one in asked:
            alike = self._alike(one, asked)
            other = rng.choice([other for other in alike if other in free] or alike)
            if other in free:
                free.remove(other)
            yield one, other

    def _alike(self, one: Quoting, asked: Sequence[Quoting]) -> list[Quoting]:
        """The questions that this one's words could be asked instead of, itself among them.

        What else they say is in both entries, or in neither: another name, "sandy soil", any word of some length.
        """
        if not one.key:
            return [one]
        words = words_of(one.prompt) - {one.key}
        others = {word for word in words if len(word) > SHORT}
        said = others & self._said_beside(one)
        return [
            other for other in asked
            if other.key and other.key not in words and others & self._said_beside(other) == said
        ]  # fmt: skip

    def _said_beside(self, one: Quoting) -> set[str]:
        """The words of the entry that is quoted, without the value."""
        start, end = one.said
        entry = self.entries[one.entry]
        return set(map(bare, (*entry[:start], *entry[end:])))

    def _values(
        self, asked: Sequence[Quoting], rng: Random, level: int, words: Sequence[str]
    ) -> Mapping[int, Sequence[str]]:
        """The value of each entry that is asked for: words of no meaning, or what another one says."""
        share = 1.0 if level < _EXCHANGED else 0.5 if level < WHOLE else 0.2
        if rng.random() < share:
            return {one.entry: rng.choices(words, k=rng.choice((1, 2, 2, 3))) for one in asked}
        said = [self.entries[one.entry][slice(*one.said)] for one in asked]
        plain = [(*words[:-1], words[-1].rstrip(_MARKS)) for words in said]
        return {one.entry: value for one, value in zip(asked, rng.sample(plain, len(plain)), strict=True)}

    def _given(self, one: Quoting, fresh: Mapping[str, str], rng: Random, level: int) -> str:
        """Asks by an entry's name and what it says before the value, no other name, by less from level to level."""
        start = one.said[0]
        before = self.entries[one.entry][start - min(one.far or 0, CUES) : start]
        share = 1 - level / _WORDED
        given = [*one.named, *(word for word in before if not is_coined(bare(word)) and rng.random() < share)]
        return f"Question: {_ended(renamed(' '.join(given), fresh))}\nAnswer:"


def worlds(rows: Iterable[Mapping[str, Any]]) -> list[World]:
    """The worlds of a corpus, by its rows: those in which most answers quote an entry that the question names."""
    made = (
        _world(row["problem_ids"][0].rsplit("/", 2)[0], row["entries"], list(plainly_asked(row)))
        for row in rows
        if row["arm"] == "icr" and row["entries"]
    )
    return [world for world in made if world]


def speech(rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """What a corpus says, most of it once: libraries that were written for problems, and prompts."""
    for row in rows:
        if row["arm"] in _ONCE:
            yield "\n".join((*row["entries"], *row["prompts"]))


def around(prompt: str, name: str, rng: Random, most: int) -> str:
    """A question's name and at most so many words to either side of it, as far as no other name is among them.

    One that is not "Question: …" up to a last line "Answer:", or has no such name, stays whole.
    """
    found = _QUESTION.fullmatch(prompt)
    words = found[2].split(" ") if found else []
    plain = list(map(bare, words))
    if found is None or name not in plain:
        return prompt
    place = plain.index(name)
    named = [other for other, word in enumerate(plain) if is_coined(word) and other != place]
    start = max([0, place - rng.randint(0, most), *(other + 1 for other in named if other < place)])
    end = min([len(words), place + 1 + rng.randint(0, most), *(other for other in named if other > place)])
    return _cut(found, words[start:end])


def shortened(prompt: str, entries: Sequence[str], rng: Random, most: int) -> str:
    """A question from the first to the last word that few entries have, and at most so many words to either side.

    One that is not "Question: …" up to a last line "Answer:" stays whole.
    """
    found = _QUESTION.fullmatch(prompt)
    if found is None:
        return prompt
    words = found[2].split(" ")
    said = [words_of(entry) for entry in entries]
    few = max(2, len(entries) // 4)
    named = [
        place for place, word in enumerate(map(bare, words))
        if len(word) > 3 and 0 < sum(word in entry for entry in said) <= few
    ]  # fmt: skip
    if not named:
        return prompt
    start = max(0, named[0] - rng.randint(0, most))
    end = named[-1] + 1 + rng.randint(0, most)
    return _cut(found, words[start:end])


def _cut(question: re.Match[str], words: Sequence[str]) -> str:
    return f"{question[1]}{_ended(' '.join(words))}{question[3]}"


def _ended(words: str) -> str:
    return words.rstrip("?.,:;") + "?"


def _world(family: str, entries: Sequence[str], asked: Sequence[tuple[str, str]]) -> World | None:
    """The world of these entries; None where many of its answers quote nothing, so others may by chance, or where most
    questions that do name no entry."""
    found = [
        None if "\n" in completion else quoted(prompt, tuple(completion.strip().split(" ")), entries)
        for prompt, completion in asked
    ]
    quoting = [one for one in found if one]
    by_entry: dict[int, Quoting] = {}
    for one in quoting:
        by_entry.setdefault(one.entry, one)
    if len(quoting) < _QUOTING * len(asked) or 2 * sum(bool(one.named) for one in by_entry.values()) <= len(by_entry):
        return None
    said = set().union(*map(words_of, (*entries, *(prompt for prompt, _ in asked))))
    in_entries = tuple(tuple(entry.split(" ")) for entry in entries)
    return World(family, in_entries, tuple(by_entry.values()), tuple(sorted(filter(is_coined, said))))


def _asked(one: Quoting, fresh: Mapping[str, str], texts: Sequence[str], rng: Random, level: int) -> str:
    """The question in its own words, as many as are fit for a level."""
    prompt = renamed(one.prompt, fresh)
    if level >= WHOLE or not one.key:
        return prompt
    if level < _NAMED:
        return around(prompt, fresh[one.key], rng, 2 * (level - _WORDED))
    return shortened(prompt, texts, rng, 2 * (level - _NAMED))


def _answer(one: Quoting, value: Sequence[str], in_words: bool) -> str:
    start, end = one.told
    if not in_words:
        return " " + " ".join(value)
    return " " + " ".join([*one.answer[:start], *_in_place_of(one.answer[start:end], value), *one.answer[end:]])


def _in_place_of(words: Sequence[str], value: Sequence[str]) -> list[str]:
    """A value with the first letter as large as that of the words that it replaces, and their last marks."""
    first, *rest = value
    first = (first[:1].upper() if words[0][:1].isupper() else first[:1].lower()) + first[1:]
    made = [first, *rest]
    return [*made[:-1], made[-1] + words[-1][len(words[-1].rstrip(_MARKS)) :]]
