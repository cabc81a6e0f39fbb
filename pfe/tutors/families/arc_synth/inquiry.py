"""Science questions about experiments: variables of a fair test, and conclusions from data.

Example: "Dante studies how the amount of yeast affects the height of the bread. The results are as follows: 8 cm at 2
grams; 12 cm at 4 grams; 17 cm at 6 grams; 14 cm at 8 grams; 10 cm at 10 grams. Which conclusion do these data support?"
Correct: "As the amount of yeast goes up, the height of the bread first goes up and then goes down."
"""

from itertools import pairwise
from random import Random
from typing import Any, ClassVar

from pfe.tutors.families.arc_synth.base import (
    Science,
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

# test objects, measured outcome, then variables that could be changed
STUDIES = rows("""
bean plants|the height of each plant after three weeks|the amount of water|the hours of light each day|the type of soil|the amount of fertilizer|the size of the pot
paper airplanes|the distance each plane flies|the length of the wings|the kind of paper|the height of the launch|the number of paper clips on the nose|the force of the launch
cups of water|the time that sugar takes to dissolve|the temperature of the water|the amount of sugar|the speed of stirring|the amount of water|the size of the sugar grains
toy cars|the distance each car rolls past the ramp|the height of the ramp|the mass of the car|the surface of the floor|the length of the ramp|the kind of wheels
rubber balls|the height of the first bounce|the height of the drop|the kind of floor|the temperature of the ball|the size of the ball|the material of the ball
ice cubes|the time each cube takes to melt|the size of the cube|the temperature of the room|the kind of wrapping|the amount of salt on the cube|the material of the dish
pendulums|the time for ten swings|the length of the string|the mass of the bob|the starting angle|the thickness of the string|the shape of the bob
electromagnets|the number of pins each one picks up|the number of turns of wire|the voltage of the battery|the kind of metal core|the thickness of the wire|the length of the core
loaves of bread|the height of each loaf after baking|the amount of yeast|the temperature of the oven|the time the dough rests|the kind of flour|the amount of water
batches of seeds|the number of seeds that sprout|the temperature of the room|the depth of planting|the amount of water|the kind of seed|the hours of light each day
goldfish bowls|the number of breaths a fish takes in a minute|the temperature of the water|the size of the bowl|the amount of food|the number of fish in the bowl|the brightness of the light
parachutes|the time each one takes to fall|the area of the cloth|the length of the cords|the mass of the load|the kind of cloth|the height of the drop
paper towels|the amount of water each towel soaks up|the brand of towel|the size of the towel|the time in the water|the temperature of the water|the number of layers
wooden boats|the mass each boat carries before it sinks|the width of the boat|the length of the boat|the kind of wood|the height of the sides|the kind of water
samples of pond water|the number of living things seen in a drop|the depth of the sample|the time of day|the distance from the shore|the temperature of the water|the season
mealworms|the number of mealworms that move to one side|the brightness of the light|the dampness of the ground|the temperature of the box|the kind of food|the color of the floor
""")  # noqa: E501
_STUDY = {things: (measured, variables) for things, measured, *variables in STUDIES}


class FairTest(Science):
    """An experiment with an independent, a dependent, a controlled and an uncontrolled variable: which is which."""

    name = "fair_test"
    templates = weave(
        (
            "{name} plans an experiment with {things} at {place}. With {kept} kept the same, {name} changes {varied} "
            "from trial to trial and records {measured}, but pays no attention to {missed}.",
            "In a test with {things} at {place}, {name} changes {varied}, keeps {kept} the same, leaves {missed} to "
            "chance, and records {measured}.",
            "{name} at {place} records {measured} after changing {varied} in a test with {things}, and keeps {kept} "
            "the same but lets {missed} differ without a reason.",
        ),
        ("{question}",),
    )
    questions: ClassVar = {
        "Which is the independent variable?": "varied",
        "Which factor is changed on purpose?": "varied",
        "Which is the dependent variable?": "measured",
        "Which factor is expected to respond?": "measured",
        "Which is a controlled variable?": "kept",
        "Which factor is held constant?": "kept",
        "Which factor should be controlled, too?": "missed",
        "Which makes the test unfair?": "missed",
    }

    def facts(self, rng: Random) -> Facts:
        things = rng.choice(list(_STUDY))
        measured, variables = _STUDY[things]
        varied, kept, missed = rng.sample(variables, 3)
        told = {"name": person(rng)["name"], "place": place(rng, "School", "Camp", "Science Club"), "things": things}
        roles = {"measured": measured, "varied": varied, "kept": kept, "missed": missed}
        return told | roles | {"question": rng.choice(list(self.questions)), "choices": tuple(roles.values())}

    def solve(self, facts: Facts) -> str:
        return str(facts[self.questions[facts["question"]]])

    def check(self, facts: Facts, answer: str) -> bool:
        roles = {facts[role]: role for role in ("varied", "measured", "kept", "missed")}
        return roles.get(answer) == self.questions[facts["question"]]

    def solution(self, facts: Facts, draft: Draft) -> str:
        told = {
            "varied": "The independent variable is what is changed on purpose",
            "measured": "The dependent variable is what is recorded as the result",
            "kept": "A controlled variable is kept the same in every trial",
            "missed": "A test is fair when all but one variable is kept the same, and one was not",
        }[self.questions[facts["question"]]]
        return (
            f"Changed on purpose: {facts['varied']}. Recorded: {facts['measured']}. Kept the same: {facts['kept']}. "
            f"Left to chance: {facts['missed']}.\n{told}: {self.solve(facts)}."
        )


# independent variable, unit, first value, step; dependent variable, unit, lowest and highest value; possible shapes
MEASURES = rows("""
temperature of the water|°C|10|10|time for a tablet to dissolve|seconds|20|140|down
time in the light each day|hours|2|3|height of the seedlings|cm|3|34|up peak
amount of fertilizer|grams|0|5|number of tomatoes|tomatoes|4|48|up peak flat
height of the ramp|cm|10|15|distance the cart rolls|cm|30|290|up
number of turns of wire|turns|10|20|number of pins picked up|pins|2|39|up
depth of the lake|meters|2|4|temperature of the lake water|°C|4|26|down
amount of salt in the soil|grams|0|10|number of seeds that sprout|seeds|3|58|down flat
salt in each liter of water|grams|5|10|number of brine shrimp that hatch|shrimp|4|90|peak up
mass on the spring|grams|50|50|length of the spring|cm|8|42|up
age of the battery|months|0|6|brightness of the lamp|lux|40|400|down flat
distance from the lamp|cm|10|20|brightness on the screen|lux|30|480|down
speed of the fan|turns per minute|100|150|time for a shirt to dry|minutes|15|120|down
amount of yeast|grams|2|2|height of the bread|cm|4|19|up peak
length of the string|cm|20|20|time for ten swings|seconds|8|24|up
number of layers of cloth|layers|2|2|temperature of the tea after an hour|°C|20|72|up
mass of the pendulum bob|grams|20|20|time for ten swings|seconds|11|24|flat
number of coins in the toy truck|coins|0|4|time the truck takes to roll down a smooth ramp|tenths of a second|12|40|flat
loudness of the music|decibels|30|15|height of the bean plants|cm|8|30|flat
amount of water in the pot|liters|2|1|temperature at which the water boils|°C|97|100|flat
speed of the van|km per hour|20|25|fuel needed for 100 km|liters|6|27|dip
temperature of the milk|°C|15|10|time an enzyme takes to curdle a glass of milk|minutes|4|66|dip
temperature of the soil|°C|8|6|time until the seeds sprout|days|4|31|dip down
width of the cup's handle|mm|5|5|effort of lifting the cup|points|2|20|dip
water given each day|milliliters|20|30|number of leaves on the plant|leaves|4|52|up peak
number of fish in the tank|fish|2|3|oxygen in the tank water|milligrams per liter|2|14|down
width of the parachute|cm|20|10|time of the fall|tenths of a second|11|60|up
time since midnight|hours|8|3|temperature of the playground|°C|6|34|peak
temperature of the room|°C|8|6|number of times a cricket chirps in a minute|chirps|10|170|up peak
""")
SHAPES = {
    "up": "As the {x} goes up, the {y} goes up.",
    "down": "As the {x} goes up, the {y} goes down.",
    "peak": "As the {x} goes up, the {y} first goes up and then goes down.",
    "dip": "As the {x} goes up, the {y} first goes down and then goes up.",
    "flat": "The {x} has no effect on the {y}.",
}

# Patterns of the shape "flat": fluctuations of 1 that change direction more than once, so that no trend fits them.
_WOBBLES = ((0, 1, 0, 1, 0), (1, 0, 1, 0, 1), (1, 0, 1, 1, 0), (0, 1, 0, 0, 1), (1, 0, 0, 1, 0), (0, 1, 1, 0, 1))


class BestConclusion(Science):
    """A small table of results: which conclusion it supports."""

    name = "best_conclusion"
    templates = weave(
        (
            "{name} studies how the {x} affects the {y}.",
            "In an experiment at {place}, {name} measures the {y} for different values of the {x}.",
            "{teacher}'s class at {place} varies the {x} and records the {y}.",
        ),
        (
            "The results are as follows: {data}.",
            "These are the averages of {n:d} trials: {data}.",
            "The notes read: {data}.",
        ),
        (
            "Which conclusion do these data support?",
            "Which statement is the best conclusion from these results?",
            "What do the measurements show?",
        ),
    )
    row = "{value} at {step}"

    def facts(self, rng: Random) -> Facts:
        shape = rng.choice(list(SHAPES))
        x, x_unit, start, step, y, y_unit, low, high, _ = rng.choice(
            [row for row in MEASURES if shape in row[-1].split()]
        )
        steps = [int(start) + int(step) * i for i in range(5)]
        values = self._values(shape, int(low), int(high), rng)
        data = tuple((f"{value} {y_unit}", f"{at} {x_unit}") for value, at in zip(values, steps, strict=True))
        told: dict[str, Any] = {
            "name": person(rng)["name"],
            "teacher": teacher(rng),
            "place": place(rng, "School", "College", "Camp"),
        }
        told |= {"x": x, "y": y, "n": rng.randint(3, 9), "data": data}
        said = {kind: text.format(x=x, y=y) for kind, text in SHAPES.items()}
        return told | {"choices": offer(said[shape], said.values(), rng)}

    def wording(self, facts: Facts, rng: Random) -> Facts:
        return {**facts, "data": "; ".join(self.row.format(value=value, step=at) for value, at in facts["data"])}

    def meaning(self, slots: dict[str, Any]) -> dict[str, Any]:
        found = [unfill(self.row, row) for row in slots["data"].split("; ")]
        return {**slots, "data": tuple((row["value"], row["step"]) for row in found)}

    def solve(self, facts: Facts) -> str:
        values = [int(value.partition(" ")[0]) for value, _ in facts["data"]]
        rises = [after > before for before, after in pairwise(values)]
        if len(set(values)) <= 2 and max(values) - min(values) <= 1:
            shape = "flat"
        elif len(set(rises)) == 1:
            shape = "up" if rises[0] else "down"
        else:
            shape = "peak" if rises[0] else "dip"
        return SHAPES[shape].format(x=facts["x"], y=facts["y"])

    def check(self, facts: Facts, answer: str) -> bool:
        values = [int(value.partition(" ")[0]) for value, _ in facts["data"]]
        steady = max(values) - min(values) < 2
        top, bottom = values.index(max(values)), values.index(min(values))
        shape = only(shape for shape, said in SHAPES.items() if said.format(x=facts["x"], y=facts["y"]) == answer)
        if steady or shape == "flat":
            return steady and shape == "flat"
        fits = {"up": top == 4 and bottom == 0, "down": top == 0 and bottom == 4}
        inner = {"peak": top in (1, 2, 3), "dip": bottom in (1, 2, 3)}
        return (fits | inner)[shape]

    def solution(self, facts: Facts, draft: Draft) -> str:
        values = ", ".join(value.partition(" ")[0] for value, _ in facts["data"])
        return f"In order of the {facts['x']}, the values of the {facts['y']} are {values}.\n{self.solve(facts)}"

    @staticmethod
    def _values(shape: str, low: int, high: int, rng: Random) -> list[int]:
        if shape == "flat":
            level = rng.randint(low, high - 1)
            return [level + up for up in rng.choice(_WOBBLES)]
        drawn = sorted(rng.sample(range(low, high + 1, 2), 5))
        if shape in ("up", "down"):
            return drawn if shape == "up" else drawn[::-1]
        turn, rest = rng.choice((1, 2, 3)), shuffled(drawn[:-1] if shape == "peak" else drawn[1:], rng)
        left, right = sorted(rest[:turn]), sorted(rest[turn:], reverse=True)
        if shape == "peak":
            return [*left, drawn[-1], *right]
        return [*left[::-1], drawn[0], *right[::-1]]
