"""The prompt for a tutor to write a problem: the rules of the domain, examples, a topic and a twist.

Example: the request for `gsm1k_synth/gpt4o/s0/7` shows three problems of the families of gsm1k_synth as JSON, and asks
for one about a tide mill that needs a percentage.

The examples come from the families, which use no canonical problems. The id determines the choice of examples, the
topic and the twist.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

import yaml

from pfe.problem import Domain, Problem
from pfe.tutors.family import families_of
from pfe.tutors.writing.forms import FORMS, Form

EXAMPLES = 3
_MOST_INDEX = 10_000  # upper bound (exclusive) of the index of an example in its family
_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Commission:
    """The request for one problem, with the example problems that it shows."""

    id: str
    domain: Domain
    text: str
    examples: tuple[Problem, ...]


def domain_of(set: str) -> Domain:
    """Return the domain of the families of a synthetic set.

    Raises:
        UserError: there is no such set.
    """
    return next(iter(families_of(set).values())).domain


def commission(id: str, set: str, seed: int) -> Commission:
    """Return the request for the problem with this id.

    Raises:
        UserError: there is no such set.
    """
    domain = domain_of(set)
    rng = Random(f"{id}:request")
    examples = _examples(set, seed, rng)
    guide = _guide(domain)
    shown = "\n\n".join(f"Example {place}:\n{form.model_dump_json()}" for place, (_, form) in enumerate(examples, 1))
    rules = "\n".join(f"- {rule}" for rule in guide.rules)
    return Commission(
        id, domain,
        f"Write {guide.what}.\n\n{rules}\n\n{shown}\n\n"
        f"Write a new one: not a variation of an example, but with a situation, facts and words of its own. "
        f"It is set around {rng.choice(_topics())}, unless that cannot be. {rng.choice(guide.twists)}\n"
        f"Reply with one JSON object that has the keys of the examples, and nothing else.",
        tuple(problem for problem, _ in examples),
    )  # fmt: skip


def again(commission: Commission, reply: str, wrong: str) -> str:
    """Return the request to repair a refused reply."""
    return (
        f"{commission.text}\n\nTo this you replied:\n{reply}\n\nThat cannot be used: {wrong}.\n"
        "Reply with one whole JSON object in which this is mended, and nothing else."
    )


@cache
def schema(domain: Domain) -> str:
    """Return the JSON Schema of a domain's form."""
    return json.dumps(FORMS[domain].model_json_schema())


def _examples(set: str, seed: int, rng: Random) -> list[tuple[Problem, Form]]:
    """Sample up to `EXAMPLES` problems that fit the form, from different families that need no library."""
    families = list(families_of(set).values())
    rng.shuffle(families)
    shown: list[tuple[Problem, Form]] = []
    for family in [family for family in families if not family.library_bound]:
        problem = family.make(seed, rng.randrange(_MOST_INDEX))
        try:
            shown.append((problem, FORMS[family.domain].of(problem)))
        except ValueError:
            continue
        if len(shown) == EXAMPLES:
            break
    return shown


@dataclass(frozen=True)
class _Guide:
    what: str
    rules: tuple[str, ...]
    twists: tuple[str, ...]


@cache
def _guide(domain: Domain) -> _Guide:
    values: Mapping[str, list[str]] = yaml.safe_load((_HERE / "domains" / f"{domain}.yaml").read_text("utf-8"))
    return _Guide(str(values["what"]), tuple(values["rules"]), tuple(values["twists"]))


@cache
def _topics() -> tuple[str, ...]:
    return tuple(yaml.safe_load((_HERE / "topics.yaml").read_text("utf-8")))
