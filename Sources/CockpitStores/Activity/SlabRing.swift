/// The raw bytes of rows, in blocks of 2 MiB that are filled in order, given up whole from the
/// oldest on, and used again: the memory of a long session is the memory of its last minutes.
/// A small ring has blocks of 1 MiB, so that one of them is not half of it.
///
/// A row that does not fit into a block gets one of its own.
struct SlabRing {
  /// The smallest ring, in bytes: four small blocks.
  static let minimum = 4 << 20
  /// From this size on, blocks are large.
  static let largeRing = 32 << 20
  /// A block of its own is a multiple of this, the smallest page there is.
  private static let page = 4096

  /// One block. It owns its memory, and hands out addresses only to `SlabRing`.
  private final class Slab {
    var memory: SlabMemory
    let capacity: Int
    var used = 0
    /// The first row whose arrival this block was opened for, or comes after that.
    var firstRow: RowID

    init(capacity: Int, firstRow: RowID) {
      memory = SlabMemory(count: capacity)
      self.capacity = capacity
      self.firstRow = firstRow
    }
  }

  /// The newest block, for every row that comes: what a look into it would be a count of its owners
  /// for. The address is valid as long as that block is the last of `slabs`, which owns it.
  private struct Newest {
    var start: UnsafeMutableRawPointer?
    var capacity = 0
    var used = 0
    /// How many of the bytes have their pages.
    var ready = 0
  }

  /// The size of an ordinary block.
  private let slabBytes: Int
  private var newest = Newest()
  private var slabs: [Slab] = []
  private var spare: Slab?
  /// The number of the first block; it grows with every one given up.
  private(set) var firstNumber = 0
  /// Bytes of all blocks in use.
  private(set) var capacity = 0
  /// Bytes of rows in them, including those that a longer twin replaced.
  private(set) var used = 0

  /// - Parameter limit: the bytes that all blocks together are going to take.
  init(limit: Int) { slabBytes = limit < Self.largeRing ? 1 << 20 : 2 << 20 }

  var isEmpty: Bool { slabs.isEmpty }
  var count: Int { slabs.count }

  /// Bytes that the newest block still has room for.
  var free: Int { newest.capacity - newest.used }

  /// Whether the bytes fit into the newest block.
  @inline(__always)
  func fits(_ bytes: Int) -> Bool {
    newest.start != nil && newest.capacity &- newest.used >= bytes
  }

  /// How much memory the block would need that these bytes make necessary.
  func slabSize(for bytes: Int) -> Int {
    bytes <= slabBytes ? slabBytes : (bytes + Self.page - 1) & ~(Self.page - 1)
  }

  /// Opens a block for these bytes; rows from `firstRow` on follow.
  mutating func open(for bytes: Int, firstRow: RowID) {
    let size = slabSize(for: bytes)
    close()
    if size == slabBytes, let slab = spare {
      spare = nil
      slab.used = 0
      slab.firstRow = firstRow
      slabs.append(slab)
    } else {
      slabs.append(Slab(capacity: size, firstRow: firstRow))
    }
    capacity += size
    let slab = slabs[slabs.count - 1]
    newest = Newest(
      start: slab.memory.start, capacity: slab.capacity, used: 0, ready: slab.memory.ready)
  }

  /// The newest block will be another one, or none.
  private mutating func close() {
    slabs.last?.used = newest.used
    newest = Newest()
  }

  /// Copies the bytes into the newest block, which has room; gives block number and offset.
  @inline(__always)
  mutating func append(_ bytes: UnsafeRawBufferPointer) -> (slab: Int, offset: UInt32) {
    let offset = newest.used
    let end = offset &+ bytes.count
    precondition(end <= newest.capacity, "the block is full")
    if end > newest.ready { prepare(upTo: end) }
    if let base = bytes.baseAddress, let start = newest.start {
      // `offset ..< end` lies in the block, and nobody else writes there.
      (start + offset).copyMemory(from: base, byteCount: bytes.count)
    }
    newest.used = end
    used &+= bytes.count
    return (firstNumber &+ slabs.count &- 1, UInt32(truncatingIfNeeded: offset))
  }

  @inline(never)
  private mutating func prepare(upTo end: Int) {
    guard let slab = slabs.last else { return }
    slab.memory.prepare(upTo: end)
    newest.ready = slab.memory.ready
  }

  /// The row after the last one of the oldest block; nil when it is the only block.
  var endOfOldest: RowID? { slabs.count > 1 ? slabs[1].firstRow : nil }

  /// Gives up the oldest block.
  mutating func removeOldest() {
    guard !slabs.isEmpty else { return }
    if slabs.count == 1 { close() }
    let slab = slabs.removeFirst()
    firstNumber += 1
    capacity -= slab.capacity
    used -= slab.used
    if slab.capacity == slabBytes { spare = slab }
  }

  /// Gives up everything.
  mutating func removeAll() {
    while !slabs.isEmpty { removeOldest() }
  }

  /// The block that holds a row where it arrived.
  func slab(of row: RowID) -> Int {
    var low = 0
    var high = slabs.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if slabs[middle].firstRow <= row { low = middle } else { high = middle }
    }
    return firstNumber + low
  }

  /// The bytes at an address; valid until the log changes.
  @inline(__always)
  func bytes(slab: Int, offset: UInt32, count: UInt32) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: slabs[slab &- firstNumber].memory.start + Int(offset), count: Int(count))
  }
}
