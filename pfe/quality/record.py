"""The figures of one synthetic set as they are written, each with its n and, if it has one, its 95 % CI.

Example, of data/quality.json:
    {"arc_synth": {"n": 5000, "real": ["arc_challenge", "arc_easy"], "auc": {"value": 0.96, "n": 4000, …},
                   "giveaways": ["of the following", …], "sides": {"synthetic": {"n": 2000, …}, "real": {…}}, …}}

They contain no text of the real side: the giveaway words are the synthetic side's own.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from pfe.problem import Domain
from pfe.quality.nonreaders import NonReader
from pfe.scores.proportion import Proportion


@dataclass(frozen=True)
class Figure:
    """A figure that is not a percentage (an AUC or a cosine, from 0 to 1; a count of words), with its 95 % CI."""

    value: float
    n: int
    low: float
    high: float


@dataclass(frozen=True)
class Length:
    """The mean and median number of words in a part of a problem, or of entries in a library."""

    mean: float
    median: float
    n: int


@dataclass(frozen=True)
class ChoicesAlone:
    """The accuracy with the choices alone, the accuracy with their word overlap with the problem, and chance."""

    alone: Proportion
    overlap: Proportion
    chance: float


@dataclass(frozen=True)
class Steps:
    """The annotated solutions of a side: mean steps per problem, the share with few, the number of distinct sequences.

    Few steps are two or fewer. `distribution` has the share of problems by number of steps, in percent.
    """

    n: int
    mean: float
    few: Proportion
    sequences: int
    distribution: Mapping[str, float]


@dataclass(frozen=True)
class Side:
    """The figures that both sides have, measured on `n` sampled problems.

    `nearest` is the median cosine to the nearest problem of another group, `repeated` the share of sentences that occur
    more than once (names and numbers masked), `digits` the share of questions with a digit. `distinct` is the
    percentage of distinct ones among all 1-, 2- and 3-grams, and `positions` the distribution of the correct choice's
    position, in percent.
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
    """The library-bound problems of a set: their share, and how far the library gives the answer without reading.

    `stated` is the share of problems whose answer is in the library word for word. `worded` is the share whose library
    has every word of the answer that the question and context lack. `searched` is the share, of problems with choices,
    whose correct choice alone is in the library, so that a text search finds it. `consistent` is the share of records
    that pass each check, by name. `entries` and `words` are the sizes of the libraries, and `hops` the number of needed
    entries per problem. `places` has the positions of the needed entries in the library, by thirds, and `skills` the
    shares of the skills, both in percent. `unread` has, by skill, the most successful of the rules that do not read; a
    skill whose answers no library mentions has none.
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
    """All figures of one set; `real` names the benchmarks that it is compared with.

    `families` has the share of each family in percent. `sides` has `synthetic` and, if there is one, `real`; if that
    has fewer problems, also `matched`, with as many synthetic ones, because most figures depend on the number of
    problems. `auc` is the AUC of a classifier of synthetic and real problems, and `giveaways` are the synthetic n-grams
    that it relies on. `ks` is the Kolmogorov-Smirnov distance of the distributions of words and steps, by name.
    `covered` is the share of real problems whose operations, in any order, some synthetic problem has. `english` has
    the slips of English of the synthetic side.
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
        """Return the synthetic side, with as many problems as the real one."""
        return self.sides.get("matched", self.sides["synthetic"])


Qualities = dict[str, Quality]  # by set, as data/quality.json holds them
