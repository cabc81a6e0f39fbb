"""Short factual answers, by TriviaQA's published normalisation.

Example: "the Beatles\\n\\nQuestion: ..." is right for the answer "Beatles", as any of its aliases is.
Source: `normalize_answer` in evaluation/triviaqa_evaluation.py of github.com/mandarjoshi90/triviaqa.
"""

import re
import string

from pfe.problem import Problem
from pfe.scorers.outcome import Score
from pfe.scorers.runon import before_next_question

_PUNCTUATION = str.maketrans(dict.fromkeys(string.punctuation + "‘’´`", " "))
_ARTICLE = re.compile(r"\b(a|an|the)\b")


def score(problem: Problem, output: str) -> Score:
    """Right if the first line of the output is the answer or an alias, normalised."""
    line = before_next_question(output).partition("\n")[0].strip()
    answers = {normalise(name) for name in (problem.answer, *problem.aliases)}
    return Score(normalise(line) in answers - {""}, line)


def normalise(text: str) -> str:
    """Lower case; no punctuation, articles or extra spaces. What only articles make up ("The The") keeps them."""
    words = text.lower().translate(_PUNCTUATION)
    return " ".join(_ARTICLE.sub(" ", words).split()) or " ".join(words.split())
