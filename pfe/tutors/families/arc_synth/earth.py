"""Earth and sky: planets, seasons, the Moon, rocks, layers, the surface, water, energy sources.

Example: "On a canyon wall near Flint Mesa, a class sees four undisturbed layers. From top to bottom they are sandstone
with horse teeth, shale with shells, limestone with corals, and chalk with fish scales. Which fossils are the oldest?"
Right: "fish scales". Wrong: "horse teeth", "shells", "corals".
"""

from random import Random
from typing import Any, ClassVar

from pfe.tutors.families.arc_synth.base import (
    Science,
    a,
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
    upper,
    weave,
    words,
)
from pfe.tutors.family import Facts, unfill, unfill_any


class PlanetTable(Science):
    """Four planets of another star with their turns and orbits: which has the longest year, the shortest day."""

    name = "planet_table"
    questions: ClassVar = {
        ("year", max): (
            "On which planet does a year last longest?",
            "Which planet has to be waited for longest between two birthdays?",
            "Which planet needs the most time for one orbit around its star?",
        ),
        ("year", min): (
            "On which planet is a year shortest?",
            "Which planet completes an orbit of its star in the least time?",
            "On which planet would someone celebrate birthdays most often?",
        ),
        ("day", max): (
            "On which planet does one cycle of day and night take longest?",
            "Which planet spins most slowly on its axis?",
            "On which planet is it the longest time from one noon to the next?",
        ),
        ("day", min): (
            "On which planet is one cycle of day and night shortest?",
            "Which planet needs the least time to turn once on its axis?",
            "On which planet do sunrises follow each other most quickly?",
        ),
        ("gravity", max): (
            "On which planet would a visitor weigh the most?",
            "On which planet would a dropped ball speed up the most each second?",
        ),
        ("gravity", min): (
            "On which planet would a visitor weigh the least?",
            "On which planet could a visitor throw the same ball highest?",
        ),
    }
    _rule: ClassVar = {question: rule for rule, questions in questions.items() for question in questions}
    templates = weave(
        (
            "Astronomers have found four planets around the star {star}.",
            "{name} invents a star called {star} with four planets for a story.",
            "A space mission measures four planets that orbit the star {star}.",
            "In a computer game, {name} can fly to four planets of the star {star}.",
        ),
        ("{told}",),
    )
    row = (
        "{planet} orbits once in {year:d} Earth days, rotates once in {day:d} hours, "
        "and has a surface gravity of {gravity} m/s²"
    )

    def facts(self, rng: Random) -> Facts:
        names = [_invented(rng) for _ in range(4)]
        while len(set(names)) < 4:
            names = [_invented(rng) for _ in range(4)]
        years, days = rng.sample(range(40, 1400), 4), rng.sample(range(9, 200), 4)
        pulls = [f"{tenths / 10}" for tenths in rng.sample(range(21, 240), 4)]
        planets = tuple(
            {"planet": planet, "year": year, "day": day, "gravity": pull}
            for planet, year, day, pull in zip(names, years, days, pulls, strict=True)
        )
        star = f"{rng.choice(('Nova', 'Orun', 'Kesh', 'Tal', 'Vesk', 'Lumo', 'Brin', 'Zeph'))} {rng.randint(2, 99)}"
        question = rng.choice(self.questions[rng.choice(list(self.questions))])
        told: dict[str, Any] = {"star": star, "name": person(rng)["name"], "planets": planets, "question": question}
        return told | {"choices": tuple(names)}

    def wording(self, facts: Facts, rng: Random) -> Facts:
        told = [self.row.format(**planet) for planet in facts["planets"]]
        return {**facts, "told": ". ".join([*told, facts["question"]])}

    def meaning(self, slots: dict[str, Any]) -> dict[str, Any]:
        *told, question = slots["told"].split(". ")
        return {**slots, "planets": tuple(unfill(self.row, row) for row in told), "question": question}

    def solve(self, facts: Facts) -> str:
        key, extreme = self._rule[facts["question"]]
        return str(extreme(facts["planets"], key=lambda planet: float(planet[key]))["planet"])

    def check(self, facts: Facts, answer: str) -> bool:
        key, extreme = self._rule[facts["question"]]
        own = only(float(planet[key]) for planet in facts["planets"] if planet["planet"] == answer)
        larger = sum(float(planet[key]) > own for planet in facts["planets"])
        return larger == (0 if extreme is max else 3)

    def solution(self, facts: Facts) -> str:
        key, extreme = self._rule[facts["question"]]
        told = {
            "year": "A year is the time of one orbit around the star",
            "day": "A cycle of day and night is the time of one rotation",
            "gravity": "Weight and falling depend on the surface gravity",
        }[key]
        values = ", ".join(f"{planet['planet']} {planet[key]}" for planet in facts["planets"])
        return f"{told}: {values}.\nThe {'largest' if extreme is max else 'smallest'} belongs to {self.solve(facts)}."


def _invented(rng: Random) -> str:
    first = rng.choice(
        [
            "Al",
            "Be",
            "Cor",
            "Da",
            "El",
            "Fen",
            "Gor",
            "Hal",
            "Ix",
            "Jun",
            "Kal",
            "Lor",
            "Mir",
            "Nor",
            "Or",
            "Pel",
            "Quo",
            "Ra",
            "Sil",
            "Tor",
            "Ul",
            "Ver",
            "Wy",
            "Xan",
            "Yor",
            "Zan",
        ]
    )
    return first + rng.choice(
        [
            "ara",
            "bos",
            "dion",
            "eth",
            "fis",
            "gan",
            "hura",
            "ion",
            "kos",
            "lia",
            "mar",
            "nis",
            "ora",
            "pax",
            "quin",
            "ris",
            "sol",
            "tis",
            "una",
            "vex",
        ]
    )


# city, its country or state, which half of Earth it lies in
CITIES = rows("""
Chicago|Illinois|northern
Toronto|Canada|northern
Oslo|Norway|northern
Berlin|Germany|northern
Paris|France|northern
Madrid|Spain|northern
Rome|Italy|northern
Warsaw|Poland|northern
Seoul|South Korea|northern
Sapporo|Japan|northern
Beijing|China|northern
Denver|Colorado|northern
Boston|Massachusetts|northern
Seattle|Washington|northern
Dublin|Ireland|northern
Helsinki|Finland|northern
Vienna|Austria|northern
Ankara|Turkey|northern
Melbourne|Australia|southern
Hobart|Tasmania|southern
Canberra|Australia|southern
Adelaide|South Australia|southern
Perth|Western Australia|southern
Wellington|New Zealand|southern
Dunedin|New Zealand|southern
Buenos Aires|Argentina|southern
Mendoza|Argentina|southern
Ushuaia|Argentina|southern
Santiago|Chile|southern
Punta Arenas|Chile|southern
Montevideo|Uruguay|southern
Cape Town|South Africa|southern
Bloemfontein|South Africa|southern
""")
_HALF = {f"{city}, {land}": half for city, land, half in CITIES}
SEASONS = ("winter", "spring", "summer", "autumn")
_NORTHERN = {"January": 0, "February": 0, "April": 1, "May": 1, "July": 2, "August": 2, "October": 3, "November": 3}
_OTHER = {"northern": "southern", "southern": "northern"}


class SeasonFarAway(Science):
    """A month and a city: its season, whether its days grow longer, and why."""

    name = "season_far_away"
    templates = weave(
        (
            "{name}, who lives in {here}, makes a video call in {month} to {friend}, who lives in {there}.",
            "In the middle of {month}, {name} moves from {here}, to {there}.",
            "Every {month}, {name} leaves {his} home in {here}, to visit {his} grandparents in {there}.",
            "{name} lives in {here}. One {month}, {friend} sends {him} a postcard from {there}.",
            "A travel agent in {here}, sells {name} a trip for the second week of {month} to {there}.",
        ),
        (
            "What season is it in {city} then, and how does the length of its days change?",
            "Which describes the season and the hours of daylight in {city} at that time?",
            "Which statement about the season in {city} and its daylight is correct?",
        ),
    )

    def facts(self, rng: Random) -> Facts:
        here, there = rng.sample(list(_HALF), 2)
        if _HALF[here] == _HALF[there] and rng.random() < 0.6:
            there = rng.choice([city for city in _HALF if _HALF[city] != _HALF[here]])
        told: dict[str, Any] = {
            "month": rng.choice(list(_NORTHERN)),
            "here": here,
            "there": there,
            "friend": person(rng)["name"],
        }
        choices = [self._choice(season, trend) for season in range(4) for trend in ("longer", "shorter")]
        return person(rng) | told | {"choices": offer(self.solve(told), choices, rng)}

    def wording(self, facts: Facts, rng: Random) -> Facts:
        return {**facts, "city": facts["there"].partition(",")[0]}

    def solve(self, facts: Facts) -> str:
        season = (_NORTHERN[facts["month"]] + (0 if _HALF[facts["there"]] == "northern" else 2)) % 4
        return self._choice(season, "longer" if season < 2 else "shorter")

    def check(self, facts: Facts, answer: str) -> bool:
        said = unfill("It is {season}, and each day is a little {trend} than the day before.", answer)
        north = _HALF[facts["there"]] == "northern"
        growing = facts["month"] in ("January", "February", "April", "May")
        warm = facts["month"] in ("May", "July", "August", "April")
        chill = facts["month"] in ("January", "February", "July", "August")
        fits_trend = (said["trend"] == "longer") == (growing == north)
        fits_half = (said["season"] in ("spring", "summer")) == (warm == north)
        return fits_trend and fits_half and (said["season"] in ("winter", "summer")) == chill

    def solution(self, facts: Facts) -> str:
        half = _HALF[facts["there"]]
        north = SEASONS[_NORTHERN[facts["month"]]]
        swap = "" if half == "northern" else ", so it is the opposite season there"
        return (
            f"{facts['month']} is {north} in the northern half of Earth, and {facts['there']} lies in the {half} "
            f"half{swap}.\n"
            f"Days lengthen through winter and spring and shorten through summer and autumn. {self.solve(facts)}"
        )

    @staticmethod
    def _choice(season: int, trend: str) -> str:
        return f"It is {SEASONS[season]}, and each day is a little {trend} than the day before."


PHASES = ("new moon", "first quarter moon", "full moon", "last quarter moon")
# a month and its last day
MONTHS = {
    name: int(last)
    for name, last in rows("""
January|31
March|31
April|30
May|31
June|30
July|31
August|31
September|30
October|31
November|30
December|31
""")
}


class MoonPhase(Science):
    """A phase on one date: the phase on a later date, by the cycle of about 29 and a half days."""

    name = "moon_phase"
    templates = weave(
        (
            "On {month} {day:d}, {name} entered {phase} in a Moon diary kept at {place}.",
            "{name}'s calendar shows {phase} on {month} {day:d}.",
            "A notice at {place} announced {phase} for {month} {day:d}, and {name} copied it down.",
            "The weather page that {name} reads at {place} gave {phase} for {month} {day:d}.",
        ),
        (
            "Which phase should be expected about {n:d} days later?",
            "What will the Moon be closest to after another {n:d} days?",
            "Which phase comes about {n:d} days after that?",
            "If the cycle of phases takes about 29.5 days, which phase comes {n:d} days later?",
        ),
    )

    def facts(self, rng: Random) -> Facts:
        month = rng.choice(list(MONTHS))
        n = round(rng.randint(1, 11) * 29.5 / 4)
        where = place(rng, "School", "Observatory", "Camp", "Hill", "Harbor")
        told = {
            "name": person(rng)["name"],
            "month": month,
            "day": rng.randint(1, MONTHS[month]),
            "n": n,
            "place": where,
        }
        return told | {"phase": a(rng.choice(PHASES)), "choices": tuple(a(phase) for phase in PHASES)}

    def solve(self, facts: Facts) -> str:
        start = PHASES.index(facts["phase"].partition(" ")[2])
        return a(PHASES[(start + round(facts["n"] / 7.375)) % 4])

    def check(self, facts: Facts, answer: str) -> bool:
        from_new = {phase: index * 29.5 / 4 for index, phase in enumerate(PHASES)}
        passed = from_new[answer.partition(" ")[2]] - from_new[facts["phase"].partition(" ")[2]] - facts["n"]
        return bool(abs((passed + 14.75) % 29.5 - 14.75) < 3)

    def solution(self, facts: Facts) -> str:
        quarters = round(facts["n"] / 7.375)
        return (
            "The phases run new moon, first quarter, full moon, last quarter, about 7.4 days from one to the next.\n"
            f"{facts['n']} days are about {quarters} step{'s' * (quarters > 1)} on from {facts['phase']}: "
            f"{self.solve(facts)}."
        )


STAGES = grouped("""
igneous|lava pours out and hardens|magma cools slowly deep underground|melted rock turns solid near a volcano|magma rises into a crack and cools until it is solid
metamorphic|great heat and pressure change the rock without melting it|the rock is squeezed and baked deep in a growing mountain range until its minerals change|hot magma nearby bakes the solid rock until new crystals grow in it
sedimentary|bits of broken rock are pressed together and cemented|layers of sand and mud are buried and harden|shells and mud settle on the sea floor and are cemented into rock|broken grains pile up in a river delta and are cemented together
loose sediment|wind and ice break the rock into sand and gravel|waves grind the rock into pebbles and sand|rain and frost crumble the rock into small grains
magma|the rock is pushed so deep that it melts completely|heat far below the crust melts all of the rock
""")  # noqa: E501
_STAGE = kinds(STAGES)
# what may follow what
_NEXT = {
    "igneous": ("metamorphic", "loose sediment", "magma"),
    "metamorphic": ("loose sediment", "magma", "metamorphic"),
    "sedimentary": ("metamorphic", "loose sediment", "magma"),
    "loose sediment": ("sedimentary",),
    "magma": ("igneous",),
}


class RockStory(Science):
    """A chain of events in the rock cycle: which kind of rock or matter is there at the end."""

    name = "rock_story"
    templates = weave(
        (
            "A guide at {place} tells {name} the history of the local rock.",
            "{name} writes the life story of a rock from {place}.",
            "{teacher}'s class makes a cartoon of the rock cycle at {place}.",
            "A museum at {place} explains how the land there came to be.",
        ),
        ("First, {one}. Then {two}. Last of all, {three}.", "To begin with, {one}. Next, {two}. In the end, {three}."),
        (
            "What is found there after the last step?",
            "What is the result of these steps?",
            "How should the material be classified when this has happened?",
        ),
    )
    _named: ClassVar = {"loose sediment": "loose sediment", "magma": "magma"}

    def facts(self, rng: Random) -> Facts:
        kinds_: list[str] = [rng.choice(("igneous", "metamorphic", "sedimentary"))]
        while len(kinds_) < 3:
            kinds_.append(rng.choice(_NEXT[kinds_[-1]]))
        one, two, three = (rng.choice(STAGES[kind]) for kind in kinds_)
        if two == three:
            two, three = rng.sample(STAGES["metamorphic"], 2)
        where = place(rng, "Pass", "Gorge", "Cliffs", "Caverns", "Peak", "Park")
        told: dict[str, Any] = {
            "name": person(rng)["name"],
            "teacher": teacher(rng),
            "place": where,
            "one": one,
            "two": two,
        }
        choices = offer(self._kind(kinds_[-1]), [self._kind(kind) for kind in STAGES], rng)
        return told | {"three": three, "choices": choices}

    def solve(self, facts: Facts) -> str:
        return self._kind(_STAGE[facts["three"]])

    def check(self, facts: Facts, answer: str) -> bool:
        return facts["three"] in STAGES[answer.removesuffix(" rock")]

    def solution(self, facts: Facts) -> str:
        path = [self._kind(_STAGE[facts[step]]) for step in ("one", "two", "three")]
        return f"The steps make {path[0]}, then {path[1]}, then {path[2]}.\nThe last step decides: {path[2]}."

    def _kind(self, kind: str) -> str:
        return kind if kind in self._named else f"{kind} rock"


ROCKS = words("sandstone shale limestone chalk siltstone mudstone conglomerate")
FOSSILS = words("""
corals|sea urchins|clam shells|sea lilies|shark teeth|squid beaks|scallop shells|horse teeth|beetle wings|tree stumps|
camel bones|lizard skulls|rodent jaws|pine cones
""")


class RockLayers(Science):
    """Undisturbed layers with fossils from top to bottom: oldest, youngest, next formed."""

    name = "rock_layers"
    templates = weave(
        (
            "On a canyon wall near {place}, {teacher}'s class sees four undisturbed layers of rock.",
            "A road cut near {place} shows {name} four layers of rock that have never been overturned.",
            "Drilling at {place}, scientists pass through four undisturbed rock layers.",
            "{name} draws the four flat, undisturbed rock layers of a cliff at {place}.",
        ),
        (
            "From top to bottom they are {down}.",
            "From the lowest layer up, they are {up}.",
            "The list from the surface down reads: {down}.",
            "The bottom layer comes first in this list: {up}.",
        ),
        ("{question}",),
    )
    questions: ClassVar = {
        "Which fossils are the oldest?": 0,
        "Which living things were buried there first?": 0,
        "Which fossils are the youngest?": 3,
        "The remains of which living things were buried most recently?": 3,
        "Which fossils formed just after those of the lowest layer?": 1,
        "Which fossils are older than all others except those of the bottom layer?": 1,
        "Which fossils formed just before those of the highest layer?": 2,
        "Which fossils are younger than all others except those of the top layer?": 2,
    }

    def facts(self, rng: Random) -> Facts:
        fossils = rng.sample(FOSSILS, 4)
        layers = tuple(zip(rng.sample(ROCKS, 4), fossils, strict=True))
        told: dict[str, Any] = {"name": person(rng)["name"], "teacher": teacher(rng), "layers": layers}
        where = place(rng, "Mesa", "Gap", "Butte", "Quarry", "Ridge")
        return told | {"place": where, "question": rng.choice(list(self.questions)), "choices": tuple(fossils)}

    def wording(self, facts: Facts, rng: Random) -> Facts:
        told = [f"{rock} with {fossil}" for rock, fossil in facts["layers"]]
        return {**facts, "up": listed(told), "down": listed(told[::-1])}

    def meaning(self, slots: dict[str, Any]) -> dict[str, Any]:
        told = unlisted(slots["up"]) if "up" in slots else unlisted(slots["down"])[::-1]
        return {**slots, "layers": tuple(tuple(layer.split(" with ")) for layer in told)}

    def solve(self, facts: Facts) -> str:
        return str(facts["layers"][self.questions[facts["question"]]][1])

    def check(self, facts: Facts, answer: str) -> bool:
        downwards = [fossil for _, fossil in reversed(facts["layers"])]
        return len(downwards[downwards.index(answer) + 1 :]) == self.questions[facts["question"]]

    def solution(self, facts: Facts) -> str:
        order = ", ".join(fossil for _, fossil in facts["layers"])
        return (
            f"In undisturbed rock, lower layers are older.\nFrom oldest to youngest: {order}. So: {self.solve(facts)}."
        )


CHANGES = grouped("""
weathering|Rain water with a little acid in it eats away the face of a marble statue.|Water in a crack of a boulder freezes and splits it.|The roots of a birch force a sidewalk slab apart.|Iron in a cliff reacts with air and turns it rusty and crumbly.|Lichens give off acids that loosen grains from bare stone.|Hot days and cold nights make thin sheets flake off a granite dome.|Tumbling in the surf rubs the corners off pieces of brick.
erosion|A flood carries topsoil out of a corn field.|Desert wind lifts fine sand and blows it away.|A glacier drags rocks along as it slides down a valley.|Waves pull sand away from the foot of a dune.|A fast creek sweeps gravel out of its bed.|Heavy rain washes mud down a bare hillside into a ditch.|A landslide moves loose stones from the top of a slope.
deposition|A river slows down as it enters a lake and drops its mud.|Wind dies down behind a fence, and sand piles up there.|A melting glacier leaves a ridge of gravel behind.|Calm water lets silt settle on the floor of a bay.|After a flood, a layer of fresh mud is left lying on the fields.|Waves lay down sand and build a long, narrow bar.
volcanic activity|Melted rock flows down a slope and hardens into black stone.|Ash bursts out of a crater and darkens the sky.|Lava builds a new island in the middle of the ocean.|Gases and red-hot cinders shoot up from a crack in the ground.
earthquake|Rock slips along a fault and shakes the houses above.|Two blocks of crust jerk past each other, and the ground trembles.|The ground shakes for half a minute after rock deep below suddenly breaks.
""")  # noqa: E501
_CHANGE = kinds(CHANGES)


class SurfaceProcess(Science):
    """Four changes of the land at named places: which one is weathering, erosion, deposition ..."""

    name = "surface_process"
    templates = weave(
        (
            "For {teacher}'s class, {name} keeps a list of changes in the land around {place}.",
            "On a field trip to {place}, {name} notes down four changes of the land.",
            "A booklet about {place} describes four events that shape its land.",
            "{name} matches photographs taken near {place} with words for changes of the land.",
        ),
        (
            "Which one is an example of {kind}?",
            'Which of these would be filed under the word "{kind}"?',
            "Which change was caused by {kind}?",
            "Which one shows {kind} at work?",
        ),
    )
    _words: ClassVar = {
        "weathering": ("weathering", "the breaking down of rock in place"),
        "erosion": ("erosion", "the carrying away of soil or rock"),
        "deposition": ("deposition", "the laying down of sediment"),
        "volcanic activity": ("volcanic activity",),
        "earthquake": ("sudden movement along a fault",),
    }
    _kind: ClassVar = {word: kind for kind, words in _words.items() for word in words}

    def facts(self, rng: Random) -> Facts:
        kind, *others = rng.sample(list(CHANGES), 4)
        told: dict[str, Any] = {
            "name": person(rng)["name"],
            "teacher": teacher(rng),
            "kind": rng.choice(self._words[kind]),
        }
        where = place(rng, "Valley", "Shore", "Canyon", "County", "Coast")
        choices = offer(rng.choice(CHANGES[kind]), [rng.choice(CHANGES[other]) for other in others], rng)
        return told | {"place": where, "choices": choices}

    def solve(self, facts: Facts) -> str:
        return str(only(choice for choice in facts["choices"] if choice in CHANGES[self._kind[facts["kind"]]]))

    def check(self, facts: Facts, answer: str) -> bool:
        return facts["kind"] in self._words[_CHANGE[answer]]

    def solution(self, facts: Facts) -> str:
        others = ", ".join(sorted({_CHANGE[choice] for choice in facts["choices"]} - {self._kind[facts["kind"]]}))
        return f'"{self.solve(facts)}" shows {facts["kind"]}.\nThe other choices show: {others}.'


WATER = grouped("""
evaporation|A puddle on {place} Road shrinks on a sunny morning.|Wet towels dry on a fence.|The water level of a birdbath drops on a hot, dry day.|Salt is left behind when a tide pool dries up.|A wet floor dries in front of an open window.
condensation|Drops form on the outside of a cold can of juice.|A bathroom mirror fogs up during a hot shower.|Dew appears on a spider web at dawn.|A cloud of tiny drops grows above a warm lake.|Someone's breath makes a small cloud in frosty air.|Fog forms over a river on a cool night.
precipitation|Hail bounces on the roof of a bus.|Snow falls on {place} Hill all night.|A thunderstorm drops heavy rain on a parade.|Sleet makes the steps of a library slippery.|Drizzle dampens a picnic.
runoff|After a downpour, water streams down a driveway to the gutter.|Melting snow flows down a rocky slope into a creek.|Rain water rushes along {place} Street and into a drain.|Water from a storm flows over hard, dry ground into a pond.
infiltration|Rain soaks into the soil of a garden.|Water seeps down through sand and gravel and fills a well.|A wet lawn slowly swallows a puddle, and the water table rises.|Melted snow sinks down into cracks of the rock.
transpiration|Leaves of a sunflower give off water vapor.|A plastic bag tied around a leafy twig fills with moisture from the leaves.|Water vapor leaves an oak tree through tiny pores in its leaves.
""")  # noqa: E501
_WATER = kinds(WATER)


class WaterCycle(Science):
    """Something seen with water: which step of the water cycle it is, and what happened to the water."""

    name = "water_cycle"
    meanings: ClassVar = {
        "evaporation": "Liquid water turned into a gas.",
        "condensation": "A gas in the air turned into liquid water.",
        "precipitation": "Water fell from clouds to the ground.",
        "runoff": "Liquid water flowed over the surface of the land.",
        "infiltration": "Liquid water moved down into the ground.",
        "transpiration": "A plant gave off water as a gas.",
    }
    templates = weave(
        (
            '{name} keeps a weather diary and writes: "{seen}"',
            'On a walk near {place} Station, {name} and {friend} talk about this: "{seen}"',
            'One line in {name}\'s notebook from a week at {place} Camp reads: "{seen}"',
            '{teacher} writes one sentence on the board at {place} School: "{seen}"',
        ),
        (
            "Which part of the water cycle is this, and what happened?",
            "Which choice names the process and explains it correctly?",
            "What is this step called, and what did the water do?",
        ),
    )

    def facts(self, rng: Random) -> Facts:
        where = place(rng, "x").partition(" ")[0]
        step = rng.choice(list(WATER))
        seen = rng.choice(WATER[step]).format(place=where)
        wrong = [self._choice(other, other) for other in WATER if other != step]
        other = rng.choice([other for other in WATER if other != step])
        wrong = [*rng.sample(wrong, 2), self._choice(step, other), self._choice(other, step)]
        told: dict[str, Any] = {
            "name": person(rng)["name"],
            "friend": person(rng)["name"],
            "teacher": teacher(rng),
            "place": where,
        }
        return told | {"seen": seen, "choices": offer(self._choice(step, step), rng.sample(wrong, 3), rng)}

    def solve(self, facts: Facts) -> str:
        step = self._step(facts["seen"])
        return self._choice(step, step)

    def check(self, facts: Facts, answer: str) -> bool:
        step, _, meaning = answer.partition(": ")
        seen = [sentence.partition("{place}")[2] or sentence for sentence in WATER[step.lower()]]
        return self.meanings[step.lower()] == meaning and any(facts["seen"].endswith(end) for end in seen)

    def solution(self, facts: Facts) -> str:
        step = self._step(facts["seen"])
        return f'"{facts["seen"]}" {self.meanings[step]}\nThat is {step}.'

    def _choice(self, step: str, meaning: str) -> str:
        return f"{upper(step)}: {self.meanings[meaning]}"

    @staticmethod
    def _step(seen: str) -> str:
        return _WATER[next(line for line in _WATER if _fits(line, seen))]


def _fits(line: str, seen: str) -> bool:
    try:
        unfill_any((line,), seen)
    except ValueError:
        return False
    return True


SOURCES = {
    "renewable": ["wind", "sunlight", "flowing water", "tides", "heat from inside Earth", "ocean waves"],
    "nonrenewable": ["coal", "oil", "natural gas", "uranium"],
}
USES = kinds(
    grouped("""
wind|turns the blades of tall turbines on a ridge|turns large blades that stand in shallow sea water
sunlight|strikes dark panels on the roofs of a school|is gathered by rows of mirrors in a dry valley
flowing water|spins turbines at a dam|turns a wheel beside an old mill
tides|fill and empty a bay behind a gate with turbines twice a day
heat from inside Earth|makes steam from water in deep wells
ocean waves|rock long floats that are tied to generators
coal|is dug from a deep mine and burned in a furnace
oil|is pumped from wells and burned to make steam
natural gas|is piped from wells and burned in a turbine
uranium|is dug up and gives off heat in a reactor
""")
)
_USED = {source: [use for use in USES if USES[use] == source] for source in dict.fromkeys(USES.values())}

_TOWNS = words("""
Alderton|Bexfield|Corley|Dunmoor|Eastholm|Farrow|Glenside|Hartwell|Inverby|Jessup|Kelso Park|Lowmere|
Marlby|Norwick|Oakstead|Penfold|Quillby|Rushford|Stonecroft|Tilden|Upwell|Varley|Westmarch|Yardley Cross
""")


class EnergySources(Science):
    """Four plants that make electricity: which source is renewable, which will run out, which burns."""

    name = "energy_sources"
    questions: ClassVar = {
        "Which town uses an energy source that can be replaced about as fast as it is used?": "renewable",
        "Which town depends on a renewable resource?": "renewable",
        "Which town has a power source that will not be used up in thousands of years?": "renewable",
        "Which town depends on a nonrenewable resource?": "nonrenewable",
        "Which town uses an energy source that can one day be used up?": "nonrenewable",
        "Which town relies on a resource that took millions of years or longer to form?": "nonrenewable",
    }
    templates = weave(
        (
            "Four towns get their electricity in different ways.",
            "{name} compares how four towns make their electric power.",
            "A newspaper in {county} describes the power plants of four towns.",
            "{teacher}'s class makes a map of four towns and their power plants.",
        ),
        ("{told}",),
    )

    def facts(self, rng: Random) -> Facts:
        question = rng.choice(list(self.questions))
        wanted = self.questions[question]
        other = only(kind for kind in SOURCES if kind != wanted)
        sources = [rng.choice(SOURCES[wanted]), *rng.sample(SOURCES[other], 3)]
        towns = rng.sample(_TOWNS, 4)
        plants = tuple((town, rng.choice(_USED[source])) for town, source in zip(towns, sources, strict=True))
        told: dict[str, Any] = {
            "name": person(rng)["name"],
            "teacher": teacher(rng),
            "county": place(rng, "County"),
            "plants": plants,
        }
        return told | {"question": question, "choices": tuple(towns)}

    def wording(self, facts: Facts, rng: Random) -> Facts:
        told = [f"In {town}, {USES[use]} {use}" for town, use in shuffled(facts["plants"], rng)]
        return {**facts, "told": ". ".join([*told, facts["question"]])}

    def meaning(self, slots: dict[str, Any]) -> dict[str, Any]:
        *told, question = slots["told"].split(". ")
        plants = []
        for line in told:
            town, _, rest = line.removeprefix("In ").partition(", ")
            plants.append((town, only(use for use in USES if rest == f"{USES[use]} {use}")))
        return {**slots, "plants": tuple(plants), "question": question}

    def solve(self, facts: Facts) -> str:
        wanted = SOURCES[self.questions[facts["question"]]]
        return str(only(town for town, use in facts["plants"] if USES[use] in wanted))

    def check(self, facts: Facts, answer: str) -> bool:
        source = USES[dict(facts["plants"])[answer]]
        return only(kind for kind in SOURCES if source in SOURCES[kind]) == self.questions[facts["question"]]

    def solution(self, facts: Facts) -> str:
        told = ", ".join(f"{town} {USES[use]}" for town, use in facts["plants"])
        return (
            f"The sources are: {told}.\n"
            f"Only what {self.solve(facts)} uses is {self.questions[facts['question']]}; the other three are not."
        )
