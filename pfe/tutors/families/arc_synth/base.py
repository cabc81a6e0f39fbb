"""The base class of the science families, and helpers for templates, tables, choices, pupils and places.

Example: `rows("copper wire|yes\\nwax candle|no")` is `[["copper wire", "yes"], ["wax candle", "no"]]`, `a("acorn")` is
`"an acorn"`, and `listed(["slate", "chalk", "flint"])` is `"slate, chalk, and flint"`.
"""

from collections.abc import Iterable, Sequence
from itertools import product
from random import Random
from typing import Any, ClassVar, TypeVar

from pfe.problem import Problem
from pfe.tutors.family import Draft, Facts, Family, unfill_any

T = TypeVar("T")


class Science(Family):
    """A grade-school science question with four choices; the facts list the choices and `write` shuffles them."""

    domain = "science"
    scorer = "choice"
    weight = 0.3
    templates: ClassVar[Sequence[str]]

    def write(self, facts: Facts, rng: Random) -> Draft:
        question = rng.choice(self.templates).format(**self.wording(facts, rng))
        return Draft(question, choices=tuple(shuffled(facts["choices"], rng)))

    def read(self, problem: Problem) -> Facts:
        return self.meaning(unfill_any(self.templates, problem.question)) | {"choices": problem.choices}

    def wording(self, facts: Facts, rng: Random) -> Facts:
        """Return the values that fill the slots of the templates."""
        return facts

    def meaning(self, slots: dict[str, Any]) -> dict[str, Any]:
        """Recover the facts from the slots of a template (the inverse of `wording`).

        Raises:
            ValueError: no problem of this family has these slots.
        """
        return slots


def weave(*sentences: tuple[str, ...]) -> tuple[str, ...]:
    """Return every text that joins one wording of each sentence, in order."""
    return tuple(" ".join(choice) for choice in product(*sentences))


def words(text: str) -> list[str]:
    """Split a text into its words, or into the phrases between bars if it has any."""
    return [phrase.strip() for phrase in text.split("|")] if "|" in text else text.split()


def rows(text: str) -> list[list[str]]:
    """Split the non-empty lines of a table at their bars."""
    return [line.strip().split("|") for line in text.splitlines() if line.strip()]


def grouped(text: str) -> dict[str, list[str]]:
    """Map each kind to its members, from a table with lines `kind|member|member|...`."""
    return {kind: members for kind, *members in rows(text)}


def kinds(groups: dict[str, list[str]]) -> dict[str, str]:
    """Map every member to its kind (the inverse of the mapping from `grouped`)."""
    return {member: kind for kind, members in groups.items() for member in members}


def shuffled(items: Iterable[T], rng: Random) -> list[T]:
    """Return the items in random order, as a new list."""
    copy = list(items)
    rng.shuffle(copy)
    return copy


def offer(right: str, wrong: Iterable[str], rng: Random) -> tuple[str, ...]:
    """Return the correct choice, followed by three distinct incorrect ones sampled from `wrong`.

    Raises:
        ValueError: `wrong` has fewer than three distinct choices other than the correct one.
    """
    return (right, *rng.sample([item for item in dict.fromkeys(wrong) if item != right], 3))


def only(items: Iterable[T]) -> T:
    """Return the only item.

    Raises:
        ValueError: there is no item, or more than one.
    """
    (item,) = items
    return item


GIRLS = words("""
Adele Aisha Alma Amara Anika Asha Beatriz Bianca Brenda Camila Carmen Celia Chiara Corinne Dalia Daniela Denise Edie
Elena Elsa Esther Faith Farah Fiona Freya Gemma Greta Hana Hazel Helen Imani Ines Ingrid Irene Jana Jasmine June Kavya
Keiko Kira Laila Leah Leticia Lina Lucia Mabel Malia Marta Maya Mei Mina Mona Nadia Naomi Nina Noor Olive Paloma Petra
Phoebe Priya Rania Rosa Ruth Sana Selma Serena Simone Sofia Suki Talia Tess Thea Uma Vera Wanda Willow Yara Yuki Zora
""")
BOYS = words("""
Abel Ahmed Ali Amir Andre Anton Arjun Arlo Ben Boris Bruno Caleb Carlos Cedric Dario Dante Dev Diego Dmitri Edgar Eli
Emeka Emil Enzo Felix Finn Franco Gideon Gus Hakim Hassan Hector Hiro Hugo Idris Igor Ivan Jamal Jasper Jonas Jorge
Kaito Kofi Kurt Lamar Leo Levi Luca Magnus Malik Marco Mateo Milo Musa Nico Noel Omar Oscar Otto Pablo Paolo Quentin
Rafael Ravi Reza Rohan Ruben Samir Silas Soren Stefan Tariq Theo Tobias Tomas Umar Victor Wes Xavier Yusuf Zane
""")
TEACHERS = words("""
Abbott Adeyemi Alvarez Banerjee Becker Brandt Castillo Chen Cohen Dasgupta Delgado Dube Eriksen Farouk Fischer
Fontaine Garza Grant Haddad Hansen Herrera Ibarra Ito Jansen Kaminski Keller Kim Kowalski Larsen Lindqvist Mbeki
Mendez Moreau Nakamura Ncube Nguyen Novak Okafor Oyelaran Park Patel Petrov Quiroga Rahman Reyes Rossi Saito Santos
Schmidt Sharma Silva Tanaka Torres Uddin Vargas Vogel Walsh Weber Yilmaz Zhang
""")
PLACES = words("""
Alder Amber Aspen Badger Basswood Beacon Bellweather Birch Bluestem Bramble Briar Buckeye Calder Cattail Cinder Clover
Copper Coyote Crane Cypress Dogwood Egret Elkhorn Fern Finch Flint Foxglove Gannet Garnet Goldenrod Granite Harrow
Hazel Heron Hickory Hollow Ibis Ironwood Juniper Kestrel Lark Laurel Linden Lynx Magpie Mallow Marten Mesa Mica
Milkweed Mink Moss Nettle Osprey Otter Pebble Pelican Pine Plover Quail Raven Redbud Rowan Sable Sage Sorrel Spruce
Sycamore Tamarack Teal Thistle Thorn Timber Umber Violet Walnut Willow Wren Yarrow
""")


def person(rng: Random) -> dict[str, str]:
    """Draw a pupil: a `name` and the matching pronouns, with the keys `he`, `He`, `his`, `him`."""
    girl = rng.random() < 0.5
    he, his, him = ("she", "her", "her") if girl else ("he", "his", "him")
    return {"name": rng.choice(GIRLS if girl else BOYS), "he": he, "He": he.capitalize(), "his": his, "him": him}


def teacher(rng: Random) -> str:
    """Draw a teacher's name with a title, such as `Ms. Okafor`."""
    return f"{rng.choice(('Mr.', 'Ms.', 'Mrs.'))} {rng.choice(TEACHERS)}"


def place(rng: Random, *kinds: str) -> str:
    """Draw an invented place name, such as `Heron Lake` for the kind `Lake`; never `Mesa Mesa`."""
    name, kind = rng.choice(PLACES), rng.choice(kinds)
    return f"{name} {kind}" if name != kind else f"{PLACES[PLACES.index(name) - 1]} {kind}"


def a(noun: str) -> str:
    """Return the noun with its indefinite article."""
    return f"{'an' if noun[0].lower() in 'aeiou' else 'a'} {noun}"


def upper(text: str) -> str:
    """Capitalise the first letter of a text."""
    return text[0].upper() + text[1:]


def listed(items: Sequence[str], word: str = "and") -> str:
    """Join the items to an English list with the serial comma."""
    if len(items) < 3:
        return f" {word} ".join(items)
    return f"{', '.join(items[:-1])}, {word} {items[-1]}"


def unlisted(text: str, word: str = "and") -> list[str]:
    """Split an English list into its items (the inverse of `listed`)."""
    return text.replace(f", {word} ", ", ").replace(f" {word} ", ", ").split(", ")
