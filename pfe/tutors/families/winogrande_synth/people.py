"""Families in which the blank stands for one of two people.

Example (fear): "Asel comforted Petra when the lights went out, because _ was badly frightened." -> Petra
"""

from typing import ClassVar

from pfe.tutors.families.winogrande_synth.engine import PeopleFamily


class Strength(PeopleFamily):
    """Who is strong lifts; who is not asks."""

    name = "strength"
    poles: ClassVar[tuple[str, str]] = ("the stronger one", "the weaker one")
    rows = """
thing|place
wardrobe|up to the third floor
washing machine|down the cellar steps
oak table|into the garden
stone bench|round the house
roll of carpet|through the window
chest of drawers|up the narrow staircase
rowing boat|to the end of the jetty
sofa bed|across the landing
wooden beam|over the footbridge
bookcase|out to the van
shop counter|through the back door
ladder|to the orchard
piano|onto the stage
mattress|up to the attic
flagpole|to the top of the field
fallen trunk|off the path
"""
    causes = """
+ {a} was much stronger than {b}
- {a} was nowhere near as strong as {b}
- {a} had far weaker arms than {b}
+ {a} trained with weights every day and {b} never did
- {a} was still weak after a long illness and {b} was in perfect health
"""
    effects = """
+~ took the heavy end of the {thing}
-~ took the light end of the {thing}
+~ was asked to carry the {thing} {place}
+~ moved the {thing} without any trouble
-~ had to put the {thing} down after three steps
-~ held the door open while the {thing} was carried {place}
-~ needed help with the {thing}
"""
    events = """
+ {a} carried the {thing} {place} for {b}
- {a} asked {b} to carry the {thing} {place}
- {a} could not lift the {thing} and {b} could
+ {a} had to help {b} with the {thing}
- {a} let {b} take the heavy end of the {thing}
"""
    reasons = """
+~ was the stronger of the two
-~ was the weaker of the two
-~ had a sore back
+~ was used to heavy work
+ had a good strong back
-~ was not used to heavy work
-~ had hurt {his} wrist the week before
"""


class Skill(PeopleFamily):
    """Who is skilled wins; who is not needs practice."""

    name = "skill"
    poles: ClassVar[tuple[str, str]] = ("the better one", "the worse one")
    rows = """
skill|contest
chess|the chess final
archery|the archery contest
badminton|the badminton cup
spelling|the spelling bee
fencing|the fencing match
debating|the debating contest
darts|the darts match
baking|the village baking contest
table tennis|the table tennis cup
sketching|the sketching contest
sailing|the sailing regatta
juggling|the juggling contest
mental arithmetic|the arithmetic contest
ice skating|the skating championship
poetry reading|the poetry slam
diving|the diving championship
"""
    causes = """
+ {a} was far better at {skill} than {b}
- {a} was not half as good at {skill} as {b}
+ {a} had practised {skill} for years and {b} was new to it
- {a} had much less experience of {skill} than {b}
- {a} had less of a gift for {skill} than {b}
"""
    effects = """
+~ won {contest}
-~ came last in {contest}
+~ was expected to win {contest}
-~ was put in the group for beginners
+~ was put in the advanced group
-~ took extra lessons before {contest}
+~ was asked to coach the younger members
-~ was left out of the team for {contest}
"""
    events = """
+ {a} beat {b} in {contest}
- {a} finished well behind {b} in {contest}
+ {a} was picked for {contest} ahead of {b}
- {a} lost to {b} in {contest}
- the judges gave {a} fewer points than {b} in {contest}
"""
    reasons = """
+~ had trained hard all year
-~ had hardly trained at all
-~ was a complete beginner
+~ had much more talent
-~ had slept badly the night before
-~ made more mistakes
+~ made fewer mistakes
"""


class Teaching(PeopleFamily):
    """Who knows explains; who does not asks."""

    name = "teaching"
    poles: ClassVar[tuple[str, str]] = ("the one who knows", "the one who is learning")
    rows = """
subject
long division
French grammar
first aid
bookkeeping
the rules of cricket
sign language
bread baking
photography
the new computer program
map reading
crochet
basic electronics
the history of the town
bird watching
Japanese calligraphy
musical notation
"""
    causes = """
+ {a} understood {subject} and {b} did not
- {a} found {subject} much harder than {b} did
+ {a} had taken up {subject} years before {b}
- {a} knew far less about {subject} than {b}
- {a} was taking {his} first steps in {subject} and {b} was an expert
"""
    effects = """
+~ answered most of the questions
-~ asked most of the questions
-~ took home the book for beginners
+~ was bored by the introduction
-~ stayed behind for extra help
+~ was asked to lead the next lesson
-~ soon lost the thread of the conversation
+~ noticed the error on the blackboard
"""
    events = """
+ {a} explained {subject} to {b}
- {a} asked {b} for help with {subject}
+ {a} spent an afternoon helping {b} with {subject}
- {a} wrote down everything that {b} said about {subject}
"""
    reasons = """
+~ knew a great deal about it
-~ knew next to nothing about it
+~ had studied it at college
- was going to be tested on it the next day
-~ was new to the subject
+~ was an expert on the subject
- had missed the first lessons
"""


class Lending(PeopleFamily):
    """Who has lends; who has not borrows."""

    name = "lending"
    poles: ClassVar[tuple[str, str]] = ("the one who has it", "the one who lacks it")
    rows = """
an|noun
an umbrella|umbrella
a torch|torch
a calculator|calculator
a sleeping bag|sleeping bag
a pencil|pencil
a phone charger|phone charger
a corkscrew|corkscrew
a raincoat|raincoat
a dictionary|dictionary
a water bottle|water bottle
a bicycle pump|bicycle pump
an apron|apron
a tape measure|tape measure
a sun hat|sun hat
a swimming cap|swimming cap
an eraser|eraser
"""
    causes = """
+ {a} had packed {an} and {b} had not
- {a} had left {his} {noun} at home and {b} had not
- {a} had lost {his} {noun} and {b} still had one
+ {a} had remembered to bring {an}, unlike {b}
- {a} had come without {an}, unlike {b}
"""
    effects = """
+~ was asked to lend one
-~ had to borrow one
-~ went to the shop to buy one
+~ was praised for being so well prepared
-~ was teased for being so badly prepared
+~ felt well prepared
"""
    events = """
+ {a} lent {b} {an}
- {a} borrowed {an} from {b}
- {a} had to ask {b} for {an}
+ {a} was asked by {b} for {an}
"""
    reasons = """
+ had one to spare
+~ had packed with great care
-~ had packed in a hurry
-~ had forgotten to bring one
- could not find one anywhere
+ had put two in the bag that morning
-~ had left everything in the car
"""


class Fear(PeopleFamily):
    """Who is afraid hides; who is not comforts."""

    name = "fear"
    poles: ClassVar[tuple[str, str]] = ("the frightened one", "the brave one")
    rows = """
danger|moment
spiders|when something crawled over the floor
thunder|when the storm broke
the dark|when the lights went out
big dogs|when a mastiff trotted up
heights|when the cable car began to sway
flying|when the plane hit rough air
deep water|when the boat left the shallows
snakes|when the grass rustled
bats|when they entered the cave
ghost stories|when the stairs creaked
narrow places|when the lift got stuck
fireworks|when the first rocket exploded
wasps|when something buzzed past
horses|when the stallion stamped
"""
    causes = """
+ {a} was terrified of {danger} and {b} was not
- {a} was much less afraid of {danger} than {b}
- {a} had never minded {danger} as much as {b} did
+ {a} had been frightened of {danger} for years, unlike {b}
"""
    effects = """
+~ turned pale {moment}
-~ stayed perfectly calm {moment}
+~ wanted to go home {moment}
-~ only laughed {moment}
+~ gave a loud scream {moment}
-~ did not even blink {moment}
+~ had to be comforted {moment}
"""
    events = """
+ {a} hid behind {b} {moment}
- {a} comforted {b} {moment}
+ {a} reached for the hand of {b} {moment}
- {a} told {b} not to worry {moment}
+ {a} needed a kind word from {b} {moment}
"""
    reasons = """
+~ was badly frightened
-~ was quite calm
+ could not stop trembling
-~ was the braver of the two
+~ was the more nervous of the two
-~ was not easily frightened
+~ had been uneasy from the start
"""


class Height(PeopleFamily):
    """Who is tall reaches; who is not stretches."""

    name = "height"
    poles: ClassVar[tuple[str, str]] = ("the taller one", "the shorter one")
    rows = """
thing
the jam on the top shelf
the balloon under the ceiling
the pears on the upper branch
the box on top of the wardrobe
the coat on the highest hook
the lantern above the stairs
the atlas on the upper shelf
the swallow's empty nest under the eaves
the key above the door frame
the kite in the cherry tree
the wreath above the front door
the trophy on top of the cabinet
the washing on the high line
the curtain rail over the bay window
"""
    causes = """
+ {a} was a head taller than {b}
- {a} was a good deal shorter than {b}
+ {a} had grown much faster than {b}
- {a} barely came up to the shoulder of {b}
"""
    effects = """
+~ was asked to take down {thing}
-~ had to stand on a chair to get at {thing}
+~ was put in the back row of the photograph
-~ was put in the front row of the photograph
-~ could not touch {thing} even on tiptoe
+~ got hold of {thing} without a ladder
"""
    events = """
+ {a} took down {thing} for {b}
- {a} asked {b} to take down {thing}
- {a} could not reach {thing} and {b} could
+ {a} got hold of {thing} sooner than {b}
- {a} needed a ladder for {thing} and {b} did not
"""
    reasons = """
+~ was the taller of the two
-~ was the shorter of the two
- had shorter arms
+ had longer arms
+~ was unusually tall
-~ was rather small
"""


class Punctuality(PeopleFamily):
    """Who is early waits; who is late apologises."""

    name = "punctuality"
    poles: ClassVar[tuple[str, str]] = ("the early one", "the late one")
    rows = """
place
the theatre
the lecture hall
the stadium
the concert hall
the cinema
the courtroom
the circus tent
the conference room
the town hall
the wedding chapel
the auction room
the planetarium
the opera house
the school gym
"""
    causes = """
+ {a} arrived at {place} long before {b}
- {a} reached {place} half an hour after {b}
- {a} missed the first bus to {place} and {b} caught it
+ {a} set out for {place} much earlier than {b}
- {a} took a slower train to {place} than {b}
"""
    effects = """
+~ got a seat in the front row
-~ had to stand at the back
-~ apologised for being late
+~ had time for a cup of tea before the start
-~ missed the opening words
+~ heard every word of the opening
-~ came in out of breath
"""
    events = """
+ {a} had to wait for {b} outside {place}
- {a} kept {b} waiting outside {place}
+ {a} saved a seat in {place} for {b}
- {a} came into {place} well after {b}
"""
    reasons = """
-~ had overslept
+~ had set two alarm clocks
-~ had missed the bus
+~ had left home in good time
-~ had got stuck in traffic
+~ was the more punctual of the two
-~ had misread the time on the ticket
"""


class Money(PeopleFamily):
    """Who has money pays; who has not saves."""

    name = "money"
    poles: ClassVar[tuple[str, str]] = ("the one with money", "the one without")
    rows = """
thing
the concert tickets
the taxi
the hotel room
the new sofa
the ferry tickets
the birthday cake
the skiing lessons
the garden furniture
the theatre seats
the rented canoe
the camera
the second-hand car
the winter boots
the wedding present
"""
    causes = """
+ {a} earned far more than {b}
- {a} had much less money than {b}
+ {a} had just been paid and {b} was out of work
- {a} had lost all {his} savings and {b} had not
- {a} was a good deal poorer than {b}
"""
    effects = """
+~ paid for {thing}
-~ had to borrow money for {thing}
+~ ordered {thing} without asking the price
-~ asked for a cheaper alternative to {thing}
-~ worried about the cost of {thing}
+~ did not worry about the cost of {thing}
"""
    events = """
+ {a} paid for {thing} on behalf of {b}
- {a} let {b} pay for {thing}
+ {a} lent {b} some money for {thing}
- {a} asked {b} for a loan to pay for {thing}
"""
    reasons = """
+~ had plenty of money
-~ was short of money
+~ had inherited a small fortune
-~ was deep in debt
+~ had been promoted that month
-~ had lost {his} job that month
- had left {his} wallet at home
"""


class Hunger(PeopleFamily):
    """Who is hungry eats; who is not leaves."""

    name = "hunger"
    poles: ClassVar[tuple[str, str]] = ("the hungry one", "the one who has eaten")
    rows = """
food
the bean soup
the leftover curry
the fish pie
the pasta
the potato salad
the vegetable stew
the rice pudding
the cheese omelette
the lentil casserole
the mushroom risotto
the apple crumble
the plum cake
the couscous
the spinach lasagne
"""
    causes = """
+ {a} was much hungrier than {b}
- {a} had eaten a far bigger lunch than {b}
+ {a} had skipped breakfast and {b} had not
- {a} had nibbled nuts all afternoon, unlike {b}
"""
    effects = """
+~ asked for a second helping of {food}
-~ left most of {food} on the plate
+~ ate {food} in two minutes
-~ hardly touched {food}
+~ took the larger portion of {food}
-~ took the smaller portion of {food}
"""
    events = """
+ {a} ate more of {food} than {b}
- {a} ate less of {food} than {b}
- {a} gave half of {food} to {b}
+ {a} finished {food} long before {b}
- {a} left the last of {food} for {b}
"""
    reasons = """
+~ had eaten nothing since breakfast
-~ had just eaten a large snack
+~ was the hungrier of the two
-~ was not very hungry
-~ had a stomach ache
+ had been working outdoors since dawn
"""


class Tidiness(PeopleFamily):
    """Who is tidy complains; who is not is complained of."""

    name = "tidiness"
    poles: ClassVar[tuple[str, str]] = ("the tidy one", "the untidy one")
    rows = """
room
the kitchen
the workshop
the shared office
the caravan
the garage
the bathroom
the art studio
the bedroom
the laundry room
the garden shed
the laboratory
the living room
the dressing room
the tent
"""
    causes = """
+ {a} was far tidier than {b}
- {a} was much messier than {b}
+ {a} put everything away and {b} left things lying about
- {a} never cleaned up and {b} always did
"""
    effects = """
+~ was annoyed by the state of {room}
-~ was told off about the state of {room}
+~ did most of the sweeping in {room}
-~ was blamed for the dirty floor of {room}
+~ was put in charge of {room}
-~ was always looking for something in {room}
"""
    events = """
+ {a} complained to {b} about the state of {room}
- {a} had to apologise to {b} for the mess in {room}
+ {a} was unwilling to share {room} with {b}
- {a} was told by {b} to clear up {room}
"""
    reasons = """
-~ was terribly untidy
+ liked everything in its place
- had left dirty cups everywhere
+ could not stand dirt
- never put anything away
+ was very particular about cleanliness
- had spilled paint and not wiped it up
"""


class Tiredness(PeopleFamily):
    """Who is tired sleeps; who is not goes on."""

    name = "tiredness"
    poles: ClassVar[tuple[str, str]] = ("the tired one", "the fresh one")
    rows = """
effort
the night shift
the long drive
the mountain hike
the house move
the school play
the harvest
the wedding party
the bicycle tour
the overnight flight
the rowing race
the market day
the film shoot
the orchestra rehearsal
the spring cleaning
"""
    causes = """
+ {a} had slept far less than {b} before {effort}
- {a} was much fresher than {b} after {effort}
+ {a} was more tired than {b} after {effort}
- {a} had rested longer than {b} before {effort}
"""
    effects = """
+~ went straight to bed
-~ stayed up to play cards
+~ fell asleep at the table
-~ did the washing-up for everyone
+~ yawned all through supper
-~ suggested going out to dance
"""
    events = """
+ {a} went to bed earlier than {b} after {effort}
- {a} stayed up longer than {b} after {effort}
+ {a} let {b} do the cooking after {effort}
- {a} made supper for {b} after {effort}
"""
    reasons = """
+~ had been up since four in the morning
-~ had slept well the night before
+~ was completely exhausted
-~ was still full of energy
+~ was worn out
-~ was hardly tired at all
"""


class Giving(PeopleFamily):
    """Who gives is thanked; who receives thanks."""

    name = "giving"
    poles: ClassVar[tuple[str, str]] = ("the giver", "the receiver")
    rows = """
gift
a knitted scarf
a book about bees
an old chess set
a box of oil paints
a telescope
a silver bracelet
a pair of ice skates
a folding bicycle
a coffee grinder
a potted orchid
a leather satchel
a jigsaw puzzle
a wooden flute
a set of garden tools
"""
    causes = """
+ {a} surprised {b} with {gift}
- {a} received {gift} from {b}
+ {a} sent {gift} to {b}
- {a} was given {gift} by {b}
"""
    effects = """
-~ wrote a letter of thanks
+~ received a letter of thanks
+~ was thanked again and again
-~ said thank you again and again
- felt greatly in debt to {his} friend
"""
    events = """
+ {a} gave {gift} to {b}
- {a} got {gift} from {b}
+ {a} passed {gift} on to {b}
- {a} was handed {gift} by {b}
"""
    reasons = """
+ had no more use for it
- had always dreamed of such a present
+ was in a generous mood
- was celebrating a birthday
- had asked for it so nicely
+ was clearing out the attic
+ had accidentally bought two
"""


class Noise(PeopleFamily):
    """Who is loud is asked to stop; who listens asks."""

    name = "noise"
    poles: ClassVar[tuple[str, str]] = ("the noisy one", "the disturbed one")
    rows = """
noise
the drums
the trumpet
old rock records
the electric guitar
the accordion
opera recordings
the bagpipes
the saxophone
war films
the piano
computer games
the tuba
techno music
the cymbals
"""
    causes = """
+ {a} played {noise} every night in the flat above {b}
- {a} lived next door to {b}, who played {noise} all evening
- {a} had to listen through the wall while {b} played {noise}
+ {a} loved playing {noise} and had {b} for a neighbour
"""
    effects = """
+ was told to be quieter
- could not get to sleep
- complained to the landlord
+ had to promise to stop at ten
- bought a pair of earplugs
+ received an angry note under the door
- longed for a silent evening
+ was unpopular in the building
"""
    events = """
+ {a} apologised to {b} for playing {noise}
- {a} asked {b} to stop playing {noise}
+ {a} stopped playing {noise} at the request of {b}
- {a} banged on the wall while {b} was playing {noise}
"""
    reasons = """
+ was making far too much noise
- was trying to sleep
- had an examination the next morning
+ had quite forgotten the time
- had a splitting headache
+ had disturbed the whole house
- needed some peace and quiet
"""
