#!/usr/bin/env python3
"""Holds a conversation with the elevenlabs package, and prints what it heard as one JSON object.

Usage: PEER_TOKEN=... elevenlabs-client.py http://127.0.0.1:PORT [MESSAGE]...
"""

import json
import os
import sys
import threading
import time

import elevenlabs
from elevenlabs import ElevenLabs
from elevenlabs.conversational_ai.conversation import (
    ClientTools,
    Conversation,
    ConversationInitiationData,
)

heard = {
    "version": elevenlabs.__version__,
    "answers": [],
    "corrections": [],
    "parts": [],
    "transcripts": [],
    "tools": [],
}
answered = threading.Condition()


def note(kind, value):
    with answered:
        heard[kind].append(value)
        answered.notify_all()


def lamp(parameters):
    note("tools", {key: parameters[key] for key in sorted(parameters)})
    return "lamp is on"


def part(text, *_):
    note("parts", text)


tools = ClientTools()
tools.register("lamp", lamp)
client = ElevenLabs(api_key=os.environ["PEER_TOKEN"], base_url=sys.argv[1])
conversation = Conversation(
    client,
    "agent_juniper",
    requires_auth=True,
    audio_interface=None,
    client_tools=tools,
    config=ConversationInitiationData(
        conversation_config_override={"conversation": {"text_only": True}},
        dynamic_variables={"user_name": "Mira"},
    ),
    callback_agent_response=lambda text: note("answers", text),
    callback_agent_response_correction=lambda old, new: note("corrections", new),
    callback_user_transcript=lambda text: note("transcripts", text),
    callback_latency_measurement=lambda ms: heard.update(latency=ms),
)


def wait(count, seconds=20):
    end = time.monotonic() + seconds
    with answered:
        while len(heard["answers"]) < count and time.monotonic() < end:
            answered.wait(0.1)


conversation.start_session()
wait(1)
for place, message in enumerate(sys.argv[2:]):
    conversation.send_user_message(message)
    wait(place + 2)
conversation.end_session()
heard["conversation"] = conversation.wait_for_session_end()
try:
    ElevenLabs(
        api_key="wrong", base_url=sys.argv[1]
    ).conversational_ai.conversations.get_signed_url(agent_id="agent_juniper")
    heard["wrong_key"] = "taken"
except Exception as error:
    heard["wrong_key"] = getattr(error, "status_code", str(error))
print(json.dumps(heard))
