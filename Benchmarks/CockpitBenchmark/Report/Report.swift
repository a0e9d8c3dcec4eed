import Foundation

/// Something that ends the benchmark.
struct BenchmarkError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// The figures of a run: the targets by number, then everything else in sections.
struct Report {
  /// One line of a section.
  private struct Row {
    let quantity: String
    let target: String
    let figure: String
    /// Whether the target is met; nil where there is none.
    let isMet: Bool?
  }

  private var sections: [(title: String, column: String, rows: [Row])] = []
  /// What came of each target, in the order of `Target.all`.
  private var outcomes: [(figure: String, verdict: String)?] = Target.all.map { _ in nil }

  /// - Parameter column: what the second column says, where it is not a target.
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
  /// - Parameter note: what is special about this run.
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

  /// A target of something that the cockpit does not do.
  mutating func notBuilt(_ target: Target) { set(target, "not built", "") }

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
    var text = targets
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

  /// The targets that this run has looked at.
  private var targets: String {
    var text =
      "### Targets\n\n| # | Quantity | Floor | Target | Figure | Verdict |\n"
      + "| --- | --- | --- | --- | --- | --- |\n"
    var isEmpty = true
    for (target, outcome) in zip(Target.all, outcomes) {
      guard let outcome else { continue }
      isEmpty = false
      text +=
        "| \(target.number) | \(target.quantity) | \(target.text(target.floor)) "
        + "| \(target.text(target.target)) | \(outcome.figure) | \(outcome.verdict) |\n"
    }
    return isEmpty ? "" : text + "\n"
  }
}
