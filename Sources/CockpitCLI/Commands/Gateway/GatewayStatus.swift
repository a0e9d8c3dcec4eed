import ArgumentParser
import CockpitDomain
import CockpitHistory
import CockpitSession
import CockpitStores
import CockpitText
import LenientJSON
import Networking
import TerminalCore

/// `status` for a gateway: its state right after connecting.
@MainActor
final class GatewayStatus: SourceSink {
  private let control = ControlStore()
  private let opened: OpenedSource
  private var failure: LinkFailure?
  private var done: (@MainActor () -> Void)?

  var knownRows: (any KnownRows)? { nil }

  private init(_ opened: OpenedSource) { self.opened = opened }

  /// Connects, prints the line and disconnects.
  ///
  /// - Throws: exit code 1 if something waits or is wrong, 3 or 4 if the gateway cannot be reached or refuses.
  static func run(
    _ settings: Settings, json: Bool, withinMs limitMs: Int, in environment: Environment
  ) async throws {
    let opened = try await OpenedSource.open(settings, on: environment.eventLoop)
    let status = GatewayStatus(opened)
    let failure = await status.wait(limitMs)
    opened.source.stop()
    if Task.isCancelled { throw Failure.interrupted }
    let text = GatewayStatusText(status.control, name: opened.name, failure: failure)
    environment.output.line(
      json
        ? text.json(takenAtMs: environment.wallMs()) : Array(text.line.description.utf8))
    if let failure {
      environment.output.complain(failure.description)
      throw ExitCode(failure.code)
    }
    for sentence in text.complaints { environment.output.complain(sentence) }
    throw ExitCode(text.isQuiet ? 0 : 1)
  }

  /// Waits until both documents have arrived, the connection fails, or the time limit passes.
  ///
  /// - Returns: nil if both have arrived.
  private func wait(_ limitMs: Int) async -> Failure? {
    var isLate = false
    let timer = opened.clock.schedule(afterNs: Nanoseconds.milliseconds(UInt64(limitMs))) {
      isLate = true
      self.finish()
    }
    await awaitCallback(ifCancelled: ()) { done in
      self.done = { done(()) }
      opened.source.start(into: self)
    }
    timer.cancel()
    if control.board != nil, control.overview != nil { return nil }
    if let failure { return opened.failure(failure) }
    return isLate ? Failure(.connection, "The gateway did not answer in time; try --timeout.") : nil
  }

  /// Prints the state of the past.
  ///
  /// - Returns: false if the recording has no state of a gateway up to then.
  /// - Throws: exit code 1 if something waited or was wrong.
  static func run(
    _ past: RecordedPast, _ answers: RecordedAnswers, json: Bool, in environment: Environment
  ) throws -> Bool {
    let control = ControlStore()
    guard let board = past.document(DocumentName.control.rawValue) else { return false }
    board.body.withUnsafeBytes { control.apply(control: $0) }
    let overview = past.document(DocumentName.gateway.rawValue)
    overview?.body.withUnsafeBytes { control.apply(gateway: $0) }
    let text = GatewayStatusText(
      control, name: past.name, failure: nil, recordedAtMs: past.nowMs)
    environment.output.line(
      json
        ? text.json(takenAtMs: past.nowMs) : Array("\(text.line)  \(answers.asOf)".utf8))
    let missing = past.sentences(fromMs: board.atMs, toMs: past.nowMs)
    for sentence in missing + text.complaints { environment.output.complain(sentence) }
    throw ExitCode(text.isQuiet ? 0 : 1)
  }

  private func finish() {
    done?()
    done = nil
  }

  func receive(_ event: SourceEvent, at time: ReceiveTime) {
    switch event {
    case .document(.control, let json): control.apply(control: json)
    case .document(.gateway, let json): control.apply(gateway: json)
    case .status(let status):
      // The source would retry; this command reports the first failure instead.
      failure = status.failure
      if failure != nil { finish() }
    default: break
    }
    if control.board != nil, control.overview != nil { finish() }
  }

  func ingest(_ batch: RowBatch, at time: ReceiveTime) -> RowReport { RowReport() }
}
