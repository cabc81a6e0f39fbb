"""Record the hash of a file or folder that the configuration names, so that DVC notices changes.

Reads: the file or folder, as `sources` in params.yaml names it
Writes: data/sources/<name>.json

    dvc repro source@fncall
"""

from hashlib import sha256
from pathlib import Path

from pfe import config
from pfe.files import write_json
from pfe.stage import reports_mistakes, run


@reports_mistakes
def main(name: str) -> None:
    source = Path(config.chosen(name, config.load().sources, "source"))
    files = sorted(path for path in source.rglob("*") if path.is_file()) if source.is_dir() else [source]
    hashes = {path.name: sha256(path.read_bytes()).hexdigest() for path in files}
    write_json(Path("data/sources") / f"{name}.json", {"path": str(source), "sha256": hashes})
    print(f"{name:<14} {len(files):>3,} files in {source}" if source.is_dir() else f"{name:<14} {source}")


if __name__ == "__main__":
    run(main, "name")
