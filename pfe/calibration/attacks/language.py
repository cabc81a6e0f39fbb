"""An attack that replaces problems of our own sample by hand-made translations into Spanish, German or French.

Example: "A beekeeper looks after 14 hives. …" becomes "Una apicultora cuida 14 colmenas. …".
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random

import yaml

from pfe.calibration.attack import Attack, Donors
from pfe.problem import Problem

_TRANSLATIONS = yaml.safe_load(Path(__file__).with_name("language.yaml").read_text(encoding="utf-8"))


def _translated(problem: Problem, donors: Donors, rng: Random) -> Problem | None:
    """Return the translation of a problem of our own sample into Spanish, German or French; None if there is none."""
    text = next((text for start, text in _TRANSLATIONS.items() if problem.question.startswith(start)), None)
    return replace(problem, question=text, solution="") if text else None


ATTACKS: Mapping[str, Attack] = {"translated": _translated}
