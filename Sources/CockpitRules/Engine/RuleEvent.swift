internal import ClankyWire
package import CockpitStores
package import LenientJSON

/// One thing that a rule may look at: a row of the log, or a document of the backend. Rules see events in the
/// order of `precedes`, whatever the order of arrival was.
package struct RuleEvent: Sendable {
  package enum Body: Sendable {
    case row(RuleRow)
    /// The live voice sessions, from a voice state.
    case voice([VoiceSample])
    /// What the backend's stats say of the bot.
    case health(HealthSample)
    /// Nothing was recorded in `from..<to`, ms since 1970; `rows` is how many were lost, if that is known. It stands at
    /// its beginning: rules that miss a row in it must know before their deadline.
    case outage(fromMs: Int64, toMs: Int64, rows: Int?)
    /// The stream of events from the backend has been silent since then, ms since 1970; nil if bytes come.
    case link(silentSinceMs: Int64?)
  }

  /// Ms since 1970 on the backend's clock: of a row its own time, of a document when it came.
  package var timeMs: Int64
  package var body: Body
  /// Of an outage: whether only the recording lacks it, and what is judged has its rows. No absence is excused by it.
  package var isOfRecorder = false

  package init(timeMs: Int64, body: Body, isOfRecorder: Bool = false) {
    self.timeMs = timeMs
    self.body = body
    self.isOfRecorder = isOfRecorder
  }

  package init(_ row: RuleRow) {
    self.init(timeMs: row.cite.timeMs, body: .row(row))
  }

  package var row: RuleRow? {
    if case .row(let row) = body { row } else { nil }
  }

  /// The order in which rules see events: by time, documents after the rows of their millisecond, rows by the life
  /// of a turn, then by what they are. It does not depend on arrival.
  package static func precedes(_ left: RuleEvent, _ right: RuleEvent) -> Bool {
    if left.timeMs != right.timeMs { return left.timeMs < right.timeMs }
    let (a, b) = (left.place, right.place)
    if a != b { return a < b }
    if left.fingerprint != right.fingerprint { return left.fingerprint < right.fingerprint }
    return (left.row?.sessionID ?? "") < (right.row?.sessionID ?? "")
  }

  private var place: Int {
    switch body {
    case .row(let row): row.lane
    case .voice: 100
    case .health: 101
    case .outage: 102
    case .link: 103
    }
  }

  private var fingerprint: UInt64 { row?.cite.fingerprint ?? 0 }
}

/// A row, with the details that rules ask for.
package struct RuleRow: Sendable {
  package var cite: Citation
  /// The event that the content names, else the kind (`VoiceEvent.name(of:)`).
  package var name: String
  package var kind: String
  package var userID: String?
  package var channelID: String?
  package var guildID: String?
  package var messageID: String?
  /// At most 400 bytes. Untrusted text.
  package var content: String?
  /// The members of the metadata that some rule asks for.
  package var metadata: JSONValue
  /// US dollars; nil if the row has none.
  package var costUSD: Double?
  package var isFailure: Bool
  /// The prompts of a model call, as sizes and hashes; empty if no rule asks for them.
  package var prompts: [PromptPrint] = []
  var lane: Int

  /// Whether both are the same row: two different ones of one millisecond differ in their details.
  func isTwin(of other: RuleRow) -> Bool { cite == other.cite && metadata == other.metadata }

  package var timeMs: Int64 { cite.timeMs }
  /// Whether it was made from an event of an OpenClaw gateway.
  var isOfGateway: Bool { RowOrigin.isGateway(metadata) }
  package var sessionID: String? { string("sessionId") }

  /// A text of the metadata; nil if absent or empty.
  package func string(_ key: String) -> String? {
    guard let text = metadata[key]?.string, !text.isEmpty else { return nil }
    return text
  }
  package func int(_ key: String) -> Int? { metadata[key]?.int }
  package func bool(_ key: String) -> Bool? { metadata[key]?.bool }
  /// A finite number.
  package func double(_ key: String) -> Double? {
    metadata[key]?.double.flatMap { $0.isFinite ? $0 : nil }
  }

  /// `triggerMessageId` and all of `triggerMessageIds`.
  package var triggers: [String] {
    var ids: [String] = []
    if let id = string("triggerMessageId") { ids.append(id) }
    for id in metadata["triggerMessageIds"]?.array?.compactMap(\.string) ?? []
    where !ids.contains(id) { ids.append(id) }
    return ids
  }
}

/// The row that a finding rests on. It names the same row in every copy of the log.
package struct Citation: Hashable, Sendable {
  /// Ms since 1970.
  package var timeMs: Int64
  package var name: String
  /// FNV-1a over time, kind, the first 200 bytes of content, user, channel and message: what the live and the
  /// stored form of a row have in common (contract 4.2).
  package var fingerprint: UInt64
  /// The backend's id, as far as it was known. Not part of the identity.
  package var actionID: Int?
  /// The row of the log in memory. Not part of the identity.
  package var rowID: RowID?
  /// Words or figures of it that tell why it counts; may be empty. Untrusted text.
  package var words: String

  package init(
    timeMs: Int64, name: String, fingerprint: UInt64, actionID: Int? = nil, rowID: RowID? = nil,
    words: String = ""
  ) {
    self.timeMs = timeMs
    self.name = name
    self.fingerprint = fingerprint
    self.actionID = actionID
    self.rowID = rowID
    self.words = words
  }

  package static func == (left: Citation, right: Citation) -> Bool {
    left.timeMs == right.timeMs && left.fingerprint == right.fingerprint && left.name == right.name
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(timeMs)
    hasher.combine(fingerprint)
  }
}

/// FNV-1a with 64 bits (draft-eastlake-fnv), the same on every machine.
struct Fingerprint {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ text: some Sequence<UInt8>) {
    for byte in text { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
    value = (value ^ 0xFF) &* 0x0000_0100_0000_01b3
  }
  mutating func add(_ text: String?) { add((text ?? "").utf8) }
  mutating func add(_ number: Int64) {
    add((0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) })
  }
}

extension RuleRow {
  /// A stand-in for what a document tells, so that it can be counted beside rows.
  init(document: String, timeMs: Int64, fingerprint: UInt64, words: String) {
    cite = Citation(timeMs: timeMs, name: document, fingerprint: fingerprint, words: words)
    name = document
    kind = document
    metadata = .null
    isFailure = false
    lane = 100
  }
}
