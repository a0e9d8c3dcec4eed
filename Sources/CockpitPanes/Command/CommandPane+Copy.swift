import ClankyWire
import CockpitStores
import TerminalCore

extension CommandPane {
  /// What can be copied from the selected row: the data, not their rendering.
  @MainActor package func copyItems(_ facts: ViewContext) -> [CopyItem] {
    // The width is that of no screen: the row is copied whole.
    var layout = Layout()
    for panel in Panel.allCases { layout.panels[panel] = Rect(width: 202, height: 102) }
    guard let row = current(facts, layout), !row.text.isEmpty else { return [] }
    var items = [CopyItem(.row, row.text)]
    switch row.item {
    case .guild(let id): items += identity(id, url: "\(Self.site)/\(id)")
    case .channel(let id, let guild): items += identity(id, url: "\(Self.site)/\(guild)/\(id)")
    case .automation(let id, _): items.append(CopyItem(.id, "\(id)"))
    case .run(let id, _): items.append(CopyItem(.id, "\(id)"))
    case .browser(let id): items.append(CopyItem(.id, id))
    case .session(let id):
      items += [
        CopyItem(.id, id), CopyItem(.permalink, facts.permalink(["session"], id)),
      ]
    case .profile(let name):
      if let profile = facts.setup.profiles.first(where: { $0.name == name }) {
        items.append(CopyItem(.url, profile.url))
      }
    case .action, .entry, .panel, .figure, nil: break
    }
    return items
  }

  private func identity(_ id: String, url: String) -> [CopyItem] {
    [CopyItem(.id, id), CopyItem(.url, url)]
  }

  private static let site = "https://discord.com/channels"
}
