import ArgumentParser
import ClankyLink
import ClankyWire
import CockpitPanes
import CockpitStores
import Foundation
import TerminalCore

/// `sessions`: the voice sessions that the backend has on record.
struct SessionsCommand: MainThreadCommand {
  static let configuration = CommandConfiguration(
    commandName: "sessions",
    abstract: "Voice sessions, newest first: live ones, then past ones.",
    usage: "clanky-cockpit sessions [OPTIONS]",
    discussion: """
      When it began, how long it took, the guild, why it ended, its id for 'session'. The backend \
      lists the sessions whose beginning and end are on record. An empty list is no failure.
      """)

  @OptionGroup var shared: SharedOptions

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

  @MainActor func main() async throws {
    let settings = try Settings(shared)
    let session = try await RestSession(settings)
    var query: [RequestTarget.QueryItem] = [.init("limit", "\(count)")]
    if let since { query.append(.init("sinceHours", "\(Double(since.milliseconds) / 3_600_000)")) }
    if let guild = settings.guild { query.append(.init("guildId", guild)) }
    let past: [HistorySession] = try await session.list(
      of: RequestTarget(["api", "voice", "history", "sessions"], query: query), "sessions")
    // Past sessions are worth having without the live ones, which end the command when all is said.
    var live: [VoiceSession] = []
    var liveFailure: Failure?
    do throws(Failure) {
      live = try await session.voiceState().sessions.filter {
        settings.guild == nil || $0.guildID == settings.guild
      }
    } catch {
      liveFailure = error
      liveFailure?.description = "The live sessions are not known: " + error.description
    }
    let rows = (live.map { SessionRow($0) } + past.map { SessionRow($0) }).prefix(count)
    if rows.isEmpty, let liveFailure { throw liveFailure }
    if rows.isEmpty { Output.complain("No voice session is on record.") }
    let names = json || rows.isEmpty ? NameTable() : await session.names()
    let lines = rows.map { row in
      row.cells(Names(names), settings.clock, nowMs: session.nowMs)
    }
    guard !json else {
      for row in rows { Output.line(row.json) }
      if let liveFailure { throw liveFailure }
      return
    }
    let widths = (0..<4).map { column in lines.map { $0[column].columns }.max() ?? 0 }
    for line in lines {
      let padded = zip(line, widths).map { $0.padded(to: $1) }
      Output.line((padded + Array(line.dropFirst(4))).joined(separator: "  "))
    }
    if let liveFailure { throw liveFailure }
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

  /// Seconds; of a live session until now.
  private func seconds(nowMs: Int64) -> Double? {
    if let durationSeconds { return Double(durationSeconds) }
    guard isLive, let startedAt else { return nil }
    return Double(max(0, nowMs - startedAt.milliseconds)) / 1000
  }

  /// When, how long, where, why it ended, id.
  @MainActor
  func cells(_ names: Names, _ clock: ClockFormat, nowMs: Int64) -> [PlainText] {
    let began = startedAt.map { time in
      clock.day(ms: time.milliseconds) + " " + clock.time(ms: time.milliseconds)
    }
    return [
      began ?? "-", Figures.duration(ms: seconds(nowMs: nowMs).map { $0 * 1000 }),
      guildID.map { PlainText(names.guild($0), limit: 100).cut(to: 24) } ?? "-",
      isLive ? "live" : PlainText(endReason ?? "-", limit: 100).cut(to: 32),
      PlainText(id, limit: 200),
    ]
  }

  var json: [UInt8] {
    var line = JSONObjectWriter()
    line.string("type", "session")
    line.string("session_id", id)
    line.bool("live", isLive)
    line.string("guild_id", guildID)
    line.string("mode", mode)
    line.string("started_at", startedAt?.iso)
    line.string("ended_at", endedAt?.iso)
    line.int("duration_seconds", durationSeconds)
    line.string("end_reason", endReason)
    return line.finish()
  }
}
