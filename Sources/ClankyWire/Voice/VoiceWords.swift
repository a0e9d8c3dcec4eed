/// The realtime transport of a voice session (contract 5.2.1).
package struct SessionMode: WireWord {
  /// The word as it came.
  package let rawValue: String

  /// Takes any word, known or not.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// The xAI realtime mode.
  package static let voiceAgent = SessionMode(rawValue: "voice_agent")
  /// OpenAI Realtime.
  package static let openaiRealtime = SessionMode(rawValue: "openai_realtime")
  /// Gemini Live.
  package static let geminiRealtime = SessionMode(rawValue: "gemini_realtime")
  /// ElevenLabs agents.
  package static let elevenlabsRealtime = SessionMode(rawValue: "elevenlabs_realtime")
}

/// Which side runs tools in a voice session (contract 5.2.1).
package struct ToolOwnership: WireWord {
  /// The word as it came.
  package let rawValue: String

  /// Takes any word, known or not.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// The bot's own text brain.
  package static let transportOnly = ToolOwnership(rawValue: "transport_only")
  /// The realtime provider.
  package static let providerNative = ToolOwnership(rawValue: "provider_native")
}

/// Join or leave (contract 5.2.1).
package struct MembershipKind: WireWord {
  /// The word as it came.
  package let rawValue: String

  /// Takes any word, known or not.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// Came into the channel.
  package static let join = MembershipKind(rawValue: "join")
  /// Left it.
  package static let leave = MembershipKind(rawValue: "leave")
}

/// Where a tool lives (contract 5.2.11).
package struct ToolType: WireWord {
  /// The word as it came.
  package let rawValue: String

  /// Takes any word, known or not.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// Built into the bot.
  package static let function = ToolType(rawValue: "function")
  /// Offered by an MCP server.
  package static let mcp = ToolType(rawValue: "mcp")
}

/// The state of the bot's next reply (contract 5.2.2).
package struct OutputPhase: WireWord {
  /// The word as it came.
  package let rawValue: String

  /// Takes any word, known or not.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// Nothing to say.
  package static let idle = OutputPhase(rawValue: "idle")
  /// A reply was requested.
  package static let responsePending = OutputPhase(rawValue: "response_pending")
  /// A reply waits for tools.
  package static let awaitingToolOutputs = OutputPhase(rawValue: "awaiting_tool_outputs")
  /// Speech is arriving and playing.
  package static let speakingLive = OutputPhase(rawValue: "speaking_live")
  /// Speech is complete and still being played.
  package static let speakingBuffered = OutputPhase(rawValue: "speaking_buffered")
}

/// Why the output is in its phase (contract 5.2.2).
package struct OutputReason: WireWord {
  /// The word as it came.
  package let rawValue: String

  /// Takes any word, known or not.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// Nothing to say.
  package static let idle = OutputReason(rawValue: "idle")
  /// A reply was requested.
  package static let pendingResponse = OutputReason(rawValue: "pending_response")
  /// OpenAI is answering.
  package static let openaiActiveResponse = OutputReason(rawValue: "openai_active_response")
  /// A reply waits for tools.
  package static let awaitingToolOutputs = OutputReason(rawValue: "awaiting_tool_outputs")
  /// Speech is arriving.
  package static let botAudioLive = OutputReason(rawValue: "bot_audio_live")
  /// Speech is still being played.
  package static let botAudioBuffered = OutputReason(rawValue: "bot_audio_buffered")
}

/// Whether synthesised speech is waiting to be played (contract 5.2.2).
package struct TtsPlaybackState: WireWord {
  /// The word as it came.
  package let rawValue: String

  /// Takes any word, known or not.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// Nothing waits.
  package static let idle = TtsPlaybackState(rawValue: "idle")
  /// Speech waits.
  package static let buffered = TtsPlaybackState(rawValue: "buffered")
}

/// Whether the bot follows the conversation or waits to be called (contract 5.2.3).
package struct AttentionMode: WireWord {
  /// The word as it came.
  package let rawValue: String

  /// Takes any word, known or not.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// It follows the conversation.
  package static let active = AttentionMode(rawValue: "ACTIVE")
  /// It waits to be called.
  package static let ambient = AttentionMode(rawValue: "AMBIENT")
}

/// The state of a pending thought (contract 5.2.3).
package struct ThoughtStatus: WireWord {
  /// The word as it came.
  package let rawValue: String

  /// Takes any word, known or not.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// Waits for its moment.
  package static let queued = ThoughtStatus(rawValue: "queued")
  /// Outdated; to be thought over.
  package static let reconsider = ThoughtStatus(rawValue: "reconsider")
}

/// The last decision about a pending thought (contract 5.2.3).
package struct ThoughtAction: WireWord {
  /// The word as it came.
  package let rawValue: String

  /// Takes any word, known or not.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// Keep it for later.
  package static let hold = ThoughtAction(rawValue: "hold")
  /// Say it.
  package static let speakNow = ThoughtAction(rawValue: "speak_now")
  /// Forget it.
  package static let drop = ThoughtAction(rawValue: "drop")
}

/// The kind of a conversation turn (contract 5.2.4).
package struct TurnKind: WireWord {
  /// The word as it came.
  package let rawValue: String

  /// Takes any word, known or not.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// Speech.
  package static let speech = TurnKind(rawValue: "speech")
  /// The bot thought it.
  package static let thought = TurnKind(rawValue: "thought")
  /// A user joined or left.
  package static let membership = TurnKind(rawValue: "membership")
  /// A user sent a voice effect.
  package static let effect = TurnKind(rawValue: "effect")
}

/// The role of a turn's speaker (contract 5.2.4).
package struct TurnRole: WireWord {
  /// The word as it came.
  package let rawValue: String

  /// Takes any word, known or not.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// A member.
  package static let user = TurnRole(rawValue: "user")
  /// The bot.
  package static let assistant = TurnRole(rawValue: "assistant")
}

/// The category of a durable note (contract 5.2.1).
package struct NoteCategory: WireWord {
  /// The word as it came.
  package let rawValue: String

  /// Takes any word, known or not.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// Something that is so.
  package static let fact = NoteCategory(rawValue: "fact")
  /// Something that will be.
  package static let plan = NoteCategory(rawValue: "plan")
  /// A user's preference.
  package static let preference = NoteCategory(rawValue: "preference")
  /// A relationship between users.
  package static let relationship = NoteCategory(rawValue: "relationship")
}

/// Which deadline a session is warned of (contract 5.2.8).
package struct TimeoutWarning: WireWord {
  /// The word as it came.
  package let rawValue: String

  /// Takes any word, known or not.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// No deadline is near.
  package static let none = TimeoutWarning(rawValue: "none")
  /// The hard deadline.
  package static let maxDuration = TimeoutWarning(rawValue: "max_duration")
  /// The idle deadline.
  package static let inactivity = TimeoutWarning(rawValue: "inactivity")
}

/// The life of a recogniser session (contract 5.2.10).
package struct AsrPhase: WireWord {
  /// The word as it came.
  package let rawValue: String

  /// Takes any word, known or not.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// Not connected.
  package static let idle = AsrPhase(rawValue: "idle")
  /// Being connected.
  package static let connecting = AsrPhase(rawValue: "connecting")
  /// Listening.
  package static let ready = AsrPhase(rawValue: "ready")
  /// Waiting for a transcript.
  package static let committing = AsrPhase(rawValue: "committing")
  /// Being closed.
  package static let closing = AsrPhase(rawValue: "closing")
}
