"""Record the fingerprint of the code of every stage, so that DVC notices changes.

Reads: stages/, pfe/, the versions of the libraries that they import
Writes: code/<stage>; for the stage `evaluate` one file for each kind of model

    dvc repro code
    cat code/train
"""

from collections.abc import Iterator
from pathlib import Path

from pfe.files import replacing_folder
from pfe.fingerprint import ROOT, Fingerprint, fingerprint
from pfe.models.load import ENGINES
from pfe.stage import reports_mistakes, run


@reports_mistakes
def main() -> None:
    with replacing_folder(Path("code")) as folder:
        for name, code in _stages():
            (folder / name).write_text("\n".join((code.code, *code.versions, "")), encoding="utf-8")


def _stages() -> Iterator[tuple[str, Fingerprint]]:
    names = sorted(path.stem for path in (ROOT / "stages").glob("[a-z]*.py"))
    for name in names:
        if name == "evaluate":
            for kind in ENGINES:
                others = [module for other, module in ENGINES.items() if other != kind]
                yield f"evaluate.{kind}", fingerprint("stages.evaluate", *others)
        elif name != "code":
            yield name, fingerprint(f"stages.{name}")


if __name__ == "__main__":
    run(main)
