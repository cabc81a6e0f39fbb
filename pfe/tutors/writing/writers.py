"""Find the tutors that write problems, and collect their problems.

Example: `commissioned(settings.tutor, seed=0)` has an entry for gpt4o if conf/tutor/gpt4o.yaml says
`writes: {gsm1k_synth: 500}`.
"""

from collections.abc import Mapping

from pfe.config import Tutor
from pfe.errors import UserError
from pfe.tutors.family import families_of
from pfe.tutors.writing.results import Work, Writer


def commissioned(tutors: Mapping[str, Tutor], seed: int) -> dict[str, Writer]:
    """Return the tutors that write problems, by name.

    Raises:
        UserError: an entry is incomplete, or a tutor has the name of a family, so that their problem ids could collide.
    """
    for name, tutor in tutors.items():
        for set in tutor.writes:
            if name in families_of(set):
                raise UserError(f"tutor.{name}: a family of {set} has this name; rename conf/tutor/{name}.yaml")
    return {name: writer(name, tutor, seed) for name, tutor in tutors.items() if tutor.writes}


def writer(name: str, tutor: Tutor, seed: int) -> Writer:
    """Return the writer that `conf/tutor/<name>.yaml` describes.

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
    """Return what all tutors write of one set, in the order of `writers`."""
    works = [writers[name].write(set, tutors[name].writes[set], seed) for name in writers if set in tutors[name].writes]
    return Work(
        [problem for work in works for problem in work.problems],
        [refusal for work in works for refusal in work.refusals],
    )
