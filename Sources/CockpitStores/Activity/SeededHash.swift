/// A fast hash with a random seed, so that an attacker cannot prepare collisions.
///
/// The mixing step is the folded 64 x 64 bit product of wyhash (Wang Yi, public domain).
struct SeededHash {
  private let seed: UInt64

  init(seed: UInt64 = .random(in: .min ... .max)) { self.seed = seed | 1 }

  @inline(__always)
  static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.low ^ product.high
  }

  /// The hash of the bytes, chained onto `start`.
  @inline(__always)
  func callAsFunction(_ bytes: UnsafeRawBufferPointer, after start: UInt64 = 0) -> UInt64 {
    var hash = seed ^ start ^ (UInt64(bytes.count) &* 0x9E37_79B9_7F4A_7C15)
    guard let base = bytes.baseAddress else { return Self.mix(hash, 0xA076_1D64_78BD_642F) }
    var at = 0
    while at &+ 16 <= bytes.count {
      let low = base.loadUnaligned(fromByteOffset: at, as: UInt64.self)
      let high = base.loadUnaligned(fromByteOffset: at &+ 8, as: UInt64.self)
      hash = Self.mix(low ^ 0xE703_7ED1_A0B4_28DB, high ^ hash)
      at &+= 16
    }
    if at &+ 8 <= bytes.count {
      let word = base.loadUnaligned(fromByteOffset: at, as: UInt64.self)
      hash = Self.mix(word ^ 0x8EBC_6AF0_9C88_C6E3, hash)
    }
    // The last bytes, overlapping earlier ones; the length is already in the hash.
    let tail: UInt64
    if bytes.count >= 8 {
      tail = base.loadUnaligned(fromByteOffset: bytes.count &- 8, as: UInt64.self)
    } else if bytes.count >= 4 {
      let low = base.loadUnaligned(as: UInt32.self)
      let high = base.loadUnaligned(fromByteOffset: bytes.count &- 4, as: UInt32.self)
      tail = UInt64(high) &<< 32 | UInt64(low)
    } else if bytes.count > 0 {
      let first = base.load(as: UInt8.self)
      let middle = base.load(fromByteOffset: bytes.count &>> 1, as: UInt8.self)
      let last = base.load(fromByteOffset: bytes.count &- 1, as: UInt8.self)
      tail = UInt64(first) | UInt64(middle) &<< 8 | UInt64(last) &<< 16
    } else {
      tail = 0
    }
    return Self.mix(tail ^ 0x5899_65CC_7537_4CC3, hash ^ 0xA076_1D64_78BD_642F)
  }

  /// The hash of a number, chained onto `start`.
  @inline(__always)
  func callAsFunction(_ value: UInt64, after start: UInt64) -> UInt64 {
    Self.mix(value ^ 0xE703_7ED1_A0B4_28DB, start ^ seed)
  }
}
