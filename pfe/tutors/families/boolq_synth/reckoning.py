"""Passages whose facts are numbers: compared, ordered in time, held against a rule, added.

Example: "Torwick Assembly -- ... Its lower house has 48 seats. ... The upper house has 31 members."
Question: "do the two houses of the torwick assembly have more than 80 members together". Answer: no.
"""

from random import Random
from typing import ClassVar

from pfe.tutors.families.boolq_synth.base import Key, Passage, Topic, number, say
from pfe.tutors.families.boolq_synth.kinds import coin, names, person, titles
from pfe.tutors.family import Facts


class CompareNumbers(Passage):
    """Two things are measured in two sentences: is one of them longer, higher, older than the other."""

    name = "compare_numbers"
    topics: ClassVar = {
        "river": Topic(
            "river",
            (
                say(
                    "From its source to its mouth the {name} measures {a} km.",
                    "The {name} has a length of {a} km.",
                    "At {a} km, the {name} is well known to canoeists.",
                ),
                say(
                    "Its neighbour, the {other}, flows for {b} km.",
                    "The {other}, into which it empties, has a length of {b} km.",
                    "The {other}, which rises in the same hills, is {b} km long.",
                ),
            ),
            say("is the {name} longer than the {other}", sign=1)
            + say("is the {name} shorter than the {other}", sign=-1)
            + say("is the {other} longer than the {name}", "does the {other} flow farther than the {name}", sign=-1),
        ),
        "town": Topic(
            "town",
            (
                say(
                    "The last census counted {a} inhabitants.",
                    "It has a population of {a}.",
                    "About {a} people live in the town.",
                ),
                say(
                    "The neighbouring town of {other} has {b} inhabitants.",
                    "{other}, on the other bank, is home to {b} people.",
                    "A rivalry links it with {other}, a town of {b} people.",
                ),
            ),
            say("does {name} have more inhabitants than {other}", "is {name} larger than {other} in population", sign=1)
            + say(
                "does {name} have fewer inhabitants than {other}",
                "do more people live in {other} than in {name}",
                sign=-1,
            ),
        ),
        "mountain": Topic(
            "mountain",
            (
                say(
                    "Its summit reaches {a} m above the sea.",
                    "It has a height of {a} m.",
                    "The highest rocks stand {a} m above sea level.",
                ),
                say(
                    "{other}, on the far side of the valley, has a height of {b} m.",
                    "From the top one looks across to {other}, which rises to {b} m.",
                    "The saddle to the west leads to {other} ({b} m).",
                ),
            ),
            say("is {name} higher than {other}", "is the top of {name} above the top of {other}", sign=1)
            + say("is {name} lower than {other}", "is {other} higher than {name}", sign=-1),
        ),
        "lake": Topic(
            "lake",
            (
                say(
                    "Its greatest depth is {a} m.",
                    "At its deepest point the bottom lies {a} m below the surface.",
                    "Soundings gave a greatest depth of {a} m.",
                ),
                say(
                    "{other}, with which it is linked by a canal, is {b} m deep.",
                    "The bottom of {other}, further south, lies at {b} m.",
                    "For {other}, the other large lake of the region, the figure is {b} m.",
                ),
            ),
            say("is {name} deeper than {other}", sign=1)
            + say("is {name} shallower than {other}", sign=-1)
            + say("is {other} deeper than {name}", sign=-1),
        ),
        "bridge": Topic(
            "bridge",
            (
                say(
                    "Its main span measures {a} m.",
                    "The distance between its two tallest piers is {a} m.",
                    "The {name} has a main span of {a} m.",
                ),
                say(
                    "The {other} downstream has a main span of {b} m.",
                    "It was modelled on the {other}, the main span of which measures {b} m.",
                    "For the {other}, built by the same firm, the main span is {b} m.",
                ),
            ),
            say("is the main span of the {name} longer than that of the {other}", sign=1)
            + say("does the {name} have a shorter main span than the {other}", sign=-1)
            + say("does the {other} have a longer main span than the {name}", sign=-1),
        ),
        "tower": Topic(
            "tower",
            (
                say(
                    "It is {a} m tall.",
                    "It rises to a height of {a} m.",
                    "From the ground to the tip it measures {a} m.",
                ),
                say(
                    "The {other}, visible on the horizon, has a height of {b} m.",
                    "It is often compared with the {other}, a tower of {b} m.",
                ),
            ),
            say("is the {name} taller than the {other}", sign=1)
            + say("is the {other} taller than the {name}", sign=-1),
        ),
    }
    _ranges: ClassVar = {
        "river": (60, 900), "town": (1500, 60000), "mountain": (600, 4200), "lake": (12, 300), "bridge": (40, 600),
        "tower": (15, 90),
    }  # fmt: skip

    def facts(self, rng: Random) -> Facts:
        told = self.start(rng)
        kind = told["topic"]
        name, other = titles(kind, 2, rng)
        low, high = self._ranges[kind]
        a = rng.randint(low, high)
        b = min(max(round(a * rng.uniform(0.6, 1.5)), low), high)
        b += 1 if a == b else 0
        return told | {"name": name, "other": other, "a": f"{a:,}", "b": f"{b:,}", "sign": rng.choice((1, -1))}

    def holds(self, facts: Facts) -> bool:
        return bool((number(facts["a"]) - number(facts["b"])) * facts["sign"] > 0)

    def refutes(self, facts: Facts) -> bool:
        ranked = sorted((facts["a"], facts["b"]), key=number)
        return bool(ranked[-1] == (facts["b"] if facts["sign"] > 0 else facts["a"]))

    def solution(self, facts: Facts) -> str:
        least, most = sorted((facts["a"], facts["b"]), key=number)
        return (
            f"The passage gives {facts['a']} for {facts['name']} and {facts['b']} for {facts['other']}.\n"
            f"{most} is more than {least}, so the answer is {self.solve(facts)}."
        )


# what happened to a thing of a kind, and what the event is called
EVENTS = {
    "town": (
        "a great fire destroyed the old quarter|the great fire",
        "the railway reached the town|the arrival of the railway",
        "the hospital was founded|the founding of the hospital",
        "the town walls were pulled down|the removal of the town walls",
    ),
    "ship": (
        "she was given a diesel engine|the fitting of the diesel engine",
        "she ran aground on a sandbank|the grounding on the sandbank",
        "she was sold to another owner|the sale to another owner",
        "she was lengthened by nine metres|the lengthening",
    ),
    "company": (
        "a second factory was opened|the opening of the second factory",
        "a strike stopped all work|the strike",
        "the head office was moved|the move of the head office",
        "the company bought its main rival|the purchase of the rival",
    ),
    "school": (
        "girls were first admitted|the first admission of girls",
        "the chapel burned down|the chapel fire",
        "fees were abolished|the end of the fees",
        "a science wing was added|the addition of the science wing",
    ),
    "railway": (
        "the long tunnel was finished|the completion of the long tunnel",
        "the first night train ran|the first night train",
        "the state took over the line|the takeover by the state",
        "a flood washed away a viaduct|the loss of the viaduct",
    ),
    "newspaper": (
        "the price was doubled|the doubling of the price",
        "the first photograph was printed|the first photograph",
        "a Sunday issue was added|the first sunday issue",
        "the editor was arrested|the arrest of the editor",
    ),
    "islands": (
        "a lighthouse was built|the building of the lighthouse",
        "the first doctor arrived|the arrival of the first doctor",
        "a storm sank the fishing fleet|the loss of the fishing fleet",
        "electric light was brought in|the coming of electric light",
    ),
}
_NOUNS = {kind: [event.split("|")[1] for event in events] for kind, events in EVENTS.items()}


def _event_keys(kind: str) -> tuple[Key, ...]:
    told = [event.split("|")[0] for event in EVENTS[kind]]
    return tuple(
        say(f"In {{y{i}:d}} {sentence}.", f"{sentence} in {{y{i}:d}}.", f"It was in {{y{i}:d}} that {sentence}.")
        for i, sentence in enumerate(told)
    )


class DateOrder(Passage):
    """Four events with their years, told in any order of time: did one come before another."""

    name = "date_order"
    topics: ClassVar = {
        kind: Topic(
            kind,
            _event_keys(kind),
            say(f"in the history of {the}{{name}}, did {{one}} come before {{two}}", order=1)
            + say(f"in the history of {the}{{name}}, did {{one}} come after {{two}}", order=-1)
            + say(f"was {{one}} earlier than {{two}} in the case of {the}{{name}}", order=1)
            + say(f"was {{one}} later than {{two}} in the case of {the}{{name}}", order=-1),
        )
        for kind, the in (
            ("town", ""),
            ("ship", "the "),
            ("company", ""),
            ("school", "the "),
            ("railway", "the "),
            ("newspaper", "the "),
            ("islands", "the "),
        )
    }

    def facts(self, rng: Random) -> Facts:
        told = self.start(rng)
        years = {f"y{i}": year for i, year in enumerate(rng.sample(range(1862, 1990), 4))}
        one, two = rng.sample(_NOUNS[told["topic"]], 2)
        return told | years | {"one": one, "two": two, "order": rng.choice((1, -1))}

    def holds(self, facts: Facts) -> bool:
        one, two = self._years(facts)
        return bool((two - one) * facts["order"] > 0)

    def refutes(self, facts: Facts) -> bool:
        in_time = sorted(zip((facts[f"y{i}"] for i in range(4)), _NOUNS[facts["topic"]], strict=True))
        order = [noun for _, noun in in_time]
        first = order.index(facts["one"]) < order.index(facts["two"])
        return bool(first == (facts["order"] < 0))

    def solution(self, facts: Facts) -> str:
        one, two = self._years(facts)
        return (
            f"The passage dates {facts['one']} to {one} and {facts['two']} to {two}.\n"
            f"{min(one, two)} is earlier than {max(one, two)}, so the answer is {self.solve(facts)}."
        )

    @staticmethod
    def _years(facts: Facts) -> tuple[int, int]:
        nouns = _NOUNS[facts["topic"]]
        return facts[f"y{nouns.index(facts['one'])}"], facts[f"y{nouns.index(facts['two'])}"]


class RuleForCase(Passage):
    """A rule with two conditions, both needed or either enough, held against one person."""

    name = "rule_for_case"
    topics: ClassVar = {
        "grant": Topic(
            "law",
            (
                say(
                    "It pays a yearly grant to all who are at least {x:d} years old and have lived in the country for "
                    "{y:d} years or more.",
                    "Under it those who apply for a grant must have reached the age of {x:d} and must also have "
                    "lived in "
                    "the country for at least {y:d} years.",
                    both=True,
                )
                + say(
                    "It pays a yearly grant to all who are at least {x:d} years old, and also to younger people who "
                    "have "
                    "lived in the country for {y:d} years or more.",
                    "Under it a grant can be had by those who have reached the age of {x:d}, and equally by those "
                    "who have "
                    "lived in the country for at least {y:d} years.",
                    both=False,
                ),
            ),
            say(
                "can someone aged {p:d} who has lived in the country for {q:d} years get the grant of the {name}",
                "does the {name} pay a grant to a person of {p:d} after {q:d} years in the country",
            ),
        ),
        "award": Topic(
            "award",
            (
                say(
                    "Candidates must be at least {x:d} years old and must have published no fewer than {y:d} books.",
                    "Only writers of {x:d} years or more with at least {y:d} published books can be nominated.",
                    both=True,
                )
                + say(
                    "Candidates must either be at least {x:d} years old or have published no fewer than {y:d} books.",
                    "Writers can be nominated from the age of {x:d}, or at any age once they have published {y:d} "
                    "books.",
                    both=False,
                ),
            ),
            say(
                "can a writer aged {p:d} with {q:d} published books be nominated for the {name}",
                "is an author of {q:d} books eligible for the {name} at the age of {p:d}",
            ),
        ),
        "school": Topic(
            "school",
            (
                say(
                    "New pupils have to be at least {x:d} years old and score {y:d} points or more in the entrance "
                    "test.",
                    "Admission requires an age of {x:d} or above as well as at least {y:d} points in a test.",
                    both=True,
                )
                + say(
                    "New pupils have to be at least {x:d} years old or else score {y:d} points or more in the "
                    "entrance test.",
                    "Children younger than {x:d} are admitted only if they score at least {y:d} points in a test; "
                    "all others "
                    "are admitted without one.",
                    both=False,
                ),
            ),
            say(
                "does the {name} admit a child of {p:d} who scored {q:d} points in the entrance test",
                "can a child aged {p:d} with {q:d} points in the entrance test go to the {name}",
            ),
        ),
        "harbour": Topic(
            "harbour",
            (
                say(
                    "Ships may enter at night if they are no more than {x:d} m long and draw no more than {y:d} dm "
                    "of water.",
                    "At night only ships of up to {x:d} m in length and up to {y:d} dm in draught may come in.",
                    both=True,
                )
                + say(
                    "Ships may enter at night if they are no more than {x:d} m long or draw no more than {y:d} dm of "
                    "water.",
                    "At night a ship may come in if its length is at most {x:d} m, or, should it be longer, if its "
                    "draught is at "
                    "most {y:d} dm.",
                    both=False,
                ),
            ),
            say(
                "may a ship {p:d} m long with a draught of {q:d} dm enter {name} at night",
                "can a ship with a length of {p:d} m and a draught of {q:d} dm come into {name} at night",
            ),
        ),
    }
    # range of the two limits, how far a case may be from them, and whether it must not be below (1) or above (-1)
    _limits: ClassVar = {
        "grant": ((16, 25), (4, 15), 4, 1),
        "award": ((25, 60), (3, 12), 6, 1),
        "school": ((9, 14), (40, 90), 4, 1),
        "harbour": ((30, 120), (20, 70), 15, -1),
    }

    def facts(self, rng: Random) -> Facts:
        told = self.start(rng)
        (a, b), (c, d), far, sign = self._limits[told["topic"]]
        x, y, both, wanted = rng.randint(a, b), rng.randint(c, d), rng.random() < 0.5, rng.random() < 0.5
        while True:
            p, q = x + rng.randint(-far, far), max(y + rng.randint(-far, far), 2)
            mixed = (sign * (p - x) >= 0) != (sign * (q - y) >= 0)
            case = told | {"x": x, "y": y, "p": p, "q": q, "both": both}
            if self.holds(case) == wanted and (mixed or both == wanted or rng.random() < 0.1):
                return case

    def holds(self, facts: Facts) -> bool:
        first, second = self._met(facts)
        return (first and second) if facts["both"] else (first or second)

    def refutes(self, facts: Facts) -> bool:
        sign = self._limits[facts["topic"]][3]
        missed = [facts["p"] * sign < facts["x"] * sign, facts["q"] * sign < facts["y"] * sign]
        return bool(sum(missed) > (0 if facts["both"] else 1))

    def solution(self, facts: Facts) -> str:
        first, second = self._met(facts)
        told = ["met" if met else "not met" for met in (first, second)]
        rule = "Both conditions are needed" if facts["both"] else "Either condition is enough"
        return (
            f"{facts['p']} against a limit of {facts['x']}: {told[0]}. "
            f"{facts['q']} against a limit of {facts['y']}: {told[1]}.\n"
            f"{rule}, so the answer is {self.solve(facts)}."
        )

    def _met(self, facts: Facts) -> tuple[bool, bool]:
        sign = self._limits[facts["topic"]][3]
        return sign * (facts["p"] - facts["x"]) >= 0, sign * (facts["q"] - facts["y"]) >= 0


class ThresholdRule(Passage):
    """One number against a limit that counts, or does not count, itself."""

    name = "threshold_rule"
    topics: ClassVar = {
        "council": Topic(
            "council",
            (
                say("A petition is debated if it carries at least {limit:d} signatures.", rule="least")
                + say("A petition is debated only if it carries more than {limit:d} signatures.", rule="more")
                + say("Petitions with fewer than {limit:d} signatures are not debated; all others are.", rule="least"),
            ),
            say(
                "is a petition with {n:d} signatures debated in the {name}",
                "are {n:d} signatures enough to have a petition debated in the {name}",
            ),
        ),
        "bridge": Topic(
            "bridge",
            (
                say("Vehicles of up to {limit:d} tonnes may use it.", rule="most")
                + say("Vehicles of {limit:d} tonnes or more are not allowed on it; all lighter ones are.", rule="less")
                + say("It is closed to vehicles heavier than {limit:d} tonnes, and to no others.", rule="most"),
            ),
            say(
                "can a truck of {n:d} tonnes drive over the {name}",
                "is a vehicle that weighs {n:d} tonnes allowed on the {name}",
            ),
        ),
        "festival": Topic(
            "festival",
            (
                say("Children of up to {limit:d} years get in free, and everyone else pays.", rule="most")
                + say("Children under {limit:d} years of age get in free, and everyone else pays.", rule="less"),
            ),
            say(
                "does a child of {n:d} get into the {name} for free",
                "is the {name} free for a child aged {n:d}",
            ),
        ),
        "game": Topic(
            "game",
            (
                say("The first player who reaches {limit:d} points or more wins at once.", rule="least")
                + say("To win, a player must have more than {limit:d} points.", rule="more")
                + say("A player wins as soon as the score passes {limit:d} points.", rule="more"),
            ),
            say("does a player with {n:d} points win at {name}", "are {n:d} points enough to win {name}"),
        ),
        "railway": Topic(
            "railway",
            (
                say("Groups of at least {limit:d} passengers travel at half price.", rule="least")
                + say("Groups of more than {limit:d} passengers travel at half price.", rule="more")
                + say("Half price is granted to groups, that is, to {limit:d} or more passengers.", rule="least"),
            ),
            say(
                "does a group of {n:d} travel at half price on the {name}",
                "do {n:d} people together get half price on the {name}",
            ),
        ),
        "islands": Topic(
            "islands",
            (
                say("Visitors may stay for up to {limit:d} days without a permit.", rule="most")
                + say(
                    "A permit is needed for a stay of {limit:d} days or more, but not for a shorter one.", rule="less"
                )
                + say("A permit is needed only by visitors who stay for more than {limit:d} days.", rule="most"),
            ),
            say(
                "can you stay on the {name} for {n:d} days without a permit",
                "is a stay of {n:d} days on the {name} possible without a permit",
            ),
        ),
    }
    _limits: ClassVar = {
        "council": (120, 900), "bridge": (5, 40), "festival": (5, 15), "game": (30, 400), "railway": (6, 40),
        "islands": (5, 60),
    }  # fmt: skip
    _words: ClassVar = {"least": "at least", "more": "more than", "most": "at most", "less": "less than"}

    def facts(self, rng: Random) -> Facts:
        told = self.start(rng)
        limit = rng.randint(*self._limits[told["topic"]])
        rules = [said.means["rule"] for said in self.topics[told["topic"]].keys[0]]
        told |= {"limit": limit, "rule": rng.choice(rules)}
        wanted, far = rng.random() < 0.5, max(2, limit // 10)
        while True:
            case = told | {"n": limit + rng.choice((0, 0, -1, 1, rng.randint(-far, far)))}
            if self.holds(case) == wanted:
                return case

    def holds(self, facts: Facts) -> bool:
        n, limit = facts["n"], facts["limit"]
        return bool({"least": n >= limit, "more": n > limit, "most": n <= limit, "less": n < limit}[facts["rule"]])

    def refutes(self, facts: Facts) -> bool:
        allowed = {
            "least": range(facts["limit"], 10**6),
            "more": range(facts["limit"] + 1, 10**6),
            "most": range(facts["limit"] + 1),
            "less": range(facts["limit"]),
        }
        return facts["n"] not in allowed[facts["rule"]]

    def solution(self, facts: Facts) -> str:
        told = "is" if self.holds(facts) else "is not"
        rule = f"{self._words[facts['rule']]} {facts['limit']}"
        return f"The rule asks for {rule}.\n{facts['n']} {told} {rule}."


class Superlative(Passage):
    """Three things with their measures: is one of them the largest or the smallest."""

    name = "superlative"
    topics: ClassVar = {
        "company": Topic(
            "company",
            (
                say(
                    "Its three works are at {one} ({a:d} workers), {two} ({b:d} workers) and {three} ({c:d} workers).",
                    "There are {a:d} workers at the {one} works, {b:d} at {two} and {c:d} at {three}.",
                    "It employs {a:d} people in {one}, {b:d} in {two} and {c:d} in {three}.",
                ),
            ),
            say(
                "is {asked} the largest of the three works of {name}",
                "does {name} have most of its workers in {asked}",
                most=True,
            )
            + say("is {asked} the smallest of the three works of {name}", most=False),
        ),
        "islands": Topic(
            "islands",
            (
                say(
                    "The main islands are {one} with {a:d} square kilometres, {two} with {b:d} and {three} with {c:d}.",
                    "{one} covers {a:d} square kilometres, {two} {b:d} and {three} {c:d}.",
                ),
            ),
            say("is {asked} the largest of the main islands in the {name}", most=True)
            + say("is {asked} the smallest of the main islands in the {name}", most=False),
        ),
        "railway": Topic(
            "railway",
            (
                say(
                    "The stations at {one}, {two} and {three} lie at heights of {a:d} m, {b:d} m and {c:d} m.",
                    "It climbs or falls between {one} at {a:d} m, {two} at {b:d} m and {three} at {c:d} m.",
                ),
            ),
            say("is {asked} the highest of the three stations of the {name}", most=True)
            + say("is {asked} the lowest of the three stations of the {name}", most=False),
        ),
        "river": Topic(
            "river",
            (
                say(
                    "Its tributaries are the {one} ({a:d} km), the {two} ({b:d} km) and the {three} ({c:d} km).",
                    "Three streams join it: the {one} of {a:d} km, the {two} of {b:d} km, and the {three} of {c:d} km.",
                ),
            ),
            say("is the {asked} the longest tributary of the {name}", most=True)
            + say("is the {asked} the shortest tributary of the {name}", most=False),
        ),
        "council": Topic(
            "council",
            (
                say(
                    "The party of {one} holds {a:d} seats, that of {two} holds {b:d} and that of {three} {c:d}.",
                    "The party of {one} has {a:d} seats, the party of {two} {b:d} and the party of {three} {c:d}.",
                ),
            ),
            say("does the party of {asked} have the most seats in the {name}", most=True)
            + say("does the party of {asked} have the fewest seats in the {name}", most=False),
        ),
    }

    def facts(self, rng: Random) -> Facts:
        told = self.start(rng)
        things = names(person if told["topic"] == "council" else coin, 3, rng)
        sizes = rng.sample(range(12, 480 if told["topic"] != "council" else 90), 3)
        most = rng.random() < 0.5
        ranked = sorted(zip(sizes, things, strict=True), reverse=most)
        asked = ranked[0] if rng.random() < 0.5 else rng.choice(ranked[1:])
        told |= dict(zip(("one", "two", "three"), things, strict=True)) | dict(zip("abc", sizes, strict=True))
        return told | {"most": most, "asked": asked[1]}

    def holds(self, facts: Facts) -> bool:
        sizes = self._sizes(facts)
        extreme = max(sizes.values()) if facts["most"] else min(sizes.values())
        return sizes[facts["asked"].lower()] == extreme

    def refutes(self, facts: Facts) -> bool:
        sizes = self._sizes(facts)
        own = sizes[facts["asked"].lower()]
        return any(size > own if facts["most"] else size < own for size in sizes.values())

    def solution(self, facts: Facts) -> str:
        sizes = self._sizes(facts)
        told = max(sizes.values()) if facts["most"] else min(sizes.values())
        return (
            f"The numbers are {facts['a']}, {facts['b']} and {facts['c']}; the one asked about has "
            f"{sizes[facts['asked'].lower()]}.\nThe {'largest' if facts['most'] else 'smallest'} of them is {told}."
        )

    @staticmethod
    def _sizes(facts: Facts) -> dict[str, int]:
        return {facts[thing].lower(): facts[size] for thing, size in zip(("one", "two", "three"), "abc", strict=True)}


class RuleOverTime(Passage):
    """A rule is brought in, suspended, brought back and dropped: did it hold in a given year."""

    name = "rule_over_time"
    topics: ClassVar = {
        kind: Topic(
            kind,
            (
                say(
                    f"{rule} from {{y0:d}} until {{y1:d}} and again from {{y2:d}} until {{y3:d}}.",
                    f"Except between {{y1:d}} and {{y2:d}}, {rule} from {{y0:d}} until {{y3:d}}.",
                    f"{rule} from {{y0:d}} onwards, with a pause from {{y1:d}} to {{y2:d}}, "
                    "until the practice ended in {y3:d}.",
                ),
            ),
            say(question + " in {n:d}"),
        )
        for kind, rule, question in (
            ("bridge", "drivers had to pay a toll", "did drivers pay a toll on the {name}"),
            ("school", "pupils had to wear a uniform", "did pupils of the {name} have to wear a uniform"),
            ("lake", "fishing was forbidden there", "was fishing forbidden on {name}"),
            ("newspaper", "the paper was printed in colour", "was the {name} printed in colour"),
            ("festival", "fireworks were part of the programme", "were there fireworks at the {name}"),
            ("railway", "dining cars were run on the line", "were there dining cars on the {name}"),
            ("town", "dog owners had to pay a tax", "did dog owners in {name} have to pay a tax"),
            ("harbour", "foreign ships were charged double fees", "did {name} charge foreign ships double fees"),
            ("museum", "admission was free", "was admission to the {name} free"),
            ("award", "two winners were chosen each year", "did the {name} go to two winners"),
        )
    }

    def facts(self, rng: Random) -> Facts:
        told = self.start(rng)
        years = [rng.randint(1885, 1915)]
        for _ in range(3):
            years.append(years[-1] + rng.randint(6, 24))
        told |= {f"y{i}": year for i, year in enumerate(years)}
        inside = rng.random() < 0.5
        while True:
            case = told | {"n": rng.randint(years[0] - 12, years[3] + 12)}
            if case["n"] not in years and self.holds(case) == inside:
                return case

    def holds(self, facts: Facts) -> bool:
        return bool(facts["y0"] < facts["n"] < facts["y1"] or facts["y2"] < facts["n"] < facts["y3"])

    def refutes(self, facts: Facts) -> bool:
        changes = sum(facts[f"y{i}"] < facts["n"] for i in range(4))
        return bool(changes % 2 == 0)

    def solution(self, facts: Facts) -> str:
        spans = f"{facts['y0']} to {facts['y1']} and {facts['y2']} to {facts['y3']}"
        told = "falls into one of these spans" if self.holds(facts) else "falls outside both spans"
        return f"It was so from {spans}.\n{facts['n']} {told}."


class SumThreshold(Passage):
    """Two numbers in two sentences, and a question about both together."""

    name = "sum_threshold"
    topics: ClassVar = {
        "council": Topic(
            "council",
            (
                say(
                    "The lower house has {a:d} members.",
                    "In the lower house there are {a:d} seats, all of them filled.",
                ),
                say("The upper house has {b:d} members.", "Another {b:d} members sit in the upper house."),
            ),
            say("do the two houses of the {name} have more than {n:d} members together", sign=1)
            + say("do the two houses of the {name} have fewer than {n:d} members together", sign=-1),
        ),
        "library": Topic(
            "museum",
            (
                say("The ground floor holds {a:d} exhibits.", "On the ground floor {a:d} objects are shown."),
                say("The upper floor holds {b:d} exhibits.", "Upstairs, in the only other hall, {b:d} more are shown."),
            ),
            say("are more than {n:d} exhibits shown in the {name} in all", sign=1)
            + say("are fewer than {n:d} exhibits shown in the {name} in all", sign=-1),
        ),
        "ship": Topic(
            "ship",
            (
                say(
                    "She has berths for {a:d} passengers in first class.",
                    "In first class {a:d} passengers can be carried.",
                ),
                say(
                    "She has berths for {b:d} passengers in second class.",
                    "The second and last class takes {b:d} passengers.",
                ),
            ),
            say("can the {name} carry more than {n:d} passengers", sign=1)
            + say("does the {name} carry fewer than {n:d} passengers when full", sign=-1),
        ),
        "school": Topic(
            "school",
            (
                say("The junior section has {a:d} pupils.", "There are {a:d} pupils in the junior section."),
                say(
                    "The senior section has {b:d} pupils.",
                    "In the senior section, the only other one, {b:d} are taught.",
                ),
            ),
            say("does the {name} have more than {n:d} pupils", sign=1)
            + say("does the {name} have fewer than {n:d} pupils", sign=-1),
        ),
        "railway": Topic(
            "railway",
            (
                say("The section in the valley is {a:d} km long.", "Along the valley floor it runs for {a:d} km."),
                say("The mountain section is {b:d} km long.", "The rest, the mountain section, measures {b:d} km."),
            ),
            say("is the {name} longer than {n:d} km in all", sign=1)
            + say("is the {name} shorter than {n:d} km in all", sign=-1),
        ),
    }

    def facts(self, rng: Random) -> Facts:
        told = self.start(rng)
        a, b, sign = rng.randint(18, 190), rng.randint(12, 150), rng.choice((1, -1))
        off = rng.randint(1, max(3, (a + b) // 8)) * rng.choice((1, -1))
        return told | {"a": a, "b": b, "sign": sign, "n": a + b + off}

    def holds(self, facts: Facts) -> bool:
        return bool((facts["a"] + facts["b"] - facts["n"]) * facts["sign"] > 0)

    def refutes(self, facts: Facts) -> bool:
        missing = facts["n"] - facts["a"]
        return bool(facts["b"] <= missing if facts["sign"] > 0 else facts["b"] >= missing)

    def solution(self, facts: Facts) -> str:
        total = facts["a"] + facts["b"]
        told = "more" if total > facts["n"] else "less"
        return f"Together it is {facts['a']} + {facts['b']} = {total}.\n{total} is {told} than {facts['n']}."


class UnlessClause(Passage):
    """Something is allowed or not unless a condition is met: one case with or without the condition."""

    name = "unless_clause"
    topics: ClassVar = {
        kind: Topic(
            kind,
            (
                say(
                    f"{who} may {do} unless {cond}.",
                    f"{who} may {do}, except where {cond}.",
                    f"{who} are allowed to {do}; this does not apply if {cond}.",
                    f"Where {cond}, {who} may not {do}, but in all other cases they may.",
                    means="allowed",
                )
                + say(
                    f"{who} may not {do} unless {cond}.",
                    f"{who} may {do} only if {cond}.",
                    f"{who} are forbidden to {do}, except where {cond}.",
                    f"Where {cond}, {who} may {do}, but in all other cases they may not.",
                    means="forbidden",
                ),
            ),
            say(f"can {who} {where} {do} if {cond}", f"are {who} {where} allowed to {do} when {cond}", met=True)
            + say(f"can {who} {where} {do} if {no}", f"are {who} {where} allowed to {do} when {no}", met=False),
        )
        for kind, where, who, do, cond, no in (
            ("game", "in {name}", "players", "skip a turn", "they hold a red piece", "they hold no red piece"),
            (
                "harbour",
                "in {name}",
                "captains",
                "sail in after dark",
                "fog has been reported",
                "no fog has been reported",
            ),
            (
                "council",
                "of the {name}",
                "members",
                "speak twice in a debate",
                "the chair agrees",
                "the chair does not agree",
            ),
            (
                "school",
                "of the {name}",
                "pupils",
                "leave at noon",
                "an exam is held that day",
                "no exam is held that day",
            ),
            ("lake", "on {name}", "anglers", "use nets", "the water level is low", "the water level is not low"),
            (
                "museum",
                "of the {name}",
                "visitors",
                "take photographs",
                "a guide is with them",
                "no guide is with them",
            ),
            ("railway", "of the {name}", "passengers", "bring bicycles", "the train is full", "the train is not full"),
            ("town", "in {name}", "residents", "light a garden fire", "a warden is present", "no warden is present"),
            (
                "festival",
                "at the {name}",
                "stall owners",
                "play music",
                "the stage is in use",
                "the stage is not in use",
            ),
            ("award", "of the {name}", "jurors", "vote by letter", "they live abroad", "they do not live abroad"),
        )
    }

    def facts(self, rng: Random) -> Facts:
        return self.start(rng) | {"means": rng.choice(("allowed", "forbidden")), "met": rng.random() < 0.5}

    def holds(self, facts: Facts) -> bool:
        return bool((facts["means"] == "allowed") != facts["met"])

    def refutes(self, facts: Facts) -> bool:
        in_force = {("allowed", False): True, ("forbidden", True): True}
        return not in_force.get((facts["means"], facts["met"]), False)

    def solution(self, facts: Facts) -> str:
        rule = "allowed" if facts["means"] == "allowed" else "not allowed"
        case = "is met" if facts["met"] else "is not met"
        return (
            f"As a rule it is {rule}, and the condition named in the passage turns this round.\n"
            f"Here the condition {case}, so the answer is {self.solve(facts)}."
        )
