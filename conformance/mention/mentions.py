"""Mentions in Python: reads markup, and cuts a text of the API into plain parts and mentions.

    python3 mentions.py parse.json      checks itself on the fixtures
"""

import json
import re
import sys

ATTRIBUTES = {"user": ["username", "id"], "topic": ["id"], "entity": ["id"], "link": ["href", "id"]}
REQUIRED = {"user": "username", "link": "href"}
REFERENCES = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"'}
KIND = "user|topic|entity|link"
TAG = re.compile(rf'<({KIND})((?:[ \t\n\r]+[a-z]+="[^"<]+")*)[ \t\n\r]*>|</({KIND})>')
ATTRIBUTE = re.compile(r'([a-z]+)="([^"<]+)"')


def unescape(text):
    return re.sub("&(?:amp|lt|gt|quot);", lambda found: REFERENCES[found[0]], text)


def units(text):
    """The length in UTF-16, the unit of the API."""
    return len(text.encode("utf-16-be", "surrogatepass")) // 2


def attributes_of(kind, text):
    """The attributes of a start tag; None if it is text."""
    pairs = ATTRIBUTE.findall(text)
    found = {name: unescape(value) for name, value in pairs}
    known = len(found) == len(pairs) and all(name in ATTRIBUTES[kind] for name in found)
    return found if known and REQUIRED.get(kind, None) in (None, *found) else None


def parse(markup):
    """The text of a markup and its entities, with offsets in UTF-16."""
    markup = markup.replace("\0", " ")
    text, entities, opened, done, at = "", [], None, 0, 0
    while tag := TAG.search(markup, at):
        at = tag.end()
        if kind := tag[1]:
            attributes = attributes_of(kind, tag[2])
            if attributes is None:
                at = tag.start() + 1
            else:
                opened = (kind, attributes, tag.start(), tag.end())
        elif opened and opened[0] == tag[3]:
            kind, attributes, start, inner = opened
            if tag.start() > inner:
                text += unescape(markup[done:start])
                begin = units(text)
                text += unescape(markup[inner : tag.start()])
                entities.append({"kind": kind, **attributes, "start": begin, "end": units(text)})
                done = tag.end()
            opened = None
    return {"text": text + unescape(markup[done:]), "entities": entities, "unit": "utf16"}


def segments(text, entities):
    """The parts of a text in order, each with its entity or None."""
    raw = text.encode("utf-16-be", "surrogatepass")
    cut = lambda start, end: raw[2 * start : 2 * end].decode("utf-16-be", "surrogatepass")
    parts, done = [], 0
    for entity in sorted(entities, key=lambda each: each["start"]):
        parts += [(cut(done, entity["start"]), None), (cut(entity["start"], entity["end"]), entity)]
        done = entity["end"]
    parts.append((cut(done, len(raw) // 2), None))
    return [part for part in parts if part[0]]


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        cases = json.load(file)["cases"]
    for case in cases:
        content = parse(case["markup"])
        assert content == case["content"], (case["name"], content)
        parts = segments(content["text"], content["entities"])
        assert "".join(part for part, _ in parts) == content["text"], case["name"]
    print(f"{len(cases)} cases")
