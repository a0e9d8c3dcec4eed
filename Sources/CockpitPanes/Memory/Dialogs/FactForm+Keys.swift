import TerminalUI
import ClankyWire
import CockpitStores
import TerminalCore

extension FactForm {
  static let buttons = DialogButtons<Action>([
    .init(.send, "SEND"), .init(.editor, "EDITOR"), .init(.drop, "DROP DRAFT"),
    .init(.close, "CLOSE"),
  ])

  @MainActor mutating func press(_ press: KeyPress, on facts: ViewContext) -> LayerOutcome {
    message = nil
    let wasArmed = armed
    armed = nil
    if let change = facts.memory.changes[factID] {
      isAfterControlX = false
      return self.press(press, change: change, wasArmed: wasArmed, facts)
    }
    isReadingAgain = false
    answer = nil
    scroll = 0
    if isAfterControlX {
      isAfterControlX = false
      return afterControlX(press, facts)
    }
    switch (press.key, press.modifiers) {
    case (.escape, []), (.char("c"), .ctrl), (.char("g"), .ctrl): return .close
    case (.char("s"), .ctrl): return send(facts)
    case (.char("x"), .ctrl):
      isAfterControlX = true
      return .stay
    // C-/ and C-7 are C-_ on a plain terminal.
    case (.char("_"), .ctrl), (.char("/"), .ctrl), (.char("7"), .ctrl): return undo(facts)
    case (.char("r"), .ctrl): return redo(facts)
    case (.tab, []), (.down, []), (.char("n"), .ctrl): move(by: 1)
    case (.tab, .shift), (.up, []), (.char("p"), .ctrl): move(by: -1)
    default:
      switch focus {
      case .button(let action): return self.press(press, on: action, wasArmed: wasArmed, facts)
      case .field(let field): return type(press, into: field, facts)
      }
    }
    return .stay
  }

  /// A click on a button gives it the focus; one more is Enter.
  @MainActor mutating func click(_ button: Int, on facts: ViewContext) -> LayerOutcome {
    if let change = facts.memory.changes[factID] {
      let buttons = answers(to: change, facts).buttons
      guard buttons.indices.contains(button) else { return .stay }
      let focused = buttons.first { $0.action == answer } ?? buttons.first
      if focused?.action == buttons[button].action { return press(KeyPress(.enter), on: facts) }
      answer = buttons[button].action
    } else {
      guard Self.buttons.buttons.indices.contains(button) else { return .stay }
      let clicked = Focus.button(Self.buttons.buttons[button].action)
      if focus == clicked { return press(KeyPress(.enter), on: facts) }
      focus = clicked
      history.pause()
    }
    armed = nil
    message = nil
    return .stay
  }

  // MARK: Moving

  private static var stops: [Focus] {
    Field.allCases.map(Focus.field) + buttons.buttons.map { Focus.button($0.action) }
  }

  private mutating func move(by step: Int) {
    let stops = Self.stops
    let index = stops.firstIndex(of: focus) ?? 0
    focus = stops[((index + step) % stops.count + stops.count) % stops.count]
    if case .field(let field) = focus { lastField = field }
    history.pause()
  }

  // MARK: Typing

  @MainActor private mutating func type(
    _ press: KeyPress, into field: Field, _ facts: ViewContext
  ) -> LayerOutcome {
    // Never press a button: line ends of an unbracketed paste arrive as Enter.
    if press.key == .enter {
      if field == .evidence {
        message = "C-s sends, or Enter on [SEND]."
      } else {
        move(by: 1)
      }
      return .stay
    }
    if field == .type, let step = Self.menuStep(press) {
      let text = KnownTypes.stepped(fields[.type].text, by: step)
      return .effects(change(.type, .other, facts) { $0 = TextField(text) })
    }
    if field == .confidence, let step = Self.sliderStep(press) {
      let text = ConfidenceText.stepped(fields[.confidence].text, by: step)
      return .effects(change(.confidence, .other, facts) { $0 = TextField(text) })
    }
    var outcome = TextField.Outcome.ignored
    let effects = change(field, Self.kind(press, field), facts) { outcome = $0.press(press) }
    if outcome == .moved { history.pause() }
    return .effects(effects)
  }

  private static func menuStep(_ press: KeyPress) -> Int? {
    switch (press.key, press.modifiers) {
    case (.left, []): -1
    case (.right, []): 1
    default: nil
    }
  }

  /// Letters are no numbers, so `h l H L` are steps too: not every terminal tells Shift-Left.
  private static func sliderStep(_ press: KeyPress) -> Double? {
    switch (press.key, press.modifiers) {
    case (.left, []), (.char("h"), []): -ConfidenceText.step
    case (.right, []), (.char("l"), []): ConfidenceText.step
    case (.left, .shift), (.char("H"), []): -ConfidenceText.largeStep
    case (.right, .shift), (.char("L"), []): ConfidenceText.largeStep
    default: nil
    }
  }

  private static func kind(_ press: KeyPress, _ field: Field) -> FieldHistory.Kind {
    switch (press.key, press.modifiers) {
    case (.char(" "), []): .other  // a word is a step
    case (.char, []): .typing(field)
    case (.backspace, []), (.delete, []): .erasing(field)
    default: .other
    }
  }

  @MainActor private mutating func undo(_ facts: ViewContext) -> LayerOutcome {
    guard let before = history.undo(fields) else {
      message = "There is nothing more to take back."
      return .stay
    }
    fields = before
    return .effects(keeping(facts))
  }

  @MainActor private mutating func redo(_ facts: ViewContext) -> LayerOutcome {
    guard let after = history.redo(fields) else {
      message = "There is nothing to do again."
      return .stay
    }
    fields = after
    return .effects(keeping(facts))
  }

  // MARK: Buttons

  @MainActor private mutating func press(
    _ press: KeyPress, on action: Action, wasArmed: AnswerAction?, _ facts: ViewContext
  ) -> LayerOutcome {
    switch ButtonKey(press) {
    case .next: focus = .button(Self.buttons.action(after: action, step: 1))
    case .previous: focus = .button(Self.buttons.action(after: action, step: -1))
    case .press: return activate(action, wasArmed: wasArmed, facts)
    case .close: return .close
    case .other:
      // Typing goes to the text.
      guard case .char(let character) = press.key, press.modifiers.isEmpty, character != " " else {
        break
      }
      focus = .field(lastField)
      return type(press, into: lastField, facts)
    }
    return .stay
  }

  @MainActor private mutating func activate(
    _ action: Action, wasArmed: AnswerAction?, _ facts: ViewContext
  ) -> LayerOutcome {
    switch action {
    case .send: return send(facts)
    case .editor: return .effects(openEditor(on: facts))
    case .close: return .close
    case .drop: return drop(wasArmed)
    }
  }

  /// Drops the draft on the second consecutive request.
  mutating func drop(_ wasArmed: AnswerAction?) -> LayerOutcome {
    guard wasArmed != .drop else { return .done([.memory(.dropDraft(factID: factID))]) }
    armed = .drop
    message = "Enter again drops your text for good; any other key keeps it."
    return .stay
  }

  @MainActor private mutating func send(_ facts: ViewContext) -> LayerOutcome {
    guard edit.problems.isEmpty else {
      message = "Nothing was sent; put this right first."
      return .stay
    }
    guard isChanged else {
      message = "Nothing is changed, so there is nothing to send."
      return .stay
    }
    guard !facts.isReadOnly else {
      message = "This connection is read-only; nothing was sent."
      return .stay
    }
    return .effects([.memory(.send(draft(facts), overwriting: nil))])
  }

  @MainActor private mutating func afterControlX(
    _ press: KeyPress, _ facts: ViewContext
  ) -> LayerOutcome {
    switch (press.key, press.modifiers) {
    case (.char("e"), .ctrl): return .effects(openEditor(on: facts))
    case (.char("u"), .ctrl), (.char("u"), []): return undo(facts)
    case (.char("r"), .ctrl), (.char("r"), []): return redo(facts)
    case (.char("d"), .ctrl):
      focus = .button(.drop)
      return drop(nil)
    default: return .stay
    }
  }
}
