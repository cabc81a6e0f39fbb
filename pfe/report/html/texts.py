"""Where the texts of problems go: into the page, and what it has no room for into files beside it.

Example: `Texts(Path("report/problems")).add("student/gsm1k-0", …)` holds the part, or writes
report/problems/student/gsm1k-0.js where the page is full.
"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pfe.files import write_text
from pfe.report.html.render import island, side_file

ROOM = 2_000_000  # characters that the page itself holds


@dataclass
class Texts:
    """The parts that the page holds; from the first for which it has no room on they become files of a folder."""

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
