import ClankyWire
import CockpitStores
import LenientJSON
import TerminalCore
import TerminalUI

/// A change before it is sent, with its differences; then how the save went. One confirmation leads to one save.
package struct SettingsReview: Hashable, Sendable {
  enum Answer: Hashable, Sendable {
    case cancel, editOn, send
    // After it was sent
    case close, keepTheirs, sendMine, sendAgain, readAgain, apply, takeBack
  }

  enum Outcome: Equatable {
    case stay, close
    case effects([Effect])
    case done([Effect])
    /// Back to the form with what was typed, perhaps on a newer document.
    case form(SettingForm, [Effect])
    /// Another change, to be reviewed.
    case review(SettingsReview, [Effect])
  }

  private(set) var edit: SettingsEdit
  /// The document that the user saw.
  private(set) var base: BotSettings
  /// The form that it came from, with what was typed.
  let form: SettingForm?
  /// To be typed before it is sent; nil takes a yes.
  let word: String?
  private(set) var typed = TextField()
  private(set) var answer = Answer.cancel
  private(set) var message: PlainText?
  private(set) var isSent = false
  /// Whether the settings were asked for again after an unknown outcome.
  private(set) var isReadingAgain = false
  private(set) var scroll = 0
  /// Esc was pressed once while the save is under way.
  private var isLeaving = false

  init(_ edit: SettingsEdit, base: BotSettings, form: SettingForm? = nil, word: String? = nil) {
    self.edit = edit
    self.base = base
    self.form = form
    self.word = word
  }

  /// The save of this review; nil before it was sent.
  @MainActor func change(_ facts: ViewContext) -> SettingsChange? {
    guard isSent, let change = facts.settings.change, change.edit == edit else { return nil }
    return change
  }

  // MARK: Buttons

  @MainActor func buttons(_ facts: ViewContext) -> DialogButtons<Answer> {
    guard isSent else {
      var buttons: [DialogButtons<Answer>.Button] = [.init(.cancel, "CANCEL")]
      if form != nil { buttons.append(.init(.editOn, "EDIT ON")) }
      return DialogButtons(buttons + [.init(.send, "SEND")])
    }
    switch change(facts)?.state {
    case .conflict where edit.isWhole: return DialogButtons([.init(.close, "CLOSE")])
    case .conflict:
      return DialogButtons(
        (form == nil ? [.init(.close, "CLOSE")] : [.init(.editOn, "EDIT ON")])
          + [.init(.keepTheirs, "KEEP THEIRS"), .init(.sendMine, "SEND MINE ANYWAY")])
    case .failed:
      return DialogButtons(
        (form == nil ? [] : [.init(.editOn, "EDIT ON")])
          + [.init(.close, "CLOSE"), .init(.sendAgain, "SEND AGAIN")])
    case .unknown:
      return DialogButtons([.init(.readAgain, "READ AGAIN"), .init(.close, "CLOSE")])
    case .stored(let stored):
      var buttons: [DialogButtons<Answer>.Button] = [.init(.close, "CLOSE")]
      if !stored.isApplied { buttons.append(.init(.apply, "APPLY TO LIVE SESSIONS")) }
      if case .undo = edit.verb { return DialogButtons(buttons) }
      return DialogButtons(buttons + [.init(.takeBack, "TAKE BACK")])
    case .waiting, .checking, .sending, .verifying, .unchanged, nil:
      return DialogButtons([.init(.close, "CLOSE")])
    }
  }

  /// The button with the focus.
  @MainActor func focused(_ facts: ViewContext) -> Answer {
    let buttons = buttons(facts).buttons
    return (buttons.first { $0.action == answer } ?? buttons.first)?.action ?? .close
  }

  // MARK: Keys

  @MainActor mutating func press(_ press: KeyPress, on facts: ViewContext) -> Outcome {
    message = nil
    let wasLeaving = isLeaving
    isLeaving = false
    let buttons = buttons(facts)
    let focused = focused(facts)
    if !isSent, word != nil, type(press) { return .stay }
    switch ButtonKey(press) {
    case .next where press.key != .down: answer = buttons.action(after: focused, step: 1)
    case .previous where press.key != .up: answer = buttons.action(after: focused, step: -1)
    case .press:
      guard isStaying(wasLeaving, facts) else { return take(focused, facts) }
    case .close:
      guard isStaying(wasLeaving, facts) else { return leave(facts) }
    default:
      switch (press.key, press.modifiers) {
      case (.char("y"), []) where !isSent && word == nil: return take(.send, facts)
      case (.char("r"), []) where buttons.buttons.contains { $0.action == .readAgain }:
        return take(.readAgain, facts)
      case (.down, []), (.char("j"), []): scroll += 1
      case (.up, []), (.char("k"), []): scroll = max(0, scroll - 1)
      case (.pageDown, _): scroll += 8
      case (.pageUp, _): scroll = max(0, scroll - 8)
      default: break
      }
    }
    return .stay
  }

  /// While a save is under way the first wish to close is answered with a warning: what was typed is only here.
  @MainActor private mutating func isStaying(_ wasLeaving: Bool, _ facts: ViewContext) -> Bool {
    guard change(facts)?.isUnderWay == true, form != nil, !wasLeaving else { return false }
    isLeaving = true
    message =
      "The save goes on without this window, and what you typed is only here; again to close."
    return true
  }

  /// Types the word; false for keys that do something else.
  private mutating func type(_ press: KeyPress) -> Bool {
    switch (press.key, press.modifiers) {
    case (.char, []), (.char, .shift), (.backspace, _):
      _ = typed.press(press)
      answer = typed.text == word ? .send : .cancel
      return true
    default: return false
    }
  }

  mutating func paste(_ text: String) {
    guard !isSent, word != nil else { return }
    message = "The word has to be typed."
  }

  @MainActor mutating func click(_ button: Int, on facts: ViewContext) -> Outcome {
    let all = buttons(facts).buttons
    guard all.indices.contains(button) else { return .stay }
    if focused(facts) == all[button].action { return take(all[button].action, facts) }
    answer = all[button].action
    return .stay
  }

  /// Esc: what was typed goes back to its form where nothing was stored.
  @MainActor private mutating func leave(_ facts: ViewContext) -> Outcome {
    guard isSent else { return form.map { .form($0, []) } ?? .close }
    switch change(facts)?.state {
    case .conflict where form != nil, .failed where form != nil: return take(.editOn, facts)
    default: return take(.close, facts)
    }
  }

  @MainActor private mutating func take(_ answer: Answer, _ facts: ViewContext) -> Outcome {
    switch answer {
    case .cancel:
      // A word that is not complete yet is no wish to leave.
      guard let word, !typed.text.isEmpty, typed.text != word else { return .close }
      message = PlainText("Type \(word) to do it, or Esc to do nothing.", limit: 120)
      return .stay
    case .send: return send(facts)
    case .close:
      let isOver = change(facts)?.isUnderWay == false
      return .done(isOver ? [.settings(.dismiss)] : [])
    case .keepTheirs: return .done([.settings(.dismiss)])
    case .editOn:
      guard let form else { return .stay }
      guard isSent else { return .form(form, []) }
      let now = change(facts)?.latest ?? facts.settings.document.value ?? base
      return .form(SettingForm(form, base: now), [.settings(.dismiss)])
    case .sendMine:
      guard let latest = change(facts)?.latest else { return .stay }
      base = latest
      edit = SettingsEdit(
        latest, verb: edit.verb, changes: edit.steps.map { ($0.path, $0.after) })
      scroll = 0
      return .effects([.settings(.dismiss), .settings(.save(edit))])
    case .sendAgain: return .effects([.settings(.dismiss), .settings(.save(edit))])
    case .readAgain:
      isReadingAgain = true
      return .effects([.settings(.load)])
    case .apply:
      return .done([
        .settings(.dismiss), .open(NewLayer(SettingsDialog.apply(ApplyPrompt()))),
      ])
    case .takeBack: return takeBack(facts)
    }
  }

  @MainActor private mutating func send(_ facts: ViewContext) -> Outcome {
    if let word, typed.text != word {
      message = PlainText("Type \(word) to do it, or Esc to do nothing.", limit: 120)
      return .stay
    }
    guard !facts.isReadOnly else {
      message = "This profile is read-only; nothing was sent."
      return .stay
    }
    guard facts.settings.change?.isUnderWay != true else {
      message = "Another save is under way; wait for its outcome."
      return .stay
    }
    isSent = true
    scroll = 0
    answer = .close
    return .effects([.settings(.dismiss), .settings(.save(edit))])
  }

  @MainActor private func takeBack(_ facts: ViewContext) -> Outcome {
    guard let review = SettingsReview.undo(facts) else {
      return .done([.settings(.dismiss)])
    }
    return .review(review, [.settings(.dismiss)])
  }

  // MARK: Undo

  /// Why the last save cannot be taken back; nil if it can.
  @MainActor static func undoProblem(_ facts: ViewContext) -> PlainText? {
    guard facts.settings.document.value != nil else { return "the settings are not read yet" }
    guard let entry = lastSave(facts) else {
      return "the journal has no save of this bot that could be taken back"
    }
    return entry.undoProblem.map { PlainText($0, limit: 300) }
  }

  @MainActor private static func lastSave(_ facts: ViewContext) -> SettingsJournalEntry? {
    facts.settings.journal?.lastToUndo(
      at: facts.connection.address, in: facts.settings.document.value)
  }

  /// The change that writes back what was asked for before the last save.
  @MainActor static func undo(_ facts: ViewContext) -> SettingsReview? {
    guard undoProblem(facts) == nil, let base = facts.settings.document.value,
      let entry = lastSave(facts)
    else { return nil }
    let edit = SettingsEdit(
      base, verb: .undo(write: entry.write),
      changes: entry.changes.map { ($0.path, $0.before) })
    return SettingsReview(edit, base: base)
  }
}
