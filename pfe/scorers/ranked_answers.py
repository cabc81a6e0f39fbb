"""The preferred answer in an output that ranks several answers or gives their shares.

Example: "B > A > C", "A: 1%\\nB: 97%\\nC: 2%" and '{"A": 0.1, "B": 0.9}' put B first.
"""

import re

_NAME = r"[(\[\"']?\b([A-Za-z]|yes|no)\b[)\].\"']{0,2}"
_CHAIN = re.compile(rf"^\W{{0,40}}?{_NAME}(?:\s?([><≻≺])\s?{_NAME})(?:\s?\2\s?{_NAME}){{0,25}}\W{{0,9}}$", re.M | re.I)
_SHARE = re.compile(
    rf"(?<![\w'.]){_NAME}\s?(?:[:=|(–—-]\s{{0,3}}|\s)?\s?(?:about\s|~|≈)?"
    r"([01]\.[0-9]{1,4}|\.[0-9]{1,4}|[0-9]{1,3}(?:\.[0-9]{1,3})?\s?%)",
    re.I,
)
_NEAR = 0.1  # allowed distance of the sum of shares from 1


def preferred(text: str) -> str | None:
    """Return the letter, "yes" or "no" that a text ranks first of at least two; None if there is none or a tie."""
    chain = _CHAIN.search(text)
    if chain:
        names = re.findall(r"[A-Za-z]+", chain[0])
        return str(names[0] if chain[2] in ">≻" else names[-1])
    shares = {match[1]: _share(match[2]) for match in _SHARE.finditer(text)}
    if len(shares) < 2 or abs(sum(shares.values()) - 1) > _NEAR:
        return None
    first, second = sorted(shares.values(), reverse=True)[:2]
    return max(shares, key=shares.__getitem__) if first > second else None


def _share(text: str) -> float:
    return float(text.rstrip("% ")) / (100 if text.endswith("%") else 1)
