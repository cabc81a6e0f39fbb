"""Requests to the everyday toolbox: an enum with distractors, a list of look-ups, sums in words, look up then mail.

Example, fncall_synth/price_list/s0/0:
    request: Esra holds BABA and ABNB and once held IBM. For the holdings that remain, ask the exchange one by
        one.
    answer: get_stock_price("BABA")
            get_stock_price("ABNB")
"""

import ast
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from pfe.icr.calls import Call
from pfe.tutors.families.fncall_synth.request import Asking, Source, arguments, call
from pfe.tutors.families.fncall_synth.words import CITIES, NAMES, TICKERS, items, lines, listed, said, table
from pfe.tutors.family import Facts

SCALES: Mapping[str, str] = {
    "Only Celsius figures make sense to us": "celsius",
    "Everybody in the team thinks in Fahrenheit": "fahrenheit",
    "Whichever scale you normally use is welcome": "celsius",
}


class WeatherScale(Asking):
    name = "weather_scale"
    toolbox = "everyday"
    templates: ClassVar[tuple[str, ...]] = (
        "{name} leaves {other} behind and arrives in {city} before sunset, so the welcome desk owes us the current "
        "state of things at the arrival end. {scale}.",
        "Our stage crew has packed up in {other}; tonight's open-air show is in {city}. {scale}. Report what the sky "
        "over tonight's stage is doing.",
        "{scale}. {name} grew up in {other} and is about to start a marathon in {city}: find out what the runners "
        "face at the start line this minute.",
    )

    def facts(self, rng: Random) -> Facts:
        return {"city": rng.choice(CITIES), "scale": rng.choice(list(SCALES))}

    def aside(self, facts: Facts, rng: Random) -> Mapping[str, Any]:
        return {"name": rng.choice(NAMES), "other": rng.choice([city for city in CITIES if city != facts["city"]])}

    def calls(self, facts: Facts) -> Sequence[Source]:
        return [call("get_weather", location=facts["city"], units=SCALES[facts["scale"]])]

    def retell(self, calls: Sequence[Call]) -> Facts:
        (one,) = calls
        city, units = arguments(one, "get_weather", "location", "units")
        return {"city": city, "scale": said(SCALES, units)}

    def steps(self, facts: Facts) -> Iterable[str]:
        yield f'"{facts["scale"]}" means {SCALES[facts["scale"]]}.'


class PriceList(Asking):
    name = "price_list"
    toolbox = "everyday"
    templates: ClassVar[tuple[str, ...]] = (
        "Our club's portfolio night opens with these tickers read aloud: {symbols}. Look each of them up in that "
        "order; {sold} was sold long ago and needs no look.",
        "{name} holds {symbols} and once held {sold}. For the holdings that remain, ask the exchange one by one.",
        "On the whiteboard stand the symbols {symbols}, and {sold} has been crossed out by {name}. Fetch a quote for "
        "every symbol that has not been crossed out, left to right.",
    )

    def facts(self, rng: Random) -> Facts:
        return {"symbols": listed(rng.sample(TICKERS, rng.randint(2, 4)))}

    def aside(self, facts: Facts, rng: Random) -> Mapping[str, Any]:
        left = [symbol for symbol in TICKERS if symbol not in items(facts["symbols"])]
        return {"name": rng.choice(NAMES), "sold": rng.choice(left)}

    def calls(self, facts: Facts) -> Sequence[Source]:
        return [call("get_stock_price", symbol=symbol) for symbol in items(facts["symbols"])]

    def retell(self, calls: Sequence[Call]) -> Facts:
        return {"symbols": listed([arguments(one, "get_stock_price", "symbol")[0] for one in calls])}


class SumInWords(Asking):
    name = "sum_in_words"
    toolbox = "everyday"
    templates: ClassVar[tuple[str, ...]] = (
        "{name}'s pocket calculator has given up in the middle of the accounts. Start at {a}, {first} {b:d}, then "
        "{second} the number {c}: what would its display have shown?",
        "For the logbook of {name}: starting value {a}. Step one, {first} {b:d}. Step two, {second} the number {c}. "
        "Evaluate both steps in a single expression.",
        "The exercise that {name} cannot solve begins with {a}; you {first} {b:d}, and with the outcome you go on and "
        "{second} the number {c}. Let the machine do it in one go.",
    )
    signs: ClassVar[Mapping[str, str]] = {"add": "+", "subtract": "-", "multiply it by": "*", "divide it by": "/"}

    def facts(self, rng: Random) -> Facts:
        start = rng.choice([rng.randint(12, 990), rng.randint(-90, -3), rng.randint(21, 999) / 10])
        first, second = rng.choice(list(self.signs)), rng.choice(list(self.signs))
        second_number = rng.choice([rng.randint(2, 60), rng.randint(11, 99) / 10])
        return {
            "a": str(start),
            "first": first,
            "b": rng.randint(2, 75),
            "second": second,
            "c": str(second_number),
        }

    def aside(self, facts: Facts, rng: Random) -> Mapping[str, Any]:
        return {"name": rng.choice(NAMES)}

    def calls(self, facts: Facts) -> Sequence[Source]:
        first, second = self.signs[facts["first"]], self.signs[facts["second"]]
        start = f"{facts['a']} {first} {facts['b']}"
        grouped = f"({start})" if first in "+-" and second in "*/" else start
        return [call("calculate", expression=f"{grouped} {second} {facts['c']}")]

    def retell(self, calls: Sequence[Call]) -> Facts:
        (one,) = calls
        (expression,) = arguments(one, "calculate", "expression")
        match ast.parse(expression, mode="eval").body:
            case ast.BinOp(left=ast.BinOp(left=a, op=first, right=b), op=second, right=c):
                numbers = [ast.unparse(node) for node in (a, b, c)]
            case _:
                raise ValueError(f"{expression} has not two steps from left to right")
        signs = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
        words = [said(self.signs, signs[type(sign)]) for sign in (first, second)]
        if expression != expression.strip():
            raise ValueError("spaces around the expression")
        return {"a": numbers[0], "first": words[0], "b": int(numbers[1]), "second": words[1], "c": numbers[2]}


TOPICS = lines("""
moss graffiti paste|Moss
narrowboat mooring rights|Mooring
origami crane template|Cranes
glacier hut opening dates|Huts
vintage typewriter ribbon|Ribbon
goat yoga licence|Goats
cheese rolling rules|Rolling
lighthouse keeper vacancies|Vacancies
solar kiln plans|Kiln
tandem bicycle rental|Tandem
puppet theatre lighting|Puppets
rooftop beehive insurance|Bees
""")
TITLES = table("Notice|Bulletin|Board|Desk copy|Register|Circular|Dispatch|Memo|File")
HOUSES = table("""
loomhouse|oakwharf|redkiln|tidepool|finchbank|millrace|saltbarn|quillworks
""")


class MailTheResult(Asking):
    name = "mail_the_result"
    toolbox = "everyday"
    searches: ClassVar[tuple[str, ...]] = (
        'Whatever "{topic}" brings up on the web ({count:d} hits will do) belongs in an email to {address}, under '
        'the heading "{subject}".',
        'Somebody at {address} is waiting for links. Have the web searched for "{topic}", keep {count:d} results, and '
        'mail them with "{subject}" in the subject line.',
    )
    prices: ClassVar[tuple[str, ...]] = (
        'The treasurer reads {address} only. Let a mail headed "{subject}" carry nothing but the quote that the '
        "exchange gives for {symbol}.",
        "Before the bell rings, whoever sits behind {address} must have the {symbol} quote in a mail; its title "
        'is "{subject}".',
    )
    skies: ClassVar[tuple[str, ...]] = (
        'Fill a mail named "{subject}" with the conditions reported from {city}, and post it to {address}.',
        'The reader of {address} asks what the sky over {city} is up to; answer by mail, "{subject}" being the title.',
    )
    sums: ClassVar[tuple[str, ...]] = (
        "Have {a:d} and {b:d} multiplied by the calculator, and let {address} read the product in a mail. Its "
        'title: "{subject}".',
        'The product of {a:d} and {b:d}, computed and not guessed, makes up the whole mail "{subject}" for {address}.',
    )
    templates = searches + prices + skies + sums

    def facts(self, rng: Random) -> Facts:
        topic, subject = rng.choice(TOPICS).split("|")
        address = f"{rng.choice(NAMES).lower()}@{rng.choice(HOUSES)}.example"
        kinds: list[dict[str, Any]] = [
            {"topic": topic, "subject": subject, "count": rng.choice([*range(2, 5), *range(6, 25)])},
            {"symbol": rng.choice(TICKERS)},
            {"city": rng.choice(CITIES)},
            {"a": rng.randint(12, 99), "b": rng.randint(12, 99)},
        ]
        wish = {"subject": rng.choice(TITLES)} | rng.choice(kinds)
        return wish | {"address": address, "subject": f"{wish['subject']} {rng.randint(2, 99)}"}

    def calls(self, facts: Facts) -> Sequence[Source]:
        if "topic" in facts:
            body = call("search_web", query=facts["topic"], num_results=facts["count"])
        elif "symbol" in facts:
            body = call("get_stock_price", symbol=facts["symbol"])
        elif "city" in facts:
            body = call("get_weather", location=facts["city"])
        else:
            body = call("calculate", expression=f"{facts['a']} * {facts['b']}")
        return [call("send_email", to=facts["address"], subject=facts["subject"], body=body)]

    def retell(self, calls: Sequence[Call]) -> Facts:
        (one,) = calls
        address, subject, body = arguments(one, "send_email", "to", "subject", "body")
        facts = {"address": address, "subject": subject}
        if body.name == "search_web":
            topic, count = arguments(body, "search_web", "query", "num_results")
            return facts | {"topic": topic, "count": count}
        if body.name == "calculate":
            a, b = map(int, arguments(body, "calculate", "expression")[0].split(" * "))
            if body.arguments["expression"] != f"{a} * {b}":
                raise ValueError("not spaced as documented")
            return facts | {"a": a, "b": b}
        if body.name == "get_weather":
            return facts | {"city": arguments(body, "get_weather", "location")[0]}
        return facts | {"symbol": arguments(body, "get_stock_price", "symbol")[0]}
