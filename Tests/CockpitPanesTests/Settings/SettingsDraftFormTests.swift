import ClankyWire
import CockpitStores
import TerminalCore
import Testing

@testable import CockpitPanes
@testable import CockpitShell
@testable import CockpitStores

/// The form of a setting keeps what is typed.
@MainActor
@Suite struct SettingsDraftFormTests {
  private static let minutes = SettingPath(["voice", "sessionLimits", "maxSessionMinutes"])

  private func requests(_ fixture: SettingsFixture) -> [SettingsRequest] {
    fixture.effects.compactMap { effect in
      guard case .settings(let request) = effect else { return nil }
      switch request {
      case .keepDraft, .dropDraft: return request
      default: return nil
      }
    }
  }

  @Test("each key keeps the text; what is as before, or is dropped, is no draft")
  func typing() {
    var fixture = SettingsFixture()
    fixture.find("maxSessionMinutes")
    fixture.type("e C-u")
    fixture.forget()
    fixture.write("45")
    #expect(
      requests(fixture) == [
        .keepDraft(Self.minutes, text: "4"), .keepDraft(Self.minutes, text: "45"),
      ])
    fixture.forget()
    fixture.type("C-u")
    fixture.write("30")
    #expect(requests(fixture).last == .dropDraft(Self.minutes), "it is as it was")
    fixture.write("0")
    fixture.forget()
    fixture.type("Esc")
    #expect(requests(fixture).isEmpty)
    fixture.type("Esc")
    #expect(requests(fixture) == [.dropDraft(Self.minutes)] && fixture.dialog == nil)
  }

  @Test("a draft of an earlier run is in the form, and the list says that there is one")
  func returning() {
    var fixture = SettingsFixture()
    fixture.store.drafts[Self.minutes] = SettingsDraft(
      path: Self.minutes, text: "77", atMs: Fixture.nowMs)
    fixture.find("maxSessionMinutes")
    #expect(fixture.text().contains("and not saved; e goes on with it"), "\(fixture.text())")
    fixture.type("e")
    let text = fixture.text()
    #expect(text.contains("> 77") && text.contains("Your draft of"), "\(text)")
    #expect(fixture.saves.isEmpty)
    fixture.type("C-s")
    #expect(fixture.text().contains("+ 77"))
  }
}
