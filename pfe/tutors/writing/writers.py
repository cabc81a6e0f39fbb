"""Which tutors write, and what becomes of it.

Example: `commissioned(settings.tutor, seed=0)` has an entry for gpt4o where conf/tutor/gpt4o.yaml says
`writes: {gsm1k_synth: 500}`.
"""

from collections.abc import Mapping

from pfe.config import Tutor
from pfe.errors import UserError
from pfe.tutors.family import families_of
from pfe.tutors.writing.work import Work, Writer


def commissioned(tutors: Mapping[str, Tutor], seed: int) -> dict[str, Writer]:
    """The tutors that write anything, by name.

    Raises:
        UserError: an entry is incomplete, or bears the name of a family, which would be in its problems' ids too.
    """
    for name, tutor in tutors.items():
        for set in tutor.writes:
            if name in families_of(set):
                raise UserError(f"tutor.{name}: a family of {set} has this name; rename conf/tutor/{name}.yaml")
    return {name: writer(name, tutor, seed) for name, tutor in tutors.items() if tutor.writes}


def writer(name: str, tutor: Tutor, seed: int) -> Writer:
    """The tutor that `conf/tutor/<name>.yaml` describes, as one that writes.

    Raises:
        UserError: its entry is incomplete.
    """
    if tutor.kind == "reasoning_gym":
        from pfe.tutors.gym import gym

        return gym(name, tutor)
    if tutor.model is None:
        raise UserError(f"tutor.{name}.model is null; set it in conf/tutor/{name}.yaml")
    if tutor.kind == "openai":
        from pfe.tutors import server

        return server.author(name, tutor, seed)
    from pfe.tutors import local

    return local.author(name, tutor, seed)


def written(writers: Mapping[str, Writer], tutors: Mapping[str, Tutor], set: str, seed: int) -> Work:
    """All that tutors write of one set, those named first in front."""
    works = [writers[name].write(set, tutors[name].writes[set], seed) for name in writers if set in tutors[name].writes]
    return Work(
        [problem for work in works for problem in work.problems],
        [refusal for work in works for refusal in work.refusals],
    )
