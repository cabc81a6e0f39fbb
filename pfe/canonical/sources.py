"""Loading of the canonical benchmarks from three sources: our own sample, a folder of files, the Hugging Face hub.

Example: `load("arc_easy", benchmark, Canonical("files", "../shared/canonical"))` reads
`../shared/canonical/arc_easy/test.jsonl.gz`, one row per line with the hub's columns.
"""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from pfe.canonical.seal import SEAL, read_sealed
from pfe.config import FIELDS, Benchmark, Canonical, Config, fields_of
from pfe.errors import UserError, sentences
from pfe.hub import cached_where_unreachable, failure
from pfe.problem import Problem
from pfe.rows.files import SUFFIXES, entries, split
from pfe.rows.listing import listed
from pfe.rows.row import Columns
from pfe.rows.shapes import read_published

POOL = 200  # problems of their split that are loaded, from which shots are sampled


def load(name: str, benchmark: Benchmark, canonical: Canonical) -> list[Problem]:
    """Return all problems of one benchmark, in the order of its source.

    Raises:
        UserError: the source is missing or unreachable, rows are malformed, an id occurs twice, the rows lack a field
            that the prompt or the form needs, or the hub's row count is not in `benchmark.rows`.
    """
    if benchmark.path is not None:
        rows = _file_rows(Path(benchmark.path))
    elif canonical.source == "hub":
        rows = _hub_rows(name, benchmark)
    else:
        rows = _file_rows(_file(name, benchmark, canonical))
    problems = _problems(rows, name, benchmark)
    _check_ids(name, problems)
    _check_askable(name, problems, benchmark)
    _check_count(name, len(problems), benchmark, canonical)
    return problems


def problems_of(name: str, settings: Config) -> list[Problem]:
    """Return the problems of one benchmark, from the source or the sealed folder that the settings name.

    Raises:
        UserError: they cannot be loaded, or differ from their seal.
    """
    folder = Path(settings.canonical.path)
    sealed = settings.canonical.source == "files" and (folder / SEAL).is_file()
    return read_sealed(name, folder) if sealed else load(name, settings.benchmark[name], settings.canonical)


def load_shots(name: str, benchmark: Benchmark, canonical: Canonical, count: int) -> list[Problem]:
    """Return the first `count` problems of the split that shots come from; none if the source has no such split.

    Their ids contain the split (`gsm1k/train/7`), so that they differ from those of the benchmark's problems.

    Raises:
        UserError: the source is unreachable, or rows are malformed.
    """
    split = benchmark.shots_split
    if split is None or not benchmark.shots:
        return []
    if benchmark.path is None and canonical.source == "hub":
        has, of_split = _hub_has(name, benchmark, split), replace(benchmark, split=f"{split}[:{count}]")
        rows = _hub_rows(name, of_split) if has else iter(())
    else:
        path = split_file(Path(benchmark.path).parent if benchmark.path else Path(canonical.path) / name, split)
        rows = islice(_file_rows(path), count) if path else iter(())
    problems = _problems(rows, name, benchmark)
    return [replace(problem, id=f"{name}/{split}/{problem.id.removeprefix(f'{name}/')}") for problem in problems]


def _file(name: str, benchmark: Benchmark, canonical: Canonical) -> Path:
    folder = Path(canonical.path)
    if not folder.is_dir():
        raise UserError(f"canonical.path={folder}: no such folder; mend it with -S canonical.path=FOLDER")
    path = split_file(folder / name, benchmark.split)
    if path is None:
        raise UserError(
            f"{folder / name / benchmark.split}.jsonl: no such file, nor in another format; "
            f"add it, or leave {name} out with -S 'benchmark=[…]'"
        )
    return path


def split_file(folder: Path, split: str) -> Path | None:
    """Return the file that holds a split of a benchmark, in any format; None if there is none."""
    return next((path for suffix in SUFFIXES if (path := folder / f"{split}{suffix}").is_file()), None)


class _Row(NamedTuple):
    """A row of a source, its place, and the reason if it cannot be read."""

    place: str
    columns: Columns
    trouble: str = ""


def _problems(rows: Iterable[_Row], name: str, benchmark: Benchmark) -> list[Problem]:
    """Return the problems of the rows.

    Raises:
        UserError: rows are malformed; the message names them.
    """
    problems, malformed = [], []
    for index, row in enumerate(rows):
        try:
            if row.trouble:
                raise UserError(f"{row.place}: {row.trouble}")
            problems.append(read_published(row.columns, index, name, benchmark, row.place))
        except UserError as error:
            malformed.append((row.place, str(error).removeprefix(row.place)))
    if malformed:
        raise UserError(listed(malformed))
    return problems


def _file_rows(path: Path) -> Iterator[_Row]:
    if not path.is_file():
        raise UserError(f"{path}: no such file")
    for shard in split([path]):
        for entry in entries(shard):
            yield _Row(f"{path}:{entry.place}", entry.columns, entry.trouble)


def _hub_rows(name: str, benchmark: Benchmark) -> Iterator[_Row]:
    import datasets

    place = f"{benchmark.hub}@{benchmark.revision or 'main'}:{benchmark.split}"
    with _hub(name, benchmark, place) as hub:
        rows: Any = datasets.load_dataset(
            hub, benchmark.config, split=benchmark.split, revision=benchmark.revision, trust_remote_code=False
        )
    for index, row in enumerate(rows):
        yield _Row(f"{place}:{index}", row)


def _hub_has(name: str, benchmark: Benchmark, split: str) -> bool:
    import datasets

    with _hub(name, benchmark, f"{benchmark.hub}@{benchmark.revision or 'main'}") as hub:
        return split in datasets.get_dataset_split_names(hub, benchmark.config, revision=benchmark.revision)


class HubError(UserError):
    """A benchmark cannot be loaded from the hub.

    Args:
        what: the benchmark, and why it cannot be loaded.
        files: the options that make the command use files instead.
    """

    def __init__(self, what: str, files: str = "-S canonical=files -S canonical.path=FOLDER") -> None:
        super().__init__(f"{what}; check the network and your access, or use {files}")
        self._what = what

    def with_files(self, files: str) -> "HubError":
        """Return the same error with the options of another command."""
        return HubError(self._what, files)


@contextmanager
def hub_errors_with(files: str) -> Iterator[None]:
    """Replace a `HubError` raised inside the block by one with this command's options for using files instead.

    Raises:
        HubError: in its place.
    """
    try:
        yield
    except HubError as error:
        raise error.with_files(files) from None


@contextmanager
def _hub(name: str, benchmark: Benchmark, place: str) -> Iterator[str]:
    """Yield the benchmark's name on the hub; report errors of the hub in one line."""
    if benchmark.hub is None:
        raise UserError(f"benchmark.{name}.hub is null; set it to load {name} from the hub")
    try:
        with cached_where_unreachable(benchmark.hub):
            yield benchmark.hub
    except Exception as error:  # datasets, huggingface_hub and httpx each raise their own kinds
        known = failure(error, f"datasets/{benchmark.hub}")
        reason = known.reason if known else f"{type(error).__name__}: {sentences(error)}"
        raise HubError(f"{place}: cannot load {name} from the hub ({reason})") from None


def _check_ids(name: str, problems: list[Problem]) -> None:
    ids: set[str] = set()
    for problem in problems:
        if problem.id in ids:
            raise UserError(f"{name}: the id {problem.id} occurs twice")
        ids.add(problem.id)
    if not problems:
        raise UserError(f"{name}: no problems at all; check its source")


def _check_askable(name: str, problems: list[Problem], benchmark: Benchmark) -> None:
    """Check that the problems have the fields that the prompt shows and that the form compares."""
    present = [field for field in FIELDS if any(getattr(problem, field) for problem in problems)]
    fields = fields_of(benchmark.prompt)
    for field in fields:
        if field not in present:
            raise UserError(
                f"benchmark.{name}.prompt: no problem of {name} has anything for {{{field}}}; "
                f"allowed: {', '.join(f'{{{allowed}}}' for allowed in present)}"
            )
    for problem in problems if benchmark.form in ("choices", "suffix") else ():
        if not problem.choices:
            raise UserError(f"benchmark.{name}.form: {benchmark.form}: {problem.id} has no choices; set it to generate")
        if benchmark.form == "suffix" and sum(getattr(problem, field).count("_") for field in fields) != 1:
            raise UserError(f"benchmark.{name}.form: suffix: {problem.id} has no blank _ of its own; set it to choices")


def _check_count(name: str, count: int, benchmark: Benchmark, canonical: Canonical) -> None:
    if canonical.source == "sample" or count in benchmark.rows:
        return
    expected = " or ".join(f"{rows:,}" for rows in benchmark.rows)
    if canonical.source == "hub":
        raise UserError(f"{name}: {count:,} rows on the hub, not {expected}; check benchmark.{name}.revision")
    print(f"WARNING: {name}: {count:,} rows in {canonical.path}, not the benchmark's {expected}", file=sys.stderr)
