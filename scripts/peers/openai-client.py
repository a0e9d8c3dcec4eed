#!/usr/bin/env python3
"""Talks to a server with the openai package, and prints what it said as one JSON object.

Usage: PEER_TOKEN=... openai-client.py http://127.0.0.1:PORT/v1
"""

import base64
import json
import os
import sys

import openai

client = openai.OpenAI(base_url=sys.argv[1], api_key=os.environ["PEER_TOKEN"], max_retries=0)
MODEL = "openclaw/moss"
PNG = "data:image/png;base64," + base64.b64encode(b"\x89PNG\r\n\x1a\n123").decode()
said = {"models": [model.id for model in client.models.list()]}


def chat(name, content=None, earlier=()):
    """Chat completions in one piece."""
    messages = [*earlier, {"role": "user", "content": content or f"peer {name}"}]
    answer = client.chat.completions.create(model=MODEL, messages=messages)
    said[name] = {
        "id": answer.id,
        "text": answer.choices[0].message.content,
        "total_tokens": answer.usage.total_tokens,
    }


chat("chat")
chat(
    "image",
    [
        {"type": "text", "text": "peer image"},
        {"type": "image_url", "image_url": {"url": PNG}},
    ],
)
chat(
    "history",
    earlier=[{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi."}],
)

text, total, identity = "", 0, None
for chunk in client.chat.completions.create(
    model=MODEL,
    messages=[{"role": "user", "content": "peer chat_stream"}],
    stream=True,
    stream_options={"include_usage": True},
):
    identity = chunk.id
    for choice in chunk.choices:
        text += choice.delta.content or ""
    if chunk.usage:
        total = chunk.usage.total_tokens
said["chat_stream"] = {"id": identity, "text": text, "total_tokens": total}

answer = client.responses.create(model=MODEL, input="peer responses")
said["responses"] = {
    "id": answer.id,
    "text": answer.output_text,
    "total_tokens": answer.usage.total_tokens,
}

text, last = "", None
for event in client.responses.create(model=MODEL, input="peer responses_stream", stream=True):
    if event.type == "response.output_text.delta":
        text += event.delta
    if event.type == "response.completed":
        last = event.response
said["responses_stream"] = {
    "id": last.id,
    "text": text,
    "total_tokens": last.usage.total_tokens,
}
assert last.output_text == text, (last.output_text, text)


def status(call):
    """The status of a call that may be refused."""
    try:
        call()
        return 200
    except openai.APIStatusError as error:
        return error.status_code


HELLO = [{"role": "user", "content": "Hello"}]
said["bad_model"] = status(
    lambda: client.chat.completions.create(model="gpt-9", messages=HELLO)
)
said["bad_token"] = status(
    lambda: client.with_options(api_key="wrong").chat.completions.create(
        model=MODEL, messages=HELLO
    )
)
said["reserved"] = status(
    lambda: client.chat.completions.create(
        model=MODEL, messages=HELLO, extra_headers={"x-openclaw-session-key": "cron:x"}
    )
)
try:
    for _ in client.chat.completions.create(
        model=MODEL, messages=[{"role": "user", "content": "fail at once"}], stream=True
    ):
        pass
    said["failed"] = False
except openai.APIError:
    said["failed"] = True

print(json.dumps(said))
