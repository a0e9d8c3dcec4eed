extension RESTCall {
  static let noStore = [(name: "Cache-Control", value: "no-store")]

  func settings() -> HTTPReply? {
    switch (method, path.joined(separator: "/")) {
    case ("GET", "settings"):
      return .json(envelope(), headers: Self.noStore)
    case ("PUT", "settings"):
      return saveSettings()
    case ("POST", "settings/preset-defaults"):
      let preset = body.field("preset").isEmpty ? "claude_oauth" : body.field("preset")
      let preview = SettingsState.defaults(preset: preset)
      return .json(envelope(intent: preview, effective: preview), headers: Self.noStore)
    case ("POST", "settings/reset"):
      let preview = SettingsState.defaults(preset: SettingsState.presets[0])
      return .json(envelope(intent: [:], effective: preview), headers: Self.noStore)
    case ("POST", "settings/refresh"):
      world.log(
        "dashboard", content: "settings_runtime_applied",
        metadata: [
          "source": "settings_refresh", "activeVoiceSessions": .int(world.sessions.count),
        ])
      return .json([
        "ok": true, "reason": "settings_refreshed",
        "activeVoiceSessions": .int(world.sessions.count),
      ])
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

  /// The one endpoint with optimistic concurrency (contract 3.5).
  private func saveSettings() -> HTTPReply {
    let expected = body["_meta"]?.field("expectedUpdatedAt") ?? ""
    let current = DemoTime.iso(world.settingsMs)
    func conflict(_ error: String, _ detail: String) -> HTTPReply {
      world.log(
        "dashboard", content: .string("settings_save_rejected"),
        metadata: [
          "error": .string(error), "source": "dashboard",
          "expectedUpdatedAt": expected.isEmpty ? nil : .string(expected),
          "currentUpdatedAt": .string(current),
        ], extra: ["level": "warn"])
      let json: DemoJSON = ["error": .string(error), "detail": .string(detail)]
      return .json(json.merging(envelope()), status: 409, headers: Self.noStore)
    }
    if expected.isEmpty {
      return conflict(
        "settings_version_required", "Reload the settings before saving them again.")
    }
    if expected != current {
      return conflict("settings_conflict", "Somebody else saved the settings in the meantime.")
    }
    world.settings.save(body)
    world.settingsMs = max(world.now, world.settingsMs + 1)
    world.log(
      "dashboard", content: "settings_save_completed",
      metadata: [
        "source": "dashboard", "updatedAt": .time(world.settingsMs),
        "previousUpdatedAt": .string(expected),
        "activeVoiceSessions": .int(world.sessions.count),
      ])
    applyToVoice()
    return .json(envelope(saved: true), headers: Self.noStore)
  }

  /// Settings that disable voice or block a channel end its sessions (contract 3.4.2).
  private func applyToVoice() {
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
  }

  private func envelope(
    saved: Bool = false, intent: DemoJSON? = nil, effective: DemoJSON? = nil
  ) -> DemoJSON {
    let auth: DemoJSON =
      isMay
      ? [
        "claude_code": true, "codex_cli": false, "anthropic": true, "openai": true,
        "claude_oauth": .bool(world.oauth.claude), "openai_oauth": .bool(world.oauth.openai),
        "xai": true,
      ] : ["claude_code": true, "codex_cli": false, "codex": false]
    var meta: DemoJSON = ["updatedAt": .time(world.settingsMs)]
    if saved { meta = meta.setting("saveAppliedToRuntime", true) }
    return [
      "intent": intent ?? world.settings.intent,
      "effective": effective ?? world.settings.effective,
      "bindings": [
        "agentStack": [
          "orchestrator": (effective ?? world.settings.effective)["agentStack"]?["overrides"]?[
            "orchestrator"] ?? .null
        ],
        "providerAuth": auth,
      ],
      "_meta": meta,
    ]
  }
}
