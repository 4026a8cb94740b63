# What the programs of the Python clients share: the documents, and `call`, which prints whether a call works.

import json
import sys

URL = sys.argv[1]

MAPPINGS = {
    "properties": {
        "title": {"type": "text", "fields": {"raw": {"type": "keyword"}}},
        "brand": {"type": "keyword"},
        "price": {"type": "double"},
        "added": {"type": "date"},
        "names": {"type": "completion"},
        "reviews": {"type": "nested", "properties": {"stars": {"type": "integer"}, "text": {"type": "text"}}},
    }
}

TITLES = [
    ("Red running shoes", "Ardo", 80, "2026-01-03"),
    ("Blue running jacket", "Ardo", 120, "2026-01-20"),
    ("Red rain jacket", "Belm", 95.5, "2026-02-01"),
    ("Trail shoes for women", "Belm", 110, "2026-02-14"),
    ("Wool socks", "Corin", 12, "2026-03-01"),
    ("Running socks, three pairs", "Corin", 15, "2026-03-02"),
]

PRODUCTS = [
    {
        "title": title,
        "brand": brand,
        "price": price,
        "added": added,
        "names": {"input": [title], "weight": n + 1},
        "reviews": [{"stars": n % 5 + 1, "text": "too small" if n % 2 else "fits well"}],
    }
    for n, (title, brand, price, added) in enumerate(TITLES)
]


def report(name, error=None):
    line = {"call": name, "ok": error is None}
    if error is not None:
        line["error"] = error
    print(json.dumps(line, separators=(",", ":")), flush=True)


def call(name, run, check=lambda answer: True):
    """Runs a call and prints its result; `check` says whether the answer is right."""
    try:
        answer = run()
        report(name, None if check(answer) else f"wrong answer: {answer!r}"[:160])
    except Exception as error:  # whatever a client throws is the result of its call
        report(name, f"{type(error).__name__}: {error}")
