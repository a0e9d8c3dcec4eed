import CTermSupport
import Foundation

/// A file in memory that ncurses writes to; a pipe if RLIMIT_FSIZE does not allow files of that size.
@MainActor
struct ScratchFile {
  let descriptor: Int32
  /// The descriptor to read from: the file itself, or the other end of the pipe.
  private let source: Int32
  /// Bytes of the file that have been read.
  private var readCount = 0

  /// Upper bound of a frame in bytes.
  private static let largestFrame: Int64 = 64 << 20

  init() throws(TerminalFailure) {
    guard !cterm_may_write(Self.largestFrame) else {
      descriptor = cterm_open_scratch()
      source = descriptor
      guard descriptor >= 0 else { throw .noScratch(errno: errno) }
      return
    }
    var ends: [Int32] = [-1, -1]
    guard cterm_open_pipe(&ends) else { throw .noScratch(errno: errno) }
    (source, descriptor) = (ends[0], ends[1])
  }

  private var isPipe: Bool { source != descriptor }

  func close() {
    Foundation.close(descriptor)
    if isPipe { Foundation.close(source) }
  }

  /// The bytes written since the last call.
  mutating func take() -> [UInt8] { isPipe ? drain() : fetch() }

  private func drain() -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let part = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, initialized in
        initialized = max(0, read(source, buffer.baseAddress, buffer.count))
      }
      guard !part.isEmpty else { return bytes }
      bytes += part
    }
  }

  private mutating func fetch() -> [UInt8] {
    let readCount = self.readCount
    var isAll = false
    // Most frames fit the buffer, so one call both sizes and reads them.
    var bytes = [UInt8](unsafeUninitializedCapacity: 2048) { buffer, initialized in
      initialized = max(0, pread(descriptor, buffer.baseAddress, buffer.count, readCount))
      isAll = initialized < buffer.count
    }
    if !isAll {
      let count = Int(lseek(descriptor, 0, SEEK_CUR)) - readCount
      bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        initialized = max(0, pread(descriptor, buffer.baseAddress, count, readCount))
      }
    }
    self.readCount += bytes.count
    if self.readCount > 1 << 15 { skip() }
    return bytes
  }

  /// Empties it.
  mutating func skip() {
    guard !isPipe else {
      _ = drain()
      return
    }
    lseek(descriptor, 0, SEEK_SET)
    ftruncate(descriptor, 0)
    readCount = 0
  }
}
