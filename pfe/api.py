"""The Python API: `pfe.evaluate`, `pfe.check` and `pfe.judge`, which the commands `eval`, `check` and `judge` call.

Example:
    import pfe

    result = pfe.evaluate("smollm2", benchmarks=["arc_easy"], limit=20)
    print(result)                             # the table
    result.lifts.loc["arc_easy"]              # lift, low, high, n, …
    result.problems.query("arm == 'icr' and not correct")

    pfe.check([{"question": "Which tool measures air pressure?", "answer": "barometer"}], against="sample").rejected
    pfe.judge("runs.csv", rules="srbench2023").ranking
"""

import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from pfe import cache
from pfe.arms import USUAL, Arm
from pfe.config import Rules
from pfe.errors import UserError
from pfe.examination import Examination, entry_of, examine, name_of, settings_of_model
from pfe.files import write_text
from pfe.firewall.firewall import PASSED
from pfe.judging.expert import read_expert
from pfe.judging.judge import judge as verdict_of
from pfe.judging.verdict import Verdict
from pfe.params import settings_of
from pfe.report.page import tables
from pfe.report.spans import curves
from pfe.report.verdict import firmness, qualification, ranking, real_world
from pfe.report.warnings import warnings
from pfe.rows.files import data_files, files_left_out, split
from pfe.rows.hub import local
from pfe.scores.model import ModelScore
from pfe.screening.checking import Check, checked, report
from pfe.screening.files import Part, findings, screen_files, verdicts
from pfe.screening.inputs import canonical_side
from pfe.screening.sealed import reference_of
from pfe.symreg.runs import check_expert, read_runs

WORK = "screening"  # the cache folder for intermediate results of screening
BASELINE = "rules.baseline="


@dataclass(frozen=True)
class Result:
    """The outcome of `evaluate`. It prints as the table of scores, then the spans where problems have rungs.

    `examination` holds all records: the `ModelScore`, the settings and the answers.
    """

    examination: Examination

    @cached_property
    def accuracies(self) -> pd.DataFrame:
        """Return accuracy in percent (`accuracy`, 95 % CI from `low` to `high`, `n`) by benchmark and arm."""
        rows = [
            {"benchmark": name, "arm": arm, "accuracy": one.value, "low": one.low, "high": one.high, "n": one.n}
            for name, score in self.examination.score.benchmarks.items()
            for arm, one in score.arms.items()
        ]
        return pd.DataFrame(rows, columns=["benchmark", "arm", "accuracy", "low", "high", "n"]).set_index(
            ["benchmark", "arm"]
        )

    @cached_property
    def lifts(self) -> pd.DataFrame:
        """Return ICR minus canonical accuracy in points (`lift`, 95 % CI from `low` to `high`, `n`) by benchmark.

        `holm_p` is the p-value of the permutation test, Holm-adjusted over the benchmarks. `content_lift` is ICR minus
        the better control arm, in points. `content_helps` is whether both are above 0, each with an adjusted p below
        0.05.
        """
        rows = [
            {
                "benchmark": name,
                "lift": score.lift.value,
                "low": score.lift.low,
                "high": score.lift.high,
                "n": score.lift.n,
                "holm_p": score.lift.holm_p,
                "content_lift": score.content_lift.value if score.content_lift else None,
                "content_helps": score.content_helps,
            }
            for name, score in self.examination.score.benchmarks.items()
            if score.lift
        ]
        columns = ["benchmark", "lift", "low", "high", "n", "holm_p", "content_lift", "content_helps"]
        return pd.DataFrame(rows, columns=columns).set_index("benchmark")

    @cached_property
    def problems(self) -> pd.DataFrame:
        """Return one row per answer: `benchmark`, `problem_id`, `arm`, `output`, `extracted` answer, `correct`, …"""
        rows = [vars(row) for answers in self.examination.answers.values() for row in answers]
        return pd.DataFrame(rows)

    @property
    def warnings(self) -> list[str]:
        """Return one line for each arm with too many answers that were unparsed, cut, empty, or asked otherwise."""
        return warnings(*self._tabled)

    def write(self, folder: str | Path) -> None:
        """Write answers, scores and settings into a folder, for `pfe compare` and `pfe show`."""
        self.examination.write(Path(folder))

    def __str__(self) -> str:
        scores, titles, labels = self._tabled
        spans = curves(self.examination.score.benchmarks, titles)
        return "\n\n".join(filter(None, [tables(scores, titles, labels), spans]))

    @property
    def _tabled(self) -> tuple[dict[str, ModelScore], dict[str, str], dict[str, str]]:
        """Return the arguments of tables and warnings: score by model, benchmark titles, label by model."""
        one = self.examination
        return {one.name: one.score}, one.titles, {one.name: one.label}


def evaluate(
    model: str | Path,
    benchmarks: str | Sequence[str] = (),
    arms: Arm | Sequence[Arm] = USUAL,
    limit: int | None = None,
    *,
    canonical: str | Path = "sample",
    seed: int = 0,
    overrides: Sequence[str] = (),
    **entry: Any,
) -> Result:
    """Evaluate a model zero-shot and with a library in context, and score it.

    Args:
        model: a folder, a GGUF file, a name on the hub, a packaged model (smollm2), the name that a server uses, or a
            file like those in conf/model.
        benchmarks: one or several by name (default: all that `canonical` has).
        arms: the arms to ask, each with other text in front of the problems; docs/arms.md lists them.
        limit: problems per benchmark, sampled with a fixed seed (default: all).
        canonical: sample (our own problems), hub (the published benchmarks), or a folder of benchmarks.
        seed: seeds the sampling of problems, the order of the methods, and the resampling.
        overrides: any other settings, as "icr.orders=3".
        entry: entries of a model's file, such as base_url, dtype, chat_template, thinking.

    Raises:
        UserError: the model, a benchmark or a setting does not exist, or the model cannot answer.
    """
    most = "null" if limit is None else limit
    asked = ",".join(_names("arms", arms))
    changes = [f"seed={seed}", f"evaluate.limit={most}", f"evaluate.arms=[{asked}]", *_names("overrides", overrides)]
    names = _names("benchmarks", benchmarks)
    settings = settings_of_model(entry_of(str(model), **entry), str(canonical), names, changes, name_of(str(model)))
    return Result(examine(settings))


def _names(argument: str, given: Any) -> list[str]:
    """Return one name or several as a list.

    Raises:
        UserError: the argument is neither.
    """
    names = [given] if isinstance(given, str) else given
    if not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names):
        raise UserError(f"{argument}: {given!r} is no name; give one, or several in a list")
    return [*names]


@dataclass(frozen=True)
class Screened:
    """The outcome of `check`. It prints as a summary of the comparisons and rejections."""

    check: Check
    parts: tuple[Part, ...]

    @property
    def contaminated(self) -> bool:
        """Return whether any candidate was rejected or could not be judged."""
        return self.check.contaminated

    @cached_property
    def verdicts(self) -> pd.DataFrame:
        """Return one row per candidate, in order: `problem_id`, `reason` ("passed", a gate or "error"), `detail`."""
        return pd.DataFrame(map(vars, verdicts(self.parts)))

    @cached_property
    def findings(self) -> pd.DataFrame:
        """Return one row per match of a candidate with a canonical problem, with the text they share."""
        return pd.DataFrame(map(vars, findings(self.parts)))

    @property
    def rejected(self) -> list[int]:
        """Return the 0-based indices of the candidates that did not pass."""
        return [place for place, reason in enumerate(self.verdicts["reason"]) if reason != PASSED]

    def __str__(self) -> str:
        return report(self.check)


def check(
    rows: str | Path | Sequence[str | Path] | pd.DataFrame | Iterable[Mapping[str, Any]],
    against: str | Path,
    *,
    gates: str = "strict",
    columns: Mapping[str, str] | None = None,
    leave_out: Sequence[str] = (),
    overrides: Sequence[str] = (),
) -> Screened:
    """Screen training data against benchmarks, with the gates of the firewall.

    Args:
        rows: files, folders or hub data sets by name; or the rows themselves, as mappings or a DataFrame.
        against: a folder or file of problems, a benchmark's name, or sample.
        gates: a member of conf/firewall.
        columns: the content of columns ("question", "answer", …) by column name, where the name does not say it.
        leave_out: patterns of files that hold no data.
        overrides: settings of the firewall, as "threshold=0.25".

    Raises:
        UserError: a file, benchmark or setting does not exist, or nothing could be compared.
    """
    firewall = settings_of([f"firewall={gates}", *(_within("firewall", change) for change in overrides)])
    with _files(rows) as paths:
        files = data_files(paths, leave_out)
        split(files)  # a damaged file is reported before the canonical side is loaded
        side = canonical_side(str(against), firewall.benchmark, leave_out)
        reference = reference_of(side.problems, firewall.firewall)
        parts = screen_files(files, reference, firewall.firewall, cache.work_folder(WORK), dict(columns or {}))
        return Screened(checked(parts, side, files_left_out(paths, leave_out), firewall.firewall), tuple(parts))


def _within(group: str, change: str) -> str:
    """Return an override of a group of settings with the group in front of its key, whether it had it or not."""
    return re.sub(rf"^([+~]*)(?:{group}\.)?", rf"\1{group}.", change)


@contextmanager
def _files(rows: Any) -> Iterator[list[Path]]:
    """Yield the files that hold the rows: the named ones, or a temporary one that is deleted after the block."""
    if isinstance(rows, str | Path):
        yield [local(str(rows))]
        return
    if not isinstance(rows, pd.DataFrame):
        rows = list(rows)
        if rows and all(isinstance(row, str | Path) for row in rows):
            yield [local(str(row)) for row in rows]
            return
        if strange := next((row for row in rows if not isinstance(row, Mapping)), None):
            raise UserError(f"check: a row is a {type(strange).__name__}; give mappings of columns, or names of files")
    frame = rows if isinstance(rows, pd.DataFrame) else pd.DataFrame(rows)
    with _file("rows.jsonl", frame.to_json(orient="records", lines=True, force_ascii=False)) as path:
        yield [path]


@contextmanager
def _file(name: str, text: str) -> Iterator[Path]:
    """Yield a file with this name and text; it is deleted after the block."""
    with tempfile.TemporaryDirectory(prefix="pfe-") as folder:
        path = Path(folder) / name
        write_text(path, text)
        yield path


@dataclass(frozen=True)
class Judgement:
    """The outcome of `judge`. It prints as the ranking, the qualification and the stability of the order."""

    verdict: Verdict
    rules: Rules

    @cached_property
    def ranking(self) -> pd.DataFrame:
        """Return the competing methods, best first: `place`, `score`, and the mean rank in each aspect."""
        rows = [
            {"method": name, "place": standing.place, "score": standing.score, **standing.ranks}
            for name in self.verdict.order()
            if (standing := self.verdict.candidates[name].synthetic)
        ]
        return pd.DataFrame(rows, columns=None if rows else ["method", "place", "score"]).set_index("method")

    def __str__(self) -> str:
        labels = {name: name for name in self.verdict.candidates}
        parts = [
            ranking(self.verdict, self.rules, labels, {}),
            qualification(self.verdict, self.rules, labels),
            firmness(self.verdict, labels),
        ]
        if trusted := real_world(self.verdict, labels):
            parts.append(f"Real-world track, by the expert:\n\n{trusted}")
        return "\n\n".join(parts)


def judge(
    runs: str | Path | pd.DataFrame,
    rules: str = "srbench2022",
    *,
    baseline: str | None = None,
    expert: str | Path | None = None,
    overrides: Sequence[str] = (),
) -> Judgement:
    """Judge a competition of symbolic-regression methods from its table of runs.

    Args:
        runs: the table, or a file of it (CSV, TSV, JSON lines, Parquet, Arrow); docs/judging.md lists its columns.
        rules: a member of conf/rules.
        baseline: the method that the others must beat to qualify; it is not ranked (default: that of the rules).
        expert: the file of an expert's ranking of models.
        overrides: settings of the rules, as "resamples=200".

    Raises:
        UserError: a file, column, cell or rule is missing or invalid.
    """
    changes = [_within("rules", change) for change in overrides]
    # The baseline is a method in the table; it need not be in conf/method, so the composed settings never see it.
    baselines = [change.removeprefix(BASELINE) for change in changes if change.startswith(BASELINE)]
    settings = settings_of([f"rules={rules}", *(change for change in changes if not change.startswith(BASELINE))])
    book = replace(settings.rules, baseline=(baseline or [*baselines, settings.rules.baseline][0]))
    with _file("runs.csv", runs.to_csv(index=False)) if isinstance(runs, pd.DataFrame) else nullcontext(runs) as path:
        table = read_runs(Path(path), book)
    trust = read_expert(Path(expert)) if expert else None
    if expert and not trust:
        raise UserError(f"{expert}: no data set in it; write each as `name: [most trusted, …, least trusted]`")
    if trust:
        check_expert(trust, table)
    return Judgement(verdict_of(table, book, trust), book)
