import TerminalUI
import CockpitStores
import TerminalCore
import TerminalTestKit
import Testing

@testable import CockpitPanes
@testable import CockpitShell

@MainActor
@Suite struct VoiceGoldenTests {
  private func shell(_ size: Size, _ keys: String, _ fixture: inout Fixture) -> CockpitShell {
    var shell = CockpitShell(tab: .voice, size: size)
    shell.type(keys, &fixture)
    return shell
  }

  private func canvas(_ shell: CockpitShell, _ fixture: inout Fixture) -> Canvas {
    shell.render(fixture.facts(), size: shell.size).canvas
  }

  @Test("a rich session, a sparse one and none", arguments: PulseGoldenTests.sizes)
  func sessions(size: Size) throws {
    var rich = Fixture()
    VoiceFixture.rich(rich)
    try expectGolden(
      canvas(CockpitShell(tab: .voice, size: size), &rich),
      "voice-rich-\(size.width)x\(size.height)")
    guard PulseGoldenTests.sizes.ends.contains(size) else { return }
    var sparse = Fixture()
    VoiceFixture.sparse(sparse)
    try expectGolden(
      canvas(CockpitShell(tab: .voice, size: size), &sparse),
      "voice-sparse-\(size.width)x\(size.height)")
    var none = Fixture()
    VoiceFixture.none(none)
    try expectGolden(
      canvas(CockpitShell(tab: .voice, size: size), &none),
      "voice-none-\(size.width)x\(size.height)")
  }

  @Test(
    "each panel with the screen to itself",
    arguments: [
      VoicePane.Panel.transcript, .lanes, .turn, .people, .tools, .screen, .music, .engine, .trend,
    ])
  func panels(panel: VoicePane.Panel) throws {
    let size = Size(width: 110, height: 40)
    for (name, fill) in [
      ("rich", VoiceFixture.rich), ("sparse", VoiceFixture.sparse),
    ] as [(String, @MainActor (Fixture) -> Void)] {
      var fixture = Fixture()
      fill(fixture)
      var shell = CockpitShell(tab: .voice, size: size)
      shell.voice.focus = panel
      shell.voice.isZoomed = true
      try expectGolden(canvas(shell, &fixture), "voice-panel-\(panel)-\(name)")
    }
  }

  @Test(
    "why, turns, silences, two sessions, history and a past session",
    arguments: [Size(width: 80, height: 24), Size(width: 40, height: 10)])
  func views(size: Size) throws {
    let name = "\(size.width)x\(size.height)"
    var fixture = Fixture()
    VoiceFixture.rich(fixture)
    try expectGolden(canvas(shell(size, "W", &fixture), &fixture), "voice-why-\(name)")
    try expectGolden(canvas(shell(size, "} W", &fixture), &fixture), "voice-why-older-\(name)")
    try expectGolden(canvas(shell(size, "] ]", &fixture), &fixture), "voice-turns-\(name)")
    try expectGolden(canvas(shell(size, "] ] ] ]", &fixture), &fixture), "voice-skips-\(name)")

    var two = Fixture()
    VoiceFixture.two(two)
    try expectGolden(canvas(CockpitShell(tab: .voice, size: size), &two), "voice-two-\(name)")

    var past = Fixture()
    VoiceFixture.none(past)
    VoiceFixture.replay(past)
    try expectGolden(canvas(shell(size, "Enter", &past), &past), "voice-past-\(name)")
    try expectGolden(canvas(shell(size, "j", &past), &past), "voice-history-\(name)")
  }

  @Test("lanes: five seconds, half an hour, a fixed playhead, a folded lane")
  func lanes() throws {
    let size = Size(width: 100, height: 16)
    var fixture = Fixture()
    VoiceFixture.rich(fixture)
    for (name, keys) in [
      ("30m", "- - - -"), ("5s", "+ + + +"), ("panned", "h h h"), ("folded", "Enter j j j Enter"),
    ] {
      var shell = CockpitShell(tab: .voice, size: size)
      shell.voice.focus = .lanes
      shell.voice.isZoomed = true
      shell.type(keys, &fixture)
      try expectGolden(canvas(shell, &fixture), "voice-lanes-\(name)")
    }
  }

  @Test("nothing known yet, a history that failed, a capped replay")
  func states() throws {
    let size = Size(width: 80, height: 24)
    var failed = Fixture()
    VoiceFixture.none(failed, hasHistory: false)
    failed.voice.historyFailed("the backend answered 503")
    try expectGolden(
      canvas(CockpitShell(tab: .voice, size: size), &failed), "voice-history-failed-80x24")

    var capped = Fixture()
    VoiceFixture.none(capped)
    let rows = (0..<500).map {
      VoiceFixture.event(
        1000 + $0, "12:01:\($0 % 60 < 10 ? "0" : "")\($0 % 60).000", "voice_other_\($0)",
        session: "past-1")
    }
    VoiceFixture.replay(capped, rows: rows)
    try expectGolden(canvas(shell(size, "j", &capped), &capped), "voice-history-capped-80x24")
    try expectGolden(canvas(shell(size, "Enter", &capped), &capped), "voice-past-capped-80x24")
  }
}
