extension RESTCall {
  static let noStore = [(name: "Cache-Control", value: "no-store")]

  func settings() -> HTTPReply? {
    switch (method, path.joined(separator: "/")) {
    case ("GET", "settings"):
      return .json(envelope(world.settings), headers: Self.noStore)
    case ("POST", "settings/preset-defaults"):
      return preview(body.field("preset"))
    case ("POST", "settings/reset"):
      return preview(SettingsPresets.names[0])
    case ("POST", "settings/refresh"):
      applyToVoice(source: "refresh")
      return .json(
        [
          "ok": true, "reason": "settings_refreshed",
          "activeVoiceSessions": .int(world.sessions.count),
        ], headers: Self.noStore)
    case ("GET", "llm/models"):
      return .json([
        "openai": ["gpt-5.4", "gpt-5.4-mini", "gpt-realtime"],
        "anthropic": ["claude-opus-4-6", "claude-sonnet-4-6", "claude-haiku-4-5"],
        "xai": ["grok-4-fast", "grok-imagine-video"],
        "claude-oauth": ["claude-opus-4-6", "claude-sonnet-4-6"],
        "openai-oauth": ["gpt-5.4"], "codex-cli": ["gpt-5.4-codex"],
      ])
    default:
      if path.prefix(2) == ["elevenlabs", "voices"] {
        return .json(["error": "ELEVENLABS_API_KEY is not configured."], status: 503)
      }
      return isMay ? accounts() : nil
    }
  }

  private func preview(_ preset: String) -> HTTPReply {
    .json(envelope(world.settings.preview(preset: preset), version: ""), headers: Self.noStore)
  }

  /// The one endpoint with optimistic concurrency (contract 3.5).
  func saveSettings() -> Router.Result {
    let fault = world.cursors.nextSave
    world.cursors.nextSave = nil
    if fault == .lostRequest { return .close }
    if fault == .conflict { saveAsSomebodyElse() }
    let expected = body["_meta"]?.field("expectedUpdatedAt") ?? ""
    if expected.isEmpty {
      return refused(
        "settings_version_required", "no_version",
        "Reload the settings before saving them again.")
    }
    if expected != DemoTime.iso(world.settingsMs) {
      return refused(
        "settings_conflict", "stale", "Somebody else saved the settings in the meantime.")
    }
    do throws(SettingsCrash) {
      try world.settings.save(body)
    } catch {
      return .reply(
        .json(["error": .string(error.message)], status: 500, headers: Self.noStore))
    }
    world.settingsMs = max(world.now, world.settingsMs + 1)
    var problem: String?
    if fault == .notApplied {
      problem = "voice session is not ready"
      if isMay {
        world.log(
          "dashboard", content: "settings_save_runtime_apply_failed",
          metadata: ["error": .text(problem)], extra: ["level": "error"])
      }
    } else {
      applyToVoice(source: "save")
    }
    if fault == .lostAnswer { return .close }
    if fault == .oddAnswer {
      return .reply(
        HTTPReply(
          status: 200, headers: [("Content-Type", "application/json")], body: Array("{\"ok\"".utf8))
      )
    }
    return .reply(
      .json(
        envelope(world.settings, isApplied: problem == nil, problem: problem), headers: Self.noStore
      ))
  }

  private func refused(_ error: String, _ name: String, _ detail: String) -> Router.Result {
    if isMay {
      world.log(
        "dashboard", content: .string("settings_save_rejected_" + name),
        metadata: ["currentUpdatedAt": .time(world.settingsMs)], extra: ["level": "warn"])
    }
    let json: DemoJSON = ["error": .string(error), "detail": .string(detail)]
    return .reply(
      .json(json.merging(envelope(world.settings)), status: 409, headers: Self.noStore))
  }

  /// Simulates a concurrent save from the web form.
  private func saveAsSomebodyElse() {
    let path = ["interaction", "activity", "reactivity"]
    let now = world.settings.effective.value(at: path)?.doubleValue ?? 0
    let other = world.settings.intent.placing(.int(now == 77 ? 78 : 77), at: path[...])
    // What was stored before cannot crash it.
    try? world.settings.save(other)
    world.settingsMs = max(world.now, world.settingsMs + 1)
  }

  /// Settings that disable voice or block a channel end its sessions (contract 3.4.2); the others
  /// count their time anew.
  private func applyToVoice(source: DemoJSON) {
    let policy = world.settings.effective["voice"]?["channelPolicy"]
    func lists(_ key: String, _ channel: Channel) -> Bool? {
      guard let ids = policy?[key]?.arrayValue, !ids.isEmpty else { return nil }
      return ids.contains(.string(channel.id))
    }
    for session in world.sessions {
      if !world.settings.isVoiceEnabled {
        world.end(session, reason: "settings_disabled")
      } else if lists("blockedChannelIds", session.voiceChannel) == true {
        world.end(session, reason: "settings_channel_blocked")
      } else if lists("allowedChannelIds", session.voiceChannel) == false {
        world.end(session, reason: "settings_channel_not_allowlisted")
      }
    }
    guard isMay else { return }
    world.log(
      "dashboard", content: "settings_runtime_applied",
      metadata: ["source": source, "activeVoiceSessions": .int(world.sessions.count)])
  }

  private func envelope(
    _ settings: SettingsState, version: DemoJSON? = nil, isApplied: Bool? = nil,
    problem: String? = nil
  ) -> DemoJSON {
    let auth: DemoJSON =
      isMay
      ? [
        "claude_code": true, "codex_cli": false, "anthropic": true, "openai": true,
        "claude_oauth": .bool(world.oauth.claude), "openai_oauth": .bool(world.oauth.openai),
        "xai": true,
      ] : ["claude_code": true, "codex_cli": false, "codex": false]
    var meta: DemoJSON = ["updatedAt": version ?? .time(world.settingsMs)]
    if let isApplied { meta = meta.setting("saveAppliedToRuntime", .bool(isApplied)) }
    if let problem { meta = meta.setting("saveApplyError", .string(problem)) }
    return [
      "intent": settings.intent, "effective": settings.effective,
      "bindings": settings.bindings(auth: auth), "_meta": meta,
    ]
  }
}
