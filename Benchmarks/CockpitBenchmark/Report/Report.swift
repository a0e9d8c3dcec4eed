import Foundation

/// Something that ends the benchmark.
struct BenchmarkError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// One line of the table.
struct Row {
  let quantity: String
  let target: String
  let figure: String
  /// Whether the target is met; nil where there is none.
  let isMet: Bool?
}

/// The figures of a run, in sections.
struct Report {
  private(set) var sections: [(title: String, rows: [Row])] = []

  mutating func begin(_ title: String) {
    sections.append((title, []))
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

  /// As Markdown, which is also readable in a terminal.
  var markdown: String {
    var text = ""
    for section in sections where !section.rows.isEmpty {
      text +=
        "### \(section.title)\n\n| Quantity | Target | Figure | |\n| --- | --- | --- | --- |\n"
      for row in section.rows {
        let verdict = row.isMet.map { $0 ? "met" : "**missed**" } ?? ""
        text += "| \(row.quantity) | \(row.target) | \(row.figure) | \(verdict) |\n"
      }
      text += "\n"
    }
    return text
  }
}
