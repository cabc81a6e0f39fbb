"""Sharing, counting, comparing and mixing.

Example: "Omar is 9 years older than Ivy, and Zoe is twice as old as Omar. Their ages add up to 67. How old will Ivy be
in 5 years?" Answer: without the differences 67 - 9 - 18 = 40 are four times Ivy's age, so she is 10, and then 15.
"""

from random import Random
from typing import ClassVar

from pfe.tutors.families.gsm1k_synth.story import Story, weave, worked
from pfe.tutors.families.gsm1k_synth.words import COLLECTIONS, FRIENDS, TOWNS, cast, lines, rows, words
from pfe.tutors.family import Facts

FRACTIONS = {2: "half", 3: "a third", 4: "a quarter", 5: "a fifth", 6: "a sixth", 8: "an eighth", 10: "a tenth"}
TIMES = {2: "twice", 3: "three times", 4: "four times", 5: "five times"}
RELATIVES = words("uncle aunt grandfather grandmother godmother")
MARKETS = rows("a|big\nan|old\na|small\na|crowded\nan|open-air")


class SharedDinner(Story):
    """A restaurant bill with a tip, shared evenly, and one person's extra."""

    name = "shared_dinner"
    largest = 125
    templates: ClassVar = weave(
        (
            "{name} and {m:d} {friends} have dinner at {place}. They order {a:d} {dishes} for ${p:d} each and "
            "{b:d} {drinks} for ${q:d} each.",
            "At {place}, {name} sits down with {m:d} {friends}. The bill lists {a:d} {dishes} at ${p:d} apiece and "
            "{b:d} {drinks} at ${q:d} apiece.",
            "{name} takes {m:d} {friends} along to {place}, where {dishes} cost ${p:d} and {drinks} cost ${q:d}. "
            "The group orders {a:d} {dishes} and {b:d} {drinks}.",
        ),
        (
            "They add a tip of {d:d}% and split everything evenly.",
            "With a {d:d}% tip on top, the whole amount is shared equally by everyone at the table.",
            "The tip is {d:d}% of the bill, and each person, {name} included, pays the same share of the total.",
        ),
        (
            "{name} also pays the ${x:d} fare for {his} {ride} home. How many dollars does {he} spend in all?",
            "Besides {his} share, {name} spends ${x:d} on a {ride} home. What does the evening cost {him} in dollars?",
        ),
    )
    _places = rows("""
        a noodle bar|bowls of ramen|iced teas
        a taco stand|plates of tacos|lemonades
        a pizza parlor|large pizzas|ginger ales
        an Indian restaurant|plates of curry|mango lassis
        a burger joint|cheeseburgers|milkshakes
        a seafood shack|baskets of shrimp|root beers
        a Greek tavern|plates of moussaka|mint teas
        a sushi bar|sushi platters|green teas
        a barbecue place|rib plates|sodas
        a pancake house|stacks of pancakes|hot chocolates
        an Ethiopian restaurant|lentil platters|coffees
        a vegan café|grain bowls|ginger juices
    """)
    _rides = words("taxi bus train tram ferry shuttle")

    def facts(self, rng: Random) -> Facts:
        while True:
            m, a, b = rng.randint(2, 7), rng.randint(2, 8), rng.randint(2, 8)
            p, q, d = rng.randint(8, 24), rng.randint(2, 7), rng.choice((10, 15, 20, 25))
            tip, cents = divmod((a * p + b * q) * d, 100)
            if cents == 0 and (a * p + b * q + tip) % (m + 1) == 0:
                place, dishes, drinks = rng.choice(self._places)
                told = {"place": place, "dishes": dishes, "drinks": drinks}
                told |= {"friends": rng.choice(FRIENDS), "ride": rng.choice(self._rides)}
                numbers = {"m": m, "a": a, "b": b, "p": p, "q": q, "d": d, "x": rng.randint(3, 19)}
                return cast(rng) | told | numbers

    def solve(self, facts: Facts) -> str:
        m, a, b, p, q, d, x = (facts[key] for key in "mabpqdx")
        return str((a * p + b * q) * (100 + d) // 100 // (m + 1) + x)

    def fits(self, facts: Facts, x: int) -> bool:
        whole_table = (x - facts["x"]) * (facts["m"] + 1)
        bill = facts["a"] * facts["p"] + facts["b"] * facts["q"]
        return bool((whole_table - bill) * 100 == bill * facts["d"])

    def solution(self, facts: Facts) -> str:
        m, a, b, p, q, d, x = (facts[key] for key in "mabpqdx")
        bill = a * p + b * q
        tip = bill * d // 100
        with_tip = bill + tip
        return (
            f"The {facts['dishes']} cost {worked(f'{a}*{p}', '$')}, the {facts['drinks']} {worked(f'{b}*{q}', '$')}.\n"
            f"The bill is {worked(f'{a * p}+{b * q}', '$')}.\n"
            f"The tip is {worked(f'{bill}*{d}/100', '$')}.\n"
            f"With the tip it is {worked(f'{bill}+{tip}', '$')}.\n"
            f"There are {worked(f'{m}+1')} people, so each pays {worked(f'{with_tip}/{m + 1}', '$')}.\n"
            f"With the {facts['ride']}, {facts['name']} spends {worked(f'{with_tip // (m + 1)}+{x}', '$')}."
        )


class FractionsLeft(Story):
    """A part is given away, then a part of the rest, then some are added."""

    name = "fractions_left"
    largest = 400
    templates: ClassVar = weave(
        (
            "{name} owns {n:d} {things}. {He} gives {part} of them to {name2}.",
            "Of the {n:d} {things} in {his} collection, {name} sells {part} to {name2}.",
            "{name} used to have {n:d} {things}, until {name2} got {part} of them as a birthday present.",
        ),
        (
            "Later {he} swaps {part2} of what remains for a book about the hobby.",
            "Then {part2} of the remaining ones are lost when {he} moves to {town}.",
            "After that, {he} lends {part2} of the rest to an exhibition in {town}.",
        ),
        (
            "At {a} {old} flea market {he} finds {b:d} new ones.",
            "{His} {uncle} then sends {him} {b:d} more.",
            "On the weekend {he} adds {b:d} others.",
        ),
        (
            "How many {things} does {name} have at hand now?",
            "How many {things} are with {name} in the end?",
        ),
    )

    def facts(self, rng: Random) -> Facts:
        first, second = rng.choice(list(FRACTIONS)), rng.choice(list(FRACTIONS))
        n = first * second * rng.randint(2, max(3, 400 // (first * second)))
        told = {
            "things": rng.choice(COLLECTIONS), "part": FRACTIONS[first], "part2": FRACTIONS[second],
            "town": rng.choice(TOWNS), "uncle": rng.choice(RELATIVES),
        }  # fmt: skip
        article, size = rng.choice(MARKETS)
        return cast(rng, 2) | told | {"a": article, "old": size, "n": n, "b": rng.randint(3, 40)}

    def solve(self, facts: Facts) -> str:
        first, second = _divisor(facts["part"]), _divisor(facts["part2"])
        kept = facts["n"] - facts["n"] // first
        return str(kept - kept // second + facts["b"])

    def fits(self, facts: Facts, x: int) -> bool:
        first, second = _divisor(facts["part"]), _divisor(facts["part2"])
        return bool((x - facts["b"]) * first * second == facts["n"] * (first - 1) * (second - 1))

    def solution(self, facts: Facts) -> str:
        n, b, name = facts["n"], facts["b"], facts["name"]
        first, second = _divisor(facts["part"]), _divisor(facts["part2"])
        gone = n // first
        kept = n - gone
        rest = kept - kept // second
        return (
            f"{name} first parts with {worked(f'{n}/{first}')} {facts['things']}.\n"
            f"That leaves {worked(f'{n}-{gone}')}.\n"
            f"The second time {worked(f'{kept}/{second}')} go.\n"
            f"That leaves {worked(f'{kept}-{kept // second}')}.\n"
            f"With the new ones {name} has {worked(f'{rest}+{b}')} {facts['things']}."
        )


def _divisor(part: str) -> int:
    return next(number for number, written in FRACTIONS.items() if written == part)


class MixingRatio(Story):
    """Three ingredients in a ratio, the amount of one, and the cost of another."""

    name = "mixing_ratio"
    largest = 500
    templates: ClassVar = weave(
        (
            "To make {mix}, {name} combines {x}, {y} and {z} in the ratio {a:d}:{b:d}:{c:d} by {measure}.",
            "{name}'s recipe for {mix} takes {x}, {y} and {z}, and their {measure}s are in the ratio "
            "{a:d} to {b:d} to {c:d}.",
            "{name} makes {mix} by mixing {a:d} parts {x}, {b:d} parts {y} and {c:d} parts {z} by {measure}.",
        ),
        (
            "{He} uses {n:d} {units} of {x} and has {h:d} {units} of {z} at home already.",
            "Today {he} wants to use up {n:d} {units} of {x}. In the storeroom there are {h:d} {units} of {z}.",
        ),
        (
            "If {z} costs ${p:d} for each {unit}, how many dollars must {he} pay for the {z} that is missing?",
            "More {z} can be bought at ${p:d} a {unit}. How many dollars does {he} have to spend on it?",
        ),
    )
    _mixes = rows("""
        concrete|cement|gravel|sand|weight|bag|bags
        potting soil|compost|loam|perlite|volume|bucket|buckets
        trail mix|granola|coconut|dried fruit|weight|pound|pounds
        bird food|millet|corn|sunflower seed|weight|pound|pounds
        fruit punch|orange juice|soda water|cherry juice|volume|quart|quarts
        modeling clay|flour|water|salt|weight|cup|cups
        horse feed|oats|barley|bran|weight|sack|sacks
        green paint|yellow paint|white paint|blue paint|volume|gallon|gallons
        house blend tea|black tea|mint|dried lemon peel|weight|ounce|ounces
        wall plaster|lime|water|clay|volume|bucket|buckets
        pancake mix|flour|sugar|milk powder|weight|pound|pounds
        bronze statues|copper|zinc|tin|weight|pound|pounds
    """)

    def facts(self, rng: Random) -> Facts:
        while True:
            a, b, c = rng.randint(2, 7), rng.randint(2, 7), rng.randint(2, 9)
            times = rng.randint(3, 12)
            p = rng.randint(2, 9)
            if len({a, b, c}) > 1 and c * times * p <= self.largest:
                mix, x, y, z, measure, unit, units = rng.choice(self._mixes)
                told = {"mix": mix, "x": x, "y": y, "z": z, "measure": measure, "unit": unit, "units": units}
                numbers = {"n": a * times, "h": rng.randint(2, c * times - 1), "p": p}
                return cast(rng) | told | {"a": a, "b": b, "c": c} | numbers

    def solve(self, facts: Facts) -> str:
        a, c, n, h, p = (facts[key] for key in "acnhp")
        return str((n // a * c - h) * p)

    def fits(self, facts: Facts, x: int) -> bool:
        bought, left = divmod(x, facts["p"])
        return bool(left == 0 and (bought + facts["h"]) * facts["a"] == facts["n"] * facts["c"])

    def solution(self, facts: Facts) -> str:
        a, c, n, h, p = (facts[key] for key in "acnhp")
        times = n // a
        return (
            f"One part is {worked(f'{n}/{a}')} {facts['units']}.\n"
            f"{facts['name']} needs {worked(f'{times}*{c}')} {facts['units']} of {facts['z']}.\n"
            f"Missing are {worked(f'{times * c}-{h}')} {facts['units']}.\n"
            f"They cost {worked(f'{times * c - h}*{p}', '$')}."
        )


class AgesSum(Story):
    """Three ages by comparison, their sum, and an age some years on."""

    name = "ages_sum"
    largest = 60
    templates: ClassVar = weave(
        (
            "{name} is {d:d} years older than {name2}, and {name3} is {times} as old as {name}.",
            "{name3} is {times} as old as {name}, who was born {d:d} years before {name2}.",
            "Among three relatives, {name2} is {d:d} years younger than {name}, while {name3} is {times} {name}'s age.",
        ),
        (
            "Their ages add up to {s:d}.",
            "Together the three are {s:d} years old.",
            "Adding the three ages gives {s:d}.",
        ),
        (
            "How old will {name2} be in {n:d} years?",
            "What will {name2}'s age be {n:d} years from now?",
            "In {n:d} years, how many years old will {name2} be?",
        ),
    )

    def facts(self, rng: Random) -> Facts:
        times = rng.choice([2, 3] if rng.random() < 0.8 else [4])
        age, d = rng.randint(3, 60 // times), rng.randint(2, 10)
        total = age + (age + d) * (1 + times)
        return cast(rng, 3) | {"d": d, "times": TIMES[times], "s": total, "n": rng.randint(2, 30)}

    def solve(self, facts: Facts) -> str:
        times = _factor(facts["times"])
        return str((facts["s"] - facts["d"] * (times + 1)) // (times + 2) + facts["n"])

    def fits(self, facts: Facts, x: int) -> bool:
        youngest = x - facts["n"]
        middle = youngest + facts["d"]
        return bool(youngest > 0 and youngest + middle + _factor(facts["times"]) * middle == facts["s"])

    def solution(self, facts: Facts) -> str:
        d, s, n, times = facts["d"], facts["s"], facts["n"], _factor(facts["times"])
        name, name2, name3 = facts["name"], facts["name2"], facts["name3"]
        rest = s - d * (times + 1)
        return (
            f"{name} is {d} years above {name2}'s age and {name3} is {worked(f'{times}*{d}')} years above "
            f"{facts['times']} {name2}'s age.\n"
            f"Without these years the ages add up to {worked(f'{s}-{d}-{times * d}')}.\n"
            f"That is {worked(f'1+1+{times}')} times {name2}'s age.\n"
            f"{name2} is {worked(f'{rest}/{times + 2}')} years old.\n"
            f"In {n} years {name2} will be {worked(f'{rest // (times + 2)}+{n}')}."
        )


def _factor(times: str) -> int:
    return next(number for number, written in TIMES.items() if written == times)


class RecipeCartons(Story):
    """A recipe scaled to the guests, bought in whole packs."""

    name = "recipe_cartons"
    largest = 380
    templates: ClassVar = weave(
        (
            "A recipe for {dish} serves {s:d} people and calls for {k:d} {items}.",
            "For {s:d} servings of {dish}, a cook needs {k:d} {items}.",
            "{name}'s grandmother uses {k:d} {items} to make {dish} for {s:d} people.",
        ),
        (
            "{name} cooks for {g:d} guests at a {party}, and everybody gets {m:d} servings.",
            "For a {party} with {g:d} guests, {name} wants to have {m:d} servings per person.",
        ),
        (
            "The {items} are sold only in packs of {b:d}, at ${p:d} a pack.",
            "The store sells {items} in packs of {b:d} for ${p:d} each and does not open packs.",
        ),
        (
            "How many dollars does {name} pay if {he} has none at home?",
            "What is the least {he} can spend on them, in dollars?",
        ),
    )
    _dishes = rows("""
        shakshuka|eggs
        bread pudding|eggs
        lemon curd|lemons
        guacamole|avocados
        apple crumble|apples
        stuffed peppers|bell peppers
        potato soup|potatoes
        carrot salad|carrots
        tomato sauce|tomatoes
        banana muffins|bananas
        onion soup|onions
        peach cobbler|peaches
        roasted garlic dip|garlic bulbs
        lime sorbet|limes
    """)
    _parties = lines("""
        family reunion
        wedding
        street party
        graduation party
        team dinner
        birthday brunch
        fundraiser
        retirement party
        housewarming
    """)

    def facts(self, rng: Random) -> Facts:
        s, m, k = rng.choice((3, 4, 5, 6, 8)), rng.choice((2, 2, 3)), rng.randint(2, 9)
        times = rng.randint(2, 8)
        while times * m * k < 24:
            times += 1
        dish, items = rng.choice(self._dishes)
        told = {"dish": dish, "items": items, "party": rng.choice(self._parties)}
        numbers = {"s": s, "k": k, "g": s * times, "m": m, "b": rng.choice((4, 5, 6, 10, 12)), "p": rng.randint(2, 7)}
        return cast(rng) | told | numbers

    def solve(self, facts: Facts) -> str:
        s, k, g, m, b, p = (facts[key] for key in "skgmbp")
        return str(-(-(g * m // s * k) // b) * p)

    def fits(self, facts: Facts, x: int) -> bool:
        packs, left = divmod(x, facts["p"])
        needed = facts["g"] * facts["m"] * facts["k"]
        return bool(left == 0 and (packs - 1) * facts["b"] * facts["s"] < needed <= packs * facts["b"] * facts["s"])

    def solution(self, facts: Facts) -> str:
        s, k, g, m, b, p = (facts[key] for key in "skgmbp")
        batches = g * m // s
        packs, over = divmod(batches * k, b)
        text = (
            f"{facts['name']} needs {worked(f'{g}*{m}')} servings.\n"
            f"That is {worked(f'{g * m}/{s}')} times the recipe.\n"
            f"It takes {worked(f'{batches}*{k}')} {facts['items']}.\n"
        )
        if over:
            text += f"{packs} packs hold only {worked(f'{packs}*{b}')}, so it takes {worked(f'{packs}+1')} packs.\n"
            packs += 1
        else:
            text += f"That is {worked(f'{batches * k}/{b}')} packs.\n"
        return text + f"{facts['He']} pays {worked(f'{packs}*{p}', '$')}."


class AverageNeeded(Story):
    """What the last result must be for a wished average."""

    name = "average_needed"
    largest = 220
    templates: ClassVar = weave(
        (
            "In the first four {rounds} of {event}, {name} {got} {a:d}, {b:d}, {c:d} and {e:d} {points}.",
            "{name} {got} {a:d}, {b:d}, {c:d} and {e:d} {points} in four {rounds} of {event}.",
            "{name} takes part in {event}. So far {he} {got} {a:d} {points}, then {b:d}, then {c:d} and then {e:d}, "
            "in four {rounds}.",
        ),
        (
            "There are two {rounds} left, and {he} hopes for an average of {m:d} over all six.",
            "After two more {rounds} {he} would like {his} average for all six to be {m:d}.",
        ),
        (
            "If {he} gets the same result in both, how many {points} must that be?",
            "How many {points} does {he} need in each of the last two, if both turn out the same?",
        ),
    )
    _events = rows("""
        an archery contest|rounds|scored|points
        a spelling league|rounds|scored|points
        a bowling tournament|games|scored|points
        a dart league|matches|scored|points
        a pinball contest|games|scored|points
        a history quiz|rounds|scored|points
        a jump rope challenge|rounds|managed|jumps
        a paper folding contest|heats|finished|cranes
        a typing course|lessons|typed|lines
        a swimming camp|days|swam|laps
        a cherry picking job|days|picked|baskets
        a knitting marathon|weeks|made|squares
    """)

    def facts(self, rng: Random) -> Facts:
        while True:
            level = rng.randint(20, 160)
            a, b, c, e = (level + rng.randint(-18, 18) for _ in range(4))
            m = level + rng.randint(1, 8)
            last, left = divmod(6 * m - a - b - c - e, 2)
            if left == 0 and 0 < last <= self.largest:
                event, rounds, got, points = rng.choice(self._events)
                told = {"event": event, "rounds": rounds, "got": got, "points": points}
                return cast(rng) | told | {"a": a, "b": b, "c": c, "e": e, "m": m}

    def solve(self, facts: Facts) -> str:
        return str((6 * facts["m"] - sum(facts[key] for key in "abce")) // 2)

    def fits(self, facts: Facts, x: int) -> bool:
        results = [*(facts[key] for key in "abce"), x, x]
        return bool(sum(result - facts["m"] for result in results) == 0)

    def solution(self, facts: Facts) -> str:
        a, b, c, e, m = (facts[key] for key in "abcem")
        so_far = a + b + c + e
        return (
            f"For that average {facts['name']} needs {worked(f'6*{m}')} {facts['points']} in all.\n"
            f"So far there are {worked(f'{a}+{b}+{c}+{e}')}.\n"
            f"The last two must bring {worked(f'{6 * m}-{so_far}')}.\n"
            f"That is {worked(f'{6 * m - so_far}/2')} each."
        )


class StockCount(Story):
    """What is left on the shelf after days of sales and some deliveries."""

    name = "stock_count"
    largest = 480
    templates: ClassVar = weave(
        (
            "On Monday morning, {place} in {town} has {s:d} {goods} in stock.",
            "{name} manages {place} in {town}. The week begins with {s:d} {goods} on the shelves.",
            "There are {s:d} {goods} at {place} in {town} when it opens on Monday.",
        ),
        (
            "It hands out {a:d} of them on each of the five weekdays and {b:d} on each day of the weekend.",
            "From Monday to Friday {a:d} of them leave the place daily; on Saturday and Sunday it is {b:d} a day.",
        ),
        (
            "On Wednesday and on Friday a truck brings {k:d} boxes with {m:d} {goods} each.",
            "Twice during the week a delivery of {k:d} boxes arrives, and every box holds {m:d} {goods}.",
        ),
        (
            "How many {goods} are there on Sunday night?",
            "How many {goods} remain at the end of Sunday?",
            "How many {goods} does the next week start with?",
        ),
    )
    _places = rows("""
        the pharmacy|bandages
        the food bank|cans of beans
        the bakery|paper bags
        the school kitchen|milk cartons
        the animal shelter|cans of cat food
        the garden center|seed packets
        the blood donation center|juice boxes
        the post office|envelopes
        the train station kiosk|newspapers
        the ferry terminal|day tickets
        the art supply store|pencils
        the hospital|pairs of gloves
        the farm shop|eggs
        the corner store|water bottles
    """)

    def facts(self, rng: Random) -> Facts:
        a, b = rng.randint(12, 60), rng.randint(10, 70)
        place, goods = rng.choice(self._places)
        told = {"place": place, "goods": goods, "town": rng.choice(TOWNS)}
        numbers = {"a": a, "b": b, "k": rng.randint(2, 6), "m": rng.randint(6, 30)}
        return cast(rng) | told | numbers | {"s": 5 * a + 2 * b + rng.randint(5, 120)}

    def solve(self, facts: Facts) -> str:
        s, a, b, k, m = (facts[key] for key in "sabkm")
        return str(s - 5 * a - 2 * b + 2 * k * m)

    def fits(self, facts: Facts, x: int) -> bool:
        stock = x
        for _ in range(2):
            stock += facts["b"] - facts["k"] * facts["m"]
        return bool(stock + facts["a"] * 5 == facts["s"])

    def solution(self, facts: Facts) -> str:
        s, a, b, k, m = (facts[key] for key in "sabkm")
        return (
            f"On weekdays {worked(f'5*{a}')} {facts['goods']} go, on the weekend {worked(f'2*{b}')}.\n"
            f"A delivery brings {worked(f'{k}*{m}')}, two deliveries bring {worked(f'2*{k * m}')}.\n"
            f"The stock and the deliveries make {worked(f'{s}+{2 * k * m}')}.\n"
            f"In the end there are {worked(f'{s + 2 * k * m}-{5 * a}-{2 * b}')} {facts['goods']}."
        )


class ComparisonChain(Story):
    """Three amounts told by comparison, and what is missing to a goal."""

    name = "comparison_chain"
    largest = 150
    templates: ClassVar = weave(
        (
            "{name}, {name2} and {name3} {do} {things} for {cause} in {town}.",
            "For {cause} in {town}, three helpers {do} {things}: {name}, {name2} and {name3}.",
            "{name}, {name2} and {name3} volunteer in {town}, where they {do} {things} for {cause}.",
        ),
        (
            "{name} has {n:d}. {name2} has {b:d} fewer than {times} as many as {name}.",
            "{name2}'s count is {b:d} less than {times} {name}'s count, which is {n:d}.",
        ),
        (
            "{name3} has {part} of what the other two have together.",
            "{name3}'s number is {part} of the first two added up.",
        ),
        (
            "How many more {things} do they need to reach {g:d}?",
            "They are aiming for {g:d} {things}. How many are still missing?",
            "If the goal is {g:d}, how many {things} are left to go?",
        ),
    )
    _tasks = rows("""
        collect|blankets|the animal shelter
        fold|paper cranes|the peace festival
        gather|signatures|the new playground
        pick|apples|the cider press
        plant|oak saplings|the town forest
        sew|face masks|the clinic
        write|greeting cards|the nursing home
        pack|lunch bags|the soup kitchen
        paint|tiles|the library wall
        bake|cookies|the school fair
        collect|bottles|the recycling drive
        sort|donated books|the reading club
        knit|caps|the hospital
        fill|sandbags|the flood team
    """)

    def facts(self, rng: Random) -> Facts:
        while True:
            times, part = rng.choice((2, 3, 4)), rng.choice((2, 3, 4, 5))
            n, b = rng.randint(8, 60), rng.randint(2, 20)
            two = n * (1 + times) - b
            if two % part == 0 and n * times - b > 3:
                do, things, cause = rng.choice(self._tasks)
                told = {"do": do, "things": things, "cause": cause, "town": rng.choice(TOWNS)}
                told |= {"times": TIMES[times], "part": FRACTIONS[part]}
                total = two + two // part
                return cast(rng, 3) | told | {"n": n, "b": b, "g": total + rng.randint(5, 150)}

    def solve(self, facts: Facts) -> str:
        two = facts["n"] * (1 + _factor(facts["times"])) - facts["b"]
        return str(facts["g"] - two - two // _divisor(facts["part"]))

    def fits(self, facts: Facts, x: int) -> bool:
        done, part = facts["g"] - x, _divisor(facts["part"])
        third, left = divmod(done, part + 1)
        second = done - third - facts["n"]
        return bool(left == 0 and second + facts["b"] == _factor(facts["times"]) * facts["n"])

    def solution(self, facts: Facts) -> str:
        n, b, g, times, part = facts["n"], facts["b"], facts["g"], _factor(facts["times"]), _divisor(facts["part"])
        second = n * times - b
        third = (n + second) // part
        return (
            f"{facts['times'].capitalize()} {facts['name']}'s number is {worked(f'{times}*{n}')}.\n"
            f"{facts['name2']} has {worked(f'{times * n}-{b}')}.\n"
            f"Together they have {worked(f'{n}+{second}')}.\n"
            f"{facts['name3']} has {worked(f'{n + second}/{part}')}.\n"
            f"All three have {worked(f'{n + second}+{third}')}.\n"
            f"Still missing are {worked(f'{g}-{n + second + third}')} {facts['things']}."
        )
