import CockpitPanes
import TerminalCore
import TerminalUI

/// The settings of the profile in use: every key, its value and where that is from. A change is shown as lines of the
/// file before it is written.
package struct ProfileSettingsSheet: Overlay, Hashable {
  enum Step: Hashable, Sendable {
    case list
    /// The place of the choice under the cursor.
    case choosing(Int)
    case typing
    case confirming(ProfileSettings.Proposal)
  }

  private(set) var settings: ProfileSettings
  private(set) var step = Step.list
  private var cursor = 0
  private var field = TextField()
  /// What came of the last request.
  private var message: PlainText?

  package init(_ settings: ProfileSettings) { self.settings = settings }

  package var title: PlainText { "settings" }

  package var keyLine: PlainText {
    switch step {
    case .list: "Enter changes  D default  u undo  R reconnects  Esc leaves"
    case .choosing: "Left Right choose  Enter takes it  Esc leaves it unchanged"
    case .typing: "Enter takes it  Esc leaves it unchanged"
    case .confirming: "y writes it  any other key leaves the file unchanged"
    }
  }

  private var entry: ProfileSettings.Entry? {
    settings.entries.indices.contains(cursor) ? settings.entries[cursor] : nil
  }

  /// Takes an answer of the program.
  package mutating func take(_ answer: ProfileSettingsAnswer) {
    switch answer {
    case .loaded(let new): settings = new
    case .proposed(let proposal): step = .confirming(proposal)
    case .refused(let why): message = why
    case .done(let new, let words):
      settings = new
      message = words
    }
    cursor = max(0, min(cursor, settings.entries.count - 1))
  }

  // MARK: Keys

  @MainActor package mutating func press(_ press: KeyPress, on facts: ViewContext) -> LayerOutcome {
    switch step {
    case .list: return list(press)
    case .choosing(let index): return choose(press, index)
    case .typing: return type(press)
    case .confirming(let proposal):
      step = .list
      guard press == KeyPress(.char("y")) else {
        message = "the file was not changed"
        return .stay
      }
      return .effects([.profileSettings(.save(key: proposal.key, value: proposal.value))])
    }
  }

  private mutating func list(_ press: KeyPress) -> LayerOutcome {
    if press.key != .char("R") { message = nil }
    switch (press.key, press.modifiers) {
    case (.escape, []), (.char("q"), []), (.char("c"), .ctrl): return .close
    case (.down, []), (.char("j"), []): cursor = min(cursor + 1, settings.entries.count - 1)
    case (.up, []), (.char("k"), []): cursor = max(0, cursor - 1)
    case (.pageDown, _): cursor = min(cursor + 10, settings.entries.count - 1)
    case (.pageUp, _): cursor = max(0, cursor - 10)
    case (.home, _), (.char("g"), []): cursor = 0
    case (.end, _), (.char("G"), _): cursor = max(0, settings.entries.count - 1)
    case (.enter, _), (.char("e"), []): return edit()
    case (.char("D"), _): return reset()
    case (.char("u"), []):
      guard settings.undoable != nil else {
        message = "nothing was changed here that could be taken back"
        return .stay
      }
      return .effects([.profileSettings(.undo)])
    case (.char("R"), _): return .done([.profileSettings(.reconnect)])
    default: break
    }
    return .stay
  }

  private mutating func edit() -> LayerOutcome {
    guard let entry else { return .stay }
    if let why = settings.whyFixed {
      message = why
      return .stay
    }
    switch entry.form {
    case .shown(let why): message = why
    case .choice(let words): step = .choosing(words.firstIndex(of: entry.text) ?? 0)
    case .flag: step = .choosing(entry.text == "true" ? 0 : 1)
    case .text, .reference:
      field = TextField(entry.text, isSelected: true)
      step = .typing
    }
    return .stay
  }

  private mutating func reset() -> LayerOutcome {
    guard let entry else { return .stay }
    if let why = settings.whyFixed {
      message = why
    } else if case .shown(let why) = entry.form {
      message = why
    } else if !entry.isSet {
      message = "the profile does not set it"
    } else {
      return .effects([.profileSettings(.propose(key: entry.key, value: nil))])
    }
    return .stay
  }

  private func words(_ entry: ProfileSettings.Entry) -> [String] {
    if case .choice(let words) = entry.form { words } else { ["true", "false"] }
  }

  private mutating func choose(_ press: KeyPress, _ index: Int) -> LayerOutcome {
    guard let entry else { return .stay }
    let words = words(entry)
    switch (press.key, press.modifiers) {
    case (.escape, []), (.char("q"), []), (.char("c"), .ctrl): step = .list
    case (.left, []), (.char("h"), []), (.up, []), (.char("k"), []):
      step = .choosing(max(0, index - 1))
    case (.right, []), (.char("l"), []), (.down, []), (.char("j"), []), (.tab, []):
      step = .choosing(min(index + 1, words.count - 1))
    case (.enter, _):
      step = .list
      return propose(words[min(index, words.count - 1)], for: entry)
    default: break
    }
    return .stay
  }

  private mutating func type(_ press: KeyPress) -> LayerOutcome {
    guard let entry else { return .stay }
    switch field.press(press) {
    case .cancel: step = .list
    case .accept:
      step = .list
      return propose(field.text, for: entry)
    default: break
    }
    return .stay
  }

  private mutating func propose(
    _ value: String, for entry: ProfileSettings.Entry
  ) -> LayerOutcome {
    guard value != entry.text || !entry.isSet else {
      message = "it has this value already"
      return .stay
    }
    guard !value.isEmpty else {
      message = "an empty value is none; D takes the key out of the profile"
      return .stay
    }
    return .effects([.profileSettings(.propose(key: entry.key, value: value))])
  }

  @MainActor package mutating func click(_ item: Int, on facts: ViewContext) -> LayerOutcome {
    guard step == .list else { return .stay }
    guard cursor == item else {
      cursor = item
      return .stay
    }
    return edit()
  }

  @MainActor package mutating func wheel(_ lines: Int, on facts: ViewContext) {
    guard step == .list else { return }
    cursor = max(0, min(cursor + lines, settings.entries.count - 1))
  }

  @MainActor package mutating func paste(_ text: String, on facts: ViewContext) {
    if step == .typing { field.paste(text) }
  }

  // MARK: Drawing

  @MainActor package func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    let width = DialogPage.textWidth(in: body)
    var lines: [DialogLine] = []
    var needed = 0..<1
    var group: PlainText = ""
    for (index, entry) in settings.entries.enumerated() {
      if entry.group != group {
        group = entry.group
        lines.append(DialogLine(group, .heading, .bold))
      }
      if index == cursor { needed = max(0, lines.count - 1)..<(lines.count + 1) }
      lines.append(line(entry, index, width))
    }
    DialogPage(
      title: "settings of " + PlainText(settings.profile, limit: 40),
      trailing: settings.needsReconnect ? "R reconnects" : "", lines: lines,
      footer: footer(width), needed: needed, target: { .overlay($0) }
    ).render(in: body, into: &frame)
  }

  private func line(
    _ entry: ProfileSettings.Entry, _ index: Int, _ width: Int
  ) -> DialogLine {
    let isChosen = index == cursor
    let keyWidth = min(28, max(18, width / 3))
    // The heading says that it is one of the headers.
    let name = entry.key.hasPrefix("headers.") ? entry.key.dropFirst(8) : entry.key[...]
    var key = DialogRun(
      PlainText(String(name), limit: 60).cut(to: keyWidth - 1).padded(to: keyWidth),
      isChosen ? .focus : entry.isSet ? .key : .muted, isChosen ? [.reverse, .bold] : [])
    key.button = index
    let origin = entry.origin.cut(to: max(8, width / 3))
    let room = max(4, width - keyWidth - origin.columns - 2)
    let value = DialogRun(entry.value.cut(to: room), entry.isSet ? .text : .muted)
    return DialogLine([key, value], right: DialogRun(origin, .muted))
  }

  private func footer(_ width: Int) -> [DialogLine] {
    guard let entry else { return [] }
    var lines = [DialogLine("")]
    lines += DialogLine.wrapped(entry.meaning, to: width, .muted)
    switch step {
    case .list:
      let effect: PlainText =
        entry.effect == .reconnect ? "A change needs a reconnect." : "A change needs a restart."
      if case .shown = entry.form {
      } else if settings.whyFixed == nil {
        lines.append(DialogLine(effect, .muted))
      }
    case .choosing(let index):
      lines.append(
        DialogLine(
          words(entry).enumerated().map { place, word in
            DialogRun(
              " " + PlainText(word, limit: 40) + " ", place == index ? .focus : .text,
              place == index ? [.reverse, .bold] : [])
          }))
    case .typing:
      if entry.form == .reference {
        lines.append(DialogLine("env:NAME, file:PATH or command:LINE; no secret itself", .muted))
      }
      lines.append(DialogLine(field.runs(width: width)))
    case .confirming(let proposal):
      let path = PlainText(settings.path, limit: 400)
      lines.append(DialogLine((" in " + path).cut(to: width), .muted))
      lines += proposal.removed.map { DialogLine(("- " + $0).cut(to: width), .negative) }
      lines += proposal.added.map { DialogLine(("+ " + $0).cut(to: width), .positive) }
      lines.append(DialogLine("Write it? y writes, any other key does not.", .warning))
    }
    if let message { lines += DialogLine.wrapped(message, to: width, .warning) }
    return lines
  }
}

extension CockpitShell {
  /// An answer for the settings sheet; the first opens it.
  @MainActor package mutating func take(_ answer: ProfileSettingsAnswer) {
    if layers.change(ProfileSettingsSheet.self, { $0.take(answer) }) != nil { return }
    switch answer {
    case .loaded(let settings): layers.push(ProfileSettingsSheet(settings))
    case .refused(let why), .done(_, let why): note(why)
    case .proposed: break
    }
  }
}
