import CockpitText
import CockpitDomain
import Networking
import ClankyWire
import CockpitStores
import TerminalCore

/// The guilds of the bot; Enter unfolds the channels of one.
@MainActor
struct GuildsPanel {
  let facts: ViewContext
  let unfolded: Set<CommandItem>
  /// Columns.
  var width: Int

  var rows: [CommandRow] {
    (facts.command.guilds.value ?? []).flatMap { guild -> [CommandRow] in
      guard let id = guild.id else { return [] }
      let item = CommandItem.guild(id)
      let isOpen = unfolded.contains(item)
      let sessions = facts.voice.sessions.filter { $0.guildID == id }
      let name = facts.guildName(id)
      let row = CommandRow(
        [
          .symbol(isOpen ? .unfolded : .folded, .focus),
          facts.scope.guild == id
            ? .init(text: name, role: .focus, attributes: .bold) : .init(text: name),
        ],
        trailing: sessions.isEmpty ? [] : voice(sessions), item: item)
      return [row] + (isOpen ? channels(id) : [])
    }
  }

  /// Shown if there is no guild to list.
  var placeholder: PlainText {
    switch facts.command.guilds {
    case .failed(let failure, _):
      PlainText(problem: failure.sentence, limit: 300) + ". r asks again."
    case .notServed: "This backend does not list its guilds."
    case .loaded: "None is listed: the bot is in none, or Discord is not ready yet. r asks again."
    case .loading: "Asking for the guilds…"
    case .none: facts.isHeard ? "Asking for the guilds…" : "Not known: the backend is not heard."
    }
  }

  private func voice(_ sessions: [VoiceSession]) -> [VoiceLine.Span] {
    let people = sessions.reduce(0) {
      $0 &+ min($1.participantCount ?? $1.participants.count, 9999)
    }
    return [
      .symbol(.dot, .positive), .init(text: "voice", role: .voice),
      .init(text: Figures.count(people) + "p", role: .number),
    ]
  }

  private func channels(_ guild: String) -> [CommandRow] {
    let fetched = facts.command.channels[guild] ?? .none
    guard let channels = fetched.value, !channels.isEmpty else {
      let (text, role): (PlainText, Role) =
        switch fetched {
        case .failed(let failure, _):
          (PlainText(problem: failure.sentence, limit: 200) + ". r asks again.", .negative)
        case .notServed: ("channels are not served", .muted)
        case .loaded: ("none is listed; Discord may not be ready", .muted)
        case .none, .loading: ("asking…", .muted)
        }
      return CommandRow.note(text, role, width: width, indent: 1, limit: 3)
    }
    let live = Set(facts.voice.sessions.compactMap(\.voiceChannelID))
    return channels.prefix(500).map { channel in
      let isVoice = channel.type == .voice
      let name =
        channel.name.map { PlainText($0, limit: 100) }
        ?? channel.id.map { PlainText($0, limit: 30) } ?? "-"
      var spans: [VoiceLine.Span] = [
        .init(text: isVoice ? ">" : "#", role: isVoice ? .voice : .muted), .init(text: name),
      ]
      if isVoice { spans.append(.label("voice")) }
      var trailing: [VoiceLine.Span] = []
      if let id = channel.id, live.contains(id) {
        trailing =
          facts.asOf(.voice) == nil
          ? [.symbol(.dot, .positive), .init(text: "live", role: .voice)]
          : [.init(text: "was live", role: .muted)]
      } else if let category = channel.category, !category.isEmpty, width >= 34 {
        trailing = [.label(PlainText(category, limit: 40).cut(to: width / 3))]
      }
      return CommandRow(
        spans, trailing: trailing, item: channel.id.map { .channel($0, guild: guild) }, indent: 1)
    }
  }
}
