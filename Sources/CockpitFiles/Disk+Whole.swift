#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Calls that go on until they are done: a signal in the middle is no failure.
extension Disk {
  func uninterrupted<Value>(
    _ call: () throws(DiskFailure) -> Value
  ) throws(DiskFailure) -> Value {
    while true {
      do throws(DiskFailure) {
        return try call()
      } catch {
        guard error.code == EINTR else { throw error }
      }
    }
  }

  /// Writes all of `bytes`, in as many calls as it takes.
  func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(DiskFailure) {
    var start = 0
    while start < bytes.count {
      let count = try uninterrupted { () throws(DiskFailure) in
        // withUnsafeBytes knows no typed errors.
        let result: Result<Int, DiskFailure> = bytes[start...].withUnsafeBytes { bytes in
          Result { () throws(DiskFailure) in try write(bytes, to: descriptor) }
        }
        return try result.get()
      }
      // POSIX does not define 0 for a file; retrying might loop forever.
      guard count > 0 else { throw DiskFailure(EIO) }
      start += count
    }
  }

  /// The bytes of `range`, fewer when the file ends before.
  func readAll(_ range: Range<Int>, of descriptor: Int32) throws(DiskFailure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: range.count)
    var count = 0
    while count < range.count {
      let more = try uninterrupted { () throws(DiskFailure) in
        let result: Result<Int, DiskFailure> = bytes[count...].withUnsafeMutableBytes { buffer in
          Result { () throws(DiskFailure) in
            try read(buffer, from: descriptor, at: range.lowerBound + count)
          }
        }
        return try result.get()
      }
      if more == 0 { break }
      count += more
    }
    return Array(bytes[..<count])
  }

  /// Closes a descriptor that was only read or is already synced: errors do not matter.
  func letGo(_ descriptor: Int32) {
    _ = Result { () throws(DiskFailure) in try close(descriptor) }
  }

  /// Syncs a folder. Some network file systems have no such call for folders; they keep names
  /// without it.
  func synchronizeFolder(_ descriptor: Int32) throws(DiskFailure) {
    do throws(DiskFailure) {
      try uninterrupted { () throws(DiskFailure) in try synchronize(descriptor) }
    } catch {
      guard [EINVAL, ENOTSUP].contains(error.code) else { throw error }
    }
  }
}
