import CockpitFiles
import CockpitHistory
import CockpitPanes
import CockpitSession
import CockpitShell
import CockpitStores
import MainLoop
import TerminalCore
import TerminalCurses

/// A request for the past that came before the first recorded row.
package enum AwaitedPast {
  case replay(ReplayRequest)
  case find(FindRequest)
}

/// Recording starts a second after the program. `T` and `s` start it at once, and are carried out as soon as there are
/// rows.
extension CockpitApp {
  /// Does nothing when it has started already.
  package func startRecording() {
    guard let recorder = model.recorder, recorder.start() else { return }
    recordingSinceNs = model.nowNs
    let model = model
    let judge = PastJudge(
      model.bot.clock, startMs: 40_000, nowMs: { model.bot.serverNowMs },
      read: { await model.readPast(isCancelled: $0) })
    pastJudge = judge
    judge.start()
    guard model.isFirstRecording else { return }
    let keep = settings.configuration.history.keep ?? "24h"
    shell.tell(
      news: PlainText(
        "recording to the disk, the last \(keep) at least; --no-history turns it off",
        limit: 200))
    frames?.setNeedsFrame(.key)
  }

  private static let retryNs: UInt64 = 100_000_000
  private static let patienceNs: UInt64 = 5_000_000_000

  /// The recorded history of the source.
  ///
  /// - Returns: nil if the recorder has just begun: the request is carried out again later.
  func openPast(for request: AwaitedPast) throws(HistoryError) -> (any HistoryReading)? {
    awaitedPast = nil
    let history: any HistoryReading
    do throws(HistoryError) {
      history = try openHistory(connector.opened)
      // A database is queried off the main thread.
      if history is MergedHistory { return history }
      // The recorder makes its file before it has rows.
      if try history.span() != nil { return history }
    } catch {
      guard error.reason == .missing, awaitRecorder(for: request) else { throw error }
      return nil
    }
    return awaitRecorder(for: request) ? nil : history
  }

  /// Keeps the request for another attempt, if the recorder has begun some seconds ago or begins now.
  func awaitRecorder(for request: AwaitedPast) -> Bool {
    guard model.recorder != nil else { return false }
    startRecording()
    guard let since = recordingSinceNs, model.nowNs < since + Self.patienceNs else { return false }
    awaitedPast = request
    pastRetry.set(dueNs: model.nowNs + Self.retryNs, leewayNs: Self.retryNs / 4)
    return true
  }

  package func retryAwaitedPast() {
    switch awaitedPast {
    case .replay(let request): carryOut(request)
    case .find(let request): carryOut(request)
    case nil: break
    }
    frames?.setNeedsFrame(.key)
  }
}
