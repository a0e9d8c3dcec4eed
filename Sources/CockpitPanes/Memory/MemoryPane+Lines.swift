import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

extension MemoryPane {
  /// The lines of a text panel in lines of a width.
  @MainActor func lines(_ panel: Panel, _ facts: Facts, _ layout: Layout) -> [MemoryLine] {
    let width = layout.content(panel).width
    return switch panel {
    case .subjects, .facts: []
    case .detail:
      detailLines(facts, width: width, hasProvenance: !layout[.provenance].isEmpty)
    case .provenance: provenanceLines(facts, width: width)
    case .reflections:
      layout.content(.reflections).height > 1
        ? ReflectionLines(pane: self, facts: facts, width: width).short
        : ReflectionLines(pane: self, facts: facts, width: width).strip
    case .document: documentLines(facts, width: width)
    }
  }

  @MainActor private func documentLines(_ facts: Facts, width: Int) -> [MemoryLine] {
    switch view {
    case .facts: []
    case .reflections: ReflectionLines(pane: self, facts: facts, width: width).lines
    case .markdown: MarkdownLines(pane: self, facts: facts, width: width).lines
    case .profile: ProfileLines(pane: self, facts: facts, width: width).profile
    case .recall: ProfileLines(pane: self, facts: facts, width: width).recall
    case .journal: JournalLines(pane: self, facts: facts, width: width).lines
    }
  }

  @MainActor private func detailLines(
    _ facts: Facts, width: Int, hasProvenance: Bool
  ) -> [MemoryLine] {
    guard let row = current(facts) else {
      return MemoryLine.wrapped("no fact is selected", .muted, width: width)
    }
    let lines = FactLines(pane: self, facts: facts, row: row, width: width)
    if isRaw { return lines.raw }
    // Without a panel of its own the provenance follows the fact.
    return hasProvenance
      ? lines.lines : lines.lines + [.empty] + provenanceLines(facts, width: width)
  }

  @MainActor private func provenanceLines(_ facts: Facts, width: Int) -> [MemoryLine] {
    guard let row = current(facts) else { return [] }
    return FactLines(pane: self, facts: facts, row: row, width: width).provenance
  }

  /// What stands in the place of something that is fetched while it is not here.
  @MainActor static func state<Value>(
    _ load: Fetched<Value>, _ name: PlainText, _ facts: Facts, width: Int
  ) -> [MemoryLine] {
    switch load {
    case .none:
      let text: PlainText =
        facts.isHeard ? "asking for \(name)" : "no connection: \(name) come with one"
      return MemoryLine.wrapped(text, .muted, width: width)
    case .loading(nil): return [MemoryLine("loading \(name) …", .muted)]
    case .loading: return [MemoryLine("loading anew …", .muted)]
    case .loaded: return []
    case .notServed:
      return MemoryLine.wrapped("this backend has no \(name)", .warning, width: width)
    case .failed(let failure, let value):
      let rest: PlainText = value == nil ? "" : "; what follows is from before"
      return MemoryLine.wrapped(
        PlainText(problem: failure.sentence, limit: 300) + rest + "; " + facts.keys.text(.refresh)
          + " asks again",
        .negative,
        width: width)
    }
  }
}
