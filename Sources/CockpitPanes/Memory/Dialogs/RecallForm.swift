import ClankyWire
import CockpitStores
import CockpitText
import TerminalCore
import TerminalUI

/// The question to RECALL: what would the bot put in front of its model for these words, people, channel
/// and kind of reply? Sent only by its button, since it may cost money.
package struct RecallForm: Hashable, Sendable {
  enum Field: CaseIterable, Hashable, Sendable { case words, mode, people, channel, send }

  let guild: String
  private(set) var field = Field.words
  private var words: TextField
  private var mode: SnapshotMode
  /// Ids; the first is the one that it would answer.
  private(set) var people: [String]
  private(set) var channel: String?
  /// The list of people or channels, while it is open.
  private var list: PickList?
  private var message: PlainText?

  /// - Parameters:
  ///   - last: what was asked last, to go on from.
  ///   - user: the chosen person.
  init(guild: String, last: SnapshotRequest?, user: String?) {
    self.guild = guild
    words = TextField(last?.queryText ?? "", isSelected: true)
    mode = last?.mode ?? .text
    let before = last.map { [$0.userID].compactMap { $0 } + $0.participantIDs } ?? []
    var seen: Set<String> = []
    people = ([user].compactMap { $0 } + before).filter { seen.insert($0).inserted }
    // Channels belong to a guild.
    channel = last?.guildID == guild ? last?.channelID : nil
  }

  var isReadyToSend: Bool { field == .send }

  /// What is asked.
  private var request: SnapshotRequest {
    SnapshotRequest(
      guildID: guild, channelID: channel, userID: people.first,
      queryText: words.text.collapsingWhitespace, mode: mode,
      participantIDs: people.count > 1 ? people : [])
  }

  @MainActor func needs(_ facts: ViewContext) -> [Need] {
    field == .channel ? [.command(.loadChannels(guild: guild))] : []
  }

  // MARK: Keys

  @MainActor mutating func press(_ press: KeyPress, on facts: ViewContext) -> LayerOutcome {
    message = nil
    if list != nil {
      pick(press, facts)
      return .stay
    }
    switch (press.key, press.modifiers) {
    case (.escape, []), (.char("c"), .ctrl), (.char("g"), .ctrl): return .close
    case (.tab, []), (.down, []): step(by: 1)
    case (.tab, .shift), (.up, []): step(by: -1)
    case (.enter, _): return enter()
    default: type(press)
    }
    return .stay
  }

  private mutating func step(by step: Int) {
    let fields = Field.allCases
    let index = fields.firstIndex(of: field) ?? 0
    field = fields[(index + step + fields.count) % fields.count]
  }

  private mutating func type(_ press: KeyPress) {
    switch (field, press.key) {
    case (.words, _): _ = words.press(press)
    case (.mode, .left), (.mode, .right), (.mode, .char(" ")):
      mode = mode == .voice ? .text : .voice
    case (.people, .char(" ")), (.channel, .char(" ")): list = PickList()
    case (.people, .backspace): _ = people.popLast()
    case (.channel, .backspace): channel = nil
    default: break
    }
  }

  private mutating func enter() -> LayerOutcome {
    switch field {
    case .words, .send: break
    case .mode:
      field = .people
      return .stay
    case .people, .channel:
      list = PickList()
      return .stay
    }
    let text = words.text.collapsingWhitespace
    guard !text.isEmpty else {
      field = .words
      message = "type what somebody might say"
      return .stay
    }
    guard text.utf16.count <= SnapshotRequest.queryLimit else {
      field = .words
      message = PlainText(
        "at most \(SnapshotRequest.queryLimit) characters are taken; shorten it")
      return .stay
    }
    guard field == .send else {
      field = .send
      return .stay
    }
    return .done([.memory(.recall(request))])
  }

  mutating func paste(_ text: String) {
    if list != nil {
      list?.paste(text)
    } else if field == .words {
      words.paste(text)
    }
  }

  @MainActor mutating func click(_ item: Int, on facts: ViewContext) -> LayerOutcome {
    if var open = list {
      let outcome = open.click(item, entries(facts))
      list = open
      take(outcome)
      return .stay
    }
    guard item != 1 else { return .close }
    guard field == .send else {
      field = .send
      return .stay
    }
    return enter()
  }

  // MARK: Lists

  @MainActor private mutating func pick(_ press: KeyPress, _ facts: ViewContext) {
    guard var open = list else { return }
    let outcome = open.press(press, entries(facts))
    list = open
    take(outcome)
  }

  private mutating func take(_ outcome: PickList.Outcome) {
    switch outcome {
    case .stay: break
    case .back, .close: list = nil
    case .chosen(let entry):
      if field == .channel {
        channel = entry.value
        list = nil
      } else if let id = entry.value {
        // Several can be chosen: the list stays.
        if let index = people.firstIndex(of: id) {
          people.remove(at: index)
        } else if people.count < Self.mostChosen {
          people.append(id)
        } else {
          message = PlainText("\(Self.mostChosen) people at most")
        }
      } else {
        people = []
        list = nil
      }
    }
  }

  private static let mostChosen = 20
  private static let mostListed = 2000

  @MainActor private func entries(_ facts: ViewContext) -> [PickList.Entry] {
    field == .channel ? channels(facts) : persons(facts)
  }

  /// People in voice, those with facts, then all whose names are known.
  @MainActor private func persons(_ facts: ViewContext) -> [PickList.Entry] {
    var entries = [PickList.Entry(value: nil, name: "nobody in particular")]
    var seen: Set<String> = []
    func add(_ id: String, _ remark: PlainText, isLive: Bool = false) {
      guard seen.insert(id).inserted else { return }
      let mark: PlainText = people.contains(id) ? "chosen" : remark
      entries.append(
        .init(
          value: id, name: PlainText(facts.names.user(id), limit: 60), remark: mark,
          isLive: isLive || people.contains(id)))
    }
    for session in facts.voice.sessions where session.guildID == guild {
      for person in session.participants { person.userID.map { add($0, "in voice", isLive: true) } }
    }
    let subjects = facts.memory.subjects[guild] ?? []
    for subject in subjects.compactMap(\.subject) where FactSubject(special: subject) == nil {
      add(subject, "has facts")
    }
    let others = facts.connection.names.users
      .sorted { ($0.value.lowercased(), $0.key) < ($1.value.lowercased(), $1.key) }
    for (id, _) in others.prefix(Self.mostListed) { add(id, PlainText("…" + id.suffix(5))) }
    return entries
  }

  @MainActor private func channels(_ facts: ViewContext) -> [PickList.Entry] {
    let listed = (facts.command.channels[guild]?.value ?? []).filter { $0.type != .voice }
    return [PickList.Entry(value: nil, name: "no channel", remark: "no conversations preferred")]
      + listed.compactMap { channel in
        channel.id.map { id in
          PickList.Entry(
            value: id, name: "#" + PlainText(channel.name ?? id, limit: 100),
            remark: id == self.channel ? "chosen" : PlainText(channel.category ?? "", limit: 30))
        }
      }
  }

  // MARK: Drawing

  @MainActor func page(_ facts: ViewContext, in body: Rect, width: Int) -> DialogPage {
    if let list {
      let height = min(12, max(1, DialogPage.room(in: body, footer: 1) - 1))
      let (lines, line) = list.lines(
        entries(facts), placeholder: "none is known yet", width: width, height: height)
      return DialogPage(
        title: field == .channel ? "in which channel?" : "for whom? Enter chooses, Esc goes on",
        lines: lines, footer: [line])
    }
    var lines = [
      line("WORDS", .words, words.runs(width: max(8, width - 10), isFocused: field == .words)),
      line("MODE", .mode, [DialogRun(mode == .voice ? "voice reply" : "text reply")]),
      line("PEOPLE", .people, [DialogRun(names(facts).cut(to: max(4, width - 10)))]),
      line("CHANNEL", .channel, [DialogRun(place(facts))]), DialogLine(),
    ]
    lines += DialogLine.wrapped(
      "The first person is the one that it would answer. With a voice reply those in the live session "
        + "of this guild are added.", to: width, .muted)
    let guildName = PlainText(facts.names.guild(guild), limit: 60)
    var footer = DialogLine.wrapped(
      "It is sent for " + guildName + " and may cost the bot's owner money (embeddings).",
      to: width,
      .warning)
    if let message { footer += DialogLine.wrapped(message, to: width, .info) }
    footer += DialogButtons<Int>([.init(0, "ASK"), .init(1, "CANCEL")])
      .lines(focus: field == .send ? 0 : nil, width: width)
    return DialogPage(
      title: "what would it recall now?", lines: lines, footer: footer, needed: 0..<4)
  }

  private func line(_ label: PlainText, _ field: Field, _ runs: [DialogRun]) -> DialogLine {
    let isFocused = self.field == field
    return DialogLine(
      [
        DialogRun(
          ((isFocused ? "> " : "  ") + label).padded(to: 10), isFocused ? .focus : .muted,
          isFocused ? .bold : [])
      ] + runs)
  }

  @MainActor private func names(_ facts: ViewContext) -> PlainText {
    people.isEmpty
      ? "nobody in particular"
      : people.map { PlainText(facts.names.user($0), limit: 40) }.joined(separator: ", ")
  }

  @MainActor private func place(_ facts: ViewContext) -> PlainText {
    channel.map { "#" + facts.channelName($0, in: guild) } ?? "none"
  }

  var keyLine: PlainText {
    if list != nil { return "type to narrow  Up Down move  Enter chooses  Esc goes back" }
    return switch field {
    case .words: "type what somebody might say  Enter goes on  Tab next field  Esc leaves"
    case .mode: "Space or Left Right changes it  Tab next field  Esc leaves"
    case .people, .channel: "Enter opens the list  Backspace takes the last away  Tab next field"
    case .send: "Enter sends it  Tab next field  Esc leaves"
    }
  }
}
