#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Searches bytes.
enum ByteScan {
  static func contains(_ bytes: UnsafeRawBufferPointer, _ needle: UnsafeRawBufferPointer) -> Bool {
    guard let base = bytes.baseAddress, let start = needle.baseAddress, needle.count > 0 else {
      return false
    }
    let end = bytes.count - needle.count
    var at = 0
    while at <= end {
      guard let found = memchr(base + at, Int32(needle[0]), end - at + 1) else { return false }
      at = base.distance(to: UnsafeRawPointer(found))
      if memcmp(base + at, start, needle.count) == 0 { return true }
      at += 1
    }
    return false
  }

  static func contains(_ bytes: UnsafeRawBufferPointer, _ text: String) -> Bool {
    var text = text
    return text.withUTF8 { contains(bytes, UnsafeRawBufferPointer($0)) }
  }
}
