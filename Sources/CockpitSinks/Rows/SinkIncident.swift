internal import ClankyWire
package import CockpitHistory
internal import LenientJSON

/// Something that a rule found, as a sink gets it.
package struct SinkIncident: Sendable {
  package var id: String
  package var rule: String
  /// `info`, `warning` or `critical`.
  package var level: String
  /// When it ended, or when a deadline passed, in ms since 1970.
  package var toMs: Int64
  /// The sentence as its content, time, place, person and session; redacted as rows are.
  package var row: SinkRow

  /// The kind of `row`.
  package static let kind = "clanky_anomaly"

  /// What is kept of a finding. It has the shape of a row, so that it is redacted as one.
  ///
  /// - Parameters:
  ///   - sentence: untrusted text.
  ///   - fromMs: in ms since 1970, as `toMs`.
  package static func finding(
    id: String, rule: String, level: String, sentence: String, session: String?, guild: String?,
    channel: String?, person: String?, fromMs: Int64, toMs: Int64
  ) -> HistoryNotes.Finding {
    let json = JSONValue.body([
      ("kind", .string(kind)), ("content", .string(sentence)),
      ("createdAt", .string(WireTime(milliseconds: fromMs).iso)),
      ("guildId", guild.map(JSONValue.string)), ("channelId", channel.map(JSONValue.string)),
      ("userId", person.map(JSONValue.string)),
      ("metadata", .body([("sessionId", session.map(JSONValue.string))])),
      ("rule", .string(rule)), ("level", .string(level)), ("toMs", .integer(Int(toMs))),
    ])
    return HistoryNotes.Finding(id: id, fromMs: fromMs, body: json.serialized())
  }

  /// - Parameters:
  ///   - redacted: the body of the finding without what is left out.
  ///   - bot: the fingerprint of the bot.
  init?(_ finding: HistoryNotes.Finding, redacted: [UInt8]?, bot: [UInt8], nowMs: Int64) {
    guard let redacted, let whole = try? JSONValue.parse(Array(finding.body.utf8)),
      let rule = whole["rule"]?.string, let level = whole["level"]?.string
    else { return nil }
    id = finding.id
    self.rule = rule
    self.level = level
    toMs = whole["toMs"]?.int.map(Int64.init) ?? finding.fromMs
    let recorded = RecordedRow(
      seq: 0, atMs: finding.fromMs, receivedMs: nowMs, actionID: nil, channels: [], json: redacted)
    let key = RowFingerprint.digest([
      Array("incident".utf8), bot, Array(finding.id.utf8),
    ])
    row = SinkRow(
      SequencedRow(row: recorded, day: "", ordinal: 0, ordinalInMs: 0), json: redacted, key: key)
  }

  /// The level, as logs spell it.
  var logLevel: String {
    switch level {
    case "critical": "error"
    case "warning": "warn"
    default: "info"
    }
  }
}
