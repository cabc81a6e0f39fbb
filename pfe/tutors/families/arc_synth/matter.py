"""Matter and heat: floating, states, mixtures, acids, changes, heat flow.

Example: "Kofi measures four solid blocks. The red block has a mass of 45 g and a volume of 50 cm³, ... Which block will
float in a jar of corn syrup with a density of 1.38 g/cm³?"
Choices: "the red block", "the blue block", "the green block", "the striped block".
"""

from fractions import Fraction
from random import Random
from typing import Any, ClassVar

from pfe.tutors.families.arc_synth.base import (
    Science,
    grouped,
    kinds,
    listed,
    offer,
    only,
    person,
    place,
    rows,
    shuffled,
    teacher,
    unlisted,
    weave,
    words,
)
from pfe.tutors.family import Facts, unfill

# liquids at room temperature and their densities in g/cm³
LIQUIDS = dict(
    rows("""
fresh water|1.00
salt water|1.03
olive oil|0.92
rubbing alcohol|0.79
corn syrup|1.38
milk|1.03
glycerin|1.26
lamp oil|0.81
dish soap|1.06
""")
)
COLORS = words("red blue green yellow orange purple white black gray brown silver striped")


class FloatOrSink(Science):
    """Four blocks with mass and volume and one liquid: the one that floats, or the one that sinks."""

    name = "float_or_sink"
    row = "The {color} {thing} has a mass of {mass:d} g and a volume of {volume:d} cm³"
    templates = weave(
        (
            "{name} measures four solid {things}.",
            "In {teacher}'s class, four solid {things} are weighed and dipped in water to find their volumes.",
            "Four solid {things} lie on a table at {place}.",
            "{name} finds four solid {things} in a science kit and takes their measurements.",
        ),
        ("{data}.",),
        (
            "Only one of them will {does} in a large jar of {liquid}, which has a density of {density} g/cm³. Which "
            "one?",
            "All four are dropped into {liquid} (density {density} g/cm³). Which one will {does} while the other "
            "three do not?",
            "If each is placed in a tank of {liquid} with a density of {density} g/cm³, which will be the only one "
            "to {does}?",
        ),
    )
    _things: ClassVar = words("blocks balls cubes rods beads disks cylinders")

    def facts(self, rng: Random) -> Facts:
        liquid, does = rng.choice(list(LIQUIDS)), rng.choice(("float", "sink"))
        density, things = Fraction(LIQUIDS[liquid]), rng.choice(self._things)
        colors = rng.sample(COLORS, 4)
        solids = []
        for color in colors:
            light = (does == "float") == (color == colors[0])
            volume = rng.randint(8, 90)
            factor = Fraction(rng.randint(45, 93) if light else rng.randint(107, 260), 100)
            mass = round(volume * density * factor)
            solids.append({"color": color, "thing": things[:-1], "mass": mass, "volume": volume})
        told: dict[str, Any] = {
            "name": person(rng)["name"],
            "teacher": teacher(rng),
            "place": place(rng, "Museum", "School", "Lab"),
        }
        told |= {"things": things, "liquid": liquid, "density": LIQUIDS[liquid], "does": does}
        choices = tuple(self._named(solid) for solid in solids)
        return told | {"solids": tuple(shuffled(solids, rng)), "choices": choices}

    def wording(self, facts: Facts, rng: Random) -> Facts:
        return {**facts, "data": ". ".join(self.row.format(**solid) for solid in facts["solids"])}

    def meaning(self, slots: dict[str, Any]) -> dict[str, Any]:
        return {**slots, "solids": tuple(unfill(self.row, row) for row in slots["data"].split(". "))}

    def solve(self, facts: Facts) -> str:
        density = Fraction(facts["density"])
        floating = [Fraction(solid["mass"], solid["volume"]) < density for solid in facts["solids"]]
        wanted = facts["does"] == "float"
        return only(self._named(solid) for solid, up in zip(facts["solids"], floating, strict=True) if up == wanted)

    def check(self, facts: Facts, answer: str) -> bool:
        solid = only(solid for solid in facts["solids"] if self._named(solid) == answer)
        pushed_away = solid["volume"] * Fraction(facts["density"])
        return bool((pushed_away > solid["mass"]) == (facts["does"] == "float"))

    def solution(self, facts: Facts) -> str:
        found = [f"{solid['color']} {solid['mass'] / solid['volume']:.2f}" for solid in facts["solids"]]
        less = "less" if facts["does"] == "float" else "more"
        return (
            f"Density is mass divided by volume; in g/cm³: {', '.join(found)}.\n"
            f"To {facts['does']}, a solid must be {less} dense than {facts['density']} g/cm³: {self.solve(facts)}."
        )

    @staticmethod
    def _named(solid: Facts) -> str:
        return f"the {solid['color']} {solid['thing']}"


# substance, melting point, boiling point in °C at normal pressure
SUBSTANCES = rows("""
water|0|100
ethanol|-114|78
mercury|-39|357
bromine|-7|59
acetone|-95|56
glycerol|18|290
sulfur|115|445
sodium|98|883
potassium|64|759
gallium|30|2400
lead|327|1749
tin|232|2602
zinc|420|907
naphthalene|80|218
nitrogen|-210|-196
oxygen|-218|-183
chlorine|-102|-34
ammonia|-78|-33
propane|-188|-42
iron|1538|2861
copper|1085|2562
benzene|6|80
""")
_POINTS = {name: (int(melts), int(boils)) for name, melts, boils in SUBSTANCES}


class StateAtTemperature(Science):
    """Melting and boiling points of four substances: which one is solid, liquid or gas at a temperature."""

    name = "state_at_temperature"
    row = "{substance} melts at {melts:d}°C and boils at {boils:d}°C"
    templates = weave(
        (
            "{name} copies these facts from a table at normal pressure: {data}.",
            "A chart in {teacher}'s room reads: {data}.",
            "For a report, {name} looks up four substances: {data}.",
            "A science magazine at {place} says about four substances: {data}.",
        ),
        (
            "At {t:d}°C, only one of them is a {state}. Which one?",
            "Which of the four is the only {state} at a temperature of {t:d}°C?",
            "In a chamber kept at {t:d}°C, which substance would be the only one present as a {state}?",
        ),
    )

    def facts(self, rng: Random) -> Facts:
        while True:
            chosen = rng.sample(list(_POINTS), 4)
            t, state = (
                rng.choice((rng.randint(-200, 120), rng.randint(-50, 500))),
                rng.choice(("solid", "liquid", "gas")),
            )
            near = any(abs(t - point) < 3 for name in chosen for point in _POINTS[name])
            if not near and sum(self._state(*_POINTS[name], t) == state for name in chosen) == 1:
                break
        table = tuple((name, *_POINTS[name]) for name in chosen)
        told: dict[str, Any] = {
            "name": person(rng)["name"],
            "teacher": teacher(rng),
            "place": place(rng, "Library", "School", "Hall"),
        }
        return told | {"table": table, "t": t, "state": state, "choices": tuple(chosen)}

    def wording(self, facts: Facts, rng: Random) -> Facts:
        data = [self.row.format(substance=name, melts=melts, boils=boils) for name, melts, boils in facts["table"]]
        return {**facts, "data": "; ".join(data)}

    def meaning(self, slots: dict[str, Any]) -> dict[str, Any]:
        found = [unfill(self.row, row) for row in slots["data"].split("; ")]
        return {**slots, "table": tuple((row["substance"], row["melts"], row["boils"]) for row in found)}

    def solve(self, facts: Facts) -> str:
        states = {name: self._state(melts, boils, facts["t"]) for name, melts, boils in facts["table"]}
        return str(only(name for name, state in states.items() if state == facts["state"]))

    def check(self, facts: Facts, answer: str) -> bool:
        points = only((melts, boils) for name, melts, boils in facts["table"] if name == answer)
        passed = sum(point < facts["t"] for point in points)
        return bool(passed == ("solid", "liquid", "gas").index(facts["state"]))

    def solution(self, facts: Facts) -> str:
        rules = {
            "solid": "A substance is solid below its melting point",
            "liquid": "A substance is liquid between its melting point and its boiling point",
            "gas": "A substance is a gas above its boiling point",
        }
        states = [f"{name} is a {self._state(melts, boils, facts['t'])}" for name, melts, boils in facts["table"]]
        return f"{rules[facts['state']]}.\nAt {facts['t']}°C, {listed(states)}."

    @staticmethod
    def _state(melts: int, boils: int, t: int) -> str:
        return "solid" if t < melts else "liquid" if t < boils else "gas"


# how a step catches its part, and what it can catch
PARTS = grouped("""
magnet|iron filings|steel pins|iron nails|steel paper clips|steel screws|iron bolts
skim|wood chips|cork pieces|foam beads|sawdust|dry leaves|wooden beads
filter|sand|gravel|glass beads|small pebbles|broken brick|chalk bits
dish|table salt|sugar|baking soda|Epsom salt|washing soda
""")
_CAUGHT_BY = kinds(PARTS)


class SeparateMixture(Science):
    """A mixture goes through some steps of separation, others are left out: what a step collects."""

    name = "separate_mixture"
    steps: ClassVar = {
        "magnet": "A strong magnet is drawn through the dry mixture.",
        "stir": "The mixture is stirred into plenty of water.",
        "skim": "Everything that floats is skimmed off.",
        "filter": "The water is poured through a paper filter.",
        "dish": "The water that came through is left to evaporate in a dish.",
    }
    questions: ClassVar = {
        "magnet": ("What is held by the magnet?", "What does the magnet pull out?"),
        "skim": ("What is skimmed off?", "What is removed from the surface of the water?"),
        "filter": ("What stays behind in the paper filter?", "What does the paper filter hold back?"),
        "dish": ("What is left in the dish at the end?", "What solid is found in the dish when the water is gone?"),
    }
    _asked: ClassVar = {question: step for step, questions in questions.items() for question in questions}
    templates = weave(
        (
            "At {place}, {name} is given a dry mixture of {parts}.",
            "{teacher} shakes {parts} together in a box.",
            "{name} and {friend} want to separate a dry mixture of {parts}.",
            "By accident, {name} mixes {parts} on a bench at {place}.",
        ),
        ("This is done, in order: {told}", "These are the steps taken to separate it. {told}"),
    )

    def facts(self, rng: Random) -> Facts:
        parts = [rng.choice(PARTS[step]) for step in PARTS]
        left_out = rng.choice(((), ("magnet",), ("skim",), ("magnet", "skim"), ("dish",), ("magnet", "dish")))
        done = tuple(step for step in self.steps if step not in left_out)
        question = rng.choice(self.questions[rng.choice([step for step in done if step != "stir"])])
        told: dict[str, Any] = {
            "name": person(rng)["name"],
            "friend": person(rng)["name"],
            "teacher": teacher(rng),
            "done": done,
        }
        told |= {
            "place": place(rng, "School", "Camp", "Museum"),
            "parts": tuple(shuffled(parts, rng)),
            "question": question,
        }
        sets = [[one] for one in parts] + [
            [one, two] for one in parts for two in parts if parts.index(one) < parts.index(two)
        ]
        wrong = [self._named(some, told["parts"]) for some in [*sets, [parts[0], parts[1], parts[2]]]]
        return told | {"choices": offer(self.solve(told), wrong, rng)}

    def wording(self, facts: Facts, rng: Random) -> Facts:
        told = [self.steps[step] for step in facts["done"]] + [facts["question"]]
        return {**facts, "parts": listed(facts["parts"]), "told": " ".join(told)}

    def meaning(self, slots: dict[str, Any]) -> dict[str, Any]:
        *told, question = slots["told"].split(". ")
        done = [only(step for step, said in self.steps.items() if said == f"{sentence}.") for sentence in told]
        return {**slots, "parts": tuple(unlisted(slots["parts"])), "done": tuple(done), "question": question}

    def solve(self, facts: Facts) -> str:
        mixture, asked = list(facts["parts"]), self._asked[facts["question"]]
        for step in facts["done"]:
            caught = [part for part in mixture if _CAUGHT_BY[part] == step]
            if step == "filter":
                caught = [part for part in mixture if part not in PARTS["dish"]]
            if step == asked:
                return listed(caught)
            mixture = [part for part in mixture if part not in caught]
        raise ValueError(f"no step answers {facts['question']}")

    def check(self, facts: Facts, answer: str) -> bool:
        asked = self._asked[facts["question"]]
        ends = {"magnet": ("magnet", "filter"), "skim": ("skim", "filter"), "filter": ("filter",), "dish": ("dish",)}
        found = {
            part: next(step for step in ends[_CAUGHT_BY[part]] if step in (*facts["done"], "dish"))
            for part in facts["parts"]
        }
        return all((found[part] == asked) == (part in unlisted(answer)) for part in facts["parts"])

    def solution(self, facts: Facts) -> str:
        magnetic, floating, heavy, dissolving = (
            only(part for part in facts["parts"] if _CAUGHT_BY[part] == step) for step in PARTS
        )
        return (
            f"Only the {magnetic} would stick to a magnet, the {floating} would float, the {dissolving} would "
            f"dissolve, and "
            f"the {heavy} would sink.\nWhat earlier steps leave in and what does not dissolve stays in a filter. "
            f"The step asked about collects: {self.solve(facts)}."
        )

    @staticmethod
    def _named(some: list[str], parts: tuple[str, ...]) -> str:
        return listed([part for part in parts if part in some])


class AcidOrBase(Science):
    """Four liquids with their pH: the most acidic, the most basic, the nearest to neutral, what litmus shows."""

    name = "acid_or_base"
    questions: ClassVar = {
        "acid": ("Which sample is the most acidic?", "Which sample is the strongest acid?"),
        "base": ("Which sample is the most basic?", "Which sample is the strongest base?"),
        "neutral": ("Which sample is closest to neutral?", "Which sample is most like pure water in its pH?"),
        "red": ("Which is the only sample that would turn blue litmus paper red?",),
        "blue": ("Which is the only sample that would turn red litmus paper blue?",),
    }
    _asked: ClassVar = {question: kind for kind, questions in questions.items() for question in questions}
    templates = weave(
        (
            "{name} dips pH paper into four samples from {place}.",
            "In {teacher}'s class, {name} measures the pH of four samples.",
            "Four unlabeled samples from a storeroom at {place} are tested.",
            "A worker at {place} writes down the pH of four samples.",
        ),
        ("The results are {data}.", "Here is what the tests show: {data}.", "The tests give {data}."),
        ("{question}",),
    )
    _labels: ClassVar = ("PQRS", "ABCD", "WXYZ", "JKLM", "EFGH")

    def facts(self, rng: Random) -> Facts:
        while True:
            kind = rng.choice(list(self.questions))
            tenths = rng.sample([*range(8, 66), *range(68, 73), *range(75, 136)], 4)
            if kind == "red" and sum(value < 70 for value in tenths) != 1:
                continue
            if kind == "blue" and sum(value > 70 for value in tenths) != 1:
                continue
            away = sorted(abs(value - 70) for value in tenths)
            if away[0] + 2 < away[1] and min(tenths) < 70 < max(tenths):
                break
        samples = tuple((label, f"{value / 10}") for label, value in zip(rng.choice(self._labels), tenths, strict=True))
        where = place(rng, "Creek", "Mill", "Pond", "Laundry", "Farm")
        told = {
            "teacher": teacher(rng),
            "place": where,
            "samples": samples,
            "question": rng.choice(self.questions[kind]),
        }
        return person(rng) | told | {"choices": tuple(f"sample {label}" for label, _ in samples)}

    def wording(self, facts: Facts, rng: Random) -> Facts:
        data = listed([f"pH {value} for sample {label}" for label, value in facts["samples"]])
        return {**facts, "data": data}

    def meaning(self, slots: dict[str, Any]) -> dict[str, Any]:
        found = [unfill("pH {value} for sample {label}", said) for said in unlisted(slots["data"])]
        return {**slots, "samples": tuple((row["label"], row["value"]) for row in found)}

    def solve(self, facts: Facts) -> str:
        ph = {f"sample {label}": Fraction(value) for label, value in facts["samples"]}
        kind = self._asked[facts["question"]]
        if kind == "neutral":
            return min(ph, key=lambda sample: abs(ph[sample] - 7))
        return (
            min(ph, key=lambda sample: ph[sample])
            if kind in ("acid", "red")
            else max(ph, key=lambda sample: ph[sample])
        )

    def check(self, facts: Facts, answer: str) -> bool:
        own = only(Fraction(value) for label, value in facts["samples"] if f"sample {label}" == answer)
        others = [Fraction(value) for label, value in facts["samples"] if f"sample {label}" != answer]
        return {
            "acid": all(own < value for value in others),
            "base": all(own > value for value in others),
            "neutral": all((own - 7) ** 2 < (value - 7) ** 2 for value in others),
            "red": own < 7 and not any(value < 7 for value in others),
            "blue": own > 7 and not any(value > 7 for value in others),
        }[self._asked[facts["question"]]]

    def solution(self, facts: Facts) -> str:
        rule = {
            "acid": "Below 7 is acidic, and the lowest pH is the most acidic.",
            "base": "Above 7 is basic, and the highest pH is the most basic.",
            "neutral": "Neutral is a pH of 7.",
            "red": "Blue litmus turns red in an acid, a pH below 7.",
            "blue": "Red litmus turns blue in a base, a pH above 7.",
        }[self._asked[facts["question"]]]
        told = ", ".join(f"{label} {value}" for label, value in facts["samples"])
        return f"{rule}\nThe samples: {told}. That is {self.solve(facts)}."


CHANGES = grouped("""
chemical|A bicycle chain rusts in the rain.|Milk turns sour on a warm shelf.|A match burns down to ash.|A silver spoon slowly turns black.|An egg becomes firm in a frying pan.|Baking soda and vinegar foam and give off gas.|A slice of apple turns brown in the air.|Bread dough is baked to a crust.|Wood burns in a campfire.|A copper roof turns green over the years.|A banana peel rots in a compost heap.|Sugar is heated until it turns into black carbon.|Two clear liquids are mixed, and a yellow solid settles out.|A glow stick is bent and begins to shine.|Natural gas burns on a stove.|Grape juice ferments in a barrel.|A firework bursts into sparks.|A piece of zinc bubbles and vanishes in acid.|Bleach takes the color out of a shirt.|A muffin is left in the oven and chars.
physical|Butter melts on hot toast.|A glass jar breaks into pieces.|Water in a pond freezes.|A sheet of paper is cut into strips.|Salt dissolves in a pot of soup.|Wet jeans dry on a line.|A metal wire is bent into a hook.|Clay is pressed into the shape of a bowl.|Chocolate softens in a warm pocket.|Dry ice turns into a gas.|A log is sawed into boards.|Drops of water form on a cold window.|Air is pumped into a bicycle tire.|Sand and gravel are mixed in a bucket.|An ice cube shrinks to a puddle.|A rubber band is stretched.|Wax melts below a candle flame.|Pepper is ground to powder.|Iron filings are pulled out of sand with a magnet.|A can is crushed flat.
""")  # noqa: E501
_CHANGE = kinds(CHANGES)


class KindOfChange(Science):
    """Four things that were seen: the one that makes, or does not make, a new substance."""

    name = "kind_of_change"
    questions: ClassVar = {
        "chemical": (
            "Which one is a chemical change?",
            "In which case does a new substance form?",
            "Which change gives matter with a different chemical makeup?",
        ),
        "physical": (
            "Which one is a physical change?",
            "In which case does no new substance form?",
            "Which change leaves every substance what it was before?",
        ),
    }
    _asked: ClassVar = {question: kind for kind, questions in questions.items() for question in questions}
    templates = weave(
        (
            "During a week at {place}, {name} writes down four changes.",
            "{teacher} reads out four observations that {name} made at {place}.",
            "{name} and {friend} draw pictures of four changes for a fair at {place}.",
            "Four short films about changes in matter are shown at {place}, and {name} takes notes.",
            "{name}'s homework for {teacher} lists four everyday changes.",
        ),
        ("{question}",),
    )

    def facts(self, rng: Random) -> Facts:
        kind = rng.choice(list(CHANGES))
        other = only(other for other in CHANGES if other != kind)
        told: dict[str, Any] = {"name": person(rng)["name"], "friend": person(rng)["name"], "teacher": teacher(rng)}
        told |= {"place": place(rng, "School", "Camp", "Farm", "Library", "Lodge")}
        choices = offer(rng.choice(CHANGES[kind]), rng.sample(CHANGES[other], 3), rng)
        return told | {"question": rng.choice(self.questions[kind]), "choices": choices}

    def solve(self, facts: Facts) -> str:
        return str(only(choice for choice in facts["choices"] if choice in CHANGES[self._asked[facts["question"]]]))

    def check(self, facts: Facts, answer: str) -> bool:
        return facts["question"] in self.questions[_CHANGE[answer]]

    def solution(self, facts: Facts) -> str:
        kind = self._asked[facts["question"]]
        forms = "a new substance forms" if kind == "chemical" else "only form, state or place changes"
        return f"In a {kind} change {forms}.\nOf the four, this is so only here: {self.solve(facts)}"


# two things that are put together, and what holds them
CONTACTS = rows("""
steel spoon|bowl of soup
copper block|pan of water
steel bolt|bucket of water
glass marble|cup of oil
brass weight|beaker of oil
stone|tub of water
baked potato|metal tray
metal ruler|wooden table
bottle of juice|bath of water
can of beans|pot of water
clay brick|concrete slab
copper bar|bowl of sand
boiled egg|glass of salt water
pair of pliers|basin of water
silver coin|cup of tea
""")


class HeatFlow(Science):
    """Two things at different temperatures touch: which way heat moves, and where they may end."""

    name = "heat_flow"
    said: ClassVar = "{what} moves from the {x} to the {y} until both are at {t:d}°C."
    templates = weave(
        (
            "{name} places a {one} at {s:d}°C in contact with a {two} at {t:d}°C inside an insulated box.",
            "In {teacher}'s class, a {one} with a temperature of {s:d}°C is put together with a {two} at {t:d}°C in "
            "a closed cooler.",
            "At {place}, a {one} at {s:d}°C and a {two} at {t:d}°C are brought into contact, and no heat can escape "
            "to the room.",
        ),
        (
            "Which of these could happen?",
            "Which statement describes what will happen?",
            "What is the best prediction?",
        ),
    )

    def facts(self, rng: Random) -> Facts:
        one, two = rng.choice(CONTACTS)
        low, high = sorted(rng.sample(range(2, 95), 2))
        while high - low < 12:
            low, high = sorted(rng.sample(range(2, 95), 2))
        s, t = shuffled((low, high), rng)
        hot, cold = (one, two) if s > t else (two, one)
        mid = rng.randint(low + 3, high - 3)
        wrong = [
            self.said.format(what="Heat", x=cold, y=hot, t=mid),
            self.said.format(what="Cold", x=cold, y=hot, t=rng.randint(low + 3, high - 3)),
            self.said.format(what="Heat", x=hot, y=cold, t=high + rng.randint(2, 9)),
            self.said.format(what="Heat", x=hot, y=cold, t=max(low - rng.randint(2, 9), 0)),
            self.said.format(what="Cold", x=hot, y=cold, t=rng.randint(low + 3, high - 3)),
        ]
        told: dict[str, Any] = {
            "name": person(rng)["name"],
            "teacher": teacher(rng),
            "place": place(rng, "School", "Lab", "Camp"),
        }
        right = self.said.format(what="Heat", x=hot, y=cold, t=mid)
        return told | {"one": one, "two": two, "s": s, "t": t, "choices": offer(right, wrong, rng)}

    def solve(self, facts: Facts) -> str:
        hot, cold = (facts["one"], facts["two"]) if facts["s"] > facts["t"] else (facts["two"], facts["one"])
        starts = f"Heat moves from the {hot} to the {cold} until"
        ends = [choice for choice in facts["choices"] if choice.startswith(starts)]
        low, high = sorted((facts["s"], facts["t"]))
        return str(only(choice for choice in ends if low < unfill(self.said, choice)["t"] < high))

    def check(self, facts: Facts, answer: str) -> bool:
        said = unfill(self.said, answer)
        start = {facts["one"]: facts["s"], facts["two"]: facts["t"]}
        gained, lost = said["t"] - start[said["y"]], start[said["x"]] - said["t"]
        return bool(said["what"] == "Heat" and gained > 0 and lost > 0)

    def solution(self, facts: Facts) -> str:
        low, high = sorted((facts["s"], facts["t"]))
        return (
            f"Heat moves from what is hotter ({high}°C) to what is colder ({low}°C), and both end between the two.\n"
            f"{self.solve(facts)}"
        )
