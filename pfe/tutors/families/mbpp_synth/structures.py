"""Nested lists, matrices and intervals.

Example: "Write a function that replaces every number in the first row of a square matrix by its product with 2
and returns the list of row sums of the changed matrix." with
`assert row_sums_with_top_times_2([[1, 2], [3, 4]]) == [6, 7]`.
"""

from random import Random
from typing import Any, ClassVar

from pfe.tutors.families.mbpp_synth.lists import INTEGERS
from pfe.tutors.families.mbpp_synth.programs import CodeFamily, PartTable, five
from pfe.tutors.family import Facts


class Nested(CodeFamily):
    """Integers in lists within lists, chosen by value and depth."""

    name = "nested"
    slots: ClassVar = {
        "pick": INTEGERS,
        "depth": PartTable("""
            phrase | slug | code
            at depth {1 2 3} | at_depth_{0} | d == {0}
            at depth {2 3} or deeper | from_depth_{0} | d >= {0}
            at depth 2 or less | shallow | d <= 2
            at an even depth | even_depth | d % 2 == 0
            at an odd depth | odd_depth | d % 2 == 1
            at a depth other than {1 2} | not_depth_{0} | d != {0}
        """),
        "outcome": PartTable("""
            phrase | slug | code | other
            the sum of | sum | sum(x for x, d in found) | functools.reduce(lambda a, p: a + p[0], found, 0)
            the number of | count | len(found) | sum(1 for _ in found)
            the list, from left to right, of | list | [x for x, d in found] | list(map(operator.itemgetter(0), found))
            the list, from right to left, of | reversed | [x for x, d in found[::-1]]
                | list(map(operator.itemgetter(0), reversed(found)))
            the ascending list of | sorted | sorted(x for x, d in found) | sorted(map(operator.itemgetter(0), found))
            the largest (0 if there is none) of | largest | max((x for x, d in found), default=0)
                | max(map(operator.itemgetter(0), found), default=0)
            the smallest (0 if there is none) of | smallest | min((x for x, d in found), default=0)
                | min(map(operator.itemgetter(0), found), default=0)
            the sum of the squares of | square_sum | sum(x * x for x, d in found) | sum(map(lambda p: p[0] ** 2, found))
            the depth-weighted sum (each integer times its depth) of | weighted_sum | sum(x * d for x, d in found)
                | sum(itertools.starmap(operator.mul, found))
            the list of (integer, depth) tuples of | pairs | [(x, d) for x, d in found] | list(map(tuple, found))
            the greatest depth (0 if there is none) of | greatest_depth | max((d for x, d in found), default=0)
                | max(map(operator.itemgetter(1), found), default=0)
        """),
    }
    templates = (
        "Write a function that takes a list of integers nested to any depth and returns {outcome} the integers that "
        "are {pick} and stand {depth}. The elements of the outermost list have depth 1.",
        "A list contains integers and further lists of the same sort; what stands directly in the outermost list has "
        "depth 1, and each further list adds 1. Write a function to return {outcome} all integers {depth} that are "
        "{pick}.",
        "Write a python function to get {outcome} those integers of an arbitrarily nested list which are {pick} and "
        "are found {depth}, where depth 1 means directly inside the outermost list.",
    )
    function = "nested_${outcome_slug}_${pick_slug}_${depth_slug}"
    styles = five(
        loop="""
            def $name(items):
                found = []
                stack = [(x, 1) for x in reversed(items)]
                while stack:
                    x, d = stack.pop()
                    if isinstance(x, list):
                        for inner in reversed(x):
                            stack.append((inner, d + 1))
                    elif ($pick) and $depth:
                        found.append((x, d))
                return $outcome
        """,
        comprehension="""
            def $name(items):
                def flat(part, d):
                    return [p for x in part for p in (flat(x, d + 1) if isinstance(x, list) else [(x, d)])]

                found = [(x, d) for x, d in flat(items, 1) if ($pick) and $depth]
                return $outcome
        """,
        recursion="""
            def $name(items):
                def search(rest, d):
                    if not rest:
                        return []
                    x = rest[0]
                    if isinstance(x, list):
                        own = search(x, d + 1)
                    else:
                        own = [(x, d)] if ($pick) and $depth else []
                    return own + search(rest[1:], d)

                found = search(items, 1)
                return $outcome
        """,
        functional="""
            def $name(items):
                def flat(part, d):
                    spread = lambda x: flat(x, d + 1) if isinstance(x, list) else [(x, d)]
                    return functools.reduce(lambda pairs, x: pairs + spread(x), part, [])

                fits = lambda x, d: ($pick) and $depth
                found = list(filter(lambda p: fits(*p), flat(items, 1)))
                return $outcome_other
        """,
        library="""
            def $name(items):
                found = []
                d = 0
                for token in re.findall("[][]|-?[0-9]+", repr(items)):
                    if token in "[]":
                        d += 1 if token == "[" else -1
                        continue
                    x = int(token)
                    if ($pick) and $depth:
                        found.append((x, d))
                return $outcome_other
        """,
    )
    explanation = (
        "Walk through the list; whenever an element is itself a list, walk through it with a depth greater by 1.\n"
        "Keep the integers that are $pick and stand $depth.\n"
        "Return $outcome the integers that were kept."
    )

    def programs(self, facts: Facts) -> dict[str, str]:
        bare = super().programs(facts)
        simple = " or " not in (pick := INTEGERS.parts[facts["pick"]]["code"])
        return {
            style: program.replace(f"({pick}) and", f"{pick} and") if simple else program
            for style, program in bare.items()
        }

    def inputs(self, facts: Facts, rng: Random) -> tuple[Any, ...]:
        def grow(depth: int) -> list[Any]:
            size = rng.randint(2, 4)
            return [grow(depth + 1) if depth < 4 and rng.random() < 0.42 else rng.randint(-9, 20) for _ in range(size)]

        while True:
            items = grow(1)
            if 8 <= repr(items).count(",") <= 16 and "[[" not in repr(items)[:2] and repr(items).count("[") > 3:
                return (items,)


class MatrixEdit(CodeFamily):
    """Change a part of a square matrix, then turn it, or add it up."""

    name = "matrix_edit"
    slots: ClassVar = {
        "place": PartTable("""
            phrase | slug | code
            on the main diagonal | diagonal | i == j
            on the anti-diagonal | antidiagonal | i + j == n - 1
            off the main diagonal | off_diagonal | i != j
            on one of the two diagonals | cross | i in (j, n - 1 - j)
            above the main diagonal | upper | i < j
            below the main diagonal | lower | i > j
            above the anti-diagonal | upper_left | i + j < n - 1
            below the anti-diagonal | lower_right | i + j > n - 1
            on the outer border | border | not 0 < i < n - 1 or not 0 < j < n - 1
            inside the outer border | inner | 0 < i < n - 1 and 0 < j < n - 1
            in the four corners | corner | i in (0, n - 1) and j in (0, n - 1)
            in the first row | top | i == 0
            in the last row | bottom | i == n - 1
            in the first column | left | j == 0
            in the last column | right | j == n - 1
            where row index plus column index is odd | chequered | (i + j) % 2 == 1
            where row index and column index are both even | even_even | i % 2 == 0 and j % 2 == 0
        """),
        "change": PartTable("""
            phrase | slug | code
            its square | squared | x * x
            its negative | negated | -x
            its last digit | shortened | x % 10
            zero | zeroed | 0
            its product with {2 3 4 5} | times_{0} | x * {0}
            its sum with {2 5 7 10} | plus_{0} | x + {0}
            its remainder modulo {3 4 5 7} | modulo_{0} | x % {0}
            the sum of its row in the given matrix | row_summed | sum(matrix[i])
            the largest number of its column in the given matrix | column_topped | max(row[j] for row in matrix)
            the number opposite it across the main diagonal of the given matrix | swapped | matrix[j][i]
            its row index plus its column index, both counted from 0 | indexed | i + j
        """),
        "outcome": PartTable("""
            phrase | slug | code | other
            returns the changed matrix | matrix | result | result
            returns the transpose of the changed matrix | transposed | [[row[j] for row in result] for j in range(n)]
                | list(map(list, zip(*result)))
            returns the changed matrix rotated clockwise by 90 degrees | rotated
                | [[row[j] for row in result[::-1]] for j in range(n)] | list(map(list, zip(*result[::-1])))
            returns the changed matrix mirrored left to right | mirrored | [row[::-1] for row in result]
                | list(map(lambda row: list(reversed(row)), result))
            returns the changed matrix with its rows in reverse order | flipped | result[::-1] | list(reversed(result))
            returns the list of row sums of the changed matrix | row_sums | [sum(row) for row in result]
                | list(map(sum, result))
            returns the list of column sums of the changed matrix | column_sums
                | [sum(row[j] for row in result) for j in range(n)] | list(map(sum, zip(*result)))
            returns all numbers of the changed matrix in one list, row by row | flat
                | [x for row in result for x in row] | list(itertools.chain.from_iterable(result))
            returns the largest number of each row of the changed matrix as a list | row_tops
                | [max(row) for row in result] | list(map(max, result))
            returns the sum of all numbers in the changed matrix | total | sum(sum(row) for row in result)
                | sum(itertools.chain(*result))
            returns the sum of the main diagonal of the changed matrix | trace | sum(result[i][i] for i in range(n))
                | sum(map(lambda p: p[1][p[0]], enumerate(result)))
            returns the rows of the changed matrix ordered by their sums, smallest first | ordered
                | sorted(result, key=lambda row: sum(row)) | sorted(result, key=sum)
        """),
    }
    templates = (
        "Write a function that replaces every number {place} of a square matrix by {change} and {outcome}.",
        "Write a python function which takes a square matrix of positive integers given as a list of rows. Each number "
        "{place} is exchanged for {change}; the function {outcome}.",
        "In a square matrix, a list of equally long lists, the numbers {place} are to be changed: each becomes "
        "{change}. Write a function that {outcome}.",
    )
    function = "${outcome_slug}_with_${place_slug}_${change_slug}"
    styles = five(
        loop="""
            def $name(matrix):
                n = len(matrix)
                result = []
                for i in range(n):
                    row = []
                    for j in range(n):
                        x = matrix[i][j]
                        if $place:
                            x = $change
                        row.append(x)
                    result.append(row)
                return $outcome
        """,
        comprehension="""
            def $name(matrix):
                n = len(matrix)
                result = [[$change if $place else x for j, x in enumerate(line)] for i, line in enumerate(matrix)]
                return $outcome
        """,
        recursion="""
            def $name(matrix):
                n = len(matrix)

                def edit_row(i, j):
                    if j == n:
                        return []
                    x = matrix[i][j]
                    return [$change if $place else x] + edit_row(i, j + 1)

                def edit(i):
                    return [edit_row(i, 0)] + edit(i + 1) if i < n else []

                result = edit(0)
                return $outcome
        """,
        functional="""
            def $name(matrix):
                n = len(matrix)
                edit = lambda i, j, x: $change if $place else x
                result = list(map(lambda i: list(map(lambda j: edit(i, j, matrix[i][j]), range(n))), range(n)))
                return $outcome_other
        """,
        library="""
            def $name(matrix):
                n = len(matrix)
                result = copy.deepcopy(matrix)
                for i, j in itertools.product(range(n), repeat=2):
                    if $place:
                        x = matrix[i][j]
                        result[i][j] = $change
                return $outcome_other
        """,
    )
    explanation = (
        "Go through the matrix with a row index i and a column index j.\n"
        "For the numbers $place put down $change, for all others the number as it is.\n"
        "At the end the function $outcome."
    )

    def sound(self, facts: Facts) -> bool:
        return not (facts["place"] == "on the main diagonal" and facts["change"].startswith("the number opposite"))

    def inputs(self, facts: Facts, rng: Random) -> tuple[Any, ...]:
        n = rng.choice([3, 3, 4])
        return ([[rng.randint(1, 24) for _ in range(n)] for _ in range(n)],)


class Intervals(CodeFamily):
    """Drop some intervals, merge the others across small gaps, report."""

    name = "intervals"
    slots: ClassVar = {
        "drop": PartTable("""
            phrase | slug | code
            are shorter than {2 3 4} | without_short_{0} | end - start < {0}
            are longer than {6 7 8 10} | without_long_{0} | end - start > {0}
            have a length of exactly {2 3 4 5} | without_length_{0} | end - start == {0}
            start before {2 3 4 6} | starting_from_{0} | start < {0}
            end after {25 28 30 34} | ending_by_{0} | end > {0}
            start at an odd number | with_even_start | start % 2 == 1
            end at an even number | with_odd_end | end % 2 == 0
            have an even length | with_odd_length | (end - start) % 2 == 0
            contain the number {9 12 15 20} | avoiding_{0} | start <= {0} <= end
        """),
        "gap": PartTable("""
            phrase | code
            {1 2 3 4 5} | {0}
        """),
        "outcome": PartTable("""
            phrase | slug | code | other
            the merged intervals in ascending order | merged | merged | sorted(merged)
            the merged intervals from the last to the first | reversed | merged[::-1] | sorted(merged, reverse=True)
            the merged intervals ordered by length, longest first (the earlier one first if equal) | by_length
                | sorted(merged, key=lambda p: (p[0] - p[1], p[0]))
                | sorted(merged, key=lambda p: p[1] - p[0], reverse=True)
            the number of merged intervals | count | len(merged) | sum(1 for _ in merged)
            the total length of the merged intervals | length | sum(b - a for a, b in merged)
                | sum(itertools.starmap(lambda a, b: b - a, merged))
            the lengths of the merged intervals from left to right | lengths | [b - a for a, b in merged]
                | list(map(lambda p: p[1] - p[0], merged))
            the length of the longest merged interval (0 if there is none) | longest
                | max((b - a for a, b in merged), default=0) | max(map(lambda p: p[1] - p[0], merged), default=0)
            the list of (end, start) tuples of the gaps between neighbouring merged intervals | gaps
                | [(p[1], q[0]) for p, q in zip(merged, merged[1:])]
                | list(map(lambda p, q: (p[1], q[0]), merged, merged[1:]))
            the sum of the gaps between neighbouring merged intervals | gap_sum
                | sum(q[0] - p[1] for p, q in zip(merged, merged[1:]))
                | sum(map(lambda p, q: q[0] - p[1], merged, merged[1:]))
            the merged intervals that are longer than {4 6 8} | above_{0} | [(a, b) for a, b in merged if b - a > {0}]
                | list(filter(lambda p: p[1] - p[0] > {0}, merged))
            the merged interval that contains {10 14 18} (None if there is none) | around_{0}
                | ([(a, b) for a, b in merged if a <= {0} <= b] + [None])[0]
                | next(filter(lambda p: p[0] <= {0} <= p[1], merged), None)
        """),
    }
    templates = (
        "Write a function that takes a list of intervals, given as (start, end) tuples of integers with start < end. "
        "It drops the intervals that {drop}, merges the others wherever two overlap or the gap between them is at "
        "most {gap}, and returns {outcome}.",
        "Write a python function to merge intervals (start, end) of integers: two of them become one if they overlap "
        "or if no more than {gap} lies between the end of one and the start of the other. Intervals that {drop} are "
        "thrown away beforehand. The result is {outcome}.",
        "Given (start, end) tuples in any order, remove those that {drop}. Join the rest into larger intervals as long "
        "as two of them overlap or are separated by {gap} or less. Write a function to return {outcome}.",
    )
    function = "${outcome_slug}_of_intervals_${drop_slug}_gap_${gap}"
    styles = five(
        loop="""
            def $name(intervals):
                merged = []
                for start, end in sorted(intervals):
                    if $drop:
                        continue
                    if merged and start <= merged[-1][1] + $gap:
                        merged[-1] = (merged[-1][0], max(merged[-1][1], end))
                    else:
                        merged.append((start, end))
                return $outcome
        """,
        comprehension="""
            def $name(intervals):
                kept = [(start, end) for start, end in intervals if not ($drop)]
                starts = {s for s, _ in kept if not any(a < s <= b + $gap for a, b in kept)}
                ends = {e for _, e in kept if not any(a - $gap <= e < b for a, b in kept)}
                merged = [(s, e) for s, e in zip(sorted(starts), sorted(ends))]
                return $outcome
        """,
        recursion="""
            def $name(intervals):
                def merge(rest):
                    if len(rest) < 2:
                        return rest
                    (a, b), (c, d) = rest[:2]
                    if c <= b + $gap:
                        return merge([(a, max(b, d))] + rest[2:])
                    return [(a, b)] + merge(rest[1:])

                merged = merge(sorted((start, end) for start, end in intervals if not ($drop)))
                return $outcome
        """,
        functional="""
            def $name(intervals):
                def add(merged, interval):
                    if merged and interval[0] <= merged[-1][1] + $gap:
                        return merged[:-1] + [(merged[-1][0], max(merged[-1][1], interval[1]))]
                    return merged + [interval]

                unwanted = lambda start, end: $drop
                merged = functools.reduce(add, sorted(filter(lambda p: not unwanted(*p), intervals)), [])
                return $outcome_other
        """,
        library="""
            def $name(intervals):
                kept = sorted((start, end) for start, end in intervals if not ($drop))
                reach = list(itertools.accumulate((end for _, end in kept), max))
                cuts = [i for i in range(1, len(kept)) if kept[i][0] > reach[i - 1] + $gap]
                merged = [(kept[i][0], reach[j - 1]) for i, j in zip([0] + cuts, cuts + [len(kept)]) if kept]
                return $outcome_other
        """,
    )
    explanation = (
        "Drop the intervals that $drop and sort the others by their start.\n"
        "Go through them: an interval that starts at most $gap after the end of the last merged one extends it, any "
        "other begins a new one.\nReturn $outcome."
    )

    def inputs(self, facts: Facts, rng: Random) -> tuple[Any, ...]:
        starts = [rng.randint(0, 32) for _ in range(rng.randint(5, 8))]
        return ([(start, start + rng.choice([1, 2, 3, 4, 5, 7, 9, 11])) for start in starts],)
