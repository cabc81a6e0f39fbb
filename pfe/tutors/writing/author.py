"""A language model as an author: so many problems of a set, each asked for once and, where it is wrong, once more.

Example: `Author("gpt4o", examinee, …).write("gsm1k_synth", 200, 0)` gives 200 problems, and what was refused and why.

Requests go out in rounds. What a round may ask is settled before it begins, by the budget and by what is still
missing, so that nothing depends on which reply comes first, and a run that was killed makes the same requests again,
which are then answered from what was kept.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pfe.icr.prefix import Prefix
from pfe.models.request import Answer, Examinee, Request
from pfe.problem import Problem
from pfe.progress import progress
from pfe.tutors.spending import Spending
from pfe.tutors.writing import reading
from pfe.tutors.writing.novelty import MOST, Seen
from pfe.tutors.writing.prompt import Commission, again, commission, schema
from pfe.tutors.writing.reading import RefusedProblemError
from pfe.tutors.writing.work import Refusal, Work

MOST_TOKENS = 2048  # of a problem: a passage of 350 words with its question has some 700
TEMPERATURE = 1.0  # the model's own variety; the request's id is the seed
PATIENCE = 40  # refusals running after which nothing good is to be expected
_ENDINGS = {
    "length": f" (it was cut off after {MOST_TOKENS:,} tokens, or at the end of the model's window)",
    "too_long": " (the request is longer than the model's window)",
}
_LONGEST_RECORD = 2000  # characters of a refused text that are kept to be looked at


@dataclass
class Author:
    """A language model that writes.

    Args:
        together: how many problems are asked for in one round.
        around: puts a text into the form in which the model wants to be asked.
    """

    name: str
    examinee: Examinee
    together: int
    spending: Spending
    around: Callable[[str], str] = str
    _seen: Seen = field(default_factory=Seen)

    def write(self, set: str, count: int, seed: int) -> Work:
        """At most `count` problems; fewer where the budget ends, or too much is refused.

        Raises:
            UserError: the model cannot answer; what it answered before that is kept.
        """
        problems: list[Problem] = []
        refusals: list[Refusal] = []
        index, running, why = 0, 0, ""
        with progress(count, f"{self.name} writing {set}", "problem") as done:
            while len(problems) < count and not why:
                wanted = [
                    commission(f"{set}/{self.name}/s{seed}/{index + place}", set, seed)
                    for place in range(min(self.together, count - len(problems)))
                ]
                answers = self._ask([(wish, wish.text) for wish in wanted])
                if not answers:
                    why = f"its budget ends after {self.spending}"
                    break
                for result in self._results(wanted, set, answers):
                    running = running + 1 if isinstance(result, Refusal) else 0
                    if isinstance(result, Refusal):
                        refusals.append(result)
                    else:
                        problems.append(result)
                        done(1)
                if running >= PATIENCE:
                    why = f"{running} running were refused: {refusals[-1].reason}"
                index += len(answers)
        if why:
            _tell_end(self.name, set, len(problems), why)
        return Work(problems, refusals)

    def _results(self, wanted: Sequence[Commission], set: str, answers: Sequence[Answer]) -> list[Problem | Refusal]:
        """What came of each request that was answered, where it had to be after one repair."""
        results = [self._judged(wish, set, answer) for wish, answer in zip(wanted, answers, strict=False)]
        wrong = [
            (place, wanted[place], again(wanted[place], answers[place].output, result.reason))
            for place, result in enumerate(results)
            if isinstance(result, Refusal) and answers[place].stop != "too_long"
        ]
        mended = self._ask([(wish, text) for _, wish, text in wrong])
        for (place, wish, _), answer in zip(wrong, mended, strict=False):
            results[place] = self._judged(wish, set, answer)
        return results

    def _judged(self, wish: Commission, set: str, answer: Answer) -> Problem | Refusal:
        """The problem in an answer, from then on seen; or why there is none."""
        try:
            problem = reading.read(wish, set, self.name, answer.output)
            self._check_new(problem, wish)
        except RefusedProblemError as error:
            reason = f"{error}{_ENDINGS.get(answer.stop, '')}"
            return Refusal(wish.id, set, self.name, reason, answer.output[:_LONGEST_RECORD])
        self._seen.add(problem.id, problem.text)
        return problem

    def _check_new(self, problem: Problem, wish: Commission) -> None:
        examples = Seen.of((example.id, example.text) for example in wish.examples)
        for seen, what in ((examples, "the example"), (self._seen, "the problem written before,")):
            id, share = seen.nearest(problem.text)
            if share > MOST:
                raise RefusedProblemError(f"not new: {share:.0%} of its wording stands in {what} {id}")

    def _ask(self, wanted: Sequence[tuple[Commission, str]]) -> Sequence[Answer]:
        """What came back to the first of these, as many as the budget allows whatever they take."""
        return self.spending.asked(self.examinee, [self._request(wish, text) for wish, text in wanted])

    def _request(self, wish: Commission, text: str) -> Request:
        problem = Problem(wish.id, "", wish.domain, "", "")  # its id seeds what is drawn
        return Request(problem, Prefix(), self.around(text), max_tokens=MOST_TOKENS, schema=schema(wish.domain))


def _tell_end(name: str, set: str, count: int, why: str) -> None:
    print(f"NOTE: tutor.{name} wrote {count:,} problems of {set}, and no more: {why}", file=sys.stderr)
