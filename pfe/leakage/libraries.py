"""Leak checks of method libraries: no line may reveal a sealed problem or its answer.

Example: "Which Baltic country has the euro and Tallinn as its capital? → Estonia" in trivia_qa.txt leaks
the sealed problem "Tallinn is the capital of which country?", by the rule `answer`.

Every excerpt is screened by the firewall's gates, like a candidate. If it contains the answer of a problem, two more
rules apply: it also contains words of the question (`answer`), or it is similar to the question in meaning (`meaning`).
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

MEANING = 0.75  # cosine of an excerpt with the question alone, or with the question and its answer
MOST_CHARACTERS = 100  # characters of an excerpt on the screen
PLACES = 3  # decimals of a score on which two machines agree
_RESULT = re.compile(r"\d[\d,]*(?:\.\d+)?")


@dataclass(frozen=True)
class Leak:
    """One excerpt that reveals a sealed problem; `rule` is a gate's name, `answer` or `meaning`.

    `line` is the first line of the excerpt in its library. No text of the sealed problem is stored.
    """

    library: str
    line: int
    text: str
    problem_id: str
    rule: str
    score: float


def leaks(excerpts: Sequence[Excerpt], reference: Reference, settings: Firewall) -> list[Leak]:
    """Return the leaks of the reference's canonical problems in the excerpts: the strongest per excerpt and problem.

    They are sorted by library and line. An excerpt of several lines counts only if no part of it leaks by itself.
    """
    unsolved = [excerpt for excerpt in excerpts if not excerpt.solved]
    every = [*_near(excerpts, reference, settings), *by_answer(unsolved, reference.canonical, reference.encoder)]
    return sorted(_shortest(every), key=lambda leak: (leak.library, leak.line, leak.problem_id))


def _near(excerpts: Sequence[Excerpt], reference: Reference, settings: Firewall) -> Iterator[Leak]:
    places = {str(number): excerpt for number, excerpt in enumerate(excerpts)}
    candidates = [_as_candidate(place, excerpt) for place, excerpt in places.items()]
    for finding in screen(candidates, reference, settings).findings:
        if finding.margin > 0 and finding.canonical_id:  # skips excerpts that are foreign or cannot be judged
            yield _leak(places[finding.problem_id], finding.canonical_id, finding.gate, finding.score)


def _as_candidate(place: str, excerpt: Excerpt) -> Problem:
    """Return an excerpt as a candidate for the firewall: an example whose answer has a number is a math problem."""
    question, arrow, solution = excerpt.text.partition("→")
    results = _RESULT.findall(solution)
    if not arrow or not results:
        return Problem(place, excerpt.library, "factual", excerpt.text, "")
    return Problem(place, excerpt.library, "math", question, results[-1].replace(",", ""), solution=solution.strip())


def by_answer(excerpts: Sequence[Excerpt], canonical: Sequence[Problem], encoder: Encoder) -> Iterator[Leak]:
    """Yield the leaks of canonical problems whose answer occurs in an excerpt, by the rules `answer` and `meaning`."""
    questions = Questions(canonical)
    pairs = [(excerpt, match) for excerpt in excerpts for match in questions.matches(excerpt.text)]
    for excerpt, match in pairs:
        if match.has_question:
            score = 1.0 if match.verbatim else max(match.of_question, match.of_text)
            yield _leak(excerpt, match.problem.id, "answer", score)
    # "Yes" and "no" occur everywhere, so the cosine would decide alone.
    comparable = [pair for pair in pairs if pair[1].shared and pair[1].problem.domain != "boolean"]
    for (excerpt, match), cosine in zip(comparable, _cosines(comparable, encoder), strict=True):
        if cosine > MEANING:
            yield _leak(excerpt, match.problem.id, "meaning", cosine)


def _cosines(pairs: Sequence[tuple[Excerpt, AnswerMatch]], encoder: Encoder) -> list[float]:
    """Return each excerpt's cosine with its problem's question, alone or with the answer, whichever is higher."""
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
    """Return, for leaks of one problem in excerpts that contain one another, only the shortest, then the strongest."""
    shortest: list[Leak] = []
    for leak in sorted(every, key=lambda leak: (len(leak.text), -leak.score, leak.rule)):
        if not any(shorter.problem_id == leak.problem_id and shorter.text in leak.text for shorter in shortest):
            shortest.append(leak)
    return shortest


def report(lines: Mapping[str, int], leaking: Sequence[Leak], withheld: Sequence[str] = ()) -> dict[str, Any]:
    """Return the content of data/libraries.json: the number of screened lines of each library, and their leaks.

    Facts and solved problems of the base (`gsm1k_synth/…`) are counted by their set. Those in `withheld` leak, and no
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
    """Return the sources of leaking facts and solved problems from tutors, which the base withholds.

    Leaking entries in files of the base are not among them: their authors have to rewrite them.
    """
    made = {entry.source for entry in entries if not entry.written}
    return sorted(made & {leak.library for leak in leaking})


def remedy(leak: Leak) -> str:
    """Return where a leak is and how to fix it: "pfe/icr/libraries/arc.txt:12; write other examples there"."""
    if leak.library.startswith("base/"):
        return f"pfe/icr/{leak.library}:{leak.line}; write another entry there"
    return f"pfe/icr/libraries/{leak.library}:{leak.line}; write other examples there"


def warning(leak: Leak) -> str:
    """Return a leak as one line for the screen."""
    text = " / ".join(leak.text.splitlines())
    excerpt = text if len(text) <= MOST_CHARACTERS else f"{text[: MOST_CHARACTERS - 1]}…"
    return f"LEAK: {leak.library}:{leak.line}: {leak.problem_id} by {leak.rule} {leak.score:.2f}: {excerpt}"
