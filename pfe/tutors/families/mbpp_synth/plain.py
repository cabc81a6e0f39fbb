"""Tasks of one plain sentence, as most of MBPP's are.

Example: "Write a function to find the sum of scores above 7." with
`assert sum_of_scores_above_7([4, 9, 12, 7]) == 21`.
"""

import re
from random import Random
from typing import Any, ClassVar

from pfe.tutors.families.mbpp_synth.programs import CodeFamily, PartTable, five
from pfe.tutors.family import Facts

_THINGS = """
    ages amounts balances bids changes costs counts deposits depths differences distances durations entries errors
    fees gaps gains goals grades heights lengths levels losses marks measurements numbers points prices profits
    rainfalls ratings readings records results scores shifts sizes speeds stakes steps temperatures times tips totals
    values votes wages weights widths yields
"""
_TEXTS = "string text message word sentence line title name password label slogan phrase caption comment"


class PlainNumbers(CodeFamily):
    """One figure of the numbers that meet one condition."""

    name = "plain_numbers"
    slots: ClassVar = {
        "outcome": PartTable("""
            phrase | slug | code | other
            sum | sum | sum(values) | functools.reduce(lambda a, b: a + b, values, 0)
            product | product | math.prod(values) | functools.reduce(lambda a, b: a * b, values, 1)
            list | list | values | values[:]
            descending list | descending_list | sorted(values, reverse=True) | sorted(values)[::-1]
            number | number | len(values) | sum(map(lambda x: 1, values))
        """),
        "thing": PartTable(f"phrase | code\n{{{' '.join(_THINGS.split())}}} | {{0}}"),
        "pick": PartTable("""
            phrase | slug | code
            above {-3 0 1 2 3 4 5 6 7 8 9 10} | above_{0} | x > {0}
            below {3 4 5 6 7 8 9 10 12 15} | below_{0} | x < {0}
            over {2 4 5 6 8 10 11 13 14 16} | over_{0} | x > {0}
            under {2 4 6 8 10 11 13 14 16 18} | under_{0} | x < {0}
            divisible by {2 3 4 5} | divisible_by_{0} | x % {0} == 0
            other than {0 1 2 5 10} | other_than_{0} | x != {0}
            from {-5 0 2 4} to {8 12 20} | from_{0}_to_{1} | {0} <= x <= {1}
        """),
    }
    decoration = frozenset({"thing"})
    templates = (
        "Write a function to find the {outcome} of {thing} {pick}.",
        "Write a python function to compute the {outcome} of the {thing} {pick}.",
    )
    function = "${outcome_slug}_of_${thing}_${pick_slug}"
    styles = five(
        loop="""
            def $name($thing):
                values = []
                for x in $thing:
                    if $pick:
                        values.append(x)
                return $outcome
        """,
        comprehension="""
            def $name($thing):
                values = [x for x in $thing if $pick]
                return $outcome
        """,
        recursion="""
            def $name($thing):
                def collect(rest):
                    if not rest:
                        return []
                    x = rest[0]
                    return ([x] if $pick else []) + collect(rest[1:])

                values = collect($thing)
                return $outcome
        """,
        functional="""
            def $name($thing):
                values = list(filter(lambda x: $pick, $thing))
                return $outcome_other
        """,
        library="""
            def $name($thing):
                values = list(itertools.filterfalse(lambda x: not ($pick), $thing))
                return $outcome_other
        """,
    )
    explanation = "Keep the $thing $pick.\nReturn the $outcome of what was kept."

    def inputs(self, facts: Facts, rng: Random) -> tuple[Any, ...]:
        """Some numbers, among them some near those that the condition names."""
        named = [int(number) for number in re.findall(r"-?\d+", facts["pick"])]
        near = [number + step for number in named for step in (-1, 0, 1)]
        return ([rng.choice([rng.randint(-8, 25), rng.choice(near)]) for _ in range(rng.randint(4, 8))],)


class PlainText(CodeFamily):
    """Characters of one kind in one part of a text: counted, taken out, or kept."""

    name = "plain_text"
    slots: ClassVar = {
        "action": PartTable("""
            phrase | slug | code | other
            count | count | len(found) | sum(1 for _ in found)
            collect | collect | ''.join(found) | functools.reduce(lambda a, b: a + b, found, '')
            list | list | found | found[:]
        """),
        "kind": PartTable("""
            phrase | slug | code
            vowels | vowels | c in 'aeiouAEIOU'
            consonants | consonants | c.isalpha() and c not in 'aeiouAEIOU'
            letters | letters | c.isalpha()
            digits | digits | c.isdigit()
            even digits | even_digits | c in '02468'
            capital letters | capitals | c.isupper()
            small letters | small_letters | c.islower()
            punctuation marks | punctuation | not c.isalnum() and c != ' '
            letters before {f h k m p r} | letters_before_{0} | c.isalpha() and c.lower() < '{0}'
            letters after {c e g l n s} | letters_after_{0} | c.isalpha() and c.lower() > '{0}'
        """),
        "part": PartTable("""
            phrase | slug | code
            in | in | text
            in the first {5 6 7 8 9 10} characters of | in_first_{0} | text[:{0}]
            in the last {5 6 7 8 9 10} characters of | in_last_{0} | text[-{0}:]
            at the even positions (counted from 0) of | at_even | text[::2]
            at the odd positions (counted from 0) of | at_odd | text[1::2]
        """),
        "text": PartTable(f"phrase | code\n{{{_TEXTS}}} | {{0}}"),
    }
    decoration = frozenset({"text"})
    templates = (
        "Write a function to {action} the {kind} {part} a {text}.",
        "Write a python function to {action} all {kind} {part} a given {text}.",
    )
    function = "${action_slug}_${kind_slug}_${part_slug}_${text}"
    styles = five(
        loop="""
            def $name(text):
                found = []
                for c in $part:
                    if $kind:
                        found.append(c)
                return $action
        """,
        comprehension="""
            def $name(text):
                found = [c for c in $part if $kind]
                return $action
        """,
        recursion="""
            def $name(text):
                def collect(rest):
                    if not rest:
                        return []
                    c = rest[0]
                    return ([c] if $kind else []) + collect(rest[1:])

                found = collect($part)
                return $action
        """,
        functional="""
            def $name(text):
                found = list(filter(lambda c: $kind, $part))
                return $action_other
        """,
        library="""
            def $name(text):
                found = list(itertools.filterfalse(lambda c: not ($kind), $part))
                return $action_other
        """,
    )
    explanation = "Go through the characters $part the $text.\nOf those, $action the $kind."

    def inputs(self, facts: Facts, rng: Random) -> tuple[Any, ...]:
        letters = "abcdefghijklmnoprstuvwy"
        pieces = [letters, letters.upper(), "0123456789", "!?.,-", "aeiou", " "]
        return ("".join(rng.choice(rng.choice(pieces)) for _ in range(rng.randint(10, 18))),)
