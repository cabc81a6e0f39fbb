"""Known contamination: sealed canonical problems disguised, to measure how many of them each gate finds.

Example, attack "both_swap": "Ann has 3 pens and buys 12 more." becomes "Oddny has 7 pens and buys 48 more."
An attacked problem is screened and counted and never leaves the firewall.
"""

import itertools
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random

from pfe.calibration.rewriting import names_of, renamed, rewritten
from pfe.errors import UserError, nearest
from pfe.firewall.folding import lower_words, names
from pfe.problem import Problem
from pfe.scorers.python import UNREADABLE

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


def _disguised_typos(problem: Problem, donors: Donors, rng: Random) -> Problem:
    """Typing errors, and look-alike letters over them."""
    return _homoglyphs(_typos(problem, donors, rng), donors, rng)


def _disguised_excerpt(problem: Problem, donors: Donors, rng: Random) -> Problem | None:
    """The first half of the problem in look-alike letters, and something else after it."""
    words = problem.text.split()
    if len(words) < 12 or not donors.texts:
        return None
    other = rng.choice(donors.texts).split()[: len(words) // 4]
    half = replace(problem, context="", question=" ".join(words[: len(words) // 2]), choices=())
    hidden = _homoglyphs(half, donors, rng)
    return replace(hidden, question=f"{hidden.question} {' '.join(other)}")


def _clauses(count: int) -> Attack:
    """GSM-Symbolic's P1 and P2: names, numbers and some words swapped, and further conditions before the question."""

    def change(problem: Problem, donors: Donors, rng: Random) -> Problem | None:
        sentences = _SENTENCE_END.split(problem.question.strip())
        if problem.domain != "math" or len(sentences) < 2:
            return None
        changed = _names(problem, donors, rng) or problem
        changed = _numbers(changed, donors, rng) or changed
        sentences = [_reworded(sentence, rng, 0.3) for sentence in _SENTENCE_END.split(changed.question.strip())]
        people = sorted(names(changed.question, donors.known)) or ["The owner"]
        for clause in rng.sample(_CLAUSES, count):
            numbers = {"a": rng.randrange(2, 30), "b": rng.randrange(30, 200), "p": rng.randrange(5, 45, 5)}
            sentences.insert(rng.randrange(1, len(sentences)), clause.format(name=rng.choice(people), **numbers))
        # Who adds a condition works out another answer; which one does not matter here.
        return replace(changed, question=" ".join(sentences), answer=str(rng.randrange(3, 999)), solution="")

    return change


def _retold(problem: Problem, donors: Donors, rng: Random) -> Problem | None:
    """Names and most words that have a synonym exchanged, small numbers in words, the question first; answer stays."""
    if problem.domain != "math":
        return None
    changed = _names(problem, donors, rng) or problem
    sentences = _SENTENCE_END.split(changed.question.strip())
    sentences = [_SMALL_NUMBER.sub(_in_words, _reworded(sentence, rng, 0.9)) for sentence in sentences]
    return replace(changed, question=" ".join([sentences[-1], *sentences[:-1]]), solution="")


def _reworded(sentence: str, rng: Random, share: float) -> str:
    """That share of the words that have a synonym exchanged for it."""

    def other(found: re.Match[str]) -> str:
        word = found.group()
        synonym = _SYNONYMS.get(word.lower())
        if synonym is None or rng.random() > share:
            return word
        return synonym.capitalize() if word[0].isupper() else synonym

    return re.sub(r"[A-Za-z]+", other, sentence)


def _in_words(found: re.Match[str]) -> str:
    return _UNITS[int(found.group()) - 2]


def _translated(problem: Problem, donors: Donors, rng: Random) -> Problem | None:
    """The problem in Spanish, German or French: problems of our own sample, translated by hand."""
    text = next((text for start, text in _TRANSLATIONS.items() if problem.question.startswith(start)), None)
    return replace(problem, question=text, solution="") if text else None


def _copied_answer(problem: Problem, donors: Donors, rng: Random) -> Problem | None:
    """What answers the problem, program or worked solution, under a question that is another."""
    answer = problem.answer if problem.domain == "code" else problem.solution
    if len(answer.split()) < 8 or not donors.texts:
        return None
    return replace(problem, context="", question=rng.choice(donors.texts), choices=(), tests=())


def _markup(problem: Problem, donors: Donors, rng: Random) -> Problem:
    """Every blank written as an entity, an octet or an escape, or every word in a tag or numbered."""
    blank, word = rng.choice(_MARKUPS)
    count = itertools.count(1)
    return _rewritten(
        problem, lambda text: blank.join(word.format(number=next(count), word=one) for one in text.split())
    )


def _reprinted_answer(problem: Problem, donors: Donors, rng: Random) -> Problem | None:
    """`copied_answer` of a worked solution as others print it: not annotated, in numbered steps, an answer in words."""
    copied = _copied_answer(problem, donors, rng) if problem.domain == "math" else None
    if copied is None:
        return None
    lines = _FINAL_ANSWER.sub("The answer is: ", _ANNOTATION.sub("", copied.solution)).split("\n")
    return replace(copied, solution="\n".join(f"Step {number}: {line}" for number, line in enumerate(lines, 1)))


def _program(rewrite: Callable[[str, Mapping[str, str]], str]) -> Attack:
    """The program written anew, with the tests for it and a question that says nothing."""

    def change(problem: Problem, donors: Donors, rng: Random) -> Problem | None:
        given = names_of(problem.answer) if problem.domain == "code" else {}
        if not given:
            return None
        swap = re.compile(rf"\b(?:{'|'.join(map(re.escape, given))})\b(?=\(|=(?!=))")
        tests = tuple(swap.sub(lambda name: given[name.group()], test) for test in problem.tests)
        try:
            program = rewrite(problem.answer, given)
        except UNREADABLE:
            return None
        return replace(problem, context="", question=_SAYS_NOTHING, answer=program, solution="", tests=tests)

    return change


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
    "markup": _markup,
    "typos": _typos,
    "disguised_typos": _disguised_typos,
    "disguised_excerpt": _disguised_excerpt,
    "clauses_1": _clauses(1),
    "clauses_2": _clauses(2),
    "retold": _retold,
    "translated": _translated,
    "copied_answer": _copied_answer,
    "reprinted_answer": _reprinted_answer,
    "renamed_program": _program(renamed),
    "rewritten_program": _program(rewritten),
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
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_SMALL_NUMBER = re.compile(r"(?<![\w$€£.,/])(?:[2-9]|1[0-9])(?![\w%,/]|\.\d)")
_SAYS_NOTHING = "Write the function that the given examples call for."
_SPACES = " \u00a0\u2003\u2009\u3000\t\n"
_MARKUPS = (  # what stands between the words, and each word
    *((blank, "{word}") for blank in ("&nbsp;", "&#32;", "%20", "\\n", "\\u0020")),
    *((" ", word) for word in ("<b>{word}</b>", "[b]{word}[/b]", "[{word}](#)", "{number}. {word}")),
)
_ANNOTATION = re.compile(r"<<[^<>]*>>")
_FINAL_ANSWER = re.compile(r"^#### *", re.MULTILINE)
_NO_WIDTH = "\u200b\u200c\u200d\u2060\ufeff\u00ad"
_LONG_WORD = re.compile(r"(?<![^\W_])[A-Za-z]{5,}(?![^\W_])")
_GLYPHS: Mapping[str, str] = {
    **{"a": "а", "c": "с", "d": "ԁ", "e": "е", "h": "һ", "i": "і", "j": "ј", "o": "оο", "p": "р", "s": "ѕ"},
    **{"v": "ν", "w": "ԝ", "x": "х", "y": "у", "A": "АΑ", "B": "ВΒ", "C": "С", "E": "ЕΕ", "H": "НΗ", "I": "ІΙ"},
    **{"J": "Ј", "K": "КΚ", "M": "МΜ", "N": "Ν", "O": "ОΟ", "P": "РΡ", "S": "Ѕ", "T": "ТΤ", "X": "ХΧ", "Y": "Υ"},
}
_CLAUSES = (
    "On top of that, {name} pays a fixed fee of ${a}.",
    "There is also a {p}% discount on everything.",
    "If the total comes to more than ${b}, {name} gets {p}% off.",
    "{name} also gives {a} of them to a neighbour.",
    "In addition, {a} more are lost along the way.",
    "However, {p}% of them turn out to be broken and have to be thrown away.",
    "After the first {a}, each further one costs only half as much.",
    "Every {a} days, {name} takes one day off.",
    "A tax of {p}% is added at the end.",
    "On weekends the amount is doubled.",
    "{name} already had {a} of them before all this.",
    "A friend of {name} contributes another {b}.",
    "For each {a} that are sold, one is given away for free.",
    "Halfway through, {name} stops for {a} minutes to rest.",
    "{name} also wants to set aside ${a} for a present.",
    "The next day, the number goes up by {a}.",
    "In the following week the price rises by {p}%.",
    "{name} spends a further {a} minutes cleaning up afterwards.",
    "From the second month on, it takes {a} hours less.",
    "{name} has to share a {p}% part of it with a partner.",
    "It also costs ${a} to have everything delivered.",
    "The last {a} of them are twice as large as the others.",
    "During the holidays, {a} additional people show up.",
    "A coupon takes ${a} off the price of the first one.",
    "{name} drops {a} of them on the way home.",
    "After {a} weeks the rate falls to {b} per week.",
    "Besides, {name} needs {a} more for the party.",
    "The second one is {p}% more expensive than the first.",
    "They also pay a tip of {p}%.",
    "Each of them also needs {a} minutes to get ready.",
)
_SYNONYM_PAIRS = (
    "has owns have own decides chooses decided chose wants desires makes produces made produced buys purchases "
    "bought purchased gets receives got received gives hands gave handed goes heads went headed uses employs "
    "used employed needs requires needed required also additionally then afterwards each every every each "
    "total sum remaining leftover starts begins started began spends pays spent paid earns gains earned gained "
    "eats consumes ate consumed takes requires took required cost price sells offers sold offered works labors "
    "worked labored more additional however but because since after following during throughout "
    "about around only just bigger larger big large small little children kids money cash plans intends found "
    "discovered finds discovers wins collects won collected keeps retains kept retained puts places reads studies "
    "friends pals friend pal store shop shop store house home car vehicle trip journey job task boy lad girl lass "
    "man fellow woman lady people persons grows rises lost misplaced "
    "loses misplaces remain stay altogether overall together jointly share part shares parts"
)
_SYNONYMS = dict(zip(_SYNONYM_PAIRS.split()[::2], _SYNONYM_PAIRS.split()[1::2], strict=True))
# By the first words of the problem of data/sample that each translates.
_TRANSLATIONS: Mapping[str, str] = {
    "A beekeeper looks after 14 hives.": (
        "Una apicultora cuida 14 colmenas. Cada colmena da 3 tarros de miel en junio y 5 tarros en agosto. Guarda 12 "
        "tarros para su familia y vende los demás a 9 dólares el tarro. ¿Cuántos dólares gana?"
    ),
    "Dov is knitting a blanket": (
        "Dov strickt eine Decke aus quadratischen Flicken, 8 Flicken breit und 11 Flicken lang. Für einen Flicken "
        "braucht er 25 Minuten. Wenn er jeden Sonntag 2 Stunden und 30 Minuten strickt, an wie vielen Sonntagen muss "
        "er stricken, bis alle Flicken fertig sind?"
    ),
    "The elevator in an office tower": (
        "L'ascenseur d'une tour de bureaux peut porter 680 kilogrammes. Un déménageur qui pèse 80 kilogrammes veut "
        "monter des cartons de papier de 15 kilogrammes chacun, avec un chariot de 45 kilogrammes. Combien de cartons "
        "peut-il emporter au plus en un seul trajet ?"
    ),
    "A library lends 240 books": (
        "Una biblioteca presta 240 libros el lunes. El martes presta un 15 % menos, y el miércoles la mitad de los "
        "que prestó el lunes y el martes juntos. ¿Cuántos libros presta en los tres días?"
    ),
    "Three sisters inherit a stamp album": (
        "Drei Schwestern erben ein Briefmarkenalbum im Wert von 1.260 Dollar. Greta soll doppelt so viel bekommen wie "
        "Ilse, und Ilse doppelt so viel wie Britta. Wie viele Dollar ist Gretas Anteil wert?"
    ),
    "Otis runs a parking lot": (
        "Otis tient un parking de 60 places. La première heure coûte 4 dollars et chaque heure suivante 3 dollars. "
        "Samedi, chaque place a servi une fois : un tiers des voitures est resté 1 heure, et toutes les autres 4 "
        "heures. Combien de dollars Otis a-t-il encaissés ?"
    ),
    "A bathtub holds 180 liters.": (
        "Una bañera tiene 180 litros de capacidad. En la bañera vacía entra agua caliente a 10 litros por minuto. "
        "Después de 5 minutos, Noa se da cuenta de que el tapón está quitado y de que todo el tiempo se han ido 4 "
        "litros por minuto. Pone el tapón. ¿Cuántos minutos más tarda la bañera en llenarse?"
    ),
    "A theater has 18 rows": (
        "Ein Theater hat 18 Reihen mit je 22 Plätzen. Bei einer Nachmittagsvorstellung bleiben 4 Reihen geschlossen, "
        "und ein Viertel der Plätze in den offenen Reihen ist leer. Wie viele Leute sitzen im Theater?"
    ),
    "Farid's phone plan": (
        "Le forfait téléphonique de Farid comprend 500 minutes par mois pour 20 dollars. Chaque minute de plus coûte "
        "5 centimes. En mai, il a passé 46 appels de 15 minutes chacun. Combien de centimes le mois de mai lui a-t-il "
        "coûté en plus des 20 dollars ?"
    ),
    "At the start of the season a ski jumper": (
        "Al comienzo de la temporada una saltadora de esquí llega a 92 metros. Su mejor salto mejora 3 metros en cada "
        "uno de los primeros cuatro meses, y luego una lesión le cuesta una cuarta parte de la distancia. ¿Cuántos "
        "metros salta después de la lesión?"
    ),
    "A choir of 36 singers": (
        "Ein Chor mit 36 Mitgliedern braucht neue Gewänder. Ein Schneider verlangt 45 Dollar je Gewand, lässt aber ab "
        "dem dreißigsten Gewand 6 Dollar nach, für dieses und alle weiteren. Wie viele Dollar zahlt der Chor?"
    ),
    "A hotel has 5 floors": (
        "Un hôtel a 5 étages de 12 chambres chacun. Un vendredi, 80 % des chambres sont occupées. La moitié des "
        "chambres occupées ont deux clients, un tiers en ont un, et les autres en ont quatre. Combien de clients y "
        "a-t-il dans l'hôtel ?"
    ),
}
