import ClankyWire
import CockpitStores
import CockpitText
import LenientJSON
import TerminalCore
import TerminalUI

/// The form of one setting: its value, what is known about it, and the way to the review. Nothing is sent from here.
package struct SettingForm: Hashable, Sendable {
  enum Action: Hashable, Sendable { case review, standard, editor, close }

  enum Focus: Hashable, Sendable {
    case input
    case button(Action)
  }

  enum Outcome: Equatable {
    case stay, close
    /// Close, and forget what was typed.
    case dropped
    case effects([Effect])
    /// Show the change before it is sent.
    case review(SettingsEdit)
  }

  /// The document that the user saw; a change is compared with it before it is sent.
  let base: BotSettings
  let item: SettingItem
  private(set) var input: SettingInput
  private let start: SettingInput
  /// Why it is shown and cannot be changed; nil if it can.
  let lock: PlainText?
  private(set) var focus = Focus.input
  /// The result of the last key if it is not otherwise visible.
  private(set) var message: PlainText?
  /// Ctrl-X was pressed: the next key belongs to it.
  private var isAfterControlX = false
  /// Esc was pressed once over a changed text.
  private var isLeaving = false
  /// The value that was refused once for its range; sent to the review the second time.
  private var doubted: JSONValue?
  /// The first line in sight where nothing can be typed.
  private(set) var scroll = 0

  @MainActor init?(_ path: SettingPath, on facts: ViewContext) {
    guard let base = facts.settings.document.value else { return nil }
    let item = SettingItem(base, path)
    self.base = base
    self.item = item
    let input = SettingInput(item)
    self.input = input
    start = input
    if facts.isReadOnly {
      lock = "This profile is read-only: nothing is sent from here."
    } else if let problem = base.writingProblem {
      lock = PlainText(problem, limit: 300) + " It is shown and not written."
    } else if facts.settings.change?.isUnderWay == true {
      lock = "A save is under way; wait for its outcome."
    } else {
      lock = nil
    }
    guard lock == nil, let draft = facts.settings.drafts[path], self.input.text != nil else {
      return
    }
    self.input.take(draft.text)
    guard isChanged else { return }
    message =
      "Your draft of " + facts.clock.monthDay(ms: draft.atMs) + " "
      + facts.clock.time(ms: draft.atMs)
      + " is here; nothing of it is sent. Esc twice drops it."
  }

  /// Keeps what is typed, or drops the draft of a value that is as it was.
  ///
  /// - Parameter before: the form before the key.
  func draftEffects(since before: SettingForm) -> [Effect] {
    guard lock == nil, let text = input.text, before.input.text != text else { return [] }
    return [.settings(isChanged ? .keepDraft(item.path, text: text) : .dropDraft(item.path))]
  }

  /// The same with what was typed, on a newer document.
  init(_ form: SettingForm, base: BotSettings) {
    self.base = base
    item = SettingItem(base, form.item.path)
    input = form.input
    start = SettingInput(item)
    lock = nil
  }

  var isChanged: Bool { input != start && !isSame }

  /// Whether another spelling of the same value is in it.
  private var isSame: Bool {
    guard let value = try? input.value(item) else { return false }
    let now = item.asked ?? item.value ?? item.defaultValue
    return now.map { $0.meansSame(as: value) } ?? (value == .string(""))
  }

  // MARK: Keys

  var buttons: DialogButtons<Action> {
    guard lock == nil else { return DialogButtons([.init(.close, "CLOSE")]) }
    var buttons: [DialogButtons<Action>.Button] = [.init(.review, "REVIEW")]
    if item.differs { buttons.append(.init(.standard, "DEFAULT")) }
    if input.text != nil { buttons.append(.init(.editor, "EDITOR")) }
    return DialogButtons(buttons + [.init(.close, "CLOSE")])
  }

  @MainActor mutating func press(
    _ press: KeyPress, on facts: ViewContext, width: Int
  ) -> Outcome {
    message = nil
    let wasLeaving = isLeaving
    isLeaving = false
    if lock != nil { return pressLocked(press) }
    if isAfterControlX {
      isAfterControlX = false
      if press == KeyPress(.char("e"), .ctrl) { return openEditor() }
      if press.key == .char("u") { undo() }
      return .stay
    }
    switch (press.key, press.modifiers) {
    case (.escape, []), (.char("c"), .ctrl), (.char("g"), .ctrl): return leave(wasLeaving)
    case (.char("s"), .ctrl): return review()
    case (.char("x"), .ctrl):
      isAfterControlX = true
      return .stay
    // C-/ and C-7 are C-_ on a plain terminal.
    case (.char("_"), .ctrl), (.char("/"), .ctrl), (.char("7"), .ctrl): undo()
    case (.tab, []): move(by: 1)
    case (.tab, .shift): move(by: -1)
    default: return pressFocused(press, wasLeaving: wasLeaving, width: width)
    }
    return .stay
  }

  private mutating func pressFocused(
    _ press: KeyPress, wasLeaving: Bool, width: Int
  ) -> Outcome {
    guard case .button(let action) = focus else {
      // Line ends of an unbracketed paste arrive as Enter: they never press a button.
      if press.key == .enter, !input.takesEnter {
        focus = .button(.review)
      } else if input.press(press, width: Self.inputWidth(width)) {
        doubted = nil
      }
      return .stay
    }
    switch ButtonKey(press) {
    case .next: move(by: 1)
    case .previous: move(by: -1)
    case .press: return activate(action, wasLeaving)
    case .close: return leave(wasLeaving)
    case .other: break
    }
    return .stay
  }

  private mutating func pressLocked(_ press: KeyPress) -> Outcome {
    switch (press.key, press.modifiers) {
    case (.down, []), (.char("j"), []): scroll += 1
    case (.up, []), (.char("k"), []): scroll = max(0, scroll - 1)
    case (.pageDown, _), (.char(" "), []): scroll += 10
    case (.pageUp, _): scroll = max(0, scroll - 10)
    case (.escape, []), (.char("c"), .ctrl), (.char("g"), .ctrl), (.enter, _), (.char("q"), []):
      return .close
    default: break
    }
    return .stay
  }

  mutating func paste(_ text: String) {
    guard lock == nil else { return }
    message = nil
    isLeaving = false
    doubted = nil
    focus = .input
    input.paste(text)
  }

  /// A click on a button gives it the focus; one more is Enter.
  mutating func click(_ button: Int) -> Outcome {
    let all = buttons.buttons
    guard all.indices.contains(button) else { return .stay }
    if lock != nil { return .close }
    let clicked = Focus.button(all[button].action)
    if focus == clicked { return activate(all[button].action, false) }
    focus = clicked
    return .stay
  }

  private mutating func move(by step: Int) {
    let stops = [Focus.input] + buttons.buttons.map { Focus.button($0.action) }
    let index = stops.firstIndex(of: focus) ?? 0
    focus = stops[(index + step + stops.count) % stops.count]
  }

  private mutating func undo() {
    if !input.undo() {
      if input != start {
        input = start
      } else {
        message = "There is nothing more to take back."
      }
    }
  }

  private mutating func leave(_ wasLeaving: Bool) -> Outcome {
    guard isChanged else { return .close }
    guard !wasLeaving else { return .dropped }
    isLeaving = true
    message = "Esc again drops what you typed; any other key keeps it."
    return .stay
  }

  private mutating func activate(_ action: Action, _ wasLeaving: Bool) -> Outcome {
    switch action {
    case .review: return review()
    case .standard: return .review(SettingsEdit(base, changes: [(item.path, nil)]))
    case .editor: return openEditor()
    case .close: return leave(wasLeaving)
    }
  }

  // MARK: To the review

  private mutating func review() -> Outcome {
    focus = .button(.review)
    do throws(SettingValueProblem) {
      let value = try input.value(item)
      guard isChanged else {
        message = "Nothing is changed, so there is nothing to review."
        return .stay
      }
      if let expected = item.expected(of: value), doubted != value {
        doubted = value
        message =
          PlainText(
            "It takes \(item.field?.kind.words ?? "something else"). The bot will probably store ")
          + SettingWords.value(expected, at: item.path, limit: 80)
          + "; Enter again reviews it all the same."
        return .stay
      }
      let edit = SettingsEdit(base, changes: [(item.path, value)])
      if let problem = edit.problem {
        message = PlainText(problem, limit: 300)
        return .stay
      }
      return .review(edit)
    } catch {
      message = PlainText(error.description, limit: 300)
      return .stay
    }
  }

  /// The validation error of the typed value; nil if it is valid.
  var problem: PlainText? {
    do throws(SettingValueProblem) {
      _ = try input.value(item)
      return nil
    } catch {
      return PlainText(error.description, limit: 300)
    }
  }

  // MARK: The user's editor

  mutating func openEditor() -> Outcome {
    guard let text = input.text else {
      message = "This one is chosen, not written: Left and Right change it."
      return .stay
    }
    return .effects([.edit(text: text.hasSuffix("\n") ? text : text + "\n")])
  }

  mutating func edited(_ text: String?) {
    guard var text, let before = input.text else {
      message = "The editor left the text as it was."
      return
    }
    // Editors end the last line.
    if text.hasSuffix("\n"), !before.hasSuffix("\n") { text.removeLast() }
    guard !text.isIdentical(to: before) else {
      message = "The editor left the text as it was."
      return
    }
    doubted = nil
    input.take(text)
    message = "The text of the editor is here; nothing is sent yet."
  }

  /// Columns of the input on a page of a width.
  static func inputWidth(_ width: Int) -> Int { max(1, width - 1) }
}
