internal import CockpitDomain

/// The rows at which a playhead stands when it goes from turn to turn.
package enum TurnRow {
  /// What came of a message, or of the bot's own accord.
  package static let kinds: Set<String> = [
    "sent_reply", "sent_message", "reply_skipped", "reacted", "initiative_post",
    "automation_post",
  ]
  /// A speaker in voice has finished: what came of it follows in the next seconds.
  package static let events: Set<String> = ["voice_turn_finalized"]
}

extension HistoryFolder {
  /// The nearest turn before or after a time, of each file: rows are read along the index of their times.
  func turnTimes(from: Int64, isOlder: Bool) throws(HistoryError) -> [Int64] {
    var times: [Int64] = []
    for file in try filesWithRows().files
    where isOlder ? file.span.lowerBound < from : file.span.upperBound > from {
      let time = try pool.with(file.path) { reader throws(DatabaseFailure) -> Int64? in
        var conditions: [String] = []
        for (column, names) in [("kind", TurnRow.kinds), ("event", TurnRow.events)] {
          var numbers: [String] = []
          for name in names.sorted() {
            if let number = try reader.number(column, name) { numbers.append("\(number)") }
          }
          if !numbers.isEmpty {
            conditions.append("\(column) IN (\(numbers.joined(separator: ",")))")
          }
        }
        guard !conditions.isEmpty else { return nil }
        let isTurn = conditions.joined(separator: " OR ")
        return try reader.database.number(
          isOlder
            ? "SELECT at_ms FROM row WHERE at_ms < ? AND (\(isTurn)) ORDER BY at_ms DESC LIMIT 1"
            : "SELECT at_ms FROM row WHERE at_ms > ? AND (\(isTurn)) ORDER BY at_ms LIMIT 1",
          from)
      }
      if let time = time ?? nil { times.append(time) }
    }
    return times
  }
}
