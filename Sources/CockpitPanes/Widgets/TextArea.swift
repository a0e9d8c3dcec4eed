import LenientJSON
import TerminalCore

/// Editable text of several lines, with readline keys. Enter begins a line; pasted line ends stay.
package struct TextArea: Hashable, Sendable {
  private struct Moment: Hashable, Sendable {
    var characters: [Character]
    var cursor: Int
  }

  package private(set) var characters: [Character]
  /// The position of the cursor, in characters from the start.
  package private(set) var cursor: Int
  private var killed: [Character] = []
  /// Earlier texts for undo, the newest last.
  private var past: [Moment] = []
  /// Whether the last change was a typed letter, which undo takes back together with its neighbours.
  private var isTypingOn = false

  /// Longer texts are cut; the longest setting has 8000.
  package static let limit = 60_000
  private static let undoLimit = 100

  /// - Parameter isAtEnd: where the cursor begins.
  package init(_ text: String = "", isAtEnd: Bool = false) {
    characters = Array(text.prefix(Self.limit))
    cursor = isAtEnd ? characters.count : 0
  }

  package var text: String { String(characters) }

  package enum Outcome: Equatable, Sendable { case edited, moved, ignored }

  // MARK: Keys

  /// Applies one key press.
  ///
  /// - Parameter width: columns of a drawn line, for up and down.
  package mutating func press(_ press: KeyPress, width: Int) -> Outcome {
    switch (press.key, press.modifiers) {
    case (.enter, _): return insert(["\n"])
    case (.up, []), (.char("p"), .ctrl): return step(-1, width: width)
    case (.down, []), (.char("n"), .ctrl): return step(1, width: width)
    case (.pageUp, _): return step(-10, width: width)
    case (.pageDown, _): return step(10, width: width)
    case (.left, []), (.char("b"), .ctrl): return move(to: cursor - 1)
    case (.right, []), (.char("f"), .ctrl): return move(to: cursor + 1)
    case (.home, .ctrl): return move(to: 0)
    case (.end, .ctrl): return move(to: characters.count)
    case (.home, _), (.char("a"), .ctrl): return move(to: lineStart)
    case (.end, _), (.char("e"), .ctrl): return move(to: lineEnd)
    case (.char("b"), .alt), (.left, .ctrl), (.left, .alt): return move(to: wordStart)
    case (.char("f"), .alt), (.right, .ctrl), (.right, .alt): return move(to: wordEnd)
    case (.backspace, .alt), (.char("w"), .ctrl): return kill(wordStart..<cursor)
    case (.char("d"), .alt): return kill(cursor..<wordEnd)
    case (.char("u"), .ctrl): return kill(lineStart..<cursor)
    case (.char("k"), .ctrl):
      return kill(cursor..<max(lineEnd, min(cursor + 1, characters.count)))
    case (.char("y"), .ctrl): return insert(killed)
    case (.backspace, _), (.char("h"), .ctrl):
      guard cursor > 0 else { return .ignored }
      return remove(cursor - 1..<cursor)
    case (.delete, _), (.char("d"), .ctrl):
      guard cursor < characters.count else { return .ignored }
      return remove(cursor..<cursor + 1)
    case (.char(let character), let modifiers) where modifiers.subtracting(.shift).isEmpty:
      return insert([character], isTyped: character != " ")
    default: return .ignored
    }
  }

  /// Inserts pasted text at the cursor.
  package mutating func paste(_ text: String) {
    _ = insert(Array(String(text.prefix(Self.limit)).keepingReservedCharacters))
  }

  /// Replaces the whole text.
  package mutating func replace(with text: String) {
    remember()
    characters = Array(text.prefix(Self.limit))
    cursor = min(cursor, characters.count)
  }

  /// Takes the last change back; false if there is none.
  package mutating func undo() -> Bool {
    guard let moment = past.popLast() else { return false }
    characters = moment.characters
    cursor = moment.cursor
    isTypingOn = false
    return true
  }

  // MARK: Changing

  private mutating func remember(isTyped: Bool = false) {
    defer { isTypingOn = isTyped }
    if isTyped, isTypingOn { return }
    past.append(Moment(characters: characters, cursor: cursor))
    if past.count > Self.undoLimit { past.removeFirst() }
  }

  private mutating func insert(_ new: [Character], isTyped: Bool = false) -> Outcome {
    let room = Self.limit - characters.count
    guard room > 0, !new.isEmpty else { return .ignored }
    remember(isTyped: isTyped)
    let new = new.prefix(room)
    characters.insert(contentsOf: new, at: cursor)
    cursor += new.count
    return .edited
  }

  private mutating func remove(_ range: Range<Int>) -> Outcome {
    guard !range.isEmpty else { return .ignored }
    remember()
    characters.removeSubrange(range)
    cursor = range.lowerBound
    return .edited
  }

  private mutating func kill(_ range: Range<Int>) -> Outcome {
    guard !range.isEmpty else { return .ignored }
    killed = Array(characters[range])
    return remove(range)
  }

  // MARK: Moving

  private mutating func move(to position: Int) -> Outcome {
    cursor = min(max(0, position), characters.count)
    isTypingOn = false
    return .moved
  }

  /// Up or down by drawn lines, in the same column as far as the line reaches.
  private mutating func step(_ count: Int, width: Int) -> Outcome {
    let lines = lines(width: width)
    let line = cursorLine(in: lines)
    let column = cursor - lines[line].lowerBound
    let wanted = min(max(0, line + count), lines.count - 1)
    guard wanted != line else {
      return move(to: count < 0 ? 0 : characters.count)
    }
    let range = lines[wanted]
    // The end of a wrapped line is the start of the next one.
    let isLast = wanted == lines.count - 1 || lines[wanted + 1].lowerBound > range.upperBound
    return move(
      to: min(range.lowerBound + column, isLast ? range.upperBound : range.upperBound - 1))
  }

  private var lineStart: Int {
    var position = cursor
    while position > 0, !characters[position - 1].isNewline { position -= 1 }
    return position
  }

  private var lineEnd: Int {
    var position = cursor
    while position < characters.count, !characters[position].isNewline { position += 1 }
    return position
  }

  private var wordStart: Int { characters.wordStart(before: cursor) }
  private var wordEnd: Int { characters.wordEnd(after: cursor) }

  // MARK: Drawing

  /// Positions of the characters of each drawn line, without its line end; at least one line.
  package func lines(width: Int) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = 0
    while true {
      let end = characters[start...].firstIndex(where: \.isNewline) ?? characters.count
      let paragraph = TextField.lines(of: characters[start..<end], width: width)
      lines += paragraph
      guard end < characters.count else { return lines }
      start = end + 1
    }
  }

  /// The line of `lines` that has the cursor.
  package func cursorLine(in lines: [Range<Int>]) -> Int {
    lines.lastIndex { $0.lowerBound <= cursor } ?? 0
  }
}
