import ClankySource
import CockpitSession
import CockpitText
import CurlTransport
import CockpitDomain
import Networking
import ClankyWire
import CockpitStores
import Foundation
import LenientJSON
import TerminalCore

/// Prints link events as lines on stdout. Each action appears once: the same log as the cockpit's
/// separates twins from new rows.
@MainActor
final class TailSink: SourceSink {
  enum Format { case json, plain, raw }
  enum End {
    case ended
    case failed(LinkFailure)
  }

  weak var link: Link?
  private let format: Format
  private let filter: Query
  /// Only actions of this guild; nil for all. The streams bring those of all guilds.
  private let guild: String?
  private let limit: Int?
  private let since: HistoryDuration?
  private let stream: StreamChoice
  private var horizon: TailHorizon
  private let store: ActivityStore
  private let clockFormat: ClockFormat
  private let clock: any LinkClock
  private let process: Environment
  private let output: LineBuffer
  private let startNs: UInt64
  /// Names of users from rows and voice state.
  private let people = ConnectionStore(address: "")
  private let nameRequests = NameRequests(readsVoice: true)
  private var names: NameTable { people.names }
  private var status = SourceStatus()
  private var hasHistory = false
  /// Rows of received lists that are not printed yet.
  private var batch: [Range<RowID>] = []
  /// Output waits until the rows requested by `--since` have arrived.
  private var isHolding = false
  private var heldLines: [[UInt8]] = []
  /// How the stream ended while output was waiting.
  private var heldEnd: End?
  private var words = ConnectionWords()
  /// The last reported loss of unreadable rows.
  private var lastLoss: String?
  private var hasBeenLive = false
  private var hasAnswered = false
  private let isOnce: Bool
  /// How long to retry a failing first connection.
  private let wait: HistoryDuration?
  private var waitTimer: (any LinkTimer)?
  private var isWaiting: Bool
  private var done: (@MainActor (End) -> Void)?
  /// Fetches the rows for `--since`.
  private var past: Task<Void, Never>?

  init(
    _ stream: StreamChoice, format: Format, filter: Query, guild: String?, limit: Int?,
    since: HistoryDuration?,
    once: Bool, wait: HistoryDuration?, memory: Int, clockFormat: ClockFormat, clock: any LinkClock,
    in process: Environment
  ) {
    self.process = process
    output = LineBuffer(process.output, on: process.scope?.loop ?? process.loop)
    self.stream = stream
    horizon = TailHorizon(of: stream)
    isOnce = once
    self.wait = wait
    isWaiting = wait != nil
    self.format = format
    self.filter = filter
    self.guild = guild
    self.limit = limit
    self.since = since
    self.clock = clock
    startNs = clock.nowNs
    store = ActivityStore(memory: memory)
    self.clockFormat = clockFormat
  }

  /// Starts the link and waits until the stream has ended for good.
  func run(_ link: Link) async -> End {
    defer { past?.cancel() }
    return await awaitCallback(ifCancelled: .ended) { done in
      self.done = done
      if let wait {
        let ns = Nanoseconds.milliseconds(UInt64(wait.milliseconds))
        waitTimer = clock.schedule(afterNs: ns) { [weak self] in self?.waitIsOver() }
      }
      link.start(into: self)
    }
  }

  /// Ends the command unless an attempt is under way that may still succeed: then that decides.
  private func waitIsOver() {
    isWaiting = false
    if let end = end(of: status) { conclude(end) }
  }

  /// Reports the end, which the link itself does only if it stopped retrying.
  private func conclude(_ end: End) {
    if format == .json, status.overall != .stopped {
      var stopped = status
      stopped.overall = .stopped
      say(stopped)
    }
    finish(end)
  }

  private func finish(_ end: End) {
    batchAccepted()
    guard !isHolding else {
      heldEnd = end
      return
    }
    output.flush()
    done?(end)
    done = nil
  }

  // MARK: Rows

  var knownRows: (any KnownRows)? { store }

  func ingest(_ batch: RowBatch, at time: ReceiveTime) -> RowReport {
    let report =
      batch.carriesStats
      ? store.applySnapshot(batch.json, nowMs: time.wallMs)
      : store.applyRows(batch.json, nowMs: time.wallMs)
    if let stats = report.stats {
      payload(.stats, "activity_snapshot", UnsafeRawBufferPointer(rebasing: batch.json[stats]))
    }
    sayWhatIsLost(report, batch.carriesStats ? "activity_snapshot" : "actions")
    take(report)
    return RowReport(report)
  }

  func receive(_ event: SourceEvent, at time: ReceiveTime) {
    switch event {
    case .row(let json, let stream): take(row: json, from: stream, at: time)
    case .document(.stats, let json): payload(.stats, "stats_update", json)
    case .document(.voiceState, let json):
      learnPeople(json)
      payload(.voiceState, "voice_state", json)
    case .status(let status): take(status)
    case .streamEnded(let stream, let lastEventID, let retryMs):
      streamEnded(stream, lastEventID: lastEventID, retryMs: retryMs)
    case .gap(.missing(let gap)): say(gap)
    case .logReplaced: logReplaced()
    case .batchAccepted: batchAccepted()
    case .rejected(let stream, let name, let reason): reject(stream, name, reason)
    case .raw(_, let name, let data, let lastEventID): writeRaw(name, data, lastEventID)
    case .repeated, .answer, .proven: break
    case .gap(.filled), .gap(.closed), .gap(.confirmed): break
    case .gap(.fetching), .gap(.fetched), .gap(.unresolved): break
    }
  }

  /// A batch of the log. With the first one the stream begins, whichever way it came.
  private func take(_ report: IngestReport) {
    if !hasHistory, stream == .activity {
      hasHistory = true
      horizon.begin(with: report)
      beginHistory(report.addedRows)
      return
    }
    // Polls stand in for a voice stream that has been held back since we started.
    beginVoice(afterMs: Int64(clock.nowNs.since(startNs) / 1_000_000))
    batch.append(report.addedRows)
  }

  /// Rows are printed once it is known whether the log was replaced; `reset` comes first.
  private func batchAccepted() {
    guard !batch.isEmpty else { return }
    let rows = batch
    batch = []
    guard format != .raw, !isHolding else { return }
    let ranges = rows.map { wanted($0, isStored: true, limit: nil) }
    write(ActionLines.sorted(ranges.flatMap { $0 })[...])
  }

  /// One line for the rows of a batch that could not be read; the same batch may come again and again.
  private func sayWhatIsLost(_ report: IngestReport, _ name: String) {
    // Raw output has been written as received.
    guard format != .raw, let loss = report.loss, loss != lastLoss else { return }
    lastLoss = loss
    reject(.activity, name, loss)
  }

  private func take(
    row json: UnsafeRawBufferPointer, from stream: SourceChannel, at time: ReceiveTime
  ) {
    do throws(ActionRejection) {
      let source: ActionSource = stream == .activity ? .activity : .voice
      if let row = try store.applyLive(json, from: source, nowMs: time.wallMs) {
        emit(rows: row..<row + 1)
      }
    } catch  where format != .raw {
      reject(stream, "action_event", error.description)
    } catch {}
  }

  /// The rows with which the stream begins: those, or all that `--since` covers.
  private func beginHistory(_ rows: Range<RowID>) {
    guard let since, format != .raw else {
      emit(rows: rows, isStored: true, limit: limit)
      return
    }
    isHolding = true
    let past = PastActions(
      into: store, guild: guild, nowMs: { [clock] in clock.wallMs },
      request: { [weak link] request in
        await link?.answer(to: request)
          ?? .failure(RestFailure(failure: .streamClosed, mayHaveArrived: false))
      })
    // With a filter, a guild or voice only, the newest rows may be others.
    let isEnough =
      filter.isEmpty && guild == nil && stream == .activity && limit ?? .max <= PastActions.limit
    let named = filter.namedKinds
    let exact = filter.scope().exact
    let isWanted: @MainActor @Sendable (String) -> Bool = { [stream, filter] kind in
      (stream == .activity || kind.hasPrefix("voice_")) && filter.mayMatch(kind: kind)
    }
    let namesAddress = process.namesAddress
    self.past = Task { @MainActor [weak self] in
      var sentences: [String] = []
      do throws(Failure) {
        try await past.load(since: since, kinds: exact, named: named, isWanted: isWanted) {
          isEnough
        }
      } catch {
        sentences.append(
          "older history could not be fetched: \(error.words(namesAddress: namesAddress))")
      }
      guard let self, !Task.isCancelled else { return }
      isHolding = false
      let oldestMs = serverNowMs - since.milliseconds
      let rows = wanted(
        store.log.firstRow..<store.log.endRow, isStored: stream == .voice, limit: limit,
        notBefore: oldestMs)
      let sinceMs = rows.count == limit ? rows.first?.timeMs ?? .max : oldestMs
      sentences += past.missing(clockFormat, sinceMs: sinceMs, isWanted: mayTell)
      for sentence in sentences {
        reject(stream.name, "history", sentence)
      }
      write(rows)
      let held = heldLines
      heldLines = []
      for line in held { output.line(line) }
      if let end = heldEnd { finish(end) }
    }
  }

  /// Whether rows of a kind may be printed; nil stands for an unknown kind.
  private func mayTell(_ kind: String?) -> Bool {
    (stream == .activity || kind?.hasPrefix("voice_") ?? true) && filter.mayMatch(kind: kind)
  }

  /// Writes rows oldest first; see `wanted`.
  private func emit(rows: Range<RowID>, isStored: Bool = false, limit: Int? = nil) {
    guard format != .raw, !isHolding else { return }
    write(wanted(rows, isStored: isStored, limit: limit))
  }

  /// The newest printable rows of a range, oldest first.
  ///
  /// - Parameter isStored: whether they come from the log, which holds more than the output.
  private func wanted(
    _ rows: Range<RowID>, isStored: Bool, limit: Int?, notBefore: Int64 = .min
  ) -> ArraySlice<ActionRowView> {
    let nowMs = serverNowMs
    // JSON has ids alone, filters ask for names.
    if format == .plain || !filter.isEmpty {
      nameRequests.follow(store.log, into: people, budget: .max)
    }
    return ActionLines.sorted(
      rows.compactMap { store.log.row($0) }.filter { row in
        row.gap == nil && (guild == nil || row.guildID == guild) && row.timeMs >= notBefore
          && !(isStored && horizon.hides(row))
          && (filter.isEmpty || filter.matches(row, names: names, nowMs: nowMs))
      }
    ).suffix(limit ?? .max)
  }

  private func write(_ rows: ArraySlice<ActionRowView>) {
    let lines = ActionLines(names: names, clock: clockFormat)
    for row in rows {
      if let line = lines.line(row, json: format == .json) { output.line(line) }
    }
  }

  private var serverNowMs: Int64 { status.serverMs(clock.wallMs) }

  // MARK: Everything else

  private func learnPeople(_ json: UnsafeRawBufferPointer) {
    guard format == .plain || !filter.isEmpty,
      let state = (try? JSONValue.parse(json)).flatMap(VoiceState.init)
    else { return }
    people.learn(state, atMs: serverNowMs)
  }

  private func payload(_ name: DocumentName, _ event: String, _ json: UnsafeRawBufferPointer) {
    guard format == .json else { return }
    guard JSONText.value(in: json) != nil else {
      reject(stream.name, event, "The payload is no JSON.")
      return
    }
    var line = JSONObjectWriter()
    line.string("type", name.rawValue)
    line.raw("payload", json)
    write(line)
  }

  private func writeRaw(_ event: String, _ data: UnsafeRawBufferPointer, _ lastEventID: String) {
    // Every quote of the payload is escaped: a third more is enough for nearly all.
    var line = JSONObjectWriter(capacity: data.count * 4 / 3 + 128)
    line.string("type", "sse")
    line.string("event", event.keepingReservedCharacters)
    line.text("data", utf8: data)
    line.string("lastEventId", lastEventID.keepingReservedCharacters)
    write(line)
  }

  private func streamEnded(_ stream: SourceChannel, lastEventID: String, retryMs: Int?) {
    hasAnswered = true
    store.endConnection(stream == .activity ? .activity : .voice)
    guard format == .raw else { return }
    var line = JSONObjectWriter()
    line.string("type", "end")
    line.string("lastEventId", lastEventID.keepingReservedCharacters)
    line.int("retry", retryMs)
    write(line)
  }

  private func say(_ gap: IDGap) {
    switch format {
    case .json:
      var line = JSONObjectWriter()
      line.string("type", "gap")
      line.int("from", gap.from)
      line.int("to", gap.to)
      write(line)
    case .plain:
      let why =
        gap.isAnswered
        ? gap.isOutOfReach
          ? "and cannot be had: more than 1,000 of this kind" : "and cannot be fetched"
        : "and could not be fetched yet"
      let rows = gap.from == gap.to ? "row \(gap.from) is" : "rows \(gap.from) to \(gap.to) are"
      output.complain("\(rows) missing \(why)")
    case .raw: break
    }
  }

  private func logReplaced() {
    store.applyReset()
    horizon.forget()
    switch format {
    case .json:
      var line = JSONObjectWriter()
      line.string("type", "reset")
      write(line)
    case .plain: output.complain("the backend's log was replaced: ids start anew")
    case .raw: break
    }
  }

  private func reject(_ stream: SourceChannel, _ name: String, _ reason: String) {
    switch format {
    case .json:
      var line = JSONObjectWriter()
      line.string("type", "error")
      line.string("event", name)
      line.string("reason", reason)
      write(line)
    case .plain, .raw: output.complain("an event was left out (\(name)): \(reason)")
    }
  }

  private func take(_ status: SourceStatus) {
    // Stopping the link after the end is no news.
    guard done != nil else { return }
    let before = self.status
    self.status = status
    if before.skewMs == nil, status.skewMs != nil {
      horizon.clockIsKnown(laterByMs: serverNowMs - clock.wallMs)
    }
    if status.overall == .live || status.overall == .polling, !hasBeenLive {
      hasBeenLive = true
      beginVoice()
    }
    let end = end(of: status)
    let isNews = status.overall != before.overall || status.detail != before.detail
    switch format {
    case .json: if isNews, end == nil || status.overall == .stopped { say(status) }
    // The sentence about a failure is the command's last one; it is not said twice.
    case .plain: if end == nil, let line = words.next(status) { output.complain(line) }
    case .raw: break
    }
    if let end { conclude(end) }
  }

  /// The voice stream begins without rows: only with `--since` it has a history.
  ///
  /// - Parameter afterMs: how long it has been waited for.
  private func beginVoice(afterMs: Int64 = 0) {
    guard stream == .voice, !hasHistory else { return }
    hasHistory = true
    horizon.begin(atMs: serverNowMs - (since?.milliseconds ?? afterMs))
    if since != nil { beginHistory(store.log.endRow..<store.log.endRow) }
  }

  /// How the command ends with this status; nil while it continues.
  private func end(of status: SourceStatus) -> End? {
    if status.overall == .stopped {
      return isOnce ? endOfOnce(status.failure) : status.failure.map(End.failed) ?? .ended
    }
    // Do not wait for a backend that was never reachable: a script needs to know. Polling may still
    // replace a buffered stream.
    guard !hasBeenLive, !status.isPollPending, let failure = status.failure,
      !(isWaiting && failure.isRetryable)
    else { return nil }
    return .failed(failure)
  }

  /// With `--once` a stream that ends has succeeded, even if the connection broke after some data,
  /// which is reported. One without any data has failed.
  private func endOfOnce(_ failure: LinkFailure?) -> End {
    guard let failure else { return .ended }
    if hasAnswered, failure == .streamClosed || failure == .endedByServer { return .ended }
    guard hasBeenLive, failure.exitCode != Failure.Code.authentication.rawValue else {
      return .failed(failure)
    }
    if format != .json { output.complain(failure.description) }
    return .ended
  }

  private func say(_ status: SourceStatus) {
    var line = JSONObjectWriter()
    line.string("type", "status")
    line.string("state", status.overall.rawValue)
    line.string("detail", status.detail)
    write(line)
  }

  private func write(_ line: consuming JSONObjectWriter) {
    let bytes = line.finish()
    if isHolding { heldLines.append(bytes) } else { output.line(bytes) }
  }
}
