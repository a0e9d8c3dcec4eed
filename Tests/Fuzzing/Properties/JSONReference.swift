package import LenientJSON

/// JSON decoded in two steps, tokens and then a stack, for comparison with the parsers of
/// `LenientJSON`: written without a look at them, without recursion, and slow.
///
/// Beyond RFC 8259 it takes what they promise to take: `NaN`, `Infinity` and `-Infinity`, raw control
/// characters and bytes that are not UTF-8 in strings, lone surrogates, and a branch that is nested
/// more than `JSONParser.maxDepth` deep, which is checked and then stands as a text.
package enum JSONReference {
  private enum Token: Equatable {
    case punctuation(UInt8)
    case leaf(JSONValue)
    case string(String)
  }

  /// The value; nil if the bytes are not JSON.
  package static func parse(_ bytes: [UInt8]) -> JSONValue? {
    guard let tokens = tokens(bytes) else { return nil }
    return value(tokens)
  }

  // MARK: tokens

  private static func tokens(_ bytes: [UInt8]) -> [Token]? {
    var tokens: [Token] = []
    var rest = bytes[...]
    while let first = rest.first {
      switch first {
      case 0x20, 0x09, 0x0A, 0x0D: rest = rest.dropFirst()
      case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"),
        UInt8(ascii: ","), UInt8(ascii: ":"):
        tokens.append(.punctuation(first))
        rest = rest.dropFirst()
      case UInt8(ascii: "\""):
        guard let (text, after) = string(rest.dropFirst()) else { return nil }
        tokens.append(.string(text))
        rest = after
      default:
        guard let (value, after) = word(rest) ?? number(rest) else { return nil }
        tokens.append(.leaf(value))
        rest = after
      }
    }
    return tokens
  }

  private static func word(_ bytes: ArraySlice<UInt8>) -> (JSONValue, ArraySlice<UInt8>)? {
    let words: [(String, JSONValue)] = [
      ("null", .null), ("true", .bool(true)), ("false", .bool(false)),
      ("NaN", .number(JSONNumber(text: "NaN"))),
      ("Infinity", .number(JSONNumber(text: "Infinity"))),
      ("-Infinity", .number(JSONNumber(text: "-Infinity"))),
    ]
    for (word, value) in words where bytes.starts(with: word.utf8) {
      return (value, bytes.dropFirst(word.utf8.count))
    }
    return nil
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> (JSONValue, ArraySlice<UInt8>)? {
    func digits(_ from: Int) -> Int {
      bytes[from...].firstIndex { !(0x30...0x39).contains($0) } ?? bytes.endIndex
    }
    func byte(_ at: Int) -> UInt8 { at < bytes.endIndex ? bytes[at] : 0 }
    var at = bytes.startIndex
    if byte(at) == UInt8(ascii: "-") { at += 1 }
    let whole = digits(at)
    guard whole > at, byte(at) != UInt8(ascii: "0") || whole == at + 1 else { return nil }
    at = whole
    if byte(at) == UInt8(ascii: ".") {
      let end = digits(at + 1)
      guard end > at + 1 else { return nil }
      at = end
    }
    if byte(at) == UInt8(ascii: "e") || byte(at) == UInt8(ascii: "E") {
      let signed = byte(at + 1) == UInt8(ascii: "+") || byte(at + 1) == UInt8(ascii: "-")
      let start = at + (signed ? 2 : 1)
      guard start <= bytes.endIndex, digits(start) > start else { return nil }
      at = digits(start)
    }
    let text = String(decoding: bytes[..<at], as: UTF8.self)
    return (.number(JSONNumber(text: text)), bytes[at...])
  }

  /// The text up to the closing quote. Escapes are collected as UTF-16 units, so that two halves of a
  /// pair find each other; private characters stand for a lone one, and for both halves of a pair that
  /// means such a character itself.
  private static func string(_ bytes: ArraySlice<UInt8>) -> (String, ArraySlice<UInt8>)? {
    var text = ""
    var raw: [UInt8] = []
    var units: [UInt16] = []
    func append(_ unit: UInt16) {
      guard let scalar = Unicode.Scalar(0x10F000 + UInt32(unit) - 0xD800) else { return }
      text.unicodeScalars.append(scalar)
    }
    func finish() {
      var iterator = units.makeIterator()
      var decoder = UTF16()
      var at = 0
      while true {
        switch decoder.decode(&iterator) {
        case .emptyInput:
          units = []
          return
        case .error:
          append(units[at])
          at += 1
        case .scalarValue(let scalar):
          if (0x10F000...0x10F7FF).contains(scalar.value) {
            scalar.utf16.forEach(append)
          } else {
            text.unicodeScalars.append(scalar)
          }
          at += UTF16.width(scalar)
        }
      }
    }
    func finishRaw() {
      for scalar in String(decoding: raw, as: UTF8.self).unicodeScalars {
        if (0x10F000...0x10F7FF).contains(scalar.value) {
          scalar.utf16.forEach(append)
        } else {
          text.unicodeScalars.append(scalar)
        }
      }
      raw = []
    }
    var rest = bytes
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") {
        finish()
        finishRaw()
        return (text, rest)
      }
      guard byte == UInt8(ascii: "\\") else {
        finish()
        raw.append(byte)
        continue
      }
      finishRaw()
      let simple: [UInt8: UInt16] = [
        UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5C, UInt8(ascii: "/"): 0x2F,
        UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A,
        UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
      ]
      guard let letter = rest.popFirst() else { return nil }
      if let unit = simple[letter] {
        units.append(unit)
      } else if letter == UInt8(ascii: "u") {
        let digits = rest.prefix(4)
        let isHex = digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit && $0 < 0x80 }
        guard digits.count == 4, isHex,
          let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { return nil }
        units.append(unit)
        rest = rest.dropFirst(4)
      } else {
        return nil
      }
    }
    return nil
  }

  // MARK: values

  /// An open container: what it holds so far, and the key that waits for its value.
  private struct Open {
    var isObject: Bool
    var elements: [JSONValue] = []
    var members: [JSONObject.Member] = []
    var key: String?

    var value: JSONValue { isObject ? .object(JSONObject(members: members)) : .array(elements) }

    mutating func take(_ value: JSONValue) {
      if let key {
        members.append(.init(key: key, value: value))
        self.key = nil
      } else {
        elements.append(value)
      }
    }
  }

  private static func value(_ tokens: [Token]) -> JSONValue? {
    // What may come: a value, a key, a colon, or what follows a value; and whether a closing bracket
    // may come instead, because the container has just been opened.
    enum Expected { case value, key, colon, after }
    var stack: [Open] = []
    var expected = Expected.value
    var mayClose = false
    var result: JSONValue?
    func take(_ value: JSONValue) {
      expected = .after
      if stack.isEmpty { result = value } else { stack[stack.count - 1].take(value) }
    }
    for token in tokens {
      if result != nil { return nil }
      let closes = mayClose || expected == .after
      mayClose = false
      switch (expected, token) {
      case (.value, .leaf(let value)): take(value)
      case (.value, .string(let text)): take(.string(text))
      case (.value, .punctuation(UInt8(ascii: "{"))), (.value, .punctuation(UInt8(ascii: "["))):
        let isObject = token == .punctuation(UInt8(ascii: "{"))
        stack.append(Open(isObject: isObject))
        expected = isObject ? .key : .value
        mayClose = true
      case (.key, .string(let key)):
        stack[stack.count - 1].key = key
        expected = .colon
      case (.colon, .punctuation(UInt8(ascii: ":"))): expected = .value
      case (.after, .punctuation(UInt8(ascii: ","))):
        guard let top = stack.last else { return nil }
        expected = top.isObject ? .key : .value
      case (_, .punctuation(let bracket)) where closes:
        guard let top = stack.last,
          bracket == (top.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        else { return nil }
        stack.removeLast()
        take(stack.count >= JSONParser.maxDepth ? .string(JSONParser.tooDeep) : top.value)
      default: return nil
      }
    }
    return result
  }
}
