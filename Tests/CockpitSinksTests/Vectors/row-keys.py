#!/usr/bin/env python3
"""Writes row-keys.json: keys of rows, computed from docs/sinks.md without the program's code."""
import hashlib, json, os, struct
from datetime import datetime, timezone


def prefixed(*parts):
    return b"".join(struct.pack(">I", len(part)) + part for part in parts)


def kept(text, limit=2000):
    """The first 2,000 UTF-16 units. Lone surrogates are U+FFFD; a last unit that is one, or half a pair, goes."""
    units = []
    data = text.encode("utf-16-le", "surrogatepass")
    for at in range(0, len(data), 2):
        units.append(data[at] | data[at + 1] << 8)
    out, at = [], 0
    while at < len(units) and at < limit:
        unit = units[at]
        if 0xD800 <= unit < 0xDC00 and at + 1 < len(units) and 0xDC00 <= units[at + 1] < 0xE000:
            if at + 2 > limit:
                break
            out.append(chr(0x10000 + ((unit - 0xD800) << 10) + (units[at + 1] - 0xDC00)))
            at += 2
            continue
        character = "\ufffd" if 0xD800 <= unit < 0xE000 else chr(unit)
        if character == "\ufffd" and at + 1 >= limit:
            break
        out.append(character)
        at += 1
    return "".join(out)


def key(bot, row, ordinal):
    def field(stored, live):
        value = row.get(stored, row.get(live))
        return "" if value is None else str(value)

    time = field("created_at", "createdAt").replace("Z", "+00:00")
    ms = round(datetime.fromisoformat(time).timestamp() * 1000)
    fingerprint = hashlib.sha256(prefixed(b"bot", bot.encode())).digest()[:16]
    identity = prefixed(
        str(ms).encode(), row["kind"].encode(), field("guild_id", "guildId").encode(),
        field("channel_id", "channelId").encode(), field("message_id", "messageId").encode(),
        field("user_id", "userId").encode(), kept(row.get("content") or "").encode())
    whole = prefixed(fingerprint) + identity + prefixed(str(ordinal).encode())
    return hashlib.sha256(whole).digest()[:16].hex()


rows = [
    {"createdAt": "2026-05-09T18:22:41.307Z", "kind": "llm_call", "guildId": "812345678901234567",
     "channelId": "812345678901234999", "userId": "198765432109876543",
     "content": "claude-oauth:claude-opus-4-6", "metadata": {"model": "claude-opus-4-6"}, "usdCost": 0.0084},
    {"id": 48211, "created_at": "2026-05-09T18:22:41.307Z", "kind": "llm_call", "guild_id": "812345678901234567",
     "channel_id": "812345678901234999", "message_id": None, "user_id": "198765432109876543",
     "content": "claude-oauth:claude-opus-4-6", "metadata": {"model": "claude-opus-4-6"}, "usd_cost": 0.0084},
    {"createdAt": "2026-01-01T00:00:00.000Z", "kind": "bot_lifecycle"},
    {"created_at": "2026-01-01T00:00:00.000Z", "kind": "bot_lifecycle", "content": None, "guild_id": None},
    {"createdAt": "2026-02-28T23:59:59.999Z", "kind": "sent_reply", "messageId": "1360000000000000002",
     "content": "Grüße aus Köln, 我喜欢 it 🔥"},
    {"createdAt": "2026-02-28T23:59:59.999Z", "kind": "sent_reply", "content": "a" * 1999 + "🔥 and more"},
    {"createdAt": "2026-02-28T23:59:59.999Z", "kind": "sent_reply", "content": "a" * 1998 + "🔥 and more"},
    {"createdAt": "2026-02-28T23:59:59.999Z", "kind": "sent_reply", "content": "b" * 4000},
    {"created_at": "2026-02-28T23:59:59.999Z", "kind": "sent_reply", "content": "b" * 2000},
    {"createdAt": "2026-02-28T23:59:59.999Z", "kind": "sent_reply", "content": "lone \ud83d half and \udc00"},
    {"createdAt": "2026-02-28T23:59:59.999Z", "kind": "sent_reply", "content": "zero \u0000 and \u001b[31m"},
    {"createdAt": "1969-12-31T23:59:59.000Z", "kind": "odd\"kind", "guildId": ""},
]
vectors = []
for bot in ["clanky#0001", "", "Käse#0002"]:
    for row in rows:
        for ordinal in [0, 1, 17]:
            vectors.append({"bot": bot, "row": json.dumps(row), "ordinal": ordinal, "key": key(bot, row, ordinal)})
# Each text of a row stands in the file once.
with open(os.path.join(os.path.dirname(__file__), "row-keys.json"), "w") as file:
    json.dump(vectors, file, indent=0)
    file.write("\n")
