package import CockpitDomain
package import CockpitHistory
internal import LenientJSON
package import Networking

/// A recorded history as a source: at its start it gives the sink what was so at the time of its clock, and
/// `play` what came after it. It asks nobody: a request is answered with what was recorded for it.
@MainActor
package final class HistorySource: Source {
  /// How many rows stand behind the playhead: reading them and taking them in takes some 40 ms.
  package nonisolated static let rowCount = 10_000
  /// From how long ago, and how many, voice states are restored: each takes a millisecond.
  private static let voiceStateMs: Int64 = 120_000
  private static let voiceStates = 20
  /// Rows of one step of `play`.
  private static let playedRows = 5000

  private let history: any HistoryReading
  private let clock: ReplayClock
  private let rowLimit: Int
  private weak var sink: (any SourceSink)?
  private let answers: DeferredAnswers
  package private(set) var status = SourceStatus()
  /// Why something could not be read; the rest is there.
  package private(set) var problem: HistoryError?
  /// The oldest row that the sink has; nil if it has none.
  package private(set) var oldest: HistoryPlace?
  /// Whether the history has no older rows than the sink.
  private var isWhole = false

  /// - Parameters:
  ///   - clock: stands at the time that is to be shown.
  ///   - rows: how many rows before that time are read at the start.
  package init(
    _ history: any HistoryReading, clock: ReplayClock, rows: Int = HistorySource.rowCount
  ) {
    self.history = history
    self.clock = clock
    answers = DeferredAnswers(clock: clock)
    rowLimit = rows
  }

  package func start(into sink: any SourceSink) {
    guard self.sink == nil else { return }
    self.sink = sink
    read { () throws(HistoryError) in try restore() }
  }

  package func stop() {
    answers.cancel()
    sink = nil
  }

  package func retryNow() {}
  package func tick() {}
  package func reconcileNow() {}

  /// Reads older rows until those of the request are there: the kinds are not told apart.
  package func fetchHistory(_ request: HistoryRequest) {
    guard !status.history.isDone(request) else { return }
    read { () throws(HistoryError) in
      while let oldest, oldest.atMs > request.sinceMs {
        let rows = try history.rows(before: oldest, limit: rowLimit)
        let wanted = rows.prefix { $0.atMs >= request.sinceMs }
        give(wanted.reversed())
        isWhole = rows.count < rowLimit && wanted.count == rows.count
        guard let last = wanted.last else { break }
        self.oldest = last.place
        guard wanted.count == rows.count, !isWhole else { break }
      }
      try claim(sinceMs: request.sinceMs)
    }
    status.history.done.append(request)
    say(status: status)
  }

  // MARK: The state at the start

  private func restore() throws(HistoryError) {
    let nowMs = clock.wallMs
    say(status: try recordedStatus(notAfterMs: nowMs))
    let rows = try history.rows(notAfterMs: nowMs, limit: rowLimit, skipping: 0)
    give(rows.reversed())
    oldest = rows.last?.place
    isWhole = rows.count < rowLimit
    try claim(sinceMs: nil)
    for name in DocumentName.allCases {
      guard let document = try history.document(name.rawValue, notAfterMs: nowMs) else { continue }
      if name == .voiceState {
        for earlier in try voiceStates(before: document) { give(earlier) }
      }
      give(document)
    }
  }

  /// The voice states of the last minutes that brought new prompts: a prompt is compared with the one before it.
  private func voiceStates(
    before last: RecordedDocument
  ) throws(HistoryError) -> ArraySlice<RecordedDocument> {
    var stamps: PromptStamps?
    return try history.documents(after: last.atMs - Self.voiceStateMs, through: last.atMs)
      .filter { document in
        guard document.name == last.name, document.seq < last.seq else { return false }
        let own = PromptStamps(document.body)
        defer { stamps = own }
        return own != stamps
      }.suffix(Self.voiceStates)
  }

  /// Says from when on no row is missing among those that were given: what the live source had proven, as far as
  /// rows are here and nothing is missing since.
  ///
  /// - Parameter sinceMs: all rows since then were given; nil if only those since the oldest one.
  private func claim(sinceMs: Int64?) throws(HistoryError) {
    let nowMs = clock.wallMs
    // Rows of the oldest millisecond may have been cut off.
    let cutMs = (oldest?.atMs ?? nowMs) + 1
    var beginMs = isWhole ? Int64.min : min(sinceMs ?? cutMs, cutMs)
    for outage in try history.outages(after: max(0, beginMs), through: nowMs) {
      beginMs = max(beginMs, min(outage.toMs, nowMs))
    }
    for claim in try provenClaims() where claim.fromMs <= nowMs {
      let shown = RowClaim(
        kinds: claim.kinds, guild: claim.guild, fromMs: max(claim.fromMs, beginMs))
      sink?.receive(.proven(shown), at: ReceiveTime(clock))
    }
  }

  /// How far around the playhead claims count: a recorder makes its claims anew at each start, and the rows of before
  /// come with it.
  private static let claimReachMs: Int64 = 2 * 86_400_000

  private func provenClaims() throws(HistoryError) -> [RowClaim] {
    let nowMs = clock.wallMs
    return try history.links(
      after: nowMs - Self.claimReachMs, through: nowMs + Self.claimReachMs
    ).compactMap { link in
      guard link.what == .proven, let json = try? JSONValue.parse(link.value),
        let fromMs = json["from_ms"]?.int
      else { return nil }
      let kinds = json["kinds"]?.array.map { Set($0.compactMap(\.string)) }
      return RowClaim(kinds: kinds, guild: json["guild"]?.string, fromMs: Int64(fromMs))
    }
  }

  /// What was known of the connection: live, unless it was recorded otherwise.
  private func recordedStatus(notAfterMs ms: Int64) throws(HistoryError) -> SourceStatus {
    let outage = try history.outages(after: ms - 1, through: ms).last
    if let outage, outage.toMs > ms { return RecordedStatus.status(of: outage) }
    return RecordedStatus.status(of: try history.link(.state, notAfterMs: ms), nowMs: ms)
  }

  // MARK: Playing on

  /// Gives the sink what happened up to a time, in the order of time, and moves the clock there.
  ///
  /// - Parameter isWanted: asked between the steps; false ends early, and the clock stands where it ended.
  package func play(toMs: Int64, isWanted: () -> Bool = { true }) {
    read { () throws(HistoryError) in
      while clock.wallMs < toMs, isWanted() {
        let fromMs = clock.wallMs
        let rows = try history.rows(after: fromMs, through: toMs, limit: Self.playedRows)
        let endMs = rows.count < Self.playedRows ? toMs : rows.last?.atMs ?? toMs
        try give(rows, and: history.documents(after: fromMs, through: endMs))
        clock.advance(toMs: endMs)
        var status = try recordedStatus(notAfterMs: endMs)
        status.history = self.status.history
        if status != self.status { say(status: status) }
      }
    }
  }

  /// Rows and documents, by time.
  private func give(
    _ rows: [RecordedRow], and documents: [RecordedDocument]
  ) throws(HistoryError) {
    var documents = documents[...]
    for row in rows {
      while let document = documents.first, document.atMs < row.atMs {
        clock.advance(toMs: document.atMs)
        give(document)
        documents.removeFirst()
      }
      clock.advance(toMs: row.atMs)
      give([row])
    }
    for document in documents {
      clock.advance(toMs: document.atMs)
      give(document)
    }
  }

  // MARK: To the sink

  private func give(_ rows: some Sequence<RecordedRow>) {
    for row in rows {
      let time = ReceiveTime(wallMs: row.atMs, ns: ReplayClock.ns(row.atMs))
      row.json.withUnsafeBytes { bytes in
        sink?.receive(
          .restored(bytes, actionID: row.actionID, origins: row.channels), at: time)
      }
    }
  }

  private func give(_ document: RecordedDocument) {
    guard let name = DocumentName(rawValue: document.name) else { return }
    let time = ReceiveTime(wallMs: document.atMs, ns: ReplayClock.ns(document.atMs))
    document.body.withUnsafeBytes { sink?.receive(.document(name, $0), at: time) }
  }

  private func say(status: SourceStatus) {
    self.status = status
    sink?.receive(.status(status), at: ReceiveTime(clock))
  }

  private func read(_ body: () throws(HistoryError) -> Void) {
    do { try body() } catch { problem = error }
  }

  // MARK: Requests

  /// Answers a GET with the last answer that was recorded for it; everything else is refused.
  @discardableResult
  package func request(
    _ request: RestRequest,
    completion: @escaping @MainActor (Result<RestAnswer, RestFailure>) -> Void
  ) -> any RestHandle {
    answers.give(answer(to: request)) { [weak self] answer in
      guard let self else { return }
      sink?.receive(.answer(request, answer), at: ReceiveTime(clock))
      completion(answer)
    }
  }

  private func answer(to request: RestRequest) -> Result<RestAnswer, RestFailure> {
    let refusal = RestFailure(failure: .notRecorded, mayHaveArrived: false)
    guard request.method == .get else { return .failure(refusal) }
    do {
      let name = "GET " + request.target.description
      guard let document = try history.document(name, notAfterMs: clock.wallMs) else {
        return .failure(refusal)
      }
      return .success(RestAnswer(status: 200, body: document.body, latencyMs: 0))
    } catch {
      problem = error
      return .failure(refusal)
    }
  }
}
