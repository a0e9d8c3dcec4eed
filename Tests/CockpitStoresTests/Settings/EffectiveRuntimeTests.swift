import ClankyWire
import Foundation
import LenientJSON
import Testing

@testable import CockpitDemo
@testable import CockpitStores

@Suite("What runs now")
@MainActor
struct EffectiveRuntimeTests {
  private func runtime(_ scene: SettingsScene) throws -> EffectiveRuntime {
    EffectiveRuntime(try #require(scene.settings))
  }

  private func part(
    _ name: String, _ scene: SettingsScene, _ group: EffectiveRuntime.Group = .models
  ) throws -> EffectiveRuntime.Entry {
    try #require(try runtime(scene).entries.first { $0.name == name && $0.group == group })
  }

  @Test("a model leads to what made it so: the preset, its own setting, or the text model's")
  func origins() throws {
    let scene = SettingsScene()
    let text = try part("text replies", scene)
    #expect(text.value == "claude-opus-4-6" && text.detail.hasPrefix("claude-oauth"))
    #expect(text.origin == .preset("claude_oauth"))
    #expect(text.path.description == "agentStack.preset")
    #expect(try part("memory", scene).origin == .inherited)
    try scene.save(
      "agentStack.overrides.orchestrator", #"{"provider": "openai", "model": "gpt-5"}"#)
    let own = try part("text replies", scene)
    #expect(own.value == "gpt-5" && own.origin == .set)
    #expect(own.path.description == "agentStack.overrides.orchestrator")
    // What inherits runs with it, and leads there.
    let memory = try part("memory", scene)
    #expect(memory.value == "gpt-5" && memory.origin == .inherited && memory.path == own.path)
    try scene.save("memoryLlm", #"{"provider": "xai", "model": "grok-4-fast"}"#)
    #expect(try part("memory", scene).path.description == "memoryLlm")
    #expect(try part("memory", scene).origin == .set)
  }

  @Test("a model whose account is missing says so; the backend knows")
  func accounts() throws {
    let scene = SettingsScene()
    #expect(try part("text replies", scene).lacksAccount == false)
    scene.backend.world.oauth.claude = false
    scene.service.perform(.load)
    scene.backend.run()
    #expect(try part("text replies", scene).lacksAccount)
    #expect(try part("pictures seen", scene).lacksAccount)
  }

  @Test("limits, voice and tools are what is in effect, not what was asked for")
  func limits() throws {
    let scene = SettingsScene()
    try scene.save("voice.sessionLimits.maxSessionMinutes", "200")
    let session = try part("voice session", scene, .limits)
    #expect(session.value == "60 min" && session.detail.contains("200 is set"))
    try scene.save("permissions.replies.maxMessagesPerHour", "9999")
    #expect(try part("messages", scene, .limits).value == "500 an hour")
    try scene.save("voice.enabled", "false")
    #expect(try part("voice", scene, .voice).isOff)
    try scene.save("voice.conversationPolicy.replyPath", #""native""#)
    let spoken = try part("spoken replies", scene, .voice)
    #expect(spoken.value == "the realtime model")
    #expect(spoken.path.description == "voice.conversationPolicy.replyPath")
    try scene.save("agentStack.runtimeConfig.research.enabled", "false")
    #expect(try part("research", scene, .tools).isOff)
    #expect(try part("coding workers", scene, .tools).value == "none")
  }

  @Test("every setting it leads to is in the document", arguments: [DemoDialect.may, .march])
  func paths(_ dialect: DemoDialect) throws {
    let scene = SettingsScene(dialect)
    let known = Set(SettingItem.all(of: try #require(scene.settings)).map(\.path))
    for entry in try runtime(scene).entries {
      #expect(known.contains { entry.path.touches($0) }, "\(entry.name): \(entry.path)")
    }
  }

  /// The recordings of the running backend; nil where they are not.
  private nonisolated static var recordings: [String]? {
    let folder = "/work/shared/wire/captures/rest"
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
    return names?.filter {
      $0.hasSuffix(".json") && $0.contains("SETTINGS") || $0.hasSuffix("GET_api_settings.json")
    }
    .map { folder + "/" + $0 }
  }

  @Test(
    "recordings: each model is the one in the bindings; set is what the intent has",
    .enabled(if: recordings != nil, "there are no recordings here"))
  func recorded() throws {
    let bindings = [
      "text replies": "orchestrator", "memory": "memoryBinding",
      "own posts": "textInitiativeBinding", "pictures seen": "visionBinding",
      "spoken replies": "voiceGenerationBinding", "own thoughts": "voiceInitiativeBinding",
      "after tools": "followupBinding", "Minecraft": "minecraftBrainBinding",
    ]
    var compared = 0
    for path in Self.recordings ?? [] {
      let data = try Data(contentsOf: URL(fileURLWithPath: path))
      guard let settings = BotSettings(body: Array(data)),
        // Foundation is the independent reader.
        let json = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
      else { continue }
      for entry in EffectiveRuntime(settings).entries {
        guard entry.group == .models || entry.group == .voice, let name = bindings[entry.name],
          !entry.isOff, entry.value != "the realtime model"
        else { continue }
        let binding = (json["bindings"] as? [String: Any])?[name] as? [String: Any]
        if let model = binding?["model"] as? String {
          #expect(entry.value == model, "\(path): \(entry.name)")
          #expect(entry.detail.hasPrefix(binding?["provider"] as? String ?? "-"), "\(path)")
          compared += 1
        }
        if entry.origin == .set {
          var value: Any? = json["intent"]
          for key in entry.path.keys { value = (value as? [String: Any])?[key] }
          #expect(value != nil, "\(path): \(entry.path)")
        }
      }
    }
    #expect(compared > 100)
  }
}
