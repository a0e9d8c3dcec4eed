/// Rejects input on which toml++ 3.4, which TOMLKit builds with assertions, aborts the program
/// (found with some millions of random texts): a header without a name, an array element that
/// starts no value, an incomplete time after a date, and tables nested so deeply that the stack
/// overflows.
///
/// None of that is valid TOML. Any other error ends the walk: the parser stops there as well, with
/// a better message.
struct TOMLGuard {
  /// Far deeper than any real file, and far less than the stack holds.
  private static let depthLimit = 1000
  /// Arrays and inline tables in each other: toml++ refuses more.
  private static let nestingLimit = 256

  private var scanner: TOMLScanner
  private var nesting = 0

  static func check(_ bytes: [UInt8]) throws(TOMLMistake) {
    var check = TOMLGuard(scanner: TOMLScanner(bytes))
    try check.walk()
  }

  private init(scanner: TOMLScanner) { self.scanner = scanner }

  private mutating func walk() throws(TOMLMistake) {
    scanner.skipByteOrderMark()
    var headerDepth = 0
    while true {
      scanner.skipBlanks()
      guard let byte = scanner.current else { return }
      switch byte {
      case UInt8(ascii: "#"), UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        scanner.skipLine()
        continue
      case UInt8(ascii: "["):
        guard let depth = try header() else { return }
        headerDepth = depth
      default:
        guard try keyAndValue(depth: headerDepth) else { return }
      }
      scanner.skipBlanks()
      guard let end = scanner.current else { return }
      guard Self.endsLine.contains(end) else { return }
      scanner.skipLine()
    }
  }

  /// - Returns: the depth of its table; nil if it ends the walk, as with `false` below.
  private mutating func header() throws(TOMLMistake) -> Int? {
    scanner.advance()
    let isArray = scanner.current == UInt8(ascii: "[")
    if isArray { scanner.advance() }
    scanner.skipBlanks()
    guard let byte = scanner.current, Self.beginsKey(byte) else {
      throw mistake(
        "a name is missing: a table begins with [name], or [[name]] in a list of tables")
    }
    guard let depth = try keyPath(depth: 0) else { return nil }
    for _ in 0..<(isArray ? 2 : 1) {
      guard scanner.current == UInt8(ascii: "]") else { return nil }
      scanner.advance()
    }
    return depth
  }

  private mutating func keyAndValue(depth: Int) throws(TOMLMistake) -> Bool {
    guard let depth = try keyPath(depth: depth), scanner.current == UInt8(ascii: "=") else {
      return false
    }
    scanner.advance()
    scanner.skipBlanks()
    guard let byte = scanner.current, !Self.endsValue(byte) else { return false }
    return try value(byte, depth: depth)
  }

  /// - Returns: `depth` and the number of keys.
  private mutating func keyPath(depth: Int) throws(TOMLMistake) -> Int? {
    var depth = depth
    while true {
      guard let byte = scanner.current, Self.beginsKey(byte) else { return nil }
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        guard scanner.skipString() else { return nil }
      } else {
        while let byte = scanner.current, Self.isBare(byte) { scanner.advance() }
      }
      depth += 1
      guard depth <= Self.depthLimit else {
        throw mistake("tables are nested more than \(Self.depthLimit) deep")
      }
      scanner.skipBlanks()
      guard scanner.current == UInt8(ascii: ".") else { return depth }
      scanner.advance()
      scanner.skipBlanks()
    }
  }

  // MARK: Values

  private mutating func value(_ first: UInt8, depth: Int) throws(TOMLMistake) -> Bool {
    switch first {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return scanner.skipString()
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      guard nesting < Self.nestingLimit else { return false }
      nesting += 1
      defer { nesting -= 1 }
      return first == UInt8(ascii: "[") ? try array(depth: depth) : try inlineTable(depth: depth)
    default: return try bareValue()
    }
  }

  private mutating func array(depth: Int) throws(TOMLMistake) -> Bool {
    scanner.advance()
    while let byte = scanner.current {
      switch byte {
      case UInt8(ascii: "]"):
        scanner.advance()
        return true
      case UInt8(ascii: "#"): scanner.skipLine()
      case UInt8(ascii: ","), UInt8(ascii: " "), 0x09...0x0D: scanner.advance()
      case UInt8(ascii: "}"), 0x80...:
        throw mistake("something in this list begins no value; is a quote or a ] missing?")
      default: guard try value(byte, depth: depth + 1) else { return false }
      }
    }
    return false
  }

  private mutating func inlineTable(depth: Int) throws(TOMLMistake) -> Bool {
    scanner.advance()
    while let byte = scanner.current {
      switch byte {
      case UInt8(ascii: "}"):
        scanner.advance()
        return true
      case UInt8(ascii: ","), UInt8(ascii: " "), 0x09: scanner.advance()
      default: guard try keyAndValue(depth: depth) else { return false }
      }
    }
    return false
  }

  /// A number, a date, a time, a word.
  private mutating func bareValue() throws(TOMLMistake) -> Bool {
    let start = scanner.position
    try bareWord()
    // A blank may stand between a date and a time, and with a digit behind it, it means that.
    guard scanner.current == UInt8(ascii: " "), Self.isDigit(scanner.next) else { return true }
    let dateLength = scanner.position - start
    scanner.advance()
    let timeStart = scanner.position
    try bareWord()
    // 1979-05-27 07:32
    guard dateLength == 10, scanner.position - timeStart >= 5 else {
      throw mistake("this is no value; a text needs quotes")
    }
    return true
  }

  private mutating func bareWord() throws(TOMLMistake) {
    let start = scanner.position
    while let byte = scanner.current, !Self.endsValue(byte) {
      // Between a date and a time; else it can but begin a word: true.
      let isT = byte | 0x20 == UInt8(ascii: "t") && scanner.position > start
      guard byte < 0x80, !isT || Self.isDigit(scanner.next) else {
        throw mistake("this is no value; a text needs quotes")
      }
      scanner.advance()
    }
  }

  private func mistake(_ problem: String) -> TOMLMistake {
    TOMLMistake(line: scanner.line, problem: problem)
  }

  // MARK: Bytes

  private static let endsLine: [UInt8] = Array("#\r\n".utf8)

  private static func endsValue(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x09...0x0D, UInt8(ascii: " "), UInt8(ascii: "#"), UInt8(ascii: ","), UInt8(ascii: "]"),
      UInt8(ascii: "}"):
      true
    default: false
    }
  }

  private static func beginsKey(_ byte: UInt8) -> Bool {
    isBare(byte) || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
  }

  private static func isBare(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func isDigit(_ byte: UInt8?) -> Bool {
    byte.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
  }
}
