/// Why bytes are not JSON.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error, such as `a value is missing`.
  package var reason: String
  /// Where, in bytes from the start.
  package var offset: Int

  package var description: String { "not JSON at byte \(offset): \(reason)" }
}

/// Parses a JSON text (RFC 8259) into a tree and tolerates what backends really send: a private
/// character replaces each lone surrogate (`SurrogateHalves`), invalid UTF-8 becomes U+FFFD, `NaN`
/// and `Infinity` are numbers, strings may contain raw control characters, and a branch nested
/// deeper than `maxDepth` becomes the string `JSONParser.tooDeep` instead of failing the document.
package struct JSONParser {
  /// Replaces a branch that is nested too deeply.
  package static let tooDeep = "[nested too deeply]"
  /// Containers within containers that are read; deeper ones are skipped without recursion.
  package static let maxDepth = 200

  /// Maximum values of one document; a voice state of the backend has some thousands. Each takes
  /// some hundred bytes of memory for as few as two of the text, so without a limit a document
  /// could exhaust it.
  package static let maxValues = 1 << 20

  private let bytes: UnsafeRawBufferPointer
  private var at = 0
  private var values = 0

  /// Whether an invalid array element is replaced by null.
  private let sparesRows: Bool

  private init(_ bytes: UnsafeRawBufferPointer, sparesRows: Bool) {
    self.bytes = bytes
    self.sparesRows = sparesRows
  }

  /// Parses one document; only white space may follow it.
  ///
  /// - Parameter sparesRows: whether an invalid array element becomes null and an unknown escape
  ///   one replacement character.
  package static func parse(
    _ bytes: UnsafeRawBufferPointer, sparesRows: Bool = false
  ) throws(JSONError) -> JSONValue {
    var parser = JSONParser(bytes, sparesRows: sparesRows)
    parser.skipSpace()
    let value = try parser.value(depth: 0)
    parser.skipSpace()
    guard parser.at == bytes.count else { throw parser.error("text after the end") }
    return value
  }

  private func error(_ reason: String) -> JSONError { JSONError(reason: reason, offset: at) }

  private func peek() -> UInt8? { at < bytes.count ? bytes[at] : nil }

  private mutating func skipSpace() {
    while at < bytes.count {
      switch bytes[at] {
      case 0x20, 0x0A, 0x0D, 0x09: at += 1
      default: return
      }
    }
  }

  private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    guard let first = peek() else { throw error("it ends too early") }
    values += 1
    guard values <= Self.maxValues else { throw error("too many values") }
    switch first {
    case UInt8(ascii: "{"):
      return depth < Self.maxDepth ? try object(depth: depth) : try skipContainer()
    case UInt8(ascii: "["):
      return depth < Self.maxDepth ? try array(depth: depth) : try skipContainer()
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "N"): return try word("NaN", .number(JSONNumber(text: "NaN")))
    case UInt8(ascii: "I"): return try word("Infinity", .number(JSONNumber(text: "Infinity")))
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: throw error("a value is missing")
    }
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONError)
    -> JSONValue
  {
    let count = word.utf8CodeUnitCount
    guard at + count <= bytes.count else { throw error("it ends too early") }
    for index in 0..<count where bytes[at + index] != word.utf8Start[index] {
      throw error("an unknown word")
    }
    at += count
    return value
  }

  private mutating func number() throws(JSONError) -> JSONValue {
    let start = at
    var cursor = try cursor()
    let good = cursor.skipNumber()
    at = cursor.at
    guard good else { throw error("a number is misspelled") }
    return .number(JSONNumber(text: text(start..<at)))
  }

  private func cursor() throws(JSONError) -> JSONCursor {
    guard var cursor = JSONCursor(bytes) else { throw error("it ends too early") }
    cursor.at = at
    return cursor
  }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: UnsafeRawBufferPointer(rebasing: bytes[range]), as: UTF8.self)
  }

  private mutating func string() throws(JSONError) -> String {
    at += 1
    let start = at
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "\""):
        defer { at += 1 }
        return text(start..<at)
      case UInt8(ascii: "\\"): return try escapedString(from: start)
      case SurrogateHalves.lead where SurrogateHalves.isReserved(bytes, at: at):
        return try escapedString(from: start)
      default: at += 1
      }
    }
    throw error("a string does not end")
  }

  /// The slow path: at the current position there is an escape, or a character that stands for
  /// something else.
  private mutating func escapedString(from start: Int) throws(JSONError) -> String {
    var out = Array(bytes[start..<at])
    while at < bytes.count {
      let byte = bytes[at]
      at += 1
      if byte == UInt8(ascii: "\"") { return String(decoding: out, as: UTF8.self) }
      if SurrogateHalves.isReserved(bytes, at: at - 1) {
        SurrogateHalves.appendHalves(ofFour: bytes, at: at - 1, to: &out)
        at += 3
        continue
      }
      guard byte == UInt8(ascii: "\\") else {
        out.append(byte)
        continue
      }
      guard let escape = peek() else { break }
      at += 1
      switch escape {
      case UInt8(ascii: "n"): out.append(0x0A)
      case UInt8(ascii: "t"): out.append(0x09)
      case UInt8(ascii: "r"): out.append(0x0D)
      case UInt8(ascii: "b"): out.append(0x08)
      case UInt8(ascii: "f"): out.append(0x0C)
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): out.append(escape)
      case UInt8(ascii: "u"):
        let scalar = try unicodeEscape()
        if scalar.isASCII {
          out.append(UInt8(scalar.value))
        } else {
          out += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        }
      // As when scanning actions: it costs only itself.
      case _ where sparesRows: out += UTF8.encodedReplacementCharacter
      default: throw error("an unknown escape")
      }
    }
    throw error("a string does not end")
  }

  /// Reads the digits after `\u`, and the second half of a surrogate pair.
  private mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
    let first = try hex4()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard (0xD800..<0xDC00).contains(first), at + 6 <= bytes.count,
      bytes[at] == UInt8(ascii: "\\"), bytes[at + 1] == UInt8(ascii: "u")
    else { return SurrogateHalves.standIn(for: first) }
    let mark = at
    at += 2
    let second = try hex4()
    guard (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)),
      !SurrogateHalves.isReserved(scalar)
    else {
      at = mark  // a lone high half; the rest is parsed separately
      return SurrogateHalves.standIn(for: first)
    }
    return scalar
  }

  private mutating func hex4() throws(JSONError) -> UInt32 {
    guard at + 4 <= bytes.count else { throw error("it ends too early") }
    var value: UInt32 = 0
    for _ in 0..<4 {
      switch bytes[at] {
      case 0x30...0x39: value = value << 4 | UInt32(bytes[at] - 0x30)
      case 0x41...0x46: value = value << 4 | UInt32(bytes[at] - 0x37)
      case 0x61...0x66: value = value << 4 | UInt32(bytes[at] - 0x57)
      default: throw error("four hex digits are missing")
      }
      at += 1
    }
    return value
  }

  private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
    at += 1
    skipSpace()
    var elements: [JSONValue] = []
    if peek() == UInt8(ascii: "]") {
      at += 1
      return .array(elements)
    }
    while true {
      skipSpace()
      let start = at
      do throws(JSONError) {
        elements.append(try value(depth: depth + 1))
      } catch {
        // One bad row costs only itself (promise P3); the reader of the list counts it.
        guard sparesRows, values < Self.maxValues, skipElement(from: start) else { throw error }
        elements.append(.null)
      }
      skipSpace()
      switch peek() {
      case UInt8(ascii: ","): at += 1
      case UInt8(ascii: "]"):
        at += 1
        return .array(elements)
      default: throw error("a comma or a bracket is missing")
      }
    }
  }

  /// Moves to the comma or bracket that ends an array element, whatever it contains; false if there
  /// is none.
  private mutating func skipElement(from start: Int) -> Bool {
    at = start
    var open: [UInt8] = []
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "\""):
        at += 1
        while at < bytes.count, bytes[at] != UInt8(ascii: "\"") {
          at += bytes[at] == UInt8(ascii: "\\") ? 2 : 1
        }
      case UInt8(ascii: "{"): open.append(UInt8(ascii: "}"))
      case UInt8(ascii: "["): open.append(UInt8(ascii: "]"))
      case UInt8(ascii: ",") where open.isEmpty, UInt8(ascii: "]") where open.isEmpty: return true
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard open.popLast() == bytes[at] else { return false }
      default: break
      }
      at += 1
    }
    return false
  }

  private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
    at += 1
    skipSpace()
    var members: [JSONObject.Member] = []
    if peek() == UInt8(ascii: "}") {
      at += 1
      return .object(JSONObject())
    }
    while true {
      skipSpace()
      guard peek() == UInt8(ascii: "\"") else { throw error("a key is missing") }
      let key = try string()
      skipSpace()
      guard peek() == UInt8(ascii: ":") else { throw error("a colon is missing") }
      at += 1
      skipSpace()
      members.append(.init(key: key, value: try value(depth: depth + 1)))
      skipSpace()
      switch peek() {
      case UInt8(ascii: ","): at += 1
      case UInt8(ascii: "}"):
        at += 1
        return .object(JSONObject(members: members))
      default: throw error("a comma or a brace is missing")
      }
    }
  }

  /// Steps over a container that is nested too deeply; its grammar still counts, without recursion.
  private mutating func skipContainer() throws(JSONError) -> JSONValue {
    var cursor = try cursor()
    let good = cursor.skipContainer()
    at = cursor.at
    guard good else { throw error("the grammar is broken") }
    return .string(Self.tooDeep)
  }
}

extension JSONValue {
  /// Reads one document. Throws `JSONError` when the bytes are not JSON even with tolerance.
  package static func parse(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> JSONValue {
    try JSONParser.parse(bytes)
  }

  /// Reads one document from an array of bytes.
  ///
  /// - Parameter sparesRows: for lists of rows, where a bad row costs itself (promise P3).
  package static func parse(
    _ bytes: [UInt8], sparesRows: Bool = false
  ) throws(JSONError) -> JSONValue {
    let result = bytes.withUnsafeBytes { buffer in
      Result { () throws(JSONError) in try JSONParser.parse(buffer, sparesRows: sparesRows) }
    }
    return try result.get()
  }

  /// Reads one document from text.
  package static func parse(_ text: String) throws(JSONError) -> JSONValue {
    try parse(Array(text.utf8))
  }
}
