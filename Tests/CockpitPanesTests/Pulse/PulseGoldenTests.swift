import TerminalUI
import CockpitDomain
import Networking
import CockpitStores
import CockpitThemes
import TerminalCore
import TerminalTestKit
import Testing

@testable import CockpitPanes
@testable import CockpitShell

@MainActor
@Suite struct PulseGoldenTests {
  nonisolated static let sizes = [
    Size(width: 80, height: 24), Size(width: 120, height: 40), Size(width: 200, height: 60),
    Size(width: 40, height: 10),
  ]

  private func canvas(_ shell: CockpitShell, _ fixture: inout Fixture, size: Size) -> Canvas {
    shell.render(fixture.facts(query: shell.pulse.feedQuery), size: size).canvas
  }

  @Test("the feed at four sizes", arguments: sizes)
  func feed(size: Size) throws {
    var fixture = Fixture()
    let canvas = canvas(CockpitShell(size: size), &fixture, size: size)
    try expectGolden(canvas, "pulse-feed-\(size.width)x\(size.height)")
  }

  @Test("the feed in 256 colours and without colour", arguments: sizes.prefix(1))
  func colours(size: Size) throws {
    var fixture = Fixture()
    let canvas = canvas(CockpitShell(size: size), &fixture, size: size)
    for (name, theme, depth) in [
      ("256", "terminal-dark", ColorDepth.indexed256), ("mono", "mono", .mono),
    ] {
      let theme = try #require(EmbeddedThemes.named(theme))
      let text = canvas.ansi(theme: theme, depth: depth)
        .map { $0.replacing("\u{1B}", with: "^") }.joined(separator: "\n")
      try expectGolden(text: text + "\n", "pulse-feed-\(size.width)x\(size.height)-\(name)")
    }
  }

  @Test("an open detail at four sizes", arguments: sizes)
  func detail(size: Size) throws {
    var fixture = Fixture()
    var shell = CockpitShell(size: size)
    shell.type("Enter", &fixture)
    try expectGolden(
      canvas(shell, &fixture, size: size), "pulse-detail-\(size.width)x\(size.height)")
  }

  @Test("filter, find, pause, help and a lost backend at 80x24")
  func states() throws {
    let size = Size(width: 80, height: 24)
    var fixture = Fixture()
    var filtered = CockpitShell(size: size)
    filtered.type("f", &fixture)
    filtered.write("kind:llm_* cosst>0", &fixture)
    try expectGolden(canvas(filtered, &fixture, size: size), "pulse-filter-error-80x24")

    var found = CockpitShell(size: size)
    found.type("/", &fixture)
    found.write("rust", &fixture)
    found.type("Enter n", &fixture)
    try expectGolden(canvas(found, &fixture, size: size), "pulse-find-80x24")

    var paused = CockpitShell(size: size)
    paused.type("Space", &fixture)
    try fixture.live(
      """
      {"kind":"voice_turn_out","createdAt":"2026-03-01T14:32:09.000Z","content":"bot_audio_started"}
      """)
    try expectGolden(canvas(paused, &fixture, size: size), "pulse-paused-80x24")

    // A new command does not change the golden.
    var help = CockpitShell(keys: .fixed, size: size)
    help.type("?", &fixture)
    try expectGolden(canvas(help, &fixture, size: size), "help-80x24")

    var lost = Fixture(rows: [], state: .reconnecting)
    try expectGolden(canvas(CockpitShell(size: size), &lost, size: size), "pulse-lost-80x24")
  }

  @Test(
    "the tabs that are still previews say what is known",
    arguments: [Tab.memory, .cmd])
  func previews(tab: Tab) throws {
    let size = Size(width: 80, height: 24)
    var fixture = Fixture()
    try expectGolden(
      canvas(CockpitShell(tab: tab, size: size), &fixture, size: size),
      "preview-\(tab.title.description.lowercased())-80x24")
  }

  @Test("no size from 1x1 up breaks a row or a border")
  func sizes() {
    var fixture = Fixture()
    for width in [1, 2, 3, 7, 12, 20, 39, 40, 41, 59, 60, 79, 99, 100, 120, 159, 160, 250] {
      for height in [1, 2, 3, 5, 9, 10, 11, 19, 20, 24, 39, 40, 60] {
        for keys in ["", "Enter", "Enter J", "Enter z", "Tab Tab z", "?", "f"] {
          let size = Size(width: width, height: height)
          var shell = CockpitShell(size: size)
          shell.type(keys, &fixture)
          let canvas = canvas(shell, &fixture, size: size)
          #expect(canvas.size == size, "\(width)x\(height) after \(keys)")
        }
      }
    }
  }
}

extension CockpitShell {
  /// Presses keys written as in the key table, separated by spaces.
  @MainActor mutating func type(_ keys: String, _ fixture: inout Fixture) {
    for word in keys.split(separator: " ") {
      guard let chord = try? KeyChord(parsing: String(word)) else { continue }
      for press in chord.presses { send(.key(press.key, press.modifiers), &fixture) }
    }
  }

  /// Types text into an open field.
  @MainActor mutating func write(_ text: String, _ fixture: inout Fixture) {
    for character in text { send(.key(.char(character), []), &fixture) }
  }

  @discardableResult
  @MainActor mutating func send(_ event: InputEvent, _ fixture: inout Fixture) -> [Effect] {
    let facts = fixture.facts(query: pulse.feedQuery)
    let frame = render(facts, size: size)
    return handle(event, on: facts, frame: frame)
  }
}
