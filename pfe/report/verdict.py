"""A verdict as text: the ranking, the qualification, and the stability of the order.

Example (the columns on the right, which only a competition has, are cut):
    Place  Method              Score  Accuracy  Simplicity  Property
    ────────────────────────────────────────────────────────────────
        1  Operon               2.61      2.80        2.20      3.00
        2  Lasso (polynomial)   1.95      2.20        1.40      2.40
"""

from collections.abc import Mapping

from pfe.config import Rules
from pfe.judging.stability import Stability
from pfe.judging.verdict import Verdict
from pfe.report.markdown import markdown, plain

NOBODY = "Nobody is ranked: no one qualified (the report shows the margins), or there is no data set."
HUGE = 1e5
Cells = Mapping[str, str]  # a column's cells by method


def ranking(verdict: Verdict, rules: Rules, labels: Mapping[str, str], further: Mapping[str, Cells]) -> str:
    """Return the ranking as text, the best first; the columns in `further`, by title, come last."""
    names = verdict.order()
    if not names:
        return NOBODY
    standings = {name: standing for name in names if (standing := verdict.candidates[name].synthetic)}
    columns = {
        "Place": [str(standing.place) for standing in standings.values()],
        "Method": [labels[name] for name in names],
        "Score": [number(standing.score, 2) for standing in standings.values()],
    }
    for aspect in rules.aspects:
        columns[heading(aspect)] = [number(standing.ranks.get(aspect), 2) for standing in standings.values()]
    columns |= {title: [cells[name] for name in names] for title, cells in further.items()}
    return plain(list(columns), list(zip(*columns.values(), strict=True)), left=(1,))


def qualification(verdict: Verdict, rules: Rules, labels: Mapping[str, str]) -> str:
    """Return each candidate's margin over the baseline, the largest first, in Markdown."""
    margins = {name: candidate.margin for name, candidate in verdict.candidates.items() if candidate.margin is not None}
    if not margins:
        reason = "by these rules" if rules.qualification == "none" else "without a data set for it"
        return f"Nobody had to qualify {reason}. {baseline(verdict, rules, labels)}".rstrip()
    rows = []
    for name in sorted(margins, key=lambda name: (-margins[name], name)):
        competes = "qualified" if verdict.candidates[name].qualified else "not qualified"
        rows.append([labels[name], number(margins[name], 3), "baseline" if name == rules.baseline else competes])
    rule = heading(rules.qualification).lower()
    against = labels.get(rules.baseline, rules.baseline)
    return f"Against {against}, by {rule}:\n\n{markdown(['Method', 'Margin', 'Verdict'], rows, left=(0, 2))}"


def baseline(verdict: Verdict, rules: Rules, labels: Mapping[str, str]) -> str:
    """Return a sentence that the baseline is not ranked; empty if it did not run."""
    if rules.baseline not in verdict.candidates:
        return ""
    return f"{labels[rules.baseline]} is the baseline that others qualify against: it is not ranked."


def real_world(verdict: Verdict, labels: Mapping[str, str]) -> str:
    """Return the ranking by an expert's trust, in Markdown; empty if there is none."""
    standings = [(entry.real_world, name) for name, entry in verdict.candidates.items() if entry.real_world]
    rows = [
        [str(standing.place), labels[name], number(standing.score, 2)]
        for standing, name in sorted(standings, key=lambda pair: (pair[0].place, pair[1]))
    ]
    return markdown(["Place", "Method", "Score"], rows, left=(1,)) if rows else ""


def firmness(verdict: Verdict, labels: Mapping[str, str]) -> str:
    """Return the order under other tie rules, without one of the methods, and over resamples, in Markdown."""
    stability = verdict.stability
    if stability is None:
        return NOBODY
    orders = [
        [ties, ", ".join(labels[name] for name in sorted(order, key=lambda name: (order[name], name)))]
        for ties, order in stability.ties.items()
    ]
    rows = []
    for name in verdict.order():
        redrawn = stability.redrawn[name]
        score = "–" if redrawn.score is None else f"{redrawn.score[0]:.2f}–{redrawn.score[1]:.2f}"
        rows.append([labels[name], f"{100 * redrawn.first:.0f} %", f"{redrawn.place[0]}–{redrawn.place[1]}", score])
    return "\n\n".join(
        (
            markdown(["Ties", "Order"], orders, left=(0, 1)),
            _left_out(stability, labels),
            markdown(["Method", "First in", "Places (95 %)", "Score (95 %)"], rows),
        )
    )


def _left_out(stability: Stability, labels: Mapping[str, str]) -> str:
    changing = [labels[name] for name, without in stability.left_out.items() if without.winner_changes]
    pairs = sum(without.pairs for without in stability.left_out.values())
    winner = f"changes the winner when it is {', '.join(changing)}" if changing else "changes the winner in no case"
    return f"Leaving out one method {winner}; over all of them it turns {pairs} pairs of the others around."


def heading(name: str) -> str:
    """Return the name of a column or rule as a title."""
    return {"icr": "ICR"}.get(name, name.replace("_", " ").capitalize())


def number(value: float | None, decimals: int) -> str:
    """Return a figure without a negative zero, in scientific notation from 1e5 on; a dash if there is none."""
    if value is None:
        return "–"
    return f"{value:.1e}" if abs(value) >= HUGE else f"{value:z,.{decimals}f}"
