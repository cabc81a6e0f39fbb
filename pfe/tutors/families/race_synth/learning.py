"""Passages to learn from: an experiment, instructions, a life, an interview, a story with a hard word.

Example (instructions): "... Leave the lid open overnight, so that the paper can dry ..." Question: "What is the
purpose of opening the lid?" Answer: "So that the paper can dry."
"""

from random import Random
from typing import ClassVar

from pfe.tutors.families.race_synth.story import Ask, Computed, Sequence, Story, Value, Words
from pfe.tutors.families.race_synth.words import (
    FAMILY_NAMES,
    TOWNS,
    WEEKDAYS,
    clock,
    minutes,
    pairs,
    pronouns,
    pupil,
    spell,
    table,
    unspell,
)
from pfe.tutors.family import Facts

# What is measured | the factor | what is kept the same | four conditions, from the highest result to the lowest
EXPERIMENTS = table("""
how many bubbles of gas yeast makes | the temperature of the water | the amount of sugar | at forty degrees; at thirty\
 degrees; at twenty degrees; at five degrees
how fast a cup of tea cools down | the wrapping of the cup | the size of the cup | with no wrapping; in one sheet of\
 paper; in a cotton cloth; in a thick woollen scarf
how far a toy car rolls | the surface of the floor | the height of the ramp | on smooth tiles; on bare wood; on a thin\
 mat; on a thick carpet
how quickly sugar dissolves | the temperature of the water | the amount of water | at eighty degrees; at sixty degrees;\
 at forty degrees; at ten degrees
how much a wet cloth dries in an hour | the place where it hangs | the size of the cloth | in the sun with a fan; in\
 the sun without a fan; in the shade; in a closed plastic box
how high a ball bounces | the height of the fall | the kind of ball | from two metres; from one and a half metres; from\
 one metre; from half a metre
how long the shadow of a stick is | the height of the lamp | the length of the stick | with the lamp very low; with the\
 lamp fairly low; with the lamp fairly high; with the lamp very high
how much water a sponge holds | the size of the sponge | the kind of sponge | with a whole sponge; with three quarters\
 of it; with half of it; with a quarter of it
how many cress seeds sprout in four days | the amount of water | the number of seeds | with a wet towel; with a damp\
 towel; with a slightly damp towel; with a dry towel
""")
_FACTORS = tuple(dict.fromkeys(row[1] for row in EXPERIMENTS))
_SAME = tuple(dict.fromkeys(row[2] for row in EXPERIMENTS))
_MEASURED = tuple(row[0] for row in EXPERIMENTS)


class Share(Ask):
    """Which group worked under a condition that came out at some place, from results given by comparison."""

    questions = ("Which group had the {place_} highest result?", "Whose result was the {place_} highest of the four?")
    why = (
        "The report orders the conditions by result: {c0}, {c1}, {c2}, {c3}. The {place_} of them was the condition of "
        "Group {letter_}."
    )
    ORDER = ("second", "third")

    def draw(self, facts: Facts, rng: Random) -> Words:
        return {"place_": rng.choice(self.ORDER)}

    def answer(self, facts: Facts) -> str:
        condition = facts[f"c{1 + self.ORDER.index(facts['place_'])}"]
        return next(f"Group {letter}" for letter in "ABCD" if facts[f"of{letter}"] == condition)

    def wrong(self, facts: Facts, rng: Random) -> list[str]:
        return [f"Group {letter}" for letter in "ABCD" if f"Group {letter}" != self.answer(facts)]

    def fits(self, facts: Facts, choice: str) -> bool:
        condition = facts[f"of{choice.removeprefix('Group ')}"]
        above = [n for n in range(4) if n < [facts[f"c{m}"] for m in range(4)].index(condition)]
        return len(above) == 1 + self.ORDER.index(facts["place_"])

    def words(self, facts: Facts) -> Words:
        return {"letter_": self.answer(facts).removeprefix("Group ")}


class Experiment(Story):
    """A class experiment: what was changed, what was kept, which group had which result."""

    name = "experiment"
    passage = """
- Does it make a difference? In the science club of {town} School this question is asked every {weekday}.
| The science club of {town} School meets every {weekday}, and nobody there believes anything without a test.
- This month the pupils wanted to find out {measured}.
| Their latest project was about a simple question: they tested {measured}.
- Their teacher, {teacher}, told them to change only one thing, {factor}, and to leave everything else as it was.
| "Change one thing only, or you will learn nothing," said {teacher}, their teacher. So they changed {factor}.
- They took special care that {same} was equal in all four groups.
| What had to be equal in all four groups was {same}, which they checked twice.

- Group A did the test {ofA}, and Group B {ofB}.
| There were four groups: Group A worked {ofA}, Group B {ofB}.
- The other two groups, C and D, worked {ofC} and {ofD}.
| Group C did the same {ofC}, and Group D {ofD}.
? To be on the safe side, everything was written down by two people.
| One of the groups had to start again, because somebody had knocked over the table.
- Each group repeated its test {times} times, because {reason}.
| Every test was done {times} times, because {reason}.
? It took them the whole afternoon, and nobody noticed the time.
| By five o'clock the floor was wet and the notebooks were full.

- The results were clear. They were highest {c0} and lowest {c3}.
| Nobody could doubt the results, which were highest {c0} and lowest {c3}.
- In between came those {c1}, which were clearly better than those {c2}.
| Of the two in the middle, the result {c2} was lower than the one {c1}.
? "Now we know, and we can prove it," {pupil} said proudly.
| {pupil} has drawn a poster that shows the numbers as coloured bars.
- Next month they will build {next}.
| They already have a plan for next month: they want to build {next}.
"""
    _reasons = table("""
a single result may be an accident | One result alone may be due to chance.
the first numbers had been read badly | The first numbers were not read well.
the members of the group did not agree | The members had different opinions.
the clock had stopped during the first try | The clock had failed at first.
""")
    _nexts = ("a small wind turbine", "a rain gauge", "a solar oven", "a bridge of paper", "a simple telescope")
    asks: ClassVar = {
        "factor": Value(
            "What did the pupils change on purpose?", "Which of these was different from group to group?",
            key="factor", rivals=("same", "measured"), pool=_FACTORS,
            why="The teacher let them change only one thing, {factor}.",
        ),
        "same": Value(
            "What was the same for all four groups?", "What did the pupils make sure not to change?",
            key="same", rivals=("factor",), pool=_SAME,
            why="They took care that one thing was equal in all groups: {same}.",
        ),
        "place": Share(),
        "reason": Value(
            "Why was every test done more than once?", "Why did the groups repeat their tests?",
            key="reason", says=pairs(_reasons), pool=tuple(row[0] for row in _reasons),
            why="The tests were repeated because {reason}.",
        ),
        "measured": Value(
            "What did the pupils want to find out?", "Which question did the experiment answer?",
            key="measured", pool=_MEASURED, why="The report says that they wanted to find out {measured}.",
        ),
    }  # fmt: skip

    def scene(self, rng: Random) -> Words:
        measured, factor, same, listed = rng.choice(EXPERIMENTS)
        conditions = listed.split("; ")
        groups = dict(zip(("ofA", "ofB", "ofC", "ofD"), rng.sample(conditions, 4), strict=True))
        return groups | {f"c{n}": condition for n, condition in enumerate(conditions)} | {
            "measured": measured, "factor": factor, "same": same, "town": rng.choice(TOWNS),
            "weekday": rng.choice(WEEKDAYS[:5]), "teacher": f"{rng.choice(('Mr', 'Ms'))} {rng.choice(FAMILY_NAMES)}",
            "times": rng.choice(("three", "four", "five", "six")), "reason": rng.choice(self._reasons)[0],
            "pupil": pupil(rng)[0], "next": rng.choice(self._nexts),
        }  # fmt: skip


# For each project five steps: what to do | the same as a gerund | what it is good for
PROJECTS = {
    "a bird feeder from an old milk carton": table("""
wash the carton with hot water | washing the carton | no sour milk makes the birds ill
cut a window into one side | cutting a window | the birds can get in
push a stick through below the window | putting in a stick | the birds have something to sit on
make a few small holes in the bottom | making holes in the bottom | rain water can run out
hang it high up in a tree | hanging it in a tree | no cat can reach it
"""),
    "a photo frame from driftwood": table("""
leave the wood in the sun for a week | drying the wood | it does not rot later
rub the pieces with sandpaper | rubbing the wood with sandpaper | nobody gets splinters in the fingers
lay the pieces out before you use any glue | laying out the pieces | you can still change the pattern
put some heavy books on the glued wood | putting books on the wood | it stays flat while it dries
fix a thin piece of glass in front | putting in the glass | dust cannot spoil the picture
"""),
    "a small pond in a wooden tub": table("""
choose a spot that is half in the shade | choosing a spot | the water does not get too warm
line the tub with thick plastic | lining the tub with plastic | the tub does not leak
cover the bottom with gravel | covering the bottom with gravel | the plants have something to hold on to
fill it with rain water | filling it with rain water | there is not too much lime in it
lean a flat piece of wood against the edge | leaning wood against the edge | small animals can climb out
"""),
    "your own notebook": table("""
fold all the sheets in the middle | folding the sheets | they lie inside one another
press the fold with a spoon | pressing the fold with a spoon | the book does not spring open
make five holes along the fold | making the holes | the needle goes through easily
pull the thread through some wax | waxing the thread | it does not get into knots
glue strong card around the outside | gluing card around it | the corners do not bend in your bag
"""),
    "a cushion from an old jumper": table("""
wash the jumper in very hot water | washing the jumper | the wool becomes thick and firm
turn it inside out | turning it inside out | the seams will be hidden later
sew three of the four sides | sewing three sides | there is still a gap to put in the filling
fill it with scraps of cloth | filling it with scraps | it becomes soft without costing anything
close the last side with a zip | putting in a zip | you can take the cover off again
"""),
    "a herb box for the kitchen window": table("""
drill some holes into the bottom | drilling holes | the roots do not stand in water
paint the outside with oil | painting the outside | the wood lasts longer
put a layer of stones at the bottom | putting in stones | the holes are not blocked by earth
mix the earth with some sand | mixing earth and sand | it does not become too hard
plant mint in a pot of its own | planting the mint | it does not push out the other herbs
"""),
}
_GERUNDS = {order: gerund for steps in PROJECTS.values() for order, gerund, _ in steps}

_ORDER = {
    "after": ("Which step comes straight after {did_}?", "What should the reader go on to after {did_}?"),
    "before": ("Which step comes just before {did_}?", "What must have been done immediately before {did_}?"),
    "first": ("Which of these steps comes first?", "With which step do the instructions begin?"),
    "last": ("Which of these steps comes last?", "With which step do the instructions end?"),
}


class Purpose(Ask):
    """What a step of the instructions is good for."""

    questions = ("What is the purpose of {doing_}?", "Why does the writer recommend {doing_}?")
    why = "The sentence about {doing_} gives the reason: {answer}"

    def draw(self, facts: Facts, rng: Random) -> Words:
        return {"doing_": _GERUNDS[facts[f"s{rng.randrange(5)}"]]}

    def answer(self, facts: Facts) -> str:
        place = [_GERUNDS[facts[f"s{n}"]] for n in range(5)].index(facts["doing_"])
        return f"So that {facts[f'w{place}']}."

    def wrong(self, facts: Facts, rng: Random) -> list[str]:
        others = [f"So that {facts[f'w{n}']}." for n in range(5)]
        others.remove(self.answer(facts))
        rng.shuffle(others)
        return others

    def fits(self, facts: Facts, choice: str) -> bool:
        aim = choice.removeprefix("So that ").removesuffix(".")
        place = next(n for n in range(5) if facts[f"w{n}"] == aim)
        return bool(_GERUNDS[facts[f"s{place}"]] == facts["doing_"])


class HowTo(Story):
    """Instructions with reasons: order and purpose of the steps."""

    name = "how_to"
    passage = """
- Do you have a free {time}? Then make {thing}.
| You do not have to buy everything. Why not use a free {time} and make {thing} yourself?
- It costs less than {cost} dollars, and {who} can help you if you are not used to working with your hands.
| The whole thing will cost you no more than {cost} dollars. If you have never done anything like it, ask {who} to help.
? Read everything to the end before you start.
| Put on old clothes, for your new ones are too good for it.

- To begin with, {s0}, so that {w0}.
| Here is what to do first: {s0}, so that {w0}.
? Do not hurry, even if it seems a small thing.
| I left this out once and was sorry for it later.
- When that is done, {s1}. This is needed so that {w1}.
| Now {s1}. The reason for this is simple: you do it so that {w1}.
- The next step is the one that many people forget: {s2}, so that {w2}.
| After this, {s2}. You will see later why it matters: you want to make sure that {w2}.
? This is a good moment for a cup of tea.
| If something goes wrong here, simply try again.
- Then {s3}, so that {w3}.
| Before you come to the end, {s3}. It is worth the trouble, so that {w3}.
- Finally, {s4}. You should do this so that {w4}.
| There is only one thing left to do: {s4}, so that {w4}.

- My first try looked {look}, but {friend} still has it and says it is the nicest present of all.
| The one I made as a child looked {look}. All the same, {friend} has kept it to this day.
? Send us a photo when you have finished.
| Have fun, and tell your friends about it.
"""
    asks: ClassVar = {
        place: Sequence(
            place, _ORDER, ("s0", "s1", "s2", "s3", "s4"), _GERUNDS,
            "In the instructions the steps come in this order: {s0}; {s1}; {s2}; {s3}; {s4}. So it is {answer}.",
        )
        for place in Sequence.PLACES
    } | {"purpose": Purpose()}  # fmt: skip

    def scene(self, rng: Random) -> Words:
        thing = rng.choice(list(PROJECTS))
        steps = PROJECTS[thing]
        return {
            "thing": thing, "time": rng.choice(("afternoon", "weekend", "Saturday", "day in the holidays")),
            "cost": rng.choice(("three", "five", "six", "eight", "ten")),
            "who": rng.choice(("an uncle", "a grandmother", "a patient neighbour", "an elder sister", "a friend")),
            "look": rng.choice(("rather crooked", "terrible", "quite funny", "far from perfect")),
            "friend": rng.choice(("my aunt", "my godfather", "my old teacher", pupil(rng)[0])),
        } | {f"s{n}": step[0] for n, step in enumerate(steps)} | {
            f"w{n}": step[2] for n, step in enumerate(steps)
        }  # fmt: skip


TURNS = table("""
a clockmaker | repaired clocks | the workshop burned down one night
a teacher | taught children to read | the village school was closed
a sailor | carried coal along the coast | an injury to one arm made work on board impossible
a baker | baked bread for the whole street | flour dust had made breathing difficult
a tailor | made suits for rich people | machines had begun to do the work for less money
a miner | worked under the ground | the mine was given up
a bank clerk | counted other people's money | nine hours a day at a desk had become unbearable
""")
CALLINGS = table("""
writing books for children | a book about a lost kite | children's books
building musical instruments | a harp with forty strings | instruments
drawing maps of the mountains | a map of all the footpaths | maps
taking pictures of birds | a picture of a heron in the mist | pictures
growing new kinds of roses | a rose that flowers in winter | roses
painting signs for shops | a sign with a golden lion | signs
""")


class Year(Computed):
    """In which year something happened, from a year and the ages in other sentences."""

    def __init__(self, *questions: str, years: tuple[str, ...], why: str) -> None:
        super().__init__(
            *questions,
            compute=lambda facts: str(sum(int(facts[name]) for name in years)),
            near=lambda facts: [
                str(sum(int(facts[name]) for name in years) + slip) for slip in (-10, -5, -2, 2, 5, 10)
            ],
            holds=lambda facts, choice: int(choice) - sum(int(facts[name]) for name in years[1:]) == int(facts["born"]),
            why=why,
        )


class Life(Story):
    """The life of an invented person: years, places, and why there was a change."""

    name = "life"
    passage = """
- {full} was born in {town1} in {born}, the {nth} child of a {parent}.
| In {born} a {parent} in {town1} had a {nth} child, who was given the name {full}.
? There was little money in the house, but there was always singing.
| At school nobody thought that this quiet child would ever be famous.
- At the age of {age1}, {first} left home and moved to {town2} to learn the trade of {trade}.
| {first} was only {age1} when {he} moved to {town2} to learn the trade of {trade}.
- For many years {he} {work} there and was quite content with that.
| There {he} {work} for many years and did not wish for anything else.
? On Sundays {he} took long walks outside the town.
| Letters from this time show that {he} worked from morning to night.

- Then everything changed. {First} had to look for something new, because {cause}.
| The great change came without warning. {First} had to give up the old life, because {cause}.
- {years} years after coming to {town2}, {he} moved on to {town3} and began {calling}, at first only for friends.
| So, {years} years after the move to {town2}, {he} went to {town3}, and it was there that {he} started {calling}.
? People laughed at first, and even the family shook their heads.
| It was a hard beginning, and the first winter was cold.
- Success came slowly. The work that made the name known everywhere was {work2}, which {helper} paid for.
| It was thanks to {helper}, who gave the money for it, that {first} could make {work2}, and it became famous.
- Later {first} was offered a house in the capital, but {he} preferred to go to {town4}, where {he} died at {age2}.
| In old age {he} went to live in {town4}, far from the noise of the capital, and died there at {age2}.

- Today a small museum in {town3} keeps {his} {kind}, and {prize} is named after {him}.
| {His} {kind} can be seen in a small museum in {town3}. There is also {prize} that bears {his} name.
"""
    _prizes = ("a school", "a street", "a prize for young people", "a railway station", "a ship")
    _helpers = ("a widow from the neighbourhood", "a rich merchant", "the town council", "a former pupil",
                "an English lady")  # fmt: skip
    asks: ClassVar = {
        "moved": Year(
            "In which year did {first} move to {town2}?", "When did {first} leave {town1}?",
            years=("born", "age1"),
            why="Born in {born} and {age1} years old then: {born} + {age1} = <<{born}+{age1}={answer}>>{answer}.",
        ),
        "turned": Year(
            "In which year did {first} move to {town3}?", "When did {first} leave {town2}?",
            years=("born", "age1", "years"),
            why="{born} + {age1} + {years} = <<{born}+{age1}+{years}={answer}>>{answer}: birth, age at the first move, "
            "years until the second.",
        ),
        "died": Year(
            "In which year did {first} die?", "When did the life of {first} end?", years=("born", "age2"),
            why="Born in {born}, {he} died at {age2}: {born} + {age2} = <<{born}+{age2}={answer}>>{answer}.",
        ),
        "cause": Value(
            "Why did {first} have to give up the trade of {trade}?",
            "What put an end to the work of {first} in {town2}?",
            key="cause", says={row[2]: row[2][0].upper() + row[2][1:] + "." for row in TURNS},
            pool=tuple(row[2] for row in TURNS), why="The second part says that the change came because {cause}.",
        ),
        "old": Value(
            "Where did {first} spend the last years?", "In which place did {first} live as an old person?",
            key="town4", rivals=("town1", "town2", "town3"),
            why="Born in {town1}, {first} worked in {town2} and {town3}, but in old age lived in {town4}.",
        ),
        "famous": Value(
            "Where did {first} start {calling}?", "In which town did {first} begin {calling}?",
            key="town3", rivals=("town1", "town2", "town4"),
            why="The text says that {he} went to {town3} and started {calling} there.",
        ),
        "helper": Value(
            "Who made the most famous work of {first} possible?", "Who paid for the best-known work of {first}?",
            key="helper", pool=_helpers, why="The text says that {helper} paid for it.",
        ),
    }  # fmt: skip

    def scene(self, rng: Random) -> Words:
        first, he = pupil(rng)
        trade, work, cause = rng.choice(TURNS)
        calling, famous, kind = rng.choice(CALLINGS)
        towns = rng.sample(TOWNS, 4)
        forms = pronouns(he)
        age = rng.randint(14, 19)
        years = rng.randint(11, 25)
        return {f"town{n}": town for n, town in enumerate(towns, 1)} | {
            "full": f"{first} {rng.choice(FAMILY_NAMES)}", "first": first, "First": first, "he": forms["he"],
            "his": forms["his"], "His": forms["His"], "him": forms["him"], "born": str(rng.randint(1801, 1905)),
            "nth": rng.choice(("second", "third", "fourth", "sixth", "seventh")),
            "parent": rng.choice(("ferryman", "shoemaker", "postman", "gardener", "miller", "fisherman")),
            "age1": str(age), "trade": trade, "work": work, "cause": cause, "years": str(years), "calling": calling,
            "work2": famous, "kind": kind, "helper": rng.choice(self._helpers), "age2": str(rng.randint(66, 94)),
            "prize": rng.choice(self._prizes),
        }  # fmt: skip


# A job that is never named | what lies about | what the day is like | the hardest thing
JOBS = table("""
a beekeeper | white hats with nets and a little smoker | In May I must catch a swarm almost every day | carrying the\
 full honeycombs
a dentist | tiny mirrors and a big chair that goes up and down | I tell people to open wide thirty times a day |\
 calming down frightened children
a watchmaker | magnifying glasses and hundreds of tiny wheels | I make things tick that have stood still for years |\
 finding parts that nobody makes any more
a librarian | a trolley full of novels and a box of stamps | I spend half my time putting things back on the right\
 shelf | asking people not to whisper
a tram driver | a bell, a lever and a timetable | I go to the harbour and back eleven times a day | stopping in time\
 when somebody runs across the rails
a letter carrier | rubber bands and a yellow bicycle | I know every letter box in eight streets | meeting dogs that do\
 not like me
a vet | bandages in all sizes and a scale for dogs | My patients cannot tell me where it hurts | giving owners bad news
a piano tuner | a fork of steel and a bag of felt | I strike the same key a hundred times until it sounds right |\
 working while children play next door
a fire fighter | helmets on hooks and rolled-up hoses | When the bell rings, I have one minute to be in the car |\
 sleeping in my clothes
""")
ADVICE = table("""
learn to listen before you speak
never be ashamed to ask
do everything as if someone were watching
go home on time at least once a week
write down your mistakes and read them again
start with the thing you like least
""")


class Job(Ask):
    """What somebody does for a living, from two sentences that do not name it."""

    questions = ("What does {name} most probably do for a living?", "What can we infer about {name}?")
    why = 'No sentence names the job, but "{tools}" and "{day}" fit only {job_}.'

    def answer(self, facts: Facts) -> str:
        return f"{facts['He']} is {pairs(JOBS, 1, 0)[facts['tools']]}."

    def wrong(self, facts: Facts, rng: Random) -> list[str]:
        jobs = [f"{facts['He']} is {row[0]}." for row in JOBS]
        jobs.remove(self.answer(facts))
        rng.shuffle(jobs)
        return jobs

    def fits(self, facts: Facts, choice: str) -> bool:
        row = next(row for row in JOBS if choice == f"{facts['He']} is {row[0]}.")
        return (row[2], row[3]) == (facts["day"], facts["hard"])

    def words(self, facts: Facts) -> Words:
        return {"job_": pairs(JOBS, 1, 0)[facts["tools"]]}


class Interview(Story):
    """An interview that never names the job: inference, hours, details."""

    name = "interview"
    passage = """
- For our series "People at work" we visited {full} in {town}. {He} has done the same job for {years} years.
| This month our school magazine talked to {full}. {He} has worked in {town} for {years} years.
? When we came in, {he} was drinking coffee from a very large cup.
| {He} had put on {his} best shirt for the photo.
- Wherever we looked, we saw {tools}.
| The first things that we noticed were {tools}.

- Q: When does your day begin, {name}?
| Q: At what time do you get to work?
- A: I start at {start}, and I do not stop before {end}. In between I have a break of {pause} minutes for lunch.
| A: I begin at {start} and finish at {end}, but there is a break of {pause} minutes at noon.
? I used to be late every day, but that is a long time ago.
| My neighbours think that I am mad, but I love the quiet hours.

- Q: What is a normal day like?
| Q: Can you tell us a little about your day?
- A: {day}. I would not want to do anything else.
| A: No two days are the same, but one thing never changes. {day}.
- Q: And what is the hardest part of it?
| Q: There must be things that you do not like.
- A: That is easy to answer: {hard}. After all these years I still find it difficult.
| A: If you ask me about the hardest part, it is {hard}. One never gets used to it.

- Q: How did you come to choose this job?
| Q: What made you choose this job?
- A: It was {reason}. Before that I wanted to become {dream}, like all my friends.
| A: At first I wanted to become {dream}. What changed my mind was {reason}.
- Q: Do you have any advice for our readers?
| Q: What would you tell a young person who is about to leave school?
- A: If I may give a piece of advice, {advice}. Everything else will come by itself.
| A: Only this: {advice}. I wish somebody had told me that at sixteen.
? Q: Thank you for your time.
| We thanked {name} and promised to come back.
"""
    _reasons = table("""
a film I saw when I was ten | a film
a visit to my uncle's workplace | a visit to a relative at work
an advert in a newspaper | an advert
a talk with a stranger on a train | a talk on a train
a holiday job | a job in the holidays
""")
    _dreams = ("a pilot", "a singer", "a football player", "an actor", "a detective", "a racing driver")
    asks: ClassVar = {
        "job": Job(),
        "hours": Computed(
            "How long does {name} work each day, without the break?",
            "If we do not count the break, how many hours and minutes a day does {name} work?",
            compute=lambda facts: _spent(facts, 1),
            near=lambda facts: [_spent(facts, 0), _spent(facts, 2), _spent(facts, 1, 60), _spent(facts, 1, -60)],
            holds=lambda facts, choice: (
                clock(minutes(facts["start"]) + int(facts["pause"]) + unspell(choice)) == facts["end"]
            ),
            why="From {start} to {end}, less the break of {pause} minutes, is {answer}.",
        ),
        "advice": Value(
            "What advice does {name} give?", "What does {name} tell young people to do?",
            key="advice", pool=tuple(row[0] for row in ADVICE), why="In the last answer {name} says: {advice}.",
        ),
        "reason": Value(
            "What made {name} choose the job?", "What changed the plans of {name}?",
            key="reason", says=pairs(_reasons), pool=tuple(row[0] for row in _reasons),
            why="Asked about the choice, {name} answers that it was {reason}.",
        ),
        "dream": Value(
            "What did {name} first want to become?", "Which job did {name} dream of at first?",
            key="dream", pool=_dreams, why="Before, {name} wanted to become {dream}.",
        ),
    }  # fmt: skip

    def scene(self, rng: Random) -> Words:
        name, he = pupil(rng)
        _, tools, day, hard = rng.choice(JOBS)
        start = rng.randrange(5 * 60, 9 * 60, 15)
        forms = pronouns(he)
        return {
            "full": f"{name} {rng.choice(FAMILY_NAMES)}", "name": name, "he": forms["he"], "He": forms["He"],
            "his": forms["his"], "town": rng.choice(TOWNS), "years": str(rng.randint(6, 38)), "tools": tools,
            "day": day, "hard": hard, "start": clock(start), "end": clock(start + rng.randrange(7 * 60, 10 * 60, 15)),
            "pause": rng.choice(("20", "35", "40", "50")), "reason": rng.choice(self._reasons)[0],
            "dream": rng.choice(self._dreams), "advice": rng.choice(ADVICE)[0],
        }  # fmt: skip


# A word | what it means | how the passage shows it
WORDS = table("""
reluctant | not willing | she kept finding reasons to stay at home
exhausted | very tired | she could hardly lift her arms after the long climb
furious | very angry | she slammed the door so hard that a cup fell off the shelf
thrilled | very pleased and excited | she danced around the kitchen and rang all her friends
puzzled | unable to understand | she read the note three times and still had no idea what it meant
suspicious | not trusting somebody | she checked twice whether the stranger's story was true
anxious | worried | she lay awake and thought of all that might go wrong
confident | sure of success | she told everybody that it could not fail
ashamed | feeling bad about one's own mistake | she looked at the floor and wished she had acted differently
grateful | wanting to say thanks | she baked a cake for everyone who had helped her
indifferent | not interested | she went on reading and did not even look up
envious | wishing to have what others have | she could not stop looking at her sister's new bicycle
impatient | not able to wait | she walked up and down and looked at the clock every minute
""")


class Meaning(Ask):
    """What a word means, from the sentence that shows it."""

    meanings: ClassVar = pairs(WORDS)

    def __init__(self, word: str, shown: str) -> None:
        self.word, self.shown = word, shown
        self.questions = (
            f'What does the word "{{{word}}}" in the text most probably mean?',
            f'From the text we can tell that "{{{word}}}" means ...',
        )
        self.why = f'The text shows what "{{{word}}}" means: {{{shown}}}. Whoever does that is {{answer}}.'

    def answer(self, facts: Facts) -> str:
        return self.meanings[facts[self.word]]

    def wrong(self, facts: Facts, rng: Random) -> list[str]:
        inside = self.meanings[facts["word1" if self.word == "word2" else "word2"]]
        others = [meaning for meaning in self.meanings.values() if meaning not in (inside, self.answer(facts))]
        return [inside, *rng.sample(others, 2)]

    def fits(self, facts: Facts, choice: str) -> bool:
        acts = next(row[2] for row in WORDS if row[1] == choice)
        return facts[self.shown] in (acts, _of_a_boy(acts))


class HardWord(Story):
    """A short story with two hard words, each of them shown by what somebody does."""

    name = "hard_word"
    passage = """
- In {town} there is {place} that everyone knows, and it has belonged to the {family} family for {years} years.
| The {family} family has owned {place} in {town} for {years} years, and nobody can imagine the town without it.
- When old Mr {family} fell ill last {season}, his grandchildren {a} and {b} had to decide what should become of it.
| Last {season} old Mr {family} fell ill, and it was up to {a} and {b}, his grandchildren, to take over.
? Neither of them had ever worked there for more than an hour.
| They had played there as children, but never worked.
- When {a} heard about the plan, {he1} was {word1}: {shown1}.
| {a} was {word1} from the first moment: {shown1}.
- It was different with {b}. {He2} was {word2}: {shown2}.
| {b}, on the other hand, was {word2}: {shown2}.
? Their parents said nothing and waited.
| Their friends had never seen them like that.

- For a week they hardly spoke about it. Then {guest} came by and asked for {wish}, as {he3} did every {weekday}.
| About a week later {guest} dropped in, as {he3} did every {weekday}, and wanted {wish}.
- There was nobody else to help, so the two of them had to work together, and it took them until the evening.
| As nobody else was there, they did it together, and it was evening before they had finished.
? They made many mistakes, but they laughed about each of them.
| Outside it was dark, and the street lamps were on.
- When {guest} paid them {pay} dollars and praised their work, they looked at each other and nodded.
| {guest} was more than satisfied, paid {pay} dollars and shook hands with both of them.

- Today a sign over the door has two new names on it, and Mr {family} comes by only to {habit}.
| Now it is {a} and {b} who open the door every morning, and Mr {family} visits them to {habit}.
? "I knew it all the time," he says.
| Some things, it seems, cannot be decided at a table.
"""
    _places = ("a bicycle workshop", "a small printing house", "a bakery", "a garden centre", "a shoe repair shop",
               "a puppet theatre", "a furniture workshop")  # fmt: skip
    _wishes = ("a present for a christening", "help with a large order", "something for the village feast",
               "a quick repair", "some good advice")  # fmt: skip
    _habits = ("drink his coffee", "read the newspaper", "tell old stories", "feed the cat", "look after the books")
    asks: ClassVar = {
        "first": Meaning("word1", "shown1"),
        "second": Meaning("word2", "shown2"),
        "habit": Value(
            "What does old Mr {family} come for today?", "Why does old Mr {family} still visit his grandchildren?",
            key="habit", pool=_habits, why="The end of the story says that he comes to {habit}.",
            says={habit: f"To {habit}." for habit in _habits},
        ),
        "wish": Value(
            "What did {guest} want?", "What was it that {guest} came for?",
            key="wish", pool=_wishes, why="The second part says that {guest} asked for {wish}.",
        ),
    }  # fmt: skip

    def scene(self, rng: Random) -> Words:
        (a, he1), (b, he2), (_, he3) = pupil(rng), pupil(rng), pupil(rng)
        while b == a:
            b, he2 = pupil(rng)
        first, second = rng.sample(WORDS, 2)
        family, guest = rng.sample(FAMILY_NAMES, 2)
        return {
            "town": rng.choice(TOWNS), "place": rng.choice(self._places), "family": family,
            "years": str(rng.randint(30, 99)), "season": rng.choice(("spring", "summer", "autumn", "winter")),
            "a": a, "b": b, "he1": he1, "He2": pronouns(he2)["He"], "word1": first[0], "word2": second[0],
            "shown1": first[2] if he1 == "she" else _of_a_boy(first[2]),
            "shown2": second[2] if he2 == "she" else _of_a_boy(second[2]),
            "guest": f"{'Mrs' if he3 == 'she' else 'Mr'} {guest}", "he3": he3, "wish": rng.choice(self._wishes),
            "weekday": rng.choice(WEEKDAYS), "pay": str(rng.randrange(20, 120, 5)), "habit": rng.choice(self._habits),
        }  # fmt: skip


def _of_a_boy(sentence: str) -> str:
    """The same sentence about a boy."""
    swap = {"she": "he", "her": "his"}
    return " ".join(swap.get(word, word) for word in sentence.replace("helped her", "lent a hand").split(" "))


def _spent(facts: Facts, pauses: int, slip: int = 0) -> str:
    """The time from start to end less the breaks, in words."""
    return spell(minutes(facts["end"]) - minutes(facts["start"]) - pauses * int(facts["pause"]) + slip)
