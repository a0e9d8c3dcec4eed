import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

/// The writes to the backend from this machine, newest first.
@MainActor
struct JournalLines {
  let mask: OwnerMask
  let facts: ViewContext
  let width: Int

  var lines: [MemoryLine] {
    var lines = MemoryLine.state(facts.memory.journal, "the journal", facts, width: width)
    if let problem = facts.memory.diskProblem {
      lines += MemoryLine.wrapped(PlainText(problem, limit: 400), .negative, width: width)
    }
    guard let entries = facts.memory.journal.value else { return lines }
    guard !entries.isEmpty else {
      return lines
        + MemoryLine.wrapped(
          "nothing was edited or deleted from this machine yet", .muted, width: width)
    }
    // A write has two lines; the first matters only until the second exists.
    let ended = Set(entries.lazy.filter { $0.outcome != .sending }.map(\.write))
    var words: [String: [Fact]] = [:]
    for entry in entries where !entry.facts.isEmpty { words[entry.write] = entry.facts }
    for entry in entries.reversed().prefix(500) {
      guard entry.outcome != .sending || !ended.contains(entry.write) else { continue }
      var entry = entry
      entry.facts = words[entry.write] ?? []
      lines += Self.line(entry, mask: mask, facts: facts, width: width, isNamed: true)
    }
    return lines
  }

  /// One write: time and outcome, then the text before and after.
  static func line(
    _ entry: JournalEntry, mask: OwnerMask, facts: ViewContext, width: Int, isNamed: Bool
  ) -> [MemoryLine] {
    var head = [
      StyledText(facts.clock.day(ms: entry.atMs) + " " + facts.clock.time(ms: entry.atMs), .muted),
      StyledText(PlainText(entry.verb.rawValue), .memory),
    ]
    if let subject = entry.subject {
      head.append(StyledText(PlainText(subject, limit: 80), .number))
    } else if isNamed {
      head.append(StyledText(PlainText("#\(entry.factID)"), .number))
    }
    head.append(StyledText(outcome(entry.outcome), role(entry.outcome), .bold))
    let link: MemoryLine.Link? =
      isNamed && facts.memory.facts[entry.factID] != nil ? .fact(entry.factID) : nil
    var lines = [MemoryLine(head, link: link)]
    if let detail = entry.detail, !detail.isEmpty {
      lines += MemoryLine.wrapped(
        PlainText(detail, limit: 300), .muted, width: width, indent: 1, link: link)
    }
    let isMasked = [entry.before, entry.after].contains { $0.map(mask.hides) == true }
    guard !isMasked else {
      return lines + [MemoryLine(OwnerMask.text(facts.keys), .warning, indent: 1, link: .unmask)]
    }
    for fact in entry.facts.prefix(200) {
      lines += MemoryLine.wrapped(
        "- " + PlainText(mask.hides(fact) ? "-" : fact.fact ?? "-", limit: 400), .negative,
        width: width, indent: 1)
    }
    for change in changes(entry) {
      lines += MemoryLine.wrapped(change.0, change.1, width: width, indent: 1, link: link)
    }
    return lines
  }

  /// The members that differ; of a deletion the whole text.
  private static func changes(_ entry: JournalEntry) -> [(PlainText, Role)] {
    guard let before = entry.before else {
      return entry.after?.fact.map { [("+ " + PlainText($0, limit: 400), .positive)] } ?? []
    }
    guard let after = entry.after else {
      return [("- " + PlainText(before.fact ?? "-", limit: 400), .negative)]
    }
    var changes: [(PlainText, Role)] = []
    func compare(_ label: PlainText, _ old: String?, _ new: String?) {
      if old == new, (old ?? "").isIdentical(to: new ?? "") { return }
      changes.append(("- " + label + PlainText(old ?? "-", limit: 400), .negative))
      changes.append(("+ " + label + PlainText(new ?? "-", limit: 400), .positive))
    }
    compare("", before.fact, after.fact)
    compare("subject ", before.subject, after.subject)
    compare("type ", before.factType?.rawValue, after.factType?.rawValue)
    compare("evidence ", before.evidenceText, after.evidenceText)
    if before.confidence != after.confidence {
      changes.append(
        (
          "conf " + Figures.unit(before.confidence) + " > " + Figures.unit(after.confidence),
          .number
        ))
    }
    return changes
  }

  private static func outcome(_ outcome: JournalEntry.Outcome) -> PlainText {
    switch outcome {
    case .sending: "sent, no outcome on record"
    case .stored, .deleted: PlainText(outcome.rawValue)
    case .conflict: "changed meanwhile: nothing was sent"
    case .duplicate: "refused: a duplicate"
    case .gone: "gone already"
    case .refused: "refused"
    case .failed: "failed"
    case .unknown: "outcome unknown"
    }
  }

  private static func role(_ outcome: JournalEntry.Outcome) -> Role {
    switch outcome {
    case .stored, .deleted: .positive
    case .sending, .unknown, .conflict: .warning
    case .duplicate, .gone, .refused, .failed: .negative
    }
  }
}
