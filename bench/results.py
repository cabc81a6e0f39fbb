"""Evaluate the models of docs/results.md on the published benchmarks, and write metrics/results.json.

    make results CANONICAL=../shared/canonical    # about ten hours on two cores
    make results CANONICAL=… LIMIT=200            # a sample of each benchmark, two hours; larger runs reuse it
    python -m bench.results … --benchmarks arc_easy,hellaswag
    python -m bench.results --tables              # write the tables of docs/results.md and README.md

CANONICAL is a folder with one subfolder per benchmark, as in `pfe eval --canonical`. The texts of the benchmarks are
not copied: the answers are saved in data/results, which git ignores, and the figures in metrics/results.json. That file
is written after every model and benchmark. A later run, on any machine, skips the pairs in it; delete the file to
evaluate everything again. FnCall and Invented are our own benchmarks and come with the repository.
"""

import argparse
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import pfe
from bench.process import ROOT, processor
from bench.scripted_readers import reader_spans
from pfe.arms import Arm
from pfe.config import read_yaml
from pfe.files import new_folder, read_record, write_json, write_text
from pfe.problem import SKILLS
from pfe.report.markdown import markdown
from pfe.report.table import p_value
from pfe.scored_answers import ScoredAnswers
from pfe.scores.benchmark import BenchmarkScore, ContentLift
from pfe.scores.endings import doubts
from pfe.scores.model import ModelScore, holm
from pfe.scores.paired import Lift
from pfe.scores.spans import Spans
from pfe.stage import reports_mistakes

ANSWERS = ROOT / "data/results"
FIGURES = ROOT / "metrics/results.json"
PAGES = (ROOT / "docs/results.md", ROOT / "README.md")
ARMS: tuple[Arm, ...] = ("canonical", "icr", "placebo", "format")
LADDER: tuple[Arm, ...] = ("canonical", "icr")  # of Invented, which is scored by the span
SAMPLE = 1000  # problems of each benchmark that is sampled
RETRIEVED = 100  # problems of every benchmark in the arm `retrieved`, whose contexts share no prefix
WHOLE = ("arc_easy", "arc_challenge", "winogrande", "gsm1k", "mbpp")
SAMPLED = ("hellaswag", "boolq", "trivia_qa", "race")
OURS = ("fncall", "invented")
BENCHMARKS = (*WHOLE, *SAMPLED, *OURS)
# SmolLM2-135M-Instruct, zero-shot, by its model card (HuggingFaceTB/SmolLM2-135M-Instruct, "Evaluation"; lighteval).
PUBLISHED: Mapping[str, tuple[Sequence[str], float]] = {
    "HellaSwag": (("hellaswag",), 40.9),
    "ARC, mean of Easy and Challenge": (("arc_easy", "arc_challenge"), 37.3),
}
TITLES = {
    "canonical": "zero-shot",
    "icr": "library",
    "placebo": "placebo",
    "format": "format",
}


@dataclass(frozen=True)
class Examinee:
    """An entry of the page: a model's file in conf/model, its arms, its benchmarks, and a change of `chat_template`.

    `limit` is the maximum number of problems of each benchmark. `least` is the minimum number, even if a run is limited
    to fewer.
    """

    file: str
    arms: Sequence[Arm] = ARMS
    benchmarks: Sequence[str] = BENCHMARKS
    chat_template: bool | None = None
    limit: int | None = None
    least: int = 0

    def most(self, benchmark: str, limit: int | None) -> int | None:
        """Return the maximum number of problems of a benchmark in a run with this limit; None for all problems."""
        limits = [self.limit, SAMPLE if benchmark in SAMPLED else None, limit and max(limit, self.least)]
        return min((one for one in limits if one), default=None)


# `plain` is evaluated like SmolLM2's published figures, without its chat template.
MODELS: Mapping[str, Examinee] = {
    "smollm2": Examinee("smollm2"),
    "retrieved": Examinee("smollm2", ("canonical", "icr", "retrieved"), BENCHMARKS[:-1], limit=RETRIEVED),
    "plain": Examinee("smollm2", ("canonical",), ("hellaswag", "arc_easy", "arc_challenge"), False, least=SAMPLE),
    "minilm": Examinee("minilm"),
    "reference": Examinee("reference"),
    "chance": Examinee("chance", ("canonical",)),
}


@reports_mistakes
def main(arguments: list[str]) -> None:
    """Evaluate the models that have no figures yet, and write the figures and their tables."""
    parser = argparse.ArgumentParser(prog="python -m bench.results", description=__doc__.partition("\n")[0])
    parser.add_argument("canonical", nargs="?", type=Path, help="folder of the published benchmarks")
    parser.add_argument("--limit", type=int, help="maximum number of problems per benchmark, sampled with a fixed seed")
    parser.add_argument(
        "--benchmarks", default=",".join(BENCHMARKS), help="comma-separated benchmark names (default: all)"
    )
    parser.add_argument("--tables", action="store_true", help="write the tables without evaluating")
    options = parser.parse_args(arguments)
    if options.canonical is None and not options.tables:
        parser.error("give the folder of the published benchmarks, or --tables")
    if unknown := [name for name in options.benchmarks.split(",") if name not in BENCHMARKS]:
        parser.error(f"--benchmarks: unknown benchmark '{unknown[0]}'; allowed: {', '.join(BENCHMARKS)}")
    if not options.tables:
        examine(options.canonical, options.benchmarks.split(","), options.limit)
    for page in PAGES:
        write_text(page, with_tables(page.read_text(encoding="utf-8"), read_figures()))
    print(f"wrote the tables of {' and '.join(str(page.relative_to(ROOT)) for page in PAGES)} from {FIGURES.name}")


def examine(canonical: Path, benchmarks: Collection[str], limit: int | None) -> None:
    """Evaluate every model on some benchmarks, one after the other, unless metrics/results.json has the figures."""
    if "invented" in benchmarks:
        results = read_figures()
        for reader, spans in reader_spans().items():
            results["labels"][reader] = reader
            results["figures"][reader] = {"invented": {"spans": spans_figures(spans)}}
        write_json(FIGURES, results)
    for benchmark in benchmarks:
        for name, model in reversed([*MODELS.items()]):  # the fastest first
            results = read_figures()
            previous = results["figures"].setdefault(name, {}).get(benchmark)
            most = model.most(benchmark, limit)
            if benchmark not in model.benchmarks or (previous and not _is_more(most, previous["limit"])):
                continue
            folder = ANSWERS / name / f"{benchmark}-{most or 'all'}"
            print(folder.relative_to(ANSWERS), file=sys.stderr, flush=True)
            start = time.monotonic()
            if not folder.is_dir():
                _evaluate(folder, model, benchmark, canonical, most)
            score = read_record(folder / "scores.json", ModelScore).benchmarks.get(benchmark)
            (entry,) = ScoredAnswers.find(str(folder)).settings.models.values()
            results["labels"][name] = entry.label
            if score is not None:
                seconds = round(time.monotonic() - start)
                results["figures"][name][benchmark] = _figures(score) | {"limit": most, "seconds": seconds} | _source()
                write_json(FIGURES, results)


def _is_more(most: int | None, previous: int | None) -> bool:
    return previous is not None and (most is None or most > previous)


def _evaluate(folder: Path, model: Examinee, benchmark: str, canonical: Path, most: int | None) -> None:
    """Evaluate a model on a benchmark, and write the result to a folder."""
    changes: dict[str, Any] = {} if model.chat_template is None else {"chat_template": model.chat_template}
    with new_folder(folder, "data/results") as place:
        result = pfe.evaluate(
            ROOT / f"conf/model/{model.file}.yaml",
            [benchmark],
            [arm for arm in model.arms if arm in LADDER] if benchmark == "invented" else model.arms,
            most,
            canonical="sample" if benchmark in OURS else canonical,
            **changes,
        )
        result.write(place)


def _figures(score: BenchmarkScore) -> dict[str, Any]:
    return {
        "of": score.drawn.of if score.drawn else score.arms["canonical"].n,
        "arms": {
            arm: {"accuracy": one.value, "low": one.low, "high": one.high, "n": one.n, "chance": one.chance}
            | ({"norm": one.norm.value} if one.norm else {})
            for arm, one in score.arms.items()
        },
        **{name: _difference(getattr(score, name)) for name in ("lift", "content_lift")},
        **({"spans": spans_figures(score.spans)} if score.spans else {}),
        "doubts": {
            arm: [*map(asdict, found)] for arm, one in score.answers.items() if (found := doubts(vars(one), one.n))
        },
    }


def _difference(figure: Lift | ContentLift | None) -> dict[str, float | int] | None:
    if figure is None:
        return None
    return {
        "value": figure.value,
        "low": figure.low,
        "high": figure.high,
        "n": figure.n,
        "p": figure.p,
    }


def spans_figures(spans: Spans) -> dict[str, Any]:
    """Return the span of each skill and their mean, with the accuracies in percent by number of statements."""
    return {
        "mean": asdict(spans.mean) if spans.mean else None,
        "skills": {
            skill: asdict(span) | {"accuracies": {str(rung): one.value for rung, one in spans.rungs[skill].items()}}
            for skill, span in spans.skills.items()
        },
    }


def _source() -> dict[str, str]:
    """Return the provenance of the figures: the commit of the code, and the processor."""
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    return {"commit": commit, "processor": processor()}


def read_figures() -> dict[str, Any]:
    """Return the content of metrics/results.json, if it exists, otherwise empty figures."""
    if not FIGURES.exists():
        return {"labels": {}, "figures": {}}
    figures: dict[str, Any] = json.loads(FIGURES.read_text(encoding="utf-8"))
    return figures


def arms_table(results: Mapping[str, Any]) -> str:
    """Return SmolLM2's accuracy in percent by benchmark and arm, as Markdown; “?” marks arms with doubtful answers."""
    rows = [
        [
            benchmark_title(name),
            f"{one['arms']['canonical']['n']:,}",
            f"{one['arms']['canonical']['chance']:.1f}",
            *_accuracies(one),
        ]
        for name, one in _of("smollm2", results)
    ]
    return _table(["Benchmark", "n", "Chance", *TITLES.values()], rows)


def lifts_table(results: Mapping[str, Any]) -> str:
    """Return SmolLM2's lift and content lift in points with 95 % confidence intervals, as Markdown."""
    found = {name: one for name, one in _of("smollm2", results) if one["lift"]}
    holm_p = holm({name: one["lift"]["p"] for name, one in found.items()})
    rows = [
        [benchmark_title(name), *(_interval(one[key]) for key in ("lift", "content_lift")), p_value(holm_p[name])]
        for name, one in found.items()
    ]
    return _table(["Benchmark", "Lift (95 % CI)", "Content lift (95 % CI)", "Holm p of the lift"], rows)


def models_table(results: Mapping[str, Any]) -> str:
    """Return the accuracy of every model zero-shot and with the library in context, as Markdown."""
    models = [name for name in MODELS if name not in ("plain", "retrieved") and name in results["labels"]]
    head = ["Benchmark", *(f"{results['labels'][name]}" for name in models)]
    rows = []
    for benchmark, _ in _of("smollm2", results):
        cells = []
        for name in models:
            arms = results["figures"].get(name, {}).get(benchmark, {}).get("arms", {})
            cells.append(
                " / ".join(f"{arms[arm]['accuracy']:.1f}" for arm in ("canonical", "icr") if arm in arms) or "–"
            )
        rows.append([benchmark_title(benchmark), *cells])
    return _table(head, rows)


def first_table(results: Mapping[str, Any]) -> str:
    """Return the table of README.md: SmolLM2 in three arms, compared with chance and the similarity of embeddings."""
    rows = []
    for name, one in _of("smollm2", results):
        minilm = results["figures"].get("minilm", {}).get(name, {}).get("arms", {})
        arms = one["arms"]
        rows.append(
            [
                benchmark_title(name),
                f"{arms['canonical']['n']:,}",
                f"{arms['canonical']['chance']:.1f}",
                f"{minilm['canonical']['accuracy']:.1f}" if minilm else "–",
                *(f"{arms[arm]['accuracy']:.1f}" for arm in ("canonical", "icr", "placebo") if arm in arms),
                _interval(one["lift"]),
            ]
        )
    head = [
        "Benchmark",
        "n",
        "Chance",
        "MiniLM",
        "SmolLM2, zero-shot",
        "with library",
        "with placebo",
        "Lift (95 % CI)",
    ]
    return _table(head, rows)


def published_table(results: Mapping[str, Any]) -> str:
    """Return SmolLM2's published accuracies next to ours, which are measured without its chat template, as Markdown."""
    ours = {name: one["arms"]["canonical"] for name, one in _of("plain", results)}
    rows = []
    for title, (names, published) in PUBLISHED.items():
        found = [ours[name] for name in names if name in ours]
        if len(found) == len(names):
            means = [fmean(one[key] for one in found) for key in ("norm", "accuracy")]
            rows.append(
                [title, f"{published:.1f}", *(f"{mean:.1f}" for mean in means), f"{sum(one['n'] for one in found):,}"]
            )
    return _table(["Benchmark", "published", "ours, per character", "ours, whole", "n"], rows)


def retrieved_table(results: Mapping[str, Any]) -> str:
    """Return SmolLM2's accuracy zero-shot, with the library and with passages retrieved per problem, as Markdown."""
    rows = []
    for name, one in _of("retrieved", results):
        arms = one["arms"]
        cells = [f"{arms[arm]['accuracy']:.1f}" if arm in arms else "–" for arm in ("canonical", "icr", "retrieved")]
        rows.append([benchmark_title(name), f"{arms['canonical']['n']:,}", *cells])
    return _table(["Benchmark", "n", "zero-shot", "library", "retrieved"], rows)


def spans_table(results: Mapping[str, Any]) -> str:
    """Return the span of each skill in statements, by model, with their geometric mean, as Markdown."""
    rows = []
    for label, spans in _spans(results):
        mean = spans["mean"]
        cells = [_span(spans["skills"][skill]) if skill in spans["skills"] else "–" for skill in SKILLS]
        rows.append([label, *cells, f"{mean['value']:.1f} [{mean['low']:.1f}, {mean['high']:.1f}]" if mean else "–"])
    return _table(["", *SKILLS, "PFE-Span (95 % CI)"], rows)


def curves_table(results: Mapping[str, Any]) -> str:
    """Return the accuracies in percent with the library in context by skill and number of statements, as Markdown."""
    rows = [
        [label, *(_curve(spans["skills"][skill]) if skill in spans["skills"] else "–" for skill in SKILLS)]
        for label, spans in _spans(results)
    ]
    return _table(["", *SKILLS], rows)


def _curve(span: Mapping[str, Any]) -> str:
    accuracies = span["accuracies"]
    return " ".join(f"{accuracies[rung]:.0f}" for rung in sorted(accuracies, key=int))


def _spans(results: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the label and spans of every model and reader that was evaluated on `invented`."""
    evaluated = {name: by_benchmark.get("invented", {}) for name, by_benchmark in results["figures"].items()}
    return [(results["labels"][name], one["spans"]) for name, one in evaluated.items() if one.get("spans")]


def _span(span: Mapping[str, Any]) -> str:
    if span["below"]:
        return f"<{span['smallest']}"
    return f">{span['largest']}" if span["above"] else f"{span['value']:.0f}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return markdown(head, rows) if rows else "Not evaluated yet."


def _of(model: str, results: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the figures of a model by benchmark, in the order of the pages."""
    figures = results["figures"].get(model, {})
    return [(name, figures[name]) for name in BENCHMARKS if name in figures]


# By the name in the marker before each table in PAGES.
TABLES: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "first": first_table,
    "arms": arms_table,
    "lifts": lifts_table,
    "published": published_table,
    "retrieved": retrieved_table,
    "models": models_table,
    "spans": spans_table,
    "curves": curves_table,
}


def with_tables(page: str, results: Mapping[str, Any]) -> str:
    """Return a page with regenerated tables, each between its markers: <!-- results: NAME --> and <!-- /results -->."""
    return re.sub(
        r"(<!-- results: (\w+) -->\n).*?(<!-- /results -->)",
        lambda found: f"{found[1]}{TABLES[found[2]](results)}\n{found[3]}",
        page,
        flags=re.DOTALL,
    )


def benchmark_title(name: str) -> str:
    """Return the title of a benchmark."""
    title: str = read_yaml(ROOT / f"conf/benchmark/{name}.yaml")["title"]
    return title


def _accuracies(one: Mapping[str, Any]) -> Iterator[str]:
    for arm in TITLES:
        figure = one["arms"].get(arm)
        yield "–" if figure is None else f"{figure['accuracy']:.1f}" + (" ?" if one["doubts"].get(arm) else "")


def _interval(figure: Mapping[str, Any] | None) -> str:
    return "–" if figure is None else f"{figure['value']:+.1f} [{figure['low']:+.1f}, {figure['high']:+.1f}]"


if __name__ == "__main__":
    main(sys.argv[1:])
