import TerminalUI
import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

/// The outcome of a sent edit, with both texts where they differ.
struct AnswerPage {
  let form: FactForm
  let change: FactChange
  let width: Int

  @MainActor func page(_ facts: ViewContext, height: Int) -> DialogPage {
    let buttons = form.answers(to: change, facts)
    let focus = buttons.buttons.first { $0.action == form.answer } ?? buttons.buttons.first
    var footer: [DialogLine] = []
    if let message = form.message { footer += DialogLine.wrapped(message, to: width, .warning) }
    footer += buttons.lines(focus: focus?.action, width: width)
    var lines = sentences(facts).flatMap { DialogLine.wrapped($0.text, to: width, $0.role) }
    lines.append(DialogLine())
    lines += body
    var page = DialogPage(title: title, lines: lines, footer: footer)
    let room = max(1, DialogPage.room(in: Rect(width: width, height: height), footer: footer.count))
    let first = min(form.scroll, max(0, lines.count - room))
    page.needed = first..<first + room
    return page
  }

  private var title: PlainText {
    let id = PlainText("#\(form.factID)")
    return switch change.state {
    case .waiting, .checking, .sending, .verifying: "sending fact " + id
    case .conflict: "conflict: fact " + id
    case .gone: "gone: fact " + id
    case .refused: "refused: fact " + id
    case .failed: "not sent: fact " + id
    case .unknown: "outcome unknown: fact " + id
    case .stored: "stored: fact " + id
    }
  }

  // MARK: Words

  @MainActor private func sentences(_ facts: ViewContext) -> [(text: PlainText, role: Role)] {
    switch change.state {
    case .waiting, .checking, .sending: [(sentence, .info), kept(facts)]
    case .verifying: [(sentence, .warning), kept(facts)]
    case .conflict(let theirs): [(sentence, .warning)] + changed(theirs, facts)
    case .gone, .refused, .failed: [(sentence, .negative)]
    case .unknown: unknown(facts)
    case .stored: [(sentence, change.isStoredExactly ? .positive : .warning)]
    }
  }

  /// The desk's own words: the list and the command line say the same.
  private var sentence: PlainText { PlainText(change.sentence, limit: 400) }

  @MainActor private func kept(_ facts: ViewContext) -> (text: PlainText, role: Role) {
    facts.memory.unsavedDrafts.contains(form.factID)
      ? ("Your text is in memory only: it could not be kept as a draft.", .warning)
      : ("Your text is kept as a draft.", .text)
  }

  /// When the other text was stored.
  @MainActor private func changed(
    _ theirs: Fact, _ facts: ViewContext
  ) -> [(text: PlainText, role: Role)] {
    guard let updated = theirs.updatedAt?.milliseconds else { return [] }
    let age = Figures.age(ms: facts.nowMs - updated)
    let ago: PlainText = age == "0s" ? "just now" : age + " ago"
    let time = facts.clock.day(ms: updated) + " " + facts.clock.time(ms: updated)
    return [("Theirs is from " + ago + ", " + time + ".", .text)]
  }

  @MainActor private func unknown(_ facts: ViewContext) -> [(text: PlainText, role: Role)] {
    if form.isReadingAgain, form.isReading(facts) {
      return [(sentence, .warning), ("Reading it again …", .info)]
    }
    switch form.reread(change, facts) {
    case nil:
      return [(sentence, .warning), ("r reads it again; that sends nothing.", .text)]
    case .mine: return [("It was stored: the fact says what you wrote.", .positive)]
    case .old:
      return [
        ("The fact still says what it said before; the request may yet arrive late.", .warning),
        kept(facts),
      ]
    case .other:
      return [
        ("The fact now says something else; EDIT ON and sending shows both texts.", .warning),
        kept(facts),
      ]
    case .missing:
      return [
        ("The fact was not among those that were read; r reads again.", .warning), kept(facts),
      ]
    }
  }

  // MARK: Texts

  private var mine: FactEdit { change.draft.edit.normalized }

  private func edit(_ fact: Fact) -> FactEdit {
    (FactEdit(editing: fact, target: form.target) ?? form.baseEdit).normalized
  }

  private var body: [DialogLine] {
    switch change.state {
    case .conflict(let theirs):
      ComparisonLines(
        left: edit(theirs), leftTitle: "theirs", right: mine, rightTitle: "yours", width: width
      ).lines + [DialogLine()]
        + DialogLine.wrapped(
          "EDIT ON takes their text as the new start and keeps yours in the form.", to: width,
          .muted)
    case .stored(let fact, _) where !change.isStoredExactly:
      ComparisonLines(
        left: mine, leftTitle: "sent", right: edit(fact), rightTitle: "stored", width: width
      ).lines
    case .stored(let fact, _):
      ComparisonLines(
        left: edit(change.draft.base), leftTitle: "was", right: edit(fact), rightTitle: "is now",
        width: width
      ).lines
    default:
      ComparisonLines(
        left: edit(change.draft.base), leftTitle: "was", right: mine, rightTitle: "yours",
        width: width
      ).lines
    }
  }
}

/// Two versions of a fact: side by side, or stacked on a narrow screen.
struct ComparisonLines {
  let left: FactEdit
  let leftTitle: PlainText
  let right: FactEdit
  let rightTitle: PlainText
  let width: Int

  private static let gap = 3

  var lines: [DialogLine] {
    var lines: [DialogLine] = []
    let column = (width - Self.gap) / 2
    let isStacked = width < 70
    if !isStacked { lines.append(Self.titles(leftTitle, rightTitle, column)) }
    for field in FactFields.Field.allCases {
      let (before, after) = FactForm.texts(field, left, right)
      // Always show the fact itself, as context.
      guard !before.isIdentical(to: after) || field == .fact else { continue }
      lines.append(DialogLine(Self.name(field), .muted))
      let diff = DiffText(field, before, after)
      if isStacked {
        lines += stacked(leftTitle, diff.old, .negative) + stacked(rightTitle, diff.new, .positive)
      } else {
        lines += beside(diff, column)
      }
    }
    return lines
  }

  private static func name(_ field: FactFields.Field) -> PlainText {
    switch field {
    case .subject: "SUBJECT"
    case .fact: "FACT"
    case .type: "TYPE"
    case .confidence: "CONFIDENCE"
    case .evidence: "EVIDENCE"
    }
  }

  private static func titles(
    _ left: PlainText, _ right: PlainText, _ column: Int
  ) -> DialogLine {
    DialogLine([
      DialogRun(left.uppercased().padded(to: column + gap), .heading),
      DialogRun(right.uppercased(), .heading),
    ])
  }

  private func stacked(
    _ title: PlainText, _ runs: [WordDiff.Run], _ role: Role
  ) -> [DialogLine] {
    let indent = 8
    return DiffText.lines(runs, width: max(1, width - indent - 1), role: role).enumerated().map {
      index, line in
      let name: PlainText = index == 0 ? title.cut(to: indent - 2) : ""
      return DialogLine([DialogRun(name.padded(to: indent), .heading)] + line)
    }
  }

  private func beside(_ diff: DiffText, _ column: Int) -> [DialogLine] {
    let left = DiffText.lines(diff.old, width: column - 1, role: .negative)
    let right = DiffText.lines(diff.new, width: column - 1, role: .positive)
    return (0..<max(left.count, right.count)).map { index in
      var runs = index < left.count ? left[index] : []
      let used = runs.reduce(0) { $0 + $1.columns }
      runs.append(DialogRun(.spaces(max(0, column - used) + 1)))
      runs.append(DialogRun(symbols: [.vertical], .border))
      runs.append(DialogRun(" "))
      return DialogLine(runs + (index < right.count ? right[index] : []))
    }
  }
}
