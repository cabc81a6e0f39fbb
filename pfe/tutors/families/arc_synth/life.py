"""Science questions about heredity: crosses of two parents.

Example: "In guinea pigs, R stands for the dominant allele for rough coats and r for the recessive allele for smooth
coats. A parent with Rr and a parent with rr have 36 offspring over the years. About how many of the offspring are
expected to have smooth coats?" Correct: "18". Incorrect: "0", "9", "27".
"""

from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

from pfe.tutors.families.arc_synth.base import (
    Science,
    offer,
    person,
    place,
    rows,
    weave,
)
from pfe.tutors.family import Draft, Facts

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
    """A cross of two known genotypes: how many offspring are expected to have a form or a genotype."""

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

    def solution(self, facts: Facts, draft: Draft) -> str:
        pairs = ", ".join("".join(sorted(pair)) for pair in product(facts["one"], facts["two"]))
        share = Fraction(int(self.solve(facts)), facts["n"])
        return (
            f"The four equally likely offspring of {facts['one']} and {facts['two']} are {pairs}.\n"
            f"The share that will {facts['asked']} is {share}, and {share} of {facts['n']} is {self.solve(facts)}."
        )
