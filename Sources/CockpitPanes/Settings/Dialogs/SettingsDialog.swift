import ClankyWire
import CockpitStores
import TerminalCore
import TerminalUI

/// A modal dialog over the settings: the form of one, the review of a change and its outcome, or a question.
package enum SettingsDialog: Layer, Hashable {
  case form(SettingForm)
  case review(SettingsReview)
  case preset(PresetPrompt)
  case apply(ApplyPrompt)

  package var placement: LayerPlacement { .modal }
  package var hasKeyLine: Bool { true }

  /// Whether it asks for a yes.
  package var isQuestion: Bool {
    switch self {
    case .form, .preset: false
    case .review(let review): !review.isSent
    case .apply: true
    }
  }

  @MainActor package mutating func handle(
    _ event: LayerEvent, _ context: LayerContext
  ) -> LayerOutcome {
    let facts = context.facts
    switch (self, event) {
    case (.form(var form), .key(let press)):
      let width = DialogPage.textWidth(in: Rect(width: context.screen.width, height: 1))
      let before = form
      let outcome = form.press(press, on: facts, width: width)
      self = .form(form)
      return take(outcome, drafts: form.draftEffects(since: before))
    case (.form(var form), .paste(let text)):
      let before = form
      form.paste(text)
      self = .form(form)
      return .effects(form.draftEffects(since: before))
    case (.review(var review), .key(let press)):
      let outcome = review.press(press, on: facts)
      self = .review(review)
      return take(outcome)
    case (.review(var review), .paste(let text)):
      review.paste(text)
      self = .review(review)
    case (.preset(var prompt), .key(let press)):
      let outcome = prompt.press(press)
      self = .preset(prompt)
      return take(outcome)
    case (.apply(var prompt), .key(let press)):
      let outcome = prompt.press(press)
      self = .apply(prompt)
      return take(outcome)
    case (_, .click(let targets)):
      guard let item = targets.first?.as(OverlayItem.self) else { return .stay }
      return click(item.number, facts)
    case (_, .drag): return .stay
    case (_, .wheel(let lines, _)):
      let press = KeyPress(lines > 0 ? .down : .up)
      if case .review(var review) = self {
        for _ in 0..<min(abs(lines), 10) { _ = review.press(press, on: facts) }
        self = .review(review)
      }
    case (.preset, .paste), (.apply, .paste): break
    }
    return .stay
  }

  @MainActor private mutating func click(_ item: Int, _ facts: ViewContext) -> LayerOutcome {
    switch self {
    case .form(var form):
      let outcome = form.click(item)
      self = .form(form)
      return take(outcome)
    case .review(var review):
      let outcome = review.click(item, on: facts)
      self = .review(review)
      return take(outcome)
    case .preset(var prompt):
      let outcome = prompt.click(item)
      self = .preset(prompt)
      return take(outcome)
    case .apply(var prompt):
      let outcome = prompt.click(item)
      self = .apply(prompt)
      return take(outcome)
    }
  }

  // MARK: From one page to the next

  @MainActor private mutating func take(
    _ outcome: SettingForm.Outcome, drafts: [Effect] = []
  ) -> LayerOutcome {
    switch outcome {
    case .stay: return drafts.isEmpty ? .stay : .effects(drafts)
    case .close: return .close
    case .dropped:
      guard case .form(let form) = self else { return .close }
      return .done([.settings(.dropDraft(form.item.path))])
    case .effects(let effects): return .effects(drafts + effects)
    case .review(let edit):
      guard case .form(let form) = self else { return .stay }
      self = .review(SettingsReview(edit, base: form.base, form: form))
      return .stay
    }
  }

  private mutating func take(_ outcome: SettingsReview.Outcome) -> LayerOutcome {
    switch outcome {
    case .stay: return .stay
    case .close: return .close
    case .effects(let effects): return .effects(effects)
    case .done(let effects): return .done(effects)
    case .form(let form, let effects):
      self = .form(form)
      return .effects(effects)
    case .review(let review, let effects):
      self = .review(review)
      return .effects(effects)
    }
  }

  private func take(_ outcome: PresetPrompt.Outcome) -> LayerOutcome {
    switch outcome {
    case .stay: .stay
    case .close: .close
    case .effects(let effects): .effects(effects)
    }
  }

  private func take(_ outcome: ApplyPrompt.Outcome) -> LayerOutcome {
    switch outcome {
    case .stay: .stay
    case .close: .close
    case .effects(let effects): .effects(effects)
    }
  }

  /// The review follows once the defaults of a preset are here.
  @MainActor package mutating func clampSelection(_ context: LayerContext) {
    guard case .preset(let prompt) = self, let review = prompt.review(context.facts) else { return }
    self = .review(review)
  }

  /// Receives the text from the user's editor; nil if it exited without saving.
  package mutating func edited(_ text: String?) -> [Effect] {
    guard case .form(var form) = self else { return [] }
    let before = form
    form.edited(text)
    self = .form(form)
    return form.draftEffects(since: before)
  }

  // MARK: Drawing

  @MainActor package func keyLine(_ context: LayerContext) -> PlainText? {
    switch self {
    case .form(let form): form.keyLine
    case .review(let review): review.keyLine(context.facts)
    case .preset(let prompt): prompt.keyLine
    case .apply(let prompt): prompt.keyLine
    }
  }

  @MainActor package func render(
    _ context: LayerContext, in area: Rect, into frame: inout Frame
  ) {
    let facts = context.facts
    let width = DialogPage.textWidth(in: area)
    var page =
      switch self {
      case .form(let form): form.page(facts, width: width, height: area.height)
      case .review(let review): review.page(facts, width: width, height: area.height)
      case .preset(let prompt): prompt.page(facts, width: width)
      case .apply(let prompt): prompt.page(facts, width: width)
      }
    page.target = { .overlay($0) }
    page.render(in: area, into: &frame)
  }
}
