"""Scripts of the garden, the road, sport and travel.

Example: "Fixing a puncture. Kwame has stopped on a forest path with a flat back tyre. Kwame turns the bicycle over and
takes off the back wheel, then levers one edge of the tyre over the rim. he"
Right: "pulls the inner tube out." Wrong: "presses a patch onto the rough spot." (the hole is not found yet)
"""

from pfe.tutors.families.hellaswag_synth.script import Script


class Puncture(Script):
    """Repair: the inner tube of a bicycle tyre is patched."""

    name = "puncture"
    labels = ("Fixing a puncture", "Fixing a flat {end} tyre", "Bicycle repair")
    scenes = (
        "{Who} has stopped {place} with a flat {end} tyre.",
        "{Who} notices {place} that the {end} tyre of the {bike} has gone soft.",
        "{Who} is kneeling beside a {bike} {place}.",
    )
    props = """
place: on a forest path / in front of a bakery / in the school yard / by a canal / outside a campsite / at a bus stop
end: front / back
bike: touring bike / racing bike / mountain bike / folding bike / cargo bike
lever: two plastic levers / a pair of tyre levers / a steel lever
cause: a thorn / a splinter of glass / a tack / a sharp stone
"""
    start = "wheel=on the bicycle, tyre=on the rim, tube=in the tyre, hole=unseen, air=none"
    steps = """
off: wheel=on the bicycle > wheel=off
  turns the {bike} upside down and takes off the {end} wheel
  loosens the {end} wheel and lifts it out of the frame
  ! with a toothbrush | by letting go of the handlebars

lever: wheel=off, tyre=on the rim > tyre=half off
  lifts one edge of the tyre over the rim
  works one side of the tyre off the rim
  + with {lever}
  ! with a blade of grass | with a paper cup

tube: tyre=half off, tube=in the tyre > tube=out
  pulls the inner tube out
  draws the soft tube out from under the tyre

find: tube=out, hole=unseen > hole=found
  pumps a little air into the tube and listens for the hole.
  holds the tube in water and looks for the hole
  + until bubbles rise in one place
  ! with both ears covered and both eyes shut | until the water runs uphill

rough: hole=found > hole=roughened
  rubs the rubber around the hole
  makes the rubber around the hole rough
  + with a scrap of sandpaper
  ! with a stick of butter | with a silk scarf

patch: hole=roughened > hole=patched
  presses a patch onto the rough spot
  spreads glue on the rough spot and sticks a patch over it
  ! with the patch still sealed in its packet | until the hole is twice as wide

remove: hole=patched, tube=out > tube=patched and back inside
  picks {cause} out of the tyre and tucks the patched tube back in
  finds {cause} in the tyre and pulls it out before putting the patched tube back

seat: tube=patched and back inside, tyre=half off > tyre=back on the rim
  pushes the loose edge of the tyre back over the rim
  works the tyre back onto the rim by hand

pump: tyre=back on the rim, air=none > air=full
  pumps up the repaired tyre
  fills the repaired tyre with air
  + until it feels hard
  ! with a watering can | with a spoon | until it is flat

ride: air=full, wheel=off > wheel=back in the frame
  puts the {end} wheel back and rides away
  fits the {end} wheel into the frame and tries the {bike} out
"""


class Tree(Script):
    """Gardening: a young tree is planted, staked and watered."""

    name = "tree"
    labels = ("Planting a tree", "Planting {tree} tree", "Gardening")
    scenes = (
        "{Who} has brought {tree} tree in a pot to {place}.",
        "{Who} is standing in {place} next to {tree} tree in a pot.",
        "{Who} wants to plant {tree} tree in {place}.",
    )
    props = """
place: a school garden / a front yard / a small orchard / a city park / the corner of a meadow / a churchyard
tree: an apple / a plum / a cherry / a maple / a walnut / an almond / a pear
spade: long spade / pointed shovel / garden spade
feed: compost / leaf mould / old manure / bone meal
mulch: bark / straw / wood chips / dry leaves
"""
    start = "hole=none, food=none, tree=in the pot, stake=none, soil=dry, ground=bare"
    steps = """
dig: hole=none > hole=empty
  digs a hole twice as wide as the pot
  cuts out the grass and digs a round hole
  + with a {spade} | until it is knee-deep
  ! with a table napkin | with a garden hose that is switched off | until the ground is higher than before

feed: hole=empty, food=none > food=in the hole
  mixes some {feed} into the earth at the bottom of the hole
  drops two handfuls of {feed} into the empty hole

unpot: tree=in the pot > tree=out of the pot
  eases the tree out of its pot and loosens the roots
  slides the pot off the roots and untangles them
  + by hand
  ! with a blowtorch | by pouring cement over them

stand: tree=out of the pot, hole=empty > tree=standing in the hole, hole=around the roots
  stands the bare roots in the hole
  lowers the tree into the hole until it stands straight

stake: stake=none > stake=in the ground
  drives a stake into the ground beside the trunk
  hammers a stake in next to the young trunk
  ! with a feather pillow | with a loaf of soft bread

backfill: tree=standing in the hole, hole=around the roots > hole=filled, tree=planted
  shovels the earth back around the roots and treads it down
  fills the hole with earth again and firms it with one boot
  ! until the roots hang in the open air

tie: tree=planted, stake=in the ground > stake=tied to the trunk
  ties the trunk loosely to the stake
  loops a soft strap around trunk and stake.
  ! with a strip of wet paper | with a rope of dry sand

water: tree=planted, soil=dry > soil=wet
  empties a full watering can over the roots.
  soaks the earth around the trunk
  + slowly, so that nothing runs off
  ! with a bag of gravel | until the earth is bone dry

mulch: soil=wet, ground=bare > ground=covered
  spreads {mulch} over the damp earth
  covers the wet ground around the trunk with {mulch}
"""


class Archery(Script):
    """Sport: one arrow is shot and fetched."""

    name = "archery"
    labels = ("Archery", "Archery practice", "Shooting with a {bow}")
    scenes = (
        "{Who} walks up to the shooting line {place} with a {bow}.",
        "{Who} is practising with a {bow} {place}.",
    )
    props = """
place: in a sports hall / on a wide lawn / at the edge of a forest / behind a youth club / on a gravel range
bow: wooden bow / longbow / recurve bow / bamboo bow
arrow: red arrow / feathered arrow / carbon arrow / blue arrow / wooden arrow
guard: leather arm guard / finger tab / shooting glove
ring: the yellow centre / the outer blue ring / the red ring / the white edge
"""
    start = "guard=off, arrow=in the quiver, string=slack, aim=none"
    steps = """
guard: guard=off, arrow=in the quiver > guard=on
  straps on a {guard}
  puts on a {guard} and checks that it sits well

draw_out: guard=on, arrow=in the quiver > arrow=in the hand
  takes a {arrow} from the quiver
  pulls a {arrow} out of the quiver
  ! with a fishing net | by shaking the target

nock: arrow=in the hand, string=slack > arrow=on the string
  sets the end of the {arrow} on the string
  clicks the {arrow} onto the bowstring
  ! with a wooden mallet

raise: arrow=on the string, string=slack > string=drawn
  raises the bow and draws the string back
  lifts the bow and pulls the string back
  + until one hand touches the chin | in one smooth movement
  ! with the bow still in its case | until the string goes limp

aim: string=drawn, aim=none > aim=on the target
  holds still and aims at the middle of the target
  closes one eye and lines the {arrow} up with the target
  ! while facing the other way | with a blanket over the eyes

shoot: string=drawn, arrow=on the string, aim=on the target > arrow=in the target, string=released
  lets the string go and hits {ring}
  releases the string, and the {arrow} strikes {ring}

lower: string=released > string=lowered
  lowers the bow and looks to see where the {arrow} has landed
  lets the bow sink and leans it on the stand

fetch: arrow=in the target > arrow=fetched
  walks over to the target and pulls the {arrow} out
  crosses the range to the target and draws the {arrow} out
  ! from a distance of fifty steps | by blowing on it from the line

score: arrow=fetched > arrow=scored
  writes the score on a card and comes back with the {arrow}
  returns with the {arrow} and adds the points to the score sheet
"""


class Climbing(Script):
    """Sport with two roles: one climbs, the other holds the rope."""

    name = "climbing"
    other = "partner"
    labels = ("Rock climbing", "Climbing {wall}", "Climbing with a rope")
    scenes = (
        "{Who} is standing at the foot of {wall} with {partner}.",
        "{Who} and {partner} have come to {wall} with a {rope} rope.",
        "{Who} is looking up at {wall} while {partner} uncoils a {rope} rope.",
    )
    props = """
wall: a sandstone cliff / an indoor wall / a limestone crag / a granite slab / the climbing tower of a camp
partner: the instructor / the belayer / the guide / the trainer
rope: yellow / green / speckled / new / purple
hold: a narrow ledge / a wide crack / a row of small holds / a round knob of rock / an orange hold
"""
    start = "harness=off, knot=none, check=none, belay=off, climber=on the ground"
    steps = """
harness: harness=off > harness=on
  steps into a harness and tightens the straps
  pulls on a harness and buckles it up
  ! with a rolling pin | while hanging in mid-air

tie: harness=on, knot=none > knot=tied
  ties the end of the {rope} rope to the harness
  threads the {rope} rope through the harness and ties a knot
  ! with chopsticks | so that it hangs free of the harness

b check: knot=tied, check=none > check=done
  tugs at the knot and nods
  looks closely at the knot and gives it a pull
  ! from the far end of the car park | with eyes tightly closed

b belay: knot=tied, belay=off > belay=on
  feeds the {rope} rope through the belay device and locks it
  clips the {rope} rope into the belay device
  ! so that both ends lie loose on the ground | with a pair of oven gloves taped shut

climb: belay=on, check=done, climber=on the ground > climber=halfway up
  reaches for {hold} and starts to climb
  puts one foot on {hold} and leaves the ground
  ! without touching the rock at all | by walking backwards through the stone

top: climber=halfway up > climber=at the top
  climbs on past the middle to the very top
  pulls up over the last metres and touches the top anchor

b lower: climber=at the top, belay=on > climber=down again
  lets the {rope} rope out slowly until the climber is back on the ground.
  lowers the climber from the top on the tight {rope} rope
  ! by cutting the {rope} rope | after letting go with both hands

untie: climber=down again, knot=tied > knot=undone
  undoes the knot and steps away from the foot of the wall
  unties the {rope} rope and shakes out two tired arms

b coil: knot=undone > belay=rope coiled
  coils up the {rope} rope and packs it away
  takes the {rope} rope out of the device and coils it
"""


class Tent(Script):
    """Travel: a tent goes up at a campsite."""

    name = "tent"
    labels = ("Camping", "Pitching a tent", "Setting up camp {place}")
    scenes = (
        "{Who} has arrived {place} with a {tent}.",
        "{Who} is looking for a good spot for a {tent} {place}.",
        "{Who} drops a heavy rucksack {place} before dark.",
    )
    props = """
place: by a lake / on a hillside / at a quiet campsite / near a waterfall / at the edge of a beech wood / behind a farm
tent: two-person tent / green tent / dome tent / family tent / light tent
hammer: rubber mallet / flat stone / small hammer
bed: sleeping bag / foam mat / woollen blanket / soft mattress
lamp: lantern / torch / headlamp / string of lights
"""
    start = "ground=stony, site=empty, tent=in the bag, poles=folded, pegs=in the bag, bed=rolled up"
    steps = """
clear: ground=stony > ground=clear
  picks the stones and sticks off a flat patch of ground
  clears a flat patch of stones and sticks

unroll: ground=clear, tent=in the bag > tent=flat on the ground, site=in use
  takes the {tent} out of its bag and spreads it out flat
  unrolls the {tent} on the cleared ground.
  ! on the surface of the water | without opening the bag

poles: poles=folded > poles=joined
  snaps the folded poles together
  unfolds the poles and joins the pieces
  + until they are long and straight
  ! with a tin opener | until they bend like cooked noodles

raise: poles=joined, tent=flat on the ground > tent=standing
  slides the poles through the sleeves and raises the roof
  bends the poles into the sleeves so that the roof stands up.
  ! by filling the sleeves with soup | until the roof lies flat under the floor

peg: site=in use, pegs=in the bag > pegs=in the ground
  knocks the pegs into the ground at the corners
  pins down the corners with pegs
  + using a {hammer} | one after the other
  ! using a sheet of paper | using a ripe peach

guy: pegs=in the ground, tent=standing > tent=tight
  pulls the guy ropes tight
  stretches the guy ropes and hooks them to the pegs
  ! until the roof sags onto the floor

bed: tent=tight, bed=rolled up > bed=laid out
  lays out a {bed} inside the finished tent
  crawls into the finished tent and unrolls a {bed}

lamp: bed=laid out > bed=lit by a lamp
  hangs a {lamp} above the place to sleep
  switches on a {lamp} over the bed
  ! by pouring water on it | with a frying pan full of snow

sleep: bed=lit by a lamp > bed=slept in
  zips the door shut, turns the light off and falls asleep
  pulls down the zip, puts out the light and goes to sleep
"""


class Airport(Script):
    """Travel with two roles: a traveller and the person at the desk."""

    name = "airport"
    other = "clerk"
    labels = ("At the airport", "Flying to {city}", "Checking in for a flight")
    scenes = (
        "{Who} joins the queue for the flight to {city}, where {clerk} is serving.",
        "{Who} reaches the desk for {city}, and {clerk} looks up.",
        "{Who} rolls a {bag} towards the desk where {clerk} sits under a sign for {city}.",
    )
    props = """
city: Lisbon / Oslo / Nairobi / Lima / Hanoi / Athens / Montreal / Tunis / Dublin / Seoul
clerk: the clerk / the airline agent / the ground steward / the attendant
bag: blue suitcase / battered suitcase / striped bag / hard grey case / canvas holdall
seat: a window seat / an aisle seat / a seat near the front / a seat by the exit
"""
    start = "passport=in the pocket, pass=none, bag=on the floor, traveller=in the hall"
    steps = """
show: passport=in the pocket > passport=on the desk
  puts a passport on the desk
  takes out a passport and hands it over
  ! by throwing it onto the runway

b read: passport=on the desk, bag=on the floor > passport=checked
  opens the passport and compares the photo
  reads the passport and types the name into the computer
  ! through the back of a closed drawer | in complete darkness

lift: passport=checked, bag=on the floor > bag=on the scales
  lifts the {bag} onto the scales
  heaves the {bag} onto the belt by the desk
  ! with one eyelash | with a teaspoon

b label: bag=on the scales > bag=labelled
  ties a label for {city} to the {bag}
  sticks a printed strip for {city} around the handle of the {bag}
  ! with a bucket of paint | after it has flown away

b send: bag=labelled, pass=none > bag=on its way
  presses a button, and the belt carries the labelled bag away
  sends the labelled bag off through the rubber curtain

b pass: bag=on its way, passport=checked, pass=none > pass=handed over
  prints a boarding pass for {seat} and gives it to the traveller.
  hands the traveller a boarding pass for {seat}
  ! made of melting snow | written in water on a wet sponge

security: pass=handed over, traveller=in the hall > traveller=past security
  puts a coat and a phone in a tray and walks through security
  goes through the security gate and picks up the tray

board: traveller=past security > traveller=on the plane
  shows the boarding pass at the gate and walks onto the plane
  boards the plane and looks for {seat}

belt: traveller=on the plane > traveller=in the seat
  sits down on board and fastens the seat belt
  drops into {seat} on board and buckles up
"""
