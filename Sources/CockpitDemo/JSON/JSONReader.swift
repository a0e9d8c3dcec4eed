/// Why a text is not JSON.
package enum DemoJSONError: Error, CustomStringConvertible {
  case malformed(offset: Int)
  case tooDeep

  package var description: String {
    switch self {
    case .malformed(let offset): "The text is not JSON at byte \(offset)."
    case .tooDeep: "The JSON is nested deeper than 512 levels."
    }
  }
}

extension DemoJSON {
  /// Parses UTF-8 JSON text; throws `DemoJSONError`.
  package static func parse(_ bytes: some Sequence<UInt8>) throws -> DemoJSON {
    var reader = JSONReader(bytes: Array(bytes))
    return try reader.document()
  }
}

/// A strict recursive-descent reader (RFC 8259) that keeps key order and unpaired surrogates.
private struct JSONReader {
  let bytes: [UInt8]
  var index = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func document() throws -> DemoJSON {
    let value = try value(depth: 0)
    skipSpace()
    guard index == bytes.count else { throw fail() }
    return value
  }

  private func fail() -> DemoJSONError { .malformed(offset: index) }

  private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipSpace() {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      index += 1
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard current == byte else { return false }
    index += 1
    return true
  }

  private mutating func value(depth: Int) throws -> DemoJSON {
    guard depth < 512 else { throw DemoJSONError.tooDeep }
    skipSpace()
    switch current {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return try string()
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func word(_ text: String, _ value: DemoJSON) throws -> DemoJSON {
    let expected = Array(text.utf8)
    guard bytes[index...].starts(with: expected) else { throw fail() }
    index += expected.count
    return value
  }

  private mutating func object(depth: Int) throws -> DemoJSON {
    index += 1
    var object = Object()
    skipSpace()
    if take(UInt8(ascii: "}")) { return .object(object) }
    repeat {
      skipSpace()
      guard current == UInt8(ascii: "\"") else { throw fail() }
      let key = try string().stringValue ?? ""
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw fail() }
      object[key] = try value(depth: depth + 1)
      skipSpace()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw fail() }
    return .object(object)
  }

  private typealias Object = DemoJSON.Object

  private mutating func array(depth: Int) throws -> DemoJSON {
    index += 1
    var values: [DemoJSON] = []
    skipSpace()
    if take(UInt8(ascii: "]")) { return .array(values) }
    repeat {
      values.append(try value(depth: depth + 1))
      skipSpace()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw fail() }
    return .array(values)
  }

  private mutating func string() throws -> DemoJSON {
    index += 1
    var units: [UInt16] = []
    var plain = index
    func flush(to end: Int) {
      units.append(contentsOf: String(decoding: bytes[plain..<end], as: UTF8.self).utf16)
    }
    while let byte = current {
      if byte == 0x22 {
        flush(to: index)
        index += 1
        return hasLoneSurrogate(units)
          ? .units(units) : .string(String(decoding: units, as: UTF16.self))
      }
      guard byte >= 0x20 else { throw fail() }
      guard byte == 0x5C else {
        index += 1
        continue
      }
      flush(to: index)
      index += 1
      units.append(try escape())
      plain = index
    }
    throw fail()
  }

  private mutating func escape() throws -> UInt16 {
    guard let byte = current else { throw fail() }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UInt16(byte)
    case UInt8(ascii: "b"): return 8
    case UInt8(ascii: "t"): return 9
    case UInt8(ascii: "n"): return 10
    case UInt8(ascii: "f"): return 12
    case UInt8(ascii: "r"): return 13
    case UInt8(ascii: "u"):
      guard index + 4 <= bytes.count,
        let unit = UInt16(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16)
      else { throw fail() }
      index += 4
      return unit
    default: throw fail()
    }
  }

  private func hasLoneSurrogate(_ units: [UInt16]) -> Bool {
    var index = 0
    while index < units.count {
      if UTF16.isLeadSurrogate(units[index]), index + 1 < units.count,
        UTF16.isTrailSurrogate(units[index + 1])
      {
        index += 2
      } else if UTF16.isSurrogate(units[index]) {
        return true
      } else {
        index += 1
      }
    }
    return false
  }

  private mutating func number() throws -> DemoJSON {
    let start = index
    while let byte = current,
      (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x2B || byte == 0x2E
        || byte == 0x65 || byte == 0x45
    {
      index += 1
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if let value = Int(text), !text.hasPrefix("+") { return .int(value) }
    guard let value = Double(text), let first = text.first, first == "-" || first.isNumber else {
      index = start
      throw fail()
    }
    return .double(value)
  }
}
