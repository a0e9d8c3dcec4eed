import CockpitChat
import CockpitPanes
import CockpitText
import TerminalCore
import TerminalUI

/// The channels: choose, add, rename, delete, reorder; and the agents that one can be bound to.
package struct ChatChannelSheet: Overlay, Hashable {
  enum Step: Hashable, Sendable {
    case list
    /// A name is typed; nil is a new channel.
    case naming(ChatChannel.ID?)
    /// An agent is chosen: for a new channel of this name, or for the one that is shown.
    case agents(newChannel: String?)
    /// The id of an agent is typed.
    case typingAgent(newChannel: String?)
    case deleting(ChatChannel.ID)
  }

  private(set) var step = Step.list
  private var cursor: Int
  private var field = TextField()

  package init(_ chat: ChatBoard) {
    cursor = chat.channels.firstIndex { $0.id == chat.channel.id } ?? 0
  }

  /// Begins with the agents for the channel that is shown.
  package init(agentsOf chat: ChatBoard) {
    cursor = 0
    step = .agents(newChannel: nil)
  }

  package var title: PlainText {
    switch step {
    case .agents, .typingAgent: "agent"
    default: "channels"
    }
  }

  package var keyLine: PlainText {
    switch step {
    case .list: "Enter opens  a add  e rename  D delete  J K move  Esc leaves"
    case .naming, .typingAgent: "Enter takes it  Esc leaves"
    case .agents: "Enter takes it  t type an id  Esc leaves"
    case .deleting: "y deletes  Esc keeps"
    }
  }

  // MARK: Keys

  @MainActor package mutating func press(_ press: KeyPress, on facts: ViewContext) -> LayerOutcome {
    guard let chat = facts.chat else { return .close }
    switch step {
    case .list: return list(press, chat)
    case .agents(let name): return agents(press, chat, name)
    case .deleting(let id):
      step = .list
      return press == KeyPress(.char("y")) ? .effects([.chat(.delete(id))]) : .stay
    case .naming, .typingAgent: return type(press, chat)
    }
  }

  @MainActor private mutating func list(_ press: KeyPress, _ chat: ChatBoard) -> LayerOutcome {
    let channels = chat.channels
    let chosen = channels.indices.contains(cursor) ? channels[cursor] : nil
    switch (press.key, press.modifiers) {
    case (.escape, []), (.char("q"), []), (.char("c"), .ctrl): return .close
    case (.down, []), (.char("j"), []): cursor = min(cursor + 1, channels.count - 1)
    case (.up, []), (.char("k"), []): cursor = max(0, cursor - 1)
    case (.enter, _):
      guard let chosen else { return .stay }
      return .done([.chat(.choose(chosen.id))])
    case (.char("a"), []):
      step = .naming(nil)
      field = TextField()
    case (.char("e"), []):
      guard let chosen else { return .stay }
      step = .naming(chosen.id)
      field = TextField(chosen.name, isSelected: true)
    case (.char("D"), _):
      guard let chosen else { return .stay }
      guard channels.count > 1 else {
        return .effects([.say("the last channel stays; /new begins a new conversation in it")])
      }
      guard !chat.underWay.contains(chosen.id) else {
        return .effects([.say("an answer is under way in this channel; abort it first")])
      }
      step = .deleting(chosen.id)
    case (.char("J"), _), (.char("K"), _):
      guard let chosen else { return .stay }
      let by = press.key == .char("J") ? 1 : -1
      cursor = min(max(0, cursor + by), channels.count - 1)
      return .effects([.chat(.move(chosen.id, by: by))])
    default: break
    }
    return .stay
  }

  @MainActor private mutating func type(_ press: KeyPress, _ chat: ChatBoard) -> LayerOutcome {
    switch field.press(press) {
    case .cancel:
      if case .typingAgent(let name) = step {
        step = .agents(newChannel: name)
      } else {
        step = .list
      }
    case .accept: return accept(chat)
    default: break
    }
    return .stay
  }

  @MainActor private mutating func accept(_ chat: ChatBoard) -> LayerOutcome {
    let text = field.text
    guard text.contains(where: { !$0.isWhitespace }) else { return .stay }
    switch step {
    case .naming(nil):
      step = .agents(newChannel: text)
      cursor = 0
      return .effects([.chat(.askAgents)])
    case .naming(let id?):
      step = .list
      return .effects([.chat(.rename(id, to: text))])
    case .typingAgent(let name): return take(agent: text, name)
    default: return .stay
    }
  }

  @MainActor private mutating func agents(
    _ press: KeyPress, _ chat: ChatBoard, _ name: String?
  ) -> LayerOutcome {
    let agents = Self.agents(chat)
    switch (press.key, press.modifiers) {
    case (.escape, []), (.char("q"), []), (.char("c"), .ctrl): return .close
    case (.down, []), (.char("j"), []): cursor = min(cursor + 1, agents.count)
    case (.up, []), (.char("k"), []): cursor = max(0, cursor - 1)
    case (.char("t"), []):
      field = TextField()
      step = .typingAgent(newChannel: name)
    case (.enter, _):
      return take(agent: cursor == 0 ? nil : agents[min(cursor, agents.count) - 1].id, name)
    default: break
    }
    return .stay
  }

  private func take(agent: String?, _ name: String?) -> LayerOutcome {
    .done([.chat(name.map { .add(name: $0, agent: agent) } ?? .setAgent(agent))])
  }

  private static func agents(_ chat: ChatBoard) -> [ChatAgent] {
    if case .known(let agents) = chat.agents { agents } else { [] }
  }

  @MainActor package mutating func click(_ item: Int, on facts: ViewContext) -> LayerOutcome {
    cursor = item
    return press(KeyPress(.enter), on: facts)
  }

  @MainActor package mutating func wheel(_ lines: Int, on facts: ViewContext) {
    _ = press(KeyPress(lines > 0 ? .down : .up), on: facts)
  }

  @MainActor package mutating func paste(_ text: String, on facts: ViewContext) {
    switch step {
    case .naming, .typingAgent: field.paste(text)
    default: break
    }
  }

  // MARK: Drawing

  @MainActor package func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    guard let chat = facts.chat else { return }
    let width = DialogPage.textWidth(in: body)
    var lines: [DialogLine]
    switch step {
    case .agents, .typingAgent: lines = agentLines(chat, width)
    default: lines = channelLines(chat, width)
    }
    var footer: [DialogLine] = []
    switch step {
    case .naming(let id):
      footer = [DialogLine(id == nil ? "name of the new channel" : "its new name", .muted)]
      footer.append(DialogLine(field.runs(width: width)))
    case .typingAgent:
      footer = [DialogLine("its name", .muted), DialogLine(field.runs(width: width))]
    case .deleting(let id):
      let name = PlainText(chat.channels.first { $0.id == id }?.name ?? id, limit: 60)
      footer = DialogLine.wrapped(
        "Delete '" + name
          + "' from the list? Its conversation stays as a file. y deletes, any other key keeps it.",
        to: width, .warning)
    default: break
    }
    DialogPage(
      title: title, lines: lines, footer: footer, needed: cursor..<(cursor + 1),
      target: { .overlay($0) }
    ).render(in: body, into: &frame)
  }

  private func line(_ text: PlainText, _ index: Int, note: PlainText, _ width: Int) -> DialogLine {
    let isChosen = index == cursor
    var run = DialogRun(
      (isChosen ? "> " : "  ") + text.cut(to: max(4, width - note.columns - 4)),
      isChosen ? .focus : .text, isChosen ? [.reverse, .bold] : [])
    run.button = index
    return DialogLine([run], right: DialogRun(note, .muted))
  }

  @MainActor private func channelLines(_ chat: ChatBoard, _ width: Int) -> [DialogLine] {
    chat.channels.enumerated().map { index, channel in
      let kind: PlainText = chat.abilities.contains(.models) ? "model " : "agent "
      var note = kind + PlainText(channel.agent ?? "default", limit: 24)
      note += PlainText(" v\(channel.version)")
      if chat.underWay.contains(channel.id) { note = "answers, " + note }
      if channel.id == chat.channel.id { note += ", shown" }
      return line(PlainText(channel.name, limit: 60), index, note: note, width)
    }
  }

  @MainActor private func agentLines(_ chat: ChatBoard, _ width: Int) -> [DialogLine] {
    let isModel = chat.abilities.contains(.models)
    var lines = [
      line(isModel ? "the default model" : "the default agent", 0, note: "", width)
    ]
    for (index, agent) in Self.agents(chat).prefix(500).enumerated() {
      let name = agent.name.map { PlainText($0, limit: 40) } ?? ""
      lines.append(line(PlainText(agent.id, limit: 60), index + 1, note: name, width))
    }
    switch chat.agents {
    case .unknown, .asking:
      lines.append(
        DialogLine(
          isModel ? "asking which models there are" : "asking which agents there are", .muted))
    case .failed(let why):
      lines += DialogLine.wrapped(PlainText(why, limit: 300), to: width, .warning)
    case .known(let agents) where agents.isEmpty:
      lines.append(
        DialogLine(isModel ? "the server names no models" : "the source names no agents", .muted))
    case .known: break
    }
    return lines
  }
}
