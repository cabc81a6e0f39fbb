"""The competition section of the page: its report with plots, and its models as formulas.

Example: `typeset("1.5 + 2.0 * x1 * x2")` is "<math …><mn>1.5</mn><mo>+</mo>…</math>".
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from pfe.errors import UserError
from pfe.symreg.competition.record import MeasuredRun
from pfe.symreg.expressions.parser import NotAnExpressionError, parse

SHOWN = 400  # most characters of a model that is typeset; a longer one is shown as text
DECIMALS = 3
_TITLE = re.compile(r"\A# .*\n")


@dataclass(frozen=True)
class Formula:
    """The best model of a method on a data set: as text, and typeset if it is short enough."""

    track: str
    dataset: str
    method: str
    r2: float
    components: int | None
    math: Markup | None
    text: str


def without_title(report: str) -> str:
    """Return the competition's report without its title, since the page section has one."""
    return _TITLE.sub("", report)


def formulas(runs: Sequence[MeasuredRun], labels: Mapping[str, str]) -> list[Formula]:
    """Return the best model by R² of each method on each data set."""
    best: dict[tuple[str, str, str], MeasuredRun] = {}
    for run in runs:
        key = (run.track, run.dataset, run.method)
        if run.status == "ok" and run.r2 is not None and (key not in best or run.r2 > (best[key].r2 or 0)):
            best[key] = run
    return [
        Formula(
            track, dataset, labels.get(method, method), run.r2 or 0.0, run.simplified, typeset(run.model), run.model
        )
        for (track, dataset, method), run in best.items()
    ]


def typeset(model: str) -> Markup | None:
    """Return a model as MathML with numbers of three significant digits; None if it is too long or cannot be parsed."""
    if len(model) > SHOWN:
        return None
    import sympy
    from sympy.printing.mathml import mathml

    from pfe.symreg.expressions.symbolic import to_sympy

    try:
        tree = to_sympy(parse(model))
        rounded = tree.xreplace({number: number.round(DECIMALS) for number in tree.atoms(sympy.Float)})
        written = mathml(rounded, printer="presentation")
    except (NotAnExpressionError, UserError, RecursionError, ValueError, NotImplementedError):
        return None
    return Markup(f'<math xmlns="http://www.w3.org/1998/Math/MathML" display="block">{written}</math>')
