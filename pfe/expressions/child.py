"""The process in which sympy works on untrusted formulas; `pfe.expressions.pool` starts and kills it.

Example: `python -m pfe.expressions.child 2048` writes `{}` when it is ready, reads
`{"task": "count", "model": "x1 - x2", "columns": ["x1", "x2"], "seconds": 10}` and writes
`{"components": 5, "real": true}`, or `{"failed": "RecursionError"}`: one line of JSON each.

The argument is the memory, in MB, that tasks may take beyond what the idle process has. `seconds` are those of the
processor, which do not depend on what else the machine is at; a task that needs more ends the process by SIGPROF.
Linux only.
"""

import json
import os
import resource
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import sympy
from sympy.core.cache import clear_cache
from sympy.core.random import seed

from pfe.expressions import equivalence
from pfe.expressions.parser import parse
from pfe.expressions.symbolic import components, is_real, rounded, to_sympy

OUT_OF_MEMORY = 77  # the exit status; after a MemoryError no interpreter is to be trusted

_STACK = 512 << 20  # bytes: sympy recurses, about 5 KB of C stack for a call
_DEEPEST = 50_000  # calls

Request = Mapping[str, Any]


def count(request: Request) -> dict[str, Any]:
    tree = to_sympy(parse(request["model"], request["columns"]))
    return {"components": components(tree), "real": is_real(tree)}


def simplify(request: Request) -> dict[str, Any]:
    tree = sympy.simplify(to_sympy(parse(request["model"], request["columns"])))
    if request["decimals"] is not None:
        tree = rounded(tree, request["decimals"])
    names = {symbol.name for symbol in tree.free_symbols}
    return {
        "components": components(tree),
        "real": is_real(tree),
        "features": [name for name in request["columns"] if name in names],
    }


def deviation(request: Request) -> dict[str, Any]:
    model, truth = (parse(request[name], request["columns"]) for name in ("model", "truth"))
    return {"deviation": equivalence.deviation(model, truth, request["ranges"])}


def difference(request: Request) -> dict[str, Any]:
    return _compared(request, equivalence.constant_difference)


def ratio(request: Request) -> dict[str, Any]:
    return _compared(request, equivalence.constant_ratio)


def _compared(request: Request, constant: Callable[[Any, Any], bool]) -> dict[str, Any]:
    model, truth = (to_sympy(parse(request[name], request["columns"]), exact=True) for name in ("model", "truth"))
    return {"constant": constant(model, truth)}


TASKS = {task.__name__: task for task in (count, simplify, deviation, difference, ratio)}


def _serve(replies: int, memory_mb: int) -> None:
    _limit_memory(memory_mb)
    os.write(replies, b"{}\n")
    for line in sys.stdin.buffer:
        request = json.loads(line)
        clear_cache()  # an answer must not depend on what was asked before
        seed(0)
        signal.setitimer(signal.ITIMER_PROF, request["seconds"])
        reply = _answered(TASKS[request["task"]], request)
        signal.setitimer(signal.ITIMER_PROF, 0)
        _write(replies, json.dumps(reply).encode() + b"\n")


def _answered(task: Callable[[Request], dict[str, Any]], request: Request) -> dict[str, Any]:
    try:
        return task(request)
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    except RecursionError:
        return {"failed": "nested too deep for sympy"}
    except Exception as error:  # sympy raises all kinds
        return {"failed": f"{type(error).__name__}: {str(error)[:200]}"}


def _write(replies: int, text: bytes) -> None:
    while text:
        text = text[os.write(replies, text) :]


def _limit_memory(megabytes: int) -> None:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    largest = pages * resource.getpagesize() + (megabytes << 20)
    resource.setrlimit(resource.RLIMIT_AS, (largest, largest))


def main() -> None:
    """Answer until the input ends. What anything prints goes to stderr, never between the replies."""
    replies = os.dup(1)
    os.dup2(2, 1)
    sys.setrecursionlimit(_DEEPEST)
    threading.stack_size(_STACK)
    server = threading.Thread(target=_serve, args=(replies, int(sys.argv[1])))
    server.start()
    server.join()


if __name__ == "__main__":
    main()
