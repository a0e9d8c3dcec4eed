#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension JournalFile {
  private static let block = 65_536
  /// Bytes of journal that are held at once while reading.
  private static let readLimit = 16 << 20

  /// The last `count` lines, oldest first; fewer if there are no more, or if they exceed 16 MiB
  /// together. A partial line of a killed writer is returned as it is.
  package func last(_ count: Int) throws(FileError) -> [[UInt8]] {
    guard let own = try OwnFolder.existing(folder, disk: disk) else { return [] }
    defer { own.close() }
    let lock = lockForReading(own)
    defer { if let lock { disk.letGo(lock) } }
    var lines: [[UInt8]] = []
    var budget = Self.readLimit
    for number in 0...Self.kept where lines.count < count && budget > 0 {
      guard let (file, size) = try own.read(name(number)) else { continue }
      defer { disk.letGo(file) }
      do throws(DiskFailure) {
        let older = try tail(of: file, size: size, count: count - lines.count, budget: &budget)
        lines.insert(contentsOf: older, at: 0)
      } catch {
        throw .cannotRead("\(folder)/\(name(number))", because: error.code)
      }
    }
    return lines
  }

  /// Prevents rotation while several files are read. Without the lock reading continues: a
  /// read-only disk has no writer.
  private func lockForReading(_ own: OwnFolder) -> Int32? {
    let lock = Result { () throws(FileError) in try own.append(to: lockName) }
    guard case .success(let lock) = lock else { return nil }
    _ = Result { () throws(FileError) in try take(lock, isShared: true) }
    return lock
  }

  private func tail(
    of file: Int32, size: Int, count: Int, budget: inout Int
  ) throws(DiskFailure) -> [[UInt8]] {
    var blocks: [[UInt8]] = []
    var start = size
    var breaks = 0
    // One break more than lines: the first one shows that the first line is whole.
    while start > 0, breaks <= count, budget > 0 {
      let length = min(start, Self.block, budget)
      let bytes = try disk.readAll(start - length..<start, of: file)
      start -= length
      budget -= length
      breaks += Self.breaks(in: bytes).count
      blocks.append(bytes)
    }
    var bytes: [UInt8] = []
    for block in blocks.reversed() { bytes += block }
    var lines: [[UInt8]] = []
    var lineStart = 0
    var isWhole = start == 0
    for end in Self.breaks(in: bytes) + [bytes.count] {
      if isWhole, end > lineStart { lines.append(Array(bytes[lineStart..<end])) }
      isWhole = true
      lineStart = end + 1
    }
    return lines.suffix(count)
  }

  /// The positions of line breaks. memchr scans many bytes at once.
  private static func breaks(in bytes: [UInt8]) -> [Int] {
    bytes.withUnsafeBytes { buffer in
      var found: [Int] = []
      guard let base = buffer.baseAddress else { return found }
      var start = 0
      while let hit = memchr(base + start, 0x0A, buffer.count - start) {
        found.append(UnsafeRawPointer(hit) - base)
        start = UnsafeRawPointer(hit) - base + 1
      }
      return found
    }
  }
}
