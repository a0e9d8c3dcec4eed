/// The raw bytes of rows, in slabs of 2 MiB that are filled in order, evicted whole from the oldest
/// on, and reused: memory does not grow with the length of the session. Smaller rings have slabs of 1,
/// ½ or ¼ MiB, so that one of them is at most a quarter of the ring.
///
/// A row larger than a slab gets its own.
struct SlabRing {
  /// The smallest ring, in bytes: four of the smallest blocks.
  static let minimum = 1 << 20
  /// From these sizes on, blocks are of ½, 1 and 2 MiB.
  private static let smallRing = 4 << 20
  private static let mediumRing = 8 << 20
  static let largeRing = 32 << 20
  /// An oversized slab is a multiple of this, the smallest page size.
  private static let page = 4096

  /// One block. It owns its memory, and hands out addresses only to `SlabRing`.
  private final class Slab {
    var memory: SlabMemory
    let capacity: Int
    var used = 0
    /// The row for which this slab was opened; all its rows have at least this number.
    var firstRow: RowID

    init(capacity: Int, firstRow: RowID) {
      memory = SlabMemory(count: capacity)
      self.capacity = capacity
      self.firstRow = firstRow
    }
  }

  /// The newest slab's address, cached to avoid a retain and release per row. Valid while that slab
  /// is the last of `slabs`, which owns it.
  private struct Newest {
    var start: UnsafeMutableRawPointer?
    var capacity = 0
    var used = 0
    /// Number of populated bytes.
    var ready = 0
  }

  /// The size of an ordinary block.
  private let slabBytes: Int
  private var newest = Newest()
  private var slabs: [Slab] = []
  private var spare: Slab?
  /// The number of the first slab; incremented by each eviction.
  private(set) var firstNumber = 0
  /// Bytes of all blocks in use.
  private(set) var capacity = 0
  /// Bytes of rows in them, including those that a longer twin replaced.
  private(set) var used = 0

  /// - Parameter limit: the bytes that all blocks together are going to take.
  init(limit: Int) {
    slabBytes =
      switch limit {
      case ..<Self.smallRing: 256 << 10
      case ..<Self.mediumRing: 512 << 10
      case ..<Self.largeRing: 1 << 20
      default: 2 << 20
      }
  }

  var isEmpty: Bool { slabs.isEmpty }
  var count: Int { slabs.count }

  /// Bytes that the newest block still has room for.
  var free: Int { newest.capacity - newest.used }

  /// Whether the bytes fit into the newest block.
  @inline(__always)
  func fits(_ bytes: Int) -> Bool {
    newest.start != nil && newest.capacity &- newest.used >= bytes
  }

  /// The size of the slab needed to store this many bytes.
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
      // `offset ..< end` lies in the slab, and nothing else writes there.
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

  /// The row after the last one of the oldest slab; nil if it is the only one.
  var endOfOldest: RowID? { slabs.count > 1 ? slabs[1].firstRow : nil }

  /// Evicts the oldest slab.
  mutating func removeOldest() {
    guard !slabs.isEmpty else { return }
    if slabs.count == 1 { close() }
    let slab = slabs.removeFirst()
    firstNumber += 1
    capacity -= slab.capacity
    used -= slab.used
    if slab.capacity == slabBytes { spare = slab }
  }

  /// Evicts everything.
  mutating func removeAll() {
    while !slabs.isEmpty { removeOldest() }
  }

  /// The slab in which a row arrived.
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
