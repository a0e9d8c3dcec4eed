internal import CockpitFiles

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The lock of the one recorder of a folder. The kernel releases it when the process ends, even if it is killed.
final class HistoryLock {
  static let name = "writer.lock"

  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Takes the lock.
  ///
  /// - Parameter isUpkeep: whether files are rewritten and nothing is recorded: a recorder waits for it.
  /// - Returns: nil if another process has it.
  static func take(
    _ folder: String, forUpkeep isUpkeep: Bool = false
  ) throws(HistoryError) -> HistoryLock? {
    let path = folder + "/" + name
    let disk = SystemDisk()
    let descriptor: Int32
    do throws(DiskFailure) {
      descriptor = try disk.open(path, in: nil, for: .appending)
    } catch {
      throw HistoryError(
        .disk, "'\(path)' cannot be opened: \(String(cString: strerror(error.code)))")
    }
    let lock = HistoryLock(descriptor)
    do throws(DiskFailure) {
      try disk.lock(descriptor, isShared: false)
    } catch {
      guard error.code == EWOULDBLOCK else {
        throw HistoryError(
          .refused,
          "'\(folder)' cannot be locked, so nothing is recorded there; choose a folder on a local disk"
        )
      }
      return nil
    }
    _ = ftruncate(descriptor, 0)
    let text = Array("\(getpid())\(isUpkeep ? " upkeep" : "")\n".utf8)
    _ = write(descriptor, text, text.count)
    return lock
  }

  deinit { close(descriptor) }

  /// The id of the process that records; nil if there is none.
  static func owner(of folder: String) -> Int? {
    holder(of: folder).flatMap { Int($0.prefix { $0.isNumber }) }
  }

  /// Whether the lock is taken, but not by a recorder.
  static func isUpkeep(of folder: String) -> Bool {
    holder(of: folder)?.contains("upkeep") ?? false
  }

  /// What the owner of the lock wrote into it; nil if it is free.
  private static func holder(of folder: String) -> String? {
    let path = folder + "/" + name
    let disk = SystemDisk()
    guard
      case .success(let descriptor) = Result(catching: { () throws(DiskFailure) in
        try disk.open(path, in: nil, for: .reading)
      })
    else { return nil }
    defer { close(descriptor) }
    let isFree = Result { () throws(DiskFailure) in try disk.lock(descriptor, isShared: true) }
    guard case .failure = isFree else { return nil }
    var bytes = [UInt8](repeating: 0, count: 40)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
  }
}
