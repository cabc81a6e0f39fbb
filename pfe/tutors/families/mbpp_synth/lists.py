"""Lists of integers: filtering, windows, partners in a second list.

Example: "Write a function that slides a window of 3 elements over a list of integers, moving it by one position at a
time, and takes the sum of the elements of each window. It returns the results in descending order. ..." with
`assert descending_every_window_sum_3([4, 1, 2, 9]) == [12, 7]`.
"""

from random import Random
from typing import Any, ClassVar

from pfe.tutors.families.mbpp_synth.programs import CodeFamily, PartTable, five
from pfe.tutors.family import Facts

INTEGERS = PartTable("""
    phrase | slug | code
    even | even | x % 2 == 0
    odd | odd | x % 2 == 1
    positive | positive | x > 0
    negative | negative | x < 0
    divisible by {3 4 5 6 7} | multiple_of_{0} | x % {0} == 0
    not divisible by {3 4 5} | non_multiple_of_{0} | x % {0} != 0
    greater than {-5 2 4 8 10 12} | above_{0} | x > {0}
    less than {-2 3 6 10 15} | below_{0} | x < {0}
    at least {-3 1 5 7 9} | at_least_{0} | x >= {0}
    at most {-1 0 4 11 14} | at_most_{0} | x <= {0}
    between {-8 -4 0 2} and {9 13 16} inclusive | between_{0}_and_{1} | {0} <= x <= {1}
    outside the range from {-6 -3 1} to {7 10} | outside_{0}_to_{1} | not {0} <= x <= {1}
    one more than a multiple of {3 4 5} | one_above_multiple_of_{0} | x % {0} == 1
    two-digit numbers | two_digit | 10 <= abs(x) <= 99
    odd and greater than {1 3 6} | odd_above_{0} | x % 2 == 1 and x > {0}
    even and less than {8 12 18} | even_below_{0} | x % 2 == 0 and x < {0}
    either negative or divisible by {3 4 5} | negative_or_multiple_of_{0} | x < 0 or x % {0} == 0
""")


def _integers(rng: Random, least: int, most: int) -> list[int]:
    """Numbers with repetitions, some of them large or negative."""
    low, high = rng.choice([(-9, 12), (-20, 30), (0, 20), (-6, 40)])
    numbers = [rng.randint(low, high) for _ in range(rng.randint(least, most))]
    for place in range(1, len(numbers)):
        if rng.random() < 0.15:
            numbers[place] = rng.choice(numbers[:place])
    return numbers


class FilterAggregate(CodeFamily):
    """Keep some numbers, change them, boil them down to one."""

    name = "filter_aggregate"
    slots: ClassVar = {
        "pick": INTEGERS,
        "change": PartTable("""
            phrase | slug | code
            squares | squares | x * x
            cubes | cubes | x ** 3
            absolute values | magnitudes | abs(x)
            last digits | last_digits | abs(x) % 10
            digit sums | digit_sums | sum(map(int, str(abs(x))))
            halves (rounded down) | halves | x // 2
            distances from {5 7 10 20} | distances_from_{0} | abs(x - {0})
            remainders after division by {4 6 7 9} | remainders_by_{0} | x % {0}
            products with {3 4 6 -2} | multiples_by_{0} | x * {0}
            sums with {3 8 11 15} | sums_with_{0} | x + {0}
            numbers of digits | lengths | len(str(abs(x)))
        """),
        "outcome": PartTable("""
            phrase | slug | code | other
            sum | sum | sum(values) | functools.reduce(lambda a, b: a + b, values)
            product | product | math.prod(values) | functools.reduce(lambda a, b: a * b, values)
            maximum | maximum | max(values) | sorted(values)[-1]
            minimum | minimum | min(values) | sorted(values)[0]
            spread (maximum minus minimum) | spread | max(values) - min(values) | sorted(values)[-1] - sorted(values)[0]
            average, rounded down, | average | sum(values) // len(values)
                | functools.reduce(operator.add, values) // len(values)
            second largest distinct value (the largest if all are equal) | second_largest
                | sorted(set(values))[-2:][0] | sorted(dict.fromkeys(values), reverse=True)[:2][-1]
            alternating sum (first minus second plus third and so on) | alternating_sum
                | sum(values[::2]) - sum(values[1::2]) | functools.reduce(lambda a, b: b - a, reversed(values))
            bitwise exclusive or | xor | functools.reduce(lambda a, b: a ^ b, values)
                | functools.reduce(operator.xor, values)
            most frequent value (the smaller one if several are equally frequent) | mode
                | min(values, key=lambda v: (-values.count(v), v))
                | sorted(collections.Counter(values).items(), key=lambda p: (-p[1], p[0]))[0][0]
        """),
        "empty": PartTable("""
            phrase | code
            {0 -1 None} | {0}
        """),
    }
    templates = (
        "Write a function to find the {outcome} of the {change} of those numbers in a list of integers that are "
        "{pick}. The function returns {empty} if there are no such numbers.",
        "Write a function that picks from a list of integers the ones that are {pick} and returns the {outcome} of "
        "their {change}, or {empty} when nothing was picked.",
        "Take the numbers of a list that are {pick} and form their {change}. Write a python function whose result is "
        "the {outcome} of what was formed; it is {empty} for a list without suitable numbers.",
        "Given a list of integers, write a function which ignores every number except those that are {pick}. If none "
        "is left the result is {empty}, otherwise it is the {outcome} of the {change} of the rest.",
    )
    function = "${outcome_slug}_of_${pick_slug}_${change_slug}"
    styles = five(
        loop="""
            def $name(numbers):
                values = []
                for x in numbers:
                    if $pick:
                        values.append($change)
                if len(values) == 0:
                    return $empty
                return $outcome
        """,
        comprehension="""
            def $name(numbers):
                values = [$change for x in numbers if $pick]
                return $outcome if values else $empty
        """,
        recursion="""
            def $name(numbers):
                def collect(rest):
                    if not rest:
                        return []
                    x = rest[0]
                    return ([$change] if $pick else []) + collect(rest[1:])

                values = collect(numbers)
                return $outcome if values else $empty
        """,
        functional="""
            def $name(numbers):
                values = list(map(lambda x: $change, filter(lambda x: $pick, numbers)))
                return $outcome_other if values else $empty
        """,
        library="""
            def $name(numbers):
                originals, copies = itertools.tee(numbers)
                chosen = itertools.compress(originals, ($pick for x in copies))
                values = [$change for x in chosen]
                return $outcome_other if values else $empty
        """,
    )
    explanation = (
        "Keep the numbers that are $pick; if none is left, return $empty.\n"
        "Form the $change of the numbers that were kept and return the $outcome of these values."
    )

    def inputs(self, facts: Facts, rng: Random) -> tuple[Any, ...]:
        numbers = _integers(rng, 5, 10)
        if rng.random() < 0.2:
            wanted = eval(f"lambda x: {INTEGERS.parts[facts['pick']]['code']}")
            return ([x for x in numbers if not wanted(x)],)
        return (numbers,)


class Window(CodeFamily):
    """A window that slides over a list, and what its results say."""

    name = "window"
    slots: ClassVar = {
        "size": PartTable("""
            phrase | code
            {2 3 4 5} | {0}
        """),
        "step": PartTable("""
            phrase | slug | code
            one position | every | 1
            two positions | every_second | 2
            three positions | every_third | 3
        """),
        "measure": PartTable("""
            phrase | slug | code
            the sum of the elements | sum | sum(w)
            the product of the elements | product | math.prod(w)
            the largest element | maximum | max(w)
            the smallest element | minimum | min(w)
            the difference between the largest and the smallest element | spread | max(w) - min(w)
            the sum of the largest and the smallest element | end_sum | max(w) + min(w)
            the number of even elements | even_count | sum(v % 2 == 0 for v in w)
            the number of elements above {2 4 6 9} | above_{0}_count | sum(v > {0} for v in w)
            the number of different elements | variety | len(set(w))
            the last element minus the first | rise | w[-1] - w[0]
            the sum of the squares of the elements | square_sum | sum(v * v for v in w)
            the sum of the absolute values of the elements | magnitude | sum(abs(v) for v in w)
        """),
        "outcome": PartTable("""
            phrase | slug | code | other
            all results in their order | list | values | values
            the results in descending order | descending | sorted(values, reverse=True) | sorted(values)[::-1]
            the different results in ascending order | distinct | sorted(set(values))
                | [v for v, _ in itertools.groupby(sorted(values))]
            the position (counted from 0) of the first window with the largest result | first_best
                | values.index(max(values)) | max(range(len(values)), key=values.__getitem__)
            the position (counted from 0) of the last window with the smallest result | last_worst
                | max(i for i, v in enumerate(values) if v == min(values))
                | len(values) - 1 - values[::-1].index(min(values))
            how many windows have a result above {3 5 7 10} | count_above_{0} | sum(v > {0} for v in values)
                | len(list(filter(lambda v: v > {0}, values)))
            how many windows have an even result | even_count | sum(v % 2 == 0 for v in values)
                | len([v for v in values if not v % 2])
            the sum of all results | total | sum(values) | functools.reduce(operator.add, values)
            how often a result is larger than the one before it | rises
                | sum(a < b for a, b in zip(values, values[1:])) | sum(map(operator.lt, values, values[1:]))
            the difference between the largest and the smallest result | range | max(values) - min(values)
                | sorted(values)[-1] - sorted(values)[0]
            a list with the largest result up to each window | record
                | [max(values[: i + 1]) for i in range(len(values))] | list(itertools.accumulate(values, max))
            a dictionary from each result to how often it occurs | counts | {v: values.count(v) for v in values}
                | dict(collections.Counter(values))
        """),
    }
    templates = (
        "Write a function that slides a window of {size} elements over a list of integers, moving it by {step} at a "
        "time, and takes {measure} of each window. It returns {outcome}. The list is never shorter than the window.",
        "Write a python function to go through a list of integers with a window that covers {size} elements and is "
        "shifted by {step} after each look. For every full window it notes {measure} as the result, and in the end it "
        "returns {outcome}.",
        "Windows of {size} neighbouring elements are cut out of a list of integers; each starts {step} after the "
        "previous one, and incomplete windows are left out. The result of a window is {measure}. Write a function to "
        "return {outcome}.",
    )
    function = "${outcome_slug}_${step_slug}_window_${measure_slug}_${size}"
    styles = five(
        loop="""
            def $name(numbers):
                values = []
                start = 0
                while start + $size <= len(numbers):
                    w = numbers[start:start + $size]
                    values.append($measure)
                    start += $step
                return $outcome
        """,
        comprehension="""
            def $name(numbers):
                starts = range(0, len(numbers) - $size + 1, $step)
                values = [$measure for w in [numbers[i:i + $size] for i in starts]]
                return $outcome
        """,
        recursion="""
            def $name(numbers):
                def measure(rest):
                    if len(rest) < $size:
                        return []
                    w = rest[:$size]
                    return [$measure] + measure(rest[$step:])

                values = measure(numbers)
                return $outcome
        """,
        functional="""
            def $name(numbers):
                starts = range(0, len(numbers) - $size + 1, $step)
                windows = map(lambda i: numbers[i:i + $size], starts)
                values = list(map(lambda w: $measure, windows))
                return $outcome_other
        """,
        library="""
            def $name(numbers):
                shifted = [itertools.islice(numbers, i, None) for i in range($size)]
                windows = itertools.islice(zip(*shifted), 0, None, $step)
                values = [$measure for w in windows]
                return $outcome_other
        """,
    )
    explanation = (
        "Cut out every window of $size elements, moving on by $step each time until the list ends.\n"
        "Note $measure for each window; from this list of results return $outcome."
    )

    def inputs(self, facts: Facts, rng: Random) -> tuple[Any, ...]:
        return (_integers(rng, int(facts["size"]) + 4, 12),)


class Partners(CodeFamily):
    """Numbers of one list that have something in common with numbers of another."""

    name = "partners"
    slots: ClassVar = {
        "kind": PartTable("""
            phrase | code
            numbers | True
            even numbers | x % 2 == 0
            odd numbers | x % 2 == 1
            positive numbers | x > 0
            two-digit numbers | 10 <= abs(x) <= 99
            numbers other than {2 3 5} | x != {0}
            numbers above {1 4 6} | x > {0}
            numbers below {9 14 20} | x < {0}
        """),
        "relation": PartTable("""
            phrase | slug | code
            no partner | without_partner | count == 0
            at least one partner | with_partner | count >= 1
            exactly one partner | with_one_partner | count == 1
            two or more partners | with_several_partners | count >= 2
            an odd number of partners | with_odd_partners | count % 2 == 1
            at most one partner | with_few_partners | count <= 1
        """),
        "key": PartTable("""
            phrase | slug | code
            the same absolute value | by_magnitude | abs(x)
            the same last digit | by_last_digit | abs(x) % 10
            the same digit sum | by_digit_sum | sum(map(int, str(abs(x))))
            the same remainder after division by {4 5 6 7 8} | modulo_{0} | x % {0}
            the same quotient after whole-number division by {3 4 5} | by_quotient_{0} | x // {0}
            the same largest digit | by_largest_digit | max(str(abs(x)))
            the same number of ones in binary | by_bit_count | bin(x).count("1")
            equal distance from {5 8 10} | by_distance_from_{0} | abs(x - {0})
        """),
        "outcome": PartTable("""
            phrase | slug | code | other
            a list, in the original order, of | list | found | found
            an ascending list without repetitions of | distinct | sorted(set(found))
                | [x for x, _ in itertools.groupby(sorted(found))]
            a descending list of | descending | sorted(found, reverse=True) | sorted(found)[::-1]
            a tuple, in the original order and without repetitions, of | unique
                | tuple(x for i, x in enumerate(found) if x not in found[:i]) | tuple(dict.fromkeys(found))
            the sum of | sum | sum(found) | functools.reduce(lambda a, b: a + b, found, 0)
            the number of | count | len(found) | sum(1 for _ in found)
            the largest (None if there are none) of | largest | max(found) if found else None | max(found, default=None)
            a dictionary with the number of occurrences of | counts | {x: found.count(x) for x in found}
                | dict(collections.Counter(found))
        """),
    }
    templates = (
        "Write a function that takes two lists of integers and returns {outcome} those {kind} in the first list that "
        "have {relation} in the second list. Two integers are partners if they have {key}.",
        "Call two integers partners when they have {key}. Write a function to return {outcome} those {kind} in a first "
        "list which have {relation} in a second list.",
        "Write a python function with two lists of integers as arguments. It looks at the {kind} of the first list and "
        "counts for each one its partners, which are the elements of the second list with {key}. The result is "
        "{outcome} those that have {relation}.",
    )
    function = "${outcome_slug}_${relation_slug}_${key_slug}"
    styles = five(
        loop="""
            def $name(first, second):
                def key(x):
                    return $key

                found = []
                for x in first:
                    count = 0
                    for y in second:
                        if key(x) == key(y):
                            count += 1
                    if $kind and $relation:
                        found.append(x)
                return $outcome
        """,
        comprehension="""
            def $name(first, second):
                keys = [$key for x in second]
                counted = [(x, keys.count($key)) for x in first]
                found = [x for x, count in counted if $kind and $relation]
                return $outcome
        """,
        recursion="""
            def $name(first, second):
                keys = [$key for x in second]

                def search(rest):
                    if not rest:
                        return []
                    x = rest[0]
                    count = keys.count($key)
                    return ([x] if $kind and $relation else []) + search(rest[1:])

                found = search(first)
                return $outcome
        """,
        functional="""
            def $name(first, second):
                key = lambda x: $key
                fits = lambda count: $relation
                partners = lambda x: len(list(filter(lambda y: key(x) == key(y), second)))
                found = list(filter(lambda x: $kind and fits(partners(x)), first))
                return $outcome_other
        """,
        library="""
            def $name(first, second):
                counts = collections.Counter($key for x in second)
                found = []
                for x in first:
                    count = counts[$key]
                    if $kind and $relation:
                        found.append(x)
                return $outcome_other
        """,
    )
    explanation = (
        "For each of the $kind in the first list count the elements of the second list that have $key.\n"
        "Keep the number if that makes $relation, and return $outcome the numbers that were kept."
    )

    def programs(self, facts: Facts) -> dict[str, str]:
        return {style: program.replace("True and ", "") for style, program in super().programs(facts).items()}

    def inputs(self, facts: Facts, rng: Random) -> tuple[Any, ...]:
        first = _integers(rng, 5, 9)
        second = _integers(rng, 4, 8) + [rng.choice([1, 1, -1]) * rng.choice(first) for _ in range(2)]
        rng.shuffle(second)
        return first, second
