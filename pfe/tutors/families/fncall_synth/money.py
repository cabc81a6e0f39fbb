"""Requests about money: a shared bill abroad, several payments, loans whose length is given in years.

Example, fncall_synth/loan_term/s0/0:
    request: Before signing, Aubrey wants to see a month's repayment on paper: term 17 years, sum 219,250,
        yearly interest 5.6 percent.
    answer: loan_payment(219250, 5.6, 204)
"""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from pfe.icr.calls import Call
from pfe.tutors.families.fncall_synth.request import Asking, Source, arguments, call
from pfe.tutors.families.fncall_synth.words import NAMES, items, listed, number, said, spoken_number, table
from pfe.tutors.family import Facts

CURRENCIES: Mapping[str, str] = {
    "US dollars": "USD", "Canadian dollars": "CAD", "Australian dollars": "AUD", "euros": "EUR",
    "pounds sterling": "GBP", "Japanese yen": "JPY", "Swiss francs": "CHF", "Indian rupees": "INR",
    "Brazilian reais": "BRL", "Mexican pesos": "MXN", "Swedish kronor": "SEK", "Polish złoty": "PLN",
}  # fmt: skip
BILLS = table("""
boat charter|climbing course|ski hut|studio rent|minibus|villa|fishing permit|sauna raft|tasting menu
""")


class ShareAbroad(Asking):
    name = "share_abroad"
    toolbox = "money"
    templates: ClassVar[tuple[str, ...]] = (
        "The {bill} was billed at {total} {source}, {tip:d} percent to be added as a tip. {people:d} of us carry it in "
        "equal parts. Determine one part first, and restate that part in {target}.",
        "{name} fronted the {bill}: {total} {source} before the tip of {tip:d} percent. Divided evenly over "
        "{people:d} heads, and only then exchanged, how many {target} is one head's part?",
        "Receipt for the {bill}: {total} {source}. Tip on top: {tip:d} percent. Heads: {people:d}, equal parts. "
        "{name} wants one part worked out, and after that exchanged into {target}.",
    )

    def facts(self, rng: Random) -> Facts:
        source, target = rng.sample(list(CURRENCIES), 2)
        total = rng.choice([rng.randint(60, 4000), rng.randint(6000, 90000) / 100])
        people = {"people": rng.randint(3, 14), "tip": rng.randint(2, 25)}
        return {"source": source, "target": target, "total": spoken_number(total, 2), **people}

    def aside(self, facts: Facts, rng: Random) -> Mapping[str, Any]:
        return {"name": rng.choice(NAMES), "bill": rng.choice(BILLS)}

    def calls(self, facts: Facts) -> Sequence[Source]:
        share = call("split_bill", total=number(facts["total"]), people=facts["people"], tip_percent=facts["tip"])
        codes = {"source": CURRENCIES[facts["source"]], "target": CURRENCIES[facts["target"]]}
        return [call("convert_currency", amount=share, **codes)]

    def retell(self, calls: Sequence[Call]) -> Facts:
        (one,) = calls
        share, source, target = arguments(one, "convert_currency", "amount", "source", "target")
        total, people, tip = arguments(share, "split_bill", "total", "people", "tip_percent")
        codes = {"source": said(CURRENCIES, source), "target": said(CURRENCIES, target)}
        return {"total": spoken_number(total, 2), "people": people, "tip": tip, **codes}


ACCOUNTS: Mapping[str, str] = {
    "the savings account": "savings", "the joint account": "joint", "the checking account": "checking",
}  # fmt: skip
CLEARED: Mapping[str, bool] = {
    "with the payments that are not booked yet counted in": True,
    "with the payments that are not booked yet left out": False,
}
WORK = table("""
harp tuning|hedge trimming|proofreading|stone carving|dog sitting|roof thatching|page turning|costume hire
""")


class Payday(Asking):
    name = "payday"
    toolbox = "money"
    templates: ClassVar[tuple[str, ...]] = (
        'Wages day! Out of {account}, {wages}; the note on each payment reads "{work}". When that is done, report '
        "what {account} holds, {cleared}.",
        'The helpers have finished and {account} pays them, each with the note "{work}": {wages}. Conclude with the '
        "balance of {account}, {cleared}.",
        'For "{work}", which is the note to write, {account} owes the following: {wages}. Pay, and afterwards look '
        "into {account}, {cleared}.",
    )

    def facts(self, rng: Random) -> Facts:
        names = rng.sample(NAMES, rng.randint(1, 3))
        wages = listed([f"{rng.randint(15, 940)} dollars to {name}" for name in names])
        how = {"account": rng.choice(list(ACCOUNTS)), "cleared": rng.choice(list(CLEARED))}
        return {"wages": wages, "work": rng.choice(WORK), **how}

    def calls(self, facts: Facts) -> Sequence[Source]:
        account, memo = ACCOUNTS[facts["account"]], facts["work"]
        wages = [wage.split(" dollars to ") for wage in items(facts["wages"])]
        paid = [call("send_money", to=to, amount=int(amount), account=account, memo=memo) for amount, to in wages]
        return [*paid, call("get_balance", account=account, pending=CLEARED[facts["cleared"]])]

    def retell(self, calls: Sequence[Call]) -> Facts:
        *payments, last = calls
        account, pending = arguments(last, "get_balance", "account", "pending")
        paid = [arguments(one, "send_money", "to", "amount", "account", "memo") for one in payments]
        ((taken, work),) = {(source, memo) for _, _, source, memo in paid}
        if taken != account:
            raise ValueError("the balance is that of another account")
        wages = listed([f"{amount} dollars to {to}" for to, amount, _, _ in paid])
        how = {"account": said(ACCOUNTS, account), "cleared": said(CLEARED, pending)}
        return {"wages": wages, "work": work, **how}


class LoanTerm(Asking):
    name = "loan_term"
    toolbox = "money"
    templates: ClassVar[tuple[str, ...]] = (
        "{name}'s boatyard asks the bank for {amount} at {percent} percent a year, to be paid back within {years}. "
        "The grant of {grant} has been refused. State the burden of a single month.",
        "Before signing, {name} wants to see a month's repayment on paper: term {years}, sum {amount}, yearly "
        "interest {percent} percent.",
        "At first the lender spoke of {wrong} percent; the contract for {name} now says {percent} percent a year on "
        "{amount}, running {years}. Monthly repayment under the contract?",
    )

    def facts(self, rng: Random) -> Facts:
        whole, half = rng.randint(2, 25), rng.random() < 0.3
        years = f"{whole} and a half years" if half else f"{whole} years"
        percent = spoken_number(rng.randint(21, 139) / 10)
        return {"amount": spoken_number(rng.randint(12, 990) * 250), "percent": percent, "years": years}

    def aside(self, facts: Facts, rng: Random) -> Mapping[str, Any]:
        wrong = spoken_number(round(number(facts["percent"]) + rng.randint(1, 3), 1))
        return {"name": rng.choice(NAMES), "grant": spoken_number(100 * rng.randint(11, 95)), "wrong": wrong}

    def calls(self, facts: Facts) -> Sequence[Source]:
        whole, _, half = facts["years"].removesuffix(" years").partition(" and a ")
        months = int(whole) * 12 + (6 if half else 0)
        terms = {"annual_percent": number(facts["percent"]), "months": months}
        return [call("loan_payment", principal=number(facts["amount"]), **terms)]

    def retell(self, calls: Sequence[Call]) -> Facts:
        (one,) = calls
        amount, percent, months = arguments(one, "loan_payment", "principal", "annual_percent", "months")
        years, rest = divmod(months, 12)
        spoken = {0: f"{years} years", 6: f"{years} and a half years"}[rest]
        return {"amount": spoken_number(amount), "percent": spoken_number(percent), "years": spoken}

    def steps(self, facts: Facts) -> Iterable[str]:
        whole, _, half = facts["years"].removesuffix(" years").partition(" and a ")
        terms = [whole, "* 12", *(["+ 6"] if half else [])]
        months = int(whole) * 12 + (6 if half else 0)
        yield f"{facts['years']} are {' '.join(terms)} = <<{''.join(terms).replace(' ', '')}={months}>>{months} months."
