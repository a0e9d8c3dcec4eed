import CockpitDomain
import CockpitHistory
import CockpitPanes
import CockpitRules
import CockpitShell
import CockpitStores
import Foundation
import LenientJSON
import Networking
import TerminalCore
import TerminalUI
import Testing

@testable import CockpitSession
@testable import HistorySource

/// A backend that says what it is told to say.
@MainActor private final class ScriptedSource: Source {
  private let clock: ReplayClock
  private(set) weak var sink: (any SourceSink)?

  init(_ clock: ReplayClock) { self.clock = clock }

  var status: SourceStatus { RecordedStatus.status(of: nil, nowMs: clock.wallMs) }
  func start(into sink: any SourceSink) {
    self.sink = sink
    tell(.status(status))
  }
  func stop() { sink = nil }
  func retryNow() {}
  func tick() {}
  func reconcileNow() {}
  func fetchHistory(_ request: HistoryRequest) {}

  func tell(_ event: SourceEvent) { sink?.receive(event, at: ReceiveTime(clock)) }

  private final class Handle: RestHandle { func cancel() {} }

  func request(
    _ request: RestRequest,
    completion: @escaping @MainActor (Result<RestAnswer, RestFailure>) -> Void
  ) -> any RestHandle {
    let isRecorded = RecordedRoutes.name(of: request, recordsOwnerPrivate: false) != nil
    let body = isRecorded ? Recorded.answers[request.target.description] : nil
    let answer: Result<RestAnswer, RestFailure> =
      body.map { .success(RestAnswer(status: 200, body: $0, latencyMs: 0)) }
      ?? .failure(RestFailure(failure: .notRecorded, mayHaveArrived: false))
    Task { @MainActor in
      tell(.answer(request, answer))
      completion(answer)
    }
    return Handle()
  }
}

private final class StillClock: LinkClock {
  private final class Timer: LinkTimer { func cancel() {} }
  let nowNs: UInt64 = 1_000_000_000
  let wallMs: Int64 = 1_800_000_000_000
  func schedule(
    afterNs delayNs: UInt64, _ body: @escaping @MainActor () -> Void
  ) -> any LinkTimer {
    if delayNs == 0 { Task { @MainActor in body() } }
    return Timer()
  }
}

/// The screen at a time in the past against the screen that was there at that time, cell by cell.
@MainActor @Suite(.enabled(if: Recorded.folder != nil), .serialized) struct ReplayEqualsLiveTests {
  private static let size = Size(width: 160, height: 50)

  private func settings() throws -> Settings {
    let environment = Environment(
      arguments: [], variables: ["HOME": "/nowhere", "TZ": "UTC"],
      output: Output(.function { _ in }, variables: [:], areTerminals: (false, false)),
      terminals: .init(input: false, output: false, error: false), readLine: { nil },
      end: { _ in })
    return try Settings(GivenOptions(), in: environment)
  }

  /// The five tabs as one look at a model shows them.
  private func frames(_ model: CockpitModel) async -> [Tab: Canvas] {
    var frames: [Tab: Canvas] = [:]
    for tab in Tab.allCases {
      var shell = CockpitShell(tab: tab, size: Self.size)
      var frame = Frame(size: Self.size)
      // What a frame asks for may make the next one ask for more.
      for _ in 0..<5 {
        model.bot.catchUpFully(shell.shown)
        model.judgeFully()
        let facts = self.facts(model)
        _ = shell.update(facts, size: Self.size)
        frame = shell.render(facts, size: Self.size)
        model.bot.fetch(shell.needs(facts))
        for _ in 0..<40 { await Task.yield() }
      }
      frames[tab] = frame.canvas
    }
    return frames
  }

  /// Both say that they are of the past, so that what is compared is what they show of the bot.
  private func facts(_ model: CockpitModel) -> ViewContext {
    var facts = model.facts
    // This program's own figures, and the highlight of what has just come, are of the live screen alone.
    facts.client = ClientFigures()
    _ = model.bot.actions.dropStale(atNs: .max, within: 0)
    facts.replay = .still(atMs: facts.nowMs, liveMs: facts.nowMs + 60_000)
    return facts
  }

  private func text(_ canvas: Canvas) -> [String] {
    (0..<canvas.size.height).map { canvas.text(row: $0) }
  }

  private nonisolated static let isLong =
    ProcessInfo.processInfo.environment["CLANKY_LONG_TESTS"] != nil
  /// Times of each stream and seed.
  private nonisolated static let times = isLong ? 110 : 20

  /// Only one time of each second can be compared, and the captures have some 130 seconds: each
  /// seed takes other times.
  @Test(
    "at random times all tabs are what they were", arguments: ["activity", "voice"],
    isLong ? [11, 12, 13, 14] : [11])
  func equal(stream: String, seed: UInt64) async throws {
    let events = try Recorded.events(stream)
    let folder =
      FileManager.default.temporaryDirectory.path + "/eq-\(UInt64.random(in: 0 ... .max))"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let settings = try settings()
    let real = StillClock()
    let clock = ReplayClock(atMs: events.first?.atMs ?? 0, real: real)
    let source = ScriptedSource(clock)
    let live = CockpitModel(
      OpenedSource(recorded: source, name: "bot", settings: settings, clock: clock))
    let recorder = HistoryRecorder(
      folder: folder,
      RecorderSettings(
        keepMs: nil, maxBytes: nil, windowMs: 5, what: "test", version: "0", bot: "b")
    ) { events.first?.atMs ?? 0 }
    let feed = RecorderFeed(recorder, recordsOwnerPrivate: false)
    live.bot.record(with: [feed], rows: feed.rowObserver)
    live.bot.start()
    // A backend proves with its first list that no row is missing; rates rest on it.
    source.tell(.proven(RowClaim(kinds: nil, guild: nil, fromMs: clock.wallMs - 3_600_000)))

    var generator = Seeded(state: seed)
    let share = Self.isLong ? events.count / 3 : 4 * Self.times
    let chosen = Set((0..<events.count).shuffled(using: &generator).prefix(share))
    var seen: [(atMs: Int64, frames: [Tab: Canvas])] = []
    var lastStatsMs: Int64 = 0
    for (index, event) in events.enumerated() {
      clock.advance(toMs: max(event.atMs, event.createdMs ?? 0))
      event.data.withUnsafeBytes { bytes in
        switch event.name {
        case "stats_update":
          // More are not recorded.
          guard clock.wallMs - lastStatsMs >= 3000 else { return }
          lastStatsMs = clock.wallMs
          source.tell(.document(.stats, bytes))
        case "voice_state": source.tell(.document(.voiceState, bytes))
        case "action_event": source.tell(.row(bytes, from: .activity))
        case "voice_event": source.tell(.row(bytes, from: .voice))
        default: break
        }
      }
      // By the clock of the bot, what comes later may have been there already: a row that was created by then, a
      // document of the same millisecond.
      let isSettled = events.dropFirst(index + 1).prefix(50).allSatisfy {
        ($0.createdMs ?? $0.atMs) > clock.wallMs
      }
      // Costs are summed once a second: a second look in the same one shows those of the first.
      let isNew = seen.last.map { $0.atMs / 1000 < clock.wallMs / 1000 } ?? true
      guard chosen.contains(index), isSettled, isNew, seen.count < Self.times else { continue }
      seen.append((clock.wallMs, await frames(live)))
    }
    recorder.stop(waiting: 60)
    #expect(recorder.state.lostRows == 0)
    for (atMs, _) in seen { print("compared at \(atMs) of \(stream)") }
    #expect(seen.count >= (Self.isLong ? 20 : Self.times / 3), "\(seen.count) times")

    let history = try HistoryFolder(folder)
    try compareIncidents(
      live, history, settings, fromMs: events.first?.atMs ?? 0, toMs: clock.wallMs, stream)
    var different = 0
    for (atMs, expected) in seen {
      let moment = PastMoment(history, atMs: atMs, name: "bot", settings: settings, real: real)
      moment.model.bot.start()
      let shown = await frames(moment.model)
      for tab in Tab.allCases {
        guard let before = expected[tab], let after = shown[tab], before != after else { continue }
        different += 1
        guard different <= 6 else { continue }
        let lines = zip(text(before), text(after)).filter { $0 != $1 }.prefix(8)
        Issue.record(
          """
          \(stream) at \(atMs), \(tab): \
          \(lines.isEmpty ? "other colours" : "")
          \(lines.map { "was \($0)\nnow \($1)" }.joined(separator: "\n"))
          """)
      }
    }
    #expect(different == 0, "\(different) of \(seen.count * 5) screens differ")
  }

  /// What the rules found live is what they find in the recording, and in the past that is played.
  private func compareIncidents(
    _ live: CockpitModel, _ history: any HistoryReading, _ settings: Settings, fromMs: Int64,
    toMs: Int64, _ stream: String
  ) throws {
    live.judgeFully()
    // A deadline of the last seconds passes live when rows that are on their way have come.
    let endMs = toMs - RuleFollower.graceMs
    func told(_ report: IncidentReport) -> [String] {
      report.incidents.filter { $0.toMs <= endMs }.map {
        "\($0.id) \($0.rule.rawValue) x\($0.count)"
      }
      .sorted()
    }
    let scanned = try IncidentScan(settings.rules).report(history, fromMs: fromMs, toMs: endMs)
    #expect(told(scanned) == told(live.incidents))
    // However fast it is played: rows come in small pieces or in large ones.
    func played(from beginMs: Int64, stepMs: Int64) -> [String] {
      let moment = PastMoment(
        history, atMs: beginMs, name: "bot", settings: settings, real: StillClock())
      moment.model.bot.start()
      var at = beginMs
      while at < toMs {
        at = min(toMs, at + stepMs)
        moment.source.play(toMs: at)
        moment.model.judgeFully()
      }
      return told(moment.model.incidents)
    }
    #expect(played(from: fromMs, stepMs: 1000) == told(scanned))
    #expect(played(from: fromMs, stepMs: 64_000) == told(scanned))
    // Back to the middle, and on from there.
    #expect(played(from: (fromMs + toMs) / 2, stepMs: 5000) == told(scanned))
    print("incidents of \(stream): \(told(scanned))")
  }

  private struct Seeded: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }
}
