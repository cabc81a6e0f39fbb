"""Made problems: words drawn from a vocabulary, so that a test knows what should come of them."""

from random import Random

from pfe.problem import Problem


def drawn_problems(count: int, seed: int, vocabulary: str = "word") -> list[Problem]:
    """Questions of 12 words of a vocabulary of its own; two of the same vocabulary differ in nothing but chance."""
    rng = Random(seed)
    return [
        Problem(
            id=f"made/{seed}/{place}",
            set="made",
            domain="science",
            question=" ".join(f"{vocabulary}{letters(rng.randrange(300))}" for _ in range(12)) + ".",
            answer="yes",
            family=f"family_{place % 3}",
        )
        for place in range(count)
    ]


def letters(number: int) -> str:
    """A number without a digit: 0 is a, 25 is z, 26 is ba."""
    rest, last = divmod(number, 26)
    return (letters(rest) if rest else "") + chr(ord("a") + last)
