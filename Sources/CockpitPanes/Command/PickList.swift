import TerminalUI
import TerminalCore

/// A list to choose from: typing narrows it, the arrows move, Enter selects.
struct PickList: Hashable, Sendable {
  struct Entry: Hashable, Sendable {
    /// The chosen id; nil leaves the choice to the backend.
    var value: String?
    var name: PlainText
    /// A short remark beside it.
    var remark: PlainText = ""
    /// Whether it is currently active, such as a user in voice.
    var isLive = false
  }

  enum Outcome: Equatable {
    case stay, back, close
    case chosen(Entry)
  }

  private(set) var field = TextField()
  private var cursor = TextCursor()
  private var index: Int { cursor.line }

  /// Clicks on entries have numbers from here on; those before are buttons.
  static let firstTarget = 100

  /// The entries that match the typed text; a complete id is an entry too.
  func narrowed(_ entries: [Entry]) -> [Entry] {
    let needle = field.text.trimmingSpaces.lowercased()
    guard !needle.isEmpty else { return entries }
    let found = entries.filter { entry in
      entry.name.description.lowercased().contains(needle)
        || entry.remark.description.lowercased().contains(needle)
        || entry.value?.contains(needle) == true
    }
    // Ids of Discord have 17 to 20 digits (contract 4.1).
    guard found.isEmpty, (17...20).contains(needle.utf8.count),
      needle.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return found }
    return [Entry(value: needle, name: PlainText("id \(needle)"), remark: "as typed")]
  }

  mutating func press(_ press: KeyPress, _ entries: [Entry]) -> Outcome {
    let shown = narrowed(entries)
    clamp(shown.count)
    switch (press.key, press.modifiers) {
    case (.escape, []), (.char("g"), .ctrl):
      guard field.text.isEmpty else {
        self = PickList()
        return .stay
      }
      return .back
    case (.char("c"), .ctrl): return .close
    case (.enter, _):
      guard shown.indices.contains(index) else { return .stay }
      return .chosen(shown[index])
    case (.down, []), (.tab, []), (.char("n"), .ctrl): move(by: 1, shown.count)
    case (.up, []), (.tab, .shift), (.char("p"), .ctrl): move(by: -1, shown.count)
    case (.pageDown, _): move(by: 10, shown.count)
    case (.pageUp, _): move(by: -10, shown.count)
    case (.backspace, []) where field.text.isEmpty: return .back
    default:
      if field.press(press) == .edited { cursor = TextCursor() }
    }
    return .stay
  }

  mutating func paste(_ text: String) {
    field.paste(text)
    cursor = TextCursor()
  }

  /// The first click selects, the second chooses.
  mutating func click(_ item: Int, _ entries: [Entry]) -> Outcome {
    let shown = narrowed(entries)
    let clicked = item - Self.firstTarget
    guard shown.indices.contains(clicked) else { return .stay }
    if clicked == index { return .chosen(shown[clicked]) }
    cursor.put(line: clicked)
    return .stay
  }

  mutating func move(by step: Int, _ count: Int) {
    cursor.move(by: step, in: CursorList(count: count, height: count))
  }

  /// Brings the selection into a list that may have become shorter.
  mutating func clamp(_ entries: [Entry]) { clamp(narrowed(entries).count) }

  private mutating func clamp(_ count: Int) { cursor.clamp(count: count, height: count) }

  /// The text field, and the entries around the selected one.
  ///
  /// - Parameters:
  ///   - placeholder: shown if there are no entries.
  ///   - height: lines for entries; constant, so that the dialog keeps its size.
  func lines(
    _ entries: [Entry], placeholder: PlainText, width: Int, height: Int
  ) -> (lines: [DialogLine], field: DialogLine) {
    let shown = narrowed(entries)
    let index = min(index, max(0, shown.count - 1))
    let height = max(1, height)
    let first = max(0, min(index - height / 2, shown.count - height))
    var lines = shown.enumerated().dropFirst(first).prefix(height).map { place, entry in
      let isSelected = place == index
      let sign: PlainText = isSelected ? "> " : "  "
      // The name has priority; the remark gets the remaining width.
      let free = width - 4 - min(entry.name.columns, max(12, width / 2))
      let remark = free >= 7 ? entry.remark.cut(to: free) : ""
      let room = max(4, width - 2 - (remark.isEmpty ? 0 : remark.columns + 2))
      var run = DialogRun(
        (sign + entry.name.cut(to: room)).padded(to: min(width, room + 2)),
        isSelected ? .focus : entry.value == nil ? .info : .text,
        isSelected ? [.reverse, .bold] : [])
      run.button = Self.firstTarget + place
      return DialogLine(
        [run],
        right: remark.isEmpty ? nil : DialogRun(remark, entry.isLive ? .positive : .muted))
    }
    if shown.isEmpty {
      let text: PlainText =
        entries.isEmpty
        ? placeholder : "nothing matches; Esc clears what is typed, an id may be typed in full"
      lines = Array(DialogLine.wrapped(text, to: width, .muted).prefix(height))
    }
    while lines.count < height { lines.append(DialogLine()) }
    let room = max(1, width - 12)
    let count: PlainText =
      field.text.isEmpty ? "" : PlainText("\(shown.count) of \(entries.count)")
    let line = DialogLine(
      [DialogRun("narrow ", .muted)] + field.runs(width: room + 1), right: DialogRun(count, .muted))
    return (lines, line)
  }
}
