"""Prices, wages and savings.

Example: "Imani works as a florist and earns $18 an hour for the first 40 hours of a week. Every hour beyond that pays
time and a half. Last week she worked 46 hours, and $25 was taken out of her pay for parking. How much was she paid?"
Answer: 40 * 18 = 720, 6 * 27 = 162, 720 + 162 - 25 = 857.
"""

from random import Random
from typing import ClassVar

from pfe.tutors.families.gsm1k_synth.story import Story, weave, worked
from pfe.tutors.families.gsm1k_synth.words import GOALS, JOBS, SHOPS, TOWNS, Ware, cast, lines, rows, words
from pfe.tutors.family import Facts

PERCENTS = (5, 10, 15, 20, 25, 30, 40, 50)


def _price(rng: Random, ware: Ware) -> int:
    return rng.randint(ware.cheapest, ware.dearest)


class CouponChange(Story):
    """Two kinds of goods, a discount on the bill, and the change from a round sum."""

    name = "coupon_change"
    largest = 60
    templates: ClassVar = weave(
        (
            "{name} goes to the {shop} and buys {a:d} {items} at ${p:d} each and {b:d} {items2} at ${q:d} each.",
            "At the {shop}, {name} fills a basket with {a:d} {items} and {b:d} {items2}. The price tags say ${p:d} for "
            "each of the {items} and ${q:d} for each of the {items2}.",
            "{name} needs {a:d} {items} and {b:d} {items2} from the {shop}, which charges ${p:d} and ${q:d} apiece "
            "for them.",
        ),
        (
            "A coupon takes {d:d}% off the whole bill.",
            "Today everything there is {d:d}% off.",
            "A loyalty card lowers the total by {d:d}%.",
        ),
        (
            "If {he} pays with ${bill:d} in cash, how much change, in dollars, does {he} get?",
            "{He} hands over ${bill:d}. How many dollars should the cashier give back?",
            "{He} walked in with ${bill:d}. How many dollars does {he} walk out with?",
        ),
    )

    def facts(self, rng: Random) -> Facts:
        while True:
            shop = rng.choice(list(SHOPS))
            first, second = rng.sample(SHOPS[shop], 2)
            a, b, d = rng.randint(2, 8), rng.randint(2, 8), rng.choice(PERCENTS)
            p, q = _price(rng, first), _price(rng, second)
            due, left = divmod((a * p + b * q) * (100 - d), 100)
            bills = [bill for bill in (20, 40, 50, 60, 80, 100, 120, 150, 200, 250, 300) if 0 < bill - due <= 60]
            if left == 0 and bills:
                told = {"shop": shop, "items": first.plural, "items2": second.plural}
                return cast(rng) | told | {"a": a, "p": p, "b": b, "q": q, "d": d, "bill": rng.choice(bills)}

    def solve(self, facts: Facts) -> str:
        full = facts["a"] * facts["p"] + facts["b"] * facts["q"]
        return str(facts["bill"] - full * (100 - facts["d"]) // 100)

    def fits(self, facts: Facts, x: int) -> bool:
        before_discount = (facts["bill"] - x) * 100 - facts["a"] * facts["p"] * (100 - facts["d"])
        return bool(before_discount == facts["b"] * facts["q"] * (100 - facts["d"]))

    def solution(self, facts: Facts) -> str:
        a, p, b, q, d, bill = (facts[key] for key in ("a", "p", "b", "q", "d", "bill"))
        full = a * p + b * q
        off = full * d // 100
        return (
            f"The {facts['items']} cost {worked(f'{a}*{p}', '$')}.\n"
            f"The {facts['items2']} cost {worked(f'{b}*{q}', '$')}.\n"
            f"Together that is {worked(f'{a * p}+{b * q}', '$')}.\n"
            f"The discount is {worked(f'{full}*{d}/100', '$')}, so {facts['name']} pays "
            f"{worked(f'{full}-{off}', '$')}.\n"
            f"The change is {worked(f'{bill}-{full - off}', '$')}."
        )


class OvertimePay(Story):
    """A week with overtime at time and a half, less a deduction."""

    name = "overtime_pay"
    largest = 1900
    templates: ClassVar = weave(
        (
            "{name} works as {job} and earns ${w:d} an hour for the first {n:d} hours of a week. "
            "Every hour beyond that pays time and a half.",
            "As {job}, {name} is paid ${w:d} per hour, and one and a half times as much for every hour of a week "
            "after the first {n:d}.",
            "{name}'s contract as {job} says: ${w:d} an hour, {n:d} hours a week, and any extra hour is paid "
            "at 150% of the normal rate.",
        ),
        (
            "Last week {he} worked {h:d} hours, and ${f:d} was taken out of {his} pay for {fee}.",
            "This week {he} put in {h:d} hours, but {his} employer keeps ${f:d} for {fee}.",
            "During a busy week {he} stays for {h:d} hours in all. From {his} pay {he} has to give ${f:d} for {fee}.",
        ),
        (
            "How much money, in dollars, does {he} take home for that week?",
            "How many dollars are left for {him} from that week's pay?",
            "What does that week bring {him} after the deduction, in dollars?",
        ),
    )
    _fees = lines("""
        parking
        a locker
        a new uniform
        meals
        work gloves
        the shuttle bus
        a lost key
        safety shoes
        a name badge
        laundry
    """)

    def facts(self, rng: Random) -> Facts:
        n = rng.choice((30, 32, 35, 36, 38, 40))
        told = {"job": rng.choice(JOBS), "fee": rng.choice(self._fees)}
        numbers = {"w": rng.randrange(12, 31, 2), "n": n, "h": n + rng.randint(2, 14), "f": rng.randint(8, 45)}
        return cast(rng) | told | numbers

    def solve(self, facts: Facts) -> str:
        w, n, h, f = (facts[key] for key in "wnhf")
        return str(w * n + (h - n) * w * 3 // 2 - f)

    def fits(self, facts: Facts, x: int) -> bool:
        for_overtime = x + facts["f"] - facts["w"] * facts["n"]
        return bool(2 * for_overtime == 3 * facts["w"] * (facts["h"] - facts["n"]))

    def solution(self, facts: Facts) -> str:
        w, n, h, f = (facts[key] for key in "wnhf")
        extra, rate = h - n, w * 3 // 2
        return (
            f"The first {n} hours pay {worked(f'{n}*{w}', '$')}.\n"
            f"{facts['name']} works {worked(f'{h}-{n}')} hours of overtime.\n"
            f"An hour of overtime pays {worked(f'{w}*3/2', '$')}.\n"
            f"The overtime pays {worked(f'{extra}*{rate}', '$')}.\n"
            f"After the deduction {facts['he']} takes home {worked(f'{n * w}+{extra * rate}-{f}', '$')}."
        )


class SavingGoal(Story):
    """How many weeks of paid chores, less spending, until a wish can be bought."""

    name = "saving_goal"
    largest = 150
    templates: ClassVar = weave(
        (
            "{name} is saving for {goal}, which costs ${c:d}. {He} already has ${s:d}.",
            "{name} dreams of {goal} and has put ${s:d} aside so far. It costs ${c:d}.",
            "The price of {goal} is ${c:d}. {name} has ${s:d} in a jar and wants to save up the rest.",
        ),
        (
            "Each week {he} {does} {k:d} {jobs} for ${p:d} each, and ${x:d} of that goes to {treat}.",
            "{He} {does} {k:d} {jobs} a week and gets ${p:d} for each one, but {he} also spends ${x:d} a week on "
            "{treat}.",
            "A week's {treat} cost {him} ${x:d}. To earn money, {he} {does} {k:d} {jobs} every week at ${p:d} apiece.",
        ),
        (
            "After how many weeks will {he} have enough?",
            "How many weeks does {he} need before {he} can pay for it?",
            "What is the smallest number of weeks after which {he} can afford it?",
        ),
    )
    _chores = rows("""
        mows|lawns|8|16
        washes|cars|6|14
        walks|dogs|5|11
        teaches|piano lessons|12|20
        cleans|garages|15|25
        bakes|birthday cakes|14|24
        repairs|bicycles|9|18
        delivers|grocery orders|4|9
        paints|mailboxes|10|19
        gives|math lessons|10|18
        weeds|flower beds|6|13
        irons|baskets of laundry|7|12
    """)
    _treats = lines("""
        bus tickets
        snacks
        comics
        lunches
        swimming tickets
        movie tickets
        magazines
        hot drinks
        phone bills
        library fines
        art supplies
        music lessons
    """)

    def facts(self, rng: Random) -> Facts:
        while True:
            goal, cheapest, dearest = rng.choice(GOALS)
            does, jobs, least, most = rng.choice(self._chores)
            c, p, k = rng.randint(int(cheapest), int(dearest)), rng.randint(int(least), int(most)), rng.randint(2, 6)
            s = rng.randint(10, c // 3)
            if 2 * p * k <= c - s:
                told = {"goal": goal, "does": does, "jobs": jobs, "treat": rng.choice(self._treats)}
                return cast(rng) | told | {"c": c, "s": s, "p": p, "k": k, "x": rng.randint(2, p * k // 2)}

    def solve(self, facts: Facts) -> str:
        c, s, p, k, x = (facts[key] for key in "cspkx")
        return str(-((s - c) // (p * k - x)))

    def fits(self, facts: Facts, x: int) -> bool:
        weekly = facts["p"] * facts["k"] - facts["x"]
        return bool(facts["s"] + (x - 1) * weekly < facts["c"] <= facts["s"] + x * weekly)

    def solution(self, facts: Facts) -> str:
        c, s, p, k, x = (facts[key] for key in "cspkx")
        net, missing = p * k - x, c - s
        weeks, over = divmod(missing, net)
        text = (
            f"{facts['name']} still needs {worked(f'{c}-{s}', '$')}.\n"
            f"{facts['He']} earns {worked(f'{k}*{p}', '$')} a week.\n"
            f"Of that {facts['he']} keeps {worked(f'{k * p}-{x}', '$')}.\n"
        )
        if over == 0:
            return text + f"It takes {worked(f'{missing}/{net}')} weeks."
        passed = "1 week" if weeks == 1 else f"{weeks} weeks"
        return text + (
            f"After {passed} {facts['he']} has put aside {worked(f'{weeks}*{net}', '$')}, which is not enough, "
            f"so {facts['he']} needs {worked(f'{weeks}+1')} weeks."
        )


class CheaperPlan(Story):
    """A joining fee and a low monthly price against a high monthly price."""

    name = "cheaper_plan"
    largest = 700
    templates: ClassVar = weave(
        (
            "{name} compares two {places}. {Place} A asks for a joining fee of ${f:d} and then ${m:d} a month. "
            "{Place} B has no joining fee but costs ${k:d} a month.",
            "There are two {places} in {town}. The old one charges ${m:d} a month plus ${f:d} once at the start, "
            "the new one ${k:d} a month and nothing at the start. {name} can't decide.",
            "{name} wants to sign up at one of two {places}. With the first, {he} would pay ${f:d} up front and "
            "${m:d} every month. With the second, {he} would just pay ${k:d} every month.",
        ),
        (
            "If {he} stays for {t:d} months, how many dollars does {he} save by taking the one with the fee?",
            "How much less, in dollars, would {he} pay over {t:d} months with the one that charges a fee?",
            "{He} plans to stay for {t:d} months. By how many dollars is the one with the fee cheaper in the end?",
        ),
    )
    _places = rows("""
        gyms|Gym
        climbing halls|Hall
        pottery studios|Studio
        swim clubs|Club
        dance schools|School
        bike rental services|Service
        car sharing clubs|Club
        chess clubs|Club
        tool libraries|Library
        community gardens|Garden
        coding schools|School
        yoga studios|Studio
        film clubs|Club
        boat clubs|Club
    """)

    def facts(self, rng: Random) -> Facts:
        while True:
            f, m, t = rng.randint(20, 120), rng.randint(9, 40), rng.randint(6, 24)
            k = m + rng.randint(5, 30)
            if f < (k - m) * t:
                places, place = rng.choice(self._places)
                told = {"places": places, "Place": place, "town": rng.choice(TOWNS)}
                return cast(rng) | told | {"f": f, "m": m, "k": k, "t": t}

    def solve(self, facts: Facts) -> str:
        f, m, k, t = (facts[key] for key in "fmkt")
        return str(k * t - (f + m * t))

    def fits(self, facts: Facts, x: int) -> bool:
        return bool(facts["t"] * (facts["k"] - facts["m"]) == facts["f"] + x)

    def solution(self, facts: Facts) -> str:
        f, m, k, t = (facts[key] for key in "fmkt")
        return (
            f"With the fee, the monthly payments come to {worked(f'{t}*{m}', '$')}.\n"
            f"The fee makes that {worked(f'{t * m}+{f}', '$')}.\n"
            f"Without a fee it is {worked(f'{t}*{k}', '$')}.\n"
            f"{facts['name']} saves {worked(f'{t * k}-{t * m + f}', '$')}."
        )


class PaysForItself(Story):
    """After how many uses a purchase has earned its price back."""

    name = "pays_for_itself"
    largest = 160
    templates: ClassVar = weave(
        (
            "{name} spends ${d:d}.{e:d} on a {use} at {place} every time.",
            "Every {use} at {place} costs {name} ${d:d}.{e:d}.",
            "At {place}, {name} pays ${d:d}.{e:d} for a {use}.",
        ),
        (
            "With {machine} of {his} own, which costs ${c:d}, each would come to only ${g:d}.{h:d}.",
            "{He} could buy {machine} for ${c:d}, and then each one would cost {him} just ${g:d}.{h:d}.",
        ),
        (
            "After how many uses has the purchase paid for itself?",
            "How many times must {he} use it until {he} has saved as much as it cost?",
            "How many times does {he} have to use it to get its price back in savings?",
        ),
    )
    _machines = rows("""
        cup of coffee|the corner café|an espresso machine|4|6
        load of laundry|the laundromat|a washing machine|5|8
        haircut|the barber's|a hair trimmer|15|25
        smoothie|the juice bar|a blender|5|8
        car wash|the gas station|a pressure washer|9|16
        loaf of bread|the bakery|a bread maker|4|7
        bag of popcorn|the movie theater|a popcorn machine|5|8
        bowl of noodles|the food court|a noodle maker|7|12
        waffle|the diner|a waffle iron|4|8
        cup of frozen yogurt|the mall|a frozen yogurt maker|4|7
        photo print|the copy shop|a photo printer|3|5
        knife sharpening|the hardware store|an electric knife sharpener|5|9
    """)

    def facts(self, rng: Random) -> Facts:
        while True:
            use, place, machine, least, most = rng.choice(self._machines)
            each, own = 25 * rng.randint(4 * int(least), 4 * int(most)), 25 * rng.randint(1, 10)
            times = rng.randint(8, 160)
            cost, cents = divmod((each - own) * times, 100)
            if each % 100 and own % 100 and cents == 0 and 30 <= cost <= 600 and each - own >= 150:
                told = {"use": use, "place": place, "machine": machine}
                numbers = {"d": each // 100, "e": each % 100, "c": cost, "g": own // 100, "h": own % 100}
                return cast(rng) | told | numbers

    def solve(self, facts: Facts) -> str:
        saved = (facts["d"] - facts["g"]) * 100 + facts["e"] - facts["h"]
        return str(facts["c"] * 100 // saved)

    def fits(self, facts: Facts, x: int) -> bool:
        outside = x * (facts["d"] * 100 + facts["e"])
        own = facts["c"] * 100 + x * (facts["g"] * 100 + facts["h"])
        return bool(outside == own)

    def solution(self, facts: Facts) -> str:
        d, e, c, g, h = (facts[key] for key in "decgh")
        saved = (d * 100 + e) - (g * 100 + h)
        return (
            f"Each time {facts['name']} saves {worked(f'{d}.{e}-{g}.{h}', '$')}.\n"
            f"The price is back after {worked(f'{c}/{saved / 100:.2f}')} uses."
        )


class TicketSales(Story):
    """Two prices, the number of tickets and the takings: how many of one kind."""

    name = "ticket_sales"
    largest = 152
    templates: ClassVar = weave(
        (
            "The {event} in {town} sold {n:d} tickets.",
            "In {town}, {n:d} people bought a ticket for the {event}.",
            "{name} counts the ticket stubs after the {event}: there are {n:d} of them.",
        ),
        (
            "An adult paid ${a:d} and a child paid ${b:d}.",
            "Tickets were ${a:d} for adults and ${b:d} for children.",
            "The price was ${b:d} for a child and ${a:d} for an adult.",
        ),
        (
            "Together the tickets brought in ${t:d}, and ${f:d} more came from selling {snack}.",
            "The cash box held ${t:d} from tickets and another ${f:d} from {snack}.",
        ),
        (
            "How many children's tickets were sold?",
            "How many of the tickets were for children?",
            "How many children came?",
        ),
    )
    _events = lines("""
        magic show
        puppet theater
        school musical
        planetarium tour
        winter concert
        basketball final
        pancake breakfast
        circus
        corn maze
        ice show
        county fair
        boat parade
        film night
        robot race
        butterfly garden
        dance recital
        spelling contest
        farm tour
    """)
    _snacks = words("popcorn lemonade pretzels cupcakes cider nachos sandwiches programs balloons cookies")

    def facts(self, rng: Random) -> Facts:
        n, b = rng.randint(30, 190), rng.randint(3, 9)
        a = b + rng.randint(2, 11)
        children = rng.randint(n // 5, n * 4 // 5)
        told = {"event": rng.choice(self._events), "town": rng.choice(TOWNS), "snack": rng.choice(self._snacks)}
        numbers = {"n": n, "a": a, "b": b, "t": children * b + (n - children) * a, "f": rng.randint(25, 240)}
        return cast(rng) | told | numbers

    def solve(self, facts: Facts) -> str:
        n, a, b, t = (facts[key] for key in "nabt")
        return str((n * a - t) // (a - b))

    def fits(self, facts: Facts, x: int) -> bool:
        return bool(x * facts["b"] + (facts["n"] - x) * facts["a"] == facts["t"])

    def solution(self, facts: Facts) -> str:
        n, a, b, t = (facts[key] for key in "nabt")
        return (
            f"If all {n} tickets had been for adults, they would have brought in {worked(f'{n}*{a}', '$')}.\n"
            f"That is {worked(f'{n * a}-{t}', '$')} more than the takings.\n"
            f"Each child's ticket brings in {worked(f'{a}-{b}', '$')} less than an adult's.\n"
            f"So {worked(f'{n * a - t}/{a - b}')} of the tickets were for children."
        )


class PriceTag(Story):
    """From what was paid back to the price before the sale."""

    name = "price_tag"
    largest = 50
    templates: ClassVar = weave(
        (
            "During a sale, the {shop} takes {d:d}% off all {items}.",
            "The {shop} is clearing its stock and sells {items} at {d:d}% off.",
            "For its anniversary the {shop} lowers the price of {items} by {d:d}%.",
        ),
        (
            "{name} orders {n:d} of them and pays ${t:d} in all, including ${s:d} for delivery.",
            "With ${s:d} for gift wrapping added, {name} pays ${t:d} for {n:d} of them.",
            "{name} takes {n:d} of them, adds a ${s:d} tip for the helper who carries them to the car, "
            "and spends ${t:d} altogether.",
        ),
        (
            "What did one of the {items} cost before the sale, in dollars?",
            "How many dollars was the old price of a single one?",
            "If they all have the same price, how many dollars did each cost without the discount?",
        ),
    )

    def facts(self, rng: Random) -> Facts:
        while True:
            shop = rng.choice(list(SHOPS))
            ware, n, d = rng.choice(SHOPS[shop]), rng.randint(2, 12), rng.choice(PERCENTS)
            sale, left = divmod(_price(rng, ware) * n * (100 - d), 100)
            if left == 0:
                s = rng.randint(2, 15)
                told = {"shop": shop, "items": ware.plural}
                return cast(rng) | told | {"d": d, "n": n, "s": s, "t": sale + s}

    def solve(self, facts: Facts) -> str:
        d, n, s, t = (facts[key] for key in "dnst")
        return str((t - s) * 100 // (100 - d) // n)

    def fits(self, facts: Facts, x: int) -> bool:
        full = x * facts["n"] * 100
        return bool(full - x * facts["n"] * facts["d"] == (facts["t"] - facts["s"]) * 100)

    def solution(self, facts: Facts) -> str:
        d, n, s, t = (facts[key] for key in "dnst")
        full = (t - s) * 100 // (100 - d)
        return (
            f"The {facts['items']} alone cost {worked(f'{t}-{s}', '$')}.\n"
            f"That is {worked(f'100-{d}')}% of the old price.\n"
            f"The old price of all {n} was {worked(f'{t - s}*100/{100 - d}', '$')}.\n"
            f"One of them cost {worked(f'{full}/{n}', '$')}."
        )


class MarketProfit(Story):
    """Bought by the crate, sold by the piece, some spoiled: the profit."""

    name = "market_profit"
    largest = 1500
    templates: ClassVar = weave(
        (
            "{name} buys {n:d} {crates} of {goods} at ${c:d} per {crate}, with {k:d} in each {crate}.",
            "At the wholesale market, {name} picks up {n:d} {crates} of {goods}. A {crate} holds {k:d} {goods} and "
            "costs ${c:d}.",
            "To stock a stand at the {town} fair, {name} pays ${c:d} for each of {n:d} {crates}, every one of them "
            "packed with {k:d} {goods}.",
        ),
        (
            "{b:d} of the {goods} get damaged on the way and cannot be sold.",
            "On the road {b:d} of the {goods} are ruined.",
            "{He} keeps {b:d} of the {goods} for {his} family.",
        ),
        (
            "{He} sells all the others for ${s:d} each. How many dollars of profit does {he} make?",
            "The rest sell at ${s:d} apiece. How much does {he} earn after subtracting what {he} paid, in dollars?",
            "If everything else sells for ${s:d} a piece, what is {his} profit in dollars?",
        ),
    )
    _goods = rows("""
        crate|crates|pineapples
        crate|crates|watermelons
        box|boxes|candles
        box|boxes|mangoes
        tray|trays|potted herbs
        tray|trays|strawberry plants
        sack|sacks|coconuts
        carton|cartons|glass ornaments
        case|cases|bottles of cider
        case|cases|jars of jam
        bundle|bundles|sunflowers
        bin|bins|pumpkins
        crate|crates|cabbages
        carton|cartons|paper lanterns
    """)

    def facts(self, rng: Random) -> Facts:
        while True:
            n, k, s = rng.randint(3, 12), rng.randint(8, 30), rng.randint(2, 7)
            c, b = rng.randint(k * s // 4, k * s // 2), rng.randint(2, n * k // 5)
            if (n * k - b) * s - n * c <= self.largest:
                crate, crates, goods = rng.choice(self._goods)
                told = {"crate": crate, "crates": crates, "goods": goods, "town": rng.choice(TOWNS)}
                return cast(rng) | told | {"n": n, "k": k, "s": s, "c": c, "b": b}

    def solve(self, facts: Facts) -> str:
        n, k, s, c, b = (facts[key] for key in "nkscb")
        return str((n * k - b) * s - n * c)

    def fits(self, facts: Facts, x: int) -> bool:
        sold, left = divmod(x + facts["n"] * facts["c"], facts["s"])
        return bool(left == 0 and sold + facts["b"] == facts["n"] * facts["k"])

    def solution(self, facts: Facts) -> str:
        n, k, s, c, b = (facts[key] for key in "nkscb")
        sold = n * k - b
        return (
            f"{facts['name']} pays {worked(f'{n}*{c}', '$')} for the {facts['goods']}.\n"
            f"{facts['He']} gets {worked(f'{n}*{k}')} {facts['goods']}.\n"
            f"Of those {worked(f'{n * k}-{b}')} are sold.\n"
            f"They bring in {worked(f'{sold}*{s}', '$')}.\n"
            f"The profit is {worked(f'{sold * s}-{n * c}', '$')}."
        )
