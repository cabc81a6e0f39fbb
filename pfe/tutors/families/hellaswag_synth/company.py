"""Scripts of grooming, care, pets, shops, music and clay.

Example: "Changing a guitar string. Odile sits in a rehearsal room with a guitar that has a broken string. Odile takes
the rest of the broken string off, then pushes the new string through the bridge. she"
Right: "winds the free end around the peg." Wrong: "plays a slow tune on the tuned guitar." (not tuned yet)
"""

from pfe.tutors.families.hellaswag_synth.script import Script


class DogBath(Script):
    """Pets: a muddy dog is washed and dried."""

    name = "dog_bath"
    labels = ("Washing a dog", "Bathing a {dog}", "Dog grooming")
    scenes = (
        "{Who} has come home from {walk} with a muddy {dog}.",
        "{Who} leads a {dog}, muddy from {walk}, to {tub}.",
    )
    props = """
walk: a walk in the rain / a run on the beach / a day on the farm / a hike / a romp through the marsh
dog: terrier / spaniel / sheepdog / poodle / beagle / dachshund / retriever
tub: the bathtub / an old zinc tub / a paddling pool / the shower
soap: dog shampoo / oat shampoo / mild soap
towel: thick towel / striped towel / beach towel / pile of old towels
treat: biscuit / piece of cheese / slice of carrot / chew stick
"""
    start = "brush=needed, tub=empty, dog=muddy and dry, treat=not given"
    steps = """
brush: brush=needed, dog=muddy and dry > brush=done
  brushes the knots and dry dirt out of the fur
  combs the knots and the worst of the dirt out of the coat
  + with a metal comb | from neck to tail
  ! with a wet sponge cake | with a pair of tongs made of ice

run: tub=empty > tub=warm water
  runs warm water into {tub}
  lets a little warm water into {tub}

lift: tub=warm water, dog=muddy and dry > dog=in the tub
  lifts the {dog} into {tub}
  coaxes the {dog} into {tub}
  + with a {treat} as bait
  ! with a sheet of music

wet: dog=in the tub > dog=wet
  wets the muddy coat
  pours water over the muddy coat
  + with a plastic jug | while keeping the ears dry
  ! with a closed umbrella | until every hair is dry

soap: dog=wet > dog=soapy
  rubs {soap} into the wet fur
  works {soap} through the wet fur
  + until it foams
  ! with a vacuum cleaner | until the mud grows thicker

rinse: dog=soapy > dog=clean and dripping
  rinses all the foam out of the coat
  washes the foam away with clear water.
  ! with a jar of honey | until it is covered in foam again

dry: dog=clean and dripping > dog=dry
  wraps the dripping {dog} in a {towel} and rubs
  dries the dripping {dog} with a {towel}
  ! while holding it under water

treat: dog=dry, treat=not given > treat=given
  gives the clean, dry {dog} a {treat}
  pats the dry {dog} and hands over a {treat}
  ! through a wall without a gap

let: dog=dry, tub=warm water > tub=drained
  pulls the plug and wipes the mud out of {tub}
  lets the dirty water out and scrubs {tub}
"""


class Haircut(Script):
    """Grooming with two roles: a customer and a hairdresser."""

    name = "haircut"
    other = "hairdresser"
    labels = ("Cutting hair", "Getting a haircut", "At the hairdresser's")
    scenes = (
        "{Who} walks into {salon}, where {hairdresser} is sweeping up.",
        "{Who} has an appointment with {hairdresser} in {salon}.",
        "{Who} hangs up a coat in {salon} and greets {hairdresser}.",
    )
    props = """
salon: a salon on the market square / a small barber shop / a hotel salon / a salon above a bank / a village salon
hairdresser: the hairdresser / the stylist / the barber / the apprentice / the owner
style: a short bob / a neat fringe / a few shorter layers / a tidy trim / something new
cape: black cape / nylon cape / striped cape / white cape
cut: fine scissors / a pair of thinning scissors / sharp scissors
"""
    start = "customer=standing, wish=unknown, hair=dry and long, cape=off, mirror=on the shelf"
    steps = """
sit: customer=standing > customer=in the chair
  takes a seat in the swivel chair
  sits down in front of the big mirror
  ! on the blades of the ceiling fan

ask: customer=in the chair, wish=unknown > wish=known
  asks for {style}
  shows a photo and asks for {style}
  ! by washing the windows

b cape: wish=known, cape=off > cape=on
  fastens a {cape} around the customer's neck
  shakes out a {cape} and ties it at the customer's neck
  ! with a row of bricks | over the customer's shoes

b wet: cape=on, hair=dry and long > hair=wet and long
  washes the customer's hair at the basin
  leans the customer's head back over the basin and washes the hair
  + with warm water
  ! with a bag of flour | without letting it get wet

b comb: hair=wet and long > hair=combed and long
  combs the wet hair into sections
  parts the wet hair and pins it up in sections
  ! with a hammer | with a soup ladle

b cut: hair=combed and long > hair=short and wet
  cuts the combed sections one by one
  snips along the combed sections
  + with {cut} | to the agreed length
  ! with a glue stick | until the hair is twice as long

b dry: hair=short and wet > hair=short and dry
  dries the freshly cut hair
  blows the freshly cut hair dry
  + with a round brush and a hair dryer
  ! with a garden sprinkler | until water runs down the {cape}

b mirror: hair=short and dry, mirror=on the shelf > mirror=behind the head
  holds up a hand mirror to show the back
  shows the back of the finished cut in a second mirror

nod: mirror=behind the head, hair=short and dry > wish=fulfilled
  turns to both sides in the mirror and smiles at the result
  looks at the finished cut from behind and nods

pay: wish=fulfilled > customer=gone
  pays at the till and leaves with the new haircut
  leaves a tip, takes the coat and goes out
"""


class Graze(Script):
    """First aid with two roles: someone has fallen, someone else helps."""

    name = "graze"
    other = "helper"
    labels = ("First aid", "Treating a grazed {limb}", "Cleaning a small wound")
    scenes = (
        "{Who} is {game} in {place} while {helper} watches.",
        "{Who} is {game} in {place}, not far from {helper}.",
    )
    props = """
place: the park / a school yard / the street / a back garden / a quiet courtyard
game: running after a ball / learning to skateboard / racing on a scooter / skipping backwards / roller skating
helper: the coach / the nurse / the neighbour / the lifeguard / the teacher
limb: knee / elbow / shin / palm
cloth: clean cloth / cotton pad / gauze pad
plaster: large plaster / blue plaster / strip of plaster / bandage
"""
    start = "player=on the move, wound=none, kit=closed, hands=unwashed"
    steps = """
fall: player=on the move, wound=none > player=sitting, wound=dirty
  trips and grazes one {limb} on the ground
  stumbles and scrapes one {limb} on the stones

call: player=sitting, wound=dirty, kit=closed > player=asking for help
  calls out that the {limb} is bleeding
  holds the bleeding {limb} and asks for help

b wash: player=asking for help, hands=unwashed, kit=closed > hands=clean
  hurries over, looks at the {limb} and washes both hands
  washes both hands before touching the grazed {limb}.
  + with soap and water
  ! with cooking oil | in a puddle of mud

b open: hands=clean, kit=closed > kit=open
  opens the first-aid kit with clean hands
  unzips the first-aid kit and takes out what is needed
  ! by sitting on the closed lid

b rinse: hands=clean, wound=dirty > wound=rinsed
  rinses the dirt out of the graze
  washes the grit out of the graze
  + with clear water | with water from a bottle
  ! with sand from the path | with glue from a tube

b pat: wound=rinsed > wound=clean and dry
  pats the rinsed skin dry
  dabs the wet skin dry
  + with a {cloth}
  ! with a cheese grater | with a dripping sponge

b cover: kit=open, wound=clean and dry > wound=covered
  covers the clean graze with a {plaster}
  puts a {plaster} over the clean, dry skin
  ! and leaves the wrapper closed around it | on the other, healthy arm only

thank: wound=covered, player=asking for help > player=relieved
  says thank you and tests the covered {limb} carefully
  moves the covered {limb} and says thank you

back: player=relieved > player=back in the game
  gets up with the covered {limb} and goes on more carefully
  goes back to the others, more slowly than before

b pack: player=back in the game, kit=open > kit=restocked
  closes the kit and notes that a {plaster} is missing
  throws the wrappers away and closes the kit
"""


class Checkout(Script):
    """Shopping with two roles: a customer and a cashier."""

    name = "checkout"
    other = "cashier"
    labels = ("Shopping for groceries", "At the checkout", "Buying {fruit}")
    scenes = (
        "{Who} enters {shop} to buy {fruit} and {goods}, and {cashier} waves from the till.",
        "{Who} needs {fruit} and {goods} and goes into {shop}, where {cashier} is at the till.",
    )
    props = """
shop: a corner shop / a big supermarket / a farm shop / a health-food shop / a petrol station shop
fruit: pears / oranges / plums / apricots / limes / figs
goods: rice / washing powder / noodles / candles / cat food / oats
cashier: the cashier / the shop assistant / the owner / the trainee
holder: basket / trolley
bag: cloth bag / rucksack / paper bag / string bag
"""
    start = "holder=at the door, fruit=on show, goods=on the shelf, till=waiting, bill=unpaid, receipt=none, bag=empty"
    steps = """
take: holder=at the door > holder=in use
  takes a {holder} from the row by the door
  picks up an empty {holder} at the door

fruit: holder=in use, fruit=on show > fruit=in the holder
  chooses ripe {fruit} and puts them in the {holder}
  weighs some {fruit} and places them in the {holder}
  ! with a fishing rod | by whistling to them

goods: holder=in use, goods=on the shelf > goods=in the holder
  finds the {goods} on a shelf and adds a packet to the {holder}
  reaches up to a shelf for a packet of {goods}

queue: fruit=in the holder, goods=in the holder, till=waiting > till=things on the belt
  goes to the till and lays everything on the belt
  unloads the {holder} onto the belt at the till
  ! by tipping it over the roof

b scan: till=things on the belt > till=total shown
  scans the {fruit} and the {goods}
  passes the {fruit} and the {goods} over the scanner
  + until the last beep | one by one
  ! with an electric iron | with a magnifying glass made of wood

b total: till=total shown, bill=unpaid > bill=asked for
  reads out the total from the screen
  tells the customer what it all costs

pay: bill=asked for > bill=paid
  pays the bill
  settles the bill at the till
  + in cash | with a bank card
  ! with a handful of leaves | with a library book

b receipt: bill=paid, receipt=none > receipt=given
  hands over the receipt and says goodbye
  tears off the receipt and gives it to the customer
  ! after burning it to ashes

pack: bill=paid, bag=empty > bag=full
  packs the {fruit} on top of the {goods} in a {bag}
  fills a {bag} with the paid shopping
  ! through a hole the size of a pin

leave: bag=full, holder=in use > holder=returned
  brings the {holder} back and carries the full {bag} home
  puts the {holder} back and goes out with the full {bag}
"""


class GuitarString(Script):
    """Music: a broken string is replaced, tuned and played."""

    name = "guitar_string"
    labels = ("Changing a guitar string", "Fixing a {guitar}", "Playing the guitar")
    scenes = (
        "{Who} sits in {place} with a {guitar} that has a broken string.",
        "{Who} was playing a {guitar} in {place} when a string broke.",
        "{Who} lays a {guitar} with a broken string on a table in {place}.",
    )
    props = """
place: a rehearsal room / a music shop / a hostel lounge / a garage / a school hall / the back of a tour bus
guitar: classical guitar / twelve-fret guitar / travel guitar / cherry-red guitar / second-hand guitar
string: steel string / nylon string / bronze string / silvery string
tuner: clip-on tuner / tuning fork / piano / tuning app
tune: a slow waltz / a lullaby / a folk song / the first bars of a march / a blues
"""
    start = "old=on the guitar, new=in the packet, guitar=silent, end=long"
    steps = """
remove: old=on the guitar > old=removed
  takes the rest of the broken string off
  unwinds what is left of the broken string and throws it away
  ! by tuning it one octave higher | with a paintbrush

unpack: new=in the packet > new=in the hand
  tears open a packet and uncoils the new {string}
  takes a new {string} out of its packet

bridge: old=removed, new=in the hand > new=fixed at the bridge
  fixes one end of the new string at the bridge
  pushes one end of the new string through the bridge and secures it
  ! with a spoonful of soup | so that it is back in the packet

peg: new=fixed at the bridge > new=through the peg
  threads the free end through the hole in the peg
  leads the free end up the neck and through the peg
  ! with a garden hose | without moving it from the bridge

wind: new=through the peg, guitar=silent > new=tight
  winds the peg
  turns the peg round and round
  + until the string is tight | while keeping the string straight
  ! until the string is completely loose | with a slice of toast

tune: new=tight, guitar=silent > guitar=tuned
  tunes the tight string
  brings the tight string to the right note
  + by ear | with the help of a {tuner}
  ! with a bathroom scale | with a ruler and a bucket

cut: new=tight, end=long > end=short
  snips off the end that sticks out at the peg
  cuts the extra wire at the peg
  + with pliers
  ! with a teabag | so that it grows back at once

play: guitar=tuned > guitar=played
  plays {tune} on the tuned guitar
  tries out {tune} with all the strings in tune

case: guitar=played > guitar=in its case
  wipes the strings and lays the guitar in its case
  puts the guitar back in its case and snaps the locks
"""


class Clay(Script):
    """Crafts: a pot is thrown on a wheel, dried, fired and glazed."""

    name = "clay"
    labels = ("Making pottery", "Throwing a {pot} on the wheel", "In the pottery workshop")
    scenes = (
        "{Who} is sitting at a potter's wheel in {place}.",
        "{Who} puts on an apron in {place} to make a {pot}.",
        "{Who} has a lump of {clay} ready for a {pot} in {place}.",
    )
    props = """
place: a village workshop / an art school / a cellar studio / a community centre / a barn
clay: red clay / white clay / grey clay / brown clay
pot: vase / salad bowl / jug / flower pot / teapot
glaze: sea-green / honey-coloured / matt white / deep blue / speckled
rib: a wooden rib / wet hands / a damp sponge
"""
    start = "clay=full of air, pot=none, fire=unfired, glaze=none"
    steps = """
wedge: clay=full of air > clay=wedged
  presses and folds the {clay} to force the air out
  slams the {clay} on a board and kneads it until no air is left.
  ! with a drinking straw | by pumping bubbles into it

centre: clay=wedged, pot=none > clay=centred
  throws the {clay} on the wheel and centres it
  sets the {clay} in the middle of the spinning wheel
  + with wet hands
  ! with a hair dryer pointed at it | while the wheel is packed in a crate

open: clay=centred, pot=none > pot=a thick ring
  pushes both thumbs into the middle of the centred clay
  opens the centred clay with both thumbs
  ! without touching it

pull: pot=a thick ring > pot=soft and finished
  pulls up the thick walls until they are thin and even.
  draws the thick walls upwards into the shape of a {pot}
  + with {rib}
  ! with a leaf blower | until they are a shapeless lump of dry dust

cut: pot=soft and finished > pot=off the wheel
  slices the soft {pot} off the wheel
  frees the soft {pot} from the wheel
  + with a wire
  ! with a cup of tea | with a pillow

dry: pot=off the wheel > pot=dry
  sets the soft {pot} on a shelf to dry for a week
  leaves the soft {pot} to dry beside the window.
  ! under a running tap | in a tank of water

fire: pot=dry, fire=unfired > fire=fired once
  fires the dry {pot} for the first time
  loads the dry {pot} into the kiln and heats it
  ! in the freezer | with one match held below it

glaze: fire=fired once, glaze=none > glaze=wet coat
  dips the fired {pot} into {glaze} glaze
  brushes {glaze} glaze onto the fired {pot}

second: glaze=wet coat > glaze=hard and shiny
  puts the glazed {pot} back into the kiln for a second firing
  fires the glazed {pot} again
  ! until the glaze is powder in the tin again
"""
