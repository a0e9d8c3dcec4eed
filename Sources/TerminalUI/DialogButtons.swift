import TerminalCore

/// A row of labelled actions, one of them focused. The initial focus is never on an action that
/// changes or destroys something.
package struct DialogButtons<Action: Hashable & Sendable>: Hashable, Sendable {
  package struct Button: Hashable, Sendable {
    package var action: Action
    package var label: PlainText

    package init(_ action: Action, _ label: PlainText) {
      self.action = action
      self.label = label
    }
  }

  package var buttons: [Button]

  package init(_ buttons: [Button]) { self.buttons = buttons }

  /// The action `step` positions after another, wrapping around.
  package func action(after action: Action, step: Int) -> Action {
    guard let index = buttons.firstIndex(where: { $0.action == action }) else {
      return buttons.first?.action ?? action
    }
    let count = buttons.count
    return buttons[((index + step) % count + count) % count].action
  }

  /// The row, broken over several lines where it is too long for one.
  package func lines(focus: Action?, width: Int) -> [DialogLine] {
    var lines: [DialogLine] = []
    var runs: [DialogRun] = []
    var used = 0
    for (index, button) in buttons.enumerated() {
      let text: PlainText = "[" + button.label + "]"
      if used > 0, used + 1 + text.columns > width {
        lines.append(DialogLine(runs))
        runs = []
        used = 0
      }
      if used > 0 {
        runs.append(DialogRun(" "))
        used += 1
      }
      let hasFocus = button.action == focus
      var run = DialogRun(text, hasFocus ? .focus : .text, hasFocus ? [.reverse, .bold] : [])
      run.button = index
      runs.append(run)
      used += text.columns
    }
    lines.append(DialogLine(runs))
    return lines
  }
}

/// The effect of a key in a row of buttons.
package enum ButtonKey {
  case next, previous, press, close, other

  package init(_ press: KeyPress) {
    switch (press.key, press.modifiers) {
    case (.right, []), (.tab, []), (.down, []): self = .next
    case (.left, []), (.tab, .shift), (.up, []): self = .previous
    case (.enter, []): self = .press
    case (.escape, []), (.char("c"), .ctrl), (.char("g"), .ctrl): self = .close
    default: self = .other
    }
  }
}
