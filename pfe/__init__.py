"""PFE, Posthumanity's First Exam: does a model learn from its context, or does it remember?

    import pfe

    print(pfe.evaluate("smollm2", benchmarks=["arc_easy"], limit=20))

`evaluate`, `check` and `judge` stand in `pfe/api.py`, which is loaded when one of them is first used.
"""

from importlib import import_module
from typing import Any

__all__ = ["evaluate", "check", "judge", "Result", "Screened", "Judgement"]  # noqa: RUF022 (the functions first)


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(import_module(f"{__name__}.api"), name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
