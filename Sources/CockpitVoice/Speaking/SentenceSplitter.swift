/// Cuts an answer that is still being written into pieces that can be spoken: at the end of a sentence or line, or
/// about every 100 characters between words.
///
/// The pieces put together are the text, and any chunking of the text gives the same pieces.
package struct SentenceSplitter: Sendable {
  package struct Piece: Hashable, Sendable {
    /// As written.
    package var text: String
    /// Whether it is code between fences, which is not read aloud.
    package var isCode: Bool

    package init(text: String, isCode: Bool = false) {
      self.text = text
      self.isCode = isCode
    }
  }

  /// Unicode scalars after which a piece without an end of a sentence is cut.
  package static let length = 100
  /// A longer word, such as a data URL, is cut here.
  private static let longestWord = 400

  private var buffer: [Unicode.Scalar] = []
  private var isAtLineStart = true
  /// The scalar and the count of the fence that is open.
  private var fence: (mark: Unicode.Scalar, count: Int)?

  package init() {}

  package mutating func take(_ text: String) -> [Piece] {
    buffer += text.unicodeScalars
    return cut(isFinal: false)
  }

  /// The rest, at the end of the answer. The next text begins anew.
  package mutating func finish() -> [Piece] {
    let pieces = cut(isFinal: true)
    self = SentenceSplitter()
    return pieces
  }

  private mutating func cut(isFinal: Bool) -> [Piece] {
    var pieces: [Piece] = []
    var start = 0
    while start < buffer.count, let next = next(buffer[start...], isFinal) {
      let scalars = buffer[start..<(start + next.count)]
      isAtLineStart = scalars.last == "\n"
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      pieces.append(Piece(text: String(text), isCode: next.isCode))
      start += next.count
    }
    buffer.removeFirst(start)
    return pieces
  }

  /// The length of the next piece; nil if more text may change it.
  private mutating func next(
    _ text: ArraySlice<Unicode.Scalar>, _ isFinal: Bool
  ) -> (count: Int, isCode: Bool)? {
    if fence != nil || isAtLineStart {
      switch fenceLine(text, isFinal) {
      case .undecided: return nil
      case .line(let count, let mark, let marks):
        if let open = fence {
          if mark == open.mark, marks >= open.count { fence = nil }
        } else {
          fence = (mark, marks)
        }
        return (count, true)
      case .none: break
      }
    }
    if fence != nil {
      if let end = text.prefix(Self.longestWord).firstIndex(of: "\n") {
        return (end - text.startIndex + 1, true)
      }
      if text.count >= Self.longestWord { return (Self.longestWord, true) }
      return isFinal ? (text.count, true) : nil
    }
    return sentence(text, isFinal).map { ($0, false) }
  }

  private enum FenceLine {
    case none, undecided
    case line(count: Int, mark: Unicode.Scalar, marks: Int)
  }

  /// Whether the text begins with a line of three or more backquotes or tildes, after at most three spaces.
  private func fenceLine(_ text: ArraySlice<Unicode.Scalar>, _ isFinal: Bool) -> FenceLine {
    guard isAtLineStart else { return .none }
    var at = text.startIndex
    while at < text.endIndex, text[at] == " ", at - text.startIndex < 3 { at += 1 }
    guard at < text.endIndex else { return isFinal ? .none : .undecided }
    let mark = text[at]
    guard mark == "`" || mark == "~" else { return .none }
    let rest = text[at...].drop { $0 == mark }
    let marks = rest.startIndex - at
    if rest.isEmpty, !isFinal { return .undecided }
    guard marks >= 3 else { return .none }
    if let end = rest.prefix(Self.longestWord).firstIndex(of: "\n") {
      return .line(count: end - text.startIndex + 1, mark: mark, marks: marks)
    }
    if isFinal { return .line(count: text.count, mark: mark, marks: marks) }
    // The name of a language is short; a line without an end is no fence.
    return rest.count >= Self.longestWord ? .none : .undecided
  }

  private func sentence(_ text: ArraySlice<Unicode.Scalar>, _ isFinal: Bool) -> Int? {
    let start = text.startIndex
    var lastSpace: Int?
    var at = start
    while at < text.endIndex {
      let scalar = text[at]
      if scalar == "\n" { return at - start + 1 }
      if at - start >= Self.length {
        if let lastSpace { return lastSpace - start + 1 }
        if at - start >= Self.longestWord { return at - start }
      }
      if scalar.properties.isWhitespace {
        // Not before the first word.
        if at > start, !text[start..<at].allSatisfy(\.properties.isWhitespace) { lastSpace = at }
      } else if Self.wideEnds.contains(scalar) {
        guard let end = endOfRun(text, from: at, isFinal) else { return nil }
        return end - start
      } else if Self.ends.contains(scalar) {
        guard let end = endOfRun(text, from: at, isFinal) else { return nil }
        let isBeforeSpace = end == text.endIndex || text[end].properties.isWhitespace
        if isBeforeSpace, scalar != "." || end - at > 1 || endsSentence(text[start..<at]) {
          return end - start
        }
        at = end
        continue
      }
      at += 1
    }
    return isFinal ? text.count : nil
  }

  /// After further marks and closing quotes; nil if more may follow.
  private func endOfRun(
    _ text: ArraySlice<Unicode.Scalar>, from at: Int, _ isFinal: Bool
  ) -> Int? {
    let limit = min(text.endIndex, text.startIndex + Self.length)
    var end = at + 1
    while end < limit,
      Self.ends.contains(text[end]) || Self.wideEnds.contains(text[end])
        || Self.closers.contains(text[end])
    { end += 1 }
    return end < text.endIndex || isFinal ? end : nil
  }

  /// Whether a full stop after this text ends a sentence: not after an abbreviation, an initial, or the number of an
  /// item of a list.
  private func endsSentence(_ before: ArraySlice<Unicode.Scalar>) -> Bool {
    var word = String.UnicodeScalarView()
    word.append(
      contentsOf: before.reversed().prefix {
        !$0.properties.isWhitespace && !Self.openers.contains($0)
      }.reversed())
    let text = String(word)
    if text.isEmpty { return false }
    if text.unicodeScalars.count == 1, text.unicodeScalars.first?.properties.isAlphabetic ?? false {
      return text == "I"
    }
    if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      // "2." alone in its line so far is the number of an item; "in 1984." ends a sentence.
      return before.drop(while: \.properties.isWhitespace).count > word.count
    }
    return !Self.abbreviations.contains(text.lowercased())
  }

  private static let ends: Set<Unicode.Scalar> = [".", "!", "?", "…"]
  /// These need no space after them.
  private static let wideEnds: Set<Unicode.Scalar> = ["。", "！", "？", "｡"]
  private static let closers: Set<Unicode.Scalar> = [
    "\"", "'", ")", "]", "»", "”", "’", "*", "_", "`", "」",
  ]
  private static let openers: Set<Unicode.Scalar> = ["(", "[", "\"", "'", "«", "“", "‘", "*", "_"]
  /// Before a full stop that ends no sentence, in lower case.
  private static let abbreviations: Set<String> = [
    "mr", "mrs", "ms", "dr", "prof", "st", "sr", "jr", "vs", "etc", "e.g", "i.e", "cf", "approx",
    "no", "nr", "vol", "fig", "dept", "est", "inc", "ltd", "co", "corp", "gen", "col", "sgt",
    "capt",
    "rev", "hon", "ca", "bzw", "z.b", "d.h", "u.a", "a.m", "p.m", "u.s", "jan", "feb", "mar", "apr",
    "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec",
  ]
}
