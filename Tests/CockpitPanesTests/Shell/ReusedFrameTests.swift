import TerminalUI
import CockpitDomain
import Networking
import CockpitStores
import TerminalCore
import Testing

@testable import CockpitPanes
@testable import CockpitShell

/// A frame copies the parts that have not changed since the one before. It has to be the frame that is drawn
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

  @Test("a frame of another size or other glyphs copies nothing")
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
}
