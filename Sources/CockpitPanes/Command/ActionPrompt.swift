import TerminalUI
import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

/// The question before a quick action that changes something, and then how it went.
package struct ActionPrompt: Overlay, Hashable {
  package enum Action: Hashable, Sendable { case refreshMemory, leave }
  private enum Answer: Hashable, Sendable { case cancel, go }

  let action: Action
  private var answer = Answer.cancel
  /// The end of the previous request; the outer nil means nothing was requested yet.
  private var requested: Int64??

  package init(_ action: Action) { self.action = action }

  package var title: PlainText {
    switch action {
    case .refreshMemory: "refresh the memory?"
    case .leave: "leave voice?"
    }
  }

  package var isQuestion: Bool { true }

  package var keyLine: PlainText {
    requested == nil ? "Left Right choose  Enter does it  Esc cancels" : "Enter or Esc closes"
  }

  private var buttons: DialogButtons<Answer> {
    guard requested == nil else { return DialogButtons([.init(.cancel, "CLOSE")]) }
    return DialogButtons([
      .init(.cancel, "CANCEL"), .init(.go, action == .leave ? "LEAVE" : "REFRESH"),
    ])
  }

  @MainActor package mutating func press(_ press: KeyPress, on facts: ViewContext) -> LayerOutcome {
    switch ButtonKey(press) {
    case .next: answer = buttons.action(after: answer, step: 1)
    case .previous: answer = buttons.action(after: answer, step: -1)
    case .close: return .close
    case .press: return carryOut(facts)
    case .other: break
    }
    return .stay
  }

  @MainActor package mutating func click(_ item: Int, on facts: ViewContext) -> LayerOutcome {
    guard buttons.buttons.indices.contains(item) else { return .stay }
    let clicked = buttons.buttons[item].action
    if clicked == answer { return carryOut(facts) }
    answer = clicked
    return .stay
  }

  @MainActor private mutating func carryOut(_ facts: ViewContext) -> LayerOutcome {
    guard answer == .go, requested == nil, !facts.isReadOnly else { return .close }
    requested = .some(progress(facts).endedAtMs)
    answer = .cancel
    switch action {
    case .refreshMemory: return .effects([.command(.refreshMemory(guild: nil))])
    case .leave:
      return .effects([.command(.leave(guild: facts.liveSessions.first?.guildID))])
    }
  }

  @MainActor private func progress(_ facts: ViewContext) -> Progress<Bool> {
    action == .leave ? facts.command.leave : facts.command.memoryRefresh
  }

  @MainActor package func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    let width = DialogPage.textWidth(in: body)
    let (text, role) = words(facts)
    var page = DialogPage(
      title: title, lines: DialogLine.wrapped(text, to: width, role),
      footer: buttons.lines(focus: answer, width: width))
    page.target = { .overlay($0) }
    page.render(in: body, into: &frame)
  }

  @MainActor private func words(_ facts: ViewContext) -> (PlainText, Role) {
    guard let before = requested else { return (question(facts), .text) }
    let progress = progress(facts)
    if progress.endedAtMs != nil, progress.endedAtMs == before { return ("Asking…", .info) }
    return progress.words(facts) { isDone in
      switch (action, isDone) {
      case (.refreshMemory, true): ("Done: MEMORY, view MARKDOWN, shows it.", .positive)
      case (.leave, true): ("The bot has left.", .positive)
      case (_, false): ("The backend refused; the client log says more.", .warning)
      }
    }
  }

  @MainActor private func question(_ facts: ViewContext) -> PlainText {
    switch action {
    case .refreshMemory:
      return "The bot sums up anew what it knows, for its operator. No fact is changed."
    case .leave:
      let channel = facts.liveSessions.first?.voiceChannelID.map { facts.names.channel($0) }
      let doubt: PlainText =
        facts.command.canLeave == nil
        ? PlainText(LeaveText.untried) + " If it has, the bot leaves " : "The bot leaves "
      return doubt
        + (channel.map { "#" + PlainText($0, limit: 60) } ?? "the voice channel")
        + "; the session ends for everybody in it."
    }
  }
}
