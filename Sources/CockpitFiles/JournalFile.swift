#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file of lines to which any number of processes append. When `append` returns, the line is
/// either on disk or not in the file.
///
/// A full file becomes `journal.1.jsonl`, that one `journal.2.jsonl` and so on; three are kept. Each
/// kind of journal has its own beginning of the names.
package struct JournalFile {
  /// Bytes of the longest line: an entry holds a fact twice, of a few thousand characters at most.
  package static let lineLimit = 1 << 20
  static let kept = 3

  let folder: String
  /// What the names of its files begin with.
  let stem: String
  let limit: Int
  let disk: any Disk

  /// - Parameters:
  ///   - folder: made when it is missing.
  ///   - stem: what the names of its files begin with.
  ///   - limit: bytes after which a file is full.
  package init(
    folder: String, stem: String = "journal", limit: Int = 8 << 20, disk: any Disk = SystemDisk()
  ) {
    self.folder = folder
    self.stem = stem
    self.limit = limit
    self.disk = disk
  }

  /// Appends one line, without its line break.
  ///
  /// - Throws: one sentence; the line is not in the journal then.
  package func append(_ line: [UInt8]) throws(FileError) {
    guard !line.isEmpty, !line.contains(0x0A), line.count <= Self.lineLimit else {
      throw FileError(
        "this does not fit into the journal: a line has from 1 to \(Self.lineLimit) bytes and no line break"
      )
    }
    let own = try OwnFolder.making(folder, disk: disk)
    defer { own.close() }
    let lock = try own.append(to: lockName)
    defer { disk.letGo(lock) }
    try take(lock, isShared: false)
    let (file, size) = try openWithRoom(for: line.count, in: own)
    defer { disk.letGo(file) }
    do throws(DiskFailure) {
      try append(line, to: file, of: size, in: own)
    } catch {
      throw .cannotWrite("\(folder)/\(name)", because: error.code)
    }
  }

  /// We hold the lock, so there is no other writer.
  private func append(
    _ line: [UInt8], to file: Int32, of size: Int, in own: OwnFolder
  ) throws(DiskFailure) {
    var bytes = line
    bytes.append(0x0A)
    // A writer was killed in the middle of its line. That line stays as it is: it is evidence.
    if size > 0, try disk.readAll(size - 1..<size, of: file) != [0x0A] { bytes.insert(0x0A, at: 0) }
    do throws(DiskFailure) {
      try disk.writeAll(bytes, to: file)
      try disk.uninterrupted { () throws(DiskFailure) in try disk.synchronize(file) }
      if size == 0 { try disk.synchronizeFolder(own.descriptor) }
    } catch {
      takeBack(file, to: size)
      throw error
    }
  }

  /// If this fails too, a partial line remains, and the next one starts on a new line.
  private func takeBack(_ file: Int32, to size: Int) {
    _ = Result { () throws(DiskFailure) in
      try disk.uninterrupted { () throws(DiskFailure) in try disk.truncate(file, to: size) }
      try disk.uninterrupted { () throws(DiskFailure) in try disk.synchronize(file) }
    }
  }

  /// Opens the journal, after a rotation when the line would make it too large.
  private func openWithRoom(
    for count: Int, in own: OwnFolder
  ) throws(FileError) -> (descriptor: Int32, size: Int) {
    let (file, size) = try open(in: own)
    guard size > 0, size + count + 1 > limit else { return (file, size) }
    do throws(DiskFailure) {
      try rotate(in: own)
    } catch {
      // A journal that is somewhat too long is better than none.
      guard size + count > 4 * limit else { return (file, size) }
      disk.letGo(file)
      throw FileError("'\(folder)/\(name)' is full and cannot be renamed", because: error.code)
    }
    disk.letGo(file)
    return try open(in: own)
  }

  private func open(in own: OwnFolder) throws(FileError) -> (descriptor: Int32, size: Int) {
    let file = try own.append(to: name)
    do throws(DiskFailure) {
      return (file, try disk.status(of: file).size)
    } catch {
      disk.letGo(file)
      throw .cannotWrite("\(folder)/\(name)", because: error.code)
    }
  }

  /// Makes room for a new file, the oldest first, so that being killed in between leaves a gap in
  /// the numbers and loses nothing. A gap is filled before the oldest file is dropped.
  private func rotate(in own: OwnFolder) throws(DiskFailure) {
    var free = 1
    while free < Self.kept, try exists(name(free), in: own) { free += 1 }
    for number in stride(from: free, to: 0, by: -1) {
      try disk.uninterrupted { () throws(DiskFailure) in
        try disk.rename(name(number - 1), to: name(number), in: own.descriptor)
      }
    }
    try disk.synchronizeFolder(own.descriptor)
  }

  private func exists(_ name: String, in own: OwnFolder) throws(DiskFailure) -> Bool {
    do throws(DiskFailure) {
      _ = try disk.status(of: name, in: own.descriptor)
      return true
    } catch {
      guard error.code == ENOENT else { throw error }
      return false
    }
  }

  /// The file with a number; 0 is the one that is written.
  func name(_ number: Int) -> String {
    number == 0 ? name : "\(stem).\(number).jsonl"
  }

  private var name: String { "\(stem).jsonl" }
  var lockName: String { "\(stem).lock" }

  /// Waits up to two seconds for the lock: an append takes milliseconds.
  func take(_ lock: Int32, isShared: Bool) throws(FileError) {
    for _ in 0..<400 {
      do throws(DiskFailure) {
        return try disk.uninterrupted { () throws(DiskFailure) in
          try disk.lock(lock, isShared: isShared)
        }
      } catch {
        guard error.code == EWOULDBLOCK else {
          throw FileError("the journal in '\(folder)' cannot be locked", because: error.code)
        }
        disk.pause()
      }
    }
    throw FileError(
      "another clanky-cockpit has been writing the journal in '\(folder)' for too long; end it, then try again"
    )
  }
}
