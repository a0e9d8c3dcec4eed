import CockpitPanes
import CockpitAnswers
import CockpitSession
import CockpitText
import CockpitDomain
import Networking
import ClankyWire
import CockpitStores
import Foundation
import LenientJSON
import TerminalCore

/// The data behind a view as one line of JSON: payloads of the backend, re-encoded in ASCII, and
/// the cockpit's own state of the connection.
@MainActor
struct SnapshotJSON {
  let model: CockpitModel
  /// The forecast from recorded weeks; null if there are none.
  var forecast = JSONValue.null

  func line(_ view: ViewChoice) -> [UInt8] {
    var line = JSONObjectWriter()
    line.string("view", view.rawValue)
    let status = model.bot.connection.status
    line.string("state", status.overall.rawValue)
    line.string("detail", status.detail)
    let known = model.facts
    let bot = TriageText(known.triage, clock: known.clock)
    line.string("bot", bot.word.description)
    line.string("bot_detail", bot.sentence?.description)
    line.string("backend", model.bot.connection.address)
    if let guild = model.scope.guild {
      line.string("guild_id", guild)
      line.string("guild", model.bot.connection.names.guilds[guild])
    }
    switch view {
    case .pulse, .brain, .conversations, .memory:
      stats(&line)
      actions(&line, view: view)
      if view == .brain || view == .memory { voice(&line) }
      if view == .memory { facts(&line) }
    case .voice: voice(&line)
    case .cmd:
      stats(&line)
      command(&line)
    case .stats: stats(&line)
    }
    return line.finish()
  }

  private func stats(_ line: inout JSONObjectWriter) {
    let payload =
      model.scope.isAll
      ? model.bot.activity.statsPayload : model.bot.activity.guildStats?.payload ?? []
    payload.withUnsafeBytes { bytes in
      line.raw("stats", bytes.isEmpty ? nil : bytes)
    }
  }

  private func voice(_ line: inout JSONObjectWriter) {
    guard model.scope.isAll else { return line.value("voice", scopedVoice) }
    model.bot.voice.payload.withUnsafeBytes { bytes in
      line.raw("voice", bytes.isEmpty ? nil : bytes)
    }
  }

  /// The voice state with the sessions of the guild alone.
  private var scopedVoice: JSONValue {
    guard case .object(let state)? = try? JSONValue.parse(model.bot.voice.payload) else {
      return .null
    }
    let sessions = (state["sessions"]?.array ?? []).filter {
      model.scope.holds($0["guildId"]?.string)
    }
    return .body([
      ("activeCount", .integer(sessions.count)),
      ("sessions", .array(sessions)),
    ])
  }

  /// The facts in the order of the screen, the owner's private ones only counted, and
  /// whether they are all there are.
  private func facts(_ line: inout JSONObjectWriter) {
    let coverage = model.bot.memory.coverage(of: model.guild)
    let rows = model.facts.factView.rows.filter { !$0.isStray }
    let open = rows.filter { !$0.fact.isOwnerPrivate }
    line.bool("facts_complete", coverage.isComplete && coverage.cut.isEmpty)
    line.int("facts_expected", coverage.expected)
    line.int("facts_owner_private", rows.count - open.count)
    line.string("facts_problem", coverage.problem)
    line.value("facts", .array(open.map(\.fact.json)))
  }

  /// The rows behind the view, newest first, in the shape of `tail --json`.
  private func actions(_ line: inout JSONObjectWriter, view: ViewChoice) {
    let log = model.bot.activity.log
    line.string("rows_begin", rowsBegin())
    line.bool(
      "rows_complete",
      model.bot.activity.coverage.beginMs(guild: model.scope.guild) == LogCoverage.everything)
    var list: [UInt8] = [UInt8(ascii: "[")]
    for index in 0..<log.count {
      let row = log.row(at: index)
      guard row.gap == nil, row.isIn(model.scope) else { continue }
      if view == .brain, row.domain != .llm { continue }
      if view == .conversations, !ConversationList.kinds.contains(row.kind) { continue }
      if view == .memory, row.domain != .memory { continue }
      guard let action = row.withRaw({ ActionJSON.line(raw: $0, id: row.actionID) }) else {
        continue
      }
      if list.count > 1 { list.append(UInt8(ascii: ",")) }
      list += action
    }
    list.append(UInt8(ascii: "]"))
    list.withUnsafeBytes { line.raw("actions", $0) }
  }

  /// The time from which every row is stored; nil if that is everything the backend keeps, or
  /// unknown.
  func rowsBegin(of kinds: Set<String>? = nil) -> String? {
    guard
      let ms = model.bot.activity.coverage.beginMs(kinds: kinds, guild: model.scope.guild),
      ms != LogCoverage.everything
    else { return nil }
    return WireTime(milliseconds: ms).iso
  }
}
