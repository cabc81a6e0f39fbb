"""How the requests of fncall_synth say times, days, lengths and lists, and what they speak of.

Example: `CLOCK["twenty to four in the afternoon"]` is "15:40", and `said(CLOCK, "15:40")` leads back to it.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from random import Random
from typing import Any


def lines(text: str) -> list[str]:
    """The lines of a table, without the empty ones."""
    return [line for line in text.splitlines() if line]


def table(text: str) -> list[str]:
    """The entries of a table, divided by bars and ends of lines."""
    return [entry for line in lines(text) for entry in line.split("|")]


NAMES = table("""
Adaora|Agneta|Aldo|Amina|Anselm|Ariadne|Aubrey|Bastian|Benedikta|Calixta|Casimir|Celia|Cosmo|Dagny|Delphine|Dorian
Edwina|Elif|Emil|Eoin|Esra|Fabian|Farah|Felicity|Florin|Gaspard|Giulia|Gudrun|Hamza|Haruki|Hester|Ida|Ignatius
Ilse|Isidor|Jadwiga|Jerome|Jorunn|Kalinda|Kasper|Katya|Lachlan|Leonie|Lorcan|Ludmila|Magda|Marek|Maurice|Melati
Nerys|Niamh|Nikita|Olu|Oriana|Oskar|Paavo|Pilar|Portia|Ragnhild|Ranjit|Rhiannon|Rowan|Sanjay|Seraphina|Sigrid
Stellan|Sunniva|Tancred|Tatum|Tove|Ulrich|Valeria|Vasco|Verity|Wilhelmina|Winston|Xenia|Yaw|Yvette|Zoran
""")
CITIES = table("""
Aberdeen|Adelaide|Almaty|Antwerp|Asheville|Baku|Bamako|Basel|Belgrade|Boise|Brisbane|Bucharest|Busan|Calgary
Cardiff|Cartagena|Cologne|Cordoba|Dakar|Durban|Eindhoven|Erfurt|Florence|Gdansk|Genoa|Guadalajara|Halifax|Hanoi
Harare|Izmir|Jaipur|Kampala|Kathmandu|Kobe|Kuopio|La Paz|Lagos|Lausanne|Leiden|Lima|Linz|Lusaka|Malmo|Manila
Medellin|Mendoza|Milan|Muscat|Nagoya|Nantes|Naples|Omaha|Oulu|Palermo|Penang|Pune|Riga|Rosario|Salzburg|San Juan
Sapporo|Seville|Sofia|Stavanger|Suva|Taipei|Tashkent|Toledo|Trieste|Tucson|Valencia|Varna|Vilnius|Windhoek|Yerevan
Zadar|Zurich
""")
ROOMS = table("""
library|sewing room|kitchenette|gallery|tack room|chapel|workshop|foyer|veranda|playroom|atelier|canteen
""")
TICKERS = table("""
ABNB|ADBE|AZN|BABA|BIIB|CSCO|DIS|EBAY|ETSY|FDX|GILD|HPQ|HSBC|IBM|JNJ|LVS|MCD|NFLX|NVO|ORCL|PEP|PFE|QCOM|RACE|RIO
SAP|SBUX|TM|UBER|UL|VOD|WMT|XOM|ZM
""")
_MONTHS = table("""
January|February|March|April|May|June|July|August|September|October|November|December
""")
_HOURS = table("twelve|one|two|three|four|five|six|seven|eight|nine|ten|eleven")
_STEPS = table("""
five past|ten past|a quarter past|twenty past|twenty-five past|half past
twenty-five to|twenty to|a quarter to|ten to|five to
""")


def _clock_words(hour: int, minute: int) -> str:
    named = _HOURS[(hour + (minute > 30)) % 12]
    part = "morning" if hour < 12 else "afternoon" if hour < 18 else "evening"
    if minute == 0:
        return "noon" if hour == 12 else f"{named} o'clock in the {part}"
    return f"{_STEPS[minute // 5 - 1]} {named} in the {part}"


CLOCK: Mapping[str, str] = {
    _clock_words(hour, minute): f"{hour:02}:{minute:02}" for hour in range(6, 23) for minute in range(0, 60, 5)
}
LENGTHS: Mapping[str, int] = {
    "a quarter of an hour": 15, "twenty-five minutes": 25, "half an hour": 30, "thirty-five minutes": 35,
    "three quarters of an hour": 45, "fifty minutes": 50, "an hour and ten minutes": 70, "an hour and a quarter": 75,
    "an hour and a half": 90, "an hour and three quarters": 105, "two hours": 120, "two and a half hours": 150,
    "three hours": 180, "four hours": 240,
}  # fmt: skip


def said(words: Mapping[str, Any], value: Any) -> frozenset[str]:
    """The wordings of a value.

    Raises:
        LookupError: there are none.
    """
    phrases = frozenset(
        phrase for phrase, meaning in words.items() if meaning == value and type(meaning) is type(value)
    )
    if not phrases:
        raise LookupError(f"no words for {value!r}")
    return phrases


def some_day(rng: Random) -> str:
    """A day of 2027 or 2028 in words, such as "Monday the 3rd of May 2027"."""
    return spoken_day((date(2027, 1, 1) + timedelta(days=rng.randrange(731))).isoformat())


def spoken_day(iso: str) -> str:
    """The words for a day given as YYYY-MM-DD.

    Raises:
        ValueError: it is no day.
    """
    day = date.fromisoformat(iso)
    ending = {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10 if day.day not in (11, 12, 13) else 0, "th")
    return f"{day:%A} the {day.day}{ending} of {_MONTHS[day.month - 1]} {day.year}"


def iso_day(spoken: str) -> str:
    """The day that such words mean, as YYYY-MM-DD.

    Raises:
        ValueError: the words are no such day.
    """
    match = re.fullmatch(r"[A-Z][a-z]+day the (\d+)[a-z]{2} of (\w+) (\d{4})", spoken)
    if not match:
        raise ValueError(f"{spoken!r} is no day")
    return f"{match[3]}-{_MONTHS.index(match[2]) + 1:02}-{int(match[1]):02}"


def listed(items: Sequence[str]) -> str:
    """A list in words, such as "Ida, Olu and Tove".

    Raises:
        ValueError: it is empty.
    """
    if not items:
        raise ValueError("nothing to list")
    return " and ".join(part for part in (", ".join(items[:-1]), items[-1]) if part)


def items(spoken: str) -> list[str]:
    """The items of a list in words."""
    return re.split(r", | and ", spoken)


def number(text: str) -> int | float:
    """A number as written, with a comma between thousands or not; whole where it is whole.

    Raises:
        ValueError: it is none.
    """
    value = float(text.replace(",", ""))
    return int(value) if value.is_integer() else value


def spoken_number(value: float, places: int = 1) -> str:
    """A number as a request writes it, such as "1,250" or "-7.5": `places` decimals unless it is whole."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.{places}f}"
