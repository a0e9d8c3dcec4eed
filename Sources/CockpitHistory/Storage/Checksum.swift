/// CRC-32C (Castagnoli, reflected, RFC 3720), eight bytes at a time.
enum Checksum {
  private static let tables: [[UInt32]] = {
    var tables = [[UInt32]](repeating: [UInt32](repeating: 0, count: 256), count: 8)
    for byte in 0..<256 {
      var value = UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0x82F6_3B78 : value >> 1 }
      tables[0][byte] = value
    }
    for byte in 0..<256 {
      for table in 1..<8 {
        let value = tables[table - 1][byte]
        tables[table][byte] = value >> 8 ^ tables[0][Int(value & 0xFF)]
      }
    }
    return tables
  }()
  private static let flat: [UInt32] = tables.flatMap(\.self)

  static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    guard let base = bytes.baseAddress else { return 0 }
    return flat.withUnsafeBufferPointer { table in
      var crc: UInt32 = ~0
      var at = 0
      while at &+ 8 <= bytes.count {
        let low =
          UInt32(littleEndian: base.loadUnaligned(fromByteOffset: at, as: UInt32.self)) ^ crc
        let high = UInt32(
          littleEndian: base.loadUnaligned(fromByteOffset: at &+ 4, as: UInt32.self))
        let first = table[1792 &+ Int(low & 0xFF)] ^ table[1536 &+ Int(low >> 8 & 0xFF)]
        let second = table[1280 &+ Int(low >> 16 & 0xFF)] ^ table[1024 &+ Int(low >> 24)]
        let third = table[768 &+ Int(high & 0xFF)] ^ table[512 &+ Int(high >> 8 & 0xFF)]
        let fourth = table[256 &+ Int(high >> 16 & 0xFF)] ^ table[Int(high >> 24)]
        crc = first ^ second ^ third ^ fourth
        at &+= 8
      }
      while at < bytes.count {
        crc = crc >> 8 ^ table[Int((crc ^ UInt32(bytes[at])) & 0xFF)]
        at &+= 1
      }
      return ~crc
    }
  }

  /// The checksum of the columns of a row or record, as little-endian integers of eight bytes.
  static func of(_ columns: Int64...) -> UInt32 {
    columns.map(\.littleEndian).withUnsafeBytes { of($0) }
  }
}
