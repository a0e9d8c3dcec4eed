/// Protocol Buffers on the wire: what OTLP needs of it.
struct ProtoWriter {
  private(set) var bytes: [UInt8] = []

  private enum WireType: UInt64 { case varint = 0, fixed64 = 1, length = 2 }

  private mutating func tag(_ field: Int, _ type: WireType) {
    varint(UInt64(field) << 3 | type.rawValue)
  }

  private mutating func varint(_ value: UInt64) {
    var value = value
    while value >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: value))
  }

  /// An integer, a Boolean or a member of an enumeration.
  mutating func int(_ field: Int, _ value: Int64) {
    tag(field, .varint)
    varint(UInt64(bitPattern: value))
  }

  mutating func fixed64(_ field: Int, _ value: UInt64) {
    tag(field, .fixed64)
    for shift in stride(from: 0, to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
    }
  }

  mutating func double(_ field: Int, _ value: Double) { fixed64(field, value.bitPattern) }

  mutating func bytes(_ field: Int, _ value: [UInt8]) {
    tag(field, .length)
    varint(UInt64(value.count))
    bytes += value
  }

  mutating func string(_ field: Int, _ value: String) { bytes(field, Array(value.utf8)) }

  mutating func message(_ field: Int, _ write: (inout ProtoWriter) -> Void) {
    var inner = ProtoWriter()
    write(&inner)
    bytes(field, inner.bytes)
  }
}

/// The fields of a message that are varints or have a length; others are passed over. Ends at what is no message.
struct ProtoReader {
  enum Field {
    case int(UInt64)
    case bytes([UInt8])
  }

  private let bytes: [UInt8]
  private var at = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private mutating func varint() -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while at < bytes.count, shift < 64 {
      let byte = bytes[at]
      at += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }

  mutating func next() -> (number: Int, field: Field)? {
    while let tag = varint() {
      let number = Int(truncatingIfNeeded: tag >> 3)
      switch tag & 7 {
      case 0: return varint().map { (number, .int($0)) }
      case 1, 5:
        at += tag & 7 == 1 ? 8 : 4
        if at > bytes.count { return nil }
      case 2:
        guard let count = varint(), count <= UInt64(bytes.count - at) else { return nil }
        let end = at + Int(count)
        defer { at = end }
        return (number, .bytes(Array(bytes[at..<end])))
      default: return nil
      }
    }
    return nil
  }
}
