"""Science questions about food chains: effects of a population change, and roles in the chain.

Example: "Near Heron Ridge lies a prairie where toads eat grasshoppers, hawks eat garter snakes, garter snakes eat
toads, and grasshoppers eat grasses. A disease kills most of the toads. Which change is most likely to follow?"
Correct: "The number of grasshoppers will increase." Incorrect: "The number of hawks will increase."
"""

from itertools import pairwise
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
    shuffled,
    teacher,
    unlisted,
    upper,
    weave,
)
from pfe.tutors.family import Draft, Facts, unfill


def _webs(text: str) -> dict[str, dict[str, list[str]]]:
    """Map each habitat to its food web (eaten to eaters), from blocks of `eaten > eater, eater; ...`."""
    webs = {}
    for block in text.strip().split("\n\n"):
        habitat, _, body = block.partition("\n")
        links = [link.split(" > ") for link in body.replace("\n", " ").split("; ")]
        webs[habitat] = {eaten: eaters.split(", ") for eaten, eaters in links}
    return webs


WEBS = _webs("""
a prairie
grasses > grasshoppers, voles, rabbits; clover plants > rabbits, voles; grasshoppers > toads, meadowlarks;
toads > garter snakes; voles > weasels, garter snakes; garter snakes > hawks; meadowlarks > hawks; weasels > owls;
rabbits > coyotes

a pond
algae > water fleas, tadpoles, mosquito larvae; water fleas > minnows; mosquito larvae > minnows, dragonfly nymphs;
tadpoles > diving beetles; diving beetles > perch; dragonfly nymphs > perch, bullfrogs; minnows > perch;
perch > pike, herons; pike > ospreys; bullfrogs > herons

a kelp forest
kelp plants > sea urchins, abalones; sea urchins > sea otters; abalones > sea otters, octopuses;
octopuses > moray eels; sea otters > orcas

a cold bay
tiny drifting algae > krill, copepods; krill > herring; copepods > herring, sand lances; herring > seals, puffins;
sand lances > puffins; seals > orcas; puffins > sea eagles

an oak forest
oak trees > caterpillars, leaf beetles, squirrels; caterpillars > chickadees, wood spiders; leaf beetles > wood spiders;
wood spiders > wrens; wrens > small hawks; chickadees > small hawks; squirrels > martens; martens > eagles

a stretch of tundra
sedges > lemmings; dwarf willows > arctic hares, ptarmigans; lemmings > ermines, arctic foxes; ermines > snowy owls;
arctic hares > arctic foxes; arctic foxes > wolves; ptarmigans > arctic foxes

a desert
mesquite shrubs > kangaroo rats, termites; desert grasses > harvester ants, kangaroo rats;
harvester ants > horned lizards; termites > geckos; geckos > desert snakes; horned lizards > roadrunners;
kangaroo rats > rattlesnakes, kit foxes;
rattlesnakes > red-tailed hawks; roadrunners > bobcats; desert snakes > roadrunners; kit foxes > golden eagles

a savanna
savanna grasses > termites, hares; termites > mongooses, aardvarks; hares > servals; mongooses > martial eagles;
aardvarks > leopards; servals > leopards

a salt marsh
cordgrass plants > periwinkle snails, marsh crabs; periwinkle snails > blue crabs; marsh crabs > blue crabs, rails;
blue crabs > raccoons; rails > harriers; raccoons > alligators

a mountain stream
diatoms > mayfly nymphs, caddisfly larvae; mayfly nymphs > stonefly nymphs, trout; caddisfly larvae > sculpins;
stonefly nymphs > sculpins; sculpins > trout, kingfishers; trout > ospreys, mink

a vegetable garden
lettuce plants > slugs; cabbage plants > caterpillars, slugs; bean plants > aphids; slugs > ground beetles;
caterpillars > wrens, ground beetles; ground beetles > shrews; shrews > owls; aphids > ladybugs; ladybugs > spiders;
spiders > wrens; wrens > cats

a rice field
rice plants > planthoppers, grasshoppers; planthoppers > spiders; grasshoppers > frogs; spiders > frogs;
frogs > water snakes; water snakes > eagles
""")


def _chains(web: dict[str, list[str]]) -> list[list[str]]:
    """Return the food chains of four or five members that begin with a member that eats nothing in the web."""
    eaters = {eater for found in web.values() for eater in found}
    growing = [[plant] for plant in web if plant not in eaters]
    found = []
    while growing:
        chain = growing.pop()
        found += [chain] if len(chain) in (4, 5) else []
        growing += [[*chain, eater] for eater in web.get(chain[-1], []) if len(chain) < 5]
    return found


CHAINS = {habitat: _chains(web) for habitat, web in WEBS.items()}


class FoodChain(Science):
    """A question about a food chain; the text states the links of the chain in random order."""

    def chain(self, rng: Random) -> dict[str, Any]:
        habitat = rng.choice(list(CHAINS))
        where = place(rng, "Ridge", "Point", "Bay", "Crossing", "Bend", "Station")
        return {"habitat": habitat, "place": where, "chain": tuple(rng.choice(CHAINS[habitat]))}

    def wording(self, facts: Facts, rng: Random) -> Facts:
        links = [f"{eater} eat {eaten}" for eaten, eater in pairwise(facts["chain"])]
        return {**facts, "links": listed(shuffled(links, rng))}

    def meaning(self, slots: dict[str, Any]) -> dict[str, Any]:
        eater_of = {}
        for link in unlisted(slots["links"]):
            eater, eaten = link.split(" eat ")
            eater_of[eaten] = eater
        chain = [only(eaten for eaten in eater_of if eaten not in eater_of.values())]
        while chain[-1] in eater_of:
            chain.append(eater_of[chain[-1]])
        return {**slots, "chain": tuple(chain)}


class PopulationChange(FoodChain):
    """A change in the number of one member of a food chain: how the number of another member changes."""

    name = "population_change"
    templates = weave(
        (
            "Near {place} lies {habitat} where {links}.",
            "{name} draws a food chain for {habitat} near {place}. In it, {links}.",
            "Rangers at {place} study the feeding habits in {habitat}. They find that {links}.",
            "A sign at {place} describes life in {habitat}: {links}.",
        ),
        (
            "{event} Which change is most likely to follow?",
            "{event} What will most likely happen next in this food chain?",
            "One year, a surprise: {event} Which prediction fits the food chain best?",
            "{event} Which effect on the food chain should be expected?",
        ),
    )
    events: ClassVar = {
        -1: (
            "A disease kills most of the {x}.",
            "Unusual weather kills many of the {x}.",
            "People remove nearly all of the {x}.",
            "A chemical spill harms the {x} and only a few are left.",
        ),
        1: (
            "Conditions are perfect for the {x}, and their number doubles.",
            "A large number of {x} is brought in from another area.",
            "For two years the {x} multiply much faster than usual.",
        ),
    }
    statements: ClassVar = {
        1: "The number of {x} will increase.",
        -1: "The number of {x} will decrease.",
        0: "The number of {x} will stay exactly the same.",
    }

    def facts(self, rng: Random) -> Facts:
        told = self.chain(rng)
        place, sign = rng.randrange(len(told["chain"])), rng.choice((-1, 1))
        changed = told["chain"][place]
        signs = {x: self._effect(told["chain"], changed, sign, x) for x in told["chain"] if x != changed}
        right = rng.choice([self.statements[up].format(x=x) for x, up in signs.items()])
        wrong = [self.statements[-up].format(x=x) for x, up in signs.items()]
        wrong += [self.statements[0].format(x=x) for x in rng.sample(list(signs), 1)]
        return told | {
            "name": person(rng)["name"], "changed": changed, "sign": sign, "choices": offer(right, wrong, rng),
        }  # fmt: skip

    def wording(self, facts: Facts, rng: Random) -> Facts:
        event = rng.choice(self.events[facts["sign"]]).format(x=facts["changed"])
        return {**super().wording(facts, rng), "event": event}

    def meaning(self, slots: dict[str, Any]) -> dict[str, Any]:
        for sign, events in self.events.items():
            for event in events:
                try:
                    changed = unfill(event, slots["event"])["x"]
                except ValueError:
                    continue
                return super().meaning(slots) | {"changed": changed, "sign": sign}
        raise ValueError(f"no event of this family: {slots['event']}")

    def solve(self, facts: Facts) -> str:
        signs = {x: self._effect(facts["chain"], facts["changed"], facts["sign"], x) for x in facts["chain"]}
        true = {self.statements[up].format(x=x) for x, up in signs.items()}
        return str(only(choice for choice in facts["choices"] if choice in true))

    def check(self, facts: Facts, answer: str) -> bool:
        said = unfill("The number of {x} will {y}.", answer)
        other, up = said["x"], {"increase": 1, "decrease": -1}.get(said["y"], 0)
        members = list(facts["chain"])
        while members.index(other) < members.index(facts["changed"]):
            up, other = -up, members[members.index(other) + 1]
        return bool(up == facts["sign"])

    def solution(self, facts: Facts, draft: Draft) -> str:
        chain = facts["chain"]
        arrows = " → ".join(chain)
        more = "more" if facts["sign"] > 0 else "fewer"
        fed = f"The {facts['changed']} and all that depend on them for food go the same way"
        below = "" if chain[0] == facts["changed"] else "; each member below changes the opposite way to its eater"
        return f"The chain is {arrows}, and there are {more} {facts['changed']}. {fed}{below}.\n{self.solve(facts)}"

    @staticmethod
    def _effect(chain: tuple[str, ...], changed: str, sign: int, x: str) -> int:
        below = chain.index(changed) - chain.index(x)
        return int(sign * (-1) ** max(below, 0))


class FoodRole(FoodChain):
    """A role in a food chain: which member is the producer, first or second consumer, or top predator."""

    name = "food_role"
    templates = weave(
        (
            "In {habitat} near {place}, {links}.",
            "{name} watches animals in {habitat} at {place} and notes that {links}.",
            "A poster about {habitat} near {place} shows that {links}.",
            "{teacher} tells the class about {habitat} by {place}, where {links}.",
        ),
        ("{question}",),
    )
    questions: ClassVar = grouped("""
0|Which of these is the producer?|Which of these makes its own food with energy from sunlight?|Where is the largest amount of energy stored in this food chain?|Which organisms here carry out photosynthesis?
1|Which of these are primary consumers?|Which of these are herbivores in this chain?|Which of these get their energy directly from the producers?
2|Which of these are secondary consumers?|Which of these are the first meat eaters in the chain?|Which of these get energy by feeding on herbivores?
-1|Which of these are not eaten by any other animal in the chain?|Which of these are the top predators of the chain?|Which of these receive the smallest share of the energy that the producers captured?
""")  # noqa: E501
    _level: ClassVar = kinds(questions)

    def facts(self, rng: Random) -> Facts:
        told = self.chain(rng)
        chain, level = told["chain"], rng.choice(list(self.questions))
        right = chain[int(level)]
        names = {"name": person(rng)["name"], "teacher": teacher(rng)}
        return told | names | {"question": rng.choice(self.questions[level]), "choices": offer(right, chain, rng)}

    def solve(self, facts: Facts) -> str:
        return str(facts["chain"][int(self._level[facts["question"]])])

    def check(self, facts: Facts, answer: str) -> bool:
        eaters = dict(pairwise(facts["chain"]))
        steps, member = 0, only(set(eaters) - set(eaters.values()))
        while member != answer:
            steps, member = steps + 1, eaters[member]
        role = self._level[facts["question"]]
        return answer not in eaters if role == "-1" else steps == int(role)

    def solution(self, facts: Facts, draft: Draft) -> str:
        chain, role = facts["chain"], self._level[facts["question"]]
        parts = {"0": "the producer", "1": "the first consumer", "2": "the second consumer", "-1": "the top predator"}
        path = " → ".join(chain)
        return f"Put in order, energy passes {path}.\n{upper(self.solve(facts))}: {parts[role]} of this chain."
