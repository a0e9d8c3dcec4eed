#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The memory of one slab of the ring, mapped directly from the kernel: eviction returns it, it
/// does not fragment the heap, and it occupies no extra page.
///
/// Pages are populated in pieces shortly before they are written: one call per 64 pages, since a
/// fault for each costs nearly as much as parsing what is stored there. (Pages of 2 MiB cost less
/// if the machine has them free, and several times as much if it must assemble them.)
struct SlabMemory: ~Copyable {
  /// Bytes populated at once.
  private static let piece = 256 << 10
  /// MADV_POPULATE_WRITE of linux/mman.h, since Linux 5.14; not in every C library's header.
  private static let populateWrite: Int32 = 23

  let start: UnsafeMutableRawPointer
  /// In bytes.
  let count: Int
  /// Number of populated bytes.
  private(set) var ready = 0

  init(count: Int) {
    guard
      let mapped = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0),
      mapped != MAP_FAILED
    else { fatalError("no memory for \(count) bytes of actions") }
    start = mapped
    self.count = count
  }

  deinit { munmap(start, count) }

  /// Call before bytes are written up to `end`. If the kernel cannot populate pages, or has no
  /// memory, they are faulted in on first touch as usual.
  mutating func prepare(upTo end: Int) {
    guard end > ready else { return }
    let next = min(count, (end + Self.piece - 1) / Self.piece * Self.piece)
    #if os(Linux)
      _ = madvise(start + ready, next - ready, Self.populateWrite)
    #endif
    ready = next
  }
}
