import LenientJSON
import TerminalCore

/// One line of editable text, with readline keys.
///
/// Pasted text is data: line ends become spaces and never submit (promise P8).
package struct TextField: Hashable, Sendable {
  package private(set) var characters: [Character]
  /// The position of the cursor, in characters from the start.
  package private(set) var cursor: Int
  private var killed: [Character] = []
  /// The whole text is selected: typed or pasted text replaces it. Any other key clears the
  /// selection.
  package private(set) var isSelected = false

  /// Longer texts are cut: no query or search is ever this long.
  package static let limit = 4096

  /// - Parameter isSelected: whether typing replaces the text, as for an old value.
  package init(_ text: String = "", isSelected: Bool = false) {
    characters = Array(text.prefix(Self.limit))
    cursor = characters.count
    self.isSelected = isSelected && !characters.isEmpty
  }

  package var text: String { String(characters) }

  /// The effect of a key on the field.
  package enum Outcome: Equatable, Sendable {
    case edited, moved, accept, cancel, complete, older, newer, ignored
  }

  /// Applies one key press.
  package mutating func press(_ press: KeyPress) -> Outcome {
    let wasSelected = isSelected
    isSelected = false
    switch (press.key, press.modifiers) {
    case (.backspace, _), (.delete, _), (.char("h"), .ctrl), (.char("w"), .ctrl),
      (.char("d"), .ctrl), (.char("k"), .ctrl):
      if wasSelected { return kill(0..<characters.count) }
    case (.char("y"), .ctrl):
      if wasSelected { (characters, cursor) = ([], 0) }
    case (.char, let modifiers) where modifiers.subtracting(.shift).isEmpty:
      if wasSelected { _ = kill(0..<characters.count) }
    default: break
    }
    switch (press.key, press.modifiers) {
    case (.enter, _): return .accept
    case (.escape, []), (.char("c"), .ctrl), (.char("g"), .ctrl): return .cancel
    case (.tab, []): return .complete
    case (.up, []), (.char("p"), .ctrl): return .older
    case (.down, []), (.char("n"), .ctrl): return .newer
    case (.left, []), (.char("b"), .ctrl): return move(to: cursor - 1)
    case (.right, []), (.char("f"), .ctrl): return move(to: cursor + 1)
    case (.home, _), (.char("a"), .ctrl): return move(to: 0)
    case (.end, _), (.char("e"), .ctrl): return move(to: characters.count)
    case (.char("b"), .alt), (.left, .ctrl), (.left, .alt): return move(to: wordStart)
    case (.char("f"), .alt), (.right, .ctrl), (.right, .alt): return move(to: wordEnd)
    case (.backspace, .alt), (.char("w"), .ctrl): return kill(wordStart..<cursor)
    case (.char("d"), .alt): return kill(cursor..<wordEnd)
    case (.char("u"), .ctrl): return kill(0..<cursor)
    case (.char("k"), .ctrl): return kill(cursor..<characters.count)
    case (.char("y"), .ctrl):
      insert(killed)
      return .edited
    case (.backspace, _), (.char("h"), .ctrl):
      guard cursor > 0 else { return .ignored }
      characters.remove(at: cursor - 1)
      cursor -= 1
      return .edited
    case (.delete, _), (.char("d"), .ctrl):
      guard cursor < characters.count else { return .ignored }
      characters.remove(at: cursor)
      return .edited
    case (.char(let character), let modifiers) where modifiers.subtracting(.shift).isEmpty:
      insert([character])
      return .edited
    default: return .ignored
    }
  }

  /// Inserts pasted text at the cursor.
  package mutating func paste(_ text: String) {
    if isSelected { _ = kill(0..<characters.count) }
    isSelected = false
    let text = String(text.prefix(Self.limit)).keepingReservedCharacters
    insert(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
  }

  /// Replaces the last `count` characters before the cursor, as completion does.
  package mutating func replace(last count: Int, with text: String) {
    isSelected = false
    let start = max(0, cursor - count)
    characters.removeSubrange(start..<cursor)
    cursor = start
    insert(Array(text))
  }

  /// The same with a star for each character: for secrets.
  package var masked: TextField {
    var field = self
    field.characters = characters.map { _ in "*" }
    field.killed = []
    return field
  }

  private mutating func insert(_ new: [Character]) {
    let room = Self.limit - characters.count
    guard room > 0 else { return }
    let new = new.prefix(room)
    characters.insert(contentsOf: new, at: cursor)
    cursor += new.count
  }

  private mutating func move(to position: Int) -> Outcome {
    cursor = min(max(0, position), characters.count)
    return .moved
  }

  private mutating func kill(_ range: Range<Int>) -> Outcome {
    guard !range.isEmpty else { return .ignored }
    killed = Array(characters[range])
    characters.removeSubrange(range)
    cursor = range.lowerBound
    return .edited
  }

  private var wordStart: Int { characters.wordStart(before: cursor) }
  private var wordEnd: Int { characters.wordEnd(after: cursor) }

  /// Draws the field across the canvas, scrolled so that the cursor is visible. The cursor is a
  /// cell in reverse video, replaced by the terminal's own if it has one
  /// (`Canvas.withoutDrawnCursor`).
  package func render(into canvas: inout Canvas, placeholder: PlainText = "", isFocused: Bool) {
    let width = canvas.bounds.width
    guard width > 0 else { return }
    if characters.isEmpty, !isFocused {
      canvas.write(placeholder.cut(to: width), role: .muted)
      return
    }
    let before = PlainText(String(characters[..<cursor]))
    let after = PlainText(String(characters[cursor...]))
    let hidden = max(0, before.columns - (width - 1))
    let column = canvas.write(
      before.dropFirst(columns: hidden), role: .input, background: isSelected ? .selection : nil)
    canvas.write(after, x: column, role: .input)
    if characters.isEmpty { canvas.write(placeholder.cut(to: width - 1), x: 1, role: .muted) }
    guard isFocused else { return }
    canvas.write(underCursor, x: column, role: .input, attributes: .reverse)
    canvas.placeCursor(x: column, isVisible: true)
  }

  /// The character that the cursor stands on; a space behind the last one, and where that is not drawn.
  package var underCursor: PlainText {
    let under = cursor < characters.count ? PlainText(String(characters[cursor])) : " "
    return under.isEmpty ? " " : under
  }
}
