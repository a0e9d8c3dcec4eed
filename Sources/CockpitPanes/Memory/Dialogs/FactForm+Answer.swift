import TerminalUI
import ClankyWire
import CockpitStores
import TerminalCore

/// The actions available after a sent edit.
enum AnswerAction: Hashable, Sendable {
  case editOn, keepTheirs, sendMine, sendAgain, readAgain, show, drop, close
}

extension FactForm {
  /// The fact's state when it was read again after an unknown outcome.
  enum Reread: Hashable {
    case mine, old, other, missing
  }

  /// The actions for a state, the harmless one first: it has the initial focus.
  @MainActor func answers(
    to change: FactChange, _ facts: ViewContext
  ) -> DialogButtons<AnswerAction> {
    switch change.state {
    case .waiting, .checking, .sending, .verifying: DialogButtons([.init(.close, "CLOSE")])
    case .conflict:
      DialogButtons([
        .init(.editOn, "EDIT ON"), .init(.keepTheirs, "KEEP THEIRS"),
        .init(.sendMine, "SEND MINE ANYWAY"),
      ])
    case .gone:
      DialogButtons([
        .init(.close, "KEEP THE DRAFT"), .init(.show, "SHOW TEXT"), .init(.drop, "DROP DRAFT"),
      ])
    case .refused:
      DialogButtons([
        .init(.editOn, "EDIT ON"), .init(.close, "CLOSE"), .init(.drop, "DROP DRAFT"),
      ])
    case .failed:
      DialogButtons([
        .init(.editOn, "EDIT ON"), .init(.sendAgain, "SEND AGAIN"), .init(.close, "CLOSE"),
      ])
    case .unknown:
      switch reread(change, facts) {
      case .mine: DialogButtons([.init(.close, "CLOSE"), .init(.editOn, "EDIT ON")])
      case .old:
        DialogButtons([
          .init(.editOn, "EDIT ON"), .init(.sendAgain, "SEND AGAIN"),
          .init(.readAgain, "READ AGAIN"), .init(.close, "CLOSE"),
        ])
      case .other, .missing, nil:
        DialogButtons([
          .init(.readAgain, "READ AGAIN"), .init(.editOn, "EDIT ON"), .init(.close, "CLOSE"),
        ])
      }
    case .stored:
      DialogButtons(
        [.init(.close, "CLOSE"), .init(.editOn, "EDIT ON")]
          + (change.isStoredExactly ? [] : [.init(.drop, "DROP DRAFT")]))
    }
  }

  /// The result of re-reading the list; nil until it has arrived.
  @MainActor func reread(_ change: FactChange, _ facts: ViewContext) -> Reread? {
    guard isReadingAgain, !isReading(facts) else { return nil }
    guard let fact = facts.memory.facts[factID]?.fact else { return .missing }
    guard let now = FactEdit(editing: fact, target: target)?.normalized else { return nil }
    let mine = change.draft.edit.normalized
    return now == mine ? .mine : now == baseEdit.normalized ? .old : .other
  }

  @MainActor func isReading(_ facts: ViewContext) -> Bool {
    switch target {
    case .guild(let guild): facts.memory.coverage[guild]?.isLoading == true
    case .ownerPrivate: facts.memory.ownerPrivate.isLoading
    }
  }

  @MainActor mutating func press(
    _ press: KeyPress, change: FactChange, wasArmed: AnswerAction?, _ facts: ViewContext
  ) -> LayerOutcome {
    let buttons = answers(to: change, facts)
    let focused = buttons.buttons.first { $0.action == answer } ?? buttons.buttons.first
    let action = focused?.action ?? .close
    switch ButtonKey(press) {
    case .next: answer = buttons.action(after: action, step: 1)
    case .previous: answer = buttons.action(after: action, step: -1)
    case .press: return take(action, change, wasArmed: wasArmed, facts)
    case .close: return take(.close, change, wasArmed: nil, facts)
    case .other:
      switch (press.key, press.modifiers) {
      case (.pageDown, []), (.char("j"), []): scroll += press.key == .pageDown ? 8 : 1
      case (.pageUp, []), (.char("k"), []):
        scroll = max(0, scroll - (press.key == .pageUp ? 8 : 1))
      case (.char("r"), []) where buttons.buttons.contains { $0.action == .readAgain }:
        return take(.readAgain, change, wasArmed: nil, facts)
      default: break
      }
    }
    return .stay
  }

  @MainActor private mutating func take(
    _ action: AnswerAction, _ change: FactChange, wasArmed: AnswerAction?, _ facts: ViewContext
  ) -> LayerOutcome {
    let dismiss = Effect.memory(.dismiss(factID: factID))
    switch action {
    case .close: return .done(closing(change, facts))
    case .editOn: return .effects(editOn(change, facts))
    case .sendAgain:
      return .effects([dismiss, .memory(.send(change.draft, overwriting: nil))])
    case .sendMine:
      guard case .conflict(let theirs) = change.state else { return .stay }
      return .effects([
        .memory(.send(change.draft, overwriting: FactOverwrite(theirs: theirs)))
      ])
    case .readAgain:
      isReadingAgain = true
      switch target {
      case .guild(let guild): return .effects([.memory(.load(guild: guild))])
      case .ownerPrivate: return .effects([.memory(.loadOwnerPrivate)])
      }
    case .show: return .effects([.page(text: Self.text(of: change.draft.edit))])
    case .keepTheirs, .drop:
      guard wasArmed == action else {
        armed = action
        message = "Enter again drops your text for good; any other key keeps it."
        return .stay
      }
      return .done([.memory(.dropDraft(factID: factID)), dismiss])
    }
  }

  /// Closing acknowledges an outcome; one that still needs a decision stays, and the list marks it.
  @MainActor private func closing(_ change: FactChange, _ facts: ViewContext) -> [Effect] {
    let dismiss = Effect.memory(.dismiss(factID: factID))
    switch change.state {
    case .waiting, .checking, .sending, .verifying, .conflict: return []
    case .gone, .refused, .failed, .stored: return [dismiss]
    case .unknown:
      guard reread(change, facts) == .mine else { return [] }
      return [.memory(.dropDraft(factID: factID)), dismiss]
    }
  }

  /// Returns to the fields: with the stored text, else with the user's own. After a conflict the
  /// other text becomes the new base, so the next send replaces exactly that.
  @MainActor private mutating func editOn(_ change: FactChange, _ facts: ViewContext) -> [Effect] {
    let dismiss = Effect.memory(.dismiss(factID: factID))
    switch change.state {
    case .waiting, .checking, .sending, .verifying: return []
    case .stored(let fact, _) where change.isStoredExactly:
      restart(from: fact)
      return [dismiss]
    case .unknown where reread(change, facts) == .mine:
      if let fact = facts.memory.facts[factID]?.fact { restart(from: fact) }
      return [.memory(.dropDraft(factID: factID)), dismiss]
    case .conflict(let now), .stored(let now, _):
      base = now
      fallthrough
    case .gone, .refused, .failed, .unknown:
      fields = FactFields(change.draft.edit, confidenceText: change.draft.confidenceText)
      focus = .field(.fact)
      lastField = .fact
      answer = nil
      return [dismiss] + keeping(facts)
    }
  }

  /// All of an edit as text, for the pager.
  private static func text(of edit: FactEdit) -> String {
    """
    \(edit.fact)

    subject: \(edit.subject)
    type: \(edit.factType)
    confidence: \(ConfidenceText.text(edit.confidence))
    evidence: \(edit.evidenceText)
    """
  }
}
