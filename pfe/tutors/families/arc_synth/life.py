"""Bodies and heredity: crosses, parents, organ systems, animal groups.

Example: "In guinea pigs, R stands for the dominant allele for rough coats and r for the recessive allele for smooth
coats. A parent with Rr and a parent with rr have 36 offspring over the years. About how many of the offspring are
expected to have smooth coats?" Right: "18". Wrong: "0", "9", "27".
"""

from fractions import Fraction
from itertools import product
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
    teacher,
    unlisted,
    upper,
    weave,
    words,
)
from pfe.tutors.family import Facts

# organism, letter, dominant form, recessive form
TRAITS = rows("""
pea plants|T|tall stems|short stems
pea plants|P|purple flowers|white flowers
pea plants|R|round seeds|wrinkled seeds
pea plants|G|green pods|yellow pods
pea plants|A|flowers along the stem|flowers at the tip
tomato plants|R|red fruit|yellow fruit
tomato plants|D|tall growth|dwarf growth
corn plants|P|purple kernels|yellow kernels
squash plants|W|white fruit|yellow fruit
guinea pigs|B|black fur|white fur
guinea pigs|H|short hair|long hair
guinea pigs|R|rough coats|smooth coats
rabbits|F|short fur|long fur
mice|B|black fur|brown fur
Labrador dogs|B|black coats|chocolate coats
house cats|L|short hair|long hair
cattle|N|hornless heads|heads with horns
sheep|W|white wool|black wool
fruit flies|V|long wings|stubby wings
fruit flies|E|gray bodies|black bodies
parakeets|G|green feathers|blue feathers
chickens|R|rose combs|single combs
""")
_ALLELES = (
    "{name} reads that in {organisms} the allele for {dominant} ({D}) is dominant over the allele for {recessive} "
    "({d}).",
    "In {organisms}, {D} stands for the dominant allele for {dominant} and {d} for the recessive allele for "
    "{recessive}.",
    "A breeder at {place} keeps {organisms}. The dominant allele {D} gives {dominant}, and the recessive allele {d} "
    "gives "
    "{recessive}.",
)


def _trait(rng: Random) -> dict[str, Any]:
    organisms, letter, dominant, recessive = rng.choice(TRAITS)
    where = place(rng, "Farm", "Meadow", "Hill", "Acres", "Grove")
    forms = {"dominant": dominant, "recessive": recessive, "D": letter, "d": letter.lower()}
    return {"organisms": organisms, "name": person(rng)["name"], "place": where} | forms


class CrossOdds(Science):
    """Two known genotypes are crossed: how many of the offspring, or what share, show a form."""

    name = "cross_odds"
    _asked = ("have {dominant}", "have {recessive}", "carry two different alleles", "carry two {d} alleles")
    templates = weave(
        _ALLELES,
        (
            "A parent with the genotype {one} and a parent with the genotype {two} have {n:d} offspring over the "
            "years. "
            "About how many of the offspring are expected to {asked}?",
            "A cross of {one} with {two} gives {n:d} offspring. What number of them would you expect to {asked}?",
            "When {one} and {two} are crossed and {n:d} offspring are counted, about how many should {asked}?",
            "Out of {n:d} offspring of a cross between {one} and {two}, about how many will {asked}?",
        ),
    )

    def facts(self, rng: Random) -> Facts:
        trait = _trait(rng)
        big, small = trait["D"], trait["d"]
        genotypes = (big + big, big + small, small + small)
        asked = rng.choice(self._asked).format(**trait)
        n = 4 * rng.randint(3, 150)
        told = trait | {"one": rng.choice(genotypes), "two": rng.choice(genotypes), "asked": asked, "n": n}
        return told | {"choices": offer(self.solve(told), [str(n * k // 4) for k in range(5)], rng)}

    def solve(self, facts: Facts) -> str:
        offspring = ["".join(sorted(pair)) for pair in product(facts["one"], facts["two"])]
        asked, big, small = facts["asked"], facts["D"], facts["d"]
        if asked == f"have {facts['dominant']}":
            fitting = sum(big in pair for pair in offspring)
        elif asked == "carry two different alleles":
            fitting = offspring.count(big + small)
        else:
            fitting = offspring.count(small + small)
        return str(facts["n"] * fitting // 4)

    def check(self, facts: Facts, answer: str) -> bool:
        p, q = (Fraction(facts[parent].count(facts["d"]), 2) for parent in ("one", "two"))
        share = p * q
        if facts["asked"] == f"have {facts['dominant']}":
            share = 1 - p * q
        elif facts["asked"] == "carry two different alleles":
            share = p * (1 - q) + q * (1 - p)
        return answer.isdecimal() and Fraction(int(answer), facts["n"]) == share

    def solution(self, facts: Facts) -> str:
        pairs = ", ".join("".join(sorted(pair)) for pair in product(facts["one"], facts["two"]))
        share = Fraction(int(self.solve(facts)), facts["n"])
        return (
            f"The four equally likely offspring of {facts['one']} and {facts['two']} are {pairs}.\n"
            f"The share that will {facts['asked']} is {share}, and {share} of {facts['n']} is {self.solve(facts)}."
        )


class HiddenParents(Science):
    """The look of parents and offspring is told: which genotypes the parents must have."""

    name = "hidden_parents"
    templates = weave(
        _ALLELES,
        (
            "One parent has {look1} and the other has {look2}. Of their {n:d} offspring, {k:d} have {recessive} and "
            "the "
            "others have {dominant}.",
            "Two parents, one with {look1} and one with {look2}, have {n:d} offspring, and {k:d} of these have "
            "{recessive} "
            "while the remaining ones have {dominant}.",
        ),
        (
            "Which are most likely the genotypes of the parents?",
            "What were the alleles of the two parents, most likely?",
            "Which pair of parents best explains these numbers?",
        ),
    )

    def facts(self, rng: Random) -> Facts:
        trait, n = _trait(rng), 4 * rng.randint(12, 100)
        quarters, looks = rng.choice(((1, "DD"), (2, "DR"), (0, "DR"), (1, "DD"), (2, "RD")))
        wobble = rng.randint(-n // 30, n // 30) if quarters else 0
        look1, look2 = (trait["dominant"] if look == "D" else trait["recessive"] for look in looks)
        told = trait | {"look1": look1, "look2": look2, "n": n, "k": n * quarters // 4 + wobble}
        return told | {"choices": offer(self.solve(told), self._pairs(told), rng)}

    def solve(self, facts: Facts) -> str:
        big, small = facts["D"], facts["d"]
        looks = sorted((facts["look1"] == facts["recessive"], facts["look2"] == facts["recessive"]))
        if facts["k"] == 0:
            return f"{big}{big} and {small}{small}"
        return f"{big}{small} and {small}{small}" if looks[1] else f"{big}{small} and {big}{small}"

    def check(self, facts: Facts, answer: str) -> bool:
        parents = answer.split(" and ")
        shown = sorted(facts["dominant"] if facts["D"] in parent else facts["recessive"] for parent in parents)
        expected = facts["n"] * parents[0].count(facts["d"]) * parents[1].count(facts["d"]) / 4
        return shown == sorted((facts["look1"], facts["look2"])) and abs(expected - facts["k"]) < facts["n"] / 10

    def solution(self, facts: Facts) -> str:
        quarters = round(4 * facts["k"] / facts["n"])
        share = {0: "none", 1: "about one fourth", 2: "about half"}[quarters]
        means = (
            f"the parent with {facts['dominant']} has no {facts['d']} to pass on"
            if quarters == 0
            else (f"each parent must be able to pass on {facts['d']}")
        )
        return (
            f"{upper(share)} of the {facts['n']} offspring show the recessive form, {facts['recessive']}, so {means}.\n"
            f"With the looks of the parents this fits {self.solve(facts)}."
        )

    @staticmethod
    def _pairs(facts: Facts) -> list[str]:
        big, small = facts["D"], facts["d"]
        both, mixed, none = big + big, big + small, small + small
        return [
            f"{one} and {two}"
            for one, two in ((both, none), (mixed, none), (mixed, mixed), (both, both), (both, mixed))
        ]


SYSTEMS = grouped("""
digestive|the stomach churns a sandwich into a thick soup|bile is mixed with fat from a meal|bread is broken down into sugar|food is squeezed along a long tube toward the stomach|nutrients pass through the wall of the small intestine|leftover food has its water taken back in the large intestine|chewed apple is softened with saliva
circulatory|sugar is carried from the intestine to the legs|oxygen is delivered to a finger|blood is pumped faster through the arteries|carbon dioxide is carried from the muscles to the lungs|warm blood is moved to the skin
respiratory|oxygen is drawn in from the air|carbon dioxide is breathed out|air is pulled down the windpipe|the lungs fill with fresh air|air is warmed on its way to tiny air sacs
nervous|a message from the eye reaches the brain|a hand is told to let go of a hot pan|a new song is stored in memory|the smell of smoke is noticed|signals race along the spinal cord|the sound of a whistle is recognized
muscular|the arm is pulled up by contracting tissue|the jaw is pulled shut|tissue in the legs contracts with each step|the corners of the mouth are pulled into a smile|an eyelid is pulled down in a wink
skeletal|the brain is shielded by a hard case|the body is held upright by a stiff frame|the heart and lungs are guarded by a hard cage|calcium is stored in hard tissue|a stiff frame keeps the body in shape
excretory|urea is filtered out of the blood|urine is collected in the bladder|extra water and salt are removed from the blood|the kidneys clean the blood|liquid waste is passed out of the body
immune|bacteria in a cut are surrounded and destroyed|antibodies are made against a virus|white cells attack a germ|germs met once before are recognized and killed
endocrine|a gland releases the hormone insulin|growth is controlled by a hormone|glands release adrenaline after a scare|hormones from a gland start a growth spurt
""")  # noqa: E501
_SYSTEM = kinds(SYSTEMS)


class BodySystems(Science):
    """Two things happen in a body: which two organ systems do them, in that order."""

    name = "body_systems"
    templates = weave(
        (
            "While {name} {does}, two of the many things that happen in {his} body are these: {one}, and {two}.",
            "One {day}, {name} {does}. Inside {his} body, {one}. At about the same time, {two}.",
            "{teacher} asks the class to think of {name}, who {does}. First, {one}. Second, {two}.",
        ),
        (
            "Which systems, in this order, are mainly at work?",
            "Name the two body systems that do this, in the same order.",
            "Which two organ systems carry out these two jobs, in the order given?",
            "Which answer lists the systems responsible, first one and then the other?",
        ),
    )
    _doings: ClassVar = words("""
plays soccer|rests after lunch|climbs a hill|waits for the bus|walks home from school|practices the drums|rakes
leaves|helps in the kitchen|rides a bicycle|gets over a cold|washes the dishes|looks after a puppy|plays chess|
paddles a canoe|reads on the sofa|sweeps the porch|sings in the choir|builds a sand castle|sets up a tent|
watches a ball game|sorts old toys|picks berries
""")
    _days: ClassVar = words("morning afternoon evening Monday Tuesday Wednesday Thursday Friday Saturday Sunday")

    def facts(self, rng: Random) -> Facts:
        first, second = rng.sample(list(SYSTEMS), 2)
        one, two = rng.choice(SYSTEMS[first]), rng.choice(SYSTEMS[second])
        others = [name for name in SYSTEMS if name not in (first, second)]
        wrong = [
            (second, first),
            (first, rng.choice(others)),
            (rng.choice(others), second),
            tuple(rng.sample(others, 2)),
        ]
        named = [self._named(*pair) for pair in wrong]
        scene = {"does": rng.choice(self._doings), "day": rng.choice(self._days), "teacher": teacher(rng)}
        return person(rng) | scene | {"one": one, "two": two, "choices": offer(self._named(first, second), named, rng)}

    def solve(self, facts: Facts) -> str:
        return self._named(_SYSTEM[facts["one"]], _SYSTEM[facts["two"]])

    def check(self, facts: Facts, answer: str) -> bool:
        first, second = answer.removesuffix(" system").split(" system, then the ")
        return facts["one"] in SYSTEMS[first.removeprefix("the ")] and facts["two"] in SYSTEMS[second]

    def solution(self, facts: Facts) -> str:
        first, second = _SYSTEM[facts["one"]], _SYSTEM[facts["two"]]
        return (
            f'"{upper(facts["one"])}" is the work of the {first} system.\n'
            f'"{upper(facts["two"])}" is the work of the {second} system.'
        )

    @staticmethod
    def _named(first: str, second: str) -> str:
        return f"the {first} system, then the {second} system"


ANIMALS = grouped("""
mammals|bats|whales|dolphins|seals|moose|hedgehogs|kangaroos|mice|squirrels|otters|beavers|manatees|opossums|moles|porcupines
birds|penguins|ostriches|owls|ducks|hummingbirds|parrots|eagles|kiwis|swans|crows|pelicans|woodpeckers|flamingos|puffins
reptiles|lizards|snakes|turtles|crocodiles|geckos|iguanas|tortoises|alligators|chameleons
amphibians|frogs|toads|salamanders|newts
fish|salmon|sharks|seahorses|eels|trout|tuna|stingrays|catfish|cod|perch
insects|ants|beetles|butterflies|dragonflies|grasshoppers|honeybees|mosquitoes|termites|moths|ladybugs|crickets
arachnids|spiders|scorpions|ticks|mites
crustaceans|crabs|lobsters|shrimp|crayfish|barnacles
mollusks|snails|clams|squids|octopuses|slugs|oysters|mussels
""")
_GROUP = kinds(ANIMALS)
FEATURES = grouped("""
mammals|feeds its newborn young with milk|has a coat of hair
birds|has a beak and is covered with feathers|has feathers and lays eggs with hard shells
reptiles|has dry, scaly skin and breathes only with lungs|lays leathery eggs on land and has dry, scaly skin
amphibians|breathes with gills when young and mostly with lungs as an adult|has moist skin and lays soft eggs in water
fish|has a backbone and breathes with gills all its life|has a bony skeleton, fins, and gills its whole life
insects|has six jointed legs and three main body parts|has two antennae and six jointed legs
arachnids|has eight jointed legs and no antennae|has eight jointed legs and two main body parts
crustaceans|has ten jointed legs and two pairs of antennae|has a hard shell, two pairs of antennae, and jointed legs
mollusks|has a soft body, no legs, and a shell it makes itself|has a soft body with a muscular foot and no skeleton
""")
_FEATURE = kinds(FEATURES)
# the usual length of a member in centimeters
_LENGTHS = {"insects": (1, 9), "arachnids": (1, 12), "crustaceans": (3, 30), "mollusks": (2, 30), "amphibians": (4, 25)}


class AnimalGroup(Science):
    """Animals are sorted by their scientific group: which one belongs on the pile."""

    name = "animal_group"
    templates = weave(
        (
            "{name} sorts picture cards by the scientific groups of animals.",
            "At {place}, visitors sort models of animals into scientific groups.",
            "For {teacher}'s class, {name} arranges animal photographs by scientific group.",
            "The shelves in {place} hold animal models, one scientific group to a shelf.",
        ),
        (
            "One group already holds {same}. Which of these belongs with them?",
            "In one group there are {same}. Which animals should be added to it?",
            "So far, one group contains {same}. What else goes there?",
            "{same_} have been put together. Which animals are in the same group?",
        ),
    )

    def facts(self, rng: Random) -> Facts:
        group, *others = rng.sample(list(ANIMALS), 4)
        right, *same = rng.sample(ANIMALS[group], 4)
        where = place(rng, "Museum", "Nature Center", "Library", "Discovery Hall")
        told: dict[str, Any] = {
            "name": person(rng)["name"],
            "teacher": teacher(rng),
            "place": where,
            "same": tuple(same),
        }
        return told | {"choices": offer(right, [rng.choice(ANIMALS[other]) for other in others], rng)}

    def wording(self, facts: Facts, rng: Random) -> Facts:
        same = listed(facts["same"])
        return {**facts, "same": same, "same_": upper(same)}

    def meaning(self, slots: dict[str, Any]) -> dict[str, Any]:
        same = unlisted(slots.get("same") or slots["same_"].lower())
        return {**slots, "same": tuple(same)}

    def solve(self, facts: Facts) -> str:
        group = only({_GROUP[animal] for animal in facts["same"]})
        return str(only(choice for choice in facts["choices"] if choice in ANIMALS[group]))

    def check(self, facts: Facts, answer: str) -> bool:
        return all(_GROUP[answer] == _GROUP[animal] for animal in facts["same"])

    def solution(self, facts: Facts) -> str:
        right = self.solve(facts)
        same, group = upper(listed(facts["same"])), _GROUP[right]
        return f"{same} are {group}.\nOf the choices, only {right} are {group} too."


class GroupFromFeatures(Science):
    """An unknown animal is described: its group."""

    name = "group_from_features"
    _colors: ClassVar = words("brown gray greenish reddish blackish spotted striped pale sandy mottled")
    templates = weave(
        (
            "At {place}, {name} finds a {color} animal about {n:d} cm long that {he} has never seen before.",
            "A ranger at {place} shows {name} a {color} animal. It is about {n:d} cm long.",
            "While camping near {place}, {name} photographs a {color} animal roughly {n:d} cm in length.",
            "{name} keeps notes on a {color} animal, {n:d} cm long, that was caught and released at {place}.",
        ),
        (
            "It {feature}. To which group does it most likely belong?",
            "A close look shows that it {feature}. Which animals are its closest relatives?",
            "According to an expert, it {feature}. Among which animals should it be classified?",
        ),
    )

    def facts(self, rng: Random) -> Facts:
        group = rng.choice(list(FEATURES))
        where = place(rng, "Creek", "Marsh", "Cove", "Woods", "Bay", "Swamp")
        told = {"place": where, "color": rng.choice(self._colors), "n": rng.randint(*_LENGTHS.get(group, (9, 60)))}
        choices = offer(self._named(group, rng), [self._named(other, rng) for other in FEATURES if other != group], rng)
        return person(rng) | told | {"feature": rng.choice(FEATURES[group]), "choices": choices}

    def solve(self, facts: Facts) -> str:
        group = _FEATURE[facts["feature"]]
        return str(only(choice for choice in facts["choices"] if choice.startswith(group)))

    def check(self, facts: Facts, answer: str) -> bool:
        example = answer.partition(", such as ")[2]
        return facts["feature"] in FEATURES[_GROUP[example]]

    def solution(self, facts: Facts) -> str:
        group = _FEATURE[facts["feature"]]
        return f"An animal that {facts['feature']} is one of the {group}.\nThe right choice is {self.solve(facts)}."

    @staticmethod
    def _named(group: str, rng: Random) -> str:
        return f"{group}, such as {rng.choice(ANIMALS[group])}"
