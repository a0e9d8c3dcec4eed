extension SettingsState {
  /// What really runs, computed from the settings; read only.
  func bindings(auth: DemoJSON) -> DemoJSON {
    let stack = effective["agentStack"]
    let runtime = stack?["runtimeConfig"]
    let orchestrator = stack?["overrides"]?["orchestrator"] ?? [:]
    let generation = effective["interaction"]?["replyGeneration"] ?? [:]
    let classifiers = SettingsPresets.classifiers(preset, dialect)
    func tuned(_ policy: DemoJSON?) -> DemoJSON {
      let model = policy?["mode"] == "dedicated_model" ? policy?["model"] : nil
      var result = model ?? orchestrator
      for key in ["temperature", "maxOutputTokens", "reasoningEffort"] {
        result = result.setting(key, policy?[key] ?? generation[key] ?? .null)
      }
      return result
    }
    func plain(_ policy: DemoJSON?, _ fallback: DemoJSON) -> DemoJSON {
      policy?["mode"] == "dedicated_model" ? policy?["model"] ?? fallback : fallback
    }
    let memory = effective["memoryLlm"] ?? [:]
    let mode = effective["voice"]?["admission"]?["mode"] ?? .null
    let voiceInitiative = effective["initiative"]?["voice"]?["execution"]
    let coding: DemoJSON =
      preset == "claude_oauth"
      ? ["provider": "claude-oauth", "model": "claude-sonnet-4-6"] : orchestrator
    let worker: DemoJSON = preset.hasPrefix("claude") ? "claude_code" : "codex_cli"
    var result: DemoJSON = [
      "agentStack": [
        "preset": .string(preset),
        "harness": stack?["overrides"]?["harness"] ?? SettingsPresets.harness(preset),
        "orchestrator": orchestrator,
        "researchRuntime": stack?["overrides"]?["researchRuntime"]
          ?? SettingsPresets.research(preset),
        "browserRuntime":
          stack?["overrides"]?["browserRuntime"] ?? SettingsPresets.browser(preset, dialect),
        "voiceRuntime": runtime?["voice"]?["runtimeMode"] ?? .null,
        "voiceAdmissionPolicy": [
          "mode": mode,
          "musicWakeLatchSeconds": effective["voice"]?["admission"]?["musicWakeLatchSeconds"]
            ?? .null,
        ],
        "devTeam": [
          "orchestrator": stack?["overrides"]?["devTeam"]?["orchestrator"] ?? coding,
          "roles": [
            "design": worker, "implementation": worker, "review": worker, "research": worker,
          ],
          "codingWorkers": [],
        ],
      ],
      "orchestrator": tuned(nil).setting("pricing", generation["pricing"] ?? [:]),
    ]
    if dialect == .march {
      result = result.setting(
        "followupBinding", tuned(effective["interaction"]?["followup"]?["execution"]))
    }
    result = result.setting(
      "memoryBinding",
      tuned(["mode": memory == [:] ? "inherit_orchestrator" : "dedicated_model", "model": memory]))
    if dialect == .may {
      result = result.setting("minecraftBrainBinding", tuned(runtime?["minecraft"]?["execution"]))
    }
    let provider: DemoJSON =
      switch runtime?["voice"]?["runtimeMode"]?.stringValue {
      case "voice_agent": "xai"
      case "gemini_realtime": "gemini"
      case "elevenlabs_realtime": "elevenlabs"
      default: "openai"
      }
    return result.merging([
      "textInitiativeBinding": tuned(effective["initiative"]?["text"]?["execution"]),
      "visionBinding": plain(effective["media"]?["vision"]?["execution"], orchestrator),
      "voiceProvider": provider,
      "voiceInitiativeBinding": plain(voiceInitiative, orchestrator)
        .setting("temperature", voiceInitiative?["temperature"] ?? 1),
      "voiceAdmissionClassifierBinding": mode == "classifier_gate"
        ? plain(stack?["overrides"]?["voiceAdmissionClassifier"], classifiers[0]) : .null,
      "voiceInterruptClassifierBinding":
        plain(stack?["overrides"]?["voiceInterruptClassifier"], classifiers[1]),
      "voiceMusicBrainBinding": plain(runtime?["voice"]?["musicBrain"], classifiers[2]),
      "voiceGenerationBinding": plain(runtime?["voice"]?["generation"], orchestrator),
      "providerAuth": auth,
    ])
  }
}
