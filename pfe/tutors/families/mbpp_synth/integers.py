"""Digits, divisors, number bases and sequences.

Example: "Write a function that takes a positive integer, keeps only its digits that are greater than 3, replaces each
of them by its square, and returns the sum of the results." with `assert sum_of_above_3_digits(3852) == 89`.
"""

from random import Random
from typing import Any, ClassVar

from pfe.tutors.families.mbpp_synth.programs import CodeFamily, PartTable, five
from pfe.tutors.family import Facts


class DigitWork(CodeFamily):
    """Pick digits of a number, change them, put the results together."""

    name = "digit_work"
    slots: ClassVar = {
        "pick": PartTable("""
            phrase | slug | code
            even | even | d % 2 == 0
            odd | odd | d % 2 == 1
            prime | prime | d in (2, 3, 5, 7)
            multiples of three | threefold | d % 3 == 0
            greater than {1 2 3 4 5 6} | above_{0} | d > {0}
            less than {4 5 6 7 8} | below_{0} | d < {0}
            different from {0 1 2 3 4 5 6 7 8 9} | not_{0} | d != {0}
            larger than the digit to their left | rising | i > 0 and d > digits[i - 1]
            smaller than the digit to their left | falling | i > 0 and d < digits[i - 1]
            equal to a neighbouring digit | twin | d in digits[max(i - 1, 0):i] + digits[i + 1:i + 2]
            unlike every other digit of the number | unique | digits.count(d) == 1
            found more than once in the number | repeated | digits.count(d) > 1
            first occurrences of their value | fresh | d not in digits[:i]
        """),
        "change": PartTable("""
            phrase | code
            its square | d * d
            its double | 2 * d
            its complement to nine | 9 - d
            its remainder after division by {3 4 5} | d % {0}
            its half (rounded down) | d // 2
            its sum with {2 3 4 5 6 7} | d + {0}
            its distance from {4 5 6} | abs(d - {0})
            its product with its position (counted from one at the left) | d * (i + 1)
        """),
        "outcome": PartTable("""
            phrase | slug | code | other
            the sum of the results | sum | sum(values) | functools.reduce(lambda a, b: a + b, values, 0)
            the largest result, or -1 if there is none | largest | max(values, default=-1) | sorted([-1, *values])[-1]
            the smallest result, or -1 if there is none | smallest | min(values, default=-1)
                | sorted(values)[0] if values else -1
            the list of results from left to right | list | values | values
            the list of results from right to left | reversed | values[::-1] | list(reversed(values))
            the list of results in ascending order | ascending | sorted(values) | sorted(values, reverse=True)[::-1]
            how many different results there are | distinct | len(set(values)) | len(dict.fromkeys(values))
            the results written one after another as a string | text | "".join(str(v) for v in values)
                | "".join(map(str, values))
            the first result minus the second plus the third and so on | alternating
                | sum(values[::2]) - sum(values[1::2]) | functools.reduce(lambda a, b: b - a, reversed(values), 0)
            how many results are above {5 6 8 10} | results_above_{0}_among | sum(v > {0} for v in values)
                | len(list(filter(lambda v: v > {0}, values)))
        """),
    }
    templates = (
        "Write a function that takes a positive integer, keeps only those of its digits that are {pick}, replaces "
        "each of them by {change} and returns {outcome}.",
        "Write a python function which looks at the decimal digits of a positive integer: the digits that are {pick} "
        "stay, all others are dropped. Every digit that stays is turned into {change} and the function gives back "
        "{outcome}.",
        "From a positive integer select the digits that are {pick}. Each selected digit contributes one result, which "
        "is {change}. Write a function to work out {outcome}.",
        "Write a function for positive integers that returns {outcome}, where the results come from the digits that "
        "are {pick}: each of these digits gives {change}.",
    )
    function = "${outcome_slug}_of_${pick_slug}_digits"
    styles = five(
        loop="""
            def $name(number):
                digits = []
                while number > 0:
                    number, d = divmod(number, 10)
                    digits.insert(0, d)
                values = []
                for i, d in enumerate(digits):
                    if $pick:
                        values.append($change)
                return $outcome
        """,
        comprehension="""
            def $name(number):
                digits = [int(character) for character in str(number)]
                values = [$change for i, d in enumerate(digits) if $pick]
                return $outcome
        """,
        recursion="""
            def $name(number):
                def split(n):
                    return [n] if n < 10 else split(n // 10) + [n % 10]

                digits = split(number)

                def collect(i):
                    if i == len(digits):
                        return []
                    d = digits[i]
                    return ([$change] if $pick else []) + collect(i + 1)

                values = collect(0)
                return $outcome
        """,
        functional="""
            def $name(number):
                digits = list(map(int, str(number)))
                chosen = filter(lambda p: (lambda i, d: $pick)(*p), enumerate(digits))
                values = list(map(lambda p: (lambda i, d: $change)(*p), chosen))
                return $outcome_other
        """,
        library="""
            def $name(number):
                digits = [int(text) for text in re.findall("[0-9]", str(number))]
                wanted = [$pick for i, d in enumerate(digits)]
                changed = [$change for i, d in enumerate(digits)]
                values = list(itertools.compress(changed, wanted))
                return $outcome_other
        """,
    )
    explanation = (
        "Split the number into its digits from left to right.\n"
        "Keep the digits that are $pick and turn each into $change.\n"
        "From the list of results return $outcome."
    )

    def inputs(self, facts: Facts, rng: Random) -> tuple[Any, ...]:
        size = rng.randint(4, 9)
        few = rng.sample("0123456789", rng.randint(4, 8))
        return (int(rng.choice("123456789") + "".join(rng.choice(few) for _ in range(size - 1))),)


class RangeSearch(CodeFamily):
    """Numbers between two bounds that have an arithmetic and a decimal property."""

    name = "range_search"
    slots: ClassVar = {
        "first": PartTable("""
            phrase | slug | code
            are divisible by {3 4 6 7 8 9 11} | multiples_of_{0} | x % {0} == 0
            are not divisible by {3 4 5 6} | non_multiples_of_{0} | x % {0} != 0
            leave the remainder {1 2 3} when divided by {4 5 7 8 9} | remainder_{0}_modulo_{1} | x % {1} == {0}
            share no prime factor with {6 10 14 15 21 35} | coprime_to_{0} | math.gcd(x, {0}) == 1
            share a prime factor with {10 15 21 77} | sharing_a_factor_with_{0} | math.gcd(x, {0}) > 1
            have exactly {3 4 6 8} divisors | with_{0}_divisors | sum(x % d == 0 for d in range(1, x + 1)) == {0}
            have exactly {2 3 4 5} ones in binary | with_{0}_one_bits | bin(x).count("1") == {0}
            have an odd number of ones in binary | with_odd_bit_count | bin(x).count("1") % 2 == 1
        """),
        "second": PartTable("""
            phrase | slug | code
            have a digit sum divisible by {2 3 4 5} | digit_sum_by_{0} | sum(map(int, str(x))) % {0} == 0
            have a digit sum above {6 8 10} | digit_sum_above_{0} | sum(map(int, str(x))) > {0}
            have a digit sum below {8 10 12} | digit_sum_below_{0} | sum(map(int, str(x))) < {0}
            contain the digit {1 2 3 5 7} | with_{0} | "{0}" in str(x)
            avoid the digit {1 2 4 6 8} | without_{0} | "{0}" not in str(x)
            have no digit twice | no_twins | len(set(str(x))) == len(str(x))
            end in a digit larger than {3 4 5 6} | ending_above_{0} | x % 10 > {0}
            begin with an odd digit | odd_start | int(str(x)[0]) % 2 == 1
            begin with an even digit | even_start | int(str(x)[0]) % 2 == 0
            have digits that never decrease from left to right | sorted_digits | list(str(x)) == sorted(str(x))
        """),
        "bounds": PartTable("""
            phrase | low | high
            from low up to and including high | low | high
            from low up to but not including high | low | high - 1
            strictly between low and high | low + 1 | high - 1
        """),
        "outcome": PartTable("""
            phrase | slug | code | other
            the number of integers | count | len(found) | sum(1 for _ in found)
            the sum of the integers | sum | sum(found) | functools.reduce(lambda a, b: a + b, found, 0)
            the largest (0 if there is none) of the integers | largest | max(found, default=0)
                | found[-1] if found else 0
            the smallest (0 if there is none) of the integers | smallest | min(found, default=0)
                | found[0] if found else 0
            an ascending list of the integers | list | found | sorted(found)
            a descending list of the integers | descending | found[::-1] | sorted(found, reverse=True)
            the sum of the squares of the integers | square_sum | sum(x * x for x in found)
                | sum(map(lambda x: x ** 2, found))
            the widest gap between neighbours (0 if there are none) in the sorted list of integers | gap
                | max((b - a for a, b in zip(found, found[1:])), default=0)
                | max(map(lambda a, b: b - a, found, found[1:]), default=0)
        """),
    }
    templates = (
        "Write a function that takes two positive integers low and high and returns {outcome} {bounds} that {first} "
        "and {second}.",
        "Given positive integers low and high, look for numbers {bounds} that {second} and also {first}. Write a "
        "function to return {outcome} found this way.",
        "Write a python function to search {bounds} for integers which meet two conditions: they {first}, and they "
        "{second}. The result is {outcome} that qualify.",
        "Two conditions are put on integers: they {first}; moreover they {second}. Write a function whose arguments "
        "are low and high and whose value is {outcome} {bounds} that satisfy both.",
    )
    function = "${outcome_slug}_of_${first_slug}_${second_slug}"
    styles = five(
        loop="""
            def $name(low, high):
                found = []
                x = $bounds_low
                while x <= $bounds_high:
                    if $first and $second:
                        found.append(x)
                    x += 1
                return $outcome
        """,
        comprehension="""
            def $name(low, high):
                found = [x for x in range($bounds_low, $bounds_high + 1) if $first and $second]
                return $outcome
        """,
        recursion="""
            def $name(low, high):
                def search(start, stop):
                    if start > stop:
                        return []
                    if start == stop:
                        x = start
                        return [x] if $first and $second else []
                    middle = (start + stop) // 2
                    return search(start, middle) + search(middle + 1, stop)

                found = search($bounds_low, $bounds_high)
                return $outcome
        """,
        functional="""
            def $name(low, high):
                candidates = range($bounds_low, $bounds_high + 1)
                found = list(filter(lambda x: $second, filter(lambda x: $first, candidates)))
                return $outcome_other
        """,
        library="""
            def $name(low, high):
                upwards = itertools.takewhile(lambda x: x <= $bounds_high, itertools.count($bounds_low))
                found = list(itertools.filterfalse(lambda x: not ($first and $second), upwards))
                return $outcome_other
        """,
    )
    explanation = (
        "Go through the integers $bounds.\n"
        "Keep those that $first and that $second.\n"
        "The result asked for is $outcome that were kept."
    )

    def inputs(self, facts: Facts, rng: Random) -> tuple[Any, ...]:
        own = self._reference({**facts, "outcome": "an ascending list of the integers"})
        low = rng.randint(1, 100)
        found = own(low, low + 150)[: rng.randint(3, 8)]
        if len(found) < 3:
            return low, low + rng.randint(20, 150)
        return rng.choice([low, found[0], max(found[0] - 1, 1)]), found[-1] + rng.randint(0, 1)


class BaseDigits(CodeFamily):
    """Write a number in another base, tamper with the digits, read the result."""

    name = "base_digits"
    slots: ClassVar = {
        "base": PartTable("""
            phrase | code
            {2 3 4 5 6 7 8 9 11 12 16 20} | {0}
        """),
        "twist": PartTable("""
            phrase | slug | code
            reverses the order of the digits | reversed | digits[::-1]
            replaces each digit by its difference from the largest digit of that base | complement
                | [b - 1 - d for d in digits]
            moves the leading digit to the end | rotated_left | digits[1:] + digits[:1]
            moves the last digit to the front | rotated_right | digits[-1:] + digits[:-1]
            sorts the digits in ascending order | ascending | sorted(digits)
            sorts the digits in descending order | descending | sorted(digits, reverse=True)
            drops all zeros among the digits | nonzero | [d for d in digits if d]
            drops the leading digit | headless | digits[1:]
            drops the last digit | tailless | digits[:-1]
            drops the last two digits | shortened | digits[:-2]
            puts a zero behind the digits | padded | digits + [0]
            puts two zeros between the leading digit and the rest | stretched | digits[:1] + [0, 0] + digits[1:]
            writes the digits twice in a row | doubled | digits * 2
            appends the digits in reverse order | mirrored | digits + digits[::-1]
            keeps every second digit, beginning with the leading one | every_second | digits[::2]
            drops repeated digits except for the first of each kind | distinct | list(dict.fromkeys(digits))
        """),
        "outcome": PartTable("""
            phrase | slug | code | other
            reads the outcome as a number in base {20 21 24 25 30 32} | value_in_{0}
                | sum(d * {0} ** i for i, d in enumerate(reversed(changed)))
                | functools.reduce(lambda a, d: a * {0} + d, changed, 0)
            returns the list of digits | list | changed | changed
            returns the digits as a tuple | tuple | tuple(changed) | (*changed,)
            returns the digits, written in decimal, joined by '{. - : /}' | joined
                | "{0}".join(str(d) for d in changed) | "{0}".join(map(str, changed))
            returns the sum of the digits | sum | sum(changed) | functools.reduce(lambda a, d: a + d, changed, 0)
            returns how many digits are odd | odd_count | sum(d % 2 for d in changed)
                | len(list(filter(lambda d: d % 2 == 1, changed)))
            returns how often the next digit is larger | rises | sum(a < b for a, b in zip(changed, changed[1:]))
                | sum(map(lambda a, b: a < b, changed, changed[1:]))
            returns the largest sum of two neighbouring digits (0 if there are no two) | best_pair
                | max((a + b for a, b in zip(changed, changed[1:])), default=0)
                | max(map(lambda a, b: a + b, changed, changed[1:]), default=0)
            returns the digits' sum, each multiplied by its position counted from {0 1} | weighted_from_{0}
                | sum(i * d for i, d in enumerate(changed, {0}))
                | sum(map(lambda i, d: i * d, range({0}, len(changed) + {0}), changed))
        """),
    }
    templates = (
        "Write a function that expresses a positive integer in base {base}, {twist} and {outcome}.",
        "Write a python function which finds the base {base} digits of a positive integer (most significant digit "
        "first), then {twist} and finally {outcome}.",
        "A positive integer is converted to base {base}. Write a function that takes the integer, {twist} and "
        "{outcome}.",
        "Implement a function with one positive integer as its argument. It works with the digits of the integer in "
        "base {base}, from the most significant on: it {twist} and {outcome}.",
    )
    function = "base_${base}_${twist_slug}_${outcome_slug}"
    styles = five(
        loop="""
            def $name(number):
                b = $base
                digits = []
                while number > 0:
                    digits.insert(0, number % b)
                    number //= b
                changed = $twist
                return $outcome
        """,
        comprehension="""
            def $name(number):
                b = $base
                powers = [b ** i for i in range(number.bit_length()) if b ** i <= number]
                digits = [number // power % b for power in reversed(powers)]
                changed = $twist
                return $outcome
        """,
        recursion="""
            def $name(number):
                b = $base

                def convert(n):
                    return convert(n // b) + [n % b] if n else []

                digits = convert(number)
                changed = $twist
                return $outcome
        """,
        functional="""
            def $name(number):
                b = $base
                peel = lambda state, _: (state[0] // b, [state[0] % b] + state[1]) if state[0] else state
                _, digits = functools.reduce(peel, range(number.bit_length()), (number, []))
                changed = $twist
                return $outcome_other
        """,
        library="""
            def $name(number):
                b = $base
                quotients = itertools.accumulate(itertools.repeat(b), operator.floordiv, initial=number)
                digits = [q % b for q in itertools.takewhile(bool, quotients)][::-1]
                changed = $twist
                return $outcome_other
        """,
    )
    explanation = (
        "Divide by $base again and again; the remainders, read backwards, are the digits in base $base.\n"
        "The function then $twist, and at last $outcome."
    )

    def inputs(self, facts: Facts, rng: Random) -> tuple[Any, ...]:
        base = int(facts["base"])
        digits = [rng.randint(1, base - 1)] + [rng.choice([0, rng.randrange(base)]) for _ in range(rng.randint(2, 5))]
        return (sum(d * base**i for i, d in enumerate(reversed(digits))),)


class Recurrence(CodeFamily):
    """The first terms of a sequence that is defined by its two predecessors."""

    name = "recurrence"
    slots: ClassVar = {
        "start": PartTable("""
            phrase | slug | code
            {0 1 2 3 4 5} and {1 2 3 4 6 7} | from_{0}_{1} | [{0}, {1}]
        """),
        "rule": PartTable("""
            phrase | code
            {2 3} times the previous term plus the term before it | {0} * b + a
            the previous term plus {2 3 4} times the term before it | b + {0} * a
            {2 3} times the previous term minus the term before it | {0} * b - a
            the sum of the two previous terms plus {1 2 3 5} | a + b + {0}
            the sum of the two previous terms, reduced modulo {11 13 17 19 23} | (a + b) % {0}
            the product of the two previous terms plus {1 2 3}, reduced modulo {13 17 19 29} | (a * b + {0}) % {1}
            the previous term minus the term before it plus {2 3 4} | b - a + {0}
            the sum of the two previous terms plus its own position in the sequence | a + b + i
            the larger of the two previous terms plus {2 3 4} | max(a, b) + {0}
            {3 4 5} times the previous term plus the term before it, reduced modulo {17 19 23} | ({0} * b + a) % {1}
            half of the previous term, rounded down, plus {5 6 7} times the term before it | b // 2 + {0} * a
        """),
        "outcome": PartTable("""
            phrase | slug | code | other
            the n-th term | term | terms[-1] | terms[n - 1]
            the list of the first n terms | list | terms | terms
            the first n terms in reverse order | reversed | terms[::-1] | list(reversed(terms))
            the sum of the first n terms | sum | sum(terms) | functools.reduce(lambda x, y: x + y, terms)
            the largest of the first n terms | largest | max(terms) | sorted(terms)[-1]
            how many of the first n terms are divisible by {2 3 4 5} | divisible_by_{0}
                | sum(t % {0} == 0 for t in terms) | len(list(filter(lambda t: t % {0} == 0, terms)))
            the list of those among the first n terms that are odd | odd | [t for t in terms if t % 2 == 1]
                | list(filter(lambda t: t % 2 == 1, terms))
            the list of those among the first n terms that are even | even | [t for t in terms if t % 2 == 0]
                | list(filter(lambda t: t % 2 == 0, terms))
            the first n terms as a list of remainders modulo {3 4 6 7} | modulo_{0} | [t % {0} for t in terms]
                | list(map(lambda t: t % {0}, terms))
            the sum of every second one of the first n terms, beginning with the first | skipping_sum
                | sum(terms[::2]) | sum(terms[i] for i in range(0, n, 2))
            the list of the sums of the first one, two, three, ..., n terms | running_sums
                | [sum(terms[:i]) for i in range(1, n + 1)] | list(itertools.accumulate(terms))
        """),
    }
    templates = (
        "A sequence begins with the terms {start}; each later term is {rule}. Write a function that takes n (at least "
        "2) and returns {outcome}.",
        "The first two terms of a sequence are {start}, and every further term is {rule}. Write a function to compute "
        "{outcome} for an argument n that is 2 or more.",
        "Write a python function that is given an integer n of at least 2. It builds the sequence starting with "
        "{start} in which every term from the third on equals {rule}, and returns {outcome}.",
        "Starting from {start}, a sequence goes on by this rule: a new term is {rule}. For a given n, not less than "
        "2, write a function to find {outcome}.",
    )
    function = "${outcome_slug}_of_sequence_${start_slug}"
    styles = five(
        loop="""
            def $name(n):
                terms = $start
                for i in range(3, n + 1):
                    a, b = terms[-2], terms[-1]
                    terms.append($rule)
                return $outcome
        """,
        comprehension="""
            def $name(n):
                def following(i, a, b):
                    return $rule

                pair = $start
                terms = pair + [(pair := [pair[1], following(i, *pair)])[1] for i in range(3, n + 1)]
                return $outcome
        """,
        recursion="""
            def $name(n):
                def extend(terms):
                    if len(terms) == n:
                        return terms
                    i = len(terms) + 1
                    a, b = terms[-2:]
                    return extend(terms + [$rule])

                terms = extend($start)
                return $outcome
        """,
        functional="""
            def $name(n):
                following = lambda i, a, b: $rule
                grow = lambda terms, i: terms + [following(i, *terms[-2:])]
                terms = functools.reduce(grow, range(3, n + 1), $start)
                return $outcome_other
        """,
        library="""
            def $name(n):
                def generate():
                    a, b = $start
                    yield from (a, b)
                    for i in itertools.count(3):
                        a, b = b, $rule
                        yield b

                terms = list(itertools.islice(generate(), n))
                return $outcome_other
        """,
    )
    explanation = (
        "Start a list with $start and append terms until there are n of them; a new term is $rule.\n"
        "From this list return $outcome."
    )

    def inputs(self, facts: Facts, rng: Random) -> tuple[Any, ...]:
        return (rng.randint(3, 12),)
