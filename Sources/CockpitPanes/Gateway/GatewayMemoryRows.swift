import CockpitDomain
import CockpitStores
import CockpitText
import TerminalCore

/// A line of the list in MEMORY: an agent, one of its files, a hit of a search, or a sentence.
typealias GatewayMemoryRow = GatewayRow<GatewayMemoryItem>

enum GatewayMemoryItem: Hashable, Sendable {
  case agent(String)
  case file(agent: String, name: String)
  case folder(agent: String, path: String)
  case workspaceFile(agent: String, path: String)
  /// `index`: the place among the hits.
  case hit(index: Int, path: String, line: Int?)
}

/// The lines of the list, from what was read.
@MainActor
struct GatewayMemoryRows {
  let facts: ViewContext
  let width: Int

  /// What the pane lists: a search stands before a folder, and both before the files of all agents.
  func listed(
    _ search: GatewayMemoryPane.Search?, _ folder: GatewayMemoryPane.Folder?
  ) -> [GatewayMemoryRow] {
    if let search { return hits(search.words, agent: search.agent) }
    if let folder { return self.folder(folder.path, of: folder.agent) }
    return files()
  }

  /// A list that could not be read says so and is not "none".
  func files() -> [GatewayMemoryRow] {
    guard let overview = facts.gateway else { return say("The agents are not known yet.") }
    if let problem = overview.unknown["agents"] {
      return say("The agents are not known: " + PlainText(problem, limit: 300), .warning)
    }
    guard !overview.agents.isEmpty else { return say("The gateway has no agent.") }
    return overview.agents.flatMap(files(of:))
  }

  private func files(of agent: GatewayOverview.Agent) -> [GatewayMemoryRow] {
    let name = agent.name.map { " " + text($0, 40) } ?? ""
    let entry = facts.findings[.files(agent: agent.id)]
    var heading = GatewayMemoryRow(
      item: .agent(agent.id), text: text(agent.id, 40) + name, isHeading: true)
    guard case .files(let files, _)? = entry?.finding else {
      return [heading] + waiting(entry)
    }
    let there = files.filter { !$0.isMissing }.count
    heading.trailing = Figures.count(there) + (there == 1 ? " file" : " files")
    var rows = [heading] + files.map { row($0, of: agent.id) }
    if files.isEmpty {
      rows.append(GatewayMemoryRow(text: "  the gateway names no file", role: .muted))
    }
    // Protocol 3 has no such list.
    if (facts.gateway?.protocolVersion ?? 0) >= 4 {
      rows.append(
        GatewayMemoryRow(
          item: .folder(agent: agent.id, path: ""), text: "  workspace/",
          trailing: facts.keys.text(.open) + " lists it"))
    }
    if let problem = entry?.problem {
      rows += say("Not refreshed: " + text(problem, 300), .warning)
    }
    return rows
  }

  /// A folder of a workspace, folders before files as the gateway orders them.
  func folder(_ path: String, of agent: String) -> [GatewayMemoryRow] {
    let entry = facts.findings[.folder(agent: agent, path: path)]
    var rows = [
      GatewayMemoryRow(
        item: .agent(agent),
        text: text(agent, 40) + "/workspace" + (path.isEmpty ? "" : "/" + text(path, 200)),
        isHeading: true)
    ]
    guard case .folder(let folder)? = entry?.finding else { return rows + waiting(entry) }
    rows[0].trailing =
      Figures.count(folder.total) + (folder.total == 1 ? " entry" : " entries")
    rows += folder.entries.map { row($0, of: agent) }
    if folder.entries.isEmpty {
      rows.append(GatewayMemoryRow(text: "  the folder is empty", role: .muted))
    }
    if folder.total > folder.entries.count {
      rows += say(
        "The first " + Figures.count(folder.entries.count) + " of them are listed.", .warning)
    }
    if let problem = entry?.problem {
      rows += say("Not refreshed: " + text(problem, 300), .warning)
    }
    return rows
  }

  private func row(_ entry: GatewayFolder.Entry, of agent: String) -> GatewayMemoryRow {
    guard !entry.isFolder else {
      return GatewayMemoryRow(
        item: .folder(agent: agent, path: entry.path), text: "  " + text(entry.name, 80) + "/")
    }
    return GatewayMemoryRow(
      item: .workspaceFile(agent: agent, path: entry.path), text: "  " + text(entry.name, 80),
      trailing: sizeAndAge(entry.size, entry.updatedMs))
  }

  private func sizeAndAge(_ size: Int?, _ updatedMs: Int64?) -> PlainText {
    let words = size.map { Figures.bytes($0) } ?? "-"
    guard let updatedMs else { return words }
    return words + ("  " + Figures.age(ms: facts.nowMs - updatedMs) + " old").leftPadded(to: 12)
  }

  private func row(_ file: GatewayFile, of agent: String) -> GatewayMemoryRow {
    let item = GatewayMemoryItem.file(agent: agent, name: file.name)
    let name = "  " + text(file.name, 60)
    guard !file.isMissing else {
      return GatewayMemoryRow(item: item, text: name, trailing: "missing", role: .muted)
    }
    return GatewayMemoryRow(
      item: item, text: name, trailing: sizeAndAge(file.size, file.updatedMs))
  }

  func hits(_ words: String, agent: String) -> [GatewayMemoryRow] {
    let entry = facts.findings[.search(agent: agent, words: words)]
    var rows = [
      GatewayMemoryRow(
        item: .agent(agent),
        text: "\"" + text(words, 60) + "\" in the memory of " + text(agent, 40), isHeading: true)
    ]
    guard case .search(let search)? = entry?.finding else { return rows + waiting(entry) }
    if let problem = search.problem {
      rows += say("The gateway did not search: " + text(problem, 300), .warning)
    } else if search.hits.isEmpty {
      rows += say("It found nothing.")
    }
    rows[0].trailing =
      Figures.count(search.hits.count) + (search.hits.count == 1 ? " hit" : " hits")
    for (index, hit) in search.hits.enumerated() {
      var place = "  " + text(hit.path, 80)
      if let start = hit.start {
        place += ":" + PlainText("\(start)")
        if let end = hit.end, end != start { place += PlainText("-\(end)") }
      }
      rows.append(
        GatewayMemoryRow(
          item: .hit(index: index, path: hit.path, line: hit.start), text: place,
          trailing: hit.score.map { "score " + Figures.unit($0) } ?? "no score"))
      let snippet = PlainText(hit.snippet.oneLine, limit: 400)
      rows += snippet.wrapped(to: max(8, width - 6), limit: 2).map {
        GatewayMemoryRow(text: "    " + $0, role: .muted)
      }
    }
    if let degraded = search.degraded {
      rows += say("How the gateway searched: " + text(degraded, 60) + ".", .warning)
    }
    if let problem = entry?.problem {
      rows += say("Not refreshed: " + text(problem, 300), .warning)
    }
    return rows
  }

  private func waiting(_ entry: GatewayFindings.Entry?) -> [GatewayMemoryRow] {
    GatewayMemoryRow.unread(entry, facts, width: width)
  }

  private func say(_ words: PlainText, _ role: Role = .muted) -> [GatewayMemoryRow] {
    GatewayMemoryRow.sentence(words, role, width: width)
  }

  private func text(_ text: String, _ limit: Int) -> PlainText { PlainText(text, limit: limit) }
}

extension String {
  /// On one line.
  fileprivate var oneLine: String {
    split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
