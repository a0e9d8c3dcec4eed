internal import CockpitStores

/// A small log that a rule answers, written as a table beside the rule.
///
/// A line is `MS KIND CONTENT {METADATA}`: milliseconds after the beginning, the kind with `@bot` behind it
/// where the row's user is the bot and `$0.01` where it costs that, the content, and the metadata as JSON. `$T`
/// is the message that the log is about, `$S` the voice session. A line that begins with a blank goes on with
/// the one before. Rows have the ids 1, 2, 3 …
package struct WhyFixture: Sendable {
  package var table: String
  /// The row that is asked about, by its id.
  package var asks: Int
  /// The rows without which the answer is unknown, by their ids: each carries it alone.
  package var carriers: [Int]
  /// Rows that the log has lost, by their ids.
  package var missing: [Int]
  /// Whether it is asked while rows may still come: no later row is on record.
  package var isOpen: Bool

  package init(
    asks: Int = 1, carriers: [Int], missing: [Int] = [], isOpen: Bool = false, _ table: String
  ) {
    self.table = table
    self.asks = asks
    self.carriers = carriers
    self.missing = missing
    self.isOpen = isOpen
  }

  package static let message = "1502000000000000001"
  package static let session = "5e551000-0000-4000-8000-000000000001"
  /// ms since 1970: 2026-05-09T18:00:00.000Z.
  package static let startMs: Int64 = 1_778_349_600_000
  /// A row of something else comes so much later, in ms, so that what is missing is known to be missing.
  package static let laterMs: Int64 = 600_000

  /// The rows as the backend stores them, a JSON object each, oldest first; the last is of something else.
  package var rows: [String] {
    var lines: [String] = []
    for line in table.split(separator: "\n") {
      if line.hasPrefix(" "), !lines.isEmpty {
        lines[lines.count - 1] += " " + line.drop { $0 == " " }
      } else {
        lines.append(String(line))
      }
    }
    if !isOpen { lines.append("\(Self.laterMs) dashboard settings_save_ok {}") }
    return lines.enumerated().filter { !missing.contains($0.offset + 1) }
      .map { Self.row($0.element, id: $0.offset + 1) }
  }

  private static func row(_ line: String, id: Int) -> String {
    let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: true)
    let ms = parts.first.flatMap { Int64($0) } ?? 0
    let rest = parts.count > 2 ? parts[2] : ""
    let brace = rest.firstIndex(of: "{") ?? rest.endIndex
    let content = rest[..<brace].split(separator: " ").joined(separator: " ")
    let metadata = brace < rest.endIndex ? String(rest[brace...]) : "{}"
    var kind = String(parts.count > 1 ? parts[1] : "")
    var cost = "0"
    if let mark = kind.firstIndex(of: "$") {
      cost = String(kind[kind.index(after: mark)...])
      kind = String(kind[..<mark])
    }
    var user = "391700000000000001"
    if kind.hasSuffix("@bot") {
      user = "900000000000000001"
      kind.removeLast(4)
    }
    let own = ["text_runtime", "reply_skipped", "reacted"].contains(kind)
    let sent = RowTriggers.sentKinds.contains(kind)
    let messageID = own ? "\"$T\"" : sent ? "\"1502000000000000\(900 + id)\"" : "null"
    let head = "{\"id\":\(id),\"created_at\":\"\(time(startMs + ms))\",\"guild_id\":\"77\","
    let place = "\"channel_id\":\"88\",\"message_id\":\(messageID),\"user_id\":\"\(user)\","
    let text = "\"kind\":\"\(kind)\",\"content\":\"\(content)\","
    let tail = "\"metadata\":\(metadata),\"usd_cost\":\(cost)}"
    return (head + place + text + tail).replacing("$T", with: message)
      .replacing("$S", with: session)
  }

  /// A time of that day as the wire writes it.
  private static func time(_ ms: Int64) -> String {
    let inDay = ms % 86_400_000
    func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let millis = inDay % 1000
    let padded = millis < 10 ? "00\(millis)" : millis < 100 ? "0\(millis)" : "\(millis)"
    return "2026-05-09T\(two(inDay / 3_600_000)):\(two(inDay / 60_000 % 60))"
      + ":\(two(inDay / 1000 % 60)).\(padded)Z"
  }
}
