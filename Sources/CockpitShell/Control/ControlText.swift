import CockpitDomain
import CockpitPanes
import CockpitStores
import CockpitText
import TerminalCore

/// What the screen says about what waits and what runs.
@MainActor
struct ControlText {
  private let facts: ViewContext

  init(_ facts: ViewContext) { self.facts = facts }

  private var isLive: Bool {
    guard let sources = facts.sources else { return facts.status.overall == .live }
    return sources.members.contains {
      $0.facts.isGateway && !$0.facts.isChatServer && $0.facts.status.overall == .live
    }
  }
  /// Whether the board is up to date for the shown moment; else it is as old as the end of the connection.
  private var isCurrent: Bool { isLive || facts.replay != nil }

  /// `2 wait, 1 run`, or how many there were when the connection ended.
  var trailing: PlainText {
    guard let board = facts.control else { return "" }
    guard isCurrent else {
      if facts.kind == .companion { return "not connected" }
      return PlainText(
        "\(board.waiting.count) waited, \(board.runs.count) ran when the connection ended")
    }
    let (waiting, runs) = (board.waiting.count, board.runs.count)
    if facts.kind == .companion {
      return PlainText(
        "\(waiting) \(waiting == 1 ? "waits" : "wait"), \(runs) \(runs == 1 ? "grant" : "grants")")
    }
    return PlainText(
      "\(waiting) \(waiting == 1 ? "waits" : "wait"), \(runs) \(runs == 1 ? "run" : "runs")")
  }

  var unknownYet: PlainText {
    isLive ? "what waits is being asked for" : "not connected: what waits is not known"
  }

  var nothingWaits: PlainText {
    guard let board = facts.control else { return unknownYet }
    if !isCurrent {
      // The end of a companion's session ends every request and grant of it.
      return facts.kind == .companion
        ? "the session is over, and with it every request and grant"
        : "nothing waited when the connection ended"
    }
    if !board.canAnswer { return "what waits is not known: this profile is not shown it" }
    return board.unknown.isEmpty && board.notes.isEmpty
      ? "nothing waits for you" : "nothing that is shown here waits for you"
  }

  var runsHeading: PlainText {
    let count = facts.control?.runs.count ?? 0
    if facts.kind == .companion { return grantsHeading(count) }
    if !isCurrent {
      return PlainText("\(count) run\(count == 1 ? "" : "s") had control then")
    }
    if count == 0 { return "no run has control now" }
    return count == 1 ? "1 run has control" : PlainText("\(count) runs have control")
  }

  private func grantsHeading(_ count: Int) -> PlainText {
    // A disconnect ends every grant.
    if count == 0 { return "no agent may use anything of this machine now" }
    let grants = PlainText(count == 1 ? "1 GRANT" : "\(count) GRANTS")
    return grants + " of this machine; r revokes"
  }

  /// One line of a card: kind, agent, time left, what is asked.
  func line(of card: ControlBoard.Card) -> PlainText {
    let agent = card.agent.map { visible($0, 16) + "  " } ?? ""
    let kind = card.kind == "capability" ? "grant" : card.kind
    return source(card.source) + PlainText(kind, limit: 12).padded(to: 9) + agent + left(card)
      + "  "
      + visible(card.subject, 300)
  }

  func heading(of card: ControlBoard.Card) -> PlainText {
    let agent =
      (card.agent.map { " of " + visible($0, 40) } ?? "")
      + (card.source.map { " at " + visible($0, 40) } ?? "")
    let isCurrent = isCurrent(card)
    let waits: PlainText = isCurrent ? " WAITS" : " WAITED"
    switch card.kind {
    case "exec": return "A COMMAND" + agent + waits
    case "plugin": return "A PLUGIN'S REQUEST" + agent + waits
    case "question": return "A QUESTION" + agent + waits
    case "pairing":
      let place = card.source.map { " AT " + visible($0, 40) } ?? ""
      return (isCurrent ? "A DEVICE ASKS TO BE LET IN" : "A DEVICE ASKED TO BE LET IN") + place
    case "capability":
      return (card.agent.map { visible($0, 40) } ?? "AN AGENT")
        + (isCurrent ? " ASKS TO USE" : " ASKED TO USE")
        + (card.source.map { " (at " + visible($0, 40) + ")" } ?? "")
    default: return visible(card.kind, 20)
    }
  }

  func times(of card: ControlBoard.Card) -> PlainText {
    var words = "id " + visible(card.id, 60)
    if let created = card.createdMs { words += ", asked at " + facts.clock.time(ms: created) }
    if let expires = card.expiresMs {
      words += ", until " + facts.clock.time(ms: expires) + " (" + left(card) + ")"
    }
    return words + ", fingerprint " + PlainText(card.fingerprint, limit: 16)
  }

  /// `4m57s left`, by the gateway's clock.
  private func left(_ card: ControlBoard.Card) -> PlainText {
    guard let expires = card.expiresMs else { return "no time limit" }
    let ms = expires - facts.own(card).nowMs
    return ms > 0 ? Figures.left(ms: ms) + " left" : "expired"
  }

  /// The buttons, or what Enter will do.
  func offers(of card: ControlBoard.Card, armed: ControlDecision.Choice?) -> PlainText {
    switch armed {
    case .offered(let name)?: return "Enter sends: " + visible(name, 40)
    case .answers?: return "Enter sends the answers"
    case .cancel?: return "Enter takes the question back"
    case .revoke?: return "Enter revokes it"
    case nil: break
    }
    guard isCurrent else { return "not connected: nothing can be answered now" }
    if !card.questions.isEmpty {
      return "1-9 option   t text   Tab next question   c cancel it"
    }
    let keys = [
      "allow-once": "a", "approve": "a", "allow-always": "A", "deny": "d", "reject": "d",
      "once": "a", "timed": "t", "session": "A",
    ]
    let words = ["timed": "60 s", "session": "for this session"]
    let offers = card.choices.compactMap { name in
      keys[name].map { "\($0) \(words[name] ?? name)" }
    }
    return offers.isEmpty
      ? "the gateway offers no answer" : PlainText(offers.joined(separator: "   "))
  }

  /// Whether what a card says holds now.
  private func isCurrent(_ card: ControlBoard.Card) -> Bool {
    facts.sources == nil ? isCurrent : facts.own(card).status.overall == .live
  }

  /// The name of a source before what is its, where there are several.
  private func source(_ name: String?) -> PlainText {
    name.map { visible($0, 16) + "  " } ?? ""
  }

  func line(of run: ControlBoard.Run) -> PlainText {
    var words = source(run.source)
    words += run.agent.map { visible($0, 30) } ?? "an agent"
    if let session = run.session { words += "  " + visible(session, 80) }
    if let started = run.startedMs {
      words += "  since " + facts.clock.time(ms: started)
    }
    if run.isGrant {
      words += "  " + visible(run.tool ?? "", 60)
      if let ends = run.endsMs {
        let ms = max(0, ends - facts.own(run).nowMs)
        words += "  " + Figures.left(ms: ms) + " left"
      } else {
        words += "  for this session"
      }
      if run.phase == "suspended" { words += "  suspended: the terminal has no focus" }
    } else if let tool = run.tool {
      words += "  runs " + visible(tool, 40)
    } else if let phase = run.phase {
      words += "  " + visible(phase, 40)
    }
    return words
  }

  func line(of end: ControlBoard.Ended) -> PlainText {
    let time = facts.clock.time(ms: end.atMs) + "  " + source(end.source)
    // A request of a companion gateway is named by its capability.
    guard facts.kind != .companion else { return time + visible(end.words, 120) }
    return time + visible(end.id, 40) + " is over: " + visible(end.words, 80)
  }

  /// `4m57s left`, and how many others have a card.
  func trailing(of card: ControlBoard.Card, others: Int, isQuiet: Bool) -> PlainText {
    var words = left(card)
    if others > 0 { words += PlainText(", \(others) more") }
    return isQuiet ? words + ", quiet hours" : words
  }

  /// The last event that has a level, above the hints while it has one.
  var event: PlainText? {
    guard let event = facts.attention?.event else { return nil }
    let words = facts.clock.time(ms: event.atMs) + " " + PlainText(event.title, limit: 60)
    return event.detail.isEmpty ? words : words + ": " + visible(event.detail, 200)
  }

  func visible(_ text: String, _ limit: Int) -> PlainText {
    PlainText(VisibleText().of(text), limit: limit)
  }

  /// The line above the hints while something waits; nil if nothing does.
  var attention: PlainText? {
    guard isLive, facts.replay == nil, let board = facts.control, let next = board.waiting.first
    else { return nil }
    let others = board.waiting.count - 1
    let more: PlainText = others > 0 ? PlainText(" (and \(others) more)") : ""
    let agent =
      (next.agent.map { " of " + visible($0, 20) } ?? "")
      + (next.source.map { " at " + visible($0, 20) } ?? "")
    return PlainText(next.kindWords) + agent + " waits, " + left(next) + more + ": "
      + visible(next.subject, 120)
  }
}
