"""The canary string in every file of our own problems, so that collectors of training data can leave these files out.

Example, the end of a row of data/sample/arc_easy/test.jsonl: `"canary": "PFE evaluates models … 8caa1072-…"`. A model
that completes the GUID has read the files.
"""

GUID = "8caa1072-5c1e-47ea-8cdd-769e63e11ff1"
CANARY = f"PFE evaluates models on these problems: never train on them. Canary GUID {GUID}"
