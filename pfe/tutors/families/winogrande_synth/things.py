"""Families in which the blank stands for one of two things.

Example (size): "Orla slid the cello into the alcove with ease, because the _ was so large." -> alcove
"""

from typing import ClassVar

from pfe.tutors.families.winogrande_synth.engine import ThingFamily


class Size(ThingFamily):
    """What is small goes into what is large."""

    name = "size"
    fixed = True
    poles: ClassVar[tuple[str, str]] = ("the one that is large for the other", "the one that is small for the other")
    rows = """
a|b
cello|alcove
turkey|oven
sofa|lift
skeleton|display case
tent|rucksack
pumpkin|basket
sculpture|packing case
teddy bear|drawer
bicycle|car boot
rug|trunk
mattress|van
telescope|cabinet
kettle|sink
globe|niche
kayak|shed
rocking chair|corner
model ship|bottle
harp|wagon
parcel|letter box
cake|tin
quilt|washing machine
easel|cupboard
cat|carrier
printer|cubbyhole
tractor|barn
surfboard|locker
"""
    causes = """
+ the {a} was too big for the {b}
+ the {b} was too small for the {a}
+ the {a} did not fit into the {b}
+ {who} measured the {a} and saw that the {b} could not hold it
+ {who} found that there was not enough space for the {a} in the {b}
"""
    effects = """
+ would have to be smaller
- would have to be larger
+ was clearly not small enough
- was clearly not large enough
+ should have been a size smaller
- should have been a size larger
"""
    events = """
+ the {a} would not go into the {b}
+ {who} could not get the {a} into the {b}
+ {who} tried in vain to squeeze the {a} into the {b}
- the {a} went into the {b} with room to spare
- {who} got the {a} into the {b} with ease
- {who} had no trouble putting the {a} into the {b}
"""
    reasons = """
+~ was so large
-~ was so small
+~ was unusually big
-~ was unusually small
+~ was bigger than it looked
-~ was smaller than it looked
+~ was of generous size
-~ was of modest size
"""


class Price(ThingFamily):
    """What is cheap is bought; what is dear is looked at."""

    name = "price"
    poles: ClassVar[tuple[str, str]] = ("the expensive one", "the cheap one")
    rows = """
a|b
lamp|mirror
violin|guitar
tent|stove
bracelet|brooch
carpet|curtain
camera|tripod
teapot|tray
armchair|footstool
kimono|fan
microscope|telescope
chandelier|candlestick
saddle|bridle
painting|vase
clock|barometer
coat|handbag
drill|sander
necklace|watch
desk|bookcase
scooter|skateboard
atlas|encyclopedia
"""
    causes = """
+ the {a} was much more expensive than the {b}
- the {a} cost far less than the {b}
+ the {a} was priced at twice as much as the {b}
- the {a} had a lower price than the {b}
"""
    effects = """
-~ was the first to be sold
+~ stayed in the shop window for months
+~ had to be paid for in instalments
-~ was bought without a second thought
+~ was shown only to wealthy customers
-~ was popular with students
"""
    events = """
- {who} bought the {a} rather than the {b}
+ {who} put the {a} back on the counter and took the {b}
- {who} was able to pay for the {a} but not for the {b}
+ {who} had to save up longer for the {a} than for the {b}
"""
    reasons = """
-~ was the cheaper of the two
+~ was the dearer of the two
-~ was a bargain
+~ cost a fortune
-~ had just been reduced
+~ was shockingly expensive
"""


class Weight(ThingFamily):
    """What is heavy is dragged; what is light is carried."""

    name = "weight"
    poles: ClassVar[tuple[str, str]] = ("the heavy one", "the light one")
    rows = """
a|b
parcel|basket
trunk|suitcase
crate|barrel
bench|table
rucksack|sports bag
toolbox|bucket
hamper|cool box
cabinet|chest
mattress|headboard
generator|pump
anchor|net
statue|pedestal
sack|carton
cauldron|tripod
ladder|plank
amplifier|keyboard
stove|cupboard
boulder|log
"""
    causes = """
+ the {a} was much heavier than the {b}
- the {a} weighed far less than the {b}
+ the {a} weighed twice as much as the {b}
- the {a} was nowhere near as heavy as the {b}
"""
    effects = """
+~ had to be carried by two people
-~ could be lifted with one hand
+~ was moved with a trolley
-~ was no trouble to carry
+~ sank deep into the mud
-~ was given to the youngest helper to carry
"""
    events = """
+ {who} dragged the {a} over the floor but carried the {b}
- {who} lifted the {a} without help but not the {b}
+ {who} found it harder to move the {a} than the {b}
- {who} took the {a} upstairs and left the {b} below
"""
    reasons = """
+ was so heavy
- was so light
-~ weighed less than anyone had expected
+~ was the heavier of the two
-~ was the lighter of the two
+~ weighed more than anyone had expected
"""


class Heat(ThingFamily):
    """What is hot must wait; what is cool is eaten."""

    name = "heat"
    poles: ClassVar[tuple[str, str]] = ("the hotter one", "the cooler one")
    rows = """
a|b
soup|pie
tea|cocoa
porridge|omelette
stew|rice
coffee|waffle
quiche|gravy
pizza|lasagne
punch|mulled cider
custard|crumble
curry|flatbread
milk|pancake
broth|dumpling
risotto|roast
chowder|muffin
moussaka|sauce
ramen|spring roll
goulash|polenta
paella|stuffed pepper
"""
    causes = """
+ the {a} was much hotter than the {b}
- the {a} had cooled down more than the {b}
+ the {a} had been taken off the heat later than the {b}
- the {a} had stood by the open window longer than the {b}
"""
    effects = """
+~ burned the tip of {who}'s tongue
-~ had to be warmed up again for {who}
+~ was left to cool until {who} came back
-~ was the first thing that {who} tasted
+~ was too hot for {who}
-~ was already too cold for {who}
"""
    events = """
- {who} began with the {a} and kept the {b} for later
+ {who} blew on the {a} but not on the {b}
- {who} warmed up the {a} again but not the {b}
+ {who} let the {a} stand for longer than the {b}
"""
    reasons = """
+~ was still very hot
-~ had already cooled down
+ was still steaming
-~ was only lukewarm
+~ was the hotter of the two
-~ was the cooler of the two
"""


class Fragility(ThingFamily):
    """What breaks is packed with care; what does not is thrown in."""

    name = "fragility"
    fixed = True
    poles: ClassVar[tuple[str, str]] = ("the fragile one", "the sturdy one")
    rows = """
a|b
wine glass|cushion
porcelain vase|frying pan
mirror|blanket
light bulb|hammer
teacup|wooden spoon
picture frame|towel
glass bowl|baking tin
violin|pair of boots
crystal decanter|iron pot
china doll|teddy bear
eggshell ornament|woollen sock
glass lantern|coil of rope
ceramic tile|rubber mat
thermometer|spanner
hourglass|leather belt
fish tank|garden hose
chandelier|carpet
laptop|pillow
"""
    events = """
+ {who} wrapped the {a} in three layers of paper but not the {b}
+ {who} let the children carry the {b} but not the {a}
+ {who} tossed the {b} into the van and carried the {a} on {his} lap
+ {who} put the {b} at the bottom of the box and the {a} on top
+ {who} worried about the {a} during the move but not about the {b}
+ {who} wrote a warning on the box with the {a} but none on the box with the {b}
+ {who} dropped both things on the stairs and lost the {a} but not the {b}
+ {who} paid for insurance on the {a} but not on the {b}
"""
    reasons = """
+ could so easily break
- could hardly break
+ was easy to damage
- was hard to damage
+ was so delicate
- was so sturdy
"""


class Freshness(ThingFamily):
    """What spoils is kept cold; what keeps is not."""

    name = "freshness"
    fixed = True
    poles: ClassVar[tuple[str, str]] = ("the one that spoils", "the one that keeps")
    rows = """
a|b
cream|rice
fish|flour
milk|honey
minced meat|pasta
yoghurt|oatmeal
lettuce|sugar
chicken|couscous
shrimp|salt
fruit salad|canned soup
cottage cheese|peanut butter
spinach|dried mango
raw liver|vinegar
tofu|soy sauce
custard|cocoa powder
turkey breast|black pepper
mozzarella|tomato paste
crab meat|popcorn
fresh orange juice|instant coffee
"""
    events = """
+ {who} put the {a} in the fridge and the {b} in the cupboard
+ {who} used up the {a} before the {b}
+ {who} bought the {a} fresh every time but the {b} only twice a year
+ {who} took the {b} on the long hike but not the {a}
+ {who} worried about the {a} during the power cut but not about the {b}
+ {who} packed the {a} with ice for the trip but not the {b}
+ {who} checked the date on the {a} but not on the {b}
+ {who} finished the {a} on Monday and saved the {b} for later in the month
"""
    reasons = """
+ would soon go bad
- would keep for a long time
+ could not be stored for long
- could be stored for months
+ spoiled quickly in the warm
- lasted well even in the warm
"""


class Distance(ThingFamily):
    """What is near is walked to; what is far is driven to."""

    name = "distance"
    poles: ClassVar[tuple[str, str]] = ("the one far away", "the one near by")
    rows = """
a|b
library|swimming pool
bakery|pharmacy
museum|market
post office|town hall
lake|castle
school|football ground
hospital|dentist
cathedral|botanical garden
theatre|sushi bar
lighthouse|harbour
campsite|vineyard
zoo|aquarium
farm shop|supermarket
observatory|gallery
ice rink|climbing hall
monastery|waterfall
embassy|bank
bookshop|cinema
"""
    causes = """
+ the {a} was much farther away than the {b}
- the {a} was a good deal closer than the {b}
+ it took {who} an hour longer to get to the {a} than to the {b}
- {who} lived nearer to the {a} than to the {b}
"""
    effects = """
+~ was the one that {who} drove to
-~ was the one that {who} walked to
-~ was the place that {who} visited more often
+~ was the place that {who} visited less often
-~ was where {who} went first
+~ was left for another day
"""
    events = """
- {who} walked to the {a} but took a taxi to the {b}
+ {who} went to the {a} by train and to the {b} on foot
- {who} visited the {a} more often than the {b}
+ {who} had to leave earlier for the {a} than for the {b}
"""
    reasons = """
+ was so far away
- was so close
+~ was on the other side of town
-~ was just around the corner
-~ was only five minutes away
+~ was more than an hour away
"""
