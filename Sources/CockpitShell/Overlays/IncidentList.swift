import CockpitDomain
import CockpitPanes
import CockpitRules
import CockpitStores
import CockpitText
import TerminalCore
import TerminalUI

/// What the rules over events found, newest first, and the rows behind each. Tab shows the rules instead, with
/// what they could not judge.
struct IncidentList: Overlay {
  private var chosen: Incident.ID?
  private var line = 0
  private var first = 0
  private var showsRules = false
  private var least = RuleLevel.info

  init() {}

  var title: PlainText { showsRules ? "rules" : "incidents" }
  var keyLine: PlainText {
    showsRules
      ? "Tab shows the incidents  j k scroll  Esc closes"
      : "Enter shows its rows  j k choose  l level  y copies  Tab rules  Esc closes"
  }

  // MARK: Keys

  mutating func press(_ press: KeyPress, on facts: ViewContext) -> LayerOutcome {
    if press.key == .tab {
      showsRules.toggle()
      (line, first) = (0, 0)
      return .stay
    }
    if let step = press.listStep {
      move(by: step, facts)
      return .stay
    }
    switch (press.key, press.modifiers) {
    case (.escape, []), (.char("q"), []), (.char("c"), .ctrl): return .close
    case (.enter, []): return open(line, facts)
    case (.char("l"), []), (.right, []):
      least = least == .critical ? .info : least == .warning ? .critical : .warning
    case (.char("y"), []): return copy(facts)
    default:
      switch facts.keys.match([press]) {
      case .command(.digest), .command(.incidents): return .close
      default: break
      }
    }
    return .stay
  }

  mutating func click(_ item: Int, on facts: ViewContext) -> LayerOutcome {
    guard item == line else {
      line = item
      chosen = shown(facts)[safe: item]?.id
      return .stay
    }
    return open(item, facts)
  }

  mutating func wheel(_ lines: Int, on facts: ViewContext) { move(by: lines.signum(), facts) }

  @MainActor private mutating func move(by step: Int, _ facts: ViewContext) {
    let count = showsRules ? facts.incidents.judgements.count : shown(facts).count
    line = max(0, min(count - 1, line + step))
    chosen = showsRules ? nil : shown(facts)[safe: line]?.id
  }

  /// Shows the rows behind an incident: here where one of them is here, else in the past.
  @MainActor private func open(_ index: Int, _ facts: ViewContext) -> LayerOutcome {
    guard !showsRules, let incident = shown(facts)[safe: index] else { return .stay }
    return .done(Self.effects(incident, facts))
  }

  @MainActor static func effects(_ incident: Incident, _ facts: ViewContext) -> [Effect] {
    let log = facts.activity.log
    let rows = incident.evidence.compactMap { cite -> RowID? in
      let known = cite.rowID ?? cite.actionID.flatMap { log.rowID(actionID: $0) }
      // Ids start anew with a replaced log.
      return known.flatMap { log.row($0)?.timeMs == cite.timeMs ? $0 : nil }
    }
    guard rows.isEmpty else { return RowsBehind(rows, "rows").effects(facts) }
    return [.replay(.seek(ms: incident.fromMs))]
  }

  @MainActor private func copy(_ facts: ViewContext) -> LayerOutcome {
    guard let incident = shown(facts)[safe: line] else { return .stay }
    let text = IncidentText(facts.incidents, clock: facts.clock)
    let lines =
      [incident.id + " " + incident.rule.rawValue + ": " + incident.sentence]
      + text.details(incident).map(\.description)
    return .effects([.copy(text: lines.joined(separator: "\n"), what: "the incident")])
  }

  /// The incidents of the guild that is shown, and of the whole bot.
  @MainActor private func shown(_ facts: ViewContext) -> [Incident] {
    facts.incidents.incidents.filter { incident in
      incident.level >= least
        && (facts.scope.isAll || incident.guildID.map { facts.scope.holds($0) } ?? true)
    }
  }

  /// New incidents move the others: the cursor stays on the chosen one.
  mutating func clampSelection(_ facts: ViewContext, screen: Size) {
    if !showsRules {
      let incidents = shown(facts)
      if let chosen, let place = incidents.firstIndex(where: { $0.id == chosen }) { line = place }
      line = max(0, min(incidents.count - 1, line))
    }
    let body = Rect(width: screen.width, height: max(1, screen.height - 2))
    let rows = rows(facts, width: Self.width(in: body) - 4)
    let room = max(1, min(body.height, rows.count + 2) - 2)
    let own = rows.indices.filter { rows[$0].item == line }
    if let last = own.last, last >= first + room { first = last - room + 1 }
    if let begin = own.first, begin < first { first = begin }
    if line == 0 { first = 0 }
    first = max(0, min(first, rows.count - room))
  }

  // MARK: Drawing

  private struct Row {
    var text: PlainText
    var role = Role.text
    /// At the left, in its own colour.
    var left: PlainText = ""
    var item: Int?
    var isBold = false
  }

  private static func width(in body: Rect) -> Int { min(body.width, 130) }

  @MainActor private func rows(_ facts: ViewContext, width: Int) -> [Row] {
    showsRules ? ruleRows(facts, width) : incidentRows(facts, width)
  }

  @MainActor private func incidentRows(_ facts: ViewContext, _ width: Int) -> [Row] {
    let incidents = shown(facts)
    let text = IncidentText(facts.incidents, clock: facts.clock)
    let least: PlainText = least == .info ? "" : " (" + PlainText(least.rawValue) + " and worse)"
    var rows = (text.sentence(incidents) + least + ".")
      .wrapped(to: max(8, width), limit: 4).map { Row(text: $0, isBold: true) }
    for (index, incident) in incidents.enumerated() {
      let head =
        text.moment(incident.fromMs) + " "
        + PlainText(incident.level == .critical ? "!" : incident.level == .warning ? "~" : " ")
        + " "
      let lines = text.line(incident).wrapped(
        to: max(8, width - head.columns), limit: index == line ? 6 : 2)
      for (number, part) in lines.enumerated() {
        rows.append(
          Row(
            text: part, role: IncidentText.role(incident.level),
            left: number == 0 ? head : PlainText("").padded(to: head.columns), item: index))
      }
      guard index == line else { continue }
      rows += own(incident, text, facts, index, width)
    }
    rows += text.notes.flatMap { $0.wrapped(to: max(8, width), limit: 3) }
      .map { Row(text: $0, role: .muted) }
    return rows
  }

  /// The rows below the chosen one: its rule, person and evidence.
  @MainActor private func own(
    _ incident: Incident, _ text: IncidentText, _ facts: ViewContext, _ index: Int, _ width: Int
  ) -> [Row] {
    var about = PlainText(incident.rule.rawValue)
    if let user = incident.userID, !user.isEmpty {
      about = about + "  " + PlainText(facts.names.user(user), limit: 60).cut(to: 24)
    }
    about = about + "  " + PlainText(incident.id)
    return ([about] + text.details(incident)).flatMap { line in
      line.wrapped(to: max(8, width - 4), limit: 3)
    }.map { Row(text: "    " + $0, role: .muted, item: index) }
  }

  @MainActor private func ruleRows(_ facts: ViewContext, _ width: Int) -> [Row] {
    let counts = Dictionary(grouping: facts.incidents.incidents, by: \.rule).mapValues(\.count)
    let window = IncidentText(facts.incidents, clock: facts.clock).window
    var rows = [Row(text: ("Incidents by rule" + window).cut(to: width), isBold: true)]
    for (index, item) in facts.incidents.judgements.enumerated() {
      let count = counts[item.rule.id] ?? 0
      let head = PlainText(item.rule.id.rawValue).padded(to: 31)
      let state = IncidentText.judgement(item.judgement)
      rows.append(
        Row(
          text: (head + Figures.count(count).leftPadded(to: 5) + "  " + state).cut(to: width),
          role: count > 0 ? IncidentText.role(item.rule.level) : .text, item: index))
      guard index == line else { continue }
      rows += PlainText(item.rule.condition).wrapped(to: max(8, width - 4), limit: 3)
        .map { Row(text: "    " + $0, role: .muted, item: index) }
    }
    return rows
  }

  func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    let width = Self.width(in: body)
    let rows = rows(facts, width: width - 4)
    let height = min(body.height, rows.count + 2)
    let area = Rect(
      x: body.x + (body.width - width) / 2, y: body.maxY - height, width: width, height: height)
    frame.canvas.clear(area)
    frame.canvas.panel(frame.owned(title), trailing: "", in: area, isFocused: true) { _ in }
    for (offset, row) in rows.dropFirst(first).prefix(max(0, height - 2)).enumerated() {
      let place = Rect(x: area.x + 1, y: area.y + 1 + offset, width: width - 2, height: 1)
      if let item = row.item { frame.mark(place, .overlay(item)) }
      frame.canvas.inside(place) { canvas in
        let back: Role? = row.item == line && row.item != nil ? .selection : nil
        if back != nil { canvas.fill(canvas.bounds, background: back) }
        canvas.write(row.left, x: 1, role: .number, background: back)
        canvas.write(
          row.text, x: 1 + row.left.columns, role: row.role,
          attributes: row.isBold ? .bold : [], background: back)
      }
    }
  }
}
