"""Builds page tokens in Python, in the unsealed form: a search continues behind any item whose sort values you know.

    python3 tokens.py tokens.json fingerprints.json      checks itself on the fixtures
"""

import base64
import json
import math
import struct
import sys
from decimal import Decimal

MODES = ["sort", "score", "feed"]
SAFE = 2**53 - 1


def varint(value):
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(out) + bytes([value])


def zigzag(value):
    return varint(2 * value if value >= 0 else -2 * value - 1)


def string(text):
    try:
        raw = text.encode("utf-8")
        return varint(2 * len(raw)) + raw
    except UnicodeEncodeError:  # a lone surrogate
        raw = text.encode("utf-16-be", "surrogatepass")
        return varint(2 * len(raw) + 1) + raw


def value(sort_value):
    if sort_value is None:
        return b"\0"
    if isinstance(sort_value, bool):
        return b"\2" if sort_value else b"\1"
    if isinstance(sort_value, str):
        return b"\5" + string(sort_value)
    if isinstance(sort_value, float):
        whole = sort_value.is_integer() and abs(sort_value) <= SAFE and math.copysign(1, sort_value) > 0
        if not whole and not (sort_value.is_integer() and -SAFE <= sort_value < 0):
            return b"\3" + struct.pack(">d", sort_value)
        sort_value = int(sort_value)
    return (b"\7" if abs(sort_value) <= SAFE else b"\4") + zigzag(sort_value)


def build(sort, *, id=None, index=None, fingerprint, backwards=False, mode="sort", snapshot=None):
    """The token behind (or with `backwards` before) the item with these sort values and this id."""
    flags = backwards | (id is not None) << 1 | (index is not None) << 2 | (snapshot is not None) << 3
    out = bytes([1, MODES.index(mode), flags, len(sort)]) + b"".join(map(value, sort))
    out += string(id) if id is not None else b""
    out += string(index) if index is not None else b""
    out += varint(snapshot) if snapshot is not None else b""
    out += bytes([len(fingerprint)])
    for name in sorted(fingerprint):
        out += string(name) + varint(fingerprint[name])
    return "v0." + base64.urlsafe_b64encode(out).decode().rstrip("=")


def number(value):
    """A number as ECMAScript prints it."""
    if value == 0:
        return "0"
    if not math.isfinite(value):
        return "null"
    if isinstance(value, int):
        value = float(value)
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    text, point = "".join(map(str, digits)), len(digits) + exponent
    if len(digits) <= point <= 21:
        text += "0" * (point - len(digits))
    elif 0 < point <= 21:
        text = text[:point] + "." + text[point:]
    elif -6 < point <= 0:
        text = "0." + "0" * -point + text
    else:
        mantissa = text[0] + ("." + text[1:] if len(text) > 1 else "")
        text = f"{mantissa}e{'+' if point > 0 else '-'}{abs(point - 1)}"
    return ("-" if sign else "") + text


def canonical(value):
    """JSON without spaces, members sorted by their names in UTF-16."""
    if isinstance(value, str):
        text = json.dumps(value, ensure_ascii=False)
        return "".join(f"\\u{ord(c):04x}" if "\ud800" <= c <= "\udfff" else c for c in text)
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, (int, float)):
        return number(value)
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
    return "{" + ",".join(f"{canonical(name)}:{canonical(value[name])}" for name in names) + "}"


def hash_of(text):
    raw = text.encode("utf-16-be", "surrogatepass")
    a, b, mask = 0x811C9DC5, 0x7EE3623B, 0xFFFFFFFF
    for i in range(len(raw) // 2):
        unit = raw[2 * i] << 8 | raw[2 * i + 1]
        a = (a ^ unit) * 0x01000193 & mask
        b = (b ^ (unit + i)) * (0x01000193 ^ 0x5BD1E994) & mask
    x, y = (a ^ a >> 15) * 0x2C1B3C6D & mask, (b ^ b >> 13) * 0x297A2D39 & mask
    return (x ^ x >> 12) << 16 | (y ^ y >> 15) >> 16


def search_fingerprint(index, query=None, sort=None):
    """The fingerprint of a search of one index, as its body has it."""
    parts = {"index": [index], "query": {"query": query}, "sort": sort}
    return {name: hash_of(canonical(part)) for name, part in parts.items()}


def from_fixture(each):
    """A sort value; undefined where Python has no such value of its own."""
    if not isinstance(each, dict):
        return each
    if "bigint" in each:
        return int(each["bigint"]) if abs(int(each["bigint"])) > SAFE else ...
    return -0.0 if each.get("double") == "-0" else float(each["double"]) if "double" in each else ...


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as tokens, open(sys.argv[2], encoding="utf-8") as prints:
        fixtures, texts = json.load(tokens)["cases"], json.load(prints)["cases"]
    built = 0
    for case in fixtures:
        position = case.get("position")
        if position is None or not case["token"].startswith("v0."):
            continue
        sort = [from_fixture(each) for each in position.pop("tuple")]
        if ... in sort or position.keys() & {"principal", "expiresAt"}:
            continue
        assert build(sort, **position) == case["token"], case["name"]
        built += 1
    for case in texts:
        assert canonical(case["value"]) == case["text"], (case["name"], canonical(case["value"]))
        assert hash_of(case["text"]) == case["hash"], case["name"]
    print(f"{built} tokens, {len(texts)} fingerprints")
