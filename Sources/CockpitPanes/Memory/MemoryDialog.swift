import TerminalUI
import ClankyWire
import CockpitStores
import TerminalCore

/// A modal dialog over MEMORY's list: the form, or a question.
package enum MemoryDialog: Layer, Hashable {
  case form(FactForm)
  case deletion(DeletePrompt)
  case retyping(RetypePrompt)
  case part(PartPrompt)
  case recall(RecallForm)

  /// Whether it asks for a yes; the form does before it drops a text.
  package var isQuestion: Bool {
    switch self {
    case .form(let form): form.armed != nil
    case .deletion, .retyping, .part: true
    case .recall(let form): form.isReadyToSend
    }
  }

  /// The form for a fact, with the draft that was left of it; nil if it cannot be edited.
  @MainActor static func edit(_ fact: Fact, on facts: ViewContext) -> MemoryDialog? {
    FactForm(fact, on: facts).map(MemoryDialog.form)
  }

  /// The same, and the user's editor at once; nil if the fact cannot be edited now.
  @MainActor static func editExternally(
    _ fact: Fact, on facts: ViewContext
  ) -> (dialog: MemoryDialog, effects: [Effect])? {
    guard var form = FactForm(fact, on: facts) else { return nil }
    let effects = form.openEditor(on: facts)
    return (.form(form), effects)
  }

  /// The question before deleting; nil if there is nothing to delete.
  @MainActor static func delete(_ factIDs: [Int], on facts: ViewContext) -> MemoryDialog? {
    DeletePrompt(factIDs, on: facts).map(MemoryDialog.deletion)
  }

  /// The question before giving many facts one type.
  @MainActor static func retype(_ factIDs: [Int], on facts: ViewContext) -> MemoryDialog? {
    RetypePrompt(factIDs, on: facts).map(MemoryDialog.retyping)
  }

  @MainActor mutating func press(_ press: KeyPress, on facts: ViewContext) -> LayerOutcome {
    switch self {
    case .form(var form):
      let outcome = form.press(press, on: facts)
      self = .form(form)
      return outcome
    case .deletion(var prompt):
      let outcome = prompt.press(press)
      self = .deletion(prompt)
      return outcome
    case .retyping(var prompt):
      let outcome = prompt.press(press, on: facts)
      self = .retyping(prompt)
      return outcome
    case .part(var prompt):
      let outcome = prompt.press(press, on: facts)
      self = .part(prompt)
      return outcome
    case .recall(var form):
      let outcome = form.press(press, on: facts)
      self = .recall(form)
      return outcome
    }
  }

  /// Pastes text into a form; a yes is not pasted. A changed draft is saved, as after typing.
  @discardableResult
  @MainActor mutating func paste(_ text: String, on facts: ViewContext) -> [Effect] {
    switch self {
    case .form(var form):
      let effects = form.paste(text, on: facts)
      self = .form(form)
      return effects
    case .part(var prompt):
      prompt.paste(text)
      self = .part(prompt)
    case .recall(var form):
      form.paste(text)
      self = .recall(form)
    case .deletion, .retyping: break
    }
    return []
  }

  /// A click on a button, counted from the first.
  @MainActor mutating func click(_ button: Int, on facts: ViewContext) -> LayerOutcome {
    switch self {
    case .form(var form):
      let outcome = form.click(button, on: facts)
      self = .form(form)
      return outcome
    case .deletion(var prompt):
      let outcome = prompt.click(button)
      self = .deletion(prompt)
      return outcome
    case .retyping: return press(KeyPress(.enter), on: facts)
    case .part(var prompt):
      let outcome = prompt.click(button, on: facts)
      self = .part(prompt)
      return outcome
    case .recall(var form):
      let outcome = form.click(button, on: facts)
      self = .recall(form)
      return outcome
    }
  }

  /// Receives the text from the user's editor; nil if it exited without saving.
  @MainActor package mutating func edited(_ text: String?, on facts: ViewContext) -> [Effect] {
    guard case .form(var form) = self else { return [] }
    let effects = form.edited(text, on: facts)
    self = .form(form)
    return effects
  }

  /// Draws the dialog into `body`; the list stays visible beside it if there is room.
  @MainActor func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    let width = DialogPage.textWidth(in: body)
    var page =
      switch self {
      case .form(let form): form.page(facts, width: width, height: body.height)
      case .deletion(let prompt): prompt.page(facts, width: width)
      case .retyping(let prompt): prompt.page(facts, width: width)
      case .part(let prompt): prompt.page(facts, width: width)
      case .recall(let form): form.page(facts, in: body, width: width)
      }
    page.target = { .overlay($0) }
    page.render(in: body, into: &frame)
  }

  /// The keys that matter in it, for the last row of the screen.
  @MainActor func keyLine(_ facts: ViewContext) -> PlainText {
    switch self {
    case .form(let form): form.keyLine(facts)
    case .deletion(let prompt): prompt.keyLine
    case .retyping(let prompt): prompt.keyLine(facts)
    case .part(let prompt): prompt.keyLine
    case .recall(let form): form.keyLine
    }
  }
}

/// Modal over the tab.
extension MemoryDialog {
  package var placement: LayerPlacement { .modal }
  package var hasKeyLine: Bool { true }

  @MainActor package mutating func handle(
    _ event: LayerEvent, _ context: LayerContext
  ) -> LayerOutcome {
    switch event {
    case .key(let press): return self.press(press, on: context.facts)
    case .paste(let text): return .effects(paste(text, on: context.facts))
    case .click(let targets):
      guard let button = targets.first?.as(OverlayItem.self) else { return .stay }
      return click(button.number, on: context.facts)
    case .wheel, .drag: return .stay
    }
  }

  @MainActor package func needs(_ context: LayerContext) -> [Need] {
    if case .recall(let form) = self { form.needs(context.facts) } else { [] }
  }

  @MainActor package func keyLine(_ context: LayerContext) -> PlainText? {
    keyLine(context.facts)
  }

  @MainActor package func render(
    _ context: LayerContext, in area: Rect, into frame: inout Frame
  ) {
    render(context.facts, in: area, into: &frame)
  }
}
