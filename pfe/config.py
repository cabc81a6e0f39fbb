"""The composed configuration (params.yaml) as typed, frozen dataclasses.

Example: `load().firewall.threshold` is 0.3; `-S +firewall.treshold=0.25` ends with
"params.yaml: firewall.treshold: unknown key; did you mean 'threshold'?"
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from string import Formatter
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypeVar, get_args, get_type_hints

import yaml
from annotated_types import Ge, Gt, Le, MaxLen, MinLen
from pydantic import AfterValidator, ConfigDict, StringConstraints, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass
from pydantic_core import ErrorDetails, PydanticCustomError

from pfe.errors import UserError, nearest
from pfe.problem import Domain, Scorer

T = TypeVar("T")
STRICT = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)
Share = Annotated[float, Ge(0), Le(1)]
Count = Annotated[int, Gt(0), Le(2**31 - 1)]  # as far as the integers of all libraries go
Seconds = Annotated[float, Gt(0), Le(1e8)]  # three years
# Names become folders, files and words of a shell's command.
Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_-]*$", max_length=64)]
# Labels stand in tables of Markdown and of the screen, one a row.
Label = Annotated[
    str, StringConstraints(pattern=r"^[^|`\x00-\x1f\x7f]*[^|`\s\x00-\x1f\x7f][^|`\x00-\x1f\x7f]*$", max_length=60)
]
FileName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]+\.(txt|yaml)$", max_length=64)]
Arm = Literal["canonical", "icr", "placebo", "format", "shuffled", "reference"]
CHANCE = "chance"  # the baseline of language models, computed whether or not a model of that name is examined
FIELDS = ("question", "context", "tests", "functions")  # what a prompt may hold, in braces
BYTES_AND_MARKS = 258  # the fewest entries of the student's vocabulary: every byte, end and padding
REWRITE = "run `pfe params` to write it anew"
# The aspects that runs of methods and examinations of language models have.
COMPETITION_ASPECTS = ("accuracy", "simplicity", "property", "r2")
LEADERBOARD_ASPECTS = ("canonical", "icr", "relative_lift")
# What is chosen by a list, and such a list.
GROUPS = {
    "models": "model=[base,student]",
    "benchmark": "benchmark=[gsm1k,race]",
    "tutor": "tutor=[derive,verify]",
    "methods": "method=[linear,operon]",
}


def check_distinct(values: Sequence[T]) -> Sequence[T]:
    """The values, of which none has a use for being there twice.

    Raises:
        PydanticCustomError: one is.
    """
    for place, value in enumerate(values):
        if value in values[:place]:
            raise PydanticCustomError("twice", "{value} stands there twice; leave one out", {"value": repr(value)})
    return values


Distinct = AfterValidator(check_distinct)


@dataclass(frozen=True, config=STRICT)
class Canonical:
    """Where the canonical problems come from; `path` is the folder of `sample` and `files`, and what DVC watches."""

    source: Literal["sample", "files", "hub"]
    path: str


@dataclass(frozen=True, config=STRICT)
class Benchmark:
    """One canonical benchmark: its source, how it is read, asked and scored.

    `rows` are the row counts that count as complete. `columns` names the reader in
    `pfe/rows/published.py`. `form` is how an answer is had: the log-likelihood of each choice
    after the prompt (`choices`), of what follows the blank (`suffix`), or greedy decoding (`generate`).
    A benchmark whose `path` is set ships with this repository and has no hub name. The arm `reference`
    shows `shots` solved problems, as published figures do; they come from `shots_split` where the
    source has it.
    """

    title: Label
    domain: Domain
    columns: Name
    hub: str | None
    config: str | None
    revision: str | None
    split: str
    rows: Annotated[tuple[Count, ...], MinLen(1), Distinct]
    scorer: Scorer
    form: Literal["choices", "suffix", "generate"]
    prompt: str
    library: FileName
    stop: Annotated[tuple[Annotated[str, MinLen(1)], ...], Distinct] = ()
    max_tokens: Count = 1
    path: str | None = None
    canonical_docs: Literal["none", "signatures", "full"] = "none"
    shots: Annotated[int, Ge(0)] = 0
    shots_split: str | None = None


@dataclass(frozen=True, config=STRICT)
class Scale:
    """How many accepted problems each synthetic set should end with.

    `margin` is the share of further candidates that are generated for the firewall to reject.
    """

    targets: Annotated[Mapping[Name, Count], MinLen(1)]
    margin: Annotated[float, Ge(0), Le(10)]


@dataclass(frozen=True, config=STRICT)
class Semantic:
    """Check 2: reject where the cosine to a canonical problem is above `threshold`.

    `sha256` pins the model's weights; null trusts any. `multilingual` is a model that reads what is not in English;
    null where that is refused.
    """

    model: str
    sha256: str | None
    threshold: Share
    multilingual: str | None


@dataclass(frozen=True, config=STRICT)
class Cluster:
    """What one worker is given: threads on `cpus`, `memory` in GB, and on Slurm at most `time` in a `partition`.

    `account` and `qos` are Slurm's; an empty account is the user's own.
    """

    partition: str
    time: str
    cpus: Count
    memory: Count
    qos: str
    account: str


@dataclass(frozen=True, config=STRICT)
class Firewall:
    """The contamination firewall: check 1 rejects where containment of `n`-grams is above `threshold`.

    `gates` are those beyond SPEC with their thresholds, or whether they are on: `pfe.firewall.gate.active` checks them.
    What scores above `near_miss` times a threshold is logged though it passes. `engine` is what screens the shards,
    `workers` of them at a time; `cluster` is what each worker gets on Slurm and Ray.
    """

    n: Count
    threshold: Share
    semantic: Semantic
    structure: bool
    gates: Mapping[Name, Any]
    near_miss: Share
    engine: Literal["local", "datatrove", "slurm", "ray"]
    workers: Count
    cluster: Cluster


@dataclass(frozen=True, config=STRICT)
class Calibration:
    """What the firewall is measured on: `per_kind` attacks of each kind, made from sealed problems.

    Where files are named, also `paraphrases` of the problems in `originals`, and `clean`, text known to be
    none of them: JSON lines with `question` or `text`, and `answer`.
    """

    per_kind: Count
    originals: str | None
    paraphrases: str | None
    clean: str | None


@dataclass(frozen=True, config=STRICT)
class Tutor:
    """Who answers: a procedural `route`, an OpenAI-compatible server (`base_url`, `model`), or local weights (`model`).

    `key_variable` names the environment variable that holds a server's key.
    """

    kind: Literal["procedural", "openai", "huggingface"]
    route: Literal["derive", "verify", "replay", "read", "eliminate"] | None = None
    model: str | None = None
    base_url: str | None = None
    key_variable: str | None = None
    max_tokens: Count = 512


@dataclass(frozen=True, config=STRICT)
class Corpus:
    """What the student reads: `icr_share` of the problems stand behind their method library."""

    icr_share: Share


@dataclass(frozen=True, config=STRICT)
class Student:
    """A Llama architecture and how it is trained; sizes in units, `epochs` passes over the corpus."""

    vocabulary: Annotated[Count, Ge(BYTES_AND_MARKS)]
    hidden: Count
    layers: Count
    heads: Count
    context: Annotated[Count, Ge(2)]  # of one token there is no next to learn
    epochs: Annotated[float, Gt(0)]
    batch_size: Count
    learning_rate: Annotated[float, Gt(0), Le(1)]


@dataclass(frozen=True, config=STRICT)
class Model:
    """One model under examination.

    `path` is a folder, a hub name, or the name a server at `base_url` knows the model by; the
    environment variable `key_variable` holds that server's key. `depends` is the file or folder
    whose change makes DVC evaluate this model again. `batch_size` bounds how many answers are
    written at once (null: it finds itself), `concurrency` how many requests a server has at a time.
    `chat_template` says whether weights are asked through their tokenizer's chat template (auto: where the model's
    name or configuration says it is tuned to chat), with a `system` message where one is given.
    `prices` are dollars per million tokens in and out. `temperature` 0 is greedy decoding.
    """

    kind: Literal["huggingface", "vllm", "openai", "embedding", "chance"]
    label: Label
    depends: str
    path: str | None = None
    revision: str | None = None
    dtype: Literal["float32", "bfloat16"] = "float32"
    device: Literal["auto", "cpu", "cuda"] = "auto"
    batch_size: Count | None = None
    temperature: Annotated[float, Ge(0), Le(2)] = 0.0
    base_url: str | None = None
    key_variable: str | None = None
    concurrency: Count = 8
    prices: Annotated[tuple[Annotated[float, Ge(0)], ...], MinLen(2), MaxLen(2)] | None = None
    chat_template: Literal["auto", True, False] = "auto"
    system: str | None = None


@dataclass(frozen=True, config=STRICT)
class Icr:
    """How many orders of a library's methods are tried; the first is the library as it is written.

    `screen` says whether a library that gives a sealed problem away is refused, or only reported.
    """

    orders: Count
    screen: Literal["refuse", "report"]


@dataclass(frozen=True, config=STRICT)
class Evaluate:
    """At most `limit` problems a benchmark (all where null), drawn by seed, in each of the arms.

    `unsafe_code` runs programs of models also where they cannot be isolated, and marks the results.
    """

    limit: Count | None
    arms: Annotated[tuple[Arm, ...], MinLen(1), Distinct]
    unsafe_code: bool


@dataclass(frozen=True, config=STRICT)
class Method:
    """One symbolic-regression method.

    `regressor` is the import path of a scikit-learn-style class and `settings` its arguments; `seed` names
    the argument that takes the random state. `expression` says how the fitted regressor tells its model: a
    notation that `pfe/competition/notation.py` knows, or the name of an attribute or method of the regressor.
    """

    label: Label
    regressor: str
    expression: str
    seed: str | None
    settings: Mapping[str, Any]


@dataclass(frozen=True, config=STRICT)
class Measuring:
    """How long (seconds of the processor) and in how much memory (MiB) one model may be simplified and compared.

    Its constants are rounded to `decimals` before it is counted; null rounds nothing.
    """

    seconds: Seconds
    memory: Count
    decimals: Annotated[int, Ge(0), Le(17)] | None


@dataclass(frozen=True, config=STRICT)
class Competition:
    """The competition's data sets, by names and patterns such as `made/noise/*`, and what one run may use.

    `path` is the folder of real data sets or of tables whose column `target` is the target, null where only made
    ones are named; `depends` is what DVC watches. Each method is run `repetitions` times on every data set, at most
    `seconds` by the clock and in `memory` MiB each, `workers` runs at a time (null: one a processor core). `expert` is
    the file of an expert's ranking, which may name nothing yet.
    """

    path: str | None
    target: Annotated[str, MinLen(1)]
    depends: str
    qualification: Annotated[tuple[str, ...], Distinct]
    synthetic: Annotated[tuple[str, ...], Distinct]
    real_world: Annotated[tuple[str, ...], Distinct]
    repetitions: Count
    seconds: Seconds
    memory: Count
    workers: Count | None
    expert: str
    measuring: Measuring


@dataclass(frozen=True, config=STRICT)
class Rules:
    """How a competition is judged; docs/judging.md has the reasons.

    Args:
        aspects: `accuracy`, `simplicity` and `property`, or any other column of the table of runs, as it is.
        components: which count simplicity is taken from.
        simplicity: whether counts are `bucketed` by round(−log₅(count), 1), or each `count` differs from the next.
        rounding: whether R² is rounded in each `run` (a property that is an R² too), after the `summary` of the
            repetitions (accuracy alone), or not (`none`).
        repetitions: how the runs of a method on a data set are summarised.
        ties: the place of equals, counted from the best.
        within: what makes equals: the `equal` value, or one that no lower end of an `interval` is above.
        lowest: the rank of the last of as many places as there are methods.
        missing: what a failed run counts as.
        combine: harmonic mean of ranks on each data set and their mean, or one harmonic mean of all ranks.
        qualification: what must be above the `baseline` method's.
        representative: which run an expert sees.
        real_world: whether trust alone decides the real-world track, or its harmonic mean with the aspects.
        resamples: how often the verdict is drawn again for its stability.
    """

    aspects: Annotated[tuple[str, ...], MinLen(1), Distinct]
    components: Literal["simplified", "parsed"]
    simplicity: Literal["bucketed", "count"]
    rounding: Literal["run", "summary", "none"]
    repetitions: Literal["mean", "median"]
    ties: Literal["dense", "min", "max", "average"]
    within: Literal["equal", "interval"]
    lowest: Literal[0, 1]
    missing: Literal["worst", "drop", "error"]
    combine: Literal["per_dataset", "all_ranks"]
    qualification: Literal["mean_rank_difference", "mean", "median", "every", "none"]
    baseline: str
    representative: Literal["best", "median"]
    real_world: Literal["trust", "harmonic"]
    resamples: Count


@dataclass(frozen=True, config=STRICT)
class Config:
    """The whole of params.yaml; `sources` are the files that it names one by one, for DVC to watch."""

    seed: Annotated[int, Ge(0), Le(2**32 - 1)]
    canonical: Canonical
    benchmark: Annotated[Mapping[Name, Benchmark], MinLen(1)]
    scale: Scale
    firewall: Firewall
    calibration: Calibration
    tutor: Annotated[Mapping[Name, Tutor], MinLen(1)]
    corpus: Corpus
    student: Student
    models: Annotated[Mapping[Name, Model], MinLen(1)]
    icr: Icr
    evaluate: Evaluate
    methods: Annotated[Mapping[Name, Method], MinLen(1)]
    competition: Competition
    rules: Rules
    leaderboard: Rules
    sources: Mapping[Name, str]

    @property
    def titles(self) -> dict[str, str]:
        """The benchmarks' titles by name."""
        return {name: benchmark.title for name, benchmark in self.benchmark.items()}

    @property
    def labels(self) -> dict[str, str]:
        """The models' labels by name."""
        return {name: model.label for name, model in self.models.items()}


def load(path: Path = Path("params.yaml")) -> Config:
    """Read and check params.yaml.

    Raises:
        UserError: the file is missing or no YAML, or a key is unknown, missing or ill-typed.
    """
    try:
        values = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UserError(f"{path}: no such file here; run from the repository's root") from None
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: not UTF-8 ({error.reason} at byte {error.start:,}); {REWRITE}") from None
    except (yaml.YAMLError, RecursionError) as error:
        raise UserError(f"{path}: not YAML: {' '.join(str(error).split())}; {REWRITE}") from None
    return parse(values, str(path))


def parse(values: Any, where: str) -> Config:
    """Check plain values against `Config`; `where` names them in the message.

    Raises:
        UserError: naming every offending parameter path, each with what to do where that is known.
    """
    if not isinstance(values, Mapping):
        raise UserError(f"{where}: {'empty' if values is None else 'not a mapping of parameters'}; {REWRITE}")
    try:
        settings = _adapter().validate_json(json.dumps(values, default=str))  # a date is its text
    except ValidationError as error:
        ill_typed = dict.fromkeys(_mistake(detail) for detail in error.errors())
        raise UserError(f"{where}: {'; '.join(ill_typed)}") from None
    except (TypeError, ValueError, RecursionError) as error:
        raise UserError(f"{where}: not plain values ({error}); {REWRITE}") from None
    if mistakes := list(dict.fromkeys(_at_odds(settings))):
        raise UserError(f"{where}: {'; '.join(mistakes)}")
    return settings


@cache
def _adapter() -> TypeAdapter[Config]:
    return TypeAdapter(Config)


def _mistake(detail: ErrorDetails) -> str:
    loc, kind, message = detail["loc"], detail["type"], detail["msg"]
    path = ".".join(str(part) for part in loc if part != "[key]")
    if kind == "unexpected_keyword_argument":
        return unknown_key(path)
    if kind in ("missing", "missing_argument", "too_short") and path in GROUPS:
        return f"{path}: none chosen; name at least one, as in -S '{GROUPS[path]}'"
    if kind in ("dataclass_type", "mapping_type", "dict_type") and path in GROUPS:
        return f"{path}: not a mapping; choose as in -S '{GROUPS[path]}'"
    if kind in ("missing", "missing_argument"):
        return f"{path}: missing; set it in conf/ and run `pfe params`"
    if kind in ("string_pattern_mismatch", "string_too_long") and "[key]" in loc:
        return f"{path}: not a name; a name is up to 64 letters, digits, _ and -, and begins with no -"
    if kind in ("string_pattern_mismatch", "string_too_long") and path.endswith((".label", ".title")):
        return f"{path}: not one line of up to 60 letters for a table; leave out |, ` and what is not to be seen"
    if kind == "string_pattern_mismatch":
        return f"{path}: not the name of a file; it is letters, digits, _ and -, and ends in .txt or .yaml"
    if kind == "literal_error" and isinstance(detail["input"], str):
        allowed = re.findall(r"'([^']*)'", detail["ctx"]["expected"])
        return f"{path}: unknown value '{detail['input']}'; {nearest(detail['input'], allowed)}"
    return f"{path}: {message[0].lower()}{message[1:]}"


def _at_odds(settings: Config) -> Iterator[str]:
    """What each value may be alone, and not beside the others."""
    yield from _odd_heads(settings.student)
    for name, benchmark in settings.benchmark.items():
        yield from (f"benchmark.{name}.prompt: {wrong}" for wrong in _wrong_prompt(benchmark))
    baseline, methods = settings.rules.baseline, settings.methods
    if settings.rules.qualification != "none" and baseline not in methods:
        yield (
            f"rules.baseline: the method '{baseline}' is not chosen; {nearest(baseline, methods)}; "
            "add it to -S 'method=[…]', or set rules.qualification=none"
        )
    yield from _twice("methods", {name: method.label for name, method in methods.items()})
    yield from _twice("models", {name: model.label for name, model in settings.models.items()})
    yield from _wrong_aspects("rules", settings.rules, COMPETITION_ASPECTS)
    yield from _wrong_aspects("leaderboard", settings.leaderboard, LEADERBOARD_ASPECTS)
    baseline, models = settings.leaderboard.baseline, {CHANCE, *settings.models}
    if baseline not in models:
        yield f"leaderboard.baseline: unknown model '{baseline}'; {nearest(baseline, models)}"


def _odd_heads(student: Student) -> Iterator[str]:
    """A head turns its numbers by pairs, by their place in the text, so its size is even."""
    step = 2 * student.heads
    if student.hidden % step:
        below = student.hidden // step * step
        near = f"{below} or {below + step}" if below else f"{step}"
        yield f"student.hidden: {student.hidden} is not {student.heads} heads of one even size; set it to {near}"


def fields_of(prompt: str) -> list[str]:
    """The fields of a prompt, as they stand in their braces.

    Raises:
        ValueError: braces that do not match.
    """
    parsed = Formatter().parse(prompt)
    return [
        f"{field}{f'!{conversion}' if conversion else ''}{f':{form}' if form else ''}"
        for _, field, form, conversion in parsed
        if field is not None
    ]


def _wrong_prompt(benchmark: Benchmark) -> Iterator[str]:
    allowed = f"allowed: {', '.join(f'{{{field}}}' for field in FIELDS)}"
    try:
        fields = fields_of(benchmark.prompt)
    except ValueError as error:
        yield f"braces that do not match ({error}); write {{{{ or }}}} for one that is text; {allowed}"
        return
    if not fields:
        yield f"shows nothing of a problem, for it has no field; {allowed}"
    for field in fields:
        if field not in FIELDS:
            near = [f"did you mean '{{{name}}}'? " for name in get_close_matches(field, FIELDS, n=1)]
            yield f"unknown field '{{{field}}}'; {''.join(near)}{allowed}"
    if benchmark.form == "suffix" and "_" in benchmark.prompt:
        yield "a _ of its own, which form: suffix would take for the problem's blank; leave it out"


def _twice(where: str, labels: Mapping[str, str]) -> Iterator[str]:
    """Labels that two bear: in a table nobody could tell them apart."""
    owners: dict[str, str] = {}
    for name, label in labels.items():
        if label in owners:
            yield f"{where}.{name}.label: '{label}' is that of {where}.{owners[label]} too; change one of them"
        owners.setdefault(label, name)


def _wrong_aspects(where: str, rules: Rules, known: Iterable[str]) -> Iterator[str]:
    for aspect in rules.aspects:
        if aspect not in known:
            yield f"{where}.aspects: unknown aspect '{aspect}'; {nearest(aspect, known)}"
    if rules.within == "interval" and known is COMPETITION_ASPECTS:
        yield f"{where}.within: runs of a competition have no intervals; set it to equal"


def unknown_key(path: str, names: Mapping[str, Iterable[str]] = MappingProxyType({})) -> str:
    """What to say of a parameter path that does not exist: its first wrong part, and the nearest right one.

    Args:
        path: parts with dots between them.
        names: by a path what else may stand below it; below "" where nothing follows.
    """
    kind: Any = Config
    parts = path.split(".")
    for place, part in enumerate(parts):
        above = ".".join(parts[:place])
        hints = get_type_hints(kind) if is_dataclass(kind) else {}
        known = {*hints, *(names.get(above, ()) if above or len(parts) == 1 else ())}
        if known and part not in known:
            return f"{'.'.join(parts[: place + 1])}: unknown key; {nearest(part, known)}"
        if above and part in names.get(above, ()):
            return f"{path}: not listed there; add it, as in -S +{path}=…"
        kind = hints[part] if part in hints else get_args(kind)[-1] if get_args(kind) else None
    return f"{path}: unknown key"


def chosen(name: str, among: Mapping[str, T], what: str) -> T:
    """`among[name]`, or a UserError that names the nearest; `what` is the word for the thing."""
    if name not in among:
        raise UserError(f"unknown {what} '{name}'; {nearest(name, among)}")
    return among[name]
