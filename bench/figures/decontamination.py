"""The firewall compared with other rules: time at full size, time and recall on known paraphrases, false positives.

Contaminated: paraphrases of GSM8K's test set, checked against that set. Clean: GSM8K's training set, checked against
the same set.
"""

import tempfile
import time
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from bench.data import CLEAN, ORIGINALS, PARAPHRASES, Data, canonical, rows, settings, texts
from bench.process import MeasurementError, ProcessRun, call
from bench.table import BenchLine, columns

GATES = {"strict": "PFE, default gates", "spec": "PFE, firewall=spec: SPEC's three checks"}
WORDS = ("ours", "loop", "written", "datatrove", "datatrove_query", "lm-eval")
_WIDTHS = (42, 13, 9, 18, 20, 20)


def figure(data: Data) -> Iterator[BenchLine | str]:
    """Yield one line per rule, and the targets of the default gates."""
    with_recall = all(path.is_file() for path in (ORIGINALS, CLEAN, PARAPHRASES))
    yield "\n" + columns(("rule", data.pairs, "peak", "paraphrases", "recall", "false positives"), _WIDTHS)
    yield "─" * (sum(_WIDTHS) + 2 * len(_WIDTHS))
    targets: list[BenchLine] = []
    if with_recall:
        with tempfile.TemporaryDirectory() as folder:
            embedding = call("bench.figures.decontamination", "embed", PFE_CACHE_DIR=folder).result
            for gates, name in GATES.items():
                run = call("bench.figures.decontamination", "gates", gates, PFE_CACHE_DIR=folder)
                yield _row(name, run, f" + {_time(embedding)}")
                targets += _targets(run.result) if gates == "strict" else []
    for name in WORDS:
        yield from _rule(name, data, with_recall)
    yield from _notes(with_recall)
    yield from targets


def _rule(name: str, data: Data, with_recall: bool) -> Iterator[str]:
    from bench.contamination_rules import RULES

    try:
        yield _row(
            RULES[name].name,
            call("bench.figures.decontamination", "rule", str(data.folder), name, str(int(with_recall))),
        )
    except MeasurementError as error:
        if "ModuleNotFoundError" not in str(error):
            raise
        yield columns((RULES[name].name, "not installed", "", "", "", ""), _WIDTHS)


def _notes(with_recall: bool) -> Iterator[str]:
    from bench.contamination_rules import has_spacy

    yield "  ~ extrapolated from a sample of the candidates. Peak: memory of the whole process, including the texts."
    if with_recall:
        yield "  Paraphrases: 1,319 of GSM8K's test set, checked against it (+ embedding). Clean: GSM8K's training set."
        yield "  datatrove and lm-eval: their own code, one core. datatrove's default: 12-grams of answers and across"
        split = "spaCy" if has_spacy() else "white space, as spaCy is not installed"
        yield f"  the end of the question; English is split by {split}."
    else:
        yield f"  {PARAPHRASES}: not found, so recall and false positives are not measured"


def _row(name: str, run: ProcessRun, embedding: str = "") -> str:
    result = run.result
    full = "" if result["full"] is None else f"{'~ ' * result['extrapolated']}{_time(result['full'])}"
    check = "" if result["check"] is None else _time(result["check"]) + embedding
    shares = (_share(result[name]) for name in ("detected", "flagged"))
    return columns((name, full, f"{run.gigabytes:.2f} GB", check, *shares), _WIDTHS)


def _targets(result: dict[str, Any]) -> Iterator[BenchLine]:
    for key, name, target in (
        ("detected", "paraphrases rejected by the default gates", "≥ 99 %"),
        ("flagged", "clean problems rejected by the default gates", "≤ 1 %"),
    ):
        hits, n = result[key]
        is_met = 100 * hits >= 99 * n if key == "detected" else 100 * hits <= n
        yield BenchLine(name, f"{100 * hits / n:.2f} %", interval(hits, n), f"{n:,}", target=target, met=is_met)
    if result["errors"]:
        yield BenchLine("  rejected because a gate could not judge", f"{result['errors']:,}")


def _time(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.2g} s"
    return f"{seconds / 60:.2g} min" if seconds < 5400 else f"{seconds / 3600:.2g} h"


def _share(hits: Sequence[int] | None) -> str:
    return "" if hits is None else f"{100 * hits[0] / hits[1]:.2f} % ({interval(*hits)})"


def interval(hits: int, n: int) -> str:
    """Return Wilson's 95 % confidence interval, in words."""
    from pfe.scores import accuracy

    share = accuracy([True] * hits + [False] * (n - hits))
    return f"{share.low:.2f}–{share.high:.2f}"


def embed() -> float:
    """Return the seconds to embed originals and paraphrases with a loaded model; embed the clean texts untimed."""
    rules = settings().firewall
    originals, paraphrases, clean = (_texts(path) for path in (ORIGINALS, PARAPHRASES, CLEAN))
    encoder = _reference([], rules).encoder
    encoder.chunks(["one text, so that the model is loaded"], "fast")
    start = time.perf_counter()
    encoder.chunks([*originals, *paraphrases], "fast")
    seconds = time.perf_counter() - start
    encoder.chunks(clean, "fast")
    return seconds


def gates(name: str) -> dict[str, Any]:
    """Return the firewall's rejections of paraphrases and of clean problems with some gates; the vectors are cached."""
    from pfe.firewall.firewall import ERROR, PASSED, screen

    rules = settings(f"firewall={name}").firewall
    originals, paraphrases, clean = rows(ORIGINALS), rows(PARAPHRASES), rows(CLEAN)
    start = time.perf_counter()
    reference = _reference(originals, rules)
    reasons = [[verdict.reason for verdict in screen(paraphrases, reference, rules).verdicts]]
    check = time.perf_counter() - start
    reasons.append([verdict.reason for verdict in screen(clean, reference, rules).verdicts])
    detected, flagged = ([sum(reason not in (PASSED, ERROR) for reason in side), len(side)] for side in reasons)
    errors = sum(reason == ERROR for side in reasons for reason in side)
    return {"full": None, "check": check, "detected": detected, "flagged": flagged, "errors": errors}


def _reference(canonical: Sequence[Any], rules: Any) -> Any:
    from pfe.screening.sealed import reference_of

    return reference_of(canonical, rules)


def rule(folder: str, name: str, with_recall: str) -> dict[str, Any]:
    """Return the time of a word-based rule at full size, and its rejections of paraphrases and of clean problems."""
    from bench.contamination_rules import RULES

    entry = RULES[name]
    result: dict[str, Any] = {
        "extrapolated": entry.sample is not None,
        "check": None,
        "detected": None,
        "flagged": None,
    }
    if int(with_recall) and entry.for_paraphrases:
        start = time.perf_counter()
        judge = entry.prepare(rows(ORIGINALS))
        detected = judge(_texts(PARAPHRASES))
        result |= {"check": time.perf_counter() - start, "detected": [sum(detected), len(detected)]}
        flagged = judge(_texts(CLEAN))
        result["flagged"] = [sum(flagged), len(flagged)]
        del judge
    return result | {"full": _full(entry, folder)}


def _full(rule: Any, folder: str) -> float:
    """Return the seconds for all candidates against all canonical problems, extrapolated from the rule's sample."""
    problems, synthetic = canonical(folder), texts(folder, "synthetic")
    sample = Random(0).sample(synthetic, min(rule.sample or len(synthetic), len(synthetic)))
    start = time.perf_counter()
    judge = rule.prepare(problems)
    prepared = time.perf_counter()
    judge(sample if rule.sample else synthetic)
    return prepared - start + (time.perf_counter() - prepared) * len(synthetic) / len(sample)


def _texts(path: Any) -> list[str]:
    return [problem.text for problem in rows(path)]
