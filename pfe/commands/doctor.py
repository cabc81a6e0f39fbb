"""Report which packages and models this machine has, what is missing, and how to install it.

    pfe doctor

The exit status is 1 if something is missing that the commands eval and check need.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from packaging.requirements import Requirement


@dataclass(frozen=True)
class Diagnosis:
    """The result of one check: present, missing and required, or missing and needed for one part only."""

    state: Literal["ok", "MISSING", "–"]
    text: str


def main() -> bool:
    """Run all checks; return whether everything required is present."""
    from pfe.terminal import plain

    complete = True
    for diagnosis in (diagnosis for look in LOOKS for diagnosis in look()):
        print(f"{diagnosis.state:>7}  {plain(diagnosis.text)}", flush=True)
        complete &= diagnosis.state != "MISSING"
    return complete


def _python() -> Iterator[Diagnosis]:
    import platform
    from importlib import metadata

    from packaging.specifiers import SpecifierSet

    here = f"Python {platform.python_version()} on {platform.platform()}"
    try:
        supported = SpecifierSet(metadata.metadata("pfe")["Requires-Python"])
    except metadata.PackageNotFoundError:
        yield Diagnosis("MISSING", f"{here}; PFE itself is not installed: pip install -e . in the checkout")
        return
    yield Diagnosis("ok" if platform.python_version() in supported else "MISSING", f"{here}; PFE takes {supported}")


def _libraries() -> Iterator[Diagnosis]:
    """Yield the core, then every extra with what it lacks."""
    from packaging.requirements import Requirement

    from pfe.extras import declared, extras

    core = [requirement for requirement in map(Requirement, declared()) if requirement.marker is None]
    if wrong := [f"{requirement} (here: {there})" for requirement in core if (there := _unfit(requirement))]:
        yield Diagnosis("MISSING", f"libraries: {', '.join(wrong)}; pip install pfe")
    else:
        yield Diagnosis("ok", f"libraries: all {len(core)} that are always needed")
    for extra, projects in extras().items():
        lacking = [project for project in projects if _version(project) is None]
        if lacking:
            yield Diagnosis("–", f"{extra}: without {', '.join(lacking)}; pip install 'pfe[{extra}]'")
        else:
            yield Diagnosis("ok", f"{extra}: {', '.join(projects)}")


def _unfit(requirement: "Requirement") -> str | None:
    """Return the installed version, or "none", if it does not meet the requirement."""
    version = _version(requirement.name)
    if version is None:
        return "none"
    return None if requirement.specifier.contains(version, prereleases=True) else version


def _version(project: str) -> str | None:
    """Return the installed version of a project, whose modules may have another name; None if it is absent."""
    from importlib import metadata

    try:
        return metadata.version(project)
    except metadata.PackageNotFoundError:
        return None


def _models() -> Iterator[Diagnosis]:
    """Yield the language models that come in packages."""
    from pfe.models.packaged import PACKAGED

    for model in PACKAGED:
        if model.installed:
            yield Diagnosis("ok", f"{model.name}: {model.label}, for a first look: pfe eval {model.name}")
        else:
            yield Diagnosis("–", f"{model.name}: no {model.label} for a first look; {model.install}")


def _hardware() -> Iterator[Diagnosis]:
    import os

    import psutil
    import torch

    memory = psutil.virtual_memory()
    free, whole = (size / 2**30 for size in (memory.available, memory.total))
    yield Diagnosis("ok", f"{os.cpu_count()} cores, {free:.0f} of {whole:.0f} GiB of memory free")
    if torch.cuda.is_available():
        yield Diagnosis("ok", f"GPU: {torch.cuda.get_device_name()}, CUDA {torch.version.cuda}")
    else:
        yield Diagnosis("–", f"no GPU that PyTorch {torch.__version__} sees; large models take hours")


def _sandbox() -> Iterator[Diagnosis]:
    from pfe.errors import UserError
    from pfe.sandbox.cgroup import delegated
    from pfe.sandbox.programs import run_tests

    try:
        result = run_tests("def double(n): return 2 * n", "", ["assert double(4) == 8"])
        group = f"with control groups in {parent}" if (parent := delegated()) else "without control groups"
        text = f"programs of strangers, apart from everything, {group}: {result.reason}"
        yield Diagnosis("ok" if result.passed else "–", text)
    except UserError as error:
        yield Diagnosis("–", f"programs of strangers are not run here ({error}); use Linux")


def _places() -> Iterator[Diagnosis]:
    import os
    import shutil

    from pfe.cache import folder
    from pfe.resources import resource

    place = folder()
    there = next(path for path in (place, *place.parents) if path.exists())
    free = f"{shutil.disk_usage(there).free / 2**30:.0f} GiB free"
    if os.access(there, os.W_OK):
        yield Diagnosis("ok", f"cache: {place}, {free}")
    else:
        yield Diagnosis("–", f"cache: {place} cannot be written, nothing is kept; set PFE_CACHE_DIR to another folder")
    yield Diagnosis("ok", f"configuration: {resource('conf')}")
    for tool, purpose in (("git", "experiments and their comparison"), ("make", "make repro, make test")):
        yield Diagnosis("ok", tool) if shutil.which(tool) else Diagnosis("–", f"no {tool}: needed for {purpose}")


LOOKS: tuple[Callable[[], Iterator[Diagnosis]], ...] = (_python, _libraries, _models, _hardware, _sandbox, _places)
