"""Several ways to compute the same scores and texts: the fastest that stands up to computing some of it whole.

Example: `Ways(loaded, 16, responses, seed=0).settle(task)` packs what 2,000 rows have in common, computes 12 of them
as whole sequences too, and where one of these differs by more than 1e-3 nats computes all 2,000 again without packing.

The definition is a whole sequence alone: no batch, no padding, no kept keys and values (`ALONE`). The other ways are
audited against it in every task: the longest row, one where the way would soonest err, rows on both sides of every
length that the configuration names, and a seeded sample of at least one in 200; of few rows of a proven architecture at
most a quarter. A way that fails is never used again.
"""

import math
import sys
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Generic, Literal, Protocol, TypeVar

import torch

from pfe.errors import UserError, sentences
from pfe.fingerprint import fingerprint
from pfe.models.decoding import NotFiniteError, Writing
from pfe.models.loading import LoadedModel
from pfe.models.packed import PackedModel
from pfe.models.packing import Tokens
from pfe.models.plain import PlainModel
from pfe.models.reading import Reader
from pfe.models.responses import APART, Responses
from pfe.models.schemes import PROVEN, borders, unproven
from pfe.models.tokens import Row

Kind = Literal["choose", "write"]
PACKED, EVEN, SINGLE, ALONE = "packed", "even", "single", "alone"
LADDER: dict[Kind, tuple[str, ...]] = {"choose": (PACKED, EVEN, ALONE), "write": (PACKED, EVEN, SINGLE, ALONE)}
TOLERANCE = 1e-3  # nats by which a log-likelihood may differ from the whole sequence's, in float32
# In half precision a logit itself is no more exact than its last place: there, two of the largest logit's for each
# scored token, adding up as noise does.
PLACES = 2
SAMPLE = 200  # rows of which one is audited
# An audited row is computed whole, so few rows would take less time than their audit: at most one in `PART` of a proven
# architecture is audited, and at least `LEAST`.
LEAST, PART = 1, 24
SAMPLE_UNPROVEN, LEAST_UNPROVEN = 50, 8  # rows of which one is, and how many at least, of an unproven architecture
CAUSAL = 6  # of them, on which an unproven architecture is also tried for being causal
MOST_NODES = {"cpu": 384, "cuda": 4096}
_BROKEN = (RuntimeError, ValueError, TypeError, AttributeError, LookupError, NotImplementedError, AssertionError)
V = TypeVar("V")
Batches = Iterator[tuple[list[int], list[V]]]


class Engine(Protocol):
    """One way to compute rows; `head` stands before each of them."""

    def halve(self) -> bool: ...
    def score(self, head: Tokens, rows: Sequence[Row]) -> Batches[float]: ...
    def write(self, head: Tokens, prompts: Sequence[Row], writings: Sequence[Writing]) -> Iterator[list[int]]: ...
    def doubtful(self, rows: Sequence[Row]) -> list[int]: ...


class RowTask(Protocol[V]):
    """Rows of one kind, whose values an engine computes.

    `longest` is how many tokens a row may come to; a value claims that a model gives `claim`'s row its log-probability.
    """

    kind: Kind
    rows: Sequence[Row]
    longest: int

    def parts(self) -> list[tuple[bytes, ...]]: ...
    def compute(self, engine: Engine, head: Tokens, places: Sequence[int]) -> Batches[V]: ...
    def claim(self, place: int, value: V) -> tuple[Row, float]: ...


@dataclass(frozen=True)
class Settled(Generic[V]):
    """The values of a task, the way they were computed, and by how many nats the audited ones differ from the whole."""

    values: list[V]
    way: str
    differences: dict[int, float]


class _WrongError(Exception):
    """A way gives other scores than whole sequences."""


class Ways:
    """The ways to compute with one model.

    Args:
        together: the most answers written, or whole sequences scored, at once.
        responses: where values are kept, each under the way it was computed.

    Raises:
        UserError: the model is not causal, or computes nothing at all.
    """

    def __init__(self, loaded: LoadedModel, together: int, responses: Responses, seed: int) -> None:
        self._config = loaded.model.config
        try:
            self._reader = reader = Reader(loaded.model, loaded.device)
        except _BROKEN as error:
            raise self._useless(error, 8) from None
        self._engines: dict[str, Engine] = {
            PACKED: PackedModel(reader, MOST_NODES[loaded.device], together),
            EVEN: PlainModel(reader, together),
            SINGLE: PlainModel(reader, 1),
            ALONE: PlainModel(reader, 1, cached=False),
        }
        self._responses, self._seed = responses, seed
        self._revoked: dict[str, str] = {}
        self._borders = borders(self._config)
        self._causal: set[int] = set()  # lengths at which an architecture that is not proven was seen to be causal
        self._whole_noted = False
        if reason := unproven(self._config, 0):
            self._note_whole(reason)
            self._check_causal(range(8))

    @property
    def packs(self) -> bool:
        """Whether sequences share what they have in common, as long as they are not too long for it."""
        return _way_name("choose", PACKED) not in self._revoked and not unproven(self._config, 0)

    @property
    def revoked(self) -> frozenset[str]:
        """The ways that turned out to be wrong."""
        return frozenset(self._revoked)

    def settle(self, task: RowTask[V], report: Callable[[int], object]) -> Settled[V]:
        """The value of every row; `report(place)` is called as soon as one is there, and again where it is redone.

        Raises:
            UserError: the model computes not even one sequence alone, its logits are not finite, or there is no memory.
        """
        try:
            return self._settle(task, report)
        except NotFiniteError:
            raise self._not_finite() from None

    def _settle(self, task: RowTask[V], report: Callable[[int], object]) -> Settled[V]:
        for way in self._ladder(task):
            audited = self._places_to_audit(task, way)
            for place in sorted(audited, key=lambda place: -len(task.rows[place].tokens))[:CAUSAL]:
                self._check_causal(task.rows[place].tokens[:-1])
            try:
                return self._by(way, task, audited, report)
            except _WrongError as error:
                self._revoke(task.kind, way, str(error))
            except NotFiniteError:
                if not math.isfinite(self._whole(task.rows[_longest(task.rows)])):
                    raise
                self._revoke(task.kind, way, "logits that are not finite")
            except _BROKEN as error:
                self._whole(task.rows[_longest(task.rows)])
                self._revoke(task.kind, way, f"an error ({type(error).__name__})")
        try:
            return self._by(ALONE, task, set(), report)
        except _BROKEN as error:
            raise self._useless(error, task.longest) from None

    def _check_causal(self, tokens: Sequence[int]) -> None:
        if self._config.model_type not in PROVEN and len(tokens) > 1 and len(tokens) not in self._causal:
            self._causal.add(len(tokens))
            try:
                self._reader.check_causal(tokens)
            except _BROKEN as error:
                raise self._useless(error, len(tokens)) from None

    def _ladder(self, task: RowTask[Any]) -> Iterator[str]:
        for way in LADDER[task.kind]:
            if way == PACKED and (reason := unproven(self._config, task.longest)):
                self._note_whole(reason)
            elif way != ALONE and _way_name(task.kind, way) not in self._revoked:
                yield way

    def _by(self, way: str, task: RowTask[V], audited: set[int], report: Callable[[int], object]) -> Settled[V]:
        values: dict[int, V] = {}
        differences: dict[int, float] = {}
        results = self._responses.through(f"{task.kind} {way}", task.parts(), lambda new: self._compute(way, task, new))
        for place, value in results:
            values[place] = value
            if place in audited:
                row, claimed = task.claim(place, value)
                differences[place] = abs(claimed - self._whole(row))
                if not differences[place] <= self._tolerance(row):
                    raise _WrongError(f"scores that differ by {differences[place]:.2g} nats")
            report(place)
        return Settled([values[place] for place in range(len(task.rows))], _way_name(task.kind, way), differences)

    def _whole(self, row: Row) -> float:
        """The log-probability of a row's scored tokens, by definition."""
        row = Row((), row.tokens, max(1, row.scored))
        value = next(iter(self._responses.through("choose alone", keys([row]), lambda _: self._score_alone(row))))[1]
        return float(value)

    def _tolerance(self, row: Row) -> float:
        """By how many nats the sum over a row's scored tokens may differ."""
        dtype = self._reader.model.dtype
        noise = 0.0 if dtype == torch.float32 else torch.finfo(dtype).eps * self._reader.largest
        return max(TOLERANCE, PLACES * noise * math.sqrt(row.scored))

    def _score_alone(self, row: Row) -> Batches[float]:
        try:
            yield from self._engines[ALONE].score((), [row])
        except _BROKEN as error:
            raise self._useless(error, len(row.tokens)) from None

    def _not_finite(self) -> UserError:
        """Say whether it is the weights that hold NaN or infinity, and which, or the arithmetic that they overflow."""
        model = self._reader.model
        dtype = str(model.dtype).removeprefix("torch.")
        broken = [name for name, weights in model.named_parameters() if not _all_finite(weights)]
        remedy = "" if model.dtype == torch.float32 else "set dtype: float32 (--dtype float32), or "
        if broken:
            more = f" and {len(broken) - 1:,} more" if len(broken) > 1 else ""
            return UserError(
                f"the model's weights hold NaN or infinite numbers ({broken[0]}{more}), and so do its logits; "
                f"{remedy}fetch, convert or train it again"
            )
        return UserError(
            f"the model's logits are not finite (NaN or infinite), though its weights are: they overflow {dtype}; "
            f"{remedy}take another model"
        )

    def _useless(self, error: Exception, length: int) -> UserError:
        if _out_of_memory(error):
            return UserError(_NO_MEMORY)
        reason = sentences(error)
        return UserError(
            f"a model of the architecture {self._config.model_type} computes no sequence of up to {length:,} tokens "
            f"({type(error).__name__}: {reason}); see to its configuration, or take another model"
        )

    def _places_to_audit(self, task: RowTask[Any], way: str) -> set[int]:
        """The places whose values are compared with whole sequences."""
        rows, lengths = task.rows, [len(row.tokens) for row in task.rows]
        if not rows:
            return set()
        digests = [sha256(f"{self._seed}:{row.tokens}".encode()).digest() for row in rows]
        proven = self._config.model_type in PROVEN
        size = math.ceil(len(rows) / SAMPLE) if proven else max(LEAST_UNPROVEN, math.ceil(len(rows) / SAMPLE_UNPROVEN))
        sample = sorted(range(len(rows)), key=digests.__getitem__)[:size]
        head, places = max(_groups(rows, range(len(rows))), key=lambda group: len(group[1]))
        doubtful = self._engines[way].doubtful([behind(head, rows[place]) for place in places])
        audited = [_longest(rows), *(places[place] for place in doubtful), *sample]
        for border in self._borders:
            below = [place for place, length in enumerate(lengths) if length <= border]
            above = [place for place, length in enumerate(lengths) if length > border]
            if below and (above or task.longest > border):
                audited.append(max(below, key=lengths.__getitem__))
                audited += [min(above, key=lengths.__getitem__)] if above else []
        distinct = list(dict.fromkeys(audited))
        return set(distinct[: max(LEAST, len(rows) // PART)] if proven else distinct)

    def _compute(self, way: str, task: RowTask[V], new: Sequence[int]) -> Batches[V]:
        """Compute rows head by head; those whose head nobody shares, whole. Half as much where memory runs out."""
        engine = self._engines[way]
        for head, places in _groups(task.rows, new):
            waiting = dict.fromkeys(places)
            while waiting:
                try:
                    for batch, values in task.compute(engine, head, list(waiting)):
                        for place in batch:
                            del waiting[place]
                        yield batch, values
                except RuntimeError as error:
                    if not _out_of_memory(error):
                        raise
                    if not engine.halve():
                        raise UserError(_NO_MEMORY) from None

    def _revoke(self, kind: Kind, way: str, reason: str) -> None:
        self._revoked[_way_name(kind, way)] = reason
        if way == PACKED:
            _note(f"packed, this model has {reason}; every sequence is computed whole, what was packed again")
        else:
            _note(f"in batches or with kept keys and values, this model has {reason}; it is asked more slowly")

    def _note_whole(self, reason: str) -> None:
        if not self._whole_noted:
            self._whole_noted = True
            _note(f"this model shares no computation ({reason}); every sequence is computed whole")


def keys(rows: Sequence[Row]) -> list[tuple[bytes, ...]]:
    """What values are kept under: the code that computes them, and the tokens."""
    code = str(fingerprint("pfe.models.huggingface", *APART)).encode()
    return [(code, array("i", row.tokens).tobytes(), str(row.scored).encode()) for row in rows]


_NO_MEMORY = "there is not enough memory for one problem; set dtype: bfloat16, or take another machine"


def _note(text: str) -> None:
    print(f"NOTE: {text}", file=sys.stderr)


def _way_name(kind: Kind, way: str) -> str:
    """A way's name in answers: the packed one errs in both kinds or in none, the others each by itself."""
    return way if way in (PACKED, ALONE) else f"{way} {kind}"


def _groups(rows: Sequence[Row], selection: Sequence[int]) -> list[tuple[Tokens, list[int]]]:
    """Places of rows that share a head, with it; those whose head nobody shares together, behind none."""
    groups: dict[int, list[int]] = defaultdict(list)
    for place in selection:
        groups[id(rows[place].head)].append(place)
    alone = [place for places in groups.values() if len(places) == 1 for place in places]
    shared = [(rows[places[0]].head, places) for places in groups.values() if len(places) > 1]
    return [*shared, *([((), alone)] if alone else [])]


def behind(head: Tokens, row: Row) -> Row:
    """The row behind the head that its group shares: its own, or none."""
    return row if row.head is head else Row(head, row.tokens, row.scored)


def _all_finite(weights: torch.Tensor) -> bool:
    """Whether no weight is NaN or infinite, without a copy of them: both come through to the extremes."""
    return all(bool(torch.isfinite(extreme)) for extreme in weights.detach().aminmax())


def _longest(rows: Sequence[Row]) -> int:
    return max(range(len(rows)), key=lambda place: len(rows[place].tokens))


def _out_of_memory(error: Exception) -> bool:
    return isinstance(error, torch.OutOfMemoryError) or "allocate memory" in str(error)
