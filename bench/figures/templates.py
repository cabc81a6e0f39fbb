"""Recall on other problems from GSM8K's templates, by attack and gate, and false positives on GSM8K's training set.

The words of `development` were used to choose the gate's form and threshold, on 1,300 training problems; those of
`held_out` are used on the test set. A clean problem is any training problem that is not one of the canonical ones.
"""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from bench.data import CLEAN, ORIGINALS, Data, rows, settings
from bench.figures.decontamination import interval
from bench.process import call
from bench.table import BenchLine, columns

ATTACKS = {"symbolic": 0, "symbolic_p1": 1, "symbolic_p2": 2}  # added clauses
TARGETS = {"symbolic": 95.0, "symbolic_p1": 75.0, "symbolic_p2": 60.0}
MOST_CLEAN = 1.5
PER_ATTACK, CANONICAL = 600, 1300
LIMITS = (0.54, 0.56, 0.58, 0.6, 0.62, 0.64, 0.66)  # thresholds of the gate `skeleton`
_WIDTHS = (22, 22, 22, 22, 22)


def figure(data: Data) -> Iterator[BenchLine | str]:
    """Yield a table by gate and a curve by threshold for both sets of words, and the targets of the held-out one."""
    if not (ORIGINALS.is_file() and CLEAN.is_file()):
        yield f"  {ORIGINALS}: not found, so variants of templates are not measured"
        return
    for words in ("development", "held_out"):
        samples = call("bench.figures.templates", "measured", words).result
        yield f"\n{words}: percent rejected (95 % CI)"
        yield columns(
            ("gates", *(f"{name}, n = {s['n']:,}" for name, s in samples.items())), _WIDTHS[: 1 + len(samples)]
        )
        for part in ("hits", "limits"):
            for name in samples["clean"][part]:
                cells = (_share(sample[part][name], sample["n"]) for sample in samples.values())
                yield columns((name, *cells), _WIDTHS)
    for name, sample in samples.items():
        hits, n = sample["hits"]["all"], sample["n"]
        target = TARGETS.get(name)
        is_met = 100 * hits <= MOST_CLEAN * n if target is None else 100 * hits >= target * n
        goal = f"≤ {MOST_CLEAN:g} %" if target is None else f"≥ {target:g} %"
        yield BenchLine(
            f"{name}: rejected by all gates", f"{100 * hits / n:.2f} %", interval(hits, n), f"{n:,}", target=goal,
            met=is_met,
        )  # fmt: skip


def _share(hits: int, n: int) -> str:
    return f"{100 * hits / n:.2f} ({interval(hits, n)})"


def measured(words: str) -> dict[str, Any]:
    """Return n and the rejections by all gates, by each and without `skeleton`, of each attack and of clean text."""
    from bench.templates import Variants
    from pfe.calibration.attack import Donors
    from pfe.screening.sealed import reference_of

    train = rows(CLEAN)
    Random(words).shuffle(train)
    canonical, clean = (train[:CANONICAL], train[CANONICAL:]) if words == "development" else (rows(ORIGINALS), train)
    variants = Variants(words, Donors(tuple(problem.text for problem in clean)))
    rules = settings("firewall.gates.behaviour=null").firewall
    reference = reference_of(canonical, rules)
    deck = Random(words).sample(canonical, len(canonical))
    samples = {}
    for name, count in ATTACKS.items():
        changed = (variants.variant(problem, count, name) for problem in deck)
        samples[name] = [problem for problem in changed if problem][:PER_ATTACK]
    return {name: _rejections(problems, reference, rules) for name, problems in {**samples, "clean": clean}.items()}


def _rejections(problems: Sequence[Any], reference: Any, rules: Any) -> dict[str, Any]:
    import numpy as np

    from pfe.firewall.firewall import measure
    from pfe.firewall.gate import active

    matches = measure(problems, reference, rules).matches
    fails = {gate.name: gate.fails(matches[gate.name], limit) for gate, limit in active(rules)}
    without = np.any([failed for name, failed in fails.items() if name != "skeleton"], axis=0)
    alike = matches["skeleton"].score
    hits = {"all": without | fails["skeleton"], "without skeleton": without, **fails}
    limits = {f"all, skeleton > {limit}": without | (alike > limit) for limit in LIMITS}
    counts = [{name: int(flags.sum()) for name, flags in part.items()} for part in (hits, limits)]
    return {"n": len(problems), "hits": counts[0], "limits": counts[1]}
