/// Builds one JSON object, key by key, in the order of the calls; printable ASCII only, so that a
/// line made of it is safe on any terminal (promise P1).
package struct JSONObjectWriter {
  private var bytes: [UInt8] = []

  /// An object without members.
  ///
  /// - Parameter capacity: the expected length in bytes; a row that grows piece by piece is copied
  ///   several times.
  package init(capacity: Int = 0) {
    bytes.reserveCapacity(capacity)
    bytes.append(UInt8(ascii: "{"))
  }

  /// A string, or null.
  package mutating func string(_ key: StaticString, _ value: String?) {
    self.key(key)
    if let value { JSONText.quote(value, into: &bytes) } else { null() }
  }

  /// A whole number, or null.
  package mutating func int(_ key: StaticString, _ value: Int?) {
    self.key(key)
    if let value { bytes += Array(String(value).utf8) } else { null() }
  }

  /// A number, or null; NaN and the infinities have no JSON spelling and become null.
  package mutating func double(_ key: StaticString, _ value: Double?) {
    self.key(key)
    if let value, value.isFinite { bytes += Array("\(value)".utf8) } else { null() }
  }

  package mutating func bool(_ key: StaticString, _ value: Bool?) {
    self.key(key)
    if let value { bytes += Array((value ? "true" : "false").utf8) } else { null() }
  }

  /// Any value.
  package mutating func value(_ key: StaticString, _ value: JSONValue) {
    self.key(key)
    value.write(to: &bytes, ascii: true)
  }

  /// A value that is JSON already; re-encoded by `JSONText.asciiSafe`. nil becomes null.
  package mutating func raw(_ key: StaticString, _ value: UnsafeRawBufferPointer?) {
    self.key(key)
    if let value { JSONText.asciiSafe(value, into: &bytes) } else { null() }
  }

  /// A value that is known to be valid JSON, such as a field of a row that was scanned; see `raw`.
  package mutating func valid(_ key: StaticString, _ value: UnsafeRawBufferPointer?) {
    self.key(key)
    if let value { JSONText.respell(value, into: &bytes) } else { null() }
  }

  /// The repaired text of bytes that need not be UTF-8, as a string.
  package mutating func text(_ key: StaticString, utf8 value: UnsafeRawBufferPointer) {
    self.key(key)
    JSONText.quote(utf8: value, into: &bytes)
  }

  /// The finished object, without a line end.
  package mutating func finish() -> [UInt8] {
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  /// Keys are ours: letters, digits and underscores.
  private mutating func key(_ key: StaticString) {
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
    bytes.append(UInt8(ascii: "\""))
    key.withUTF8Buffer { bytes += $0 }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  private mutating func null() { bytes += "null".utf8 }
}
