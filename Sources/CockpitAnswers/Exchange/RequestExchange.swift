internal import ClankyWire
internal import CockpitStores
internal import LenientJSON

/// Puts together what waited for an answer at a gateway: who asked, what came of it, and the run that waited.
@MainActor
struct RequestExchange {
  let rows: ExchangeRows

  /// A run may have begun so long before it asked, in ms, where no row names it.
  private static let runMs: Int64 = 3_600_000
  /// Rows of the run are read up to this time after the answer, in ms.
  private static let afterMs: Int64 = 3_600_000
  /// The lifetime assumed for a request that states none, in ms.
  private static let lifeMs: Int64 = 3_600_000
  /// Rows that end a run.
  private static let ends: Set<String> = [
    "sent_reply", "llm_error", "llm_run_aborted", "llm_run_ended_warning",
  ]

  /// What a row asks or answers; nil for rows of anything else.
  static func name(of row: ExchangeRow) -> (kind: Exchange.RequestPart.Kind, id: String)? {
    for kind in Exchange.RequestPart.Kind.allCases
    where row.kind.hasPrefix(kind.rawValue + "_") && RowOrigin.isGateway(row.metadata) {
      return row.string(kind.idKey).map { (kind, $0) }
    }
    return nil
  }

  func request(_ kind: Exchange.RequestPart.Kind, _ id: String) -> Exchange? {
    let named = rows.log.rows(holding: id).compactMap(rows.row)
      .filter { Self.name(of: $0).map { $0 == (kind, id) } ?? false }
      .sorted { ($0.timeMs, $0.actionID ?? .max) < ($1.timeMs, $1.actionID ?? .max) }
    guard let first = named.first else { return nil }
    let asked = named.first { $0.kind.hasSuffix("_requested") }
    let end = named.last { !$0.kind.hasSuffix("_requested") }
    var part = Exchange.RequestPart(kind: kind, id: id)
    part.asked = asked?.source()
    part.end = end?.source()
    part.subject = asked?.content
    part.expiresAtMs = asked?.metadata["expiresAtMs"]?.int.map(Int64.init)
    part.isExpired = end?.kind.hasSuffix("_timeout") ?? false
    part.decision = end.flatMap { $0.string("decision") ?? $0.content }
    part.resolvedBy = end?.string("resolvedBy")
    if let asked { addRun(asked, end, to: &part) }

    var exchange = Exchange(key: .request(kind, id), medium: .request)
    exchange.guildID = named.lazy.compactMap(\.guildID).first
    exchange.channelID = named.lazy.compactMap(\.channelID).first
    exchange.authorID = exchange.guildID
    exchange.words = part.subject
    exchange.wordsSource = part.asked
    exchange.isOfAgent = true
    exchange.trigger = first.source()
    exchange.startMs = first.timeMs
    exchange.endMs = end?.timeMs ?? first.timeMs
    let deadline = part.expiresAtMs ?? first.timeMs + Self.lifeMs
    let isRunning = part.runID != nil && part.runEnd == nil
    exchange.isOpen =
      end.map { isRunning && rows.nowMs < $0.timeMs + Self.afterMs } ?? (rows.nowMs < deadline)
    exchange.settledMs = end?.timeMs ?? max(first.timeMs, min(deadline, rows.nowMs))
    exchange.isComplete = rows.isComplete(from: first, toMs: exchange.settledMs)
    exchange.sources = [
      part.before?.source, part.asked, part.end, part.after?.source, part.runEnd?.source,
    ]
    .compactMap { $0 }
    exchange.request = part
    return exchange
  }

  /// The run by its id; without an id, the one that was active in the same session.
  private func addRun(
    _ asked: ExchangeRow, _ end: ExchangeRow?, to part: inout Exchange.RequestPart
  ) {
    let untilMs = (end?.timeMs ?? rows.nowMs) + Self.afterMs
    let run: String
    let link: Exchange.Link
    if let id = asked.string("runId") {
      (run, link) = (id, .id)
    } else {
      guard let session = asked.channelID else { return }
      let earlier = rows.rows(from: asked.timeMs - Self.runMs, to: asked.timeMs) {
        $0.channelID == session
      }
      guard let last = earlier.last(where: { !$0.triggers.isEmpty }),
        !Self.ends.contains(last.kind), let id = last.triggers.first
      else { return }
      (run, link) = (id, .time)
    }
    let ofRun = rows.rows(naming: run).filter {
      RowOrigin.isGateway($0.metadata) && $0.timeMs <= untilMs
    }
    guard !ofRun.isEmpty else { return }
    part.runID = run
    part.before = ofRun.last { $0.timeMs <= asked.timeMs && !Self.ends.contains($0.kind) }
      .map { Exchange.Note($0, link) }
    if let end {
      part.after = ofRun.first {
        $0.timeMs >= end.timeMs && $0.kind.hasPrefix("tool_")
      }.map { Exchange.Note($0, link) }
    }
    part.runEnd = ofRun.last { Self.ends.contains($0.kind) && $0.timeMs >= asked.timeMs }
      .map { Exchange.Note($0, link) }
  }
}

extension Exchange {
  /// Additional data of what waited for an answer.
  package struct RequestPart: Hashable, Sendable {
    /// The raw values begin the kinds of its rows.
    package enum Kind: String, CaseIterable, Hashable, Sendable {
      case approval, question, pairing

      var idKey: String {
        switch self {
        case .approval: "approvalId"
        case .question: "questionId"
        case .pairing: "requestId"
        }
      }
    }

    package var kind: Kind
    package var id: String
    /// What was asked: remote text; nil when that row is not on record.
    package var subject: String?
    package var asked: Source?
    /// By the gateway's clock, ms since 1970.
    package var expiresAtMs: Int64?
    /// The row of the answer, or of the expiry.
    package var end: Source?
    /// As the row has it.
    package var decision: String?
    /// Who answered: remote text.
    package var resolvedBy: String?
    package var isExpired = false
    package var runID: String?
    /// The run's last step before it asked, and its first one after the answer.
    package var before: Note?
    package var after: Note?
    /// How the run ended.
    package var runEnd: Note?

    init(kind: Kind, id: String) {
      self.kind = kind
      self.id = id
    }

    /// ms from the request to the answer; nil where a row of them is missing.
    package var waitedMs: Int? {
      guard let asked, let end, end.timeMs >= asked.timeMs else { return nil }
      return Int(end.timeMs - asked.timeMs)
    }
  }
}
