import ClankyWire
import CockpitStores
import CockpitText
import TerminalCore
import TerminalUI

/// The first line of the settings: whose they are, whether they may be changed, how old they are, what narrows the
/// list.
@MainActor
struct SettingsSummary {
  let facts: ViewContext
  let tree: SettingsTree?
  let search: String
  let field: TextField?
  let isOnlyDiffering: Bool
  /// Settings in the list.
  let shown: Int

  func render(in area: Rect, into frame: inout Frame) {
    guard !area.isEmpty else { return }
    guard let field else {
      frame.canvas.inside(area) { VoicePills.draw(parts, into: &$0) }
      return
    }
    frame.canvas.inside(area) { canvas in
      canvas.write("/", x: 1, role: .key, attributes: .bold)
      let count = PlainText("\(shown) found")
      canvas.write(count, x: canvas.bounds.width - count.columns - 1, role: .muted)
      let room = Rect(x: 3, width: canvas.bounds.width - 5 - count.columns, height: 1)
      canvas.inside(room) {
        field.render(into: &$0, placeholder: "words of path, meaning or value", isFocused: true)
      }
    }
  }

  private var parts: [VoicePills.Part] {
    var parts = [
      VoicePills.Part(
        rank: 0,
        spans: [.init(text: "BOT SETTINGS", role: .heading, attributes: .bold)]),
      VoicePills.Part(rank: 2, spans: [CommandSummary.access(facts)]),
      VoicePills.Part(rank: 1, spans: [age]),
    ]
    if let tree {
      parts.append(
        VoicePills.Part(
          rank: 3,
          spans: [
            .init(text: PlainText("\(tree.differing)"), role: .number),
            .label(PlainText("of \(tree.entries.count) differ from the default")),
          ]))
    }
    if !search.isEmpty {
      parts.insert(
        VoicePills.Part(
          rank: 1,
          spans: [
            .init(text: "/ " + PlainText(search, limit: 40), role: .match),
            .label(PlainText("\(shown) found")),
          ]), at: 1)
    }
    if let preset = facts.settings.document.value?.preset {
      parts.append(
        VoicePills.Part(
          rank: 5, spans: [.label("preset"), .init(text: PlainText(preset, limit: 40))]))
    }
    parts.append(
      VoicePills.Part(
        rank: 6, spans: [.init(text: PlainText(facts.connection.address, limit: 200), role: .muted)]
      ))
    return parts
  }

  /// How old the document is: others save too, and nothing tells.
  private var age: VoiceLine.Span {
    switch facts.settings.document {
    case .none: .label("not read yet")
    case .loading: .init(text: "reading", role: .info)
    case .notServed: .init(text: "not served", role: .warning)
    case .failed: .init(text: "reading failed", role: .negative)
    case .loaded(_, let atMs):
      .label(
        facts.nowMs &- atMs < 1000
          ? "read just now" : "read " + Figures.age(ms: facts.nowMs &- atMs) + " ago")
    }
  }
}
