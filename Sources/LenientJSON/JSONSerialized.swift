extension JSONValue {
  /// The value as JSON text: on one line, or one member per line with two spaces per level. Numbers
  /// keep their spelling; NaN and the infinities become null. Text outside ASCII is kept, so
  /// sanitise it before drawing; lone surrogates are escaped as received.
  package func serialized(pretty: Bool = false) -> String {
    guard pretty else {
      var bytes: [UInt8] = []
      write(to: &bytes, ascii: false)
      return String(decoding: bytes, as: UTF8.self)
    }
    return prettyLines().joined(separator: "\n")
  }

  /// The lines of the pretty form, at most `limit` of them; the work ends there too.
  package func prettyLines(limit: Int = .max) -> [String] {
    var printer = PrettyPrinter(limit: limit)
    printer.print(self, indent: 0, prefix: "", suffix: "")
    return printer.lines
  }

  /// Appends the compact form; with `ascii` everything outside printable ASCII as escapes.
  package func write(to out: inout [UInt8], ascii: Bool) {
    switch self {
    case .null: out += Array("null".utf8)
    case .bool(let bool): out += Array((bool ? "true" : "false").utf8)
    case .number(let number): out += Array(number.strictText.utf8)
    case .string(let string): JSONValue.write(string, to: &out, ascii: ascii)
    case .array(let elements):
      out.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { out.append(UInt8(ascii: ",")) }
        element.write(to: &out, ascii: ascii)
      }
      out.append(UInt8(ascii: "]"))
    case .object(let object):
      out.append(UInt8(ascii: "{"))
      for (index, member) in object.members.enumerated() {
        if index > 0 { out.append(UInt8(ascii: ",")) }
        JSONValue.write(member.key, to: &out, ascii: ascii)
        out.append(UInt8(ascii: ":"))
        member.value.write(to: &out, ascii: ascii)
      }
      out.append(UInt8(ascii: "}"))
    }
  }

  private static func write(_ text: String, to out: inout [UInt8], ascii: Bool) {
    if ascii { return JSONText.quote(text, into: &out) }
    out.append(UInt8(ascii: "\""))
    if text.hasHalves {
      for scalar in text.unicodeScalars {
        if let half = SurrogateHalves.unit(of: scalar) {
          JSONText.escape(half, into: &out)
        } else {
          for byte in String(scalar).utf8 { write(byte, to: &out) }
        }
      }
    } else {
      for byte in text.utf8 { write(byte, to: &out) }
    }
    out.append(UInt8(ascii: "\""))
  }

  /// One byte of a text, or its escape.
  private static func write(_ byte: UInt8, to out: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): out += [UInt8(ascii: "\\"), byte]
    case 0x0A: out += Array("\\n".utf8)
    case 0x0D: out += Array("\\r".utf8)
    case 0x09: out += Array("\\t".utf8)
    case 0..<0x20, 0x7F:
      let digits = String(byte, radix: 16)
      out += Array(("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
    default: out.append(byte)
    }
  }
}

extension JSONNumber {
  /// The digits, or `null` where JSON has no spelling (`NaN` and the infinities).
  var strictText: String { text.hasSuffix("y") || text == "NaN" ? "null" : text }
}

/// Writes the indented form line by line and stops at a limit.
private struct PrettyPrinter {
  let limit: Int
  var lines: [String] = []

  init(limit: Int) { self.limit = limit }

  mutating func print(_ value: JSONValue, indent: Int, prefix: String, suffix: String) {
    guard lines.count < limit else { return }
    let margin = String(repeating: "  ", count: indent)
    switch value {
    case .array(let elements) where !elements.isEmpty:
      lines.append(margin + prefix + "[")
      for (index, element) in elements.enumerated() {
        guard lines.count < limit else { return }
        let comma = index + 1 < elements.count ? "," : ""
        print(element, indent: indent + 1, prefix: "", suffix: comma)
      }
      add(margin + "]" + suffix)
    case .object(let object) where !object.isEmpty:
      lines.append(margin + prefix + "{")
      for (index, member) in object.members.enumerated() {
        guard lines.count < limit else { return }
        let comma = index + 1 < object.count ? "," : ""
        let key = JSONValue.string(member.key).serialized()
        print(member.value, indent: indent + 1, prefix: key + ": ", suffix: comma)
      }
      add(margin + "}" + suffix)
    default: lines.append(margin + prefix + value.serialized() + suffix)
    }
  }

  private mutating func add(_ line: String) {
    if lines.count < limit { lines.append(line) }
  }
}
