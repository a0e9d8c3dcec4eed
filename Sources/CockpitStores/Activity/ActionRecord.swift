/// The indexed columns of a row: what is filtered, sorted and summed. 48 bytes.
struct ActionRecord {
  static let noID = Int64.min

  /// Milliseconds since 1970.
  var timeMs: Int64
  /// The row id of the backend, or `noID`.
  var actionID: Int64
  /// Where the bytes start in their block.
  var offset: UInt32
  var length: UInt32
  /// The offset of the text between the quotes of `content`; 0 if there is none.
  var contentOffset: UInt32
  /// Numbers of interned values; `place` is guild and channel.
  var place: UInt32
  var user: UInt32
  /// Hash of the fingerprint, including the ordinal among equal rows.
  var hash: UInt32
  var cost: PackedCost
  private var labelAndFlags: UInt32

  /// The largest number a label can have.
  static let maxLabel: UInt32 = (1 << labelBits) - 1
  private static let labelBits: UInt32 = 20

  /// Twelve bits.
  struct Flags: OptionSet {
    let rawValue: UInt16

    static let activity = Flags(rawValue: 1)
    static let voice = Flags(rawValue: 2)
    static let stored = Flags(rawValue: 4)
    /// The metadata says that it failed.
    static let failed = Flags(rawValue: 8)
    /// Not an action but a gap in the log.
    static let gap = Flags(rawValue: 16)
    /// The bytes were replaced by a longer twin's and are in another slab.
    static let moved = Flags(rawValue: 32)
    /// The content has escapes.
    static let escaped = Flags(rawValue: 64)
    /// There are equal rows before this one.
    static let repeated = Flags(rawValue: 128)
    /// A copy arrived on the stream's current connection, so another copy there is a second, equal
    /// row. A copy on a later connection is the same row repeated.
    static let activityTaken = Flags(rawValue: 256)
    static let voiceTaken = Flags(rawValue: 512)
    /// A stored row of the present log of the backend was found for it.
    static let storedTaken = Flags(rawValue: 1024)
    /// It belongs to a replaced log and was not found in the current one. Its id orders it within
    /// its millisecond and identifies no row.
    static let former = Flags(rawValue: 2048)
  }

  init(timeMs: Int64, label: UInt32, flags: Flags) {
    self.timeMs = timeMs
    actionID = Self.noID
    (offset, length, contentOffset, place, user, hash) = (0, 0, 0, 0, 0, 0)
    cost = PackedCost(nanos: 0)
    labelAndFlags = label | UInt32(flags.rawValue) << Self.labelBits
  }

  var label: UInt32 { labelAndFlags & Self.maxLabel }

  var flags: Flags {
    get { Flags(rawValue: UInt16(truncatingIfNeeded: labelAndFlags >> Self.labelBits)) }
    set { labelAndFlags = label | UInt32(newValue.rawValue) << Self.labelBits }
  }
}

/// An amount in four bytes: exact billionths of a dollar below $2.14, hundred-thousandths up to $10,737,
/// 24 significant bits above, up to more than anything is worth. The bytes of the row keep the exact text.
struct PackedCost {
  private let bits: UInt32

  private static let coarse: UInt32 = 0x8000_0000
  private static let floating: UInt32 = 0xC000_0000
  private static let nanosPerUnit: Int64 = 10_000
  /// Significant bits of a floating amount; six more hold the shift.
  private static let significant = 24

  init(nanos: Int64) {
    let units = UInt64(max(0, nanos) / Self.nanosPerUnit)
    if nanos <= 0 {
      bits = 0
    } else if nanos < Int64(Self.coarse) {
      bits = UInt32(nanos)
    } else if units < 1 << 30 {
      bits = Self.coarse | UInt32(units)
    } else {
      let shift = UInt64.bitWidth - units.leadingZeroBitCount - Self.significant
      bits =
        Self.floating | UInt32(shift) << UInt32(Self.significant) | UInt32(units >> UInt64(shift))
    }
  }

  /// Saturates at the largest amount that fits, some $9.2 thousand million.
  var nanos: Int64 {
    guard bits & Self.coarse != 0 else { return Int64(bits) }
    let value = Int64(bits & ~Self.floating)
    guard bits & Self.floating == Self.floating else { return value * Self.nanosPerUnit }
    let units = (value & (1 << Self.significant - 1)) << (value >> Self.significant)
    let (nanos, isOver) = units.multipliedReportingOverflow(by: Self.nanosPerUnit)
    return isOver ? .max : nanos
  }
}

/// The records of all retained rows, in order of arrival, in blocks that are used again.
struct RecordStore: ~Copyable {
  private static let shift = 12
  private static let chunkCount = 1 << shift

  private var chunks: [UnsafeMutablePointer<ActionRecord>] = []
  private var spare: UnsafeMutablePointer<ActionRecord>?
  /// The row at the start of the first block.
  private var origin: RowID = 0
  /// The oldest row.
  private(set) var first: RowID = 0
  /// The row after the newest.
  private(set) var end: RowID = 0

  init() {}

  deinit {
    for chunk in chunks { chunk.deallocate() }
    spare?.deallocate()
  }

  var count: Int { end - first }

  /// Bytes of memory held.
  var bytes: Int {
    (chunks.count + (spare == nil ? 0 : 1)) * Self.chunkCount * MemoryLayout<ActionRecord>.stride
  }

  @inline(__always)
  mutating func append(_ record: ActionRecord) {
    let index = end &- origin
    if index >> Self.shift >= chunks.count {
      chunks.append(spare ?? .allocate(capacity: Self.chunkCount))
      spare = nil
    }
    (chunks[index >> Self.shift] + (index & (Self.chunkCount &- 1))).initialize(to: record)
    end &+= 1
  }

  /// The record of a retained row.
  @inline(__always)
  subscript(row: RowID) -> ActionRecord {
    get { address(row).pointee }
    set { address(row).pointee = newValue }
  }

  @inline(__always)
  private func address(_ row: RowID) -> UnsafeMutablePointer<ActionRecord> {
    precondition(row >= first && row < end, "the row is not retained")
    let index = row &- origin
    return chunks[index >> Self.shift] + (index & (Self.chunkCount &- 1))
  }

  /// Drops the rows before `row`. Records are trivial values, so nothing is deinitialised.
  mutating func removeFirst(upTo row: RowID) {
    first = min(row, end)
    while first - origin >= Self.chunkCount {
      let chunk = chunks.removeFirst()
      if spare == nil { spare = chunk } else { chunk.deallocate() }
      origin += Self.chunkCount
    }
  }
}
