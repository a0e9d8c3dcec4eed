import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

/// The bot's scheduled automations by guild; Enter unfolds the runs of one. Read-only: the backend
/// has no route to change an automation (contract 7.4).
@MainActor
struct AutomationsPanel {
  let facts: ViewContext
  let unfolded: Set<CommandItem>
  /// Columns.
  var width: Int

  private var figures: VoiceFigures { VoiceFigures(facts: facts) }
  private var guilds: [String] {
    let listed = (facts.command.guilds.value ?? []).compactMap(\.id)
    let all = listed + facts.command.automations.keys.filter { !listed.contains($0) }.sorted()
    return all.filter(facts.scope.holds)
  }

  private var all: [Automation] {
    guilds.flatMap { facts.command.automations[$0]?.value?.rows ?? [] }
  }

  /// `5 on 2 off`.
  var counts: PlainText {
    let all = all
    guard !all.isEmpty else { return "" }
    let on = all.count { $0.status == .active }
    let off = all.count { $0.status == .paused }
    let others = all.count - on - off
    return PlainText("\(on) on \(off) off" + (others > 0 ? " \(others) other" : ""))
  }

  var rows: [CommandRow] {
    let guilds = guilds.filter {
      facts.command.automations[$0]?.value.map { !$0.rows.isEmpty || $0.omitted > 0 } ?? false
        || facts.command.automations[$0]?.problem != nil
    }
    return guilds.flatMap { guild -> [CommandRow] in
      let fetched = facts.command.automations[guild] ?? .none
      var rows: [CommandRow] = []
      if guilds.count > 1 || !facts.scope.isAll {
        rows.append(
          CommandRow([.init(text: facts.guildName(guild), role: .muted)]))
      }
      if let problem = fetched.problem {
        rows += CommandRow.note(
          PlainText(problem, limit: 200) + " r asks again.", .negative, width: width, limit: 2)
      }
      rows += (fetched.value?.rows ?? []).flatMap { self.rows($0, guild) }
      rows += CommandRow.unreadable(fetched.value?.omitted ?? 0, width: width)
      return rows
    }
  }

  var placeholder: PlainText {
    let fetched = facts.command.automations.filter { facts.scope.holds($0.key) }.map(\.value)
    if fetched.contains(where: { if case .notServed = $0 { true } else { false } }) {
      return "This backend does not serve automations."
    }
    if !facts.isHeard, fetched.isEmpty { return "Not known: the backend is not heard." }
    if facts.command.guilds.value == nil {
      return facts.command.guilds.problem == nil
        ? "Asking…" : "They are asked for guild by guild, and the guilds are not known."
    }
    if facts.command.guilds.value?.isEmpty == true {
      return "They are asked for guild by guild, and no guild is listed."
    }
    return fetched.contains(where: \.isLoading) || fetched.isEmpty
      ? "Asking…" : facts.scopeName.map { "No automation in " + $0 + "." } ?? "No automation."
  }

  private func rows(_ automation: Automation, _ guild: String) -> [CommandRow] {
    let item = automation.id.map { CommandItem.automation($0, guild: guild) }
    let isOpen = item.map(unfolded.contains) ?? false
    let (mark, role) = state(automation)
    var trailing: [VoiceLine.Span] = []
    if width >= 30 { trailing = last(automation) }
    let title = figures.text(automation.title, limit: 100)
    let next = when(automation)
    let room = width - 3 - next.columns - trailing.reduce(0) { $0 + $1.columns + 1 } - 2
    let row = CommandRow(
      [
        .symbol(isOpen ? .unfolded : .folded, .focus), .symbol(mark, role),
        .init(text: room >= 8 ? title.cut(to: room) : title.cut(to: max(8, width / 2))),
        .init(text: next, role: automation.status == .active ? .number : .muted),
      ], trailing: trailing, item: item)
    return [row] + (isOpen ? details(automation, guild) : [])
  }

  private func state(_ automation: Automation) -> (Symbol, Role) {
    if automation.isRunning == true { return (.running, .info) }
    if let error = automation.lastError, !error.isEmpty { return (.cross, .negative) }
    return automation.status == .active ? (.dot, .positive) : (.ring, .muted)
  }

  /// The next run in local time, or the state if there is none.
  private func when(_ automation: Automation) -> PlainText {
    if automation.isRunning == true { return "running " + figures.age(automation.runningStartedAt) }
    guard automation.status == .active else {
      return figures.text(automation.status?.description, limit: 16)
    }
    guard let next = automation.nextRunAt else { return "next -" }
    let left = next.milliseconds - facts.nowMs
    return left < 0 ? "due" : "in " + Figures.age(ms: left)
  }

  private func last(_ automation: Automation) -> [VoiceLine.Span] {
    guard let last = automation.lastRunAt else { return [.label("never ran")] }
    let isBad = automation.lastError?.isEmpty == false
    return [
      .init(text: isBad ? "failed" : "ok", role: isBad ? .negative : .positive),
      .init(text: figures.age(last), role: .muted),
    ]
  }

  private func details(_ automation: Automation, _ guild: String) -> [CommandRow] {
    var rows = schedule(automation)
    if let next = automation.nextRunAt {
      rows.append(
        CommandRow(
          [
            .label("next"),
            .init(
              text: facts.clock.day(ms: next.milliseconds) + " "
                + facts.clock.time(ms: next.milliseconds).prefix(columns: 5), role: .number),
          ], indent: 1))
    }
    if let error = automation.lastError, !error.isEmpty {
      rows += CommandRow.note(
        "last error: " + PlainText(error, limit: 300), .negative, width: width, indent: 1, limit: 3)
    }
    if let instruction = automation.instruction, !instruction.isEmpty {
      rows += CommandRow.note(
        PlainText(instruction, limit: 400), .text, width: width, indent: 1, limit: 3)
    }
    guard let id = automation.id else { return rows }
    return rows + runs(id)
  }

  /// Daily times are in the time zone of the bot's host, which the backend does not report
  /// (contract 7.4).
  private func schedule(_ automation: Automation) -> [CommandRow] {
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let text: PlainText =
      switch automation.schedule {
      case .daily(let hour, let minute)?:
        PlainText("daily at \(two(hour)):\(two(minute)), in the bot host's own time zone")
      case .interval(let minutes)?: "every " + Figures.duration(ms: Double(minutes) * 60_000)
      case .once(let at)?:
        "once, " + facts.clock.day(ms: at.milliseconds) + " "
          + facts.clock.time(ms: at.milliseconds)
      case .other?: "a schedule of an unknown kind"
      case nil: "no schedule"
      }
    return CommandRow.note(text, .muted, width: width, indent: 1, limit: 2)
  }

  private func runs(_ id: Int) -> [CommandRow] {
    let fetched = facts.command.runs[id] ?? .none
    guard let page = fetched.value, !page.rows.isEmpty || page.omitted > 0 else {
      let (text, role): (PlainText, Role) =
        switch fetched {
        case .failed(let failure, _):
          (PlainText(failure.sentence, limit: 200) + " r asks again.", .negative)
        case .notServed: ("runs are not served", .muted)
        case .loaded: ("it has never run", .muted)
        case .none, .loading:
          (facts.isHeard ? "asking for its runs…" : "its runs are not known", .muted)
        }
      return CommandRow.note(text, role, width: width, indent: 1, limit: 2)
    }
    let rows = page.rows.prefix(30).map { run in
      let role: Role =
        switch run.status {
        case .ok?: .positive
        case .error?: .negative
        default: .muted
        }
      let took = run.startedAt.flatMap { start in
        run.finishedAt.map { Double($0.milliseconds - start.milliseconds) }
      }
      let said = run.error.flatMap { $0.isEmpty ? nil : $0 } ?? run.summary
      return CommandRow(
        [
          .init(text: figures.age(run.startedAt ?? run.createdAt).leftPadded(to: 4), role: .number),
          .init(text: figures.text(run.status?.description, limit: 12).padded(to: 5), role: role),
          .init(text: Figures.duration(ms: took).leftPadded(to: 5), role: .number),
          .init(text: figures.text(said, limit: 300), role: run.error == nil ? .text : .negative),
        ], item: run.id.map { .run($0, automation: id) }, indent: 1)
    }
    return rows + CommandRow.unreadable(page.omitted, width: width, indent: 1)
  }
}
