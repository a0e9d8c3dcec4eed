/// The families of defaults.
enum SettingsPresets {
  static let names = [
    "claude_oauth", "claude_api", "openai_native_realtime", "openai_api", "openai_oauth",
    "grok_native_agent",
  ]

  /// The model that completes a binding without one.
  static func model(of provider: String) -> String {
    switch provider {
    case "openai": "gpt-5.4"
    case "anthropic", "ai_sdk_anthropic": "claude-haiku-4-5"
    case "openai-oauth": "gpt-5.4"
    case "xai": "grok-3-mini-latest"
    case "codex", "codex-cli", "codex_cli_session": "gpt-5.4"
    default: "claude-opus-4-6"
    }
  }

  /// The defaults that a preset has of its own, by path.
  static func defaults(_ preset: String, _ dialect: DemoDialect) -> [[String]: DemoJSON] {
    let isMay = dialect == .may
    let (text, voice): ((String, String), (String, String)) =
      switch preset {
      case "claude_api": (("anthropic", "claude-sonnet-4-6"), ("anthropic", "claude-haiku-4-5"))
      case "openai_native_realtime": (("openai", "gpt-5"), ("anthropic", "claude-haiku-4-5"))
      case "openai_api": (("openai", "gpt-5"), ("openai", "gpt-5-mini"))
      case "openai_oauth":
        (
          ("openai-oauth", isMay ? "gpt-5.5" : "gpt-5.4"),
          ("openai-oauth", isMay ? "gpt-5.4-mini" : "gpt-5.4")
        )
      case "grok_native_agent": (("xai", "grok-4-latest"), ("anthropic", "claude-haiku-4-5"))
      default: (("claude-oauth", "claude-opus-4-6"), ("claude-oauth", "claude-sonnet-4-6"))
      }
    func binding(_ pair: (String, String)) -> DemoJSON {
      ["provider": .string(pair.0), "model": .string(pair.1)]
    }
    let path =
      switch preset {
      case "openai_native_realtime": isMay ? "native" : "bridge"
      case "grok_native_agent": "native"
      default: "brain"
      }
    let runtime = ["agentStack", "runtimeConfig", "voice"]
    var defaults: [[String]: DemoJSON] = [
      ["agentStack", "preset"]: .string(preset),
      ["agentStack", "overrides", "orchestrator"]: binding(text),
      runtime + ["runtimeMode"]:
        preset == "grok_native_agent" ? "voice_agent" : "openai_realtime",
      runtime + ["generation"]: ["mode": "dedicated_model", "model": binding(voice)],
      ["voice", "conversationPolicy", "replyPath"]: .string(path),
      ["voice", "conversationPolicy", "ttsMode"]: "realtime",
      ["voice", "admission", "mode"]:
        path == "bridge" ? "classifier_gate" : "generation_decides",
    ]
    if path == "bridge" {
      defaults[["agentStack", "overrides", "voiceAdmissionClassifier"]] = [
        "mode": "dedicated_model", "model": ["provider": "openai", "model": "gpt-5-mini"],
      ]
    }
    return defaults
  }

  static func harness(_ preset: String) -> DemoJSON {
    preset == "openai_native_realtime" ? "responses_native" : "internal"
  }

  static func research(_ preset: String) -> DemoJSON {
    preset == "openai_native_realtime" ? "openai_native_web_search" : "local_external_search"
  }

  static func browser(_ preset: String, _ dialect: DemoDialect) -> DemoJSON {
    preset == "openai_native_realtime" || (preset == "openai_oauth" && dialect == .may)
      ? "openai_computer_use" : "local_browser_agent"
  }

  /// The models of the classifiers for admission, interruption and music.
  static func classifiers(_ preset: String, _ dialect: DemoDialect) -> [DemoJSON] {
    func all(_ provider: String, _ models: [String]) -> [DemoJSON] {
      models.map { ["provider": .string(provider), "model": .string($0)] }
    }
    switch preset {
    case "claude_api": return all("anthropic", Array(repeating: "claude-haiku-4-5", count: 3))
    case "openai_native_realtime", "openai_api":
      return all("openai", Array(repeating: "gpt-5-mini", count: 3))
    case "openai_oauth":
      let codex = "gpt-5.1-codex-mini"
      return all("openai-oauth", [codex, codex, dialect == .may ? "gpt-5.4-nano" : codex])
    case "grok_native_agent": return all("xai", Array(repeating: "grok-3-mini-latest", count: 3))
    default:
      return all("claude-oauth", ["claude-sonnet-4-6", "claude-haiku-4-5", "claude-haiku-4-5"])
    }
  }
}
