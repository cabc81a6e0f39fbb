"""report.md: the alarms, the tables, the verdict on the student, and what stands behind them.

Example, its first lines:
    # PFE report

    Verdict on the student: **weak** (little lift, or no better than its untrained twin). PFE-Lift +0.4 points ...

A pure function of the metrics files and the names of things.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pfe.report.details import answers, audits, outcomes, smallest_lifts
from pfe.report.firewall import Figures, section
from pfe.report.table import Figure, Line, table
from pfe.scores.alarms import alarms
from pfe.scores.model import verdict

READINGS = {
    "strong": "a large lift, above the untrained twin in both arms: it learned to learn from context",
    "moderate": "context helps, on some benchmarks more than on others",
    "weak": "little lift, or no better than its untrained twin",
}
READING = (
    "Brackets hold 95 % intervals: Wilson's for the accuracy on a benchmark, the cluster bootstrap's for differences",
    "and averages. Lift is ICR minus canonical accuracy in percentage points, on the same problems; relative lift is",
    "the share of what canonical left to gain, with “~” where its interval is wider than it is large. Holm p is the",
    "exact McNemar test's, adjusted over the benchmarks of the model. Content lift is ICR minus the better of placebo",
    "and format. “–” means that the model was not examined there (similarity only chooses), that the arm was not",
    "run, or that the figure does not exist (relative lift at 100 % canonical). `docs/statistics.md` has the formulas.",
)
OUTCOMES = (
    "Kept: right in both arms; fixed: with the library only; broken: without it only; wrong: in neither. Recovery is",
    "the share fixed of what canonical got wrong, breakage the share broken of what it got right.",
)
ENDED = (
    "Unread: the scorer found no answer; truncated: the tokens ran out; too long: the problem alone did not fit the",
    "window, and was not asked and counts as wrong, or, among choices, lost its beginning; shortened: methods of the",
    "library were left out to make it fit.",
)


@dataclass(frozen=True)
class Metrics:
    """The metrics files and the firewall's certificate, as they are on disk."""

    canonical: Figures
    icr: Figures
    lift: Figures
    arms: Figures
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
    averages = [_average(metrics.pfe.get(model), label) for model, label in models.items()]
    return "\n\n".join([*parts, table("PFE: averages over benchmarks", averages)])


def page(
    metrics: Metrics, benchmarks: Mapping[str, str], models: Mapping[str, str], untrained: Sequence[str] = ()
) -> str:
    """The whole of report.md; `untrained` names the models that must sit at chance."""
    return "\n".join(
        [
            "# PFE report",
            "",
            *(f"**{line}**\n" for line in alarm_lines(metrics, models, untrained)),
            student_verdict(metrics),
            "",
            "```",
            tables(metrics, benchmarks, models),
            "```",
            "",
            *READING,
            "",
            smallest_lifts(metrics.lift, benchmarks),
            "",
            "## What the lifts are made of",
            "",
            *OUTCOMES,
            "",
            *_by_model(models, {name: _outcomes(metrics, name, benchmarks) for name in models}),
            "## How the answers ended",
            "",
            *ENDED,
            "",
            audits(metrics.arms, models),
            "",
            *_by_model(models, {name: _answers(metrics, name, benchmarks) for name in models}),
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


def alarm_lines(metrics: Metrics, models: Mapping[str, str], untrained: Sequence[str]) -> list[str]:
    """One line an alarm: an untrained model that is not at chance, and programs that ran without isolation."""
    lines = [
        f"ALARM: {models[model]} knows nothing, but {found}"
        for model in untrained
        for found in alarms(_accuracy(metrics, model), metrics.lift.get(model, {}))
    ]
    for model, label in models.items():
        arms = [own for figures in metrics.arms.get(model, {}).values() for own in figures["answers"].values()]
        if count := sum(own["unsafe"] for own in arms):
            lines.append(f"ALARM: {count:,} programs of {label} ran without isolation; their results can be forged")
    return lines


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
    arms = metrics.arms.get(model, {}).get(benchmark)
    relative = lift["relative"] if lift else None
    return Line(
        label,
        canonical=_figure(canonical),
        icr=_figure(icr),
        lift=_figure(lift),
        relative=relative["value"] if relative else None,
        unstable=bool(relative and relative["unstable"]),
        p=lift["holm_p"] if lift else None,
        content=_figure(arms["content_lift"]) if arms else None,
        n=(canonical or icr or {}).get("n"),
    )


def _average(average: Figures | None, label: str) -> Line:
    if not average:
        return Line(label)
    return Line(
        label,
        canonical=_figure(average["canonical"]),
        icr=_figure(average["icr"]),
        lift=_figure(average["lift"]),
        content=_figure(average["content_lift"]),
        n=(average["canonical"] or average["icr"] or {}).get("n"),
    )


def _figure(figures: Figures | None) -> Figure | None:
    return Figure(figures["value"], figures["low"], figures["high"]) if figures else None


def _accuracy(metrics: Metrics, model: str) -> dict[str, dict[str, Figures]]:
    """What `ArmScore` holds of one model, by benchmark and arm."""
    found: dict[str, dict[str, Figures]] = {}
    for name, own in metrics.arms.get(model, {}).items():
        plain = {"canonical": metrics.canonical, "icr": metrics.icr}
        found[name] = {arm: by[model][name] for arm, by in plain.items() if name in by.get(model, {})}
        found[name].update(own["accuracy"])
    return found


def _outcomes(metrics: Metrics, model: str, benchmarks: Mapping[str, str]) -> list[str]:
    return outcomes(metrics.lift.get(model, {}), metrics.arms.get(model, {}), benchmarks)


def _answers(metrics: Metrics, model: str, benchmarks: Mapping[str, str]) -> list[str]:
    return answers(metrics.arms.get(model, {}), _accuracy(metrics, model), benchmarks)


def _by_model(models: Mapping[str, str], parts: Mapping[str, list[str]]) -> list[str]:
    """The parts of the models that have one, each under the model's label."""
    return [line for model, part in parts.items() if part for line in (f"### {models[model]}", "", *part, "")]


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
