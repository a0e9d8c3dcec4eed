import ClankyWire
import CockpitStores
import TerminalCore
import Testing

@testable import CockpitAnswers

/// Promises against rows whose figures are known beforehand.
@MainActor @Suite struct PromiseBoardTests {
  /// Noon, UTC.
  static let nowMs: Int64 = 1_778_328_000_000

  /// Rows at times before now.
  @MainActor private struct Log {
    let store = ActivityStore(memory: 16 << 20)
    private var id = 0

    init() {}

    mutating func add(
      _ agoMs: Int64, _ kind: String, _ content: String = "x", message: String? = nil,
      metadata: String = "null", usd: Double? = nil
    ) {
      id += 1
      let json = """
        [{"id":\(id),"created_at":"\(WireTime(milliseconds: nowMs - agoMs).iso)","kind":"\(kind)",\
        "content":"\(content)","message_id":\(message.map { "\"\($0)\"" } ?? "null"),\
        "usd_cost":\(usd.map { "\($0)" } ?? "0"),"metadata":\(metadata)}]
        """
      Array(json.utf8).withUnsafeBytes { _ = store.applyRows($0, nowMs: nowMs) }
    }

    private static let snowflake = 1_100_000_000_000_000_000

    static func message(_ index: Int) -> String { "\(snowflake + index)" }

    mutating func reply(_ agoMs: Int64, _ index: Int, ms: Int) {
      add(
        agoMs, "sent_reply",
        metadata: """
          {"triggerMessageId":"\(Self.message(index))","performance":{"totalMs":\(ms)}}
          """)
    }

    mutating func skip(_ agoMs: Int64, _ index: Int) {
      add(agoMs, "reply_skipped", metadata: #"{"triggerMessageId":"\#(Self.message(index))"}"#)
    }

    mutating func call(_ agoMs: Int64, _ index: Int, isDirect: Bool = true, allow: Bool = true) {
      add(
        agoMs, "text_runtime", "reply_admission_decision", message: Self.message(index),
        metadata: #"{"allow":\#(allow),"addressSignal":{"direct":\#(isDirect)}}"#)
    }

    mutating func spoken(_ agoMs: Int64, ms: Int) {
      for stage in ["reply_requested", "audio_started"] {
        add(
          agoMs, "voice_runtime", "voice_latency_stage",
          metadata: """
            {"stage":"\(stage)","finalizedToAsrStartMs":10,"asrToGenerationStartMs":20,\
            "generationToReplyRequestMs":70,"replyRequestToAudioStartMs":\(ms - 100)}
            """)
      }
    }
  }

  private func promise(
    _ log: Log, costToday: Double? = nil, covered: Int64? = 0,
    _ set: (inout PromiseSettings) -> Void
  ) throws -> Promise {
    var settings = PromiseSettings()
    set(&settings)
    var board = PromiseBoard(settings)
    while !board.read(log.store.log, nowMs: Self.nowMs) {}
    let report = board.report(
      nowMs: Self.nowMs, coveredFromMs: covered, costTodayUSD: costToday, log: log.store.log)
    #expect(report.promises.count == 1)
    return try #require(report.promises.first)
  }

  private static let minute: Int64 = 60_000
  private static let hour: Int64 = 3_600_000

  // MARK: Latency

  @Test("100 answers, 5 of them slow: the p95 is the 95th, and the promise is kept")
  func p95() throws {
    var log = Log()
    for index in 0..<100 {
      log.reply(
        Int64(index + 1) * 10 * Self.minute, index, ms: index % 20 == 19 ? 9000 : 1000 + index)
    }
    let promise = try promise(log) { $0.textMs = 8000 }
    #expect(promise.verdict == .kept && promise.n == 100 && promise.missed == 5)
    #expect(promise.value == .p95(1098) && promise.used == 1)
    #expect(promise.isComplete && promise.evidence.count == 5)
  }

  @Test("6 of 100 are too many")
  func broken() throws {
    var log = Log()
    for index in 0..<100 {
      log.reply(Int64(index + 1) * 10 * Self.minute, index, ms: index % 16 == 0 ? 9000 : 1000)
    }
    let promise = try promise(log) { $0.textMs = 8000 }
    #expect(promise.verdict == .broken && promise.missed == 7)
    #expect(
      PromiseText(promise).sentence
        == "7 of 100 text answers of 24h took longer than the promised 8.00s; 5% may.")
  }

  @Test("14 answers, the slowest 9.7 s: too few, and no percentile is shown")
  func few() throws {
    var log = Log()
    for index in 0..<14 {
      log.reply(Int64(index + 1) * Self.hour, index, ms: index == 3 ? 9700 : 1000)
    }
    let promise = try promise(log) { $0.textMs = 8000 }
    #expect(promise.verdict == .tooFew && promise.value == .worst(9700))
    #expect(PromiseText(promise).budget == "too few to tell: 14 of 59")
    #expect(PromiseText(promise).value == "worst 9.70s")
  }

  @Test("6 of 9 slow ones are enough: the interval of the share lies above 5 %")
  func fewButSure() throws {
    var log = Log()
    for index in 0..<9 {
      log.reply(Int64(index + 1) * Self.hour, index, ms: index < 6 ? 9700 : 1000)
    }
    #expect(try promise(log) { $0.textMs = 8000 }.verdict == .broken)
  }

  @Test("no row at all is not known, and not kept")
  func none() throws {
    let promise = try promise(Log()) { $0.textMs = 8000 }
    #expect(promise.verdict == .unknown && promise.value == nil)
  }

  @Test("spoken answers count once, by the complete stage, as the sum of the four stages")
  func voice() throws {
    var log = Log()
    for index in 0..<60 { log.spoken(Int64(index + 1) * Self.minute, ms: 1000 + index) }
    let promise = try promise(log) { $0.voiceMs = 2500 }
    #expect(promise.n == 60 && promise.verdict == .kept && promise.value == .p95(1056))
  }

  @Test("a reply that was logged twice counts once")
  func twice() throws {
    var log = Log()
    log.reply(Self.minute, 1, ms: 1000)
    log.reply(Self.minute - 5, 1, ms: 1000)
    #expect(try promise(log) { $0.textMs = 8000 }.n == 1)
  }

  @Test("rows come in any order: the same report")
  func order() throws {
    let times = (0..<80).map { Int64($0 + 1) * 9 * Self.minute }
    var reports: [Promise] = []
    for seed in 0..<5 {
      var log = Log()
      var generator = SeededGenerator(seed: UInt64(seed))
      for index in times.indices.shuffled(using: &generator) {
        log.reply(times[index], index, ms: 500 + index * 100)
      }
      var promise = try promise(log) { $0.textMs = 7000 }
      // Ids depend on the order of arrival.
      promise.evidence = []
      reports.append(promise)
    }
    #expect(Set(reports).count == 1)
  }

  // MARK: Burning

  @Test("a quarter of the budget within an hour burns, and says when the promise breaks")
  func burning() throws {
    var log = Log()
    // 400 answers of a quiet day, then 30 within the hour of which 10 are slow.
    for index in 0..<400 {
      log.reply(Self.hour + Int64(index + 1) * 3 * Self.minute, index, ms: 1000)
    }
    for index in 0..<30 {
      log.reply(Int64(index) * Self.minute + 1000, 1000 + index, ms: index < 10 ? 9000 : 1000)
    }
    let promise = try promise(log) { $0.textMs = 8000 }
    #expect(promise.verdict == .burning)
    #expect(promise.burn?.overMs == Self.hour && promise.burn?.threshold == 6)
    #expect(abs((promise.burn?.rate ?? 0) - 10 / 30 / 0.05) < 1e-9)
    let breach = try #require(promise.breachInMs)
    #expect(breach > Self.hour && breach < 4 * Self.hour)
    #expect(PromiseText(promise).sentence.contains("6.7x too fast (last 1h); broken in "))
  }

  @Test("the same hour burns no more once its last minutes are well")
  func burnt() throws {
    var log = Log()
    for index in 0..<400 {
      log.reply(Self.hour + Int64(index + 1) * 3 * Self.minute, index, ms: 1000)
    }
    for index in 0..<30 {
      log.reply(
        Int64(index) * Self.minute + 1000, 1000 + index, ms: index >= 20 ? 9000 : 1000)
    }
    #expect(try promise(log) { $0.textMs = 8000 }.verdict == .kept)
  }

  // MARK: Unanswered

  @Test("of 40 direct messages 3 had no answer; a skip on purpose is an answer")
  func unanswered() throws {
    var log = Log()
    for index in 0..<40 {
      let ago = Int64(index + 1) * 20 * Self.minute
      log.call(ago, index)
      if index % 4 == 0 {
        log.skip(ago - 4000, index)
      } else if ![5, 9, 13].contains(index) {
        log.reply(ago - 4000, index, ms: 3000)
      }
    }
    log.call(30_000, 100)  // still in time
    log.call(Self.hour, 101, isDirect: false)
    log.call(Self.hour, 102, allow: false)
    let share = try promise(log) { $0.unanswered = .share(0.05) }
    #expect(share.n == 40 && share.missed == 3 && share.verdict == .broken)
    #expect(
      PromiseText(share).sentence == "3 of 40 messages to the bot of 24h got no answer; 5% may.")
    let count = try promise(log) { $0.unanswered = .count(3) }
    #expect(count.value == .count(3) && count.verdict != .broken)
    #expect(try promise(log) { $0.unanswered = .count(2) }.verdict == .broken)
  }

  @Test("an answer that is read before the message counts all the same")
  func answerFirst() throws {
    var log = Log()
    log.reply(Self.hour, 7, ms: 1000)
    log.call(Self.hour + 1000, 7)
    let promise = try promise(log) { $0.unanswered = .count(0) }
    #expect(promise.n == 1 && promise.missed == 0 && promise.verdict == .kept)
  }

  // MARK: Cost and skips

  @Test("at noon $4 of $5 with $0.75 in the last hour: broken before midnight")
  func cost() throws {
    var log = Log()
    for index in 0..<10 { log.add(Int64(index) * 5 * Self.minute, "llm_call", usd: 0.075) }
    let promise = try promise(log, costToday: 4) { $0.costPerDayUSD = 5 }
    #expect(promise.verdict == .burning && promise.used == 0.8)
    #expect(abs((promise.burn?.rate ?? 0) - 0.75 * 24 / 5) < 1e-6)
    #expect(abs((promise.breachInMs ?? 0) - Int64(0.2 * 86_400_000 / 3.6)) < 10)
    #expect(try self.promise(log, costToday: 5.2) { $0.costPerDayUSD = 5 }.verdict == .broken)
    #expect(try self.promise(log, costToday: 1) { $0.costPerDayUSD = 5 }.verdict == .kept)
    #expect(try self.promise(log, costToday: nil) { $0.costPerDayUSD = 5 }.verdict == .unknown)
  }

  @Test("skips within, beyond and at the edge of the range")
  func skips() throws {
    func log(_ skips: Int, _ replies: Int) -> Log {
      var log = Log()
      for index in 0..<skips { log.skip(Int64(index + 1) * Self.minute, index) }
      for index in 0..<replies { log.reply(Int64(index + 1) * Self.minute, 500 + index, ms: 10) }
      return log
    }
    #expect(try promise(log(40, 60)) { $0.skip = 0.2...0.6 }.verdict == .kept)
    #expect(try promise(log(81, 19)) { $0.skip = 0.2...0.6 }.verdict == .broken)
    #expect(try promise(log(1, 60)) { $0.skip = 0.2...0.6 }.verdict == .broken)
    // 65 of 100 is 55 to 74 %: it may be 60.
    #expect(try promise(log(65, 35)) { $0.skip = 0.2...0.6 }.verdict == .tooFew)
    #expect(try promise(log(2, 3)) { $0.skip = 0.2...0.6 }.verdict == .tooFew)
  }

  @Test("rows that begin six hours ago: the window says so")
  func window() throws {
    var log = Log()
    for index in 0..<100 { log.reply(Int64(index + 1) * Self.minute, index, ms: 1000) }
    let part = try promise(log, covered: Self.nowMs - 6 * Self.hour) { $0.textMs = 8000 }
    #expect(!part.isComplete && PromiseText(part).window == "6h here")
    let unknown = try promise(log, covered: nil) { $0.textMs = 8000 }
    #expect(!unknown.isComplete && PromiseText(unknown).window == "the rows here")
    let whole = try promise(log) { $0.textMs = 8000 }
    #expect(whole.isComplete && PromiseText(whole).window == "24h")
  }

  @Test("Wilson's interval: 30 of 43 is 55 to 81 %, 1 of 5 is 4 to 62 %, 0 of 20 ends at 16 %")
  func wilson() {
    func percent(_ value: Double) -> Int { Int((value * 100).rounded()) }
    let some = ShareInterval(30, of: 43)
    #expect(percent(some.lower) == 55 && percent(some.upper) == 81)
    let few = ShareInterval(1, of: 5)
    #expect(percent(few.lower) == 4 && percent(few.upper) == 62)
    #expect(ShareInterval(0, of: 20).lower == 0 && percent(ShareInterval(0, of: 20).upper) == 16)
  }

  private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64
    init(seed: UInt64) { state = seed &* 2_862_933_555_777_941_757 &+ 1 }
    mutating func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
  }
}
