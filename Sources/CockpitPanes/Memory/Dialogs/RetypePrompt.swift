import TerminalUI
import ClankyWire
import CockpitStores
import TerminalCore

/// The confirmation before many facts get one type, and the progress of that change.
package struct RetypePrompt: Hashable, Sendable {
  private enum Field: Hashable, Sendable { case type, count }

  /// Failures that are named; more are only counted.
  private static let named = 12

  private let factIDs: [Int]
  private var type = TextField(FactType.other.rawValue)
  private var typed = TextField()
  private var field = Field.type
  private var message: PlainText?
  /// Whether the request is in flight, or was when the dialog opened.
  private var isSent: Bool
  private var isStopping = false

  /// nil if there is nothing to change. While another bulk change runs, that one is shown.
  @MainActor init?(_ factIDs: [Int], on facts: ViewContext) {
    guard !facts.isReadOnly else { return nil }
    isSent = facts.memory.bulk?.isRunning == true
    var seen: Set<Int> = []
    self.factIDs = factIDs.filter { facts.memory.fact($0) != nil && seen.insert($0).inserted }
    guard isSent || !self.factIDs.isEmpty else { return nil }
  }

  private var problem: PlainText? {
    let word = type.text.collapsingWhitespace
    let limit = FactProblem.Field.factType.limit
    if word.isEmpty { return "The type must not be empty." }
    if word.utf16.count > limit {
      return PlainText(
        "The type is \(FactProblem.characters(word.utf16.count - limit)) too long; shorten it.")
    }
    return nil
  }

  @MainActor mutating func press(_ press: KeyPress, on facts: ViewContext) -> LayerOutcome {
    message = nil
    if isSent { return watch(press, facts) }
    switch (press.key, press.modifiers) {
    case (.escape, []), (.char("c"), .ctrl), (.char("g"), .ctrl): return .close
    case (.tab, _), (.up, []), (.down, []): field = field == .type ? .count : .type
    case (.enter, _): return enter()
    case (.left, []) where field == .type: type = TextField(KnownTypes.stepped(type.text, by: -1))
    case (.right, []) where field == .type: type = TextField(KnownTypes.stepped(type.text, by: 1))
    default:
      if field == .type { _ = type.press(press) } else { _ = typed.press(press) }
    }
    return .stay
  }

  private mutating func enter() -> LayerOutcome {
    guard field == .count else {
      field = .count
      return .stay
    }
    if let problem {
      message = problem
      return .stay
    }
    guard typed.text == String(factIDs.count) else {
      message = PlainText("Type \(factIDs.count) to change all of them, or Esc to change none.")
      return .stay
    }
    isSent = true
    let word = type.text.collapsingWhitespace.lowercased()
    return .effects([.memory(.retype(factIDs: factIDs, type: word))])
  }

  /// Keys while it runs, and after it: Esc stops after the request that is under way.
  @MainActor private mutating func watch(
    _ press: KeyPress, _ facts: ViewContext
  ) -> LayerOutcome {
    let isRunning = facts.memory.bulk?.isRunning == true
    switch ButtonKey(press) {
    case .close where isRunning && !isStopping:
      isStopping = true
      return .effects([.memory(.stopBulk)])
    case .close, .press: return isRunning && !isStopping ? .stay : .close
    default: return .stay
    }
  }

  // MARK: Drawing

  @MainActor func page(_ facts: ViewContext, width: Int) -> DialogPage {
    isSent ? progress(facts.memory.bulk, width) : question(width)
  }

  private func question(_ width: Int) -> DialogPage {
    let count = factIDs.count
    var lines = DialogLine.wrapped(
      PlainText(
        "Each of them is read again and sent with the new type, one after the other; a fact that "
          + "somebody changed meanwhile is left alone."), to: width, .text)
    lines.append(DialogLine())
    func row(_ name: PlainText, _ text: TextField, _ mine: Field) -> [DialogRun] {
      let hasFocus = field == mine
      return [
        DialogRun(name, hasFocus ? .focus : .muted, hasFocus ? .bold : [])
      ] + text.runs(width: 61, isFocused: hasFocus)
    }
    lines.append(
      DialogLine(
        row("TYPE   < ", type, .type) + [DialogRun(" >", .key)],
        right: DialogRun(
          PlainText("\(type.text.collapsingWhitespace.utf16.count)/40"),
          problem == nil ? .muted : .negative)))
    lines.append(
      DialogLine(row(PlainText("Type \(count) to change all of them: "), typed, .count)))
    var page = DialogPage(title: PlainText("give \(count) facts a type"), lines: lines, footer: [])
    if let shown = message ?? problem {
      page.footer += DialogLine.wrapped(shown, to: width, .negative)
    }
    return page
  }

  private func progress(_ bulk: BulkChange?, _ width: Int) -> DialogPage {
    guard let bulk else {
      return DialogPage(
        title: "changing types", lines: [DialogLine("Waiting for the first request …", .info)],
        footer: [])
    }
    let gone = bulk.done + bulk.failures.count
    var lines = [
      DialogLine([
        DialogRun(PlainText("\(gone) of \(bulk.total)"), .number),
        DialogRun(bulk.isRunning ? " done" : " gone through"),
      ])
    ]
    let cells = min(40, max(1, width - 2))
    let full = bulk.total > 0 ? min(cells, cells * gone / bulk.total) : 0
    lines.append(
      DialogLine([
        DialogRun("["), DialogRun(symbols: Array(repeating: .block(8), count: full), .number),
        DialogRun(symbols: Array(repeating: .shade, count: cells - full), .faint), DialogRun("]"),
      ]))
    if bulk.isRunning {
      lines += DialogLine.wrapped(
        isStopping
          ? "Stopping after the request that is under way."
          : "Esc stops after the request under way.",
        to: width, .info)
    } else {
      lines += DialogLine.wrapped(
        summary(bulk), to: width, bulk.failures.isEmpty ? .positive : .warning)
    }
    for (id, why) in bulk.failures.sorted(by: { $0.key < $1.key }).prefix(Self.named) {
      lines += DialogLine.wrapped(PlainText("#\(id)  \(why)", limit: 200), to: width, .negative)
    }
    let rest = bulk.failures.count - Self.named
    if rest > 0 { lines.append(DialogLine(PlainText("and \(rest) more; see :journal"), .muted)) }
    var close = DialogRun("[CLOSE]", .focus, [.reverse, .bold])
    close.button = 0
    return DialogPage(
      title: bulk.isRunning ? "changing facts" : "changed facts", lines: lines,
      footer: bulk.isRunning ? [] : [DialogLine([close])])
  }

  private func summary(_ bulk: BulkChange) -> PlainText {
    let left = max(0, bulk.total - bulk.done - bulk.failures.count)
    var words = "\(bulk.done) changed"
    if bulk.storedOtherwise > 0 {
      words += ", \(bulk.storedOtherwise) stored otherwise than they were sent"
    }
    if bulk.unknown > 0 { words += ", \(bulk.unknown) with an unknown outcome" }
    let untouched = bulk.failures.count - bulk.storedOtherwise - bulk.unknown
    if untouched > 0 { words += ", \(untouched) left as they were" }
    if left > 0 { words += ", \(left) not tried because it was stopped" }
    return PlainText(words + ".")
  }

  @MainActor func keyLine(_ facts: ViewContext) -> PlainText {
    guard isSent else {
      return "Left Right choose the type, or type one  Tab  Enter changes them  Esc cancels"
    }
    return facts.memory.bulk?.isRunning == true ? "Esc stops" : "Enter closes"
  }
}
