"""Requests about documents: pages of a file passed on, words corrected before a text is saved.

Example, fncall_synth/pages_of_a_file/s0/0:
    request: Tatum skips survey-486.odt altogether and wants pages 7, 32, 51 and 87 of charter-153.pdf boiled
        down to 8 plain sentences.
    answer: summarize(read_file("charter-153.pdf", [7, 32, 51, 87]), 8)
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar

from pfe.icr.calls import Call
from pfe.tutors.families.fncall_synth.request import Asking, Source, arguments, call
from pfe.tutors.families.fncall_synth.words import NAMES, items, lines, listed, said, table
from pfe.tutors.family import Facts

FILES = table("""
deed|survey|ledger|almanac|charter|dossier|logbook|memoir|prospectus|sermon|statute|transcript|glossary
""")
LANGUAGES = {name.capitalize(): name for name in (
    ["french", "german", "spanish", "italian", "japanese", "polish", "portuguese", "turkish"]
)}  # fmt: skip
MANNERS: Mapping[str, bool] = {
    "who must be addressed in the polite form": True,
    "with whom we are on familiar terms": False,
}
STYLES: Mapping[str, str] = {"bullet points": "bullets", "plain sentences": "plain"}


def some_file(rng: Random) -> str:
    """A file name such as "deed-312.pdf"."""
    return f"{rng.choice(FILES)}-{rng.randint(100, 999)}.{rng.choice(['pdf', 'docx', 'odt'])}"


class PagesOfAFile(Asking):
    name = "pages_of_a_file"
    toolbox = "documents"
    templates: ClassVar[tuple[str, ...]] = (
        "Pages {pages} of {file}, and no others, go to our partner {name}, {manner}. Hand them over in {language}.",
        "{name}, {manner}, reads {language} and nothing else; {other} is of no interest there, but pages {pages} of "
        "{file} are. Produce what can be read.",
        "Out of {file}, pages {pages} matter to the jury. Condense just these to {count:d} {style}.",
        "{name} skips {other} altogether and wants pages {pages} of {file} boiled down to {count:d} {style}.",
    )

    def facts(self, rng: Random) -> Facts:
        pages = listed(list(map(str, sorted(rng.sample(range(2, 90), rng.randint(2, 4))))))
        wishes: list[dict[str, Any]] = [
            {"language": rng.choice(list(LANGUAGES)), "manner": rng.choice(list(MANNERS))},
            {"count": rng.choice([2, *range(4, 10)]), "style": rng.choice(list(STYLES))},
        ]
        return {"file": some_file(rng), "pages": pages} | rng.choice(wishes)

    def aside(self, facts: Facts, rng: Random) -> Mapping[str, Any]:
        return {"name": rng.choice(NAMES), "other": some_file(rng)}

    def calls(self, facts: Facts) -> Sequence[Source]:
        text = call("read_file", path=facts["file"], pages=list(map(int, items(facts["pages"]))))
        if "language" in facts:
            return [
                call("translate", text=text, language=LANGUAGES[facts["language"]], formal=MANNERS[facts["manner"]])
            ]
        return [call("summarize", text=text, sentences=facts["count"], style=STYLES[facts["style"]])]

    def retell(self, calls: Sequence[Call]) -> Facts:
        (one,) = calls
        if one.name == "translate":
            text, language, formal = arguments(one, "translate", "text", "language", "formal")
            facts: dict[str, Any] = {"language": said(LANGUAGES, language), "manner": said(MANNERS, formal)}
        else:
            text, count, style = arguments(one, "summarize", "text", "sentences", "style")
            facts = {"count": count, "style": said(STYLES, style)}
        path, pages = arguments(text, "read_file", "path", "pages")
        return facts | {"file": path, "pages": listed(list(map(str, pages)))}


SPELLINGS = lines("""
the harbor by the theater|harbor:harbour|theater:theatre
our neighbor plows at dawn|neighbor:neighbour|plows:ploughs
a jewelry box in the parlor|jewelry:jewellery|parlor:parlour
the meager catalog of stars|meager:meagre|catalog:catalogue
her favorite pajamas shrank|favorite:favourite|pajamas:pyjamas
rumor has it the mold is back|rumor:rumour|mold:mould
the traveler wore armor to bed|traveler:traveller|armor:armour
an odor of licorice lingers|odor:odour|licorice:liquorice
the marvelous fiber of nettles|marvelous:marvellous|fiber:fibre
vapor rose from the caliber gauge|vapor:vapour|caliber:calibre
the sulfur pit lost its luster|sulfur:sulphur|luster:lustre
a somber check for the skeptic|somber:sombre|skeptic:sceptic
""")
CASE: Mapping[str, bool] = {"capitals must match": True, "capitals are of no concern": False}
FATE: Mapping[str, bool] = {
    "An older file under that name may go": True,
    "An older file under that name must survive": False,
}


class WordsCorrected(Asking):
    name = "words_corrected"
    toolbox = "documents"
    templates: ClassVar[tuple[str, ...]] = (
        'The caption "{text}" is to appear in London, so {swaps}; {case}. {name} needs the corrected caption as '
        "{file}. {fate}.",
        'For {file}, {name} dictated "{text}", meaning it for a shop in Leeds. Correct the '
        "dictation: {swaps}, where {case}, and store the outcome. {fate}.",
        '{fate}: {file} shall hold the line "{text}" once it has been corrected by {name}\'s rule, which is: {swaps} '
        "({case}).",
    )

    def facts(self, rng: Random) -> Facts:
        text, *swaps = rng.choice(SPELLINGS).split("|")
        rng.shuffle(swaps)
        spoken = listed(["put {1} for {0}".format(*swap.split(":")) for swap in swaps])
        how = {"case": rng.choice(list(CASE)), "fate": rng.choice(list(FATE))}
        return {"text": text, "swaps": spoken, "file": f"{rng.choice(FILES)}-{rng.randint(100, 999)}.txt", **how}

    def aside(self, facts: Facts, rng: Random) -> Mapping[str, Any]:
        return {"name": rng.choice(NAMES)}

    def calls(self, facts: Facts) -> Sequence[Source]:
        swaps = [swap.removeprefix("put ").split(" for ") for swap in items(facts["swaps"])]
        new = {old: new for new, old in swaps}
        text = call("replace_words", text=facts["text"], replacements=new, match_case=CASE[facts["case"]])
        return [call("save_file", text=text, path=facts["file"], overwrite=FATE[facts["fate"]])]

    def retell(self, calls: Sequence[Call]) -> Facts:
        (one,) = calls
        corrected, path, overwrite = arguments(one, "save_file", "text", "path", "overwrite")
        text, new, match_case = arguments(corrected, "replace_words", "text", "replacements", "match_case")
        swaps = listed([f"put {value} for {key}" for key, value in new.items()])
        return {
            "text": text,
            "swaps": swaps,
            "file": path,
            "case": said(CASE, match_case),
            "fate": said(FATE, overwrite),
        }
