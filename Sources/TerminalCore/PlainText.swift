/// Text that cannot act on a terminal.
///
/// Names and messages are untrusted. Only `PlainText` can be drawn or printed, and every
/// initialiser sanitises, so nothing reaches the terminal unfiltered. It contains no control
/// characters, no bidi controls, no zero-width characters except marks of the preceding glyph, and
/// only glyphs whose width all terminals agree on. It is one line: a line break is the visible
/// glyph `⏎`, and `wrapped(to:)` breaks there.
package struct PlainText: Sendable {
  /// Sanitised. Bytes equal columns exactly when all of it is ASCII.
  let storage: String
  /// Width in columns.
  package let columns: Int
  /// Whether the text was cut, so that `…` may be drawn as `...` if there is no such glyph.
  let isCut: Bool

  /// Only for text that came out of a sanitiser or out of another `PlainText`.
  init(trusted storage: String, columns: Int, isCut: Bool = false) {
    self.storage = storage
    self.columns = columns
    self.isCut = isCut
  }

  /// All of a text, sanitised.
  package init(_ text: some StringProtocol) {
    self.init(text, limit: .max)
  }

  /// The first `limit` columns of a text; the rest is not even read.
  package init(_ text: some StringProtocol, limit: Int) {
    if let whole = text as? String {
      self.init(string: whole, limit: max(0, limit))
      return
    }
    // One concrete type: generic code of another module would look up every byte.
    let whole = (text as? Substring) ?? Substring(String(text))
    self.init(whole: whole, limit: max(0, limit))
  }

  /// The first `limit` columns of a text; the rest is not even read.
  package init(_ text: String, limit: Int = .max) {
    self.init(string: text, limit: max(0, limit))
  }

  /// Fast path: a short text of plain ASCII, as most are, is stored unchanged.
  private init(string text: String, limit: Int) {
    let count = text.utf8.count
    if count <= limit, count <= 256 {
      var copy = text
      let isPlain = copy.withUTF8 { bytes in
        // Check all bytes: a branch for each would cost more.
        var odd: UInt8 = 0
        for byte in bytes { odd |= (byte &- 0x20) >= 0x5F ? 1 : 0 }
        return odd == 0
      }
      if isPlain {
        self.init(trusted: text, columns: count)
        return
      }
    }
    self.init(whole: Substring(text), limit: limit)
  }

  private init(whole text: Substring, limit: Int) {
    // `prefix(.max)` of a substring's UTF-8 overflows.
    let head = text.utf8.prefix(min(limit, text.utf8.count))
    if head.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
      let isWhole = head.endIndex == text.endIndex
      // A mark after the last byte of a cut belongs to it; leave that case to the long way.
      if isWhole || text.utf8[head.endIndex] < 0x80 {
        self.init(trusted: String(text[..<head.endIndex]), columns: head.count)
        return
      }
    }
    var sanitizer = Sanitizer(limit: limit, capacity: limit == .max ? text.utf8.count : 0)
    // Invisible scalars take no columns: without a second bound they would all be read.
    var unread = limit > Int.max / 32 ? Int.max : 256 + 16 * limit
    for scalar in text.unicodeScalars {
      sanitizer.consume(scalar.value)
      unread -= 1
      if sanitizer.isFull || unread <= 0 { break }
    }
    self.init(sanitizer)
  }

  init(_ sanitizer: Sanitizer) {
    self.init(
      trusted: String(decoding: sanitizer.bytes, as: UTF8.self), columns: sanitizer.columns)
  }

  /// The empty text.
  package init() {
    self.init(trusted: "", columns: 0)
  }

  /// Whether it draws nothing.
  package var isEmpty: Bool { columns == 0 }

  var isASCII: Bool { storage.utf8.count == columns }

  /// `count` spaces.
  package static func spaces(_ count: Int) -> PlainText {
    let count = max(0, count)
    return PlainText(trusted: String(repeating: " ", count: count), columns: count)
  }

  /// Sanitised lines of a text, split at LF, CRLF and CR; a final line break adds no empty line.
  package static func lines(_ text: some StringProtocol, limit: Int = .max) -> [PlainText] {
    var lines: [PlainText] = []
    let scalars = text.unicodeScalars
    var start = scalars.startIndex
    while start < scalars.endIndex, lines.count < limit {
      let end = scalars[start...].firstIndex { $0 == "\n" || $0 == "\r" } ?? scalars.endIndex
      lines.append(PlainText(text[start..<end]))
      guard end < scalars.endIndex else { break }
      start = scalars.index(after: end)
      if scalars[end] == "\r", start < scalars.endIndex, scalars[start] == "\n" {
        start = scalars.index(after: start)
      }
    }
    return lines
  }
}

extension PlainText: Hashable {
  /// Equal when the same glyphs are drawn. Bytes are compared: canonical equivalence would call
  /// two texts equal that a terminal draws differently, and costs a normalisation each time.
  package static func == (left: PlainText, right: PlainText) -> Bool {
    left.columns == right.columns && left.storage.utf8.elementsEqual(right.storage.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    var text = storage
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension PlainText: ExpressibleByStringInterpolation {
  /// A literal, sanitised like everything else.
  package init(stringLiteral text: String) { self.init(text) }

  /// Literal parts and values, each sanitised; `PlainText` is inserted unchanged.
  package init(stringInterpolation: StringInterpolation) {
    self = stringInterpolation.text
  }

  /// Sanitises every part but those that are `PlainText` already.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = PlainText()

    /// Called by the compiler; the sizes are hints and are ignored.
    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) { text += PlainText(literal) }

    package mutating func appendInterpolation(_ value: PlainText) { text += value }

    /// Avoids the casts that `String(describing:)` tries first.
    package mutating func appendInterpolation(_ value: String) { text += PlainText(value) }

    /// See the one for `String`; an integer has nothing to sanitise.
    package mutating func appendInterpolation(_ value: Int) {
      let digits = String(value)
      text += PlainText(trusted: digits, columns: digits.utf8.count)
    }

    package mutating func appendInterpolation(_ value: some Any) {
      text += PlainText(String(describing: value))
    }
  }
}

extension PlainText: CustomStringConvertible {
  package var description: String { storage }
}

extension PlainText {
  package static func + (left: PlainText, right: PlainText) -> PlainText {
    if left.isEmpty { return right }
    if right.isEmpty { return left }
    return PlainText(
      trusted: left.storage + right.storage, columns: left.columns + right.columns,
      isCut: left.isCut || right.isCut)
  }

  package static func += (left: inout PlainText, right: PlainText) { left = left + right }
}

extension Sequence<PlainText> {
  /// The texts one after the other, in linear time.
  package func joined(separator: PlainText = "") -> PlainText {
    var storage = ""
    var columns = 0
    var isCut = false
    var isFirst = true
    for text in self {
      if !isFirst {
        storage += separator.storage
        columns += separator.columns
      }
      isFirst = false
      storage += text.storage
      columns += text.columns
      isCut = isCut || text.isCut
    }
    return PlainText(trusted: storage, columns: columns, isCut: isCut)
  }
}
