"""The invented things that passages are about: their names, opening sentences and padding.

Example: `title("bridge", Random(1))` may be `"Torwick Bridge"`, and a passage about it may open "The Torwick Bridge
is a road bridge over the Fenna in the region of Maravell."
"""

from collections.abc import Callable
from random import Random


def _table(text: str) -> dict[str, list[str]]:
    """Lines `slot|piece|piece|...`; a line that does not begin with a slot goes on with the line above."""
    rows = [line.split("|") for line in text.strip().replace("|\n", "|").splitlines()]
    return {slot: pieces for slot, *pieces in rows}


# what names and sentences are put together from
_PIECES = _table("""
start|Al|Ar|Bel|Ber|Bran|Cal|Cor|Dal|Dor|Eld|Ern|Fal|Fen|Gar|Gil|Hal|Har|Il|Jor|Kel|Kar|Lan|Lor|Mar|Mor|Nel|Nor|Or|Pel|
Quen|Ral|Ros|Sel|Sor|Tal|Tor|Ul|Var|Vel|Wes|Yar|Zel
town|bourne|combe|dale|den|field|ford|gate|holt|hurst|ley|mere|minster|mouth|ness|rock|sett|stead|stow|thorpe|vale|wick|worth
land|adia|amund|andria|aria|astan|avell|emark|enia|enland|esse|onia|oria|ovia|umbra|urland|usk
stream|anna|ay|eck|enna|eria|inga|isk|olla|orne|ow|una|unna|ura|usa|yre
family|ander|bach|berg|dahl|enko|erling|etti|gren|holm|iano|inski|ivar|kamp|lund|mark|nov|olt|ossen|quist|ström
given|Adela|Anselm|Beate|Casimir|Clement|Dorothea|Edmund|Elvira|Emeric|Felicity|Frida|Gregor|Hedwig|Ignace|Irma|Isidor|
Joanna|Klara|Leopold|Ludmila|Magda|Matthias|Nadine|Oskar|Ottilie|Philippa|Quirin|Ramona|Rufus|Sabina|Severin|Tabea|
Theodor|Ulrike|Valentin|Wanda|Willem|Yvonne|Zacharias
Common|Amber|Ash|Beech|Bell|Birch|Bronze|Cedar|Chapel|Cloud|Copper|Crown|Ember|Falcon|Garland|Granite|Harvest|Heron|Ivory|
Juniper|Lantern|Larch|Linden|Maple|Marble|Meadow|Mill|Oak|Opal|Orchard|Owl|Pearl|Pine|Quarry|Raven|River|Rowan|Saffron|
Silver|Spruce|Star|Stone|Swan|Thistle|Tide|Violet|Walnut|Willow|Winter|Wren
ship|Northern|Silver|Morning|Golden|Quiet|Western|Brave|Grey|Early|Royal|Merry|Distant
peak|agon|ander|arn|atha|ebor|endal|igan|ogar|orne|unda
isle|aby|amora|ander|essay|inish|olay|ona|oway|uist|ula
firm|ex|ital|on|tek|ora|well|werk|ano|ix|mark
game|ako|azza|eck|etto|ikka|inko|ola|osh|uri|uttu
dish|abel|aska|atch|ellin|enka|ilo|ollo|osse|uma|unta
Craft|Clocks|Glass|Rope|Printing|Salt|Maps|Lace|Bells|Ceramics|Fishing|Toys|Weaving
Matter|Fisheries|Roads|Forests|Schools|Elections|Pensions|Housing|Markets|Libraries|Waters
School|Academy|Grammar School|Girls' School|College|Technical School|Music School
bird|warbler|finch|rail|plover|owlet|flycatcher|thrush|bunting|teal|swift
plant|sage|bellflower|thistle|primrose|heath|fern|gentian|thyme|iris|saxifrage
Machine|Press|Loom|Lathe|Pump|Typewriter|Drill|Crane|Plough|Saw|Mill
Paper|Courier|Herald|Gazette|Mirror|Observer|Messenger|Chronicle|Telegraph
few|three|four|five|six|seven|eight|nine|ten|eleven|twelve
day|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday
""")


def _name(rng: Random, *slots: str) -> str:
    return "".join(rng.choice(_PIECES[slot]) for slot in slots)


def coin(rng: Random) -> str:
    """The invented name of a town or village."""
    return _name(rng, "start", "town")


def land(rng: Random) -> str:
    """The invented name of a country or province."""
    return _name(rng, "start", "land")


def person(rng: Random) -> str:
    """The invented name of a person."""
    return f"{_name(rng, 'given')} {_name(rng, 'start', 'family')}"


_ENTITIES = """
town = {town}
> {name} is a market town in the hills of {land}, on the left bank of the {water}.
> {name} is a small town in the west of {land}, known for its covered market.
- The main square was paved anew in {recent}.
- A weekly market is held there on {day}s.
- Most of the houses in the centre have steep roofs and painted shutters.
- The town hall keeps a collection of maps drawn by {person}.
- Buses link the town with {town} several times a day.
- The surrounding fields are used mainly for barley and flax.
- A footpath along the water is popular with walkers.

river = {start}{stream} River
> The {name} is a river in the north of {land} that rises in the hills above {town}.
> The {name} is a river of {land}, fed mostly by melting snow.
- Its water is cold and clear for most of the year.
- The upper valley is covered with pine forest.
- Several mills once stood along its banks.
- The river is stocked with trout every spring.
- A gauge near {town} has measured its level without a break since {recent}.
- In dry summers the lower course can be crossed on foot.
- Otters have returned to its side streams.

lake = Lake {land}
> {name} is a lake in the highlands of {land}, a few kilometres from the village of {town}.
> {name} is a lake in {land}, formed behind a ridge left by a glacier.
- Its shores are lined with reeds and alder trees.
- In hard winters the ice is thick enough for skating.
- A wooden pier for rowing boats stands on the eastern shore.
- Perch and bream are the most common fish.
- The water level is checked every {day}.
- Painters such as {person} made the view from the southern end famous.
- A path runs all the way around it.

mountain = Mount {start}{peak}
> {name} is a mountain in the {start} range in the east of {land}.
> {name} is a mountain on the border of two parishes in {land}.
- A hut on the northern slope offers beds for {few} climbers.
- The summit is often hidden in cloud.
- Snow lies on the upper slopes until late spring.
- The usual route to the top begins in {town}.
- A wooden cross was put on the summit in {recent}.
- The lower slopes are used as summer pasture.
- Its grey rock is rich in fossils.

bridge = {town} Bridge
> The {name} is a road bridge over the {water} in the region of {land}.
> The {name} spans the {water} at the edge of a small town in {land}.
- The deck was repaired in {recent} after a hard winter.
- About {thousands} vehicles cross it on an ordinary day.
- The bridge carries two lanes of traffic and a footway.
- Swallows nest under its arches.
- At night the bridge is lit with lamps designed by {person}.
- Its piers stand on a bed of gravel.
- Photographs of the bridge appear on many postcards of the region.

tower = {town} Tower
> The {name} is a lookout tower on a wooded hill in {land}.
> The {name} is a landmark at the edge of a park in {land}.
- The top is reached by a spiral staircase.
- On clear days the view reaches as far as {town}.
- A small café stands at its foot.
- The tower is painted every {few} years.
- It is looked after by a club of volunteers.
- A plaque by the door remembers the mason {person}.
- School classes often visit it in spring.

ship = {ship} {Common}
> The {name} is a ship that was launched at a yard in {town} on the coast of {land}.
> The {name} is a ship with a steel hull that is registered in {land}.
- Her hull is painted dark green.
- She carries a crew of {few}.
- Her bell is engraved with the name of the yard.
- Captain {person} commanded her for many years.
- The ship is about {tens} metres long.
- A scale model of her stands in a shop window in {town}.
- Her wheelhouse is panelled with oak.

museum = {town} Museum of {Craft}
> The {name} is a museum in a former warehouse in {land}.
> The {name} is a small museum in the old quarter of a town in {land}.
- The paintings in the stairwell are by {person}.
- About {thousands} people visit it in a good year.
- A reading room on the first floor is open to researchers.
- The oldest objects are kept behind glass.
- The entrance hall was rebuilt in {recent}.
- Guided tours leave every hour on {day}s.
- The museum shop sells prints and toys.

game = {start}{game}
> {name} is a board game for two to {few} players from the north of {land}.
> {name} is a traditional game of {land}, played on a board of painted squares.
- A round takes about {tens} minutes.
- The game was described in a book by {person}.
- A yearly tournament is held in {town}.
- Children usually learn it from their grandparents.
- The board can be folded and carried in a pocket.
- Old boards carved from walnut are sought by collectors.
- Many cafés keep a set behind the counter.

company = {start}{firm}
> {name} is a family company with its head office in {town} in {land}.
> {name} is a company from {land} that began in a shed behind a bakery.
- It has about {thousands} employees.
- The accounts are kept by {person}.
- Its logo shows a blue heron.
- A second site was opened near {town} in {recent}.
- The company pays for a youth orchestra.
- Most of its customers live abroad.
- Its yearly report is printed on recycled paper.

festival = {town} {Common} Festival
> The {name} is a yearly festival in a harbour town of {land}.
> The {name} is a festival of music and crafts in the south of {land}.
- Visitors come from all over the region.
- The opening speech is usually given by the mayor.
- Food stalls line the main street.
- The posters are drawn by the artist {person}.
- About {thousands} tickets were sold in {recent}.
- Local choirs perform on a floating stage.
- Volunteers clean the streets on the morning after.

law = {land} {Matter} Act
> The {name} is a law passed by the parliament of {land}.
> The {name} is a law of {land}, drafted by a committee under {person}.
- The text of the law fills {few} pages.
- It was amended in small ways in {recent}.
- Offices in {town} handle most of the paperwork.
- Newspapers at first wrote little about it.
- A handbook explains the law to the public.
- Judges have cited it in many cases.
- Similar laws were later discussed in other countries.

award = {surname} Prize
> The {name} is an award given by an academy in {land}.
> The {name} is an award named after a teacher from {town} in {land}.
- The winner receives a small bronze statue.
- The ceremony is broadcast on the radio.
- The jury meets in a castle near {town}.
- A printed list of past winners is sold every year.
- The money comes from a fund set up by {person}.
- The prize was not awarded in {recent}.
- The speeches are usually short.

railway = {town} Valley Railway
> The {name} is a railway in the uplands of {land}.
> The {name} is a narrow-gauge railway in {land} that follows the {water}.
- The trains are pulled by green diesel engines.
- The line passes through {few} tunnels.
- The station buildings are made of red brick.
- Tickets can be bought from the guard.
- A history of the railway was written by {person}.
- New carriages arrived in {recent}.
- In winter a snow plough keeps the track clear.

school = {town} {School}
> The {name} is a school in the old quarter of a town in {land}.
> The {name} is a school in {land} with about {tens} teachers.
- The school choir has toured abroad.
- Its gardens slope down to the {water}.
- The writer {person} was once a pupil there.
- Lessons begin at eight in the morning.
- The gymnasium was rebuilt in {recent}.
- A bronze owl stands above the main door.
- Many pupils arrive by bicycle.

league = {land} League
> The {name} is an alliance of trading towns on the coast of {land}.
> The {name} is a union of towns that share a court and a seal.
- Its archive is kept in a tower in {town}.
- The seal shows three fish.
- Meetings are held every {few} years.
- The first secretary was {person}.
- The league pays for lighthouses and buoys.
- Its charter was restored in {recent}.
- A flag with blue and white stripes flies over its offices.

bird = {town} {bird}
> The {name} is a small bird that lives in the wet forests of {land}.
> The {name} is a bird found only in the river valleys of {land}.
- Its song is a series of short whistles.
- The first drawing of it was made by {person}.
- Adults weigh about {tens} grams.
- A count in {recent} found about {thousands} pairs.
- The chicks are fed with insects.
- Males have a yellow patch on the throat.
- It appears on a postage stamp.

plant = {town} {plant}
> The {name} is a low plant that grows on the slopes of {land}.
> The {name} is a plant with narrow leaves from the highlands of {land}.
- Its leaves have a faint smell of lemon.
- It was first described by {person}.
- The stems reach a height of about {tens} centimetres.
- Gardeners value it for its long flowering season.
- Dried flowers are sold at the market of {town}.
- A survey in {recent} counted {thousands} plants.
- Goats avoid it.

machine = {surname} {Machine}
> The {name} is a machine for workshops that was designed in {land}.
> The {name} is a machine with a heavy flywheel that was developed in {town}.
- It weighs about {tens} kilograms.
- The frame is made of cast iron.
- A repaired example was shown at a fair in {recent}.
- Spare parts are still easy to find.
- The handbook has {few} pages.
- Its inventor never asked for a patent.
- Collectors value the models with brass dials.

dish = {start}{dish}
> {name} is a dish from the coast of {land}, usually served in a clay bowl.
> {name} is a dish of the mountain villages of {land}.
- It is eaten with dark bread.
- Families often share one large pot.
- The cook {person} made it known abroad.
- It takes about {tens} minutes to prepare.
- A fair in {town} is devoted to it.
- In {recent} it was put on the menu of the national airline.
- It tastes best on the second day.

council = {land} Assembly
> The {name} is the parliament of the island state of {land}.
> The {name} is the parliament of a small republic, with its seat in {town}.
- Its sessions are open to the public.
- The debates are printed every {day}.
- The building was designed by {person}.
- A bell is rung before each vote.
- The seats are arranged in a half circle.
- The library of the assembly holds {thousands} volumes.
- New microphones were installed in {recent}.

harbour = {town} Harbour
> {name} is a harbour on the rocky coast of {land}.
> {name} is a harbour in a sheltered bay of {land}.
- A lighthouse stands at the end of the long mole.
- The quays were widened in {recent}.
- About {thousands} ships call there in a year.
- The harbour office is run by {person}.
- Fish is sold on the quay every {day}.
- Cranes from three centuries can be seen there.
- A ferry links it with {town}.

newspaper = {town} {Paper}
> The {name} is a newspaper from a port in {land}.
> The {name} is a regional newspaper that was founded by {person} in {land}.
- Its offices look out over the {water}.
- About {thousands} copies were printed a day in its best years.
- The paper is known for its long letters page.
- A crossword appears on the last page.
- Its archive was scanned in {recent}.
- The reporters share one large room.
- It has won prizes for its photographs.

islands = {start}{isle} Islands
> The {name} are a group of islands off the coast of {land}.
> The {name} are a chain of low islands in the {water} Sea.
- The climate is mild and windy.
- A mail boat calls every {day}.
- Seals rest on the outer rocks.
- The islands were mapped by {person}.
- Most paths are covered with crushed shells.
- A weather station was set up in {recent}.
- Stone walls divide the fields.
""".strip()


def _words(rng: Random) -> dict[str, str]:
    """A draw of every slot that names, opening sentences and padding may use."""
    drawn = {slot: rng.choice(pieces) for slot, pieces in _PIECES.items()}
    return drawn | {
        "town": coin(rng),
        "land": land(rng),
        "person": person(rng),
        "surname": _name(rng, "start", "family"),
        "water": _name(rng, "start", "stream"),
        "recent": str(rng.randint(1996, 2021)),
        "tens": str(rng.randrange(20, 95, 5)),
        "thousands": f"{rng.randrange(1200, 9900, 100):,}",
    }


def _entity(block: str) -> tuple[str, str, tuple[str, ...], tuple[str, ...]]:
    head, *told = block.splitlines()
    kind, _, pattern = head.partition(" = ")
    openings = tuple(line[2:] for line in told if line.startswith("> "))
    return kind, pattern, openings, tuple(line[2:] for line in told if line.startswith("- "))


_PARSED = [_entity(block) for block in _ENTITIES.split("\n\n")]
_TITLES = {kind: pattern for kind, pattern, _, _ in _PARSED}
# kind: opening sentences, padding
KINDS = {kind: (openings, padding) for kind, _, openings, padding in _PARSED}


def title(kind: str, rng: Random) -> str:
    """The invented name of one thing of a kind, such as `Torwick Bridge`.

    Raises:
        KeyError: there is no such kind.
    """
    return _TITLES[kind].format(**_words(rng))


def titles(kind: str, count: int, rng: Random) -> list[str]:
    """Different names of things of a kind."""
    found: dict[str, None] = {}
    while len(found) < count:
        found[title(kind, rng)] = None
    return list(found)


def names(make: Callable[[Random], str], count: int, rng: Random) -> list[str]:
    """Different names from `coin`, `land` or `person`."""
    found: dict[str, None] = {}
    while len(found) < count:
        found[make(rng)] = None
    return list(found)


def fill(sentence: str, name: str, rng: Random) -> str:
    """An opening or padding sentence about `name`, its other slots drawn at random."""
    return sentence.format(**_words(rng) | {"name": name})
