"""Scripts of the kitchen, the house and the workshop.

Example: "Making pancakes. Leila is at the stove of a holiday cottage. She breaks three eggs into a glass bowl, then
whisks in flour and milk until no lumps are left. she"
Right: "warms a little butter in the cast-iron pan." Wrong: "turns the pancake over with a wide spatula.", for there is
no pancake yet.
"""

from pfe.tutors.families.hellaswag_synth.script import Script


class Pancakes(Script):
    """Cooking: eggs, batter, a hot pan, a pancake."""

    name = "pancakes"
    labels = ("Making pancakes", "Making {style} pancakes", "Pancake breakfast")
    scenes = (
        "{Who} is at the stove of {kitchen}.",
        "{Who} stands in {kitchen} with the ingredients for {style} pancakes laid out.",
        "{Who} has put on some music and is making {style} pancakes in {kitchen}.",
    )
    props = """
kitchen: a holiday cottage / a small city flat / a school canteen / a farmhouse kitchen / a narrow galley kitchen
style: thin / fluffy / buckwheat / oat / Sunday
n: two / three / four / five
bowl: glass bowl / mixing bowl / blue bowl / metal bowl
pan: skillet / cast-iron pan / griddle / frying pan
fat: butter / coconut oil / sunflower oil / ghee
topping: honey / maple syrup / plum jam / sliced banana / lemon and sugar / blueberries
"""
    start = "eggs=whole, batter=none, pan=cold, pancake=none"
    steps = """
crack: eggs=whole > eggs=broken into the bowl
  breaks {n} eggs into a {bowl}
  cracks {n} eggs on the rim of a {bowl} and drops them in.
  ! with a sewing needle | without leaving a crack in the shells

whisk: eggs=broken into the bowl, batter=none > batter=smooth
  whisks flour and milk into the eggs
  adds flour and milk and beats everything together
  + with a wire whisk | until no lumps are left | with quick turns of a fork
  ! with the lid of a jar | until the eggs are whole again | through a closed bottle

heat: pan=cold > pan=hot
  warms a little {fat} in the {pan}
  puts the {pan} on the burner and lets some {fat} heat up in it.
  ! on a shelf of the fridge | over a bowl of ice | under the cold tap

pour: batter=smooth, pan=hot, pancake=none > pancake=raw on top
  ladles some of the batter into the {pan}
  lets a scoop of batter spread across the {pan}
  + in a thin circle | until it reaches the edge
  ! by combing it flat | so that it runs back up into the ladle

flip: pancake=raw on top > pancake=cooked
  turns the pancake over
  flips the half-done pancake
  + with a wide spatula | as soon as small holes show on top | in one quick move
  ! with a drinking straw | so that it becomes liquid again | with a wet sponge

plate: pancake=cooked > pancake=on the plate
  slides the pancake onto a plate
  lifts the golden pancake out of the {pan} and puts it on a plate

top: pancake=on the plate > pancake=topped
  finishes the pancake on the plate with {topping}
  puts {topping} on the pancake

eat: pancake=topped > pancake=eaten
  takes a first bite of the topped pancake
  sits down and eats the pancake with {topping}
"""


class Bread(Script):
    """Baking: flour, dough that rises, an oven, a loaf that cools."""

    name = "bread"
    labels = ("Baking bread", "Baking a {grain} loaf", "Bread at home")
    scenes = (
        "{Who} stands at a floury counter in {kitchen}.",
        "{Who} has set out everything for a {grain} loaf in {kitchen}.",
    )
    props = """
kitchen: a village bakery / a tiny flat / a mountain hut / the kitchen of a guest house / a basement kitchen
grain: rye / spelt / wholemeal / millet / barley
bowl: clay bowl / wooden trough / steel bowl / wide bowl
seeds: sesame / poppy seeds / sunflower seeds / rolled oats / caraway seeds
tin: loaf tin / baking tray / iron pot / ring-shaped tin
spread: salted butter / soft cheese / apricot jam / olive paste
"""
    start = "dough=none, shape=none, top=plain, loaf=none"
    steps = """
mix: dough=none > dough=sticky
  stirs {grain} flour, yeast, salt and warm water together in a {bowl}
  puts {grain} flour, yeast and salt into a {bowl} and works in warm water
  + with a wooden spoon | with one hand
  ! with a pair of tweezers | with a hair dryer

knead: dough=sticky > dough=smooth
  kneads the sticky dough
  pushes and folds the sticky dough on the counter
  + with the heels of both hands | until it is smooth and stretchy | for ten minutes
  ! with a tape measure | until it falls apart into dry flour and clear water

rest: dough=smooth > dough=risen
  leaves the smooth dough to rise
  covers the smooth dough with a cloth and lets it rest
  + in a warm corner | until it has doubled in size
  ! in the freezer so that it grows faster | until it has risen through the ceiling

shape: dough=risen, shape=none > shape=loaf in the tin
  presses the air out of the risen dough and lays it in the {tin}
  shapes the risen dough and sets it in the {tin}

score: shape=loaf in the tin, top=plain, loaf=none > top=covered with seeds
  brushes the unbaked loaf with water and scatters {seeds} over it
  wets the top of the raw loaf and presses {seeds} into it
  ! using a garden rake | until the seeds sprout into stalks

bake: shape=loaf in the tin, loaf=none > loaf=hot from the oven
  bakes the loaf
  puts the {tin} into the hot oven and waits
  + until the crust is brown | for forty minutes | until it sounds hollow when tapped
  ! until the crust turns back into raw dough | until the loaf is frozen hard

cool: loaf=hot from the oven > loaf=cool
  tips the hot loaf out of the {tin} and lets it cool on a rack
  sets the hot loaf on a wire rack by the open window

slice: loaf=cool > loaf=sliced
  cuts the cooled loaf into slices
  saws off a few slices of the cooled bread
  + with a long toothed knife
  ! with the back of a spoon | with a paper fan

spread: loaf=sliced > loaf=spread
  spreads {spread} on a slice of the bread
  covers the first slice with {spread}
"""


class Coffee(Script):
    """A hot drink: beans, a kettle, a press, a cup."""

    name = "coffee"
    labels = ("Making coffee", "Brewing coffee in a press", "Coffee for guests")
    scenes = (
        "{Who} is behind the counter in {place} with an empty glass press.",
        "{Who} has opened a bag of {kind} beans in {place}.",
        "{Who} wants a proper cup of coffee and is in {place} with a grinder and a kettle.",
    )
    props = """
place: an office kitchen / a mountain hut / a camper van / a corner cafe / a student flat / a hospital break room
kind: dark / lightly roasted / Ethiopian / Colombian / Sumatran
vessel: enamel kettle / electric kettle / steel kettle / whistling kettle
cup: tall mug / tin mug / small white cup / clay cup / chipped mug
extra: a splash of milk / a spoonful of sugar / a little cream / a pinch of cinnamon
"""
    start = "beans=whole, kettle=empty, press=empty, cup=empty, extra=none"
    steps = """
grind: beans=whole > beans=ground
  grinds the {kind} beans
  turns the handle of the grinder on a scoop of {kind} beans
  + until they are as coarse as sea salt | for half a minute
  ! until they are green and growing | until they are whole again

fill: kettle=empty > kettle=full of cold water
  fills the {vessel} with cold water
  holds the {vessel} under the tap until it is full.
  ! with a fork | through a closed lid of solid steel

boil: kettle=full of cold water > kettle=hot
  heats the water in the {vessel}
  brings the {vessel} to the boil
  + until steam comes out | and waits for it to bubble
  ! by fanning it with a newspaper | until ice forms on top

spoon: beans=ground, press=empty > press=dry grounds
  tips the ground coffee into the press
  puts the fresh grounds at the bottom of the press
  ! with a fishing rod

pour: press=dry grounds, kettle=hot > press=brewing
  pours the hot water over the dry grounds
  wets the grounds in the press with the hot water and puts the lid on.
  ! so that the grounds stay perfectly dry

plunge: press=brewing > press=ready
  waits four minutes and pushes the plunger down
  presses the filter slowly to the bottom of the press
  ! so that the water turns back into steam and beans | with a feather

serve: press=ready, cup=empty > cup=full
  fills a {cup} with coffee from the press
  tilts the press and lets the finished coffee run into a {cup}
  ! until the coffee rises out of the {cup} and back into the press

finish: cup=full, extra=none > extra=in the cup
  stirs {extra} into the coffee in the {cup}
  adds {extra} to the full {cup}
  ! with a hammer | with a roll of tape

drink: cup=full > cup=drunk
  blows on the hot coffee and takes a sip from the {cup}
  takes the {cup} to a chair and drinks slowly
"""


class Wall(Script):
    """Decorating: a wall is filled, sanded, masked and painted."""

    name = "wall"
    labels = ("Painting a wall", "Painting {room}", "Redecorating {room}")
    scenes = (
        "{Who} has pushed the furniture to the middle of {room}.",
        "{Who} stands in {room} and looks at a wall with a few holes in it.",
        "{Who} is getting {room} ready for a new colour.",
    )
    props = """
room: the spare bedroom / a narrow hallway / the living room / an attic room / the nursery / a classroom
colour: pale green / dark blue / warm yellow / off-white / brick red / light grey / lilac
scraper: filling knife / flat scraper / plastic scraper
cover: old sheets / newspaper / a plastic sheet / a canvas cloth
"""
    start = "holes=open, floor=bare, edges=free, tin=closed, wall=old colour"
    steps = """
fill: holes=open > holes=filled but rough
  presses filler into the holes in the wall
  smears filler into the old nail holes
  + with a {scraper}
  ! with a bicycle pump | with a teaspoon of hot soup

sand: holes=filled but rough > holes=smooth
  rubs the dry filler down
  evens out the dried bumps of filler
  + with fine sandpaper | with a sanding block
  ! with a slice of bread | with a wet towel made of silk

cover: floor=bare > floor=covered
  spreads {cover} over the bare floor
  lays {cover} along the bare floor below the wall

mask: holes=smooth, edges=free > edges=taped
  sticks tape along the door frame and the skirting board
  tapes off the edges of the wall
  ! with a strip of cooked pasta | using a broom

open: tin=closed > tin=open
  opens the tin of {colour} paint and stirs it
  levers the lid off the paint tin and stirs the {colour} paint
  + with a flat stick
  ! with a drop of glue | with a balloon

paint: holes=smooth, floor=covered, edges=taped, tin=open, wall=old colour > wall=wet paint
  spreads {colour} paint over the wall
  gives the whole wall a coat of {colour}
  + with a wide roller | from the top down
  ! with a dry paint lid | and leaves the paint in the sealed tin | with a vacuum cleaner

dry: wall=wet paint > wall=dry paint
  opens the windows and lets the fresh coat dry
  leaves the fresh coat alone overnight
  ! so that it gets wetter every hour

peel: wall=dry paint, edges=taped > edges=clean
  pulls the tape off the edges of the painted wall
  peels away the tape and uncovers a clean line

hang: edges=clean, wall=dry paint > wall=decorated
  hangs a picture back on the freshly painted wall
  moves the sofa back against the finished wall
"""


class Shelf(Script):
    """Home repair: a shelf is measured, drilled, plugged, screwed and loaded."""

    name = "shelf"
    labels = ("Putting up a shelf", "Hanging a shelf in {room}", "Do-it-yourself shelves")
    scenes = (
        "{Who} is in {room} with {wood} board and a bag of brackets.",
        "{Who} wants to put up {wood} shelf in {room}.",
        "{Who} has laid out tools on the floor of {room}.",
    )
    props = """
room: the study / a garage / the laundry room / a child's bedroom / a small shop / the music room
wood: an oak / a pine / a walnut / a birch / a white
pencil: carpenter's pencil / soft pencil / piece of chalk
plug: grey plugs / red plugs / plastic plugs / nylon plugs
load: cookbooks / jars of screws / potted plants / board games / folded towels / model ships
"""
    start = "marks=none, holes=none, plugs=in the bag, brackets=loose, shelf=on the floor"
    steps = """
mark: marks=none > marks=on the wall
  marks the places for the brackets on the wall
  measures the wall and makes small crosses for the brackets
  + with a {pencil} | along a spirit level
  ! with a bucket of water | with a paper towel

drill: marks=on the wall, holes=none > holes=drilled
  drills a hole at every mark
  makes holes at the marked places
  + with a masonry bit | with the electric drill
  ! with a paintbrush | with a rubber ball | until the marks are blank wall again

plug: holes=drilled, plugs=in the bag > plugs=in the holes
  pushes {plug} into the holes
  taps {plug} into the drilled holes
  + until they sit level with the wall
  ! with a feather duster | until they melt back into the bag

bracket: plugs=in the holes, brackets=loose > brackets=tight
  screws the brackets to the wall
  holds the brackets over the plugs and fixes them
  + with long screws | with a cordless screwdriver
  ! with a spoonful of flour | with a comb

lay: brackets=tight, shelf=on the floor > shelf=resting on the brackets
  lays the board across the two brackets
  lifts the board onto the fixed brackets

level: shelf=resting on the brackets > shelf=fixed
  checks that the board lies level and screws it down from below
  sets a spirit level on the board and fastens the board to the brackets

load: shelf=fixed > shelf=loaded
  fills the finished shelf with {load}
  arranges {load} on the shelf
  ! by nailing each of them to the ceiling

admire: shelf=loaded > shelf=photographed
  steps back and takes a picture of the full shelf
  dusts off both hands and shows the full shelf to a neighbour
"""


class Candle(Script):
    """Crafts: wax is melted, poured round a wick and left to set."""

    name = "candle"
    labels = ("Making candles", "Making a {scent} candle", "Candle craft")
    scenes = (
        "{Who} is sitting in {place} with a bag of {wax} and some string.",
        "{Who} is making a {scent} candle in {place}.",
        "{Who} has cleared a table in {place} to make candles.",
    )
    props = """
place: a craft studio / the back room of a gift shop / a church hall / the kitchen / a garden shed with a stove
wax: beeswax / soy wax / paraffin wax / rapeseed wax
scent: lavender / pine / vanilla / lemon / rosemary / cedar
mould: jam jar / teacup / tin can / glass tumbler
heater: double boiler / pot set in hot water / wax melter
"""
    start = "wax=solid, scent=in the bottle, wick=loose, candle=none"
    steps = """
chop: wax=solid > wax=in small pieces
  chops the block of {wax} into small pieces
  shaves the {wax} down into flakes
  + on a board | with a heavy knife
  ! with a wet tissue | with a balloon

melt: wax=in small pieces > wax=liquid
  melts the pieces of wax
  warms the wax slowly
  + in a {heater} | until it is clear and runny
  ! in a bucket of snow | until it freezes into one block

wick: wick=loose > wick=standing in the mould
  fixes a wick upright in the middle of a {mould}
  ties a wick to a stick and hangs it into a {mould}

scent: wax=liquid, scent=in the bottle > scent=in the wax
  stirs a few drops of {scent} oil into the liquid wax
  lets some {scent} oil drip into the liquid wax and stirs

pour: scent=in the wax, wick=standing in the mould, candle=none > candle=soft
  pours the scented wax around the wick
  fills the {mould} slowly with the scented wax
  + almost to the rim | in a thin stream
  ! through a closed lid | until the {mould} is emptier than before | with a fork

set: candle=soft > candle=hard
  leaves the soft candle to harden overnight
  puts the soft candle on a cool shelf until it has set.
  ! over a lit burner | until it has turned into water

trim: candle=hard > candle=trimmed
  trims the wick above the hard candle
  snips the end of the wick on the hard candle
  + with small scissors | to the width of a finger
  ! with a rolling pin | so that it grows longer

light: candle=trimmed > candle=burning
  lights the finished candle
  brings a flame to the trimmed wick
  + with a long match
  ! with an ice cube | with a glass of water

blow: candle=burning > candle=put out
  blows out the flame of the candle
  puts a small metal cap over the flame until it dies
"""


class Printer(Script):
    """Office: a paper jam is cleared and a report goes into the post."""

    name = "printer"
    labels = ("Clearing a paper jam", "Printing {paper}", "Office work")
    scenes = (
        "{Who} is printing {paper} in {place} when a red light starts to blink.",
        "{Who} hears the printer in {place} stop halfway through {paper}.",
        "{Who} needs {paper} before noon, but the printer in {place} has jammed.",
    )
    props = """
place: a law office / a school library / a travel agency / a doctor's practice / a town hall / a newspaper office
paper: a contract / an annual report / a seating plan / a set of invoices / a training manual / a grant application
clip: paper clip / staple / binder clip
envelope: brown envelope / padded envelope / cardboard folder / white envelope
receiver: the head office / a client abroad / the tax office / a colleague upstairs
"""
    start = "printer=on, cover=closed, sheet=stuck, pages=none"
    steps = """
off: printer=on, sheet=stuck > printer=off
  switches the jammed printer off
  turns off the power at the back of the jammed printer
  ! with a slice of lemon | so that the red light blinks twice as fast

open: cover=closed, sheet=stuck > cover=open
  opens the cover of the printer
  lifts the side cover of the printer
  ! without moving any part of it

pull: cover=open, sheet=stuck > sheet=out
  pulls the crumpled sheet out of the rollers
  draws the stuck sheet out of the machine
  + with both hands | slowly, so that it does not tear
  ! with a drinking glass | until it has slid deeper inside

close: cover=open, sheet=out > cover=shut again
  shuts the cover again
  pushes the cover down until it clicks

on: cover=shut again, printer=off > printer=ready
  switches the cleared printer back on
  turns the power back on and waits for the green light

print: printer=ready, cover=shut again, pages=none > pages=printed
  sends the file to the printer once more
  starts the print job again
  ! by whistling into the paper tray | with a pencil sharpener

fasten: pages=printed > pages=fastened
  gathers the printed pages and holds them together
  squares the printed pages and fastens them
  + with a {clip}
  ! with a puff of air | with a cup of coffee

envelope: pages=fastened > pages=in the envelope
  slips the fastened pages into a {envelope}
  puts the fastened pages inside a {envelope}

post: pages=in the envelope > pages=posted
  writes the address of {receiver} on the {envelope} and drops it in the out tray
  addresses the {envelope} to {receiver} and hands it to the courier
"""


class Floor(Script):
    """Cleaning: a floor is cleared, swept, mopped and dried."""

    name = "floor"
    labels = ("Mopping a floor", "Cleaning {room}", "Cleaning up after {event}")
    scenes = (
        "{Who} looks at the dirty floor of {room} after {event}.",
        "{Who} has been asked to clean {room}.",
    )
    props = """
room: a village hall / the hallway / a dance studio / a bakery / a school corridor / the entrance of a museum
event: a birthday party / a rainy market day / a concert / a pottery class / a wedding
clutter: chairs / boxes / plant pots / stools / shoes
soap: pine soap / lemon cleaner / a capful of soap / a squirt of floor cleaner
bucket: red bucket / tin bucket / plastic pail / mop bucket
"""
    start = "clutter=on the floor, dust=everywhere, bucket=empty, mop=dry, floor=dirty"
    steps = """
clear: clutter=on the floor > clutter=out of the way
  carries the {clutter} out of the way
  stacks the {clutter} against the wall so that the floor is free

sweep: clutter=out of the way, dust=everywhere > dust=in a heap
  sweeps the loose dirt into a heap
  pushes the crumbs and dust together
  + with a stiff broom | from the corners to the middle
  ! with a wet teabag | with a rolled-up magazine full of glue | until they are spread evenly again

scoop: dust=in a heap > dust=in the bin
  scoops up the heap of dirt and empties it into the bin
  brushes the heap of dirt onto a dustpan and throws it away

fill: bucket=empty > bucket=soapy water
  fills a {bucket} with hot water and adds {soap}
  mixes {soap} into a {bucket} of hot water

dip: bucket=soapy water, mop=dry > mop=wet
  dips the mop into the {bucket} and wrings it out
  soaks the mop in the {bucket} and squeezes it
  ! so that it comes out dry and dusty

mop: mop=wet, dust=in the bin, floor=dirty > floor=wet, bucket=grey water
  mops the floor
  pulls the wet mop across the floor
  + in long strokes | from the far wall to the door
  ! with the handle held in the {bucket} | until it is covered in crumbs

change: bucket=grey water > bucket=poured away
  pours the grey water down the drain
  empties the {bucket} of dirty water into the sink
  ! and watches it turn clear in mid-air

dry: floor=wet > floor=dry
  opens the door and waits for the wet floor to dry
  goes over the wet floor with a dry cloth until it shines
  ! while spraying it with a hose

back: floor=dry, clutter=out of the way > clutter=back in place
  brings the {clutter} back onto the clean floor
  sets the {clutter} back where they stood before
"""
