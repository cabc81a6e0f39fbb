"""Science questions with four choices, in the style of a grade-school science test.

Example, of the family cross_odds: "In guinea pigs, R stands for the dominant allele for rough coats and r for the
recessive allele for smooth coats. A cross of Rr with rr gives 36 offspring. What number of them would you expect to
have smooth coats?" Choices: 0, 9, 18, 27. Answer: 18.
"""

from pfe.tutors.families.arc_synth.earth import (
    EnergySources,
    MoonPhase,
    PlanetTable,
    RockLayers,
    RockStory,
    SeasonFarAway,
    SurfaceProcess,
    WaterCycle,
)
from pfe.tutors.families.arc_synth.ecology import Adaptation, FoodRole, NaturalSelection, PopulationChange
from pfe.tutors.families.arc_synth.inquiry import BestConclusion, FairTest, RightTools
from pfe.tutors.families.arc_synth.life import AnimalGroup, BodySystems, CrossOdds, GroupFromFeatures, HiddenParents
from pfe.tutors.families.arc_synth.matter import (
    AcidOrBase,
    FloatOrSink,
    HeatFlow,
    KindOfChange,
    SeparateMixture,
    StateAtTemperature,
)
from pfe.tutors.families.arc_synth.physics import (
    DeviceEnergy,
    LeverBalance,
    LitLamps,
    MaterialTest,
    NetForce,
    StringPitch,
    TrackEnergy,
)

__all__ = [
    "AcidOrBase",
    "Adaptation",
    "AnimalGroup",
    "BestConclusion",
    "BodySystems",
    "CrossOdds",
    "DeviceEnergy",
    "EnergySources",
    "FairTest",
    "FloatOrSink",
    "FoodRole",
    "GroupFromFeatures",
    "HeatFlow",
    "HiddenParents",
    "KindOfChange",
    "LeverBalance",
    "LitLamps",
    "MaterialTest",
    "MoonPhase",
    "NaturalSelection",
    "NetForce",
    "PlanetTable",
    "PopulationChange",
    "RightTools",
    "RockLayers",
    "RockStory",
    "SeasonFarAway",
    "SeparateMixture",
    "StateAtTemperature",
    "StringPitch",
    "SurfaceProcess",
    "TrackEnergy",
    "WaterCycle",
]
