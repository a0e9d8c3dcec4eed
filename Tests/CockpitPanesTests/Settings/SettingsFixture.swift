import ClankyWire
import CockpitDomain
import LenientJSON
import Networking
import TerminalCore
import TerminalUI

@testable import CockpitPanes
@testable import CockpitShell
@testable import CockpitStores

/// The settings of an invented bot, and what drives a shell over them.
@MainActor
struct SettingsFixture {
  var command: CommandFixture
  let store = SettingsStore()
  var shell: CockpitShell
  /// Everything that was asked for.
  private(set) var effects: [Effect] = []

  static let asked: [(String, String)] = [
    ("persona.flavor", #""toaster with opinions\nand a second line""#),
    ("persona.hardLimits", #"["Never reveal the route", "No medical advice"]"#),
    ("permissions.replies.maxMessagesPerHour", "60"),
    ("interaction.replyGeneration.temperature", "0.8"),
    ("initiative.discovery.rssFeeds", #"["https://user:hunter2@feeds.example/x"]"#),
    (
      "agentStack.runtimeConfig.voice.generation",
      #"{"mode": "dedicated_model", "model": {"provider": "openai", "model": "gpt-5-mini"}}"#
    ),
  ]

  /// A document of all known settings at their defaults, but for some.
  static func document(
    _ asked: [(String, String)] = asked, version: String = "2026-03-01T14:00:00.000Z",
    auth: String = #"{"claude_oauth": false, "openai": true}"#
  ) -> BotSettings {
    var settings = BotSettings(version: version)
    func put(_ object: inout JSONObject, _ path: SettingPath, _ value: JSONValue) {
      if let changed = try? object.setting(path, to: value) { object = changed }
    }
    for field in SettingCatalogue.known.fields
    where field.onlyIn != .march
      && (!field.isOptional || field.defaultValue != nil)
    {
      let words: JSONValue =
        switch field.kind {
        case .list: .array([.string("words of"), .string("the release")])
        case .binding, .policy, .free: .object(JSONObject())
        default: .string("words of the release")
        }
      let value = field.defaultValue ?? words
      put(&settings.effective, field.path, value)
    }
    put(&settings.effective, SettingPath(["quantum", "flux"]), .number(JSONNumber(text: "7")))
    for (path, json) in asked {
      guard let path = SettingPath(path), let value = try? JSONValue.parse(json) else { continue }
      put(&settings.intent, path, value)
      put(&settings.effective, path, value)
    }
    let claude =
      #"{"provider": "claude-oauth", "model": "claude-opus-4-6", "temperature": 0.8, "maxOutputTokens": 2500}"#
    let bindings = """
      {"agentStack": {"preset": "claude_oauth", "harness": "internal",
      "researchRuntime": "local_external_search", "browserRuntime": "local_browser_agent",
      "voiceRuntime": "openai_realtime",
      "voiceAdmissionPolicy": {"mode": "generation_decides"}, "devTeam": {"codingWorkers": []}},
      "orchestrator": \(claude), "memoryBinding": \(claude), "textInitiativeBinding": \(claude),
      "visionBinding": \(claude), "minecraftBrainBinding": \(claude),
      "voiceInitiativeBinding": \(claude), "voiceGenerationBinding": {"provider": "openai",
      "model": "gpt-5-mini"}, "voiceMusicBrainBinding": \(claude), "providerAuth": \(auth)}
      """
    settings.bindings = (try? JSONValue.parse(bindings)) ?? .null
    return settings
  }

  /// What a save meets where somebody else saved a setting meanwhile.
  static func conflict(_ edit: SettingsEdit, with other: (String, String)) -> SettingsChange {
    let theirs = document(asked + [other], version: "2")
    var change = SettingsChange(edit, base: document())
    _ = change.request(.read)
    let body = JSONValue.body([
      ("intent", .object(theirs.intent)), ("effective", .object(theirs.effective)),
      ("bindings", theirs.bindings), ("_meta", .body([("updatedAt", .string("2"))])),
    ])
    change.take(
      .success(RestAnswer(status: 200, body: Array(body.serialized().utf8), latencyMs: 1)),
      of: .read)
    return change
  }

  init(size: Size = Size(width: 80, height: 24), isLoaded: Bool = true) {
    command = CommandFixture()
    shell = CockpitShell(tab: .cmd, size: size)
    if isLoaded { store.document = .loaded(Self.document(), atMs: Fixture.nowMs - 12_000) }
    store.journal = []
  }

  func facts() -> ViewContext {
    var command = command
    var facts = command.facts(shell)
    facts.settings = store
    facts.keys = shell.keys
    return facts
  }

  mutating func draw() -> Frame {
    let facts = facts()
    _ = shell.update(facts, size: shell.size)
    return shell.render(facts, size: shell.size)
  }

  func text() -> String {
    var copy = self
    return copy.draw().canvas.text
  }

  private mutating func send(_ event: InputEvent) {
    let frame = draw()
    effects += shell.handle(event, on: facts(), frame: frame)
  }

  /// Presses keys written as in the key table, separated by spaces.
  mutating func type(_ keys: String) {
    for word in keys.split(separator: " ") {
      guard let chord = try? KeyChord(parsing: String(word)) else { continue }
      for press in chord.presses { send(.key(press.key, press.modifiers)) }
    }
  }

  mutating func write(_ text: String) {
    for character in text { send(.key(.char(character), [])) }
  }

  mutating func click(x: Int, y: Int) {
    send(.mouse(.down(0), column: x, row: y, []))
  }

  mutating func paste(_ text: String) { send(.paste(text)) }

  /// Opens the settings and puts the cursor on one.
  mutating func find(_ words: String) {
    type("S /")
    write(words)
    type("Enter")
  }

  /// The saves that were asked for.
  var saves: [SettingsEdit] {
    effects.compactMap { if case .settings(.save(let edit)) = $0 { edit } else { nil } }
  }

  var dialog: SettingsDialog? { shell.layers.first(SettingsDialog.self) }

  mutating func forget() { effects = [] }
}
