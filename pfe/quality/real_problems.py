"""The real side of a comparison: the problems of the benchmarks with the domain of a synthetic set.

Example: `real_side("math", "../shared/canonical", settings.benchmark)` reads gsm1k there, and gsm8k too: a folder of
another name counts if its rows have the shape of a benchmark of the domain.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from pfe.canonical.seal import SEAL, read_sealed, sealed_names
from pfe.canonical.sources import load, split_file
from pfe.config import Benchmark, Canonical
from pfe.errors import UserError
from pfe.problem import Domain, Problem
from pfe.resources import resource

SAMPLE: Final = "sample"


def real_side(domain: Domain, against: str, benchmarks: Mapping[str, Benchmark]) -> list[Problem]:
    """Return the real problems of a domain; none if no benchmark has it.

    Args:
        against: `sample` (our own problems), a sealed folder, or a folder that has a folder for each benchmark.

    Raises:
        UserError: the folder does not exist, or holds nothing for the domain's benchmarks.
    """
    own = {name: benchmark for name, benchmark in benchmarks.items() if benchmark.domain == domain}
    folder = resource("data/sample") if against == SAMPLE and not Path(against).exists() else Path(against)
    if not folder.is_dir():
        raise UserError(f"{against}: no such folder; give one of benchmarks, one that is sealed, or {SAMPLE}")
    if (folder / SEAL).exists():
        return of_domain(domain, [p for name in sealed_names(folder) for p in read_sealed(name, folder)])
    loaded = [problem for name, benchmark in _sources(folder, own, benchmarks) for problem in _load(name, benchmark)]
    problems = of_domain(domain, loaded)
    if own and not problems:
        raise UserError(
            f"{against}: holds no problems of {', '.join(own)}; give a folder that has a folder of that name"
        )
    return problems


def of_domain(domain: Domain, problems: Iterable[Problem]) -> list[Problem]:
    """Return the problems of a domain, without those invented with their library, which are no real-world benchmark."""
    return [problem for problem in problems if problem.domain == domain and not problem.library_bound]


def _sources(
    folder: Path, own: Mapping[str, Benchmark], benchmarks: Mapping[str, Benchmark]
) -> Iterator[tuple[str, Benchmark]]:
    """Yield each benchmark with the file from which it is read."""
    for place in sorted(path for path in folder.iterdir() if path.is_dir()):
        known = {place.name: own[place.name]} if place.name in own else {} if place.name in benchmarks else own
        for benchmark in known.values():
            if path := split_file(place, benchmark.split):
                source = replace(benchmark, path=str(path))
                if place.name in own or _readable(place.name, source):
                    yield place.name, source
                    break
    for name, benchmark in own.items():
        if benchmark.path and not (folder / name).is_dir():
            here = Path(benchmark.path)
            yield name, replace(benchmark, path=str(here if here.exists() else resource(benchmark.path)))


def _readable(name: str, benchmark: Benchmark) -> bool:
    try:
        return bool(_load(name, benchmark))
    except UserError:
        return False


def _load(name: str, benchmark: Benchmark) -> list[Problem]:
    return load(name, benchmark, Canonical(SAMPLE, "-"))
