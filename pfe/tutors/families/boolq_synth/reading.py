"""Passages whose facts are words: what is said, excepted, listed, included, and still so.

Example: "Torwick -- ... A bylaw closes all shops on Sundays except bakeries and pharmacies. ..."
Question: "are bakeries allowed to open on sundays in torwick". Answer: yes.
"""

from random import Random
from typing import ClassVar

from pfe.tutors.families.boolq_synth.base import Key, Passage, Topic, same, say
from pfe.tutors.families.boolq_synth.kinds import coin, land, names, person
from pfe.tutors.family import Facts


def _options(text: str) -> dict[str, list[str]]:
    """Lines `topic: option|option|...`."""
    pairs = [line.split(": ") for line in text.strip().splitlines()]
    return {topic: options.split("|") for topic, options in pairs}


class StatedFact(Passage):
    """The passage states a property and mentions another one that was only planned, rumored or rejected."""

    name = "stated_fact"
    options: ClassVar = _options("""
ship: whaler|cable layer|grain carrier|survey vessel|training ship|lightship|ferry|fire boat|tug|mail boat|salvage ship
tower: granite|limestone|red brick|oak|sandstone|steel|concrete|slate|basalt|larch|copper plates
game: dice|cards|glass beads|wooden pegs|flat stones|ivory discs|dried beans|shells|brass coins|clay marbles
dish: lentils|smoked fish|barley|chestnuts|goat cheese|plums|beetroot|mussels|walnuts|buckwheat|pumpkin
company: bicycles|pianos|door locks|fishing nets|wall clocks|tractors|umbrellas|fountain pens|sewing machines|skis|lamps
festival: january|march|april|may|june|july|august|september|october|november
""")
    topics: ClassVar = {
        "ship": Topic(
            "ship",
            (
                say(
                    "She was built as a {real} and served in that role for most of her life.",
                    "The {name} entered service as a {real}.",
                    "Her owners had ordered her as a {real}, and as such she sailed for decades.",
                ),
                say(
                    "A plan to turn her into a {decoy} was given up because of the cost.",
                    "Newspapers wrongly called her a {decoy} on several occasions.",
                    "Her sister was a {decoy} of nearly the same size.",
                ),
            ),
            say("was the {name} built as a {asked}", "did the {name} begin her service as a {asked}"),
        ),
        "tower": Topic(
            "tower",
            (
                say(
                    "Its walls are made of {real}.",
                    "The builders used {real} for the walls.",
                    "It was built of {real}.",
                ),
                say(
                    "The first design had called for {decoy}, which proved too costly.",
                    "A nearby chapel, often mistaken for part of it, is made of {decoy}.",
                    "An older tower on the site, lost in a fire, had been made of {decoy}.",
                ),
            ),
            say("is the {name} made of {asked}", "are the walls of the {name} built of {asked}"),
        ),
        "game": Topic(
            "game",
            (
                say(
                    "It is played with {real}, which are moved along the edges of the squares.",
                    "Each player receives nine {real} at the start.",
                ),
                say(
                    "Unlike most games of the region, it does without {decoy}.",
                    "The use of {decoy} is found only in a different game from the coast.",
                    "Attempts to introduce {decoy} were rejected by the players' union.",
                ),
            ),
            say(
                "is {name} played with {asked}",
                "do you need {asked} to play {name}",
                "do players of {name} use {asked}",
            ),
        ),
        "dish": Topic(
            "dish",
            (
                say("Its main ingredient is {real}.", "It consists mostly of {real}, cooked slowly with onions."),
                say(
                    "Cooks in the valleys frown on adding {decoy}.",
                    "A similar stew with {decoy} goes by another name.",
                    "The common belief that it contains {decoy} is mistaken.",
                ),
            ),
            say(
                "is {name} made with {asked}",
                "does {name} contain {asked}",
                "does {name} consist mostly of {asked}",
            ),
        ),
        "company": Topic(
            "company",
            (
                say("It is known chiefly as a maker of {real}.", "The company produces {real} of several kinds."),
                say(
                    "The making of {decoy} was considered twice but never begun.",
                    "It should not be confused with a firm of nearly the same name that sells {decoy}.",
                    "A rival in the same street specialises in {decoy}.",
                ),
            ),
            say("does {name} make {asked}", "is {name} a producer of {asked}", "are {asked} made by {name}"),
        ),
        "festival": Topic(
            "festival",
            (
                say("It is held every {Real} and lasts for four days.", "The festival takes place in {Real}."),
                say(
                    "A request to move it to {Decoy} was turned down by the town council.",
                    "The smaller fair of the neighbouring town is held in {Decoy}.",
                    "Tickets go on sale in {Decoy}.",
                ),
            ),
            say("is the {name} held in {asked}", "does the {name} take place in {asked}"),
        ),
    }

    def facts(self, rng: Random) -> Facts:
        told = self.start(rng)
        real, decoy = rng.sample(self.options[told["topic"]], 2)
        told |= {"real": real, "decoy": decoy, "Real": real.capitalize(), "Decoy": decoy.capitalize()}
        return told | {"asked": real if rng.random() < 0.5 else decoy}

    def holds(self, facts: Facts) -> bool:
        return same(facts["asked"], facts.get("real") or facts["Real"])

    def refutes(self, facts: Facts) -> bool:
        return same(facts["asked"], facts.get("decoy") or facts["Decoy"])

    def solution(self, facts: Facts) -> str:
        real = facts.get("real") or facts["Real"]
        if self.holds(facts):
            return f"The passage says it directly: {real}."
        return f"The passage says {real}; it mentions {facts['asked']} only to set it apart."


class ExceptionClause(Passage):
    """A rule for all members of a group with two exceptions: does it hold for one of them."""

    name = "exception_clause"
    options: ClassVar = _options("""
town: bakeries|pharmacies|bookshops|florists|hardware shops|toy shops|tailors|shoe shops|jewellers|bicycle shops
museum: students|teachers|pensioners|soldiers|residents of the town|journalists|nurses|apprentices|sailors
islands: ambulances|tractors|delivery vans|motorcycles|camper vans|taxis|fire engines|mobile cranes|buses|lorries
school: mobile phones|umbrellas|skateboards|sandwiches|cameras|musical instruments|board games|headphones|pocket knives
harbour: yachts|tugs|fishing boats|rowing boats|car ferries|tankers|pilot boats|sailing barges|research ships
law: bicycles|trailers|vintage cars|farm machines|electric cars|hearses|racing cars|mopeds|snow ploughs
""")
    # the topics in which a thing that is excepted gets the answer yes
    excepted_is_yes: ClassVar = {
        "town": True, "museum": False, "islands": True, "school": True, "harbour": False, "law": False,
    }  # fmt: skip
    topics: ClassVar = {
        "town": Topic(
            "town",
            (
                say(
                    "On Sundays every shop in {name} has to stay closed, with the exception of {one} and {two}.",
                    "A bylaw closes all shops on Sundays except {one} and {two}.",
                    "Apart from {one} and {two}, no shop may open on a Sunday.",
                ),
                say(
                    "The rule does not change during the summer season.", "The council has refused to change this rule."
                ),
            ),
            say("can {asked} in {name} open on sundays", "are {asked} allowed to open on sundays in {name}"),
        ),
        "museum": Topic(
            "museum",
            (
                say(
                    "Everyone has to pay for admission except {one} and {two}, who are let in free.",
                    "With the exception of {one} and {two}, all visitors need to buy a ticket.",
                    "Only {one} and {two} are admitted without a ticket.",
                ),
                say("Tickets can be paid for in cash or by card.", "The price of a ticket has not risen for years."),
            ),
            say("do {asked} need a ticket for the {name}", "do {asked} have to pay to visit the {name}"),
        ),
        "islands": Topic(
            "islands",
            (
                say(
                    "No motor vehicles may be used there apart from {one} and {two}.",
                    "All motor vehicles are banned from the islands, {one} and {two} excepted.",
                    "The only motor vehicles permitted on the islands are {one} and {two}.",
                ),
                say("Visitors are expected to walk or cycle.", "The ban dates from the time of the first paved road."),
            ),
            say("are {asked} allowed on the {name}", "can {asked} be used on the {name}"),
        ),
        "school": Topic(
            "school",
            (
                say(
                    "Pupils must leave their belongings in lockers; the exceptions are {one} and {two}, which may be "
                    "taken "
                    "into class.",
                    "Nothing may be brought into the classrooms besides books, {one} and {two}.",
                    "Apart from books, only {one} and {two} are permitted in the classrooms.",
                ),
                say("The rule is printed on the back of every timetable.", "Parents voted to keep this rule."),
            ),
            say("are {asked} allowed in class at the {name}", "can pupils of the {name} take {asked} to class"),
        ),
        "harbour": Topic(
            "harbour",
            (
                say(
                    "All vessels pay a harbour fee unless they are {one} or {two}.",
                    "A fee is charged for every vessel with the exception of {one} and {two}.",
                    "Except for {one} and {two}, all vessels are charged a fee.",
                ),
                say("The fee pays for the dredging of the channel.", "The fee is collected by the harbour master."),
            ),
            say("do {asked} pay a fee in {name}", "is there a fee for {asked} in {name}"),
        ),
        "law": Topic(
            "law",
            (
                say(
                    "One clause requires number plates on all road vehicles other than {one} and {two}.",
                    "Under a late clause every road vehicle needs a number plate, {one} and {two} being the only "
                    "exceptions.",
                    "The act exempts {one} and {two} from the duty to carry a number plate, which holds for all "
                    "other vehicles.",
                ),
                say("The plates are white with green letters.", "Plates are issued by the post office."),
            ),
            say("do {asked} need a number plate under the {name}", "does the {name} require number plates on {asked}"),
        ),
    }

    def facts(self, rng: Random) -> Facts:
        told = self.start(rng)
        one, two, *others = rng.sample(self.options[told["topic"]], 4)
        asked = rng.choice((one, two)) if rng.random() < 0.5 else rng.choice(others)
        return told | {"one": one, "two": two, "asked": asked}

    def holds(self, facts: Facts) -> bool:
        excepted = same(facts["asked"], facts["one"]) or same(facts["asked"], facts["two"])
        return excepted == self.excepted_is_yes[facts["topic"]]

    def refutes(self, facts: Facts) -> bool:
        under_the_rule = facts["asked"].lower() not in {facts["one"].lower(), facts["two"].lower()}
        return under_the_rule if self.excepted_is_yes[facts["topic"]] else not under_the_rule

    def solution(self, facts: Facts) -> str:
        excepted = facts["asked"].lower() in (facts["one"].lower(), facts["two"].lower())
        told = (
            "are one of the two exceptions" if excepted else "are not among the exceptions, so the rule holds for them"
        )
        return f"The exceptions are {facts['one']} and {facts['two']}.\n{facts['asked'].capitalize()} {told}."


class ListMembership(Passage):
    """A list of members, one former member and one that never joined: does a name belong."""

    name = "list_membership"
    topics: ClassVar = {
        "league": Topic(
            "league",
            (
                say(
                    "Its members are {one}, {two}, {three} and {four}.",
                    "The league is made up of {one}, {two}, {three} and {four}.",
                    "It unites {one}, {two}, {three} and {four}.",
                ),
                say(
                    "{former} belonged to it as well but left in {year:d}.",
                    "{former} was expelled in {year:d} after a quarrel over tolls.",
                    "In {year:d} {former} gave up its seat.",
                ),
                say(
                    "{outside} sends an observer to the meetings without being a member.",
                    "{outside} has applied several times, always without success.",
                    "The court of the league also hears cases from {outside}, which has never joined.",
                ),
            ),
            say(
                "is {asked} a member of the {name}",
                "does {asked} belong to the {name}",
                "is {asked} part of the {name}",
            ),
        ),
        "railway": Topic(
            "railway",
            (
                say(
                    "Trains stop at {one}, {two}, {three} and {four}.",
                    "The stations in use are {one}, {two}, {three} and {four}.",
                    "Passengers can get on and off at {one}, {two}, {three} and {four}.",
                ),
                say(
                    "The stop at {former} was given up in {year:d}.",
                    "Since {year:d} the trains have passed through {former} without stopping.",
                    "{former} had a station until {year:d}.",
                ),
                say(
                    "A branch to {outside} was surveyed but never laid.",
                    "The people of {outside} asked in vain for a station.",
                    "From {outside}, the nearest village without a station, a bus runs to the line.",
                ),
            ),
            say(
                "does the {name} stop at {asked}",
                "can you take the {name} to {asked}",
                "is {asked} served by the {name}",
            ),
        ),
        "islands": Topic(
            "islands",
            (
                say(
                    "People live on {one}, {two}, {three} and {four} all year round.",
                    "The inhabited islands are {one}, {two}, {three} and {four}.",
                    "There are villages on {one}, {two}, {three} and {four}.",
                ),
                say(
                    "The last family left {former} in {year:d}.",
                    "{former} has been without people since {year:d}.",
                    "In {year:d} the few inhabitants of {former} were moved away.",
                ),
                say(
                    "{outside} has never been settled.",
                    "On {outside} there is nothing but an automatic lighthouse.",
                    "Only sea birds live on {outside}.",
                ),
            ),
            say("do people live on {asked} in the {name}", "is {asked} in the {name} inhabited"),
        ),
        "council": Topic(
            "council",
            (
                say(
                    "The governing coalition is formed by the parties of {one}, {two}, {three} and {four}.",
                    "In the present government sit the parties led by {one}, {two}, {three} and {four}.",
                ),
                say(
                    "The party led by {former} left the government in {year:d}.",
                    "Until {year:d} the party of {former} also took part in governing.",
                ),
                say(
                    "The party of {outside} has always been in opposition.",
                    "The largest party outside the government is headed by {outside}.",
                ),
            ),
            say(
                "does the party of {asked} belong to the governing coalition in the {name}",
                "is the party of {asked} one of the parties that govern through the {name}",
            ),
        ),
    }

    def facts(self, rng: Random) -> Facts:
        told = self.start(rng)
        drawn = names(person if told["topic"] == "council" else coin, 6, rng)
        told |= dict(zip(("one", "two", "three", "four", "former", "outside"), drawn, strict=True))
        asked = rng.choice(drawn[:4]) if rng.random() < 0.5 else rng.choice(drawn[4:])
        return told | {"year": rng.randint(1921, 1989), "asked": asked}

    def holds(self, facts: Facts) -> bool:
        return any(same(facts["asked"], facts[place]) for place in ("one", "two", "three", "four"))

    def refutes(self, facts: Facts) -> bool:
        return facts["asked"].lower() in (facts["former"].lower(), facts["outside"].lower())

    def solution(self, facts: Facts) -> str:
        members = f"{facts['one']}, {facts['two']}, {facts['three']} and {facts['four']}"
        if self.holds(facts):
            return f"The list names {members}.\nThe one asked about is on it."
        why = "was once on it but no longer is" if same(facts["asked"], facts["former"]) else "never was on it"
        return f"The list names {members}.\nThe one asked about {why}."


def _category_keys(the: str) -> tuple[Key, ...]:
    return (
        say(
            f"{the}{{name}} belongs to the {{group}}, a group of which {{n:d}} kinds are known.",
            f"Experts count {the}{{name}} among the {{group}}, as they do {{n:d}} other kinds.",
            f"{the}{{name}} is one of {{n:d}} kinds of {{group}}.",
        ),
        say("All {group} {does}.", "What all {group} have in common is that they {does}.", own=True)
        + say("No {group} {does}.", "It is a mark of the {group} that none of them {does}.", own=False),
        say("All {others}, by contrast, {does}.", "The {others}, on the other hand, all {does}.", own=False)
        + say("No {others}, by contrast, {does}.", "Of the {others}, on the other hand, none {does}.", own=True),
    )


class CategoryInclusion(Passage):
    """The thing is of one group, its cousins are of another, and the groups differ in a property."""

    name = "category_inclusion"
    options: ClassVar = _options("""
bird: nest on the ground|migrate in autumn|hunt at night|dive for food|lay blue eggs|sing in flight|store seeds
plant: stay green in winter|climb on other plants|flower in the first year|grow from bulbs|close at night|tolerate salt
dish: contain milk|need an oven|go with rice|keep for a week|include yeast|require cold water|call for honey
machine: run on compressed air|need a second person|work under water|have a pedal|require cooling water
ship: have a flat bottom|carry sails|steer from both ends|have two hulls|burn wood|have a glass roof|draw little water
""")
    groups: ClassVar = _options("""
bird: tessels|morlins|orrets|pavians|quindles|sarries|velkins|brambets|dorrels
plant: vellworts|karrins|osmelds|tirrels|pendrins|harrocks|lumbelles|fennocks|starroes
dish: ollands|brasks|kessels|marrotts|pellows|gorrels|tarriches|umbles
machine: rackpresses|stampers|slitters|fretters|ringwinders|beltlifters|chamfrons|nibblers
ship: skarrows|polders|hennels|flatterns|gallards|wherrets|corlins|drennocks
""")
    topics: ClassVar = {
        kind: Topic(
            kind,
            _category_keys("" if kind == "dish" else "the "),
            say("does {name} {does}", "would you expect {name} to {does}")
            if kind == "dish"
            else say("does the {name} {does}", "would you expect the {name} to {does}"),
        )
        for kind in ("bird", "plant", "dish", "machine", "ship")
    }

    def facts(self, rng: Random) -> Facts:
        told = self.start(rng)
        group, others = rng.sample(self.groups[told["topic"]], 2)
        does = rng.choice(self.options[told["topic"]])
        return told | {
            "group": group,
            "others": others,
            "does": does,
            "n": rng.randint(4, 40),
            "own": rng.random() < 0.5,
        }

    def holds(self, facts: Facts) -> bool:
        return bool(facts["own"])

    def refutes(self, facts: Facts) -> bool:
        alike = {facts["group"]: facts["own"], facts["others"]: not facts["own"]}
        return [group for group, does in alike.items() if does] == [facts["others"]]

    def solution(self, facts: Facts) -> str:
        told = f"all {facts['group']} {facts['does']}" if facts["own"] else f"no {facts['group']} {facts['does']}"
        return f"{facts['name']} belongs to the {facts['group']}, and {told}.\nThe {facts['others']} are another group."


class LocationContainment(Passage):
    """A place lies in a district, the district in a province, and another province is near."""

    name = "location_containment"
    topics: ClassVar = {
        kind: Topic(
            kind,
            (
                say(
                    "The district of {district} forms the {side} part of the province of {province}.",
                    "The {side} third of {province} province is taken up by the district of {district}.",
                    "With {n:d} other districts, {district} makes up the province of {province}, of which it is the "
                    "{side} part.",
                ),
                say(
                    "The border of {other} province can be reached from there in less than an hour.",
                    "From there it is only a short drive to the province of {other}.",
                    "Tourists often believe that the place is part of the province of {other}, which begins {km:d} "
                    "km away.",
                    "It was ruled from {other} province until {year:d}, when the borders were redrawn.",
                ),
            ),
            say(
                f"is {the}{{name}} in the province of {{asked}}",
                f"is {the}{{name}} located in {{asked}} province",
                f"does {the}{{name}} lie in {{asked}} province",
            ),
            opening=say(
                f"{the}{{name}} is {what} in the district of {{district}}.",
                f"{the}{{name}} is {what} that belongs to the district of {{district}}.",
                f"{the}{{name}}, {what}, lies in the district of {{district}}.",
            ),
        )
        for kind, the, what in (
            ("town", "", "a town of narrow streets"),
            ("bridge", "the ", "a stone bridge with {n2:d} arches"),
            ("lake", "", "a lake of about {n2:d} square kilometres"),
            ("tower", "the ", "a round tower of {n2:d} metres"),
            ("museum", "the ", "a museum with {n2:d} rooms"),
            ("harbour", "", "a harbour with {n2:d} berths"),
        )
    }

    def facts(self, rng: Random) -> Facts:
        told = self.start(rng)
        province, other = names(land, 2, rng)
        side = rng.choice(["northern", "southern", "eastern", "western"])
        told |= {"district": coin(rng), "province": province, "other": other, "side": side, "n": rng.randint(3, 14)}
        told |= {"km": rng.randint(2, 19), "year": rng.randint(1801, 1969), "n2": rng.randint(12, 48)}
        return told | {"asked": rng.choice((province, other))}

    def holds(self, facts: Facts) -> bool:
        return same(facts["asked"], facts["province"])

    def refutes(self, facts: Facts) -> bool:
        return same(facts["asked"], facts["other"])

    def solution(self, facts: Facts) -> str:
        return (
            f"{facts['name']} is in the district of {facts['district']}, which is part of {facts['province']} "
            f"province.\n"
            f"So it lies in {facts['province']}, not in {facts['other']}."
        )


class TwoHop(Passage):
    """Who made the thing is told in one sentence, where that person came from in another."""

    name = "two_hop"
    _origins: ClassVar = (
        say(
            "{maker} was born in {town} and moved to the region as a young adult.",
            "{maker}, the child of a cooper, was born in {town}.",
            "Born in {town}, {maker} had studied in the capital.",
            "The birthplace of {maker} is {town}.",
        ),
        say(
            "{helper} was born in {town2} and was already famous at the time.",
            "{helper}, the child of a weaver, was born in {town2}.",
            "Born in {town2}, {helper} came to the work by chance.",
            "The birthplace of {helper} is {town2}.",
        ),
    )
    topics: ClassVar = {
        "bridge": Topic(
            "bridge",
            (
                say(
                    "It was designed by {maker}, while {helper} supervised the building work.",
                    "{maker} drew the plans, and {helper} paid for the work.",
                    "The design is by {maker}; the railings were added by {helper}.",
                ),
                *_origins,
            ),
            say("was the designer of the {name} born in {asked}", "is {asked} the birthplace of the {name}'s designer"),
        ),
        "company": Topic(
            "company",
            (
                say(
                    "{maker} founded it and {helper} later bought it.",
                    "It was founded by {maker}, who left it to {helper} after a few years.",
                    "The founder was {maker}; the present owner is {helper}.",
                ),
                *_origins,
            ),
            say("was the founder of {name} born in {asked}", "did the founder of {name} come from {asked}"),
        ),
        "game": Topic(
            "game",
            (
                say(
                    "It was invented by {maker} and made popular by {helper}.",
                    "{maker} is the inventor, although {helper} is often named instead.",
                    "The inventor was {maker}, and the first champion was {helper}.",
                ),
                *_origins,
            ),
            say("was the inventor of {name} born in {asked}", "is {asked} the birthplace of the inventor of {name}"),
        ),
        "newspaper": Topic(
            "newspaper",
            (
                say(
                    "Its first editor was {maker}, who was followed by {helper}.",
                    "{maker} edited the first issues, and {helper} took over later.",
                    "Before {helper} became editor, the paper had been edited by {maker}, the first to hold the post.",
                ),
                *_origins,
            ),
            say(
                "was the first editor of the {name} born in {asked}",
                "did the first editor of the {name} come from {asked}",
            ),
        ),
        "museum": Topic(
            "museum",
            (
                say(
                    "The collection was left to the public by {maker}; the building was a gift of {helper}.",
                    "{maker} gave the collection, and {helper} was the first director.",
                ),
                *_origins,
            ),
            say(
                "was the person who gave the collection of the {name} born in {asked}",
            ),
        ),
        "machine": Topic(
            "machine",
            (
                say(
                    "It was invented by {maker} and first sold by {helper}.",
                    "{maker} built the first example, and {helper} improved the gears.",
                ),
                *_origins,
            ),
            say(
                "was the person who built the first {name} born in {asked}",
                "did the inventor of the {name} come from {asked}",
            ),
        ),
    }

    def facts(self, rng: Random) -> Facts:
        told = self.start(rng)
        maker, helper = names(person, 2, rng)
        town, town2 = names(coin, 2, rng)
        told |= {"maker": maker, "helper": helper, "town": town, "town2": town2}
        return told | {"asked": rng.choice((town, town2))}

    def holds(self, facts: Facts) -> bool:
        return same(facts["asked"], facts["town"])

    def refutes(self, facts: Facts) -> bool:
        born = {facts["town"].lower(): facts["maker"], facts["town2"].lower(): facts["helper"]}
        return bool(born[facts["asked"].lower()] != facts["maker"])

    def solution(self, facts: Facts) -> str:
        born = f"{facts['maker']} was born in {facts['town']}, {facts['helper']} in {facts['town2']}"
        return f"The person meant is {facts['maker']}.\n{born}."


_STATUS = say(
    "It was closed in {one:d} for lack of money and reopened in {two:d}{tail}.",
    "It shut down in {one:d}, only to come back in {two:d}{tail}.",
    "After a break that began in {one:d}, it started up again in {two:d}{tail}.",
    "A closure announced for {one:d} was put off again and again and finally cancelled in {two:d}{tail}.",
    running=True,
) + say(
    "It was reopened in {one:d} after a fire but closed for lack of money in {two:d}{tail}.",
    "It came back in {one:d} after years of silence, only to shut down in {two:d}{tail}.",
    "After a short revival that began in {one:d}, it ended in {two:d}{tail}.",
    "It closed in {one:d}, and plans to reopen it were given up in {two:d}{tail}.",
    running=False,
)
_PADDING = (
    "Its early years are described in a book by {person}.",
    "Photographs of its first decade hang in the town hall of {town}.",
    "A minister gave a speech at its tenth anniversary.",
    "For its first ten years it was in the care of {person}.",
    "The founders had hoped for support from the capital.",
    "The first sign, painted by hand, can be seen in a café in {town}.",
    "A song about it is well known in the region.",
    "An anonymous gift paid for most of the costs in the first decade.",
    "The early accounts have been lost in a flood.",
)


class StillRunning(Passage):
    """Opened, closed, opened again or not: what holds today."""

    name = "still_running"
    _tails: ClassVar = (
        ", and nothing has changed since then",
        ", which was the last change",
        "; that is how matters stand today",
        ", and so it has remained",
    )
    topics: ClassVar = {
        kind: Topic(kind, (_STATUS,), say(*questions), say(opening), _PADDING)
        for kind, opening, *questions in (
            (
                "railway",
                "The {name} was built in hilly country and carried its first passengers in {begun:d}.",
                "is the {name} still in operation",
                "are there still trains on the {name}",
            ),
            (
                "newspaper",
                "The {name} was first printed in {begun:d}, on a hand press in a cellar.",
                "is the {name} still published",
                "does the {name} still appear",
            ),
            (
                "company",
                "{name} was founded in {begun:d} by three brothers who repaired carts.",
                "is {name} still in business",
                "does {name} still exist as a company",
            ),
            (
                "school",
                "The {name} took in its first {n:d} pupils in {begun:d}.",
                "is the {name} still open",
                "are pupils still taught at the {name}",
            ),
            (
                "museum",
                "The {name} was set up in {begun:d} in an empty warehouse.",
                "is the {name} still open to visitors",
                "can you still visit the {name}",
            ),
            (
                "festival",
                "The {name} was held for the first time in {begun:d}, in a meadow outside the town.",
                "is the {name} still held",
                "does the {name} still take place",
            ),
            (
                "harbour",
                "{name} was laid out in {begun:d} to bring coal to the valley.",
                "is {name} still in use",
                "do ships still call at {name}",
            ),
        )
    }

    def facts(self, rng: Random) -> Facts:
        one = rng.randint(1925, 1970)
        told = self.start(rng) | {"one": one, "two": rng.randint(one + 2, 1993), "running": rng.random() < 0.5}
        return told | {"begun": rng.randint(1850, 1915), "n": rng.randint(12, 90), "tail": rng.choice(self._tails)}

    def holds(self, facts: Facts) -> bool:
        return bool(facts["running"])

    def refutes(self, facts: Facts) -> bool:
        changes = {facts["one"]: not facts["running"], facts["two"]: facts["running"]}
        return not changes[max(changes)]

    def solution(self, facts: Facts) -> str:
        told = "it was running again" if facts["running"] else "it was over"
        return f"The last change came in {facts['two']}: from then on {told}.\nNothing has changed since."
