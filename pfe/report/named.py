"""A table of the problems that the library fixed and broke, by id, and the command that lists all of them.

Example, a row of a model's table:
    | ARC-Easy | `arc_easy/7`, `arc_easy/31` | `arc_easy/2`, `arc_easy/9`, `arc_easy/40` and 9 more |
"""

from collections.abc import Mapping

from pfe.report.markdown import markdown
from pfe.scores.outcomes import Outcome

SHOWN = 8  # most ids in a cell


def named(model: str, outcomes: Mapping[str, Mapping[str, Outcome]], titles: Mapping[str, str]) -> str:
    """Return a model's table in Markdown, without benchmarks where no problem was fixed or broken; "" if none is left.

    Args:
        model: its name, for the command.
        outcomes: by benchmark and id.
        titles: of the benchmarks, by name.
    """
    rows = []
    for name, title in titles.items():
        by_id = outcomes.get(name, {})
        fixed, broken = ([id for id, outcome in by_id.items() if outcome == kind] for kind in ("fixed", "broken"))
        if fixed or broken:
            rows.append([title, _cell(fixed), _cell(broken)])
    if not rows:
        return ""
    table = markdown(["benchmark", "fixed", "broken"], rows, left=(0, 1, 2))
    command = f"pfe show {model} BENCHMARK"
    return f"{table}\n\n`{command} --fixed` (or `--broken`) lists all, `{command} ID` shows one."


def _cell(ids: list[str]) -> str:
    more = f" and {len(ids) - SHOWN:,} more" if len(ids) > SHOWN else ""
    return f"{', '.join(f'`{id}`' for id in ids[:SHOWN])}{more}"
