import TerminalUI
import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

extension FactForm {
  /// The page at this width: the fields, or the outcome of the sent edit.
  @MainActor func page(_ facts: ViewContext, width: Int, height: Int) -> DialogPage {
    if let change = facts.memory.changes[factID] {
      return AnswerPage(form: self, change: change, width: width).page(facts, height: height)
    }
    var page = DialogPage(title: title, trailing: trailing(facts), lines: [], footer: [])
    page.lines = opening(facts, width)
    for field in Field.allCases {
      let first = page.lines.count
      let (lines, cursor) = fieldLines(field, facts, width)
      page.lines += lines
      guard focus == .field(field) else { continue }
      page.needed = max(0, first + cursor - 1)..<first + min(lines.count, cursor + 2)
    }
    if case .button = focus { page.needed = 0..<page.lines.count }
    page.lines += differences(width)
    page.footer = footer(facts, width)
    return page
  }

  private var title: PlainText { "edit fact #" + PlainText("\(factID)") }

  @MainActor private func trailing(_ facts: ViewContext) -> PlainText {
    guard isChanged else { return "nothing changed" }
    let isDoubtful = doubt(facts) != nil
    if isUnsaved(facts) {
      return isDoubtful ? "in memory only, outcome unknown" : "in memory only, not sent"
    }
    if isDoubtful { return "draft kept, outcome unknown" }
    return facts.memory.drafts[factID] != nil ? "draft kept, not sent" : "not sent"
  }

  /// The journal line about an earlier send of this draft with an unknown outcome; nil if the form
  /// starts from another text.
  @MainActor private func doubt(_ facts: ViewContext) -> JournalEntry? {
    guard let entry = facts.memory.doubtfulEdits[factID], let before = entry.before,
      !differs(before, from: base)
    else { return nil }
    return entry
  }

  /// The current knowledge about it after the fact was read again.
  @MainActor private func words(
    about entry: JournalEntry, _ facts: ViewContext
  ) -> (text: PlainText, role: Role) {
    let time = facts.clock.day(ms: entry.atMs) + " " + facts.clock.time(ms: entry.atMs)
    let sent: PlainText = "This was sent " + time + ", and what came of it is unknown. "
    guard let now = facts.memory.facts[factID]?.fact else {
      return (sent + "The fact has not been read again yet.", .warning)
    }
    guard differs(now, from: base) else {
      return (
        sent + "The fact was read again and still says what it said before; the request may yet "
          + "arrive late.", .warning
      )
    }
    guard let after = entry.after.flatMap({ FactEdit(editing: $0, target: target) }),
      FactEdit(editing: now, target: target)?.normalized == after.normalized
    else { return (sent + "The fact was read again and says something else.", .warning) }
    return (sent + "The fact was read again and says what was sent.", .info)
  }

  /// Whether the text is lost with the program, because it could not be written to the disk.
  @MainActor private func isUnsaved(_ facts: ViewContext) -> Bool {
    facts.memory.unsavedDrafts.contains(factID)
  }

  // MARK: How it began

  @MainActor private func opening(_ facts: ViewContext, _ width: Int) -> [DialogLine] {
    var lines: [DialogLine] = []
    if case .draft(let changedAtMs) = opening {
      let age = Figures.age(ms: facts.nowMs - changedAtMs)
      let ago: PlainText = age == "0s" ? "just now" : age + " ago"
      lines += DialogLine.wrapped("Your draft from " + ago + " is here again.", to: width, .info)
    }
    if facts.memory.otherDrafts.contains(factID) {
      lines += DialogLine.wrapped(
        "There is another draft of this fact, from another cockpit or the command line; it is kept, "
          + "and offered once this one is sent or dropped.", to: width, .info)
    }
    if let entry = doubt(facts) {
      let (text, role) = words(about: entry, facts)
      lines += DialogLine.wrapped(text, to: width, role)
    } else if let now = facts.memory.facts[factID]?.fact, differs(now, from: base) {
      lines += DialogLine.wrapped(
        "The fact has changed since you began; sending it shows both texts first.", to: width,
        .warning)
    }
    if let held = facts.memory.deletions.last(where: { deletion in
      deletion.facts.contains { $0.id == factID }
    }), held.isPending {
      lines += DialogLine.wrapped(
        "This fact is about to be deleted; close the form and press " + facts.keys.text(.undo)
          + " to take that back.", to: width, .warning)
    }
    return lines
  }

  private func differs(_ fact: Fact, from base: Fact) -> Bool {
    guard let now = FactEdit(editing: fact, target: target) else { return false }
    return now.normalized != baseEdit.normalized
  }

  // MARK: Fields

  private static func label(_ field: Field, isShort: Bool) -> PlainText {
    switch field {
    case .subject: isShort ? "SUBJ" : "SUBJECT"
    case .fact: "FACT"
    case .type: "TYPE"
    case .confidence: isShort ? "CONF" : "CONFIDENCE"
    case .evidence: isShort ? "EVID" : "EVIDENCE"
    }
  }

  private static func labelWidth(_ width: Int) -> Int { width < 60 ? 5 : 11 }

  /// The lines of one field, and which of them has the cursor.
  @MainActor private func fieldLines(
    _ field: Field, _ facts: ViewContext, _ width: Int
  ) -> (lines: [DialogLine], cursor: Int) {
    let hasFocus = focus == .field(field)
    let labelWidth = Self.labelWidth(width)
    let label = DialogRun(
      Self.label(field, isShort: width < 60).padded(to: labelWidth), hasFocus ? .focus : .muted,
      hasFocus ? .bold : [])
    switch field {
    case .confidence:
      let runs = [label] + inputRuns(field, hasFocus) + bar(width)
      return ([DialogLine(runs, right: hasFocus ? DialogRun("Left Right .01", .muted) : nil)], 0)
    case .type:
      return ([typeLine(label, hasFocus, width)], 0)
    case .subject, .fact, .evidence:
      let counter = counter(field)
      let room = max(1, width - labelWidth - 9)
      let text = fields[field]
      let ranges = text.lines(width: room)
      let cursorLine = text.cursorLine(in: ranges)
      var lines: [DialogLine] = []
      for (index, range) in ranges.enumerated() {
        var runs = [index == 0 ? label : DialogRun(.spaces(labelWidth))]
        runs += Self.textRuns(
          text, range, cursor: hasFocus && index == cursorLine ? text.cursor : nil)
        lines.append(DialogLine(runs, right: index == 0 ? counter : nil))
      }
      if field == .subject, let name = subjectName(facts), lines.count == 1 {
        lines[0].runs.append(DialogRun("  " + name, .info))
      }
      return (lines, hasFocus ? cursorLine : 0)
    }
  }

  /// The name behind the subject's id; nil if the text says it itself.
  @MainActor private func subjectName(_ facts: ViewContext) -> PlainText? {
    let subject = fields[.subject].text.collapsingWhitespace
    guard !subject.isEmpty else { return nil }
    let name = facts.names.subject(subject)
    return name == subject ? nil : PlainText(name, limit: 30)
  }

  /// The length of the text in the backend's units, and its limit.
  private func counter(_ field: Field) -> DialogRun? {
    guard let problemField = field.problemField else { return nil }
    let units = edit.units(of: problemField)
    let isOver = units > problemField.limit
    return DialogRun(
      PlainText("\(units)/\(problemField.limit)"), isOver ? .negative : .muted,
      isOver ? .bold : [])
  }

  private func inputRuns(_ field: Field, _ hasFocus: Bool) -> [DialogRun] {
    let text = fields[field]
    return Self.textRuns(
      text, 0..<text.characters.count, cursor: hasFocus ? text.cursor : nil)
  }

  /// One line of a field, with the cursor as a cell in reverse.
  private static func textRuns(
    _ field: TextField, _ range: Range<Int>, cursor: Int?
  ) -> [DialogRun] {
    func text(_ part: Range<Int>) -> PlainText { PlainText(String(field.characters[part])) }
    guard let cursor else { return [DialogRun(text(range), .input)] }
    let at = min(max(cursor, range.lowerBound), range.upperBound)
    var runs = [DialogRun(text(range.lowerBound..<at), .input)]
    guard at < range.upperBound else { return runs + [.cursor(on: " ")] }
    runs.append(.cursor(on: text(at..<at + 1)))
    runs.append(DialogRun(text(at + 1..<range.upperBound), .input))
    return runs
  }

  private func typeLine(_ label: DialogRun, _ hasFocus: Bool, _ width: Int) -> DialogLine {
    var runs = [label, DialogRun("< ", .key)] + inputRuns(.type, hasFocus)
    runs.append(DialogRun(" >", .key))
    if let index = KnownTypes.index(of: fields[.type].text) {
      runs.append(DialogRun(PlainText("  \(index + 1) of \(KnownTypes.all.count)"), .muted))
    } else {
      runs.append(DialogRun("  a type of your own", .muted))
    }
    return DialogLine(runs, right: width < 60 ? nil : counter(.type))
  }

  /// The slider: twenty cells from 0 to 1; empty if the text is no number.
  private func bar(_ width: Int) -> [DialogRun] {
    guard width >= 50 else { return [] }
    let cells = 20
    let value = ConfidenceText.value(fields[.confidence].text) ?? 0
    let eighths = Int((min(max(value, 0), 1) * Double(cells * 8)).rounded())
    var symbols = Array(repeating: Symbol.block(8), count: eighths / 8)
    if eighths % 8 > 0 { symbols.append(.block(eighths % 8)) }
    let rest = Array(repeating: Symbol.shade, count: cells - symbols.count)
    return [
      DialogRun("  ["), DialogRun(symbols: symbols, .number), DialogRun(symbols: rest, .faint),
      DialogRun("]"),
    ]
  }

  // MARK: Changes

  private func differences(_ width: Int) -> [DialogLine] {
    guard isChanged else { return [] }
    var lines = [DialogLine("CHANGES  - was  + will be", .heading)]
    let (old, new) = (baseEdit.normalized, edit.normalized)
    let labelWidth = Self.labelWidth(width)
    for field in Field.allCases {
      let (before, after) = Self.texts(field, old, new, typed: fields[.confidence].text)
      guard !before.isIdentical(to: after) else { continue }
      let label = Self.label(field, isShort: width < 60)
      let diff = DiffText(field, before, after)
      let room = max(1, width - labelWidth - 2)
      for (mark, runs, role) in [("- ", diff.old, Role.negative), ("+ ", diff.new, .positive)] {
        for (index, line) in DiffText.lines(runs, width: room, role: role).enumerated() {
          let isFirst = index == 0
          let name: PlainText = isFirst && mark == "- " ? label : ""
          lines.append(
            DialogLine(
              [
                DialogRun(name.padded(to: labelWidth), .muted),
                DialogRun(isFirst ? PlainText(mark) : "  ", role, .bold),
              ] + line))
        }
      }
    }
    return lines
  }

  /// A field's text in two versions.
  ///
  /// - Parameter typed: shown for a confidence in `new` that is no number.
  static func texts(
    _ field: Field, _ old: FactEdit, _ new: FactEdit, typed: String = ""
  ) -> (old: String, new: String) {
    switch field {
    case .subject: return (old.subject, new.subject)
    case .fact: return (old.fact, new.fact)
    case .type: return (old.factType, new.factType)
    case .evidence: return (old.evidenceText, new.evidenceText)
    case .confidence:
      let (before, after) = ConfidenceText.texts(old.confidence, new.confidence)
      return (before, new.confidence == nil ? typed : after)
    }
  }

  // MARK: The foot

  @MainActor private func footer(_ facts: ViewContext, _ width: Int) -> [DialogLine] {
    var lines: [DialogLine] = []
    for problem in edit.problems.prefix(3) {
      lines += DialogLine.wrapped(PlainText(problem.description), to: width, .negative)
    }
    if let problem = facts.memory.diskProblem {
      lines += DialogLine.wrapped(PlainText(problem, limit: 200), to: width, .warning)
    }
    if let message { lines += DialogLine.wrapped(message, to: width, .info) }
    var focused: Action?
    if case .button(let action) = focus { focused = action }
    return lines + Self.buttons.lines(focus: focused, width: width)
  }

  @MainActor func keyLine(_ facts: ViewContext) -> PlainText {
    if let change = facts.memory.changes[factID] {
      let canRead = answers(to: change, facts).buttons.contains { $0.action == .readAgain }
      let reading: PlainText = canRead ? "r reads again  " : ""
      return reading + "Left Right choose  Enter does it  PgDn PgUp scroll  Esc closes"
    }
    if isAfterControlX {
      return "C-x …  C-e editor  u undo  r redo  C-d drop the draft"
    }
    return isUnsaved(facts)
      ? "C-s sends  Esc closes, the draft is in memory only  Tab next  C-_ undo  C-r redo"
      : "C-s sends  Esc closes, the draft is kept  Tab next  C-_ undo  C-r redo  C-x C-e editor"
  }
}
