import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

extension MemoryPane {
  /// The lines of a text panel in lines of a width.
  @MainActor func lines(_ panel: Panel, _ facts: ViewContext, _ layout: Layout) -> [MemoryLine] {
    let width = layout.content(panel).width
    return switch panel {
    case .subjects, .facts: []
    case .detail:
      detailLines(facts, width: width, hasProvenance: !layout[.provenance].isEmpty)
    case .provenance: provenanceLines(facts, width: width)
    case .reflections:
      layout.content(.reflections).height > 1
        ? reflections(facts, width: width).short
        : reflections(facts, width: width).strip
    case .document: documentLines(facts, width: width)
    }
  }

  @MainActor private func documentLines(_ facts: ViewContext, width: Int) -> [MemoryLine] {
    switch view {
    case .facts: []
    case .reflections: reflections(facts, width: width).lines
    case .markdown: markdown(facts, width: width).lines
    case .profile: person(facts, width: width).profile
    case .recall: person(facts, width: width).recall
    case .journal: JournalLines(mask: mask, facts: facts, width: width).lines
    }
  }

  @MainActor private func detailLines(
    _ facts: ViewContext, width: Int, hasProvenance: Bool
  ) -> [MemoryLine] {
    guard let row = current(facts) else {
      return MemoryLine.wrapped("no fact is selected", .muted, width: width)
    }
    let lines = fact(row, facts, width: width)
    if isRaw { return lines.raw }
    // If the provenance panel is hidden, the provenance follows the fact.
    return hasProvenance
      ? lines.lines : lines.lines + [.empty] + provenanceLines(facts, width: width)
  }

  @MainActor private func provenanceLines(_ facts: ViewContext, width: Int) -> [MemoryLine] {
    guard let row = current(facts) else { return [] }
    return fact(row, facts, width: width).provenance
  }

  /// Moving through the list searches fewer rows than focusing the text itself.
  @MainActor private func fact(_ row: FactView.Row, _ facts: ViewContext, width: Int) -> FactLines {
    FactLines(
      mask: mask, caches: caches, rowLimit: rowLimit, facts: facts, row: row, width: width)
  }

  private var rowLimit: Int { focus == .facts ? 1000 : Provenance.rowLimit }

  @MainActor private func markdown(_ facts: ViewContext, width: Int) -> MarkdownLines {
    MarkdownLines(mask: mask, caches: caches, facts: facts, width: width)
  }

  @MainActor private func reflections(_ facts: ViewContext, width: Int) -> ReflectionLines {
    ReflectionLines(
      openRuns: openRuns, mask: mask, caches: caches, facts: facts, guild: query.guild, width: width
    )
  }

  @MainActor package mutating func prepare(_ facts: ViewContext, body: Rect, screen: Size) {
    prepare(facts, layout(facts, in: body, of: screen))
  }

  /// Counts and compares what the next frames show; drawing caches nothing.
  @MainActor mutating func prepare(_ facts: ViewContext, _ layout: Layout) {
    let table = facts.memory.facts
    SubjectList.prepare(facts, guild: query.guild, &caches)
    if layout.rowHeight > 1 { caches.prepareDuplicates(in: table) }
    switch view {
    case .facts:
      guard let fact = current(facts)?.fact else { break }
      let hasDetail = !layout[.detail].isEmpty && !isRaw
      let hasProvenance = !layout[.provenance].isEmpty
      if hasDetail { caches.prepareNear(to: fact, in: table) }
      if hasDetail || hasProvenance, !mask.hides(fact) {
        caches.prepareProvenance(of: fact, facts, rowLimit: rowLimit)
      }
    case .reflections:
      if !openRuns.isEmpty { caches.prepareTexts(of: table) }
    case .markdown:
      markdown(facts, width: layout.content(.document).width).prepare(&caches)
    case .profile, .recall, .journal: break
    }
  }

  @MainActor private func person(_ facts: ViewContext, width: Int) -> ProfileLines {
    ProfileLines(
      guild: guildToAsk(facts), user: selectedUser, wasRequested: recalled != nil, mask: mask,
      facts: facts, width: width)
  }
}
