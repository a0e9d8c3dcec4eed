package import CockpitText
package import TerminalCore

/// An answer as lines for people: the sentence, the steps, what it cost, what was slow, which facts stood in
/// front of the model, and what to do next.
package struct WhyText {
  private let why: Why
  private let clock: ClockFormat

  package init(_ why: Why, clock: ClockFormat) {
    self.why = why
    self.clock = clock
  }

  private var exchange: Exchange { why.exchange }

  /// Facts that are listed; more say too little each.
  private static let factLimit = 5

  /// All lines, each at most so many columns wide where words allow it.
  package func lines(width: Int) -> [PlainText] {
    var lines = PlainText(why.answer.sentence).wrapped(to: width)
    lines.append(about)
    lines.append("")
    lines += why.checklist.map(line)
    lines.append("")
    for (name, value) in rows {
      for (index, part) in value.wrapped(to: width - Self.indent).enumerated() {
        lines.append((index == 0 ? name : "").padded(to: Self.indent) + part)
      }
    }
    return lines
  }

  private static let indent = 11

  /// State, medium, when and in how long.
  package var about: PlainText {
    let time = clock.day(ms: exchange.startMs) + " " + clock.time(ms: exchange.startMs)
    let took: PlainText =
      exchange.totalMs.map { ", " + Figures.duration(ms: Double($0)) + " in all" } ?? ""
    let state = PlainText(why.answer.state.rawValue)
    return state + " | " + PlainText(exchange.medium.rawValue) + " | " + time + took
  }

  /// A step: where it stopped has a mark.
  package func line(_ step: WhyStep) -> PlainText {
    let mark: PlainText = step.isStop ? "> " : "  "
    let name = PlainText(step.kind.rawValue).padded(to: 10)
    let state = PlainText(step.state.rawValue).padded(to: 12)
    return mark + name + state + Self.id(step.source).padded(to: 8)
      + PlainText(step.detail, limit: 300)
  }

  /// `#1406`, or nothing.
  package static func id(_ source: Exchange.Source?) -> PlainText {
    source?.actionID.map { PlainText("#\($0)") } ?? ""
  }

  /// The entries below the steps, by name.
  package var rows: [(PlainText, PlainText)] {
    var rows: [(PlainText, PlainText)] = [("cost", cost)]
    rows.append(("slowest", slowest))
    rows.append(("facts", facts))
    rows.append(("evidence", evidence))
    if let next = why.answer.next { rows.append(("next", PlainText(next.sentence, limit: 300))) }
    return rows
  }

  package var cost: PlainText {
    guard let usd = exchange.costUSD else { return "no row of it has a cost" }
    let parts = exchange.costs.prefix(6).map { cost in
      let byTime: PlainText = cost.source.link == .time ? " by time" : ""
      let id = Self.id(cost.source)
      return PlainText(cost.name, limit: 40) + " " + Self.money(cost.usd)
        + (id.isEmpty ? "" : " " + id) + byTime
    }
    let more = exchange.costs.count - parts.count
    let rest: PlainText = more > 0 ? " and \(more) more" : ""
    return Self.money(usd) + ": " + parts.joined(separator: ", ") + rest
  }

  /// Embeddings cost less than a hundredth of a cent, which is not nothing.
  package static func money(_ usd: Double) -> PlainText {
    usd > 0 && usd < 0.0001 ? "<$0.0001" : Figures.cost(usd)
  }

  package var slowest: PlainText {
    guard let step = exchange.slowest else { return "no row tells how long a step took" }
    let of: PlainText =
      exchange.totalMs.map { " of " + Figures.duration(ms: Double($0)) + " in all" } ?? ""
    let note: PlainText = step.isInferred ? ", the time between two rows" : ""
    return step.name + " " + Figures.duration(ms: Double(step.ms)) + of + note
      + " " + Self.id(step.source)
  }

  package var facts: PlainText {
    guard let prompt = exchange.prompt else { return "no prompt of it is on record" }
    guard exchange.knownFacts > 0 else { return "the bot's facts are not loaded here" }
    guard !exchange.facts.isEmpty else {
      return "none of the known facts stands in the prompt " + Self.id(prompt)
    }
    let list = exchange.facts.prefix(Self.factLimit).map { fact in
      let id: PlainText = fact.id.map { PlainText("#\($0) ") } ?? ""
      if fact.isOwnerPrivate { return id + "(private)" }
      return id + "\"" + PlainText(fact.text, limit: 60) + "\""
    }
    let more = exchange.facts.count - list.count
    let rest: PlainText = more > 0 ? " and \(more) more" : ""
    return "in front of the model: " + list.joined(separator: ", ") + rest
  }

  private var evidence: PlainText {
    why.answer.evidence.prefix(6).map { item in
      let id = item.actionID.map { PlainText("#\($0) ") } ?? ""
      return id + PlainText(item.kind, limit: 40) + ": " + PlainText(item.claim, limit: 80)
    }.joined(separator: "; ")
  }
}
