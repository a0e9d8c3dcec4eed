import TerminalUI
import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

extension JoinOverlay {
  @MainActor package func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    var page = page(facts, in: body)
    page.target = { .overlay($0) }
    page.render(in: body, into: &frame)
  }

  @MainActor private func page(_ facts: ViewContext, in body: Rect) -> DialogPage {
    let width = DialogPage.textWidth(in: body)
    switch step {
    case .guild: return picker("1/4 in which guild?", facts, in: body, width: width)
    case .person: return picker("2/4 whom does it follow?", facts, in: body, width: width)
    case .channel: return picker("3/4 where does it write?", facts, in: body, width: width)
    case .confirm:
      return DialogPage(
        title: "4/4 join voice?", lines: question(width) + warning(facts, width),
        footer: buttons(facts).lines(focus: focused(facts), width: width))
    case .requested:
      return DialogPage(
        title: "join voice", lines: outcome(facts, width: width),
        footer: buttons(facts).lines(focus: focused(facts), width: width))
    }
  }

  @MainActor private func picker(
    _ title: PlainText, _ facts: ViewContext, in body: Rect, width: Int
  ) -> DialogPage {
    let height = min(12, max(1, DialogPage.room(in: body, footer: 1) - 1))
    let (lines, field) = list.lines(
      entries(facts), placeholder: "-", width: width, height: height)
    var note: [DialogLine] = []
    if let problem = problem(facts) {
      note = Array(DialogLine.wrapped(problem.0, to: width, problem.1).prefix(2))
    }
    return DialogPage(title: title, lines: note + lines, footer: [field])
  }

  /// The error of a list, or what it still lacks.
  @MainActor private func problem(_ facts: ViewContext) -> (PlainText, Role)? {
    switch step {
    case .guild: return state(facts.command.guilds, "the guilds")
    case .channel:
      guard let guild = guild?.value else { return nil }
      return state(facts.command.channels[guild] ?? .none, "the channels")
    case .person, .confirm, .requested: return nil
    }
  }

  private func state<Row>(_ fetched: Fetched<[Row]>, _ what: PlainText) -> (PlainText, Role)? {
    switch fetched {
    case .none: (what + " are not known yet", .muted)
    case .loading: ("asking for " + what + "…", .info)
    case .loaded(let rows, _):
      rows.isEmpty ? ("no row: Discord may not be ready yet", .warning) : nil
    case .notServed: (what + " are not served by this backend", .warning)
    case .failed(let failure, _):
      (what + " could not be had: " + PlainText(failure.sentence, limit: 200), .negative)
    }
  }

  private func question(_ width: Int) -> [DialogLine] {
    func line(_ label: PlainText, _ value: PlainText) -> DialogLine {
      DialogLine([DialogRun(label.padded(to: 9), .muted), DialogRun(value.cut(to: width - 9))])
    }
    let backends: PlainText = "the backend's choice"
    return [
      line("guild", guild?.name ?? backends),
      line("follow", person?.name ?? "whoever is in voice"),
      line("write in", channel?.name ?? backends), DialogLine(),
    ]
      + DialogLine.wrapped(
        "The bot goes to the voice channel where that person is; the channel itself cannot be chosen.",
        to: width, .muted)
  }

  /// Enter after Enter would end in silence: the button that asks the bot is not the one that has the
  /// focus.
  @MainActor private func warning(_ facts: ViewContext, _ width: Int) -> [DialogLine] {
    guard focused(facts) == .cancel else { return [] }
    return DialogLine.wrapped(
      "Nothing was asked yet: Right, then Enter, asks the bot to join.", to: width, .warning)
  }

  // MARK: Outcome

  /// The buttons of the last two steps.
  @MainActor func buttons(_ facts: ViewContext) -> DialogButtons<Answer> {
    guard case .requested(let before) = step else {
      return DialogButtons([.init(.cancel, "CANCEL"), .init(.join, "JOIN")])
    }
    switch ended(facts, before) {
    case .none, .underWay: return DialogButtons([.init(.close, "CLOSE")])
    case .ended(let result, _) where result.ok == true:
      return DialogButtons([.init(.close, "CLOSE"), .init(.showVoice, "SHOW VOICE")])
    case .ended, .failed:
      return DialogButtons([.init(.close, "CLOSE"), .init(.change, "CHANGE AND TRY AGAIN")])
    }
  }

  /// The progress of this request; the result of an earlier one does not count.
  @MainActor private func ended(_ facts: ViewContext, _ before: Int64?) -> Progress<JoinResult> {
    let join = facts.command.join
    return join.endedAtMs != nil && join.endedAtMs == before ? .none : join
  }

  @MainActor private func outcome(_ facts: ViewContext, width: Int) -> [DialogLine] {
    guard case .requested(let before) = step else { return [] }
    switch ended(facts, before) {
    case .none: return DialogLine.wrapped("Asking the bot to join…", to: width, .info)
    case .underWay(let since):
      let seconds = Figures.duration(ms: Double(max(0, facts.nowMs - since)))
      return DialogLine.wrapped(
        "The bot is joining, for " + seconds + " now. It may take tens of seconds.", to: width,
        .info)
        + DialogLine.wrapped(
          "It goes on when this is closed; QUICK ACTIONS on CMD says how it ended.", to: width,
          .muted)
    case .failed(let failure, _):
      return DialogLine.wrapped(PlainText(failure.sentence, limit: 400), to: width, .negative)
    case .ended(let result, _):
      let isIn = result.ok == true
      return DialogLine.wrapped(JoinText.sentence(result), to: width, isIn ? .positive : .warning)
        + places(result, facts, width: width)
    }
  }

  @MainActor private func places(
    _ result: JoinResult, _ facts: ViewContext, width: Int
  ) -> [DialogLine] {
    let values: [(PlainText, PlainText?)] = [
      ("voice", result.voiceChannelID.map { "#" + facts.channelName($0, in: result.guildID) }),
      ("guild", result.guildID.map(facts.guildName)),
      ("writes in", result.textChannelID.map { "#" + facts.channelName($0, in: result.guildID) }),
      ("follows", result.requesterUserID.map { PlainText(facts.names.user($0), limit: 100) }),
    ]
    let lines = values.compactMap { label, value in
      value.map { value in
        DialogLine([
          DialogRun(label.padded(to: 10), .muted),
          DialogRun(value.cut(to: max(1, width - 10))),
        ])
      }
    }
    return lines.isEmpty ? [] : [DialogLine()] + lines
  }
}
