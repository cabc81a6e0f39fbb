"""Time, distance, work and area.

Example: "A tank holds 480 gallons and has 60 in it. A hose brings 17 gallons a minute while a crack loses 3. After how
many minutes is it full?" Answer: 480 - 60 = 420 gallons at 17 - 3 = 14 a minute take 30 minutes.
"""

from random import Random
from typing import ClassVar

from pfe.tutors.families.gsm1k_synth.story import Story, weave, worked
from pfe.tutors.families.gsm1k_synth.words import TOWNS, cast, lines, rows, words
from pfe.tutors.family import Facts


class FenceAndTurf(Story):
    """A rectangle with a border, a gap in it, and a surface: what both cost."""

    name = "fence_and_turf"
    largest = 3200
    templates: ClassVar = weave(
        (
            "{name} is laying out {plot} that is {l:d} feet long and {w:d} feet wide.",
            "{name} plans {plot} in the shape of a rectangle, {l:d} feet by {w:d} feet.",
            "Behind the house, {name} marks a rectangle of {l:d} feet by {w:d} feet for {plot}.",
        ),
        (
            "A fence will run all the way around except for an opening of {g:d} feet.",
            "{He} puts a fence around it and leaves {g:d} feet open for a gate.",
        ),
        (
            "The fence costs ${p:d} per foot, and covering the ground with {cover} costs ${q:d} per square foot.",
            "Each foot of fence is ${p:d}, and the ground inside gets {cover} at ${q:d} for every square foot.",
        ),
        (
            "How many dollars does {he} need for the fence and the {cover} together?",
            "What is the total cost in dollars?",
            "How much money will the whole job take, in dollars?",
        ),
    )
    _plots = lines("""
        a chicken yard
        a dog run
        a playground
        a goat pen
        a kitchen garden
        a picnic area
        a rabbit run
        a skating corner
        a sculpture garden
        an outdoor classroom
        a duck yard
        a reading garden
        a bicycle parking lot
        an herb garden
    """)
    _covers = words("turf gravel bark sand clover straw moss slate flagstone mulch")

    def facts(self, rng: Random) -> Facts:
        w = rng.randint(8, 24)
        told = {"plot": rng.choice(self._plots), "cover": rng.choice(self._covers)}
        sides = {"l": w + rng.randint(2, 12), "w": w, "g": rng.randint(3, 6)}
        return cast(rng) | told | sides | {"p": rng.randint(4, 12), "q": rng.randint(2, 4) if w < 16 else 2}

    def solve(self, facts: Facts) -> str:
        length, w, g, p, q = (facts[key] for key in "lwgpq")
        return str((2 * (length + w) - g) * p + length * w * q)

    def fits(self, facts: Facts, x: int) -> bool:
        fence, left = divmod(x - facts["l"] * facts["w"] * facts["q"], facts["p"])
        return bool(left == 0 and fence + facts["g"] - 2 * facts["l"] == 2 * facts["w"])

    def solution(self, facts: Facts) -> str:
        length, w, g, p, q = (facts[key] for key in "lwgpq")
        around, area = 2 * (length + w), length * w
        return (
            f"The way around is {worked(f'2*({length}+{w})')} feet.\n"
            f"The fence is {worked(f'{around}-{g}')} feet long.\n"
            f"It costs {worked(f'{around - g}*{p}', '$')}.\n"
            f"The area is {worked(f'{length}*{w}')} square feet.\n"
            f"The {facts['cover']} costs {worked(f'{area}*{q}', '$')}.\n"
            f"Together it is {worked(f'{(around - g) * p}+{area * q}', '$')}."
        )


class FuelCost(Story):
    """Two legs at different speeds, the miles to a gallon, and the price of fuel."""

    name = "fuel_cost"
    largest = 200
    templates: ClassVar = weave(
        (
            "{name} drives {vehicle} from {town} to {town2}: {h:d} hours on country roads at {v:d} miles per hour, "
            "then {k:d} hours on the highway at {w:d} miles per hour.",
            "On the way from {town} to {town2}, {name} steers {vehicle} for {h:d} hours at {v:d} miles an hour and, "
            "after a lunch of {r:d} minutes, for another {k:d} hours at {w:d} miles an hour.",
            "To bring {vehicle} from {town} to {town2}, {name} keeps to {v:d} mph for {h:d} hours and to {w:d} mph "
            "for the other {k:d} hours.",
        ),
        (
            "It goes {m:d} miles on a gallon of fuel, which costs ${p:d} a gallon.",
            "A gallon of fuel costs ${p:d} and lasts for {m:d} miles.",
        ),
        (
            "How many dollars' worth of fuel does the trip use?",
            "What does the fuel for the trip cost, in dollars?",
            "How much money, in dollars, does {he} spend on fuel for this trip?",
        ),
    )
    _vehicles = lines("""
        a moving van
        a camper
        a school bus
        a food truck
        a pickup
        an old station wagon
        a delivery van
        a horse trailer
        a bookmobile
        an ice cream truck
        a tour bus
        a minibus
        an ambulance
        a flower truck
    """)

    def facts(self, rng: Random) -> Facts:
        while True:
            h, k = rng.randint(2, 5), rng.randint(2, 5)
            v, w, m = rng.randrange(24, 50, 2), rng.randrange(50, 71), rng.randint(8, 30)
            p = rng.randint(3, 5)
            if (h * v + k * w) % m == 0 and (h * v + k * w) // m * p <= self.largest:
                town, town2 = rng.sample(TOWNS, 2)
                told = {"vehicle": rng.choice(self._vehicles), "town": town, "town2": town2}
                numbers = {"h": h, "k": k, "v": v, "w": w, "m": m, "p": p}
                return cast(rng) | told | numbers | {"r": rng.randrange(20, 70, 5)}

    def solve(self, facts: Facts) -> str:
        h, k, v, w, m, p = (facts[key] for key in "hkvwmp")
        return str((h * v + k * w) // m * p)

    def fits(self, facts: Facts, x: int) -> bool:
        second_leg = x * facts["m"] - facts["h"] * facts["v"] * facts["p"]
        return bool(second_leg == facts["k"] * facts["w"] * facts["p"])

    def solution(self, facts: Facts) -> str:
        h, k, v, w, m, p = (facts[key] for key in "hkvwmp")
        miles = h * v + k * w
        return (
            f"The first part is {worked(f'{h}*{v}')} miles.\n"
            f"The second part is {worked(f'{k}*{w}')} miles.\n"
            f"The trip is {worked(f'{h * v}+{k * w}')} miles long.\n"
            f"It takes {worked(f'{miles}/{m}')} gallons.\n"
            f"They cost {worked(f'{miles // m}*{p}', '$')}."
        )


class JointWork(Story):
    """One starts alone, another joins: how long the first works."""

    name = "joint_work"
    largest = 20
    templates: ClassVar = weave(
        (
            "{name} can {do} {a:d} {things} an hour and {name2} can {do} {b:d} {things} an hour.",
            "In one hour {name} can {do} {a:d} {things}, while {name2} can {do} {b:d}.",
            "{name2} is able to {do} {b:d} {things} per hour. {name} is able to {do} {a:d} per hour.",
        ),
        (
            "There are {n:d} {things} to be done. {name} begins alone and {name2} joins after {h:d} hours.",
            "They have {n:d} {things} to get through, but for the first {h:d} hours {name} has to work alone.",
            "They have to {do} {n:d} {things} in all. {name2} arrives {h:d} hours after {name} has started.",
        ),
        (
            "How many hours does {name} work until everything is finished?",
            "How many hours after {name} starts is the work finished?",
        ),
    )
    _tasks = rows("""
        address|envelopes
        assemble|chairs
        bind|booklets
        wash|windows
        fold|shirts
        frame|posters
        label|jars
        pack|parcels
        peel|potatoes
        plant|seedlings
        polish|spoons
        scan|photographs
        shelve|books
        stitch|badges
        wrap|presents
        decorate|cupcakes
        string|necklaces
        stack|logs
    """)

    def facts(self, rng: Random) -> Facts:
        a, b, h, together = rng.randint(5, 30), rng.randint(5, 30), rng.randint(2, 5), rng.randint(2, 12)
        do, things = rng.choice(self._tasks)
        return cast(rng, 2) | {"do": do, "things": things, "a": a, "b": b, "h": h, "n": a * h + (a + b) * together}

    def solve(self, facts: Facts) -> str:
        a, b, h, n = (facts[key] for key in "abhn")
        return str(h + (n - a * h) // (a + b))

    def fits(self, facts: Facts, x: int) -> bool:
        return bool(x * facts["a"] + (x - facts["h"]) * facts["b"] == facts["n"])

    def solution(self, facts: Facts) -> str:
        a, b, h, n = (facts[key] for key in "abhn")
        rest = n - a * h
        return (
            f"Alone, {facts['name']} gets through {worked(f'{h}*{a}')} {facts['things']}.\n"
            f"That leaves {worked(f'{n}-{h * a}')} {facts['things']}.\n"
            f"Together they do {worked(f'{a}+{b}')} an hour.\n"
            f"The rest takes them {worked(f'{rest}/{a + b}')} hours.\n"
            f"{facts['name']} works {worked(f'{h}+{rest // (a + b)}')} hours."
        )


class FillingTank(Story):
    """Water comes in and leaks out: when the container is full."""

    name = "filling_tank"
    largest = 90
    templates: ClassVar = weave(
        (
            "{A} {tank} holds {c:d} {units} when full and has {s:d} {units} of water in it.",
            "There are {s:d} {units} of water in {a} {tank} that has room for {c:d} {units}.",
            "{name} looks after {a} {tank} with space for {c:d} {units} of water. At the moment it contains {s:d} "
            "{units}.",
        ),
        (
            "A pump adds {f:d} {units} every minute, but {l:d} {units} a minute escape through {leak}.",
            "Through {leak} it loses {l:d} {units} each minute, while a hose brings in {f:d} {units} each minute.",
        ),
        (
            "After {t:d} minutes the leak is sealed, and the water keeps coming in as before.",
            "Somebody mends this leak after {t:d} minutes, and the inflow stays the same.",
        ),
        (
            "How many minutes does it take from the beginning until it is full?",
            "Counted from the beginning, after how many minutes is there no more room?",
        ),
    )
    _tanks = rows("""
        A|a|rain barrel|gallons
        A|a|fish pond|gallons
        A|a|swimming pool|gallons
        A|a|water tower|gallons
        A|a|fountain basin|liters
        A|a|fire truck's tank|gallons
        A|a|horse trough|gallons
        A|a|canal lock|barrels
        A|a|wading pool|liters
        An|an|aquarium|liters
        An|an|irrigation tank|gallons
        An|an|ice rink's reservoir|liters
        A|a|duck pond|gallons
        A|a|greenhouse cistern|liters
    """)
    _leaks = lines("""
        a crack
        a loose valve
        a broken seal
        a hole near the bottom
        a worn gasket
        a rusty seam
        a drain that will not close
    """)

    def facts(self, rng: Random) -> Facts:
        f, t, after = rng.randint(6, 30), rng.randint(3, 30), rng.randint(4, 60)
        loss, s = rng.randint(2, f - 2), rng.randint(10, 200)
        upper, lower, tank, units = rng.choice(self._tanks)
        told = {"A": upper, "a": lower, "tank": tank, "units": units, "leak": rng.choice(self._leaks)}
        return cast(rng) | told | {"f": f, "l": loss, "t": t, "s": s, "c": s + (f - loss) * t + f * after}

    def solve(self, facts: Facts) -> str:
        c, s, f, loss, t = (facts[key] for key in "csflt")
        return str(t + (c - s - (f - loss) * t) // f)

    def fits(self, facts: Facts, x: int) -> bool:
        return bool(facts["s"] + x * facts["f"] - facts["t"] * facts["l"] == facts["c"])

    def solution(self, facts: Facts) -> str:
        c, s, f, loss, t = (facts[key] for key in "csflt")
        units, gained = facts["units"], (f - loss) * t
        rest = c - s - gained
        return (
            f"While it leaks, it gains {worked(f'{f}-{loss}')} {units} a minute.\n"
            f"In {t} minutes that is {worked(f'{t}*{f - loss}')} {units}.\n"
            f"Then {worked(f'{c}-{s}-{gained}')} {units} are missing.\n"
            f"They take {worked(f'{rest}/{f}')} minutes.\n"
            f"Altogether it takes {worked(f'{t}+{rest // f}')} minutes."
        )


class CatchUp(Story):
    """Someone with a head start is caught: how far from the start."""

    name = "catch_up"
    largest = 4000
    templates: ClassVar = weave(
        (
            "{name} leaves {place} {by} and covers {v:d} meters a minute.",
            "Starting at {place}, {name} travels {by} at {v:d} meters per minute.",
        ),
        (
            "{h:d} minutes later {name2} finds {his} {item} and goes after {him} at {w:d} meters a minute, "
            "on the same path.",
            "{name2} sets out with {his} forgotten {item} {h:d} minutes after {him}, on the same path, at {w:d} "
            "meters per minute.",
        ),
        (
            "How many meters from the start does {name2} reach {him}?",
            "How far from {place}, in meters, do they meet?",
            "How many meters has each of them covered when they meet?",
        ),
    )
    _places = lines("""
        the campsite
        the mountain hut
        the lighthouse
        the boathouse
        the ranger station
        the farmhouse
        the school gate
        the ferry dock
        the train station
        the sports hall
        the village square
        the old mill
    """)
    _ways = rows("""
        on foot|50|90
        at a slow jog|90|140
        on a scooter|110|180
        by bike|180|280
        on horseback|150|240
        on roller skates|130|220
    """)
    _items = words("map lunch phone jacket hat camera ticket umbrella wallet notebook scarf compass")

    def facts(self, rng: Random) -> Facts:
        while True:
            by, slow, fast = rng.choice(self._ways)
            v, h = rng.randrange(int(slow), int(fast) + 1, 2), rng.randint(3, 15)
            w = v + rng.randrange(10, 121, 2)
            minutes, left = divmod(v * h, w - v)
            if left == 0 and minutes >= 2 and minutes * w <= self.largest:
                told = {"place": rng.choice(self._places), "by": by, "item": rng.choice(self._items)}
                return cast(rng, 2) | told | {"v": v, "h": h, "w": w}

    def solve(self, facts: Facts) -> str:
        v, h, w = (facts[key] for key in "vhw")
        return str(v * h // (w - v) * w)

    def fits(self, facts: Facts, x: int) -> bool:
        v, h, w = facts["v"], facts["h"], facts["w"]
        return bool(x * w == x * v + h * v * w)

    def solution(self, facts: Facts) -> str:
        v, h, w = (facts[key] for key in "vhw")
        ahead = v * h
        return (
            f"The head start is {worked(f'{h}*{v}')} meters.\n"
            f"Each minute {facts['name2']} gains {worked(f'{w}-{v}')} meters.\n"
            f"It takes {worked(f'{ahead}/{w - v}')} minutes to catch up.\n"
            f"By then {facts['name2']} has covered {worked(f'{ahead // (w - v)}*{w}')} meters."
        )


class DaysToFinish(Story):
    """A slow start, a faster pace afterwards: the number of days in all."""

    name = "days_to_finish"
    largest = 40
    templates: ClassVar = weave(
        (
            "{name} has to {do} {n:d} {things}.",
            "{n:d} {things} are waiting for {name} to {do}.",
            "The plan is for {name} to {do} {n:d} {things} before {event}.",
        ),
        (
            "In the first {d:d} days {he} manages {a:d} a day.",
            "{He} starts slowly, with {a:d} a day for {d:d} days.",
            "For {d:d} days {he} gets through {a:d} of them a day.",
        ),
        (
            "Then {he} takes {r:d} days off, and afterwards {he} does {times} as many a day as before.",
            "After that {he} is away for {r:d} days. Once {he} is back, {his} daily number is {times} what it was.",
        ),
        (
            "How many days pass in all, from the first day to the last, days off included?",
            "Counting every day from the first to the last, with the days off, how many days does {he} take?",
        ),
    )
    _tasks = rows("""
        translate|pages
        read|pages
        learn|vocabulary words
        glaze|tiles
        restore|photographs
        inspect|fire alarms
        prune|vines
        grade|essays
        repair|pews
        catalog|fossils
        paint|fence boards
        rehearse|measures of music
        sew|costumes
        tag|sea turtles
        carve|chess pieces
        proofread|recipes
    """)
    _events = lines("""
        the summer holidays
        the opening day
        the spring festival
        the end of the season
        the anniversary
        the annual inspection
        the winter break
        the new director arrives
        the jubilee
    """)

    def facts(self, rng: Random) -> Facts:
        d, a, times, r, fast = (
            rng.randint(3, 10), rng.randint(3, 18), rng.choice(("twice", "three times")), rng.randint(2, 7),
            rng.randint(3, 20),
        )  # fmt: skip
        do, things = rng.choice(self._tasks)
        told = {"do": do, "things": things, "event": rng.choice(self._events), "times": times}
        pace = a * (2 if times == "twice" else 3)
        return cast(rng) | told | {"n": a * d + pace * fast, "d": d, "a": a, "r": r}

    def solve(self, facts: Facts) -> str:
        n, d, a, r = (facts[key] for key in "ndar")
        pace = a * (2 if facts["times"] == "twice" else 3)
        return str(d + r + (n - a * d) // pace)

    def fits(self, facts: Facts, x: int) -> bool:
        fast_days = x - facts["d"] - facts["r"]
        per_slow_day = facts["d"] + fast_days * (2 if facts["times"] == "twice" else 3)
        return bool(fast_days > 0 and per_slow_day * facts["a"] == facts["n"])

    def solution(self, facts: Facts) -> str:
        n, d, a, r = (facts[key] for key in "ndar")
        factor = 2 if facts["times"] == "twice" else 3
        rest = n - a * d
        return (
            f"In the first {d} days {facts['name']} does {worked(f'{d}*{a}')} {facts['things']}.\n"
            f"That leaves {worked(f'{n}-{d * a}')}.\n"
            f"Later {facts['he']} does {worked(f'{factor}*{a}')} a day.\n"
            f"The rest takes {worked(f'{rest}/{factor * a}')} days.\n"
            f"In all it is {worked(f'{d}+{r}+{rest // (factor * a)}')} days."
        )


class Timetable(Story):
    """Sessions and breaks between two times of day: how long the long break is."""

    name = "timetable"
    largest = 90
    templates: ClassVar = weave(
        (
            "{event} in {town} starts at {h:d}:{m} am and ends at {k:d}:{e} pm.",
            "{event} in {town} runs from {h:d}:{m} am to {k:d}:{e} pm.",
        ),
        (
            "There are {n:d} {sessions} of {l:d} minutes each and {b:d} short breaks of {s:d} minutes each.",
            "The program has {n:d} {sessions}, each {l:d} minutes long, and {b:d} short breaks, each {s:d} minutes "
            "long.",
            "{n:d} {sessions} take {l:d} minutes each, and {b:d} times there is a pause of {s:d} minutes.",
        ),
        (
            "The rest of the time is for lunch. How many minutes does lunch last?",
            "Whatever time is left over is the lunch break. How long is it, in minutes?",
            "{name} wonders how many minutes remain for lunch. What is the answer?",
        ),
    )
    _events = rows("""
        A first aid course|lessons
        A school day|classes
        A chess tournament|rounds
        A teachers' conference|talks
        A coding camp|workshops
        A poetry festival|readings
        A job fair|interviews
        A dance workshop|rehearsals
        A debate contest|debates
        A science day|experiments
        A film marathon|short films
        A cooking class|units
        A choir day|rehearsals
    """)

    def facts(self, rng: Random) -> Facts:
        while True:
            start, end = 5 * rng.randint(84, 125), 5 * rng.randint(168, 216)
            n, length, b, s = rng.randint(4, 9), 5 * rng.randint(5, 14), rng.randint(2, 5), rng.choice((5, 8, 10, 15))
            lunch = end - start - n * length - b * s
            if 20 <= lunch <= self.largest and b < n:
                event, sessions = rng.choice(self._events)
                told = {"event": event, "sessions": sessions, "town": rng.choice(TOWNS)}
                clock = {"m": f"{start % 60:02}", "e": f"{end % 60:02}"}
                numbers = {"h": start // 60, "k": end // 60 - 12, "n": n, "l": length, "b": b, "s": s}
                return cast(rng) | told | clock | numbers

    def solve(self, facts: Facts) -> str:
        return str(_minutes(facts) - facts["n"] * facts["l"] - facts["b"] * facts["s"])

    def fits(self, facts: Facts, x: int) -> bool:
        clock = facts["h"] * 60 + int(facts["m"]) + x + facts["n"] * facts["l"] + facts["b"] * facts["s"]
        return bool(clock - 720 == facts["k"] * 60 + int(facts["e"]))

    def solution(self, facts: Facts) -> str:
        h, k, n, length, b, s = (facts[key] for key in "hknlbs")
        m, e = int(facts["m"]), int(facts["e"])
        return (
            f"In minutes after midnight, the start is {worked(f'{h}*60+{m}')} and the end is "
            f"{worked(f'({k}+12)*60+{e}')}.\n"
            f"In between are {worked(f'{(k + 12) * 60 + e}-{h * 60 + m}')} minutes.\n"
            f"The {facts['sessions']} take {worked(f'{n}*{length}')} minutes.\n"
            f"The short breaks take {worked(f'{b}*{s}')} minutes.\n"
            f"Lunch lasts {worked(f'{_minutes(facts)}-{n * length}-{b * s}')} minutes."
        )


def _minutes(facts: Facts) -> int:
    return int((facts["k"] + 12 - facts["h"]) * 60 + int(facts["e"]) - int(facts["m"]))


class TrainingPlan(Story):
    """A daily amount that grows by the same step, in other units at the end."""

    name = "training_plan"
    largest = 60
    templates: ClassVar = weave(
        (
            "{name} trains for {event} by {doing} laps of {m:d} meters around {place}.",
            "To get ready for {event}, {name} is {doing} laps around {place}, each {m:d} meters long.",
            "One lap around {place} is {m:d} meters. {name} is {doing} there to prepare for {event}.",
        ),
        (
            "On the first day {he} does {a:d} laps, and each day after that {k:d} more than the day before.",
            "{He} begins with {a:d} laps and adds {k:d} laps every day.",
        ),
        (
            "How many kilometers will {he} have covered after {d:d} days?",
            "What distance, in kilometers, does {he} cover in the first {d:d} days together?",
            "Over the first {d:d} days, how many kilometers is that in total?",
        ),
    )
    _events = lines("""
        a charity run
        a marathon
        a fitness test
        a fun run
        a long hike
        a relay race
        a triathlon
        an obstacle race
        the city games
        the police exam
    """)
    _ways = words("running jogging walking skating cycling")
    _places = lines("""
        the lake
        the city park
        the stadium
        the old airfield
        the schoolyard
        the reservoir
        the golf course
        the fairground
        the island
        the vineyard
        the zoo
        the botanical garden
    """)

    def facts(self, rng: Random) -> Facts:
        while True:
            m, a, k, d = 50 * rng.randint(4, 24), rng.randint(2, 8), rng.randint(2, 3), rng.randint(3, 5)
            kilometers, left = divmod(m * (d * a + k * d * (d - 1) // 2), 1000)
            if left == 0 and kilometers <= self.largest:
                told = {"event": rng.choice(self._events), "doing": rng.choice(self._ways)}
                return cast(rng) | told | {"place": rng.choice(self._places), "m": m, "a": a, "k": k, "d": d}

    def solve(self, facts: Facts) -> str:
        m, a, k, d = (facts[key] for key in "makd")
        return str(m * (d * a + k * d * (d - 1) // 2) // 1000)

    def fits(self, facts: Facts, x: int) -> bool:
        meters = x * 1000
        for day in range(facts["d"]):
            meters -= facts["m"] * (facts["a"] + day * facts["k"])
        return bool(meters == 0)

    def solution(self, facts: Facts) -> str:
        m, a, k, d = (facts[key] for key in "makd")
        laps = [a + day * k for day in range(d)]
        later = [f"Day {day + 1}: {worked(f'{laps[day - 1]}+{k}')} laps." for day in range(1, d)]
        return "\n".join([
            f"Day 1: {a} laps.",
            *later,
            f"All days together: {worked('+'.join(map(str, laps)))} laps.",
            f"That is {worked(f'{sum(laps)}*{m}')} meters.",
            f"In kilometers: {worked(f'{sum(laps) * m}/1000')}.",
        ])  # fmt: skip


class CutLengths(Story):
    """A supply in a big unit, portions in a small one, some already used."""

    name = "cut_lengths"
    largest = 250
    templates: ClassVar = weave(
        (
            "{name} has {n:d} {bigs} of {stuff}.",
            "There are {n:d} {bigs} of {stuff} in {name}'s {store}.",
            "{name} brings home {n:d} {bigs} of {stuff}.",
        ),
        (
            "{Each} takes {p:d} {smalls}, and {name} has made {k:d} of them already.",
            "{name} needs {p:d} {smalls} for {each} and has finished {k:d} so far.",
        ),
        (
            "One {big} is {f:d} {smalls}. How many more can {he} make with what is left?",
            "If a {big} has {f:d} {smalls}, for how many more is there enough left?",
        ),
    )
    _stuffs = rows("""
        yard|yards|feet|3|satin ribbon|each bow|2|5
        foot|feet|inches|12|copper wire|each bracelet|6|11
        gallon|gallons|cups|16|tomato soup|each bowl|2|3
        pound|pounds|ounces|16|bread dough|each roll|2|6
        quart|quarts|ounces|32|orange juice|each glass|6|12
        meter|meters|centimeters|100|cord|each key ring|12|45
        kilogram|kilograms|grams|1000|clay|each figure|80|350
        liter|liters|milliliters|1000|hand lotion|each bottle|60|250
        foot|feet|inches|12|wooden molding|each picture frame|20|44
        yard|yards|inches|36|linen|each napkin|12|20
        pound|pounds|ounces|16|beeswax|each candle|3|9
        gallon|gallons|ounces|128|maple syrup|each flask|8|20
        meter|meters|centimeters|100|bamboo pole|each flute|25|40
        kilogram|kilograms|grams|1000|coffee beans|each bag|150|400
    """)
    _stores = words("workshop kitchen studio storeroom garage pantry cellar shed")

    def facts(self, rng: Random) -> Facts:
        while True:
            big, bigs, smalls, each_big, stuff, each, least, most = rng.choice(self._stuffs)
            n, p, f = rng.randint(2, 40), rng.randint(int(least), int(most)), int(each_big)
            if f >= 100:
                p -= p % 5
            total = n * f // p
            if 12 <= total <= self.largest:
                told = {"big": big, "bigs": bigs, "smalls": smalls, "stuff": stuff, "each": each}
                told |= {"Each": each.capitalize(), "store": rng.choice(self._stores)}
                return cast(rng) | told | {"n": n, "p": p, "f": f, "k": rng.randint(3, total - 4)}

    def solve(self, facts: Facts) -> str:
        n, p, f, k = (facts[key] for key in "npfk")
        return str((n * f - k * p) // p)

    def fits(self, facts: Facts, x: int) -> bool:
        used = (x + facts["k"]) * facts["p"]
        return bool(used <= facts["n"] * facts["f"] < used + facts["p"])

    def solution(self, facts: Facts) -> str:
        n, p, f, k = (facts[key] for key in "npfk")
        left = n * f - k * p
        smalls = facts["smalls"]
        text = (
            f"{facts['name']} starts with {worked(f'{n}*{f}')} {smalls}.\n"
            f"Used are {worked(f'{k}*{p}')} {smalls}.\n"
            f"That leaves {worked(f'{n * f}-{k * p}')} {smalls}.\n"
        )
        over = left % p
        if over:
            text += f"Of these, {over} will be over, so {worked(f'{left}-{over}')} can be used.\n"
        return text + f"They are enough for {worked(f'{left - over}/{p}')} more."
