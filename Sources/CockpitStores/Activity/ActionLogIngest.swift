internal import LenientJSON
package import ClankyWire

extension ActionLog {
  /// The result of ingesting one action.
  private enum Arrival {
    case added(RowID)
    /// A twin of a row that was there, or a stored row that was seen before.
    case known
    /// A stored row with the id of another one: the backend's log is not the one it was.
    case contradiction
  }

  /// Ingests a live action. Returns its row, or nil if it is the twin of a known one.
  @discardableResult
  package func ingestLive(
    _ json: UnsafeRawBufferPointer, from source: ActionSource, nowMs: Int64
  ) throws(ActionRejection) -> RowID? {
    do {
      let scan = try ActionScanner.scan(json)
      lastLiveMs = scan.timeMs
      let arrival = arrive(json, scan, from: source, nowMs: nowMs)
      finishChanges()
      if case .added(let row) = arrival { return row }
      return nil
    } catch {
      totals.rejected += 1
      revision += 1
      throw error
    }
  }

  /// Takes in stored rows: the payload of an `activity_snapshot`, or the body of `/api/actions`.
  /// A bad row costs itself.
  @discardableResult
  package func ingestRows(_ payload: UnsafeRawBufferPointer, nowMs: Int64) -> IngestReport {
    var report = IngestReport(addedRows: records.end..<records.end)
    var ranges: [Range<Int>] = []
    let outcome = ActionRows.split(payload) { ranges.append($0) }
    report.stats = outcome.stats
    report.isComplete = outcome.isComplete
    report.rejected = outcome.badRows
    // Stored rows without a readable id are distinct only within their list; the next list may have
    // the ids.
    if hasNameless { release(.storedTaken) { $0.actionID == ActionRecord.noID } }
    // Lists are newest first; ingest in reverse, so that the newest row is evicted last.
    for range in ranges.reversed() {
      let bytes = UnsafeRawBufferPointer(rebasing: payload[range])
      do {
        let scan = try ActionScanner.scan(bytes)
        report.count += 1
        if scan.id == nil { hasNameless = true }
        if let id = scan.id { report.ids.append(id) }
        report.oldestMs = min(report.oldestMs ?? .max, scan.timeMs)
        report.newestMs = max(report.newestMs ?? .min, scan.timeMs)
        switch arrive(bytes, scan, from: .stored, nowMs: nowMs) {
        case .added: report.added += 1
        case .known: break
        case .contradiction: report.contradictions += 1
        }
      } catch {
        report.rejected += 1
        report.firstRejection = report.firstRejection ?? error
      }
    }
    totals.rejected += report.rejected
    finishChanges()
    report.addedRows = max(report.addedRows.lowerBound, records.first)..<records.end
    return report
  }

  private func arrive(
    _ json: UnsafeRawBufferPointer, _ scan: ActionScan, from source: ActionSource, nowMs: Int64
  ) -> Arrival {
    // The row's id, unless another row of the log has it.
    var newID = scan.id
    if let id = scan.id, knownIDs.contains(id) {
      let conflicts = conflictsWithRow(scan, json, withID: id)
      guard source != .stored else { return conflicts ? .contradiction : .known }
      // A live row with a known id is the same row again, on any stream.
      if !conflicts { return .known }
      newID = nil
    }
    let (flags, taken) = Self.flags(source)
    var record = ActionRecord(timeMs: scan.timeMs, label: label(scan, in: json), flags: flags)
    record.place = place(scan, in: json)
    record.user = user(scan, in: json)
    record.length = UInt32(truncatingIfNeeded: json.count)
    let (twin, ordinal) = twin(
      of: &record, lacking: taken, base: fingerprint(record, scan, in: json))
    if let twin, records[twin].flags.contains(.former) { takeBack(twin, nowMs: nowMs) }
    if let newID {
      knownIDs.insert(newID)
      if let twin { adopt(newID, on: twin) }
      record.actionID = Int64(newID)
    }
    if let twin {
      complete(twin, with: flags, scan, json)
      if let observer { observer.twin(of: twin, from: source, actionID: newID) }
      return .known
    }
    if source == .stored, !evictedRows.isEmpty, claimEvicted(like: record, scan, json) {
      return .known
    }
    if ordinal > 0 { record.flags.insert(.repeated) }
    describe(&record, scan, json)
    let row = append(record, json, nowMs: nowMs)
    if let observer { observer.added(row, json, from: source, receivedMs: nowMs) }
    // A list is sorted once all of it is in.
    if source == .stored || !isInOrder(row, record) { pending.append(row) }
    return .added(row)
  }

  /// Fills in what a new row has beside its identity.
  @inline(__always)
  func describe(
    _ record: inout ActionRecord, _ scan: ActionScan, _ json: UnsafeRawBufferPointer
  ) {
    if scan.content.isString, scan.content.count > 0 {
      record.contentOffset = scan.content.offset
      if scan.content.isEscaped { record.flags.insert(.escaped) }
    }
    record.cost = PackedCost(nanos: scan.costNanos)
    if labelTable.payloads[Int(record.label)].facts.mayFail, case .object = scan.metadata.form,
      ActionLabel.reportsFailure(scan.metadata.slice(of: json))
    {
      record.flags.insert(.failed)
    }
  }

  /// Whether the retained row with an id is another one than this.
  private func conflictsWithRow(
    _ scan: ActionScan, _ json: UnsafeRawBufferPointer, withID id: Int
  ) -> Bool {
    var record = ActionRecord(timeMs: scan.timeMs, label: label(scan, in: json), flags: [])
    record.actionID = Int64(id)
    var place = order.lowerBound(
      RowKey(record, row: records.first), first: records.first, key: key)
    var sameTime: RowID?
    while sameTime == nil, place < order.count {
      let row = order.row(at: place, first: records.first)
      guard records[row].timeMs == scan.timeMs, records[row].actionID == Int64(id) else { break }
      // A hole, or a row of another log, may stand at the same place.
      if records[row].flags.isDisjoint(with: [.gap, .former]) { sameTime = row }
      place += 1
    }
    guard let row = sameTime else {
      // Not at its position: evicted long ago, or with another time. The time decides.
      guard let other = rowID(actionID: id) else { return false }
      return records[other].timeMs != scan.timeMs
    }
    let known = records[row]
    guard !known.flags.contains(.repeated) else { return false }
    record.place = self.place(scan, in: json)
    record.user = user(scan, in: json)
    return known.label != record.label || known.place != record.place || known.user != record.user
      || known.hash != ordinalHash(fingerprint(record, scan, in: json), 0)
  }

  /// The flags of this channel, and which of them marks its copy as present.
  @inline(__always)
  private static func flags(
    _ source: ActionSource
  ) -> (all: ActionRecord.Flags, taken: ActionRecord.Flags) {
    switch source {
    case .activity: ([.activity, .activityTaken], .activityTaken)
    case .voice: ([.voice, .voiceTaken], .voiceTaken)
    case .stored: ([.stored, .storedTaken], .storedTaken)
    }
  }

  /// The connection of this stream ended; the next one may repeat what was already received.
  package func endConnection(_ source: ActionSource) { release(Self.flags(source).taken) }

  /// Frees rows for twins from the same channel.
  private func release(
    _ taken: ActionRecord.Flags, where isMeant: (ActionRecord) -> Bool = { _ in true }
  ) {
    for row in records.first..<records.end where isMeant(records[row]) {
      records[row].flags.remove(taken)
    }
  }

  /// Forgets the ids of all rows and excludes them from every figure: the log they belong to was
  /// replaced. A row that the new log contains too is matched again, with its id there.
  func setApart() {
    knownIDs = IDRanges()
    for row in records.first..<records.end {
      let record = records[row]
      guard record.flags.isDisjoint(with: [.gap, .former]) else { continue }
      records[row].flags.remove(.storedTaken)
      records[row].flags.insert(.former)
      formerCount += 1
      tally(record, sign: -1)
      labelTable.pin(record.label)
      placeTable.pin(record.place)
      userTable.pin(record.user)
      noteUpdate(row)
    }
  }

  /// A row of a log that was replaced is in the present one too.
  private func takeBack(_ row: RowID, nowMs: Int64) {
    records[row].flags.remove(.former)
    records[row].actionID = ActionRecord.noID
    resorted.insert(records[row].timeMs)
    formerCount -= 1
    hasTakenBack = true
    let record = records[row]
    labelTable.retain(record.label)
    placeTable.retain(record.place)
    userTable.retain(record.user)
    unpinNames(of: record)
    tally(record, sign: 1)
    let isFailure =
      record.flags.contains(.failed) || labelTable.payloads[Int(record.label)].facts.isError
    rate.add(timeMs: record.timeMs, failed: isFailure, nowMs: nowMs)
  }

  /// Counts a retained row, or no longer.
  func tally(_ record: ActionRecord, sign: Int) {
    let number = Int(record.label)
    let nanos = record.cost.nanos
    totals.retained.add(
      labelTable.payloads[number].facts, failed: record.flags.contains(.failed), nanos: nanos,
      sign: sign)
    labelTable.payloads[number].retainedNanos &+= Int64(sign) &* nanos
  }

  // MARK: a new row

  func append(
    _ record: ActionRecord, _ json: UnsafeRawBufferPointer, nowMs: Int64
  ) -> RowID {
    // Retain the row's names before eviction makes room.
    labelTable.retain(record.label)
    placeTable.retain(record.place)
    userTable.retain(record.user)
    var record = record
    let row = records.end
    record.offset = store(json).offset
    records.append(record)
    twins.insert(row, hash: record.hash, first: records.first) {
      records[$0].flags.contains(.gap) ? nil : records[$0].hash
    }
    let failed = record.flags.contains(.failed)
    let nanos = record.cost.nanos
    let number = Int(record.label)
    labelTable.payloads[number].retainedNanos &+= nanos
    let facts = labelTable.payloads[number].facts
    totals.seen.add(facts, failed: failed, nanos: nanos, sign: 1)
    totals.retained.add(facts, failed: failed, nanos: nanos, sign: 1)
    let isFailure = failed || facts.isError
    rate.add(timeMs: record.timeMs, failed: isFailure, nowMs: nowMs)
    return row
  }

  // MARK: a twin

  private func adopt(_ id: Int?, on row: RowID) {
    guard let id, records[row].actionID == ActionRecord.noID else { return }
    records[row].actionID = Int64(id)
    resorted.insert(records[row].timeMs)
    noteUpdate(row)
  }

  /// Records that a row also came through this channel, and keeps the longer text: stored content
  /// is cut at 2,000 units, live content is not (contract 4.1).
  private func complete(
    _ row: RowID, with flag: ActionRecord.Flags, _ scan: ActionScan, _ json: UnsafeRawBufferPointer
  ) {
    let hadOnlyStored =
      !records[row].flags.contains(.activity) && !records[row].flags.contains(.voice)
    records[row].flags.insert(flag)
    guard !flag.contains(.stored), hadOnlyStored, records[row].contentOffset > 0,
      scan.content.isString,
      scan.content.count > contentBytes(row, records[row]).count
    else { return noteUpdate(row) }
    let (slab, offset) = store(json)
    guard row >= records.first else { return }  // evicted to make room
    records[row].offset = offset
    records[row].length = UInt32(truncatingIfNeeded: json.count)
    records[row].contentOffset = scan.content.offset
    if scan.content.isEscaped { records[row].flags.insert(.escaped) }
    records[row].flags.insert(.moved)
    movedSlabs[row] = slab
    if let observer { observer.replaced(row, json) }
    noteUpdate(row)
  }

  /// The bytes between the quotes of `content`; valid until the log changes.
  func contentBytes(_ row: RowID, _ record: ActionRecord) -> UnsafeRawBufferPointer {
    guard record.contentOffset > 0 else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let raw = raw(row, record)
    guard var cursor = JSONCursor(raw) else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    cursor.at = Int(record.contentOffset)
    var escaped = false
    _ = cursor.skipStringBody(escaped: &escaped)
    return UnsafeRawBufferPointer(rebasing: raw[Int(record.contentOffset)..<cursor.at - 1])
  }
}
