import CockpitSession
import CockpitText
import ArgumentParser
import Networking
import ClankyWire
import CockpitStores
import Foundation
import LenientJSON
import TerminalCore

/// `sessions`: the voice sessions that the backend has on record.
struct SessionsCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "sessions",
    abstract: "Voice sessions, newest first: live ones, then past ones.",
    usage: "clanky-cockpit sessions [OPTIONS]",
    discussion: """
      When it began, how long it took, the guild, why it ended, its id for 'session'. A session that \
      has no end and is not live is cut off: the bot crashed or was killed in it; its length is that \
      up to its last event. One without a start on record is found through its turns and errors, the \
      newest 1,000 of all sessions. An empty list is no failure. With --from-history or --at those \
      that were recorded, of seven days without --since.
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var past: PastOptions

  @Option(
    help: ArgumentHelp(
      "That ended in the last DURATION, such as 2h, 7d.", valueName: "DURATION"),
    transform: HistoryArguments.duration)
  var since: HistoryDuration?

  @Option(
    name: .customShort("n"), help: ArgumentHelp("The newest N, 200 at most.", valueName: "N"))
  var count = 100

  @Flag(help: "JSON lines, ASCII only.")
  var json = false

  func validate() throws {
    guard (1...200).contains(count) else { throw ValidationError("-n is a number from 1 to 200") }
  }

  @MainActor func run(in environment: Environment) async throws {
    let settings = try Settings(shared, in: environment)
    if let recorded = try past.open(settings) {
      return try await write(recorded, environment)
    }
    let session = try await RestSession(settings)
    var query: [RequestTarget.QueryItem] = [.init("limit", "\(count)")]
    if let since { query.append(.init("sinceHours", "\(Double(since.milliseconds) / 3_600_000)")) }
    if let guild = settings.guild { query.append(.init("guildId", guild)) }
    let past: [HistorySession] = try await session.list(
      of: RequestTarget(["api", "voice", "history", "sessions"], query: query), "sessions")
    let unfinished = UnfinishedSessions(session, guild: settings.guild)
    // Load before the state: a session that starts in between is in both.
    await unfinished.load()
    // Past sessions are worth having without the live ones, which end the command when all is said.
    var live: [VoiceSession] = []
    var liveFailure: Failure?
    do throws(Failure) {
      live = try await session.voiceState().sessions.filter {
        settings.guild == nil || $0.guildID == settings.guild
      }
    } catch {
      liveFailure = error
      liveFailure?.sentence = "The live sessions are not known: " + error.sentence
    }
    let cutOff =
      liveFailure == nil
      ? await unfinished.rows(
        besides: Set(live.map(\.sessionID) + past.map(\.sessionID)), since: since, limit: count)
      : []
    let gone = (past.map { SessionRow($0) } + cutOff).sorted { $0.endMs > $1.endMs }
    let rows = (live.map { SessionRow($0) } + gone).prefix(count)
    if rows.isEmpty, let liveFailure { throw liveFailure }
    if rows.isEmpty { environment.output.complain("No voice session is on record.") }
    let isRaw = json && environment.textBesideJSON == nil
    let names = isRaw || rows.isEmpty ? NameTable() : await session.names()
    write(rows, names, settings.clock, nowMs: session.nowMs, environment)
    if let liveFailure { throw liveFailure }
  }

  /// Those of a recording.
  @MainActor private func write(
    _ recorded: RecordedPast, _ environment: Environment
  ) async throws {
    let sessions = try await RecordedSessions(recorded, sinceMs: since?.milliseconds)
    let rows = sessions.rows.prefix(count)
    if rows.isEmpty { environment.output.complain("No voice session is recorded there.") }
    let names = json ? NameTable() : await recorded.names(in: sessions.log)
    write(rows, names, recorded.settings.clock, nowMs: recorded.nowMs, environment)
    for sentence in sessions.notes { environment.output.complain(sentence) }
  }

  @MainActor private func write(
    _ rows: ArraySlice<SessionRow>, _ names: NameTable, _ clock: ClockFormat, nowMs: Int64,
    _ environment: Environment
  ) {
    if json {
      for row in rows { environment.output.line(row.json) }
      if environment.textBesideJSON == nil { return }
    }
    let lines = rows.map { $0.cells(Names(names), clock, nowMs: nowMs) }
    let widths = (0..<4).map { column in lines.map { $0[column].columns }.max() ?? 0 }
    for line in lines {
      let padded = zip(line, widths).map { $0.padded(to: $1) }
      let text = (padded + Array(line.dropFirst(4))).joined(separator: "  ")
      if json { environment.also([text]) } else { environment.output.line(text) }
    }
  }
}

/// One session of the list.
struct SessionRow {
  var id: String
  var isLive: Bool
  var guildID: String?
  var mode: String?
  var startedAt: WireTime?
  var endedAt: WireTime?
  var durationSeconds: Int?
  var endReason: String?
  /// Of one that has no end and is not live: what is known of that.
  var evidence: CutOffEvidence?
  private var isCutOff: Bool { evidence != nil }
  /// The last event of such a session; nil if it is not known.
  private var lastEvent: WireTime? { evidence?.lastMs.map { WireTime(milliseconds: $0) } }

  init(_ session: VoiceSession) {
    id = session.sessionID
    isLive = true
    guildID = session.guildID
    mode = session.mode?.rawValue
    startedAt = session.startedAt
  }

  init(_ session: HistorySession) {
    id = session.sessionID
    isLive = false
    // The backend writes an empty id for none (contract 7.1).
    guildID = session.guildID.flatMap { $0.isEmpty ? nil : $0 }
    mode = session.mode?.rawValue
    startedAt = session.startedAt
    endedAt = session.endedAt
    durationSeconds = session.durationSeconds
    endReason = session.endReason
  }

  /// One whose rows were recorded.
  ///
  /// - Parameter isLive: whether it went on at the time of the recording that is looked at.
  @MainActor
  init(_ record: VoiceSessionRecord, isLive: Bool) {
    id = record.sessionID
    self.isLive = isLive
    guildID = record.guildID
    mode = record.mode
    startedAt = record.startedAt.map { WireTime(milliseconds: $0) }
    endedAt = record.endedAt.map { WireTime(milliseconds: $0) }
    endReason = record.endReason
    if endedAt == nil, !isLive {
      evidence = CutOffEvidence(
        hasStart: startedAt != nil, firstMs: record.span?.lowerBound,
        lastMs: record.span?.upperBound, isFirstOnRecord: false, mayHaveLater: false)
    }
  }

  /// The sort key, in ms since 1970.
  var endMs: Int64 { (endedAt ?? lastEvent ?? startedAt)?.milliseconds ?? .min }

  /// In ms, by the times of the rows, as in 'session'; up to now for a live session, up to the last
  /// event for one that was cut off.
  private func lengthMs(nowMs: Int64) -> Double? {
    if let startedAt, let end = endedAt?.milliseconds ?? (isLive ? nowMs : lastEvent?.milliseconds)
    {
      return Double(max(0, end - startedAt.milliseconds))
    }
    return durationSeconds.map { Double($0) * 1000 }
  }

  /// Its end.
  private func ending(_ clock: ClockFormat) -> PlainText {
    if isLive { return "live" }
    return evidence?.text(clock) ?? PlainText(endReason ?? "-", limit: 100).cut(to: 32)
  }

  /// When, how long, where, why it ended, id.
  @MainActor
  func cells(_ names: Names, _ clock: ClockFormat, nowMs: Int64) -> [PlainText] {
    let began = startedAt.map { time in
      clock.day(ms: time.milliseconds) + " " + clock.time(ms: time.milliseconds)
    }
    return [
      began ?? "-", Figures.duration(ms: lengthMs(nowMs: nowMs)),
      guildID.map { PlainText(names.guild($0), limit: 100).cut(to: 24) } ?? "-",
      ending(clock),
      PlainText(id, limit: 200),
    ]
  }

  var json: [UInt8] {
    var line = JSONObjectWriter()
    line.string("type", "session")
    line.string("session_id", id)
    line.bool("live", isLive)
    line.bool("cut_off", isCutOff)
    if let evidence {
      line.string("first_event_at", evidence.firstMs.map { WireTime(milliseconds: $0).iso })
      line.string("last_event_at", lastEvent?.iso)
    }
    line.string("guild_id", guildID)
    line.string("mode", mode)
    line.string("started_at", startedAt?.iso)
    line.string("ended_at", endedAt?.iso)
    line.int("duration_seconds", durationSeconds)
    line.string("end_reason", endReason)
    return line.finish()
  }
}
