package import CockpitText
package import TerminalCore

/// A digest as lines for people.
package struct DigestText {
  private let digest: Digest
  private let clock: ClockFormat

  package init(_ digest: Digest, clock: ClockFormat) {
    self.digest = digest
    self.clock = clock
  }

  /// The name of a topic on screen.
  package static func title(_ topic: Digest.Topic) -> PlainText {
    switch topic {
    case .answers: "answers"
    case .silences: "silent"
    case .failures: "unanswered"
    case .unknown: "unclear"
    case .incidents: "incidents"
    case .errors: "errors"
    case .sessions: "voice"
    case .cost: "cost"
    case .automations: "automations"
    case .facts: "facts"
    }
  }

  /// Columns of the names of topics, and of counts.
  package static let nameColumns = 12
  package static let countColumns = 6

  /// The count and the words of a line.
  package static func words(_ line: Digest.Line) -> PlainText {
    let text = PlainText(line.text, limit: 600)
    // The line of a topic that counts in its words has no number before them.
    guard let count = line.count, !countsInWords.contains(line.topic) || line.isDetail else {
      return text
    }
    return Figures.count(count) + (text.isEmpty ? "" : ": ") + text
  }

  private static let countsInWords: Set<Digest.Topic> = [.automations, .facts, .cost]

  /// How sure it is, over which time, and what is missing of it.
  package var about: PlainText {
    let coverage = digest.answer.coverage
    func moment(_ ms: Int64?) -> PlainText {
      ms.map { clock.monthDay(ms: $0) + " " + clock.time(ms: $0) } ?? "?"
    }
    let whole: PlainText =
      digest.missing.isEmpty
      ? "all rows are here"
      : digest.missing.count == 1
        ? "rows are missing in one part"
        : PlainText("rows are missing in \(digest.missing.count) parts")
    return PlainText(digest.answer.state.rawValue) + " | " + moment(coverage.fromMs) + " to "
      + moment(coverage.toMs) + " | " + whole
  }

  /// What is missing, a sentence for each part; of many the first ones.
  package var missing: [PlainText] {
    let shown = digest.missing.prefix(Self.missingLimit).map {
      PlainText($0.sentence(clock), limit: 300)
    }
    let more = digest.missing.count - shown.count
    return shown + (more > 0 ? [PlainText("and \(more) more parts")] : [])
  }

  private static let missingLimit = 8

  /// All lines, each at most so many columns wide where words allow it.
  package func lines(width: Int) -> [PlainText] {
    var lines = PlainText(digest.answer.sentence, limit: 1000).wrapped(to: width)
    lines.append(about)
    lines += missing.flatMap { $0.wrapped(to: width) }
    lines.append("")
    for line in digest.lines {
      let name =
        line.isDetail ? "  " + PlainText(line.name, limit: 60) : Self.title(line.topic)
      let indent = line.isDetail ? 4 : Self.nameColumns
      let text = (line.isDetail ? name + " " : "") + Self.words(line)
      for (index, part) in text.wrapped(to: max(20, width - indent)).enumerated() {
        let head: PlainText = index == 0 && !line.isDetail ? name : ""
        lines.append(head.padded(to: line.isDetail && index == 0 ? 2 : indent) + part)
      }
    }
    return lines
  }

  /// The same as Markdown, for a chat or a ticket.
  package var markdown: [String] {
    func clean(_ text: PlainText) -> String {
      // Escape markup in untrusted text.
      text.description.map { "\\`*_[]<>|#".contains($0) ? "\\\($0)" : String($0) }.joined()
    }
    var lines = ["**\(clean(PlainText(digest.answer.sentence, limit: 1000)))**", "", clean(about)]
    if !digest.missing.isEmpty { lines.append("") }
    lines += missing.map { "> \(clean($0))" }
    lines.append("")
    for line in digest.lines {
      if line.isDetail {
        lines.append("  - \(clean(PlainText(line.name, limit: 60))): \(clean(Self.words(line)))")
      } else {
        lines.append("- **\(clean(Self.title(line.topic)))** \(clean(Self.words(line)))")
      }
    }
    return lines
  }
}
