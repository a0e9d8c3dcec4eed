import ClankyWire
import CockpitStores
import LenientJSON
import TerminalCore
import Testing

@testable import CockpitPanes

@MainActor
@Suite struct SettingInputTests {
  @Test("what is put in untouched is the value that stands there, for every setting")
  func roundTrip() throws {
    let document = SettingsFixture.document(
      SettingsFixture.asked.filter { !$0.1.contains("hunter2") })
    for item in SettingItem.all(of: document) {
      let input = SettingInput(item)
      guard let value = item.asked ?? item.value ?? item.defaultValue else { continue }
      #expect(try input.value(item).meansSame(as: value), "\(item.path)")
    }
  }

  private func item(_ path: String) throws -> SettingItem {
    SettingItem(SettingsFixture.document(), try #require(SettingPath(path)))
  }

  @Test(
    "each type has its input",
    arguments: [
      ("memory.enabled", "toggle"), ("agentStack.preset", "choice"),
      ("permissions.replies.maxMessagesPerHour", "line"), ("identity.botName", "line"),
      ("persona.flavor", "text"), ("persona.hardLimits", "entries"), ("quantum.flux", "json"),
      ("agentStack.runtimeConfig.voice.generation", "json"),
      ("agentStack.runtimeConfig.voice.xai.sampleRateHz", "choice"),
    ])
  func inputs(path: String, kind: String) throws {
    let name =
      switch SettingInput(try item(path)) {
      case .toggle: "toggle"
      case .choice: "choice"
      case .line: "line"
      case .area(_, let content): "\(content)"
      }
    #expect(name == kind)
  }

  @Test("a switch switches, a choice steps and jumps, a list has an entry on each line")
  func keys() throws {
    let isOn = try item("memory.enabled")
    var toggle = SettingInput(isOn)
    _ = toggle.press(KeyPress(.char(" ")), width: 40)
    #expect(try toggle.value(isOn) == .bool(false))
    let preset = try item("agentStack.preset")
    var choice = SettingInput(preset)
    _ = choice.press(KeyPress(.right), width: 40)
    #expect(try choice.value(preset) == .string("claude_api"))
    _ = choice.press(KeyPress(.char("g")), width: 40)
    #expect(try choice.value(preset) == .string("grok_native_agent"))
    let limits = try item("persona.hardLimits")
    var list = SettingInput(limits)
    list.paste("\n  Be kind, always  \n\n")
    #expect(try list.value(limits).array?.compactMap(\.string).last == "Be kind, always")
    #expect(try list.value(limits).array?.count == 3)
    let rate = try item("agentStack.runtimeConfig.voice.xai.sampleRateHz")
    #expect(try SettingInput(rate).value(rate).int == 24_000)
  }

  @Test("what is of another type is refused in a sentence")
  func problems() throws {
    let number = try item("permissions.replies.maxMessagesPerHour")
    for text in ["", "many", "1_000", "NaN"] {
      #expect(throws: SettingValueProblem.self) {
        try SettingInput.line(TextField(text)).value(number)
      }
    }
    let policy = try item("agentStack.runtimeConfig.voice.generation")
    for text in ["", "{", "[1]", "\"x\""] {
      #expect(throws: SettingValueProblem.self) {
        try SettingInput.area(TextArea(text), .json).value(policy)
      }
    }
  }
}
