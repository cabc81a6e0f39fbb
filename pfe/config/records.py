"""What params.yaml holds, as typed, frozen dataclasses.

Example: `Scale({"gsm1k_synth": 500}, margin=0.5)` is `scale` of params.yaml. A key that may be left out has its
default in conf/defaults.yaml.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from annotated_types import Ge, Gt, Le, Lt, MinLen
from pydantic import AfterValidator, ConfigDict, Discriminator, Tag
from pydantic.dataclasses import dataclass

from pfe.arms import Arm
from pfe.config.bounded import (
    BYTES_AND_MARKS,
    LOWEST_TEMPERATURE,
    AtOnce,
    Cores,
    Count,
    CountOrNone,
    Distinct,
    Duration,
    FileName,
    Gigabytes,
    Label,
    Layers,
    Line,
    Memory,
    Name,
    Prices,
    Prose,
    Rate,
    Seconds,
    Seed,
    Several,
    Sha256,
    Share,
    Steps,
    Tokens,
    Width,
    check_temperature,
)
from pfe.problem import Domain, Problem, Scorer

STRICT = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)
CHANCE = "chance"  # the baseline of language models, computed whether or not a model of that name is examined
NO_BASELINE = "none"  # in rules.baseline: every method competes
MODELS = "data/models"  # what stages train
TUTORS = f"{MODELS}/tutors"  # the embedded ones, a folder each


@dataclass(frozen=True, config=STRICT)
class Canonical:
    """Where the canonical problems come from; `path` is the folder of `sample` and `files`, and what DVC watches."""

    source: Literal["sample", "files", "hub"]
    path: Line


@dataclass(frozen=True, config=STRICT)
class Benchmark:
    """One canonical benchmark: its source, how it is read, asked and scored.

    `rows` are the row counts that count as complete. `columns` names the reader in
    `pfe/rows/published.py`. `form` is how an answer is had: the log-likelihood of each choice
    after the prompt (`choices`), of what follows the blank (`suffix`), or greedy decoding (`generate`); `mixed` is
    `choices` for the problems that have some, and `generate` for the others.
    `library` is null where every problem brings its own. A benchmark whose `path` is set ships with this repository and
    has no hub name. The arm `reference` shows `shots` solved problems, as published figures do; they come from
    `shots_split` where the source has it. `license` is what its texts may be passed on under, as the hub names it; null
    where they may not.
    """

    title: Label
    domain: Domain
    columns: Name
    hub: Line | None
    config: Line | None
    revision: Line | None
    split: Line
    rows: Annotated[tuple[Count, ...], MinLen(1), Distinct]
    scorer: Scorer
    form: Literal["choices", "suffix", "generate", "mixed"]
    prompt: str
    library: FileName | None
    stop: Annotated[tuple[Annotated[str, MinLen(1)], ...], Distinct]
    max_tokens: Tokens
    path: Line | None
    canonical_docs: Literal["none", "signatures", "full"]
    shots: CountOrNone
    shots_split: Line | None
    license: Line | None

    def writes(self, problem: Problem) -> bool:
        """Whether the answer to a problem is written, and not chosen."""
        return self.form == "generate" or (self.form == "mixed" and not problem.choices)

    @property
    def shareable(self) -> bool:
        """Whether its texts may stand in what is passed on: by their licence, or since they are ours."""
        return self.license is not None or self.path is not None

    @property
    def published(self) -> bool:
        """Whether its problems are somebody else's, which models may have read; ours stand in no file but our own."""
        return self.domain != "invented"


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

    model: Line
    sha256: Sha256 | None
    threshold: Share
    multilingual: Line | None


@dataclass(frozen=True, config=STRICT)
class Cluster:
    """What one worker is given: threads on `cpus`, `memory` in GB, and on Slurm at most `time` in a `partition`.

    `account` and `qos` are Slurm's; an empty account is the user's own.
    """

    partition: Line
    time: Duration
    cpus: Cores
    memory: Gigabytes
    qos: Line
    account: str


@dataclass(frozen=True, config=STRICT)
class Firewall:
    """The contamination firewall: check 1 rejects where containment of `n`-grams is above `threshold`.

    `gates` are those beyond SPEC with their thresholds, or whether they are on: `pfe.firewall.gate.active` checks them.
    What scores above `near_miss` times a threshold is logged though it passes. `engine` is what screens the shards,
    `workers` of them at a time; `cluster` is what each worker gets on Slurm and Ray.
    """

    n: Annotated[int, Gt(0), Le(100)]  # of longer ones no two texts share any, and nothing would be rejected
    threshold: Share
    semantic: Semantic
    structure: bool
    gates: Mapping[Name, Any]
    near_miss: Share
    engine: Literal["local", "datatrove", "slurm", "ray"]
    workers: AtOnce
    cluster: Cluster

    @property
    def is_spec(self) -> bool:
        """Whether SPEC's three checks are on, at its parameters or stricter ones."""
        return self.n <= 5 and self.threshold <= 0.3 and self.semantic.threshold <= 0.85 and self.structure


@dataclass(frozen=True, config=STRICT)
class Calibration:
    """What the firewall is measured on: `per_kind` attacks of each kind, made from sealed problems.

    Where files are named, also `paraphrases` of the problems in `originals`, and `clean`, text known to be
    none of them: JSON lines with `question` or `text`, and `answer`.
    """

    per_kind: Count
    originals: Line | None
    paraphrases: Line | None
    clean: Line | None


@dataclass(frozen=True, config=STRICT)
class Budget:
    """What a tutor may use to write, and as much again to read: `tokens` in and out together, and `dollars`.

    Null is no bound.
    """

    tokens: Count | None
    dollars: Annotated[float, Ge(1e-4), Le(1e9)] | None


@dataclass(frozen=True, config=STRICT)
class Tutor:
    """Who answers and writes problems: a procedural `route` (which only answers), a server that speaks the OpenAI
    protocol (`base_url`, `model`), local weights (`model`), or a `dataset` of reasoning-gym (which only writes).

    `key_variable` names the environment variable that holds a server's key, `concurrency` how many requests it has at
    a time. It `writes` so many problems of each set that is named, within its `budget`; an answer has up to
    `max_tokens`. `prices` are dollars per million tokens in and out.
    """

    kind: Literal["procedural", "openai", "huggingface", "reasoning_gym"]
    route: Literal["derive", "verify", "replay", "read", "eliminate"] | None
    dataset: Line | None
    model: Line | None
    base_url: Line | None
    key_variable: Line | None
    max_tokens: Tokens
    concurrency: AtOnce
    prices: Prices | None
    writes: Mapping[Name, Count]
    budget: Budget

    @property
    def reads(self) -> bool:
        """Whether it answers from a problem's text alone: the routes of a family are one tutor with several checks."""
        return self.kind in ("openai", "huggingface")


@dataclass(frozen=True, config=STRICT)
class AnswerKeys:
    """When the answer of a problem counts as known.

    The routes of its family must confirm it, or its writer, asked again. The first chosen route checks every problem,
    the others the share `checked`. As many of the tutors that read the problem must agree as `consensus` says, or all
    of them if it is null. `unread` decides whether a problem that no tutor reads is used.
    """

    consensus: Count | None
    unread: Literal["use", "refuse"]
    checked: Share


@dataclass(frozen=True, config=STRICT)
class HoldOut:
    """What of every set is kept from training and measures it: `problems` of each kind, and a share of the `families`.

    A skill with several library-bound families in a set gives up at least one of them, unless the share is 0.
    """

    problems: CountOrNone
    families: Annotated[float, Ge(0), Le(0.5)]


@dataclass(frozen=True, config=STRICT)
class Corpus:
    """What the student reads, in shares.

    Of a set's problems `library_bound` need the library that is written for them, and of these one entry answers the
    share `lookup` where the set has such families and others (null: as many as their weights say). Lessons are made of
    `problems`: all, or the plain ones, which need none. Of those that need it `changed` give a changed library, with
    which those that share the library are asked too, and `unknown` are asked with one for other things or none, where
    the answer cannot be known. Of the others `icr_share` have their benchmark's method library in context. At most
    `per_library` lessons with one library are a row. No row has what `validation` keeps.
    """

    icr_share: Share
    library_bound: Share
    lookup: Share | None
    problems: Literal["all", "plain"]
    changed: Share
    unknown: Share
    per_library: Count
    validation: HoldOut


@dataclass(frozen=True, config=STRICT)
class Checkpoints:
    """`every` so many steps a checkpoint is kept, and measured on so many `problems` of every set and kind."""

    every: Annotated[Steps, Gt(0)]
    problems: CountOrNone


@dataclass(frozen=True, config=STRICT)
class Embedded:
    """A language model that teaches: it learns as a student with random weights does, and is larger.

    `seed` is its own among tutors; it reads `share` of the corpus's rows, drawn by that seed.
    """

    seed: Seed
    hidden: Width
    layers: Layers
    heads: Layers
    share: Annotated[Share, Ge(0.001)]


@dataclass(frozen=True, config=STRICT)
class Gkd:
    """Generalised knowledge distillation after the answer keys (Agarwal et al. 2024, arXiv:2306.13649), `steps` of it.

    In `lmbda` of the steps the student writes the completions, by `temperature` and of at most `max_new_tokens`; in the
    others they are the answer keys, or what a tutor writes under `seq_kd`. The loss is the generalised Jensen-Shannon
    divergence, at `beta` 0 KL(tutors || student), at 1 KL(student || tutors). The tutors teach together (`mix`, by
    their `weights`, 1 for whom none is given), or each the sets that it answers best (`route`).
    """

    steps: Steps
    learning_rate: Rate
    lmbda: Share
    beta: Share
    temperature: Annotated[float, Ge(LOWEST_TEMPERATURE), Le(10)]
    seq_kd: bool
    max_new_tokens: Tokens
    ensemble: Literal["mix", "route"]
    weights: Mapping[Name, Annotated[float, Ge(1e-6), Le(1e6)]]


@dataclass(frozen=True, config=STRICT)
class Student:
    """How the student is trained, whatever it begins as, on lessons of at most `context` tokens.

    It reads `tokens` of the corpus in the order of `pfe.training.curriculum`; null is every row once.
    Rows are laid out in sequences of about `sequence` tokens, as many of them a pass as `batch_tokens` hold, and the
    gradients of `accumulation` passes of every process are one step. `precision` is that of the arithmetic, and of
    weights that are not trained. With `checkpointing` the layers are computed again on the way back, not kept. The
    best of the `checkpoints` by validation is what training on the corpus ends with; `gkd` follows it.
    """

    tokens: Annotated[int, Gt(0), Le(2**40)] | None
    context: Annotated[Tokens, Ge(64)]
    sequence: Annotated[Tokens, Ge(32)]
    batch_tokens: Annotated[int, Gt(0), Le(2**24)]
    accumulation: Several
    learning_rate: Rate
    precision: Literal["float32", "bfloat16"]
    checkpointing: bool
    checkpoints: Checkpoints
    gkd: Gkd


@dataclass(frozen=True, config=STRICT)
class NewStudent(Student):
    """A Llama with random weights and a tokenizer of its own."""

    vocabulary: Annotated[int, Ge(BYTES_AND_MARKS), Le(2**20)]
    hidden: Width
    layers: Layers
    heads: Layers


@dataclass(frozen=True, config=STRICT)
class Lora:
    """Low-rank adapters of all linear layers: their update is `alpha` / `rank` times a product of that rank."""

    rank: Annotated[int, Gt(0), Le(4096)]
    alpha: Width
    dropout: Annotated[float, Ge(0), Lt(1)]


@dataclass(frozen=True, config=STRICT)
class HubStudent(Student):
    """A trained model from a folder or the hub, with its tokenizer; trained whole where `lora` is null."""

    path: Line
    revision: Line | None
    lora: Lora | None


def _beginning(student: Any) -> str | None:
    """Which of both kinds a student is; None where it has keys of both, and neither is meant more than the other."""
    if not isinstance(student, Mapping):
        return "[hub]" if isinstance(student, HubStudent) else "[new]"
    if "path" not in student:
        return "[new]"
    return None if {"vocabulary", "hidden", "layers", "heads"} <= student.keys() else "[hub]"


AnyStudent = Annotated[
    Annotated[NewStudent, Tag("[new]")] | Annotated[HubStudent, Tag("[hub]")],
    Discriminator(
        _beginning,
        custom_error_type="two_beginnings",
        custom_error_message="has the path of a trained model and the sizes of random weights; choose student=qwen or "
        "student=full and set its path, or leave the path out",
    ),
]


@dataclass(frozen=True, config=STRICT)
class Model:
    """One model under examination.

    `path` is a folder, a hub name, or the name a server at `base_url` knows the model by; the
    environment variable `key_variable` holds that server's key. `dtype` auto is bfloat16 where the device multiplies
    such numbers, float32 elsewhere: figures then depend on the machine. `depends` is the file or folder
    whose change makes DVC evaluate this model again. `batch_size` bounds how many answers are
    written at once (null: it finds itself), `concurrency` how many requests a server has at a time.
    `chat_template` says whether weights are asked through their tokenizer's chat template (auto: where the model's
    name or configuration says it is tuned to chat), with a `system` message where one is given.
    `thinking` lets it think before it answers, for up to `max_thinking_tokens` tokens that do not count towards the
    answer's; choices are then made by letter. Without it a chat template that can is told not to open a thought.
    `prices` are dollars per million tokens in and out. `temperature` 0 is greedy decoding. In an experiment it is asked
    at most `limit` problems a benchmark, those that `evaluate.limit` would draw.
    """

    kind: Literal["huggingface", "vllm", "openai", "embedding", "chance"]
    label: Label
    depends: str
    path: Line | None
    revision: Line | None
    dtype: Literal["auto", "float32", "bfloat16"]
    device: Literal["auto", "cpu", "cuda"]
    batch_size: Several | None
    temperature: Annotated[float, Ge(0), Le(2), AfterValidator(check_temperature)]
    base_url: Line | None
    key_variable: Line | None
    concurrency: AtOnce
    prices: Prices | None
    chat_template: Literal["auto", True, False]
    system: Prose | None
    thinking: bool
    max_thinking_tokens: Tokens
    limit: Count | None


@dataclass(frozen=True, config=STRICT)
class Retrieval:
    """The arm `retrieved` puts the `k` nearest entries of the base in front of each problem."""

    k: Several


@dataclass(frozen=True, config=STRICT)
class Icr:
    """How many orders of a library's methods are tried; the first is the library as it is written.

    `library` own are the libraries that the benchmarks' files name; spec puts those that SPEC prints into their place
    (`pfe.config.loading.SPEC_LIBRARIES`). `screen` says whether a library that gives a sealed problem away is
    refused, or only reported.
    """

    library: Literal["own", "spec"]
    orders: Several
    screen: Literal["refuse", "report"]
    retrieval: Retrieval


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
    regressor: Line
    expression: Line
    seed: Line | None
    settings: Mapping[str, Any]


@dataclass(frozen=True, config=STRICT)
class Measuring:
    """How long (seconds of the processor) and in how much memory (MiB) one model may be simplified and compared.

    Its constants are rounded to `decimals` before it is counted; null rounds nothing.
    """

    seconds: Seconds
    memory: Memory
    decimals: Annotated[int, Ge(0), Le(17)] | None


@dataclass(frozen=True, config=STRICT)
class Competition:
    """The competition's data sets, by names and patterns such as `made/noise/*`, and what one run may use.

    `path` is the folder of real data sets or of tables whose column `target` is the target, null where only made
    ones are named; `depends` is what DVC watches. Each method is run `repetitions` times on every data set, at most
    `seconds` by the clock and in `memory` MiB each, `workers` runs at a time (null: one a processor core). `expert` is
    the file of an expert's ranking, which may name nothing yet.
    """

    path: Line | None
    target: Line
    depends: Line
    qualification: Annotated[tuple[Line, ...], Distinct]
    synthetic: Annotated[tuple[Line, ...], Distinct]
    real_world: Annotated[tuple[Line, ...], Distinct]
    repetitions: Several
    seconds: Seconds
    memory: Memory
    workers: Cores | None
    expert: Line
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
        qualification: what must be above the `baseline` method's; under `none` the baseline may be `none`.
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
    resamples: Several


@dataclass(frozen=True, config=STRICT)
class Config:
    """The whole of params.yaml; `experiment` is the chosen file of conf/experiment.

    `sources` are the files that it names one by one, for DVC to watch.
    """

    experiment: Name | None
    seed: Seed
    canonical: Canonical
    benchmark: Annotated[Mapping[Name, Benchmark], MinLen(1)]
    scale: Scale
    firewall: Firewall
    calibration: Calibration
    tutor: Annotated[Mapping[Name, Tutor], MinLen(1)]
    answer_keys: AnswerKeys
    corpus: Corpus
    student: AnyStudent
    embedded: Mapping[Name, Embedded]
    models: Annotated[Mapping[Name, Model], MinLen(1)]
    icr: Icr
    evaluate: Evaluate
    methods: Annotated[Mapping[Name, Method], MinLen(1)]
    competition: Competition
    rules: Rules
    leaderboard: Rules
    sources: Mapping[Name, Line]

    @property
    def beside(self) -> frozenset[str]:
        """The benchmarks that are reported beside the others, and not averaged: those of invented problems."""
        return frozenset(name for name, benchmark in self.benchmark.items() if not benchmark.published)

    @property
    def titles(self) -> dict[str, str]:
        """The benchmarks' titles by name."""
        return {name: benchmark.title for name, benchmark in self.benchmark.items()}

    @property
    def labels(self) -> dict[str, str]:
        """The models' labels by name."""
        return {name: model.label for name, model in self.models.items()}

    @property
    def examined_tutors(self) -> list[str]:
        """The models under examination that are tutors: the same weights, or the same model of a server."""
        tutors = {(tutor.base_url, tutor.model) for tutor in self.tutor.values() if tutor.reads}
        tutors |= {(None, f"data/models/tutors/{name}") for name in self.embedded}
        return [name for name, model in self.models.items() if (model.base_url, model.path) in tutors]

    def limit_of(self, model: str) -> int | None:
        """How many problems of each benchmark a model is asked at most; None for all."""
        return min(filter(None, (self.evaluate.limit, self.models[model].limit)), default=None)
