"""Science questions about states of matter at a temperature, and heat flow between two objects.

Example: "Amara places a steel spoon at 20°C in contact with a bowl of soup at 70°C inside an insulated box. Which of
these could happen?" Correct: "Heat moves from the bowl of soup to the steel spoon until both are at 69°C."
"""

from random import Random
from typing import Any, ClassVar

from pfe.tutors.families.arc_synth.base import (
    Science,
    listed,
    offer,
    only,
    person,
    place,
    rows,
    shuffled,
    teacher,
    weave,
)
from pfe.tutors.family import Draft, Facts, unfill

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
    """Melting and boiling points of four substances: which is the only solid, liquid or gas at a temperature."""

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

    def solution(self, facts: Facts, draft: Draft) -> str:
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


# two objects in contact: the smaller store of heat, then the larger one
CONTACTS = rows("""
steel spoon|bowl of soup
copper block|pan of water
steel bolt|bucket of water
glass marble|cup of oil
brass weight|beaker of oil
stone|tub of water
metal ruler|wooden table
bottle of juice|bath of water
can of beans|pot of water
clay brick|concrete slab
copper nail|bowl of sand
boiled egg|pot of salt water
pair of pliers|basin of water
silver coin|cup of tea
""")


class HeatFlow(Science):
    """Two objects in contact at different temperatures: the direction of heat flow and the final temperature."""

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
        # The larger store of heat hardly changes, so the final temperature is close to its initial temperature.
        mid = t + (1 if s > t else -1) * rng.randint(1, (high - low) // 5)
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
        middle = (facts["s"] + facts["t"]) / 2
        low, high = sorted((middle, facts["t"]))
        return str(only(choice for choice in ends if low < unfill(self.said, choice)["t"] < high))

    def check(self, facts: Facts, answer: str) -> bool:
        said = unfill(self.said, answer)
        start = {facts["one"]: facts["s"], facts["two"]: facts["t"]}
        gained, lost = said["t"] - start[said["y"]], start[said["x"]] - said["t"]
        moved = {said["y"]: gained, said["x"]: lost}
        return bool(said["what"] == "Heat" and 0 < moved[facts["two"]] < moved[facts["one"]])

    def solution(self, facts: Facts, draft: Draft) -> str:
        low, high = sorted((facts["s"], facts["t"]))
        return (
            f"Heat moves from what is hotter ({high}°C) to what is colder ({low}°C), and both end between the two, "
            f"near where the {facts['two']} began, which stores more heat.\n"
            f"{self.solve(facts)}"
        )
