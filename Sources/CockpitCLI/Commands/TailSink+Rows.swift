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

extension TailSink {
  /// A batch of the log. With the first one the stream begins, whichever way it came.
  func take(_ report: IngestReport) {
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
  func batchAccepted() {
    guard !batch.isEmpty else { return }
    let rows = batch
    batch = []
    guard format != .raw, !isHolding else { return }
    let ranges = rows.map { wanted($0, isStored: true, limit: nil) }
    write(ActionLines.sorted(ranges.flatMap { $0 })[...])
  }

  /// One line for the rows of a batch that could not be read; the same batch may come again and again.
  func sayWhatIsLost(_ report: IngestReport, _ name: String) {
    // Raw output has been written as received.
    guard format != .raw, let loss = report.loss, loss != lastLoss else { return }
    lastLoss = loss
    reject(.activity, name, loss)
  }

  func take(
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
  func beginHistory(_ rows: Range<RowID>) {
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
}
