import CockpitAnswers
import CockpitDomain
import CockpitStores
import CockpitText
import TerminalCore

/// One source in the list of all of them: how it is, the worst that is wrong, and its figures.
@MainActor
package struct FleetEntry {
  /// How much a source needs its owner, the most first.
  package enum Standing: Int, Comparable {
    case critical
    /// Nothing is heard of it.
    case away
    case warning
    /// Something waits for an answer.
    case waiting
    /// Something fails that has to last to be a trouble.
    case suspected
    /// Nothing is known of it yet.
    case unknown
    /// What is wrong was acknowledged or silenced.
    case silenced
    case info
    case well
    /// A server that has no state of its own.
    case none

    package static func < (left: Standing, right: Standing) -> Bool {
      left.rawValue < right.rawValue
    }

    /// Whether it counts as sick.
    package var isSick: Bool { self <= .waiting }
  }

  /// Its place in `SourceList.members`.
  package let index: Int
  package let name: PlainText
  package let tag: SourceTag
  package let standing: Standing
  /// The connection: `live`, `stale 12s`, `retry 3s`; ten columns at most.
  package let link: PlainText
  package let linkRole: Role
  /// Its state in twelve columns, `bot ok`, `models fail`, `2 wait`. It is green only where all is known, and well.
  package let word: PlainText
  package let role: Role
  /// What is wrong and counts, the worst first.
  private let report: TriageReport
  private let facts: ViewContext

  init(_ member: SourceList.Member, at index: Int) {
    let facts = member.facts
    self.index = index
    self.facts = facts
    name = PlainText(member.name, limit: 60)
    tag = member.tag
    let report = facts.triage.without(facts.silences, nowMs: facts.nowMs)
    self.report = report
    let standing = Self.standing(facts, report)
    self.standing = standing
    (link, linkRole) = Self.link(facts)
    (word, role) = Self.word(facts, standing, report)
  }

  // MARK: How it is

  private static func standing(_ facts: ViewContext, _ report: TriageReport) -> Standing {
    let worst = report.open.first?.level
    let isAway: Bool
    switch facts.status.overall {
    case .stale, .reconnecting, .stopped: isAway = true
    case .connecting: isAway = facts.status.failure != nil
    case .live, .polling, .degraded: isAway = false
    }
    // What was wrong with a bot before it went away may be over: that it is away comes first.
    if worst == .critical, !isAway || report.open[0].isOfConnection { return .critical }
    if isAway { return .away }
    if facts.status.overall == .connecting { return .unknown }
    if worst == .warning { return .warning }
    if facts.isChatServer { return .none }
    if report.suspected.contains(where: { $0.level > .info }) { return .suspected }
    if facts.isGateway {
      guard let board = facts.control else { return .unknown }
      if !board.waiting.isEmpty { return .waiting }
      if facts.gateway?.problems.isEmpty == false { return .warning }
      if !board.canAnswer || !board.unknown.isEmpty { return .unknown }
    } else if !report.isKnown || report.asOfMs != nil {
      return .unknown
    }
    if report.open.count < facts.triage.open.count { return .silenced }
    return worst == .info || facts.status.overall == .degraded ? .info : .well
  }

  private static func link(_ facts: ViewContext) -> (PlainText, Role) {
    let status = facts.status
    let words = ConnectionWords(status: status, monotonicNs: facts.monotonicNs)
    let text: PlainText =
      switch status.overall {
      case .stale:
        "stale" + (words.dataAgeMs.map { " " + Figures.age(ms: $0) } ?? "")
      case .reconnecting:
        status.retryAtNs.flatMap { atNs -> PlainText? in
          guard atNs > facts.monotonicNs else { return nil }
          let ms = (atNs - facts.monotonicNs) / 1_000_000
          return "retry " + Figures.age(ms: Int64(clamping: ms + 999))
        } ?? "retrying"
      default: PlainText(status.overall.rawValue)
      }
    // Green is for a source that is well, not for its line.
    return (text, words.isLive ? .text : words.role)
  }

  private static func word(
    _ facts: ViewContext, _ standing: Standing, _ report: TriageReport
  ) -> (PlainText, Role) {
    var (word, role): (PlainText, Role)
    if facts.isChatServer {
      (word, role) = ("chat", .muted)
    } else if facts.isGateway {
      let count = facts.control?.waiting.count ?? 0
      word =
        facts.control == nil
        ? "wait ?" : count == 0 ? "none waits" : count == 1 ? "1 waits" : "\(count) wait"
      role = count == 0 ? .positive : .warning
      if let worst = facts.triage.ofBot.first, worst.level > .info {
        (word, role) = (PlainText(worst.word.text.description), TriageText.role(worst.level))
      } else if standing == .warning {
        let count = facts.gateway?.problems.count ?? 0
        (word, role) = (count == 1 ? "1 problem" : PlainText("\(count) problems"), .warning)
      }
    } else {
      let triage = TriageText(facts.triage)
      (word, role) = (triage.word, triage.role)
    }
    switch standing {
    case .away, .unknown, .none: role = .muted
    case .suspected:
      role = .warning
      if let worst = report.suspected.first { word = PlainText("\(worst.word.text)?") }
    default: break
    }
    return (word, role)
  }

  /// The figures end where the data end: an outage is no minute without rows.
  package var figures: FleetFigures {
    guard !facts.isChatServer else { return FleetFigures() }
    let endMs = facts.dataEndMs(.activity) ?? facts.nowMs
    let log = facts.activity.log
    let newest = (0..<min(log.count, 20)).lazy.map { log.row(at: $0) }.first { !$0.isGap }
    return FleetFigures(
      rates: facts.activity.rates(in: facts.scope, nowMs: endMs),
      beginMs: facts.activity.rateBeginMs(in: facts.scope), newestMs: newest?.timeMs,
      cost: facts.costRate, skewMs: skewMs, endMs: endMs, nowMs: facts.nowMs)
  }

  private var skewMs: Int? { facts.status.isClockDoubted ? nil : facts.status.skewMs }

  // MARK: What is wrong

  /// The worst with onset, count and next step, and what is not known; empty for a source that is well.
  ///
  /// - Parameter columns: of a row, three at most for a trouble.
  package func lines(columns: Int) -> [(text: PlainText, role: Role)] {
    var lines = trouble(columns: columns)
    if let skew = FleetFigures(skewMs: skewMs).skewWords {
      lines.append((skew.cut(to: columns), .muted))
    }
    return lines
  }

  private func trouble(columns: Int) -> [(text: PlainText, role: Role)] {
    let known = asOf.map { [($0.cut(to: columns), Role.muted)] } ?? []
    func lines(_ report: TriageReport) -> [(text: PlainText, role: Role)] {
      let text = TriageText(report, clock: facts.clock)
      guard let worst = report.open.first else {
        return text.lines(columns: columns, limit: 1).map { ($0, text.lineRole) }
      }
      return Self.whole("", worst, text, others: report.open.count - 1, columns: columns).map {
        ($0, text.lineRole)
      }
    }
    switch standing {
    case .warning where report.open.isEmpty:
      let problem = facts.gateway?.problems.first ?? ""
      return PlainText(problem, limit: 400).wrapped(to: columns, limit: 2).map { ($0, .warning) }
    case .critical, .warning, .info: return lines(report) + known
    case .away:
      var away = report
      away.open = report.open.filter(\.isOfConnection)
      if !away.open.isEmpty { return lines(away) + known }
      let words = ConnectionWords(status: facts.status, monotonicNs: facts.monotonicNs)
      let sentence = words.sentence ?? "The connection is lost."
      return sentence.wrapped(to: columns, limit: 2).map { ($0, words.role) } + known
    case .waiting:
      guard let card = facts.control?.waiting.first else { return [] }
      let subject = PlainText(VisibleText().of(card.subject), limit: 300)
      return [((PlainText(card.kindWords) + ": " + subject).cut(to: columns), .warning)]
    case .suspected:
      guard let worst = report.suspected.first else { return [] }
      let sentence = PlainText("Not a trouble yet: " + worst.answer.sentence, limit: 400)
      let since = TriageText(report, clock: facts.clock).sinceSentence(worst)
      return (sentence + " " + since).wrapped(to: columns, limit: 2).map { ($0, .warning) }
    case .unknown: return [(unknown.cut(to: columns), .muted)]
    case .silenced:
      guard let worst = facts.triage.open.first,
        let why = facts.silences.reason(worst, nowMs: facts.nowMs)
      else { return [] }
      let sentence = PlainText(worst.answer.sentence, limit: 400)
      return [((PlainText("\(why): ") + sentence).cut(to: columns), .muted)]
    case .well, .none: return lines(report)
    }
  }

  /// The worst trouble of the bot after its name, for the row above the hints; nil where no bot is sick.
  ///
  /// - Parameter rows: at most.
  package func alert(columns: Int, rows: Int) -> (lines: [PlainText], role: Role)? {
    guard standing == .critical || standing == .warning, let worst, !worst.isOfConnection else {
      return nil
    }
    let text = TriageText(report, clock: facts.clock)
    let head = name.cut(to: 24) + ": "
    guard rows > 1 else {
      let line = text.line(columns: max(1, columns - head.columns)) ?? ""
      return ([head + line], text.lineRole)
    }
    let lines = Self.whole(
      head, worst, text, others: report.open.count - 1, columns: columns,
      rows: rows)
    return (lines, text.lineRole)
  }

  /// A trouble in a few rows: where these do not hold all of it the sentence is cut; onset, count and next step are not.
  private static func whole(
    _ head: PlainText, _ trouble: TriageTrouble, _ text: TriageText, others: Int, columns: Int,
    rows limit: Int = 3
  ) -> [PlainText] {
    let sentence = head + PlainText(trouble.answer.sentence, limit: 400)
    let rest = [
      text.sinceSentence(trouble), PlainText(trouble.answer.next?.sentence ?? "", limit: 200),
      others > 0 ? PlainText("+\(others) more") : "",
    ].filter { !$0.isEmpty }.joined(separator: " ")
    var rows = (sentence + " " + rest).wrapped(to: columns, limit: 9)
    var room = sentence.columns
    while rows.count > limit, room > 20 {
      room -= 10
      rows = (sentence.cut(to: room) + " " + rest).wrapped(to: columns, limit: 9)
    }
    return Array(rows.prefix(limit))
  }

  /// `Nothing is known of it since 14:31:20.`
  private var asOf: PlainText? {
    if let ms = facts.dataEndMs(.activity) {
      return "Nothing is known of it since " + facts.clock.time(ms: ms) + "."
    }
    guard !facts.isGateway, !facts.hasActivity else { return nil }
    return "Nothing has been heard of it yet."
  }

  private var unknown: PlainText {
    if facts.isGateway {
      return facts.control == nil
        ? "What waits there is not known yet." : "Not all that waits there is known."
    }
    return asOf ?? "How it is has not been said yet."
  }
}

extension SourceList {
  /// All sources, the one that needs its owner most on top; those that are alike in the order of the configuration.
  package var bySickness: [FleetEntry] {
    members.enumerated().map { FleetEntry($0.element, at: $0.offset) }.sorted { left, right in
      if left.standing != right.standing { return left.standing < right.standing }
      if let first = left.worst, let second = right.worst {
        if TriageTrouble.isWorse(first, second) { return true }
        if TriageTrouble.isWorse(second, first) { return false }
      }
      return left.index < right.index
    }
  }

  /// Whether something is wrong with a source, or waits at one.
  package var hasTrouble: Bool {
    members.contains { !$0.facts.triage.open.isEmpty || !($0.facts.control?.waiting ?? []).isEmpty }
  }
}

extension FleetEntry {
  /// The worst trouble that counts.
  package var worst: TriageTrouble? { report.open.first }
  /// Whether its triage has something to show.
  package var hasTriage: Bool {
    !facts.isGateway && !(facts.triage.open.isEmpty && facts.triage.over.isEmpty)
  }
}
