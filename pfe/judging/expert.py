"""An expert's trust in the models of the real-world track, read from a YAML file.

Example: on one data set the first of three models is trusted most and the other two equally. On another the expert
gave marks, where higher means more trust:

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

from pfe.errors import UserError, nearest, nearest_file
from pfe.judging.table import Values
from pfe.rows.listing import listed


@dataclass(frozen=True)
class Expert:
    """The trust by data set and method, where higher means more trust; `source` is the file that it was read from."""

    source: str
    trust: Mapping[str, Mapping[str, float]]

    def see_datasets(self, datasets: Sequence[str]) -> None:
        """Check that the expert judged exactly these data sets.

        Raises:
            UserError: data sets are unknown or missing; the message names them.
        """
        unknown = [
            (name, f": no real-world data set here; {nearest(name, datasets)}")
            for name in self.trust if name not in datasets
        ]  # fmt: skip
        missing = [
            (f"no data set {name}", f"; {_remedy(name, self.trust)}") for name in datasets if name not in self.trust
        ]
        if unknown or missing:
            raise UserError(f"{self.source}: {listed([*unknown, *missing])}")

    def marks(self, dataset: str, allowed: Sequence[str], required: Sequence[str]) -> Values:
        """Return the trust in each of the `required` methods' models on a data set; all `allowed` methods may be named.

        Raises:
            UserError: methods are not allowed, or required ones are missing; the message names them.
        """
        marks = self.trust[dataset]
        unknown = [
            (f"{dataset}.{name}", f": no method here; {nearest(name, allowed)}")
            for name in marks if name not in allowed
        ]  # fmt: skip
        missing = [
            (f"{dataset}: no method {name}", f"; {_remedy(name, marks)}") for name in required if name not in marks
        ]
        if unknown or missing:
            raise UserError(f"{self.source}: {listed([*unknown, *missing])}")
        return np.array([marks[name] for name in required], dtype=np.float64)


def read_expert(path: Path) -> Expert | None:
    """Read an expert's ranking; return None if the file contains no ranking yet.

    Raises:
        UserError: the file cannot be read, or has neither of the two forms; the message names the file and the key.
    """
    try:
        values = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(
            f"{path}: cannot be read ({error.strerror}); {nearest_file(path) or 'give the file of a ranking'}"
        ) from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: not YAML: {' '.join(str(error).split())}") from None
    if values is None:
        return None
    if not isinstance(values, dict) or not values:
        raise UserError(f"{path}: no data sets; write each as `name: [most trusted, …, least trusted]`")
    return Expert(str(path), {str(name): _trust(f"{path}: {name}", ranking) for name, ranking in values.items()})


def _trust(where: str, ranking: Any) -> dict[str, float]:
    if isinstance(ranking, dict) and ranking:
        return {str(method): _mark(f"{where}.{method}", mark) for method, mark in ranking.items()}
    if isinstance(ranking, list) and ranking:
        return _trust_by_place(where, ranking)
    raise UserError(f"{where}: neither a list of methods, most trusted first, nor a mapping of methods to marks")


def _mark(where: str, mark: Any) -> float:
    if isinstance(mark, bool) or not isinstance(mark, int | float) or not isfinite(mark):
        raise UserError(f"{where}: '{mark}' is no mark; give a number, higher for more trust")
    return float(mark)


def _trust_by_place(where: str, ranking: list[Any]) -> dict[str, float]:
    trust: dict[str, float] = {}
    for place, entry in enumerate(ranking):
        for method in entry if isinstance(entry, list) else [entry]:
            if not isinstance(method, str):
                raise UserError(f"{where}[{place}]: '{method}' is no method's name; write a name, or a list for a tie")
            if method in trust:
                raise UserError(f"{where}[{place}]: {method} stands here twice; leave one out")
            trust[method] = float(len(ranking) - place)
    return trust


def _remedy(name: str, names: Mapping[str, Any]) -> str:
    """Return the advice for a missing name: add it, or correct the nearest existing one."""
    return f"add it, or {nearest(name, names)}"
