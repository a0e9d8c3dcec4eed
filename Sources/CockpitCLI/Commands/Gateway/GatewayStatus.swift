import ArgumentParser
import CockpitDomain
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
    environment.output.line(
      json
        ? status.json(failure, environment.wallMs())
        : Array(status.line(failure, settings.clock).description.utf8))
    if let failure {
      environment.output.complain(failure.description)
      throw ExitCode(failure.code)
    }
    for sentence in status.complaints { environment.output.complain(sentence) }
    throw ExitCode(status.isQuiet ? 0 : 1)
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

  // MARK: Words

  /// Whether nothing waits and nothing is wrong.
  private var isQuiet: Bool { waiting.isEmpty && complaints.isEmpty }
  private var waiting: [ControlBoard.Card] { control.board?.waiting ?? [] }

  /// One sentence for each problem and for each list that could not be read.
  private var complaints: [String] {
    let overview = control.overview
    var sentences = (overview?.jobs ?? []).compactMap { job -> String? in
      guard job.isEnabled, let status = job.lastStatus, status == "error" else { return nil }
      return "the job \(shown(job.name ?? job.id)) failed"
        + (job.lastError.map { ": \(shown($0))" } ?? "")
    }
    sentences += (overview?.channels ?? []).compactMap { channel in
      guard channel.isConfigured, let error = channel.lastError else { return nil }
      return "the channel \(shown(channel.name)): \(shown(error))"
    }
    if let problem = overview?.loopProblem {
      sentences.append("the gateway is slow: \(shown(problem))")
    }
    sentences += (control.board?.unknown ?? []).map { "not known: \(shown($0))" }
    return sentences
  }

  private func shown(_ text: String) -> String { String(VisibleText().of(text).prefix(200)) }

  private func line(_ failure: Failure?, _ clock: ClockFormat) -> PlainText {
    guard failure == nil, let board = control.board, let overview = control.overview else {
      return "UNREACHABLE  " + PlainText(opened.name, limit: 200)
    }
    var parts: [PlainText] = [
      isQuiet ? "OK" : waiting.isEmpty ? "WARN" : "WAITS", PlainText(opened.name, limit: 200),
    ]
    if board.canAnswer {
      parts.append(
        waiting.isEmpty
          ? "nothing waits"
          : waiting.count == 1 ? "1 waits" : PlainText("\(waiting.count) wait"))
      if let next = waiting.first {
        parts.append(PlainText(next.kindWords) + ": " + PlainText(shown(next.subject), limit: 80))
      }
    } else {
      parts.append("what waits is not shown to this profile")
    }
    for (count, thing) in [
      (board.runs.count, "run"), (overview.agents.count, "agent"),
      (overview.sessions.count, "session"),
    ] {
      parts.append(PlainText("\(count) \(thing)\(count == 1 ? "" : "s")"))
    }
    return parts.dropFirst().reduce(parts[0]) { $0 + "  " + $1 }
  }

  private func json(_ failure: Failure?, _ wallMs: Int64) -> [UInt8] {
    var line = JSONObjectWriter()
    line.string("kind", "openclaw")
    line.string("gateway", opened.name)
    line.string(
      "state",
      failure == nil ? (isQuiet ? "ok" : waiting.isEmpty ? "warn" : "waits") : "unreachable")
    line.int("taken_at_ms", Int(wallMs))
    if let failure {
      line.string("detail", failure.description)
      return line.finish()
    }
    let board = control.board
    line.bool("can_answer", board?.canAnswer ?? false)
    line.value(
      "waiting",
      .array(
        waiting.map { card in
          .body([
            ("id", .string(card.id)), ("kind", .string(card.kind)),
            ("agent", card.agent.map { .string($0) }), ("subject", .string(card.subject)),
            ("expires_ms", card.expiresMs.map { .integer(Int($0)) }),
            ("fingerprint", .string(card.fingerprint)),
          ])
        }))
    line.value(
      "runs",
      .array(
        (board?.runs ?? []).map { run in
          .body([
            ("agent", run.agent.map { .string($0) }), ("session", run.session.map { .string($0) }),
            ("started_ms", run.startedMs.map { .integer(Int($0)) }),
            ("tool", run.tool.map { .string($0) }),
          ])
        }))
    line.int("agents", control.overview?.agents.count ?? 0)
    line.int("sessions", control.overview?.sessions.count ?? 0)
    line.value("problems", .array(complaints.map { .string($0) }))
    return line.finish()
  }
}
