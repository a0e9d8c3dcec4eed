import ClankyWire
import ClankySource
import CockpitDomain
import Networking
import Testing

@MainActor
@Suite struct GapTests {
  /// Ends the activity stream and opens it again with another snapshot.
  private func reconnect(_ rig: Rig, after milliseconds: Int = 0, _ ids: some Sequence<Int>) {
    rig.clock.advance(ms: milliseconds)
    rig.transport.activity.end()
    for _ in 0..<40 where rig.transport.activity.isOver { rig.clock.advance(ms: 1_000) }
    rig.transport.activity.head(200)
    rig.transport.activity.event("activity_snapshot", rows(ids))
  }

  @Test func anOverlappingSnapshotNeedsNothing() throws {
    let rig = try Rig(streams: [.activity])
    rig.goLive(1...10)
    reconnect(rig, 5...30)
    #expect(rig.transport.tasks("/api/actions").isEmpty)
    #expect(!rig.sink.log.contains { $0.hasPrefix("gap") })
  }

  @Test("what a snapshot brings after a loss is told, where and how long the loss was (promise P4)")
  func aLossWithoutAHole() throws {
    let rig = try Rig(streams: [.activity])
    rig.goLive(1...10)
    rig.clock.advance(ms: 4_000)
    rig.transport.activity.event("action_event", "{}")
    let lostAt = rig.clock.wallMs
    rig.clock.advance(ms: 500)
    rig.transport.activity.end()
    rig.clock.advance(ms: 60_000)
    rig.transport.activity.head(200)
    rig.transport.activity.event("activity_snapshot", rows(5...30))
    #expect(rig.sink.log.last == "filled 20" && rig.link.status.gapsFilled == 20)
    #expect(rig.sink.filled.map(\.atMs) == [lostAt])
    #expect(rig.sink.filled.map(\.lostMs) == [60_500])
    // Nothing was missed, so nothing is said.
    reconnect(rig, 5...30)
    #expect(rig.sink.filled.count == 1)
    // The clocks differ by a second: the mark is not before the last row that came live.
    rig.sink.newestRowMs = rig.clock.wallMs + 900
    reconnect(rig, 40...60)
    rig.transport.open("/api/actions")?.answer(200, rows(25...60))
    #expect(rig.sink.log.last == "filled 30" && rig.sink.filled.last?.atMs == rig.sink.newestRowMs)
  }

  @Test func aHoleIsFilledAtOnceAndAskedForWithMargin() throws {
    let rig = try Rig(streams: [.activity])
    let start = rig.clock.wallMs
    rig.sink.timeOfID = { start + Int64($0) * 100 }
    rig.goLive(1...10)
    reconnect(rig, after: 3_000, 40...60)
    let ask = try #require(rig.transport.open("/api/actions"))
    #expect(ask.query("limit") == "1000")
    #expect(ask.query("kinds") == nil)
    let hours = try #require(ask.query("sinceHours").flatMap(Double.init))
    // 5 s since row 10, and a minute.
    #expect(hours * 3_600 >= 65 && hours * 3_600 < 70)
    ask.answer(200, rows(8...61))
    #expect(rig.sink.log.suffix(2) == ["fill 54+30", "filled 51"])
    #expect(rig.link.status.gapsFilled == 51)
  }

  @Test func whatCannotBeHadIsAGap() throws {
    let rig = try Rig(streams: [.activity])
    rig.goLive(1...10)
    reconnect(rig, 40...60)
    rig.transport.open("/api/actions")?.answer(200, rows(Array(20...25) + Array(30...60)))
    #expect(rig.sink.log.suffix(3) == ["filled 37", "gap 11-19", "gap 26-29"])
    #expect(rig.link.status.rowsMissing == 13)
    // It is reported once.
    reconnect(rig, 50...70)
    #expect(rig.transport.tasks("/api/actions").count == 1)
  }

  /// Rows that came live have no ids, and are in no gap all the same.
  @Test("rows that were told are not missing (promise P4)", arguments: [0, 3, 29, 40])
  func told(count: Int) throws {
    let rig = try Rig(streams: [.activity])
    rig.goLive(1...10)
    for _ in 0..<count { rig.transport.activity.event("action_event", "{}") }
    rig.sink.unnamed = count
    reconnect(rig, 40...60)
    rig.transport.open("/api/actions")?.answer(200, "[]")
    let gaps = rig.sink.log.filter { $0.hasPrefix("gap") }
    #expect(gaps == (count < 29 ? ["gap \(11 + count)-39"] : []))
    #expect(rig.link.status.rowsMissing == max(0, 29 - count))
  }

  @Test("of rows that were told, those that a list has brought do not count again (promise P4)")
  func toldAndListed() throws {
    let rig = try Rig(streams: [.activity])
    rig.goLive(1...10)
    for _ in 0..<5 { rig.transport.activity.event("action_event", "{}") }
    // Row 11 was lost on the way; the five are 12 to 16, and the list has them.
    reconnect(rig, 40...60)
    rig.transport.open("/api/actions")?.answer(200, rows(12...39))
    #expect(rig.sink.log.last == "gap 11-11")
    // The backend answers with an error first: the same rows, then what is there.
    rig.sink.unnamed = 4
    for _ in 0..<4 { rig.transport.activity.event("action_event", "{}") }
    reconnect(rig, 100...110)
    for _ in 0..<3 {
      rig.transport.open("/api/actions")?.answer(400, "{}")
      rig.clock.advance(ms: 5_000)
    }
    #expect(rig.sink.log.last == "gap 65-99")
    rig.sink.unnamed = 0
    reconnect(rig, 105...115)
    rig.transport.open("/api/actions")?.answer(200, rows(61...104))
    #expect(rig.sink.log.contains("closed 65-99 35"))
    #expect(rig.link.status.rowsMissing == 1)
  }

  @Test func aFullAnswerIsSplitByKinds() throws {
    let rig = try Rig(streams: [.activity])
    rig.goLive(1...10)
    reconnect(rig, 3_000...3_100)
    rig.transport.open("/api/actions")?.answer(200, rows(2_101...3_100))
    let second = try #require(rig.transport.open("/api/actions"))
    #expect(second.query("kinds") == "voice_runtime")
    second.answer(200, rows(11...900))
    let third = try #require(rig.transport.open("/api/actions"))
    #expect(third.query("kinds")?.hasPrefix("llm_call,") == true)
    third.answer(200, rows(901...1_700))
    let fourth = try #require(rig.transport.open("/api/actions"))
    #expect(fourth.query("kinds")?.contains("sent_reply") == true)
    fourth.answer(200, rows(1_701...2_000))
    let fifth = try #require(rig.transport.open("/api/actions"))
    #expect(fifth.query("kinds")?.contains("swarm_task_cancel_error") == true)
    fifth.answer(200, "[]")
    #expect(rig.sink.log.suffix(2) == ["filled 2990", "gap 2001-2100"])
    #expect(rig.transport.open("/api/actions") == nil)
  }

  @Test("a full group is halved until its rows are had (promise P4)")
  func aFullGroupIsHalved() throws {
    let rig = try Rig(streams: [.activity])
    rig.goLive(1...10)
    reconnect(rig, 3_000...3_100)
    rig.transport.open("/api/actions")?.answer(200, rows(2_101...3_100))
    rig.transport.open("/api/actions")?.answer(200, rows(11...20))
    // The second group is full: its halves are requested before the third.
    rig.transport.open("/api/actions")?.answer(200, rows(1_101...2_100))
    let half = try #require(rig.transport.open("/api/actions"))
    #expect(half.query("kinds")?.split(separator: ",").count == 5)
    half.answer(200, rows(21...600))
    rig.transport.open("/api/actions")?.answer(200, rows(601...1_100))
    #expect(rig.transport.open("/api/actions") == nil)
    #expect(rig.sink.log.last == "filled 3090")
  }

  @Test("a full answer is divided by what rows were seen with (promise P4)")
  func parts() throws {
    let rig = try Rig(streams: [.activity])
    rig.sink.seenParts = SeenParts(kinds: ["llm_call", "lantern", "a,b", ""], guilds: ["2", "1"])
    rig.goLive(1...10)
    reconnect(rig, 3_000...3_100)
    rig.transport.open("/api/actions")?.answer(200, rows(2_101...3_100))
    for _ in ActionsRoute.kindGroups { rig.transport.open("/api/actions")?.answer(200, "[]") }
    // A kind in none of the groups, and not what could not stand in a list.
    let other = try #require(rig.transport.open("/api/actions"))
    #expect(other.query("kinds") == "lantern" && other.query("guildId") == nil)
    other.answer(200, rows(1_101...2_100))
    for (guild, ids) in [("1", 11...500), ("2", 501...1_100)] {
      let part = try #require(rig.transport.open("/api/actions"))
      #expect(part.query("kinds") == "lantern" && part.query("guildId") == guild)
      part.answer(200, rows(ids))
    }
    #expect(rig.sink.log.last == "filled 3090")
  }

  @Test("only an answer that reaches back to an empty beginning settles it (promise P4)")
  func beginning() {
    var repair = GapRepair()
    repair.begin(atMs: 1_000)
    var report = RowReport()
    (report.ids, report.count, report.newestMs, report.oldestMs) = ([500], 1, 9_000, 9_000)
    #expect(repair.absorb(report) == .holes([1...499]))
    repair.settleBeginning(sinceMs: 9_000)
    #expect(repair.seenIDs.holes == [1...499])
    repair.settleBeginning(sinceMs: 1_000)
    #expect(repair.seenIDs.holes.isEmpty)
  }

  @Test("an answer for one guild shows kinds that were out of sight (promise P4)")
  func kindsOfAGuild() throws {
    let rig = try Rig(streams: [.activity])
    rig.sink.seenParts = SeenParts(kinds: ["llm_call"], guilds: ["1", "2"])
    rig.goLive(1...10)
    reconnect(rig, 3_000...3_100)
    rig.transport.open("/api/actions")?.answer(200, rows(2_101...3_100))
    for _ in ActionsRoute.kindGroups { rig.transport.open("/api/actions")?.answer(200, "[]") }
    let guild = try #require(rig.transport.open("/api/actions"))
    #expect(guild.query("kinds") == nil && guild.query("guildId") == "1")
    rig.sink.seenParts.kinds.insert("lantern")
    guild.answer(200, rows(1_101...2_100))
    let kind = try #require(rig.transport.open("/api/actions"))
    #expect(kind.query("kinds") == "lantern" && kind.query("guildId") == nil)
    kind.answer(200, rows(11...1_000))
    let other = try #require(rig.transport.open("/api/actions"))
    #expect(other.query("kinds") == nil && other.query("guildId") == "2")
    other.answer(200, rows(1_001...1_100))
    #expect(rig.sink.log.last == "filled 3090")
  }

  @Test("rows too long for one answer are asked for in parts (promise P4)")
  func tooLarge() throws {
    let rig = try Rig(streams: [.activity])
    rig.goLive(1...10)
    reconnect(rig, 100...110)
    rig.transport.open("/api/actions")?.end(.tooLarge)
    let part = try #require(rig.transport.open("/api/actions"))
    #expect(part.query("kinds") == "voice_runtime")
    part.answer(200, rows(11...60))
    rig.transport.open("/api/actions")?.answer(200, rows(61...99))
    #expect(rig.sink.log.last == "filled 100")
  }

  /// Rows of the story come live, as many as an answer cannot hold.
  private func tell(_ rig: Rig, _ count: Int) {
    for _ in 0..<count { rig.transport.activity.event("action_event", "{}") }
  }

  @Test("many live rows are compared before an answer cannot hold them (promise P4)")
  func manyRowsAreComparedSooner() throws {
    let rig = try Rig(streams: [.activity])
    rig.goLive(1...10)
    tell(rig, 599)
    rig.clock.advance(ms: 6_000)
    #expect(rig.transport.open("/api/actions") == nil)
    tell(rig, 1)
    rig.clock.advance(ms: 1)
    rig.transport.open("/api/actions")?.answer(200, rows(1...610))
    tell(rig, 600)
    rig.clock.advance(ms: 1)
    #expect(rig.transport.open("/api/actions") == nil)
    rig.clock.advance(ms: 5_000)
    #expect(rig.transport.open("/api/actions") != nil)
  }

  @Test("rows that came live are not missing when no list can hold them (promise P4)")
  func whatWasToldIsNoGap() throws {
    let rig = try Rig(streams: [.activity])
    rig.goLive(1...10)
    tell(rig, 3_000)
    rig.clock.advance(ms: 1)
    rig.transport.open("/api/actions")?.answer(200, rows(2_011...3_010))
    while let ask = rig.transport.open("/api/actions") { ask.answer(200, rows(2_011...3_010)) }
    #expect(!rig.sink.log.contains { $0.hasPrefix("gap") })
    // The next time a third of them has not come.
    tell(rig, 2_000)
    rig.clock.advance(ms: 5_001)
    rig.transport.open("/api/actions")?.answer(200, rows(5_011...6_010))
    while let ask = rig.transport.open("/api/actions") { ask.answer(200, rows(5_011...6_010)) }
    #expect(rig.sink.log.last == "gap 3011-5010")
  }

  @Test func aFailingFillIsTriedAgainThenReported() throws {
    let rig = try Rig(streams: [.activity])
    rig.goLive(1...10)
    reconnect(rig, 40...60)
    for _ in 0..<3 {
      rig.transport.open("/api/actions")?.answer(500, "{\"error\":\"x\"}")
      rig.keepAlive(seconds: 3)
    }
    #expect(rig.transport.tasks("/api/actions").count == 3)
    #expect(rig.sink.log.last == "gap 11-39")
    #expect(rig.link.status.rowsMissing == 29)
  }

  @Test("a fill leaves a backend alone that asks for it (promise P5)")
  func aFillHonoursRetryAfter() throws {
    let rig = try Rig(streams: [.activity])
    rig.goLive(1...10)
    reconnect(rig, 40...60)
    rig.transport.open("/api/actions")?.answer(429, "{}", [HTTPHeader("Retry-After", "30")])
    rig.keepAlive(seconds: 27)
    #expect(rig.transport.tasks("/api/actions").count == 1)
    rig.keepAlive(seconds: 6)
    #expect(rig.transport.tasks("/api/actions").count == 2)
  }

  @Test("what was missing is asked for again once the backend answers (promise P4)")
  func whatWasMissingIsFetchedLater() throws {
    let rig = try Rig()
    rig.goLive(1...10)
    reconnect(rig, 40...60)
    for _ in 0..<3 {
      rig.transport.open("/api/actions")?.answer(500, "{\"error\":\"x\"}")
      rig.keepAlive(seconds: 3)
    }
    #expect(rig.sink.log.last == "gap 11-39")
    rig.keepAlive(seconds: 60)
    rig.transport.open("/api/actions")?.answer(200, rows(60...61))
    let fill = try #require(rig.transport.open("/api/actions"))
    fill.answer(200, rows(20...61))
    #expect(rig.sink.log.suffix(3) == ["fill 42+20", "closed 11-39 20", "gap 11-19"])
    #expect(rig.link.status.rowsMissing == 9)
    // The backend has said that it does not have the others.
    rig.keepAlive(seconds: 60)
    rig.transport.open("/api/actions")?.answer(200, rows(60...61))
    #expect(rig.transport.open("/api/actions") == nil)
  }

  @Test("a snapshot that is late is no other log (promise P4)")
  func lateSnapshot() throws {
    let rig = try Rig(streams: [.activity])
    rig.goLive(1...10)
    rig.transport.activity.end()
    for _ in 0..<40 where rig.transport.activity.isOver { rig.clock.advance(ms: 1_000) }
    rig.transport.activity.head(200)
    rig.link.reconcileNow()
    // Made before, it comes after this answer.
    rig.transport.open("/api/actions")?.answer(200, rows(1...50))
    rig.transport.activity.event("activity_snapshot", rows(1...40))
    #expect(!rig.sink.log.contains("reset"))
    // A log without the rows known at the request is another log.
    rig.transport.activity.end()
    for _ in 0..<40 where rig.transport.activity.isOver { rig.clock.advance(ms: 1_000) }
    rig.transport.activity.head(200)
    rig.transport.activity.event("activity_snapshot", rows(1...40))
    #expect(rig.sink.log.count { $0 == "reset" } == 1)
  }

  @Test("an answer that does not come is told from rows that are not there")
  func unansweredGaps() throws {
    let rig = try Rig()
    rig.goLive(1...10)
    reconnect(rig, 40...60)
    for _ in 0..<3 {
      rig.transport.open("/api/actions")?.answer(500, "{\"error\":\"x\"}")
      rig.keepAlive(seconds: 3)
    }
    #expect(rig.sink.gaps.map(\.isAnswered) == [false])
    #expect(rig.link.status.overall == .degraded)
    rig.keepAlive(seconds: 15)
    rig.transport.open("/api/actions")?.answer(200, rows(60...61))
    rig.transport.open("/api/actions")?.answer(200, rows(40...61))
    #expect(rig.sink.log.contains("stays 11-39") && rig.sink.gaps.count == 1)
    #expect(rig.link.status.overall == .live)
  }

  @Test(
    "an answer that is no list, or ends too early, is asked for again (promise P4)",
    arguments: ["{\"error\":\"busy\"}", "<html>sign in</html>", ""])
  func aFillThatIsNoList(_ body: String) throws {
    let rig = try Rig(streams: [.activity])
    rig.goLive(1...10)
    reconnect(rig, 40...60)
    rig.transport.open("/api/actions")?.answer(200, body, type: "application/json")
    #expect(!rig.sink.log.contains { $0.hasPrefix("gap") })
    rig.clock.advance(ms: 1_000)
    rig.transport.open("/api/actions")?.answer(200, rows(8...61))
    #expect(rig.sink.log.suffix(2) == ["fill 54+30", "filled 51"])
  }

  @Test("a row that claims a later time does not shorten what is asked for (promise P4)")
  func aRowFromTheFuture() throws {
    let rig = try Rig(streams: [.activity])
    let start = rig.clock.wallMs
    rig.sink.timeOfID = { $0 == 10 ? start + 86_400_000_000 : start }
    rig.goLive(1...10)
    reconnect(rig, after: 600_000, 40...60)
    let ask = try #require(rig.transport.open("/api/actions"))
    let hours = try #require(ask.query("sinceHours").flatMap(Double.init))
    #expect(hours * 3_600 >= 660)
  }

  @Test("one odd id does not make honest rows look old (promises P3, P11)")
  func anOddID() throws {
    let rig = try Rig(streams: [.activity])
    rig.goLive(Array(1...10) + [9_007_199_254_740_993])
    reconnect(rig, Array(40...60) + [9_007_199_254_740_993])
    rig.transport.open("/api/actions")?.answer(200, rows(8...61))
    #expect(rig.sink.log.last == "filled 51")
    #expect(!rig.sink.log.contains("reset"))
  }

  @Test("a log that was empty has no end that hides a hole (promise P4)")
  func anEmptyLog() throws {
    let rig = try Rig(streams: [.activity])
    rig.goLive([])
    reconnect(rig, 81...300)
    rig.transport.open("/api/actions")?.answer(200, rows(1...300))
    #expect(rig.sink.log.last == "filled 300")
  }

  @Test("a snapshot that cannot be used is replaced by a request (promise P4)")
  func aSnapshotThatIsTooLarge() throws {
    let rig = try Rig(streams: [.activity])
    rig.goLive(1...10)
    rig.transport.activity.end()
    rig.clock.advance(ms: 5_000)
    rig.transport.activity.head(200)
    rig.transport.activity.bytes("event: activity_snapshot\ndata: [")
    let filler = String(repeating: " ", count: 1 << 20)
    for _ in 0..<65 { rig.transport.activity.bytes(filler) }
    rig.transport.activity.bytes("]\n\n")
    #expect(rig.sink.log.last == "rejected activity_snapshot")
    rig.transport.open("/api/actions")?.answer(200, rows(8...20))
    #expect(rig.sink.log.suffix(2) == ["fill 13+10", "filled 10"])
  }

  @Test func aReplacedLogIsNoticed() throws {
    let rig = try Rig(streams: [.activity])
    rig.goLive(500...700)
    rig.sink.timeOfID = { 1_795_250_900_000 + Int64($0) }
    reconnect(rig, 1...20)
    // The rows are handed over once more: ids of the old log may have hidden some.
    #expect(rig.sink.log.suffix(2) == ["reset", "snapshot 20+20"])
    #expect(rig.transport.tasks("/api/actions").isEmpty)
    reconnect(rig, 5...30)
    #expect(rig.sink.log.suffix(2) == ["snapshot 26", "filled 10"])
  }

  @Test func theQuietComparisonFindsSkippedRowsAndReplacedLogs() throws {
    let rig = try Rig()
    rig.goLive(1...10)
    rig.keepAlive(seconds: 60)
    rig.transport.open("/api/actions")?.answer(200, rows(9...14))
    #expect(rig.sink.log.last == "reconcile 6+4")
    rig.keepAlive(seconds: 60)
    let second = try #require(rig.transport.open("/api/actions"))
    // Reaches back to the comparison before, not to the last row.
    #expect((second.query("sinceHours").flatMap(Double.init) ?? 1) * 3_600 <= 125)
    second.answer(200, rows(20...22))
    // 15 to 19 are missing: requested, and reported if they do not exist.
    let fill = try #require(rig.transport.open("/api/actions"))
    fill.answer(200, rows(18...22))
    #expect(rig.sink.log.suffix(2) == ["filled 2", "gap 15-17"])
    rig.sink.timeOfID = { 1_795_259_000_000 + Int64($0) }
    rig.keepAlive(seconds: 60)
    rig.transport.open("/api/actions")?.answer(200, rows(1...3))
    #expect(rig.sink.log.suffix(2) == ["reset", "reconcile 3+3"])
  }

  @Test func failingRESTIsDegraded() throws {
    let rig = try Rig()
    rig.goLive()
    rig.keepAlive(seconds: 60)
    rig.transport.open("/api/actions")?.answer(500, "{\"error\":\"database is locked\"}")
    #expect(rig.link.status.overall == .degraded)
    #expect(rig.link.status.failure == .serverError(status: 500, message: "database is locked"))
    rig.keepAlive(seconds: 15)
    rig.transport.open("/api/actions")?.answer(200, "[]")
    #expect(rig.link.status.overall == .live)
  }

  @Test func theVoiceStreamAloneIsRepairedByTime() throws {
    let rig = try Rig(streams: [.voice])
    rig.start()
    rig.transport.voice.head(200)
    rig.transport.voice.event("voice_state", "{}")
    rig.transport.voice.end()
    rig.clock.advance(ms: 4_000)
    rig.transport.voice.head(200)
    rig.transport.voice.event("voice_state", "{}")
    rig.transport.open("/api/actions")?.answer(200, rows(1...4))
    #expect(rig.sink.log.contains("fill 4+4"))
  }

  @Test func ledgerAgreesWithASet() {
    var random = SplitMix(seed: 7)
    for _ in 0..<300 {
      var seenIDs = SeenIDs()
      seenIDs.start([100])
      var set: Set<Int> = []
      for _ in 0..<20 {
        let low = Int.random(in: 90...200, using: &random)
        let ids = (0..<Int.random(in: 1...12, using: &random)).map { _ in
          low + Int.random(in: 0...25, using: &random)
        }
        seenIDs.insert(ids)
        set.formUnion(ids.filter { $0 > 100 })
      }
      let newest = set.max() ?? 100
      let missing = newest > 100 ? (101...newest).filter { !set.contains($0) } : []
      #expect(seenIDs.holes.flatMap { Array($0) } == missing)
      #expect(seenIDs.newest == newest)
      for id in 95...230 { #expect(seenIDs.contains(id) == (id <= 100 || set.contains(id))) }
    }
  }

  @Test func ledgerWithstandsNonsense() {
    var seenIDs = SeenIDs()
    seenIDs.insert([Int.max, Int.min, -5])
    #expect(seenIDs.isEmpty)
    seenIDs.insert([10])
    seenIDs.insert([Int.max, Int.max - 1, -1])
    #expect(seenIDs.newest == 10)
    seenIDs.insert((0..<20_000).map { $0 * 3 })
    #expect(seenIDs.ranges.count <= 4_096)
    seenIDs.insert(0...(1 << 40))
    #expect(seenIDs.holes.isEmpty)
  }
}
