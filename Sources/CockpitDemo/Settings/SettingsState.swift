/// A value that the backend stumbles over: its answer is a 500 with this message, and nothing is
/// stored.
struct SettingsCrash: Error {
  var message: String
}

/// The settings of the bot (contract 3.5): what was asked for, and what it amounts to.
struct SettingsState {
  let dialect: DemoDialect
  /// The smallest object with the same effect as what was saved.
  private(set) var intent: DemoJSON
  private(set) var effective: DemoJSON

  init(_ dialect: DemoDialect = .may) {
    self.dialect = dialect
    intent = [:]
    effective = [:]
    // The defaults cannot crash.
    if let first = try? Self.normalized(Self.first, dialect) {
      effective = first
      intent = Self.smallest(Self.first, first, dialect)
    }
  }

  private static let first: DemoJSON = [
    "persona": ["flavor": "toaster with opinions"],
    "permissions": ["replies": ["maxMessagesPerHour": 60]],
    "interaction": ["replyGeneration": ["temperature": 0.8]],
    "voice": ["sessionLimits": ["maxSessionMinutes": 60]],
    "initiative": [
      "text": ["maxPostsPerDay": 6], "discovery": ["redditSubreddits": ["soldering"]],
    ],
  ]

  var isVoiceEnabled: Bool { effective["voice"]?["enabled"] != false }
  var preset: String { effective["agentStack"]?["preset"]?.stringValue ?? SettingsPresets.names[0] }

  /// Takes the body of a save, which replaces everything. Of an envelope only `intent` counts.
  mutating func save(_ body: DemoJSON) throws(SettingsCrash) {
    let asked = (body["intent"] ?? body).removing(["_meta", "intent", "effective", "bindings"])
    let stored = try Self.normalized(asked, dialect)
    intent = Self.smallest(asked, stored, dialect)
    effective = stored
  }

  /// A bot with a preset and everything else at its default, except what is permitted where.
  func preview(preset name: String) -> SettingsState {
    var kept: DemoJSON = [:]
    for path in [["permissions"], ["voice", "channelPolicy"]] {
      if let value = effective.value(at: path) { kept = kept.placing(value, at: path[...]) }
    }
    let preset = SettingsPresets.names.contains(name) ? name : SettingsPresets.names[0]
    kept = kept.placing(.string(preset), at: ["agentStack", "preset"])
    var preview = self
    // What the backend stored itself cannot crash it.
    try? preview.save(kept)
    return preview
  }

  // MARK: What a body amounts to

  static func normalized(_ asked: DemoJSON, _ dialect: DemoDialect) throws(SettingsCrash)
    -> DemoJSON
  {
    let schema = SettingsSchema.of(dialect)
    try check(asked, schema)
    let word = asked.value(at: ["agentStack", "preset"])?.stringValue?.trimmingSpace ?? ""
    let preset = SettingsPresets.names.contains(word) ? word : SettingsPresets.names[0]
    let own = SettingsPresets.defaults(preset, dialect)
    var result: DemoJSON = [:]
    for member in schema.members {
      let initial = own[member.path] ?? member.initial
      var value = asked.value(at: member.path)
      if member.path.last == "runtimeMode", value == nil {
        value = asked.value(at: ["agentStack", "overrides", "voiceRuntime"])
      }
      if member.path == ["agentStack", "overrides", "voiceRuntime"] { continue }
      if member.path == ["agentStack", "preset"] { value = .string(preset) }
      guard let stored = member.rule.stored(value, initial: initial) else { continue }
      result = result.placing(
        Self.adjusted(stored, value, at: member.path, in: result), at: member.path[...])
    }
    return Self.consistent(result)
  }

  /// What the backend does with a few members alone.
  private static func adjusted(
    _ stored: DemoJSON, _ value: DemoJSON?, at path: [String], in settings: DemoJSON
  ) -> DemoJSON {
    func texts(_ change: (String) -> String?) -> DemoJSON {
      var found: [String] = []
      for text in stored.arrayValue?.compactMap(\.stringValue) ?? [] {
        if let text = change(text), !text.isEmpty, !found.contains(text) { found.append(text) }
      }
      return .strings(found)
    }
    switch path.last {
    case "redditSubreddits":
      return texts { text in
        let name = text.lowercased()
        return name.hasPrefix("r/") ? String(name.dropFirst(2)) : name
      }
    case "xHandles": return texts { String($0.lowercased().drop { $0 == "@" }) }
    case "rssFeeds":
      return texts { $0.hasPrefix("http://") || $0.hasPrefix("https://") ? $0 : nil }
    case "runtimeMode":
      // Unknown text means xAI, not the default.
      guard let text = value?.stringValue, text.lowercased() != stored.stringValue else { break }
      return "voice_agent"
    case "memoryLlm":
      let orchestrator = settings.value(at: ["agentStack", "overrides", "orchestrator"])
      guard case .object(let object)? = value, !object.members.isEmpty, value?["provider"] == nil
      else { break }
      return stored.setting("provider", orchestrator?["provider"] ?? "claude-oauth")
    default: break
    }
    return stored
  }

  /// What depends on something else.
  private static func consistent(_ settings: DemoJSON) -> DemoJSON {
    var settings = settings
    let path = settings.value(at: ["voice", "conversationPolicy", "replyPath"])?.stringValue ?? ""
    let mode: DemoJSON? =
      switch path {
      case "bridge": "classifier_gate"
      case "native": "generation_decides"
      default: nil
      }
    if let mode { settings = settings.placing(mode, at: ["voice", "admission", "mode"]) }
    if path != "brain" {
      settings = settings.placing("realtime", at: ["voice", "conversationPolicy", "ttsMode"])
    }
    let effort = ["interaction", "replyGeneration", "reasoningEffort"]
    if settings.value(at: ["interaction", "followup"]) == nil,
      settings.value(at: effort) == "minimal"
    {
      settings = settings.placing("low", at: effort[...])
    }
    return settings
  }

  /// A section that is something else than an object.
  private static func check(_ asked: DemoJSON, _ schema: SettingsSchema) throws(SettingsCrash) {
    for (path, hasSections) in schema.sections {
      guard let value = asked.value(at: path), let name = path.last else { continue }
      switch value {
      case .object: continue
      case .null:
        throw SettingsCrash(
          message: "Cannot destructure property '\(name)' from null or undefined value")
      default:
        if hasSections {
          throw SettingsCrash(message: "undefined is not an object (evaluating '\(name)')")
        }
      }
    }
  }

  /// Without each member that makes no difference.
  private static func smallest(_ asked: DemoJSON, _ stored: DemoJSON, _ dialect: DemoDialect)
    -> DemoJSON
  {
    var kept = asked
    func reduce(_ path: [String]) {
      guard case .object(let section)? = path.isEmpty ? kept : kept.value(at: path) else { return }
      for key in section.members.map(\.key) {
        let inner = path + [key]
        let without = kept.dropping(inner[...])
        if (try? normalized(without, dialect)) == stored {
          kept = without
        } else {
          reduce(inner)
        }
      }
    }
    reduce([])
    return kept
  }
}

/// Sign-ins of model vendors (contract 3.5, Y only).
struct OAuthState {
  var claude = true
  var openai = false
  /// Sign-ins that were started: session key, when it was made.
  var pending: [(key: String, ms: Int64)] = []
  var skillInstalled = false
}
