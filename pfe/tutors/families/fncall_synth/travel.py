"""Requests about journeys: parties that fly, nights counted between two days, the fuel for a drive.

Example, fncall_synth/hotel_stay/s0/0:
    request: No night above 111 euros, and never without a swimming pool and a place to park: that is how Hester
        travels. Arrival Wednesday the 10th of March 2027, departure Thursday the 18th of March 2027, and the
        place is Jaipur.
    answer: search_hotels("Jaipur", "2027-03-10", 8, 111, ["pool", "parking"])
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from random import Random
from typing import Any, ClassVar

from pfe.icr.calls import Call
from pfe.tutors.families.fncall_synth.request import Asking, Source, arguments, call
from pfe.tutors.families.fncall_synth.words import (
    CITIES,
    NAMES,
    iso_day,
    items,
    listed,
    number,
    said,
    some_day,
    spoken_day,
    spoken_number,
    table,
)
from pfe.tutors.family import Facts

CABINS: Mapping[str, str] = {
    "the budget allows economy": "economy",
    "the sponsor pays for business class": "business",
    "first class has been promised": "first",
    "premium seats are what the doctor orders": "premium",
    "the class is left to you": "economy",
}
TOWNS = table("""
Banbury|Beja|Bregenz|Celje|Chioggia|Coburg|Dinant|Elblag|Evora|Fougeres|Gmunden|Hameln|Iglesias|Jelgava|Kalmar
Kotor|Lienz|Lugo|Menton|Narva|Olot|Pecs|Quimper|Rauma|Ronda|Sligo|Tavira|Telc|Urbino|Vaasa|Viborg|Wexford|Ystad
Zwolle
""")
AIRPORTS = table("""
ACE|AMM|BLL|BOM|CGK|CMB|DME|EZE|FRA|GRU|HND|ICN|IST|KEF|LIS|MAN|MUC|NCE|OTP|PRG|SIN|SVO|TBS|VIE|WAW|YUL
""")
BANDS = table("""
brass band|rowing crew|jury|relay team|mime troupe|bridge club|film crew|string quartet|delegation
""")


class PartyFlies(Asking):
    name = "party_flies"
    toolbox = "travel"
    templates: ClassVar[tuple[str, ...]] = (
        "Our {band} lives in {town} and owns no airport guide. {others:d} of them plus me must reach {code} by air on "
        "{day}; {cabin}.",
        "On {day} I fly with a {band}, and apart from me they are {others:d}. We set out at the airport that lies "
        "closest to {town} and touch down at {code}; {cabin}.",
        "{name} asked about {other}, but the {band} is quartered in {town}: so take that town's closest airport as the "
        "origin, {code} as the goal, {day} as the date. The {band} has {others:d} members and I come along; {cabin}.",
    )

    def facts(self, rng: Random) -> Facts:
        how = {"others": rng.randint(2, 19), "cabin": rng.choice(list(CABINS))}
        return {"town": rng.choice(TOWNS), "code": rng.choice(AIRPORTS), "day": some_day(rng), **how}

    def aside(self, facts: Facts, rng: Random) -> Mapping[str, Any]:
        other = rng.choice([town for town in TOWNS if town != facts["town"]])
        return {"name": rng.choice(NAMES), "band": rng.choice(BANDS), "other": other}

    def calls(self, facts: Facts) -> Sequence[Source]:
        who = {"passengers": facts["others"] + 1, "cabin": CABINS[facts["cabin"]]}
        origin = call("nearest_airport", city=facts["town"])
        return [call("search_flights", origin=origin, destination=facts["code"], date=iso_day(facts["day"]), **who)]

    def retell(self, calls: Sequence[Call]) -> Facts:
        (one,) = calls
        origin, code, day, party, cabin = arguments(
            one, "search_flights", "origin", "destination", "date", "passengers", "cabin"
        )
        (town,) = arguments(origin, "nearest_airport", "city")
        return {"town": town, "code": code, "day": spoken_day(day), "others": party - 1, "cabin": said(CABINS, cabin)}

    def steps(self, facts: Facts) -> Iterable[str]:
        party = facts["others"] + 1
        yield f"With the user there are {facts['others']} + 1 = <<{facts['others']}+1={party}>>{party} travelers."
        yield f"{facts['day']} is {iso_day(facts['day'])}."


WISHES: Mapping[str, str] = {
    "wireless internet": "wifi", "a swimming pool": "pool", "a place to park": "parking", "a gym": "gym",
    "breakfast": "breakfast", "a welcome for pets": "pets",
}  # fmt: skip


class HotelStay(Asking):
    name = "hotel_stay"
    toolbox = "travel"
    templates: ClassVar[tuple[str, ...]] = (
        "{name}'s {band} is expected in {city}. They check in on {arrival} and check out on {departure}. The "
        "house must offer {wishes}, and a night may cost {price:d} euros at the very most.",
        "Festival in {city}: rooms wanted from {arrival}, the bus home leaves on {departure}. Ceiling per night "
        "{price:d} euros; indispensable are {wishes}. {name} first thought of {other}, which is full.",
        "No night above {price:d} euros, and never without {wishes}: that is how {name} travels. Arrival {arrival}, "
        "departure {departure}, and the place is {city}.",
    )

    def facts(self, rng: Random) -> Facts:
        arrival = some_day(rng)
        departure = date.fromisoformat(iso_day(arrival)) + timedelta(days=rng.randint(2, 16))
        wishes = listed(rng.sample(list(WISHES), rng.randint(2, 3)))
        stay = {"arrival": arrival, "departure": spoken_day(departure.isoformat()), "price": rng.randint(35, 290)}
        return {"city": rng.choice(CITIES), "wishes": wishes, **stay}

    def aside(self, facts: Facts, rng: Random) -> Mapping[str, Any]:
        other = rng.choice([city for city in CITIES if city != facts["city"]])
        return {"name": rng.choice(NAMES), "band": rng.choice(BANDS), "other": other}

    def calls(self, facts: Facts) -> Sequence[Source]:
        arrival, departure = (iso_day(facts[name]) for name in ("arrival", "departure"))
        nights = (date.fromisoformat(departure) - date.fromisoformat(arrival)).days
        wishes = [WISHES[wish] for wish in items(facts["wishes"])]
        limits = {"nights": nights, "max_price": facts["price"], "amenities": wishes}
        return [call("search_hotels", city=facts["city"], check_in=arrival, **limits)]

    def retell(self, calls: Sequence[Call]) -> Facts:
        (one,) = calls
        city, arrival, nights, price, amenities = arguments(
            one, "search_hotels", "city", "check_in", "nights", "max_price", "amenities"
        )
        departure = (date.fromisoformat(arrival) + timedelta(days=nights)).isoformat()
        wishes = listed([next(iter(said(WISHES, amenity))) for amenity in amenities])
        days = {"arrival": spoken_day(arrival), "departure": spoken_day(departure)}
        return {"city": city, "price": price, "wishes": wishes, **days}

    def steps(self, facts: Facts) -> Iterable[str]:
        arrival, departure = (date.fromisoformat(iso_day(facts[name])) for name in ("arrival", "departure"))
        yield f"From {arrival} to {departure} there are {(departure - arrival).days} nights."


MODES: Mapping[str, str] = {"on foot": "foot", "by bicycle": "bicycle"}


class DriveCost(Asking):
    name = "drive_cost"
    toolbox = "travel"
    usual: ClassVar[str] = "at the price you usually assume"
    templates: ClassVar[tuple[str, ...]] = (
        "The {band} drives its bus from {origin} to {goal}; every hundred kilometers it burns {burns} liters, {price}. "
        "{name} has to enter the fuel bill for that leg.",
        "Budget line for {name}: the leg {origin} to {goal} by road in a van that swallows {burns} liters per hundred "
        "kilometers, {price}. What goes into the line?",
        "{name} has no odometer. Let the road from {origin} to {goal} be measured for a car, and derive the fuel bill "
        "from that: {burns} liters a hundred kilometers, {price}.",
        "{name} and the {band} leave {origin} {mode} and will not rest before {goal}. How long is the way they chose?",
        "No fuel needed this time: {name} goes from {origin} to {goal} {mode}, and the {band} takes bets on the "
        "kilometers. Measure them.",
    )

    def facts(self, rng: Random) -> Facts:
        origin, goal = rng.sample(TOWNS, 2)
        places = {"origin": origin, "goal": goal}
        if rng.random() < 0.15:
            return places | {"mode": rng.choice(list(MODES))}
        price = rng.choice([self.usual, f"at {rng.randint(121, 219) / 100:.2f} euros a liter"])
        return places | {"burns": spoken_number(rng.randint(41, 289) / 10), "price": price}

    def aside(self, facts: Facts, rng: Random) -> Mapping[str, Any]:
        return {"name": rng.choice(NAMES), "band": rng.choice(BANDS)}

    def calls(self, facts: Facts) -> Sequence[Source]:
        places = {"origin": facts["origin"], "destination": facts["goal"]}
        if "mode" in facts:
            return [call("route_distance", mode=MODES[facts["mode"]], **places)]
        price = {} if facts["price"] == self.usual else {"price_per_liter": number(facts["price"].split()[1])}
        way = call("route_distance", **places)
        return [call("fuel_cost", kilometers=way, liters_per_100km=number(facts["burns"]), **price)]

    def retell(self, calls: Sequence[Call]) -> Facts:
        (one,) = calls
        if one.name == "route_distance":
            origin, goal, mode = arguments(one, "route_distance", "origin", "destination", "mode")
            return {"origin": origin, "goal": goal, "mode": said(MODES, mode)}
        way, burns, price = arguments(one, "fuel_cost", "kilometers", "liters_per_100km", "price_per_liter")
        origin, goal = arguments(way, "route_distance", "origin", "destination")
        prices = {f"at {price:.2f} euros a liter", self.usual if "price_per_liter" not in one.explicit else ""}
        return {"origin": origin, "goal": goal, "burns": spoken_number(burns), "price": frozenset(prices)}
