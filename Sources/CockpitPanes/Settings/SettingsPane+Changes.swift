import ClankyWire
import CockpitStores
import TerminalCore
import TerminalUI

extension SettingsPane {
  /// Commands that can lead to a change on the backend; with read-only facts they do nothing.
  @MainActor mutating func mutate(_ command: KeyAction, _ facts: ViewContext) -> [Effect]? {
    guard !facts.isReadOnly else {
      message = "read-only: nothing is changed from here"
      return []
    }
    switch command {
    case .edit, .editExternally:
      switch current(facts) {
      case .setting(let entry):
        return edit(entry.item.path, isExternal: command == .editExternally, facts)
      case .action(let action): return carryOut(action, facts)
      case .section, nil:
        message =
          "put the cursor on a setting first; " + facts.keys.text(.open) + " unfolds a section"
        return []
      }
    case .delete: return takeDefault(facts)
    case .undo: return carryOut(.undo, facts)
    case .settingsApply: return carryOut(.apply, facts)
    case .settingsPreset: return carryOut(.preset, facts)
    case .settingsReset: return carryOut(.reset, facts)
    default: return nil
    }
  }

  /// Opens the form of a setting, or where nothing may be changed, its value.
  @MainActor mutating func edit(
    _ path: SettingPath, isExternal: Bool, _ facts: ViewContext
  ) -> [Effect] {
    guard var form = SettingForm(path, on: facts) else { return [] }
    cursor.select(id: .setting(path))
    var effects: [Effect] = []
    if isExternal, case .effects(let opened) = form.openEditor() { effects = opened }
    return [.open(NewLayer(SettingsDialog.form(form)))] + effects
  }

  @MainActor private mutating func takeDefault(_ facts: ViewContext) -> [Effect] {
    guard let entry = currentEntry(facts), let base = facts.settings.document.value else {
      message = "put the cursor on a setting first"
      return []
    }
    guard entry.item.differs else {
      message = "this setting is at its default"
      return []
    }
    if let problem = writingProblem(facts) {
      message = problem
      return []
    }
    let review = SettingsReview(
      SettingsEdit(base, changes: [(entry.item.path, nil)]), base: base)
    return [.open(NewLayer(SettingsDialog.review(review)))]
  }

  /// Why nothing can be saved now; nil if it can.
  @MainActor private func writingProblem(_ facts: ViewContext) -> PlainText? {
    guard let base = facts.settings.document.value else { return "the settings are not read yet" }
    if facts.settings.change?.isUnderWay == true {
      return "a save is under way; wait for its outcome"
    }
    return base.writingProblem.map { PlainText($0, limit: 300) }
  }

  // MARK: The whole document

  @MainActor mutating func carryOut(_ action: SettingsAction, _ facts: ViewContext) -> [Effect] {
    guard !facts.isReadOnly else {
      message = facts.readOnlyWords
      return []
    }
    if action != .apply, let problem = writingProblem(facts) {
      message = problem
      return []
    }
    switch action {
    case .apply: return [.open(NewLayer(SettingsDialog.apply(ApplyPrompt())))]
    case .preset:
      return [.open(NewLayer(SettingsDialog.preset(PresetPrompt(isReset: false, facts))))]
    case .reset:
      return [
        .open(NewLayer(SettingsDialog.preset(PresetPrompt(isReset: true, facts)))),
        .settings(.preview(preset: nil)),
      ]
    case .undo:
      if let problem = SettingsReview.undoProblem(facts) {
        message = problem
        return []
      }
      guard let review = SettingsReview.undo(facts) else { return [] }
      return [.open(NewLayer(SettingsDialog.review(review)))]
    }
  }
}
