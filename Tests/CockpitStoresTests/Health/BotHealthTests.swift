import ClankyWire
import LenientJSON
import Testing

@testable import CockpitStores

@MainActor @Suite struct BotHealthTests {
  private static let nowMs: Int64 = 1_778_349_600_000

  private static let well = Runtime(
    isReady: true,
    gateway: Gateway(hasConnectedAtLeastOnce: true, reconnectInFlight: false),
    publicHttps: PublicHttps(enabled: true, status: .ready))

  private func word(_ health: BotHealth) -> String { health.word.description }

  @Test("D4: what the statistics say of gateway and tunnel is the bot's word")
  func words() {
    func word(_ change: (inout Runtime) -> Void) -> String {
      var runtime = Self.well
      change(&runtime)
      return self.word(BotHealth(runtime: runtime, nowMs: Self.nowMs))
    }
    #expect(word { _ in } == "bot ok")
    #expect(self.word(BotHealth(runtime: nil, nowMs: Self.nowMs)) == "bot ?")
    #expect(word { $0.isReady = nil } == "bot ?")
    #expect(word { $0.isReady = false } == "bot offline")
    #expect(word { $0.gateway.reconnectInFlight = true } == "bot offline")
    #expect(word { $0.publicHttps?.status = .error } == "tunnel down")
    // A tunnel that is switched off, starts or was ended on purpose has not failed.
    #expect(word { $0.publicHttps = PublicHttps(enabled: false, status: .error) } == "bot ok")
    #expect(word { $0.publicHttps?.status = .starting } == "bot ok")
    #expect(word { $0.publicHttps?.status = .stopped } == "bot ok")
    #expect(word { $0.publicHttps = nil } == "bot ok")
    // The worst is named.
    #expect(
      word {
        $0.publicHttps?.status = .error
        $0.isReady = false
      } == "bot offline")
  }

  @Test("D4: a live session without its provider and a failing tool server are the bot's trouble")
  func voice() throws {
    func causes(_ session: String) throws -> [BotTrouble.Cause] {
      let json = try JSONValue.parse(#"{"sessions":[{"sessionId":"s",\#(session)}]}"#)
      return BotTrouble.Cause.found(in: try #require(VoiceState(json)))
    }
    #expect(try causes(#""realtime":{"state":{"connected":true,"lastError":"once"}}"#).isEmpty)
    // One that is just being connected is no trouble.
    #expect(try causes(#""realtime":{"state":{"connected":false}}"#).isEmpty)
    #expect(
      try causes(
        #""voiceChannelId":"600000000000000009","realtime":{"state":{"connected":false,"lastCloseCode":1006}}"#
      ) == [.voiceLost(channelID: "600000000000000009", reason: "closed with code 1006")])
    let tools = try causes(
      #""mcpStatus":[{"serverName":"a","connected":false},{"serverName":"b","connected":false,"lastError":"no"}]"#
    )
    #expect(tools == [.toolsFail(servers: ["a", "b"], reason: "no")])
    #expect(word(BotHealth(runtime: Self.well, voice: tools, nowMs: Self.nowMs)) == "tools down")
  }

  @Test("D4: a trouble has a beginning, and a short recovery neither ends it nor flickers")
  func hysteresis() throws {
    var watch = BotWatch()
    let lost: [BotTrouble.Cause] = [.reconnecting(attempt: 1)]
    func note(_ causes: [BotTrouble.Cause], _ second: Int64) {
      watch.note(causes, of: [.discord, .tunnel], atMs: second * 1000)
    }
    note([], 0)
    note(lost, 3)
    note([.reconnecting(attempt: 2)], 6)
    // A reconnection of a few seconds is Discord's daily business.
    #expect(watch.troubles.isEmpty && watch.pending == [.discord])
    note([.reconnecting(attempt: 3)], 9)
    let first = try #require(watch.troubles.first)
    #expect(first.sinceMs == 3000 && !first.mayBeOlder && first.cause == .reconnecting(attempt: 3))
    note([], 12)
    #expect(watch.troubles.isEmpty)
    #expect(watch.ended(atMs: 15_000).map(\.endedMs) == [12_000])
    #expect(watch.ended(atMs: 22_000).isEmpty)
    // It comes back within the time for which its end is told: the same one goes on.
    note(lost, 18)
    #expect(watch.troubles.map(\.sinceMs) == [3000])
    note([], 21)
    note([], 40)
    for second in [43, 46, 49] { note(lost, Int64(second)) }
    #expect(watch.troubles.map(\.sinceMs) == [43_000])
    // A short one leaves nothing behind.
    note([], 52)
    note([], 70)
    note(lost, 73)
    note([], 76)
    #expect(watch.pending.isEmpty && watch.ended(atMs: 77_000).isEmpty)
  }

  @Test("D4: a pending trouble is not told by way of the statistics either")
  func pending() {
    let store = ConnectionStore(address: "x")
    var runtime = Self.well
    store.note(runtime, wallMs: 0)
    runtime.gateway.reconnectInFlight = true
    var words: [String] = []
    for second in [3, 6, 9] {
      store.note(runtime, wallMs: Int64(second) * 1000)
      words.append(
        word(BotHealth(runtime: runtime, watch: store.botWatch, nowMs: Int64(second) * 1000)))
    }
    #expect(words == ["bot ok", "bot ok", "bot offline"])
  }

  @Test("D4: what was wrong when the bot was first heard of began then or before")
  func first() throws {
    var watch = BotWatch()
    watch.note([.notReady], of: [.discord, .tunnel], atMs: 1000)
    #expect(try #require(watch.troubles.first).mayBeOlder)
    for ms: Int64 in [4000, 9000] {
      watch.note([.notReady, .tunnelFailed(reason: "x")], of: [.discord, .tunnel], atMs: ms)
    }
    let tunnel = try #require(watch.troubles.first { $0.part == .tunnel })
    #expect(!tunnel.mayBeOlder && tunnel.sinceMs == 4000)
  }

  @Test("D4: a tunnel that failed and starts again is down until it is ready")
  func tunnelStarting() {
    let store = ConnectionStore(address: "x")
    func note(_ status: TunnelStatus, _ second: Int64) -> String {
      var runtime = Self.well
      runtime.publicHttps?.status = status
      store.note(runtime, wallMs: second * 1000)
      return word(
        BotHealth(runtime: runtime, watch: store.botWatch, nowMs: second * 1000))
    }
    #expect(note(.starting, 0) == "bot ok")
    #expect(note(.error, 3) == "bot ok")
    #expect(note(.error, 9) == "tunnel down")
    #expect(note(.starting, 12) == "tunnel down")
    #expect(note(.ready, 15) == "bot back")
    #expect(note(.ready, 26) == "bot ok")
  }

  // MARK: Failures

  private func store(_ rows: [(kind: String, agoS: Int64)]) -> ActivityStore {
    let store = ActivityStore(memory: 1 << 20)
    let list = rows.enumerated().map { index, row in
      let time = WireTime(milliseconds: Self.nowMs - row.agoS * 1000).iso
      return #"{"id":\#(index + 1),"created_at":"\#(time)","kind":"\#(row.kind)","content":"529"}"#
    }
    Array("[\(list.joined(separator: ","))]".utf8).withUnsafeBytes {
      _ = store.applyRows($0, nowMs: Self.nowMs)
    }
    return store
  }

  private func troubles(_ rows: [(kind: String, agoS: Int64)]) -> [BotTrouble.Cause] {
    store(rows).failureTroubles(nowMs: Self.nowMs).map(\.cause)
  }

  @Test("S3: 52 errors in an hour are not healthy, one a day is")
  func errors() {
    let spread = (0..<52).map { (kind: "search_error", agoS: Int64($0 * 68)) }
    #expect(troubles(spread) == [.errors(52, minutes: 60)])
    let burst = (0..<52).map { (kind: "search_error", agoS: Int64(3000 + $0)) }
    #expect(troubles(burst) == [.errors(52, minutes: 60)])
    #expect(troubles([("search_error", 30)]).isEmpty)
    #expect(troubles((0..<500).map { ("sent_reply", Int64($0)) }).isEmpty)
    // Yesterday's are over.
    #expect(troubles((0..<90).map { ("search_error", Int64(4000 + $0)) }).isEmpty)
  }

  @Test("S3: three model calls that fail in a row are a trouble, until one succeeds")
  func models() throws {
    let failed: [(kind: String, agoS: Int64)] = [
      ("llm_error", 200), ("search_error", 150), ("llm_error", 100), ("sent_reply", 60),
      ("llm_error", 50),
    ]
    let run = try #require(store(failed).failureTroubles(nowMs: Self.nowMs).first)
    #expect(run.cause == .modelsFail(3, reason: "529"))
    #expect(run.sinceMs == Self.nowMs - 200_000)
    #expect(troubles(Array(failed.dropFirst())).isEmpty)
    #expect(troubles([("llm_call", 10)] + failed).isEmpty)
    #expect(troubles([("llm_call", 120)] + failed).isEmpty)
  }

  @Test("a bot that is quiet for days is well")
  func quiet() {
    var runtime = Self.well
    runtime.gateway.lastGatewayEventAt = WireTime(milliseconds: Self.nowMs - 86_400_000)
    let health = BotHealth(
      runtime: runtime, failures: store([]).failureTroubles(nowMs: Self.nowMs), nowMs: Self.nowMs)
    #expect(word(health) == "bot ok")
  }
}
