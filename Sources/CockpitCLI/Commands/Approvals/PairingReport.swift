import CockpitText
import LenientJSON
import OpenClawSource
import OpenClawWire
import TerminalCore

/// The text and JSON output of a device that asks to be let in.
struct PairingReport {
  var request: PairingRequest
  /// The gateway's clock, ms.
  var nowMs: Int
  var visible = VisibleText()

  /// What can be answered, in the gateway's words.
  static let offers = ["approve", "reject"]

  private var item: WaitingItem { .pairing(request) }
  private var name: String { request.displayName ?? "a device without a name" }
  var isExpired: Bool { item.expiresAtMs.map { nowMs >= $0 } ?? false }

  /// One line of the list.
  var line: String {
    let scopes = request.scopes.map(visible.of).joined(separator: ", ")
    return
      "\(visible.of(request.requestId))  \(item.fingerprint)  \(remaining)  \(visible.of(name)) asks to be let in for \(scopes)"
  }

  /// All fields, one a line; every scope that is asked for.
  var lines: [String] {
    ["device: \(visible.of(name))"]
      + details.map { "\($0.name): \(visible.of($0.value))" } + [
        "time left: \(remaining)", "offered: \(Self.offers.joined(separator: ", "))",
        "id: \(visible.of(request.requestId))", "fingerprint: \(item.fingerprint)",
      ]
  }

  /// The keys of an approval, with the text exactly as the gateway sent it.
  var json: [UInt8] {
    var writer = JSONObjectWriter()
    writer.string("id", request.requestId)
    writer.string("kind", "pairing")
    writer.string("fingerprint", item.fingerprint)
    writer.string("subject", name)
    writer.value(
      "details",
      .array(details.map { .body([("name", .string($0.name)), ("value", .string($0.value))]) }))
    writer.value("offered", .array(Self.offers.map { .string($0) }))
    writer.string("agent", nil)
    writer.string("session", nil)
    writer.int("created_at_ms", request.ts)
    writer.int("expires_at_ms", item.expiresAtMs)
    writer.int("expires_in_ms", item.expiresAtMs.map { max(0, $0 - nowMs) })
    writer.bool("expired", isExpired)
    return writer.finish()
  }

  private var details: [(name: String, value: String)] {
    let known = [
      ("platform", request.platform), ("from", request.remoteAddress),
      // The first 64 bits are what the new device shows.
      ("device id", request.deviceId.map { String($0.prefix(16)) }),
    ]
    return known.compactMap { name, value in value.map { (name, $0) } }
      + request.scopes.map { ("asks for", $0) }
  }

  private var remaining: String {
    guard let end = item.expiresAtMs else { return "no limit" }
    guard !isExpired else { return "expired" }
    return Figures.left(ms: Int64(end - nowMs)).description
  }
}
