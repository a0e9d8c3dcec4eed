import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

/// The browser agent's runs in the last 24 h; Enter unfolds the steps of a run.
@MainActor
struct BrowsersPanel {
  let facts: ViewContext
  let unfolded: Set<CommandItem>
  /// Columns.
  var width: Int

  private var figures: VoiceFigures { VoiceFigures(facts: facts) }
  private var sessions: [BrowserSession] {
    (facts.command.browserSessions.value?.sessions ?? []).filter { facts.scope.holds($0.guildID) }
  }

  var count: Int { sessions.count }

  var failedCount: Int { sessions.count { hasFailed($0) == true } }

  /// An error text tells it where `failed` is missing (contract 4.1); nil if nothing tells.
  private func hasFailed(_ session: BrowserSession) -> Bool? {
    session.failed ?? (session.errorMessage?.isEmpty == false ? true : nil)
  }

  private func mark(_ session: BrowserSession) -> VoiceLine.Span {
    switch hasFailed(session) {
    case true?: .symbol(.cross, .negative)
    case false?: .symbol(.check, .positive)
    case nil: .init(text: "-", role: .muted)
    }
  }

  /// `3 (24h) 1 failed`, in one row of another panel.
  var summary: CommandRow {
    let isKnown = facts.command.browserSessions.value != nil
    return CommandRow(
      [
        .init(text: "BROWSER AGENTS", role: .heading),
        .init(text: isKnown ? Figures.count(sessions.count) : "-", role: .number), .label("24h"),
        .init(
          text: (isKnown ? Figures.count(failedCount) : "-") + " failed",
          role: failedCount > 0 ? .negative : .muted),
      ], item: .panel(.browsers))
  }

  var rows: [CommandRow] {
    let omitted = facts.command.browserSessions.value?.omitted ?? 0
    return sessions.flatMap(rows) + CommandRow.unreadable(omitted, width: width)
  }

  var placeholder: PlainText {
    switch facts.command.browserSessions {
    case .failed(let failure, _): PlainText(failure.sentence, limit: 300) + " r asks again."
    case .notServed: "This backend does not list its browser agents."
    case .loaded:
      "No browser agent worked in the last 24 h"
        + (facts.scopeName.map { " in " + $0 + "." } ?? ".")
    case .loading: "Asking…"
    case .none: facts.isHeard ? "Asking…" : "Not known: the backend is not heard."
    }
  }

  private func rows(_ session: BrowserSession) -> [CommandRow] {
    let item = CommandItem.browser(session.sessionID)
    let isOpen = unfolded.contains(item)
    let steps = Figures.count(session.totalSteps)
    let trailing: [VoiceLine.Span] = [
      .init(text: Figures.duration(ms: session.durationMs.map(Double.init)), role: .number),
      .init(text: steps + (width >= 40 ? " steps" : "st"), role: .number),
      .init(text: Figures.cost(session.totalCostUsd), role: .cost),
    ]
    let row = CommandRow(
      [
        .symbol(isOpen ? .unfolded : .folded, .focus),
        mark(session),
        .init(text: figures.text(session.instruction, limit: 200)),
      ], trailing: trailing, item: item)
    return [row] + (isOpen ? details(session) : [])
  }

  private func details(_ session: BrowserSession) -> [CommandRow] {
    let began = session.startedAt ?? session.lastActiveAt
    var rows = [
      CommandRow(
        [
          .init(text: figures.time(began), role: .number), .label("by"),
          .init(text: figures.user(session.userID)),
          .label(figures.text(session.model, limit: 60)),
        ], item: .rows("session:" + QueryCompletion.quoted(session.sessionID)), indent: 1)
    ]
    if session.failed == true || session.errorMessage?.isEmpty == false {
      let name = session.errorName.map { PlainText($0, limit: 60) + ": " } ?? ""
      rows += CommandRow.note(
        name + figures.text(session.errorMessage, limit: 300), .negative, width: width, indent: 1,
        limit: 3)
    }
    if session.hitStepLimit == true {
      rows += CommandRow.note("stopped by its step limit", .warning, width: width, indent: 1)
    }
    if let url = session.currentURL, !url.isEmpty {
      rows += CommandRow.note(PlainText(url, limit: 300), .info, width: width, indent: 1, limit: 2)
    }
    for step in session.toolSteps.prefix(200) {
      rows.append(
        CommandRow(
          [
            .init(text: Figures.count(step.step).leftPadded(to: 3), role: .number),
            .init(text: figures.text(step.tool, limit: 60), role: .browser),
            .label(figures.time(step.timestamp)),
          ], indent: 1))
    }
    if session.toolSteps.isEmpty {
      rows += CommandRow.note("no step is on record", width: width, indent: 1)
    }
    // Cumulative figures are summed by the backend (contract 7.3).
    rows += CommandRow.note(
      "steps and cost of runs with several turns are counted more than once", width: width,
      indent: 1, limit: 2)
    return rows
  }
}
