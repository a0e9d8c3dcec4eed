internal import ClankyWire

extension ActionLog {
  /// Copies the bytes into the ring; evicts the oldest rows if it is full.
  func store(_ json: UnsafeRawBufferPointer) -> (slab: Int, offset: UInt32) {
    // Short rows weigh more in the index than in the ring.
    while slabs.count > 1,
      slabs.capacity + (records.count + 1) * Self.indexBytesPerRow > memoryLimit
    {
      giveUpOldest()
    }
    if !slabs.fits(json.count) {
      let size = slabs.slabSize(for: json.count)
      while !slabs.isEmpty,
        slabs.capacity + size + records.count * Self.indexBytesPerRow > memoryLimit
      {
        giveUpOldest()
      }
      slabs.open(for: json.count, firstRow: records.end)
    }
    return slabs.append(json)
  }

  private func giveUpOldest() {
    evict(upTo: slabs.endOfOldest ?? records.end)
    slabs.removeOldest()
  }

  /// Forgets the rows before `end`.
  func evict(upTo end: RowID) {
    let gone = records.first..<max(records.first, end)
    guard !gone.isEmpty else { return }
    if pending.isEmpty {
      order.remove(gone, first: records.first)
    } else {
      // In the middle of a list: its rows are not in the order yet.
      let waiting = pending.filter { $0 >= end }
      pending.removeAll { $0 >= end }
      place(pending)
      order.remove(gone, first: records.first)
      pending = waiting
    }
    for row in gone {
      let record = records[row]
      if record.flags.contains(.gap) {
        gaps[row] = nil
        continue
      }
      if record.timeMs > newestEvictedMs ?? .min { newestEvictedMs = record.timeMs }
      if record.flags.contains(.moved) { movedSlabs[row] = nil }
      guard !record.flags.contains(.former) else {
        formerCount -= 1
        unpinNames(of: record)
        continue
      }
      tally(record, sign: -1)
      if record.actionID == ActionRecord.noID, !record.flags.contains(.stored) {
        giveUp(record)
      } else {
        labelTable.release(record.label)
        placeTable.release(record.place)
        userTable.release(record.user)
      }
    }
    records.removeFirst(upTo: gone.upperBound)
  }

  private func giveUp(_ record: ActionRecord) {
    labelTable.pin(record.label)
    placeTable.pin(record.place)
    userTable.pin(record.user)
    if let gone = evictedRows.keep(record) { unpinNames(of: gone) }
  }

  func unpinNames(of record: ActionRecord) {
    labelTable.unpin(record.label)
    placeTable.unpin(record.place)
    userTable.unpin(record.user)
  }

  /// Whether a live row that is not retained any more is this one.
  func claimEvicted(
    like record: ActionRecord, _ scan: ActionScan, _ json: UnsafeRawBufferPointer
  ) -> Bool {
    let base = fingerprint(record, scan, in: json)
    let taken = evictedRows.take(like: record) { other in
      // Equal rows have different hashes.
      let ordinals = other.flags.contains(.repeated) ? 1..<Self.equalRows : 0..<1
      return ordinals.contains { ordinalHash(base, $0) == other.hash }
    }
    if let taken { unpinNames(of: taken) }
    return taken != nil
  }

  /// How many equal rows of one millisecond stay distinguishable after eviction.
  private static let equalRows = 256
}
