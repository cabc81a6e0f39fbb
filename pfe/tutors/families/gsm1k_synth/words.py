"""The people, places and things that the word problems of gsm1k_synth speak of.

Example: `cast(Random(1), 1)` is `{"name": "Imani", "he": "she", "He": "She", "him": "her", ...}`,
and `"toy store"` in `SHOPS` sells `Ware("yo-yos", 3, 8)`: yo-yos, three to eight dollars each.
"""

from random import Random
from typing import NamedTuple


def lines(text: str) -> list[str]:
    """The lines of a table, without the empty ones."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def rows(text: str) -> list[list[str]]:
    """The lines of a table, each split at its bars."""
    return [line.split("|") for line in lines(text)]


def words(text: str) -> list[str]:
    """The words of a table."""
    return text.split()


WOMEN = words("""
Abigail Adaeze Aisha Alma Amara Anika Anya Astrid Beatriz Bianca Bridget Camila Carmen Celeste Chloe Clara Daniela Delia
Dina Edith Elena Eliza Esme Esther Fatima Fiona Freya Gemma Gloria Greta Hana Harriet Heidi Imani Ines Ingrid Isla Ivy
Jasmine Joanna Josie Juno Kamila Karima Keiko Kiara Lena Leila Lucia Lydia Mabel Maeve Malia Marisol Maya Meera Mina
Nadia Naomi Nina Noor Odette Olive Paloma Petra Phoebe Priya Quinn Rafaela Ramona Renata Rosalind Ruth Sabine Salma
Selma Simone Sofia Suki Sylvia Tamsin Teodora Thea Ursula Valentina Vera Violet Wanda Willa Ximena Yara Yasmin Yuki
Zainab Zelda Zoe
""")
MEN = words("""
Abel Adrian Ahmed Alvaro Amir Andre Anton Arjun Arlo Axel Bashir Basil Benoit Boris Bruno Caleb Carlos Cedric Cesar
Damian Dante Darius Desmond Diego Dmitri Edgar Elias Emeka Emil Enzo Ezra Felix Fernando Finn Francisco Gabriel Gideon
Gunnar Hakim Hassan Hector Hiroshi Hugo Ibrahim Idris Igor Ivan Jamal Jasper Javier Jonas Joaquin Kaito Kareem Kenji
Kofi Kwame Lamar Leopold Linus Lorenzo Luca Magnus Malik Marcel Mateo Milo Nathaniel Nikolai Oluwaseun Omar Orlando
Oscar Otto Pablo Pascal Quentin Rafael Rashid Ravi Reuben Rohan Roman Samir Santiago Silas Soren Stefan Tariq Terrence
Theo Tobias Umar Vikram Viktor Wendell Xavier Yusuf Zane
""")


class Ware(NamedTuple):
    """Something on sale: its plural, and the range of its price in whole dollars."""

    plural: str
    cheapest: int
    dearest: int


def _wares(entries: list[str]) -> list[Ware]:
    parts = [entry.split(":") for entry in entries]
    return [Ware(plural, int(cheapest), int(dearest)) for plural, cheapest, dearest in parts]


SHOPS = {
    shop: _wares(entries)
    for shop, *entries in rows("""
stationery shop|notebooks:2:6|fountain pens:8:15|folders:2:5|sketchbooks:5:12|glue sticks:1:3|rulers:1:4|calendars:7:14
toy store|board games:15:30|puzzles:8:18|kites:6:14|yo-yos:3:8|card decks:3:7|model cars:5:13|stuffed bears:9:20
garden center|rose bushes:12:25|clay pots:4:10|bags of soil:6:12|seed packets:2:4|watering cans:9:18|tulip bulbs:1:3
hardware store|hammers:12:22|paint brushes:4:9|cans of paint:18:35|boxes of nails:4:8|door hinges:3:7|rolls of tape:2:6
pet shop|bags of kibble:14:28|chew toys:4:9|dog leashes:8:16|cat beds:15:32|cans of tuna treats:2:4|fish bowls:9:20
sports store|soccer balls:12:25|jump ropes:5:11|tennis rackets:25:45|water bottles:6:14|pairs of goggles:8:17|caps:7:15
kitchen shop|mixing bowls:6:14|wooden spoons:2:6|baking trays:8:16|aprons:11:20|mugs:4:10|measuring cups:3:8|whisks:4:9
bookshop|comic books:4:9|novels:8:16|atlases:15:30|cookbooks:12:24|bookmarks:1:3|poetry books:7:13|diaries:6:12
music store|guitar strings:6:12|drumsticks:5:9|songbooks:9:18|tambourines:10:22|harmonicas:12:25|music stands:15:30
craft fair|clay mugs:9:18|knitted hats:12:22|scented candles:6:14|bead bracelets:4:9|wooden bowls:14:28|felt owls:5:11
clothing store|T-shirts:8:16|scarves:7:15|pairs of socks:2:6|belts:9:19|sweaters:20:38|pairs of gloves:6:13|hats:8:18
farm stand|jars of honey:6:12|pumpkins:4:9|baskets of peaches:7:14|bunches of carrots:2:4|melons:3:6|apple pies:9:16
electronics store|phone chargers:9:18|USB sticks:6:14|flashlights:7:15|phone cases:8:17|desk lamps:15:30|clocks:11:22
bakery|sourdough loaves:4:8|fruit tarts:3:7|boxes of cookies:6:12|cheesecakes:16:28|bags of rolls:3:6|carrot cakes:14:26
""")
}

GOALS = rows("""
a telescope|140|380
a mountain bike|220|560
an electric guitar|180|480
a drone|130|420
a sewing machine|120|340
a tablet|160|450
a pair of hiking boots|90|190
a kayak|280|600
a keyboard|110|360
a camera|200|580
a skateboard|70|160
an inflatable tent|120|330
a microscope|90|260
a game console|240|500
a pottery wheel|190|430
a school trip to the coast|130|350
an easel and a set of oil paints|80|210
an aquarium|100|290
""")

JOBS = lines("""
a lifeguard
a baker
a barista
a bike courier
a dental assistant
a dishwasher
a florist
a forklift driver
a gardener
a hotel clerk
a house painter
a kennel assistant
a line cook
a locksmith
a machinist
a night guard
a park ranger
a receptionist
a roofer
a security guard
a seamstress
a tour guide
a warehouse worker
a welder
an airport porter
an electrician's helper
an orchard worker
an usher
""")

FRIENDS = words("friends cousins classmates neighbors coworkers teammates roommates")

COLLECTIONS = lines("""
baseball cards
bottle caps
buttons
comic books
coins
dinosaur figures
fridge magnets
glass marbles
keychains
model trains
movie posters
patches
pins
polished stones
postcards
puzzle books
seashells
snow globes
stamps
stickers
toy soldiers
trading cards
""")

TOWNS = words("""
Ashford Birchwood Calder Dunmore Eastvale Fernhill Glenbrook Harwick Ironbridge Juniper Kestrel Larkspur Millbrook
Northgate Oakhurst Pinecrest Quarry Ridgeway Saltmarsh Thornbury Umberfield Valemont Westbrook Yarrow
""")


def cast(rng: Random, count: int = 1) -> dict[str, str]:
    """Different people with their pronouns: `name`, `he`, `He`, `him`, `his`, `His`, then `name2`, `he2` and on."""
    facts: dict[str, str] = {}
    chosen: list[str] = []
    while len(chosen) < count:
        woman = rng.random() < 0.5
        name = rng.choice(WOMEN if woman else MEN)
        if name in chosen:
            continue
        chosen.append(name)
        he, him, his = ("she", "her", "her") if woman else ("he", "him", "his")
        number = "" if len(chosen) == 1 else str(len(chosen))
        facts |= {
            f"name{number}": name,
            f"he{number}": he, f"He{number}": he.capitalize(), f"him{number}": him,
            f"his{number}": his, f"His{number}": his.capitalize(),
        }  # fmt: skip
    return facts
