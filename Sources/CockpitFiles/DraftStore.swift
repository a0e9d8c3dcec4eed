#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Drafts, one file each. The user's text is never partially overwritten, and never discarded
/// because it cannot be read.
package struct DraftStore {
  /// Maximum bytes of a draft: a form of a few thousand characters, twice.
  package static let sizeLimit = 256 << 10
  package static let countLimit = 500

  private static let suffix = ".json"
  /// Names that are tried for a draft that is set aside.
  private static let asideLimit = 1000

  /// The folder of the state directory.
  private let folderName: String
  private let state: String
  /// The path of the folder, for errors.
  private let folder: String
  private let disk: any Disk

  /// The stored drafts.
  package struct Listing: Hashable, Sendable {
    package struct Draft: Hashable, Sendable {
      package var name: String
      package var bytes: [UInt8]
    }

    package var drafts: [Draft] = []
    /// Drafts that are there and could not be read, one sentence each.
    package var problems: [FileError] = []
  }

  /// - Parameters:
  ///   - state: the state directory.
  ///   - folder: the name of the drafts' subdirectory; nothing else may be stored there.
  package init(state: String, folder: String = "drafts", disk: any Disk = SystemDisk()) {
    self.state = state
    folderName = folder
    self.folder = "\(state)/\(folder)"
    self.disk = disk
  }

  /// The directory with the drafts, closed by the caller; nil if there is none. The state directory
  /// is opened first: it must be ours too.
  private func existing() throws(FileError) -> OwnFolder? {
    guard let own = try OwnFolder.existing(state, disk: disk) else { return nil }
    defer { own.close() }
    return try own.existing(folderName)
  }

  private func making() throws(FileError) -> OwnFolder {
    let own = try OwnFolder.making(state, disk: disk)
    defer { own.close() }
    return try own.making(folderName)
  }

  /// Writes a draft whole, or leaves the one before.
  ///
  /// - Parameter name: any text; lower-case letters, digits, `-` and `_` make the name of the file,
  ///   anything else is replaced and a hash of the whole added.
  package func save(_ bytes: [UInt8], name: String) throws(FileError) {
    do throws(FileError) {
      guard bytes.count <= Self.sizeLimit else {
        throw FileError(
          "the draft is larger than \(Self.sizeLimit / 1024) KiB and is not kept on the disk; shorten it"
        )
      }
      let own = try making()
      defer { own.close() }
      let file = Self.file(name)
      let names = try own.names()
      guard names.contains(file) || names.count(where: Self.isDraft) < Self.countLimit else {
        throw FileError(
          "there are \(Self.countLimit) unfinished drafts in '\(folder)'; send or discard some")
      }
      try own.replace(file, with: bytes)
    } catch {
      throw error.adding("your text is still in the form")
    }
  }

  /// Removes a draft; a missing one is fine.
  package func remove(_ name: String) throws(FileError) {
    guard let own = try existing() else { return }
    defer { own.close() }
    let file = Self.file(name)
    do throws(DiskFailure) {
      try disk.uninterrupted { () throws(DiskFailure) in
        try disk.remove(file, in: own.descriptor)
      }
      try disk.synchronizeFolder(own.descriptor)
    } catch {
      guard error.code != ENOENT else { return }
      throw FileError("the draft '\(folder)/\(file)' cannot be removed", because: error.code)
    }
  }

  /// All drafts, by name, and the temporary files of killed writers swept away. A file that can be
  /// no draft of ours (a link, a pipe, larger than the limit) comes without bytes.
  ///
  /// - Parameter nowSeconds: seconds since 1970.
  package func list(nowSeconds: Int) throws(FileError) -> Listing {
    var listing = Listing()
    guard let own = try existing() else { return listing }
    defer { own.close() }
    try own.sweep(nowSeconds: nowSeconds)
    for file in try own.names().filter(Self.isDraft).sorted() {
      let name = String(file.dropLast(Self.suffix.count))
      do throws(FileError) {
        guard let bytes = try read(file, in: own) else { continue }
        listing.drafts.append(Listing.Draft(name: name, bytes: bytes))
      } catch {
        listing.problems.append(error)
      }
    }
    return listing
  }

  /// The content of a draft; nil if there is none, empty if the file cannot be a draft of ours.
  package func draft(_ name: String) throws(FileError) -> [UInt8]? {
    guard let own = try existing() else { return nil }
    defer { own.close() }
    return try read(Self.file(name), in: own)
  }

  /// nil if it has disappeared; empty if it is no draft of ours.
  private func read(_ file: String, in own: OwnFolder) throws(FileError) -> [UInt8]? {
    do throws(DiskFailure) {
      let status = try disk.status(of: file, in: own.descriptor)
      guard status.kind == .file, status.size <= Self.sizeLimit else { return [] }
    } catch {
      if error.code == ENOENT { return nil }
      throw .cannotRead("\(folder)/\(file)", because: error.code)
    }
    guard let (descriptor, size) = try own.read(file) else { return nil }
    defer { disk.letGo(descriptor) }
    do throws(DiskFailure) {
      return try disk.readAll(0..<min(size, Self.sizeLimit), of: descriptor)
    } catch {
      throw .cannotRead("\(folder)/\(file)", because: error.code)
    }
  }

  /// Renames an unreadable draft to `….unreadable-N`, with the first free N.
  ///
  /// - Returns: its new path; nil if there is no such draft.
  @discardableResult
  package func setAside(_ name: String) throws(FileError) -> String? {
    guard let own = try existing() else { return nil }
    defer { own.close() }
    let file = Self.file(name)
    do throws(DiskFailure) {
      let place = try reserve(file, in: own)
      do throws(DiskFailure) {
        try disk.uninterrupted { () throws(DiskFailure) in
          try disk.rename(file, to: place, in: own.descriptor)
        }
      } catch {
        own.discard(place)
        if error.code == ENOENT { return nil }
        throw error
      }
      try disk.synchronizeFolder(own.descriptor)
      return "\(folder)/\(place)"
    } catch {
      throw FileError("the draft '\(folder)/\(file)' cannot be set aside", because: error.code)
        .adding("it is still there")
    }
  }

  /// Makes an empty file under the first free name. No other process can get the same name, so the
  /// rename onto it overwrites nothing; POSIX has no rename that refuses to.
  private func reserve(_ file: String, in own: OwnFolder) throws(DiskFailure) -> String {
    for number in 1...Self.asideLimit {
      let place = "\(file).unreadable-\(number)"
      do throws(DiskFailure) {
        let descriptor = try disk.uninterrupted { () throws(DiskFailure) in
          try disk.open(place, in: own.descriptor, for: .creating)
        }
        disk.letGo(descriptor)
        return place
      } catch {
        guard error.code == EEXIST else { throw error }
      }
    }
    throw DiskFailure(EEXIST)
  }

  private static func isDraft(_ file: String) -> Bool {
    file.hasSuffix(suffix) && !file.hasPrefix(".")
  }

  /// The file name of a draft. It is idempotent, so that names from `list` can be passed to the
  /// other methods. Upper case is replaced too, because some file systems ignore case.
  static func file(_ name: String) -> String {
    func isPlain(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    if !name.isEmpty, name.utf8.count <= 100, name.utf8.allSatisfy(isPlain) { return name + suffix }
    let readable = String(
      decoding: name.lowercased().utf8.prefix(60).map { isPlain($0) ? $0 : UInt8(ascii: "_") },
      as: UTF8.self)
    return "\(readable)-\(StableHash.digits(of: name))\(suffix)"
  }
}
