import CockpitText
import LenientJSON
import OpenClawSource
import OpenClawWire
import TerminalCore

/// The text and JSON output of one approval.
struct ApprovalReport {
  var approval: Approval
  /// The gateway's clock, ms.
  var nowMs: Int
  var visible = VisibleText()

  var isExpired: Bool { approval.expiresAtMs.map { nowMs >= $0 } ?? false }

  /// One line of the list.
  var line: String {
    let agent = approval.agentId.map { "  " + visible.of($0) } ?? ""
    return
      "\(visible.of(approval.id))  \(approval.fingerprint)  \(remaining)\(agent)  \(visible.of(approval.subject))"
  }

  /// All fields, one a line.
  var lines: [String] {
    let offers = approval.decisions.map(\.rawValue).joined(separator: ", ")
    let subject = "\(approval.kind == .exec ? "command" : "title"): \(visible.of(approval.subject))"
    let details = approval.details.map { "\(visible.of($0.name)): \(visible.of($0.value))" }
    return [subject] + details + [
      "time left: \(remaining)", "offered: \(offers.isEmpty ? "nothing" : offers)",
      "id: \(visible.of(approval.id))", "fingerprint: \(approval.fingerprint)",
    ]
  }

  /// All fields as JSON, with the text exactly as the gateway sent it.
  var json: [UInt8] {
    var writer = JSONObjectWriter()
    writer.string("id", approval.id)
    writer.string("kind", approval.kind.rawValue)
    writer.string("fingerprint", approval.fingerprint)
    writer.string("subject", approval.subject)
    writer.value(
      "details",
      .array(
        approval.details.map { .body([("name", .string($0.name)), ("value", .string($0.value))]) }))
    writer.value("offered", .array(approval.decisions.map { .string($0.rawValue) }))
    writer.string("agent", approval.agentId)
    writer.string("session", approval.sessionKey)
    writer.int("created_at_ms", approval.createdAtMs)
    writer.int("expires_at_ms", approval.expiresAtMs)
    writer.int("expires_in_ms", approval.expiresAtMs.map { max(0, $0 - nowMs) })
    writer.bool("expired", isExpired)
    return writer.finish()
  }

  private var remaining: String {
    guard let end = approval.expiresAtMs else { return "no limit" }
    guard !isExpired else { return "expired" }
    return Figures.left(ms: Int64(end - nowMs)).description
  }
}
