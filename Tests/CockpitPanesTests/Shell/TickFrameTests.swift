import TerminalUI
import CockpitDomain
import Networking
import CockpitStores
import TerminalCore
import Testing

@testable import CockpitPanes
@testable import CockpitShell

/// While nothing changes but the time, a frame may be the last one with a new header. It has to be the one
/// that is drawn from nothing, with the same things to click.
@MainActor @Suite struct TickFrameTests {
  private static let steps: [Int64] = [1_000, 2_600, 20_000, 59_000, 3_600_000, 86_400_000]

  @Test("a frame with a new header is the frame of its time", arguments: 0..<12)
  func equal(round: Int) throws {
    var walk = FrameWalk(round: round)
    for step in 0..<40 {
      try walk.step(step)
      let (shell, facts) = (walk.shell, walk.facts())
      let last = shell.render(facts, size: shell.size)
      for ms in Self.steps {
        var later = facts
        later.nowMs += ms
        later.monotonicNs += UInt64(ms) * 1_000_000
        guard let still = shell.render(later, size: shell.size, tickAfter: last) else { continue }
        let whole = shell.render(later, size: shell.size)
        try #require(still.canvas == whole.canvas, "after \(ms) ms and\(walk.told)")
        try #require(still.targets.map(\.area) == whole.targets.map(\.area), "\(walk.told)")
        try #require(still.targets.map(\.target) == whole.targets.map(\.target), "\(walk.told)")
      }
    }
  }

  @Test("what depends on the second, or is not live, is drawn anew")
  func anew() throws {
    var fixture = Fixture()
    var shell = CockpitShell(size: Size(width: 120, height: 40))
    _ = fixture.facts().actions.dropStale(atNs: .max, within: FeedStyle.freshMs)
    func isKept(_ change: (inout ViewContext) -> Void = { _ in }) -> Bool {
      var facts = fixture.facts(query: shell.pulse.feedQuery)
      let last = shell.render(facts, size: shell.size)
      change(&facts)
      return shell.render(facts, size: shell.size, tickAfter: last) != nil
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
