"""Word problems of the engine `composer` in which some numbers are stated only by a library generated with the problem.

Example: in a file of this engine an opening such as

    - to: bill
      draws: |
        n = between(2, 6)
        p = between(3, 9)
      text: ["{name} bought {n a} at the fair."]
      library:
        - text: ["At the fair, {a:a} costs ${p:d}.", "{a:A}: ${p:d} apiece."]
          about: [a]
          other: |
            a = pick(wares)
            p = between(3, 9)
      steps: ["The {a:s} cost {$ = n*p}."]
      check: x / n == p

makes "Ada bought 4 kites at the fair.", and a library with the prices of a kite, a ball and a drum. An entry is found
by the names in `about`. `other` samples all names of an entry's text for the entries that no problem needs. The changed
library differs in what only the library states, so a question must state neither that nor anything that follows from
it.

Several consecutive stories share one library, so the content of an entry may have been sampled for another story. If it
must fit the story, `require` has to say so, as in `s = pick(divisors(it, 2, 12))` and then `require(it % s == 0)`. The
entries of two parts are the same if their `topic`, `text`, `about` and `other` are equal.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from pfe.errors import UserError
from pfe.problem import Problem
from pfe.tutors.engines import composer
from pfe.tutors.engines.composer import EntryKind, Line, Operation
from pfe.tutors.family import LENGTHS, BoundFamily, Draft, Entry, Facts, quoted
from pfe.tutors.formula import Names
from pfe.tutors.wording import Wording, one_of

_TRIES = 200
_CHANGES = 8
_STAYS = 0.6  # share of the names in `about` that the next story shares
_REUSED = 0.7  # how often a story reuses an entry of the library instead of sampling

Told = dict[tuple[Any, ...], tuple[EntryKind, Names]]  # the entries of a library, by what they are about


class Engine(composer.Engine, BoundFamily):
    """A family of word problems that need their library."""

    asked = 6

    def __init__(self, set: str, path: Path) -> None:
        super().__init__(set, path)
        self.skill = self.content.skill
        first: list[EntryKind] = []
        for operation in self.operations:
            for place, kind in enumerate(operation.entries):
                same = next((other for other in first if other.part == kind.part), kind)
                first.append(same)
                operation.entries[place] = same

    @cached_property
    def kinds(self) -> Mapping[EntryKind, Wording]:
        """Return the kinds of entries with their wordings."""
        scene = self.scene.values()
        return {
            kind: one_of(
                kind.part.text,
                {**scene, **operation.draws.values(), **kind.other.values()},
                kind.where / "text",
                self.given | kind.other.targets,
            )
            for operation in self.operations
            for kind in operation.entries
        }

    def facts(self, rng: Random) -> Facts:
        return self.world(rng)[0]

    def world(self, rng: Random) -> Sequence[Facts]:
        for _ in range(_TRIES):
            told: Told = {}
            length = rng.choice(LENGTHS)
            stories = list(islice(self._stories(told, length, rng), self.asked))
            if len(stories) == self.asked:
                self._tell_others(told, length, stories[0][-1].names, rng)
                return [{"story": story, "told": tuple(told.items())} for story in stories]
        raise UserError(
            f"{self.path}: no {self.asked} stories need one library; add `library` to more of its parts, "
            "or widen their draws"
        )

    def entries(self, facts: Facts, rng: Random) -> Sequence[Entry]:
        needed = self._needed(facts["story"])
        return [
            Entry(self.kinds[kind].write(names, rng), subject in needed, subject)
            for subject, (kind, names) in facts["told"]
        ]

    def change(self, facts: Facts, rng: Random) -> Facts:
        for _ in range(_TRIES):
            if (story := self._changed_story(facts["story"], rng)) is not None:
                needed = self._needed(story)
                told = tuple((subject, needed.get(subject, entry)) for subject, entry in facts["told"])
                return {"story": story, "told": told}
        raise UserError(f"{self.path}: another number in the library gives no other answer; widen its draws")

    def solution(self, facts: Facts, draft: Draft) -> str:
        cited = quoted("library", map(draft.entry, self._needed(facts["story"])))
        return f"{cited}\n{super().solution(facts, draft)}"

    def looked_up(self, operation: Operation, names: Names, problem: Problem) -> Names:
        """Return what the library's entries state about the names of an operation.

        Raises:
            ValueError: there is no such entry.
        """
        told: dict[str, Any] = {}
        for kind in operation.entries:
            known = {name: {**names, **told}[name] for name in kind.part.about}
            told |= self._entry(kind, known, problem)
        return told

    def _entry(self, kind: EntryKind, known: dict[str, Any], problem: Problem) -> Names:
        wording = self.kinds[kind]
        for text in problem.library:
            for end, slots in wording.match(text, 0, dict(known)):
                if end == len(text):
                    return slots
        raise ValueError(f"{problem.id}: the library does not tell of {', '.join(map(str, known.values()))}")

    def _needed(self, story: Sequence[Line]) -> Told:
        """Return the entries that the library must have for a story."""
        return {
            kind.subject(line.names): (kind, self._entry_names(kind, line.names))
            for line in story
            for kind in self.operations[line.operation].entries
        }

    def _entry_names(self, kind: EntryKind, names: Names) -> Names:
        """Return the names of a story that an entry's text uses or `other` samples."""
        return {name: names[name] for name in kind.other.targets | self.kinds[kind].names if name in names}

    def _stories(self, told: Told, length: int, rng: Random) -> Iterator[tuple[Line, ...]]:
        """Yield stories that one library of about this length answers.

        The entries that a story needs are added to `told` when it is sampled.
        """
        first = self._first_story(rng)
        told |= self._needed(first)
        yield first
        before = [first]
        for attempt in range(_TRIES):
            story = self._story_beside(first[0].names, told, rng)
            if story is None or story in before:
                continue
            needed = self._needed(story)
            longer = len(needed.keys() - told.keys())
            fits = all(told.get(subject, entry) == entry for subject, entry in needed.items())
            if not (needed and fits and (not longer or len(told) + longer <= length)):
                continue
            if attempt < _TRIES / 2 and any(self._much_the_same(story, other) for other in before):
                continue
            if self._changed_story(story, rng) is not None:
                told |= needed
                before.append(story)
                yield story

    def _much_the_same(self, story: Sequence[Line], other: Sequence[Line]) -> bool:
        """Return whether two stories have the same answer, or need the same entries."""
        return self._answer(story) == self._answer(other) or self._needed(story).keys() == self._needed(other).keys()

    def _first_story(self, rng: Random) -> tuple[Line, ...]:
        for _ in range(_TRIES):
            story: tuple[Line, ...] = super().facts(rng)["story"]
            if self._needed(story) and self._changed_story(story, rng) is not None:
                return story
        raise UserError(f"{self.path}: no story needs its library; add `library` to more of its parts")

    def _story_beside(self, names: Names, told: Told, rng: Random) -> tuple[Line, ...] | None:
        """Sample another story that shares some of the names that entries are about with a story that has these names.

        It is None if the sampled numbers do not work out.
        """
        path = self._path(rng)
        if path is None:
            return None
        about = {name for kind in self.kinds for name in kind.part.about}
        scene = {name: names[name] for name in self.scene.targets}
        known = self.scene.draw(rng, scene, self.scene.part(rng, about, _STAYS))
        lines = self._lines(path, known, lambda operation, so_far: self._draw_told(operation, so_far, told, rng))
        return None if lines is None else tuple(lines)

    def _draw_told(self, operation: Operation, names: Names, told: Told, rng: Random) -> dict[str, Any] | None:
        """Sample the names of a part, from entries that the library already has if possible."""
        kept: dict[str, Any] = {}
        for kind in operation.entries:
            own = operation.draws.targets
            known = {name: names[name] for name in kind.part.about if name not in own}
            fitting = [entry for other, entry in told.values() if other is kind and known.items() <= entry.items()]
            if fitting and (len(known) == len(kind.part.about) or rng.random() < _REUSED):
                kept |= {name: value for name, value in rng.choice(fitting).items() if name in own}
        return operation.draws.draw(rng, {**names, **kept}, kept)

    def _tell_others(self, told: Told, length: int, names: Names, rng: Random) -> None:
        """Add entries that no story needs until the library has the wanted length."""
        kinds = list(self.kinds)
        for _ in range(_TRIES):
            if len(told) >= length:
                return
            kind = rng.choice(kinds)
            other = kind.other.draw(rng, names)
            if other is not None:
                told.setdefault(kind.subject(other), (kind, self._entry_names(kind, other)))

    def _changed_story(self, story: Sequence[Line], rng: Random) -> tuple[Line, ...] | None:
        """Return the story with other numbers in one entry.

        It is None if they do not work out, or if they lead to the same answer.
        """
        kind, _ = rng.choice(list(self._needed(story).values()))
        changing = (self.kinds[kind].names & kind.other.targets) - set(kind.part.about)
        for _ in range(_CHANGES):
            lines = tuple(self._retold(story, kind, changing, rng))
            answer = self._answer(lines) if len(lines) == len(story) else None
            if answer is not None and answer != self._answer(story):
                return lines
        return None

    def _retold(self, story: Sequence[Line], kind: EntryKind, changing: frozenset[str], rng: Random) -> Iterator[Line]:
        """Yield the lines with the names `changing` of that entry resampled.

        It stops early if the numbers do not work out.
        """
        after: Names = {}
        for line in story:
            operation = self.operations[line.operation]
            own = {name: line.names[name] for name in operation.draws.targets}
            keep = operation.draws.targets - (changing if kind in operation.entries else frozenset())
            names = operation.draws.draw(rng, {**line.names, **after, **own}, keep)
            if names is None:
                return
            yield Line(line.operation, names)
            try:
                after = operation.after(names)
            except ValueError:
                return

    def _answer(self, lines: Sequence[Line]) -> int | None:
        try:
            answer = self.operations[lines[-1].operation].after(lines[-1].names)["it"]
        except ValueError:
            return None
        return answer if isinstance(answer, int) and answer <= self.content.largest else None
