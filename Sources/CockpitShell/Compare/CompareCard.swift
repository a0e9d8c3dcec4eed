import CockpitAnswers
import CockpitDomain
import CockpitPanes
import CockpitStores
import CockpitText
import TerminalCore
import TerminalUI

/// Two windows side by side: a figure a line, then shares and changes. Enter shows the rows behind a number.
package struct CompareCard: Overlay {
  /// The selected line, by its place among all.
  private(set) var cursor = 0
  private(set) var first = 0
  private var room = 1
  /// Whether the number of the first side is selected, else that of the other.
  private(set) var isOnFirst = false

  package init() {}

  package var title: PlainText { "compare" }

  package var keyLine: PlainText {
    "j k move  h l side  Enter shows the rows  Tab swaps  y copies  Esc closes"
  }

  // MARK: Keys

  @MainActor package mutating func press(_ press: KeyPress, on facts: ViewContext) -> LayerOutcome {
    let count = lines(facts).count
    switch (press.key, press.modifiers) {
    case (.escape, []), (.char("q"), []), (.char("c"), .ctrl): return Self.closed
    case (.down, []), (.char("j"), []): move(1, count)
    case (.up, []), (.char("k"), []): move(-1, count)
    case (.pageDown, _), (.char("d"), .ctrl), (.char(" "), []): move(room, count)
    case (.pageUp, _), (.char("u"), .ctrl): move(-room, count)
    case (.char("g"), []), (.home, []): move(-count, count)
    case (.char("G"), _), (.end, []): move(count, count)
    case (.char("h"), []), (.left, []): isOnFirst = true
    case (.char("l"), []), (.right, []): isOnFirst = false
    case (.tab, _): return .effects([.compare(.swap)])
    case (.enter, []): return open(facts)
    case (.char("y"), []): return copy(facts)
    default:
      if case .command(.compare) = facts.keys.match([press]) { return Self.closed }
    }
    return .stay
  }

  private static var closed: LayerOutcome { .done([.compare(.stop)]) }

  private mutating func move(_ steps: Int, _ count: Int) {
    cursor = min(max(0, cursor + steps), max(0, count - 1))
  }

  @MainActor package mutating func click(_ item: Int, on facts: ViewContext) -> LayerOutcome {
    if item == cursor { return open(facts) }
    cursor = item
    return .stay
  }

  @MainActor package mutating func wheel(_ lines: Int, on facts: ViewContext) {
    move(lines.signum(), self.lines(facts).count)
  }

  /// Shows the rows behind the selected number: here where any of them is here, else in the past.
  @MainActor private func open(_ facts: ViewContext) -> LayerOutcome {
    guard let evidence = evidence(facts) else { return .stay }
    guard let newest = evidence.max(by: { ($0.timeMs ?? 0) < ($1.timeMs ?? 0) }) else {
      return .effects([.say("no row stands behind this number")])
    }
    let log = facts.activity.log
    let rows = evidence.map { item in
      item.actionID.flatMap { id in
        log.rowID(actionID: id).flatMap { row in
          // Ids start anew with a replaced log.
          log.row(row)?.timeMs == item.timeMs ? row : nil
        }
      }
    }
    if rows.contains(where: { $0 != nil }) {
      let behind = RowsBehind(Array(rows.suffix(Self.rowLimit)), "rows")
      return .done(behind.effects(facts) + [.compare(.stop)])
    }
    let request: ReplayRequest =
      if facts.replay == nil, let id = newest.actionID {
        .seekRow(id: id)
      } else {
        .seek(ms: newest.timeMs ?? facts.nowMs)
      }
    return .done([.replay(request), .compare(.stop)])
  }

  /// A filter names so many rows at most.
  private static let rowLimit = 200

  /// nil where the line has no number.
  @MainActor private func evidence(_ facts: ViewContext) -> [Answer.Evidence]? {
    guard let comparison = facts.compare?.comparison, let line = lines(facts)[safe: cursor] else {
      return nil
    }
    switch line {
    case .figure(let index):
      let figure = comparison.figures[index]
      return isOnFirst ? figure.a.evidence : figure.b.evidence
    case .incident(let index):
      let rate = comparison.incidents[index]
      return isOnFirst ? rate.evidenceA : rate.evidenceB
    case .change(let index): return [comparison.changes[index].evidence]
    case .share, .heading: return nil
    }
  }

  @MainActor private func copy(_ facts: ViewContext) -> LayerOutcome {
    guard let comparison = facts.compare?.comparison else { return .stay }
    let text = CompareText(comparison, clock: facts.clock).lines(width: 100)
      .map(\.description).joined(separator: "\n")
    return .effects([.copy(text: text, what: "the comparison, as text")])
  }

  // MARK: Layout

  enum Line {
    case figure(Int)
    case heading(PlainText)
    case share(Int)
    case incident(Int)
    case change(Int)
  }

  /// Everything below the head: figures, shares by topic, changes.
  @MainActor func lines(_ facts: ViewContext) -> [Line] {
    guard let comparison = facts.compare?.comparison else { return [] }
    var lines = comparison.figures.indices.map { Line.figure($0) }
    for topic in Comparison.Share.Topic.allCases {
      let places = comparison.shares.indices.filter { comparison.shares[$0].topic == topic }
        .prefix(Self.shareLimit)
      guard !places.isEmpty else { continue }
      lines.append(.heading(CompareText.title(topic)))
      lines += places.map { .share($0) }
    }
    if !comparison.incidents.isEmpty {
      lines.append(.heading(CompareText.incidentTitle))
      lines += comparison.incidents.indices.prefix(12).map { .incident($0) }
    }
    if !comparison.changes.isEmpty {
      lines.append(.heading("changed meanwhile"))
      lines += comparison.changes.indices.suffix(12).map { .change($0) }
    }
    return lines
  }

  private static let shareLimit = 6

  /// The columns of the table.
  struct Columns {
    var title = 2
    var a: Int
    var b: Int
    /// Where the sparks begin; nil without room for them.
    var sparks: (a: Int, b: Int)?
    var difference: Int
    var verdict: Int
    /// Whether intervals are written.
    var isWide: Bool

    init(_ width: Int) {
      isWide = width >= 170
      if isWide {
        (a, b, sparks, difference, verdict) = (28, 62, (96, 114), 132, 160)
      } else if width >= 112 {
        (a, b, sparks, difference, verdict) = (29, 42, (55, 64), 73, 95)
      } else {
        (a, b, sparks, difference, verdict) = (24, 36, nil, 48, 66)
      }
    }

    var sparkWidth: Int { isWide ? 16 : 8 }
    /// Room of a value.
    var value: Int { b - a - 1 }
    var differenceWidth: Int { verdict - difference - 1 }
  }

  struct Page {
    var head: [PlainText]
    /// How many rows of the head are the sentence.
    var sentence: Int
    var area: Rect
    var room: Int
    /// What the selected line says besides, at the foot.
    var foot: [PlainText]
  }

  private static func width(in body: Rect) -> Int { min(body.width, 184) }
  static let footRows = 2

  @MainActor func page(_ facts: ViewContext, in body: Rect) -> Page {
    let width = Self.width(in: body)
    let inner = max(1, width - 4)
    var head: [PlainText] = []
    var sentence = 0
    switch facts.compare?.phase {
    case .ready(let sides):
      let text = CompareText(sides.comparison, clock: facts.clock)
      head = PlainText(sides.comparison.answer.sentence, limit: 2000)
        .wrapped(to: inner, limit: body.height < 30 ? 3 : 5)
      sentence = head.count
      head.append(("A: " + text.about(sides.comparison.a)).cut(to: inner))
      head.append(("B: " + text.about(sides.comparison.b)).cut(to: inner))
    case .loading(let words):
      head = words.wrapped(to: inner, limit: 2)
      sentence = head.count
    case .failed(let words):
      head = words.wrapped(to: inner, limit: 4)
      sentence = head.count
    case nil: head = ["nothing was asked for yet"]
    }
    let count = lines(facts).count
    // The row of column names, and the foot.
    let fixed = head.count + (count == 0 ? 2 : 3 + Self.footRows)
    let height = min(body.height, fixed + count)
    let area = Rect(x: body.maxX - width, y: body.y, width: width, height: height)
    return Page(
      head: head, sentence: sentence, area: area, room: max(1, height - fixed),
      foot: foot(facts, inner))
  }

  @MainActor private func foot(_ facts: ViewContext, _ width: Int) -> [PlainText] {
    guard let comparison = facts.compare?.comparison, let line = lines(facts)[safe: cursor],
      case .figure(let index) = line
    else { return [] }
    let figure = comparison.figures[index]
    if let remark = figure.remark {
      return PlainText(remark, limit: 300).wrapped(to: width, limit: Self.footRows)
    }
    let text =
      "A " + CompareText.value(figure.a, figure.unit) + ", B "
      + CompareText.value(figure.b, figure.unit) + " " + PlainText(figure.things)
    return text.wrapped(to: width, limit: Self.footRows)
  }

  @MainActor package mutating func clampSelection(_ facts: ViewContext, screen: Size) {
    let body = Rect(width: screen.width, height: max(1, screen.height - 2))
    room = page(facts, in: body).room
    let count = lines(facts).count
    cursor = min(max(0, cursor), max(0, count - 1))
    first = min(max(min(first, cursor), cursor - room + 1), max(0, count - room))
  }
}
