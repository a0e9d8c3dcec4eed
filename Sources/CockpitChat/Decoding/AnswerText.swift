/// The text of one answer, put together from pieces and from whole states of it.
package struct AnswerText: Sendable, Equatable {
  /// The most that is kept of one answer, UTF-8 bytes (OPENCLAW.md, 15).
  package static let maximumBytes = 2 << 20

  package private(set) var text = ""
  /// The answer was longer than is kept.
  package private(set) var isCut = false

  package init() {}

  package var isEmpty: Bool { text.isEmpty }

  /// Adds a piece; nil if nothing changes.
  package mutating func append(_ more: String) -> ChatEvent? {
    let piece = fitting(more, after: text.utf8.count)
    guard !piece.isEmpty else { return nil }
    text += piece
    return .text(piece)
  }

  /// Sets the whole text. Emits the added part, or `replaced` if the text does not begin with what was emitted
  /// before; nil if nothing changes.
  package mutating func become(_ whole: String) -> ChatEvent? {
    let whole = fitting(whole, after: 0)
    let known = text.utf8.count
    guard whole.utf8.starts(with: text.utf8) else {
      text = whole
      return .replaced(whole)
    }
    guard whole.utf8.count > known else { return nil }
    let piece = String(decoding: whole.utf8.dropFirst(known), as: UTF8.self)
    text = whole
    return .text(piece)
  }

  private mutating func fitting(_ piece: String, after count: Int) -> String {
    let room = Self.maximumBytes - count
    guard piece.utf8.count > room else { return piece }
    isCut = true
    guard room > 0 else { return "" }
    var end = piece.utf8.index(piece.startIndex, offsetBy: room)
    // No character is cut in two.
    while end > piece.startIndex, end.samePosition(in: piece.unicodeScalars) == nil {
      end = piece.utf8.index(before: end)
    }
    return String(piece[..<end])
  }
}
