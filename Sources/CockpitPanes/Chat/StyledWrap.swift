import TerminalCore

/// Breaks runs of text between words. A line break in a text is one here.
struct StyledWrap {
  let width: Int

  init(width: Int) { self.width = max(2, width) }

  func lines(_ spans: [StyledText]) -> [[StyledText]] {
    var filler = Filler(width: width)
    for span in spans {
      for (number, line) in Self.lines(of: span.text).enumerated() {
        if number > 0 { filler.breakLine() }
        for (place, word) in line.split(separator: " ", omittingEmptySubsequences: false)
          .enumerated()
        {
          if place > 0 { filler.space(span) }
          if !word.isEmpty {
            filler.add(span.with(PlainText(word)))
          }
        }
      }
    }
    return filler.finished()
  }

  /// A line break of the source is the glyph `⏎` in a `PlainText`.
  private static func lines(of text: PlainText) -> [Substring] {
    text.description.split(separator: "\u{23CE}", omittingEmptySubsequences: false)
  }
}

private struct Filler {
  let width: Int
  private var lines: [[StyledText]] = []
  private var line: [StyledText] = []
  private var columns = 0
  /// What belongs together since the last space, and is not on a line yet.
  private var word: [StyledText] = []
  private var wordColumns = 0
  /// The space before the word, where there is one.
  private var gap: StyledText?

  init(width: Int) { self.width = width }

  mutating func add(_ piece: StyledText) {
    word.append(piece)
    wordColumns += piece.text.columns
  }

  mutating func space(_ style: StyledText) {
    place()
    gap = style.with(" ")
  }

  mutating func breakLine() {
    place()
    endLine()
  }

  mutating func finished() -> [[StyledText]] {
    place()
    if !line.isEmpty || lines.isEmpty { endLine() }
    return lines
  }

  private mutating func endLine() {
    lines.append(line)
    line = []
    columns = 0
    gap = nil
  }

  private mutating func place() {
    guard !word.isEmpty else { return }
    let space = columns > 0 ? gap : nil
    if columns > 0, columns + (space == nil ? 0 : 1) + wordColumns > width { endLine() }
    if columns > 0, let space { append(space) }
    for piece in word { split(piece) }
    word = []
    wordColumns = 0
    gap = nil
  }

  /// A word that is longer than a line goes on in the next one.
  private mutating func split(_ piece: StyledText) {
    var rest = piece.text
    while columns + rest.columns > width {
      let head = rest.prefix(columns: width - columns)
      if !head.isEmpty {
        append(piece.with(head))
        rest = rest.dropFirst(columns: head.columns)
      }
      endLine()
    }
    if !rest.isEmpty { append(piece.with(rest)) }
  }

  private mutating func append(_ piece: StyledText) {
    columns += piece.text.columns
    if let last = line.last, last.role == piece.role, last.attributes == piece.attributes,
      last.link == piece.link
    {
      line[line.count - 1].text += piece.text
    } else {
      line.append(piece)
    }
  }
}

extension StyledText {
  /// Another text that looks the same and leads to the same place.
  func with(_ text: PlainText) -> StyledText {
    var other = self
    other.text = text
    return other
  }

  /// The same text in another look.
  func styled(_ role: Role, _ attributes: Attributes) -> StyledText {
    var other = self
    (other.role, other.attributes) = (role, attributes)
    return other
  }
}
