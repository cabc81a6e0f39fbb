"""The names of functions and constants in formulas, and the operations that each name stands for.

Example: `square(x)` and `Pow(x, 2)` are `x**2`. In postfix order, the items `2 **` follow the argument of `square`.
Nothing follows the first argument of `Pow`, and `**` follows the second.

A name is listed only if it has the same meaning in every package that uses it. `log(x, b)` takes its base second in
sympy and first in Julia, `mod` takes its sign from either side, and every package defines `safe_log` and
`protected_div` differently. The names are those of numpy, sympy 1.13, gplearn 0.4, pyoperon 0.6, PySR 1.5 (its
`sympy_mappings`), DSO, Bingo, Brush, FEAT, HeuristicLab and DEAP; `cond`, `logical_and` and `logical_or` have PySR's
meaning.

sympy's functions that only rewrite a formula, such as `expand(x)`, have the value of their first argument and are read
as that argument. `factor_terms` and `collect`, which are linear in the length of the formula, are applied to its tree,
so that a model counts as it does when sympy reads it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from pfe.symreg.expressions.postfix import ANY, ARITY, BINARY, CHOICE, PIECEWISE, REWRITING, UNARY, Call, Item, Number

CONSTANTS = {"pi": "pi", "π": "pi", "e": "E", "true": "true", "false": "false"}  # by lower-case name
PACKAGES = ("np", "numpy", "jnp", "math", "sympy", "sp", "sym", "torch")  # packages whose name may precede a function's

_SYNONYMS = {
    "ln": "log",
    **{f"arc{name}": f"a{name}" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
    "arctan2": "atan2",
    **dict.fromkeys(("absolute", "fabs"), "abs"),
    **dict.fromkeys(("sgn", "signum"), "sign"),
    **dict.fromkeys(("maximum", "fmax"), "max"),
    **dict.fromkeys(("minimum", "fmin"), "min"),
    "ceiling": "ceil",
    "analytic_quotient": "aq",
    **dict.fromkeys(("ite", "ifelse", "where"), CHOICE),
    "plus": "add",
    "subtract": "sub",
    "minus": "sub",
    **dict.fromkeys(("multiply", "times", "mult"), "mul"),
    **dict.fromkeys(("divide", "true_divide", "rational"), "div"),
    "power": "pow",
    **dict.fromkeys(("negative", "negate"), "neg"),
    **dict.fromkeys(("reciprocal", "inverse"), "inv"),
    "sqr": "square",
    **dict.fromkeys(("sig", "logistic", "expit"), "sigmoid"),
    "gaussian": "gauss",
    "log_abs": "logabs",
    "sqrt_abs": "sqrtabs",
    "pow_abs": "powabs",
    "log10_abs": "log10abs",
    "log2_abs": "log2abs",
    "log1p_abs": "log1pabs",
    "acosh_abs": "acoshabs",
    "muladd": "fma",
    **dict.fromkeys(("clip", "clamp"), "clamp"),
    **dict.fromkeys(("float", "float32", "float64", "integer", "id"), "identity"),
    **dict.fromkeys(("simplify", "nsimplify", "factor", "expand", "cancel", "together", "apart"), "identity"),
    **dict.fromkeys(("powsimp", "powdenest", "radsimp", "ratsimp", "trigsimp", "logcombine"), "identity"),
    **dict.fromkeys(("expand_log", "expand_trig", "expand_mul", "expand_power_base", "expand_power_exp"), "identity"),
    "sympify": "identity",
    "greater": "gt",
    "greater_equal": "ge",
    "less": "lt",
    "less_equal": "le",
    **dict.fromkeys(("gt", "strictgreaterthan"), "gt"),
    **dict.fromkeys(("ge", "greaterthan"), "ge"),
    **dict.fromkeys(("lt", "strictlessthan"), "lt"),
    **dict.fromkeys(("le", "lessthan"), "le"),
    "equality": "eq",
    "unequality": "ne",
}

# The items that follow each argument, separated by `|`; `…`: any number of further arguments with the same items.
_READINGS = {
    "identity": "",
    "add": "| + | …",
    "sub": "| -",
    "mul": "| * | …",
    "div": "| /",
    "pow": "| **",
    "neg": "negative",
    "inv": "1 negative **",
    "square": "2 **",
    "cube": "3 **",
    "exp2": "2 log * exp",
    "expm1": "exp 1 -",
    "log2": "log 2 log /",
    "log10": "log 10 log /",
    "log1p": "1 + log",
    "logabs": "abs log",
    "sqrtabs": "abs sqrt",
    "powabs": "abs | **",
    "sec": "cos 1 negative **",
    "csc": "sin 1 negative **",
    "cot": "tan 1 negative **",
    "sigmoid": "negative exp 1 + 1 negative **",
    "softplus": "exp 1 + log",
    "gauss": "2 ** negative exp",
    "relu": "0 max",
    "hypot": "2 ** | 2 ** + sqrt",
    "log10abs": "abs log 10 log /",
    "log2abs": "abs log 2 log /",
    "log1pabs": "abs 1 + log",
    "acoshabs": "abs 1 + acosh",
    "clamp": "| max | min",
    "fma": "| * | +",
    "cond": "0 > | 0 if",
    "logical_and": "0 > | 0 > and",
    "logical_or": "0 > | 0 > or",
    "gt": "| >",
    "ge": "| >=",
    "lt": "| <",
    "le": "| <=",
    "eq": "| ==",
    "ne": "| !=",
    "and": "| and | …",
    "or": "| or | …",
    "not": "not",
}


@dataclass(frozen=True)
class Function:
    """A function with the items that follow each argument; if there are none, it is one call over all arguments.

    It takes `fewest` to `most` arguments; `most` is None if there is no limit.
    """

    name: str
    fewest: int
    most: int | None
    after: tuple[tuple[Item, ...], ...] = ()

    def words(self, argument: int) -> tuple[Item, ...]:
        """Return the items that follow an argument, given by its number from 1."""
        return self.after[min(argument, len(self.after)) - 1] if self.after else ()

    def last(self, arguments: int) -> tuple[Item, ...]:
        """Return the items that follow the last of `arguments` arguments."""
        if self.after:
            return ()
        if self.name == "heaviside":
            return (*(() if arguments == 2 else (Number("0.5"),)), Call(self.name, 2))
        return (Call(self.name, arguments),)

    def takes(self, arguments: int) -> bool:
        return self.fewest <= arguments and (self.most is None or arguments <= self.most)

    @property
    def arguments_in_words(self) -> str:
        """Return the number of arguments that it takes, in words."""
        if self.most is None:
            return f"{('no', 'one', 'two')[self.fewest]} or more arguments"
        few = f"{self.fewest} or " if self.fewest < self.most else ""
        return f"{few}{self.most} argument{'s' if self.most > 1 else ''}"


def function(name: str) -> Function | None:
    """Return the function of a name in upper or lower case; None if there is none."""
    small = name.lower()
    return _FUNCTIONS.get(_SYNONYMS.get(small, small))


def names() -> tuple[str, ...]:
    """Return all names of functions in lower case, sorted."""
    return tuple(sorted({*_FUNCTIONS, *_SYNONYMS}))


def _item(word: str) -> Item:
    if word.isdecimal():
        return Number(word)
    return Call(word, 2 if word in ANY else ARITY[word])


def _read(text: str) -> Iterator[tuple[Item, ...]]:
    for part in text.split("|"):
        if "…" not in part:
            yield tuple(map(_item, part.split()))


_FUNCTIONS = {
    **{name: Function(name, ARITY[name], ARITY[name]) for name in (*UNARY, *BINARY, *REWRITING, CHOICE)},
    **{name: Function(name, 2, None) for name in ANY},
    PIECEWISE: Function(PIECEWISE, 1, None),
    **{
        name: Function(name, len(after), None if "…" in text else len(after), after)
        for name, text in _READINGS.items()
        for after in [tuple(_read(text))]
    },
    "heaviside": Function("heaviside", 1, 2),
}
