import ClankyWire
import CockpitStores
import CockpitText
import LenientJSON
import TerminalCore
import TerminalUI

extension SettingForm {
  @MainActor func page(_ facts: ViewContext, width: Int, height: Int) -> DialogPage {
    var page = DialogPage(
      title: lock == nil ? "edit setting" : "setting", trailing: isChanged ? "not sent" : "",
      lines: [], footer: [])
    page.lines = DialogLine.wrapped(PlainText(item.path.description), to: width, .heading)
    if let field = item.field, !field.sentence.isEmpty {
      page.lines += DialogLine.wrapped(PlainText(field.sentence), to: width)
    }
    page.lines += known(width)
    page.lines.append(DialogLine())
    page.footer = footer(width)
    guard lock == nil else {
      page.lines += shownValue(width)
      let room = DialogPage.room(in: Rect(width: width, height: height), footer: page.footer.count)
      let first = min(scroll, max(0, page.lines.count - room))
      page.needed = first..<first + max(1, room)
      return page
    }
    let first = page.lines.count
    let (lines, cursor) = inputLines(width)
    page.lines += lines
    page.needed = max(0, first + cursor - 1)..<first + min(lines.count, cursor + 2)
    return page
  }

  /// The whole value where it cannot be changed; a text line by line.
  private func shownValue(_ width: Int) -> [DialogLine] {
    let masked = item.value.map { SettingSecrecy.masked($0, at: item.path) }
    guard let text = masked?.string, !text.isEmpty else {
      return DialogLine.wrapped(
        SettingWords.value(item.value, at: item.path, limit: 20_000), to: width, .input)
    }
    return PlainText.lines(text, limit: 20_000).flatMap {
      DialogLine.wrapped($0, to: width, .input)
    }
  }

  /// What is known about it, in a line each.
  private func known(_ width: Int) -> [DialogLine] {
    var lines: [DialogLine] = []
    func add(_ label: PlainText, _ text: PlainText, limit: Int = 3) {
      let room = max(8, width - 9)
      for (index, part) in text.wrapped(to: room, limit: limit).enumerated() {
        lines.append(
          DialogLine([
            DialogRun((index == 0 ? label : "").padded(to: 9), .muted), DialogRun(part, .muted),
          ]))
      }
    }
    if let kind = item.field?.kind {
      add("takes", PlainText(kind.words))
    } else {
      add(
        "takes",
        "JSON: this setting is not known here, and the bot drops members that it does not know")
    }
    if let standard = item.defaultValue {
      add("default", SettingWords.value(standard, at: item.path, limit: 300))
    }
    if let field = item.field { add("felt", PlainText(field.effect.words)) }
    if let remark = item.field?.remark, !remark.isEmpty { add("note", PlainText(remark)) }
    return lines
  }

  // MARK: The input

  private var hasFocus: Bool { focus == .input }

  /// The lines of the input, and which of them has the cursor.
  private func inputLines(_ width: Int) -> (lines: [DialogLine], cursor: Int) {
    switch input {
    case .toggle(let isOn):
      func word(_ text: PlainText, _ isChosen: Bool) -> DialogRun {
        DialogRun(
          isChosen ? "(*) " + text : "( ) " + text, isChosen ? (hasFocus ? .focus : .text) : .muted,
          isChosen && hasFocus ? [.bold, .reverse] : [])
      }
      return ([DialogLine([word("true", isOn), DialogRun("   "), word("false", !isOn)])], 0)
    case .choice(let words, let place):
      let lines = words.enumerated().map { index, word in
        let isChosen = index == place
        let name: PlainText = word.isEmpty ? "\"\" (none)" : PlainText(word, limit: 200)
        return DialogLine([
          DialogRun(
            (isChosen ? "(*) " : "( ) ") + name, isChosen ? (hasFocus ? .focus : .text) : .muted,
            isChosen && hasFocus ? [.bold, .reverse] : [])
        ])
      }
      return (lines, place)
    case .line(let field):
      var line = DialogLine(
        [DialogRun("> ", hasFocus ? .focus : .muted, .bold)]
          + field.runs(width: max(1, width - 16), isFocused: hasFocus))
      line.right = counter(field.text)
      return ([line], 0)
    case .area(let area, let content):
      return areaLines(area, content, width)
    }
  }

  private func areaLines(
    _ area: TextArea, _ content: SettingInput.Content, _ width: Int
  ) -> (lines: [DialogLine], cursor: Int) {
    let ranges = area.lines(width: Self.inputWidth(width))
    let cursorLine = area.cursorLine(in: ranges)
    var lines = [
      DialogLine(
        [
          DialogRun(
            content == .entries
              ? "one entry on a line" : content == .json ? "JSON" : "text",
            hasFocus ? .focus : .muted, hasFocus ? .bold : [])
        ], right: content == .text ? counter(area.text) : entryCount(area, content))
    ]
    for (index, range) in ranges.enumerated() {
      lines.append(
        DialogLine(
          Self.runs(area, range, cursor: hasFocus && index == cursorLine ? area.cursor : nil)))
    }
    return (lines, cursorLine + 1)
  }

  private static func runs(_ area: TextArea, _ range: Range<Int>, cursor: Int?) -> [DialogRun] {
    func text(_ part: Range<Int>) -> PlainText { PlainText(String(area.characters[part])) }
    guard let cursor else { return [DialogRun(text(range), .input)] }
    let at = min(max(cursor, range.lowerBound), range.upperBound)
    var runs = [DialogRun(text(range.lowerBound..<at), .input)]
    guard at < range.upperBound else { return runs + [.cursor(on: " ")] }
    let under = text(at..<at + 1)
    runs.append(.cursor(on: under.isEmpty ? " " : under))
    runs.append(DialogRun(text(at + 1..<range.upperBound), .input))
    return runs
  }

  /// The length of a text in the backend's units, and its limit.
  private func counter(_ text: String) -> DialogRun? {
    guard case .text(let limit)? = item.field?.kind else { return nil }
    let units = text.utf16.count
    return DialogRun(
      PlainText("\(units)/\(limit)"), units > limit ? .negative : .muted,
      units > limit ? .bold : [])
  }

  private func entryCount(_ area: TextArea, _ content: SettingInput.Content) -> DialogRun? {
    guard content == .entries, case .list(let most, _)? = item.field?.kind else { return nil }
    let count = area.text.split(whereSeparator: \.isNewline).count
    return DialogRun(
      PlainText("\(count)/\(most)"), count > most ? .negative : .muted, count > most ? .bold : [])
  }

  // MARK: The foot

  private func footer(_ width: Int) -> [DialogLine] {
    var lines: [DialogLine] = []
    if let lock { lines += DialogLine.wrapped(lock, to: width, .warning) }
    if let message {
      lines += DialogLine.wrapped(message, to: width, .info)
    } else if lock == nil, let problem {
      lines += DialogLine.wrapped(problem, to: width, .negative)
    }
    var focused: Action? = lock == nil ? nil : .close
    if case .button(let action) = focus { focused = action }
    return lines + buttons.lines(focus: focused, width: width)
  }

  var keyLine: PlainText {
    guard lock == nil else { return "j k scroll  Enter or Esc closes" }
    let change: PlainText =
      switch input {
      case .toggle: "Space switches  "
      case .choice: "Left Right choose  "
      case .line, .area: ""
      }
    return change + "C-s reviews  Esc closes  Tab next  C-_ undo"
      + (input.text == nil ? "" : "  C-x C-e editor")
  }
}
