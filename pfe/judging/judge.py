"""The judge: a table of runs and rules in, a verdict out, and nothing else read or written.

Example: `judge(runs, rules).order()` is `("operon", "gplearn", "lasso")`.
Source: JUDGING; docs/judging.md tells what it leaves open and what is chosen here.

A crash never helps. Under `missing: worst` no method's score or place in the synthetic track gets better when one of
its runs there fails, and none of its margins when one in qualification does. (By mean rank difference a failure there
can cost others their margin, as any score by ranks among all can. On the real-world track the run that stands for a
method is chosen by accuracy alone, so that without it a simpler one may do better in the harmonic mean.)
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
        runs: one row per track (the synthetic one where there is no such column), method, dataset and repetition,
            with `status` ("ok" or how it failed), `r2`, the count of components that the rules name (or
            `components`), and the columns of the aspects; `model` for the real-world track. A property is −inf where
            a model that ran gives no number for it.
        rules: see `pfe.config.Rules`.
        expert: without one the real-world track has representatives, but no ranking.

    Raises:
        ValueError: the table holds a run twice, or an unknown track.
        UserError: it lacks columns, the baseline has no runs, a run failed and the rules call
            that an error, or the expert names others than ran.
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
    """Scores by method and data set, without data sets on which a method has none."""
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
