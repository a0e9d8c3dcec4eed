extension DemoJSON {
  /// The compact text of this value as UTF-8.
  package func serialized() -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(256)
    write(to: &out)
    return out
  }

  /// The compact text of this value.
  package var text: String { String(decoding: serialized(), as: UTF8.self) }

  /// This value as pre-serialised bytes; repeated sending then costs one copy.
  var frozen: DemoJSON { .raw(serialized()) }

  /// Appends the compact text of this value.
  func write(to out: inout [UInt8]) {
    switch self {
    case .null: out.append(contentsOf: "null".utf8)
    case .bool(let value): out.append(contentsOf: (value ? "true" : "false").utf8)
    case .int(let value): out.append(contentsOf: String(value).utf8)
    case .double(let value): out.append(contentsOf: JSNumber.text(value).utf8)
    case .string(let value): JSONText.quote(value, to: &out)
    case .units(let value): JSONText.quote(value, to: &out)
    case .raw(let bytes): out.append(contentsOf: bytes)
    case .array(let values):
      out.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { out.append(UInt8(ascii: ",")) }
        value.write(to: &out)
      }
      out.append(UInt8(ascii: "]"))
    case .object(let object):
      out.append(UInt8(ascii: "{"))
      for (index, member) in object.members.enumerated() {
        if index > 0 { out.append(UInt8(ascii: ",")) }
        JSONText.quote(member.key, to: &out)
        out.append(UInt8(ascii: ":"))
        member.value.write(to: &out)
      }
      out.append(UInt8(ascii: "}"))
    }
  }
}

/// String quoting as `JSON.stringify` does it (ECMA-262, QuoteJSONString).
enum JSONText {
  private static let hex = Array("0123456789abcdef".utf8)

  static func quote(_ text: String, to out: inout [UInt8]) {
    out.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { buffer in
      var clean = 0
      for index in 0..<buffer.count {
        let byte = buffer[index]
        guard byte < 0x20 || byte == 0x22 || byte == 0x5C else { continue }
        out.append(contentsOf: buffer[clean..<index])
        clean = index + 1
        escape(UInt16(byte), to: &out)
      }
      out.append(contentsOf: buffer[clean...])
    }
    out.append(UInt8(ascii: "\""))
  }

  static func quote(_ units: [UInt16], to out: inout [UInt8]) {
    out.append(UInt8(ascii: "\""))
    var index = 0
    while index < units.count {
      let unit = units[index]
      index += 1
      if unit < 0x20 || unit == 0x22 || unit == 0x5C {
        escape(unit, to: &out)
      } else if UTF16.isLeadSurrogate(unit), index < units.count,
        UTF16.isTrailSurrogate(units[index])
      {
        let pair = String(decoding: [unit, units[index]], as: UTF16.self)
        out.append(contentsOf: pair.utf8)
        index += 1
      } else if UTF16.isSurrogate(unit) {
        unicodeEscape(unit, to: &out)
      } else {
        out.append(contentsOf: String(decoding: [unit], as: UTF16.self).utf8)
      }
    }
    out.append(UInt8(ascii: "\""))
  }

  private static func escape(_ unit: UInt16, to out: inout [UInt8]) {
    switch unit {
    case 0x22: out.append(contentsOf: [0x5C, 0x22])
    case 0x5C: out.append(contentsOf: [0x5C, 0x5C])
    case 0x08: out.append(contentsOf: "\\b".utf8)
    case 0x09: out.append(contentsOf: "\\t".utf8)
    case 0x0A: out.append(contentsOf: "\\n".utf8)
    case 0x0C: out.append(contentsOf: "\\f".utf8)
    case 0x0D: out.append(contentsOf: "\\r".utf8)
    default: unicodeEscape(unit, to: &out)
    }
  }

  private static func unicodeEscape(_ unit: UInt16, to out: inout [UInt8]) {
    out.append(contentsOf: [0x5C, 0x75])
    for shift in [12, 8, 4, 0] as [UInt16] {
      out.append(hex[Int((unit >> shift) & 0xF)])
    }
  }
}

/// Number formatting of ECMA-262 (`Number::toString`, radix 10).
enum JSNumber {
  static func text(_ value: Double) -> String {
    guard value.isFinite else { return "null" }
    if value == 0 { return "0" }
    if value == value.rounded(), abs(value) < 1e15 { return String(Int64(value)) }
    // Swift and ECMAScript both print the shortest digits that round-trip; only the notation and
    // the exponent thresholds differ.
    let (negative, digits, exponent) = decompose("\(abs(value))", negative: value < 0)
    let sign = negative ? "-" : ""
    let count = digits.count
    if count <= exponent, exponent <= 21 {
      return sign + digits + String(repeating: "0", count: exponent - count)
    }
    if 0 < exponent, exponent <= 21 {
      let cut = digits.index(digits.startIndex, offsetBy: exponent)
      return sign + digits[..<cut] + "." + digits[cut...]
    }
    if -6 < exponent, exponent <= 0 {
      return sign + "0." + String(repeating: "0", count: -exponent) + digits
    }
    let power = exponent - 1
    let mantissa = count == 1 ? digits : String(digits.prefix(1)) + "." + digits.dropFirst()
    return sign + mantissa + "e" + (power < 0 ? "-" : "+") + String(abs(power))
  }

  /// Splits a decimal text into digits `d` and exponent `n` so that the value is `0.d × 10^n`.
  private static func decompose(_ text: String, negative: Bool) -> (Bool, String, Int) {
    let parts = text.split(separator: "e")
    let mantissa = parts.first.map(String.init) ?? text
    let power = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    let halves = mantissa.split(separator: ".", omittingEmptySubsequences: false)
    let whole = String(halves.first ?? "")
    let fraction = halves.count > 1 ? String(halves[1]) : ""
    var digits = whole + fraction
    var exponent = whole.count + power
    while digits.count > 1, digits.hasSuffix("0") { digits.removeLast() }
    while digits.count > 1, digits.hasPrefix("0") {
      digits.removeFirst()
      exponent -= 1
    }
    return (negative, digits, exponent)
  }
}
