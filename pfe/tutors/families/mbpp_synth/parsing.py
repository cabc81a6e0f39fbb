"""Text that has a structure: keys with values, and brackets.

Example: "Write a function that parses a string of entries separated by ';'. An entry is a lowercase key and a positive
integer with '=' between them; if a key occurs more than once, the last value counts. For the keys whose value is then
odd, the function returns the sum of the values." with `assert sum_of_last_entries_odd("a=4;b=7;a=9") == 16`.
"""

import re
from random import Random
from typing import Any, ClassVar

from pfe.tutors.families.mbpp_synth.programs import CodeFamily, PartTable, five
from pfe.tutors.family import Facts


class KeyValues(CodeFamily):
    """Text made of keys and numbers: parse it, settle repeated keys, filter, report."""

    name = "key_values"
    slots: ClassVar = {
        "break": PartTable("""
            phrase | code
            '{; , & / # !}' | {0}
        """),
        "link": PartTable("""
            phrase | code
            '{= : ~ -> @}' | {0}
        """),
        "repeat": PartTable("""
            phrase | slug | code | whole
            the last value counts | last | new | values[-1]
            the first value counts | first | old | values[0]
            its values are added up | added | old + new | sum(values)
            its largest value counts | largest | max(old, new) | max(values)
            its smallest value counts | smallest | min(old, new) | min(values)
            its values are multiplied | multiplied | old * new | math.prod(values)
        """),
        "pick": PartTable("""
            phrase | slug | code
            even | even | v % 2 == 0
            odd | odd | v % 2 == 1
            greater than {3 5 8 12} | above_{0} | v > {0}
            less than {10 14 20 25} | below_{0} | v < {0}
            divisible by {3 4 5} | by_{0} | v % {0} == 0
            not divisible by {3 4} | not_by_{0} | v % {0} != 0
            at least 10 | two_digit | v >= 10
        """),
        "outcome": PartTable("""
            phrase | slug | code | other
            a dictionary of the keys and values | dictionary | chosen | chosen
            a sorted list of the keys | keys | sorted(chosen) | sorted(chosen.keys())
            an ascending list of the values | values | sorted(chosen.values())
                | sorted(map(operator.itemgetter(1), chosen.items()))
            the sum of the values | sum | sum(chosen.values()) | functools.reduce(operator.add, chosen.values(), 0)
            the number of keys | count | len(chosen) | sum(1 for _ in chosen)
            a list of (key, value) tuples ordered by key | by_key | sorted(chosen.items())
                | sorted(chosen.items(), key=operator.itemgetter(0))
            a list of (key, value) tuples ordered by value, largest first (keys in alphabetical order if equal)
                | by_value | sorted(chosen.items(), key=lambda p: (-p[1], p[0]))
                | sorted(sorted(chosen.items()), key=operator.itemgetter(1), reverse=True)
            a string of the keys in alphabetical order | key_string | "".join(sorted(chosen))
                | functools.reduce(operator.add, sorted(chosen), "")
            a dictionary from each value to the sorted list of its keys | inverse
                | {v: sorted(k for k in chosen if chosen[k] == v) for v in chosen.values()}
                | {v: sorted(filter(lambda k: chosen[k] == v, chosen)) for v in set(chosen.values())}
        """),
    }
    templates = (
        "Write a function that parses a string of entries separated by {break}. An entry is a lowercase key and a "
        "positive integer with {link} between them; if a key occurs more than once, {repeat}. For the keys whose value "
        "is then {pick}, the function returns {outcome}.",
        "A text holds entries that are separated by {break}, and in each entry {link} stands between a lowercase key "
        "and a positive integer. For a key with several entries {repeat}. Write a python function to read such a text, "
        "keep the keys with a value that is {pick} and return {outcome}.",
        "Write a function to read settings from one line of text, with {break} between two settings and {link} between "
        "the key and its positive integer value. When a key is set again, {repeat}. Ignoring all keys except those "
        "whose value is {pick}, it should return {outcome}.",
    )
    function = "${outcome_slug}_of_${repeat_slug}_entries_${pick_slug}"
    styles = five(
        loop="""
            def $name(text):
                table = {}
                for entry in text.split("$break"):
                    key, number = entry.split("$link")
                    new = int(number)
                    if key in table:
                        old = table[key]
                        new = $repeat
                    table[key] = new
                chosen = {}
                for key, v in table.items():
                    if $pick:
                        chosen[key] = v
                return $outcome
        """,
        comprehension="""
            def $name(text):
                pairs = [entry.split("$link") for entry in text.split("$break")]
                groups = {key: [int(number) for k, number in pairs if k == key] for key, _ in pairs}
                table = {key: $repeat_whole for key, values in groups.items()}
                chosen = {key: v for key, v in table.items() if $pick}
                return $outcome
        """,
        recursion="""
            def $name(text):
                def parse(rest, table):
                    if not rest:
                        return table
                    entry, _, others = rest.partition("$break")
                    key, _, number = entry.partition("$link")
                    new = int(number)
                    old = table.get(key)
                    return parse(others, {**table, key: new if old is None else $repeat})

                chosen = {key: v for key, v in parse(text, {}).items() if $pick}
                return $outcome
        """,
        functional="""
            def $name(text):
                settle = lambda old, new: $repeat
                put = lambda table, key, new: {**table, key: settle(table.get(key, new), new) if key in table else new}
                pairs = map(lambda entry: entry.split("$link"), text.split("$break"))
                table = functools.reduce(lambda table, pair: put(table, pair[0], int(pair[1])), pairs, {})
                chosen = dict(filter(lambda p: (lambda v: $pick)(p[1]), table.items()))
                return $outcome_other
        """,
        library="""
            def $name(text):
                groups = collections.defaultdict(list)
                for key, number in re.findall("([a-z]+)$link([0-9]+)", text):
                    groups[key].append(int(number))
                chosen = {}
                for key, values in groups.items():
                    v = $repeat_whole
                    if $pick:
                        chosen[key] = v
                return $outcome_other
        """,
    )
    explanation = (
        "Split the text at $break and each entry at $link.\n"
        "Collect the values in a dictionary; for a repeated key $repeat.\n"
        "Keep the keys whose value is $pick and return $outcome."
    )

    def inputs(self, facts: Facts, rng: Random) -> tuple[Any, ...]:
        keys = rng.sample(["a", "b", "k", "n", "x", "y", "id", "up", "top", "low", "max", "age"], 4)
        names = keys + [rng.choice(keys) for _ in range(rng.randint(2, 3))]
        rng.shuffle(names)
        link, divider = facts["link"].strip("'"), facts["break"].strip("'")
        return (divider.join(f"{key}{link}{rng.randint(1, 24)}" for key in names),)


class Brackets(CodeFamily):
    """Match brackets of several kinds and report on the pairs."""

    name = "brackets"
    slots: ClassVar = {
        "kinds": PartTable("""
            phrase | slug | code
            round and square brackets | round_square | ()[]
            round and curly brackets | round_curly | (){}
            round and angle brackets | round_angle | ()<>
            square and curly brackets | square_curly | []{}
            square and angle brackets | square_angle | []<>
            curly and angle brackets | curly_angle | {}<>
            round, square and curly brackets | round_square_curly | ()[]{}
            square, curly and angle brackets | square_curly_angle | []{}<>
            round, square and angle brackets | round_square_angle | ()[]<>
            round, curly and angle brackets | round_curly_angle | (){}<>
            all four kinds of brackets (round, square, curly, angle) | all_kinds | ()[]{}<>
        """),
        "outcome": PartTable("""
            phrase | slug | code
            the greatest nesting depth | depth | max((d for i, j, d in pairs), default=0)
            the number of pairs at nesting depth {1 2 3} | pairs_at_depth_{0} | sum(d == {0} for i, j, d in pairs)
            the number of pairs deeper than nesting depth {1 2} | pairs_below_depth_{0}
                | sum(d > {0} for i, j, d in pairs)
            the sum of the nesting depths of all pairs | depth_sum | sum(d for i, j, d in pairs)
            a list of the nesting depths in the order of the opening brackets | depths | [d for i, j, d in pairs]
            a list of the texts enclosed by the pairs at nesting depth {1 2} | texts_at_depth_{0}
                | [text[i + 1:j] for i, j, d in pairs if d == {0}]
            a list of (opening index, closing index) tuples in the order of the opening brackets | index_pairs
                | [(i, j) for i, j, d in pairs]
            a list of (opening index, closing index) tuples in the order of the closing brackets | closing_pairs
                | sorted([(i, j) for i, j, d in pairs], key=lambda p: p[1])
            the longest text enclosed by a pair (the leftmost if equally long, '' if there is no pair) | longest_text
                | max((text[i + 1:j] for i, j, d in pairs), key=len, default="")
            the number of pairs that enclose at least {2 3 4} characters | wide_pairs_{0}
                | sum(j - i - 1 >= {0} for i, j, d in pairs)
            a list of the numbers of characters that the pairs enclose, in the order of the opening brackets | spans
                | [j - i - 1 for i, j, d in pairs]
            a list of the texts enclosed by pairs with no other pair inside, from left to right | innermost_texts
                | [text[i + 1:j] for i, j, d in pairs if not any(i < k < j for k, _, _ in pairs)]
            the text without anything that is enclosed at nesting depth 1 or deeper, brackets included | outside_text
                | "".join(c for k, c in enumerate(text) if not any(i <= k <= j for i, j, d in pairs))
        """),
        "failure": PartTable("""
            phrase | code
            {-1 None} | {0}
            the string '{error wrong bad broken invalid}' | "{0}"
        """),
    }
    templates = (
        "Write a function that checks {kinds} in a string and returns {outcome}, or {failure} if they are not properly "
        "matched. The outermost pairs have depth 1; all other characters are ordinary text.",
        "Write a python function to match the brackets in a string. Only {kinds} count, everything else is plain text; "
        "a pair that is inside no other pair has nesting depth 1. For a correctly bracketed string return {outcome}, "
        "for any other {failure}.",
        "A string contains {kinds} among other characters. If each opening bracket is closed by one of its kind in the "
        "right order, the result is {outcome}, and otherwise {failure}. Write a function for this, where depth is "
        "counted from 1 at the outermost pair.",
        "Write a function that reads a string from left to right and pairs up its {kinds}, skipping all other "
        "characters. Where a bracket has no fitting partner the function returns {failure}; if all goes well it "
        "returns {outcome}. A pair has depth 1 if no other pair is around it.",
    )
    function = "${kinds_slug}_${outcome_slug}"
    styles = five(
        loop="""
            def $name(text):
                partner = $partners
                stack = []
                pairs = []
                for j, c in enumerate(text):
                    if c in partner.values():
                        stack.append(j)
                    elif c in partner:
                        if not stack or text[stack[-1]] != partner[c]:
                            return $failure
                        pairs.append((stack.pop(), j, len(stack) + 1))
                if stack:
                    return $failure
                pairs.sort()
                return $outcome
        """,
        comprehension="""
            def $name(text):
                opening, closing = "$opening", "$closing"
                steps = [(c in opening) - (c in closing) for c in text]
                level = [sum(steps[:i + 1]) for i in range(len(text))]
                if any(d < 0 for d in level) or sum(steps) != 0:
                    return $failure
                starts = [i for i, step in enumerate(steps) if step == 1]
                pairs = [(i, next(j for j in range(i, len(text)) if level[j] < level[i]), level[i]) for i in starts]
                if any(opening.index(text[i]) != closing.index(text[j]) for i, j, _ in pairs):
                    return $failure
                return $outcome
        """,
        recursion="""
            def $name(text):
                partner = $mates
                pairs = []

                def parse(j, wanted, depth):
                    while j < len(text) and text[j] not in partner.values():
                        i = j
                        if text[j] in partner:
                            j = parse(j + 1, partner[text[j]], depth + 1)
                            if j is None:
                                return None
                            pairs.append((i, j, depth))
                        j += 1
                    found = text[j] if j < len(text) else ""
                    return j if found == wanted else None

                if parse(0, "", 1) is None:
                    return $failure
                pairs.sort()
                return $outcome
        """,
        functional="""
            def $name(text):
                opening, closing = "$opening", "$closing"

                def step(state, indexed):
                    if state is None:
                        return None
                    stack, pairs = state
                    j, c = indexed
                    if c in opening:
                        return stack + [j], pairs
                    if c not in closing:
                        return state
                    if not stack or opening.index(text[stack[-1]]) != closing.index(c):
                        return None
                    return stack[:-1], pairs + [(stack[-1], j, len(stack))]

                state = functools.reduce(step, enumerate(text), ([], []))
                if state is None or state[0]:
                    return $failure
                pairs = sorted(state[1])
                return $outcome
        """,
        library="""
            def $name(text):
                innermost = re.compile(r"$innermost")
                rest, spans = text, []
                while match := innermost.search(rest):
                    i, j = match.start(), match.end() - 1
                    spans.append((i, j))
                    rest = rest[:i] + " " * (j + 1 - i) + rest[j + 1:]
                if re.search(r"[$escaped]", rest):
                    return $failure
                pairs = [(i, j, sum(a <= i < b for a, b in spans)) for i, j in sorted(spans)]
                return $outcome
        """,
    )
    explanation = (
        "Keep the indices of the open brackets on a stack; a closing bracket must fit the one on top, whose nesting "
        "depth is the height of the stack.\n"
        "If one does not fit, or if some stay open, return $failure.\n"
        "From the pairs, each with its indices and depth, return $outcome."
    )

    def cells(self, facts: Facts) -> dict[str, str]:
        cells = super().cells(facts)
        opening, closing = cells["kinds"][::2], cells["kinds"][1::2]
        escaped = re.sub(r"([][])", r"\\\1", cells["kinds"])
        return cells | {
            "opening": opening,
            "closing": closing,
            "partners": repr(dict(zip(closing, opening, strict=True))).replace("'", '"'),
            "mates": repr(dict(zip(opening, closing, strict=True))).replace("'", '"'),
            "escaped": escaped,
            "innermost": "|".join(
                f"{re.escape(a)}[^{escaped}]*{re.escape(b)}" for a, b in zip(opening, closing, strict=True)
            ),
        }

    def inputs(self, facts: Facts, rng: Random) -> tuple[Any, ...]:
        kinds = self.slots["kinds"].parts[facts["kinds"]]["code"]
        plain = "abcxyz" + "".join(c for c in "()[]{}<>" if c not in kinds)
        pairs = [kinds[place : place + 2] for place in range(0, len(kinds), 2)]

        def grow(depth: int) -> str:
            text = ""
            for _ in range(rng.randint(1, 3)):
                text += "".join(rng.choice(plain) for _ in range(rng.choice([0, 0, 1, 2])))
                if depth < 3 and rng.random() < 0.7:
                    pair = rng.choice(pairs)
                    text += pair[0] + grow(depth + 1) + pair[1]
            return text

        while True:
            text = grow(0)
            if 5 <= len(text) <= 26 and sum(c in kinds for c in text) >= 4:
                break
        if rng.random() < 0.25:
            place = rng.choice([i for i, c in enumerate(text) if c in kinds])
            text = text[:place] + rng.choice(["", rng.choice(kinds)]) + text[place + 1 :]
        return (text,)
