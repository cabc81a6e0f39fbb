"""Passages written by or about pupils: a diary, a letter, two friends, a lost thing, a journey.

Example (two friends): "Hana and Lotte have sat next to each other for three years ... Both of them can swim ... Only
Lotte plays an instrument ..." Question: "Who plays an instrument?" Answer: "Lotte".
"""

from random import Random
from typing import ClassVar

from pfe.tutors.families.race_synth.story import Ask, Claims, Sequence, Story, Value, Words
from pfe.tutors.families.race_synth.words import (
    BOYS,
    FAMILY_NAMES,
    GIRLS,
    MONTHS,
    TOWNS,
    WEEKDAYS,
    clock,
    pairs,
    pronouns,
    pupil,
    table,
)
from pfe.tutors.family import Facts

OUTINGS = {
    "a farm outside the town": table("""
fed the hens | feeding the hens
picked two baskets of beans | picking beans
helped to milk a goat | helping to milk a goat
cleaned out the stable | cleaning out the stable
painted a gate | painting a gate
made butter in a glass jar | making butter
learned how to shear a sheep | learning how to shear a sheep
"""),
    "the old harbour": table("""
climbed the lighthouse | climbing the lighthouse
went round the fish market | going round the fish market
learned to tie three knots | learning to tie knots
rowed across to the island | rowing to the island
talked to a retired captain | talking to a captain
drew the boats | drawing the boats
searched the rocks for crabs | searching for crabs
"""),
    "a paper factory": table("""
put on white helmets | putting on helmets
watched a film about forests | watching a film about forests
saw how old newspapers are washed | seeing how newspapers are washed
made a sheet of paper by hand | making a sheet of paper by hand
printed our names on cards | printing names on cards
asked the workers about their day | questioning the workers
weighed a huge roll of paper | weighing a roll of paper
"""),
    "the mountain centre": table("""
walked up to a frozen lake | walking to a frozen lake
learned to read a map | learning to read a map
practised on the low climbing wall | practising on the climbing wall
built a shelter out of branches | building a shelter
cooked soup over a fire | cooking soup over a fire
measured the depth of the snow | measuring the snow
followed the tracks of a fox | following the tracks of a fox
"""),
}
DOINGS = {past: doing for outing in OUTINGS.values() for past, doing in outing}
FEELINGS = table("""
dead tired | I had lain awake for most of the night before | The writer had hardly slept the night before.
in a bad mood | somebody had taken my new jacket by mistake | Somebody had taken the writer's jacket.
rather proud | the guide said that my questions were the best | The guide had praised the writer's questions.
wet to the skin | I had slipped and sat down in a ditch full of water | The writer had fallen into a ditch.
terribly hungry | I had left my lunch on the kitchen table | The writer had left the lunch at home.
quite hoarse | we had sung in the bus all the way | The writer had sung all the way in the bus.
still laughing | our driver told one joke after another | The driver had told many jokes.
a little sad | my best friend was ill and could not come | The writer's best friend had to stay away.
""")

ORDER = {
    "after": ("Which activity came straight after {did_}?", "What did the class go on to right after {did_}?"),
    "before": ("Which activity came just before {did_}?", "What had the class been doing right before {did_}?"),
    "first": ("Which of these activities came first?", "What did the class begin with?"),
    "last": ("Which of these activities came last?", "What did the class finish with?"),
}


class Diary(Story):
    """A school outing: the order of what was done, and why the writer feels as they do."""

    name = "diary"
    passage = """
- {weekday}, {day} {month}

- Today our class went to {place}, and I came home {feeling} because {cause}.
| Our class spent the day at {place}. Now I am sitting on my bed, {feeling}, because {cause}.
| I must write about our visit to {place} before I fall asleep. I was {feeling} when I got home because {cause}.
? Mum only shook her head when she saw me at the door.
| My little brother wanted to hear everything at once, but I sent him out of my room.
- The bus left school at {left}, ten minutes late, and it was noisy all the way.
| We set off at {left}, and half of the class had already eaten their sandwiches before we got there.

- First of all we {e1}, which took longer than our teacher had planned.
| There was no time to look around, for the work began straight away: first we {e1}.
? I was put into a group with {friend}, who knows everything and says so.
| I worked with {friend}, and we got on much better than I had expected.
- As soon as that was over, we {e2}.
| After that we {e2}.
| Next, we {e2}, and nobody wanted to stop.
? It looks easy when somebody shows you, but I needed three tries.
| Our teacher took at least fifty photos of it.
- Then came lunch, and straight after the meal we {e3}.
| We ate our lunch on some low walls in the sun. When the plates were empty, we {e3}.
- Only when everybody had finished were we called together again, and we {e4}.
| Later in the afternoon we {e4}.
- Before the bus came at {back}, there was just enough time for one more thing: we {e5}.
| To end the visit we {e5}, and at {back} the bus was waiting for us.

- If you ask me, {best} was the best part of the day.
| I will remember {best} for a long time.
? Tomorrow we have to write a report about it, so this page will be useful.
| I hope we go there again next year.
"""
    asks: ClassVar = {
        place: Sequence(
            place, ORDER, ("e1", "e2", "e3", "e4", "e5"), DOINGS,
            "The diary tells the visit in order: {e1}; {e2}; after lunch {e3}; later {e4}; at the end {e5}. "
            "So the answer is {answer}.",
        )
        for place in Sequence.PLACES
    } | {
        "cause": Value(
            "Why was the writer {feeling} in the evening?",
            "What was the reason that the writer came home {feeling}?",
            key="cause", says=pairs(FEELINGS, 1, 2), pool=tuple(row[1] for row in FEELINGS),
            why="The sentence about coming home gives the reason after 'because': {cause}.",
        ),
        "back": Value(
            "When did the bus come to take the class home?",
            "At what time was the bus for the way home there?",
            key="back", rivals=("left",), pool=tuple(map(clock, range(15 * 60, 18 * 60, 15))),
            why="The bus left school at {left}; the one for the way home was there at {back}.",
        ),
    }  # fmt: skip

    def scene(self, rng: Random) -> Words:
        place = rng.choice(list(OUTINGS))
        events = rng.sample(OUTINGS[place], 5)
        feeling, cause, _ = rng.choice(FEELINGS)
        return {
            "weekday": rng.choice(WEEKDAYS[:5]), "day": str(rng.randint(1, 28)), "month": rng.choice(MONTHS),
            "place": place, "feeling": feeling, "cause": cause, "friend": pupil(rng)[0],
            "left": clock(rng.randrange(7 * 60 + 30, 9 * 60, 5)), "back": clock(rng.randrange(15 * 60, 18 * 60, 15)),
            "best": rng.choice(events)[1],
        } | {f"e{place}": event[0] for place, event in enumerate(events, 1)}  # fmt: skip


SUBJECTS = table("""
history | the teacher talks about kings I have never heard of | The kings in the lessons are unknown to the writer.
physics | all the words in the book are new to me | The words in the book are new to the writer.
music | everybody but me can read notes | The others can read notes, unlike the writer.
chemistry | we have to write long reports after every lesson | Every lesson is followed by a long report.
geography | I do not know the names of the rivers here | The writer does not know the rivers of the country.
handicrafts | I have never held a saw before | The writer has not worked with such tools.
cookery | the recipes use measures I have never seen | The measures in the recipes are strange to the writer.
literature | we must learn long poems by heart | There are long poems to be learned.
""")
PURPOSES = table("""
please send me the recipe for your mother's bean soup, for I have promised to cook for everybody | to ask for a recipe
would you like to come and stay with us for a week in the spring | to invite a friend
please tell me what I should give my host family when I leave | to ask for advice
please forgive me for forgetting your birthday, and expect a small parcel soon | to say sorry
thank you so much for the photo album, which I look at every night | to express thanks
could you look after my stick insects for one more month, as I am staying longer | to ask a favour about some pets
""")


class Letter(Story):
    """An exchange pupil writes home: details, the reason for a difficulty, what the letter is for."""

    name = "letter"
    passage = """
- Dear {friend},

- I have been in {town} for {weeks} weeks now, and I finally have time to write.
| It is {weeks} weeks since I arrived in {town}, and you have not had a line from me yet.
? The flight was long, and my suitcase came a day after me.
| At first I felt homesick every evening, but that is over.
- I live with the {host} family. My host father works as {job1}, and my host mother is {job2}.
| My hosts, the {host} family, are very kind. The father is {job1}, while the mother is {job2}.
? They have an old dog that sleeps on my feet.
| There is always somebody in the kitchen, and always something to eat.

- School starts at {start}, and I go there {transport}.
| I go to school {transport}. The first lesson begins at {start}.
- Most lessons are fun, but I find {hard} difficult, because {reason}.
| The only subject that gives me trouble is {hard}, because {reason}.
- My favourite is {liked}, and my marks in it are better than at home.
| What I like best is {liked}, and I even do extra work for it.
? My classmates laugh at my accent, but in a friendly way.
| In the breaks everybody wants to know what we eat at home.
- After school I have joined {club}, where I have already made two friends.
| Twice a week I go to {club}, and the others there have become good friends.
? On Sundays we usually walk along the river, even when it rains.
| At weekends we visit the grandmother, who teaches me card games.

- Before I forget the main reason for this letter: {purpose}.
| Now to what I really wanted to write to you about: {purpose}.
- Write soon and tell me all the news from home.
| I am waiting for a long answer.

- Yours, {writer}
| Love, {writer}
"""
    _jobs = ("a baker", "a nurse", "an engineer", "a vet", "a bus driver", "a gardener", "a dentist", "a photographer")
    _clubs = ("the chess club", "the school choir", "a rowing team", "a theatre group", "the bicycle workshop",
              "a photo group", "the fencing club")  # fmt: skip
    _ways = ("on foot", "by tram", "by bicycle", "by ferry", "by bus")
    _times = tuple(map(clock, range(7 * 60 + 40, 9 * 60, 10)))
    _claims = (
        "The writer goes to school {transport}.",
        "The writer's host mother is {job2}.",
        "The writer's host father is {job1}.",
        "Lessons begin at {start}.",
        "The writer spends some of the free time with {club}.",
        "The subject that the writer likes best is {liked}.",
        "The writer came to {town} {weeks} weeks ago.",
    )
    _others: ClassVar = {
        "transport": _ways, "job1": _jobs, "job2": _jobs, "start": _times, "club": _clubs,
        "liked": tuple(row[0] for row in SUBJECTS), "weeks": tuple(map(str, range(3, 10))),
    }  # fmt: skip
    asks: ClassVar = {
        "purpose": Value(
            "What is the main purpose of the letter?",
            "Why did {writer} mainly write this letter?",
            key="purpose", says=pairs(PURPOSES), pool=tuple(row[0] for row in PURPOSES),
            why='Near the end the writer comes to the main reason: "{purpose}".',
        ),
        "reason": Value(
            "Why does {writer} find {hard} difficult?",
            "What makes {hard} hard for {writer}?",
            key="reason", pool=tuple(row[1] for row in SUBJECTS),
            says=pairs(SUBJECTS, 1, 2),
            why='The letter gives the reason for the trouble with {hard}: "{reason}".',
        ),
        "true": Claims(
            "Which of the following is TRUE according to the letter?",
            "Which statement about {writer} is right?",
            claims=_claims, others=_others, true=True,
        ),
        "false": Claims(
            "Which of the following is NOT true according to the letter?",
            "Which statement about {writer} is wrong?",
            claims=_claims, others=_others, true=False,
        ),
    }  # fmt: skip

    def scene(self, rng: Random) -> Words:
        hard, liked = rng.sample(SUBJECTS, 2)
        job1, job2 = rng.sample(self._jobs, 2)
        friend, writer = rng.sample(GIRLS + BOYS, 2)
        return {
            "friend": friend, "writer": writer, "town": rng.choice(TOWNS), "weeks": str(rng.randint(3, 9)),
            "host": rng.choice(FAMILY_NAMES), "job1": job1, "job2": job2, "start": rng.choice(self._times),
            "transport": rng.choice(self._ways), "hard": hard[0], "reason": hard[1], "liked": liked[0],
            "club": rng.choice(self._clubs), "purpose": rng.choice(PURPOSES)[0],
        }  # fmt: skip


# What two friends can differ in: the question, and the sentences for one of them, both, and neither.
TRAITS = {
    "swim": (
        "Who can swim",
        "{x} swims like a fish, but {y} is afraid of deep water and stays on the beach",
        "They both swim well and meet at the pool every Thursday",
        "Neither of them has learned to swim yet",
    ),
    "early": (
        "Who gets up early",
        "{x} is out of bed before six, while {y} needs three alarm clocks",
        "Both are out of bed before six, even on Sundays",
        "Getting up is hard for both: without their mothers they would sleep until noon",
    ),
    "music": (
        "Who plays an instrument",
        "{x} has played the clarinet for years, and {y}, who cannot play a note, likes to listen",
        "They play in the same orchestra, one the flute and the other the drums",
        "They love concerts, although neither of the two plays an instrument",
    ),
    "siblings": (
        "Who has brothers or sisters",
        "{x} shares a room with two younger sisters, but {y} is an only child",
        "Each of them has an elder brother, and the brothers are friends as well",
        "As both are only children, they call themselves sisters by choice",
    ),
    "sweet": (
        "Who likes sweet food",
        "{x} never leaves a bakery without a piece of cake, whereas {y} does not care for anything sweet",
        "Both of them love sweet things and share every bar of chocolate",
        "Oddly, sweet things do not interest them at all: they would rather eat olives",
    ),
    "pets": (
        "Who keeps a pet",
        "{x} keeps a rabbit on the balcony, but {y} may not have animals in the flat",
        "Each has a cat, and the two cats cannot stand each other",
        "They would love to have a dog, but no pets are allowed in either of their homes",
    ),
}


class Who(Ask):
    """Which of two friends a trait is true of: the first, the second, both or neither."""

    BOTH, NEITHER = "both of them", "neither of them"

    def __init__(self, trait: str) -> None:
        self.trait = trait
        self.question, self.one, self.both, self.neither = TRAITS[trait]
        self.questions = (f"{self.question}?", f"{self.question}, according to the text?")
        self.why = f"The sentence that decides: {{{trait}}}. So the answer is {{answer}}."

    def sentences(self, a: str, b: str) -> dict[str, str]:
        """The sentence of the passage for each answer."""
        return {
            a: self.one.format(x=a, y=b),
            b: self.one.format(x=b, y=a),
            self.BOTH: self.both,
            self.NEITHER: self.neither,
        }

    def answer(self, facts: Facts) -> str:
        told = self.sentences(facts["a"], facts["b"])
        return next(who for who, sentence in told.items() if sentence == facts[self.trait])

    def wrong(self, facts: Facts, rng: Random) -> list[str]:
        right = self.answer(facts)
        return [who for who in self.sentences(facts["a"], facts["b"]) if who != right]

    def fits(self, facts: Facts, choice: str) -> bool:
        said = facts[self.trait]
        if facts["a"] in said:
            return bool(said.startswith(choice))
        return choice == (self.BOTH if said == self.both else self.NEITHER) and said in (self.both, self.neither)


class TwoFriends(Story):
    """What one friend does, both do, or neither."""

    name = "two_friends"
    passage = """
- {a} and {b} have sat next to each other for {years} years, and their teachers still mix up their names.
| Everybody at {school} School knows {a} and {b}, who have been friends for {years} years.
| When you see {a}, you can be sure that {b} is not far away: they have been friends for {years} years.
- Many people take them for sisters, because both are tall and wear their hair short.
| From behind you cannot tell one from the other, as both have long dark hair and wear the same boots.
? If you get to know them, however, you will find more differences than you expected.
| Yet they are far from being the same person.

- Let us begin with the morning. {early}.
| Even the start of the day tells you something about them. {early}.
- At home they live rather differently from what you may think. {siblings}.
| What about their families? {siblings}.
? Their parents get on well and often go on holiday together.
- Many readers will ask about animals, too. {pets}.
| Animals are a long story. {pets}.

- In their free time they are rarely indoors. {swim}.
| Sport is another matter. {swim}.
- Music is important in their town, which has its own orchestra. {music}.
| And then there is music. {music}.
? They once tried to write a song together, but they only laughed.
- As for food, no one who has lunch with them will forget it. {sweet}.
| Lunch with them is worth watching. {sweet}.

- "We do not have to be alike," says {a}. "We just have to be there for each other."
| "A friend is not a mirror," {b} likes to say, and {a} nods.
"""
    asks: ClassVar = {trait: Who(trait) for trait in TRAITS}

    def scene(self, rng: Random) -> Words:
        a, b = rng.sample(GIRLS, 2)
        words = {"a": a, "b": b, "years": str(rng.randint(3, 9)), "school": rng.choice(TOWNS)}
        traits = {name: rng.choice(list(Who(name).sentences(a, b).values())) for name in TRAITS}
        return words | traits


CLUES = table("""
a train ticket and a page of handwritten music | plays the cello
a whistle and a list of football players | trains a junior football team
a tube of blue paint and two thin brushes | paints landscapes
a packet of seeds and a pair of small gloves | looks after the school garden
a folded map of the stars | watches the night sky with a telescope
a pocket book of chess problems | plays chess for the school
a bag of bird food and a notebook full of sketches of wings | draws birds
a swimming cap and a pair of goggles | goes swimming before lessons
""")
SPOTS = ("the library", "the canteen", "the gym", "the computer room", "the main hall", "the cloakroom")


class OwnerQuestion(Ask):
    """Whose thing it is: the one pupil who was in the right place and has the right hobby."""

    questions = ("Who most probably lost the {thing}?", "To whom does the {thing} belong, as far as we can tell?")
    why = (
        "The {thing} was left in {spot}, so its owner had been there; what was inside points to somebody who {hobby}. "
        "Both are true only of {answer}."
    )
    hobbies: ClassVar = pairs(CLUES)

    def answer(self, facts: Facts) -> str:
        wanted = (facts["spot"], self.hobbies[facts["clue"]])
        return str(next(facts[f"n{n}"] for n in range(4) if (facts[f"s{n}"], facts[f"h{n}"]) == wanted))

    def wrong(self, facts: Facts, rng: Random) -> list[str]:
        right = self.answer(facts)
        return [facts[f"n{n}"] for n in range(4) if facts[f"n{n}"] != right]

    def fits(self, facts: Facts, choice: str) -> bool:
        place = next(n for n in range(4) if facts[f"n{n}"] == choice)
        elsewhere = facts[f"s{place}"] != facts["spot"]
        unlike = facts["clue"] not in [clue for clue, hobby in CLUES if hobby == facts[f"h{place}"]]
        return not elsewhere and not unlike

    def words(self, facts: Facts) -> Words:
        return {"hobby": self.hobbies[facts["clue"]]}


class LostThing(Story):
    """Something is found; its place and contents together tell whose it is."""

    name = "lost_thing"
    passage = """
- Last {weekday}, when the caretaker of {school} School was locking up, he found a {thing} in {spot}.
| On {weekday} evening a {thing} lay forgotten in {spot} of {school} School, where the caretaker found it.
? There was no name on it, and nobody had asked for it.
| He had seen many lost things in his life, but never such a fine one.
- He opened it carefully. Inside he found {clue}, but nothing else.
| Inside he discovered {clue}, and no purse or phone that would have helped.
- The next morning he showed it to {helper}, a pupil who loves detective stories.
| The caretaker asked {helper} for help, because {helper} enjoys puzzles of every kind.

- "Four people stayed at school after the last bell," said {helper}. "I saw them all."
| {helper} remembered that only four people had stayed at school until late that day.
- {n0}, who {h0}, had spent the whole afternoon in {s0}.
| The first was {n0}, who {h0} and was in {s0} until the evening.
- {n1} had been in {s1} all the time, as several classmates could confirm. In {his1} free time {n1} {h1}.
| Then there was {n1}, who {h1}. That day {he1} did not leave {s1}.
- {n2} {h2}, as everybody knows, and had been working in {s2}.
| The third was {n2}, who {h2}. {He2} had sat in {s2} the whole time.
- Finally, there was {n3}. {He3} {h3}, and on that afternoon {he3} had been in {s3}.
| The last one, {n3}, had gone to {s3} after lunch and stayed there. {n3} {h3}.

? "That is all I know," said {helper}, "but it is enough."
| {helper} wrote everything down on a sheet of paper and thought for a minute.
- An hour later the {thing} was back with its owner, who was so glad that the caretaker got {gift}.
| By noon the owner had the {thing} again and thanked the caretaker with {gift}.
? Since then {helper} has been called "the inspector" by the whole school.
"""
    _gifts = ("a box of chocolates", "a home-made cake", "a hand-painted card", "a pot of honey", "a bunch of tulips")
    _things = ("green rucksack", "leather bag", "cloth bag", "grey pouch", "sports bag", "yellow shoulder bag")
    asks: ClassVar = {
        "owner": OwnerQuestion(),
        "gift": Value(
            "How did the owner of the {thing} thank the caretaker?",
            "What did the caretaker receive in the end?",
            key="gift", pool=_gifts,
            why="The last part says that the caretaker was given {gift}.",
        ),
        "spot": Value(
            "Where was the {thing} found?",
            "In which place did the caretaker come across the {thing}?",
            key="spot", pool=SPOTS,
            why="The first sentence says that the caretaker found it in {spot}.",
        ),
    }  # fmt: skip

    def scene(self, rng: Random) -> Words:
        clue, hobby = rng.choice(CLUES)
        spot, other, third = rng.sample(SPOTS, 3)
        hobbies = rng.sample([row[1] for row in CLUES if row[1] != hobby], 2)
        people = [(spot, hobby), (spot, hobbies[0]), (other, hobby), (third, hobbies[1])]
        rng.shuffle(people)
        words = {
            "weekday": rng.choice(WEEKDAYS[:5]), "school": rng.choice(TOWNS), "thing": rng.choice(self._things),
            "spot": spot, "clue": clue, "gift": rng.choice(self._gifts),
        }  # fmt: skip
        names: list[str] = []
        while len(names) < 5:
            name, he = pupil(rng)
            if name not in names:
                names.append(name)
                words |= pronouns(he, str(len(names) - 1)) | {f"n{len(names) - 1}": name}
        words["helper"] = words.pop("n4")
        for n, (where, likes) in enumerate(people):
            words |= {f"s{n}": where, f"h{n}": likes}
        return words


LOADS = table("""
a birthday cake | it was still warm and smelled of lemon
a wet umbrella | it was dripping on everybody's shoes
a suitcase | it had lost one of its wheels
a violin | it had a loose string that hummed at every bend
a guidebook | it had been printed thirty years ago
a small dog | it barked at every stop
a torch | it went on and off by itself
a flower pot | it was losing earth through a crack
an alarm clock | it rang three times on the way
a tin of paint | it left small blue spots on the floor
""")
TROUBLES = table("""
a tree had fallen across the railway line | A tree lay on the railway line.
the driver had been taken ill | The driver had become ill.
the bridge had been closed for repairs | The bridge was being repaired.
a flock of sheep was standing on the line and would not move | Sheep were standing on the line.
there had been a power cut along the whole line | There was no electricity on the line.
the river had flooded the station | The station was under water.
smoke was coming out of the engine | Something was wrong with the engine.
""")


class Reference(Ask):
    """What a pronoun in the passage stands for."""

    questions = (
        'In the sentence about the luggage, what does "it" in "{note}" refer to?',
        'What does the word "it" in "{note}" stand for?',
    )
    why = "Of the things they carried, only {answer} can be meant, since {note}."

    def answer(self, facts: Facts) -> str:
        return next(thing for thing, note in LOADS if note == facts["note"])

    def wrong(self, facts: Facts, rng: Random) -> list[str]:
        right = self.answer(facts)
        return [thing for thing in (facts["load1"], facts["load2"], facts["load3"], "the train") if thing != right]

    def fits(self, facts: Facts, choice: str) -> bool:
        return (choice, facts["note"]) in LOADS


class Journey(Story):
    """A journey goes wrong and ends well: cause, helper, order, and what a pronoun means."""

    name = "journey"
    passage = """
- Last {month} {a} and {his} cousin {b} wanted to travel from {town} to {goal} for {party}.
| {a} will not forget the day in {month} when {he} and {his} cousin {b} set out from {town} to {goal} for {party}.
? They had planned everything for weeks, and nothing, they thought, could go wrong.
| It was the first time that they had travelled without their parents.
- They had a lot to carry: {load1}, {load2} and {load3}. The other passengers soon noticed, because {note}.
| With them they had {load1}, {load2} and {load3}. People in the train began to look at them, for {note}.

- After an hour the train stopped at {halt}, and everybody was told to get out, because {trouble}.
| At {halt} their journey came to an end for the time being, because {trouble}.
? {b} wanted to ring home, but there was no signal.
| A few passengers complained loudly, but that did not help anybody.
- So they sat down on a bench and ate what was left of their sandwiches. "We shall miss everything," sighed {a}.
| "Now what?" asked {b}. They waited for almost two hours and had never felt so helpless.

- In the end {helper} spoke to them and asked where they were going.
| Then {helper}, who had been watching them for some time, came over.
- To their surprise, they were offered a lift: they travelled the last thirty kilometres {way}.
| Ten minutes later they were on the move again: they covered the rest of the way {way}.
? It was slow and bumpy, but they had seldom enjoyed a ride so much.
| They sang all the way, and even the helper joined in.
- They reached {goal} just as the guests were sitting down, and everybody wanted to hear their story first.
| When they finally walked through the door in {goal}, all the guests stood up and clapped.

- "I used to think that a journey is good when nothing happens," {a} says today. "Now I know better."
| Ever since, {a} has left home an hour earlier than necessary, but {he} is no longer afraid of delays.
"""
    _parties = ("their grandmother's birthday", "a family wedding", "the opening of their uncle's shop",
                "a big family reunion")  # fmt: skip
    _helpers = ("a farmer", "a postwoman", "an ice-cream seller", "a retired teacher", "a young priest", "a baker")
    _ways = ("on the back of a tractor", "in a delivery van", "in an old fire engine", "in a horse-drawn cart",
             "on a milk lorry", "in a circus van")  # fmt: skip
    asks: ClassVar = {
        "reference": Reference(),
        "cause": Value(
            "Why could the train not go on from {halt}?",
            "What was the reason for the stop at {halt}?",
            key="trouble", says=pairs(TROUBLES), pool=tuple(row[0] for row in TROUBLES),
            why="The sentence about the stop says that {trouble}.",
        ),
        "way": Value(
            "How did {a} and {b} travel the last part of the way?",
            "How did the two cousins reach {goal} in the end?",
            key="way", pool=_ways,
            why="After the stop they were given a lift and went on {way}.",
        ),
        "helper": Value(
            "Who helped the two cousins?",
            "Who offered {a} and {b} a lift?",
            key="helper", pool=_helpers,
            why="While they were waiting, {helper} came to their help.",
        ),
        "goal": Value(
            "Where were the two cousins going when the train stopped?",
            "In which town were {a} and {b} expected?",
            key="goal", rivals=("town", "halt"), pool=TOWNS,
            why="They started in {town} and were stopped at {halt}; they were expected in {goal}.",
        ),
    }  # fmt: skip

    def scene(self, rng: Random) -> Words:
        a, he = pupil(rng)
        b = rng.choice([name for name in GIRLS + BOYS if name != a])
        town, halt, goal = rng.sample(TOWNS, 3)
        loads = rng.sample(LOADS, 3)
        things = {f"load{n}": load[0] for n, load in enumerate(loads, 1)}
        forms = pronouns(he)
        return things | {
            "a": a, "b": b, "he": forms["he"], "his": forms["his"], "town": town, "halt": halt, "goal": goal,
            "month": rng.choice(MONTHS), "party": rng.choice(self._parties), "note": rng.choice(loads)[1],
            "trouble": rng.choice(TROUBLES)[0], "helper": rng.choice(self._helpers), "way": rng.choice(self._ways),
        }  # fmt: skip
