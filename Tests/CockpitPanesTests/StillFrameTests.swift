import ClankyLink
import CockpitStores
import TerminalCore
import Testing

@testable import CockpitPanes

/// While nothing changes but the time, a frame may be the last one with a new header. It has to be
/// the one that is drawn from nothing, with the same things to click.
@MainActor @Suite struct StillFrameTests {
  private static let keys = [
    "j", "k", "G", "g g", "t", "H", "L", "Enter", "Esc", "z", "F", "Space", "Tab", "?", "2", "1",
    "5",
    "1", "g", ":", "Esc", "1", "Esc", "1",
  ]

  private static let steps: [Int64] = [1_000, 2_600, 20_000, 59_000, 3_600_000, 86_400_000]

  @Test("a frame with a new header is the frame of its time", arguments: 0..<12)
  func equal(round: Int) throws {
    var random = SystemRandomNumberGenerator()
    var fixture = Fixture()
    let sizes = [
      Size(width: 80, height: 24), Size(width: 120, height: 40), Size(width: 50, height: 14),
      Size(width: 200, height: 60), Size(width: 40, height: 10), Size(width: 118, height: 50),
    ]
    var shell = CockpitShell(size: sizes[round % sizes.count])
    var walk = ""
    for step in 0..<40 {
      switch Int.random(in: 0...7, using: &random) {
      case 0:
        try fixture.live(
          """
          {"createdAt":"2026-03-01T14:33:0\(step % 10).000Z","kind":"sent_reply","content":"row \(step)"}
          """)
        walk += " row"
      case 1:
        fixture.connection.learn(user: "70000000000000000\(step % 5)", name: "name \(step)")
        walk += " name"
      case 2:
        shell.type("f", &fixture)
        shell.write(["since:15m", "kind:sent_reply", ""][step % 3], &fixture)
        shell.type("Enter", &fixture)
        walk += " filter"
      case 3:
        _ = fixture.facts().actions.dropStale(atNs: .max, within: FeedLook.freshMs)
        walk += " old"
      default:
        let key = try #require(Self.keys.randomElement(using: &random))
        shell.type(key, &fixture)
        walk += " " + key
      }
      let facts = fixture.facts(query: shell.pulse.feedQuery)
      let last = shell.render(facts, size: shell.size)
      for ms in Self.steps {
        var later = facts
        later.nowMs += ms
        later.monotonicNs += UInt64(ms) * 1_000_000
        guard let still = shell.render(later, size: shell.size, after: last) else { continue }
        let whole = shell.render(later, size: shell.size)
        try #require(still.canvas == whole.canvas, "after \(ms) ms and\(walk)")
        try #require(still.targets.map(\.area) == whole.targets.map(\.area), "\(walk)")
        try #require(still.targets.map(\.target) == whole.targets.map(\.target), "\(walk)")
      }
    }
  }

  @Test("what depends on the second, or is not live, is drawn anew")
  func anew() throws {
    var fixture = Fixture()
    var shell = CockpitShell(size: Size(width: 120, height: 40))
    _ = fixture.facts().actions.dropStale(atNs: .max, within: FeedLook.freshMs)
    func isKept(_ change: (inout Facts) -> Void = { _ in }) -> Bool {
      var facts = fixture.facts(query: shell.pulse.feedQuery)
      let last = shell.render(facts, size: shell.size)
      change(&facts)
      return shell.render(facts, size: shell.size, after: last) != nil
    }
    #expect(isKept())
    shell.size = Size(width: 80, height: 24)
    #expect(isKept())
    #expect(!isKept { $0.nowMs += 60_000 })
    #expect(!isKept { $0.status.overall = .reconnecting })
    shell.type("t", &fixture)
    #expect(!isKept(), "ages")
    shell.type("t", &fixture)
    shell.type("5", &fixture)
    #expect(!isKept(), "figures of this program")
  }
}
