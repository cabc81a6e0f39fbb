"""What PFE finds on this machine, what is missing, and how to get it.

    pfe doctor

The status is 1 where something is missing that the commands eval and check cannot do without.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from packaging.requirements import Requirement


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at: there, missing and needed, or missing and only needed for a part."""

    state: Literal["ok", "MISSING", "–"]
    said: str


def main() -> bool:
    """Look at everything; whether nothing is missing that is needed."""
    from pfe.terminal import plain

    needed = True
    for finding in (finding for look in LOOKS for finding in look()):
        print(f"{finding.state:>7}  {plain(finding.said)}", flush=True)
        needed &= finding.state != "MISSING"
    return needed


def _python() -> Iterator[Finding]:
    import platform
    from importlib import metadata

    from packaging.specifiers import SpecifierSet

    here = f"Python {platform.python_version()} on {platform.platform()}"
    try:
        wanted = SpecifierSet(metadata.metadata("pfe")["Requires-Python"])
    except metadata.PackageNotFoundError:
        yield Finding("MISSING", f"{here}; PFE itself is not installed: pip install -e . in the checkout")
        return
    yield Finding("ok" if platform.python_version() in wanted else "MISSING", f"{here}; PFE takes {wanted}")


def _libraries() -> Iterator[Finding]:
    """The core, then every extra with what it lacks."""
    from importlib.util import find_spec

    from packaging.requirements import Requirement

    from pfe.extras import declared, extras

    core = [requirement for requirement in map(Requirement, declared()) if requirement.marker is None]
    if wrong := [f"{requirement} (here: {there})" for requirement in core if (there := _unfit(requirement))]:
        yield Finding("MISSING", f"libraries: {', '.join(wrong)}; pip install pfe")
    else:
        yield Finding("ok", f"libraries: all {len(core)} that are always needed")
    for extra, modules in extras().items():
        lacking = [module for module in modules if find_spec(module) is None]
        if lacking:
            yield Finding("–", f"{extra}: without {', '.join(lacking)}; pip install 'pfe[{extra}]'")
        else:
            yield Finding("ok", f"{extra}: {', '.join(modules)}")


def _unfit(requirement: "Requirement") -> str | None:
    """The version that is installed, or "none", where it is not what is required."""
    from importlib import metadata

    try:
        version = metadata.version(requirement.name)
    except metadata.PackageNotFoundError:
        return "none"
    return None if requirement.specifier.contains(version, prereleases=True) else version


def _hardware() -> Iterator[Finding]:
    import os

    import psutil
    import torch

    memory = psutil.virtual_memory()
    free, whole = (size / 2**30 for size in (memory.available, memory.total))
    yield Finding("ok", f"{os.cpu_count()} cores, {free:.0f} of {whole:.0f} GiB of memory free")
    if torch.cuda.is_available():
        yield Finding("ok", f"GPU: {torch.cuda.get_device_name()}, CUDA {torch.version.cuda}")
    else:
        yield Finding("–", f"no GPU that PyTorch {torch.__version__} sees; large models take hours")


def _sandbox() -> Iterator[Finding]:
    from pfe.errors import UserError
    from pfe.sandbox.programs import run_tests

    try:
        result = run_tests("def double(n): return 2 * n", "", ["assert double(4) == 8"])
        yield Finding("ok" if result.passed else "–", f"programs of strangers, apart from everything: {result.reason}")
    except UserError as error:
        yield Finding("–", f"programs of strangers are not run here ({error}); use Linux")


def _places() -> Iterator[Finding]:
    import os
    import shutil

    from pfe.cache import folder
    from pfe.resources import resource

    place = folder()
    there = next(path for path in (place, *place.parents) if path.exists())
    free = f"{shutil.disk_usage(there).free / 2**30:.0f} GiB free"
    if os.access(there, os.W_OK):
        yield Finding("ok", f"cache: {place}, {free}")
    else:
        yield Finding("–", f"cache: {place} cannot be written, nothing is kept; set PFE_CACHE_DIR to another folder")
    yield Finding("ok", f"configuration: {resource('conf')}")
    for tool, purpose in (("git", "experiments and their comparison"), ("make", "make repro, make test")):
        yield Finding("ok", tool) if shutil.which(tool) else Finding("–", f"no {tool}: needed for {purpose}")


LOOKS: tuple[Callable[[], Iterator[Finding]], ...] = (_python, _libraries, _hardware, _sandbox, _places)
