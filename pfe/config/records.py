"""The content of params.yaml, as typed, frozen dataclasses.

Example: `Scale({"gsm1k_synth": 500}, margin=0.5)` is `scale` of params.yaml. Keys that may be left out have their
defaults in conf/defaults.yaml.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from annotated_types import Ge, Gt, Le, Lt, MinLen
from pydantic import AfterValidator, ConfigDict, Discriminator, Tag
from pydantic.dataclasses import dataclass

from pfe.arms import Arm
from pfe.config.parameter_types import (
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
CHANCE = "chance"  # the baseline of language models, computed whether or not a model of that name is evaluated
NO_BASELINE = "none"  # in rules.baseline: every method competes
MODELS = "data/models"  # the models that stages train
TUTORS = f"{MODELS}/tutors"  # the embedded tutors, a folder each


@dataclass(frozen=True, config=STRICT)
class Canonical:
    """The source of the canonical problems; `path` is the folder of `sample` and `files`, which DVC watches."""

    source: Literal["sample", "files", "hub"]
    path: Line


@dataclass(frozen=True, config=STRICT)
class Benchmark:
    """One canonical benchmark: its source, and how its problems are read, asked and scored.

    `rows` are the row counts that a complete source may have. `columns` names the reader in `pfe/rows/published.py`.
    `form` says how an answer is obtained: by the log-likelihood of each choice after the prompt (`choices`), by that of
    the text after the blank (`suffix`), or by greedy decoding (`generate`); `mixed` is `choices` for the problems that
    have choices, and `generate` for the others. `library` is null if every problem brings its own. A benchmark whose
    `path` is set ships with this repository and has no hub name. The arm `reference` shows `shots` solved problems
    (few-shot), as published results do; they come from `shots_split` if the source has it. `license` is the licence
    under which its texts may be redistributed, as the hub names it; null if they may not be.
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
        """Return whether the answer to a problem is generated, not chosen."""
        return self.form == "generate" or (self.form == "mixed" and not problem.choices)

    @property
    def shareable(self) -> bool:
        """Return whether its texts may be redistributed: because of their licence, or because they are ours."""
        return self.license is not None or self.path is not None

    @property
    def published(self) -> bool:
        """Return whether its problems are public, so that models may have read them; ours are only in our own file."""
        return self.domain != "invented"


@dataclass(frozen=True, config=STRICT)
class Scale:
    """The number of accepted problems that each synthetic set should end with.

    `margin` is the share of extra candidates to generate, since the firewall rejects some.
    """

    targets: Annotated[Mapping[Name, Count], MinLen(1)]
    margin: Annotated[float, Ge(0), Le(10)]


@dataclass(frozen=True, config=STRICT)
class Semantic:
    """Check 2: reject if the cosine similarity to a canonical problem is above `threshold`.

    `sha256` pins the model's weights; null trusts any. `multilingual` is a model for texts that are not in English;
    null refuses such texts.
    """

    model: Line
    sha256: Sha256 | None
    threshold: Share
    multilingual: Line | None


@dataclass(frozen=True, config=STRICT)
class Cluster:
    """The resources of one worker: threads on `cpus`, `memory` in GB, and on Slurm at most `time` in a `partition`.

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
    """The contamination firewall: check 1 rejects if the containment of `n`-grams is above `threshold`.

    `gates` are those beyond SPEC with their thresholds, or whether they are on; `pfe.firewall.gate.active` checks them.
    A passing score above `near_miss` times a threshold is logged. `engine` screens the shards, `workers` of them at a
    time; `cluster` has the resources of each worker on Slurm and Ray.
    """

    n: Annotated[int, Gt(0), Le(100)]  # no two texts share longer n-grams, and nothing would be rejected
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
        """Return whether SPEC's three checks are on, at its parameters or stricter ones."""
        return self.n <= 5 and self.threshold <= 0.3 and self.semantic.threshold <= 0.85 and self.structure


@dataclass(frozen=True, config=STRICT)
class Calibration:
    """The data that the firewall is measured on: `per_kind` attacks of each kind, generated from sealed problems.

    If files are named, also `paraphrases` of the problems in `originals`, and `clean`, text that is known to be
    none of them: JSON lines with `question` or `text`, and `answer`.
    """

    per_kind: Count
    originals: Line | None
    paraphrases: Line | None
    clean: Line | None


@dataclass(frozen=True, config=STRICT)
class Budget:
    """The limits for a tutor's writing, and as much again for its reading: `tokens` (in plus out), and `dollars`.

    Null is no limit.
    """

    tokens: Count | None
    dollars: Annotated[float, Ge(1e-4), Le(1e9)] | None


@dataclass(frozen=True, config=STRICT)
class Tutor:
    """A tutor that answers or writes problems.

    It is a procedural `route` (which only answers), a server with the OpenAI protocol (`base_url`, `model`), local
    weights (`model`), or a `dataset` of reasoning-gym (which only writes).

    `key_variable` names the environment variable with a server's key, `concurrency` the number of simultaneous
    requests. It `writes` a number of problems for each named set, within its `budget`; an answer has up to
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
        """Return whether it answers from a problem's text alone; a family's routes are one tutor with many checks."""
        return self.kind in ("openai", "huggingface")


@dataclass(frozen=True, config=STRICT)
class AnswerKeys:
    """The rules for accepting the answer of a problem as known.

    The routes of its family must confirm it, or its writer, asked again. The first chosen route checks every problem,
    the others the share `checked`. As many of the tutors that read the problem must agree as `consensus` says, or all
    of them if it is null. `unread` decides whether a problem that no tutor reads is used.
    """

    consensus: Count | None
    unread: Literal["use", "refuse"]
    checked: Share


@dataclass(frozen=True, config=STRICT)
class HoldOut:
    """The held-out part of every set: `problems` of each kind, and a share of the `families`.

    If a skill has several library-bound families in a set, at least one of them is held out, unless the share is 0.
    """

    problems: CountOrNone
    families: Annotated[float, Ge(0), Le(0.5)]


@dataclass(frozen=True, config=STRICT)
class Corpus:
    """The composition of the student's corpus, in shares.

    In a set, the share `library_bound` of the problems needs a library that is written for them. Among these, one entry
    answers the share `lookup`, if the set has both such families and others (null: by the weights of the families).
    `problems` selects the problems for lessons: all, or only the plain ones, which need no library. Of the
    library-bound problems, the share `changed` is also asked with a changed library, together with the problems that
    share its original, and the share `unknown` with an irrelevant library or none, where the answer cannot be known. Of
    the plain problems, `icr_share` have their benchmark's method library in context. A row has at most `per_library`
    lessons with one library. Problems held out for `validation` are in no row.
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
    """A checkpoint is saved `every` so many steps, and validated on so many `problems` of every set and kind."""

    every: Annotated[Steps, Gt(0)]
    problems: CountOrNone


@dataclass(frozen=True, config=STRICT)
class Embedded:
    """A language model as tutor: it is trained like a student with random weights, and is larger.

    `seed` is unique among the tutors; the tutor reads the share `share` of the corpus's rows, sampled with that seed.
    """

    seed: Seed
    hidden: Width
    layers: Layers
    heads: Layers
    share: Annotated[Share, Ge(0.001)]


@dataclass(frozen=True, config=STRICT)
class Gkd:
    """Generalised knowledge distillation after the answer keys (Agarwal et al. 2024, arXiv:2306.13649).

    It takes `steps` steps. In the share `lmbda` of them the student generates the completions, with `temperature` and
    at most `max_new_tokens`. In the others they are the answer keys, or with `seq_kd` texts that a tutor generates. The
    loss is the generalised Jensen-Shannon divergence: at `beta` 0 KL(tutors || student), at 1 KL(student || tutors).
    The tutors teach as a mixture (`mix`, by their `weights`, 1 by default), or each teaches the sets that it answers
    best (`route`).
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
    """The training settings of any student, on lessons of at most `context` tokens.

    It reads `tokens` tokens of the corpus in the order of `pfe.training.curriculum`; null reads every row once. Rows
    are packed into sequences of about `sequence` tokens and these into passes of at most `batch_tokens`; the gradients
    of `accumulation` passes of every process are one step. `precision` is that of the arithmetic, and of frozen
    weights; auto is bfloat16 where the machine multiplies it, else float32. `checkpointing` is activation
    checkpointing: layers are recomputed in the backward pass. Training on the corpus ends with the best of the
    `checkpoints` by validation loss; `gkd` follows it.
    """

    tokens: Annotated[int, Gt(0), Le(2**40)] | None
    context: Annotated[Tokens, Ge(64)]
    sequence: Annotated[Tokens, Ge(32)]
    batch_tokens: Annotated[int, Gt(0), Le(2**24)]
    accumulation: Several
    learning_rate: Rate
    precision: Literal["auto", "float32", "bfloat16"]
    checkpointing: bool
    checkpoints: Checkpoints
    gkd: Gkd


@dataclass(frozen=True, config=STRICT)
class NewStudent(Student):
    """A Llama with random weights and its own tokenizer."""

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
    """A pre-trained model from a folder or the hub, with its tokenizer; all weights are trained if `lora` is null."""

    path: Line
    revision: Line | None
    lora: Lora | None


def _beginning(student: Any) -> str | None:
    """Return the tag of a student's kind; None if it has keys of both, so that neither is meant."""
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
    """One model under evaluation.

    `path` is a folder, a hub name, or the name that a server at `base_url` knows the model by; the
    environment variable `key_variable` holds that server's key. `dtype` auto is bfloat16 if the device supports
    bfloat16 multiplication, float32 otherwise: results then depend on the machine. `depends` is the file or folder
    whose change makes DVC evaluate this model again. `batch_size` limits how many answers are
    generated at once (null: determined automatically), `concurrency` the number of simultaneous requests to a server.
    `chat_template` says whether local weights are asked through their tokenizer's chat template (auto: if the model's
    name or configuration says that it is a chat model), with a `system` message if one is given.
    `thinking` lets it think before it answers, for up to `max_thinking_tokens` tokens that do not count towards the
    answer's; it then chooses by letter. Otherwise a chat template that supports it is set not to open a thought.
    `prices` are dollars per million tokens in and out. `temperature` 0 is greedy decoding. In an experiment it is asked
    at most `limit` problems per benchmark, the same ones that `evaluate.limit` would sample.
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
    """The number of orders of a library's methods to test; the first is the library as written.

    `library` own uses the libraries that the benchmarks' files name; spec replaces them by those that SPEC prints
    (`pfe.config.loading.SPEC_LIBRARIES`). `screen` says whether a library that leaks a sealed problem is
    refused, or only reported.
    """

    library: Literal["own", "spec"]
    orders: Several
    screen: Literal["refuse", "report"]
    retrieval: Retrieval


@dataclass(frozen=True, config=STRICT)
class Evaluate:
    """At most `limit` problems per benchmark (null: all), sampled with a fixed seed, in each of the arms.

    `unsafe_code` runs programs of models even if they cannot be isolated, and marks the results.
    """

    limit: Count | None
    arms: Annotated[tuple[Arm, ...], MinLen(1), Distinct]
    unsafe_code: bool


@dataclass(frozen=True, config=STRICT)
class Method:
    """One symbolic-regression method.

    `regressor` is the import path of a scikit-learn-style class and `settings` its arguments; `seed` names
    the argument that takes the random state. `expression` says how the fitted regressor returns its model: a
    notation that `pfe/symreg/competition/notation.py` knows, or the name of an attribute or method of the regressor.
    """

    label: Label
    regressor: Line
    expression: Line
    seed: Line | None
    settings: Mapping[str, Any]


@dataclass(frozen=True, config=STRICT)
class Measuring:
    """The limits for simplifying and comparing one model: CPU `seconds` and `memory` in MiB.

    Its constants are rounded to `decimals` before it is counted; null rounds nothing.
    """

    seconds: Seconds
    memory: Memory
    decimals: Annotated[int, Ge(0), Le(17)] | None


@dataclass(frozen=True, config=STRICT)
class Competition:
    """The competition's data sets, by names and patterns such as `made/noise/*`, and the limits of one run.

    `path` is the folder of real data sets or of tables whose column `target` is the target, null if only generated ones
    are named; DVC watches `depends`. Each method runs `repetitions` times on every data set, for at most `seconds` of
    wall-clock time and in `memory` MiB each, `workers` runs at a time (null: one per CPU core). `expert` is the file of
    an expert's ranking, which may be empty.
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
        components: the component counts that simplicity is computed from.
        simplicity: whether counts are `bucketed` by round(−log₅(count), 1), or each `count` differs from the next.
        rounding: whether R² is rounded in each `run` (also a property that is an R²), after the `summary` of the
            repetitions (accuracy alone), or not (`none`).
        repetitions: how the runs of a method on a data set are summarised.
        ties: the rank of tied methods, counted from the best.
        within: the values that tie: `equal` ones, or (`interval`) those where neither is below the other's lower CI
            end.
        lowest: the rank of the last of as many places as there are methods.
        missing: how a failed run counts.
        combine: harmonic mean of ranks on each data set and their mean, or one harmonic mean of all ranks.
        qualification: the statistic that must be above the `baseline` method's; under `none` the baseline may be
            `none`.
        representative: the run that an expert sees.
        real_world: whether trust alone decides the real-world track, or its harmonic mean with the aspects.
        resamples: the number of bootstrap resamples for the stability of the verdict.
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
    def not_averaged(self) -> frozenset[str]:
        """Return the benchmarks that are reported separately and not averaged: those of invented problems."""
        return frozenset(name for name, benchmark in self.benchmark.items() if not benchmark.published)

    @property
    def titles(self) -> dict[str, str]:
        """Return the benchmarks' titles by name."""
        return {name: benchmark.title for name, benchmark in self.benchmark.items()}

    @property
    def labels(self) -> dict[str, str]:
        """Return the models' labels by name."""
        return {name: model.label for name, model in self.models.items()}

    @property
    def examined_tutors(self) -> list[str]:
        """Return the evaluated models that are tutors: the same weights, or the same model of a server."""
        tutors = {(tutor.base_url, tutor.model) for tutor in self.tutor.values() if tutor.reads}
        tutors |= {(None, f"data/models/tutors/{name}") for name in self.embedded}
        return [name for name, model in self.models.items() if (model.base_url, model.path) in tutors]

    def limit_of(self, model: str) -> int | None:
        """Return the maximum number of problems per benchmark for a model; None for all."""
        return min(filter(None, (self.evaluate.limit, self.models[model].limit)), default=None)
