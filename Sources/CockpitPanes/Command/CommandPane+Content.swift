import TerminalUI
import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

extension CommandPane {
  /// The content of a panel.
  struct Content {
    var title: PlainText
    var trailing: PlainText = ""
    var rows: [CommandRow] = []
    /// Shown instead of rows if there are none.
    var placeholder: PlainText = "-"
    /// What stands behind the figures of the title, and of the text at its right.
    var titleFigure: RowsBehind?
    var trailingFigure: RowsBehind?
  }

  /// - Parameter layout: the panels' rectangles: rows are made for their width, and a panel without
  ///   a rectangle is summarised in another one.
  @MainActor func content(_ panel: Panel, _ facts: ViewContext, _ layout: Layout) -> Content {
    let area = layout.content(panel)
    let width = max(1, area.width)
    switch panel {
    case .connection:
      return Content(
        title: "connection",
        trailing: ConnectionWords(
          status: facts.status, monotonicNs: facts.monotonicNs
        ).short,
        rows: ConnectionPanel(
          facts: facts, width: width, drift: drift.shown(of: facts.activity.log)
        ).rows, titleFigure: .ownProgram)
    case .system:
      let panel = SystemPanel(
        facts: facts, width: width, hasCost: layout[.cost].isEmpty,
        login: login, waiting: waiting.rows, unanswered: unanswered)
      return Content(
        title: "system",
        trailing: layout[.cost].isEmpty && layout.panels.count > 1 ? "Tab: cost" : "",
        rows: panel.rows)
    case .cost:
      var rows = area.height >= 18 ? 6 : area.height >= 12 ? 3 : 0
      if layout.isTall {
        // The bars take what the figures leave.
        let figures = CostPanel(facts: facts, width: width, chartRows: 1).rows.count - 1
        rows = max(rows, min(24, area.height - figures))
      }
      return Content(
        title: "cost",
        trailing: facts.scopeName.map { $0.cut(to: 24) + "  UTC days" } ?? "UTC days",
        rows: CostPanel(facts: facts, width: width, chartRows: rows).rows)
    case .latency:
      let latency = LatencyPanel(facts: facts, width: width)
      return Content(title: "reply latency", trailing: latency.trailing, rows: latency.rows)
    case .actions:
      return Content(
        title: "quick actions", trailing: "Enter", rows: ActionsPanel(facts: facts).rows)
    case .guilds:
      let guilds = GuildsPanel(
        facts: facts, unfolded: opened(panel, facts, layout), width: width)
      let count = facts.command.guilds.value.map { PlainText(" \($0.count)") } ?? ""
      return Content(
        title: "guilds" + count, trailing: state(of: facts.command.guilds, facts),
        rows: guilds.rows, placeholder: guilds.placeholder, titleFigure: .list("guilds"))
    case .automations: return automations(facts, layout, width: width)
    case .browsers:
      let browsers = BrowsersPanel(facts: facts, unfolded: unfolded, width: width)
      let fetched = facts.command.browserSessions
      let count = fetched.value.map { _ in PlainText(" \(browsers.count)") } ?? ""
      let failed = browsers.failedCount
      let state = self.state(of: fetched, facts)
      return Content(
        title: "browser agents" + count,
        trailing: !state.isEmpty
          ? state : fetched.value == nil ? "24h" : PlainText("24h  \(failed) failed"),
        rows: browsers.rows, placeholder: browsers.placeholder,
        titleFigure: .list("browser runs"), trailingFigure: .list("browser runs"))
    case .history:
      let history = HistoryLines(
        facts: facts, awaited: Set(wantedSummaries(facts)), width: width)
      let rows = zip(history.lines, facts.pastSessions).map {
        CommandRow($0, item: .session($1.sessionID))
      }
      return Content(
        title: "voice history" + (rows.isEmpty ? "" : PlainText(" \(rows.count)")),
        trailing: "Enter replays",
        rows: rows + CommandRow.unreadable(facts.voice.historyOmitted, width: width),
        placeholder: facts.voice.historyProblem.map {
          "The list of past sessions could not be had: " + PlainText(problem: $0, limit: 300)
            + ". r asks again."
        } ?? (facts.isUnheard ? "Not known: the backend is not heard." : history.placeholder),
        titleFigure: .list("past sessions"))
    case .log:
      let log = ClientLogPanel(facts: facts, unfolded: unfolded, width: width)
      return Content(
        title: "client log", trailing: log.counts, rows: log.rows, placeholder: log.placeholder,
        trailingFigure: .ownProgram)
    }
  }

  /// What can be unfolded in guilds and automations, where few enough are there to show all of it.
  @MainActor func unfoldable(_ facts: ViewContext) -> Set<Item> {
    let guilds = (facts.command.guilds.value ?? []).compactMap(\.id)
    let automations = facts.command.automations.flatMap { guild, fetched -> [Item] in
      guard facts.scope.holds(guild) else { return [] }
      return (fetched.value?.rows ?? []).compactMap(\.id).map { Item.automation($0, guild: guild) }
    }
    guard guilds.count <= 6, automations.count <= 8 else { return [] }
    return Set(guilds.map(Item.guild)).union(automations)
  }

  /// What is unfolded in a panel: by hand, and on a tall screen as much as fits.
  @MainActor func opened(_ panel: Panel, _ facts: ViewContext, _ layout: Layout) -> Set<Item> {
    guard layout.isTall else { return unfolded }
    let area = layout.content(panel)
    func fits(_ items: Set<Item>) -> Bool {
      let count =
        panel == .guilds
        ? GuildsPanel(facts: facts, unfolded: items, width: area.width).rows.count
        : AutomationsPanel(facts: facts, unfolded: items, width: area.width).rows.count
      return count <= area.height
    }
    let more = unfoldable(facts).subtracting(folded).subtracting(unfolded)
    let all = unfolded.union(more)
    if fits(all) { return all }
    // As many as there is room for, always the same ones.
    return more.sorted { "\($0)" < "\($1)" }.reduce(into: unfolded) { open, item in
      if fits(open.union([item])) { open.insert(item) }
    }
  }

  @MainActor private func automations(
    _ facts: ViewContext, _ layout: Layout, width: Int
  ) -> Content {
    let automations = AutomationsPanel(
      facts: facts, unfolded: opened(.automations, facts, layout), width: width)
    var rows = automations.rows
    // If the browser agents' panel is hidden they get a row here.
    if layout[.browsers].isEmpty {
      if rows.isEmpty { rows = CommandRow.note(automations.placeholder, width: width, limit: 3) }
      let summary = BrowsersPanel(facts: facts, unfolded: unfolded, width: width).summary
      // On a low panel it must be near the top to be visible.
      rows.insert(
        summary, at: layout.content(.automations).height < rows.count + 1 ? 0 : rows.count)
    }
    let states = facts.command.automations.filter { facts.scope.holds($0.key) }
      .map { self.state(of: $0.value, facts) }
    let worst = states.first { !$0.isEmpty } ?? ""
    return Content(
      title: "automations", trailing: worst.isEmpty ? automations.counts : worst, rows: rows,
      placeholder: automations.placeholder, trailingFigure: .list("automations"))
  }

  /// The state of fetched data: loading, failed, or old because the connection is lost. Empty if
  /// the data are current.
  @MainActor private func state<Value>(of fetched: Fetched<Value>, _ facts: ViewContext)
    -> PlainText
  {
    switch fetched {
    case .none: ""
    case .loading: "loading"
    case .loaded(_, let atMs):
      facts.isHeard ? "" : Self.stale(since: atMs, facts)
    case .notServed: "not served"
    case .failed(_, let value): value == nil ? "failed" : "STALE: failed"
    }
  }

  @MainActor private static func stale(since atMs: Int64, _ facts: ViewContext) -> PlainText {
    "as of " + facts.clock.time(ms: atMs)
  }

  /// Past sessions on screen whose events should be summarised.
  @MainActor func wantedSummaries(_ facts: ViewContext) -> [String] {
    let ids = facts.pastSessions.map(\.sessionID).filter { !$0.isEmpty }
    guard case .session(let id)? = cursors[.history]?.id, let place = ids.firstIndex(of: id)
    else {
      return Array(ids.prefix(Self.summaries))
    }
    return [id] + ids[max(0, place - Self.summaries / 2)...].prefix(Self.summaries)
  }

  /// How many past sessions are summarised without a request by the user.
  private static let summaries = 12
}
