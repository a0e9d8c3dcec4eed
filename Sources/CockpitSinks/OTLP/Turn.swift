internal import ClankyWire
internal import CockpitHistory
internal import LenientJSON

/// The rows of one turn: a message and what came of it, or an utterance in voice.
struct Turn: Sendable {
  enum Surface: String, Sendable { case text, voice }

  /// How a turn ended.
  enum Outcome: String, Sendable {
    case answered, denied, dropped, interrupted, failed, unknown
  }

  var surface: Surface
  /// What it is found by: the id of the message, or session and row of the utterance.
  var anchor: String
  var session: String?
  var rows: [SinkRow] = []
  var outcome = Outcome.unknown
  var reason: String?
  /// Whether nothing more was expected of it when it was sent.
  var isSettled = false

  /// More rows are no turn: a session whose ends are missing.
  static let maxRows = 2000
  /// How long nothing came before it is settled, in ms, with an outcome and without one.
  static let quietMs: Int64 = 30_000
  static let openMs: Int64 = 600_000

  var firstPlace: SequencePlace? { rows.first?.place }
  var lastMs: Int64 { rows.map(\.atMs).max() ?? 0 }
  var firstMs: Int64 { rows.map(\.atMs).min() ?? 0 }

  var isFailure: Bool { rows.contains(where: \.isFailure) }

  /// Whether a sample has it: nil has all.
  func isSampled(_ sample: Set<String>?) -> Bool {
    guard let sample else { return true }
    if sample.contains("anomaly"), isFailure { return true }
    return sample.contains(outcome == .answered || outcome == .interrupted ? "answered" : "silent")
  }

  mutating func add(_ row: SinkRow) {
    rows.append(row)
    switch surface {
    case .text: noteText(row)
    case .voice: noteVoice(row)
    }
  }

  private mutating func noteText(_ row: SinkRow) {
    switch row.label.kind {
    case "sent_reply", "sent_message":
      outcome = .answered
      reason = nil
    case "reply_skipped" where outcome == .unknown:
      outcome = .denied
      reason = row.content.map { String($0.prefix(80)) }
    case "text_runtime"
    where row.metadata["allow"]?.bool == false && outcome == .unknown:
      outcome = .denied
      reason = row.metadata["reason"]?.string
    default: break
    }
  }

  private mutating func noteVoice(_ row: SinkRow) {
    let event = row.label.event ?? ""
    if row.label.kind == "voice_turn_out" {
      outcome = .answered
      reason = nil
    } else if event.hasPrefix("voice_barge_in_interrupt"), outcome == .answered {
      outcome = .interrupted
    } else if outcome == .unknown {
      if event.hasPrefix("voice_turn_dropped") || event.hasPrefix("voice_turn_skipped") {
        outcome = .dropped
        reason = row.metadata["reason"]?.string ?? event
      } else if event == "voice_turn_addressing", row.metadata["allow"]?.bool == false {
        outcome = .denied
        reason = row.metadata["reason"]?.string
      } else if event.contains("watchdog") || event.hasPrefix("response_silent") {
        outcome = .failed
        reason = event
      }
    }
  }

  /// Whether it can be sent at a time: nothing is expected any more, or it has waited too long.
  func isDue(atMs ms: Int64) -> Bool {
    ms - lastMs >= (outcome == .unknown ? Self.openMs : Self.quietMs) || rows.count >= Self.maxRows
  }
}

/// Collects rows into turns.
struct TurnFold: Sendable {
  private(set) var open: [String: Turn] = [:]
  /// The newest utterance of each session.
  private var newest: [String: String] = [:]
  /// The newest turn of each channel with a message, for rows of services, which name no message.
  private var ofChannel: [String: String] = [:]
  private var order: [String] = []
  /// The newest time of a row, in ms since 1970.
  private(set) var newestMs: Int64 = 0
  private var lastSeq: Int64 = 0

  /// Turns that wait at once; the oldest ones go out beyond that.
  static let maxOpen = 2000

  init() {}

  /// The place before the first row of the oldest turn that waits.
  var held: SequencePlace? {
    open.values.compactMap(\.firstPlace).min { $0.seq < $1.seq }.map {
      SequencePlace(day: $0.day, seq: $0.seq - 1)
    }
  }

  /// Rows that were added before are left out: a batch comes again when its answer was lost.
  mutating func add(_ rows: ArraySlice<SinkRow>) -> [Turn] {
    var finished: [Turn] = []
    for row in rows where row.place.seq > lastSeq {
      lastSeq = row.place.seq
      newestMs = max(newestMs, row.atMs)
      if let single = add(row) { finished.append(single) }
    }
    return finished
  }

  /// - Returns: a turn of its own, for a failure that belongs to none.
  private mutating func add(_ row: SinkRow) -> Turn? {
    if let anchor = anchor(of: row) {
      open[anchor]?.add(row)
      return nil
    }
    guard row.isFailure else { return nil }
    var turn = Turn(surface: .text, anchor: row.keyText, session: row.session)
    turn.add(row)
    turn.outcome = .failed
    turn.isSettled = true
    return turn
  }

  private mutating func anchor(of row: SinkRow) -> String? {
    if row.label.kind == "voice_turn_in", let session = row.session {
      let anchor = "\(session) \(row.keyText)"
      begin(Turn(surface: .voice, anchor: anchor, session: session))
      newest[session] = anchor
      return anchor
    }
    if let session = row.session, let anchor = newest[session] {
      return open[anchor] == nil ? nil : anchor
    }
    if let message = Self.message(of: row) {
      let anchor = "message \(message)"
      if open[anchor] == nil {
        guard Self.begins.contains(row.label.kind) else { return nil }
        begin(Turn(surface: .text, anchor: anchor, session: nil))
      }
      if let channel = row.channel { ofChannel[channel] = anchor }
      return anchor
    }
    guard row.session == nil, Self.isOfService(row), let channel = row.channel,
      let anchor = ofChannel[channel], let turn = open[anchor], turn.outcome == .unknown
    else { return nil }
    return anchor
  }

  private mutating func begin(_ turn: Turn) {
    open[turn.anchor] = turn
    order.append(turn.anchor)
  }

  private static let begins: Set<String> = [
    "text_runtime", "llm_call", "llm_error", "sent_reply", "sent_message", "reply_skipped",
    "memory_embedding_call",
  ]

  private static func isOfService(_ row: SinkRow) -> Bool {
    row.label.chips.contains(.tool) || row.label.kind.hasSuffix("_call")
  }

  private static func message(of row: SinkRow) -> String? {
    let named = ["triggerMessageId", "traceMessageId"].lazy
      .compactMap { row.metadata[$0]?.string }.first { !$0.isEmpty }
    if let named { return named }
    guard row.label.kind.hasPrefix("llm_"), let id = row.metadata["messageId"]?.string,
      !id.isEmpty
    else { return nil }
    return id
  }

  /// Takes out the turns that can be sent.
  ///
  /// - Parameter isLast: all of them: there are no more rows.
  mutating func due(atMs ms: Int64, isLast: Bool = false) -> [Turn] {
    var finished: [Turn] = []
    var left: [String] = []
    for (index, anchor) in order.enumerated() {
      guard var turn = open[anchor] else { continue }
      let isTooMany = order.count - index > Self.maxOpen
      guard isLast || isTooMany || turn.isDue(atMs: ms) else {
        left.append(anchor)
        continue
      }
      turn.isSettled = turn.outcome != .unknown && ms - turn.lastMs >= Turn.quietMs
      open[anchor] = nil
      finished.append(turn)
    }
    order = left
    if newest.count > Self.maxOpen { newest = newest.filter { open[$0.value] != nil } }
    if ofChannel.count > Self.maxOpen { ofChannel = ofChannel.filter { open[$0.value] != nil } }
    return finished
  }
}
