"""Write the page: all results of the experiment in one HTML file that can be sent to a colleague.

Reads: the outputs of report, judge, score, firewall, calibrate, quality, train and lookups; data/canonical (sealed),
    data/shots, data/base.parquet, data/synthetic, data/rejections, metrics/ablations.json; data/times, of no stage
Writes: report/report.html, report/problems (texts too long for the page, opened from files next to it)

    dvc repro page
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from pfe import config
from pfe.calibration.record import Rates, RejectionShares
from pfe.canonical.seal import FOLDER, SEAL, Seal, read_sealed, read_shots
from pfe.config import PARAMS, Config
from pfe.files import read_record, replacing_together, write_text
from pfe.firewall.firewall import Finding
from pfe.icr.retrieval import BASE, Entry
from pfe.models.usage import Usage
from pfe.params import written
from pfe.problem import Problem, ScoredPrediction
from pfe.quality.record import Qualities
from pfe.report import ablations
from pfe.report.corpus_change import changes
from pfe.report.held_out_ladder import lookups
from pfe.report.html import parts as part_of
from pfe.report.html.browser import Asked, browser, columns, parts
from pfe.report.html.firewall import Near, let_through
from pfe.report.html.prompts import Prompts
from pfe.report.html.provenance import Engine, Provenance
from pfe.report.html.render import render
from pfe.report.html.results import Part, results
from pfe.report.html.texts import Texts
from pfe.report.page import alarms_of, samples, untrained
from pfe.revisions import flat
from pfe.run_times import times
from pfe.scores.model import ModelScore
from pfe.screening.record import Claim, Summary
from pfe.stage import reports_mistakes, run
from pfe.symreg.competition.record import MeasuredRun
from pfe.training.curves import read_curves
from pfe.training.figures import LookUps
from pfe.training.record import Training

SCORES, SYNTHETIC = Path("data/scores"), Path("data/synthetic")
PAGE, BESIDE = Path("report/report.html"), Path("report/problems")
PLOTS = Path("report/plots")
ABLATIONS = Path("metrics/ablations.json")  # committed, written by `pfe experiments --ablations --out`
EXAMPLES = 3  # per set in the gallery


@reports_mistakes
def main() -> None:
    settings = config.load()
    scores = {name: read_record(SCORES / f"{name}.json", ModelScore) for name in settings.models}
    canonical = {name: read_sealed(name) for name in settings.benchmark}
    engines: dict[Engine, None] = {}
    usage = dict.fromkeys(settings.models, Usage())
    with replacing_together(PAGE, BESIDE) as (page, folder):
        texts, benchmarks = Texts(folder), []
        entries = Entry.read(BASE) if "retrieved" in settings.evaluate.arms else []
        for asked in _asked(settings, canonical):
            benchmarks.append(columns(asked))
            shots = read_shots(asked.name) or canonical[asked.name]
            for name, content in parts(asked, Prompts(settings, shots, entries)):
                texts.add(name, content)
            engines |= {_engine(rows[0], settings): None for rows in asked.rows.values() if rows}
            for model, rows in asked.rows.items():
                usage[model] = sum((Usage(row.tokens_in, row.tokens_out) for row in rows), usage[model])
        claim = read_record(Path("data/certificate.json"), Claim)
        sections = {
            "result": ("Result", results(scores, settings.titles, settings.labels)),
            "table": ("Table", None),
            "plots": ("Plots", None),
            "browser": ("Problems", browser(benchmarks, settings.labels, BESIDE.name)),
            "firewall": ("Firewall", _firewall(settings, canonical, claim)),
            "corpus": ("Corpus", _corpus()),
            "training": ("Training", _training(settings)),
            "competition": ("Competition", _competition(settings)),
            "provenance": ("Provenance", _provenance(settings, claim, list(engines), usage)),
        }
        whole = part_of.assembled(sections)
        content = {
            **whole.content,
            "experiment": settings.experiment,
            "alarms": alarms_of(scores, settings.labels, untrained(settings.models, settings.student)),
            "samples": samples(scores, settings.titles, settings.labels),
            "titles": settings.titles,
            "labels": settings.labels,
            "and_beside": f" and in the folder {BESIDE.name} beside it" if texts.files else "",
        }
        write_text(page, render(content, {**whole.islands, "parts": texts.held}))
    beside = f", with {BESIDE} beside it" if texts.files else ""
    print(f"{PAGE} holds all of it{beside}: open it in a browser.")


def _asked(settings: Config, canonical: dict[str, list[Problem]]) -> Iterator[Asked]:
    """Yield the answers to each benchmark."""
    for name, benchmark in settings.benchmark.items():
        rows = {model: ScoredPrediction.read(SCORES / model / f"{name}.parquet") for model in settings.models}
        yield Asked.create(name, benchmark.title, benchmark.shareable, canonical[name], rows)


def _engine(row: ScoredPrediction, settings: Config) -> Engine:
    return Engine(settings.labels[row.model], row.engine, row.weights, row.versions)


def _firewall(settings: Config, canonical: dict[str, list[Problem]], claim: Claim) -> Part:
    shown = {
        problem.id: problem.text
        for name, problems in canonical.items()
        if settings.benchmark[name].shareable
        for problem in problems
    }
    near = [
        Near(one.gate, one.verdict, one.score, one.threshold, one.problem_id, one.canonical_id, one.text)
        for path in sorted(Path("data/rejections").glob("*.parquet"))
        for one in Finding.stream(path)
    ]
    wanted = {one.problem_id for one in claim.highest_accepted.values() if one}
    accepted = {problem.id: problem.text for problem in _synthetic() if problem.id in wanted}
    return part_of.firewall(
        read_record(Path("data/firewall.json"), Summary),
        read_record(Path("data/calibration.json"), RejectionShares),
        claim,
        read_record(Path("data/plots/roc.json"), list[Rates]),
        [*near, *let_through(claim, accepted)],
        shown,
    )


def _synthetic() -> Iterator[Problem]:
    for path in sorted(SYNTHETIC.glob("*.parquet")):
        yield from Problem.stream(path)


def _corpus() -> Part:
    """Return the section on the corpus: figures of every set, and its first problems of different families."""
    gallery: dict[str, dict[str, Problem]] = {}
    for problem in _synthetic():
        families = gallery.setdefault(problem.set, {})
        if len(families) < EXAMPLES:
            families.setdefault(problem.family, problem)
    examples = {name: list(families.values()) for name, families in gallery.items()}
    return part_of.corpus(read_record(Path("data/quality.json"), Qualities), examples)


def _training(settings: Config) -> Part:
    trained = read_record(Path("data/training/figures.json"), Training)
    looked_up = lookups(read_record(Path("data/lookups.json"), dict[str, LookUps]), settings.labels)
    return part_of.training(trained, read_curves(), ablations.read(ABLATIONS), looked_up)


def _competition(settings: Config) -> Part:
    drawings = {name: (PLOTS / f"{name}.svg").read_text(encoding="utf-8") for name in part_of.DRAWINGS}
    report = Path("report/competition.md").read_text(encoding="utf-8")
    runs = MeasuredRun.read(Path("data/competition/measured.parquet"))
    return part_of.competition(report, drawings, runs, {name: one.label for name, one in settings.methods.items()})


def _provenance(settings: Config, claim: Claim, engines: list[Engine], usage: Mapping[str, Usage]) -> Part:
    certificate = read_record(Path("data/certificate.json"), dict[str, Any])
    accepted = certificate["files"]["synthetic"]
    hashes = {
        "code of the firewall": certificate["code_sha256"],
        "embedding model": f"{certificate['embedding']['model']} {certificate['embedding']['weights_sha256']}",
        "accepted problems": ", ".join(f"{name} {sha256[:12]}" for name, sha256 in accepted.items()),
    }
    here = yaml.safe_load(PARAMS.read_text(encoding="utf-8"))
    return part_of.provenance(
        Provenance(
            seals=read_record(FOLDER / SEAL, dict[str, Seal]),
            claim=claim,
            hashes=hashes,
            engines=engines,
            usage={settings.labels[name]: (used, settings.models[name].prices) for name, used in usage.items()},
            parameters=list(changes(dict(flat(yaml.safe_load(written()))), dict(flat(here)))),
            stages=times(),
        )
    )


if __name__ == "__main__":
    run(main)
