package import LenientJSON

/// The parser reads what the independent decoder reads, the steps accept what it accepts, and what is
/// written can be read again.
enum JSONProperty {
  @Sendable static func check(_ input: [UInt8]) throws {
    let expected = JSONReference.parse(input)
    let found = value(input)
    try require(
      found.map { value in expected.map { value.isIdentical(to: $0) } ?? false }
        ?? (expected == nil),
      "read as \(String(describing: found)), expected \(String(describing: expected))")
    let isStepped = input.withUnsafeBytes { bytes in
      guard var cursor = JSONCursor(bytes) else { return false }
      cursor.skipSpace()
      guard cursor.skipValue() else { return false }
      cursor.skipSpace()
      return cursor.at == bytes.count
    }
    try require(isStepped == (expected != nil), "stepped over: \(isStepped)")
    try checkRespelling(input, expected)
    guard let found else { return }
    let text = found.serialized()
    try require(
      value(Array(text.utf8))?.isIdentical(to: found.strict) == true, "written as \(text)")
    try require(
      value(Array(found.serialized(pretty: true).utf8))?.isIdentical(to: found.strict) == true,
      "written in lines")
  }

  /// What `--json` prints: printable ASCII that says the same (promise P1b).
  private static func checkRespelling(_ input: [UInt8], _ expected: JSONValue?) throws {
    var line: [UInt8] = []
    input.withUnsafeBytes { JSONText.asciiSafe($0, into: &line) }
    try require(
      line.allSatisfy { (0x20..<0x7F).contains($0) }, "not printable: \(line)")
    // A lone surrogate stays an escape, which reads as one again.
    let wanted = expected?.strict ?? .null
    try require(
      JSONReference.parse(line)?.isIdentical(to: wanted) == true,
      "printed as \(String(decoding: line, as: UTF8.self))")
  }

  private static func value(_ bytes: [UInt8]) -> JSONValue? {
    do { return try JSONValue.parse(bytes) } catch { return nil }
  }
}

extension JSONValue {
  /// Whether two values are the same, texts scalar by scalar: `==` would take texts for equal that
  /// are only canonically equivalent.
  package func isIdentical(to other: JSONValue) -> Bool {
    func isSame(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }
    switch (self, other) {
    case (.null, .null): return true
    case (.bool(let left), .bool(let right)): return left == right
    case (.number(let left), .number(let right)): return isSame(left.text, right.text)
    case (.string(let left), .string(let right)): return isSame(left, right)
    case (.array(let left), .array(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { $0.isIdentical(to: $1) }
    case (.object(let left), .object(let right)):
      return left.count == right.count
        && zip(left.members, right.members).allSatisfy {
          isSame($0.key, $1.key) && $0.value.isIdentical(to: $1.value)
        }
    default: return false
    }
  }

  /// The value as strict JSON can say it: `NaN` and the infinities are null.
  package var strict: JSONValue {
    switch self {
    case .number(let number): number.text.last?.isNumber == true ? self : .null
    case .array(let elements): .array(elements.map(\.strict))
    case .object(let object):
      .object(
        JSONObject(members: object.members.map { .init(key: $0.key, value: $0.value.strict) }))
    default: self
    }
  }
}
