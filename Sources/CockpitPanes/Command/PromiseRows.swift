import CockpitAnswers
import CockpitText
import TerminalCore

/// The promises of `[slo]`: one row each, and below one that is not kept what is left of its budget.
@MainActor
struct PromiseRows {
  let facts: ViewContext
  /// Columns.
  var width: Int

  private var promises: [Promise] { facts.promises.promises }

  /// Heading and rows; none where nothing is promised.
  var rows: [CommandRow] {
    guard !promises.isEmpty else { return [] }
    return [CommandRow([.init(text: "PROMISES", role: .heading), .label("[slo]")])]
      + promises.flatMap(rows)
  }

  private func rows(_ promise: Promise) -> [CommandRow] {
    let text = PromiseText(promise)
    var row = CommandRow.labelled(
      text.label, .init(text: text.value, role: promise.value == nil ? .muted : .number),
      .label("of " + text.objective))
    let verdict = VoiceLine.Span(
      text: text.verdict, role: text.role, attributes: promise.isTrouble ? .bold : [])
    let base: PlainText = promise.kind == .cost ? text.window : Self.base(promise, text.window)
    row.item = behind(promise)
    let taken = row.line.spans.reduce(0) { $0 + $1.columns + 1 }
    // What has no room beside the figures has a row below them.
    if taken + verdict.columns + 1 + base.columns <= width {
      row.line.spans += [verdict, .label(base)]
      return [row] + budget(promise, text)
    }
    if taken + verdict.columns <= width {
      row.line.spans.append(verdict)
      return [row] + CommandRow.note(base, width: width, indent: 1, limit: 2)
        + budget(promise, text)
    }
    return [row, CommandRow([verdict, .label(base)], indent: 1)] + budget(promise, text)
  }

  /// `n 212, 24h`.
  private static func base(_ promise: Promise, _ window: PlainText) -> PlainText {
    "n " + Figures.count(promise.n) + ", " + window
  }

  private func budget(_ promise: Promise, _ text: PromiseText) -> [CommandRow] {
    guard promise.isTrouble || promise.verdict == .tooFew || width >= 60, !text.budget.isEmpty
    else { return [] }
    return CommandRow.note(text.budget, width: width, indent: 1, limit: 3)
  }

  private func behind(_ promise: Promise) -> CommandItem? {
    guard case .filter(let query)? = PromiseText.next(promise.kind).target else { return nil }
    return .rows(query)
  }

  /// All of them in one row, for a screen without room for the panel.
  var summary: [CommandRow] {
    guard !promises.isEmpty else { return [] }
    let order: [Promise.Verdict] = [.broken, .burning, .kept, .tooFew, .unknown]
    let spans = order.compactMap { verdict -> VoiceLine.Span? in
      let found = promises.filter { $0.verdict == verdict }
      guard let first = found.first else { return nil }
      let text = PromiseText(first)
      return .init(text: Figures.count(found.count) + " " + text.verdict, role: text.role)
    }
    let total = VoiceLine.Span.label(PlainText("of \(promises.count)"))
    var row = CommandRow.labelled("PROMISES")
    // The worst first; what has no room is in the total.
    for span in spans {
      let taken = row.line.spans.reduce(0) { $0 + $1.columns + 1 }
      guard taken + span.columns + 1 + total.columns <= width else { break }
      row.line.spans.append(span)
    }
    row.line.spans.append(total)
    return [row]
  }
}
