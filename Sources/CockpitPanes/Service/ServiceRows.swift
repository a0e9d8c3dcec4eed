import CockpitDomain
import CockpitStores
import CockpitText
import TerminalCore

/// The lines of a service's tabs.
@MainActor
struct ServiceRows {
  var facts: ViewContext
  var width: Int

  func tab(_ tab: Tab) -> [GatewayRow<ServiceItem>] {
    guard let board = facts.service else {
      return GatewayRow.sentence("What the service consists of is not known yet.", width: width)
    }
    return board.sections(of: Self.name(tab)).enumerated().flatMap { index, section in
      heading(section) + rows(section, index)
    }
  }

  /// A past conversation.
  func conversation(_ id: String) -> [GatewayRow<ServiceItem>] {
    let entry = facts.findings[.conversation(id)]
    let title = GatewayRow<ServiceItem>(
      text: PlainText(id, limit: 80), trailing: entry?.atMs.map { facts.asOf(readMs: $0) } ?? "",
      isHeading: true)
    guard case .conversation(let section)? = entry?.finding else {
      return [title] + GatewayRow.unread(entry, facts, width: width)
    }
    let problem = entry?.problem.map {
      GatewayRow<ServiceItem>.sentence(
        "not refreshed: " + PlainText($0, limit: 300), .warning, width: width)
    }
    return [title] + (problem ?? []) + rows(section, 0)
  }

  private static func name(_ tab: Tab) -> String {
    switch tab {
    case .pulse: "pulse"
    case .voice: "voice"
    case .brain: "brain"
    case .memory: "memory"
    case .cmd: "cmd"
    }
  }

  private func heading(_ section: ServiceBoard.Section) -> [GatewayRow<ServiceItem>] {
    guard !section.title.isEmpty else { return [GatewayRow(text: "")] }
    let age: PlainText =
      section.isOfConversation
      ? "" : section.readMs.map { facts.asOf(readMs: $0) } ?? facts.asOfConnection ?? ""
    let trailing = PlainText(section.trailing, limit: 60)
    let comma: PlainText = age.isEmpty || trailing.isEmpty ? "" : ", "
    return [
      GatewayRow(
        text: PlainText(section.title, limit: 60), trailing: trailing + comma + age,
        isHeading: true)
    ]
  }

  private func rows(
    _ section: ServiceBoard.Section, _ number: Int
  ) -> [GatewayRow<ServiceItem>] {
    section.rows.enumerated().flatMap { index, row in
      let item: ServiceItem =
        row.item.map { .conversation($0) } ?? .line(section: number, row: index)
      var text = PlainText(row.text, limit: 20_000)
      if let bar = row.bar { text = self.bar(bar) + " " + text }
      let role = Self.role(row.role)
      let trailing =
        row.atMs.map {
          facts.clock.time(ms: $0) + ", " + Figures.age(ms: max(0, facts.nowMs - $0)) + " ago"
        } ?? ""
      // A line that can be opened stays one line.
      guard row.item == nil, trailing.isEmpty else {
        return [GatewayRow(item: item, text: text, trailing: trailing, role: role)]
      }
      let lines = text.wrapped(to: max(8, width), limit: 60)
      return lines.map { GatewayRow(item: item, text: $0, role: role) }
    }
  }

  /// Twenty columns.
  private func bar(_ share: Double) -> PlainText {
    let full = Int((min(1, max(0, share)) * 20).rounded())
    return PlainText(
      "[" + String(repeating: "#", count: full) + String(repeating: ".", count: 20 - full) + "]")
  }

  private static func role(_ role: ServiceBoard.Row.Role) -> Role {
    switch role {
    case .text: .text
    case .muted: .muted
    case .focus: .focus
    case .positive: .positive
    case .warning: .warning
    case .negative: .negative
    }
  }
}
