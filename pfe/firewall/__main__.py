"""The firewall at the command line.

    python -m pfe.firewall verify                                       # is data/certificate.json true?
    python -m pfe.firewall explain gsm1k_synth/coupon_change/s0/2       # why was it rejected?
    python -m pfe.firewall check mine.jsonl --against data/canonical    # screen anybody's data set
    python -m pfe.firewall check corpus/ --against FOLDER --out found --gates spec

`check` reads JSON lines and Parquet with a column `text` or `question`, files or folders of any size, and
exits 1 where something is contaminated; killed, it goes on where it was.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from pfe import cache, config, params
from pfe.canonical.sources import load
from pfe.config import Canonical, Config
from pfe.errors import UserError
from pfe.files import replacing_folder
from pfe.firewall.certificate import certificate, differences, without_evidence
from pfe.firewall.explain import explained
from pfe.firewall.firewall import Finding, Verdict
from pfe.firewall.screening import Part, counted, findings, screen_files, verdicts
from pfe.firewall.sealed import FILES, outcomes, reference_of, sealed_reference
from pfe.firewall.shards import read, split
from pfe.problem import Problem
from pfe.stage import told

WORK = "screening"


@told
def main(arguments: Sequence[str]) -> None:
    """Run one of the three commands."""
    parser = argparse.ArgumentParser(prog="python -m pfe.firewall", description="The contamination firewall.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("verify", help="make data/certificate.json again from the data and compare")
    one = commands.add_parser("explain", help="show a rejected problem beside its canonical match")
    one.add_argument("id", help="the problem's id, as in data/rejections/*.parquet")
    any_data = commands.add_parser("check", help="screen a data set of your own")
    any_data.add_argument("paths", nargs="+", type=Path, help="*.jsonl[.gz|.zst], *.parquet, or folders of them")
    any_data.add_argument("--against", type=Path, required=True, help="a sealed folder, benchmarks' folder, or files")
    any_data.add_argument("--out", type=Path, help="a folder for verdicts and findings, as Parquet")
    any_data.add_argument("--gates", default="strict", help="a member of conf/firewall (default: strict)")
    any_data.add_argument("-S", dest="changes", action="append", default=[], help="threshold=0.25 and the like")
    given = parser.parse_args(arguments)
    if given.command == "verify":
        _verify()
    elif given.command == "explain":
        _explain(given.id)
    else:
        _check(given)


def _verify() -> None:
    settings = config.load()
    path = Path("data/certificate.json")
    try:
        claimed = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UserError(f"{path}: no such file; run `dvc repro firewall`") from None
    except ValueError:
        raise UserError(f"{path}: not JSON; run `dvc repro --force firewall`") from None
    reference = sealed_reference(settings.firewall)
    with without_evidence(cache.folder() / WORK) as folder:
        parts = screen_files([FILES["candidates"]], reference, settings.firewall, folder)
        found = outcomes(parts, settings.scale.targets)
    made = certificate(found, settings.firewall, reference, FILES)
    wrong = differences(claimed, made, found)
    for line in wrong:
        print(line)
    if wrong:
        raise UserError(
            f"{path}: {len(wrong)} of its statements do not hold; run `dvc repro firewall` to make it again"
        )
    counts = made["counts"]
    print(
        f"{path} holds: {counts['candidates']:,} candidates screened again against {counts['canonical']:,} canonical "
        f"problems, {counts['accepted']:,} accepted, every hash as stated."
    )


def _explain(id: str) -> None:
    settings = config.load()
    rejected = [finding for path in _parquet(FILES["rejections"]) for finding in Finding.stream(path)]
    own = [finding for finding in rejected if finding.problem_id == id]
    if not own:
        known = [finding.problem_id for finding in rejected]
        few = f"; rejected were, for example, {', '.join(dict.fromkeys(known[:3]))}" if known else ""
        raise UserError(f"{id}: no rejection and no near miss of this id in {FILES['rejections']}{few}")
    wanted = {finding.canonical_id for finding in own}
    canonical = [p for path in _parquet(FILES["canonical"]) for p in Problem.stream(path) if p.id in wanted]
    print(explained(own, {p.id: p.text for p in canonical}, settings.firewall.n, color=sys.stdout.isatty()))


def _parquet(folder: Path) -> list[Path]:
    found = sorted(folder.glob("*.parquet"))
    if not found:
        raise UserError(f"{folder}: nothing there; run `dvc repro firewall`")
    return found


def _check(given: argparse.Namespace) -> None:
    settings = _settings(given.gates, given.changes)
    split(given.paths)  # tells of a missing file before the canonical side is loaded
    canonical = _canonical(given.against, settings)
    reference = reference_of(canonical, settings.firewall)
    parts = screen_files(given.paths, reference, settings.firewall, cache.folder() / WORK)
    reasons = counted(parts)
    if given.out:
        _keep(parts, given.out)
    total, safe = sum(reasons.values()), reasons.pop("passed", 0)
    print(f"{total:,} candidates against {len(canonical):,} canonical problems of {given.against}")
    print(f"{safe:>9,} passed")
    for reason, count in reasons.most_common():
        print(f"{count:>9,} {reason}")
    if given.out:
        print(f"{given.out}/verdicts and {given.out}/findings say which and why")
    sys.exit(1 if reasons else 0)


def _settings(gates: str, overrides: Sequence[str]) -> Config:
    chosen = [f"firewall={gates}", *(f"firewall.{override.removeprefix('firewall.')}" for override in overrides)]
    return config.parse(yaml.safe_load(params.composed(chosen)), "conf")


def _canonical(against: Path, settings: Config) -> list[Problem]:
    """The problems of a sealed folder, of a folder of benchmarks, or of files with a text a row."""
    if (against / "SEAL.json").exists():
        from pfe.canonical.seal import read_sealed, sealed_names

        return [problem for name in sealed_names(against) for problem in read_sealed(name, against)]
    known = {name: own for name, own in settings.benchmark.items() if (against / name).is_dir()}
    if known:
        source = Canonical("files", str(against))
        return [problem for name, own in known.items() for problem in load(name, replace(own, path=None), source)]
    rows: list[Any] = [row for shard in split([against]) for batch in read(shard) for row in batch]
    for row in rows:
        if not isinstance(row, Problem):
            raise UserError(f"{against}: {row.id}: {row.why}; every canonical problem must be readable")
    return rows


def _keep(parts: Sequence[Part], out: Path) -> None:
    """Copy the results of the shards to where the user wants them, numbered in the order of the candidates."""
    with replacing_folder(out) as folder:
        for name in ("verdicts", "findings"):
            (folder / name).mkdir()
        for number, part in enumerate(parts):
            Verdict.write(verdicts([part]), folder / "verdicts" / f"{number:05}.parquet")
            Finding.write(findings([part]), folder / "findings" / f"{number:05}.parquet")


if __name__ == "__main__":
    main(sys.argv[1:])
