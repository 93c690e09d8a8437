# SPDX-License-Identifier: Apache-2.0
"""A real trace many times over: its events again and again, later by its length each time, with ids of their
own.

The bytes of an event stay as they are but for its instant ("ts") and, of flows and async events, its
"id": what a real writer does to order, nesting, overlaps and spacing stays in the large file. Events
without an instant (metadata) are written once.
"""
import json
import re

TS = re.compile(r'"ts"\s*:\s*("?)(-?\d+(?:\.\d+)?)\1')
ID = re.compile(r'"id"\s*:\s*("?)(\w+)\1')


def events_of(text):
    """The text of each event of a trace: an array, or an object with "traceEvents"."""
    decode = json.JSONDecoder().raw_decode
    at = text.index("[", text.index('"traceEvents"') if text.lstrip().startswith("{") else 0) + 1
    while True:
        at = re.compile(r"[\s,]*").match(text, at).end()
        if at >= len(text) or text[at] == "]":
            return
        _, end = decode(text, at)
        yield text[at:end]
        at = end


def nanoseconds(text):
    """Of decimal microseconds, exactly."""
    whole, _, part = text.partition(".")
    return int(whole) * 1000 + int((part + "000")[:3])


def split(text):
    """An event as (text, place of its instant, instant in ns, digits behind the point, place of its id or
    None); None without an instant.

    Of several ids in the text the first is taken: "args" may hold others and comes last.
    """
    ts = TS.search(text)
    if not ts:
        return None
    flow = json.loads(text).get("id")
    found = ID.search(text) if flow is not None else None
    digits = len(ts.group(2).partition(".")[2])
    return text, ts.span(2), nanoseconds(ts.group(2)), digits, found.span(2) if found else None


def again(event, shift_ns, n):
    """The event of repetition n."""
    text, (a, b), ns, digits, ident = event
    us, rest = divmod(ns + shift_ns, 1000)
    parts = [(a, b, f"{us}.{rest:03d}" if digits else str(us))]
    if ident and n:
        old = text[slice(*ident)]
        parts.append(
            (*ident, str(int(old) + shift_ns) if old.isdigit() else f"{old}{n}")
        )  # writers number flows by time
    for start, end, new in sorted(parts, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def repeat(sample, out, size_b):
    """Write at least size_b bytes; returns the number of events."""
    with open(sample, encoding="utf-8") as f:
        texts = list(events_of(f.read()))
    once = [t for t in texts if not TS.search(t)]
    events = [e for e in map(split, texts) if e]
    times = [e[2] for e in events]
    length = max(times) - min(times) + 10**6
    written, n = 0, 0
    with open(out, "w", encoding="utf-8") as f:
        written += f.write("[" + ", ".join(once))
        while written < size_b:
            part = ", ".join(again(e, n * length, n) for e in events)
            written += f.write((", " if n or once else "") + part)
            n += 1
        f.write("]")
    return len(once) + n * len(events)
