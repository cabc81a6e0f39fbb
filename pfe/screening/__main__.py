"""The firewall at the command line.

    python -m pfe.screening verify                                       # is data/certificate.json true?
    python -m pfe.screening explain ID                                   # why was it rejected?
    python -m pfe.screening check mine.jsonl --against data/canonical    # screen anybody's data set
    python -m pfe.screening check corpus/ --against FOLDER --out found --gates spec

`check` reads JSON lines and Parquet with whatever columns, files or folders of any size, and says what it compared
with what; killed, it goes on where it was.
The status is 0 where all passed (or the certificate holds), 1 where something is contaminated or cannot be judged
(or the certificate does not hold), and 2 where nothing was compared: a mistake, a file that cannot be read.
"""

import argparse
import json
import re
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from difflib import get_close_matches
from io import TextIOWrapper
from pathlib import Path
from typing import NoReturn

import yaml

from pfe import cache, config, params
from pfe.config import Config
from pfe.errors import UserError, nearest
from pfe.files import replacing_folder, scratch_folder
from pfe.firewall.firewall import PASSED, Finding
from pfe.problem import Problem
from pfe.screening.certificate import certificate, differences
from pfe.screening.checking import checked, is_result, report, write
from pfe.screening.explain import explained
from pfe.screening.files import screen_files
from pfe.screening.sealed import FILES, outcomes, reference_of, sealed_reference
from pfe.screening.shards import data_files, files_left_out, split
from pfe.screening.sides import canonical_side
from pfe.stage import telling
from pfe.terminal import plain

WORK = "screening"
FAILED, MISTAKEN = 1, 2
CLOSE = 5000  # ids among which the nearest is looked for
COMMANDS = ("verify", "explain", "check")
OPTIONS = ("--against", "--out", "--gates", "--leave-out", "--help", "-S")


class Parser(argparse.ArgumentParser):
    """Mistakes are told in one line, with what may have been meant."""

    def error(self, message: str) -> NoReturn:
        strange = re.search(r"unrecognized arguments: (-\S+)", message)
        hint = f"; {nearest(strange[1].partition('=')[0], OPTIONS)}" if strange else ""
        raise UserError(f"{message}{hint}; see {self.prog} --help")


def main(arguments: Sequence[str]) -> None:
    """Run one of the three commands; ends the process where it fails."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # no terminal's encoding ends a report in the middle
    with telling(MISTAKEN):
        given = _given(arguments)
        if given.command == "verify":
            passed = _verify()
        elif given.command == "explain":
            passed = _explain(given.id)
        else:
            passed = _check(given)
    if not passed:
        sys.exit(FAILED)


def _given(arguments: Sequence[str]) -> argparse.Namespace:
    parser = Parser(prog="python -m pfe.screening", description="The contamination firewall.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="{verify,explain,check}")
    commands.add_parser("verify", help="make data/certificate.json again from the data and compare")
    one = commands.add_parser("explain", help="show a rejected problem beside its canonical match")
    one.add_argument("id", help="the problem's id, as in data/rejections/*.parquet")
    any_data = commands.add_parser("check", help="screen a data set of your own")
    any_data.add_argument("paths", nargs="+", type=Path, help="*.jsonl[.gz|.zst], *.parquet, or folders of them")
    any_data.add_argument("--against", type=Path, required=True, help="a sealed folder, benchmarks' folder, or files")
    any_data.add_argument("--out", type=Path, help="a new folder for verdicts and findings, as Parquet")
    any_data.add_argument("--gates", default="strict", help="a member of conf/firewall (default: strict)")
    any_data.add_argument("--leave-out", action="append", default=[], metavar="PATTERN", help="files that hold no data")
    any_data.add_argument("-S", dest="changes", action="append", default=[], help="threshold=0.25 and the like")
    first = next((argument for argument in arguments if not argument.startswith("-")), None)
    if first is not None and first not in COMMANDS:
        raise UserError(f"unknown command '{first}'; {nearest(first, COMMANDS)}")
    if not arguments:
        raise UserError(f"no command; give one of {', '.join(COMMANDS)}, or --help")
    return parser.parse_args(arguments)


def _verify() -> bool:
    settings = config.load()
    path = Path("data/certificate.json")
    try:
        claimed = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UserError(f"{path}: no such file; run `dvc repro firewall`") from None
    except (ValueError, RecursionError):
        raise UserError(f"{path}: not JSON; run `dvc repro --force firewall`") from None
    reference = sealed_reference(settings.firewall)
    with scratch_folder(cache.work_folder(f"{WORK}/verify")) as folder:
        parts = screen_files([FILES["candidates"]], reference, settings.firewall, folder)
        screened = outcomes(parts, settings.scale.targets)
    made = certificate(screened, settings.firewall, reference, FILES)
    wrong = differences(claimed, made, screened)
    for line in wrong:
        print(plain(line))
    if wrong:
        print(
            f"pfe: {path}: {len(wrong)} of its statements do not hold; run `dvc repro firewall` to make it again",
            file=sys.stderr,
        )
        return False
    counts = made["counts"]
    print(
        f"{path} holds: {counts['candidates']:,} candidates screened again against {counts['canonical']:,} canonical "
        f"problems, {counts['accepted']:,} accepted, every hash as stated."
    )
    return True


def _explain(id: str) -> bool:
    settings = config.load()
    findings = [finding for path in _parquet(FILES["rejections"]) for finding in Finding.stream(path)]
    own = [finding for finding in findings if finding.problem_id == id]
    if not own and any(id == problem.id for path in _parquet(FILES["candidates"]) for problem in Problem.stream(path)):
        print(plain(f"{id}: accepted; no gate rejected it, and none came near its threshold"))
        return True
    if not own:
        rejected = list(dict.fromkeys(finding.problem_id for finding in findings if finding.verdict != PASSED))
        close = get_close_matches(id, rejected[:CLOSE], n=1)
        few = f"did you mean '{close[0]}'?" if close else f"rejected were {', '.join(rejected[:3]) or 'none'}"
        raise UserError(f"{id}: no candidate of {FILES['candidates']} has this id; {few}")
    wanted = {finding.canonical_id for finding in own}
    canonical = {p.id: p for path in _parquet(FILES["canonical"]) for p in Problem.stream(path) if p.id in wanted}
    print(explained(own, canonical, settings.firewall.n, color=sys.stdout.isatty()))
    return True


def _parquet(folder: Path) -> list[Path]:
    files = sorted(folder.glob("*.parquet"))
    if not files:
        raise UserError(f"{folder}: nothing there; run `dvc repro firewall`")
    return files


def _check(given: argparse.Namespace) -> bool:
    settings = _settings(given.gates, given.changes)
    _check_out(given.out, [*given.paths, given.against])
    with replacing_folder(given.out.resolve(), is_result) if given.out else nullcontext() as out:
        files = data_files(given.paths, given.leave_out)
        split(files)  # tells of a damaged file before the canonical side is loaded
        against = canonical_side(given.against, settings.benchmark, given.leave_out)
        reference = reference_of(against.problems, settings.firewall)
        parts = screen_files(files, reference, settings.firewall, cache.work_folder(WORK))
        check = checked(parts, against, files_left_out(given.paths, given.leave_out), settings.firewall)
        if out:
            write(check, parts, out)
    print(report(check))
    if out:
        print(plain(f"{given.out}/verdicts and {given.out}/findings say which and why"))
    return not check.contaminated


def _check_out(out: Path | None, sides: Sequence[Path]) -> None:
    """That results do not become candidates of the next run, nor take the place of what is screened."""
    for side in sides:
        if out and (out.resolve().is_relative_to(side.resolve()) or side.resolve().is_relative_to(out.resolve())):
            raise UserError(f"{out}: the same place as {side}, or one in the other; give another folder to --out")


def _settings(gates: str, overrides: Sequence[str]) -> Config:
    chosen = [f"firewall={gates}", *(f"firewall.{override.removeprefix('firewall.')}" for override in overrides)]
    return config.parse(yaml.safe_load(params.composed(chosen)), "conf")


if __name__ == "__main__":
    main(sys.argv[1:])
