import ClankyLink
import CockpitStores
import TerminalCore
import Testing

@testable import CockpitPanes

/// A frame takes over what has not changed since the one before. It has to be the frame that is drawn
/// from nothing, with the same things to click.
@MainActor @Suite struct ReusedFrameTests {
  @Test("a frame after another is the frame that is drawn from nothing", arguments: 0..<12)
  func equal(round: Int) throws {
    var walk = FrameWalk(round: round)
    var last: Frame?
    for step in 0..<60 {
      try walk.step(step)
      var facts = walk.facts()
      facts.nowMs += Int64(step) * 7_000
      let size = walk.shell.size
      let frame = walk.shell.render(facts, size: size, reusing: last)
      let whole = walk.shell.render(facts, size: size)
      let isSame = frame.canvas == whole.canvas
      try #require(isSame, "\(walk.told)")
      try #require(frame.targets.map(\.area) == whole.targets.map(\.area), "\(walk.told)")
      try #require(frame.targets.map(\.target) == whole.targets.map(\.target), "\(walk.told)")
      last = frame
    }
  }

  @Test(
    "a frame of another place in the feed is the frame that is drawn from nothing", arguments: 0..<6
  )
  func moved(round: Int) throws {
    var walk = FrameWalk(round: round)
    var random = SystemRandomNumberGenerator()
    for step in 0..<40 {
      try walk.step(step)
      walk.settleRows()
      let size = walk.shell.size
      var last = walk.shell.render(walk.facts(), size: size)
      for _ in 0..<6 {
        let key = try #require(Self.moves.randomElement(using: &random))
        walk.type(key)
        let facts = walk.facts()
        let whole = walk.shell.render(facts, size: size)
        guard walk.shell.hasOnlyMoved,
          let frame = walk.shell.render(facts, size: size, movedAfter: last)
        else {
          last = whole
          continue
        }
        let isSame = frame.canvas == whole.canvas
        try #require(isSame, "\(walk.told)")
        try #require(frame.targets.map(\.area) == whole.targets.map(\.area), "\(walk.told)")
        try #require(frame.targets.map(\.target) == whole.targets.map(\.target), "\(walk.told)")
        last = frame
      }
    }
  }

  @Test("a key that moves among rows in sight does not wait for rows that came", arguments: 0..<6)
  func movedDespiteNews(round: Int) throws {
    var walk = FrameWalk(round: round)
    var random = SystemRandomNumberGenerator()
    var drawn = 0
    walk.type("j")
    for step in 0..<60 {
      walk.settleRows()
      let size = walk.shell.size
      let last = walk.shell.render(walk.facts(), size: size)
      for row in 0..<Int.random(in: 0...5, using: &random) {
        try walk.arrive("row \(row) of step \(step)", second: step)
      }
      let key = try #require(["j", "k", "j", "k", "C-d", "F"].randomElement(using: &random))
      walk.type(key)
      let facts = walk.facts()
      guard walk.shell.hasOnlyMoved,
        let frame = walk.shell.render(facts, size: size, movedAfter: last, hasNews: true)
      else { continue }
      drawn += 1
      let whole = walk.shell.render(facts, size: size)
      let view = try #require(whole.feedView)
      var same = frame.canvas
      same.copy(view.area, from: whole.canvas)
      let isSame = same == frame.canvas
      try #require(isSame, "\(walk.told)")
      #expect(frame.targets.map(\.target) == last.targets.map(\.target))
      #expect(!frame.isStill, "the rest is not up to date")
    }
    #expect(drawn > 5)
  }

  /// Moves, and keys that do more.
  private static let moves = [
    "j", "j", "k", "k", "Down", "Up", "G", "g g", "C-d", "C-u", "PgDn", "PgUp", "F", "e", "E",
    "Esc",
    "Space", "z",
  ]

  @Test("moves in a quiet feed need no whole frame; what does more needs one")
  func quiet() throws {
    var fixture = Fixture()
    // Past the oldest row nothing is to be said.
    fixture.activity.apply(RowClaim(fromMs: .min))
    var shell = CockpitShell(size: Size(width: 120, height: 40))
    _ = fixture.facts().actions.dropStale(atNs: .max, within: FeedLook.freshMs)
    var last = shell.render(fixture.facts(), size: shell.size)
    for key in ["j", "j", "j", "k", "C-d", "G", "k"] {
      shell.type(key, &fixture)
      #expect(shell.hasOnlyMoved, "\(key)")
      last = try #require(
        shell.render(fixture.facts(), size: shell.size, movedAfter: last), "\(key)")
    }
    for key in [
      "Space", "t", "z", "z", "Enter", "j", "Esc", "Tab", "2", "1", "?", "Esc", "f", "Esc",
    ] {
      shell.type(key, &fixture)
      #expect(!shell.hasOnlyMoved, "\(key)")
    }
  }

  @Test("a frame of another size or other glyphs takes nothing over")
  func others() {
    var fixture = Fixture()
    let facts = fixture.facts()
    let shell = CockpitShell(size: Size(width: 120, height: 40))
    let last = shell.render(facts, size: shell.size)
    #expect(shell.render(facts, size: shell.size, reusing: last).reusedParts > 0)
    #expect(
      shell.render(facts, size: shell.size, symbols: .ascii, reusing: last).reusedParts == 0)
    let smaller = Size(width: 119, height: 40)
    #expect(shell.render(facts, size: smaller, reusing: last).reusedParts == 0)
  }

  @Test("a later clock is no news, anything else is")
  func clock() throws {
    var fixture = Fixture()
    let shell = CockpitShell(size: Size(width: 120, height: 40))
    let facts = fixture.facts()
    let last = shell.render(facts, size: shell.size)
    var later = facts
    later.nowMs += 1000
    var next = shell.render(later, size: shell.size, reusing: last)
    #expect(next.canvas != last.canvas && next.isSame(butForTheClockAs: last))
    next.keepClock(of: last)
    #expect(next.canvas == last.canvas)
    later.status.restLatencyMs = 1234
    #expect(
      !shell.render(later, size: shell.size).isSame(butForTheClockAs: last), "the header's others")
    try fixture.live(
      #"{"createdAt":"2026-03-01T14:33:00.000Z","kind":"sent_reply","content":"new"}"#)
    #expect(!shell.render(fixture.facts(), size: shell.size).isSame(butForTheClockAs: last))
    let small = Size(width: 40, height: 12)
    let (one, two) = (shell.render(facts, size: small), shell.render(later, size: small))
    #expect(!one.isSame(butForTheClockAs: last) && !two.isSame(butForTheClockAs: last))
  }
}
