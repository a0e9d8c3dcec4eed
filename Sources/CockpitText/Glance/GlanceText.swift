import ClankyWire
import CockpitStores
import TerminalCore

/// An overview in words: the line of `status`, and the lines of a widget.
package struct GlanceText {
  /// The semantic style of a piece of a status bar; the bar's format decides its look.
  package enum Tone: Hashable, Sendable {
    case plain, good, warning, bad, muted
  }

  /// A run of text with one meaning.
  package struct Span: Hashable, Sendable {
    package var text: PlainText
    package var tone: Tone

    package init(_ text: PlainText, _ tone: Tone = .plain) {
      self.text = text
      self.tone = tone
    }
  }

  package enum Size: String, CaseIterable, Sendable {
    case small, medium, large

    /// Default width in cells. A small line is as long as its figures.
    package var columns: Int {
      switch self {
      case .small: 24
      case .medium: 40
      case .large: 60
      }
    }
  }

  package var overview: BotOverview
  /// Now, in ms since 1970 on our own clock.
  package var nowMs: Int64
  /// The backend does not answer any more: these are the figures of a while ago.
  package var isStale: Bool
  package var clock: ClockFormat
  package var symbols: SymbolSet

  package init(
    _ overview: BotOverview, nowMs: Int64, isStale: Bool = false, clock: ClockFormat,
    symbols: SymbolSet
  ) {
    self.overview = overview
    self.nowMs = nowMs
    self.isStale = isStale
    self.clock = clock
    self.symbols = symbols
  }

  /// Age of the figures, ms; never negative.
  package var ageMs: Int64 { max(0, nowMs - overview.takenAtMs) }
  /// Our clock was set back since, so the age is unknown.
  private var isAgeUnknown: Bool { nowMs < overview.takenAtMs }

  // MARK: status

  /// The second word is the bot's own trouble, if any: `degraded  bot offline`.
  ///
  /// `healthy  actions 38 (1h)  errors 2 (1h)  cost $2.47 (UTC day)  voice #lounge 3 people 12m04s`
  package var statusLine: PlainText {
    ([PlainText(overview.health.rawValue)] + (botTrouble.map { [$0] } ?? []) + guild + [
      "actions \(actions) (1h)", "errors \(failures) (1h)",
      "cost \(Figures.cost(overview.costToday)) (UTC day)", "voice \(voice)",
    ] + promises).joined(separator: "  ")
  }

  private var guild: [PlainText] {
    guard let id = overview.guildID else { return [] }
    return [PlainText("guild " + (overview.guild ?? id), limit: 40)]
  }

  /// `promises 3 of 4 kept`; nothing where none are made.
  private var promises: [PlainText] {
    guard !overview.promises.isEmpty else { return [] }
    let kept = overview.promises.count { $0.verdict == "kept" }
    return [PlainText("promises \(kept) of \(overview.promises.count) kept")]
  }

  private var breaksPromise: Bool { overview.exitCode == BotOverview.brokenPromise }

  /// The bot's word, when it is that of a trouble. A cache is a file, so it is cleaned like any text.
  private var botTrouble: PlainText? {
    guard let word = overview.botWord, word != "bot ok", word != "bot ?" else { return nil }
    return PlainText(word, limit: 20)
  }

  private var voice: PlainText {
    guard let sessions = overview.sessions else { return "-" }
    guard let first = sessions.first else { return "none" }
    let more: PlainText = sessions.count > 1 ? " and \(sessions.count - 1) more" : ""
    return place(first) + " \(people(first)) \(duration(first))" + more
  }

  // MARK: widgets

  /// The lines of a widget: one, or up to five of a large one.
  ///
  /// - Parameters:
  ///   - columns: cells of a line, at most.
  ///   - rows: actions below a large one.
  package func lines(_ size: Size, columns: Int, rows: Int = 3) -> [[Span]] {
    switch size {
    case .small: [Self.cut(figures, to: columns)]
    case .medium: [Self.cut(figures + [Span(" ")] + news, to: columns)]
    case .large: large(columns: columns, rows: rows)
    }
  }

  private var isKnown: Bool {
    overview.activity != nil || overview.costToday != nil || overview.sessions != nil
  }

  /// `● 38 !2 $2.47`, or a word where no figure is known; the age when they are old.
  private var figures: [Span] {
    guard isKnown else { return [mark, Span(" "), Span(word, tone)] }
    var spans = [mark, Span(" ")]
    if let botTrouble { spans += [Span(botTrouble, isStale ? .muted : .warning), Span(" ")] }
    spans.append(Span(actions, isStale ? .muted : .plain))
    if let failures = overview.activity?.failures, failures > 0 {
      spans += [Span(" "), Span("!" + self.failures, isStale ? .muted : .bad)]
    }
    spans += [Span(" "), Span(Figures.cost(overview.costToday), isStale ? .muted : .plain)]
    if isStale {
      spans += [Span(" "), Span(isAgeUnknown ? "?" : Figures.age(ms: ageMs), .warning)]
    }
    return spans
  }

  /// The live session in short, and which parts of the bot acted last, newest first.
  private var news: [Span] {
    var spans: [Span] = []
    if let session = overview.sessions?.first {
      spans.append(
        Span("\(place(session)) \(Figures.count(session.people))p \(duration(session)) "))
    }
    let labels = overview.rows.prefix(3).map { row in
      Span(
        PlainText(ActionLabel(kind: row.kind).domain.rawValue), row.isFailure ? .bad : .muted)
    }
    for (index, label) in labels.enumerated() {
      if index > 0 { spans.append(Span(" ")) }
      spans.append(label)
    }
    return spans
  }

  private func large(columns: Int, rows: Int) -> [[Span]] {
    var head = [mark, Span(" "), Span(word, tone)]
    if isKnown {
      head.append(
        Span(
          "  \(actions) actions  \(failures) errors (1h)  \(Figures.cost(overview.costToday)) UTC")
      )
    }
    head += guild.map { Span("  " + $0, .muted) }
    if isStale {
      let age: PlainText = isAgeUnknown ? "age unknown" : "\(Figures.age(ms: ageMs)) ago"
      head.append(Span("  " + age, .warning))
    }
    var lines = [head]
    if let sessions = overview.sessions {
      lines.append(sessions.first.map { live($0, others: sessions.count - 1) } ?? [])
      if sessions.isEmpty { lines[1] = [Span("no voice session", .muted)] }
    }
    for row in overview.rows.prefix(rows) {
      lines.append([
        Span(clock.time(ms: row.atMs), .muted), Span(" "),
        Span(PlainText(row.label, limit: 40).cut(to: 20), row.isFailure ? .bad : .plain), Span(" "),
        Span(PlainText(row.text, limit: 400), .muted),
      ])
    }
    return lines.map { Self.cut($0, to: columns) }
  }

  /// Like a live activity on a phone: where, who, attention, duration, the last words.
  private func live(_ session: BotOverview.Session, others: Int) -> [Span] {
    var text = place(session) + "  \(people(session))"
    if let attention = session.attention { text += "  " + PlainText(attention, limit: 12) }
    text += "  \(duration(session))"
    if others > 0 { text += "  +\(others)" }
    var spans = [Span(text)]
    if let reply = session.lastReply, !reply.isEmpty {
      spans.append(Span("  \"" + PlainText(reply, limit: 400) + "\"", .muted))
    }
    return spans
  }

  // MARK: parts

  private var mark: Span {
    if isStale, overview.health != .unauthorized { return Span(glyph(.ring), .warning) }
    switch overview.health {
    case .healthy: return breaksPromise ? Span("~", .warning) : Span(glyph(.dot), .good)
    case .degraded: return Span("~", .warning)
    case .unreachable: return Span(glyph(.ring), .bad)
    case .unauthorized: return Span(glyph(.cross), .bad)
    }
  }

  private var word: PlainText {
    isStale
      ? overview.health == .unauthorized ? "unauthorized" : "stale"
      : overview.health == .degraded
        || breaksPromise
        ? botTrouble ?? PlainText(overview.health.rawValue) : PlainText(overview.health.rawValue)
  }

  private var tone: Tone {
    if isStale { return .warning }
    switch overview.health {
    case .healthy: return breaksPromise ? .warning : .plain
    case .degraded: return .warning
    case .unreachable, .unauthorized: return .bad
    }
  }

  private func glyph(_ symbol: Symbol) -> PlainText { Self.glyph(symbol, in: symbols) }

  package static func glyph(_ symbol: Symbol, in symbols: SymbolSet) -> PlainText {
    PlainText(String(String.UnicodeScalarView(symbols.glyph(symbol).scalars)))
  }

  private var actions: PlainText { capped(overview.activity?.actions) }
  private var failures: PlainText { capped(overview.activity?.failures) }

  private func capped(_ value: Int?) -> PlainText {
    Figures.count(value) + (value != nil && overview.activity?.isCapped == true ? "+" : "")
  }

  private func place(_ session: BotOverview.Session) -> PlainText {
    if let channel = session.channel { return "#" + PlainText(channel, limit: 24) }
    return session.channelID.map { "#" + PlainText(Names(NameTable()).channel($0), limit: 24) }
      ?? "voice"
  }

  private func people(_ session: BotOverview.Session) -> PlainText {
    Figures.count(session.people) + (session.people == 1 ? " person" : " people")
  }

  private func duration(_ session: BotOverview.Session) -> PlainText {
    // A stale session may have ended since: its length is that of the moment it was seen.
    let nowMs = overview.backendMs(isStale ? overview.takenAtMs : nowMs)
    guard let startedAtMs = session.startedAtMs else { return "-" }
    let ms = max(0, nowMs.subtractingReportingOverflow(startedAtMs).partialValue)
    return ms < 60_000 ? Figures.age(ms: ms) : Figures.duration(ms: Double(ms))
  }

  /// At most `columns` cells; cut text ends in an ellipsis.
  package static func cut(_ spans: [Span], to columns: Int) -> [Span] {
    let whole = spans.reduce(0) { $0 + $1.text.columns }
    var left = columns
    var result: [Span] = []
    for span in spans {
      let isLast = whole > columns && span.text.columns >= left
      let text = isLast ? (span.text + "…").cut(to: left) : span.text
      if left > 0, !text.isEmpty { result.append(Span(text, span.tone)) }
      left -= text.columns
      if isLast { break }
    }
    // A bar adds its own space.
    while let last = result.last {
      guard last.text == " " else { break }
      result.removeLast()
    }
    return result
  }
}
