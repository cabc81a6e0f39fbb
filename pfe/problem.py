"""The records of problems, answer keys and predictions, with their Parquet schemas.

Example, one canonical problem:
    Problem(id="arc_easy/Mercury_417466", set="arc_easy", domain="science",
            question="Which statement best explains why ...", answer="Sunlight is the source ...",
            choices=("Sunlight is the source ...", "Most ecosystems ...", ...))
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from pathlib import Path
from types import GenericAlias, NoneType, UnionType
from typing import Any, Literal, Self, cast, get_args, get_type_hints

import pyarrow as pa
import pyarrow.parquet as pq

from pfe.errors import UserError
from pfe.files import replacing

Domain = Literal[
    "math", "science", "reading", "boolean", "commonsense",
    "coreference", "code", "factual", "function_call", "format", "invented",
]  # fmt: skip
DOMAINS: tuple[Domain, ...] = get_args(Domain)
Scorer = Literal["alias", "boolean", "choice", "format", "function_call", "mixed", "number", "program"]
# The correct answer to a library-bound problem without its library.
UNKNOWN = "It cannot be known."
_ROWS = 4096


@dataclass(frozen=True)
class Record:
    """A record with a Parquet schema: one column per field, in the order of the fields."""

    @classmethod
    def schema(cls) -> pa.Schema:
        types = get_type_hints(cls)
        return pa.schema([pa.field(f.name, _arrow_type(types[f.name])) for f in fields(cls)])

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Self:
        """Build the record from a row as Arrow or JSON has it, with lists for tuples and mappings for records.

        Raises:
            TypeError: a column is missing, or is not a field of the record.
        """
        lists = {
            name: _items(row[name], kind) for name, kind in _lists(cast(Any, cls)).items() if row.get(name) is not None
        }
        return cls(**{**row, **lists})

    @classmethod
    def write(cls, records: Iterable[Self], path: Path) -> None:
        """Write records to a Parquet file, completely or not at all."""
        with replacing(path) as temporary:
            pq.write_table(cls.table(records), temporary)

    @classmethod
    def table(cls, records: Iterable[Self]) -> pa.Table:
        """Return records as an Arrow table."""
        return pa.Table.from_pylist([_row(record) for record in records], schema=cls.schema())

    @classmethod
    def read(cls, path: Path) -> list[Self]:
        """Read the records that `write` wrote.

        Raises:
            UserError: the file is missing, is no Parquet file, or has other columns.
        """
        return list(cls.stream(path))

    @classmethod
    def stream(cls, path: Path) -> Iterator[Self]:
        """Yield the records of a file in batches, like `read` but for large files."""
        try:
            with pq.ParquetFile(path) as file:
                if file.schema_arrow.names != cls.schema().names:
                    raise UserError(
                        f"{path}: columns {file.schema_arrow.names} are not those of {cls.__name__}; "
                        "delete it and run `dvc repro`"
                    )
                for batch in file.iter_batches(_ROWS):
                    yield from map(cls.of, batch.to_pylist())
        except FileNotFoundError:
            raise UserError(f"{path}: no such file; run `dvc repro` to make it") from None
        except (pa.ArrowInvalid, OSError) as error:
            raise UserError(f"{path}: not a Parquet file ({error}); delete it and run `dvc repro`") from None


def _row(record: Any) -> dict[str, Any]:
    """Return a record as Arrow takes it, with nested records as mappings."""
    row = {f.name: getattr(record, f.name) for f in fields(record)}
    nested = [name for name, value in row.items() if isinstance(value, tuple) and value and is_dataclass(value[0])]
    return row | {name: [_row(item) for item in row[name]] for name in nested}


@cache
def _lists(kind: Any) -> dict[str, Any]:
    """Return the item types of the fields that are tuples, by field name."""
    return {name: get_args(hint)[0] for name, hint in get_type_hints(kind).items() if isinstance(hint, GenericAlias)}


def _items(values: Iterable[Any], kind: Any) -> tuple[Any, ...]:
    return tuple(map(kind.of, values)) if isinstance(kind, type) and issubclass(kind, Record) else tuple(values)


def _arrow_type(kind: Any) -> pa.DataType:
    """Return the Arrow type of `str`, `int`, `float`, `bool`, a Literal, a Record, `tuple[T, ...]` or `T | None`."""
    if isinstance(kind, UnionType):
        return next(_arrow_type(part) for part in get_args(kind) if part is not NoneType)
    if isinstance(kind, GenericAlias):
        return pa.list_(_arrow_type(get_args(kind)[0]))
    if isinstance(kind, type) and issubclass(kind, Record):
        return pa.struct(list(kind.schema()))
    simple = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_()}
    return simple.get(kind, pa.string())


VariantName = Literal["changed", "irrelevant", "bare", "contradicted", "agreeing"]
Skill = Literal["lookup", "hops", "rules", "procedures", "discovery", "updates", "abstention", "calls"]
SKILLS: tuple[Skill, ...] = get_args(Skill)


@dataclass(frozen=True)
class Variant(Record):
    """A library-bound problem with another library in context, and the correct answer there.

    | name | the library | `answer` | `otherwise` |
    | --- | --- | --- | --- |
    | changed | states another fact where the answer comes from | that fact's | the original library's |
    | irrelevant | written for other things | `UNKNOWN`, unless it can be known | "" |
    | bare | none | the same | "" |
    | contradicted | states a fact against the real world | the library's | the world's |
    | agreeing | the same, but with the world's own facts | the world's | "" |
    """

    name: VariantName
    library: tuple[str, ...]
    answer: str
    otherwise: str = ""


@dataclass(frozen=True)
class Problem(Record):
    """One problem, canonical or synthetic.

    `answer` is always text: the number ("18"), the text of the correct choice, "yes" or "no", the reference program,
    the gold calls ("no call" if none is correct). Choice problems have `choices`; programs have `tests` and a `setup`
    that runs after the solution. Function calls have the `functions` on offer, each a name of our catalogue or a
    definition of its own as JSON. `aliases` are other accepted answers: names, or for each gold call the accepted
    values, {function: {argument: [values]}} as JSON. Problems that share a `group` (a passage, a twin) are one cluster.
    `family`, `seed` and `tutor` say where a synthetic problem came from.

    A library-bound problem has its own `library`, one text per method; its answer comes from the texts at the indices
    `needed`. `variants` are the same problem with other libraries in context. `skill` names what the answer takes,
    `rung` counts the statements of the library, and `names` says whether its names are `plain` or `confusable` (one
    letter apart); 0 and "" if a problem has none.
    """

    id: str
    set: str
    domain: Domain
    question: str
    answer: str
    context: str = ""
    choices: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    solution: str = ""
    setup: str = ""
    tests: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    group: str = ""
    family: str = ""
    seed: int = -1
    tutor: str = ""
    library: tuple[str, ...] = ()
    needed: tuple[int, ...] = ()
    variants: tuple[Variant, ...] = ()
    skill: str = ""
    rung: int = 0
    names: str = ""

    @property
    def library_bound(self) -> bool:
        """Return whether the answer depends on a library that was written for the problem."""
        return bool(self.library)

    def variant(self, name: VariantName) -> Variant | None:
        """Return the problem with another library in context; None if that variant was not written."""
        return next((variant for variant in self.variants if variant.name == name), None)

    def answer_in(self, arm: str) -> str:
        """Return the correct answer in an arm: its own library's in `contradicted` and `agreeing`, else the problem's.

        No other arm is named after a variant, so all others have the problem's answer.
        """
        return next((variant.answer for variant in self.variants if variant.name == arm), self.answer)

    @property
    def text(self) -> str:
        """Return the text that a reader sees and the firewall compares: context, question, choices."""
        return "\n".join(part for part in (self.context, self.question, *self.choices) if part)

    @property
    def parts(self) -> tuple[str, ...]:
        """Return every non-empty text of the problem, one by one: those that `text` joins, its answers, its libraries.

        A copy may be in any of them; function names are left out, since many problems share them.
        """
        visible = (self.context, self.question, *self.choices)
        answers = (self.answer, *self.aliases, self.solution, self.setup, *self.tests)
        libraries = dict.fromkeys([*self.library, *(text for variant in self.variants for text in variant.library)])
        return tuple(part for part in (*visible, *answers, *libraries) if part.strip())


@dataclass(frozen=True)
class AnswerKey(Record):
    """One tutor's answer to one problem: the `answer` alone, and the `text` a student learns from."""

    problem_id: str
    tutor: str
    answer: str
    text: str


# How an answer ended. choice: choices were scored; cut: they were scored after the last part of a problem that was
# truncated to the context window; stop: a stop string; end: the end-of-text token; length: the token limit or the
# window ran out; repeat: it kept repeating itself and was ended; too_long: the problem alone exceeds the window and was
# not asked; none: no usable answer.
Stop = Literal["choice", "cut", "stop", "end", "length", "repeat", "too_long", "none"]
UNENDED: Sequence[Stop] = ("length", "repeat")  # the model did not end these answers itself


@dataclass(frozen=True, kw_only=True)
class Prediction(Record):
    """One model's answer to one problem in one arm, unscored.

    `order` counts the orders of the library's methods (0: as written). `output` is the text the model wrote,
    `scores` the log-likelihood (nats) or similarity of each choice, if it was asked for them. `tokens_in` and
    `tokens_out` count tokens of the model's own tokenizer.

    `pfe.evaluation.reconstruction.prompt_of` rebuilds the prompt and checks it against `prompt_sha256`, the hash of the
    texts given to the model, with the chat template's `chat_before` and `chat_after` around them ("" if nothing was
    given). `template_sha256` is the hash of the benchmark's template, `library_sha256` that of the text that the arm
    puts in front, which holds `library_words` words of methods. The last `dropped` methods were left out to fit the
    model's context window.

    `engine`, with the libraries in `versions`, computed the answer with these `weights` ("sha256 …" of a folder,
    "owner/name at <commit>" on the hub, "<name> at <host>" of a server) of the requested `revision` ("" if none). `way`
    names how it was computed or asked, if there are several ways; if it was also computed as whole sequences,
    `difference` is the tolerance in nats within which the log-likelihoods agreed.
    """

    problem_id: str
    benchmark: str
    model: str
    arm: str
    order: int
    output: str
    scores: tuple[float, ...] = ()
    tokens_in: int
    tokens_out: int
    stop: Stop
    dropped: int = 0
    prompt_sha256: str = ""
    template_sha256: str = ""
    library_sha256: str = ""
    library_words: int = 0
    chat_before: str = ""
    chat_after: str = ""
    engine: str = ""
    weights: str = ""
    revision: str = ""
    versions: str = ""
    way: str = ""
    difference: float | None = None


@dataclass(frozen=True, kw_only=True)
class ScoredPrediction(Prediction):
    """A prediction with the result of its benchmark's scorer.

    `extracted` is the answer read from the output ("" if none could be), `correct` whether it is correct; `choices`
    counts the choices on offer, 0 if there were none. `group` names the cluster of the problem. Fields with a second
    reading report both: `correct_norm` for the choice by log-likelihood per character (acc_norm), `strict` and
    `strict_correct` for the number in the form the prompt asks for. `unsafe` marks a program that was run without
    isolation. `gold` is the correct answer ("" for programs); `skill`, `rung` and `names` are the problem's. With a
    library that contradicts the world, `otherwise` is whether the answer is the world's.
    """

    group: str
    extracted: str
    correct: bool
    choices: int = 0
    correct_norm: bool | None = None
    strict: str | None = None
    strict_correct: bool | None = None
    unsafe: bool = False
    otherwise: bool | None = None
    gold: str = ""
    skill: str = ""
    rung: int = 0
    names: str = ""
