import CockpitText
import CockpitDomain
import Networking
import ClankyWire
import CockpitStores
import TerminalCore

/// The quick actions, each with a description, its last outcome, or why it is unavailable.
@MainActor
struct ActionsPanel {
  let facts: ViewContext

  var rows: [CommandRow] {
    QuickAction.allCases.map { action in
      let (text, role) = remark(action)
      // A route that no known backend has is not offered like one that is there.
      let isDoubtful = action == .leave && facts.command.canLeave != true
      let isOpen = Self.whyNot(action, facts) == nil && !isDoubtful
      return CommandRow(
        [
          .init(
            text: action.title.padded(to: 15), role: isOpen ? .heading : .muted,
            attributes: isOpen ? .bold : []),
          .init(text: text, role: role),
        ], item: .action(action))
    }
  }

  /// Why an action cannot be done, in a few words; nil if it can.
  static func whyNot(_ action: QuickAction, _ facts: ViewContext) -> PlainText? {
    if action.isMutation, facts.isReadOnly {
      return facts.replay == nil ? "n/a: read-only" : "n/a: the past"
    }
    switch action {
    case .leave:
      switch facts.command.canLeave {
      case false?: return PlainText(LeaveText.short(canLeave: false))
      case nil where facts.liveSessions.isEmpty:
        return PlainText(LeaveText.short(canLeave: nil))
      case true? where facts.liveSessions.isEmpty: return "no live session"
      case nil, true?: return nil
      }
    case .export:
      return facts.activity.log.count(in: facts.scope) == 0 ? "no row is kept" : nil
    case .settings:
      if case .notServed = facts.settings.document { return "not served" }
      return nil
    case .join: return facts.unserved.contains(.join) ? "not served" : nil
    case .refreshMemory: return facts.unserved.contains(.refreshMemory) ? "not served" : nil
    case .search: return facts.unserved.contains(.search) ? "not served" : nil
    case .profiles, .setup: return nil
    }
  }

  /// The same as a sentence with the next step.
  static func whyNotSentence(_ action: QuickAction, _ facts: ViewContext) -> PlainText? {
    guard let short = whyNot(action, facts) else { return nil }
    if action.isMutation, facts.isReadOnly {
      return facts.readOnlyWords
    }
    switch action {
    case .leave where facts.command.canLeave == false: return PlainText(LeaveText.notServed)
    case .leave: return "the bot is in no voice channel"
    case .settings: return SettingsPane.notServed
    case .join: return facts.words(unserved: .join, \.routes)
    case .refreshMemory: return facts.words(unserved: .refreshMemory, \.routes)
    case .search: return facts.words(unserved: .search, \.routes)
    default: return short
    }
  }

  private func remark(_ action: QuickAction) -> (PlainText, Role) {
    if let why = Self.whyNot(action, facts) { return (why, .muted) }
    switch action {
    case .join: return progress(facts.command.join, JoinText.short) ?? (place, .muted)
    case .leave:
      let short = LeaveText.short(canLeave: facts.command.canLeave)
      return progress(facts.command.leave) { ($0 ? "left" : "refused", $0) }
        ?? (short.isEmpty ? place : PlainText(short), .muted)
    case .refreshMemory:
      return progress(facts.command.memoryRefresh) { ($0 ? "done" : "refused", $0) }
        ?? ("sums up anew", .muted)
    case .search: return ("in MEMORY", .muted)
    case .settings: return ("read, search, change", .muted)
    case .export:
      return (Figures.count(facts.activity.log.count(in: facts.scope)) + " rows as JSON", .muted)
    case .profiles:
      let count = facts.setup.profiles.count
      return (count > 1 ? PlainText("\(count) to choose from") : "only this one", .muted)
    case .setup: return ("address and token", .muted)
    }
  }

  /// Where the bot is in voice.
  private var place: PlainText {
    guard let session = facts.liveSessions.first, let channel = session.voiceChannelID else {
      return "guild, person, text channel"
    }
    return (facts.dataEndMs(.voice) == nil ? "now in #" : "was in #")
      + PlainText(facts.names.channel(channel), limit: 40)
  }

  private func progress<Value>(
    _ progress: Progress<Value>, _ words: (Value) -> (PlainText, Bool)
  ) -> (PlainText, Role)? {
    switch progress {
    case .none: return nil
    case .underWay(let since):
      return ("under way for " + Figures.duration(ms: Double(max(0, facts.nowMs - since))), .info)
    case .ended(let value, _):
      // Without its age, which would be cut or would cut the words; the log of this program has
      // when it was.
      let (text, isGood) = words(value)
      return (text, isGood ? .positive : .warning)
    case .failed(let failure, _): return (PlainText(failure.sentence, limit: 200), .negative)
    }
  }
}
