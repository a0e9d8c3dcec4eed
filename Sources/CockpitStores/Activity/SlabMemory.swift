#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The memory of one block of the ring, straight from the kernel: it goes back there when the block
/// is given up, leaves no holes among small allocations, and takes no page beside its own.
///
/// Pages come a piece at a time, shortly before they are written: one call for 64 of them, since a
/// fault for each costs nearly as much as the parsing of what is put there. (Pages of 2 MiB cost
/// less where the machine has them at hand, and several times as much where it must find them.)
struct SlabMemory: ~Copyable {
  /// How much is asked for at once, in bytes.
  private static let piece = 256 << 10
  /// MADV_POPULATE_WRITE of linux/mman.h, since Linux 5.14; not in every C library's header.
  private static let populateWrite: Int32 = 23

  let start: UnsafeMutableRawPointer
  /// In bytes.
  let count: Int
  /// How many of the bytes have their pages.
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

  /// To be called before bytes are written up to `end`. Where the kernel cannot do it, or has no
  /// memory, the pages come with the first touch as all others do.
  mutating func prepare(upTo end: Int) {
    guard end > ready else { return }
    let next = min(count, (end + Self.piece - 1) / Self.piece * Self.piece)
    #if os(Linux)
      _ = madvise(start + ready, next - ready, Self.populateWrite)
    #endif
    ready = next
  }
}
