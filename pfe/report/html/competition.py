"""The competition on the page: its report with the plots in it, and its models as formulas.

Example: `typeset("1.5 + 2.0 * x1 * x2")` is "<math …><mn>1.5</mn><mo>+</mo>…</math>".
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from pfe.competition.record import MeasuredRun
from pfe.errors import UserError
from pfe.expressions.parser import NotAnExpressionError, parse

SHOWN = 400  # characters of a model that is typeset; what is longer is shown as it was written
DECIMALS = 3
_TITLE = re.compile(r"\A# .*\n")


@dataclass(frozen=True)
class Formula:
    """The best model of a method on a data set: typeset where it is short enough, and as it was written."""

    track: str
    dataset: str
    method: str
    r2: float
    components: int | None
    math: Markup | None
    text: str


def without_title(report: str) -> str:
    """The competition's report without its own title: a page has one."""
    return _TITLE.sub("", report)


def formulas(runs: Sequence[MeasuredRun], labels: Mapping[str, str]) -> list[Formula]:
    """The best model by R² of every method on every data set."""
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
    """A model as MathML, its numbers with three significant digits; None where it is too long or is none."""
    if len(model) > SHOWN:
        return None
    import sympy
    from sympy.printing.mathml import mathml

    from pfe.expressions.symbolic import to_sympy

    try:
        tree = to_sympy(parse(model))
        rounded = tree.xreplace({number: number.round(DECIMALS) for number in tree.atoms(sympy.Float)})
        written = mathml(rounded, printer="presentation")
    except (NotAnExpressionError, UserError, RecursionError, ValueError, NotImplementedError):
        return None
    return Markup(f'<math xmlns="http://www.w3.org/1998/Math/MathML" display="block">{written}</math>')
