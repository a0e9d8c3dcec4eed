extension JournalFile {
  private static let block = 65_536
  /// Bytes of journal that are held at once while reading.
  private static let readLimit = 16 << 20

  /// The last `count` lines, oldest first; fewer when there are no more, or when they are longer
  /// than 16 MiB together. Half a line of a killed writer comes as it is.
  package func last(_ count: Int) throws(FileError) -> [[UInt8]] {
    guard let own = try OwnFolder.existing(folder, disk: disk) else { return [] }
    defer { own.close() }
    let lock = lockForReading(own)
    defer { if let lock { disk.letGo(lock) } }
    var lines: [[UInt8]] = []
    var budget = Self.readLimit
    for number in 0...Self.kept where lines.count < count && budget > 0 {
      guard let (file, size) = try own.read(Self.name(number)) else { continue }
      defer { disk.letGo(file) }
      do throws(DiskFailure) {
        let older = try tail(of: file, size: size, count: count - lines.count, budget: &budget)
        lines.insert(contentsOf: older, at: 0)
      } catch {
        throw .cannotRead("\(folder)/\(Self.name(number))", because: error.code)
      }
    }
    return lines
  }

  /// Keeps rotation away while several files are read. Reading goes on without it: a read-only disk
  /// has no writer.
  private func lockForReading(_ own: OwnFolder) -> Int32? {
    let lock = Result { () throws(FileError) in try own.append(to: Self.lockName) }
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
      breaks += bytes.count { $0 == 0x0A }
      blocks.append(bytes)
    }
    var lines = Array(blocks.reversed().joined()).split(
      separator: 0x0A, omittingEmptySubsequences: false)
    if start > 0, !lines.isEmpty { lines.removeFirst() }
    return lines.filter { !$0.isEmpty }.suffix(count).map(Array.init)
  }
}
