"""Forces, energy, electricity, sound: pushes, tracks, levers, lamps, materials, devices, strings.

Example: "A crate with a mass of 20 kg is at rest on smooth ice at Teal Harbor. Two forces of 35 N and 25 N push it to
the left while a force of 20 N pulls it to the right. How will the crate move?"
Right: "It speeds up to the left at 2 m/s²." Wrong: "It speeds up to the right at 2 m/s²."
"""

from fractions import Fraction
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
from pfe.tutors.family import Facts, unfill

_SIDES = rows("left|right\nright|left\neast|west\nwest|east\nnorth|south\nsouth|north")


class NetForce(Science):
    """Three forces along a line act on a body of known mass: which way and how fast it speeds up."""

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

    def solution(self, facts: Facts) -> str:
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
    """A cart runs without friction past points of known height: where kinetic or potential energy is largest."""

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

    def solution(self, facts: Facts) -> str:
        low = self.questions[facts["question"]] == "low"
        told = (
            "Going down, potential energy turns into kinetic energy: the lower, the faster."
            if low
            else "The higher the point, the more energy is still potential and the slower the motion."
        )
        heights = ", ".join(f"{point} {height} m" for point, height in facts["track"])
        return f"{told}\nHeights: {heights}. The {'lowest' if low else 'highest'} is {self.solve(facts)}."


class LeverBalance(Science):
    """A seesaw with loads: what would balance it."""

    name = "lever_balance"
    choice = "{w:d} {unit} placed {d} cm from the pivot"
    templates = weave(
        (
            "{name} balances a light beam on a pivot and hangs {w:d} {unit} on the left side, {d:d} cm from the pivot.",
            "A light board rests on a pivot at {place}. On its left side, {w:d} {unit} hang {d:d} cm from the pivot.",
            "In {teacher}'s class, {w:d} {unit} pull down on the left arm of a light lever, {d:d} cm from the pivot.",
        ),
        (
            "What must be put on the right side to balance it?",
            "Which of these on the right side will keep the beam level?",
            "Which would make the two sides balance when it is put on the right?",
        ),
    )

    def facts(self, rng: Random) -> Facts:
        while True:
            w, d = rng.randint(2, 30), rng.randrange(10, 85, 5)
            fitting = [x for x in range(2, 41) if w * d % x == 0 and w * d // x <= 100 and x != w and w * d // x != d]
            fitting = [x for x in fitting if w * d // x % 5 == 0 and w * d // x >= 5]
            if fitting:
                break
        x = rng.choice(fitting)
        unit = rng.choice(("newtons", "identical washers", "equal weights"))
        told: dict[str, Any] = {
            "name": person(rng)["name"],
            "teacher": teacher(rng),
            "place": place(rng, "Park", "School", "Museum"),
        }
        said = [(x, w * d // x)]
        others = [
            (w, w * d // x),
            (x, d),
            (d // 5, w * 5 % 100 + 5),
            (w + 1, d - 5),
            (x + 1, w * d // x),
            (x, w * d // x + 10),
        ]
        wrong = [self._named(a, b, unit) for a, b in others if a * b != w * d and a > 1 and b > 1]
        return told | {"w": w, "d": d, "unit": unit, "choices": offer(self._named(*said[0], unit), wrong, rng)}

    def solve(self, facts: Facts) -> str:
        turn = facts["w"] * facts["d"]
        offered = [
            (choice, unfill("{w:d} {unit} placed {d:d} cm from the pivot", choice)) for choice in facts["choices"]
        ]
        return str(only(choice for choice, said in offered if said["w"] * said["d"] == turn))

    def check(self, facts: Facts, answer: str) -> bool:
        said = unfill("{w:d} {unit} placed {d:d} cm from the pivot", answer)
        return Fraction(facts["w"], said["w"]) == Fraction(said["d"], facts["d"])

    def solution(self, facts: Facts) -> str:
        said = unfill("{w:d} {unit} placed {d:d} cm from the pivot", self.solve(facts))
        return (
            f"A lever balances when weight times distance is the same on both sides: {facts['w']} × {facts['d']} = "
            f"{facts['w'] * facts['d']}.\nOnly {said['w']} × {said['d']} gives {said['w'] * said['d']} too."
        )

    def _named(self, w: int, d: int, unit: str) -> str:
        return self.choice.format(w=w, d=d, unit=unit)


class LitLamps(Science):
    """Lamps in series and in parallel, one of which burns out: which ones still shine."""

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

    def solution(self, facts: Facts) -> str:
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


# object: whether it conducts electricity, whether a magnet attracts it
THINGS = rows("""
an iron nail|yes|yes
a steel paper clip|yes|yes
a steel sewing needle|yes|yes
an iron key|yes|yes
a steel bolt|yes|yes
a cobalt rod|yes|yes
a nickel wire|yes|yes
a piece of iron pipe|yes|yes
a copper wire|yes|no
a piece of aluminum foil|yes|no
a gold ring|yes|no
a silver chain|yes|no
a brass button|yes|no
a strip of zinc|yes|no
a pencil lead|yes|no
a brass key|yes|no
an aluminum can|yes|no
a copper pipe|yes|no
a wooden ruler|no|no
a rubber eraser|no|no
a plastic comb|no|no
a glass rod|no|no
a wool sock|no|no
a wax candle|no|no
a cork|no|no
a porcelain cup|no|no
a cotton string|no|no
a sheet of paper|no|no
a leather strap|no|no
a bamboo stick|no|no
""")
_TESTED = {thing: (conducts, sticks) for thing, conducts, sticks in THINGS}


class MaterialTest(Science):
    """A lamp test and a magnet test: which object gives the results that are told."""

    name = "material_test"
    lamp: ClassVar = {
        "the lamp lit up": "yes",
        "the lamp began to shine": "yes",
        "the lamp stayed dark": "no",
        "the lamp did not light": "no",
    }
    magnet: ClassVar = {
        "the magnet pulled it": "yes",
        "it stuck to the magnet": "yes",
        "the magnet had no effect on it": "no",
        "it did not stick to the magnet": "no",
    }
    templates = weave(
        (
            "{name} put unknown object number {n:d} into the gap of a circuit with a battery and a lamp, and {one}.",
            "At {place}, test object {n:d} was used to close a gap in a simple lamp circuit, and {one}.",
            "To test object {n:d} from a bag, {name} clipped both of its ends into a circuit with a lamp; {one}.",
        ),
        (
            "When a magnet was brought near, {two}.",
            "After that, it was tested with a strong magnet: {two}.",
            "In a second test, with a magnet, {two}.",
        ),
        (
            "Which object could it be?",
            "Which of these fits both results?",
            "What was the object, most likely?",
        ),
    )

    def facts(self, rng: Random) -> Facts:
        result = rng.choice((("yes", "yes"), ("yes", "no"), ("no", "no")))
        one = rng.choice([said for said, value in self.lamp.items() if value == result[0]])
        two = rng.choice([said for said, value in self.magnet.items() if value == result[1]])
        right = rng.choice([thing for thing in _TESTED if _TESTED[thing] == result])
        wrong = [thing for thing in _TESTED if _TESTED[thing] != result]
        while len({_TESTED[thing] for thing in wrong}) > 1 and len(wrong) > 3:
            some = rng.sample(wrong, 3)
            if len({_TESTED[thing] for thing in some}) > 1:
                wrong = some
        told: dict[str, Any] = {"name": person(rng)["name"], "place": place(rng, "School", "Lab", "Science Club")}
        return told | {"n": rng.randint(2, 40), "one": one, "two": two, "choices": offer(right, wrong, rng)}

    def solve(self, facts: Facts) -> str:
        result = (self.lamp[facts["one"]], self.magnet[facts["two"]])
        return str(only(choice for choice in facts["choices"] if _TESTED[choice] == result))

    def check(self, facts: Facts, answer: str) -> bool:
        conducts, sticks = _TESTED[answer]
        lit = [said for said, value in self.lamp.items() if value == conducts]
        pulled = [said for said, value in self.magnet.items() if value == sticks]
        return facts["one"] in lit and facts["two"] in pulled

    def solution(self, facts: Facts) -> str:
        conducts = "a conductor of electricity" if self.lamp[facts["one"]] == "yes" else "no conductor of electricity"
        magnet = "attracted" if self.magnet[facts["two"]] == "yes" else "not attracted"
        return (
            f"The object is {conducts} and is {magnet} by a magnet.\n"
            f"Of the choices, this is true only of {self.solve(facts)}."
        )


# device: the form of energy that goes in, the useful form that comes out
DEVICES = rows("""
a toaster|electrical|heat
an electric kettle|electrical|heat
a hair straightener|electrical|heat
an electric blanket|electrical|heat
a desk fan|electrical|motion
an electric drill|electrical|motion
a washing machine motor|electrical|motion
an electric scooter|electrical|motion
an LED lamp|electrical|light
a flashlight bulb|electrical|light
a traffic light|electrical|light
a doorbell|electrical|sound
a loudspeaker|electrical|sound
a pair of headphones|electrical|sound
a solar panel|light|electrical
a solar calculator cell|light|electrical
a wind turbine|motion|electrical
a bicycle dynamo|motion|electrical
a generator in a dam|motion|electrical
a hand-crank generator|motion|electrical
a microphone|sound|electrical
a gasoline engine|chemical|motion
a running horse|chemical|motion
a rower's arm|chemical|motion
a campfire|chemical|heat
a gas stove|chemical|heat
a charcoal grill|chemical|heat
a chemical hand warmer|chemical|heat
a battery|chemical|electrical
a hydrogen fuel cell|chemical|electrical
a leaf|light|chemical
a field of wheat|light|chemical
a drum being struck|motion|sound
a clapping hand|motion|sound
a bell being rung|motion|sound
brakes on a bus|motion|heat
two hands rubbed together|motion|heat
sandpaper on a board|motion|heat
""")
_ENERGY = {device: (source, result) for device, source, result in DEVICES}


class DeviceEnergy(Science):
    """A change of energy in two steps: which pair of things makes it."""

    name = "device_energy"
    templates = weave(
        (
            "{name} needs an example of energy that changes form for {teacher}'s class.",
            "At the energy fair in {place}, each table shows one change of energy.",
            "{name} and {friend} collect examples of changes in energy around {place}.",
            "A quiz at {place} asks {name} about the main change of energy in everyday things.",
        ),
        (
            "Which of these mainly changes {one} energy into {two} energy?",
            "In which of these is {one} energy mainly turned into {two} energy?",
            "Which one takes in {one} energy and gives off mainly {two} energy?",
        ),
    )

    def facts(self, rng: Random) -> Facts:
        right = rng.choice(list(_ENERGY))
        one, two = _ENERGY[right]
        wrong = [thing for thing in _ENERGY if _ENERGY[thing] != (one, two)]
        close = [thing for thing in wrong if one in _ENERGY[thing] or two in _ENERGY[thing]]
        told: dict[str, Any] = {"name": person(rng)["name"], "friend": person(rng)["name"], "teacher": teacher(rng)}
        told |= {"place": place(rng, "School", "Hall", "Village"), "one": one, "two": two}
        return told | {"choices": offer(right, close, rng)}

    def solve(self, facts: Facts) -> str:
        return str(only(choice for choice in facts["choices"] if _ENERGY[choice] == (facts["one"], facts["two"])))

    def check(self, facts: Facts, answer: str) -> bool:
        gives = {device for device, _, result in DEVICES if result == facts["two"]}
        takes = {device for device, source, _ in DEVICES if source == facts["one"]}
        return answer in gives & takes

    def solution(self, facts: Facts) -> str:
        told = [f"{thing}, {' to '.join(_ENERGY[thing])}" for thing in facts["choices"]]
        return f"The main change in each: {'; '.join(sorted(told))}.\nThe one asked for is {self.solve(facts)}."


class StringPitch(Science):
    """Four strings differ in one property: which sounds highest or lowest."""

    name = "string_pitch"
    # property: unit, range, whether more of it makes the pitch higher
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

    def solution(self, facts: Facts) -> str:
        rule = {
            "length": "The shorter a string, the faster it vibrates and the higher it sounds.",
            "tension": "The tighter a string, the faster it vibrates and the higher it sounds.",
            "thickness": "The thinner a string, the faster it vibrates and the higher it sounds.",
        }[facts["property"]]
        return f"{rule}\nThe {facts['pitch']} note comes from {self.solve(facts)}."
