import CockpitStores
import CockpitText
import TerminalCore
import TerminalTestKit
import TerminalUI
import Testing

@testable import CockpitPanes
@testable import CockpitShell

@MainActor
@Suite struct VoiceEventsTests {
  private func shell(_ size: Size = Size(width: 120, height: 40)) -> CockpitShell {
    CockpitShell(tab: .voice, size: size)
  }

  private func text(_ shell: CockpitShell, _ fixture: inout Fixture) -> String {
    shell.render(fixture.facts(), size: shell.size).canvas.text
  }

  @Test("g l lists the events of the session; lanes and kinds narrow them, and Esc shows all")
  func events() throws {
    var fixture = VoiceFixture.rich()
    var shell = shell()
    shell.type("g l", &fixture)
    #expect(shell.voice.view == .events)
    let record = try #require(shell.voice.scene(fixture.facts())?.record)
    let all = record.events
    #expect(text(shell, &fixture).contains("EVENTS ─"))
    // Each lane that has an event can be chosen, and lists what is in it.
    let lanes = Lane.allCases.filter { lane in all.contains { $0.lane == lane } }
    for lane in lanes {
      shell.type("l", &fixture)
      #expect(shell.voice.eventFilter.lane == lane)
      let count = all.count { $0.lane == lane }
      #expect(text(shell, &fixture).contains("\(count) of \(all.count)"))
    }
    shell.type("l", &fixture)
    #expect(shell.voice.eventFilter.lane == nil)
    shell.type("f", &fixture)
    for letter in "kind:voice_turn_*" { shell.type(letter == ":" ? ":" : String(letter), &fixture) }
    shell.type("Enter", &fixture)
    let turns = all.count { $0.kind.hasPrefix("voice_turn_") }
    #expect(turns > 0 && turns < all.count)
    #expect(text(shell, &fixture).contains("\(turns) of \(all.count)"))
    shell.type("Esc", &fixture)
    #expect(shell.voice.eventFilter.isOpen && shell.voice.view == .events)
    shell.type("Esc", &fixture)
    #expect(shell.voice.view == .live)
  }

  @Test("Enter shows the JSON of the event under the cursor")
  func raw() throws {
    var fixture = VoiceFixture.rich()
    var shell = shell()
    shell.type("g l j j Enter", &fixture)
    #expect(shell.voice.isRawOpen)
    #expect(text(shell, &fixture).contains("RAW JSON"))
  }

  @Test("g a lists what went wrong by name; Enter goes to its moment")
  func anomalies() throws {
    var fixture = VoiceFixture.rich()
    var shell = shell()
    shell.type("g a", &fixture)
    let record = try #require(shell.voice.scene(fixture.facts())?.record)
    let anomalies = record.anomalies
    try #require(!anomalies.isEmpty)
    let shown = text(shell, &fixture)
    for name in Set(anomalies.map(\.anomaly.name)) {
      let count = anomalies.count { $0.anomaly.name == name }
      #expect(shown.contains("   \(count) \(name)"), "\(shown)")
    }
    shell.type("Enter", &fixture)
    #expect(shell.voice.view == .live)
    #expect(shell.voice.turnID == anomalies.last?.turnID)
    #expect(shell.voice.focus == .lanes)
  }

  @Test(
    "events and anomalies",
    arguments: [
      Size(width: 80, height: 24), Size(width: 120, height: 40), Size(width: 200, height: 60),
    ])
  func goldens(size: Size) throws {
    let name = "\(size.width)x\(size.height)"
    var fixture = VoiceFixture.rich()
    var events = shell(size)
    events.type("g l l", &fixture)
    try expectGolden(
      events.render(fixture.facts(), size: size).canvas, "voice-events-\(name)")
    var anomalies = shell(size)
    anomalies.type("g a", &fixture)
    try expectGolden(
      anomalies.render(fixture.facts(), size: size).canvas, "voice-anomalies-\(name)")
  }
}
