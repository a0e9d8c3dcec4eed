import CockpitStores
import CockpitText
import TerminalCore
import TerminalUI

/// The question before the stored settings are applied to live voice sessions once more, and then how it went.
package struct ApplyPrompt: Hashable, Sendable {
  private enum Answer: Hashable, Sendable { case cancel, go }

  enum Outcome: Equatable {
    case stay, close
    case effects([Effect])
  }

  private var answer = Answer.cancel
  private var isAsked = false

  private var buttons: DialogButtons<Answer> {
    isAsked
      ? DialogButtons([.init(.cancel, "CLOSE")])
      : DialogButtons([.init(.cancel, "CANCEL"), .init(.go, "APPLY")])
  }

  mutating func press(_ press: KeyPress) -> Outcome {
    if press == KeyPress(.char("y")), !isAsked { return go() }
    switch ButtonKey(press) {
    case .next: answer = buttons.action(after: answer, step: 1)
    case .previous: answer = buttons.action(after: answer, step: -1)
    case .close: return .close
    case .press: return answer == .go && !isAsked ? go() : .close
    case .other: break
    }
    return .stay
  }

  mutating func click(_ item: Int) -> Outcome {
    guard buttons.buttons.indices.contains(item) else { return .stay }
    let clicked = buttons.buttons[item].action
    if clicked == answer { return press(KeyPress(.enter)) }
    answer = clicked
    return .stay
  }

  private mutating func go() -> Outcome {
    isAsked = true
    answer = .cancel
    return .effects([.settings(.refresh)])
  }

  @MainActor func page(_ facts: ViewContext, width: Int) -> DialogPage {
    let (text, role) = words(facts)
    return DialogPage(
      title: isAsked ? "applying the settings" : "apply the settings to live sessions?",
      lines: DialogLine.wrapped(text, to: width, role),
      footer: buttons.lines(focus: answer, width: width))
  }

  @MainActor private func words(_ facts: ViewContext) -> (PlainText, Role) {
    guard isAsked else { return SettingsLiveText(facts, edit: nil).words }
    return facts.settings.refresh.words(facts) { count in
      let live: PlainText =
        count.map { $0 == 1 ? "1 is live now" : PlainText("\($0) are live now") }
        ?? "how many are live is not said"
      return ("The settings are applied to the voice sessions: " + live + ".", .positive)
    }
  }

  var keyLine: PlainText {
    isAsked ? "Enter or Esc closes" : "y applies  Left Right choose  Enter does it  Esc cancels"
  }
}
