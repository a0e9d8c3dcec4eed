import CockpitDomain
import Networking
import ClankyWire
import Foundation
import Testing

@testable import CockpitStores

/// A bot's state is one value that one call brings up to date.
@MainActor
@Suite struct BotSessionTests {
  /// A backend that says what the test says.
  @MainActor
  private final class HandSource: Source {
    var status = SourceStatus()
    private(set) var requests: [RestRequest] = []
    private var answers: [(RestRequest, @MainActor (Result<RestAnswer, RestFailure>) -> Void)] = []
    private weak var sink: (any SourceSink)?
    private let clock: HandClock

    init(_ clock: HandClock) { self.clock = clock }

    func start(into sink: any SourceSink) { self.sink = sink }
    func stop() {}
    func retryNow() {}
    func tick() {}
    func reconcileNow() {}
    func fetchHistory(_ request: HistoryRequest) {}

    private final class Handle: RestHandle { func cancel() {} }

    func request(
      _ request: RestRequest,
      completion: @escaping @MainActor (Result<RestAnswer, RestFailure>) -> Void
    ) -> any RestHandle {
      requests.append(request)
      answers.append((request, completion))
      return Handle()
    }

    func live() {
      status.overall = .live
      status[.activity].state = .live
      status[.voice].state = .live
      sink?.receive(.status(status), at: time)
    }

    func fail(_ failure: LinkFailure) {
      status.overall = .reconnecting
      status.failure = failure
      sink?.receive(.status(status), at: time)
    }

    func rows(_ json: String) {
      Array(json.utf8).withUnsafeBytes {
        _ = sink?.ingest(RowBatch($0, source: .snapshot), at: time)
      }
    }

    func document(_ name: DocumentName, _ json: String) {
      Array(json.utf8).withUnsafeBytes { sink?.receive(.document(name, $0), at: time) }
    }

    /// Answers each request by its path.
    func answer(_ bodies: [String: String]) {
      while !answers.isEmpty {
        let (request, take) = answers.removeFirst()
        let path = request.target.segments.joined(separator: "/")
        take(
          .success(
            RestAnswer(
              status: bodies[path] == nil ? 404 : 200, body: Array((bodies[path] ?? "{}").utf8),
              latencyMs: 1)))
      }
    }

    private var time: ReceiveTime { ReceiveTime(clock) }
  }

  private struct Bot {
    let clock = HandClock()
    let source: HandSource
    let session: BotSession

    @MainActor init(address: String = "http://one") {
      source = HandSource(clock)
      session = BotSession(
        .init(address: address, memory: 1 << 20, isReadOnly: false, zone: .utc), source: source,
        storage: nil, clock: clock)
      session.start()
    }
  }

  /// A call with a cost, a reply to a named person, and a voice session, seconds ago.
  private static let rows: String = {
    let times = (1...3).map { WireTime(milliseconds: 1_795_249_990_000 + $0 * 1000).iso }
    return """
      [{"id":1,"created_at":"\(times[0])","kind":"llm_call","content":"openai",
      "usd_cost":0.25,"metadata":{"model":"m"}},
      {"id":2,"created_at":"\(times[1])","kind":"sent_reply","user_id":"47616",
      "content":"hi","metadata":{"displayName":"Nadia Vale"}},
      {"id":3,"created_at":"\(times[2])","kind":"voice_session_start","content":"x",
      "metadata":{"sessionId":"s1"}}]
      """
  }()

  @Test("one call brings rows, facts, voice sessions and costs up to date")
  func catchesUp() throws {
    let bot = Bot()
    bot.source.live()
    bot.source.rows(Self.rows)
    let replies = try Query.parse("kind:sent_reply", in: .utc)
    let shown = ShownData(feed: replies, facts: FactViewQuery(), hasVoice: true, hasCosts: true)
    while bot.session.catchUp(shown) {}
    #expect(bot.session.feed.query == replies)
    #expect(bot.session.feed.count == 1)
    #expect(bot.session.factView.query == FactViewQuery())
    #expect(bot.session.voice.record("s1") != nil)
    #expect(!bot.session.costs.byKind.isEmpty)
  }

  @Test("what is not shown is read behind a frame, names with it, and not behind the first")
  func readsBehind() {
    let bot = Bot()
    bot.source.live()
    bot.source.rows(Self.rows)
    bot.session.catchUpBehind(ShownData(), isFirst: true)
    #expect(bot.session.voice.record("s1") == nil)
    bot.session.catchUpBehind(ShownData())
    #expect(bot.session.voice.record("s1") != nil)
    #expect(bot.session.connection.names.users["47616"] == "Nadia Vale")
  }

  @Test("a single look knows as much as many frames do")
  func fully() {
    let once = Bot()
    let often = Bot()
    for bot in [once, often] {
      bot.source.live()
      bot.source.rows(Self.rows)
    }
    let shown = ShownData(hasVoice: true, hasCosts: true)
    once.session.catchUpFully(shown)
    for _ in 0..<10 {
      often.session.catchUp(shown)
      often.session.catchUpBehind(shown)
    }
    #expect(once.session.connection.names.users == often.session.connection.names.users)
    #expect(once.session.costs == often.session.costs)
    #expect(once.session.voice.log.records.keys == often.session.voice.log.records.keys)
    #expect(once.session.connection.names.users["47616"] == "Nadia Vale")
  }

  @Test("names of guilds and channels are requested once the backend is heard, and once only")
  func names() async {
    let bot = Bot()
    bot.session.names.catchUp(with: bot.session.activity.log)
    #expect(bot.source.requests.isEmpty)
    bot.source.live()
    bot.session.names.catchUp(with: bot.session.activity.log)
    bot.session.names.catchUp(with: bot.session.activity.log)
    #expect(bot.source.requests.map(\.target.segments) == [["api", "guilds"]])
    bot.source.answer([
      "api/guilds": #"[{"id":"g","name":"Harbour"}]"#,
      "api/guilds/g/channels": #"[{"id":"c","name":"ops"}]"#,
    ])
    #expect(bot.session.names.openRequests == 0)
    #expect(bot.session.connection.names.guilds == ["g": "Harbour"])
    #expect(bot.session.connection.names.channels == ["c": "ops"])
  }

  @Test("the first facts are waited for: rows, then statistics and voice state for a moment")
  func firstFacts() async {
    let bot = Bot()
    let waiting = Task { @MainActor in await bot.session.firstFacts() }
    await Task.yield()
    bot.source.live()
    bot.source.rows(Self.rows)
    await Self.settle()
    bot.clock.advance(seconds: 4)
    #expect(await waiting.value == nil)
  }

  @Test("without rows the first failure ends the wait, and without either the time does")
  func noFirstFacts() async {
    let bot = Bot()
    let waiting = Task { @MainActor in await bot.session.firstFacts() }
    await Self.settle()
    bot.source.fail(.timedOut(.connect))
    #expect(await waiting.value == .timedOut(.connect))

    let silent = Bot()
    let silence = Task { @MainActor in await silent.session.firstFacts() }
    await Self.settle()
    silent.clock.advance(seconds: 20)
    #expect(await silence.value == .timedOut(.snapshot))
  }

  @Test("two sessions share nothing")
  func several() {
    let (one, two) = (Bot(), Bot(address: "http://two"))
    one.source.live()
    one.source.rows(Self.rows)
    for bot in [one, two] { bot.session.catchUpFully(ShownData(hasVoice: true, hasCosts: true)) }
    #expect(one.session.activity.log.count == 3)
    #expect(two.session.activity.log.count == 0)
    #expect(two.session.connection.names.users.isEmpty)
    #expect(two.session.voice.log.records.isEmpty)
    #expect(two.session.connection.status.overall == .connecting)
    #expect(two.session.connection.address == "http://two")
  }

  /// Lets tasks that are ready run.
  private static func settle() async { for _ in 0..<20 { await Task.yield() } }
}
