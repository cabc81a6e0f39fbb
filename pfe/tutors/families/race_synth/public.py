"""Passages for everybody: a notice with prices, a timetable, a news item, a school fair, a race.

Example (notice): "... A ticket for an adult is $9, for a child $5. Children under 4 need no ticket ..." Question: "How
much do a couple with three children aged 2, 7 and 9 pay?" Answer: "$28", for two adults and two of the children.
"""

from random import Random
from typing import ClassVar

from pfe.tutors.families.race_synth.story import Ask, Claims, Computed, Story, Value, Words
from pfe.tutors.families.race_synth.words import (
    FAMILY_NAMES,
    MONTHS,
    TOWNS,
    WEEKDAYS,
    clock,
    minutes,
    pairs,
    pupil,
    spell,
    table,
    unspell,
)
from pfe.tutors.family import Facts

PLACES = table("""
the swimming hall | the warm pool | the slide tower | bring your own towel
the open-air museum | the blacksmith's yard | the old mill | wear strong shoes
the butterfly house | the palm room | the café under the glass roof | leave food outside
the toy museum | the doll rooms | the workshop | keep your voices down
the climbing hall | the boulder room | the high wall | wear clean sports shoes
the castle | the tower | the dungeon | keep hold of the rail on the stairs
the aquarium | the shark tunnel | the touch pool | use no flash
the railway park | the engine shed | the model line | stay behind the yellow line
""")
OPENINGS, CLOSINGS = range(8 * 60, 11 * 60 + 1, 30), range(16 * 60, 21 * 60 + 1, 30)


def _ages(facts: Facts) -> list[int]:
    return [int(facts[f"age{n}"]) for n in range(3)]


class Fee(Computed):
    """What a family pays when the youngest go in free."""

    def __init__(self) -> None:
        super().__init__(
            "How much do a couple with three children aged {age0}, {age1} and {age2} pay?",
            "Two parents come with their children, who are {age0}, {age1} and {age2}. What do they pay in all?",
            compute=lambda facts: f"${self._due(facts, self._paying(facts))}",
            near=lambda facts: [f"${self._due(facts, n)}" for n in range(4) if n != self._paying(facts)],
            holds=self._refund,
            why="Children under {limit} are free, so {paying_} of the three children pay: 2 * {adult} + {paying_} * "
            "{child} = <<2*{adult}+{paying_}*{child}={due_}>>{due_} dollars.",
            words=lambda facts: {
                "paying_": str(self._paying(facts)), "due_": str(self._due(facts, self._paying(facts)))
            },
        )  # fmt: skip

    def draw(self, facts: Facts, rng: Random) -> Words:
        ages = sorted(rng.sample(range(1, 13), 3))
        return {f"age{n}": str(age) for n, age in enumerate(ages)}

    @staticmethod
    def _paying(facts: Facts) -> int:
        return sum(age >= int(facts["limit"]) for age in _ages(facts))

    @staticmethod
    def _due(facts: Facts, paying: int) -> int:
        return 2 * int(facts["adult"]) + paying * int(facts["child"])

    @staticmethod
    def _refund(facts: Facts, choice: str) -> bool:
        """Whether nothing is left of the sum when everybody who needs a ticket has taken theirs."""
        left = int(choice.removeprefix("$")) - int(facts["adult"]) - int(facts["adult"])
        for age in _ages(facts):
            left -= 0 if age < int(facts["limit"]) else int(facts["child"])
        return left == 0


class Hours(Computed):
    """How long a place is open on weekdays, or at the weekend."""

    def __init__(self, opens: str, closes: str, *questions: str) -> None:
        super().__init__(
            *questions,
            compute=lambda facts: spell(minutes(facts[closes]) - minutes(facts[opens])),
            near=lambda facts: [
                spell(minutes(facts[closes]) - minutes(facts[opens]) + slip) for slip in (-60, -30, 30, 60, 90)
            ],
            holds=lambda facts, choice: clock(minutes(facts[opens]) + unspell(choice)) == facts[closes],
            why=f"From {{{opens}}} to {{{closes}}} it is {{answer}}.",
        )


class Notice(Story):
    """Prices, opening hours and rules of a place to visit."""

    name = "notice"
    passage = """
- WELCOME TO {capitals} OF {town_}

- From {month} on, {place} is open every day except {closed}.
| Please note the new opening hours of {place}. From {month} on we welcome you every day except {closed}.
- On weekdays you can visit us from {open1} to {close1}. At the weekend we open at {open2} and close at {close2}.
| Our doors are open from {open1} to {close1} on weekdays. On Saturdays and Sundays you will find us here from {open2}
  to {close2}, unless that day is our closing day.
? The last visitors are let in half an hour before the end of the day.
| Please come early: in the holidays there may be a queue at the gate.

- An adult pays ${adult}, and a ticket for a child costs ${child}. Children under {limit} need no ticket.
| Tickets are ${adult} for adults and ${child} for children; if a child is under {limit}, no ticket is needed.
- School groups must book at least {days} days ahead, and the teacher who comes with them pays nothing.
| If you are a teacher, book {days} days before you come with your class. Your own ticket is free.
? Tickets are also sold on our website, where you can pay by card.
| Sorry, but we cannot give money back if you lose your ticket.

- Do not miss {sight}, which has just been rebuilt, and please {rule}.
| Most people like {sight} best. In all rooms we ask you to {rule}.
- Our guides lead a tour every day at {tour}. It takes {length} minutes and costs ${extra} extra for each person.
| There is a guided tour at {tour}. It lasts {length} minutes, and you pay ${extra} on top of your ticket.
- The way to us is easy to find: take bus {bus} from the main station and get off at the last stop.
| Bus {bus} from the main station stops right at our gate.
? Wheelchairs can be borrowed at the entrance.
| We look forward to seeing you!

- {boss}, director
"""
    _claims = (
        "The place is closed on {closed}s.",
        "Teachers must book {days} days before a visit with a class.",
        "The guided tour takes {length} minutes.",
        "The guided tour begins at {tour}.",
        "You can get there by bus {bus}.",
        "For the tour you pay ${extra} extra.",
        "Tickets are free only for children under {limit}.",
    )
    _others: ClassVar = {
        "closed": WEEKDAYS[:5], "days": tuple(map(str, range(3, 15))), "length": ("30", "40", "50", "60", "75"),
        "tour": ("11:15", "12:15", "13:45", "14:15", "15:15"), "bus": tuple(map(str, range(2, 40))),
        "extra": ("2", "3", "4"), "limit": ("3", "4", "5", "6", "7"),
    }  # fmt: skip
    asks: ClassVar = {
        "fee": Fee(),
        "weekday": Hours("open1", "close1", "How long is the place open on a weekday?",
                         "For how long can you stay on a weekday if you come first and leave last?"),
        "weekend": Hours("open2", "close2", "How long is the place open on a day at the weekend?",
                         "For how long can you stay at the weekend if you come first and leave last?"),
        "false": Claims(
            "Which of the following is NOT true according to the notice?",
            "Which statement does the notice contradict?",
            claims=_claims, others=_others, true=False,
        ),
        "true": Claims(
            "Which of the following is true according to the notice?", "Which statement agrees with the notice?",
            claims=_claims, others=_others, true=True,
        ),
    }  # fmt: skip

    def scene(self, rng: Random) -> Words:
        place, sight, other, rule = rng.choice(PLACES)
        child = rng.randint(2, 6)
        return {
            "place": place, "capitals": place.upper(), "town_": rng.choice(TOWNS).upper(), "month": rng.choice(MONTHS),
            "closed": rng.choice(WEEKDAYS[:5]), "open1": clock(rng.choice(OPENINGS)),
            "close1": clock(rng.choice(CLOSINGS)), "open2": clock(rng.choice(OPENINGS)),
            "close2": clock(rng.choice(CLOSINGS)), "adult": str(child + rng.randint(2, 7)), "child": str(child),
            "limit": rng.choice(self._others["limit"]), "days": rng.choice(self._others["days"]),
            "sight": rng.choice((sight, other)), "rule": rule, "tour": rng.choice(self._others["tour"]),
            "length": rng.choice(self._others["length"]), "extra": rng.choice(self._others["extra"]),
            "bus": rng.choice(self._others["bus"]), "boss": f"{pupil(rng)[0]} {rng.choice(FAMILY_NAMES)}",
        }  # fmt: skip


class Latest(Ask):
    """Which boat to take at the latest, to be somewhere in time after a walk."""

    questions = (
        "{who} must be at {sight} by {due}. Which boat is the latest that {who} can take?",
        "If {who} wants to be at {sight} no later than {due}, when does the last suitable boat leave?",
    )
    why = (
        "A boat takes {ride} minutes and the walk {walk} minutes, together {sum_}. Leaving at {answer}, one arrives at "
        "{there_}; the next boat would be too late for {due}."
    )

    def draw(self, facts: Facts, rng: Random) -> Words:
        boat = rng.choice(self._boats(facts)[:3])
        due = minutes(boat) + self._way(facts) + rng.randrange(0, 25, 5)
        return {"who": pupil(rng)[0], "due": clock(due)}

    def answer(self, facts: Facts) -> str:
        start = minutes(facts["due"]) - self._way(facts)
        return max((boat for boat in self._boats(facts) if minutes(boat) <= start), key=minutes)

    def wrong(self, facts: Facts, rng: Random) -> list[str]:
        return [boat for boat in self._boats(facts) if boat != self.answer(facts)]

    def fits(self, facts: Facts, choice: str) -> bool:
        boats = self._boats(facts)
        arrivals = [minutes(boat) + int(facts["ride"]) + int(facts["walk"]) for boat in boats]
        place = boats.index(choice)
        too_late = [arrival > minutes(facts["due"]) for arrival in arrivals]
        return not too_late[place] and all(too_late[place + 1 :])

    def words(self, facts: Facts) -> Words:
        return {"sum_": str(self._way(facts)), "there_": clock(minutes(self.answer(facts)) + self._way(facts))}

    @staticmethod
    def _boats(facts: Facts) -> list[str]:
        return [facts[f"boat{n}"] for n in range(4)]

    @staticmethod
    def _way(facts: Facts) -> int:
        return int(facts["ride"]) + int(facts["walk"])


class Timetable(Story):
    """When boats leave, how long they take, and which to choose."""

    name = "timetable"
    passage = """
- If you spend your holidays in {town}, you should not miss {island} Island.
| Few visitors to {town} know how easy it is to reach {island} Island.
- A boat called the {boat} goes there four times a day, and it takes {ride} minutes to cross.
| The {boat} sails to the island four times a day; the crossing takes {ride} minutes.
? When the sea is calm, you may even see seals on the way.
| Try to get a seat on the upper deck, where the view is best.

- The first boat leaves {town} at {boat0}, the second at {boat1}. In the afternoon there are boats at {boat2} and
  {boat3}.
| Departures from {town} are at {boat0} and {boat1} in the morning and at {boat2} and {boat3} in the afternoon.
- On {off}s the boat does not run at all, and from {month} to the end of the year it runs only at weekends.
| There is no service on {off}s. From {month} until the end of the year boats run only at weekends.
? Tickets are sold on board, and dogs travel free.
| You need not book, but please have the right money ready.
- The last boat back leaves the island at {back}. Do not be late for it, because there is no hotel over there.
| Make sure you catch the last boat back at {back}, for nobody can spend the night on the island.

- From the landing place it is a walk of {walk} minutes to {sight}, which is the island's greatest attraction.
| What most people come for is {sight}. To get there, walk for {walk} minutes from the landing place.
- It was built by {builder}, who lived there alone for {years} years.
| For {years} years it was the home of {builder}, who had built it and lived there alone.
? Take something to drink with you, as there are no shops on the way.
| The path is steep in some places, so leave your sandals at home.
- Before you go back, try {food} in the little café by the harbour.
| The café by the harbour is famous for {food}.
"""
    _sights = ("the round tower", "the shell house", "the old windmill", "the stone chapel", "the glass garden")
    _builders = ("a painter", "a sea captain", "a widow", "a monk", "a doctor", "a rich brewer")
    _foods = ("apple tart", "crab soup", "smoked trout", "honey biscuits", "seaweed bread")
    _claims = (
        "Even in summer there are no boats on {off}s.",
        "The last boat leaves the island at {back}.",
        "The crossing takes {ride} minutes.",
        "It was {builder} who built what people come to see.",
        "The café is known for its {food}.",
        "The first boat leaves {town} at {boat0}.",
    )
    _others: ClassVar = {
        "off": WEEKDAYS[:5], "back": tuple(map(clock, range(17 * 60 + 10, 20 * 60, 20))),
        "ride": ("25", "35", "40", "55", "65"), "builder": _builders,
        "food": _foods, "boat0": tuple(map(clock, range(7 * 60 + 30, 9 * 60, 10))),
    }  # fmt: skip
    asks: ClassVar = {
        "latest": Latest(),
        "stay": Computed(
            "Someone takes the first boat of the day from {town} and the last one back. How long is the stay?",
            "How much time on the island does the first boat from {town} leave you, if you take the last one back?",
            compute=lambda facts: spell(minutes(facts["back"]) - minutes(facts["boat0"]) - int(facts["ride"])),
            near=lambda facts: [
                spell(minutes(facts["back"]) - minutes(facts["boat0"]) - slip * int(facts["ride"])) for slip in (0, 2)
            ] + [
                spell(minutes(facts["back"]) - minutes(facts["boat0"]) - int(facts["ride"]) + slip)
                for slip in (-60, 60)
            ],
            holds=lambda facts, choice: (
                clock(minutes(facts["boat0"]) + int(facts["ride"]) + unspell(choice)) == facts["back"]
            ),
            why="The boat of {boat0} lands after {ride} minutes; from then until {back} it is {answer}.",
        ),
        "false": Claims(
            "Which statement about the trip is NOT true?", "Which of these does the text contradict?",
            claims=_claims, others=_others, true=False,
        ),
        "true": Claims(
            "Which statement about the trip is true?", "Which of these does the text say?",
            claims=_claims, others=_others, true=True,
        ),
    }  # fmt: skip

    def scene(self, rng: Random) -> Words:
        town, island = rng.sample(TOWNS, 2)
        return {
            "town": town, "island": island, "boat": rng.choice(("Seagull", "Morning Star", "Annabel", "Swallow")),
            "ride": rng.choice(self._others["ride"]), "walk": rng.choice(("10", "15", "20", "30")),
            "boat0": rng.choice(self._others["boat0"]), "boat1": clock(rng.randrange(10 * 60, 11 * 60 + 30, 10)),
            "boat2": clock(rng.randrange(12 * 60 + 30, 14 * 60, 10)),
            "boat3": clock(rng.randrange(15 * 60, 16 * 60 + 10, 10)), "off": rng.choice(WEEKDAYS[:5]),
            "month": rng.choice(MONTHS[8:11]), "back": rng.choice(self._others["back"]),
            "sight": rng.choice(self._sights), "builder": rng.choice(self._builders), "food": rng.choice(self._foods),
            "years": str(rng.randint(11, 39)),
        }  # fmt: skip


EVENTS = table("""
a heavy storm | Storm | in the night, when most people were asleep
a sudden flood | Flood | after three days of rain
a power cut | Power Cut | shortly before supper, when all the stoves were on
unusually deep snow | Snow | during the first night of the holidays
a thick fog | Fog | early in the morning, when the roads were full
a long heatwave | Heatwave | in the driest summer for twenty years
""")
RESULTS = table("""
neighbours who had never spoken to each other shared their food and their beds | Brings Neighbours Together
the only school in the town had to close for a week | Closes Town's Only School
the opening of the new bridge was put off until next year | Delays Opening of New Bridge
visitors stayed away, and half of the hotels were empty | Empties the Hotels
two hundred travellers had to sleep in the sports hall | Leaves Travellers in Sports Hall
the town decided to plant a thousand trees | Makes Town Plant a Thousand Trees
""")


class Headline(Ask):
    """The best headline: what happened and what came of it."""

    questions = ("Which would be the best headline for this news item?", "What is the best title for the text?")
    why = "The text is about {event} and about its result: {result}. Only one title has both, '{answer}'."
    whats: ClassVar = pairs(EVENTS)
    results: ClassVar = pairs(RESULTS)

    def answer(self, facts: Facts) -> str:
        return f"{self.whats[facts['event']]} {self.results[facts['result']]}"

    def wrong(self, facts: Facts, rng: Random) -> list[str]:
        what, result = self.whats[facts["event"]], self.results[facts["result"]]
        other = rng.choice([value for value in self.whats.values() if value != what])
        effect = rng.choice([value for value in self.results.values() if value != result])
        return [f"{other} {result}", f"{what} {effect}", f"{facts['mayor']} Speaks to Reporters"]

    def fits(self, facts: Facts, choice: str) -> bool:
        told = [event for event, what in self.whats.items() if choice.startswith(f"{what} ")]
        effects = [effect for effect, words in self.results.items() if choice.endswith(f" {words}")]
        return told == [facts["event"]] and effects == [facts["result"]]


class News(Story):
    """A short newspaper report: headline, numbers, who said what."""

    name = "news"
    passage = """
- {town}, {day} {month}. Nobody in {town} had expected {event}. It came {when}.
| {town}, {day} {month}. People in {town} are still talking about {event}. It came {when}.
- By the next day it was clear what it meant for the town: {result}.
| The result surprised everybody: {result}.
? "In all my life I have not seen anything like it," an old man told our reporter.
| Pictures of the town were shown on television all over the country.

- Firefighters were called out {calls} times within twelve hours, and {hurt} people were slightly hurt.
| Within twelve hours the fire brigade had to go out {calls} times. The hospital treated {hurt} people, who could soon
  go home.
- The worst damage was at {site}, where repairs will cost about {cost} dollars.
| Nowhere was the damage as bad as at {site}; it will take about {cost} dollars to put it right.
? Some of the roads could not be used for several days.
| The local radio gave advice every half hour.
- {mayor}, the mayor, thanked all helpers. The money, {she} said, will come from {source}.
| "We will manage," said {mayor}, the mayor, and explained that the money will come from {source}.
- Not everybody is satisfied. {critic}, who owns a {shop}, says that the warning came {late} hours too late.
| {critic}, the owner of a {shop}, is angry: the warning, according to {critic}, came {late} hours too late.
? A meeting for all citizens will be held at the town hall soon.
| Children from the primary school have painted thank-you cards for the helpers.
- One person at least has good memories. {hero}, aged {age}, found {pet} in a garden and has been allowed to keep it.
| There was some good news, too: {hero}, who is {age}, saved {pet} and may keep it.
- The report was written by {author}, with photographs on page {page}.
| Text: {author}. More on page {page}.
"""
    _sites = ("the harbour", "the market hall", "the railway station", "the public library", "the football stadium")
    _sources = ("an emergency fund", "a bank loan", "private gifts", "the government", "the sale of some land")
    _shops = ("bakery", "bookshop", "flower shop", "bicycle shop", "small hotel")
    _pets = ("a young owl", "a lost kitten", "a frightened rabbit", "a tortoise")
    asks: ClassVar = {
        "headline": Headline(),
        "site": Value(
            "Which place suffered most?",
            "Where was the damage worst?",
            key="site", pool=_sites,
            why="The text says that the worst damage was at {site}.",
        ),
        "source": Value(
            "Where will the money for the repairs come from?",
            "How will the town pay for the repairs?",
            key="source", pool=_sources,
            why="The mayor said that the money will come from {source}.",
        ),
        "who": Value(
            "Who complained about the warning?",
            "Who thinks that people should have been warned earlier?",
            key="critic", rivals=("mayor", "hero", "author"),
            why="It was {critic} who said that the warning came {late} hours too late.",
        ),
        "kept": Value(
            "Who may keep an animal?",
            "Who has a new pet since those days?",
            key="hero", rivals=("mayor", "critic", "author"),
            why="The end of the text says that {hero} found {pet} and may keep it.",
        ),
    }  # fmt: skip

    def scene(self, rng: Random) -> Words:
        event, _, when = rng.choice(EVENTS)
        first, he = pupil(rng)
        families = rng.sample(FAMILY_NAMES, 4)
        return {
            "event": event, "when": when, "result": rng.choice(RESULTS)[0], "town": rng.choice(TOWNS),
            "day": str(rng.randint(1, 28)), "month": rng.choice(MONTHS), "calls": str(rng.randint(21, 88)),
            "hurt": str(rng.randint(3, 15)), "site": rng.choice(self._sites), "cost": f"{rng.randint(12, 95)},000",
            "mayor": f"{first} {families[0]}", "she": he, "source": rng.choice(self._sources),
            "critic": f"{pupil(rng)[0]} {families[1]}", "shop": rng.choice(self._shops), "late": str(rng.randint(2, 9)),
            "hero": f"{pupil(rng)[0]} {families[2]}", "age": str(rng.randint(7, 12)), "pet": rng.choice(self._pets),
            "author": f"{pupil(rng)[0]} {families[3]}", "page": str(rng.randint(3, 12)),
        }  # fmt: skip


STALL_AS_GERUND = pairs(
    table("""
sold waffles | selling waffles
showed magic tricks | showing magic tricks
painted faces | painting faces
ran a second-hand bookshop | running a bookshop
mended bicycles | mending bicycles
told fortunes | telling fortunes
sold lemonade | selling lemonade
took funny photographs | taking photographs
ran a quiz | running a quiz
sold potted herbs | selling herbs
""")
)
STALLS = tuple(STALL_AS_GERUND)


class Takings(Ask):
    """What a class made, where the text gives it by comparing it with another class."""

    questions = ("How much did Class {room2} make?", "What sum did Class {room2} collect?")
    why = (
        "Class {room0} made {cash0} dollars. Class {room1} made {more} dollars more, {cash0} + {more} = "
        "<<{cash0}+{more}={cash1_}>>{cash1_}, and Class {room2} half of that, {cash1_} / 2 = "
        "<<{cash1_}/2={cash2_}>>{cash2_} dollars."
    )

    def answer(self, facts: Facts) -> str:
        return f"${self._second(facts) // 2}"

    def wrong(self, facts: Facts, rng: Random) -> list[str]:
        second, first = self._second(facts), int(facts["cash0"])
        return [f"${value}" for value in (second, first, first // 2 + int(facts["more"]), 2 * second)]

    def fits(self, facts: Facts, choice: str) -> bool:
        return 2 * int(choice.removeprefix("$")) - int(facts["more"]) == int(facts["cash0"])

    def words(self, facts: Facts) -> Words:
        second = self._second(facts)
        return {"cash1_": str(second), "cash2_": str(second // 2)}

    @staticmethod
    def _second(facts: Facts) -> int:
        return int(facts["cash0"]) + int(facts["more"])


class Fair(Story):
    """A school fair: which class did what, what it was for, and who made how much."""

    name = "fair"
    passage = """
- On the last {weekday} in {month}, {school} School held its fair, the first one in {years} years.
| After a break of {years} years there was a fair again at {school} School, on the last {weekday} in {month}.
- All the money was meant for {aim}, so every class tried to do better than the others.
| The pupils wanted to raise money for {aim}, and they had been busy for weeks.
? In the morning it looked like rain, but by noon the sky was blue.
| Even the head teacher helped to carry tables into the yard.

- Class {room0} {stall0} next to the main gate, where nobody could pass without stopping.
| Nobody could miss Class {room0}: right at the main gate they {stall0}.
- In the gym, where it was nice and cool, Class {room1} {stall1}.
| Class {room1} had asked for the gym, and there they {stall1}.
- Class {room2} {stall2} under the chestnut trees. The queue was long, but nobody minded.
| Under the chestnut trees was the place of Class {room2}, who {stall2}.
- The pupils of Class {room3} were unlucky at first. They had planned a concert, but {mishap}. So they {stall3} instead.
| Class {room3} had meant to give a concert, but {mishap}. In the end they {stall3} in the corridor.
? Parents and neighbours came in large numbers and stayed until the evening.
| The little ones did not want to go home at all.

- At six o'clock the money was counted. Class {room0} had made {cash0} dollars, and Class {room1} even {more} dollars
  more than that.
| In the evening everybody waited for the results. Class {room0} had collected {cash0} dollars. The result of Class
  {room1} was {more} dollars better.
- Class {room2} came to half the sum of Class {room1}, although they had worked the hardest.
| As for Class {room2}, they had half as much as Class {room1}, but at least as much fun.
? "Next year we will be even better," the pupils promised.
| The head teacher thanked all of them and looked very pleased.
"""
    _aims = ("new instruments for the orchestra", "a well in a village in Africa", "a school garden",
             "an animal shelter", "the children's hospital", "a climbing wall in the yard")  # fmt: skip
    _mishaps = table("""
their singer lost her voice | Their singer could not sing.
the piano was out of tune | The piano was not in order.
the loudspeakers broke | The loudspeakers did not work.
two of the drummers had measles | Two musicians were ill.
the stage was needed by another group | They could not have the stage.
""")
    asks: ClassVar = {
        f"does{n}": Value(
            f"What did Class {{room{n}}} do at the fair?",
            f"How did the pupils of Class {{room{n}}} earn their money?",
            key=f"stall{n}", rivals=tuple(f"stall{m}" for m in range(4) if m != n), says=STALL_AS_GERUND,
            why=f"The text says that the pupils of Class {{room{n}}} {{stall{n}}}.",
        )
        for n in range(4)
    } | {
        "takings": Takings(),
        "aim": Value(
            "What was the money for?", "Why did the school want to raise money?",
            key="aim", pool=_aims, why="The beginning says that the money was meant for {aim}.",
        ),
        "mishap": Value(
            "Why was there no concert?", "Why did Class {room3} have to change its plan?",
            key="mishap", says=pairs(_mishaps), pool=tuple(row[0] for row in _mishaps),
            why="Class {room3} had planned a concert, but {mishap}.",
        ),
    }  # fmt: skip

    def scene(self, rng: Random) -> Words:
        first = rng.randrange(80, 240, 2)
        stalls = rng.sample(STALLS, 4)
        rooms = rng.sample([f"{year}{letter}" for year in range(5, 10) for letter in "ABC"], 4)
        return {
            "weekday": rng.choice(("Friday", "Saturday", "Sunday")), "month": rng.choice(("May", "June", "September")),
            "school": rng.choice(TOWNS), "years": str(rng.randint(2, 9)), "aim": rng.choice(self._aims),
            "cash0": str(first), "more": str(rng.randrange(12, 60, 2)), "mishap": rng.choice(self._mishaps)[0],
        } | {f"stall{n}": stalls[n] for n in range(4)} | {f"room{n}": rooms[n] for n in range(4)}  # fmt: skip


class Rank(Ask):
    """Who came in at one of the places, from sentences that compare two at a time."""

    PLACES: ClassVar = ("first", "second", "third", "fourth")

    def __init__(self, place: int) -> None:
        self.place = place
        word = self.PLACES[place]
        self.questions = (f"Who came {word}?", f"Which of the runners finished in {word} place?")
        self.why = (
            "{b} was {gap1} seconds behind {a}, {c} was {gap2} seconds ahead of {a}, and {d} was {gap3} seconds behind "
            "{c}. Counted from {c}, that is {c} 0, {a} {gap2}, {b} {late_}, {d} {gap3}; so "
            + f"{word} is "
            + "{answer}."
        )

    @staticmethod
    def behind(facts: Facts) -> dict[str, int]:
        """How many seconds after {c} each runner finished."""
        gap1, gap2, gap3 = (int(facts[f"gap{n}"]) for n in (1, 2, 3))
        return {facts["c"]: 0, facts["a"]: gap2, facts["b"]: gap2 + gap1, facts["d"]: gap3}

    def answer(self, facts: Facts) -> str:
        late = self.behind(facts)
        return sorted(late, key=lambda name: late[name])[self.place]

    def wrong(self, facts: Facts, rng: Random) -> list[str]:
        right = self.answer(facts)
        return [name for name in self.behind(facts) if name != right]

    def fits(self, facts: Facts, choice: str) -> bool:
        late = self.behind(facts)
        return sum(other < late[choice] for other in late.values()) == self.place

    def words(self, facts: Facts) -> Words:
        return {"late_": str(int(facts["gap1"]) + int(facts["gap2"]))}


def _lead(facts: Facts) -> int:
    return abs(int(facts["gap1"]) + int(facts["gap2"]) - int(facts["gap3"]))


class Race(Story):
    """A run told from the runners' sides; the order has to be put together."""

    name = "race"
    passage = """
- More than {crowd} people came to watch the {town} Forest Run on {weekday}, although it was {weather}.
| In spite of the bad weather, more than {crowd} people stood along the track of the {town} Forest Run on
  {weekday}. It was {weather}.
- The track was {length} kilometres long and led through {feature} twice.
| The runners had to cover {length} kilometres, and twice their way went through {feature}.
? At the start everybody was nervous, and one boy had even forgotten his shoes.
| The youngest runner was eleven and waved to the crowd all the time.

- Most people had expected {a} to win, but {a} had trouble with {trouble} and looked tired at the end.
| The favourite was {a}. Half-way through the run, however, {trouble} gave {a} a lot of trouble.
- Even so, {b} could not catch up and finished {gap1} seconds after {a}.
| Still, {a} was good enough to leave {b} behind: {b} reached the line {gap1} seconds later.
- {c} ran a clever race and crossed the line {gap2} seconds before {a}, to the great surprise of everyone.
| The surprise of the day was {c}, who came in {gap2} seconds ahead of {a}.
- And {d}? {d} had stopped to help {helped}, who had fallen, and arrived {gap3} seconds after {c}.
| {d} lost time by helping {helped}, who had fallen, to get up, and came in {gap3} seconds behind {c}.
? Nobody else came close to these four.
| The rest of the field followed much later.

- The prizes were handed over by {guest}, who had won the same run {ago} years before.
| Then came the prizes, handed over by {guest}, the winner of {ago} years ago.
- The loudest cheers, however, were for {d}, who got a special medal for being fair.
| Afterwards {d} was called up and given a special medal for fairness, and the crowd would not stop clapping.
? Next year's run will start an hour earlier.
| "I shall be back," said {b} with a smile.
"""
    _guests = ("the baker of the town", "a young policewoman", "the sports teacher", "a well-known doctor")
    _features = ("a shallow stream", "a dark tunnel", "a field of mud", "an old quarry")
    _troubles = ("an old shoe", "a stitch in the side", "a stone in one shoe", "a sore knee")
    asks: ClassVar = {f"rank{place}": Rank(place) for place in range(4)} | {
        "gap": Computed(
            "How many seconds lay between {b} and {d}?", "By how many seconds were {b} and {d} apart at the finish?",
            compute=lambda facts: f"{_lead(facts)} seconds",
            near=lambda facts: [
                f"{value} seconds" for value in (
                    int(facts["gap1"]) + int(facts["gap3"]), int(facts["gap1"]) + int(facts["gap2"]), _lead(facts) + 5,
                    int(facts["gap3"]), _lead(facts) + 2, _lead(facts) + 11,
                )
            ],
            holds=lambda facts, choice: int(choice.split()[0]) in (
                int(facts["gap3"]) - int(facts["gap2"]) - int(facts["gap1"]),
                int(facts["gap2"]) + int(facts["gap1"]) - int(facts["gap3"]),
            ),
            why="{b} came in {gap2} + {gap1} seconds after {c}, and {d} {gap3} seconds after {c}: they were {answer} "
            "apart.",
        ),
    }  # fmt: skip

    def scene(self, rng: Random) -> Words:
        names: list[str] = []
        while len(names) < 5:
            name = pupil(rng)[0]
            if name not in names:
                names.append(name)
        while True:
            gap1, gap2, gap3 = rng.randint(3, 30), rng.randint(3, 30), rng.randint(3, 60)
            if len({0, gap2, gap2 + gap1, gap3}) == 4:
                break
        return dict(zip(("a", "b", "c", "d", "helped"), names, strict=True)) | {
            "gap1": str(gap1), "gap2": str(gap2), "gap3": str(gap3), "crowd": str(rng.randrange(200, 900, 50)),
            "town": rng.choice(TOWNS), "weekday": rng.choice(("Saturday", "Sunday")),
            "weather": rng.choice(("cold and wet", "raining hard", "very windy", "foggy and grey")),
            "length": str(rng.randint(5, 12)), "feature": rng.choice(self._features), "guest": rng.choice(self._guests),
            "trouble": rng.choice(self._troubles), "ago": rng.choice(("five", "eight", "ten", "twelve")),
        }  # fmt: skip
