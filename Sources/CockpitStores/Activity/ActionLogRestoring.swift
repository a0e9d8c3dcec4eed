package import CockpitDomain
package import ClankyWire

extension ActionLog {
  /// Appends a row of a recording. The recorder has matched it with its copies, so none are looked for.
  ///
  /// - Parameters:
  ///   - actionID: the backend's id; nil if no list with it was seen.
  ///   - origins: the ways on which its copies had arrived.
  @discardableResult
  package func restore(
    _ json: UnsafeRawBufferPointer, actionID: Int?, origins: RowOrigins, nowMs: Int64
  ) throws(ActionRejection) -> RowID {
    do {
      let scan = try ActionScanner.scan(json)
      lastLiveMs = scan.timeMs
      var record = ActionRecord(
        timeMs: scan.timeMs, label: label(scan, in: json), flags: Self.flags(origins))
      record.place = place(scan, in: json)
      record.user = user(scan, in: json)
      record.length = UInt32(truncatingIfNeeded: json.count)
      if let id = actionID ?? scan.id {
        knownIDs.insert(id)
        record.actionID = Int64(id)
      }
      describe(&record, scan, json)
      let row = append(record, json, nowMs: nowMs)
      if !isInOrder(row, record) { pending.append(row) }
      finishChanges()
      return row
    } catch {
      totals.rejected += 1
      revision += 1
      throw error
    }
  }

  private static func flags(_ origins: RowOrigins) -> ActionRecord.Flags {
    var flags: ActionRecord.Flags = []
    if origins.contains(.activity) { flags.formUnion([.activity, .activityTaken]) }
    if origins.contains(.voice) { flags.formUnion([.voice, .voiceTaken]) }
    if origins.contains(.stored) { flags.formUnion([.stored, .storedTaken]) }
    return flags
  }
}
