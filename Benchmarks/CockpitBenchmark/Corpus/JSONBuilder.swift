/// Writes JSON without whitespace, as the backend's serialiser does. Strings are given already
/// escaped: the corpus chooses where its escapes are.
struct JSONBuilder {
  private(set) var bytes: [UInt8] = []
  private var needsComma = false

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    needsComma = false
  }

  private mutating func key(_ name: StaticString) {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
    bytes.append(UInt8(ascii: "\""))
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  mutating func text(_ name: StaticString, _ value: String?) {
    key(name)
    guard let value else { return bytes.append(contentsOf: "null".utf8) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: value.utf8)
    bytes.append(UInt8(ascii: "\""))
  }

  mutating func text(_ name: StaticString, _ value: [UInt8]) {
    key(name)
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: value)
    bytes.append(UInt8(ascii: "\""))
  }

  mutating func raw(_ name: StaticString, _ value: String) {
    key(name)
    bytes.append(contentsOf: value.utf8)
  }

  mutating func number(_ name: StaticString, _ value: Int) { raw(name, String(value)) }

  mutating func flag(_ name: StaticString, _ value: Bool) { raw(name, value ? "true" : "false") }

  mutating func open(_ name: StaticString? = nil) {
    if let name { key(name) }
    bytes.append(UInt8(ascii: "{"))
    needsComma = false
  }

  mutating func close() {
    bytes.append(UInt8(ascii: "}"))
    needsComma = true
  }
}
