import CockpitDomain
import CockpitHistory
import CockpitPanes
import CockpitStores
import Foundation
import HistorySource
import Networking
import Synchronization
import Testing

@testable import CockpitSession

/// The past that another machine has, on the screen: what is asked while a frame is made is there already.
@MainActor @Suite struct PastStretchTests {
  private nonisolated static let startMs: Int64 = 1_790_000_000_000
  private let folder: String
  private let history: HistoryFolder

  /// A row a second, a document each ten, for half an hour.
  init() throws {
    folder =
      FileManager.default.temporaryDirectory.path + "/stretch-\(UInt64.random(in: 0 ... .max))"
    let recorder = HistoryRecorder(
      folder: folder,
      RecorderSettings(
        keepMs: nil, maxBytes: nil, windowMs: 5, syncMs: nil, what: "test", version: "0",
        bot: "http://127.0.0.1:1")
    ) { Self.startMs }
    for number in 0..<1800 {
      let atMs = Self.startMs + Int64(number) * 1000
      let day = Date(timeIntervalSince1970: Double(atMs / 1000)).formatted(.iso8601).dropLast()
      let kind = number % 100 == 50 ? "bot_error" : "llm_call"
      let row =
        #"{"kind":"\#(kind)","content":"row \#(number)","createdAt":"\#(day).000Z","metadata":{}}"#
      Array(row.utf8).withUnsafeBytes {
        recorder.row(number: number, receivedMs: atMs, channels: .activity, json: $0)
      }
      guard number % 10 == 0 else { continue }
      Array(#"{"number":\#(number)}"#.utf8).withUnsafeBytes {
        recorder.document(name: "stats", atMs: atMs, receivedMs: atMs, body: $0)
      }
      recorder.link(
        .state, atMs: atMs, receivedMs: atMs,
        value: Array(#"{"state":"\#(number % 20 == 0 ? "live" : "stale")"}"#.utf8))
    }
    recorder.outage(
      RecordedOutage(
        fromMs: Self.startMs + 600_200, toMs: Self.startMs + 600_800, reason: .lineDown))
    recorder.stop(waiting: 60)
    history = try HistoryFolder(folder)
  }

  @Test("it gives the answers of the history at its place and after it, and reads on")
  func answers() throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let atMs = Self.startMs + 900_500
    let window = atMs - 1_800_000...atMs + 1_800_000
    let stretch = try PastStretch(history, atMs: atMs, window: window)
    for ms in [atMs, atMs + 61_000, atMs + 299_000] {
      #expect(stretch.holds(ms))
      #expect(
        try stretch.rows(notAfterMs: ms, limit: 10_000, skipping: 0)
          == history.rows(notAfterMs: ms, limit: 10_000, skipping: 0))
      #expect(
        try stretch.document("stats", notAfterMs: ms) == history.document("stats", notAfterMs: ms))
      #expect(
        try stretch.link(.state, notAfterMs: ms) == history.link(.state, notAfterMs: ms))
      #expect(
        try stretch.rows(after: ms - 60_000, through: ms, limit: 20)
          == history.rows(after: ms - 60_000, through: ms, limit: 20))
      #expect(
        try stretch.documents(after: ms - 100_000, through: ms)
          == history.documents(after: ms - 100_000, through: ms))
    }
    #expect(
      try stretch.outages(after: 0, through: .max) == history.outages(after: 0, through: .max))
    #expect(
      try stretch.density(
        after: window.lowerBound, through: window.upperBound, buckets: Replay.partCount)
        == history.density(
          after: window.lowerBound, through: window.upperBound, buckets: Replay.partCount))
    #expect(!stretch.holds(atMs - 1) && !stretch.holds(atMs + 301_000))
    try stretch.extend(history)
    #expect(stretch.holds(atMs + 301_000))
    #expect(
      try stretch.rows(notAfterMs: .max, limit: 10_000, skipping: 0)
        == history.rows(notAfterMs: stretch.throughMs, limit: 10_000, skipping: 0))
  }

  @Test("opening, moving, jumping, playing and drawing ask nothing on the main thread")
  func aside() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let far = FarHistory(history)
    let environment = Environment(
      arguments: [], variables: ["HOME": "/nowhere", "TZ": "UTC"],
      output: Output(.function { _ in }, variables: [:], areTerminals: (false, false)),
      terminals: .init(input: false, output: false, error: false), readLine: { nil },
      end: { _ in })
    let settings = try Settings(GivenOptions(), in: environment)
    let clock = EndOfRecording(
      atMs: Self.startMs + 1_799_000,
      real: ReplayClock(
        atMs: Self.startMs, real: NoTimers()))
    let opened = OpenedSource(
      recorded: SilentSource(clock: clock), name: "far", settings: settings, clock: clock)
    let live = CockpitModel(opened)
    let replay = try await Replay.open(
      Replay.Part("far", far, opened: opened, live: live), atMs: Self.startMs + 900_500)
    _ = replay.state
    #expect(replay.state.origin == "team history")
    #expect(replay.model.bot.activity.log.count == 901)
    // The newest wish counts.
    _ = replay.perform(.seek(ms: Self.startMs + 100_500))
    #expect(replay.state.isReading)
    _ = replay.perform(.seek(ms: Self.startMs + 300_500))
    await arrival(replay)
    #expect(replay.atMs == Self.startMs + 300_500)
    #expect(replay.model.bot.activity.log.count == 301)
    _ = replay.perform(.jump(.error, isOlder: true))
    await arrival(replay)
    #expect(replay.atMs == Self.startMs + 250_000)
    _ = replay.perform(.step(isOlder: false))
    #expect(replay.atMs == Self.startMs + 251_000)
    replay.play(speed: 64)
    _ = replay.play(byNs: 1_000_000_000)
    #expect(replay.atMs > Self.startMs + 251_000)
    _ = replay.state
    #expect(far.callsOnMain == 0)
  }

  private func arrival(_ replay: Replay) async {
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      wait(replay, done)
    }
  }

  private func wait(_ replay: Replay, _ done: CheckedContinuation<Void, Never>) {
    replay.onArrival = { [weak replay] in
      guard let replay else { return done.resume() }
      // What was looked for may have to be read.
      if replay.isReading { return self.wait(replay, done) }
      replay.onArrival = nil
      done.resume()
    }
  }
}

private final class NoTimers: LinkClock {
  private final class Timer: LinkTimer { func cancel() {} }
  let nowNs: UInt64 = 0
  let wallMs: Int64 = 0
  func schedule(
    afterNs delayNs: UInt64, _ body: @escaping @MainActor () -> Void
  ) -> any LinkTimer { Timer() }
}

/// A history that counts who asks it on the main thread.
private final class FarHistory: HistoryReading {
  private let near: HistoryFolder
  private let calls = Mutex(0)
  var callsOnMain: Int { calls.withLock { $0 } }

  init(_ near: HistoryFolder) { self.near = near }

  private var counted: HistoryFolder {
    if Thread.isMainThread { calls.withLock { $0 += 1 } }
    return near
  }

  var damage: HistoryDamage { HistoryDamage() }
  func origin(atMs: Int64) -> String? { "team history" }
  func span() throws(HistoryError) -> ClosedRange<Int64>? { try counted.span() }
  func rows(
    notAfterMs: Int64, limit: Int, skipping: Int
  ) throws(HistoryError) -> [RecordedRow] {
    try counted.rows(notAfterMs: notAfterMs, limit: limit, skipping: skipping)
  }
  func rows(before: HistoryPlace, limit: Int) throws(HistoryError) -> [RecordedRow] {
    try counted.rows(before: before, limit: limit)
  }
  func rows(after: Int64, through: Int64, limit: Int) throws(HistoryError) -> [RecordedRow] {
    try counted.rows(after: after, through: through, limit: limit)
  }
  func sessionRows(
    _ session: String, notAfterMs: Int64, limit: Int
  ) throws(HistoryError) -> [RecordedRow] {
    try counted.sessionRows(session, notAfterMs: notAfterMs, limit: limit)
  }
  func row(actionID: Int) throws(HistoryError) -> RecordedRow? {
    try counted.row(actionID: actionID)
  }
  func document(_ name: String, notAfterMs: Int64) throws(HistoryError) -> RecordedDocument? {
    try counted.document(name, notAfterMs: notAfterMs)
  }
  func documentNames(notAfterMs: Int64) throws(HistoryError) -> [String] {
    try counted.documentNames(notAfterMs: notAfterMs)
  }
  func documents(after: Int64, through: Int64) throws(HistoryError) -> [RecordedDocument] {
    try counted.documents(after: after, through: through)
  }
  func links(after: Int64, through: Int64) throws(HistoryError) -> [RecordedLink] {
    try counted.links(after: after, through: through)
  }
  func link(_ what: RecordedLink.What, notAfterMs: Int64) throws(HistoryError) -> RecordedLink? {
    try counted.link(what, notAfterMs: notAfterMs)
  }
  func outages(after: Int64, through: Int64) throws(HistoryError) -> [RecordedOutage] {
    try counted.outages(after: after, through: through)
  }
  func density(
    after: Int64, through: Int64, buckets: Int
  ) throws(HistoryError) -> [DensityBucket] {
    try counted.density(after: after, through: through, buckets: buckets)
  }
  func next(_ what: HistoryMark, from: Int64, isOlder: Bool) throws(HistoryError) -> Int64? {
    try counted.next(what, from: from, isOlder: isOlder)
  }
  func marks() throws(HistoryError) -> [HistoryNotes.Mark] { try counted.marks() }
  func pins() throws(HistoryError) -> [HistoryNotes.Pin] { try counted.pins() }
  func search(_ query: HistorySearch, limit: Int) throws(HistoryError) -> HistoryHits {
    try counted.search(query, limit: limit)
  }
}
