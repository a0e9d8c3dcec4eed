internal import LenientJSON
internal import ClankyWire

/// Something that happened and may make itself felt.
package struct Alert: Hashable, Sendable {
  package var kind: AlertClass
  /// ms since 1970, on the backend's clock.
  package var atMs: Int64
  /// This program's words for it.
  package var title: String
  /// Text from the backend: names, the error, the message. Not sanitised.
  package var detail: String
  /// Whether it is about something that waits for an answer, which `ControlBoard` has too.
  package var isWaiting = false
  /// The name of the level of attention that a companion gateway asks for; nil for all others.
  package var wantedLevel: String?

  package init(kind: AlertClass, atMs: Int64, title: String, detail: String = "") {
    self.kind = kind
    self.atMs = atMs
    self.title = title
    self.detail = detail
  }
}

extension Alert {
  /// The alert of a row; nil for the many rows that raise none.
  ///
  /// Direct address (contract 4.5 and Appendix A): the admission of a text message says so in
  /// `attentionReason`, `reason` or `addressSignal.direct`, a voice turn in `directAddressed`.
  @MainActor
  package init?(row: ActionRowView, names: any NameDirectory) {
    guard !row.isGap else { return nil }
    let channel = row.channelID.flatMap(names.channelName).map { "#" + $0 }
    let person = row.userID.flatMap(names.userName)
    func joined(_ parts: String?...) -> String {
      parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: ": ")
    }
    switch row.kind {
    case "voice_session_start":
      self.init(kind: .voiceStart, atMs: row.timeMs, title: "voice session started")
      detail = joined(channel)
    case "voice_session_end":
      self.init(kind: .voiceEnd, atMs: row.timeMs, title: "voice session ended")
      detail = joined(channel, row.content(limit: 100))
    case "attention" where RowOrigin.isGateway(row.metadata()):
      let isNotification = row.metadata()["command"]?.string == "system.notify"
      self.init(
        kind: .alarm, atMs: row.timeMs,
        title: isNotification ? "an agent notifies you" : "asks for you")
      detail = joined(row.guildID.flatMap(names.guildName), row.content(limit: 300))
      wantedLevel = row.metadata()["level"]?.string
    case "approval_requested", "question_requested", "pairing_requested", "grant_asked":
      // A gateway's agent, or a device, waits for the owner.
      self.init(kind: .alarm, atMs: row.timeMs, title: "waits for an answer")
      detail = joined(row.guildID.flatMap(names.guildName), row.content(limit: 300))
      isWaiting = true
    case "heartbeat_warning":
      self.init(kind: .error, atMs: row.timeMs, title: "heartbeat alert")
      detail = joined(row.content(limit: 300))
    case "automation_post", "initiative_post":
      self.init(
        kind: .automation, atMs: row.timeMs,
        title: row.kind == "automation_post" ? "automation posted" : "posted by itself")
      detail = joined(channel, row.content(limit: 300))
    default:
      if row.isFailure {
        self.init(kind: .error, atMs: row.timeMs, title: "error")
        detail = joined(row.label.title, row.content(limit: 300))
      } else if let words = Self.addressed(row) {
        self.init(kind: .directAddress, atMs: row.timeMs, title: "spoken to")
        detail = joined(channel, words.speaker ?? person, words.text)
      } else {
        return nil
      }
    }
  }

  /// The words of a row that says the bot was spoken to; nil if it does not.
  @MainActor
  private static func addressed(_ row: ActionRowView) -> (speaker: String?, text: String?)? {
    switch (row.kind, row.label.event) {
    case ("text_runtime", "reply_admission_decision"?):
      let metadata = row.metadata()
      let isDirect =
        metadata["attentionReason"]?.string == "direct_address"
        || metadata["reason"]?.string == "direct_address"
        || metadata[path: "addressSignal", "direct"]?.bool == true
      return isDirect ? (metadata["displayName"]?.string, nil) : nil
    case ("voice_runtime", "voice_turn_addressing"?):
      let metadata = row.metadata()
      guard metadata["directAddressed"]?.bool == true else { return nil }
      return (metadata["speakerName"]?.string, metadata["heard"]?.string)
    default: return nil
    }
  }
}
