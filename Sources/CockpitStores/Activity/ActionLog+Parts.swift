package import ClankyLink
internal import ClankyWire

extension ActionLog {
  /// Kinds and guilds of the rows that are kept; ids of guilds are short, what is longer is none.
  package var seenParts: SeenParts {
    var parts = SeenParts()
    for number in 1..<max(1, UInt32(labelTable.upperBound)) where labelTable.isUsed(number) {
      parts.kinds.insert(labelTable.payloads[Int(number)].label.kind)
    }
    for number in 1..<max(1, UInt32(placeTable.upperBound)) where placeTable.isUsed(number) {
      if let guild = placeTable.payloads[Int(number)].guild, (1...40).contains(guild.utf8.count) {
        parts.guilds.insert(guild)
      }
    }
    return parts
  }

  /// How many rows of a stretch of time (ms since 1970) came live and are in no list that has come.
  package func unnamedRows(_ times: ClosedRange<Int64>) -> Int {
    (records.first..<records.end).count { row in
      let record = records[row]
      return record.actionID == ActionRecord.noID && times.contains(record.timeMs)
        && record.flags.isDisjoint(with: [.gap, .stored])
    }
  }
}
