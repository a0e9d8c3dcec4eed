import ClankyWire
import CockpitAnswers
import CockpitDomain
import CockpitHistory
import CockpitStores
import CockpitText
import Foundation
import LenientJSON

/// What was recorded of a bot, read without asking it: for answers that need no screen.
///
/// It stands at a time, and nothing in it is later.
@MainActor
package final class RecordedPast {
  /// Which recording is meant.
  package enum Place: Hashable, Sendable {
    /// The folder of the bot that the settings name.
    case bot
    /// A folder of day files, or one file: a day or a bundle.
    case file(String)
  }

  package let history: any HistoryReading
  package let settings: Settings
  /// What the bot or the file is called.
  package let name: String
  /// The time at which it stands, in ms since 1970.
  package let nowMs: Int64
  /// The times of the oldest and of the newest row.
  package let span: ClosedRange<Int64>

  /// Rows that are read at once: some 10 ms.
  private nonisolated static let batch = 2000

  /// Where the rows come from, if not from this machine alone, and what is wrong there; sentences.
  package var remarksOnOrigin: [String] {
    var lines: [String] = []
    if let trouble = history.trouble {
      lines.append("\(trouble); only what is recorded here is read.")
    }
    if let origin = history.origin(atMs: nowMs) {
      lines.append("At \(settings.clock.time(ms: nowMs)) the rows are from \(origin).")
    } else if let origin = history.origin(atMs: span.lowerBound) {
      lines.append("What was not recorded here is from \(origin).")
    }
    return lines
  }

  /// A recording that is open already.
  ///
  /// - Parameters:
  ///   - name: what the bot is called.
  ///   - atMs: the time at which it is to stand, in ms since 1970.
  package init(
    _ history: any HistoryReading, name: String, _ settings: Settings, atMs: Int64
  ) throws(HistoryError) {
    (self.history, self.name, self.settings) = (history, name, settings)
    guard let span = try history.span(), span.lowerBound <= atMs else {
      throw HistoryError(.missing, "nothing is recorded of \(name) as early as that")
    }
    self.span = span
    nowMs = atMs
  }

  /// Opens a recording.
  ///
  /// - Parameters:
  ///   - atMs: the time at which it is to stand, in ms since 1970; nil for now, and in a file for its end.
  ///   - nowMs: now.
  package init(
    _ place: Place, _ settings: Settings, atMs: Int64? = nil, nowMs: Int64
  ) throws(HistoryError) {
    self.settings = settings
    switch place {
    case .bot:
      name = try PastOfBot.name(settings)
      history = try PastOfBot.open(name, settings)
    case .file(let path):
      name = path.split(separator: "/").last.map(String.init) ?? path
      history = try HistoryFolder(path)
    }
    guard let span = try history.span() else {
      throw HistoryError(.missing, "nothing is recorded of \(name) yet")
    }
    self.span = span
    if let atMs, atMs < span.lowerBound {
      throw HistoryError(.missing, "nothing is recorded of \(name) as early as that")
    }
    self.nowMs = atMs ?? (place == .bot ? nowMs : span.upperBound)
    settings.process.recordingWasUsed?(false)
  }

  /// Reads the rows of a stretch of time into a log, oldest first.
  ///
  /// - Parameters:
  ///   - after: ms since 1970; rows of this time are left out.
  ///   - isWanted: whether a row is to stay; nil for all.
  package func read(
    into log: ActionLog, after: Int64, through: Int64? = nil,
    isWanted: ((ActionRowView) -> Bool)? = nil
  ) async throws(Failure) {
    let endMs = min(through ?? nowMs, nowMs)
    var fromMs = max(after, span.lowerBound - 1)
    var breaths = Breaths()
    while fromMs < endMs {
      let begin = fromMs
      let rows = try await aside { history throws(HistoryError) in
        try history.rows(after: begin, through: endMs, limit: Self.batch)
      }
      for row in rows {
        if let isWanted {
          let single = ActionLog(memory: 0)
          guard Self.restore(row, into: single), isWanted(single.row(at: 0)) else { continue }
        }
        _ = Self.restore(row, into: log)
        try await breaths.take()
      }
      guard rows.count >= Self.batch, let last = rows.last else { return }
      fromMs = last.atMs
    }
  }

  /// Reads the newest rows into a log.
  ///
  /// - Parameters as in `read`.
  package func readNewest(
    _ count: Int, into log: ActionLog, isWanted: @escaping (ActionRowView) -> Bool
  ) async throws(Failure) {
    var place = HistoryPlace(atMs: nowMs, seq: .max)
    var left = count
    while left > 0 {
      let from = place
      let rows = try await aside { history throws(HistoryError) in
        try history.rows(before: from, limit: Self.batch)
      }
      for row in rows where left > 0 {
        let single = ActionLog(memory: 0)
        guard Self.restore(row, into: single), isWanted(single.row(at: 0)) else { continue }
        if Self.restore(row, into: log) { left -= 1 }
      }
      guard rows.count >= Self.batch, let last = rows.last else { return }
      place = last.place
    }
  }

  /// Reads on a thread of its own: the screen keeps running.
  func aside<Value: Sendable>(
    _ work: @escaping @Sendable (any HistoryReading) throws(HistoryError) -> Value
  ) async throws(Failure) -> Value {
    let history = history
    let result = await OwnThread.run { () -> Result<Value, HistoryError> in
      Result { () throws(HistoryError) in try work(history) }
    }
    if Task.isCancelled { throw .interrupted }
    do throws(HistoryError) { return try result.get() } catch { throw Failure(error) }
  }

  /// - Returns: false for a row that cannot be read; 'history verify' counts those.
  private static func restore(_ row: RecordedRow, into log: ActionLog) -> Bool {
    row.json.withUnsafeBytes { bytes in
      (try? log.restore(
        bytes, actionID: row.actionID, origins: row.channels, nowMs: row.receivedMs)) != nil
    }
  }

  /// The last recorded answer to a request; nil if none was recorded.
  ///
  /// - Parameter name: `GET` with path and query, or `voice_state`.
  package func document(_ name: String, notAfterMs ms: Int64? = nil) -> RecordedDocument? {
    try? history.document(name, notAfterMs: min(ms ?? nowMs, nowMs))
  }

  /// The first recorded answer to a request after a time; nil if there is none.
  package func firstDocument(_ name: String, after ms: Int64) -> RecordedDocument? {
    // In steps: what is between them is read.
    var fromMs = ms
    while fromMs < nowMs {
      let toMs = min(nowMs, fromMs + 3_600_000)
      let documents = (try? history.documents(after: fromMs, through: toMs)) ?? []
      if let document = documents.first(where: { $0.name == name }) { return document }
      fromMs = toMs
    }
    return nil
  }

  /// The same as JSON.
  package func json(_ name: String) -> JSONValue? {
    document(name).flatMap { try? JSONValue.parse($0.body, sparesRows: true) }
  }

  /// The names of documents that begin so.
  package func documentNames(_ prefix: String) -> [String] {
    ((try? history.documentNames(notAfterMs: nowMs)) ?? []).filter { $0.hasPrefix(prefix) }
  }

  /// Names of guilds, channels and people, as far as they were recorded.
  ///
  /// - Parameter log: the rows to be shown, which also contain names.
  package func names(in log: ActionLog? = nil) async -> NameTable {
    let names = ConnectionStore(address: "")
    for document in documentNames("GET /api/guilds") {
      guard let json = json(document) else { continue }
      if document == "GET /api/guilds" {
        names.learn(guilds: WireList<Guild>(json)?.rows ?? [])
      } else if document.hasSuffix("/channels") {
        names.learn(channels: WireList<Channel>(json)?.rows ?? [])
      }
    }
    if let state = json("voice_state").flatMap(VoiceState.init) {
      names.learn(state, atMs: nowMs)
    }
    if let log {
      let requests = NameRequests(readsVoice: true)
      while requests.follow(log, into: names, budget: 100), !Task.isCancelled {
        await Task.yield()
      }
    }
    return names.names
  }

  /// The id of the guild that is meant, by the recorded names; nil for all.
  package func guild() throws(Failure) -> String? {
    guard let text = settings.guild else { return nil }
    if GuildScope.isID(text) { return text }
    let guilds = json("GET /api/guilds").flatMap(WireList<Guild>.init)?.rows ?? []
    let names = ConnectionStore(address: "")
    names.learn(guilds: guilds)
    return try GuildNames.id(of: text, in: names.names.guilds)
  }

  /// The facts of a guild as they were last recorded.
  package func facts(of guild: String) -> [Fact] {
    let wanted = "guildId=\(guild)"
    let documents = documentNames("GET /api/memory/facts?").filter {
      $0.split { "?&".contains($0) }.dropFirst().contains(Substring(wanted))
    }.compactMap { document($0) }
    var facts: [Int: Fact] = [:]
    for document in documents.sorted(by: { $0.atMs < $1.atMs }) {
      let page = (try? JSONValue.parse(document.body, sparesRows: true)).flatMap(FactPage.init)
      for fact in page?.facts ?? [] { if let id = fact.id { facts[id] = fact } }
    }
    return facts.values.sorted { ($0.id ?? 0) < ($1.id ?? 0) }
  }

  /// The stretches between two times of which rows are missing, or may be: what is before the first recorder and not
  /// proven to be whole, stretches without a recorder that nothing filled later, and what is after the last record.
  package func missing(fromMs: Int64, toMs: Int64) -> [MissingStretch] {
    var stretches: [MissingStretch] = []
    if fromMs < firstHeardMs {
      let wholeMs = max(span.lowerBound, wholeSinceMs(provenAfterMs: .min) ?? firstHeardMs)
      // A backend that was asked further back has no older rows.
      let isWhole = wholeSinceMs(provenAfterMs: .min).map { $0 <= fromMs } ?? false
      if !isWhole {
        stretches.append(
          MissingStretch(
            fromMs: fromMs, toMs: min(toMs, wholeMs), reason: "the recording begins later"))
      }
    }
    let outages = (try? history.outages(after: fromMs, through: toMs)) ?? []
    for outage in outages where outage.toMs > fromMs && outage.fromMs < toMs {
      if let wholeMs = wholeSinceMs(provenAfterMs: outage.toMs), wholeMs <= outage.fromMs {
        continue
      }
      let stretch = MissingStretch(
        fromMs: max(fromMs, outage.fromMs), toMs: min(toMs, outage.toMs),
        reason: outage.reason.rawValue, rows: outage.rows)
      guard stretch.toMs > stretch.fromMs else { continue }
      if let last = stretches.last, last.reason == stretch.reason, last.toMs >= stretch.fromMs {
        stretches[stretches.count - 1].toMs = max(last.toMs, stretch.toMs)
      } else {
        stretches.append(stretch)
      }
    }
    stretches = (stretches + gaps(fromMs: fromMs, toMs: toMs, besides: stretches))
      .sorted { ($0.fromMs, $0.toMs) < ($1.fromMs, $1.toMs) }
    // Since the last row nobody may have recorded: an outage is written at its end.
    if !isFollowed(toMs), let end = lastHeardMs, end < toMs {
      let from = max(fromMs, end)
      if toMs - from > Self.slackMs {
        stretches.append(
          MissingStretch(fromMs: from, toMs: toMs, reason: "the recording ends before"))
      }
    }
    return stretches
  }

  /// Stretches in which the recorder ran but rows had already been removed from the backend, unless `others` cover them.
  private func gaps(
    fromMs: Int64, toMs: Int64, besides others: [MissingStretch]
  ) -> [MissingStretch] {
    let gaps = (try? history.gaps(after: fromMs, through: toMs)) ?? []
    return gaps.compactMap { gap in
      if let wholeMs = wholeSinceMs(provenAfterMs: gap.recordedMs + 1), wholeMs <= gap.fromMs {
        return nil
      }
      let stretch = MissingStretch(
        fromMs: max(fromMs, gap.fromMs), toMs: min(toMs, max(gap.toMs, gap.fromMs + 1)),
        reason: "gone from the bot's log", rows: gap.ids.count)
      let isKnown = others.contains {
        $0.fromMs <= stretch.fromMs && $0.toMs >= stretch.toMs
      }
      return isKnown || stretch.toMs <= stretch.fromMs ? nil : stretch
    }
  }

  /// All link records, read once.
  private lazy var links: [RecordedLink] = (try? history.links(after: .min, through: .max)) ?? []

  /// When the first recorder began.
  private lazy var firstHeardMs: Int64 =
    links.first { $0.what == .started }?.atMs ?? span.lowerBound

  /// From when on no row of a known kind is missing, as far as lists of the backend proved it that came after a time;
  /// nil if none did. Times are ms since 1970.
  private func wholeSinceMs(provenAfterMs ms: Int64) -> Int64? {
    let store = ActivityStore(memory: 0)
    for link in links where link.what == .proven && link.atMs >= ms {
      guard let json = try? JSONValue.parse(link.value), let fromMs = json["from_ms"]?.int else {
        continue
      }
      let kinds = json["kinds"]?.array.map { Set($0.compactMap(\.string)) }
      store.apply(
        RowClaim(kinds: kinds, guild: json["guild"]?.string, fromMs: Int64(fromMs)))
    }
    return store.coverage.beginMs(kinds: Self.kinds)
  }

  /// The kinds that the backend can be asked for by name.
  private static let kinds = Set(ActionsRoute.kindGroups.joined())

  /// A recorder that runs writes a record at least so often, in ms.
  private static let slackMs: Int64 = 120_000

  /// Whether anything is recorded from after a time.
  private func isFollowed(_ ms: Int64) -> Bool {
    if span.upperBound > ms { return true }
    return links.contains { $0.atMs > ms }
  }

  /// When the recorder last wrote.
  private var lastHeardMs: Int64? {
    let documents = ["stats", "voice_state"].compactMap { name in
      try? history.document(name, notAfterMs: .max)
    }
    return ([span.upperBound] + links.map(\.atMs) + documents.map(\.atMs)).max()
  }

  /// The stretches as sentences: `22:00:00 to 23:10:00 is not recorded: recorder stopped.`
  package func sentences(fromMs: Int64, toMs: Int64) -> [String] {
    let clock = settings.clock
    return missing(fromMs: fromMs, toMs: toMs).map { $0.sentence(clock) }
  }
}
