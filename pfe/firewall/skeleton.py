"""The skeleton of a problem: what stays when its template gets other names, numbers and nouns.

Example: "Freya buys 8 kettles at the pier and gives 3 of them to her aunt." and "Tom bought 5 books at the shop and
hands 2 of them to his sister." have the same skeleton, "name x num x at the x and x num of them to them x".
"""

from itertools import pairwise

from pfe.firewall.folding import NAME, NUM
from pfe.firewall.tokens import tokenize

STEP = 64  # words from one window of a long text to the next; a window has two steps
WORD = "x"  # any run of words that the skeleton does not keep
# The words that stay when a template gets other content; forms with slashes between them count as one word.
_KEPT = """
a/an the this that these those they/he/she/it them/him/her/his/its/their/himself/herself/themselves i you we us our my
me who whom whose which what how where when while why if then than so as at by in on of off to for from with without
into onto over under between among about after before during until since through per each every all any some no not only
also both either neither other another same own more most less least much many few fewer enough such too very just still
yet again already and or but nor because is/are/was/were be been being am has/have/had having do/does/did done can could
will would shall should may might must there here out up down away back together left rest remaining total altogether
first last next half twice double triple times time once number amount now later price cost costs worth average sum
percent percentage s cent/cents/dollar/dollars
day/days/week/weeks/month/months/year/years/hour/hours/minute/minutes/second/seconds
"""
KEPT = {form: forms.split("/")[0] for forms in _KEPT.split() for form in forms.split("/")} | {NUM: NUM, NAME: NAME}


def skeleton(masked: str) -> str:
    """Return a masked text with only the words that a template keeps, and `x` for each run of others."""
    words = [KEPT.get(word, WORD) for word in tokenize(masked)]
    return " ".join(word for before, word in pairwise(["", *words]) if not before == word == WORD)


def windows(skeleton: str) -> list[str]:
    """Return the parts of a skeleton that are compared: long texts would contain the n-grams of any problem."""
    words = skeleton.split()
    return [" ".join(words[start : start + 2 * STEP]) for start in range(0, max(len(words) - STEP, 1), STEP)]
