import Foundation

/// Something that ends the benchmark.
struct BenchmarkError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// The figures of a run: the budgets by number, then everything else in sections.
struct Report {
  /// One line of a section.
  private struct Row {
    let quantity: String
    let target: String
    let figure: String
    /// Whether the target is met; nil if there is none.
    let isMet: Bool?
  }

  private var sections: [(title: String, column: String, rows: [Row])] = []
  /// The result of each target, in the order of `Target.all`.
  private var outcomes: [(figure: String, verdict: String)?] = Target.all.map { _ in nil }

  /// - Parameter column: the heading of the second column, if it is not a target.
  mutating func begin(_ title: String, column: String = "Target") {
    sections.append((title, column, []))
    FileHandle.standardError.write(Data("benchmark: \(title)\n".utf8))
  }

  mutating func add(
    _ quantity: String, target: String = "", figure: String, isMet: Bool? = nil
  ) {
    guard !sections.isEmpty else { return }
    sections[sections.count - 1].rows.append(
      Row(quantity: quantity, target: target, figure: figure, isMet: isMet))
    FileHandle.standardError.write(Data("  \(quantity): \(figure)\n".utf8))
  }

  /// The figure of a target: the median decides.
  ///
  /// - Parameter note: a remark on this run.
  mutating func measured(_ target: Target, _ spread: Spread, note: String = "") {
    let verdict = target.verdict(spread.median).rawValue
    set(
      target, spread.text(target.unit, digits: target.digits) + (note.isEmpty ? "" : "; " + note),
      verdict)
  }

  mutating func measured(_ target: Target, _ value: Double, note: String = "") {
    measured(target, Spread([value]), note: note)
  }

  /// A target that could not be measured, and why.
  mutating func missing(_ target: Target, _ why: String) { set(target, "not measured: \(why)", "") }

  /// A ratio to another program that is no budget.
  mutating func compared(_ quantity: String, _ spread: Spread, digits: Int = 2) {
    add(quantity, figure: spread.text("x", digits: digits))
  }

  private mutating func set(_ target: Target, _ figure: String, _ verdict: String) {
    guard let index = Target.all.firstIndex(where: { $0.quantity == target.quantity }) else {
      return
    }
    outcomes[index] = (figure, verdict)
    FileHandle.standardError.write(
      Data("  \(target.number) \(target.quantity): \(figure) \(verdict)\n".utf8))
  }

  /// As Markdown, which is also readable in a terminal.
  var markdown: String {
    var text = budgets
    for section in sections where !section.rows.isEmpty {
      text +=
        "### \(section.title)\n\n| Quantity | \(section.column) | Figure | |\n"
        + "| --- | --- | --- | --- |\n"
      for row in section.rows {
        let verdict = row.isMet.map { $0 ? "met" : "**missed**" } ?? ""
        text += "| \(row.quantity) | \(row.target) | \(row.figure) | \(verdict) |\n"
      }
      text += "\n"
    }
    return text
  }

  /// The budgets measured in this run.
  var budgets: String {
    var text =
      "### Budgets\n\n| # | Quantity | Budget | Figure | Verdict |\n"
      + "| --- | --- | --- | --- | --- |\n"
    var isEmpty = true
    for (target, outcome) in zip(Target.all, outcomes) {
      guard let outcome else { continue }
      isEmpty = false
      text +=
        "| \(target.number) | \(target.quantity) | \(target.limitText) | \(outcome.figure) "
        + "| \(outcome.verdict) |\n"
    }
    return isEmpty ? "" : text + "\n"
  }
}
