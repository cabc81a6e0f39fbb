"""The screening of any data set against any canonical problems: the compared files, the result, and its report.

Example, from `pfe check mine.jsonl --against benchmark.jsonl`:
    canonical     1 problem in 1 file
                  1  9f2c…  benchmark.jsonl
    candidates    3 rows in 1 file
                  3  51d0…  mine.jsonl
    gates         token_overlap > 0.3, semantic_similarity > 0.85, …
            1 passed
            1 token_overlap
            1 error, not judged: mine.jsonl:3: no text in 'question'
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from pfe.canonical.seal import sha256_of
from pfe.config import Firewall
from pfe.errors import UserError
from pfe.files import write_json
from pfe.firewall.firewall import ERROR, PASSED, Verdict
from pfe.firewall.gate import active
from pfe.rows.files import columns_of, place_of
from pfe.rows.listing import listed
from pfe.screening.files import Located, Part, code_sha256, findings, reason_counts, verdicts
from pfe.screening.inputs import Side, Source
from pfe.terminal import plain

RESULT = "screening.json"
COMMAND = "pfe check"
CLOSE = 5000  # most ids that are searched for the nearest
MOST_FILES = 20  # most files of a side on the screen; --out has all of them


@dataclass(frozen=True)
class Filed(Located):
    """A finding with the file of its row."""

    file: str


@dataclass(frozen=True)
class Check:
    """Candidates screened against a canonical side.

    Attributes:
        against: the canonical side.
        candidates: the candidates' files.
        left_out: files of both sides that were not read, such as those whose names are not of data files.
        reasons: the number of candidates by reason.
        unjudged: the candidates that could not be judged, and why, formatted by `pfe.rows.listing.listed`.
        repeated: the number of ids that more than one candidate has.
    """

    against: Side
    candidates: tuple[Source, ...]
    left_out: tuple[Path, ...]
    settings: Firewall
    reasons: Counter[str]
    unjudged: str
    repeated: int

    @property
    def contaminated(self) -> bool:
        """Return whether any candidate was rejected."""
        return any(reason != PASSED for reason in self.reasons)


def checked(parts: Sequence[Part], against: Side, left_out: Sequence[Path], settings: Firewall) -> Check:
    """Return the result of the screened shards.

    Raises:
        UserError: there was no candidate, or none could be judged.
    """
    sources = tuple(
        Source(path, sum(pq.read_metadata(part.verdicts).num_rows for part in group), sha256_of(path))
        for path, group in groupby(parts, key=lambda part: part.shard.path)
    )
    if not sum(source.rows for source in sources):
        names = ", ".join(str(source.path) for source in sources[:3])
        raise UserError(f"{names}: no candidate in {_plural(len(sources), 'file')}, so nothing was compared")
    reasons = reason_counts(parts)
    if set(reasons) == {ERROR}:
        columns = ", ".join(columns_of([source.path for source in sources[:MOST_FILES]])) or "none"
        raise UserError(
            f"none of {_plural(reasons[ERROR], 'row')} can be judged ({_unjudged(parts)}); columns seen: "
            f"{columns}; say which holds what by --column question=COLUMN, --column answer=COLUMN"
        )
    excluded = tuple(sorted({*against.left_out, *left_out}))
    return Check(against, sources, excluded, settings, reasons, _unjudged(parts), _repeated(parts))


def report(check: Check) -> str:
    """Return the report of a check for the screen."""
    problems, rows = len(check.against.problems), sum(check.reasons.values())
    lines = [
        f"canonical   {_plural(problems, 'problem')} in {_plural(len(check.against.sources), 'file')}",
        *_listed(check.against.sources),
        f"candidates  {_plural(rows, 'row')} in {_plural(len(check.candidates), 'file')}",
        *_listed(check.candidates),
        *([f"left out    {', '.join(map(str, check.left_out[:MOST_FILES]))}"] if check.left_out else []),
        "gates       " + ", ".join(f"{gate.name} > {limit:g}" for gate, limit in active(check.settings)),
        f"{check.reasons[PASSED]:>9,} passed",
    ]
    for reason, count in check.reasons.most_common():
        if reason == ERROR:
            lines.append(f"{count:>9,} {ERROR}, not judged: {check.unjudged}")
        elif reason != PASSED:
            lines.append(f"{count:>9,} {reason}")
    if check.repeated:
        lines.append(f"NOTE: {_plural(check.repeated, 'id')} on more than one row; verdicts stand in the rows' order")
    return plain("\n".join(lines))


def write(check: Check, parts: Sequence[Part], folder: Path) -> None:
    """Write every shard's verdicts and findings, numbered in the order of the candidates, and the compared files."""
    for name in ("verdicts", "findings"):
        (folder / name).mkdir()
    for number, part in enumerate(parts):
        Verdict.write(verdicts([part]), folder / "verdicts" / f"{number:05}.parquet")
        file = plain(str(part.shard.path))
        filed = (Filed(**vars(finding), file=file) for finding in findings([part]))
        Filed.write(filed, folder / "findings" / f"{number:05}.parquet")
    write_json(folder / RESULT, _record(check))


def is_result(folder: Path) -> bool:
    """Return whether a folder contains the output of `write` and nothing else."""
    try:
        made_by = json.loads((folder / RESULT).read_text(encoding="utf-8"))["made_by"]
    except (OSError, ValueError, KeyError, TypeError):
        return False
    theirs = [
        path for path in folder.rglob("*")
        if path not in (folder / RESULT, folder / "verdicts", folder / "findings")
        and not (path.parent.name in ("verdicts", "findings") and path.stem.isdecimal() and path.suffix == ".parquet")
    ]  # fmt: skip
    return made_by == COMMAND and not theirs


def read_findings(folder: Path, id: str) -> tuple[list[Filed], int]:
    """Read the findings on one problem, by its id or by its place as printed on the screen, and the n-gram length.

    Raises:
        UserError: the folder is no result, or has no finding on such a problem.
    """
    if not is_result(folder):
        raise UserError(f"{folder}: no result of `pfe check`; give the folder that was given to its --out")
    every = [finding for path in sorted((folder / "findings").iterdir()) for finding in Filed.stream(path)]
    if matches := [f for f in every if id in (f.problem_id, place_of(Path(f.file), f.place))]:
        return matches, int(json.loads((folder / RESULT).read_text(encoding="utf-8"))["n"])
    rejected = list(dict.fromkeys(finding.problem_id for finding in every if finding.verdict != PASSED))
    raise UserError(f"{id}: {folder} has no finding on it, so it passed or was not there; {nearest_of(id, rejected)}")


def nearest_of(id: str, rejected: Sequence[str]) -> str:
    """Return a hint for the user: the most similar id of a rejected problem, or a few ids if none is similar."""
    close = get_close_matches(id, rejected[:CLOSE], n=1)
    return f"did you mean '{close[0]}'?" if close else f"rejected were {', '.join(rejected[:3]) or 'none'}"


def _record(check: Check) -> dict[str, Any]:
    def files(sources: Sequence[Source]) -> dict[str, dict[str, Any]]:
        return {plain(str(source.path)): {"rows": source.rows, "sha256": source.sha256} for source in sources}

    return {
        "made_by": COMMAND,
        "canonical": files(check.against.sources),
        "candidates": files(check.candidates),
        "left_out": [plain(str(path)) for path in check.left_out],
        "n": check.settings.n,
        "thresholds": {gate.name: limit for gate, limit in active(check.settings)},
        "code_sha256": code_sha256(),
        "reasons": dict(check.reasons),
    }


def _listed(sources: Sequence[Source]) -> Iterator[str]:
    for source in sources[:MOST_FILES]:
        yield f"  {source.rows:>9,}  {source.sha256}  {source.path}"
    if more := sources[MOST_FILES:]:
        yield f"  {sum(source.rows for source in more):>9,}  in {_plural(len(more), 'more file')}"


def _plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _unjudged(parts: Sequence[Part]) -> str:
    """Return the candidates that could not be judged, and why, grouped by reason."""
    columns = ["problem_id", "detail"]
    tables = (pq.read_table(part.verdicts, columns=columns, filters=[("reason", "==", ERROR)]) for part in parts)
    rows = (row for table in tables for row in table.to_pylist())
    return listed((row["problem_id"][:80], f": {row['detail'][:200]}") for row in rows)


def _repeated(parts: Sequence[Part]) -> int:
    """Return the number of ids that occur more than once; only an eight-byte hash of each is held in memory."""
    ids = (
        hash(id)
        for part in parts
        for batch in pq.ParquetFile(part.verdicts).iter_batches(columns=["problem_id"])
        for id in batch[0].to_pylist()
    )
    _, counts = np.unique(np.fromiter(ids, np.int64), return_counts=True)
    return int((counts > 1).sum())
