import ClankyWire
import CockpitStores
import CockpitText
import LenientJSON
import TerminalCore

/// A line of what runs now, and the setting behind it.
struct RuntimeLine: Sendable {
  var line: VoiceLine
  var path: SettingPath?
}

extension SettingsPane {
  @MainActor func runtimeLines(_ facts: ViewContext, width: Int) -> [RuntimeLine] {
    guard let runtime = runtime(facts) else { return [] }
    return EffectiveRuntime.Group.allCases.flatMap { group -> [RuntimeLine] in
      let entries = runtime.entries.filter { $0.group == group }
      guard !entries.isEmpty else { return [] }
      let head = RuntimeLine(
        line: VoiceLine([
          .init(text: PlainText(group.rawValue).uppercased(), role: .heading, attributes: .bold)
        ]))
      return [head] + entries.map { Self.line($0, width: width) }
        + (group == .voice ? liveLinks(facts) : [])
    }
  }

  /// Live sessions whose link is not the one of the settings: it stays until the bot joins again.
  @MainActor private func liveLinks(_ facts: ViewContext) -> [RuntimeLine] {
    let path = SettingPath(["agentStack", "runtimeConfig", "voice", "runtimeMode"])
    let wanted = facts.settings.document.value?.effective.value(at: path)?.string
    let others = Set(facts.voice.sessions.compactMap { $0.mode?.description }).subtracting(
      [wanted].compactMap(\.self))
    return others.sorted().map { mode in
      RuntimeLine(
        line: VoiceLine([
          .label(PlainText("live now").padded(to: Self.nameWidth)),
          .init(
            text: PlainText(mode, limit: 60) + " until the bot leaves and joins again",
            role: .warning),
        ]), path: path)
    }
  }

  private static let nameWidth = 19

  private static func line(_ entry: EffectiveRuntime.Entry, width: Int) -> RuntimeLine {
    var spans: [VoiceLine.Span] = [
      .label(PlainText(entry.name).padded(to: nameWidth)),
      .init(
        text: PlainText(entry.value, limit: 120),
        role: entry.lacksAccount ? .negative : entry.isOff ? .muted : .text),
    ]
    if entry.lacksAccount {
      spans.append(.init(text: "no account", role: .negative, attributes: .bold))
    }
    if !entry.detail.isEmpty {
      spans.append(.init(text: PlainText(entry.detail, limit: 120), role: .muted))
    }
    let (words, role) = words(entry.origin)
    return RuntimeLine(
      line: VoiceLine(
        spans, trailing: width >= 44 && !words.isEmpty ? [.init(text: words, role: role)] : []),
      path: entry.path)
  }

  /// What made it so, in a word.
  private static func words(_ origin: EffectiveRuntime.Origin) -> (PlainText, Role) {
    switch origin {
    case .set: ("set", .warning)
    case .preset: ("preset", .muted)
    case .standard: ("default", .faint)
    case .inherited: ("as text", .muted)
    case .decided: ("by path", .muted)
    }
  }
}
