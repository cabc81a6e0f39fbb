"""Multiple-choice scoring: the choice with the best log-likelihood, and the choice that an output names.

Example: with the choices "barometer" and "ruler", the outputs "Barometer.", "A", "(a)", "Answer: A", "I choose A.",
"B is wrong, so A", "You need a barometer." and "So the answer is **(A)**, since …" all name "barometer".
"""

import re
from collections.abc import Iterator, Sequence
from math import inf

from pfe.problem import Problem
from pfe.scorers.choice_names import PRAISE, SEVERAL, Reader, by_text
from pfe.scorers.markup import plain
from pfe.scorers.outcome import Score
from pfe.scorers.ranked_answers import preferred
from pfe.scorers.retracted import asserted, corrections
from pfe.scorers.stated import ABOUT, CALLED, IS, statements, unboxed
from pfe.scorers.trimming import before_next_question, ends_of

_NOUN = r"(?:answer|option|choice|letter|one|statement|response|alternative|pick|selection|guess|completion|ending)"
_SAY = r"(?:choose|chose|pick|picked|select|selected|say|answer|go\swith|going\swith|opt\sfor|vote\sfor|guess|conclude)"
# Phrases before an answer in a sentence: "the correct option is", "I choose".
_STATED = re.compile(
    rf"(?:{CALLED.pattern}"
    rf"|\b{PRAISE}\s{{1,3}}(?:(?:first|top)\s)?(?:{_NOUN}\s){{0,2}}{_NOUN}(?:{ABOUT}|\s(?:among|of|from)\b[^.:\n]{{0,60}}?){IS}\s{{0,20}}"
    r"|^[\s*#-]{0,9}(?:correct|right|best)\s?:\s{0,9}"
    r"|\b(?:the\s(?:only\s)?one|what|which)\sthat\s[^.\n]{1,60}?\sis\s(?=\(?[A-Z]\b)"
    rf"|\banswer\s(?=\(?(?:option|choice)?\s?[A-Z]\b)|^[ \t]{{0,9}}(?:option|choice)\s?:\s{{0,9}}"
    rf"|(?:\b(?:I|I'm|I'd|I'll|we|(?<!if\s)you|let's|let\sus|let\sme|my|would|will)\s(?:(?:would|will|should|can|must|have\sto)\s)?"
    rf"|^\W{{0,9}}(?:please\s)?(?=\w+\s(?:with\s)?(?:(?:option|choice|answer)\s)?\(?[A-Z]\b)){_SAY}\b"
    r"(?:\s(?:that|it\sis|it's))?\s{0,3}:?\s{0,3}|[选選](?:择|擇)?\s?(?=[A-Z]))",
    re.I | re.M,
)
# Phrases before a single letter that concludes an argument: "so B.", "that leaves B."
_CONCLUDED = re.compile(
    r"(?:\b(?:so|therefore|thus|hence|leaves?|leaving|must\sbe|has\sto\sbe|should\sbe|it's|it\sis|that's|that\sis|remains?"
    r"|but|sino|es|sondern|ist|c'est|mais|definitely|probably|clearly|to)\b[,:]?|→|=>|[.:;!]|\n)\s{0,9}"
    r"(?:(?:us\swith|with|only|just|it\sis|it's|it\smust\sbe|must\sbe|is|option|choice|answer|letter|la|el|die|der)\s){0,3}"
    r"(?=[(\[\"']?[A-Za-z][)\]\"']?\s{0,2}(?:[.!,;]|\Z|\n))",
    re.I,
)
_PRAISED = re.compile(
    rf"(?:\b(?:option|choice|answer|letter|statement)\s)?(?<![\w'])[(\[\"']?([A-Za-z])[)\]\"'.]{{0,2}}\s(?:is|must\sbe|would\sbe|(?:seems|looks|appears)(?:\sto\sbe)?)"
    rf"\s(?:clearly\s|definitely\s|indeed\s|therefore\s|probably\s)?(?:(?:the\s)?{PRAISE}|the\s(?:answer|one))\b",
)
# Sentences that select one letter without calling it correct.
_CHOSEN = re.compile(
    r"\b(?:makes?|making|leaves?|leaving)\s(?:option\s|choice\s)?\(?([A-Z])\)?\sthe\b|\b([A-Z])\sit\sis\b"
    r"|\b[Oo]nly\s(?:option\s|choice\s)?\(?([B-HJ-Z])\)?\s[a-z]"
    r"|\b(?:[Aa]ll|[Ee]very\w{0,9}|[Aa]ny\w{0,9})\s(?:\w{2,9}\s){0,3}?(?:except|but)\s(?:option\s|choice\s)?\(?([A-Z])\)?"
    r"\s(?:is|are|can\sbe)\s(?:wrong|incorrect|false|eliminated|ruled\sout)\b"
)
_RANKS = r"(?:second|third|fourth|fifth|next|last|2nd|3rd|4th|5th|backup|runner-up)"
_RANKED_ONE = r"(?:[A-Z][.)]\s(?-i:(?=[a-z]|[A-Z]\w*(?:[.;\n]|\Z))))?[^.,;\n]{1,80}?"
# A first choice and the choices ranked after it: "First choice: C. Second choice: A."
_RANKED = re.compile(
    rf"\b(?:first|1st|top)\s(?:choice|pick|preference){IS}\s{{0,9}}(?P<first>{_RANKED_ONE})"
    rf"(?P<lesser>(?:[.,;\n]\s{{0,9}}(?:and\s)?(?:(?:my|the)\s)?{_RANKS}(?:\s(?:choice|pick|preference))?{IS}"
    rf"\s{{0,9}}{_RANKED_ONE}){{1,25}})(?=\s{{0,9}}(?:[.;\n]|\Z))",
    re.I,
)
_VERDICT = re.compile(r"[❌✗✘✖🚫✅☑✔✓]|\b(?:(?:in)?correct|right|wrong|true|false|not?)\b", re.I)
# The subject before a choice given by text and letter in the first sentence: "the gas is oxygen (A)".
_SUBJECT = re.compile(r"[^.;:!?()\n]{1,100}?\b(?:is|are|was|were)\s(?=[^.;:!?()\n]{1,100}\([A-Z]\))")
_CONCLUSION = re.compile(
    r"(?:^|(?<=[.!?,;]\s))(?:so|therefore|thus|hence|in\sconclusion|overall)\b[^\n]{0,400}", re.I | re.M
)


def score(problem: Problem, output: str) -> Score:
    """Score the output as correct if it names the choice that is the answer, by text or letter."""
    choice = named_choice(problem.choices, output)
    return Score(choice is not None and choice == problem.answer, choice or "")


def best(scores: Sequence[float]) -> int:
    """Return the index of the highest score, the first one on ties: `acc` of lm-evaluation-harness.

    Raises:
        ValueError: there are no scores.
    """
    return max(range(len(scores)), key=scores.__getitem__)


def best_per_character(scores: Sequence[float], choices: Sequence[str]) -> int:
    """Return the index of the highest score per character of its choice: `acc_norm` of lm-evaluation-harness.

    Args:
        scores: the log-likelihood (nats) of each choice, including the space before it.
        choices: their texts, without that space; an empty text is never the best of several.

    Raises:
        ValueError: there are no scores, or not one per choice.
    """
    return best([score / len(text) if text else -inf for score, text in zip(scores, choices, strict=True)])


def named_choice(choices: tuple[str, ...], output: str) -> str | None:
    """Return the choice that the output names; None if it names none, or two with equal standing.

    The readings are tried in this order: an output that equals a choice's text; an answer in tags or JSON; the text
    after a self-correction; a stated answer (`pfe.scorers.stated`); a choice that is accepted, ranked first or called
    correct; the beginning; the conclusion of an argument; the last line; the only choice that is mentioned; the only
    choice that is not ruled out. The text of a choice takes precedence over a letter; a letter with the text of another
    choice names none. Lower-case letters count alone, in brackets and after "option"; "A" before a noun is an article.
    """
    text = before_next_question(output)
    for wording in (output, text):
        if (place := by_text(choices, wording)) is not None:
            return choices[place]
    place = next((place for place in _places(choices, plain(ends_of(text))) if place is not None), SEVERAL)
    return None if place == SEVERAL else choices[place]


def _places(choices: tuple[str, ...], output: str) -> Iterator[int | None]:
    """Yield the indices of the choices that an output names, the most certain first; None if a reading finds none."""
    read = Reader(choices)
    text = read.with_letters(_RANKED.sub(lambda match: _first_ranked(read, match), output))
    if all(asserted(choice) == choice for choice in choices):
        text = asserted(text)
    text, excluded = read.without_excluded(text)
    yield next(_handed_in(read, text), None)
    for part in corrections(text, no=True):
        yield from (place for place in _named(read, part) if place != SEVERAL)
    yield from _named(read, text)
    if match := _SUBJECT.match(text):
        yield read.beginning(text[match.end() :])
    for match in [*_CONCLUSION.finditer(text)][:-4:-1]:
        yield read.only_one(match[0])
    yield read.only_one(read.without_options(unboxed(text)))
    if len(left := set(range(len(choices))) - excluded) == 1 and len(excluded) > 1:
        yield left.pop()


def _first_ranked(read: Reader, ranked: re.Match[str]) -> str:
    """Return a statement of the first-ranked choice as the answer; the matched text if it only lists choices."""
    first, lesser = ranked["first"], ranked["lesser"]
    listed = read.text_alone(first) == 0 and all(choice in lesser for choice in read.choices[1:])
    judged = _VERDICT.search(ranked[0]) is not None
    return ranked[0] if listed or judged or read.beginning(first) is None else f"the answer is {first}"


def _handed_in(read: Reader, text: str) -> Iterator[int]:
    """Yield the choices in tags or JSON; a later remark does not retract them."""
    for statement in statements(text, _STATED):
        in_box = text.startswith("\\", statement.start)
        if statement.closed and not in_box and (place := read.beginning(statement.text)) is not None:
            yield place


def _named(read: Reader, text: str) -> Iterator[int | None]:
    """Yield the indices of the choices that a text states, accepts, calls correct, begins with or ends with."""
    for statement in statements(text, _STATED):
        yield read.beginning(statement.text)
    text = read.without_options(unboxed(text))
    yield read.accepted(text)
    yield read.letter(preferred(text) or "")
    letters = [match[1] for match in _PRAISED.finditer(text)]
    letters += [next(filter(None, match.groups())) for match in _CHOSEN.finditer(text)]
    praised = {place for letter in letters if (place := read.letter(letter)) is not None}
    if praised:
        yield praised.pop() if len(praised) == 1 else SEVERAL
    if not (text[:1] in "Aa" and text[1:2] == " " and len(text) > 80):
        yield read.beginning(text)
    for match in [*_CONCLUDED.finditer(text)][:-20:-1]:
        yield read.beginning(text[match.end() :].partition("\n")[0])
    last = text.rpartition("\n")[2]
    yield read.beginning(last)
    yield read.text_alone(last.rpartition("=")[2])
