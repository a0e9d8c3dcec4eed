package import ClankyWire
package import ElevenLabsWire
internal import LenientJSON

/// The conversations of the account, as its list has them, and which of them became rows.
package struct ServiceHistory: Sendable {
  static let maximumKnown = 2_000

  /// The newest first.
  package private(set) var rows: [ConversationRow] = []
  /// Ids with a row for their beginning, and with one for their end.
  private var begun: Set<String> = []
  private var over: Set<String> = []
  private var isRead = false

  package init() {}

  /// A conversation of this program: its rows are made from what was heard.
  package mutating func own(_ id: String) {
    begun.insert(id)
    over.insert(id)
  }

  /// Reads a page.
  ///
  /// - Returns: rows for what is new, the oldest first, and whether they are news; those of the first page are not.
  package mutating func take(_ page: ConversationPage) -> (rows: [LiveRow], areNews: Bool) {
    rows = page.conversations
    defer { isRead = true }
    if begun.count > Self.maximumKnown {
      let present = Set(rows.map(\.id))
      begun.formIntersection(present)
      over.formIntersection(present)
    }
    var made: [LiveRow] = []
    for row in rows.reversed() {
      let isOver = !Self.running.contains(row.status ?? "")
      if !isOver, begun.insert(row.id).inserted { made.append(Self.begin(row)) }
      if isOver, over.insert(row.id).inserted {
        begun.insert(row.id)
        made.append(Self.end(row))
      }
    }
    return (made.sorted { $0.timeMs < $1.timeMs }, isRead)
  }

  private static let running: Set<String> = ["initiated", "in-progress", "processing"]

  private static func begin(_ row: ConversationRow) -> LiveRow {
    LiveRow(
      "conversation_started", "a conversation began", atMs: ms(row.startSeconds),
      agent: row.agentName ?? row.agentID, conversation: row.id,
      [("conversationId", .string(row.id))])
  }

  private static func end(_ row: ConversationRow) -> LiveRow {
    let isBad = row.status == "failed" || row.success == "failure"
    let end = (row.startSeconds ?? 0) + (row.durationSeconds ?? 0)
    var words = row.terminationReason.flatMap { $0.isEmpty ? nil : $0 } ?? row.status ?? "over"
    if let seconds = row.durationSeconds { words += ", \(seconds) s" }
    if let count = row.messageCount { words += ", \(count) messages" }
    if let summary = row.summary, !summary.isEmpty { words += ": \(summary)" }
    return LiveRow(
      isBad ? "conversation_failed" : "conversation_ended", words, atMs: ms(end),
      agent: row.agentName ?? row.agentID, conversation: row.id,
      [
        ("conversationId", .string(row.id)), ("agentId", row.agentID.map { .string($0) }),
        ("status", row.status.map { .string($0) }), ("success", row.success.map { .string($0) }),
        ("durationSeconds", row.durationSeconds.map { .integer($0) }),
        ("messages", row.messageCount.map { .integer($0) }),
        ("tools", row.tools.isEmpty ? nil : .array(row.tools.map { .string($0) })),
      ])
  }

  private static func ms(_ seconds: Int?) -> Int64 { Int64(seconds ?? 0) * 1_000 }
}
