"""The sympy computations on untrusted formulas, one step in each child of `pfe.processes.pool`.

Example: `run_step("count", {"model": "x1 - x2", "columns": ["x1", "x2"]}, 2048)` is `{"components": 5, "real": true}`
as JSON, or `{"failed": "nested too deep for sympy"}`.
"""

import json
import sys
import threading
from collections.abc import Callable, Mapping
from typing import Any

import sympy
from sympy.core.random import seed

from pfe.processes.guard import describe
from pfe.processes.headroom import headroom
from pfe.symreg.expressions import equivalence
from pfe.symreg.expressions.parser import parse
from pfe.symreg.expressions.symbolic import components, is_real, rounded, to_sympy

_STACK = 512 << 20  # bytes; sympy recurses, with about 5 KB of C stack per call
_DEEPEST = 50_000  # calls

Request = Mapping[str, Any]


def run_step(step: str, request: Request, memory_mb: int) -> bytes:
    """Return the reply of a step as JSON; call this once per process.

    The step may take `memory_mb` MiB in addition to the memory that the process has.
    """
    replies: list[dict[str, Any]] = []
    sys.setrecursionlimit(_DEEPEST)
    threading.stack_size(_STACK)
    thread = threading.Thread(target=lambda: replies.append(_reply(STEPS[step], request, memory_mb)))
    thread.start()
    thread.join()
    return json.dumps(*replies).encode()


def _reply(step: Callable[[Request], dict[str, Any]], request: Request, memory_mb: int) -> dict[str, Any]:
    seed(0)
    try:
        with headroom(memory_mb << 20):
            return step(request)
    except (MemoryError, SystemError):  # SystemError: CPython had no memory for the MemoryError
        return {"failed": f"takes more than {memory_mb} MB"}
    except RecursionError:
        return {"failed": "nested too deep for sympy"}
    except Exception as error:  # sympy raises all kinds of exceptions
        return {"failed": describe(error)}


def _count(request: Request) -> dict[str, Any]:
    tree = to_sympy(parse(request["model"], request["columns"]))
    return {"components": components(tree), "real": is_real(tree)}


def _simplify(request: Request) -> dict[str, Any]:
    tree = sympy.simplify(to_sympy(parse(request["model"], request["columns"])))
    if request["decimals"] is not None:
        tree = rounded(tree, request["decimals"])
    names = {symbol.name for symbol in tree.free_symbols}
    return {
        "components": components(tree),
        "real": is_real(tree),
        "features": [name for name in request["columns"] if name in names],
    }


def _deviation(request: Request) -> dict[str, Any]:
    model, truth = (parse(request[name], request["columns"]) for name in ("model", "truth"))
    return {"deviation": equivalence.deviation(model, truth, request["ranges"])}


def _difference(request: Request) -> dict[str, Any]:
    return _constant(request, equivalence.constant_difference)


def _ratio(request: Request) -> dict[str, Any]:
    return _constant(request, equivalence.constant_ratio)


def _constant(request: Request, constant: Callable[[Any, Any], bool]) -> dict[str, Any]:
    model, truth = (to_sympy(parse(request[name], request["columns"]), exact=True) for name in ("model", "truth"))
    return {"constant": constant(model, truth)}


STEPS = {"count": _count, "simplify": _simplify, "deviation": _deviation, "difference": _difference, "ratio": _ratio}
