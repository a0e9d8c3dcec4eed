import CockpitText
import ClankyWire
import CockpitStores
import LenientJSON
import TerminalCore

/// A fact in full: its members, its changes, its duplicates, and its provenance.
@MainActor
struct FactLines {
  let mask: OwnerMask
  let caches: MemoryCaches
  /// Maximum number of rows searched for the fact's provenance.
  let rowLimit: Int
  let facts: ViewContext
  let row: FactView.Row
  let width: Int

  static let provenanceHeading: PlainText = "WHERE IT COMES FROM"

  var fact: Fact { row.fact }

  var lines: [MemoryLine] {
    var lines: [MemoryLine] = []
    if mask.hides(fact) {
      lines.append(MemoryLine(OwnerMask.text(facts.keys), .warning, .bold, link: .unmask))
    } else {
      lines += PlainText(fact.fact ?? "-", limit: 4000)
        .wrapped(to: max(8, width), limit: 40).map { MemoryLine($0, .heading, .bold) }
    }
    if let mark = FactMark(row.id, facts, selection: []), let sentence = mark.sentence(facts.keys) {
      lines += MemoryLine.wrapped(sentence, mark.role, width: width)
    }
    lines += failures
    lines += evidence
    lines += members
    lines += history
    lines += doubles
    return lines
  }

  // MARK: Members

  private var members: [MemoryLine] {
    var lines: [MemoryLine] = []
    func add(_ label: PlainText, _ value: PlainText, _ role: Role = .text) {
      lines += MemoryLine.field(label, value, role, width: width)
    }
    add("UPDATED", time(fact.updatedAt), .number)
    add("CREATED", time(fact.createdAt), .number)
    let subject = fact.subject.map { facts.names.subject($0) } ?? "-"
    var name = PlainText(subject, limit: 80)
    if let id = fact.subject, id != subject { name += "  " + PlainText(id, limit: 40) }
    add("SUBJECT", name, .memory)
    add("TYPE", PlainText(fact.factType?.rawValue ?? "-", limit: 60))
    lines.append(
      MemoryLine(
        [
          StyledText("CONF   ", .muted), StyledText(confidence, .number),
        ], bar: fact.confidence))
    if let score = row.score {
      var text = Figures.unit(score)
      text += "  meaning " + Figures.unit(row.semanticScore)
      text += "  words " + Figures.unit(row.lexicalScore)
      add("SCORE", text, .number)
    }
    add("SCOPE", scope)
    add("ID", PlainText("#\(row.id)") + (fact.isLegacy == true ? "  from an older store" : ""))
    return lines
  }

  private var confidence: PlainText {
    guard let value = fact.confidence, value.isFinite else { return "-" }
    return PlainText(Figures.fixed(value, 3).replacing(/0$/, with: ""))
      + (value > 0 && value < FactBadge.doubtful ? " low" : "")
  }

  private var scope: PlainText {
    var text = PlainText(fact.scope?.rawValue ?? "guild", limit: 40)
    if let guild = fact.guildID { text += "  " + PlainText(facts.names.guild(guild), limit: 60) }
    let listed = facts.memory.facts[row.id]?.guilds.sorted() ?? []
    if fact.guildID == nil, !listed.isEmpty {
      let names = listed.prefix(3).map { PlainText(facts.names.guild($0), limit: 30) }
      text += "  listed by " + names.joined(separator: ", ")
      if listed.count > 3 { text += PlainText(" +\(listed.count - 3)") }
    }
    return text
  }

  private func time(_ time: WireTime?) -> PlainText {
    guard let ms = time?.milliseconds else { return "-" }
    let age = Figures.age(ms: facts.nowMs - ms)
    return facts.clock.day(ms: ms) + " " + facts.clock.time(ms: ms).prefix(columns: 5) + " " + age
      + " ago"
  }

  private var evidence: [MemoryLine] {
    var lines: [MemoryLine] = []
    if mask.hides(fact) {
      lines += MemoryLine.field("EVID", "••••", .muted, width: width)
    } else if let text = fact.evidenceText, !text.isEmpty {
      lines += MemoryLine.field("EVID", "\"" + PlainText(text, limit: 2000) + "\"", width: width)
    } else {
      lines += MemoryLine.field("EVID", "none was kept", .muted, width: width)
    }
    var source = fact.sourceMessageID.map { "message " + PlainText($0, limit: 60) } ?? "-"
    if let channel = fact.channelID {
      source += "  #" + PlainText(facts.names.channel(channel), limit: 40)
    }
    return lines + MemoryLine.field("SOURCE", source, width: width)
  }

  // MARK: Changes

  /// A deletion that did not work out.
  private var failures: [MemoryLine] {
    guard
      let failed = facts.memory.deletions.last(where: { deletion in
        if case .failed = deletion.state {
          deletion.facts.contains { $0.id == row.id }
        } else {
          false
        }
      }), case .failed(let problem) = failed.state
    else { return [] }
    return MemoryLine.wrapped(
      "not deleted: " + PlainText(problem, limit: 300), .negative, width: width)
  }

  private var history: [MemoryLine] {
    let entries = (facts.memory.journal.value ?? []).filter {
      $0.factID == row.id && $0.outcome != .sending
    }
    guard !entries.isEmpty else { return [] }
    return [.heading("HISTORY")]
      + entries.suffix(8).reversed().flatMap { entry in
        JournalLines.line(entry, mask: mask, facts: facts, width: width, isNamed: false)
      }
  }

  private var doubles: [MemoryLine] {
    let near = caches.near(to: fact, in: facts.memory.facts)
    guard !near.isEmpty, !mask.hides(fact) else { return [] }
    var lines: [MemoryLine] = [.heading("SAYS NEARLY THE SAME")]
    for other in near.prefix(5) {
      guard let found = facts.memory.facts[other.id]?.fact else { continue }
      lines.append(
        MemoryLine(
          [
            StyledText(Figures.unit(other.share).leftPadded(to: 3), .number),
            StyledText(PlainText("#\(other.id)"), .muted),
            StyledText(PlainText(found.fact ?? "-", limit: 400)),
          ], link: .fact(other.id)))
    }
    if near.count > 5 { lines.append(MemoryLine(PlainText("and \(near.count - 5) more"), .muted)) }
    return lines
  }

  // MARK: Raw

  /// The fact as JSON, as far as the cockpit has kept it.
  var raw: [MemoryLine] {
    guard !mask.hides(fact) else {
      return [MemoryLine(OwnerMask.text(facts.keys), .warning, .bold, link: .unmask)]
    }
    return fact.json.prettyLines(limit: 200).flatMap {
      MemoryLine.wrapped(PlainText($0, limit: 4000), width: width)
    }
  }
}
