/// Live rows that had to make room before a list told their ids: one that comes later shall not bring them
/// as new ones (promise P4). Their names stay pinned as long as they are here, since the fingerprint has their
/// numbers.
struct GivenUpRows {
  /// Four lists of the length that the backend gives (wire contract 3.2).
  static let limit = 4_096

  /// Beside the records: they alone are looked through.
  private var times: [Int64] = []
  private var records: [ActionRecord] = []
  /// The oldest, once there are as many as are kept.
  private var oldest = 0

  var isEmpty: Bool { times.isEmpty }

  /// Keeps a row.
  ///
  /// - Returns: the one that had to go for it, whose names are to be unpinned.
  mutating func keep(_ record: ActionRecord) -> ActionRecord? {
    guard times.count == Self.limit else {
      times.append(record.timeMs)
      records.append(record)
      return nil
    }
    let gone = records[oldest]
    times[oldest] = record.timeMs
    records[oldest] = record
    oldest = (oldest + 1) % Self.limit
    return gone
  }

  /// Takes out a row of the same time, kind, place and person whose hash is accepted.
  mutating func take(
    like record: ActionRecord, where isMeant: (ActionRecord) -> Bool
  ) -> ActionRecord? {
    for index in times.indices where times[index] == record.timeMs {
      let other = records[index]
      guard other.label == record.label, other.place == record.place, other.user == record.user,
        isMeant(other)
      else { continue }
      let last = times.count - 1
      times[index] = times[last]
      records[index] = records[last]
      times.removeLast()
      records.removeLast()
      oldest = 0
      return other
    }
    return nil
  }

  /// Forgets all of them.
  ///
  /// - Returns: the rows whose names are to be unpinned.
  mutating func removeAll() -> [ActionRecord] {
    defer { self = GivenUpRows() }
    return records
  }
}
