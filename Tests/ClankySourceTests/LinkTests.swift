import ClankySource
import CockpitDomain
import Networking
import Testing

@MainActor
@Suite struct LinkTests {
  @Test func bothStreamsGoLive() throws {
    let rig = try Rig()
    rig.goLive()
    #expect(rig.sink.states.first == .connecting)
    #expect(rig.sink.states.last == .live)
    #expect(!rig.sink.states.contains(.degraded))
    #expect(rig.sink.log == ["snapshot 3", "voice {}"])
    #expect(rig.link.status.detail == "Both streams are live.")
    let token = try TokenText("sesame")
    #expect(rig.transport.activity.request.token == token)
  }

  @Test func silenceIsStaleThenReplaced() throws {
    let rig = try Rig()
    rig.goLive()
    rig.clock.advance(ms: 9_999)
    #expect(rig.link.status.overall == .live)
    rig.clock.advance(ms: 1)
    #expect(rig.sink.statuses.last?.overall == .stale)
    #expect(rig.link.status[.activity].lastByteAgoMs(nowNs: rig.clock.nowNs) == 10_000)
    // A comment is life.
    rig.transport.activity.bytes(":\n")
    rig.transport.voice.bytes(":\n")
    #expect(rig.sink.statuses.last?.overall == .live)
    rig.clock.advance(ms: 20_000)
    #expect(rig.transport.tasks("/api/activity/events").count == 2)
    #expect(rig.transport.tasks("/api/activity/events")[0].isCancelled)
    #expect(rig.sink.statuses.last?.overall == .reconnecting)
    #expect(rig.link.status.failure == .timedOut(.silence))
  }

  @Test("whenever the last byte came, silence is told (promise P5)", arguments: 0..<40)
  func silenceIsToldAtAnyMoment(gapNs: UInt64) throws {
    let rig = try Rig()
    rig.goLive()
    rig.clock.lookNs = 1
    for task in [rig.transport.activity, rig.transport.voice] {
      task.bytes(":\n")
      rig.clock.work(ns: gapNs)
      task.bytes(":\n")
    }
    rig.clock.advance(ms: 11_000)
    #expect(rig.sink.statuses.last?.overall == .stale)
  }

  @Test func oneStreamAloneIsDegraded() throws {
    let rig = try Rig()
    rig.goLive()
    rig.transport.voice.end()
    #expect(rig.link.status.overall == .degraded)
    #expect(rig.link.status.failure == .streamClosed)
    #expect(rig.link.status.nextRetryInSeconds(nowNs: rig.clock.nowNs) == 3)
    #expect(rig.sink.log.last == "ended voice  -")
  }

  @Test(arguments: ["", "retry: 0\n", "retry: 10\n\n"])
  func aClosingServerIsNotHammered(_ greeting: String) throws {
    let rig = try Rig()
    rig.transport.onOpen = { task in
      _ = rig.clock.schedule(afterNs: 1_000_000) {
        task.head(200)
        if !greeting.isEmpty { task.bytes(greeting) }
        task.end()
      }
    }
    rig.start()
    rig.clock.advance(ms: 10_000)
    #expect(rig.transport.tasks.count <= 8)
    #expect(rig.transport.tasks.count >= 4)
    rig.clock.advance(ms: 600_000)
    // 30 s at most (jitter takes up to a fifth off), so at most 25 per stream in ten minutes.
    #expect(rig.transport.tasks.count < 60)
    #expect(rig.transport.tasks.count > 30)
    rig.link.stop()
  }

  @Test func retryAfterIsHonoured() throws {
    let rig = try Rig(streams: [.activity])
    rig.start()
    rig.transport.activity.answer(
      503, "busy", type: "text/plain", [HTTPHeader("Retry-After", "40")])
    #expect(rig.link.status.nextRetryInSeconds(nowNs: rig.clock.nowNs) == 40)
    #expect(rig.link.status.failure == .serverError(status: 503, message: "Reason"))
    rig.clock.advance(ms: 39_999)
    #expect(rig.transport.tasks.count == 1)
    rig.clock.advance(ms: 1)
    #expect(rig.transport.tasks.count == 2)
  }

  @Test(arguments: [204, 401]) func someAnswersEndIt(_ status: Int) throws {
    let rig = try Rig()
    rig.start()
    rig.transport.activity.answer(status, "")
    rig.transport.voice.answer(status, "")
    #expect(rig.link.status.overall == .stopped)
    rig.clock.advance(ms: 3_600_000)
    #expect(rig.transport.tasks.count == 2)
    rig.link.retryNow()
    #expect(rig.transport.tasks.count == 4)
  }

  @Test func anEndlessErrorBodyIsDecidedAnyway() throws {
    let rig = try Rig(streams: [.activity])
    rig.start()
    rig.transport.activity.head(500, type: "text/html")
    rig.transport.activity.bytes("<html>")
    rig.clock.advance(ms: 2_000)
    #expect(rig.link.status.failure == .serverError(status: 500, message: ""))
    #expect(rig.transport.tasks[0].isCancelled)
  }

  @Test func aHeldStreamBecomesPollingAndComesBack() throws {
    let rig = try Rig()
    rig.start()
    rig.transport.activity.head(200)
    rig.transport.voice.head(200)
    rig.clock.advance(ms: 8_050)
    rig.transport.open("/api/actions")?.answer(200, rows(1...5))
    rig.transport.open("/api/stats")?.answer(200, "{\"s\":1}")
    rig.transport.open("/api/voice/state")?.answer(200, "{\"v\":1}")
    #expect(rig.link.status.overall == .polling)
    #expect(rig.link.status.pollingReason?.contains("holds the stream back") == true)
    rig.clock.advance(ms: 200)
    #expect(rig.sink.log == ["poll 5+5", "stats {\"s\":1}", "voice {\"v\":1}"])
    rig.clock.advance(ms: 2_800)
    let second = try #require(rig.transport.open("/api/actions"))
    #expect(second.query("sinceHours") != nil)
    second.answer(200, rows(4...7))
    #expect(rig.sink.log.last == "poll 4+2")
    // The stream itself is tried once a minute, and the state does not flicker meanwhile.
    #expect(rig.transport.tasks("/api/activity/events").count == 1)
    rig.transport.onOpen = { task in
      guard task.request.purpose == .rest else { return }
      _ = rig.clock.schedule(afterNs: 1) { task.answer(200, "[]") }
    }
    rig.transport.open("/api/stats")?.answer(200, "{}")
    rig.transport.open("/api/voice/state")?.answer(200, "{}")
    rig.clock.advance(ms: 57_000)
    #expect(rig.transport.tasks("/api/activity/events").count == 2)
    #expect(rig.link.status.overall == .polling)
    for task in [rig.transport.activity, rig.transport.voice] {
      task.head(200)
      task.bytes(": hello\n\n")
    }
    #expect(rig.link.status.overall == .live)
    let polls = rig.transport.tasks("/api/stats").count
    rig.keepAlive(seconds: 30)
    #expect(rig.transport.tasks("/api/stats").count <= polls + 1)
  }

  @Test func aStreamWithoutHeaderIsPolledWhenRESTWorks() throws {
    let rig = try Rig(streams: [.activity])
    rig.start()
    rig.transport.activity.end(.timedOut(.headers))
    #expect(rig.link.status.overall == .reconnecting)
    rig.clock.advance(ms: 50)
    rig.transport.open("/api/actions")?.answer(200, "[]")
    rig.transport.open("/api/stats")?.answer(200, "{}")
    #expect(rig.link.status.overall == .polling)
  }

  @Test("sleep makes stale at once and reconnects soon (promise P10)")
  func sleepMakesStaleAtOnceAndReconnectsSoon() throws {
    let rig = try Rig()
    rig.goLive()
    rig.clock.sleep(ms: 3_600_000)
    rig.link.tick()
    #expect(rig.sink.statuses.last?.overall == .stale)
    rig.clock.advance(ms: 10_000)
    #expect(rig.transport.tasks("/api/activity/events").count == 2)
  }

  @Test("waiting ends with sleep (promise P10)") func waitingEndsWithSleep() throws {
    let rig = try Rig(streams: [.activity])
    rig.start()
    rig.transport.activity.end(.unknownHost)
    #expect(rig.link.status.failure == .unknownHost("127.0.0.1"))
    rig.clock.sleep(ms: 60_000)
    rig.link.tick()
    #expect(rig.transport.tasks.count == 2)
  }

  @Test("a byte after sleep is enough (promise P10)") func aByteAfterSleepIsEnough() throws {
    let rig = try Rig()
    rig.goLive()
    rig.clock.sleep(ms: 60_000)
    rig.link.tick()
    rig.transport.activity.bytes(":\n")
    rig.transport.voice.bytes(":\n")
    #expect(rig.link.status.overall == .live)
    // A wall clock that steps, in either direction, changes nothing.
    for step: Int64 in [-7_200_000, 86_400_000] {
      rig.clock.wallMs += step
      rig.link.tick()
      #expect(rig.link.status.overall == .live)
    }
  }

  @Test func onlyTheNewestStatisticsAreHandedOver() throws {
    let rig = try Rig()
    rig.goLive()
    rig.sink.log = []
    rig.clock.advance(ms: 1_000)
    rig.transport.activity.bytes(
      (1...5).map { "event: stats_update\ndata: {\"n\":\($0)}\n\n" }.joined())
    // It waits a moment for the other stream's tick.
    #expect(rig.sink.log == [])
    rig.clock.advance(ms: 20)
    #expect(rig.sink.log == ["stats {\"n\":5}"])
    rig.transport.activity.event("stats_update", "6")
    rig.transport.activity.event("stats_update", "7")
    #expect(rig.sink.log.count == 1)
    rig.clock.advance(ms: 100)
    #expect(rig.sink.log == ["stats {\"n\":5}", "stats 7"])
  }

  @Test func aRepeatedDocumentIsReportedAsOne() throws {
    let rig = try Rig()
    rig.goLive()
    rig.transport.activity.event("stats_update", "1")
    rig.transport.voice.event("voice_state", "1")
    rig.clock.advance(ms: 1_000)
    rig.sink.log = []
    rig.transport.activity.event("stats_update", "1")
    rig.transport.voice.event("voice_state", "1")
    rig.clock.advance(ms: 500)
    #expect(rig.sink.log == ["repeated stats", "repeated voice_state"])
    // The statistics of a snapshot are other ones: the next are no repetition.
    rig.transport.activity.event("activity_snapshot", rows([1, 2, 3]))
    rig.sink.log = []
    rig.transport.activity.event("stats_update", "1")
    rig.clock.advance(ms: 500)
    #expect(rig.sink.log == ["stats 1"])
    rig.sink.log = []
    // A pending new version is superseded by an old one.
    rig.transport.activity.event("stats_update", "2")
    rig.transport.activity.event("stats_update", "1")
    rig.clock.advance(ms: 500)
    #expect(rig.sink.log == ["stats 1"])
  }

  @Test func anIdleStreamWakesForItsBytesOnly() throws {
    let rig = try Rig()
    rig.goLive()
    rig.transport.activity.event("stats_update", "1")
    rig.transport.voice.event("voice_state", "1")
    rig.clock.advance(ms: 3_000)
    let fired = rig.clock.fired
    for _ in 0..<15 {
      rig.transport.activity.event("stats_update", "1")
      rig.transport.voice.event("voice_state", "1")
      rig.clock.advance(ms: 3_000)
    }
    #expect(rig.clock.fired == fired)
    // Silence is noticed all the same.
    rig.clock.advance(ms: 8_000)
    #expect(rig.link.status.overall == .stale)
  }

  @Test func aFloodIsReadInSlots() throws {
    let rig = try Rig()
    rig.goLive()
    rig.clock.advance(ms: 1_000)
    let burst = (1...50).map { "event: action_event\ndata: \($0)\n\n" }.joined()
    rig.transport.activity.bytes(burst)
    #expect(rig.transport.activity.isPaused && rig.transport.voice.isPaused)
    rig.clock.advance(ms: 100)
    #expect(!rig.transport.activity.isPaused)
    rig.transport.activity.bytes(burst)
    #expect(!rig.transport.activity.isPaused)
    rig.clock.advance(ms: 8)
    #expect(rig.transport.activity.isPaused)
    // Quiet again: the next slots find little, so reading is free again.
    rig.clock.advance(ms: 100)
    rig.clock.advance(ms: 200)
    rig.clock.advance(ms: 200)
    #expect(!rig.transport.activity.isPaused)
    #expect(rig.sink.log.filter { $0.hasPrefix("live") }.count == 100)
  }

  @Test func aStopFromInsideACallbackStopsAtOnce() throws {
    let rig = try Rig()
    rig.goLive()
    rig.sink.onLive = { rig.link.stop() }
    rig.transport.activity.bytes(
      (1...50).map { "event: action_event\ndata: \($0)\n\n" }.joined())
    #expect(rig.sink.log.filter { $0.hasPrefix("live") }.count == 1)
    #expect(rig.link.status.overall == .stopped)
    let running = rig.transport.tasks.filter { !$0.isOver }
    #expect(running.isEmpty)
    #expect(rig.clock.pendingTimers == 0)
    rig.sink.onLive = nil
    rig.start()
    #expect(rig.link.status.overall == .connecting)
  }

  @Test func aRestartFromInsideACallbackIsHarmless() throws {
    let rig = try Rig()
    rig.goLive()
    rig.sink.onLive = {
      rig.link.stop()
      rig.start()
    }
    rig.transport.activity.bytes("event: action_event\ndata: 1\n\nevent: action_event\ndata: 2\n\n")
    #expect(rig.sink.log.filter { $0.hasPrefix("live") }.count == 1)
    rig.transport.activity.head(200)
    rig.sink.onLive = nil
    rig.transport.activity.event("action_event", "3")
    #expect(rig.sink.log.last == "live activity 3")
  }

  @Test func onceEndsWithTheStream() throws {
    let rig = try Rig(streams: [.activity], once: true, passesRawEvents: true)
    rig.start()
    rig.transport.activity.head(200)
    rig.transport.activity.bytes("retry: 1234\nid: 9\nevent: odd\ndata: x\n\n")
    rig.transport.activity.end()
    #expect(rig.sink.log == ["sse odd 9", "ended activity 9 1234"])
    #expect(rig.sink.states.last == .stopped)
    rig.clock.advance(ms: 600_000)
    #expect(rig.transport.tasks.count == 1)
  }

  @Test func theLastEventIDIsSentAgain() throws {
    let rig = try Rig(streams: [.activity])
    rig.start()
    rig.transport.activity.head(200)
    rig.transport.activity.bytes("id: 77\ndata: x\n\n")
    rig.transport.activity.end(.connectionLost("reset"))
    rig.clock.advance(ms: 5_000)
    #expect(rig.transport.activity.request.headers.contains(HTTPHeader("Last-Event-ID", "77")))
  }

  @Test func emptyPayloadsAreRejectedNotFatal() throws {
    let rig = try Rig()
    rig.goLive()
    rig.transport.activity.bytes("event: action_event\ndata:\n\nevent: action_event\ndata: 1\n\n")
    #expect(rig.sink.log.suffix(2) == ["rejected action_event", "live activity 1"])
    #expect(rig.link.status[.activity].rejectedEvents == 1)
  }

  @Test("skew comes from the Date header (promise P10)") func skewComesFromTheDateHeader() throws {
    let rig = try Rig(streams: [.activity])
    rig.clock.wallMs = 784_111_777_000 - 60_000
    rig.start()
    rig.transport.activity.head(
      200, [HTTPHeader("Date", "Sun, 06 Nov 1994 08:49:37 GMT")])
    #expect(rig.link.status.skewMs == 60_500)
  }

  @Test("a difference that the rows contradict is named and not reckoned with (promise P10)")
  func doubtfulClocks() throws {
    let (day, now) = (86_400_000, Int64(1_795_250_000_000))
    func isDoubtful(_ skew: Int?, _ row: Int64?) -> Bool {
      ClockSkew.isDoubtful(skew, newestRowMs: row, wallMs: now)
    }
    #expect(!isDoubtful(nil, nil) && !isDoubtful(day, nil) && !isDoubtful(-day, now))
    #expect(isDoubtful(day + 1, nil))
    #expect(isDoubtful(-Int(now), now) && isDoubtful(-Int(now), now - 40 * Int64(day)))
    #expect(!isDoubtful(-Int(now), 3_600_000))
    #expect(isDoubtful(.max, now) && isDoubtful(.min, now) && !isDoubtful(.max, .max))
    for (skew, words) in [
      (40_000, "40 s"), (-3_600_000, "60 min"), (day, "24 h"), (-12 * day, "12 days"),
      (-Int(now), "56 years"), (.max, "292271023 years"),
    ] { #expect(ClockSkew.words(skew) == words) }
    var status = SourceStatus(skewMs: 60_000)
    #expect(status.serverMs(now) == now + 60_000)
    status.isClockDoubted = true
    #expect(status.serverMs(now) == now)
  }

  @Test("rows that bear a far clock out are told of with them (promise P10)")
  func rowsTellTheClock() throws {
    let rig = try Rig(streams: [.activity])
    rig.sink.timeOfID = { 784_111_777_000 - 60_000 + Int64($0) }
    rig.start()
    let date = HTTPHeader("Date", "Sun, 06 Nov 1994 08:49:37 GMT")
    rig.transport.activity.head(200, [date])
    rig.transport.activity.bytes(": hello\n\n")
    #expect(rig.sink.statuses.last?.isClockDoubted == true)
    rig.transport.activity.event("activity_snapshot", rows([1, 2]))
    #expect(rig.sink.statuses.last?.isClockDoubted == false)
    // Rows of today, fetched: the header is something else's.
    rig.sink.timeOfID = { 1_795_250_000_000 + Int64($0) }
    rig.link.reconcileNow()
    let request = try #require(rig.transport.open("/api/actions"))
    request.answer(200, rows([1, 2, 3]), [date])
    #expect(rig.sink.statuses.last?.isClockDoubted == true)
  }

  @Test("who was stopped himself reads first what lies there (promise P5)")
  func stalledProcess() throws {
    let rig = try Rig(streams: [.activity])
    rig.goLive()
    rig.clock.stall(ms: 30_000)
    rig.clock.advance(ms: 1)
    #expect(rig.transport.tasks("/api/activity/events").count == 1)
    rig.transport.activity.bytes(": hb\n\n")
    rig.clock.advance(ms: 5_000)
    #expect(rig.link.status.overall == .live)
    #expect(rig.transport.tasks("/api/activity/events").count == 1)
    // Nothing lay there: the silence was the server's.
    rig.clock.stall(ms: 30_000)
    rig.clock.advance(ms: 300)
    #expect(rig.link.status.overall != .live)
    #expect(rig.transport.tasks("/api/activity/events").count == 2)
  }

  @Test("a date in Retry-After is read by the clock that wrote it (promises P5, P10)")
  func retryAfterIsReadByTheServersClock() throws {
    let rig = try Rig(streams: [.activity])
    rig.start()
    // An hour and a half off ours: the wait is the minute between the two headers.
    rig.transport.activity.answer(
      503, "",
      [
        HTTPHeader("Date", "Sun, 06 Nov 1994 08:49:37 GMT"),
        HTTPHeader("Retry-After", "Sun, 06 Nov 1994 08:50:37 GMT"),
      ])
    #expect(rig.link.status.nextRetryInSeconds(nowNs: rig.clock.nowNs) == 60)
  }

  @Test("a held stream is not given up before a round of polls has failed (promise P5)")
  func pollsArePendingUntilOneIsOver() throws {
    let rig = try Rig(streams: [.activity])
    rig.start()
    rig.transport.activity.head(200)
    rig.clock.advance(ms: 8_000)
    #expect(rig.link.status.overall == .reconnecting)
    #expect(rig.link.status.isPollPending)
    rig.clock.advance(ms: 100)
    rig.transport.open("/api/actions")?.end(.connectionLost("reset"))
    #expect(!rig.link.status.isPollPending)
    #expect(rig.link.status.overall == .reconnecting)
  }

  @Test("polls leave a backend alone that asks for it (promise P5)")
  func pollsHonourRetryAfter() throws {
    let rig = try Rig(streams: [.activity])
    rig.start()
    rig.transport.activity.head(200)
    rig.clock.advance(ms: 8_100)
    let first = rig.transport.tasks("/api/actions").count
    #expect(first == 1)
    rig.transport.open("/api/actions")?.answer(429, "{}", [HTTPHeader("Retry-After", "40")])
    rig.clock.advance(ms: 39_000)
    #expect(rig.transport.tasks("/api/actions").count == first)
    rig.clock.advance(ms: 2_000)
    #expect(rig.transport.tasks("/api/actions").count == first + 1)
  }

  @Test("the token in an event is taken out before anybody sees it (promise P6)")
  func echoInEvents() throws {
    let rig = try Rig(streams: [.activity], token: "sesame-0815-open")
    rig.goLive()
    rig.transport.activity.event("action_event", "{\"content\":\"sesame-0815-open!\"}")
    #expect(rig.sink.log.last == "live activity {\"content\":\"<token>!\"}")
  }

  @Test func requestsOfTabs() throws {
    let rig = try Rig()
    rig.goLive()
    var results: [String] = []
    func ask() -> any RestHandle {
      rig.link.request(
        RestRequest(.put, RequestTarget(["api", "memory", "a/b"]), body: [0x7B, 0x7D])
      ) {
        switch $0 {
        case .success(let answer): results.append("\(answer.status)")
        case .failure(let failure):
          results.append("\(failure.failure.name) \(failure.mayHaveArrived)")
        }
      }
    }
    _ = ask()
    rig.transport.tasks.last?.answer(409, "{\"error\":\"duplicate\"}")
    _ = ask()
    rig.transport.tasks.last?.end(.connectionLost("reset"))
    let cancelled = ask()
    cancelled.cancel()
    _ = ask()
    rig.transport.tasks.last?.answer(401, "{\"error\":\"Unauthorized.\"}")
    #expect(results == ["409", "connection_lost true", "unauthorized true"])
    #expect(
      rig.transport.tasks.last?.request.base.absolute(rig.transport.tasks.last!.request.target)
        == "http://127.0.0.1:8787/api/memory/a%2Fb")
  }
}
