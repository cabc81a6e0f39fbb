"""report.md: the tables, the verdict on the student, and what stands behind them.

A pure function of the metrics files and the names of things.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from pfe.report.firewall import Figures, section
from pfe.report.table import Line, table
from pfe.scores import verdict

READINGS = {
    "strong": "a large lift, above the untrained twin in both arms: it learned to learn from context",
    "moderate": "context helps, on some benchmarks more than on others",
    "weak": "little lift, or no better than its untrained twin",
}


@dataclass(frozen=True)
class Metrics:
    """The metrics files and the firewall's certificate, as they are on disk."""

    canonical: Figures
    icr: Figures
    lift: Figures
    pfe: Figures
    firewall: Figures
    firewall_calibration: Figures
    certificate: Figures
    answer_keys: Figures
    train: Figures


def tables(metrics: Metrics, benchmarks: Mapping[str, str], models: Mapping[str, str]) -> str:
    """One table a benchmark and one of the averages; `benchmarks` and `models` give the titles by name."""
    parts = [
        table(f"Benchmark: {title}", [_line(metrics, model, label, name) for model, label in models.items()])
        for name, title in benchmarks.items()
    ]
    return "\n\n".join([*parts, table("PFE: averages over benchmarks", _averages(metrics, models))])


def page(metrics: Metrics, benchmarks: Mapping[str, str], models: Mapping[str, str]) -> str:
    """The whole of report.md."""
    return "\n".join(
        [
            "# PFE report",
            "",
            student_verdict(metrics),
            "",
            "```",
            tables(metrics, benchmarks, models),
            "```",
            "",
            "Lift is ICR minus canonical accuracy in percentage points, on the same problems; relative lift is the",
            "share of what canonical left to gain. “–” means the model was not examined there (similarity only",
            "chooses) or the figure does not exist (relative lift at 100 % canonical).",
            "",
            "## The corpus behind the student",
            "",
            *_corpus(metrics),
            "",
            "## What the firewall catches",
            "",
            *section(metrics.firewall, metrics.firewall_calibration, metrics.certificate),
            "",
        ]
    )


def student_verdict(metrics: Metrics) -> str:
    """SPEC's verdict on the student, with the figures it rests on."""
    pfe = metrics.pfe
    if not {"student", "base"} <= pfe.keys() or pfe["student"]["lift"] is None or pfe["base"]["lift"] is None:
        return "Verdict: none; it needs the models `student` and `base` and both arms."
    student, base = pfe["student"], pfe["base"]
    canonical = student["canonical"]["value"] - base["canonical"]["value"]
    icr = student["icr"]["value"] - base["icr"]["value"]
    lift = student["lift"]
    word = verdict(lift["value"], canonical, icr)
    return (
        f"Verdict on the student: **{word}** ({READINGS[word]}). PFE-Lift {lift['value']:+.1f} points "
        f"[{lift['low']:+.1f}, {lift['high']:+.1f}] over {lift['benchmarks']} benchmarks and {lift['n']} problems; "
        f"against its untrained twin {canonical:+.1f} canonical, {icr:+.1f} ICR."
    )


def _line(metrics: Metrics, model: str, label: str, benchmark: str) -> Line:
    canonical = metrics.canonical.get(model, {}).get(benchmark)
    icr = metrics.icr.get(model, {}).get(benchmark)
    lift = metrics.lift.get(model, {}).get(benchmark)
    return Line(
        label,
        canonical["value"] if canonical else None,
        icr["value"] if icr else None,
        lift["value"] if lift else None,
        lift["relative"] if lift else None,
        (lift["low"], lift["high"]) if lift else None,
        canonical["n"] if canonical else None,
    )


def _averages(metrics: Metrics, models: Mapping[str, str]) -> list[Line]:
    lines = []
    for model, label in models.items():
        average = metrics.pfe.get(model)
        if not average:
            lines.append(Line(label, None))
            continue
        lift, icr = average["lift"], average["icr"]
        lines.append(
            Line(
                label,
                average["canonical"]["value"],
                icr["value"] if icr else None,
                lift["value"] if lift else None,
                None,
                (lift["low"], lift["high"]) if lift else None,
                average["canonical"]["n"],
            )
        )
    return lines


def _corpus(metrics: Metrics) -> list[str]:
    rows = [
        "| set | candidates | rejected | accepted | target | tutors agree |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, counts in metrics.firewall["sets"].items():
        keys = metrics.answer_keys[name]
        agree = "–" if keys["agreement"] is None else f"{keys['agreement']:.1f} % of {keys['problems']}"
        short = f" ({counts['short']} short)" if counts["short"] else ""
        accepted = f"{counts['accepted']}{short}"
        rejected = sum(counts["rejected"].values())
        rows.append(f"| {name} | {counts['candidates']} | {rejected} | {accepted} | {counts['target']} | {agree} |")
    train = metrics.train
    learned = f"loss {train['first_loss']:.2f} → {train['loss']:.2f} nats per token"
    rows += [
        "",
        f"The student has {train['parameters']:,} parameters and took {train['steps']:,} steps over "
        f"{train['lessons']:,} lessons: {learned}.",
    ]
    return rows
