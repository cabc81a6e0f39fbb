"""Computations of scores and texts: the fastest that passes an audit against whole sequences is used.

Example: `AuditedComputations(loaded, 16, responses, seed=0).settle(task)` packs 2,000 rows with common prefixes, and
also computes 12 of them as whole sequences. If one of these differs by more than 1e-3 nats, all 2,000 rows are computed
again without packing.

The reference is a whole sequence alone: no batch, no padding, no KV cache (`ALONE`). The other ways are audited against
it in every task, on these rows: the longest one, one that would reveal an error of the way first, at least one in 200
sampled with a fixed seed, and those on both sides of every length limit in the configuration. For a proven
architecture the audit stops at one row in 24, but takes at least one. A way that fails is never used again.
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
# In half precision a logit is only as exact as its last place. The tolerance is two last places of the row's largest
# logit for each scored token, which add up like independent errors.
PLACES = 2
SAMPLE = 200  # one row in so many is audited
# An audited row is computed whole, so auditing a few rows could take longer than computing them: for a proven
# architecture at most one row in `PART` is audited, but at least `LEAST`.
LEAST, PART = 1, 24
SAMPLE_UNPROVEN, LEAST_UNPROVEN = 50, 8  # for an unproven architecture: one row in 50 is sampled, and at least 8
CAUSAL = 6  # audited rows on which an unproven architecture is also tested for causality
MOST_NODES = {"cpu": 384, "cuda": 4096}
_BROKEN = (RuntimeError, ValueError, TypeError, AttributeError, LookupError, NotImplementedError, AssertionError)
V = TypeVar("V")
Batches = Iterator[tuple[list[int], list[V]]]


class Engine(Protocol):
    """One way to compute rows, each of which follows `head`."""

    def halve(self) -> bool: ...
    def score(self, head: Tokens, rows: Sequence[Row]) -> Batches[float]: ...
    def write(self, head: Tokens, prompts: Sequence[Row], writings: Sequence[Writing]) -> Iterator[list[int]]: ...
    def doubtful(self, rows: Sequence[Row]) -> list[int]: ...


class RowTask(Protocol[V]):
    """Rows of one kind whose values an engine computes.

    `longest` is the most tokens that a row may have, including generated ones. `claim` returns the row and the
    log-likelihood (nats) that a value implies for it, which the audit checks.
    """

    kind: Kind
    rows: Sequence[Row]
    longest: int

    def parts(self) -> list[tuple[bytes, ...]]: ...
    def compute(self, engine: Engine, head: Tokens, places: Sequence[int]) -> Batches[V]: ...
    def claim(self, place: int, value: V) -> tuple[Row, float]: ...


@dataclass(frozen=True)
class Settled(Generic[V]):
    """The values of a task, the way that computed them, and the tolerances (nats) within which audited ones agreed.

    The differences are not there: they depend on the rows that were computed at once, and so on what the cache held.
    """

    values: list[V]
    way: str
    within: dict[int, float]


class _WrongError(Exception):
    """The scores of a way differ from those of whole sequences."""


class AuditedComputations:
    """The ways to compute with one model.

    Args:
        together: the most answers generated, or whole sequences scored, at once.
        responses: the cache of values, each stored under the way that computed it.

    Raises:
        UserError: the model is not causal, or cannot compute anything.
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
        self._causal: set[int] = set()  # lengths at which an unproven architecture was tested for causality
        self._whole_noted = False
        if reason := unproven(self._config, 0):
            self._note_whole(reason)
            self._check_causal(range(8))

    @property
    def packs(self) -> bool:
        """Whether the computation of common prefixes is shared, if the sequences are not too long for it."""
        return _way_name("choose", PACKED) not in self._revoked and not unproven(self._config, 0)

    @property
    def revoked(self) -> frozenset[str]:
        """The ways that gave incorrect results."""
        return frozenset(self._revoked)

    def settle(self, task: RowTask[V], report: Callable[[int], object]) -> Settled[V]:
        """Return the value of every row; call `report(place)` as soon as one is known, and again if it is recomputed.

        Raises:
            UserError: the model cannot even compute one sequence alone, its logits are not finite, or the memory does
                not suffice.
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
                if not math.isfinite(self._whole(task.rows[_longest(task.rows)])[0]):
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
        within: dict[int, float] = {}
        results = self._responses.through(f"{task.kind} {way}", task.parts(), lambda new: self._compute(way, task, new))
        for place, value in results:
            values[place] = value
            if place in audited:
                row, claimed = task.claim(place, value)
                reference, within[place] = self._whole(row)
                if not (difference := abs(claimed - reference)) <= within[place]:
                    raise _WrongError(f"scores that differ by {difference:.2g} nats")
            report(place)
        return Settled([values[place] for place in range(len(task.rows))], _way_name(task.kind, way), within)

    def _whole(self, row: Row) -> tuple[float, float]:
        """Return the log-likelihood (nats) of a row's scored tokens, alone as a whole sequence, and its tolerance."""
        row = Row((), row.tokens, max(1, row.scored))
        value = next(iter(self._responses.through("audit alone", keys([row]), lambda _: self._score_alone(row))))[1]
        score, largest = map(float, value)
        noise = torch.finfo(self._reader.model.dtype).eps * largest
        return score, max(TOLERANCE, PLACES * noise * math.sqrt(row.scored))

    def _score_alone(self, row: Row) -> Batches[list[float]]:
        """Yield the log-likelihood of a row and the magnitude of its largest logit in half precision, else 0."""
        try:
            for places, scores in self._engines[ALONE].score((), [row]):
                yield places, [[score, self._reader.largest] for score in scores]
        except _BROKEN as error:
            raise self._useless(error, len(row.tokens)) from None

    def _not_finite(self) -> UserError:
        """Return an error that says which weights are NaN or infinite, or that the arithmetic overflows."""
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
        """Return the indices of rows whose values are compared with whole sequences."""
        rows, lengths = task.rows, [len(row.tokens) for row in task.rows]
        if not rows:
            return set()
        digests = [sha256(f"{self._seed}:{row.tokens}".encode()).digest() for row in rows]
        proven = self._config.model_type in PROVEN
        size = math.ceil(len(rows) / SAMPLE) if proven else max(LEAST_UNPROVEN, math.ceil(len(rows) / SAMPLE_UNPROVEN))
        sample = sorted(range(len(rows)), key=digests.__getitem__)[:size]
        head, places = max(_groups(rows, range(len(rows))), key=lambda group: len(group[1]))
        doubtful = self._engines[way].doubtful([after_prefix(head, rows[place]) for place in places])
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
        """Compute rows head by head, and those with an unshared head whole; halve the batches if memory runs out."""
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
    """Return the parts of cache keys: the version of the code that computes values, the tokens, and how many count."""
    code = str(fingerprint("pfe.models.huggingface", *APART)).encode()
    return [(code, array("i", row.tokens).tobytes(), str(row.scored).encode()) for row in rows]


_NO_MEMORY = "there is not enough memory for one problem; set dtype: bfloat16, or take another machine"


def _note(text: str) -> None:
    print(f"NOTE: {text}", file=sys.stderr)


def _way_name(kind: Kind, way: str) -> str:
    """Return a way's name in answers; a failure of the packed way counts for both kinds of task, others for one."""
    return way if way in (PACKED, ALONE) else f"{way} {kind}"


def _groups(rows: Sequence[Row], selection: Sequence[int]) -> list[tuple[Tokens, list[int]]]:
    """Return groups of rows with their shared head; rows with an unshared head form one group with an empty head."""
    groups: dict[int, list[int]] = defaultdict(list)
    for place in selection:
        groups[id(rows[place].head)].append(place)
    alone = [place for places in groups.values() if len(places) == 1 for place in places]
    shared = [(rows[places[0]].head, places) for places in groups.values() if len(places) > 1]
    return [*shared, *([((), alone)] if alone else [])]


def after_prefix(head: Tokens, row: Row) -> Row:
    """Return the row relative to its group's head, which is its own or empty."""
    return row if row.head is head else Row(head, row.tokens, row.scored)


def _all_finite(weights: torch.Tensor) -> bool:
    """Return whether all weights are finite, without copying them: NaN and infinity show in minimum and maximum."""
    return all(bool(torch.isfinite(extreme)) for extreme in weights.detach().aminmax())


def _longest(rows: Sequence[Row]) -> int:
    return max(range(len(rows)), key=lambda place: len(rows[place].tokens))


def _out_of_memory(error: Exception) -> bool:
    return isinstance(error, torch.OutOfMemoryError) or "allocate memory" in str(error)
