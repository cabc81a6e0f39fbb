"""Known contamination: sealed canonical problems disguised, to measure how many of them each gate finds.

Example, attack "both_swap": "Ann has 3 pens and buys 12 more." becomes "Oddny has 7 pens and buys 48 more."
An attacked problem is screened and counted and never leaves the firewall.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random

from pfe.errors import UserError, nearest
from pfe.firewall.folding import lower_words, names
from pfe.problem import Problem

Rewrite = Callable[[str], str]


@dataclass(frozen=True)
class Donors:
    """Texts that are no protected problems: they lend their words, and dilution hides a problem among them."""

    texts: tuple[str, ...]

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Every word as often as it occurs."""
        return tuple(word for text in self.texts for word in text.split())

    @cached_property
    def known(self) -> frozenset[str]:
        """Words that are no names (see `folding.names`)."""
        return lower_words(self.texts)


Attack = Callable[[Problem, Donors, Random], Problem | None]


def attack(
    kind: str, problems: Sequence[Problem], donors: Sequence[str], per_kind: int, seed: int
) -> list[tuple[Problem, Problem]]:
    """At most `per_kind` pairs (original, attacked), drawn round-robin over the benchmarks.

    Problems that the attack cannot change are passed over. Every attacked problem is made from its own seed: alone
    (`problems` of one) it comes out the same. It keeps its set and domain, and whatever the attack leaves true.

    Raises:
        UserError: there is no such attack.
    """
    if kind not in ATTACKS:
        raise UserError(f"attack '{kind}': no such attack; {nearest(kind, ATTACKS)}")
    lenders = Donors(tuple(donors))
    made: list[tuple[Problem, Problem]] = []
    for problem in _round_robin(problems, Random(f"{seed}:attacks")):
        if len(made) >= per_kind:
            break
        attacked = ATTACKS[kind](problem, lenders, Random(f"{seed}:{kind}:{problem.id}"))
        if attacked is not None and (kind == "verbatim" or attacked.text != problem.text):
            made.append((problem, replace(attacked, id=f"{kind}/{problem.id}")))
    return made


def _round_robin(problems: Sequence[Problem], rng: Random) -> Iterator[Problem]:
    """One problem of every benchmark after the other, each benchmark shuffled."""
    decks: dict[str, list[Problem]] = {}
    for problem in problems:
        decks.setdefault(problem.set, []).append(problem)
    for deck in decks.values():
        rng.shuffle(deck)
    while any(decks.values()):
        yield from [deck.pop() for deck in decks.values() if deck]


def _rewritten(problem: Problem, rewrite: Rewrite) -> Problem:
    """What a reader sees of the problem, rewritten; an answer that is one of the choices follows its choice."""
    choices = tuple(map(rewrite, problem.choices))
    answer = dict(zip(problem.choices, choices, strict=True)).get(problem.answer, problem.answer)
    return replace(
        problem, context=rewrite(problem.context), question=rewrite(problem.question), choices=choices, answer=answer
    )


def _verbatim(problem: Problem, donors: Donors, rng: Random) -> Problem:
    return problem


def _words(share: float) -> Attack:
    """That share of the words of the whole problem replaced by words of the donors."""

    def change(problem: Problem, donors: Donors, rng: Random) -> Problem | None:
        places = range(len(problem.text.split()))
        chosen = set(rng.sample(places, round(share * len(places))))
        if not chosen or not donors.words:
            return None
        count = iter(places)

        def other(found: re.Match[str]) -> str:
            return rng.choice(donors.words) if next(count) in chosen else found.group()

        return _rewritten(problem, lambda text: re.sub(r"\S+", other, text))

    return change


def _dilution(problem: Problem, donors: Donors, rng: Random) -> Problem | None:
    """The whole problem, choices and all, somewhere among three other texts."""
    if len(donors.texts) < 3:
        return None
    texts = rng.sample(donors.texts, 3)
    texts.insert(rng.randrange(4), problem.text)
    return replace(problem, context="", question="\n\n".join(texts), choices=())


def _numbers(problem: Problem, donors: Donors, rng: Random) -> Problem | None:
    """Every number another one of as many digits, equal ones by equal ones, in answer, solution and tests too.

    Number words too, but "one", which mostly counts nothing. The new answer is hardly the right one, only a number
    of the same kind: what finds the template must not lean on it.
    """
    digits, words = dict[str, str](), dict[str, str]()

    def other(found: re.Match[str]) -> str:
        number = found.group()
        if number.isdecimal():
            return digits.setdefault(number, _other_digits(number, rng))
        word = number.lower()
        swapped = words.setdefault(word, rng.choice([other for other in _alike(word) if other != word]))
        return swapped.capitalize() if number[0].isupper() else swapped

    def swap(text: str) -> str:
        return _NUMBER.sub(other, text)

    changed = _rewritten(problem, swap)
    if changed.text == problem.text:
        return None
    return replace(
        changed,
        answer=changed.answer if problem.choices else swap(problem.answer),
        aliases=tuple(map(swap, problem.aliases)),
        solution=swap(problem.solution),
        setup=swap(problem.setup),
        tests=tuple(map(swap, problem.tests)),
    )


def _other_digits(digits: str, rng: Random) -> str:
    least = 10 ** (len(digits) - 1) if len(digits) > 1 else 1
    drawn = rng.randrange(least, 10 ** len(digits) - 1)
    return str(drawn if drawn < int(digits) else drawn + 1)


def _alike(word: str) -> tuple[str, ...]:
    return _TENS if word in _TENS else _UNITS


def _names(problem: Problem, donors: Donors, rng: Random) -> Problem | None:
    """Every name another one, the same everywhere, in the answer and the solution too; programs stay."""
    found = sorted(names(problem.text, donors.known))
    free = [name for name in _OWN_NAMES if name not in problem.text]
    others = dict(zip(found, rng.sample(free, min(len(free), len(found))), strict=False))
    if not others:
        return None
    pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(others, key=len, reverse=True)))})\b")

    def swap(text: str) -> str:
        return pattern.sub(lambda name: others[name.group()], text)

    changed = _rewritten(problem, swap)
    if problem.domain == "code":
        return changed
    aliases = tuple(map(swap, problem.aliases))
    return replace(changed, answer=swap(problem.answer), aliases=aliases, solution=swap(problem.solution))


def _both(problem: Problem, donors: Donors, rng: Random) -> Problem | None:
    """Another problem from the same template: names and numbers swapped."""
    renamed = _names(problem, donors, rng)
    return renamed and _numbers(renamed, donors, rng)


def _choice_order(problem: Problem, donors: Donors, rng: Random) -> Problem | None:
    if len(set(problem.choices)) < 2:
        return None
    choices = problem.choices
    while choices == problem.choices:
        choices = tuple(rng.sample(problem.choices, len(problem.choices)))
    return replace(problem, choices=choices)


def _whitespace(problem: Problem, donors: Donors, rng: Random) -> Problem:
    """Blanks become runs of odd spaces and line breaks; every eighth long word gets a space inside."""

    def wider(found: re.Match[str]) -> str:
        return "".join(rng.choices(_SPACES, k=rng.randint(1, 3)))

    def parted(found: re.Match[str]) -> str:
        word = found.group()
        place = rng.randrange(1, len(word))
        return word if rng.random() > 1 / 8 else word[:place] + " " + word[place:]

    return _rewritten(problem, lambda text: re.sub(r"\s+", wider, _LONG_WORD.sub(parted, text)))


def _case(problem: Problem, donors: Donors, rng: Random) -> Problem:
    """All capitals, or each letter by chance; ASCII letters only, for others have no such simple pairs."""
    share = rng.choice((0.5, 1.0))

    def change(text: str) -> str:
        return re.sub(r"[A-Za-z]", lambda c: c.group().upper() if rng.random() < share else c.group().lower(), text)

    return _rewritten(problem, change)


def _unicode(problem: Problem, donors: Donors, rng: Random) -> Problem:
    """Other code points for the same look: decomposed accents, full-width words, characters of no width inside."""

    def change(found: re.Match[str]) -> str:
        word = found.group()
        return rng.choice((str, _full_width, lambda word: rng.choice(_NO_WIDTH).join(word)))(word)

    return _rewritten(problem, lambda text: re.sub(r"[!-~]+", change, unicodedata.normalize("NFD", text)))


def _full_width(word: str) -> str:
    return "".join(chr(ord(character) + 0xFEE0) for character in word)


def _homoglyphs(problem: Problem, donors: Donors, rng: Random) -> Problem:
    """Half of the letters that have a Cyrillic or Greek twin replaced by it."""

    def twin(found: re.Match[str]) -> str:
        return rng.choice(_GLYPHS[found.group()]) if rng.random() < 0.5 else found.group()

    return _rewritten(problem, lambda text: re.sub(f"[{''.join(_GLYPHS)}]", twin, text))


def _typos(problem: Problem, donors: Donors, rng: Random) -> Problem:
    """In every third word of two letters or more one letter dropped, doubled, replaced, or swapped with the next."""
    count = 0

    def typo(found: re.Match[str]) -> str:
        nonlocal count
        count += 1
        return found.group() if count % 3 else _misspelt(found.group(), rng)

    return _rewritten(problem, lambda text: re.sub(r"[A-Za-z]{2,}", typo, text))


def _misspelt(word: str, rng: Random) -> str:
    place = rng.randrange(len(word) - 1)
    before, letter, following, after = word[:place], word[place], word[place + 1], word[place + 2 :]
    stranger = rng.choice([other for other in "abcdefghijklmnopqrstuvwxyz" if other != letter.lower()])
    edits = (following, letter + letter + following, stranger + following, following + letter)
    return before + rng.choice([edit for edit in edits if edit != letter + following]) + after


ATTACKS: Mapping[str, Attack] = {
    "verbatim": _verbatim,
    **{f"words_{percent}": _words(percent / 100) for percent in (10, 20, 30)},
    "dilution": _dilution,
    "number_swap": _numbers,
    "name_swap": _names,
    "both_swap": _both,
    "choice_order": _choice_order,
    "whitespace": _whitespace,
    "case": _case,
    "unicode": _unicode,
    "homoglyphs": _homoglyphs,
    "typos": _typos,
}

_UNIT_WORDS = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen"
)
_TEN_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety"
_UNITS, _TENS = tuple(_UNIT_WORDS.split()), tuple(_TEN_WORDS.split())
_NUMBER = re.compile(rf"[0-9]+|\b(?:{'|'.join(_UNITS + _TENS)})\b", re.IGNORECASE)
_NAME_LIST = (
    "Oddny Tarek Ilse Marisol Kwame Saoirse Bram Yusra Anneke Dagny Elio Farida Goran Hyacinth Idris Jorun Katsumi Liv "
    "Mireille Nadav Oriane Pavel Quilla Rashid Sunniva Tadeo Ulrike Vashti Wilmar Xiomara Ysolde Zoltan Aroha Bronwen "
    "Cosimo Delphine Emeka Fenna Gideon Hedda Ivo Jacinta Kalinda Leocadia Malachi Noor Ottilie Priya Runa Soren"
)
_OWN_NAMES = tuple(_NAME_LIST.split())
_SPACES = " \u00a0\u2003\u2009\u3000\t\n"
_NO_WIDTH = "\u200b\u200c\u200d\u2060\ufeff\u00ad"
_LONG_WORD = re.compile(r"(?<![^\W_])[A-Za-z]{5,}(?![^\W_])")
_GLYPHS: Mapping[str, str] = {
    **{"a": "а", "c": "с", "d": "ԁ", "e": "е", "h": "һ", "i": "і", "j": "ј", "o": "оο", "p": "р", "s": "ѕ"},
    **{"v": "ν", "w": "ԝ", "x": "х", "y": "у", "A": "АΑ", "B": "ВΒ", "C": "С", "E": "ЕΕ", "H": "НΗ", "I": "ІΙ"},
    **{"J": "Ј", "K": "КΚ", "M": "МΜ", "N": "Ν", "O": "ОΟ", "P": "РΡ", "S": "Ѕ", "T": "ТΤ", "X": "ХΧ", "Y": "Υ"},
}
