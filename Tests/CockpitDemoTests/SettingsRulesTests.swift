import Foundation
import Testing

@testable import CockpitDemo

/// What the demo makes of settings, against the recordings of the real backend.
@Suite struct SettingsRulesTests {
  @Test func aBodyReplacesEverything() throws {
    var settings = SettingsState()
    try settings.save(["_meta": ["expectedUpdatedAt": "x"]])
    #expect(settings.intent == .object(.init()))
    #expect(settings.effective.value(at: ["permissions", "replies", "maxMessagesPerHour"]) == 20)
  }

  @Test func whatMakesNoDifferenceIsNotKept() throws {
    var settings = SettingsState()
    try settings.save([
      "voice": ["enabled": true, "sessionLimits": ["maxSessionMinutes": 9999]], "odd": ["a": 1],
    ])
    #expect(settings.intent == ["voice": ["sessionLimits": ["maxSessionMinutes": 9999]]])
    #expect(settings.effective.value(at: ["voice", "sessionLimits", "maxSessionMinutes"]) == 240)
  }

  @Test func aSectionThatIsNoneCrashesIt() {
    var settings = SettingsState()
    let before = settings.effective
    for body: DemoJSON in [["voice": .null], ["voice": "off"], ["interaction": [1]]] {
      #expect(throws: SettingsCrash.self) { try settings.save(body) }
    }
    #expect(settings.effective == before)
  }

  /// Texts of the defaults that are prose: the recordings hold other words.
  private static let prose = [
    "botNameAliases", "flavor", "memoryEnabledLine", "memoryDisabledLine", "skipLine", "guidance",
    "operationalGuidance", "promptCraftGuidance", "audioPrompt", "notePrompt",
    "brainContextPrompt",
  ]

  @Test(.enabled(if: Captures.folder != nil, "the captures are not beside the repository"))
  func recordings() throws {
    let folder = try #require(Captures.folder).appending(path: "rest")
    var compared = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    where name.hasSuffix(".json") && (name.contains("SETTINGS_") || name.contains("api_settings")) {
      let json = try DemoJSON.parse(Data(contentsOf: folder.appending(path: name)))
      // Half a policy, and a word that is no effort, take ways of their own in the real backend.
      guard let intent = json["intent"], let effective = json["effective"],
        !name.contains("invalid_3"), !name.contains("invalid_4")
      else { continue }
      var settings = SettingsState(name.contains("MARCH") ? .march : .may)
      try settings.save(intent)
      compared += 1
      for line in Self.differences(effective, settings.effective, "") {
        Issue.record("\(name): \(line)")
      }
      let asked = Self.differences(intent, settings.intent, "")
      #expect(asked.isEmpty, "\(name): \(asked)")
      let auth = json["bindings"]?["providerAuth"] ?? [:]
      for line in Self.differences(
        json["bindings"] ?? [:], settings.bindings(auth: auth), "bindings")
      {
        Issue.record("\(name): \(line)")
      }
    }
    #expect(compared > 50)
  }

  private static func differences(_ theirs: DemoJSON, _ ours: DemoJSON, _ path: String) -> [String]
  {
    guard !prose.contains(where: path.hasSuffix) else { return [] }
    guard case .object(let left) = theirs, case .object(let right) = ours else {
      return text(theirs) == text(ours) ? [] : ["\(path): \(text(theirs)) is not \(text(ours))"]
    }
    let keys = left.members.map(\.key) + right.members.map(\.key).filter { left[$0] == nil }
    return keys.flatMap { key -> [String] in
      let inner = "\(path).\(key)"
      guard !prose.contains(key) else { return [] }
      guard let mine = left[key] else { return ["\(inner): not in the recording"] }
      guard let other = right[key] else { return ["\(inner): missing"] }
      return differences(mine, other, inner)
    }
  }

  private static func text(_ json: DemoJSON) -> String {
    String(decoding: json.serialized(), as: UTF8.self)
  }
}
