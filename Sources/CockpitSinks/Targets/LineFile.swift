#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// A file of lines, rotated by size: `FILE` is written, `FILE.1` is the one before it. Both are readable for their
/// owner alone.
final class LineFile: SinkTarget {
  private let path: String
  private let instance: String
  private let maxBytes: Int
  private var descriptor: Int32 = -1

  /// - Parameters:
  ///   - instance: what the lines call the bot.
  ///   - maxBytes: the size at which the file is rotated.
  init(path: String, instance: String, maxBytes: Int) {
    self.path = path
    self.instance = instance
    self.maxBytes = maxBytes
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The end of the last batch, and the inode of its file: what lies behind it in the file is of a batch that a killed
  /// run did not keep.
  private var end: (inode: UInt64, bytes: Int64)?

  func begin(state: String) {
    let parts = state.split(separator: " ").compactMap { UInt64($0) }
    if parts.count == 2 { end = (parts[0], Int64(clamping: parts[1])) }
  }

  var state: String { end.map { "\($0.inode) \($0.bytes)" } ?? "" }

  func send(_ rows: ArraySlice<SinkRow>, nowMs: Int64) -> SinkAnswer {
    guard !rows.isEmpty else { return .accepted() }
    var bytes: [UInt8] = []
    for row in rows {
      bytes += UpstreamLine.json(row, instance: instance)
      bytes.append(UInt8(ascii: "\n"))
    }
    guard open(adding: bytes.count) else { return .busy(failure("opened")) }
    guard write(bytes) else {
      let words = failure("written")
      // A half line would spoil the next one.
      if let end { ftruncate(descriptor, off_t(end.bytes)) }
      return .busy(words)
    }
    if var kept = end {
      kept.bytes += Int64(bytes.count)
      end = kept
    }
    return .accepted()
  }

  private func failure(_ what: String) -> String {
    "'\(path)' cannot be \(what): \(String(cString: strerror(errno)))"
  }

  /// Opens the file, cuts what a killed run wrote behind the last kept batch, and rotates it when it is full.
  private func open(adding count: Int) -> Bool {
    if descriptor < 0 {
      descriptor = Self.open(path)
      var status = stat()
      guard descriptor >= 0, fstat(descriptor, &status) == 0 else { return false }
      let inode = UInt64(truncatingIfNeeded: status.st_ino)
      if let kept = end, kept.inode == inode, kept.bytes < Int64(status.st_size) {
        guard ftruncate(descriptor, off_t(kept.bytes)) == 0 else { return false }
        status.st_size = off_t(kept.bytes)
      } else if let kept = end, kept.inode != inode, Self.inode(path + ".1") == kept.inode {
        // The run ended between rotating the file and keeping what the new one has.
        guard ftruncate(descriptor, 0) == 0 else { return false }
        status.st_size = 0
      }
      end = (inode, Int64(status.st_size))
    }
    guard let bytes = end?.bytes, bytes > 0, bytes + Int64(count) > Int64(maxBytes) else {
      return true
    }
    guard rename(path, path + ".1") == 0 else { return false }
    close(descriptor)
    descriptor = -1
    end = nil
    return open(adding: count)
  }

  private static func inode(_ path: String) -> UInt64? {
    var status = stat()
    return lstat(path, &status) == 0 ? UInt64(truncatingIfNeeded: status.st_ino) : nil
  }

  private static func open(_ path: String) -> Int32 {
    #if canImport(Glibc)
      Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    #else
      Darwin.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    #endif
  }

  private func write(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var at = 0
      while at < buffer.count {
        guard let base = buffer.baseAddress else { return true }
        #if canImport(Glibc)
          let count = Glibc.write(descriptor, base + at, buffer.count - at)
        #else
          let count = Darwin.write(descriptor, base + at, buffer.count - at)
        #endif
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        at += count
      }
      return true
    }
  }
}
