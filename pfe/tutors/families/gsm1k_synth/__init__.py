"""Word problems like GSM1K's: two to eight steps of basic arithmetic, a whole number at the end.

Example: "At the toy store, Ravi fills a basket with 3 puzzles and 2 kites. The price tags say $10 for each of the
puzzles and $9 for each of the kites. A coupon takes 25% off the whole bill. He hands over $50. How many dollars should
the cashier give back?" Answer: 14.
"""

from pfe.tutors.families.gsm1k_synth.amounts import (
    AgesSum,
    AverageNeeded,
    ComparisonChain,
    FractionsLeft,
    MixingRatio,
    RecipeCartons,
    SharedDinner,
    StockCount,
)  # fmt: skip
from pfe.tutors.families.gsm1k_synth.measures import (
    CatchUp,
    CutLengths,
    DaysToFinish,
    FenceAndTurf,
    FillingTank,
    FuelCost,
    JointWork,
    Timetable,
    TrainingPlan,
)  # fmt: skip
from pfe.tutors.families.gsm1k_synth.money import (
    CheaperPlan,
    CouponChange,
    MarketProfit,
    OvertimePay,
    PaysForItself,
    PriceTag,
    SavingGoal,
    TicketSales,
)  # fmt: skip

__all__ = [
    "AgesSum", "AverageNeeded", "CatchUp", "CheaperPlan", "ComparisonChain", "CouponChange", "CutLengths",
    "DaysToFinish", "FenceAndTurf", "FillingTank", "FractionsLeft", "FuelCost", "JointWork", "MarketProfit",
    "MixingRatio", "OvertimePay", "PaysForItself", "PriceTag", "RecipeCartons", "SavingGoal", "SharedDinner",
    "StockCount", "TicketSales", "Timetable", "TrainingPlan",
]  # fmt: skip
