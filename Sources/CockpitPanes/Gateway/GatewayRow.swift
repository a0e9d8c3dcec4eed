import CockpitStores
import TerminalCore

/// A line of a list in a gateway's tab.
struct GatewayRow<Item: Hashable & Sendable>: Hashable {
  /// What it stands for; nil for a sentence.
  var item: Item?
  var text: PlainText
  var trailing: PlainText = ""
  var role = Role.text
  var isHeading = false

  /// The lines of a sentence.
  static func sentence(_ words: PlainText, _ role: Role = .muted, width: Int) -> [GatewayRow] {
    words.wrapped(to: max(8, width - 4), limit: 8).map { GatewayRow(text: "  " + $0, role: role) }
  }

  /// What stands in the place of something that was not read: why, or that it is awaited.
  @MainActor static func unread(
    _ entry: GatewayFindings.Entry?, _ facts: ViewContext, width: Int
  ) -> [GatewayRow] {
    if let problem = entry?.problem {
      return sentence(PlainText(problem, limit: 400), .warning, width: width)
    }
    return sentence(facts.awaited(entry), width: width)
  }
}
