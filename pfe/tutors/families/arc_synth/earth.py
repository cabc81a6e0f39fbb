"""Science questions about the relative age of fossils in layers of rock.

Example: "On a canyon wall near Flint Mesa, a class sees four undisturbed layers. From top to bottom they are sandstone
with horse teeth, shale with shells, limestone with corals, and chalk with fish scales. Which fossils are the oldest?"
Correct: "fish scales". Incorrect: "horse teeth", "shells", "corals".
"""

from random import Random
from typing import Any, ClassVar

from pfe.tutors.families.arc_synth.base import (
    Science,
    listed,
    person,
    place,
    teacher,
    unlisted,
    weave,
    words,
)
from pfe.tutors.family import Draft, Facts

ROCKS = words("sandstone shale limestone chalk siltstone mudstone conglomerate")
FOSSILS = words("""
corals|sea urchins|clam shells|sea lilies|shark teeth|squid beaks|scallop shells|horse teeth|beetle wings|tree stumps|
camel bones|lizard skulls|rodent jaws|pine cones
""")


class RockLayers(Science):
    """Four undisturbed rock layers with fossils: which are oldest, youngest, second oldest or second youngest."""

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

    def solution(self, facts: Facts, draft: Draft) -> str:
        order = ", ".join(fossil for _, fossil in facts["layers"])
        return (
            f"In undisturbed rock, lower layers are older.\nFrom oldest to youngest: {order}. So: {self.solve(facts)}."
        )
