"""Strings: words of a sentence, runs of characters, columns.

Example: "Write a function that takes a sentence, reverses every word that has more than 4 letters, keeps the other
words as they are and joins everything with single spaces." with
`assert reverse_words_longer_than_4_keeping_others_spaced("a small cat climbed up") == "a llams cat debmilc up"`.
"""

import re
from random import Random
from typing import Any, ClassVar

from pfe.tutors.families.mbpp_synth.programs import CodeFamily, PartTable, five
from pfe.tutors.family import Facts

_WORDS = """
    amber anchor apple arrow autumn basket beetle bell bottle bridge butter cabin candle canoe carpet castle cedar
    cherry circle clover cocoa copper corner cotton cradle dinner dragon eagle echo ember engine fabric feather ferry
    fiddle forest fox garden ginger glass goose harbor hazel hello hill honey indigo island ivory jacket jelly
    kettle kitten ladder lantern lemon level lily lizard maple market meadow mirror moon moss needle nest noodle oak
    ocean olive onion otter oven paddle paper pebble pepper piano pillow plum pocket pond poppy puddle quilt rabbit
    raven ribbon river rocket saddle salmon sea shadow silver sofa spoon summer sun teapot tin toffee tulip umbrella
    uncle valley velvet violet wagon walnut wheel willow window wool yarn yellow zebra
"""
WORDS = _WORDS.split()


class WordEdit(CodeFamily):
    """Change the words of a sentence that have some property."""

    name = "word_edit"
    slots: ClassVar = {
        "pick": PartTable("""
            phrase | slug | code
            has more than {3 4 5 6} letters | longer_than_{0} | len(w) > {0}
            has fewer than {5 6 7} letters | shorter_than_{0} | len(w) < {0}
            has an even number of letters | of_even_length | len(w) % 2 == 0
            has an odd number of letters | of_odd_length | len(w) % 2 == 1
            starts with a vowel | starting_with_vowel | w[0] in "aeiou"
            ends with a vowel | ending_with_vowel | w[-1] in "aeiou"
            ends with a consonant | ending_with_consonant | w[-1] not in "aeiou"
            contains the letter '{a e i l n o r s t}' | with_{0} | "{0}" in w
            does not contain the letter '{a e i l o r t}' | without_{0} | "{0}" not in w
            contains some letter twice | with_repeated_letter | len(set(w)) < len(w)
            has exactly {2 3} vowels | with_{0}_vowels | sum(c in "aeiou" for c in w) == {0}
            comes in the alphabet before '{h m p}' | before_{0} | w < "{0}"
        """),
        "change": PartTable("""
            phrase | slug | code
            reverses | reverse | w[::-1]
            writes in capitals | capitalize | w.upper()
            removes the vowels from | strip_vowels_from | "".join(c for c in w if c not in "aeiou")
            removes the first letter of | behead | w[1:]
            removes the last letter of | curtail | w[:-1]
            writes twice in a row | double | w * 2
            moves the first letter to the end of | rotate | w[1:] + w[0]
            swaps the first and the last letter of | swap_ends_of | w[-1] + w[1:-1] + w[0]
            sorts the letters of | sort_letters_of | "".join(sorted(w))
            appends its length to | number | w + str(len(w))
            keeps only every second letter (beginning with the first) of | thin_out | w[::2]
            writes a '{* # + -}' for each letter of | mask | "{0}" * len(w)
            replaces the vowels by '{* # + -}' in | mask_vowels_of | "".join("{0}" if c in "aeiou" else c for c in w)
        """),
        "rest": PartTable("""
            phrase | slug | code
            keeps the other words as they are | keeping_others | [w]
            leaves the other words out | dropping_others | []
            cuts the other words down to their first {2 3} letters | cutting_others_to_{0} | [w[:{0}]]
            writes the other words with a capital first letter | titling_others | [w[0].upper() + w[1:]]
            puts round brackets around the other words | bracketing_others | ["(" + w + ")"]
            replaces each of the other words by its length | counting_others | [str(len(w))]
        """),
        "glue": PartTable("""
            phrase | slug | code
            joins everything with single spaces | spaced | " ".join(parts)
            joins everything with hyphens | hyphenated | "-".join(parts)
            joins everything without any separator | merged | "".join(parts)
            joins everything with single spaces in reverse order | backwards | " ".join(parts[::-1])
            returns the outcome as a list | listed | parts
        """),
    }
    templates = (
        "Write a function that takes a sentence, {change} every word that {pick}, {rest} and {glue}.",
        "Write a python function which splits a sentence of lowercase words at its spaces. For every word it checks "
        "whether it {pick}; if so, it {change} the word. It {rest} and {glue}.",
        "Given a string of lowercase words separated by spaces, write a function that {change} each word which {pick}. "
        "The function {rest} and finally {glue}.",
    )
    function = "${change_slug}_words_${pick_slug}_${rest_slug}_${glue_slug}"
    styles = five(
        loop="""
            def $name(sentence):
                parts = []
                for w in sentence.split():
                    if $pick:
                        parts.append($change)
                    else:
                        parts.extend($rest)
                return $glue
        """,
        comprehension="""
            def $name(sentence):
                parts = [part for w in sentence.split() for part in ([$change] if $pick else $rest)]
                return $glue
        """,
        recursion="""
            def $name(sentence):
                def edit(words):
                    if not words:
                        return []
                    w = words[0]
                    return ([$change] if $pick else $rest) + edit(words[1:])

                parts = edit(sentence.split())
                return $glue
        """,
        functional="""
            def $name(sentence):
                edit = lambda w: [$change] if $pick else $rest
                parts = functools.reduce(lambda done, w: done + edit(w), sentence.split(), [])
                return $glue
        """,
        library="""
            def $name(sentence):
                words = re.findall("[a-z]+", sentence)
                edited = ([$change] if $pick else $rest for w in words)
                parts = list(itertools.chain.from_iterable(edited))
                return $glue
        """,
    )
    explanation = (
        "Split the sentence at its spaces and look at one word after the other.\n"
        "Where the word $pick, the function $change it; it $rest.\n"
        "At the end it $glue."
    )

    def inputs(self, facts: Facts, rng: Random) -> tuple[Any, ...]:
        return (" ".join(rng.sample(WORDS, rng.randint(4, 7))),)


class RunLength(CodeFamily):
    """Run-length coding with its own idea of a piece."""

    name = "run_length"
    slots: ClassVar = {
        "text": PartTable("""
            phrase | slug | code
            a string of lowercase letters | string | text
            the reverse of a string of lowercase letters | reverse | text[::-1]
            the sorted letters of a string | sorted | "".join(sorted(text))
        """),
        "form": PartTable("""
            phrase | slug | code
            the character followed by the length | char_count | c + str(n)
            the length followed by the character | count_char | str(n) + c
            the character, a colon and the length | char_colon_count | c + ":" + str(n)
            the length, a star and the character | count_star_char | str(n) + "*" + c
            the character and the length in round brackets | char_bracketed_count | c + "(" + str(n) + ")"
            the capital character followed by the length | capital_count | c.upper() + str(n)
            the character followed by the length minus one | char_extra | c + str(n - 1)
            the character written twice | pair | c * 2
        """),
        "least": PartTable("""
            phrase | code
            {2 3 4} | {0}
        """),
        "short": PartTable("""
            phrase | slug | code
            are copied unchanged | plain | c * n
            become an empty string | dropped | ""
            are reduced to a single character | single | c
            become a dash | dashed | "-"
            become a dot for each character | dotted | "." * n
            are written in capitals | capital | c.upper() * n
        """),
        "outcome": PartTable("""
            phrase | slug | code | other
            joined to one string | string | "".join(pieces) | functools.reduce(lambda a, b: a + b, pieces, "")
            joined to one string, last piece first | backwards | "".join(pieces[::-1]) | "".join(reversed(pieces))
            joined by '{, / _}' | joined | "{0}".join(pieces) | functools.reduce(lambda a, b: a + "{0}" + b, pieces)
            as a list | list | pieces | pieces
            as a list, last piece first | reversed_list | pieces[::-1] | list(reversed(pieces))
            as a list in alphabetical order | sorted_list | sorted(pieces) | sorted(pieces, reverse=True)[::-1]
            as a list without repetitions | distinct_list | [p for i, p in enumerate(pieces) if p not in pieces[:i]]
                | list(dict.fromkeys(pieces))
            as a tuple | tuple | tuple(pieces) | (*pieces,)
        """),
    }
    templates = (
        "Write a function that run-length encodes {text}: a run of {least} or more equal characters becomes {form} of "
        "the run, and shorter runs {short}. The pieces are returned {outcome}.",
        "Write a python function to compress {text}. It divides it into runs of equal characters; runs of fewer than "
        "{least} characters {short}, and every other run is turned into {form}. The function gives back the pieces "
        "{outcome}.",
        "Equal neighbouring characters form a run. Write a function which finds the runs in {text}, where runs with a "
        "length below {least} {short} while a longer one is replaced by {form}, and returns what it gets {outcome}.",
    )
    function = "${outcome_slug}_of_${text_slug}_runs_${form_slug}_or_${short_slug}_below_${least}"
    styles = five(
        loop="""
            def $name(text):
                text = $text
                pieces = []
                start = 0
                for i in range(1, len(text) + 1):
                    if i == len(text) or text[i] != text[start]:
                        c, n = text[start], i - start
                        pieces.append($form if n >= $least else $short)
                        start = i
                return $outcome
        """,
        comprehension="""
            def $name(text):
                text = $text
                cuts = [i for i in range(len(text) + 1) if i in (0, len(text)) or text[i] != text[i - 1]]
                runs = [(text[i], j - i) for i, j in zip(cuts, cuts[1:])]
                pieces = [$form if n >= $least else $short for c, n in runs]
                return $outcome
        """,
        recursion="""
            def $name(text):
                text = $text

                def encode(rest):
                    if not rest:
                        return []
                    c = rest[0]
                    n = len(rest) - len(rest.lstrip(c))
                    return [$form if n >= $least else $short] + encode(rest[n:])

                pieces = encode(text)
                return $outcome
        """,
        functional="""
            def $name(text):
                text = $text

                def extend(runs, c):
                    if runs and runs[-1][0] == c:
                        return runs[:-1] + [(c, runs[-1][1] + 1)]
                    return runs + [(c, 1)]

                write = lambda c, n: $form if n >= $least else $short
                pieces = list(map(lambda run: write(*run), functools.reduce(extend, text, [])))
                return $outcome_other
        """,
        library="""
            def $name(text):
                text = $text
                runs = [(c, len(list(run))) for c, run in itertools.groupby(text)]
                pieces = [$form if n >= $least else $short for c, n in runs]
                return $outcome_other
        """,
    )
    explanation = (
        "Divide $text into runs of equal characters and find the length of each.\n"
        "From a run of at least $least characters comes $form; shorter runs $short.\n"
        "Return the pieces $outcome."
    )

    def programs(self, facts: Facts) -> dict[str, str]:
        unchanged = re.compile(r" *text = text\n\n?")
        return {style: unchanged.sub("", program) for style, program in super().programs(facts).items()}

    def inputs(self, facts: Facts, rng: Random) -> tuple[Any, ...]:
        letters = rng.sample("abcdehkmnprstwxyz", 4)
        return ("".join(rng.choice(letters) * rng.choice([1, 1, 2, 3, 4, 5]) for _ in range(rng.randint(4, 7))),)


class Columns(CodeFamily):
    """Labels and numbers set in columns."""

    name = "columns"
    slots: ClassVar = {
        "label": PartTable("""
            phrase | slug | code | spec
            on the left of a field | left | text + fill * (width - len(text)) | <
            on the right of a field | right | fill * (width - len(text)) + text | >
        """),
        "width": PartTable("""
            phrase | code
            {5 6 7 8 9 10} | {0}
        """),
        "fill": PartTable("""
            phrase | slug | code
            dots | dots | .
            dashes | dashes | -
            underscores | underscores | _
            stars | stars | *
            equals signs | equals | =
        """),
        "number": PartTable("""
            phrase | slug | code | other
            with leading zeros to at least {3 4 5} digits | zeros_{0} | "0" * ({0} - len(str(number))) + str(number)
                | f"{number:0{0}d}"
            in angle brackets | angled | "<" + str(number) + ">" | f"<{number}>"
            as it is with a percent sign behind it | percent | str(number) + "%" | f"{number}%"
            with a plus sign in front | plus | "+" + str(number) | f"{number:+d}"
            in binary | binary | bin(number)[2:] | f"{number:b}"
            in lowercase hexadecimal | hex | hex(number)[2:] | f"{number:x}"
            as a quotient by {10 100} with one decimal (further ones are cut off) | over_{0}
                | str(number // {0}) + "." + str(number % {0} * 10 // {0})
                | "{}.{}".format(number // {0}, number * 10 // {0} % 10)
        """),
        "order": PartTable("""
            phrase | slug | code
            in the given order | as_given | rows
            in reverse order | reversed | rows[::-1]
            ordered by label | by_label | sorted(rows)
            ordered by number, smallest first | ascending | sorted(rows, key=lambda row: (row[1], row[0]))
            ordered by number, largest first | descending | sorted(rows, key=lambda row: (-row[1], row[0]))
        """),
        "outcome": PartTable("""
            phrase | slug | code
            as a list | list | lines
            joined by newline characters | page | "\\n".join(lines)
            joined by ' / ' | strip | " / ".join(lines)
            as a list with the line number (from 1) and a space before each line | numbered
                | [str(i) + " " + line for i, line in enumerate(lines, 1)]
        """),
    }
    templates = (
        "Write a function that turns a list of (label, number) tuples into lines of text. A label stands {label} "
        "{width} characters wide that is filled up with {fill}; longer labels are cut to this width. The number "
        "follows at once, written {number}. The lines are returned {order}, {outcome}.",
        "Write a python function to lay out a small table. For each (label, number) tuple, taken "
        "{order}, a line is made from two parts: first the label, at most {width} characters of it, {label} of that "
        "width which is padded with {fill}; then, without a gap, the number {number}. Return the lines {outcome}.",
        "Given (label, number) tuples, write a function which formats every tuple as one line: the number is written "
        "{number} and comes directly after the label. The label is shortened to {width} characters if it is "
        "longer, and otherwise put {label} of {width} characters padded with {fill}. Give back the lines {order} and "
        "{outcome}.",
    )
    function = "${label_slug}_${fill_slug}_${width}_${number_slug}_${order_slug}_${outcome_slug}"
    styles = five(
        loop="""
            def $name(rows):
                lines = []
                for label, number in $order:
                    text = label[:$width]
                    while len(text) < $width:
                        text = $grow
                    lines.append(text + $number)
                return $outcome
        """,
        comprehension="""
            def $name(rows):
                lines = [f"{label[:$width]:$fill$label_spec$width}" + $number_other for label, number in $order]
                return $outcome
        """,
        recursion="""
            def $name(rows):
                def pad(text):
                    return text if len(text) >= $width else pad($grow)

                def write(rest):
                    if not rest:
                        return []
                    label, number = rest[0]
                    return [pad(label[:$width]) + $number] + write(rest[1:])

                lines = write($order)
                return $outcome
        """,
        functional="""
            def $name(rows):
                width, fill = $width, "$fill"
                pad = lambda text: $label
                number_text = lambda number: $number
                lines = list(map(lambda row: pad(row[0][:width]) + number_text(row[1]), $order))
                return $outcome
        """,
        library="""
            def $name(rows):
                ordered = $order
                labels = [label[:$width].$adjust($width, "$fill") for label, _ in ordered]
                numbers = [$number_other for _, number in ordered]
                lines = list(itertools.starmap(operator.add, zip(labels, numbers)))
                return $outcome
        """,
    )
    explanation = (
        "Take the tuples $order.\n"
        "Cut each label to $width characters and fill it up with $fill, so that it stands $label.\n"
        "Behind the label comes the number, written $number. Return the lines $outcome."
    )

    def cells(self, facts: Facts) -> dict[str, str]:
        cells = super().cells(facts)
        left = cells["label_slug"] == "left"
        fill = cells["fill"]
        grow = f'text + "{fill}"' if left else f'"{fill}" + text'
        return cells | {"grow": grow, "adjust": "ljust" if left else "rjust"}

    def inputs(self, facts: Facts, rng: Random) -> tuple[Any, ...]:
        labels = rng.sample(WORDS, rng.randint(2, 4))
        numbers = rng.sample(range(1, 100), 2) + rng.sample(range(100, 2500), 2)
        return (list(zip(labels, rng.sample(numbers, len(labels)), strict=True)),)
