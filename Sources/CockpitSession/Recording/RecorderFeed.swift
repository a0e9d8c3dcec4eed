import CockpitDomain
import CockpitHistory
import CockpitStores
import LenientJSON
import Networking

/// Passes on to a recorder what a source delivers: rows as the log ingests them, documents, answers to requests, and
/// changes of the connection.
@MainActor
package final class RecorderFeed: SourceObserver {
  private let recorder: HistoryRecorder
  private let recordsOwnerPrivate: Bool
  private let rows: RowFeed
  private var status = SourceStatus()
  /// When statistics were last recorded, on the monotonic clock.
  private var statsNs: UInt64?
  /// The value of the last `state` record, to skip repetitions.
  private var lastState: [UInt8] = []
  /// When the connection was lost; nil while there is one.
  private var downMs: Int64?
  private var hasBeenUp = false
  /// The earliest recorded claim for each combination of kinds and guild. A claim that adds nothing is not recorded.
  private var proven: [Part: Int64] = [:]

  private struct Part: Hashable {
    var kinds: Set<String>?
    var guild: String?
  }

  /// The bot pushes statistics more often than they are worth keeping; the rows have the details.
  private static let statsIntervalNs: UInt64 = 3_000_000_000

  /// - Parameter isGateway: whether the source is a gateway: what it fills in from its own list is not recorded. An
  ///   earlier run may have recorded the same as it happened, and the list has no key to tell by.
  package init(_ recorder: HistoryRecorder, recordsOwnerPrivate: Bool, isGateway: Bool = false) {
    self.recorder = recorder
    self.recordsOwnerPrivate = recordsOwnerPrivate
    rows = RowFeed(recorder, recordsStored: !isGateway)
  }

  /// Observes the rows of the log.
  package nonisolated var rowObserver: any ActionLogObserver { rows }

  package func received(_ event: SourceEvent, at time: ReceiveTime) {
    switch event {
    case .document(.stats, let json):
      if let statsNs, time.ns.since(statsNs) < Self.statsIntervalNs { return }
      statsNs = time.ns
      record("stats", json, at: time)
    case .document(.canvas, let json):
      RecordedCanvas.document(json)?.withUnsafeBytes { record("canvas", $0, at: time) }
    case .document(let name, let json): record(name.rawValue, json, at: time)
    case .answer(let request, .success(let answer)) where answer.isSuccess:
      let name = RecordedRoutes.name(of: request, recordsOwnerPrivate: recordsOwnerPrivate)
      if let name { answer.body.withUnsafeBytes { record(name, $0, at: time) } }
    case .status(let status): note(status, at: time)
    case .gap(.missing(let gap)):
      record(
        .gap, ["from": gap.from, "to": gap.to, "at_ms": Int(clamping: gap.atMs)], at: time)
    case .gap(.closed(let gap, let count)):
      record(
        .gapClosed,
        ["from": gap.from, "to": gap.to, "at_ms": Int(clamping: gap.atMs), "count": count],
        at: time)
    case .gap(.filled(let count, let atMs, let lostMs)) where count > 0:
      var value = ["count": count, "at_ms": Int(clamping: atMs)]
      value["lost_ms"] = lostMs
      record(.filled, value, at: time)
    case .proven(let claim): note(claim, at: time)
    case .logReplaced:
      proven = [:]
      record(.reset, [:], at: time)
    // What was looked up is the gateway's own: files, logs. It is not kept.
    case .row, .restored, .repeated, .answer, .found, .streamEnded, .gap, .batchAccepted, .rejected,
      .raw:
      break
    }
  }

  package func ingested(_ batch: RowBatch, _ report: RowReport, at time: ReceiveTime) {}

  private func note(_ claim: RowClaim, at time: ReceiveTime) {
    let part = Part(kinds: claim.kinds, guild: claim.guild)
    guard claim.fromMs < proven[part] ?? .max else { return }
    proven[part] = claim.fromMs
    let json = JSONValue.body([
      ("from_ms", .integer(max(0, claim.fromMs))),
      ("kinds", claim.kinds.map { .array($0.sorted().map { .string($0) }) }),
      ("guild", claim.guild.map { .string($0) }),
    ])
    recorder.link(
      .proven, atMs: status.serverMs(time.wallMs), receivedMs: time.wallMs,
      value: Array(json.serialized().utf8))
  }

  private func record(_ name: String, _ json: UnsafeRawBufferPointer, at time: ReceiveTime) {
    recorder.document(
      name: name, atMs: status.serverMs(time.wallMs), receivedMs: time.wallMs, body: json)
  }

  private func record(
    _ what: RecordedLink.What, _ value: [String: Int], at time: ReceiveTime
  ) {
    let json = JSONValue.body(
      value.sorted { $0.key < $1.key }.map {
        ($0.key, .integer($0.value))
      })
    recorder.link(
      what, atMs: status.serverMs(time.wallMs), receivedMs: time.wallMs,
      value: Array(json.serialized().utf8))
  }

  private func note(_ status: SourceStatus, at time: ReceiveTime) {
    self.status = status
    let channels = status.channels.map {
      (key: $0.channel.name, value: JSONValue?.some(.string($0.status.state.rawValue)))
    }
    let json = JSONValue.body([
      ("state", .string(status.overall.rawValue)),
      ("channels", .body(channels)),
      ("skew_ms", status.skewMs.map { .integer($0) }),
      ("failure", status.failure.map { .string($0.description) }),
    ])
    let value = Array(json.serialized().utf8)
    guard value != lastState else { return }
    lastState = value
    recorder.link(
      .state, atMs: status.serverMs(time.wallMs), receivedMs: time.wallMs, value: value)
    noteOutage(status, at: time)
  }

  private func noteOutage(_ status: SourceStatus, at time: ReceiveTime) {
    let nowMs = status.serverMs(time.wallMs)
    switch status.overall {
    case .live, .polling, .degraded:
      if let downMs, hasBeenUp {
        recorder.outage(RecordedOutage(fromMs: downMs, toMs: nowMs, reason: .lineDown))
      }
      downMs = nil
      hasBeenUp = true
    case .connecting, .stale, .reconnecting, .stopped: downMs = downMs ?? nowMs
    }
  }
}

/// Records the rows of one log.
private final class RowFeed: ActionLogObserver, Sendable {
  private let recorder: HistoryRecorder
  private let recordsStored: Bool

  init(_ recorder: HistoryRecorder, recordsStored: Bool) {
    self.recorder = recorder
    self.recordsStored = recordsStored
  }

  func added(
    _ row: RowID, _ json: UnsafeRawBufferPointer, from source: ActionSource, receivedMs: Int64
  ) {
    guard recordsStored || source != .stored else { return }
    recorder.row(
      number: row, receivedMs: receivedMs, channels: Self.channel(source), json: json)
  }

  func twin(of row: RowID, from source: ActionSource, actionID: Int?) {
    recorder.learned(number: row, actionID: actionID, channels: Self.channel(source))
  }

  func replaced(_ row: RowID, _ json: UnsafeRawBufferPointer) {
    recorder.replaced(number: row, json: json)
  }

  private static func channel(_ source: ActionSource) -> RowOrigins {
    switch source {
    case .activity: .activity
    case .voice: .voice
    case .stored: .stored
    }
  }
}
