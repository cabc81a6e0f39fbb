"""The Markdown report, report.md: alarms, the verdict on the student, tables of scores, and their details.

Example, its first lines:
    # PFE report

    Verdict on the student: **weak** (its lift is below 5 points). PFE-Lift +1.2 [-1.6, +4.0] points over ...

It is a pure function of the outputs of earlier stages.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pfe.calibration.record import RejectionShares
from pfe.config import Model, NewStudent, Student
from pfe.quality.record import Quality
from pfe.report.details import Scores, answers, audits, outcomes, smallest_lifts
from pfe.report.firewall import section
from pfe.report.held_out_ladder import lookups
from pfe.report.markdown import markdown
from pfe.report.named import named
from pfe.report.quality import section as section_of_quality
from pfe.report.skills import READING as READING_OF_SKILLS
from pfe.report.skills import skills
from pfe.report.spans import READING as READING_OF_SPANS
from pfe.report.spans import spans
from pfe.report.student import student_verdict
from pfe.report.table import average_line, benchmark_line, other_arms, table
from pfe.report.warnings import warnings
from pfe.scores.benchmark import Drawn
from pfe.scores.chance_checks import alarms
from pfe.scores.model import ModelScore
from pfe.scores.outcomes import Outcome
from pfe.scores.progress import TWIN
from pfe.screening.record import Claim, Summary
from pfe.training.figures import LookUps
from pfe.training.record import Training
from pfe.tutors.agreement import Agreement

READING = (
    "Canonical is the accuracy zero-shot, ICR with the library in context. Brackets are 95 % confidence intervals",
    "(CI): Wilson's for an accuracy, the randomization test's for a difference, which excludes 0 if p < 0.05. Lift is",
    "ICR minus canonical in percentage points, on the same problems. Relative lift is the lift as a share of the",
    "possible gain, with “~” if its CI is wider than its value. Holm p is the p-value of the lift, adjusted over the",
    "model's benchmarks. Content lift is ICR minus the better of placebo and format. A library's content helps if lift",
    "and content lift are above 0, each with a Holm p below 0.05; a line below the table names such models. “–” means",
    "that the model was not examined there (similarity only chooses), that the arm was not run, or that the figure",
    "does not exist (relative lift at 100 % canonical). `docs/statistics.md` has the formulas.",
)
OUTCOMES = (
    "Kept: correct in both arms. Fixed: correct with the library only. Broken: correct without it only. Wrong: correct",
    "in neither. Recovery is the share of incorrect canonical answers that the library fixed, breakage the share of",
    "correct ones that it broke.",
)
ENDED = (
    "Thinking: cut while thinking. Unread: the scorer found no answer in the text. Unanswered: the output was empty.",
    "Truncated: the token limit was reached. Too long: the problem alone did not fit the context window; it was not",
    "asked and counts as incorrect, or, with choices, lost its beginning. Shortened: methods of the library were left",
    "out so that it fits.",
)


@dataclass(frozen=True)
class ReportData:
    """The data of the report: scores by model, screening and quality of the synthetic sets, training of the student.

    `benchmarks` and `models` are titles by name; `untrained` names the models that must not be above chance. `outcomes`
    is the effect of the library on each problem, by model, benchmark and id. `lookups` holds a model's results on the
    ladder (`pfe.report.held_out_ladder`).
    """

    scores: Mapping[str, ModelScore]
    screened: Summary
    measured: RejectionShares
    claim: Claim
    agreements: Mapping[str, Agreement]
    training: Training
    quality: Mapping[str, Quality]
    benchmarks: Mapping[str, str]
    models: Mapping[str, str]
    untrained: Sequence[str] = ()
    outcomes: Mapping[str, Mapping[str, Mapping[str, Outcome]]] = field(default_factory=dict)
    lookups: Mapping[str, LookUps] = field(default_factory=dict)


def tables(scores: Mapping[str, ModelScore], benchmarks: Mapping[str, str], models: Mapping[str, str]) -> str:
    """Return one table per benchmark and, if there are several, one of the averages.

    Below the table of a benchmark are its other arms, the sample size if not all problems were asked, the models that
    the library's content helps, and warnings about figures that say little.

    Args:
        scores: by model.
        benchmarks: their titles by name.
        models: their labels by name.
    """
    by_model = {label: scores[model] for model, label in models.items()}
    parts = []
    for name, title in benchmarks.items():
        by_label = {label: score.benchmarks.get(name) for label, score in by_model.items()}
        lines = [benchmark_line(label, score) for label, score in by_label.items()]
        helped = [label for label, score in by_label.items() if score and score.content_helps]
        asked = [samples(scores, {name: title}, models), helped_by_content(helped)]
        notes = [*filter(None, asked), *warnings(scores, {name: title}, models)]
        parts.append("\n".join([table(f"Benchmark: {title}", lines), *other_arms(by_label), *notes]))
    if len(benchmarks) > 1:
        averages = [average_line(label, score.averages) for label, score in by_model.items()]
        helped = [label for label, score in by_model.items() if score.averages.content_helps]
        average_table = table("PFE: averages over benchmarks", averages)
        parts.append("\n".join(filter(None, [average_table, helped_by_content(helped)])))
    return "\n\n".join(parts)


def helped_by_content(labels: Sequence[str]) -> str:
    """Return a sentence with the models that a library's content helps; empty if there are none."""
    return f"The library's content helps: {', '.join(labels)}." if labels else ""


def page(experiment: ReportData) -> str:
    """Return the whole of report.md."""
    scores, benchmarks, models = experiment.scores, experiment.benchmarks, experiment.models
    parts = [
        "# PFE report",
        *(f"**{line}**" for line in alarm_lines(experiment)),
        student_verdict(scores),
        *filter(None, [samples(scores, benchmarks, models)]),
        f"```\n{tables(scores, benchmarks, models)}\n```",
        "\n".join(READING),
        smallest_lifts(scores, benchmarks),
        "## What the lifts are made of",
        "\n".join(OUTCOMES),
        *_by_model(experiment, outcomes),
        *_named(experiment),
        *_invented(experiment),
        *_spans(experiment),
        *_lookups(experiment),
        "## How the answers ended",
        "\n".join(ENDED),
        audits(scores, models),
        *_by_model(experiment, answers),
        "## The corpus of the student",
        *_corpus(experiment),
        "## How good the corpus is",
        *section_of_quality(experiment.quality),
        "## What the firewall catches",
        *section(experiment.screened, experiment.measured, experiment.claim),
    ]
    return "\n\n".join(parts) + "\n"


def _named(experiment: ReportData) -> list[str]:
    """Return the section on the problems that were fixed and broken."""
    texts = {
        label: named(model, experiment.outcomes.get(model, {}), experiment.benchmarks)
        for model, label in experiment.models.items()
    }
    parts = [f"### {label}\n\n{text}" for label, text in texts.items() if text]
    return ["## Which problems the library fixed and broke", *parts] if parts else []


def _invented(experiment: ReportData) -> list[str]:
    by_model = _by_model(experiment, skills)
    return ["## Problems that need their library", READING_OF_SKILLS, *by_model] if by_model else []


def _spans(experiment: ReportData) -> list[str]:
    by_model = _by_model(experiment, spans)
    return ["## How many statements a model reads", READING_OF_SPANS, *by_model] if by_model else []


def _lookups(experiment: ReportData) -> list[str]:
    text = lookups(experiment.lookups, experiment.models)
    return ["## The ladder, in families kept from training", text] if text else []


def untrained(models: Mapping[str, Model], student: Student) -> list[str]:
    """Return the models that must not be above chance: the chance baseline, and models with random weights."""
    random = isinstance(student, NewStudent)
    return [name for name, one in models.items() if one.kind == "chance" or (random and name == TWIN)]


def alarm_lines(experiment: ReportData) -> list[str]:
    """Return one line per alarm: an alarm on an untrained model, or programs that ran without isolation."""
    return alarms_of(experiment.scores, experiment.models, experiment.untrained)


def alarms_of(scores: Mapping[str, ModelScore], models: Mapping[str, str], untrained: Sequence[str]) -> list[str]:
    """Return the lines of `alarm_lines`.

    Args:
        scores: by model.
        models: their titles by name.
        untrained: the models that must not be above chance.
    """
    lines = [
        f"ALARM: {models[model]} knows nothing, but {alarm}"
        for model in untrained
        for alarm in alarms(scores[model].benchmarks)
    ]
    for model, label in models.items():
        arms = [answers for score in scores[model].benchmarks.values() for answers in score.answers.values()]
        if count := sum(answers.unsafe for answers in arms):
            lines.append(f"ALARM: {count:,} programs of {label} ran without isolation; their results can be forged")
    return lines


def samples(scores: Mapping[str, ModelScore], benchmarks: Mapping[str, str], models: Mapping[str, str]) -> str:
    """Return the sample sizes of partly asked benchmarks, and of models that were asked fewer problems; else "".

    Args:
        scores: by model.
        benchmarks: their titles by name.
        models: their labels by name.
    """
    drawn = {
        title: {
            label: scores[model].benchmarks[name].drawn
            for model, label in models.items()
            if name in scores[model].benchmarks
        }
        for name, title in benchmarks.items()
    }
    most = {title: max(by_label.values(), key=_size, default=None) for title, by_label in drawn.items()}
    parts = [f"{title} {sample.n:,} of {sample.of:,}" for title, sample in most.items() if sample]
    lines = [f"Sampled with a fixed seed, equally for every model and arm: {', '.join(parts)}."] if parts else []
    for label in models.values():
        fewer = [
            f"{title} {sample.n:,}" + ("" if most[title] else f" of {sample.of:,}")
            for title, by_label in drawn.items()
            if (sample := by_label.get(label)) and sample != most[title]
        ]
        lines += [f"{label} was evaluated on fewer, sampled with a fixed seed: {', '.join(fewer)}."] if fewer else []
    return "\n".join(lines)


def _size(drawn: Drawn | None) -> float:
    return drawn.n if drawn else math.inf


def _by_model(experiment: ReportData, part: Callable[[Scores, Mapping[str, str]], str]) -> list[str]:
    """Return the text of `part` for each model that has one, under a heading with the model's label."""
    texts = {
        label: part(experiment.scores[model].benchmarks, experiment.benchmarks)
        for model, label in experiment.models.items()
    }
    return [f"### {label}\n\n{text}" for label, text in texts.items() if text]


def _corpus(experiment: ReportData) -> list[str]:
    rows = []
    for name, counts in experiment.screened.sets.items():
        keys = experiment.agreements[name]
        short = f" ({counts.short} short)" if counts.short else ""
        rejected, accepted = sum(counts.rejected.values()), f"{counts.accepted}{short}"
        rows.append([name, f"{counts.candidates}", f"{rejected}", accepted, f"{counts.target}", keys.words])
    train = experiment.training
    return [
        markdown(["set", "candidates", "rejected", "accepted", "target", "answer keys"], rows),
        f"The student has {train.parameters:,} parameters and took {train.steps:,} steps over {train.lessons:,} "
        f"lessons: loss {train.first_loss:.2f} → {train.loss:.2f} nats per token.",
    ]
