extension UnsafeRawBufferPointer {
  /// Whether two buffers are equal, compared eight bytes at a time.
  package func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let left = baseAddress, let right = other.baseAddress else { return true }
    var at = 0
    while at &+ 8 <= count {
      guard
        left.loadUnaligned(fromByteOffset: at, as: UInt64.self)
          == right.loadUnaligned(fromByteOffset: at, as: UInt64.self)
      else { return false }
      at &+= 8
    }
    while at < count {
      guard
        left.load(fromByteOffset: at, as: UInt8.self)
          == right.load(fromByteOffset: at, as: UInt8.self)
      else { return false }
      at &+= 1
    }
    return true
  }

  /// The same for bytes in an array.
  package func hasSameBytes(as other: [UInt8]) -> Bool {
    other.withUnsafeBytes { hasSameBytes(as: $0) }
  }
}
