import CockpitHistory
import CockpitPanes
import CockpitStores
import TerminalCore

/// A history on another machine: it is read off the main thread, and the playhead moves when the rows have arrived.
extension Replay {
  /// Opens the past at a time, if another machine has it.
  ///
  /// - Parameters as in `init`.
  package static func open(
    _ bot: Part, atMs: Int64, file: PlainText? = nil, command: String = ""
  ) async throws(HistoryError) -> Replay {
    let (history, window) = (bot.history, firstWindow(at: atMs, nowMs: bot.live.bot.serverNowMs))
    let stretch = try await OwnThread.run {
      Result { () throws(HistoryError) in
        try PastStretch(history, atMs: atMs, window: window)
      }
    }.get()
    return try Replay([bot], atMs: atMs, file: file, command: command, stretch: stretch)
  }

  /// Whether something is being read.
  package var isReading: Bool { awaitedMs != nil }

  /// Reads a place, and goes there unless another one is wanted by then.
  func read(_ ms: Int64) {
    awaitedMs = ms
    let window = window(at: ms)
    offMain { history throws(HistoryError) in
      try PastStretch(history, atMs: ms, window: window)
    } then: { replay, stretch in
      replay.awaitedMs = nil
      replay.stretch = stretch
      replay.notesChanged()
      replay.show(ms)
    }
  }

  /// Looks for a place, and goes there.
  ///
  /// - Parameter nothing: what to say if there is none.
  func find(
    _ nothing: String,
    _ look: @escaping @Sendable (any HistoryReading) throws(HistoryError) -> Int64?
  ) {
    awaitedMs = atMs
    offMain(look) { replay, ms in
      replay.awaitedMs = nil
      guard let ms else {
        replay.problem = HistoryError(.missing, nothing)
        return
      }
      replay.stopAndSeek(toMs: ms)
    }
  }

  /// Reads on before the playhead arrives at the end of what was read.
  ///
  /// - Returns: how far it may go now.
  func readOn(_ stretch: PastStretch, toMs: Int64) -> Int64 {
    let endMs = stretch.throughMs
    if toMs > endMs - Int64(speed) * 10_000, !isReadingOn, endMs < liveMs {
      isReadingOn = true
      let history = history
      Task { [weak self] in
        let read = await OwnThread.run {
          Result { () throws(HistoryError) in try stretch.extend(history) }
        }
        guard let self else { return }
        isReadingOn = false
        if case .failure(let error) = read { problem = error }
      }
    }
    return max(atMs, min(toMs, endMs))
  }

  /// Counts the rows of a window of the time line.
  func count(_ stretch: PastStretch, _ window: ClosedRange<Int64>) {
    guard !isReadingOn, awaitedMs == nil else { return }
    isReadingOn = true
    let history = history
    Task { [weak self] in
      let read = await OwnThread.run {
        Result { () throws(HistoryError) in try stretch.count(history, window) }
      }
      guard let self else { return }
      isReadingOn = false
      if case .failure(let error) = read { problem = error }
      onArrival?()
    }
  }

  /// Runs off the main thread. A newer request cancels the older one.
  private func offMain<Value: Sendable>(
    _ work: @escaping @Sendable (any HistoryReading) throws(HistoryError) -> Value,
    then take: @escaping @MainActor (Replay, Value) -> Void
  ) {
    reads += 1
    let (number, history) = (reads, history)
    if number > 1 { history.cancel() }
    problem = nil
    Task { [weak self] in
      let result = await OwnThread.run { Result { () throws(HistoryError) in try work(history) } }
      guard let self, reads == number else { return }
      switch result {
      case .success(let value): take(self, value)
      case .failure(let error):
        awaitedMs = nil
        problem = error
      }
      onArrival?()
    }
  }
}
