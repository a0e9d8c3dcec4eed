import CockpitText
import Networking
import ClankyWire
import CockpitStores
import TerminalCore

extension MemoryPane {
  /// The fact under the cursor; outside of FACTS the displayed text. Masked text is not copied.
  @MainActor package func copyItems(_ facts: ViewContext) -> [CopyItem] {
    guard view == .facts else {
      return plainText(facts).map { [CopyItem(.row, $0)] } ?? []
    }
    guard let row = current(facts), !isMasked(row.fact) else { return [] }
    let fact = row.fact
    var items = [
      CopyItem(.row, fact.fact ?? ""),
      CopyItem(.json, String(decoding: record(fact, facts).json, as: UTF8.self)),
      CopyItem(.id, "\(row.id)"),
    ]
    if let url = DiscordLink.to(
      guild: fact.guildID, channel: fact.channelID, message: fact.sourceMessageID)
    {
      items.append(CopyItem(.url, url))
    }
    items.append(CopyItem(.curl, ShellLine.curl(facts.connection.address, target(of: fact))))
    items.append(CopyItem(.query, "id:\(row.id)"))
    var words = ["facts", "show", "\(row.id)"]
    if fact.isOwnerPrivate { words.append("--owner-private") }
    items.append(CopyItem(.permalink, facts.permalink(words)))
    return items
  }

  /// As `facts show --json` prints it.
  @MainActor private func record(_ fact: Fact, _ facts: ViewContext) -> FactRecord {
    let names = facts.names.directory
    return FactRecord(
      fact: fact,
      subjectName: fact.subject.flatMap { subject in
        FactSubject(special: subject) != nil
          ? facts.names.subject(subject) : names.userName(subject)
      },
      guildName: fact.guildID.flatMap(names.guildName))
  }

  /// The list that contains it: there is no route for one fact (contract 3.2).
  private func target(of fact: Fact) -> RequestTarget {
    if fact.isOwnerPrivate {
      return RequestTarget(
        ["api", "memory", "owner-private", "facts"], query: [.init("limit", "500")])
    }
    var query = [RequestTarget.QueryItem("guildId", fact.guildID ?? query.guild ?? "")]
    query.append(.init("limit", "500"))
    if let subject = fact.subject { query.append(.init("subject", subject)) }
    return RequestTarget(["api", "memory", "facts"], query: query)
  }

  /// The listed facts, one per line, or the text of the view, without masked text.
  @MainActor package func plainText(_ facts: ViewContext) -> String? {
    if view == .facts, focus == .facts || focus == .subjects {
      return facts.factView.rows.prefix(1000).map { row in
        guard !isMasked(row.fact) else { return "#\(row.id)  (private; Enter shows it)" }
        let subject = row.fact.subject.map { facts.names.subject($0) } ?? "-"
        let type = row.fact.factType?.rawValue ?? "-"
        return "#\(row.id)  \(subject)  \(type)  \(row.fact.fact ?? "")"
          .replacing("\n", with: " ")
      }.joined(separator: "\n")
    }
    if view == .markdown, let text = facts.memory.markdown.value?.markdown, isOwnerShown {
      return text
    }
    let panel: Panel = view == .facts ? focus : .document
    var wide = Layout()
    wide.panels[panel] = Rect(width: 10_000, height: 100)
    let lines = lines(panel, facts, wide)
    return lines.isEmpty ? nil : lines.map(\.text).joined(separator: "\n")
  }
}
