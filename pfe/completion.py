"""Shell completion for option values: existing names, found without loading slow libraries.

Example: `pfe judge runs.csv --rules srbench2023<TAB>`, `pfe eval owner/model --benchmark arc_easy,gs<TAB>`: the latter
becomes `arc_easy,gsm1k`.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import get_args

from pfe.arms import Arm
from pfe.resources import resource


def completion(parameter: str) -> Callable[[str], list[str]] | None:
    """Return the function that completes a command's parameter of this name; None if it has no known values."""
    values = VALUES.get(parameter)
    if values is None:
        return None

    def complete(incomplete: str) -> list[str]:
        before, comma, last = incomplete.rpartition(",") if parameter in LISTS else ("", "", incomplete)
        taken = before.split(",")
        return [f"{before}{comma}{name}" for name in values() if name.startswith(last) and name not in taken]

    return complete


def _members(group: str) -> Callable[[], list[str]]:
    """Return a function that lists the files of a group of conf/: in the current folder, or else in PFE's own conf/."""

    def names() -> list[str]:
        here = Path("conf") / group
        return sorted(path.stem for path in (here if here.is_dir() else resource("conf") / group).glob("*.yaml"))

    return names


def _sides() -> list[str]:
    benchmarks = _members("benchmark")()
    return ["sample", *benchmarks, *(f"sample/{name}" for name in benchmarks)]


# By the name of the parameter, in every command.
VALUES: Mapping[str, Callable[[], Iterable[str]]] = {
    "against": _sides,
    "arm": lambda: get_args(Arm),
    "arms": lambda: get_args(Arm),
    "benchmark": _members("benchmark"),
    "canonical": lambda: ("sample", "hub"),
    "chat_template": lambda: ("auto", "on", "off"),
    "dtype": lambda: ("auto", "float32", "bfloat16"),
    "gates": _members("firewall"),
    "kind": lambda: ("auto", "huggingface", "vllm", "embedding", "chance"),
    "rules": _members("rules"),
    "thinking": lambda: ("on", "off"),
}
LISTS = ("arms", "benchmark")  # comma-separated
