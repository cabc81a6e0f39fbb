"""A library-bound problem with all its variants."""

from pfe.problem import UNKNOWN, Problem, Variant

BOUND = Problem(
    "b/1", "b", "science", "What do kralos eat?", "moss", choices=("moss", "figs", "eggs", "salt"),
    solution="It says so.\nOf kralos it says moss.\n#### moss", tutor="procedural",
    library=("Kralos eat moss.", "Vems eat figs."), needed=(0,), skill="lookup", family="f",
    variants=(
        Variant("changed", ("Kralos eat eggs.", "Vems eat figs."), "eggs", "moss"),
        Variant("irrelevant", ("Tols sing.",), UNKNOWN),
        Variant("bare", (), UNKNOWN),
    ),
)  # fmt: skip
