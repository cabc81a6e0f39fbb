"""An author: a language model that writes problems of a set, with one repair request for each refused reply.

Example: `Author("gpt4o", examinee, …).write("gsm1k_synth", 200, 0)` gives 200 problems, and the refused replies
with the reasons.

Requests go out in rounds. The budget and the number of missing problems fix the requests of a round before it begins.
The result therefore does not depend on the order of the replies, and an interrupted run sends the same requests again,
which the cache answers.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pfe.icr.prefix import Prefix
from pfe.models.request import Answer, Examinee, Request
from pfe.problem import Problem
from pfe.progress import progress
from pfe.tutors.budget import Spending
from pfe.tutors.writing import reading
from pfe.tutors.writing.novelty import MOST, Seen
from pfe.tutors.writing.prompt import Commission, again, commission, schema
from pfe.tutors.writing.reading import RefusedProblemError
from pfe.tutors.writing.results import Refusal, Work

MOST_TOKENS = 2048  # per problem; a passage of 350 words with its question has about 700 tokens
TEMPERATURE = 1.0  # for variety; the request's id seeds the sampling
PATIENCE = 40  # consecutive refusals after which the author stops
_ENDINGS = {
    "length": f" (it was cut off after {MOST_TOKENS:,} tokens, or at the end of the model's window)",
    "too_long": " (the request is longer than the model's window)",
}
_LONGEST_RECORD = 2000  # characters of a refused text that are recorded for inspection


@dataclass
class Author:
    """A language model that writes problems.

    Args:
        together: number of problems requested in one round.
        around: wraps a text in the prompt format of the model, such as its chat template.
    """

    name: str
    examinee: Examinee
    together: int
    spending: Spending
    around: Callable[[str], str] = str
    _seen: Seen = field(default_factory=Seen)

    def write(self, set: str, count: int, seed: int) -> Work:
        """Write up to `count` problems; fewer if the budget ends or `PATIENCE` replies in a row are refused.

        Raises:
            UserError: the model cannot answer; its earlier answers stay in the cache.
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
        """Return the problem or the refusal for each answered request, after one repair request if it was refused."""
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
        """Return the problem in an answer and add it to the seen ones, or return the refusal."""
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
        """Return the answers to the first requests, as many as the budget allows if each uses its maximum of tokens."""
        return self.spending.asked(self.examinee, [self._request(wish, text) for wish, text in wanted])

    def _request(self, wish: Commission, text: str) -> Request:
        problem = Problem(wish.id, "", wish.domain, "", "")  # its id seeds the sampling
        return Request(problem, Prefix(), self.around(text), max_tokens=MOST_TOKENS, schema=schema(wish.domain))


def _tell_end(name: str, set: str, count: int, why: str) -> None:
    print(f"NOTE: tutor.{name} wrote {count:,} problems of {set}, and no more: {why}", file=sys.stderr)
