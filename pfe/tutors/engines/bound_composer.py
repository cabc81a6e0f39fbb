"""Word problems as the engine `composer` makes them, of which some numbers stand in a library written for the problem.

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

makes "Ada bought 4 kites at the fair.", and a library with what a kite costs, and a ball, and a drum. An entry is found
by the names that it is `about`; `other` draws all names of its text anew for the entries that nobody needs. What only
the library tells differs in the changed library: a question is never to state it, nor what follows from it.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any

from pfe.errors import UserError
from pfe.problem import Problem
from pfe.tutors.engines import composer
from pfe.tutors.engines.composer import EntryKind, Line, Operation
from pfe.tutors.family import LENGTHS, BoundFamily, Entry, Facts
from pfe.tutors.formula import Names
from pfe.tutors.wording import Wording, one_of

_TRIES = 200
_CHANGES = 8


class Engine(composer.Engine, BoundFamily):
    """A family of word problems that need their library."""

    def __init__(self, set: str, path: Path) -> None:
        super().__init__(set, path)
        self.tier = self.content.tier

    @cached_property
    def kinds(self) -> Mapping[EntryKind, Wording]:
        """The kinds of entries, with their wordings."""
        scene = self.scene.values()
        return {
            kind: one_of(kind.part.text, {**scene, **operation.draws.values(), **kind.other.values()}, kind.where)
            for operation in self.operations
            for kind in operation.entries
        }

    def facts(self, rng: Random) -> Facts:
        for _ in range(_TRIES):
            facts = super().facts(rng)
            if self._needed(facts) and self._changed_story(facts, rng) is not None:
                return facts
        raise UserError(f"{self.path}: no story needs its library; add `library` to more of its parts")

    def entries(self, facts: Facts, rng: Random) -> Sequence[Entry]:
        entries, subjects = [], set()
        for kind, names in self._needed(facts):
            entries.append(Entry(self.kinds[kind].write(names, rng), needed=True))
            subjects.add(kind.subject(names))
        wanted, kinds = rng.choice(LENGTHS), list(self.kinds)
        for _ in range(_TRIES):
            if len(entries) >= wanted:
                break
            kind = rng.choice(kinds)
            other = kind.other.draw(rng, facts["story"][-1].names)
            if other is not None and kind.subject(other) not in subjects:
                subjects.add(kind.subject(other))
                entries.append(Entry(self.kinds[kind].write(other, rng)))
        return entries

    def change(self, facts: Facts, rng: Random) -> Facts:
        for _ in range(_TRIES):
            if (story := self._changed_story(facts, rng)) is not None:
                return {"story": story}
        raise UserError(f"{self.path}: another number in the library gives no other answer; widen its draws")

    def solution(self, facts: Facts) -> str:
        cited = [f'The library says: "{self.kinds[kind].text(0, names)}"' for kind, names in self._needed(facts)]
        return "\n".join((*cited, super().solution(facts)))

    def looked_up(self, operation: Operation, names: Names, problem: Problem) -> Names:
        """What the entries about the names of an operation say.

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

    def _needed(self, facts: Facts) -> list[tuple[EntryKind, Names]]:
        return [(kind, line.names) for line in facts["story"] for kind in self.operations[line.operation].entries]

    def _changed_story(self, facts: Facts, rng: Random) -> tuple[Line, ...] | None:
        """The story with other numbers in one entry; None where they do not come out, or to the same answer."""
        kind, _ = rng.choice(self._needed(facts))
        changing = (self.kinds[kind].names & kind.other.targets) - set(kind.part.about)
        for _ in range(_CHANGES):
            lines = tuple(self._retold(facts["story"], kind, changing, rng))
            answer = self._answer(lines) if len(lines) == len(facts["story"]) else None
            if answer is not None and answer != int(self.solve(facts)):
                return lines
        return None

    def _retold(self, story: Sequence[Line], kind: EntryKind, changing: frozenset[str], rng: Random) -> Iterator[Line]:
        """The lines with the names `changing` of that entry drawn anew; it stops where they do not come out."""
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
