import TerminalUI
import ClankyWire
import CockpitStores
import TerminalCore

/// The first line of CMD: which profile, whether it may change anything, where, with which token.
@MainActor
struct CommandSummary {
  let facts: ViewContext

  func render(in area: Rect, into frame: inout Frame) {
    guard !area.isEmpty else { return }
    frame.canvas.inside(area) { VoicePills.draw(parts(width: area.width), into: &$0) }
  }

  private func parts(width: Int) -> [VoicePills.Part] {
    let others = facts.setup.profiles.map(\.name).filter { $0 != facts.setup.current }
    var parts = [
      VoicePills.Part(
        rank: 0,
        spans: [
          .label("PROFILE"),
          .init(text: Self.name(of: facts), role: .heading, attributes: .bold),
        ])
    ]
    if !others.isEmpty {
      let more = others.count == 1 ? "1 more" : "\(others.count) more"
      let names = width >= 140 ? ": " + others.prefix(4).map(shown).joined(separator: ", ") : ""
      parts.append(
        VoicePills.Part(rank: 5, spans: [.label(PlainText("(\(more)\(names))", limit: 80))]))
    }
    parts += [
      VoicePills.Part(rank: 1, spans: [Self.access(facts)]),
      VoicePills.Part(
        rank: 2, spans: [.init(text: PlainText(facts.connection.address, limit: 200))], least: 20),
      VoicePills.Part(
        rank: 4, spans: [.label("token"), .init(text: Self.tokenPlace(facts), role: .text)]),
    ]
    if let tag = facts.stats?.runtime?.userTag {
      parts.append(
        VoicePills.Part(rank: 6, spans: [.label("bot"), .init(text: PlainText(tag, limit: 40))]))
    }
    return parts
  }

  private func shown(_ name: String) -> String { name.isEmpty ? "top level" : name }

  static func name(of facts: ViewContext) -> PlainText {
    let name = facts.setup.current.isEmpty ? facts.profile : facts.setup.current
    let profile = name.isEmpty ? "default" : PlainText(name, limit: 40)
    guard let source = facts.sources?.current.name else { return profile }
    return profile + ": " + PlainText(source, limit: 40)
  }

  static func access(_ facts: ViewContext) -> VoiceLine.Span {
    facts.isReadOnly
      ? .init(text: "READ-ONLY", role: .warning, attributes: .bold)
      : .init(text: "READ-WRITE", role: .positive)
  }

  static func tokenPlace(_ facts: ViewContext) -> PlainText {
    facts.setup.tokenPlace.map { PlainText($0, limit: 80) } ?? "none"
  }
}
