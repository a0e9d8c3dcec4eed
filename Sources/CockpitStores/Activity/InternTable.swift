#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Byte strings that many rows share, each kept once and counted, gone with its last row: names of
/// kinds and ids of people are server data, so no table may grow with what was seen.
///
/// Number 0 stands for "none" and is never counted.
struct InternTable<Payload>: ~Copyable {
  /// The bytes of keys, of one or two parts. The table owns them.
  private struct Key {
    var bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    /// How many of them are the first part; -1 when there is but one.
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

    /// Of number 0 and of numbers that are free.
    init() {}
  }

  private var keys = [Key()]
  private var hashes: [UInt32] = [0]
  private var uses: [Int] = [0]
  /// A number that is never used twice, so that what was worked out for an entry can be kept.
  private(set) var serials: [UInt32] = [0]
  var payloads: [Payload]
  private var free: [UInt32] = []
  private var slots: [UInt32]
  private var nextSerial: UInt32 = 1
  private(set) var count = 0

  init(none: Payload) {
    payloads = [none]
    slots = Array(repeating: 0, count: 64)
  }

  deinit {
    for key in keys { key.bytes.deallocate() }
  }

  /// One more than the largest number in use.
  var upperBound: Int { keys.count }

  func isUsed(_ number: UInt32) -> Bool { uses[Int(number)] > 0 }

  func uses(of number: UInt32) -> Int { uses[Int(number)] }

  /// The number of the bytes, in one part or two; an entry is made when there is none. It stays
  /// while it is retained; one that never was goes with the next `release` of it, or is found again.
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

  /// The number of the bytes and its slot; 0 and the first free slot when there is none.
  @inline(__always)
  private func seek(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer?, short: UInt32
  ) -> (number: UInt32, slot: Int) {
    let mask = slots.count &- 1
    var slot = Int(short) & mask
    while slots[slot] != 0 {
      let number = Int(slots[slot])
      if hashes[number] == short, Self.equal(keys[number], left, right) {
        return (UInt32(truncatingIfNeeded: number), slot)
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
    if let start = left.baseAddress, memcmp(base, start, left.count) != 0 { return false }
    guard let right, let start = right.baseAddress else { return true }
    return memcmp(base + left.count, start, right.count) == 0
  }

  private mutating func insert(
    _ key: Key, short: UInt32, slot: Int, payload: Payload
  ) -> UInt32 {
    let number: UInt32
    if let reused = free.popLast() {
      number = reused
      keys[Int(number)] = key
      hashes[Int(number)] = short
      payloads[Int(number)] = payload
      serials[Int(number)] = nextSerial
    } else {
      number = UInt32(keys.count)
      keys.append(key)
      hashes.append(short)
      uses.append(0)
      serials.append(nextSerial)
      payloads.append(payload)
    }
    nextSerial &+= 1
    slots[slot] = number
    count += 1
    if count * 4 > slots.count * 3 { grow() }
    return number
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: 0, count: old.count * 2)
    let mask = slots.count - 1
    for number in old where number != 0 {
      var slot = Int(hashes[Int(number)]) & mask
      while slots[slot] != 0 { slot = (slot + 1) & mask }
      slots[slot] = number
    }
  }

  /// Counts one more row.
  @inline(__always)
  mutating func retain(_ number: UInt32) {
    if number != 0 { uses[Int(number)] &+= 1 }
  }

  /// Counts one row less; the entry goes with the last.
  mutating func release(_ number: UInt32) {
    guard number != 0 else { return }
    uses[Int(number)] -= 1
    if uses[Int(number)] <= 0 { remove(number) }
  }

  /// Takes an entry out and closes the gap it leaves in its run of slots.
  private mutating func remove(_ number: UInt32) {
    let mask = slots.count - 1
    var hole = Int(hashes[Int(number)]) & mask
    while slots[hole] != number { hole = (hole + 1) & mask }
    var next = (hole + 1) & mask
    while slots[next] != 0 {
      let home = Int(hashes[Int(slots[next])]) & mask
      if (next - home) & mask >= (next - hole) & mask {
        slots[hole] = slots[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    slots[hole] = 0
    keys[Int(number)].bytes.deallocate()
    keys[Int(number)] = Key()
    payloads[Int(number)] = payloads[0]
    uses[Int(number)] = 0
    serials[Int(number)] = 0
    free.append(number)
    count -= 1
  }
}
