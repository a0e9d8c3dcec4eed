import TerminalUI
import CockpitDomain
import ClankyWire
import CockpitStores
import TerminalCore
import Testing

@testable import CockpitPanes
@testable import CockpitShell

/// What PULSE says of rows that are not here.
@MainActor
@Suite struct CoverageTests {
  private let size = Size(width: 80, height: 24)
  private static let dayMs: Int64 = 86_400_000

  private func screen(_ shell: CockpitShell, _ fixture: inout Fixture) -> [String] {
    let canvas = shell.render(fixture.facts(query: shell.pulse.feedQuery), size: size).canvas
    return (0..<24).map { canvas.text(row: $0) }
  }

  private func perform(
    _ command: KeyAction, _ shell: inout CockpitShell, _ fixture: inout Fixture
  ) -> [Effect] {
    let facts = fixture.facts(query: shell.pulse.feedQuery)
    return shell.pulse.perform(
      command, on: facts, body: Rect(x: 0, y: 1, width: 80, height: 22), screen: size) ?? []
  }

  private func filter(_ text: String, _ shell: inout CockpitShell, _ fixture: inout Fixture) {
    shell.type("f", &fixture)
    shell.write(text, &fixture)
    shell.type("Enter", &fixture)
  }

  @Test("D1: a count has its window, and one that goes back further has its own")
  func figures() throws {
    var fixture = Fixture()
    let shell = CockpitShell(size: size)
    let before = screen(shell, &fixture)[1]
    #expect(before.firstMatch(of: #/ACT \d+/\d+m /#) != nil, "\(before)")
    #expect(!before.contains("/24h"))
    let errors = Query.kinds(of: ChipSet(.error), seen: [])
    fixture.activity.apply(RowClaim(kinds: errors, fromMs: Fixture.nowMs - 2 * Self.dayMs))
    let partly = screen(shell, &fixture)[1]
    #expect(partly.firstMatch(of: #/ACT \d+/\d+m .*ERR \d+!?/24h/#) != nil, "\(partly)")
    fixture.activity.apply(RowClaim(fromMs: LogCoverage.everything))
    let after = screen(shell, &fixture)[1]
    #expect(after.firstMatch(of: #/ACT \d+/24h .*ERR \d+!? /#) != nil, "\(after)")
  }

  @Test("D1: rows of some kinds from before the window are not counted in it")
  func olderRowsOfSomeKinds() throws {
    var fixture = Fixture()
    let before = fixture.facts().windowCounts.count(.all)
    Fixture.withBytes(
      "["
        + (0..<9).map { Fixture.row(900 + $0, "02:00:0\($0).000", "voice_error") }
        .joined(separator: ",") + "]"
    ) { _ = fixture.activity.applyRows($0, nowMs: Fixture.nowMs, isHistory: true) }
    #expect(fixture.facts().windowCounts.count(.all) == before)
    let errors = Query.kinds(of: ChipSet(.error), seen: fixture.activity.log.seenParts.kinds)
    let some = fixture.facts().windowCounts.count(.error)
    fixture.activity.apply(RowClaim(kinds: errors, fromMs: Fixture.nowMs - 2 * Self.dayMs))
    #expect(fixture.facts().windowCounts.count(.error) == some + 9)
    #expect(fixture.facts().windowCounts.isWhole(.error))
    #expect(!fixture.facts().windowCounts.isWhole(.all))
  }

  @Test(
    "D1: a filter that reaches back further than the rows says where they begin, and asks for more")
  func filters() throws {
    var fixture = Fixture()
    var shell = CockpitShell(size: size)
    filter("since:6h is:error", &shell, &fixture)
    #expect(
      screen(shell, &fixture)[2].contains("rows here begin 14:2"), "\(screen(shell, &fixture)[2])")
    let needs = shell.needs(fixture.facts(query: shell.pulse.feedQuery))
    guard case .history(let request) = needs.first else {
      Issue.record("nothing is asked for: \(needs)")
      return
    }
    #expect(
      request.kinds?.contains("voice_error") == true
        && request.kinds?.contains("sent_reply") != true)
    #expect(abs(request.sinceMs - (Fixture.nowMs - 6 * 3_600_000)) <= 60_000)
    fixture.activity.apply(RowClaim(kinds: request.kinds, fromMs: request.sinceMs))
    #expect(!screen(shell, &fixture)[2].contains("rows here begin"))
    #expect(shell.needs(fixture.facts(query: shell.pulse.feedQuery)).isEmpty)
    // Another filter of the same time is another question.
    shell.pulse.query = try Query.parse("since:6h kind:sent_reply")
    #expect(screen(shell, &fixture)[2].contains("rows here begin"))
  }

  @Test(
    "D1: no older day is said where there is none; else where the rows begin, and more is asked for"
  )
  func days() throws {
    var fixture = Fixture()
    var shell = CockpitShell(size: size)
    let effects = perform(.nextDay, &shell, &fixture)
    let message = try #require(shell.pulse.message).description
    #expect(message.hasPrefix("no older day here; rows begin 14:"), "\(message)")
    guard case .history(let request) = effects.first else {
      Issue.record("nothing is asked for: \(effects)")
      return
    }
    #expect(request.kinds == nil && request.isUserRequested)
    fixture.activity.apply(RowClaim(fromMs: LogCoverage.everything))
    #expect(perform(.nextDay, &shell, &fixture).isEmpty)
    #expect(shell.pulse.message?.description == "no older day")
    #expect(perform(.bottom, &shell, &fixture).isEmpty && shell.pulse.message == nil)
  }

  @Test("D1: past the oldest row it is said what cannot be had, and why")
  func theEnd() throws {
    var fixture = Fixture()
    var shell = CockpitShell(size: size)
    #expect(!perform(.bottom, &shell, &fixture).isEmpty)
    #expect(perform(.down, &shell, &fixture) == perform(.bottom, &shell, &fixture))
    var status = fixture.connection.status
    status.history.done = [HistoryRequest(sinceMs: .min)]
    status.history.limits = [
      HistoryLimit(
        part: FillPart(kinds: ["voice_runtime"]), beforeMs: Fixture.nowMs, isTooLarge: false)
    ]
    fixture.connection.apply(status)
    #expect(perform(.bottom, &shell, &fixture).isEmpty)
    let message = try #require(shell.pulse.message).description
    #expect(
      message.hasSuffix("older ones cannot be had: more than 1,000 of voice_runtime"), "\(message)")
    status.history.stop = .memory
    fixture.connection.apply(status)
    _ = perform(.bottom, &shell, &fixture)
    #expect(shell.pulse.message?.description.contains("no room") == true)
  }

  @Test("D1: what is being fetched is on the screen while it is")
  func progress() throws {
    var fixture = Fixture()
    let shell = CockpitShell(size: size)
    var status = fixture.connection.status
    status.history.topic = .models
    status.history.sinceMs = Fixture.nowMs - 3 * Self.dayMs
    fixture.connection.apply(status)
    #expect(screen(shell, &fixture)[2].contains("fetching model calls of 3d"))
    status.history.topic = nil
    fixture.connection.apply(status)
    #expect(!screen(shell, &fixture)[2].contains("fetching"))
  }

  @Test("D1: fetched rows are no new rows")
  func newRows() throws {
    var fixture = Fixture()
    var shell = CockpitShell(size: size)
    shell.type("j j", &fixture)
    for query in [Query.everything, try Query.parse("kind:voice_error")] {
      let row = Fixture.row(query.isEmpty ? 901 : 902, "02:00:00.000", "voice_error")
      Fixture.withBytes("[\(row)]") {
        _ = fixture.activity.applyRows($0, nowMs: Fixture.nowMs, isHistory: true)
      }
      #expect(shell.pulse.newCount(fixture.facts(query: query)) == 0)
    }
  }

  @Test("D10: rows of a replaced log are seen and found, and are in no figure of filter and feed")
  func replacedLog() throws {
    var fixture = Fixture()
    let errors = fixture.activity.log.rows(in: 0..<fixture.activity.log.count)
      .count { $0.isFailure && !$0.isGap }
    try #require(errors > 0)
    fixture.activity.applyReset()
    try fixture.live(
      #"{"createdAt":"2026-03-01T14:32:08.500Z","kind":"bot_error","content":"of the new log"}"#)
    var shell = CockpitShell(size: Size(width: 120, height: 40))
    func line(_ y: Int) -> String {
      let facts = fixture.facts(query: shell.pulse.feedQuery)
      return shell.render(facts, size: shell.size).canvas.text(row: y)
    }
    let feed = (0..<40).map(line).first { $0.contains("newest first") } ?? ""
    #expect(feed.contains(" 1 row  and ") && feed.contains(" of the old log"), "\(feed)")
    filter("is:error", &shell, &fixture)
    let bar = (0..<40).map(line).first { $0.contains("FILTER") } ?? ""
    #expect(bar.contains("FILTER 1/1 ") && bar.contains("and \(errors) of the old log"), "\(bar)")
    // A jump goes there, and says where it is.
    shell.type("] e ] e", &fixture)
    #expect(shell.pulse.message?.description.contains("old log") == true)
    shell.type("Enter", &fixture)
    #expect((0..<40).map(line).contains { $0.contains("ROW") && $0.contains("of the old log") })
    shell.type("Esc [ e", &fixture)
    #expect(shell.pulse.message == nil)
    // A narrow screen says it too.
    let facts = fixture.facts(query: shell.pulse.feedQuery)
    let narrow = shell.render(facts, size: size).canvas.text
    #expect(narrow.contains("FILTER 1/1") && narrow.contains("of the old log"))
  }

  @Test("a part is never more than the whole: windows of one name are one window")
  func partAndWhole() throws {
    var fixture = Fixture()
    let errors = Query.kinds(of: ChipSet(.error), seen: fixture.activity.log.seenParts.kinds)
    let all = Fixture.nowMs / 60_000 * 60_000 - 24 * 60_000
    Fixture.withBytes(
      "["
        + (0..<9).map { Fixture.row(900 + $0, "14:07:3\($0).000", "voice_error") }
        .joined(separator: ",") + "]"
    ) { _ = fixture.activity.applyRows($0, nowMs: Fixture.nowMs, isHistory: true) }
    fixture.activity.apply(RowClaim(fromMs: all))
    fixture.activity.apply(RowClaim(kinds: errors, fromMs: all - 40_000))
    let counts = fixture.facts().windowCounts
    #expect(counts.count(.error) <= counts.count(.all))
    #expect(counts.beginMs(.error) == counts.beginMs(.all))
    // One that reaches back further is another window, and says so.
    fixture.activity.apply(RowClaim(kinds: errors, fromMs: all - 120_000))
    #expect(fixture.facts().windowCounts.beginMs(.error) == all - 120_000)
  }
}
