"""Word lists for the problems of format_synth; all people, firms and titles are invented."""

from random import Random


def words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.strip().splitlines())


def cells(text: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in text.replace("\n", "|").split("|") if cell.strip())


FIRST = words("""
Ada Amir Anneke Bao Bela Bruna Callum Chidi Dagny Dario Ebru Edda Eamon Farah Fergus Gita Goran Hala Henrik Ida Ilse
Imre Jamila Joost Kaya Keir Laszlo Leonie Linh Magda Marek Mei Naledi Nils Nuria Odin Oksana Pavel Pilar Quentin
Rania Rhys Runa Sanjay Signe Soraya Tadeo Thabo Tilda Ulla Uri Vasco Viola Wren Xenia Yusra Zoltan Zuri
""")
LAST = words("""
Abara Adler Almeida Arslan Bakker Banerjee Becker Bondi Brandt Calvo Castell Chavez Dahl Demir Dorsey Eklund Esposito
Farkas Fontaine Garrick Greco Haddad Hahn Holm Iversen Jansson Kaur Keita Kovac Lindqvist Lowell Mbeki Mendes Moreau
Nakata Novak Okafor Olsen Osman Pereira Petrov Quigley Ramos Rossi Saito Schultz Sharma Silva Tanaka Thorne Ueda Vargas
Vega Wallin Weiss Yilmaz Zeman Zhou
""")
TOWNS = words("""
Aldermoor Ashcombe Brackenford Castlemere Copperfield Dunhaven Eastbrook Elmstead Fairwater Foxley Glenmoor Greyport
Hartwell Hollin Ivybridge Kingsmere Lakeham Larkhill Marlow Millgate Netherby Northfleet Oakendale Overton Penrose
Redcliffe Rosemount Saltby Stonewick Thornfield Underhill Westerby Whitcombe Wynford
""")
GOODS = cells("""
anchovies | apple juice | apricots | basil | bath salts | beeswax | biscuits | black pepper | brown rice | butter
candles | capers | cashews | chickpeas | cinnamon | cloves | cocoa | coconut milk | coffee beans | corn flour
crackers | dates | dish soap | dried figs | fennel seeds | flour | garlic | ginger | green tea | hazelnuts | honey
lentils | light bulbs | maple syrup | matches | mustard | noodles | oats | olive oil | olives | paper bags | paprika
peanut butter | pine nuts | raisins | red lentils | rye bread | saffron | salt | sea salt | sesame oil | soy sauce
sponges | sugar | tea lights | tomato paste | vanilla | vinegar | walnuts | yeast
""")
NOUNS = words("""
anchor apple arrow basket beacon bell bridge candle canyon cellar chimney clock cloud compass crane desert door
dragon ember feather ferry field forest fountain garden glacier harbor hedge hill island journey key
kingdom ladder lamp lantern letter lighthouse map marble meadow mill mirror moon mountain needle orchard oyster 
pearl piano pier quarry river road rope saddle shadow shore spire stone storm street thread tide
tower train valley violin wheel willow wind window winter
""")
ADJECTIVES = words("""
amber ancient blue borrowed bright broken careful cold crooked distant empty faithful forgotten frozen gentle golden
green hidden hollow honest last lonely long lost narrow northern patient pale quiet restless scarlet second secret
silent slow small southern sudden tall unfinished wandering white wild yellow young
""")
PRESSES = lines("""
Alder Press
Bluebird Books
Cobalt House
Dovecote Press
Evergreen Editions
Foxglove Press
Gannet Books
Harbour Lane
Juniper House
Lantern Press
Merrow Books
Northlight Editions
Quill and Stone
Sandpiper Press
""")
EVENTS = lines("""
Audit
Board meeting
Book fair
Bread course
Budget review
Chess final
Choir practice
Coding club
Dance class
Dentist
Eye test
Fire drill
First aid course
Garden tour
Guitar lesson
Haircut
Interview
Judo training
Lab visit
Library talk
Lunch with the auditors
Museum trip
Night market
Open day
Parents' evening
Photo session
Piano recital
Planning call
Poetry evening
Press briefing
Quiz night
Rehearsal
Safety briefing
School play
Staff party
Stock check
Swimming
Team lunch
Tree planting
Vaccination
Web workshop
Yoga
""")


def people(rng: Random, count: int) -> list[str]:
    """Draw `count` full names; no first name and no last name repeats."""
    pairs = zip(rng.sample(FIRST, count), rng.sample(LAST, count), strict=True)
    return [f"{first} {last}" for first, last in pairs]


def plural(noun: str) -> str:
    """Return the plural of a noun from NOUNS."""
    if noun.endswith(("ch", "sh", "x", "s")):
        return f"{noun}es"
    return f"{noun[:-1]}ies" if noun.endswith("y") and noun[-2] not in "aeiou" else f"{noun}s"


def titles(rng: Random, count: int) -> list[str]:
    """Draw `count` different book titles in title case."""
    found: list[str] = []
    while len(found) < count:
        noun, other = rng.sample(NOUNS, 2)
        adjective = rng.choice(ADJECTIVES)
        shapes = (f"the {adjective} {noun}", f"{adjective} {plural(noun)}", f"the {noun} and the {other}")
        title = " ".join(word if word == "and" else word.capitalize() for word in rng.choice(shapes).split())
        title = title.replace(" The ", " the ")
        if title not in found:
            found.append(title)
    return found
