"""Screening of files of any size, shard by shard: in this process, in several, or on a cluster.

Example: `screen_files([Path("corpus")], reference, settings, Path("work"))` returns one `Part` per shard, each with
a Parquet file of verdicts and one of findings. If it is killed and run again, it skips the finished shards.

The gates' measurements are saved next to them, independent of the thresholds: another threshold takes only seconds.
"""

import json
import pickle
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import file_digest, sha256
from pathlib import Path

import pyarrow.parquet as pq

from pfe.config import Firewall
from pfe.errors import UserError
from pfe.files import replacing, write_text
from pfe.fingerprint import fingerprint
from pfe.firewall.firewall import ERROR, Evidence, Finding, Verdict, decide, finding_text, measure
from pfe.firewall.gate import active
from pfe.firewall.libraries import by_world
from pfe.firewall.reference import Reference
from pfe.problem import Problem
from pfe.rows.files import digest, read, split
from pfe.rows.formats.format import Shard
from pfe.rows.row import Placed, Unreadable
from pfe.screening import engines

_BATCH = 4096


@dataclass(frozen=True)
class Located(Finding):
    """A finding with the place of its row in its file, and the text of the canonical problem."""

    place: int
    canonical_text: str


@dataclass(frozen=True)
class Part:
    """A screened shard: `verdicts` has one row per candidate, in order; `findings` has the findings on them.

    `digest` is the digest of the rows as they were screened.
    """

    shard: Shard
    digest: str
    verdicts: Path
    findings: Path

    @property
    def seal(self) -> Path:
        """Return the path of the file that is written last, with the hashes of the other two."""
        return self.verdicts.with_suffix(".sha256")

    @property
    def done(self) -> bool:
        """Return whether both files exist and are unchanged since they were written."""
        files = (self.verdicts, self.findings, self.seal)
        return all(file.exists() for file in files) and self.seal.read_bytes() == self.sha256.encode()

    @property
    def sha256(self) -> str:
        """Return the SHA-256 of both files, separated by a space."""
        digests = []
        for path in (self.verdicts, self.findings):
            with path.open("rb") as file:
                digests.append(file_digest(file, "sha256").hexdigest())
        return " ".join(digests)


@dataclass(frozen=True)
class Screen:
    """The task of screening one shard; a finished shard is not screened again.

    `reference` is the reference itself, or the file that holds it if the task runs in other processes.
    """

    reference: Reference | Path
    settings: Firewall
    folder: Path
    comparison: str
    columns: Mapping[str, str]

    def __call__(self, shard: Shard) -> None:
        part = self.part(shard)
        if part.done:
            return
        with (
            replacing(part.verdicts) as verdicts_path,
            replacing(part.findings) as findings_path,
            pq.ParquetWriter(verdicts_path, Verdict.schema()) as verdict_writer,
            pq.ParquetWriter(findings_path, Located.schema()) as finding_writer,
        ):
            for rows in read(shard, _BATCH, self.columns):
                verdicts, findings = self._screen(rows)
                verdict_writer.write_table(Verdict.table(verdicts))
                finding_writer.write_table(Located.table(findings))
        write_text(part.seal, part.sha256)

    def part(self, shard: Shard) -> Part:
        """Return the files for the results of a shard."""
        rules = json.dumps([(gate.name, threshold) for gate, threshold in active(self.settings)])
        content = digest(shard)
        key = _hash(
            self.comparison, rules, str(self.settings.near_miss), json.dumps(list(self.columns.items())), content
        )
        return Part(shard, content, self.folder / f"{key}.verdicts.parquet", self.folder / f"{key}.findings.parquet")

    def _screen(self, rows: Sequence[Placed]) -> tuple[list[Verdict], list[Located]]:
        problems = {row.place: row.problem for row in rows if isinstance(row.problem, Problem)}
        # Several rows may have the same id, so texts are judged under their numbers.
        texts = [*((problem, (place,)) for place, problem in problems.items()), *by_world(problems)]
        numbered = [replace(problem, id=str(number)) for number, (problem, _) in enumerate(texts)]
        reference = self._reference
        screening = decide(numbered, self._evidence([problem for problem, _ in texts]), reference, self.settings)
        verdicts: dict[int, Verdict] = {}
        for verdict in screening.verdicts:  # a problem's verdict comes before those of its libraries
            for place in texts[int(verdict.problem_id)][1]:
                verdicts[place] = _together(verdicts[place], verdict) if place in verdicts else verdict
        findings: dict[int, list[Finding]] = {}
        for finding in screening.findings:
            for place in texts[int(finding.problem_id)][1]:
                findings.setdefault(place, []).append(finding)
        canonical = dict(zip(reference.ids, reference.canonical, strict=True))
        row_verdicts, row_findings = [], []
        for place, row in rows:
            if isinstance(row, Problem):
                row_verdicts.append(replace(verdicts[place], problem_id=row.id))
                for finding in findings.get(place, ()):
                    match = canonical.get(finding.canonical_id)
                    text = finding_text(match, finding.gate) if match else ""
                    row_findings.append(
                        Located(**vars(finding) | {"problem_id": row.id, "place": place, "canonical_text": text})
                    )
            else:
                row_verdicts.append(Verdict(row.id, "", ERROR, row.why, (), (), ()))
                row_findings.append(_unreadable_finding(row, place))
        return row_verdicts, row_findings

    def _evidence(self, problems: Sequence[Problem]) -> Evidence:
        gates = ",".join(gate.name for gate, _ in active(self.settings))
        path = self.folder / f"{_hash(self.comparison, gates, *map(repr, problems))}.evidence.npz"
        if path.exists():
            try:
                return Evidence.read(path)
            except Exception:  # damaged: numpy and zipfile raise many kinds of error; measure again
                path.unlink()
        evidence = measure(problems, self._reference, self.settings)
        evidence.write(path)
        return evidence

    @property
    def _reference(self) -> Reference:
        return self.reference if isinstance(self.reference, Reference) else _load(self.reference)


def _together(problem: Verdict, library: Verdict) -> Verdict:
    """Combine the verdicts on a problem and its libraries: rejected if either is, with the higher scores of both."""
    decides = library if problem.safe and not library.safe else problem
    pairs = zip(problem.scores, library.scores, problem.canonical_ids, library.canonical_ids, strict=True)
    best = [(mine, my_id) if mine >= theirs else (theirs, their_id) for mine, theirs, my_id, their_id in pairs]
    scores, ids = zip(*best, strict=True) if best else ((), ())
    return replace(decides, scores=scores, canonical_ids=ids)


def screen_files(
    paths: Sequence[Path],
    reference: Reference,
    settings: Firewall,
    folder: Path,
    columns: Mapping[str, str] | None = None,
) -> list[Part]:
    """Screen every file below `paths` with the engine of the settings; results are saved in `folder` and reused.

    Args:
        columns: the role of columns by name, for columns whose names do not show it.

    Raises:
        UserError: a file is damaged, the engine is not installed or lost a shard, or no gate could reject anything.
    """
    _check_gates(settings)
    shards = split(paths)
    comparison = _hash(reference.sha256, str(fingerprint(__name__, "pfe.config")))
    folder = folder / comparison[:16]
    folder.mkdir(parents=True, exist_ok=True)
    source: Reference | Path = reference
    if settings.engine != "local":
        source = folder / "reference.pickle"
        with replacing(source) as temporary:
            temporary.write_bytes(pickle.dumps(_with_indexes(reference, settings)))
    task = Screen(source, settings, folder, comparison, columns or {})
    engines.run(task, shards, settings.engine, settings.workers, folder / "logs", settings.cluster)
    return [task.part(shard) for shard in shards]


def _check_gates(settings: Firewall) -> None:
    """Check that some gate can reject a candidate for its similarity to a canonical problem.

    A gate at its highest threshold rejects nothing, and a gate that judges the candidate by itself compares nothing.

    Raises:
        UserError: no gate can.
    """
    if not any(limit < (gate.bounds or (0, 1))[1] for gate, limit in active(settings) if gate.of_pairs):
        raise UserError(
            "firewall: every gate that compares is off or has its highest threshold, and all would pass; lower one"
        )


def reason_counts(parts: Sequence[Part]) -> Counter[str]:
    """Count the candidates of all shards by reason."""
    total: Counter[str] = Counter()
    for part in parts:
        for count in pq.read_table(part.verdicts, columns=["reason"])["reason"].value_counts().to_pylist():
            total[count["values"]] += count["counts"]
    return total


def verdicts(parts: Sequence[Part]) -> Iterator[Verdict]:
    """Yield the verdicts of all shards, in the order of the candidates."""
    for part in parts:
        yield from Verdict.stream(part.verdicts)


def findings(parts: Sequence[Part]) -> Iterator[Located]:
    """Yield the findings of all shards, in the order of the candidates."""
    for part in parts:
        yield from Located.stream(part.findings)


@cache
def code_sha256() -> str:
    """Return the hash of the code that decides a verdict; it does not depend on the git revision."""
    return fingerprint(__name__, "pfe.config").code


def _with_indexes(reference: Reference, settings: Firewall) -> Reference:
    """Return the reference with every index built that the active gates need, so that no worker has to."""
    measure(reference.canonical[:1], reference, settings)
    return reference


@cache
def _load(path: Path) -> Reference:
    reference: Reference = pickle.loads(path.read_bytes())
    return reference


def _unreadable_finding(row: Unreadable, place: int) -> Located:
    return Located(
        row.id, "", ERROR, ERROR, 0.0, 0.0, 0.0, "", 0, 0, "", 0.0, row.why, (), (), (), (), (), "", place, ""
    )


def _hash(*parts: str) -> str:
    digest = sha256()
    for part in parts:
        digest.update(part.encode("utf-8", "surrogatepass") + b"\0")
    return digest.hexdigest()
