package import LenientJSON

/// JSON in the one spelling that is signed: keys in the order of their code points, no spaces, no escaped
/// slashes, UTF-8, and only the escapes that RFC 8259 demands. Numbers keep their spelling.
package enum CanonicalJSON {
  package static func bytes(_ value: JSONValue) -> [UInt8] {
    var out: [UInt8] = []
    write(value, to: &out)
    return out
  }

  private static func write(_ value: JSONValue, to out: inout [UInt8]) {
    switch value {
    case .null, .bool, .number: value.write(to: &out, ascii: false)
    case .string(let text): quote(text, to: &out)
    case .array(let elements):
      out.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { out.append(UInt8(ascii: ",")) }
        write(element, to: &out)
      }
      out.append(UInt8(ascii: "]"))
    case .object(let object):
      // UTF-8 has the order of code points; String's own order depends on canonical equivalence.
      let members = object.members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      out.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { out.append(UInt8(ascii: ",")) }
        quote(member.key, to: &out)
        out.append(UInt8(ascii: ":"))
        write(member.value, to: &out)
      }
      out.append(UInt8(ascii: "}"))
    }
  }

  private static func quote(_ text: String, to out: inout [UInt8]) {
    out.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): out += [UInt8(ascii: "\\"), byte]
      case 0x08: out += Array("\\b".utf8)
      case 0x09: out += Array("\\t".utf8)
      case 0x0A: out += Array("\\n".utf8)
      case 0x0C: out += Array("\\f".utf8)
      case 0x0D: out += Array("\\r".utf8)
      case 0..<0x20:
        out += Array((byte < 0x10 ? "\\u000" : "\\u00").utf8)
        out += Array(String(byte, radix: 16).utf8)
      default: out.append(byte)
      }
    }
    out.append(UInt8(ascii: "\""))
  }
}
