import CTermSupport
import Foundation

/// A file in memory that ncurses writes to.
@MainActor
struct ScratchFile {
  let descriptor: Int32
  /// How much of it has been fetched.
  private var taken = 0

  init() throws(TerminalFailure) {
    descriptor = cterm_open_scratch()
    guard descriptor >= 0 else { throw .noScratch(errno: errno) }
  }

  func close() { Foundation.close(descriptor) }

  /// What has been written since the last time.
  mutating func take() -> [UInt8] {
    let taken = self.taken
    var isAll = false
    // The file ends where ncurses is: mostly one call tells how much there is and fetches it.
    var bytes = [UInt8](unsafeUninitializedCapacity: 2048) { buffer, initialized in
      initialized = max(0, pread(descriptor, buffer.baseAddress, buffer.count, taken))
      isAll = initialized < buffer.count
    }
    if !isAll {
      let count = Int(lseek(descriptor, 0, SEEK_CUR)) - taken
      bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        initialized = max(0, pread(descriptor, buffer.baseAddress, count, taken))
      }
    }
    self.taken += bytes.count
    if self.taken > 1 << 15 { skip() }
    return bytes
  }

  /// Empties it.
  mutating func skip() {
    lseek(descriptor, 0, SEEK_SET)
    ftruncate(descriptor, 0)
    taken = 0
  }
}
