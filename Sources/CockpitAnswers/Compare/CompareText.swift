package import CockpitText
package import TerminalCore

/// A comparison as lines for people.
@MainActor
package struct CompareText {
  private let comparison: Comparison
  private let clock: ClockFormat

  package init(_ comparison: Comparison, clock: ClockFormat) {
    self.comparison = comparison
    self.clock = clock
  }

  /// - Parameter isShort: without the interval.
  package static func value(
    _ value: Comparison.Value, _ unit: Comparison.Unit, isShort: Bool = false
  ) -> PlainText {
    guard isShort else { return PlainText(CompareWords.value(value, unit), limit: 80) }
    guard value.value != nil else { return value.n > 0 ? "- n " + Figures.count(value.n) : "-" }
    return PlainText(CompareWords.value(value.value, unit), limit: 20) + " n "
      + Figures.count(value.n)
  }

  /// - Parameter isShort: without the word of its unit.
  package static func difference(
    _ difference: Comparison.Difference?, isShort: Bool = false
  ) -> PlainText {
    let words = CompareWords.difference(difference)
    return PlainText(isShort ? words.replacing(" points", with: "") : words, limit: 60)
  }

  package static func title(_ topic: Comparison.Share.Topic) -> PlainText {
    switch topic {
    case .outcomes: "how turns ended"
    case .silences: "why it was silent"
    case .models: "models, of calls"
    case .tools: "tools, of calls"
    case .kinds: "kinds, of rows"
    }
  }

  /// `the 24 hours before, 05-08 20:00:00 to 05-09 20:00:00, 212 turns`
  package func about(_ side: Comparison.Side) -> PlainText {
    let name = PlainText(side.name, limit: 100)
    let from = side.ranges.first?.lowerBound
    let to = side.ranges.last?.upperBound
    let span: PlainText =
      from.flatMap { from in to.map { ", " + moment(from) + " to " + moment($0) } } ?? ""
    let turns = side.turns == 1 ? "one turn" : Figures.count(side.turns) + " turns"
    return name + span + ", " + turns
      + (side.missing.isEmpty ? "" : ", rows are missing")
  }

  package func moment(_ ms: Int64) -> PlainText {
    clock.monthDay(ms: ms) + " " + clock.time(ms: ms)
  }

  /// What figures without a difference could have shown.
  package var remarks: [PlainText] {
    comparison.figures.compactMap { figure in
      guard figure.verdict == .same || figure.verdict == .tooLittle, let remark = figure.remark
      else { return nil }
      return PlainText(figure.title + ": " + remark, limit: 300)
    }
  }

  /// The changes that lie between the sides, one a line.
  package static func line(_ change: LedgerChange, _ clock: ClockFormat) -> PlainText {
    clock.monthDay(ms: change.timeMs) + " " + clock.time(ms: change.timeMs) + "  "
      + PlainText(change.words, limit: 200)
  }

  /// A change, and below it the sentences that a prompt gained and lost.
  static func lines(_ change: LedgerChange, _ clock: ClockFormat, width: Int) -> [PlainText] {
    let sentences = change.added.map { "+ " + $0 } + change.removed.map { "- " + $0 }
    return ["  " + line(change, clock)]
      + sentences.map { "      " + PlainText($0, limit: 210).cut(to: max(10, width - 6)) }
  }

  private static let columns = (figure: 26, value: 33, difference: 29)

  /// All lines; the table is as wide as it is, words are wrapped.
  package func lines(width: Int) -> [PlainText] {
    var lines = PlainText(comparison.answer.sentence, limit: 2000).wrapped(to: width)
    lines.append("")
    lines += ("A: " + about(comparison.a)).wrapped(to: width)
    lines += ("B: " + about(comparison.b)).wrapped(to: width)
    for stretch in (comparison.a.missing + comparison.b.missing).prefix(4) {
      lines += PlainText(stretch.sentence(clock), limit: 300).wrapped(to: width)
    }
    lines.append("")
    lines.append(row("", "A", "B", "B against A", "verdict"))
    for figure in comparison.figures {
      lines.append(
        row(
          PlainText(figure.title), Self.value(figure.a, figure.unit),
          Self.value(figure.b, figure.unit), Self.difference(figure.difference),
          PlainText(figure.words)))
    }
    if !remarks.isEmpty {
      lines.append("")
      lines += remarks.flatMap { $0.wrapped(to: width) }
    }
    for topic in Comparison.Share.Topic.allCases {
      let shares = comparison.shares.filter { $0.topic == topic }.prefix(6)
      guard !shares.isEmpty else { continue }
      lines.append("")
      lines.append(Self.title(topic))
      for share in shares {
        lines.append(
          "  " + PlainText(share.name, limit: 60).cut(to: 30).padded(to: 31)
            + Self.count(share.a, share.ofA).padded(to: 15)
            + Self.count(share.b, share.ofB).padded(to: 15) + Self.difference(share.difference))
      }
    }
    if !comparison.incidents.isEmpty {
      lines.append("")
      lines.append(Self.incidentTitle)
      for rate in comparison.incidents.prefix(12) {
        lines.append(
          "  " + PlainText(rate.rule, limit: 60).cut(to: 30).padded(to: 31)
            + Self.rate(rate.a, rate.turnsA).padded(to: 15)
            + Self.rate(rate.b, rate.turnsB).padded(to: 15) + Self.difference(rate.difference))
      }
    }
    if !comparison.changes.isEmpty {
      lines.append("")
      lines.append("changed meanwhile")
      for change in comparison.changes.suffix(12) {
        lines += Self.lines(change, clock, width: width)
      }
    }
    return lines
  }

  /// Of the list of what rules found.
  package static let incidentTitle: PlainText = "incidents, and how many per 100 turns"

  /// `3, 1.2`: so many, and per 100 turns; without turns there is no rate.
  package static func rate(_ count: Int, _ turns: Int) -> PlainText {
    guard turns > 0 else { return Figures.count(count) + ", no turns" }
    return Figures.count(count) + ", "
      + PlainText(CompareWords.fixed(100 * Double(count) / Double(turns), 1))
  }

  /// `30 of 43`
  package static func count(_ hits: Int, _ n: Int) -> PlainText {
    Figures.count(hits) + " of " + Figures.count(n)
  }

  private func row(
    _ figure: PlainText, _ a: PlainText, _ b: PlainText, _ difference: PlainText,
    _ verdict: PlainText
  ) -> PlainText {
    figure.padded(to: Self.columns.figure) + a.padded(to: Self.columns.value)
      + b.padded(to: Self.columns.value) + difference.padded(to: Self.columns.difference) + verdict
  }
}
