import CockpitText
import CockpitDomain
import Networking
import ClankyWire
import CockpitStores
import TerminalCore

extension FactLines {
  /// Where the fact comes from and where it was used, according to the stored rows.
  var provenance: [MemoryLine] {
    var lines: [MemoryLine] = [.heading(Self.provenanceHeading)]
    guard !mask.hides(fact) else {
      return lines + [MemoryLine(OwnerMask.text(facts.keys), .warning, link: .unmask)]
    }
    let found = caches.provenance(of: fact, facts, rowLimit: rowLimit)
    lines += found.sourceRows.prefix(20).flatMap { row($0, "said in", .textDomain) }
    lines += run(found)
    lines += found.writes.prefix(20).flatMap(write)
    if lines.count == 1 { lines.append(MemoryLine("no row that is here tells", .muted)) }
    lines += found.sessions.prefix(10).flatMap(session)
    switch found.uses.count {
    case 0: lines.append(.heading("NOT SEEN IN USE"))
    case 1: lines.append(.heading("USED ONCE"))
    default: lines.append(.heading("USED " + Figures.count(found.uses.count) + " TIMES"))
    }
    lines += found.uses.prefix(100).flatMap(use)
    let more = found.uses.count - 100
    if more > 0 { lines.append(MemoryLine(PlainText("and \(more) more"), .muted)) }
    for sentence in found.unknown {
      lines += MemoryLine.wrapped(PlainText(sentence, limit: 300), .muted, width: width)
    }
    return lines
  }

  /// A feed row in one line: time, relation to the fact, and text.
  private func row(_ id: RowID, _ what: PlainText, _ role: Role) -> [MemoryLine] {
    guard let row = facts.activity.log.row(id), let parsed = facts.actions.action(for: row) else {
      return []
    }
    return [
      MemoryLine(
        [
          StyledText(time(ms: row.timeMs), .muted), StyledText(what, role),
          StyledText(facts.summary(of: parsed).text),
        ], link: .row(id))
    ]
  }

  private func time(ms: Int64) -> PlainText {
    let isToday = facts.clock.dayNumber(ms: ms) == facts.clock.dayNumber(ms: facts.nowMs)
    return isToday ? facts.clock.time(ms: ms) : facts.clock.day(ms: ms)
  }

  private func run(_ found: Provenance) -> [MemoryLine] {
    guard let id = found.runID else { return [] }
    let text = "saved by the reflection " + PlainText(id, limit: 60)
    return MemoryLine.wrapped(text, .memory, width: width, link: .run(id))
      + found.runRows.prefix(5).flatMap { row($0, "run", .memory) }
  }

  private func write(_ write: Provenance.Write) -> [MemoryLine] {
    var text: PlainText = "written"
    if let reason = write.reason { text += ": " + PlainText(reason, limit: 60) }
    if let source = write.source { text += " by " + PlainText(source, limit: 60) }
    return [
      MemoryLine(
        [StyledText(time(ms: write.timeMs), .muted), StyledText(text, .memory)],
        link: .row(write.row))
    ]
  }

  private func use(_ use: Provenance.Use) -> [MemoryLine] {
    let evidence: PlainText =
      switch use.evidence {
      case .listed: "listed"
      case .text(let key): "in " + PlainText(key, limit: 40)
      }
    return [
      MemoryLine(
        [
          StyledText(time(ms: use.timeMs), .muted),
          StyledText(PlainText(use.kind, limit: 40), .llm),
          StyledText(evidence),
        ], link: .row(use.row))
    ]
  }

  private func session(_ session: Provenance.Session) -> [MemoryLine] {
    var lines: [MemoryLine] = []
    if session.isLoaded {
      lines.append(
        MemoryLine(
          facts.asOf(.voice).map { $0 + ", loaded in the voice session" }
            ?? "loaded in the live voice session", .voice))
    }
    if let at = session.generatedAtMs {
      var text: PlainText = "in front of its last generation, "
      text += Figures.age(ms: facts.nowMs - at) + " ago"
      if let said = session.transcript, !said.isEmpty {
        text += ": \"" + PlainText(said, limit: 200) + "\""
      }
      lines += MemoryLine.wrapped(text, .voice, width: width)
    }
    return lines
  }
}
