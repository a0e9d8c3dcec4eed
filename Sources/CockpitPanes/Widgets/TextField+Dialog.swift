import TerminalCore
import TerminalUI

extension TextField {
  /// The field in a line of a dialog: `width` columns of it, scrolled so that the cursor is among them.
  package func runs(width: Int, isFocused: Bool = true) -> [DialogRun] {
    guard isFocused else { return [DialogRun(PlainText(text, limit: width), .input)] }
    let before = PlainText(String(characters[..<cursor]))
    let shown = before.dropFirst(columns: max(0, before.columns - (width - 1)))
    var runs = [DialogRun(shown, .input), DialogRun.cursor(on: underCursor)]
    guard cursor + 1 < characters.count else { return runs }
    let room = max(0, width - shown.columns - underCursor.columns)
    let after = PlainText(String(characters[(cursor + 1)...]), limit: room)
    runs.append(DialogRun(after, .input))
    return runs
  }
}
