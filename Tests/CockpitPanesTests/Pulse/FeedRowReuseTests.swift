import TerminalUI
import CockpitStores
import TerminalCore
import Testing

@testable import CockpitPanes
@testable import CockpitShell

/// Rows of the feed are copied from frame to frame. Whatever happens in between, a frame that is put together
/// from them is the frame that is drawn from nothing.
@MainActor @Suite struct FeedRowReuseTests {
  private func live(_ second: Int, _ kind: String, user: Int) -> String {
    """
    {"createdAt":"2026-03-01T14:33:\(second / 10 % 6)\(second % 10).000Z","guildId":"500000000000000001",\
    "channelId":"60000000000000000\(second % 3)","userId":"70000000000000000\(user)","kind":"\(kind)",\
    "content":"row \(second) of 作者 e\\u0301","metadata":{"n":\(second)},"usdCost":0.0\(second % 4)}
    """
  }

  @Test("copied rows show what new ones would", arguments: 0..<12)
  func equal(round: Int) throws {
    var random = SystemRandomNumberGenerator()
    var fixture = Fixture()
    let sizes = [
      Size(width: 80, height: 24), Size(width: 120, height: 40), Size(width: 50, height: 14),
      Size(width: 200, height: 60),
    ]
    var shell = CockpitShell(size: sizes[round % sizes.count])
    var arrivals: [(row: RowID, atNs: UInt64)] = []
    var nowNs = Fixture.monotonicNs
    var steps: [String] = []
    var last: Frame?
    for step in 0..<60 {
      let what = Int.random(in: 0...11, using: &random)
      steps.append("\(what)")
      switch what {
      case 0, 1:
        let kind = ["sent_reply", "llm_call", "bot_error", "voice_turn_in"][step % 4]
        let row = fixture.activity.log.endRow
        try fixture.live(live(step, kind, user: step % 5))
        arrivals.append((row, Fixture.monotonicNs))
      case 2: fixture.connection.learn(user: "70000000000000000\(step % 5)", name: "name \(step)")
      case 3: shell.type(["j", "k", "G", "g g"][step % 4], &fixture)
      case 4: shell.type("t", &fixture)
      case 5: shell.type(["H", "L"][step % 2], &fixture)
      case 6: shell.type("Enter", &fixture)
      case 7: shell.type("Esc", &fixture)
      case 8:
        shell.type("/", &fixture)
        shell.write(["row", "作", "zzz"][step % 3], &fixture)
        shell.type("Enter", &fixture)
      case 9: nowNs += 400_000_000
      case 10: shell.type("z", &fixture)
      default: shell.type("F", &fixture)
      }
      let symbols: SymbolSet = step % 7 == 0 ? .ascii : .unicode
      var facts = fixture.facts(
        query: shell.pulse.feedQuery, zone: step % 9 == 0 ? "Asia/Kathmandu" : "UTC")
      facts.monotonicNs = nowNs
      facts.nowMs += Int64((nowNs - Fixture.monotonicNs) / 1_000_000)
      let frame = shell.render(facts, size: shell.size, symbols: symbols, reusing: last)
      let kept = frame.canvas
      last = frame
      let actions = ActionCache()
      for (row, atNs) in arrivals { actions.noteArrival(row, atNs: atNs) }
      facts.actions = actions
      let new = shell.render(facts, size: shell.size, symbols: symbols).canvas
      guard kept != new else { continue }
      Issue.record("after \(steps.joined(separator: " "))\n\(kept.text)\n\n\(new.text)")
      return
    }
  }
}
