"""A page with sample problems of each family, for readers of a synthetic set.

Example: `as_html(samples(["arc_synth"], None, 3, 0))` is a self-contained page.
"""

import re
from collections.abc import Mapping, Sequence
from html import escape

from pfe.errors import UserError, nearest
from pfe.problem import Problem
from pfe.progress import tracked
from pfe.report.problem import head, parts, readable
from pfe.tutors.family import Family, families_of
from pfe.tutors.keys import check_routes
from pfe.tutors.wording import counted

Samples = Mapping[str, Mapping[str, Sequence[Problem]]]  # by set and family
_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem;color:#222}"
    "article{border:1px solid #ccc;border-radius:6px;padding:0 1rem 1rem;margin:1rem 0}"
    "h4{font:13px monospace;color:#666}dt{font-weight:600;margin-top:.6rem}"
    "dd{margin:0;white-space:pre-wrap;overflow-wrap:anywhere}"
)


def samples(sets: Sequence[str], family: str | None, count: int, seed: int) -> Samples:
    """Return `count` problems of each family in the sets, or of one family.

    Raises:
        UserError: a set does not exist, no set has the family, or a family generates a problem that it cannot answer.
    """
    by_set = {set: families_of(set) for set in sets}
    names = {name for families in by_set.values() for name in families}
    if family is not None and family not in names:
        raise UserError(f"unknown family '{family}' of {', '.join(sets)}; {nearest(family, names)}")
    chosen = [(set, name) for set, families in by_set.items() for name in families if family in (None, name)]
    page: dict[str, dict[str, list[Problem]]] = {}
    for set, name in tracked(chosen, "gallery", "family"):
        page.setdefault(set, {})[name] = checked(by_set[set][name], count, seed)
    return page


def checked(family: Family, count: int, seed: int) -> list[Problem]:
    """Return problems of a family after testing it and confirming each answer by every route.

    Raises:
        UserError: the file or class of the family has an error.
    """
    problems = [family.make(seed, index) for index in range(count)]
    family.try_out()
    for problem in problems:
        check_routes(family, problem)
    return problems


def as_text(page: Samples) -> str:
    """Return the page as text for the terminal."""
    return f"\n\n{'-' * 72}\n\n".join(map(readable, _problems(page)))


def as_markdown(page: Samples) -> str:
    """Return the page in Markdown, with each problem verbatim in a code block."""
    lines = ["# Problems"]
    for set, families in page.items():
        lines.append(f"## {set}")
        for name, problems in families.items():
            lines += [f"### {name}", *map(_fenced, problems)]
    return "\n\n".join(lines) + "\n"


def as_html(page: Samples) -> str:
    """Return the page in HTML."""
    links = "".join(
        f'<li><a href="#{escape(set)}">{escape(set)}</a>: {counted(len(page[set]), "family")}</li>' for set in page
    )
    body = "".join(_set(set, families) for set, families in page.items())
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Problems</title>'
        f"<style>{_STYLE}</style></head>\n<body><h1>Problems</h1><ul>{links}</ul>\n{body}</body></html>\n"
    )


def _set(set: str, families: Mapping[str, Sequence[Problem]]) -> str:
    sections = "".join(
        f"<h3>{escape(name)}</h3>\n{''.join(map(_article, problems))}" for name, problems in families.items()
    )
    return f'<h2 id="{escape(set)}">{escape(set)}</h2>\n{sections}'


def _article(problem: Problem) -> str:
    rows = "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in parts(problem).items())
    return f"<article><h4>{escape(head(problem))}</h4><dl>{rows}</dl></article>\n"


def _fenced(problem: Problem) -> str:
    """Return a problem as a code block whose fence is longer than any run of backticks in it."""
    text = readable(problem)
    fence = "`" * max(3, *(len(run) + 1 for run in re.findall(r"`+", text)), 0)
    return f"{fence}text\n{text}\n{fence}"


def _problems(page: Samples) -> list[Problem]:
    return [problem for families in page.values() for problems in families.values() for problem in problems]
