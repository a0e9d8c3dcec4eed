package import CockpitDomain
internal import ClankyWire

extension ActionLog {
  /// Kinds and guilds of the stored rows. Overlong guild ids are ignored.
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

  /// Number of live rows in `times` (ms since 1970) that no stored list has identified yet.
  package func unidentifiedRowCount(_ times: ClosedRange<Int64>) -> Int {
    (records.first..<records.end).count { row in
      let record = records[row]
      return record.actionID == ActionRecord.noID && times.contains(record.timeMs)
        && record.flags.isDisjoint(with: [.gap, .stored, .former])
    }
  }

  /// The times of the rows next to holes, which are in order. It looks at every row.
  package func bounds(of holes: [ClosedRange<Int>]) -> [HoleBounds] {
    var before = [(id: Int64, ms: Int64)?](repeating: nil, count: holes.count)
    var after = before
    for row in records.first..<records.end {
      let record = records[row]
      guard record.actionID != ActionRecord.noID, record.flags.isDisjoint(with: [.gap, .former])
      else { continue }
      // Binary search: the number of holes before it.
      var (low, high) = (0, holes.count)
      while low < high {
        let middle = (low + high) / 2
        if Int64(holes[middle].lowerBound) < record.actionID {
          low = middle + 1
        } else {
          high = middle
        }
      }
      let known = (id: record.actionID, ms: record.timeMs)
      if low < holes.count, before[low].map({ $0.id < known.id }) ?? true { before[low] = known }
      if low > 0, after[low - 1].map({ $0.id > known.id }) ?? true { after[low - 1] = known }
    }
    // Adjacent holes share their outer neighbours.
    for index in before.indices.dropFirst() where before[index] == nil {
      before[index] = before[index - 1]
    }
    for index in after.indices.dropLast().reversed() where after[index] == nil {
      after[index] = after[index + 1]
    }
    return zip(before, after).map { HoleBounds(beforeMs: $0?.ms, afterMs: $1?.ms) }
  }

  /// The holes without ids of rows from a replaced log that has come back: there they are its rows.
  package func withoutShown(_ holes: [ClosedRange<Int>]) -> [ClosedRange<Int>] {
    guard formerCount > 0, !holes.isEmpty else { return holes }
    var shown = (records.first..<records.end).compactMap { row -> Int? in
      let record = records[row]
      guard record.flags.contains(.former), record.actionID != ActionRecord.noID else { return nil }
      return Int(record.actionID)
    }
    shown.sort()
    var rest: [ClosedRange<Int>] = []
    var index = 0
    for hole in holes {
      var next = hole.lowerBound
      while index < shown.count, shown[index] <= hole.upperBound {
        let id = shown[index]
        index += 1
        guard id >= next else { continue }
        if id > next { rest.append(next...id - 1) }
        next = id + 1
      }
      if next <= hole.upperBound { rest.append(next...hole.upperBound) }
    }
    return rest
  }

  /// The largest id of the rows that are not newer than a time (ms since 1970).
  package func newestID(notAfterMs ms: Int64) -> Int? {
    (records.first..<records.end).lazy.compactMap { [self] row -> Int? in
      let record = records[row]
      guard record.timeMs <= ms, record.actionID != ActionRecord.noID,
        record.flags.isDisjoint(with: [.gap, .former])
      else { return nil }
      return Int(record.actionID)
    }.max()
  }
}
