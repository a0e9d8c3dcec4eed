import TerminalUI
import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

/// The dialog that lets the bot join voice: choose the guild, the user to follow and the text
/// channel, send the request, and read its outcome.
///
/// The voice channel cannot be chosen: the bot joins the user's channel (contract 3.4.1).
package struct JoinOverlay: Overlay {
  enum Step: Hashable, Sendable {
    case guild, person, channel, confirm
    /// The request was sent; `before` is the end of the previous one.
    case requested(before: Int64?)
  }

  enum Answer: Hashable, Sendable { case cancel, join, change, close, showVoice }

  private(set) var step = Step.guild
  private(set) var list = PickList()
  private(set) var guild: PickList.Entry?
  private(set) var person: PickList.Entry?
  private(set) var channel: PickList.Entry?
  private(set) var answer = Answer.cancel

  /// One that is under way is shown instead of asking for another.
  @MainActor package init(_ facts: ViewContext) {
    if facts.command.join.isUnderWay { step = .requested(before: nil) }
  }

  package let title: PlainText = "join voice"

  package var isQuestion: Bool { step == .confirm }

  package var keyLine: PlainText {
    switch step {
    case .guild: "type to narrow  Up Down move  Enter takes it  Esc cancels"
    case .person, .channel: "type to narrow  Up Down move  Enter takes it  Esc goes back"
    case .confirm: "Left Right choose  Enter does it  Esc goes back"
    case .requested: "Left Right choose  Enter does it  Esc closes"
    }
  }

  // MARK: Keys

  @MainActor package mutating func press(_ press: KeyPress, on facts: ViewContext) -> LayerOutcome {
    switch step {
    case .guild, .person, .channel:
      return follow(list.press(press, entries(facts)), facts)
    case .confirm, .requested:
      let buttons = buttons(facts)
      let current = focused(facts)
      switch ButtonKey(press) {
      case .next: answer = buttons.action(after: current, step: 1)
      case .previous: answer = buttons.action(after: current, step: -1)
      case .press: return carryOut(current, facts)
      case .close:
        guard step == .confirm, press.key == .escape else { return .close }
        back()
      case .other: break
      }
      return .stay
    }
  }

  @MainActor package mutating func paste(_ text: String, on facts: ViewContext) {
    switch step {
    case .guild, .person, .channel: list.paste(text)
    case .confirm, .requested: break
    }
  }

  /// A click on a button gives it the focus; one more is Enter.
  @MainActor package mutating func click(_ item: Int, on facts: ViewContext) -> LayerOutcome {
    switch step {
    case .guild, .person, .channel:
      return follow(list.click(item, entries(facts)), facts)
    case .confirm, .requested:
      let buttons = buttons(facts).buttons
      guard buttons.indices.contains(item) else { return .stay }
      if buttons[item].action == focused(facts) { return carryOut(buttons[item].action, facts) }
      answer = buttons[item].action
      return .stay
    }
  }

  @MainActor package mutating func wheel(_ lines: Int, on facts: ViewContext) {
    list.move(by: lines, list.narrowed(entries(facts)).count)
  }

  @MainActor package mutating func clampSelection(_ facts: ViewContext, screen: Size) {
    list.clamp(entries(facts))
  }

  /// The focused button; the set of buttons depends on the outcome.
  @MainActor func focused(_ facts: ViewContext) -> Answer {
    let actions = buttons(facts).buttons.map(\.action)
    return actions.contains(answer) ? answer : actions.first ?? .close
  }

  @MainActor private mutating func follow(
    _ outcome: PickList.Outcome, _ facts: ViewContext
  ) -> LayerOutcome {
    switch outcome {
    case .stay: break
    case .close: return .close
    case .back:
      if step == .guild { return .close }
      back()
    case .chosen(let entry): choose(entry)
    }
    return .stay
  }

  private mutating func choose(_ entry: PickList.Entry) {
    list = PickList()
    switch step {
    case .guild:
      guild = entry
      step = .person
    case .person:
      person = entry
      // Without a chosen guild its text channels are unknown.
      channel = nil
      step = guild?.value == nil ? .confirm : .channel
    case .channel:
      channel = entry
      step = .confirm
    case .confirm, .requested: break
    }
    answer = .cancel
  }

  private mutating func back() {
    list = PickList()
    switch step {
    case .guild, .person: step = .guild
    case .channel: step = .person
    case .confirm, .requested: step = guild?.value == nil ? .person : .channel
    }
  }

  @MainActor private mutating func carryOut(_ answer: Answer, _ facts: ViewContext) -> LayerOutcome
  {
    switch answer {
    case .cancel, .close: return .close
    case .showVoice: return .done([.perform(.voice)])
    case .change:
      back()
      return .stay
    case .join:
      guard !facts.isReadOnly else { return .close }
      step = .requested(before: facts.command.join.endedAtMs)
      self.answer = .close
      return .effects([
        .command(
          .join(
            JoinRequest(
              guildID: guild?.value, requesterUserID: person?.value,
              textChannelID: channel?.value, source: "clanky_cockpit")))
      ])
    }
  }

  // MARK: Lists

  @MainActor package func needs(_ facts: ViewContext) -> [Need] {
    var needs = [Need.command(.loadGuilds)]
    if step == .channel, let guild = guild?.value {
      needs.append(.command(.loadChannels(guild: guild)))
    }
    return needs
  }

  /// The choices of this step.
  @MainActor func entries(_ facts: ViewContext) -> [PickList.Entry] {
    switch step {
    case .guild: guilds(facts)
    case .person: people(facts)
    case .channel: channels(facts)
    case .confirm, .requested: []
    }
  }

  @MainActor private func guilds(_ facts: ViewContext) -> [PickList.Entry] {
    let listed = facts.command.guilds.value ?? []
    return listed.compactMap { guild in
      guard let id = guild.id else { return nil }
      let isLive = facts.voice.sessions.contains { $0.guildID == id }
      return PickList.Entry(
        value: id, name: facts.guildName(id),
        remark: isLive ? "in voice" : "", isLive: isLive)
    } + [
      PickList.Entry(
        value: nil, name: "the backend's choice", remark: "the first guild with somebody in voice")
    ]
  }

  /// Users in voice first; then all users with a known name, by name.
  @MainActor private func people(_ facts: ViewContext) -> [PickList.Entry] {
    let sessions = facts.voice.sessions.filter { guild?.value == nil || $0.guildID == guild?.value }
    var entries = [
      PickList.Entry(
        value: nil, name: "whoever is in voice", remark: "the first person found")
    ]
    var seen: Set<String> = []
    for person in sessions.flatMap(\.participants) {
      guard let id = person.userID, seen.insert(id).inserted else { continue }
      let name = person.displayName ?? facts.names.user(id)
      entries.append(
        .init(value: id, name: PlainText(name, limit: 60), remark: "in voice", isLive: true))
    }
    let others = facts.connection.names.users.filter { !seen.contains($0.key) }
      .sorted { ($0.value.lowercased(), $0.key) < ($1.value.lowercased(), $1.key) }
    return entries
      + others.prefix(Self.mostPeople).map {
        PickList.Entry(
          value: $0.key, name: PlainText($0.value, limit: 60),
          remark: PlainText("…" + $0.key.suffix(5), limit: 10))
      }
  }

  /// Maximum number of listed users; others can be entered by id.
  private static let mostPeople = 2000

  @MainActor private func channels(_ facts: ViewContext) -> [PickList.Entry] {
    let fetched = guild?.value.flatMap { facts.command.channels[$0] }
    let texts = (fetched?.value ?? []).filter { $0.type != .voice }
    return [PickList.Entry(value: nil, name: "the backend's choice", remark: "its usual channel")]
      + texts.compactMap { channel in
        channel.id.map { id in
          PickList.Entry(
            value: id, name: "#" + PlainText(channel.name ?? id, limit: 100),
            remark: PlainText(channel.category ?? "", limit: 30))
        }
      }
  }
}

extension Progress {
  /// When it ended, successfully or not; nil until then.
  var endedAtMs: Int64? {
    switch self {
    case .none, .underWay: nil
    case .ended(_, let atMs), .failed(_, let atMs): atMs
    }
  }
}
