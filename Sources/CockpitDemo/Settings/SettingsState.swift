/// The settings of the bot: as stored, and in effect (contract 3.5).
struct SettingsState {
  /// The settings saved by the dashboard; only those that differ from the defaults.
  private(set) var intent: DemoJSON = [
    "identity": ["botName": "clanky"],
    "persona": ["flavor": "toaster with opinions"],
    "permissions": ["replies": ["maxMessagesPerHour": 60]],
    "voice": ["maxSessionMinutes": 60, "inactivityLeaveSeconds": 300],
    "initiative": ["text": ["maxPostsPerDay": 6]],
  ]
  private(set) var preset = "claude_oauth"

  /// The intent laid over the defaults.
  var effective: DemoJSON { Self.layered(Self.defaults(preset: preset), intent) }

  var isVoiceEnabled: Bool { effective["voice"]?["enabled"] != false }

  /// Takes a whole settings object, as the dashboard sends it.
  mutating func save(_ body: DemoJSON) {
    intent = body.removing(["_meta", "intent", "effective", "bindings"])
    if let chosen = intent["agentStack"]?["preset"]?.stringValue { preset = chosen }
  }

  /// `over` wins; objects are merged member by member.
  static func layered(_ base: DemoJSON, _ over: DemoJSON) -> DemoJSON {
    guard case .object(var object) = base, case .object(let more) = over else { return over }
    for member in more.members {
      object[member.key] = object[member.key].map { layered($0, member.value) } ?? member.value
    }
    return .object(object)
  }

  static let presets = ["claude_oauth", "claude_api", "openai_api", "openai_oauth", "grok_native"]

  /// The defaults of a preset; an unknown name counts as the first one.
  static func defaults(preset name: String) -> DemoJSON {
    let preset = presets.contains(name) ? name : presets[0]
    let (provider, model) =
      switch preset {
      case "claude_api": ("anthropic", "claude-sonnet-4-6")
      case "openai_api": ("openai", "gpt-5.4")
      case "openai_oauth": ("openai-oauth", "gpt-5.4")
      case "grok_native": ("xai", "grok-4-fast")
      default: ("claude-oauth", "claude-opus-4-6")
      }
    return base.merging([
      "agentStack": [
        "preset": .string(preset), "advancedOverridesEnabled": false,
        "overrides": [
          "orchestrator": ["provider": .string(provider), "model": .string(model)],
          "voiceAdmissionClassifier": [
            "mode": "dedicated_model",
            "model": ["provider": "anthropic", "model": "claude-haiku-4-5"],
          ],
        ],
        "runtimeConfig": [
          "research": ["enabled": true, "maxSearchesPerHour": 20],
          "browser": ["enabled": true, "maxBrowseCallsPerHour": 10, "maxStepsPerTask": 30],
          "voice": [
            "runtimeMode": preset == "grok_native" ? "voice_agent" : "openai_realtime",
            "openaiRealtime": [
              "model": "gpt-realtime", "voice": "ash",
              "inputTranscriptionModel": "gpt-4o-mini-transcribe",
            ],
          ],
          "devTeam": ["enabled": false, "workspace": ["mode": "shared_checkout"]],
        ],
      ]
    ])
  }

  private static let base: DemoJSON = [
    "identity": [
      "botName": "clanky", "botNameAliases": ["clank", "clanker"], "language": "en",
    ],
    "persona": [
      "flavor": "", "hardLimits": ["Never share private messages", "No medical advice"],
    ],
    "prompting": [
      "global": [
        "capabilityHonestyLine": "Say so when something is not possible.",
        "impossibleActionLine": "Offer the nearest possible thing.", "textGuidance": [],
        "voiceGuidance": [],
      ],
      "voice": ["operationalGuidance": [], "lookupBusySystemPrompt": ""],
    ],
    "permissions": [
      "replies": [
        "allowReplies": true, "allowUnsolicitedReplies": true, "allowReactions": true,
        "replyChannelIds": [], "allowedChannelIds": [], "blockedChannelIds": [],
        "blockedUserIds": [], "maxMessagesPerHour": 40, "maxReactionsPerHour": 40,
      ],
      "devTasks": ["allowedUserIds": []],
    ],
    "interaction": [
      "activity": [
        "ambientReplyEagerness": 20, "responseWindowEagerness": 55, "reactivity": 40,
        "minSecondsBetweenMessages": 5, "replyCoalesceWindowSeconds": 4,
      ],
      "replyGeneration": ["temperature": 1, "maxOutputTokens": 2500],
      "sessions": ["sessionIdleTimeoutMs": 300_000, "maxConcurrentSessions": 20],
    ],
    "memory": [
      "enabled": true, "embeddingModel": "text-embedding-3-small",
      "reflection": ["enabled": true, "hour": 4, "minute": 0, "maxFactsPerReflection": 20],
    ],
    "directives": ["enabled": true],
    "initiative": [
      "text": [
        "enabled": true, "eagerness": 30, "minMinutesBetweenThoughts": 60, "maxPostsPerDay": 4,
        "lookbackMessages": 20, "allowActiveCuriosity": true,
      ],
      "voice": ["enabled": true, "eagerness": 40, "minSilenceSeconds": 12],
      "discovery": [
        "sources": ["hackerNews": true, "reddit": true, "rss": true],
        "redditSubreddits": ["r/soldering"], "rssFeeds": [],
      ],
    ],
    "voice": [
      "enabled": true,
      "transcription": ["enabled": true, "languageMode": "auto", "languageHint": "en"],
      "channelPolicy": [
        "allowedChannelIds": [], "blockedChannelIds": [], "blockedUserIds": [],
      ],
      "sessionLimits": ["maxSessionsPerDay": 12, "maxConcurrentSessions": 3],
      "maxSessionMinutes": 30, "inactivityLeaveSeconds": 300,
      "conversationPolicy": [
        "replyPath": "brain", "ambientReplyEagerness": 20, "commandOnlyMode": false,
        "defaultInterruptionMode": "speaker", "useTextToSpeech": false,
      ],
      "soundboard": ["enabled": true, "eagerness": 40, "allowExternalSounds": false],
    ],
    "media": [
      "vision": ["enabled": true, "maxCaptionsPerHour": 60], "videoContext": ["enabled": true],
      "music": ["ducking": ["targetGain": 0.3, "fadeMs": 300]],
    ],
    "music": ["enabled": true],
    "automations": ["enabled": true],
  ]
}

/// Sign-ins of model vendors (contract 3.5, Y only).
struct OAuthState {
  var claude = true
  var openai = false
  /// Sign-ins that were started: session key, when it was made.
  var pending: [(key: String, ms: Int64)] = []
  var skillInstalled = false
}
