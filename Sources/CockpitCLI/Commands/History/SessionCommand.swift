import CockpitSession
import CockpitText
import ArgumentParser
import Networking
import ClankyWire
import CockpitStores
import Foundation

/// `session`: the events of one voice session.
struct SessionCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "session",
    abstract: "One voice session: people, turns, and why the bot answered or did not.",
    usage: "clanky-cockpit session ID [OPTIONS]",
    discussion: """
      The id is the last word of a line of 'sessions'. Put together from the events on record, as \
      VOICE does it. With --json one line for the session and one for each turn.

      Exits with 1 when nothing is on record of the session.
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var past: PastOptions

  @Argument(help: ArgumentHelp("The id of the session.", valueName: "ID"))
  var id: String

  @Flag(help: "JSON lines, ASCII only.")
  var json = false

  func validate() throws {
    guard !id.isEmpty, id.utf8.count <= 200 else {
      throw ValidationError("ID is that of a session")
    }
  }

  @MainActor func run(in environment: Environment) async throws {
    let settings = try Settings(shared, in: environment)
    if let recorded = try past.open(settings) {
      return try await write(recorded, environment)
    }
    let session = try await RestSession(settings)
    let past = PastSession(session, id: id)
    try await past.load()
    guard let record = past.record, !record.events.isEmpty else {
      let unreadable = past.summary.unreadable
      throw Failure(
        .failed,
        unreadable > 0
          ? "The voice session '\(id)' is not known: \(unreadable) of its events are on record and none could be read; check the version of the backend."
          : "Nothing is on record of a voice session '\(id)'; 'sessions' lists what there is.")
    }
    let isRaw = json && environment.textBesideJSON == nil
    let names = isRaw ? NameTable() : await session.names()
    let report = SessionReport(
      record: record, summary: past.summary, isWhole: past.isWhole, isLive: past.isLive,
      names: Names(names), clock: settings.clock, nowMs: session.nowMs)
    write(report, environment)
    if past.summary.unreadable > 0 {
      environment.output.complain(
        "Not the whole session: \(past.summary.unreadable) of its events could not be read.")
    }
    if !past.isWhole {
      environment.output.complain(
        "Not the whole session: the backend gives the first \(SessionSummary.cap) events, and what came later could not be completed."
      )
    }
  }
}

extension SessionCommand {
  /// One of a recording.
  @MainActor private func write(
    _ recorded: RecordedPast, _ environment: Environment
  ) async throws {
    // Of any age: what is asked for is named.
    let sessions = try await RecordedSessions(
      recorded, sinceMs: recorded.nowMs - recorded.span.lowerBound, isWanted: { $0 == id })
    guard let row = sessions.rows.first, let record = sessions.voice.record(id),
      let span = record.span
    else {
      throw Failure(
        .failed,
        "Nothing is recorded of a voice session '\(id)'; 'sessions --from-history' lists what there is."
      )
    }
    let missing = recorded.sentences(
      fromMs: record.startedAt ?? span.lowerBound, toMs: record.endedAt ?? span.upperBound)
    let names = json ? NameTable() : await recorded.names(in: sessions.log)
    write(
      SessionReport(
        record: record, summary: SessionSummary(sessionID: id),
        isWhole: record.hasStartRow && missing.isEmpty,
        isLive: record.endedAt == nil ? row.isLive : nil, names: Names(names),
        clock: recorded.settings.clock, nowMs: recorded.nowMs),
      environment)
    for sentence in missing { environment.output.complain(sentence) }
    if !record.hasStartRow {
      environment.output.complain("Not the whole session: its beginning is not recorded.")
    }
  }

  @MainActor private func write(_ report: SessionReport, _ environment: Environment) {
    if json {
      for line in report.json { environment.output.line(line) }
      environment.also(report.text)
    } else {
      for line in report.text { environment.output.line(line) }
    }
  }
}

/// Fetches the events of one voice session.
@MainActor
final class PastSession {
  private let session: RestSession
  private let id: String
  private let voice = VoiceStore()
  private(set) var summary: SessionSummary
  /// Whether a session without an end is still running; nil if it has ended, or if unknown.
  private(set) var isLive: Bool?
  /// Whether all events are here, as far as the backend has them.
  private(set) var isWhole = true

  init(_ session: RestSession, id: String) {
    self.session = session
    self.id = id
    summary = SessionSummary(sessionID: id)
  }

  var record: VoiceSessionRecord? { voice.record(id) }

  func load() async throws(Failure) {
    let answer = try await session.answer(
      to: RequestTarget(["api", "voice", "history", "sessions", id, "events"]))
    answer.body.withUnsafeBytes { voice.applyReplay($0, of: id) }
    guard let summary = voice.summaries[id] else { return }
    if summary.problem != nil { throw Failure(unexpected: answer) }
    self.summary = summary
    if let rest = voice.restTarget(of: id, nowMs: session.nowMs) {
      // A replay ends after 500 events: the later ones are among all actions since then.
      let body = try await session.answer(to: rest).body
      body.withUnsafeBytes { voice.applyRest($0, of: id) }
      self.summary = voice.summaries[id] ?? summary
    }
    isWhole = !self.summary.isCapped
    await loadModelCalls()
    guard record?.endedAt == nil, record?.events.isEmpty == false else { return }
    // Without an end it is running or the bot crashed in it: only the state shows which.
    let state = await session.nice(.voiceState).flatMap(VoiceState.init)
    isLive = state.map { $0.sessions.contains { $0.sessionID == id } }
  }

  /// A replay has the voice events alone; VOICE knows the model of a turn from rows of the log. Without an
  /// answer the report names no models.
  private func loadModelCalls() async {
    guard let record, let beganMs = record.events.first?.timeMs else { return }
    let hours = Double(max(0, session.nowMs - beganMs) + 60_000) / 3_600_000
    let calls = RequestTarget.actions(
      limit: ActionsRoute.rowLimit, sinceHours: hours, kinds: ["llm_call", "llm_error"],
      guild: record.guildID)
    guard let body = try? await session.answer(to: calls).body,
      let rows = AnsweredRows(body, nowMs: session.nowMs)
    else { return }
    _ = voice.follow(rows.log)
  }
}
