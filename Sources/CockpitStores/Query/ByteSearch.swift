#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Exact search of bytes in bytes.
enum ByteSearch {
  /// Whether the needle, of three bytes or more, occurs. Sixteen places at a time are compared with
  /// its second and third byte: the first byte of a JSON key is a quote, which is everywhere.
  static func contains(_ haystack: UnsafeRawBufferPointer, _ needle: [UInt8]) -> Bool {
    guard let base = haystack.baseAddress, needle.count >= 3, haystack.count >= needle.count else {
      return false
    }
    let second = SIMD16<UInt8>(repeating: needle[1])
    let third = SIMD16<UInt8>(repeating: needle[2])
    let none = SIMD16<UInt8>(repeating: 0)
    let all = SIMD16<UInt8>(repeating: 0xFF)
    let last = haystack.count - needle.count
    var at = 0
    while at <= last {
      if at &+ 18 <= haystack.count {
        let left = base.loadUnaligned(fromByteOffset: at &+ 1, as: SIMD16<UInt8>.self)
        let right = base.loadUnaligned(fromByteOffset: at &+ 2, as: SIMD16<UInt8>.self)
        let hits = none.replacing(with: all, where: (left .== second) .& (right .== third))
        let words = unsafeBitCast(hits, to: SIMD2<UInt64>.self)
        if words.x | words.y == 0 {
          at &+= 16
          continue
        }
        let low = UInt64(littleEndian: words.x)
        let high = UInt64(littleEndian: words.y)
        at &+= low != 0 ? low.trailingZeroBitCount >> 3 : 8 &+ high.trailingZeroBitCount >> 3
      }
      if at > last { return false }
      if memcmp(base + at, needle, needle.count) == 0 { return true }
      at &+= 1
    }
    return false
  }
}
