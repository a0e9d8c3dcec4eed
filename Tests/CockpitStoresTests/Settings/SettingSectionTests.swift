import ClankyWire
import Testing

@testable import CockpitDemo
@testable import CockpitStores

@Suite("Sections of settings")
struct SettingSectionTests {
  @Test("every known setting has a section, and every section but the last has settings")
  func known() {
    let sections = SettingCatalogue.known.fields.map { SettingSection(of: $0.path) }
    #expect(!sections.contains(.other))
    #expect(Set(sections) == Set(SettingSection.allCases.filter { $0 != .other }))
    #expect(SettingSection(of: SettingPath(["quantum", "flux"])) == .other)
  }

  @Test(
    "where a person looks for it",
    arguments: [
      ("voice.channelPolicy.allowedChannelIds", SettingSection.permissions),
      ("agentStack.runtimeConfig.voice.xai.voice", .voice),
      ("permissions.devTasks.allowedUserIds", .codeAgents),
      ("voice.streamWatch.noteModel", .vision), ("memoryLlm", .memory),
      ("interaction.replyGeneration.pricing", .models), ("prompting.text.guidance", .persona),
    ])
  func places(path: String, section: SettingSection) throws {
    #expect(SettingSection(of: try #require(SettingPath(path))) == section)
  }

  @Test(
    "the sections of a document have all of its settings", arguments: [DemoDialect.may, .march])
  @MainActor func document(_ dialect: DemoDialect) throws {
    let settings = try #require(SettingsScene(dialect).settings)
    #expect(!SettingItem.all(of: settings).contains { SettingSection(of: $0.path) == .other })
  }
}
