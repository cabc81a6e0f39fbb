"""Rules that find slips of English in problems: articles, agreement, punctuation, measure words.

Example: `list(slips("Ada sold a apple.. The plums was ripe."))` has the kinds `article` for "a apple", `punctuation`
for ".." and `agreement` for "The plums was".

The rules are few and precise: every family with a slip is fixed, so a false positive would force its author to
write around it. They do not judge what they cannot know: an invented word that ends in s may be a singular, and if a
problem shows data, code or the signature of a function, its lines may begin and end in any way.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from pfe.invented.names import name_parts
from pfe.problem import Domain, Problem
from pfe.quality.record import English
from pfe.scores.proportion import proportion
from pfe.tutors.content import table

EXAMPLES = 10  # per set

# Words whose sound does not match their first letter: a unit, an hour, an 8.
_SOUNDS_LIKE_CONSONANT = r"u(?:s|t[ei]|ni|r[ai]|bi|k[eu]|fo)|eu|ewe|one\b|once\b"
_SOUNDS_LIKE_VOWEL = r"hour|hono|honest|heir|herb"
# Words after the letter A as a name ("A is left of B"), and single letters ("has an n").
_NO_NOUN = r"[a-z]\b|(?:and|are|as|asks?|at|if|in|is|it|of|offers|on|or)\b"
_ARTICLE = (
    rf"(?<!two )\b(?:a|(?<![\w,)] )A) (?!{_SOUNDS_LIKE_CONSONANT}|{_NO_NOUN})[aeiou]\w+",
    rf"\b[Aa]n (?!{_SOUNDS_LIKE_VOWEL}|[a-z]\b)[b-df-hj-np-tv-z]\w+",
    r"\b[Aa]n u(?:ni[^mn]|s[eu])\w*",
    r"\b[Aa] (?:8\d*|11|18)(?!\d)",
    r"\b[Aa]n (?:[1-79]|1[02-79])(?!\d)",
)

_TWICE = r"a|an|and|are|at|by|for|from|her|his|in|is|of|on|or|the|their|to|was|were|with"
_REPEATED = (rf"\b({_TWICE}) \1\b", r"\b[Aa]n? the\b", r"\bthe an?\b")

_PUNCTUATION = (
    r"(?<!\.)\.\.(?!\.)|[,;][,;:]|:[,;]",
    r"[,;:]\s*[.!?](?![.\w])|[!?]\.(?!\.)|(?<!\.)\.[?!]|(?<!\b[A-Za-z])\.,(?= )",
    r"[a-z\d)] [.,;?!](?=\s|$)|\(\s|\w\s\)",
    r"[^\W\d_]{3,}[,;][^\W\d_]{3,}",
)
_CAPITAL = (r"(?<=[a-z]{3}[.?!] )(?<!etc\. )(?<!max\. )(?<!min\. )(?<!approx\. )[a-z]+",)

# The beginning of a clause, so that the noun after it is the subject of the verb; none begins after "Dr.".
_CLAUSE = (
    r"(?:^|(?<=[.!?:;] )(?<!\b[DM]r\. )(?<!\bMrs\. )(?<!\bMs\. )|(?<=\n)|, (?:and|but|or) "
    r"|\b(?:so|because|when|while|if|as|though|although|where|until) )"
)
_OF_MANY = (
    r"(?:(?i:the|these|those|all|both|some|many|few|several|most|other|his|her|their|our|my|your|its|\w+'s)"
    r" (?:[a-z-]+ )?)?"
)
_AGREEMENT = (
    rf"{_CLAUSE}{_OF_MANY}(?P<noun>[a-z]+s) (?:is|was|has|does|gets|goes|makes|gives|takes|needs|costs)\b",
    r"\b(?:[Ee]very|[Ee]ach|[Ee]ither|[Nn]either) (?!one )[a-z]+ (?:are|were|have|do)\b",
    r"(?<!of )\b(?:[Tt]hey|[Ww]e|[Tt]hese|[Tt]hose) (?:is|was|has|does)\b",
    r"(?:^|(?<=[.!?] ))(?:He|She|It) (?:are|were|have|do)\b",
    r"\b(?:of|for|with|has|have|had|only|about|are|than|after|takes|needs|bought|sold|ate) 1 [a-z]+[^\W s]s\b",
    r"\b[Hh]ow many [a-z]+ is left\b|\b[Hh]ow much [a-z]+s (?:are|were) left\b",
)
_NUMBER = (
    r"(?:^|(?<= ))(?<!all )(?<!the )(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[2-9]|[1-9]\d+)"
    r" (?P<counted>[a-z]{3,})(?=[.,;?!](?:\s|$)| (?:each|apiece|altogether|in all|in total)\b)",
)
_EITHER = (r"\b[Nn]o [^.?!,;:]*\beither\b",)

_LIQUIDS = "beer|brandy|coffee|honey|juice|milk|oil|soup|tea|vinegar|water|wine"
_FIBRES = "cotton|hair|silk|string|thread|wool|yarn"
_LOOSE = "barley|corn|flour|gravel|oats|rice|sand|seeds?"
_DISHES = "cake|dumplings|noodles|pancakes|pasta|pizza|salad|sandwiches|soup|stew"
_SOLIDS = "bread|cake|cheese|cloth|iron|meat|paper|steel|stone|wood"
# The nouns that each measure word cannot measure.
_UNFIT: Mapping[str, str] = {
    r"(?:block|brick|slab|slice|bar|cube)s?|loaf|loaves": f"{_LIQUIDS}|{_FIBRES}|{_LOOSE}",
    r"loaf|loaves": f"{_DISHES}|cheese|meat",
    r"(?:skein|spool|reel)s?": f"{_LIQUIDS}|{_LOOSE}|{_SOLIDS}|{_DISHES}",
    r"glass(?:es)?|(?:bottle|gallon|quart|pint|liter|litre|drop|sip)s?": f"{_FIBRES}|{_SOLIDS}",
    r"(?:sack|bag|basket|pound|crate)s?": "cake|salad|soup|stew",
    r"bowls?": "bread|cake|pancakes|sandwiches",
    r"bunch(?:es)?": f"{_LIQUIDS}|{_LOOSE}|{_SOLIDS}|{_DISHES}|apples|eggs|potatoes",
}

RULES: Mapping[str, re.Pattern[str]] = {
    kind: re.compile("|".join(patterns))
    for kind, patterns in {
        "article": _ARTICLE,
        "repeated word": _REPEATED,
        "punctuation": _PUNCTUATION,
        "capital": _CAPITAL,
        "agreement": _AGREEMENT,
        "number": _NUMBER,
        "no with either": _EITHER,
        "measure word": [rf"\b(?:{measure}) of (?:{stuff})\b" for measure, stuff in _UNFIT.items()],
    }.items()
}
# Problems of these domains show data and code, so only the rules on words apply.
_SHOWS_DATA: frozenset[Domain] = frozenset({"format", "code", "function_call"})
_OF_WORDS = ("article", "agreement", "no with either", "measure word")

# Words that end in s but are singular or not nouns.
_SINGULAR = (
    "always as besides bias bus chaos chess compass dress gas glass has his is its lens means news pancreas perhaps "
    "plus series sometimes species thus this towards us was whereas yes"
)
# Plurals that do not end in s, and words that may follow a number without being counted.
_PLURAL = (
    "again ago ahead aircraft all alone altogether apart away besides bison cannot cattle cod daily deer dice dozen "
    "each feet fewer fish flat geese here hundred instead later left less lice mice million min moose more none now "
    "offspring oxen pence people percent police salmon sheep shrimp species squid teeth there thousand today together "
    "too trout"
)
_NO_PLURALS, _NO_SINGULARS = frozenset(_SINGULAR.split()), frozenset(_PLURAL.split())


@dataclass(frozen=True)
class Slip:
    """A match of a rule: its kind, and the words."""

    kind: str
    words: str


def slips(text: str, kinds: Iterable[str] = tuple(RULES)) -> Iterator[Slip]:
    """Yield every slip of these kinds in a text."""
    for kind in kinds:
        for match in RULES[kind].finditer(text):
            if not _is_no_slip(match):
                yield Slip(kind, match[0].strip())


def english(problems: Sequence[Problem]) -> English:
    """Return the share of problems with a slip; the examples are the first slips of the first such problems by id."""
    by_text: dict[tuple[str, bool], tuple[Slip, ...]] = {}

    def first(problem: Problem) -> Slip | None:
        data = problem.domain in _SHOWS_DATA
        for text in texts(problem):
            if (text, data) not in by_text:
                by_text[text, data] = tuple(slips(text, _OF_WORDS if data else RULES))
            if by_text[text, data]:
                return by_text[text, data][0]
        return None

    found = {problem.id: slip for problem in problems if (slip := first(problem))}
    examples = [f'{found[id].kind} "{found[id].words}" ({id})' for id in sorted(found)[:EXAMPLES]]
    return English(proportion(len(found), len(problems)), tuple(examples))


def texts(problem: Problem) -> Iterator[str]:
    """Yield the texts that a reader sees of a problem, with the entries of all its libraries."""
    yield from (problem.context, problem.question, *problem.choices, *problem.library)
    yield from (entry for variant in problem.variants for entry in variant.library)


def _is_no_slip(match: re.Match[str]) -> bool:
    """Return whether a match is a false positive, because its noun is not a plural or needs none."""
    groups = match.groupdict()
    if noun := groups.get("noun"):
        return noun in _NO_PLURALS or noun.endswith(("ss", "us", "ics", "sis")) or _is_invented(noun)
    if noun := groups.get("counted"):
        return noun in _NO_SINGULARS or noun.endswith(("s", "men", "children")) or _is_invented(noun)
    return False


def _is_invented(word: str) -> bool:
    return bool(_invented().fullmatch(word))


@cache
def _invented() -> re.Pattern[str]:
    """Compile the pattern of invented words: two or three syllables, and optionally a coda and a plural s."""
    words = []
    for parts in (table("syllables"), name_parts()):
        onset, vowel, coda = ("|".join(map(re.escape, parts[name])) for name in ("onsets", "vowels", "codas"))
        words.append(rf"(?:(?:{onset})(?:{vowel})){{2,3}}(?:{coda})?s?")
    return re.compile("|".join(words))
