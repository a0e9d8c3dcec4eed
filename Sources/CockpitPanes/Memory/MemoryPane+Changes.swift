import TerminalUI
import ClankyWire
import CockpitStores
import TerminalCore

extension MemoryPane {
  /// Commands that can lead to a change on the backend; with read-only facts they do nothing.
  @MainActor mutating func mutate(
    _ command: KeyAction, _ facts: ViewContext, _ layout: Layout
  ) -> [Effect]? {
    guard !facts.isReadOnly else {
      message = "read-only: nothing is changed from here"
      return []
    }
    switch command {
    case .undo:
      guard facts.memory.deletions.contains(where: { $0.state == .held }) else {
        message =
          facts.memory.deletions.isEmpty
          ? "no deletion is held" : PlainText(HeldDeletion.cannotRestore)
        return []
      }
      return [.memory(.undoDeletion)]
    case .sendHeld:
      guard facts.memory.deletions.contains(where: { $0.state == .held }) else {
        message = "no deletion is held"
        return []
      }
      return [.memory(.deleteNow)]
    case .purgeMemory: return askToPurge(facts)
    case .delete where view == .reflections: return askToDeleteRun(facts, layout)
    default: break
    }
    guard view == .facts else {
      message =
        "facts are changed in the view FACTS: " + facts.keys.text(.nextView) + " goes on to it"
      return []
    }
    guard let row = current(facts) else {
      message = "there is no fact to change"
      return []
    }
    // Keep the cursor on this fact, whatever rows arrive.
    cursor.hold(in: facts.factView.list(height: layout.visibleFacts))
    switch command {
    case .select:
      guard focus != .subjects else { return [] }
      if selection.remove(row.id) == nil { selection.insert(row.id) }
      cursor.move(by: 1, in: facts.factView.list(height: layout.visibleFacts))
      forgetDetail()
      return []
    case .edit, .editExternally: return edit(row, isExternal: command == .editExternally, facts)
    case .delete:
      let ids = chosen(row, facts)
      guard !ids.contains(where: { isMasked(id: $0, facts) }) else { return refuseMasked(facts) }
      guard let dialog = MemoryDialog.delete(ids, on: facts) else {
        message = "there is nothing to delete"
        return []
      }
      return [.open(NewLayer(dialog))]
    default: return nil
    }
  }

  /// The question before all memory of the shown guild is deleted.
  @MainActor private mutating func askToPurge(_ facts: ViewContext) -> [Effect] {
    let guilds = facts.memory.guilds ?? []
    guard let guild = query.guild ?? (guilds.count == 1 ? guilds[0] : nil) else {
      message =
        guilds.isEmpty
        ? "the guilds are not known yet, so none can be purged"
        : "choose the guild first: " + facts.keys.text(.previousTurn) + " "
          + facts.keys.text(.nextTurn) + " walk through them"
      return []
    }
    guard let name = facts.memory.guildNames[guild], !name.isEmpty else {
      message = "the name of this guild is not known, and the backend wants it; load anew"
      return []
    }
    return ask(.guild(id: guild, name: name), facts)
  }

  /// The question before the run under the cursor is deleted.
  @MainActor private mutating func askToDeleteRun(
    _ facts: ViewContext, _ layout: Layout
  ) -> [Effect] {
    let lines = lines(.document, facts, layout)
    let line = min(scrollPositions[.document]?.line ?? 0, lines.count - 1)
    // Lines of an unfolded run stand below its head.
    let key = lines.prefix(max(0, line + 1)).reversed().lazy.compactMap { line -> String? in
      if case .run(let key)? = line.link { key } else { nil }
    }.first
    guard let key, let runs = facts.memory.reflections.value?.runs else {
      message = "there is no run to delete"
      return []
    }
    guard let run = runs.first(where: { $0.runID == key }) else {
      message = "this run came without an id and cannot be deleted"
      return []
    }
    return ask(.run(id: key, day: run.dateKey), facts)
  }

  @MainActor private func ask(_ part: MemoryPart, _ facts: ViewContext) -> [Effect] {
    guard let prompt = PartPrompt(part, on: facts) else { return [] }
    return [.open(NewLayer(MemoryDialog.part(prompt)))] + prompt.opening
  }

  @MainActor private mutating func edit(
    _ row: FactView.Row, isExternal: Bool, _ facts: ViewContext
  ) -> [Effect] {
    // Act on the selection, wherever the cursor is.
    let ids = isExternal ? [row.id] : chosen(row, facts)
    guard !ids.contains(where: { isMasked(id: $0, facts) }) else { return refuseMasked(facts) }
    var effects: [Effect] = []
    let dialog: MemoryDialog?
    if isExternal {
      let opened = MemoryDialog.editExternally(row.fact, on: facts)
      dialog = opened?.dialog
      effects = opened?.effects ?? []
    } else if selection.isEmpty {
      dialog = MemoryDialog.edit(row.fact, on: facts)
    } else {
      dialog = MemoryDialog.retype(ids, on: facts)
    }
    guard let dialog else {
      message = Self.noEdit
      return []
    }
    return [.open(NewLayer(dialog))] + effects
  }

  private static let noEdit: PlainText = "this fact came without an id and cannot be changed"

  /// The selected facts in list order, else the one under the cursor. Selected facts that are
  /// filtered out do not count, because they are invisible.
  @MainActor func chosen(_ row: FactView.Row, _ facts: ViewContext) -> [Int] {
    guard !selection.isEmpty else { return [row.id] }
    let ids = facts.factView.rows.lazy.map(\.id).filter(selection.contains)
    return ids.isEmpty ? [row.id] : Array(ids)
  }

  /// Masked facts cannot be changed.
  @MainActor private mutating func refuseMasked(_ facts: ViewContext) -> [Effect] {
    message =
      "the owner's private facts are masked: " + facts.keys.text(.open) + " shows them first"
    return []
  }

  @MainActor private func isMasked(id: Int, _ facts: ViewContext) -> Bool {
    facts.memory.fact(id).map(isMasked) ?? false
  }
}
