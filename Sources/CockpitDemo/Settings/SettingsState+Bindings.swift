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
    var admission: DemoJSON = ["mode": mode]
    let gate = stack?["overrides"]?["voiceAdmissionClassifier"]?["model"]
    if mode == "classifier_gate", let gate {
      admission = admission.merging([
        "classifierProvider": gate["provider"] ?? .null, "classifierModel": gate["model"] ?? .null,
      ])
    }
    admission = admission.setting(
      "musicWakeLatchSeconds",
      effective["voice"]?["admission"]?["musicWakeLatchSeconds"] ?? .null)
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
        "voiceAdmissionPolicy": admission,
        "devTeam": codingTeam(stack),
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

  /// Models and workers of the code agents: from the settings, else the preset's defaults.
  private func codingTeam(_ stack: DemoJSON?) -> DemoJSON {
    let own = stack?["overrides"]?["devTeam"]
    let usual =
      SettingsPresets.defaults(preset, dialect)[["agentStack", "overrides", "orchestrator"]] ?? [:]
    let coding: DemoJSON =
      preset == "claude_oauth"
      ? ["provider": "claude-oauth", "model": "claude-sonnet-4-6"] : usual
    let usesCodex = stack?["runtimeConfig"]?["devTeam"]?["codex"]?["enabled"] == true
    let worker: DemoJSON =
      usesCodex ? "codex" : preset.hasPrefix("claude") ? "claude_code" : "codex_cli"
    var roles: DemoJSON = [:]
    for role in ["design", "implementation", "review", "research"] {
      roles = roles.setting(role, own?["roles"]?[role] ?? worker)
    }
    return [
      "orchestrator": own?["orchestrator"] ?? coding, "roles": roles, "codingWorkers": [],
    ]
  }
}
