import ArgumentParser
import CockpitDomain
import CockpitSession
import CockpitStores
import CockpitText
import LenientJSON
import TerminalCore

/// The words of `status` for a gateway.
@MainActor
struct GatewayStatusText {
  let control: ControlStore
  private let name: String
  /// Why there is no state.
  let failure: Failure?
  /// The time at which the state stands, in ms since 1970, if it is recorded.
  private let recordedAtMs: Int64?

  init(_ control: ControlStore, name: String, failure: Failure?, recordedAtMs: Int64? = nil) {
    (self.control, self.name, self.failure) = (control, name, failure)
    self.recordedAtMs = recordedAtMs
  }

  /// Prints the state, and on stderr what is wrong or missing.
  ///
  /// - Parameters:
  ///   - takenAtMs: the time of the state, in ms since 1970.
  ///   - asOf: the same in words, for a recorded one.
  ///   - missing: what was not recorded.
  /// - Throws: the exit code: 1 if something waits or is wrong, that of the failure if there is one.
  func write(
    json: Bool, takenAtMs: Int64, asOf: String? = nil, missing: [String] = [], to output: Output
  ) throws {
    let words = asOf.map { line + "  " + PlainText($0, limit: 200) } ?? line
    output.line(json ? self.json(takenAtMs: takenAtMs) : Array(words.description.utf8))
    if let failure {
      output.complain(failure.description)
      throw ExitCode(failure.code)
    }
    for sentence in missing + complaints { output.complain(sentence) }
    throw ExitCode(exitCode)
  }

  var exitCode: Int32 { failure?.code ?? (isQuiet ? 0 : 1) }

  /// `ok`, `waits`, `warn` or `unreachable`.
  var state: String {
    if failure != nil { return "unreachable" }
    return isQuiet ? "ok" : waiting.isEmpty ? "warn" : "waits"
  }

  /// Whether nothing waits and nothing is wrong.
  var isQuiet: Bool { waiting.isEmpty && complaints.isEmpty }
  var waiting: [ControlBoard.Card] {
    (control.board?.waiting ?? []).filter { card in
      // A live board has no expired ones. The last one recorded before a time may.
      guard let recordedAtMs, let expiresMs = card.expiresMs else { return true }
      return expiresMs > recordedAtMs
    }
  }

  /// One sentence for each problem and for each list that could not be read.
  var complaints: [String] {
    (control.overview?.problems ?? [])
      + (control.board?.unknown ?? []).map { "not known: \(shown($0))" }
  }

  func shown(_ text: String) -> String { String(VisibleText().of(text).prefix(200)) }

  var line: PlainText {
    guard failure == nil, let board = control.board else {
      return "UNREACHABLE  " + PlainText(name, limit: 200)
    }
    var parts: [PlainText] = [
      isQuiet ? "OK" : waiting.isEmpty ? "WARN" : "WAITS", PlainText(name, limit: 200),
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
    if let service = control.service {
      let state = service.state.isEmpty ? "state not known" : service.state
      parts.append(
        PlainText("\(service.kind == .companion ? "agent" : "conversation") \(state)", limit: 40))
      parts += service.sections(of: "pulse").flatMap(\.rows).map { PlainText($0.text, limit: 80) }
      return parts.dropFirst().reduce(parts[0]) { $0 + "  " + $1 }
    }
    let overview = control.overview
    for (count, thing) in [
      (board.runs.count, "run"), (overview?.agents.count ?? 0, "agent"),
      (overview?.sessions.count ?? 0, "session"),
    ] {
      parts.append(PlainText("\(count) \(thing)\(count == 1 ? "" : "s")"))
    }
    return parts.dropFirst().reduce(parts[0]) { $0 + "  " + $1 }
  }

  /// - Parameter more: adds members.
  func json(takenAtMs: Int64, _ more: (inout JSONObjectWriter) -> Void = { _ in }) -> [UInt8] {
    var line = JSONObjectWriter()
    line.string("kind", (control.service?.kind ?? .openclaw).rawValue)
    line.string("gateway", name)
    line.string("state", state)
    line.int("taken_at_ms", Int(takenAtMs))
    if recordedAtMs != nil { line.bool("recorded", true) }
    if let failure {
      line.string("detail", failure.description)
      more(&line)
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
    if let service = control.service {
      line.string(service.kind == .companion ? "agent" : "conversation", service.state)
      line.value(
        "figures",
        .array(
          service.sections(of: "pulse").flatMap(\.rows).map { .string($0.text) }))
    } else {
      line.int("agents", control.overview?.agents.count ?? 0)
      line.int("sessions", control.overview?.sessions.count ?? 0)
    }
    line.value("problems", .array(complaints.map { .string($0) }))
    more(&line)
    return line.finish()
  }
}
