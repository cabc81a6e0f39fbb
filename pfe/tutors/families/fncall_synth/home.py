"""Requests to the house: a scene as a dict, degrees below zero or in Fahrenheit, rooms known by who is in them.

Example, fncall_synth/cold_store/s0/0:
    request: The weekly timetable stays in force: the seed vault is to be kept at 15.5 Celsius, not at the 4
        that Jerome chalked on its door.
    answer: set_temperature("seed vault", 15.5)
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from pfe.icr.calls import Call
from pfe.tutors.families.fncall_synth.request import Asking, Source, arguments, call
from pfe.tutors.families.fncall_synth.words import (
    CLOCK,
    NAMES,
    ROOMS,
    items,
    listed,
    number,
    said,
    spoken_number,
    table,
)
from pfe.tutors.family import Facts

SCENES = table("""
Vernissage|Rehearsal|Blue hour|Tea dance|Night shift|Open house|Seance|Candlemas|Storm watch|Recital|Sleepover
Stocktaking
""")


class LightScene(Asking):
    name = "light_scene"
    toolbox = "home"
    templates: ClassVar[tuple[str, ...]] = (
        'The caretaker, {name}, describes a scene to be stored under "{scene}": {lights}. It {begins}.',
        'Under the title "{scene}" our lamps shall stand thus: {lights}. {name} adds that it {begins}.',
        '{name} wants these levels kept for good and called "{scene}": {lights}. Note that it {begins}.',
    )
    never: ClassVar[str] = "has to be started by hand and never begins on its own"

    def facts(self, rng: Random) -> Facts:
        levels = [
            rng.choice(["dark", *[f"at {n} percent" for n in range(5, 100, 5)]]) for _ in range(rng.randint(2, 4))
        ]
        rooms = rng.sample(ROOMS, len(levels))
        begins = rng.choice([self.never, f"begins every day at {rng.choice(list(CLOCK))}"])
        lights = listed([f"{room} {level}" for room, level in zip(rooms, levels, strict=True)])
        return {"scene": rng.choice(SCENES), "lights": lights, "begins": begins}

    def aside(self, facts: Facts, rng: Random) -> Mapping[str, Any]:
        return {"name": rng.choice(NAMES)}

    def calls(self, facts: Facts) -> Sequence[Source]:
        lights: dict[str, int] = {}
        for light in items(facts["lights"]):
            match = re.fullmatch(r"(.+) (?:dark|at (\d+) percent)", light)
            if not match:
                raise ValueError(f"{light!r} is no light level")
            lights[match[1]] = int(match[2] or 0)
        clock = facts["begins"].removeprefix("begins every day at ")
        start = "" if facts["begins"] == self.never else CLOCK[clock]
        return [call("save_scene", name=facts["scene"], lights=lights, start=start)]

    def retell(self, calls: Sequence[Call]) -> Facts:
        (one,) = calls
        scene, lights, start = arguments(one, "save_scene", "name", "lights", "start")
        begins = frozenset({f"begins every day at {clock}" for clock in said(CLOCK, start)} if start else {self.never})
        levels = [f"{room} at {level} percent" if level else f"{room} dark" for room, level in lights.items()]
        return {"scene": scene, "lights": listed(levels), "begins": begins}


HOLDING: Mapping[str, bool] = {
    "The weekly timetable is void for it from then on": True,
    "The weekly timetable stays in force": False,
}
STORES = table("""
cheese cave|ice room|tulip store|blood bank|bait freezer|seed vault|fur store|yeast tank|orchid house|moth room
snail pen|proofing cabinet|egg store|herring hold|vaccine locker|film archive|apple loft|cigar room|penguin hall
ham chamber
""")


class ColdStore(Asking):
    name = "cold_store"
    toolbox = "home"
    templates: ClassVar[tuple[str, ...]] = (
        "{name}'s American manual prescribes {fahrenheit:d} degrees Fahrenheit for the {zone}. {hold}. Bring it there.",
        "Contents of the {zone} keep best at {celsius} degrees Celsius, says {name}. {hold}. See to it.",
        "{hold}: the {zone} is to be kept at {celsius} Celsius, not at the {wrong:d} that {name} chalked on its door.",
        "In the {zone} the dial is marked in Fahrenheit, and {name} has always had it on {fahrenheit:d}. Our new "
        "thermostat should do the same. {hold}.",
    )

    def facts(self, rng: Random) -> Facts:
        facts = {"zone": rng.choice(STORES), "hold": rng.choice(list(HOLDING))}
        if rng.random() < 0.5:
            return facts | {"fahrenheit": 9 * rng.randint(-7, 9) + 32}
        return facts | {"celsius": spoken_number(rng.randint(-80, 70) / 2)}

    def aside(self, facts: Facts, rng: Random) -> Mapping[str, Any]:
        return {"name": rng.choice(NAMES), "wrong": rng.randint(1, 30)}

    def calls(self, facts: Facts) -> Sequence[Source]:
        celsius = number(facts["celsius"]) if "celsius" in facts else (facts["fahrenheit"] - 32) * 5 // 9
        return [call("set_temperature", zone=facts["zone"], celsius=celsius, hold=HOLDING[facts["hold"]])]

    def check(self, facts: Facts, answer: str) -> bool:
        return super().check({"celsius": None, "fahrenheit": None, **facts}, answer)

    def retell(self, calls: Sequence[Call]) -> Facts:
        (one,) = calls
        zone, celsius, hold = arguments(one, "set_temperature", "zone", "celsius", "hold")
        fahrenheit = celsius * 9 / 5 + 32
        return {
            "zone": zone, "hold": said(HOLDING, hold), "celsius": frozenset({spoken_number(celsius), None}),
            "fahrenheit": frozenset({fahrenheit, None}),
        }  # fmt: skip

    def steps(self, facts: Facts) -> Iterable[str]:
        if "fahrenheit" in facts:
            degrees, over = facts["fahrenheit"], facts["fahrenheit"] - 32
            yield f"{degrees} °F is ({degrees} - 32) * 5 / 9 = <<{over}*5/9={over * 5 // 9}>>{over * 5 // 9} °C."


AIR: Mapping[str, str] = {
    "how much carbon dioxide there is": "co2",
    "how moist the air is": "humidity",
    "how warm the air is": "temperature",
}
COLORS: Mapping[str, str] = {
    "a warm glow": "warm", "a cool gleam": "cool", "red": "red", "green": "green", "blue": "blue",
    "its accustomed color": "warm",
}  # fmt: skip


class WhereverTheyAre(Asking):
    name = "wherever_they_are"
    toolbox = "home"
    templates: ClassVar[tuple[str, ...]] = (
        "The lamp near {name}, whichever room that may be, has to be set to {percent:d} percent and {color}.",
        "Nobody knows where {name} is reading tonight, yet the lamp over that page should have {percent:d} percent "
        "and {color}; {busy} reads elsewhere.",
        "{name} complains of a headache. Track down the room and measure {air} in there.",
        "Before {name} nods off, wherever that is, a sensor must tell us {air} around that chair, and never mind "
        "{busy}.",
        "{name} will sit still for hours with a lute, somewhere in this house. Heat that very room to {celsius:d} "
        "degrees.",
        "I do not know which room {name} has picked, {busy} does not either; it must be kept at {celsius:d} degrees.",
    )

    def facts(self, rng: Random) -> Facts:
        wishes: list[dict[str, Any]] = [
            {"percent": rng.randint(4, 99), "color": rng.choice(list(COLORS))},
            {"air": rng.choice(list(AIR))},
            {"celsius": rng.randint(14, 26)},
        ]
        return {"name": rng.choice(NAMES)} | rng.choices(wishes, (6, 2, 3))[0]

    def aside(self, facts: Facts, rng: Random) -> Mapping[str, Any]:
        return {"busy": rng.choice([name for name in NAMES if name != facts["name"]])}

    def calls(self, facts: Facts) -> Sequence[Source]:
        room = call("find_person", name=facts["name"])
        if "percent" in facts:
            return [call("set_light", room=room, brightness=facts["percent"], color=COLORS[facts["color"]])]
        if "air" in facts:
            return [call("read_sensor", zone=room, quantity=AIR[facts["air"]])]
        return [call("set_temperature", zone=room, celsius=facts["celsius"])]

    def retell(self, calls: Sequence[Call]) -> Facts:
        (one,) = calls
        if one.name == "set_light":
            room, percent, color = arguments(one, "set_light", "room", "brightness", "color")
            facts: dict[str, Any] = {"percent": percent, "color": said(COLORS, color)}
        elif one.name == "read_sensor":
            room, quantity = arguments(one, "read_sensor", "zone", "quantity")
            facts = {"air": said(AIR, quantity)}
        else:
            room, celsius = arguments(one, "set_temperature", "zone", "celsius")
            facts = {"celsius": celsius}
        return facts | {"name": arguments(room, "find_person", "name")[0]}
