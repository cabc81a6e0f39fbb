"""An expert's trust in the models of the real-world track, read from a file.

Example: of three models on one data set the first is trusted most and the other two alike; on another the expert
gave marks, of which higher is more trust:

    covid_cases: [operon, [gplearn, linear]]
    covid_deaths: {operon: 7, gplearn: 9, linear: 2}
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from pfe.errors import UserError, nearest
from pfe.judging.table import Values


@dataclass(frozen=True)
class Expert:
    """Trust by data set and method, higher is more; `source` is the file it stands in."""

    source: str
    trust: Mapping[str, Mapping[str, float]]

    def see_datasets(self, datasets: Sequence[str]) -> None:
        """See that these are the data sets that the expert judged.

        Raises:
            UserError: one is unknown or missing.
        """
        for name in self.trust:
            if name not in datasets:
                raise UserError(f"{self.source}: {name}: no real-world data set here; {nearest(name, datasets)}")
        for name in datasets:
            if name not in self.trust:
                raise UserError(f"{self.source}: no data set {name}; {_ask(name, self.trust)}")

    def marks(self, dataset: str, known: Sequence[str], judged: Sequence[str]) -> Values:
        """The trust in each of the `judged` methods' models on a data set; `known` may be named besides.

        Raises:
            UserError: a method named is unknown, or one to be judged is missing.
        """
        given = self.trust[dataset]
        for name in given:
            if name not in known:
                raise UserError(f"{self.source}: {dataset}.{name}: no method here; {nearest(name, known)}")
        for name in judged:
            if name not in given:
                raise UserError(f"{self.source}: {dataset}: no method {name}; {_ask(name, given)}")
        return np.array([given[name] for name in judged], dtype=np.float64)


def read_expert(path: Path) -> Expert | None:
    """Read an expert's ranking; None where the file names nothing yet.

    Raises:
        UserError: naming the file and key: it cannot be read, or says neither of the two forms.
    """
    try:
        values = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror}); see competition.expert") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: not YAML: {' '.join(str(error).split())}") from None
    if values is None:
        return None
    if not isinstance(values, dict) or not values:
        raise UserError(f"{path}: no data sets; write each as `name: [most trusted, …, least trusted]`")
    return Expert(str(path), {str(name): _trust(f"{path}: {name}", given) for name, given in values.items()})


def _trust(where: str, given: Any) -> dict[str, float]:
    if isinstance(given, dict) and given:
        return {str(method): _mark(f"{where}.{method}", mark) for method, mark in given.items()}
    if isinstance(given, list) and given:
        return _listed(where, given)
    raise UserError(f"{where}: neither a list of methods, most trusted first, nor a mapping of methods to marks")


def _mark(where: str, mark: Any) -> float:
    if isinstance(mark, bool) or not isinstance(mark, int | float) or not isfinite(mark):
        raise UserError(f"{where}: '{mark}' is no mark; give a number, higher for more trust")
    return float(mark)


def _listed(where: str, given: list[Any]) -> dict[str, float]:
    found: dict[str, float] = {}
    for place, entry in enumerate(given):
        for method in entry if isinstance(entry, list) else [entry]:
            if not isinstance(method, str):
                raise UserError(f"{where}[{place}]: '{method}' is no method's name; write a name, or a list for a tie")
            if method in found:
                raise UserError(f"{where}[{place}]: {method} stands here twice; leave one out")
            found[method] = float(len(given) - place)
    return found


def _ask(name: str, given: Mapping[str, Any]) -> str:
    """What to do about a name that is missing: mend the nearest one given, or add it."""
    hint = nearest(name, given)
    return f"add it, or {hint}"
