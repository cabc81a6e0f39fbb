"""Show the cache of earlier work (answers, vectors, runs) and its size, or clear it.

    pfe cache                   # its folder and its size
    pfe cache --clear           # remove everything except models' answers, which may have cost money
    pfe cache --clear --paid    # remove the answers too; asks for confirmation

The cache never changes a result: whatever is removed is computed, or paid for, again. PFE_CACHE_DIR sets another
folder.
"""

import shutil
from pathlib import Path
from typing import Annotated

import typer

ANSWERS = "responses.sqlite"
HOLDS = {
    ANSWERS: "answers of models, some perhaps paid for",
    "entries.sqlite": "vectors of texts, measurements of the firewall",
    "runs.sqlite": "runs of competitions",
    "measures.sqlite": "measured expressions",
    "screening": "data sets that were, or are being, screened",
}


def main(
    clear: Annotated[bool, typer.Option("--clear", help="remove everything except models' answers")] = False,
    paid: Annotated[bool, typer.Option("--paid", help="with --clear: remove models' answers too")] = False,
) -> None:
    """Show the cache; with --clear, empty it."""
    from pfe.cache import folder
    from pfe.errors import UserError

    if paid and not clear:
        raise UserError("--paid says what --clear removes; give both")
    parts = parts_of(folder())
    for name, paths in parts.items():
        print(f"{_size(paths):>10}  {name:<16}  {HOLDS.get(name, 'not ours')}")
    print(f"{_size([path for paths in parts.values() for path in paths]):>10}  {folder()}")
    going = [name for name in parts if clear and name in HOLDS and name != ANSWERS]
    if paid and ANSWERS in parts and typer.confirm(f"Remove {_size(parts[ANSWERS])} of answers, paid for or not?"):
        going.append(ANSWERS)
    for path in (path for name in going for path in parts[name]):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    if clear:
        print(f"removed: {', '.join(going) or 'nothing'}")


def parts_of(folder: Path) -> dict[str, list[Path]]:
    """Return the parts of a cache by content: a database with its log, locks and damaged copies is one part."""
    parts: dict[str, list[Path]] = {}
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        name = next((name for name in HOLDS if path.name.startswith(name)), path.name)
        parts.setdefault(name, []).append(path)
    return parts


def _size(paths: list[Path]) -> str:
    files = [file for path in paths for file in (path.rglob("*") if path.is_dir() else [path]) if file.is_file()]
    return f"{sum(file.stat().st_size for file in files) / 2**20:,.1f} MiB"
