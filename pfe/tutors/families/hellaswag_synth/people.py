"""Who acts in the scripts: a name, or a person seen for the first time.

Example: Person("a man in a green apron", "the man", "he") is "A man in a green apron" in the first sentence, then "the
man" or "he"; Person("Nadia", "Nadia", "she") is Nadia throughout.
"""

from dataclasses import dataclass

_NAMES = """
she: Nadia Ingrid Priya Wanjiru Leila Marisol Yuki Fatou Brenna Odile Katya Thandi Rosalind Mei Paloma Aylin Greta
 Sunniva Zainab Tamsin Ofelia Ngozi Maren Dalia Ilse Keiko Amina Bettina Carys Farida
he: Tomasz Kwame Rafael Anders Hiroshi Idris Luca Emeka Piotr Samir Declan Mateus Oskar Jamal Viktor Rohan Matteo Bram
 Kofi Stellan Enzo Tariq Gethin Arjun Ruben Malik Jonas Hamish Diego Farid
"""

_LOOKS = """
she: woman: in a striped apron, in a yellow raincoat, in a denim shirt, with short grey hair, with a long braid,
 in a blue headscarf, with rolled-up sleeves, in a purple sweater
she: girl: in a red hoodie, with a ponytail, in green overalls, with round glasses
she: young woman: in a white cap, with curly hair, in a checked shirt, with paint on her jeans
he: man: in a green apron, in a grey cardigan, with a short beard, in a flannel shirt, with rolled-up sleeves,
 in a baseball cap, with silver hair, in a navy jumper
he: boy: in an orange hoodie, with freckles, in a striped jersey, with round glasses
he: young man: in a white cap, with curly hair, in a denim jacket, with a thin moustache
"""


@dataclass(frozen=True)
class Person:
    """How a person is called at first and later, and the pronoun that stands for them."""

    first: str
    later: str
    he: str

    def words(self) -> dict[str, str]:
        """The slots of the story that the person fills: Who (at first), later, he."""
        return {"Who": capital(self.first), "later": self.later, "he": self.he}


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _people() -> tuple[Person, ...]:
    people = []
    for line in _NAMES.strip().replace("\n ", " ").splitlines():
        he, _, names = line.partition(": ")
        people += [Person(name, name, he) for name in names.split()]
    for line in _LOOKS.strip().replace("\n ", " ").splitlines():
        he, noun, looks = line.split(": ")
        people += [Person(f"a {noun} {look}", f"the {noun}", he) for look in looks.split(", ")]
    return tuple(people)


PEOPLE = _people()
