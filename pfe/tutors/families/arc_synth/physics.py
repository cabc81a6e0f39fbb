"""Science questions about net force, energy on a track, lamps in a circuit and the pitch of strings.

Example: "A crate with a mass of 20 kg is at rest on smooth ice at Teal Harbor. Two forces of 35 N and 25 N push it to
the left while a force of 20 N pulls it to the right. How will the crate move?"
Correct: "It speeds up to the left at 2 m/s²." Incorrect: "It speeds up to the right at 2 m/s²."
"""

from itertools import pairwise
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
    unlisted,
    weave,
    words,
)
from pfe.tutors.family import Draft, Facts, unfill

_SIDES = rows("left|right\nright|left\neast|west\nwest|east\nnorth|south\nsouth|north")


class NetForce(Science):
    """Three forces along a line on a body of known mass: the direction and size of its acceleration."""

    name = "net_force"
    speeds_up = "It speeds up to the {side} at {a:d} m/s²."
    at_rest = "It stays at rest."
    templates = weave(
        (
            "A {thing} with a mass of {m:d} kg is at rest on smooth ice at {place}.",
            "At {place}, {name} studies a {thing} of {m:d} kg that rests on a track with hardly any friction.",
            "For {teacher}'s class, a {thing} ({m:d} kg) is placed on an air table, where friction can be ignored.",
        ),
        (
            "Two forces of {f:d} N and {g:d} N push it to the {side} while a force of {h:d} N pulls it to the {other}.",
            "One rope pulls it to the {other} with {h:d} N. At the same time, two ropes pull it to the {side} with "
            "{f:d} N "
            "and {g:d} N.",
            "It is pushed to the {side} with {f:d} N and {g:d} N by two people, and to the {other} with {h:d} N by a "
            "third.",
        ),
        (
            "Which describes what the {thing} does?",
            "How will the {thing} move?",
            "What is the effect of the forces together?",
        ),
    )
    _things: ClassVar = words("crate sled box cart block chest barrel trunk bench toolbox")

    def facts(self, rng: Random) -> Facts:
        m, a = rng.choice((2, 4, 5, 8, 10, 12, 15, 20, 25, 40)), rng.choice((-4, -3, -2, -1, 0, 1, 2, 3, 4, 5))
        f, g = rng.randint(2, 60), rng.randint(2, 60)
        while f + g - m * a < 2:
            f, g = f + rng.randint(5, 30), g + rng.randint(5, 30)
        side, other = rng.choice(_SIDES)
        h = f + g - m * a
        told: dict[str, Any] = {"name": person(rng)["name"], "teacher": teacher(rng), "thing": rng.choice(self._things)}
        told |= {"place": place(rng, "Harbor", "Lab", "Rink", "Lake"), "m": m, "side": side, "other": other}
        numbers = {"f": f, "g": g, "h": h}
        right = self._said(side, other, a)
        wrong = [self._said(side, other, -a), self._said(side, other, 0), self._said(side, other, a + 1 or 2)]
        wrong += [self._said(side, other, value) for value in (1, -1, a + 3, -a - 2)]
        return told | numbers | {"choices": offer(right, wrong, rng)}

    def solve(self, facts: Facts) -> str:
        net = facts["f"] + facts["g"] - facts["h"]
        return self._said(facts["side"], facts["other"], net // facts["m"])

    def check(self, facts: Facts, answer: str) -> bool:
        if answer == self.at_rest:
            return bool(facts["f"] + facts["g"] == facts["h"])
        said = unfill(self.speeds_up, answer)
        sign = 1 if said["side"] == facts["side"] else -1
        return bool(facts["h"] + sign * facts["m"] * said["a"] == facts["f"] + facts["g"])

    def solution(self, facts: Facts, draft: Draft) -> str:
        net = facts["f"] + facts["g"] - facts["h"]
        way = f" to the {facts['side'] if net > 0 else facts['other']}" if net else ""
        return (
            f"The net force is {facts['f']} + {facts['g']} - {facts['h']} = {net}, that is {abs(net)} N{way}.\n"
            f"Acceleration is net force over mass: {abs(net)} / {facts['m']} = {abs(net) // facts['m']} m/s². "
            f"{self.solve(facts)}"
        )

    def _said(self, side: str, other: str, a: int) -> str:
        return self.speeds_up.format(side=side if a > 0 else other, a=abs(a)) if a else self.at_rest


class TrackEnergy(Science):
    """A frictionless track with four points of known height: where each form of energy is largest or smallest."""

    name = "track_energy"
    questions: ClassVar = {
        "Where does it have the most kinetic energy?": "low",
        "At which point does it move fastest?": "low",
        "Where is its gravitational potential energy smallest?": "low",
        "Where does it have the most gravitational potential energy?": "high",
        "At which point does it move most slowly?": "high",
        "Where is its kinetic energy smallest?": "high",
        "At which point has it turned the most potential energy into kinetic energy?": "low",
        "At which point has it turned the least potential energy into kinetic energy?": "high",
    }
    templates = weave(
        (
            "A {car} starts from rest at the top of a track at {place}, {top:d} m above the ground, and rolls with "
            "almost no "
            "friction.",
            "{name} builds a computer model of a {car} that is let go {top:d} m above the ground on a track without "
            "friction.",
            "In {teacher}'s class, a drawing shows a {car} on a frictionless track. It is released {top:d} m above "
            "the ground.",
        ),
        (
            "On its way it passes {data}.",
            "It rolls past {data}.",
            "The track leads it through {data}.",
        ),
        ("{question}",),
    )
    _cars: ClassVar = words("roller coaster car|mine cart|soapbox racer|small wagon|steel ball|toy train|wheeled sled")

    def facts(self, rng: Random) -> Facts:
        top = rng.randint(22, 80)
        heights = rng.sample(range(2, top - 2), 4)
        points = rng.choice(("PQRS", "ABCD", "KLMN", "WXYZ", "EFGH"))
        track = tuple((f"point {point}", height) for point, height in zip(points, heights, strict=True))
        told: dict[str, Any] = {
            "name": person(rng)["name"],
            "teacher": teacher(rng),
            "place": place(rng, "Park", "Pier", "Mountain"),
        }
        told |= {
            "car": rng.choice(self._cars),
            "top": top,
            "track": track,
            "question": rng.choice(list(self.questions)),
        }
        return told | {"choices": tuple(point for point, _ in track)}

    def wording(self, facts: Facts, rng: Random) -> Facts:
        return {**facts, "data": listed([f"{point} at a height of {height} m" for point, height in facts["track"]])}

    def meaning(self, slots: dict[str, Any]) -> dict[str, Any]:
        found = [unfill("{point} at a height of {height:d} m", said) for said in unlisted(slots["data"])]
        return {**slots, "track": tuple((row["point"], row["height"]) for row in found)}

    def solve(self, facts: Facts) -> str:
        by_height = sorted(facts["track"], key=lambda spot: spot[1])
        return str(by_height[0 if self.questions[facts["question"]] == "low" else -1][0])

    def check(self, facts: Facts, answer: str) -> bool:
        dropped = {point: facts["top"] - height for point, height in facts["track"]}
        others = [drop for point, drop in dropped.items() if point != answer]
        low = self.questions[facts["question"]] == "low"
        return all((dropped[answer] > drop) == low for drop in others)

    def solution(self, facts: Facts, draft: Draft) -> str:
        low = self.questions[facts["question"]] == "low"
        told = (
            "Going down, potential energy turns into kinetic energy: the lower, the faster."
            if low
            else "The higher the point, the more energy is still potential and the slower the motion."
        )
        heights = ", ".join(f"{point} {height} m" for point, height in facts["track"])
        return f"{told}\nHeights: {heights}. The {'lowest' if low else 'highest'} is {self.solve(facts)}."


class LitLamps(Science):
    """A circuit of lamps in series or in parallel branches, one of which fails: which lamps stay lit."""

    name = "lit_lamps"
    templates = weave(
        (
            "{name} connects a battery to {layout}.",
            "A circuit on a bench at {place} has a battery and {layout}.",
            "In {teacher}'s class, a fresh battery is wired to {layout}.",
        ),
        (
            "All the lamps shine. Then lamp {x} burns out. Which lamps still shine?",
            "At first every lamp is lit. What will be lit after lamp {x} is unscrewed from its socket?",
            "Every lamp works until the thin wire inside lamp {x} breaks. Which lamps keep shining?",
        ),
    )
    series = "lamps {x} one after another in a single loop"
    alone = "a branch with lamp {x}"
    chain = "a branch with lamps {x} one after another"
    nothing = "none of the lamps"

    def facts(self, rng: Random) -> Facts:
        n = rng.choice((4, 5, 5, 6))
        lamps = [str(number) for number in range(1, n + 1)] if rng.random() < 0.5 else list("ABCDEF"[:n])
        if rng.random() < 0.15:
            branches: tuple[tuple[str, ...], ...] = (tuple(lamps),)
        else:
            cuts = sorted(rng.sample(range(1, n), rng.choice((1, 2))))
            mixed = shuffled(lamps, rng)
            edges = [0, *cuts, n]
            branches = tuple(tuple(sorted(mixed[i:j])) for i, j in pairwise(edges))
        x = rng.choice(lamps)
        told: dict[str, Any] = {
            "name": person(rng)["name"],
            "teacher": teacher(rng),
            "place": place(rng, "School", "Workshop", "Lab"),
        }
        right = self._lit(branches, x)
        others = [lamp for lamp in lamps if lamp != x]
        wrong = [self._named(others), self.nothing]
        wrong += [self._named(list(branch)) for branch in branches if x not in branch]
        wrong += [
            self._named([lamp for lamp in branch if lamp != x])
            for branch in branches
            if x in branch and len(branch) > 1
        ]
        wrong += [self._named(others[:1]), self._named(others[1:]), self._named(others[:-1])]
        return told | {"branches": branches, "x": x, "choices": offer(right, wrong, rng)}

    def wording(self, facts: Facts, rng: Random) -> Facts:
        branches = facts["branches"]
        if len(branches) == 1:
            return {**facts, "layout": self.series.format(x=listed(branches[0]))}
        told = [(self.chain if len(branch) > 1 else self.alone).format(x=listed(branch)) for branch in branches]
        count = {2: "two", 3: "three"}[len(branches)]
        return {**facts, "layout": f"{count} parallel branches: {'; '.join(told)}"}

    def meaning(self, slots: dict[str, Any]) -> dict[str, Any]:
        layout = slots["layout"]
        if layout.endswith("in a single loop"):
            return {**slots, "branches": (tuple(unlisted(unfill(self.series, layout)["x"])),)}
        told = layout.partition(": ")[2].split("; ")
        found = [unfill(self.chain if " lamps " in branch else self.alone, branch)["x"] for branch in told]
        return {**slots, "branches": tuple(tuple(unlisted(lamps)) for lamps in found)}

    def solve(self, facts: Facts) -> str:
        return self._lit(facts["branches"], facts["x"])

    def check(self, facts: Facts, answer: str) -> bool:
        lit = unlisted(answer.split(" ", 1)[1].removeprefix("lamp ")) if answer != self.nothing else []
        for branch in facts["branches"]:
            shining = [lamp for lamp in branch if lamp in lit]
            if facts["x"] in branch and shining:
                return False
            if facts["x"] not in branch and len(shining) < len(branch):
                return False
        return True

    def solution(self, facts: Facts, draft: Draft) -> str:
        branch = only(branch for branch in facts["branches"] if facts["x"] in branch)
        with_x = f"lamp{'s' * (len(branch) > 1)} {listed(branch)}"
        return (
            f"No current passes through a broken lamp, so the path with {with_x} is open.\n"
            f"A parallel branch keeps its own closed path to the battery. Still lit: {self.solve(facts)}."
        )

    def _lit(self, branches: tuple[tuple[str, ...], ...], x: str) -> str:
        return self._named(sorted(lamp for branch in branches if x not in branch for lamp in branch))

    def _named(self, lamps: list[str]) -> str:
        if not lamps:
            return self.nothing
        return f"lamp {lamps[0]}" if len(lamps) == 1 else f"lamps {listed(lamps)}"


class StringPitch(Science):
    """Four strings that differ in one property: which has the highest or lowest pitch."""

    name = "string_pitch"
    # property: (unit, range of values, whether a larger value raises the pitch)
    properties: ClassVar = {
        "length": ("cm", (20, 95), False),
        "tension": ("N", (15, 95), True),
        "thickness": ("tenths of a millimeter", (2, 20), False),
    }
    named: ClassVar = {
        "length": "the string that is {value} cm long",
        "tension": "the string with a tension of {value} N",
        "thickness": "the string that is {value} tenths of a millimeter thick",
    }
    same: ClassVar = {
        "length": "same thickness and stretched with the same force",
        "tension": "same length and thickness",
        "thickness": "same length and stretched with the same force",
    }
    kinds_: ClassVar = {
        "length": "lengths of {data}",
        "tension": "tensions of {data}",
        "thickness": "thicknesses of {data}",
    }
    templates = weave(
        (
            "For a concert at {place}, {name} stretches four {metal} strings on a board.",
            "{name} makes an instrument with four {metal} strings for {teacher}'s class.",
            "A model instrument at {place} has four {metal} strings.",
        ),
        (
            "They are of the {same}, and they have {measures}.",
            "All are of the {same}. They differ because they have {measures}.",
        ),
        ("Which string gives the {pitch} note when it is plucked?", "Which one vibrates with the {pitch} frequency?"),
    )
    _metals: ClassVar = ["steel", "brass", "copper", "nylon", "bronze"]

    def facts(self, rng: Random) -> Facts:
        prop = rng.choice(list(self.properties))
        _, (low, high), _ = self.properties[prop]
        values = tuple(rng.sample(range(low, high), 4))
        told: dict[str, Any] = {"name": person(rng)["name"], "teacher": teacher(rng), "metal": rng.choice(self._metals)}
        told |= {"place": place(rng, "School", "Museum", "Library"), "property": prop, "values": values}
        choices = tuple(self.named[prop].format(value=value) for value in values)
        return told | {"pitch": rng.choice(("highest", "lowest")), "choices": choices}

    def wording(self, facts: Facts, rng: Random) -> Facts:
        unit = self.properties[facts["property"]][0]
        data = f"{listed([str(value) for value in facts['values']])} {unit}"
        return {
            **facts,
            "same": self.same[facts["property"]],
            "measures": self.kinds_[facts["property"]].format(data=data),
        }

    def meaning(self, slots: dict[str, Any]) -> dict[str, Any]:
        prop = only(prop for prop, same in self.same.items() if same == slots["same"])
        data = unfill(self.kinds_[prop], slots["measures"])["data"].removesuffix(f" {self.properties[prop][0]}")
        return {**slots, "property": prop, "values": tuple(int(value) for value in unlisted(data))}

    def solve(self, facts: Facts) -> str:
        raises = self.properties[facts["property"]][2]
        value = max(facts["values"]) if raises == (facts["pitch"] == "highest") else min(facts["values"])
        return str(self.named[facts["property"]].format(value=value))

    def check(self, facts: Facts, answer: str) -> bool:
        raises = self.properties[facts["property"]][2]
        own = int(unfill(self.named[facts["property"]], answer)["value"])
        faster = [value for value in facts["values"] if (value > own) == raises and value != own]
        return len(faster) == (0 if facts["pitch"] == "highest" else 3)

    def solution(self, facts: Facts, draft: Draft) -> str:
        rule = {
            "length": "The shorter a string, the faster it vibrates and the higher it sounds.",
            "tension": "The tighter a string, the faster it vibrates and the higher it sounds.",
            "thickness": "The thinner a string, the faster it vibrates and the higher it sounds.",
        }[facts["property"]]
        return f"{rule}\nThe {facts['pitch']} note comes from {self.solve(facts)}."
