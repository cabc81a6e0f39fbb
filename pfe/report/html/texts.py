"""Storage of problem texts in the page up to a size limit, and in files next to it beyond that.

Example: `Texts(Path("report/problems")).add("student/gsm1k-0", …)` stores the part in the page, or writes
report/problems/student/gsm1k-0.js if the page is full.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pfe.files import write_text
from pfe.report.html.render import island, side_file

ROOM = 2_000_000  # most characters of problem texts in the page


@dataclass
class Texts:
    """The parts in the page; the first part that does not fit and all later ones are written to files in a folder."""

    folder: Path
    held: dict[str, Any] = field(default_factory=dict)
    size: int = 0
    files: int = 0

    def add(self, name: str, content: Any) -> None:
        length = len(island(content))
        if self.size + length <= ROOM and not self.files:
            self.held[name] = content
            self.size += length
            return
        write_text(self.folder / f"{name}.js", side_file(name, content))
        self.files += 1
