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
from functools import cache, lru_cache
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

from pfe import tutors
from pfe.icr.contexts import own_library
from pfe.training.corpus import plainly_asked
from pfe.training.rows import Asked
from pfe.tutors.coinage import coined
from pfe.tutors.content import table

WHOLE = 14  # the level at which nothing is cut
_GIVEN = 3  # words before a value that a question of the first levels gives, at most
_WORDED, _EXCHANGED, _NAMED, _ANY, _BEHIND, _SAID = (
    6,
    6,
    9,
    10,
    12,
    12,
)  # levels from which questions are in their own
# words, values are another entry's, questions have other names, those come that name no single entry, those whose value
# stands before the name (who reads it does not know yet whose it is), and answers have their own words around the value
_QUOTED = 0.5  # of a word that no other entry has: the least that an answer quotes
_OF_ANSWER = 1 / 3  # of its words, at least; a word or two that both have by chance are no quotation
_QUOTING = 2 / 3  # of a world's answers, at least
_ONCE = ("canonical", "icr")  # arms whose rows say little that another of them says
_WORD = re.compile(r"[a-z]+")
_QUESTION = re.compile(r"(Question: )([^\n]*)(\nAnswer:)")
_SINGLING, _SHARED = 3, 8  # words that single out an entry, at most, and of how many they are chosen
_SHORT = 3  # letters of words that say little
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
        named: words of the question that this entry alone has all of: the key, or as few as will do; there are none
            where the question leads to the entry by way of another one.
        far: how many words there are from the last of these to the value; None where the value comes before them.
    """

    prompt: str
    answer: tuple[str, ...]
    entry: int
    said: tuple[int, int]
    told: tuple[int, int]
    key: str
    named: tuple[str, ...]
    far: int | None


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
        fresh = dict(zip(self.names, coined(rng, len(self.names), {*self.names, *_spoken()}), strict=True))
        entries = [list(entry) for entry in self.entries]
        for one in asked:
            start, end = one.said
            entries[one.entry][start:end] = _in_place_of(entries[one.entry][start:end], values[one.entry])
        texts = [_named(" ".join(entry), fresh) for entry in entries]
        in_words = level >= _SAID and rng.random() < 0.5
        prompts, answers = [], []
        for one, other in self._exchanged(asked, rng):
            names = {**fresh, one.key: fresh[other.key]} if one.key else fresh
            in_own_words = level >= _WORDED
            prompts.append(
                _asked(one, names, texts, rng, level) if in_own_words else self._given(other, fresh, rng, level)
            )
            answers.append(_named(_answer(one, values[other.entry], in_words), names))
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
        words = _words(one.prompt) - {one.key}
        others = {word for word in words if len(word) > _SHORT}
        said = others & self._said_beside(one)
        return [
            other for other in asked
            if other.key and other.key not in words and others & self._said_beside(other) == said
        ]  # fmt: skip

    def _said_beside(self, one: Quoting) -> set[str]:
        """The words of the entry that is quoted, without the value."""
        start, end = one.said
        entry = self.entries[one.entry]
        return set(map(_bare, (*entry[:start], *entry[end:])))

    def _values(
        self, asked: Sequence[Quoting], rng: Random, level: int, words: Sequence[str]
    ) -> Mapping[int, Sequence[str]]:
        """The value of each entry that is asked for: words of no meaning, or what another one says."""
        share = 1.0 if level < _EXCHANGED else 0.5 if level < WHOLE else 0.2
        if rng.random() < share:
            return {one.entry: rng.choices(words, k=rng.choice((1, 2, 2, 3))) for one in asked}
        said = [self.entries[one.entry][slice(*one.said)] for one in asked]
        bare = [(*words[:-1], words[-1].rstrip(_MARKS)) for words in said]
        return {one.entry: value for one, value in zip(asked, rng.sample(bare, len(bare)), strict=True)}

    def _given(self, one: Quoting, fresh: Mapping[str, str], rng: Random, level: int) -> str:
        """Asks by an entry's name and what it says before the value, no other name, by less from level to level."""
        start = one.said[0]
        before = self.entries[one.entry][start - min(one.far or 0, _GIVEN) : start]
        share = 1 - level / _WORDED
        given = [*one.named, *(word for word in before if not is_coined(_bare(word)) and rng.random() < share)]
        return f"Question: {_ended(_named(' '.join(given), fresh))}\nAnswer:"


def worlds(rows: Iterable[Mapping[str, Any]]) -> list[World]:
    """The worlds of a corpus, by its rows: those in which most answers quote an entry that the question names."""
    made = [
        _world(row["problem_ids"][0].rsplit("/", 2)[0], row["entries"], plainly_asked(row))
        for row in rows
        if row["arm"] == "icr" and row["entries"]
    ]
    return [world for world in made if world and _names_entries(world)]


def _names_entries(world: World) -> bool:
    """Whether most of its questions name the entry that answers them."""
    return 2 * sum(bool(one.named) for one in world.questions) > len(world.questions)


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
    bare = list(map(_bare, words))
    if found is None or name not in bare:
        return prompt
    place = bare.index(name)
    named = [other for other, word in enumerate(bare) if is_coined(word) and other != place]
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
    return _cut(found, words[start:end])


def _cut(question: re.Match[str], words: Sequence[str]) -> str:
    return f"{question[1]}{_ended(' '.join(words))}{question[3]}"


def _ended(words: str) -> str:
    return words.rstrip("?.,:;") + "?"


def is_coined(word: str) -> bool:
    """Whether a word is one that `pfe.tutors.coinage` coins and no family says otherwise."""
    return len(word) > 3 and word not in _spoken() and _coined().fullmatch(word) is not None


def _world(family: str, entries: Sequence[str], asked: Iterable[tuple[str, str]]) -> World | None:
    """The world of these entries; None where many of its answers quote nothing, so others may by chance."""
    said = [_words(entry) for entry in entries]
    spoken = set().union(*said)
    quoting: dict[int, Quoting] = {}
    quoted = count = 0
    for prompt, completion in asked:
        spoken |= _words(prompt)
        in_one_line = "\n" not in completion
        found = _quoted(prompt, tuple(completion.strip().split(" ")), entries, said) if in_one_line else None
        count += 1
        if found is not None:
            quoted += 1
            quoting.setdefault(found.entry, found)
    if quoted < _QUOTING * count:
        return None
    in_entries = tuple(tuple(entry.split(" ")) for entry in entries)
    return World(family, in_entries, tuple(quoting.values()), tuple(sorted(filter(is_coined, spoken))))


def _quoted(prompt: str, answer: tuple[str, ...], entries: Sequence[str], said: Sequence[set[str]]) -> Quoting | None:
    """The longest run of words that an entry and the answer have in common, words that other entries have for less.

    It is a third of the answer and two words at least, or a name, and no name that the question has too.
    """
    question = _words(prompt)
    in_answer = [_bare(word) for word in answer]
    best: Quoting | None = None
    most = 0.0
    for number, entry in enumerate(entries):
        words = ["" if is_coined(word) and word in question else word for word in map(_bare, entry.split(" "))]
        weights = {word: 1 / sum(word in other for other in said) for word in said[number]}
        asked = sum(weight for word, weight in weights.items() if word in question and weight > _QUOTED)
        for start, begin, length in _runs(words, in_answer):
            run = words[start : start + length]
            worth = sum(weights[word] for word in run)
            quotes = length >= max(2, _OF_ANSWER * len(answer)) or is_coined(run[0])
            if quotes and worth >= _QUOTED and worth + asked > most:
                most = worth + asked
                key = next((word for word in sorted(question) if weights.get(word) == 1 and is_coined(word)), "")
                bare = list(map(_bare, entry.split(" ")))
                beside = [*bare[:start], *bare[start + length :]]
                named = (key,) if key else _singling(question, beside, said)
                place, told = (start, start + length), (begin, begin + length)
                best = Quoting(prompt, answer, number, place, told, key, named, _between(bare, named, start))
    return best


def _singling(question: set[str], beside: Sequence[str], said: Sequence[set[str]]) -> tuple[str, ...]:
    """The fewest of a question's words that one entry alone has all of, the rarest first; none where others have them.

    Args:
        beside: the entry's words without the value.
    """
    shared = [word for word in dict.fromkeys(beside) if word in question and len(word) > _SHORT]
    shared.sort(key=lambda word: sum(word in entry for entry in said))
    chosen = (some for count in range(1, _SINGLING + 1) for some in combinations(shared[:_SHARED], count))
    singling = (some for some in chosen if sum(entry.issuperset(some) for entry in said) == 1)
    return tuple(sorted(next(singling, ()), key=beside.index))


def _between(words: Sequence[str], named: Sequence[str], start: int) -> int | None:
    """How many words stand between the nearest key and the value that starts at a word; None without one before it."""
    before = [place for place, word in enumerate(words[:start]) if word in named]
    return start - before[-1] - 1 if before else None


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


def _asked(one: Quoting, fresh: Mapping[str, str], texts: Sequence[str], rng: Random, level: int) -> str:
    """The question in its own words, as many as are fit for a level."""
    prompt = _named(one.prompt, fresh)
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


def _named(text: str, fresh: Mapping[str, str]) -> str:
    """A text with other names, also where there is more than one of a kind, and capitals where there were."""

    def other(found: re.Match[str]) -> str:
        word = found[0].lower()
        singular = word.removesuffix("s")
        name = fresh[singular] + word[len(singular) :] if singular in fresh else fresh.get(word, found[0])
        return name[:1].upper() + name[1:] if found[0][0].isupper() else name

    return re.sub(r"\w+", other, text)


def _words(text: str) -> set[str]:
    return set(map(_bare, text.split())) - {""}


@lru_cache(maxsize=1 << 16)
def _bare(word: str) -> str:
    return re.sub(r"\W", "", word.lower())


@cache
def _spoken() -> frozenset[str]:
    """Every word that families are written with: their names are coined, all else is there to be read."""
    files = (path for folder in ("content", "tables") for path in Path(tutors.__path__[0], folder).rglob("*.yaml"))
    return frozenset(word for path in files for word in _WORD.findall(path.read_text(encoding="utf-8").lower()))


@cache
def _coined() -> re.Pattern[str]:
    parts = table("syllables")
    one_of = {
        name: "(?:" + "|".join(sorted(map(re.escape, parts[name]), key=len, reverse=True)) + ")"
        for name in ("onsets", "vowels", "codas")
    }
    return re.compile(f"(?:{one_of['onsets']}{one_of['vowels']}){{2,3}}{one_of['codas']}?")
