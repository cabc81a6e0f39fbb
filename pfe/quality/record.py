"""The figures of one synthetic set, as they are written: each with its n, and where it has one its interval at 95 %.

Example, of data/quality.json:
    {"arc_synth": {"n": 5000, "real": ["arc_challenge", "arc_easy"], "auc": {"value": 0.96, "n": 4000, …},
                   "giveaways": ["of the following", …], "sides": {"synthetic": {"n": 2000, …}, "real": {…}}, …}}

No text of the real side stands in them: the giveaway words are the synthetic side's own.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from pfe.problem import Domain
from pfe.quality.nonreaders import NonReader
from pfe.scores.proportion import Proportion


@dataclass(frozen=True)
class Figure:
    """A figure that is no percentage (an AUC or a cosine, from 0 to 1; a count of words), with its interval at 95 %."""

    value: float
    n: int
    low: float
    high: float


@dataclass(frozen=True)
class Length:
    """How many words a part of a problem has, or entries a library."""

    mean: float
    median: float
    n: int


@dataclass(frozen=True)
class ChoicesAlone:
    """The accuracy of somebody who sees the choices only, of one who compares their words with the question, chance."""

    alone: Proportion
    overlap: Proportion
    chance: float


@dataclass(frozen=True)
class Steps:
    """The annotated solutions of a side: steps a problem, those of two steps or fewer, distinct sequences of steps."""

    n: int
    mean: float
    few: Proportion
    sequences: int
    distribution: Mapping[str, float]


@dataclass(frozen=True)
class Side:
    """The figures that both sides have, of `n` problems drawn.

    `nearest` is the median cosine to the nearest problem of another group, `repeated` the share of sentences that occur
    more than once (names and numbers masked), `digits` that of questions with a digit, `distinct` the percentage of
    different ones among all 1-, 2- and 3-grams, `positions` where among the choices the right one stands, in percent.
    """

    n: int
    nearest: Figure
    repeated: Proportion
    digits: Proportion
    vocabulary: int
    words: Mapping[str, Length]
    distinct: Mapping[str, float]
    positions: Mapping[str, float]
    yes: Proportion | None
    choices: ChoicesAlone | None
    steps: Steps | None


@dataclass(frozen=True)
class English:
    """The share of problems with a slip of English, and examples: `article "a ice" (race_synth/study/s1/3)`."""

    slips: Proportion
    examples: tuple[str, ...]


@dataclass(frozen=True)
class Bound:
    """The library-bound problems of a set: their share, and how far the answer is there to be looked up.

    `stated` is the share whose answer stands in the library word for word, `worded` that of which at least every word
    does that the question does not say, `searched` that of problems with choices
    whose right one alone does: who finds the answer by that has not read much. `consistent` says by name what holds of
    how many records. `entries` and `words` are those of a library, `hops` the needed entries of a problem, `places`
    where in the library these stand, by thirds in percent, and `skills` the shares of each skill in percent. `unread`
    is by skill the most successful of the rules that do not read; skills whose answers no library mentions have none.
    """

    share: Proportion
    stated: Proportion
    worded: Proportion
    searched: Proportion | None
    consistent: Mapping[str, Proportion]
    entries: Length
    words: Length
    hops: Length
    places: Mapping[str, float]
    skills: Mapping[str, float]
    unread: Mapping[str, NonReader]


@dataclass(frozen=True)
class Quality:
    """All figures of one set; `real` names the benchmarks it was compared with, `families` their shares in percent.

    `sides` has `synthetic` and where there is one `real`; where that has fewer problems also `matched`, as many of the
    synthetic ones, since most figures depend on how many problems there are. `auc` is that of a classifier which tells
    synthetic from real, `giveaways` the synthetic side's words that it goes by, `ks` the distance of the distributions
    of words and steps by name, `covered` the share of real problems whose operations, in whatever order, some
    synthetic one has, `english` what is wrong with the synthetic side's English.
    """

    set: str
    domain: Domain
    n: int
    real: tuple[str, ...]
    duplicates: Proportion
    families: Mapping[str, float]
    sides: Mapping[str, Side]
    auc: Figure | None
    giveaways: tuple[str, ...]
    ks: Mapping[str, float]
    covered: Proportion | None
    sequences: int | None
    bound: Bound | None
    english: English

    @property
    def matched(self) -> Side:
        """The synthetic side, of as many problems as the real one."""
        return self.sides.get("matched", self.sides["synthetic"])


Qualities = dict[str, Quality]  # by set, as data/quality.json holds them
