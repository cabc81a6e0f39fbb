"""Method libraries behind the wall: no line of one may give a sealed problem or its answer away.

Example: "Which Baltic country has the euro and Tallinn as its capital? → Estonia" in trivia_qa.txt leaks
the sealed "Tallinn is the capital of which country?", by the rule `answer`.

Every excerpt is screened by the firewall's gates, as a candidate is, and by two rules of its own for a
problem whose answer stands in the excerpt: the words that ask for it stand beside it (`answer`), or the
excerpt means what the question says (`meaning`).
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from pfe.config import Firewall
from pfe.embedding.encoder import Encoder
from pfe.firewall.firewall import screen
from pfe.firewall.reference import Reference
from pfe.icr.retrieval import Entry
from pfe.leakage.answers import AnswerMatch, Questions
from pfe.leakage.excerpts import Excerpt
from pfe.problem import Problem

MEANING = 0.75  # cosine of an excerpt to the question alone, or with its answer behind it
MOST_CHARACTERS = 100  # characters of an excerpt on the screen
PLACES = 3  # decimals of a score: what two machines agree on
_RESULT = re.compile(r"\d[\d,]*(?:\.\d+)?")


@dataclass(frozen=True)
class Leak:
    """One excerpt that gives a sealed problem away; `rule` is a gate's name, `answer` or `meaning`.

    `line` is where the excerpt begins in its library. No text of the sealed problem is kept.
    """

    library: str
    line: int
    text: str
    problem_id: str
    rule: str
    score: float


def leaks(excerpts: Sequence[Excerpt], reference: Reference, settings: Firewall) -> list[Leak]:
    """What the excerpts give away of the reference's canonical problems: of each line and problem the strongest.

    Sorted by library and line. An excerpt of several lines counts only where no part of it leaks alone.
    """
    unsolved = [excerpt for excerpt in excerpts if not excerpt.solved]
    every = [*_near(excerpts, reference, settings), *by_answer(unsolved, reference.canonical, reference.encoder)]
    return sorted(_shortest(every), key=lambda leak: (leak.library, leak.line, leak.problem_id))


def _near(excerpts: Sequence[Excerpt], reference: Reference, settings: Firewall) -> Iterator[Leak]:
    places = {str(number): excerpt for number, excerpt in enumerate(excerpts)}
    candidates = [_as_candidate(place, excerpt) for place, excerpt in places.items()]
    for finding in screen(candidates, reference, settings).findings:
        if finding.margin > 0 and finding.canonical_id:  # not what is foreign, or cannot be judged
            yield _leak(places[finding.problem_id], finding.canonical_id, finding.gate, finding.score)


def _as_candidate(place: str, excerpt: Excerpt) -> Problem:
    """An excerpt as the firewall reads candidates: an example with a number for its answer is a math problem."""
    question, arrow, solution = excerpt.text.partition("→")
    results = _RESULT.findall(solution)
    if not arrow or not results:
        return Problem(place, excerpt.library, "factual", excerpt.text, "")
    return Problem(place, excerpt.library, "math", question, results[-1].replace(",", ""), solution=solution.strip())


def by_answer(excerpts: Sequence[Excerpt], canonical: Sequence[Problem], encoder: Encoder) -> Iterator[Leak]:
    """The canonical problems whose answer stands in an excerpt, by the rules `answer` and `meaning`."""
    questions = Questions(canonical)
    pairs = [(excerpt, match) for excerpt in excerpts for match in questions.matches(excerpt.text)]
    for excerpt, match in pairs:
        if match.has_question:
            score = 1.0 if match.verbatim else max(match.of_question, match.of_text)
            yield _leak(excerpt, match.problem.id, "answer", score)
    # Yes and no stand everywhere, and a cosine would have to decide alone.
    comparable = [pair for pair in pairs if pair[1].shared and pair[1].problem.domain != "boolean"]
    for (excerpt, match), cosine in zip(comparable, _cosines(comparable, encoder), strict=True):
        if cosine > MEANING:
            yield _leak(excerpt, match.problem.id, "meaning", cosine)


def _cosines(pairs: Sequence[tuple[Excerpt, AnswerMatch]], encoder: Encoder) -> list[float]:
    """Of each excerpt to its problem's question, alone or with the answer, whichever is higher."""
    if not pairs:
        return []
    excerpts = encoder.encode([excerpt.text for excerpt, _ in pairs])
    problems = [match.problem for _, match in pairs]
    questions = encoder.encode([problem.question for problem in problems])
    answers = encoder.encode([f"{problem.question} {problem.answer}" for problem in problems])
    cosines: list[float] = np.maximum((excerpts * questions).sum(1), (excerpts * answers).sum(1)).tolist()
    return cosines


def _leak(excerpt: Excerpt, problem_id: str, rule: str, score: float) -> Leak:
    return Leak(excerpt.library, excerpt.line, excerpt.text, problem_id, rule, round(score, PLACES))


def _shortest(every: Iterable[Leak]) -> list[Leak]:
    """Of the leaks of one problem by overlapping excerpts the shortest, then the strongest."""
    shortest: list[Leak] = []
    for leak in sorted(every, key=lambda leak: (len(leak.text), -leak.score, leak.rule)):
        if not any(shorter.problem_id == leak.problem_id and shorter.text in leak.text for shorter in shortest):
            shortest.append(leak)
    return shortest


def report(lines: Mapping[str, int], leaking: Sequence[Leak], withheld: Sequence[str] = ()) -> dict[str, Any]:
    """What data/libraries.json says: how many lines of each library were screened, and what leaks in them.

    Facts and solved problems of the base (`gsm1k_synth/…`) are counted by their set; those `withheld` leak, and no
    model is shown them.
    """
    places = {name: [asdict(leak) for leak in leaking if f"{leak.library}/".startswith(f"{name}/")] for name in lines}
    return {
        "lines": sum(lines.values()),
        "leaks": len(leaking),
        "withheld": list(withheld),
        "libraries": {name: {"lines": count, "leaks": places[name]} for name, count in lines.items()},
    }


def withheld_sources(entries: Sequence[Entry], leaking: Sequence[Leak]) -> list[str]:
    """The facts and solved problems of the tutors that leak: nobody wrote them for the base, and it goes on without."""
    made = {entry.source for entry in entries if not entry.written}
    return sorted(made & {leak.library for leak in leaking})


def remedy(leak: Leak) -> str:
    """Where a leak is, and what to do there: "pfe/icr/libraries/arc.txt:12; write another example"."""
    if leak.library.startswith("base/"):
        return f"pfe/icr/{leak.library}:{leak.line}; write another entry there"
    return f"pfe/icr/libraries/{leak.library}:{leak.line}; write other examples there"


def warning(leak: Leak) -> str:
    """One line for the screen."""
    text = " / ".join(leak.text.splitlines())
    excerpt = text if len(text) <= MOST_CHARACTERS else f"{text[: MOST_CHARACTERS - 1]}…"
    return f"LEAK: {leak.library}:{leak.line}: {leak.problem_id} by {leak.rule} {leak.score:.2f}: {excerpt}"
