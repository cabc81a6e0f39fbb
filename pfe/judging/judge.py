"""The judge, which turns a table of runs and a set of rules into a verdict, and reads and writes nothing else.

Example: `judge(runs, rules).order()` is `("operon", "gplearn", "lasso")`.
Source: JUDGING; docs/judging.md lists what JUDGING leaves open and the choices made here.

A crash never helps a method. Under `missing: worst`, a failed run in the synthetic track never improves its method's
score or place there, and a failed run in qualification never improves its margin. (With the mean rank difference, a
failure in qualification can lower the margins of other methods, as with any score by ranks among all. On the real-world
track the run that represents a method is chosen by accuracy alone, so that without it a simpler run may do better in
the harmonic mean.)
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from pfe.config import Rules
from pfe.judging import aspects, real_world
from pfe.judging.expert import Expert
from pfe.judging.qualification import margins
from pfe.judging.stability import Stability, stability
from pfe.judging.summary import summary
from pfe.judging.synthetic import Scores, score_places, scores_of
from pfe.judging.table import QUALIFICATION, REAL_WORLD, SYNTHETIC, RunTable, check, track, with_track
from pfe.judging.verdict import Candidate, Standing, Verdict


def judge(runs: pd.DataFrame, rules: Rules, expert: Expert | None = None) -> Verdict:
    """Judge a competition.

    Args:
        runs: one row per track (the synthetic track if there is no such column), method, dataset and repetition, with
            `status` ("ok" or how it failed), `r2`, the component count that the rules name (or `components`), and the
            columns of the aspects; for the real-world track also `model`. A property is −inf if a model that ran gives
            no number for it.
        rules: see `pfe.config.Rules`.
        expert: without an expert, the real-world track has representatives but no ranking.

    Raises:
        ValueError: the table has a run twice or an unknown track, or lacks a number of a run that did not fail.
        UserError: columns are missing, the baseline has no runs, a run failed and the rules treat that as an error, or
            the expert's data sets or methods are not those of the table.
    """
    aspects.check_columns(runs, rules)
    runs = with_track(runs)
    check(runs)
    components = aspects.components_of(runs, rules)
    methods = tuple(sorted(runs["method"].unique().tolist()))
    margin = margins(track(runs, QUALIFICATION, methods, ["r2"]), rules)
    competing = tuple(
        name for at, name in enumerate(methods) if name != rules.baseline and (margin is None or margin[at] > 0)
    )
    synthetic_runs = track(runs, SYNTHETIC, competing, aspects.columns(rules, components))
    synthetic, firmness = _synthetic(synthetic_runs, rules, components)
    real_runs = track(runs, REAL_WORLD, competing, ["r2", components])
    representatives = real_world.representatives(real_runs, rules, components)
    trust = None
    if expert and competing:
        trust = real_world.trust_scores(real_runs, representatives, expert, methods, rules)
    standings = _standings(competing, synthetic, rules.aspects)
    real_standings = _standings(competing, trust, real_world.ASPECTS)
    candidates = {
        name: Candidate(
            name in competing,
            None if margin is None else float(margin[at]),
            standings.get(name),
            real_standings.get(name),
        )
        for at, name in enumerate(methods)
    }
    return Verdict(candidates, _by_dataset(synthetic_runs, synthetic), firmness, representatives)


def _synthetic(table: RunTable, rules: Rules, components: str) -> tuple[Scores | None, Stability | None]:
    if not table.datasets:
        return None, None
    runs = aspects.aspect_values(table, rules, components)
    summaries = summary(runs, rules)
    return scores_of(summaries, rules), stability(runs, summaries, table.methods, rules)


def _by_dataset(table: RunTable, scores: Scores | None) -> dict[str, dict[str, float]]:
    """Return scores by method and data set, without the data sets on which a method has no score."""
    if scores is None:
        return {}
    complete = np.flatnonzero(np.isfinite(scores.by_dataset).all(axis=1))
    return {
        method: {table.datasets[at]: float(scores.by_dataset[at, column]) for at in complete}
        for column, method in enumerate(table.methods)
    }


def _standings(methods: Sequence[str], scores: Scores | None, names: Sequence[str]) -> dict[str, Standing]:
    if scores is None:
        return {}
    places = score_places(scores.scores)
    return {
        name: Standing(
            float(scores.scores[at]) if np.isfinite(scores.scores[at]) else None,
            int(places[at]),
            {aspect: float(rank) for aspect, rank in zip(names, scores.ranks[:, at], strict=True) if np.isfinite(rank)},
        )
        for at, name in enumerate(methods)
    }
