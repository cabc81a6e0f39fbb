"""What an extra brings is named, in one wording, where it is missing."""

import re
import tomllib
from collections.abc import Iterator
from importlib import metadata

import pytest

from pfe import extras
from pfe.errors import UserError
from pfe.stage import reporting_mistakes
from tests.conftest import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


@pytest.fixture(autouse=True)
def _installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The package's own requirements, as its wheel has them, whether or not this checkout is installed."""
    lines = list(PROJECT["dependencies"])
    for extra, requirements in PROJECT["optional-dependencies"].items():
        lines += [f"{requirement}; extra == '{extra}'" for requirement in requirements]
    monkeypatch.setattr(metadata, "requires", lambda name: lines)
    extras.extras.cache_clear()
    yield
    extras.extras.cache_clear()


@pytest.mark.parametrize(
    ("module", "extra"),
    [
        ("trl", "training"), ("dvclive", "training"), ("gplearn", "competition"), ("scikit_posthocs", "competition"),
        ("matplotlib", "competition"), ("dvc", "experiment"), ("vllm", "vllm"), ("ray", "cluster"),
        ("reasoning_gym", "gym"), ("inspect_ai", "inspect"), ("wandb", "wandb"), ("mlflow", "mlflow"), ("torch", None),
        ("peft", "lora"), ("openvino", "fast"),
    ],
)  # fmt: skip
def test_a_module_is_had_from_the_smallest_extra_that_brings_it(module: str, extra: str | None) -> None:
    assert extras.remedy(module) == (extra and f"pip install 'pfe[{extra}]'")


def test_need_passes_where_all_are_there_and_names_those_that_are_not() -> None:
    extras.need("this test", "pytest", "numpy")
    with pytest.raises(UserError, match="this test needs no_such_module, not installed here"):
        extras.need("this test", "pytest", "no_such_module")


def test_an_import_of_what_an_extra_brings_is_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended, reporting_mistakes():
        raise ModuleNotFoundError("No module named 'trl.trainer'", name="trl.trainer")
    assert ended.value.code == 2
    assert capsys.readouterr().err == "pfe: No module named 'trl.trainer'; pip install 'pfe[training]'\n"


def test_an_import_of_what_no_extra_brings_is_a_defect() -> None:
    with pytest.raises(SystemExit) as ended, reporting_mistakes():
        raise ModuleNotFoundError("No module named 'nowhere'", name="nowhere")
    assert ended.value.code == 70


def test_the_users_lock_is_part_of_the_developers() -> None:
    users, developers = (
        {line for line in (ROOT / name).read_text().splitlines() if line}
        for name in ("requirements.lock", "requirements-dev.lock")
    )
    assert users < developers


def test_the_users_lock_has_every_library_that_make_repro_needs() -> None:
    from packaging.requirements import Requirement

    def needed(lines: list[str]) -> Iterator[str]:
        for requirement in map(Requirement, lines):
            if requirement.name == "pfe":
                for extra in requirement.extras:
                    yield from needed(PROJECT["optional-dependencies"][extra])
            else:
                yield re.sub(r"[-_.]+", "-", requirement.name).lower()

    lines = (ROOT / "requirements.lock").read_text().splitlines()
    locked = {re.sub(r"[-_.]+", "-", line.partition("==")[0]).lower() for line in lines if line}
    assert {*needed([*PROJECT["dependencies"], "pfe[experiment]"])} <= locked


def test_every_library_that_is_named_is_locked_within_its_range() -> None:
    from packaging.requirements import Requirement

    locked = dict(line.split("==") for line in (ROOT / "requirements-dev.lock").read_text().splitlines() if line)
    names = {re.sub(r"[-_.]+", "-", name).lower(): version for name, version in locked.items()}
    for line in (
        *PROJECT["dependencies"],
        *(one for extra in PROJECT["optional-dependencies"].values() for one in extra),
    ):
        requirement = Requirement(line)
        # vLLM is for machines with a GPU; Inspect wants an older fsspec than is locked.
        if requirement.name not in ("pfe", "vllm", "inspect-ai"):
            version = names[re.sub(r"[-_.]+", "-", requirement.name).lower()]
            assert requirement.specifier.contains(version), line
