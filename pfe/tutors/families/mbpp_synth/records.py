"""Records, groups and dates.

Example: "Write a function that sorts a list of (ship, length, crew) tuples by the third entry in descending order.
Where that is equal, the order follows the names from A to Z. It returns a list of
the names in the first 2 tuples in this order. ..."
with
`assert ship_names_of_first_2_by_third_down([("Ivy", 40, 9), ("Otter", 35, 12), ("Sea", 50, 9)]) == ["Otter", "Ivy"]`.
"""

from datetime import date, timedelta
from random import Random
from typing import Any, ClassVar

from pfe.tutors.families.mbpp_synth.programs import CodeFamily, PartTable, five
from pfe.tutors.families.mbpp_synth.texts import WORDS
from pfe.tutors.family import Facts


class Ranking(CodeFamily):
    """Records in an order with two keys, some of them, one thing about each."""

    name = "ranking"
    slots: ClassVar = {
        "record": PartTable("""
            phrase | slug
            (product, price, stock) | product
            (book, pages, year) | book
            (city, inhabitants, altitude) | city
            (player, goals, matches) | player
            (song, seconds, plays) | song
            (course, credits, students) | course
            (ship, length, crew) | ship
            (lake, depth, area) | lake
            (recipe, minutes, servings) | recipe
            (tree, height, age) | tree
            (hotel, rooms, stars) | hotel
            (bridge, span, lanes) | bridge
        """),
        "key": PartTable("""
            phrase | slug | code
            the second entry | second | r[1]
            the third entry | third | r[2]
            the length of the name | name_length | len(r[0])
            the sum of the two numbers | sum | (r[1] + r[2])
            the product of the two numbers | product | (r[1] * r[2])
            the larger of the two numbers | larger | max(r[1], r[2])
            the smaller of the two numbers | smaller | min(r[1], r[2])
            the difference of the two numbers | difference | abs(r[1] - r[2])
            the last digit of the second entry | last_digit | (r[1] % 10)
            the remainder of the third entry modulo {3 4 5 7} | third_modulo_{0} | (r[2] % {0})
        """),
        "direction": PartTable("""
            phrase | slug | code | down
            in ascending order | up | + | False
            in descending order | down | - | True
        """),
        "tie": PartTable("""
            phrase | code
            the names from A to Z | r[0]
            the second entry, larger ones first | -r[1]
            the third entry, smaller ones first | r[2]
            the last letters of the names from a to z | r[0][-1]
        """),
        "take": PartTable("""
            phrase | slug | code
            the first {2 3 4} tuples | first_{0} | ordered[:{0}]
            the last {2 3 4} tuples | last_{0} | ordered[-{0}:]
            the tuples from the second on | later | ordered[1:]
            the tuples between the first and the last | middle | ordered[1:-1]
            every second tuple, beginning with the first, | every_second | ordered[::2]
        """),
        "outcome": PartTable("""
            phrase | slug | code | other
            a list of the names in | names | [r[0] for r in taken] | list(map(operator.itemgetter(0), taken))
            the sum of the second entries in | second_sum | sum(r[1] for r in taken)
                | sum(map(operator.itemgetter(1), taken))
            the sum of the third entries in | third_sum | sum(r[2] for r in taken)
                | sum(map(operator.itemgetter(2), taken))
            a list of the second entries in | seconds | [r[1] for r in taken] | list(map(lambda r: r[1], taken))
            a list of (third entry, name) tuples for | pairs | [(r[2], r[0]) for r in taken]
                | list(map(operator.itemgetter(2, 0), taken))
            a dictionary from name to second entry for | dictionary | {r[0]: r[1] for r in taken}
                | dict(map(operator.itemgetter(0, 1), taken))
            the joined initials of the names in | initials | "".join(r[0][0] for r in taken)
                | functools.reduce(lambda text, r: text + r[0][0], taken, "")
            a list of | records | taken | taken
        """),
    }
    templates = (
        "Write a function that sorts a list of {record} tuples by {key} {direction}. Where that is equal, the order "
        "follows {tie}. It returns {outcome} {take} in this order. A tuple is a name and two numbers.",
        "A list holds {record} tuples, which are a name and two numbers. Write a python function to arrange them "
        "{direction} of {key}, with ties settled by {tie}, and to return {outcome} {take} in that arrangement.",
        "Given {record} tuples (a name followed by two integers), order them by {key} {direction} and, among equals, "
        "by {tie}. Write a function whose result is {outcome} {take} of this order.",
    )
    function = "${record_slug}_${outcome_slug}_of_${take_slug}_by_${key_slug}_${direction_slug}"
    styles = five(
        loop="""
            def $name(records):
                def key(r):
                    return ($signed, $tie)

                ordered = []
                for r in records:
                    place = 0
                    while place < len(ordered) and key(ordered[place]) <= key(r):
                        place += 1
                    ordered.insert(place, r)
                taken = $take
                return $outcome
        """,
        comprehension="""
            def $name(records):
                keys = [($signed, $tie) for r in records]
                ranks = [sum(other < key for other in keys) for key in keys]
                ordered = [r for rank in range(len(records)) for r, own in zip(records, ranks) if own == rank]
                taken = $take
                return $outcome
        """,
        recursion="""
            def $name(records):
                def key(r):
                    return ($signed, $tie)

                def arrange(rest):
                    if not rest:
                        return []
                    pivot, others = rest[0], rest[1:]
                    before = [r for r in others if key(r) < key(pivot)]
                    after = [r for r in others if key(r) >= key(pivot)]
                    return arrange(before) + [pivot] + arrange(after)

                ordered = arrange(records)
                taken = $take
                return $outcome
        """,
        functional="""
            def $name(records):
                ordered = sorted(records, key=lambda r: ($signed, $tie))
                taken = $take
                return $outcome_other
        """,
        library="""
            def $name(records):
                heap = [($signed, $tie, place) for place, r in enumerate(records)]
                heapq.heapify(heap)
                ordered = [records[heapq.heappop(heap)[-1]] for _ in records]
                taken = $take
                return $outcome_other
        """,
    )
    explanation = (
        "Sort the tuples by a pair of keys: first $key ($direction), then $tie.\n"
        "A key that runs downwards is made negative, so that one ascending sort does everything.\n"
        "Return $outcome $take."
    )

    def cells(self, facts: Facts) -> dict[str, str]:
        cells = super().cells(facts)
        return cells | {"signed": ("-" if cells["direction"] == "-" else "") + cells["key"]}

    def sound(self, facts: Facts) -> bool:
        """A tie is not settled by what is equal already."""
        return facts["key"].removeprefix("the ").split(",")[0] not in facts["tie"]

    def inputs(self, facts: Facts, rng: Random) -> tuple[Any, ...]:
        cells = self.cells(facts)
        key = eval(f"lambda r: ({cells['key']}, {cells['tie']})")
        while True:
            few, several = (rng.sample(range(2, 60), rng.randint(4, 7)) for _ in range(2))
            names = [word.capitalize() for word in rng.sample(WORDS, rng.randint(5, 7))]
            records = [(name, rng.choice(few), rng.choice(several)) for name in names]
            if len({key(record) for record in records}) == len(records):
                return (records,)


class Grouping(CodeFamily):
    """Words put into groups, and something said about each group."""

    name = "grouping"
    slots: ClassVar = {
        "pick": PartTable("""
            phrase | slug | code
            have more than {3 4 5} letters | longer_than_{0} | len(w) > {0}
            have fewer than {6 7 8} letters | shorter_than_{0} | len(w) < {0}
            have an even number of letters | of_even_length | len(w) % 2 == 0
            have an odd number of letters | of_odd_length | len(w) % 2 == 1
            start with a consonant | starting_with_consonant | w[0] not in "aeiou"
            end with a consonant | ending_with_consonant | w[-1] not in "aeiou"
            contain the letter '{a e l n o r}' | with_{0} | "{0}" in w
            lack the letter '{a e i l o t u}' | without_{0} | "{0}" not in w
            contain some letter twice | with_repeated_letter | len(set(w)) < len(w)
            contain no letter twice | without_repeated_letter | len(set(w)) == len(w)
        """),
        "key": PartTable("""
            phrase | slug | code
            first letter | first_letter | w[0]
            last letter | last_letter | w[-1]
            second letter | second_letter | w[1]
            number of letters | length | len(w)
            number of vowels | vowel_count | sum(c in "aeiou" for c in w)
            number of different letters | variety | len(set(w))
            alphabetically smallest letter | least_letter | min(w)
            alphabetically largest letter | greatest_letter | max(w)
        """),
        "value": PartTable("""
            phrase | slug | code | other
            the number of its words | counts | len(words) | sum(1 for _ in words)
            the list of its words in alphabetical order | sorted_words | sorted(words)
                | sorted(words, reverse=True)[::-1]
            the list of its words in the given order | words | words | words
            its longest word (the first one if several are equally long) | longest_words | max(words, key=len)
                | sorted(words, key=len, reverse=True)[0]
            its shortest word (the first one if several are equally short) | shortest_words | min(words, key=len)
                | sorted(words, key=len)[0]
            its alphabetically last word | last_words | max(words) | sorted(words)[-1]
            the total number of letters in its words | letter_totals | sum(len(w) for w in words) | len("".join(words))
            its words joined by '{+ - /}' in the given order | joined_words | "{0}".join(words)
                | functools.reduce(lambda a, b: a + "{0}" + b, words)
            the initials of its words as a string in the given order | initials | "".join(w[0] for w in words)
                | "".join(map(operator.itemgetter(0), words))
        """),
        "size": PartTable("""
            phrase | slug | code
            every group of an odd number of words | odd | len(words) % 2 == 1
            every group of at least two words | shared | len(words) >= 2
            every group of a single word | single | len(words) == 1
            every group of at most two words | small | len(words) <= 2
        """),
        "outcome": PartTable("""
            phrase | slug | code | other
            a dictionary | dictionary | table | table
            a list of (key, value) tuples in ascending order of the keys | pairs | sorted(table.items())
                | sorted(table.items(), key=lambda p: p[0])
            a list of (key, value) tuples in descending order of the keys | falling_pairs
                | sorted(table.items(), reverse=True) | sorted(table.items())[::-1]
        """),
    }
    templates = (
        "Write a function that takes a list of lowercase words and groups those that {pick} by their {key}. For "
        "{size} it gives {value}; the result is {outcome}.",
        "Write a python function to sort words into groups, where words with the same {key} belong together and only "
        "words that {pick} are used. Return {outcome} that has, for {size}, the common property as key and {value} as "
        "value.",
        "From a list of lowercase words take the ones that {pick} and put them into groups by {key}. Write a function "
        "which looks at {size} and returns {outcome}, where a key is what the words share and the value for a group is "
        "{value}.",
    )
    function = "${size_slug}_${key_slug}_groups_${value_slug}_${outcome_slug}"
    styles = five(
        loop="""
            def $name(given):
                groups = {}
                for w in given:
                    if $pick:
                        key = $key
                        if key not in groups:
                            groups[key] = []
                        groups[key].append(w)
                table = {}
                for key, words in groups.items():
                    if $size:
                        table[key] = $value
                return $outcome
        """,
        comprehension="""
            def $name(given):
                keyed = [($key, w) for w in given if $pick]
                groups = {key: [w for other, w in keyed if other == key] for key, _ in keyed}
                table = {key: $value for key, words in groups.items() if $size}
                return $outcome
        """,
        recursion="""
            def $name(given):
                def group(rest):
                    if not rest:
                        return {}
                    groups = group(rest[:-1])
                    w = rest[-1]
                    if $pick:
                        groups.setdefault($key, []).append(w)
                    return groups

                table = {key: $value for key, words in group(given).items() if $size}
                return $outcome
        """,
        functional="""
            def $name(given):
                put = lambda groups, key, w: {**groups, key: groups.get(key, []) + [w]}
                chosen = filter(lambda w: $pick, given)
                groups = functools.reduce(lambda groups, w: put(groups, $key, w), chosen, {})
                kept = filter(lambda p: (lambda words: $size)(p[1]), groups.items())
                table = dict(map(lambda p: (p[0], (lambda words: $value_other)(p[1])), kept))
                return $outcome_other
        """,
        library="""
            def $name(given):
                ordered = sorted((w for w in given if $pick), key=lambda w: $key)
                table = collections.OrderedDict()
                for key, group in itertools.groupby(ordered, lambda w: $key):
                    words = list(group)
                    if $size:
                        table[key] = $value_other
                return $outcome_other
        """,
    )
    explanation = (
        "Take only the words that $pick and collect them in a dictionary of lists, under their $key.\n"
        "For $size put down $value.\nReturn $outcome."
    )

    def inputs(self, facts: Facts, rng: Random) -> tuple[Any, ...]:
        code = self.slots["key"].parts[facts["key"]]["code"]
        some = rng.sample(WORDS, 60)
        keys = [eval(code, {"w": word}) for word in some]
        common = rng.sample(sorted(set(keys)), min(3, len(set(keys))))
        near = [word for word, key in zip(some, keys, strict=True) if key in common][:7]
        words = near + [word for word in some if word not in near][: rng.randint(1, 3)]
        rng.shuffle(words)
        return (words,)


class Dates(CodeFamily):
    """Find a weekday before or after a date, on a day that fulfils a condition."""

    name = "dates"
    slots: ClassVar = {
        "form": PartTable("""
            phrase | slug | code
            YYYY-MM-DD | iso | %Y-%m-%d
            DD/MM/YYYY | slashed | %d/%m/%Y
            DD.MM.YYYY | dotted | %d.%m.%Y
            MM-DD-YYYY | month_first | %m-%d-%Y
            YYYYMMDD | compact | %Y%m%d
        """),
        "rank": PartTable("""
            phrase | code | index
            first | 1 | 0
            second | 2 | 1
            third | 3 | 2
            fourth | 4 | 3
            fifth | 5 | 4
        """),
        "weekday": PartTable("""
            phrase | slug | code
            Monday | monday | 0
            Tuesday | tuesday | 1
            Wednesday | wednesday | 2
            Thursday | thursday | 3
            Friday | friday | 4
            Saturday | saturday | 5
            Sunday | sunday | 6
        """),
        "relation": PartTable("""
            phrase | slug | code | least
            after | after | + | 1
            before | before | - | 1
            on or after | from | + | 0
            on or before | until | - | 0
        """),
        "pick": PartTable("""
            phrase | slug | code
            an even number | even | day.day % 2 == 0
            an odd number | odd | day.day % 2 == 1
            greater than {10 15 20} | above_{0} | day.day > {0}
            less than {8 12 16} | below_{0} | day.day < {0}
            divisible by {3 4} | by_{0} | day.day % {0} == 0
            not divisible by {3 5} | not_by_{0} | day.day % {0} != 0
            between {5 8} and {18 24} | {0}_to_{1} | {0} <= day.day <= {1}
        """),
        "outcome": PartTable("""
            phrase | slug | code | other
            as a string YYYY-MM-DD | date | day.isoformat() | day.strftime("%Y-%m-%d")
            as a string DD.MM.YYYY | german_date | f"{day.day:02d}.{day.month:02d}.{day.year}"
                | day.strftime("%d.%m.%Y")
            as a tuple (year, month, day) | tuple | (day.year, day.month, day.day) | day.timetuple()[:3]
            as the number of days between the two dates | distance | abs((day - start).days)
                | abs(day.toordinal() - start.toordinal())
            as a string MM/DD | month_day | f"{day.month:02d}/{day.day:02d}" | day.strftime("%m/%d")
            as the number of the day in its year (1 for January 1) | year_day
                | (day - datetime.date(day.year, 1, 1)).days + 1 | day.timetuple().tm_yday
        """),
    }
    templates = (
        "Write a function that takes a date as a string {form} and finds the {rank} {weekday} {relation} it whose day "
        "of the month is {pick}. The result is returned {outcome}.",
        "Write a python function for a date given in the form {form}. It looks for {weekday}s {relation} this date "
        "whose day of the month is {pick}, counting away from the date, and returns the {rank} of them {outcome}.",
        "A string holds a date written {form}. Among the {weekday}s {relation} this date take those whose day of the "
        "month is {pick} and find the {rank} one, the nearest being the first. Write a function to return it "
        "{outcome}.",
    )
    function = "${rank_phrase}_${pick_slug}_${weekday_slug}_${relation_slug}_${form_slug}_${outcome_slug}"
    styles = five(
        loop="""
            def $name(text):
                start = datetime.datetime.strptime(text, "$form").date()
                day = $first
                left = $rank
                while True:
                    if day.weekday() == $weekday and $pick:
                        left -= 1
                        if left == 0:
                            return $outcome
                    day $relation= datetime.timedelta(1)
        """,
        comprehension="""
            def $name(text):
                start = datetime.datetime.strptime(text, "$form").date()
                days = [start $relation datetime.timedelta(i) for i in range($relation_least, 400)]
                day = [day for day in days if day.weekday() == $weekday and $pick][$rank_index]
                return $outcome
        """,
        recursion="""
            def $name(text):
                start = datetime.datetime.strptime(text, "$form").date()

                def seek(day, left):
                    fits = day.weekday() == $weekday and $pick
                    if fits and left == 1:
                        return day
                    return seek(day $relation datetime.timedelta(1), left - fits)

                day = seek($first, $rank)
                return $outcome
        """,
        functional="""
            def $name(text):
                start = datetime.datetime.strptime(text, "$form").date()
                days = map(lambda i: start $relation datetime.timedelta(i), range($relation_least, 400))
                right = filter(lambda day: $pick, filter(lambda day: day.weekday() == $weekday, days))
                day = list(right)[$rank_index]
                return $outcome_other
        """,
        library="""
            def $name(text):
                start = datetime.datetime.strptime(text, "$form").date()
                nearest = ($nearest) % 7
                weeks = itertools.count(nearest$skip, 7)
                days = (start $relation datetime.timedelta(i) for i in weeks)
                day = next(itertools.islice((day for day in days if $pick), $rank_index, None))
                return $outcome_other
        """,
    )
    explanation = (
        "Read the date from the string ($form) and go through the days $relation it one by one.\n"
        "Count every $weekday whose day of the month is $pick; the $rank one is wanted.\n"
        "Return it $outcome."
    )

    def cells(self, facts: Facts) -> dict[str, str]:
        cells = super().cells(facts)
        strict, sign = cells["relation_least"] == "1", cells["relation"]
        ends = ("start.weekday()", cells["weekday"]) if sign == "-" else (cells["weekday"], "start.weekday()")
        return cells | {
            "first": f"start {sign} datetime.timedelta(1)" if strict else "start",
            "nearest": " - ".join(ends),
            "skip": " or 7" if strict else "",
        }

    def inputs(self, facts: Facts, rng: Random) -> tuple[Any, ...]:
        weekday = int(self.slots["weekday"].parts[facts["weekday"]]["code"])
        day = date(rng.randint(1995, 2035), 1, 1) + timedelta(rng.randrange(365))
        if rng.random() < 0.5:
            day += timedelta((weekday - day.weekday()) % 7)
        return (day.strftime(self.slots["form"].parts[facts["form"]]["code"]),)
