package import ClankyWire
internal import LenientJSON

/// What the bot really runs with now: models, reply path, voices, limits and tools, each with the setting that made
/// it so. Models are those of `bindings`, which the backend itself computed.
package struct EffectiveRuntime: Hashable, Sendable {
  /// What a value comes from.
  package enum Origin: Hashable, Sendable {
    /// It was asked for.
    case set
    /// The default of the preset.
    case preset(String)
    /// The default of the release.
    case standard
    /// It has no model of its own, and takes that of another setting.
    case inherited
    /// Another setting decides it.
    case decided
  }

  package enum Group: String, CaseIterable, Hashable, Sendable {
    case models, voice, limits, tools
  }

  package struct Entry: Hashable, Sendable {
    package var group: Group
    /// What it is, in a word or two.
    package var name: String
    /// What runs; from the wire.
    package var value: String
    /// More about it, such as temperature and tokens; from the wire.
    package var detail: String
    /// The setting that made it so.
    package var path: SettingPath
    package var origin: Origin
    /// Whether the account or key that it needs is missing, as the backend says.
    package var lacksAccount: Bool
    /// Whether it is off.
    package var isOff: Bool
  }

  package private(set) var entries: [Entry] = []
  private let settings: BotSettings

  package init(_ settings: BotSettings) {
    self.settings = settings
    addModels()
    addVoice()
    addLimits()
    addTools()
  }

  // MARK: Reading

  private func effective(_ path: String) -> JSONValue? {
    SettingPath(path).flatMap { settings.effective.value(at: $0) }
  }

  private func text(_ path: String) -> String? {
    guard let value = effective(path) else { return nil }
    return value.string ?? value.serialized()
  }

  private var preset: String { settings.preset ?? "" }

  /// Where a setting has its value from. A policy counts as set when a part of it is.
  private func origin(of path: SettingPath) -> Origin {
    if settings.intent.value(at: path) != nil { return .set }
    let field = SettingCatalogue.known.field(around: path)
    return field?.followsPreset == true && !preset.isEmpty ? .preset(preset) : .standard
  }

  /// The path that Enter goes to: the preset where that made it so.
  private func place(_ path: SettingPath, _ origin: Origin) -> SettingPath {
    if case .preset = origin { return Self.presetPath }
    return path
  }

  private static let presetPath = SettingPath(["agentStack", "preset"])
  private static let orchestratorPath = SettingPath(["agentStack", "overrides", "orchestrator"])

  private mutating func add(
    _ group: Group, _ name: String, _ value: String?, detail: String = "", at path: String,
    origin: Origin? = nil, lacksAccount: Bool = false, isOff: Bool = false
  ) {
    guard let value, let path = SettingPath(path) else { return }
    let origin = origin ?? self.origin(of: path)
    entries.append(
      Entry(
        group: group, name: name, value: value, detail: detail, path: place(path, origin),
        origin: origin, lacksAccount: lacksAccount, isOff: isOff))
  }

  // MARK: Models

  private mutating func addModels() {
    add(.models, "preset", text("agentStack.preset"), at: "agentStack.preset")
    addModel("text replies", "orchestrator", at: Self.orchestratorPath)
    addPolicy("memory", "memoryBinding", at: "memoryLlm", if: "memory.enabled")
    addPolicy(
      "own posts", "textInitiativeBinding", at: "initiative.text.execution",
      if: "initiative.text.enabled")
    addPolicy(
      "pictures seen", "visionBinding", at: "media.vision.execution", if: "media.vision.enabled")
    addPolicy(
      "after tools", "followupBinding", at: "interaction.followup.execution",
      if: "interaction.followup.enabled")
    addPolicy(
      "Minecraft", "minecraftBrainBinding", at: "agentStack.runtimeConfig.minecraft.execution",
      if: "agentStack.runtimeConfig.minecraft.enabled")
    let stack = settings.bindings["agentStack"]
    add(
      .models, "agent loop", stack?["harness"]?.string, at: "agentStack.overrides.harness",
      origin: presetOr("agentStack.overrides.harness"))
  }

  /// The origin of a setting that defaults to the preset's value.
  private func presetOr(_ path: String) -> Origin {
    guard let path = SettingPath(path) else { return .standard }
    return settings.intent.value(at: path) != nil
      ? .set : preset.isEmpty ? .standard : .preset(preset)
  }

  /// A model that a policy or a binding names; one that inherits leads to the text model's setting.
  ///
  /// - Parameter isOn: the switch of what it is for; a model that is not asked does not run.
  private mutating func addPolicy(
    _ name: String, _ binding: String, at path: String, if isOn: String? = nil,
    group: Group = .models
  ) {
    if let isOn, effective(isOn)?.bool == false {
      return add(group, name, "off", at: isOn, isOff: true)
    }
    guard let path = SettingPath(path) else { return }
    let policy = settings.effective.value(at: path)
    let isInherited =
      policy?["mode"]?.string == "inherit_orchestrator"
      || policy?.object.map(\.isEmpty) == true
    if isInherited {
      addModel(name, binding, at: Self.orchestratorPath, origin: .inherited, group: group)
    } else if policy?["mode"]?.string == "disabled" {
      add(group, name, "off", at: path.description, isOff: true)
    } else {
      addModel(name, binding, at: path, group: group)
    }
  }

  private mutating func addModel(
    _ name: String, _ binding: String, at path: SettingPath, origin: Origin? = nil,
    group: Group = .models
  ) {
    guard let value = settings.bindings[binding], value["model"]?.string != nil else { return }
    let provider = value["provider"]?.string ?? "?"
    var details = [provider]
    if let temperature = value["temperature"]?.double {
      details.append("temperature \(SettingKind.digits(temperature))")
    }
    if let tokens = value["maxOutputTokens"]?.int { details.append("\(tokens) tokens") }
    if let effort = value["reasoningEffort"]?.string, !effort.isEmpty {
      details.append("thinks \(effort)")
    }
    var origin = origin ?? self.origin(of: path)
    // A policy may be missing until it is set; then the preset names the model.
    if case .standard = origin, settings.effective.value(at: path) == nil {
      origin = presetOr(path.description)
    }
    add(
      group, name, value["model"]?.string ?? "?",
      detail: details.joined(separator: ", "), at: path.description, origin: origin,
      lacksAccount: lacksAccount(provider))
  }

  /// Whether the backend says that it has no account or key for a provider.
  private func lacksAccount(_ provider: String) -> Bool {
    let flag: String? =
      switch provider {
      case "claude-oauth": "claude_oauth"
      case "openai-oauth", "codex-oauth": "openai_oauth"
      case "anthropic", "ai_sdk_anthropic": "anthropic"
      case "openai": "openai"
      case "xai": "xai"
      case "codex_cli_session", "codex-cli": "codex_cli"
      default: nil
      }
    return flag.flatMap { settings.bindings["providerAuth"]?[$0]?.bool } == false
  }

  // MARK: Voice

  private mutating func addVoice() {
    let isOn = effective("voice.enabled")?.bool
    add(.voice, "voice", isOn == false ? "off" : "on", at: "voice.enabled", isOff: isOn == false)
    let mode = text("agentStack.runtimeConfig.voice.runtimeMode")
    add(
      .voice, "connection",
      settings.bindings[path: "agentStack", "voiceRuntime"]?.string ?? mode,
      at: "agentStack.runtimeConfig.voice.runtimeMode")
    add(
      .voice, "reply path", text("voice.conversationPolicy.replyPath"),
      at: "voice.conversationPolicy.replyPath")
    if text("voice.conversationPolicy.replyPath") ?? "brain" == "brain" {
      addPolicy(
        "spoken replies", "voiceGenerationBinding",
        at: "agentStack.runtimeConfig.voice.generation", group: .voice)
    } else {
      add(
        .voice, "spoken replies", "the realtime model",
        at: "voice.conversationPolicy.replyPath", origin: .decided)
    }
    addVoiceOfVendor(mode)
    addSpeech()
    addAdmission()
    addInterruption()
    addPolicy(
      "music requests", "voiceMusicBrainBinding", at: "agentStack.runtimeConfig.voice.musicBrain",
      group: .voice)
    addPolicy(
      "own thoughts", "voiceInitiativeBinding", at: "initiative.voice.execution",
      if: "initiative.voice.enabled", group: .voice)
  }

  /// Model and voice of the connection in use.
  private mutating func addVoiceOfVendor(_ mode: String?) {
    let base = "agentStack.runtimeConfig.voice."
    let vendor: (section: String, model: String, voice: String)? =
      switch mode {
      case "openai_realtime": ("openaiRealtime", "model", "voice")
      case "voice_agent": ("xai", "model", "voice")
      case "gemini_realtime": ("geminiRealtime", "model", "voice")
      case "elevenlabs_realtime": ("elevenLabsRealtime", "ttsModel", "voiceId")
      default: nil
      }
    guard let vendor else { return }
    add(
      .voice, "realtime model", text(base + vendor.section + "." + vendor.model),
      at: base + vendor.section + "." + vendor.model)
    guard effective("voice.conversationPolicy.ttsMode")?.string != "api" else { return }
    let voice = text(base + vendor.section + "." + vendor.voice)
    add(
      .voice, "voice heard", voice == "" ? "none" : voice,
      at: base + vendor.section + "." + vendor.voice)
  }

  private mutating func addSpeech() {
    let base = "agentStack.runtimeConfig.voice.openaiAudioApi."
    let isBrain = text("voice.conversationPolicy.replyPath") == "brain"
    if effective("voice.conversationPolicy.ttsMode")?.string == "api", isBrain {
      add(
        .voice, "speech", "by API", detail: text(base + "ttsModel") ?? "",
        at: "voice.conversationPolicy.ttsMode")
      add(.voice, "voice heard", text(base + "ttsVoice"), at: base + "ttsVoice")
    } else {
      add(.voice, "speech", "by the realtime link", at: "voice.conversationPolicy.ttsMode")
    }
    let recogniser = text("voice.transcription.provider")
    let model =
      recogniser == "elevenlabs"
      ? text("agentStack.runtimeConfig.voice.elevenLabsRealtime.transcriptionModel")
      : text("agentStack.runtimeConfig.voice.openaiRealtime.inputTranscriptionModel")
    let isOff = effective("voice.transcription.enabled")?.bool == false
    add(
      .voice, "recogniser", isOff ? "off" : recogniser, detail: isOff ? "" : model ?? "",
      at: isOff ? "voice.transcription.enabled" : "voice.transcription.provider", isOff: isOff)
  }

  private mutating func addAdmission() {
    let mode =
      settings.bindings[path: "agentStack", "voiceAdmissionPolicy", "mode"]?.string
      ?? text("voice.admission.mode")
    // Only the brain path leaves the choice to the setting.
    let path = text("voice.conversationPolicy.replyPath")
    let isFree = path == nil || path == "brain"
    add(
      .voice, "whether to answer",
      mode == "generation_decides"
        ? "the reply's model" : mode == "classifier_gate" ? "a classifier" : mode,
      at: isFree ? "voice.admission.mode" : "voice.conversationPolicy.replyPath",
      origin: isFree ? nil : .decided)
    addModel(
      "admission", "voiceAdmissionClassifierBinding",
      at: SettingPath(["agentStack", "overrides", "voiceAdmissionClassifier"]), group: .voice)
  }

  private mutating func addInterruption() {
    guard effective("voice.conversationPolicy.useInterruptClassifier")?.bool != false else {
      add(
        .voice, "interruptions", "by rules", at: "voice.conversationPolicy.useInterruptClassifier")
      return
    }
    addModel(
      "interruptions", "voiceInterruptClassifierBinding",
      at: SettingPath(["agentStack", "overrides", "voiceInterruptClassifier"]), group: .voice)
  }

  // MARK: Limits

  private mutating func addLimits() {
    addSessionLimit()
    add(
      .limits, "leaves when silent", count("voice.sessionLimits.inactivityLeaveSeconds", "s"),
      at: "voice.sessionLimits.inactivityLeaveSeconds")
    add(
      .limits, "voice sessions", count("voice.sessionLimits.maxSessionsPerDay", "a day"),
      at: "voice.sessionLimits.maxSessionsPerDay")
    let hourly = [
      ("messages", "permissions.replies.maxMessagesPerHour"),
      ("reactions", "permissions.replies.maxReactionsPerHour"),
      ("searches", "agentStack.runtimeConfig.research.maxSearchesPerHour"),
      ("browser tasks", "agentStack.runtimeConfig.browser.localBrowserAgent.maxBrowseCallsPerHour"),
      ("pictures seen", "media.vision.maxCaptionsPerHour"),
    ]
    for (name, path) in hourly { add(.limits, name, count(path, "an hour"), at: path) }
    let daily = [
      ("pictures made", "initiative.discovery.maxImagesPerDay"),
      ("videos made", "initiative.discovery.maxVideosPerDay"),
      ("own posts", "initiative.text.maxPostsPerDay"),
    ]
    for (name, path) in daily { add(.limits, name, count(path, "a day"), at: path) }
  }

  /// The bot caps the setting by the kind of connection.
  private mutating func addSessionLimit() {
    let path = "voice.sessionLimits.maxSessionMinutes"
    guard let minutes = effective(path)?.double else { return }
    let isRealtime =
      text("agentStack.runtimeConfig.voice.runtimeMode")?.hasSuffix("realtime") ?? false
    let isAgent = text("agentStack.runtimeConfig.voice.runtimeMode") == "voice_agent"
    let cap: Double = isRealtime || isAgent ? 60 : 120
    add(
      .limits, "voice session", "\(SettingKind.digits(min(minutes, cap))) min",
      detail: minutes > cap
        ? "\(SettingKind.digits(minutes)) is set, the connection allows \(SettingKind.digits(cap))"
        : "",
      at: path)
  }

  private func count(_ path: String, _ unit: String) -> String? {
    text(path).map { "\($0) \(unit)" }
  }

  // MARK: Tools

  private mutating func addTools() {
    let stack = settings.bindings["agentStack"]
    addTool(
      "research", "agentStack.runtimeConfig.research.enabled",
      detail: stack?["researchRuntime"]?.string)
    addTool(
      "browser", "agentStack.runtimeConfig.browser.enabled",
      detail: stack?["browserRuntime"]?.string)
    addTool("memory", "memory.enabled")
    addTool("vision", "media.vision.enabled")
    addTool("video context", "media.videoContext.enabled")
    addTool("screen watch", "voice.streamWatch.enabled")
    addTool("soundboard", "voice.soundboard.enabled")
    addTool("pictures in replies", "initiative.discovery.allowReplyImages")
    addTool("automations", "automations.enabled")
    addTool("Minecraft", "agentStack.runtimeConfig.minecraft.enabled")
    let workers = stack?[path: "devTeam", "codingWorkers"]?.array?.compactMap(\.string) ?? []
    let hasPeople = effective("permissions.devTasks.allowedUserIds")?.array?.isEmpty == false
    add(
      .tools, "coding workers", workers.isEmpty ? "none" : workers.joined(separator: ", "),
      detail: !workers.isEmpty && !hasPeople ? "nobody may start them" : "",
      at: !workers.isEmpty && !hasPeople
        ? "permissions.devTasks.allowedUserIds"
        : "agentStack.runtimeConfig.devTeam.claudeCode.enabled",
      isOff: workers.isEmpty)
  }

  private mutating func addTool(_ name: String, _ path: String, detail: String? = nil) {
    guard let isOn = effective(path)?.bool else { return }
    add(.tools, name, isOn ? "on" : "off", detail: isOn ? detail ?? "" : "", at: path, isOff: !isOn)
  }
}
