"""What stands behind each line of the tables: fixed and broken problems, control arms, and how answers ended.

Example: "| ARC-Easy | 50 (50) | 15 / 12 / 9 / 14 | 46.2 [28.8, 64.5] | 37.5 [21.2, 57.3] | 24.6 | ... |"
"""

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from pfe.config import Arm

Figures = Mapping[str, Any]
ARMS: tuple[str, ...] = get_args(Arm)
ENDINGS = {
    "unread": "unread",
    "truncated": "truncated",
    "too_long": "too long",
    "shortened": "shortened",
    "unsafe": "not isolated",
}
TOKENS = {"tokens_in": "tokens in", "tokens_out": "tokens out"}
READINGS = {"norm": "acc_norm, %", "strict": "strict, %"}


def smallest_lifts(lift: Mapping[str, Mapping[str, Figures]], benchmarks: Mapping[str, str]) -> str:
    """One sentence: the smallest lift that each benchmark could have shown; `lift` is by model and benchmark."""
    told = []
    for name, title in benchmarks.items():
        own = [by[name] for by in lift.values() if name in by]
        found = [figures["detectable"] for figures in own if figures["detectable"] is not None]
        if own:
            told.append(f"{title} {f'{_range(found)} points' if found else 'none'} (n = {own[0]['n']:,})")
    return (
        "The smallest lift that could have been shown (McNemar's test at 5 %, power 0.8, at the share of differing "
        "pairs observed; a range where models differ): "
        f"{'; '.join(told) or 'none, for no model was examined in both arms'}."
    )


def outcomes(lift: Mapping[str, Figures], arms: Mapping[str, Figures], benchmarks: Mapping[str, str]) -> list[str]:
    """One model's 2×2 tables and ICR against its controls, a line a benchmark; nothing where there is no lift."""
    shown = {name: title for name, title in benchmarks.items() if name in lift}
    if not shown:
        return []
    controls = _in_order({arm for name in shown for arm in arms[name]["icr_minus"]})
    orders = any(arms[name]["orders"] for name in shown)
    head = ["benchmark", "n (clusters)", "kept / fixed / broken / wrong", "recovery, %", "breakage, %", "smallest lift"]
    head += [f"ICR − {arm}" for arm in controls] + (["ICR over orders"] if orders else [])
    return _markdown(
        head,
        [
            [title, *_outcome(lift[name]), *_controls(arms[name], controls), *([_orders(arms[name])] if orders else [])]
            for name, title in shown.items()
        ],
    )


def answers(
    arms: Mapping[str, Figures], accuracy: Mapping[str, Mapping[str, Figures]], benchmarks: Mapping[str, str]
) -> list[str]:
    """One model's counts of how answers ended, arm by arm; `accuracy` is by benchmark and arm."""
    shown = {name: title for name, title in benchmarks.items() if name in arms}
    if not shown:
        return []
    run = _in_order({arm for name in shown for arm in arms[name]["answers"]})
    every = [own for by in accuracy.values() for own in by.values()]
    readings = {key: title for key, title in READINGS.items() if any(own[key] for own in every)}
    rows = []
    for name, title in shown.items():
        ended = [arms[name]["answers"][arm] for arm in run if arm in arms[name]["answers"]]
        scored = [accuracy[name][arm] for arm in run if arm in accuracy[name]]
        counts = [_cells([f"{own[key]:,}" for own in ended]) for key in ENDINGS]
        tokens = [_cells([f"{own[key]:.0f}" for own in ended]) for key in TOKENS]
        rows.append([title, *counts, *tokens, *(_reading([own[key] for own in scored]) for key in readings)])
    head = ["benchmark", *ENDINGS.values(), *TOKENS.values(), *readings.values()]
    return [f"In each cell: {' / '.join(run)}.", "", *_markdown(head, rows)]


def audits(arms: Mapping[str, Mapping[str, Figures]], models: Mapping[str, str]) -> str:
    """One sentence: how many answers of each model were computed as whole sequences too, and how far these were off.

    Args:
        arms: the figures by model and benchmark.
        models: the models' titles by name.
    """
    told = []
    for model, title in models.items():
        own = [answers for by in arms.get(model, {}).values() for answers in by["answers"].values()]
        checked = [answers for answers in own if answers.get("audited")]
        if checked:
            audited, n = sum(answers["audited"] for answers in checked), sum(answers["n"] for answers in own)
            largest = max(answers["difference"] for answers in checked)
            told.append(f"{title} {audited:,} of {n:,} answers, within {largest:.0e} nats")
    return f"Computed again, each sequence whole and alone: {'; '.join(told) or 'none'}."


def _outcome(lift: Figures) -> list[str]:
    table = " / ".join(f"{lift[cell]:,}" for cell in ("kept", "fixed", "broken", "wrong"))
    detectable = "–" if lift["detectable"] is None else f"{lift['detectable']:.1f}"
    clusters = f"{lift['n']:,} ({lift['clusters']:,})"
    return [clusters, table, _interval(lift["recovery"]), _interval(lift["breakage"]), detectable]


def _controls(own: Figures, controls: Sequence[str]) -> list[str]:
    return [_interval(own["icr_minus"].get(arm), "+") for arm in controls]


def _orders(own: Figures) -> str:
    orders = own["orders"]
    return f"{orders['low']:.1f}–{orders['high']:.1f} % (sd {orders['sd']:.1f}, {orders['orders']})" if orders else "–"


def _interval(figures: Figures | None, sign: str = "") -> str:
    if figures is None:
        return "–"
    value, low, high = (f"{figures[key]:{sign}.1f}" for key in ("value", "low", "high"))
    return f"{value} [{low}, {high}]"


def _reading(figures: Sequence[Figures | None]) -> str:
    return _cells(["–" if own is None else f"{own['value']:.1f}" for own in figures]) if any(figures) else "–"


def _cells(told: Sequence[str]) -> str:
    """The arms' cells in one; "0" where all of them are."""
    return "0" if set(told) == {"0"} else " / ".join(told)


def _range(values: Sequence[float]) -> str:
    low, high = f"{min(values):.1f}", f"{max(values):.1f}"
    return low if low == high else f"{low}–{high}"


def _in_order(arms: set[str]) -> list[str]:
    return [arm for arm in ARMS if arm in arms]


def _markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    lines = [f"| {' | '.join(cells)} |" for cells in (head, *rows)]
    return [lines[0], f"| --- |{' ---: |' * (len(head) - 1)}", *lines[1:]]
