import CockpitStores
import TerminalCore

@testable import CockpitPanes
@testable import CockpitShell

/// A user and a backend who do what comes to their minds, one step after the other.
@MainActor
struct FrameWalk {
  private(set) var shell: CockpitShell
  private(set) var fixture = Fixture()
  /// What was done so far.
  private(set) var told = ""
  private var random = SystemRandomNumberGenerator()

  private static let keys = [
    "j", "k", "G", "g g", "t", "H", "L", "Enter", "Esc", "z", "F", "Space", "Tab", "?", "2", "1",
    "5", "1", "g", ":", "Esc", "1", "Esc", "1", "f", "c", "l", "q", "Esc",
  ]

  private static let sizes = [
    Size(width: 80, height: 24), Size(width: 120, height: 40), Size(width: 50, height: 14),
    Size(width: 200, height: 60), Size(width: 40, height: 10), Size(width: 118, height: 50),
  ]

  /// - Parameter round: decides the size of the screen.
  init(round: Int) { shell = CockpitShell(size: Self.sizes[round % Self.sizes.count]) }

  /// What a frame may show now.
  mutating func facts() -> ViewContext { fixture.facts(query: shell.pulse.feedQuery) }

  mutating func type(_ keys: String) {
    shell.type(keys, &fixture)
    told += " " + keys
  }

  /// No row is new any more.
  mutating func settleRows() {
    _ = fixture.facts().actions.dropStale(atNs: .max, within: FeedStyle.freshMs)
  }

  /// A row comes.
  mutating func arrive(_ words: String, second: Int) throws {
    try fixture.live(
      """
      {"createdAt":"2026-03-01T14:33:0\(second % 10).000Z","kind":"sent_reply","content":"\(words)"}
      """)
    told += " row"
  }

  mutating func step(_ step: Int) throws {
    switch Int.random(in: 0...7, using: &random) {
    case 0:
      try arrive("row \(step)", second: step)
    case 1:
      fixture.connection.learn(user: "70000000000000000\(step % 5)", name: "name \(step)")
      told += " name"
    case 2:
      shell.type("f", &fixture)
      shell.write(["since:15m", "kind:sent_reply", ""][step % 3], &fixture)
      shell.type("Enter", &fixture)
      told += " filter"
    case 3:
      settleRows()
      told += " old"
    default:
      type(Self.keys.randomElement(using: &random) ?? "j")
    }
  }
}
