#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Interned byte strings with reference counts, removed with their last row: kinds and user ids are
/// server data, so no table may grow with everything ever seen.
///
/// Number 0 stands for "none" and is never counted.
struct InternTable<Payload>: ~Copyable {
  /// The bytes of keys, of one or two parts. The table owns them.
  private struct Key {
    var bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    /// Length of the first part of the key; -1 if it has one part.
    var split = -1

    /// Room for no bytes too, so that the address is never nil.
    init(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer?) {
      bytes = .allocate(byteCount: left.count + (right?.count ?? 0), alignment: 8)
      split = right == nil ? -1 : left.count
      bytes.copyMemory(from: left)
      if let right {
        UnsafeMutableRawBufferPointer(rebasing: bytes[left.count...]).copyMemory(from: right)
      }
    }

    /// For number 0 and for free numbers.
    init() {}
  }

  /// The entry of a number, without its payload.
  private struct Entry {
    var key = Key()
    var hash: UInt32 = 0
    /// Unique over the lifetime of the table, so that results derived from an entry can be cached.
    var serial: UInt32 = 0
    var uses = 0
    /// Evicted rows that still need the name for comparison.
    var pins = 0
  }

  /// Raw memory instead of arrays, whose uniqueness check would run for every row. The first
  /// `upperBound` entries are initialised; entries are trivial values.
  private var entries: UnsafeMutablePointer<Entry>
  private var entryCapacity = 64
  /// One more than the largest number in use.
  private(set) var upperBound = 1
  var payloads: [Payload]
  private var free: [UInt32] = []
  /// Numbers by hash, 0 if free: the size is a power of two, and at least a quarter of the slots
  /// are free.
  private var slots: UnsafeMutablePointer<UInt32>
  private var slotCount = 64
  private var nextSerial: UInt32 = 1
  private(set) var count = 0

  init(none: Payload) {
    payloads = [none]
    entries = .allocate(capacity: entryCapacity)
    entries.initialize(to: Entry())
    slots = .allocate(capacity: slotCount)
    slots.initialize(repeating: 0, count: slotCount)
  }

  deinit {
    for number in 0..<upperBound { entries[number].key.bytes.deallocate() }
    entries.deallocate()
    slots.deallocate()
  }

  /// The entry of a number that is or was in use.
  @inline(__always)
  private func entry(_ number: UInt32) -> UnsafeMutablePointer<Entry> {
    precondition(Int(number) < upperBound, "a number of another table")
    return entries + Int(number)
  }

  func isUsed(_ number: UInt32) -> Bool { uses(of: number) > 0 }

  func uses(of number: UInt32) -> Int { entry(number).pointee.uses }

  func serial(of number: UInt32) -> UInt32 { entry(number).pointee.serial }

  /// The number of the bytes, in one part or two; creates an entry if there is none. It stays while
  /// it is retained; an entry never retained is removed by its next `release`, or found again.
  @inline(__always)
  mutating func number(
    of left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer? = nil, hash: UInt64,
    make: () -> Payload
  ) -> UInt32 {
    let short = UInt32(truncatingIfNeeded: hash >> 32)
    let (known, slot) = seek(left, right, short: short)
    if known != 0 { return known }
    return insert(Key(left, right), short: short, slot: slot, payload: make())
  }

  /// The number of the bytes if there is an entry.
  @inline(__always)
  func find(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer? = nil, hash: UInt64
  ) -> UInt32? {
    let known = seek(left, right, short: UInt32(truncatingIfNeeded: hash >> 32)).number
    return known == 0 ? nil : known
  }

  /// The number of the bytes and its slot; 0 and the first free slot if there is none.
  @inline(__always)
  private func seek(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer?, short: UInt32
  ) -> (number: UInt32, slot: Int) {
    // The mask keeps the slot in bounds, and a used slot holds a valid number.
    let mask = slotCount &- 1
    var slot = Int(short) & mask
    while slots[slot] != 0 {
      let number = slots[slot]
      let entry = entries + Int(number)
      if entry.pointee.hash == short, Self.equal(entry.pointee.key, left, right) {
        return (number, slot)
      }
      slot = (slot &+ 1) & mask
    }
    return (0, slot)
  }

  @inline(__always)
  private static func equal(
    _ key: Key, _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer?
  ) -> Bool {
    guard key.split == (right == nil ? -1 : left.count),
      key.bytes.count == left.count &+ (right?.count ?? 0), let base = key.bytes.baseAddress
    else { return false }
    if let start = left.baseAddress, !equal(base, start, left.count) { return false }
    guard let right, let start = right.baseAddress else { return true }
    return equal(base + left.count, start, right.count)
  }

  /// Whether two byte strings are equal. Names and ids have some twenty bytes, for which calling
  /// `memcmp` is most of the work. Compares words of eight from the front, and the last eight,
  /// which may overlap them.
  @inline(__always)
  private static func equal(
    _ left: UnsafeMutableRawPointer, _ right: UnsafeRawPointer, _ count: Int
  ) -> Bool {
    guard count >= 8, count <= 64 else { return memcmp(left, right, count) == 0 }
    var at = 0
    while at < count &- 8 {
      guard
        left.loadUnaligned(fromByteOffset: at, as: UInt64.self)
          == right.loadUnaligned(fromByteOffset: at, as: UInt64.self)
      else { return false }
      at &+= 8
    }
    return left.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
      == right.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
  }

  private mutating func insert(
    _ key: Key, short: UInt32, slot: Int, payload: Payload
  ) -> UInt32 {
    let number = free.popLast() ?? UInt32(upperBound)
    if Int(number) == upperBound {
      if upperBound == entryCapacity { growEntries() }
      (entries + upperBound).initialize(to: Entry())
      upperBound += 1
      payloads.append(payload)
    } else {
      payloads[Int(number)] = payload
    }
    entries[Int(number)] = Entry(key: key, hash: short, serial: nextSerial)
    nextSerial &+= 1
    slots[slot] = number
    count += 1
    if count * 4 > slotCount * 3 { growSlots() }
    return number
  }

  private mutating func growEntries() {
    let more = UnsafeMutablePointer<Entry>.allocate(capacity: entryCapacity * 2)
    more.moveInitialize(from: entries, count: upperBound)
    entries.deallocate()
    entries = more
    entryCapacity *= 2
  }

  private mutating func growSlots() {
    let (old, oldCount) = (slots, slotCount)
    slotCount *= 2
    slots = .allocate(capacity: slotCount)
    slots.initialize(repeating: 0, count: slotCount)
    let mask = slotCount - 1
    for place in 0..<oldCount where old[place] != 0 {
      var slot = Int(entries[Int(old[place])].hash) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = old[place]
    }
    old.deallocate()
  }

  /// Counts one more row.
  @inline(__always)
  mutating func retain(_ number: UInt32) {
    if number != 0 { entry(number).pointee.uses &+= 1 }
  }

  /// Decrements the count; the entry is removed with its last row.
  @inline(__always)
  mutating func release(_ number: UInt32) {
    guard number != 0 else { return }
    let entry = entry(number)
    entry.pointee.uses &-= 1
    if entry.pointee.uses <= 0, entry.pointee.pins == 0 { remove(number) }
  }

  /// Decrements the count, and pins the entry for an evicted row.
  mutating func pin(_ number: UInt32) {
    guard number != 0 else { return }
    entry(number).pointee.uses &-= 1
    entry(number).pointee.pins &+= 1
  }

  /// Releases a pin.
  mutating func unpin(_ number: UInt32) {
    guard number != 0 else { return }
    let entry = entry(number)
    entry.pointee.pins &-= 1
    if entry.pointee.uses <= 0, entry.pointee.pins == 0 { remove(number) }
  }

  /// Takes an entry out and closes the gap it leaves in its run of slots.
  @inline(never)
  private mutating func remove(_ number: UInt32) {
    let mask = slotCount - 1
    var hole = Int(entries[Int(number)].hash) & mask
    while slots[hole] != number { hole = (hole + 1) & mask }
    var next = (hole + 1) & mask
    while slots[next] != 0 {
      let home = Int(entries[Int(slots[next])].hash) & mask
      if (next - home) & mask >= (next - hole) & mask {
        slots[hole] = slots[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    slots[hole] = 0
    entries[Int(number)].key.bytes.deallocate()
    entries[Int(number)] = Entry()
    payloads[Int(number)] = payloads[0]
    free.append(number)
    count -= 1
  }
}
