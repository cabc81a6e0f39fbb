"""Examine a model, bare and behind the method libraries, and print the table: accuracy, lift, intervals.

    pfe eval smollm2 --limit 20                              # SmolLM2-135M-Instruct, from a package: needs no network
    pfe eval path/to/folder                                  # Hugging Face weights or an adapter, on our own sample
    pfe eval path/to/model.gguf                              # a file of llama.cpp's format
    pfe eval owner/model --benchmark arc_easy,gsm1k --limit 50
    pfe eval owner/model --canonical hub --benchmark race    # the published benchmark, from the Hugging Face hub
    pfe eval path/to/folder --canonical FOLDER --arms canonical,icr,placebo,format
    pfe eval llama3 --base-url http://localhost:8000/v1      # a server that speaks the OpenAI protocol
    pfe eval all-MiniLM-L6-v2 --limit 20                     # sentence embeddings, which come with PFE

The answers and scores are written to a new folder (--out), from which `pfe compare` reads them. Interrupted, it goes on
from the answers it had when it is called again. Our own sample shows that everything works; what a model knows of the
published benchmarks, only they show.
"""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from pfe.config import Config
    from pfe.scores.model import ModelScore

SOURCES = ("sample", "hub")
KINDS, DTYPES = ("auto", "huggingface", "vllm", "embedding", "chance"), ("auto", "float32", "bfloat16")
ARMS = "canonical,icr,placebo"
# The settings that -S names and an option says.
SETTINGS = {
    "--benchmark": ("benchmark",),
    "--limit": ("evaluate.limit",),
    "--arms": ("evaluate.arms",),
    "--seed": ("seed",),
    "--canonical": ("canonical", "canonical.path", "canonical.source"),
}


def main(
    path: Annotated[str, typer.Argument(help="a folder, a name on the hub, or what a server calls it")],
    benchmark: Annotated[str | None, typer.Option(help="which, with commas between; else all there are")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="problems of each benchmark, drawn by seed")] = None,
    arms: Annotated[str | None, typer.Option(help=f"with commas between, of docs/arms.md; else {ARMS}")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="draws problems, orders and resamples; else 0")] = None,
    canonical: Annotated[str | None, typer.Option(help="sample (if not given), hub, or a folder of benchmarks")] = None,
    out: Annotated[Path | None, typer.Option(help="a new folder for answers and scores; else pfe-eval-NAME")] = None,
    base_url: Annotated[str | None, typer.Option(help="the server that has the model")] = None,
    key_variable: Annotated[str | None, typer.Option(help="the environment variable that holds its key")] = None,
    kind: Annotated[str, typer.Option(help="auto, huggingface, vllm, embedding (nearest choice), chance")] = "auto",
    revision: Annotated[str | None, typer.Option(help="of a model on the hub")] = None,
    dtype: Annotated[str, typer.Option(help="float32, bfloat16, or auto: the faster one here")] = "auto",
    changes: Annotated[list[str] | None, typer.Option("-S", metavar="KEY=VALUE", help="any other setting")] = None,
) -> None:
    """Examine the model, score it, write what came of it and print the table."""
    from pfe.config import Arm
    from pfe.files import new_folder
    from pfe.report.page import tables
    from pfe.terminal import plain

    check_allowed("--kind", kind, KINDS)
    check_allowed("--dtype", dtype, DTYPES)
    model = {"kind": _kind(path, kind, base_url), "label": label_of(path), "depends": "", "path": path,
             "base_url": base_url, "key_variable": key_variable, "revision": revision, "dtype": dtype}  # fmt: skip
    given = {"--benchmark": benchmark, "--limit": limit, "--arms": arms, "--seed": seed, "--canonical": canonical}
    check_changes([option for option, value in given.items() if value is not None], changes or ())
    most = "null" if limit is None else limit
    chosen_arms = ",".join(listed("--arms", arms or ARMS, get_args(Arm)))
    overrides = [f"seed={seed or 0}", f"evaluate.limit={most}", f"evaluate.arms=[{chosen_arms}]", *(changes or ())]
    benchmarks = ",".join(listed("--benchmark", benchmark, benchmark_names())) if benchmark else ""
    settings = settings_for(model, canonical or "sample", benchmarks, overrides)
    (name,) = settings.models
    folder = out or Path(f"pfe-eval-{name}")
    with new_folder(folder, "--out") as result:
        score = _examine(name, settings, result)
    titles = {key: settings.titles[key] for key in score.benchmarks}
    print(plain(tables({name: score}, titles, {name: settings.models[name].label})))
    print(plain(f"\n{folder} holds the answers and the scores."))


def _kind(path: str, kind: str, base_url: str | None) -> str:
    """What opens the model: a server where one is named, else what was asked for, or what the path is."""
    from pfe.models.load import kind_of

    if base_url:
        return "openai"
    return kind_of(path) if kind == "auto" else kind


def listed(option: str, text: str, allowed: "Collection[str]") -> list[str]:
    """The names in the value of an option, with commas between.

    Raises:
        UserError: one is empty, given twice, or not allowed.
    """
    from pfe.errors import UserError

    names = [name.strip() for name in text.split(",")]
    for place, name in enumerate(names):
        if not name:
            raise UserError(f"{option} {text}: a name is empty; give names with commas between")
        check_allowed(option, name, allowed)
        if name in names[:place]:
            raise UserError(f"{option}: '{name}' stands there twice; give it once")
    return names


def check_allowed(option: str, value: str, allowed: "Collection[str]") -> None:
    """Raises UserError where an option's value is not allowed."""
    from pfe.errors import UserError, nearest

    if value not in allowed:
        raise UserError(f"{option}: unknown value '{value}'; {nearest(value, allowed)}")


def check_changes(options: "Collection[str]", changes: "Sequence[str]") -> None:
    """That no change by -S is of what an option says, or of the model, which PATH and options say.

    Raises:
        UserError: one is.
    """
    from pfe.errors import UserError

    for change in changes:
        key = change.lstrip("+~").partition("=")[0]
        if re.match(r"models?(\.|$)", key):
            raise UserError(f"-S {change}: the model is what PATH and the options say of it; leave this out")
        for option in options:
            if key in SETTINGS[option]:
                raise UserError(f"{option} and -S {change} say the same thing twice; give one of them")


def benchmark_names() -> list[str]:
    """The benchmarks that conf/ knows."""
    from pfe.config import conf_folder

    return sorted(path.stem for path in (conf_folder() / "benchmark").glob("*.yaml"))


def settings_for(model: dict[str, Any], canonical: str, benchmarks: str, overrides: list[str]) -> "Config":
    """The configuration of one examination: that of `conf_folder`, with one model and the benchmarks that are there.

    Args:
        model: its entry, as in conf/model.
        canonical: a source by name, or a folder of benchmarks.
        benchmarks: names with commas between; empty for all that the source has.

    Raises:
        UserError: a name or value is none, or the folder has no benchmark.
    """
    from pfe import config
    from pfe.errors import UserError
    from pfe.params import composed

    conf = config.conf_folder()
    folder = None if canonical in SOURCES else Path(canonical)
    if folder and not folder.is_dir():
        raise UserError(f"--canonical: no folder {folder}; give sample, hub, or a folder of benchmarks")
    names = benchmarks or (",".join(_benchmarks_in(folder)) if folder else "")
    selection = [f"canonical={'files' if folder else canonical}", *([f"benchmark=[{names}]"] if names else [])]
    values = composed([*selection, *overrides], conf)
    values["models"] = {name_of(str(model["path"])): model}
    for part in (values["canonical"], *values["benchmark"].values()):  # what comes with conf/ lies beside it
        if part.get("path") and (conf.parent / part["path"]).exists():
            part["path"] = str(conf.parent / part["path"])
    if folder:
        values["canonical"]["path"] = canonical
        values["benchmark"] |= {name: values["benchmark"][name] | {"path": None} for name in names.split(",")}
    return config.parse(values, "pfe eval", conf)


def _examine(name: str, settings: "Config", folder: Path) -> "ModelScore":
    """The scores of the one model; they, its scored answers and the settings are written to a folder."""
    import sys
    import time

    from pfe.canonical.sources import POOL, hub_errors_with, load_shots, problems_of
    from pfe.evaluation.runner import examinations, summary
    from pfe.files import write_record, write_text
    from pfe.models.load import examinee
    from pfe.problem import ScoredPrediction
    from pfe.scores.benchmark import Drawn, score_benchmark
    from pfe.scores.model import score_model
    from pfe.scores.scored import score_predictions
    from pfe.tutors.base import base

    with hub_errors_with("--canonical FOLDER"):
        sealed = {benchmark: problems_of(benchmark, settings) for benchmark in settings.benchmark}
        with_shots = settings.benchmark if "reference" in settings.evaluate.arms else {}
        solved = {key: load_shots(key, entry, settings.canonical, POOL) for key, entry in with_shots.items()}
    entries = base() if "retrieved" in settings.evaluate.arms else []
    candidate = examinee(name, settings.models[name], settings.seed)
    scores, start = {}, time.monotonic()
    for benchmark, predictions in examinations(candidate, name, settings, sealed, solved, entries):
        print(f"{benchmark:<14} {summary(predictions, time.monotonic() - start)}", file=sys.stderr)
        entry = settings.benchmark[benchmark]
        rows = score_predictions(predictions, sealed[benchmark], entry, settings.evaluate.unsafe_code)
        ScoredPrediction.write(rows, folder / f"answers/{benchmark}.parquet")
        drawn = Drawn.create(settings.evaluate.limit, len(sealed[benchmark]))
        scores[benchmark], start = score_benchmark(rows, settings.seed, drawn=drawn), time.monotonic()
    examined = {benchmark: score for benchmark, score in scores.items() if score is not None}
    score = score_model(examined, settings.beside)
    write_record(folder / "scores.json", score)
    write_text(folder / "params.yaml", settings_text(settings))
    return score


def settings_text(settings: "Config") -> str:
    """The whole of the settings as the text of a params.yaml."""
    import yaml
    from pydantic import TypeAdapter

    from pfe.config import Config

    text: str = yaml.safe_dump(TypeAdapter(Config).dump_python(settings, mode="json"))
    return text


def label_of(path: str) -> str:
    """What a model is called in tables, by its package or its path's last part."""
    from pfe.models.packaged import packaged

    model = packaged(path)
    name = model.label if model else Path(path).name.removesuffix(".gguf")
    return re.sub(r"[|`\x00-\x1f\x7f]+", " ", name).strip()[:60] or "model"


def name_of(path: str) -> str:
    """A model's name, of its path's last part: letters, digits, _ and -."""
    return re.sub(r"[^A-Za-z0-9_-]+", "-", Path(path).name.removesuffix(".gguf")).strip("-")[:64] or "model"


def _benchmarks_in(folder: Path) -> list[str]:
    """The benchmarks that conf/ knows and a folder has, as a folder each or under its seal."""
    from pfe.errors import UserError

    allowed = benchmark_names()
    names = [name for name in allowed if (folder / name).is_dir() or (folder / f"{name}.parquet").is_file()]
    if not names:
        raise UserError(f"{folder}: holds no benchmark, as a folder or sealed; its name would be {', '.join(allowed)}")
    return names
