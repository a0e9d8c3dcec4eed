import CockpitAnswers
import CockpitDomain
import CockpitPanes
import CockpitStores
import CockpitText
import TerminalCore
import TerminalUI

extension ControlCard {
  private struct Line {
    var text: PlainText
    var role = Role.text
    var isBold = false
    /// The card that it is of.
    var item: Int?
  }

  @MainActor package func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    frame.canvas.clear(body)
    let trailing = ControlText(facts).trailing
    frame.canvas.panel(title, trailing: trailing, in: body, isFocused: true) { _ in }
    var area = Rect(
      x: body.x + 2, y: body.y + 1, width: max(0, body.width - 4), height: max(0, body.height - 2))
    guard !area.isEmpty else { return }
    let foot = foot(facts, width: area.width)
    let footArea = area.takeBottom(min(foot.count, max(0, area.height - 1)))
    draw(foot, in: footArea, into: &frame)
    let list = list(facts, width: area.width)
    let listArea = area.takeTop(min(list.count, max(1, area.height * 2 / 5)))
    let selected = list.firstIndex { $0.item == selectedItem(facts) && $0.item != nil } ?? 0
    draw(
      Array(list.dropFirst(max(0, selected - listArea.height + 1))), in: listArea, selects: facts,
      into: &frame)
    guard area.height > 1 else { return }
    area.y += 1
    area.height -= 1
    let lines = steps.isEmpty ? details(facts, width: area.width) : stopped(width: area.width)
    let start = min(first, max(0, lines.count - area.height))
    let isCut = lines.count > start + area.height
    draw(Array(lines.dropFirst(start)), in: area, into: &frame)
    if isCut {
      let more = PlainText(" \(lines.count - start - area.height + 1) more lines: PgDn ")
      frame.canvas.write(
        more, x: max(area.x, area.maxX - more.columns), y: area.maxY - 1, role: .warning)
    }
  }

  @MainActor private func selectedItem(_ facts: ViewContext) -> Int? {
    facts.control?.waiting.firstIndex { $0.key == chosen }
  }

  @MainActor private func draw(
    _ lines: [Line], in area: Rect, selects facts: ViewContext? = nil, into frame: inout Frame
  ) {
    let selected = facts.flatMap(selectedItem)
    for (y, line) in lines.prefix(area.height).enumerated() {
      let place = Rect(x: area.x, y: area.y + y, width: area.width, height: 1)
      if let item = line.item { frame.mark(place, .overlay(item)) }
      frame.canvas.inside(place) { canvas in
        let isSelected = line.item != nil && line.item == selected
        if isSelected { canvas.fill(canvas.bounds, background: .selection) }
        canvas.write(
          line.text.cut(to: area.width), role: line.role, attributes: line.isBold ? .bold : [],
          background: isSelected ? .selection : nil)
      }
    }
  }

  // MARK: The list

  @MainActor private func list(_ facts: ViewContext, width: Int) -> [Line] {
    let words = ControlText(facts)
    guard let board = facts.control else { return [Line(text: words.unknownYet, role: .muted)] }
    var lines: [Line] = []
    for (index, card) in board.waiting.enumerated() {
      lines.append(Line(text: words.line(of: card), role: .warning, item: index))
    }
    if board.waiting.isEmpty {
      lines += words.nothingWaits.wrapped(to: width, limit: 3).map { Line(text: $0) }
    }
    for problem in board.unknown {
      lines += wrapped("not known: \(problem)", .warning, width)
    }
    for note in board.notes { lines += wrapped(note, .muted, width) }
    lines += bots(facts)
    lines.append(Line(text: words.runsHeading, role: .heading, isBold: true))
    lines += board.runs.prefix(50).map { run in
      let isChosen = run.isGrant && run.key == revoked
      let mark: PlainText = isChosen ? "> " : ""
      return Line(
        text: mark + words.line(of: run),
        role: isChosen ? .focus : run.isGrant && run.phase == "granted" ? .negative : .text,
        isBold: isChosen)
    }
    for end in board.over.suffix(3).reversed() {
      lines.append(Line(text: words.line(of: end), role: .muted))
    }
    return lines
  }

  /// What is wrong with the bots of a profile that has gateways too: `!` is the key of both.
  @MainActor private func bots(_ facts: ViewContext) -> [Line] {
    guard let sources = facts.sources else { return [] }
    let bots = sources.bySickness.filter { !sources.members[$0.index].facts.isGateway }
    var lines = bots.prefix(Self.shownBots).map { entry in
      let key: PlainText = entry.index == sources.focused ? "  w shows it" : ""
      return Line(
        text: entry.name.cut(to: 40) + "  " + entry.link + "  " + entry.word + key,
        role: entry.role)
    }
    let rest = bots.count - lines.count
    lines.append(
      Line(
        text: rest > 0
          ? PlainText("\(rest) more bots: f lists all sources") : "f lists all sources",
        role: .muted))
    return lines
  }

  /// The bots that are worst off have lines here.
  private static var shownBots: Int { 3 }

  @MainActor private func wrapped(_ text: String, _ role: Role, _ width: Int) -> [Line] {
    PlainText(VisibleText().of(text), limit: 20_000).wrapped(to: max(8, width), limit: 400).map {
      Line(text: $0, role: role)
    }
  }

  // MARK: The card

  /// Everything that the source sent, with every character visible.
  @MainActor private func details(_ facts: ViewContext, width: Int) -> [Line] {
    guard let card = card(facts) else { return [] }
    var lines = [Line(text: ControlText(facts).heading(of: card), role: .heading, isBold: true)]
    if card.questions.isEmpty {
      lines += wrapped(card.subject, .text, width).map { Line(text: $0.text, isBold: true) }
    }
    for detail in card.details {
      lines += wrapped("\(detail.name): \(detail.value)", .text, width)
    }
    for (index, question) in card.questions.enumerated() {
      lines += self.lines(of: question, isCurrent: index == draft.item, width)
    }
    lines.append(Line(text: ControlText(facts).times(of: card), role: .muted))
    return lines
  }

  @MainActor private func lines(
    of question: ControlBoard.Card.Question, isCurrent: Bool, _ width: Int
  ) -> [Line] {
    let mark = isCurrent ? "> " : "  "
    var lines = wrapped(mark + question.question, isCurrent ? .text : .muted, width)
    let values = draft.chosen[question.id] ?? []
    for (index, option) in question.options.enumerated() {
      let box = values.contains(option) ? "[x]" : "[ ]"
      lines += wrapped("  \(box) \(index + 1) \(option)", isCurrent ? .text : .muted, width)
    }
    let own = values.filter { !question.options.contains($0) }
    if isCurrent, let field = draft.field {
      lines += [Line(text: "  text: " + shown(field.text, question) + "_", role: .focus)]
    } else if let text = own.first {
      lines += [Line(text: "  text: " + shown(text, question))]
    } else if question.takesText || question.options.isEmpty {
      lines += [Line(text: isCurrent ? "  t types a text" : "  a text", role: .muted)]
    }
    return lines
  }

  /// A secret is never on the screen.
  @MainActor private func shown(_ text: String, _ question: ControlBoard.Card.Question) -> PlainText
  {
    question.isSecret
      ? PlainText(String(repeating: "*", count: min(text.count, 40)))
      : PlainText(VisibleText().of(text), limit: 400)
  }

  /// What stopping everything has come to.
  @MainActor private func stopped(width: Int) -> [Line] {
    var lines = [Line(text: "STOPPING EVERYTHING", role: .negative, isBold: true)]
    for step in steps.sorted(by: { $0.number < $1.number }) {
      let (mark, role): (String, Role) =
        switch step.state {
        case .asked: ("asked, no answer yet", .warning)
        case .done: ("done", .positive)
        case .failed: ("FAILED", .negative)
        case .impossible: ("not possible", .warning)
        }
      lines += wrapped("\(mark): \(step.sentence)", role, width)
    }
    return lines
  }

  // MARK: The foot

  @MainActor private func foot(_ facts: ViewContext, width: Int) -> [Line] {
    var lines: [Line] = []
    if let grant = facts.control?.grants.first(where: { $0.key == revoked }), revoked != nil {
      let name = ControlText(facts).visible(grant.tool ?? "", 60)
      lines.append(Line(text: "Enter revokes: " + name, role: .focus, isBold: true))
    } else if let card = card(facts), steps.isEmpty {
      let offers = ControlText(facts).offers(of: card, armed: armed)
      lines.append(Line(text: offers, role: armed == nil ? .text : .focus, isBold: armed != nil))
    }
    if sent != nil {
      lines.append(Line(text: "sent; the gateway has not answered yet", role: .warning))
    } else if let remark {
      lines += remark.wrapped(to: width, limit: 2).map { Line(text: $0, role: .info) }
    }
    return lines
  }
}
