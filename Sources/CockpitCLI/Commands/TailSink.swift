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

  weak var link: (any Source)?
  let format: Format
  let filter: Query
  /// Only actions of this guild; nil for all. The streams bring those of all guilds.
  let guild: String?
  let limit: Int?
  let since: HistoryDuration?
  let stream: StreamChoice
  var horizon: TailHorizon
  let store: ActivityStore
  let clockFormat: ClockFormat
  let clock: any LinkClock
  let process: Environment
  let output: LineBuffer
  let startNs: UInt64
  /// Names of users from rows and voice state.
  let people = ConnectionStore(address: "")
  let nameRequests = NameRequests(readsVoice: true)
  var names: NameTable { people.names }
  private var status = SourceStatus()
  var hasHistory = false
  /// Rows of received lists that are not printed yet.
  var batch: [Range<RowID>] = []
  /// Output waits until the rows requested by `--since` have arrived.
  var isHolding = false
  var heldLines: [[UInt8]] = []
  /// How the stream ended while output was waiting.
  var heldEnd: End?
  private var words = ConnectionWords()
  /// The last reported loss of unreadable rows.
  var lastLoss: String?
  private var hasBeenLive = false
  var hasAnswered = false
  private let isOnce: Bool
  /// How long to retry a failing first connection.
  private let wait: HistoryDuration?
  private var waitTimer: (any LinkTimer)?
  private var isWaiting: Bool
  private var done: (@MainActor (End) -> Void)?
  /// Fetches the rows for `--since`.
  var past: Task<Void, Never>?

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
  func run(_ link: any Source) async -> End {
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

  func finish(_ end: End) {
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
    case .restored(let json, _, _): take(row: json, from: .activity, at: time)
    case .document(.stats, let json): payload(.stats, "stats_update", json)
    // For programs; people read the same from rows.
    case .document(.control, let json): payload(.control, "control", json)
    case .document(.gateway, _), .document(.service, _), .document(.canvas, _): break
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
    case .repeated, .answer, .found, .proven: break
    case .gap(.filled), .gap(.closed), .gap(.confirmed): break
    case .gap(.fetching), .gap(.fetched), .gap(.unresolved): break
    }
  }

  var serverNowMs: Int64 { status.serverMs(clock.wallMs) }

  // MARK: Everything else

  private func learnPeople(_ json: UnsafeRawBufferPointer) {
    guard format == .plain || !filter.isEmpty,
      let state = (try? JSONValue.parse(json)).flatMap(VoiceState.init)
    else { return }
    people.learn(state, atMs: serverNowMs)
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
  func beginVoice(afterMs: Int64 = 0) {
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
    // With --once a link stops by itself. A gateway source reconnects, which counts as the end.
    if isOnce, hasBeenLive, status.overall == .reconnecting, link is any ControlledSource {
      return endOfOnce(status.failure)
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
}
