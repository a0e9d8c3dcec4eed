import CockpitAnswers
import CockpitText
import TerminalCore

/// A line of the answer to "why" that the cursor can stand on.
struct WhyLine: Hashable {
  /// The label, such as the name of a step.
  var name: PlainText
  var state: PlainText = ""
  /// The id of the row that it rests on.
  var id: PlainText = ""
  var detail: PlainText
  var role = Role.text
  /// Whether the exchange stopped here.
  var isStop = false
  /// The action of Enter.
  var target: Answer.NextStep.Target?

  /// Where the id of its row stands, in columns from the left.
  var idColumn: Int { state.isEmpty ? 12 : 24 }

  /// Where its text begins.
  var detailColumn: Int { idColumn + (id.isEmpty ? 0 : id.columns + 1) }

  /// All lines below the sentence, in their order.
  static func all(of why: Why) -> [WhyLine] {
    why.checklist.map(step) + costs(why) + [slowest(why)] + facts(why) + evidence(why)
  }

  private static func step(_ step: WhyStep) -> WhyLine {
    let role: Role =
      switch step.state {
      case .observed: .text
      case .inferred: .info
      case .unknown: .muted
      case .notReached: .faint
      }
    return WhyLine(
      name: PlainText(step.kind.rawValue), state: PlainText(step.state.rawValue),
      id: WhyText.id(step.source), detail: PlainText(step.detail, limit: 400),
      role: step.isStop ? .warning : role, isStop: step.isStop,
      target: step.source?.row.map { .row($0) })
  }

  /// The sum, then the rows that it is made of, the dearest first.
  private static func costs(_ why: Why) -> [WhyLine] {
    let costs = why.exchange.costs.sorted { $0.usd > $1.usd }
    let text = WhyText(why, clock: .local)
    guard costs.count > 1 else {
      return [
        WhyLine(
          name: "cost", detail: text.cost, role: costs.isEmpty ? .muted : .cost,
          target: costs.first?.source.row.map { .row($0) })
      ]
    }
    let sum = WhyLine(
      name: "cost", detail: WhyText.money(why.exchange.costUSD ?? 0) + " in all", role: .cost,
      target: costs.first?.source.row.map { .row($0) })
    return [sum]
      + costs.map { cost in
        let byTime: PlainText = cost.source.link == .time ? ", found by time" : ""
        return WhyLine(
          name: "", id: WhyText.id(cost.source),
          detail: WhyText.money(cost.usd) + " " + PlainText(cost.name, limit: 40) + byTime,
          role: .cost, target: cost.source.row.map { .row($0) })
      }
  }

  private static func slowest(_ why: Why) -> WhyLine {
    let step = why.exchange.slowest
    return WhyLine(
      name: "slowest", detail: WhyText(why, clock: .local).slowest,
      role: step == nil ? .muted : .text, target: step?.source.row.map { .row($0) })
  }

  private static func facts(_ why: Why) -> [WhyLine] {
    let facts = why.exchange.facts
    guard !facts.isEmpty else {
      return [
        WhyLine(name: "facts", detail: WhyText(why, clock: .local).facts, role: .muted)
      ]
    }
    let head = WhyLine(
      name: "facts",
      detail: PlainText("\(facts.count) in front of the model, those first that share words"),
      target: why.exchange.prompt?.row.map { .row($0) })
    return [head]
      + facts.map { fact in
        WhyLine(
          name: "", id: fact.id.map { PlainText("#\($0)") } ?? "",
          detail: PlainText(fact.text, limit: 400), role: .memory,
          target: fact.id.map { .line("facts show \($0)") })
      }
  }

  private static func evidence(_ why: Why) -> [WhyLine] {
    why.answer.evidence.enumerated().map { index, item in
      WhyLine(
        name: index == 0 ? "evidence" : "",
        id: item.actionID.map { PlainText("#\($0)") } ?? "",
        detail: PlainText(item.kind, limit: 60) + ": " + PlainText(item.claim, limit: 120),
        role: .muted, target: item.rowID.map { .row($0) })
    }
  }
}
